# What a fit keeps of its training, and R's functions for that.

# Most points of the training data that a fit keeps, to measure importances on.
sample_size <- 1000L

# Keep the fitted values, and some of the points.
keep_training <- function(fit, inputs) {
  values <- list(input_model = fit$output_model, test = inputs)
  # A model that was trained further may have another order.
  values$test_column_names <- fit$about$input_names
  results <- label_results(run_binding("gbnn", values), fit$about)
  about <- results$about
  about$fitted <- if (about$regression) {
    list(response = one_or_matrix(results$output_predictions))
  } else {
    list(class = results$predictions, prob = results$probabilities)
  }
  rows <- seq_len(about$points)
  if (about$points > sample_size)
    rows <- round(seq(1, about$points, length.out = sample_size))
  about$sample <- list(points = rows_of(inputs, rows),
                       truth = rows_of(about$truth, rows))
  if (about$regression)
    about$classes <- NULL
  fit$about <- about
  fit
}

rows_of <- function(x, rows) {
  if (length(dim(x)) == 2) x[rows, , drop = FALSE] else x[rows]
}

# One response is a vector, several are the columns of a matrix.
one_or_matrix <- function(x) {
  if (ncol(x) == 1) as.vector(x) else x
}

# What training has left in a fit, or an error that says why there is nothing.
trained <- function(object, part, what) {
  value <- object$about[[part]]
  if (is.null(value))
    stop(what, " are those of the training data, but this model was not ",
         "trained in this call; use predict() with data", call. = FALSE)
  value
}

fitted.gbnn <- function(object, type = c("response", "class", "prob"), ...) {
  chkDots(...)
  type <- match.arg(type)
  fitted <- trained(object, "fitted", "fitted values")
  if (object$about$regression && type != "response")
    stop("type = \"", type, "\" is for classification, but the model is for ",
         "regression", call. = FALSE)
  if (object$about$regression)
    return(fitted$response)
  if (type == "prob") fitted$prob else fitted$class
}

residuals.gbnn <- function(object, ...) {
  chkDots(...)
  fitted <- trained(object, "fitted", "residuals")
  truth <- object$about$truth
  if (!object$about$regression)
    return(indicators(truth, colnames(fitted$prob)) - fitted$prob)
  truth <- as.matrix(truth)
  # Of one response there may be several quantiles.
  if (ncol(truth) == 1) as.vector(truth) - fitted$response
  else truth - fitted$response
}

# 1 in the column of the class of each point, and 0 in the others.
indicators <- function(labels, classes) {
  result <- outer(as.character(labels), classes, "==") + 0
  colnames(result) <- classes
  result
}

nobs.gbnn <- function(object, ...) {
  trained(object, "points", "numbers of observations")
}

formula.gbnn <- function(x, ...) {
  if (is.null(x$about$formula))
    stop("this model was not trained with a formula", call. = FALSE)
  x$about$formula
}

# update() makes the call anew.
getCall.gbnn <- function(x, ...) x$about$call

# A model from a file, or the one in a fit, knows nothing of the points.
fitted.GBNNModel <- function(object, ...) trained(list(), "", "fitted values")
residuals.GBNNModel <- function(object, ...) trained(list(), "", "residuals")
nobs.GBNNModel <- function(object, ...)
  trained(list(), "", "numbers of observations")
update.GBNNModel <- function(object, ...)
  stop("a model does not know the call that made it; use update() with what ",
       "gbnn() returned, or gbnn(input_model = , warm_start = TRUE, ",
       "training = ) to add units", call. = FALSE)
