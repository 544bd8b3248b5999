/**
 * @file methods/gbnn/loss_functions/cross_entropy_loss.hpp
 *
 * The cross-entropy of the soft-max, for more than two classes (Section 2.3 of
 * the paper).
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_CROSS_ENTROPY_LOSS_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_CROSS_ENTROPY_LOSS_HPP

#include <mlpack/prereqs.hpp>

#include "../compute/require_version.hpp"
#include "../network/ffn_layers.hpp"
#include "newton_step.hpp"

namespace mlpack {

/**
 * L(y, F) = -sum_k y_k ln p_k with p = softmax(F), for targets y that are 1 for
 * the class of the point and 0 for all others; Eqs. 10 and 11.
 * SquaredErrorLoss documents the members of a loss.
 */
class CrossEntropyLoss
{
 public:
  //! Targets of the given labels, which are smaller than numClasses.
  template<typename MatType>
  void Encode(const arma::Row<size_t>& labels,
              const size_t numClasses,
              MatType& targets) const
  {
    targets.zeros(numClasses, labels.n_elem);
    for (size_t i = 0; i < labels.n_elem; ++i)
      targets(labels[i], i) = 1;
  }

  //! F_0 = 0: every class is as likely.
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Start(
      const MatType& targets, const RowType& /* weights */) const
  {
    return arma::Col<typename MatType::elem_type>(targets.n_rows,
        arma::fill::zeros);
  }

  //! r_k = y_k - p_k; Eq. 13.
  template<typename MatType>
  void Residuals(const MatType& targets,
                 const MatType& scores,
                 MatType& residuals) const
  {
    residuals = scores;
    Link(residuals);
    residuals = targets - residuals;
  }

  //! A Newton step for each class; the second derivative is p (1 - p); Eq. 15.
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Step(const MatType& targets,
                                              const MatType& /* scores */,
                                              const MatType& residuals,
                                              const MatType& h,
                                              const RowType& weights) const
  {
    return gbnn::NewtonStep(targets, residuals, h, weights,
        [](const double y, const double r) { return (y - r) * (1 - y + r); });
  }

  //! The probability of each class; Eq. 16.
  template<typename MatType>
  void Link(MatType& scores) const
  {
    using ElemType = typename MatType::elem_type;
    // Scores may be infinite, whose difference would be no number.
    const ElemType limit = std::numeric_limits<ElemType>::max();
    const size_t classes = scores.n_rows;
    gbnn::Pieces(scores.n_cols, gbnn::ExpCost * classes).ForEach(
        [&](const size_t, const size_t begin, const size_t end)
        {
          for (size_t i = begin; i < end; ++i)
          {
            ElemType* f = scores.colptr(i);
            const ElemType largest = std::min(*std::max_element(f,
                f + classes), limit);
            for (size_t k = 0; k < classes; ++k)
              f[k] = std::min(f[k], limit) - largest;
          }
          gbnn::ExpInPlace(scores.colptr(begin), (end - begin) * classes);
          for (size_t i = begin; i < end; ++i)
          {
            ElemType* p = scores.colptr(i);
            const ElemType sum = std::accumulate(p, p + classes, ElemType(0));
            for (size_t k = 0; k < classes; ++k)
              p[k] /= sum;
          }
        });
  }

  //! Mean of L, from ln p_k = F_k - ln(sum_l exp(F_l)).
  template<typename MatType, typename RowType>
  double Value(const MatType& targets,
               const MatType& scores,
               const RowType& weights) const
  {
    using ElemType = typename MatType::elem_type;
    // A few classes at a time, for the vectors of ExpInPlace().
    constexpr size_t group = gbnn::StripSize<ElemType>;
    const size_t classes = scores.n_rows;
    return gbnn::MeanOverPoints(targets.n_cols, weights,
        [&](const size_t i)
        {
          const ElemType* f = scores.colptr(i);
          const ElemType* y = targets.colptr(i);
          const ElemType largest = *std::max_element(f, f + classes);
          double sum = 0, score = 0;
          for (size_t first = 0; first < classes; first += group)
          {
            ElemType e[group];
            const size_t count = std::min(group, classes - first);
            for (size_t k = 0; k < count; ++k)
            {
              e[k] = f[first + k] - largest;
              score += double(y[first + k]) * f[first + k];
            }
            gbnn::ExpInPlace(e, count);
            sum += std::accumulate(e, e + count, 0.0);
          }
          return largest + std::log(sum) - score;
        });
  }

  using ValueAndResidualsOf = CrossEntropyLoss;

  //! Both from the same exponentials.
  template<typename MatType, typename RowType>
  double ValueAndResiduals(const MatType& targets,
                           const MatType& scores,
                           const RowType& weights,
                           MatType& residuals) const
  {
    using ElemType = typename MatType::elem_type;
    const size_t classes = scores.n_rows;
    arma::rowvec losses(scores.n_cols);
    residuals.set_size(classes, scores.n_cols);
    for (size_t i = 0; i < scores.n_cols; ++i)
    {
      const ElemType* f = scores.colptr(i);
      const ElemType* y = targets.colptr(i);
      const ElemType largest = *std::max_element(f, f + classes);
      losses[i] = largest - std::inner_product(y, y + classes, f, 0.0);
      for (size_t k = 0; k < classes; ++k)
        residuals(k, i) = f[k] - largest;
    }
    gbnn::ExpInPlace(residuals.memptr(), residuals.n_elem);
    for (size_t i = 0; i < scores.n_cols; ++i)
    {
      ElemType* r = residuals.colptr(i);
      const ElemType* y = targets.colptr(i);
      const ElemType sum = std::accumulate(r, r + classes, ElemType(0));
      losses[i] += std::log(sum);
      for (size_t k = 0; k < classes; ++k)
        r[k] = y[k] - r[k] / sum;
    }
    return gbnn::MeanOverPoints(scores.n_cols, weights,
        [&](const size_t i) { return losses[i]; });
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

  gbnn::OutputLayer Output() const { return gbnn::OutputLayer::SOFTMAX; }
  double OutputScale() const { return 1.0; }

  template<typename Archive>
  void serialize(Archive& /* ar */, const uint32_t version)
  {
    gbnn::RequireVersion("CrossEntropyLoss", version, 0);
  }
};

} // namespace mlpack

#endif
