# Models: objects of C++ that can be saved; the same for every binding.

# A handle as an object.  The handle carries the model as bytes as well, so that
# saveRDS() keeps it; a handle that comes from a file is made a model again when
# it is first used.
new_model <- function(handle, type) {
  structure(list(handle = handle), class = c(type, "mlpack_model"))
}

to_handle <- function(value, type, mismatch) {
  if (!inherits(value, type) || !inherits(value, "mlpack_model"))
    mismatch()
  value$handle
}

model_format <- function(file) {
  if (!is.character(file) || length(file) != 1 || is.na(file))
    stop("'file' must be the name of a file", call. = FALSE)
  format <- match(tolower(tools::file_ext(file)), c("bin", "json", "xml"))
  if (is.na(format))
    stop("cannot tell the format of '", file, "': the name must end in .bin, ",
         ".json or .xml", call. = FALSE)
  format - 1L
}

write_model <- function(model, file) {
  # What a binding's function returns holds a model, too.
  if (!inherits(model, "mlpack_model") && is.list(model))
    model <- model$output_model
  if (!inherits(model, "mlpack_model"))
    stop("'model' must be a model", call. = FALSE)
  format <- model_format(file)
  file <- path.expand(file)
  # An existing file is replaced only when the new one is complete.  An error
  # names the file.
  .Call(C_model_write, model$handle, format, enc2native(file))
  invisible(file)
}

read_model <- function(file, type = NULL) {
  types <- setdiff(unlist(lapply(as.list(bindings), `[[`, "model_type")), "")
  if (is.null(type))
    type <- default_model_type
  if (!(type %in% types))
    stop("'type' must be one of ", toString(types), call. = FALSE)
  format <- model_format(file)
  if (!file.exists(file) || dir.exists(file))
    stop("cannot read '", file, "'", call. = FALSE)
  bytes <- readBin(file, "raw", file.size(file))
  handle <- tryCatch(.Call(C_model_load, type, format, bytes),
                     error = function(e) {
    stop("'", file, "': ", conditionMessage(e), call. = FALSE)
  })
  new_model(handle, type)
}

print.mlpack_model <- function(x, ...) {
  cat("<", class(x)[1], " of ", .Call(C_model_size, x$handle), " bytes>\n",
      sep = "")
  invisible(x)
}
