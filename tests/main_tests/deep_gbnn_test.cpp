/**
 * @file tests/main_tests/deep_gbnn_test.cpp
 *
 * Test RUN_BINDING() of deep_gbnn_main.cpp.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#define BINDING_TYPE BINDING_TYPE_TEST

#include <mlpack/core.hpp>
#include <mlpack/methods/deep_gbnn/deep_gbnn_main.cpp>
#include <mlpack/core/util/mlpack_main.hpp>

#include "main_test_fixture.hpp"

#include "../catch.hpp"

using namespace mlpack;

BINDING_TEST_FIXTURE(DeepGBNNTestFixture);

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

//! The points as the binding takes them: all columns are numeric.
static gbnn::TableType Table(const arma::mat& points)
{
  return { gbnn::DatasetInfoType(points.n_rows), points };
}

/**
 * Make sure that all outputs have as many entries as they should.
 */
TEST_CASE_METHOD(DeepGBNNTestFixture, "DeepGBNNOutputDimensionTest",
                 "[DeepGBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(150), test = Points(60, 150);
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("test", Table(test));
  SetInputParam("test_labels", Table(Labels(test)));
  SetInputParam("layers", std::vector<int>{ 8, 8 });
  SetInputParam("trunk_epochs", 20);
  SetInputParam("hidden_units", 20);
  SetInputParam("seed", 1);
  RUN_BINDING();

  const arma::rowvec& predictions = params.Get<arma::rowvec>("predictions");
  REQUIRE(predictions.n_rows == 1);
  REQUIRE(predictions.n_cols == test.n_cols);
  REQUIRE(params.Get<arma::mat>("probabilities").n_rows == 3);
  REQUIRE(params.Get<arma::mat>("probabilities").n_cols == test.n_cols);

  const double accuracy = arma::accu(predictions == Labels(test)) / 60.0;
  REQUIRE(accuracy > 0.6);
  REQUIRE(params.Get<double>("accuracy") == Approx(accuracy).epsilon(1e-10));
  const arma::mat& scores = params.Get<arma::mat>("staged_scores");
  REQUIRE(scores.n_rows == 2);
  // The head has the 8 units of the trunk's last layer, and 20 more.
  REQUIRE(scores.n_cols == 29);
  REQUIRE(scores(0, 28) == 28);
  REQUIRE(scores(1, 28) == Approx(accuracy).epsilon(1e-10));
  REQUIRE(scores(1, 8) == Approx(params.Get<double>("trunk_accuracy"))
      .epsilon(1e-10));
}

/**
 * Make sure that responses are predicted, with weights, early stopping and
 * refinement.
 */
TEST_CASE_METHOD(DeepGBNNTestFixture, "DeepGBNNRegressionTest",
                 "[DeepGBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(150), test = Points(60, 150);
  const auto responses = [](const arma::mat& of) -> arma::mat
  {
    return arma::sin(4 * of.row(0)) + of.row(1);
  };
  SetInputParam("training", Table(points));
  SetInputParam("responses", responses(points));
  SetInputParam("weights", arma::rowvec(150, arma::fill::ones));
  SetInputParam("validation_fraction", 0.2);
  SetInputParam("refine_iterations", 20);
  SetInputParam("test", Table(test));
  SetInputParam("test_responses", responses(test));
  SetInputParam("layers", std::vector<int>{ 8, 8 });
  SetInputParam("trunk_epochs", 20);
  SetInputParam("hidden_units", 20);
  SetInputParam("seed", 1);
  RUN_BINDING();

  const arma::mat& predictions = params.Get<arma::mat>("output_predictions");
  REQUIRE(predictions.n_rows == 1);
  REQUIRE(predictions.n_cols == 60);
  const double error = std::sqrt(arma::mean(arma::vectorise(arma::square(
      predictions - responses(test)))));
  REQUIRE(params.Get<double>("error") == Approx(error).epsilon(1e-10));
  REQUIRE(params.Get<double>("trunk_error") > 0);
  REQUIRE(std::isnan(params.Get<double>("accuracy")));
}

/**
 * Make sure that the output model can be used again and predicts the same, and
 * that units of its head can be switched off.
 */
TEST_CASE_METHOD(DeepGBNNTestFixture, "DeepGBNNModelReuseTest",
                 "[DeepGBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(80), test = Points(30, 80);
  SetInputParam("training", Table(points));
  SetInputParam("labels", Table(Labels(points)));
  SetInputParam("test", Table(test));
  SetInputParam("layers", std::vector<int>{ 4, 4 });
  SetInputParam("trunk_epochs", 5);
  SetInputParam("hidden_units", 10);
  SetInputParam("units_per_stage", 5);
  SetInputParam("seed", 1);
  RUN_BINDING();

  const arma::mat probabilities = params.Get<arma::mat>("probabilities");
  DeepGBNNModel* model = params.Get<DeepGBNNModel*>("output_model");
  params.Get<DeepGBNNModel*>("output_model") = nullptr;
  CleanMemory();
  ResetSettings();

  SetInputParam("input_model", model);
  SetInputParam("test", Table(test));
  RUN_BINDING();

  REQUIRE(probabilities.n_cols == test.n_cols);
  REQUIRE(arma::approx_equal(params.Get<arma::mat>("probabilities"),
      probabilities, "absdiff", 0));
  model = params.Get<DeepGBNNModel*>("output_model");
  params.Get<DeepGBNNModel*>("output_model") = nullptr;
  CleanMemory();
  ResetSettings();

  SetInputParam("input_model", model);
  SetInputParam("test", Table(test));
  SetInputParam("active_units", 5);
  RUN_BINDING();

  REQUIRE(!arma::approx_equal(params.Get<arma::mat>("probabilities"),
      probabilities, "absdiff", 1e-6));
  model = params.Get<DeepGBNNModel*>("output_model");
  REQUIRE(model->Head().ActiveUnits() == 5);
  REQUIRE(model->Head().Units() == 4 + 10);
}

/**
 * Make sure that there must be one label for each point, and that options out
 * of their range are refused.
 */
TEST_CASE_METHOD(DeepGBNNTestFixture, "DeepGBNNInvalidOptionTest",
                 "[DeepGBNNMainTest][BindingTests]")
{
  const arma::mat points = Points(40);
  const auto run = [&](const std::string& name, auto value)
  {
    CleanMemory();
    ResetSettings();
    SetInputParam("training", Table(points));
    SetInputParam("labels", Table(Labels(points)));
    SetInputParam("layers", std::vector<int>{ 3, 3 });
    SetInputParam("trunk_epochs", 1);
    SetInputParam("hidden_units", 2);
    SetInputParam(name, std::move(value));
    RUN_BINDING();
  };

  REQUIRE_NOTHROW(run("frozen_layers", 1));
  REQUIRE_THROWS_AS(run("frozen_layers", 2), std::runtime_error);
  REQUIRE_THROWS_AS(run("labels", Labels(Points(39))), std::runtime_error);
  REQUIRE_THROWS_AS(run("layers", std::vector<int>{ 3 }), std::runtime_error);
  REQUIRE_THROWS_AS(run("layers", std::vector<int>{ 3, 0 }),
      std::runtime_error);
  REQUIRE_THROWS_AS(run("trunk_epochs", 0), std::runtime_error);
  REQUIRE_THROWS_AS(run("trunk_optimizer", std::string("x")),
      std::runtime_error);
  REQUIRE_THROWS_AS(run("hidden_units", 0), std::runtime_error);
  REQUIRE_NOTHROW(run("active_units", 3 + 2));
  REQUIRE_THROWS_AS(run("active_units", 3 + 3), std::runtime_error);
  REQUIRE_THROWS_AS(run("validation_fraction", 1.0), std::runtime_error);
  REQUIRE_THROWS_AS(run("refine_iterations", -1), std::runtime_error);
  REQUIRE_THROWS_AS(run("weights", arma::rowvec(3, arma::fill::ones)),
      std::runtime_error);
  REQUIRE_THROWS_AS(run("max_feature_memory", -1.0), std::runtime_error);

  // Neither training data nor a model.
  CleanMemory();
  ResetSettings();
  SetInputParam("test", Table(points));
  REQUIRE_THROWS_AS(RUN_BINDING(), std::runtime_error);
}
