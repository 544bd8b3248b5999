/**
 * @file methods/gbnn/network/ffn_layers.hpp
 *
 * The mlpack network that a GBNN hands out, made of the few layers that it
 * needs, under the names that mlpack 4.6 and 4.8 give them.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_NETWORK_FFN_LAYERS_HPP
#define MLPACK_METHODS_GBNN_NETWORK_FFN_LAYERS_HPP

#include <mlpack/core/util/version.hpp>
#include <mlpack/methods/ann/ffn.hpp>
#include <mlpack/methods/ann/init_rules/random_init.hpp>
#include <mlpack/methods/ann/layer/base_layer.hpp>
#include <mlpack/methods/ann/layer/dropout.hpp>
#include <mlpack/methods/ann/layer/linear.hpp>
#include <mlpack/methods/ann/layer/linear_no_bias.hpp>
#include <mlpack/methods/ann/layer/log_softmax.hpp>
#include <mlpack/methods/ann/layer/softmax.hpp>
#include <mlpack/methods/ann/loss_functions/binary_cross_entropy_loss.hpp>
#include <mlpack/methods/ann/loss_functions/mean_squared_error.hpp>

#include "activation.hpp"

namespace mlpack {
namespace gbnn {

#if MLPACK_VERSION_MAJOR == 4 && MLPACK_VERSION_MINOR < 7
template<typename MatType>
using DropoutLayer = DropoutType<MatType>;
template<typename MatType>
using LinearLayer = LinearType<MatType>;
template<typename MatType>
using LinearNoBiasLayer = LinearNoBiasType<MatType>;
template<typename MatType>
using LogSoftMaxLayer = LogSoftMaxType<MatType>;
template<typename MatType>
using SoftmaxLayer = SoftmaxType<MatType>;
#else
template<typename MatType>
using DropoutLayer = Dropout<MatType>;
template<typename MatType>
using LinearLayer = Linear<MatType>;
template<typename MatType>
using LinearNoBiasLayer = LinearNoBias<MatType>;
template<typename MatType>
using LogSoftMaxLayer = LogSoftMax<MatType>;
template<typename MatType>
using SoftmaxLayer = Softmax<MatType>;
#endif

//! What turns the scores of a network into its predictions.
enum class OutputLayer
{
  IDENTITY, //!< Nothing does.
  SIGMOID,
  SOFTMAX,
  EXPONENTIAL,
  SORTED //!< They are put in ascending order.
};

/**
 * The exponential function as an activation function of mlpack, for the output
 * of a BaseLayer.
 */
class ExponentialFunction
{
 public:
  static double Fn(const double x) { return std::exp(x); }

  template<typename InputType, typename OutputType>
  static void Fn(const InputType& x, OutputType& y) { y = arma::exp(x); }

  //! The derivative, from x and y = exp(x).
  static double Deriv(const double /* x */, const double y) { return y; }

  template<typename InputType, typename OutputType, typename DerivType>
  static void Deriv(const InputType& /* x */,
                    const OutputType& y,
                    DerivType& dy)
  {
    dy = y;
  }

  static double Inv(const double y) { return std::log(y); }

  template<typename InputType, typename OutputType>
  static void Inv(const InputType& y, OutputType& x) { x = arma::log(y); }
};

//! Add the layer of hidden units' activation to an FFN.
template<typename MatType, typename NetworkType>
void AddActivation(NetworkType& network, const GBNNActivation activation)
{
  switch (activation)
  {
    case GBNNActivation::LOGISTIC:
      network.template Add<BaseLayer<LogisticFunction, MatType>>();
      break;
    case GBNNActivation::TANH:
      network.template Add<BaseLayer<TanhFunction, MatType>>();
      break;
    case GBNNActivation::RELU:
      network.template Add<BaseLayer<RectifierFunction, MatType>>();
      break;
  }
}

//! Add the layer that turns scores into predictions to an FFN.  mlpack has none
//! that sorts; the network's outputs are then as they come.
template<typename MatType, typename NetworkType>
void AddOutput(NetworkType& network, const OutputLayer output)
{
  if (output == OutputLayer::SIGMOID)
    network.template Add<BaseLayer<LogisticFunction, MatType>>();
  else if (output == OutputLayer::SOFTMAX)
    network.template Add<SoftmaxLayer<MatType>>();
  else if (output == OutputLayer::EXPONENTIAL)
    network.template Add<BaseLayer<ExponentialFunction, MatType>>();
}

} // namespace gbnn
} // namespace mlpack

#endif
