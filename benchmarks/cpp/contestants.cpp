/**
 * @file benchmarks/cpp/contestants.cpp
 *
 * The contestants in C++: GBNN with two optimizers, GBNN refined, AdaBoost,
 * random forests.
 */
#include <mlpack/core.hpp>
#include <mlpack/methods/adaboost.hpp>
#include <mlpack/methods/gbnn.hpp>
#include <mlpack/methods/random_forest.hpp>

#include "tasks.hpp"

namespace benchmark {

using namespace mlpack;

struct Task
{
  arma::mat train, test;
  arma::rowvec trainTargets, testTargets;
  size_t classes, size, seed;

  arma::Row<size_t> TrainLabels() const
  {
    return arma::conv_to<arma::Row<size_t>>::from(trainTargets);
  }
};

static arma::mat Read(const std::string& file)
{
  arma::mat matrix;
  if (!matrix.load(file, arma::arma_binary))
    throw std::runtime_error("cannot read " + file);
  return matrix;
}

//! Add times and score of a model that train() and predict() work on.
template<typename TrainType, typename PredictType>
Answer Measure(const Task& task,
               const TrainType& train,
               const PredictType& predict)
{
  Answer answer;
  answer.Add("train", Time(train));
  arma::rowvec predictions = predict(task.test);
  answer.Add("predict", TimeShort([&]() { predictions = predict(task.test); }));
  return answer.Add("score", (task.classes > 0) ?
      arma::mean(arma::conv_to<arma::rowvec>::from(
          predictions == task.testTargets)) :
      std::sqrt(arma::mean(arma::square(predictions - task.testTargets))));
}

//! What a classifier's Classify() finds, as numbers.
template<typename ModelType>
arma::rowvec Classes(const ModelType& model, const arma::mat& points)
{
  arma::Row<size_t> labels;
  model.Classify(points, labels);
  return arma::conv_to<arma::rowvec>::from(labels);
}

template<typename OptimizerType>
Answer CompeteGBNN(const Task& task,
                   OptimizerType optimizer,
                   const bool refine = false)
{
  const size_t unitsPerStage = (task.classes == 2) ? 1 : 3;
  if (task.classes == 0)
  {
    GBNNRegressor<> model(task.size, unitsPerStage, 0.1, 0.75);
    model.Seed() = task.seed;
    return Measure(task,
        [&]()
        {
          model.Train(task.train, task.trainTargets, optimizer);
          if (refine)
            model.Refine(task.train, task.trainTargets);
        },
        [&](const arma::mat& points)
        {
          arma::rowvec predictions;
          model.Predict(points, predictions);
          return predictions;
        });
  }
  const arma::Row<size_t> labels = task.TrainLabels();
  GBNNClassifier<> model(task.size, unitsPerStage, 0.1, 0.75);
  model.Seed() = task.seed;
  return Measure(task,
      [&]()
      {
        model.Train(task.train, labels, task.classes, optimizer);
        if (refine)
          model.Refine(task.train, labels);
      },
      [&](const arma::mat& points) { return Classes(model, points); });
}

static Answer CompeteAdaBoost(const Task& task)
{
  const arma::Row<size_t> labels = task.TrainLabels();
  AdaBoost<> model;
  return Measure(task,
      [&]() { model.Train(task.train, labels, task.classes, task.size); },
      [&](const arma::mat& points)
      {
        arma::Row<size_t> found;
        model.Classify(points, found);
        return arma::conv_to<arma::rowvec>::from(found);
      });
}

static Answer CompeteRandomForest(const Task& task)
{
  const arma::Row<size_t> labels = task.TrainLabels();
  RandomForest<> model;
  return Measure(task,
      [&]() { model.Train(task.train, labels, task.classes, task.size); },
      [&](const arma::mat& points) { return Classes(model, points); });
}

Answer Compete(std::istream& arguments)
{
  Task task;
  std::string name, prefix;
  arguments >> name >> prefix >> task.classes >> task.size >> task.seed;
  task.train = Read(prefix + ".train.bin");
  task.trainTargets = Read(prefix + ".train_targets.bin");
  task.test = Read(prefix + ".test.bin");
  task.testTargets = Read(prefix + ".test_targets.bin");
  RandomSeed(task.seed);

  if (name == "gbnn_auto")
    return CompeteGBNN(task, StageOptimizer());
  if (name == "gbnn_refined")
    return CompeteGBNN(task, StageOptimizer(), true);
  if (name == "gbnn_lbfgs")
    return CompeteGBNN(task, StageOptimizer::DefaultLBFGS());
  if (name == "adaboost")
    return CompeteAdaBoost(task);
  if (name == "random_forest")
    return CompeteRandomForest(task);
  throw std::invalid_argument("unknown contestant " + name);
}

} // namespace benchmark
