/**
 * @file bindings/util/edit_distance.hpp
 *
 * How far one word is from another, to suggest names of options.
 */
#ifndef MLPACK_BINDINGS_UTIL_EDIT_DISTANCE_HPP
#define MLPACK_BINDINGS_UTIL_EDIT_DISTANCE_HPP

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace mlpack {
namespace bindings {

//! The number of letters to insert, delete or replace to get from a to b.
inline size_t EditDistance(const std::string& a, const std::string& b)
{
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < a.size(); ++i)
  {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j)
    {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({ replaced, row[j] + 1, row[j + 1] + 1 });
    }
  }
  return row[b.size()];
}

} // namespace bindings
} // namespace mlpack

#endif
