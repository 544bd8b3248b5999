/**
 * @file tests/generator/cycles_test.c
 *
 * Train, predict, save, load and free a thousand times through the C interface,
 * errors and interruptions included: the memory in use does not grow by a byte.
 * To be run with GLIBC_TUNABLES=glibc.malloc.tcache_count=0 (and mxfast=0),
 * since memory that was freed into these lists counts as in use.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/library/abi.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
    do \
    { \
      if (!(condition)) \
      { \
        printf("line %d: %s\n", __LINE__, #condition); \
        exit(1); \
      } \
    } while (0)

enum { POINTS = 24, COLUMNS = 3 };

static double points[POINTS * COLUMNS], labels[POINTS];

static void MakeData(void)
{
  size_t i;
  for (i = 0; i < POINTS * COLUMNS; ++i)
    points[i] = (double) ((7919 * i * i + 31 * i) % 101) / 50 - 1;
  for (i = 0; i < POINTS; ++i)
    labels[i] = points[COLUMNS * i] * points[COLUMNS * i + 1] > 0;
}

static int GoOn(void* user)
{
  (void) user;
  return 0;
}

/* One cycle; what it trains depends on its number. */
static void Cycle(int number)
{
  const int deep = (number % 4 == 3), regression = (number % 4 == 2);
  const int stops = (number % 5 == 4), fails = (number % 7 == 6);
  int status;
  char* bytes = NULL;
  size_t size = 0;
  mlpack_binding_model *model = NULL, *loaded = NULL;
  mlpack_binding_call* call = mlpack_binding_call_new(deep ? "deep_gbnn" :
      "gbnn", "python");
  CHECK(call);
  CHECK(mlpack_binding_set_matrix(call, "training", points, COLUMNS, POINTS,
      MLPACK_BINDING_COPY) == 0);
  CHECK(mlpack_binding_set_matrix(call, regression ? "responses" : "labels",
      labels, 1, POINTS - fails, MLPACK_BINDING_COPY) == 0);
  CHECK(mlpack_binding_set_matrix(call, "test", points, COLUMNS, POINTS,
      MLPACK_BINDING_COPY) == 0);
  CHECK(mlpack_binding_set_int(call, "hidden_units", 4) == 0);
  CHECK(mlpack_binding_set_int(call, "seed", 1 + number) == 0);
  if (deep)
    CHECK(mlpack_binding_set_int(call, "trunk_epochs", 2) == 0);
  else
  {
    CHECK(mlpack_binding_set_int(call, "refine_iterations", 5) == 0);
    CHECK(mlpack_binding_set_string(call, "input_encoding", number % 2 ?
        "piecewise" : "linear") == 0);
  }
  /* With and without a thread of its own. */
  if (number % 2)
    mlpack_binding_call_on_poll(call, GoOn, NULL);
  if (stops)
    mlpack_binding_call_interrupt(call);
  status = mlpack_binding_call_run(call);
  CHECK(status == (fails ? MLPACK_BINDING_INVALID : stops ?
      MLPACK_BINDING_INTERRUPTED : MLPACK_BINDING_OK));
  if (status == MLPACK_BINDING_OK)
  {
    CHECK(mlpack_binding_get_model(call, "output_model", &model) == 0);
    CHECK(model && mlpack_binding_model_save(model, number % 3, &bytes, &size)
        == 0);
    CHECK(mlpack_binding_model_load(mlpack_binding_model_type(model),
        number % 3, bytes, size, &loaded) == 0);
    /* Half of a model is none. */
    CHECK(mlpack_binding_model_load(mlpack_binding_model_type(model),
        number % 3, bytes, size / 2, &loaded) == MLPACK_BINDING_INVALID);
  }
  mlpack_binding_call_free(call);
  mlpack_binding_model_free(model);
  mlpack_binding_model_free(loaded);
  mlpack_binding_bytes_free(bytes);
}

static size_t MemoryInUse(void)
{
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

int main(void)
{
  int i;
  size_t before, after;
  MakeData();
  /* What is made once: tables, threads, texts. */
  printf("warming up\n");
  for (i = 0; i < 105; ++i)
    Cycle(i);
  before = MemoryInUse();
  for (i = 0; i < 1000; ++i)
    Cycle(i);
  after = MemoryInUse();
  printf("in use: %zu bytes before, %zu after 1,000 cycles\n", before, after);
  /* A leak costs at least a byte a cycle.  A few bytes in all are what malloc
     rounds up: it gives the rest of a piece away where that is too small. */
  CHECK(after < before + 1000);
  return 0;
}
