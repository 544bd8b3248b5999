/**
 * @file bindings/cli/text_table.hpp
 *
 * A delimited text file in memory, cut into lines and cells.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_TEXT_TABLE_HPP
#define MLPACK_BINDINGS_CLI_TEXT_TABLE_HPP

#include <string>
#include <string_view>
#include <vector>

namespace mlpack {
namespace bindings {
namespace cli {

//! Read a whole file into memory; throws if that cannot be done.
std::string ReadFile(const std::string& file);

//! What a cell of a table can be.
enum class CellType { Number, Missing, Text };

/**
 * Read one cell.  Empty, NaN, NA, N/A, n/a, #N/A, <NA>, NULL, null and ? are
 * missing values.
 *
 * @param cell Cell without its delimiters and quotes.
 * @param value Set to the number, or NaN if there is none.
 */
CellType ReadCell(std::string_view cell, double& value);

//! Whether a cell is a number with a comma in the place of the point, or with
//! commas between thousands.  Of 1,234 nobody can tell which.
bool HasCommas(std::string_view cell);

//! What to do about such a cell.
std::string CommaAdvice(std::string_view cell);

/**
 * Where the lines of a text are from, if it was put together from parts of one
 * or several files; else they are those of the text.
 */
class LinePlaces
{
 public:
  /**
   * Lines are from another place from here on.
   *
   * @param line Line of the text, from 1.
   * @param file Name of the file; empty if there is only one.
   * @param number Which line of that file it is, from 1.
   */
  void Add(const size_t line, const std::string& file, const size_t number)
  {
    places.push_back({ line, file, number });
  }

  //! Whether the lines are from several files.
  bool AreNamed() const { return !places.empty() && !places[0].file.empty(); }

  //! What to call a line of the text: "line 3", or "line 3 of 'part-1.csv'".
  std::string Name(const size_t line) const;

 private:
  struct Place
  {
    size_t line;
    std::string file;
    size_t number;
  };

  std::vector<Place> places;
};

//! Throw if a text has zero bytes, as no text has.
void RefuseBinary(const std::string& text,
                     const LinePlaces& places = LinePlaces());

//! Throw if the lines of a file end in carriage returns alone, as on old Macs.
void RefuseCarriageReturns(const std::string& text);

//! A line of a table; `number` counts from 1 and counts blank lines too.
struct TextLine
{
  const char* begin;
  const char* end;
  size_t number;
};

/**
 * Text with cells separated by commas, tabs, semicolons, vertical bars (in CSV
 * and TSV), or blanks.  Cells can be put in double quotes, lines can end in
 * CRLF, the text can start with a byte order mark, and blank lines do not
 * count.  In a table of one column, though, a blank line between others is a
 * missing value.
 */
class TextTable
{
 public:
  /**
   * Find the lines of the text and what separates its cells.
   *
   * @param text The text; the lines point into it.
   * @param extension Extension of the file it is from, in lower case.
   * @param places Where its lines are from.
   */
  TextTable(const std::string& text,
            const std::string& extension,
            const LinePlaces& places = LinePlaces());

  //! The lines that count.
  const std::vector<TextLine>& Lines() const { return lines; }

  //! The number of cells in the first line.
  size_t Columns() const { return columns; }

  //! What to call a line.
  std::string Name(const TextLine& line) const
  {
    return places.Name(line.number);
  }

  //! The cells of a line, unquoted.  `storage` owns what had to be rewritten.
  void Split(const TextLine& line,
             std::vector<std::string_view>& cells,
             std::vector<std::string>& storage) const;

  /**
   * Read a line of numbers.
   *
   * @param line Line to read.
   * @param values One number for each column: NaN where there is none.
   * @param text Set to true for the columns whose cell is text; others are left
   *     as they are.
   * @return The number of cells, which may differ from Columns().
   */
  size_t ReadLine(const TextLine& line,
                  double* values,
                  std::vector<char>& text) const;

 private:
  //! Cut the text at line ends that are not inside quotes.
  void FindLines(const std::string& text);

  //! Find out what separates the cells from the first line.
  void FindDelimiter(const std::string& extension);

  //! Throw if a line has numbers with commas in them and something else between
  //! them: they would be cut at the commas.
  void RefuseCommas(const TextLine& line) const;

  /**
   * Cut the next cell off.
   *
   * @param p Start of the cell.
   * @param end End of the line.
   * @param next Set to the start of the next cell, or null if this is the last.
   * @return The cell, without blanks around it but with its quotes.
   */
  std::string_view NextCell(const char* p,
                            const char* end,
                            const char*& next) const;

  //! The lines that count.
  std::vector<TextLine> lines;
  //! Number of cells in the first line.
  size_t columns;
  //! What separates cells; a blank stands for any number of blanks and tabs.
  char delimiter;
  //! Where the lines are from.
  LinePlaces places;
};

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
