/**
 * @file methods/gbnn/compute/point_blocks.hpp
 *
 * Points in blocks that fit in cache, each laid out for the kernels.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_POINT_BLOCKS_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_POINT_BLOCKS_HPP

#include <mlpack/prereqs.hpp>

#include "input_frame.hpp"
#include "input_pieces.hpp"
#include "kernels.hpp"
#include "point_cut.hpp"

namespace mlpack {
namespace gbnn {

/**
 * Lay out `count` points for the kernels, with zeros after the last one up to
 * the end of its strip.
 *
 * @param data Points, one a column.
 * @param column Maps 0 .. count - 1 to a column of `data`.
 * @param count Number of points.
 * @param to Where they go; has as many rows as `data`.
 * @param frame frame(x, row): what a number of that row becomes.
 */
template<typename MatType, typename ColumnType, typename RealType,
         typename FrameType = InputFrame<MatType, typename MatType::elem_type>>
void Pack(const MatType& data,
          const ColumnType& column,
          const size_t count,
          const Strips<RealType> to,
          const FrameType& frame = FrameType())
{
  using ElemType = typename MatType::elem_type;
  constexpr size_t size = StripSize<RealType>;
  // Four columns at a time, so that each cache line of the output, which has 8
  // doubles or 16 floats, is visited a few times rather than once a number.
  constexpr size_t group = 4;
  for (size_t i = 0; i < NumStrips<RealType>(count) * size; i += group)
  {
    RealType* out = to.Row(i / size, 0) + i % size;
    const ElemType* in[group];
    for (size_t g = 0; g < group; ++g)
      in[g] = (i + g < count) ? data.colptr(column(i + g)) : nullptr;
    if (i + group <= count)
    {
      for (size_t d = 0; d < data.n_rows; ++d)
        for (size_t g = 0; g < group; ++g)
          out[d * size + g] = frame(in[g][d], d);
    }
    else
    {
      for (size_t d = 0; d < data.n_rows; ++d)
        for (size_t g = 0; g < group; ++g)
          out[d * size + g] = in[g] ? frame(in[g][d], d) : RealType(0);
    }
  }
}

/**
 * The number of points a block should have for points of this many numbers.
 * What a block takes should fit in the first-level cache.  Of 2 to 16 strips,
 * the time of a pass hardly depends on their number; a single strip does not
 * fill the tiles of the kernels, and larger blocks are slower
 * (`gbnn_constants_benchmark blocks`).
 */
template<typename ElemType>
size_t BlockSize(const size_t numbersPerPoint)
{
  // The first-level cache of most machines has this size, or more.
  const size_t cache = 32768;
  const size_t minStrips = 2, maxStrips = 16;
  const size_t strip = StripSize<ElemType>;
  const size_t fits = cache / (sizeof(ElemType) * (numbersPerPoint + 1)) /
      strip;
  return strip * std::min(maxStrips, std::max(minStrips, fits));
}

/**
 * Some or all points of a matrix, in blocks.  Blocks are packed once and kept
 * when they are small enough altogether; otherwise each is packed anew when it
 * is asked for, so that the memory taken does not grow with the data.
 *
 * @tparam MatType Type of matrix of the points.
 * @tparam RealType Type of number that blocks hold.
 */
template<typename MatType, typename RealType = typename MatType::elem_type>
class PointBlocks
{
 public:
  using ElemType = RealType;
  using FrameType = InputFrame<MatType, RealType>;

  /**
   * @param data Points, one a column; must outlive this object.
   * @param points The columns to use, or nullptr for all of them.
   * @param blockSize Points in each block but the last.
   * @param frame What their numbers become.
   * @param pieces Whether each dimension stands for several inputs.
   * @param cut How the points are cut into cells, or nullptr; no block has
   *     points of two cells.
   */
  PointBlocks(const MatType& data,
              const arma::uvec* points,
              const size_t blockSize,
              const FrameType& frame = FrameType(),
              const InputPieces& pieces = InputPieces(),
              const PointCut* cut = nullptr) :
      data(data),
      points(points),
      frame(frame),
      pieces(pieces),
      numPoints(points ? points->n_elem : data.n_cols),
      blockSize(blockSize)
  {
    CutCells(cut);
    Keep();
  }

  //! All points, as they are, not kept: for a single pass over them.
  PointBlocks(const MatType& data,
              const size_t blockSize,
              const InputPieces& pieces,
              const PointCut* cut = nullptr) :
      data(data),
      points(nullptr),
      pieces(pieces),
      numPoints(data.n_cols),
      blockSize(blockSize)
  {
    CutCells(cut);
  }

  const FrameType& Frame() const { return frame; }
  size_t NumPoints() const { return numPoints; }
  size_t NumBlocks() const { return cellBlocks.back(); }
  //! Points that each block has room for.
  size_t BlockSize() const { return blockSize; }
  //! The first point of block b.
  size_t First(const size_t b) const
  {
    return firsts.empty() ? b * blockSize : firsts[b];
  }
  //! The number of points in block b.
  size_t Count(const size_t b) const
  {
    return (firsts.empty() ? std::min(numPoints, (b + 1) * blockSize) :
        firsts[b + 1]) - First(b);
  }
  //! Number of blocks of all ranks, about.
  size_t TotalBlocks(const PointCut& cut) const
  {
    return (cut.TotalPoints() + blockSize - 1) / blockSize;
  }
  //! The first block of each cell, and the number of blocks.
  const std::vector<size_t>& CellBlocks() const { return cellBlocks; }

  //! Number of inputs of a point.
  size_t Inputs() const { return pieces.Inputs(data.n_rows); }

  //! Elements of scratch memory that Block() may need.
  size_t ScratchSize() const { return ScratchSize(blockSize); }
  //! Those that PackAny() needs for some points, whole strips of them.
  size_t ScratchSize(const size_t count) const
  {
    return (pieces.BlockRows(data.n_rows) + (pieces.IsLinear() ? 0 :
        data.n_rows)) * count;
  }
  //! Those that Expand() needs for some points.
  size_t ExpandSize(const size_t count) const
  {
    return (Inputs() + (pieces.IsLinear() ? 0 : data.n_rows)) * count;
  }

  //! Block b as HiddenSums takes it, made in `scratch` unless it is kept.
  Strips<const ElemType> Block(const size_t b, ElemType* scratch) const
  {
    if (!kept.is_empty())
      return { Kept(b), pieces.IsLinear() ? data.n_rows : pieces.PlaceRows() };
    return PackAny(ColumnsOf(b), Count(b), scratch);
  }

  /**
   * The same of any points, made in `scratch`, which must have the
   * ScratchSize() of that many points.
   *
   * @param column Maps 0 .. count - 1 to a column of the data.
   * @param count Number of points.
   * @param scratch The memory.
   */
  template<typename ColumnType>
  Strips<const ElemType> PackAny(const ColumnType& column,
                                 const size_t count,
                                 ElemType* scratch) const
  {
    ElemType* packed = Beside(scratch, pieces.BlockRows(data.n_rows), count);
    PackPoints(column, count, packed);
    return Place(packed, count, scratch);
  }

  //! The inputs of any points, made in `scratch`, which must have the
  //! ExpandSize() of that many points.
  template<typename ColumnType>
  Strips<const ElemType> ExpandAny(const ColumnType& column,
                                   const size_t count,
                                   ElemType* scratch) const
  {
    ElemType* packed = Beside(scratch, Inputs(), count);
    PackPoints(column, count, packed);
    if (pieces.IsLinear())
      return { packed, data.n_rows };
    pieces.Expand<ElemType>({ packed, data.n_rows }, { scratch, Inputs() },
        NumStrips<ElemType>(count));
    return { scratch, Inputs() };
  }

  //! The inputs of block b.
  Strips<const ElemType> ExpandBlock(const size_t b, ElemType* scratch) const
  {
    return ExpandAny(ColumnsOf(b), Count(b), scratch);
  }

 private:
  //! Find the blocks of each cell.
  void CutCells(const PointCut* cut)
  {
    if (!cut || cut->LocalCells() == 1)
    {
      cellBlocks = { 0, (numPoints + blockSize - 1) / blockSize };
      return;
    }
    for (size_t c = 0; c < cut->LocalCells(); ++c)
    {
      cellBlocks.push_back(firsts.size());
      for (size_t i = cut->Begin(c); i < cut->Begin(c + 1); i += blockSize)
        firsts.push_back(i);
    }
    cellBlocks.push_back(firsts.size());
    firsts.push_back(numPoints);
  }

  /**
   * Keep all blocks, unless they take more than 64 MB: a second copy of larger
   * data would be felt.  To pack points in each pass takes about twice the time
   * (`gbnn_constants_benchmark blocks`).
   */
  void Keep()
  {
    const size_t maxKept = size_t(64) << 20;
    const size_t perBlock = pieces.BlockRows(data.n_rows) * blockSize;
    if (perBlock * NumBlocks() * sizeof(ElemType) > maxKept)
      return;

    kept.set_size(perBlock, NumBlocks());
    Pieces(NumBlocks(), data.n_rows * blockSize).ForEach(
        [&](const size_t, const size_t begin, const size_t end)
        {
          arma::Col<ElemType> positions(pieces.IsLinear() ? 0 : data.n_rows *
              blockSize);
          for (size_t b = begin; b < end; ++b)
          {
            ElemType* packed = pieces.IsLinear() ? kept.colptr(b) :
                positions.memptr();
            PackPoints(ColumnsOf(b), Count(b), packed);
            Place(packed, Count(b), kept.colptr(b));
          }
        });
  }

  //! Block b, if blocks are kept.
  const ElemType* Kept(const size_t b) const { return kept.colptr(b); }

  //! Where packed points go that are not what is asked for.
  ElemType* Beside(ElemType* scratch,
                   const size_t rows,
                   const size_t count) const
  {
    return pieces.IsLinear() ? scratch : scratch + rows *
        NumStrips<ElemType>(count) * StripSize<ElemType>;
  }

  //! Packed points as HiddenSums takes them.
  Strips<const ElemType> Place(const ElemType* packed,
                               const size_t count,
                               ElemType* scratch) const
  {
    if (pieces.IsLinear())
      return { packed, data.n_rows };
    const Strips<ElemType> places = { scratch, pieces.PlaceRows() };
    FindPlaces<ElemType>({ packed, data.n_rows }, pieces.Bins().data(), places,
        NumStrips<ElemType>(count));
    return places;
  }

  template<typename ColumnType>
  void PackPoints(const ColumnType& column,
                  const size_t count,
                  ElemType* to) const
  {
    const Strips<ElemType> strips = { to, data.n_rows };
    // The frame is for inputs; positions are of moderate size anyway.
    if (pieces.IsLinear())
      Pack(data, column, count, strips, frame);
    else
      Pack(data, column, count, strips, [](const auto x, const size_t)
          { return ElemType(x); });
  }

  //! Maps the points of block b to columns of the data.
  auto ColumnsOf(const size_t b) const
  {
    const size_t first = First(b);
    return [this, first](const size_t i)
    {
      return points ? size_t((*points)[first + i]) : first + i;
    };
  }

  const MatType& data;
  const arma::uvec* points;
  FrameType frame;
  InputPieces pieces;
  size_t numPoints;
  size_t blockSize;
  //! The first block of each cell, and the first point of each block unless
  //! there is but one cell; both with an end.
  std::vector<size_t> cellBlocks;
  std::vector<size_t> firsts;
  //! A column for each block.
  arma::Mat<ElemType> kept;
};

} // namespace gbnn
} // namespace mlpack

#endif
