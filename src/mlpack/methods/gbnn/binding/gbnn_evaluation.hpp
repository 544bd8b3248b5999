/**
 * @file methods/gbnn/binding/gbnn_evaluation.hpp
 *
 * Scores of the model that the settings train, on points that it has not seen;
 * for binding files only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_GBNN_EVALUATION_HPP
#define MLPACK_METHODS_GBNN_BINDING_GBNN_EVALUATION_HPP

#include "../compute/point_blocks.hpp"
#include "../compute/stratified.hpp"
#include "announce.hpp"
#include "gbnn_cost.hpp"
#include "gbnn_training.hpp"
#include "training_scores.hpp"

namespace mlpack {
namespace gbnn {

/**
 * Where points that are held out have taken a class with them: weights of the
 * other classes, and validation points of these.
 *
 * @param all All points.
 * @param inputs What was given; loses validation points of that class.
 * @param set The points to train with; gets the weights of its classes.
 */
static void TakeOwnClasses(const TrainingSet& all,
                           GBNNInputs& inputs,
                           TrainingSet& set)
{
  const ClassLabels known(all.labels, all.labelName, inputs.ranks);
  const ClassLabels own(set.labels, all.labelName, inputs.ranks);
  if (own.Size() == known.Size())
    return;
  if (!all.classWeights.is_empty())
  {
    set.classWeights.set_size(own.Size());
    for (size_t k = 0; k < own.Size(); ++k)
      set.classWeights[k] = all.classWeights[known.Find(own.Name(k))];
  }
  GivenPoints& validation = inputs.validation;
  if (!validation.table)
    return;
  const arma::uvec kept = arma::find(own.Classes(*validation.labels,
      validation.truthName) < own.Size());
  if (kept.is_empty())
  {
    validation.table = nullptr;
    return;
  }
  arma::mat& points = std::get<1>(*validation.table);
  points = arma::mat(points.cols(kept));
  validation.labels = validation.labels->Of(kept);
  if (!validation.weights.is_empty())
    validation.weights = arma::rowvec(validation.weights.cols(kept));
}

//! Train as the settings say on some of the points, and score the others.
static arma::vec ScoreSplit(const GBNNSettings& settings,
                            const GBNNInputs& inputs,
                            const TrainingSet& all,
                            const arma::uvec& kept,
                            const arma::uvec& holdout)
{
  const auto& [info, raw] = *inputs.training.table;
  TableType table(info, raw.cols(kept));
  // Encoding is done in place.
  GBNNInputs own = inputs;
  TableType validation;
  if (inputs.validation.table)
  {
    validation = *inputs.validation.table;
    own.validation.table = &validation;
  }
  own.training.table = &table;
  TrainingSet set;
  set.labelName = all.labelName;
  set.classWeights = all.classWeights;
  if (settings.regression)
    set.responses = all.responses.cols(kept);
  else
    set.labels = all.labels.Of(kept);
  const auto of = [](const arma::rowvec& weights, const arma::uvec& points)
  {
    return weights.is_empty() ? arma::rowvec() :
        arma::rowvec(weights.cols(points));
  };
  set.weights = of(all.weights, kept);
  if (!settings.regression)
    TakeOwnClasses(all, own, set);

  GBNNModel model;
  model.IsRegression() = settings.regression;
  if (settings.regression)
    model.Regressor().Loss() = ChosenLoss(settings.loss);
  GBNNResults results;
  TrainOnTable(settings, own, set, nullptr, NothingBelow(), model, results);
  if (settings.anytime.activeUnits)
    model.ActiveUnits(std::min(*settings.anytime.activeUnits, model.Units()));
  const arma::mat data = model.Encoder().Encode(raw.cols(holdout), info,
      PRINT_PARAM_STRING("training"));
  return Scores(model, data, settings.regression ? PointLabels() :
      all.labels.Of(holdout), settings.regression ?
      arma::mat(all.responses.cols(holdout)) : arma::mat(),
      of(all.pointWeights, holdout), all.labelName);
}

/**
 * The fold of each point: stratified folds, numbered from 0.  A single
 * holdout is fold 0.
 */
static arma::uvec EvaluationFolds(const GBNNSettings& settings,
                                  const TrainingSet& set,
                                  const size_t seed)
{
  const size_t n = set.NumPoints();
  const arma::mat targets = settings.regression ? set.responses :
      arma::conv_to<arma::mat>::from(set.labels.values);
  const arma::uvec points = arma::regspace<arma::uvec>(0, n - 1);
  Random random(seed, RandomStream::FOLDS);
  if (settings.evaluation.folds > 0)
    return StratifiedFolds(targets, points, settings.evaluation.folds,
        !settings.regression, random);
  arma::uvec folds(n, arma::fill::ones);
  folds.elem(StratifiedSample(targets, points, settings.evaluation.holdout,
      random)).zeros();
  return folds;
}

//! As long as this lives, the log says nothing but warnings.
class SilentLog
{
 public:
  SilentLog() : before(Log::Info.ignoreInput) { Log::Info.ignoreInput = true; }
  ~SilentLog() { Log::Info.ignoreInput = before; }

 private:
  bool before;
};

/**
 * Score the very model that the settings train, on points that are held out of
 * its training: encoding, tuning, early stopping and refinement are done anew
 * each time.
 *
 * @param settings What was asked for.
 * @param inputs What was given; the training data is not encoded yet.
 * @param set Labels or responses, and weights.
 * @param model Knows what the loss is.
 * @param results Get the scores.
 */
static void Evaluate(const GBNNSettings& settings,
                     const GBNNInputs& inputs,
                     const TrainingSet& set,
                     const GBNNModel& model,
                     GBNNResults& results)
{
  const size_t folds = settings.evaluation.folds, n = set.NumPoints();
  if (folds > n)
  {
    Log::Fatal << PRINT_PARAM_STRING("cv") << " (" << folds << ") must be at "
        << "most the number of points (" << n << ")!" << std::endl;
  }
  const arma::uvec foldOf = EvaluationFolds(settings, set,
      settings.boosting.seed);
  if (!arma::any(foldOf == 0) || arma::all(foldOf == 0))
  {
    Log::Fatal << PRINT_PARAM_STRING("holdout") << " leaves no point to train "
        << "on, or none to score, of " << n << "!" << std::endl;
  }
  const std::vector<std::string> names = ScoreNames(model);
  const size_t jobs = std::max<size_t>(1, folds);
  for (size_t fold = 0; fold < jobs && !settings.regression; ++fold)
  {
    const PointLabels kept = set.labels.Of(arma::find(foldOf != fold));
    if (DistinctLabels(kept, nullptr).n_elem < 2)
    {
      Log::Fatal << "Without the points held out for scores, there is only one "
          << "class ('" << ShortText(kept.Text(0)) << "') to train on; the "
          << "others have too few points for " << PRINT_PARAM_STRING(folds > 0
          ? "cv" : "holdout") << "!" << std::endl;
    }
  }
  arma::mat scores(names.size(), jobs);

  {
    const SilentLog silent;
    const auto score = [&](const size_t fold)
    {
      GBNNSettings ofFold = settings;
      const GBNNCheckpoint& checkpoint = ofFold.checkpoint =
          settings.checkpoint.Part("fold " + std::to_string(fold));
      arma::vec result;
      if (!checkpoint.Recall("scores", result))
      {
        result = ScoreSplit(ofFold, inputs, set, arma::find(foldOf != fold),
            arma::find(foldOf == fold));
        checkpoint.Forget();
        checkpoint.Keep("scores", result);
      }
      checkpoint.Require("scores", result.n_elem == names.size());
      scores.col(fold) = result;
    };
    // Ranks have to train the same fold at a time.
    for (size_t fold = 0; IsShared(Ranks()) && fold < jobs; ++fold)
      score(fold);
    if (!IsShared(Ranks()))
      InParallel(jobs, score);
  }

  std::ostringstream head;
  if (folds > 0)
    head << "cross-validation, " << folds << " folds: ";
  else
    head << "holdout of " << arma::accu(foldOf == 0) << " of " << n
        << " points: ";
  results.evaluationSummary = head.str() + ScoreText(names, scores);
  results.evaluationScores = std::move(scores);
  Announce(results.evaluationSummary);
  if (isProgram)
    results.evaluationSummary.clear();
}

//! Train the model on the training data.
static void TrainModel(GBNNSettings& settings,
                       GBNNInputs& inputs,
                       util::Timers& timers,
                       GBNNModel& model,
                       InspectedPoints& inspected,
                       GBNNResults& results)
{
  CheckInputs(settings, inputs);
  model.IsRegression() = settings.regression;
  TrainingSet set;
  TakeTargets(settings, inputs, model, set);
  CheckBeforeTraining(settings, inputs, model, set);
  CheckCost(CostOfTraining(settings, inputs, SumOfRanks(inputs.ranks,
      set.NumPoints()), settings.regression ? set.responses.n_rows :
      DistinctLabels(set.labels, inputs.ranks).n_elem));
  if (!settings.inspection.report.empty())
  {
    inspected.table = TableSummary("training data", std::get<1>(
        *inputs.training.table), std::get<0>(*inputs.training.table));
  }
  const bool isRandom = (settings.boosting.seed == 0);
  ChooseSeed(settings.boosting.seed, settings.checkpoint);
  if (settings.evaluation.IsWanted())
  {
    timers.Start("gbnn_evaluation");
    Evaluate(settings, inputs, set, model, results);
    timers.Stop("gbnn_evaluation");
  }
  TrainOnTable(settings, inputs, set, &timers, NothingBelow(), model, results);
  // The model knows that nobody has asked for its seed.
  if (isRandom && !settings.warmStart)
    (settings.regression ? model.Regressor().Seed() :
        model.Classifier().Seed()) = 0;
  // The first rank does the rest.
  if (!IsFirstRank())
    return;
  if (!settings.saves)
    ReportTraining(model, set);
  if (settings.inspection.NeedsPoints())
  {
    inspected.seen = { "training data", std::move(set.data),
        std::move(set.classes), std::move(set.responses),
        std::move(set.weights) };
  }
  if (!settings.inspection.report.empty())
    inspected.trained = SeenSummary(model, inspected.seen);
}

} // namespace gbnn
} // namespace mlpack

#endif
