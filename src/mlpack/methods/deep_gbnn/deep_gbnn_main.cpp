/**
 * @file methods/deep_gbnn/deep_gbnn_main.cpp
 *
 * A program to train and use a boosted head on the first layers of a deep dense
 * network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/core.hpp>

#undef BINDING_NAME
#define BINDING_NAME deep_gbnn

#include <mlpack/core/util/mlpack_main.hpp>

#include <mlpack/methods/gbnn/binding/gbnn_progress.hpp>
#include <mlpack/methods/gbnn/binding/target_column.hpp>
#include <mlpack/methods/gbnn/binding/training_cost.hpp>
#include <mlpack/methods/gbnn/report/gbnn_summary.hpp>

#include "deep_gbnn_model.hpp"

using namespace mlpack;
using namespace mlpack::gbnn;
using namespace mlpack::util;

// Program Name.
BINDING_USER_NAME("Deep Gradient Boosted Neural Networks");

// Short description.
BINDING_SHORT_DESC(
    "An implementation of Deep-GBNN for classification: a deep dense network "
    "is trained, its first layers are frozen, and in place of the others a "
    "gradient boosted neural network (GBNN) is trained on what comes out of "
    "them.");

// Long description.
BINDING_LONG_DESC(
    "This program trains a deep network of dense layers, the trunk; drops its "
    "last hidden layer and its output; and trains a gradient boosted neural "
    "network, the head, on what comes out of the layers that remain, which "
    "stay as they are.  The last units of the head can be switched off when "
    "predicting, with " + PRINT_PARAM_STRING("active_units") + "."
    "\n\n"
    "Training data is given with " + PRINT_PARAM_STRING("training") + " and "
    "may have numeric and categorical columns and missing values.  Labels "
    "(words or whole numbers) are given with " + PRINT_PARAM_STRING("labels") +
    "; without them, the last column of the training data is taken for the "
    "labels, or the one that " + PRINT_PARAM_STRING("target") + " names.  "
    "Where columns have names, those of test data may be in any order, and "
    "more than needed; the target may be among them.  Categories are turned "
    "into columns of 0 and 1, and numbers are scaled to mean 0 and variance 1 "
    "(unless " +
    PRINT_PARAM_STRING("no_scaling") + " is given).  A missing word is a "
    "category of its own; a missing number becomes the mean of its column, and "
    "a column of 0 and 1 says which ones are missing.  All this is kept in "
    "the model and applied to test data as well."
    "\n\n"
    "The trunk has the hidden layers that " + PRINT_PARAM_STRING("layers") +
    " gives the sizes of, with ReLU, and is trained for " +
    PRINT_PARAM_STRING("trunk_epochs") + " passes over the data by " +
    PRINT_PARAM_STRING("trunk_optimizer") + ".  The head stands on the first " +
    PRINT_PARAM_STRING("frozen_layers") + " of them, and gets " +
    PRINT_PARAM_STRING("hidden_units") + " hidden units, " +
    PRINT_PARAM_STRING("units_per_stage") + " in each stage.  A stage is "
    "trained on a random subsample of the points (" +
    PRINT_PARAM_STRING("subsample") + ") by the optimizer chosen with " +
    PRINT_PARAM_STRING("optimizer") + " and multiplied by " +
    PRINT_PARAM_STRING("learning_rate") + "."
    "\n\n"
    "Points to predict are given with " + PRINT_PARAM_STRING("test") + ".  "
    "Predicted labels go to " + PRINT_PARAM_STRING("predictions") + " and the "
    "probability of each class (in ascending order of the labels) to " +
    PRINT_PARAM_STRING("probabilities") + ".  When " +
    PRINT_PARAM_STRING("test_labels") + " is given, or the test data has the "
    "target, " +
    PRINT_PARAM_STRING("summary") + " tells how good the predictions are, " +
    PRINT_PARAM_STRING("trunk_accuracy") + " and " +
    PRINT_PARAM_STRING("accuracy") + " compare the trunk by itself with the "
    "Deep-GBNN, and " + PRINT_PARAM_STRING("staged_scores") + " has the "
    "accuracy for each number of active units.  Without test labels, training "
    "compares the two on the training data.");

// Example.
BINDING_EXAMPLE(
    "For example, to train a trunk of three layers and a head with 100 units "
    "on " + PRINT_DATASET("data") + " with labels " + PRINT_DATASET("labels") +
    ", and save the model to " + PRINT_MODEL("model") + ", call"
    "\n\n" +
    PRINT_CALL("deep_gbnn", "training", "data", "labels", "labels",
        "trunk_epochs", 20, "hidden_units", 100, "output_model", "model") +
    "\n\n"
    "Then, to classify the points in " + PRINT_DATASET("test_set") + ", saving "
    "the predicted labels to " + PRINT_DATASET("predictions") + ", call"
    "\n\n" +
    PRINT_CALL("deep_gbnn", "input_model", "model", "test", "test_set",
        "predictions", "predictions"));

// See also...
BINDING_SEE_ALSO("Sequential Training of Neural Networks with Gradient "
    "Boosting (pdf)", "https://arxiv.org/pdf/1909.12098");
BINDING_SEE_ALSO("DeepGBNN C++ class documentation",
    "@doc/user/methods/deep_gbnn.md");

// Data.
PARAM_MATRIX_AND_INFO_IN("training", "Training data, one point a row; columns "
    "may be numeric or categorical, and cells may be missing.", "t");
PARAM_STRING_IN("target", "Column of the data that has the labels: its name, "
    "or its number from 1 on.  Test data may have it, too.", "", "");
PARAM_MATRIX_AND_INFO_IN("labels", "Labels of the training data, in one "
    "column: words or whole numbers.", "l");
PARAM_MATRIX_AND_INFO_IN("test", "Points to predict.", "T");
PARAM_MATRIX_AND_INFO_IN("test_labels", "Labels of the points to predict, if "
    "they are known.", "L");
PARAM_VECTOR_IN(std::string, "column_names", "Names of the columns of the "
    "training data.  Unless these are given, they are those that the data has.",
    "");
PARAM_VECTOR_IN(std::string, "test_column_names", "Names of the columns of the "
    "test data, which is put in the order of the training data by them.", "");

// Models.
PARAM_MODEL_IN(DeepGBNNModel, "input_model", "A model trained before.", "m");
PARAM_MODEL_OUT(DeepGBNNModel, "output_model", "The trained model.", "M");

// Results.
PARAM_ROW_OUT("predictions", "Predicted label of each point of the test data.",
    "p");
PARAM_VECTOR_OUT(std::string, "label_names", "The names of the classes, in "
    "ascending order, if labels are words.  Predictions are places in this "
    "list then, from 0 on, unless the front end puts the words in.", "");
PARAM_MATRIX_OUT("probabilities", "Probability of each class, in ascending "
    "order of the labels, for each point of the test data.", "P");
PARAM_MATRIX_OUT("staged_scores", "For each number of active units: that "
    "number, and the accuracy on the test data.", "");
PARAM_DOUBLE_OUT("trunk_accuracy", "Accuracy of the trunk with its own last "
    "layers, on the test data, or on the training data if there are no test "
    "labels.");
PARAM_DOUBLE_OUT("accuracy", "Accuracy of the Deep-GBNN on the same data.");
PARAM_STRING_OUT("summary", "How good the predictions are.", "");

// The trunk.
PARAM_VECTOR_IN(int, "layers", "Number of units of each hidden layer of the "
    "trunk; 100,100,100 unless given.", "d");
PARAM_INT_IN("frozen_layers", "Number of hidden layers of the trunk that the "
    "head stands on; 0 means all but the last.", "f", 0);
PARAM_INT_IN("trunk_epochs", "Number of passes over the data in the training "
    "of the trunk.", "E", 50);
PARAM_STRING_IN("trunk_optimizer", "Optimizer of the trunk: 'adam' or 'sgd'.",
    "", "adam");
PARAM_DOUBLE_IN("trunk_step_size", "Step size in the training of the trunk.",
    "", 0.001);
PARAM_INT_IN("trunk_batch_size", "Batch size in the training of the trunk.", "",
    64);

// The head.
PARAM_INT_IN("hidden_units", "Number of hidden units of the head.", "u", 200);
PARAM_INT_IN("units_per_stage", "Number of hidden units that a stage adds; 0 "
    "means 10, or all if there are fewer.", "j", 0);
PARAM_DOUBLE_IN("learning_rate", "Factor that each stage is multiplied by, "
    "greater than 0 and at most 1.", "n", 0.25);
PARAM_DOUBLE_IN("subsample", "Fraction of the points that a stage is trained "
    "on, greater than 0 and at most 1.", "s", 0.75);
PARAM_STRING_IN("activation", "Activation function of the head's hidden units: "
    "'logistic', 'tanh' or 'relu'.", "A", "logistic");
PARAM_STRING_IN("optimizer", "Optimizer that trains a stage of the head: "
    "'adam', 'sgd', 'lbfgs', or 'auto', which is variable projection for "
    "stages with few weights and L-BFGS for others.", "O", "adam");
PARAM_INT_IN("max_iterations", "Maximum number of iterations of a stage: "
    "passes over the data of Adam and SGD, or steps of L-BFGS or variable "
    "projection.  0 means 200 for the latter (40 for variable projection if "
    "this is not given); for Adam and SGD it means 20, or as many as 500 steps "
    "take.", "i", 0);
PARAM_DOUBLE_IN("tolerance", "A stage ends when its objective falls by less "
    "than this, relatively for L-BFGS and absolutely for Adam and SGD.  "
    "With 'auto', L-BFGS takes 0.1 over the total weight of the points if that "
    "is more, and variable projection has its own.", "e", 1e-5);
PARAM_DOUBLE_IN("step_size", "Step size of Adam and SGD for the head.", "a",
    0.01);
PARAM_INT_IN("batch_size", "Batch size of Adam and SGD for the head.", "b",
    256);
PARAM_DOUBLE_IN("l2", "L2 regularization of the weights of a stage, divided by "
    "the number of points.", "", 1e-2);
PARAM_DOUBLE_IN("max_feature_memory", "Maximum megabytes that the output of "
    "the frozen layers may take in training.  If it takes more, the head is "
    "trained on as many of the points as fit, chosen at random.  0 means no "
    "limit.", "", 0);
PARAM_FLAG("no_scaling", "If set, columns are not scaled to mean 0 and "
    "variance 1.", "");
PARAM_INT_IN("active_units", "Number of hidden units of the head to predict "
    "with; -1 means all that are active in the model.  The output model keeps "
    "the others, switched off.", "k", -1);
PARAM_INT_IN("seed", "Random seed.  If 0, the time is used.", "S", 0);

//! The settings of the trunk.
struct TrunkSettings
{
  //! Number of units of each hidden layer, and of layers that are frozen.
  std::vector<size_t> layers;
  size_t frozen;
  size_t epochs;
  std::string optimizer;
  double stepSize;
  size_t batchSize;
};

//! Everything that can be set.
struct DeepSettings : TargetSettings
{
  bool scale;
  bool stagedScores;
  TrunkSettings trunk;
  BoostingSettings head;
  //! Bytes that features may take; 0 means no limit.
  size_t maxFeatureMemory;
  std::optional<size_t> activeUnits;
};

//! What the binding makes, beside the model.
struct DeepResults
{
  arma::rowvec predictions;
  std::vector<std::string> labelNames;
  arma::mat probabilities;
  arma::mat stagedScores;
  double trunkAccuracy = arma::datum::nan;
  double accuracy = arma::datum::nan;
  std::string summary;
};

//! Read the options of the trunk.
static TrunkSettings ReadTrunk(Params& params)
{
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
static DeepSettings ReadSettings(Params& params)
{
  RequireOnlyOnePassed(params, { "training", "input_model" }, true, "either "
      "train a model or use one");
  CheckTarget(params, "labels");
  DeepSettings settings;
  settings.trunk = ReadTrunk(params);
  util::RequireParamValue<int>(params, "hidden_units",
      [](int x) { return x > 0; }, true, "hidden_units must be at least 1");
  settings.head = ReadBoosting(params);
  settings.activeUnits = ReadActiveUnits(params);
  RequireParamValue<double>(params, "max_feature_memory",
      [](double x) { return x >= 0 && x < 1e12; }, true, "max_feature_memory "
      "must not be negative, and is in megabytes");
  settings.maxFeatureMemory = size_t(1e6 *
      params.Get<double>("max_feature_memory"));
  settings.train = params.Has("training");
  settings.test = params.Has("test");
  settings.targetInTable = settings.train && !params.Has("labels");
  if (params.Has("target"))
    settings.target = params.Get<std::string>("target");
  settings.announce = params.Has("target");
  settings.scale = !params.Has("no_scaling");
  settings.stagedScores = params.Has("staged_scores");
  return settings;
}

//! Tell about options that have no effect.
static void ReportIgnoredOptions(Params& params,
                                 const DeepSettings& settings)
{
  for (const std::string name : { "labels", "layers", "frozen_layers",
      "trunk_epochs", "trunk_optimizer", "trunk_step_size", "trunk_batch_size",
      "hidden_units", "units_per_stage", "learning_rate", "subsample",
      "activation", "optimizer", "max_iterations", "tolerance", "step_size",
      "batch_size", "l2", "max_feature_memory", "no_scaling", "seed" })
    ReportIgnoredParam(params, { { "training", false } }, name);
  for (const std::string name : { "predictions", "probabilities",
      "staged_scores", "test_labels" })
    ReportIgnoredParam(params, { { "test", false } }, name);
  ReportIgnoredSteps(params, settings.head.optimizer);
}

/**
 * What the training takes.
 *
 * @param settings What was asked for.
 * @param table The training data, without labels.
 * @param classes Number of classes.
 */
static TrainingCost CostOfTraining(const DeepSettings& settings,
                                   const TableType& table,
                                   const size_t classes)
{
  const TableInputs ofTable(table);
  const size_t points = std::get<1>(table).n_cols;
  const TrunkSettings& trunk = settings.trunk;
  double weights = 0, width = ofTable.number, widths = 0;
  for (const size_t units : trunk.layers)
  {
    weights += (width + 1) * double(units);
    width = double(units);
    widths += width;
  }
  weights += (width + 1) * double(classes);
  const double n = double(points), outputs = double(classes);
  const double features = double(trunk.layers[trunk.frozen - 1]);
  const double headWeights = double(settings.head.hiddenUnits) *
      (features + outputs + 1);
  // The points, and their shuffled copy with the weights, their gradient and
  // what the optimizer keeps of it; or the features with scores, targets,
  // residuals and what a stage adds.
  const double ofTrunk = n * ofTable.number + weights *
      (trunk.optimizer == "adam" ? 4 : 2) + widths * std::min(n,
      double(trunk.batchSize));
  const double room = (settings.maxFeatureMemory > 0) ?
      double(settings.maxFeatureMemory) / 8 : n * features;
  const double ofHead = std::min(room, n * features) + 4 * n * outputs +
      weights + 2 * headWeights;
  const double least = 8 * (n * ofTable.number + std::max(ofTrunk, ofHead));

  // With as many operations a second as gbnn_cost.hpp has: within a factor of
  // three, doc/developer/trust.md.
  const OptimizerSettings& optimizer = settings.head.optimizer;
  const double passes = (optimizer.IsStochastic() &&
      optimizer.maxIterations.value > 0) ?
      double(optimizer.maxIterations.value) : 20;
  const double operations = 4, speed = 5e9;
  const double seconds = operations * n * (double(trunk.epochs) * weights +
      passes * headWeights) / speed;
  const bool tooLarge = weights + headWeights > n * (ofTable.number + outputs);
  std::ostringstream text;
  text << ofTable.Text(points, [](const size_t column)
      { return "column " + std::to_string(column + 1); })
      << ", " << classes << " classes, a trunk of " << std::fixed
      << std::setprecision(0) << weights << " weights and "
      << settings.head.hiddenUnits << " hidden units";
  return { text.str(), least, 2 * least, seconds, false, !tooLarge ?
      "points, classes or categories" : (weights > headWeights) ?
      "units in " + PRINT_PARAM_STRING("layers") :
      PRINT_PARAM_STRING("hidden_units") };
}

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

//! Train the trunk with the optimizer that was asked for.
static void TrainTrunk(const TrunkSettings& settings,
                       DeepGBNNModel& model,
                       const arma::mat& data,
                       const arma::Row<size_t>& classes,
                       const size_t seed)
{
  const size_t batchSize = std::min(size_t(data.n_cols), settings.batchSize);
  TrunkProgress progress(settings.epochs, data.n_cols);
  CheckInterrupt interrupt;
  const auto train = [&](auto&& optimizer)
  {
    model.TrainTrunk(data, classes, settings.layers, settings.frozen, seed,
        optimizer, progress, interrupt);
  };
  const size_t steps = settings.epochs * data.n_cols;
  if (settings.optimizer == "adam")
  {
    train(ens::Adam(settings.stepSize, batchSize, 0.9, 0.999, 1e-8, steps, 0));
  }
  else
  {
    // ensmallen adds up the gradients of a batch; a step is for their mean.
    train(ens::StandardSGD(settings.stepSize / batchSize, batchSize, steps,
        0));
  }
}

//! Train the head on the trunk's first layers.
static void TrainHead(const DeepSettings& settings,
                      DeepGBNNModel& model,
                      const arma::mat& data,
                      const arma::Row<size_t>& classes)
{
  GBNNClassifier<>& head = model.Head();
  settings.head.Set(head, DeepGBNN<>::DefaultHead().UnitsPerStage());
  OptimizerSettings chosen = settings.head.optimizer;
  if (chosen.maxIterations.value == 0)
  {
    const size_t batchSize = std::min(size_t(data.n_cols), chosen.batchSize);
    chosen.maxIterations.value = !chosen.IsStochastic() ? 200 :
        DeepGBNN<>::DefaultPasses(data.n_cols, batchSize);
  }
  ChosenOptimizer optimizer(chosen, data.n_cols);
  GBNNProgress progress(0, settings.head.hiddenUnits, false,
      [](const std::string& text)
  {
    Log::Info << "Head: " << text << "." << std::endl;
  });
  CheckInterrupt interrupt;
  DeepGBNN<> deep = model.Deep();
  if (settings.maxFeatureMemory > 0)
    deep.MaxFeatureMemory() = settings.maxFeatureMemory;
  deep.Train(data, classes, model.Labels().Size(), optimizer, progress,
      interrupt);
  head = deep.Head();
}

//! Say how the trunk and the Deep-GBNN compare.
static void Compare(const std::string& dataName,
                    const arma::Row<size_t>& trunk,
                    const arma::Row<size_t>& deep,
                    const arma::Row<size_t>& truth,
                    DeepResults& results)
{
  const auto accuracy = [&](const arma::Row<size_t>& predictions)
  {
    return arma::accu(predictions == truth) / double(truth.n_elem);
  };
  results.trunkAccuracy = accuracy(trunk);
  results.accuracy = accuracy(deep);
  std::ostringstream text;
  text << std::fixed << std::setprecision(4) << "accuracy on the " << dataName
      << " data: trunk " << results.trunkAccuracy << ", Deep-GBNN "
      << results.accuracy;
  results.summary = text.str();
}

//! Train trunk and head on the training data.
static void TrainModel(const DeepSettings& settings,
                       GivenTables& inputs,
                       Timers& timers,
                       DeepGBNNModel& model,
                       DeepResults& results)
{
  auto& [info, raw] = *inputs.training.table;
  if (inputs.test.table)
  {
    CheckTestPoints(raw.n_rows + (settings.targetInTable ? 1 : 0),
        std::get<1>(*inputs.test.table), inputs.test.labels,
        settings.targetInTable);
  }
  PointLabels& labels = *inputs.training.labels;
  const std::string& labelName = inputs.training.truthName;
  CheckLabelCount("labels", labels, "training", raw.n_cols);
  model.Labels() = ClassLabels(labels, labelName);
  const arma::Row<size_t> classes = model.Labels().Classes(labels, labelName);
  CheckCost(CostOfTraining(settings, *inputs.training.table,
      model.Labels().Size()));
  const arma::mat data = model.Encoder().Fit(std::move(raw), info,
      PRINT_PARAM_STRING("training"), settings.scale);
  NameColumns(settings, inputs, model.Encoder());

  size_t seed = settings.head.seed;
  if (seed == 0)
  {
    SeedByTime();
    seed = 1 + size_t(RandInt(1 << 30));
  }
  timers.Start("deep_gbnn_trunk");
  TrainTrunk(settings.trunk, model, data, classes, seed);
  timers.Stop("deep_gbnn_trunk");
  timers.Start("deep_gbnn_head");
  TrainHead(settings, model, data, classes);
  timers.Stop("deep_gbnn_head");
  if (inputs.test.labels)
    return;

  arma::Row<size_t> trunkPredictions, predictions;
  model.ClassifyWithTrunk(data, trunkPredictions);
  model.Deep().Classify(data, predictions);
  Compare("training", trunkPredictions, predictions, classes, results);
}

//! Predict the test data, and tell how good that is if its labels are known.
static void Predict(const DeepSettings& settings,
                    GivenTables& inputs,
                    Timers& timers,
                    const DeepGBNNModel& model,
                    DeepResults& results)
{
  auto& [info, raw] = *inputs.test.table;
  const arma::mat data = model.Encoder().Encode(std::move(raw), info,
      PRINT_PARAM_STRING("test"));
  timers.Start("deep_gbnn_prediction");
  arma::Row<size_t> predictions;
  model.Deep().Classify(data, predictions, results.probabilities);
  timers.Stop("deep_gbnn_prediction");
  results.predictions = model.Labels().NumbersOf(predictions);
  results.labelNames = model.Labels().Words();
  if (!inputs.test.labels)
    return;

  const arma::Row<size_t> truth = TestClasses(*inputs.test.labels,
      model.Labels(), data.n_cols, inputs.test.truthName);
  arma::Row<size_t> trunkPredictions;
  model.ClassifyWithTrunk(data, trunkPredictions);
  Compare("test", trunkPredictions, predictions, truth, results);
  results.summary += "\n" + ClassificationSummary(predictions, truth,
      model.Labels(), results.probabilities);
  if (settings.stagedScores)
  {
    results.stagedScores = StagedTable(model.Deep().StagedAccuracy(data,
        truth));
  }
}

void BINDING_FUNCTION(Params& params, Timers& timers)
{
  ReportSimdLevel();
  DeepSettings settings = ReadSettings(params);
  ReportIgnoredOptions(params, settings);

  // A copy: should anything fail, the input model is as it was.
  std::unique_ptr<DeepGBNNModel> model = params.Has("input_model") ?
      std::make_unique<DeepGBNNModel>(*params.Get<DeepGBNNModel*>(
          "input_model")) :
      std::make_unique<DeepGBNNModel>();
  const size_t units = settings.train ? settings.head.hiddenUnits :
      model->Head().Units();
  if (settings.activeUnits && *settings.activeUnits > units)
  {
    Log::Fatal << PRINT_PARAM_STRING("active_units") << " ("
        << *settings.activeUnits << ") must be at most the number of hidden "
        << "units of the head (" << units << ")!" << std::endl;
  }
  GivenTables inputs;
  if (settings.train)
    inputs.training = ReadPoints(params, "training", "", false);
  inputs.test = ReadPoints(params, "test", "test_", false);
  ReadColumnNames(params, settings, inputs);
  ArrangeInputs(settings, inputs, model->Encoder(), model->Target());
  if (settings.test && !inputs.test.labels)
  {
    ReportIgnored(params, "staged_scores", PRINT_PARAM_STRING("test_labels") +
        " is not specified");
  }

  // From here on, nobody knows parameters by name.
  DeepResults results;
  if (settings.train)
    TrainModel(settings, inputs, timers, *model, results);
  if (settings.activeUnits)
    model->Head().ActiveUnits(*settings.activeUnits);
  if (settings.test)
    Predict(settings, inputs, timers, *model, results);
  if (!settings.train)
    NameColumns(settings, inputs, model->Encoder());

  params.Get<arma::rowvec>("predictions") = std::move(results.predictions);
  params.Get<std::vector<std::string>>("label_names") =
      std::move(results.labelNames);
  params.Get<arma::mat>("probabilities") = std::move(results.probabilities);
  params.Get<arma::mat>("staged_scores") = std::move(results.stagedScores);
  params.Get<double>("trunk_accuracy") = results.trunkAccuracy;
  params.Get<double>("accuracy") = results.accuracy;
  params.Get<std::string>("summary") = std::move(results.summary);
  params.Get<DeepGBNNModel*>("output_model") = model.release();
}
