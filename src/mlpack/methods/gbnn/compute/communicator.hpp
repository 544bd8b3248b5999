/**
 * @file methods/gbnn/compute/communicator.hpp
 *
 * How processes that train one model together talk to each other.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_COMMUNICATOR_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_COMMUNICATOR_HPP

#include <mlpack/prereqs.hpp>

#include <functional>
#include <numeric>

namespace mlpack {

/**
 * Processes, or ranks, that train one model together, each with points of its
 * own.  MPICommunicator is one over MPI; a model without a communicator is
 * trained by its own process alone.
 *
 * A communicator moves bytes.  All ranks must call the same functions in the
 * same order, and each from one thread.
 */
class GBNNCommunicator
{
 public:
  virtual ~GBNNCommunicator() { }

  //! The number of this rank, from 0.
  virtual size_t Rank() const = 0;
  //! Number of ranks.
  virtual size_t Ranks() const = 0;

  //! Send bytes to another rank, which must call Receive().
  virtual void Send(const void* from, const size_t bytes, const size_t rank)
      const = 0;
  //! Receive bytes from another rank.
  virtual void Receive(void* to, const size_t bytes, const size_t rank)
      const = 0;
  //! Give the bytes of one rank to all of them.
  virtual void Broadcast(void* bytes, const size_t number, const size_t root)
      const = 0;
};

namespace gbnn {

//! Whether there are several ranks.
inline bool IsShared(const GBNNCommunicator* communicator)
{
  return communicator && communicator->Ranks() > 1;
}

/**
 * The numbers of all ranks, in the order of the ranks.
 *
 * @param communicator The ranks, or nullptr for this process alone.
 * @param mine The numbers of this rank.
 * @param counts If given, becomes how many each rank has.
 */
template<typename T>
std::vector<T> GatherAll(const GBNNCommunicator* communicator,
                         const std::vector<T>& mine,
                         std::vector<size_t>* counts = nullptr)
{
  static_assert(std::is_trivially_copyable_v<T>, "bytes are sent");
  if (counts)
    counts->assign(1, mine.size());
  if (!IsShared(communicator))
    return mine;
  // Each rank tells its numbers in turn: few messages of many bytes.
  std::vector<T> all;
  if (counts)
    counts->clear();
  for (size_t r = 0; r < communicator->Ranks(); ++r)
  {
    uint64_t size = mine.size();
    communicator->Broadcast(&size, sizeof(size), r);
    if (counts)
      counts->push_back(size_t(size));
    if (size == 0)
      continue;
    const size_t before = all.size();
    all.resize(before + size_t(size));
    if (r == communicator->Rank())
      std::copy(mine.begin(), mine.end(), all.begin() + before);
    communicator->Broadcast(all.data() + before, size_t(size) * sizeof(T), r);
  }
  return all;
}

/**
 * Combine one thing of each rank, in pairs, whatever the order means.
 *
 * @param communicator The ranks, or nullptr for this process alone.
 * @param mine That of this rank.
 * @param combine combine(a, b): what two become.
 */
template<typename T, typename CombineType>
T CombineRanks(const GBNNCommunicator* communicator,
               const T mine,
               const CombineType& combine)
{
  if (!IsShared(communicator))
    return mine;
  T result = mine;
  const size_t rank = communicator->Rank(), ranks = communicator->Ranks();
  for (size_t step = 1; step < ranks; step *= 2)
  {
    if (rank % (2 * step) != 0)
    {
      communicator->Send(&result, sizeof(T), rank - step);
      break;
    }
    if (rank + step >= ranks)
      continue;
    T other;
    communicator->Receive(&other, sizeof(T), rank + step);
    result = combine(result, other);
  }
  communicator->Broadcast(&result, sizeof(T), 0);
  return result;
}

//! The sum of whole numbers of all ranks.
inline size_t SumOfRanks(const GBNNCommunicator* communicator,
                         const size_t mine)
{
  return CombineRanks(communicator, mine,
      [](const size_t a, const size_t b) { return a + b; });
}

//! The sum of whole numbers of the ranks before this one.
inline size_t SumBefore(const GBNNCommunicator* communicator, const size_t mine)
{
  const std::vector<size_t> all = GatherAll(communicator,
      std::vector<size_t>{ mine });
  const size_t rank = communicator ? communicator->Rank() : 0;
  return std::accumulate(all.begin(), all.begin() + rank, size_t(0));
}

//! The largest number of all ranks; NaN if one of them is.
inline double MaxOfRanks(const GBNNCommunicator* communicator,
                         const double mine)
{
  return CombineRanks(communicator, mine, [](const double a, const double b)
      { return (b > a || std::isnan(b)) ? b : a; });
}

//! Whether one of the ranks says so.
inline bool AnyRank(const GBNNCommunicator* communicator, const bool mine)
{
  return SumOfRanks(communicator, mine ? 1 : 0) > 0;
}

/**
 * Do something that each rank does by itself and that may fail, such as a check
 * of its own points.  If it throws on one rank, std::invalid_argument is thrown
 * on all of them: a rank that goes on would wait for the other forever.
 *
 * @param communicator The ranks, or nullptr for this process alone.
 * @param f What to do.
 */
inline void OnEachRank(const GBNNCommunicator* communicator,
                       const std::function<void()>& f)
{
  if (!IsShared(communicator))
    return f();
  std::string error;
  try
  {
    f();
  }
  catch (const std::exception& e)
  {
    error = std::string(e.what()) + " ";
  }
  std::vector<size_t> counts;
  const std::vector<char> errors = GatherAll(communicator,
      std::vector<char>(error.begin(), error.end()), &counts);
  for (size_t r = 0, first = 0; r < counts.size(); first += counts[r++])
  {
    if (counts[r] == 0)
      continue;
    throw std::invalid_argument(std::string(errors.data() + first,
        counts[r] - 1) + " (rank " + std::to_string(r) + " of " +
        std::to_string(counts.size()) + ")");
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
