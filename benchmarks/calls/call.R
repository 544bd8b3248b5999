# Times training through R: call.R PREFIX UNITS ITERATIONS ROUNDS LIBRARY

arguments <- commandArgs(TRUE)
library(mlpackgbnn, lib.loc = arguments[5])

# Armadillo's own format: a line with its name, one with the sizes, numbers.
read_matrix <- function(path) {
  file <- file(path, "rb")
  on.exit(close(file))
  readLines(file, 1)
  size <- as.integer(strsplit(readLines(file, 1), " ")[[1]])
  t(matrix(readBin(file, "double", prod(size)), size[1]))
}

points <- read_matrix(paste0(arguments[1], ".train.bin"))
labels <- as.vector(read_matrix(paste0(arguments[1], ".train_targets.bin")))
times <- replicate(as.integer(arguments[4]), {
  system.time(gbnn(training = points, labels = labels,
                   hidden_units = as.integer(arguments[2]),
                   max_iterations = as.integer(arguments[3]),
                   optimizer = "lbfgs", tolerance = 0, seed = 1))[1:3]
})
cat(sprintf('{"call_wall": %g, "call_cpu": %g}\n', min(times[3, ]),
            min(times[1, ] + times[2, ])))
