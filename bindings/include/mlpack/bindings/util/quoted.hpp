/**
 * @file bindings/util/quoted.hpp
 *
 * Text from files as errors can have it: in one line, and not without end.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_QUOTED_HPP
#define MLPACK_BINDINGS_UTIL_QUOTED_HPP

#include <string>
#include <string_view>

#include <mlpack/methods/gbnn/files/short_text.hpp>

namespace mlpack {
namespace bindings {

//! The longest text of an error, in characters.
constexpr size_t maxError = 1000;

//! A name in quotation marks.
inline std::string Quoted(const std::string_view name)
{
  return "'" + gbnn::ShortText(name) + "'";
}

} // namespace bindings
} // namespace mlpack

#endif
