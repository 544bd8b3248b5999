/**
 * @file methods/gbnn/compute/shared_rows.hpp
 *
 * The points of a training that several ranks share.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_SHARED_ROWS_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_SHARED_ROWS_HPP

#include "point_cut.hpp"

namespace mlpack {
namespace gbnn {

/**
 * The columns that a rank is to have, from those that each rank has: columns
 * are numbered through, in the order of the ranks.
 *
 * @param communicator The ranks.
 * @param mine The columns of this rank.
 * @param before before[r]: number of columns before those of rank r; and all.
 * @param after after[r]: the same afterward.
 */
template<typename MatType>
MatType MoveColumns(const GBNNCommunicator& communicator,
                    const MatType& mine,
                    const std::vector<size_t>& before,
                    const std::vector<size_t>& after)
{
  const size_t here = communicator.Rank(), rows = mine.n_rows;
  MatType result(rows, after[here + 1] - after[here]);
  // In the same order on all ranks, so that no two wait for each other.
  for (size_t from = 0; from + 1 < before.size(); ++from)
  {
    for (size_t to = 0; to + 1 < after.size(); ++to)
    {
      const size_t begin = std::max(before[from], after[to]);
      const size_t end = std::min(before[from + 1], after[to + 1]);
      if (begin >= end || (from != here && to != here))
        continue;
      const size_t bytes = (end - begin) * rows *
          sizeof(typename MatType::elem_type);
      const auto* source = (from == here) ? mine.memptr() +
          (begin - before[from]) * rows : nullptr;
      auto* target = (to == here) ? result.memptr() +
          (begin - after[to]) * rows : nullptr;
      if (from == to)
        std::memcpy(target, source, bytes);
      else if (source)
        communicator.Send(source, bytes, to);
      else
        communicator.Receive(target, bytes, from);
    }
  }
  return result;
}

/**
 * Points with their responses, moved so that each rank has whole blocks of
 * them: what is summed up in blocks is then the same as on a single process.
 *
 * @param communicator The ranks, or nullptr for this process alone.
 * @param blockSize Points of a block.
 * @param data Points of this rank, one a column.
 * @param responses Their responses.
 * @param movedData Becomes the points that this rank has afterward.
 * @param movedResponses Becomes their responses.
 * @return Whether there are several ranks; if not, nothing is done.
 */
template<typename MatType>
bool MoveBlocks(const GBNNCommunicator* communicator,
                const size_t blockSize,
                const MatType& data,
                const MatType& responses,
                MatType& movedData,
                MatType& movedResponses)
{
  if (!IsShared(communicator))
    return false;
  const size_t ranks = communicator->Ranks();
  std::vector<size_t> before(1, 0), after;
  for (const size_t points : GatherAll(communicator,
      std::vector<size_t>{ data.n_cols }))
    before.push_back(before.back() + points);
  const size_t total = before.back();
  const size_t blocks = (total + blockSize - 1) / blockSize;
  for (size_t r = 0; r <= ranks; ++r)
    after.push_back(std::min(total, blocks * r / ranks * blockSize));
  movedData = MoveColumns(*communicator, data, before, after);
  movedResponses = MoveColumns(*communicator, responses, before, after);
  return true;
}

/**
 * Points with their labels or responses and weights, of which each rank has
 * handed in some: the first rank the first ones, and so on.  They are moved so
 * that each rank has those of some cells.  While there is an object of this
 * class, sums over points are sums over these.
 *
 * Without a communicator, or if nothing has to move, points stay where they
 * are, and nothing is copied.
 *
 * @tparam MatType Type of matrix of the points.
 * @tparam TruthType Type of the labels or responses.
 */
template<typename MatType, typename TruthType>
class SharedRows
{
 public:
  using RowType = arma::Row<typename MatType::elem_type>;

  /**
   * Everything given by reference must outlive this object.
   *
   * @param name Function whose name errors carry.
   * @param communicator The ranks, or nullptr for this process alone.
   * @param maxShares maxShares(points): what PointCut takes.
   * @param data Points of this rank, one a column.
   * @param truth Their labels or responses.
   * @param weights Their weights, or empty.
   * @param check Throws if these are not valid.
   */
  SharedRows(const std::string& name,
             const GBNNCommunicator* communicator,
             const std::function<size_t(size_t)>& maxShares,
             const MatType& data,
             const TruthType& truth,
             const RowType& weights,
             const std::function<void()>& check) :
      data(&data), truth(&truth), weights(&weights), scope(&cut)
  {
    OnEachRank(communicator, check);
    if (!IsShared(communicator))
    {
      cut = PointCut(data.n_cols);
      return;
    }
    const size_t ranks = communicator->Ranks();
    const std::vector<size_t> shapes = GatherAll(communicator,
        std::vector<size_t>{ data.n_cols, data.n_rows, truth.n_rows,
        size_t(!weights.is_empty()) });
    for (size_t i = 0; i < shapes.size(); ++i)
    {
      const char* what[] = { "", "dimensions", "responses",
          "weights of a point" };
      if (i % 4 != 0 && shapes[i] != shapes[i % 4])
      {
        throw std::invalid_argument(name + ": number of " + what[i % 4] +
            " (" + std::to_string(shapes[i]) + ") of rank " +
            std::to_string(i / 4) + " does not match that of rank 0 (" +
            std::to_string(shapes[i % 4]) + ")");
      }
    }
    std::vector<size_t> before(1, 0);
    for (size_t r = 0; r < ranks; ++r)
      before.push_back(before.back() + shapes[4 * r]);
    cut = PointCut(before.back(), communicator, maxShares(before.back()));
    std::vector<size_t> after = GatherAll(communicator,
        std::vector<size_t>{ cut.FirstPoint() });
    after.push_back(before.back());
    if (before == after)
      return;
    movedData = MoveColumns(*communicator, data, before, after);
    movedTruth = MoveColumns(*communicator, truth, before, after);
    if (!weights.is_empty())
      movedWeights = MoveColumns(*communicator, weights, before, after);
    this->data = &movedData;
    this->truth = &movedTruth;
    this->weights = &movedWeights;
  }

  SharedRows(const SharedRows&) = delete;
  SharedRows& operator=(const SharedRows&) = delete;

  const MatType& Data() const { return *data; }
  const TruthType& Truth() const { return *truth; }
  const RowType& Weights() const { return *weights; }
  const PointCut& Cut() const { return cut; }

 private:
  const MatType* data;
  const TruthType* truth;
  const RowType* weights;
  MatType movedData;
  TruthType movedTruth;
  RowType movedWeights;
  PointCut cut;
  PointScope scope;
};

} // namespace gbnn
} // namespace mlpack

#endif
