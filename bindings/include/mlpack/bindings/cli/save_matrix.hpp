/**
 * @file bindings/cli/save_matrix.hpp
 *
 * Save the matrices of a command-line program to files.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_SAVE_MATRIX_HPP
#define MLPACK_BINDINGS_CLI_SAVE_MATRIX_HPP

#include <armadillo>
#include <mlpack/methods/gbnn/files/whole_file.hpp>

#include <string>
#include <vector>

namespace mlpack {
namespace bindings {
namespace cli {

/**
 * Save a matrix.  In text files every number is written in the shortest form
 * that reads back as the same number.
 *
 * @param file File to write to, whose name tells the format.
 * @param matrix Matrix to save.
 * @param transpose Whether to make each column a line.
 */
void SaveMatrix(gbnn::TemporaryFile& file,
                const arma::mat& matrix,
                const bool transpose);

/**
 * Save words, one a line, to a text file; in quotation marks where a reader
 * could take a word for something else.
 *
 * @param file File to write to.
 * @param places The place of each word to write among `words`.
 * @param words The words there are.
 */
void SaveWords(gbnn::TemporaryFile& file,
               const arma::rowvec& places,
               const std::vector<std::string>& words);

//! Save a matrix of unsigned integers.
void SaveMatrix(gbnn::TemporaryFile& file,
                const arma::Mat<size_t>& matrix,
                const bool transpose);

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
