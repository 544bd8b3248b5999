/**
 * @file methods/gbnn/report/scores.hpp
 *
 * Numbers that tell how good predictions are.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REPORT_SCORES_HPP
#define MLPACK_METHODS_GBNN_REPORT_SCORES_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

/**
 * The mean of -log p over the points whose class is known, where p is the
 * probability of that class, 1e-15 at least; NaN if there are no such points.
 *
 * @param probabilities Probability of each class, one point a column.
 * @param truth Class of each point; those that are not smaller than the number
 *     of classes are not known.
 */
inline double MeanLogLoss(const arma::mat& probabilities,
                          const arma::Row<size_t>& truth)
{
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; i < truth.n_elem; ++i)
  {
    if (truth[i] >= probabilities.n_rows)
      continue;
    sum -= std::log(std::max(probabilities(truth[i], i), 1e-15));
    ++count;
  }
  return (count > 0) ? sum / double(count) : arma::datum::nan;
}

//! The probability that a score of a point of the class is higher than one of a
//! point of the others; half of those that are equal count.  NaN unless there
//! are points of both kinds.
inline double RankArea(const arma::rowvec& scores,
                       const arma::Row<size_t>& truth,
                       const size_t label)
{
  const arma::uvec order = arma::sort_index(scores);
  double rankSum = 0, inside = 0;
  for (size_t begin = 0, end; begin < order.n_elem; begin = end)
  {
    size_t tied = 0;
    for (end = begin; end < order.n_elem &&
        scores[order[end]] == scores[order[begin]]; ++end)
      tied += (truth[order[end]] == label);
    // All that are equal have the mean of their ranks.
    rankSum += double(tied) * (double(begin + end) + 1) / 2;
    inside += double(tied);
  }
  const double outside = double(order.n_elem) - inside;
  if (inside == 0 || outside == 0)
    return arma::datum::nan;
  return (rankSum - inside * (inside + 1) / 2) / (inside * outside);
}

/**
 * The area under the receiver operating characteristic of each class against
 * the others, averaged over the classes that occur; NaN if only one does.
 *
 * @param probabilities Probability of each class, one point a column.
 * @param truth Class of each point.
 */
inline double MeanRankArea(const arma::mat& probabilities,
                           const arma::Row<size_t>& truth)
{
  // Of two classes, both say the same.
  const size_t first = (probabilities.n_rows == 2) ? 1 : 0;
  double sum = 0;
  size_t count = 0;
  for (size_t k = first; k < probabilities.n_rows; ++k)
  {
    const double area = RankArea(probabilities.row(k), truth, k);
    if (std::isnan(area))
      continue;
    sum += area;
    ++count;
  }
  return (count > 0) ? sum / double(count) : arma::datum::nan;
}

/**
 * The expected calibration error: points are put into bins of the same width by
 * the probability of their predicted class; the distance between the mean of
 * these probabilities and the share of right predictions is averaged over the
 * points.
 *
 * @param probabilities Probability of each class, one point a column.
 * @param predictions Predicted class of each point.
 * @param truth Class of each point.
 * @param bins Number of bins.
 */
inline double CalibrationError(const arma::mat& probabilities,
                               const arma::Row<size_t>& predictions,
                               const arma::Row<size_t>& truth,
                               const size_t bins = 15)
{
  arma::vec difference(bins, arma::fill::zeros);
  for (size_t i = 0; i < truth.n_elem; ++i)
  {
    const double p = probabilities(predictions[i], i);
    const size_t bin = std::min(bins - 1, size_t(p * double(bins)));
    difference[bin] += p - (predictions[i] == truth[i] ? 1.0 : 0.0);
  }
  return arma::accu(arma::abs(difference)) / double(truth.n_elem);
}

//! One minus the squared error over that of the mean; NaN if all responses are
//! the same.
inline double RSquared(const arma::mat& predictions, const arma::mat& responses)
{
  const arma::mat centered = responses.each_col() - arma::mean(responses, 1);
  const double spread = arma::accu(arma::square(centered));
  return (spread > 0) ? 1 - arma::accu(arma::square(predictions - responses)) /
      spread : arma::datum::nan;
}

//! The mean distance between predictions and responses.
inline double MeanAbsoluteError(const arma::mat& predictions,
                                const arma::mat& responses)
{
  return arma::accu(arma::abs(predictions - responses)) /
      double(responses.n_elem);
}

} // namespace gbnn
} // namespace mlpack

#endif
