/**
 * @file input.c
 *
 * Values of R to parameters of a call.  The values are of the right types
 * already: R/convert.R sees to that.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "call.h"

#include <string.h>

static size_t rows_of(SEXP value)
{
  SEXP dim = Rf_getAttrib(value, R_DimSymbol);
  return Rf_length(dim) == 2 ? (size_t) INTEGER(dim)[0] : 1;
}

static size_t cols_of(SEXP value)
{
  SEXP dim = Rf_getAttrib(value, R_DimSymbol);
  return Rf_length(dim) == 2 ? (size_t) INTEGER(dim)[1] :
      (size_t) XLENGTH(value);
}

static const char** strings_of(SEXP value)
{
  const R_xlen_t n = XLENGTH(value);
  const char** strings = (const char**) R_alloc((size_t) n + 1, sizeof(char*));
  for (R_xlen_t i = 0; i < n; ++i)
    strings[i] = CHAR(STRING_ELT(value, i));
  return strings;
}

/** Whole numbers of any size as the interface wants them. */
static int64_t to_int64(double x)
{
  const double limit = 9007199254740992.0;
  return (int64_t) (x > limit ? limit : x < -limit ? -limit : x);
}

static int64_t* int64s_of(SEXP value)
{
  const size_t n = (size_t) XLENGTH(value);
  int64_t* numbers = (int64_t*) R_alloc(n + 1, sizeof(int64_t));
  for (size_t i = 0; i < n; ++i)
  {
    numbers[i] = TYPEOF(value) == INTSXP ? INTEGER(value)[i] :
        to_int64(REAL(value)[i]);
  }
  return numbers;
}

int set_input(mlpack_binding_call* call, const char* name, const char* kind,
              int transposed, SEXP value)
{
  // Points in rows lie column by column in R: the transpose of what a
  // transposed parameter takes.
  const int flags = transposed ? MLPACK_BINDING_TRANSPOSE :
      MLPACK_BINDING_BORROW;

  if (strcmp(kind, "flag") == 0)
    return mlpack_binding_set_flag(call, name, Rf_asLogical(value));
  if (strcmp(kind, "int") == 0)
    return mlpack_binding_set_int(call, name, to_int64(Rf_asReal(value)));
  if (strcmp(kind, "double") == 0)
    return mlpack_binding_set_double(call, name, Rf_asReal(value));
  if (strcmp(kind, "string") == 0)
    return mlpack_binding_set_string(call, name, CHAR(STRING_ELT(value, 0)));
  if (strcmp(kind, "ints") == 0)
  {
    return mlpack_binding_set_ints(call, name, int64s_of(value),
        (size_t) XLENGTH(value));
  }
  if (strcmp(kind, "doubles") == 0)
  {
    return mlpack_binding_set_doubles(call, name, REAL(value),
        (size_t) XLENGTH(value));
  }
  if (strcmp(kind, "strings") == 0)
  {
    return mlpack_binding_set_strings(call, name, strings_of(value),
        (size_t) XLENGTH(value));
  }
  if (strcmp(kind, "model") == 0)
    return mlpack_binding_set_model(call, name, model_address(value));
  if (kind[0] == 'u')
  {
    // int64_t holds every whole number that a double of R can.
    return mlpack_binding_set_umatrix(call, name,
        (const uint64_t*) int64s_of(value), rows_of(value), cols_of(value),
        flags & MLPACK_BINDING_TRANSPOSE);
  }
  if (TYPEOF(value) == VECSXP)
  {
    SEXP matrix = VECTOR_ELT(value, 0);
    return mlpack_binding_set_matrix_info(call, name, REAL(matrix),
        rows_of(matrix), cols_of(matrix), flags,
        int64s_of(VECTOR_ELT(value, 1)), strings_of(VECTOR_ELT(value, 2)));
  }
  return mlpack_binding_set_matrix(call, name, REAL(value), rows_of(value),
      cols_of(value), flags);
}
