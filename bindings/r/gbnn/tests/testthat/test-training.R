# What a fit keeps of its training: fitted(), residuals(), nobs(), update(),
# summary() and plot().

train <- function(...) gbnn(..., hidden_units = 20, seed = 1)
flower <- train(Species ~ ., data = iris)
car <- train(mpg ~ ., data = mtcars)

test_that("fitted values are the predictions of the training data", {
  expect_identical(fitted(flower), predict(flower, iris))
  expect_identical(fitted(flower, "prob"), predict(flower, iris, "prob"))
  expect_identical(fitted(car), predict(car, mtcars))
  expect_error(fitted(car, "prob"), "is for classification")
  both <- train(cbind(mpg, hp) ~ wt + cyl, data = mtcars)
  expect_identical(fitted(both), predict(both, mtcars))
  plain <- train(training = cbind(as.matrix(iris[1:4]),
                                  as.integer(iris$Species)))
  expect_identical(as.integer(fitted(flower)), fitted(plain))
})

test_that("residuals are what is left", {
  expect_equal(fitted(car) + residuals(car), mtcars$mpg)
  left <- residuals(flower)
  expect_identical(dim(left), c(150L, 3L))
  expect_equal(rowSums(left), rep(0, 150))
  expect_equal(left[1, "setosa"], 1 - fitted(flower, "prob")[1, "setosa"])
  expect_true(all(left[1, -1] <= 0))
  both <- train(cbind(mpg, hp) ~ wt + cyl, data = mtcars)
  expect_equal(fitted(both) + residuals(both),
               as.matrix(mtcars[c("mpg", "hp")]), check.attributes = FALSE)
  ends <- train(mpg ~ wt, data = mtcars, loss = "quantile",
                quantiles = "0.1,0.9")
  expect_equal(residuals(ends)[, 2], mtcars$mpg - fitted(ends)[, 2])
})

test_that("nobs, formula and update", {
  expect_identical(nobs(flower), 150L)
  expect_identical(nobs(car), 32L)
  # update() makes the call again, where it was made.
  own <- gbnn(mpg ~ ., data = mtcars, hidden_units = 9, seed = 1)
  more <- update(own, hidden_units = 12)
  expect_identical(summary(own)$units, 9)
  expect_identical(summary(more)$units, 12)
  less <- update(own, . ~ wt + hp)
  expect_identical(less$about$columns, c("wt", "hp"))
  expect_equal(formula(less), mpg ~ wt + hp)
  x <- as.matrix(iris[1:4])
  plain <- gbnn(training = x, labels = iris$Species, hidden_units = 9, seed = 1)
  expect_identical(nobs(update(plain, training = x[1:140, ],
                               labels = iris$Species[1:140])), 140L)
  expect_error(formula(plain), "not trained with a formula")
})

test_that("a summary has units, scores and importances by name", {
  about <- summary(flower)
  expect_identical(about$units, 20)
  expect_identical(about$training[["accuracy"]],
                   mean(fitted(flower) == iris$Species))
  own <- fitted(flower, "prob")[cbind(1:150, as.integer(iris$Species))]
  expect_equal(about$training[["log loss"]], -mean(log(own)))
  expect_setequal(rownames(about$importances), names(iris)[1:4])
  expect_true(!is.unsorted(rev(about$importances$permutation)))
  expect_match(rownames(about$importances)[1], "Petal")
  expect_output(print(about), "Petal.Width")
  expect_output(print(about), "accuracy")

  about <- summary(car)
  expect_equal(about$training[["root mean squared error"]],
               sqrt(mean(residuals(car)^2)))
  expect_equal(about$training[["R squared"]],
               1 - sum(residuals(car)^2) / sum((mtcars$mpg -
                                                  mean(mtcars$mpg))^2))
  half <- train(mpg ~ wt, data = mtcars, loss = "quantile",
                quantiles = "0.25")
  error <- residuals(half)
  expect_equal(summary(half)$training[["pinball loss"]],
               mean(ifelse(error > 0, 0.25 * error, -0.75 * error)))
})

test_that("a summary tells of early stopping and of the test data", {
  odd <- seq(1, 150, 2)
  early <- gbnn(Species ~ ., data = iris[odd, ], validation = iris[-odd, ],
                hidden_units = 100, patience = 5, seed = 1)
  about <- summary(early)
  expect_lt(about$units, 100)
  expect_identical(about$validation_loss,
                   min(early$training_losses[, "validation"]))
  tested <- gbnn(input_model = flower, test = iris, importance = TRUE)
  expect_identical(summary(tested)$measured_on, "test data")
  expect_output(print(summary(tested)), "On the test data")
})

test_that("many points are not all kept", {
  frame <- data.frame(x = sin(1:3000), z = cos(1:3000))
  frame$y <- frame$x^2 + frame$z
  fit <- gbnn(y ~ ., data = frame, hidden_units = 6, seed = 1,
              refine_iterations = 0)
  expect_identical(nrow(fit$about$sample$points), 1000L)
  expect_length(fitted(fit), 3000)
  expect_setequal(rownames(summary(fit)$importances), c("x", "z"))
})

test_that("a model without training says so", {
  model <- flower$output_model
  for (f in list(fitted, residuals, nobs))
    expect_error(f(model), "not trained in this call")
  expect_error(update(model, hidden_units = 3), "does not know the call")
  expect_identical(summary(model)$units, 20)
  expect_output(print(summary(model)), "20 hidden units")
  few <- gbnn(input_model = flower, active_units = 5)
  expect_error(fitted(few), "not trained in this call")
  # What is known of the training stays with the fit.
  expect_identical(fitted(gbnn(input_model = flower, test = iris)),
                   fitted(flower))
})

test_that("plots show losses, scores and importances", {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({
    grDevices::dev.off()
    unlink(file)
  })
  before <- graphics::par("mfrow", "mar")
  shown <- plot(flower)
  expect_named(shown, c("loss", "units", "importance"))
  expect_identical(names(shown$loss), c("units", "training"))
  expect_identical(shown$units$units, as.numeric(0:20))
  expect_equal(shown$units$score[21], mean(fitted(flower) == iris$Species))
  expect_setequal(rownames(shown$importance), names(iris)[1:4])
  expect_identical(graphics::par("mfrow", "mar"), before)

  expect_named(plot(car, "importance", col = "grey"), "importance")
  tested <- gbnn(input_model = car, test = mtcars[1:9, ], importance = TRUE)
  expect_identical(plot(tested, "units")$units$score,
                   unname(tested$staged_scores[, "score"]))
  odd <- seq(1, 150, 2)
  early <- train(Species ~ ., data = iris[odd, ], validation = iris[-odd, ])
  expect_identical(names(plot(early, "loss")$loss),
                   c("units", "training", "validation"))
  # A model alone has its losses.
  expect_named(plot(flower$output_model), "loss")
  expect_error(plot(flower$output_model, "units"), "needs points")
  expect_error(plot(flower, "roc"), "should be one of")
})

test_that("classes that have numbers, and columns without names", {
  x <- unname(as.matrix(iris[1:4]))
  fit <- train(training = x, labels = as.integer(iris$Species))
  about <- summary(fit)
  expect_match(rownames(about$importances)[1], "^column [34]$")
  expect_gt(about$training[["accuracy"]], 0.95)
  expect_equal(rowSums(residuals(fit)), rep(0, 150))
  truth <- iris$Species == "setosa"
  logical <- train(training = x, labels = truth)
  expect_identical(as.character(fitted(logical)), as.character(truth))
})
