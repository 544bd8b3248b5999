/**
 * @file methods/deep_gbnn/binding/deep_gbnn_settings.hpp
 *
 * What users of the binding deep_gbnn can set, and what they get.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_BINDING_DEEP_GBNN_SETTINGS_HPP
#define MLPACK_METHODS_DEEP_GBNN_BINDING_DEEP_GBNN_SETTINGS_HPP

#include <mlpack/methods/gbnn/binding/gbnn_settings.hpp>
#include "../deep_gbnn_model.hpp"

namespace mlpack {
namespace gbnn {

//! Everything that can be set: that of the head is what gbnn has.
struct DeepSettings : GBNNSettings
{
  TrunkSettings trunk;
  //! Bytes that features may take.
  size_t maxFeatureMemory;

  //! Number of units that the head gets from the trunk.
  size_t UnitsOfTrunk() const
  {
    return (boosting.activation == GBNNActivation::RELU &&
        trunk.frozen + 1 == trunk.layers.size()) ? trunk.layers.back() : 0;
  }
};

//! What the binding makes, beside the model: what gbnn makes, and the scores of
//! trunk and Deep-GBNN.
struct DeepResults : GBNNResults
{
  double trunkScore = arma::datum::nan;
  double score = arma::datum::nan;
};

} // namespace gbnn
} // namespace mlpack

#endif
