/**
 * @file methods/gbnn/refinement/refinement.hpp
 *
 * How the network that boosting made is refined as a whole.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_REFINEMENT_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_REFINEMENT_HPP

#include <mlpack/prereqs.hpp>

#include "../compute/require_version.hpp"

namespace mlpack {

/**
 * The settings of nested refinement: after boosting, all weights are trained
 * further together, on the sum of the losses that the network has when it is
 * cut at several numbers of units.  Because every cut counts, the last units
 * can still be switched off.
 *
 * An L2 penalty pulls the weights to zero, firmly at first and then, round by
 * round, less so; for classes, hidden weights more than output weights, since
 * units of small weights are smooth.  Where that pays, until the points are
 * fitted too closely, it is also tried how far one gets if the penalty on
 * hidden weights stays.
 *
 * Refinement may also begin before boosting ends: in phases, each of which
 * refines the first units and is followed by stages that are boosted anew from
 * there, as in fully corrective boosting.
 *
 * How far that goes is decided on points that are held out: a second network is
 * boosted and refined without them, and the round of a phase after which their
 * loss is least is the one after which that phase ends for the network itself,
 * on all points.  Where these points are few and not clear about it, other
 * networks without others of them decide, too.  If in the end their loss is not
 * clearly less than that of boosting alone, the network is not refined.
 *
 * Refined or not, a network for responses is then distilled: its parts, up to
 * each cut, learn to say what all units say.  That, too, must not be a loss for
 * the points held out.
 */
struct GBNNRefinement
{
  //! Most iterations with all units, twice as many for those that tryConstantL2
  //! tries; 0 means no refinement and no distillation, the paper's method
  //! exactly.  Each phase before the last may take half as long; see
  //! PhaseIterations().
  size_t iterations = 96;
  //! Iterations of a round.
  size_t roundIterations = 16;
  //! Where phases end, as shares of the units, ascending; the last one is 1.
  std::vector<double> phases = { 1.0 };
  //! L2 regularization of the hidden weights in the first round of a phase,
  //! divided by the number of points.
  double l2 = 0.35;
  //! That of the output weights, relative to it.
  double outputL2 = 0.1;
  //! What both are multiplied by from round to round, in (0, 1].
  double l2Decay = 0.3;
  //! Where refinement pays until it fits too closely, try whether it pays more
  //! if only that of the output weights decays, so that the network stays
  //! smooth, in up to twice as many iterations; points held out decide, so not
  //! without them.
  bool tryConstantL2 = true;
  //! Where the network is cut, as shares of its units, ascending; the last one
  //! is 1.
  std::vector<double> cuts = Parts(8);
  //! How much the loss of each cut counts, relative to the others.
  std::vector<double> cutWeights = BySize(cuts);
  //! Iterations of distillation; 0 for none.
  size_t distillIterations = 0;
  //! Share of the points that is held out to decide when to stop, in (0, 1);
  //! with 0, all iterations are done.
  double validationFraction = 0.2;
  //! Few points decide badly.  So another such share is held out of another
  //! trial, and one more, until so many points have been, unless the first
  //! share has two fifths of them and is clear.
  size_t validationPoints = 200;
  //! It is if its loss does not fall at all, or by so many standard errors of
  //! its fall (and by minGain); at least 0.  With infinity, only a loss that
  //! does not fall is clear.
  double clearGain = 2;
  //! Stop after so many iterations that brought nothing to the held out points,
  //! unless their loss falls again, fast enough to become the least one yet;
  //! twice as many in phases before the last.
  size_t patience = 32;
  //! The loss of the points held out must fall by so many standard errors of
  //! its fall for the network to be refined at all; at least 0.  What chance
  //! alone may bring is not worth it.
  double minGain = 0.5;

  /**
   * What is used for responses instead of classes.  These can be fitted closely
   * without getting too sure of them, so less L2 will do; and since a part of a
   * sum is no good guess of the whole, unlike a part of the votes for classes,
   * the network is cut in more places, refined whenever its units have doubled,
   * and distilled.  With so little L2, little depends on how often it decays,
   * and longer rounds get farther.
   */
  static GBNNRefinement ForResponses()
  {
    GBNNRefinement result;
    result.roundIterations = 32;
    result.phases = { 0.125, 0.25, 0.5, 1.0 };
    result.l2 = 0.003;
    result.outputL2 = 1;
    result.tryConstantL2 = false;
    result.cuts = Parts(16);
    result.cutWeights = BySize(result.cuts);
    result.distillIterations = 32;
    return result;
  }

  //! Cuts after equal parts of the units.
  static std::vector<double> Parts(const size_t number)
  {
    std::vector<double> result(number);
    for (size_t c = 0; c < number; ++c)
      result[c] = double(c + 1) / double(number);
    return result;
  }

  //! Weights of cuts that grow with the units.  Less than a quarter of these
  //! can say little, and should not learn it at the cost of the others.
  static std::vector<double> BySize(std::vector<double> shares)
  {
    for (double& share : shares)
      share *= (share < 0.25) ? 0.0625 : 1;
    return shares;
  }

  //! Throw std::invalid_argument unless the settings make sense.
  void Check(const std::string& name) const
  {
    const auto require = [&](const bool condition, const std::string& what)
    {
      if (!condition)
        throw std::invalid_argument(name + ": " + what);
    };
    require(l2 >= 0 && std::isfinite(l2), "L2 regularization of the refinement "
        "(" + std::to_string(l2) + ") must not be negative");
    require(outputL2 >= 0 && std::isfinite(outputL2), "L2 regularization of "
        "output weights in the refinement (" + std::to_string(outputL2) +
        ") must not be negative");
    require(validationFraction >= 0 && validationFraction < 1, "share of "
        "points held out for the refinement (" +
        std::to_string(validationFraction) + ") must be at least 0 and less "
        "than 1");
    require(minGain >= 0 && std::isfinite(minGain), "least gain of the "
        "refinement (" + std::to_string(minGain) + ") must not be negative");
    require(clearGain >= 0, "gain that is clear to one share of the points "
        "held out (" + std::to_string(clearGain) + ") must not be negative");
    require(patience > 0, "patience of the refinement (0) must be at least 1");
    require(roundIterations > 0, "iterations of a round of the refinement (0) "
        "must be at least 1");
    require(l2Decay > 0 && l2Decay <= 1, "decay of the refinement's L2 (" +
        std::to_string(l2Decay) + ") must be greater than 0 and at most 1");
    require(!cuts.empty() && cuts.size() == cutWeights.size(), "there are " +
        std::to_string(cuts.size()) + " cuts for the refinement and " +
        std::to_string(cutWeights.size()) + " weights of them; there must be "
        "as many, and one at least");
    require(AreShares(cuts), "cuts of the refinement must be greater than 0, "
        "ascending, and end with 1");
    for (const double weight : cutWeights)
    {
      require(weight >= 0 && std::isfinite(weight), "weights of cuts must not "
          "be negative");
    }
    require(cutWeights.back() > 0, "the last cut of the refinement, all units, "
        "must have a weight");
    require(AreShares(phases), "phases of the refinement must be greater than "
        "0, ascending, and end with 1");
  }

  //! Most iterations of a phase: `iterations` of the last one, and of others so
  //! many that they take half as long.
  size_t PhaseIterations(const size_t phase) const
  {
    if (phase + 1 == phases.size())
      return iterations;
    return size_t(std::min(double(iterations) / (2 * phases[phase]), 1e9));
  }

  //! The patience of a phase: twice that of the last one in those before it,
  //! where it takes less time and where what is missed is missed for good.
  size_t PhasePatience(const size_t phase) const
  {
    return (phase + 1 == phases.size()) ? patience : Twice(patience);
  }

  //! Twice a patience, which may be without end.
  static size_t Twice(const size_t patience)
  {
    return std::max(patience, 2 * patience);
  }

  //! Where a network is cut, in units, and what each cut counts; that adds up
  //! to 1.
  struct Cuts
  {
    std::vector<size_t> units;
    std::vector<double> weights;

    //! Make the weights add up to 1.
    void Normalize()
    {
      const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
      for (double& weight : weights)
        weight /= sum;
    }
  };

  //! The cuts of the first units of a network that will have this many in
  //! total, and their end; cuts at the same unit are one.
  Cuts CutsUpTo(const size_t units, const size_t total) const
  {
    Cuts result;
    const auto add = [&](const size_t unit, const double weight)
    {
      if (result.units.empty() || result.units.back() != unit)
      {
        result.units.push_back(unit);
        result.weights.push_back(0);
      }
      result.weights.back() += weight;
    };
    size_t c = 0;
    for ( ; c + 1 < cuts.size(); ++c)
    {
      const double cut = std::max(1.0, std::round(cuts[c] * double(total)));
      if (cut >= double(units))
        break;
      add(size_t(cut), cutWeights[c]);
    }
    // A cut that does not count is no reason for the end not to.
    add(units, (cutWeights[c] > 0) ? cutWeights[c] : cutWeights.back());
    result.Normalize();
    return result;
  }

  //! Whether these are shares of the units, ascending, up to all of them.
  static bool AreShares(const std::vector<double>& shares)
  {
    double last = 0;
    for (const double share : shares)
    {
      // Written so that NaN fails too.
      if (!(share > last && share <= 1))
        return false;
      last = share;
    }
    return last == 1;
  }

  //! Serialize the settings.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version)
  {
    gbnn::RequireVersion("GBNNRefinement", version, 7);
    ar(CEREAL_NVP(iterations));
    ar(CEREAL_NVP(roundIterations));
    ar(CEREAL_NVP(l2));
    ar(CEREAL_NVP(l2Decay));
    ar(CEREAL_NVP(cuts));
    ar(CEREAL_NVP(cutWeights));
    ar(CEREAL_NVP(validationFraction));
    ar(CEREAL_NVP(patience));
    ar(CEREAL_NVP(minGain));
    ar(CEREAL_NVP(distillIterations));
    ar(CEREAL_NVP(validationPoints));
    ar(CEREAL_NVP(outputL2));
    ar(CEREAL_NVP(tryConstantL2));
    ar(CEREAL_NVP(clearGain));
    ar(CEREAL_NVP(phases));
  }
};

} // namespace mlpack

CEREAL_CLASS_VERSION(mlpack::GBNNRefinement, 7);

#endif
