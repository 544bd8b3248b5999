# Bad input is an error of R, with a text that helps, and harms nothing.

refused <- function(text, ...) {
  expect_error(tiny(...), text, fixed = TRUE)
  # The session stays usable.
  expect_identical(tiny(matrix = diag(2))$matrix_out, diag(2))
}

test_that("the binding's own errors arrive", {
  refused(paste("Invalid value of 'shift' specified (-1); shift must not be",
                "negative!"), shift = -1)
  refused(paste("Invalid value of 'operation' specified ('jump'); unknown",
                "operation; must be one of 'scale', 'warn', 'wait', 'fatal',",
                "or 'throw'!"), operation = "jump")
  refused("Asked to fail.", operation = "fatal")
  refused("tiny(): asked to throw", operation = "throw")
  refused("must fit into 32 bits", shift = 2^40)
  refused("must fit into 32 bits", shift = Inf)
})

test_that("values that cannot be right are refused", {
  refused("'row' must have one dimension, but is 3 x 3!", row = diag(3))
  refused("'matrix' must have two dimensions, but has 3!",
          matrix = array(0, c(2, 2, 2)))
  refused("'matrix' must hold numbers", matrix = matrix("a"))
  refused("'matrix' must hold numbers, but its column 'b' holds none!",
          matrix = data.frame(a = 1, b = "x"))
  refused("'umatrix' must not hold negative numbers!", umatrix = matrix(-1))
  refused("'urow' must hold whole numbers!", urow = 0.5)
  refused("'urow' must hold whole numbers!", urow = NA)
  refused("has the column 'when' of class Date",
          input = data.frame(when = Sys.Date()))
})

test_that("values of the wrong type are refused", {
  refused("'shift' must be of type integer; not 1.5!", shift = 1.5)
  refused("'shift' must be of type integer; not character!", shift = "1")
  refused("'shift' must be of type integer; not logical!", shift = TRUE)
  refused("'shift' must be of type integer; not NA!", shift = NA_integer_)
  refused("'shift' must be of type integer; not 2 values!", shift = 1:2)
  refused("'scale' must be of type numeric; not character!", scale = "big")
  refused("'negate' must be of type logical; not numeric!", negate = 1)
  refused("'negate' must be of type logical; not NA!", negate = NA)
  refused("'operation' must be of type character; not numeric!", operation = 3)
  refused("'numbers' must be of type vector of integers", numbers = 1.5)
  refused("'words' must be of type vector of characters", words = 1)
  refused("'matrix' must be of type numeric matrix; not list!",
          matrix = list(1))
  refused("'matrix' must be of type numeric matrix; not function!",
          matrix = sum)
  refused("'input' must be of type matrix or data frame; not list!",
          input = list(1))
  refused("'input_model' must be of type TinyModel; not numeric!",
          input_model = 3)
})

test_that("names that are no parameter are refused with the nearest", {
  for (pair in list(c("scal", "scale"), c("Scale", "scale"),
                    c("sclae", "scale"), c("inputs", "input"),
                    c("model", "input_model"))) {
    arguments <- list(1)
    names(arguments) <- pair[1]
    expect_error(do.call(tiny, arguments), fixed = TRUE, paste0(
      "tiny(): unknown parameter '", pair[1], "'; did you mean '", pair[2],
      "'?"))
  }
  expect_error(tiny(quetzalcoatl = 1), "unknown parameter 'quetzalcoatl'$")
  refused("unknown parameter 'scale_out'", scale_out = 1)
  refused("tiny() takes its parameters by name, like input = ...", diag(2))
})

test_that("warnings and messages are R's", {
  expect_warning(result <- tiny(operation = "warn"), "^Asked to warn.$")
  expect_identical(result$scale_out, 1)
  expect_output(tiny(scale = 2, verbose = TRUE), "[INFO ] Scaled by 2.",
                fixed = TRUE)
  expect_silent(tiny(scale = 2))
})

test_that("a run can be interrupted", {
  skip_on_os("windows")
  skip_if(Sys.which("sh") == "")
  system(paste("(sleep 1; kill -INT", Sys.getpid(), ") &"))
  start <- proc.time()[["elapsed"]]
  stopped <- tryCatch(tiny(operation = "wait"), interrupt = function(c) "stop")
  expect_identical(stopped, "stop")
  expect_lt(proc.time()[["elapsed"]] - start, 15)
  expect_identical(tiny(matrix = diag(2))$matrix_out, diag(2))
})
