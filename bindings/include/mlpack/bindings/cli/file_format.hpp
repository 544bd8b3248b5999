/**
 * @file bindings/cli/file_format.hpp
 *
 * Tell the format of a file by its name.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_FILE_FORMAT_HPP
#define MLPACK_BINDINGS_CLI_FILE_FORMAT_HPP

#include <mlpack/core.hpp>

#include <cctype>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>

namespace mlpack {
namespace bindings {
namespace cli {

//! The extension of a file's name in lower case, without the dot.
inline std::string FileExtension(const std::string& file)
{
  std::string extension = std::filesystem::path(file).extension().string();
  if (!extension.empty())
    extension.erase(0, 1);
  for (char& c : extension)
    c = (char) std::tolower((unsigned char) c);
  return extension;
}

//! Whether Armadillo was told to read and write HDF5.
#ifdef ARMA_USE_HDF5
constexpr bool hasHDF5 = true;
#else
constexpr bool hasHDF5 = false;
#endif

//! True for the formats of matrices that mlpack reads and writes for us.
inline bool IsBinaryMatrix(const std::string& file)
{
  static const std::set<std::string> extensions = { "bin", "h5", "hdf5", "hdf",
      "he5" };
  return extensions.count(FileExtension(file)) > 0;
}

//! Throw if a file is HDF5, but Armadillo was not told to use that.
inline void RequireHDF5(const std::string& file)
{
  if (!hasHDF5 && IsBinaryMatrix(file) && FileExtension(file) != "bin")
  {
    throw std::runtime_error("this program was built without HDF5; give a file "
        "with the extension .csv or .bin");
  }
}

//! True for text that is written here, so that numbers read back exactly.
inline bool IsTextMatrix(const std::string& file)
{
  static const std::set<std::string> extensions = { "csv", "tsv", "txt" };
  return extensions.count(FileExtension(file)) > 0;
}

//! True for the three formats of model files.
inline bool IsModelFile(const std::string& file)
{
  static const std::set<std::string> extensions = { "bin", "json", "xml" };
  return extensions.count(FileExtension(file)) > 0;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
