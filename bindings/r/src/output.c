/**
 * @file output.c
 *
 * Results of a call as values of R.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "call.h"

#include <limits.h>
#include <string.h>

/** A vector or matrix for a result; points become rows. */
static SEXP allocate(SEXPTYPE type, int is_vector, int transposed, size_t rows,
                     size_t cols)
{
  if (is_vector)
    return Rf_allocVector(type, (R_xlen_t) (rows * cols));
  return transposed ? Rf_allocMatrix(type, (int) cols, (int) rows) :
      Rf_allocMatrix(type, (int) rows, (int) cols);
}

/** Where element i of column j of a result goes. */
static size_t target(size_t i, size_t j, size_t rows, size_t cols,
                     int transposed)
{
  return transposed ? i * cols + j : j * rows + i;
}

static SEXP get_matrix(mlpack_binding_call* call, const char* name,
                       int is_vector, int transposed)
{
  const double* values = NULL;
  size_t rows = 0, cols = 0;
  mlpack_binding_get_matrix(call, name, &values, &rows, &cols);
  SEXP result = allocate(REALSXP, is_vector, transposed, rows, cols);
  for (size_t j = 0; j < cols; ++j)
    for (size_t i = 0; i < rows; ++i)
      REAL(result)[target(i, j, rows, cols, transposed)] = values[j * rows + i];
  return result;
}

static SEXP get_umatrix(mlpack_binding_call* call, const char* name,
                        int is_vector, int transposed)
{
  const uint64_t* values = NULL;
  size_t rows = 0, cols = 0;
  mlpack_binding_get_umatrix(call, name, &values, &rows, &cols);
  int fits = 1;
  for (size_t i = 0; i < rows * cols; ++i)
    fits &= (values[i] <= INT_MAX);

  // R's integers have 32 bits; larger numbers become doubles.
  SEXP result = allocate(fits ? INTSXP : REALSXP, is_vector, transposed, rows,
      cols);
  for (size_t j = 0; j < cols; ++j)
  {
    for (size_t i = 0; i < rows; ++i)
    {
      const size_t to = target(i, j, rows, cols, transposed);
      if (fits)
        INTEGER(result)[to] = (int) values[j * rows + i];
      else
        REAL(result)[to] = (double) values[j * rows + i];
    }
  }
  return result;
}

static SEXP get_list(mlpack_binding_call* call, const char* name,
                     const char* kind)
{
  size_t n = 0;
  SEXP result;
  if (strcmp(kind, "ints") == 0)
  {
    const int64_t* values = NULL;
    mlpack_binding_get_ints(call, name, &values, &n);
    result = Rf_allocVector(INTSXP, (R_xlen_t) n);
    for (size_t i = 0; i < n; ++i)
      INTEGER(result)[i] = (int) values[i];
    return result;
  }
  if (strcmp(kind, "doubles") == 0)
  {
    const double* values = NULL;
    mlpack_binding_get_doubles(call, name, &values, &n);
    result = Rf_allocVector(REALSXP, (R_xlen_t) n);
    for (size_t i = 0; i < n; ++i)
      REAL(result)[i] = values[i];
    return result;
  }
  const char* const* values = NULL;
  mlpack_binding_get_strings(call, name, &values, &n);
  result = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t) n));
  for (size_t i = 0; i < n; ++i)
    SET_STRING_ELT(result, (R_xlen_t) i, Rf_mkCharCE(values[i], CE_UTF8));
  UNPROTECT(1);
  return result;
}

SEXP get_output(mlpack_binding_call* call, const char* name, const char* kind,
                int transposed)
{
  const int is_vector = strstr(kind, "row") || strstr(kind, "col");
  if (strcmp(kind, "flag") == 0)
  {
    int value = 0;
    mlpack_binding_get_flag(call, name, &value);
    return Rf_ScalarLogical(value);
  }
  if (strcmp(kind, "int") == 0)
  {
    int64_t value = 0;
    mlpack_binding_get_int(call, name, &value);
    return Rf_ScalarInteger((int) value);
  }
  if (strcmp(kind, "double") == 0)
  {
    double value = 0;
    mlpack_binding_get_double(call, name, &value);
    return Rf_ScalarReal(value);
  }
  if (strcmp(kind, "string") == 0)
  {
    const char* value = "";
    mlpack_binding_get_string(call, name, &value);
    return Rf_ScalarString(Rf_mkCharCE(value, CE_UTF8));
  }
  if (strcmp(kind, "model") == 0)
  {
    SEXP place = PROTECT(model_place());
    mlpack_binding_model* model = NULL;
    mlpack_binding_get_model(call, name, &model);
    SEXP wrapped = model_wrap(place, model);
    UNPROTECT(1);
    return wrapped;
  }
  if (strcmp(kind, "ints") == 0 || strcmp(kind, "doubles") == 0 ||
      strcmp(kind, "strings") == 0)
    return get_list(call, name, kind);
  return kind[0] == 'u' ? get_umatrix(call, name, is_vector, transposed) :
      get_matrix(call, name, is_vector, transposed);
}
