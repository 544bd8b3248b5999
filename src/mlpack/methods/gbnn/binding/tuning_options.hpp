/**
 * @file methods/gbnn/binding/tuning_options.hpp
 *
 * The options of tuning, for binding files only: they are
 * read and checked before any data is loaded.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_TUNING_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_TUNING_OPTIONS_HPP

#include "../table/number_list.hpp"
#include "binding_tools.hpp"
#include "gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

//! Numbers separated by commas, each greater than 0 and at most 1.  (A list of
//! numbers is no type of parameter that all of mlpack's bindings have.)
static std::vector<double> ReadFractions(util::Params& params,
                                         const std::string& name)
{
  const std::string text = params.Get<std::string>(name);
  std::vector<double> values;
  if (text.empty())
    return values;
  for (const std::string& part : SplitList(text))
  {
    const double value = ReadNumber(part);
    if (!(value > 0 && value <= 1))
    {
      Log::Fatal << PRINT_PARAM_STRING(name) << " has '" << part << "' in '"
          << text << "'; expected numbers greater than 0 and at most 1, "
          << "separated by commas!" << std::endl;
    }
    values.push_back(value);
  }
  return values;
}

//! Whole numbers, each at least 1.
static std::vector<size_t> ReadCounts(util::Params& params,
                                      const std::string& name)
{
  std::vector<size_t> values;
  for (const int value : params.Get<std::vector<int>>(name))
  {
    if (value < 1)
    {
      Log::Fatal << PRINT_PARAM_STRING(name) << " has " << value << "; "
          << "expected whole numbers that are at least 1!" << std::endl;
    }
    values.push_back(size_t(value));
  }
  return values;
}

//! Read what to tune: a list, else the one value of the option that is tuned,
//! else the paper's list.
static TuningSettings ReadTuning(util::Params& params)
{
  util::RequireParamValue<int>(params, "folds", [](int x) { return x >= 2; },
      true, "folds must be at least 2");
  TuningSettings tuning;
  tuning.isWanted = params.Has("tune");
  tuning.folds = size_t(params.Get<int>("folds"));
  if (!tuning.isWanted)
  {
    for (const std::string name : { "folds", "tune_units_per_stage",
        "tune_learning_rates", "tune_subsamples", "tune_units",
        "tuning_scores" })
      util::ReportIgnoredParam(params, { { "tune", false } }, name);
    return tuning;
  }
  util::RequireOnlyOnePassed(params, { "tune", "warm_start" }, true, "tuning "
      "compares models that are trained from the start");
  util::RequireOnlyOnePassed(params, { "tune", "active_units" }, true, "tuning "
      "chooses the number of units; predict with fewer in another call");
  for (const std::string name : { "validation", "validation_fraction" })
  {
    if (name == "validation" || params.Get<double>(name) > 0)
      util::RequireOnlyOnePassed(params, { "tune", name }, true, "tuning "
          "chooses the number of units by cross-validation; it needs no "
          "validation data");
  }
  util::RequireOnlyOnePassed(params, { "units_per_stage",
      "tune_units_per_stage" }, true, "give one value or a list", true);
  util::RequireOnlyOnePassed(params, { "learning_rate", "tune_learning_rates" },
      true, "give one value or a list", true);
  util::RequireOnlyOnePassed(params, { "subsample", "tune_subsamples" }, true,
      "give one value or a list", true);
  util::RequireOnlyOnePassed(params, { "hidden_units", "tune_units" }, true,
      "give the maximum number of units or a list", true);

  tuning.units = ReadCounts(params, "tune_units");
  tuning.unitsPerStage = ReadCounts(params, "tune_units_per_stage");
  tuning.learningRates = ReadFractions(params, "tune_learning_rates");
  tuning.subsamples = ReadFractions(params, "tune_subsamples");
  const size_t perStage = size_t(params.Get<int>("units_per_stage"));
  if (tuning.unitsPerStage.empty() && perStage > 0)
    tuning.unitsPerStage = { perStage };
  if (tuning.learningRates.empty() && params.Has("learning_rate"))
    tuning.learningRates = { params.Get<double>("learning_rate") };
  if (tuning.subsamples.empty() && params.Has("subsample"))
    tuning.subsamples = { params.Get<double>("subsample") };
  tuning.minUnits = tuning.units.empty() ?
      ReadHiddenUnits(params) :
      *std::min_element(tuning.units.begin(), tuning.units.end());
  const auto largest = std::max_element(tuning.unitsPerStage.begin(),
      tuning.unitsPerStage.end());
  if (largest != tuning.unitsPerStage.end() && *largest > tuning.minUnits)
  {
    Log::Fatal << PRINT_PARAM_STRING(perStage > 0 ? "units_per_stage" :
        "tune_units_per_stage") << " has " << *largest << ", but must not have "
        << "more than " << PRINT_PARAM_STRING(tuning.units.empty() ?
        "hidden_units" : "tune_units") << " (" << tuning.minUnits << ")!"
        << std::endl;
  }
  return tuning;
}

} // namespace gbnn
} // namespace mlpack

#endif
