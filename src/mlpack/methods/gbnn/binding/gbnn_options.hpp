/**
 * @file methods/gbnn/binding/gbnn_options.hpp
 *
 * What can be wrong with the options of the program, and the hyperparameters
 * that they set.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_GBNN_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_GBNN_OPTIONS_HPP

#include "anytime_options.hpp"
#include "binding_tools.hpp"
#include "loss_options.hpp"
#include "tuning_options.hpp"

namespace mlpack {
namespace gbnn {

//! Check that each option is in its range, before anything is loaded.
static void CheckOptions(util::Params& params)
{
  using namespace util;
  if (params.Get<double>("validation_fraction") > 0)
    RequireOnlyOnePassed(params, { "validation", "validation_fraction" }, true,
        "either give validation data or hold out a share of the training data",
        true);
  RequireOnlyOnePassed(params, { "labels", "responses" }, true, "labels are "
      "for classification and responses for regression", true);
  RequireOnlyOnePassed(params, { "test_labels", "test_responses" }, true,
      "test labels are for classification and test responses for regression",
      true);
  if (params.Has("warm_start"))
  {
    RequireAtLeastOnePassed(params, { "input_model" }, true, "a warm start "
        "needs a model to start from");
    RequireAtLeastOnePassed(params, { "training" }, true, "a warm start needs "
        "training data");
  }
  else
  {
    RequireOnlyOnePassed(params, { "training", "input_model" }, true, "either "
        "train a model or use one; to add units to one, pass " +
        PRINT_PARAM_STRING("warm_start"));
  }

  CheckBoosting(params);
  CheckLossOptions(params);
  RequireParamValue<int>(params, "refine_iterations",
      [](int x) { return x >= 0; }, true, "refine_iterations must not be "
      "negative");
  RequireParamValue<double>(params, "validation_fraction",
      [](double x) { return x >= 0 && x < 1; }, true, "validation_fraction "
      "must be greater than 0 and less than 1, or 0 for no validation");
  RequireParamValue<int>(params, "patience",
      [](int x) { return x >= 0; }, true, "patience must not be negative");
  CheckTuning(params);
  CheckAnytime(params);
}

//! Tell about options that have no effect.
static void ReportIgnoredOptions(util::Params& params)
{
  using namespace util;
  for (const std::string name : { "labels", "responses", "weights",
      "class_weights", "loss", "quantiles", "non_crossing", "huber_delta",
      "hidden_units",
      "units_per_stage", "learning_rate", "subsample", "activation",
      "optimizer", "max_iterations", "tolerance", "step_size", "batch_size",
      "l2", "refine_iterations", "no_scaling", "seed", "validation",
      "validation_fraction", "tune" })
    ReportIgnoredParam(params, { { "training", false } }, name);
  for (const std::string name : { "validation_labels", "validation_responses" })
    ReportIgnoredParam(params, { { "validation", false } }, name);
  if (!params.Has("validation") &&
      params.Get<double>("validation_fraction") == 0)
    ReportIgnored(params, "patience", "there is no validation data");
  for (const std::string name : { "predictions", "probabilities",
      "output_predictions", "staged_scores", "test_labels", "test_responses",
      "gradients", "early_exit" })
    ReportIgnoredParam(params, { { "test", false } }, name);
  if (params.Has("responses"))
    ReportIgnored(params, "class_weights", "this is regression");
  if (!params.Has("test") || params.Get<double>("early_exit") < 0)
    ReportIgnored(params, "units_used", "there is no early exit");
  const std::string optimizer = params.Get<std::string>("optimizer");
  if (optimizer != "adam" && optimizer != "sgd")
  {
    for (const std::string name : { "step_size", "batch_size" })
      ReportIgnored(params, name, "the optimizer is '" + optimizer + "'");
  }
  if (params.Has("warm_start"))
  {
    for (const std::string name : { "activation", "no_scaling", "seed" })
      ReportIgnored(params, name, "the input model has its own");
  }
  if (params.Has("training") && !params.Has("responses"))
  {
    for (const std::string name : { "loss", "quantiles", "non_crossing",
        "huber_delta" })
      ReportIgnored(params, name, "this is classification");
  }
}

//! Check what is tested after training, so that training is not in vain.
static void CheckTest(util::Params& params)
{
  if (!params.Has("test"))
    return;
  CheckTestPoints(params, !params.Has("labels") && !params.Has("responses"));
  if (params.Has("test_responses"))
  {
    CheckCount("test_responses", params.Get<arma::mat>("test_responses").n_cols,
        "test", std::get<1>(params.Get<TableType>("test")).n_cols);
  }
}

//! Check that there are numbers only, none of them missing.
static void CheckNumbers(const std::string& name, const arma::mat& values)
{
  const arma::uvec bad = arma::find_nonfinite(values);
  if (!bad.is_empty())
  {
    Log::Fatal << PRINT_PARAM_STRING(name) << " has a missing or infinite "
        << "value in column " << bad[0] % values.n_rows + 1 << " of point "
        << bad[0] / values.n_rows + 1 << "; expected numbers!" << std::endl;
  }
}

//! Set the hyperparameters that were given.
template<typename ModelType>
static void SetHyperparameters(util::Params& params,
                               ModelType& model,
                               const size_t defaultUnitsPerStage)
{
  const size_t perStage = size_t(params.Get<int>("units_per_stage"));
  const size_t units = size_t(params.Get<int>("hidden_units"));
  model.HiddenUnits() = units;
  model.UnitsPerStage() = (perStage > 0) ? perStage :
      std::min(defaultUnitsPerStage, units);
  model.LearningRate() = params.Get<double>("learning_rate");
  model.Subsample() = params.Get<double>("subsample");
  model.L2() = params.Get<double>("l2");
  model.ValidationFraction() = params.Get<double>("validation_fraction");
  model.Patience() = size_t(params.Get<int>("patience"));
  if (!params.Has("warm_start"))
  {
    model.Activation() = ToGBNNActivation(
        params.Get<std::string>("activation"));
    model.Seed() = params.Has("seed") ? size_t(params.Get<int>("seed")) : 0;
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
