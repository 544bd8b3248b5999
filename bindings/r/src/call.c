/**
 * @file call.c
 *
 * One call of a binding from R.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "call.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#include <stdlib.h>
#include <string.h>

/* --- The call object ------------------------------------------------------ */

/** R may leave any function by a jump: the garbage collector frees the call. */
static void free_call(SEXP handle)
{
  mlpack_binding_call_free(R_ExternalPtrAddr(handle));
  R_ClearExternalPtr(handle);
}

static SEXP new_call(SEXP binding)
{
  SEXP handle = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizer(handle, free_call);
  mlpack_binding_call* call = mlpack_binding_call_new(
      CHAR(STRING_ELT(binding, 0)), "r");
  if (!call)
    Rf_errorcall(R_NilValue, "%s", mlpack_binding_model_error());
  R_SetExternalPtrAddr(handle, call);
  UNPROTECT(1);
  return handle;
}

static SEXP utf8_string(const char* text)
{
  return Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8));
}

/** "" if the name is an input, else what is wrong with it. */
static SEXP check_name(SEXP binding, SEXP name)
{
  SEXP handle = PROTECT(new_call(binding));
  mlpack_binding_call* call = R_ExternalPtrAddr(handle);
  mlpack_binding_check_name(call, CHAR(STRING_ELT(name, 0)));
  SEXP text = PROTECT(utf8_string(mlpack_binding_call_error(call)));
  free_call(handle);
  UNPROTECT(2);
  return text;
}

/* --- The run -------------------------------------------------------------- */

/** Warnings of a run, each ending with a zero byte.  The text has an external
    pointer of R, which frees it. */
struct messages
{
  SEXP text;
  size_t size, count;
};

static void free_text(SEXP handle)
{
  free(R_ExternalPtrAddr(handle));
  R_ClearExternalPtr(handle);
}

static void add_message(struct messages* messages, const char* line)
{
  const size_t length = strlen(line) + 1;
  char* text = realloc(R_ExternalPtrAddr(messages->text),
      messages->size + length);
  if (!text)
    return;
  R_SetExternalPtrAddr(messages->text, text);
  memcpy(text + messages->size, line, length);
  messages->size += length;
  ++messages->count;
}

static void print_line(void* line)
{
  Rprintf("[INFO ] %s\n", (const char*) line);
}

/** R may leave its functions by a jump, which must not cross those of C++. */
static void on_log(void* user, int level, const char* line)
{
  if (level == MLPACK_BINDING_WARN)
    add_message(user, line);
  else
    R_ToplevelExec(print_line, (void*) line);
}

static void check_interrupt(void* unused)
{
  (void) unused;
  R_CheckUserInterrupt();
}

static int on_poll(void* user)
{
  (void) user;
  return R_ToplevelExec(check_interrupt, NULL) ? 0 : 1;
}

static SEXP message_strings(const struct messages* messages)
{
  SEXP result = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t) messages->count));
  const char* text = R_ExternalPtrAddr(messages->text);
  for (size_t i = 0; i < messages->count; ++i, text += strlen(text) + 1)
    SET_STRING_ELT(result, (R_xlen_t) i, Rf_mkCharCE(text, CE_UTF8));
  free_text(messages->text);
  UNPROTECT(1);
  return result;
}

static int set_all(mlpack_binding_call* call, SEXP names, SEXP kinds,
                   SEXP transposed, SEXP values)
{
  for (R_xlen_t i = 0; i < XLENGTH(values); ++i)
  {
    const int status = set_input(call, CHAR(STRING_ELT(names, i)),
        CHAR(STRING_ELT(kinds, i)), LOGICAL(transposed)[i],
        VECTOR_ELT(values, i));
    if (status != MLPACK_BINDING_OK)
      return status;
  }
  return MLPACK_BINDING_OK;
}

/** Set all inputs, run, and get all outputs. */
static SEXP run(SEXP binding, SEXP names, SEXP kinds, SEXP transposed,
                SEXP values, SEXP out_names, SEXP out_kinds,
                SEXP out_transposed)
{
  const char* fields[] = { "status", "error", "warnings", "results", "" };
  SEXP answer = PROTECT(Rf_mkNamed(VECSXP, fields));
  SEXP handle = PROTECT(new_call(binding));
  // Borrowed memory stays as long as the call.
  R_SetExternalPtrProtected(handle, values);
  mlpack_binding_call* call = R_ExternalPtrAddr(handle);
  SEXP text = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizer(text, free_text);
  struct messages messages = { text, 0, 0 };

  int status = set_all(call, names, kinds, transposed, values);
  if (status == MLPACK_BINDING_OK)
  {
    mlpack_binding_call_on_log(call, on_log, &messages);
    mlpack_binding_call_on_poll(call, on_poll, NULL);
    status = mlpack_binding_call_run(call);
  }
  SET_VECTOR_ELT(answer, 0, Rf_ScalarInteger(status));
  SET_VECTOR_ELT(answer, 1, utf8_string(mlpack_binding_call_error(call)));
  SET_VECTOR_ELT(answer, 2, message_strings(&messages));

  if (status == MLPACK_BINDING_OK)
  {
    const R_xlen_t n = XLENGTH(out_names);
    SEXP results = PROTECT(Rf_allocVector(VECSXP, n));
    for (R_xlen_t i = 0; i < n; ++i)
    {
      SET_VECTOR_ELT(results, i, get_output(call,
          CHAR(STRING_ELT(out_names, i)), CHAR(STRING_ELT(out_kinds, i)),
          LOGICAL(out_transposed)[i]));
    }
    SET_VECTOR_ELT(answer, 3, results);
    UNPROTECT(1);
  }
  free_call(handle);
  UNPROTECT(3);
  return answer;
}

static const R_CallMethodDef methods[] = {
  { "check_name", (DL_FUNC) &check_name, 2 },
  { "run", (DL_FUNC) &run, 8 },
  { "model_write", (DL_FUNC) &model_write, 3 },
  { "model_load", (DL_FUNC) &model_load, 3 },
  { "model_size", (DL_FUNC) &model_size, 1 },
  { NULL, NULL, 0 }
};

/** Its name, R_init_<package>, is given by Makevars. */
void attribute_visible R_INIT(DllInfo* info)
{
  R_registerRoutines(info, NULL, methods, NULL, NULL);
  R_useDynamicSymbols(info, FALSE);
}
