/**
 * @file tests/deep_gbnn/deep_tools.hpp
 *
 * Small networks with a layer of each kind, for the tests of Deep-GBNN.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef GBNN_TESTS_DEEP_TOOLS_HPP
#define GBNN_TESTS_DEEP_TOOLS_HPP

#include "test_tools.hpp"

#include <mlpack/core.hpp>
#include <mlpack/methods/ann/init_rules/he_init.hpp>
#include <mlpack/methods/ann/layer/batch_norm.hpp>
#include <mlpack/methods/ann/layer/convolution.hpp>
#include <mlpack/methods/ann/layer/dropout.hpp>
#include <mlpack/methods/ann/layer/log_softmax.hpp>
#include <mlpack/methods/ann/layer/max_pooling.hpp>
#include <mlpack/methods/ann/layer/mean_pooling.hpp>
#include <mlpack/methods/ann/loss_functions/negative_log_likelihood.hpp>

using ClassNetwork = mlpack::FFN<mlpack::NegativeLogLikelihood,
    mlpack::HeInitialization>;

//! The kinds of layers, each with the number of layers that are frozen by
//! default.
inline std::vector<std::pair<std::string, size_t>> LayerKinds()
{
  return { { "dense", 2 }, { "no bias", 2 }, { "dropout", 3 },
      { "batch norm", 3 }, { "convolution", 3 }, { "two convolutions", 6 },
      { "mean pooling", 3 }, { "no weights", 1 } };
}

//! Add the layers that make a kind what it is; the data is 6 x 6 pixels.
inline void AddKind(ClassNetwork& network, const std::string& kind)
{
  using namespace mlpack;
  if (kind == "convolution" || kind == "two convolutions" ||
      kind == "mean pooling")
  {
    network.InputDimensions() = { 6, 6, 1 };
    network.Add<Convolution>(3, 3, 3, 1, 1, 1, 1); // 6 x 6 x 3.
    network.Add<ReLU>();
    if (kind == "mean pooling")
      network.Add<MeanPooling>(2, 2, 2, 2);
    else
      network.Add<MaxPooling>(2, 2, 2, 2); // 3 x 3 x 3.
    if (kind == "two convolutions")
    {
      network.Add<Dropout>(0.2);
      network.Add<Convolution>(4, 2, 2); // 2 x 2 x 4.
      network.Add<ReLU>();
    }
    return;
  }

  if (kind == "no weights")
  {
    network.InputDimensions() = { 6, 6, 1 };
    network.Add<MaxPooling>(2, 2, 2, 2);
    return;
  }
  if (kind == "no bias")
    network.Add<LinearNoBias>(8);
  else
    network.Add<Linear>(8);
  if (kind == "batch norm")
    network.Add<BatchNorm>();
  network.Add<ReLU>();
  if (kind == "dropout")
    network.Add<Dropout>(0.5);
}

//! A network with layers of a kind, trained a little.
inline ClassNetwork SmallNetwork(const std::string& kind,
                                 const arma::mat& data,
                                 const arma::Row<size_t>& labels)
{
  using namespace mlpack;
  RandomSeed(5);
  ClassNetwork network;
  AddKind(network, kind);
  network.Add<Linear>(7);
  network.Add<ReLU>();
  network.Add<Linear>(labels.max() + 1);
  network.Add<LogSoftMax>();
  ens::Adam adam(0.01, 32, 0.9, 0.999, 1e-8, 4 * data.n_cols, 0);
  network.Train(data, arma::conv_to<arma::mat>::from(labels), adam);
  return network;
}

//! Images of 6 x 6 pixels in classes; see Problem.
inline Problem<arma::mat> SmallImages(const size_t points = 200)
{
  return Problem<arma::mat>(points, 36);
}

#endif
