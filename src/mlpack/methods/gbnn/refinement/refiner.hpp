/**
 * @file methods/gbnn/refinement/refiner.hpp
 *
 * What refines the network that boosting made.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_REFINER_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_REFINER_HPP

#include "../stage/single_precision_optimizer.hpp"
#include "trials.hpp"

namespace mlpack {
namespace gbnn {

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
  using RowType = typename RunType::RowType;

  /**
   * @param refinement The settings.
   * @param boost boost(run, units, optimizer, callbacks...) adds stages to the
   *     network of a run until it has so many units.
   * @param points The number of points.
   * @param optimizer Optimizer of the whole network.
   * @param callbacks The user's.
   */
  Refiner(const GBNNRefinement& refinement,
          const BoostType& boost,
          const size_t points,
          OptimizerType& optimizer,
          CallbacksType& callbacks) :
      refinement(refinement), boost(boost), points(points),
      optimizer(optimizer), callbacks(callbacks)
  { }

  //! Refine the network of a run; returns the number of iterations, those of a
  //! part of the network counted by its share.
  size_t Refine(RunType& run) const;

 private:
  using Trial = gbnn::Trial<RunType>;
  using Trials = std::deque<Trial>;

  //! Whether an optimizer is L-BFGS, which does the same whenever it begins in
  //! the same way, on any thread; others may draw random numbers.
  template<typename AnyOptimizerType>
  static constexpr bool isLBFGS = std::is_same_v<AnyOptimizerType, ens::L_BFGS>;

  //! The shares of the points that are held out to decide how long to refine;
  //! none if they were too few to decide anything.
  std::vector<arma::uvec> HeldOut(const RunType& run) const;

  /**
   * Decide how far a refinement should go: other networks are boosted and
   * refined without some points each, and the loss of these decides.
   *
   * @param run The run whose network is to be refined.
   * @return How far; nowhere if a callback has asked to stop.
   */
  RefinePlan Plan(const RunType& run) const;

  /**
   * Refine the boosted networks of trials phase by phase, and note after which
   * round of each the loss of the points held out is least.
   *
   * @param trials They end as refined, or as boosted if that does not pay.
   * @param run The run whose network is to be refined.
   * @param plan Becomes how far, but does not say whether to distill.
   * @return Whether it is clear that refinement pays, or that it does not.
   */
  bool PlanPhases(Trials& trials,
                  const RunType& run,
                  RefinePlan& plan) const;

  /**
   * The same, from one of the phases on: what is before it is only boosted.
   *
   * @param first The phase to begin with.
   * @param trials Their networks are refined, some phases or all of them.
   * @param run The run whose network is to be refined.
   * @param before Losses of the points held out when all units were boosted.
   * @param plan Gets the phases, and the temperature in the end.
   * @return The phase to begin anew with, or how many there are if with none.
   */
  size_t PlanPhasesFrom(const size_t first,
                        Trials& trials,
                        const RunType& run,
                        const arma::rowvec& before,
                        RefinePlan& plan) const;

  /**
   * Refine the networks of trials up to the round of a phase after which the
   * loss of the points held out is least.
   *
   * @param trials Their networks are refined.
   * @param iterations Most iterations of the phase.
   * @param phasePatience Iterations to wait for a smaller loss.
   * @param total Number of units that networks will have in the end.
   * @return How that went, and its temperature.
   */
  std::pair<RefinePhase, double> PlanRounds(
      Trials& trials,
      const size_t iterations,
      const size_t phasePatience,
      const size_t total) const;

  //! Refine it as planned; if that goes wrong, it stays as it was, and is not
  //! to be distilled.
  size_t FollowPlan(RunType& run, RefinePlan& plan) const;

  //! The numbers of units at which phases of the refinement of a network end:
  //! with a stage.
  std::vector<size_t> PhaseUnits(const BoostedNetwork<MatType>& network) const;

  /**
   * Go through the phases of a refinement: take the networks of runs back to
   * the first one, refine them, boost what the next one has more, and so on,
   * until a callback asks to stop.
   *
   * @param first The first one.
   * @param runs The runs.
   * @param units Where phases end.
   * @param refine Refines the networks; called with the number of the phase,
   *     returns whether to go on.
   */
  template<typename RefineType>
  void ForPhases(const size_t first,
                 const std::vector<RunType*>& runs,
                 const std::vector<size_t>& units,
                 const RefineType& refine) const;

  /**
   * Refine some networks, round by round.
   *
   * @param functions The objective of each; its L2 decays.
   * @param parameters Parameters of each before the first round; become those
   *     after the last.
   * @param done Iterations that were done before.
   * @param phase Most iterations, and how L2 decays.
   * @param goOn Called after each round with the iterations so far and the
   *     parameters of each; returns whether there should be another round.
   * @param optimizer Optimizer of a round.
   * @param memories Rounds of each that were done before, if that may be.
   */
  template<typename FunctionType, typename GoOnType, typename AnyOptimizerType>
  void RefineRounds(const std::vector<FunctionType*>& functions,
                    std::vector<MatType>& parameters,
                    size_t done,
                    const RefinePhase& phase,
                    const GoOnType& goOn,
                    AnyOptimizerType& optimizer,
                    const std::vector<RoundCache<MatType>*>& caches =
                        {}) const;

  //! One round of so many iterations.
  template<typename FunctionType, typename AnyOptimizerType>
  void Round(FunctionType& function,
             MatType& parameters,
             const size_t iterations,
             AnyOptimizerType& optimizer) const;

  /**
   * Teach what all units of a run's network say to its parts.  It stays as it
   * was if there is nothing to teach, if a callback asks to stop, or if its
   * loss would rise by more than a twentieth.
   *
   * @param run The run.
   * @param maxLoss The loss that it may have in any case.
   * @return Whether it has changed.
   */
  bool Distill(RunType& run, const double maxLoss) const;

  /**
   * Call f(t) for some trials, each on a thread of its own if there are as many
   * trials as threads, or few points, which several threads would share badly.
   * But callbacks watch one trial after another unless all are for any thread.
   *
   * @tparam MayBeParallel Whether f is made for that.
   * @param trials Number of trials.
   * @param f What to do for each, unless a callback has asked to stop.
   */
  template<bool MayBeParallel, typename FunctionType>
  void SideBySide(const size_t trials, const FunctionType& f) const;

  //! Add stages to a network that is being refined.
  void AddStages(RunType& run, const size_t units) const;

  const GBNNRefinement& refinement;
  const BoostType& boost;
  const size_t points;
  OptimizerType& optimizer;
  CallbacksType& callbacks;
};

} // namespace gbnn
} // namespace mlpack

#include "refiner_impl.hpp"
#include "refiner_plan_impl.hpp"

#endif
