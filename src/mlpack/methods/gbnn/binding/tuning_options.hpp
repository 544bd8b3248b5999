/**
 * @file methods/gbnn/binding/tuning_options.hpp
 *
 * The options for tuning, for binding files only: they are to be included after
 * mlpack_main.hpp.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_TUNING_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_TUNING_OPTIONS_HPP

#include "binding_tools.hpp"
#include "gbnn_progress.hpp"
#include "../tuning/gbnn_tuner.hpp"

namespace mlpack {
namespace gbnn {

//! Numbers with commas between, each greater than 0 and at most 1.  (A list of
//! numbers is no type of parameter that all of mlpack's bindings have.)
static std::vector<double> ShareList(util::Params& params,
                                     const std::string& name)
{
  const std::string text = params.Get<std::string>(name);
  std::vector<double> values;
  std::istringstream cells(text);
  for (std::string cell; std::getline(cells, cell, ',');)
  {
    std::istringstream in(cell);
    double value;
    if (!(in >> value) || !(in >> std::ws).eof() || !(value > 0 && value <= 1))
    {
      Log::Fatal << PRINT_PARAM_STRING(name) << " has '" << cell << "' in '"
          << text << "'; expected numbers greater than 0 and at most 1, with "
          << "commas between!" << std::endl;
    }
    values.push_back(value);
  }
  return values;
}

//! Whole numbers, each at least 1.
static std::vector<size_t> CountList(util::Params& params,
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

/**
 * The grid that was asked for: a list, else the one value of the option that is
 * tuned, else the paper's list.
 *
 * @param params The options.
 * @param numClasses Number of classes; 0 for regression.
 */
static GBNNGrid ChosenGrid(util::Params& params, const size_t numClasses)
{
  const std::vector<size_t> units = CountList(params, "tune_units");
  const size_t fewest = units.empty() ?
      size_t(params.Get<int>("hidden_units")) :
      *std::min_element(units.begin(), units.end());
  GBNNGrid grid = GBNNGrid::Paper(numClasses, fewest);
  grid.units = units;
  const auto choose = [](auto& list, const auto& given, const bool hasOne,
      const auto one)
  {
    if (!given.empty())
      list = given;
    else if (hasOne)
      list = { one };
  };
  const size_t perStage = size_t(params.Get<int>("units_per_stage"));
  choose(grid.unitsPerStage, CountList(params, "tune_units_per_stage"),
      perStage > 0, perStage);
  choose(grid.learningRates, ShareList(params, "tune_learning_rates"),
      params.Has("learning_rate"), params.Get<double>("learning_rate"));
  choose(grid.subsamples, ShareList(params, "tune_subsamples"),
      params.Has("subsample"), params.Get<double>("subsample"));

  const size_t most = *std::max_element(grid.unitsPerStage.begin(),
      grid.unitsPerStage.end());
  if (most > fewest)
  {
    Log::Fatal << PRINT_PARAM_STRING(perStage > 0 ? "units_per_stage" :
        "tune_units_per_stage") << " has " << most << ", but must not have "
        << "more than " << PRINT_PARAM_STRING(units.empty() ? "hidden_units" :
        "tune_units") << " (" << fewest << ")!" << std::endl;
  }
  return grid;
}

//! Check the options for tuning, before anything is loaded.
static void CheckTuning(util::Params& params)
{
  util::RequireParamValue<int>(params, "folds", [](int x) { return x >= 2; },
      true, "folds must be at least 2");
  if (!params.Has("tune"))
  {
    for (const std::string name : { "folds", "tune_units_per_stage",
        "tune_learning_rates", "tune_subsamples", "tune_units",
        "tuning_scores" })
      util::ReportIgnoredParam(params, { { "tune", false } }, name);
    return;
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
      "give the greatest number of units or a list", true);
  // Whether there are two classes makes no difference to what may be wrong.
  ChosenGrid(params, 2);
}

/**
 * Choose hyperparameters, if that was asked for.
 *
 * @param params The options.
 * @param model Gets the best hyperparameters.
 * @param numClasses Number of classes; 0 for regression.
 * @param points Number of points.
 * @param compare compare(tuner) has the tuner compare all on the data.
 */
template<typename ModelType, typename CompareType>
static void Tune(util::Params& params,
                 ModelType& model,
                 const size_t numClasses,
                 const size_t points,
                 const CompareType& compare)
{
  if (!params.Has("tune"))
    return;
  GBNNTuner tuner(ChosenGrid(params, numClasses),
      size_t(params.Get<int>("folds")));
  if (tuner.Folds() > points)
  {
    Log::Fatal << PRINT_PARAM_STRING("folds") << " (" << tuner.Folds()
        << ") must be at most the number of points (" << points << ")!"
        << std::endl;
  }
  const size_t trainings = tuner.Folds() * tuner.Grid().Cells();
  Log::Info << "Tuning: " << tuner.Grid().Cells() << " combinations of "
      << "hyperparameters, " << trainings << " trainings." << std::endl;

  const ProgressPrinter printer;
  Progress progress(printer.Bar(), printer);
  CheckInterrupt interrupt;
  size_t told = 0;
  tuner.Tell() = [&](const double done)
  {
    interrupt.Check();
    // More often would be faster than anyone can see.
    if (size_t(1000 * done) == told)
      return;
    told = size_t(1000 * done);
    progress.Tell(done, std::to_string(size_t(done * trainings)) + " of " +
        std::to_string(trainings) + " trainings");
  };
  compare(tuner);
  printer.End();
  tuner.SetBest(model);
  params.Get<arma::mat>("tuning_scores") = tuner.Table();
  params.Get<std::string>("tuning_table") = tuner.Text();
}

} // namespace gbnn
} // namespace mlpack

#endif
