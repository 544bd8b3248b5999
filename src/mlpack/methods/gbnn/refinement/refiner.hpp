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
  //! The loss on the holdout before refinement, above which that on the
  //! training points must not end.
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
 * An ensmallen callback that ends a round of the refinement after some
 * iterations: the optimizer's steps, or its epochs if it has any.
 */
class RefineRound
{
 public:
  //! A round of at most this many iterations.
  RefineRound(const size_t iterations) : iterations(iterations) { }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool BeginEpoch(OptimizerType&, FunctionType&, const MatType&, const size_t,
                  const double)
  {
    hasEpochs = true;
    return false;
  }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool EndEpoch(OptimizerType&, FunctionType&, const MatType&, const size_t,
                const double)
  {
    return ++done >= iterations;
  }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType&, FunctionType&, MatType&)
  {
    return !hasEpochs && ++done >= iterations;
  }

 private:
  size_t iterations;
  size_t done = 0;
  bool hasEpochs = false;
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
  size_t Refine(RunType& run) const
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

  //! Networks without units yet, for boosting without some of the points each;
  //! none if points are too few to hold any out.
  Trials BeginTrials(const RunType& run) const
  {
    // Each trial holds out another share of the points, until that many have
    // been held out.  With 400 instead, 46 tasks took a quarter longer, and 41
    // of them scored the same (fold 0 of experiments/wide, arm64).
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
    const PointScope scope(&run.cut);
    // If few points have most of the weight, the others tell little.
    double worth = 1;
    const GBNNCommunicator* ranks = run.cut.Communicator();
    if (AnyRank(ranks, !run.weights.is_empty()))
    {
      const double largest = MaxOfRanks(ranks, run.weights.is_empty() ? 0 :
          run.weights.max());
      const arma::vec sums = SumOverPoints(run.data.n_cols, run.weights, 2,
          [&](const size_t, const double weight, double* sum)
          {
            sum[0] += weight / largest;
            sum[1] += std::pow(weight / largest, 2);
          });
      worth = std::pow(sums[0], 2) / sums[1] / double(points);
    }
    const size_t number = size_t(std::ceil(wanted / (worth * double(size))));
    Random random(run.seed, RandomStream::REFINEMENT_HOLDOUT);
    for (const arma::uvec& share : StratifiedShares(run.targets, run.candidates,
        refinement.ValidationFraction(), number, random, run.cut))
    {
      trials.emplace_back(run, share);
      trials.back().run.checkpoint = run.checkpoint.Part("trials").Part(
          std::to_string(trials.size()));
    }
    return trials;
  }

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
      if (suits)
        AddStages(trial.run, units, SinglePrecisionOptimizer(single));
      else
        AddStages(trial.run, units, StageOptimizer());
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

  /**
   * Refine the networks of trials as long as the loss of the points held out
   * falls; without rounds if it does not fall clearly.
   *
   * @param trials The trials.
   * @param rival A loss that must be reached, or the plan is of no use.
   */
  RefinePlan MakePlan(Trials& trials,
                      const double rival =
                          std::numeric_limits<double>::infinity()) const
  {
    RefinePlan plan = Judge(trials, true);
    if (trials.empty() || callbacks.Stopped())
      return plan;
    // Stop after this many rounds without a lower loss.  With 3 instead, 44
    // tasks took a tenth longer, and 42 of them scored the same (the same
    // fold).
    const size_t patience = 2;
    // Refinement begins with a higher loss than boosting has ended with.  Give
    // up where three times what the last two rounds have gained would not be
    // enough to get below it: rounds gain less and less.
    const size_t lookBack = 2;
    const double maxGains = 3;
    const double goal = std::min(plan.Loss(), rival);
    size_t r = 0;
    //! After the best round so far.
    RefinePlan best;
    best.maxLoss = std::numeric_limits<double>::infinity();
    //! The lowest loss after each round.
    arma::rowvec path;
    const auto isHopeless = [&]()
    {
      return r > lookBack && best.maxLoss > goal && best.maxLoss - goal >
          maxGains * (path[r - 1 - lookBack] - best.maxLoss);
    };
    const GBNNCheckpoint checkpoint = isLBFGS ? trials.front().run.checkpoint :
        GBNNCheckpoint();
    checkpoint.Recall("judged", r, best.rounds, best.maxLoss, best.temperature,
        best.losses, path);
    checkpoint.Require("judged", path.n_elem == r);
    for (; r < refinement.MaxRounds() && r < best.rounds + patience &&
        !isHopeless() && plan.CanBeBeaten() && !(best.maxLoss <= plan.minGain);
        ++r)
    {
      ForTrials(trials, [&](Trial& trial)
      {
        Round(r, *trial.function, trial.parameters, trial.run.checkpoint);
        trial.isRefined = true;
      });
      if (callbacks.Stopped())
        return plan;
      RefinePlan now = Judge(trials, true);
      now.rounds = r + 1;
      if (now.maxLoss < best.maxLoss)
        best = std::move(now);
      path = arma::join_rows(path, arma::rowvec{ best.maxLoss });
      checkpoint.Keep("judged", r + 1, best.rounds, best.maxLoss,
          best.temperature, best.losses, path);
    }
    if (best.rounds > 0 && plan.IsBeatenBy(best.losses))
    {
      plan.rounds = best.rounds;
      plan.temperature = best.temperature;
      plan.losses = best.losses;
    }
    return plan;
  }

  //! Refine the network of a run as planned; returns the number of iterations.
  size_t Follow(const RefinePlan& plan, RunType& run) const
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
    // An optimizer that converged in the trials may still diverge on all
    // points, or a callback may stop it.
    if (run.losses.back() <= plan.maxLoss)
    {
      return std::min(refinement.Iterations(), plan.rounds *
          refinement.RoundIterations());
    }
    run.network = std::move(boosted);
    run.Rescore();
    return 0;
  }

 private:
  using Trial = gbnn::Trial<RunType>;
  using Function = NestedFunction<MatType, typename RunType::LossType>;

  //! What the points held out say of the networks of trials as they are, at
  //! the best temperature of each if they may be cooled: the mean loss, the
  //! mean of the temperatures, and the losses one by one.
  RefinePlan Judge(const Trials& trials, const bool cool) const
  {
    RefinePlan plan;
    if (trials.empty() || callbacks.Stopped())
      return plan;
    plan.units = trials.front().run.network.Units();
    double weight = 0, value = 0, logarithm = 0;
    for (const Trial& trial : trials)
    {
      arma::rowvec losses;
      const Tempered tempered = trial.Judge(cool, losses);
      const double trialWeight = trial.holdoutFunction->TotalWeight();
      weight += trialWeight;
      value += trialWeight * tempered.value;
      logarithm += trialWeight * std::log(tempered.temperature);
      plan.losses = arma::join_rows(plan.losses, losses);
      plan.weights = arma::join_rows(plan.weights,
          arma::conv_to<arma::rowvec>::from(trial.OfAllRanks(
          trial.holdoutWeights)));
    }
    plan.maxLoss = value / weight;
    plan.temperature = std::exp(logarithm / weight);
    // Of the likelihood of classes, a single parameter is expected to gain 1 by
    // chance, summed over all points (Akaike's criterion).
    if constexpr (TakesLabels<typename RunType::LossType, MatType>)
      plan.minGain = 1 / double(trials.front().run.cut.TotalPoints());
    return plan;
  }

  //! Round r, from 0 on, unless the checkpoint has what it leads to.
  void Round(const size_t r,
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
    function.L2() = refinement.L2() * std::pow(refinement.L2Decay(),
        double(r)) / function.OutputL2();
    RefineRound round(std::min(refinement.RoundIterations(),
        refinement.Iterations() - r * refinement.RoundIterations()));
    // A copy: ensmallen's L_BFGS stays stopped once a callback has stopped it.
    OptimizerType roundOptimizer(optimizer);
    // Single precision, in which units are computed, is enough for L-BFGS if
    // what it minimizes is made for it; others may ask for the model's type.
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

  //! Add stages to the network of a trial.
  template<typename StageOptimizerType>
  void AddStages(RunType& run,
                 const size_t units,
                 StageOptimizerType stageOptimizer) const
  {
    // Being watched has its price.
    if constexpr (CallbacksType::Any)
      boost(run, units, stageOptimizer, callbacks);
    else
      boost(run, units, stageOptimizer);
  }

  //! Call f(t) for each trial unless a callback has asked to stop; each on a
  //! thread of its own if points are few, which several would share badly.
  template<typename FunctionType>
  void ForTrials(Trials& trials, const FunctionType& f) const
  {
    const auto call = [&](const size_t t)
    {
      const PointScope scope(&trials[t].run.cut);
      if (!callbacks.Stopped())
        f(trials[t]);
    };
    // L-BFGS does the same on any thread; others may draw random numbers.
    // Fewer points than this fit in some tens of blocks, too few for several
    // threads (doc/developer/constants.md, threads).  It only decides how work
    // is shared, not what comes out.
    const size_t few = 2000;
    const RunType& first = trials.front().run;
    if (isLBFGS && CallbacksType::AnyThread && !first.cut.Communicator() &&
        (first.data.n_cols < few ||
        trials.size() >= size_t(OneBlasThread::LoopThreads())))
      return InParallel(trials.size(), call);
    for (size_t t = 0; t < trials.size(); ++t)
      call(t);
  }

  //! Each round of L-BFGS begins anew; others may draw random numbers.
  static constexpr bool isLBFGS = std::is_same_v<OptimizerType, ens::L_BFGS>;

  const GBNNRefinement& refinement;
  const BoostType& boost;
  OptimizerType& optimizer;
  CallbacksType& callbacks;
};

} // namespace gbnn
} // namespace mlpack

#endif
