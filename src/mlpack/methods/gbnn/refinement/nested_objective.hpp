/**
 * @file methods/gbnn/refinement/nested_objective.hpp
 *
 * The objective of refining the network of a run, and its usual optimizer.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_NESTED_OBJECTIVE_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_NESTED_OBJECTIVE_HPP

#include <ensmallen.hpp>

#include "../stage/boosting_run.hpp"
#include "../stage/stage_optimizer.hpp"
#include "refine_function.hpp"
#include "refinement.hpp"

namespace mlpack {
namespace gbnn {

//! The optimizer that distills, and that refines unless the user has chosen
//! one; it goes on until it is stopped.
inline ens::L_BFGS RefineOptimizer()
{
  ens::L_BFGS optimizer = StageOptimizer::DefaultLBFGS();
  optimizer.MaxIterations() = 0;
  return optimizer;
}

//! The objective of a refinement.  Single precision is enough for its units:
//! what is lost there is far less than what another seed would change.
template<typename MatType, typename LossType>
using NestedFunction = RefineFunction<MatType, LossType, float>;

/**
 * The objective of refining a run's network, for any loss and targets.
 *
 * @param run The run.
 * @param loss The loss.
 * @param targets Targets, in the form in which the loss takes them.
 * @param weights Weights of the points, or empty.
 * @param points The points that count; nullptr for all.
 * @param cuts Where the network is cut, and what each cut counts.
 * @param l2 L2 regularization of the hidden weights.
 * @param outputL2 That of the output weights, relative to it.
 */
template<typename RunType, typename LossType>
NestedFunction<typename RunType::MatType, LossType> NestedObjective(
    const RunType& run,
    const LossType& loss,
    const typename RunType::MatType& targets,
    const typename RunType::RowType& weights,
    const arma::uvec* points,
    const GBNNRefinement::Cuts& cuts,
    const double l2,
    const double outputL2)
{
  typename RunType::MatType start(targets.n_rows, targets.n_cols);
  start.each_col() = loss.Start(targets, run.weights);
  const double lossScale = 2 * loss.Value(targets, start, run.weights);
  const double scoreScale = loss.ScoreScale(targets, run.weights);
  // Where all targets are the same, any scale will do.
  const bool usable = (lossScale > 0 && scoreScale > 0);
  return { run.data, targets, weights, points, run.network, loss,
      { usable ? scoreScale : 1, usable ? lossScale : 1, cuts.units,
      cuts.weights, l2, outputL2 },
      Random(run.seed, RandomStream::REFINEMENT_ORDER) };
}

/**
 * The objective of refining a run's network.
 *
 * @param refinement The settings.
 * @param run The run.
 * @param weights Weights of the points, or empty.
 * @param points The points that count; nullptr for all.
 * @param total Number of units that the network will have in the end.
 */
template<typename RunType>
auto RefineObjective(const GBNNRefinement& refinement,
                     const RunType& run,
                     const typename RunType::RowType& weights,
                     const arma::uvec* points,
                     const size_t total)
{
  return NestedObjective(run, run.loss, run.targets, weights, points,
      refinement.CutsUpTo(run.network.Units(), total), refinement.l2,
      refinement.outputL2);
}

} // namespace gbnn
} // namespace mlpack

#endif
