/**
 * @file experiments/paper/budget.hpp
 *
 * What a budget leaves of the paper's protocol, and the clock that keeps it.
 */
#ifndef GBNN_EXPERIMENTS_PAPER_BUDGET_HPP
#define GBNN_EXPERIMENTS_PAPER_BUDGET_HPP

#include <atomic>
#include <chrono>
#include <thread>
#include <unistd.h>

#include <mlpack/methods/gbnn/binding/gbnn_progress.hpp>

#include "methods.hpp"
#include "results.hpp"

namespace experiments {

//! How much of the paper's protocol is done for a task.
struct Plan
{
  //! Repeats of the cross-validation, 5 in the paper.
  size_t repeats;
  //! How many of its ten folds.
  size_t folds;
  //! Folds that the training part is cut into for tuning, 10 in the paper, and
  //! how many of them are used.
  size_t innerFolds;
  size_t innerUsed;
  //! Most settings of a method's grid.
  size_t settings;
  //! Most points to tune with.
  size_t points;

  static constexpr size_t all = 1000000;

  std::string Text() const
  {
    std::ostringstream text;
    text << repeats << " x " << folds << " folds; ";
    if (settings == 1)
      text << "no tuning, the middle of each grid";
    else if (settings == all)
      text << "whole grids by ";
    else
      text << "at most " << settings << " settings a method by ";
    if (settings > 1)
      text << innerUsed << " of " << innerFolds << " folds";
    if (settings > 1 && points < all)
      text << " of at most " << points << " points";
    return text.str();
  }

  bool IsFull() const { return repeats == 5 && innerUsed == 10; }

  void Write(Line& line) const
  {
    line.Add("repeats", repeats).Add("folds", folds)
        .Add("inner_folds", innerFolds).Add("inner_used", innerUsed)
        .Add("settings", settings).Add("points", points);
  }

  static Plan Read(const Line& line)
  {
    const auto number = [&](const char* name)
    {
      return size_t(line.Number(name));
    };
    return { number("repeats"), number("folds"), number("inner_folds"),
        number("inner_used"), number("settings"), number("points") };
  }
};

//! From the paper's protocol down.  Folds are worth more than tuning in many
//! steps, as without them a mean says nothing.
inline const std::vector<Plan>& Plans()
{
  const size_t all = Plan::all;
  static const std::vector<Plan> plans = {
    { 5, 10, 10, 10, all, all }, { 3, 10, 10, 10, all, all },
    { 2, 10, 10, 10, all, all }, { 1, 10, 10, 10, all, all },
    { 1, 10, 5, 5, all, all }, { 1, 10, 5, 5, 20, all },
    { 1, 10, 4, 4, 12, all }, { 1, 10, 3, 3, 12, 2000 },
    { 1, 10, 3, 3, 8, 2000 }, { 1, 10, 3, 3, 6, 1000 },
    { 1, 10, 3, 2, 6, 1000 }, { 1, 10, 3, 2, 4, 1000 },
    { 1, 10, 3, 1, 4, 1000 }, { 1, 5, 3, 2, 4, 1000 },
    { 1, 5, 3, 1, 4, 1000 }, { 1, 4, 3, 1, 4, 500 }, { 1, 3, 3, 1, 4, 500 },
    { 1, 2, 3, 1, 3, 500 }, { 1, 1, 3, 1, 3, 500 }, { 1, 1, 3, 1, 1, 500 } };
  return plans;
}

/**
 * Processor time of this thread, in seconds: what a training would take if
 * nobody else used the machine, since each has one thread.
 */
class StopWatch
{
 public:
  StopWatch() : start(Now()) { }

  double Seconds() const { return Now() - start; }

 private:
  static double Now()
  {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  }

  double start;
};

//! Number of points that a fold trains with.
inline size_t TrainingPoints(const DataSet& data)
{
  return (data.name == "waveform_300") ? 300 : data.points.n_cols * 9 / 10;
}

//! Seconds that a training takes, from one with few points.
class Costs
{
 public:
  //! Measure the middle setting of each method on a task.
  Costs(const DataSet& data, const std::vector<Method>& methods) :
      allPoints(TrainingPoints(data))
  {
    const size_t points = std::min<size_t>(data.points.n_cols, most);
    const size_t parts = std::max<size_t>(2, data.points.n_cols / points);
    Split split(data, Folds(data, parts, 1), 0);
    Split raw(data, Folds(data, parts, 1), 0, false);
    // The small part of both; of two equal ones, any.
    for (const Method& method : methods)
    {
      const DataSet& some = method.takesRaw ? raw.test : split.test;
      const StopWatch watch;
      method.train(some, SomeSettings(method, 1)[0], 1);
      seconds[method.name] = watch.Seconds() * double(allPoints) /
          double(some.points.n_cols);
    }
    // With few points it often ends early; with more, it may not.
    if (seconds.count("AdaBoost-NN") > 0)
    {
      double& adaBoost = seconds["AdaBoost-NN"];
      adaBoost = std::max(adaBoost, 10 * seconds["NN-Adam"]);
    }
  }

  double operator[](const std::string& name) const { return seconds.at(name); }

  //! Seconds of one fold of a plan.
  double OfFold(const Plan& plan, const std::vector<Method>& methods) const
  {
    double sum = 0;
    for (const Method& method : methods)
      sum += seconds.at(method.name) * (1 + Trainings(plan, method));
    return sum;
  }

  //! Trainings for tuning in a fold, as many as the last one takes the time of.
  double Trainings(const Plan& plan, const Method& method) const
  {
    const size_t count = SomeSettings(method, plan.settings).size();
    if (count == 1 || !method.tunedAs.empty())
      return 0;
    return double(count * plan.innerUsed) * (1 - 1.0 /
        double(plan.innerFolds)) * std::min(1.0, double(plan.points) /
        double(allPoints));
  }

  //! All of them, as text.
  std::string Text() const
  {
    std::ostringstream text;
    for (const auto& [name, cost] : seconds)
      text << (text.tellp() > 0 ? " " : "") << name << "="
          << std::setprecision(3) << cost;
    return text.str();
  }

 private:
  static constexpr size_t most = 300;
  size_t allPoints;
  std::map<std::string, double> seconds;
};

//! The time that is left.
class Clock
{
 public:
  //! @param minutes All the time there is; 0 for no limit.
  Clock(const double minutes) :
      end(minutes > 0 ? minutes * 60 :
      std::numeric_limits<double>::infinity())
  {
    clock.tic();
  }

  double Left() const { return end - clock.toc(); }

 private:
  mutable arma::wall_clock clock;
  double end;
};

//! Something to measure.
struct Job
{
  std::string what;
  //! About how many seconds it takes.
  double cost;
  std::function<void()> run;
};

/**
 * Run jobs one after the other, several at a time, until all are done or the
 * time is over; returns how many were not begun.  These are threads of their
 * own, not OpenMP's: mlpack's layers have loops that would be divided among the
 * threads of a parallel region around them.
 *
 * @param title What the jobs are for.
 * @param jobs The jobs, in order.
 * @param threads Number of threads.
 * @param clock The time that is left.
 */
inline size_t RunJobs(const std::string& title,
                      const std::vector<Job>& jobs,
                      const size_t threads,
                      const Clock& clock)
{
  if (jobs.empty())
    return 0;
  double total = 0, done = 0;
  for (const Job& job : jobs)
    total += job.cost;
  const bool bar = isatty(2);
  mlpack::gbnn::Progress progress(bar, [&](const std::string& text)
      { std::cerr << text << (bar ? "" : "\n") << std::flush; });
  std::mutex mutex;
  size_t next = 0, finished = 0;
  std::exception_ptr error;
  const auto work = [&]()
  {
    omp_set_num_threads(1);
    std::unique_lock<std::mutex> lock(mutex);
    while (next < jobs.size() && !error && clock.Left() > 0)
    {
      const Job& job = jobs[next++];
      lock.unlock();
      std::exception_ptr failed;
      try
      {
        job.run();
      }
      catch (...)
      {
        failed = std::current_exception();
      }
      lock.lock();
      error = error ? error : failed;
      done += job.cost;
      ++finished;
      progress.Tell(std::min(1.0, done / total), title + ": " +
          std::to_string(finished) + " of " + std::to_string(jobs.size()) +
          ", " + job.what);
    }
  };
  std::vector<std::thread> crew;
  for (size_t i = 0; i < threads; ++i)
    crew.emplace_back(work);
  for (std::thread& thread : crew)
    thread.join();
  if (bar)
    std::cerr << std::endl;
  if (error)
    std::rethrow_exception(error);
  return jobs.size() - next;
}

} // namespace experiments

#endif
