/**
 * @file tests/compute/thread_team_test.cpp
 *
 * Threads that help with a loop.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <omp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <thread>

#include "test_tools.hpp"

using namespace mlpack::gbnn;

namespace {

//! While there is one, loops may have this many threads.
class Threads
{
 public:
  explicit Threads(const int number) : before(omp_get_max_threads())
  {
    omp_set_num_threads(number);
  }
  ~Threads() { omp_set_num_threads(before); }

 private:
  int before;
};

//! The sum of 1, 2, ..., tasks, added up by a loop.
size_t SumInParallel(const size_t tasks)
{
  std::vector<size_t> numbers(tasks);
  InParallel(tasks, [&](const size_t task) { numbers[task] = task + 1; });
  return std::accumulate(numbers.begin(), numbers.end(), size_t(0));
}

//! Number of threads of this process.
size_t ThreadsOfProcess()
{
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
      std::filesystem::directory_iterator());
}

//! What the main function of a copy of this process returns, in which f has
//! been called.
template<typename FunctionType>
int StatusOfCopy(const FunctionType& f)
{
  std::cout.flush();
  fflush(nullptr);
  const pid_t copy = fork();
  if (copy == 0)
  {
    alarm(60);
    f();
  }
  REQUIRE(copy > 0);
  int status = -1;
  REQUIRE(waitpid(copy, &status, 0) == copy);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

} // namespace

//! Two tasks that wait for each other need two threads at a time, however long
//! these have slept.
TEST_CASE("HelpersHelp", "[ThreadTeamTest]")
{
  const Threads two(2);
  for (const size_t milliseconds : { 0, 0, 1, 5 })
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    std::atomic<size_t> begun(0);
    const auto end = std::chrono::steady_clock::now() +
        std::chrono::minutes(1);
    InParallel(2, [&](const size_t)
    {
      ++begun;
      while (begun < 2 && std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
    });
    REQUIRE(begun == 2);
    REQUIRE(std::chrono::steady_clock::now() < end);
  }
}

//! Several threads have loops at once, each with helpers of its own, which end
//! when it does.
TEST_CASE("TeamsOfSeveralThreads", "[ThreadTeamTest]")
{
  const Threads three(3);
  REQUIRE(SumInParallel(100) == 5050);
  const size_t before = ThreadsOfProcess();
  std::atomic<size_t> right(0);
  std::vector<std::thread> callers;
  for (size_t i = 0; i < 4; ++i)
    callers.emplace_back([&]()
    {
      omp_set_num_threads(3);
      for (size_t loop = 0; loop < 500; ++loop)
        right += (SumInParallel(loop % 100) == (loop % 100) * (loop % 100 + 1) /
            2);
    });
  for (std::thread& caller : callers)
    caller.join();
  REQUIRE(right == 4 * 500);
  // One that has been joined may be listed a moment longer.
  for (size_t i = 0; i < 1000 && ThreadsOfProcess() > before; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  REQUIRE(ThreadsOfProcess() <= before);
}

//! Within a loop everything stays on its thread, OpenMP's loops too.
TEST_CASE("NothingElseIsParallelWithin", "[ThreadTeamTest]")
{
  const Threads three(3);
  std::atomic<size_t> several(0);
  InParallel(50, [&](const size_t)
  {
    several += (omp_get_max_threads() != 1 ||
        OneBlasThread::LoopThreads() != 1);
  });
  REQUIRE(several == 0);
  REQUIRE(omp_get_max_threads() == 3);
  REQUIRE(OneBlasThread::LoopThreads() == 3);
}

//! A process that is a copy of one with helpers has none, and does the work
//! alone: Python's multiprocessing makes such processes.
TEST_CASE("CopiesOfProcesses", "[ThreadTeamTest]")
{
  const Threads three(3);
  REQUIRE(SumInParallel(100) == 5050);
  REQUIRE(StatusOfCopy([]()
  {
    _exit(SumInParallel(100) == 5050 ? 0 : 1);
  }) == 0);
  // The usual end destroys what belongs to the thread, while helpers that it
  // has not were asleep, and others may have taken their place.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  REQUIRE(StatusOfCopy([]()
  {
    std::thread([]() { SumInParallel(100); }).join();
    exit(SumInParallel(100) == 5050 ? 0 : 1);
  }) == 0);
}

//! Such a copy can train even if Armadillo has had long vectors in the process,
//! for which it takes OpenMP's threads.
TEST_CASE("CopiesTrain", "[ThreadTeamTest]")
{
  const Threads three(3);
  const arma::mat data(30, 300, arma::fill::randn);
  const arma::rowvec responses = arma::sin(data.row(0)) + data.row(1);
  const auto train = [&]()
  {
    mlpack::GBNNRegressor<> model(20);
    model.Refinement().Iterations() = 25;
    model.Refinement().ValidationFraction() = 0;
    ens::Adam optimizer(0.01, 32, 0.9, 0.999, 1e-8, 600);
    model.Train(data, responses, optimizer);
    model.Refine(data, responses);
    return model.Units() == 20 && model.RefinedIterations() > 0;
  };
  REQUIRE(train());
  REQUIRE(StatusOfCopy([&]() { _exit(train() ? 0 : 1); }) == 0);
}

//! What is destroyed when the thread's helpers are gone may have loops, too.
TEST_CASE("LoopsAfterTheTeam", "[ThreadTeamTest]")
{
  REQUIRE(StatusOfCopy([]()
  {
    // A thread of the copy, which may have helpers.
    std::thread([]()
    {
      static const struct Late
      {
        ~Late() { _exit(SumInParallel(100) == 5050 ? 7 : 1); }
      } late;
      omp_set_num_threads(3);
      SumInParallel(100);
      exit(0);
    }).join();
  }) == 7);
}

//! Signals that the thread with the loop has not blocked are its own, but a
//! helper's own errors must reach their handlers.
TEST_CASE("HelpersGetNoSignals", "[ThreadTeamTest]")
{
  const Threads three(3);
  std::atomic<size_t> unblocked(0), withoutErrors(0), begun(0);
  const std::thread::id caller = std::this_thread::get_id();
  InParallel(3, [&](const size_t)
  {
    ++begun;
    while (begun < 3)
      std::this_thread::yield();
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    unblocked += (std::this_thread::get_id() != caller &&
        !sigismember(&blocked, SIGINT));
    withoutErrors += sigismember(&blocked, SIGSEGV);
  });
  REQUIRE(unblocked == 0);
  REQUIRE(withoutErrors == 0);
}
