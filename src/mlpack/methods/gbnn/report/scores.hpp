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

#include <array>

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

/**
 * The weight of a point; 1 if there are no weights.
 *
 * All scores below take the weights of the points, or an empty row.  A point of
 * weight 2 counts as that point twice.
 */
inline double WeightOf(const arma::rowvec& weights, const size_t i)
{
  return weights.is_empty() ? 1.0 : weights[i];
}

//! The weight of all points.
inline double TotalWeight(const arma::rowvec& weights, const size_t points)
{
  return weights.is_empty() ? double(points) : arma::accu(weights);
}

//! The share of the points that are predicted right.
inline double MeanAccuracy(const arma::Row<size_t>& predictions,
                           const arma::Row<size_t>& truth,
                           const arma::rowvec& weights = arma::rowvec())
{
  double right = 0;
  for (size_t i = 0; i < truth.n_elem; ++i)
    right += (predictions[i] == truth[i]) ? WeightOf(weights, i) : 0.0;
  return right / TotalWeight(weights, truth.n_elem);
}

/**
 * The mean of -log p over the points whose class is known, where p is the
 * probability of that class, 1e-15 at least; NaN if there are no such points.
 *
 * @param probabilities Probability of each class, one point a column.
 * @param truth Class of each point; those that are not smaller than the number
 *     of classes are not known.
 * @param weights Weight of each point, or empty.
 */
inline double MeanLogLoss(const arma::mat& probabilities,
                          const arma::Row<size_t>& truth,
                          const arma::rowvec& weights = arma::rowvec())
{
  double sum = 0, total = 0;
  for (size_t i = 0; i < truth.n_elem; ++i)
  {
    if (truth[i] >= probabilities.n_rows)
      continue;
    const double weight = WeightOf(weights, i);
    sum -= weight * std::log(std::max(probabilities(truth[i], i), 1e-15));
    total += weight;
  }
  return (total > 0) ? sum / total : arma::datum::nan;
}

//! The probability that a score of a point of the class is higher than one of a
//! point of the others; half of those that are equal count.  NaN unless there
//! are points of both kinds.
inline double RankArea(const arma::rowvec& scores,
                       const arma::Row<size_t>& truth,
                       const size_t label,
                       const arma::rowvec& weights = arma::rowvec())
{
  const arma::uvec order = arma::sort_index(scores);
  // Weights of the points so far, of the class and of the others, and of the
  // pairs that are in the right order.
  double inside = 0, outside = 0, pairs = 0;
  for (size_t begin = 0, end; begin < order.n_elem; begin = end)
  {
    double tied = 0, others = 0;
    for (end = begin; end < order.n_elem &&
        scores[order[end]] == scores[order[begin]]; ++end)
    {
      (truth[order[end]] == label ? tied : others) += WeightOf(weights,
          order[end]);
    }
    pairs += tied * (outside + others / 2);
    inside += tied;
    outside += others;
  }
  return (inside > 0 && outside > 0) ? pairs / (inside * outside) :
      arma::datum::nan;
}

/**
 * The area under the receiver operating characteristic of each class against
 * the others, averaged over the classes that occur; NaN if only one does.
 *
 * @param probabilities Probability of each class, one point a column.
 * @param truth Class of each point.
 * @param weights Weight of each point, or empty.
 */
inline double MeanRankArea(const arma::mat& probabilities,
                           const arma::Row<size_t>& truth,
                           const arma::rowvec& weights = arma::rowvec())
{
  // Of two classes, both say the same.
  const size_t first = (probabilities.n_rows == 2) ? 1 : 0;
  double sum = 0;
  size_t count = 0;
  for (size_t k = first; k < probabilities.n_rows; ++k)
  {
    const double area = RankArea(probabilities.row(k), truth, k,
        weights);
    if (std::isnan(area))
      continue;
    sum += area;
    ++count;
  }
  return (count > 0) ? sum / double(count) : arma::datum::nan;
}

/**
 * The receiver operating characteristic: which share of the points of the
 * class, and of the others, has at least a certain score.
 *
 * @param scores Score of each point.
 * @param truth Class of each point.
 * @param label The class.
 * @param maximum About how many places of the curve to return, at least two.
 * @return One place a column, from (0, 0) to (1, 1): the share of the others,
 *     then that of the class.  Empty unless there are points of both kinds.
 */
inline arma::mat RankCurve(const arma::rowvec& scores,
                           const arma::Row<size_t>& truth,
                           const size_t label,
                           const size_t maximum = 200)
{
  const double inside = double(arma::accu(truth == label));
  const double outside = double(truth.n_elem) - inside;
  if (inside == 0 || outside == 0)
    return arma::mat();
  const arma::uvec order = arma::sort_index(scores, "descend");
  std::vector<std::array<double, 2>> places(1);
  double above = 0, others = 0;
  for (size_t begin = 0, end; begin < order.n_elem; begin = end)
  {
    // Points of the same score come together.
    for (end = begin; end < order.n_elem &&
        scores[order[end]] == scores[order[begin]]; ++end)
    {
      if (truth[order[end]] == label)
        ++above;
      else
        ++others;
    }
    const std::array<double, 2> now = { others / outside, above / inside };
    // The middle of a straight piece need not be said.
    const size_t n = places.size();
    if (n > 1 && ((places[n - 2][0] == now[0] && places[n - 1][0] == now[0]) ||
        (places[n - 2][1] == now[1] && places[n - 1][1] == now[1])))
      places.back() = now;
    else
      places.push_back(now);
  }
  const size_t step = 1 + (places.size() - 1) / maximum;
  arma::mat curve(2, 0);
  for (size_t i = 0; i < places.size(); i += step)
    curve.insert_cols(curve.n_cols, arma::vec{ places[i][0], places[i][1] });
  if ((places.size() - 1) % step != 0)
    curve.insert_cols(curve.n_cols, arma::vec{ 1, 1 });
  return curve;
}

/**
 * How often what is said to have a probability happens.
 *
 * @param probabilities The probability of each event.
 * @param happened 1 if it happened, else 0.
 * @param bins Number of groups of the same width.
 * @return One column for each group with events: its smallest and its largest
 *     possible probability, the number of events, their mean probability, the
 *     share that happened, and the ends of the 95 % interval of that share
 *     (Wilson's, which is right for few events, too).
 */
inline arma::mat Reliability(const arma::rowvec& probabilities,
                             const arma::rowvec& happened,
                             const size_t bins = 10)
{
  arma::mat sums(3, bins, arma::fill::zeros);
  for (size_t i = 0; i < probabilities.n_elem; ++i)
  {
    const size_t bin = std::min(bins - 1, size_t(probabilities[i] *
        double(bins)));
    sums.col(bin) += arma::vec{ 1, probabilities[i], happened[i] };
  }
  arma::mat result(7, 0);
  for (size_t b = 0; b < bins; ++b)
  {
    const double n = sums(0, b), z = 1.96;
    if (n == 0)
      continue;
    const double share = sums(2, b) / n, scale = 1 + z * z / n;
    const double middle = (share + z * z / (2 * n)) / scale;
    const double reach = z / scale * std::sqrt(share * (1 - share) / n +
        z * z / (4 * n * n));
    result.insert_cols(result.n_cols, arma::vec{ double(b) / double(bins),
        double(b + 1) / double(bins), n, sums(1, b) / n, share,
        std::max(0.0, middle - reach), std::min(1.0, middle + reach) });
  }
  return result;
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
 * @param weights Weight of each point, or empty.
 */
inline double CalibrationError(const arma::mat& probabilities,
                               const arma::Row<size_t>& predictions,
                               const arma::Row<size_t>& truth,
                               const arma::rowvec& weights = arma::rowvec())
{
  const size_t bins = 15;
  arma::vec difference(bins, arma::fill::zeros);
  for (size_t i = 0; i < truth.n_elem; ++i)
  {
    const double p = probabilities(predictions[i], i);
    const size_t bin = std::min(bins - 1, size_t(p * double(bins)));
    difference[bin] += WeightOf(weights, i) *
        (p - (predictions[i] == truth[i] ? 1.0 : 0.0));
  }
  return arma::accu(arma::abs(difference)) /
      TotalWeight(weights, truth.n_elem);
}

//! One minus the squared error over that of the mean; NaN if all responses are
//! the same.
inline double RSquared(const arma::mat& predictions,
                       const arma::mat& responses,
                       const arma::rowvec& weights = arma::rowvec())
{
  const arma::rowvec w = weights.is_empty() ?
      arma::rowvec(responses.n_cols, arma::fill::ones) : weights;
  const arma::vec mean = responses * w.t() / arma::accu(w);
  const double spread = arma::accu(
      arma::square(responses.each_col() - mean).eval().each_row() % w);
  return (spread > 0) ? 1 - arma::accu(
      arma::square(predictions - responses).eval().each_row() % w) / spread :
      arma::datum::nan;
}

//! The mean distance between predictions and responses.
inline double MeanAbsoluteError(const arma::mat& predictions,
                                const arma::mat& responses,
                                const arma::rowvec& weights = arma::rowvec())
{
  double sum = 0;
  for (size_t i = 0; i < responses.n_cols; ++i)
    sum += WeightOf(weights, i) *
        arma::accu(arma::abs(predictions.col(i) - responses.col(i)));
  return sum / (TotalWeight(weights, responses.n_cols) *
      double(responses.n_rows));
}

/**
 * The error that goes with a loss, as RMSE with the squared error.
 *
 * @param loss Has Error() and TotalError().
 * @param predictions Predicted responses, or quantiles of the one response.
 * @param responses Responses, one column a point.
 * @param weights Weight of each point, or empty.
 */
template<typename LossType>
double ErrorOf(const LossType& loss,
               const arma::mat& predictions,
               const arma::mat& responses,
               const arma::rowvec& weights = arma::rowvec())
{
  double sum = 0;
  for (size_t i = 0; i < responses.n_cols; ++i)
  {
    for (size_t o = 0; o < predictions.n_rows; ++o)
    {
      const size_t r = std::min<size_t>(o, responses.n_rows - 1);
      sum += WeightOf(weights, i) * loss.Error(responses(r, i),
          predictions(o, i), o);
    }
  }
  return loss.TotalError(sum / (TotalWeight(weights, responses.n_cols) *
      double(predictions.n_rows)));
}

} // namespace gbnn
} // namespace mlpack

#endif
