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

#include <cstdio>
#include <string>

namespace mlpack {
namespace gbnn {

//! A string of JSON that stands for the given text, which should be UTF-8.
inline std::string JSONString(const std::string& text)
{
  std::string result = "\"";
  for (const char c : text)
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
