/**
 * @file methods/gbnn/loss_functions/temperature.hpp
 *
 * How sure scores of classes should be.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_TEMPERATURE_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_TEMPERATURE_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

//! The loss of some points when all scores are divided by a temperature.
struct Tempered
{
  double temperature;
  double value;
};

/**
 * The temperature, from 1 to 50, at which the loss is lowest.  Long training
 * makes classifiers overconfident.  Confidence says little about accuracy, and
 * can be corrected afterward.
 *
 * @param loss The loss.
 * @param targets Targets of the points, in the form in which the loss takes
 *     them.
 * @param scores Scores of the points.
 * @param weights Weights of the points; empty if all weigh the same.
 */
template<typename LossType, typename MatType, typename RowType>
Tempered BestTemperature(const LossType& loss,
                         const MatType& targets,
                         const MatType& scores,
                         const RowType& weights)
{
  using ElemType = typename MatType::elem_type;
  const auto at = [&](const double logarithm)
  {
    const double temperature = std::exp(logarithm);
    return Tempered{ temperature, loss.Value(targets,
        MatType(scores / ElemType(temperature)), weights) };
  };
  // Five per cent more, at most fifty times, and to three parts in a hundred:
  // the loss is flat around its minimum.
  const double firstLogarithm = 0.05, maxTemperature = 50;
  const size_t steps = 10;
  const Tempered unchanged = at(0);
  if (!(at(firstLogarithm).value < unchanged.value))
    return unchanged;

  // The golden section of what is left, from both sides.
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double low = 0, high = std::log(maxTemperature);
  const auto fromLeft = [&]() { return high - golden * (high - low); };
  const auto fromRight = [&]() { return low + golden * (high - low); };
  Tempered left = at(fromLeft()), right = at(fromRight());
  for (size_t i = 0; i < steps; ++i)
  {
    if (left.value < right.value)
    {
      high = std::log(right.temperature);
      right = left;
      left = at(fromLeft());
    }
    else
    {
      low = std::log(left.temperature);
      left = right;
      right = at(fromRight());
    }
  }
  const Tempered best = (left.value < right.value) ? left : right;
  return (unchanged.value <= best.value) ? unchanged : best;
}

} // namespace gbnn
} // namespace mlpack

#endif
