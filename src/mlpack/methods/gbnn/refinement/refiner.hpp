/**
 * @file methods/gbnn/refinement/refiner.hpp
 *
 * Refines a boosted network; the loss on a holdout decides how far.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_REFINER_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_REFINER_HPP

#include <deque>

#include "../compute/stratified.hpp"
#include "../stage/callbacks.hpp"
#include "../stage/single_precision_optimizer.hpp"
#include "nested_objective.hpp"
#include "refine_round.hpp"
#include "trial.hpp"

namespace mlpack {
namespace gbnn {

//! How far a refinement goes.
struct RefinePlan
{
  //! Number of units that boosting is to have made.
  size_t units = 0;
  //! What this was planned for.
  GBNNRefinement settings;
  size_t bins = 0;
  double l2 = 0;
  size_t rounds = 0;
  //! What all scores are divided by at the end, at least 1.
  double temperature = 1;
  //! The loss on the holdout before refinement; the loss on the training points
  //! must not end above it.
  double maxLoss = std::numeric_limits<double>::max();
  //! The losses on the holdout at the end, one for each point, and the weights
  //! of these points, if any.
  arma::rowvec losses, weights;
  //! The minimum decrease of the mean loss for which a larger model is chosen.
  double minGain = 0;

  //! The mean of these losses.
  double Loss() const
  {
    if (losses.is_empty())
      return std::numeric_limits<double>::infinity();
    return weights.is_empty() ? arma::mean(losses) :
        arma::dot(losses, weights) / arma::accu(weights);
  }

  //! Whether other losses on the holdout are clearly lower.
  bool IsBeatenBy(const arma::rowvec& others) const
  {
    return IsClearGain(arma::rowvec(losses - others), weights, minGain);
  }

  //! Whether that could be at all.
  bool CanBeBeaten() const { return !(Loss() <= minGain); }

  //! Whether it holds for a network of these, refined with these settings.
  bool IsFor(const GBNNRefinement& refinement,
             const size_t networkUnits,
             const size_t networkBins,
             const double networkL2) const
  {
    return units > 0 && units == networkUnits && bins == networkBins &&
        l2 == networkL2 && settings == refinement;
  }

  //! Take over the plan that a checkpoint has for a refinement, and what else
  //! was kept with it; returns whether it has one.
  template<typename... Types>
  bool Recall(const GBNNCheckpoint& checkpoint,
              const GBNNRefinement& refinement,
              Types&... values)
  {
    if (!checkpoint.Recall("plan", units, rounds, temperature, maxLoss, losses,
        weights, values...))
      return false;
    checkpoint.Require("plan", rounds <= refinement.MaxRounds() &&
        temperature >= 1 && std::isfinite(temperature));
    return true;
  }

  //! Keep it in a checkpoint.
  template<typename... Types>
  void Keep(const GBNNCheckpoint& checkpoint, const Types&... values) const
  {
    checkpoint.Keep("plan", units, rounds, temperature, maxLoss, losses,
        weights, values...);
  }
};

/**
 * Refines the network of a run: decides on trials how far to go, and goes so
 * far.
 *
 * @tparam RunType A BoostingRun.
 * @tparam BoostType What adds stages.
 * @tparam OptimizerType Optimizer of the whole network.
 * @tparam CallbacksType The user's callbacks, as RefineCallbacks.
 */
template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
class Refiner
{
 public:
  using MatType = typename RunType::MatType;
  using ElemType = typename MatType::elem_type;

  /**
   * @param refinement The settings.
   * @param boost boost(run, units, optimizer, callbacks...) adds stages to the
   *     network of a run until it has `units` units.
   * @param optimizer Optimizer of the whole network.
   * @param callbacks The user's.
   */
  Refiner(const GBNNRefinement& refinement,
          const BoostType& boost,
          OptimizerType& optimizer,
          CallbacksType& callbacks) :
      refinement(refinement), boost(boost), optimizer(optimizer),
      callbacks(callbacks)
  { }

  using Trials = std::deque<gbnn::Trial<RunType>>;

  //! Refine the network of a run; returns the number of iterations.
  size_t Refine(RunType& run) const;

  //! Networks without units yet, for boosting without some of the points each;
  //! none if points are too few to hold any out.
  Trials BeginTrials(const RunType& run) const;

  /**
   * Boost the networks of trials until they have this number of units.  Returns
   * whether they have that number now.
   *
   * @param trials The trials.
   * @param units Number of units.
   * @param onlyIfClear If set, and if the loss of the points held out does not
   *     fall clearly, they keep the units that they had.
   * @param plan What the points held out say of the networks as they are, if
   *     they have units; without refinement.
   */
  bool Boost(Trials& trials,
             const size_t units,
             const bool onlyIfClear,
             RefinePlan& plan) const;

  /**
   * Refine the networks of trials as long as the loss of the points held out
   * falls; without rounds if it does not fall clearly.
   *
   * @param trials The trials.
   * @param rival A loss that must be reached, or the plan is of no use.
   */
  RefinePlan MakePlan(Trials& trials,
                      const double rival =
                          std::numeric_limits<double>::infinity()) const;

  //! Refine the network of a run as planned; returns the number of iterations.
  size_t Follow(const RefinePlan& plan, RunType& run) const;

 private:
  using Trial = gbnn::Trial<RunType>;
  using Function = NestedFunction<MatType, typename RunType::LossType>;

  //! No refinement: what the points held out say of the networks of trials.
  RefinePlan Judge(const Trials& trials, const bool cool) const;

  //! The mean loss of the points held out, at the best temperature of each
  //! trial if they may be cooled, the mean of these, and the losses one by one.
  static Tempered Judge(const Trials& trials,
                        const bool cool,
                        arma::rowvec& losses);

  //! Round r, from 0 on, unless the checkpoint has what it leads to.
  void Round(const size_t r,
             Function& function,
             MatType& parameters,
             const GBNNCheckpoint& checkpoint) const;

  //! Add stages to the network of a trial.
  void AddStages(RunType& run, const size_t units) const;

  //! Call f(t) for each trial unless a callback has asked to stop; each on a
  //! thread of its own if points are few, which several would share badly.
  template<typename FunctionType>
  void ForTrials(Trials& trials, const FunctionType& f) const;

  //! Each round of L-BFGS begins anew; others may draw random numbers.
  static constexpr bool isLBFGS = std::is_same_v<OptimizerType, ens::L_BFGS>;

  const GBNNRefinement& refinement;
  const BoostType& boost;
  OptimizerType& optimizer;
  CallbacksType& callbacks;
};

} // namespace gbnn
} // namespace mlpack

#include "refiner_impl.hpp"

#endif
