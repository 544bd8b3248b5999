/**
 * @file bindings/cli/text_part.cpp
 *
 * Implementation of reading a part of a text file.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/text_part.hpp>
#include <mlpack/bindings/cli/file_format.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
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

bool IsWorthParts(const std::string& file, const GBNNCommunicator& ranks)
{
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
  return mine >= enough * ranks.Ranks() && !IsBinaryMatrix(file) &&
      FileExtension(file) != "arff";
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

TextPart ReadPart(const std::string& file, const GBNNCommunicator& ranks)
{
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

  std::string head = (rank == 0) ? FirstLine(part.text) : "";
  const std::vector<char> told = gbnn::GatherAll(&ranks,
      std::vector<char>(head.begin(), head.end()));
  if (rank == 0)
    return part;
  if (part.text.find_first_not_of(" \r\n") == std::string::npos)
    throw std::runtime_error("has too few lines for so many processes");
  part.text.insert(0, std::string(told.begin(), told.end()) + "\n");
  // The copy is line 1, and what follows would be line 2, or further down if
  // the copy goes over several.
  const size_t copied = 1 + std::count(told.begin(), told.end(), '\n');
  part.linesBetween = linesBefore - std::min(linesBefore, copied);
  return part;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
