/**
 * @file methods/gbnn/export/json_text.hpp
 *
 * Text as a string of JSON.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_EXPORT_JSON_TEXT_HPP
#define MLPACK_METHODS_GBNN_EXPORT_JSON_TEXT_HPP

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

namespace mlpack {
namespace gbnn {

//! The number of bytes of the letter of UTF-8 that a text begins with; 0 if it
//! begins with none.
inline size_t LetterSize(const std::string_view text)
{
  const auto byte = [&](const size_t i)
  {
    return i < text.size() ? (unsigned char) text[i] : 0u;
  };
  const unsigned first = byte(0), second = byte(1);
  const size_t size = (first < 0x80) ? 1 : (first < 0xC2) ? 0 :
      (first < 0xE0) ? 2 : (first < 0xF0) ? 3 : (first < 0xF5) ? 4 : 0;
  for (size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xC0) != 0x80)
      return 0;
  // Longer than need be, halves of pairs (surrogates), and beyond U+10FFFF.
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
    return 0;
  return size;
}

//! A text with U+FFFD, the sign for what cannot be read, for each byte that is
//! no part of UTF-8.
inline std::string ValidUTF8(std::string_view text)
{
  std::string result;
  while (!text.empty())
  {
    const size_t size = LetterSize(text);
    result += size ? text.substr(0, size) : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(std::max<size_t>(size, 1));
  }
  return result;
}

//! A string of JSON that stands for the given text.
inline std::string JSONString(const std::string& text)
{
  std::string result = "\"";
  for (const char c : ValidUTF8(text))
  {
    if (c == '"' || c == '\\')
      result += '\\';
    if ((unsigned char) c < 32)
    {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", unsigned(c));
      result += escape;
    }
    else
    {
      result += c;
    }
  }
  return result + "\"";
}

} // namespace gbnn
} // namespace mlpack

#endif
