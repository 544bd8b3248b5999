/**
 * @file methods/gbnn/compute/thread_team.hpp
 *
 * Threads that help with a loop, if they are free to.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_THREAD_TEAM_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_THREAD_TEAM_HPP

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
  #define MLPACK_GBNN_THREAD_TEAM
  #include <pthread.h>
  #include <signal.h>
  #include <unistd.h>
#endif
#if defined(__linux__) && defined(_OPENMP) && _OPENMP >= 201511
  #define MLPACK_GBNN_OPENMP_PLACES
  #include <sched.h>
#endif

#include "blas_threads.hpp"

namespace mlpack {
namespace gbnn {

//! While there is one, this thread gets no signals but those of its own errors,
//! nor do the threads that it makes.
struct NoSignals
{
#ifdef MLPACK_GBNN_THREAD_TEAM
  NoSignals()
  {
    sigset_t signals;
    sigfillset(&signals);
    for (const int error : { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP,
        SIGABRT })
      sigdelset(&signals, error);
    pthread_sigmask(SIG_SETMASK, &signals, &before);
  }

  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

  sigset_t before;
#endif
};

//! Where threads wait for each other: awake at first, since most waits are
//! short, then asleep.
class WaitingRoom
{
 public:
  //! Wait until ready() is true, which depends on atomic variables alone.
  template<typename FunctionType>
  void WaitFor(const FunctionType& ready)
  {
    // Most of what training does between two loops takes less than the first;
    // almost all, less than the second.  Meanwhile others that want the
    // processor may have it.
    const std::chrono::microseconds spin(50), awake(500);
    const auto start = std::chrono::steady_clock::now();
    auto waited = start - start;
    while (waited < awake)
    {
      for (size_t i = 0; i < 64; ++i)
        if (ready())
          return;
      waited = std::chrono::steady_clock::now() - start;
      if (waited > spin)
        std::this_thread::yield();
    }
    std::unique_lock<std::mutex> lock(mutex);
    ++asleep;
    wake.wait(lock, ready);
    --asleep;
  }

  //! Tell all who wait that what they wait for may have come.
  void Call()
  {
    if (asleep == 0)
      return;
    const std::lock_guard<std::mutex> lock(mutex);
    wake.notify_all();
  }

 private:
  std::mutex mutex;
  std::condition_variable wake;
  std::atomic<size_t> asleep = { 0 };
};

/**
 * The threads that help one thread with its loops.  A parallel region of OpenMP
 * waits for all of its threads, so on a machine with other work, where some get
 * no processor, it takes longer than one thread alone.  Here a loop ends when
 * all is done and those that took part have left.
 */
class ThreadTeam
{
 public:
  ~ThreadTeam()
  {
    ends = true;
    for (Helper& helper : helpers)
      helper.work.Call();
    for (Helper& helper : helpers)
      helper.thread.join();
  }

  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /**
   * Call f(0) on this thread and, at the same time, f(1), f(2), ... on others
   * that have time before f(0) returns.  So f must do all that is not done yet,
   * and must not throw.
   *
   * @param threads Number of threads, this one included.
   * @param f What to call.
   */
  static void Run(const size_t threads, const std::function<void(size_t)>& f)
  {
    if (!IsOver() && Mine().CanHaveHelpers() && Mine().AddHelpers(threads - 1))
      return Mine().RunTogether(threads, f);
    const InsideLoop inside;
    f(0);
  }

 private:
  // The state: how many helpers are at work; whether others may join them; and
  // the number of the loop.
  static constexpr uint64_t isOpen = 1 << 16, round = 2 * isOpen;

  //! Ends a team.  A process that fork() has made has no helpers, but what they
  //! waited for believes that they are still there: none of it can be
  //! destroyed.
  struct End
  {
    void operator()(ThreadTeam* team) const
    {
      IsOver() = true;
      if (team->CanHaveHelpers())
        delete team;
    }
  };

  struct Helper
  {
    //! Where it waits for work.
    WaitingRoom work;
    std::thread thread;
  };

  ThreadTeam() = default;

  //! The helpers of this thread, unless they are over.
  static ThreadTeam& Mine()
  {
    static thread_local std::unique_ptr<ThreadTeam, End> team(new ThreadTeam());
    return *team;
  }

  //! Whether this thread has no team any more: what is destroyed after that may
  //! have loops, too.
  static bool& IsOver()
  {
    static thread_local bool isOver = false;
    return isOver;
  }

  //! Do what Run() does, with helpers.
  void RunTogether(const size_t threads, const std::function<void(size_t)>& f)
  {
    loop = &f;
    limit = threads;
    state = (state / round + 1) * round + isOpen;
    for (size_t h = 0; h < std::min(threads - 1, helpers.size()); ++h)
      helpers[h].work.Call();
    {
      const InsideLoop inside;
      f(0);
    }
    state -= isOpen;
    done.WaitFor([this]() { return state % isOpen == 0; });
  }

  //! Whether there can be helpers: not in a copy of the process that they are
  //! in.  Nor on Windows, where a thread that ends may not wait for another.
  bool CanHaveHelpers() const
  {
#ifdef MLPACK_GBNN_THREAD_TEAM
    return getpid() == process;
#else
    return false;
#endif
  }

  //! Have so many helpers or, where the machine has no more threads, fewer;
  //! returns whether there are any.
  bool AddHelpers(const size_t number)
  {
    while (helpers.size() < std::min(number, most))
    {
      [[maybe_unused]] const NoSignals noSignals;
      Helper& helper = helpers.emplace_back();
      try
      {
        helper.thread = std::thread([this, &helper, next = helpers.size()]()
        {
          Help(helper.work, next);
        });
      }
      catch (const std::exception&)
      {
        helpers.pop_back();
        most = helpers.size();
      }
    }
    return !helpers.empty();
  }

  //! If OpenMP's threads are to stay at certain places (`OMP_PLACES`,
  //! `OMP_PROC_BIND`), the caller is at its own, and helpers go to those that
  //! follow.
  static void GoToPlace([[maybe_unused]] const size_t number)
  {
#ifdef MLPACK_GBNN_OPENMP_PLACES
    // Where all are to be at the caller's place, this one is, since it was made
    // there.
    const int places = omp_get_num_places();
    const omp_proc_bind_t bind = omp_get_proc_bind();
    if (places < 2 || bind == omp_proc_bind_false ||
        bind == omp_proc_bind_master)
      return;
    const int place = int(number % size_t(places));
    std::vector<int> processors(omp_get_place_num_procs(place));
    omp_get_place_proc_ids(place, processors.data());
    cpu_set_t mask;
    CPU_ZERO(&mask);
    for (const int processor : processors)
      CPU_SET(processor, &mask);
    sched_setaffinity(0, sizeof(mask), &mask);
#endif
  }

  //! What a helper does, from beginning to end.
  void Help(WaitingRoom& work, const size_t number)
  {
    GoToPlace(number);
    const InsideLoop inside;
    uint64_t last = 0;
    while (true)
    {
      uint64_t now = 0;
      work.WaitFor([&]()
      {
        now = state;
        return ends || (now & isOpen && now / round != last && number < limit);
      });
      if (ends)
        return;
      // Once it has joined, what is to be done stays as it is.
      if (!state.compare_exchange_strong(now, now + 1))
        continue;
      last = now / round;
      (*loop)(number);
      if ((--state) % round == 0)
        done.Call();
    }
  }

  std::deque<Helper> helpers;
  //! Where the caller waits for them.
  WaitingRoom done;
  std::atomic<uint64_t> state = { 0 };
  std::atomic<bool> ends = { false };
  //! The current loop.
  const std::function<void(size_t)>* loop = nullptr;
  //! Number of threads that it may have.
  std::atomic<size_t> limit = { 0 };
  //! The most helpers that there can be.
  size_t most = std::numeric_limits<size_t>::max();
#ifdef MLPACK_GBNN_THREAD_TEAM
  const pid_t process = getpid();
#endif
};

} // namespace gbnn
} // namespace mlpack

#endif
