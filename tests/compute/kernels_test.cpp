/**
 * @file tests/compute/kernels_test.cpp
 *
 * The vectorized kernels against Armadillo and the standard library, for sizes
 * that fit no tile and no strip.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <omp.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "test_tools.hpp"

using namespace mlpack;
using namespace mlpack::gbnn;

//! Points of a matrix in strips.
template<typename ElemType>
struct PackedPoints
{
  arma::Col<ElemType> memory;
  Strips<ElemType> strips;

  PackedPoints(const arma::Mat<ElemType>& points) :
      // What is not written must not matter: fill it with something absurd.
      memory(points.n_rows * NumStrips<ElemType>(points.n_cols) *
          StripSize<ElemType>, arma::fill::value(ElemType(1e6))),
      strips{ memory.memptr(), points.n_rows }
  {
    Pack(points, [](const size_t i) { return i; }, points.n_cols, strips);
  }

  //! The first `points` points as a matrix again.
  arma::Mat<ElemType> Points(const size_t points) const
  {
    arma::Mat<ElemType> result(strips.rows, points);
    for (size_t i = 0; i < points; ++i)
      for (size_t row = 0; row < strips.rows; ++row)
        result(row, i) = strips.Row(i / StripSize<ElemType>, row)
            [i % StripSize<ElemType>];
    return result;
  }
};

TEMPLATE_TEST_CASE("PackAndPad", "[KernelsTest]", double, float)
{
  arma::arma_rng::set_seed(1);
  constexpr size_t size = StripSize<TestType>;
  for (const size_t points : { size_t(1), size - 1, size, size + 3 })
  {
    const arma::Mat<TestType> x(3, points, arma::fill::randn);
    const PackedPoints<TestType> packed(x);
    REQUIRE(SameBits(packed.Points(points), x));
    // The rest of the last strip is zero.
    const size_t padded = NumStrips<TestType>(points) * size;
    const arma::Mat<TestType> all = packed.Points(padded);
    REQUIRE(arma::accu(arma::abs(all.tail_cols(padded - points))) == 0);
  }
}

TEMPLATE_TEST_CASE("MultiplyIsAMatrixProduct", "[KernelsTest]", double, float)
{
  arma::arma_rng::set_seed(2);
  using Matrix = arma::Mat<TestType>;
  constexpr size_t size = StripSize<TestType>;
  for (const size_t inputs : { 1, 2, 3, 7, 13 })
  {
    for (const size_t outputs : { 1, 2, 3, 4, 5, 6, 7, 9 })
    {
      for (const size_t points : { size_t(1), size - 1, 2 * size + 5 })
      {
        const size_t strips = NumStrips<TestType>(points);
        const Matrix x(inputs, points, arma::fill::randn);
        const Matrix y(outputs, points, arma::fill::randn);
        const Matrix w(outputs, inputs, arma::fill::randn);
        const arma::Col<TestType> bias(outputs, arma::fill::randn);
        const Matrix wt = w.t();
        const PackedPoints<TestType> in(x);
        const double tolerance = 20 * Tolerance<TestType>;

        // Weights column by column, and their transpose stored so.
        PackedPoints<TestType> out(y);
        Multiply<TestType>(in.strips, { w.memptr(), 1, outputs }, out.strips,
            strips);
        REQUIRE(Difference(out.Points(points), Matrix(y + w * x)) < tolerance);
        Multiply<TestType>(in.strips, { wt.memptr(), inputs, 1 }, out.strips,
            strips);
        REQUIRE(Difference(out.Points(points), Matrix(y + 2 * w * x)) <
            tolerance);

        const WeightView<const TestType> view = { wt.memptr(), 1, inputs };
        Affine<TestType>(in.strips, view.Transposed(), bias.memptr(),
            out.strips, strips);
        Matrix expected = w * x;
        REQUIRE(Difference(out.Points(points), Matrix(expected.each_col() +
            bias)) < tolerance);
        Affine<TestType>(in.strips, view.Transposed(), nullptr, out.strips,
            strips);
        REQUIRE(Difference(out.Points(points), expected) < tolerance);

        // The gradient of the weights, added to what is there.
        const PackedPoints<TestType> error(y);
        Matrix gradient = w;
        Correlate<TestType>(error.strips, in.strips, { gradient.memptr(), 1,
            outputs }, strips);
        REQUIRE(Difference(gradient, Matrix(w + y * x.t())) < 10 * tolerance);
        arma::Col<TestType> sums = bias;
        AddRowSums<TestType>(error.strips, sums.memptr(), strips);
        REQUIRE(Difference(sums, Matrix(bias + arma::sum(y, 1))) <
            10 * tolerance);
      }
    }
  }
}

TEMPLATE_TEST_CASE("ExpIsAccurate", "[KernelsTest]", double, float)
{
  // What lies outside is taken at these ends.
  const bool isDouble = (sizeof(TestType) == sizeof(double));
  const TestType low = isDouble ? -708 : -87, high = isDouble ? 708 : 88;
  arma::Col<TestType> x = arma::join_cols(
      arma::linspace<arma::Col<TestType>>(low, high, 20011),
      arma::linspace<arma::Col<TestType>>(-2, 2, 20011));
  arma::Col<TestType> y = x;
  ExpInPlace(y.memptr(), y.n_elem);
  double worst = 0;
  for (size_t i = 0; i < x.n_elem; ++i)
  {
    const long double exact = std::exp((long double) x[i]);
    worst = std::max(worst, double(std::abs(y[i] - exact) / exact));
  }
  REQUIRE(worst < 2 * std::numeric_limits<TestType>::epsilon());

  // Beyond the ends it is as at the ends: finite, and not zero.
  y = { -TestType(1e9), TestType(1e9), 0, -arma::Datum<TestType>::inf,
      arma::Datum<TestType>::inf };
  ExpInPlace(y.memptr(), y.n_elem);
  REQUIRE(y.is_finite());
  REQUIRE(y.min() > 0);
  REQUIRE(double(y[0]) == Approx(std::exp(double(low))).epsilon(1e-5));
  REQUIRE(double(y[1]) == Approx(std::exp(double(high))).epsilon(1e-5));
  REQUIRE(y[2] == 1);
}

TEMPLATE_TEST_CASE("Log1pIsAccurate", "[KernelsTest]", double, float)
{
  using Vector = arma::Col<TestType>;
  const Vector x = arma::join_cols(arma::linspace<Vector>(0, 1, 20011),
      Vector(arma::exp(arma::linspace<Vector>(-80, 0, 20011))));
  Vector y = x;
  Log1pInPlace(y.memptr(), y.n_elem);
  REQUIRE(y[0] == 0);
  double worst = 0;
  for (size_t i = 1; i < x.n_elem; ++i)
  {
    const long double exact = std::log1p((long double) x[i]);
    worst = std::max(worst, double(std::abs(y[i] - exact) / exact));
  }
  REQUIRE(worst < 3 * std::numeric_limits<TestType>::epsilon());
}

TEMPLATE_TEST_CASE("ActivationsAndSlopes", "[KernelsTest]", double, float)
{
  const size_t n = 8 * StripSize<TestType>;
  const arma::Col<TestType> z = arma::linspace<arma::Col<TestType>>(-30, 30, n);
  const arma::vec exact = arma::conv_to<arma::vec>::from(z);
  const arma::vec logistic = 1 / (1 + arma::exp(-exact));
  const arma::vec tanh = arma::tanh(exact);
  const std::vector<std::tuple<GBNNActivation, arma::vec, arma::vec>> cases = {
      { GBNNActivation::LOGISTIC, logistic, logistic % (1 - logistic) },
      { GBNNActivation::TANH, tanh, 1 - arma::square(tanh) },
      { GBNNActivation::RELU, arma::clamp(exact, 0, 30),
          arma::conv_to<arma::vec>::from(exact > 0) } };
  for (const auto& [activation, values, slopes] : cases)
  {
    arma::Col<TestType> a = z;
    Activate(activation, a.memptr(), n);
    REQUIRE(Difference(a, values) < Tolerance<TestType>);
    arma::Col<TestType> deltas(n, arma::fill::value(TestType(3)));
    MultiplySlope(activation, deltas.memptr(), a.memptr(), n);
    REQUIRE(Difference(deltas, arma::vec(3 * slopes)) < Tolerance<TestType>);
  }
}

TEST_CASE("ActivationNames", "[KernelsTest]")
{
  for (const std::string name : { "logistic", "tanh", "relu" })
    REQUIRE(ToString(ToGBNNActivation(name)) == name);
  REQUIRE_THROWS_AS(ToGBNNActivation("sigmoid"), std::invalid_argument);
}

//! Every item is in exactly one piece, whatever the number of threads.
TEST_CASE("PiecesCoverAllItems", "[KernelsTest]")
{
  const int before = omp_get_max_threads();
  for (const int threads : { 1, 2, 5, 40 })
  {
    omp_set_num_threads(threads);
    for (const size_t items : { 0, 1, 2, 63, 64, 65, 1000 })
    {
      for (const size_t work : { 0, 10, 1000000 })
      {
        const Pieces pieces(items, work);
        arma::Col<size_t> visits(items, arma::fill::zeros);
        pieces.ForEach([&](const size_t, const size_t begin, const size_t end)
            {
              for (size_t i = begin; i < end; ++i)
                ++visits[i];
            });
        REQUIRE(arma::all(visits == 1));
        REQUIRE(pieces.Count() <= std::max(items, size_t(1)));
      }
    }
  }
  omp_set_num_threads(before);
}

//! A thread that finds its own tasks slow is helped: all of them are done once.
TEST_CASE("TasksAreDoneOnce", "[KernelsTest]")
{
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);
  for (size_t round = 0; round < 20; ++round)
  {
    // More of them than are done at a time.
    std::vector<std::atomic<size_t>> done(150);
    gbnn::InParallel(done.size(), [&](const size_t task)
        {
          // Of the first thread's share.
          if (task < 4)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          ++done[task];
        });
    for (const std::atomic<size_t>& times : done)
      REQUIRE(times == 1);
  }
  omp_set_num_threads(before);
}

//! Of tasks that fail, the first is told of, whatever the number of threads.
TEST_CASE("TasksMayFail", "[KernelsTest]")
{
  const int before = omp_get_max_threads();
  for (const int threads : { 1, 3 })
  {
    omp_set_num_threads(threads);
    for (const size_t first : { 19, 64, 130 })
    {
      REQUIRE_THROWS_WITH(gbnn::InParallel(200, [&](const size_t task)
          {
            if (task >= first && task % 2 == first % 2)
              throw std::runtime_error("task " + std::to_string(task));
          }), "task " + std::to_string(first));
    }
  }
  omp_set_num_threads(before);
}

//! A loop within a loop has one thread.
TEST_CASE("TasksWithinTasks", "[KernelsTest]")
{
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);
  REQUIRE(OneBlasThread::LoopThreads() == 3);
  std::atomic<size_t> done(0), several(0);
  gbnn::InParallel(8, [&](const size_t)
      {
        several += (OneBlasThread::LoopThreads() != 1);
        gbnn::InParallel(8, [&](const size_t) { ++done; });
      });
  REQUIRE(done == 64);
  REQUIRE(several == 0);
  omp_set_num_threads(before);
}

TEST_CASE("SamplesWithoutReplacement", "[KernelsTest]")
{
  const arma::uvec candidates = arma::regspace<arma::uvec>(10, 2, 48);
  arma::uvec often(49, arma::fill::zeros);
  for (size_t stream = 0; stream < 2000; ++stream)
  {
    gbnn::Random random = TestRandom(5, stream), again = TestRandom(5, stream);
    const arma::uvec sample = random.Sample(candidates, 5);
    REQUIRE(SameBits(sample, again.Sample(candidates, 5)));
    REQUIRE(sample.n_elem == 5);
    REQUIRE(sample.is_sorted("strictascend"));
    REQUIRE(arma::intersect(sample, candidates).eval().n_elem == 5);
    often.elem(sample) += 1;
  }
  // Each of the 20 is expected 500 times, with a deviation of 19.
  REQUIRE(often.elem(candidates).eval().min() > 400);
  REQUIRE(often.elem(candidates).eval().max() < 600);
}
