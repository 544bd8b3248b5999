/**
 * @file model.h
 *
 * Models as external pointers of R.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_R_MODEL_H
#define MLPACK_BINDINGS_R_MODEL_H

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

#include "mlpack/bindings/library/abi.h"

/** A place for a model, to be made before it: R may leave by a jump. */
SEXP model_place(void);

/** Put a model there and take it over; of NULL, R's NULL is returned. */
SEXP model_wrap(SEXP place, mlpack_binding_model* model);

/** The model of an external pointer, made again if it comes from a file. */
mlpack_binding_model* model_address(SEXP handle);

/* What R calls. */
SEXP model_write(SEXP handle, SEXP format, SEXP file);
SEXP model_load(SEXP type, SEXP format, SEXP bytes);
SEXP model_size(SEXP handle);

#endif
