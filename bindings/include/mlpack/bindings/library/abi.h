/**
 * @file bindings/library/abi.h
 *
 * The C interface of compiled mlpack bindings: what Python, R and Julia call.
 * Plain C, no dependency; every exported symbol starts with `mlpack_binding_`.
 *
 * Rules that hold everywhere:
 *
 *  - No C++ exception leaves a function.  Functions that can fail return a
 *    mlpack_binding_status; anything but MLPACK_BINDING_OK leaves a text in
 *    mlpack_binding_call_error() (functions with a call) or
 *    mlpack_binding_model_error() (functions without).
 *  - A call object belongs to one thread at a time; different calls may be used
 *    from different threads at once.  Only mlpack_binding_call_interrupt() may
 *    be called from another thread or from a signal handler.
 *  - Strings are UTF-8 and end with a zero byte.  Labels and names of a model
 *    are bytes of the files that it was trained on, which may be anything.
 *    Pointers that a function returns stay valid until the call object is
 *    freed, unless said otherwise.
 *  - Matrices are column-major, as in Armadillo.  mlpack keeps one point per
 *    *column*; a C array of points (NumPy's default) is just that memory.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_ABI_H
#define MLPACK_BINDINGS_LIBRARY_ABI_H

#include <stddef.h>
#include <stdint.h>

/** Raised whenever a function changes its meaning or its arguments. */
#define MLPACK_BINDING_ABI_VERSION 2

#if defined(MLPACK_BINDING_API)
  /* The library itself says how to export. */
#elif defined(__GNUC__)
  #define MLPACK_BINDING_API __attribute__((visibility("default")))
#else
  #define MLPACK_BINDING_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What a function that can fail returns. */
enum mlpack_binding_status
{
  MLPACK_BINDING_OK = 0,
  /** A value that the binding refuses (Python: ValueError). */
  MLPACK_BINDING_INVALID = 1,
  /** A value of the wrong type for its parameter (Python: TypeError). */
  MLPACK_BINDING_TYPE = 2,
  /** No parameter of that name; the text suggests the nearest one. */
  MLPACK_BINDING_UNKNOWN = 3,
  /** Anything else that went wrong (Python: RuntimeError). */
  MLPACK_BINDING_RUNTIME = 4,
  /** Stopped by mlpack_binding_call_interrupt() or by the poll function. */
  MLPACK_BINDING_INTERRUPTED = 5,
  /** Not enough memory. */
  MLPACK_BINDING_MEMORY = 6
};

/** How a matrix is handed over; to be or-ed together. */
enum mlpack_binding_matrix_flags
{
  /** The library makes its own copy; the memory may be freed at once. */
  MLPACK_BINDING_COPY = 0,
  /** Use the memory in place if the binding promises not to write to it.  It
      must stay, unchanged, until the call object is freed.  Ignored together
      with MLPACK_BINDING_TRANSPOSE. */
  MLPACK_BINDING_BORROW = 1,
  /** The memory holds the transpose of what the parameter takes (points in
      rows, column-major: R, Julia); the library stores it turned around. */
  MLPACK_BINDING_TRANSPOSE = 2,
  /** Categories keep the order in which they are given, those that do not occur
      included; else they are numbered as they first occur.  For processes that
      have rows of their own, but the categories of all. */
  MLPACK_BINDING_KEEP_ORDER = 4
};

/** Levels of log messages. */
enum mlpack_binding_level
{
  MLPACK_BINDING_INFO = 1,
  MLPACK_BINDING_WARN = 2
};

/** Formats of a saved model: the files .bin, .json and .xml of the program. */
enum mlpack_binding_format
{
  MLPACK_BINDING_BINARY = 0,
  MLPACK_BINDING_JSON = 1,
  MLPACK_BINDING_XML = 2
};

/** One call of the binding: its parameters, results and error. */
typedef struct mlpack_binding_call mlpack_binding_call;
/** A model; counted by reference, never changed by a call. */
typedef struct mlpack_binding_model mlpack_binding_model;

/** Receives one line of log, without its line end. */
typedef void (*mlpack_binding_log_function)(void* user, int level,
                                            const char* line);
/** Asked now and then during a run, on the thread that called
    mlpack_binding_call_run(); nonzero stops the run. */
typedef int (*mlpack_binding_poll_function)(void* user);
/** Moves bytes to, from, or from one of several processes ("ranks") to all of
    them; nonzero means that it failed.  Called on the thread of the run. */
typedef int (*mlpack_binding_send_function)(void* user, const void* bytes,
                                            size_t number, size_t rank);
typedef int (*mlpack_binding_receive_function)(void* user, void* bytes,
                                               size_t number, size_t rank);

/** MLPACK_BINDING_ABI_VERSION of the library. */
MLPACK_BINDING_API int mlpack_binding_abi_version(void);

/** The names of the bindings in the library, with a space between two. */
MLPACK_BINDING_API const char* mlpack_binding_names(void);

/**
 * Everything a binding says of itself, as JSON (see bindings/README.md), in one
 * language's spelling: "cli", "python", "r" or "julia".  NULL for another, or
 * if there is no such binding.  The text stays valid as long as the library is
 * loaded.
 */
MLPACK_BINDING_API const char* mlpack_binding_describe(const char* binding,
                                                       const char* dialect);

/* --- One call ------------------------------------------------------------ */

/**
 * Begin a call of a binding.  The dialect decides how error texts spell
 * parameters and values.  NULL if there is no such binding, no such dialect or
 * no memory.
 */
MLPACK_BINDING_API mlpack_binding_call* mlpack_binding_call_new(
    const char* binding, const char* dialect);

/** End a call; frees its inputs and outputs.  NULL is allowed. */
MLPACK_BINDING_API void mlpack_binding_call_free(mlpack_binding_call* call);

/** Text of the last error of this call, in one line of about 1000
    characters at most; "" if there was none. */
MLPACK_BINDING_API const char* mlpack_binding_call_error(
    const mlpack_binding_call* call);

/** MLPACK_BINDING_OK if `name` is an input, else MLPACK_BINDING_UNKNOWN. */
MLPACK_BINDING_API int mlpack_binding_check_name(mlpack_binding_call* call,
                                                 const char* name);

MLPACK_BINDING_API int mlpack_binding_set_flag(mlpack_binding_call* call,
    const char* name, int value);
MLPACK_BINDING_API int mlpack_binding_set_int(mlpack_binding_call* call,
    const char* name, int64_t value);
MLPACK_BINDING_API int mlpack_binding_set_double(mlpack_binding_call* call,
    const char* name, double value);
MLPACK_BINDING_API int mlpack_binding_set_string(mlpack_binding_call* call,
    const char* name, const char* value);
MLPACK_BINDING_API int mlpack_binding_set_ints(mlpack_binding_call* call,
    const char* name, const int64_t* values, size_t count);
MLPACK_BINDING_API int mlpack_binding_set_doubles(mlpack_binding_call* call,
    const char* name, const double* values, size_t count);
MLPACK_BINDING_API int mlpack_binding_set_strings(mlpack_binding_call* call,
    const char* name, const char* const* values, size_t count);

/**
 * Give a parameter of kind matrix, row, col, or matrix_info (then all columns
 * are numeric).  Rows and cols describe the memory, before any transposition;
 * for row and col one of them must be 1.
 */
MLPACK_BINDING_API int mlpack_binding_set_matrix(mlpack_binding_call* call,
    const char* name, const double* values, size_t rows, size_t cols,
    int flags);

/** The same for the kinds umatrix, urow and ucol. */
MLPACK_BINDING_API int mlpack_binding_set_umatrix(mlpack_binding_call* call,
    const char* name, const uint64_t* values, size_t rows, size_t cols,
    int flags);

/**
 * Give a parameter of kind matrix_info.  A cell of a categorical dimension
 * holds the index, from 0, of its category; NaN marks a missing value in any
 * dimension.
 *
 * @param category_counts For each dimension (a row, after any transposition)
 *     the number of its categories, or -1 if it is numeric.
 * @param categories The names of the categories of all categorical dimensions,
 *     one dimension after the other.
 *
 * Categories are numbered anew by their first appearance, as in a file that
 * the program loads: the result does not depend on the order of levels.
 */
MLPACK_BINDING_API int mlpack_binding_set_matrix_info(
    mlpack_binding_call* call, const char* name, const double* values,
    size_t rows, size_t cols, int flags, const int64_t* category_counts,
    const char* const* categories);

/** Give a model.  The call works on a copy; the model is never changed. */
MLPACK_BINDING_API int mlpack_binding_set_model(mlpack_binding_call* call,
    const char* name, const mlpack_binding_model* model);

/**
 * Receive log lines as they come.  Without a function they are collected, see
 * mlpack_binding_call_log().  Called on the thread that called
 * mlpack_binding_call_run().
 */
MLPACK_BINDING_API void mlpack_binding_call_on_log(mlpack_binding_call* call,
    mlpack_binding_log_function function, void* user);

/** Be asked now and then, on the thread that called mlpack_binding_call_run(),
    whether to go on.  The run itself then has a thread of its own. */
MLPACK_BINDING_API void mlpack_binding_call_on_poll(mlpack_binding_call* call,
    mlpack_binding_poll_function function, void* user);

/**
 * Several processes make this call together: they train one model, each on
 * points of its own, and each gets all of it.
 *
 * @param rank Number of this process, from 0.
 * @param ranks Number of processes.
 * @param send Sends bytes to a process, which is about to receive them.
 * @param receive Receives bytes from a process.
 * @param broadcast Gives the bytes of a process to all of them.
 */
MLPACK_BINDING_API void mlpack_binding_call_on_ranks(mlpack_binding_call* call,
    size_t rank, size_t ranks, mlpack_binding_send_function send,
    mlpack_binding_receive_function receive,
    mlpack_binding_receive_function broadcast, void* user);

/** Stop the run at its next check.  Safe in threads and signal handlers. */
MLPACK_BINDING_API void mlpack_binding_call_interrupt(
    mlpack_binding_call* call);

/** Run the binding, once per call object. */
MLPACK_BINDING_API int mlpack_binding_call_run(mlpack_binding_call* call);

/** The collected lines of one level, each with its line end. */
MLPACK_BINDING_API const char* mlpack_binding_call_log(
    const mlpack_binding_call* call, int level);

/* Outputs (and inputs): valid until the call is freed. */
MLPACK_BINDING_API int mlpack_binding_get_flag(mlpack_binding_call* call,
    const char* name, int* value);
MLPACK_BINDING_API int mlpack_binding_get_int(mlpack_binding_call* call,
    const char* name, int64_t* value);
MLPACK_BINDING_API int mlpack_binding_get_double(mlpack_binding_call* call,
    const char* name, double* value);
MLPACK_BINDING_API int mlpack_binding_get_string(mlpack_binding_call* call,
    const char* name, const char** value);
MLPACK_BINDING_API int mlpack_binding_get_ints(mlpack_binding_call* call,
    const char* name, const int64_t** values, size_t* count);
MLPACK_BINDING_API int mlpack_binding_get_doubles(mlpack_binding_call* call,
    const char* name, const double** values, size_t* count);
MLPACK_BINDING_API int mlpack_binding_get_strings(mlpack_binding_call* call,
    const char* name, const char* const** values, size_t* count);
/** Kinds matrix, row, col and matrix_info; column-major, points in columns. */
MLPACK_BINDING_API int mlpack_binding_get_matrix(mlpack_binding_call* call,
    const char* name, const double** values, size_t* rows, size_t* cols);
/** Kinds umatrix, urow and ucol. */
MLPACK_BINDING_API int mlpack_binding_get_umatrix(mlpack_binding_call* call,
    const char* name, const uint64_t** values, size_t* rows, size_t* cols);
/** A new reference, to be freed by the caller; NULL if there is no model. */
MLPACK_BINDING_API int mlpack_binding_get_model(mlpack_binding_call* call,
    const char* name, mlpack_binding_model** model);

/* --- Models -------------------------------------------------------------- */

/** Text of the last error of a function below, on this thread. */
MLPACK_BINDING_API const char* mlpack_binding_model_error(void);

/** The C++ class of a model, as `model_type` in the description. */
MLPACK_BINDING_API const char* mlpack_binding_model_type(
    const mlpack_binding_model* model);

/** Serialize; free the bytes with mlpack_binding_bytes_free(). */
MLPACK_BINDING_API int mlpack_binding_model_save(
    const mlpack_binding_model* model, int format, char** bytes,
    size_t* size);

/**
 * Save to a file: what was there stays until all of the new file is on the
 * disk.  MLPACK_BINDING_RUNTIME if it cannot be written.
 */
MLPACK_BINDING_API int mlpack_binding_model_write(
    const mlpack_binding_model* model, int format, const char* file);

/** Deserialize a model of the given class; the bytes are not trusted. */
MLPACK_BINDING_API int mlpack_binding_model_load(const char* type, int format,
    const char* bytes, size_t size, mlpack_binding_model** model);

/** A deep copy. */
MLPACK_BINDING_API int mlpack_binding_model_clone(
    const mlpack_binding_model* model, mlpack_binding_model** copy);

/** Give a model back.  NULL is allowed. */
MLPACK_BINDING_API void mlpack_binding_model_free(
    mlpack_binding_model* model);

/** Free what mlpack_binding_model_save() returned.  NULL is allowed. */
MLPACK_BINDING_API void mlpack_binding_bytes_free(char* bytes);

#ifdef __cplusplus
}
#endif

#endif
