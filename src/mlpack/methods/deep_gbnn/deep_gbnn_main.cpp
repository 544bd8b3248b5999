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

#include <mlpack/methods/gbnn/binding/gbnn_prediction.hpp>
#include <mlpack/methods/gbnn/binding/target_column.hpp>
#include <mlpack/methods/gbnn/binding/training_cost.hpp>
#include <mlpack/methods/gbnn/binding/training_scores.hpp>
#include <mlpack/methods/gbnn/binding/truth_options.hpp>

#include "deep_gbnn_model.hpp"

using namespace mlpack;
using namespace mlpack::gbnn;
using namespace mlpack::util;

// Program Name.
BINDING_USER_NAME("Deep Gradient Boosted Neural Networks");

// Short description.
BINDING_SHORT_DESC(
    "An implementation of Deep-GBNN for classification and regression: a deep "
    "dense network is trained, its first layers are frozen, and in place of "
    "the others a gradient boosted neural network (GBNN) is trained on what "
    "comes out of them.");

// Long description.
BINDING_LONG_DESC(
    "This program trains a deep network of dense layers, the trunk, and then "
    "trains a gradient boosted neural network, the head, in place of its last "
    "hidden layer and its output; the layers below stay as they are.  The last "
    "units of the head can be switched off when predicting, with " +
    PRINT_PARAM_STRING("active_units") + "."
    "\n\n"
    "Training data is given with " + PRINT_PARAM_STRING("training") + " and "
    "may have numeric and categorical columns and missing values.  For "
    "classification, labels (words or whole numbers) are given with " +
    PRINT_PARAM_STRING("labels") + "; without them, the last column of the "
    "training data is taken for the labels.  For regression, one or several "
    "responses are given with " + PRINT_PARAM_STRING("responses") + ".  Or " +
    PRINT_PARAM_STRING("target") + " says which column of the data is to be "
    "predicted: if it has words or few whole numbers, this is classification, "
    "else regression, unless " + PRINT_PARAM_STRING("task") + " says "
    "otherwise.  Where columns have names, those of test data may be in any "
    "order, and more than needed; the target may be among them.  Points "
    "may have weights, given with " + PRINT_PARAM_STRING("weights") + ", and "
    "classes with " + PRINT_PARAM_STRING("class_weights") + "; a point of "
    "weight 2 counts like two points, for trunk and head."
    "\n\n"
    "Categories are turned into columns of 0 and 1, and numbers are scaled to "
    "mean 0 and variance 1 (unless " +
    PRINT_PARAM_STRING("no_scaling") + " is given).  A missing word is a "
    "category of its own; a missing number becomes the mean of its column, and "
    "a column of 0 and 1 says which ones are missing.  All this is kept in "
    "the model and applied to test data as well."
    "\n\n"
    "The trunk has the hidden layers that " + PRINT_PARAM_STRING("layers") +
    " gives the sizes of, with ReLU, and is trained for " +
    PRINT_PARAM_STRING("trunk_epochs") + " passes over the data by " +
    PRINT_PARAM_STRING("trunk_optimizer") + ".  The head stands on the first " +
    PRINT_PARAM_STRING("frozen_layers") + " of them.  It begins with the "
    "trunk's own last hidden layer and output, so it predicts what the trunk "
    "predicts, and gets " + PRINT_PARAM_STRING("hidden_units") + " more hidden "
    "units, " + PRINT_PARAM_STRING("units_per_stage") + " in each stage.  With "
    "another " + PRINT_PARAM_STRING("activation") + " than 'relu', or fewer "
    "frozen layers, it begins with nothing, as in the paper.  A stage is "
    "trained on a random subsample of the points (" +
    PRINT_PARAM_STRING("subsample") + ") by the optimizer chosen with " +
    PRINT_PARAM_STRING("optimizer") + " and multiplied by " +
    PRINT_PARAM_STRING("learning_rate") + "."
    "\n\n"
    "Training of the head can stop early, with the number of units that is "
    "best on a validation set: a holdout of the training data, " +
    PRINT_PARAM_STRING("validation_fraction") + ", or points given with " +
    PRINT_PARAM_STRING("validation") + " and " +
    PRINT_PARAM_STRING("validation_labels") + " or " +
    PRINT_PARAM_STRING("validation_responses") + ".  The trunk does not see "
    "these points, so they also show whether the head is better than the "
    "trunk.  If it is not, the head predicts what the trunk predicts.  All "
    "weights of the head can be trained further together, with " +
    PRINT_PARAM_STRING("refine_iterations") + "; on a validation set, that is "
    "kept only if it helps."
    "\n\n"
    "Points to predict are given with " + PRINT_PARAM_STRING("test") + ".  "
    "Predicted labels go to " + PRINT_PARAM_STRING("predictions") + ", the "
    "probability of each class (in ascending order of the labels) to " +
    PRINT_PARAM_STRING("probabilities") + ", and predicted responses to " +
    PRINT_PARAM_STRING("output_predictions") + ".  When " +
    PRINT_PARAM_STRING("test_labels") + " or " +
    PRINT_PARAM_STRING("test_responses") + " are given, or the test data has "
    "the target, " +
    PRINT_PARAM_STRING("summary") + " tells how good the predictions are, " +
    PRINT_PARAM_STRING("trunk_accuracy") + " and " +
    PRINT_PARAM_STRING("accuracy") + ", or " +
    PRINT_PARAM_STRING("trunk_error") + " and " + PRINT_PARAM_STRING("error") +
    ", compare the trunk by itself with the Deep-GBNN, and " +
    PRINT_PARAM_STRING("staged_scores") + " has the accuracy, or the root mean "
    "squared error, for each number of active units.  Without them, training "
    "compares the two on the validation data or, if there is none, on the "
    "training data.");

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
PARAM_STRING_IN("target", "Column of the data to predict: its name, or its "
    "number from 1 on.  Test and validation data may have it, too.", "", "");
PARAM_STRING_IN("task", "What to do with a target: 'classification' or "
    "'regression'.  Unless it is given, a target of words, of two whole "
    "numbers, or of at most 20 whole numbers that occur ten times each on "
    "average makes classes, and any other regression.", "", "");
PARAM_MATRIX_AND_INFO_IN("labels", "Labels of the training data, in one "
    "column: words or whole numbers.", "l");
PARAM_MATRIX_IN("responses", "Responses of the training data, in one or "
    "several columns; makes this regression.", "r");
PARAM_ROW_IN("weights", "Weight of each point of the training data.", "w");
PARAM_STRING_IN("class_weights", "Weights of the classes, which multiply those "
    "of their points: 'balanced', so that all classes weigh the same together, "
    "or pairs label:weight separated by commas, such as '0:1,1:2.5' or "
    "'no:1,yes:2.5'.  A label with a comma goes in double quotes.  Labels that "
    "are not mentioned weigh 1.", "", "");
PARAM_MATRIX_AND_INFO_IN("test", "Points to predict.", "T");
PARAM_MATRIX_AND_INFO_IN("test_labels", "Labels of the points to predict, if "
    "they are known.", "L");
PARAM_MATRIX_IN("test_responses", "Responses of the points to predict, if they "
    "are known.", "R");
PARAM_MATRIX_AND_INFO_IN("validation", "Validation data for early "
    "stopping: the number of units of the head with the lowest loss on it is "
    "kept.", "");
PARAM_MATRIX_AND_INFO_IN("validation_labels", "Labels of the validation data; "
    "without them, its last column is taken for the labels if that of the "
    "training data is.", "");
PARAM_MATRIX_IN("validation_responses", "Responses of the validation data.",
    "");
PARAM_VECTOR_IN(std::string, "column_names", "Names of the columns of the "
    "training data.  By default, the names that the data has.", "");
PARAM_VECTOR_IN(std::string, "test_column_names", "Names of the columns of the "
    "test data, which is put in the order of the training data by them.", "");
PARAM_VECTOR_IN(std::string, "validation_column_names", "Names of the columns "
    "of the validation data.", "");

// Models.
PARAM_MODEL_IN(DeepGBNNModel, "input_model", "A model trained before.", "m");
PARAM_MODEL_OUT(DeepGBNNModel, "output_model", "The trained model.", "M");

// Results.
PARAM_ROW_OUT("predictions", "Predicted label of each point of the test data.",
    "p");
PARAM_VECTOR_OUT(std::string, "label_names", "The names of the classes, in "
    "ascending order, if labels are words.  Predictions are then positions in "
    "this list, counted from 0, unless the front end returns the words.", "");
PARAM_MATRIX_OUT("probabilities", "Probability of each class, in ascending "
    "order of the labels, for each point of the test data.", "P");
PARAM_MATRIX_OUT("output_predictions", "Predicted responses of each point of "
    "the test data.", "o");
PARAM_MATRIX_OUT("staged_scores", "For each number of active units: that "
    "number, and the accuracy (classification) or the root mean squared error "
    "(regression) on the test data.", "");
PARAM_DOUBLE_OUT("trunk_accuracy", "Accuracy of the trunk with its own last "
    "layers, on the test data; without test labels, on the validation data or, "
    "if there is none, on the training data.");
PARAM_DOUBLE_OUT("accuracy", "Accuracy of the Deep-GBNN on the same data.");
PARAM_DOUBLE_OUT("trunk_error", "For regression, the root mean squared error "
    "of the trunk with its own last layers on the same data.");
PARAM_DOUBLE_OUT("error", "For regression, the root mean squared error of the "
    "Deep-GBNN on the same data.");
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
PARAM_INT_IN("hidden_units", "Number of hidden units that boosting adds to "
    "the head.", "u", 200);
PARAM_INT_IN("units_per_stage", "Number of hidden units that a stage adds; 0 "
    "means 10, or all if there are fewer.", "j", 0);
PARAM_DOUBLE_IN("learning_rate", "Factor that each stage is multiplied by, "
    "greater than 0 and at most 1.", "n", 0.25);
PARAM_DOUBLE_IN("subsample", "Fraction of the points that a stage is trained "
    "on, greater than 0 and at most 1.", "s", 0.75);
PARAM_STRING_IN("activation", "Activation function of the head's hidden units: "
    "'relu', with which the head begins with the trunk's own last layers, or "
    "'logistic' or 'tanh', with which it begins with nothing.", "A", "relu");
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
PARAM_INT_IN("refine_iterations", "Maximum number of iterations of training "
    "all weights of the head together after boosting; how many are done, if "
    "any, is decided on holdouts of the training data, and, if there is "
    "validation data, on that.  0 means boosting only, as in the paper.", "",
    0);
PARAM_DOUBLE_IN("validation_fraction", "Fraction of the training data to hold "
    "out for early stopping, greater than 0 and less than 1; 0 means none.", "",
    0);
PARAM_INT_IN("patience", "With validation data, training ends after this many "
    "stages without a lower loss on it; 0 means that all units are trained, "
    "and the best number of them is kept.", "", 20);
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

//! Everything that can be set: that of the head is what gbnn has.
struct DeepSettings : GBNNSettings
{
  TrunkSettings trunk;
  //! Bytes that features may take.
  size_t maxFeatureMemory;

  //! Number of units that the head gets from the trunk.
  size_t UnitsOfTrunk() const
  {
    return (boosting.activation == GBNNActivation::RELU &&
        trunk.frozen + 1 == trunk.layers.size()) ? trunk.layers.back() : 0;
  }
};

//! What the binding makes, beside the model: what gbnn makes, and the scores of
//! trunk and Deep-GBNN.
struct DeepResults : GBNNResults
{
  double trunkScore = arma::datum::nan;
  double score = arma::datum::nan;
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
  CheckTruth(params);
  // What this binding has no options for is 0, or empty.
  DeepSettings settings = DeepSettings();
  settings.choices = { false, false };
  settings.trunk = ReadTrunk(params);
  util::RequireParamValue<int>(params, "hidden_units",
      [](int x) { return x > 0; }, true, "hidden_units must be at least 1");
  settings.boosting = ReadBoosting(params);
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
static void ReportIgnoredOptions(Params& params,
                                 const DeepSettings& settings)
{
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

/**
 * What the training takes.
 *
 * @param settings What was asked for.
 * @param table The training data, without labels or responses.
 * @param numOutputs Number of classes or responses.
 */
static TrainingCost CostOfTraining(const DeepSettings& settings,
                                   const TableType& table,
                                   const size_t numOutputs)
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
  const double n = double(points), outputs = double(numOutputs);
  weights += (width + 1) * outputs;
  const double features = double(trunk.layers[trunk.frozen - 1]);
  const double headWeights = double(settings.boosting.hiddenUnits) *
      (features + outputs + 1);
  // The points, and their shuffled copy with the weights, their gradient and
  // what the optimizer keeps of it; or the features with scores, targets,
  // residuals and what a stage adds.
  const double ofTrunk = n * ofTable.number + weights *
      (trunk.optimizer == "adam" ? 4 : 2) + widths * std::min(n,
      double(trunk.batchSize));
  const double room = double(settings.maxFeatureMemory) / 8;
  const double ofHead = std::min(room, n * features) + 4 * n * outputs +
      weights + 2 * headWeights;
  const double minBytes = 8 * (n * ofTable.number +
      std::max(ofTrunk, ofHead));

  const OptimizerSettings& optimizer = settings.boosting.optimizer;
  const double passes = (optimizer.IsStochastic() &&
      optimizer.maxIterations.value > 0) ?
      double(optimizer.maxIterations.value) : CostModel::stageEvaluations;
  const double refinement = (settings.refineIterations > 0) ?
      CostModel::refineEvaluations : 0;
  const double seconds = CostModel::operations * n *
      (double(trunk.epochs) * weights + (passes + refinement) * headWeights) /
      CostModel::speed;
  const bool tooLarge = weights + headWeights > n * (ofTable.number + outputs);
  std::ostringstream text;
  text << ofTable.Text(points, [](const size_t column)
      { return "column " + std::to_string(column + 1); })
      << ", " << numOutputs << (settings.regression ? " responses" : " classes")
      << ", a trunk of " << std::fixed << std::setprecision(0) << weights
      << " weights and " << settings.boosting.hiddenUnits << " hidden units";
  return { text.str(), minBytes, 2 * minBytes, seconds, false, !tooLarge ?
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
static void TrainTrunk(const DeepSettings& settings,
                       const TrainingSet& set,
                       DeepGBNNModel& model)
{
  const TrunkSettings& trunk = settings.trunk;
  arma::mat targets = set.responses;
  size_t outputs = targets.n_rows;
  if (!settings.regression)
  {
    const ClassLabels labels(set.labels, set.labelName);
    targets = arma::conv_to<arma::mat>::from(labels.Classes(set.labels,
        set.labelName));
    outputs = labels.Size();
  }
  const size_t points = set.data.n_cols;
  const size_t batchSize = std::min(points, trunk.batchSize);
  TrunkProgress progress(trunk.epochs, points);
  CheckInterrupt interrupt = settings.interrupt;
  const auto train = [&](auto&& optimizer)
  {
    model.TrainTrunk(set.data, targets, set.weights, outputs, trunk.layers,
        trunk.frozen, settings.boosting.seed, optimizer, progress, interrupt);
  };
  const size_t steps = trunk.epochs * points;
  if (trunk.optimizer == "adam")
  {
    train(ens::Adam(trunk.stepSize, batchSize, 0.9, 0.999, 1e-8, steps, 0));
  }
  else
  {
    // ensmallen adds up the gradients of a batch; a step is for their mean.
    train(ens::StandardSGD(trunk.stepSize / batchSize, batchSize, steps, 0));
  }
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
static void BeginWith(const DeepSettings& settings,
                      const LastLayers<arma::mat>& last,
                      const LossType& loss,
                      const TrainingSet& set,
                      const size_t outputs,
                      HeadType& head)
{
  if (last.Suits(loss, settings.boosting.activation, outputs))
    head.FirstNetwork() = last.Network(loss, set.data, set.weights);
}

/**
 * Make features of the training data, and have the head begin with the trunk.
 *
 * @param settings What was asked for.
 * @param data Points as the trunk takes them.
 * @param set Gets the features; loses the points that are not chosen.
 * @param model The trained trunk, and the head.
 */
static void PrepareHead(const DeepSettings& settings,
                        const arma::mat& data,
                        TrainingSet& set,
                        DeepGBNNModel& model)
{
  FrozenLayers<arma::mat> frozen = model.Frozen();
  const arma::uvec chosen = frozen.ChoosePoints("deep_gbnn", data.n_cols,
      settings.maxFeatureMemory, settings.boosting.seed);
  frozen.Predict(data, chosen, set.data, DeepGBNNModel::batchSize);
  const size_t classes = settings.regression ? 0 :
      ClassLabels(set.labels, set.labelName).Size();
  if (!chosen.is_empty())
    set.Keep(chosen);
  const LastLayers<arma::mat> last = model.Last();
  if (settings.regression)
  {
    auto& regressor = model.Head().Regressor();
    BeginWith(settings, last, regressor.Loss(), set, set.responses.n_rows,
        regressor);
  }
  else
  {
    LogLoss loss;
    arma::mat none;
    loss.Encode(arma::Row<size_t>(), classes, none);
    BeginWith(settings, last, loss, set, classes, model.Head().Classifier());
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
static void HoldOut(DeepSettings& settings,
                    GBNNInputs& inputs,
                    TrainingSet& set,
                    TableType& table)
{
  if (settings.validationFraction == 0)
    return;
  const size_t n = set.NumPoints();
  const arma::mat targets = settings.regression ? set.responses :
      arma::conv_to<arma::mat>::from(set.labels.values);
  gbnn::Random random(settings.boosting.seed,
      RandomStream::VALIDATION_HOLDOUT);
  arma::uvec isHeld(n, arma::fill::zeros);
  isHeld.elem(StratifiedSample(targets, arma::regspace<arma::uvec>(0, n - 1),
      settings.validationFraction, random)).ones();
  // A class must keep a point to be trained on.
  std::set<double> kinds;
  for (size_t i = 0; i < n && !settings.regression; ++i)
    if (!isHeld[i])
      kinds.insert(set.labels.values[i]);
  for (size_t i = 0; i < n && !settings.regression; ++i)
    if (kinds.insert(set.labels.values[i]).second)
      isHeld[i] = 0;
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
 * Say how the trunk and the Deep-GBNN compare.
 *
 * @param dataName What the points are called.
 * @param model The model.
 * @param data Points as the trunk takes them.
 * @param labels Their labels, for classification.
 * @param responses Their responses, for regression.
 * @param name What to call the labels in errors.
 * @param results Get the scores, and a line about them.
 */
static void Compare(const std::string& dataName,
                    const DeepGBNNModel& model,
                    const arma::mat& data,
                    const PointLabels& labels,
                    const arma::mat& responses,
                    const std::string& name,
                    DeepResults& results)
{
  arma::mat output;
  model.PredictWithTrunk(data, output);
  const GBNNModel& head = model.Head();
  results.score = Scores(head, model.Features(data), labels, responses,
      arma::rowvec(), name)[0];
  if (head.IsRegression())
  {
    results.trunkScore = ErrorOf(head.Regressor().Loss(), output, responses,
        arma::rowvec());
  }
  else
  {
    results.trunkScore = MeanAccuracy(arma::conv_to<arma::Row<size_t>>::from(
        arma::index_max(output, 0)), head.Labels().Classes(labels, name),
        arma::rowvec());
  }
  std::ostringstream text;
  if (head.IsRegression())
    text << "RMSE" << std::setprecision(6);
  else
    text << "accuracy" << std::fixed << std::setprecision(4);
  text << " on the " << dataName << " data: trunk " << results.trunkScore
      << ", Deep-GBNN " << results.score;
  results.summary = text.str();
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
static void RefineHead(const DeepSettings& settings,
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
static void TrainModel(DeepSettings& settings,
                       GBNNInputs& inputs,
                       Timers& timers,
                       DeepGBNNModel& model,
                       DeepResults& results)
{
  CheckInputs(settings, inputs);
  GBNNModel& head = model.Head();
  head.IsRegression() = settings.regression;
  TrainingSet set;
  TakeTargets(settings, inputs, head, set);
  CheckBeforeTraining(settings, inputs, head, set);
  const size_t outputs = settings.regression ? set.responses.n_rows :
      ClassLabels(set.labels, set.labelName).Size();
  CheckCost(CostOfTraining(settings, *inputs.training.table, outputs));
  if (settings.boosting.seed == 0)
  {
    SeedByTime();
    settings.boosting.seed = 1 + size_t(RandInt(1 << 30));
  }
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
  RefineHead(settings, set, [&](const GBNNModel& of)
  {
    // The second score of a classifier is its log loss.
    return validation.is_empty() ? arma::datum::nan : Scores(of, features,
        heldLabels, heldResponses, held.weights,
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

//! Predict the test data, and tell how good that is if the truth is known.
static void PredictTest(const DeepSettings& settings,
                        GBNNInputs& inputs,
                        Timers& timers,
                        const DeepGBNNModel& model,
                        DeepResults& results)
{
  arma::mat points;
  InspectedPoints inspected;
  Predict(settings, inputs, timers, model.Head(), [&](arma::mat& data)
  {
    points = std::move(data);
    data = model.Features(points);
  }, inspected, results);
  const std::optional<PointLabels>& labels = inputs.test.labels;
  const std::optional<arma::mat>& responses = inputs.test.responses;
  if (!labels && !responses)
    return;
  const std::string summary = std::move(results.summary);
  Compare("test", model, points, labels ? *labels : PointLabels(),
      responses ? *responses : arma::mat(), inputs.test.truthName, results);
  results.summary += "\n" + summary;
}

void BINDING_FUNCTION(Params& params, Timers& timers)
{
  ReportSimdLevel();
  if (IsShared(Ranks()))
  {
    Log::Fatal << "This trains on one process, but was called by several "
        << "together; train each model on one of them!" << std::endl;
  }
  DeepSettings settings = ReadSettings(params);
  ReportIgnoredOptions(params, settings);

  // A copy: should anything fail, the input model is as it was.
  std::unique_ptr<DeepGBNNModel> model = params.Has("input_model") ?
      std::make_unique<DeepGBNNModel>(*params.Get<DeepGBNNModel*>(
          "input_model")) :
      std::make_unique<DeepGBNNModel>();
  GBNNModel& head = model->Head();
  const size_t units = settings.train ? settings.boosting.hiddenUnits +
      settings.UnitsOfTrunk() : head.Units();
  const std::optional<size_t>& activeUnits = settings.anytime.activeUnits;
  if (activeUnits && *activeUnits > units)
  {
    Log::Fatal << PRINT_PARAM_STRING("active_units") << " (" << *activeUnits
        << ") must be at most the number of hidden units of the head (" << units
        << ")!" << std::endl;
  }
  GBNNInputs inputs = ReadInputs(params, settings);
  if (!settings.train)
    settings.regression = head.IsRegression();
  ArrangeInputs(settings, inputs, head.Encoder(), head.Target());
  ReportIgnoredByTask(params, settings, inputs, { });

  // From here on, nobody knows parameters by name.
  DeepResults results;
  if (settings.train)
    TrainModel(settings, inputs, timers, *model, results);
  SetActiveUnits(settings.anytime, head);
  if (settings.test)
    PredictTest(settings, inputs, timers, *model, results);
  if (!settings.train)
    NameColumns(settings, inputs, head.Encoder());
  if (!head.IsRegression())
    results.labelNames = head.Labels().Words();

  params.Get<arma::rowvec>("predictions") = std::move(results.predictions);
  params.Get<std::vector<std::string>>("label_names") =
      std::move(results.labelNames);
  params.Get<arma::mat>("probabilities") = std::move(results.probabilities);
  params.Get<arma::mat>("output_predictions") =
      std::move(results.outputPredictions);
  params.Get<arma::mat>("staged_scores") = std::move(results.stagedScores);
  const std::string score = head.IsRegression() ? "error" : "accuracy";
  for (const std::string name : { "accuracy", "error" })
  {
    const bool isIts = (name == score);
    params.Get<double>("trunk_" + name) = isIts ? results.trunkScore :
        arma::datum::nan;
    params.Get<double>(name) = isIts ? results.score : arma::datum::nan;
  }
  params.Get<std::string>("summary") = std::move(results.summary);
  params.Get<DeepGBNNModel*>("output_model") = model.release();
}
