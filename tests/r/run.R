# Runs the tests in a folder on an installed package:
#   Rscript run.R <package> <library> <folder>
arguments <- commandArgs(TRUE)
.libPaths(c(arguments[2], .libPaths()))
library(testthat)
library(arguments[1], character.only = TRUE)
results <- as.data.frame(test_dir(arguments[3], reporter = "summary",
                                  stop_on_failure = FALSE))
failed <- sum(results$failed) + sum(results$error)
cat(sum(results$nb), "expectations,", failed, "failed\n")
quit(status = if (failed > 0 || nrow(results) == 0) 1 else 0)
