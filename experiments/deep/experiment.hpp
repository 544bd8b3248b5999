/**
 * @file experiments/deep/experiment.hpp
 *
 * What the experiments with Deep-GBNN share: their options, the training within
 * a budget, and the line of JSON that they print.
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
      { "points", 1e9 }, { "test-points", 1e9 }, { "seconds", 1e9 },
      { "epochs", 200 }, { "batch", 64 }, { "step", 0.001 }, { "maps", 32 },
      { "small", 0 }, { "held", 0.1 }, { "units", 200 }, { "per-stage", 10 },
      { "rate", 0.25 }, { "subsample", 0.75 }, { "passes", 20 },
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

/**
 * Put a head on a network.
 *
 * @param network The trunk.
 * @param activation That of the head; with the trunk's own, the head begins
 *     with its last layers.
 * @param train Points to train on.
 * @param validation Points to stop early with, or nullptr.
 * @param classes Number of classes.
 * @param options All options.
 */
inline mlpack::DeepGBNN<> TrainHead(const TrunkType& network,
                                    const mlpack::GBNNActivation activation,
                                    const LabeledPoints& train,
                                    const LabeledPoints* validation,
                                    const size_t classes,
                                    const Options& options)
{
  using namespace mlpack;
  GBNNClassifier<> head;
  head.HiddenUnits() = size_t(options["units"]);
  head.UnitsPerStage() = size_t(options["per-stage"]);
  head.LearningRate() = options["rate"];
  head.Subsample() = options["subsample"];
  head.Activation() = activation;
  head.Seed() = size_t(options["seed"]);
  DeepGBNN<> model(network, DeepGBNN<>::allButLast, head);
  const size_t points = train.points.n_cols;
  ens::Adam adam(0.01, std::min(points, size_t(256)), 0.9, 0.999, 1e-8,
      size_t(options["passes"]) * points, 1e-5);
  if (validation)
  {
    model.Train(train.points, train.labels, classes, adam, GBNNValidation(
        validation->points, validation->labels));
  }
  else
  {
    model.Train(train.points, train.labels, classes, adam);
  }
  return model;
}

/**
 * Train a network with Adam and put two heads on it: the paper's, which begins
 * with nothing and has logistic units, and that of this project, which begins
 * with the network's own last layers and stops early.  What it stops on is held
 * out of the training of the network, too.  Prints a line of JSON: sizes,
 * seconds, and the accuracies of all three in percent.
 */
inline void Run(const std::string& name,
                TrunkType& network,
                const LabeledPoints& all,
                const LabeledPoints& test,
                const Options& options)
{
  using namespace mlpack;
  const size_t held = size_t(std::round(options["held"] * all.points.n_cols));
  const size_t points = all.points.n_cols - held;
  const LabeledPoints train = all.First(points);
  const LabeledPoints validation = { all.points.tail_cols(held),
      all.labels.tail_cols(held) };
  const size_t classes = std::max(all.labels.max(), test.labels.max()) + 1;
  const size_t batch = size_t(options["batch"]);
  RandomSeed(size_t(options["seed"]));
  double start = Now();
  const auto seconds = [&]()
  {
    const double before = start;
    start = Now();
    return start - before;
  };
  TimeBudget budget(options["seconds"]);
  ens::Adam adam(options["step"], batch, 0.9, 0.999, 1e-8,
      size_t(options["epochs"]) * points, 0);
  network.Train(train.points, arma::conv_to<arma::mat>::from(train.labels),
      adam, budget);
  const double trunkSeconds = seconds();
  DeepGBNN<> paper = TrainHead(network, GBNNActivation::LOGISTIC, train,
      nullptr, classes, options);
  const double paperSeconds = seconds();
  DeepGBNN<> model = TrainHead(network, GBNNActivation::RELU, train,
      &validation, classes, options);
  const double headSeconds = seconds();

  std::cout << std::fixed << std::setprecision(2) << "{\"data\": \"" << name
      << "\", \"seed\": " << size_t(options["seed"]) << ", \"points\": "
      << points << ", \"held_out\": " << held << ", \"test_points\": "
      << test.points.n_cols << ", \"features\": " << model.NumFeatures()
      << ", \"epochs\": " << double(budget.Steps()) / std::ceil(double(points) /
      batch) << ", \"units\": " << model.Units() << ", \"trunk_seconds\": "
      << trunkSeconds << ", \"paper_seconds\": " << paperSeconds
      << ", \"head_seconds\": " << headSeconds;
  for (const auto& [what, part] : { std::make_pair("train", &train),
      std::make_pair("test", &test) })
  {
    std::cout << std::setprecision(4)
        << ", \"trunk_" << what << "\": " << 100 * Accuracy(network, *part)
        << ", \"paper_" << what << "\": " << 100 * Accuracy(paper, *part)
        << ", \"head_" << what << "\": " << 100 * Accuracy(model, *part);
  }
  std::cout << "}" << std::endl;
}

} // namespace experiments

#endif
