/**
 * @file methods/gbnn/compute/cholesky.hpp
 *
 * Small symmetric systems, solved in the calling thread: those of a stage are
 * too small for the threads of a BLAS to pay off.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_CHOLESKY_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_CHOLESKY_HPP

#include <mlpack/prereqs.hpp>

#include "kernels.hpp"

namespace mlpack {
namespace gbnn {

/**
 * Replace the lower triangle of a symmetric matrix by its Cholesky factor L,
 * where A = L L'; the upper triangle is lost.  Returns false if the matrix is
 * not positive definite.
 */
inline bool Cholesky(arma::mat& a)
{
  return CholeskyInPlace(a.memptr(), a.n_rows);
}

//! Replace each column of b, which has as many rows as L, by L^-1 b.
template<typename T>
inline void SolveLower(const arma::Mat<T>& l, arma::Mat<T>& b)
{
  SolveLowerInPlace(l.memptr(), l.n_rows, b.memptr(), b.n_cols);
}

//! Replace each column of b, which has as many rows as L, by the solution of
//! L' x = b.
template<typename T>
inline void SolveUpper(const arma::Mat<T>& l, arma::Mat<T>& b)
{
  SolveUpperInPlace(l.memptr(), l.n_rows, b.memptr(), b.n_cols);
}

//! Replace each column of b by the solution of L L' x = b.
inline void SolveCholesky(const arma::mat& l, arma::mat& b)
{
  SolveLower(l, b);
  SolveUpper(l, b);
}

} // namespace gbnn
} // namespace mlpack

#endif
