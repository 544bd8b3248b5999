/**
 * @file experiments/accuracy/accuracy.cpp
 *
 * Accuracy or RMSE of GBNN by cross-validation on the paper's tabular data,
 * beside the published implementation's at the same settings.
 *
 *     accuracy DATA_FOLDER [--optimizer lbfgs|auto] [--folds N] [--seed N]
 *         [TASK ...]
 *
 * Exit code 1 if any mean is worse than the published one by more than its
 * tolerance.
 */
#include <mlpack/methods/gbnn.hpp>

#include "../common/data_sets.hpp"
#include "../common/references.hpp"

using namespace experiments;
using namespace mlpack;

//! Train on one fold's training part; accuracy or RMSE on its test part.
template<typename OptimizerType>
double Score(const Split& split, const size_t seed, OptimizerType optimizer)
{
  const size_t unitsPerStage = (split.train.classes == 2) ? 1 : 3;
  if (split.train.IsRegression())
  {
    GBNNRegressor<> model(200, unitsPerStage, 0.1, 0.75);
    model.Seed() = seed;
    model.Train(split.train.points, split.train.targets, optimizer);
    arma::rowvec predictions;
    model.Predict(split.test.points, predictions);
    return std::sqrt(arma::mean(arma::square(predictions -
        split.test.targets)));
  }
  GBNNClassifier<> model(200, unitsPerStage, 0.1, 0.75);
  model.Seed() = seed;
  model.Train(split.train.points, split.train.Labels(), split.train.classes,
      optimizer);
  arma::Row<size_t> predictions;
  model.Classify(split.test.points, predictions);
  return arma::accu(predictions == split.test.Labels()) /
      double(predictions.n_elem);
}

int main(int argc, char** argv)
{
  std::string folder, optimizer = "lbfgs";
  std::vector<std::string> wanted;
  size_t folds = 10, seed = 1;
  for (int i = 1; i < argc; ++i)
  {
    const std::string argument = argv[i];
    if (argument == "--folds" && i + 1 < argc)
      folds = std::stoul(argv[++i]);
    else if (argument == "--seed" && i + 1 < argc)
      seed = std::stoul(argv[++i]);
    else if (argument == "--optimizer" && i + 1 < argc)
      optimizer = argv[++i];
    else if (folder.empty())
      folder = argument;
    else
      wanted.push_back(argument);
  }
  if (folder.empty() || !std::filesystem::is_directory(folder) ||
      (optimizer != "lbfgs" && optimizer != "auto"))
  {
    std::cerr << "usage: accuracy DATA_FOLDER [--optimizer lbfgs|auto] "
        "[--folds N] [--seed N] [TASK ...]" << std::endl;
    return 2;
  }

  std::printf("| task | GBNN | std | published | tolerance | verdict | s/fold "
      "|\n|---|---|---|---|---|---|---|\n");
  size_t failures = 0;
  for (const Task& task : TabularTasks())
  {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), task.name) ==
        wanted.end())
      continue;
    if (!IsThere(folder, task))
      continue;

    const DataSet data = Load(folder, task);
    const arma::uvec fold = Folds(data, folds, seed);
    arma::rowvec scores(folds);
    arma::wall_clock clock;
    clock.tic();
    for (size_t f = 0; f < folds; ++f)
    {
      const Split split(data, fold, f);
      scores[f] = (optimizer == "auto") ?
          Score(split, seed + f, StageOptimizer()) :
          Score(split, seed + f, StageOptimizer::DefaultLBFGS());
    }
    const double seconds = clock.toc() / folds;

    const Reference reference = References().at(task.name);
    const double mean = arma::mean(scores);
    const double gain = task.regression ? reference.mean - mean :
        mean - reference.mean;
    const bool worse = (gain < -reference.tolerance);
    failures += worse;
    std::printf("| %s | %.4f | %.4f | %.4f | %.4f | %s | %.2f |\n",
        task.name.c_str(), mean, arma::stddev(scores), reference.mean,
        reference.tolerance, worse ? "WORSE" : (gain > 0) ? "better" : "within",
        seconds);
    std::fflush(stdout);
  }
  return failures > 0 ? 1 : 0;
}
