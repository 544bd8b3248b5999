/**
 * @file methods/gbnn/compute/level/triangles.hpp
 *
 * Cholesky's factor and systems with it, for one level.  Matrices are stored by
 * columns.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_GBNN_LEVEL
  #include "../kernels.hpp"
#else

namespace mlpack {
namespace gbnn {
namespace MLPACK_GBNN_LEVEL {

//! to -= factor * from, for n numbers.
template<typename T>
inline void SubtractScaled(T* to, const T* from, const T factor, const size_t n)
{
  const Simd<T> scale = Broadcast<T>(-factor);
  for (size_t i = 0; i < n; i += Width<T>)
    StoreSome<T>(to + i, MultiplyAdd<T>(LoadSome(from + i, n - i), scale,
        LoadSome(to + i, n - i)), n - i);
}

/**
 * In some columns from j on, of which those before are columns of L, subtract
 * from element (i, c) the products L(i, k) L(c, k) for all k < j.
 */
template<size_t Columns, typename T>
inline void SubtractProducts(T* a, const size_t n, const size_t j)
{
  // Some rows and the columns in registers, while the columns before stream by.
  for (size_t i = j; i < n; i += 2 * Width<T>)
  {
    const size_t count[] = { n - i, (n - i > Width<T>) ? n - i - Width<T> : 0 };
    Simd<T> sum[Columns][2];
    for (size_t c = 0; c < Columns; ++c)
      sum[c][0] = sum[c][1] = Broadcast<T>(T(0));
    for (size_t k = 0; k < j; ++k)
    {
      const T* other = a + k * n;
      const Simd<T> x = LoadSome(other + i, count[0]);
      const Simd<T> y = LoadSome(other + i + Width<T>, count[1]);
      for (size_t c = 0; c < Columns; ++c)
      {
        const Simd<T> factor = Broadcast<T>(other[j + c]);
        sum[c][0] = MultiplyAdd<T>(x, factor, sum[c][0]);
        sum[c][1] = MultiplyAdd<T>(y, factor, sum[c][1]);
      }
    }
    for (size_t c = 0; c < Columns; ++c)
      for (size_t v = 0; v < 2; ++v)
      {
        T* to = a + (j + c) * n + i + v * Width<T>;
        StoreSome<T>(to, LoadSome(to, count[v]) - sum[c][v], count[v]);
      }
  }
}

template<typename T>
inline bool CholeskyFactor(T* a, const size_t n)
{
  // Four columns, with two vectors each, fit in the registers of every level.
  constexpr size_t group = 4;
  for (size_t first = 0; first < n; first += group)
  {
    const bool whole = (first + group <= n);
    if (whole)
      SubtractProducts<group, T>(a, n, first);
    for (size_t j = first; j < n && j < first + group; ++j)
    {
      T* column = a + j * n;
      if (!whole)
        SubtractProducts<1, T>(a, n, j);
      for (size_t k = first; whole && k < j; ++k)
        SubtractScaled<T>(column + j, a + k * n + j, a[k * n + j], n - j);
      if (!(column[j] > 0))
        return false;
      const T scale = 1 / std::sqrt(column[j]);
      for (size_t i = j; i < n; ++i)
        column[i] *= scale;
    }
  }
  return true;
}

//! Solve L x = b for some columns of b.
template<size_t Columns, typename T>
inline void SolveLowerColumns(const T* l, const size_t n, T* x)
{
  for (size_t j = 0; j < n; ++j)
  {
    const T* column = l + j * n;
    Simd<T> factor[Columns];
    for (size_t c = 0; c < Columns; ++c)
      factor[c] = Broadcast<T>(-(x[c * n + j] /= column[j]));
    for (size_t i = j + 1; i < n; i += Width<T>)
    {
      const Simd<T> values = LoadSome(column + i, n - i);
      for (size_t c = 0; c < Columns; ++c)
        StoreSome<T>(x + c * n + i, MultiplyAdd<T>(values, factor[c],
            LoadSome(x + c * n + i, n - i)), n - i);
    }
  }
}

//! Solve L' x = b for some columns of b.
template<size_t Columns, typename T>
inline void SolveUpperColumns(const T* l, const size_t n, T* x)
{
  // Two sums at once, because each addition depends on the one before.
  constexpr size_t step = 2 * Lanes<T>;
  for (size_t j = n; j-- > 0;)
  {
    const T* column = l + j * n;
    Simd<T> sums[Columns][2][Parts<T>];
    for (size_t c = 0; c < Columns; ++c)
      for (size_t half = 0; half < 2; ++half)
        for (size_t part = 0; part < Parts<T>; ++part)
          sums[c][half][part] = Broadcast<T>(T(0));
    for (size_t i = j + 1; i < n; i += step)
      for (size_t half = 0; half < 2; ++half)
        for (size_t part = 0; part < Parts<T>; ++part)
        {
          const size_t at = i + half * Lanes<T> + part * Width<T>;
          const size_t count = (at < n) ? n - at : 0;
          const Simd<T> values = LoadSome(column + at, count);
          for (size_t c = 0; c < Columns; ++c)
            sums[c][half][part] = MultiplyAdd<T>(values,
                LoadSome(x + c * n + at, count), sums[c][half][part]);
        }
    for (size_t c = 0; c < Columns; ++c)
    {
      for (size_t part = 0; part < Parts<T>; ++part)
        sums[c][0][part] = sums[c][0][part] + sums[c][1][part];
      x[c * n + j] = (x[c * n + j] - SumLanes<T>(sums[c][0])) / column[j];
    }
  }
}

//! Solve L x = b, or L' x = b, for all columns of b.
template<bool Lower, typename T>
inline void SolveAll(const T* l, const size_t n, T* b, const size_t columns)
{
  size_t c = 0;
  for (; c + 4 <= columns; c += 4)
  {
    if constexpr (Lower)
      SolveLowerColumns<4, T>(l, n, b + c * n);
    else
      SolveUpperColumns<4, T>(l, n, b + c * n);
  }
  for (; c < columns; ++c)
  {
    if constexpr (Lower)
      SolveLowerColumns<1, T>(l, n, b + c * n);
    else
      SolveUpperColumns<1, T>(l, n, b + c * n);
  }
}

} // namespace MLPACK_GBNN_LEVEL
} // namespace gbnn
} // namespace mlpack

#endif
