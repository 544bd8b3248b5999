/**
 * @file tests/refinement/refine_cuts_test.cpp
 *
 * What a network knows of its cuts, whatever is done to it.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "loaded_copy.hpp"

using namespace mlpack;

namespace {

//! Too few points to hold some out, so that refinement is not kept.
const size_t few = 40;

//! A regressor that is trained, but not refined.
template<typename LossType = SquaredErrorLoss>
GBNNRegressor<arma::mat, LossType> Boosted(const Problem<arma::mat>& problem,
                                           const LossType& loss = LossType())
{
  GBNNRegressor<arma::mat, LossType> model(24, 3);
  model.Loss() = loss;
  model.Seed() = 3;
  model.Train(problem.data, arma::rowvec(arma::abs(problem.response)));
  return model;
}

//! Asks to stop at once.
struct StopAtOnce
{
  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType&, FunctionType&, MatType&)
  {
    return true;
  }
};

} // namespace

//! The factor is that of squared errors.
TEST_CASE("OtherLossesKeepCuts", "[RefineCutsTest]")
{
  const Problem<arma::mat> problem(few, 3);
  const arma::rowvec responses = arma::abs(problem.response);
  for (const RegressionLoss& loss : { RegressionLoss(SquaredErrorLoss()),
      RegressionLoss(PoissonLoss()), RegressionLoss(QuantileLoss({ 0.5 })),
      RegressionLoss(AbsoluteLoss()), RegressionLoss(HuberErrorLoss()) })
  {
    INFO("loss " << loss.Name());
    auto model = Boosted(problem, loss);
    model.Refine(problem.data, responses);
    REQUIRE(model.RefinedIterations() == 0);
    REQUIRE(model.Boosted().HasScaledCuts() == (loss.Name() == "squared"));
  }
  auto poisson = Boosted<PoissonLoss>(problem);
  poisson.Refine(problem.data, responses);
  REQUIRE(poisson.Boosted().CutScale(6) == 1);
}

//! It is that of the training, and only for what refinement has tried.
TEST_CASE("CutsKnowTheirRate", "[RefineCutsTest]")
{
  const Problem<arma::mat> problem(few, 3);
  const arma::rowvec responses = arma::abs(problem.response);
  const auto boosted = Boosted(problem);
  auto model = boosted;
  model.LearningRate() = 0.5;
  model.Refine(problem.data, responses);
  const double scale = (1 - std::pow(0.9, 8)) / (1 - std::pow(0.9, 2));
  REQUIRE(model.Boosted().CutScale(6) == Approx(scale));
  REQUIRE(model.Boosted().CutScale(24) == 1);

  model.Refinement().Iterations() = 0;
  model.Refine(problem.data, responses);
  REQUIRE(!model.Boosted().HasScaledCuts());

  const Problem<arma::mat> many(400, 3);
  auto stopped = Boosted(many);
  StopAtOnce stop;
  auto optimizer = stopped.RefineOptimizer();
  stopped.Refine(many.data, arma::rowvec(arma::abs(many.response)),
      arma::rowvec(), optimizer, stop);
  REQUIRE(stopped.RefinedIterations() == 0);
  REQUIRE(!stopped.Boosted().HasScaledCuts());
}

//! A network stays refined, whatever later attempts come to.
TEST_CASE("RefinedStaysRefined", "[RefineCutsTest]")
{
  const Problem<arma::mat> problem(400, 3);
  const arma::rowvec responses = arma::abs(problem.response);
  auto model = Boosted(problem);
  REQUIRE(model.CutWithin(7) == 7);
  model.Refine(problem.data, responses);
  REQUIRE(model.RefinedIterations() > 0);
  const std::vector<size_t> cuts = { 3, 6, 9, 12, 15, 18, 21, 24 };
  REQUIRE(model.Boosted().Cuts() == cuts);
  REQUIRE(model.CutWithin(7) == 6);

  // Other settings are for the next training.
  model.Refinement().Cuts() = 2;
  REQUIRE(model.CutWithin(7) == 6);

  // Too few points to refine it again.
  auto again = model;
  again.Refine(problem.data.head_cols(few), responses.head(few));
  REQUIRE(again.RefinedIterations() == 0);
  REQUIRE(SameNetwork(again, model));
  REQUIRE(!again.Boosted().HasScaledCuts());
  REQUIRE(again.CutWithin(7) == 6);

  // What is grown from it has stages after the last cut.
  auto grown = model;
  grown.Grow(problem.data, responses, 6);
  REQUIRE(grown.CutWithin(7) == 6);
  REQUIRE(grown.CutWithin(25) == 25);
  grown.Refine(problem.data.head_cols(few), responses.head(few));
  REQUIRE(!grown.Boosted().HasScaledCuts());

  // And it can be kept.
  const GBNNRegressor<> loaded = LoadedCopy(grown);
  REQUIRE(loaded.Boosted().Cuts() == cuts);
  REQUIRE(loaded.CutWithin(7) == 6);
}

//! F_0 and what is beyond it can be as large as numbers get.
TEST_CASE("LargeResponsesAreScaled", "[RefineCutsTest]")
{
  const Problem<arma::fmat> problem(few, 3);
  const arma::frowvec responses = 1e38f * (1 + problem.response /
      (10 * arma::abs(problem.response).max()));
  GBNNRegressor<arma::fmat> model(30, 3);
  model.Seed() = 3;
  model.Train(problem.data, responses);
  model.Refine(problem.data, responses);
  REQUIRE(model.Boosted().HasScaledCuts());
  for (size_t k = 0; k <= 30; ++k)
  {
    model.ActiveUnits(k);
    arma::frowvec predictions;
    model.Predict(problem.data, predictions);
    REQUIRE(predictions.is_finite());
    REQUIRE(model.Network().Parameters().is_finite());
  }
}

//! "As many as there are" is a number of iterations, too.
TEST_CASE("RoundsDoNotOverflow", "[RefineCutsTest]")
{
  GBNNRefinement refinement;
  REQUIRE(refinement.MaxRounds() == 40);
  refinement.Iterations() = 1001;
  REQUIRE(refinement.MaxRounds() == 41);
  refinement.Iterations() = std::numeric_limits<size_t>::max();
  REQUIRE(refinement.MaxRounds() > 1000);
  refinement.RoundIterations() = std::numeric_limits<size_t>::max();
  REQUIRE(refinement.MaxRounds() == 1);
}

//! A plan is for the settings that it was made with.
TEST_CASE("PlansGrowOld", "[RefineCutsTest]")
{
  const Problem<arma::mat> problem(400, 3);
  const arma::rowvec responses = arma::abs(problem.response);
  const auto train = [&](const size_t iterations, const size_t seed)
  {
    GBNNRegressor<> model(24, 3);
    model.Seed() = seed;
    model.Refinement().Iterations() = iterations;
    model.Choose({ false, false, false }, problem.data, responses);
    model.Seed() = 3;
    model.Refinement().Iterations() = 100;
    model.Train(problem.data, responses);
    REQUIRE(model.TrainedSeed() == 3);
    model.Refine(problem.data, responses);
    return model;
  };
  const GBNNRegressor<> expected = train(100, 3);
  REQUIRE(expected.RefinedIterations() > 0);
  REQUIRE(SameNetwork(train(0, 3), expected));
  REQUIRE(SameNetwork(train(100, 5), expected));
}
