/**
 * @file tests/gbnn/early_stopping_test.cpp
 *
 * Points that are held out decide how many units a model keeps.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

namespace {

//! Few points, many of them with a wrong label: a model that learns them by
//! heart gets worse on others.
struct NoisyProblem
{
  arma::mat data, validation;
  arma::Row<size_t> labels, validationLabels;

  explicit NoisyProblem(const size_t points = 150)
  {
    const Problem<arma::mat> problem(points + 400, 3);
    std::mt19937_64 random(5);
    labels = problem.threeLabels.head(points);
    for (size_t& label : labels)
      label = (random() % 4 == 0) ? random() % 3 : label;
    data = problem.data.head_cols(points);
    validation = problem.data.tail_cols(400);
    validationLabels = problem.threeLabels.tail(400);
  }
};

//! The mean loss of points with the first k units of a model.
template<typename ModelType, typename MatType>
double LossOf(const ModelType& model,
              const MatType& data,
              const MatType& targets,
              const size_t k)
{
  ModelType cut(model);
  cut.ActiveUnits(k);
  MatType scores;
  cut.Scores(data, scores);
  return model.Loss().Value(targets, scores,
      arma::Row<typename MatType::elem_type>());
}

//! A callback that does nothing.
struct NoCallback { };

} // namespace

//! The model kept is a first part of the one that all units make, cut where the
//! validation loss is least; the losses are those of that model.
TEST_CASE("EarlyStoppingKeepsTheBest", "[EarlyStoppingTest]")
{
  const NoisyProblem problem;
  GBNNClassifier<> all(60, 2, 0.5, 0.75);
  all.Seed() = 21;
  all.Train(problem.data, problem.labels, 3);
  arma::mat targets;
  LogLoss loss;
  loss.Encode(problem.validationLabels, 3, targets);
  arma::vec losses(31);
  for (size_t t = 0; t <= 30; ++t)
    losses[t] = LossOf(all, problem.validation, targets, 2 * t);
  // The least loss is not the first low one: patience makes a difference.
  const auto bestWith = [&](const size_t patience)
  {
    size_t best = 0;
    for (size_t t = 1; t <= 30 && t <= best + patience; ++t)
      best = (losses[t] < losses[best]) ? t : best;
    return best;
  };
  REQUIRE(bestWith(5) > 0);
  REQUIRE(bestWith(5) < bestWith(30));
  REQUIRE(bestWith(30) < 30);

  const GBNNValidation validation(problem.validation, problem.validationLabels);
  for (const size_t patience : { 0, 5 })
  {
    const size_t best = bestWith((patience == 0) ? 30 : patience);
    GBNNClassifier<> model(60, 2, 0.5, 0.75);
    model.Seed() = 21;
    model.Patience() = patience;
    const double value = model.Train(problem.data, problem.labels, 3,
        validation);
    REQUIRE(model.Units() == 2 * best);
    REQUIRE(model.Stages() == best);
    REQUIRE(model.ActiveUnits() == 2 * best);
    REQUIRE(model.LossUnits().size() == ((patience == 0) ? 31 :
        best + patience + 1));
    REQUIRE(model.ValidationLosses().size() == model.LossUnits().size());
    REQUIRE(model.TrainingLosses().size() == model.LossUnits().size());
    REQUIRE(value == model.TrainingLosses()[best]);
    for (size_t t = 0; t < model.LossUnits().size(); ++t)
    {
      REQUIRE(model.LossUnits()[t] == 2 * t);
      REQUIRE(model.ValidationLosses()[t] == Approx(losses[t]).epsilon(1e-10));
    }
    REQUIRE(SameBits<arma::mat>(model.Boosted().OutputWeights(),
        all.Boosted().OutputWeights().head_cols(2 * best)));
    REQUIRE(SameBits<arma::mat>(model.Boosted().OutputBias(),
        all.Boosted().OutputBias().head_cols(2 * best + 1)));
  }
}

//! Points that are held out are as good as absent from training.
TEMPLATE_TEST_CASE("HeldOutPointsAreNotTrainedOn", "[EarlyStoppingTest]",
    arma::mat, arma::fmat)
{
  const Problem<TestType> problem(300, 3);
  GBNNRegressor<TestType> model(20, 2, 0.5, 0.75);
  model.Seed() = 9;
  model.ValidationFraction() = 0.25;
  model.Patience() = 0;
  model.Train(problem.data, problem.response);
  REQUIRE(model.ValidationLosses().size() == 11);
  REQUIRE(model.Units() > 0);

  // Find out which they are: a change of their response alone leaves the start
  // of the network as it is.
  size_t heldOut = 0;
  const auto start = model.Boosted().OutputBias()(0, 0);
  for (size_t i = 0; i < 300; ++i)
  {
    auto response = problem.response;
    // Small, so that the order of the responses stays.
    response[i] *= 1 + 1e-4;
    GBNNRegressor<TestType> other(model);
    other.HiddenUnits() = 2;
    other.Train(problem.data, response);
    heldOut += (other.Boosted().OutputBias()(0, 0) == start);
  }
  REQUIRE(heldOut >= 70);
  REQUIRE(heldOut <= 80);
}

//! Weights count for validation as well, with the right ones chosen.
TEST_CASE("ValidationWeights", "[EarlyStoppingTest]")
{
  const NoisyProblem problem;
  const size_t points = problem.validation.n_cols;
  arma::rowvec weights(points, arma::fill::ones);
  weights.head(100).fill(2);
  const arma::mat twice = arma::join_rows(problem.validation,
      problem.validation.head_cols(100));
  const arma::Row<size_t> twiceLabels = arma::join_rows(
      problem.validationLabels, problem.validationLabels.head(100));
  const auto losses = [&](const auto& validation)
  {
    GBNNClassifier<> model(20, 2);
    model.Seed() = 4;
    model.Train(problem.data, problem.labels, 3, validation);
    return arma::vec(model.ValidationLosses());
  };
  REQUIRE(Difference(
      losses(GBNNValidation(problem.validation, problem.validationLabels,
      weights)), losses(GBNNValidation(twice, twiceLabels))) < 1e-12);
}

//! A warm start goes on from the best, and may stay there.
TEST_CASE("EarlyStoppingOfAWarmStart", "[EarlyStoppingTest]")
{
  const NoisyProblem problem;
  const GBNNValidation validation(problem.validation, problem.validationLabels);
  GBNNClassifier<> model(60, 2, 0.5, 0.75);
  model.Seed() = 21;
  model.Patience() = 5;
  model.Train(problem.data, problem.labels, 3, validation);
  const size_t first = model.Units();
  const std::vector<double> losses = model.ValidationLosses();
  const double minimum = *std::min_element(losses.begin(), losses.end());
  // No stage of those that were tried before is better.
  StageOptimizer optimizer;
  model.Grow(problem.data, problem.labels, 10, arma::rowvec(), optimizer,
      validation);
  REQUIRE(model.Units() == first);
  REQUIRE(model.LossUnits().front() == first);
  REQUIRE(model.LossUnits().back() == first + 10);
  REQUIRE(model.ValidationLosses()[0] == minimum);
  // Later ones are.
  model.Patience() = 0;
  model.Grow(problem.data, problem.labels, 40, arma::rowvec(), optimizer,
      validation);
  REQUIRE(model.Units() > first);
  REQUIRE(arma::vec(model.ValidationLosses()).min() < minimum);
}

//! Other callbacks work beside it, and the model can be saved and refined.
TEST_CASE("EarlyStoppingWithCallbacks", "[EarlyStoppingTest]")
{
  const NoisyProblem problem;
  const GBNNValidation validation(problem.validation, problem.validationLabels);
  GBNNClassifier<> model(60, 2, 0.5, 0.75);
  model.Seed() = 4;
  model.Patience() = 0;
  model.Train(problem.data, problem.labels, 3, validation,
      ens::EarlyStopAtMinLossType<arma::mat>(
      [epoch = 0.0](const arma::mat&) mutable { return epoch++; }, 3));
  // ensmallen's callback has seen a first value and three that are no better.
  REQUIRE(model.LossUnits().back() == 8);

  std::stringstream stream;
  {
    cereal::BinaryOutputArchive archive(stream);
    archive(cereal::make_nvp("model", model));
  }
  GBNNClassifier<> loaded;
  {
    cereal::BinaryInputArchive archive(stream);
    archive(cereal::make_nvp("model", loaded));
  }
  REQUIRE(loaded.ValidationLosses() == model.ValidationLosses());
  REQUIRE(loaded.LossUnits() == model.LossUnits());
  REQUIRE(loaded.Patience() == 0);
  loaded.Refine(problem.data, problem.labels);
  REQUIRE(loaded.Units() == model.Units());
  REQUIRE(loaded.ValidationLosses() == model.ValidationLosses());
}

//! What cannot be is told, and the model stays as it was.
TEST_CASE("BadValidation", "[EarlyStoppingTest]")
{
  const Problem<arma::mat> problem(60, 3);
  const auto message = [&](const auto& change, const auto& validation)
  {
    GBNNClassifier<> model(4, 2);
    model.Train(problem.data, problem.labels, 2);
    change(model);
    try
    {
      model.Train(problem.data, problem.labels, 2, validation);
    }
    catch (const std::invalid_argument& e)
    {
      REQUIRE(model.Units() == 4);
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  const auto same = [](auto&) { };
  const arma::Row<size_t> labels = problem.labels;

  REQUIRE_THAT(message(same, GBNNValidation(arma::mat(2, 60,
      arma::fill::zeros), labels)), Contains("validation data (2)") &&
      Contains("training data (3)"));
  REQUIRE_THAT(message(same, GBNNValidation(problem.data,
      arma::Row<size_t>(labels.head(5)))), Contains("(5)") && Contains("(60)"));
  REQUIRE_THAT(message(same, GBNNValidation(problem.data,
      arma::Row<size_t>(labels + 1))), Contains("label 2 of validation point"));
  REQUIRE_THAT(message(same, GBNNValidation(arma::mat(), arma::Row<size_t>())),
      Contains("data is empty"));
  REQUIRE_THAT(message(same, GBNNValidation(arma::mat(problem.data / 0.0),
      labels)), Contains("NaN or infinite"));
  REQUIRE_THAT(message(same, GBNNValidation(problem.data, labels,
      arma::rowvec(60, arma::fill::value(-1.0)))), Contains("weights must be"));
  REQUIRE_THAT(message([](auto& m) { m.ValidationFraction() = 0.5; },
      GBNNValidation(problem.data, labels)), Contains("must be 0"));
  const NoCallback nothing;
  for (const double fraction : { 1.0, -0.1, 2.0, arma::datum::nan })
  {
    REQUIRE_THAT(message([=](auto& m) { m.ValidationFraction() = fraction; },
        nothing), Contains("validation fraction (") && Contains("less than 1"));
  }
  for (const double fraction : { 0.001, 0.999 })
  {
    REQUIRE_THAT(message([=](auto& m) { m.ValidationFraction() = fraction; },
        nothing), Contains("of 60 points"));
  }

  GBNNRegressor<> regressor(4, 2);
  REQUIRE_THROWS_WITH(regressor.Train(problem.data, problem.response,
      GBNNValidation(problem.data, problem.responses)),
      Contains("(2)") && Contains("(1)"));
}
