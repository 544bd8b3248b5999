/**
 * @file tests/gbnn/regressor_test.cpp
 *
 * The regressor: it learns, with one response and several, in all its shapes.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <mlpack/methods/linear_regression/linear_regression.hpp>

using namespace mlpack;

template<typename MatType1, typename MatType2>
double RMSE(const MatType1& a, const MatType2& b)
{
  double sum = 0;
  for (size_t i = 0; i < a.n_elem; ++i)
    sum += std::pow(double(a[i]) - b[i], 2);
  return std::sqrt(sum / a.n_elem);
}

TEMPLATE_TEST_CASE("RegressorBeatsLinear", "[RegressorTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> train(800, 3, 1), test(800, 3, 2);
  GBNNRegressor<TestType> model(120, 3, 0.2, 0.75);
  model.Seed() = 5;
  model.Train(train.data, train.response);
  arma::Row<typename TestType::elem_type> predictions;
  model.Predict(test.data, predictions);
  const double error = RMSE(predictions, test.response);
  // The noise is 0.1, the deviation of the response 1.6.
  REQUIRE(error < 0.35);

  LinearRegression<> linear(arma::conv_to<arma::mat>::from(train.data),
      arma::conv_to<arma::rowvec>::from(train.response));
  arma::rowvec lines;
  linear.Predict(arma::conv_to<arma::mat>::from(test.data), lines);
  REQUIRE(error < 0.4 * RMSE(lines, test.response));
}

TEMPLATE_TEST_CASE("RegressorShapes", "[RegressorTest]", arma::mat, arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  const Problem<TestType> problem(200, 3);
  RandomSeed(2);
  const GBNNRegressor<TestType> model(problem.data, problem.response, 30, 4,
      0.2, 0.9);
  REQUIRE(model.NumResponses() == 1);
  REQUIRE(model.Stages() == 8);
  arma::Row<ElemType> row;
  TestType matrix;
  model.Predict(problem.data, row);
  model.Predict(problem.data, matrix);
  REQUIRE(SameBits(TestType(row), matrix));
  for (size_t i = 0; i < problem.data.n_cols; ++i)
  {
    REQUIRE(std::abs(model.Predict(problem.data.col(i)) - row[i]) <
        10 * Tolerance<ElemType>);
  }
  model.Predict(TestType(3, 0), row);
  REQUIRE(row.n_elem == 0);
}

//! Two responses at once, which share their units.
TEMPLATE_TEST_CASE("RegressorOfSeveralResponses", "[RegressorTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> train(600, 3, 1), test(300, 3, 2);
  GBNNRegressor<TestType> model(150, 3, 0.2, 0.75);
  model.Seed() = 5;
  const double loss = model.Train(train.data, train.responses);
  TestType predictions;
  model.Predict(train.data, predictions);
  // The loss is half the squared error, summed over responses.
  REQUIRE(loss == Approx(arma::accu(arma::square(predictions -
      train.responses)) / 2 / 600).epsilon(1e-4));
  model.Predict(test.data, predictions);
  REQUIRE(predictions.n_rows == 2);
  REQUIRE(RMSE(predictions.row(0).eval(), test.responses.row(0).eval()) < 0.5);
  REQUIRE(RMSE(predictions.row(1).eval(), test.responses.row(1).eval()) < 0.5);
}

//! A response in a unit a thousand times larger is learned as well: the model is
//! the same, to the bit, in that unit.
TEMPLATE_TEST_CASE("RegressorOfResponsesOfDifferentSize", "[RegressorTest]",
    arma::mat, arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  using RowType = arma::Row<ElemType>;
  Problem<TestType> problem(400, 3, 1);
  Problem<TestType> valid(200, 3, 2);
  // Of about the same size, so that nothing happens to them.
  const arma::Col<ElemType> deviations = arma::stddev(problem.responses, 0, 1);
  problem.responses.each_col() /= deviations;
  valid.responses.each_col() /= deviations;
  const arma::Col<ElemType> units = { ElemType(1), ElemType(1.0 / 1024) };
  const auto train = [&](const arma::Col<ElemType>& factors,
                         const bool absolute)
  {
    GBNNRegressor<TestType, RegressionLoss> model(24, 3);
    if (absolute)
      model.Loss() = AbsoluteLoss();
    model.Seed() = 5;
    model.Refinement().Iterations() = 50;
    const TestType responses = problem.responses.each_col() % factors;
    const TestType validResponses = valid.responses.each_col() % factors;
    model.Choose({}, problem.data, responses);
    GBNNValidation validation(valid.data, validResponses);
    model.Train(problem.data, responses, validation);
    model.Refine(problem.data, responses);
    model.Grow(problem.data, responses, 6);
    TestType predictions;
    model.Predict(valid.data, predictions);
    return predictions;
  };
  for (const bool absolute : { false, true })
  {
    const TestType same = train({ 1, 1 }, absolute);
    const TestType small = train(units, absolute);
    REQUIRE(SameBits(TestType(small.each_col() / units), same));
    REQUIRE(RMSE(same.row(1).eval(), valid.responses.row(1).eval()) < 0.8);
  }

  // A constant response has no size, though its mean is rounded, and neither has
  // a point that is left out.
  problem.responses(1, 3) = std::numeric_limits<ElemType>::max();
  RowType weights(400, arma::fill::ones);
  weights[3] = 0;
  TestType expected, predictions;
  for (const double value : { 0.0, 0.3, 7.0, 1e6 })
  {
    problem.responses.row(0).fill(ElemType(value));
    GBNNRegressor<TestType> model(24, 3);
    model.Seed() = 5;
    model.Train(problem.data, problem.responses, weights);
    model.Predict(valid.data, predictions);
    REQUIRE(Difference(predictions.row(0).eval(), RowType(200,
        arma::fill::value(ElemType(value)))) < 1e-3 * (1 + value));
    if (value == 0)
      expected = predictions;
    REQUIRE(RMSE(predictions.row(1).eval(), expected.row(1).eval()) < 0.05);
  }
  REQUIRE(arma::stddev(expected.row(1)) > 0.3);
}

TEST_CASE("RegressorStagedRMSE", "[RegressorTest]")
{
  // So many points that errors are added in more than one go.
  const Problem<arma::mat> problem(9001, 4);
  GBNNRegressor<> model(16, 3, 0.3, 0.75);
  model.Seed() = 3;
  model.Train(problem.data, problem.responses);
  const arma::rowvec staged = model.StagedRMSE(problem.data, problem.responses);
  REQUIRE(staged.n_elem == 17);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(3);
  const arma::rowvec again = model.StagedRMSE(problem.data, problem.responses);
  omp_set_num_threads(threads);
  REQUIRE(SameBits(again, staged));
  arma::mat predictions;
  for (size_t k = 0; k <= 16; ++k)
  {
    model.ActiveUnits(k);
    model.Predict(problem.data, predictions);
    REQUIRE(staged[k] == Approx(RMSE(predictions, problem.responses)));
  }
  // With no unit at all the prediction is the mean.
  model.ActiveUnits(0);
  model.Predict(problem.data, predictions);
  REQUIRE(Difference(predictions.col(0).eval(), arma::vec(arma::mean(
      problem.responses, 1))) < 1e-12);
  REQUIRE(staged[16] < 0.8 * staged[0]);
}

//! Responses that are all the same leave nothing to learn.
TEMPLATE_TEST_CASE("RegressorConstantResponses", "[RegressorTest]", arma::mat,
    arma::fmat)
{
  using RowType = arma::Row<typename TestType::elem_type>;
  const Problem<TestType> problem(100, 3);
  for (const double value : { 0.0, -3.7, 1e6 })
  {
    const RowType responses(100, arma::fill::value(value));
    const GBNNRegressor<TestType> model(problem.data, responses, 12, 3);
    RowType predictions;
    model.Predict(problem.data, predictions);
    REQUIRE(Difference(predictions, responses) <= std::abs(value) *
        Tolerance<typename TestType::elem_type>);
  }
}

//! One learning step at full rate with all the data fits a line exactly enough.
TEST_CASE("RegressorFullRate", "[RegressorTest]")
{
  const Problem<arma::mat> problem(200, 3);
  GBNNRegressor<> slow(10, 1, 0.05, 1.0), fast(10, 1, 1.0, 1.0);
  slow.Seed() = fast.Seed() = 4;
  REQUIRE(fast.Train(problem.data, problem.response) <
      0.5 * slow.Train(problem.data, problem.response));
  // With the exact line search no stage can make it worse.
  const std::vector<double>& losses = fast.TrainingLosses();
  for (size_t t = 1; t < losses.size(); ++t)
    REQUIRE(losses[t] <= losses[t - 1] * (1 + 1e-12));
}

//! A point that is left out may hold anything that is a number.
TEST_CASE("PointOfWeightZeroIsNowhere", "[RegressorTest]")
{
  Problem<arma::mat> problem(100, 3);
  arma::rowvec weights(100, arma::fill::ones);
  weights[7] = 0;
  problem.data.col(7).fill(std::numeric_limits<double>::max());
  GBNNRegressor<> model(30, 3);
  model.Activation() = GBNNActivation::RELU;
  model.Train(problem.data, problem.response, weights);
  problem.data.col(7).zeros();
  for (const size_t units : { 10, 11, 30 })
  {
    model.ActiveUnits(units);
    arma::rowvec predictions;
    model.Predict(problem.data, predictions);
    REQUIRE(predictions.is_finite());
  }
}
