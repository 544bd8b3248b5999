/**
 * @file methods/gbnn/cholesky.hpp
 *
 * Small symmetric systems, solved in the calling thread: those of a stage are
 * too small for the threads of a BLAS, which would cost more than they bring.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_CHOLESKY_HPP
#define MLPACK_METHODS_GBNN_CHOLESKY_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

/**
 * Replace the lower triangle of a symmetric matrix by its Cholesky factor L,
 * where A = L L'.  Returns false if the matrix is not positive definite.
 */
inline bool Cholesky(arma::mat& a)
{
  const size_t n = a.n_rows;
  for (size_t j = 0; j < n; ++j)
  {
    double* column = a.colptr(j);
    // Four columns at a time: fewer passes over the one that changes.
    size_t k = 0;
    for (; k + 4 <= j; k += 4)
    {
      const double* p = a.colptr(k);
      const double* q = a.colptr(k + 1);
      const double* r = a.colptr(k + 2);
      const double* s = a.colptr(k + 3);
      const double f = p[j], g = q[j], h = r[j], l = s[j];
      for (size_t i = j; i < n; ++i)
        column[i] -= f * p[i] + g * q[i] + (h * r[i] + l * s[i]);
    }
    for (; k < j; ++k)
    {
      const double* other = a.colptr(k);
      const double factor = other[j];
      for (size_t i = j; i < n; ++i)
        column[i] -= factor * other[i];
    }
    if (!(column[j] > 0))
      return false;
    const double scale = 1 / std::sqrt(column[j]);
    for (size_t i = j; i < n; ++i)
      column[i] *= scale;
  }
  return true;
}

//! Replace each column of b by L^-1 b.
inline void SolveLower(const arma::mat& l, arma::mat& b)
{
  for (size_t c = 0; c < b.n_cols; ++c)
  {
    double* x = b.colptr(c);
    for (size_t j = 0; j < l.n_rows; ++j)
    {
      const double* column = l.colptr(j);
      x[j] /= column[j];
      for (size_t i = j + 1; i < l.n_rows; ++i)
        x[i] -= x[j] * column[i];
    }
  }
}

//! Replace each column of b by the solution of L' x = b.
inline void SolveUpper(const arma::mat& l, arma::mat& b)
{
  for (size_t c = 0; c < b.n_cols; ++c)
  {
    double* x = b.colptr(c);
    for (size_t j = l.n_rows; j-- > 0;)
    {
      const double* column = l.colptr(j);
      for (size_t i = j + 1; i < l.n_rows; ++i)
        x[j] -= column[i] * x[i];
      x[j] /= column[j];
    }
  }
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
