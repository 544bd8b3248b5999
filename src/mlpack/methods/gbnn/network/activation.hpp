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

#include "../compute/simd.hpp"

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

//! The values of an activation, for a few vectors at a time.
template<GBNNActivation Activation, typename T, size_t Vectors>
inline void ActivateVectors(Simd<T> (&z)[Vectors])
{
  if constexpr (Activation == GBNNActivation::RELU)
  {
    for (size_t v = 0; v < Vectors; ++v)
      z[v] = (z[v] > T(0)) ? z[v] : Simd<T>{};
    return;
  }

  // With exp(-z) = a / b, the logistic function is b / (a + b); with
  // exp(-2 z) = a / b, tanh(z) is (b - a) / (a + b).
  constexpr bool isTanh = (Activation == GBNNActivation::TANH);
  for (size_t v = 0; v < Vectors; ++v)
    z[v] *= isTanh ? T(-2) : T(-1);
  Simd<T> a[Vectors], b[Vectors];
  ExpFraction<T, Vectors>(z, a, b);
  for (size_t v = 0; v < Vectors; ++v)
    z[v] = (isTanh ? b[v] - a[v] : b[v]) / (a[v] + b[v]);
}

//! The derivative where the activation has the value a.
template<GBNNActivation Activation, typename T>
inline Simd<T> Slope(const Simd<T> a)
{
  if constexpr (Activation == GBNNActivation::LOGISTIC)
    return a * (T(1) - a);
  else if constexpr (Activation == GBNNActivation::TANH)
    return T(1) - a * a;
  else
    return (a > T(0)) ? (Simd<T>{} + T(1)) : Simd<T>{};
}

template<GBNNActivation Activation, typename T>
inline void ActivateAll(T* values, const size_t n)
{
  constexpr size_t vectors = 4;
  for (size_t i = 0; i < n; i += vectors * Lanes<T>)
  {
    Simd<T> z[vectors];
    for (size_t v = 0; v < vectors; ++v)
      z[v] = Load(values + i + v * Lanes<T>);
    ActivateVectors<Activation, T, vectors>(z);
    for (size_t v = 0; v < vectors; ++v)
      Store(values + i + v * Lanes<T>, z[v]);
  }
}

template<GBNNActivation Activation, typename T>
inline void MultiplySlopeAll(T* deltas, const T* values, const size_t n)
{
  for (size_t i = 0; i < n; i += Lanes<T>)
    Store(deltas + i, Load(deltas + i) *
        Slope<Activation, T>(Load(values + i)));
}

//! values = activation(values); n is a multiple of the strip size.
template<typename T>
inline void Activate(const GBNNActivation activation, T* values, const size_t n)
{
  switch (activation)
  {
    case GBNNActivation::LOGISTIC:
      return ActivateAll<GBNNActivation::LOGISTIC, T>(values, n);
    case GBNNActivation::TANH:
      return ActivateAll<GBNNActivation::TANH, T>(values, n);
    case GBNNActivation::RELU:
      return ActivateAll<GBNNActivation::RELU, T>(values, n);
  }
}

//! deltas *= activation'(z), where values = activation(z).
template<typename T>
inline void MultiplySlope(const GBNNActivation activation,
                          T* deltas,
                          const T* values,
                          const size_t n)
{
  switch (activation)
  {
    case GBNNActivation::LOGISTIC:
      return MultiplySlopeAll<GBNNActivation::LOGISTIC, T>(deltas, values, n);
    case GBNNActivation::TANH:
      return MultiplySlopeAll<GBNNActivation::TANH, T>(deltas, values, n);
    case GBNNActivation::RELU:
      return MultiplySlopeAll<GBNNActivation::RELU, T>(deltas, values, n);
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
