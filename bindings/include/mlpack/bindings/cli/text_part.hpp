/**
 * @file bindings/cli/text_part.hpp
 *
 * The part of a text file that one of several processes reads.
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

namespace mlpack {
namespace bindings {
namespace cli {

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
 * Whether it pays that each process reads its own part of a file: it must have
 * lines enough for all.  Throws if processes see files of other sizes.
 */
bool IsWorthParts(const std::string& file, const GBNNCommunicator& ranks);

//! Read the part of this process; all of them must do so.
TextPart ReadPart(const std::string& file, const GBNNCommunicator& ranks);

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
