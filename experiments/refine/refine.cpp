/**
 * @file experiments/refine/refine.cpp
 *
 * Nested refinement on the paper's tabular data, by cross-validation: the model
 * that boosting alone makes and the refined one, on the same folds, with all
 * units and with half and three quarters of them switched off.
 *
 *     refine DATA_FOLDER [--folds N] [--seed N] [--repeats N] [--max-points N]
 *         [--set NAME VALUE ...] [--curves FILE] [TASK ...]
 *
 * --repeats does it all again with the next seeds, and other folds.
 * --max-points leaves out tasks of as many points or more.  TASK may be
 * "classes" or "responses" for all tasks of a kind.
 * --set changes a setting of the refinement: iterations, round, l2, decay, cuts
 * or fraction.
 * --curves writes the mean score for every number of active units.
 */
#include <mlpack/methods/gbnn.hpp>

#include "../common/data_sets.hpp"
#include "../common/references.hpp"

using namespace experiments;
using namespace mlpack;

//! Scores for every number of active units from 0 to all, and what it took.
struct Result
{
  arma::rowvec staged;
  double iterations = 0;
  double seconds = 0;
};

//! Names of settings of the refinement, and their values.
using Settings = std::vector<std::pair<std::string, std::string>>;

//! Change a setting by its name; throws if there is no such setting.
void Set(GBNNRefinement& refinement,
         const std::string& name,
         const std::string& value)
{
  if (name == "iterations")
    refinement.Iterations() = std::stoul(value);
  else if (name == "round")
    refinement.RoundIterations() = std::stoul(value);
  else if (name == "l2")
    refinement.L2() = std::stod(value);
  else if (name == "decay")
    refinement.L2Decay() = std::stod(value);
  else if (name == "cuts")
    refinement.Cuts() = std::stoul(value);
  else if (name == "fraction")
    refinement.ValidationFraction() = std::stod(value);
  else
    throw std::invalid_argument("unknown setting " + name);
}

//! Train on one fold's training part and test on its test part.
Result Run(const Split& split,
           const size_t seed,
           const bool refined,
           const Settings& settings)
{
  Result result;
  arma::wall_clock clock;
  const size_t unitsPerStage = (split.train.classes == 2) ? 1 : 3;
  const auto measure = [&](auto& model, const auto& train, const auto& refine,
                           const auto& test)
  {
    model.Seed() = seed;
    for (const auto& [name, value] : settings)
      Set(model.Refinement(), name, value);
    clock.tic();
    train();
    if (refined)
      refine();
    result.seconds = clock.toc();
    result.iterations = model.RefinedIterations();
    result.staged = test();
  };
  if (split.train.IsRegression())
  {
    GBNNRegressor<> model(200, unitsPerStage, 0.1, 0.75);
    measure(model,
        [&]() { model.Train(split.train.points, split.train.targets); },
        [&]() { model.Refine(split.train.points, split.train.targets); },
        [&]() { return model.StagedRMSE(split.test.points,
            split.test.targets); });
  }
  else
  {
    GBNNClassifier<> model(200, unitsPerStage, 0.1, 0.75);
    measure(model,
        [&]() { model.Train(split.train.points, split.train.Labels(),
            split.train.classes); },
        [&]() { model.Refine(split.train.points, split.train.Labels()); },
        [&]() { return model.StagedAccuracy(split.test.points,
            split.test.Labels()); });
  }
  return result;
}

//! What switching units off costs, and what refining gains, over all tasks of a
//! kind: points of accuracy, or percent of RMSE.
class Summary
{
 public:
  Summary(const bool regression) : regression(regression) { }

  //! Mean scores of a task, and the scores of each fold with all units.
  void Add(const arma::rowvec& boosted,
           const arma::rowvec& refined,
           const arma::rowvec& boostedFolds,
           const arma::rowvec& refinedFolds,
           const Reference& reference)
  {
    ++tasks;
    const auto better = [&](const double a, const double b)
    {
      return regression ? 100 * (b / a - 1) : 100 * (a - b);
    };
    gain += better(refined[200], boosted[200]);
    worst = std::min(worst, better(refined[200], boosted[200]));
    const arma::rowvec losses = regression ?
        arma::rowvec(refinedFolds - boostedFolds) :
        arma::rowvec(boostedFolds - refinedFolds);
    const double error = arma::stddev(losses) /
        std::sqrt(double(losses.n_elem));
    clearlyWorse += (arma::mean(losses) > 2 * error);
    boostedHalf += better(boosted[200], boosted[100]);
    boostedQuarter += better(boosted[200], boosted[50]);
    half += better(refined[200], refined[100]);
    quarter += better(refined[200], refined[50]);
    const double difference = regression ? reference.mean - refined[200] :
        refined[200] - reference.mean;
    betterThanPublished += (difference > 0);
    outside += (difference < -reference.tolerance);
  }

  void Print() const
  {
    if (tasks == 0)
      return;
    const double n = double(tasks);
    std::printf("%s: %zu tasks, %zu better than published, %zu worse by more "
        "than the tolerance; refined over boosted %+.2f (least %+.2f, %zu "
        "clearly worse); half of the units off costs %.2f (boosted only %.2f), "
        "three quarters off %.2f (%.2f)\n",
        regression ? "RMSE, %" : "accuracy, points", tasks,
        betterThanPublished, outside, gain / n, worst, clearlyWorse, half / n,
        boostedHalf / n, quarter / n, boostedQuarter / n);
  }

 private:
  bool regression;
  size_t tasks = 0, betterThanPublished = 0, outside = 0;
  //! By two standard errors of the mean over folds.
  size_t clearlyWorse = 0;
  double gain = 0, half = 0, quarter = 0, boostedHalf = 0, boostedQuarter = 0;
  double worst = arma::datum::inf;
};

int main(int argc, char** argv)
{
  std::string folder, curves;
  std::vector<std::string> wanted;
  size_t folds = 10, seed = 1, repeats = 1, maximum = SIZE_MAX;
  Settings settings;
  GBNNRefinement known;
  for (int i = 1; i < argc; ++i)
  {
    const std::string argument = argv[i];
    if (argument == "--folds" && i + 1 < argc)
      folds = std::stoul(argv[++i]);
    else if (argument == "--seed" && i + 1 < argc)
      seed = std::stoul(argv[++i]);
    else if (argument == "--repeats" && i + 1 < argc)
      repeats = std::stoul(argv[++i]);
    else if (argument == "--max-points" && i + 1 < argc)
      maximum = std::stoul(argv[++i]);
    else if (argument == "--curves" && i + 1 < argc)
      curves = argv[++i];
    else if (argument == "--set" && i + 2 < argc)
    {
      Set(known, argv[i + 1], argv[i + 2]);
      settings.emplace_back(argv[i + 1], argv[i + 2]);
      i += 2;
    }
    else if (folder.empty())
      folder = argument;
    else
      wanted.push_back(argument);
  }
  if (folder.empty() || !std::filesystem::is_directory(folder))
  {
    std::cerr << "usage: refine DATA_FOLDER [--folds N] [--seed N] [--repeats "
        "N] [--max-points N] [--set NAME VALUE ...] [--curves FILE] [TASK ...]"
        << std::endl;
    return 2;
  }

  std::ofstream curveFile;
  if (!curves.empty())
  {
    curveFile.open(curves);
    curveFile << "task,units,boosted,refined\n";
  }
  std::printf("| task | published | boosted 25 %% | 50 %% | 100 %% | refined "
      "25 %% | 50 %% | 100 %% | iterations | s boosted | s refined |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n");
  Summary accuracy(false), error(true);
  for (const Task& task : TabularTasks())
  {
    const auto isWanted = [&](const std::string& name)
    {
      return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    };
    if (!wanted.empty() && !isWanted(task.name) &&
        !isWanted(task.regression ? "responses" : "classes"))
      continue;
    if (!IsThere(folder, task))
      continue;

    const DataSet data = Load(folder, task);
    if (data.points.n_cols >= maximum)
      continue;
    Result boosted, refined;
    const size_t runs = repeats * folds;
    arma::rowvec boostedFolds(runs), refinedFolds(runs);
    boosted.staged.zeros(201);
    refined.staged.zeros(201);
    for (size_t r = 0; r < runs; ++r)
    {
      const size_t f = r % folds, foldSeed = seed + r / folds;
      const Split split(data, Folds(data, 10, foldSeed), f);
      for (const bool isRefined : { false, true })
      {
        const Result result = Run(split, foldSeed + f, isRefined, settings);
        Result& sum = isRefined ? refined : boosted;
        (isRefined ? refinedFolds : boostedFolds)[r] = result.staged[200];
        sum.staged += result.staged / double(runs);
        sum.iterations += result.iterations / double(runs);
        sum.seconds += result.seconds / double(runs);
      }
    }
    std::printf("| %s | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f | %.0f "
        "| %.2f | %.2f |\n", task.name.c_str(), References().at(task.name).mean,
        boosted.staged[50], boosted.staged[100], boosted.staged[200],
        refined.staged[50], refined.staged[100], refined.staged[200],
        refined.iterations, boosted.seconds, refined.seconds);
    std::fflush(stdout);
    (task.regression ? error : accuracy).Add(boosted.staged, refined.staged,
        boostedFolds, refinedFolds, References().at(task.name));
    for (size_t k = 0; k <= 200 && curveFile; ++k)
    {
      curveFile << task.name << ',' << k << ',' << boosted.staged[k] << ','
          << refined.staged[k] << '\n';
    }
    curveFile.flush();
  }
  std::printf("\n");
  accuracy.Print();
  error.Print();
}
