/**
 * @file bindings/library/nearest_name.hpp
 *
 * The name that a user may have meant.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_NEAREST_NAME_HPP
#define MLPACK_BINDINGS_LIBRARY_NEAREST_NAME_HPP

#include <algorithm>
#include <mlpack/bindings/util/edit_distance.hpp>

#include <map>
#include <string>

namespace mlpack {
namespace bindings {
namespace library {

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
