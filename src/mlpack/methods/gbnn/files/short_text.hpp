/**
 * @file methods/gbnn/files/short_text.hpp
 *
 * Text from files as it can stand in messages.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_FILES_SHORT_TEXT_HPP
#define MLPACK_METHODS_GBNN_FILES_SHORT_TEXT_HPP

#include <string>
#include <string_view>

namespace mlpack {
namespace gbnn {

/**
 * A text as it can stand in a message: not longer than about `maximum`
 * characters, and with blanks for control characters, which a terminal would
 * obey.
 */
inline std::string ShortText(const std::string_view text,
                             const size_t maximum = 60)
{
  std::string result;
  size_t characters = 0;
  for (const char c : text)
  {
    // A character of UTF-8 has up to four bytes, which must stay together.
    const bool isFirst = (c & 0xC0) != 0x80;
    if ((isFirst && characters == maximum) || result.size() == 4 * maximum)
      return result + "...";
    characters += isFirst;
    result += ((unsigned char) c < 32 || c == 127) ? ' ' : c;
  }
  return result;
}

} // namespace gbnn
} // namespace mlpack

#endif
