/**
 * @file tests/gbnn/cv_test.cpp
 *
 * mlpack's cross-validation and hyperparameter tuning know the two classes.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <mlpack/core.hpp>

using namespace mlpack;

TEST_CASE("CrossValidateClassifier", "[CVTest]")
{
  const Problem<arma::mat> problem(240, 3);
  RandomSeed(3);
  KFoldCV<GBNNClassifier<>, Accuracy> cv(3, problem.data, problem.labels,
      size_t(2));
  const double few = cv.Evaluate(1, 1, 0.1, 0.75);
  const double many = cv.Evaluate(40, 2, 0.3, 0.75);
  REQUIRE(many > 0.65);
  REQUIRE(many <= 1);
  REQUIRE(many > few);
  REQUIRE(cv.Model().Units() == 40);

  // With weights, and several classes.
  const arma::rowvec weights(240, arma::fill::ones);
  KFoldCV<GBNNClassifier<>, Accuracy> weighted(3, problem.data,
      problem.threeLabels, size_t(3), weights);
  REQUIRE(weighted.Evaluate(40, 2, 0.3) > 0.65);
}

TEST_CASE("CrossValidateRegressor", "[CVTest]")
{
  const Problem<arma::mat> problem(240, 3);
  RandomSeed(3);
  KFoldCV<GBNNRegressor<>, MSE> cv(3, problem.data, problem.response);
  const double few = cv.Evaluate(1, 1, 0.1, 0.75);
  const double many = cv.Evaluate(40, 2, 0.3, 0.75);
  REQUIRE(many < 0.5 * few);
  REQUIRE(cv.Model().Units() == 40);
}

TEST_CASE("TuneClassifier", "[CVTest]")
{
  const Problem<arma::mat> problem(240, 3);
  RandomSeed(3);
  HyperParameterTuner<GBNNClassifier<>, Accuracy, SimpleCV> tuner(0.3,
      problem.data, problem.labels, size_t(2));
  const arma::Row<size_t> units = { 1, 30 };
  const auto [hidden, rate] = tuner.Optimize(units, Fixed(size_t(1)),
      arma::rowvec({ 0.01, 0.3 }), Fixed(0.75));
  REQUIRE(hidden == 30);
  REQUIRE(rate == 0.3);
  REQUIRE(tuner.BestObjective() > 0.65);
  REQUIRE(tuner.BestModel().Units() == 30);
}

TEST_CASE("TuneRegressor", "[CVTest]")
{
  const Problem<arma::mat> problem(240, 3);
  RandomSeed(3);
  HyperParameterTuner<GBNNRegressor<>, MSE, KFoldCV> tuner(2, problem.data,
      problem.response);
  const auto [hidden, perStage] = tuner.Optimize(arma::Row<size_t>({ 3, 30 }),
      arma::Row<size_t>({ 1, 3 }), Fixed(0.3), Fixed(0.75));
  REQUIRE(hidden == 30);
  REQUIRE((perStage == 1 || perStage == 3));
  REQUIRE(tuner.BestModel().Units() == 30);
}
