/**
 * @file bindings/cli/text_table.cpp
 *
 * Implementation of the reader for delimited text.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/text_table.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

#include <stdio.h>
#include <sys/stat.h>

#include "plain_text.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

std::string ReadFile(const std::string& file)
{
  std::unique_ptr<FILE, int (*)(FILE*)> stream(fopen(file.c_str(), "rb"),
      &fclose);
  struct stat status;
  if (!stream || fstat(fileno(stream.get()), &status) != 0)
    throw std::runtime_error(std::string("cannot be read: ") + strerror(errno));
  if (S_ISDIR(status.st_mode))
    throw std::runtime_error("cannot be read: it is a directory");

  // The size is only a hint: a pipe has none, and a file can grow.
  std::string text(size_t(status.st_size) + 1, '\0');
  size_t size = 0;
  while (const size_t got = fread(&text[size], 1, text.size() - size,
      stream.get()))
  {
    size += got;
    if (size == text.size())
      text.resize(2 * size);
  }
  if (ferror(stream.get()))
    throw std::runtime_error(std::string("cannot be read: ") + strerror(errno));
  text.resize(size);
  return text;
}

//! True for what may stand around a cell without being part of it.
static bool IsBlank(const char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

//! Take blanks off both ends.
static std::string_view Trim(std::string_view cell)
{
  while (!cell.empty() && IsBlank(cell.front()))
    cell.remove_prefix(1);
  while (!cell.empty() && IsBlank(cell.back()))
    cell.remove_suffix(1);
  return cell;
}

//! Read a number that fills the cell; from_chars() alone knows no plus sign.
static bool ReadNumber(std::string_view cell, double& value)
{
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-')
    cell.remove_prefix(1);
  const char* end = cell.data() + cell.size();
  const auto result = std::from_chars(cell.data(), end, value);
  if (result.ptr != end)
    return false;
  // Too large or too small for a double: strtod() gives infinity or 0.
  if (result.ec == std::errc::result_out_of_range)
    value = strtod(std::string(cell).c_str(), nullptr);
  return result.ec != std::errc::invalid_argument;
}

//! Whether a cell that begins so is a word, whatever follows: numbers may also
//! be infinite or no number (inf, nan), and cells missing (NA, null).
static bool BeginsWord(const char c)
{
  const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return isLetter && c != 'i' && c != 'I' && c != 'n' && c != 'N';
}

CellType ReadCell(std::string_view cell, double& value)
{
  if (!cell.empty() && BeginsWord(cell.front()))
  {
    value = std::numeric_limits<double>::quiet_NaN();
    return CellType::Text;
  }
  cell = Trim(cell);
  if (!cell.empty() && ReadNumber(cell, value))
    return (value == value) ? CellType::Number : CellType::Missing;

  value = std::numeric_limits<double>::quiet_NaN();
  for (const std::string_view missing : { "", "?", "NA", "N/A", "n/a", "#N/A",
      "<NA>", "NULL", "null" })
    if (cell == missing)
      return CellType::Missing;
  return CellType::Text;
}

//! Whether all commas of a cell are between groups of three digits.
static bool HasThousands(const std::string_view cell)
{
  const auto isDigit = [&](const size_t i)
  {
    return i < cell.size() && cell[i] >= '0' && cell[i] <= '9';
  };
  size_t i = (!cell.empty() && (cell[0] == '-' || cell[0] == '+')) ? 1 : 0;
  const size_t begin = i;
  while (isDigit(i))
    ++i;
  // 0,123 is less than one.
  if (i == begin || i > begin + 3 || cell[begin] == '0')
    return false;
  size_t groups = 0;
  for (; i < cell.size() && cell[i] == ','; i += 4, ++groups)
    if (!isDigit(i + 1) || !isDigit(i + 2) || !isDigit(i + 3))
      return false;
  double value;
  return groups > 0 && !isDigit(i) && (i == cell.size() || (cell[i] == '.' &&
      ReadNumber("0" + std::string(cell.substr(i)), value)));
}

//! Whether a cell has one comma, where numbers have a point.
static bool HasDecimalComma(const std::string_view cell)
{
  const size_t comma = cell.find(',');
  if (comma == cell.npos || comma + 1 == cell.size() ||
      cell[comma + 1] < '0' || cell[comma + 1] > '9')
    return false;
  std::string number(cell);
  number[comma] = '.';
  double value;
  return comma > 0 && cell[comma - 1] >= '0' && cell[comma - 1] <= '9' &&
      ReadNumber(number, value);
}

bool HasCommas(std::string_view cell)
{
  cell = Trim(cell);
  return HasDecimalComma(cell) || HasThousands(cell);
}

std::string CommaAdvice(std::string_view cell)
{
  cell = Trim(cell);
  std::string advice;
  if (HasThousands(cell))
  {
    std::string number(cell);
    number.erase(std::remove(number.begin(), number.end(), ','), number.end());
    advice += "; thousands are written without commas: " +
        gbnn::ShortText(number);
  }
  if (HasDecimalComma(cell))
  {
    std::string number(cell);
    number[number.find(',')] = '.';
    advice += "; decimals are written with a point: " + gbnn::ShortText(number);
  }
  return advice;
}

//! Take the quotes off a cell; doubled quotes inside stand for one.
static std::string_view Unquote(const std::string_view cell,
                                std::vector<std::string>& storage)
{
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"')
    return cell;
  const std::string_view inner = cell.substr(1, cell.size() - 2);
  if (inner.find('"') == std::string_view::npos)
    return inner;

  std::string result;
  for (size_t i = 0; i < inner.size(); ++i)
  {
    result += inner[i];
    if (inner[i] == '"' && i + 1 < inner.size() && inner[i + 1] == '"')
      ++i;
  }
  storage.push_back(std::move(result));
  return storage.back();
}

std::string LinePlaces::Name(const size_t line) const
{
  const Place* place = nullptr;
  for (const Place& candidate : places)
    if (candidate.line <= line)
      place = &candidate;
  const size_t number = place ? place->number + (line - place->line) : line;
  return "line " + std::to_string(number) + ((place && !place->file.empty()) ?
      " of '" + place->file + "'" : "");
}

//! What a file is that begins with these bytes and that people may take for
//! text; empty if nothing.
static std::string BinaryKind(const std::string& text)
{
  const std::pair<std::string, std::string> kinds[] = {
      { "\x1f\x8b", "compressed by gzip; unpack it with gunzip" },
      { "\xfd" "7zXZ", "compressed by xz; unpack it with unxz" },
      { "\x28\xb5\x2f\xfd", "compressed by zstd; unpack it with unzstd" },
      { "BZh", "compressed by bzip2; unpack it with bunzip2" },
      { "PK\x03\x04", "a ZIP archive or a spreadsheet; unpack it, or save it "
          "as CSV" },
      { "PAR1", "a Parquet file; save it as CSV" } };
  for (const auto& [begin, kind] : kinds)
    if (text.compare(0, begin.size(), begin) == 0)
      return kind;
  return "";
}

void RefuseBinary(const std::string& text, const LinePlaces& places)
{
  const size_t zero = text.find('\0');
  if (zero == text.npos)
    return;
  const std::string kind = BinaryKind(text);
  if (!kind.empty())
    throw std::runtime_error("is no text file, but " + kind);
  throw std::runtime_error("is not a text file (it has zero bytes in it" +
      (places.AreNamed() ? ", the first in " + places.Name(1 + std::count(
      text.begin(), text.begin() + zero, '\n')) : "") + ")");
}

void RefuseCarriageReturns(const std::string& text)
{
  // If there is one line only, between blank ones.
  const size_t begin = text.find_first_not_of(" \r\n");
  const size_t end = text.find_last_not_of(" \r\n");
  bool open = false, found = false;
  for (size_t i = begin; i < end && end != text.npos; ++i)
  {
    open ^= (text[i] == '"');
    if (!open && text[i] == '\n')
      return;
    found |= (!open && text[i] == '\r');
  }
  if (found)
  {
    throw std::runtime_error("has lines that end in carriage returns alone; "
        "expected line feeds: convert it with tr '\\r' '\\n' < old.csv > "
        "new.csv");
  }
}

TextTable::TextTable(const std::string& text,
                     const std::string& extension,
                     const LinePlaces& places) :
    columns(0),
    delimiter(','),
    places(places)
{
  RefuseBinary(text, places);
  FindLines(text);
  const auto isBlank = [](const TextLine& line)
  {
    return line.begin == line.end;
  };
  // At the end they are what editors leave there.
  while (!lines.empty() && isBlank(lines.back()))
    lines.pop_back();
  if (lines.empty())
    throw std::runtime_error("is empty");
  const auto first = std::find_if_not(lines.begin(), lines.end(), isBlank);
  const size_t before = first - lines.begin();
  const size_t number = lines[0].number;
  lines.erase(lines.begin(), first);
  FindDelimiter(extension);

  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  Split(lines[0], cells, storage);
  columns = cells.size();
  if (columns > 1)
  {
    lines.erase(std::remove_if(lines.begin(), lines.end(), isBlank),
        lines.end());
  }
  else if (before > 0)
  {
    throw std::runtime_error(places.Name(number) + " is blank: "
        "write NA there if a value is missing, or else take the line out");
  }
}

void TextTable::FindLines(const std::string& text)
{
  const char* p = text.data();
  const char* const end = p + text.size();
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) // UTF-8 byte order mark.
    p += 3;

  const bool hasQuotes = (memchr(p, '"', end - p) != nullptr);
  size_t number = 1;
  while (p < end)
  {
    const char* stop = (const char*) memchr(p, '\n', end - p);
    if (!stop)
      stop = end;

    // A line goes on as long as a quote is open.
    size_t inside = 0;
    if (hasQuotes)
    {
      bool open = false;
      const char* q = p;
      for (; q < end && (open || *q != '\n'); ++q)
      {
        open ^= (*q == '"');
        inside += (*q == '\n');
      }
      if (open)
      {
        throw std::runtime_error(places.Name(number) +
            " has a quotation mark that is never closed");
      }
      stop = q;
    }

    const char* last = stop;
    while (last > p && last[-1] == '\r')
      --last;
    // Tabs are not blank here: between them may be a point's missing cells.
    const bool blank = std::string_view(p, last - p).find_first_not_of(' ') ==
        std::string_view::npos;
    lines.push_back({ p, blank ? p : last, number });
    number += 1 + inside;
    p = stop + 1;
  }
}

void TextTable::RefuseCommas(const TextLine& line) const
{
  const std::string_view text(line.begin, line.end - line.begin);
  for (const char separator : { ';', '\t', '|', ' ' })
  {
    // "1,5;2": all are numbers, and some have commas.  Between blanks, all
    // must: "1, 2" is another thing.
    size_t cells = 0, commas = 0, numbers = 0;
    std::string_view found;
    for (size_t begin = 0; begin <= text.size();)
    {
      const size_t end = std::min(text.find(separator, begin), text.size());
      const std::string_view cell = text.substr(begin, end - begin);
      begin = end + 1;
      // Several blanks are as good as one.
      if (separator == ' ' && cell.empty())
        continue;
      ++cells;
      double value;
      if (HasCommas(cell))
      {
        ++commas;
        found = cell;
      }
      else if (separator != ' ' && ReadCell(cell, value) != CellType::Text)
        ++numbers;
    }
    if (cells > 1 && commas > 0 && commas + numbers == cells)
    {
      throw std::runtime_error(Name(line) + " has "
          "numbers with commas, such as " + Quoted(Trim(found)) +
          CommaAdvice(found));
    }
  }
}

//! How often a line has a character outside of quotes.
static size_t CountOutside(const TextLine& line, const char c)
{
  size_t count = 0;
  bool open = false;
  for (const char* p = line.begin; p < line.end; ++p)
  {
    open ^= (*p == '"');
    count += (!open && *p == c);
  }
  return count;
}

void TextTable::FindDelimiter(const std::string& extension)
{
  // The first line may be a header.
  for (size_t i = 0; i < std::min<size_t>(2, lines.size()); ++i)
    RefuseCommas(lines[i]);

  const std::string order = (extension == "tsv") ? "\t,;" : ",\t;";
  for (const char c : order)
  {
    if (CountOutside(lines[0], c) > 0)
    {
      delimiter = c;
      return;
    }
  }
  // Words may have vertical bars, but seldom as many in each line.
  const size_t bars = CountOutside(lines[0], '|');
  if ((extension == "csv" || extension == "tsv") && bars > 0 &&
      (lines.size() == 1 || CountOutside(lines[1], '|') == bars))
  {
    delimiter = '|';
    return;
  }

  // A CSV file of one column may have blanks in its words, so there only
  // numbers with blanks between them are taken for several cells.
  delimiter = ' ';
  if (extension != "csv")
    return;
  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  Split(lines[0], cells, storage);
  double value;
  for (const std::string_view cell : cells)
    if (ReadCell(cell, value) == CellType::Text)
      delimiter = ',';
}

std::string_view TextTable::NextCell(const char* p,
                                     const char* end,
                                     const char*& next) const
{
  const bool blanks = (delimiter == ' ');
  while (p < end && *p == ' ')
    ++p;

  const char* stop = p;
  if (p < end && *p == '"')
  {
    for (++stop; stop < end; ++stop)
    {
      if (*stop == '"' && (stop + 1 == end || stop[1] != '"'))
        break;
      stop += (*stop == '"'); // Skip the second of two quotes.
    }
  }
  while (stop < end && *stop != delimiter && !(blanks && *stop == '\t'))
    ++stop;

  const std::string_view cell = Trim(std::string_view(p, stop - p));
  next = (stop < end) ? stop + 1 : nullptr;
  if (blanks && next)
  {
    // Blanks at the end of the line do not make another cell.
    while (next < end && IsBlank(*next))
      ++next;
    if (next == end)
      next = nullptr;
  }
  return cell;
}

void TextTable::Split(const TextLine& line,
                      std::vector<std::string_view>& cells,
                      std::vector<std::string>& storage) const
{
  cells.clear();
  storage.clear();
  // Cells may point into short strings, which move if the vector grows.
  storage.reserve(1 + (line.end - line.begin) / 4);
  const char* p = line.begin;
  while (delimiter == ' ' && p < line.end && IsBlank(*p))
    ++p;
  while (p)
    cells.push_back(Unquote(NextCell(p, line.end, p), storage));
}

size_t TextTable::ReadLine(const TextLine& line,
                           double* values,
                           std::vector<char>& text) const
{
  size_t column = 0;
  const char* p = line.begin;
  while (delimiter == ' ' && p < line.end && IsBlank(*p))
    ++p;
  for (; p; ++column)
  {
    // The common cases first: a word, or a number right up to the delimiter.
    double value;
    if (p < line.end && delimiter != ' ' && BeginsWord(*p))
    {
      const char* stop = (const char*) memchr(p, delimiter, line.end - p);
      p = stop ? stop + 1 : nullptr;
      if (column < columns)
      {
        text[column] = 1;
        values[column] = std::numeric_limits<double>::quiet_NaN();
      }
      continue;
    }
    const auto result = std::from_chars(p, line.end, value);
    if (result.ec == std::errc() && result.ptr < line.end &&
        *result.ptr == delimiter && delimiter != ' ')
    {
      p = result.ptr + 1;
    }
    else
    {
      std::vector<std::string> storage;
      const std::string_view cell = Unquote(NextCell(p, line.end, p), storage);
      if (ReadCell(cell, value) == CellType::Text && column < columns)
        text[column] = 1;
    }
    if (column < columns)
      values[column] = value;
  }
  return column;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
