# Every type of parameter, there and back, through the tiny binding.

points <- matrix(as.double(0:11), 4, 3)

test_that("matrices of all sorts keep points in rows", {
  integers <- points
  storage.mode(integers) <- "integer"
  for (data in list(points, integers, as.data.frame(points),
                    as.data.frame(integers))) {
    expect_identical(tiny(matrix = data, scale = 2)$matrix_out, 2 * points)
    expect_identical(tiny(tmatrix = data, scale = 2)$tmatrix_out, 2 * points)
    expect_identical(tiny(input = data, scale = 2)$output, 2 * points)
    shifted <- tiny(umatrix = data, shift = 3)$umatrix_out
    expect_type(shifted, "integer")
    expect_equal(shifted, points + 3)
  }
})

test_that("a vector is a column of points where a matrix is wanted", {
  expect_identical(tiny(matrix = 1:3)$matrix_out, matrix(as.double(1:3)))
  expect_identical(tiny(input = 1:3)$output, matrix(as.double(1:3)))
})

test_that("vectors", {
  for (data in list(0:4, as.double(0:4), matrix(0:4), t(0:4))) {
    expect_identical(tiny(row = data, scale = -1)$row_out, -as.double(0:4))
    expect_identical(tiny(col = data, scale = -1)$col_out, -as.double(0:4))
    expect_identical(tiny(urow = data, shift = 1)$urow_out, 1:5)
    expect_identical(tiny(ucol = data, shift = 1)$ucol_out, 1:5)
  }
  # More than R's integers hold.
  expect_identical(tiny(urow = 2^40)$urow_out, 2^40)
})

test_that("plain values", {
  result <- tiny(scale = 1L, negate = TRUE, shift = 2, numbers = c(1, 2, 3),
                 words = c("red", "gr\u00fcn"), operation = "scale")
  expect_identical(result$scale_out, -1)
  expect_identical(result$numbers_sum, 6L)
  expect_identical(result$numbers_out, 3:5)
  expect_identical(result$words_out, c("gr\u00fcn", "red"))
  expect_identical(result$operation_out, "scale")
})

test_that("NULL and FALSE are not given", {
  # Both a factor and a model would be refused.
  model <- tiny(scale = 3)$output_model
  result <- tiny(scale = NULL, input_model = model, negate = FALSE)
  expect_identical(result$scale_out, 3)
})

test_that("results that are empty", {
  result <- tiny()
  expect_length(result$matrix_out, 0)
  expect_identical(result$row_out, double())
  expect_identical(result$words_out, character())
})

test_that("missing values pass", {
  data <- points
  data[2, 2] <- NA
  expect_equal(tiny(input = data)$output, data)
  expect_equal(tiny(input = as.data.frame(data))$output, data)
})

test_that("columns of a data frame that are no numbers have categories", {
  frame <- data.frame(
    number = c(1.5, NA, 2.5, 3.5),
    word = c("b", "a", NA, "b"),
    level = factor(c("x", "y", "x", "z"), levels = c("z", "y", "x", "unused")),
    truth = c(TRUE, FALSE, TRUE, TRUE),
    ordered = factor(c("lo", "hi", "hi", NA), levels = c("lo", "hi"),
                     ordered = TRUE),
    stringsAsFactors = FALSE)
  result <- tiny(input = frame)
  # Numbered by first appearance, whatever the order of the levels.
  expect_equal(result$output, rbind(
    c(1.5, 0, 0, 0, 0),
    c(NA, 1, 1, 1, 1),
    c(2.5, NA, 0, 0, 1),
    c(3.5, 0, 2, 0, NA)))
  expect_identical(result$categories, c(0L, 2L, 3L, 2L, 2L))
})

test_that("a matrix of strings has categories", {
  result <- tiny(input = rbind(c("1", "a"), c("2", "a")))
  expect_identical(result$categories, c(2L, 1L))
})

test_that("columns that are matrices are taken apart", {
  frame <- data.frame(a = 1:4)
  frame$b <- points
  expect_equal(tiny(input = frame)$output, cbind(1:4, points))
})

test_that("the level NA is a missing value", {
  frame <- data.frame(a = addNA(factor(c("x", NA, "y"))))
  result <- tiny(input = frame)
  expect_equal(result$output, matrix(c(0, NA, 1)))
  expect_identical(result$categories, 2L)
})

test_that("inputs are not changed", {
  data <- points + 0
  tiny(matrix = data, input = data, tmatrix = data, row = data[, 1],
       scale = 5)
  expect_identical(data, points)
})

test_that("do.call() and wrappers work", {
  expect_identical(do.call(tiny, list(matrix = points))$matrix_out, points)
  wrapper <- function(...) tiny(..., scale = 2)
  expect_identical(wrapper(matrix = points)$matrix_out, 2 * points)
})
