/**
 * @file methods/gbnn/refinement/refine_round.hpp
 *
 * Ends a round of the refinement.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_REFINE_ROUND_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_REFINE_ROUND_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

/**
 * An ensmallen callback that ends a round of the refinement after some
 * iterations: the optimizer's steps, or its epochs if it has any.
 */
class RefineRound
{
 public:
  //! A round of at most this many iterations.
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
