/**
 * @file methods/gbnn/binding/gbnn_cost.hpp
 *
 * What a training of gbnn takes; for binding files only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_GBNN_COST_HPP
#define MLPACK_METHODS_GBNN_BINDING_GBNN_COST_HPP

#include "gbnn_settings.hpp"
#include "target_column.hpp"
#include "training_cost.hpp"

namespace mlpack {
namespace gbnn {

//! The size of a training.
struct TrainingSize
{
  double points = 0;
  //! Inputs of the network, after categories are turned into columns.
  double inputs = 0;
  //! Classes or responses.
  double outputs = 0;
  double units = 0;
  //! How often the network is trained: folds, and combinations to tune.
  double trainings = 1;
  //! Whether inputs are chosen or the network is refined.
  bool isWhole = false;
  //! How many processes train it together, and whether each has all of the
  //! table before.
  double ranks = 1;
  bool readsAll = false;

  //! Weights of the network.
  double Weights() const { return units * (inputs + outputs + 1); }

  /**
   * Bytes that the training takes at least: the points as a table, and in
   * blocks if these are few; for each point and output its score, target,
   * residual and what a stage adds; and the weights, with a gradient, unless
   * training may stop before they are all there.  Of several processes each has
   * its share of the points.
   */
  double MinBytes(const bool stopsEarly) const
  {
    // PointBlocks keeps no more than 64 MB.
    const double mine = points / ranks, table = mine * inputs;
    const double maxBlocks = 64e6 / 8, all = points * inputs;
    return 8 * (table + std::min(table, maxBlocks) + 4 * mine * outputs +
        (stopsEarly ? 0 : 2 * Weights()) + (readsAll ? all : 0));
  }

  //! Bytes that it takes about, as measured: doc/developer/trust.md.
  double Bytes(const bool stopsEarly) const
  {
    return MinBytes(stopsEarly) + 8 * points / ranks * (isWhole ?
        5 * inputs + 20 * outputs : inputs + 2 * outputs);
  }

  //! Seconds that it takes about.
  double Seconds() const
  {
    const double evaluations = isWhole ? CostModel::refineEvaluations :
        CostModel::stageEvaluations;
    return trainings * evaluations * CostModel::operations * points *
        Weights() / CostModel::speed / ranks;
  }
};

//! The number of units of the largest network.
static size_t UnitsOf(const GBNNSettings& settings)
{
  const size_t units = settings.boosting.hiddenUnits;
  return settings.tuning.isWanted ?
      settings.tuning.Grid(0).MaxUnits(units) : units;
}

//! The size of the training that the settings ask for.
static TrainingSize SizeOfTraining(const GBNNSettings& settings,
                                   const double inputs,
                                   const size_t points,
                                   const size_t outputs)
{
  TrainingSize size;
  size.points = double(points);
  size.inputs = inputs;
  size.outputs = double(outputs);
  size.units = double(UnitsOf(settings));
  size.ranks = IsShared(Ranks()) ? double(Ranks()->Ranks()) : 1;
  size.isWhole = settings.refineIterations > 0 || (!settings.warmStart &&
      (settings.choices.bins || settings.choices.units));
  if (settings.tuning.isWanted)
  {
    size.trainings += double(settings.tuning.folds *
        settings.tuning.Grid(settings.regression ? 0 : outputs).Cells());
  }
  if (settings.evaluation.IsWanted())
    size.trainings *= 1 + double(std::max<size_t>(1,
        settings.evaluation.folds));
  return size;
}

/**
 * What the training takes.
 *
 * @param settings What was asked for.
 * @param inputs What was given.
 * @param points Number of points.
 * @param outputs Number of classes or responses.
 */
static TrainingCost CostOfTraining(const GBNNSettings& settings,
                                   const GBNNInputs& inputs,
                                   const size_t points,
                                   const size_t outputs)
{
  const TableInputs ofTable(*inputs.training.table);
  TrainingSize size = SizeOfTraining(settings, ofTable.number, points, outputs);
  size.readsAll = IsShared(Ranks()) && !inputs.ranks;
  // Networks that are only compared do not stop early.
  const bool early = !size.isWhole && (inputs.validation.table ||
      settings.validationFraction > 0);
  std::ostringstream text;
  text << ofTable.Text(points, [&](const size_t column)
      { return ColumnTitle(inputs.training, column); })
      << ", " << outputs << (settings.regression ? " responses" : " classes")
      << " and " << UnitsOf(settings) << " hidden units";
  if (size.trainings > 1)
    text << ", trained " << size_t(size.trainings) << " times,";
  const bool units = !early && size.Weights() > size.points * (size.inputs +
      size.outputs);
  return { text.str(), size.MinBytes(early), size.Bytes(early),
      size.Seconds(), early, units ? PRINT_PARAM_STRING("hidden_units") :
      (size.outputs > size.inputs) ? "points or classes" :
      "points, or put rare categories together" };
}

} // namespace gbnn
} // namespace mlpack

#endif
