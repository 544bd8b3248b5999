/**
 * @file benchmarks/cpp/measure.hpp
 *
 * Clocks, generated data, and how answers are printed.
 */
#ifndef GBNN_BENCHMARKS_MEASURE_HPP
#define GBNN_BENCHMARKS_MEASURE_HPP

#include <sys/resource.h>

#include <chrono>
#include <iomanip>
#include <random>
#include <sstream>
#include <string>

#include <mlpack/prereqs.hpp>

namespace benchmark {

//! Wall-clock and processor time, in seconds.
struct Seconds
{
  double wall = 0;
  double cpu = 0;

  //! The clocks as they stand.
  static Seconds Now()
  {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    Seconds now;
    now.wall = std::chrono::duration<double>(
        std::chrono::steady_clock::now().time_since_epoch()).count();
    for (const timeval& t : { usage.ru_utime, usage.ru_stime })
      now.cpu += t.tv_sec + 1e-6 * t.tv_usec;
    return now;
  }
};

//! How long a function takes.
template<typename FunctionType>
Seconds Time(const FunctionType& f)
{
  const Seconds start = Seconds::Now();
  f();
  const Seconds stop = Seconds::Now();
  return { stop.wall - start.wall, stop.cpu - start.cpu };
}

//! How long a short function takes: it is called until `enough` seconds are
//! over, in rounds long enough for the clocks, and the fastest round counts.
template<typename FunctionType>
Seconds TimeShort(const FunctionType& f, const double enough = 0.05)
{
  const double once = Time(f).wall;
  const size_t calls = 1 + size_t(0.01 / (once + 1e-9));
  const double stop = Seconds::Now().wall + enough;
  Seconds best{ 1e300, 1e300 };
  do
  {
    const Seconds round = Time([&]()
        {
          for (size_t i = 0; i < calls; ++i)
            f();
        });
    best.wall = std::min(best.wall, round.wall / calls);
    best.cpu = std::min(best.cpu, round.cpu / calls);
  } while (Seconds::Now().wall < stop);
  return best;
}

//! One answer: a JSON object on a line of its own.
class Answer
{
 public:
  Answer& Add(const std::string& name, const double value)
  {
    std::ostringstream number;
    number << std::setprecision(9) << value;
    text += (text.empty() ? "\"" : ", \"") + name + "\": " + number.str();
    return *this;
  }

  Answer& Add(const std::string& name, const Seconds& time)
  {
    return Add(name + "_wall", time.wall).Add(name + "_cpu", time.cpu);
  }

  std::string Text() const { return "{" + text + "}"; }

 private:
  std::string text;
};

//! Two classes of points that a plane does not part, made in place.
template<typename MatType>
void Generate(const size_t points,
              const size_t dimensionality,
              MatType& data,
              arma::Row<size_t>& labels)
{
  // Armadillo's randn() makes other numbers on another number of threads.
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  data.set_size(dimensionality, points);
  data.imbue([&]() { return normal(generator); });
  labels.set_size(points);
  for (size_t i = 0; i < points; ++i)
  {
    const auto* x = data.colptr(i);
    const size_t d = dimensionality;
    labels[i] = (x[0] * x[1 % d] + std::sin(2 * x[2 % d]) + 0.5 * x[3 % d] > 0);
  }
}

} // namespace benchmark

#endif
