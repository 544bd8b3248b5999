/**
 * @file bindings/cli/text_files.cpp
 *
 * Implementation of finding files and their headers, and of reading all of
 * them.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "text_files.hpp"

#include <mlpack/bindings/cli/file_format.hpp>
#include <mlpack/bindings/cli/text_part.hpp>
#include <mlpack/bindings/cli/text_table.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

#include <stdio.h>
#include <sys/stat.h>

namespace mlpack {
namespace bindings {
namespace cli {

void AppendBytes(const std::string& file,
                 const size_t begin,
                 const size_t end,
                 std::string& text)
{
  std::unique_ptr<FILE, int (*)(FILE*)> stream(fopen(file.c_str(), "rb"),
      &fclose);
  if (!stream || fseeko(stream.get(), off_t(begin), SEEK_SET) != 0)
    throw std::runtime_error(std::string("cannot be read: ") + strerror(errno));
  const size_t before = text.size(), number = end - begin;
  text.resize(before + number);
  if (fread(&text[before], 1, number, stream.get()) != number)
    throw std::runtime_error("cannot be read: it has become shorter");
}

//! What the system knows of a file; false if there is none.
static bool FindStatus(const std::string& file, struct stat& status)
{
  return stat(file.c_str(), &status) == 0;
}

bool IsOrdinary(const std::string& file)
{
  struct stat status;
  return FindStatus(file, status) && S_ISREG(status.st_mode);
}

size_t FileSize(const std::string& file)
{
  struct stat status;
  return (FindStatus(file, status) && S_ISREG(status.st_mode)) ?
      size_t(status.st_size) : 0;
}

bool Exists(const std::string& file)
{
  struct stat status;
  return FindStatus(file, status);
}

//! Whether a name is a list of files.
static bool IsList(const std::string& name)
{
  return name.find(',') != std::string::npos && !Exists(name);
}

bool IsNumbered(const std::string& name)
{
  return name.find("%d") != std::string::npos && !Exists(name) && !IsList(name);
}

std::string NumberedFile(std::string name, const size_t number)
{
  return name.replace(name.find("%d"), 2, std::to_string(number));
}

//! The files of a list.
static std::vector<std::string> ListedFiles(const std::string& name)
{
  std::vector<std::string> files;
  for (size_t begin = 0; begin <= name.size();)
  {
    const size_t end = std::min(name.find(',', begin), name.size());
    files.push_back(name.substr(begin, end - begin));
    begin = end + 1;
    if (files.back().empty())
    {
      throw std::runtime_error("is not a file, and as a list it has an empty "
          "name; write names with commas and no blanks between them, such as "
          "'a.csv,b.csv'");
    }
    if (FileExtension(files.back()) != FileExtension(files[0]))
    {
      throw std::runtime_error("is not a file, and as a list it has files of "
          "different kinds, '" + files[0] + "' and '" + files.back() + "'; "
          "expected the same extension");
    }
  }
  return files;
}

std::vector<std::string> FilesOf(const std::string& name, const size_t rank)
{
  if (!IsList(name) && !IsNumbered(name))
    return { name };
  if (IsBinaryMatrix(name) || FileExtension(name) == "arff")
  {
    throw std::runtime_error("is not a file, and several files must be text "
        "such as CSV");
  }
  if (IsList(name))
    return ListedFiles(name);
  // If there is none, reading the first says so.
  std::vector<std::string> files = { NumberedFile(name, 0) };
  if (!Exists(files[0]) && Exists(NumberedFile(name, rank)))
    return { NumberedFile(name, rank) };
  while (Exists(NumberedFile(name, files.size())))
    files.push_back(NumberedFile(name, files.size()));
  // One that was forgotten would take all after it along.
  const size_t maxGap = 1000;
  for (size_t i = 1; i <= maxGap; ++i)
  {
    const std::string next = NumberedFile(name, files.size() + i);
    if (Exists(next))
    {
      throw std::runtime_error("'" + next + "' is there, but '" +
          NumberedFile(name, files.size()) + "' is not; numbers must follow "
          "one another");
    }
  }
  return files;
}

size_t LineEnd(const std::string& text, const size_t begin, bool open)
{
  size_t i = begin;
  for (; i < text.size() && (open || text[i] != '\n'); ++i)
    open ^= (text[i] == '"');
  return i;
}

std::string FirstLine(const std::string& text)
{
  size_t begin = (text.compare(0, 3, "\xEF\xBB\xBF") == 0) ? 3 : 0;
  while (begin < text.size())
  {
    const size_t end = LineEnd(text, begin, false);
    const std::string line = text.substr(begin, end - begin);
    if (line.find_first_not_of(" \r") != std::string::npos)
      return line;
    begin = end + 1;
  }
  throw std::runtime_error("begins with many blank lines; take them out");
}

bool IsBlank(const std::string& text, const size_t begin)
{
  return text.find_first_not_of(" \r\n", begin) == std::string::npos;
}

size_t TakeMark(std::string& text)
{
  const size_t bytes = (text.compare(0, 3, "\xEF\xBB\xBF") == 0) ? 3 : 0;
  text.erase(0, bytes);
  return bytes;
}

std::string HeadOf(const std::string& text)
{
  const std::string line = IsBlank(text) ? "" : FirstLine(text);
  return line.substr(0, 1 + line.find_last_not_of(" \r"));
}

//! The cells of a line.
static std::vector<std::string> CellsOf(const std::string& line,
                                        const std::string& extension)
{
  const TextTable table(line, extension);
  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  table.Split(table.Lines()[0], cells, storage);
  return { cells.begin(), cells.end() };
}

bool BeginsWithHeader(const std::string& text, const std::string& file)
{
  if (IsBlank(text))
    return false;
  size_t end = 0;
  for (size_t i = 0; i < headLines && end < text.size(); ++i)
    end = 1 + LineEnd(text, end, false);
  const std::string some = text.substr(0, end);
  LinePlaces places;
  places.Add(1, file, 1);
  const TextTable table(some, FileExtension(file), places);
  const std::vector<TextLine>& lines = table.Lines();
  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  table.Split(lines[0], cells, storage);
  const std::vector<std::string> head(cells.begin(), cells.end());
  std::vector<char> hasNumber(head.size()), hasText(head.size());
  bool isAgain = false;
  double value;
  for (size_t i = 1; i < lines.size(); ++i)
  {
    table.Split(lines[i], cells, storage);
    for (size_t c = 0; c < std::min(cells.size(), head.size()); ++c)
    {
      const CellType type = ReadCell(cells[c], value);
      hasNumber[c] |= (type == CellType::Number);
      hasText[c] |= (type == CellType::Text);
      isAgain |= (cells[c] == head[c]);
    }
  }
  bool areWords = (lines.size() > 1);
  for (size_t c = 0; c < head.size(); ++c)
  {
    const bool isWord = (ReadCell(head[c], value) == CellType::Text);
    if (isWord && hasNumber[c] && !hasText[c])
      return true;
    areWords = areWords && isWord;
  }
  return areWords && !isAgain &&
      std::set<std::string>(head.begin(), head.end()).size() == head.size();
}

size_t PointsBegin(const std::string& text,
                   const std::string& header,
                   const std::string& extension)
{
  const std::string head = HeadOf(text);
  if (header.empty() || head.empty())
    return 0;
  if (head == header)
  {
    const size_t end = text.find('\n', text.find(head) + head.size());
    return (end == text.npos) ? text.size() : end + 1;
  }
  std::vector<std::string> mine = CellsOf(head, extension);
  std::vector<std::string> others = CellsOf(header, extension);
  std::sort(mine.begin(), mine.end());
  std::sort(others.begin(), others.end());
  if (mine == others)
  {
    throw std::runtime_error("has columns in another order than the first "
        "file: '" + head + "' instead of '" + header + "'");
  }
  return 0;
}

size_t HeaderFinder::Begin(const std::string& text, const std::string& file)
{
  OfFile(file, [&]() { RefuseCarriageReturns(text); });
  const bool isFirst = head.empty();
  const std::string mine = HeadOf(text);
  if (isFirst)
    head = mine;
  // A header without points below does not look like one; the next file that
  // has it may have some.
  if (isUndecided && mine == head)
    hasHeader = BeginsWithHeader(text, file);
  isUndecided = isUndecided && !hasHeader && mine == head &&
      IsBlank(text, text.find(mine) + mine.size());
  return isFirst ? 0 : OfFile(file, [&]()
  {
    return PointsBegin(text, hasHeader ? head : "", FileExtension(file));
  });
}

size_t Count(const std::string& text,
             const char c,
             const size_t begin,
             const size_t end)
{
  return size_t(std::count(text.begin() + begin, text.begin() +
      std::min(end, text.size()), c));
}

void RequireClosed(const std::string& file, const size_t quotes)
{
  if (quotes % 2 == 1)
  {
    throw std::runtime_error("'" + file + "' has a quotation mark that is "
        "never closed");
  }
}

TextPart ReadText(const std::string& name)
{
  const std::vector<std::string> files = FilesOf(name);
  TextPart part;
  if (files.size() == 1)
  {
    part.text = ReadFile(files[0]);
    RefuseBinary(part.text, part.places);
    RefuseCarriageReturns(part.text);
    return part;
  }
  HeaderFinder header;
  size_t line = 1;
  for (const std::string& file : files)
  {
    std::string text = OfFile(file, [&]() { return ReadFile(file); });
    TakeMark(text);
    if (IsBlank(text))
      continue;
    const size_t begin = header.Begin(text, file);
    // In a table of one column, blank lines between others count.
    const size_t end = 1 + text.find_last_not_of(" \r\n");
    if (begin >= end)
      continue;
    RequireClosed(file, Count(text, '"'));
    part.text += part.text.empty() ? "" : "\n";
    part.text.append(text, begin, end - begin);
    part.places.Add(line, file, 1 + Count(text, '\n', 0, begin));
    line += 1 + Count(text, '\n', begin, end);
  }
  return part;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
