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

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../util/quoted.hpp"

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

/**
 * Columns of numbers that a few words make ones of categories, in words; the
 * command line warns of such columns in files.
 *
 * @param data Matrix with one point per column, as NumberCategories() makes it.
 * @param info What its dimensions are.
 * @param name What to call the data.
 */
template<typename InfoType>
std::vector<std::string> WordsAmongNumbers(const arma::mat& data,
                                           const InfoType& info,
                                           const std::string& name)
{
  using TypeOfDimension = std::decay_t<decltype(info.Type(0))>;
  // Few different numbers are categories as well as words are.
  const double minShare = 0.9;
  const size_t maxCategories = 20, maxWarnings = 5;

  std::vector<std::string> texts;
  for (size_t d = 0; d < data.n_rows && texts.size() < maxWarnings; ++d)
  {
    if (info.Type(d) != TypeOfDimension::categorical ||
        info.NumMappings(d) <= maxCategories)
      continue;
    std::vector<char> isNumber(info.NumMappings(d));
    for (size_t k = 0; k < isNumber.size(); ++k)
    {
      const std::string& word = info.UnmapString(double(k), d);
      const char* end = word.data() + word.size();
      double value;
      isNumber[k] = (std::from_chars(word.data(), end, value).ptr == end);
    }
    size_t numbers = 0, first = data.n_cols;
    for (size_t i = data.n_cols; i-- > 0;)
    {
      if (std::isnan(data(d, i)))
        continue;
      if (isNumber[size_t(data(d, i))])
        ++numbers;
      else
        first = i;
    }
    if (first < data.n_cols && double(numbers) >= minShare * data.n_cols)
    {
      texts.push_back("Column " + std::to_string(d + 1) + " of " + name +
          " has numbers in " + std::to_string(numbers) + " of " +
          std::to_string(data.n_cols) + " points, but " +
          Quoted(info.UnmapString(data(d, first), d)) + " in point " +
          std::to_string(first + 1) + ", and is taken for categories; mark it "
          "as missing if a number is missing there.");
    }
  }
  return texts;
}

} // namespace library
} // namespace bindings
} // namespace mlpack

#endif
