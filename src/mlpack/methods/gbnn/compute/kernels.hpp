/**
 * @file methods/gbnn/compute/kernels.hpp
 *
 * The two matrix products that a network of one hidden layer is made of, for a
 * block of points that stays in cache.  Points come in strips of a few vectors;
 * a strip holds one row of points for each quantity (a feature, a unit, an
 * output), and strips follow each other in memory.  So every kernel reads
 * memory in order and vectorises over points, whatever the size of the network.
 * They take no memory and do not call BLAS, whose threads would compete with
 * ours and whose result may depend on their number.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_KERNELS_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_KERNELS_HPP

#include <algorithm>

#include "simd.hpp"

namespace mlpack {
namespace gbnn {

/**
 * A matrix of weights as the kernels see it: element (output, input) is
 * weights[output * outputStride + input * inputStride].  It serves a layer in
 * mlpack's layout, one stored unit by unit, and the transpose of either.
 */
template<typename T>
struct WeightView
{
  T* weights;
  size_t outputStride;
  size_t inputStride;

  T& operator()(const size_t output, const size_t input) const
  {
    return weights[output * outputStride + input * inputStride];
  }

  //! The same weights, used from outputs to inputs.
  WeightView Transposed() const
  {
    return { weights, inputStride, outputStride };
  }

  //! The weights from the given output (and input) on.
  WeightView From(const size_t output, const size_t input = 0) const
  {
    return { &(*this)(output, input), outputStride, inputStride };
  }
};

//! Some points in strips; each strip has `rows` rows of StripSize points.
template<typename T>
struct Strips
{
  T* values;
  size_t rows;

  T* Row(const size_t strip, const size_t row) const
  {
    return values + (strip * rows + row) * StripSize<std::remove_const_t<T>>;
  }

  //! Strips that are only read convert by themselves.
  operator Strips<const T>() const { return { values, rows }; }
};

//! Vectors of a tile with several rows: what the registers can hold.
#if defined(__aarch64__) || defined(__AVX512F__)
constexpr size_t TileVectors = 4;
#else
constexpr size_t TileVectors = 2;
#endif

/**
 * A tile of Multiply() and Affine(): some outputs for some vectors of one
 * strip, all kept in registers while the inputs stream by.  The sums start at
 * what stands in `out` if Add, else at the bias, or at zero without one.
 */
template<bool Add, size_t Outputs, size_t Vectors, typename T>
inline void MultiplyTile(const T* in,
                         const size_t inputs,
                         const WeightView<const T> w,
                         const T* bias,
                         T* out)
{
  Simd<T> sum[Outputs][Vectors];
  for (size_t o = 0; o < Outputs; ++o)
    for (size_t v = 0; v < Vectors; ++v)
      sum[o][v] = Add ? Load(out + o * StripSize<T> + v * Lanes<T>) :
          Broadcast<T>(bias ? bias[o] : T(0));

  for (size_t i = 0; i < inputs; ++i, in += StripSize<T>)
  {
    Simd<T> x[Vectors];
    for (size_t v = 0; v < Vectors; ++v)
      x[v] = Load(in + v * Lanes<T>);
    for (size_t o = 0; o < Outputs; ++o)
    {
      const Simd<T> weight = Broadcast<T>(w(o, i));
      for (size_t v = 0; v < Vectors; ++v)
        sum[o][v] = MultiplyAdd<T>(x[v], weight, sum[o][v]);
    }
  }

  for (size_t o = 0; o < Outputs; ++o)
    for (size_t v = 0; v < Vectors; ++v)
      Store(out + o * StripSize<T> + v * Lanes<T>, sum[o][v]);
}

//! One strip of some outputs.
template<bool Add, size_t Outputs, size_t Vectors, typename T>
inline void MultiplyStrip(const T* in,
                          const size_t inputs,
                          const WeightView<const T> w,
                          const T* bias,
                          T* out)
{
  for (size_t v = 0; v < StripVectors; v += Vectors)
  {
    MultiplyTile<Add, Outputs, Vectors, T>(in + v * Lanes<T>, inputs, w, bias,
        out + v * Lanes<T>);
  }
}

//! All outputs of all strips, as many outputs at a time as fit.
template<bool Add, typename T>
inline void MultiplyAll(const Strips<const T> in,
                        const WeightView<const T> w,
                        const T* bias,
                        const Strips<T> out,
                        const size_t strips)
{
  for (size_t s = 0; s < strips; ++s)
  {
    const T* from = in.Row(s, 0);
    const auto tile = [&](auto strip, const size_t o)
    {
      strip(from, in.rows, w.From(o), bias ? bias + o : nullptr,
          out.Row(s, o));
    };
    size_t o = 0;
    for (; o + 4 <= out.rows; o += 4)
      tile(MultiplyStrip<Add, 4, TileVectors, T>, o);
    switch (out.rows - o)
    {
      case 3: tile(MultiplyStrip<Add, 3, TileVectors, T>, o); break;
      case 2: tile(MultiplyStrip<Add, 2, 2 * TileVectors, T>, o); break;
      case 1: tile(MultiplyStrip<Add, 1, 2 * TileVectors, T>, o); break;
      default: break;
    }
  }
}

//! out += w * in, for the given number of strips.
template<typename T>
inline void Multiply(const Strips<const T> in,
                     const WeightView<const T> w,
                     const Strips<T> out,
                     const size_t strips)
{
  MultiplyAll<true, T>(in, w, nullptr, out, strips);
}

//! out = w * in + bias; without a bias (nullptr), out = w * in.
template<typename T>
inline void Affine(const Strips<const T> in,
                   const WeightView<const T> w,
                   const T* bias,
                   const Strips<T> out,
                   const size_t strips)
{
  MultiplyAll<false, T>(in, w, bias, out, strips);
}

//! A tile of Correlate(): some rows of each of the two, summed in registers.
template<size_t Rows, size_t Columns, typename T, typename SumType>
inline void CorrelateTile(const Strips<const T> rows,
                          const size_t row,
                          const Strips<const T> columns,
                          const size_t column,
                          const WeightView<SumType> result,
                          const size_t strips)
{
  Simd<T> sum[Rows][Columns] = {};
  for (size_t s = 0; s < strips; ++s)
  {
    const T* r = rows.Row(s, row);
    const T* c = columns.Row(s, column);
    for (size_t p = 0; p < StripSize<T>; p += Lanes<T>)
    {
      Simd<T> x[Columns];
      for (size_t j = 0; j < Columns; ++j)
        x[j] = Load(c + j * StripSize<T> + p);
      for (size_t i = 0; i < Rows; ++i)
      {
        const Simd<T> y = Load(r + i * StripSize<T> + p);
        for (size_t j = 0; j < Columns; ++j)
          sum[i][j] = MultiplyAdd<T>(y, x[j], sum[i][j]);
      }
    }
  }
  for (size_t i = 0; i < Rows; ++i)
    for (size_t j = 0; j < Columns; ++j)
      result(row + i, column + j) += Sum<T>(sum[i][j]);
}

//! All columns for some rows.
template<size_t Rows, size_t Columns, typename T, typename SumType>
inline void CorrelateRows(const Strips<const T> rows,
                          const size_t row,
                          const Strips<const T> columns,
                          const WeightView<SumType> result,
                          const size_t strips)
{
  size_t j = 0;
  for (; j + Columns <= columns.rows; j += Columns)
    CorrelateTile<Rows, Columns, T>(rows, row, columns, j, result, strips);
  for (; j < columns.rows; ++j)
    CorrelateTile<Rows, 1, T>(rows, row, columns, j, result, strips);
}

/**
 * result(i, j) += sum over points of rows(i) * columns(j): the gradient of a
 * layer from the errors of its outputs (rows) and its inputs (columns).  What
 * is summed over a block of points goes to a result that may be more precise.
 */
template<typename T, typename SumType = T>
inline void Correlate(const Strips<const T> rows,
                      const Strips<const T> columns,
                      const WeightView<SumType> result,
                      const size_t strips)
{
  size_t i = 0;
  for (; i + 4 <= rows.rows; i += 4)
    CorrelateRows<4, 4, T>(rows, i, columns, result, strips);
  switch (rows.rows - i)
  {
    case 3: CorrelateRows<3, 4, T>(rows, i, columns, result, strips); break;
    case 2: CorrelateRows<2, 8, T>(rows, i, columns, result, strips); break;
    case 1: CorrelateRows<1, 8, T>(rows, i, columns, result, strips); break;
    default: break;
  }
}

//! The last `Rest` rows of a block of CorrelateWithSelf(), with all columns.
template<size_t Rest, typename T, typename SumType>
inline void CorrelateRest(const Strips<const T> rows,
                          const size_t row,
                          const size_t column,
                          const size_t full,
                          const WeightView<SumType> result,
                          const size_t strips)
{
  for (size_t j = 0; j < full; j += 4)
    CorrelateTile<Rest, 4, T>(rows, row, rows, column + j, result, strips);
  CorrelateTile<Rest, Rest, T>(rows, row, rows, column + full, result, strips);
}

/**
 * result(i, j) += sum over points of rows(i) * rows(j), for rows that come in
 * groups of `width`, each of which is the same numbers times a factor of the
 * group.  So the products of one group with another are symmetric, too: of each
 * such block only the part on and below its diagonal is computed, for blocks on
 * and below the diagonal; what stands elsewhere is not meant to be used.
 */
template<typename T, typename SumType = T>
inline void CorrelateWithSelf(const Strips<const T> rows,
                              const size_t width,
                              const WeightView<SumType> result,
                              const size_t strips)
{
  const size_t full = width / 4 * 4;
  for (size_t i = 0; i < rows.rows; i += width)
  {
    for (size_t j = 0; j <= i; j += width)
    {
      for (size_t a = 0; a < full; a += 4)
        for (size_t b = 0; b <= a; b += 4)
          CorrelateTile<4, 4, T>(rows, i + a, rows, j + b, result, strips);
      switch (width - full)
      {
        case 3:
          CorrelateRest<3, T>(rows, i + full, j, full, result, strips);
          break;
        case 2:
          CorrelateRest<2, T>(rows, i + full, j, full, result, strips);
          break;
        case 1:
          CorrelateRest<1, T>(rows, i + full, j, full, result, strips);
          break;
        default:
          break;
      }
    }
  }
}

//! sums(i) += sum over points of rows(i).
template<typename T, typename SumType = T>
inline void AddRowSums(const Strips<const T> rows,
                       SumType* sums,
                       const size_t strips)
{
  for (size_t i = 0; i < rows.rows; ++i)
  {
    Simd<T> sum = {};
    for (size_t s = 0; s < strips; ++s)
      for (size_t p = 0; p < StripSize<T>; p += Lanes<T>)
        sum += Load(rows.Row(s, i) + p);
    sums[i] += Sum<T>(sum);
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
