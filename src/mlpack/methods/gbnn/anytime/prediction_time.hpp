/**
 * @file methods/gbnn/anytime/prediction_time.hpp
 *
 * How long this machine takes to predict one point, and how many units it can
 * use in a given time.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_ANYTIME_PREDICTION_TIME_HPP
#define MLPACK_METHODS_GBNN_ANYTIME_PREDICTION_TIME_HPP

#include <chrono>

#include "../gbnn.hpp"

namespace mlpack {

/**
 * The time that one prediction takes, as a line over the number of active
 * units, measured: for a few numbers of units, the median over several repeats.
 * The line's slope is the median of those between any two of them (Theil and
 * Sen), so a disturbance of some does not matter.
 *
 * @code
 * const PredictionTime time(model);
 * model.ActiveUnits(time.UnitsWithin(5.0)); // Microseconds.
 * @endcode
 *
 * What is measured is the network and the loss's link for one point at a time,
 * in one thread, with the model in cache: the least that a prediction takes.
 */
class PredictionTime
{
 public:
  //! Measure a trained GBNNClassifier or GBNNRegressor; takes about 0.1 s.
  template<typename ModelType>
  explicit PredictionTime(const ModelType& model);

  /**
   * A line through times that someone else measures.
   *
   * @param units Number of units of the model.
   * @param timeOf timeOf(k): microseconds that a prediction with k units takes;
   *     called several times for each k.
   */
  template<typename TimeType>
  PredictionTime(const size_t units, const TimeType& timeOf);

  //! A line that is known: microseconds without units, and for each of them.
  PredictionTime(const double start,
                 const double perUnit,
                 const size_t units) :
      start(start), perUnit(perUnit), units(units)
  {
    // Nothing else to do.
  }

  //! Microseconds for a point with so many active units.
  double Microseconds(const size_t activeUnits) const
  {
    return start + perUnit * double(activeUnits);
  }

  //! The most units that take at most so many microseconds; 0 if not even none
  //! does (see Microseconds()).
  size_t UnitsWithin(const double microseconds) const;

  //! Number of units of the model.
  size_t Units() const { return units; }

 private:
  //! The median of some numbers.
  static double Median(std::vector<double> values)
  {
    std::sort(values.begin(), values.end());
    const size_t n = values.size();
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
  }

  //! Microseconds that one prediction takes, timed over so many that the
  //! clock's steps do not matter.
  template<typename ModelType>
  static double TimeOnce(const ModelType& model, const size_t activeUnits);

  double start;
  double perUnit;
  size_t units;
};

template<typename ModelType>
PredictionTime::PredictionTime(const ModelType& model) :
    PredictionTime(model.Units(), [&](const size_t activeUnits)
        { return TimeOnce(model, activeUnits); })
{
  // Nothing else to do.
}

template<typename TimeType>
PredictionTime::PredictionTime(const size_t units, const TimeType& timeOf) :
    units(units)
{
  std::vector<double> sizes, times, slopes, starts;
  const size_t steps = std::min<size_t>(6, units);
  for (size_t s = 0; s <= steps; ++s)
  {
    const size_t active = (steps == 0) ? 0 : s * units / steps;
    std::vector<double> repeats;
    for (size_t r = 0; r < 9; ++r)
      repeats.push_back(timeOf(active));
    sizes.push_back(double(active));
    times.push_back(Median(repeats));
  }
  for (size_t i = 0; i < times.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      slopes.push_back((times[i] - times[j]) / (sizes[i] - sizes[j]));
  perUnit = slopes.empty() ? 0.0 : std::max(0.0, Median(slopes));
  for (size_t i = 0; i < times.size(); ++i)
    starts.push_back(times[i] - perUnit * sizes[i]);
  start = std::max(0.0, Median(starts));
}

inline size_t PredictionTime::UnitsWithin(const double microseconds) const
{
  if (!(microseconds > 0))
  {
    throw std::invalid_argument("PredictionTime::UnitsWithin(): time (" +
        std::to_string(microseconds) + " microseconds) must be greater than 0");
  }
  if (microseconds < start)
    return 0;
  if (Microseconds(units) <= microseconds)
    return units;
  return std::min(units, size_t((microseconds - start) / perUnit));
}

template<typename ModelType>
double PredictionTime::TimeOnce(const ModelType& model,
                                const size_t activeUnits)
{
  if (!model.IsTrained())
  {
    throw std::invalid_argument("PredictionTime::PredictionTime(): the model "
        "is not trained yet");
  }
  using Clock = std::chrono::steady_clock;
  using ColType = typename ModelType::ColType;
  const ColType point(model.Dimensionality(), arma::fill::ones);
  // The result must be used, or nothing need be computed.
  volatile double sink = 0;
  for (size_t calls = 8; ; calls *= 2)
  {
    const Clock::time_point begin = Clock::now();
    for (size_t i = 0; i < calls; ++i)
    {
      ColType scores;
      model.PointScores(point, scores, activeUnits);
      model.Loss().Link(scores);
      sink = sink + double(scores[0]);
    }
    const std::chrono::duration<double, std::micro> taken = Clock::now() -
        begin;
    if (taken.count() >= 1000)
      return taken.count() / double(calls);
  }
}

/**
 * The most active units with which this machine predicts one point in at most
 * the given time, as PredictionTime measures it; 0 if even that takes longer.
 *
 * @param model A trained GBNNClassifier or GBNNRegressor.
 * @param microseconds The time, greater than 0.
 */
template<typename ModelType>
size_t UnitsForLatency(const ModelType& model, const double microseconds)
{
  return PredictionTime(model).UnitsWithin(microseconds);
}

} // namespace mlpack

#endif
