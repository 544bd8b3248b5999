/**
 * @file tests/gbnn/classifier_test.cpp
 *
 * The classifier: it learns, in all its shapes, and does better than a linear
 * method where that should be so.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <mlpack/methods/decision_tree/decision_tree.hpp>
#include <mlpack/methods/logistic_regression/logistic_regression.hpp>

#include "../../examples/tic_tac_toe.hpp"

using namespace mlpack;

//! Share of the labels that are equal.
double Agreement(const arma::Row<size_t>& a, const arma::Row<size_t>& b)
{
  return arma::accu(a == b) / double(a.n_elem);
}

TEST_CASE("TicTacToeHas958Ends", "[ClassifierTest]")
{
  arma::mat data;
  arma::Row<size_t> labels;
  examples::TicTacToe(data, labels);
  // Known of the game: 626 wins of x, 316 of o, 16 draws.
  REQUIRE(data.n_cols == 958);
  REQUIRE(arma::accu(labels) == 626);
  REQUIRE(arma::accu(data) == 9 * 958);
}

//! On a fixed split it all but knows the rule, which a tree is far from.
TEST_CASE("ClassifierLearnsTicTacToe", "[ClassifierTest]")
{
  arma::mat data;
  arma::Row<size_t> labels;
  examples::TicTacToe(data, labels);
  const size_t train = 638, test = 320;
  const arma::mat trainData = data.head_cols(train);
  const arma::mat testData = data.tail_cols(test);
  const arma::Row<size_t> trainLabels = labels.head(train);
  const arma::Row<size_t> testLabels = labels.tail(test);

  GBNNClassifier<> model(200, 1, 0.1, 0.75);
  model.Seed() = 1;
  model.Train(trainData, trainLabels, 2);
  arma::Row<size_t> predictions;
  model.Classify(testData, predictions);
  const double accuracy = Agreement(predictions, testLabels);
  REQUIRE(accuracy >= 0.96);

  DecisionTree<> tree(trainData, trainLabels, 2);
  tree.Classify(testData, predictions);
  REQUIRE(accuracy > Agreement(predictions, testLabels) + 0.03);
}

//! A border that no linear method can draw: the sign of a product.
TEMPLATE_TEST_CASE("ClassifierBeatsLinear", "[ClassifierTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> train(800, 3, 1), test(800, 3, 2);
  GBNNClassifier<TestType> model(60, 2, 0.3, 0.75);
  model.Seed() = 5;
  model.Train(train.data, train.labels, 2);
  arma::Row<size_t> predictions;
  model.Classify(test.data, predictions);
  const double accuracy = Agreement(predictions, test.labels);
  REQUIRE(accuracy > 0.78);

  LogisticRegression<> linear(arma::conv_to<arma::mat>::from(train.data),
      train.labels, 0.01);
  linear.Classify(arma::conv_to<arma::mat>::from(test.data), predictions);
  REQUIRE(accuracy > Agreement(predictions, test.labels) + 0.2);
}

TEMPLATE_TEST_CASE("ClassifierShapes", "[ClassifierTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> problem(200, 3);
  const size_t n = problem.data.n_cols;
  RandomSeed(9);
  const GBNNClassifier<TestType> model(problem.data, problem.threeLabels, 3, 30,
      3, 0.2, 0.8);
  REQUIRE(model.NumClasses() == 3);
  REQUIRE(model.HiddenUnits() == 30);
  REQUIRE(model.UnitsPerStage() == 3);
  REQUIRE(model.LearningRate() == 0.2);
  REQUIRE(model.Subsample() == 0.8);
  REQUIRE(model.IsTrained());
  REQUIRE(model.Dimensionality() == 3);

  arma::Row<size_t> predictions, again;
  TestType probabilities;
  model.Classify(problem.data, predictions);
  model.Classify(problem.data, again, probabilities);
  REQUIRE(SameBits(predictions, again));
  REQUIRE(probabilities.n_rows == 3);
  REQUIRE(probabilities.n_cols == n);
  REQUIRE(Difference(arma::sum(probabilities, 0).eval(),
      arma::rowvec(n, arma::fill::ones)) < 1e-5);
  for (size_t i = 0; i < n; ++i)
    REQUIRE(probabilities.col(i).index_max() == predictions[i]);
  REQUIRE(Agreement(predictions, problem.threeLabels) > 0.8);

  // Two classes have two probabilities too.
  const GBNNClassifier<TestType> two(problem.data, problem.labels, 2, 20);
  two.Classify(problem.data, predictions, probabilities);
  REQUIRE(probabilities.n_rows == 2);
  REQUIRE(Difference(arma::sum(probabilities, 0).eval(),
      arma::rowvec(n, arma::fill::ones)) < 1e-6);
  for (size_t i = 0; i < n; ++i)
    REQUIRE((probabilities(1, i) > 0.5) == (predictions[i] == 1));

  // Nothing to classify is nothing, not an error.
  two.Classify(TestType(3, 0), predictions, probabilities);
  REQUIRE(predictions.n_elem == 0);
  REQUIRE(probabilities.n_cols == 0);
}

//! Training lowers the loss; Train() returns it, and the losses of all stages
//! are kept.
TEST_CASE("ClassifierTrainingLosses", "[ClassifierTest]")
{
  const Problem<arma::mat> problem(300, 3);
  for (const size_t classes : { 2, 3 })
  {
    GBNNClassifier<> model(24, 2, 0.3, 0.75);
    model.Seed() = 3;
    const double loss = model.Train(problem.data, (classes == 2) ?
        problem.labels : problem.threeLabels, classes);
    REQUIRE(model.TrainingLosses().size() == 13);
    REQUIRE(model.TrainingLosses().back() == loss);
    REQUIRE(loss < 0.7 * model.TrainingLosses().front());
    // The first is that of the best constant, or of none.
    if (classes == 3)
      REQUIRE(model.TrainingLosses()[0] == Approx(std::log(3.0)));
  }
}

TEST_CASE("ClassifierStagedAccuracy", "[ClassifierTest]")
{
  const Problem<arma::mat> problem(301, 4);
  for (const size_t classes : { 2, 3 })
  {
    const arma::Row<size_t>& labels = (classes == 2) ? problem.labels :
        problem.threeLabels;
    GBNNClassifier<> model(16, 3, 0.2, 0.75);
    model.Seed() = 3;
    model.Train(problem.data, labels, classes);
    const arma::rowvec staged = model.StagedAccuracy(problem.data, labels);
    REQUIRE(staged.n_elem == 17);
    for (size_t k = 0; k <= 16; ++k)
    {
      model.ActiveUnits(k);
      arma::Row<size_t> predictions;
      model.Classify(problem.data, predictions);
      REQUIRE(staged[k] == Approx(Agreement(predictions, labels)));
    }
    REQUIRE(staged[16] > staged[0] + 0.15);
  }
}

//! Only one class in the data: the model is sure of it, whatever the point.
TEMPLATE_TEST_CASE("ClassifierOfOneClass", "[ClassifierTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> problem(50, 3);
  arma::Row<size_t> predictions;
  TestType probabilities;
  for (const size_t label : { 0, 1 })
  {
    const arma::Row<size_t> labels(50, arma::fill::value(label));
    const GBNNClassifier<TestType> model(problem.data, labels, 2, 10);
    model.Classify(problem.data, predictions, probabilities);
    REQUIRE(arma::all(predictions == label));
    REQUIRE(probabilities.is_finite());
    REQUIRE(probabilities.row(label).min() > 0.999);
  }
  const arma::Row<size_t> labels(50, arma::fill::value(2));
  const GBNNClassifier<TestType> model(problem.data, labels, 4, 40, 2, 0.5);
  model.Classify(problem.data, predictions, probabilities);
  REQUIRE(arma::all(predictions == 2));
  REQUIRE(probabilities.is_finite());
  REQUIRE(probabilities.row(2).min() > 0.9);
}

//! A dimension that is constant, or points that are all the same, do no harm.
TEST_CASE("ClassifierDegenerateData", "[ClassifierTest]")
{
  Problem<arma::mat> problem(60, 3);
  problem.data.row(2).fill(4);
  GBNNClassifier<> model(problem.data, problem.labels, 2, 10);
  arma::mat scores;
  model.Scores(problem.data, scores);
  REQUIRE(scores.is_finite());

  problem.data.ones();
  model.Train(problem.data, problem.labels, 2);
  model.Scores(problem.data, scores);
  REQUIRE(scores.is_finite());
  // Nothing tells the points apart, so the shares of the classes remain.
  arma::Row<size_t> predictions;
  arma::mat probabilities;
  model.Classify(problem.data, predictions, probabilities);
  REQUIRE(probabilities(1, 0) == Approx(arma::mean(arma::conv_to<
      arma::rowvec>::from(problem.labels))).margin(0.1));

  // One point is enough.
  model.Train(problem.data.col(0), problem.labels.col(0), 2);
  REQUIRE(model.Classify(problem.data.col(0)) == problem.labels[0]);
}

//! 1e6 is a scale nobody should use, but it must not break anything.
TEST_CASE("ClassifierHugeData", "[ClassifierTest]")
{
  const Problem<arma::mat> problem(100, 3);
  GBNNClassifier<> model(1e6 * problem.data, problem.labels, 2, 20);
  arma::mat scores;
  model.Scores(1e6 * problem.data, scores);
  REQUIRE(scores.is_finite());
}
