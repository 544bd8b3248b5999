/**
 * @file call.h
 *
 * What input.c and output.c do for call.c.  The kinds of parameters are those
 * of bindings/README.md; transposed ones have points in columns.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_R_CALL_H
#define MLPACK_BINDINGS_R_CALL_H

#include "model.h"

/** Set one parameter; returns the status. */
int set_input(mlpack_binding_call* call, const char* name, const char* kind,
              int transposed, SEXP value);

/** Get one result. */
SEXP get_output(mlpack_binding_call* call, const char* name, const char* kind,
                int transposed);

#endif
