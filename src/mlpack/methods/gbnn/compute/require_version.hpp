/**
 * @file methods/gbnn/compute/require_version.hpp
 *
 * Model files of other versions are refused rather than misread.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_REQUIRE_VERSION_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_REQUIRE_VERSION_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

/**
 * Throw std::runtime_error unless a class can be loaded as it was saved.
 *
 * @param name The class.
 * @param found The version that is in the file.
 * @param newest The last version that can be loaded.
 * @param oldest The first version that can be loaded.
 */
inline void RequireVersion(const std::string& name,
                           const uint32_t found,
                           const uint32_t newest,
                           const uint32_t oldest)
{
  if (found > newest || found < oldest)
  {
    throw std::runtime_error(name + ": the model was saved as version " +
        std::to_string(found) + ", but only version" + (oldest == newest ? " " :
        "s " + std::to_string(oldest) + " to ") + std::to_string(newest) +
        " can be loaded");
  }
}

//! The same if only one version can be loaded.
inline void RequireVersion(const std::string& name,
                           const uint32_t found,
                           const uint32_t expected)
{
  RequireVersion(name, found, expected, expected);
}

} // namespace gbnn
} // namespace mlpack

#endif
