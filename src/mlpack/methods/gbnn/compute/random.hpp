/**
 * @file methods/gbnn/compute/random.hpp
 *
 * Where all of GBNN's randomness comes from.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_RANDOM_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_RANDOM_HPP

#include <mlpack/prereqs.hpp>

#include <optional>

namespace mlpack {
namespace gbnn {

/**
 * What random numbers are drawn for.  Streams of the same seed differ in their
 * two highest bits, or by a number, which has neither of these bits.
 */
enum class RandomStream : uint64_t
{
  //! The subsample and the initial weights of a stage, by its number.
  STAGE = 0,
  //! The shuffles of PermutationImportance(), by their number; the seed is not
  //! that of a training.
  PERMUTATION = 0,
  //! The points that early exits are calibrated on; the seed is fixed.
  CALIBRATION = 0,
  //! The points that a refinement holds out.
  REFINEMENT_HOLDOUT = uint64_t(1) << 62,
  //! The order in which an optimizer visits points in a refinement.
  REFINEMENT_ORDER,
  //! The points that early stopping holds out.
  VALIDATION_HOLDOUT,
  //! The folds of a cross-validation.
  FOLDS,
  //! The first weights of the trunk of a Deep-GBNN.
  TRUNK_WEIGHTS,
  //! The order in which an optimizer visits points for the trunk.
  TRUNK_ORDER,
  //! The points whose features DeepGBNN has memory for.
  FEATURE_POINTS,
  //! The order in which an optimizer visits points in a stage, by its number.
  STAGE_ORDER = ~uint64_t(0)
};

/**
 * Random numbers that depend on nothing but a seed, a stream and a number.  So
 * a model that is trained in two steps is the same as one trained at once, and
 * the same on every platform.
 */
class Random
{
 public:
  /**
   * @param seed The seed.
   * @param stream What the numbers are for.
   * @param number Which stage they are for, or the like.
   */
  Random(const uint64_t seed,
         const RandomStream stream,
         const uint64_t number = 0) :
      seed(seed), stream(uint64_t(stream) ^ number)
  { }

  //! A number in [0, 1).
  double Uniform()
  {
    // Seeding takes longer than drawing a number, and most generators are never
    // used, so it is done as late as possible.
    if (!generator)
    {
      std::seed_seq sequence = { uint32_t(seed), uint32_t(seed >> 32),
          uint32_t(stream), uint32_t(stream >> 32) };
      generator.emplace(sequence);
    }
    // The upper 53 bits: as many as a double has.
    return double((*generator)() >> 11) * 0x1p-53;
  }

  //! A whole number smaller than n.
  size_t Below(const size_t n) { return size_t(Uniform() * double(n)); }

  /**
   * Choose some of `candidates` without replacement, in ascending order, each
   * set of that size as likely as any other.  Where there is no choice, no
   * number is drawn.
   */
  arma::uvec Sample(const arma::uvec& candidates, const size_t size)
  {
    return Sample(candidates, size, 0, candidates.n_elem);
  }

  /**
   * The same for candidates that others have some of: all draw the same numbers
   * and get what is chosen of their own.
   *
   * @param candidates This one's candidates.
   * @param size How many to choose of all.
   * @param before Number of candidates before these.
   * @param all Number of all candidates.
   */
  arma::uvec Sample(const arma::uvec& candidates,
                    const size_t size,
                    const size_t before,
                    const size_t all)
  {
    if (size == all)
      return candidates;
    // One more: a candidate that is not taken is overwritten by the next one,
    // without a branch, which could not be predicted.
    arma::uvec chosen(std::min<size_t>(size, candidates.n_elem) + 1);
    const size_t end = before + candidates.n_elem;
    size_t taken = 0, here = 0;
    const auto take = [&](const size_t i)
    {
      return size_t(Uniform() * double(all - i) < double(size - taken));
    };
    size_t i = 0;
    for (; taken < size && i < before; ++i)
      taken += take(i);
    for (; taken < size && i < end; ++i)
    {
      chosen[here] = candidates[i - before];
      const size_t one = take(i);
      taken += one;
      here += one;
    }
    for (; taken < size; ++i)
      taken += take(i);
    chosen.resize(here);
    return chosen;
  }

 private:
  uint64_t seed, stream;
  std::optional<std::mt19937_64> generator;
};

} // namespace gbnn
} // namespace mlpack

#endif
