/**
 * @file bindings/cli/load_text.cpp
 *
 * Turn delimited text into a matrix, with or without categories.
 */
#include <mlpack/bindings/cli/load_matrix.hpp>
#include <mlpack/bindings/cli/text_table.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>
#include <unordered_map>

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

  //! Add what another thread has seen.
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

//! Read every line as numbers into the columns of a matrix.
static FirstPass ReadNumbers(const TextTable& table, arma::mat& data)
{
  const std::vector<TextLine>& lines = table.Lines();
  const size_t columns = table.Columns();
  FirstPass pass(columns);

  #pragma omp parallel
  {
    FirstPass local(columns);
    std::vector<char> text(columns, 0);
    #pragma omp for schedule(static)
    for (size_t i = 0; i < lines.size(); ++i)
    {
      const size_t cells = table.ReadLine(lines[i], data.colptr(i), text);
      if (cells != columns && i < local.raggedLine)
      {
        local.raggedLine = i;
        local.raggedCells = cells;
      }
      // Most lines have no text; then there is nothing to note and to clear.
      if (memchr(text.data(), 1, columns) == nullptr)
        continue;
      for (size_t c = 0; c < columns; ++c)
      {
        if (text[c] && i == 0)
          local.headText[c] = 1;
        else if (text[c])
          local.firstText[c] = std::min(local.firstText[c], i);
        text[c] = 0;
      }
    }
    #pragma omp critical
    pass.Merge(local);
  }
  return pass;
}

//! True if a column holds a number below the first line.
static bool HasNumber(const arma::mat& data, const size_t column)
{
  for (size_t i = 1; i < data.n_cols; ++i)
    if (!std::isnan(data(column, i)))
      return true;
  return false;
}

/**
 * A table of words only can have a header too.  It is taken for one if all its
 * cells differ from each other, none of them occurs again in its column, and
 * every column repeats its words, as categories do.
 */
static bool IsHeaderOfWords(const TextTable& table)
{
  const std::vector<TextLine>& lines = table.Lines();
  if (lines.size() < 10 || table.Columns() < 2)
    return false;
  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  table.Split(lines[0], cells, storage);
  const std::vector<std::string> head(cells.begin(), cells.end());
  if (std::set<std::string>(head.begin(), head.end()).size() != head.size())
    return false;

  std::vector<std::set<std::string>> words(head.size());
  for (size_t i = 1; i < lines.size(); ++i)
  {
    table.Split(lines[i], cells, storage);
    for (size_t c = 0; c < head.size(); ++c)
    {
      words[c].insert(std::string(cells[c]));
      if (cells[c] == head[c] || words[c].size() > lines.size() / 2)
        return false;
    }
  }
  return true;
}

//! Whether the first line names the columns.
static bool HasHeader(const TextTable& table,
                      const FirstPass& pass,
                      const arma::mat& data)
{
  size_t texts = 0;
  for (size_t c = 0; c < table.Columns(); ++c)
  {
    if (pass.headText[c] && pass.firstText[c] == FirstPass::none &&
        HasNumber(data, c))
      return true;
    texts += pass.headText[c];
  }
  return texts == table.Columns() && IsHeaderOfWords(table);
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
  const std::string cell(cells[column]);
  throw std::runtime_error("line " + std::to_string(table.Lines()[line].number)
      + ", column " + std::to_string(column + 1) + ": expected " + expected +
      ", but found '" + cell + "'" + (HasDecimalComma(cell) ?
      DecimalAdvice(cell) : ""));
}

//! Throw if all words of a column, from a line on, are numbers with commas.
static void RefuseDecimalCommas(const TextTable& table,
                                const size_t line,
                                const size_t column)
{
  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  for (size_t i = line; i < table.Lines().size(); ++i)
  {
    table.Split(table.Lines()[i], cells, storage);
    double value;
    if ((i == line || ReadCell(cells[column], value) == CellType::Text) &&
        !HasDecimalComma(cells[column]))
      return;
  }
  ThrowNotANumber(table, line, column, "a number");
}

//! The categories of one column, numbered as they come.
class CategoryColumn
{
 public:
  //! Start from the categories that a dimension has already.
  CategoryColumn(const size_t column, const DatasetInfo& info) : column(column)
  {
    for (size_t i = 0; i < info.NumMappings(column); ++i)
      numbers.emplace(info.UnmapString(double(i), column), double(i));
  }

  size_t Column() const { return column; }

  //! The number of a cell's category.
  double Number(const std::string_view cell, DatasetInfo& info)
  {
    double value;
    if (ReadCell(cell, value) == CellType::Missing)
      return std::numeric_limits<double>::quiet_NaN();
    // Looking up needs a string; this one keeps its memory between cells.
    key.assign(cell);
    const auto it = numbers.find(key);
    if (it != numbers.end())
      return it->second;
    const double number = info.MapString<double>(key, column);
    numbers.emplace(key, number);
    return number;
  }

 private:
  size_t column;
  std::string key;
  std::unordered_map<std::string, double> numbers;
};

//! Find out which columns are categorical, and put category numbers in there.
static void MapCategories(const TextTable& table,
                          const FirstPass& pass,
                          const size_t skip,
                          arma::mat& data,
                          DatasetInfo& info)
{
  const size_t columns = table.Columns();
  const bool known = (info.Dimensionality() > 0);
  if (known && info.Dimensionality() != columns)
  {
    throw std::runtime_error("expected " + std::to_string(info.Dimensionality())
        + " columns, but found " + std::to_string(columns));
  }
  if (!known)
    info = DatasetInfo(columns);

  std::vector<CategoryColumn> categories;
  for (size_t c = 0; c < columns; ++c)
  {
    const size_t line = (skip == 0 && pass.headText[c]) ? 0 : pass.firstText[c];
    if (!known && line != FirstPass::none)
    {
      // The first line may be a header.
      RefuseDecimalCommas(table, std::min(pass.firstText[c],
          table.Lines().size() - 1), c);
      info.Type(c) = Datatype::categorical;
    }
    if (info.Type(c) == Datatype::categorical)
      categories.emplace_back(c, info);
    else if (line != FirstPass::none)
      ThrowNotANumber(table, line, c, "a number as in the training data");
  }
  if (categories.empty())
    return;

  std::vector<std::string_view> cells;
  std::vector<std::string> storage;
  for (size_t i = skip; i < table.Lines().size(); ++i)
  {
    table.Split(table.Lines()[i], cells, storage);
    for (CategoryColumn& category : categories)
    {
      const size_t c = category.Column();
      data(c, i) = category.Number(cells[c], info);
    }
  }
}

LoadedMatrix LoadText(const std::string& text,
                      const std::string& extension,
                      DatasetInfo* info)
{
  const TextTable table(text, extension);
  const std::vector<TextLine>& lines = table.Lines();
  LoadedMatrix result;
  result.data.set_size(table.Columns(), lines.size());

  const FirstPass pass = ReadNumbers(table, result.data);
  if (pass.raggedLine != FirstPass::none)
  {
    throw std::runtime_error("line " +
        std::to_string(lines[pass.raggedLine].number) + " has " +
        std::to_string(pass.raggedCells) + " columns, but line " +
        std::to_string(lines[0].number) + " has " +
        std::to_string(table.Columns()));
  }

  const size_t skip = HasHeader(table, pass, result.data) ? 1 : 0;
  if (info)
    MapCategories(table, pass, skip, result.data, *info);
  if (!info && lines.size() == 1 && table.Columns() > 1 &&
      memchr(pass.headText.data(), 0, table.Columns()) == nullptr)
  {
    throw std::runtime_error("has one line, of words only: a header without "
        "numbers below it?");
  }
  for (size_t c = 0; !info && c < table.Columns(); ++c)
  {
    // Numbers below it make it a header: then the word below is the wrong one.
    const bool isHeader = pass.firstText[c] != FirstPass::none &&
        HasNumber(result.data, c);
    if (skip == 0 && pass.headText[c] && !isHeader)
      ThrowNotANumber(table, 0, c, "a number");
    if (pass.firstText[c] != FirstPass::none)
      ThrowNotANumber(table, pass.firstText[c], c, "a number");
  }

  if (skip > 0)
  {
    result.data.shed_col(0);
    std::vector<std::string_view> cells;
    std::vector<std::string> storage;
    table.Split(lines[0], cells, storage);
    result.names.assign(cells.begin(), cells.end());
  }
  for (size_t i = skip; i < lines.size(); ++i)
    result.lines.push_back(lines[i].number);
  return result;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
