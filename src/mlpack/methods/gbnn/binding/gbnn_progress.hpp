/**
 * @file methods/gbnn/binding/gbnn_progress.hpp
 *
 * Tells how far something is, and a callback that does so for training.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_GBNN_PROGRESS_HPP
#define MLPACK_METHODS_GBNN_BINDING_GBNN_PROGRESS_HPP

#include <chrono>
#include <functional>
#include <iomanip>

#include <mlpack/prereqs.hpp>

namespace mlpack {

namespace gbnn {

/**
 * Tells how far some work is and the time that remains: as a bar that is drawn
 * again and again in one line, for a terminal, or as a line for each tenth.
 */
class Progress
{
 public:
  /**
   * @param bar Whether to draw a bar.
   * @param print Called with each text: with a carriage return at its beginning
   *     for a bar, without any end of line.
   */
  Progress(const bool bar, std::function<void(const std::string&)> print) :
      bar(bar), print(std::move(print)), tenths(0),
      start(std::chrono::steady_clock::now())
  { }

  /**
   * @param done Fraction of the work that is done, greater than 0.
   * @param what What that is, in words.
   */
  void Tell(const double done, const std::string& what)
  {
    const size_t newTenths = size_t(10 * done);
    if (!bar && newTenths == tenths)
      return;
    tenths = newTenths;
    const double seconds = std::chrono::duration<double>(
        std::chrono::steady_clock::now() - start).count();
    std::ostringstream text;
    if (bar)
    {
      const size_t width = 30, full = size_t(width * done);
      text << "\r[" << std::string(full, '=') << std::string(width - full, ' ')
          << "] ";
    }
    text << what << ", " << std::fixed << std::setprecision(1)
        << seconds * (1 - done) / done << " s remaining";
    // What a longer text before left at the end of the line.
    if (bar)
      text << "    ";
    print(text.str());
  }

 private:
  bool bar;
  std::function<void(const std::string&)> print;
  size_t tenths;
  std::chrono::steady_clock::time_point start;
};

} // namespace gbnn

//! Tells how many units there are, the training loss and the time that remains.
class GBNNProgress
{
 public:
  /**
   * @param firstUnits Number of units when training begins.
   * @param units Number of units when it is done.
   * @param bar Whether to draw a bar.
   * @param print As gbnn::Progress takes it.
   */
  GBNNProgress(const size_t firstUnits,
               const size_t units,
               const bool bar,
               std::function<void(const std::string&)> print) :
      firstUnits(firstUnits), units(units), progress(bar, std::move(print))
  { }

  //! Called after each stage.
  template<typename OptimizerType, typename NetworkType, typename MatType>
  void EndEpoch(OptimizerType& /* optimizer */,
                NetworkType& network,
                const MatType& /* coordinates */,
                const size_t /* epoch */,
                const double objective)
  {
    std::ostringstream what;
    what << network.Units() << " of " << units << " units, training loss "
        << std::setprecision(5) << objective;
    progress.Tell(double(network.Units() - firstUnits) /
        std::max<size_t>(1, units - firstUnits), what.str());
  }

 private:
  size_t firstUnits;
  size_t units;
  gbnn::Progress progress;
};

} // namespace mlpack

#endif
