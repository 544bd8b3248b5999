# What can be done with a fit.

fit <- gbnn(Species ~ ., data = iris, hidden_units = 30, seed = 1)

test_that("types of predictions", {
  class <- predict(fit, iris, type = "class")
  prob <- predict(fit, iris, type = "prob")
  expect_identical(predict(fit, iris), class)
  expect_identical(colnames(prob)[max.col(prob)], as.character(class))
  car <- gbnn(mpg ~ ., data = mtcars, hidden_units = 9, seed = 1)
  expect_type(predict(car, mtcars, type = "response"), "double")
  expect_error(predict(car, mtcars, type = "prob"), "is for classification")
  expect_error(predict(car, mtcars, type = "class"), "is for classification")
  expect_error(predict(fit, iris, type = "odds"), "should be one of")
})

test_that("no points have no predictions, but of the same kind", {
  for (object in list(fit, fit$output_model)) {
    expect_identical(predict(object, iris[0, 1:4]), iris$Species[0])
    expect_identical(predict(object, iris[0, 1:4], "prob"),
                     predict(fit, iris, "prob")[0, ])
    expect_error(predict(object, iris$tset), "'newdata' is NULL")
  }
  cars <- gbnn(cbind(mpg, hp) ~ wt, data = mtcars, hidden_units = 3, seed = 1)
  expect_identical(predict(cars, mtcars[0, ]), predict(cars, mtcars)[0, ])
  expect_error(predict(cars$output_model, mtcars[0, "wt", drop = FALSE],
                       "prob"), "is for classification")
})

test_that("a column may be nothing but NA", {
  unknown <- transform(iris[1:2, ], Petal.Width = NA)
  expect_identical(predict(fit, unknown, "prob"), predict(fit, transform(
    unknown, Petal.Width = NA_real_), "prob"))
  # Of categories, too.
  cars <- transform(mtcars, cyl = factor(cyl), am = am == 1)
  car <- gbnn(mpg ~ cyl + am + wt, data = cars, hidden_units = 9, seed = 1)
  expect_identical(
    predict(car, transform(cars, cyl = NA, am = NA)),
    predict(car, transform(cars, cyl = factor(NA, levels(cyl)),
                           am = NA_character_)))
})

test_that("units can be switched off", {
  all <- predict(fit, iris, "prob")
  expect_identical(predict(fit, iris, "prob", active_units = 30), all)
  few <- predict(fit, iris, "prob", active_units = 6)
  expect_false(identical(few, all))
  none <- predict(fit, iris, "prob", active_units = 0)
  expect_equal(unname(none[1, ]), rep(1 / 3, 3))
  # The fit itself still has them all.
  expect_identical(predict(fit, iris, "prob"), all)
  expect_error(predict(fit, iris, active_units = 31), "'active_units'")
})

test_that("print and summary say what it is", {
  expect_output(print(fit), "neural network for classification")
  expect_output(print(fit), "150 points with 4 columns")
  expect_output(print(fit), "setosa, versicolor, virginica")
  expect_output(print(summary(fit)), "30 hidden units, [0-9]+ bytes")
  tested <- gbnn(input_model = fit, test = iris, test_labels = iris$Species)
  expect_output(print(summary(tested)), "On the test data")
  expect_identical(tested$predictions, predict(fit, iris))
  car <- gbnn(mpg ~ ., data = mtcars, hidden_units = 3, seed = 1)
  expect_output(print(car), "neural network for regression")
  expect_output(print(gbnn(input_model = car$output_model, test = mtcars[-1])),
                "neural network for regression")
})

test_that("saveRDS() and model files keep the fit", {
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  kept <- readRDS(file)
  expect_identical(predict(kept, iris, "prob"), predict(fit, iris, "prob"))

  for (format in c("bin", "json", "xml")) {
    file <- tempfile(fileext = paste0(".", format))
    write_model(fit, file)
    model <- read_model(file)
    # The names of the classes are in the file.
    expect_identical(predict(model, iris[1:4]), predict(fit, iris))
    expect_identical(predict(model, iris[1:4], "prob"),
                     predict(fit, iris, "prob"))
  }
})
