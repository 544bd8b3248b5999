/**
 * @file methods/gbnn/compute/point_cut.hpp
 *
 * Points in cells, whose sums are added in the same order whichever process
 * has which cells.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_POINT_CUT_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_POINT_CUT_HPP

#include <cstring>
#include <functional>

#include "communicator.hpp"
#include "pieces.hpp"

namespace mlpack {
namespace gbnn {

/**
 * Sums of groups of cells, to be added up.
 *
 * @tparam T Type of the numbers.
 */
template<typename T>
struct GroupSums
{
  //! Numbers in each sum.
  size_t size;
  //! at(g): the numbers of this rank's group g; they are changed.
  std::function<T*(size_t)> at;
  //! Becomes the sum of all; may be at(0).
  T* total;

  size_t Bytes() const { return size * sizeof(T); }

  //! Add other numbers to those of a group.
  void Add(const T* from, const size_t group) const
  {
    T* to = at(group);
    for (size_t i = 0; i < size; ++i)
      to[i] += from[i];
  }
};

template<typename T, typename AtType>
GroupSums(size_t, AtType, T*) -> GroupSums<T>;

/**
 * Points, cut into cells by their number.  The number of cells is a power of
 * two and depends on nothing but the number of points.  A rank has the points
 * of some neighboring cells, or of none.
 *
 * A sum over points is made for each cell, and the sums of cells are added in
 * pairs: a tree whose shape depends on the number of cells alone.  So the sum
 * is the same for any number of ranks, and takes as many messages one after the
 * other as the logarithm of that number.
 */
class PointCut
{
 public:
  //! No points.
  PointCut() : PointCut(0) { }

  //! @param points Number of points, all of which are here.
  explicit PointCut(const size_t points) : PointCut(points, nullptr, 1) { }

  /**
   * @param points Number of points of all ranks.
   * @param communicator The ranks, or nullptr for this process alone.
   * @param maxShares Ranks have whole shares of the points, of which there are
   *     so many at most, and no more than cells.
   */
  PointCut(const size_t points,
           const GBNNCommunicator* communicator,
           const size_t maxShares) :
      communicator(IsShared(communicator) ? communicator : nullptr),
      all(points), total(points), cells(CellsFor(points)),
      shares(std::min(cells, PowerOfTwo(maxShares)))
  {
    const size_t rank = this->communicator ? communicator->Rank() : 0;
    first = FirstShare(rank) * (cells / shares);
    const size_t end = FirstShare(rank + 1) * (cells / shares);
    for (size_t c = first; c <= end; ++c)
      begins.push_back(FirstPoint(c) - FirstPoint(first));
  }

  //! The largest power of two that is not larger.
  static size_t PowerOfTwo(const size_t number)
  {
    size_t result = 1;
    while (result <= number / 2)
      result *= 2;
    return result;
  }

  /**
   * Number of cells.  A cell has blocks of its own, the last of which is not
   * full; with 4096 points or more that cannot be felt.  32 cells are enough
   * for threads; where there are many more points, there may be many ranks.
   */
  static size_t CellsFor(const size_t points)
  {
    const size_t minPoints = 4096, maxPoints = 131072;
    const size_t enough = InputPieces::maxParts;
    return std::min(PowerOfTwo(points / minPoints), std::max(enough,
        PowerOfTwo(points / maxPoints)));
  }

  //! How `points` points of this rank are cut that are being trained on: as the
  //! PointScope says, or, if that is of others, by their number.
  static PointCut Of(const size_t points)
  {
    const PointCut* current = CurrentCut();
    return (current && current->Fits(points)) ? *current : PointCut(points);
  }

  //! Whether this is the cut of that many points of this rank.  Other points
  //! than those that several ranks train on are an error: which rank has which
  //! of them is not known.
  bool Fits(const size_t points) const
  {
    if (points != Points() && communicator)
    {
      throw std::logic_error("PointCut: a sum over " + std::to_string(points) +
          " points while " + std::to_string(Points()) + " points of this rank "
          "are trained on");
    }
    return points == Points();
  }

  //! Whether this is the cut of that many points, all here and in one cell.
  bool IsWhole(const size_t points) const
  {
    return cells == 1 && !communicator && points == Points();
  }

  /**
   * The cut of some of the points.
   *
   * @param points Numbers of points of this rank, or nullptr for all of them.
   */
  PointCut Subset(const arma::uvec* points) const
  {
    if (!points)
      return *this;
    if (!std::is_sorted(points->begin(), points->end()))
    {
      if (communicator)
        throw std::logic_error("PointCut: points must be in ascending order");
      return PointCut(points->n_elem);
    }
    PointCut result(*this);
    for (size_t& begin : result.begins)
      begin = std::lower_bound(points->begin(), points->end(), begin) -
          points->begin();
    result.total = SumOfRanks(communicator, points->n_elem);
    return result;
  }

  //! The ranks, or nullptr for this process alone.
  const GBNNCommunicator* Communicator() const { return communicator; }

  //! Number of points of this rank.
  size_t Points() const { return begins.back(); }
  //! Number of points of all ranks.
  size_t TotalPoints() const { return total; }
  //! The same of all points if this is the cut of a subset.
  size_t AllPoints() const { return all; }

  //! Number of cells of all ranks, and of this one.
  size_t Cells() const { return cells; }
  size_t LocalCells() const { return begins.size() - 1; }
  //! The number, among all, of this rank's first cell.
  size_t FirstCell() const { return first; }
  //! The first of this rank's points in its cell c, and the end of the cell
  //! before.
  size_t Begin(const size_t c) const { return begins[c]; }
  const std::vector<size_t>& Begins() const { return begins; }

  //! The first point of cell c among those of all ranks.  Cells begin where
  //! strips of the kernels do.
  size_t FirstPoint(const size_t c) const
  {
    const size_t strip = 64;
    const size_t strips = (all + strip - 1) / strip;
    return std::min(all, strip * (strips * c / cells));
  }
  //! The first point of this rank among those of all.
  size_t FirstPoint() const { return FirstPoint(first); }

  /**
   * Add the sums of groups of cells, in pairs.  What is added together travels
   * in one message.
   *
   * @param groups Number of groups of all ranks: a power of two, not more than
   *     there are cells.
   * @param sums GroupSums.
   */
  template<typename... SumsTypes>
  void Combine(const size_t groups, const SumsTypes&... sums) const
  {
    if (groups < shares && communicator)
      throw std::logic_error("PointCut: a group of cells on two ranks");
    const size_t each = cells / groups;
    const size_t begin = first / each, end = (first + LocalCells()) / each;
    const auto isHere = [&](const size_t g) { return g >= begin && g < end; };
    std::vector<char> message(communicator ? (sums.Bytes() + ...) : 0);
    for (size_t step = 1; step < groups; step *= 2)
    {
      // All ranks go through the pairs in the same order, so no two wait for
      // each other.
      for (size_t g = begin / (2 * step) * (2 * step); g < end; g += 2 * step)
      {
        const bool left = isHere(g), right = isHere(g + step);
        if (left && right)
        {
          (sums.Add(sums.at(g + step - begin), g - begin), ...);
        }
        else if (left)
        {
          communicator->Receive(message.data(), message.size(),
              RankOf((g + step) * each));
          Unpack(message, [&](const auto& sum, const auto* numbers)
              { sum.Add(numbers, g - begin); }, sums...);
        }
        else if (right)
        {
          Pack(message, [&](const auto& sum)
              { return sum.at(g + step - begin); }, sums...);
          communicator->Send(message.data(), message.size(),
              RankOf(g * each));
        }
      }
    }
    const auto finish = [&](const auto& sum)
    {
      if (isHere(0) && sum.at(0) != sum.total)
        std::copy_n(sum.at(0), sum.size, sum.total);
    };
    (finish(sums), ...);
    if (!communicator)
      return;
    const auto total = [](const auto& sum) { return sum.total; };
    if (isHere(0))
      Pack(message, total, sums...);
    communicator->Broadcast(message.data(), message.size(), RankOf(0));
    Unpack(message, [](const auto& sum, const auto* numbers)
        { std::copy_n(numbers, sum.size, sum.total); }, sums...);
  }

  //! The sum of a number for each cell: f(begin, end) is that of the points of
  //! a cell.
  template<typename FunctionType>
  double SumOfCells(const FunctionType& f) const
  {
    std::vector<double> sums(LocalCells());
    for (size_t c = 0; c < sums.size(); ++c)
      sums[c] = f(begins[c], begins[c + 1]);
    double result = 0;
    Combine(cells, GroupSums{ 1, [&](const size_t c) { return &sums[c]; },
        &result });
    return result;
  }

  //! The sum of the weights of points in the given order; all weigh 1 if there
  //! are no weights.
  template<typename RowType>
  double TotalWeight(const RowType& weights, const arma::uvec& order) const
  {
    return SumOfCells([&](const size_t begin, const size_t end)
    {
      return (weights.is_empty() || begin == end) ? double(end - begin) :
          arma::accu(arma::conv_to<arma::rowvec>::from(weights.elem(
          order.subvec(begin, end - 1))));
    });
  }

 private:
  //! Put numbers(sum) of each of some sums into a message, one after the other.
  template<typename NumbersType, typename... SumsTypes>
  static void Pack(std::vector<char>& message,
                   const NumbersType& numbers,
                   const SumsTypes&... sums)
  {
    char* to = message.data();
    ((std::memcpy(to, numbers(sums), sums.Bytes()), to += sums.Bytes()), ...);
  }

  //! Call take(sum, numbers) with the numbers of each in the message.
  template<typename TakeType, typename... SumsTypes>
  static void Unpack(const std::vector<char>& message,
                     const TakeType& take,
                     const SumsTypes&... sums)
  {
    const char* from = message.data();
    const auto next = [&](const auto& sum)
    {
      using T = std::remove_reference_t<decltype(*sum.total)>;
      std::vector<T> numbers(sum.size);
      std::memcpy(numbers.data(), from, sum.Bytes());
      take(sum, static_cast<const T*>(numbers.data()));
      from += sum.Bytes();
    };
    (next(sums), ...);
  }

  //! The first share of a rank.
  size_t FirstShare(const size_t rank) const
  {
    return communicator ? shares * rank / communicator->Ranks() :
        shares * rank;
  }

  //! The rank that has a cell.
  size_t RankOf(const size_t cell) const
  {
    const size_t share = cell / (cells / shares);
    size_t rank = 0;
    while (FirstShare(rank + 1) <= share)
      ++rank;
    return rank;
  }

  const GBNNCommunicator* communicator;
  //! Numbers of all points, and of those of the subset.
  size_t all, total;
  size_t cells;
  //! What the points are dealt out to ranks in.
  size_t shares;
  //! The first cell of this rank, and where each begins.
  size_t first;
  std::vector<size_t> begins;
};

/**
 * The pieces of points in cells, for sums over them.  Things to go through,
 * such as blocks of points, are those of one cell after the other.  Cells, or
 * groups of neighboring ones, are cut into pieces whose sums are added in
 * order; then the sums of groups are added in pairs, over all ranks.
 */
class CellPieces
{
 public:
  /**
   * @param cut The cells.
   * @param cellItems The first thing of each of this rank's cells, and the end.
   * @param items Number of things of all ranks, about; must be the same on all.
   * @param workPerItem Floating point operations that one takes, roughly.
   * @param maximum The most pieces to cut into, unless there are more groups.
   * @param maxGroups The maximum number of groups.
   */
  CellPieces(const PointCut& cut,
             const std::vector<size_t>& cellItems,
             const size_t items,
             const size_t workPerItem,
             const size_t maximum = Pieces::defaultMaximum,
             const size_t maxGroups = size_t(-1)) :
      cut(cut),
      groups(std::min(cut.Cells(), PointCut::PowerOfTwo(maxGroups)))
  {
    const size_t wanted = std::max<size_t>(1, Pieces(items, workPerItem,
        maximum).Count());
    each = (wanted + groups - 1) / groups;
    const size_t cellsEach = cut.Cells() / groups;
    for (size_t c = 0; c < cut.LocalCells(); c += cellsEach)
    {
      const size_t from = cellItems[c], count = cellItems[c + cellsEach] - from;
      for (size_t piece = 0; piece < each; ++piece)
        begins.push_back(from + count * piece / each);
    }
    begins.push_back(cellItems.back());
  }

  //! Number of pieces of this rank.
  size_t Count() const { return begins.size() - 1; }
  //! The first thing of a piece, and the end of the piece before.
  size_t Begin(const size_t piece) const { return begins[piece]; }
  //! Number of groups of this rank.
  size_t Groups() const { return Count() / each; }
  //! The first piece of a group, and the end of the group before.
  size_t FirstPiece(const size_t group) const { return group * each; }

  //! Call f(piece, begin, end) for each piece of this rank, in parallel.
  template<typename FunctionType>
  void ForEach(const FunctionType& f) const
  {
    InParallel(Count(), [&](const size_t piece)
    {
      f(piece, Begin(piece), Begin(piece + 1));
    });
  }

  /**
   * Add the sums of all pieces of all ranks.
   *
   * @param size Numbers in each sum.
   * @param at at(piece): the sum of a piece; it is changed.
   * @param total Becomes the sum of all; may be at(0).
   */
  template<typename T, typename SumsType>
  void Sum(const size_t size, const SumsType& at, T* total) const
  {
    const GroupSums<T> sums = { size, at, total };
    SumGroups(sums);
    CombineGroups(sums);
  }

  //! Only add the pieces of each group; the first one gets the sum.
  template<typename T>
  void SumGroups(const GroupSums<T>& sums) const
  {
    for (size_t g = 0; g < Groups(); ++g)
      for (size_t piece = FirstPiece(g) + 1; piece < FirstPiece(g + 1); ++piece)
        sums.Add(sums.at(piece), FirstPiece(g));
  }

  //! Add up the groups, whose sums their first pieces have: GroupSums, in which
  //! pieces take the place of groups.
  template<typename... SumsTypes>
  void CombineGroups(const SumsTypes&... sums) const
  {
    cut.Combine(groups, OfGroups(sums)...);
  }

 private:
  template<typename T>
  GroupSums<T> OfGroups(const GroupSums<T>& sums) const
  {
    const auto at = [this, &sums](const size_t g)
    {
      return sums.at(FirstPiece(g));
    };
    return { sums.size, at, sums.total };
  }

  PointCut cut;
  //! Number of groups of all ranks, and of pieces in each.
  size_t groups;
  size_t each;
  std::vector<size_t> begins;
};

} // namespace gbnn
} // namespace mlpack

#endif
