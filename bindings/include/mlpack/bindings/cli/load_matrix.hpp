/**
 * @file bindings/cli/load_matrix.hpp
 *
 * Load the matrices of a command-line program from files.
 *
 * Text and ARFF are read here, other formats by mlpack.  Errors are exceptions
 * whose text says what is wrong in the file; the caller adds the file's name.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_LOAD_MATRIX_HPP
#define MLPACK_BINDINGS_CLI_LOAD_MATRIX_HPP

// In mlpack 4.8 load.hpp cannot be included alone.
#include <mlpack/core.hpp>

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../util/data_names.hpp"
#include "text_part.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

//! A matrix from a file, with points in columns.
struct LoadedMatrix
{
  arma::mat data;
  //! The line of the text that each point is from; empty if it has no lines.
  std::vector<size_t> lines;
  //! The names of the columns; empty if the file has none.
  std::vector<std::string> names;
  //! Where the lines are from.
  LinePlaces places = { };

  //! Where an element is from, in words.
  std::string Where(const size_t dimension, const size_t point) const;
};

/**
 * Where the names of the columns of a table go, by the name of its parameter.
 * Those of `training` are for the binding's own parameter `column_names`, those
 * of any other table, such as `test`, for `test_column_names`; if it has one
 * and the user does not give it.
 */
inline std::map<std::string, std::vector<std::string>*>& NamesOfColumns()
{
  static std::map<std::string, std::vector<std::string>*> names;
  return names;
}

/**
 * Load a matrix of numbers.  A cell that is no number is an error.
 *
 * @param file Name of the file.
 */
LoadedMatrix LoadNumeric(const std::string& file);

/**
 * Load a matrix whose dimensions may be categorical.  Missing cells are NaN in
 * dimensions of either kind.
 *
 * @param file Name of the file.
 * @param info Set to what each dimension is.  If it has dimensions already (a
 *     binding can set them to a model's), they are kept, and new categories are
 *     added to those it has.
 * @param names Set to the names of the columns, if the file has them, unless it
 *     is null.
 * @param ranks If given, each of these processes loads its own points; what
 *     dimensions are is that of all points.
 * @param areLabels Whether a single column of codes such as 007 holds words.
 */
arma::mat LoadCategorical(const std::string& file,
                          DatasetInfo& info,
                          std::vector<std::string>* names = nullptr,
                          const GBNNCommunicator* ranks = nullptr,
                          const bool areLabels = false);

//! Load an ARFF file; the parameters are LoadCategorical()'s.
LoadedMatrix LoadARFFText(const std::string& text, DatasetInfo& info);

//! Load comma-, tab- or blank-separated text, as numbers if `info` is null.
LoadedMatrix LoadText(const TextPart& part,
                      const std::string& extension,
                      DatasetInfo* info,
                      const bool areLabels = false);

//! Throw unless an element is a number that fits an unsigned integer.
inline void RequireUnsigned(const LoadedMatrix& matrix)
{
  for (size_t j = 0; j < matrix.data.n_cols; ++j)
  {
    for (size_t i = 0; i < matrix.data.n_rows; ++i)
    {
      // Beyond 2^53 a double does not tell whole numbers apart.
      const double value = matrix.data(i, j);
      if (value >= 0 && value <= 9007199254740992.0 &&
          value == std::floor(value))
        continue;
      std::ostringstream oss;
      oss << matrix.Where(i, j) << ": expected a whole number, zero or more, "
          << "but found " << (std::isnan(value) ? "a missing value" : "");
      if (!std::isnan(value))
        oss << value;
      throw std::runtime_error(oss.str());
    }
  }
}

/**
 * Load a matrix or vector of the given Armadillo type.
 *
 * @param file Name of the file.
 * @param noTranspose Whether to keep the matrix as it lies in the file, instead
 *     of making each line a column.
 * @param output Matrix to load into.
 */
template<typename MatType>
void LoadMatrix(const std::string& file,
                const bool noTranspose,
                MatType& output)
{
  using ElemType = typename MatType::elem_type;
  LoadedMatrix matrix = LoadNumeric(file);
  if constexpr (std::is_unsigned_v<ElemType>)
    RequireUnsigned(matrix);

  constexpr bool isVector = MatType::is_row || MatType::is_col;
  if (isVector && matrix.data.n_rows != 1 && matrix.data.n_cols != 1)
  {
    throw std::runtime_error("expected one column or one line, but found " +
        std::to_string(matrix.data.n_cols) + " lines of " +
        std::to_string(matrix.data.n_rows) + " columns");
  }

  if constexpr (isVector)
    output = arma::conv_to<MatType>::from(arma::vectorise(matrix.data));
  else if constexpr (std::is_same_v<MatType, arma::mat>)
    output = noTranspose ? arma::mat(matrix.data.t()) : std::move(matrix.data);
  else if (noTranspose)
    output = arma::conv_to<MatType>::from(matrix.data.t());
  else
    output = arma::conv_to<MatType>::from(matrix.data);
}

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
