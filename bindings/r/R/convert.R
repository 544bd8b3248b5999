# R values to what the compiled code takes; the same for every binding.

# A value as its parameter wants it, or an error that names the parameter.
convert <- function(value, parameter) {
  mismatch <- function(reason = paste("not", class(value)[1])) {
    stop("Parameter '", parameter$spelling, "' must be of type ",
         parameter$type, "; ", reason, "!", call. = FALSE)
  }
  refuse <- function(...) {
    stop("Parameter '", parameter$spelling, "' ", ..., "!", call. = FALSE)
  }
  switch(parameter$kind,
    flag = to_flag(value, mismatch),
    int = to_whole(to_one(value, mismatch), mismatch),
    double = to_number(to_one(value, mismatch), mismatch),
    string = to_strings(to_one(value, mismatch), mismatch),
    ints = to_whole(value, mismatch),
    doubles = to_number(value, mismatch),
    strings = to_strings(value, mismatch),
    row = , col = to_vector(to_array(value, mismatch, refuse), refuse),
    urow = , ucol = to_unsigned(
      to_vector(to_array(value, mismatch, refuse), refuse), refuse),
    matrix = to_matrix(to_array(value, mismatch, refuse), refuse),
    umatrix = to_unsigned(
      to_matrix(to_array(value, mismatch, refuse), refuse), refuse),
    matrix_info = to_matrix_info(value, mismatch, refuse),
    model = to_handle(value, parameter$model_type, mismatch))
}

# --- Plain values ---------------------------------------------------------

to_one <- function(value, mismatch) {
  if (!is.atomic(value))
    mismatch()
  if (length(value) != 1)
    mismatch(paste("not", length(value), "values"))
  value
}

to_flag <- function(value, mismatch) {
  value <- to_one(value, mismatch)
  if (!is.logical(value))
    mismatch()
  if (is.na(value))
    mismatch("not NA")
  value
}

to_number <- function(value, mismatch) {
  # A factor counts as no number, nor does a date.
  if (!is.numeric(value))
    mismatch()
  as.double(value)
}

to_whole <- function(value, mismatch) {
  value <- to_number(value, mismatch)
  for (x in value) {
    if (is.na(x) || x != round(x))
      mismatch(paste("not", format(x)))
  }
  value
}

to_strings <- function(value, mismatch) {
  if (is.factor(value))
    value <- as.character(value)
  if (!is.character(value))
    mismatch()
  if (anyNA(value))
    mismatch("not NA")
  enc2utf8(value)
}

# --- Matrices -------------------------------------------------------------

# Numbers with at most two dimensions.
to_array <- function(value, mismatch, refuse) {
  if (is.data.frame(value)) {
    numeric <- vapply(value, function(x) is.numeric(x) || is.logical(x), NA)
    if (!all(numeric))
      refuse("must hold numbers, but its column '",
             names(value)[!numeric][1], "' holds none")
    value <- as.matrix(value)
  }
  if (is.character(value) || is.factor(value))
    refuse("must hold numbers")
  if (!is.numeric(value) && !is.logical(value))
    mismatch()
  if (length(dim(value)) > 2)
    refuse("must have two dimensions, but has ", length(dim(value)))
  # No copy of what is numbers already.
  if (!is.double(value))
    storage.mode(value) <- "double"
  value
}

to_vector <- function(value, refuse) {
  if (length(dim(value)) == 2 && !(1 %in% dim(value)) && length(value) > 0)
    refuse("must have one dimension, but is ", nrow(value), " x ",
           ncol(value))
  value
}

# A vector is a list of points with one dimension.
to_matrix <- function(value, refuse) {
  if (length(dim(value)) != 2)
    dim(value) <- c(length(value), 1L)
  value
}

to_unsigned <- function(value, refuse) {
  if (!all(is.finite(value)) || any(value != round(value)))
    refuse("must hold whole numbers")
  if (any(value < 0))
    refuse("must not hold negative numbers")
  value
}

# A column as numbers and, if it has any, the names of its categories.
to_column <- function(column, name, refuse) {
  # A plain NA is logical; nothing but NA says nothing about categories.
  if (is.logical(column) && all(is.na(column)))
    column <- as.double(column)
  # The level NA of addNA() is a missing value.
  if (is.factor(column) && anyNA(levels(column)))
    column <- factor(column, levels(column)[!is.na(levels(column))])
  if (is.factor(column))
    return(list(as.double(unclass(column)) - 1, levels(column)))
  if (is.character(column) || is.logical(column)) {
    column <- as.character(column)
    names <- unique(column[!is.na(column)])
    return(list(match(column, names) - 1, names))
  }
  if (!is.numeric(column))
    refuse("has the column '", name, "' of class ", class(column)[1],
           "; columns must hold numbers, factors, strings or logicals")
  list(as.double(column), NULL)
}

# A data frame whose columns that are matrices, like those of poly(), are taken
# apart.
flat_frame <- function(value) {
  width <- if (is.data.frame(value)) vapply(value, NCOL, 0L)
  if (all(width == 1))
    return(value)
  columns <- as.list(value)
  columns[width == 1] <- lapply(columns[width == 1], drop)
  do.call(data.frame, c(columns, check.names = FALSE, stringsAsFactors = FALSE))
}

# A matrix of numbers, or a list of one with the categories of its columns.
to_matrix_info <- function(value, mismatch, refuse) {
  if (!is.data.frame(value)) {
    if (is.numeric(value) && !is.factor(value))
      return(to_matrix(to_array(value, mismatch, refuse), refuse))
    if (!is.atomic(value) || length(dim(value)) > 2)
      return(to_matrix(to_array(value, mismatch, refuse), refuse))
    # Strings or logicals: every column has categories.
    value <- if (length(dim(value)) == 2)
      as.data.frame(value, stringsAsFactors = FALSE)
    else
      data.frame(value, stringsAsFactors = FALSE)
  }
  value <- flat_frame(value)
  columns <- Map(to_column, value, names(value), MoreArgs = list(refuse))
  matrix <- matrix(as.double(unlist(lapply(columns, `[[`, 1),
                                    use.names = FALSE)),
                   nrow(value), ncol(value))
  names <- unname(lapply(columns, `[[`, 2))
  if (all(vapply(names, is.null, NA)))
    return(matrix)
  counts <- ifelse(vapply(names, is.null, NA), -1L, lengths(names))
  list(matrix, as.integer(counts), enc2utf8(as.character(unlist(names))))
}
