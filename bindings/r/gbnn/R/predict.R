# Methods of R's generic functions.

predict.gbnn <- function(object, newdata, type = c("response", "class", "prob"),
                         active_units = NULL, ...) {
  chkDots(...)
  predict_gbnn(object$output_model, object$about, newdata, match.arg(type),
               active_units)
}

# A model from read_model() brings the names of its classes.
predict.GBNNModel <- function(object, newdata,
                              type = c("response", "class", "prob"),
                              active_units = NULL, ...) {
  chkDots(...)
  predict_gbnn(object, list(), newdata, match.arg(type), active_units)
}

predict_gbnn <- function(model, about, newdata, type, active_units) {
  if (missing(newdata))
    stop("'newdata' is missing; a model does not keep the data that it was ",
         "trained on", call. = FALSE)
  values <- list(input_model = model, test = test_frame(newdata, about),
                 active_units = active_units)
  values$test_column_names <- true_names(colnames(values$test))
  values <- values[!vapply(values, is.null, NA)]
  results <- label_results(run_binding("gbnn", values), about)
  regression <- isTRUE(results$about$regression)
  if (regression && type != "response")
    stop("type = \"", type, "\" is for classification, but the model is for ",
         "regression", call. = FALSE)
  if (type == "prob")
    return(results$probabilities)
  if (!regression)
    return(results$predictions)
  # One response is a vector, several are the columns of a matrix.
  if (ncol(results$output_predictions) == 1)
    return(as.vector(results$output_predictions))
  results$output_predictions
}

print.gbnn <- function(x, ...) {
  about <- x$about
  cat("Gradient boosted neural network")
  if (!is.null(about$regression))
    cat(" for", if (about$regression) "regression" else "classification")
  cat("\n\n")
  if (!is.null(about$call))
    cat("Call: ", paste(deparse(about$call, nlines = 5), collapse = "\n"),
        "\n", sep = "")
  if (!is.null(about$points))
    cat("Trained on ", about$points, " points with ", about$dimensions,
        " columns\n", sep = "")
  if (!isTRUE(about$regression) && !is.null(about$classes))
    cat("Classes: ", toString(about$classes, 60), "\n", sep = "")
  outputs <- c("predictions", "probabilities", "output_predictions",
               "staged_scores")
  outputs <- outputs[lengths(x[outputs]) > 0]
  if (length(outputs) > 0)
    cat("Results: ", paste0("$", outputs, collapse = ", "), "\n", sep = "")
  invisible(x)
}

summary.gbnn <- function(object, ...) {
  structure(list(fit = object, size = .Call(C_model_size,
                                            object$output_model$handle)),
            class = "summary.gbnn")
}

print.summary.gbnn <- function(x, ...) {
  print(x$fit)
  cat("Model: ", x$size, " bytes\n", sep = "")
  if (nzchar(x$fit$summary))
    cat("\nOn the test data:\n\n", x$fit$summary, "\n", sep = "")
  invisible(x)
}
