/**
 * @file tests/stage/stage_function_test.cpp
 *
 * The objective of a stage: against finite differences, against mlpack's own
 * network, and its batches against its whole.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

const GBNNActivation allActivations[] = { GBNNActivation::LOGISTIC,
    GBNNActivation::TANH, GBNNActivation::RELU };

//! The gradient is the derivative of the value, with weights, L2 and a
//! subsample.
TEST_CASE("StageFunctionGradient", "[StageFunctionTest]")
{
  arma::arma_rng::set_seed(5);
  const arma::mat data(4, 61, arma::fill::randn);
  const arma::mat residuals(3, 61, arma::fill::randn);
  const arma::rowvec weights(61, arma::fill::randu);
  const arma::uvec sample = arma::regspace<arma::uvec>(1, 2, 59);
  for (const GBNNActivation activation : allActivations)
  {
    for (const bool weighted : { false, true })
    {
      for (const double l2 : { 0.0, 0.7 })
      {
        const arma::rowvec none;
        const StageFunction<> f(data, residuals, weighted ? weights : none,
            weighted ? &sample : nullptr, 2, activation, l2);
        arma::mat p(f.NumParameters(), 1, arma::fill::randn), gradient;
        REQUIRE(p.n_elem == 2 * 5 + 3 * 3);
        const double value = f.EvaluateWithGradient(p, gradient);
        REQUIRE(value == f.Evaluate(p));
        arma::mat again;
        f.Gradient(p, again);
        REQUIRE(SameBits(gradient, again));
        CheckGradient(f, p, gradient, 1e-8, 1e-6);
      }
    }
  }
}

//! Float gives what double gives, as exactly as it can.
TEST_CASE("StageFunctionFloat", "[StageFunctionTest]")
{
  arma::arma_rng::set_seed(6);
  const arma::fmat data(5, 203, arma::fill::randn);
  const arma::fmat residuals(2, 203, arma::fill::randn);
  const arma::frowvec weights(203, arma::fill::randu);
  const arma::mat doubleData = arma::conv_to<arma::mat>::from(data);
  const arma::mat doubleResiduals = arma::conv_to<arma::mat>::from(residuals);
  const arma::rowvec doubleWeights = arma::conv_to<arma::rowvec>::from(weights);
  for (const GBNNActivation activation : allActivations)
  {
    const StageFunction<arma::fmat> f(data, residuals, weights, nullptr, 3,
        activation, 0.1);
    const StageFunction<> exact(doubleData, doubleResiduals, doubleWeights,
        nullptr, 3, activation, 0.1);
    const arma::fmat p(f.NumParameters(), 1, arma::fill::randn);
    arma::fmat gradient;
    arma::mat exactGradient;
    const double value = f.EvaluateWithGradient(p, gradient);
    REQUIRE(value == Approx(exact.EvaluateWithGradient(
        arma::conv_to<arma::mat>::from(p), exactGradient)).epsilon(1e-5));
    REQUIRE(Difference(gradient, exactGradient) < 1e-5);
  }
}

//! Worked out by hand: one input, one ReLU unit, one output, two points.
//! W1 = 2, b1 = -1, W2 = 3, b2 = 1/2.  x = 1: unit 1, output 7/2, residual 3,
//! error 1/2.  x = 0: unit 0, output 1/2, residual 1, error -1/2.
TEST_CASE("StageFunctionByHand", "[StageFunctionTest]")
{
  const arma::mat data = { { 1, 0 } }, residuals = { { 3, 1 } };
  const arma::mat p = arma::vec({ 2, -1, 3, 0.5 });
  const arma::rowvec none;
  arma::mat gradient;
  const StageFunction<> f(data, residuals, none, nullptr, 1,
      GBNNActivation::RELU, 0);
  // (1/4 + 1/4) / (2 * 2).
  REQUIRE(f.EvaluateWithGradient(p, gradient) == Approx(0.125));
  // Mean over points of error * (W2 x, W2, unit, 1), of which the second point,
  // whose unit is off, has only the last: (3/2, 3/2, 1/2, 1/2 - 1/2) / 2.
  REQUIRE(Difference(gradient, arma::vec({ 0.75, 0.75, 0.25, 0 })) < 1e-15);

  // With lambda = 2: + 2 (4 + 9) / (2 * 2) = 6.5; and 2 W / 2 in the gradient
  // of the weights, none in that of the biases.
  const StageFunction<> penalized(data, residuals, none, nullptr, 1,
      GBNNActivation::RELU, 2);
  REQUIRE(penalized.EvaluateWithGradient(p, gradient) == Approx(6.625));
  REQUIRE(Difference(gradient, arma::vec({ 2.75, 0.75, 3.25, 0 })) < 1e-15);

  // Weights 3 and 1: (3/4 + 1/4) / (2 * 4).
  const arma::rowvec weights = { 3, 1 };
  const StageFunction<> weighted(data, residuals, weights, nullptr, 1,
      GBNNActivation::RELU, 0);
  REQUIRE(weighted.TotalWeight() == 4);
  REQUIRE(weighted.EvaluateWithGradient(p, gradient) == Approx(0.125));
  // (3 * (3/2, 3/2, 1/2, 1/2) - (0, 0, 0, 1/2)) / 4.
  REQUIRE(Difference(gradient, arma::vec({ 1.125, 1.125, 0.375, 0.25 })) <
      1e-15);
}

//! The engine is mlpack's FFN of Linear, activation, Linear under the summed
//! squared error, divided by twice the number of points.
TEST_CASE("StageFunctionIsFFN", "[StageFunctionTest]")
{
  arma::arma_rng::set_seed(7);
  constexpr size_t strip = gbnn::StripSize<double>;
  for (const GBNNActivation activation : allActivations)
  {
    for (const size_t units : { 1, 2, 3, 4 })
    {
      for (const size_t outputs : { 1, 3, 10 })
      {
        FFN<MeanSquaredErrorType<arma::mat>, RandomInitialization, arma::mat>
            network(MeanSquaredErrorType<arma::mat>(true));
        network.Add<gbnn::LinearLayer<arma::mat>>(units);
        gbnn::AddActivation<arma::mat>(network, activation);
        network.Add<gbnn::LinearLayer<arma::mat>>(outputs);
        network.Reset(6);

        for (const size_t n : { size_t(1), strip - 1, strip, 5 * strip + 7 })
        {
          const arma::mat data(6, n, arma::fill::randn);
          const arma::mat residuals(outputs, n, arma::fill::randn);
          const arma::rowvec none;
          const StageFunction<> f(data, residuals, none, nullptr, units,
              activation, 0);
          const arma::mat p(f.NumParameters(), 1, arma::fill::randn);
          REQUIRE(network.Parameters().n_elem == p.n_elem);
          network.Parameters() = p;
          network.ResetData(data, residuals);

          arma::mat gradient, expected(p.n_elem, 1);
          const double value = f.EvaluateWithGradient(p, gradient);
          const double sum = network.EvaluateWithGradient(p, 0, expected, n);
          REQUIRE(std::abs(value - sum / (2 * n)) < 1e-12 * std::max(1.0,
              value));
          REQUIRE(Difference(gradient, arma::mat(expected / (2 * n))) <
              1e-12 * std::max(1.0, arma::abs(gradient).max()));
        }
      }
    }
  }
}

//! Batches are sums over points, so those of all points are n times the mean,
//! whatever the batch size and after a shuffle too.
TEMPLATE_TEST_CASE("StageFunctionBatches", "[StageFunctionTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  arma::arma_rng::set_seed(8);
  const TestType data(3, 150, arma::fill::randn);
  const TestType residuals(2, 150, arma::fill::randn);
  const arma::Row<ElemType> none;
  const arma::uvec sample = arma::regspace<arma::uvec>(0, 140);
  StageFunction<TestType> f(data, residuals, none, &sample, 2,
      GBNNActivation::TANH, 0.3, TestRandom(1, 2));
  const size_t n = f.NumFunctions();
  REQUIRE(n == 141);
  const TestType p(f.NumParameters(), 1, arma::fill::randn);
  TestType whole, part;
  const double value = f.EvaluateWithGradient(p, whole);
  const auto first = f.Evaluate(p, 0, 10);
  for (const size_t batch : { size_t(1), size_t(10), size_t(64), n })
  {
    double sum = 0;
    TestType gradient(p.n_elem, 1, arma::fill::zeros);
    for (size_t begin = 0; begin < n; begin += batch)
    {
      const size_t count = std::min(batch, n - begin);
      const auto a = f.EvaluateWithGradient(p, begin, part, count);
      REQUIRE(a == f.Evaluate(p, begin, count));
      sum += a;
      gradient += part;
      f.Gradient(p, begin, part, count);
    }
    REQUIRE(sum == Approx(n * value).epsilon(1e-5));
    REQUIRE(Difference(gradient, TestType(whole * ElemType(n))) <
        100 * Tolerance<ElemType>);
    f.Shuffle();
  }
  // A shuffle does change the order.
  REQUIRE(f.Evaluate(p, 0, 10) != first);
}

//! A weight is as many points, and weight 0 none.
TEST_CASE("StageFunctionWeights", "[StageFunctionTest]")
{
  arma::arma_rng::set_seed(9);
  const arma::mat data(3, 90, arma::fill::randn);
  const arma::mat residuals(2, 90, arma::fill::randn);
  arma::rowvec weights(90, arma::fill::ones);
  weights.tail(30).fill(2);
  weights.head(20).zeros();
  const arma::mat repeated = arma::join_rows(data.tail_cols(70),
      data.tail_cols(30));
  const arma::mat repeatedResiduals = arma::join_rows(residuals.tail_cols(70),
      residuals.tail_cols(30));
  const arma::rowvec none;
  const StageFunction<> f(data, residuals, weights, nullptr, 2,
      GBNNActivation::LOGISTIC, 0.2);
  const StageFunction<> expected(repeated, repeatedResiduals, none, nullptr, 2,
      GBNNActivation::LOGISTIC, 0.2);
  REQUIRE(f.TotalWeight() == expected.TotalWeight());
  const arma::mat p(f.NumParameters(), 1, arma::fill::randn);
  arma::mat gradient, expectedGradient;
  REQUIRE(f.EvaluateWithGradient(p, gradient) == Approx(
      expected.EvaluateWithGradient(p, expectedGradient)).epsilon(1e-12));
  REQUIRE(Difference(gradient, expectedGradient) < 1e-12);
}

//! Data too large to be kept in blocks gives the same as Armadillo.
TEST_CASE("StageFunctionLarge", "[StageFunctionTest]")
{
  arma::arma_rng::set_seed(10);
  const arma::fmat data(1500, 12001, arma::fill::randu);
  const arma::fmat residuals(1, 12001, arma::fill::randn);
  const arma::frowvec none;
  const StageFunction<arma::fmat> f(data, residuals, none, nullptr, 1,
      GBNNActivation::LOGISTIC, 0);
  const arma::fmat p = 0.02 * arma::fmat(f.NumParameters(), 1,
      arma::fill::randn);
  arma::fmat gradient;
  const double value = f.EvaluateWithGradient(p, gradient);

  arma::frowvec h = p.head_rows(1500).t() * data + p[1500];
  h = 1 / (1 + arma::exp(-h));
  const arma::frowvec error = p[1501] * h + p[1502] - residuals;
  REQUIRE(value == Approx(arma::mean(arma::square(arma::conv_to<
      arma::rowvec>::from(error))) / 2).epsilon(1e-5));
  const arma::fmat delta = p[1501] * error % h % (1 - h) / 12001.0f;
  const arma::fvec expected = data * delta.t();
  REQUIRE(Difference(gradient.head_rows(1500), expected) < 1e-5);
}

//! As in the field: bounds by fan-in and fan-out, wider but for the logistic.
TEST_CASE("StageFunctionInitialPoint", "[StageFunctionTest]")
{
  const arma::mat data(7, 30, arma::fill::ones), residuals(2, 30);
  const arma::rowvec none;
  for (const GBNNActivation activation : allActivations)
  {
    const StageFunction<> f(data, residuals, none, nullptr, 3, activation, 0);
    gbnn::Random random = TestRandom(1, 1), again = TestRandom(1, 1);
    gbnn::Random other = TestRandom(2, 1);
    const arma::mat p = f.InitialPoint(random);
    const double c = (activation == GBNNActivation::LOGISTIC) ? 2 : 6;
    const size_t first = 3 * 8;
    const double bound1 = std::sqrt(c / 10), bound2 = std::sqrt(c / 5);
    REQUIRE(arma::abs(p.head_rows(first)).max() <= bound1);
    REQUIRE(arma::abs(p.head_rows(first)).max() > 0.7 * bound1);
    REQUIRE(arma::abs(p.tail_rows(p.n_elem - first)).max() <= bound2);
    REQUIRE(p.min() < 0);
    REQUIRE(p.max() > 0);
    REQUIRE(SameBits(p, f.InitialPoint(again)));
    REQUIRE(!SameBits(p, f.InitialPoint(other)));
  }
}
