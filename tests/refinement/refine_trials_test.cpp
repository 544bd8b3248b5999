/**
 * @file tests/refinement/refine_trials_test.cpp
 *
 * The trials of nested refinement: how many there are, what they try, and what
 * a callback that asks to stop leaves of them.
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
#include "../../examples/tic_tac_toe.hpp"

using namespace mlpack;

namespace {

//! A callback that counts steps, and asks to stop after some.
class StopAfter
{
 public:
  StopAfter(const size_t maximum) : maximum(maximum), steps(0) { }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType&, FunctionType&, MatType&)
  {
    return ++steps == maximum;
  }

  size_t Steps() const { return steps; }

 private:
  size_t maximum;
  size_t steps;
};

//! A callback that notes which threads call it, counts steps, and after some
//! asks to stop or throws.
class ForAnyThread
{
 public:
  static constexpr bool AnyThread = true;

  ForAnyThread(const size_t maximum = 0, const bool throws = false) :
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

//! A callback that counts the steps of a kind of optimizer.
template<typename CountedType>
class StepsOf
{
 public:
  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType&, FunctionType&, MatType&)
  {
    steps += std::is_same_v<OptimizerType, CountedType>;
    return false;
  }

  size_t steps = 0;
};

//! An optimizer that makes everything worse, in one step.
class Harm
{
 public:
  template<typename FunctionType, typename MatType, typename... CallbackTypes>
  typename MatType::elem_type Optimize(FunctionType& function,
                                       MatType& coordinates,
                                       CallbackTypes&&... callbacks)
  {
    coordinates += 100;
    ens::Callback::StepTaken(*this, function, coordinates, callbacks...);
    return function.Evaluate(coordinates);
  }
};

//! Whether a function says how many points it is a sum over.
template<typename FunctionType, typename = void>
constexpr bool HasPoints = false;

template<typename FunctionType>
constexpr bool HasPoints<FunctionType, std::void_t<decltype(
    std::declval<FunctionType&>().NumFunctions())>> = true;

//! A callback that notes the sizes of the networks that L-BFGS refines, on all
//! points and on fewer.
class RefinedSizes
{
 public:
  RefinedSizes(const size_t points) : points(points) { }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType&, FunctionType& function,
                 const MatType& coordinates)
  {
    if constexpr (std::is_same_v<OptimizerType, ens::L_BFGS> &&
        HasPoints<FunctionType>)
    {
      (function.NumFunctions() == points ? onAll : inTrials).insert(
          coordinates.n_elem);
    }
    return false;
  }

  std::set<size_t> onAll, inTrials;

 private:
  size_t points;
};

//! Responses that depend on nothing.
arma::rowvec Noise(const size_t points)
{
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  arma::rowvec noise(points);
  noise.imbue([&]() { return normal(random); });
  return noise;
}

//! A model of three classes that is boosted, three units a stage.
GBNNClassifier<> BoostedClassifier(const Problem<arma::mat>& problem,
                                   const size_t units)
{
  GBNNClassifier<> model(units, 3);
  model.Seed() = 3;
  model.Train(problem.data, problem.threeLabels, 3);
  return model;
}

//! Refine a model, until some steps are taken if that is not 0; returns how
//! many were.
template<typename ModelType, typename TargetsType>
size_t RefineSteps(ModelType& model,
                   const arma::mat& data,
                   const TargetsType& targets,
                   const size_t maximum = 0)
{
  StopAfter count(maximum);
  ens::L_BFGS optimizer = model.RefineOptimizer();
  model.Refine(data, targets, arma::rowvec(), optimizer, count);
  return count.Steps();
}

} // namespace

//! A callback that asks to stop ends all of the refinement, whatever it is at.
TEST_CASE("RefineStop", "[RefineTrialsTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNRegressor<> model(12, 3);
  model.Seed() = 3;
  model.Refinement().phases = { 1 };
  model.Refinement().distillIterations = 0;
  model.Train(problem.data, problem.response);
  GBNNRegressor<> before = model;
  const auto refine = [&](const size_t maximum)
  {
    model = before;
    StopAfter stop(maximum);
    ens::L_BFGS optimizer = model.RefineOptimizer();
    const double loss = model.Refine(problem.data, problem.response,
        arma::rowvec(), optimizer, stop);
    if (model.RefinedIterations() == 0)
      REQUIRE(SameNetwork(model, before));
    else
      REQUIRE(loss < model.TrainingLosses().back());
    return stop.Steps();
  };
  const size_t all = refine(0);
  const size_t iterations = model.RefinedIterations();
  REQUIRE(iterations > 32);

  // In the boosting of the trial network, in its refinement, and in the last
  // rounds.
  REQUIRE(refine(3) == 3);
  REQUIRE(model.RefinedIterations() == 0);
  REQUIRE(refine(all - iterations - 1) == all - iterations - 1);
  REQUIRE(model.RefinedIterations() == 0);
  REQUIRE(refine(all - iterations + 20) == all - iterations + 20);
  REQUIRE(model.RefinedIterations() > 0);
  REQUIRE(model.RefinedIterations() < iterations);

  // Half a network is no use: before the last phase, all stays as it was.
  before.Refinement().phases = { 0.25, 1 };
  const size_t phased = refine(0);
  REQUIRE(model.RefinedIterations() > 0);
  for (const size_t rest : { 1, 10, 40, 100, 150 })
  {
    REQUIRE(refine(phased - rest) == phased - rest);
    REQUIRE(model.Units() == before.Units());
  }
  REQUIRE(model.RefinedIterations() == 0);

  // In the distillation the network is refined already, and stays so.
  before.Refinement().phases = { 1 };
  before.Refinement().validationFraction = 0;
  const size_t undistilled = refine(0);
  const GBNNRegressor<> refined = model;
  before.Refinement().distillIterations = 20;
  const size_t distilled = refine(0);
  REQUIRE(distilled > undistilled + 5);
  REQUIRE(!SameNetwork(model, refined));
  REQUIRE(refine(distilled - 5) == distilled - 5);
  REQUIRE(model.RefinedIterations() == refined.RefinedIterations());
  REQUIRE(SameNetwork(model, refined));
}

//! Where few points are held out, others are held out of other trials, until
//! they are enough or have all been.
TEST_CASE("RefineTrials", "[RefineTrialsTest]")
{
  const Problem<arma::mat> problem(100, 3);
  GBNNClassifier<> boosted = BoostedClassifier(problem, 12);
  boosted.Refinement().iterations = 32;
  boosted.Refinement().patience = 1000;
  boosted.Refinement().minGain = 1e9;
  const auto refined = [&](const size_t points, const double fraction)
  {
    GBNNClassifier<> model = boosted;
    model.Refinement().validationPoints = points;
    model.Refinement().validationFraction = fraction;
    StepsOf<ens::L_BFGS> count;
    ens::L_BFGS optimizer = model.RefineOptimizer();
    model.Refine(problem.data, problem.threeLabels, arma::rowvec(), optimizer,
        count);
    // Nothing is gained so clearly: all steps are those of trials.
    REQUIRE(SameNetwork(model, boosted));
    return double(count.steps);
  };
  const double one = refined(0, 0.2);
  REQUIRE(one > 0);
  REQUIRE(one <= 32);
  REQUIRE(refined(20, 0.2) == one);
  // The first is not clear; its rounds are not done again for the second.
  const double two = refined(21, 0.2);
  REQUIRE(two > 1.6 * one);
  REQUIRE(two < 2.4 * one);
  REQUIRE(refined(40, 0.2) == two);
  // A share of too few points is not asked first.
  const double five = refined(100, 0.2);
  REQUIRE(five > 4 * one);
  REQUIRE(five < 6 * one);
  REQUIRE(refined(51, 0.2) + 2 * one == five);
  REQUIRE(refined(SIZE_MAX, 0.2) == five);
  REQUIRE(refined(SIZE_MAX, 0.6) == refined(0, 0.6));
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
    omp_set_num_threads(1);
    alone.Refine(data, targets);
    omp_set_num_threads(3);
    together.Refine(data, targets);
    omp_set_num_threads(before);
    CHECK(alone.RefinedIterations() > 0);
    CHECK(SameNetwork(together, alone));

    ens::L_BFGS optimizer = alone.RefineOptimizer();
    const auto refine = [&](auto& model, const int threads,
                            ForAnyThread& callback)
    {
      model = boosted;
      omp_set_num_threads(threads);
      model.Refine(data, targets, arma::rowvec(), optimizer, callback);
      omp_set_num_threads(before);
    };
    ForAnyThread one, all;
    refine(alone, 1, one);
    refine(together, 3, all);
    CHECK(SameNetwork(together, alone));
    CHECK(one.threads.size() == 1);
    CHECK(all.threads.size() > 1);
    CHECK(all.steps == one.steps);
    ForAnyThread stop(one.steps / 3), fail(one.steps / 3, true);
    refine(together, 3, stop);
    CHECK(SameNetwork(together, boosted));
    CHECK(stop.steps < one.steps);
    CHECK_THROWS_WITH(refine(together, 3, fail), "enough");
    CHECK(SameNetwork(together, boosted));
    omp_set_num_threads(before);
  };

  const Problem<arma::mat> problem(100, 3);
  const GBNNClassifier<> classifier = BoostedClassifier(problem, 24);
  same(classifier, problem.data, problem.threeLabels);
  GBNNRegressor<> regressor(24, 3);
  regressor.Seed() = 3;
  regressor.Train(problem.data, problem.response);
  same(regressor, problem.data, problem.response);
  // More trials, a hundred, than a loop does at a time.
  const Problem<arma::mat> large(1000, 3);
  GBNNClassifier<> many = classifier;
  many.Refinement().iterations = 16;
  many.Refinement().validationFraction = 0.01;
  many.Refinement().validationPoints = SIZE_MAX;
  same(many, large.data, large.threeLabels);
}

//! What the first share has done is not done again for all of them, and that
//! does not change what comes out, either.
TEST_CASE("RefineRemembers", "[RefineTrialsTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNRegressor<> regressor(36, 3);
  regressor.Seed() = 3;
  regressor.Train(problem.data, problem.response);
  const auto same = [&](auto boosted, const auto& targets)
  {
    boosted.Refinement().clearGain = arma::datum::inf;
    boosted.Refinement().patience = boosted.Refinement().iterations;
    // Three shares of eighty points; the first is asked alone, or not.
    auto first = boosted, together = boosted;
    first.Refinement().validationPoints = 200;
    together.Refinement().validationPoints = 240;
    const size_t maximum = RefineSteps(first, problem.data, targets);
    REQUIRE(RefineSteps(together, problem.data, targets) <= maximum);
    REQUIRE(together.RefinedIterations() > 0);
    REQUIRE(SameNetwork(first, together));
  };
  // With a race, whose rounds begin as others did, but with another L2.
  same(BoostedClassifier(problem, 36), problem.threeLabels);
  same(regressor, problem.response);
}

//! A share that is clear about what pays decides alone.
TEST_CASE("RefineClearShare", "[RefineTrialsTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNClassifier<> boosted = BoostedClassifier(problem, 36);
  boosted.Refinement().minGain = 0;
  const auto refined = [&](const double clearGain, const size_t points)
  {
    GBNNClassifier<> model = boosted;
    model.Refinement().clearGain = clearGain;
    model.Refinement().validationPoints = points;
    const size_t taken = RefineSteps(model, problem.data, problem.threeLabels);
    REQUIRE(model.RefinedIterations() > 0);
    return std::make_pair(taken, model);
  };
  const auto [one, byOne] = refined(arma::datum::inf, 0);
  const auto [clear, byClear] = refined(0, 200);
  REQUIRE(clear == one);
  REQUIRE(SameNetwork(byClear, byOne));
  const auto [all, byAll] = refined(arma::datum::inf, 200);
  REQUIRE(all > 2 * one);
  REQUIRE(!SameNetwork(byAll, byOne));

  // What fits noise more closely is no good to any share.
  const arma::rowvec noise = Noise(400);
  GBNNRegressor<> before(36, 3);
  before.Seed() = 3;
  before.Train(problem.data, noise);
  before.Refinement().phases = { 1 };
  before.Refinement().l2 = 0;
  before.Refinement().distillIterations = 0;
  const auto untouched = [&](const size_t points)
  {
    GBNNRegressor<> model = before;
    model.Refinement().validationPoints = points;
    const size_t taken = RefineSteps(model, problem.data, noise);
    REQUIRE(SameNetwork(model, before));
    return taken;
  };
  REQUIRE(untouched(200) == untouched(0));
  REQUIRE(untouched(SIZE_MAX) > 4 * untouched(0));
}

//! Phases end where those that follow would bring nothing, either.
TEST_CASE("RefinePhasesEnd", "[RefineTrialsTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNRegressor<> boosted(36, 3);
  boosted.Seed() = 3;
  boosted.Train(problem.data, problem.response);
  boosted.Refinement().distillIterations = 0;
  boosted.Refinement().validationPoints = 0;

  // What is not refined well: a quarter of the units does worse than all.
  Harm harm;
  const auto steps = [&](const double share)
  {
    GBNNRegressor<> model = boosted;
    model.Refinement().phases = { share, 1 };
    StopAfter count(0);
    model.Refine(problem.data, problem.response, arma::rowvec(), harm, count);
    REQUIRE(SameNetwork(model, boosted));
    return count.Steps();
  };
  // As many units, but fewer than a quarter may still do worse.
  REQUIRE(steps(0.25) < steps(0.24));

  // The last phase does not try again what brought nothing in that before.
  // (A quarter of many units, which fit noise less closely, may go on.)
  const Problem<arma::mat> wide(1000, 12);
  const arma::rowvec noise = Noise(1000);
  boosted.HiddenUnits() = 120;
  boosted.LearningRate() = 0.3;
  boosted.Train(wide.data, noise);
  const auto rounds = [&](const double share)
  {
    GBNNRegressor<> model = boosted;
    model.Refinement().phases = { share, 1 };
    StepsOf<Harm> count;
    model.Refine(wide.data, noise, arma::rowvec(), harm, count);
    REQUIRE(SameNetwork(model, boosted));
    return count.steps;
  };
  REQUIRE(rounds(0.25) == 2);
  REQUIRE(rounds(0.24) == 3);
}

//! Where a quarter of the units is about as good as all of them, more are begun
//! with, and these are the first that are refined on all points.
TEST_CASE("RefineBeginsAnew", "[RefineTrialsTest]")
{
  const Problem<arma::mat> problem(400, 3);
  const arma::rowvec response = problem.response + Noise(400);
  size_t anew = 0, other = 0;
  for (const size_t seed : { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 })
  {
    GBNNRegressor<> model(48, 3);
    model.Seed() = seed;
    model.Refinement().distillIterations = 0;
    model.Refinement().validationPoints = 0;
    model.Refinement().minGain = 0;
    model.Train(problem.data, response);
    const GBNNRegressor<> before = model;
    RefinedSizes sizes(400);
    ens::L_BFGS optimizer = model.RefineOptimizer();
    const double loss = model.Refine(problem.data, response, arma::rowvec(),
        optimizer, sizes);
    REQUIRE(sizes.inTrials.size() >= 2);
    REQUIRE(SameNetwork(model, before) == sizes.onAll.empty());
    if (sizes.onAll.empty())
      continue;
    REQUIRE(loss < model.TrainingLosses().back());
    // The third phase begins with half of the units.
    const size_t half = *std::next(sizes.inTrials.begin(), 2);
    (*sizes.onAll.begin() >= half ? anew : other) += 1;
  }
  // Which seeds do what depends on the last bits; none does it all.
  CAPTURE(anew, other);
  REQUIRE(anew >= 2);
  REQUIRE(other >= 2);
}

//! Where hidden weights should stay small for good, points held out find out.
TEST_CASE("RefineSteady", "[RefineTrialsTest]")
{
  arma::mat boards;
  arma::Row<size_t> labels;
  examples::TicTacToe(boards, labels);
  boards.each_col() -= arma::vec(arma::mean(boards, 1));
  boards.each_col() /= arma::vec(arma::stddev(boards, 0, 1));
  const size_t train = 860, test = boards.n_cols - train;
  const arma::mat data = boards.head_cols(train);
  const arma::mat testData = boards.tail_cols(test);
  const arma::Row<size_t> testLabels = labels.tail(test);
  // With which seeds it is so depends on the last bits; the mean does not.
  const size_t seeds = 10;
  double gain = 0;
  size_t losses = 0;
  for (size_t seed = 1; seed <= seeds; ++seed)
  {
    GBNNClassifier<> model(60, 1, 0.1, 0.75);
    model.Seed() = seed;
    model.Train(data, labels.head(train), 2);
    GBNNClassifier<> usual = model;
    model.Refine(data, labels.head(train));
    usual.Refinement().tryConstantL2 = false;
    usual.Refine(data, labels.head(train));
    REQUIRE(usual.RefinedIterations() <= usual.Refinement().iterations);
    REQUIRE(model.RefinedIterations() <= 2 * model.Refinement().iterations);
    const double more = model.StagedAccuracy(testData, testLabels).back() -
        usual.StagedAccuracy(testData, testLabels).back();
    gain += more / double(seeds);
    losses += (more < 0);
  }
  CAPTURE(gain, losses);
  REQUIRE(gain > 0.002);
  REQUIRE(losses <= 2);
}

//! The race is run only where refinement pays until it fits too closely, and
//! stops when asked to.
TEST_CASE("RefineRace", "[RefineTrialsTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNClassifier<> boosted = BoostedClassifier(problem, 36);
  boosted.Refinement().minGain = 0;
  boosted.Refinement().patience = boosted.Refinement().iterations;
  boosted.Refinement().validationPoints = 0;
  const auto steps = [&](const bool tryConstantL2, const double minGain,
                         const size_t maximum)
  {
    GBNNClassifier<> model = boosted;
    model.Refinement().tryConstantL2 = tryConstantL2;
    model.Refinement().minGain = minGain;
    const size_t taken = RefineSteps(model, problem.data,
        problem.threeLabels, maximum);
    REQUIRE(SameNetwork(model, boosted) == (taken == maximum || minGain > 0));
    return taken;
  };
  const size_t trials = steps(false, 1e9, 0);
  REQUIRE(steps(true, 1e9, 0) == trials);
  REQUIRE(steps(true, 0, 0) > steps(false, 0, 0));
  // Nor is it where it would be the same again, or where the loss still falls.
  const GBNNRefinement usual = boosted.Refinement();
  const std::vector<std::function<void(GBNNRefinement&)>> changes = {
      [](GBNNRefinement& r) { r.iterations = 2 * r.roundIterations; },
      [](GBNNRefinement& r) { r.l2 = 0; },
      [](GBNNRefinement& r) { r.l2Decay = 1; },
      [](GBNNRefinement& r) { r.iterations = r.roundIterations - 1; } };
  for (const auto& change : changes)
  {
    change(boosted.Refinement());
    REQUIRE(steps(true, 0, 0) == steps(false, 0, 0));
    boosted.Refinement() = usual;
  }
  REQUIRE(steps(true, 0, trials + 5) == trials + 5);
}
