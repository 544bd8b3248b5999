/**
 * @file bindings/cli/output_files.hpp
 *
 * Write a program's output files so that none is ever left half written.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_OUTPUT_FILES_HPP
#define MLPACK_BINDINGS_CLI_OUTPUT_FILES_HPP

#include <mlpack/core/util/io.hpp>
#include <mlpack/methods/gbnn/files/whole_file.hpp>

#include <memory>
#include <string>
#include <vector>

namespace mlpack {
namespace bindings {
namespace cli {

//! Throw if the format of an output file is not known by its name.
void CheckFormat(const util::ParamData& d, const std::string& file);

/**
 * The files that are being written.  Each is written under another name beside
 * its place; Commit() puts them all there.  Without it they are removed.
 */
class OutputFiles
{
 public:
  //! A new, empty file to write to in place of `file`; there until the next.
  gbnn::TemporaryFile& Temporary(const std::string& file);

  //! The last file was not written to: leave its place alone.
  void Forget() { files.pop_back(); }

  //! Put all files into their places.
  void Commit();

 private:
  std::vector<std::unique_ptr<gbnn::TemporaryFile>> files;
};

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
