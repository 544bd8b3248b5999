# Trains, or predicts with models, in R:  driver.R train|predict FOLDER LIBRARY
# See test_same_results.py.

arguments <- commandArgs(TRUE)
library(mlpackgbnn, lib.loc = arguments[3])

read <- function(path) {
  if (file.exists(path))
    read.csv(path, header = FALSE, na.strings = "", stringsAsFactors = TRUE)
}

# All numbers of a result, point by point, as they lie in memory.
write <- function(result, path) {
  numbers <- if (length(result$probabilities) > 0) result$probabilities
    else result$output_predictions
  writeBin(as.vector(t(numbers)), paste0(path, ".numbers"), endian = "little")
  writeBin(as.double(result$predictions), paste0(path, ".labels"),
           endian = "little")
}

for (task in list.dirs(arguments[2], recursive = FALSE)) {
  test <- read(file.path(task, "test.csv"))
  if (arguments[1] == "train") {
    result <- gbnn(training = read(file.path(task, "training.csv")),
                   test = test, labels = read(file.path(task, "labels.csv")),
                   responses = read(file.path(task, "responses.csv")),
                   hidden_units = 20, seed = 7)
    write(result, file.path(task, "r"))
    for (form in c("bin", "json", "xml"))
      write_model(result, file.path(task, paste0("r.", form)))
    next
  }
  for (model in list.files(task, "[.](bin|json|xml)$", full.names = TRUE))
    write(gbnn(input_model = read_model(model), test = test,
               active_units = 9), paste0(model, ".r"))
}
