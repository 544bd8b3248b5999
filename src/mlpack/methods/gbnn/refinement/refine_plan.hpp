/**
 * @file methods/gbnn/refinement/refine_plan.hpp
 *
 * What decides how far a refinement goes, and watches over it.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_REFINE_PLAN_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_REFINE_PLAN_HPP

#include <array>

#include <mlpack/prereqs.hpp>

#include "refinement.hpp"
#include "temperature.hpp"

namespace mlpack {
namespace gbnn {

/**
 * Whether the mean of some gains is greater than so many of its standard
 * errors.
 *
 * @param gains What is gained, point by point.
 * @param weights Weights of the points; empty if all weigh the same.
 * @param standardErrors How many.
 */
template<typename RowType>
bool IsClearGain(const arma::rowvec& gains,
                 const RowType& weights,
                 const double standardErrors)
{
  arma::rowvec shares(gains.n_elem, arma::fill::ones);
  if (!weights.is_empty())
    shares = arma::conv_to<arma::rowvec>::from(weights);
  shares /= arma::accu(shares);
  const double mean = arma::dot(shares, gains);
  // What was infinite and is no more.
  if (std::isinf(mean))
    return mean > 0;
  const double error = arma::norm(shares % (gains - mean));
  return mean > standardErrors * error && mean > 0;
}

/**
 * Whether the losses of some points may change so: they are as finite as they
 * were, and their mean has risen neither clearly, by two standard errors, nor
 * by more than a twentieth.
 *
 * @param before Losses of the points.
 * @param after What becomes of them.
 * @param weights Weights of the points; empty if all weigh the same.
 */
template<typename RowType>
bool IsNoLoss(const arma::rowvec& before,
              const arma::rowvec& after,
              const RowType& weights)
{
  const arma::rowvec rise = after - before;
  return rise.is_finite() && !IsClearGain(rise, weights, 2) &&
      !IsClearGain(arma::rowvec(after - 1.05 * before), weights, 0);
}

//! How a phase of a refinement goes.
struct RefinePhase
{
  //! How many iterations it takes, or at most.
  size_t iterations = 0;
  //! Whether the L2 of hidden weights stays what it is in the first round.
  bool constantL2 = false;
};

//! How far a refinement goes.
struct RefinePlan
{
  //! How each phase goes; none means no refinement.
  std::vector<RefinePhase> phases;
  //! What all scores are divided by at the end, at least 1.
  double temperature = 1;
  //! Whether to distill the network afterwards.
  bool distill = false;
  //! The loss that points held out had before; what was trained on must not end
  //! with more.
  double maxLoss = std::numeric_limits<double>::max();

  //! The first phase with anything to do, or the last one.
  size_t FirstPhase() const
  {
    size_t phase = 0;
    while (phase + 1 < phases.size() && phases[phase].iterations == 0)
      ++phase;
    return phase;
  }
};

//! The share of the units that says something of what all of them will do.
constexpr double minShare = 0.25;

//! What to do after a phase of a trial that is not its last.
enum class AfterPhase { goOn, beginAnew, stop };

/**
 * A quarter of the units or more, if refined, does better than all that are
 * only boosted; otherwise those that follow will not, either.  If it is not
 * clear which, this data needs many units: it is better to begin with more of
 * them, just boosted, than to build on few.  That is done once; then those that
 * were begun with need only do better at all.
 *
 * @param gains What the points held out gain by the phases so far.
 * @param weights Weights of these points; empty if all weigh the same.
 * @param share The share of the units that there are.
 * @param isAnew Whether this was begun anew already.
 */
template<typename RowType>
AfterPhase WhatAfterPhase(const arma::rowvec& gains,
                          const RowType& weights,
                          const double share,
                          const bool isAnew)
{
  const double clear = isAnew ? 0 : 1;
  if (share < minShare || IsClearGain(gains, weights, clear))
    return AfterPhase::goOn;
  if (isAnew || IsClearGain(arma::rowvec(-gains), weights, clear))
    return AfterPhase::stop;
  return AfterPhase::beginAnew;
}

/**
 * Finds the round of a phase after which the loss of points that are held out
 * is least; and, if rounds that begin as these did race against them, whether
 * it is one of those.
 *
 * @tparam ParametersType What to keep of that round.
 */
template<typename ParametersType>
class BestRound
{
 public:
  /**
   * @param maximum Iterations that all rounds take at most.
   * @param patience Iterations to wait for a smaller loss.
   * @param parameters Parameters before the first round.
   * @param loss The loss that they have, and the temperature for it.
   */
  BestRound(const size_t maximum,
               const size_t patience,
               const ParametersType& parameters,
               const Tempered& loss) :
      maximum(maximum), patience(patience), ahead(0), iterations(0),
      parameters(parameters), loss(loss), wonRace(false), done(0),
      last(loss.value)
  { }

  /**
   * Consider a round; returns whether to go on.  A loss that falls again, so
   * fast that it may still become the least one, is waited for; in a race, only
   * being ahead counts.
   *
   * @param upTo Number of iterations up to its end.
   * @param candidate Parameters there.
   * @param now The loss that they have, and the temperature for it.
   */
  bool Add(const size_t upTo,
           const ParametersType& candidate,
           const Tempered& now)
  {
    const bool race = !rivals.empty();
    const size_t round = losses.size();
    if (now.value < (race ? rivals[std::min(round, rivals.size() - 1)] :
        loss.value))
      ahead = upTo;
    if (now.value < loss.value)
    {
      loss = now;
      iterations = upTo;
      parameters = candidate;
      wonRace = race;
    }
    const double before = losses.empty() ?
        std::numeric_limits<double>::infinity() : losses.back();
    losses.push_back(now.value < before ? now.value : before);
    const double left = double(maximum) - double(upTo);
    const double slope = (last - now.value) / double(upTo - done);
    done = upTo;
    last = now.value;
    return upTo - ahead < patience || (!race && slope > 0 &&
        now.value - left * slope < loss.value);
  }

  //! Whether the loss has risen since it was least, by more than 3 %; if not,
  //! less L2 was better all the time.
  bool HasRisen() const
  {
    // Written so that NaN has risen, too.
    return !(last - loss.value <= 0.03 * std::abs(loss.value));
  }

  /**
   * The rounds from here on are others: after a first one that they share, they
   * must do better than those before did after as many.  There is twice the
   * patience with them, since they are slow at first.
   *
   * @param first Number of iterations of the first one.
   */
  void Race(const size_t first)
  {
    rivals = std::move(losses);
    losses.assign(1, rivals.front());
    ahead = done = first;
    patience = GBNNRefinement::Twice(patience);
  }

  //! Where the loss was least, and whether that was in a race.
  size_t Iterations() const { return iterations; }
  const ParametersType& Parameters() const { return parameters; }
  const Tempered& Loss() const { return loss; }
  bool WonRace() const { return wonRace; }

 private:
  size_t maximum;
  size_t patience;
  //! Iterations up to the last round that did well.
  size_t ahead;
  size_t iterations;
  ParametersType parameters;
  Tempered loss;
  bool wonRace;
  //! Iterations up to the round before, and the loss after it.
  size_t done;
  double last;
  //! The least loss of the rounds up to each, and that of the other rounds.
  std::vector<double> losses, rivals;
};

/**
 * Remembers rounds of a refinement: one that begins as another did ends as it
 * did.
 */
template<typename MatType>
class RoundCache
{
 public:
  //! What a round depends on, beside where it begins.
  using Settings = std::array<double, 3>;

  /**
   * Do a round, or recall what came of it.
   *
   * @param settings What it depends on.
   * @param parameters Where it begins; become where it ends.
   * @param round Called with these to do it.
   */
  template<typename RoundType>
  void Round(const Settings& settings,
             MatType& parameters,
             const RoundType& round)
  {
    for (const Past& past : rounds)
    {
      if (past.settings == settings && past.start.n_elem == parameters.n_elem &&
          std::equal(parameters.begin(), parameters.end(), past.start.begin()))
      {
        parameters = past.end;
        return;
      }
    }
    Past now{ settings, learns ? parameters : MatType(), MatType() };
    round(parameters);
    if (learns)
    {
      now.end = parameters;
      rounds.push_back(std::move(now));
    }
  }

  //! Whether rounds that are done are remembered.
  bool& Learns() { return learns; }

 private:
  struct Past
  {
    Settings settings;
    MatType start, end;
  };

  std::vector<Past> rounds;
  bool learns = false;
};

/**
 * An ensmallen callback that ends a round of the refinement after some
 * iterations: the optimizer's steps, or its epochs if it has any.
 */
class RefineRound
{
 public:
  //! A round of at most so many iterations.
  RefineRound(const size_t iterations) :
      iterations(iterations), done(0), hasEpochs(false)
  { }

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
  size_t done;
  bool hasEpochs;
};

} // namespace gbnn
} // namespace mlpack

#endif
