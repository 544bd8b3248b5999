/**
 * @file bindings/cli/plain_text.hpp
 *
 * Words of strangers, from files, made fit to be printed.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_PLAIN_TEXT_HPP
#define MLPACK_BINDINGS_CLI_PLAIN_TEXT_HPP

#include <algorithm>
#include <string>
#include <string_view>

#include <mlpack/bindings/util/quoted.hpp>

namespace mlpack {
namespace bindings {
namespace cli {

//! Number of bytes of the control character at a place of a text; 0 if there
//! is another.
inline size_t ControlBytes(const std::string_view text, const size_t i)
{
  const unsigned char c = text[i];
  if (c < 0x20 || c == 0x7f)
    return 1;
  // U+0080 to U+009F in UTF-8.
  return (c == 0xc2 && i + 1 < text.size() &&
      (unsigned char) text[i + 1] >= 0x80 &&
      (unsigned char) text[i + 1] <= 0x9f) ? 2 : 0;
}

//! Number of bytes of what changes a terminal's color there; 0 if nothing does.
inline size_t ColorBytes(const std::string_view text, const size_t i)
{
  if (text.compare(i, 2, "\033[") != 0)
    return 0;
  const size_t end = text.find_first_not_of("0123456789;", i + 2);
  return (end != text.npos && text[end] == 'm') ? end + 1 - i : 0;
}

//! Number of bytes of a prefix of mlpack's log there, such as "[WARN ] ".
inline size_t PrefixBytes(const std::string_view text, const size_t i)
{
  for (const std::string_view prefix : { "[FATAL] ", "[WARN ] ", "[INFO ] " })
    if (text.compare(i, prefix.size(), prefix) == 0)
      return prefix.size();
  return 0;
}

//! Turn any text into one line of at most a few hundred characters.
inline std::string OneLine(const std::string_view text)
{
  const size_t maximum = 400;
  std::string line;
  bool isGap = false;
  for (size_t i = 0; i < text.size() && line.size() <= 4 * maximum;)
  {
    // mlpack's prefixes and their colors go, as the caller adds its own.
    const size_t skip = std::max(ColorBytes(text, i), PrefixBytes(text, i));
    const size_t blank = (text[i] == ' ') ? 1 : ControlBytes(text, i);
    if (skip > 0 || blank > 0)
    {
      isGap = isGap || skip == 0;
      i += std::max(skip, blank);
      continue;
    }
    if (isGap && !line.empty())
      line += ' ';
    isGap = false;
    line += text[i++];
  }
  return gbnn::ShortText(line, maximum);
}

/**
 * A line for a terminal, without control characters.  Tabs, line ends and what
 * is printed to begin a line stay: a color with a prefix of the log, and the
 * carriage return of a progress bar.
 */
inline std::string WithoutControls(const std::string_view line)
{
  const size_t color = ColorBytes(line, 0), prefix = PrefixBytes(line, color);
  size_t i = (line.substr(0, 1) == "\r") ? 1 : (prefix == 0) ? 0 :
      color + prefix + ColorBytes(line, color + prefix);
  std::string result(line.substr(0, i));
  while (i < line.size())
  {
    const size_t bytes = ControlBytes(line, i);
    const bool stays = (bytes == 0 || line[i] == '\n' || line[i] == '\t');
    result += stays ? line[i] : ' ';
    i += stays ? 1 : bytes;
  }
  return result;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
