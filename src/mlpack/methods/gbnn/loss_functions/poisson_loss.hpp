/**
 * @file methods/gbnn/loss_functions/poisson_loss.hpp
 *
 * The Poisson loss, for regression of counts.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_POISSON_LOSS_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_POISSON_LOSS_HPP

#include "../compute/require_version.hpp"
#include "newton_step.hpp"
#include "regression_loss_base.hpp"
#include "squared_error_loss.hpp"

namespace mlpack {

/**
 * L(y, F) = sum_k (exp(F_k) - y_k F_k + y_k ln y_k - y_k), half the deviance of
 * counts y that are Poisson distributed with means exp(F): what is predicted is
 * exp(F).  Responses must not be negative; they need not be whole.
 * SquaredErrorLoss documents the members of a loss.
 */
class PoissonLoss : public gbnn::RegressionLossBase
{
 public:
  //! Responses as they are; throws std::invalid_argument if one is negative.
  template<typename MatType>
  void Encode(const MatType& responses, MatType& targets) const
  {
    for (size_t i = 0; i < responses.n_elem; ++i)
    {
      if (responses[i] < 0)
      {
        std::ostringstream message;
        message << "PoissonLoss: response " << responses[i] << " in row "
            << i % responses.n_rows << " of column " << i / responses.n_rows
            << " is negative; counts must be at least 0";
        throw std::invalid_argument(message.str());
      }
    }
    targets = responses;
  }

  /**
   * F_0 is the logarithm of the mean.  It would be infinite where all counts
   * are 0; the mean is then taken to be 0 up to rounding.
   */
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Start(const MatType& targets,
                                               const RowType& weights) const
  {
    using ElemType = typename MatType::elem_type;
    const double minimum = std::numeric_limits<ElemType>::epsilon();
    arma::Col<ElemType> start = SquaredErrorLoss().Start(targets, weights);
    for (ElemType& f : start)
      f = ElemType(std::log((f > 0) ? double(f) : minimum));
    return start;
  }

  //! r = y - exp(F).
  template<typename MatType>
  void Residuals(const MatType& targets,
                 const MatType& scores,
                 MatType& residuals) const
  {
    residuals = scores;
    Link(residuals);
    residuals = targets - residuals;
  }

  //! A Newton step; the second derivative is exp(F) = y - r.
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Step(const MatType& targets,
                                              const MatType& /* scores */,
                                              const MatType& residuals,
                                              const MatType& h,
                                              const RowType& weights) const
  {
    return gbnn::NewtonStep(targets, residuals, h, weights,
        [](const double y, const double r) { return y - r; });
  }

  //! The mean, exp(F).
  template<typename MatType>
  void Link(MatType& scores) const
  {
    gbnn::ExpInPlace(scores.memptr(), scores.n_elem);
  }

  //! Mean of L over the points; infinite, but never NaN, where exp() is.
  template<typename MatType, typename RowType>
  double Value(const MatType& targets,
               const MatType& scores,
               const RowType& weights) const
  {
    return gbnn::MeanOfOutputs(targets, scores, weights,
        [](const double y, const double f, const size_t /* output */)
        {
          const double loss = std::exp(f) + ((y > 0) ?
              y * (std::log(y) - f - 1) : 0);
          // Infinity minus infinity.
          return std::isnan(loss) ? std::numeric_limits<double>::infinity() :
              loss;
        });
  }

  //! The size of scores: by how much their logarithms vary, roughly.
  template<typename MatType, typename RowType>
  double ScoreScale(const MatType& targets, const RowType& weights) const
  {
    const auto start = Start(targets, weights);
    MatType scores(targets.n_rows, targets.n_cols);
    scores.each_col() = start;
    const double mean = arma::accu(arma::exp(start));
    return std::sqrt(2 * Value(targets, scores, weights) / mean);
  }

  gbnn::OutputLayer Output() const { return gbnn::OutputLayer::EXPONENTIAL; }

  std::string ErrorName() const { return "mean Poisson deviance"; }
  //! The deviance of one response.
  double Error(const double response,
               const double prediction,
               const size_t /* output */) const
  {
    const double logarithm = (response > 0) ? response *
        std::log(response / prediction) : 0;
    return 2 * (logarithm - response + prediction);
  }
  double TotalError(const double mean) const { return mean; }

  template<typename Archive>
  void serialize(Archive& /* ar */, const uint32_t version)
  {
    gbnn::RequireVersion("PoissonLoss", version, 0);
  }
};

} // namespace mlpack

#endif
