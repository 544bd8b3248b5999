/**
 * @file methods/gbnn/loss_functions/regression_loss_base.hpp
 *
 * What losses for regression have in common.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_REGRESSION_LOSS_BASE_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_REGRESSION_LOSS_BASE_HPP

#include <mlpack/prereqs.hpp>

#include "../network/ffn_layers.hpp"

namespace mlpack {
namespace gbnn {

/**
 * The members of a loss for regression that most of them share: targets are the
 * responses, scores are predictions, and the root mean squared error tells how
 * good they are.  SquaredErrorLoss documents all members.
 */
class RegressionLossBase
{
 public:
  template<typename MatType, typename RowType>
  void Prepare(const MatType& /* responses */, const RowType& /* weights */) { }

  template<typename MatType>
  void Encode(const MatType& responses, MatType& targets) const
  {
    targets = responses;
  }

  size_t NumResponses(const size_t outputs) const { return outputs; }

  template<typename MatType>
  double ResidualScale(const MatType& targets) const
  {
    return double(arma::abs(targets).max());
  }

  template<typename MatType>
  void Link(MatType& /* scores */) const { }

  gbnn::OutputLayer Output() const { return gbnn::OutputLayer::IDENTITY; }
  double OutputScale() const { return 1.0; }

  std::string ErrorName() const { return "RMSE"; }
  double Error(const double response,
               const double prediction,
               const size_t /* output */) const
  {
    return (prediction - response) * (prediction - response);
  }
  double TotalError(const double mean) const { return std::sqrt(mean); }
};

} // namespace gbnn
} // namespace mlpack

#endif
