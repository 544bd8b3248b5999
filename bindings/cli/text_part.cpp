/**
 * @file bindings/cli/text_part.cpp
 *
 * Implementation of reading text in parts.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/text_part.hpp>
#include <mlpack/bindings/cli/file_format.hpp>
#include <mlpack/bindings/cli/text_table.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <set>
#include <stdexcept>
#include <vector>

#include <stdio.h>
#include <sys/stat.h>

namespace mlpack {
namespace bindings {
namespace cli {

//! The bytes of a file from one place to another.
static std::string ReadBytes(const std::string& file,
                             const size_t begin,
                             const size_t end)
{
  std::unique_ptr<FILE, int (*)(FILE*)> stream(fopen(file.c_str(), "rb"),
      &fclose);
  std::string bytes(end - begin, '\0');
  if (!stream || fseeko(stream.get(), off_t(begin), SEEK_SET) != 0)
    throw std::runtime_error(std::string("cannot be read: ") + strerror(errno));
  if (fread(&bytes[0], 1, bytes.size(), stream.get()) != bytes.size())
    throw std::runtime_error("cannot be read: it has become shorter");
  return bytes;
}

//! Number of bytes of an ordinary file; 0 for all others.
static size_t FileSize(const std::string& file)
{
  struct stat status;
  return (stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode)) ?
      size_t(status.st_size) : 0;
}

//! Whether there is a file of this name.
static bool Exists(const std::string& file)
{
  struct stat status;
  return stat(file.c_str(), &status) == 0;
}

//! Whether a name stands for files with a number each.
static bool IsNumbered(const std::string& name)
{
  return name.find("%d") != std::string::npos && !Exists(name);
}

//! The file with this number.
static std::string NumberedFile(std::string name, const size_t number)
{
  return name.replace(name.find("%d"), 2, std::to_string(number));
}

std::vector<std::string> FilesOf(const std::string& name, const size_t rank)
{
  if (!IsNumbered(name))
    return { name };
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

//! The end of the line that begins at a place: that of a newline outside of
//! quotes, or of the text.
static size_t LineEnd(const std::string& text, const size_t begin, bool open)
{
  size_t i = begin;
  for (; i < text.size() && (open || text[i] != '\n'); ++i)
    open ^= (text[i] == '"');
  return i;
}

//! The first line of a text that is not blank.
static std::string FirstLine(const std::string& text)
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

//! Whether there is nothing but blanks and line ends.
static bool IsBlank(const std::string& text)
{
  return text.find_first_not_of(" \r\n") == std::string::npos;
}

//! A file with a number, without a byte order mark, which another part may
//! precede.
static std::string ReadNumberedFile(const std::string& file)
{
  std::string text = ReadFile(file);
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0)
    text.erase(0, 3);
  return text;
}

//! The first line of a file with a number, without blanks at its end.
static std::string HeadOf(const std::string& text)
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

/**
 * Whether the first line of the first file is a header, which others may
 * repeat: it names a column that has only numbers below, or is of words that
 * differ and do not come again in their columns.
 */
static bool BeginsWithHeader(const std::string& text,
                             const std::string& extension)
{
  if (IsBlank(text))
    return false;
  // As many lines as show whether words come again.
  const size_t maxLines = 1000;
  size_t end = 0;
  for (size_t i = 0; i < maxLines && end < text.size(); ++i)
    end = 1 + LineEnd(text, end, false);
  const std::string some = text.substr(0, end);
  const TextTable table(some, extension);
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

/**
 * Where the points of a file with a number begin: behind the header, if it
 * repeats that of the first file.
 *
 * @param text The file.
 * @param header The header of the first file; empty if it has none.
 * @param extension Extension of the files.
 */
static size_t PointsBegin(const std::string& text,
                          const std::string& header,
                          const std::string& extension)
{
  const std::string head = HeadOf(text);
  if (header.empty() || head.empty())
    return 0;
  if (head == header)
    return std::min(text.size(), text.find('\n', text.find(head) +
        head.size()) + 1);
  std::vector<std::string> mine = CellsOf(head, extension);
  std::vector<std::string> others = CellsOf(header, extension);
  std::sort(mine.begin(), mine.end());
  std::sort(others.begin(), others.end());
  if (mine == others)
  {
    throw std::runtime_error("has columns in another order in another file: "
        "'" + head + "', but '" + header + "' in the first one");
  }
  return 0;
}

std::string ReadText(const std::string& name)
{
  const std::vector<std::string> files = FilesOf(name);
  if (files.size() == 1)
    return ReadFile(files[0]);
  const std::string extension = FileExtension(name);
  if (extension == "arff")
  {
    throw std::runtime_error("is in several files, which must be text such as "
        "CSV");
  }
  std::string text = ReadNumberedFile(files[0]);
  const std::string header = BeginsWithHeader(text, extension) ?
      HeadOf(text) : "";
  for (size_t i = 1; i < files.size(); ++i)
  {
    const std::string other = ReadNumberedFile(files[i]);
    if (IsBlank(other))
      continue;
    // In a table of one column, blank lines between others count.
    text.erase(1 + text.find_last_not_of(" \r\n"));
    text += (text.empty() ? "" : "\n");
    text.append(other, PointsBegin(other, header, extension), other.npos);
  }
  return text;
}

bool IsWorthParts(const std::string& file, const GBNNCommunicator& ranks)
{
  const bool isText = !IsBinaryMatrix(file) && FileExtension(file) != "arff";
  if (IsNumbered(file))
  {
    const bool hasOwn = Exists(NumberedFile(file, ranks.Rank()));
    const bool areMore = Exists(NumberedFile(file, ranks.Ranks()));
    return !gbnn::AnyRank(&ranks, !hasOwn || areMore) && isText;
  }
  const size_t mine = FileSize(file), enough = size_t(1) << 16;
  const std::vector<size_t> sizes = gbnn::GatherAll(&ranks,
      std::vector<size_t>{ mine });
  for (size_t r = 0; r < sizes.size(); ++r)
  {
    if (sizes[r] != sizes[0])
    {
      throw std::runtime_error("has " + std::to_string(sizes[0]) + " bytes for "
          "the first process, and " + std::to_string(sizes[r]) + " for process "
          + std::to_string(r + 1) + "; all must see the same file");
    }
  }
  return mine >= enough * ranks.Ranks() && isText;
}

//! Put a copy of the first process's first line before the lines of another,
//! of which the first is that number of the file; it counts from 0.
static void PutCopy(const std::string& line, const size_t first, TextPart& part)
{
  part.text.insert(0, line + "\n");
  // The copy is line 1, and what follows would be line 2, or further down if
  // the copy goes over several.  The difference may be negative.
  part.linesBetween = first - (1 + std::count(line.begin(), line.end(), '\n'));
}

//! The first line of the first process's text, for all of them.
static std::string FirstLineOfAll(const std::string& text,
                                  const GBNNCommunicator& ranks)
{
  const std::string mine = (ranks.Rank() == 0) ? FirstLine(text) : "";
  const std::vector<char> line = gbnn::GatherAll(&ranks,
      std::vector<char>(mine.begin(), mine.end()));
  return { line.begin(), line.end() };
}

//! The file of this process as a part.
static TextPart ReadOwnFile(const std::string& name,
                            const GBNNCommunicator& ranks)
{
  const std::string extension = FileExtension(name);
  TextPart part;
  part.ranks = &ranks;
  part.text = ReadNumberedFile(NumberedFile(name, ranks.Rank()));
  const bool isFirst = (ranks.Rank() == 0);
  // The first process knows whether there is a header.
  const bool hasHeader = gbnn::AnyRank(&ranks, isFirst &&
      BeginsWithHeader(part.text, extension));
  const std::string mine = isFirst ? HeadOf(part.text) : "";
  const std::vector<char> told = gbnn::GatherAll(&ranks,
      std::vector<char>(mine.begin(), mine.end()));
  const std::string head(told.begin(), told.end());
  const size_t begin = PointsBegin(part.text, hasHeader ? head : "", extension);
  if (gbnn::AnyRank(&ranks, IsBlank(part.text.substr(begin))))
  {
    throw std::runtime_error("has a file without points; take it out, or start "
        "another number of processes");
  }
  if (!isFirst)
  {
    const size_t lines = std::count(part.text.begin(), part.text.begin() +
        begin, '\n');
    part.text.erase(0, begin);
    PutCopy(head, lines, part);
  }
  return part;
}

TextPart ReadPart(const std::string& file, const GBNNCommunicator& ranks)
{
  if (IsNumbered(file))
    return ReadOwnFile(file, ranks);
  const size_t size = FileSize(file), rank = ranks.Rank();
  const auto cut = [&](const size_t r) { return size * r / ranks.Ranks(); };
  const size_t begin = cut(rank), end = cut(rank + 1);
  TextPart part;
  part.ranks = &ranks;
  part.text = ReadBytes(file, begin, end);

  // Whether a quote is open where this part begins, those before have to tell;
  // and how many lines they have.
  const size_t quotes = std::count(part.text.begin(), part.text.end(), '"');
  const size_t lines = std::count(part.text.begin(), part.text.end(), '\n');
  const std::vector<size_t> counts = gbnn::GatherAll(&ranks,
      std::vector<size_t>{ quotes, lines });
  size_t quotesBefore = 0, linesBefore = 0;
  for (size_t r = 0; r < rank; ++r)
  {
    quotesBefore += counts[2 * r];
    linesBefore += counts[2 * r + 1];
  }

  // A line is of the part that it begins in.
  size_t first = 0;
  if (rank > 0)
  {
    // The newline of the line before is no quote.
    const bool isBegin = ReadBytes(file, begin - 1, begin) == "\n" &&
        quotesBefore % 2 == 0;
    if (!isBegin)
      first = std::min(part.text.size(), 1 + LineEnd(part.text, 0,
          quotesBefore % 2 == 1));
  }
  const std::vector<size_t> firsts = gbnn::GatherAll(&ranks,
      std::vector<size_t>{ begin + first });
  // Of parts without the beginning of a line, the next one knows it.
  size_t last = (rank + 1 < ranks.Ranks()) ? firsts[rank + 1] : size;
  for (size_t r = rank + 1; r < ranks.Ranks() && firsts[r] == cut(r + 1); ++r)
    last = (r + 1 < ranks.Ranks()) ? firsts[r + 1] : size;
  linesBefore += std::count(part.text.begin(), part.text.begin() + first, '\n');
  if (first == part.text.size() && begin + first < size)
    part.text.clear();
  else
    part.text = part.text.substr(first) + ReadBytes(file, end, std::max(end,
        last));

  const std::string head = FirstLineOfAll(part.text, ranks);
  if (rank == 0)
    return part;
  if (part.text.find_first_not_of(" \r\n") == std::string::npos)
    throw std::runtime_error("has too few lines for so many processes");
  PutCopy(head, linesBefore, part);
  return part;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
