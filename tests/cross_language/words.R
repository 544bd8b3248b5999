# Trains, or predicts with models, in R:  words.R train|predict FOLDER LIBRARY
# See test_words.py.

arguments <- commandArgs(TRUE)
library(mlpackgbnn, lib.loc = arguments[3])

read <- function(path, ...) {
  read.csv(path, check.names = FALSE, encoding = "UTF-8", ...)
}

write <- function(labels, path) {
  writeLines(enc2utf8(as.character(labels)), paste0(path, ".txt"),
             useBytes = TRUE)
}

# As users of R have them.
label_types <- list(
  words = identity,
  booleans = function(x) as.character(x) == "yes",
  # Neither the order of the levels nor more of them matter.
  categories = function(x) factor(x, levels = c("none", rev(unique(x)))))

for (task in list.dirs(arguments[2], recursive = FALSE)) {
  test <- read(file.path(task, "test.csv"))
  if (arguments[1] == "train") {
    training <- read(file.path(task, "training.csv"))
    labels <- label_types[[basename(task)]](training$label)
    training$label <- NULL
    result <- gbnn(training = training, labels = labels, hidden_units = 20,
                   seed = 7)
    for (form in c("bin", "json", "xml"))
      write_model(result, file.path(task, paste0("r.", form)))
    # The fit says the same as its model.
    write(suppressWarnings(predict(result, test)), file.path(task, "r"))
    next
  }
  for (model in list.files(task, "[.](bin|json|xml)$", full.names = TRUE))
    write(suppressWarnings(predict(read_model(model), test)),
          paste0(model, ".r"))
}
