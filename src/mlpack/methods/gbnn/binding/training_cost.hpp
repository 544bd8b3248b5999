/**
 * @file methods/gbnn/binding/training_cost.hpp
 *
 * Tells beforehand what a training takes that is much larger than usual, and
 * refuses one that cannot fit into memory; for binding files only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_TRAINING_COST_HPP
#define MLPACK_METHODS_GBNN_BINDING_TRAINING_COST_HPP

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "binding_tools.hpp"

namespace mlpack {
namespace gbnn {

//! What estimates of time assume; within a factor of three of what was measured
//! (doc/developer/trust.md).
struct CostModel
{
  //! How often a stage is evaluated on all points, and how often the network is
  //! if inputs are chosen or it is refined.
  static constexpr double stageEvaluations = 20, refineEvaluations = 600;
  //! Products of a weight and a point: two forth and two back.
  static constexpr double operations = 4;
  //! Products that are added, of one core in a second.
  static constexpr double speed = 5e9;
};

/**
 * Bytes of memory that this process can have at most.  Swap does not count:
 * training goes over all points again and again, which would take forever.
 * Where the program keeps large matrices in files, these are its memory.
 */
static double MemoryLimit()
{
  double limit = double(sysconf(_SC_PHYS_PAGES)) *
      double(sysconf(_SC_PAGESIZE));
  // Containers and control groups have less.  Each line of the list ends with
  // the path of a group, which the groups above it limit, too.
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line); )
  {
    std::string path = line.substr(1 + line.find(':', 1 + line.find(':')));
    for (bool isTop = false; !isTop; path = path.substr(0, path.rfind('/')))
    {
      isTop = path.find('/') == std::string::npos;
      for (const std::string& name : { "/sys/fs/cgroup" + path + "/memory.max",
          "/sys/fs/cgroup/memory" + path + "/memory.limit_in_bytes" })
      {
        // A file that says "max" is no number.
        double bytes;
        if (std::ifstream(name) >> bytes && bytes > 0)
          limit = std::min(limit, bytes);
      }
    }
  }
  rlimit own;
  if (getrlimit(RLIMIT_DATA, &own) == 0 && own.rlim_cur != RLIM_INFINITY)
    limit = std::min(limit, double(own.rlim_cur));
  #ifdef BINDING_SCRATCH_BYTES
    if (BINDING_SCRATCH_BYTES > 0)
      limit = BINDING_SCRATCH_BYTES;
  #endif
  // This one counts files, too.
  if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY)
    limit = std::min(limit, double(own.rlim_cur));
  return limit;
}

//! A number of bytes or seconds in the unit that people use for so many.
static std::string InWords(double number,
                           const std::vector<std::pair<double, std::string>>&
                               units)
{
  size_t i = 0;
  while (i + 1 < units.size() && number >= 2 * units[i + 1].first)
    ++i;
  number /= units[i].first;
  std::ostringstream text;
  text << std::setprecision(number < 10 ? 2 : number < 1000 ? 3 : 4) << number
      << " " << units[i].second;
  return (number >= 10000) ? "more than 10000 " + units[i].second : text.str();
}

static std::string BytesInWords(const double bytes)
{
  return InWords(bytes, { { 1e6, "MB" }, { 1e9, "GB" }, { 1e12, "TB" } });
}

static std::string SecondsInWords(const double seconds)
{
  return InWords(seconds, { { 1, "seconds" }, { 60, "minutes" },
      { 3600, "hours" }, { 86400, "days" }, { 3.156e7, "years" } });
}

//! The inputs that a network gets from a table.
struct TableInputs
{
  //! How many, once categories are turned into columns.
  double number = 0;
  //! The column that makes most of them, and how many.
  size_t widest = 0;
  size_t ofWidest = 0;

  explicit TableInputs(const TableType& table)
  {
    const auto& [info, data] = table;
    for (size_t c = 0; c < data.n_rows; ++c)
    {
      const size_t inputs = (info.Type(c) == version::categorical) ?
          std::max<size_t>(1, info.NumMappings(c)) : 1;
      number += double(inputs);
      if (inputs > ofWidest)
      {
        widest = c;
        ofWidest = inputs;
      }
    }
  }

  /**
   * Points with these inputs in words.
   *
   * @param points Number of points.
   * @param title title(column) is what to call a column.
   */
  template<typename TitleType>
  std::string Text(const size_t points, const TitleType& title) const
  {
    std::ostringstream text;
    text << points << " points with " << size_t(number) << " inputs";
    const size_t many = 100;
    if (ofWidest > many)
    {
      text << " (" << ofWidest << " of them are the categories of "
          << title(widest) << ")";
    }
    return text.str();
  }
};

//! What a training takes.
struct TrainingCost
{
  //! What is trained, in words.
  std::string what;
  //! Bytes of memory, at least and about.
  double minBytes;
  double bytes;
  double seconds;
  //! Whether training may stop before it has taken so much time.
  bool stopsEarly;
  //! What there should be fewer of if it does not fit.
  std::string fewer;
};

//! Say what a training takes if that is much, and end if it cannot fit.
static void CheckCost(const TrainingCost& cost)
{
  const double limit = MemoryLimit(), longTime = 60;
  if (cost.bytes < 0.5 * limit && cost.seconds < longTime)
    return;
  std::ostringstream text;
  text << cost.what << " take about " << BytesInWords(cost.bytes)
      << " of memory";
  if (cost.seconds >= 1)
  {
    text << " and " << SecondsInWords(cost.seconds) << " on one core"
        << (cost.stopsEarly ? ", unless training stops early" : "");
  }
  if (cost.minBytes > limit)
  {
    Log::Fatal << text.str() << ", but there are " << BytesInWords(limit)
        << " of memory; use fewer " << cost.fewer
        #ifdef BINDING_SCRATCH_BYTES
        << ", or give a folder on a disk with more room with "
        << PRINT_PARAM_STRING(BINDING_SCRATCH_OPTION)
        #endif
        << "!" << std::endl;
  }
  Log::Warn << text.str() << (cost.bytes > limit ? "; there are " +
      BytesInWords(limit) + " of memory" : "") << "." << std::endl;
}

} // namespace gbnn
} // namespace mlpack

#endif
