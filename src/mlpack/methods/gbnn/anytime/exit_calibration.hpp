/**
 * @file methods/gbnn/anytime/exit_calibration.hpp
 *
 * How far ahead a class must be for a prediction to end early, so that with
 * high confidence only a given share of all labels change.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_ANYTIME_EXIT_CALIBRATION_HPP
#define MLPACK_METHODS_GBNN_ANYTIME_EXIT_CALIBRATION_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {

//! What is known about how often an early exit changes a label.
struct ExitCalibration
{
  //! The share of labels that may change.
  double risk = 0;
  //! The probability with which no more do.
  double confidence = 1;
  //! Points that this was tested on.
  size_t points = 0;
  //! How many of them got another label than with all units.
  size_t changed = 0;
  //! The share that is, with that confidence, not exceeded (Clopper and
  //! Pearson); at most the risk.
  double bound = 0;
};

namespace gbnn {

//! The probability of at most k events in n trials, each of probability p.
inline double BinomialCDF(const size_t k, const size_t n, const double p)
{
  double sum = 0;
  for (size_t i = 0; i <= std::min(k, n); ++i)
  {
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) -
        std::lgamma(n - i + 1.0) + double(i) * std::log(p) +
        double(n - i) * std::log1p(-p));
  }
  return std::min(1.0, sum);
}

//! The greatest probability with which at most k events in n trials are not too
//! unlikely: the upper end of the interval of Clopper and Pearson.
inline double BinomialBound(const size_t k,
                            const size_t n,
                            const double confidence)
{
  // Bisection, a few times more often than a double has bits.
  const size_t iterations = 60;
  double low = 0, high = 1;
  for (size_t i = 0; i < iterations; ++i)
  {
    const double middle = (low + high) / 2;
    (BinomialCDF(k, n, middle) > 1 - confidence ? low : high) = middle;
  }
  return high;
}

/**
 * The class that led at each check, and its margin, for points that were
 * predicted with all units.  One check a row, one point a column.
 */
struct ExitRecord
{
  arma::mat margins;
  arma::umat leaders;
  //! The label and the scores with all units.
  arma::Row<size_t> labels;
  arma::mat scores;

  //! The final margin of the class that led at a check; less than 0 if it does
  //! not lead in the end.
  double LastMargin(const size_t check, const size_t point) const
  {
    const size_t leader = leaders(check, point);
    const double own = scores(leader, point);
    double other = -arma::datum::inf;
    for (size_t j = 0; j < scores.n_rows; ++j)
      if (j != leader)
        other = std::max(other, scores(j, point));
    return own - other;
  }
};

/**
 * Choose the margin that a class must have at each check.  A quarter of the
 * points tells how much a margin still changes after each check: the root mean
 * square of that change.  All thresholds are a common factor times it.  The
 * other points, which are independent of it, test factors from large to small.
 * A factor passes if so few labels change that this would be improbable (less
 * than 1 - confidence) were the true share above the risk.  The first factor
 * that fails ends the search.  In such a fixed order all tests may have the
 * same level, whatever their number, and the guarantee holds for the factor
 * that is chosen.
 */
class ExitThresholds
{
 public:
  //! The fewest points with which a factor can pass.
  static size_t PointsNeeded(const double risk, const double confidence)
  {
    // More points than there ever are, where the number is too large.
    const double maxPoints = 1e15;
    const size_t tested = size_t(std::min(maxPoints, std::ceil(
        std::log1p(-confidence) / std::log1p(-risk))));
    return tested + (tested + scaleEvery - 2) / (scaleEvery - 1);
  }

  ExitThresholds(const ExitRecord& record,
                 const double risk,
                 const double confidence) :
      scales(record.margins.n_rows, arma::fill::zeros)
  {
    calibration.risk = risk;
    calibration.confidence = confidence;
    const size_t n = record.margins.n_cols;
    for (size_t i = 0; i < n; i += scaleEvery)
    {
      for (size_t c = 0; c < scales.n_elem; ++c)
        scales[c] += std::pow(record.margins(c, i) - record.LastMargin(c, i),
            2.0);
    }
    const size_t scaled = (n + scaleEvery - 1) / scaleEvery;
    scales = arma::sqrt(scales / double(scaled));
    calibration.points = n - scaled;
    factor = arma::datum::inf;
    // Factors are 8 % apart, which is finer than checks are.
    const double step = std::exp2(-0.125);
    for (double next = maxFactor; next > 1 / maxFactor; next *= step)
    {
      const size_t changed = Changed(record, next);
      if (BinomialCDF(changed, calibration.points, risk) > 1 - confidence)
        break;
      factor = next;
      calibration.changed = changed;
    }
    calibration.bound = BinomialBound(calibration.changed, calibration.points,
        confidence);
  }

  //! The margin that a class must have at a check.
  double operator[](const size_t check) const { return factor * scales[check]; }

  const ExitCalibration& Calibration() const { return calibration; }

 private:
  //! One point of this many measures the changes of margins.
  static constexpr size_t scaleEvery = 4;
  //! With a factor of 64, nothing exits; with 1/64, nearly everything does.
  static constexpr double maxFactor = 64;

  //! How many of the points for testing get another label.
  size_t Changed(const ExitRecord& record, const double f) const
  {
    size_t changed = 0;
    for (size_t i = 0; i < record.margins.n_cols; ++i)
    {
      size_t c = 0;
      while (i % scaleEvery != 0 && c < scales.n_elem &&
          !(record.margins(c, i) > f * scales[c]))
        ++c;
      changed += (i % scaleEvery != 0 && c < scales.n_elem &&
          record.leaders(c, i) != record.labels[i]);
    }
    return changed;
  }

  arma::vec scales;
  double factor;
  ExitCalibration calibration;
};

} // namespace gbnn
} // namespace mlpack

#endif
