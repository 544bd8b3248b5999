/**
 * @file methods/gbnn/gbnn_choice_impl.hpp
 *
 * The choice of inputs, of the number of units and of L2, on points held out.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_GBNN_CHOICE_IMPL_HPP
#define MLPACK_METHODS_GBNN_GBNN_CHOICE_IMPL_HPP

#include "gbnn.hpp"

namespace mlpack {

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
GBNNEncodingChoice GBNN<MatType, LossType>::ChooseEncoding(
    const std::string& name,
    const GBNNChoices& choices,
    const MatType& data,
    const MatType& targets,
    const LossType& newLoss,
    const RowType& weights,
    OptimizerType& optimizer,
    CallbackTypes&... callbacks)
{
  CheckParameters(name, hiddenUnits);
  plannedSeed = 0;
  if (firstNetwork.Outputs() > 0)
  {
    throw std::invalid_argument(name + ": there is a network to begin with, "
        "whose inputs are known; only train");
  }
  const gbnn::OneBlasThread oneBlasThread;
  const RowType used = UsedWeights(weights);
  const GBNNCheckpoint checkpoint = gbnn::CheckpointOf("encoding",
      callbacks...);
  CheckSame(checkpoint, data, targets, weights);
  checkpoint.Check({ { "choice of bins", choices.bins ? "wanted" : "none" },
      { "choice of units", choices.units ? "wanted" : "none" },
      { "choice of L2", choices.l2 ? "wanted" : "none" } });
  const size_t newSeed = checkpoint.Once("seed", NewSeed());
  GBNNEncodingChoice choice;
  choice.bins = choices.bins ? 0 : bins;
  choice.units = hiddenUnits;
  choice.l2 = l2;
  const auto take = [&]()
  {
    bins = choice.bins;
    hiddenUnits = choice.units;
    l2 = choice.l2;
    return choice;
  };
  const auto planned = [&]()
  {
    plan.settings = refinement;
    plan.bins = choice.bins;
    plan.l2 = choice.l2;
    plannedSeed = newSeed;
    return take();
  };
  if (plan.Recall(checkpoint, refinement, choice.bins, choice.units, choice.l2,
      choice.candidates))
  {
    checkpoint.Require("plan", choice.bins <= PiecewiseLinear::Limit() &&
        choice.units > 0 && choice.units <= hiddenUnits &&
        (choice.l2 == l2 || choice.l2 == strongL2));
    return planned();
  }
  const gbnn::TargetSizes<MatType> sizes(newLoss, targets, used);
  MatType targetMemory;
  const MatType& sized = sizes.Divide(targets, targetMemory);
  gbnn::RefineCallbacks<MatType, CallbackTypes...> watching(callbacks...);
  const auto boost = Booster();
  using RefinerType = gbnn::Refiner<Training, decltype(boost), OptimizerType,
      decltype(watching)>;
  const RefinerType refiner(refinement, boost, optimizer, watching);

  //! One encoding and L2: the points, and networks without some of them.
  struct Contestant
  {
    size_t bins;
    gbnn::InputPieces pieces;
    MatType memory;
    std::optional<Training> run;
    typename RefinerType::Trials trials;
    gbnn::RefinePlan plan;
    bool grows = true;
  };
  const auto begin = [&](const size_t number,
                         const double itsL2,
                         Contestant& contestant)
  {
    contestant.bins = number;
    const PiecewiseLinear newEncoding = LearnEncoding(data, used, number);
    contestant.pieces = gbnn::InputPieces(newEncoding.NumBins());
    contestant.run.emplace(Encode(newEncoding, data, contestant.memory),
        sized, used, newLoss, newSeed, BoostedNetwork<MatType>(data.n_rows,
        newLoss.Start(sized, used), activation, contestant.pieces), itsL2);
    contestant.run->checkpoint = checkpoint.Part("contestants").Part(
        std::to_string(number) + " bins, L2 " + gbnn::ExactText(itsL2));
    contestant.trials = refiner.BeginTrials(*contestant.run);
  };
  // A part of the units, in whole stages.
  const auto part = [&](const size_t parts)
  {
    return std::min(hiddenUnits, (hiddenUnits + parts * unitsPerStage - 1) /
        (parts * unitsPerStage) * unitsPerStage);
  };
  // The number of units is doubled while that lowers the loss clearly, from a
  // sixteenth on: all of them are four doublings away.
  const size_t minUnits = choices.units ? part(16) : hiddenUnits;
  const auto boostTo = [&](const size_t units, Contestant& contestant)
  {
    while (contestant.grows && contestant.plan.units < units)
    {
      const size_t next = std::max(minUnits, 2 * contestant.plan.units);
      contestant.grows = refiner.Boost(contestant.trials, std::min(units,
          next), choices.units, contestant.plan);
    }
  };
  const auto tell = [&](const Contestant& contestant)
  {
    choice.candidates.push_back({ contestant.bins, contestant.plan.Loss(),
        contestant.plan.units, contestant.run->l2 });
  };
  // L2 and then how many bins are decided by boosting the first quarter of the
  // units: with two doublings left, those that lose are cheap.
  const size_t firstUnits = part(4);
  Contestant weak, strong, few, many;
  begin(choice.bins, l2, weak);
  if (weak.trials.empty())
    return take();
  boostTo(firstUnits, weak);
  if (choices.l2 && l2 < strongL2)
  {
    begin(choice.bins, strongL2, strong);
    boostTo(firstUnits, strong);
  }
  const bool isStrong = strong.plan.Loss() < weak.plan.Loss();
  Contestant& linear = isStrong ? strong : weak;
  Contestant& otherL2 = isStrong ? weak : strong;
  otherL2.trials.clear();
  if (choices.bins)
  {
    begin(fewBins, linear.run->l2, few);
    begin(manyBins, linear.run->l2, many);
  }
  // Columns of two values are linear anyway.
  const std::vector<size_t>& binsOfFew = few.pieces.Bins();
  const bool hasPieces = std::any_of(binsOfFew.begin(), binsOfFew.end(),
      [](const size_t number) { return number > 1; });
  if (hasPieces)
    boostTo(firstUnits, few);
  if (hasPieces && many.pieces.Bins() != binsOfFew)
    boostTo(firstUnits, many);
  if (watching.Stopped())
    return take();
  Contestant& piecewise = (few.plan.Loss() <= many.plan.Loss()) ? few : many;
  Contestant& other = (&piecewise == &few) ? many : few;
  // Pieces go on, with all units and then with refinement, while they lead.
  const auto leads = [&]()
  {
    return piecewise.plan.Loss() < linear.plan.Loss();
  };
  bool isPiecewise = leads();
  boostTo(hiddenUnits, linear);
  if (isPiecewise)
  {
    boostTo(hiddenUnits, piecewise);
    isPiecewise = leads();
  }
  if (refinement.Iterations() > 0 && refinement.ValidationFraction() > 0)
  {
    if (isPiecewise)
      piecewise.plan = refiner.MakePlan(piecewise.trials);
    linear.plan = isPiecewise ? refiner.MakePlan(linear.trials,
        piecewise.plan.Loss()) : refiner.MakePlan(linear.trials);
  }
  if (watching.Stopped())
    return take();
  tell(linear);
  for (const Contestant* contestant : { &piecewise, &other, &otherL2 })
    if (!contestant->plan.losses.is_empty())
      tell(*contestant);
  isPiecewise = isPiecewise && leads();
  Contestant& chosen = isPiecewise ? piecewise : linear;
  choice.bins = chosen.bins;
  choice.units = chosen.plan.units;
  choice.l2 = chosen.run->l2;
  plan = std::move(chosen.plan);
  checkpoint.Part("contestants").Forget();
  plan.Keep(checkpoint, choice.bins, choice.units, choice.l2,
      choice.candidates);
  return planned();
}

} // namespace mlpack

#endif
