/**
 * @file tests/deep_gbnn/deep_start_test.cpp
 *
 * Heads that begin with the last layers of their network, for classes and for
 * responses; early stopping and refinement.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "deep_tools.hpp"

using namespace mlpack;

//! A network for responses; its last hidden layer has 7 units.
using ResponseNetwork = FFN<MeanSquaredError, HeInitialization>;
using DeepRegressor = DeepGBNN<arma::mat, SquaredErrorLoss>;

static ResponseNetwork SmallResponseNetwork(const arma::mat& data,
                                            const arma::mat& responses)
{
  RandomSeed(5);
  ResponseNetwork network;
  network.Add<Linear>(9);
  network.Add<ReLU>();
  network.Add<Linear>(7);
  network.Add<TanH>();
  network.Add<Linear>(responses.n_rows);
  ens::Adam adam(0.01, 32, 0.9, 0.999, 1e-8, 20 * data.n_cols, 0);
  network.Train(data, responses, adam);
  return network;
}

//! The probabilities of a network.  mlpack's LogSoftMax rounds generously, so
//! that they do not quite add up to 1.
static arma::mat Probabilities(ClassNetwork& network, const arma::mat& data)
{
  arma::mat logarithms;
  network.Predict(data, logarithms);
  return arma::normalise(arma::exp(logarithms), 1, 0);
}

//! Give a head a small size and a seed.
template<typename ModelType>
static void SetSmall(ModelType& model)
{
  model.Head().HiddenUnits() = 10;
  model.Head().UnitsPerStage() = 5;
  model.Head().Seed() = 3;
}

//! With the units that it began with, a head is the network.
TEST_CASE("DeepBeginsWithTheNetwork", "[DeepStartTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  for (const arma::Row<size_t>& labels : { problem.labels,
      problem.threeLabels })
  {
    for (const std::string kind : { "dense", "two convolutions" })
    {
      INFO(kind << ", " << labels.max() + 1 << " classes");
      ClassNetwork network = SmallNetwork(kind, problem.data, labels);
      DeepGBNN<> model(network);
      SetSmall(model);
      REQUIRE(model.Last().Units() == 7);
      REQUIRE(model.Head().Activation() == GBNNActivation::RELU);
      model.Train(problem.data, labels, labels.max() + 1);
      REQUIRE(model.Units() == 17);
      REQUIRE(model.Head().Stages() == 3);
      // What it began with is no part of the model's settings.
      REQUIRE(model.Head().FirstNetwork().Outputs() == 0);

      arma::mat probabilities, output;
      arma::Row<size_t> predictions;
      model.ActiveUnits(7);
      model.Classify(problem.data, predictions, probabilities);
      REQUIRE(Difference(probabilities, Probabilities(network, problem.data)) <
          1e-10);
      for (const size_t units : { 17, 12, 7, 3 })
      {
        model.ActiveUnits(units);
        model.Classify(problem.data, predictions, probabilities);
        auto whole = model.Network();
        whole.Predict(problem.data, output);
        REQUIRE(Difference(output, probabilities.tail_rows(output.n_rows)) <
            1e-10);
      }
      const std::vector<double>& losses = model.Head().TrainingLosses();
      REQUIRE(losses.back() < losses.front());
    }
  }
}

//! Else it begins with a constant.
TEST_CASE("DeepBeginsWithNothing", "[DeepStartTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  const ClassNetwork network = SmallNetwork("two convolutions", problem.data,
      problem.labels);
  const auto units = [&](DeepGBNN<>&& model, const size_t classes)
  {
    SetSmall(model);
    model.Train(problem.data, problem.labels, classes);
    return model.Head().LossUnits().front();
  };
  REQUIRE(units(DeepGBNN<>(network), 2) == 7);
  // Another activation, as by default in a GBNN; another number of classes.
  REQUIRE(units(DeepGBNN<>(network, DeepGBNN<>::allButLast,
      GBNNClassifier<>()), 2) == 0);
  REQUIRE(units(DeepGBNN<>(network), 3) == 0);
  // More or fewer layers than a GBNN has.
  for (const size_t layers : { 1, 5, 7, 8, 10 })
  {
    INFO(layers);
    REQUIRE(DeepGBNN<>(network, layers).Last().Units() == 0);
    REQUIRE(units(DeepGBNN<>(network, layers), 2) == 0);
  }
}

//! Regression, with one and with two responses.
TEST_CASE("DeepRegression", "[DeepStartTest]")
{
  const Problem<arma::mat> problem(300, 4);
  for (const arma::mat& responses : { arma::mat(problem.response),
      problem.responses })
  {
    INFO(responses.n_rows << " responses");
    ResponseNetwork network = SmallResponseNetwork(problem.data, responses);
    DeepRegressor model(network);
    SetSmall(model);
    REQUIRE(model.Head().Activation() == GBNNActivation::TANH);
    model.Train(problem.data, responses);
    REQUIRE(model.Units() == 17);

    arma::mat ofNetwork, predictions, output;
    network.Predict(problem.data, ofNetwork);
    const arma::rowvec errors = model.StagedError(problem.data, responses);
    const auto rmse = [&](const arma::mat& values)
    {
      return std::sqrt(arma::mean(arma::vectorise(arma::square(values -
          responses))));
    };
    REQUIRE(errors.n_elem == 18);
    REQUIRE(errors[7] == Approx(rmse(ofNetwork)).epsilon(1e-10));
    REQUIRE(errors[17] < errors[7]);
    for (const size_t units : { 7, 17, 4 })
    {
      model.ActiveUnits(units);
      model.Predict(problem.data, predictions);
      REQUIRE(errors[units] == Approx(rmse(predictions)).epsilon(1e-10));
      REQUIRE(model.Predict(problem.data.col(5)) ==
          Approx(predictions(0, 5)).epsilon(1e-12));
      auto whole = model.Network();
      whole.Predict(problem.data, output);
      REQUIRE(Difference(output, predictions) < 1e-10);
    }
    // Without units, the mean; the first ones are the network all the same.
    model.ActiveUnits(0);
    model.Predict(problem.data, predictions);
    REQUIRE(Difference(predictions.col(5), arma::vec(arma::mean(responses,
        1))) < 1e-12);
    model.ActiveUnits(7);
    model.Predict(problem.data, predictions);
    REQUIRE(Difference(predictions, ofNetwork) < 1e-10);
  }
}

//! Weights of a regression are those of its head.
TEST_CASE("DeepRegressionWeights", "[DeepStartTest]")
{
  const Problem<arma::mat> problem(300, 4);
  const ResponseNetwork network = SmallResponseNetwork(problem.data,
      problem.response);
  DeepRegressor model(network), half(network);
  SetSmall(model);
  SetSmall(half);
  model.Head().Subsample() = half.Head().Subsample() = 1;
  arma::rowvec weights(300, arma::fill::ones);
  weights.tail(150).zeros();
  StageOptimizer optimizer;
  const double loss = model.Train(problem.data, problem.response, weights,
      optimizer);
  REQUIRE(loss == Approx(half.Train(problem.data.head_cols(150),
      arma::mat(problem.response.head(150)), arma::rowvec(), optimizer))
      .epsilon(1e-5));
  REQUIRE(loss != Approx(model.Train(problem.data, problem.response,
      arma::rowvec(), optimizer)).epsilon(1e-3));
}

//! Validation points are given as the network takes them, and what is kept is
//! never worse on them than the network.
TEST_CASE("DeepEarlyStopping", "[DeepStartTest]")
{
  const Problem<arma::mat> problem = SmallImages(), other(200, 36, 8);
  ClassNetwork network = SmallNetwork("dense", problem.data,
      problem.threeLabels);
  DeepGBNN<> model(network);
  SetSmall(model);
  model.Head().HiddenUnits() = 200;
  model.Head().LearningRate() = 1;
  model.Head().Patience() = 2;
  GBNNValidation validation(other.data, other.threeLabels);
  model.Train(other.data, other.threeLabels, 3, validation);

  const arma::mat ofNetwork = Probabilities(network, other.data);
  double loss = 0;
  for (size_t i = 0; i < 200; ++i)
    loss -= std::log(ofNetwork(other.threeLabels[i], i)) / 200;
  const std::vector<double> losses = model.Head().ValidationLosses();
  REQUIRE(losses.front() == Approx(loss).epsilon(1e-10));

  // Labels that have nothing to do with the points leave the network.
  const arma::Row<size_t> noise = arma::shuffle(other.threeLabels);
  model.Train(problem.data, problem.threeLabels, 3,
      GBNNValidation(other.data, noise));
  const std::vector<double>& noisy = model.Head().ValidationLosses();
  const size_t best = size_t(std::min_element(noisy.begin(), noisy.end()) -
      noisy.begin());
  REQUIRE(best + 2 == noisy.size() - 1);
  REQUIRE(model.Units() == model.Head().LossUnits()[best]);
}

//! Refinement of the head changes it, or leaves it as it is.
TEST_CASE("DeepRefinement", "[DeepStartTest]")
{
  const Problem<arma::mat> problem(400, 4);
  DeepRegressor model(SmallResponseNetwork(problem.data, problem.response),
      2, GBNNRegressor<>(10, 5));
  model.Head().Seed() = 3;
  const double loss = model.Train(problem.data, problem.response);
  model.Head().Refinement().Iterations() = 100;
  const double refined = model.Refine(problem.data, problem.response);
  REQUIRE(model.Head().RefinedIterations() > 0);
  REQUIRE(refined < loss);

  // One that began with the network: so do its trials.
  DeepGBNN<> classes(SmallNetwork("dense", SmallImages().data,
      SmallImages().labels));
  SetSmall(classes);
  classes.Train(SmallImages().data, SmallImages().labels, 2);
  classes.Head().Refinement().Iterations() = 50;
  classes.Refine(SmallImages().data, SmallImages().labels);
  REQUIRE(classes.Units() == 17);
}

//! A network to begin with must fit.
TEST_CASE("DeepBadFirstNetwork", "[DeepStartTest]")
{
  const Problem<arma::mat> problem(60, 4);
  GBNNClassifier<> model(4, 2);
  const auto refused = [&](const size_t inputs, const size_t outputs)
  {
    model.FirstNetwork() = BoostedNetwork<>(inputs,
        arma::vec(outputs, arma::fill::zeros), GBNNActivation::TANH);
    REQUIRE_THROWS_AS(model.Train(problem.data, problem.labels, 2),
        std::invalid_argument);
  };
  refused(3, 1);
  refused(4, 2);
  model.FirstNetwork() = BoostedNetwork<>(4, arma::vec(1, arma::fill::zeros),
      GBNNActivation::TANH);
  model.Bins() = 4;
  REQUIRE_THROWS_WITH(model.Train(problem.data, problem.labels, 2),
      Contains("and linear inputs"));
  model.Bins() = 0;
  model.Train(problem.data, problem.labels, 2);
  REQUIRE(model.Units() == 4);
  REQUIRE_THROWS_WITH(model.Choose(GBNNChoices(), problem.data, problem.labels,
      2), Contains("there is a network to begin with"));
}

//! Bad input of a regression is refused before features are computed.
TEST_CASE("DeepBadRegression", "[DeepStartTest]")
{
  const Problem<arma::mat> problem(60, 4);
  DeepRegressor model(SmallResponseNetwork(problem.data, problem.response));
  SetSmall(model);
  REQUIRE_THROWS_WITH(model.Train(problem.data,
      arma::mat(problem.response.head(5))), Contains("number of responses (5) "
      "does not match number of points (60)"));
  REQUIRE_THROWS_WITH(model.Train(problem.data, problem.response,
      arma::rowvec(3, arma::fill::ones)), Contains("number of weights (3)"));
  arma::mat predictions;
  REQUIRE_THROWS_WITH(model.Predict(problem.data, predictions),
      Contains("is not trained yet"));
  const arma::mat wide(5, 60, arma::fill::zeros);
  REQUIRE_THROWS_WITH(model.Train(problem.data, problem.response,
      GBNNValidation(wide, problem.response)), Contains("dimensionality of the "
      "data (5)"));
  REQUIRE(!model.IsTrained());
}
