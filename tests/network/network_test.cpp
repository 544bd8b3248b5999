/**
 * @file tests/network/network_test.cpp
 *
 * The one network that boosting makes: merged weights, stages and mlpack's FFN
 * all predict the same, with any number of units.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

//! Train a small model of one kind, with a last stage that takes the remainder.
template<typename ModelType>
ModelType SmallModel(const GBNNActivation activation = GBNNActivation::LOGISTIC)
{
  ModelType model(17, 3, 0.3, 0.75);
  model.Activation() = activation;
  model.Seed() = 11;
  return model;
}

//! What a user sees: the scores after the model's link, from one that has been
//! given as scores.
template<typename ModelType, typename MatType>
MatType Linked(const ModelType& model, MatType scores)
{
  model.Loss().Link(scores);
  return scores;
}

//! F_0 + sum of Stage(t), as mlpack's networks compute it.
template<typename ModelType>
arma::mat StagedSum(const ModelType& model,
                    const arma::mat& data,
                    const size_t stages)
{
  arma::mat sum(model.Boosted().Outputs(), data.n_cols);
  sum.each_col() = model.Boosted().OutputBias().col(0);
  for (size_t t = 0; t < stages; ++t)
  {
    arma::mat output;
    auto stage = model.Stage(t);
    stage.Predict(data, output);
    sum += output;
  }
  return sum;
}

//! Scores, the sum of the stages and the network that is handed out agree.
template<typename ModelType>
void CheckNetwork(ModelType& model, const arma::mat& data)
{
  REQUIRE(model.Units() == 17);
  REQUIRE(model.Stages() == 6);
  REQUIRE(model.Boosted().UnitsOfStages(5) == 15);
  REQUIRE(model.Boosted().UnitsOfStages(6) == 17);
  REQUIRE(model.ActiveUnits() == 17);

  arma::mat scores, output;
  model.Scores(data, scores);
  const double scale = std::max(1.0, arma::abs(scores).max());
  REQUIRE(Difference(scores, StagedSum(model, data, 6)) < 1e-12 * scale);
  auto network = model.Network();
  network.Predict(data, output);
  REQUIRE(Difference(output, Linked(model, scores)) < 1e-12 * scale);
  // A copy of the network is a network too.
  auto copy = network;
  copy.Predict(data, output);
  REQUIRE(Difference(output, Linked(model, scores)) < 1e-12 * scale);

  // The merged weights, written out (Eqs. 19 to 23).
  const BoostedNetwork<>& boosted = model.Boosted();
  arma::mat hidden = boosted.HiddenWeights().t() * data;
  hidden.each_col() += boosted.HiddenBias();
  hidden = 1 / (1 + arma::exp(-hidden));
  arma::mat merged = boosted.OutputWeights() * hidden;
  merged.each_col() += boosted.OutputBias().col(17);
  REQUIRE(Difference(scores, merged) < 1e-12 * scale);

  // Whole stages switched off are the sum of the others.
  for (const size_t stages : { 0, 1, 3, 5 })
  {
    model.ActiveUnits(model.Boosted().UnitsOfStages(stages));
    model.Scores(data, scores);
    REQUIRE(Difference(scores, StagedSum(model, data, stages)) < 1e-12 * scale);
    model.Network().Predict(data, output);
    REQUIRE(Difference(output, Linked(model, scores)) < 1e-12 * scale);
  }

  // A partial stage: its units that are off stand at their mean over the
  // training data, so the mean of the scores is that of the whole stage.
  for (size_t k = 0; k <= 17; ++k)
  {
    model.ActiveUnits(k);
    model.Scores(data, scores);
    const size_t stage = (k + 2) / 3;
    const arma::vec expected = arma::mean(StagedSum(model, data, stage), 1);
    REQUIRE(Difference(arma::mean(scores, 1).eval(), expected) < 1e-11 * scale);
    model.Network().Predict(data, output);
    REQUIRE(Difference(output, Linked(model, scores)) < 1e-12 * scale);
  }
  REQUIRE(model.Units() == 17);

  // All at once, and one by one.
  arma::cube staged(boosted.Outputs(), data.n_cols, 18);
  model.StagedScores(data,
      [&](const size_t k, const size_t first, const arma::mat& block)
      {
        staged.slice(k).cols(first, first + block.n_cols - 1) = block;
      });
  for (size_t k = 0; k <= 17; ++k)
  {
    model.ActiveUnits(k);
    model.Scores(data, scores);
    REQUIRE(Difference(scores, staged.slice(k)) < 1e-12 * scale);
  }
}

TEST_CASE("NetworkOfBinaryClassifier", "[NetworkTest]")
{
  const Problem<arma::mat> problem(301, 5);
  auto model = SmallModel<GBNNClassifier<>>();
  model.Train(problem.data, problem.labels, 2);
  REQUIRE(model.Boosted().Outputs() == 1);
  CheckNetwork(model, problem.data);
}

TEST_CASE("NetworkOfMulticlassClassifier", "[NetworkTest]")
{
  const Problem<arma::mat> problem(301, 5);
  auto model = SmallModel<GBNNClassifier<>>();
  model.Train(problem.data, problem.threeLabels, 3);
  REQUIRE(model.Boosted().Outputs() == 3);
  CheckNetwork(model, problem.data);
}

TEST_CASE("NetworkOfRegressor", "[NetworkTest]")
{
  const Problem<arma::mat> problem(301, 5);
  auto model = SmallModel<GBNNRegressor<>>();
  model.Train(problem.data, problem.response);
  CheckNetwork(model, problem.data);
}

TEST_CASE("NetworkOfMultiResponseRegressor", "[NetworkTest]")
{
  const Problem<arma::mat> problem(301, 5);
  auto model = SmallModel<GBNNRegressor<>>();
  model.Train(problem.data, problem.responses);
  REQUIRE(model.NumResponses() == 2);
  CheckNetwork(model, problem.data);
}

//! The other activations reach the FFN too.
TEST_CASE("NetworkActivations", "[NetworkTest]")
{
  const Problem<arma::mat> problem(200, 4);
  for (const GBNNActivation activation : { GBNNActivation::TANH,
      GBNNActivation::RELU })
  {
    auto model = SmallModel<GBNNClassifier<>>(activation);
    model.Train(problem.data, problem.threeLabels, 3);
    arma::Row<size_t> predictions;
    arma::mat probabilities, output;
    model.Classify(problem.data, predictions, probabilities);
    model.Network().Predict(problem.data, output);
    REQUIRE(Difference(output, probabilities) < 1e-12);
    REQUIRE(arma::accu(predictions == problem.threeLabels) > 140);
  }
}

TEST_CASE("NetworkOfFloats", "[NetworkTest]")
{
  const Problem<arma::fmat> problem(200, 4);
  auto model = SmallModel<GBNNClassifier<arma::fmat>>();
  model.Train(problem.data, problem.labels, 2);
  arma::Row<size_t> predictions;
  arma::fmat probabilities, output;
  model.Classify(problem.data, predictions, probabilities);
  model.Network().Predict(problem.data, output);
  REQUIRE(Difference(output, probabilities.row(1).eval()) < 1e-5);
}

//! What is handed out is an ordinary network: training goes on.
TEST_CASE("NetworkTrainsFurther", "[NetworkTest]")
{
  const Problem<arma::mat> problem(400, 3);
  auto model = SmallModel<GBNNRegressor<>>();
  model.Train(problem.data, problem.response);
  auto network = model.Network();
  const auto error = [&]()
  {
    arma::mat output;
    network.Predict(problem.data, output);
    return arma::mean(arma::mean(arma::square(output - problem.response)));
  };
  const double before = error();
  ens::Adam adam(0.003, 20, 0.9, 0.999, 1e-8, 400 * 60);
  network.Train(problem.data, problem.response, adam);
  REQUIRE(error() < 0.8 * before);

  // And so is a classifier's, under its own loss.
  auto classifier = SmallModel<GBNNClassifier<>>();
  classifier.Train(problem.data, problem.labels, 2);
  auto probabilities = classifier.Network();
  const arma::mat targets = arma::conv_to<arma::mat>::from(problem.labels);
  const auto loss = [&]()
  {
    arma::mat p;
    probabilities.Predict(problem.data, p);
    return -arma::accu(targets % arma::log(p) + (1 - targets) % arma::log(1 -
        p));
  };
  const double first = loss();
  probabilities.Train(problem.data, targets, adam);
  REQUIRE(loss() < 0.97 * first);
}

//! One point at a time and all at once predict the same, also with few units
//! and for columns of other matrices.
TEMPLATE_TEST_CASE("NetworkPointByPoint", "[NetworkTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  // More dimensions than lanes, and more units than a batch has.
  const Problem<TestType> problem(120, 11);
  GBNNClassifier<TestType> model(70, 7, 0.2, 1.0);
  model.Seed() = 2;
  model.Train(problem.data, problem.threeLabels, 3);
  for (const size_t k : { 0, 1, 5, 33, 64, 70 })
  {
    model.ActiveUnits(k);
    arma::Row<size_t> predictions;
    TestType probabilities;
    model.Classify(problem.data, predictions, probabilities);
    for (size_t i = 0; i < problem.data.n_cols; ++i)
    {
      size_t prediction;
      arma::Col<ElemType> probability;
      model.Classify(problem.data.col(i), prediction, probability);
      REQUIRE(prediction == predictions[i]);
      REQUIRE(Difference(probability, probabilities.col(i).eval()) <
          Tolerance<ElemType>);
      REQUIRE(model.Classify(problem.data.col(i)) == prediction);
    }
  }
}

//! Appended by hand: two stages whose output is known.
TEST_CASE("BoostedNetworkByHand", "[NetworkTest]")
{
  // One input, one output, ReLU; F_0 = 5.
  const arma::mat data = { { 1, 2, 3 } };
  BoostedNetwork<> network(1, arma::vec({ 5 }), GBNNActivation::RELU);
  arma::mat scores(1, 3, arma::fill::value(5)), expected;
  REQUIRE(network.Units() == 0);
  REQUIRE(network.Outputs() == 1);

  // Units x and 2 x - 1; output u1 - u2 + 1 = 2 - x, times the factor 10.
  network.Append(arma::vec({ 1, 2, 0, -1, 1, -1, 1 }), 2, arma::vec({ 10 }),
      data, scores);
  REQUIRE(Difference(scores, arma::mat({ { 15, 5, -5 } })) < 1e-13);
  // The unit x - 1 and output 2 u - 3, factor 1.
  network.Append(arma::vec({ 1, -1, 2, -3 }), 1, arma::vec({ 1 }), data,
      scores);
  REQUIRE(Difference(scores, arma::mat({ { 12, 4, -4 } })) < 1e-13);
  REQUIRE(network.Units() == 3);
  REQUIRE(network.Stages() == 2);

  // In FFN's layout: W1, b1, W2, b2.
  REQUIRE(Difference(network.Parameters(), arma::vec({ 1, 2, 1, 0, -1, -1, 10,
      -10, 2, 12 })) < 1e-13);

  // k = 1: unit 2 x - 1 stands at its mean over 1, 3, 5: 5 + 10 (x - 3 + 1).
  const std::vector<arma::mat> byUnits = { { { 5, 5, 5 } }, { { -5, 5, 15 } },
      { { 15, 5, -5 } }, { { 12, 4, -4 } } };
  for (size_t k = 0; k <= 3; ++k)
  {
    network.Evaluate(data, k, expected);
    REQUIRE(Difference(expected, byUnits[k]) < 1e-13);
  }
}
