/**
 * @file bindings/cli/text_files.hpp
 *
 * The files that a table lies in: their names, their bytes and their headers.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_TEXT_FILES_HPP
#define MLPACK_BINDINGS_CLI_TEXT_FILES_HPP

#include <stdexcept>
#include <string>

namespace mlpack {
namespace bindings {
namespace cli {

//! Append the bytes of a file from one place to another to a text.
void AppendBytes(const std::string& file,
                 const size_t begin,
                 const size_t end,
                 std::string& text);

//! Whether this is an ordinary file, no pipe.
bool IsOrdinary(const std::string& file);

//! Number of bytes of an ordinary file; 0 for all others.
size_t FileSize(const std::string& file);

//! Whether there is a file of this name.
bool Exists(const std::string& file);

//! Whether a name stands for files with a number each.
bool IsNumbered(const std::string& name);

//! The file with this number.
std::string NumberedFile(std::string name, const size_t number);

//! Do something with one of several files, which errors then name.
template<typename FunctionType>
auto OfFile(const std::string& file, const FunctionType& f)
{
  try
  {
    return f();
  }
  catch (const std::runtime_error& e)
  {
    throw std::runtime_error("'" + file + "' " + e.what());
  }
}

//! Number of times that a text has a character, between two places.
size_t Count(const std::string& text,
             const char c,
             const size_t begin = 0,
             const size_t end = std::string::npos);

//! Whether there is nothing but blanks and line ends, from some place on.
bool IsBlank(const std::string& text, const size_t begin = 0);

//! The end of the line that begins at a place: that of a newline outside of
//! quotes, or of the text.
size_t LineEnd(const std::string& text, const size_t begin, bool open);

//! The first line of a text that is not blank.
std::string FirstLine(const std::string& text);

//! The same without blanks at its end; "" if all is blank.
std::string HeadOf(const std::string& text);

//! Take the byte order mark off a text, which another file may precede;
//! returns how many bytes it had.
size_t TakeMark(std::string& text);

//! As many lines as show whether a text begins with a header.
constexpr size_t headLines = 1000;

/**
 * Whether the first line of the first file is a header, which others may
 * repeat: it names a column that has only numbers below, or is of words that
 * differ and do not come again in their columns.
 *
 * @param text The file, or its first lines.
 * @param file Its name.
 */
bool BeginsWithHeader(const std::string& text, const std::string& file);

/**
 * Where the points of a file begin: behind the header, if it repeats that of
 * the first file.
 *
 * @param text The file.
 * @param header The header of the first file; empty if it has none.
 * @param extension Extension of the files.
 */
size_t PointsBegin(const std::string& text,
                   const std::string& header,
                   const std::string& extension);

//! Goes through several files, and finds where the points of each begin.
class HeaderFinder
{
 public:
  /**
   * @param text The next file that is not blank; its beginning is enough.
   * @param file Its name.
   */
  size_t Begin(const std::string& text, const std::string& file);

 private:
  //! The first line of all.
  std::string head;
  bool hasHeader = false;
  bool isUndecided = true;
};

//! Throw if a file has a quotation mark that would go on in the next.
void RequireClosed(const std::string& file, const size_t quotes);

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
