/**
 * @file methods/gbnn/binding/gbnn_training.hpp
 *
 * Trains a model as the settings say; for binding files only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_GBNN_TRAINING_HPP
#define MLPACK_METHODS_GBNN_BINDING_GBNN_TRAINING_HPP

#include "../class_weights.hpp"
#include "../gbnn_model.hpp"
#include "../tuning/gbnn_tuner.hpp"
#include "binding_tools.hpp"
#include "gbnn_progress.hpp"
#include "gbnn_settings.hpp"
#include "loss_tools.hpp"

namespace mlpack {
namespace gbnn {

//! What a model is trained on.
struct TrainingSet
{
  arma::mat data;
  arma::mat responses;
  PointLabels labels;
  //! What users know the labels by.
  std::string labelName;
  //! The labels as the classifier takes them.
  arma::Row<size_t> classes;
  //! Weights of the points without and with those of their classes, and of the
  //! classes, or empty.
  arma::rowvec pointWeights;
  arma::rowvec weights;
  arma::rowvec classWeights;

  //! Keep only some of the points; for a table that is not encoded yet.
  void Keep(const arma::uvec& points)
  {
    if (labels.Size() > 0)
      labels = labels.Of(points);
    else
      responses = responses.cols(points);
    for (arma::rowvec* ofPoints : { &pointWeights, &weights })
      if (!ofPoints->is_empty())
        *ofPoints = ofPoints->cols(points);
  }

  //! Number of points.
  size_t NumPoints() const
  {
    return (labels.Size() > 0) ? labels.Size() : responses.n_cols;
  }
};

/**
 * The rows of a rank, of points that all ranks have: about as many for each.
 * A process that works alone has all of them.
 */
class RowsOfRank
{
 public:
  //! @param points Number of points.
  explicit RowsOfRank(const size_t points)
  {
    if (!IsShared(Ranks()))
      return;
    const size_t ranks = Ranks()->Ranks(), rank = Ranks()->Rank();
    if (points < ranks)
    {
      Log::Fatal << points << " points are too few for " << ranks
          << " processes!" << std::endl;
    }
    begin = points * rank / ranks;
    end = points * (rank + 1) / ranks;
  }

  //! Keep the columns of this rank.
  template<typename MatType>
  void Keep(MatType& columns) const
  {
    if (end > 0 && !columns.is_empty())
      columns = MatType(columns.cols(begin, end - 1));
  }

 private:
  size_t begin = 0, end = 0;
};

/**
 * As long as this lives, a training set has the rows of this rank only, and a
 * model is trained by all ranks.
 */
template<typename ModelType>
class SharedTraining
{
 public:
  /**
   * @param settings What was asked for.
   * @param inputs What was given; tells whether ranks have only their rows.
   * @param set What all ranks have.  Where somebody needs it afterward, it
   *     gets its other rows back.
   * @param model The model.
   */
  SharedTraining(const GBNNSettings& settings,
                 const GBNNInputs& inputs,
                 TrainingSet& set,
                 ModelType& model) :
      set(set), model(model)
  {
    model.Communicator() = Ranks();
    if (!IsShared(Ranks()) || inputs.ranks)
      return;
    if (IsFirstRank() && (settings.inspection.NeedsPoints() ||
        !settings.saves))
      all = set;
    const RowsOfRank rows(set.NumPoints());
    rows.Keep(set.data);
    rows.Keep(set.responses);
    rows.Keep(set.classes);
    rows.Keep(set.weights);
  }

  ~SharedTraining()
  {
    model.Communicator() = nullptr;
    if (!all.data.is_empty())
      set = std::move(all);
  }

  SharedTraining(const SharedTraining&) = delete;
  SharedTraining& operator=(const SharedTraining&) = delete;

 private:
  TrainingSet& set;
  ModelType& model;
  TrainingSet all;
};

//! Check that sums with these weights will be numbers.
static void CheckSizes(const arma::rowvec& weights,
                       const std::string& name,
                       const GBNNCommunicator* ranks)
{
  // What they multiply, and its squares, come to that.
  const double maximum = 1e305;
  const double sum = MaxOfRanks(ranks, arma::accu(weights));
  if (!(sum <= maximum))
  {
    Log::Fatal << PRINT_PARAM_STRING(name) << " make the sum of all weights "
        << sum << ", but it must be at most " << maximum << "; divide them all "
        << "by the same number!" << std::endl;
  }
}

//! Check the weights, and take out the points whose weight is 0: they are to be
//! as good as absent, also from means, categories and labels.
static void ApplyWeights(arma::rowvec& weights,
                         arma::mat& points,
                         PointLabels& labels,
                         arma::mat& responses,
                         const GBNNCommunicator* ranks)
{
  CheckCount("weights", weights.n_elem, "training", points.n_cols);
  const size_t before = SumBefore(ranks, weights.n_elem);
  CheckNumbers(PRINT_PARAM_STRING("weights"), weights, before);
  const arma::uvec used = arma::find(weights > 0);
  const arma::uvec negative = arma::find(weights < 0);
  // All ranks fail together: one that goes on would wait for the others.
  if (AnyRank(ranks, !negative.is_empty()) ||
      SumOfRanks(ranks, used.n_elem) == 0)
  {
    Log::Fatal << PRINT_PARAM_STRING("weights") << " must not be negative, and "
        << "not all 0" << (negative.is_empty() ? "" : ", but that of point " +
        std::to_string(before + negative[0] + 1) + " is " +
        NumberText(weights[negative[0]])) << "!" << std::endl;
  }
  CheckSizes(weights, "weights", ranks);
  if (AnyRank(ranks, used.is_empty()))
  {
    Log::Fatal << PRINT_PARAM_STRING("weights") << " are all 0 on one of the "
        << "processes; give each of them a point that weighs more!"
        << std::endl;
  }
  if (used.n_elem == weights.n_elem)
    return;
  points = points.cols(used);
  weights = weights.cols(used);
  if (labels.Size() == 0)
    responses = responses.cols(used);
  else
    labels = labels.Of(used);
}

//! Check that validation and test data fit the training data, so that training
//! is not in vain.
static void CheckInputs(const GBNNSettings& settings, GBNNInputs& inputs)
{
  const arma::mat& points = std::get<1>(*inputs.training.table);
  if (inputs.validation.table)
  {
    const arma::mat& validation = std::get<1>(*inputs.validation.table);
    if (validation.n_cols == 0)
    {
      Log::Fatal << PRINT_PARAM_STRING("validation") << " has no points!"
          << std::endl;
    }
    if (validation.n_rows != points.n_rows)
    {
      Log::Fatal << PRINT_PARAM_STRING("validation") << " has "
          << validation.n_rows << " columns, but should have " << points.n_rows
          << " as " << PRINT_PARAM_STRING("training") << " has"
          << (settings.targetInTable ? " without its labels" : "") << "!"
          << std::endl;
    }
  }
  if (!inputs.test.table)
    return;
  const arma::mat& test = std::get<1>(*inputs.test.table);
  CheckTestPoints(points.n_rows + (settings.targetInTable ? 1 : 0), test,
      inputs.test.labels, settings.targetInTable);
  if (inputs.test.responses)
  {
    CheckCount("test_responses", inputs.test.responses->n_cols, "test",
        test.n_cols);
  }
}

//! Give a regressor the loss that was asked for, unless it goes on with its
//! own, and check that all responses suit it.
static void SetLoss(const GBNNSettings& settings,
                    const GBNNInputs& inputs,
                    GBNNModel::RegressorType& model)
{
  if (settings.warmStart)
    CheckSameLoss(settings.loss, model.Loss());
  else
    model.Loss() = ChosenLoss(settings.loss);
  const auto check = [&](const GivenPoints& points,
      const GBNNCommunicator* ranks)
  {
    if (points.responses)
      CheckResponses(points.truthName, *points.responses, model.Loss(),
          SumBefore(ranks, points.responses->n_cols));
  };
  check(inputs.training, inputs.ranks);
  check(inputs.test, inputs.testRanks);
  check(inputs.validation, nullptr);
}

//! Warn if some of several responses are so small that their errors hardly
//! count beside those of the others, in training or where models are compared.
static void WarnOfSizes(const arma::mat& responses,
                        const GBNNCommunicator* ranks)
{
  const double maxRatio = 100;
  arma::vec ranges(responses.n_rows);
  for (size_t k = 0; k < responses.n_rows; ++k)
  {
    const double none = -std::numeric_limits<double>::max();
    const bool any = (responses.n_cols > 0);
    ranges[k] = MaxOfRanks(ranks, any ? responses.row(k).max() : none) +
        MaxOfRanks(ranks, any ? -responses.row(k).min() : none);
  }
  const arma::uvec varying = arma::find(ranges > 0);
  if (varying.is_empty())
    return;
  const size_t most = ranges.index_max();
  const size_t least = varying[ranges.elem(varying).index_min()];
  if (ranges[most] <= maxRatio * ranges[least])
    return;
  Log::Warn << "Response " << least + 1 << " varies by " << ranges[least]
      << ", response " << most + 1 << " by " << ranges[most] << ".  Their "
      << "errors are added, so the small ones hardly count; bring "
      << "responses to the same size, or train a model for each." << std::endl;
}

//! Take the labels or responses, and the weights.
static void TakeTargets(const GBNNSettings& settings,
                        const GBNNInputs& inputs,
                        GBNNModel& model,
                        TrainingSet& set)
{
  arma::mat& raw = std::get<1>(*inputs.training.table);
  if (!settings.regression)
  {
    set.labels = *inputs.training.labels;
    CheckLabelCount("labels", set.labels, "training", raw.n_cols);
  }
  else
  {
    set.responses = *inputs.training.responses;
    CheckCount("responses", set.responses.n_cols, "training", raw.n_cols);
    CheckNumbers(inputs.training.truthName, set.responses,
        SumBefore(inputs.ranks, set.responses.n_cols));
    SetLoss(settings, inputs, model.Regressor());
  }
  set.labelName = inputs.training.truthName;
  if (inputs.weights)
  {
    set.weights = *inputs.weights;
    ApplyWeights(set.weights, raw, set.labels, set.responses, inputs.ranks);
    set.pointWeights = set.weights;
    if (set.weights.n_elem < inputs.weights->n_elem)
      set.labelName += " without the points of weight 0";
  }
  if (settings.regression && (settings.tuning.isWanted ||
      !IsHomogeneous(model.Regressor().Loss())))
    WarnOfSizes(set.responses, inputs.ranks);
  if (settings.classWeights && !settings.regression)
  {
    const ClassLabels known = settings.warmStart ? model.Labels() :
        ClassLabels(set.labels, set.labelName);
    set.classWeights = ApplyClassWeights(*settings.classWeights,
        known.Classes(set.labels, set.labelName), known, set.weights,
        PRINT_PARAM_STRING("class_weights"));
    CheckSizes(set.weights, "class_weights", inputs.ranks);
  }
}

/**
 * Check that a table can be encoded as the training data, without doing so.
 *
 * @param encoder Knows which columns have words.
 * @param points Other points than those for training.
 * @param name The parameter that they were given with.
 * @param ranks Those that have the other points, or nullptr.
 */
static void CheckEncodable(const TableEncoder& encoder,
                           const GivenPoints& points,
                           const std::string& name,
                           const GBNNCommunicator* ranks = nullptr)
{
  const size_t before = points.table ? SumBefore(ranks,
      std::get<1>(*points.table).n_cols) : 0;
  if (!points.table || std::get<1>(*points.table).is_empty())
    return;
  const auto& [info, data] = *points.table;
  // Infinite numbers may be anywhere.
  const size_t last = data.has_inf() ? data.n_cols - 1 : 0;
  encoder.Encode(arma::mat(data.cols(0, last)), info, PRINT_PARAM_STRING(name),
      before);
}

//! Check the responses of other points than those for training.
static void CheckOtherResponses(const GivenPoints& points,
                                const std::string& name,
                                const size_t responses,
                                const GBNNCommunicator* ranks = nullptr)
{
  if (!points.table || !points.responses)
    return;
  const arma::mat& truth = *points.responses;
  CheckCount(name + "_responses", truth.n_cols, name,
      std::get<1>(*points.table).n_cols);
  CheckNumbers(points.truthName, truth, SumBefore(ranks, truth.n_cols));
  if (truth.n_rows != responses)
  {
    Log::Fatal << PRINT_PARAM_STRING(name + "_responses") << " has "
        << truth.n_rows << " columns, but " << PRINT_PARAM_STRING("responses")
        << " has " << responses << "!" << std::endl;
  }
}

//! The classes of the points to stop early with.
static arma::Row<size_t> ClassesOfValidation(const GBNNInputs& inputs,
                                             const ClassLabels& known,
                                             const size_t points)
{
  PointLabels labels = *inputs.validation.labels;
  CheckLabelCount("validation_labels", labels, "validation", points);
  const std::string& name = inputs.validation.truthName;
  const arma::Row<size_t> classes = known.Classes(labels, name);
  if (classes.max() == known.Size())
  {
    Log::Fatal << "Label " << ShortText(labels.Text(classes.index_max()))
        << " of point " << classes.index_max() + 1 << " in " << name
        << " does not occur in training!" << std::endl;
  }
  return classes;
}

/**
 * Check all that is needed after training, or late in it, so that training is
 * not in vain.
 */
static void CheckBeforeTraining(const GBNNSettings& settings,
                                const GBNNInputs& inputs,
                                const GBNNModel& model,
                                const TrainingSet& set)
{
  const TableType& training = *inputs.training.table;
  // The encoder has the words for that.
  if (std::get<1>(training).is_empty())
    return;
  const size_t n = SumOfRanks(inputs.ranks, set.NumPoints());
  const double held = std::round(settings.validationFraction * double(n));
  if (settings.validationFraction > 0 && (held == 0 || held == double(n)))
  {
    Log::Fatal << PRINT_PARAM_STRING("validation_fraction") << " ("
        << settings.validationFraction << ") of " << n << " points is " << held
        << "; there must be some to validate on and some to train on!"
        << std::endl;
  }
  if (settings.inspection.dependence)
  {
    FindColumnName(inputs.training.names, std::get<1>(training).n_rows,
        *settings.inspection.dependence, PRINT_PARAM_STRING("dependence"));
  }
  // One point shows what its columns are.
  TableEncoder encoder = model.Encoder();
  if (!settings.warmStart)
  {
    encoder.Fit(arma::mat(std::get<1>(training).cols(0, 0)),
        std::get<0>(training), PRINT_PARAM_STRING("training"));
    encoder.Names(inputs.training.names);
  }
  CheckEncodable(encoder, inputs.validation, "validation");
  CheckEncodable(encoder, inputs.test, "test", inputs.testRanks);
  if (settings.regression)
  {
    const size_t responses = set.responses.n_rows;
    CheckOtherResponses(inputs.validation, "validation", responses);
    CheckOtherResponses(inputs.test, "test", responses, inputs.testRanks);
  }
  else
  {
    const ClassLabels known = settings.warmStart ? model.Labels() :
        ClassLabels(set.labels, set.labelName, inputs.ranks);
    if (inputs.test.labels)
    {
      known.Classes(*inputs.test.labels, inputs.test.truthName,
          SumBefore(inputs.testRanks, inputs.test.labels->Size()));
    }
    if (inputs.validation.table)
      ClassesOfValidation(inputs, known,
          std::get<1>(*inputs.validation.table).n_cols);
  }
  const TuningSettings& tuning = settings.tuning;
  if (tuning.isWanted && tuning.folds > set.NumPoints())
  {
    Log::Fatal << PRINT_PARAM_STRING("folds") << " (" << tuning.folds
        << ") must be at most the number of points (" << set.NumPoints()
        << ")!" << std::endl;
  }
}

//! Nothing comes between a table and the network.
struct NothingBelow
{
  void operator()(TrainingSet& /* set */, arma::mat& /* validation */) const { }
  void operator()(arma::mat& /* data */) const { }
};

//! Encode the points to stop early with as the training data.
static arma::mat ValidationPoints(const GBNNInputs& inputs,
                                  const GBNNModel& model)
{
  TableType& table = *inputs.validation.table;
  WarnOfUnseen(model.Encoder(), table, "validation");
  return model.Encoder().Encode(std::move(std::get<1>(table)),
      std::get<0>(table), PRINT_PARAM_STRING("validation"));
}

//! The points to stop early with, with what they or their classes weigh, if
//! there are such weights.
static GBNNValidation<arma::mat, arma::Row<size_t>> ValidationClasses(
    const GBNNInputs& inputs,
    const GBNNModel& model,
    const arma::rowvec& classWeights,
    arma::mat&& points)
{
  arma::Row<size_t> classes = ClassesOfValidation(inputs, model.Labels(),
      points.n_cols);
  arma::rowvec weights = inputs.validation.weights;
  if (weights.is_empty() && !classWeights.is_empty())
    weights = ClassWeights(classes, classWeights);
  const RowsOfRank rows(points.n_cols);
  rows.Keep(points);
  rows.Keep(classes);
  rows.Keep(weights);
  return { std::move(points), classes, weights };
}

//! The points to stop early with and their responses, which
//! CheckBeforeTraining() has looked at.
static GBNNValidation<arma::mat, arma::mat> ValidationResponses(
    const GBNNInputs& inputs, arma::mat&& points)
{
  const RowsOfRank rows(points.n_cols);
  arma::mat mine = *inputs.validation.responses;
  arma::rowvec weights = inputs.validation.weights;
  rows.Keep(points);
  rows.Keep(mine);
  rows.Keep(weights);
  return { std::move(points), std::move(mine), weights };
}

/**
 * Choose hyperparameters, if that was asked for.
 *
 * @param settings What was asked for.
 * @param model Gets the best hyperparameters.
 * @param numClasses Number of classes; 0 for regression.
 * @param points Number of points.
 * @param checkpoint Keeps what is finished.
 * @param compare compare(tuner) has the tuner compare all on the data.
 * @param results Get the scores.
 */
template<typename ModelType, typename CompareType>
static void Tune(const GBNNSettings& settings,
                 ModelType& model,
                 const size_t numClasses,
                 const size_t points,
                 const GBNNCheckpoint& checkpoint,
                 const CompareType& compare,
                 GBNNResults& results)
{
  if (!settings.tuning.isWanted)
    return;
  GBNNTuner tuner(settings.tuning.Grid(numClasses), settings.tuning.folds);
  if (tuner.Folds() > points)
  {
    Log::Fatal << PRINT_PARAM_STRING("folds") << " (" << tuner.Folds()
        << ") must be at most the number of points (" << points << ")!"
        << std::endl;
  }
  const size_t trainings = tuner.Folds() * tuner.Grid().Cells();
  Log::Info << "Tuning: " << tuner.Grid().Cells() << " combinations of "
      << "hyperparameters, " << trainings << " trainings." << std::endl;

  tuner.Checkpoint() = checkpoint;

  const ProgressPrinter printer;
  Progress progress(printer.Bar(), printer);
  tuner.Check() = [interrupt = settings.interrupt]() { interrupt.Check(); };
  size_t told = 0;
  tuner.Tell() = [&](const double done)
  {
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
  results.tuningScores = tuner.Table();
  results.tuningTable = tuner.Text();
}

/**
 * Have a model choose its inputs and its number of units, as far as that was
 * asked for.
 *
 * @param settings What was asked for.
 * @param model Gets the number of bins, 0 if inputs are linear, and of units.
 * @param results Get what was compared.
 * @param arguments What its Choose() is called with.
 */
template<typename ModelType, typename... ArgumentTypes>
static void Choose(const GBNNSettings& settings,
                   ModelType& model,
                   GBNNResults& results,
                   const ArgumentTypes&... arguments)
{
  const GBNNChoices& choices = settings.choices;
  if (settings.warmStart || (!choices.bins && !choices.units))
    return;
  ens::L_BFGS optimizer = ModelType::RefineOptimizer();
  CheckInterrupt interrupt = settings.interrupt;
  results.encodingChoice = model.Choose(choices, arguments..., optimizer,
      interrupt, settings.checkpoint);
  std::string what;
  const auto add = [&](const bool isChosen, const std::string& name)
  {
    if (isChosen)
      what += (what.empty() ? "" : " and of ") + name;
  };
  add(choices.bins, "the inputs");
  add(choices.units, "the number of units");
  add(choices.l2, "L2");
  if (results.encodingChoice.candidates.empty())
    Log::Info << "Too few points for a choice of " << what << "." << std::endl;
  else
    Log::Info << "Choice of " << what << " by the "
        << ChoiceSummary(results.encodingChoice) << "." << std::endl;
}

//! Tell how columns became inputs of the network.
template<typename ModelType>
static void ReportEncoding(const ModelType& model)
{
  Log::Info << "Inputs of the network: " << EncodingSummary(model) << "."
      << std::endl;
}

/**
 * Train anew, or add units, with a progress report.
 *
 * @param settings What was asked for.
 * @param model The model to train.
 * @param train Trains with the callbacks it is called with.
 * @param validation Points to stop early with, if there are any.
 */
template<typename ModelType, typename TrainType, typename... ValidationTypes>
static void TrainWith(const GBNNSettings& settings,
                      ModelType& model,
                      const TrainType& train,
                      const ValidationTypes&... validation)
{
  const size_t first = settings.warmStart ? model.Units() :
      model.FirstNetwork().Units();
  const ProgressPrinter printer;
  GBNNProgress progress(first, first + model.HiddenUnits(), printer.Bar(),
      printer);
  CheckInterrupt interrupt = settings.interrupt;
  train(progress, interrupt, settings.checkpoint, validation...);
  printer.End();
  ReportEncoding(model);
  const std::vector<double>& losses = model.ValidationLosses();
  if (!losses.empty())
  {
    Log::Info << "Kept " << model.Units() << " of "
        << model.LossUnits().back() << " units, with which the loss on the "
        << "validation data is lowest ("
        << *std::min_element(losses.begin(), losses.end()) << ")."
        << std::endl;
  }
}

//! Refine the model that boosting made, if that was asked for.
template<typename ModelType, typename TargetsType>
static void Refine(const GBNNSettings& settings,
                   ModelType& model,
                   const arma::mat& data,
                   const TargetsType& targets,
                   const arma::rowvec& weights)
{
  if (settings.refineIterations == 0)
    return;
  ens::L_BFGS optimizer = ModelType::RefineOptimizer();
  CheckInterrupt interrupt = settings.interrupt;
  model.Refine(data, targets, weights, optimizer, interrupt,
      settings.checkpoint);
  if (model.RefinedIterations() > 0)
  {
    Log::Info << "Refined all weights in " << model.RefinedIterations()
        << " iterations." << std::endl;
  }
  else
  {
    Log::Info << "Refinement does not help here; the network is what boosting "
        << "made." << std::endl;
  }
}

//! Give a model the settings of its training.
template<typename ModelType>
static void SetHyperparameters(const GBNNSettings& settings,
                               ModelType& model,
                               const size_t defaultUnitsPerStage)
{
  settings.boosting.Set(model, defaultUnitsPerStage, !settings.warmStart);
  if (!settings.warmStart)
    model.Bins() = settings.encoding.Bins();
  model.ValidationFraction() = settings.validationFraction;
  model.Patience() = settings.patience;
  model.Refinement().Iterations() = settings.refineIterations;
}

// Tuning is done by each rank on all points, with the same result.

//! Train for regression; validation data is encoded already, or empty.
static void TrainRegressor(const GBNNSettings& settings,
                           const GBNNInputs& inputs,
                           GBNNModel& model,
                           TrainingSet& set,
                           arma::mat&& validation,
                           GBNNResults& results)
{
  GBNNModel::RegressorType& regressor = model.Regressor();
  ChosenOptimizer optimizer(settings.boosting.optimizer, set.data.n_cols);
  SetHyperparameters(settings, regressor, 3);
  Tune(settings, regressor, 0, set.data.n_cols,
      settings.checkpoint.Part("tuning"), [&](GBNNTuner& tuner)
  {
    tuner.Compare(regressor, set.data, set.responses, set.weights, optimizer);
  }, results);
  const SharedTraining<GBNNModel::RegressorType> shared(settings, inputs, set,
      regressor);
  Choose(settings, regressor, results, set.data, set.responses, set.weights);
  const auto train = [&](auto&... callbacks)
  {
    if (settings.warmStart)
      regressor.Grow(set.data, set.responses, settings.boosting.hiddenUnits,
          set.weights, optimizer, callbacks...);
    else
      regressor.Train(set.data, set.responses, set.weights, optimizer,
          callbacks...);
  };
  if (inputs.validation.table)
    TrainWith(settings, regressor, train, ValidationResponses(inputs,
        std::move(validation)));
  else
    TrainWith(settings, regressor, train);
  Refine(settings, regressor, set.data, set.responses, set.weights);
}

//! Train for classification; validation data is encoded already, or empty.
static void TrainClassifier(const GBNNSettings& settings,
                            const GBNNInputs& inputs,
                            GBNNModel& model,
                            TrainingSet& set,
                            arma::mat&& validation,
                            GBNNResults& results)
{
  if (!settings.warmStart)
    model.Labels() = ClassLabels(set.labels, set.labelName, inputs.ranks);
  set.classes = model.Labels().Classes(set.labels, set.labelName);
  const size_t numClasses = model.Labels().Size();
  if (set.classes.max() == numClasses)
  {
    Log::Fatal << "Label "
        << ShortText(set.labels.Text(set.classes.index_max())) << " of point "
        << set.classes.index_max() + 1 << " in " << set.labelName << " is none "
        << "of the labels of the input model!" << std::endl;
  }
  GBNNClassifier<>& classifier = model.Classifier();
  ChosenOptimizer optimizer(settings.boosting.optimizer, set.data.n_cols);
  SetHyperparameters(settings, classifier, (numClasses == 2) ? 1 : 3);
  Tune(settings, classifier, numClasses, set.data.n_cols,
      settings.checkpoint.Part("tuning"), [&](GBNNTuner& tuner)
  {
    tuner.Compare(classifier, set.data, set.classes, numClasses, set.weights,
        optimizer);
  }, results);
  const SharedTraining<GBNNClassifier<>> shared(settings, inputs, set,
      classifier);
  Choose(settings, classifier, results, set.data, set.classes, numClasses,
      set.weights);
  const auto train = [&](auto&... callbacks)
  {
    if (settings.warmStart)
      classifier.Grow(set.data, set.classes, settings.boosting.hiddenUnits,
          set.weights, optimizer, callbacks...);
    else
      classifier.Train(set.data, set.classes, numClasses, set.weights,
          optimizer, callbacks...);
  };
  if (inputs.validation.table)
    TrainWith(settings, classifier, train, ValidationClasses(inputs, model,
        set.classWeights, std::move(validation)));
  else
    TrainWith(settings, classifier, train);
  Refine(settings, classifier, set.data, set.classes, set.weights);
}

/**
 * Encode the training data and train on it.
 *
 * @param settings What was asked for.
 * @param inputs What was given; tables are encoded in place.
 * @param set Labels or responses, and weights; gets the data.
 * @param timers For the times it takes, or nullptr.
 * @param below below(set, validation) makes the inputs of the network from the
 *     encoded points.
 * @param model The model to train.
 * @param results Get what is found out on the way.
 */
template<typename BelowType>
static void TrainOnTable(const GBNNSettings& settings,
                         const GBNNInputs& inputs,
                         TrainingSet& set,
                         util::Timers* timers,
                         const BelowType& below,
                         GBNNModel& model,
                         GBNNResults& results)
{
  auto& [info, raw] = *inputs.training.table;
  if (timers)
    timers->Start("gbnn_encoding");
  const std::string name = PRINT_PARAM_STRING("training");
  if (settings.warmStart)
    WarnOfUnseen(model.Encoder(), *inputs.training.table, "training");
  set.data = settings.warmStart ?
      model.Encoder().Encode(std::move(raw), info, name) :
      model.Encoder().Fit(std::move(raw), info, name, settings.scale,
          set.weights, inputs.ranks);
  NameColumns(settings, inputs, model.Encoder());
  arma::mat validation;
  if (inputs.validation.table)
    validation = ValidationPoints(inputs, model);
  if (timers)
  {
    timers->Stop("gbnn_encoding");
    timers->Start("gbnn_training");
  }
  below(set, validation);
  if (settings.regression)
    TrainRegressor(settings, inputs, model, set, std::move(validation),
        results);
  else
    TrainClassifier(settings, inputs, model, set, std::move(validation),
        results);
  if (timers)
    timers->Stop("gbnn_training");
}

} // namespace gbnn
} // namespace mlpack

#endif
