/**
 * @file methods/gbnn/compute/kernels.hpp
 *
 * What a network of one hidden layer is made of: products of matrices,
 * activation functions and sums over points, for a block of points that stays
 * in cache.  Points come in strips; a strip holds one row of points for each
 * quantity (a feature, a unit, an output), and strips follow each other in
 * memory.  So every kernel reads memory in order and vectorizes over points,
 * whatever the size of the network.  The kernels take no memory and do not call
 * BLAS, whose threads would compete with ours and whose result may depend on
 * their number.
 *
 * Each kernel is compiled for several levels (see simd_level.hpp), and the
 * functions here call the one of the machine.  The code is in level/: read
 * vectors.hpp there first, then functions.hpp, products.hpp, splines.hpp and
 * triangles.hpp.
 *
 * Programs with many source files may define MLPACK_GBNN_SHARED_KERNELS in all
 * of them and compile kernels.cpp once.  That saves time and changes nothing.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_KERNELS_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_KERNELS_HPP

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "simd_level.hpp"

#if !defined(MLPACK_GBNN_SHARED_KERNELS) && \
    !defined(MLPACK_GBNN_DEFINE_KERNELS)
  #define MLPACK_GBNN_DEFINE_KERNELS
#endif

#if defined(MLPACK_GBNN_DEFINE_KERNELS) && !defined(MLPACK_GBNN_SCALAR)
  #if defined(__aarch64__)
    #include <arm_neon.h>
  #elif defined(__x86_64__)
    #include <immintrin.h>
  #endif
#endif

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

//! Some points in strips; each strip has `rows` rows of StripSize points.  They
//! may be a part of the `all` rows that are in memory.
template<typename T>
struct Strips
{
  T* values = nullptr;
  size_t rows = 0;
  size_t all = rows;

  T* Row(const size_t strip, const size_t row) const
  {
    return values + (strip * all + row) * StripSize<std::remove_const_t<T>>;
  }

  //! What a point has in a row.
  T& At(const size_t row, const size_t point) const
  {
    constexpr size_t size = StripSize<std::remove_const_t<T>>;
    return Row(point / size, row)[point % size];
  }

  //! The rows from `first` on, up to `last`.
  Strips Part(const size_t first, const size_t last) const
  {
    return { Row(0, first), last - first, all };
  }

  //! Strips that are only read convert by themselves.
  operator Strips<const T>() const { return { values, rows, all }; }
};

//! An unsigned integer of the same size as a number.
template<typename T>
using UnsignedOf = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

//! How many units share the rows of a SplineView.
template<typename T>
constexpr size_t UnitGroup = Lanes<T> / 2;

//! How many do if there are no more: rows are half as long then.
template<typename T>
constexpr size_t FewUnits = UnitGroup<T> / 2;

//! How many groups of them stand side by side, unless there is only one.  The
//! place of a point is read once for all of them, and with four their sums take
//! at most half of the registers (16 of 32 with NEON).
constexpr size_t GroupsAtOnce = 4;

/**
 * Splines of all units in all dimensions, as the kernels see them.  A point
 * stands in one bin of each dimension, and a spline is a straight line there:
 * start + share * rise, where the share of the bin that is below the point is
 * between 0 and 1.  A group of units has a row for each bin of the first
 * dimension, then of the second, and so on, and a row for the bias before them.
 * A row has the starts of these units, then their rises.  Rows of the same bin
 * follow each other for as many groups as stand side by side.
 */
template<typename T>
struct SplineView
{
  T* values;
  //! Number of rows of a group.
  size_t rows;
  //! Number of groups side by side: 1 or GroupsAtOnce.
  size_t together;
  //! Number of units of a group: UnitGroup, or FewUnits if there is only one.
  size_t each;

  //! The start of a unit's spline in a row; the rise is `each` after it.
  T* Start(const size_t unit, const size_t row) const
  {
    const size_t group = unit / each;
    return values + ((group / together * rows + row) * together +
        group % together) * 2 * each + unit % each;
  }

  //! Splines that are only read convert by themselves.
  operator SplineView<const T>() const
  {
    return { values, rows, together, each };
  }
};

} // namespace gbnn
} // namespace mlpack

// The kernels of each level, in a namespace of its own.
#define MLPACK_GBNN_NUMBER_BASELINE 0
#define MLPACK_GBNN_NUMBER_V3 3
#define MLPACK_GBNN_NUMBER_V4 4
#define MLPACK_GBNN_NUMBER_NEON 5
#define MLPACK_GBNN_LEVEL_IS(name) \
    (MLPACK_GBNN_LEVEL_NUMBER == MLPACK_GBNN_NUMBER_##name)

#if defined(MLPACK_GBNN_HAS_BASELINE)
  #define MLPACK_GBNN_LEVEL baseline
  #define MLPACK_GBNN_LEVEL_NUMBER MLPACK_GBNN_NUMBER_BASELINE
  #include "level/kernels.hpp"
  #undef MLPACK_GBNN_LEVEL
  #undef MLPACK_GBNN_LEVEL_NUMBER
#endif

#if defined(MLPACK_GBNN_HAS_NEON)
  #define MLPACK_GBNN_LEVEL neon
  #define MLPACK_GBNN_LEVEL_NUMBER MLPACK_GBNN_NUMBER_NEON
  #include "level/kernels.hpp"
  #undef MLPACK_GBNN_LEVEL
  #undef MLPACK_GBNN_LEVEL_NUMBER
#endif

#if defined(MLPACK_GBNN_HAS_V3)
  #define MLPACK_GBNN_LEVEL v3
  #define MLPACK_GBNN_LEVEL_NUMBER MLPACK_GBNN_NUMBER_V3
  #if defined(__clang__)
    #pragma clang attribute push( \
        __attribute__((target("avx2,fma"))), apply_to = function)
  #else
    #pragma GCC push_options
    #pragma GCC target("avx2,fma")
  #endif
  #include "level/kernels.hpp"
  #if defined(__clang__)
    #pragma clang attribute pop
  #else
    #pragma GCC pop_options
  #endif
  #undef MLPACK_GBNN_LEVEL
  #undef MLPACK_GBNN_LEVEL_NUMBER
#endif

#if defined(MLPACK_GBNN_HAS_V4)
  #define MLPACK_GBNN_LEVEL v4
  #define MLPACK_GBNN_LEVEL_NUMBER MLPACK_GBNN_NUMBER_V4
  #if defined(__clang__)
    #pragma clang attribute push(__attribute__((target( \
        "avx2,fma,avx512f,avx512dq,avx512bw,avx512vl"))), apply_to = function)
  #else
    #pragma GCC push_options
    #pragma GCC target("avx2,fma,avx512f,avx512dq,avx512bw,avx512vl")
  #endif
  #include "level/kernels.hpp"
  #if defined(__clang__)
    #pragma clang attribute pop
  #else
    #pragma GCC pop_options
  #endif
  #undef MLPACK_GBNN_LEVEL
  #undef MLPACK_GBNN_LEVEL_NUMBER
#endif

// Return what a function of the active level returns.
#if defined(MLPACK_GBNN_HAS_V4)
  #define MLPACK_GBNN_CASE_V4(...) \
      case SimdLevel::V4: return v4::__VA_ARGS__;
#else
  #define MLPACK_GBNN_CASE_V4(...)
#endif
#if defined(MLPACK_GBNN_HAS_V3)
  #define MLPACK_GBNN_CASE_V3(...) \
      case SimdLevel::V3: return v3::__VA_ARGS__;
#else
  #define MLPACK_GBNN_CASE_V3(...)
#endif
#if defined(MLPACK_GBNN_HAS_NEON)
  #define MLPACK_GBNN_CASE_OTHER(...) default: return neon::__VA_ARGS__;
#elif defined(MLPACK_GBNN_HAS_BASELINE)
  #define MLPACK_GBNN_CASE_OTHER(...) default: return baseline::__VA_ARGS__;
#elif defined(MLPACK_GBNN_HAS_V3)
  #define MLPACK_GBNN_CASE_OTHER(...) default: return v3::__VA_ARGS__;
#else
  #define MLPACK_GBNN_CASE_OTHER(...) default: return v4::__VA_ARGS__;
#endif
#define MLPACK_GBNN_AT_LEVEL(...) \
    switch (ActiveLevel()) \
    { \
      MLPACK_GBNN_CASE_V4(__VA_ARGS__) \
      MLPACK_GBNN_CASE_V3(__VA_ARGS__) \
      MLPACK_GBNN_CASE_OTHER(__VA_ARGS__) \
    }

namespace mlpack {
namespace gbnn {

//! out += w * in, for the given number of strips.
template<typename T>
inline void Multiply(const Strips<const T> in,
                     const WeightView<const T> w,
                     const Strips<T> out,
                     const size_t strips)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::Multiply(in, w, out, strips))
}

//! out = w * in + bias; without a bias (nullptr), out = w * in.
template<typename T>
inline void Affine(const Strips<const T> in,
                   const WeightView<const T> w,
                   const T* bias,
                   const Strips<T> out,
                   const size_t strips)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::Affine(in, w, bias, out, strips))
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
  MLPACK_GBNN_AT_LEVEL(SumKernels<T, SumType>::Correlate(rows, columns, result,
      strips))
}

/**
 * result(i, j) += sum over points of rows(i) * rows(j), for rows that come in
 * groups of `width`, each of which is the same numbers times a factor of the
 * group.  So the products of one group with another are symmetric, too: of each
 * such block only the part on and below its diagonal is computed, for blocks on
 * and below the diagonal; all other elements are undefined.
 */
template<typename T, typename SumType = T>
inline void CorrelateWithSelf(const Strips<const T> rows,
                              const size_t width,
                              const WeightView<SumType> result,
                              const size_t strips)
{
  MLPACK_GBNN_AT_LEVEL(SumKernels<T, SumType>::CorrelateWithSelf(rows, width,
      result, strips))
}

//! sums(i) += sum over points of rows(i).
template<typename T, typename SumType = T>
inline void AddRowSums(const Strips<const T> rows,
                       SumType* sums,
                       const size_t strips)
{
  MLPACK_GBNN_AT_LEVEL(SumKernels<T, SumType>::AddRowSums(rows, sums, strips))
}

//! to[i] += from[i].
template<typename T, typename SumType = T>
inline void AddNumbers(const T* from, const size_t n, SumType* to)
{
  MLPACK_GBNN_AT_LEVEL(SumKernels<T, SumType>::AddNumbers(from, n, to))
}

/**
 * errors = weights * (errors - targets), where errors are outputs at first.
 *
 * @param errors One row an output.
 * @param targets The same of targets.
 * @param weights Weights of the points, or nullptr if each is 1.
 * @param strips Number of strips.
 * @return The sum over points and outputs of weight * (output - target)^2.
 */
template<typename T>
inline T SubtractTargets(const Strips<T> errors,
                         const Strips<const T> targets,
                         const T* weights,
                         const size_t strips)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::SubtractTargets(errors, targets, weights,
      strips))
}

//! out(i) = rows(i) * factors, point by point, for n rows of one strip.
template<typename T>
inline void ScaleRows(const T* rows,
                      const size_t n,
                      const T* factors,
                      T* out)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::ScaleRows(rows, n, factors, out))
}

//! For one row of a strip, a row for each piece; see PiecewiseLinear.
template<typename T>
inline void ExpandRow(const T* positions, const size_t pieces, T* out)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::ExpandRow(positions, pieces, out))
}

/**
 * Find the bins that points stand in.
 *
 * @param positions Their positions; see PiecewiseLinear.
 * @param bins Number of bins of each dimension.
 * @param places Two rows for each dimension with several bins: the number that
 *     the row of the bin has in a SplineView, times Lanes, as the bits of an
 *     integer, and the share.  Behind the last strip follow as many strips of
 *     the dimensions with one bin: a row for each, the piece.
 * @param strips Number of strips.
 */
template<typename T>
inline void FindPlaces(const Strips<const T> positions,
                       const size_t* bins,
                       const Strips<T> places,
                       const size_t strips)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::FindPlaces(positions, bins, places, strips))
}

/**
 * out(u) = the sum over dimensions of the splines of unit `first` + u, and its
 * bias.
 *
 * @param places What FindPlaces() has found for some points.
 * @param splines The splines.
 * @param first The first unit.
 * @param out One row a unit.
 * @param strips Number of strips.
 */
template<typename T>
inline void LookUp(const Strips<const T> places,
                   const SplineView<const T> splines,
                   const size_t first,
                   const Strips<T> out,
                   const size_t strips)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::LookUp(places, splines, first, out, strips))
}

//! The most bins of a dimension for which LookUpEntries() is faster than
//! LookUp(), if units are few; 0 if it never is.
template<typename T>
inline size_t MostEntries()
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::MostEntries())
}

/**
 * The same as LookUp(), from a table for each spline.
 *
 * @param places What FindPlaces() has found for some points.
 * @param biases Biases of the units.
 * @param tables For each unit and each dimension with several bins, the starts
 *     and then the rises: that of row r of a SplineView is at r mod `entries`.
 * @param entries Numbers of starts: 1, 2 or 4 times Lanes, and at least as many
 *     as a dimension has bins.
 * @param out One row a unit.
 * @param strips Number of strips.
 */
template<typename T>
inline void LookUpEntries(const Strips<const T> places,
                          const T* biases,
                          const T* tables,
                          const size_t entries,
                          const Strips<T> out,
                          const size_t strips)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::LookUpEntries(places, biases, tables,
      entries, out, strips))
}

/**
 * LookUp() for one point and some units: its places are rows and shares in
 * turn, for each of the dimensions.
 */
template<typename T>
inline void LookUpPoint(const T* places,
                        const size_t dimensions,
                        const SplineView<const T> splines,
                        const size_t first,
                        const size_t units,
                        T* out)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::LookUpPoint(places, dimensions, splines,
      first, units, out))
}

/**
 * Add values(u), of unit u, to the starts of the bins where points are, and
 * times the share to the rises: what LookUp() is the transpose of, without the
 * bias.
 */
template<typename T>
inline void AddToBins(const Strips<const T> places,
                      const Strips<const T> values,
                      const SplineView<T> bins,
                      const size_t strips)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::AddToBins(places, values, bins, strips))
}

/**
 * For one strip, by how much the largest of the scores sums(k) + more[k] is
 * ahead of the second; of a single score, its distance from zero.
 */
template<typename T>
inline void StripMargins(const T* sums,
                         const T* more,
                         const size_t rows,
                         T* margins)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::StripMargins(sums, more, rows, margins))
}

//! products[u] = sum over inputs of point[i] * w[u * inputs + i].
template<typename T>
inline void PointProducts(const T* point,
                          const size_t inputs,
                          const T* w,
                          const size_t units,
                          T* products)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::PointProducts(point, inputs, w, units,
      products))
}

//! exp() of all elements, always finite and normal.
template<typename T>
inline void ExpInPlace(T* values, const size_t n)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::Exp(values, n))
}

//! ln(1 + x) of all elements, which are between 0 and 1.
template<typename T>
inline void Log1pInPlace(T* values, const size_t n)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::Log1p(values, n))
}

//! 1 / (1 + exp(-z)) of all elements.
template<typename T>
inline void LogisticInPlace(T* values, const size_t n)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::Logistic(values, n))
}

//! tanh(z) of all elements.
template<typename T>
inline void TanhInPlace(T* values, const size_t n)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::Tanh(values, n))
}

//! max(z, 0) of all elements.
template<typename T>
inline void ReluInPlace(T* values, const size_t n)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::Relu(values, n))
}

//! deltas *= a (1 - a), where values a = 1 / (1 + exp(-z)); n is a multiple of
//! the strip size, as for the two below.
template<typename T>
inline void MultiplyLogisticSlope(T* deltas, const T* values, const size_t n)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::LogisticSlope(deltas, values, n))
}

//! deltas *= 1 - a^2, where values a = tanh(z).
template<typename T>
inline void MultiplyTanhSlope(T* deltas, const T* values, const size_t n)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::TanhSlope(deltas, values, n))
}

//! deltas = 0 where values are not positive.
template<typename T>
inline void MultiplyReluSlope(T* deltas, const T* values, const size_t n)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::ReluSlope(deltas, values, n))
}

/**
 * Replace the lower triangle of a symmetric matrix by its Cholesky factor L,
 * where A = L L'; the upper triangle is lost.  Returns false if the matrix is
 * not positive definite.
 *
 * @param a The matrix, by columns.
 * @param n Its number of rows and columns.
 */
template<typename T>
inline bool CholeskyInPlace(T* a, const size_t n)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::Cholesky(a, n))
}

//! Replace each of the columns of b, which have n numbers, by L^-1 b.
template<typename T>
inline void SolveLowerInPlace(const T* l,
                              const size_t n,
                              T* b,
                              const size_t columns)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::SolveLower(l, n, b, columns))
}

//! Replace each of the columns of b, which have n numbers, by L'^-1 b.
template<typename T>
inline void SolveUpperInPlace(const T* l,
                              const size_t n,
                              T* b,
                              const size_t columns)
{
  MLPACK_GBNN_AT_LEVEL(Kernels<T>::SolveUpper(l, n, b, columns))
}

} // namespace gbnn
} // namespace mlpack

#endif
