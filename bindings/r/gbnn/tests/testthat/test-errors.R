# Bad input is an error of R, with the text of the program.

x <- as.matrix(iris[1:4])
y <- as.integer(iris$Species)

refused <- function(text, ...) {
  expect_error(gbnn(...), text, fixed = TRUE)
}

test_that("values out of range", {
  refused("hidden_units must be at least 1", training = x, labels = y,
          hidden_units = -1)
  refused("unknown optimizer; must be one of 'auto', 'lbfgs', 'adam'",
          training = x, labels = y, optimizer = "newton")
  refused("'labels' has 149 entries, but 'training' has 150 points!",
          training = x, labels = y[-1])
  refused("labels", training = x, labels = y + 0.5)
  refused("labels", training = x, labels = c(NA, y[-1]))
  refused("labels are for classification and responses for regression",
          training = x, labels = y, responses = x)
  refused("'training'", labels = y)
  expect_warning(gbnn(training = x, labels = y, test_labels = y, seed = 1,
                      hidden_units = 3), "'test_labels' ignored")
})

test_that("names that are no parameter", {
  refused("gbnn(): unknown parameter 'hidden'; did you mean 'hidden_units'?",
          training = x, labels = y, hidden = 10)
  refused("gbnn(): unknown parameter 'trainin'; did you mean 'training'?",
          trainin = x, labels = y)
})

test_that("formulas that make no sense here", {
  refused("must be a formula", x, labels = y)
  refused("needs a response", ~ Species, data = iris)
  refused("needs a column", Species ~ 1, data = iris)
  refused("must not have interactions", Species ~ Sepal.Width * Petal.Width,
          data = iris)
  refused("not with 'training'", Species ~ ., data = iris, training = x)
  refused("goes with a formula", data = iris)
  frame <- iris
  frame$Species[3] <- NA
  refused("must not have missing values", Species ~ ., data = frame)
})

test_that("a task that is not that of the formula", {
  refused("write factor(am) on the left side", am ~ ., data = mtcars,
          task = "classification")
  refused("must have numbers", Species ~ ., data = iris, task = "regression")
  fit <- function(...) fitted(gbnn(Species ~ ., data = iris, hidden_units = 3,
                                   seed = 1, ...))
  expect_identical(fit(task = "classification"), fit())
})

test_that("models that do not fit", {
  file <- tempfile(fileext = ".bin")
  writeBin(as.raw(rep(1:250, 20)), file)
  expect_error(read_model(file), "not a valid GBNNModel")
  fit <- gbnn(training = x, labels = y, hidden_units = 3, seed = 1)
  refused("'test'", input_model = fit, test = x[, 1:3])
})

test_that("labels that training did not have are reported", {
  expect_warning(gbnn(training = x[1:100, ], labels = iris$Species[1:100],
                      test = x, test_labels = iris$Species, hidden_units = 3,
                      seed = 1), "50 of the points")
})

test_that("a word in a column of numbers is warned of", {
  frame <- data.frame(a = 1:100, b = c("x", 2:100))
  quick <- function() gbnn(training = frame, labels = rep(0:1, 50), seed = 1,
                           hidden_units = 3, refine_iterations = 0)
  expect_warning(quick(), paste("has numbers in 99 of 100 points, but 'x' in",
                                "point 1, and is taken for categories"))
  frame$b[1] <- NA
  frame$b <- as.numeric(frame$b)
  expect_no_warning(quick())
})
