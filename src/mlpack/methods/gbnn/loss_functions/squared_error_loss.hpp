/**
 * @file methods/gbnn/loss_functions/squared_error_loss.hpp
 *
 * The squared error, for regression with one or several responses.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_SQUARED_ERROR_LOSS_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_SQUARED_ERROR_LOSS_HPP

#include "../compute/require_version.hpp"
#include "newton_step.hpp"
#include "regression_loss_base.hpp"

namespace mlpack {

/**
 * L(y, F) = ||y - F||^2 / 2.
 *
 * This is also the model for other losses: a loss is a small policy class with
 * the members below.  Targets and scores are matrices with one column a point
 * and one row an output; weights are a row with one weight a point, or empty.
 *
 * - `Start(targets, weights)` returns F_0, the constant that minimizes the
 *   loss (Eq. 2), one number an output.
 * - `Residuals(targets, scores, residuals)` computes the pseudo-residuals, the
 *   negative gradient of the loss (Eq. 4).
 * - `Step(targets, scores, residuals, h, weights)` returns the factor of each
 *   output of a stage, which the line search of Eq. 5 asks for.
 * - `Link(scores)` turns scores into predictions in place.
 * - `Value(targets, scores, weights)` returns the mean loss.
 * - `ScoreScale(targets, weights)` returns the typical size of scores for these
 *   targets, by which refinement divides them.
 * - `Output()` and `OutputScale()` say what layer has to follow the scores in
 *   an `FFN`, and what they must be multiplied by before it.
 * - `ResidualScale(targets)` returns the typical size of residuals for these
 *   targets; residuals below its rounding error are not worth fitting.
 *
 * A loss for regression has these as well, which RegressionLossBase has for
 * those that need nothing special:
 *
 * - `Prepare(responses, weights)` chooses what depends on the data, before
 *   training anew.
 * - `Encode(responses, targets)` turns responses into targets, and throws
 *   std::invalid_argument if they are not valid for the loss.
 * - `NumResponses(outputs)` returns the number of responses for which there are
 *   that many outputs.
 * - `ErrorName()`, `Error(response, prediction, output)` and `TotalError(mean)`
 *   define the error that users measure predictions by: its name, the error of
 *   one prediction, and the total error from the mean.
 */
class SquaredErrorLoss : public gbnn::RegressionLossBase
{
 public:
  //! F_0 is the mean.
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Start(const MatType& targets,
                                               const RowType& weights) const
  {
    using ElemType = typename MatType::elem_type;
    const size_t outputs = targets.n_rows;
    const arma::vec sums = gbnn::SumOverPoints(targets.n_cols, weights,
        outputs + 1, [&](const size_t i, const double weight, double* sum)
        {
          const ElemType* y = targets.colptr(i);
          for (size_t k = 0; k < outputs; ++k)
            sum[k] += weight * y[k];
          sum[outputs] += weight;
        });
    return arma::conv_to<arma::Col<ElemType>>::from(
        sums.head(outputs) / sums[outputs]);
  }

  //! r = y - F.
  template<typename MatType>
  void Residuals(const MatType& targets,
                 const MatType& scores,
                 MatType& residuals) const
  {
    residuals = targets - scores;
  }

  //! The second derivative is 1, so the Newton step is the exact line search.
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Step(const MatType& targets,
                                              const MatType& /* scores */,
                                              const MatType& residuals,
                                              const MatType& h,
                                              const RowType& weights) const
  {
    return gbnn::NewtonStep(targets, residuals, h, weights,
        [](const double /* y */, const double /* r */) { return 1.0; });
  }

  //! Mean of L over the points.
  template<typename MatType, typename RowType>
  double Value(const MatType& targets,
               const MatType& scores,
               const RowType& weights) const
  {
    return gbnn::MeanOfOutputs(targets, scores, weights,
        [](const double y, const double f, const size_t /* output */)
        { return (y - f) * (y - f) / 2; });
  }

  //! The size of scores: the standard deviation of the targets.
  template<typename MatType, typename RowType>
  double ScoreScale(const MatType& targets, const RowType& weights) const
  {
    MatType start(targets.n_rows, targets.n_cols);
    start.each_col() = Start(targets, weights);
    return std::sqrt(2 * Value(targets, start, weights) / targets.n_rows);
  }

  //! The size of the targets.
  template<typename MatType>
  double ResidualScale(const MatType& targets) const
  {
    return double(arma::abs(targets).max());
  }

  template<typename Archive>
  void serialize(Archive& /* ar */, const uint32_t version)
  {
    gbnn::RequireVersion("SquaredErrorLoss", version, 0);
  }
};

class RegressionLoss;

namespace gbnn {

//! Whether a loss is the squared error, maybe chosen at run time.
template<typename LossType>
bool IsSquaredError([[maybe_unused]] const LossType& loss)
{
  if constexpr (std::is_same_v<LossType, RegressionLoss>)
    return loss.template As<SquaredErrorLoss>() != nullptr;
  else
    return std::is_same_v<LossType, SquaredErrorLoss>;
}

} // namespace gbnn
} // namespace mlpack

#endif
