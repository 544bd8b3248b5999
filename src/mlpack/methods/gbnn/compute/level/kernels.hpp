/**
 * @file methods/gbnn/compute/level/kernels.hpp
 *
 * The kernels of one level.  ../kernels.hpp includes this file once for each
 * level, and says what each kernel does.
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

//! Kernels for one type of number.
template<typename T>
struct Kernels
{
  static void Multiply(const Strips<const T> in,
                       const WeightView<const T> w,
                       const Strips<T> out,
                       const size_t strips);
  static void Affine(const Strips<const T> in,
                     const WeightView<const T> w,
                     const T* bias,
                     const Strips<T> out,
                     const size_t strips);
  static T SubtractTargets(const Strips<T> errors,
                           const Strips<const T> targets,
                           const T* weights,
                           const size_t strips);
  static void ScaleRows(const T* rows,
                        const size_t n,
                        const T* factors,
                        T* out);
  static void ExpandRow(const T* positions, const size_t pieces, T* out);
  static void FindPlaces(const Strips<const T> positions,
                         const size_t* bins,
                         const Strips<T> places,
                         const size_t strips);
  static void LookUp(const Strips<const T> places,
                     const SplineView<const T> splines,
                     const size_t first,
                     const Strips<T> out,
                     const size_t strips);
  static size_t MostEntries();
  static void LookUpEntries(const Strips<const T> places,
                            const T* biases,
                            const T* tables,
                            const size_t entries,
                            const Strips<T> out,
                            const size_t strips);
  static void LookUpPoint(const T* places,
                          const size_t dimensions,
                          const SplineView<const T> splines,
                          const size_t first,
                          const size_t units,
                          T* out);
  static void AddToBins(const Strips<const T> places,
                        const Strips<const T> values,
                        const SplineView<T> bins,
                        const size_t strips);
  static void StripMargins(const T* sums,
                           const T* more,
                           const size_t rows,
                           T* margins);
  static void PointProducts(const T* point,
                            const size_t inputs,
                            const T* w,
                            const size_t units,
                            T* products);

  static void Exp(T* values, const size_t n);
  static void Log1p(T* values, const size_t n);
  static void Logistic(T* values, const size_t n);
  static void Tanh(T* values, const size_t n);
  static void Relu(T* values, const size_t n);
  static void LogisticSlope(T* deltas, const T* values, const size_t n);
  static void TanhSlope(T* deltas, const T* values, const size_t n);
  static void ReluSlope(T* deltas, const T* values, const size_t n);

  static bool Cholesky(T* a, const size_t n);
  static void SolveLower(const T* l,
                         const size_t n,
                         T* b,
                         const size_t columns);
  static void SolveUpper(const T* l,
                         const size_t n,
                         T* b,
                         const size_t columns);
};

//! Kernels that sum numbers of type T over points and add to a SumType.
template<typename T, typename SumType>
struct SumKernels
{
  static void Correlate(const Strips<const T> rows,
                        const Strips<const T> columns,
                        const WeightView<SumType> result,
                        const size_t strips);
  static void CorrelateWithSelf(const Strips<const T> rows,
                                const size_t width,
                                const WeightView<SumType> result,
                                const size_t strips);
  static void AddRowSums(const Strips<const T> rows,
                         SumType* sums,
                         const size_t strips);
  static void AddNumbers(const T* from, const size_t n, SumType* to);
};

} // namespace MLPACK_GBNN_LEVEL
} // namespace gbnn
} // namespace mlpack

#if defined(MLPACK_GBNN_DEFINE_KERNELS)

#include "vectors.hpp"
#include "functions.hpp"
#include "products.hpp"
#include "splines.hpp"
#include "triangles.hpp"

namespace mlpack {
namespace gbnn {
namespace MLPACK_GBNN_LEVEL {

template<typename T>
void Kernels<T>::Multiply(const Strips<const T> in,
                          const WeightView<const T> w,
                          const Strips<T> out,
                          const size_t strips)
{
  MultiplyAll<true, T>(in, w, nullptr, out, strips);
}

template<typename T>
void Kernels<T>::Affine(const Strips<const T> in,
                        const WeightView<const T> w,
                        const T* bias,
                        const Strips<T> out,
                        const size_t strips)
{
  MultiplyAll<false, T>(in, w, bias, out, strips);
}

template<typename T>
T Kernels<T>::SubtractTargets(const Strips<T> errors,
                              const Strips<const T> targets,
                              const T* weights,
                              const size_t strips)
{
  return SubtractAndSum<T>(errors, targets, weights, strips);
}

template<typename T>
void Kernels<T>::ScaleRows(const T* rows,
                           const size_t n,
                           const T* factors,
                           T* out)
{
  MultiplyEachRow<T>(rows, n, factors, out);
}

template<typename T>
void Kernels<T>::ExpandRow(const T* positions, const size_t pieces, T* out)
{
  PiecesOfRow<T>(positions, pieces, out);
}

template<typename T>
void Kernels<T>::FindPlaces(const Strips<const T> positions,
                            const size_t* bins,
                            const Strips<T> places,
                            const size_t strips)
{
  PlacesOfPoints<T>(positions, bins, places, strips);
}

template<typename T>
void Kernels<T>::LookUp(const Strips<const T> places,
                        const SplineView<const T> splines,
                        const size_t first,
                        const Strips<T> out,
                        const size_t strips)
{
  if (splines.each == FewUnits<T>)
    return LookUpFew<T>(places, splines.values, first, out, strips);
  ForGroups<T>(splines, first, out.rows, [&](const auto groups,
      const auto together, const size_t group, const T* table)
  {
    LookUpGroups<groups, together, T>(places, table, group, first, out,
        strips);
  });
}

template<typename T>
size_t Kernels<T>::MostEntries() { return MaxEntries<T>; }

template<typename T>
void Kernels<T>::LookUpEntries(const Strips<const T> places,
                               const T* biases,
                               const T* tables,
                               const size_t entries,
                               const Strips<T> out,
                               const size_t strips)
{
  if (entries == Lanes<T>)
    LookUpAllEntries<Lanes<T>>(places, biases, tables, out, strips);
  else if (entries == 2 * Lanes<T>)
    LookUpAllEntries<2 * Lanes<T>>(places, biases, tables, out, strips);
  else
    LookUpAllEntries<4 * Lanes<T>>(places, biases, tables, out, strips);
}

template<typename T>
void Kernels<T>::LookUpPoint(const T* places,
                             const size_t dimensions,
                             const SplineView<const T> splines,
                             const size_t first,
                             const size_t units,
                             T* out)
{
  if (splines.each == FewUnits<T>)
    return LookUpPointFew<T>(places, dimensions, splines.values, first, units,
        out);
  ForGroups<T>(splines, first, units, [&](const auto groups,
      const auto together, const size_t group, const T* table)
  {
    LookUpPointGroups<groups, together, T>(places, dimensions, table, group,
        first, units, out);
  });
}

template<typename T>
void Kernels<T>::AddToBins(const Strips<const T> places,
                           const Strips<const T> values,
                           const SplineView<T> bins,
                           const size_t strips)
{
  if (bins.each == FewUnits<T>)
    return AddFewToBins<T>(places, values, bins.values, strips);
  ForGroups<T>(bins, 0, values.rows, [&](const auto groups,
      const auto together, const size_t group, T* table)
  {
    AddGroupsToBins<groups, together, T>(places, values, group, table, strips);
  });
}

template<typename T>
void Kernels<T>::StripMargins(const T* sums,
                              const T* more,
                              const size_t rows,
                              T* margins)
{
  MarginsOfStrip<T>(sums, more, rows, margins);
}

template<typename T>
void Kernels<T>::PointProducts(const T* point,
                               const size_t inputs,
                               const T* w,
                               const size_t units,
                               T* products)
{
  MultiplyPoint<T>(point, inputs, w, units, products);
}

template<typename T>
void Kernels<T>::Exp(T* values, const size_t n)
{
  ApplyToAll<ExpFunction, T>(values, n);
}

template<typename T>
void Kernels<T>::Log1p(T* values, const size_t n)
{
  ApplyToAll<Log1pFunction, T>(values, n);
}

template<typename T>
void Kernels<T>::Logistic(T* values, const size_t n)
{
  ApplyToAll<LogisticFunction, T>(values, n);
}

template<typename T>
void Kernels<T>::Tanh(T* values, const size_t n)
{
  ApplyToAll<TanhFunction, T>(values, n);
}

template<typename T>
void Kernels<T>::Relu(T* values, const size_t n)
{
  ApplyToAll<ReluFunction, T>(values, n);
}

template<typename T>
void Kernels<T>::LogisticSlope(T* deltas, const T* values, const size_t n)
{
  MultiplyBySlopes<LogisticFunction, T>(deltas, values, n);
}

template<typename T>
void Kernels<T>::TanhSlope(T* deltas, const T* values, const size_t n)
{
  MultiplyBySlopes<TanhFunction, T>(deltas, values, n);
}

template<typename T>
void Kernels<T>::ReluSlope(T* deltas, const T* values, const size_t n)
{
  MultiplyBySlopes<ReluFunction, T>(deltas, values, n);
}

template<typename T>
bool Kernels<T>::Cholesky(T* a, const size_t n)
{
  return CholeskyFactor<T>(a, n);
}

template<typename T>
void Kernels<T>::SolveLower(const T* l,
                            const size_t n,
                            T* b,
                            const size_t columns)
{
  SolveAll<true, T>(l, n, b, columns);
}

template<typename T>
void Kernels<T>::SolveUpper(const T* l,
                            const size_t n,
                            T* b,
                            const size_t columns)
{
  SolveAll<false, T>(l, n, b, columns);
}

template<typename T, typename SumType>
void SumKernels<T, SumType>::Correlate(const Strips<const T> rows,
                                       const Strips<const T> columns,
                                       const WeightView<SumType> result,
                                       const size_t strips)
{
  CorrelateAll<T, SumType>(rows, columns, result, strips);
}

template<typename T, typename SumType>
void SumKernels<T, SumType>::CorrelateWithSelf(
    const Strips<const T> rows,
    const size_t width,
    const WeightView<SumType> result,
    const size_t strips)
{
  CorrelateTriangles<T, SumType>(rows, width, result, strips);
}

template<typename T, typename SumType>
void SumKernels<T, SumType>::AddRowSums(const Strips<const T> rows,
                                        SumType* sums,
                                        const size_t strips)
{
  SumRows<T, SumType>(rows, sums, strips);
}

template<typename T, typename SumType>
void SumKernels<T, SumType>::AddNumbers(const T* from,
                                        const size_t n,
                                        SumType* to)
{
  AddEach<T, SumType>(from, n, to);
}

} // namespace MLPACK_GBNN_LEVEL
} // namespace gbnn
} // namespace mlpack

#endif // MLPACK_GBNN_DEFINE_KERNELS

#endif
