/**
 * @file methods/gbnn/loss_functions/pinball.hpp
 *
 * The minimum of a weighted sum of pinball losses along a line, which is a
 * weighted quantile: what the absolute and the quantile loss are made of.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_PINBALL_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_PINBALL_HPP

#include <mlpack/prereqs.hpp>

#include "newton_step.hpp"

namespace mlpack {
namespace gbnn {

//! A value and its weight, in the order of values.
struct WeightedValue
{
  double value;
  double weight;

  bool operator<(const WeightedValue& other) const
  {
    return value < other.value;
  }
};

/**
 * The value up to which the weights add up to `goal`: with half of all weight,
 * the weighted median.  Where they add up to just that at one value, anything
 * up to the next value would do, and the middle is taken, so that a value of
 * weight 2 is as good as the value twice.
 *
 * @param values Values with positive weights, at least one; are reordered.
 * @param goal Weight that is to lie below.
 */
inline double WeightedQuantile(std::vector<WeightedValue>& values,
                               const double goal)
{
  double total = 0;
  for (const WeightedValue& v : values)
    total += v.weight;
  // Sums of weights that differ by less than rounding errors are the same: a
  // sum of 10^5 numbers in double precision may be off by about 1e-11.
  const double tolerance = 1e-11;
  const double rounding = tolerance * total;

  // Halve the range of candidates until one is left.
  auto first = values.begin(), last = values.end();
  double below = 0;
  while (last - first > 1)
  {
    const auto middle = first + (last - first) / 2;
    std::nth_element(first, middle, last);
    double half = 0;
    for (auto v = first; v != middle; ++v)
      half += v->weight;
    if (below + half >= goal - rounding)
    {
      last = middle;
    }
    else
    {
      below += half;
      first = middle;
    }
  }
  if (below + first->weight > goal + rounding || first + 1 == values.end())
    return first->value;
  const double next = std::min_element(first + 1, values.end())->value;
  return first->value + (next - first->value) / 2;
}

/**
 * The c at which the sum of w_i L(e_i - c s_i) is least, exactly, where L is
 * the pinball loss of a quantile q: L(r) = q r for r > 0, (q - 1) r otherwise.
 * It has a kink at e_i / s_i for each point, where its slope grows by
 * w_i |s_i|.
 *
 * @param points Number of points.
 * @param weights Weights of the points, or empty.
 * @param q The quantile.
 * @param error error(i): e_i.
 * @param slope slope(i): s_i.
 * @param communicator The ranks that have the points, or nullptr.  Every rank
 *     then sees all kinks, which are two numbers for each point.
 */
template<typename RowType, typename ErrorType, typename SlopeType>
double PinballMinimum(const size_t points,
                      const RowType& weights,
                      const double q,
                      const ErrorType& error,
                      const SlopeType& slope,
                      const GBNNCommunicator* communicator)
{
  std::vector<WeightedValue> kinks;
  kinks.reserve(points);
  double goal = 0;
  for (size_t i = 0; i < points; ++i)
  {
    const double s = slope(i), kink = error(i) / s;
    const double weight = WeightOf(weights, i) * std::abs(s);
    // A point whose score does not change has no kink.
    if (!(weight > 0) || !std::isfinite(kink))
      continue;
    // Falling ones have a sign for now.
    kinks.push_back({ kink, (s > 0) ? weight : -weight });
  }
  if (communicator)
    kinks = GatherAll(communicator, kinks);
  for (WeightedValue& kink : kinks)
  {
    goal += (kink.weight > 0) ? kink.weight * q : -kink.weight * (1 - q);
    kink.weight = std::abs(kink.weight);
  }
  return kinks.empty() ? 0.0 : WeightedQuantile(kinks, goal);
}

/**
 * The minimum along a line for each output; see PinballMinimum().
 *
 * @param targets Targets, one column a point.
 * @param weights Weights of the points, or empty.
 * @param quantile quantile(k): that of output k.
 * @param error error(k, i): e_i of output k.
 * @param slope slope(k, i): s_i of output k.
 */
template<typename MatType,
         typename RowType,
         typename QuantileType,
         typename ErrorType,
         typename SlopeType>
arma::Col<typename MatType::elem_type> PinballMinima(
    const MatType& targets,
    const RowType& weights,
    const QuantileType& quantile,
    const ErrorType& error,
    const SlopeType& slope)
{
  using ElemType = typename MatType::elem_type;
  // Operations for each point of a weighted quantile, roughly.
  const size_t workPerPoint = 50;
  arma::Col<ElemType> result(targets.n_rows);
  const GBNNCommunicator* communicator =
      (CurrentCut() && CurrentCut()->Fits(targets.n_cols)) ?
      CurrentCut()->Communicator() : nullptr;
  const auto find = [&](const size_t, const size_t begin, const size_t end)
  {
    for (size_t k = begin; k < end; ++k)
      result[k] = ElemType(PinballMinimum(targets.n_cols, weights, quantile(k),
          [&](const size_t i) { return error(k, i); },
          [&](const size_t i) { return slope(k, i); }, communicator));
  };
  // Ranks talk to each other in one thread.
  if (communicator)
    find(0, 0, targets.n_rows);
  else
    Pieces(targets.n_rows, workPerPoint * targets.n_cols).ForEach(find);
  return result;
}

/**
 * For each output the constant at which its pinball loss is least: a weighted
 * quantile of the targets.
 *
 * @param quantile quantile(k): that of output k.
 */
template<typename MatType, typename RowType, typename QuantileType>
arma::Col<typename MatType::elem_type> PinballStart(
    const MatType& targets,
    const RowType& weights,
    const QuantileType& quantile)
{
  return PinballMinima(targets, weights, quantile,
      [&](const size_t k, const size_t i) { return double(targets(k, i)); },
      [](const size_t /* k */, const size_t /* i */) { return 1.0; });
}

//! The exact line search for each output of a stage, h.
template<typename MatType, typename RowType, typename QuantileType>
arma::Col<typename MatType::elem_type> PinballStep(
    const MatType& targets,
    const MatType& scores,
    const MatType& h,
    const RowType& weights,
    const QuantileType& quantile)
{
  return PinballMinima(targets, weights, quantile,
      [&](const size_t k, const size_t i)
      { return double(targets(k, i)) - scores(k, i); },
      [&](const size_t k, const size_t i) { return double(h(k, i)); });
}

//! Whether a target and its score are the same but for rounding: that of the
//! step, of the product with it, of the sum, and of the target.
template<typename ElemType>
bool IsHit(const ElemType y, const ElemType f)
{
  const ElemType roundings = 4;
  return std::abs(y - f) <= roundings *
      std::numeric_limits<ElemType>::epsilon() *
      std::max(std::abs(y), std::abs(f));
}

//! The mean distance of the targets from the given constants.
template<typename MatType, typename RowType>
double MeanDistance(const MatType& targets,
                    const RowType& weights,
                    const arma::Col<typename MatType::elem_type>& from)
{
  return MeanOverPoints(targets.n_cols, weights,
      [&](const size_t i)
      {
        double sum = 0;
        for (size_t k = 0; k < targets.n_rows; ++k)
          sum += std::abs(double(targets(k, i)) - from[k]);
        return sum / targets.n_rows;
      });
}

} // namespace gbnn
} // namespace mlpack

#endif
