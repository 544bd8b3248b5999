/**
 * @file methods/gbnn/network/activation.hpp
 *
 * The activation functions of GBNN's hidden units, and their derivatives in
 * terms of their values, for rows of points.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_NETWORK_ACTIVATION_HPP
#define MLPACK_METHODS_GBNN_NETWORK_ACTIVATION_HPP

#include <stdexcept>
#include <string>

#include "../compute/kernels.hpp"

namespace mlpack {

//! The activation function of the hidden units of a GBNN.
enum class GBNNActivation : uint8_t
{
  LOGISTIC = 0, //!< 1 / (1 + exp(-z)), as in the paper's experiments.
  TANH = 1,
  RELU = 2
};

//! The name by which users choose an activation.
inline std::string ToString(const GBNNActivation activation)
{
  switch (activation)
  {
    case GBNNActivation::LOGISTIC: return "logistic";
    case GBNNActivation::TANH: return "tanh";
    default: return "relu";
  }
}

//! The activation of the given name; throws std::invalid_argument.
inline GBNNActivation ToGBNNActivation(const std::string& name)
{
  for (const GBNNActivation a : { GBNNActivation::LOGISTIC,
      GBNNActivation::TANH, GBNNActivation::RELU })
  {
    if (ToString(a) == name)
      return a;
  }
  throw std::invalid_argument("ToGBNNActivation(): unknown activation '" +
      name + "'; expected 'logistic', 'tanh' or 'relu'");
}

namespace gbnn {

/**
 * Multiplications and additions in double precision that take as long as the
 * logistic function or tanh.  On amd64, `gbnn_constants_benchmark arithmetic`
 * measures 14 to 17, depending on the level; see doc/developer/constants.md.
 */
constexpr size_t ActivationCost = 18;

//! The same where it only decides how points are cut into Pieces: rough, but
//! the order of sums depends on it, and so do the last bits of a model.
constexpr size_t RoughActivationCost = 8;

//! values = activation(values).
template<typename T>
inline void Activate(const GBNNActivation activation, T* values, const size_t n)
{
  switch (activation)
  {
    case GBNNActivation::LOGISTIC: return LogisticInPlace(values, n);
    case GBNNActivation::TANH: return TanhInPlace(values, n);
    case GBNNActivation::RELU: return ReluInPlace(values, n);
  }
}

//! deltas *= activation'(z), where values = activation(z); n is a multiple of
//! the strip size.
template<typename T>
inline void MultiplySlope(const GBNNActivation activation,
                          T* deltas,
                          const T* values,
                          const size_t n)
{
  switch (activation)
  {
    case GBNNActivation::LOGISTIC:
      return MultiplyLogisticSlope(deltas, values, n);
    case GBNNActivation::TANH:
      return MultiplyTanhSlope(deltas, values, n);
    case GBNNActivation::RELU:
      return MultiplyReluSlope(deltas, values, n);
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
