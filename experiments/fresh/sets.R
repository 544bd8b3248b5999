# Writes the sets of sets.csv as CSV files, as people have them: words as words, an
# empty cell where a value is missing, the target last.
#
#   Rscript sets.R FOLDER [SET ...]
#
# Sets whose package is not installed are named and left out.

folder <- commandArgs(TRUE)[1]
wanted <- commandArgs(TRUE)[-1]
file <- sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE))
# Rscript writes a blank of a path like that.
here <- dirname(gsub("~+~", " ", file, fixed = TRUE))
sets <- read.csv(file.path(here, "sets.csv"))
if (length(wanted) > 0)
  sets <- sets[sets$set %in% wanted, ]

# No commas and quotation marks, which not every program reads.
plain <- function(text) gsub("[^A-Za-z0-9.+<>=-]+", "_", text)

cells <- function(column) {
  if (is.logical(column) || inherits(column, c("Date", "POSIXt")))
    column <- as.numeric(column)
  text <- if (is.numeric(column)) {
    format(column, digits = 12, scientific = FALSE, drop0trailing = TRUE)
  } else {
    plain(as.character(column))
  }
  ifelse(is.na(column), "", trimws(text))
}

read <- function(set) {
  place <- new.env()
  suppressWarnings(data(list = set$set, package = set$package, envir = place))
  if (!exists(set$set, place, inherits = FALSE))
    stop("there is no such set")
  table <- as.data.frame(get(set$set, place))
  target <- table[[set$target]]
  without <- c(set$target, strsplit(set$without, " ")[[1]])
  unknown <- setdiff(without, names(table))
  if (length(unknown) > 0)
    stop("no column ", paste(unknown, collapse = ", "))
  keep <- !is.na(target)
  if (set$task == "classification")  # Ten folds have each class.
    keep <- keep & table(target)[as.character(target)] >= 10
  columns <- lapply(table[keep, setdiff(names(table), without)], cells)
  names(columns) <- plain(names(columns))
  data.frame(columns, target = cells(target[keep]), check.names = FALSE)
}

dir.create(folder, showWarnings = FALSE, recursive = TRUE)
index <- file.path(folder, "info.json")
unlink(index)
info <- character()
for (i in seq_len(nrow(sets))) {
  set <- sets[i, ]
  table <- tryCatch(read(set), error = function(problem) {
    message("without ", set$package, "'s ", set$set, ": ",
            conditionMessage(problem))
  })
  if (is.null(table))
    next
  write.csv(table, file.path(folder, paste0(set$set, ".csv")),
            row.names = FALSE, quote = FALSE)
  info <- c(info, sprintf('"%s": {"task": "%s"}', set$set, set$task))
}
# Last, so that it is there only if all the others are.
writeLines(c("{", paste(info, collapse = ",\n"), "}"), index)
