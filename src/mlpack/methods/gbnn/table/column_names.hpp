/**
 * @file methods/gbnn/table/column_names.hpp
 *
 * Finding columns by what users call them.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_TABLE_COLUMN_NAMES_HPP
#define MLPACK_METHODS_GBNN_TABLE_COLUMN_NAMES_HPP

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "../files/short_text.hpp"

namespace mlpack {
namespace gbnn {

//! The same text without capital letters.
inline std::string LowerCase(std::string text)
{
  for (char& c : text)
    c = char(std::tolower((unsigned char) c));
  return text;
}

//! Most characters of a name in a table of text.
constexpr size_t maxNameWidth = 40;

//! Number of characters of a text in UTF-8.
inline size_t TextWidth(const std::string& text)
{
  return size_t(std::count_if(text.begin(), text.end(),
      [](const char c) { return (c & 0xC0) != 0x80; }));
}

//! Whether one of the words has a zero byte, where C would end it.
inline bool HaveZeroByte(const std::vector<std::string>& words)
{
  return std::any_of(words.begin(), words.end(), [](const std::string& word)
      { return word.find('\0') != std::string::npos; });
}

//! The number of letters to insert, delete or replace to get from a to b.
//! Above 100 letters it would take long, and is that of another word.
inline size_t EditDistance(const std::string& a, const std::string& b)
{
  const size_t maximum = 100, longest = std::max(a.size(), b.size());
  if (longest > maximum)
    return longest;
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < a.size(); ++i)
  {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j)
    {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({ replaced, row[j] + 1, row[j + 1] + 1 });
    }
  }
  return row[b.size()];
}

//! Some names, for an error to list.
inline std::string ListNames(const std::vector<std::string>& names)
{
  const size_t maximum = 20;
  std::string text;
  for (size_t i = 0; i < std::min(maximum, names.size()); ++i)
    text += (i > 0 ? ", '" : "'") + ShortText(names[i]) + "'";
  return text + (names.size() > maximum ? ", and " +
      std::to_string(names.size() - maximum) + " more" : "");
}

//! Whether all words are false or true, which languages spell differently.
inline bool AreTruths(const std::vector<std::string>& words)
{
  return std::all_of(words.begin(), words.end(), [](const std::string& word)
  {
    const std::string lower = LowerCase(word);
    return lower == "false" || lower == "true";
  });
}

//! If words are false and true in several spellings, keep the first of each.
inline void KeepTruths(std::vector<std::string>& words)
{
  if (words.size() < 2 || !AreTruths(words))
    return;
  std::set<std::string> seen;
  words.erase(std::remove_if(words.begin(), words.end(),
      [&](const std::string& word)
      { return !seen.insert(LowerCase(word)).second; }), words.end());
}

//! If words are false and true: the place of one of them, whatever its capital
//! letters; else, and if it is none of them, their number.
inline size_t FindTruth(const std::vector<std::string>& words,
                        const std::string& text)
{
  if (words.size() > 2 || !AreTruths(words))
    return words.size();
  return size_t(std::find_if(words.begin(), words.end(),
      [&](const std::string& word)
      { return LowerCase(word) == LowerCase(text); }) - words.begin());
}

//! A question whether another name was meant; empty if none is near.
inline std::string Suggestion(const std::string& text,
                              const std::vector<std::string>& names)
{
  // Capital letters are a common mistake.
  const auto distance = [&](const std::string& name)
  {
    return EditDistance(LowerCase(text), LowerCase(name));
  };
  const auto nearest = std::min_element(names.begin(), names.end(),
      [&](const std::string& a, const std::string& b)
      {
        return distance(a) < distance(b);
      });
  // As many wrong letters as half of the word make another word.
  if (nearest == names.end() ||
      2 * distance(*nearest) > std::max<size_t>(2, text.size()))
    return "";
  // All of it: a part is no name.
  return "; did you mean '" + ShortText(*nearest, nearest->size()) + "'?";
}

//! Throw std::invalid_argument if two columns have the same name.
inline void RequireDistinct(const std::vector<std::string>& names,
                            const std::string& table)
{
  std::map<std::string, size_t> places;
  for (size_t c = 0; c < names.size(); ++c)
  {
    const auto found = places.emplace(names[c], c);
    if (!found.second)
    {
      throw std::invalid_argument(table + " has two columns called '" +
          ShortText(names[c]) + "' (" +
          std::to_string(found.first->second + 1) + " and " +
          std::to_string(c + 1) + "); give each a name of its own");
    }
  }
}

/**
 * The column that a user means by its name or its number, from 1 on; throws
 * std::invalid_argument if there is none.
 *
 * @param names The names of the columns; empty if they are not known.
 * @param columns Number of columns.
 * @param text What the user gave.
 * @param option What to call that in errors.
 */
inline size_t FindColumnName(const std::vector<std::string>& names,
                             const size_t columns,
                             const std::string& text,
                             const std::string& option)
{
  const auto place = std::find(names.begin(), names.end(), text);
  const auto other = (place == names.end()) ? place :
      std::find(place + 1, names.end(), text);
  if (other != names.end())
  {
    throw std::invalid_argument(option + " '" + ShortText(text) + "' is the "
        "name of two columns, " + std::to_string(place - names.begin() + 1) +
        " and " + std::to_string(other - names.begin() + 1) + "; give the "
        "number of one");
  }
  if (place != names.end())
    return size_t(place - names.begin());
  const bool digits = !text.empty() && text.size() < 10 &&
      text.find_first_not_of("0123456789") == std::string::npos;
  const size_t number = digits ? std::stoul(text) : 0;
  if (number > 0 && number <= columns)
    return number - 1;
  // The suggestion comes first, for the list may be long.
  const std::string suggestion = Suggestion(text, names);
  throw std::invalid_argument(option + " '" + ShortText(text) + "' is no "
      "column" + (suggestion.empty() ? ": expected " : suggestion +
      " Expected ") + "a number from 1 to " + std::to_string(columns) +
      (names.empty() ? " (the file has no names of columns)" : ", or one of "
      "the names " + ListNames(names)));
}

} // namespace gbnn
} // namespace mlpack

#endif
