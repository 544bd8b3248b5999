/**
 * @file methods/gbnn/gbnn_main.cpp
 *
 * A program to train and use gradient boosted neural networks.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/core.hpp>

#undef BINDING_NAME
#define BINDING_NAME gbnn

#include <mlpack/core/util/mlpack_main.hpp>

#include "binding/anytime_options.hpp"
#include "binding/binding_tools.hpp"
#include "class_weights.hpp"
#include "gbnn_model.hpp"
#include "binding/gbnn_options.hpp"
#include "binding/gbnn_progress.hpp"
#include "report/gbnn_summary.hpp"
#include "binding/look_options.hpp"
#include "binding/loss_options.hpp"
#include "binding/tuning_options.hpp"
#include "binding/validation_options.hpp"

using namespace mlpack;
using namespace mlpack::gbnn;
using namespace mlpack::util;

// Program Name.
BINDING_USER_NAME("Gradient Boosted Neural Networks");

// Short description.
BINDING_SHORT_DESC(
    "An implementation of gradient boosted neural networks (GBNN) for "
    "classification and regression: a network with one hidden layer that is "
    "grown a few units at a time by gradient boosting, and whose last units "
    "can be switched off when predicting.");

// Long description.
BINDING_LONG_DESC(
    "This program trains a neural network with one hidden layer by gradient "
    "boosting, or uses one that was trained before.  The network grows by a "
    "few hidden units at a time, each few fitted to what the network so far "
    "gets wrong, and ends as one ordinary network.  Its last units can be "
    "switched off when predicting, with " +
    PRINT_PARAM_STRING("active_units") + ", which makes predictions faster and "
    "changes them little."
    "\n\n"
    "Training data is given with " + PRINT_PARAM_STRING("training") + " and "
    "may have numeric and categorical columns and missing values.  For "
    "classification, labels (any whole numbers) are given with " +
    PRINT_PARAM_STRING("labels") + "; without them, the last column of the "
    "training data is taken for the labels.  For regression, one or several "
    "responses are given with " + PRINT_PARAM_STRING("responses") + ".  Points "
    "may have weights, given with " + PRINT_PARAM_STRING("weights") + ", and "
    "classes with " + PRINT_PARAM_STRING("class_weights") + "; a weight of 2 "
    "is as good as the point twice."
    "\n\n"
    "For regression, " + PRINT_PARAM_STRING("loss") + " says what is "
    "minimized: the squared error, which predicts means; the absolute error, "
    "which predicts medians; Huber's loss, between the two, for responses with "
    "outliers; the loss of one or several " + PRINT_PARAM_STRING("quantiles") +
    " of one response; or that of Poisson's distribution, for counts."
    "\n\n"
    "Before training, categories are turned into columns of 0 and 1, a missing "
    "value becomes the mean of its column or its most frequent category, and "
    "columns are scaled to mean 0 and variance 1 (unless " +
    PRINT_PARAM_STRING("no_scaling") + " is given).  All this is kept in the "
    "model and done to test data as well; a category that did not occur in "
    "training counts as an average one."
    "\n\n"
    "The network gets " + PRINT_PARAM_STRING("hidden_units") + " hidden units, "
    + PRINT_PARAM_STRING("units_per_stage") + " in each stage.  A stage is "
    "trained on a random " + PRINT_PARAM_STRING("subsample") + " of the points "
    "by the optimizer chosen with " + PRINT_PARAM_STRING("optimizer") + " and "
    "multiplied by " + PRINT_PARAM_STRING("learning_rate") + ".  With " +
    PRINT_PARAM_STRING("warm_start") + ", " + PRINT_PARAM_STRING("hidden_units")
    + " units are added to the model given with " +
    PRINT_PARAM_STRING("input_model") + "."
    "\n\n"
    "Training can stop early, with the number of units that is best for points "
    "it does not see: a share of the training data, " +
    PRINT_PARAM_STRING("validation_fraction") + ", or points given with " +
    PRINT_PARAM_STRING("validation") + " and " +
    PRINT_PARAM_STRING("validation_labels") + " or " +
    PRINT_PARAM_STRING("validation_responses") + "."
    "\n\n"
    "With " + PRINT_PARAM_STRING("tune") + ", all combinations of units per "
    "stage, learning rate and subsample of the paper's grid, or of the lists "
    "given with " + PRINT_PARAM_STRING("tune_units_per_stage") + ", " +
    PRINT_PARAM_STRING("tune_learning_rates") + " and " +
    PRINT_PARAM_STRING("tune_subsamples") + ", are compared by "
    "cross-validation with " + PRINT_PARAM_STRING("folds") + " folds, each "
    "with every number of hidden units up to " +
    PRINT_PARAM_STRING("hidden_units") + ".  The model is then trained on all "
    "points with the best of them."
    "\n\n"
    "Points to predict are given with " + PRINT_PARAM_STRING("test") + ".  "
    "Predicted labels go to " + PRINT_PARAM_STRING("predictions") + ", the "
    "probability of each class (in ascending order of the labels) to " +
    PRINT_PARAM_STRING("probabilities") + ", and predicted responses to " +
    PRINT_PARAM_STRING("output_predictions") + ".  When " +
    PRINT_PARAM_STRING("test_labels") + " or " +
    PRINT_PARAM_STRING("test_responses") + " are given, " +
    PRINT_PARAM_STRING("summary") + " tells how good the predictions are, and "
    + PRINT_PARAM_STRING("staged_scores") + " has the accuracy, or the error "
    "of the responses, for each number of active units.  That error is the "
    "root mean squared one ('squared' and 'huber'), the mean absolute one "
    "('absolute'), the mean pinball loss ('quantile') or the mean deviance "
    "('poisson')."
    "\n\n"
    "Predictions can be made faster: " + PRINT_PARAM_STRING("latency") + " "
    "chooses as many active units as can be used in a given time on this "
    "machine, and with " + PRINT_PARAM_STRING("early_exit") + " each point "
    "uses as few of them as decide its label; " +
    PRINT_PARAM_STRING("units_used") + " tells how many.  Its probabilities "
    "are then those of the units used."
    "\n\n"
    "To look inside the model, " + PRINT_PARAM_STRING("importance") + " tells "
    "how much predictions depend on each column, " +
    PRINT_PARAM_STRING("gradients") + " gives their derivative with respect to "
    "each column, and " + PRINT_PARAM_STRING("dependence") + " the mean "
    "prediction for each value of a column.  " + PRINT_PARAM_STRING("report") +
    " writes all that, the learning curve and a summary of the data to a page "
    "of HTML.  With " + PRINT_PARAM_STRING("export") + ", the model is written "
    "as ONNX or as a C header, for programs that know nothing of mlpack.");

// Example.
BINDING_EXAMPLE(
    "For example, to train a network with 100 hidden units on " +
    PRINT_DATASET("data") + " with labels " + PRINT_DATASET("labels") +
    ", and save it to " + PRINT_MODEL("model") + ", call"
    "\n\n" +
    PRINT_CALL("gbnn", "training", "data", "labels", "labels", "hidden_units",
        100, "output_model", "model") +
    "\n\n"
    "Then, to classify the points in " + PRINT_DATASET("test_set") + ", saving "
    "the predicted labels to " + PRINT_DATASET("predictions") + ", call"
    "\n\n" +
    PRINT_CALL("gbnn", "input_model", "model", "test", "test_set",
        "predictions", "predictions") +
    "\n\n"
    "and, to do so with only the first 50 of the units,"
    "\n\n" +
    PRINT_CALL("gbnn", "input_model", "model", "test", "test_set",
        "active_units", 50, "predictions", "predictions") +
    "\n\n"
    "To see which columns matter, measured on test data whose labels are "
    "known, and to write the model as a C header, call"
    "\n\n" +
    PRINT_CALL("gbnn", "input_model", "model", "test", "test_set",
        "test_labels", "test_labels", "importance", true, "export",
        "model.h"));

// See also...
BINDING_SEE_ALSO("Sequential Training of Neural Networks with Gradient "
    "Boosting (pdf)", "https://arxiv.org/pdf/1909.12098");
BINDING_SEE_ALSO("GBNNClassifier C++ class documentation",
    "@doc/user/methods/gbnn.md");

// Data.
PARAM_MATRIX_AND_INFO_IN("training", "Training data, one point a row; columns "
    "may be numeric or categorical, and cells may be missing.", "t");
PARAM_ROW_IN("labels", "Labels of the training data: any whole numbers.", "l");
PARAM_MATRIX_IN("responses", "Responses of the training data, in one or "
    "several columns; makes this regression.", "r");
PARAM_ROW_IN("weights", "Weight of each point of the training data.", "w");
PARAM_STRING_IN("class_weights", "Weights of the classes, which multiply those "
    "of their points: 'balanced', so that all classes weigh the same together, "
    "or pairs label:weight with commas between, such as '0:1,1:2.5'; labels "
    "that are not mentioned weigh 1.", "", "");
PARAM_MATRIX_AND_INFO_IN("test", "Points to predict.", "T");
PARAM_ROW_IN("test_labels", "Labels of the points to predict, if they are "
    "known.", "L");
PARAM_MATRIX_IN("test_responses", "Responses of the points to predict, if they "
    "are known.", "R");

PARAM_MATRIX_AND_INFO_IN("validation", "Points to stop training early with: "
    "the number of units with which their loss is least is kept.", "");
PARAM_ROW_IN("validation_labels", "Labels of the validation data; without "
    "them, its last column is taken for the labels if that of the training "
    "data is.", "");
PARAM_MATRIX_IN("validation_responses", "Responses of the validation data.",
    "");

PARAM_VECTOR_IN(std::string, "column_names", "Names of the columns of the "
    "training data, for reports and exports.", "");

// Models.
PARAM_MODEL_IN(GBNNModel, "input_model", "A model trained before.", "m");
PARAM_MODEL_OUT(GBNNModel, "output_model", "The trained model.", "M");

// Results.
PARAM_ROW_OUT("predictions", "Predicted label of each point of the test data.",
    "p");
PARAM_MATRIX_OUT("probabilities", "Probability of each class, in ascending "
    "order of the labels, for each point of the test data.", "P");
PARAM_MATRIX_OUT("output_predictions", "Predicted responses of each point of "
    "the test data, or the quantiles of its response.", "o");
PARAM_MATRIX_OUT("staged_scores", "For each number of active units: that "
    "number, and the accuracy (classification) or the error that goes with the "
    "loss (regression; root mean squared error for the squared error) on the "
    "test data.", "");
PARAM_ROW_OUT("units_used", "Number of hidden units that the prediction of "
    "each point of the test data took, if early_exit is given.", "");
PARAM_STRING_OUT("summary", "How good the predictions of the test data are.",
    "");

// Looking inside.
PARAM_FLAG("importance", "If set, compute how important each column is, on the "
    "test data if its labels or responses are given, else on the training "
    "data.", "");
PARAM_MATRIX_OUT("importances", "For each column, if importance is asked for: "
    "by how much the mean loss rises when the column is shuffled, the standard "
    "deviation of that over 5 repeats, and by how much the prediction moves in "
    "the mean when the column does by one standard deviation.", "");
PARAM_STRING_OUT("importance_table", "The importances with the names of the "
    "columns, the most important first.", "");
PARAM_FLAG("gradients", "If set, compute the derivative of the predictions of "
    "the test data.", "");
PARAM_MATRIX_OUT("input_gradients", "For each point of the test data, if "
    "gradients are asked for: the derivative of the prediction with respect to "
    "each column (NaN if it is categorical); if there are several "
    "probabilities or responses, those of the first, then those of the second, "
    "and so on.", "");
PARAM_STRING_IN("dependence", "Name of a column, or its number from 1 on, to "
    "compute the partial dependence of the predictions on.", "", "");
PARAM_MATRIX_OUT("partial_dependence", "For values of the column to depend on: "
    "the value (of a categorical column, the place of the category in "
    "alphabetical order, from 0 on), and the mean probability of each class, "
    "or the mean responses, if it is the same in all points.", "");
PARAM_MATRIX_OUT("training_losses", "Number of hidden units before training "
    "and after each of its stages, the mean loss on the training data, and, if "
    "there is any, on the validation data.", "");
PARAM_STRING_IN("report", "HTML file to write a report about the model to.", "",
    "");
PARAM_STRING_IN("export", "File to export the model to: an ONNX graph (.onnx) "
    "or a C header (.h), with its encoding of tables and the active units.", "",
    "");

// The loss of a regression.
PARAM_STRING_IN("loss", "Loss of a regression: 'squared', 'absolute', 'huber', "
    "'quantile' or 'poisson' (for responses that are not negative).", "",
    "squared");
PARAM_STRING_IN("quantiles", "Quantiles to predict with the loss 'quantile': "
    "numbers between 0 and 1, ascending, with commas between them.", "", "0.5");
PARAM_FLAG("non_crossing", "If set, the predicted quantiles of each point are "
    "put in ascending order.", "");
PARAM_DOUBLE_IN("huber_delta", "Error from which on the loss 'huber' is "
    "linear; 0 means the median distance of the responses from their median.",
    "", 0);

// The method.
PARAM_INT_IN("hidden_units", "Number of hidden units in total, or to add with "
    "a warm start.", "u", 200);
PARAM_INT_IN("units_per_stage", "Number of hidden units that a stage adds; 0 "
    "means 1 for two classes and 3 otherwise.", "j", 0);
PARAM_DOUBLE_IN("learning_rate", "What each stage is multiplied by, greater "
    "than 0 and at most 1.", "n", 0.1);
PARAM_DOUBLE_IN("subsample", "Share of the points that a stage is trained on, "
    "greater than 0 and at most 1.", "s", 0.75);
PARAM_STRING_IN("activation", "Activation function of the hidden units: "
    "'logistic', 'tanh' or 'relu'.", "A", "logistic");
PARAM_STRING_IN("optimizer", "Optimizer that trains a stage: 'lbfgs', 'adam', "
    "'sgd', or 'auto', which is variable projection for stages with few "
    "weights and L-BFGS for others.", "O", "auto");
PARAM_INT_IN("max_iterations", "Most iterations for a stage: steps of L-BFGS "
    "or variable projection (40 for the latter unless this is given), or "
    "passes over the data of Adam and SGD.  0 means no limit.", "i", 200);
PARAM_DOUBLE_IN("tolerance", "A stage ends when its objective falls by less "
    "than this, relatively for L-BFGS and absolutely for Adam and SGD.  With "
    "'auto', L-BFGS takes 0.1 over the total weight of the points if that is "
    "more, and variable projection has its own.", "e", 2e-9);
PARAM_DOUBLE_IN("step_size", "Step size of Adam and SGD.", "a", 0.01);
PARAM_INT_IN("batch_size", "Batch size of Adam and SGD.", "b", 32);
PARAM_DOUBLE_IN("l2", "L2 regularization of the weights of a stage, divided by "
    "the number of points.", "", 1e-2);
PARAM_INT_IN("refine_iterations", "Most iterations of training all weights "
    "further together after boosting, or, for responses, while the network "
    "grows; how many are done is decided on a part of the training data, for "
    "classes up to twice as many if the network had better stay smooth.  0 "
    "means boosting only, as in the paper.", "", 96);
PARAM_DOUBLE_IN("validation_fraction", "Share of the training data to hold out "
    "and stop training early with, greater than 0 and less than 1; 0 means "
    "none.", "", 0);
PARAM_INT_IN("patience", "With validation data, training ends after so many "
    "stages without a lower loss on it; 0 means that all units are made, and "
    "the best number of them kept.", "", 20);
PARAM_FLAG("no_scaling", "If set, columns are not scaled to mean 0 and "
    "variance 1.", "");
PARAM_FLAG("warm_start", "If set, training adds units to the input model.", "");
PARAM_INT_IN("active_units", "Number of hidden units to predict with; -1 means "
    "all that are active in the model.  The output model keeps the others, "
    "switched off.", "k", -1);
PARAM_DOUBLE_IN("latency", "Microseconds that the prediction of one point may "
    "take; sets the active units to as many as this machine can use in that "
    "time, at least one.  0 means any time.", "", 0);
PARAM_DOUBLE_IN("early_exit", "Share of the predicted labels that may differ "
    "from those of all active units when the prediction of a point ends as "
    "soon as its label is decided.  0 means none: the label is certain.  "
    "Otherwise some of the test data, at most a half, is predicted with all "
    "units to learn when to end, with 95 % confidence.  -1 means no early "
    "exit.", "", -1);
PARAM_INT_IN("seed", "Random seed.  If 0, the time is used.", "S", 0);

// Tuning.
PARAM_FLAG("tune", "If set, choose units per stage, learning rate, subsample "
    "and number of hidden units by cross-validation, and train with the best.",
    "");
PARAM_INT_IN("folds", "Number of folds of the cross-validation.", "", 10);
PARAM_VECTOR_IN(int, "tune_units_per_stage", "Numbers of units per stage to "
    "choose from; if empty, those of the paper, or units_per_stage if that is "
    "given.", "");
PARAM_STRING_IN("tune_learning_rates", "Learning rates to choose from, with "
    "commas between; if empty, those of the paper, or learning_rate if that is "
    "given.", "", "");
PARAM_STRING_IN("tune_subsamples", "Shares of the points to choose from, with "
    "commas between; if empty, those of the paper, or subsample if that is "
    "given.", "", "");
PARAM_VECTOR_IN(int, "tune_units", "Numbers of hidden units to choose from; if "
    "empty, the ends of all stages up to hidden_units.", "");
PARAM_MATRIX_OUT("tuning_scores", "For each combination that was compared: "
    "units per stage, learning rate, subsample, best number of hidden units, "
    "mean score over the folds (accuracy, or the error that goes with the "
    "loss), its standard error, and 1 if it is the best, else 0.", "");
PARAM_STRING_OUT("tuning_table", "The scores of all combinations.", "");

/**
 * Train anew, or add units, with the given optimizer and progress report.
 *
 * @param params The options.
 * @param model The model to train.
 * @param validation Points to stop early with, if they are given.
 * @param train Trains with the callbacks it is called with.
 */
template<typename ModelType, typename ValidationType, typename TrainType>
static void TrainWith(Params& params,
                      ModelType& model,
                      const ValidationType& validation,
                      const TrainType& train)
{
  const bool warm = params.Has("warm_start");
  const size_t first = warm ? model.Units() : 0;
  const ProgressPrinter printer;
  GBNNProgress progress(first, first + model.HiddenUnits(), printer.Bar(),
      printer);
  CheckInterrupt interrupt;
  if (params.Has("validation"))
    train(progress, interrupt, validation);
  else
    train(progress, interrupt);
  printer.End();
  const std::vector<double>& losses = model.ValidationLosses();
  if (!losses.empty())
  {
    Log::Info << "Kept " << model.Units() << " of "
        << model.LossUnits().back() << " units, with which the loss on the "
        << "validation data is least ("
        << *std::min_element(losses.begin(), losses.end()) << ")."
        << std::endl;
  }
}

//! Check the weights, and take out the points whose weight is 0: they are to be
//! as good as absent, also from means, categories and labels.
static void ApplyWeights(arma::rowvec& weights,
                         arma::mat& points,
                         arma::rowvec& labels,
                         arma::mat& responses)
{
  CheckCount("weights", weights.n_elem, "training", points.n_cols);
  CheckNumbers("weights", weights);
  const arma::uvec used = arma::find(weights > 0);
  if (arma::any(weights < 0) || used.is_empty())
  {
    Log::Fatal << PRINT_PARAM_STRING("weights") << " must not be negative, and "
        << "not all 0!" << std::endl;
  }
  if (used.n_elem == weights.n_elem)
    return;
  points = points.cols(used);
  weights = weights.cols(used);
  if (labels.is_empty())
    responses = responses.cols(used);
  else
    labels = labels.cols(used);
}

//! Refine the model that boosting made, if that was asked for.
template<typename ModelType, typename TargetsType>
static void Refine(Params& params,
                   ModelType& model,
                   const arma::mat& data,
                   const TargetsType& targets,
                   const arma::rowvec& weights)
{
  model.Refinement().iterations = size_t(params.Get<int>("refine_iterations"));
  if (model.Refinement().iterations == 0)
    return;
  // What other settings of the optimizer, or an earlier training, have made is
  // not boosted anew with the default ones.
  if (params.Get<std::string>("optimizer") != "auto" ||
      params.Has("max_iterations") || params.Has("tolerance") ||
      params.Has("warm_start"))
    model.Refinement().phases = { 1 };
  ens::L_BFGS optimizer = ModelType::RefineOptimizer();
  CheckInterrupt interrupt;
  model.Refine(data, targets, weights, optimizer, interrupt);
  if (model.RefinedIterations() > 0)
  {
    Log::Info << "Refined all weights in " << model.RefinedIterations()
        << " iterations." << std::endl;
  }
  else
  {
    Log::Info << "Refinement does not help here; all units together are what "
        << "boosting made of them." << std::endl;
  }
}

//! What a model is trained on.
struct TrainingSet
{
  arma::mat data;
  arma::mat responses;
  arma::rowvec labels;
  //! What users know the labels by.
  std::string labelName;
  //! The labels as the classifier takes them.
  arma::Row<size_t> classes;
  //! Weights of the points and of the classes, or empty.
  arma::rowvec weights;
  arma::rowvec classWeights;
  //! Points to stop early with, or empty.
  arma::mat validation;
};

//! Take the labels or responses, and the weights, from the options; a table
//! without labels beside it gives its last column.
static void TakeTargets(Params& params,
                        GBNNModel& model,
                        arma::mat& raw,
                        gbnn::DatasetInfoType& info,
                        TrainingSet& set)
{
  if (!model.IsRegression())
  {
    set.labels = params.Has("labels") ? params.Get<arma::rowvec>("labels") :
        SplitLabels("training", raw, info);
    CheckCount("labels", set.labels.n_elem, "training", raw.n_cols);
  }
  else
  {
    set.responses = params.Get<arma::mat>("responses");
    CheckCount("responses", set.responses.n_cols, "training", raw.n_cols);
    CheckNumbers("responses", set.responses);
    SetLoss(params, model.Regressor(), set.responses);
  }
  if (params.Has("weights"))
  {
    set.weights = params.Get<arma::rowvec>("weights");
    ApplyWeights(set.weights, raw, set.labels, set.responses);
  }
  set.labelName = params.Has("labels") ? PRINT_PARAM_STRING("labels") :
      "the last column of " + PRINT_PARAM_STRING("training");
  if (params.Has("class_weights") && !model.IsRegression())
  {
    const arma::rowvec known = params.Has("warm_start") ? model.Labels() :
        gbnn::DistinctLabels(set.labels, set.labelName);
    set.classWeights = gbnn::ApplyClassWeights(
        params.Get<std::string>("class_weights"),
        gbnn::ClassesOf(set.labels, known, set.labelName), known, set.weights,
        PRINT_PARAM_STRING("class_weights"));
  }
}

//! Train for regression.
static void TrainRegressor(Params& params,
                           GBNNModel& model,
                           TrainingSet& set,
                           ChosenOptimizer& optimizer)
{
  GBNNModel::RegressorType& regressor = model.Regressor();
  SetHyperparameters(params, regressor, 3);
  Tune(params, regressor, 0, set.data.n_cols, [&](GBNNTuner& tuner)
  {
    tuner.Compare(regressor, set.data, set.responses, set.weights, optimizer);
  });
  TrainWith(params, regressor, ValidationResponses(params, set.responses,
      std::move(set.validation)), [&](auto&... callbacks)
  {
    if (params.Has("warm_start"))
      regressor.Grow(set.data, set.responses,
          size_t(params.Get<int>("hidden_units")), set.weights, optimizer,
          callbacks...);
    else
      regressor.Train(set.data, set.responses, set.weights, optimizer,
          callbacks...);
  });
  Refine(params, regressor, set.data, set.responses, set.weights);
}

//! Train for classification.
static void TrainClassifier(Params& params,
                            GBNNModel& model,
                            TrainingSet& set,
                            ChosenOptimizer& optimizer)
{
  const bool warm = params.Has("warm_start");
  set.classes = warm ? model.MapLabels(set.labels, set.labelName) :
      model.LearnLabels(set.labels, set.labelName);
  const size_t numClasses = model.Labels().n_elem;
  if (set.classes.max() == numClasses)
  {
    Log::Fatal << "Label " << set.labels[set.classes.index_max()]
        << " of point " << set.classes.index_max() + 1 << " in "
        << set.labelName << " is none of the labels of the input model!"
        << std::endl;
  }
  GBNNClassifier<>& classifier = model.Classifier();
  SetHyperparameters(params, classifier, (numClasses == 2) ? 1 : 3);
  Tune(params, classifier, numClasses, set.data.n_cols, [&](GBNNTuner& tuner)
  {
    tuner.Compare(classifier, set.data, set.classes, numClasses, set.weights,
        optimizer);
  });
  TrainWith(params, classifier, ValidationClasses(params, model,
      set.classWeights, std::move(set.validation)), [&](auto&... callbacks)
  {
    if (warm)
      classifier.Grow(set.data, set.classes,
          size_t(params.Get<int>("hidden_units")), set.weights, optimizer,
          callbacks...);
    else
      classifier.Train(set.data, set.classes, numClasses, set.weights,
          optimizer, callbacks...);
  });
  Refine(params, classifier, set.data, set.classes, set.weights);
}

//! Train the model on the training data.
static void TrainModel(Params& params,
                       Timers& timers,
                       GBNNModel& model,
                       Look& look)
{
  TableType& table = params.Get<TableType>("training");
  gbnn::DatasetInfoType& info = std::get<0>(table);
  arma::mat& raw = std::get<1>(table);
  const bool warm = params.Has("warm_start");
  const bool regression = params.Has("responses");
  if (warm && regression != model.IsRegression())
  {
    Log::Fatal << "The input model is for "
        << (model.IsRegression() ? "regression" : "classification")
        << ", but " << (regression ? PRINT_PARAM_STRING("responses") : "labels")
        << " are given!" << std::endl;
  }
  model.IsRegression() = regression;
  TrainingSet set;
  TakeTargets(params, model, raw, info, set);
  if (params.Has("report"))
    look.table = gbnn::TableSummary("training data", raw, info);

  timers.Start("gbnn_encoding");
  const std::string name = PRINT_PARAM_STRING("training");
  set.data = warm ? model.Encoder().Encode(std::move(raw), info, name) :
      model.Encoder().Fit(std::move(raw), info, name,
          !params.Has("no_scaling"), set.weights);
  NameColumns(params, model.Encoder());
  set.validation = ValidationPoints(params, model);
  timers.Stop("gbnn_encoding");

  if (!params.Has("seed") || params.Get<int>("seed") == 0)
    SeedByTime();
  timers.Start("gbnn_training");
  ChosenOptimizer optimizer(params, set.data.n_cols);
  if (regression)
    TrainRegressor(params, model, set, optimizer);
  else
    TrainClassifier(params, model, set, optimizer);
  timers.Stop("gbnn_training");
  if (Looks(params))
  {
    look.seen = { "training data", std::move(set.data), std::move(set.classes),
        std::move(set.responses), std::move(set.weights) };
  }
}

//! Store the score for each number of active units.
static void StoreStagedScores(Params& params, const arma::rowvec& scores)
{
  params.Get<arma::mat>("staged_scores") = arma::join_cols(
      arma::regspace<arma::rowvec>(0, scores.n_elem - 1), scores);
}

static void PredictClasses(Params& params,
                           const GBNNModel& model,
                           const arma::mat& data)
{
  arma::Row<size_t> predictions;
  arma::mat probabilities;
  const bool early = (params.Get<double>("early_exit") >= 0);
  std::string earlyLine;
  if (early)
    earlyLine = gbnn::ClassifyEarly(params, model.Classifier(), data,
        predictions, probabilities);
  else
    model.Classifier().Classify(data, predictions, probabilities);
  if (params.Has("test_labels"))
  {
    const arma::rowvec& labels = params.Get<arma::rowvec>("test_labels");
    CheckCount("test_labels", labels.n_elem, "test", data.n_cols);
    const arma::Row<size_t> truth = model.MapLabels(labels,
        PRINT_PARAM_STRING("test_labels"));
    const size_t unknown = arma::accu(truth == model.Labels().n_elem);
    if (unknown > 0)
    {
      Log::Warn << unknown << " of the points in "
          << PRINT_PARAM_STRING("test_labels") << " have labels that did not "
          << "occur in training; they count as wrong." << std::endl;
    }
    params.Get<std::string>("summary") = gbnn::ClassificationSummary(
        predictions, truth, model.Labels());
    if (early)
    {
      params.Get<std::string>("summary") += "\n" + earlyLine + "; " +
          gbnn::CountChanged(model.Classifier(), data, predictions);
    }
    if (params.Has("staged_scores"))
      StoreStagedScores(params, model.Classifier().StagedAccuracy(data, truth));
  }
  params.Get<arma::rowvec>("predictions") = model.UnmapLabels(predictions);
  params.Get<arma::mat>("probabilities") = std::move(probabilities);
}

static void PredictResponses(Params& params,
                             const GBNNModel& model,
                             const arma::mat& data)
{
  arma::mat predictions;
  model.Regressor().Predict(data, predictions);
  if (params.Has("test_responses"))
  {
    const arma::mat& responses = params.Get<arma::mat>("test_responses");
    CheckCount("test_responses", responses.n_cols, "test", data.n_cols);
    CheckNumbers("test_responses", responses);
    const GBNNModel::RegressorType& regressor = model.Regressor();
    CheckResponses("test_responses", responses, regressor.Loss());
    if (responses.n_rows != regressor.NumResponses())
    {
      Log::Fatal << PRINT_PARAM_STRING("test_responses") << " has "
          << responses.n_rows << " columns, but the model has "
          << regressor.NumResponses() << " responses!" << std::endl;
    }
    params.Get<std::string>("summary") = gbnn::RegressionSummary(predictions,
        responses, regressor.Loss());
    if (params.Has("staged_scores"))
      StoreStagedScores(params, regressor.StagedError(data, responses));
  }
  params.Get<arma::mat>("output_predictions") = std::move(predictions);
}

//! Predict the test data.
static void Predict(Params& params,
                    Timers& timers,
                    const GBNNModel& model,
                    Look& look)
{
  if (model.IsRegression())
  {
    for (const std::string name : { "predictions", "probabilities",
        "test_labels", "early_exit" })
      ReportIgnored(params, name, "the model is for regression");
  }
  else
  {
    for (const std::string name : { "output_predictions", "test_responses" })
      ReportIgnored(params, name, "the model is for classification");
  }
  const std::string truth = model.IsRegression() ? "test_responses" :
      "test_labels";
  if (!params.Has(truth))
  {
    ReportIgnored(params, "staged_scores", PRINT_PARAM_STRING(truth) + " is "
        "not specified");
  }

  TableType& table = params.Get<TableType>("test");
  if (params.Has("report") && look.table.columns.empty())
  {
    look.table = gbnn::TableSummary("test data", std::get<1>(table),
        std::get<0>(table));
  }
  timers.Start("gbnn_encoding");
  arma::mat data = model.Encoder().Encode(std::move(std::get<1>(table)),
      std::get<0>(table), PRINT_PARAM_STRING("test"));
  timers.Stop("gbnn_encoding");

  timers.Start("gbnn_prediction");
  if (model.IsRegression())
    PredictResponses(params, model, data);
  else
    PredictClasses(params, model, data);
  timers.Stop("gbnn_prediction");
  if (params.Has("gradients"))
  {
    params.Get<arma::mat>("input_gradients") = gbnn::ColumnGradients(model,
        data);
  }
  if (Looks(params))
    KeepTest(params, model, std::move(data), look);
}

void BINDING_FUNCTION(Params& params, Timers& timers)
{
  ReportSimdLevel();
  CheckOptions(params);
  CheckLooks(params);
  ReportIgnoredOptions(params);

  // A copy: should anything fail, the input model is as it was.
  std::unique_ptr<GBNNModel> model = params.Has("input_model") ?
      std::make_unique<GBNNModel>(*params.Get<GBNNModel*>("input_model")) :
      std::make_unique<GBNNModel>();
  const int activeUnits = params.Get<int>("active_units");
  const size_t units = model->Units() + (params.Has("training") ?
      size_t(params.Get<int>("hidden_units")) : 0);
  if (activeUnits > 0 && size_t(activeUnits) > units)
  {
    Log::Fatal << PRINT_PARAM_STRING("active_units") << " (" << activeUnits
        << ") must be at most the number of hidden units of the model ("
        << units << ")!" << std::endl;
  }
  Look look;
  if (params.Has("training"))
  {
    CheckValidation(params);
    CheckTest(params);
    TrainModel(params, timers, *model, look);
  }

  if (activeUnits >= 0)
  {
    if (size_t(activeUnits) > model->Units())
    {
      Log::Warn << "Early stopping has kept " << model->Units() << " units, "
          << "fewer than " << PRINT_PARAM_STRING("active_units") << " ("
          << activeUnits << "); all of them are used." << std::endl;
    }
    model->ActiveUnits(std::min(size_t(activeUnits), model->Units()));
  }
  if (params.Has("latency"))
  {
    model->ActiveUnits(model->IsRegression() ?
        gbnn::UnitsForOption(params, model->Regressor()) :
        gbnn::UnitsForOption(params, model->Classifier()));
  }

  if (params.Has("test"))
    Predict(params, timers, *model, look);
  if (!params.Has("training"))
    NameColumns(params, model->Encoder());
  LookInside(params, *model, look);
  params.Get<GBNNModel*>("output_model") = model.release();
}
