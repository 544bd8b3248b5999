/**
 * @file bindings/library/category_order.hpp
 *
 * Numbering the categories of a dataset that a language hands over.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_CATEGORY_ORDER_HPP
#define MLPACK_BINDINGS_LIBRARY_CATEGORY_ORDER_HPP

#include <mlpack/core.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace mlpack {
namespace bindings {
namespace library {

/**
 * Number the categories of every categorical dimension by first appearance and
 * tell the dataset's info of them.  Languages order levels as they like (mostly
 * by the alphabet); a file has them in the order of its lines.  Numbering them
 * in one way makes the same data train the same model everywhere.
 *
 * @param data Matrix with one point per column, changed in place.
 * @param info Info of the right dimensionality, all numeric.
 * @param counts Number of categories of each dimension, -1 for numeric.
 * @param names All categories, one dimension after the other.
 * @param keepOrder Number them in the order in which they are given instead.
 * @return What is wrong with the data; empty if nothing is.
 */
template<typename InfoType>
std::string NumberCategories(arma::mat& data,
                             InfoType& info,
                             const int64_t* counts,
                             const char* const* names,
                             const bool keepOrder)
{
  using TypeOfDimension = std::decay_t<decltype(info.Type(0))>;

  for (size_t d = 0; d < data.n_rows; ++d)
  {
    if (counts[d] < 0)
      continue;

    info.Type(d) = TypeOfDimension::categorical;
    std::vector<double> codes(counts[d], -1.0);
    for (size_t k = 0; keepOrder && k < codes.size(); ++k)
      codes[k] = info.template MapString<double>(names[k], d);
    for (size_t i = 0; i < data.n_cols; ++i)
    {
      double& cell = data(d, i);
      if (std::isnan(cell))
        continue;
      if (!(cell >= 0 && cell < counts[d]) || cell != std::floor(cell))
      {
        return "dimension " + std::to_string(d) + " has " +
            std::to_string(counts[d]) + " categories, but a cell has index " +
            std::to_string(cell);
      }

      double& code = codes[(size_t) cell];
      if (code < 0)
        code = info.template MapString<double>(names[(size_t) cell], d);
      cell = code;
    }
    names += counts[d];
  }
  return "";
}

} // namespace library
} // namespace bindings
} // namespace mlpack

#endif
