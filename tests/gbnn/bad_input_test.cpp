/**
 * @file tests/gbnn/bad_input_test.cpp
 *
 * Bad input gets a std::invalid_argument that names the function and both
 * numbers, and leaves the model as it was.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

//! Call something that must throw std::invalid_argument with all these words.
template<typename FunctionType>
void RequireRefusal(const std::vector<std::string>& words,
                    const FunctionType& call)
{
  bool thrown = false;
  std::string message;
  try
  {
    call();
  }
  catch (const std::invalid_argument& e)
  {
    thrown = true;
    message = e.what();
  }
  REQUIRE(thrown);
  for (const std::string& word : words)
    REQUIRE_THAT(message, Contains(word));
}

//! A trained classifier that every test must leave as it was.
template<typename ModelType>
struct Guarded
{
  Problem<arma::mat> problem;
  ModelType model;
  arma::mat before;

  Guarded() : problem(80, 3), model(6, 2, 0.1, 0.75)
  {
    model.Seed() = 1;
    if constexpr (std::is_same_v<ModelType, GBNNClassifier<>>)
      model.Train(problem.data, problem.threeLabels, 3);
    else
      model.Train(problem.data, problem.response);
    model.ActiveUnits(5);
    model.Scores(problem.data, before);
  }

  template<typename FunctionType>
  void Refuses(const std::vector<std::string>& words,
               const FunctionType& call)
  {
    RequireRefusal(words, call);
    arma::mat after;
    REQUIRE(model.ActiveUnits() == 5);
    REQUIRE(model.Units() == 6);
    model.Scores(problem.data, after);
    REQUIRE(SameBits(before, after));
  }
};

const std::string train = "GBNNClassifier::Train()";

TEST_CASE("RefuseBadLabels", "[BadInputTest]")
{
  Guarded<GBNNClassifier<>> g;
  const arma::mat& data = g.problem.data;
  const arma::Row<size_t>& labels = g.problem.threeLabels;
  g.Refuses({ train, "79", "80", "labels", "points" }, [&]()
      { g.model.Train(data, labels.head(79), 3); });
  g.Refuses({ train, "(0)", "80" }, [&]()
      { g.model.Train(data, arma::Row<size_t>(), 3); });
  g.Refuses({ train, "label 2", "(2)" }, [&]()
      { g.model.Train(data, labels, 2); });
  for (const size_t classes : { 0, 1 })
  {
    g.Refuses({ train, "(" + std::to_string(classes) + ")", "2" }, [&]()
        { g.model.Train(data, labels, classes); });
  }
  g.Refuses({ "GBNNClassifier::StagedAccuracy()", "79", "80" }, [&]()
      { g.model.StagedAccuracy(data, labels.head(79)); });
}

TEST_CASE("RefuseBadData", "[BadInputTest]")
{
  Guarded<GBNNClassifier<>> g;
  const arma::Row<size_t>& labels = g.problem.threeLabels;
  g.Refuses({ train, "empty", "0 dimensions", "0 points" }, [&]()
      { g.model.Train(arma::mat(), arma::Row<size_t>(), 3); });
  g.Refuses({ train, "empty", "3 dimensions", "0 points" }, [&]()
      { g.model.Train(arma::mat(3, 0), arma::Row<size_t>(), 3); });
  g.Refuses({ train, "empty", "0 dimensions", "80 points" }, [&]()
      { g.model.Train(arma::mat(0, 80), labels, 3); });
  for (const double bad : { arma::datum::nan, arma::datum::inf,
      -arma::datum::inf })
  {
    arma::mat data = g.problem.data;
    data(2, 7) = bad;
    g.Refuses({ train, "NaN or infinite", "row 2", "column 7" }, [&]()
        { g.model.Train(data, labels, 3); });
    // Predictions would be as meaningless.
    arma::Row<size_t> predictions;
    arma::mat probabilities;
    const std::string classify = "GBNNClassifier::Classify()";
    g.Refuses({ classify, "row 2", "column 7" }, [&]()
        { g.model.Classify(data, predictions); });
    g.Refuses({ classify, "row 2", "column 7" }, [&]()
        { g.model.Classify(data, predictions, probabilities); });
    g.Refuses({ classify, "row 2" }, [&]() { g.model.Classify(data.col(7)); });
    g.Refuses({ "GBNN::Scores()", "row 2" }, [&]()
        { g.model.Scores(data, probabilities); });
    g.Refuses({ "StagedAccuracy()", "row 2" }, [&]()
        { g.model.StagedAccuracy(data, labels); });
  }
}

TEST_CASE("RefuseBadWeights", "[BadInputTest]")
{
  Guarded<GBNNClassifier<>> g;
  arma::rowvec weights(80, arma::fill::ones);
  const auto refuses = [&](const std::vector<std::string>& words)
  {
    g.Refuses(words, [&]()
        { g.model.Train(g.problem.data, g.problem.threeLabels, 3, weights); });
  };
  weights[3] = -1;
  refuses({ train, "weights" });
  weights[3] = arma::datum::nan;
  refuses({ train, "weights" });
  weights.zeros();
  refuses({ train, "weights" });
  weights.ones(81);
  refuses({ train, "81", "80", "weights" });
}

TEST_CASE("RefuseBadHyperparameters", "[BadInputTest]")
{
  Guarded<GBNNClassifier<>> g;
  const auto refuses = [&](const std::vector<std::string>& words,
                           const size_t units,
                           const size_t perStage,
                           const double rate,
                           const double subsample)
  {
    // As arguments.
    g.Refuses(words, [&]()
        {
          g.model.Train(g.problem.data, g.problem.threeLabels, 3, units,
              perStage, rate, subsample);
        });
    REQUIRE(g.model.HiddenUnits() == 6);
    REQUIRE(g.model.UnitsPerStage() == 2);
    REQUIRE(g.model.LearningRate() == 0.1);
    REQUIRE(g.model.Subsample() == 0.75);
    // As members.
    GBNNClassifier<> model(g.model);
    model.HiddenUnits() = units;
    model.UnitsPerStage() = perStage;
    model.LearningRate() = rate;
    model.Subsample() = subsample;
    RequireRefusal(words, [&]()
        { model.Train(g.problem.data, g.problem.threeLabels, 3); });
    // In the constructor.
    RequireRefusal(words, [&]()
        {
          GBNNClassifier<> made(g.problem.data, g.problem.threeLabels, 3,
              units, perStage, rate, subsample);
        });
  };
  refuses({ train, "hidden units", "(0)" }, 0, 1, 0.1, 0.75);
  refuses({ train, "units per stage", "(0)", "(10)" }, 10, 0, 0.1, 0.75);
  refuses({ train, "units per stage", "(11)", "(10)" }, 10, 11, 0.1, 0.75);
  for (const double bad : { 0.0, -0.1, 1.5, arma::datum::nan })
  {
    refuses({ train, "learning rate", std::to_string(bad), "at most 1" }, 10,
        1, bad, 0.75);
    refuses({ train, "subsample", std::to_string(bad), "at most 1" }, 10, 1,
        0.1, bad);
  }
  g.model.L2() = -1;
  g.Refuses({ train, "L2" }, [&]()
      { g.model.Train(g.problem.data, g.problem.threeLabels, 3); });
}

TEST_CASE("RefuseOtherDimensions", "[BadInputTest]")
{
  Guarded<GBNNClassifier<>> g;
  const arma::mat narrow(2, 9, arma::fill::zeros);
  const std::string classify = "GBNNClassifier::Classify()";
  arma::Row<size_t> predictions = { 8, 8 };
  arma::mat probabilities;
  arma::vec probability;
  size_t prediction;
  g.Refuses({ classify, "(2)", "(3)" }, [&]()
      { g.model.Classify(narrow, predictions); });
  REQUIRE(predictions[0] == 8);
  g.Refuses({ classify, "(2)", "(3)" }, [&]()
      { g.model.Classify(narrow, predictions, probabilities); });
  g.Refuses({ classify, "(2)", "(3)" }, [&]()
      { g.model.Classify(narrow.col(0)); });
  g.Refuses({ classify, "(2)", "(3)" }, [&]()
      { g.model.Classify(narrow.col(0), prediction, probability); });
  g.Refuses({ "GBNN::Scores()", "(2)", "(3)" }, [&]()
      { g.model.Scores(narrow, probabilities); });
  g.Refuses({ "StagedAccuracy()", "(2)", "(3)" }, [&]()
      { g.model.StagedAccuracy(narrow, predictions); });
  g.Refuses({ "GBNNClassifier::Grow()", "(2)", "(3)" }, [&]()
      { g.model.Grow(narrow, predictions, 4); });
  g.Refuses({ "GBNN::ActiveUnits()", "(7)", "(6)" }, [&]()
      { g.model.ActiveUnits(7); });
  g.Refuses({ "GBNN::Stage()", "(3)", "(3)" }, [&]() { g.model.Stage(3); });
  // More classes than the model has.
  g.Refuses({ "GBNNClassifier::Grow()", "label 5", "(3)" }, [&]()
      {
        const arma::Row<size_t> labels(80, arma::fill::value(5));
        g.model.Grow(g.problem.data, labels, 4);
      });
}

TEST_CASE("RefuseUntrained", "[BadInputTest]")
{
  const Problem<arma::mat> problem(10, 3);
  GBNNClassifier<> classifier;
  GBNNRegressor<> regressor;
  arma::Row<size_t> predictions;
  arma::rowvec responses;
  arma::mat matrix;
  const std::string classify = "GBNNClassifier::Classify()";
  RequireRefusal({ classify, "not trained" }, [&]()
      { classifier.Classify(problem.data, predictions); });
  RequireRefusal({ classify, "not trained" }, [&]()
      { classifier.Classify(problem.data, predictions, matrix); });
  RequireRefusal({ classify, "not trained" }, [&]()
      { classifier.Classify(problem.data.col(0)); });
  RequireRefusal({ "GBNNClassifier::Network()", "not trained" }, [&]()
      { classifier.Network(); });
  RequireRefusal({ "GBNNClassifier::Grow()", "not trained" }, [&]()
      { classifier.Grow(problem.data, problem.labels, 5); });
  RequireRefusal({ "GBNN::Scores()", "not trained" }, [&]()
      { classifier.Scores(problem.data, matrix); });
  RequireRefusal({ "GBNN::ActiveUnits()", "(1)", "(0)" }, [&]()
      { classifier.ActiveUnits(1); });
  RequireRefusal({ "GBNN::Stage()", "(0)" }, [&]() { classifier.Stage(0); });
  RequireRefusal({ "GBNNRegressor::Predict()", "not trained" }, [&]()
      { regressor.Predict(problem.data, responses); });
  RequireRefusal({ "GBNNRegressor::Predict()", "not trained" }, [&]()
      { regressor.Predict(problem.data.col(0)); });
  RequireRefusal({ "GBNNRegressor::Network()", "not trained" }, [&]()
      { regressor.Network(); });
  RequireRefusal({ "GBNNRegressor::StagedRMSE()", "not trained" }, [&]()
      { regressor.StagedRMSE(problem.data, problem.response); });
}

TEST_CASE("RefuseBadRegression", "[BadInputTest]")
{
  Guarded<GBNNRegressor<>> g;
  const arma::mat& data = g.problem.data;
  const arma::rowvec& response = g.problem.response;
  const std::string regressorTrain = "GBNNRegressor::Train()";
  g.Refuses({ regressorTrain, "79", "80", "responses" }, [&]()
      { g.model.Train(data, arma::rowvec(response.head(79))); });
  g.Refuses({ regressorTrain, "empty" }, [&]()
      { g.model.Train(arma::mat(), arma::rowvec()); });
  arma::rowvec bad = response;
  bad[4] = arma::datum::inf;
  g.Refuses({ regressorTrain, "responses", "NaN or infinite", "column 4" },
      [&]() { g.model.Train(data, bad); });
  g.Refuses({ regressorTrain, "units per stage", "(9)", "(8)" }, [&]()
      { g.model.Train(data, response, 8, 9); });
  g.Refuses({ regressorTrain, "learning rate" }, [&]()
      { g.model.Train(data, response, 8, 1, 2.0); });
  g.Refuses({ regressorTrain, "subsample" }, [&]()
      { g.model.Train(data, response, 8, 1, 0.1, 0.0); });
  arma::rowvec predictions;
  g.Refuses({ "GBNNRegressor::Predict()", "(2)", "(3)" }, [&]()
      { g.model.Predict(arma::mat(2, 5), predictions); });
  g.Refuses({ "GBNNRegressor::Grow()", "(2)", "(1)" }, [&]()
      { g.model.Grow(data, g.problem.responses, 5); });
  g.Refuses({ "StagedRMSE()", "2 x 80", "1 x 80" }, [&]()
      { g.model.StagedRMSE(data, g.problem.responses); });

  GBNNRegressor<> two(4);
  two.Train(data, g.problem.responses);
  RequireRefusal({ "GBNNRegressor::Predict()", "2", "(1)" }, [&]()
      { two.Predict(data, predictions); });
}

//! An optimizer that goes astray leaves the model as it was, too.
TEST_CASE("RefuseDivergence", "[BadInputTest]")
{
  Guarded<GBNNRegressor<>> g;
  ens::StandardSGD wild(1e30, 1, 1000, 1e-5, false);
  REQUIRE_THROWS_AS(g.model.Train(g.problem.data, g.problem.response, wild),
      std::runtime_error);
  arma::mat after;
  g.model.Scores(g.problem.data, after);
  REQUIRE(SameBits(g.before, after));
}
