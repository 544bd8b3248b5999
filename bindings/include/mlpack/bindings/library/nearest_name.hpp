/**
 * @file bindings/library/nearest_name.hpp
 *
 * The name that a user may have meant.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_NEAREST_NAME_HPP
#define MLPACK_BINDINGS_LIBRARY_NEAREST_NAME_HPP

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace mlpack {
namespace bindings {
namespace library {

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

/**
 * Find the name nearest to what was given, provided that it is near at all.
 *
 * @param given What the user wrote.
 * @param known Names of parameters, and how the user would spell them.
 * @return The spelling of the nearest; empty if none is near.
 */
inline std::string NearestName(const std::string& given,
                               const std::map<std::string, std::string>& known)
{
  std::string nearest;
  // More than half of the letters wrong is another word, not a typo.
  size_t best = std::max<size_t>(2, given.size() / 2) + 1;
  for (const auto& name : known)
  {
    size_t distance = EditDistance(given, name.first);
    // A beginning or an end left out is a common slip, whatever its length.
    if (given.size() > 2 && name.first.find(given) != std::string::npos)
      distance = std::min<size_t>(distance, 2);
    if (distance < best)
    {
      best = distance;
      nearest = name.second;
    }
  }
  return nearest;
}

} // namespace library
} // namespace bindings
} // namespace mlpack

#endif
