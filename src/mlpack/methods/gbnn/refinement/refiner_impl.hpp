/**
 * @file methods/gbnn/refinement/refiner_impl.hpp
 *
 * Implementation of the refinement of a boosted network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_REFINER_IMPL_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_REFINER_IMPL_HPP

#include "refiner.hpp"

namespace mlpack {
namespace gbnn {

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
size_t Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Refine(
    RunType& run) const
{
  if (run.network.Units() == 0 || refinement.Iterations() == 0)
    return 0;
  RefinePlan plan;
  if (refinement.ValidationFraction() == 0)
    plan.rounds = refinement.MaxRounds();
  else if (!plan.Recall(run.checkpoint, refinement))
  {
    Trials trials = BeginTrials(run);
    Boost(trials, run.network.Units(), false, plan);
    plan = MakePlan(trials);
    if (!callbacks.Stopped())
    {
      run.checkpoint.Part("trials").Forget();
      plan.Keep(run.checkpoint);
    }
  }
  return Follow(plan, run);
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
size_t Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Follow(
    const RefinePlan& plan,
    RunType& run) const
{
  if (plan.rounds == 0 || run.network.Units() == 0 || callbacks.Stopped())
    return 0;
  const PointScope scope(&run.cut);
  BoostedNetwork<MatType> boosted = run.network;
  auto function = RefineObjective(refinement, run, run.weights,
      &run.candidates);
  MatType parameters = function.InitialPoint();
  for (size_t r = 0; r < plan.rounds && !callbacks.Stopped(); ++r)
    Round(r, function, parameters, run.checkpoint);
  function.Cool(parameters, plan.temperature);
  function.Update(parameters, run.network);
  run.Rescore();
  // An optimizer that converged in the trials may still diverge on all points,
  // or a callback may stop it.
  if (run.losses.back() <= plan.maxLoss)
  {
    return std::min(refinement.Iterations(), plan.rounds *
        refinement.RoundIterations());
  }
  run.network = std::move(boosted);
  run.Rescore();
  return 0;
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
typename Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Trials
Refiner<RunType, BoostType, OptimizerType, CallbacksType>::BeginTrials(
    const RunType& run) const
{
  // Each trial holds out another share of the points, until that many have been
  // held out.  With 400 instead, 46 tasks took a quarter longer, and 41 of them
  // scored the same (fold 0 of experiments/wide, arm64).
  const double wanted = 200;
  // Of fewer points, one alone moves their mean loss by a tenth or more: they
  // cannot tell networks apart, and there is no refinement.
  const size_t minimum = 10;
  const size_t points = run.totalCandidates;
  const size_t size = size_t(std::round(refinement.ValidationFraction() *
      double(points)));
  Trials trials;
  if (size < minimum || size == points)
    return trials;
  // If few points have most of the weight, the others tell little.
  double worth = 1;
  const GBNNCommunicator* ranks = run.cut.Communicator();
  if (AnyRank(ranks, !run.weights.is_empty()))
  {
    arma::rowvec weights = arma::conv_to<arma::rowvec>::from(run.weights);
    weights /= MaxOfRanks(ranks, weights.is_empty() ? 0 : weights.max());
    const auto sum = [&](const arma::rowvec& numbers)
    {
      return run.cut.SumOfCells([&](const size_t begin, const size_t end)
      {
        return (begin == end) ? 0.0 :
            arma::accu(numbers.subvec(begin, end - 1));
      });
    };
    worth = std::pow(sum(weights), 2) / sum(arma::square(weights)) /
        double(points);
  }
  const size_t number = size_t(std::ceil(wanted / (worth * double(size))));
  Random random(run.seed, RandomStream::REFINEMENT_HOLDOUT);
  const PointScope scope(&run.cut);
  for (const arma::uvec& share : StratifiedShares(run.targets, run.candidates,
      refinement.ValidationFraction(), number, random, run.cut))
  {
    trials.emplace_back(run, share);
    trials.back().run.checkpoint = run.checkpoint.Part("trials").Part(
        std::to_string(trials.size()));
  }
  return trials;
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
bool Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Boost(
    Trials& trials,
    const size_t units,
    const bool onlyIfClear,
    RefinePlan& plan) const
{
  const bool isFirst = (!onlyIfClear || plan.units == 0);
  if (trials.empty() || !(isFirst || plan.CanBeBeaten()))
    return false;
  arma::fmat single;
  const Trial& first = trials.front();
  const bool suits = SinglePrecisionOptimizer::Suits(first.run.data,
      first.weights, first.run.cut.Communicator());
  if (suits)
    single = arma::conv_to<arma::fmat>::from(first.run.data);
  ForTrials(trials, [&](Trial& trial)
  {
    trial.run.single = suits ? &single : nullptr;
    AddStages(trial.run, units);
    trial.run.single = nullptr;
    trial.Begin(refinement);
  });
  // Boosting does not cool its network.
  RefinePlan newPlan = Judge(trials, false);
  if (callbacks.Stopped())
    return false;
  if (isFirst || plan.IsBeatenBy(newPlan.losses))
  {
    plan = std::move(newPlan);
    return true;
  }
  ForTrials(trials, [&](Trial& trial)
  {
    trial.run.network.Truncate(trial.run.network.StagesOfUnits(plan.units));
    trial.run.Rescore();
    trial.Begin(refinement);
  });
  return false;
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
RefinePlan Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Judge(
    const Trials& trials,
    const bool cool) const
{
  RefinePlan plan;
  if (trials.empty() || callbacks.Stopped())
    return plan;
  plan.units = trials.front().run.network.Units();
  for (const Trial& trial : trials)
  {
    plan.weights = arma::join_rows(plan.weights,
        arma::conv_to<arma::rowvec>::from(trial.OfAllRanks(
        trial.holdoutWeights)));
  }
  plan.maxLoss = Judge(trials, cool, plan.losses).value;
  // Of the likelihood of classes, a single parameter is expected to gain 1 by
  // chance, summed over all points (Akaike's criterion).
  if constexpr (TakesLabels<typename RunType::LossType, MatType>)
    plan.minGain = 1 / double(trials.front().run.cut.TotalPoints());
  return plan;
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
RefinePlan Refiner<RunType, BoostType, OptimizerType, CallbacksType>::MakePlan(
    Trials& trials,
    const double rival) const
{
  RefinePlan plan = Judge(trials, true);
  if (trials.empty() || callbacks.Stopped())
    return plan;
  arma::rowvec losses;
  // Stop after this many rounds without a lower loss.  With 3 instead, 44 tasks
  // took a tenth longer, and 42 of them scored the same (the same fold).
  const size_t patience = 2;
  // Refinement begins with a higher loss than boosting has ended with.  Give up
  // where three times what the last two rounds have gained would not be enough
  // to get below it: rounds gain less and less.
  const size_t lookBack = 2;
  const double maxGains = 3;
  const double goal = std::min(plan.Loss(), rival);
  size_t r = 0, best = 0;
  double lowest = std::numeric_limits<double>::infinity(), temperature = 1;
  //! The lowest loss after each round.
  arma::rowvec path;
  const auto isHopeless = [&]()
  {
    return r > lookBack && lowest > goal &&
        lowest - goal > maxGains * (path[r - 1 - lookBack] - lowest);
  };
  const GBNNCheckpoint checkpoint = isLBFGS ? trials.front().run.checkpoint :
      GBNNCheckpoint();
  checkpoint.Recall("judged", r, best, lowest, temperature, losses, path);
  checkpoint.Require("judged", path.n_elem == r);
  for (; r < refinement.MaxRounds() && r < best + patience && !isHopeless() &&
      plan.CanBeBeaten() && !(lowest <= plan.minGain); ++r)
  {
    ForTrials(trials, [&](Trial& trial)
    {
      Round(r, *trial.function, trial.parameters, trial.run.checkpoint);
      trial.isRefined = true;
    });
    if (callbacks.Stopped())
      return plan;
    arma::rowvec now;
    const Tempered tempered = Judge(trials, true, now);
    if (tempered.value < lowest)
    {
      lowest = tempered.value;
      temperature = tempered.temperature;
      losses = now;
      best = r + 1;
    }
    path = arma::join_rows(path, arma::rowvec{ lowest });
    checkpoint.Keep("judged", r + 1, best, lowest, temperature, losses, path);
  }
  if (best > 0 && plan.IsBeatenBy(losses))
  {
    plan.rounds = best;
    plan.temperature = temperature;
    plan.losses = losses;
  }
  return plan;
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
Tempered Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Judge(
    const Trials& trials,
    const bool cool,
    arma::rowvec& losses)
{
  double weight = 0, value = 0, logarithm = 0;
  losses.reset();
  for (const Trial& trial : trials)
  {
    arma::rowvec ofTrial;
    const Tempered tempered = trial.Judge(cool, ofTrial);
    const double trialWeight = trial.holdoutFunction->TotalWeight();
    weight += trialWeight;
    value += trialWeight * tempered.value;
    logarithm += trialWeight * std::log(tempered.temperature);
    losses = arma::join_rows(losses, ofTrial);
  }
  return { std::exp(logarithm / weight), value / weight };
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
void Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Round(
    const size_t r,
    Function& function,
    MatType& parameters,
    const GBNNCheckpoint& checkpoint) const
{
  size_t done = 0;
  MatType kept;
  if (isLBFGS && checkpoint.Recall("rounds", done, kept))
  {
    checkpoint.Require("rounds", kept.n_elem == parameters.n_elem);
    if (done >= r)
      parameters = kept;
    if (done > r)
      return;
  }
  function.L2() = refinement.L2() * std::pow(refinement.L2Decay(), double(r)) /
      function.OutputL2();
  RefineRound round(std::min(refinement.RoundIterations(),
      refinement.Iterations() - r * refinement.RoundIterations()));
  // A copy: ensmallen's L_BFGS stays stopped once a callback has stopped it.
  OptimizerType roundOptimizer(optimizer);
  // Single precision, in which units are computed, is enough for L-BFGS if what
  // it minimizes is made for it; others may ask for the model's type.
  using RealType = std::conditional_t<isLBFGS, float, ElemType>;
  RefineCoordinates<Function, MatType, RealType> step(function, parameters,
      isLBFGS);
  arma::Mat<RealType> coordinates = step.InitialPoint();
  roundOptimizer.Optimize(step, coordinates, callbacks, round);
  parameters = step.Parameters(coordinates);
  if (!parameters.is_finite())
  {
    throw std::runtime_error("GBNN: the optimizer of the refinement "
        "diverged; try a smaller step size");
  }
  if (isLBFGS && !callbacks.Stopped())
    checkpoint.Keep("rounds", r + 1, parameters);
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
void Refiner<RunType, BoostType, OptimizerType, CallbacksType>::AddStages(
    RunType& run,
    const size_t units) const
{
  const auto add = [&](auto stageOptimizer)
  {
    // Being watched has its price.
    if constexpr (CallbacksType::Any)
      boost(run, units, stageOptimizer, callbacks);
    else
      boost(run, units, stageOptimizer);
  };
  if (run.single)
    add(SinglePrecisionOptimizer(*run.single));
  else
    add(StageOptimizer());
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
template<typename FunctionType>
void Refiner<RunType, BoostType, OptimizerType, CallbacksType>::ForTrials(
    Trials& trials,
    const FunctionType& f) const
{
  const auto call = [&](const size_t t)
  {
    const PointScope scope(&trials[t].run.cut);
    if (!callbacks.Stopped())
      f(trials[t]);
  };
  // L-BFGS does the same on any thread; others may draw random numbers.  Fewer
  // points than this fit in some tens of blocks, too few for several threads
  // (doc/developer/constants.md, threads).  It only decides how work is shared,
  // not what comes out.
  const size_t few = 2000;
  const RunType& first = trials.front().run;
  if (isLBFGS && CallbacksType::AnyThread && !first.cut.Communicator() &&
      (first.data.n_cols < few ||
      trials.size() >= size_t(OneBlasThread::LoopThreads())))
  {
    InParallel(trials.size(), call);
    return;
  }
  for (size_t t = 0; t < trials.size(); ++t)
    call(t);
}

} // namespace gbnn
} // namespace mlpack

#endif
