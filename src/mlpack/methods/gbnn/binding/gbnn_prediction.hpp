/**
 * @file methods/gbnn/binding/gbnn_prediction.hpp
 *
 * Predicts as the settings say; for binding files only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_GBNN_PREDICTION_HPP
#define MLPACK_METHODS_GBNN_BINDING_GBNN_PREDICTION_HPP

#include "../anytime/anytime_classifier.hpp"
#include "../anytime/prediction_time.hpp"
#include "../compute/random.hpp"
#include "../compute/shared_rows.hpp"
#include "../gbnn_model.hpp"
#include "../report/gbnn_summary.hpp"
#include "binding_tools.hpp"
#include "gbnn_settings.hpp"
#include "loss_tools.hpp"

namespace mlpack {
namespace gbnn {

//! The units that the wanted latency allows, at least one if there is one.
template<typename ModelType>
static size_t UnitsForOption(const double latency, const ModelType& model)
{
  const PredictionTime time(model);
  if (time.Units() == 0)
    return 0;
  const size_t units = model.CutWithin(std::max<size_t>(1,
      time.UnitsWithin(latency)));
  Log::Info << "Predicting a point takes " << time.Microseconds(0)
      << " us, and " << time.Microseconds(1) - time.Microseconds(0)
      << " us for each unit: "
      << units << " of " << time.Units() << " units take "
      << time.Microseconds(units) << " us." << std::endl;
  if (time.Microseconds(1) > latency)
  {
    Log::Warn << PRINT_PARAM_STRING("latency") << " (" << latency << " us) is "
        << "less than a prediction with one unit takes on this machine ("
        << time.Microseconds(1) << " us); predictions use one unit."
        << std::endl;
  }
  return units;
}

//! Switch off the units that predictions are not to use.
static void SetActiveUnits(const AnytimeSettings& settings, GBNNModel& model)
{
  if (settings.activeUnits)
  {
    const size_t units = *settings.activeUnits;
    if (units > model.Units())
    {
      Log::Warn << "The model has " << model.Units() << " units, fewer than "
          << PRINT_PARAM_STRING("active_units") << " (" << units << "); all of "
          << "them are used." << std::endl;
    }
    model.ActiveUnits(std::min(units, model.Units()));
    const size_t cut = model.CutWithin(model.ActiveUnits());
    if (cut < model.ActiveUnits())
    {
      Log::Warn << PRINT_PARAM_STRING("active_units") << " (" << units << ") "
          << "is between two cuts of the refined model; predictions can be "
          << "much worse than with " << cut << ", the cut below." << std::endl;
    }
  }
  if (settings.latency)
  {
    model.ActiveUnits(model.IsRegression() ?
        UnitsForOption(*settings.latency, model.Regressor()) :
        UnitsForOption(*settings.latency, model.Classifier()));
  }
}

//! Switch off the units that the first rank does not use, which measures its
//! own machine.
[[maybe_unused]] static void ShareActiveUnits(const GBNNCommunicator* ranks,
                                              GBNNModel& model)
{
  uint64_t units = model.ActiveUnits();
  if (IsShared(ranks))
    ranks->Broadcast(&units, sizeof(units), 0);
  model.ActiveUnits(size_t(units));
}

/**
 * Give the first rank the columns of all, in the order of the ranks; others
 * have none then.
 *
 * @param ranks The ranks, or nullptr for this process alone.
 * @param columns Those of this rank.
 */
template<typename MatType>
static void GatherColumns(const GBNNCommunicator* ranks, MatType& columns)
{
  if (!IsShared(ranks))
    return;
  const std::vector<size_t> shapes = GatherAll(ranks, std::vector<size_t>{
      columns.n_cols, columns.n_rows });
  std::vector<size_t> before(1, 0);
  size_t rows = 0;
  for (size_t r = 0; r < ranks->Ranks(); ++r)
  {
    before.push_back(before.back() + shapes[2 * r]);
    rows = std::max(rows, shapes[2 * r + 1]);
  }
  std::vector<size_t> after(ranks->Ranks() + 1, before.back());
  after[0] = 0;
  if (columns.n_cols == 0)
    columns.set_size(rows, 0);
  columns = MoveColumns(*ranks, columns, before, after);
}

/**
 * Calibrate on some of the points, chosen at random.  They are as those that
 * are predicted early then, but have had no part in training, as the training
 * data had; labels are not needed.  Returns the points; none if that cannot be
 * done.
 */
static arma::uvec CalibrateOnSome(AnytimeClassifier<>& anytime,
                                  const arma::mat& data,
                                  const double risk)
{
  if (risk == 0)
    return arma::uvec();
  const size_t needed = anytime.PointsNeeded(risk);
  if (data.n_cols / 2 < needed)
  {
    Log::Warn << PRINT_PARAM_STRING("early_exit") << " (" << risk << ") needs "
        << 2 * needed << " points in " << PRINT_PARAM_STRING("test") << " to "
        << "measure how often labels change, and there are " << data.n_cols
        << "; predictions end only where the label is certain." << std::endl;
    return arma::uvec();
  }
  const arma::uvec chosen = Random(1, RandomStream::CALIBRATION).Sample(
      arma::regspace<arma::uvec>(0, data.n_cols - 1),
      std::min<size_t>(data.n_cols / 2, 4 * needed));
  const ExitCalibration& found = anytime.Calibrate(data.cols(chosen), risk);
  Log::Info << "Early exit changes " << found.changed << " of " << found.points
      << " labels; with " << 100 * found.confidence << " % confidence, at most "
      << "a fraction of " << found.bound << "." << std::endl;
  return chosen;
}

/**
 * Predict classes with early exit.
 *
 * @param model The model.
 * @param risk Fraction of the labels that may differ.
 * @param data Points, one a column.
 * @param predictions Filled with the class of each point.
 * @param probabilities Filled with the probability of each class.
 * @param unitsUsed Filled with the number of units that each point took.
 * @return A line about the units that were used.
 */
static std::string ClassifyEarly(const GBNNClassifier<>& model,
                                 const double risk,
                                 const arma::mat& data,
                                 arma::Row<size_t>& predictions,
                                 arma::mat& probabilities,
                                 arma::rowvec& unitsUsed)
{
  AnytimeClassifier<> anytime(model);
  const arma::uvec chosen = CalibrateOnSome(anytime, data, risk);
  arma::Row<size_t> used;
  anytime.Classify(data, predictions, probabilities, used);
  if (!chosen.is_empty())
  {
    // These have been predicted with all units, so they get the best there is.
    arma::Row<size_t> classes;
    arma::mat shares;
    model.Classify(data.cols(chosen), classes, shares);
    predictions.cols(chosen) = classes;
    probabilities.cols(chosen) = shares;
    used.cols(chosen).fill(anytime.Units());
  }
  unitsUsed = arma::conv_to<arma::rowvec>::from(used);
  std::ostringstream line;
  line << "early exit: " << arma::mean(unitsUsed) << " of " << anytime.Units()
      << " units a point on average";
  Log::Info << line.str() << "." << std::endl;
  return line.str();
}

//! How many labels early exit has changed, in words; this takes all units.
static std::string CountChanged(const GBNNClassifier<>& model,
                                const arma::mat& data,
                                const arma::Row<size_t>& predictions)
{
  arma::Row<size_t> all;
  model.Classify(data, all);
  std::ostringstream text;
  text << arma::accu(all != predictions) << " of " << data.n_cols
      << " labels differ from those of all units";
  return text.str();
}

//! Predict the classes of the test data.
static void PredictClasses(const GBNNSettings& settings,
                           GBNNInputs& inputs,
                           const GBNNModel& model,
                           const arma::mat& data,
                           GBNNResults& results)
{
  arma::Row<size_t> predictions;
  const std::optional<double>& earlyExit = settings.anytime.earlyExit;
  std::string earlyLine;
  if (earlyExit)
    earlyLine = ClassifyEarly(model.Classifier(), *earlyExit, data, predictions,
        results.probabilities, results.unitsUsed);
  else
    model.Classifier().Classify(data, predictions, results.probabilities);
  GatherColumns(inputs.testRanks, predictions);
  GatherColumns(inputs.testRanks, results.probabilities);
  results.predictions = model.Labels().NumbersOf(predictions);
  if (!inputs.test.labels)
    return;

  PointLabels& labels = *inputs.test.labels;
  const PointLabels own = labels;
  GatherColumns(inputs.testRanks, labels.values);
  arma::Row<size_t> truth;
  if (IsFirstRank())
  {
    truth = TestClasses(labels, model.Labels(), predictions.n_elem,
        inputs.test.truthName);
    results.summary = ClassificationSummary(predictions, truth, model.Labels(),
        results.probabilities);
  }
  if (earlyExit)
  {
    results.summary += "\n" + earlyLine + "; " +
        CountChanged(model.Classifier(), data, predictions);
  }
  if (settings.stagedScores)
  {
    if (IsShared(inputs.testRanks))
    {
      truth = model.Labels().Classes(own, inputs.test.truthName,
          SumBefore(inputs.testRanks, own.Size()));
    }
    results.stagedScores = StagedTable(model.Classifier().StagedAccuracy(data,
        truth, inputs.testRanks));
  }
}

//! Predict the responses of the test data.
static void PredictResponses(const GBNNSettings& settings,
                             GBNNInputs& inputs,
                             const GBNNModel& model,
                             const arma::mat& data,
                             GBNNResults& results)
{
  const GBNNModel::RegressorType& regressor = model.Regressor();
  regressor.Predict(data, results.outputPredictions);
  GatherColumns(inputs.testRanks, results.outputPredictions);
  if (!inputs.test.responses)
    return;

  arma::mat& responses = *inputs.test.responses;
  if (responses.n_rows != regressor.NumResponses())
  {
    Log::Fatal << PRINT_PARAM_STRING("test_responses") << " has "
        << responses.n_rows << " columns, but the model has "
        << regressor.NumResponses() << " responses!" << std::endl;
  }
  if (settings.stagedScores && IsShared(inputs.testRanks))
  {
    results.stagedScores = StagedTable(regressor.StagedError(data, responses,
        inputs.testRanks));
  }
  GatherColumns(inputs.testRanks, responses);
  if (!IsFirstRank())
    return;
  CheckCount("test_responses", responses.n_cols, "test",
      results.outputPredictions.n_cols);
  CheckNumbers(inputs.test.truthName, responses);
  CheckResponses(inputs.test.truthName, responses, regressor.Loss());
  results.summary = RegressionSummary(results.outputPredictions, responses,
      regressor.Loss());
  if (settings.stagedScores && !IsShared(inputs.testRanks))
  {
    results.stagedScores = StagedTable(regressor.StagedError(data,
        responses));
  }
}

//! Keep the test data to look at the model with, unless there is training data
//! of which more is known.
static void KeepTest(const GBNNInputs& inputs,
                     const GBNNModel& model,
                     arma::mat&& data,
                     InspectedPoints& inspected)
{
  SeenPoints seen = { "test data", std::move(data), { }, { }, { } };
  if (inputs.test.responses)
    seen.responses = *inputs.test.responses;
  else if (inputs.test.labels)
    seen.classes = model.Labels().Classes(*inputs.test.labels,
        inputs.test.truthName);
  if (seen.IsKnown() || inspected.seen.points.is_empty())
    inspected.seen = std::move(seen);
}

/**
 * Predict the test data.  Ranks that have rows of it each do so together; the
 * first of them gets the predictions.
 *
 * @param settings What was asked for.
 * @param inputs What was given.
 * @param timers For the times it takes.
 * @param model The model.
 * @param below below(data) makes the inputs of the network from the encoded
 *     points.
 * @param inspected Get the points, if they are needed.
 * @param results Get the predictions.
 */
template<typename BelowType>
static void Predict(const GBNNSettings& settings,
                    GBNNInputs& inputs,
                    util::Timers& timers,
                    const GBNNModel& model,
                    const BelowType& below,
                    InspectedPoints& inspected,
                    GBNNResults& results)
{
  TableType& table = *inputs.test.table;
  if (!settings.inspection.report.empty() && inspected.table.columns.empty())
  {
    inspected.table = TableSummary("test data", std::get<1>(table),
        std::get<0>(table));
  }
  timers.Start("gbnn_encoding");
  WarnOfUnseen(model.Encoder(), table, "test");
  const size_t before = SumBefore(inputs.testRanks, std::get<1>(table).n_cols);
  arma::mat data = model.Encoder().Encode(std::move(std::get<1>(table)),
      std::get<0>(table), PRINT_PARAM_STRING("test"), before);
  timers.Stop("gbnn_encoding");

  timers.Start("gbnn_prediction");
  below(data);
  if (model.IsRegression())
    PredictResponses(settings, inputs, model, data, results);
  else
    PredictClasses(settings, inputs, model, data, results);
  timers.Stop("gbnn_prediction");
  if (settings.inspection.gradients)
  {
    results.inputGradients = ColumnGradients(model, data);
    GatherColumns(inputs.testRanks, results.inputGradients);
  }
  if (settings.inspection.NeedsPoints())
    KeepTest(inputs, model, std::move(data), inspected);
}

} // namespace gbnn
} // namespace mlpack

#endif
