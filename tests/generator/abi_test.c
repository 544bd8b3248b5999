/**
 * @file tests/generator/abi_test.c
 *
 * The library of the tiny binding, used from C: the header is C, threads do not
 * mix, a run stops when asked to, and nothing is printed.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/library/abi.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do \
    { \
      if (!(condition)) \
      { \
        printf("line %d: %s\n", __LINE__, #condition); \
        exit(1); \
      } \
    } while (0)

static void TestMatrix(double scale)
{
  /* Two points of three dimensions, one after the other. */
  double points[6] = { 1, 2, 3, 4, 5, 6 };
  mlpack_binding_call* call = mlpack_binding_call_new("tiny", "python");
  const double* result = NULL;
  size_t rows = 0, cols = 0, i;
  double used = 0;
  CHECK(mlpack_binding_set_matrix(call, "matrix", points, 3, 2,
      MLPACK_BINDING_BORROW) == MLPACK_BINDING_OK);
  CHECK(mlpack_binding_set_double(call, "scale", scale) == MLPACK_BINDING_OK);
  CHECK(mlpack_binding_call_run(call) == MLPACK_BINDING_OK);
  CHECK(mlpack_binding_get_matrix(call, "matrix_out", &result, &rows, &cols) ==
      MLPACK_BINDING_OK);
  CHECK(rows == 3 && cols == 2);
  for (i = 0; i < 6; ++i)
    CHECK(result[i] == scale * points[i] && points[i] == (double) (i + 1));
  CHECK(mlpack_binding_get_double(call, "scale_out", &used) ==
      MLPACK_BINDING_OK && used == scale);
  /* A call runs once. */
  CHECK(mlpack_binding_call_run(call) == MLPACK_BINDING_RUNTIME);
  mlpack_binding_call_free(call);
}

static void TestTransposed(void)
{
  /* The same points as R has them: a column for each dimension. */
  const double points[6] = { 1, 4, 2, 5, 3, 6 };
  mlpack_binding_call* call = mlpack_binding_call_new("tiny", "r");
  const double* result = NULL;
  size_t rows = 0, cols = 0, i;
  CHECK(mlpack_binding_set_matrix(call, "input", points, 2, 3,
      MLPACK_BINDING_TRANSPOSE) == MLPACK_BINDING_OK);
  CHECK(mlpack_binding_call_run(call) == MLPACK_BINDING_OK);
  CHECK(mlpack_binding_get_matrix(call, "output", &result, &rows, &cols) ==
      MLPACK_BINDING_OK);
  CHECK(rows == 3 && cols == 2);
  for (i = 0; i < 6; ++i)
    CHECK(result[i] == (double) (i + 1));
  mlpack_binding_call_free(call);
}

static void TestCategories(void)
{
  const double points[4] = { 0.5, 1, 1.5, 0 };
  const int64_t counts[2] = { -1, 2 };
  const char* const names[2] = { "a", "b" };
  const uint64_t* categories = NULL;
  const double* result = NULL;
  size_t rows = 0, cols = 0;
  mlpack_binding_call* call = mlpack_binding_call_new("tiny", "julia");
  const int64_t few[2] = { -1, 1 };
  CHECK(mlpack_binding_set_matrix_info(call, "input", points, 2, 2, 0, few,
      names) == MLPACK_BINDING_INVALID);
  CHECK(strstr(mlpack_binding_call_error(call), "'input'") != NULL);
  CHECK(mlpack_binding_set_matrix_info(call, "input", points, 2, 2, 0, counts,
      names) == MLPACK_BINDING_OK);
  CHECK(mlpack_binding_call_run(call) == MLPACK_BINDING_OK);
  CHECK(mlpack_binding_get_umatrix(call, "categories", &categories, &rows,
      &cols) == MLPACK_BINDING_OK);
  CHECK(rows == 1 && cols == 2 && categories[0] == 0 && categories[1] == 2);
  CHECK(mlpack_binding_get_matrix(call, "output", &result, &rows, &cols) ==
      MLPACK_BINDING_OK);
  CHECK(result[1] == 0 && result[3] == 1); /* By first appearance. */
  mlpack_binding_call_free(call);
}

static void TestErrors(int shift)
{
  char text[100];
  mlpack_binding_call* call = mlpack_binding_call_new("tiny", "cli");
  snprintf(text, sizeof(text), "Invalid value of '--shift (-S)' specified "
      "(%d); shift must not be negative!", shift);
  CHECK(mlpack_binding_set_int(call, "shft", 1) == MLPACK_BINDING_UNKNOWN);
  CHECK(strstr(mlpack_binding_call_error(call), "did you mean") != NULL);
  CHECK(mlpack_binding_set_int(call, "scale", 1) == MLPACK_BINDING_TYPE);
  CHECK(mlpack_binding_set_int(call, "shift", shift) == MLPACK_BINDING_OK);
  CHECK(mlpack_binding_call_run(call) == MLPACK_BINDING_INVALID);
  CHECK(strcmp(mlpack_binding_call_error(call), text) == 0);
  mlpack_binding_call_free(call);
  CHECK(mlpack_binding_call_new("tiny", "klingon") == NULL);
  CHECK(mlpack_binding_describe("tiny", "klingon") == NULL);
  CHECK(mlpack_binding_call_new("huge", "r") == NULL);
  CHECK(strcmp(mlpack_binding_model_error(), "unknown binding 'huge'") == 0);
  CHECK(mlpack_binding_describe("huge", "r") == NULL);
  CHECK(strcmp(mlpack_binding_names(), "tiny") == 0);
}

static int CountDown(void* user)
{
  return --*(int*) user == 0;
}

static void TestPoll(void)
{
  int count = 3;
  mlpack_binding_call* call = mlpack_binding_call_new("tiny", "r");
  CHECK(mlpack_binding_set_string(call, "operation", "wait") ==
      MLPACK_BINDING_OK);
  mlpack_binding_call_on_poll(call, CountDown, &count);
  CHECK(mlpack_binding_call_run(call) == MLPACK_BINDING_INTERRUPTED);
  CHECK(count == 0);
  mlpack_binding_call_free(call);
}

static void TestLog(void)
{
  mlpack_binding_call* call = mlpack_binding_call_new("tiny", "r");
  CHECK(mlpack_binding_set_string(call, "operation", "warn") ==
      MLPACK_BINDING_OK);
  CHECK(mlpack_binding_set_flag(call, "verbose", 1) == MLPACK_BINDING_OK);
  CHECK(mlpack_binding_call_run(call) == MLPACK_BINDING_OK);
  CHECK(strcmp(mlpack_binding_call_log(call, MLPACK_BINDING_WARN),
      "Asked to warn.\n") == 0);
  CHECK(strcmp(mlpack_binding_call_log(call, MLPACK_BINDING_INFO),
      "Scaled by 1.\n") == 0);
  mlpack_binding_call_free(call);
}

static void TestModel(double scale)
{
  int format;
  double used = 0;
  mlpack_binding_model *model = NULL, *copy = NULL;
  mlpack_binding_call* call = mlpack_binding_call_new("tiny", "r");
  CHECK(mlpack_binding_set_double(call, "scale", scale) == MLPACK_BINDING_OK);
  CHECK(mlpack_binding_call_run(call) == MLPACK_BINDING_OK);
  CHECK(mlpack_binding_get_model(call, "output_model", &model) ==
      MLPACK_BINDING_OK && model != NULL);
  mlpack_binding_call_free(call);
  for (format = MLPACK_BINDING_BINARY; format <= MLPACK_BINDING_XML; ++format)
  {
    char* bytes = NULL;
    size_t size = 0;
    CHECK(mlpack_binding_model_save(model, format, &bytes, &size) ==
        MLPACK_BINDING_OK);
    CHECK(mlpack_binding_model_load("TinyModel", format, bytes, size / 2,
        &copy) == MLPACK_BINDING_INVALID && copy == NULL);
    CHECK(strstr(mlpack_binding_model_error(), "TinyModel") != NULL);
    CHECK(mlpack_binding_model_load("TinyModel", format, bytes, size, &copy) ==
        MLPACK_BINDING_OK);
    /* A changed byte anywhere is noticed. */
    bytes[size / 3] ^= 1;
    mlpack_binding_model_free(model);
    model = NULL;
    CHECK(mlpack_binding_model_load("TinyModel", format, bytes, size, &model) ==
        MLPACK_BINDING_INVALID && model == NULL);
    mlpack_binding_bytes_free(bytes);
    CHECK(mlpack_binding_model_write(copy, format, "no/such/folder/m.bin") ==
        MLPACK_BINDING_RUNTIME);
    CHECK(strstr(mlpack_binding_model_error(), "cannot be written") != NULL);
    CHECK(mlpack_binding_model_write(copy, 7, "m.bin") ==
        MLPACK_BINDING_INVALID);
    model = copy;
    copy = NULL;
  }
  call = mlpack_binding_call_new("tiny", "r");
  CHECK(mlpack_binding_set_model(call, "input_model", model) ==
      MLPACK_BINDING_OK);
  mlpack_binding_model_free(model);
  CHECK(mlpack_binding_call_run(call) == MLPACK_BINDING_OK);
  CHECK(mlpack_binding_get_double(call, "scale_out", &used) ==
      MLPACK_BINDING_OK && used == scale);
  mlpack_binding_call_free(call);
}

static void* Work(void* user)
{
  const int number = *(int*) user;
  int i;
  for (i = 0; i < 30; ++i)
  {
    TestMatrix(number * 100 + i);
    TestErrors(-1 - number * 100 - i);
    TestModel(number * 100 + i);
    TestCategories();
    TestTransposed();
    TestLog();
    CHECK(mlpack_binding_describe("tiny", "r") ==
          mlpack_binding_describe("tiny", "r"));
  }
  return NULL;
}

int main(void)
{
  pthread_t threads[4];
  int numbers[4] = { 0, 1, 2, 3 }, i;
  CHECK(mlpack_binding_abi_version() == MLPACK_BINDING_ABI_VERSION);
  for (i = 0; i < 4; ++i)
    CHECK(pthread_create(&threads[i], NULL, Work, &numbers[i]) == 0);
  for (i = 0; i < 4; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
  TestPoll();
  return 0;
}
