/**
 * @file bindings/cli/text_part.hpp
 *
 * Text in parts: the part that one of several processes reads, and tables that
 * lie in several files.
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

#include "text_table.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

/**
 * The files that a name stands for, unless there is a file of that very name:
 *
 * - names separated by commas are a list of files;
 * - a name with a `%d` in it stands for all files that have 0, 1, and so on in
 *   its place, as long as there are some.
 *
 * @param name The name.
 * @param rank If there is no file 0, but one with the number of this process,
 *     then that is all this process sees.
 */
std::vector<std::string> FilesOf(const std::string& name,
                                 const size_t rank = 0);

/**
 * Lines of a text file, or of several.  All processes but the first have a copy
 * of the first line of all before their own, which tells what columns there
 * are.
 */
struct TextPart
{
  std::string text;
  //! The processes that have the other parts; null if this is all of it.
  const GBNNCommunicator* ranks = nullptr;
  //! Where the lines are from.
  LinePlaces places = { };

  //! Whether the first line is a copy.
  bool HasCopy() const { return ranks && ranks->Rank() > 0; }
};

/**
 * Read the text of all files that a name stands for, one after the other.  If
 * the first begins with a header, others may repeat it; it is there once.
 */
TextPart ReadText(const std::string& name);

/**
 * Whether each process is to read its own part: a file of its own, since there
 * are as many as processes, or a range of the lines of all files, since there
 * are enough of them.  Throws if processes see files of other sizes.
 */
bool IsWorthParts(const std::string& name, const GBNNCommunicator& ranks);

//! Read the part of this process; all of them must do so.
TextPart ReadPart(const std::string& name, const GBNNCommunicator& ranks);

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
