/**
 * @file tests/loss_functions/more_losses_test.cpp
 *
 * The losses for regression beside the squared error: every formula by hand or
 * against brute force; gbnn_loss_training_test.cpp trains with them.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

namespace {

//! The c in the given range at which f is least, by looking everywhere and then
//! ever closer.
template<typename FunctionType>
double BruteForce(double low, double high, const FunctionType& f)
{
  for (size_t round = 0; round < 12; ++round)
  {
    const arma::vec grid = arma::linspace(low, high, 401);
    arma::vec values(grid.n_elem);
    for (size_t i = 0; i < grid.n_elem; ++i)
      values[i] = f(grid[i]);
    const size_t best = values.index_min();
    low = grid[best == 0 ? 0 : best - 1];
    high = grid[std::min<size_t>(best + 1, grid.n_elem - 1)];
  }
  return (low + high) / 2;
}

//! Each loss with targets that it can have, for outputs of two kinds.
template<typename FunctionType>
void ForEachLoss(const FunctionType& f)
{
  arma::arma_rng::set_seed(6);
  const arma::mat one(1, 40, arma::fill::randn), two(2, 40, arma::fill::randn);
  f(AbsoluteLoss(), one);
  f(AbsoluteLoss(), two);
  f(HuberErrorLoss(0.5), one);
  f(HuberErrorLoss(0.7), two);
  f(QuantileLoss({ 0.3 }), one);
  f(QuantileLoss({ 0.05, 0.5, 0.9 }), one);
  f(PoissonLoss(), arma::mat(arma::floor(2 * arma::abs(one))));
  f(PoissonLoss(), arma::mat(arma::abs(two)));
}

//! The targets of responses.
template<typename LossType, typename MatType>
MatType Targets(const LossType& loss, const MatType& responses)
{
  MatType targets;
  loss.Encode(responses, targets);
  return targets;
}

//! How much smaller the mean loss becomes.
template<typename LossType, typename MatType>
double Rise(const LossType& loss,
            const MatType& targets,
            const MatType& after,
            const MatType& before,
            const arma::Row<typename MatType::elem_type>& weights)
{
  return loss.Value(targets, after, weights) -
      loss.Value(targets, before, weights);
}

} // namespace

TEST_CASE("WeightedQuantileByHand", "[MoreLossesTest]")
{
  using Values = std::vector<gbnn::WeightedValue>;
  const auto quantile = [](Values values, const double goal)
  {
    return gbnn::WeightedQuantile(values, goal);
  };
  // The median of three, of four (the middle of two), and of one.
  REQUIRE(quantile({ { 3, 1 }, { 1, 1 }, { 2, 1 } }, 1.5) == 2);
  REQUIRE(quantile({ { 3, 1 }, { 1, 1 }, { 2, 1 }, { 7, 1 } }, 2) == 2.5);
  REQUIRE(quantile({ { 4, 0.3 } }, 0.15) == 4);
  // Weights: below 1 there is 1 of 5, below 2 there are 4.
  REQUIRE(quantile({ { 3, 1 }, { 1, 1 }, { 2, 3 } }, 2.5) == 2);
  REQUIRE(quantile({ { 3, 1 }, { 1, 1 }, { 2, 3 } }, 0.5) == 1);
  REQUIRE(quantile({ { 3, 1 }, { 1, 1 }, { 2, 3 } }, 4.5) == 3);
  REQUIRE(quantile({ { 3, 1 }, { 1, 1 }, { 2, 3 } }, 4) == 2.5);
  // Ties.
  REQUIRE(quantile({ { 1, 1 }, { 1, 1 }, { 1, 1 }, { 9, 1 } }, 2) == 1);
  REQUIRE(quantile({ { 1, 1 }, { 1, 1 }, { 9, 1 }, { 9, 1 } }, 2) == 5);
  REQUIRE(quantile({ { 1, 1 }, { 9, 1 } }, 2) == 9);
}

TEMPLATE_TEST_CASE("AbsoluteLossByHand", "[MoreLossesTest]", arma::mat,
    arma::fmat)
{
  using RowType = arma::Row<typename TestType::elem_type>;
  const AbsoluteLoss loss;
  const TestType y = { { 1, 2, 9 }, { -1, -2, 5 } };
  REQUIRE(Difference(loss.Start(y, RowType()), arma::vec({ 2, -1 })) == 0);
  // Weights 3, 1, 1: half of the weight is 2.5, which the first point has.
  REQUIRE(Difference(loss.Start(y, RowType({ 3, 1, 1 })),
      arma::vec({ 1, -1 })) == 0);
  const TestType f = { { 2, 2, 2 }, { -2, -2, -2 } };
  TestType r;
  loss.Residuals(y, f, r);
  REQUIRE(SameBits(r, TestType({ { -1, 0, 1 }, { 1, 0, 1 } })));
  // (1 + 1 + 0 + 0 + 7 + 7) / 3.
  REQUIRE(loss.Value(y, f, RowType()) == Approx(16.0 / 3));
  REQUIRE(loss.Value(y, f, RowType({ 2, 1, 0 })) == Approx(4.0 / 3));
  // The kinks of the first output are at -1 / 2, 0 / 1 and 7 / -1 with weights
  // 2, 1, 1: the median is any number from -1/2 to 0.  Those of the second are
  // at 1 and 7 / 4 with weights 1 and 4.
  const TestType h = { { 2, 1, -1 }, { 1, 0, 4 } };
  REQUIRE(Difference(loss.Step(y, f, r, h, RowType()),
      arma::vec({ -0.5, 1.75 })) < 1e-6);
  REQUIRE(arma::all(loss.Step(y, f, r, TestType(2, 3, arma::fill::zeros),
      RowType()) == 0));
}

TEMPLATE_TEST_CASE("QuantileLossByHand", "[MoreLossesTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  using RowType = arma::Row<ElemType>;
  const QuantileLoss loss({ 0.25, 0.9 });
  const TestType y = Targets(loss, TestType({ { 5, 1, 3, 2, 4 } }));
  REQUIRE(y.n_rows == 2);
  // 0.25 * 5 = 1.25 points lie below 2, 4.5 below 5.
  REQUIRE(Difference(loss.Start(y, RowType()), arma::vec({ 2, 5 })) == 0);
  TestType f(2, 5);
  f.row(0).fill(2);
  f.row(1).fill(5);
  TestType r;
  loss.Residuals(y, f, r);
  REQUIRE(Difference(r, arma::mat({ { 0.25, -0.75, 0.25, 0, 0.25 },
      { 0, -0.1, -0.1, -0.1, -0.1 } })) < 1e-6);
  // Output 1: 0.25 (3 + 1 + 2) + 0.75 * 1 = 2.25; output 2: 0.1 (4 + 2 + 3 +
  // 1).
  REQUIRE(loss.Value(y, f, RowType()) == Approx((2.25 + 1) / 5).epsilon(1e-6));
  REQUIRE(loss.Error(5, 2, 0) == Approx(0.75));
  REQUIRE(loss.Error(1, 2, 1) == Approx(0.1));
}

TEMPLATE_TEST_CASE("HuberErrorLossByHand", "[MoreLossesTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  using RowType = arma::Row<ElemType>;
  const double tolerance = Tolerance<ElemType>;
  const HuberErrorLoss loss(2);
  const TestType y = { { 0, 1, 3, 20 } };
  // With the last one clipped: (c - 0) + (c - 1) + (c - 3) = 2 gives c = 2,
  // from which the others are no farther than 2.
  REQUIRE(Difference(loss.Start(y, RowType()), arma::vec({ 2 })) < tolerance);
  // 2 c + (c - 1) + (c - 3) = 2 gives 1.5.
  REQUIRE(Difference(loss.Start(y, RowType({ 2, 1, 1, 1 })),
      arma::vec({ 1.5 })) < tolerance);
  const TestType f(1, 4, arma::fill::ones);
  TestType r;
  loss.Residuals(y, f, r);
  REQUIRE(SameBits(r, TestType({ { -1, 0, 2, 2 } })));
  // 1/2 + 0 + 2 + 2 (19 - 1) = 38.5.
  REQUIRE(loss.Value(y, f, RowType()) == Approx(38.5 / 4));
  // h = 1, 1, 1, 0: -(1 + c) - c + (2 - c) = 0 gives c = 1/3.
  REQUIRE(Difference(loss.Step(y, f, r, TestType({ { 1, 1, 1, 0 } }),
      RowType()), arma::vec({ 1.0 / 3 })) < tolerance);
  REQUIRE(loss.Step(y, f, r, TestType(1, 4, arma::fill::zeros),
      RowType())[0] == 0);
}

//! Delta is the median distance from the median, each response has its own, and
//! it stays what it was when training began.
TEMPLATE_TEST_CASE("HuberErrorLossChoosesDelta", "[MoreLossesTest]", arma::mat,
    arma::fmat)
{
  using RowType = arma::Row<typename TestType::elem_type>;
  HuberErrorLoss loss;
  // Medians 3 and 0; distances 2, 1, 0, 1, 97 and 10, 20, 0, 40, 30.
  loss.Prepare(TestType({ { 1, 2, 3, 4, 100 }, { -10, 20, 0, -40, 30 } }),
      RowType());
  REQUIRE(loss.Delta() == 0);
  REQUIRE(loss.Delta(0) == 1);
  REQUIRE(loss.Delta(1) == 20);
  // More than half are the same: the mean distance; all are: any will do.
  loss.Prepare(TestType({ { 3, 3, 3, 3, 8 }, { 4, 4, 4, 4, 4 } }), RowType());
  REQUIRE(loss.Delta(0) == 1);
  REQUIRE(loss.Delta(1) == 1);
  HuberErrorLoss given(7);
  given.Prepare(TestType({ { 1, 2, 3, 4, 100 } }), RowType());
  REQUIRE(given.Delta(0) == 7);

  const Problem<TestType> problem(80, 2);
  GBNNRegressor<TestType, HuberErrorLoss> model(problem.data, problem.response,
      9, 3);
  const double delta = model.Loss().Delta(0);
  REQUIRE(delta > 0);
  model.Grow(problem.data, TestType(100 * problem.response), 3);
  REQUIRE(model.Loss().Delta(0) == delta);
  model.Refine(problem.data, TestType(100 * problem.response));
  REQUIRE(model.Loss().Delta(0) == delta);
  model.Train(problem.data, TestType(4 * problem.response));
  REQUIRE(model.Loss().Delta(0) == Approx(4 * delta).epsilon(1e-6));
}

TEMPLATE_TEST_CASE("PoissonLossByHand", "[MoreLossesTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  using RowType = arma::Row<ElemType>;
  const double tolerance = Tolerance<ElemType>;
  const PoissonLoss loss;
  const TestType y = { { 0, 1, 5 } };
  REQUIRE(Difference(loss.Start(y, RowType()), arma::vec({ std::log(2.0) })) <
      tolerance);
  REQUIRE(Difference(loss.Start(y, RowType({ 1, 1, 0 })),
      arma::vec({ std::log(0.5) })) < tolerance);
  TestType f(1, 3, arma::fill::zeros), r, p(f);
  loss.Residuals(y, f, r);
  REQUIRE(Difference(r, arma::mat({ { -1, 0, 4 } })) < tolerance);
  // exp(0) - 0 - y + y ln y: 1, 0 and 5 ln 5 - 4.
  REQUIRE(loss.Value(y, f, RowType()) ==
      Approx((5 * std::log(5.0) - 3) / 3).epsilon(1e-6));
  // The Newton step: (-1 * 1 + 0 + 4 * 2) / (1 + 1 + 4).
  REQUIRE(Difference(loss.Step(y, f, r, TestType({ { 1, -1, 2 } }), RowType()),
      arma::vec({ 7.0 / 6 })) < tolerance);
  p.fill(ElemType(std::log(3.0)));
  loss.Link(p);
  REQUIRE(Difference(p, arma::mat({ { 3, 3, 3 } })) < 10 * tolerance);
  // The deviance is twice the loss.
  REQUIRE(loss.Error(5, 1, 0) == Approx(2 * (5 * std::log(5.0) - 4)));
  REQUIRE(loss.Error(0, 3, 0) == Approx(6));

  // Nothing was ever counted, and what exp() has no number for.
  const TestType zeros(1, 3, arma::fill::zeros);
  const auto start = loss.Start(zeros, RowType());
  REQUIRE(start.is_finite());
  REQUIRE(loss.Value(zeros, TestType(1, 3, arma::fill::value(start[0])),
      RowType()) < 1e-6);
  const double inf = std::numeric_limits<double>::infinity();
  REQUIRE(loss.Value(y, TestType({ { 0, 0, 1e6 } }), RowType()) == inf);
  REQUIRE(loss.Value(y, TestType({ { 0, 0, ElemType(inf) } }), RowType()) ==
      inf);
}

//! The residual is the negative derivative of the value.
TEST_CASE("MoreLossesDerivatives", "[MoreLossesTest]")
{
  ForEachLoss([](const auto& loss, const arma::mat& responses)
  {
    const arma::mat y = Targets(loss, responses);
    const arma::mat scores(y.n_rows, y.n_cols, arma::fill::randn);
    const arma::rowvec weights = 0.5 + arma::rowvec(y.n_cols,
        arma::fill::randu);
    arma::mat r;
    loss.Residuals(y, scores, r);
    const double step = 1e-6;
    for (size_t i = 0; i < y.n_elem; ++i)
    {
      arma::mat up = scores, down = scores;
      up[i] += step;
      down[i] -= step;
      REQUIRE(r[i] == Approx(-Rise(loss, y, up, down, weights) / (2 * step) *
          arma::accu(weights) / weights[i / y.n_rows]).margin(1e-5));
    }
  });
}

//! No constant has a smaller loss than the one to start from.
TEST_CASE("MoreLossesStart", "[MoreLossesTest]")
{
  ForEachLoss([](const auto& loss, const arma::mat& responses)
  {
    const arma::mat y = Targets(loss, responses);
    const arma::rowvec random(y.n_cols, arma::fill::randu);
    for (const arma::rowvec& weights : { arma::rowvec(), random })
    {
      const arma::vec start = loss.Start(y, weights);
      arma::mat scores(y.n_rows, y.n_cols);
      scores.each_col() = start;
      for (size_t k = 0; k < y.n_rows; ++k)
      {
        arma::mat other = scores;
        const auto value = [&](const double c)
        {
          other.row(k).fill(c);
          return loss.Value(y, other, weights);
        };
        const double best = BruteForce(-4, 4, value);
        REQUIRE(value(start[k]) <= value(best) + 1e-12);
      }
    }
  });
}

//! No factor of a stage has a smaller loss than the step, where it is exact.
TEST_CASE("MoreLossesStep", "[MoreLossesTest]")
{
  ForEachLoss([](const auto& loss, const arma::mat& responses)
  {
    using LossType = std::decay_t<decltype(loss)>;
    const arma::mat y = Targets(loss, responses);
    const arma::rowvec random(y.n_cols, arma::fill::randu);
    for (const arma::rowvec& weights : { arma::rowvec(), random })
    {
      const arma::mat scores(y.n_rows, y.n_cols, arma::fill::randn);
      // Some outputs vanish and one is huge.
      arma::mat h(y.n_rows, y.n_cols, arma::fill::randn), r;
      h.col(3).zeros();
      h.col(5) *= std::is_same_v<LossType, PoissonLoss> ? 1 : 1e3;
      loss.Residuals(y, scores, r);
      const arma::vec rho = loss.Step(y, scores, r, h, weights);
      for (size_t k = 0; k < y.n_rows; ++k)
      {
        const auto value = [&](const double c)
        {
          arma::mat other = scores;
          other.row(k) += c * h.row(k);
          return loss.Value(y, other, weights);
        };
        if constexpr (std::is_same_v<LossType, PoissonLoss>)
        {
          // A Newton step, by finite differences.
          const double e = 1e-4, up = value(e), down = value(-e);
          REQUIRE(rho[k] == Approx(-(up - down) / (2 * e) /
              ((up - 2 * value(0) + down) / (e * e))).epsilon(1e-4));
        }
        else
        {
          REQUIRE(value(rho[k]) <= value(BruteForce(-9, 9, value)) + 1e-12);
        }
      }
    }
  });
}

//! Huber's line search is that of the squared error when delta is large, and
//! that of the absolute error when it is small.
TEST_CASE("HuberErrorLossLimits", "[MoreLossesTest]")
{
  arma::arma_rng::set_seed(9);
  const arma::mat y(1, 51, arma::fill::randn), f(1, 51, arma::fill::randn);
  const arma::mat h(1, 51, arma::fill::randn);
  const arma::rowvec none;
  arma::mat r;
  HuberErrorLoss(1e9).Residuals(y, f, r);
  REQUIRE(HuberErrorLoss(1e9).Step(y, f, r, h, none)[0] == Approx(
      SquaredErrorLoss().Step(y, f, r, h, none)[0]));
  REQUIRE(HuberErrorLoss(1e9).Start(y, none)[0] ==
      Approx(arma::mean(y.row(0))));
  REQUIRE(HuberErrorLoss(1e-9).Step(y, f, r, h, none)[0] == Approx(
      AbsoluteLoss().Step(y, f, r, h, none)[0]).epsilon(1e-6));
  REQUIRE(HuberErrorLoss(1e-9).Start(y, none)[0] == Approx(
      arma::median(y.row(0))).epsilon(1e-6));
}

//! A point of weight 2 is the point twice, of weight 0 as if it was not there;
//! also where values are the same.
TEMPLATE_TEST_CASE("MoreLossesWeights", "[MoreLossesTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  using RowType = arma::Row<ElemType>;
  const auto check = [](const auto& loss, const TestType& responses)
  {
    const TestType y = Targets(loss, responses);
    const TestType f = arma::round(4 * TestType(y.n_rows, y.n_cols,
        arma::fill::randn)) / 8;
    const TestType h = arma::round(2 * TestType(y.n_rows, y.n_cols,
        arma::fill::randn));
    RowType weights(y.n_cols, arma::fill::ones);
    arma::uvec copies = arma::regspace<arma::uvec>(0, y.n_cols - 1);
    for (size_t i = 0; i < y.n_cols; i += 3)
    {
      weights[i] = 2;
      copies.insert_rows(copies.n_elem, arma::uvec{ i });
    }
    weights[1] = 0;
    copies.shed_row(1);
    TestType r;
    loss.Residuals(y, f, r);
    const TestType y2 = y.cols(copies), f2 = f.cols(copies);
    const TestType h2 = h.cols(copies), r2 = r.cols(copies);
    const double tolerance = Tolerance<ElemType>;
    REQUIRE(Difference(loss.Start(y, weights), loss.Start(y2, RowType())) <=
        tolerance);
    REQUIRE(Difference(loss.Step(y, f, r, h, weights),
        loss.Step(y2, f2, r2, h2, RowType())) <= tolerance);
    REQUIRE(loss.Value(y, f, weights) == Approx(loss.Value(y2, f2,
        RowType())));
    REQUIRE(loss.ScoreScale(y, weights) == Approx(loss.ScoreScale(y2,
        RowType())).epsilon(1e-6));
  };
  ForEachLoss([&](const auto& loss, const arma::mat& responses)
  {
    // Twice: all different, and with many ties.
    check(loss, arma::conv_to<TestType>::from(responses));
    check(loss, arma::conv_to<TestType>::from(arma::round(2 * responses)));
  });
  HuberErrorLoss once, twice;
  const TestType y = { { 1, 4, 9, 4, -3 } };
  once.Prepare(y, RowType({ 1, 2, 1, 1, 2 }));
  twice.Prepare(TestType({ { 1, 4, 4, 9, 4, -3, -3 } }), RowType());
  REQUIRE(once.Delta(0) == twice.Delta(0));
}

TEST_CASE("QuantilesMustMakeSense", "[MoreLossesTest]")
{
  const auto refuses = [](const std::vector<double>& quantiles,
      const std::string& text)
  {
    REQUIRE_THROWS_WITH(QuantileLoss(quantiles), Contains(text));
  };
  refuses({ }, "no quantiles");
  refuses({ 0 }, "quantile 0 must be greater than 0 and less than 1");
  refuses({ 1 }, "quantile 1 must");
  refuses({ -0.5 }, "quantile -0.5 must");
  refuses({ arma::datum::nan }, "must be greater than 0");
  refuses({ 0.9, 0.1 }, "quantile 0.1 after 0.9");
  refuses({ 0.5, 0.5 }, "ascending and different");
  REQUIRE_THROWS_AS(HuberErrorLoss(-1), std::invalid_argument);
  REQUIRE_THROWS_WITH(HuberErrorLoss(arma::datum::inf), Contains("delta"));
}

TEST_CASE("MoreLossesRefuseResponses", "[MoreLossesTest]")
{
  const Problem<arma::mat> problem(60, 2);
  GBNNRegressor<arma::mat, QuantileLoss> quantiles(6, 3);
  REQUIRE_THROWS_WITH(quantiles.Train(problem.data, problem.responses),
      Contains("one response") && Contains("2"));
  REQUIRE(!quantiles.IsTrained());
  GBNNRegressor<arma::mat, PoissonLoss> counts(6, 3);
  arma::rowvec negative = arma::abs(problem.response);
  negative[7] = -0.5;
  REQUIRE_THROWS_WITH(counts.Train(problem.data, negative),
      Contains("-0.5") && Contains("column 7"));
  REQUIRE(!counts.IsTrained());

  // A model goes on with the loss it has.
  quantiles.Loss() = QuantileLoss({ 0.1, 0.9 });
  quantiles.Train(problem.data, problem.response);
  REQUIRE(quantiles.NumResponses() == 1);
  REQUIRE(quantiles.NumPredictions() == 2);
  arma::rowvec row;
  REQUIRE_THROWS_WITH(quantiles.Predict(problem.data, row),
      Contains("2 outputs"));
  quantiles.Loss() = QuantileLoss({ 0.1, 0.5, 0.9 });
  REQUIRE_THROWS_WITH(quantiles.Grow(problem.data, problem.response, 3),
      Contains("trained with"));
  REQUIRE(quantiles.Units() == 6);
}
