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
 * Random numbers that depend on a seed and on the number of a stage and on
 * nothing else, so that a model that is trained in two goes is the same as one
 * trained at once, and the same on every platform.
 */
class Random
{
 public:
  Random(const uint64_t seed, const uint64_t stream) :
      seed(seed), stream(stream)
  { }

  //! A number in [0, 1).
  double Uniform()
  {
    // Not before: most are never asked, and this takes longer than a number.
    if (!generator)
    {
      std::seed_seq sequence = { uint32_t(seed), uint32_t(seed >> 32),
          uint32_t(stream), uint32_t(stream >> 32) };
      generator.emplace(sequence);
    }
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
    if (size == candidates.n_elem)
      return candidates;
    arma::uvec chosen(size);
    for (size_t i = 0, taken = 0; taken < size; ++i)
    {
      // No branch, which could not be foreseen: the next one takes its place.
      const size_t left = candidates.n_elem - i;
      chosen[taken] = candidates[i];
      taken += (Uniform() * double(left) < double(size - taken));
    }
    return chosen;
  }

 private:
  uint64_t seed, stream;
  std::optional<std::mt19937_64> generator;
};

} // namespace gbnn
} // namespace mlpack

#endif
