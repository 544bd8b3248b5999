/**
 * @file methods/gbnn/binding/gbnn_options.hpp
 *
 * The options of gbnn, read and checked before any data is loaded; for binding
 * files only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_GBNN_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_GBNN_OPTIONS_HPP

#include "../gbnn_model.hpp"
#include "anytime_options.hpp"
#include "binding_tools.hpp"
#include "checkpoint_options.hpp"
#include "gbnn_settings.hpp"
#include "inspection_options.hpp"
#include "loss_options.hpp"
#include "truth_options.hpp"
#include "tuning_options.hpp"

namespace mlpack {
namespace gbnn {

//! Check which options go together.
static void CheckTogether(util::Params& params)
{
  using namespace util;
  CheckTruth(params);
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
}

//! Read how columns become inputs.
static EncodingSettings ReadEncoding(util::Params& params)
{
  using namespace util;
  using Kind = EncodingSettings::Kind;
  RequireParamInSet<std::string>(params, "input_encoding",
      { "linear", "piecewise", "auto" }, true, "unknown encoding of inputs");
  const int limit = int(PiecewiseLinear::Limit());
  RequireParamValue<int>(params, "bins",
      [limit](int x) { return x >= 0 && x <= limit; }, true, "bins must be "
      "between 1 and " + std::to_string(limit) + ", or 0 for a default");
  const std::string name = params.Get<std::string>("input_encoding");
  const size_t bins = size_t(params.Get<int>("bins"));
  return { (name == "linear") ? Kind::LINEAR : (name == "piecewise") ?
      Kind::PIECEWISE : Kind::AUTO, (bins > 0) ? bins :
      PiecewiseLinear().MaxBins() };
}

//! Read how to score the model that is trained.
static EvaluationSettings ReadEvaluation(util::Params& params)
{
  using namespace util;
  RequireParamValue<int>(params, "cv",
      [](int x) { return x == 0 || x >= 2; }, true, "cv must be at least 2 "
      "folds, or 0 for no cross-validation");
  RequireParamValue<double>(params, "holdout",
      [](double x) { return x >= 0 && x < 1; }, true, "holdout must be greater "
      "than 0 and less than 1, or 0 for none");
  const EvaluationSettings evaluation = { size_t(params.Get<int>("cv")),
      params.Get<double>("holdout") };
  if (evaluation.folds > 0 && evaluation.holdout > 0)
    RequireOnlyOnePassed(params, { "cv", "holdout" }, true, "the model is "
        "scored in one way", true);
  if (evaluation.IsWanted() && params.Has("warm_start"))
  {
    Log::Fatal << PRINT_PARAM_STRING(evaluation.folds > 0 ? "cv" : "holdout")
        << " cannot go with " << PRINT_PARAM_STRING("warm_start") << ": the "
        << "input model may have seen the points that are held out!"
        << std::endl;
  }
  if (evaluation.IsWanted() && params.Get<double>("latency") > 0)
  {
    Log::Fatal << PRINT_PARAM_STRING(evaluation.folds > 0 ? "cv" : "holdout")
        << " cannot go with " << PRINT_PARAM_STRING("latency") << ": scores "
        << "would depend on how busy the machine is; use "
        << PRINT_PARAM_STRING("active_units") << "!" << std::endl;
  }
  return evaluation;
}

//! Check that stages end: Adam and SGD may go on forever without a limit.
static void CheckIterations(util::Params& params,
                            const OptimizerSettings& optimizer)
{
  if (!optimizer.IsStochastic())
    return;
  util::RequireParamValue<int>(params, "max_iterations",
      [](int x) { return x > 0; }, true, "the optimizer '" + optimizer.name +
      "' needs a limit, or it may never end");
}

//! Read all options; each must be in its range.
static GBNNSettings ReadSettings(util::Params& params)
{
  using namespace util;
  CheckTogether(params);
  GBNNSettings settings;
  util::RequireParamValue<int>(params, "hidden_units",
      [](int x) { return x >= 0; }, true, "hidden_units must be at least 1, or "
      "0 to choose it");
  settings.boosting = ReadBoosting(params, true);
  CheckIterations(params, settings.boosting.optimizer);
  settings.encoding = ReadEncoding(params);
  settings.loss = ReadLoss(params);
  ReadTraining(params, settings);
  settings.tuning = ReadTuning(params);
  settings.choices.bins = (settings.encoding.kind ==
      EncodingSettings::Kind::AUTO);
  // Without a choice of the inputs and refinement, it is the paper's method.
  settings.choices.units = (params.Get<int>("hidden_units") == 0) &&
      !settings.tuning.isWanted && (settings.choices.bins ||
      settings.refineIterations > 0 || params.Has("hidden_units"));
  settings.choices.l2 = (settings.boosting.l2 < 0) &&
      (settings.choices.bins || settings.choices.units);
  settings.evaluation = ReadEvaluation(params);
  settings.saves = IsAnyGiven(params, { "test", "output_model", "predictions",
      "probabilities", "output_predictions", "staged_scores", "units_used",
      "importances", "input_gradients", "partial_dependence",
      "training_losses", "tuning_scores", "cv_scores", "report", "export" });
  settings.anytime = ReadAnytime(params);
  settings.inspection = ReadInspection(params);
  if (settings.train)
    settings.checkpoint = ReadCheckpoint(params, settings.inspection);
  // A loss is one of responses.
  if (settings.train && params.Has("target") && params.Has("loss") &&
      params.Get<std::string>("task").empty())
    settings.regression = settings.isTaskKnown = true;
  settings.warmStart = params.Has("warm_start");
  return settings;
}

//! Tell about options that have no effect.
static void ReportIgnoredOptions(util::Params& params,
                                 const GBNNSettings& settings)
{
  using namespace util;
  for (const std::string name : { "labels", "responses", "task", "weights",
      "class_weights", "loss", "quantiles", "non_crossing", "huber_delta",
      "hidden_units", "units_per_stage", "learning_rate", "subsample",
      "activation", "optimizer", "max_iterations", "tolerance", "step_size",
      "batch_size", "input_encoding", "bins", "l2", "refine_iterations",
      "no_scaling", "seed", "validation", "validation_fraction", "tune", "cv",
      "holdout", "checkpoint" })
    ReportIgnoredParam(params, { { "training", false } }, name);
  ReportIgnoredValidation(params, settings);
  for (const std::string name : { "predictions", "probabilities",
      "output_predictions", "staged_scores", "test_labels", "test_responses",
      "gradients", "early_exit" })
    ReportIgnoredParam(params, { { "test", false } }, name);
  if (!settings.test || !settings.anytime.earlyExit)
    ReportIgnored(params, "units_used", "there is no early exit");
  ReportIgnoredParam(params, { { "importance", false } }, "importances");
  ReportIgnoredParam(params, { { "dependence", false } },
      "partial_dependence");
  ReportIgnoredParam(params, { { "gradients", false } }, "input_gradients");
  ReportIgnoredParam(params, { { "cv", false }, { "holdout", false } },
      "cv_scores");
  ReportIgnoredSteps(params, settings.boosting.optimizer);
  if (settings.warmStart)
  {
    for (const std::string name : { "activation", "input_encoding", "bins",
        "no_scaling", "seed" })
      ReportIgnored(params, name, "the input model has its own");
  }
  else if (settings.train && params.Get<int>("bins") > 0 &&
      settings.encoding.kind != EncodingSettings::Kind::PIECEWISE)
  {
    ReportIgnored(params, "bins", PRINT_PARAM_STRING("input_encoding") +
        " is '" + params.Get<std::string>("input_encoding") + "'");
  }
}

//! Check that the input model, if there is one, suits the settings.
static void CheckModel(const GBNNSettings& settings, const GBNNModel& model)
{
  CheckActiveUnits(settings.anytime.activeUnits, model.Units() +
      (settings.train ? settings.boosting.hiddenUnits : 0), "model");
}

//! Check that a model to go on with is for what the data is for.
static void CheckTask(const GBNNSettings& settings, const GBNNModel& model)
{
  if (settings.warmStart && settings.regression != model.IsRegression())
  {
    Log::Fatal << "The input model is for "
        << (model.IsRegression() ? "regression" : "classification")
        << ", but " << (settings.regression ? (settings.targetInTable ?
        "responses" : PRINT_PARAM_STRING("responses")) : "labels")
        << " are given!" << std::endl;
  }
}

//! Tell about options that a model of one kind does not have.
static void ReportIgnoredByModel(util::Params& params,
                                 const GBNNSettings& settings,
                                 const GBNNInputs& inputs,
                                 const GBNNModel& model)
{
  const bool regression = settings.regression;
  if (settings.train && !regression)
  {
    for (const std::string name : { "loss", "quantiles", "non_crossing",
        "huber_delta" })
      ReportIgnored(params, name, "this is classification");
  }
  if (settings.train && regression)
  {
    ReportIgnoredLoss(params, settings.warmStart ?
        model.Regressor().Loss().Name() : settings.loss.name.value);
  }
  ReportIgnoredByTask(params, settings, inputs, { "early_exit" });
}

//! Hand out what was made.
static void StoreResults(util::Params& params, GBNNResults&& results)
{
  StorePredictions(params, results);
  params.Get<arma::rowvec>("units_used") = std::move(results.unitsUsed);
  params.Get<arma::mat>("importances") = std::move(results.importances);
  params.Get<std::string>("importance_table") =
      std::move(results.importanceTable);
  params.Get<arma::mat>("input_gradients") = std::move(results.inputGradients);
  params.Get<arma::mat>("partial_dependence") =
      std::move(results.partialDependence);
  params.Get<arma::mat>("training_losses") = std::move(results.trainingLosses);
  params.Get<arma::mat>("cv_scores") = std::move(results.evaluationScores);
  params.Get<std::string>("cv_summary") =
      std::move(results.evaluationSummary);
  params.Get<arma::mat>("tuning_scores") = std::move(results.tuningScores);
  params.Get<std::string>("tuning_table") = std::move(results.tuningTable);
}

} // namespace gbnn
} // namespace mlpack

#endif
