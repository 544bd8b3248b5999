/**
 * @file methods/gbnn/compute/cholesky.hpp
 *
 * Small symmetric systems, solved in the calling thread: those of a stage are
 * too small for the threads of a BLAS, which would cost more than they bring.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_CHOLESKY_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_CHOLESKY_HPP

#include <mlpack/prereqs.hpp>

#include "simd.hpp"

namespace mlpack {
namespace gbnn {

/**
 * In some columns from j on, of which those before are columns of L, subtract
 * from element (i, c) the products L(i, k) L(c, k) for all k < j.
 */
template<size_t Columns>
inline void SubtractProducts(arma::mat& a, const size_t j)
{
  constexpr size_t lanes = Lanes<double>;
  const size_t n = a.n_rows;
  // Some rows and the columns in registers, while the columns before stream by.
  size_t i = j;
  for (; i + 2 * lanes <= n; i += 2 * lanes)
  {
    Simd<double> sum[Columns][2] = {};
    for (size_t k = 0; k < j; ++k)
    {
      const double* other = a.colptr(k);
      const Simd<double> x = Load(other + i), y = Load(other + i + lanes);
      for (size_t c = 0; c < Columns; ++c)
      {
        const Simd<double> factor = Broadcast<double>(other[j + c]);
        sum[c][0] = MultiplyAdd<double>(x, factor, sum[c][0]);
        sum[c][1] = MultiplyAdd<double>(y, factor, sum[c][1]);
      }
    }
    for (size_t c = 0; c < Columns; ++c)
    {
      double* to = a.colptr(j + c) + i;
      Store(to, Load(to) - sum[c][0]);
      Store(to + lanes, Load(to + lanes) - sum[c][1]);
    }
  }
  for (; i < n; ++i)
  {
    double sum[Columns] = {};
    for (size_t k = 0; k < j; ++k)
      for (size_t c = 0; c < Columns; ++c)
        sum[c] += a.colptr(k)[i] * a.colptr(k)[j + c];
    for (size_t c = 0; c < Columns; ++c)
      a.colptr(j + c)[i] -= sum[c];
  }
}

/**
 * Replace the lower triangle of a symmetric matrix by its Cholesky factor L,
 * where A = L L'; what stands above it is lost.  Returns false if the matrix is
 * not positive definite.
 */
inline bool Cholesky(arma::mat& a)
{
  constexpr size_t group = 4;
  const size_t n = a.n_rows;
  for (size_t first = 0; first < n; first += group)
  {
    const bool whole = (first + group <= n);
    if (whole)
      SubtractProducts<group>(a, first);
    for (size_t j = first; j < std::min(n, first + group); ++j)
    {
      double* column = a.colptr(j);
      if (!whole)
        SubtractProducts<1>(a, j);
      for (size_t k = first; whole && k < j; ++k)
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
  }
  return true;
}

/**
 * Call f(number, column) for columns of a matrix, some at a time: `number` is
 * an integral constant that says how many there are from `column` on.
 */
template<typename FunctionType>
inline void ForColumns(const size_t columns, const FunctionType& f)
{
  size_t c = 0;
  for (; c + 4 <= columns; c += 4)
    f(std::integral_constant<size_t, 4>(), c);
  switch (columns - c)
  {
    case 3: f(std::integral_constant<size_t, 3>(), c); break;
    case 2: f(std::integral_constant<size_t, 2>(), c); break;
    case 1: f(std::integral_constant<size_t, 1>(), c); break;
  }
}

//! Replace each column of b, which has as many rows as L, by L^-1 b.
template<typename T>
inline void SolveLower(const arma::Mat<T>& l, arma::Mat<T>& b)
{
  constexpr size_t lanes = Lanes<T>;
  const size_t n = l.n_rows;
  ForColumns(b.n_cols, [&](const auto number, const size_t first)
  {
    T* x = b.colptr(first);
    for (size_t j = 0; j < n; ++j)
    {
      const T* column = l.colptr(j);
      T factor[number];
      for (size_t c = 0; c < number; ++c)
        factor[c] = (x[c * n + j] /= column[j]);
      size_t i = j + 1;
      for (; i + lanes <= n; i += lanes)
      {
        const Simd<T> values = Load(column + i);
        for (size_t c = 0; c < number; ++c)
          Store(x + c * n + i, MultiplyAdd<T>(values,
              Broadcast<T>(-factor[c]), Load(x + c * n + i)));
      }
      for (; i < n; ++i)
        for (size_t c = 0; c < number; ++c)
          x[c * n + i] -= factor[c] * column[i];
    }
  });
}

//! Replace each column of b, which has as many rows as L, by the solution of
//! L' x = b.
template<typename T>
inline void SolveUpper(const arma::Mat<T>& l, arma::Mat<T>& b)
{
  // Several sums at once: each addition waits for the one before it.
  constexpr size_t lanes = Lanes<T>, step = 4 * lanes;
  const size_t n = l.n_rows;
  ForColumns(b.n_cols, [&](const auto number, const size_t first)
  {
    T* x = b.colptr(first);
    for (size_t j = n; j-- > 0;)
    {
      const T* column = l.colptr(j);
      Simd<T> sums[number][4] = {};
      size_t i = j + 1;
      for (; i + step <= n; i += step)
        for (size_t v = 0; v < 4; ++v)
        {
          const Simd<T> values = Load(column + i + v * lanes);
          for (size_t c = 0; c < number; ++c)
            sums[c][v] = MultiplyAdd<T>(values,
                Load(x + c * n + i + v * lanes), sums[c][v]);
        }
      for (size_t c = 0; c < number; ++c)
      {
        T sum = Sum<T>((sums[c][0] + sums[c][1]) +
            (sums[c][2] + sums[c][3]));
        for (size_t k = i; k < n; ++k)
          sum += column[k] * x[c * n + k];
        x[c * n + j] = (x[c * n + j] - sum) / column[j];
      }
    }
  });
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
