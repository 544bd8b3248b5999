# Calls the compiled binding; the same for every binding.  The table
# `binding_parameters` is generated.

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
check_names <- function(names) {
  known <- binding_parameters[binding_parameters$input, ]
  if (is.null(names) || any(names == ""))
    stop(binding_name, "() takes its parameters by name, like ",
         known$spelling[1], " = ...", call. = FALSE)
  for (name in setdiff(names, c(known$spelling, known$name))) {
    text <- .Call(C_check_name, enc2utf8(name))
    if (nzchar(text))
      stop(binding_name, "(): ", text, call. = FALSE)
  }
  twice <- names[duplicated(names)]
  if (length(twice) > 0)
    stop(binding_name, "(): '", twice[1], "' is given twice", call. = FALSE)
}

# Run the binding with a named list of parameters; returns the list of its
# results.
run_binding <- function(values) {
  if (length(values) > 0)
    check_names(names(values))
  inputs <- binding_parameters[binding_parameters$input, ]
  row <- match(names(values), inputs$spelling)
  row[is.na(row)] <- match(names(values)[is.na(row)], inputs$name)
  inputs <- inputs[row, ]
  for (i in seq_along(values))
    values[[i]] <- convert(values[[i]], inputs[i, ])

  outputs <- binding_parameters[!binding_parameters$input, ]
  answer <- .Call(C_run, inputs$name, inputs$kind, inputs$transposed,
                  unname(values), outputs$name, outputs$kind,
                  outputs$transposed)
  for (text in answer$warnings)
    warning(text, call. = FALSE)
  if (answer$status != 0)
    fail(answer)
  results <- answer$results
  names(results) <- outputs$name
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
