# mlp() of parsnip with the engine "gbnn".

spec <- function(mode, ...) {
  parsnip::set_engine(parsnip::mlp(mode = mode, hidden_units = 20, ...),
                      "gbnn", seed = 1)
}

test_that("classification", {
  skip_if_not_installed("parsnip")
  fit <- generics::fit(spec("classification"), Species ~ ., data = iris)
  own <- gbnn(Species ~ ., data = iris, hidden_units = 20, seed = 1)
  expect_identical(predict(fit, iris)$.pred_class, predict(own, iris))
  prob <- predict(fit, iris, type = "prob")
  expect_named(prob, paste0(".pred_", levels(iris$Species)))
  expect_equal(as.matrix(prob), predict(own, iris, "prob"),
               check.attributes = FALSE)
})

test_that("regression, with other names of arguments", {
  skip_if_not_installed("parsnip")
  fit <- generics::fit(spec("regression", penalty = 0.5, learn_rate = 0.3),
                       mpg ~ ., data = mtcars)
  own <- gbnn(mpg ~ ., data = mtcars, hidden_units = 20, seed = 1, l2 = 0.5,
              learning_rate = 0.3)
  expect_equal(predict(fit, mtcars)$.pred, predict(own, mtcars))
})
