/**
 * @file bindings/cli/save_matrix.cpp
 *
 * Implementation of saving matrices.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/save_matrix.hpp>
#include <mlpack/bindings/cli/file_format.hpp>
#include <mlpack/core.hpp>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string_view>

#include <unistd.h>

#include "capture_errors.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

//! Append the shortest text that reads back as the same number.
template<typename T>
static void AppendNumber(std::string& text, const T value)
{
  if constexpr (std::is_floating_point_v<T>)
  {
    // The sign of a NaN means nothing, and other readers stumble over it.
    if (std::isnan(value))
    {
      text += "nan";
      return;
    }
    // Whole numbers look like whole numbers: 100000, not 1e+05.
    if (std::fabs(value) < 1e15 && value == std::floor(value))
    {
      AppendNumber(text, (long long) value);
      return;
    }
  }
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  text.append(buffer, result.ptr);
}

/**
 * Write a text file line by line.
 *
 * @param file File to write to.
 * @param lines Number of lines.
 * @param append append(text, i) appends line i to the text.
 */
template<typename AppendType>
static void SaveLines(gbnn::TemporaryFile& file,
                      const size_t lines,
                      const AppendType& append)
{
  std::string text;
  for (size_t i = 0; i < lines; ++i)
  {
    append(text, i);
    text += '\n';
    if (text.size() > 65536 || i + 1 == lines)
    {
      file.Write(text);
      text.clear();
    }
  }
}

//! Write a matrix as text.
template<typename T>
static void SaveText(gbnn::TemporaryFile& file,
                     const arma::Mat<T>& matrix,
                     const bool transpose)
{
  const std::string extension = FileExtension(file.File());
  const char delimiter = (extension == "tsv") ? '\t' :
      (extension == "txt") ? ' ' : ',';
  const size_t columns = transpose ? matrix.n_rows : matrix.n_cols;
  SaveLines(file, transpose ? matrix.n_cols : matrix.n_rows,
      [&](std::string& text, const size_t i)
      {
        for (size_t j = 0; j < columns; ++j)
        {
          if (j > 0)
            text += delimiter;
          AppendNumber(text, transpose ? matrix(j, i) : matrix(i, j));
        }
      });
}

//! Append a word as a cell that reads back as this word.
static void AppendWord(std::string& text, const std::string& word)
{
  const bool plain = !word.empty() &&
      word.find_first_of(" \t\r\n,;|\"") == std::string::npos;
  if (plain)
  {
    text += word;
    return;
  }
  text += '"';
  for (const char c : word)
    text += (c == '"') ? std::string("\"\"") : std::string(1, c);
  text += '"';
}

//! Lets a stream write to a file.
class FileBuffer : public std::streambuf
{
 public:
  explicit FileBuffer(gbnn::TemporaryFile& file) : file(file) { }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override
  {
    file.Write(std::string_view(text, size_t(size)));
    return size;
  }

  int_type overflow(int_type c) override
  {
    if (c != traits_type::eof())
      file.Write(std::string(1, traits_type::to_char_type(c)));
    return traits_type::not_eof(c);
  }

 private:
  gbnn::TemporaryFile& file;
};

//! HDF5 wants a name: that of a file in a folder that is open to nobody else.
template<typename T>
static bool SaveHDF5(std::ostream& stream, const arma::Mat<T>& matrix)
{
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "gbnn-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    throw std::runtime_error("'" + folder + "': " + strerror(errno));
  const std::string file = (fs::path(folder) / "matrix.h5").string();
  const bool good = matrix.save(file, arma::hdf5_binary);
  std::ifstream saved(file, std::ios::binary);
  std::error_code error;
  fs::remove_all(folder, error);
  return good && stream << saved.rdbuf();
}

//! Save a matrix in one of Armadillo's other formats.
template<typename T>
static void SaveOther(gbnn::TemporaryFile& file, const arma::Mat<T>& matrix)
{
  const std::string extension = FileExtension(file.File());
  CaptureErrors errors;
  FileBuffer buffer(file);
  std::ostream stream(&buffer);
  // The reason for which the file cannot be written.
  stream.exceptions(std::ios::badbit);
  const bool good = (extension == "bin") ? matrix.save(stream,
      arma::arma_binary) : SaveHDF5(stream, matrix);
  if (!good)
    throw std::runtime_error(errors.Text("Armadillo has failed"));
}

template<typename T>
static void SaveAny(gbnn::TemporaryFile& file,
                    const arma::Mat<T>& matrix,
                    const bool transpose)
{
  if (!IsBinaryMatrix(file.File()))
    SaveText(file, matrix, transpose);
  else if (transpose)
    SaveOther<T>(file, matrix.t());
  else
    SaveOther(file, matrix);
}

void SaveWords(gbnn::TemporaryFile& file,
               const arma::rowvec& places,
               const std::vector<std::string>& words)
{
  SaveLines(file, places.n_elem, [&](std::string& text, const size_t i)
      {
        AppendWord(text, words[size_t(places[i])]);
      });
}

void SaveMatrix(gbnn::TemporaryFile& file,
                const arma::mat& matrix,
                const bool transpose)
{
  SaveAny(file, matrix, transpose);
}

void SaveMatrix(gbnn::TemporaryFile& file,
                const arma::Mat<size_t>& matrix,
                const bool transpose)
{
  SaveAny(file, matrix, transpose);
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
