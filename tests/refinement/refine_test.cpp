/**
 * @file tests/refinement/refine_test.cpp
 *
 * What nested refinement does to a model.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

//! A network that is refined while it grows has the stages that it had, and its
//! first units do better than if only the whole had been refined.
TEMPLATE_TEST_CASE("RefinePhases", "[RefineTest]", arma::mat, arma::fmat)
{
  const Problem<TestType> problem(600, 4), test(500, 4, 8);
  GBNNRegressor<TestType> boosted(64, 2), model, once;
  boosted.Seed() = 5;
  boosted.Train(problem.data, problem.response);
  model = once = boosted;
  REQUIRE(model.Refinement().phases.size() > 1);
  once.Refinement().phases = { 1 };
  model.Refine(problem.data, problem.response);
  once.Refine(problem.data, problem.response);
  REQUIRE(model.Stages() == boosted.Stages());
  REQUIRE(model.Units() == boosted.Units());
  REQUIRE(model.RefinedIterations() > 0);
  REQUIRE(once.RefinedIterations() > 0);
  const arma::rowvec before = boosted.StagedRMSE(test.data, test.response);
  const arma::rowvec phases = model.StagedRMSE(test.data, test.response);
  const arma::rowvec end = once.StagedRMSE(test.data, test.response);
  REQUIRE(phases[4] + phases[8] + phases[16] < end[4] + end[8] + end[16]);
  REQUIRE(phases[64] < before[64]);

  // A network of one stage has the last phase only.
  GBNNRegressor<TestType> one(3, 3), alone;
  one.Train(problem.data, problem.response);
  alone = one;
  alone.Refinement().phases = { 1 };
  one.Refine(problem.data, problem.response);
  alone.Refine(problem.data, problem.response);
  REQUIRE(one.RefinedIterations() > 0);
  REQUIRE(one.RefinedIterations() == alone.RefinedIterations());
  REQUIRE(SameBits(one.Boosted().HiddenWeights(),
      alone.Boosted().HiddenWeights()));
}

//! Once more, and after growing or with other stages than the network has, a
//! refinement in phases still ends with as many units.
TEST_CASE("RefinePhasesAgain", "[RefineTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNRegressor<> model(24, 3);
  model.Seed() = 2;
  model.Train(problem.data, problem.response);
  const auto refine = [&](const size_t units)
  {
    const auto error = [&]()
    {
      return model.StagedRMSE(problem.data, problem.response)[model.Units()];
    };
    const double before = error();
    model.Refine(problem.data, problem.response);
    REQUIRE(model.Units() == units);
    REQUIRE(model.Boosted().HiddenWeights().n_cols == units);
    REQUIRE(model.Boosted().OutputBias().n_cols == units + 1);
    return error() / before;
  };
  REQUIRE(refine(24) < 1);
  refine(24);
  model.Grow(problem.data, problem.response, 16);
  refine(40);
  model.UnitsPerStage() = 5;
  refine(40);
}

//! What cannot be cut or weighed is said so.
TEST_CASE("RefineSettings", "[RefineTest]")
{
  const Problem<arma::mat> problem(100, 3);
  GBNNClassifier<> model(10);
  model.Train(problem.data, problem.labels, 2);
  const auto fails = [&](const auto& change)
  {
    GBNNClassifier<> copy = model;
    change(copy.Refinement());
    REQUIRE_THROWS_AS(copy.Refine(problem.data, problem.labels),
        std::invalid_argument);
    REQUIRE(SameBits(copy.Boosted().HiddenWeights(),
        model.Boosted().HiddenWeights()));
  };
  fails([](GBNNRefinement& r) { std::swap(r.cuts[0], r.cuts[1]); });
  fails([](GBNNRefinement& r) { r.cuts[0] = 0; });
  fails([](GBNNRefinement& r) { r.cuts.back() = 0.9; });
  fails([](GBNNRefinement& r) { r.cuts.clear(); r.cutWeights.clear(); });
  fails([](GBNNRefinement& r) { r.cutWeights.pop_back(); });
  fails([](GBNNRefinement& r) { r.cutWeights[1] = -1; });
  fails([](GBNNRefinement& r) { r.cutWeights.back() = 0; });
  fails([](GBNNRefinement& r) { r.phases.clear(); });
  fails([](GBNNRefinement& r) { r.phases = { 0.5, 0.5, 1 }; });
  fails([](GBNNRefinement& r) { r.phases = { 0.5, std::nan(""), 1 }; });
  fails([](GBNNRefinement& r) { r.phases = { 0.5 }; });
  fails([](GBNNRefinement& r) { r.l2 = -1; });
  fails([](GBNNRefinement& r) { r.l2 = std::nan(""); });
  fails([](GBNNRefinement& r) { r.outputL2 = -0.5; });
  fails([](GBNNRefinement& r) { r.outputL2 = arma::datum::inf; });
  fails([](GBNNRefinement& r) { r.l2Decay = 0; });
  fails([](GBNNRefinement& r) { r.validationFraction = 1; });
  fails([](GBNNRefinement& r) { r.patience = 0; });
  fails([](GBNNRefinement& r) { r.roundIterations = 0; });
  fails([](GBNNRefinement& r) { r.minGain = arma::datum::inf; });
  fails([](GBNNRefinement& r) { r.minGain = -0.1; });
  fails([](GBNNRefinement& r) { r.clearGain = -0.1; });
  fails([](GBNNRefinement& r) { r.clearGain = arma::datum::nan; });

  // The trial network is boosted with these.
  const auto failsToBoost = [&](const auto& change)
  {
    GBNNClassifier<> copy = model;
    change(copy);
    REQUIRE_THROWS_AS(copy.Refine(problem.data, problem.labels),
        std::invalid_argument);
    REQUIRE(SameBits(copy.Boosted().HiddenWeights(),
        model.Boosted().HiddenWeights()));
  };
  failsToBoost([](GBNNClassifier<>& m) { m.UnitsPerStage() = 0; });
  failsToBoost([](GBNNClassifier<>& m) { m.LearningRate() = std::nan(""); });
  failsToBoost([](GBNNClassifier<>& m) { m.Subsample() = std::nan(""); });
  failsToBoost([](GBNNClassifier<>& m) { m.L2() = -1; });

  GBNNClassifier<> untrained;
  REQUIRE_THROWS_AS(untrained.Refine(problem.data, problem.labels),
      std::invalid_argument);
  REQUIRE_THROWS_AS(model.Refine(arma::mat(2, 100), problem.labels),
      std::invalid_argument);
  REQUIRE_THROWS_AS(model.Refine(problem.data, problem.threeLabels),
      std::invalid_argument);
  REQUIRE_THROWS_AS(model.Refine(problem.data, problem.labels,
      arma::rowvec(3, arma::fill::ones)), std::invalid_argument);
}

//! Check that a refined model is better on new data, with few units above all,
//! and that its FFN predicts what it predicts for every number of units.
TEMPLATE_TEST_CASE("RefineHelps", "[RefineTest]", arma::mat, arma::fmat)
{
  const Problem<TestType> train(400, 3), test(400, 3, 8);
  GBNNRegressor<TestType> model(24, 3);
  model.Seed() = 5;
  model.Train(train.data, train.response);
  const arma::rowvec before = model.StagedRMSE(test.data, test.response);
  GBNNRegressor<TestType> again = model;
  const double loss = model.Refine(train.data, train.response);
  REQUIRE(model.RefinedIterations() > 0);
  REQUIRE(loss < 0.8 * model.TrainingLosses().back());
  const arma::rowvec after = model.StagedRMSE(test.data, test.response);
  for (const size_t k : { 6, 12, 18, 24 })
    REQUIRE(after[k] < 0.95 * before[k]);
  // Between cuts, too, more units are not worse than a quarter was before.
  for (size_t k = 6; k <= 24; ++k)
    REQUIRE(after[k] < before[6]);

  again.Refine(train.data, train.response);
  REQUIRE(SameNetwork(again, model));

  for (size_t k = 0; k <= 24; ++k)
  {
    model.ActiveUnits(k);
    TestType predictions, ofNetwork;
    model.Predict(test.data, predictions);
    auto network = model.Network();
    network.Predict(test.data, ofNetwork);
    REQUIRE(Difference(predictions, ofNetwork) <
        100 * Tolerance<typename TestType::elem_type>);
  }
  REQUIRE_THROWS_AS(model.ActiveUnits(25), std::invalid_argument);
}

//! The same for classes, with weights.
TEMPLATE_TEST_CASE("RefineHelpsClassifier", "[RefineTest]", arma::mat,
    arma::fmat)
{
  using RowType = arma::Row<typename TestType::elem_type>;
  const Problem<TestType> train(600, 3), test(600, 3, 8);
  RowType weights(600, arma::fill::ones);
  weights.head(100).fill(2);
  GBNNClassifier<TestType> model(15, 3);
  model.Seed() = 5;
  model.Train(train.data, train.threeLabels, 3, weights);
  const arma::rowvec before = model.StagedAccuracy(test.data,
      test.threeLabels);
  TestType targets, scores;
  CrossEntropyLoss().Encode(test.threeLabels, 3, targets);
  const auto testLoss = [&]()
  {
    model.Scores(test.data, scores);
    return model.Loss().Value(targets, scores, RowType());
  };
  const double lossBefore = testLoss();
  const double loss = model.Refine(train.data, train.threeLabels, weights);
  REQUIRE(model.RefinedIterations() > 0);
  REQUIRE(loss < model.TrainingLosses().back());
  const arma::rowvec after = model.StagedAccuracy(test.data, test.threeLabels);
  // With all units the accuracy was near what noise leaves; the loss was not.
  REQUIRE(arma::mean(after) > arma::mean(before) + 0.01);
  REQUIRE(after[8] > before[8] + 0.01);
  REQUIRE(testLoss() < 0.95 * lossBefore);
}

//! Without iterations, and where too few points could be held out or none
//! would be left, not a bit changes.
TEST_CASE("RefineNothing", "[RefineTest]")
{
  const Problem<arma::mat> problem(200, 3), few(40, 3), fewer(20, 3);
  GBNNClassifier<> model(10);
  model.Train(problem.data, problem.labels, 2);
  const GBNNClassifier<> before = model;
  const auto unchanged = [&]()
  {
    REQUIRE(model.RefinedIterations() == 0);
    REQUIRE(SameNetwork(model, before));
  };
  model.Refine(few.data, few.labels);
  unchanged();
  model.Refinement().validationFraction = 0.98;
  model.Refine(fewer.data, fewer.labels);
  unchanged();
  model.Refinement().iterations = 0;
  model.Refine(problem.data, problem.labels);
  unchanged();
}

//! Labels that depend on nothing: if only what is hardly chance counts, the
//! points held out say no, and without distillation not a bit changes.
TEST_CASE("RefineNoise", "[RefineTest]")
{
  const Problem<arma::mat> problem(300, 4);
  for (const size_t seed : { 1, 2, 3 })
  {
    std::mt19937_64 random(seed);
    arma::Row<size_t> labels(300);
    for (size_t& label : labels)
      label = random() % 2;
    GBNNClassifier<> model(20);
    model.Seed() = seed;
    model.Refinement().minGain = 2;
    model.Refinement().distillIterations = 0;
    model.Train(problem.data, labels, 2);
    const GBNNClassifier<> before = model;
    model.Refine(problem.data, labels);
    REQUIRE(model.RefinedIterations() == 0);
    REQUIRE(SameNetwork(model, before));
    // Asked no question, refinement fits the noise.
    model.Refinement().validationFraction = 0;
    model.Refine(problem.data, labels);
    REQUIRE(!SameNetwork(model, before));
  }
}

//! Refined or not, few units of a network that was distilled come nearer to
//! what all units say, and these say nearly what they said before.
TEMPLATE_TEST_CASE("RefineDistil", "[RefineTest]", arma::mat, arma::fmat)
{
  const Problem<TestType> problem(600, 4), test(500, 4, 8);
  // How many networks that were not refined learned something.
  size_t learners = 0;
  const auto compare = [&](auto boosted, const auto& targets,
                           const double maximum)
  {
    for (const double minGain : { 0.0, 1e9 })
    {
      auto taught = boosted;
      taught.Refinement().minGain = minGain;
      taught.Refinement().roundIterations = 16;
      taught.Refinement().distillIterations = 48;
      auto untaught = taught;
      untaught.Refinement().distillIterations = 0;
      untaught.Refine(problem.data, targets);
      taught.Refine(problem.data, targets);
      REQUIRE((taught.RefinedIterations() > 0) == (minGain == 0));
      REQUIRE(taught.RefinedIterations() == untaught.RefinedIterations());

      const auto scores = [&](const auto& model, const TestType& data,
                              const size_t units)
      {
        TestType result;
        model.Boosted().Evaluate(data, units, result);
        return TestType(arma::vectorise(result));
      };
      const auto distance = [&](const auto& model, const TestType& data,
                                const size_t units)
      {
        return double(arma::norm(arma::vectorise(scores(model, data, units) -
            scores(untaught, data, 64))));
      };
      // Points held out may refuse it; else the points trained on show it.
      const auto cuts = taught.Refinement().CutsUpTo(64, 64);
      double learned = 0;
      for (size_t c = 0; c < cuts.units.size(); ++c)
      {
        learned += cuts.weights[c] * (
            std::pow(distance(untaught, problem.data, cuts.units[c]), 2) -
            std::pow(distance(taught, problem.data, cuts.units[c]), 2));
      }
      REQUIRE(SameNetwork(taught, untaught) == (learned == 0));
      REQUIRE(learned >= 0);
      REQUIRE(distance(taught, test.data, 64) <
          0.05 * arma::norm(scores(untaught, test.data, 64)));
      // Refinement has brought them near already.
      if (minGain == 0 || learned == 0)
        continue;
      ++learners;
      double before = 0, after = 0;
      for (size_t units = 16; units < 64; ++units)
      {
        before += distance(untaught, test.data, units);
        after += distance(taught, test.data, units);
      }
      REQUIRE(after <= maximum * before);
    }
  };
  for (const size_t seed : { 5, 6 })
  {
    GBNNRegressor<TestType> regressor(64, 2);
    regressor.Seed() = seed;
    regressor.Train(problem.data, problem.response);
    compare(regressor, problem.response, 0.5);
    GBNNRegressor<TestType, HuberErrorLoss> robust(64, 2);
    robust.Seed() = seed;
    robust.Train(problem.data, problem.response);
    compare(robust, problem.response, 0.5);
    GBNNClassifier<TestType> classifier(64, 2);
    classifier.Seed() = seed;
    classifier.Train(problem.data, problem.labels, 2);
    compare(classifier, problem.labels, 1);
  }
  REQUIRE(learners > 0);
}

namespace {

//! L-BFGS that goes astray when it is given all points.
class Astray
{
 public:
  Astray(const size_t points) :
      points(points), optimizer(GBNNRegressor<>::RefineOptimizer())
  { }

  template<typename FunctionType, typename MatType, typename... CallbackTypes>
  typename MatType::elem_type Optimize(FunctionType& function,
                                       MatType& coordinates,
                                       CallbackTypes&&... callbacks)
  {
    const auto value = optimizer.Optimize(function, coordinates, callbacks...);
    if (function.NumFunctions() < points)
      return value;
    coordinates += 100;
    return function.Evaluate(coordinates);
  }

 private:
  size_t points;
  ens::L_BFGS optimizer;
};

//! A callback that keeps the objectives it is told.
struct Objectives
{
  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool Evaluate(OptimizerType&, FunctionType&, const MatType&,
                const double objective)
  {
    values.push_back(objective);
    return false;
  }

  std::vector<double> values;
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

//! What went well without the points held out and wrong with them is dropped.
TEST_CASE("RefineGoesWrong", "[RefineTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNRegressor<> model(12, 3);
  model.Seed() = 3;
  model.Train(problem.data, problem.response);
  const GBNNRegressor<> before = model;
  Astray well(401), wrong(400);
  const double loss = model.Refine(problem.data, problem.response,
      arma::rowvec(), wrong);
  REQUIRE(model.RefinedIterations() == 0);
  REQUIRE(SameNetwork(model, before));
  REQUIRE(loss == Approx(model.TrainingLosses().back()));
  model.Refine(problem.data, problem.response, arma::rowvec(), well);
  REQUIRE(model.RefinedIterations() > 0);
  REQUIRE(!SameNetwork(model, before));
}

//! Callbacks see the objective, a sum of losses, not what L-BFGS minimizes.
TEST_CASE("RefineObjective", "[RefineTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNClassifier<> model(12, 3);
  model.Seed() = 3;
  model.Train(problem.data, problem.threeLabels, 3);
  // One round on all points, nothing before it.
  model.Refinement().validationFraction = 0;
  model.Refinement().iterations = 5;
  const arma::rowvec none;
  const arma::mat targets = model.Targets("test", problem.threeLabels);
  const gbnn::BoostingRun<arma::mat, LogLoss> run(problem.data, targets, none,
      model.Loss(), 3, model.Boosted());
  auto objective = gbnn::RefineObjective(model.Refinement(), run, none,
      &run.candidates, model.Units());
  const double before = objective.Evaluate(objective.InitialPoint());

  Objectives callback;
  ens::L_BFGS optimizer = model.RefineOptimizer();
  model.Refine(problem.data, problem.threeLabels, none, optimizer, callback);
  REQUIRE(model.RefinedIterations() == 5);
  REQUIRE(callback.values.size() > 5);
  REQUIRE(callback.values.front() == Approx(before).epsilon(1e-5));
  // And after the last step, that of the network there is now; its biases
  // between cuts do not count.
  const gbnn::BoostingRun<arma::mat, LogLoss> refined(problem.data, targets,
      none, model.Loss(), 3, model.Boosted());
  auto after = gbnn::RefineObjective(model.Refinement(), refined, none,
      &refined.candidates, model.Units());
  REQUIRE(*std::min_element(callback.values.begin(), callback.values.end()) ==
      Approx(after.Evaluate(after.InitialPoint())).epsilon(1e-4));
}

//! Stages of trials are fitted in single precision where inputs and weights
//! allow it, and callbacks see the model's own all the same.
TEST_CASE("RefineSingleStages", "[RefineTest]")
{
  Problem<arma::mat> problem(200, 3);
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
      model.Refinement().patience = 1000;
      model.Refinement().validationPoints = SIZE_MAX;
      model.Train(data, problem.response, weights);
      SingleSteps callback;
      ens::L_BFGS optimizer = model.RefineOptimizer();
      model.Refine(data, problem.response, weights, optimizer, callback);
      REQUIRE(callback.all > 100);
      REQUIRE((callback.single > 0) == (!isFar && weight == 1));
    }
  }
}

//! All iterations are done where none is decided on.
TEST_CASE("RefineWithoutValidation", "[RefineTest]")
{
  const Problem<arma::mat> problem(100, 3);
  GBNNRegressor<> model(10);
  model.Train(problem.data, problem.response);
  model.Refinement().validationFraction = 0;
  model.Refinement().iterations = 33;
  GBNNRegressor<> phased = model;
  model.Refinement().phases = { 1 };
  REQUIRE(model.Refine(problem.data, problem.response) <
      model.TrainingLosses().back());
  REQUIRE(model.RefinedIterations() == 33);
  REQUIRE(phased.Refine(problem.data, problem.response) <
      phased.TrainingLosses().back());
  // Three phases before the last take half as long each.
  REQUIRE(phased.RefinedIterations() <= 83);
  REQUIRE(phased.RefinedIterations() > 75);
}

//! Any ensmallen optimizer will do; epochs of those that have them count.
TEST_CASE("RefineOptimizers", "[RefineTest]")
{
  const Problem<arma::mat> problem(300, 3);
  GBNNRegressor<> model(20);
  model.Seed() = 2;
  model.Train(problem.data, problem.response);
  const double boosted = model.TrainingLosses().back();
  {
    GBNNRegressor<> refined = model;
    ens::Adam adam(0.003, 32, 0.9, 0.999, 1e-8, 0);
    REQUIRE(refined.Refine(problem.data, problem.response, arma::rowvec(),
        adam) < boosted);
    REQUIRE(refined.RefinedIterations() > 0);
    REQUIRE(refined.RefinedIterations() <=
        5 * refined.Refinement().iterations / 2);
  }
  {
    GBNNRegressor<> refined = model;
    ens::GradientDescent descent(0.01, 0);
    REQUIRE(refined.Refine(problem.data, problem.response, arma::rowvec(),
        descent) < boosted);
    REQUIRE(refined.RefinedIterations() > 0);
  }
}

//! Units can be added to a refined model: they fit what it leaves.
TEST_CASE("RefineThenGrow", "[RefineTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNRegressor<> model(12, 3);
  model.Seed() = 3;
  model.Train(problem.data, problem.response);
  const double refined = model.Refine(problem.data, problem.response);
  REQUIRE(model.RefinedIterations() > 0);
  arma::rowvec before, after;
  model.Predict(problem.data, before);
  const double grown = model.Grow(problem.data, problem.response, 6);
  REQUIRE(model.Units() == 18);
  REQUIRE(grown < refined);
  REQUIRE(model.TrainingLosses()[0] == Approx(refined));
  model.ActiveUnits(12);
  model.Predict(problem.data, after);
  REQUIRE(Difference(before, after) < 1e-12);
}

//! A point of weight 0 is as good as absent.
TEST_CASE("RefineZeroWeight", "[RefineTest]")
{
  const Problem<arma::mat> problem(300, 3);
  arma::rowvec weights(300, arma::fill::ones);
  weights.tail(100).zeros();
  GBNNRegressor<> weighted(12, 3), absent(12, 3);
  weighted.Seed() = absent.Seed() = 3;
  const arma::mat data = problem.data.head_cols(200);
  const arma::rowvec response = problem.response.head(200);
  weighted.Train(problem.data, problem.response, weights);
  absent.Train(data, response);
  weighted.Refine(problem.data, problem.response, weights);
  absent.Refine(data, response);
  REQUIRE(absent.RefinedIterations() > 0);
  arma::rowvec a, b;
  weighted.Predict(data, a);
  absent.Predict(data, b);
  REQUIRE(Difference(a, b) < 1e-3);
}

//! The same bits whatever the number of threads.
TEST_CASE("RefineThreads", "[RefineTest]")
{
  const Problem<arma::mat> problem(3000, 6);
  const int threads = omp_get_max_threads();
  GBNNClassifier<> models[2] = { GBNNClassifier<>(30), GBNNClassifier<>(30) };
  for (size_t m = 0; m < 2; ++m)
  {
    omp_set_num_threads((m == 0) ? 1 : 3);
    models[m].Seed() = 4;
    models[m].Refinement().iterations = 25;
    models[m].Train(problem.data, problem.labels, 2);
    models[m].Refine(problem.data, problem.labels);
  }
  omp_set_num_threads(threads);
  REQUIRE(models[0].RefinedIterations() > 0);
  REQUIRE(SameNetwork(models[0], models[1]));

  GBNNRegressor<> phased[2] = { GBNNRegressor<>(30), GBNNRegressor<>(30) };
  for (size_t m = 0; m < 2; ++m)
  {
    omp_set_num_threads((m == 0) ? 1 : 3);
    phased[m].Seed() = 4;
    phased[m].Train(problem.data, problem.response);
    phased[m].Refine(problem.data, problem.response);
  }
  omp_set_num_threads(threads);
  REQUIRE(phased[0].RefinedIterations() > 0);
  REQUIRE(SameNetwork(phased[0], phased[1]));
}

//! The same bits whatever the number of BLAS's threads, also where there are so
//! many parameters that it uses them; and it has them back afterwards.
TEST_CASE("RefineBlasThreads", "[RefineTest]")
{
  const Problem<arma::mat> problem(150, 60);
  const int threads = gbnn::BlasThreads(), loops = omp_get_max_threads();
  GBNNClassifier<> boosted[2], refined[2];
  for (size_t m = 0; m < 2; ++m)
  {
    const int blasThreads = (m == 0) ? 1 : 2;
    gbnn::BlasThreads(blasThreads);
    const int given = gbnn::BlasThreads();
    // One built for OpenMP looks there.
    if (gbnn::BlasUsesOpenMP())
      omp_set_num_threads(blasThreads);
    GBNNClassifier<> model(170, 170);
    model.Seed() = 4;
    model.Refinement().iterations = 32;
    model.Refinement().validationFraction = 0;
    model.Train(problem.data, problem.threeLabels, 3);
    boosted[m] = model;
    model.Refine(problem.data, problem.threeLabels);
    refined[m] = model;
    REQUIRE(gbnn::BlasThreads() == given);
    if (gbnn::BlasUsesOpenMP())
      REQUIRE(omp_get_max_threads() == blasThreads);
  }
  gbnn::BlasThreads(threads);
  omp_set_num_threads(loops);
  // OpenBLAS's vectors are long from 10,000 elements on.
  REQUIRE(boosted[0].Boosted().Parameters().n_elem > 10000);
  REQUIRE(SameNetwork(boosted[0], boosted[1]));
  REQUIRE(refined[0].RefinedIterations() > 0);
  REQUIRE(SameNetwork(refined[0], refined[1]));
}

//! A refined model is saved and loaded with its settings.
TEST_CASE("RefineSerialization", "[RefineTest]")
{
  const Problem<arma::mat> problem(300, 3);
  GBNNRegressor<> model(12, 3), loaded;
  model.Seed() = 3;
  model.Train(problem.data, problem.response);
  model.Refinement().distillIterations = 20;
  model.Refinement().phases = { 0.25, 1.0 };
  model.Refinement().minGain = 0.25;
  model.Refinement().clearGain = 3;
  model.Refinement().validationPoints = 100;
  model.Refinement().outputL2 = 0.5;
  model.Refinement().tryConstantL2 = true;
  model.Refinement().cuts = { 0.5, 1.0 };
  model.Refinement().cutWeights = { 1.0, 3.0 };
  model.Refine(problem.data, problem.response);
  REQUIRE(model.RefinedIterations() > 0);
  std::stringstream stream;
  {
    cereal::BinaryOutputArchive archive(stream);
    archive(cereal::make_nvp("model", model));
  }
  {
    cereal::BinaryInputArchive archive(stream);
    archive(cereal::make_nvp("model", loaded));
  }
  REQUIRE(loaded.RefinedIterations() == model.RefinedIterations());
  REQUIRE(loaded.Refinement().cuts == model.Refinement().cuts);
  REQUIRE(loaded.Refinement().phases == model.Refinement().phases);
  REQUIRE(loaded.Refinement().minGain == model.Refinement().minGain);
  REQUIRE(loaded.Refinement().clearGain == 3);
  REQUIRE(loaded.Refinement().distillIterations == 20);
  REQUIRE(loaded.Refinement().validationPoints == 100);
  REQUIRE(loaded.Refinement().outputL2 == 0.5);
  REQUIRE(loaded.Refinement().tryConstantL2);
  REQUIRE(loaded.Refinement().cutWeights == model.Refinement().cutWeights);
  for (const size_t k : { 12, 8, 6, 2 })
  {
    model.ActiveUnits(k);
    loaded.ActiveUnits(k);
    arma::rowvec a, b;
    model.Predict(problem.data, a);
    loaded.Predict(problem.data, b);
    REQUIRE(SameBits(a, b));
  }
}
