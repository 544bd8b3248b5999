# Predictions of new points.

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
    stop("'newdata' is missing; for the training data, fitted() has the ",
         "predictions", call. = FALSE)
  if (is.null(newdata))
    stop("'newdata' is NULL; it must be points", call. = FALSE)
  values <- arrange_points(list(input_model = model, newdata = newdata), about,
                           "newdata")
  values <- list(input_model = model, active_units = active_units,
                 test = values$newdata,
                 test_column_names = values$newdata_column_names)
  values <- values[!vapply(values, is.null, NA)]
  results <- label_results(run_binding("gbnn", values), about)
  regression <- isTRUE(results$about$regression)
  if (regression && type != "response")
    stop("type = \"", type, "\" is for classification, but the model is for ",
         "regression", call. = FALSE)
  if (type == "prob")
    return(results$probabilities)
  if (regression)
    one_or_matrix(results$output_predictions)
  else
    results$predictions
}
