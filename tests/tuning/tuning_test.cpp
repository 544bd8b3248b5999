/**
 * @file tests/tuning/tuning_test.cpp
 *
 * Hyperparameters chosen by cross-validation.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <thread>

using namespace mlpack;

namespace {

//! A small grid, for tests that train all of it.
GBNNGrid SmallGrid()
{
  return { { 1, 2 }, { 0.2, 1.0 }, { 0.6, 1.0 }, { } };
}

//! Folds that are easy to foresee.
arma::uvec EveryThird(const size_t points)
{
  arma::uvec fold(points);
  for (size_t i = 0; i < points; ++i)
    fold[i] = i % 3;
  return fold;
}

//! Hold one of three folds out: train(trial, in) trains on some points and
//! score(trial, out) scores others.  Returns the mean, for the given cell and
//! number of units.
template<typename ModelType, typename TrainType, typename ScoreType>
double Retrained(const ModelType& model,
                 const arma::uvec& foldOf,
                 const GBNNCell& cell,
                 const size_t units,
                 const TrainType& train,
                 const ScoreType& score)
{
  double sum = 0;
  for (size_t fold = 0; fold < 3; ++fold)
  {
    ModelType trial(model);
    trial.HiddenUnits() = units;
    trial.UnitsPerStage() = cell.unitsPerStage;
    trial.LearningRate() = cell.learningRate;
    trial.Subsample() = cell.subsample;
    train(trial, arma::uvec(arma::find(foldOf != fold)));
    sum += score(trial, arma::uvec(arma::find(foldOf == fold)));
  }
  return sum / 3;
}

//! All that a comparison found, in one row.
arma::rowvec Everything(const GBNNTuner& tuner)
{
  arma::rowvec all = { double(tuner.Best()) };
  for (const GBNNCell& cell : tuner.Cells())
  {
    all = arma::join_rows(all, arma::join_rows(cell.scores, cell.losses,
        cell.standardErrors, arma::rowvec({ double(cell.best) })));
  }
  return all;
}

} // namespace

TEST_CASE("PaperGrid", "[TuningTest]")
{
  const GBNNGrid two = GBNNGrid::Paper(2), more = GBNNGrid::Paper(3),
      regression = GBNNGrid::Paper(0);
  REQUIRE(two.unitsPerStage == std::vector<size_t>({ 1, 2, 3 }));
  REQUIRE(two.learningRates == std::vector<double>({ 0.1, 0.25, 0.5, 1.0 }));
  REQUIRE(two.subsamples == std::vector<double>({ 0.5, 0.75, 1.0 }));
  REQUIRE(two.Cells() == 36);
  REQUIRE(more.unitsPerStage == std::vector<size_t>({ 1, 2, 3, 4 }));
  REQUIRE(more.learningRates == std::vector<double>({ 0.025, 0.05, 0.1, 0.5,
      1.0 }));
  REQUIRE(more.subsamples == std::vector<double>({ 0.25, 0.5, 0.75, 1.0 }));
  REQUIRE(regression.Cells() == 80);
  REQUIRE(two.units.empty());
  // No stage can have more units than there are.
  REQUIRE(GBNNGrid::Paper(0, 2).unitsPerStage == std::vector<size_t>({ 1, 2 }));
}

TEST_CASE("UnitsToScore", "[TuningTest]")
{
  GBNNGrid grid = SmallGrid();
  REQUIRE(grid.UnitsToScore(1, 4) == std::vector<size_t>({ 1, 2, 3, 4 }));
  REQUIRE(grid.UnitsToScore(3, 10) == std::vector<size_t>({ 3, 6, 9, 10 }));
  REQUIRE(grid.UnitsToScore(5, 5) == std::vector<size_t>({ 5 }));
  // The last one is where training ends; others are at the end of a stage.
  grid.units = { 20, 5, 7, 8, 7 };
  REQUIRE(grid.MaxUnits(200) == 20);
  REQUIRE(grid.UnitsToScore(1, 200) == std::vector<size_t>({ 5, 7, 8, 20 }));
  REQUIRE(grid.UnitsToScore(3, 200) == std::vector<size_t>({ 3, 6, 20 }));
}

TEST_CASE("FoldsOfClasses", "[TuningTest]")
{
  // Classes of 50, 33, 13 and 7 points, in disorder; some points do not count.
  arma::mat targets(1, 110);
  for (size_t i = 0; i < 110; ++i)
  {
    const size_t j = (i * 37) % 110;
    targets[i] = (j < 53) ? 0 : (j < 88) ? 1 : (j < 102) ? 2 : 3;
  }
  const arma::uvec points = arma::find(
      arma::regspace<arma::uvec>(0, 109) != 20);
  for (const size_t folds : { 2, 7, 10 })
  {
    gbnn::Random random = TestRandom(3, 1), again = TestRandom(3, 1);
    gbnn::Random other = TestRandom(4, 1);
    const arma::uvec fold = gbnn::StratifiedFolds(targets, points, folds, true,
        random);
    REQUIRE(fold.n_elem == points.n_elem);
    arma::umat counts(5, folds, arma::fill::zeros);
    for (size_t i = 0; i < fold.n_elem; ++i)
    {
      REQUIRE(fold[i] < folds);
      ++counts(size_t(targets[points[i]]), fold[i]);
      ++counts(4, fold[i]);
    }
    for (size_t row = 0; row < 5; ++row)
      REQUIRE(counts.row(row).max() - counts.row(row).min() <= 1);
    REQUIRE(arma::all(fold == gbnn::StratifiedFolds(targets, points, folds,
        true, again)));
    REQUIRE(arma::any(fold != gbnn::StratifiedFolds(targets, points, folds,
        true, other)));
  }
}

TEST_CASE("FoldsOfResponses", "[TuningTest]")
{
  const arma::mat targets = arma::reverse(arma::regspace<arma::rowvec>(1, 200));
  const arma::uvec points = arma::regspace<arma::uvec>(0, 199);
  gbnn::Random random = TestRandom(5, 1);
  const arma::uvec fold = gbnn::StratifiedFolds(targets, points, 5, false,
      random);
  // Of five responses in a row, each fold has one, none always the smallest.
  arma::uvec smallest(5, arma::fill::zeros);
  for (size_t i = 0; i < 200; i += 5)
  {
    REQUIRE(arma::unique(arma::uvec(fold.subvec(i, i + 4))).eval().n_elem == 5);
    ++smallest[fold[i + 4]];
  }
  REQUIRE(smallest.min() > 0);
  REQUIRE(smallest.max() < 20);
}

//! One training for all numbers of units gives the scores that training anew
//! for each does.
TEMPLATE_TEST_CASE("TunedScoresEqualRetraining", "[TuningTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  const Problem<TestType> problem(90, 2);
  arma::Row<ElemType> weights(90, arma::fill::ones);
  weights.head(30).fill(ElemType(2.5));
  for (const size_t classes : { 2, 3 })
  {
    const arma::Row<size_t>& labels = (classes == 2) ? problem.labels :
        problem.threeLabels;
    GBNNClassifier<TestType> model(7);
    model.Seed() = 4;
    GBNNTuner tuner(SmallGrid(), 3);
    tuner.FoldOfPoint() = EveryThird(90);
    tuner.Compare(model, problem.data, labels, classes, weights);
    REQUIRE(tuner.Cells().size() == 8);
    for (const GBNNCell& cell : tuner.Cells())
    {
      REQUIRE(cell.units.back() == 7);
      REQUIRE(cell.units.size() == ((cell.unitsPerStage == 1) ? 7 : 4));
      for (size_t k = 0; k < cell.units.size(); ++k)
      {
        const double score = Retrained(model, tuner.FoldOfPoint(), cell,
            cell.units[k],
            [&](auto& trial, const arma::uvec& in)
            {
              trial.Train(TestType(problem.data.cols(in)),
                  arma::Row<size_t>(labels.cols(in)), classes,
                  arma::Row<ElemType>(weights.cols(in)));
            },
            [&](const auto& trial, const arma::uvec& out)
            {
              arma::Row<size_t> predictions;
              trial.Classify(TestType(problem.data.cols(out)), predictions);
              double right = 0, all = 0;
              for (size_t i = 0; i < out.n_elem; ++i)
              {
                right += (predictions[i] == labels[out[i]]) * weights[out[i]];
                all += weights[out[i]];
              }
              return right / all;
            });
        REQUIRE(cell.scores[k] == Approx(score).epsilon(1e-12));
      }
    }
  }
}

TEMPLATE_TEST_CASE("TunedErrorsEqualRetraining", "[TuningTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> problem(90, 2);
  GBNNRegressor<TestType> model(7);
  model.Seed() = 4;
  GBNNTuner tuner(SmallGrid(), 3);
  tuner.FoldOfPoint() = EveryThird(90);
  tuner.Compare(model, problem.data, problem.responses);
  for (const GBNNCell& cell : tuner.Cells())
  {
    for (size_t k = 0; k < cell.units.size(); ++k)
    {
      const double score = Retrained(model, tuner.FoldOfPoint(), cell,
          cell.units[k],
          [&](auto& trial, const arma::uvec& in)
          {
            trial.Train(TestType(problem.data.cols(in)),
                TestType(problem.responses.cols(in)));
          },
          [&](const auto& trial, const arma::uvec& out)
          {
            TestType predictions;
            trial.Predict(TestType(problem.data.cols(out)), predictions);
            return std::sqrt(arma::accu(arma::square(arma::conv_to<
                arma::mat>::from(predictions - problem.responses.cols(out)))) /
                double(2 * out.n_elem));
          });
      REQUIRE(cell.scores[k] == Approx(score).epsilon(
          Tolerance<typename TestType::elem_type>));
    }
  }
}

//! What the cells say follows from the scores, and the model gets the best.
TEST_CASE("TuneTakesTheBest", "[TuningTest]")
{
  const Problem<arma::mat> problem(120, 2);
  GBNNRegressor<> model(12), direct(model);
  model.Seed() = direct.Seed() = 6;
  GBNNTuner tuner(SmallGrid(), 4);
  REQUIRE_THROWS_AS(tuner.SetBest(model), std::invalid_argument);
  const double loss = tuner.Tune(model, problem.data, problem.response);

  double minimum = DBL_MAX;
  for (size_t c = 0; c < tuner.Cells().size(); ++c)
  {
    const GBNNCell& cell = tuner.Cells()[c];
    REQUIRE(cell.unitsPerStage == ((c < 4) ? 1 : 2));
    REQUIRE(cell.learningRate == ((c % 4 < 2) ? 0.2 : 1.0));
    REQUIRE(cell.subsample == ((c % 2 == 0) ? 0.6 : 1.0));
    REQUIRE(cell.scores[cell.best] == cell.scores.min());
    minimum = std::min(minimum, cell.scores.min());
  }
  const GBNNCell& best = tuner.Cells()[tuner.Best()];
  REQUIRE(best.scores[best.best] == minimum);

  REQUIRE(model.Units() == best.units[best.best]);
  REQUIRE(model.UnitsPerStage() == best.unitsPerStage);
  REQUIRE(model.LearningRate() == best.learningRate);
  REQUIRE(model.Subsample() == best.subsample);
  REQUIRE(direct.Train(problem.data, problem.response, best.units[best.best],
      best.unitsPerStage, best.learningRate, best.subsample) == loss);
  REQUIRE(SameBits(direct.Boosted().Parameters(),
      model.Boosted().Parameters()));

  const arma::mat table = tuner.Table();
  REQUIRE(table.n_rows == 7);
  REQUIRE(table.n_cols == 8);
  REQUIRE(arma::accu(table.row(6)) == 1);
  REQUIRE(Difference(table.col(tuner.Best()), arma::vec({
      double(best.unitsPerStage), best.learningRate, best.subsample,
      double(model.Units()), minimum, best.standardErrors[best.best], 1 })) ==
      0);
  const std::string text = tuner.Text();
  REQUIRE(std::count(text.begin(), text.end(), '\n') == 9);
  REQUIRE(text.find("RMSE") != std::string::npos);
  REQUIRE(text.find("\n* ") != std::string::npos);
}

//! The standard error, from the scores of the folds themselves.
TEST_CASE("StandardErrorOfTuning", "[TuningTest]")
{
  const Problem<arma::mat> problem(90, 2);
  GBNNClassifier<> model(3, 1, 0.5, 1.0);
  model.Seed() = 4;
  GBNNTuner tuner({ { 1 }, { 0.5 }, { 1.0 }, { 3 } }, 3);
  tuner.FoldOfPoint() = EveryThird(90);
  tuner.Compare(model, problem.data, problem.labels, 2);
  arma::vec scores(3);
  for (size_t fold = 0; fold < 3; ++fold)
  {
    const arma::uvec in = arma::find(tuner.FoldOfPoint() != fold);
    const arma::uvec out = arma::find(tuner.FoldOfPoint() == fold);
    GBNNClassifier<> trial(model);
    trial.Train(arma::mat(problem.data.cols(in)),
        arma::Row<size_t>(problem.labels.cols(in)), 2);
    scores[fold] = trial.StagedAccuracy(problem.data.cols(out),
        problem.labels.cols(out))[3];
  }
  REQUIRE(scores.max() > scores.min());
  const GBNNCell& cell = tuner.Cells()[0];
  REQUIRE(cell.scores[0] == Approx(arma::mean(scores)));
  REQUIRE(cell.standardErrors[0] == Approx(arma::stddev(scores) /
      std::sqrt(3.0)));
}

//! Where all are right, the loss decides.
TEST_CASE("LossDecidesBetweenSameAccuracies", "[TuningTest]")
{
  arma::mat data(1, 40);
  arma::Row<size_t> labels(40);
  for (size_t i = 0; i < 40; ++i)
  {
    labels[i] = i % 2;
    data[i] = (labels[i] ? 3 : -3) + 0.01 * double(i);
  }
  GBNNClassifier<> model(6);
  model.Seed() = 2;
  GBNNTuner tuner(SmallGrid(), 4);
  tuner.Compare(model, data, labels, 2);
  double minimum = DBL_MAX;
  for (const GBNNCell& cell : tuner.Cells())
  {
    REQUIRE(cell.scores[cell.best] == 1);
    minimum = std::min(minimum, cell.losses.min());
  }
  const GBNNCell& best = tuner.Cells()[tuner.Best()];
  REQUIRE(best.losses[best.best] == minimum);
}

TEST_CASE("TuningDoesNotDependOnThreads", "[TuningTest]")
{
  const Problem<arma::mat> problem(300, 4);
  GBNNClassifier<> model(12);
  model.Seed() = 8;
  const int threads = omp_get_max_threads();
  std::vector<arma::rowvec> results;
  for (const int number : { 1, 2, 3 })
  {
    omp_set_num_threads(number);
    GBNNTuner tuner(SmallGrid(), 5);
    tuner.Compare(model, problem.data, problem.threeLabels, 3);
    results.push_back(Everything(tuner));
  }
  omp_set_num_threads(threads);
  REQUIRE(SameBits(results[0], results[1]));
  REQUIRE(SameBits(results[0], results[2]));

  // Another seed is another result; without one, mlpack's generator has it.
  GBNNTuner tuner(SmallGrid(), 5);
  model.Seed() = 9;
  tuner.Compare(model, problem.data, problem.threeLabels, 3);
  REQUIRE_FALSE(SameBits(results[0], Everything(tuner)));
  model.Seed() = 0;
  RandomSeed(5);
  tuner.Compare(model, problem.data, problem.threeLabels, 3);
  const arma::rowvec first = Everything(tuner);
  tuner.Compare(model, problem.data, problem.threeLabels, 3);
  REQUIRE_FALSE(SameBits(first, Everything(tuner)));
  RandomSeed(5);
  tuner.Compare(model, problem.data, problem.threeLabels, 3);
  REQUIRE(SameBits(first, Everything(tuner)));
}

//! Weight 2 is the point twice, where both are in one fold; compare
//! TrainingWithWeightIsRepetition for the tolerance.
TEST_CASE("WeightsInTuning", "[TuningTest]")
{
  const Problem<arma::mat> problem(150, 2);
  arma::rowvec weights(150, arma::fill::ones);
  weights.head(50).fill(2);
  GBNNRegressor<> model(3);
  model.Seed() = 3;
  model.L2() = 1;
  const ens::L_BFGS lbfgs = StageOptimizer::DefaultLBFGS();
  GBNNTuner weighted({ { 1 }, { 0.5 }, { 1.0 }, { } }, 3), repeated(weighted);
  weighted.FoldOfPoint() = EveryThird(150);
  repeated.FoldOfPoint() = arma::join_cols(weighted.FoldOfPoint(),
      weighted.FoldOfPoint().head(50));
  weighted.Compare(model, problem.data, problem.response, weights, lbfgs);
  repeated.Compare(model, arma::join_rows(problem.data,
      problem.data.head_cols(50)), arma::join_rows(problem.response,
      problem.response.head(50)), arma::rowvec(), lbfgs);
  const arma::rowvec a = weighted.Cells()[0].scores;
  REQUIRE(Difference(a, repeated.Cells()[0].scores) < 1e-5);
  // It does make a difference.
  weighted.Compare(model, problem.data, problem.response, { }, lbfgs);
  REQUIRE(Difference(a, weighted.Cells()[0].scores) > 1e-3);

  // Points without weight are absent, also when folds are dealt out.
  weights.tail(60).zeros();
  GBNNTuner present(SmallGrid(), 3), absent(present);
  present.Compare(model, problem.data, problem.response, weights);
  absent.Compare(model, problem.data.head_cols(90), problem.response.head(90),
      weights.head(90));
  REQUIRE(SameBits(Everything(present), Everything(absent)));
}

//! All units are scored, whether or not the model itself would stop early.
TEST_CASE("TuningDoesNotStopEarly", "[TuningTest]")
{
  const Problem<arma::mat> problem(90, 2);
  GBNNClassifier<> model(8);
  model.Seed() = 3;
  GBNNTuner tuner(SmallGrid(), 3);
  tuner.Compare(model, problem.data, problem.labels, 2);
  const arma::rowvec before = Everything(tuner);
  model.ValidationFraction() = 0.3;
  model.Patience() = 1;
  tuner.Compare(model, problem.data, problem.labels, 2);
  REQUIRE(SameBits(before, Everything(tuner)));
  // So has the model in the end.
  GBNNClassifier<> best = model;
  tuner.SetBest(best);
  tuner.Tune(model, problem.data, problem.labels, 2);
  REQUIRE(model.Units() == best.HiddenUnits());
  REQUIRE(model.ValidationFraction() == 0.3);
}

//! A class may be missing from what a fold is trained on.
TEST_CASE("TuneWithRareClass", "[TuningTest]")
{
  const Problem<arma::mat> problem(60, 2);
  arma::Row<size_t> labels = problem.labels;
  labels[17] = 2;
  GBNNClassifier<> model(5);
  model.Seed() = 1;
  GBNNTuner tuner(SmallGrid(), 5);
  tuner.Tune(model, problem.data, labels, 3);
  REQUIRE(Everything(tuner).is_finite());
  REQUIRE(model.NumClasses() == 3);
  // As many folds as points.
  GBNNTuner leaveOneOut({ { 1 }, { 0.5 }, { 1.0 }, { 3 } }, 60);
  leaveOneOut.Compare(model, problem.data, labels, 3);
  const double right = 60 * leaveOneOut.Cells()[0].scores[0];
  REQUIRE(right == Approx(std::round(right)));
}

TEST_CASE("TuningTellsHowFarItIs", "[TuningTest]")
{
  const Problem<arma::mat> problem(60, 2);
  GBNNRegressor<> model(5);
  GBNNTuner tuner(SmallGrid(), 3);
  const int threads = omp_get_max_threads();
  const std::thread::id caller = std::this_thread::get_id();
  for (const int use : { 1, 2 })
  {
    omp_set_num_threads(use);
    std::vector<double> told;
    bool elsewhere = false;
    tuner.Tell() = [&](const double done)
    {
      told.push_back(done);
      elsewhere |= (std::this_thread::get_id() != caller);
    };
    tuner.Compare(model, problem.data, problem.response);
    // With two, the other thread may do all of the trainings.
    const size_t minimum = (use == 1) ? 6 : 1;
    REQUIRE(told.size() >= minimum);
    REQUIRE(std::is_sorted(told.begin(), told.end()));
    REQUIRE(told.front() > 0);
    REQUIRE(told.back() == 1);
    REQUIRE_FALSE(elsewhere);
  }

  // What it throws ends the tuning, and arrives.
  omp_set_num_threads(1);
  size_t calls = 0;
  tuner.Tell() = [&](const double)
  {
    if (++calls == 3)
      throw std::domain_error("enough");
  };
  REQUIRE_THROWS_AS(tuner.Compare(model, problem.data, problem.response),
      std::domain_error);
  REQUIRE(calls == 3);
  omp_set_num_threads(threads);
}

//! What all threads call ends the tuning, too, whichever of them it is.
TEST_CASE("TuningEndsFromAnyThread", "[TuningTest]")
{
  const Problem<arma::mat> problem(60, 2);
  GBNNRegressor<> model(200000);
  GBNNGrid grid = SmallGrid();
  grid.learningRates = { 0.1 };
  grid.subsamples = { 1 };
  grid.unitsPerStage = { 1 };
  const int threads = omp_get_max_threads();
  const std::thread::id caller = std::this_thread::get_id();
  for (const int use : { 1, 2 })
  {
    omp_set_num_threads(use);
    GBNNTuner tuner(grid, 3);
    std::atomic<size_t> calls(0);
    tuner.Check() = [&]()
    {
      const bool mayEnd = (use == 1 || std::this_thread::get_id() != caller);
      if (mayEnd && ++calls == 20)
        throw std::domain_error("enough");
    };
    REQUIRE_THROWS_AS(tuner.Compare(model, problem.data, problem.response),
        std::domain_error);
    REQUIRE(calls >= 20);
  }
  omp_set_num_threads(threads);
}

//! An error in one of the trainings arrives, whichever thread had it, and the
//! model stays as it was.
TEST_CASE("FailureOfOneTraining", "[TuningTest]")
{
  const Problem<arma::mat> problem(60, 2);
  GBNNRegressor<> model(problem.data, problem.response, 5);
  const arma::mat before = model.Boosted().Parameters();
  // Diverges in every stage.
  const ens::StandardSGD optimizer(1e200, 10, 1000, 0);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(2);
  GBNNTuner tuner(SmallGrid(), 3);
  REQUIRE_THROWS_AS(tuner.Tune(model, problem.data, problem.response, { },
      optimizer), std::runtime_error);
  omp_set_num_threads(threads);
  REQUIRE(SameBits(before, model.Boosted().Parameters()));
  REQUIRE(model.HiddenUnits() == 5);
  // Nothing has been compared.
  REQUIRE(tuner.Cells().empty());
  REQUIRE_THROWS_AS(tuner.SetBest(model), std::invalid_argument);
  REQUIRE(tuner.Table().n_cols == 0);
  REQUIRE(!tuner.Text().empty());
}

TEST_CASE("BadInputOfTuning", "[TuningTest]")
{
  const Problem<arma::mat> problem(30, 2);
  GBNNClassifier<> model(5);
  const auto fails = [&](const GBNNTuner& given, const std::string& text)
  {
    GBNNTuner tuner(given);
    REQUIRE_THROWS_AS(tuner.Compare(model, problem.data, problem.labels, 2),
        std::invalid_argument);
    REQUIRE_THROWS_WITH(tuner.Compare(model, problem.data, problem.labels, 2),
        Contains(text) && Contains("GBNNTuner::Compare()"));
  };
  const auto with = [](const auto& change)
  {
    GBNNGrid grid = SmallGrid();
    change(grid);
    return GBNNTuner(grid, 3);
  };
  fails(with([](auto& grid) { grid.unitsPerStage.clear(); }), "is empty");
  fails(with([](auto& grid) { grid.learningRates.clear(); }), "is empty");
  fails(with([](auto& grid) { grid.subsamples.clear(); }), "is empty");
  fails(with([](auto& grid) { grid.unitsPerStage = { 1, 0 }; }),
      "number of units per stage (0) must be between 1 and");
  fails(with([](auto& grid) { grid.unitsPerStage = { 1, 6 }; }),
      "number of units per stage (6) must be between 1 and the least number of "
      "hidden units (5)");
  fails(with([](auto& grid) { grid.units = { 100, 1 }; }),
      "number of units per stage (2) must be between 1 and the least number of "
      "hidden units (1)");
  fails(with([](auto& grid) { grid.units = { 10, 0 }; }),
      "number of hidden units (0)");
  for (const double bad : { 0.0, -0.1, 1.1, arma::datum::nan })
  {
    fails(with([&](auto& grid) { grid.learningRates.push_back(bad); }),
        "learning rate (" + std::to_string(bad) + ") must be greater than 0");
    fails(with([&](auto& grid) { grid.subsamples.push_back(bad); }),
        "subsample (" + std::to_string(bad) + ") must be greater than 0");
  }
  for (const size_t folds : { 0, 1, 31 })
  {
    fails(GBNNTuner(SmallGrid(), folds), "number of folds (" +
        std::to_string(folds) + ") must be between 2 and the number of points");
  }

  GBNNTuner tuner(SmallGrid(), 3);
  tuner.FoldOfPoint() = EveryThird(29);
  fails(tuner, "number of folds of points (29) does not match number of points "
      "(30)");
  tuner.FoldOfPoint() = EveryThird(30) + 1;
  fails(tuner, "fold 3 of a point must be less than the number of folds (3)");
  tuner.FoldOfPoint() = arma::uvec(30, arma::fill::zeros);
  fails(tuner, "fold 1 has no point");
  tuner.FoldOfPoint().reset();

  // Its units would be counted as those of stages.
  model.FirstNetwork() = BoostedNetwork<>(2, arma::vec(1, arma::fill::zeros),
      GBNNActivation::LOGISTIC);
  fails(tuner, "there is a network to begin with");
  model.FirstNetwork() = BoostedNetwork<>();

  // Data is checked as training does, and errors count all points.
  arma::mat data = problem.data;
  data(1, 29) = arma::datum::nan;
  REQUIRE_THROWS_WITH(tuner.Compare(model, data, problem.labels, 2),
      Contains("in row 1 of column 29"));
  REQUIRE_THROWS_AS(tuner.Compare(model, problem.data,
      arma::Row<size_t>(problem.labels.head(29)), 2), std::invalid_argument);
  REQUIRE_THROWS_AS(tuner.Compare(model, problem.data, problem.threeLabels, 2),
      std::invalid_argument);
  REQUIRE_THROWS_AS(tuner.Compare(model, problem.data, problem.labels, 2,
      arma::rowvec(29, arma::fill::ones)), std::invalid_argument);
  REQUIRE_THROWS_AS(tuner.Compare(model, problem.data, problem.labels, 2,
      arma::rowvec(30, arma::fill::zeros)), std::invalid_argument);
  GBNNRegressor<> regressor(5);
  REQUIRE_THROWS_AS(tuner.Compare(regressor, problem.data,
      arma::mat(problem.responses.head_cols(29))), std::invalid_argument);
  arma::mat responses = problem.responses;
  responses(0, 3) = arma::datum::inf;
  REQUIRE_THROWS_WITH(tuner.Compare(regressor, problem.data, responses),
      Contains("responses has NaN or infinite"));
}
