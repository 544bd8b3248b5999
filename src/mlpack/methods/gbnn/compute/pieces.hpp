/**
 * @file methods/gbnn/compute/pieces.hpp
 *
 * Loops in parallel whose result does not depend on the number of threads.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_PIECES_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_PIECES_HPP

#include <atomic>
#include <exception>

#include <mlpack/prereqs.hpp>

#include "input_pieces.hpp"
#include "thread_team.hpp"

namespace mlpack {
namespace gbnn {

class PointCut;

//! How the points that this thread is training on are cut, or nullptr; see
//! PointScope.
inline const PointCut*& CurrentCut()
{
  static thread_local const PointCut* cut = nullptr;
  return cut;
}

/**
 * While there is an object of this class, sums over points that this thread
 * asks for are sums over the points of the given cut, on all ranks; without a
 * cut, over points of this rank alone.
 */
class PointScope
{
 public:
  explicit PointScope(const PointCut* cut) : before(CurrentCut())
  {
    CurrentCut() = cut;
  }
  ~PointScope() { CurrentCut() = before; }

  PointScope(const PointScope&) = delete;
  PointScope& operator=(const PointScope&) = delete;

 private:
  const PointCut* before;
};

/**
 * Call f(task) for each task, in parallel.  A thread usually gets the same
 * tasks again, and tasks of neighboring numbers, so the next pass over the
 * points finds in its cache what the last one has left there.  Threads that
 * finish early help the others.  If tasks fail, those after them need not be done, and
 * the error of the first one is thrown.  What a task sums, it sums over points
 * of its own.
 */
inline void InParallel(const size_t tasks, const std::function<void(size_t)>& f)
{
  // One bit for each task says whether it has begun, so the bits of a number
  // limit the tasks at a time.
  constexpr size_t maximum = 64;
  // Handing over takes longer than a small task.
  const size_t threads = std::min({ tasks, maximum,
      size_t(OneBlasThread::LoopThreads()) });
  if (threads <= 1)
  {
    const PointScope none(nullptr);
    for (size_t task = 0; task < tasks; ++task)
      f(task);
    return;
  }

  std::atomic<uint64_t> begun;
  std::atomic<size_t> failed(tasks);
  std::mutex failing;
  std::exception_ptr error;
  const auto doOnce = [&](const size_t task)
  {
    const uint64_t bit = uint64_t(1) << (task % maximum);
    if (task >= failed || (begun.fetch_or(bit, std::memory_order_relaxed) &
        bit))
      return;
    try
    {
      f(task);
    }
    catch (...)
    {
      const std::lock_guard<std::mutex> lock(failing);
      if (task < failed)
      {
        failed = task;
        error = std::current_exception();
      }
    }
  };

  for (size_t first = 0; first < failed; first += maximum)
  {
    const size_t end = std::min(tasks, first + maximum);
    begun = 0;
    ThreadTeam::Run(threads, [&](const size_t thread)
    {
      const PointScope none(nullptr);
      // Its own tasks, those after them, and the ones before.
      const size_t own = first + (end - first) * thread / threads;
      for (size_t task = own; task < end; ++task)
        doOnce(task);
      for (size_t task = first; task < own; ++task)
        doOnce(task);
    });
  }
  if (error)
    std::rethrow_exception(error);
}

/**
 * Cut `items` into pieces and call f(piece, begin, end) for each, in parallel
 * when there is enough to do.  The cuts depend only on the sizes, so sums kept
 * per piece and added in the order of the pieces are the same for any number of
 * threads.
 */
class Pieces
{
 public:
  /**
   * @param items Number of things to go through.
   * @param workPerItem Floating point operations that one takes, roughly.
   * @param maximum The most pieces to cut into, up to 64.  More keep threads
   *     busy to the end; fewer take less memory and time where sums of each are
   *     added up.
   */
  Pieces(const size_t items,
         const size_t workPerItem,
         const size_t maximum = defaultMaximum) :
      items(items)
  {
    count = std::min({ maximum, items,
        1 + items * std::max(workPerItem, size_t(1)) / minWork });
  }

  //! Two pieces for each of 16 threads; results must not depend on the number
  //! of threads, so neither can this.
  static constexpr size_t defaultMaximum = InputPieces::maxParts;

  size_t Count() const { return count; }

  //! The first item of a piece, and the end of the piece before.
  size_t Begin(const size_t piece) const { return items * piece / count; }

  template<typename FunctionType>
  void ForEach(const FunctionType& f) const
  {
    InParallel(count, [&](const size_t piece)
    {
      f(piece, Begin(piece), Begin(piece + 1));
    });
  }

 private:
  //! A piece has at least about this many operations.  They take about four
  //! times as long as handing work to another thread (`gbnn_constants_benchmark
  //! threads`).
  static constexpr size_t minWork = 100000;

  size_t items;
  size_t count;
};

} // namespace gbnn
} // namespace mlpack

#endif
