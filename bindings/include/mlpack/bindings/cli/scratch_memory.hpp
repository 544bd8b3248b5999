/**
 * @file bindings/cli/scratch_memory.hpp
 *
 * Memory that may be in files: with --scratch_folder, data may be larger than
 * memory.
 *
 * A command-line program has an operator new of its own, and Armadillo takes
 * the memory of matrices from it (cmake/AddBinding.cmake).
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_SCRATCH_MEMORY_HPP
#define MLPACK_BINDINGS_CLI_SCRATCH_MEMORY_HPP

#include <new>
#include <string>

namespace mlpack {
namespace bindings {
namespace cli {

/**
 * From now on, what takes much memory is a memory-mapped file in a folder.  The
 * kernel writes what does not fit into memory to the disk, and reads it again
 * when it is needed.  The files have no names, so nothing is left of them when
 * the program ends, in whatever way.
 *
 * @param folder Where there is room; throws unless files can be made there.
 */
void UseScratchFolder(const std::string& folder);

//! Whether a folder was given.
bool HasScratchFolder();

//! Bytes that files in the folder can have, those that are there included; 0 if
//! there is no folder, or if it is in memory itself.
double ScratchBytes();

//! The message of a disk that is full.
class ScratchError : public std::bad_alloc
{
 public:
  explicit ScratchError(const std::string& text) : text(text) { }

  const char* what() const noexcept override { return text.c_str(); }

 private:
  std::string text;
};

} // namespace cli
} // namespace bindings
} // namespace mlpack

//! Bytes that there are in place of memory, and the option that gives them.
#define BINDING_SCRATCH_BYTES mlpack::bindings::cli::ScratchBytes()
#define BINDING_SCRATCH_OPTION "scratch_folder"

#endif
