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

//! The optimizer that refines unless the user has chosen one; it goes on until
//! it is stopped.
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
 * The objective of refining a run's network.
 *
 * @param refinement The settings.
 * @param run The run.
 * @param weights Weights of the points, or empty.
 * @param points The points that count; nullptr for all.
 */
template<typename RunType>
NestedFunction<typename RunType::MatType, typename RunType::LossType>
RefineObjective(const GBNNRefinement& refinement,
                const RunType& run,
                const typename RunType::RowType& weights,
                const arma::uvec* points)
{
  const PointScope scope(&run.cut);
  typename RunType::MatType start(run.targets.n_rows, run.targets.n_cols);
  start.each_col() = run.loss.Start(run.targets, run.weights);
  const double lossScale = 2 * run.loss.Value(run.targets, start, run.weights);
  const double scoreScale = run.loss.ScoreScale(run.targets, run.weights);
  // Where all targets are the same, any scale will do.
  const bool usable = (lossScale > 0 && scoreScale > 0);
  RefineTerms terms = { usable ? scoreScale : 1, usable ? lossScale : 1, {},
      {}, 0 };
  // A linear function of B pieces has B weights, each a B-th of what it would
  // have without: so that it costs the same, the penalty on hidden weights is B
  // times that on output weights.
  terms.outputL2 = double(run.network.Dimensionality()) /
      double(run.network.Inputs());
  terms.l2 = refinement.L2() / terms.outputL2;
  // A cut counts as much as it has units.  Less than a quarter of these can say
  // little, and should not learn it at the cost of the others; but they must
  // count, or their units would be free to do anything.
  const double smallCutWeight = 1.0 / 16;
  terms.cuts = refinement.CutsOf(run.network.Units());
  const size_t cuts = terms.cuts.size();
  for (size_t c = 1; c <= cuts; ++c)
  {
    terms.cutWeights.push_back(double(c) * ((4 * c < cuts) ? smallCutWeight :
        1));
  }
  const double sum = std::accumulate(terms.cutWeights.begin(),
      terms.cutWeights.end(), 0.0);
  for (double& weight : terms.cutWeights)
    weight /= sum;
  return { run.data, run.targets, weights, points, run.network, run.loss, terms,
      Random(run.seed, RandomStream::REFINEMENT_ORDER) };
}

} // namespace gbnn
} // namespace mlpack

#endif
