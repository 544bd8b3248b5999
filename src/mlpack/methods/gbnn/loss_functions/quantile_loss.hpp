/**
 * @file methods/gbnn/loss_functions/quantile_loss.hpp
 *
 * The pinball loss, for regression that predicts one or several quantiles.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_QUANTILE_LOSS_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_QUANTILE_LOSS_HPP

#include "../compute/require_version.hpp"
#include "pinball.hpp"
#include "regression_loss_base.hpp"

namespace mlpack {

/**
 * L(y, F) = sum_k max(q_k (y - F_k), (q_k - 1) (y - F_k)), which predicts the
 * quantiles q_k of one response, each with an output of its own; all share the
 * hidden units.  SquaredErrorLoss documents the members of a loss.
 *
 * Each output is trained by itself, so that the prediction of a larger quantile
 * may come out smaller than that of a smaller one.  With `NonCrossing()`,
 * Link() sorts the predictions of each point, which never makes their loss
 * larger:
 *
 * @code
 * @article{chernozhukov2010quantile,
 *   author  = {Chernozhukov, Victor and Fern{\'a}ndez-Val, Iv{\'a}n and
 *       Galichon, Alfred},
 *   title   = {Quantile and Probability Curves Without Crossing},
 *   journal = {Econometrica},
 *   volume  = {78},
 *   number  = {3},
 *   pages   = {1093--1125},
 *   year    = {2010}
 * }
 * @endcode
 */
class QuantileLoss : public gbnn::RegressionLossBase
{
 public:
  /**
   * Throws std::invalid_argument unless the quantiles are between 0 and 1 and
   * ascending.
   *
   * @param quantiles The quantiles to predict.
   * @param nonCrossing Whether predictions are to be in order.
   */
  QuantileLoss(const std::vector<double>& quantiles = { 0.5 },
               const bool nonCrossing = false) :
      quantiles(quantiles), nonCrossing(nonCrossing)
  {
    CheckQuantiles();
  }

  //! The quantiles that are predicted.
  const std::vector<double>& Quantiles() const { return quantiles; }

  //! Whether predictions of a point are put in order.
  bool NonCrossing() const { return nonCrossing; }
  //! Modify whether predictions are put in order; a trained model may be, too.
  bool& NonCrossing() { return nonCrossing; }

  //! The one response is the target of each quantile.
  template<typename MatType>
  void Encode(const MatType& responses, MatType& targets) const
  {
    if (responses.n_rows != 1)
    {
      throw std::invalid_argument("QuantileLoss: quantiles are those of one "
          "response, but there are " + std::to_string(responses.n_rows) +
          "; train a model for each");
    }
    targets = arma::repmat(responses, quantiles.size(), 1);
  }

  //! There is one response, or none if there are other outputs than quantiles.
  size_t NumResponses(const size_t outputs) const
  {
    return (outputs == quantiles.size()) ? 1 : 0;
  }

  //! F_0 are the weighted quantiles.
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Start(const MatType& targets,
                                               const RowType& weights) const
  {
    return gbnn::PinballStart(targets, weights,
        [&](const size_t k) { return quantiles[k]; });
  }

  //! r is q where y > F, and q - 1 where y < F.
  template<typename MatType>
  void Residuals(const MatType& targets,
                 const MatType& scores,
                 MatType& residuals) const
  {
    using ElemType = typename MatType::elem_type;
    residuals.set_size(scores.n_rows, scores.n_cols);
    for (size_t i = 0; i < scores.n_cols; ++i)
    {
      for (size_t k = 0; k < scores.n_rows; ++k)
      {
        const ElemType y = targets(k, i), f = scores(k, i);
        residuals(k, i) = gbnn::IsHit(y, f) ? ElemType(0) :
            ElemType((y > f) ? quantiles[k] : quantiles[k] - 1);
      }
    }
  }

  //! The exact line search: a weighted quantile of (y - F) / h.
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Step(const MatType& targets,
                                              const MatType& scores,
                                              const MatType& /* residuals */,
                                              const MatType& h,
                                              const RowType& weights) const
  {
    return gbnn::PinballStep(targets, scores, h, weights,
        [&](const size_t k) { return quantiles[k]; });
  }

  //! Predictions are scores, in order if that is wanted.
  template<typename MatType>
  void Link(MatType& scores) const
  {
    for (size_t i = 0; nonCrossing && i < scores.n_cols; ++i)
      std::sort(scores.colptr(i), scores.colptr(i) + scores.n_rows);
  }

  //! Mean of L over the points, for scores as they are.
  template<typename MatType, typename RowType>
  double Value(const MatType& targets,
               const MatType& scores,
               const RowType& weights) const
  {
    return gbnn::MeanOfOutputs(targets, scores, weights,
        [&](const double y, const double f, const size_t output)
        { return Error(y, f, output); });
  }

  //! The size of scores: the mean distance of the targets from the median.
  template<typename MatType, typename RowType>
  double ScoreScale(const MatType& targets, const RowType& weights) const
  {
    return gbnn::MeanDistance(targets, weights, gbnn::PinballStart(targets,
        weights, [](const size_t /* output */) { return 0.5; }));
  }

  //! Residuals are shares, whatever the targets.
  template<typename MatType>
  double ResidualScale(const MatType& /* targets */) const { return 1.0; }

  gbnn::OutputLayer Output() const
  {
    return (nonCrossing && quantiles.size() > 1) ? gbnn::OutputLayer::SORTED :
        gbnn::OutputLayer::IDENTITY;
  }

  std::string ErrorName() const { return "pinball loss"; }
  //! The pinball loss of one quantile.
  double Error(const double response,
               const double prediction,
               const size_t output) const
  {
    const double error = response - prediction;
    return error * ((error > 0) ? quantiles[output] : quantiles[output] - 1);
  }
  double TotalError(const double mean) const { return mean; }

  //! Serialize the loss.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version)
  {
    gbnn::RequireVersion("QuantileLoss", version, 0);
    ar(CEREAL_NVP(quantiles));
    ar(CEREAL_NVP(nonCrossing));
    if (cereal::is_loading<Archive>())
      CheckQuantiles();
  }

 private:
  //! Throw std::invalid_argument unless the quantiles make sense.
  void CheckQuantiles() const
  {
    if (quantiles.empty())
      throw std::invalid_argument("QuantileLoss: there are no quantiles");
    for (size_t k = 0; k < quantiles.size(); ++k)
    {
      std::ostringstream found;
      found << "QuantileLoss: quantile " << quantiles[k] << " ";
      // Written so that NaN fails too.
      if (!(quantiles[k] > 0 && quantiles[k] < 1))
      {
        throw std::invalid_argument(found.str() + "must be greater than 0 and "
            "less than 1");
      }
      if (k > 0 && quantiles[k] <= quantiles[k - 1])
      {
        found << "after " << quantiles[k - 1] << ": ";
        throw std::invalid_argument(found.str() + "quantiles must be ascending "
            "and different");
      }
    }
  }

  std::vector<double> quantiles;
  bool nonCrossing;
};

} // namespace mlpack

#endif
