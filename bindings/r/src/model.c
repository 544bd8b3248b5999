/**
 * @file model.c
 *
 * A model is an external pointer whose tag is the model's class and whose
 * protected value is the model as bytes.  R saves both with the pointer, though
 * not the address, so the model is read from the bytes when it is next used.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "model.h"

#include <string.h>

static void free_model(SEXP handle)
{
  mlpack_binding_model_free(R_ExternalPtrAddr(handle));
  R_ClearExternalPtr(handle);
}

static void free_bytes(SEXP handle)
{
  mlpack_binding_bytes_free(R_ExternalPtrAddr(handle));
  R_ClearExternalPtr(handle);
}

/** Bytes of a model; an error of R if there are none. */
static SEXP model_bytes(const mlpack_binding_model* model)
{
  SEXP handle = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizer(handle, free_bytes);
  char* memory = NULL;
  size_t size = 0;
  if (mlpack_binding_model_save(model, MLPACK_BINDING_BINARY, &memory,
      &size) != 0)
    Rf_errorcall(R_NilValue, "%s", mlpack_binding_model_error());

  R_SetExternalPtrAddr(handle, memory);
  SEXP bytes = Rf_allocVector(RAWSXP, (R_xlen_t) size);
  if (size > 0)
    memcpy(RAW(bytes), memory, size);
  free_bytes(handle);
  UNPROTECT(1);
  return bytes;
}

SEXP model_place(void)
{
  SEXP place = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizer(place, free_model);
  UNPROTECT(1);
  return place;
}

SEXP model_wrap(SEXP place, mlpack_binding_model* model)
{
  if (!model)
    return R_NilValue;

  R_SetExternalPtrAddr(place, model);
  R_SetExternalPtrTag(place, Rf_install(mlpack_binding_model_type(model)));
  R_SetExternalPtrProtected(place, model_bytes(model));
  return place;
}

static mlpack_binding_model* load(const char* type, int format, SEXP bytes)
{
  mlpack_binding_model* model = NULL;
  if (mlpack_binding_model_load(type, format, (const char*) RAW(bytes),
      (size_t) XLENGTH(bytes), &model) != 0)
    Rf_errorcall(R_NilValue, "%s", mlpack_binding_model_error());
  return model;
}

mlpack_binding_model* model_address(SEXP handle)
{
  if (TYPEOF(handle) != EXTPTRSXP)
    Rf_errorcall(R_NilValue, "not a model");
  if (!R_ExternalPtrAddr(handle))
  {
    SEXP tag = R_ExternalPtrTag(handle);
    SEXP bytes = R_ExternalPtrProtected(handle);
    if (TYPEOF(tag) != SYMSXP || TYPEOF(bytes) != RAWSXP)
      Rf_errorcall(R_NilValue, "not a model");
    R_RegisterCFinalizer(handle, free_model);
    R_SetExternalPtrAddr(handle, load(CHAR(PRINTNAME(tag)),
        MLPACK_BINDING_BINARY, bytes));
  }
  return R_ExternalPtrAddr(handle);
}

SEXP model_write(SEXP handle, SEXP format, SEXP file)
{
  if (mlpack_binding_model_write(model_address(handle), Rf_asInteger(format),
      CHAR(STRING_ELT(file, 0))) != 0)
    Rf_errorcall(R_NilValue, "%s", mlpack_binding_model_error());
  return R_NilValue;
}

SEXP model_load(SEXP type, SEXP format, SEXP bytes)
{
  SEXP place = PROTECT(model_place());
  SEXP model = model_wrap(place, load(CHAR(STRING_ELT(type, 0)),
      Rf_asInteger(format), bytes));
  UNPROTECT(1);
  return model;
}

SEXP model_size(SEXP handle)
{
  model_address(handle);
  return Rf_ScalarReal((double) XLENGTH(R_ExternalPtrProtected(handle)));
}
