/**
 * @file experiments/deep/experiment.hpp
 *
 * What the experiments with Deep-GBNN share: their options, the training within
 * a budget, and the row of the table that they print.
 */
#ifndef GBNN_EXPERIMENTS_DEEP_EXPERIMENT_HPP
#define GBNN_EXPERIMENTS_DEEP_EXPERIMENT_HPP

#include <chrono>
#include <cstring>
#include <iostream>
#include <map>

#include <mlpack/core.hpp>
#include <mlpack/methods/ann/init_rules/he_init.hpp>
#include <mlpack/methods/ann/layer/log_softmax.hpp>
#include <mlpack/methods/ann/loss_functions/negative_log_likelihood.hpp>
#include <mlpack/methods/gbnn.hpp>

#include "readers.hpp"

namespace experiments {

using TrunkType = mlpack::FFN<mlpack::NegativeLogLikelihood,
    mlpack::HeInitialization>;

//! What a run may cost, and how it trains.
struct Options
{
  //! Files, in the order of the command line.
  std::vector<std::string> files;
  //! Options by name; the defaults of each program.
  std::map<std::string, double> values = {
      { "points", 1e9 }, { "test-points", 1e9 }, { "seconds", 300 },
      { "epochs", 200 }, { "batch", 64 }, { "step", 0.001 }, { "maps", 32 },
      { "units", 200 }, { "units-per-stage", 3 }, { "learning-rate", 0.1 },
      { "subsample", 0.75 }, { "seed", 1 } };

  double operator[](const std::string& name) const { return values.at(name); }

  /**
   * Read the command line; ends the program if it makes no sense.
   *
   * @param usage What to say then of the files.
   * @param numFiles Number of files that there must be.
   */
  void Parse(const int argc,
             char** argv,
             const std::string& usage,
             const size_t numFiles)
  {
    bool wrong = false;
    for (int i = 1; i < argc; ++i)
    {
      const std::string argument = argv[i];
      if (argument.compare(0, 2, "--") != 0)
        files.push_back(argument);
      else if (values.count(argument.substr(2)) && i + 1 < argc)
        values[argument.substr(2)] = std::atof(argv[++i]);
      else
        wrong = true;
    }
    if (!wrong && files.size() == numFiles)
      return;
    std::cerr << "Usage: " << argv[0] << " " << usage;
    for (const auto& option : values)
      std::cerr << " [--" << option.first << " " << option.second << "]";
    std::cerr << std::endl;
    std::exit(2);
  }
};

//! Seconds since some time.
inline double Now()
{
  return std::chrono::duration<double>(
      std::chrono::steady_clock::now().time_since_epoch()).count();
}

//! A callback that ends training when its time is over, and counts epochs.
class TimeBudget
{
 public:
  TimeBudget(const double seconds) : end(Now() + seconds) { }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType&, FunctionType&, MatType&)
  {
    ++steps;
    return Now() > end;
  }

  //! Number of batches that were trained on.
  size_t Steps() const { return steps; }

 private:
  double end;
  size_t steps = 0;
};

//! Accuracy of a network with one output for each class.
inline double Accuracy(TrunkType& network, const LabelledPoints& data)
{
  arma::mat output;
  network.Predict(data.points, output);
  size_t correct = 0;
  for (size_t i = 0; i < output.n_cols; ++i)
    correct += (output.col(i).index_max() == data.labels[i]);
  return double(correct) / output.n_cols;
}

//! Accuracy of a Deep-GBNN.
inline double Accuracy(mlpack::DeepGBNN<>& model, const LabelledPoints& data)
{
  arma::Row<size_t> predictions;
  model.Classify(data.points, predictions);
  return arma::accu(predictions == data.labels) / double(predictions.n_elem);
}

/**
 * Train a network with Adam, put a boosted head on it, and print a row of the
 * table: sizes, times, and the accuracies of both.
 */
inline void Run(const std::string& name,
                TrunkType& network,
                const LabelledPoints& train,
                const LabelledPoints& test,
                const Options& options)
{
  using namespace mlpack;
  const size_t points = train.points.n_cols;
  const size_t classes = std::max(train.labels.max(), test.labels.max()) + 1;
  const size_t batch = size_t(options["batch"]);
  RandomSeed(size_t(options["seed"]));
  double start = Now();
  TimeBudget budget(options["seconds"]);
  ens::Adam adam(options["step"], batch, 0.9, 0.999, 1e-8,
      size_t(options["epochs"]) * points, 0);
  network.Train(train.points, arma::conv_to<arma::mat>::from(train.labels),
      adam, budget);
  const double trunkSeconds = Now() - start;

  DeepGBNN<> model(network);
  model.Head() = GBNNClassifier<>(size_t(options["units"]),
      size_t(options["units-per-stage"]), options["learning-rate"],
      options["subsample"]);
  model.Head().Seed() = size_t(options["seed"]);
  start = Now();
  model.Train(train.points, train.labels, classes);
  const double headSeconds = Now() - start;

  std::cout << "| data | training points | test points | features | epochs of "
      "the trunk | s trunk | s head | trunk, training | Deep-GBNN, training | "
      "trunk, test | Deep-GBNN, test |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n";
  std::cout << std::fixed << std::setprecision(1) << "| " << name << " | "
      << points << " | " << test.points.n_cols << " | " << model.NumFeatures()
      << " | " << double(budget.Steps()) * batch / points << " | "
      << trunkSeconds << " | " << headSeconds << std::setprecision(2);
  for (const LabelledPoints* part : { &train, &test })
  {
    std::cout << " | " << 100 * Accuracy(network, *part) << " | "
        << 100 * Accuracy(model, *part);
  }
  std::cout << " |" << std::endl;
}

} // namespace experiments

#endif
