/**
 * @file methods/gbnn/anytime/open_points.hpp
 *
 * Points that leave the computation one after the other.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_ANYTIME_OPEN_POINTS_HPP
#define MLPACK_METHODS_GBNN_ANYTIME_OPEN_POINTS_HPP

#include <numeric>

#include "../compute/point_blocks.hpp"

namespace mlpack {
namespace gbnn {

/**
 * Some points and a sum for each of their outputs, laid out for the kernels.
 * Points are closed one after the other.  When enough of them are closed, the
 * others are packed anew.
 */
template<typename MatType>
class OpenPoints
{
 public:
  using ElemType = typename MatType::elem_type;
  using ColType = arma::Col<ElemType>;

  /**
   * @param data Points, one a column; must outlive this object.
   * @param from The first column to use.
   * @param to The column to stop before.
   * @param start What each of the sums is at first.
   */
  OpenPoints(const MatType& data,
             const size_t from,
             const size_t to,
             const ColType& start) :
      data(data),
      columns(to - from),
      isOpen(to - from, true),
      numOpen(to - from),
      pointMemory(data.n_rows * NumStrips() * size),
      sumMemory(start.n_elem * NumStrips() * size),
      sums(start)
  {
    std::iota(columns.begin(), columns.end(), from);
    PackPoints();
    for (size_t s = 0; s < NumStrips(); ++s)
      for (size_t k = 0; k < start.n_elem; ++k)
        std::fill_n(Sums().Row(s, k), size, start[k]);
  }

  //! Whether any point is open.
  bool Any() const { return numOpen > 0; }

  //! The points, some of which may be closed already.
  Strips<ElemType> Points() { return { pointMemory.memptr(), data.n_rows }; }
  //! Their sums.
  Strips<ElemType> Sums() { return { sumMemory.memptr(), sums.n_elem }; }
  //! The number of strips that they take.
  size_t NumStrips() const { return gbnn::NumStrips<ElemType>(columns.size()); }

  /**
   * Close the points whose leading class has a margin of more than `minimum`
   * and for which close(column, sums) returns true.
   *
   * @param more What to add to the sums to get scores.
   * @param minimum The margin; if it is negative, every point has it, even if
   *     its scores are NaN.
   * @param close Says whether to close a point.
   */
  template<typename CloseType>
  void CloseIf(const ElemType* more,
               const double minimum,
               const CloseType& close)
  {
    ElemType margins[size];
    for (size_t i = 0; i < columns.size(); ++i)
    {
      if (i % size == 0)
        StripMargins(Sums().Row(i / size, 0), more, sums.n_elem, margins);
      if (!isOpen[i] ||
          (minimum >= 0 && !(double(margins[i % size]) > minimum)))
        continue;
      for (size_t k = 0; k < sums.n_elem; ++k)
        sums[k] = Sum(i, k);
      isOpen[i] = !close(columns[i], sums);
      numOpen -= isOpen[i] ? 0 : 1;
    }
    // Packing takes time as well, so an eighth of the points must be closed.
    // `gbnn_anytime_benchmark` measures the time of all.
    const size_t minShare = 8;
    if (numOpen <= columns.size() - columns.size() / minShare)
      MoveTogether();
  }

 private:
  static constexpr size_t size = StripSize<ElemType>;

  //! One of the sums of the point that is held in place i.
  ElemType& Sum(const size_t i, const size_t k) { return Sums().At(k, i); }

  void PackPoints()
  {
    Pack(data, [&](const size_t i) { return columns[i]; }, columns.size(),
        Points());
  }

  //! Hold only the open points.
  void MoveTogether()
  {
    size_t left = 0;
    for (size_t i = 0; i < columns.size(); ++i)
    {
      if (!isOpen[i])
        continue;
      for (size_t k = 0; k < sums.n_elem; ++k)
        Sum(left, k) = Sum(i, k);
      columns[left++] = columns[i];
    }
    columns.resize(left);
    isOpen.assign(left, true);
    PackPoints();
  }

  const MatType& data;
  //! The column of each point that is held, and whether it is open.
  std::vector<size_t> columns;
  std::vector<bool> isOpen;
  size_t numOpen;
  ColType pointMemory, sumMemory;
  //! The sums of one point.
  ColType sums;
};

} // namespace gbnn
} // namespace mlpack

#endif
