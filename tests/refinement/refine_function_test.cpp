/**
 * @file tests/refinement/refine_function_test.cpp
 *
 * The objective of nested refinement, and the network cut anywhere.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

//! Cuts of a network of 12 units, with the weights of their losses.
const std::pair<std::vector<size_t>, std::vector<double>> layouts[] = {
    { { 12 }, { 1.0 } },
    { { 3, 6, 9, 12 }, { 0.1, 0.15, 0.25, 0.5 } },
    { { 1, 2, 11, 12 }, { 0.5, 0.0, 0.3, 0.2 } },
    { { 5, 5, 12 }, { 0.2, 0.3, 0.5 } } };

//! A boosted network of 12 units for the given targets.
template<typename MatType, typename LossType>
BoostedNetwork<MatType> SmallNetwork(const MatType& data,
                                     const MatType& targets,
                                     const LossType& loss,
                                     const GBNNActivation activation)
{
  using ElemType = typename MatType::elem_type;
  const arma::Row<ElemType> none;
  const auto start = loss.Start(targets, none);
  BoostedNetwork<MatType> network(data.n_rows, start, activation);
  MatType scores(targets.n_rows, targets.n_cols);
  scores.each_col() = start;
  arma::arma_rng::set_seed(11);
  for (size_t stage = 0; stage < 4; ++stage)
  {
    const MatType parameters(3 * (data.n_rows + 1) + targets.n_rows * 4, 1,
        arma::fill::randn);
    network.Append(parameters, 3, arma::Col<ElemType>(targets.n_rows).fill(
        ElemType(0.3)), data, scores);
  }
  return network;
}

//! The gradient is the derivative of the value, and the value the sum of the
//! losses that the cut networks have, for one loss.
template<typename LossType>
void CheckObjective(const arma::mat& data,
                    const arma::mat& targets,
                    const LossType& loss,
                    const GBNNActivation activation)
{
  const auto network = SmallNetwork(data, targets, loss, activation);
  const arma::rowvec weights(data.n_cols, arma::fill::randu), none;
  const arma::uvec half = arma::regspace<arma::uvec>(1, 2, data.n_cols - 1);
  for (const auto& [cuts, cutWeights] : layouts)
  {
    RefineFunction<arma::mat, LossType> f(data, targets, weights, &half,
        network, loss, { 1.5, 0.7, cuts, cutWeights, 0.4, 0.3 });
    double sum = 0;
    for (size_t c = 0; c < cuts.size(); ++c)
    {
      arma::mat scores;
      network.Evaluate(data, cuts[c], scores);
      sum += cutWeights[c] * loss.Value(arma::mat(targets.cols(half)),
          arma::mat(scores.cols(half)), arma::rowvec(weights.cols(half)));
    }
    const double totalWeight = arma::accu(weights.cols(half));
    const double squares = arma::accu(arma::square(network.HiddenWeights())) +
        0.3 * arma::accu(arma::square(network.OutputWeights() / 1.5));
    REQUIRE(f.Evaluate(f.InitialPoint()) == Approx(sum / 0.7 +
        0.4 / 2 * squares / totalWeight));

    arma::mat p = f.InitialPoint() + 0.1 * arma::mat(f.NumParameters(), 1,
        arma::fill::randn);
    arma::mat gradient;
    REQUIRE(f.Evaluate(p, &gradient) == f.Evaluate(p));
    CheckGradient(f, p, gradient, 1e-7, 1e-5);

    // Batches of odd sizes add up to the whole.
    f.Shuffle();
    double batches = 0;
    arma::mat total(arma::size(p), arma::fill::zeros), part;
    const size_t size = 7;
    for (size_t begin = 0; begin < f.NumFunctions(); begin += size)
    {
      const size_t count = std::min(size, f.NumFunctions() - begin);
      batches += f.Evaluate(p, begin, count, &part);
      REQUIRE(f.Evaluate(p, begin, count) == Approx(f.Evaluate(p, begin,
          count, &part)));
      total += part;
    }
    REQUIRE(batches / totalWeight == Approx(f.Evaluate(p)));
    REQUIRE(Difference(arma::mat(total / totalWeight), gradient) < 1e-12);
  }
}

TEST_CASE("RefineFunctionObjective", "[RefineFunctionTest]")
{
  const Problem<arma::mat> problem(61, 3);
  arma::mat two, three;
  LogLoss binary, many;
  binary.Encode(problem.labels, 2, two);
  many.Encode(problem.threeLabels, 3, three);
  for (const GBNNActivation activation : { GBNNActivation::LOGISTIC,
      GBNNActivation::TANH })
  {
    CheckObjective(problem.data, two, binary, activation);
    CheckObjective(problem.data, three, many, activation);
    CheckObjective(problem.data, arma::mat(problem.response),
        SquaredErrorLoss(), activation);
    CheckObjective(problem.data, problem.responses, SquaredErrorLoss(),
        activation);
    CheckObjective(problem.data, problem.responses, HuberErrorLoss(0.7),
        activation);
    CheckObjective(problem.data, arma::mat(arma::abs(problem.responses)),
        PoissonLoss(), activation);
    // Their kinks are so few that no step of the differences meets one.
    CheckObjective(problem.data, problem.responses, AbsoluteLoss(), activation);
    CheckObjective(problem.data, arma::mat(arma::repmat(problem.response, 2,
        1)), QuantileLoss({ 0.2, 0.9 }), activation);
  }
}

//! The coordinates of a round: a gradient that is the derivative of the value,
//! the same values as those of the parameters, and, for a squared error and
//! output weights alone, a Hessian that is the identity.
TEST_CASE("RefineCoordinatesScale", "[RefineFunctionTest]")
{
  const Problem<arma::mat> problem(150, 3);
  const arma::mat targets = problem.responses;
  const SquaredErrorLoss loss;
  const auto network = SmallNetwork(problem.data, targets, loss,
      GBNNActivation::TANH);
  const arma::rowvec none, weights(150, arma::fill::randu);
  for (const auto& [cuts, cutWeights] : layouts)
  {
    RefineFunction<arma::mat, SquaredErrorLoss> f(problem.data, targets,
        weights, nullptr, network, loss, { 1.0, 1.0, cuts, cutWeights, 40,
        0.5 });
    const arma::mat start = f.InitialPoint() + 0.01;
    const RefineCoordinates<decltype(f), arma::mat> c(f, start, false);
    const arma::mat zero = c.InitialPoint();
    REQUIRE(SameBits(c.Parameters(zero), start));
    REQUIRE(c.Evaluate(zero) == f.Evaluate(start));

    arma::mat gradient, other;
    REQUIRE(c.EvaluateWithGradient(zero, gradient) == f.Evaluate(start));
    for (const double distance : { 0.0, 0.3 })
    {
      const arma::mat u = zero + distance;
      REQUIRE(c.EvaluateWithGradient(u, gradient) ==
          Approx(f.Evaluate(c.Parameters(u))));
      arma::mat batches(arma::size(u), arma::fill::zeros);
      for (size_t begin = 0; begin < 150; begin += 50)
      {
        c.EvaluateWithGradient(u, begin, other, 50);
        batches += other;
      }
      REQUIRE(Difference(arma::mat(batches / arma::accu(weights)), gradient) <
          1e-10);
      CheckGradient(c, u, gradient, 1e-6, 1e-4);
    }

    // All points are in the sample, and the penalty is part of it.
    c.EvaluateWithGradient(zero, gradient);
    const size_t first = 12 * 4, size = zero.n_elem - first;
    arma::mat hessian(size, size);
    for (size_t i = 0; i < size; ++i)
    {
      arma::mat u = zero;
      u[first + i] = 1;
      c.EvaluateWithGradient(u, other);
      hessian.col(i) = (other - gradient).eval().tail_rows(size);
    }
    // Nothing but the floor is left of a cut without weight.
    arma::vec diagonal(size, arma::fill::ones);
    for (size_t k = 0; k < cuts.size(); ++k)
      diagonal.subvec(24 + 2 * k, 25 + 2 * k).fill(cutWeights[k] > 0);
    REQUIRE(Difference(hessian, arma::mat(arma::diagmat(diagonal))) < 0.02);

    // Newton's step has length 1 where that is asked for.
    const RefineCoordinates<decltype(f), arma::mat> unit(f, start, true);
    unit.EvaluateWithGradient(zero, other);
    REQUIRE(Difference(
        arma::mat(unit.Parameters(-arma::normalise(other)) - start),
        arma::mat(c.Parameters(-gradient) - start)) < 1e-10);
  }
}

//! A small network for responses, and what it was made of.
struct SmallSquares
{
  const Problem<arma::mat> problem{ 150, 3 };
  arma::mat targets = problem.responses;
  const SquaredErrorLoss loss{};
  const arma::rowvec none;
  const BoostedNetwork<arma::mat> network = SmallNetwork(problem.data, targets,
      loss, GBNNActivation::TANH);

  //! The objective for two cuts; refers to all of it.
  RefineFunction<arma::mat, SquaredErrorLoss> Function(
      const double lossScale, const double l2) const
  {
    return RefineFunction<arma::mat, SquaredErrorLoss>(problem.data, targets,
        none, nullptr, network, loss, { 1.0, lossScale, { 4, 12 }, { 0.3, 0.7 },
        l2 });
  }
};

//! How far L-BFGS gets in coordinates of some precision: the objective before
//! and after a few steps.
template<typename RealType, typename FunctionType>
std::pair<double, double> Descend(FunctionType& f)
{
  const RefineCoordinates<FunctionType, arma::mat, RealType> c(f,
      f.InitialPoint(), true);
  arma::Mat<RealType> u = c.InitialPoint();
  ens::L_BFGS optimizer(10, 16);
  optimizer.MinGradientNorm() = 1e-10;
  optimizer.Factr() = 0;
  auto copy = c;
  const double value = optimizer.Optimize(copy, u);
  const double end = f.Evaluate(c.Parameters(u));
  REQUIRE(c.Objective(value) == Approx(end).epsilon(1e-6));
  return { f.Evaluate(f.InitialPoint()), end };
}

//! Single precision gets as far, however small the objective is: ensmallen's
//! L_BFGS takes a gradient that changes by less than about 1e-3 for one that
//! does not.
TEST_CASE("RefineCoordinatesSinglePrecision", "[RefineFunctionTest]")
{
  const SmallSquares small;
  for (const double lossScale : { 1e-4, 1.0, 1e8 })
  {
    auto f = small.Function(lossScale, 0);
    const auto [start, exact] = Descend<double>(f);
    const double single = Descend<float>(f).second;
    REQUIRE(exact < 0.8 * start);
    REQUIRE(start - single > 0.95 * (start - exact));
  }
}

//! Where nothing is left to gain, or a loss is infinite, nothing is scaled up.
TEST_CASE("RefineCoordinatesAtRest", "[RefineFunctionTest]")
{
  SmallSquares small;
  small.network.Evaluate(small.problem.data, 12, small.targets);
  RefineFunction<arma::mat, SquaredErrorLoss> rest(small.problem.data,
      small.targets, small.none, nullptr, small.network, small.loss, { 1.0, 1.0,
      { 12 }, { 1 }, 0 });
  const RefineCoordinates<decltype(rest), arma::mat, float> c(rest,
      rest.InitialPoint(), true);
  arma::fmat gradient;
  REQUIRE(c.EvaluateWithGradient(c.InitialPoint(), gradient) < 1e-20);
  REQUIRE(gradient.is_zero());

  small.targets.fill(arma::datum::inf);
  const RefineCoordinates<decltype(rest), arma::mat, float> infinite(rest,
      rest.InitialPoint() + 0.1, true);
  REQUIRE(std::isinf(infinite.EvaluateWithGradient(infinite.InitialPoint(),
      gradient)));
}

//! What is remembered of the last evaluation holds for another penalty, too,
//! and not for other parameters.
TEST_CASE("RefineFunctionRemembers", "[RefineFunctionTest]")
{
  const SmallSquares small;
  auto f = small.Function(1, 3);
  arma::mat parameters = f.InitialPoint(), gradient, expected;
  f.Evaluate(parameters, &gradient);
  for (const double l2 : { 3.0, 0.5, 0.0 })
  {
    f.L2() = l2;
    for (size_t i = 0; i < 2; ++i, parameters[7] += 0.1)
    {
      const auto fresh = small.Function(1, l2);
      const double value = fresh.Evaluate(parameters, &expected);
      for (size_t again = 0; again < 2; ++again)
      {
        REQUIRE(f.Evaluate(parameters, &gradient) == value);
        REQUIRE(SameBits(gradient, expected));
      }
    }
  }
}

//! The objective of a small network for counts, and what it refers to.
template<typename RealType>
struct SmallPoisson
{
  const Problem<arma::mat> problem{ 60, 3 };
  const arma::mat targets = arma::abs(arma::mat(problem.response));
  const PoissonLoss loss{};
  const arma::rowvec none;
  const BoostedNetwork<arma::mat> network = SmallNetwork(problem.data, targets,
      loss, GBNNActivation::TANH);
  RefineFunction<arma::mat, PoissonLoss, RealType> f;

  SmallPoisson(const std::vector<size_t>& cuts,
               const std::vector<double>& cutWeights) :
      f(problem.data, targets, none, nullptr, network, loss, { 1, 1, cuts,
          cutWeights, 0 })
  { }
};

//! A cut that does not count adds nothing, not even if its loss is infinite.
TEST_CASE("RefineCutWithoutWeight", "[RefineFunctionTest]")
{
  const SmallPoisson<double> small({ 3, 12 }, { 0, 1 });
  const auto& f = small.f;
  arma::mat parameters = f.InitialPoint(), gradient;
  const double value = f.Evaluate(parameters);
  // The bias of the first cut is the one before the last.
  parameters[parameters.n_elem - 2] = 1e6;
  REQUIRE(f.Evaluate(parameters, &gradient) == value);
  REQUIRE(gradient.is_finite());
}

//! Float gives what double gives.
TEST_CASE("RefineFunctionFloat", "[RefineFunctionTest]")
{
  const Problem<arma::mat> problem(200, 4);
  const arma::fmat data = arma::conv_to<arma::fmat>::from(problem.data);
  const arma::fmat targets = arma::conv_to<arma::fmat>::from(
      problem.responses);
  const SquaredErrorLoss loss;
  const auto network = SmallNetwork(data, targets, loss,
      GBNNActivation::LOGISTIC);
  const arma::frowvec none;
  const auto& [cuts, cutWeights] = layouts[1];
  const RefineFunction<arma::fmat, SquaredErrorLoss> f(data, targets, none,
      nullptr, network, loss, { 1, 1, cuts, cutWeights, 0.1 });
  double sum = 0;
  for (size_t c = 0; c < cuts.size(); ++c)
  {
    arma::fmat scores;
    network.Evaluate(data, cuts[c], scores);
    sum += cutWeights[c] * loss.Value(targets, scores, none);
  }
  const double squares = arma::accu(arma::square(network.HiddenWeights())) +
      arma::accu(arma::square(network.OutputWeights()));
  REQUIRE(f.Evaluate(f.InitialPoint()) == Approx(sum + 0.1 / 2 * squares / 200)
      .epsilon(1e-5));

  // The same network and points in double.
  const auto same = [](const auto& m)
  {
    return arma::conv_to<arma::mat>::from(m);
  };
  const arma::mat wideData = same(data), wideTargets = same(targets);
  auto wide = SmallNetwork(wideData, wideTargets, loss,
      GBNNActivation::LOGISTIC);
  arma::mat cutBiases(2, cuts.size());
  for (size_t c = 0; c < cuts.size(); ++c)
    cutBiases.col(c) = same(network.OutputBias().col(cuts[c]).eval());
  wide.Replace(same(network.HiddenWeights()), same(network.HiddenBias()),
      same(network.OutputWeights()), cuts, cutBiases, wideData,
      arma::rowvec());
  const arma::rowvec noWeights;
  const RefineFunction<arma::mat, SquaredErrorLoss> g(wideData, wideTargets,
      noWeights, nullptr, wide, loss, { 1, 1, cuts, cutWeights, 0.1 });
  REQUIRE(Difference(same(f.InitialPoint()), g.InitialPoint()) == 0);
  arma::fmat gradient;
  arma::mat wideGradient;
  REQUIRE(f.Evaluate(f.InitialPoint(), &gradient) ==
      Approx(g.Evaluate(g.InitialPoint(), &wideGradient))
      .epsilon(1e-5));
  REQUIRE(Difference(gradient, wideGradient) <
      1e-5 * arma::abs(wideGradient).max());
}

//! Units in single precision give nearly what double gives, however far the
//! points and the responses are from zero, and in batches, too.
template<typename LossType>
void CheckSinglePrecision(const Problem<arma::mat>& problem,
                          const arma::mat& targets,
                          const LossType& loss,
                          const GBNNActivation activation)
{
  const auto network = SmallNetwork(problem.data, targets, loss, activation);
  const arma::rowvec weights(problem.data.n_cols, arma::fill::randu);
  const arma::uvec half = arma::regspace<arma::uvec>(1, 2,
      problem.data.n_cols - 1);
  const auto& [cuts, cutWeights] = layouts[1];
  const double scoreScale = loss.ScoreScale(targets, weights);
  const RefineFunction<arma::mat, LossType> exact(problem.data, targets,
      weights, &half, network, loss, { scoreScale, 1, cuts, cutWeights, 0 });
  const arma::mat p = exact.InitialPoint();
  arma::mat gradient;
  const double value = exact.Evaluate(p, &gradient);

  // The same points elsewhere, and the network that fits them.
  const arma::vec shift = { 1e7, 0, -300, 1e-3 }, scale = { 1, 1e-9, 1e12, 1 };
  arma::mat moved = problem.data;
  moved.each_col() %= scale;
  moved.each_col() += shift;
  RefineFunction<arma::mat, LossType, float> f(moved, targets, weights, &half,
      network, loss, { scoreScale, 1, cuts, cutWeights, 0 });
  arma::mat q = p;
  for (size_t u = 0; u < 12; ++u)
  {
    for (size_t d = 0; d < 4; ++d)
    {
      q[u * 4 + d] /= scale[d];
      q[48 + u] -= q[u * 4 + d] * shift[d];
    }
  }
  arma::mat near, batch, total(arma::size(p), arma::fill::zeros);
  REQUIRE(f.Evaluate(q, &near) == Approx(value).epsilon(1e-6));
  double sum = 0;
  for (size_t begin = 0; begin < half.n_elem; begin += 25)
  {
    sum += f.Evaluate(q, begin, 25, &batch);
    total += batch;
  }
  REQUIRE(sum / f.TotalWeight() == Approx(value).epsilon(1e-6));
  total /= f.TotalWeight();
  for (arma::mat moving : { near, total })
  {
    // Back from the points as they are now to those that were.
    for (size_t u = 0; u < 12; ++u)
      for (size_t d = 0; d < 4; ++d)
        moving[u * 4 + d] = (moving[u * 4 + d] - shift[d] * moving[48 + u]) /
            scale[d];
    REQUIRE(Difference(moving, gradient) < 1e-5 * arma::abs(gradient).max());
  }
}

TEST_CASE("RefineFunctionSinglePrecision", "[RefineFunctionTest]")
{
  const Problem<arma::mat> problem(200, 4);
  for (const GBNNActivation activation : { GBNNActivation::LOGISTIC,
      GBNNActivation::TANH })
  {
    CheckSinglePrecision(problem, problem.responses, SquaredErrorLoss(),
        activation);
    CheckSinglePrecision(problem, arma::mat(1e6 + problem.responses),
        SquaredErrorLoss(), activation);
    CheckSinglePrecision(problem, arma::mat(arma::abs(problem.responses)),
        PoissonLoss(), activation);
    arma::mat targets;
    LogLoss loss;
    loss.Encode(problem.labels, 2, targets);
    CheckSinglePrecision(problem, targets, loss, activation);
    loss.Encode(problem.threeLabels, 3, targets);
    CheckSinglePrecision(problem, targets, loss, activation);
  }
}

//! Only how weights compare matters, not how large they are, and single
//! precision has room for all of them.
TEST_CASE("RefineFunctionWeights", "[RefineFunctionTest]")
{
  const Problem<arma::mat> problem(400, 4);
  arma::mat targets;
  LogLoss loss;
  loss.Encode(problem.threeLabels, 3, targets);
  const auto network = SmallNetwork(problem.data, targets, loss,
      GBNNActivation::LOGISTIC);
  const auto& [cuts, cutWeights] = layouts[1];
  const arma::rowvec equal(400, arma::fill::randu);
  const arma::rowvec fading = arma::exp(-arma::regspace<arma::rowvec>(0, 399));
  for (const arma::rowvec& weights : { equal, fading })
  {
    const RefineFunction<arma::mat, LogLoss> exact(problem.data, targets,
        weights, nullptr, network, loss, { 1, 1, cuts, cutWeights, 0 });
    arma::mat expected, gradient;
    const double value = exact.Evaluate(exact.InitialPoint(),
        &expected);
    for (const double scale : { 1e-200, 1e-45, 1.0, 1e60 })
    {
      const arma::rowvec scaled = scale * weights;
      const RefineFunction<arma::mat, LogLoss, float> f(problem.data, targets,
          scaled, nullptr, network, loss, { 1, 1, cuts, cutWeights, 0 });
      REQUIRE(f.Evaluate(f.InitialPoint(), &gradient) ==
          Approx(value).epsilon(1e-5));
      REQUIRE(Difference(gradient, expected) <
          1e-4 * arma::abs(expected).max());
    }
  }
}

//! The curvature from single precision is that from double, wherever the inputs
//! are, and whatever most of the points weigh.
TEST_CASE("RefineCurvature", "[RefineFunctionTest]")
{
  const Problem<arma::mat> problem(1000, 4);
  const arma::mat targets = problem.responses;
  const SquaredErrorLoss loss;
  const auto& [cuts, cutWeights] = layouts[1];
  // The heavy point is one that the curvature is not summed over.
  arma::rowvec weights(1000, arma::fill::randu);
  weights[999] = 1e60;
  for (const GBNNActivation activation : { GBNNActivation::LOGISTIC,
      GBNNActivation::TANH, GBNNActivation::RELU })
    for (const double scale : { 1e-5, 1.0, 1e20 })
      for (const double shift : { 0.0, 1e6 })
      {
        const arma::mat data = scale * (problem.data + shift);
        const auto network = SmallNetwork(problem.data, targets, loss,
            activation);
        for (const arma::rowvec& w : { arma::rowvec(), weights })
        {
          const RefineFunction<arma::mat, SquaredErrorLoss> exact(data, targets,
              w, nullptr, network, loss, { 1, 1, cuts, cutWeights, 0.1 });
          const RefineFunction<arma::mat, SquaredErrorLoss, float> f(data,
              targets, w, nullptr, network, loss, { 1, 1, cuts, cutWeights,
              0.1 });
          // Units that say of these inputs what the network says of others.
          arma::mat parameters = exact.InitialPoint();
          const size_t hidden = 12 * data.n_rows;
          parameters.head_rows(hidden) /= scale;
          for (size_t u = 0; u < 12; ++u)
            parameters[hidden + u] -= shift * scale * arma::accu(
                parameters.rows(4 * u, 4 * u + 3));
          const RefineCurvature expected = exact.Curvature(parameters);
          const RefineCurvature curvature = f.Curvature(parameters);
          REQUIRE(expected.output.is_finite());
          REQUIRE(Difference(curvature.output, expected.output) <
              1e-4 * arma::abs(expected.output).max());
          REQUIRE(Difference(curvature.hidden, expected.hidden) <
              1e-4 * arma::abs(expected.hidden).max());
        }
        // And units as large as the inputs.
        const RefineFunction<arma::mat, SquaredErrorLoss, float> large(data,
            targets, weights, nullptr, network, loss, { 1, 1, cuts, cutWeights,
            0.1 });
        REQUIRE(large.Curvature(large.InitialPoint()).output.is_finite());
      }
}

//! What is finite in double does not become infinite: weights of units, and
//! the derivative of a loss.
TEST_CASE("RefineFunctionStaysFinite", "[RefineFunctionTest]")
{
  const SmallPoisson<float> small({ 12 }, { 1 });
  const auto& f = small.f;
  arma::mat parameters = f.InitialPoint(), gradient;
  parameters.head_rows(20) *= 1e100;
  parameters[parameters.n_elem - 1] = 300;
  REQUIRE(std::isfinite(f.Evaluate(parameters, &gradient)));
  REQUIRE(gradient.is_finite());
}

//! Inputs that do not differ, or hardly, are no trouble in single precision.
TEST_CASE("InputFrameLimits", "[RefineFunctionTest]")
{
  const double minimum = std::numeric_limits<double>::denorm_min();
  const arma::mat data = { { 5, 5, 5 }, { 0, minimum, 2 * minimum },
      { -1e300, 0, 1e300 } };
  const gbnn::InputFrame<arma::mat, float> frame(data, nullptr,
      gbnn::PointCut(data.n_cols));
  for (size_t i = 0; i < data.n_cols; ++i)
    for (size_t d = 0; d < data.n_rows; ++d)
      REQUIRE(std::abs(frame(data(d, i), d)) <= 8);
  REQUIRE(frame(5, 0) == 0);
  REQUIRE(frame(1e300, 2) >= 4);
}

//! Scores that are too sure are cooled to where the loss is least; others stay.
TEST_CASE("RefineTemperature", "[RefineFunctionTest]")
{
  const Problem<arma::mat> problem(200, 4);
  arma::mat targets;
  LogLoss loss;
  loss.Encode(problem.threeLabels, 3, targets);
  GBNNClassifier<> model(12, 3);
  model.Train(problem.data, problem.threeLabels, 3);
  const auto& network = model.Boosted();
  arma::mat scores;
  network.Evaluate(problem.data, 12, scores);
  // Points that weigh as much as several, and those that weigh nothing.
  arma::rowvec weights(200, arma::fill::ones);
  weights.head(50).fill(3);
  weights.tail(20).zeros();
  for (const arma::rowvec& w : { arma::rowvec(), weights })
  {
    const auto at = [&](const arma::mat& some, const double temperature)
    {
      return loss.Value(targets, arma::mat(some / temperature), w);
    };
    for (const double factor : { 20.0, 100.0 })
    {
      const arma::mat sure = factor * scores;
      const gbnn::Tempered best = gbnn::BestTemperature(loss, targets, sure, w);
      REQUIRE(best.temperature > 1);
      REQUIRE(best.value == at(sure, best.temperature));
      for (const double other : { 0.8, 1.25, 1 / best.temperature })
        REQUIRE(at(sure, other * best.temperature) > best.value);
    }
    const arma::mat timid = scores / 1000;
    const gbnn::Tempered best = gbnn::BestTemperature(loss, targets, timid, w);
    REQUIRE(best.temperature == 1);
    REQUIRE(best.value == at(timid, 1));
  }

  // Dividing all scores does not change which is the largest.
  const arma::rowvec none;
  const auto& [cuts, cutWeights] = layouts[1];
  const RefineFunction<arma::mat, LogLoss> f(problem.data, targets, none,
      nullptr, network, loss, { 1, 1, cuts, cutWeights, 0 });
  arma::mat cooled = f.InitialPoint(), after;
  f.Cool(cooled, 7);
  BoostedNetwork<arma::mat> colder = network;
  f.Update(cooled, colder);
  colder.Evaluate(problem.data, 12, after);
  REQUIRE(Difference(arma::mat(scores / 7), after) < 1e-12);
}

//! The scores of some points, with all units, are those that the network has.
TEMPLATE_TEST_CASE("RefineScores", "[RefineFunctionTest]", double, float)
{
  const Problem<arma::mat> problem(1001, 4);
  const arma::rowvec none;
  arma::mat targets;
  LogLoss loss;
  loss.Encode(problem.threeLabels, 3, targets);
  GBNNClassifier<> model(12, 3);
  model.Train(problem.data, problem.threeLabels, 3);
  const arma::uvec some = arma::regspace<arma::uvec>(3, 2, 1000);
  for (const arma::uvec* points : { (const arma::uvec*) nullptr, &some })
    for (const auto& [cuts, cutWeights] : layouts)
    {
      const RefineFunction<arma::mat, LogLoss, TestType> f(problem.data,
          targets, none, points, model.Boosted(), loss, { 2.5, 1, cuts,
          cutWeights, 0.1 });
      arma::mat expected;
      model.Boosted().Evaluate(points ? arma::mat(problem.data.cols(some)) :
          problem.data, 12, expected);
      const arma::mat scores = f.Scores(f.InitialPoint());
      REQUIRE(scores.n_cols == expected.n_cols);
      REQUIRE(Difference(scores, expected) <
          (std::is_same_v<TestType, double> ? 1e-12 : 1e-4));
    }
}

//! At a cut the bias is the one that was trained; between cuts the mean output
//! over the training data lies between those of the cuts.
TEST_CASE("RefineBiasBetweenCuts", "[RefineFunctionTest]")
{
  const Problem<arma::mat> problem(300, 3);
  const arma::mat targets(problem.response);
  auto network = SmallNetwork(problem.data, targets, SquaredErrorLoss(),
      GBNNActivation::TANH);
  const double start = network.OutputBias()(0, 0);
  const arma::mat biases = { 1.0, -2.0 };
  network.Replace(network.HiddenWeights(), network.HiddenBias(),
      network.OutputWeights(), { 4, 12 }, biases, problem.data, arma::rowvec());
  REQUIRE(network.OutputBias()(0, 0) == start);
  REQUIRE(network.OutputBias()(0, 4) == 1.0);
  REQUIRE(network.OutputBias()(0, 12) == -2.0);
  arma::vec means(13);
  for (size_t k = 0; k <= 12; ++k)
  {
    arma::mat scores;
    network.Evaluate(problem.data, k, scores);
    means[k] = arma::mean(arma::vectorise(scores));
  }
  for (size_t k = 1; k < 4; ++k)
    REQUIRE(means[k] == Approx(means[0] + (means[4] - means[0]) * k / 4));
  for (size_t k = 5; k < 12; ++k)
    REQUIRE(means[k] == Approx(means[4] + (means[12] - means[4]) * (k - 4) /
        8));
}
