/**
 * @file methods/deep_gbnn/binding/deep_gbnn_options.hpp
 *
 * The options of deep_gbnn, read and checked before any data is loaded; for its
 * binding file only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_BINDING_DEEP_GBNN_OPTIONS_HPP
#define MLPACK_METHODS_DEEP_GBNN_BINDING_DEEP_GBNN_OPTIONS_HPP

#include <mlpack/methods/gbnn/binding/binding_tools.hpp>
#include <mlpack/methods/gbnn/binding/truth_options.hpp>
#include "deep_gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

//! Read the options of the trunk.
inline TrunkSettings ReadTrunk(util::Params& params)
{
  using namespace util;
  const std::vector<int>& layers = params.Get<std::vector<int>>("layers");
  if (params.Has("layers") && layers.size() < 2)
  {
    Log::Fatal << PRINT_PARAM_STRING("layers") << " has " << layers.size()
        << " hidden layer(s), but needs at least two: the last is dropped for "
        << "the head, and the head stands on the others!" << std::endl;
  }
  for (const int units : layers)
  {
    if (units < 1)
    {
      Log::Fatal << "Each of " << PRINT_PARAM_STRING("layers") << " must have "
          << "at least 1 unit, not " << units << "!" << std::endl;
    }
  }
  const int count = layers.empty() ? 3 : int(layers.size());
  RequireParamValue<int>(params, "frozen_layers",
      [count](int x) { return x >= 0 && x < count; }, true, "frozen_layers "
      "must leave out at least the last of the " + std::to_string(count) + " "
      "hidden layers, or be 0 for all but the last");
  RequireParamValue<int>(params, "trunk_epochs",
      [](int x) { return x > 0; }, true, "trunk_epochs must be at least 1");
  RequireParamInSet<std::string>(params, "trunk_optimizer", { "adam", "sgd" },
      true, "unknown optimizer");
  RequireParamValue<double>(params, "trunk_step_size",
      [](double x) { return x > 0 && std::isfinite(x); }, true,
      "trunk_step_size must be greater than 0");
  RequireParamValue<int>(params, "trunk_batch_size",
      [](int x) { return x > 0; }, true, "trunk_batch_size must be at least 1");

  TrunkSettings trunk;
  trunk.layers.assign(layers.begin(), layers.end());
  if (layers.empty())
    trunk.layers.assign(3, 100);
  const int frozen = params.Get<int>("frozen_layers");
  trunk.frozen = (frozen > 0) ? size_t(frozen) : trunk.layers.size() - 1;
  trunk.epochs = size_t(params.Get<int>("trunk_epochs"));
  trunk.optimizer = params.Get<std::string>("trunk_optimizer");
  trunk.stepSize = params.Get<double>("trunk_step_size");
  trunk.batchSize = size_t(params.Get<int>("trunk_batch_size"));
  return trunk;
}

//! Read all options; each must be in its range.
inline DeepSettings ReadSettings(util::Params& params)
{
  using namespace util;
  RequireOnlyOnePassed(params, { "training", "input_model" }, true, "either "
      "train a model or use one");
  CheckTruth(params);
  // What this binding has no options for is 0, or empty.
  DeepSettings settings = DeepSettings();
  settings.choices = { false, false };
  settings.trunk = ReadTrunk(params);
  RequireParamValue<int>(params, "hidden_units",
      [](int x) { return x > 0; }, true, "hidden_units must be at least 1");
  settings.boosting = ReadBoosting(params, false);
  if (settings.boosting.unitsPerStage == 0)
  {
    settings.boosting.unitsPerStage = std::min(settings.boosting.hiddenUnits,
        DeepGBNN<>::DefaultHead().UnitsPerStage());
  }
  ReadTraining(params, settings);
  settings.anytime.activeUnits = ReadActiveUnits(params);
  settings.saves = IsAnyGiven(params, { "test", "output_model", "predictions",
      "probabilities", "output_predictions", "staged_scores" });
  RequireParamValue<double>(params, "max_feature_memory",
      [](double x) { return x >= 0 && x < 1e12; }, true, "max_feature_memory "
      "must not be negative, and is in megabytes");
  const double megabytes = params.Get<double>("max_feature_memory");
  settings.maxFeatureMemory = (megabytes > 0) ? size_t(1e6 * megabytes) :
      SIZE_MAX;
  return settings;
}

//! Tell about options that have no effect.
inline void ReportIgnoredOptions(util::Params& params,
                                 const DeepSettings& settings)
{
  using namespace util;
  for (const std::string name : { "labels", "responses", "task", "weights",
      "class_weights", "layers", "frozen_layers", "trunk_epochs",
      "trunk_optimizer", "trunk_step_size", "trunk_batch_size",
      "hidden_units", "units_per_stage", "learning_rate", "subsample",
      "activation", "optimizer", "max_iterations", "tolerance", "step_size",
      "batch_size", "l2", "refine_iterations", "validation",
      "validation_fraction", "max_feature_memory", "no_scaling", "seed" })
    ReportIgnoredParam(params, { { "training", false } }, name);
  for (const std::string name : { "predictions", "probabilities",
      "output_predictions", "staged_scores", "test_labels", "test_responses" })
    ReportIgnoredParam(params, { { "test", false } }, name);
  ReportIgnoredSteps(params, settings.boosting.optimizer);
  ReportIgnoredValidation(params, settings);
}

//! Check that the head has, or gets, as many units as are to be active.
inline void CheckModel(const DeepSettings& settings, const DeepGBNNModel& model)
{
  CheckActiveUnits(settings.anytime.activeUnits, settings.train ?
      settings.boosting.hiddenUnits + settings.UnitsOfTrunk() :
      model.Head().Units(), "head");
}

//! Hand out what was made.
inline void StoreResults(util::Params& params,
                         const bool regression,
                         DeepResults&& results)
{
  StorePredictions(params, results);
  for (const std::string name : { "accuracy", "error" })
  {
    const bool isIts = (name == (regression ? "error" : "accuracy"));
    params.Get<double>("trunk_" + name) = isIts ? results.trunkScore :
        arma::datum::nan;
    params.Get<double>(name) = isIts ? results.score : arma::datum::nan;
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
