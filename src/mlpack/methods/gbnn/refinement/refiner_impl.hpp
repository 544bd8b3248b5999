/**
 * @file methods/gbnn/refinement/refiner_impl.hpp
 *
 * Implementation of the refinement of a boosted network: its phases and their
 * rounds, and what its parts learn from the whole.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_REFINER_IMPL_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_REFINER_IMPL_HPP

#include "refiner.hpp"
#include "../loss_functions/squared_error_loss.hpp"

namespace mlpack {
namespace gbnn {

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
size_t Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Refine(
    RunType& run) const
{
  if (run.network.Units() == 0 || refinement.iterations == 0)
    return 0;
  RefinePlan plan;
  if (refinement.validationFraction > 0)
    plan = Plan(run);
  else
  {
    for (size_t phase = 0; phase < refinement.phases.size(); ++phase)
      plan.phases.push_back({ refinement.PhaseIterations(phase), false });
    plan.distill = true;
  }

  size_t iterations = 0;
  if (!plan.phases.empty())
    iterations = FollowPlan(run, plan);
  if (plan.distill && !callbacks.Stopped())
    Distill(run, plan.maxLoss);
  return iterations;
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
size_t
Refiner<RunType, BoostType, OptimizerType, CallbacksType>::FollowPlan(
    RunType& run,
    RefinePlan& plan) const
{
  BoostedNetwork<MatType> boosted = run.network;
  double iterations = 0;
  ForPhases(plan.FirstPhase(), { &run }, PhaseUnits(boosted),
      [&](const size_t p)
  {
    const RefinePhase& phase = plan.phases[p];
    const double share = refinement.phases[p];
    const double temperature = (share == 1) ? plan.temperature : 1;
    if (phase.iterations == 0 && temperature == 1)
      return true;
    auto function = RefineObjective(refinement, run, run.weights,
        &run.candidates, boosted.Units());
    std::vector<MatType> parameters{ function.InitialPoint() };
    size_t done = 0;
    RefineRounds(std::vector{ &function }, parameters, 0, phase,
        [&](const size_t soFar, const auto&)
        {
          done = soFar;
          return true;
        }, optimizer);
    function.Cool(parameters.front(), temperature);
    function.Update(parameters.front(), run.network);
    iterations += share * double(done);
    return true;
  });
  // What went well without the points held out may go wrong with them, if an
  // optimizer is at the edge of what its steps allow; or a callback stops it.
  run.Rescore();
  if (run.network.Units() < boosted.Units() ||
      !(run.losses.back() <= plan.maxLoss))
  {
    plan.distill = false;
    run.network = std::move(boosted);
    run.Rescore();
    return 0;
  }
  return size_t(std::ceil(iterations));
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
std::vector<size_t>
Refiner<RunType, BoostType, OptimizerType, CallbacksType>::PhaseUnits(
    const BoostedNetwork<MatType>& network) const
{
  std::vector<size_t> units;
  for (const double share : refinement.phases)
  {
    const double stages = std::round(share * double(network.Stages()));
    units.push_back(network.UnitsOfStages(std::max(size_t(1),
        size_t(stages))));
  }
  return units;
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
template<typename RefineType>
void Refiner<RunType, BoostType, OptimizerType, CallbacksType>::ForPhases(
    const size_t first,
    const std::vector<RunType*>& runs,
    const std::vector<size_t>& units,
    const RefineType& refine) const
{
  for (RunType* run : runs)
  {
    size_t stages = run->network.Stages();
    while (stages > 1 && run->network.UnitsOfStages(stages) > units[first])
      --stages;
    run->network.Truncate(stages);
  }
  bool more = true;
  for (size_t phase = first; phase < units.size() && more; ++phase)
  {
    // Of phases that end with the same stage, as in small networks, the last.
    if (phase + 1 < units.size() && units[phase] == units[phase + 1])
      continue;
    SideBySide<true>(runs.size(), [&](const size_t r)
    {
      runs[r]->Rescore();
      AddStages(*runs[r], units[phase]);
    });
    more = !callbacks.Stopped() && refine(phase) && !callbacks.Stopped();
  }
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
template<typename FunctionType, typename GoOnType, typename AnyOptimizerType>
void
Refiner<RunType, BoostType, OptimizerType, CallbacksType>::RefineRounds(
    const std::vector<FunctionType*>& functions,
    std::vector<MatType>& parameters,
    size_t done,
    const RefinePhase& phase,
    const GoOnType& goOn,
    AnyOptimizerType& optimizer,
    const std::vector<RoundCache<MatType>*>& caches) const
{
  bool more = true;
  while (more && done < phase.iterations && !callbacks.Stopped())
  {
    const size_t size = std::min(refinement.roundIterations,
        phase.iterations - done);
    SideBySide<isLBFGS<AnyOptimizerType>>(functions.size(),
        [&](const size_t f)
        {
          FunctionType& function = *functions[f];
          const auto round = [&](MatType& now)
          {
            Round(function, now, size, optimizer);
          };
          if (caches.empty())
            round(parameters[f]);
          else
            caches[f]->Round({ function.L2(), function.OutputL2(),
                double(size) }, parameters[f], round);
          (phase.constantL2 ? function.OutputL2() : function.L2()) *=
              refinement.l2Decay;
        });
    done += size;
    more = goOn(done, parameters);
  }
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
template<typename FunctionType, typename AnyOptimizerType>
void
Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Round(
    FunctionType& function,
    MatType& parameters,
    const size_t iterations,
    AnyOptimizerType& optimizer) const
{
  RefineRound round(iterations);
  // A copy: ensmallen's L_BFGS stays stopped once a callback has stopped it.
  AnyOptimizerType roundOptimizer(optimizer);
  // Single precision, in which units are computed, is enough for L-BFGS if what
  // it minimizes is made for it; others may ask for the model's type.
  constexpr bool single = isLBFGS<AnyOptimizerType>;
  using RealType = std::conditional_t<single, float, ElemType>;
  RefineCoordinates<FunctionType, MatType, RealType> step(function, parameters,
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
bool Refiner<RunType, BoostType, OptimizerType, CallbacksType>::Distill(
    RunType& run,
    const double maxLoss) const
{
  const size_t units = run.network.Units();
  auto cuts = refinement.CutsUpTo(units, units);
  if (refinement.distillIterations == 0 || cuts.weights.back() == 1)
    return false;
  // All units, whom the others learn from, should change least.
  cuts.weights.back() *= 128;
  cuts.Normalize();
  MatType scores;
  run.network.Evaluate(run.data, units, scores);
  if (!scores.is_finite())
    return false;
  const double maximum = std::max(maxLoss, 1.05 * run.loss.Value(run.targets,
      scores, run.weights));

  BoostedNetwork<MatType> untaught = run.network;
  const SquaredErrorLoss distance;
  auto function = NestedObjective(run, distance, scores, run.weights,
      &run.candidates, cuts, 0, 0);
  ens::L_BFGS teacher = RefineOptimizer();
  MatType last = function.InitialPoint();
  std::vector<MatType> parameters{ last };
  RefineRounds(std::vector{ &function }, parameters, 0,
      { refinement.distillIterations, false },
      [&](const size_t, const std::vector<MatType>& now)
      {
        // What has come to rest stays there.
        const bool moves = arma::any(arma::vectorise(now.front() != last));
        last = now.front();
        return moves;
      }, teacher);
  function.Update(parameters.front(), run.network);
  run.Rescore();
  if (!callbacks.Stopped() && run.losses.back() <= maximum)
    return true;
  run.network = std::move(untaught);
  run.Rescore();
  return false;
}

template<typename RunType, typename BoostType, typename OptimizerType,
         typename CallbacksType>
template<bool MayBeParallel, typename FunctionType>
void Refiner<RunType, BoostType, OptimizerType, CallbacksType>::SideBySide(
    const size_t trials,
    const FunctionType& f) const
{
  const size_t threads = size_t(OneBlasThread::LoopThreads());
  const auto call = [&](const size_t t)
  {
    if (!callbacks.Stopped())
      f(t);
  };
  if (MayBeParallel && CallbacksType::AnyThread && (points < 2000 ||
      trials >= threads))
  {
    InParallel(trials, call);
    return;
  }
  for (size_t t = 0; t < trials; ++t)
    call(t);
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

} // namespace gbnn
} // namespace mlpack

#endif
