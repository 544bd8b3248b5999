/**
 * @file methods/deep_gbnn/binding/deep_gbnn_training.hpp
 *
 * Trains trunk and head as the settings say; for the binding file of deep_gbnn
 * only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_BINDING_DEEP_GBNN_TRAINING_HPP
#define MLPACK_METHODS_DEEP_GBNN_BINDING_DEEP_GBNN_TRAINING_HPP

#include <mlpack/methods/gbnn/binding/gbnn_training.hpp>
#include <mlpack/methods/gbnn/compute/stratified.hpp>
#include "deep_gbnn_cost.hpp"
#include "deep_gbnn_scores.hpp"
#include "deep_gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

//! Tells, for each tenth of the epochs, how far the training of the trunk is.
class TrunkProgress
{
 public:
  TrunkProgress(const size_t epochs, const size_t points) :
      epochs(epochs), points(points) { }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  void EndEpoch(OptimizerType& /* optimizer */,
                FunctionType& /* function */,
                const MatType& /* coordinates */,
                const size_t epoch,
                const double objective)
  {
    if (10 * epoch / epochs != 10 * (epoch - 1) / epochs)
    {
      Log::Info << "Trunk: " << epoch << " of " << epochs << " epochs, "
          << "training loss " << objective / points << "." << std::endl;
    }
  }

 private:
  size_t epochs;
  size_t points;
};

//! Number of classes or responses.
inline size_t NumOutputs(const DeepSettings& settings, const TrainingSet& set)
{
  return settings.regression ? set.responses.n_rows :
      ClassLabels(set.labels, set.labelName).Size();
}

//! Train the trunk.
inline void TrainTrunk(const DeepSettings& settings,
                       const TrainingSet& set,
                       DeepGBNNModel& model)
{
  arma::mat targets = set.responses;
  if (!settings.regression)
  {
    const ClassLabels labels(set.labels, set.labelName);
    targets = arma::conv_to<arma::mat>::from(labels.Classes(set.labels,
        set.labelName));
  }
  TrunkProgress progress(settings.trunk.epochs, set.data.n_cols);
  CheckInterrupt interrupt = settings.interrupt;
  model.TrainTrunk(settings.trunk, set.data, targets, set.weights,
      NumOutputs(settings, set), settings.boosting.seed, progress, interrupt);
}

/**
 * Have a head begin with the trunk's own last layers, if it can.
 *
 * @param settings What was asked for.
 * @param last The layers.
 * @param loss The loss of the head, for as many classes as there are.
 * @param set The features and their weights.
 * @param outputs Number of classes or responses.
 * @param head The head.
 */
template<typename LossType, typename HeadType>
void BeginWith(const DeepSettings& settings,
               const LastLayers<arma::mat>& last,
               const LossType& loss,
               const TrainingSet& set,
               const size_t outputs,
               HeadType& head)
{
  if (last.Suits(loss, settings.boosting.activation, outputs))
  {
    arma::vec start;
    if (settings.regression)
      start = loss.Start(set.responses, set.weights);
    head.FirstNetwork() = last.Network(loss, set.data, set.weights, start);
  }
}

//! The first point of each class that has none among some points.
inline arma::uvec PointsOfOtherClasses(const PointLabels& labels,
                                       const arma::uvec& points)
{
  std::set<double> kinds;
  for (const arma::uword i : points)
    kinds.insert(labels.values[i]);
  std::vector<arma::uword> others;
  for (size_t i = 0; i < labels.Size(); ++i)
    if (kinds.insert(labels.values[i]).second)
      others.push_back(i);
  return arma::uvec(others);
}

/**
 * Make features of the training data, and have the head begin with the trunk.
 *
 * @param settings What was asked for.
 * @param data Points as the trunk takes them.
 * @param set Gets the features; loses the points that are not chosen.
 * @param model The trained trunk, and the head.
 */
inline void PrepareHead(const DeepSettings& settings,
                        const arma::mat& data,
                        TrainingSet& set,
                        DeepGBNNModel& model)
{
  const OneBlasThread oneBlasThread;
  FrozenLayers<arma::mat> frozen = model.Frozen();
  arma::uvec chosen = frozen.ChoosePoints("deep_gbnn", data.n_cols,
      settings.maxFeatureMemory, settings.boosting.seed);
  // The head has the classes of the trunk.
  if (!chosen.is_empty() && !settings.regression)
  {
    chosen = arma::sort(arma::join_cols(chosen,
        PointsOfOtherClasses(set.labels, chosen)));
  }
  frozen.Predict(data, chosen, set.data, DeepGBNNModel::batchSize);
  const size_t outputs = NumOutputs(settings, set);
  if (!chosen.is_empty())
    set.Keep(chosen);
  const LastLayers<arma::mat> last = model.Last();
  if (settings.regression)
  {
    auto& regressor = model.Head().Regressor();
    BeginWith(settings, last, regressor.Loss(), set, outputs, regressor);
  }
  else
  {
    LogLoss loss;
    arma::mat none;
    loss.Encode(arma::Row<size_t>(), outputs, none);
    BeginWith(settings, last, loss, set, outputs, model.Head().Classifier());
  }
}

/**
 * Hold points out of the training data for early stopping, as if they were
 * given by themselves: the trunk is not to see them either.
 *
 * @param settings What was asked for.
 * @param inputs What was given; its training data loses the points.
 * @param set Labels or responses, and weights, which lose the points.
 * @param table Gets the points.
 */
inline void HoldOut(DeepSettings& settings,
                    GBNNInputs& inputs,
                    TrainingSet& set,
                    TableType& table)
{
  if (settings.validationFraction == 0)
    return;
  const size_t n = set.NumPoints();
  const arma::mat targets = settings.regression ? set.responses :
      arma::conv_to<arma::mat>::from(set.labels.values);
  Random random(settings.boosting.seed, RandomStream::VALIDATION_HOLDOUT);
  arma::uvec isHeld(n, arma::fill::zeros);
  isHeld.elem(StratifiedSample(targets, arma::regspace<arma::uvec>(0, n - 1),
      settings.validationFraction, random)).ones();
  // A class must keep a point to be trained on.
  if (!settings.regression)
  {
    isHeld.elem(PointsOfOtherClasses(set.labels,
        arma::find(isHeld == 0))).zeros();
  }
  const arma::uvec held = arma::find(isHeld == 1);
  const arma::uvec kept = arma::find(isHeld == 0);
  if (held.is_empty() || kept.is_empty())
  {
    Log::Fatal << PRINT_PARAM_STRING("validation_fraction") << " ("
        << settings.validationFraction << ") of " << n << " points leaves none "
        << "to validate on, or none to train on!" << std::endl;
  }
  auto& [info, raw] = *inputs.training.table;
  table = TableType(info, raw.cols(held));
  inputs.validation.table = &table;
  inputs.validation.truthName = "the points held out";
  if (settings.regression)
    inputs.validation.responses = set.responses.cols(held);
  else
    inputs.validation.labels = set.labels.Of(held);
  if (!set.weights.is_empty())
    inputs.validation.weights = set.weights.cols(held);
  raw = arma::mat(raw.cols(kept));
  set.Keep(kept);
  settings.validationFraction = 0;
}

/**
 * Refine the head, if that was asked for; with validation data, only if that
 * does not lose by it.  (What Refine() holds out, the trunk has seen.)
 *
 * @param settings What was asked for.
 * @param set The features, and what is known of them.
 * @param loss loss(head) is that of the validation data; NaN without one.
 * @param head The head.
 */
template<typename LossOfType>
void RefineHead(const DeepSettings& settings,
                const TrainingSet& set,
                const LossOfType& loss,
                GBNNModel& head)
{
  if (settings.refineIterations == 0)
    return;
  const GBNNModel before = head;
  const auto refine = [&](auto& model, const auto& truth)
  {
    model.Refinement().Iterations() = settings.refineIterations;
    Refine(settings, model, set.data, truth, set.weights);
  };
  if (settings.regression)
    refine(head.Regressor(), set.responses);
  else
    refine(head.Classifier(), set.classes);
  if (loss(head) > loss(before))
  {
    Log::Info << "The validation data loses by that; the head is what boosting "
        << "made." << std::endl;
    head = before;
  }
}

//! Train trunk and head on the training data.
inline void TrainModel(DeepSettings& settings,
                       GBNNInputs& inputs,
                       util::Timers& timers,
                       DeepGBNNModel& model,
                       DeepResults& results)
{
  CheckInputs(settings, inputs);
  GBNNModel& head = model.Head();
  head.IsRegression() = settings.regression;
  TrainingSet set;
  TakeTargets(settings, inputs, head, set);
  CheckBeforeTraining(settings, inputs, head, set);
  CheckCost(CostOfTraining(settings, *inputs.training.table,
      NumOutputs(settings, set)));
  ChooseSeed(settings.boosting.seed);
  TableType table;
  HoldOut(settings, inputs, set, table);

  OptimizerSettings& optimizer = settings.boosting.optimizer;
  if (optimizer.maxIterations.value == 0)
  {
    const size_t points = set.NumPoints();
    optimizer.maxIterations.value = !optimizer.IsStochastic() ? 200 :
        DeepGBNN<>::DefaultPasses(points, std::min(points,
        optimizer.batchSize));
  }
  // Refinement of the head comes after it.
  DeepSettings boosting = settings;
  boosting.refineIterations = 0;
  const TrainingSet all = set;
  arma::mat data, validation, features;
  TrainOnTable(boosting, inputs, set, &timers, [&](TrainingSet& training,
      arma::mat& ofValidation)
  {
    timers.Start("deep_gbnn_trunk");
    TrainTrunk(settings, training, model);
    timers.Stop("deep_gbnn_trunk");
    data = std::move(training.data);
    PrepareHead(settings, data, training, model);
    validation = std::move(ofValidation);
    if (!validation.is_empty())
      ofValidation = features = model.Features(validation);
  }, head, results);

  const GivenPoints& held = inputs.validation;
  const PointLabels heldLabels = held.labels ? *held.labels : PointLabels();
  const arma::mat heldResponses = held.responses ? *held.responses :
      arma::mat();
  // Boosting has stopped by the same weights.
  arma::rowvec heldWeights = held.weights;
  if (held.labels && heldWeights.is_empty() && !set.classWeights.is_empty())
  {
    heldWeights = ClassWeights(ClassesOfValidation(inputs, head.Labels(),
        features.n_cols), set.classWeights);
  }
  RefineHead(settings, set, [&](const GBNNModel& of)
  {
    // The second score of a classifier is its log loss.
    return validation.is_empty() ? arma::datum::nan : Scores(of, features,
        heldLabels, heldResponses, heldWeights,
        held.truthName)[settings.regression ? 0 : 1];
  }, head);
  head.Classifier().FirstNetwork() = BoostedNetwork<>();
  head.Regressor().FirstNetwork() = BoostedNetwork<>();
  if (!settings.saves)
    ReportTraining(head, set);
  if (inputs.test.labels || inputs.test.responses)
    return;
  if (!validation.is_empty())
    Compare("validation", model, validation, heldLabels, heldResponses,
        held.truthName, results);
  else
    Compare("training", model, data, all.labels, all.responses, all.labelName,
        results);
}

} // namespace gbnn
} // namespace mlpack

#endif
