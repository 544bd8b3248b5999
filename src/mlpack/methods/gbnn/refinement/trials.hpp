/**
 * @file methods/gbnn/refinement/trials.hpp
 *
 * Trials of a refinement: what the points say that were held out of them.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_TRIALS_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_TRIALS_HPP

#include <deque>

#include "nested_objective.hpp"
#include "refine_plan.hpp"

namespace mlpack {
namespace gbnn {

//! RunType without some of the points, which are held out.
template<typename RunType>
struct Trial
{
  using MatType = typename RunType::MatType;
  using LossType = typename RunType::LossType;
  using RowType = typename RunType::RowType;
  using Trials = std::deque<Trial>;

  Trial(const RunType& run, const arma::uvec& heldOut);
  Trial(const Trial&) = delete;

  //! The loss of the points held out, for classes at the best temperature.
  Tempered Judge(const MatType& scores) const;
  //! The same, point by point.
  arma::rowvec Losses(const MatType& scores) const;

  //! The losses of the points that trials hold out, one by one, for classes at
  //! the best temperature of each trial.
  static arma::rowvec HeldOutLosses(const Trials& trials);
  //! Weights of these points; empty if all weigh the same.
  static RowType HeldWeights(const Trials& trials);

  arma::uvec heldOut;
  //! Targets and weights of the points held out; no weights if all weigh the
  //! same.
  MatType heldTargets;
  RowType heldWeights;
  //! Weights of all points, and those of the points that are left.
  const RowType& weights;
  RowType others;
  RunType run;
  //! The network before it is refined.
  BoostedNetwork<MatType> boosted;
  //! Its rounds so far, which are not done twice.
  RoundCache<MatType> rounds;
};

//! Objectives for the networks of trials as they are, and what the points held
//! out say of any parameters of theirs.
template<typename RunType>
struct TrialRounds
{
  using MatType = typename RunType::MatType;
  using LossType = typename RunType::LossType;
  using Trials = std::deque<Trial<RunType>>;

  //! Networks will have `total` units in the end.
  TrialRounds(const GBNNRefinement& refinement,
              Trials& trials,
              const size_t total);
  TrialRounds(const TrialRounds&) = delete;

  //! Whether the points held out clearly gain by other parameters.
  bool IsClearGain(const std::vector<MatType>& parameters) const;
  //! The mean loss of the trials, and of their temperatures.
  Tempered Judge(const std::vector<MatType>& parameters) const;
  //! The losses of all points held out, one by one.
  arma::rowvec Losses(const std::vector<MatType>& parameters) const;

  const GBNNRefinement& refinement;
  const Trials& trials;
  //! On the points held out, and on the others.
  std::deque<NestedFunction<MatType, LossType>> held, functions;
  //! The latter, and the rounds of each.
  std::vector<NestedFunction<MatType, LossType>*> pointers;
  std::vector<RoundCache<MatType>*> caches;
  //! The parameters of the networks.
  std::vector<MatType> start;
};

template<typename RunType>
Trial<RunType>::Trial(const RunType& whole,
                                      const arma::uvec& heldOut) :
    heldOut(heldOut),
    heldTargets(whole.targets.cols(heldOut)),
    heldWeights(whole.weights.is_empty() ? RowType() :
        RowType(whole.weights.cols(heldOut))),
    weights(whole.weights),
    others([&]()
    {
      RowType result = whole.weights;
      if (result.is_empty())
        result.ones(whole.data.n_cols);
      result.elem(heldOut).zeros();
      return result;
    }()),
    run(whole.data, whole.targets, others, whole.loss, whole.seed,
        BoostedNetwork<MatType>(whole.data.n_rows, whole.loss.Start(
        whole.targets, others), whole.network.Activation(),
        whole.network.Pieces())),
    boosted(run.network)
{ }

template<typename RunType>
Tempered Trial<RunType>::Judge(
    const MatType& scores) const
{
  if constexpr (TakesLabels<LossType, MatType>)
    return BestTemperature(run.loss, heldTargets, scores, heldWeights);
  else
    return { 1, run.loss.Value(heldTargets, scores, heldWeights) };
}

template<typename RunType>
arma::rowvec Trial<RunType>::Losses(const MatType& scores) const
{
  using ElemType = typename MatType::elem_type;
  const MatType tempered = scores / ElemType(Judge(scores).temperature);
  arma::rowvec losses(scores.n_cols);
  for (size_t i = 0; i < scores.n_cols; ++i)
  {
    losses[i] = run.loss.Value(heldTargets.col(i), tempered.col(i),
        RowType());
  }
  return losses;
}

template<typename RunType>
arma::rowvec Trial<RunType>::HeldOutLosses(
    const Trials& trials)
{
  arma::rowvec losses;
  for (const Trial& trial : trials)
  {
    const BoostedNetwork<MatType>& network = trial.run.network;
    MatType scores;
    network.Evaluate(trial.run.data.cols(trial.heldOut), network.Units(),
        scores);
    losses = arma::join_rows(losses, trial.Losses(scores));
  }
  return losses;
}

template<typename RunType>
typename Trial<RunType>::RowType
Trial<RunType>::HeldWeights(const Trials& trials)
{
  RowType weights;
  for (const Trial& trial : trials)
    weights = arma::join_rows(weights, trial.heldWeights);
  return weights;
}

template<typename RunType>
TrialRounds<RunType>::TrialRounds(const GBNNRefinement& refinement,
                                  Trials& trials,
                                  const size_t total) :
    refinement(refinement), trials(trials)
{
  for (Trial<RunType>& trial : trials)
  {
    held.push_back(RefineObjective(refinement, trial.run, trial.weights,
        &trial.heldOut, total));
    functions.push_back(RefineObjective(refinement, trial.run, trial.others,
        &trial.run.candidates, total));
    pointers.push_back(&functions.back());
    caches.push_back(&trial.rounds);
    start.push_back(functions.back().InitialPoint());
  }
}

template<typename RunType>
Tempered TrialRounds<RunType>::Judge(
    const std::vector<MatType>& parameters) const
{
  double sum = 0, value = 0, logarithm = 0;
  for (size_t t = 0; t < trials.size(); ++t)
  {
    const Tempered loss = trials[t].Judge(held[t].Scores(parameters[t]));
    const double weight = held[t].TotalWeight();
    sum += weight;
    value += weight * loss.value;
    logarithm += weight * std::log(loss.temperature);
  }
  return { std::exp(logarithm / sum), value / sum };
}

template<typename RunType>
bool TrialRounds<RunType>::IsClearGain(
    const std::vector<MatType>& parameters) const
{
  return gbnn::IsClearGain(arma::rowvec(Losses(start) - Losses(parameters)),
      Trial<RunType>::HeldWeights(trials), refinement.minGain);
}

template<typename RunType>
arma::rowvec TrialRounds<RunType>::Losses(
    const std::vector<MatType>& parameters) const
{
  arma::rowvec losses;
  for (size_t t = 0; t < trials.size(); ++t)
  {
    losses = arma::join_rows(losses, trials[t].Losses(held[t].Scores(
        parameters[t])));
  }
  return losses;
}

} // namespace gbnn
} // namespace mlpack

#endif
