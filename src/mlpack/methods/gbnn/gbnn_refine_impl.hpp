/**
 * @file methods/gbnn/gbnn_refine_impl.hpp
 *
 * Implementation of the refinement of a boosted network: how far it should go,
 * its phases and their rounds.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_GBNN_REFINE_IMPL_HPP
#define MLPACK_METHODS_GBNN_GBNN_REFINE_IMPL_HPP

#include "gbnn.hpp"

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
  double value = run.losses.back();
  refinedIterations = RefineRun(run, optimizer, watching);
  network = std::move(run.network);
  if (refinedIterations > 0)
  {
    network.Evaluate(data, network.Units(), run.scores);
    value = loss.Value(targets, run.scores, weights);
  }
  return value;
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

  // Whatever fewer units gain, all of them must not lose.
  using FunctionType = RefineFunction<MatType, LossType>;
  const auto judge = [](const FunctionType& f, const MatType& parameters)
  {
    if constexpr (gbnn::TakesLabels<LossType, MatType>)
      return f.BestTemperature(parameters);
    else
      return gbnn::Tempered{ 1, double(f.Evaluate(parameters)) };
  };
  const auto boosted = RefineObjective(trial, run.weights, &heldOut, 1, true);
  const gbnn::Tempered start = judge(boosted, boosted.InitialPoint());
  const arma::rowvec before = PointLosses(trial, heldOut, start.temperature);
  gbnn::RefinePlan plan;
  plan.mostLoss = start.value;
  RefinePhases(trial, [&](const size_t phase, const double share)
  {
    const auto held = RefineObjective(trial, run.weights, &heldOut, share,
        true);
    auto function = RefineObjective(trial, others, &trial.candidates, share);
    gbnn::RefineChoice<MatType> choice(refinement.patience,
        function.InitialPoint(), judge(held, function.InitialPoint()));
    RefineRounds(function, refinement.PhaseIterations(phase),
        [&](const size_t iterations, const MatType& parameters)
        {
          return choice.Add(iterations, parameters, judge(held, parameters));
        }, optimizer, callbacks);
    if (choice.Iterations() > 0)
      function.Update(choice.Parameters(), trial.network);
    plan.iterations.push_back(choice.Iterations());
    plan.temperature = choice.Loss().temperature;
  }, callbacks);

  const arma::rowvec gains = before - PointLosses(trial, heldOut,
      plan.temperature);
  if (callbacks.Stopped() || !gbnn::IsClearGain(gains, run.weights.is_empty() ?
      RowType() : RowType(run.weights.cols(heldOut)), refinement.leastGain))
    plan.iterations.clear();
  return plan;
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
    const double share,
    const bool allUnitsOnly) const
{
  const GBNNRefinement settings = refinement.UpTo(share);
  std::vector<double> cutWeights = settings.RelativeCutWeights();
  if (allUnitsOnly)
  {
    std::fill(cutWeights.begin(), cutWeights.end(), 0.0);
    cutWeights.back() = 1;
  }
  MatType start(run.targets.n_rows, run.targets.n_cols);
  start.each_col() = run.loss.Start(run.targets, run.weights);
  const double lossUnit = 2 * run.loss.Value(run.targets, start, run.weights);
  const double unit = run.loss.ScoreUnit(run.targets, run.weights);
  // Where all targets are the same, any unit will do.
  const bool usable = (lossUnit > 0 && unit > 0);
  return RefineFunction<MatType, LossType>(run.data, run.targets, weights,
      points, run.network, run.loss, usable ? unit : 1, usable ? lossUnit : 1,
      settings.UnitsAtCuts(run.network.Units()), cutWeights, 0,
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
    for (size_t phase = 0; phase < refinement.phases.size(); ++phase)
      plan.iterations.push_back(refinement.PhaseIterations(phase));
  if (plan.iterations.empty())
    return 0;

  BoostedNetwork<MatType> boosted = run.network;
  double iterations = 0;
  RefinePhases(run, [&](const size_t phase, const double share)
  {
    const double temperature = (share == 1) ? plan.temperature : 1;
    if (plan.iterations[phase] == 0 && temperature == 1)
      return;
    auto function = RefineObjective(run, run.weights, &run.candidates, share);
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
  const auto allUnits = RefineObjective(run, run.weights, &run.candidates, 1,
      true);
  if (run.network.Units() < boosted.Units() ||
      !(allUnits.Evaluate(allUnits.InitialPoint()) <= plan.mostLoss))
  {
    run.network = std::move(boosted);
    return 0;
  }
  return size_t(std::ceil(iterations));
}

template<typename MatType, typename LossType>
template<typename RefineType, typename CallbacksType>
void GBNN<MatType, LossType>::RefinePhases(Training& run,
                                           const RefineType& refine,
                                           CallbacksType& callbacks) const
{
  // Phases end with a stage, of which a small network has fewer.
  const size_t stages = run.network.Stages();
  std::vector<size_t> ends, units;
  for (const double share : refinement.phases)
  {
    ends.push_back(std::max(size_t(1), size_t(std::round(share * stages))));
    units.push_back(run.network.UnitsOfStages(ends.back()));
  }
  run.network.Truncate(ends.front());
  for (size_t phase = 0; phase < ends.size() && !callbacks.Stopped(); ++phase)
  {
    Rescore(run);
    AddRefineStages(run, units[phase], callbacks);
    if (!callbacks.Stopped())
      refine(phase, refinement.phases[phase]);
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
template<typename GoOnType, typename OptimizerType, typename CallbacksType>
MatType GBNN<MatType, LossType>::RefineRounds(
    RefineFunction<MatType, LossType>& function,
    const size_t iterations,
    const GoOnType& goOn,
    OptimizerType& optimizer,
    CallbacksType& callbacks) const
{
  MatType parameters = function.InitialPoint();
  function.L2() = refinement.l2;
  bool more = (iterations > 0);
  for (size_t done = 0; more; )
  {
    const size_t size = std::min(refinement.roundIterations, iterations - done);
    gbnn::RefineRound round(size);
    // A copy: ensmallen's L_BFGS stays stopped once a callback has stopped it.
    OptimizerType roundOptimizer(optimizer);
    RefineCoordinates<RefineFunction<MatType, LossType>, MatType> step(function,
        parameters, std::is_same_v<OptimizerType, ens::L_BFGS>);
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
