/**
 * @file methods/gbnn/inspection/partial_dependence.hpp
 *
 * The mean prediction of a model when one feature has a given value.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_INSPECTION_PARTIAL_DEPENDENCE_HPP
#define MLPACK_METHODS_GBNN_INSPECTION_PARTIAL_DEPENDENCE_HPP

#include "input_gradient.hpp"

namespace mlpack {

/**
 * The mean prediction over some points when a feature of one or several rows is
 * given certain values in all of them.
 *
 * @param model A trained GBNNClassifier or GBNNRegressor.
 * @param data Points, one a column.
 * @param rows The rows of the data that are the feature.
 * @param values What to set them to: one value of the feature a column.
 * @return The mean probability of each class, or response, in rows; one value
 *     a column.
 */
template<typename ModelType, typename MatType>
MatType PartialDependence(const ModelType& model,
                          const MatType& data,
                          const arma::uvec& rows,
                          const MatType& values)
{
  if (rows.is_empty() || rows.max() >= data.n_rows ||
      values.n_rows != rows.n_elem)
  {
    throw std::invalid_argument("PartialDependence(): the feature's rows must "
        "be less than " + std::to_string(data.n_rows) + ", and its values have "
        "as many rows (given: " + std::to_string(rows.n_elem) + " and " +
        std::to_string(values.n_rows) + ")");
  }
  MatType changed = data, predictions, result;
  for (size_t v = 0; v < values.n_cols; ++v)
  {
    for (size_t r = 0; r < rows.n_elem; ++r)
      changed.row(rows[r]).fill(values(r, v));
    gbnn::Predictions(model, changed, predictions);
    result.set_size(predictions.n_rows, values.n_cols);
    result.col(v) = arma::mean(predictions, 1);
  }
  return result;
}

//! Partial dependence on one row of the data.
template<typename ModelType, typename MatType>
MatType PartialDependence(const ModelType& model,
                          const MatType& data,
                          const size_t row,
                          const arma::Row<typename MatType::elem_type>& values)
{
  return PartialDependence(model, data, arma::uvec{ row }, MatType(values));
}

/**
 * Values at which to evaluate a feature: up to `count` different ones, at
 * evenly spaced quantiles, from the smallest to the largest.
 */
template<typename RowType>
RowType DependenceGrid(const RowType& feature, const size_t count = 20)
{
  if (feature.is_empty())
  {
    throw std::invalid_argument("DependenceGrid(): the feature has no values "
        "(0 points); give at least one");
  }
  RowType sorted = arma::sort(feature);
  RowType grid(std::max<size_t>(2, count));
  for (size_t g = 0; g < grid.n_elem; ++g)
    grid[g] = sorted[g * (sorted.n_elem - 1) / (grid.n_elem - 1)];
  return arma::unique(grid);
}

} // namespace mlpack

#endif
