/**
 * @file call.h
 *
 * What input.c and output.c do for call.c.  The kinds of parameters are those
 * of bindings/README.md; transposed ones have points in columns.
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
