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
#include <omp.h>

#include "loaded_copy.hpp"

using namespace mlpack;

namespace {

//! L-BFGS that adds something to all coordinates in the end if it is given at
//! least so many points.
class Astray
{
 public:
  Astray(const size_t points, const double distance) :
      points(points), distance(distance),
      optimizer(GBNNRegressor<>::RefineOptimizer())
  { }

  template<typename FunctionType, typename MatType, typename... CallbackTypes>
  typename MatType::elem_type Optimize(FunctionType& function,
                                       MatType& coordinates,
                                       CallbackTypes&&... callbacks)
  {
    const auto value = optimizer.Optimize(function, coordinates, callbacks...);
    if (function.NumFunctions() < points)
      return value;
    coordinates += distance;
    return function.Evaluate(coordinates);
  }

 private:
  size_t points;
  double distance;
  ens::L_BFGS optimizer;
};

//! A callback that keeps the objectives it is told, and counts steps.
struct Objectives
{
  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool Evaluate(OptimizerType&, FunctionType&, const MatType&,
                const double objective)
  {
    values.push_back(objective);
    return false;
  }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType&, FunctionType&, MatType&)
  {
    ++steps;
    return false;
  }

  std::vector<double> values;
  size_t steps = 0;
};

//! A regressor, boosted three units a stage.
GBNNRegressor<> Boosted(const Problem<arma::mat>& problem, const size_t units)
{
  GBNNRegressor<> model(units, 3);
  model.Seed() = 3;
  model.Train(problem.data, problem.response);
  return model;
}

} // namespace

//! What makes no sense is said so, and nothing changes.
TEST_CASE("RefineSettings", "[RefineTest]")
{
  const Problem<arma::mat> problem(100, 3);
  GBNNClassifier<> model(10);
  model.Train(problem.data, problem.labels, 2);
  const auto fails = [&](const auto& change, const std::string& what)
  {
    GBNNClassifier<> copy = model;
    change(copy);
    REQUIRE_THROWS_WITH(copy.Refine(problem.data, problem.labels),
        Contains(what));
    REQUIRE(SameNetwork(copy, model));
  };
  using Model = GBNNClassifier<>;
  for (const double l2 : { -1.0, arma::datum::nan, arma::datum::inf })
    fails([&](Model& m) { m.Refinement().L2() = l2; }, "L2 regularization");
  for (const double decay : { 0.0, 1.1, arma::datum::nan })
    fails([&](Model& m) { m.Refinement().L2Decay() = decay; }, "decay");
  for (const double share : { -0.1, 1.0, arma::datum::nan })
    fails([&](Model& m) { m.Refinement().ValidationFraction() = share; },
        "share of points");
  fails([](Model& m) { m.Refinement().RoundIterations() = 0; }, "round");
  fails([](Model& m) { m.Refinement().Cuts() = 0; }, "cuts");
  // Trials are boosted with these.
  fails([](Model& m) { m.UnitsPerStage() = 0; }, "Refine()");
  fails([](Model& m) { m.LearningRate() = std::nan(""); }, "Refine()");
  fails([](Model& m) { m.Subsample() = std::nan(""); }, "Refine()");
  fails([](Model& m) { m.L2() = -1; }, "Refine()");

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

//! A refined model is better on new data where there is little noise, with few
//! units, too, and its FFN predicts what it predicts for every number of units.
TEMPLATE_TEST_CASE("RefineHelps", "[RefineTest]", arma::mat, arma::fmat)
{
  const Problem<TestType> train(400, 3), test(400, 3, 8);
  GBNNRegressor<TestType> model(24, 3);
  model.Seed() = 5;
  model.Train(train.data, train.responses);
  const arma::rowvec before = model.StagedRMSE(test.data, test.responses);
  GBNNRegressor<TestType> again = model;
  const double loss = model.Refine(train.data, train.responses);
  REQUIRE(model.RefinedIterations() > model.Refinement().RoundIterations());
  REQUIRE(loss < 0.5 * model.TrainingLosses().back());
  REQUIRE(model.Units() == again.Units());
  REQUIRE(model.Stages() == again.Stages());
  const arma::rowvec after = model.StagedRMSE(test.data, test.responses);
  // There is a cut at every third unit; between them it may be worse.
  for (size_t k = 6; k <= 24; k += 3)
    REQUIRE(after[k] < 0.7 * before[k]);

  again.Refine(train.data, train.responses);
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
  REQUIRE(model.CutWithin(12) == 12);
  const double loss = model.Refine(train.data, train.threeLabels, weights);
  REQUIRE(model.RefinedIterations() > 0);
  // It is cut at every eighth of its units.
  REQUIRE(model.CutWithin(12) == 11);
  for (const size_t cut : { 0, 1, 3, 11, 15 })
    REQUIRE(model.CutWithin(cut) == cut);
  REQUIRE(loss < model.TrainingLosses().back());
  const arma::rowvec after = model.StagedAccuracy(test.data, test.threeLabels);
  // With all units the accuracy was near what noise leaves; the loss was not.
  REQUIRE(arma::mean(after) > arma::mean(before) + 0.01);
  REQUIRE(after[8] > before[8] + 0.01);
  REQUIRE(testLoss() < 0.8 * lossBefore);
}

//! Without iterations, and where too few points could be held out or none
//! would be left, no weight changes.
TEST_CASE("RefineNothing", "[RefineTest]")
{
  const Problem<arma::mat> problem(400, 3), few(40, 3), fewer(20, 3);
  GBNNRegressor<> model = Boosted(problem, 12);
  const GBNNRegressor<> before = model;
  const auto changes = [&](const Problem<arma::mat>& data)
  {
    model.Refine(data.data, data.response);
    REQUIRE((model.RefinedIterations() > 0) == !SameNetwork(model, before));
    return model.RefinedIterations() > 0;
  };
  REQUIRE(!changes(few));
  model.Refinement().ValidationFraction() = 0.98;
  REQUIRE(!changes(fewer));
  model.Refinement() = GBNNRefinement();
  model.Refinement().Iterations() = 0;
  REQUIRE(!changes(problem));
  model.Refinement().Iterations() = 25;
  REQUIRE(changes(problem));
}

//! Where refinement is not kept, cuts of a regressor are scaled, and nothing
//! else changes.
TEST_CASE("RefineScalesCuts", "[RefineTest]")
{
  // Too few points to hold some out.
  const Problem<arma::mat> problem(40, 3);
  const GBNNRegressor<> boosted = Boosted(problem, 30);
  GBNNRegressor<> model = boosted;
  model.Refine(problem.data, problem.response);
  REQUIRE(model.RefinedIterations() == 0);
  REQUIRE(SameNetwork(model, boosted));
  GBNNRegressor<> loaded = LoadedCopy(model);

  const double start = boosted.Boosted().OutputBias()(0, 0);
  const arma::rowvec staged = model.StagedRMSE(problem.data, problem.response);
  const arma::rowvec stagedBefore = boosted.StagedRMSE(problem.data,
      problem.response);
  for (size_t k = 0; k <= 30; ++k)
  {
    GBNNRegressor<> cut = boosted;
    cut.ActiveUnits(k);
    model.ActiveUnits(k);
    loaded.ActiveUnits(k);
    arma::rowvec before, after, afterLoading;
    cut.Predict(problem.data, before);
    model.Predict(problem.data, after);
    loaded.Predict(problem.data, afterLoading);
    REQUIRE(SameBits(after, afterLoading));
    if (k == 30)
      REQUIRE(SameBits(before, after));
    // Each stage goes a tenth of the way that is left.
    const double factor = (k < 3) ? 1 : (1 - std::pow(0.9, 10)) /
        (1 - std::pow(0.9, double((k + 2) / 3)));
    REQUIRE(Difference(arma::rowvec(start + factor * (before - start)), after) <
        1e-12);
    REQUIRE(staged[k] == Approx(std::sqrt(arma::mean(arma::square(after -
        problem.response)))));
    if (k >= 3 && k <= 27)
      REQUIRE(staged[k] < stagedBefore[k]);

    // What is computed in other ways is scaled as well.
    REQUIRE(model.Predict(problem.data.col(7)) == Approx(after[7]));
    arma::mat output;
    model.Network().Predict(problem.data, output);
    REQUIRE(Difference(arma::rowvec(output), after) < 1e-12);
  }

  // Growing goes on from the boosted network.
  GBNNRegressor<> grown = boosted, scaledGrown = model;
  grown.Grow(problem.data, problem.response, 3);
  scaledGrown.Grow(problem.data, problem.response, 3);
  REQUIRE(SameNetwork(grown, scaledGrown));
  REQUIRE(SameBits(grown.StagedRMSE(problem.data, problem.response),
      scaledGrown.StagedRMSE(problem.data, problem.response)));

  // The scores of classes are not scaled, nor is anything without refinement.
  GBNNClassifier<> classifier(problem.data, problem.labels, 2, 30);
  const arma::rowvec accuracy = classifier.StagedAccuracy(problem.data,
      problem.labels);
  classifier.Refine(problem.data, problem.labels);
  REQUIRE(classifier.RefinedIterations() == 0);
  REQUIRE(classifier.Boosted().CutScale(3) == 1);
  REQUIRE(SameBits(accuracy, classifier.StagedAccuracy(problem.data,
      problem.labels)));
  GBNNRegressor<> unrefined = boosted;
  unrefined.Refinement().Iterations() = 0;
  unrefined.Refine(problem.data, problem.response);
  REQUIRE(unrefined.Boosted().CutScale(3) == 1);
}

//! Labels that depend on nothing: the points held out keep refinement from
//! fitting them, as it does if they are not asked.
TEST_CASE("RefineNoise", "[RefineTest]")
{
  const Problem<arma::mat> problem(300, 4), test(1000, 4, 8);
  arma::vec asked(6), unasked(6);
  for (size_t seed = 0; seed < asked.n_elem; ++seed)
  {
    std::mt19937_64 random(seed + 1);
    arma::Row<size_t> labels(300), testLabels(1000);
    for (arma::Row<size_t>* row : { &labels, &testLabels })
      for (size_t& label : *row)
        label = random() % 2;
    GBNNClassifier<> model(20);
    model.Seed() = seed + 1;
    model.Refinement().Iterations() = 200;
    model.Train(problem.data, labels, 2);
    const arma::mat targets = model.Targets("test", testLabels);
    const auto testLoss = [&]()
    {
      arma::mat scores;
      model.Scores(test.data, scores);
      return model.Loss().Value(targets, scores, arma::rowvec());
    };
    const double before = testLoss();
    const GBNNClassifier<> boosted = model;
    model.Refine(problem.data, labels);
    asked[seed] = testLoss() / before;
    model = boosted;
    model.Refinement().ValidationFraction() = 0;
    model.Refine(problem.data, labels);
    unasked[seed] = testLoss() / before;
  }
  CAPTURE(asked.t(), unasked.t());
  REQUIRE(arma::mean(asked) < 1.02);
  REQUIRE(asked.max() < 1.1);
  REQUIRE(arma::mean(unasked) > 1.2);
}

//! Without trials all iterations are done, and no more.
TEST_CASE("RefineWithoutValidation", "[RefineTest]")
{
  const Problem<arma::mat> problem(100, 3);
  GBNNRegressor<> boosted = Boosted(problem, 12);
  boosted.Refinement().ValidationFraction() = 0;
  boosted.Refinement().RoundIterations() = 10;
  ens::L_BFGS optimizer = boosted.RefineOptimizer();
  for (const size_t iterations : { 1, 20, 33 })
  {
    GBNNRegressor<> model = boosted;
    model.Refinement().Iterations() = iterations;
    Objectives callback;
    model.Refine(problem.data, problem.response, arma::rowvec(), optimizer,
        callback);
    // The last step of a round may not be told.
    REQUIRE(callback.steps <= iterations);
    REQUIRE(callback.steps + (iterations + 9) / 10 >= iterations);
    REQUIRE(model.RefinedIterations() == iterations);
  }
}

//! L2 regularization keeps weights small, the more the less it decays.
TEST_CASE("RefineL2", "[RefineTest]")
{
  const Problem<arma::mat> problem(200, 3);
  GBNNRegressor<> model = Boosted(problem, 12);
  model.Refinement().ValidationFraction() = 0;
  model.Refinement().Iterations() = 100;
  model.Refinement().L2() = 10;
  const auto size = [&](const double decay)
  {
    GBNNRegressor<> refined = model;
    refined.Refinement().L2Decay() = decay;
    refined.Refine(problem.data, problem.response);
    return arma::norm(refined.Boosted().HiddenWeights(), "fro");
  };
  const double before = arma::norm(model.Boosted().HiddenWeights(), "fro");
  const double kept = size(1), decayed = size(0.1);
  REQUIRE(kept < 0.5 * before);
  REQUIRE(kept < 0.9 * decayed);
}

//! What went well without the points held out and wrong with them is dropped,
//! and so is what went wrong everywhere; what is no number is told.
TEST_CASE("RefineGoesWrong", "[RefineTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNRegressor<> model = Boosted(problem, 12);
  model.Refinement().Iterations() = 50;
  const GBNNRegressor<> before = model;
  const auto refine = [&](auto& refined, const size_t points,
                          const double distance)
  {
    Astray optimizer(points, distance);
    return refined.Refine(problem.data, problem.response, arma::rowvec(),
        optimizer);
  };
  for (const size_t points : { 400, 0 })
  {
    REQUIRE(refine(model, points, 100) ==
        Approx(model.TrainingLosses().back()));
    REQUIRE(model.RefinedIterations() == 0);
    REQUIRE(SameNetwork(model, before));
    REQUIRE_THROWS_WITH(refine(model, points, arma::datum::nan),
        Contains("diverged"));
    REQUIRE(SameNetwork(model, before));
  }
  refine(model, 401, 100);
  REQUIRE(model.RefinedIterations() > 0);
  REQUIRE(!SameNetwork(model, before));

  // A loss that becomes infinite.
  GBNNRegressor<arma::mat, PoissonLoss> counts(12, 3);
  counts.Train(problem.data, arma::rowvec(arma::abs(problem.response)));
  const GBNNRegressor<arma::mat, PoissonLoss> boosted = counts;
  Astray astray(0, 1e4);
  counts.Refine(problem.data, arma::rowvec(arma::abs(problem.response)),
      arma::rowvec(), astray);
  REQUIRE(counts.RefinedIterations() == 0);
  REQUIRE(SameNetwork(counts, boosted));
}

//! Units that single precision cannot tell apart are no reason to take a
//! network that is worse.
TEST_CASE("RefineFarFromZero", "[RefineTest]")
{
  for (const double offset : { 1e6, 1.7e9 })
  {
    arma::arma_rng::set_seed(5);
    const arma::mat data = arma::mat(3, 300, arma::fill::randu) + offset;
    const arma::rowvec y = arma::sin(6 * (data.row(0) - offset)) +
        (data.row(1) - offset);
    for (const size_t seed : { 1, 2, 3 })
    {
      GBNNRegressor<> model(30, 3, 0.5, 1);
      model.Activation() = GBNNActivation::RELU;
      model.Seed() = seed;
      const double boosted = model.Train(data, y);
      const double refined = model.Refine(data, y);
      // What is held out has a loss of about that.
      REQUIRE(refined < 2 * boosted);
    }
  }
}

//! Callbacks see the objective, a sum of losses, not what L-BFGS minimizes.
TEST_CASE("RefineObjective", "[RefineTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNClassifier<> model(12, 3);
  model.Seed() = 3;
  model.Train(problem.data, problem.threeLabels, 3);
  // One round on all points, nothing before it.
  model.Refinement().ValidationFraction() = 0;
  model.Refinement().Iterations() = 5;
  const arma::rowvec none;
  const arma::mat targets = model.Targets("test", problem.threeLabels);
  const auto objective = [&]()
  {
    const gbnn::BoostingRun<arma::mat, LogLoss> run(problem.data, targets, none,
        model.Loss(), 3, model.Boosted(), model.L2());
    const auto f = gbnn::RefineObjective(model.Refinement(), run, none,
        &run.candidates);
    return f.Evaluate(f.InitialPoint());
  };
  const double before = objective();
  Objectives callback;
  ens::L_BFGS optimizer = model.RefineOptimizer();
  model.Refine(problem.data, problem.threeLabels, none, optimizer, callback);
  REQUIRE(callback.values.size() > 5);
  REQUIRE(callback.values.front() == Approx(before).epsilon(1e-5));
  // And after the last step, that of the network there is now; its biases
  // between cuts do not count.
  REQUIRE(*std::min_element(callback.values.begin(), callback.values.end()) ==
      Approx(objective()).epsilon(1e-4));
  REQUIRE(callback.values.back() < 0.99 * before);
}

//! Any ensmallen optimizer will do; epochs of those that have them count.
TEST_CASE("RefineOptimizers", "[RefineTest]")
{
  const Problem<arma::mat> problem(300, 3);
  const GBNNRegressor<> boosted = Boosted(problem, 21);
  const auto refine = [&](auto optimizer)
  {
    GBNNRegressor<> model = boosted;
    model.Refinement().Iterations() = 40;
    model.Refinement().RoundIterations() = 8;
    REQUIRE(model.Refine(problem.data, problem.response, arma::rowvec(),
        optimizer) < model.TrainingLosses().back());
    REQUIRE(model.RefinedIterations() > 0);
    REQUIRE(model.RefinedIterations() <= 40);
  };
  refine(ens::Adam(0.003, 32, 0.9, 0.999, 1e-8, 0));
  refine(ens::GradientDescent(0.01, 0));
}

//! Units can be added to a refined model, they fit what it leaves; and it can
//! be refined again.
TEST_CASE("RefineThenGrow", "[RefineTest]")
{
  const Problem<arma::mat> problem(400, 3);
  GBNNRegressor<> model = Boosted(problem, 12);
  model.Refinement().Iterations() = 50;
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
  const double again = model.Refine(problem.data, problem.response);
  REQUIRE((again < grown) == (model.RefinedIterations() > 0));
  REQUIRE(model.Units() == 18);
  REQUIRE(model.Boosted().OutputBias().n_cols == 19);
}

//! A point of weight 0 is as good as absent, and one of weight 2 is two points.
TEST_CASE("RefineWeights", "[RefineTest]")
{
  const Problem<arma::mat> problem(300, 3);
  arma::rowvec zeros(300, arma::fill::ones), twos(200, arma::fill::ones);
  zeros.tail(100).zeros();
  twos.head(100) *= 2;
  const arma::mat data = problem.data.head_cols(200);
  const arma::rowvec response = problem.response.head(200);
  GBNNRegressor<> boosted(12, 3);
  boosted.Seed() = 3;
  boosted.Train(data, response);
  boosted.Refinement().Iterations() = 25;
  const auto refined = [&](const arma::mat& points, const arma::rowvec& truth,
                           const arma::rowvec& weights)
  {
    GBNNRegressor<> model = boosted;
    model.Refine(points, truth, weights);
    REQUIRE(model.RefinedIterations() > 0);
    arma::rowvec predictions;
    model.Predict(data, predictions);
    return predictions;
  };
  const arma::rowvec plain = refined(data, response, arma::rowvec());
  REQUIRE(Difference(refined(problem.data, problem.response, zeros), plain) <
      1e-3);
  // Held out twice would be trained on once.
  boosted.Refinement().ValidationFraction() = 0;
  const arma::rowvec twice = refined(data, response, twos);
  const double same = Difference(refined(
      arma::join_rows(data, data.head_cols(100)),
      arma::join_rows(response, response.head(100)), arma::rowvec()), twice);
  const double once = Difference(refined(data, response, arma::rowvec()),
      twice);
  REQUIRE(same < 0.05 * once);
}

//! The same bits whatever the number of threads.
TEST_CASE("RefineThreads", "[RefineTest]")
{
  const Problem<arma::mat> problem(3000, 6);
  const int threads = omp_get_max_threads();
  const auto same = [&](auto model, const auto&... targets)
  {
    decltype(model) models[2] = { model, model };
    for (size_t m = 0; m < 2; ++m)
    {
      omp_set_num_threads((m == 0) ? 1 : 3);
      models[m].Seed() = 4;
      models[m].Refinement().Iterations() = 50;
      models[m].Train(problem.data, targets...);
      models[m].Refine(problem.data, std::get<0>(std::tie(targets...)));
    }
    omp_set_num_threads(threads);
    REQUIRE(models[0].RefinedIterations() > 0);
    REQUIRE(SameNetwork(models[0], models[1]));
  };
  same(GBNNClassifier<>(30), problem.labels, 2);
  same(GBNNRegressor<>(30), problem.response);
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
    omp_set_num_threads(blasThreads);
    GBNNClassifier<> model(170, 170);
    model.Seed() = 4;
    model.Refinement().Iterations() = 32;
    model.Refinement().ValidationFraction() = 0;
    model.Train(problem.data, problem.threeLabels, 3);
    boosted[m] = model;
    model.Refine(problem.data, problem.threeLabels);
    refined[m] = model;
    REQUIRE(gbnn::BlasThreads() == given);
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
  GBNNRegressor<> model = Boosted(problem, 12), loaded;
  GBNNRefinement& settings = model.Refinement();
  settings.Iterations() = 60;
  settings.RoundIterations() = 20;
  settings.L2() = 3;
  settings.L2Decay() = 0.4;
  settings.Cuts() = 2;
  settings.ValidationFraction() = 0.25;
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
  // The rate of the next training is not that of the last one.
  GBNNRegressor<> boosted = Boosted(problem, 12), copy;
  boosted.LearningRate() = 1;
  boosted.Refinement().L2() = 1e9;
  std::stringstream other;
  {
    cereal::BinaryOutputArchive archive(other);
    archive(cereal::make_nvp("model", boosted));
  }
  {
    cereal::BinaryInputArchive archive(other);
    archive(cereal::make_nvp("model", copy));
  }
  boosted.Refine(problem.data, problem.response);
  copy.Refine(problem.data, problem.response);
  REQUIRE(boosted.Boosted().HasScaledCuts());
  REQUIRE(SameNetwork(boosted, copy));
  for (const size_t k : { 3, 6 })
    REQUIRE(boosted.Boosted().CutScale(k) == copy.Boosted().CutScale(k));
  REQUIRE(loaded.Refinement().Iterations() == 60);
  REQUIRE(loaded.Refinement().RoundIterations() == 20);
  REQUIRE(loaded.Refinement().L2() == 3);
  REQUIRE(loaded.Refinement().L2Decay() == 0.4);
  REQUIRE(loaded.Refinement().Cuts() == 2);
  REQUIRE(loaded.Refinement().ValidationFraction() == 0.25);
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
