/**
 * @file bindings/cli/text_part.hpp
 *
 * Text in parts: the part of a file that one of several processes reads, and
 * tables of which each part is a file of its own.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_TEXT_PART_HPP
#define MLPACK_BINDINGS_CLI_TEXT_PART_HPP

#include <mlpack/methods/gbnn/compute/communicator.hpp>

#include <string>
#include <vector>

namespace mlpack {
namespace bindings {
namespace cli {

/**
 * The files that a name stands for.  If it has a `%d` in it, and there is no
 * file of that very name, these are all that have 0, 1, and so on in its place,
 * as long as there are some; else it is the file itself.
 *
 * @param name The name.
 * @param rank If there is no file 0, but one with the number of this process,
 *     then that is all this process sees.
 */
std::vector<std::string> FilesOf(const std::string& name,
                                 const size_t rank = 0);

/**
 * Read the text of all files that a name stands for, one after the other.  If
 * all begin with the same line, and that has words in it, it is there once.
 */
std::string ReadText(const std::string& name);

/**
 * Lines of a text file.  All processes but the first have a copy of the file's
 * first line before their own, which tells what columns there are.
 */
struct TextPart
{
  std::string text;
  //! The processes that have the other parts; null if this is all of it.
  const GBNNCommunicator* ranks = nullptr;
  //! How many lines are between the copy and the first line after it.
  size_t linesBetween = 0;

  //! Whether the first line is a copy.
  bool HasCopy() const { return ranks && ranks->Rank() > 0; }
};

/**
 * Whether each process is to read its own part of a file, since that has lines
 * enough for all, or a file of its own, since there are as many as processes.
 * Throws if processes see files of other sizes.
 */
bool IsWorthParts(const std::string& file, const GBNNCommunicator& ranks);

//! Read the part of this process; all of them must do so.
TextPart ReadPart(const std::string& file, const GBNNCommunicator& ranks);

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
