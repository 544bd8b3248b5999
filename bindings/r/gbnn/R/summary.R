# Printing and summarizing fits.

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
  chkDots(...)
  seen <- look_inside(object)
  structure(list(fit = object,
                 size = .Call(C_model_size, object$output_model$handle),
                 units = number_of_units(object, seen),
                 training = training_scores(object$about),
                 validation_loss = validation_loss(object),
                 importances = ordered_importances(object, seen),
                 measured_on = seen$measured_on),
            class = "summary.gbnn")
}

# A model from a file: all that can be told of it without data.
summary.GBNNModel <- function(object, ...) {
  summary(model_as_fit(object), ...)
}

model_as_fit <- function(model) {
  label_results(run_binding("gbnn", list(input_model = model)), list())
}

print.summary.gbnn <- function(x, digits = 4, ...) {
  print(x$fit)
  cat("Model: ", x$units, " hidden units, ", x$size, " bytes\n", sep = "")
  if (!is.null(x$training))
    cat("On the training data: ", paste(names(x$training), format(
      x$training, digits = digits, trim = TRUE), sep = " ", collapse = ", "),
      "\n", sep = "")
  if (!is.null(x$validation_loss))
    cat("Loss on the validation data while boosting: ", format(
      x$validation_loss, digits = digits), "\n", sep = "")
  if (!is.null(x$importances)) {
    cat("\nImportances, on the ", x$measured_on, ":\n\n", sep = "")
    print(signif(x$importances, digits))
  }
  if (length(x$fit$summary) > 0 && nzchar(x$fit$summary))
    cat("\nOn the test data:\n\n", x$fit$summary, "\n", sep = "")
  invisible(x)
}

# --- Looking inside -------------------------------------------------------

# Scores for each number of units and importances: those of the test data if
# they were made, else of the points that were kept of the training data.
look_inside <- function(object) {
  about <- object$about
  seen <- list(staged_scores = object$staged_scores, scored_on = "test data",
               importances = object$importances, measured_on =
                 if (length(object$staged_scores) > 0) "test data"
                 else "training data")
  has_all <- length(seen$staged_scores) > 0 && length(seen$importances) > 0
  if (has_all || is.null(about$sample))
    return(seen)
  values <- list(input_model = object$output_model, importance = TRUE,
                 test = about$sample$points)
  values$test_column_names <- about$input_names
  if (about$regression)
    values$test_responses <- about$sample$truth
  else
    values$test_labels <- class_words(about$sample$truth)
  results <- label_results(run_binding("gbnn", values), about)
  if (length(seen$staged_scores) == 0) {
    seen$staged_scores <- results$staged_scores
    seen$scored_on <- "training data"
  }
  if (length(seen$importances) == 0) {
    seen$importances <- results$importances
    seen$measured_on <- "training data"
  }
  seen
}

# Early stopping drops units; the losses tell of all that were made.
number_of_units <- function(object, seen) {
  if (length(seen$staged_scores) > 0)
    return(max(seen$staged_scores[, "units"]))
  losses <- object$training_losses
  last <- if (ncol(losses) > 2) which.min(losses[, "validation"])
    else nrow(losses)
  losses[[last, "units"]]
}

validation_loss <- function(object) {
  losses <- object$training_losses
  if (length(losses) > 0 && ncol(losses) > 2) min(losses[, "validation"])
}

# A data frame with the most important column first.
ordered_importances <- function(object, seen) {
  if (length(seen$importances) == 0)
    return(NULL)
  frame <- as.data.frame(seen$importances)
  if (is.null(object$about$columns))
    rownames(frame) <- paste("column", seq_len(nrow(frame)))
  frame[order(-frame$permutation), ]
}

# How well the model fits its training data, after all of its training.
training_scores <- function(about) {
  fitted <- about$fitted
  if (is.null(fitted))
    return(NULL)
  truth <- about$truth
  if (!about$regression) {
    classes <- colnames(fitted$prob)
    own <- fitted$prob[cbind(seq_len(about$points),
                             match(as.character(truth), classes))]
    return(c(accuracy = mean(as.character(fitted$class) ==
                               as.character(truth)),
             "log loss" = -mean(log(pmax(own, .Machine$double.xmin)))))
  }
  truth <- as.matrix(truth)
  if (identical(about$loss, "quantile")) {
    quantiles <- if (is.null(about$quantiles)) 0.5
      else as.numeric(strsplit(about$quantiles, ",")[[1]])
    error <- as.vector(truth) - as.matrix(fitted$response)
    quantiles <- rep(quantiles, each = nrow(error))
    return(c("pinball loss" = mean(pmax(quantiles * error,
                                        (quantiles - 1) * error))))
  }
  error <- truth - fitted$response
  total <- sum(sweep(truth, 2, colMeans(truth))^2)
  c("root mean squared error" = sqrt(mean(error^2)),
    "mean absolute error" = mean(abs(error)),
    "R squared" = 1 - sum(error^2) / total)
}
