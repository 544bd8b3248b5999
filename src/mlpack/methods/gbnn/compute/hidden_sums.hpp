/**
 * @file methods/gbnn/compute/hidden_sums.hpp
 *
 * The sums of hidden units before their activation, and the gradient of these
 * sums, for linear and for piecewise-linear inputs.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_HIDDEN_SUMS_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_HIDDEN_SUMS_HPP

#include <mlpack/prereqs.hpp>

#include "input_pieces.hpp"
#include "kernels.hpp"

namespace mlpack {
namespace gbnn {

//! Numbers in whole lines of the cache.
template<typename T>
class CacheLines
{
 public:
  //! Make room for this many, with zeros where there were none.
  void Resize(const size_t size)
  {
    lines.resize((size + Lanes<T> - 1) / Lanes<T>);
  }
  void Clear() { lines.clear(); }
  void Zero() { std::fill(lines.begin(), lines.end(), Line()); }

  bool IsEmpty() const { return lines.empty(); }
  T* Values() { return reinterpret_cast<T*>(lines.data()); }
  const T* Values() const { return reinterpret_cast<const T*>(lines.data()); }
  size_t Size() const { return lines.size() * Lanes<T>; }

 private:
  struct alignas(64) Line
  {
    T numbers[Lanes<T>] = {};
  };

  std::vector<Line> lines;
};

//! Splines of units, or sums by bins, in memory; see SplineView.
template<typename T>
class SplineTable : public CacheLines<T>
{
 public:
  //! Make room for the given number of units.  Returns whether the old ones are
  //! still where they were.
  bool Resize(const InputPieces& pieces, const size_t units)
  {
    const size_t before = together * each;
    each = (units <= FewUnits<T>) ? FewUnits<T> : UnitGroup<T>;
    together = (units > each) ? GroupsAtOnce : 1;
    rows = pieces.TableRows();
    const size_t atOnce = together * each;
    if (atOnce != before)
      this->Clear();
    CacheLines<T>::Resize((units + atOnce - 1) / atOnce * atOnce * 2 * rows);
    return atOnce == before;
  }

  SplineView<T> View() { return { this->Values(), rows, together, each }; }
  SplineView<const T> View() const
  {
    return { this->Values(), rows, together, each };
  }

 private:
  size_t rows = 0;
  size_t together = 1;
  size_t each = 0;
};

//! Call f(each) with the number of units of a group, as a constant.
template<typename T, typename FunctionType>
void WithGroupSize(const size_t each, const FunctionType& f)
{
  if (each == FewUnits<T>)
    f(std::integral_constant<size_t, FewUnits<T>>());
  else
    f(std::integral_constant<size_t, UnitGroup<T>>());
}

//! Call f(line, input) for each dimension with one piece: its number among
//! these, and that of its piece among all.
template<typename FunctionType>
void ForLines(const InputPieces& pieces, const FunctionType& f)
{
  size_t line = 0, input = 0;
  for (const size_t bins : pieces.Bins())
  {
    if (bins == 1)
      f(line++, input);
    input += bins;
  }
}

/**
 * The sums of hidden units over their inputs.  For linear inputs, that is a
 * product of matrices.  For piecewise-linear ones it is a sum of splines, one
 * for each dimension, whatever the number of its pieces; for these, the weights
 * are turned into the splines' values at the edges of bins once, by Set().
 * Dimensions with one piece are multiplied like linear ones, which is faster.
 */
template<typename T>
class HiddenSums
{
 public:
  //! @param onePoint Whether Splines() must be there.
  explicit HiddenSums(const bool onePoint = false) : onePoint(onePoint) { }

  /**
   * Take the weights of some units; needed before their sums are asked for.
   *
   * @param pieces What the inputs are.
   * @param weights Weights of all units, up to `last`.
   * @param biases The biases of these.
   * @param first First unit to take.
   * @param last Unit to stop before; there are none after it.
   */
  void Set(const InputPieces& pieces,
           const WeightView<const T> weights,
           const T* biases,
           const size_t first,
           const size_t last)
  {
    if (pieces.IsLinear())
      return;
    const size_t numLines = pieces.NumLines();
    lineWeights.resize(numLines * last);
    ForLines(pieces, [&](const size_t line, const size_t input)
    {
      for (size_t u = first; u < last; ++u)
        lineWeights[u * numLines + line] = weights(u, input);
    });
    numEntries = (onePoint || last > UnitGroup<T>) ? 0 : EntriesOf(pieces);
    if (numEntries > 0)
      return SetEntries(pieces, weights, last);
    const size_t begin = table.Resize(pieces, last) ? first : 0;
    const SplineView<T> view = table.View();
    WithGroupSize<T>(view.each, [&](const auto each)
    {
      for (size_t u = begin / each * each; u < last; u += each)
        SetGroup<each>(pieces, weights, biases, u, std::min<size_t>(each,
            last - u), view);
    });
  }

  /**
   * The sums of some units, biases included.
   *
   * @param pieces What the inputs are.
   * @param block Points, as PointBlocks::Block() makes them.
   * @param weights Weights of all units.
   * @param biases Their biases.
   * @param first First unit to take.
   * @param out Becomes their sums; one row a unit.
   * @param strips Number of strips.
   */
  void Compute(const InputPieces& pieces,
               const Strips<const T> block,
               const WeightView<const T> weights,
               const T* biases,
               const size_t first,
               const Strips<T> out,
               const size_t strips) const
  {
    if (pieces.IsLinear())
      return Affine<T>(block, weights.From(first), biases + first, out, strips);
    if (numEntries > 0)
    {
      LookUpEntries<T>(block, biases + first, entries.Values() + first *
          block.rows * numEntries, numEntries, out, strips);
    }
    else
    {
      LookUp<T>(block, table.View(), first, out, strips);
    }
    const size_t numLines = pieces.NumLines();
    if (numLines > 0)
      Multiply<T>(pieces.Lines(block, strips), { lineWeights.data() +
          first * numLines, numLines, 1 }, out, strips);
  }

  //! The splines, if it is for LookUpPoint(), too; there are none for linear
  //! inputs.
  SplineView<const T> Splines() const { return table.View(); }

 private:
  //! What LookUpEntries() needs for each spline, if that is faster, or 0.
  static size_t EntriesOf(const InputPieces& pieces)
  {
    const size_t most = *std::max_element(pieces.Bins().begin(),
        pieces.Bins().end());
    size_t result = Lanes<T>;
    while (result < most)
      result *= 2;
    return (result <= MostEntries<T>()) ? result : 0;
  }

  //! Take the weights of all units as tables for LookUpEntries().
  void SetEntries(const InputPieces& pieces,
                  const WeightView<const T> weights,
                  const size_t units)
  {
    const size_t dimensions = pieces.PlaceRows() / 2;
    entries.Resize(units * dimensions * 2 * numEntries);
    T* starts = entries.Values();
    const size_t unitStep = dimensions * 2 * numEntries;
    size_t row = 1, input = 0;
    for (const size_t bins : pieces.Bins())
    {
      for (size_t u = 0; u < units && bins > 1; ++u)
      {
        T* start = starts + u * unitStep;
        // All pieces are -1 at the first edge.
        T value = 0;
        for (size_t b = 0; b < bins; ++b)
          value -= weights(u, input + b);
        for (size_t b = 0; b < bins; ++b)
        {
          const size_t at = (row + b) % numEntries;
          start[at] = value;
          start[numEntries + at] = 2 * weights(u, input + b);
          value += start[numEntries + at];
        }
      }
      starts += (bins > 1) ? 2 * numEntries : 0;
      row += bins;
      input += bins;
    }
  }

  //! Take the weights of a group of units, `count` of them from unit u on.
  template<size_t Each>
  static void SetGroup(const InputPieces& pieces,
                       const WeightView<const T> weights,
                       const T* biases,
                       const size_t u,
                       const size_t count,
                       const SplineView<T> view)
  {
    // The units of a group side by side.
    const size_t step = view.together * 2 * Each;
    T* row = view.Start(u, 0);
    std::copy_n(biases + u, count, row);
    row += step;
    size_t input = 0;
    for (const size_t bins : pieces.Bins())
    {
      // All pieces are -1 at the first edge.
      T value[Each] = {};
      for (size_t b = 0; b < bins; ++b, ++input)
      {
        T* rise = row + b * step + Each;
        for (size_t i = 0; i < count; ++i)
          rise[i] = weights(u + i, input);
        for (size_t i = 0; i < Each; ++i)
        {
          value[i] -= rise[i];
          rise[i] *= 2;
        }
      }
      for (size_t b = 0; b < bins; ++b, row += step)
        for (size_t i = 0; i < Each; ++i)
        {
          row[i] = value[i];
          value[i] += row[Each + i];
        }
    }
  }

  bool onePoint;
  SplineTable<T> table;
  //! Tables for LookUpEntries() instead, and how many numbers each has; 0 if
  //! there are none.
  CacheLines<T> entries;
  size_t numEntries = 0;
  //! Weights of dimensions with one piece, unit by unit.
  std::vector<T> lineWeights;
};

/**
 * The gradient with respect to hidden weights, from errors of the units' sums.
 * For piecewise-linear inputs, errors are collected by bins, and each weight's
 * share of them is computed in the end.
 *
 * @tparam T Type of the errors.
 * @tparam SumType Type of the gradient.
 */
template<typename T, typename SumType = T>
class HiddenGradient
{
 public:
  //! Begin with nothing, for the given number of units.
  void Clear(const InputPieces& pieces, const size_t units)
  {
    if (pieces.IsLinear())
      return;
    recent.Resize(pieces, units);
    recent.Zero();
    sums.clear();
    lines.assign(units * pieces.NumLines(), SumType(0));
    points = 0;
  }

  /**
   * Add the gradient of some points.
   *
   * @param pieces What the inputs are.
   * @param errors Errors of all units, one row a unit.
   * @param block The points, as PointBlocks::Block() makes them.
   * @param gradient Where linear inputs' gradient goes.
   * @param strips Number of strips.
   */
  void Add(const InputPieces& pieces,
           const Strips<const T> errors,
           const Strips<const T> block,
           const WeightView<SumType> gradient,
           const size_t strips)
  {
    if (pieces.IsLinear())
      return Correlate<T, SumType>(errors, block, gradient, strips);
    AddToBins<T>(block, errors, recent.View(), strips);
    const size_t numLines = pieces.NumLines();
    if (numLines > 0)
      Correlate<T, SumType>(errors, pieces.Lines(block, strips),
          { lines.data(), numLines, 1 }, strips);
  }

  //! Tell that a block of `count` points has been added.
  void EndBlock(const size_t count)
  {
    // A sum of 2^12 numbers in single precision loses at most 12 of 24 bits;
    // then it goes on from zero.
    const size_t maxPoints = 4096;
    points += count;
    if (!std::is_same_v<T, SumType> && points >= maxPoints &&
        !recent.IsEmpty())
    {
      Flush(recent);
      recent.Zero();
      points = 0;
    }
  }

  //! Add what another one has collected.
  void Add(const HiddenGradient& other)
  {
    if (other.recent.IsEmpty())
      return;
    AddNumbers<SumType>(other.lines.data(), lines.size(), lines.data());
    if (sums.empty() && other.sums.empty())
      return AddNumbers<T>(other.recent.Values(), other.recent.Size(),
          recent.Values());
    Flush(other.recent);
    AddNumbers<SumType>(other.sums.data(), other.sums.size(), sums.data());
  }

  /**
   * Add all that was collected to the gradient.  Piece b of a dimension is 1
   * after bin b and -1 before it, so its weight has the sum of all bins after
   * it, less those before it, and its own by their shares.
   *
   * @param pieces What the inputs are.
   * @param units Number of units.
   * @param gradient The gradient of all units.
   */
  void Finish(const InputPieces& pieces,
              const size_t units,
              const WeightView<SumType> gradient)
  {
    if (pieces.IsLinear())
      return;
    ForLines(pieces, [&](const size_t line, const size_t input)
    {
      for (size_t u = 0; u < units; ++u)
        gradient(u, input) += lines[u * pieces.NumLines() + line];
    });
    if (sums.empty())
      return AddShares(pieces, units, recent.Values(), gradient);
    Flush(recent);
    AddShares(pieces, units, sums.data(), gradient);
  }

 private:
  template<typename NumberType>
  void AddShares(const InputPieces& pieces,
                 const size_t units,
                 const NumberType* collected,
                 const WeightView<SumType> gradient) const
  {
    const SplineView<const T> view = recent.View();
    WithGroupSize<T>(view.each, [&](const auto each)
    {
      for (size_t u = 0; u < units; u += each)
        AddSharesOf<each>(pieces, collected + (view.Start(u, 1) - view.values),
            view.together, std::min<size_t>(each, units - u),
            gradient.From(u));
    });
  }

  //! Add the shares of a group of units, `count` of them, from their rows.
  template<size_t Each, typename NumberType>
  static void AddSharesOf(const InputPieces& pieces,
                          const NumberType* row,
                          const size_t together,
                          const size_t count,
                          const WeightView<SumType> gradient)
  {
    const size_t step = together * 2 * Each;
    size_t input = 0;
    for (const size_t bins : pieces.Bins())
    {
      if (bins == 1)
      {
        ++input;
        row += step;
        continue;
      }
      SumType after[Each] = {}, before[Each] = {};
      for (size_t b = 0; b < bins; ++b)
        for (size_t i = 0; i < Each; ++i)
          after[i] += row[b * step + i];
      for (size_t b = 0; b < bins; ++b, ++input, row += step)
      {
        SumType result[Each];
        for (size_t i = 0; i < Each; ++i)
        {
          after[i] -= row[i];
          result[i] = (after[i] - before[i]) +
              (2 * SumType(row[Each + i]) - row[i]);
          before[i] += row[i];
        }
        for (size_t i = 0; i < count; ++i)
          gradient(i, input) += result[i];
      }
    }
  }

  void Flush(const SplineTable<T>& from)
  {
    sums.resize(from.Size());
    AddNumbers<T, SumType>(from.Values(), sums.size(), sums.data());
  }

  //! What was collected in the precision of the errors, and the number of
  //! points that it is from.
  SplineTable<T> recent;
  size_t points = 0;
  //! What was before, with the same layout.
  std::vector<SumType> sums;
  //! The gradient of dimensions with one piece, unit by unit.
  std::vector<SumType> lines;
};

} // namespace gbnn
} // namespace mlpack

#endif
