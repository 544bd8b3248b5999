# gbnn() with matrices, data frames and formulas.

x <- as.matrix(iris[1:4])
fit <- function(...) gbnn(..., hidden_units = 30, seed = 1)
accuracy <- function(a, b) mean(as.character(a) == as.character(b))

test_that("matrix and labels", {
  labels <- as.integer(iris$Species)
  result <- fit(training = x, labels = labels, test = x, test_labels = labels)
  expect_s3_class(result, "gbnn")
  expect_type(result$predictions, "integer")
  expect_gt(accuracy(result$predictions, labels), 0.95)
  expect_identical(dim(result$probabilities), c(150L, 3L))
  expect_identical(colnames(result$probabilities), c("1", "2", "3"))
  expect_equal(rowSums(result$probabilities), rep(1, 150))
  expect_identical(colnames(result$staged_scores), c("units", "score"))
  expect_match(result$summary, "ccuracy")
})

test_that("labels need not count from 1, and the last column can be them", {
  labels <- c(-7, 20, 3)[as.integer(iris$Species)]
  a <- fit(training = x, labels = labels, test = x)
  expect_setequal(a$predictions, c(-7, 3, 20))
  b <- fit(training = cbind(x, labels), test = x)
  expect_identical(a$predictions, b$predictions)
  expect_identical(a$probabilities, b$probabilities)
})

test_that("factors, strings and logicals are labels, too", {
  a <- fit(training = x, labels = iris$Species, test = x)
  expect_identical(levels(a$predictions), levels(iris$Species))
  b <- fit(training = x, labels = as.character(iris$Species), test = x)
  expect_identical(a$predictions, b$predictions)
  c <- fit(training = iris, test = iris)
  expect_identical(a$predictions, c$predictions)
  d <- fit(training = x, labels = iris$Species == "setosa", test = x)
  expect_identical(levels(d$predictions), c("FALSE", "TRUE"))
  expect_identical(as.character(d$predictions),
                   as.character(iris$Species == "setosa"))
})

test_that("levels that do not occur are no classes", {
  two <- iris[iris$Species != "setosa", ]
  a <- fit(Species ~ ., data = two)
  expect_identical(colnames(predict(a, two, "prob")),
                   c("versicolor", "virginica"))
})

test_that("a formula is the same as its columns", {
  a <- fit(Species ~ ., data = iris)
  b <- fit(training = iris[1:4], labels = iris$Species)
  expect_identical(predict(a, iris, "prob"), predict(b, iris[1:4], "prob"))
  c <- fit(Species ~ . - Sepal.Width, data = iris)
  d <- fit(training = iris[c(1, 3, 4)], labels = iris$Species)
  expect_identical(predict(c, iris, "prob"),
                   predict(d, iris[c(1, 3, 4)], "prob"))
})

test_that("functions and odd names in formulas", {
  frame <- data.frame(y = mtcars$mpg, `a b` = mtcars$wt, h = mtcars$hp,
                      check.names = FALSE)
  a <- fit(y ~ `a b` + log(h), data = frame)
  b <- fit(training = cbind(mtcars$wt, log(mtcars$hp)), responses = frame$y)
  expect_identical(predict(a, frame),
                   predict(b, cbind(mtcars$wt, log(mtcars$hp))))
  c <- fit(y ~ poly(h, 2), data = frame)
  expect_length(predict(c, frame[1:5, ]), 5)
  wt <- mtcars$wt
  d <- fit(mtcars$mpg ~ wt)
  expect_identical(d$about$points, 32L)
})

test_that("quantiles are the columns of a matrix", {
  a <- fit(mpg ~ ., data = mtcars, loss = "quantile", quantiles = "0.1,0.9",
           non_crossing = TRUE)
  both <- predict(a, mtcars)
  expect_identical(dim(both), c(32L, 2L))
  expect_true(all(both[, 1] <= both[, 2]))
  counts <- fit(carb ~ ., data = mtcars, loss = "poisson")
  expect_true(all(predict(counts, mtcars) > 0))
  expect_error(fit(mpg ~ ., data = mtcars, loss = "cubic"), "unknown loss")
})

test_that("lists of numbers may be numbers, and a column its number", {
  ends <- function(quantiles)
    fit(mpg ~ wt, data = mtcars, loss = "quantile", quantiles = quantiles)
  expect_identical(fitted(ends(c(0.1, 0.9))), fitted(ends("0.1,0.9")))
  expect_identical(summary(ends(c(0.1, 0.9)))$training,
                   summary(ends("0.1,0.9"))$training)
  expect_identical(fitted(ends(0.25)), fitted(ends("0.25")))
  by <- function(column) fit(mpg ~ ., data = mtcars, test = mtcars,
                             dependence = column)$partial_dependence
  expect_identical(by(3), by("hp"))
})

test_that("numbers are regressed, several at once too", {
  a <- fit(mpg ~ ., data = mtcars)
  expect_lt(sqrt(mean((predict(a, mtcars) - mtcars$mpg)^2)),
            sd(mtcars$mpg) / 2)
  b <- fit(cbind(mpg, hp) ~ ., data = mtcars)
  expect_identical(colnames(predict(b, mtcars)), c("mpg", "hp"))
  expect_identical(nrow(predict(b, mtcars)), 32L)
})

test_that("factors among the columns, with levels unseen and missing", {
  set.seed(1)
  frame <- data.frame(u = factor(sample(letters[1:3], 200, TRUE)),
                      v = rnorm(200))
  frame$y <- factor(ifelse(frame$u == "b" | frame$v > 1, "yes", "no"))
  a <- fit(y ~ ., data = frame)
  expect_gt(accuracy(predict(a, frame), frame$y), 0.95)
  # The order of the levels does not matter.
  turned <- frame
  turned$u <- factor(frame$u, levels = c("c", "b", "a"))
  expect_identical(predict(a, turned, "prob"), predict(a, frame, "prob"))
  expect_identical(predict(fit(y ~ ., data = turned), frame, "prob"),
                   predict(a, frame, "prob"))
  new <- data.frame(u = c("b", "zz", NA), v = c(0, NA, 0))
  expect_false(anyNA(predict(a, new, "prob")))
})

test_that("the level NA of a factor is a missing value", {
  frame <- data.frame(u = factor(rep(c("a", "b", NA), 20)), v = 1:60)
  y <- rep(c(1, 2, 4), 20)
  own <- transform(frame, u = addNA(u))
  a <- fit(training = frame, responses = y)
  b <- fit(training = own, responses = y)
  expect_identical(fitted(a), fitted(b))
  expect_identical(predict(b, frame), predict(b, own))
})

test_that("weights and a warm start", {
  a <- fit(Species ~ ., data = iris, weights = c(rep(1, 100), rep(1e-6, 50)))
  expect_lt(mean(predict(a, iris) == "virginica"), 0.3)
  b <- gbnn(input_model = fit(Species ~ ., data = iris), warm_start = TRUE,
            training = iris[1:4], labels = iris$Species, hidden_units = 6)
  expect_gt(accuracy(predict(b, iris), iris$Species), 0.95)
  expect_silent(predict(b, iris, active_units = 36))
})

test_that("piecewise-linear inputs", {
  linear <- fit(Species ~ ., data = iris, input_encoding = "linear")
  a <- fit(Species ~ ., data = iris, input_encoding = "piecewise")
  b <- fit(Species ~ ., data = iris, input_encoding = "piecewise", bins = 16)
  expect_identical(predict(a, iris, "prob"), predict(b, iris, "prob"))
  expect_false(identical(predict(a, iris, "prob"),
                         predict(linear, iris, "prob")))
  expect_gt(accuracy(predict(a, iris), iris$Species), 0.95)
  expect_error(fit(Species ~ ., data = iris, input_encoding = "splines"),
               "must be one of 'linear', 'piecewise', or 'auto'")
  expect_error(fit(Species ~ ., data = iris, input_encoding = "piecewise",
                   bins = 257), "between 1 and 256")
})

test_that("weights of classes, and early exit", {
  few <- iris[1:115, ]
  a <- fit(Species ~ ., data = few, class_weights = "balanced")
  b <- fit(Species ~ ., data = few, weights = 115 / 3 / c(50, 50, 15)[few$Species])
  expect_identical(predict(a, iris, "prob"), predict(b, iris, "prob"))
  a <- fit(Species ~ ., data = few, class_weights = c(virginica = 2.5))
  b <- fit(Species ~ ., data = few, class_weights = "virginica:2.5")
  expect_identical(predict(a, iris, "prob"), predict(b, iris, "prob"))
  words <- c(setosa = "no, never", versicolor = "\"quoted\"",
             virginica = "a:b")[as.character(few$Species)]
  weights <- c("no, never" = 2, "\"quoted\"" = 3, "a:b" = 4)
  a <- fit(training = few[1:4], labels = words, class_weights = weights)
  b <- fit(training = few[1:4], labels = words, weights = weights[words])
  expect_equal(predict(a, few[1:4], "prob"), predict(b, few[1:4], "prob"))
  expect_error(fit(Species ~ ., data = few, class_weights = c(virginia = 2)),
               "setosa, versicolor, virginica", fixed = TRUE)
  expect_error(fit(Species ~ ., data = few, class_weights = c(setosa = 0)),
               "greater than 0", fixed = TRUE)
  early <- gbnn(input_model = a, test = iris[1:4], early_exit = 0)
  expect_identical(early$predictions, predict(a, iris))
  expect_length(early$units_used, 150)
})

test_that("the same seed gives the same bits", {
  expect_identical(predict(fit(Species ~ ., data = iris), iris, "prob"),
                   predict(fit(Species ~ ., data = iris), iris, "prob"))
})

test_that("training data is not changed", {
  before <- x + 0
  fit(training = x, labels = iris$Species, test = x)
  expect_identical(x, before)
})

test_that("importance has the names of the columns", {
  result <- fit(Species ~ ., data = iris, importance = TRUE)
  expect_identical(dim(result$importances), c(4L, 3L))
  expect_gt(min(result$importances[3:4, 1]), max(result$importances[1:2, 1]))
  expect_match(result$importance_table, "Petal.Length")
})

test_that("a model can be exported and reported on", {
  header <- tempfile(fileext = ".h")
  page <- tempfile(fileext = ".html")
  fit(Species ~ ., data = iris, export = header, report = page)
  expect_true(any(grepl("Sepal.Width", readLines(header), fixed = TRUE)))
  expect_true(any(grepl("Sepal.Width", readLines(page), fixed = TRUE)))
  expect_error(fit(Species ~ ., data = iris, export = "model.txt"),
               "expected the extension")
})

test_that("tuning chooses and refits", {
  result <- fit(Species ~ ., data = iris, tune = TRUE, folds = 3,
                tune_units_per_stage = c(1, 2), tune_learning_rates = "0.2,1",
                subsample = 0.5)
  scores <- result$tuning_scores
  expect_identical(dim(scores), c(4L, 7L))
  best <- scores[scores[, "best"] == 1, ]
  expect_identical(best[["score"]], max(scores[, "score"]))
  expect_match(result$tuning_table, "accuracy")
  direct <- gbnn(Species ~ ., data = iris, seed = 1,
                 hidden_units = best[["units"]],
                 units_per_stage = best[["units_per_stage"]],
                 learning_rate = best[["learning_rate"]], subsample = 0.5)
  expect_identical(predict(result, iris, type = "prob"),
                   predict(direct, iris, type = "prob"))
  expect_error(fit(Species ~ ., data = iris, tune = TRUE, folds = 1),
               "at least 2")
})
