/**
 * @file tests/compute/hidden_sums_test.cpp
 *
 * Sums of hidden units over piecewise-linear inputs, and their gradients,
 * against those over the pieces themselves.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;
using namespace mlpack::gbnn;

namespace {

//! Points in bins: positions, and all of their pieces.
template<typename MatType>
struct BinnedPoints
{
  using ElemType = typename MatType::elem_type;

  MatType positions;
  MatType inputs;
  InputPieces pieces;

  //! The second of five dimensions is constant, the third has two values.
  BinnedPoints(const size_t points, const size_t bins)
  {
    arma::arma_rng::set_seed(bins);
    MatType data(5, points, arma::fill::randn);
    data.row(1).fill(3);
    data.row(2) = arma::sign(data.row(2));
    PiecewiseLinear encoding(bins);
    encoding.Fit(data);
    // Some at the edges, some beyond them, and one that is missing.
    for (size_t i = 0; i < points; i += 7)
    {
      const arma::vec& edges = encoding.Edges(0);
      data(0, i) = ElemType(edges[i % edges.n_elem]);
      data(3, i) *= 10;
    }
    data(4, 0) = std::numeric_limits<ElemType>::quiet_NaN();
    encoding.Positions(data, positions);
    encoding.Transform(data, inputs);
    pieces = InputPieces(encoding.NumBins());
  }
};

const size_t binsToTest[] = { 1, 2, 16, 40, 256 };

} // namespace

//! More rows than single precision can count.
TEMPLATE_TEST_CASE("PlacesOfManyPieces", "[HiddenSumsTest]", double, float)
{
  const size_t dimensions = 70000, bins = 250;
  const InputPieces pieces(std::vector<size_t>(dimensions, bins));
  arma::Col<TestType> positions(dimensions), expected(pieces.PlacesSize());
  for (size_t d = 0; d < dimensions; ++d)
    positions[d] = TestType((d * 7 % 1003) / 4.0);
  pieces.Places(positions.memptr(), expected.memptr());

  constexpr size_t size = StripSize<TestType>;
  arma::Col<TestType> strip(dimensions * size), found(pieces.PlaceRows() *
      size);
  for (size_t d = 0; d < dimensions; ++d)
    strip.subvec(d * size, (d + 1) * size - 1).fill(positions[d]);
  FindPlaces<TestType>({ strip.memptr(), dimensions }, pieces.Bins().data(),
      { found.memptr(), pieces.PlaceRows() }, 1);
  size_t different = 0;
  for (size_t i = 0; i < expected.n_elem; i += 2)
  {
    UnsignedOf<TestType> wanted, row;
    std::memcpy(&wanted, &expected[i], sizeof(wanted));
    std::memcpy(&row, &found[i * size], sizeof(row));
    // Between two bins, it is the end of one or the start of the other.
    different += (expected[i + 1] != 0 && row != wanted);
  }
  REQUIRE(different == 0);
}

TEMPLATE_TEST_CASE("HiddenSumsAreThoseOfPieces", "[HiddenSumsTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  for (const size_t bins : binsToTest)
  {
    const BinnedPoints<TestType> points(150, bins);
    const size_t inputs = points.inputs.n_rows, units = 11;
    const size_t count = points.positions.n_cols;
    REQUIRE(points.pieces.Inputs(5) == inputs);
    const TestType weights(inputs, units, arma::fill::randn);
    const arma::Col<ElemType> biases(units, arma::fill::randn);
    const WeightView<const ElemType> view = { weights.memptr(), inputs, 1 };

    const PointBlocks<TestType> blocks(points.positions, count, points.pieces);
    arma::Col<ElemType> scratch(blocks.ScratchSize() + 1000);
    const auto block = blocks.PackAny([](const size_t i) { return i; }, count,
        scratch.memptr());
    const size_t strips = NumStrips<ElemType>(count);
    HiddenSums<ElemType> sums;
    // Units that come later, some of the same group.
    sums.Set(points.pieces, view, biases.memptr(), 0, 3);
    sums.Set(points.pieces, view, biases.memptr(), 3, units);

    for (const size_t first : { 0, 2, 9 })
    {
      const size_t some = units - first;
      arma::Col<ElemType> memory(some * strips * StripSize<ElemType>);
      const Strips<ElemType> out = { memory.memptr(), some };
      sums.Compute(points.pieces, block, view, biases.memptr(), first, out,
          strips);
      TestType result(some, count);
      for (size_t i = 0; i < count; ++i)
        for (size_t u = 0; u < some; ++u)
          result(u, i) = out.Row(i / StripSize<ElemType>, u)
              [i % StripSize<ElemType>];
      TestType expected = weights.tail_cols(some).t() * points.inputs;
      expected.each_col() += biases.tail(some);
      REQUIRE(Difference(result, expected) < Tolerance<ElemType> *
          arma::accu(arma::abs(weights.col(0))));
    }
  }
}

TEMPLATE_TEST_CASE("HiddenGradientIsThatOfPieces", "[HiddenSumsTest]",
    arma::mat, arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  for (const size_t bins : binsToTest)
  {
    // More points than are summed up in single precision at once.
    const size_t count = 9000, units = 11;
    const BinnedPoints<TestType> points(count, bins);
    const size_t inputs = points.inputs.n_rows;
    const TestType errors(units, count, arma::fill::randn);
    const arma::mat expected = arma::conv_to<arma::mat>::from(points.inputs) *
        arma::conv_to<arma::mat>::from(errors).t();

    const size_t size = 512;
    const PointBlocks<TestType> blocks(points.positions, size, points.pieces);
    const PointBlocks<TestType> errorBlocks(errors, size, InputPieces());
    arma::Col<ElemType> scratch(blocks.ScratchSize());
    arma::Col<ElemType> errorScratch(errorBlocks.ScratchSize());
    arma::mat result(inputs, units, arma::fill::zeros);
    const WeightView<double> view = { result.memptr(), inputs, 1 };
    HiddenGradient<ElemType, double> gradient, more;
    gradient.Clear(points.pieces, units);
    more.Clear(points.pieces, units);
    for (size_t b = 0; b < blocks.NumBlocks(); ++b)
    {
      HiddenGradient<ElemType, double>& to = (b < 12) ? gradient : more;
      const size_t strips = NumStrips<ElemType>(blocks.Count(b));
      to.Add(points.pieces, errorBlocks.Block(b, errorScratch.memptr()),
          blocks.Block(b, scratch.memptr()), view, strips);
      to.EndBlock(blocks.Count(b));
    }
    gradient.Add(more);
    gradient.Finish(points.pieces, units, view);
    REQUIRE(Difference(result, expected) < Tolerance<ElemType> * count);
  }
}

TEMPLATE_TEST_CASE("StageOfPiecesHasTheRightGradient", "[HiddenSumsTest]",
    arma::mat, arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  for (const size_t bins : binsToTest)
  {
    const BinnedPoints<TestType> points(300, bins);
    const TestType targets(2, 300, arma::fill::randn);
    const arma::Row<ElemType> weights(300, arma::fill::randu);
    const size_t units = 3;
    const gbnn::Random random(1, RandomStream::STAGE_ORDER);
    const StageFunction<TestType> function(points.positions, targets, weights,
        nullptr, units, GBNNActivation::TANH, 0.1, random, points.pieces);
    const StageFunction<TestType> dense(points.inputs, targets, weights,
        nullptr, units, GBNNActivation::TANH, 0.1);
    gbnn::Random start(2, RandomStream::STAGE);
    const TestType parameters = dense.InitialPoint(start);
    TestType gradient, expected;
    const ElemType value = function.EvaluateWithGradient(parameters, gradient);
    REQUIRE(double(value) == Approx(dense.EvaluateWithGradient(parameters,
        expected)).epsilon(20 * Tolerance<ElemType>));
    REQUIRE(Difference(gradient, expected) < 20 * Tolerance<ElemType>);
    REQUIRE(function.Evaluate(parameters) == value);

    // Differences of values, in the precise type only.
    for (size_t i = 0; i < parameters.n_elem && sizeof(ElemType) == 8;
        i += 1 + parameters.n_elem / 40)
    {
      TestType above = parameters, below = parameters;
      above[i] += ElemType(1e-5);
      below[i] -= ElemType(1e-5);
      const double slope = (double(function.Evaluate(above)) -
          double(function.Evaluate(below))) / 2e-5;
      REQUIRE(double(gradient[i]) == Approx(slope).margin(1e-7));
    }

    // A batch is a part of the sum.
    TestType first, second;
    function.EvaluateWithGradient(parameters, 0, first, 100);
    function.EvaluateWithGradient(parameters, 100, second, 200);
    const TestType sum = (first + second) / ElemType(function.TotalWeight());
    // Each has its share of the penalty.
    TestType denseFirst, denseSecond;
    dense.EvaluateWithGradient(parameters, 0, denseFirst, 100);
    dense.EvaluateWithGradient(parameters, 100, denseSecond, 200);
    REQUIRE(Difference(sum, TestType((denseFirst + denseSecond) /
        ElemType(dense.TotalWeight()))) < 20 * Tolerance<ElemType>);
  }
}

TEST_CASE("RefinementOfPiecesHasTheRightGradient", "[HiddenSumsTest]")
{
  for (const size_t bins : { 2, 16, 256 })
  {
    const size_t count = 500, units = 20;
    const BinnedPoints<arma::mat> points(count, bins);
    const arma::mat targets(1, count, arma::fill::randn);
    const arma::rowvec weights;
    const arma::vec start(1, arma::fill::zeros), factor(1, arma::fill::ones);
    BoostedNetwork<arma::mat> network(5, start, GBNNActivation::TANH,
        points.pieces);
    BoostedNetwork<arma::mat> dense(points.inputs.n_rows, start,
        GBNNActivation::TANH);
    const arma::mat parameters(units * (points.inputs.n_rows + 2) + 1, 1,
        arma::fill::randn);
    arma::mat scores(1, count, arma::fill::zeros), denseScores = scores;
    network.Append(parameters / 10, units, factor, points.positions, scores);
    dense.Append(parameters / 10, units, factor, points.inputs, denseScores);
    REQUIRE(Difference(scores, denseScores) < 1e-11);

    const SquaredErrorLoss loss;
    const RefineTerms terms = { 1, 1, { 5, 7, 20 }, { 0.2, 0.3, 0.5 }, 0.1 };
    const RefineFunction<arma::mat, SquaredErrorLoss> function(
        points.positions, targets, weights, nullptr, network, loss, terms);
    const RefineFunction<arma::mat, SquaredErrorLoss> expected(points.inputs,
        targets, weights, nullptr, dense, loss, terms);
    const RefineFunction<arma::mat, SquaredErrorLoss, float> fast(
        points.positions, targets, weights, nullptr, network, loss, terms);
    arma::mat gradient, denseGradient, fastGradient;
    const double value = expected.Evaluate(expected.InitialPoint(),
        &denseGradient);
    REQUIRE(function.Evaluate(function.InitialPoint(), &gradient) ==
        Approx(value).epsilon(1e-11));
    REQUIRE(Difference(gradient, denseGradient) < 1e-11);
    REQUIRE(fast.Evaluate(fast.InitialPoint(), &fastGradient) ==
        Approx(value).epsilon(1e-4));
    REQUIRE(Difference(fastGradient, denseGradient) < 1e-4 *
        (1 + arma::abs(denseGradient).max()));
    const RefineCurvature curvature = function.Curvature(
        function.InitialPoint());
    const RefineCurvature denseCurvature = expected.Curvature(
        expected.InitialPoint());
    REQUIRE(Difference(curvature.output, denseCurvature.output) < 1e-10);
    REQUIRE(Difference(curvature.hidden, denseCurvature.hidden) < 1e-10);
  }
}

TEST_CASE("PredictionsOfPiecesAgree", "[HiddenSumsTest]")
{
  const size_t count = 200, units = 45;
  const BinnedPoints<arma::mat> points(count, 16);
  const arma::vec start(2, arma::fill::randn), factor(2, arma::fill::ones);
  BoostedNetwork<arma::mat> network(5, start, GBNNActivation::LOGISTIC,
      points.pieces);
  BoostedNetwork<arma::mat> dense(points.inputs.n_rows, start,
      GBNNActivation::LOGISTIC);
  arma::mat scores(2, count, arma::fill::zeros), denseScores = scores;
  for (size_t u = 0; u < units; u += 3)
  {
    const arma::mat parameters(3 * (points.inputs.n_rows + 3) + 2, 1,
        arma::fill::randn);
    network.Append(parameters, 3, factor, points.positions, scores);
    dense.Append(parameters, 3, factor, points.inputs, denseScores);
  }
  for (const size_t k : { 0, 1, 17, 45 })
  {
    dense.Evaluate(points.inputs, k, denseScores);
    network.Evaluate(points.positions, k, scores);
    REQUIRE(Difference(scores, denseScores) < 1e-11);
    for (size_t i = 0; i < count; i += 9)
    {
      arma::vec score;
      network.EvaluatePoint(points.positions.col(i), k, score);
      REQUIRE(Difference(score, arma::vec(denseScores.col(i))) < 1e-11);
    }
  }
  network.EvaluateStaged(points.positions, units, [&](const size_t k,
      const size_t first, const arma::mat& block)
  {
    arma::mat expected;
    dense.Evaluate(points.inputs.cols(first, first + block.n_cols - 1), k,
        expected);
    if (Difference(block, expected) > 1e-11)
      throw std::runtime_error("EvaluateStaged");
  });

  // What is left of a network, and what is appended to that.
  network.Truncate(7);
  dense.Truncate(7);
  const arma::mat more(2 * (points.inputs.n_rows + 3) + 2, 1,
      arma::fill::randn);
  network.Append(more, 2, factor, points.positions, scores);
  dense.Append(more, 2, factor, points.inputs, denseScores);
  network.Evaluate(points.positions, 23, scores);
  dense.Evaluate(points.inputs, 23, denseScores);
  REQUIRE(Difference(scores, denseScores) < 1e-11);
}
