/**
 * @file methods/gbnn/gbnn_refine_impl.hpp
 *
 * Implementation of the refinement of a boosted network: how far it should go,
 * its phases and their rounds, and what its parts learn from the whole.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_GBNN_REFINE_IMPL_HPP
#define MLPACK_METHODS_GBNN_GBNN_REFINE_IMPL_HPP

#include "gbnn.hpp"
#include "loss_functions/squared_error_loss.hpp"

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
  Training run(data, targets, weights, loss, trainedSeed, network);
  gbnn::RefineCallbacks<CallbackTypes...> watching(callbacks...);
  refinedIterations = RefineRun(run, optimizer, watching);
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
arma::uvec GBNN<MatType, LossType>::HeldOut(const Training& run) const
{
  // Fewer points than this are no ground to decide anything on.
  const size_t fewest = 10;
  gbnn::Random random(run.seed, size_t(1) << 62);
  const arma::uvec heldOut = gbnn::StratifiedSample(run.targets, run.candidates,
      refinement.validationFraction, random);
  if (heldOut.n_elem < fewest || heldOut.n_elem == run.candidates.n_elem)
    return arma::uvec();
  return heldOut;
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename CallbacksType>
gbnn::RefinePlan GBNN<MatType, LossType>::PlanRefinement(
    const Training& run,
    OptimizerType& optimizer,
    CallbacksType& callbacks) const
{
  const arma::uvec heldOut = HeldOut(run);
  if (heldOut.is_empty())
    return gbnn::RefinePlan();
  RowType others = run.weights;
  if (others.is_empty())
    others.ones(run.data.n_cols);
  others.elem(heldOut).zeros();

  // The same again without those points.
  Training trial(run.data, run.targets, others, run.loss, run.seed,
      BoostedNetwork<MatType>(run.data.n_rows, run.loss.Start(run.targets,
      others), run.network.Activation()));
  AddRefineStages(trial, run.network.Units(), callbacks);
  BoostedNetwork<MatType> boosted = trial.network;

  // Whatever fewer units gain, all of them should not lose.
  RowType weights;
  if (!run.weights.is_empty())
    weights = run.weights.cols(heldOut);
  arma::rowvec before;
  {
    const auto held = RefineObjective(trial, run.weights, &heldOut,
        run.network.Units(), true);
    before = PointLosses(trial, heldOut, Judge(held,
        held.InitialPoint()).temperature);
  }
  gbnn::RefinePlan plan;
  plan.mostLoss = gbnn::MeanOverPoints(heldOut.n_elem, weights,
      [&](const size_t i) { return before[i]; });
  PlanPhases(trial, run, heldOut, plan, optimizer, callbacks);
  const arma::rowvec gains = before - PointLosses(trial, heldOut,
      plan.temperature);
  if (!gbnn::IsClearGain(gains, weights, refinement.leastGain))
  {
    plan.iterations.clear();
    plan.temperature = 1;
    trial.network = std::move(boosted);
  }
  if (callbacks.Stopped())
    return gbnn::RefinePlan();

  const arma::rowvec untaught = PointLosses(trial, heldOut, plan.temperature);
  plan.distil = Distil(trial, plan.mostLoss, callbacks) && gbnn::IsNoLoss(
      untaught, PointLosses(trial, heldOut, plan.temperature), weights);
  return callbacks.Stopped() ? gbnn::RefinePlan() : plan;
}

template<typename MatType, typename LossType>
gbnn::Tempered GBNN<MatType, LossType>::Judge(
    const RefineFunction<MatType, LossType>& held,
    const MatType& parameters)
{
  if constexpr (gbnn::TakesLabels<LossType, MatType>)
    return held.BestTemperature(parameters);
  else
    return gbnn::Tempered{ 1, double(held.Evaluate(parameters)) };
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename CallbacksType>
void GBNN<MatType, LossType>::PlanPhases(Training& trial,
                                         const Training& run,
                                         const arma::uvec& heldOut,
                                         gbnn::RefinePlan& plan,
                                         OptimizerType& optimizer,
                                         CallbacksType& callbacks) const
{
  const size_t total = run.network.Units();
  plan.iterations.assign(refinement.phases.size(), 0);
  RefinePhases(trial, PhaseUnits(run.network), [&](const size_t phase)
  {
    const auto held = RefineObjective(trial, run.weights, &heldOut, total,
        true);
    auto function = RefineObjective(trial, trial.weights, &trial.candidates,
        total);
    gbnn::RefineChoice<MatType> choice(refinement.patience,
        function.InitialPoint(), Judge(held, held.InitialPoint()));
    RefineRounds(function, refinement.PhaseIterations(phase),
        [&](const size_t iterations, const MatType& parameters)
        {
          return choice.Add(iterations, parameters, Judge(held, parameters));
        }, optimizer, callbacks);
    if (choice.Iterations() > 0)
      function.Update(choice.Parameters(), trial.network);
    plan.iterations[phase] = choice.Iterations();
    plan.temperature = choice.Loss().temperature;
  }, callbacks);
}

template<typename MatType, typename LossType>
arma::rowvec GBNN<MatType, LossType>::PointLosses(const Training& run,
                                                  const arma::uvec& points,
                                                  const double temperature)
{
  MatType scores;
  run.network.Evaluate(run.data.cols(points), run.network.Units(), scores);
  scores /= ElemType(temperature);
  arma::rowvec losses(points.n_elem);
  for (size_t i = 0; i < points.n_elem; ++i)
  {
    losses[i] = run.loss.Value(run.targets.col(points[i]), scores.col(i),
        RowType());
  }
  return losses;
}

template<typename MatType, typename LossType>
RefineFunction<MatType, LossType> GBNN<MatType, LossType>::RefineObjective(
    const Training& run,
    const RowType& weights,
    const arma::uvec* points,
    const size_t total,
    const bool allUnitsOnly) const
{
  auto cuts = refinement.CutsUpTo(run.network.Units(), total);
  if (allUnitsOnly)
  {
    std::fill(cuts.weights.begin(), cuts.weights.end(), 0.0);
    cuts.weights.back() = 1;
  }
  return NestedObjective(run, run.loss, run.targets, weights, points, cuts,
      allUnitsOnly ? 0 : refinement.l2);
}

template<typename MatType, typename LossType>
template<typename AnyLossType>
RefineFunction<MatType, AnyLossType> GBNN<MatType, LossType>::NestedObjective(
    const Training& run,
    const AnyLossType& loss,
    const MatType& targets,
    const RowType& weights,
    const arma::uvec* points,
    const GBNNRefinement::Cuts& cuts,
    const double l2)
{
  MatType start(targets.n_rows, targets.n_cols);
  start.each_col() = loss.Start(targets, run.weights);
  const double lossUnit = 2 * loss.Value(targets, start, run.weights);
  const double unit = loss.ScoreUnit(targets, run.weights);
  // Where all targets are the same, any unit will do.
  const bool usable = (lossUnit > 0 && unit > 0);
  return RefineFunction<MatType, AnyLossType>(run.data, targets, weights,
      points, run.network, loss, usable ? unit : 1, usable ? lossUnit : 1,
      cuts.units, cuts.weights, l2,
      gbnn::Random(run.seed, (size_t(1) << 62) + 1));
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename CallbacksType>
size_t GBNN<MatType, LossType>::RefineRun(Training& run,
                                          OptimizerType& optimizer,
                                          CallbacksType& callbacks) const
{
  if (run.network.Units() == 0 || refinement.iterations == 0)
    return 0;
  gbnn::RefinePlan plan;
  if (refinement.validationFraction > 0)
    plan = PlanRefinement(run, optimizer, callbacks);
  else
  {
    for (size_t phase = 0; phase < refinement.phases.size(); ++phase)
      plan.iterations.push_back(refinement.PhaseIterations(phase));
    plan.distil = true;
  }

  size_t iterations = 0;
  if (!plan.iterations.empty())
    iterations = FollowPlan(run, plan, optimizer, callbacks);
  if (plan.distil && !callbacks.Stopped())
    Distil(run, plan.mostLoss, callbacks);
  return iterations;
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename CallbacksType>
size_t GBNN<MatType, LossType>::FollowPlan(Training& run,
                                           gbnn::RefinePlan& plan,
                                           OptimizerType& optimizer,
                                           CallbacksType& callbacks) const
{
  BoostedNetwork<MatType> boosted = run.network;
  double iterations = 0;
  RefinePhases(run, PhaseUnits(boosted), [&](const size_t phase)
  {
    const double share = refinement.phases[phase];
    const double temperature = (share == 1) ? plan.temperature : 1;
    if (plan.iterations[phase] == 0 && temperature == 1)
      return;
    auto function = RefineObjective(run, run.weights, &run.candidates,
        boosted.Units());
    size_t done = 0;
    MatType parameters = RefineRounds(function, plan.iterations[phase],
        [&](const size_t soFar, const MatType&) { done = soFar; return true; },
        optimizer, callbacks);
    function.Cool(parameters, temperature);
    function.Update(parameters, run.network);
    iterations += share * double(done);
  }, callbacks);
  // What went well without the points held out may go wrong with them, if an
  // optimizer is at the edge of what its steps allow; or a callback stops it.
  Rescore(run);
  if (run.network.Units() < boosted.Units() ||
      !(run.losses.back() <= plan.mostLoss))
  {
    plan.distil = false;
    run.network = std::move(boosted);
    Rescore(run);
    return 0;
  }
  return std::min(refinement.iterations, size_t(std::ceil(iterations)));
}

template<typename MatType, typename LossType>
template<typename CallbacksType>
bool GBNN<MatType, LossType>::Distil(Training& run,
                                     const double mostLoss,
                                     CallbacksType& callbacks) const
{
  const size_t units = run.network.Units();
  const auto cuts = refinement.CutsUpTo(units, units);
  if (refinement.distilIterations == 0 || cuts.weights.back() == 1)
    return false;
  MatType scores;
  run.network.Evaluate(run.data, units, scores);
  if (!scores.is_finite())
    return false;
  const double most = std::max(mostLoss, 1.05 * run.loss.Value(run.targets,
      scores, run.weights));

  BoostedNetwork<MatType> untaught = run.network;
  const SquaredErrorLoss distance;
  auto function = NestedObjective(run, distance, scores, run.weights,
      &run.candidates, cuts, 0);
  ens::L_BFGS optimizer = RefineOptimizer();
  MatType last = function.InitialPoint();
  const MatType parameters = RefineRounds(function, refinement.distilIterations,
      [&](const size_t, const MatType& now)
      {
        // What has come to rest stays there.
        const bool moves = arma::any(arma::vectorise(now != last));
        last = now;
        return moves;
      }, optimizer, callbacks);
  function.Update(parameters, run.network);
  Rescore(run);
  if (!callbacks.Stopped() && run.losses.back() <= most)
    return true;
  run.network = std::move(untaught);
  Rescore(run);
  return false;
}

template<typename MatType, typename LossType>
std::vector<size_t> GBNN<MatType, LossType>::PhaseUnits(
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

template<typename MatType, typename LossType>
template<typename RefineType, typename CallbacksType>
void GBNN<MatType, LossType>::RefinePhases(Training& run,
                                           const std::vector<size_t>& units,
                                           const RefineType& refine,
                                           CallbacksType& callbacks) const
{
  size_t stages = run.network.Stages();
  while (stages > 1 && run.network.UnitsOfStages(stages) > units.front())
    --stages;
  run.network.Truncate(stages);
  for (size_t phase = 0; phase < units.size() && !callbacks.Stopped(); ++phase)
  {
    // Of phases that end with the same stage, as in small networks, the last.
    if (phase + 1 < units.size() && units[phase] == units[phase + 1])
      continue;
    Rescore(run);
    AddRefineStages(run, units[phase], callbacks);
    if (!callbacks.Stopped())
      refine(phase);
  }
}

template<typename MatType, typename LossType>
template<typename CallbacksType>
void GBNN<MatType, LossType>::AddRefineStages(Training& run,
                                              const size_t units,
                                              CallbacksType& callbacks) const
{
  // Being watched has its price.
  StageOptimizer stageOptimizer;
  if constexpr (CallbacksType::Any)
    AddStages(run, units, stageOptimizer, callbacks);
  else
    AddStages(run, units, stageOptimizer);
}

template<typename MatType, typename LossType>
template<typename FunctionType, typename GoOnType, typename OptimizerType,
         typename CallbacksType>
MatType GBNN<MatType, LossType>::RefineRounds(
    FunctionType& function,
    const size_t iterations,
    const GoOnType& goOn,
    OptimizerType& optimizer,
    CallbacksType& callbacks) const
{
  MatType parameters = function.InitialPoint();
  bool more = (iterations > 0);
  for (size_t done = 0; more; )
  {
    const size_t size = std::min(refinement.roundIterations, iterations - done);
    gbnn::RefineRound round(size);
    // A copy: ensmallen's L_BFGS stays stopped once a callback has stopped it.
    OptimizerType roundOptimizer(optimizer);
    RefineCoordinates<FunctionType, MatType> step(function, parameters,
        std::is_same_v<OptimizerType, ens::L_BFGS>);
    MatType coordinates = step.InitialPoint();
    roundOptimizer.Optimize(step, coordinates, round, callbacks);
    parameters = step.Parameters(coordinates);
    if (!parameters.is_finite())
    {
      throw std::runtime_error("GBNN: the optimizer of the refinement "
          "diverged; try a smaller step size");
    }
    function.L2() *= refinement.l2Decay;
    done += size;
    more = goOn(done, parameters) && done < iterations &&
        !callbacks.Stopped();
  }
  return parameters;
}

} // namespace mlpack

#endif
