# Calls the compiled bindings; the same for every binding.  The functions, and
# the table of parameters that each registers, are generated.

# The parameters of each binding.
bindings <- new.env()

# One row of the table of parameters: its name in the binding file and here, its
# kind (see bindings/README.md), and its type in words.
parameter <- function(name, spelling, kind, input, transposed, model_type,
                      type) {
  data.frame(name = name, spelling = spelling, kind = kind, input = input,
             transposed = transposed, model_type = model_type, type = type,
             stringsAsFactors = FALSE)
}

# What a call of the binding's function has given, as a named list.  Arguments
# that are NULL count as not given.
given <- function(call, frame, skip = NULL) {
  named <- as.character(setdiff(names(call), c("", "...", skip)))
  values <- c(mget(named, envir = frame), eval(quote(list(...)), frame))
  values[!vapply(values, is.null, NA)]
}

# Refuse names that are no input, with the nearest that is one.
check_names <- function(binding, names) {
  parameters <- bindings[[binding]]
  known <- parameters[parameters$input, ]
  if (is.null(names) || any(names == ""))
    stop(binding, "() takes its parameters by name, like ",
         known$spelling[1], " = ...", call. = FALSE)
  for (name in setdiff(names, c(known$spelling, known$name))) {
    text <- .Call(C_check_name, binding, enc2utf8(name))
    if (nzchar(text))
      stop(binding, "(): ", text, call. = FALSE)
  }
  twice <- names[duplicated(names)]
  if (length(twice) > 0)
    stop(binding, "(): '", twice[1], "' is given twice", call. = FALSE)
}

# Names of columns that count.  V1, V2, ... do not, since R gives them to
# columns that have none; unless all names that are known are among them.
true_names <- function(names, known = NULL) {
  own <- identical(names, paste0("V", seq_along(names)))
  if (!own || (length(known) > 0 && all(known %in% names))) names
}

# The same for data of a model from a file.  Only the binding knows its names,
# so it is asked with no points: names that are not the model's are an error.
model_names <- function(binding, model, names) {
  if (is.null(model) || !is.null(true_names(names)))
    return(true_names(names))
  fit <- function(names) tryCatch({
    suppressWarnings(run_binding(binding, list(
      input_model = model, test = matrix(0, 0, length(names)),
      test_column_names = names)))
    TRUE
  }, error = function(e) FALSE)
  # Any names fit a model that has none.
  if (fit(names) && !fit(paste0(names, "?"))) names
}

# Values with the number of the target, if only R calls it V1, V2, ...
with_target_number <- function(values) {
  names <- colnames(values$training)
  if (length(values$target) == 1 && is.null(true_names(names)) &&
      values$target %in% names)
    values$target <- as.character(match(values$target, names))
  values
}

# The place of the column of the training data that is predicted, as the binding
# finds it: what `target` names, or the last if there are no labels.
target_place <- function(values) {
  last <- NCOL(values$training)
  if (!is.null(values$labels) || !is.null(values$responses) || last < 2)
    return(NULL)
  if (is.null(values$target))
    return(last)
  place <- match(values$target, colnames(values$training))
  if (is.na(place))
    place <- match(values$target, as.character(seq_len(last)))
  # The binding tells of one that is not there.
  if (!is.na(place)) place
}

# Values with the names of the data's columns, if the binding asks for them.
with_column_names <- function(binding, values) {
  for (name in intersect(names(values), c("training", "validation", "test")))
    values[[name]] <- flat_frame(values[[name]])
  values <- with_target_number(values)
  known <- setdiff(true_names(colnames(values$training)),
                   colnames(values$training)[target_place(values)])
  parameters <- bindings[[binding]]
  for (name in intersect(names(values), parameters$name[
       parameters$kind == "matrix_info"])) {
    asked <- if (name == "training") "column_names" else
      paste0(name, "_column_names")
    if (asked %in% parameters$name && is.null(values[[asked]]))
      values[[asked]] <- if (is.null(values$training))
        model_names(binding, values$input_model, colnames(values[[name]]))
        else true_names(colnames(values[[name]]), known)
  }
  values
}

# Run a binding with a named list of parameters; returns the list of its
# results.
run_binding <- function(binding, values) {
  if (length(values) > 0)
    check_names(binding, names(values))
  parameters <- bindings[[binding]]
  inputs <- parameters[parameters$input, ]
  row <- match(names(values), inputs$spelling)
  row[is.na(row)] <- match(names(values)[is.na(row)], inputs$name)
  inputs <- inputs[row, ]
  # A column can be called by its number.
  if (is.numeric(values$target) && length(values$target) == 1)
    values$target <- as.character(values$target)
  for (i in seq_along(values))
    values[[i]] <- convert(values[[i]], inputs[i, ])

  outputs <- parameters[!parameters$input, ]
  answer <- .Call(C_run, binding, inputs$name, inputs$kind, inputs$transposed,
                  unname(values), outputs$name, outputs$kind,
                  outputs$transposed)
  for (text in answer$warnings)
    warning(text, call. = FALSE)
  if (answer$status != 0)
    fail(answer)
  results <- answer$results
  names(results) <- outputs$name
  # Labels that are words: the binding says which place of which list.
  if (length(results$label_names) > 0 && length(results$predictions) > 0)
    results$predictions <- results$label_names[results$predictions + 1]
  for (i in which(outputs$kind == "model")) {
    if (!is.null(results[[i]]))
      results[[i]] <- new_model(results[[i]], outputs$model_type[i])
  }
  results
}

# Turn the status of a call into a condition.
fail <- function(answer) {
  if (answer$status == interrupted) {
    signalCondition(structure(class = c("interrupt", "condition"),
                              list(message = answer$error, call = NULL)))
    invokeRestart("abort")
  }
  stop(answer$error, call. = FALSE)
}

# MLPACK_BINDING_INTERRUPTED of abi.h.
interrupted <- 5L
