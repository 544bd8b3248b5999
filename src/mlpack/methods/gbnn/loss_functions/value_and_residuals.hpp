/**
 * @file methods/gbnn/loss_functions/value_and_residuals.hpp
 *
 * The value of a loss and its pseudo-residuals, together.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_VALUE_AND_RESIDUALS_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_VALUE_AND_RESIDUALS_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

/**
 * Whether a loss has a ValueAndResiduals() of its own.  It then has a member
 * type ValueAndResidualsOf that is the loss itself; a class that inherits from
 * it may have another Value() and other Residuals().
 */
template<typename LossType, typename = void>
constexpr bool HasValueAndResiduals = false;

template<typename LossType>
constexpr bool HasValueAndResiduals<LossType, std::void_t<
    typename LossType::ValueAndResidualsOf>> =
    std::is_same_v<typename LossType::ValueAndResidualsOf, LossType>;

/**
 * What a loss's Value() returns and Residuals() computes.  A loss that takes
 * less time for both together than for one after the other may have a member
 * for that.
 */
template<typename LossType, typename MatType, typename RowType>
double ValueAndResiduals(const LossType& loss,
                         const MatType& targets,
                         const MatType& scores,
                         const RowType& weights,
                         MatType& residuals)
{
  if constexpr (HasValueAndResiduals<LossType>)
    return loss.ValueAndResiduals(targets, scores, weights, residuals);
  loss.Residuals(targets, scores, residuals);
  return loss.Value(targets, scores, weights);
}

} // namespace gbnn
} // namespace mlpack

#endif
