/**
 * @file methods/gbnn/loss_functions/huber_error_loss.hpp
 *
 * Huber's loss, for regression with outliers.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_HUBER_ERROR_LOSS_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_HUBER_ERROR_LOSS_HPP

#include "../compute/require_version.hpp"
#include "pinball.hpp"
#include "regression_loss_base.hpp"

namespace mlpack {
namespace gbnn {

/**
 * The c at which the sum of w_i L(e_i - c s_i) is least, where L is Huber's
 * loss.  The derivative is monotone and piecewise linear, so Newton's method
 * ends on the right piece; a bracket keeps it from oscillating.
 *
 * @param points Number of points.
 * @param weights Weights of the points, or empty.
 * @param delta Where the loss becomes linear.
 * @param start Where to begin.
 * @param error error(i): e_i.
 * @param slope slope(i): s_i.
 */
template<typename RowType, typename ErrorType, typename SlopeType>
double HuberMinimum(const size_t points,
                    const RowType& weights,
                    const double delta,
                    const double start,
                    const ErrorType& error,
                    const SlopeType& slope)
{
  // Newton's method ends after a few iterations; every fourth one halves the
  // bracket, so that 200 are enough for all bits of a double.
  const size_t maxIterations = 200, halveEvery = 4;
  // The derivative, and the bracket, are zero up to rounding.
  const double zeroSlope = 1e-13, zeroBracket = 1e-15;
  double low = -std::numeric_limits<double>::infinity(), high = -low, c = start;
  for (size_t iteration = 0; iteration < maxIterations; ++iteration)
  {
    // The negative first derivative, the second one, and upper bounds of both.
    const arma::vec sums = SumOverPoints(points, weights, 4,
        [&](const size_t i, const double weight, double* sum)
        {
          const double s = slope(i), r = error(i) - c * s;
          sum[0] += weight * s * std::max(-delta, std::min(delta, r));
          sum[1] += (std::abs(r) <= delta) ? weight * s * s : 0;
          sum[2] += weight * std::abs(s) * delta;
          sum[3] += weight * s * s;
        });
    if (!(sums[3] > 0) || !std::isfinite(sums[2] / sums[3]) ||
        std::abs(sums[0]) <= zeroSlope * sums[2])
      return (sums[3] > 0) ? c : 0.0;
    ((sums[0] > 0) ? low : high) = c;

    // Where the loss is linear there is no Newton step; go twice as far each
    // time.
    const double reach = std::ldexp(sums[2] / sums[3], int(iteration));
    double next = c + std::max(-reach, std::min(reach, (sums[1] > 0) ?
        sums[0] / sums[1] : ((sums[0] > 0) ? reach : -reach)));
    const bool bracketed = std::isfinite(low) && std::isfinite(high);
    if (bracketed && (iteration % halveEvery == halveEvery - 1 ||
        !(next > low && next < high)))
      next = low + (high - low) / 2;
    if (next == c || (bracketed && high - low <= zeroBracket * std::abs(c)))
      break;
    c = next;
  }
  return c;
}

} // namespace gbnn

/**
 * L(y, F) = sum_k l(y_k - F_k) with l(r) = r^2 / 2 where |r| is at most delta,
 * and delta (|r| - delta / 2) beyond: the squared error for small errors, the
 * absolute one for large.  (mlpack's HuberLoss is for its own networks.)
 * SquaredErrorLoss documents the members of a loss.
 *
 * If delta is 0, training chooses one for each response: `Factor` times the
 * median distance of the responses from their median.
 */
class HuberErrorLoss : public gbnn::RegressionLossBase
{
 public:
  //! The chosen delta, relative to the median distance from the median: half of
  //! the responses are farther from it.  `losses` in experiments/losses
  //! compares other factors.
  static constexpr double Factor = 1.0;

  /**
   * Throws std::invalid_argument if delta is negative or not finite.
   *
   * @param delta Where the loss becomes linear; 0 means chosen from the data.
   */
  explicit HuberErrorLoss(const double delta = 0) : delta(delta)
  {
    CheckDelta();
  }

  //! The delta that was asked for; 0 if the data decides.
  double Delta() const { return delta; }
  //! The delta of an output.
  double Delta(const size_t output) const
  {
    return (delta > 0) ? delta : (output < chosen.size()) ? chosen[output] :
        1.0;
  }

  //! Choose delta, unless it was given.
  template<typename MatType, typename RowType>
  void Prepare(const MatType& responses, const RowType& weights)
  {
    chosen.clear();
    if (delta > 0)
      return;
    const auto median = [](const size_t /* output */) { return 0.5; };
    const auto middle = gbnn::PinballStart(responses, weights, median);
    MatType distances = responses;
    distances.each_col() -= middle;
    distances = arma::abs(distances);
    const auto typical = gbnn::PinballStart(distances, weights, median);
    for (size_t k = 0; k < responses.n_rows; ++k)
    {
      // More than half of the responses may be the same, or all of them.
      const double mean = gbnn::MeanOverPoints(responses.n_cols, weights,
          [&](const size_t i) { return double(distances(k, i)); });
      chosen.push_back((typical[k] > 0) ? Factor * typical[k] :
          (mean > 0) ? mean : 1.0);
    }
  }

  //! F_0 is where Huber's loss is least.
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Start(const MatType& targets,
                                               const RowType& weights) const
  {
    arma::Col<typename MatType::elem_type> start = gbnn::PinballStart(targets,
        weights, [](const size_t /* output */) { return 0.5; });
    for (size_t k = 0; k < targets.n_rows; ++k)
    {
      start[k] = gbnn::HuberMinimum(targets.n_cols, weights, Delta(k), start[k],
          [&](const size_t i) { return double(targets(k, i)); },
          [](const size_t /* i */) { return 1.0; });
    }
    return start;
  }

  //! r = y - F, but no farther from 0 than delta.
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
        const ElemType maximum = ElemType(Delta(k));
        residuals(k, i) = std::max(-maximum, std::min(maximum, targets(k, i) -
            scores(k, i)));
      }
    }
  }

  //! The exact line search.
  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Step(const MatType& targets,
                                              const MatType& scores,
                                              const MatType& /* residuals */,
                                              const MatType& h,
                                              const RowType& weights) const
  {
    using ElemType = typename MatType::elem_type;
    arma::Col<ElemType> rho(targets.n_rows);
    for (size_t k = 0; k < targets.n_rows; ++k)
    {
      rho[k] = ElemType(gbnn::HuberMinimum(targets.n_cols, weights, Delta(k), 0,
          [&](const size_t i) { return double(targets(k, i)) - scores(k, i); },
          [&](const size_t i) { return double(h(k, i)); }));
    }
    return rho;
  }

  //! Mean of L over the points.
  template<typename MatType, typename RowType>
  double Value(const MatType& targets,
               const MatType& scores,
               const RowType& weights) const
  {
    return gbnn::MeanOfOutputs(targets, scores, weights,
        [&](const double y, const double f, const size_t output)
        {
          const double r = std::abs(y - f), maximum = Delta(output);
          return (r <= maximum) ? r * r / 2 : maximum * (r - maximum / 2);
        });
  }

  //! The size of scores: the mean distance from the median.
  template<typename MatType, typename RowType>
  double ScoreScale(const MatType& targets, const RowType& weights) const
  {
    return gbnn::MeanDistance(targets, weights, gbnn::PinballStart(targets,
        weights, [](const size_t /* output */) { return 0.5; }));
  }

  //! Serialize the loss.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version)
  {
    gbnn::RequireVersion("HuberErrorLoss", version, 0);
    ar(CEREAL_NVP(delta));
    ar(CEREAL_NVP(chosen));
    if (cereal::is_loading<Archive>())
    {
      CheckDelta();
      for (const double value : chosen)
        if (!(value > 0 && std::isfinite(value)))
          throw std::runtime_error("HuberErrorLoss: delta must be a number "
              "greater than 0");
    }
  }

 private:
  //! Throw std::invalid_argument unless delta makes sense.
  void CheckDelta() const
  {
    // Written so that NaN fails too.
    if (!(delta >= 0 && std::isfinite(delta)))
    {
      throw std::invalid_argument("HuberErrorLoss: delta (" +
          std::to_string(delta) + ") must be greater than 0, or 0 for one "
          "that the data suggests");
    }
  }

  double delta;
  //! The chosen delta of each output, if the data decides.
  std::vector<double> chosen;
};

} // namespace mlpack

#endif
