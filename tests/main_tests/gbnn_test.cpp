/**
 * @file tests/main_tests/gbnn_test.cpp
 *
 * Test RUN_BINDING() of gbnn_main.cpp.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#define BINDING_TYPE BINDING_TYPE_TEST

#include <mlpack/core.hpp>
#include <mlpack/methods/gbnn/gbnn_main.cpp>
#include <mlpack/core/util/mlpack_main.hpp>

#include "main_test_fixture.hpp"

#include "../catch.hpp"

using namespace mlpack;

BINDING_TEST_FIXTURE(GBNNTestFixture);

//! Points that lie evenly in a square; another start gives other points.
static arma::mat Points(const size_t count, const size_t start = 0)
{
  arma::mat points(2, count);
  for (size_t i = 0; i < count; ++i)
  {
    points(0, i) = std::fmod(0.7548776662 * double(start + i), 1.0);
    points(1, i) = std::fmod(0.5698402910 * double(start + i), 1.0);
  }
  return points;
}

//! Their labels: three parts of the square.
static arma::rowvec Labels(const arma::mat& points)
{
  arma::rowvec labels(points.n_cols);
  for (size_t i = 0; i < points.n_cols; ++i)
    labels[i] = (points(0, i) > 0.6) ? 7 : (points(1, i) > 0.5) ? 3 : -1;
  return labels;
}

//! Two responses of each point.
static arma::mat Responses(const arma::mat& points)
{
  return arma::join_cols(points.row(0) % points.row(0), 5 - points.row(1));
}

//! The points as the binding takes them: all columns are numeric.
static gbnn::TableType Table(const arma::mat& points)
{
  return { gbnn::DatasetInfoType(points.n_rows), points };
}

/**
 * Make sure that there is a prediction, and a probability of each class, for
 * each test point, and that they are good.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNOutputDimensionTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(150), test = Points(60, 150);
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("test", Table(test));
  SetInputParam("hidden_units", 12);
  SetInputParam("seed", 1);
  RUN_BINDING();

  const arma::rowvec& predictions = params.Get<arma::rowvec>("predictions");
  REQUIRE(predictions.n_rows == 1);
  REQUIRE(predictions.n_cols == test.n_cols);
  REQUIRE(arma::accu(predictions == Labels(test)) >= 51);

  const arma::mat& probabilities = params.Get<arma::mat>("probabilities");
  REQUIRE(probabilities.n_rows == 3);
  REQUIRE(probabilities.n_cols == test.n_cols);
  for (size_t i = 0; i < probabilities.n_cols; ++i)
    REQUIRE(arma::accu(probabilities.col(i)) == Approx(1).epsilon(1e-10));

  REQUIRE(params.Get<arma::mat>("output_predictions").is_empty());
  REQUIRE(params.Get<GBNNModel*>("output_model")->Units() == 12);
}

/**
 * Make sure that labels in the last row of the training data are as good as
 * labels that are given.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNLabelsLessTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(80), test = Points(30, 80);
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("test", Table(test));
  SetInputParam("hidden_units", 6);
  SetInputParam("seed", 1);
  RUN_BINDING();

  const arma::mat probabilities = params.Get<arma::mat>("probabilities");
  CleanMemory();
  ResetSettings();

  SetInputParam("training", Table(arma::join_cols(points, Labels(points))));
  SetInputParam("test", Table(test));
  SetInputParam("hidden_units", 6);
  SetInputParam("seed", 1);
  RUN_BINDING();

  REQUIRE(!probabilities.is_empty());
  REQUIRE(arma::approx_equal(params.Get<arma::mat>("probabilities"),
      probabilities, "absdiff", 0));
}

/**
 * Make sure that the output model can be used again, and predicts the same.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNModelReuseTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(80), test = Points(30, 80);
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("test", Table(test));
  SetInputParam("hidden_units", 6);
  RUN_BINDING();

  const arma::rowvec predictions = params.Get<arma::rowvec>("predictions");
  const arma::mat probabilities = params.Get<arma::mat>("probabilities");
  GBNNModel* model = params.Get<GBNNModel*>("output_model");
  params.Get<GBNNModel*>("output_model") = nullptr;
  CleanMemory();
  ResetSettings();

  SetInputParam("input_model", model);
  SetInputParam("test", Table(test));
  RUN_BINDING();

  REQUIRE(predictions.n_elem == test.n_cols);
  REQUIRE(arma::approx_equal(params.Get<arma::rowvec>("predictions"),
      predictions, "absdiff", 0));
  REQUIRE(arma::approx_equal(params.Get<arma::mat>("probabilities"),
      probabilities, "absdiff", 0));
}

/**
 * Make sure that responses make it a regression.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNResponsesTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(120), test = Points(40, 120);
  SetInputParam("training", Table(points));
  SetInputParam("responses", Responses(points));
  SetInputParam("test", Table(test));
  SetInputParam("hidden_units", 12);
  SetInputParam("seed", 1);
  RUN_BINDING();

  const arma::mat& responses = params.Get<arma::mat>("output_predictions");
  REQUIRE(responses.n_rows == 2);
  REQUIRE(responses.n_cols == test.n_cols);
  REQUIRE(arma::abs(responses - Responses(test)).max() < 0.2);
  REQUIRE(params.Get<arma::rowvec>("predictions").is_empty());
  REQUIRE(params.Get<arma::mat>("probabilities").is_empty());
  REQUIRE(params.Get<GBNNModel*>("output_model")->IsRegression());
}

/**
 * Make sure that there must be one label, and one response, for each point.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNWrongCountTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(40);
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(Points(39))));
  REQUIRE_THROWS_AS(RUN_BINDING(), std::runtime_error);

  CleanMemory();
  ResetSettings();
  SetInputParam("training", Table(points));
  SetInputParam("responses", Responses(Points(41)));
  REQUIRE_THROWS_AS(RUN_BINDING(), std::runtime_error);

  CleanMemory();
  ResetSettings();
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("test", Table(points));
  SetInputParam("test_labels", Table(Labels(Points(39))));
  REQUIRE_THROWS_AS(RUN_BINDING(), std::runtime_error);
}

/**
 * Make sure that test points must have as many dimensions as training points.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNWrongDimensionTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(40);
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("test", Table(arma::join_cols(points, points)));
  REQUIRE_THROWS_AS(RUN_BINDING(), std::runtime_error);
}

/**
 * Make sure that there is something to do, and only one thing.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNTogetherTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(40);
  SetInputParam("test", Table(points));
  REQUIRE_THROWS_AS(RUN_BINDING(), std::runtime_error);

  // Labels or responses, not both.
  ResetSettings();
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("responses", Responses(points));
  REQUIRE_THROWS_AS(RUN_BINDING(), std::runtime_error);

  // Training data or a model, without a warm start.
  ResetSettings();
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("input_model", new GBNNModel());
  REQUIRE_THROWS_AS(RUN_BINDING(), std::runtime_error);
}

/**
 * Make sure that options out of their range are refused.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNInvalidOptionTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(40);
  const auto run = [&](const std::string& name, auto value)
  {
    CleanMemory();
    ResetSettings();
    SetInputParam("training", Table(points));
    SetInputParam("labels", Table(Labels(points)));
    SetInputParam("hidden_units", 3);
    SetInputParam(name, std::move(value));
    RUN_BINDING();
  };

  REQUIRE_NOTHROW(run("hidden_units", 1));
  REQUIRE_THROWS_AS(run("hidden_units", -1), std::runtime_error);
  REQUIRE_NOTHROW(run("units_per_stage", 3));
  REQUIRE_THROWS_AS(run("units_per_stage", 4), std::runtime_error);
  REQUIRE_THROWS_AS(run("units_per_stage", -1), std::runtime_error);
  REQUIRE_NOTHROW(run("learning_rate", 1.0));
  REQUIRE_THROWS_AS(run("learning_rate", 1.1), std::runtime_error);
  REQUIRE_THROWS_AS(run("learning_rate", 0.0), std::runtime_error);
  REQUIRE_THROWS_AS(run("subsample", 1.1), std::runtime_error);
  REQUIRE_THROWS_AS(run("subsample", 0.0), std::runtime_error);
  REQUIRE_THROWS_AS(run("max_iterations", -1), std::runtime_error);
  REQUIRE_THROWS_AS(run("tolerance", -1.0), std::runtime_error);
  REQUIRE_THROWS_AS(run("step_size", 0.0), std::runtime_error);
  REQUIRE_THROWS_AS(run("batch_size", 0), std::runtime_error);
  REQUIRE_THROWS_AS(run("l2", -2.0), std::runtime_error);
  REQUIRE_THROWS_AS(run("bins", -1), std::runtime_error);
  REQUIRE_THROWS_AS(run("bins", 257), std::runtime_error);
  REQUIRE_THROWS_AS(run("refine_iterations", -1), std::runtime_error);
  REQUIRE_THROWS_AS(run("validation_fraction", 1.0), std::runtime_error);
  REQUIRE_THROWS_AS(run("seed", -1), std::runtime_error);
  REQUIRE_NOTHROW(run("activation", std::string("tanh")));
  REQUIRE_THROWS_AS(run("activation", std::string("x")), std::runtime_error);
  REQUIRE_NOTHROW(run("optimizer", std::string("lbfgs")));
  REQUIRE_THROWS_AS(run("optimizer", std::string("x")), std::runtime_error);
  REQUIRE_NOTHROW(run("input_encoding", std::string("linear")));
  REQUIRE_THROWS_AS(run("input_encoding", std::string("x")),
      std::runtime_error);
  REQUIRE_THROWS_AS(run("loss", std::string("x")), std::runtime_error);
}

/**
 * Make sure that inputs become what was asked for, and stay so.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNInputEncodingTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(80);
  const auto train = [&](std::string encoding, int bins)
  {
    SetInputParam("training", Table(points));
    SetInputParam("labels", Table(Labels(points)));
    SetInputParam("hidden_units", 5);
    SetInputParam("input_encoding", std::move(encoding));
    if (bins > 0)
      SetInputParam("bins", std::move(bins));
    RUN_BINDING();
    return PiecewiseLinear(
        params.Get<GBNNModel*>("output_model")->Classifier().Encoding());
  };

  REQUIRE(train("linear", 0).Dimensionality() == 0);
  CleanMemory();
  ResetSettings();
  REQUIRE(train("piecewise", 0).MaxBins() == 16);
  CleanMemory();
  ResetSettings();
  REQUIRE(train("piecewise", 7).MaxBins() == 7);

  // A warm start goes on with the bins there are.
  GBNNModel* model = params.Get<GBNNModel*>("output_model");
  params.Get<GBNNModel*>("output_model") = nullptr;
  CleanMemory();
  ResetSettings();
  SetInputParam("input_model", model);
  SetInputParam("warm_start", true);
  REQUIRE(train("linear", 0).MaxBins() == 7);
  REQUIRE(params.Get<GBNNModel*>("output_model")->Units() == 10);
}

/**
 * Make sure that the last units can be switched off, and on again.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNActiveUnitsTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(80), test = Points(30, 80);
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("test", Table(test));
  SetInputParam("hidden_units", 9);
  SetInputParam("seed", 1);
  RUN_BINDING();

  const arma::mat all = params.Get<arma::mat>("probabilities");
  GBNNModel* model = params.Get<GBNNModel*>("output_model");
  params.Get<GBNNModel*>("output_model") = nullptr;
  REQUIRE(model->ActiveUnits() == 9);
  CleanMemory();
  ResetSettings();

  SetInputParam("input_model", model);
  SetInputParam("test", Table(test));
  SetInputParam("active_units", 3);
  RUN_BINDING();

  const arma::mat few = params.Get<arma::mat>("probabilities");
  REQUIRE(few.n_rows == all.n_rows);
  REQUIRE(few.n_cols == all.n_cols);
  REQUIRE(!arma::approx_equal(few, all, "absdiff", 1e-6));
  model = params.Get<GBNNModel*>("output_model");
  params.Get<GBNNModel*>("output_model") = nullptr;
  REQUIRE(model->ActiveUnits() == 3);
  REQUIRE(model->Units() == 9);
  CleanMemory();
  ResetSettings();

  SetInputParam("input_model", model);
  SetInputParam("test", Table(test));
  SetInputParam("active_units", 9);
  RUN_BINDING();
  REQUIRE(arma::approx_equal(params.Get<arma::mat>("probabilities"), all,
      "absdiff", 0));

  SetInputParam("active_units", 10);
  SetInputParam("test", Table(test));
  REQUIRE_THROWS_AS(RUN_BINDING(), std::runtime_error);
  SetInputParam("active_units", -2);
  REQUIRE_THROWS_AS(RUN_BINDING(), std::runtime_error);
}

/**
 * Make sure that a warm start adds units to a model, and needs one.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNWarmStartTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(80);
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("hidden_units", 6);
  SetInputParam("seed", 1);
  SetInputParam("warm_start", true);
  REQUIRE_THROWS_AS(RUN_BINDING(), std::runtime_error);

  ResetSettings();
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("hidden_units", 6);
  SetInputParam("seed", 1);
  RUN_BINDING();

  GBNNModel* model = params.Get<GBNNModel*>("output_model");
  params.Get<GBNNModel*>("output_model") = nullptr;
  CleanMemory();
  ResetSettings();

  SetInputParam("input_model", model);
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("hidden_units", 3);
  SetInputParam("warm_start", true);
  RUN_BINDING();

  // The input model stays as it was.
  REQUIRE(params.Get<GBNNModel*>("input_model")->Units() == 6);
  REQUIRE(params.Get<GBNNModel*>("output_model")->Units() == 9);
  REQUIRE(params.Get<GBNNModel*>("output_model")->ActiveUnits() == 9);
}

/**
 * Make sure that there is a score for each number of active units, and that the
 * last is that of the predictions.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNStagedScoresTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(80), test = Points(30, 80);
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("test", Table(test));
  SetInputParam("test_labels", Table(Labels(test)));
  SetInputParam("hidden_units", 6);
  SetInputParam("units_per_stage", 2);
  RUN_BINDING();

  const arma::mat& scores = params.Get<arma::mat>("staged_scores");
  REQUIRE(scores.n_rows == 2);
  REQUIRE(scores.n_cols == 7);
  for (size_t i = 0; i < scores.n_cols; ++i)
  {
    REQUIRE(scores(0, i) == i);
    REQUIRE(scores(1, i) >= 0);
    REQUIRE(scores(1, i) <= 1);
  }
  const arma::rowvec& predictions = params.Get<arma::rowvec>("predictions");
  REQUIRE(scores(1, 6) == Approx(arma::accu(predictions == Labels(test)) /
      30.0).epsilon(1e-10));
  REQUIRE(!params.Get<std::string>("summary").empty());
}

/**
 * Make sure that the same seed gives the same model, and another another.
 */
TEST_CASE_METHOD(GBNNTestFixture, "GBNNSeedTest",
                 "[GBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(80);
  const auto probabilities = [&](int seed)
  {
    CleanMemory();
    ResetSettings();
    SetInputParam("training", Table(points));
    SetInputParam("labels", Table(Labels(points)));
    SetInputParam("test", Table(points));
    SetInputParam("hidden_units", 6);
    SetInputParam("seed", seed);
    RUN_BINDING();
    return arma::mat(params.Get<arma::mat>("probabilities"));
  };

  const arma::mat first = probabilities(1);
  REQUIRE(arma::approx_equal(probabilities(1), first, "absdiff", 0));
  REQUIRE(!arma::approx_equal(probabilities(2), first, "absdiff", 1e-9));
}
