/**
 * @file methods/gbnn/refinement/gbnn_refine_impl.hpp
 *
 * Implementation of the refinement of a boosted network: how it begins, and
 * what it minimises.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_GBNN_REFINE_IMPL_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_GBNN_REFINE_IMPL_HPP

#include "../gbnn.hpp"
#include "gbnn_refiner.hpp"

namespace mlpack {

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
double GBNN<MatType, LossType>::RefineNetwork(const std::string& name,
                                              const MatType& data,
                                              const MatType& targets,
                                              const RowType& weights,
                                              OptimizerType& optimizer,
                                              CallbackTypes&... callbacks)
{
  CheckStage(name);
  refinement.Check(name);
  const gbnn::OneBlasThread oneBlasThread;
  const RowType used = UsedWeights(weights);
  Training run(data, targets, used, loss, trainedSeed, network);
  gbnn::RefineCallbacks<MatType, CallbackTypes...> watching(callbacks...);
  refinedIterations = Refiner<OptimizerType, decltype(watching)>(*this,
      data.n_cols, optimizer, watching).Refine(run);
  network = std::move(run.network);
  return run.losses.back();
}

template<typename MatType, typename LossType>
ens::L_BFGS GBNN<MatType, LossType>::RefineOptimizer()
{
  ens::L_BFGS optimizer = StageOptimizer::DefaultLBFGS();
  optimizer.MaxIterations() = 0;
  return optimizer;
}

template<typename MatType, typename LossType>
RefineFunction<MatType, LossType, float>
GBNN<MatType, LossType>::RefineObjective(
    const Training& run,
    const RowType& weights,
    const arma::uvec* points,
    const size_t total) const
{
  return NestedObjective(run, run.loss, run.targets, weights, points,
      refinement.CutsUpTo(run.network.Units(), total), refinement.l2,
      refinement.outputL2);
}

template<typename MatType, typename LossType>
template<typename AnyLossType>
RefineFunction<MatType, AnyLossType, float>
GBNN<MatType, LossType>::NestedObjective(
    const Training& run,
    const AnyLossType& loss,
    const MatType& targets,
    const RowType& weights,
    const arma::uvec* points,
    const GBNNRefinement::Cuts& cuts,
    const double l2,
    const double outputL2)
{
  MatType start(targets.n_rows, targets.n_cols);
  start.each_col() = loss.Start(targets, run.weights);
  const double lossUnit = 2 * loss.Value(targets, start, run.weights);
  const double unit = loss.ScoreUnit(targets, run.weights);
  // Where all targets are the same, any unit will do.
  const bool usable = (lossUnit > 0 && unit > 0);
  return NestedFunction<AnyLossType>(run.data, targets, weights,
      points, run.network, loss, usable ? unit : 1, usable ? lossUnit : 1,
      cuts.units, cuts.weights, l2, outputL2,
      gbnn::Random(run.seed, (size_t(1) << 62) + 1));
}

} // namespace mlpack

#endif
