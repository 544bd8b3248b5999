/**
 * @file methods/deep_gbnn/binding/deep_gbnn_cost.hpp
 *
 * What a training of deep_gbnn takes; for its binding file only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_BINDING_DEEP_GBNN_COST_HPP
#define MLPACK_METHODS_DEEP_GBNN_BINDING_DEEP_GBNN_COST_HPP

#include <mlpack/methods/gbnn/binding/training_cost.hpp>
#include "deep_gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

/**
 * What the training takes.
 *
 * @param settings What was asked for.
 * @param table The training data, without labels or responses.
 * @param numOutputs Number of classes or responses.
 */
inline TrainingCost CostOfTraining(const DeepSettings& settings,
                                   const TableType& table,
                                   const size_t numOutputs)
{
  const TableInputs ofTable(table);
  const size_t points = std::get<1>(table).n_cols;
  const TrunkSettings& trunk = settings.trunk;
  double weights = 0, width = ofTable.number, widths = 0;
  for (const size_t units : trunk.layers)
  {
    weights += (width + 1) * double(units);
    width = double(units);
    widths += width;
  }
  const double n = double(points), outputs = double(numOutputs);
  weights += (width + 1) * outputs;
  const double features = double(trunk.layers[trunk.frozen - 1]);
  const double headWeights = double(settings.boosting.hiddenUnits) *
      (features + outputs + 1);
  // The points, and their shuffled copy with the weights, their gradient and
  // what the optimizer keeps of it; or the features with scores, targets,
  // residuals and what a stage adds.
  const double ofTrunk = n * ofTable.number + weights *
      (trunk.optimizer == "adam" ? 4 : 2) + widths * std::min(n,
      double(trunk.batchSize));
  const double room = double(settings.maxFeatureMemory) / 8;
  const double ofHead = std::min(room, n * features) + 4 * n * outputs +
      weights + 2 * headWeights;
  const double minBytes = 8 * (n * ofTable.number +
      std::max(ofTrunk, ofHead));

  const OptimizerSettings& optimizer = settings.boosting.optimizer;
  const double passes = (optimizer.IsStochastic() &&
      optimizer.maxIterations.value > 0) ?
      double(optimizer.maxIterations.value) : CostModel::stageEvaluations;
  const double refinement = (settings.refineIterations > 0) ?
      CostModel::refineEvaluations : 0;
  const double seconds = CostModel::operations * n *
      (double(trunk.epochs) * weights + (passes + refinement) * headWeights) /
      CostModel::speed;
  const bool tooLarge = weights + headWeights > n * (ofTable.number + outputs);
  std::ostringstream text;
  text << ofTable.Text(points, [](const size_t column)
      { return "column " + std::to_string(column + 1); })
      << ", " << numOutputs << (settings.regression ? " responses" : " classes")
      << ", a trunk of " << std::fixed << std::setprecision(0) << weights
      << " weights and " << settings.boosting.hiddenUnits << " hidden units";
  return { text.str(), minBytes, 2 * minBytes, seconds, false, !tooLarge ?
      "points, classes or categories" : (weights > headWeights) ?
      "units in " + PRINT_PARAM_STRING("layers") :
      PRINT_PARAM_STRING("hidden_units") };
}

} // namespace gbnn
} // namespace mlpack

#endif
