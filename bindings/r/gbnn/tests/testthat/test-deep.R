# deep_gbnn() in R.

x <- as.matrix(iris[1:4])
labels <- as.integer(iris$Species)
deep <- function(...) {
  deep_gbnn(..., layers = c(12, 8, 6), trunk_epochs = 20,
            trunk_step_size = 0.01, hidden_units = 20, seed = 1)
}

test_that("trunk and head are trained and compared", {
  result <- deep(training = x, labels = labels, test = x, test_labels = labels)
  expect_equal(result$accuracy, mean(result$predictions == labels))
  expect_gt(result$accuracy, 0.9)
  expect_gt(result$trunk_accuracy, 0.3)
  expect_match(result$summary, "trunk")
  expect_identical(dim(result$probabilities), c(150L, 3L))
  # The head has the 6 units of the trunk's last layer, and 20 more.
  expect_identical(nrow(result$staged_scores), 27L)
})

test_that("responses are predicted, with weights and early stopping", {
  y <- sin(x[, 1]) + x[, 3]
  result <- deep(training = x, responses = y, test = x, test_responses = y,
                 weights = rep(1:2, 75), validation_fraction = 0.2)
  expect_identical(dim(result$output_predictions), c(150L, 1L))
  expect_equal(result$error, sqrt(mean((result$output_predictions[, 1] - y)^2)))
  expect_match(result$summary, "RMSE on the test data: trunk")
  expect_identical(deep_gbnn(input_model = result$output_model,
                             test = x)$output_predictions,
                   result$output_predictions)
  expect_error(deep(training = x, responses = y, weights = 1:3),
               "has 3 entries")
})

test_that("a model that was written is the same model", {
  result <- deep(training = x, labels = labels, test = x)
  file <- tempfile(fileext = ".bin")
  on.exit(unlink(file))
  write_model(result$output_model, file)
  model <- read_model(file, "DeepGBNNModel")
  again <- deep_gbnn(input_model = model, test = x)
  expect_identical(again$probabilities, result$probabilities)
  # It is none of gbnn()'s.
  expect_error(read_model(file), "not a valid GBNNModel")
  expect_error(gbnn(input_model = model, test = x), "GBNNModel")
  copy <- tempfile(fileext = ".rds")
  on.exit(unlink(copy), add = TRUE)
  saveRDS(result$output_model, copy)
  expect_identical(deep_gbnn(input_model = readRDS(copy),
                             test = x)$probabilities, result$probabilities)
})

test_that("a target is known by its name, and columns are", {
  result <- deep(training = iris, target = "Species", test = iris[5:1])
  expect_gt(result$accuracy, 0.9)
  expect_setequal(unique(result$predictions), levels(iris$Species))
  for (test in list(iris[4:1], iris, iris[1:4], unname(as.matrix(iris[1:4]))))
    expect_identical(deep_gbnn(input_model = result$output_model,
                               test = test)$probabilities,
                     result$probabilities)
  expect_identical(deep(training = iris, target = 5,
                        test = iris)$probabilities, result$probabilities)
  own <- setNames(iris, paste0("V", 1:5))
  expect_identical(deep(training = own, target = "V5",
                        test = own)$probabilities, result$probabilities)
  expect_error(deep_gbnn(input_model = result$output_model, test = iris[1:3]),
               "has no column 'Petal.Width'")
})

test_that("what is wrong is told", {
  expect_error(deep_gbnn(training = x, labels = labels, layers = 5),
               "at least two")
  expect_error(deep_gbnn(training = x, trunk_epoch = 5), "trunk_epochs")
})
