/**
 * @file bindings/library/ignore_check.hpp
 *
 * Which checks of parameters do not apply to a library: those on whether an
 * output was asked for, since every output is returned.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_IGNORE_CHECK_HPP
#define MLPACK_BINDINGS_LIBRARY_IGNORE_CHECK_HPP

#include <mlpack/core/util/io.hpp>

#include <string>
#include <utility>
#include <vector>

namespace mlpack {
namespace bindings {
namespace library {

//! True if a parameter of this name is an output.
inline bool IgnoreCheck(const std::string& bindingName,
                        const std::string& paramName)
{
  util::Params params = IO::Parameters(bindingName);
  const auto it = params.Parameters().find(paramName);
  return it != params.Parameters().end() && !it->second.input;
}

//! True if one of the parameters is an output.
inline bool IgnoreCheck(const std::string& bindingName,
                        const std::vector<std::string>& paramNames)
{
  for (const std::string& name : paramNames)
    if (IgnoreCheck(bindingName, name))
      return true;
  return false;
}

//! True if a parameter or one that it depends on is an output.
inline bool IgnoreCheck(
    const std::string& bindingName,
    const std::vector<std::pair<std::string, bool>>& constraints,
    const std::string& paramName)
{
  for (const auto& constraint : constraints)
    if (IgnoreCheck(bindingName, constraint.first))
      return true;
  return IgnoreCheck(bindingName, paramName);
}

} // namespace library
} // namespace bindings
} // namespace mlpack

#endif
