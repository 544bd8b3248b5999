/**
 * @file bindings/cli/load_arff.cpp
 *
 * Read ARFF files.  mlpack's own reader refuses missing values in numeric
 * attributes and makes a category of them in others.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/load_matrix.hpp>
#include <mlpack/bindings/cli/text_table.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_set>

#include "plain_text.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

//! Take blanks off both ends.
static std::string Trimmed(const std::string& s)
{
  const size_t first = s.find_first_not_of(" \t\r");
  if (first == std::string::npos)
    return "";
  return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

//! The words of an attribute are not case sensitive.
static std::string Lower(std::string s)
{
  for (char& c : s)
    c = (char) std::tolower((unsigned char) c);
  return s;
}

/**
 * Cut the next item off a line: up to the first of the given delimiters, or to
 * the closing quote if it starts with one (either kind).
 */
static std::string NextItem(const std::string& line,
                            size_t& position,
                            const char* delimiters,
                            bool& quoted)
{
  position = std::min(line.find_first_not_of(" \t", position), line.size());
  std::string item;
  quoted = position < line.size() &&
      (line[position] == '\'' || line[position] == '"');
  if (quoted)
  {
    const char quote = line[position++];
    while (position < line.size() && line[position] != quote)
    {
      if (line[position] == '\\' && position + 1 < line.size())
        ++position;
      item += line[position++];
    }
  }
  const size_t end = std::min(line.find_first_of(delimiters, position),
      line.size());
  if (!quoted)
    item = Trimmed(line.substr(position, end - position));
  position = end + 1;
  return item;
}

//! An attribute of the header.
struct Attribute
{
  std::string name;
  bool categorical = false;
  //! The categories it may have, in their order; any, if this is empty.
  std::vector<std::string> categories;
  //! The same, to look for one.
  std::unordered_set<std::string> known;
};

//! Read what follows `@attribute`.
static Attribute ReadAttribute(const std::string& line)
{
  size_t position = strlen("@attribute");
  bool quoted;
  const std::string name = NextItem(line, position, " \t", quoted);
  const std::string type = Trimmed(position < line.size() ?
      line.substr(position) : "");
  const std::string word = Lower(type.substr(0, type.find_first_of(" \t[")));

  Attribute attribute;
  attribute.name = name;
  if (word == "numeric" || word == "real" || word == "integer")
    return attribute;
  attribute.categorical = true;
  if (!type.empty() && type.front() == '{' && type.back() == '}')
  {
    const std::string list = type.substr(1, type.size() - 2);
    for (size_t p = 0; p < list.size();)
      attribute.categories.push_back(NextItem(list, p, ",", quoted));
    attribute.known.insert(attribute.categories.begin(),
        attribute.categories.end());
  }
  else if (word != "string")
  {
    throw std::runtime_error("attribute " + Quoted(name) + " has the type " +
        Quoted(type) + ", which is not supported");
  }
  return attribute;
}

//! Put the attributes of the header into the dataset's information.
static void SetInfo(const std::vector<Attribute>& attributes, DatasetInfo& info)
{
  if (info.Dimensionality() == 0)
    info = DatasetInfo(attributes.size());
  if (info.Dimensionality() != attributes.size())
  {
    throw std::runtime_error("expected " + std::to_string(info.Dimensionality())
        + " attributes, but found " + std::to_string(attributes.size()));
  }
  for (size_t i = 0; i < attributes.size(); ++i)
  {
    if (attributes[i].categorical)
      info.Type(i) = Datatype::categorical;
    for (const std::string& category : attributes[i].categories)
      info.MapString<double>(category, i);
  }
}

//! Turn a cell into a number.
static double CellValue(const std::string& cell,
                        const bool quoted,
                        const Attribute& attribute,
                        const size_t dimension,
                        DatasetInfo& info)
{
  double value;
  const CellType type = ReadCell(cell, value);
  if (!quoted && type == CellType::Missing)
    return value;
  if (!attribute.known.empty() && attribute.known.count(cell) == 0)
  {
    throw std::runtime_error(Quoted(cell) + " is not a category that the "
        "header lists");
  }
  if (info.Type(dimension) == Datatype::categorical)
    return info.MapString<double>(cell, dimension);
  if (type == CellType::Text)
    throw std::runtime_error("expected a number, but found " + Quoted(cell));
  return value;
}

//! Read one line of the data section.
static void ReadPoint(const std::string& line,
                      const std::vector<Attribute>& attributes,
                      DatasetInfo& info,
                      std::vector<double>& values)
{
  if (line[0] == '{')
    throw std::runtime_error("sparse ARFF data is not supported");
  size_t cells = 0;
  for (size_t position = 0; position <= line.size(); ++cells)
  {
    bool quoted;
    const std::string cell = NextItem(line, position, ",", quoted);
    if (cells < attributes.size())
    {
      values.push_back(CellValue(cell, quoted, attributes[cells], cells, info));
    }
  }
  if (cells != attributes.size())
  {
    throw std::runtime_error("has " + std::to_string(cells) + " values, but "
        "the header has " + std::to_string(attributes.size()) + " attributes");
  }
}

LoadedMatrix LoadARFFText(const std::string& text, DatasetInfo& info)
{
  RefuseBinary(text);
  std::vector<Attribute> attributes;
  std::vector<double> values;
  LoadedMatrix result;
  bool inData = false;
  size_t number = 0;
  for (size_t start = 0; start < text.size();)
  {
    const size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = Trimmed(text.substr(start, end - start));
    start = end + 1;
    ++number;
    if (line.empty() || line[0] == '%')
      continue;

    const std::string word = Lower(line.substr(0, line.find_first_of(" \t")));
    try
    {
      if (inData)
      {
        ReadPoint(line, attributes, info, values);
        result.lines.push_back(number);
      }
      else if (word == "@attribute")
        attributes.push_back(ReadAttribute(line));
      else if (word == "@data")
      {
        SetInfo(attributes, info);
        inData = true;
      }
      else if (word != "@relation" && number > 1)
        throw std::runtime_error("expected @attribute or @data");
      else if (word != "@relation")
        throw std::runtime_error("expected @relation");
    }
    catch (const std::runtime_error& e)
    {
      throw std::runtime_error("line " + std::to_string(number) + ": " +
          e.what());
    }
  }

  if (result.lines.empty())
    throw std::runtime_error(number == 0 ? "is empty" : "has no data");
  result.data = arma::mat(values.data(), attributes.size(),
      result.lines.size());
  for (const Attribute& attribute : attributes)
    result.names.push_back(attribute.name);
  return result;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
