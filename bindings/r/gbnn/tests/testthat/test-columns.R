# Columns of test and validation data are found by their names.

train <- function(...) gbnn(..., hidden_units = 20, seed = 1)
by_formula <- train(Species ~ ., data = iris)
by_columns <- train(training = iris[1:4], labels = iris$Species)
by_target <- train(training = iris, target = "Species")
expected <- predict(by_formula, iris, "prob")
turned <- iris[4:1]

test_that("another order is put right", {
  for (fit in list(by_formula, by_columns, by_target)) {
    expect_silent(prob <- predict(fit, turned, "prob"))
    expect_identical(prob, expected)
    expect_identical(predict(fit, as.matrix(turned), "prob"), expected)
    result <- gbnn(input_model = fit, test = turned)
    expect_identical(result$probabilities, expected)
  }
  file <- tempfile(fileext = ".bin")
  write_model(by_columns, file)
  expect_identical(predict(read_model(file), turned, "prob"), expected)
})

test_that("a missing one is an error that names it", {
  lost <- "'newdata' has no column 'Petal.Width', which the training data has"
  Petal.Width <- iris$Petal.Width
  for (fit in list(by_formula, by_columns, by_target)) {
    expect_error(predict(fit, iris[1:3]), lost, fixed = TRUE)
    expect_error(predict(fit, as.matrix(iris[1:3])), lost, fixed = TRUE)
    expect_error(gbnn(input_model = fit, test = iris[1:3]),
                 "'test' has no column 'Petal.Width'", fixed = TRUE)
  }
  expect_error(predict(by_columns$output_model, iris[1:3]),
               "has no column 'Petal.Width'", fixed = TRUE)
})

test_that("two of the same name are an error", {
  twice <- cbind(turned, Petal.Width = 0)
  for (fit in list(by_formula, by_columns, by_target))
    expect_error(predict(fit, twice), "two columns 'Petal.Width'", fixed = TRUE)
})

test_that("more are ignored with a word", {
  more <- cbind(turned, day = as.Date("2026-11-17"), x = 1)
  for (fit in list(by_formula, by_columns, by_target)) {
    expect_warning(prob <- predict(fit, more, "prob"),
                   "Columns of 'newdata' .* are ignored: 'day', 'x'")
    expect_identical(prob, expected)
  }
  # The labels of the training data are known by name only with a formula or a
  # target.
  expect_silent(predict(by_formula, iris))
  expect_silent(predict(by_target, iris))
  expect_warning(predict(by_columns, iris), "'Species'")
})

test_that("new data needs no truth, whatever stands in its place", {
  asked <- transform(mtcars, mpg = "?")
  for (fit in list(train(log(mpg) ~ ., data = mtcars),
                   train(training = mtcars, target = "mpg")))
    expect_identical(predict(fit, asked), predict(fit, mtcars[-1]))
})

test_that("R's own names count where they tell of another order", {
  own <- setNames(iris, paste0("V", 1:5))
  for (fit in list(train(training = own[1:4], labels = iris$Species),
                   train(training = own, target = "V5"))) {
    expect_identical(predict(fit, own[1:4], "prob"), expected)
    expect_identical(predict(fit, own[4:1], "prob"), expected)
    expect_identical(predict(fit, cbind(own[4:1], V9 = 1), "prob"), expected)
    # Others than those of the training data are places.
    expect_identical(predict(fit, setNames(own[1:4], letters[1:4]), "prob"),
                     expected)
  }
})

# Only one order of these columns gives good predictions.
set.seed(1)
numbered <- as.data.frame(matrix(rnorm(600), 200))
side <- ifelse(numbered$V1 + 2 * numbered$V2^2 > 1, "a", "b")

test_that("numbered columns of a model in another order are real names", {
  mixed <- numbered[c("V3", "V1", "V2")]
  some <- train(side ~ V2 + V1, data = cbind(numbered, side))
  for (fit in list(train(training = mixed, labels = side), some))
    expect_identical(predict(fit, numbered[1:3]), fitted(fit))
  file <- tempfile(fileext = ".bin")
  write_model(some, file)
  model <- read_model(file)
  expect_identical(predict(model, numbered[1:2]), fitted(some))
  expect_identical(gbnn(input_model = model, test = numbered[1:2])$predictions,
                   fitted(some))
  # What has no names has places.
  expect_identical(predict(model, as.matrix(unname(numbered[2:1]))),
                   fitted(some))
  deep <- deep_gbnn(training = mixed, labels = side, test = numbered, seed = 1,
                    layers = c(8, 6), hidden_units = 10)
  expect_identical(deep_gbnn(input_model = deep$output_model,
                             test = mixed)$predictions, deep$predictions)
  expect_gt(mean(deep$predictions == side), 0.8)
})

test_that("numbered columns are places for a model with other names", {
  named <- setNames(numbered, c("p", "q", "r"))
  fit <- train(training = named, labels = side)
  file <- tempfile(fileext = ".bin")
  write_model(fit, file)
  for (object in list(fit, read_model(file)))
    expect_identical(predict(object, numbered), fitted(fit))
  # The names of a model without names are not checked.
  write_model(train(training = numbered, labels = side), file)
  expect_identical(predict(read_model(file), named),
                   predict(read_model(file), numbered))
})

test_that("a model that is trained further keeps the order of its columns", {
  further <- function(model, data) {
    gbnn(input_model = model, warm_start = TRUE, training = data,
         labels = side, hidden_units = 3)
  }
  for (names in list(c("V1", "V2"), c("p", "q"))) {
    data <- setNames(numbered[1:2], names)
    first <- train(training = data[2:1], labels = side)
    for (model in list(first, first$output_model)) {
      fit <- further(model, data)
      expect_gt(mean(fitted(fit) == side), 0.95)
      expect_identical(predict(fit, data), fitted(fit))
      expect_identical(predict(fit, data[2:1]), fitted(fit))
      expect_identical(summary(fit)$training[["accuracy"]],
                       mean(fitted(fit) == side))
    }
  }
})

test_that("columns that are matrices are taken apart", {
  data <- numbered["V3"]
  data$m <- as.matrix(numbered[1:2])
  a <- train(training = data, labels = side)
  b <- train(side ~ ., data = cbind(data, side))
  expect_identical(a$about$columns, c("V3", "m.V1", "m.V2"))
  expect_identical(fitted(a), fitted(b))
  for (fit in list(a, b)) {
    expect_identical(predict(fit, data[2:1]), fitted(fit))
    expect_identical(gbnn(input_model = fit, test = data)$predictions,
                     fitted(fit))
  }
  deep <- deep_gbnn(training = data, labels = side, test = data[2:1],
                    layers = c(8, 6), hidden_units = 10, seed = 1)
  expect_gt(mean(deep$predictions == side), 0.8)
})

test_that("without names, places count", {
  bare <- unname(as.matrix(iris[1:4]))
  expect_identical(predict(by_columns, bare, "prob"), expected)
  renamed <- train(training = iris[1:4], labels = iris$Species,
                   column_names = letters[1:4])
  expect_identical(predict(renamed, turned, "prob"), expected)
  expect_error(predict(by_columns, bare[, 1:3]), "'test'")
  expect_error(predict(by_formula), "'newdata' is missing")
})

test_that("a test set that has the truth is scored", {
  for (fit in list(by_formula, by_target)) {
    result <- gbnn(input_model = fit, test = iris[5:1])
    expect_match(result$summary, "ccuracy")
    expect_identical(nrow(result$staged_scores), 21L)
  }
  result <- train(mpg ~ ., data = mtcars, test = mtcars)
  expect_match(result$summary, "RMSE")
})

test_that("responses of test data are all there or all missing", {
  some <- mtcars
  some$mpg[c(3, 5)] <- NA
  text <- "'test' is missing in point 3 and 1 more; leave these points out"
  expect_error(train(mpg ~ ., data = mtcars, test = some), text, fixed = TRUE)
  expect_error(train(cbind(hp, mpg) ~ ., data = mtcars, test = some), text,
               fixed = TRUE)
  expect_error(train(mpg ~ ., data = mtcars, validation = some),
               "'validation' is missing in point 3", fixed = TRUE)
  fit <- train(mpg ~ ., data = mtcars)
  expect_length(predict(fit, some), 32)
  expect_identical(gbnn(input_model = fit,
                        test = transform(mtcars, mpg = NA))$summary, "")
})

test_that("a target may be a number of its column, and have numbers", {
  fit <- train(training = iris, target = 5)
  expect_identical(predict(fit, iris, "prob"), expected)
  car <- train(training = mtcars, target = "mpg")
  expect_identical(fitted(car), predict(train(mpg ~ ., data = mtcars), mtcars))
  expect_output(print(car), "for regression")
  expect_error(train(training = iris, target = "species"), "Species")
})

test_that("validation data, too", {
  odd <- seq(1, 150, 2)
  stop_early <- function(...) train(..., patience = 3)
  a <- stop_early(Species ~ ., data = iris[odd, ], validation = iris[-odd, 5:1])
  b <- stop_early(training = iris[odd, 1:4], labels = iris$Species[odd],
                  validation = iris[-odd, 4:1],
                  validation_labels = iris$Species[-odd])
  expect_identical(ncol(a$training_losses), 3L)
  expect_identical(a$training_losses, b$training_losses)
})
