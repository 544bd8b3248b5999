/**
 * @file methods/gbnn/refinement/refiner_plan_impl.hpp
 *
 * Implementation of how far a refinement should go: trials without some of the
 * points, whose loss decides.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_REFINER_PLAN_IMPL_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_REFINER_PLAN_IMPL_HPP

#include "refiner.hpp"

namespace mlpack {
namespace gbnn {

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
std::vector<arma::uvec>
Refiner<RunType, BoostType, OptimizerType, CallbacksType>::HeldOut(
    const RunType& run) const
{
  // Fewer points than this are no ground to decide anything on.
  const size_t minimum = 10;
  const size_t points = run.candidates.n_elem;
  const size_t size = size_t(std::round(refinement.validationFraction *
      double(points)));
  if (size < minimum || size == points)
    return std::vector<arma::uvec>();
  Random random(run.seed, RandomStream::REFINEMENT_HOLDOUT);
  const size_t wanted = refinement.validationPoints;
  return StratifiedShares(run.targets, run.candidates,
      refinement.validationFraction, wanted / size + (wanted % size != 0),
      random);
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
RefinePlan
Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Plan(
    const RunType& run) const
{
  const std::vector<arma::uvec> shares = HeldOut(run);
  arma::fmat single;
  const bool isSingle = !shares.empty() &&
      SinglePrecisionOptimizer::Suits(run.data, run.weights);
  if (isSingle)
    single = arma::conv_to<arma::fmat>::from(run.data);

  // One share decides if it is large enough and clear, else all of them do.
  Trials trials;
  RefinePlan plan;
  bool decided = shares.empty();
  while (!decided)
  {
    const bool isFirst = trials.empty() &&
        shares.front().n_elem >= 0.4 * refinement.validationPoints;
    const size_t number = isFirst ? 1 : shares.size();
    const size_t boosted = trials.size();
    while (trials.size() < number)
    {
      trials.emplace_back(run, shares[trials.size()]);
      trials.back().run.single = isSingle ? &single : nullptr;
    }
    SideBySide<true>(number - boosted, [&](const size_t t)
    {
      Trial& trial = trials[boosted + t];
      AddStages(trial.run, run.network.Units());
      trial.boosted = trial.run.network;
    });
    if (callbacks.Stopped())
      return RefinePlan();
    trials.front().rounds.Learns() = isLBFGS<OptimizerType> &&
        number < shares.size();
    decided = PlanPhases(trials, run, plan) || number == shares.size();
  }
  if (callbacks.Stopped())
    return RefinePlan();

  const arma::rowvec before = Trial::HeldOutLosses(trials);
  arma::uvec distilled(trials.size(), arma::fill::zeros);
  SideBySide<true>(trials.size(), [&](const size_t t)
  {
    distilled[t] = Distill(trials[t].run, plan.maxLoss);
  });
  plan.distill = !trials.empty() && arma::all(distilled) && IsNoLoss(
      before, Trial::HeldOutLosses(trials), Trial::HeldWeights(trials));
  return callbacks.Stopped() ? RefinePlan() : plan;
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
bool Refiner<RunType, BoostType, OptimizerType, CallbacksType>::PlanPhases(
    Trials& trials,
    const RunType& run,
    RefinePlan& plan) const
{
  const auto reset = [&]()
  {
    plan.phases.clear();
    plan.temperature = 1;
    for (Trial& trial : trials)
      trial.run.network = trial.boosted;
  };
  reset();
  const RowType weights = Trial::HeldWeights(trials);
  const arma::rowvec before = Trial::HeldOutLosses(trials);
  // Whatever fewer units gain, all of them should not lose.
  plan.maxLoss = MeanOverPoints(before.n_elem, weights,
      [&](const size_t i) { return before[i]; });
  const size_t end = refinement.phases.size();
  for (size_t first = 0; first < end && !callbacks.Stopped(); )
  {
    reset();
    first = PlanPhasesFrom(first, trials, run, before, plan);
  }

  const arma::rowvec gains = before - Trial::HeldOutLosses(trials);
  if (IsClearGain(gains, weights, refinement.minGain))
  {
    return IsClearGain(gains, weights, std::max(refinement.minGain,
        refinement.clearGain));
  }
  reset();
  return !IsClearGain(gains, weights, 0);
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
size_t
Refiner<RunType, BoostType, OptimizerType, CallbacksType>::PlanPhasesFrom(
    const size_t first,
    Trials& trials,
    const RunType& run,
    const arma::rowvec& before,
    RefinePlan& plan) const
{
  plan.phases.resize(refinement.phases.size());
  size_t next = plan.phases.size();
  std::vector<RunType*> runs;
  for (Trial& trial : trials)
    runs.push_back(&trial.run);
  bool rests = false;
  ForPhases(first, runs, PhaseUnits(run.network), [&](const size_t phase)
  {
    const bool isLast = (phase + 1 == plan.phases.size());
    // Where the phase before brought nothing, the longest one need not try.
    const size_t maximum = (isLast && rests) ? 0 :
        refinement.PhaseIterations(phase);
    std::tie(plan.phases[phase], plan.temperature) = PlanRounds(trials, maximum,
        refinement.PhasePatience(phase), run.network.Units());
    rests = (maximum > 0 && plan.phases[phase].iterations == 0 &&
        refinement.phases[phase] >= minShare);
    if (isLast)
      return true;
    const AfterPhase after = WhatAfterPhase(
        arma::rowvec(before - Trial::HeldOutLosses(trials)),
        Trial::HeldWeights(trials), refinement.phases[phase], first > 0);
    if (after == AfterPhase::beginAnew)
      next = phase + 1;
    return after == AfterPhase::goOn;
  });
  return next;
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
std::pair<RefinePhase, double>
Refiner<RunType, BoostType, OptimizerType, CallbacksType>::PlanRounds(
    Trials& trials,
    const size_t iterations,
    const size_t phasePatience,
    const size_t total) const
{
  TrialRounds<RunType> rounds(refinement, trials, total);
  BestRound<std::vector<MatType>> best(iterations,
      phasePatience, rounds.start, rounds.Judge(rounds.start));
  const auto consider = [&](const size_t done,
                            const std::vector<MatType>& parameters)
  {
    return best.Add(done, parameters, rounds.Judge(parameters));
  };
  std::vector<MatType> parameters = rounds.start, afterFirst;
  RefineRounds(rounds.pointers, parameters, 0, { iterations, false },
      [&](const size_t done, const std::vector<MatType>& now)
      {
        if (afterFirst.empty())
          afterFirst = now;
        return consider(done, now);
      }, optimizer, rounds.caches);

  const size_t first = refinement.roundIterations;
  if (refinement.tryConstantL2 && refinement.l2 > 0 && refinement.l2Decay < 1 &&
      first <= iterations && best.HasRisen() &&
      rounds.IsClearGain(best.Parameters()))
  {
    const auto usual = best;
    for (auto& function : rounds.functions)
    {
      function.L2() = refinement.l2;
      function.OutputL2() = refinement.outputL2 * refinement.l2Decay;
    }
    best.Race(first);
    // Against so much L2, units move slowly.
    const size_t maximum = size_t(std::min(2 * double(iterations), 1e9));
    RefineRounds(rounds.pointers, afterFirst, first, { maximum, true },
        consider, optimizer, rounds.caches);
    if (!rounds.IsClearGain(best.Parameters()))
      best = usual;
  }
  if (best.Iterations() > 0)
  {
    for (size_t t = 0; t < trials.size(); ++t)
      rounds.functions[t].Update(best.Parameters()[t],
          trials[t].run.network);
  }
  return { { best.Iterations(), best.WonRace() },
      best.Loss().temperature };
}

} // namespace gbnn
} // namespace mlpack

#endif
