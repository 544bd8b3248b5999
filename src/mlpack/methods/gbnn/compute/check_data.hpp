/**
 * @file methods/gbnn/compute/check_data.hpp
 *
 * Checks of the data that models are trained on and predict.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_CHECK_DATA_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_CHECK_DATA_HPP

#include <atomic>

#include "point_blocks.hpp"

namespace mlpack {
namespace gbnn {

/**
 * Throw std::invalid_argument if there is a NaN or an infinite value.
 *
 * @param name Function whose name errors carry.
 * @param what What the values are.
 * @param values The values, one point a column.
 */
template<typename PointsType>
void CheckFinite(const char* name, const char* what, const PointsType& values)
{
  const Pieces pieces(values.n_cols, values.n_rows);
  std::atomic<bool> finite(true);
  if (pieces.Count() <= 1)
    finite = values.is_finite();
  else
    pieces.ForEach([&](const size_t, const size_t begin, const size_t end)
    {
      if (!values.cols(begin, end - 1).is_finite())
        finite = false;
    });
  if (finite)
    return;
  for (size_t i = 0; i < values.n_cols; ++i)
  {
    for (size_t d = 0; d < values.n_rows; ++d)
    {
      if (std::isfinite(values(d, i)))
        continue;
      std::ostringstream message;
      message << name << ": " << what << " has NaN or infinite values, first "
          << values(d, i) << " in row " << d << " of column " << i
          << "; impute or remove them first";
      throw std::invalid_argument(message.str());
    }
  }
}

/**
 * Throw std::invalid_argument unless points and weights can be trained on.
 *
 * @param name Function whose name errors carry.
 * @param data Points, one a column.
 * @param numTargets Number of labels or responses.
 * @param targetName What these are called.
 * @param weights Weights of the points, or empty.
 */
template<typename MatType, typename RowType>
void CheckData(const std::string& name,
               const MatType& data,
               const size_t numTargets,
               const std::string& targetName,
               const RowType& weights)
{
  const auto fail = [&](const std::string& what)
  {
    throw std::invalid_argument(name + ": " + what);
  };
  if (data.is_empty())
  {
    fail("data is empty (" + std::to_string(data.n_rows) + " dimensions, " +
        std::to_string(data.n_cols) + " points)");
  }
  if (numTargets != data.n_cols)
  {
    fail("number of " + targetName + " (" + std::to_string(numTargets) +
        ") does not match number of points (" + std::to_string(data.n_cols) +
        ")");
  }
  CheckFinite(name.c_str(), "data", data);
  if (weights.is_empty())
    return;
  if (weights.n_elem != data.n_cols)
  {
    fail("number of weights (" + std::to_string(weights.n_elem) +
        ") does not match number of points (" + std::to_string(data.n_cols) +
        ")");
  }
  if (!weights.is_finite() || weights.min() < 0 || weights.max() == 0)
    fail("weights must be finite, not negative, and not all zero");
}

/**
 * Throw std::invalid_argument unless data, labels and weights fit together.
 *
 * @param name Function whose name errors carry.
 * @param data Points, one a column.
 * @param labels Label of each point.
 * @param numClasses Number of classes.
 * @param weights Weights of the points, or empty.
 */
template<typename MatType, typename RowType>
void CheckLabeledData(const std::string& name,
                      const MatType& data,
                      const arma::Row<size_t>& labels,
                      const size_t numClasses,
                      const RowType& weights)
{
  CheckData(name, data, labels.n_elem, "labels", weights);
  if (numClasses < 2)
  {
    throw std::invalid_argument(name + ": number of classes (" +
        std::to_string(numClasses) + ") must be at least 2");
  }
  if (labels.max() >= numClasses)
  {
    throw std::invalid_argument(name + ": label " +
        std::to_string(labels.max()) + " of point " +
        std::to_string(labels.index_max()) + " must be less than the number "
        "of classes (" + std::to_string(numClasses) + ")");
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
