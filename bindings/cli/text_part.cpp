/**
 * @file bindings/cli/text_part.cpp
 *
 * Implementation of reading text in parts, each by its own process.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/text_part.hpp>
#include <mlpack/bindings/cli/file_format.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "text_files.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

//! The file of this process, if there are as many as processes.
static std::string OwnFile(const std::string& name,
                           const size_t rank,
                           const size_t ranks)
{
  if (IsNumbered(name))
    return Exists(NumberedFile(name, ranks)) ? "" : NumberedFile(name, rank);
  const std::vector<std::string> files = FilesOf(name);
  return (files.size() == ranks) ? files[rank] : "";
}

//! Whether each process has a file of its own.
static bool HaveOwnFiles(const std::string& name, const GBNNCommunicator& ranks)
{
  return !gbnn::AnyRank(&ranks, !Exists(OwnFile(name, ranks.Rank(),
      ranks.Ranks())));
}

bool IsWorthParts(const std::string& name, const GBNNCommunicator& ranks)
{
  const bool isText = !IsBinaryMatrix(name) && FileExtension(name) != "arff";
  if (HaveOwnFiles(name, ranks))
    return isText;
  const std::vector<std::string> files = FilesOf(name, ranks.Rank());
  std::vector<size_t> mine, counts;
  for (const std::string& file : files)
    mine.push_back(FileSize(file));
  const std::vector<size_t> sizes = gbnn::GatherAll(&ranks, mine, &counts);
  const auto refuse = [](const std::string& what,
                         const size_t first,
                         const size_t other,
                         const size_t rank)
  {
    throw std::runtime_error("has " + std::to_string(first) + what + " for the "
        "first process, and " + std::to_string(other) + " for process " +
        std::to_string(rank + 1) + "; all must see the same file" +
        (what == " files" ? "s" : ""));
  };
  for (size_t r = 0; r < counts.size(); ++r)
    if (counts[r] != counts[0])
      refuse(" files", counts[0], counts[r], r);
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != sizes[i % counts[0]])
      refuse(" bytes", sizes[i % counts[0]], sizes[i], i / counts[0]);
  const size_t total = std::accumulate(mine.begin(), mine.end(), size_t(0));
  const size_t enough = size_t(1) << 16;
  return isText && std::all_of(files.begin(), files.end(), &IsOrdinary) &&
      total >= enough * ranks.Ranks();
}

//! What the first process has, for all of them.
template<typename T>
static std::vector<T> FromFirst(const GBNNCommunicator& ranks,
                                const std::vector<T>& mine)
{
  return gbnn::GatherAll(&ranks, (ranks.Rank() == 0) ? mine : std::vector<T>());
}

//! The same for text.
static std::string FromFirst(const GBNNCommunicator& ranks,
                             const std::string& mine)
{
  const std::vector<char> text = FromFirst(ranks,
      std::vector<char>(mine.begin(), mine.end()));
  return { text.begin(), text.end() };
}

//! The file of this process as a part.
static TextPart ReadOwnFile(const std::string& name,
                            const GBNNCommunicator& ranks)
{
  const std::string first = OwnFile(name, 0, ranks.Ranks());
  const std::string file = OwnFile(name, ranks.Rank(), ranks.Ranks());
  TextPart part;
  part.ranks = &ranks;
  OfFile(file, [&]()
  {
    part.text = ReadFile(file);
    RefuseCarriageReturns(part.text);
  });
  TakeMark(part.text);
  const bool isFirst = (ranks.Rank() == 0);
  const std::string mine = HeadOf(part.text);
  const std::string head = FromFirst(ranks, mine);
  // The first process knows whether there is a header, unless that is all it
  // has.
  const bool isAlone = gbnn::AnyRank(&ranks, isFirst && IsBlank(part.text,
      part.text.find(mine) + mine.size()));
  const bool hasHeader = gbnn::AnyRank(&ranks, (isFirst || isAlone) &&
      mine == head && BeginsWithHeader(part.text, file));
  const size_t begin = OfFile(file, [&]()
  {
    return PointsBegin(part.text, hasHeader ? head : "", FileExtension(file));
  });
  const std::vector<char> isEmpty = gbnn::GatherAll(&ranks,
      std::vector<char>{ char(IsBlank(part.text, begin)) });
  for (size_t r = 0; r < isEmpty.size(); ++r)
  {
    if (isEmpty[r])
    {
      throw std::runtime_error("has a file without points, '" + OwnFile(name, r,
          ranks.Ranks()) + "'; take it out, or start another number of "
          "processes");
    }
  }
  const size_t lines = Count(part.text, '\n', 0, begin);
  if (!isFirst)
  {
    part.text.replace(0, begin, head + "\n");
    part.places.Add(1, first, 1);
  }
  part.places.Add(isFirst ? 1 : 2 + Count(head, '\n'), file,
      isFirst ? 1 : 1 + lines);
  return part;
}

/**
 * A file as a piece of the text that all files make together, with line ends
 * between them.
 */
struct FilePiece
{
  std::string file;
  //! What to call it in messages; empty if it is the only one.
  std::string name;
  //! The bytes of the file that count.
  size_t begin, end;
  //! Number of lines of the file before them.
  size_t lines;
  //! Where they are in the text.
  size_t place;

  //! Where the next piece is in the text.
  size_t Next() const { return place + (end - begin) + 1; }
};

//! The beginning of a file, with as many lines as show whether there is a
//! header.
static std::string ReadHead(const std::string& file)
{
  const size_t size = FileSize(file);
  for (size_t bytes = size_t(1) << 16;; bytes *= 4)
  {
    std::string text;
    AppendBytes(file, 0, std::min(bytes, size), text);
    size_t lines = 0;
    for (size_t begin = 0; begin < text.size() && lines <= headLines;)
    {
      const size_t end = LineEnd(text, begin, false);
      lines += (end < text.size() && !IsBlank(text.substr(begin, end - begin)));
      begin = end + 1;
    }
    if (bytes >= size || lines > headLines)
      return text;
  }
}

//! Where a file ends, but for blanks and line ends.
static size_t LastByte(const std::string& file)
{
  size_t end = FileSize(file);
  while (end > 0)
  {
    const size_t begin = end - std::min(end, size_t(1) << 12);
    std::string text;
    AppendBytes(file, begin, end, text);
    if (!IsBlank(text))
      return begin + 1 + text.find_last_not_of(" \r\n");
    end = begin;
  }
  return 0;
}

//! The pieces of several files; blank ones have none.
static std::vector<FilePiece> FindPieces(const std::vector<std::string>& files)
{
  if (files.size() == 1)
    return { { files[0], "", 0, FileSize(files[0]), 0, 0 } };
  std::vector<FilePiece> pieces;
  HeaderFinder header;
  for (const std::string& file : files)
  {
    std::string text = OfFile(file, [&]() { return ReadHead(file); });
    const size_t end = OfFile(file, [&]() { return LastByte(file); });
    const size_t mark = TakeMark(text);
    if (end <= mark)
      continue;
    const size_t begin = header.Begin(text, file);
    if (mark + begin < end)
    {
      const size_t lines = Count(text, '\n', 0, begin);
      pieces.push_back({ file, file, mark + begin, end, lines,
          pieces.empty() ? 0 : pieces.back().Next() });
    }
  }
  return pieces;
}

//! The first process finds the pieces, and tells all of them.
static std::vector<FilePiece> SharePieces(const std::vector<std::string>& files,
                                          const GBNNCommunicator& ranks)
{
  std::vector<size_t> numbers;
  if (ranks.Rank() == 0)
  {
    for (const FilePiece& piece : FindPieces(files))
    {
      const size_t which = std::find(files.begin(), files.end(), piece.file) -
          files.begin();
      numbers.insert(numbers.end(), { which, piece.begin, piece.end,
          piece.lines, piece.place });
    }
  }
  numbers = FromFirst(ranks, numbers);
  std::vector<FilePiece> pieces;
  for (size_t i = 0; i < numbers.size(); i += 5)
  {
    const std::string& file = files[numbers[i]];
    pieces.push_back({ file, (files.size() > 1) ? file : "", numbers[i + 1],
        numbers[i + 2], numbers[i + 3], numbers[i + 4] });
  }
  return pieces;
}

//! The bytes of the text that pieces make, from one place to another.
static std::string ReadBytes(const std::vector<FilePiece>& pieces,
                             const size_t begin,
                             const size_t end)
{
  std::string text;
  text.reserve(end - begin);
  for (const FilePiece& piece : pieces)
  {
    const size_t last = piece.Next() - 1;
    const size_t from = std::max(begin, piece.place), to = std::min(end, last);
    if (from < to)
    {
      OfFile(piece.file, [&]()
      {
        AppendBytes(piece.file, piece.begin + from - piece.place,
            piece.begin + to - piece.place, text);
      });
    }
    // Between two of them.
    if (begin <= last && last < end)
      text += '\n';
  }
  return text;
}

//! The number of times that each piece has a character, in some of the text.
static std::vector<size_t> CountEach(const std::vector<FilePiece>& pieces,
                                     const std::string& text,
                                     const size_t begin,
                                     const char c)
{
  const auto within = [&](const size_t place)
  {
    return std::min(text.size(), std::max(begin, place) - begin);
  };
  std::vector<size_t> counts;
  for (const FilePiece& piece : pieces)
    counts.push_back(Count(text, c, within(piece.place), within(piece.Next())));
  return counts;
}

//! The sum of the counts of the first processes, for each piece.
static std::vector<size_t> SumFirst(const std::vector<size_t>& counts,
                                    const size_t processes,
                                    const size_t pieces)
{
  std::vector<size_t> sums(pieces);
  for (size_t i = 0; i < processes * pieces; ++i)
    sums[i % pieces] += counts[i];
  return sums;
}

/**
 * Say where the lines of a part are from.
 *
 * @param pieces The pieces of the text.
 * @param begin Where the part begins in the text.
 * @param before Lines of each piece that others have before this part.
 * @param first Number of the part's first line.
 * @param part The part, without a copy of the first line.
 */
static void AddPlaces(const std::vector<FilePiece>& pieces,
                      const size_t begin,
                      const std::vector<size_t>& before,
                      const size_t first,
                      TextPart& part)
{
  const std::vector<size_t> lines = CountEach(pieces, part.text, begin, '\n');
  size_t line = first;
  for (size_t i = 0; i < pieces.size(); ++i)
  {
    if (pieces[i].Next() > begin && pieces[i].place < begin + part.text.size())
      part.places.Add(line, pieces[i].name, 1 + pieces[i].lines + before[i]);
    line += lines[i];
  }
}

TextPart ReadPart(const std::string& name, const GBNNCommunicator& ranks)
{
  if (HaveOwnFiles(name, ranks))
    return ReadOwnFile(name, ranks);
  const std::vector<FilePiece> pieces = SharePieces(FilesOf(name), ranks);
  if (pieces.empty())
    throw std::runtime_error("is empty");
  const size_t size = pieces.back().Next() - 1, rank = ranks.Rank();
  const auto cut = [&](const size_t r) { return size * r / ranks.Ranks(); };
  const size_t begin = cut(rank), end = cut(rank + 1);
  std::string text = ReadBytes(pieces, begin, end);

  // Whether a quote is open where this part begins, those before have to tell;
  // and how many lines of each piece they have.
  const std::vector<size_t> quotes = gbnn::GatherAll(&ranks, CountEach(pieces,
      text, begin, '"'));
  const std::vector<size_t> lines = gbnn::GatherAll(&ranks, CountEach(pieces,
      text, begin, '\n'));
  const std::vector<size_t> allQuotes = SumFirst(quotes, ranks.Ranks(),
      pieces.size());
  for (size_t i = 0; i < pieces.size() && pieces.size() > 1; ++i)
    RequireClosed(pieces[i].file, allQuotes[i]);
  const bool isOpen = std::accumulate(quotes.begin(), quotes.begin() +
      rank * pieces.size(), size_t(0)) % 2 == 1;
  std::vector<size_t> linesBefore = SumFirst(lines, rank, pieces.size());

  // A line is of the part that it begins in.
  size_t first = 0;
  if (rank > 0)
  {
    // The newline of the line before is no quote.
    const bool isBegin = ReadBytes(pieces, begin - 1, begin) == "\n" &&
        !isOpen;
    if (!isBegin)
      first = std::min(text.size(), 1 + LineEnd(text, 0, isOpen));
  }
  const std::vector<size_t> firsts = gbnn::GatherAll(&ranks,
      std::vector<size_t>{ begin + first });
  // Of parts without the beginning of a line, the next one knows it.
  size_t last = (rank + 1 < ranks.Ranks()) ? firsts[rank + 1] : size;
  for (size_t r = rank + 1; r < ranks.Ranks() && firsts[r] == cut(r + 1); ++r)
    last = (r + 1 < ranks.Ranks()) ? firsts[r + 1] : size;
  const std::vector<size_t> left = CountEach(pieces, text.substr(0, first),
      begin, '\n');
  for (size_t i = 0; i < pieces.size(); ++i)
    linesBefore[i] += left[i];

  TextPart part;
  part.ranks = &ranks;
  if (first < text.size() || begin + first == size)
    part.text = text.substr(first) + ReadBytes(pieces, end, std::max(end,
        last));
  if (rank == 0)
    RefuseCarriageReturns(part.text);
  const std::string head = FromFirst(ranks, (rank == 0) ? FirstLine(part.text) :
      "");
  if (rank > 0 && IsBlank(part.text))
    throw std::runtime_error("has too few lines for so many processes");
  if (rank > 0)
    part.places.Add(1, pieces[0].name, 1);
  AddPlaces(pieces, begin + first, linesBefore, (rank > 0) ? 2 + Count(head,
      '\n') : 1, part);
  if (rank > 0)
    part.text.insert(0, head + "\n");
  return part;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
