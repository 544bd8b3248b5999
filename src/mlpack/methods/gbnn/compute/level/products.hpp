/**
 * @file methods/gbnn/compute/level/products.hpp
 *
 * Products of matrices and sums over points, for one level.
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

/**
 * A tile of Multiply(): some outputs for some vectors of a strip, or of strips
 * that follow each other, all kept in registers while the inputs stream by.
 * The sums start at what stands in `out` if Add, else at the bias, or at zero
 * without one.
 *
 * g++ keeps arrays of vectors in registers only if all loops over them are
 * unrolled early, which some need to be told.
 *
 * @param inStrip Elements from one strip of inputs to the next.
 * @param outStrip The same for outputs.
 */
template<bool Add, size_t Outputs, size_t Vectors, typename T>
inline void MultiplyTile(const T* in,
                         const size_t inStrip,
                         const size_t inputs,
                         const WeightView<const T> w,
                         const T* bias,
                         T* out,
                         const size_t outStrip)
{
  constexpr size_t perStrip = StripSize<T> / Width<T>;
  Simd<T> sum[Outputs][Vectors];
  #pragma GCC unroll 16
  for (size_t o = 0; o < Outputs; ++o)
    #pragma GCC unroll 16
    for (size_t v = 0; v < Vectors; ++v)
      sum[o][v] = Add ? Load(out + v / perStrip * outStrip + o * StripSize<T> +
          v % perStrip * Width<T>) : Broadcast<T>(bias ? bias[o] : T(0));

  for (size_t i = 0; i < inputs; ++i, in += StripSize<T>)
  {
    Simd<T> x[Vectors];
    for (size_t v = 0; v < Vectors; ++v)
      x[v] = Load(in + v / perStrip * inStrip + v % perStrip * Width<T>);
    for (size_t o = 0; o < Outputs; ++o)
    {
      const Simd<T> weight = Broadcast<T>(w(o, i));
      for (size_t v = 0; v < Vectors; ++v)
        sum[o][v] = MultiplyAdd<T>(x[v], weight, sum[o][v]);
    }
  }

  #pragma GCC unroll 16
  for (size_t o = 0; o < Outputs; ++o)
    #pragma GCC unroll 16
    for (size_t v = 0; v < Vectors; ++v)
      Store<T>(out + v / perStrip * outStrip + o * StripSize<T> +
          v % perStrip * Width<T>, sum[o][v]);
}

//! Some outputs, from output o on, of one strip or two.
template<bool Add, size_t Outputs, size_t Vectors, typename T>
inline void MultiplyOutputs(const Strips<const T> in,
                            const WeightView<const T> w,
                            const T* bias,
                            const Strips<T> out,
                            const size_t s,
                            const size_t strips,
                            const size_t o)
{
  constexpr size_t perStrip = StripSize<T> / Width<T>;
  const size_t inStrip = in.all * StripSize<T>;
  const size_t outStrip = out.all * StripSize<T>;
  const WeightView<const T> weights = w.From(o);
  const T* b = bias ? bias + o : nullptr;
  if constexpr (Vectors > perStrip)
  {
    // A tile takes two strips, if there are two.
    static_assert(Vectors == 2 * perStrip);
    if (strips == 2)
      return MultiplyTile<Add, Outputs, Vectors, T>(in.Row(s, 0), inStrip,
          in.rows, weights, b, out.Row(s, o), outStrip);
  }
  constexpr size_t some = (Vectors > perStrip) ? perStrip : Vectors;
  for (size_t t = s; t < s + strips; ++t)
    for (size_t v = 0; v < perStrip; v += some)
      MultiplyTile<Add, Outputs, some, T>(in.Row(t, 0) + v * Width<T>, inStrip,
          in.rows, weights, b, out.Row(t, o) + v * Width<T>, outStrip);
}

//! All outputs of all strips, as many outputs at a time as fit.
template<bool Add, typename T>
inline void MultiplyAll(const Strips<const T> in,
                        const WeightView<const T> w,
                        const T* bias,
                        const Strips<T> out,
                        const size_t strips)
{
  for (size_t s = 0; s < strips; s += 2)
  {
    const size_t n = (strips - s < 2) ? 1 : 2;
    size_t o = 0;
    for (; o + 4 <= out.rows; o += 4)
      MultiplyOutputs<Add, 4, Accumulators / 4, T>(in, w, bias, out, s, n, o);
    switch (out.rows - o)
    {
      case 3:
        MultiplyOutputs<Add, 3, Accumulators / 4, T>(in, w, bias, out, s, n, o);
        break;
      case 2:
        MultiplyOutputs<Add, 2, Accumulators / 2, T>(in, w, bias, out, s, n, o);
        break;
      case 1:
        MultiplyOutputs<Add, 1, 8, T>(in, w, bias, out, s, n, o);
        break;
      default:
        break;
    }
  }
}

//! A tile of Correlate(): some rows of each of the two, summed in registers,
//! one part of the lanes after the other.
template<size_t Rows, size_t Columns, typename T, typename SumType>
inline void CorrelateTile(const Strips<const T> rows,
                          const size_t row,
                          const Strips<const T> columns,
                          const size_t column,
                          const WeightView<SumType> result,
                          const size_t strips)
{
  // Sums of the tile row by row, and nothing up to a multiple of four.
  constexpr size_t groups = (Rows * Columns + 3) / 4;
  Simd<T> sums[groups][4][Parts<T>];
  for (size_t i = Rows * Columns; i < 4 * groups; ++i)
    for (size_t part = 0; part < Parts<T>; ++part)
      sums[i / 4][i % 4][part] = Broadcast<T>(T(0));
  for (size_t part = 0; part < Parts<T>; ++part)
  {
    Simd<T> sum[Rows][Columns];
    for (size_t i = 0; i < Rows; ++i)
      for (size_t j = 0; j < Columns; ++j)
        sum[i][j] = Broadcast<T>(T(0));
    for (size_t s = 0; s < strips; ++s)
    {
      const T* r = rows.Row(s, row) + part * Width<T>;
      const T* c = columns.Row(s, column) + part * Width<T>;
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
        sums[(i * Columns + j) / 4][(i * Columns + j) % 4][part] = sum[i][j];
  }
  T added[4 * groups];
  for (size_t group = 0; group < groups; ++group)
    AddLanes<T>(sums[group], added + 4 * group);
  for (size_t i = 0; i < Rows; ++i)
    for (size_t j = 0; j < Columns; ++j)
      result(row + i, column + j) += added[i * Columns + j];
}

//! Columns from `first` to `last` for some rows.
template<size_t Rows, size_t Columns, typename T, typename SumType>
inline void CorrelateRows(const Strips<const T> rows,
                          const size_t row,
                          const Strips<const T> columns,
                          const size_t first,
                          const size_t last,
                          const WeightView<SumType> result,
                          const size_t strips)
{
  size_t j = first;
  for (; j + Columns <= last; j += Columns)
    CorrelateTile<Rows, Columns, T>(rows, row, columns, j, result, strips);
  for (; j < last; ++j)
    CorrelateTile<Rows, 1, T>(rows, row, columns, j, result, strips);
}

//! Columns from `first` to `last` for rows from `row` on, at most four.
template<typename T, typename SumType>
inline void CorrelateSome(const Strips<const T> rows,
                          const size_t row,
                          const size_t count,
                          const Strips<const T> columns,
                          const size_t first,
                          const size_t last,
                          const WeightView<SumType> result,
                          const size_t strips)
{
  constexpr size_t fits = Accumulators;
  switch (count)
  {
    case 4:
      return CorrelateRows<4, fits / 4, T>(rows, row, columns, first, last,
          result, strips);
    case 3:
      return CorrelateRows<3, fits / 4, T>(rows, row, columns, first, last,
          result, strips);
    case 2:
      return CorrelateRows<2, fits / 2, T>(rows, row, columns, first, last,
          result, strips);
    case 1:
      return CorrelateRows<1, 8, T>(rows, row, columns, first, last, result,
          strips);
    default:
      return;
  }
}

template<typename T, typename SumType>
inline void CorrelateAll(const Strips<const T> rows,
                         const Strips<const T> columns,
                         const WeightView<SumType> result,
                         const size_t strips)
{
  for (size_t i = 0; i < rows.rows; i += 4)
    CorrelateSome<T>(rows, i, (rows.rows - i < 4) ? rows.rows - i : 4, columns,
        0, columns.rows, result, strips);
}

template<typename T, typename SumType>
inline void CorrelateTriangles(const Strips<const T> rows,
                               const size_t width,
                               const WeightView<SumType> result,
                               const size_t strips)
{
  for (size_t i = 0; i < rows.rows; i += width)
    for (size_t j = 0; j <= i; j += width)
      for (size_t a = 0; a < width; a += 4)
      {
        const size_t count = (width - a < 4) ? width - a : 4;
        CorrelateSome<T>(rows, i + a, count, rows, j, j + a + count, result,
            strips);
      }
}

template<typename T, typename SumType>
inline void SumRows(const Strips<const T> rows,
                    SumType* sums,
                    const size_t strips)
{
  for (size_t i = 0; i < rows.rows; ++i)
  {
    Simd<T> sum[Parts<T>];
    for (size_t part = 0; part < Parts<T>; ++part)
      sum[part] = Broadcast<T>(T(0));
    for (size_t s = 0; s < strips; ++s)
      for (size_t p = 0; p < StripSize<T>; p += Lanes<T>)
        for (size_t part = 0; part < Parts<T>; ++part)
          sum[part] = sum[part] + Load(rows.Row(s, i) + p + part * Width<T>);
    sums[i] += SumLanes<T>(sum);
  }
}

template<typename T, typename SumType>
inline void AddEach(const T* from, const size_t n, SumType* to)
{
  for (size_t i = 0; i < n; ++i)
    to[i] += from[i];
}

template<typename T>
inline T SubtractAndSum(const Strips<T> errors,
                        const Strips<const T> targets,
                        const T* weights,
                        const size_t strips)
{
  Simd<T> squares[Parts<T>];
  for (size_t part = 0; part < Parts<T>; ++part)
    squares[part] = Broadcast<T>(T(0));
  for (size_t s = 0; s < strips; ++s)
    for (size_t k = 0; k < errors.rows; ++k)
    {
      T* e = errors.Row(s, k);
      const T* y = targets.Row(s, k);
      for (size_t p = 0; p < StripSize<T>; p += Lanes<T>)
        for (size_t part = 0; part < Parts<T>; ++part)
        {
          const size_t i = p + part * Width<T>;
          const Simd<T> error = Load(e + i) - Load(y + i);
          const Simd<T> weighted = weights ?
              error * Load(weights + s * StripSize<T> + i) : error;
          squares[part] = MultiplyAdd<T>(error, weighted, squares[part]);
          Store<T>(e + i, weighted);
        }
    }
  return SumLanes<T>(squares);
}

template<typename T>
inline void MultiplyEachRow(const T* rows,
                            const size_t n,
                            const T* factors,
                            T* out)
{
  constexpr size_t vectors = StripSize<T> / Width<T>;
  for (size_t i = 0; i < n; ++i, rows += StripSize<T>, out += StripSize<T>)
    for (size_t v = 0; v < vectors; ++v)
      Store<T>(out + v * Width<T>, Load(rows + v * Width<T>) *
          Load(factors + v * Width<T>));
}

template<typename T>
inline void PiecesOfRow(const T* positions, const size_t pieces, T* out)
{
  constexpr size_t vectors = StripSize<T> / Width<T>;
  for (size_t b = 0; b < pieces; ++b, out += StripSize<T>)
    for (size_t v = 0; v < vectors; ++v)
    {
      const Simd<T> share = Clamp<T>(Load(positions + v * Width<T>) -
          Broadcast<T>(T(b)), T(0), T(1));
      Store<T>(out + v * Width<T>, share + share - Broadcast<T>(T(1)));
    }
}

template<typename T>
inline void MarginsOfStrip(const T* sums,
                           const T* more,
                           const size_t rows,
                           T* margins)
{
  for (size_t p = 0; p < StripSize<T>; p += Width<T>)
  {
    Simd<T> first = Load(sums + p) + more[0];
    Simd<T> second = Broadcast<T>(-std::numeric_limits<T>::infinity());
    for (size_t k = 1; k < rows; ++k)
    {
      const Simd<T> score = Load(sums + k * StripSize<T> + p) + more[k];
      const Simd<T> less = Min<T>(first, score);
      first = Max<T>(score, first);
      second = Max<T>(less, second);
    }
    Store<T>(margins + p, (rows == 1) ? Max<T>(first, T(0) - first) :
        first - second);
  }
}

//! Products of one point with some units from `w` on; see MultiplyPoint().
template<size_t Units, typename T>
inline void PointTile(const T* point,
                      const size_t inputs,
                      const T* w,
                      T* products)
{
  constexpr size_t groups = (Units + 3) / 4;
  Simd<T> sum[groups][4][Parts<T>];
  #pragma GCC unroll 16
  for (size_t u = 0; u < 4 * groups; ++u)
    #pragma GCC unroll 16
    for (size_t part = 0; part < Parts<T>; ++part)
      sum[u / 4][u % 4][part] = Broadcast<T>(T(0));
  size_t i = 0;
  for (; i + Lanes<T> <= inputs; i += Lanes<T>)
    #pragma GCC unroll 16
    for (size_t part = 0; part < Parts<T>; ++part)
    {
      const size_t at = i + part * Width<T>;
      const Simd<T> x = Load(point + at);
      #pragma GCC unroll 16
      for (size_t u = 0; u < Units; ++u)
      {
        Simd<T>& to = sum[u / 4][u % 4][part];
        to = MultiplyAdd<T>(x, Load(w + u * inputs + at), to);
      }
    }
  #pragma GCC unroll 16
  for (size_t part = 0; part < Parts<T> && i < inputs; ++part, i += Width<T>)
  {
    const Simd<T> x = LoadSome(point + i, inputs - i);
    #pragma GCC unroll 16
    for (size_t u = 0; u < Units; ++u)
    {
      Simd<T>& to = sum[u / 4][u % 4][part];
      to = MultiplyAdd<T>(x, LoadSome(w + u * inputs + i, inputs - i), to);
    }
  }
  T added[4 * groups];
  for (size_t group = 0; group < groups; ++group)
    AddLanes<T>(sum[group], added + 4 * group);
  for (size_t u = 0; u < Units; ++u)
    products[u] = added[u];
}

template<typename T>
inline void MultiplyPoint(const T* point,
                          const size_t inputs,
                          const T* w,
                          const size_t units,
                          T* products)
{
  constexpr size_t some = (Accumulators >= 2 * Parts<T>) ?
      ((Accumulators / Parts<T> > 8) ? 8 : Accumulators / Parts<T>) : 1;
  size_t u = 0;
  for (; u + some <= units; u += some)
    PointTile<some, T>(point, inputs, w + u * inputs, products + u);
  for (; u < units; ++u)
    PointTile<1, T>(point, inputs, w + u * inputs, products + u);
}

} // namespace MLPACK_GBNN_LEVEL
} // namespace gbnn
} // namespace mlpack

#endif
