/**
 * @file methods/gbnn/binding/settings.hpp
 *
 * What users can set, read and checked: the part that both bindings share.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_SETTINGS_HPP
#define MLPACK_METHODS_GBNN_BINDING_SETTINGS_HPP

#include <optional>

#include "../compute/communicator.hpp"
#include "../network/activation.hpp"
#include "../table/class_labels.hpp"
#include "../table/table_encoder.hpp"

namespace mlpack {
namespace gbnn {

//! A table as bindings have it: its types, and its numbers.
using TableType = std::tuple<DatasetInfoType, arma::mat>;

//! The value of an option, and whether the user has given it.
template<typename T>
struct Setting
{
  T value;
  bool isGiven;
};

//! What is predicted, and where it is given.
struct TargetSettings
{
  //! Whether there is data to train on, and to predict.
  bool train;
  bool test;
  //! Whether responses are predicted; the data may still decide unless the task
  //! is known.
  bool regression = false;
  bool isTaskKnown = true;
  //! Whether one of the columns of the training data is what is predicted, and
  //! what users call it; the last if they do not say.
  bool targetInTable;
  std::optional<std::string> target;
  //! Whether to say what is predicted.
  bool announce;
  bool warmStart = false;
};

//! Points with what is known of them.
struct GivenPoints
{
  //! nullptr if there are no such points.
  TableType* table = nullptr;
  //! The names of its columns; empty if they are not known.
  std::vector<std::string> names;
  std::optional<PointLabels> labels;
  std::optional<arma::mat> responses;
  //! Weights of points that were held out of the training data; else empty.
  arma::rowvec weights;
  //! What to call the labels or responses in messages.
  std::string truthName;
};

//! The data that a binding is given.  Tables are encoded in place.
struct GivenTables
{
  GivenPoints training;
  GivenPoints validation;
  GivenPoints test;
  //! The names of the model's columns, if users give them.
  std::vector<std::string> columnNames;
  //! The place of the target in the training data, if it was there.
  std::optional<size_t> targetColumn;
  //! The processes that have the other rows of the training data; nullptr if
  //! all of them are here.
  const GBNNCommunicator* ranks = nullptr;
  //! The same for the test data.
  const GBNNCommunicator* testRanks = nullptr;
};

//! Which optimizer fits the stages, and how.
struct OptimizerSettings
{
  std::string name;
  Setting<size_t> maxIterations;
  Setting<double> tolerance;
  double stepSize;
  size_t batchSize;

  //! Whether steps are taken on batches of the points.
  bool IsStochastic() const { return name == "adam" || name == "sgd"; }
};

//! The settings of Algorithm 1.
struct BoostingSettings
{
  //! Number of hidden units; the most of them if the number is chosen on data.
  size_t hiddenUnits;
  //! 0 means a default.
  size_t unitsPerStage;
  double learningRate;
  double subsample;
  //! -1 means that the model's stays.
  double l2;
  GBNNActivation activation;
  //! 0 means that the time chooses one.
  size_t seed;
  OptimizerSettings optimizer;

  //! Give them to a model; activation and seed only if it is a new one.
  template<typename ModelType>
  void Set(ModelType& model,
           const size_t defaultUnitsPerStage,
           const bool isNew = true) const
  {
    model.HiddenUnits() = hiddenUnits;
    model.UnitsPerStage() = (unitsPerStage > 0) ? unitsPerStage :
        std::min(defaultUnitsPerStage, hiddenUnits);
    model.LearningRate() = learningRate;
    model.Subsample() = subsample;
    if (l2 >= 0)
      model.L2() = l2;
    if (isNew)
    {
      model.Activation() = activation;
      model.Seed() = seed;
    }
  }
};

} // namespace gbnn
} // namespace mlpack

#endif
