/**
 * @file methods/gbnn/loss_functions/takes_labels.hpp
 *
 * Distinguishes losses for classes from losses for responses.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_TAKES_LABELS_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_TAKES_LABELS_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

//! Whether a loss is one for classes: it makes targets from labels.
template<typename LossType, typename MatType, typename = void>
constexpr bool TakesLabels = false;

template<typename LossType, typename MatType>
constexpr bool TakesLabels<LossType, MatType, std::void_t<decltype(
    std::declval<LossType&>().Encode(std::declval<const arma::Row<size_t>&>(),
    size_t(2), std::declval<MatType&>()))>> = true;

} // namespace gbnn
} // namespace mlpack

#endif
