/**
 * @file bindings/cli/output_files.hpp
 *
 * Write a program's output files so that none is ever left half written.
 */
#ifndef MLPACK_BINDINGS_CLI_OUTPUT_FILES_HPP
#define MLPACK_BINDINGS_CLI_OUTPUT_FILES_HPP

#include <mlpack/core/util/io.hpp>

#include <string>
#include <vector>

namespace mlpack {
namespace bindings {
namespace cli {

//! Throw if the format of an output file is not known by its name.
void CheckFormat(const util::ParamData& d, const std::string& file);

/**
 * The files that are being written.  Each is written under another name beside
 * its place; Commit() renames them all.  Without it they are removed.
 */
class OutputFiles
{
 public:
  ~OutputFiles();

  //! The name to write to in place of `file`.
  std::string Temporary(const std::string& file);

  //! Put all files into their places.
  void Commit();

 private:
  struct Entry
  {
    std::string temporary;
    std::string target;
  };
  std::vector<Entry> entries;
};

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
