/**
 * @file tests/refinement/refine_trials_test.cpp
 *
 * The trials of nested refinement: which points are held out, what they say,
 * and what callbacks see and end.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <omp.h>

#include <mutex>
#include <thread>

#include "test_tools.hpp"

using namespace mlpack;

namespace {

//! A callback that notes which threads call it, counts steps, and after some
//! asks to stop or throws.
class Watcher
{
 public:
  static constexpr bool AnyThread = true;

  Watcher(const size_t maximum = 0, const bool throws = false) :
      maximum(maximum), throws(throws)
  { }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType&, FunctionType&, MatType&)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    threads.insert(std::this_thread::get_id());
    if (++steps < maximum || maximum == 0)
      return false;
    if (throws)
      throw std::runtime_error("enough");
    return true;
  }

  std::set<std::thread::id> threads;
  size_t steps = 0;

 private:
  std::mutex mutex;
  size_t maximum;
  bool throws;
};

//! A callback that is written for double precision, and counts the steps of
//! stages that are fitted in single precision.
class SingleSteps
{
 public:
  template<typename OptimizerType, typename FunctionType>
  bool StepTaken(OptimizerType&, FunctionType&, const arma::mat&)
  {
    ++all;
    single += std::is_same_v<FunctionType, StageFunction<arma::fmat>>;
    return false;
  }

  size_t all = 0, single = 0;
};

} // namespace

//! A gain counts if it is more than some of its standard errors.
TEST_CASE("RefineClearGain", "[RefineTrialsTest]")
{
  const arma::rowvec none;
  // Mean 0; nine points of which eight differ from it by 3.
  const arma::rowvec spread = { 3, -3, 3, -3, 3, -3, 3, -3, 0 };
  const double error = std::sqrt(8.0) * 3 / 9;
  const arma::rowvec clear = spread + 1.01 * error;
  const arma::rowvec unclear = spread + 0.99 * error;
  REQUIRE(gbnn::IsClearGain(clear, none));
  REQUIRE(!gbnn::IsClearGain(unclear, none));
  REQUIRE(!gbnn::IsClearGain(arma::rowvec(-clear), none));
  // It must be greater than a given one, too.
  REQUIRE(gbnn::IsClearGain(clear, none, 1.00 * error));
  REQUIRE(!gbnn::IsClearGain(clear, none, 1.02 * error));
  // Weights count relative to each other, and a point without one not at all.
  const arma::rowvec threes(9, arma::fill::value(3.0));
  REQUIRE(gbnn::IsClearGain(clear, threes));
  REQUIRE(!gbnn::IsClearGain(unclear, threes));
  const arma::frowvec losers = { 0, 1, 0, 1, 0, 1, 0, 1, 0 };
  REQUIRE(!gbnn::IsClearGain(clear, losers));
  REQUIRE(gbnn::IsClearGain(unclear, arma::frowvec(1 - losers)));
  // No gain at all, one without a doubt, and none that can be told.
  REQUIRE(!gbnn::IsClearGain(arma::rowvec(5, arma::fill::zeros), none));
  REQUIRE(gbnn::IsClearGain(arma::rowvec(5, arma::fill::ones), none));
  REQUIRE(!gbnn::IsClearGain(arma::rowvec({ 1, arma::datum::nan }), none));
  // A loss that was infinite, or has become so.
  REQUIRE(gbnn::IsClearGain(arma::rowvec({ 1, arma::datum::inf }), none));
  REQUIRE(!gbnn::IsClearGain(arma::rowvec({ 9, -arma::datum::inf }), none));
}

//! The points held out have the classes, or the range of responses, of all.
TEST_CASE("RefineStratifiedSample", "[RefineTrialsTest]")
{
  arma::mat targets(1, 1000);
  for (size_t i = 0; i < 1000; ++i)
    targets[i] = (i % 10 == 0) ? 1 : -1;
  const arma::uvec all = arma::regspace<arma::uvec>(0, 999);
  gbnn::Random random = TestRandom(3), same = TestRandom(3);
  gbnn::Random other = TestRandom(4);
  const arma::uvec chosen = gbnn::StratifiedSample(targets, all, 0.2, random);
  REQUIRE(chosen.n_elem == 200);
  REQUIRE(arma::uvec(arma::unique(chosen)).n_elem == 200);
  REQUIRE(chosen.is_sorted());
  REQUIRE(std::abs(arma::accu(targets.cols(chosen) > 0) - 20.0) <= 1);
  REQUIRE(SameBits(chosen, gbnn::StratifiedSample(targets, all, 0.2, same)));
  REQUIRE(!SameBits(chosen, gbnn::StratifiedSample(targets, all, 0.2, other)));

  for (size_t i = 0; i < 1000; ++i)
    targets[i] = double((i * 7919) % 1000);
  const arma::uvec spread = gbnn::StratifiedSample(targets, all, 0.1, random);
  const arma::rowvec values = arma::sort(arma::rowvec(targets.cols(spread)));
  for (size_t i = 0; i < 100; ++i)
    REQUIRE(std::abs(values[i] - 10.0 * i) <= 10);
}

//! Shares have no point in common, and there are as many as there is room for.
TEST_CASE("RefineStratifiedShares", "[RefineTrialsTest]")
{
  for (const size_t points : { 50, 97, 1003 })
  {
    arma::mat targets(1, points);
    for (size_t i = 0; i < points; ++i)
      targets[i] = (i % 3 == 0) ? 1 : -1;
    const arma::uvec all = arma::regspace<arma::uvec>(0, points - 1);
    for (const double fraction : { 0.1, 0.2, 0.3, 0.45, 0.7 })
    {
      const size_t size = size_t(std::round(fraction * double(points)));
      gbnn::Random random = TestRandom(3), same = TestRandom(3);
      const auto shares = gbnn::StratifiedShares(targets, all, fraction, 100,
          random);
      REQUIRE(shares.size() == points / size);
      REQUIRE(SameBits(shares[0], gbnn::StratifiedSample(targets, all, fraction,
          same)));
      arma::uvec together;
      for (const arma::uvec& share : shares)
      {
        REQUIRE(share.n_elem == size);
        REQUIRE(share.is_sorted());
        REQUIRE(std::abs(arma::accu(targets.cols(share) > 0) - size / 3.0) <=
            1.5);
        together = arma::join_cols(together, share);
      }
      REQUIRE(arma::uvec(arma::unique(together)).n_elem == together.n_elem);
      REQUIRE(gbnn::StratifiedShares(targets, all, fraction, 0, random)
          .size() == 1);
    }
  }
}

//! A trial knows nothing of the points held out; what these say of it is the
//! loss of its network.
TEST_CASE("RefineHoldsOut", "[RefineTrialsTest]")
{
  const Problem<arma::mat> problem(200, 3);
  const arma::uvec heldOut = arma::regspace<arma::uvec>(3, 5, 199);
  GBNNClassifier<> model(12, 3);
  model.Train(problem.data, problem.threeLabels, 3);
  const arma::mat targets = model.Targets("test", problem.threeLabels);
  arma::mat others = problem.data, shuffled = targets;
  others.cols(heldOut) *= -1e3;
  shuffled.cols(heldOut) = arma::shift(arma::mat(targets.cols(heldOut)), 1);
  arma::rowvec weights(200, arma::fill::randu);
  using Run = gbnn::BoostingRun<arma::mat, LogLoss>;
  for (const arma::rowvec& w : { arma::rowvec(), weights })
  {
    const Run run(problem.data, targets, w, model.Loss(), 3, model.Boosted(),
        model.L2());
    const Run other(others, shuffled, w, model.Loss(), 3, model.Boosted(),
        model.L2());
    gbnn::Trial<Run> trial(run, heldOut), same(other, heldOut);
    REQUIRE(trial.run.network.Units() == 0);
    REQUIRE(SameBits(trial.run.network.OutputBias(),
        same.run.network.OutputBias()));
    REQUIRE(trial.run.candidates.n_elem == 160);
    for (const arma::uword i : heldOut)
      REQUIRE(!arma::any(trial.run.candidates == i));

    arma::mat gradients[2];
    for (gbnn::Trial<Run>* either : { &trial, &same })
    {
      either->run.network = model.Boosted();
      either->run.Rescore();
      either->Begin(model.Refinement());
    }
    REQUIRE(trial.function->Evaluate(trial.parameters, &gradients[0]) ==
        same.function->Evaluate(same.parameters, &gradients[1]));
    REQUIRE(SameBits(gradients[0], gradients[1]));

    arma::mat scores;
    model.Scores(problem.data.cols(heldOut), scores);
    const arma::rowvec heldWeights = w.is_empty() ? w :
        arma::rowvec(w.cols(heldOut));
    const gbnn::Tempered expected = gbnn::BestTemperature(model.Loss(),
        arma::mat(targets.cols(heldOut)), scores, heldWeights);
    // The boosted network, and the same as refinement sees it.
    for (const bool isRefined : { false, true })
    {
      trial.isRefined = same.isRefined = isRefined;
      arma::rowvec losses;
      const gbnn::Tempered said = trial.Judge(true, losses);
      REQUIRE(said.value == Approx(expected.value).epsilon(1e-4));
      REQUIRE(said.temperature == Approx(expected.temperature).epsilon(1e-2));
      REQUIRE((w.is_empty() ? arma::mean(losses) : arma::dot(losses,
          heldWeights) / arma::accu(heldWeights)) == Approx(said.value));
      REQUIRE(same.Judge(true, losses).value > 1.1 * said.value);
    }
  }
}

//! A callback that asks to stop ends all of the refinement, whatever it is at.
TEST_CASE("RefineStop", "[RefineTrialsTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNRegressor<> model(12, 3);
  model.Seed() = 3;
  model.Refinement().Iterations() = 100;
  model.Train(problem.data, problem.response);
  const GBNNRegressor<> before = model;
  const auto refine = [&](const size_t maximum)
  {
    model = before;
    Watcher stop(maximum);
    ens::L_BFGS optimizer = model.RefineOptimizer();
    const double loss = model.Refine(problem.data, problem.response,
        arma::rowvec(), optimizer, stop);
    if (model.RefinedIterations() == 0)
      REQUIRE(SameNetwork(model, before));
    else
      REQUIRE(loss < model.TrainingLosses().back());
    return stop.steps;
  };
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const size_t all = refine(0);
  const size_t iterations = model.RefinedIterations();
  REQUIRE(iterations > 20);
  const GBNNRegressor<> whole = model;

  // In the boosting of the trials, in their refinement, and on all points.
  REQUIRE(refine(3) == 3);
  REQUIRE(model.RefinedIterations() == 0);
  REQUIRE(refine(all - iterations - 1) == all - iterations - 1);
  REQUIRE(model.RefinedIterations() == 0);
  REQUIRE(refine(all - 5) == all - 5);
  REQUIRE(model.RefinedIterations() > 0);
  REQUIRE(!SameNetwork(model, whole));
  omp_set_num_threads(threads);
}

//! Trials are done side by side, if callbacks allow that; it does not change
//! what comes out, and what they ask for or throw is heard.
TEST_CASE("RefineSideBySide", "[RefineTrialsTest]")
{
  const int before = omp_get_max_threads();
  const auto same = [&](const auto& boosted, const arma::mat& data,
                        const auto& targets)
  {
    auto alone = boosted, together = boosted;
    ens::L_BFGS optimizer = alone.RefineOptimizer();
    const auto refine = [&](auto& model, const int threads,
                            auto&... callbacks)
    {
      model = boosted;
      omp_set_num_threads(threads);
      model.Refine(data, targets, arma::rowvec(), optimizer, callbacks...);
      omp_set_num_threads(before);
    };
    refine(alone, 1);
    refine(together, 3);
    CHECK(alone.RefinedIterations() > 0);
    CHECK(SameNetwork(together, alone));

    Watcher one, all;
    refine(alone, 1, one);
    refine(together, 3, all);
    CHECK(SameNetwork(together, alone));
    CHECK(one.threads.size() == 1);
    CHECK(all.threads.size() > 1);
    CHECK(all.steps == one.steps);
    Watcher stop(one.steps / 3), fail(one.steps / 3, true);
    refine(together, 3, stop);
    CHECK(SameNetwork(together, boosted));
    CHECK(stop.steps < one.steps);
    CHECK_THROWS_WITH(refine(together, 3, fail), "enough");
    CHECK(SameNetwork(together, boosted));
    omp_set_num_threads(before);
  };

  const Problem<arma::mat> problem(100, 3);
  GBNNClassifier<> classifier(24, 3);
  classifier.Seed() = 3;
  classifier.Refinement().Iterations() = 50;
  classifier.Train(problem.data, problem.threeLabels, 3);
  same(classifier, problem.data, problem.threeLabels);
  GBNNRegressor<> regressor(24, 3);
  regressor.Seed() = 3;
  regressor.Refinement().Iterations() = 50;
  regressor.Train(problem.data, problem.response);
  same(regressor, problem.data, problem.response);
}

//! Stages of trials are fitted in single precision where inputs and weights
//! allow it, and callbacks see the model's own all the same.
TEST_CASE("RefineSingleStages", "[RefineTrialsTest]")
{
  const Problem<arma::mat> problem(200, 3);
  for (const bool isFar : { false, true })
  {
    for (const double weight : { 1.0, 1e60, 1e-60 })
    {
      arma::mat data = problem.data;
      if (isFar)
        data.row(1).fill(1e8);
      data(1, 0) += 1;
      arma::rowvec weights(200, arma::fill::ones);
      weights.head(100) *= weight;
      GBNNRegressor<> model(12, 3);
      model.Refinement().Iterations() = 25;
      model.Train(data, problem.response, weights);
      SingleSteps callback;
      ens::L_BFGS optimizer = model.RefineOptimizer();
      model.Refine(data, problem.response, weights, optimizer, callback);
      REQUIRE(callback.all > 25);
      REQUIRE((callback.single > 0) == (!isFar && weight == 1));
    }
  }
}
