/**
 * @file tests/gbnn/point_test.cpp
 *
 * The prediction of a single point takes no memory from the system.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

using namespace mlpack;

// ThreadSanitizer has allocators of its own, which cannot be replaced.
#if defined(__has_feature)
  #if __has_feature(thread_sanitizer)
    #define GBNN_THREAD_SANITIZER
  #endif
#endif

#ifndef GBNN_THREAD_SANITIZER

// Everything that is allocated in this program is counted: by Armadillo, which
// asks the system for aligned memory, and by all others.
namespace { std::atomic<size_t> allocations(0); }

extern "C" int posix_memalign(void** memory,
                              size_t alignment,
                              size_t size) noexcept
{
  ++allocations;
  *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment *
      alignment);
  return (*memory == nullptr) ? ENOMEM : 0;
}

// g++ 14 inlines some of these only, and takes std::free() for a mismatch.
[[gnu::noinline]] void* operator new(size_t size)
{
  ++allocations;
  void* memory = std::malloc(std::max<size_t>(size, 1));
  if (memory == nullptr)
    throw std::bad_alloc();
  return memory;
}

// Of the standard library's own, it would not be known to what is freed here.
[[gnu::noinline]] void* operator new(size_t size,
                                     const std::nothrow_t&) noexcept
{
  ++allocations;
  return std::malloc(std::max<size_t>(size, 1));
}

[[gnu::noinline]] void operator delete(void* memory) noexcept
{
  std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept
{
  std::free(memory);
}

//! How often memory is allocated while a function runs.
template<typename FunctionType>
size_t Allocations(const FunctionType& f)
{
  const size_t before = allocations;
  f();
  return allocations - before;
}

TEMPLATE_TEST_CASE("PointTakesNoMemory", "[PointTest]", arma::mat, arma::fmat)
{
  using ColType = arma::Col<typename TestType::elem_type>;
  // What is to be found is found.
  REQUIRE(Allocations([]() { ColType some(100, arma::fill::zeros); }) > 0);
  REQUIRE(Allocations([]() { std::string some(100, ' '); }) > 0);

  const Problem<TestType> problem(100, 30);
  const ColType point = problem.data.col(3);
  size_t label = 0;
  double response = 0;

  const GBNNClassifier<TestType> two(problem.data, problem.labels, 2, 10);
  REQUIRE(Allocations([&]() { label = two.Classify(point); }) == 0);
  arma::Row<size_t> sixteenLabels(100);
  for (size_t i = 0; i < 100; ++i)
    sixteenLabels[i] = i % 16;
  const GBNNClassifier<TestType> sixteen(problem.data, sixteenLabels, 16, 30);
  REQUIRE(Allocations([&]() { label = sixteen.Classify(point); }) == 0);
  arma::Row<size_t> labels;
  sixteen.Classify(TestType(point), labels);
  REQUIRE(label == labels[0]);

  ColType probabilities(16);
  REQUIRE(Allocations([&]()
      { sixteen.Classify(point, label, probabilities); }) == 0);
  REQUIRE(label == probabilities.index_max());

  const GBNNRegressor<TestType> one(problem.data, problem.response, 10);
  REQUIRE(Allocations([&]() { response = one.Predict(point); }) == 0);
  REQUIRE(std::isfinite(response));
}

#endif // GBNN_THREAD_SANITIZER

//! A point may be a row of a table, whose numbers do not follow one another.
TEMPLATE_TEST_CASE("PointOfRows", "[PointTest]", arma::mat, arma::fmat)
{
  Problem<TestType> problem(100, 3);
  const TestType table = problem.data.t();
  for (const size_t bins : { 0, 4 })
  {
    GBNNRegressor<TestType> regressor(10, 2);
    regressor.Bins() = bins;
    regressor.Train(problem.data, problem.response);
    GBNNClassifier<TestType> classifier(10, 2);
    classifier.Bins() = bins;
    classifier.Train(problem.data, problem.labels, 2);
    const AnytimeClassifier<TestType> anytime(classifier);
    for (size_t i = 0; i < 100; i += 9)
    {
      const auto expected = regressor.Predict(problem.data.col(i));
      REQUIRE(regressor.Predict(table.row(i)) == expected);
      REQUIRE(regressor.Predict(table.submat(i, 0, i, 2)) == expected);
      const arma::Row<typename TestType::elem_type> row = table.row(i);
      REQUIRE(regressor.Predict(row) == expected);
      const size_t label = classifier.Classify(problem.data.col(i));
      REQUIRE(classifier.Classify(table.row(i)) == label);
      REQUIRE(anytime.Classify(table.row(i)) == label);
    }
  }
}
