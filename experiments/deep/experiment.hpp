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
      { "units", 200 }, { "subsample", 0.75 }, { "passes", 20 },
      { "seed", 1 } };

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
inline double Accuracy(TrunkType& network, const LabeledPoints& data)
{
  arma::mat output;
  network.Predict(data.points, output);
  size_t correct = 0;
  for (size_t i = 0; i < output.n_cols; ++i)
    correct += (output.col(i).index_max() == data.labels[i]);
  return double(correct) / output.n_cols;
}

//! Accuracy of a Deep-GBNN.
inline double Accuracy(mlpack::DeepGBNN<>& model, const LabeledPoints& data)
{
  arma::Row<size_t> predictions;
  model.Classify(data.points, predictions);
  return arma::accu(predictions == data.labels) / double(predictions.n_elem);
}

//! What is chosen for the head by its accuracy on held out training points.
struct HeadOptions
{
  size_t unitsPerStage;
  double learningRate;
};

//! Train a head on features, with Adam.
inline mlpack::GBNNClassifier<> TrainHead(const LabeledPoints& features,
                                          const size_t classes,
                                          const HeadOptions& chosen,
                                          const Options& options)
{
  const size_t points = features.points.n_cols;
  const size_t units = size_t(options["units"]);
  mlpack::GBNNClassifier<> head(units, chosen.unitsPerStage,
      chosen.learningRate, options["subsample"]);
  head.Seed() = size_t(options["seed"]);
  ens::Adam adam(0.01, std::min(points, size_t(256)), 0.9, 0.999, 1e-8,
      size_t(options["passes"]) * points, 1e-5);
  head.Train(features.points, features.labels, classes, adam);
  return head;
}

/**
 * Choose the number of units a stage and the learning rate, as the paper does,
 * within the training data: by the accuracy on its last fifth.
 */
inline HeadOptions ChooseHead(const LabeledPoints& features,
                              const size_t classes,
                              const Options& options)
{
  const size_t used = features.points.n_cols * 4 / 5;
  const LabeledPoints train = features.First(used);
  const size_t rest = features.points.n_cols - used;
  const arma::mat held = features.points.tail_cols(rest);
  const arma::Row<size_t> truth = features.labels.tail_cols(rest);
  HeadOptions best = { 10, 0.5 };
  double bestAccuracy = -1;
  for (const HeadOptions& tried : std::vector<HeadOptions>{ { 10, 0.5 },
      { 10, 0.25 }, { 15, 0.5 } })
  {
    arma::Row<size_t> predictions;
    TrainHead(train, classes, tried, options).Classify(held, predictions);
    const double accuracy = arma::accu(predictions == truth) / double(rest);
    std::cerr << tried.unitsPerStage << " units a stage, learning rate "
        << tried.learningRate << ": " << 100 * accuracy << std::endl;
    if (accuracy > bestAccuracy)
      best = tried;
    bestAccuracy = std::max(accuracy, bestAccuracy);
  }
  return best;
}

/**
 * Train a network with Adam, put a boosted head on it, and print a row of the
 * table: sizes, times, what was chosen, and the accuracies of both.
 */
inline void Run(const std::string& name,
                TrunkType& network,
                const LabeledPoints& train,
                const LabeledPoints& test,
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

  // Features are computed once, for all heads that are tried.
  start = Now();
  DeepGBNN<> model(network);
  LabeledPoints features = { arma::mat(), train.labels };
  model.Features(train.points, features.points);
  const HeadOptions chosen = ChooseHead(features, classes, options);
  const double choiceSeconds = Now() - start;
  start = Now();
  model.Head() = TrainHead(features, classes, chosen, options);
  const double headSeconds = Now() - start;

  std::cout << "| data | training points | test points | features | epochs of "
      "the trunk | units a stage | learning rate | s trunk | s choice | s head "
      "| trunk, training | Deep-GBNN, training | trunk, test | Deep-GBNN, test "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  std::cout << std::fixed << std::setprecision(1) << "| " << name << " | "
      << points << " | " << test.points.n_cols << " | " << model.NumFeatures()
      << " | " << double(budget.Steps()) * batch / points << " | "
      << chosen.unitsPerStage << " | " << std::setprecision(2)
      << chosen.learningRate << " | " << std::setprecision(1) << trunkSeconds
      << " | " << choiceSeconds << " | " << headSeconds << std::setprecision(2);
  for (const LabeledPoints* part : { &train, &test })
  {
    std::cout << " | " << 100 * Accuracy(network, *part) << " | "
        << 100 * Accuracy(model, *part);
  }
  std::cout << " |" << std::endl;
}

} // namespace experiments

#endif
