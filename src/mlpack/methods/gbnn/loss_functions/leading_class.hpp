/**
 * @file methods/gbnn/loss_functions/leading_class.hpp
 *
 * The class that the scores of a point predict.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_LEADING_CLASS_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_LEADING_CLASS_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

//! The class that leads, and by how much its score is ahead of the next one.
template<typename ElemType>
struct Lead
{
  size_t leader;
  ElemType margin;
};

/**
 * The class with the highest score of a point; the first one of equal scores.
 * A single score is that of class 1 against class 0, and its absolute value the
 * margin.
 *
 * @param outputs Number of scores.
 * @param score score(k): one of them.
 */
template<typename ScoreType>
auto LeadOf(const size_t outputs, const ScoreType& score)
{
  using ElemType = std::decay_t<decltype(score(0))>;
  ElemType first = score(0);
  ElemType second = -std::numeric_limits<ElemType>::infinity();
  if (outputs == 1)
    return Lead<ElemType>{ size_t((first > 0) ? 1 : 0), std::abs(first) };
  size_t leader = 0;
  for (size_t k = 1; k < outputs; ++k)
  {
    const ElemType next = score(k);
    if (next > first)
    {
      second = first;
      first = next;
      leader = k;
    }
    else
      second = std::max(second, next);
  }
  return Lead<ElemType>{ leader, first - second };
}

/**
 * The class that leads.
 *
 * @param scores Scores of the point.
 * @param outputs Number of scores.
 */
template<typename ElemType>
size_t LeadingClass(const ElemType* scores, const size_t outputs)
{
  return LeadOf(outputs, [&](const size_t k) { return scores[k]; }).leader;
}

} // namespace gbnn
} // namespace mlpack

#endif
