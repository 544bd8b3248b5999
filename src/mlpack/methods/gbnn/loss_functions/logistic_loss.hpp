/**
 * @file methods/gbnn/loss_functions/logistic_loss.hpp
 *
 * The logistic loss, for two classes (Section 2.2 of the paper).
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_LOGISTIC_LOSS_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_LOGISTIC_LOSS_HPP

#include <mlpack/prereqs.hpp>

#include "../compute/require_version.hpp"
#include "../network/ffn_layers.hpp"
#include "newton_step.hpp"

namespace mlpack {

/**
 * L(y, F) = ln(1 + exp(-2 y F)) for y = -1 (class 0) or +1 (class 1); Eq. 6.
 * SquaredErrorLoss documents the members of a loss.
 */
class LogisticLoss
{
 public:
  //! Targets of the given labels, which are 0 or 1.
  template<typename MatType>
  void Encode(const arma::Row<size_t>& labels, MatType& targets) const
  {
    targets.set_size(1, labels.n_elem);
    for (size_t i = 0; i < labels.n_elem; ++i)
      targets[i] = (labels[i] == 1) ? 1 : -1;
  }

  /**
   * F_0 = ln((1 + m) / (1 - m)) / 2, with m the mean target.  (The paper has
   * the fraction upside down; this is the minimum of Eq. 2.)  If there is only
   * one class, F_0 would be infinite; the probability of that class is then 1
   * up to rounding.
   */
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Start(const MatType& targets,
                                               const RowType& weights) const
  {
    using ElemType = typename MatType::elem_type;
    const double mean = gbnn::MeanOverPoints(targets.n_cols, weights,
        [&](const size_t i) { return double(targets[i]); });
    const double maximum = 1 - std::numeric_limits<ElemType>::epsilon() / 2;
    const double m = std::min(maximum, std::max(-maximum, mean));
    return arma::Col<ElemType>(1).fill(
        ElemType(std::log((1 + m) / (1 - m)) / 2));
  }

  //! r = 2 y / (1 + exp(2 y F)); Eq. 7.
  template<typename MatType>
  void Residuals(const MatType& targets,
                 const MatType& scores,
                 MatType& residuals) const
  {
    residuals.set_size(scores.n_rows, scores.n_cols);
    gbnn::Pieces(scores.n_cols, gbnn::ExpCost).ForEach(
        [&](const size_t, const size_t begin, const size_t end)
        {
          const auto* y = targets.memptr();
          auto* r = residuals.memptr();
          for (size_t i = begin; i < end; ++i)
            r[i] = 2 * y[i] * scores[i];
          gbnn::ExpInPlace(r + begin, end - begin);
          for (size_t i = begin; i < end; ++i)
            r[i] = 2 * y[i] / (1 + r[i]);
        });
  }

  //! The Newton step; the second derivative is r (2 y - r); Eq. 8.
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Step(const MatType& targets,
                                              const MatType& /* scores */,
                                              const MatType& residuals,
                                              const MatType& h,
                                              const RowType& weights) const
  {
    return gbnn::NewtonStep(targets, residuals, h, weights,
        [](const double y, const double r) { return r * (2 * y - r); });
  }

  //! The probability of class 1, 1 / (1 + exp(-2 F)); Eq. 9.
  template<typename MatType>
  void Link(MatType& scores) const
  {
    scores *= -2;
    gbnn::ExpInPlace(scores.memptr(), scores.n_elem);
    scores = 1 / (1 + scores);
  }

  //! Mean of L, computed so that exp() cannot overflow.
  template<typename MatType, typename RowType>
  double Value(const MatType& targets,
               const MatType& scores,
               const RowType& weights) const
  {
    arma::Mat<typename MatType::elem_type> q, losses;
    Losses(targets, scores, q, losses);
    return gbnn::MeanOverPoints(scores.n_elem, weights,
        [&](const size_t i) { return double(losses[i]); });
  }

  using ValueAndResidualsOf = LogisticLoss;

  //! Both from the same exponentials.
  template<typename MatType, typename RowType>
  double ValueAndResiduals(const MatType& targets,
                           const MatType& scores,
                           const RowType& weights,
                           MatType& residuals) const
  {
    using ElemType = typename MatType::elem_type;
    MatType losses;
    Losses(targets, scores, residuals, losses);
    for (size_t i = 0; i < scores.n_elem; ++i)
    {
      const ElemType y = targets[i], q = residuals[i];
      residuals[i] = 2 * y * ((y * scores[i] < 0) ? 1 : q) / (1 + q);
    }
    return gbnn::MeanOverPoints(scores.n_elem, weights,
        [&](const size_t i) { return double(losses[i]); });
  }

  //! Scores are logarithms, whatever the targets.
  template<typename MatType, typename RowType>
  double ScoreScale(const MatType& /* targets */,
                    const RowType& /* weights */) const
  {
    return 1.0;
  }

  //! Residuals are probabilities, whatever the targets.
  template<typename MatType>
  double ResidualScale(const MatType& /* targets */) const { return 1.0; }

  gbnn::OutputLayer Output() const { return gbnn::OutputLayer::SIGMOID; }
  //! The sigmoid of 2 F is the probability; Eqs. 20 and 21 have the 2 too.
  double OutputScale() const { return 2.0; }

  template<typename Archive>
  void serialize(Archive& /* ar */, const uint32_t version)
  {
    gbnn::RequireVersion("LogisticLoss", version, 0);
  }

 private:
  //! Of each point, q = exp(-|z|) and L = max(z, 0) + ln(1 + q), with
  //! z = -2 y F.
  template<typename MatType>
  static void Losses(const MatType& targets,
                     const MatType& scores,
                     arma::Mat<typename MatType::elem_type>& q,
                     arma::Mat<typename MatType::elem_type>& losses)
  {
    using ElemType = typename MatType::elem_type;
    q.set_size(scores.n_rows, scores.n_cols);
    losses.set_size(scores.n_rows, scores.n_cols);
    gbnn::Pieces(scores.n_elem, gbnn::ExpCost + gbnn::LogCost).ForEach(
        [&](const size_t, const size_t begin, const size_t end)
        {
          for (size_t i = begin; i < end; ++i)
            q[i] = -std::abs(2 * targets[i] * scores[i]);
          gbnn::ExpInPlace(q.memptr() + begin, end - begin);
          std::copy(q.begin() + begin, q.begin() + end, losses.begin() + begin);
          gbnn::Log1pInPlace(losses.memptr() + begin, end - begin);
          for (size_t i = begin; i < end; ++i)
            losses[i] += std::max(-2 * targets[i] * scores[i], ElemType(0));
        });
  }
};

} // namespace mlpack

#endif
