/**
 * @file tests/ranks/thread_ranks.hpp
 *
 * Ranks that are threads of one process, for tests without MPI.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef GBNN_TESTS_RANKS_THREAD_RANKS_HPP
#define GBNN_TESTS_RANKS_THREAD_RANKS_HPP

#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include <mlpack/methods/gbnn/compute/communicator.hpp>

namespace mlpack {

//! Messages between threads.
class ThreadMessages
{
 public:
  explicit ThreadMessages(const size_t ranks) :
      ranks(ranks), queues(ranks * ranks)
  { }

  void Send(const size_t from, const size_t to, std::vector<char> message)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    bytes += message.size();
    ++messages;
    queues[from * ranks + to].push_back(std::move(message));
    arrived.notify_all();
  }

  std::vector<char> Receive(const size_t from, const size_t to)
  {
    std::unique_lock<std::mutex> lock(mutex);
    std::deque<std::vector<char>>& queue = queues[from * ranks + to];
    // Ranks that do not call the same functions would wait forever.
    if (!arrived.wait_for(lock, std::chrono::seconds(60),
        [&]() { return !queue.empty(); }))
      throw std::runtime_error("no message has come");
    std::vector<char> message = std::move(queue.front());
    queue.pop_front();
    return message;
  }

  const size_t ranks;
  //! What was sent so far.
  size_t bytes = 0, messages = 0;

 private:
  std::mutex mutex;
  std::condition_variable arrived;
  std::vector<std::deque<std::vector<char>>> queues;
};

//! One of these threads as a rank.
class ThreadRank : public GBNNCommunicator
{
 public:
  ThreadRank(ThreadMessages& messages, const size_t rank) :
      messages(messages), rank(rank)
  { }

  size_t Rank() const override { return rank; }
  size_t Ranks() const override { return messages.ranks; }

  void Send(const void* from, const size_t bytes, const size_t to)
      const override
  {
    const char* begin = static_cast<const char*>(from);
    messages.Send(rank, to, std::vector<char>(begin, begin + bytes));
  }

  void Receive(void* to, const size_t bytes, const size_t from) const override
  {
    const std::vector<char> message = messages.Receive(from, rank);
    if (message.size() != bytes)
      throw std::runtime_error("a message is not as long as expected");
    std::memcpy(to, message.data(), bytes);
  }

  void Broadcast(void* bytes, const size_t number, const size_t root)
      const override
  {
    for (size_t r = 0; r < Ranks() && rank == root; ++r)
      if (r != root)
        Send(bytes, number, r);
    if (rank != root)
      Receive(bytes, number, root);
  }

 private:
  ThreadMessages& messages;
  size_t rank;
};

//! Call f(communicator) on each of some ranks; returns their errors.
template<typename FunctionType>
std::vector<std::string> OnRanks(ThreadMessages& messages,
                                 const FunctionType& f)
{
  std::vector<std::string> errors(messages.ranks);
  std::vector<std::thread> threads;
  for (size_t r = 0; r < messages.ranks; ++r)
  {
    threads.emplace_back([&, r]()
    {
      const ThreadRank communicator(messages, r);
      try
      {
        f(communicator);
      }
      catch (const std::exception& e)
      {
        errors[r] = e.what();
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  return errors;
}

} // namespace mlpack

#endif
