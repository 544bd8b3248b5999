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
#include "gbnn_settings.hpp"
#include "target_column.hpp"

namespace mlpack {
namespace gbnn {

//! Bytes of memory that this process can have at most.
static double MemoryLimit()
{
  double limit = double(sysconf(_SC_PHYS_PAGES)) *
      double(sysconf(_SC_PAGESIZE));
  rlimit own;
  if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY)
    limit = std::min(limit, double(own.rlim_cur));
  // Containers have less; a file that says "max" is no number.
  for (const char* name : { "/sys/fs/cgroup/memory.max",
      "/sys/fs/cgroup/memory/memory.limit_in_bytes" })
  {
    double bytes;
    if (std::ifstream(name) >> bytes && bytes > 0)
      limit = std::min(limit, bytes);
  }
  return limit;
}

//! The size of a training.
struct TrainingSize
{
  double points = 0;
  //! Inputs of the network, after categories are turned into columns.
  double inputs = 0;
  //! Classes or responses.
  double outputs = 0;
  double units = 0;
  //! How often the network is trained: folds, and combinations to tune.
  double trainings = 1;
  //! Whether inputs are chosen or the network is refined.
  bool isWhole = false;
  //! The column that makes most of the inputs, and how many.
  size_t widest = 0;
  size_t widestInputs = 0;

  //! Weights of the network.
  double Weights() const { return units * (inputs + outputs + 1); }

  /**
   * Bytes that the training takes at least: the points as a table, and in
   * blocks if these are few; for each point and output its score, target,
   * residual and what a stage adds; and the weights, with a gradient, unless
   * training may stop before they are all there.
   */
  double LeastBytes(const bool stopsEarly) const
  {
    // PointBlocks keeps no more than 64 MB.
    const double table = points * inputs, maxBlocks = 64e6 / 8;
    return 8 * (table + std::min(table, maxBlocks) + 4 * points * outputs +
        (stopsEarly ? 0 : 2 * Weights()));
  }

  //! Bytes that it takes about, as measured: doc/developer/trust.md.
  double Bytes(const bool stopsEarly) const
  {
    return LeastBytes(stopsEarly) + 8 * points * (isWhole ?
        5 * inputs + 20 * outputs : inputs + 2 * outputs);
  }

  /**
   * Seconds that it takes about, within a factor of three.  A stage is
   * evaluated some 20 times, with two products forth and two back, and a core
   * multiplies and adds 5e9 times a second; choosing inputs and refining take
   * 30 times as long.
   */
  double Seconds() const
  {
    const double evaluations = isWhole ? 600 : 20, operations = 4, speed = 5e9;
    return trainings * evaluations * operations * points * Weights() / speed;
  }
};

//! The size of the training that the settings ask for.
static TrainingSize SizeOfTraining(const GBNNSettings& settings,
                                   const TableType& table,
                                   const size_t points,
                                   const size_t outputs)
{
  const auto& [info, data] = table;
  TrainingSize size;
  size.points = double(points);
  size.outputs = double(outputs);
  size.units = double(settings.boosting.hiddenUnits);
  for (size_t c = 0; c < data.n_rows; ++c)
  {
    const size_t inputs = (info.Type(c) == version::categorical) ?
        std::max<size_t>(1, info.NumMappings(c)) : 1;
    size.inputs += double(inputs);
    if (inputs > size.widestInputs)
    {
      size.widest = c;
      size.widestInputs = inputs;
    }
  }
  size.isWhole = settings.refineIterations > 0 || (!settings.warmStart &&
      (settings.choices.bins || settings.choices.units));
  if (settings.tuning.isWanted)
  {
    size.trainings += double(settings.tuning.folds *
        settings.tuning.Grid(settings.regression ? 0 : outputs).Cells());
  }
  if (settings.evaluation.IsWanted())
    size.trainings *= 1 + double(std::max<size_t>(1,
        settings.evaluation.folds));
  return size;
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

/**
 * Say what the training takes if that is much, and end if it cannot fit.
 *
 * @param settings What was asked for.
 * @param inputs What was given.
 * @param points Number of points.
 * @param outputs Number of classes or responses.
 */
static void CheckCost(const GBNNSettings& settings,
                      const GBNNInputs& inputs,
                      const size_t points,
                      const size_t outputs)
{
  const TrainingSize size = SizeOfTraining(settings, *inputs.training.table,
      points, outputs);
  const double limit = MemoryLimit(), longTime = 60;
  // Networks that are only compared do not stop early.
  const bool early = !size.isWhole && (inputs.validation.table ||
      settings.validationFraction > 0);
  const double least = size.LeastBytes(early), bytes = size.Bytes(early);
  if (bytes < 0.5 * limit && size.Seconds() < longTime)
    return;

  std::ostringstream text;
  text << points << " points with " << size_t(size.inputs) << " inputs";
  const size_t many = 100;
  if (size.widestInputs > many)
  {
    text << " (" << size.widestInputs << " of them are the categories of "
        << ColumnTitle(inputs.training, size.widest) << ")";
  }
  text << ", " << outputs << (settings.regression ? " responses" :
      " classes") << " and " << settings.boosting.hiddenUnits << " hidden "
      << "units";
  if (size.trainings > 1)
    text << ", trained " << size_t(size.trainings) << " times,";
  text << " take about " << BytesInWords(bytes) << " of memory";
  if (size.Seconds() >= 1)
  {
    text << " and " << SecondsInWords(size.Seconds()) << " on one core"
        << (early ? ", unless training stops early" : "");
  }
  if (least <= limit)
  {
    Log::Warn << text.str() << (bytes > limit ? "; there are " +
        BytesInWords(limit) + " of memory" : "") << "." << std::endl;
    return;
  }
  const bool units = !early && size.Weights() > size.points * (size.inputs +
      size.outputs);
  Log::Fatal << text.str() << ", but there are " << BytesInWords(limit)
      << " of memory; use fewer " << (units ?
      PRINT_PARAM_STRING("hidden_units") : (size.outputs > size.inputs) ?
      "points or classes" : "points, or put rare categories together") << "!"
      << std::endl;
}

} // namespace gbnn
} // namespace mlpack

#endif
