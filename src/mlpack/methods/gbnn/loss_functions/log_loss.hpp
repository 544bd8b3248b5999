/**
 * @file methods/gbnn/loss_functions/log_loss.hpp
 *
 * The default loss of the classifier: logistic for two classes, cross-entropy
 * for more.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_LOG_LOSS_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_LOG_LOSS_HPP

#include "../compute/require_version.hpp"
#include "cross_entropy_loss.hpp"
#include "logistic_loss.hpp"

namespace mlpack {

/**
 * LogisticLoss for two classes, CrossEntropyLoss for more.  In addition to the
 * members that SquaredErrorLoss documents, a loss for classification has
 * `Encode(labels, numClasses, targets)`, which turns labels into targets, and
 * its Link() gives the probability of each class, or that of class 1 alone when
 * there is one row.
 */
class LogLoss
{
 public:
  template<typename MatType>
  void Encode(const arma::Row<size_t>& labels,
              const size_t numClasses,
              MatType& targets)
  {
    binary = (numClasses == 2);
    if (binary)
      LogisticLoss().Encode(labels, targets);
    else
      CrossEntropyLoss().Encode(labels, numClasses, targets);
  }

  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Start(const MatType& targets,
                                               const RowType& weights) const
  {
    return binary ? LogisticLoss().Start(targets, weights) :
        CrossEntropyLoss().Start(targets, weights);
  }

  template<typename MatType>
  void Residuals(const MatType& targets,
                 const MatType& scores,
                 MatType& residuals) const
  {
    if (binary)
      LogisticLoss().Residuals(targets, scores, residuals);
    else
      CrossEntropyLoss().Residuals(targets, scores, residuals);
  }

  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Step(const MatType& targets,
                                              const MatType& scores,
                                              const MatType& residuals,
                                              const MatType& h,
                                              const RowType& weights) const
  {
    return binary ?
        LogisticLoss().Step(targets, scores, residuals, h, weights) :
        CrossEntropyLoss().Step(targets, scores, residuals, h, weights);
  }

  template<typename MatType>
  void Link(MatType& scores) const
  {
    if (binary)
      LogisticLoss().Link(scores);
    else
      CrossEntropyLoss().Link(scores);
  }

  template<typename MatType, typename RowType>
  double Value(const MatType& targets,
               const MatType& scores,
               const RowType& weights) const
  {
    return binary ? LogisticLoss().Value(targets, scores, weights) :
        CrossEntropyLoss().Value(targets, scores, weights);
  }

  using ValueAndResidualsOf = LogLoss;

  //! Both in one pass over the scores; see gbnn::ValueAndResiduals().
  template<typename MatType, typename RowType>
  double ValueAndResiduals(const MatType& targets,
                           const MatType& scores,
                           const RowType& weights,
                           MatType& residuals) const
  {
    return binary ? LogisticLoss().ValueAndResiduals(targets, scores, weights,
        residuals) : CrossEntropyLoss().ValueAndResiduals(targets, scores,
        weights, residuals);
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

  gbnn::OutputLayer Output() const
  {
    return binary ? LogisticLoss().Output() : CrossEntropyLoss().Output();
  }

  double OutputScale() const
  {
    return binary ? LogisticLoss().OutputScale() :
        CrossEntropyLoss().OutputScale();
  }

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version)
  {
    gbnn::RequireVersion("LogLoss", version, 0);
    ar(CEREAL_NVP(binary));
  }

 private:
  bool binary = true;
};

} // namespace mlpack

#endif
