/**
 * @file bindings/cli/save_matrix.hpp
 *
 * Save the matrices of a command-line program to files.
 */
#ifndef MLPACK_BINDINGS_CLI_SAVE_MATRIX_HPP
#define MLPACK_BINDINGS_CLI_SAVE_MATRIX_HPP

#include <armadillo>
#include <string>

namespace mlpack {
namespace bindings {
namespace cli {

/**
 * Save a matrix.  In text files every number is written in the shortest form
 * that reads back as the same number.
 *
 * @param file Name of the file to write.
 * @param matrix Matrix to save.
 * @param transpose Whether to make each column a line.
 */
void SaveMatrix(const std::string& file,
                const arma::mat& matrix,
                const bool transpose);

//! Save a matrix of unsigned integers.
void SaveMatrix(const std::string& file,
                const arma::Mat<size_t>& matrix,
                const bool transpose);

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
