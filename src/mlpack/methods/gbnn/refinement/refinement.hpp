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
 * The settings of refinement: after boosting, all weights are trained further
 * together, on the sum of the losses that the network has when it is cut at
 * several numbers of units.  Because every cut counts, the last units can still
 * be switched off.
 *
 * An L2 penalty pulls the weights to zero, firmly at first.  Round by round it
 * decreases, and each round begins where the one before has ended.  How many
 * rounds there are is decided on points that are held out: other networks are
 * boosted and refined without them, as long as their loss falls, and the
 * network itself then goes as far on all points.  If their loss does not fall
 * clearly, the network stays as boosting made it; only its cuts are scaled (see
 * BoostedNetwork::ScaleCuts()), with the squared error.
 */
class GBNNRefinement
{
 public:
  //! Maximum number of iterations of all rounds; 0 means no refinement, the
  //! paper's method exactly.
  size_t Iterations() const { return iterations; }
  size_t& Iterations() { return iterations; }

  //! Iterations of a round.
  size_t RoundIterations() const { return roundIterations; }
  size_t& RoundIterations() { return roundIterations; }

  //! The most rounds that there may be.
  size_t MaxRounds() const
  {
    return iterations / roundIterations + (iterations % roundIterations > 0);
  }

  //! L2 regularization of the weights in the first round, divided by the
  //! number of points.
  double L2() const { return l2; }
  double& L2() { return l2; }

  //! What it is multiplied by from round to round, in (0, 1].
  double L2Decay() const { return l2Decay; }
  double& L2Decay() { return l2Decay; }

  //! Number of cuts, at equal parts of the units.
  size_t Cuts() const { return cuts; }
  size_t& Cuts() { return cuts; }
  //! The numbers of units that a network of so many is cut at, ascending.
  std::vector<size_t> CutsOf(const size_t units) const
  {
    std::vector<size_t> sizes(std::min(cuts, units));
    for (size_t c = 0; c < sizes.size(); ++c)
      sizes[c] = (c + 1) * units / sizes.size();
    return sizes;
  }

  //! Share of the points that is held out of a trial, in (0, 1); with 0 there
  //! are no trials, and all iterations are done.
  double ValidationFraction() const { return validationFraction; }
  double& ValidationFraction() { return validationFraction; }

  //! Whether all settings are the same.
  bool operator==(const GBNNRefinement& other) const
  {
    return iterations == other.iterations &&
        roundIterations == other.roundIterations && l2 == other.l2 &&
        l2Decay == other.l2Decay && cuts == other.cuts &&
        validationFraction == other.validationFraction;
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
    require(validationFraction >= 0 && validationFraction < 1, "share of "
        "points held out for the refinement (" +
        std::to_string(validationFraction) + ") must be at least 0 and less "
        "than 1");
    require(roundIterations > 0, "iterations of a round of the refinement (0) "
        "must be at least 1");
    require(l2Decay > 0 && l2Decay <= 1, "decay of the refinement's L2 (" +
        std::to_string(l2Decay) + ") must be greater than 0 and at most 1");
    require(cuts > 0, "number of cuts of the refinement (0) must be at least "
        "1");
  }

  //! Serialize the settings.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version)
  {
    gbnn::RequireVersion("GBNNRefinement", version, 8);
    ar(CEREAL_NVP(iterations));
    ar(CEREAL_NVP(roundIterations));
    ar(CEREAL_NVP(l2));
    ar(CEREAL_NVP(l2Decay));
    ar(CEREAL_NVP(cuts));
    ar(CEREAL_NVP(validationFraction));
  }

 private:
  size_t iterations = 1000;
  size_t roundIterations = 25;
  double l2 = 0.01;
  double l2Decay = 0.3;
  size_t cuts = 8;
  double validationFraction = 0.2;
};

} // namespace mlpack

CEREAL_CLASS_VERSION(mlpack::GBNNRefinement, 8);

#endif
