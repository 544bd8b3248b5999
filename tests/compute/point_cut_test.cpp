/**
 * @file tests/compute/point_cut_test.cpp
 *
 * Points in cells: none is lost, and none counts twice.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;
using namespace mlpack::gbnn;

//! Cells follow each other, and have about the same size.
TEST_CASE("PointCutCells", "[PointCutTest]")
{
  for (const size_t points : { 0, 1, 100, 8191, 8192, 9000, 100001, 131072,
      3000000, 40000000 })
  {
    const PointCut cut(points);
    REQUIRE(cut.Points() == points);
    REQUIRE(cut.Begin(0) == 0);
    REQUIRE(cut.Begin(cut.LocalCells()) == points);
    REQUIRE(cut.LocalCells() == cut.Cells());
    for (size_t c = 0; c < cut.Cells() && cut.Cells() > 1; ++c)
    {
      const size_t size = cut.Begin(c + 1) - cut.Begin(c);
      REQUIRE(std::abs(double(size) - double(points) / double(cut.Cells())) <=
          128);
    }
  }
  REQUIRE(PointCut(8191).Cells() == 1);
  REQUIRE(PointCut(8192).Cells() == 2);
  REQUIRE(PointCut(3000000).Cells() == 32);
  REQUIRE(PointCut(40000000).Cells() == 256);
}

//! Sums of whole numbers are exact in any order.
TEST_CASE("PointCutSums", "[PointCutTest]")
{
  for (const size_t points : { 1, 5000, 9000, 100001 })
  {
    const arma::rowvec none;
    const double expected = double(points) * double(points - 1) / 2;
    const auto add = [](const size_t i, const double weight, double* sum)
    {
      sum[0] += weight * double(i);
      sum[1] += weight;
    };
    REQUIRE(SumOverPoints(points, none, 2, add)[0] == expected);
    const PointCut cut(points);
    const PointScope scope(&cut);
    const arma::vec sums = SumOverPoints(points, none, 2, add);
    REQUIRE(sums[0] == expected);
    REQUIRE(sums[1] == double(points));
    REQUIRE(cut.SumOfCells([](const size_t begin, const size_t end)
        { return double(end - begin); }) == double(points));

    // Every third point, with the cells of all.
    const arma::uvec some = arma::regspace<arma::uvec>(0, 3, points - 1);
    const PointCut subset = cut.Subset(&some);
    REQUIRE(subset.Cells() == cut.Cells());
    REQUIRE(subset.TotalPoints() == some.n_elem);
    for (size_t c = 0; c < cut.Cells(); ++c)
      for (size_t i = subset.Begin(c); i < subset.Begin(c + 1); ++i)
        REQUIRE((some[i] >= cut.Begin(c) && some[i] < cut.Begin(c + 1)));
  }
}

//! Several cells give what their points give by themselves.
TEMPLATE_TEST_CASE("PointCutObjectives", "[PointCutTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  using RowType = arma::Row<ElemType>;
  const double tolerance = std::is_same_v<ElemType, double> ? 1e-10 : 1e-3;
  const size_t points = 20000, parts = 4, each = points / parts;
  const Problem<TestType> problem(points, 3);
  auto random = TestRandom(5);
  RowType weights(points);
  for (ElemType& weight : weights)
    weight = ElemType(random.Uniform());
  const TestType residuals = problem.response;
  const arma::uvec some = arma::regspace<arma::uvec>(0, 2, points - 1);

  const auto function = [&](const TestType& data, const TestType& targets,
      const RowType& pointWeights, const arma::uvec* chosen)
  {
    return StageFunction<TestType>(data, targets, pointWeights, chosen, 2,
        GBNNActivation::LOGISTIC, 0.0);
  };
  for (const bool all : { true, false })
  {
    const auto whole = function(problem.data, residuals, weights,
        all ? nullptr : &some);
    REQUIRE(whole.Cut().Cells() == 4);
    const TestType parameters = whole.InitialPoint(random);
    TestType gradient;
    const double value = whole.EvaluateWithGradient(parameters, gradient);
    StageSums<TestType> sums(whole, 1000);
    const arma::vec hidden = arma::conv_to<arma::vec>::from(
        parameters.head_rows(2 * (problem.data.n_rows + 1)));
    sums.Evaluate(hidden);

    double sum = 0, weight = 0;
    TestType gradients(arma::size(gradient), arma::fill::zeros);
    arma::mat uu(3, 3, arma::fill::zeros), ur(3, 1, arma::fill::zeros);
    for (size_t p = 0; p < parts; ++p)
    {
      const size_t first = p * each, last = first + each - 1;
      const TestType data = problem.data.cols(first, last);
      const TestType targets = residuals.cols(first, last);
      const RowType pointWeights = weights.cols(first, last);
      const arma::uvec chosen = arma::regspace<arma::uvec>(0, 2, each - 1);
      const auto part = function(data, targets, pointWeights,
          all ? nullptr : &chosen);
      REQUIRE(part.Cut().Cells() == 1);
      TestType ofPart;
      sum += part.TotalWeight() * part.EvaluateWithGradient(parameters, ofPart);
      gradients += ElemType(part.TotalWeight()) * ofPart;
      weight += part.TotalWeight();
      StageSums<TestType> partSums(part, 1000);
      partSums.Evaluate(hidden);
      uu += partSums.UU();
      ur += partSums.UR();
    }
    REQUIRE(whole.TotalWeight() == Approx(weight).epsilon(tolerance));
    REQUIRE(value == Approx(sum / weight).epsilon(tolerance));
    REQUIRE(Difference(gradient, TestType(gradients / ElemType(weight))) <
        tolerance);
    REQUIRE(Difference(sums.UU(), uu) < tolerance * weight);
    REQUIRE(Difference(sums.UR(), ur) < tolerance * weight);
  }
}
