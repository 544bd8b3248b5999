/**
 * @file bindings/cli/load_text.cpp
 *
 * Turn delimited text into a matrix, with or without categories.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/load_matrix.hpp>
#include <mlpack/bindings/cli/text_table.hpp>
#include <mlpack/methods/gbnn/compute/pieces.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <set>
#include <unordered_map>

#include "plain_text.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

//! What reading all lines as numbers has shown.
struct FirstPass
{
  static constexpr size_t none = std::numeric_limits<size_t>::max();

  //! For each column, whether its cell in the first line is text.
  std::vector<char> headText;
  //! For each column, the first line after the first that has text there.
  std::vector<size_t> firstText;
  //! The first line with another number of cells, and that number.
  size_t raggedLine = none;
  size_t raggedCells = 0;

  explicit FirstPass(const size_t columns) :
      headText(columns, 0),
      firstText(columns, none)
  { }

  //! Whether all cells of the first line are text.
  bool HeadIsWords() const
  {
    return memchr(headText.data(), 0, headText.size()) == nullptr;
  }

  //! Add what other lines have shown.
  void Merge(const FirstPass& other)
  {
    for (size_t c = 0; c < firstText.size(); ++c)
    {
      headText[c] |= other.headText[c];
      firstText[c] = std::min(firstText[c], other.firstText[c]);
    }
    if (other.raggedLine < raggedLine)
    {
      raggedLine = other.raggedLine;
      raggedCells = other.raggedCells;
    }
  }
};

//! Throw since a line has another number of cells than the first.
[[noreturn]] static void ThrowRagged(const TextTable& table,
                                     const size_t line,
                                     const size_t cells)
{
  const TextLine& found = table.Lines()[line];
  const bool joined = memchr(found.begin, '\n', found.end - found.begin);
  throw std::runtime_error(table.Name(found) + " has " + std::to_string(cells) +
      " columns, but " + table.Name(table.Lines()[0]) + " has " +
      std::to_string(table.Columns()) + (joined ? "; a quotation mark in it "
      "joins it with the line below (within a cell, marks are doubled, and the "
      "cell is quoted)" : ""));
}

//! Throw if processes cut their lines in other ways: the first lines of some,
//! but not of all, may have as many vertical bars.
static void RequireSameColumns(const TextTable& table,
                               const GBNNCommunicator* ranks)
{
  for (const size_t columns : gbnn::GatherAll(ranks,
      std::vector<size_t>{ table.Columns() }))
  {
    if (columns != table.Columns())
    {
      throw std::runtime_error("has " + std::to_string(table.Columns()) +
          " columns for one process, but " + std::to_string(columns) + " for "
          "another; expected as many vertical bars in each line, but for those "
          "in quotation marks");
    }
  }
}

//! Throw if a text is too short for a table of lines like the first one: the
//! matrix would be much larger than the text.
static void RequireCells(const TextTable& table, const size_t bytes)
{
  // There is a byte at least between any two cells.
  const std::vector<TextLine>& lines = table.Lines();
  if (table.Columns() - 1 <= bytes / lines.size())
    return;
  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  for (size_t i = 1; i < lines.size(); ++i)
  {
    table.Split(lines[i], cells, storage);
    if (cells.size() != table.Columns())
      ThrowRagged(table, i, cells.size());
  }
}

//! Read every line as numbers into the columns of a matrix.
static FirstPass ReadNumbers(const TextTable& table, arma::mat& data)
{
  const std::vector<TextLine>& lines = table.Lines();
  const size_t columns = table.Columns();
  const gbnn::Pieces pieces(lines.size(), 20 * columns);
  std::vector<FirstPass> passes(pieces.Count(), FirstPass(columns));
  pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
  {
    FirstPass& pass = passes[piece];
    std::vector<char> text(columns, 0);
    for (size_t i = begin; i < end; ++i)
    {
      const size_t cells = table.ReadLine(lines[i], data.colptr(i), text);
      if (cells != columns && i < pass.raggedLine)
      {
        pass.raggedLine = i;
        pass.raggedCells = cells;
      }
      // Most lines have no text; then there is nothing to note and to clear.
      if (memchr(text.data(), 1, columns) == nullptr)
        continue;
      for (size_t c = 0; c < columns; ++c)
      {
        if (text[c] && i == 0)
          pass.headText[c] = 1;
        else if (text[c])
          pass.firstText[c] = std::min(pass.firstText[c], i);
        text[c] = 0;
      }
    }
  });
  for (size_t piece = 1; piece < passes.size(); ++piece)
    passes[0].Merge(passes[piece]);
  return std::move(passes[0]);
}

//! True if a column holds a number below the first line.
static bool HasNumber(const arma::mat& data, const size_t column)
{
  for (size_t i = 1; i < data.n_cols; ++i)
    if (!std::isnan(data(column, i)))
      return true;
  return false;
}

//! For each column, whether one of the processes says so.
static std::vector<char> Any(const GBNNCommunicator* ranks,
                             std::vector<char> mine)
{
  const std::vector<char> all = gbnn::GatherAll(ranks, mine);
  for (size_t i = 0; i < all.size(); ++i)
    mine[i % mine.size()] |= all[i];
  return mine;
}

//! Whether the first line names a column that has only numbers below.
static bool IsHeaderOfNumbers(const FirstPass& pass,
                              const std::vector<char>& hasText,
                              const std::vector<char>& hasNumber)
{
  for (size_t c = 0; c < hasNumber.size(); ++c)
    if (pass.headText[c] && !hasText[c] && hasNumber[c])
      return true;
  return false;
}

//! Say where the first cell is that should have been a number.
[[noreturn]] static void ThrowNotANumber(const TextTable& table,
                                         const size_t line,
                                         const size_t column,
                                         const std::string& expected)
{
  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  table.Split(table.Lines()[line], cells, storage);
  const std::string_view cell = cells[column];
  throw std::runtime_error(table.Name(table.Lines()[line]) + ", column " +
      std::to_string(column + 1) + ": expected " + expected + ", but found " +
      Quoted(cell) + (HasCommas(cell) ? CommaAdvice(cell) : ""));
}

/**
 * Throw if nearly all words of a column are numbers with commas.
 *
 * @param table The text.
 * @param column The column.
 * @param words The words, each once.
 * @param head The word in the first line if it may be a header, or nullptr.
 * @param line A line below that has a word in this column.
 */
static void RefuseCommas(const TextTable& table,
                         const size_t column,
                         const std::vector<std::string>& words,
                         const std::string_view* head,
                         const size_t line)
{
  // The others may stand for what is missing.
  const size_t minPerOther = 9;
  size_t commas = 0, others = 0;
  for (const std::string& word : words)
  {
    double value;
    if (HasCommas(word))
      ++commas;
    else if (ReadCell(word, value) == CellType::Text && !(head &&
        word == *head))
      ++others;
  }
  if (commas == 0 || commas < minPerOther * others)
    return;
  // The first below the first line that is one, if this process has it.
  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  for (size_t i = 1; i < table.Lines().size(); ++i)
  {
    table.Split(table.Lines()[i], cells, storage);
    if (HasCommas(cells[column]))
      ThrowNotANumber(table, i, column, "a number");
  }
  ThrowNotANumber(table, line, column, "a number");
}

//! Throw if a cell below the header is no number.
static void RequireNumbers(const TextTable& table,
                           const FirstPass& pass,
                           const std::vector<char>& hasNumber,
                           const size_t skip)
{
  if (table.Lines().size() == 1 && table.Columns() > 1 && pass.HeadIsWords())
  {
    throw std::runtime_error("has one line, of words only: a header without "
        "numbers below it?");
  }
  for (size_t c = 0; c < table.Columns(); ++c)
  {
    // Numbers below it make it a header: then the word below is the wrong one.
    const bool isHeader = pass.firstText[c] != FirstPass::none && hasNumber[c];
    if (skip == 0 && pass.headText[c] && !isHeader)
      ThrowNotANumber(table, 0, c, "a number");
    if (pass.firstText[c] != FirstPass::none)
      ThrowNotANumber(table, pass.firstText[c], c, "a number");
  }
}

/**
 * Whether the numbers of a table of one column are codes, which are words: some
 * begin with a zero, such as 007, and none is written in two ways.
 */
static bool HasCodes(const TextTable& table)
{
  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  std::unordered_map<double, std::string> spelled;
  bool found = false;
  for (const TextLine& line : table.Lines())
  {
    table.Split(line, cells, storage);
    const std::string_view cell = cells[0];
    double value;
    if (ReadCell(cell, value) != CellType::Number)
      continue;
    if (cell.find_first_not_of("0123456789") != cell.npos ||
        spelled.emplace(value, cell).first->second != cell)
      return false;
    found |= (cell.size() > 1 && cell[0] == '0');
  }
  return found;
}

//! The words of one column, numbered as they come.
class WordColumn
{
 public:
  explicit WordColumn(const size_t column) : column(column) { }

  size_t Column() const { return column; }
  const std::deque<std::string>& Words() const { return words; }

  //! The number of a cell's word; NaN if the cell is missing.
  double Number(const std::string_view cell)
  {
    double value;
    if (ReadCell(cell, value) == CellType::Missing)
      return std::numeric_limits<double>::quiet_NaN();
    const auto it = numbers.find(cell);
    if (it != numbers.end())
      return it->second;
    // The cell may be rewritten; a deque never moves what it has.
    words.emplace_back(cell);
    const double number = double(words.size() - 1);
    numbers.emplace(words.back(), number);
    return number;
  }

 private:
  size_t column;
  std::deque<std::string> words;
  std::unordered_map<std::string_view, double> numbers;
};

//! Put the numbers of words into the columns of a matrix that have words, from
//! a line on.
static std::vector<WordColumn> ReadWords(const TextTable& table,
                                         const std::vector<size_t>& columns,
                                         const size_t first,
                                         arma::mat& data)
{
  std::vector<WordColumn> found(columns.begin(), columns.end());
  if (found.empty())
    return found;
  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  for (size_t i = first; i < table.Lines().size(); ++i)
  {
    table.Split(table.Lines()[i], cells, storage);
    for (WordColumn& column : found)
      data(column.Column(), i) = column.Number(cells[column.Column()]);
  }
  return found;
}

//! The words of a column of all processes, in the order in which they come in
//! the file.
static std::vector<std::string> AllWords(const GBNNCommunicator* ranks,
                                         const WordColumn& column)
{
  if (!ranks)
    return { column.Words().begin(), column.Words().end() };
  std::vector<char> letters;
  std::vector<size_t> sizes;
  for (const std::string& word : column.Words())
  {
    letters.insert(letters.end(), word.begin(), word.end());
    sizes.push_back(word.size());
  }
  letters = gbnn::GatherAll(ranks, letters);
  sizes = gbnn::GatherAll(ranks, sizes);
  std::vector<std::string> words;
  std::set<std::string> seen;
  const char* next = letters.data();
  for (const size_t size : sizes)
  {
    const std::string word(next, size);
    next += size;
    if (seen.insert(word).second)
      words.push_back(word);
  }
  return words;
}

//! Whether the numbers in the first line count up, as names of columns do: 0,
//! 1, 2 or 2019, 2020; and there are words, too.
static bool HeadCountsUp(const FirstPass& pass, const arma::mat& data)
{
  size_t count = 0;
  double last = 0;
  for (size_t c = 0; c < data.n_rows; ++c)
  {
    if (pass.headText[c])
      continue;
    const double value = data(c, 0);
    // NaN is no whole number, either.
    if (value != std::floor(value) || (count > 0 && value != last + 1))
      return false;
    last = value;
    ++count;
  }
  return count > 1 && count < data.n_rows;
}

/**
 * A table whose first line has words only, or words and numbers that count up,
 * can have a header, too.  It is taken for one if all its words differ from
 * each other, none of them occurs again in its column, and some column repeats
 * its words, as categories do.  (Others may have a name, a number with a unit
 * or the like for each point.)
 *
 * @param part Whose words they are.
 * @param columns The words of each column.
 * @param allWords Those of all processes, of which the header's are the first.
 * @param data The numbers of the words.
 */
static bool IsHeaderOfWords(const TextPart& part,
                            const std::vector<WordColumn>& columns,
                            const std::vector<std::vector<std::string>>&
                                allWords,
                            const arma::mat& data)
{
  const size_t points = gbnn::SumOfRanks(part.ranks, data.n_cols -
      (part.HasCopy() ? 1 : 0));
  if (points < 10 || data.n_rows < 2)
    return false;
  std::set<std::string> head;
  bool again = false, repeats = false;
  for (size_t k = 0; k < columns.size(); ++k)
  {
    const size_t c = columns[k].Column();
    repeats |= (allWords[k].size() - 1 <= points / 2);
    if (!head.insert(allWords[k][0]).second)
      return false;
    if (part.HasCopy())
    {
      const std::deque<std::string>& words = columns[k].Words();
      again |= std::find(words.begin(), words.end(), allWords[k][0]) !=
          words.end();
      continue;
    }
    for (size_t i = 1; i < data.n_cols; ++i)
      again |= (data(c, i) == data(c, 0));
  }
  return repeats && !gbnn::AnyRank(part.ranks, again);
}

/**
 * Say what dimensions are, and number their categories, by the words of all
 * processes.
 *
 * @param table The text.
 * @param pass What is known of its columns.
 * @param columns The words of those columns that have words.
 * @param allWords Those of all processes.
 * @param hasText Whether a column has words below the first line.
 * @param skip Number of lines that are a header.
 * @param info Gets the dimensions and their categories.
 */
static void ShareCategories(const TextTable& table,
                            const FirstPass& pass,
                            const std::vector<WordColumn>& columns,
                            const std::vector<std::vector<std::string>>&
                                allWords,
                            const std::vector<char>& hasText,
                            const size_t skip,
                            DatasetInfo& info)
{
  info = DatasetInfo(table.Columns());
  std::vector<std::string_view> head;
  std::vector<std::string> storage;
  table.Split(table.Lines()[0], head, storage);
  for (size_t k = 0; k < columns.size(); ++k)
  {
    const size_t c = columns[k].Column();
    if (!hasText[c] && (skip > 0 || !pass.headText[c]))
      continue;
    info.Type(c) = Datatype::categorical;
    for (const std::string& word : allWords[k])
      if (skip == 0 || !pass.headText[c] || word != head[c])
        info.MapString<double>(word, c);
    if (pass.firstText[c] != FirstPass::none)
      RefuseCommas(table, c, allWords[k], pass.headText[c] ? &head[c] : nullptr,
          pass.firstText[c]);
  }
}

/**
 * Find out which columns are categorical, and number words as their dimensions
 * do.
 *
 * @param table The text.
 * @param pass What is known of its columns.
 * @param columns The words of those columns that have words.
 * @param skip Number of lines that are a header.
 * @param data The numbers of the words in each column; changed.
 * @param info Gets the dimensions and their categories.
 */
static void MapCategories(const TextTable& table,
                          const FirstPass& pass,
                          const std::vector<WordColumn>& columns,
                          const size_t skip,
                          arma::mat& data,
                          DatasetInfo& info)
{
  const auto firstWord = [&](const size_t c)
  {
    return (skip == 0 && pass.headText[c]) ? 0 : pass.firstText[c];
  };
  if (info.Dimensionality() == 0)
  {
    info = DatasetInfo(table.Columns());
    std::vector<std::string_view> head;
    std::vector<std::string> storage;
    table.Split(table.Lines()[0], head, storage);
    for (const WordColumn& column : columns)
    {
      const size_t c = column.Column();
      if (firstWord(c) == FirstPass::none)
        continue;
      info.Type(c) = Datatype::categorical;
      // The first line may be a header; a single one is none.
      const bool isHead = pass.headText[c] && pass.firstText[c] !=
          FirstPass::none;
      RefuseCommas(table, c, { column.Words().begin(), column.Words().end() },
          isHead ? &head[c] : nullptr, firstWord(c));
    }
  }
  for (const WordColumn& column : columns)
  {
    const size_t c = column.Column(), line = firstWord(c);
    if (info.Type(c) != Datatype::categorical)
    {
      if (line != FirstPass::none)
        ThrowNotANumber(table, line, c, "a number as in the training data");
      continue;
    }
    std::vector<double> numbers(column.Words().size());
    for (size_t i = skip; i < data.n_cols; ++i)
    {
      if (std::isnan(data(c, i)))
        continue;
      // The words of the data alone: a header's is none of its categories.
      const size_t word = size_t(data(c, i));
      double& number = numbers[word];
      if (number == 0)
        number = 1 + info.MapString<double>(column.Words()[word], c);
      data(c, i) = number - 1;
    }
  }
}

//! For each column, the number of points of all processes that have a number
//! there.
static std::vector<size_t> CountNumbers(const TextPart& part,
                                        const arma::mat& data)
{
  std::vector<size_t> counts(data.n_rows);
  for (size_t i = part.HasCopy() ? 1 : 0; i < data.n_cols; ++i)
    for (size_t c = 0; c < data.n_rows; ++c)
      counts[c] += !std::isnan(data(c, i));
  const std::vector<size_t> all = gbnn::GatherAll(part.ranks, counts);
  std::fill(counts.begin(), counts.end(), 0);
  for (size_t i = 0; i < all.size(); ++i)
    counts[i % counts.size()] += all[i];
  return counts;
}

/**
 * Warn of a column of numbers that a few words make one of categories.
 *
 * @param table The text.
 * @param pass What is known of its columns.
 * @param columns The words of those columns that have words.
 * @param numbers How many points have a number in each column.
 * @param points The number of points.
 */
static void WarnOfWords(const TextTable& table,
                        const FirstPass& pass,
                        const std::vector<WordColumn>& columns,
                        const std::vector<size_t>& numbers,
                        const size_t points)
{
  // Few different numbers are categories as well as words are.
  const double minShare = 0.9;
  const size_t maxCategories = 20;
  const size_t maxWarnings = 5;
  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  size_t found = 0;
  for (const WordColumn& column : columns)
  {
    const size_t c = column.Column(), line = pass.firstText[c];
    if (line == FirstPass::none || column.Words().size() <= maxCategories ||
        double(numbers[c]) < minShare * double(points))
      continue;
    if (++found > maxWarnings)
      continue;
    table.Split(table.Lines()[line], cells, storage);
    Log::Warn << "Column " << c + 1 << " has numbers in " << numbers[c]
        << " of " << points << " points, but " << Quoted(cells[c]) << " in "
        << table.Name(table.Lines()[line]) << ", and is taken for categories; "
        << "write NA if a number is missing there." << std::endl;
  }
  if (found > maxWarnings)
  {
    Log::Warn << "So are " << found - maxWarnings << " more columns of numbers "
        << "with a few words." << std::endl;
  }
}

LoadedMatrix LoadText(const TextPart& part,
                      const std::string& extension,
                      DatasetInfo* info,
                      const bool areLabels)
{
  const TextTable table(part.text, extension, part.places);
  const std::vector<TextLine>& lines = table.Lines();
  LoadedMatrix result;
  result.places = part.places;
  RequireSameColumns(table, part.ranks);
  RequireCells(table, part.text.size());
  result.data.set_size(table.Columns(), lines.size());

  FirstPass pass = ReadNumbers(table, result.data);
  if (pass.raggedLine != FirstPass::none)
    ThrowRagged(table, pass.raggedLine, pass.raggedCells);
  const bool codes = areLabels && !part.ranks && table.Columns() == 1 &&
      pass.firstText[0] == FirstPass::none && HasCodes(table);
  if (codes)
  {
    pass.headText[0] = 1;
    pass.firstText[0] = (lines.size() > 1) ? 1 : FirstPass::none;
  }

  // All processes must see the same.
  std::vector<char> hasNumber(table.Columns()), hasText(table.Columns());
  for (size_t c = 0; c < table.Columns(); ++c)
  {
    hasNumber[c] = HasNumber(result.data, c);
    hasText[c] = (pass.firstText[c] != FirstPass::none);
  }
  hasNumber = Any(part.ranks, hasNumber);
  hasText = Any(part.ranks, hasText);
  size_t skip = IsHeaderOfNumbers(pass, hasText, hasNumber) ? 1 : 0;

  const bool known = info && info->Dimensionality() > 0;
  if (known && info->Dimensionality() != table.Columns())
  {
    throw std::runtime_error("expected " + std::to_string(
        info->Dimensionality()) + " columns, but found " +
        std::to_string(table.Columns()));
  }
  const bool decides = info && !known &&
      memchr(hasText.data(), 1, hasText.size()) != nullptr;
  std::vector<size_t> numbers;
  if (decides)
    numbers = CountNumbers(part, result.data);
  if (decides && codes)
    numbers[0] = 0;
  std::vector<size_t> columns;
  for (size_t c = 0; c < table.Columns(); ++c)
  {
    if ((skip == 0 && pass.headText[c]) || hasText[c] ||
        (known && info->Type(c) == Datatype::categorical))
      columns.push_back(c);
  }
  const bool countsUp = HeadCountsUp(pass, result.data);
  const std::vector<WordColumn> words = ReadWords(table, columns,
      part.HasCopy() ? 1 : skip, result.data);
  std::vector<std::vector<std::string>> allWords;
  const bool isHead = (skip == 0 && (pass.HeadIsWords() || countsUp));
  if (isHead || part.ranks)
  {
    for (const WordColumn& column : words)
      allWords.push_back(AllWords(part.ranks, column));
  }
  if (isHead && IsHeaderOfWords(part, words, allWords, result.data))
    skip = 1;
  if (part.ranks && !known)
    ShareCategories(table, pass, words, allWords, hasText, skip, *info);
  // What is no point of this process.
  const size_t drop = part.HasCopy() ? 1 : skip;
  if (decides)
    WarnOfWords(table, pass, words, numbers, gbnn::SumOfRanks(part.ranks,
        lines.size() - drop));
  if (info)
    MapCategories(table, pass, words, drop, result.data, *info);
  else
    RequireNumbers(table, pass, hasNumber, skip);

  if (drop > 0)
    result.data.shed_col(0);
  if (skip > 0)
  {
    std::vector<std::string_view> cells;
    std::vector<std::string> storage;
    table.Split(lines[0], cells, storage);
    result.names.assign(cells.begin(), cells.end());
  }
  for (size_t i = drop; i < lines.size(); ++i)
    result.lines.push_back(lines[i].number);
  return result;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
