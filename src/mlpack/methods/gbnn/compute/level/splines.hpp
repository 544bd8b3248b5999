/**
 * @file methods/gbnn/compute/level/splines.hpp
 *
 * Sums over splines of the inputs, and over the points in each of their bins,
 * for one level.  Here vectors hold units, not points: one row of a table has
 * what a point needs of several units (see SplineView).
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
 * Find the places of points, in one strip, in one dimension.
 *
 * @param positions Their positions.
 * @param bins Number of bins of the dimension.
 * @param first The first of its rows.
 * @param places Where the rows of the points go, as integers, and then their
 *     shares of the bins.
 */
template<typename T>
inline void PlacesOfRow(const T* positions,
                        const size_t bins,
                        const size_t first,
                        T* places)
{
  // Added to a number, this leaves no digits after the point.
  constexpr T shift = T(UnsignedOf<T>(3) << (std::numeric_limits<T>::digits -
      2));
  const Simd<T> all = Broadcast<T>(T(bins)), last = Broadcast<T>(T(bins - 1));
  for (size_t i = 0; i < StripSize<T>; i += Width<T>)
  {
    // Between two bins, it is the end of one or the start of the other.
    const Simd<T> x = Min<T>(Max<T>(Load(positions + i), Broadcast<T>(T(0))),
        all);
    const Simd<T> bin = Min<T>(((x - Broadcast<T>(T(0.5))) +
        Broadcast<T>(shift)) - Broadcast<T>(shift), last);
    StoreIntegers<T>(places + i, bin + Broadcast<T>(shift),
        UnsignedOf<T>(first), Lanes<T>);
    Store<T>(places + StripSize<T> + i, x - bin);
  }
}

template<typename T>
inline void PlacesOfPoints(const Strips<const T> positions,
                           const size_t* bins,
                           const Strips<T> places,
                           const size_t strips)
{
  T* line = places.Row(strips, 0);
  for (size_t s = 0; s < strips; ++s)
  {
    T* to = places.Row(s, 0);
    for (size_t d = 0, row = 1; d < positions.rows; row += bins[d++])
    {
      if (bins[d] == 1)
      {
        PiecesOfRow<T>(positions.Row(s, d), 1, line);
        line += StripSize<T>;
      }
      else if (bins[d] > 1)
      {
        PlacesOfRow<T>(positions.Row(s, d), bins[d], row, to);
        to += 2 * StripSize<T>;
      }
    }
  }
}

//! The place of one point in one dimension.
template<typename T>
inline size_t RowAt(const T* place)
{
  UnsignedOf<T> row;
  std::memcpy(&row, place, sizeof(row));
  return size_t(row);
}

/**
 * Some groups of units: the rows of some points, summed, one point after the
 * other.
 *
 * @tparam Groups Number of groups.
 * @tparam Together How many groups stand side by side.
 * @tparam Points Number of points.
 * @tparam Step From one row of places to the next.
 */
template<size_t Groups, size_t Together, size_t Points, size_t Step,
         typename T>
inline void SumRowsOf(const T* places,
                      const size_t dimensions,
                      const T* table,
                      T* sums)
{
  Simd<T> factor[Parts<T>];
  for (size_t part = 0; part < Parts<T>; ++part)
    factor[part] = Broadcast<T>(T(1));
  for (size_t i = 0; i < Points; ++i, sums += Groups * Lanes<T>)
  {
    // The first row has the bias.
    Simd<T> sum[Groups][Parts<T>];
    for (size_t g = 0; g < Groups; ++g)
      for (size_t part = 0; part < Parts<T>; ++part)
        sum[g][part] = Load(table + g * Lanes<T> + part * Width<T>);
    const T* place = places + i;
    #pragma GCC unroll 4
    for (size_t d = 0; d < dimensions; ++d, place += 2 * Step)
    {
      const T* row = table + RowAt(place) * Together;
      SetSecondHalf<T>(factor, place[Step]);
      for (size_t part = 0; part < Parts<T>; ++part)
        for (size_t g = 0; g < Groups; ++g)
          sum[g][part] = MultiplyAdd<T>(Load(row + g * Lanes<T> +
              part * Width<T>), factor[part], sum[g][part]);
    }
    for (size_t g = 0; g < Groups; ++g)
      for (size_t part = 0; part < Parts<T>; ++part)
        Store<T>(sums + g * Lanes<T> + part * Width<T>, sum[g][part]);
  }
}

//! The opposite: values of the points of a strip, added to the rows of some
//! dimensions.
template<size_t Groups, size_t Together, size_t Dimensions, typename T>
inline void AddToRows(const T* places, const T* values, T* table)
{
  Simd<T> factor[Dimensions][Parts<T>];
  for (size_t d = 0; d < Dimensions; ++d)
    for (size_t part = 0; part < Parts<T>; ++part)
      factor[d][part] = Broadcast<T>(T(1));
  for (size_t i = 0; i < StripSize<T>; ++i, values += Groups * UnitGroup<T>)
  {
    Simd<T> value[Groups][Parts<T>];
    for (size_t g = 0; g < Groups; ++g)
      for (size_t part = 0; part < Parts<T>; ++part)
        value[g][part] = LoadTwice<T>(values + g * UnitGroup<T>, part);
    const T* place = places + i;
    for (size_t d = 0; d < Dimensions; ++d, place += 2 * StripSize<T>)
    {
      T* row = table + RowAt(place) * Together;
      SetSecondHalf<T>(factor[d], place[StripSize<T>]);
      for (size_t part = 0; part < Parts<T>; ++part)
        for (size_t g = 0; g < Groups; ++g)
        {
          T* to = row + g * Lanes<T> + part * Width<T>;
          Store<T>(to, MultiplyAdd<T>(value[g][part], factor[d][part],
              Load(to)));
        }
    }
  }
}

//! Some groups of units for all points of some strips, from group `group` on.
template<size_t Groups, size_t Together, typename T>
inline void LookUpGroups(const Strips<const T> places,
                         const T* table,
                         const size_t group,
                         const size_t firstUnit,
                         const Strips<T> out,
                         const size_t strips)
{
  constexpr size_t each = UnitGroup<T>;
  alignas(64) T sums[Lanes<T> * Groups * Lanes<T>];
  alignas(64) T unused[Lanes<T>];
  for (size_t p = 0; p < strips * StripSize<T>; p += Lanes<T>)
  {
    const size_t s = p / StripSize<T>, at = p % StripSize<T>;
    SumRowsOf<Groups, Together, Lanes<T>, StripSize<T>>(places.Row(s, 0) + at,
        places.rows / 2, table, sums);
    for (size_t g = 0; g < Groups; ++g)
    {
      T* to[each];
      for (size_t u = 0; u < each; ++u)
      {
        const size_t unit = (group + g) * each + u;
        to[u] = (unit >= firstUnit && unit - firstUnit < out.rows) ?
            out.Row(s, unit - firstUnit) + at : unused;
      }
      AddHalvesTransposed<T>(sums + g * Lanes<T>, Groups * Lanes<T>, to);
    }
  }
}

//! Some groups of units for one point.
template<size_t Groups, size_t Together, typename T>
inline void LookUpPointGroups(const T* places,
                              const size_t dimensions,
                              const T* table,
                              const size_t group,
                              const size_t firstUnit,
                              const size_t units,
                              T* out)
{
  constexpr size_t each = UnitGroup<T>;
  alignas(64) T sums[Groups * Lanes<T>];
  SumRowsOf<Groups, Together, 1, 1>(places, dimensions, table, sums);
  for (size_t u = 0; u < Groups * each; ++u)
  {
    const size_t unit = group * each + u;
    const T* sum = sums + u / each * Lanes<T> + u % each;
    if (unit >= firstUnit && unit - firstUnit < units)
      out[unit - firstUnit] = sum[0] + sum[each];
  }
}

//! Some groups of units for AddToBins().
template<size_t Groups, size_t Together, typename T>
inline void AddGroupsToBins(const Strips<const T> places,
                            const Strips<const T> values,
                            const size_t group,
                            T* table,
                            const size_t strips)
{
  constexpr size_t each = UnitGroup<T>;
  alignas(64) T side[StripSize<T> * Groups * each];
  alignas(64) const T zeros[StripSize<T>] = { };
  for (size_t s = 0; s < strips; ++s)
  {
    for (size_t g = 0; g < Groups; ++g)
    {
      const T* from[each];
      for (size_t u = 0; u < each; ++u)
      {
        const size_t unit = (group + g) * each + u;
        from[u] = (unit < values.rows) ? values.Row(s, unit) : zeros;
      }
      Transpose<T>(from, side + g * each, Groups * each);
    }
    // At first, a processor compares only the lower 12 bits of two addresses,
    // so that a load may wait for a store 4096 bytes away.  With four
    // dimensions at a time there are fewer such pairs.
    const T* place = places.Row(s, 0);
    size_t d = 0;
    for (; d + 8 <= places.rows; d += 8, place += 8 * StripSize<T>)
      AddToRows<Groups, Together, 4>(place, side, table);
    for (; d < places.rows; d += 2, place += 2 * StripSize<T>)
      AddToRows<Groups, Together, 1>(place, side, table);
  }
}

// For few units, starts and rises have vectors of their own, of 16 bytes.

//! The row of one point in one dimension, in a table for few units; there, rows
//! are half as long.
template<typename T>
inline T* FewRow(T* table, const std::remove_const_t<T>* place)
{
  using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
  return reinterpret_cast<T*>(reinterpret_cast<Byte*>(table) +
      RowAt(place) * (sizeof(T) / 2));
}

/**
 * Few units: the starts and the rises of some points, summed.
 *
 * @tparam Points Number of points.
 * @tparam Step From one row of places to the next.
 */
template<size_t Points, size_t Step, typename T>
inline void SumFewRows(const T* places,
                       const size_t dimensions,
                       const T* table,
                       Narrow<T> (&starts)[Points],
                       Narrow<T> (&rises)[Points])
{
  for (size_t i = 0; i < Points; ++i)
  {
    starts[i] = LoadNarrow(table);
    rises[i] = LoadNarrow(table + FewUnits<T>);
  }
  for (size_t d = 0; d < dimensions; ++d, places += 2 * Step)
  {
    for (size_t i = 0; i < Points; ++i)
    {
      const T* row = FewRow(table, places + i);
      starts[i] = starts[i] + LoadNarrow(row);
      rises[i] = MultiplyAddNarrow<T>(LoadNarrow(row + FewUnits<T>),
          places[Step + i], rises[i]);
    }
  }
}

//! LookUp() for few units.
template<typename T>
inline void LookUpFew(const Strips<const T> places,
                      const T* table,
                      const size_t firstUnit,
                      const Strips<T> out,
                      const size_t strips)
{
  constexpr size_t few = FewUnits<T>;
  for (size_t p = 0; p < strips * StripSize<T>; p += few)
  {
    const size_t s = p / StripSize<T>, at = p % StripSize<T>;
    Narrow<T> starts[few], rises[few];
    SumFewRows<few, StripSize<T>>(places.Row(s, 0) + at, places.rows / 2,
        table, starts, rises);
    Square<T> square;
    for (size_t i = 0; i < few; ++i)
      square.rows[i] = starts[i] + rises[i];
    square.Transpose();
    for (size_t u = 0; u < out.rows; ++u)
      StoreNarrow<T>(out.Row(s, u) + at, square.rows[firstUnit + u]);
  }
}

//! LookUpPoint() for few units.
template<typename T>
inline void LookUpPointFew(const T* places,
                           const size_t dimensions,
                           const T* table,
                           const size_t firstUnit,
                           const size_t units,
                           T* out)
{
  Narrow<T> starts[1], rises[1];
  SumFewRows<1, 1>(places, dimensions, table, starts, rises);
  T sums[FewUnits<T>];
  StoreNarrow<T>(sums, starts[0] + rises[0]);
  for (size_t u = 0; u < units; ++u)
    out[u] = sums[firstUnit + u];
}

//! Few units: values of the points of a strip, added to the rows of some
//! dimensions.
template<size_t Dimensions, typename T>
inline void AddToFewRows(const T* places, const T* values, T* table)
{
  for (size_t i = 0; i < StripSize<T>; ++i, values += FewUnits<T>)
  {
    const Narrow<T> value = LoadNarrow(values);
    const T* place = places + i;
    for (size_t d = 0; d < Dimensions; ++d, place += 2 * StripSize<T>)
      AddTwice<T>(FewRow(table, place), value, place[StripSize<T>]);
  }
}

//! Values of the units, one row a unit, side by side for each point of a strip;
//! zeros for units without a row.
template<typename T>
inline void PutFewSideBySide(const Strips<const T> values,
                             const size_t strip,
                             T* side)
{
  constexpr size_t few = FewUnits<T>;
  const Narrow<T> zeros = {};
  for (size_t i = 0; i < StripSize<T>; i += few)
  {
    Square<T> square;
    for (size_t u = 0; u < few; ++u)
      square.rows[u] = (u < values.rows) ?
          LoadNarrow(values.Row(strip, u) + i) : zeros;
    square.Transpose();
    for (size_t k = 0; k < few; ++k)
      StoreNarrow<T>(side + (i + k) * few, square.rows[k]);
  }
}

//! AddToBins() for few units.
template<typename T>
inline void AddFewToBins(const Strips<const T> places,
                         const Strips<const T> values,
                         T* table,
                         const size_t strips)
{
  alignas(64) T side[StripSize<T> * FewUnits<T>];
  for (size_t s = 0; s < strips; ++s)
  {
    PutFewSideBySide<T>(values, s, side);
    const T* place = places.Row(s, 0);
    size_t d = 0;
    for (; d + 8 <= places.rows; d += 8, place += 8 * StripSize<T>)
      AddToFewRows<4>(place, side, table);
    // One dimension alone would wait for what it has just stored.
    if (places.rows - d == 6)
      AddToFewRows<3>(place, side, table);
    else if (places.rows - d == 4)
      AddToFewRows<2>(place, side, table);
    else if (places.rows - d == 2)
      AddToFewRows<1>(place, side, table);
  }
}

// Where a table fits in registers, its entries can be picked for several points
// at once.

/**
 * LookUpEntries() for one strip and some units.
 *
 * @tparam Entries Numbers in a table.
 * @tparam Units Number of units.
 */
template<size_t Entries, size_t Units, typename T>
inline void SumEntries(const T* places,
                       const size_t dimensions,
                       const T* biases,
                       const T* tables,
                       T* const* out)
{
  constexpr size_t vectors = StripSize<T> / Width<T>;
  Simd<T> starts[Units][vectors], rises[Units][vectors];
  for (size_t u = 0; u < Units; ++u)
    for (size_t v = 0; v < vectors; ++v)
    {
      starts[u][v] = Broadcast<T>(biases[u]);
      rises[u][v] = Broadcast<T>(T(0));
    }
  for (size_t d = 0; d < dimensions; ++d, places += 2 * StripSize<T>)
    for (size_t u = 0; u < Units; ++u)
    {
      const T* table = tables + (u * dimensions + d) * 2 * Entries;
      for (size_t v = 0; v < vectors; ++v)
      {
        const T* place = places + v * Width<T>;
        starts[u][v] = starts[u][v] + PickEntries<Entries, T>(table, place);
        rises[u][v] = MultiplyAdd<T>(PickEntries<Entries, T>(table + Entries,
            place), Load(place + StripSize<T>), rises[u][v]);
      }
    }
  for (size_t u = 0; u < Units; ++u)
    for (size_t v = 0; v < vectors; ++v)
      Store<T>(out[u] + v * Width<T>, starts[u][v] + rises[u][v]);
}

template<size_t Entries, typename T>
inline void LookUpAllEntries(const Strips<const T> places,
                             const T* biases,
                             const T* tables,
                             const Strips<T> out,
                             const size_t strips)
{
  const size_t dimensions = places.rows / 2;
  const size_t step = dimensions * 2 * Entries;
  for (size_t s = 0; s < strips; ++s)
  {
    const T* from = places.Row(s, 0);
    size_t u = 0;
    for (; u + 2 <= out.rows; u += 2)
    {
      T* const to[] = { out.Row(s, u), out.Row(s, u + 1) };
      SumEntries<Entries, 2>(from, dimensions, biases + u, tables + u * step,
          to);
    }
    if (u < out.rows)
    {
      T* const to[] = { out.Row(s, u) };
      SumEntries<Entries, 1>(from, dimensions, biases + u, tables + u * step,
          to);
    }
  }
}

//! Call f(groups, together, group, table) for some groups at a time: their
//! number and how many stand side by side, as constants; the first of them, and
//! where its rows begin.
template<typename T, typename ViewType, typename FunctionType>
inline void ForGroups(const ViewType& splines,
                      const size_t firstUnit,
                      const size_t units,
                      const FunctionType& f)
{
  constexpr size_t each = UnitGroup<T>;
  const std::integral_constant<size_t, 1> one;
  const std::integral_constant<size_t, GroupsAtOnce / 2> half;
  const std::integral_constant<size_t, GroupsAtOnce> all;
  size_t group = firstUnit / each;
  const size_t end = (firstUnit + units + each - 1) / each;
  if (splines.together == 1)
  {
    for (; group < end; ++group)
      f(one, one, group, splines.Start(group * each, 0));
    return;
  }
  while (group < end)
  {
    auto* table = splines.Start(group * each, 0);
    if (group % all == 0 && group + all <= end)
    {
      f(all, all, group, table);
      group += all;
    }
    else if (group % half == 0 && group + half <= end)
    {
      f(half, all, group, table);
      group += half;
    }
    else
    {
      f(one, all, group, table);
      ++group;
    }
  }
}

} // namespace MLPACK_GBNN_LEVEL
} // namespace gbnn
} // namespace mlpack

#endif
