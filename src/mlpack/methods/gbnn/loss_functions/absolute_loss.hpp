/**
 * @file methods/gbnn/loss_functions/absolute_loss.hpp
 *
 * The absolute error, for regression that is robust to outliers.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_ABSOLUTE_LOSS_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_ABSOLUTE_LOSS_HPP

#include "../compute/require_version.hpp"
#include "pinball.hpp"
#include "regression_loss_base.hpp"

namespace mlpack {

/**
 * L(y, F) = sum_k |y_k - F_k|, which predicts medians.  SquaredErrorLoss
 * documents the members of a loss.
 */
class AbsoluteLoss : public gbnn::RegressionLossBase
{
 public:
  //! F_0 is the weighted median.
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Start(const MatType& targets,
                                               const RowType& weights) const
  {
    return gbnn::PinballStart(targets, weights, Median);
  }

  //! r is the sign of y - F.
  template<typename MatType>
  void Residuals(const MatType& targets,
                 const MatType& scores,
                 MatType& residuals) const
  {
    using ElemType = typename MatType::elem_type;
    residuals.set_size(scores.n_rows, scores.n_cols);
    for (size_t i = 0; i < scores.n_elem; ++i)
    {
      residuals[i] = gbnn::IsHit(targets[i], scores[i]) ? ElemType(0) :
          ElemType((targets[i] > scores[i]) ? 1 : -1);
    }
  }

  //! The exact line search: a weighted median of (y - F) / h.
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Step(const MatType& targets,
                                              const MatType& scores,
                                              const MatType& /* residuals */,
                                              const MatType& h,
                                              const RowType& weights) const
  {
    return gbnn::PinballStep(targets, scores, h, weights, Median);
  }

  //! Mean of L over the points.
  template<typename MatType, typename RowType>
  double Value(const MatType& targets,
               const MatType& scores,
               const RowType& weights) const
  {
    return gbnn::MeanOfOutputs(targets, scores, weights,
        [](const double y, const double f, const size_t /* output */)
        { return std::abs(y - f); });
  }

  //! The size of scores: the mean distance from the median.
  template<typename MatType, typename RowType>
  double ScoreScale(const MatType& targets, const RowType& weights) const
  {
    return gbnn::MeanDistance(targets, weights, Start(targets, weights));
  }

  //! Residuals are signs, whatever the targets.
  template<typename MatType>
  double ResidualScale(const MatType& /* targets */) const { return 1.0; }

  std::string ErrorName() const { return "MAE"; }
  double Error(const double response,
               const double prediction,
               const size_t /* output */) const
  {
    return std::abs(prediction - response);
  }
  double TotalError(const double mean) const { return mean; }

  template<typename Archive>
  void serialize(Archive& /* ar */, const uint32_t version)
  {
    gbnn::RequireVersion("AbsoluteLoss", version, 0);
  }

 private:
  static double Median(const size_t /* output */) { return 0.5; }
};

} // namespace mlpack

#endif
