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
#include <stdexcept>

#include <mlpack/bindings/util/data_names.hpp>

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
 * @param file Name of the file.
 * @param lines Number of lines.
 * @param append append(text, i) appends line i to the text.
 */
template<typename AppendType>
static void SaveLines(const std::string& file,
                      const size_t lines,
                      const AppendType& append)
{
  FILE* stream = fopen(file.c_str(), "wb");
  bool good = (stream != nullptr);
  std::string text;
  for (size_t i = 0; i < lines && good; ++i)
  {
    append(text, i);
    text += '\n';
    if (text.size() > 65536 || i + 1 == lines)
    {
      good = (fwrite(text.data(), 1, text.size(), stream) == text.size());
      text.clear();
    }
  }
  // What is still buffered is only written when the file is closed.
  int error = errno;
  if (stream && fclose(stream) != 0 && good)
  {
    good = false;
    error = errno;
  }
  if (!good)
  {
    throw std::runtime_error(std::string("cannot be written: ") +
        strerror(error));
  }
}

//! Write a matrix as text.
template<typename T>
static void SaveText(const std::string& file,
                     const arma::Mat<T>& matrix,
                     const bool transpose)
{
  const std::string extension = FileExtension(file);
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

//! Have mlpack save a matrix in one of its other formats.
template<typename T>
static void SaveOther(const std::string& file,
                      const arma::Mat<T>& matrix,
                      const bool transpose)
{
  CaptureErrors errors;
  try
  {
#if MLPACK_VERSION_MAJOR > 4 || MLPACK_VERSION_MINOR >= 7
    MatrixOptions options;
    options.Fatal() = true;
    options.NoTranspose() = !transpose;
    Save(file, matrix, options);
#else
    Save(file, matrix, true, transpose);
#endif
  }
  catch (const std::exception& e)
  {
    throw std::runtime_error("cannot be written: " + errors.Text(e.what()));
  }
}

template<typename T>
static void SaveAny(const std::string& file,
                    const arma::Mat<T>& matrix,
                    const bool transpose)
{
  if (IsBinaryMatrix(file))
    SaveOther(file, matrix, transpose);
  else
    SaveText(file, matrix, transpose);
}

void SaveWords(const std::string& file,
               const arma::rowvec& places,
               const std::vector<std::string>& words)
{
  SaveLines(file, places.n_elem, [&](std::string& text, const size_t i)
      {
        AppendWord(text, words[size_t(places[i])]);
      });
}

void SaveMatrix(const std::string& file,
                const arma::mat& matrix,
                const bool transpose)
{
  SaveAny(file, matrix, transpose);
}

void SaveMatrix(const std::string& file,
                const arma::Mat<size_t>& matrix,
                const bool transpose)
{
  SaveAny(file, matrix, transpose);
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
