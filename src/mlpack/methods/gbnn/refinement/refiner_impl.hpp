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
  Plan plan = { MaxRounds(), 1, std::numeric_limits<double>::max() };
  if (refinement.ValidationFraction() > 0)
    plan = MakePlan(run);
  if (plan.rounds == 0 || callbacks.Stopped())
    return 0;

  BoostedNetwork<MatType> boosted = run.network;
  auto function = RefineObjective(refinement, run, run.weights,
      &run.candidates);
  MatType parameters = function.InitialPoint();
  for (size_t r = 0; r < plan.rounds && !callbacks.Stopped(); ++r)
    Round(r, function, parameters);
  function.Cool(parameters, plan.temperature);
  function.Update(parameters, run.network);
  run.Rescore();
  // What went well without the points held out may go wrong with them, if an
  // optimizer is at the edge of what its steps allow; or a callback stops it.
  if (run.losses.back() <= plan.maxLoss)
    return plan.rounds * refinement.RoundIterations();
  run.network = std::move(boosted);
  run.Rescore();
  return 0;
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
typename Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Plan
Refiner<RunType, BoostType, OptimizerType, CallbacksType>::MakePlan(
    const RunType& run) const
{
  // Shares of the points are held out, one of each trial, until so many points
  // have been.
  const size_t wanted = getenv("WANT") ? atoi(getenv("WANT")) : 400, minimum = 10;
  const size_t points = run.candidates.n_elem;
  const size_t size = size_t(std::round(refinement.ValidationFraction() *
      double(points)));
  Plan plan = { 0, 1, 0 };
  if (size < minimum || size == points)
    return plan;
  Random random(run.seed, RandomStream::REFINEMENT_HOLDOUT);
  const bool isSingle = SinglePrecisionOptimizer::Suits(run.data, run.weights);
  arma::fmat single;
  if (isSingle)
    single = arma::conv_to<arma::fmat>::from(run.data);
  std::deque<Trial> trials;
  for (const arma::uvec& share : StratifiedShares(run.targets, run.candidates,
      refinement.ValidationFraction(), (wanted + size - 1) / size, random))
  {
    trials.emplace_back(run, share);
    trials.back().run.single = isSingle ? &single : nullptr;
  }
  ForTrials(trials, [&](Trial& trial)
  {
    AddStages(trial.run, run.network.Units());
    trial.Begin(refinement);
  });
  if (callbacks.Stopped())
    return plan;

  // The mean over all points held out, and the losses of each.
  double weight = 0;
  arma::rowvec weights;
  for (const Trial& trial : trials)
  {
    weight += trial.held->TotalWeight();
    weights = arma::join_rows(weights, arma::conv_to<arma::rowvec>::from(
        trial.heldWeights));
  }
  const auto judge = [&](arma::rowvec& losses)
  {
    Tempered sum = { 0, 0 };
    losses.reset();
    arma::rowvec ofTrial;
    for (const Trial& trial : trials)
    {
      const Tempered tempered = trial.Judge(&ofTrial);
      const double share = trial.held->TotalWeight() / weight;
      sum.value += share * tempered.value;
      sum.temperature += share * std::log(tempered.temperature);
      losses = arma::join_rows(losses, ofTrial);
    }
    return Tempered{ std::exp(sum.temperature), sum.value };
  };
  arma::rowvec before, losses, best;
  plan.maxLoss = judge(before).value;
  double least = std::numeric_limits<double>::infinity();
  const size_t patience = getenv("PAT") ? atoi(getenv("PAT")) : 3;
  for (size_t r = 0; r < MaxRounds() && r < plan.rounds + patience; ++r)
  {
    ForTrials(trials, [&](Trial& trial)
    {
      Round(r, *trial.function, trial.parameters);
    });
    if (callbacks.Stopped())
      break;
    const Tempered now = judge(losses);
    if (getenv("TELL")) std::fprintf(stderr, "  round %zu %g T %g (least %g)\n", r, now.value, now.temperature, least);
    if (now.value < least)
    {
      least = now.value;
      best = losses;
      plan.rounds = r + 1;
      plan.temperature = now.temperature;
    }
  }
  // What chance alone may bring is not worth it.
  const double minGain = 0.5;
  if (callbacks.Stopped() ||
      !IsClearGain(arma::rowvec(before - best), weights, minGain))
    plan.rounds = 0;
  return plan;
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
void Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Round(
    const size_t r,
    Function& function,
    MatType& parameters) const
{
  function.L2() = refinement.L2() * std::pow(refinement.L2Decay(), double(r));
  if (getenv("ML2")) function.L2() = std::max(function.L2(), atof(getenv("ML2")));
  RefineRound round(std::min(refinement.RoundIterations(),
      refinement.Iterations() - r * refinement.RoundIterations()));
  // A copy: ensmallen's L_BFGS stays stopped once a callback has stopped it.
  OptimizerType roundOptimizer(optimizer);
  // Single precision, in which units are computed, is enough for L-BFGS if what
  // it minimizes is made for it; others may ask for the model's type.
  constexpr bool single = std::is_same_v<OptimizerType, ens::L_BFGS>;
  using RealType = std::conditional_t<single, float, ElemType>;
  RefineCoordinates<Function, MatType, RealType> step(function, parameters,
      single);
  arma::Mat<RealType> coordinates = step.InitialPoint();
  roundOptimizer.Optimize(step, coordinates, round, callbacks);
  parameters = step.Parameters(coordinates);
  if (!parameters.is_finite())
  {
    throw std::runtime_error("GBNN: the optimizer of the refinement "
        "diverged; try a smaller step size");
  }
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
    std::deque<Trial>& trials,
    const FunctionType& f) const
{
  const auto call = [&](const size_t t)
  {
    if (!callbacks.Stopped())
      f(trials[t]);
  };
  // L-BFGS does the same on any thread; others may draw random numbers.
  const size_t few = 2000;
  if (std::is_same_v<OptimizerType, ens::L_BFGS> && CallbacksType::AnyThread &&
      (trials.front().run.data.n_cols < few ||
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
