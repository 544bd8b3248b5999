/**
 * @file methods/gbnn/compute/blas_threads.hpp
 *
 * Keeps BLAS, OpenMP and loops within loops on one thread.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_BLAS_THREADS_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_BLAS_THREADS_HPP

#include <algorithm>
#include <limits>
#include <mutex>

#ifdef _OPENMP
  #include <omp.h>
#endif

// Weak: with another library than OpenBLAS these are null.
#ifdef __ELF__
extern "C"
{
void openblas_set_num_threads(int threads) __attribute__((weak));
int openblas_get_num_threads() __attribute__((weak));
int openblas_get_parallel() __attribute__((weak));
}
#endif

namespace mlpack {
namespace gbnn {

//! Number of threads that BLAS uses; 0 if it does not tell.
inline int BlasThreads()
{
#ifdef __ELF__
  if (openblas_set_num_threads && openblas_get_num_threads)
    return openblas_get_num_threads();
#endif
  return 0;
}

//! Make BLAS use the given number of threads, if it can be told.
inline void BlasThreads([[maybe_unused]] const int threads)
{
#ifdef __ELF__
  if (openblas_set_num_threads && openblas_get_num_threads)
    openblas_set_num_threads(threads);
#endif
}

//! Whether BLAS uses OpenMP's threads, whatever it was told before.
inline bool BlasUsesOpenMP()
{
#ifdef __ELF__
  return openblas_get_parallel && openblas_get_parallel() == 2;
#else
  return false;
#endif
}

//! Make OpenMP, and so Armadillo, take the given number of threads in regions
//! of this thread.
inline void OpenMPThreads([[maybe_unused]] const int number)
{
#ifdef _OPENMP
  omp_set_num_threads(number);
#endif
}

//! The most threads that a program may have (`OMP_THREAD_LIMIT`).
inline int ThreadLimit()
{
  // Version 3 of OpenMP has it.
#if defined(_OPENMP) && _OPENMP >= 200805
  return omp_get_thread_limit();
#else
  return std::numeric_limits<int>::max();
#endif
}

//! Number of threads that OpenMP would take in regions of this thread.
inline int OpenMPThreads()
{
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

/**
 * While there is an object of this class, this thread takes part in a loop of
 * several threads; loops in it, OpenMP's too, stay on this thread.
 */
class InsideLoop
{
 public:
  InsideLoop() : before(OpenMPThreads())
  {
    Inside() = true;
    OpenMPThreads(1);
  }
  ~InsideLoop()
  {
    Inside() = false;
    OpenMPThreads(before);
  }

  InsideLoop(const InsideLoop&) = delete;
  InsideLoop& operator=(const InsideLoop&) = delete;

  //! Whether there is one in this thread.
  static bool IsInside() { return Inside(); }

 private:
  static bool& Inside()
  {
    static thread_local bool inside = false;
    return inside;
  }

  int before;
};

/**
 * While there is an object of this class, OpenBLAS uses one thread.  Optimizers
 * of ensmallen call it for products of vectors, and it cuts vectors of more
 * than 10,000 elements by the number of its threads, so the trained model would
 * depend on that number.
 *
 * An OpenBLAS with threads of its own is told directly.  One that was built for
 * OpenMP takes as many threads as OpenMP would take for a loop.  So OpenMP is
 * told, and the method's own loops ask LoopThreads() instead.  With any
 * OpenBLAS, Armadillo's functions of long vectors then need no threads of
 * OpenMP either, which would wait for each other, and which a copy of the
 * process would not have; see ThreadTeam.
 *
 * There may be objects in several threads at once.
 */
class OneBlasThread
{
 public:
  //! @param alsoOpenMP Whether OpenMP is to have one thread in any case.
  explicit OneBlasThread(const bool alsoOpenMP = true) :
      threads(MaxThreads()),
      outer(Loops()),
      holdsOpenMP(alsoOpenMP || BlasUsesOpenMP())
  {
    Holders& all = All();
    const std::lock_guard<std::mutex> lock(all.mutex);
    if (all.count++ == 0)
    {
      all.before = BlasThreads();
      if (all.before > 1)
        BlasThreads(1);
    }
    if (holdsOpenMP)
    {
      Loops() = threads;
      OpenMPThreads(1);
    }
  }

  ~OneBlasThread()
  {
    Holders& all = All();
    const std::lock_guard<std::mutex> lock(all.mutex);
    if (--all.count == 0 && all.before > 1)
      BlasThreads(all.before);
    // After BLAS, which has set this, too.
    if (holdsOpenMP)
    {
      Loops() = outer;
      OpenMPThreads((outer > 0) ? 1 : threads);
    }
  }

  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

  //! Number of threads that a parallel loop of the method may have: one if it
  //! is part of another.
  static int LoopThreads()
  {
#ifdef _OPENMP
    if (omp_in_parallel())
      return 1;
#endif
    return InsideLoop::IsInside() ? 1 : std::min(MaxThreads(), ThreadLimit());
  }

 private:
  //! The same, whatever it is part of.
  static int MaxThreads()
  {
    return (Loops() > 0) ? Loops() : OpenMPThreads();
  }

  //! All objects of this class.
  struct Holders
  {
    std::mutex mutex;
    size_t count = 0;
    //! Number of BLAS's threads when there was no object.
    int before = 0;
  };

  static Holders& All()
  {
    static Holders all;
    return all;
  }

  //! What LoopThreads() returns while OpenMP is held to one thread, else 0.
  static int& Loops()
  {
    static thread_local int loops = 0;
    return loops;
  }

  //! Those that a loop may have, and Loops(), when the object was made.
  int threads;
  int outer;
  //! Whether OpenMP has one thread as long as there is this object.
  bool holdsOpenMP;
};

} // namespace gbnn
} // namespace mlpack

#endif
