/**
 * @file bindings/util/printable.hpp
 *
 * Text from files as errors can have it: in one line, and not without end.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_PRINTABLE_HPP
#define MLPACK_BINDINGS_UTIL_PRINTABLE_HPP

#include <algorithm>
#include <string>
#include <string_view>

namespace mlpack {
namespace bindings {

//! The longest text of an error, in bytes.
constexpr size_t maxError = 1000;

//! A text with blanks for control characters, cut after so many bytes.
inline std::string Printable(const std::string_view text, size_t most)
{
  most = std::min(most, text.size());
  // A letter of UTF-8 is not cut in two.
  while (most > 0 && most < text.size() && (text[most] & 0xC0) == 0x80)
    --most;
  std::string result(text.substr(0, most));
  for (char& c : result)
    c = ((unsigned char) c < 32 || c == 127) ? ' ' : c;
  return result + (most < text.size() ? "..." : "");
}

//! A name in quotation marks.
inline std::string Quoted(const std::string_view name)
{
  return "'" + Printable(name, 60) + "'";
}

} // namespace bindings
} // namespace mlpack

#endif
