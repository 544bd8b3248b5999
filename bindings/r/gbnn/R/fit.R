# What gbnn() understands beyond the binding: formulas, labels that are factors,
# columns known by their names, and fits in place of models.

# Train or predict, and keep with the result what only R knows of it.
fit_gbnn <- function(formula, data, values, call) {
  about <- list(call = call)
  if (inherits(values$input_model, "gbnn")) {
    about <- values$input_model$about
    about$call <- call
    # They are of all units.
    if (!is.null(values$active_units) || !is.null(values$latency))
      about$fitted <- NULL
    values$input_model <- values$input_model$output_model
  }
  if (!is.null(formula)) {
    frame <- formula_frame(formula, data, values)
    about$formula <- frame$formula
    about$terms <- frame$terms
    about$given <- names(data)
    # The response has told it.
    values$task <- NULL
    values <- c(frame$values, values)
  } else if (!is.null(data)) {
    stop("'data' goes with a formula; without one, give 'training'",
         call. = FALSE)
  }
  for (name in c("labels", "test_labels", "validation_labels"))
    values[[name]] <- drop_frame(values[[name]])
  values$training <- flat_frame(values$training)
  for (name in c("dependence", "quantiles", "tune_learning_rates",
                 "tune_subsamples"))
    values[[name]] <- number_text(values[[name]])

  inputs <- NULL
  values <- with_target_number(values)
  if (!is.null(values$training)) {
    learned <- learn_training(values, about)
    about <- learned$about
    inputs <- learned$inputs
    if (is.null(values$column_names))
      values$column_names <- learned$names
  }
  for (name in c("validation", "test"))
    values <- arrange_points(values, about, name)
  for (name in c("labels", "test_labels", "validation_labels"))
    values[[name]] <- class_words(values[[name]])
  values$class_weights <- class_weight_text(values$class_weights,
                                            about$classes)
  fit <- label_results(run_binding("gbnn", values), about)
  if (is.null(inputs)) fit else keep_training(fit, inputs)
}

# What is known of training data before it is used: its columns, its classes and
# the truth of its points.  `names` are those of its columns that count, and
# `inputs` its columns without the target.
learn_training <- function(values, about) {
  training <- values$training
  names <- if (!isTRUE(values$warm_start))
    true_names(colnames(training))
  else if (is.null(about$names))
    model_names("gbnn", values$input_model, colnames(training))
  else
    true_names(colnames(training), about$columns)
  place <- target_place(values)
  columns <- names
  about$points <- NROW(training)
  about$input_names <- if (is.null(values$column_names)) names
    else values$column_names
  about$target <- NULL
  about$names <- colnames(training)
  # Labels that are numbers may be a matrix with one row.
  about$truth <- if (is.matrix(values$labels)) as.vector(values$labels)
    else if (!is.null(values$labels)) values$labels
    else values$responses
  inputs <- training
  if (!is.null(place)) {
    columns <- names[-place]
    about$input_names <- about$input_names[-place]
    about$target <- names[place]
    about$names <- about$names[-place]
    about$truth <- if (is.data.frame(training)) training[[place]]
      else training[, place]
    inputs <- training[, -place, drop = FALSE]
  }
  about$dimensions <- NCOL(inputs)
  # A model that is trained further keeps the order of its columns.
  if (!isTRUE(values$warm_start) || !setequal(about$columns, columns))
    about$columns <- columns
  # The binding calls columns otherwise than the data then.
  about$renamed <- !is.null(values$column_names)
  about$loss <- values$loss
  about$quantiles <- values$quantiles
  # What a target is for, the binding decides.
  about$regression <- if (is.null(values$target)) !is.null(values$responses)
  about$responses <- colnames(values$responses)
  if (!isTRUE(values$warm_start) || is.null(about$classes))
    about$classes <- if (!isTRUE(about$regression)) class_names(about$truth)
  list(about = about, names = names, inputs = inputs)
}

# The data of a formula, as parameters of the binding.
formula_frame <- function(formula, data, values) {
  if (!inherits(formula, "formula"))
    stop("the first argument of gbnn() must be a formula; give data by name, ",
         "like training = ...", call. = FALSE)
  clash <- intersect(names(values), c("training", "labels", "responses"))
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
  check_task(values$task, response, stats::formula(terms)[[2]])
  values <- list(training = predictors(frame, terms))
  if (is_class(response))
    values$labels <- response
  else
    values$responses <- response
  list(values = values, formula = stats::formula(terms),
       terms = stats::delete.response(terms))
}

# Refuse a task that is not that of the response of a formula.
check_task <- function(task, response, side) {
  side <- paste(deparse(side), collapse = " ")
  if (is.null(task) || identical(task, if (is_class(response))
    "classification" else "regression"))
    return(invisible())
  if (is_class(response))
    stop("'task' is ", deparse(task), ", but the response ", side, " is of ",
         "class ", class(response)[1], ", which is for classification; for ",
         "regression, the left side of the formula must have numbers",
         call. = FALSE)
  advice <- if (NCOL(response) > 1) "give one factor as the response" else
    paste0("write factor(", side, ") on the left side of the formula")
  stop("'task' is ", deparse(task), ", but the response ", side, " has ",
       "numbers, which are for regression; for classification, ", advice,
       call. = FALSE)
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

# --- Columns by their names -----------------------------------------------

# Test or validation data with the columns of the training data, in their order,
# and with its labels or responses if it has them.
arrange_points <- function(values, about, name) {
  data <- values[[name]]
  if (is.null(data))
    return(values)
  truth <- NULL
  if (!is.null(about$terms)) {
    # Predictions of new data need no response.
    if (name != "newdata")
      truth <- known_response(data, about)
    data <- formula_columns(data, about, name)
  } else {
    data <- named_columns(flat_frame(data), about, name)
  }
  values[[name]] <- data
  if (!is.null(truth)) {
    kind <- paste0(name, if (is_class(truth)) "_labels" else "_responses")
    if (is.null(values[[kind]]))
      values[[kind]] <- complete_truth(truth, name)
  }
  names <- paste0(name, "_column_names")
  if (is.null(values[[names]]) && !isTRUE(about$renamed))
    values[[names]] <- if (is.null(about$names))
      model_names("gbnn", values$input_model, colnames(data))
      else true_names(colnames(data), about$columns)
  values
}

# The columns that a formula asks for.
formula_columns <- function(data, about, name) {
  data <- as.data.frame(data)
  # Not what happens to have the same name elsewhere.
  check_columns(names(data), intersect(all.vars(about$terms), about$given),
                name)
  if (!is.null(about$given))
    report_more(setdiff(names(data), about$given), name)
  frame <- stats::model.frame(about$terms, data, na.action = stats::na.pass)
  predictors(frame, about$terms)
}

# The response of a formula, if the data has it.
known_response <- function(data, about) {
  needed <- intersect(all.vars(about$formula[[2]]), about$given)
  if (length(needed) == 0 || !all(needed %in% colnames(data)))
    return(NULL)
  stats::model.response(stats::model.frame(
    stats::update(about$formula, . ~ 1), as.data.frame(data),
    na.action = stats::na.pass))
}

# The response of a formula, or nothing if all of it is missing.
complete_truth <- function(truth, name) {
  missing <- which(rowSums(as.matrix(is.na(truth))) > 0)
  if (length(missing) == 0)
    return(truth)
  if (!all(is.na(truth)))
    stop("the response of '", name, "' is missing in point ", missing[1],
         if (length(missing) > 1) paste(" and", length(missing) - 1, "more"),
         "; leave these points out!", call. = FALSE)
}

# The columns that the training data had; and the target, if it is there and
# scores are made with it.
named_columns <- function(data, about, name) {
  names <- true_names(colnames(data), about$columns)
  # R's own names, of which the model knows nothing, in another order or with
  # others among them.
  if (!is.null(names) && is.null(about$columns) && !is.null(about$names) &&
      all(about$names %in% names))
    return(data[, about$names, drop = FALSE])
  if (is.null(names) || is.null(about$columns) ||
      identical(names, about$columns))
    return(data)
  check_columns(names, about$columns, name)
  kept <- about$columns
  report_more(setdiff(names, c(kept, about$target)), name)
  if (!isTRUE(about$renamed) && name != "newdata")
    kept <- c(kept, intersect(about$target, names))
  data[, kept, drop = FALSE]
}

check_columns <- function(names, needed, name) {
  lost <- setdiff(needed, names)
  if (length(lost) > 0)
    stop("'", name, "' has no column '", lost[1], "', which the training data ",
         "has; it has ", toString(paste0("'", names, "'"), 200), call. = FALSE)
  twice <- intersect(names[duplicated(names)], needed)
  if (length(twice) > 0)
    stop("'", name, "' has two columns '", twice[1], "'; names of columns must ",
         "be distinct", call. = FALSE)
}

report_more <- function(names, name) {
  if (length(names) > 0)
    warning("Columns of '", name, "' that the training data does not have are ",
            "ignored: ", toString(paste0("'", names, "'"), 200), call. = FALSE)
}

# Numbers as the binding takes lists of them, and columns that are called by
# their numbers.
number_text <- function(values) {
  if (!is.numeric(values) && !(is.character(values) && length(values) > 1))
    return(values)
  if (is.numeric(values))
    values <- vapply(values, format, "", digits = 15, scientific = FALSE)
  paste(values, collapse = ",")
}

# --- Classes --------------------------------------------------------------

is_class <- function(labels) {
  is.factor(labels) || is.character(labels) || is.logical(labels)
}

# A data frame with one column is that column.
drop_frame <- function(labels) {
  if (is.data.frame(labels) && ncol(labels) == 1) labels[[1]] else labels
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
  # A label that could be misread is put in double quotes.
  quoted <- grepl(",", names, fixed = TRUE) | startsWith(names, "\"")
  names[quoted] <- paste0("\"", gsub("\"", "\"\"", names[quoted]), "\"")
  paste(names, format(weights, digits = 17, trim = TRUE), sep = ":",
        collapse = ",")
}

# Predicted labels as users know them.
class_values <- function(codes, classes) {
  if (is.character(classes))
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
  # Without points there are predictions, too: columns with no rows.
  classified <- ncol(results$probabilities) > 0
  if (length(words) > 0 && classified)
    results$probabilities <- results$probabilities[
      , match(about$classes, words), drop = FALSE]
  if (classified)
    results$predictions <- class_values(results$predictions, about$classes)
  if (classified && length(about$classes) == ncol(results$probabilities))
    colnames(results$probabilities) <- as.character(about$classes)
  if (ncol(results$output_predictions) > 0 &&
      length(about$responses) == ncol(results$output_predictions))
    colnames(results$output_predictions) <- about$responses
  if (length(results$staged_scores) > 0)
    colnames(results$staged_scores) <- c("units", "score")
  if (length(results$training_losses) > 0)
    colnames(results$training_losses) <- c("units", "training", "validation")[
      seq_len(ncol(results$training_losses))]
  if (length(results$importances) > 0)
    dimnames(results$importances) <- list(about$columns, c(
      "permutation", "deviation", "gradient"))
  if (length(results$tuning_scores) > 0)
    colnames(results$tuning_scores) <- c("units_per_stage", "learning_rate",
                                         "subsample", "units", "score",
                                         "standard_error", "best")
  # What a model from a file is for shows when it predicts.
  if (is.null(about$regression) && classified)
    about$regression <- FALSE
  if (is.null(about$regression) && ncol(results$output_predictions) > 0)
    about$regression <- TRUE
  structure(c(results, list(about = about)), class = "gbnn")
}
