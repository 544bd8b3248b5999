/**
 * @file methods/gbnn/table/number_list.hpp
 *
 * Numbers as users write them in one text, with commas between.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_TABLE_NUMBER_LIST_HPP
#define MLPACK_METHODS_GBNN_TABLE_NUMBER_LIST_HPP

#include <charconv>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

//! A number that is all of a text but spaces; NaN if it is not.
inline double ReadNumber(const std::string& text)
{
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  double value;
  return (in >> value && (in >> std::ws).eof()) ? value : arma::datum::nan;
}

//! A number with all digits that tell it from others, and as people write it:
//! 100000 and not 1e+05.
inline std::string NumberText(const double value)
{
  char text[512];
  return std::string(text, std::to_chars(text, text + sizeof(text), value,
      std::chars_format::fixed).ptr);
}

//! The place of the one word that is this number, such as 01 for 1; the number
//! of words if there is none, or if there are several.
inline size_t FindNumber(const std::vector<std::string>& words,
                         const double value)
{
  size_t found = words.size();
  for (size_t i = 0; i < words.size(); ++i)
  {
    // Most words do not even begin like one.
    if (words[i].find_first_of("0123456789+-. ") != 0 ||
        ReadNumber(words[i]) != value)
      continue;
    if (found < words.size())
      return words.size();
    found = i;
  }
  return found;
}

//! The parts of a text that have commas between them; one empty part if the
//! text is empty.
inline std::vector<std::string> SplitList(const std::string& text)
{
  std::vector<std::string> parts;
  size_t end;
  for (size_t begin = 0; begin <= text.size(); begin = end + 1)
  {
    end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

} // namespace gbnn
} // namespace mlpack

#endif
