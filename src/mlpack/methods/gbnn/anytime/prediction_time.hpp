/**
 * @file methods/gbnn/anytime/prediction_time.hpp
 *
 * The time that this machine takes to predict one point, and the number of
 * units that it can use in a given time.
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
 * The time that one prediction takes, as a linear function of the number of
 * active units.  It is measured for a few numbers of units, with the median
 * over several repeats.  The slope is the median of those between any two of
 * them (Theil and Sen), so that a few disturbed measurements do not matter.
 *
 * @code
 * const PredictionTime time(model);
 * model.ActiveUnits(time.UnitsWithin(5.0)); // Microseconds.
 * @endcode
 *
 * The time is that of the network and the loss's link for one point, in one
 * thread, with the model in cache: a lower bound of a prediction's time.
 */
class PredictionTime
{
 public:
  //! Measure a trained GBNNClassifier or GBNNRegressor; takes about 0.1 s.
  template<typename ModelType>
  explicit PredictionTime(const ModelType& model);

  /**
   * A line through times that the caller measures.
   *
   * @param units Number of units of the model.
   * @param timeOf timeOf(k): microseconds that a prediction with k units takes;
   *     called several times for each k.
   */
  template<typename TimeType>
  PredictionTime(const size_t units, const TimeType& timeOf);

  //! A known line: microseconds without units, and for each unit.
  PredictionTime(const double start,
                 const double perUnit,
                 const size_t units) :
      start(start), perUnit(perUnit), units(units)
  {
    // Nothing else to do.
  }

  //! Microseconds for a point with the given number of active units.
  double Microseconds(const size_t activeUnits) const
  {
    return start + perUnit * double(activeUnits);
  }

  //! The most units that take at most the given time; 0 if a prediction without
  //! units already takes longer (see Microseconds()).
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

  // 7 numbers of units, 9 repeats of 1 ms each: all in all less than 0.1 s, and
  // a median of 9 is right even if 4 of them were disturbed.
  static constexpr size_t maxSteps = 6, numRepeats = 9;
  //! The least time to measure, in microseconds: 1000 times the resolution of
  //! most clocks, and more.
  static constexpr double minTime = 1000;
  //! Calls to begin with; twice as many until they take long enough.
  static constexpr size_t firstCalls = 8;

  //! Microseconds that one prediction takes, averaged over enough of them for
  //! the resolution of the clock.
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
  const size_t steps = std::min<size_t>(maxSteps, units);
  for (size_t s = 0; s <= steps; ++s)
  {
    const size_t active = (steps == 0) ? 0 : s * units / steps;
    std::vector<double> repeats;
    for (size_t r = 0; r < numRepeats; ++r)
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
  // The result must be used, or the compiler may leave out the computation.
  volatile double sink = 0;
  for (size_t calls = firstCalls; ; calls *= 2)
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
    if (taken.count() >= minTime)
      return taken.count() / double(calls);
  }
}

/**
 * The most active units with which this machine predicts one point in at most
 * the given time, as PredictionTime measures it; 0 if even that takes longer.
 * For a refined network it is a cut (see CutWithin()).
 *
 * @param model A trained GBNNClassifier or GBNNRegressor.
 * @param microseconds The time, greater than 0.
 */
template<typename ModelType>
size_t UnitsForLatency(const ModelType& model, const double microseconds)
{
  return model.CutWithin(PredictionTime(model).UnitsWithin(microseconds));
}

} // namespace mlpack

#endif
