# What gbnn() understands beyond the binding: formulas, labels that are factors,
# and fits in place of models.

# Train or predict, and keep with the result what only R knows of it.
fit_gbnn <- function(formula, data, values, call) {
  about <- list(call = call)
  if (inherits(values$input_model, "gbnn")) {
    about <- values$input_model$about
    about$call <- call
    values$input_model <- values$input_model$output_model
  }
  if (!is.null(formula)) {
    frame <- formula_frame(formula, data, names(values))
    about$terms <- frame$terms
    values <- c(frame$values, values)
  } else if (!is.null(data)) {
    stop("'data' goes with a formula; without one, give 'training'",
         call. = FALSE)
  }

  for (name in c("labels", "test_labels"))
    values[[name]] <- drop_frame(values[[name]])
  if (!is.null(values$training)) {
    if (is.null(values$target))
      values <- split_labels(values)
    about$points <- NROW(values$training)
    about$columns <- colnames(values$training)
    about$dimensions <- NCOL(values$training)
    if (is.null(values$column_names))
      values$column_names <- true_names(about$columns)
    # What a target is for, the binding decides.
    if (is.null(values$target))
      about$regression <- !is.null(values$responses)
    else
      about$columns <- NULL
    about$responses <- colnames(values$responses)
    if (!isTRUE(values$warm_start) || is.null(about$classes))
      about$classes <- class_names(values$labels)
  }
  values$labels <- class_words(values$labels)
  values$test_labels <- class_words(values$test_labels)
  values$class_weights <- class_weight_text(values$class_weights,
                                            about$classes)
  # Not values$test, which would be content with test_labels.
  if (!is.null(values[["test"]])) {
    values[["test"]] <- test_frame(values[["test"]], about)
    if (is.null(values$test_column_names))
      values$test_column_names <- true_names(colnames(values[["test"]]))
  }
  label_results(run_binding("gbnn", values), about)
}

# Names of columns; V1, V2, ... are none: R gives them to columns that have
# none.
true_names <- function(names) {
  if (!identical(names, paste0("V", seq_along(names)))) names
}

# The data of a formula, as parameters of the binding.
formula_frame <- function(formula, data, given) {
  if (!inherits(formula, "formula"))
    stop("the first argument of gbnn() must be a formula; give data by name, ",
         "like training = ...", call. = FALSE)
  clash <- intersect(given, c("training", "labels", "responses"))
  if (length(clash) > 0)
    stop("a formula goes with 'data', not with '", clash[1], "'",
         call. = FALSE)

  frame <- stats::model.frame(formula, data, na.action = stats::na.pass)
  terms <- stats::terms(frame)
  response <- stats::model.response(frame)
  if (is.null(response))
    stop("the formula needs a response on its left side", call. = FALSE)
  if (anyNA(response))
    stop("the response must not have missing values", call. = FALSE)
  values <- list(training = predictors(frame, terms))
  if (is_class(response))
    values$labels <- response
  else
    values$responses <- response
  list(values = values, terms = stats::delete.response(terms))
}

# The columns that the right side of a formula asks for.
predictors <- function(frame, terms) {
  if (any(attr(terms, "order") > 1) || !is.null(attr(terms, "offset")))
    stop("the formula must not have interactions or offsets; hidden units ",
         "find interactions themselves", call. = FALSE)
  if (length(attr(terms, "term.labels")) == 0)
    stop("the formula needs a column on its right side", call. = FALSE)
  # A column that was subtracted (y ~ . - x) is in the frame, but in no term.
  used <- which(rowSums(attr(terms, "factors")) > 0)
  do.call(data.frame, c(as.list(frame)[used], check.names = FALSE,
                        stringsAsFactors = FALSE))
}

# New data with the columns of the training data, in their order.
test_frame <- function(data, about) {
  if (!is.null(about$terms)) {
    data <- stats::model.frame(about$terms, as.data.frame(data),
                               na.action = stats::na.pass)
    return(predictors(data, about$terms))
  }
  if (is.data.frame(data) && !is.null(about$columns)) {
    lost <- setdiff(about$columns, names(data))
    if (length(lost) > 0)
      stop("the data has no column '", lost[1], "', which the training data ",
           "had", call. = FALSE)
    data <- data[about$columns]
  }
  data
}

# --- Classes --------------------------------------------------------------

is_class <- function(labels) {
  is.factor(labels) || is.character(labels) || is.logical(labels)
}

# A data frame with one column is that column.
drop_frame <- function(labels) {
  if (is.data.frame(labels) && ncol(labels) == 1) labels[[1]] else labels
}

# Without labels and responses the last column of the training data is the
# label, as the binding has it; here it may be a factor.
split_labels <- function(values) {
  last <- NCOL(values$training)
  if (!is.null(values$labels) || !is.null(values$responses) || last < 2)
    return(values)
  values$labels <- if (is.data.frame(values$training))
    values$training[[last]]
  else
    values$training[, last]
  values$training <- values$training[, -last, drop = FALSE]
  values
}

# The classes in the order of the columns of probabilities: levels that occur,
# or numbers.
class_names <- function(labels) {
  if (is_class(labels))
    levels(droplevels(as.factor(labels)))
  else if (is.numeric(labels))
    sort(unique(as.vector(labels)))
}

# Labels as the binding takes them: words or numbers.
class_words <- function(labels) {
  if (is.null(labels) || !is_class(labels)) labels else as.character(labels)
}

# Weights of classes, which may be numbers with the names of classes, as the
# binding takes them.
class_weight_text <- function(weights, classes) {
  if (!is.numeric(weights))
    return(weights)
  names <- names(weights)
  if (is.character(classes))
    names[!(names %in% classes)] <- NA
  if (length(names) == 0 || anyNA(names))
    stop("'class_weights' must be \"balanced\", or numbers with the names of ",
         "classes (", paste(classes, collapse = ", "), ")", call. = FALSE)
  paste(names, format(weights, digits = 17, trim = TRUE), sep = ":",
        collapse = ",")
}

# Predicted labels as users know them.
class_values <- function(codes, classes) {
  if (is.character(codes))
    return(factor(codes, levels = classes))
  if (is.integer(classes) || all(abs(codes) <= .Machine$integer.max))
    return(as.integer(codes))
  codes
}

# Name what the binding returned, and make it an object of class gbnn.
label_results <- function(results, about) {
  # A model from a file brings its words; R's own order of levels goes first.
  words <- results$label_names
  if (length(words) > 0 && !setequal(words, about$classes))
    about$classes <- words
  if (length(words) > 0 && length(results$probabilities) > 0)
    results$probabilities <- results$probabilities[
      , match(about$classes, words), drop = FALSE]
  if (length(results$predictions) > 0)
    results$predictions <- class_values(results$predictions, about$classes)
  if (length(results$probabilities) > 0 &&
      length(about$classes) == ncol(results$probabilities))
    colnames(results$probabilities) <- as.character(about$classes)
  if (length(results$output_predictions) > 0 &&
      length(about$responses) == ncol(results$output_predictions))
    colnames(results$output_predictions) <- about$responses
  if (length(results$staged_scores) > 0)
    colnames(results$staged_scores) <- c("units", "score")
  if (length(results$tuning_scores) > 0)
    colnames(results$tuning_scores) <- c("units_per_stage", "learning_rate",
                                         "subsample", "units", "score",
                                         "standard_error", "best")
  # What a model from a file is for shows when it predicts.
  if (is.null(about$regression) && length(results$predictions) > 0)
    about$regression <- FALSE
  if (is.null(about$regression) && length(results$output_predictions) > 0)
    about$regression <- TRUE
  structure(c(results, list(about = about)), class = "gbnn")
}
