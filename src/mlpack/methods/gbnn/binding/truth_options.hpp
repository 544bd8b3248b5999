/**
 * @file methods/gbnn/binding/truth_options.hpp
 *
 * Options that both bindings have: what is predicted, what training is given,
 * how it stops and is refined, and what predictions are; for binding files
 * only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_TRUTH_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_TRUTH_OPTIONS_HPP

#include "binding_tools.hpp"
#include "gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

//! Check that labels and responses, and validation data, are given in one way.
static void CheckTruth(util::Params& params)
{
  using namespace util;
  if (params.Get<double>("validation_fraction") > 0)
    RequireOnlyOnePassed(params, { "validation", "validation_fraction" }, true,
        "either give validation data or hold out a fraction of the training "
        "data", true);
  RequireOnlyOnePassed(params, { "labels", "responses" }, true, "labels are "
      "for classification and responses for regression", true);
  for (const std::string name : { "labels", "responses" })
  {
    CheckTarget(params, name);
    if (params.Has("task"))
      RequireOnlyOnePassed(params, { name, "task" }, true, "labels are for "
          "classification and responses for regression", true);
  }
  RequireParamInSet<std::string>(params, "task", { "", "classification",
      "regression" }, true, "unknown task");
  RequireOnlyOnePassed(params, { "test_labels", "test_responses" }, true,
      "test labels are for classification and test responses for regression",
      true);

  const bool inTable = !params.Has("labels") && !params.Has("responses");
  const std::string truth = params.Has("responses") ? "validation_responses" :
      "validation_labels";
  if (params.Has("training") && params.Has("validation") && !inTable &&
      !params.Has(truth))
  {
    Log::Fatal << PRINT_PARAM_STRING("validation") << " needs "
        << PRINT_PARAM_STRING(truth) << "!" << std::endl;
  }
}

//! Whether any of these options is given.
static bool IsAnyGiven(util::Params& params,
                       const std::vector<std::string>& names)
{
  return std::any_of(names.begin(), names.end(), [&](const std::string& name)
      { return params.Has(name); });
}

//! Read what is predicted, and how training stops and is refined.
static void ReadTraining(util::Params& params, GBNNSettings& settings)
{
  using namespace util;
  RequireParamValue<int>(params, "refine_iterations",
      [](int x) { return x >= 0; }, true, "refine_iterations must not be "
      "negative");
  RequireParamValue<double>(params, "validation_fraction",
      [](double x) { return x >= 0 && x < 1; }, true, "validation_fraction "
      "must be greater than 0 and less than 1, or 0 for no validation");
  RequireParamValue<int>(params, "patience",
      [](int x) { return x >= 0; }, true, "patience must not be negative");
  settings.refineIterations = size_t(params.Get<int>("refine_iterations"));
  settings.validationFraction = params.Get<double>("validation_fraction");
  settings.patience = size_t(params.Get<int>("patience"));
  settings.train = params.Has("training");
  settings.test = params.Has("test");
  const std::string& task = params.Get<std::string>("task");
  settings.targetInTable = settings.train && !params.Has("labels") &&
      !params.Has("responses");
  if (params.Has("target"))
    settings.target = params.Get<std::string>("target");
  settings.announce = params.Has("target") || params.Has("task");
  settings.regression = settings.train && (params.Has("responses") ||
      task == "regression");
  settings.isTaskKnown = !params.Has("target") || !task.empty() ||
      settings.regression;
  settings.scale = !params.Has("no_scaling");
  settings.stagedScores = params.Has("staged_scores");
  if (params.Has("class_weights"))
    settings.classWeights = params.Get<std::string>("class_weights");
}

//! Tell about options of early stopping that have no effect.
static void ReportIgnoredValidation(util::Params& params,
                                    const GBNNSettings& settings)
{
  for (const std::string name : { "validation_labels", "validation_responses" })
    util::ReportIgnoredParam(params, { { "validation", false } }, name);
  if (!params.Has("validation") && settings.validationFraction == 0)
    ReportIgnored(params, "patience", "there is no validation data");
}

/**
 * Tell about options of the truth that a model of one kind does not have.
 *
 * @param params All parameters.
 * @param settings What was asked for; the task is known.
 * @param inputs What was given.
 * @param others Other options that are for classification only.
 */
static void ReportIgnoredByTask(util::Params& params,
                                const GBNNSettings& settings,
                                const GBNNInputs& inputs,
                                const std::vector<std::string>& others)
{
  const bool regression = settings.regression;
  if (settings.train && regression)
    ReportIgnored(params, "class_weights", "this is regression");
  if (!settings.test)
    return;
  std::vector<std::string> names = { "output_predictions", "test_responses" };
  if (regression)
  {
    names = { "predictions", "probabilities", "test_labels" };
    names.insert(names.end(), others.begin(), others.end());
  }
  for (const std::string& name : names)
  {
    ReportIgnored(params, name, std::string("the model is for ") +
        (regression ? "regression" : "classification"));
  }
  const std::string truth = regression ? "test_responses" : "test_labels";
  if (!inputs.test.labels && !inputs.test.responses)
  {
    ReportIgnored(params, "staged_scores", PRINT_PARAM_STRING(truth) + " is "
        "not specified");
  }
}

/**
 * Whether each of several processes needs only its own rows of the training
 * data: the target is in them, and nothing but the training looks at them.
 */
[[maybe_unused]] static bool NeedsOwnRows(util::Params& params,
                                          const GBNNSettings& settings)
{
  return IsShared(Ranks()) && settings.targetInTable && settings.saves &&
      !settings.inspection.NeedsPoints() && !settings.evaluation.IsWanted() &&
      !settings.tuning.isWanted && !settings.classWeights &&
      !params.Has("weights");
}

/**
 * Whether ranks may predict the points of a large table together: nothing looks
 * at several of them.  All ranks must ask.
 */
[[maybe_unused]] static bool CanShareTest(const GBNNSettings& settings)
{
  #ifdef BINDING_TABLE_IN_PARTS
  return IsShared(Ranks()) && !AnyRank(Ranks(), !settings.test ||
      settings.anytime.earlyExit || settings.inspection.NeedsPoints());
  #else
  (void) settings;
  return false;
  #endif
}

#ifdef BINDING_TABLE_IN_PARTS
/**
 * Load a table of which each rank may have its own rows; returns the ranks if
 * so.  If not, it returns nullptr, and each rank has all of them.
 *
 * @param params All parameters.
 * @param name Name of the table.
 * @param onlyFirst If set, only the first rank has the rows of a table that is
 *     not read in parts, and the others nothing: a pipe is read once.
 */
static const GBNNCommunicator* ReadInParts(util::Params& params,
                                           const std::string& name,
                                           const bool onlyFirst)
{
  BINDING_TABLE_IN_PARTS(name) = onlyFirst;
  params.Get<TableType>(name);
  return BINDING_TABLE_IN_PARTS(name) ? Ranks() : nullptr;
}
#endif

#ifdef BINDING_OWN_ROWS
//! Refuse what looks at all rows where each process has only its own, and
//! weights that only some have.
static void CheckOwnRows(util::Params& params)
{
  for (const std::string name : { "cv", "holdout", "tune", "importance",
      "dependence", "report", "class_weights" })
  {
    if (params.Has(name))
    {
      Log::Fatal << PRINT_PARAM_STRING(name) << " looks at all points of the "
          << "training data, but each of the " << Ranks()->Ranks()
          << " processes has only its own!" << std::endl;
    }
  }
  const size_t number = SumOfRanks(Ranks(), params.Has("weights") ? 1 : 0);
  if (number > 0 && number < Ranks()->Ranks())
  {
    Log::Fatal << PRINT_PARAM_STRING("weights") << " must be given by all "
        << "processes, or by none!" << std::endl;
  }
}
#endif

//! Load all data that is needed.
static GBNNInputs ReadInputs(util::Params& params,
                             const GBNNSettings& settings)
{
  GBNNInputs inputs;
  if (settings.train)
  {
    #ifdef BINDING_TABLE_IN_PARTS
    if (NeedsOwnRows(params, settings))
      inputs.ranks = ReadInParts(params, "training", false);
    #endif
    #ifdef BINDING_OWN_ROWS
    if (IsShared(Ranks()))
    {
      CheckOwnRows(params);
      inputs.ranks = Ranks();
    }
    #endif
    inputs.training = ReadPoints(params, "training", "", true);
    inputs.validation = ReadPoints(params, "validation", "validation_", true);
    inputs.weights = ReadInput<arma::rowvec>(params, "weights");
  }
  #ifdef BINDING_TABLE_IN_PARTS
  if (settings.sharesTest)
    inputs.testRanks = ReadInParts(params, "test", !settings.train);
  if (!settings.train && !inputs.testRanks && !IsFirstRank())
    return inputs;
  #endif
  inputs.test = ReadPoints(params, "test", "test_", true);
  ReadColumnNames(params, settings, inputs);
  return inputs;
}

//! Hand out the predictions.
static void StorePredictions(util::Params& params, GBNNResults& results)
{
  params.Get<arma::rowvec>("predictions") = std::move(results.predictions);
  params.Get<std::vector<std::string>>("label_names") =
      std::move(results.labelNames);
  params.Get<arma::mat>("probabilities") = std::move(results.probabilities);
  params.Get<arma::mat>("output_predictions") =
      std::move(results.outputPredictions);
  params.Get<arma::mat>("staged_scores") = std::move(results.stagedScores);
  params.Get<std::string>("summary") = std::move(results.summary);
}

} // namespace gbnn
} // namespace mlpack

#endif
