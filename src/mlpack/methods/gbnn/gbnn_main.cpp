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

#include "binding/gbnn_evaluation.hpp"
#include "binding/gbnn_inspection.hpp"
#include "binding/gbnn_options.hpp"
#include "binding/gbnn_prediction.hpp"
#include "binding/target_column.hpp"
#include "gbnn_model.hpp"

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
    "boosting, or uses one that was trained before.  The network grows a few "
    "hidden units at a time.  Each group of units is fitted to the current "
    "residuals, and the result is one ordinary network.  Its last units can be "
    "switched off when predicting, with " +
    PRINT_PARAM_STRING("active_units") + ", which makes predictions faster and "
    "changes them little."
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
    "weight 2 counts like two points."
    "\n\n"
    "For regression, " + PRINT_PARAM_STRING("loss") + " is the loss to "
    "minimize: the squared error, which predicts means; the absolute error, "
    "which predicts medians; Huber's loss, between the two, for responses with "
    "outliers; the pinball loss of one or several " +
    PRINT_PARAM_STRING("quantiles") + " of one response; or the Poisson loss, "
    "for counts."
    "\n\n"
    "Before training, categories are turned into columns of 0 and 1, and "
    "numbers are scaled to mean 0 and variance 1 (unless " +
    PRINT_PARAM_STRING("no_scaling") + " is given).  A missing word is a "
    "category of its own; a missing number becomes the mean of its column, and "
    "a column of 0 and 1 says which ones are missing.  All this is kept in "
    "the model and applied to test data as well; a category that did not occur "
    "in training counts as an average one."
    "\n\n"
    "The network takes these columns as they are, or piecewise-linear: each "
    "column is cut into bins at quantiles of the training data, and a unit "
    "takes a piecewise-linear function of it.  " +
    PRINT_PARAM_STRING("input_encoding") + " says which, and " +
    PRINT_PARAM_STRING("bins") + " how many bins there are at most.  With "
    "bins, a value outside the range of the training data counts as the "
    "nearest value in it."
    "\n\n"
    "The network gets " + PRINT_PARAM_STRING("hidden_units") + " hidden units, "
    + PRINT_PARAM_STRING("units_per_stage") + " in each stage.  If the "
    "number of units is not given, it is doubled, up to 200, as long as that "
    "lowers the loss on held-out points by more than chance.  A stage is "
    "trained on a random subsample of the points (" +
    PRINT_PARAM_STRING("subsample") + ") by the optimizer chosen with " +
    PRINT_PARAM_STRING("optimizer") + " and multiplied by " +
    PRINT_PARAM_STRING("learning_rate") + ".  Whether the " +
    PRINT_PARAM_STRING("l2") + " regularization of its weights is weak or "
    "strong is chosen on the same held-out points.  With " +
    PRINT_PARAM_STRING("warm_start") + ", " + PRINT_PARAM_STRING("hidden_units")
    + " units are added to the model given with " +
    PRINT_PARAM_STRING("input_model") + "."
    "\n\n"
    "Training can stop early, with the number of units that is best on a "
    "validation set: a holdout of the training data, " +
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
    "Before the model is trained on all points, " + PRINT_PARAM_STRING("cv") +
    " estimates by cross-validation how good it is on new data.  The data is "
    "cut into stratified folds; for each of them, a model is trained on the "
    "others in the same way, refinement and all, and scored on it.  " +
    PRINT_PARAM_STRING("holdout") + " does so once, with a fraction of the "
    "points.  Weights of points count in these scores."
    "\n\n"
    "A long training can be given a " + PRINT_PARAM_STRING("checkpoint") +
    ".  If it is stopped, the same call with the same data continues from "
    "there."
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
    "To inspect the model, " + PRINT_PARAM_STRING("importance") + " computes "
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
    "stopping: the number of units with the lowest loss on it is kept.", "");
PARAM_MATRIX_AND_INFO_IN("validation_labels", "Labels of the validation data; "
    "without them, its last column is taken for the labels if that of the "
    "training data is.", "");
PARAM_MATRIX_IN("validation_responses", "Responses of the validation data.",
    "");

PARAM_VECTOR_IN(std::string, "column_names", "Names of the columns of the "
    "training data, for reports and exports.  By default, the names that the "
    "data has.", "");
PARAM_VECTOR_IN(std::string, "test_column_names", "Names of the columns of the "
    "test data, which is put in the order of the training data by them.", "");
PARAM_VECTOR_IN(std::string, "validation_column_names", "Names of the columns "
    "of the validation data.", "");

// Models.
PARAM_MODEL_IN(GBNNModel, "input_model", "A model trained before.", "m");
PARAM_MODEL_OUT(GBNNModel, "output_model", "The trained model.", "M");

// Results.
PARAM_ROW_OUT("predictions", "Predicted label of each point of the test data.",
    "p");
PARAM_VECTOR_OUT(std::string, "label_names", "The names of the classes, in "
    "ascending order, if labels are words.  Predictions are then positions in "
    "this list, counted from 0, unless the front end returns the words.", "");
PARAM_MATRIX_OUT("probabilities", "Probability of each class, in ascending "
    "order of the labels, for each point of the test data.", "P");
PARAM_MATRIX_OUT("output_predictions", "Predicted responses of each point of "
    "the test data, or the quantiles of its response.", "o");
PARAM_MATRIX_OUT("staged_scores", "For each number of active units: that "
    "number, and the accuracy (classification) or the error that goes with the "
    "loss (regression; root mean squared error for the squared error) on the "
    "test data.", "");
PARAM_ROW_OUT("units_used", "Number of hidden units that were used for each "
    "point of the test data, if early_exit is given.", "");
PARAM_STRING_OUT("summary", "How good the predictions of the test data are.",
    "");

// Inspection.
PARAM_FLAG("importance", "If set, compute how important each column is, on the "
    "test data if its labels or responses are given, else on the training "
    "data.", "");
PARAM_MATRIX_OUT("importances", "For each column, if importance is asked for: "
    "by how much the mean loss rises when the column is shuffled, the standard "
    "deviation of that over 5 repeats, and by how much the prediction changes "
    "on average when the column does by one standard deviation.", "");
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
PARAM_MATRIX_OUT("partial_dependence", "For each value of the chosen column: "
    "the value (for a categorical column, the position of the category in "
    "alphabetical order, counted from 0, or NaN for missing words), and the "
    "mean probability of each class, or the mean responses, when all points "
    "have this value.", "");
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
    "numbers between 0 and 1, ascending, separated by commas.", "", "0.5");
PARAM_FLAG("non_crossing", "If set, the predicted quantiles of each point are "
    "put in ascending order.", "");
PARAM_DOUBLE_IN("huber_delta", "Error above which the loss 'huber' is linear; "
    "0 means the median distance of the responses from their median.", "", 0);

// The method.
PARAM_INT_IN("hidden_units", "Number of hidden units in total, or to add with "
    "a warm start; 0 means as many as lower the loss on held-out points, up to "
    "200, or exactly 200 if nothing else is chosen on such points.", "u", 0);
PARAM_INT_IN("units_per_stage", "Number of hidden units that a stage adds; 0 "
    "means 1 for two classes and 3 otherwise.", "j", 0);
PARAM_DOUBLE_IN("learning_rate", "Factor that each stage is multiplied by, "
    "greater than 0 and at most 1.", "n", 0.1);
PARAM_DOUBLE_IN("subsample", "Fraction of the points that a stage is trained "
    "on, greater than 0 and at most 1.", "s", 0.75);
PARAM_STRING_IN("activation", "Activation function of the hidden units: "
    "'logistic', 'tanh' or 'relu'.", "A", "logistic");
PARAM_STRING_IN("optimizer", "Optimizer that trains a stage: 'lbfgs', 'adam', "
    "'sgd', or 'auto', which is variable projection for stages with few "
    "weights and L-BFGS for others.", "O", "auto");
PARAM_INT_IN("max_iterations", "Maximum number of iterations of a stage: "
    "steps of L-BFGS or variable projection (40 for the latter unless this is "
    "given), or passes over the data of Adam and SGD.  0 means no limit, "
    "which Adam and SGD must have.", "i", 200);
PARAM_DOUBLE_IN("tolerance", "A stage ends when its objective falls by less "
    "than this, relatively for L-BFGS and absolutely for Adam and SGD.  With "
    "'auto', L-BFGS takes 0.1 over the total weight of the points if that is "
    "more, and variable projection has its own.", "e", 2e-9);
PARAM_DOUBLE_IN("step_size", "Step size of Adam and SGD.", "a", 0.01);
PARAM_INT_IN("batch_size", "Batch size of Adam and SGD.", "b", 32);
PARAM_STRING_IN("input_encoding", "How columns become inputs of the network: "
    "'linear', as they are, as in the paper; 'piecewise', as piecewise-linear "
    "functions; or 'auto', which chooses on the training data.", "", "auto");
PARAM_INT_IN("bins", "Maximum number of bins of a column with piecewise-linear "
    "inputs, up to 256; 0 means 16.  'auto' chooses the number itself, and "
    "ignores this.", "", 0);
PARAM_DOUBLE_IN("l2", "L2 regularization of the weights of a stage, divided by "
    "the number of points; -1 means 0.01, or 10 if that lowers the loss on "
    "held-out points, or with a warm start that of the input model.", "", -1);
PARAM_INT_IN("refine_iterations", "Maximum number of iterations of training "
    "all weights together after boosting; how many are done, if any, is "
    "decided on holdouts of the training data.  0 means boosting only, as in "
    "the paper.", "", 1000);
PARAM_DOUBLE_IN("validation_fraction", "Fraction of the training data to hold "
    "out for early stopping, greater than 0 and less than 1; 0 means none.", "",
    0);
PARAM_INT_IN("patience", "With validation data, training ends after this many "
    "stages without a lower loss on it; 0 means that all units are trained, "
    "and the best number of them is kept.", "", 20);
PARAM_FLAG("no_scaling", "If set, columns are not scaled to mean 0 and "
    "variance 1.", "");
PARAM_FLAG("warm_start", "If set, training adds units to the input model.", "");
PARAM_INT_IN("active_units", "Number of hidden units to predict with; -1 means "
    "all that are active in the model.  The output model keeps the others, "
    "switched off.", "k", -1);
PARAM_DOUBLE_IN("latency", "Microseconds that the prediction of one point may "
    "take; sets the active units to as many as this machine can use in that "
    "time, at least one.  0 means any time.", "", 0);
PARAM_DOUBLE_IN("early_exit", "Fraction of the labels that may differ "
    "from those of all active units when the prediction of a point ends as "
    "soon as its label is decided.  0 means none: the label is certain.  "
    "Otherwise some of the test data, at most a half, is predicted with all "
    "units to learn when to end, with 95 % confidence.  -1 means no early "
    "exit.", "", -1);
PARAM_INT_IN("seed", "Random seed.  If 0, the time is used.", "S", 0);
PARAM_STRING_IN("checkpoint", "File that training saves its progress to, "
    "every ten seconds.  If the file exists, training continues from it, and "
    "the model is the same as if it had never been stopped.  The file is "
    "removed at the end.", "", "");

// A score.
PARAM_INT_IN("cv", "Number of folds of a cross-validation of the model, before "
    "it is trained on all points; 0 means none.", "", 0);
PARAM_DOUBLE_IN("holdout", "Fraction of the training data to hold out and "
    "score the model on, before it is trained on all points; 0 means none.", "",
    0);
PARAM_MATRIX_OUT("cv_scores", "For each fold of cv, or the one of holdout: "
    "accuracy, log loss, area under the curve (of each class against the "
    "others, averaged) and calibration error, or for regression the error that "
    "goes with the loss, mean absolute error and R^2.", "");
PARAM_STRING_OUT("cv_summary", "Means of these scores with their standard "
    "errors.", "");

// Tuning.
PARAM_FLAG("tune", "If set, choose units per stage, learning rate, subsample "
    "and number of hidden units by cross-validation, and train with the best.",
    "");
PARAM_INT_IN("folds", "Number of folds of the cross-validation.", "", 10);
PARAM_VECTOR_IN(int, "tune_units_per_stage", "Numbers of units per stage to "
    "choose from; if empty, those of the paper, or units_per_stage if that is "
    "given.", "");
PARAM_STRING_IN("tune_learning_rates", "Learning rates to choose from, "
    "separated by commas; if empty, those of the paper, or learning_rate if "
    "that is given.", "", "");
PARAM_STRING_IN("tune_subsamples", "Subsamples to choose from, separated by "
    "commas; if empty, those of the paper, or subsample if that is given.", "",
    "");
PARAM_VECTOR_IN(int, "tune_units", "Numbers of hidden units to choose from; if "
    "empty, the ends of all stages up to hidden_units.", "");
PARAM_MATRIX_OUT("tuning_scores", "For each combination that was compared: "
    "units per stage, learning rate, subsample, best number of hidden units, "
    "mean score over the folds (accuracy, or the error that goes with the "
    "loss), its standard error, and 1 if it is the best, else 0.", "");
PARAM_STRING_OUT("tuning_table", "The scores of all combinations.", "");

void BINDING_FUNCTION(Params& params, Timers& timers)
{
  ReportSimdLevel();
  GBNNSettings settings = ReadSettings(params);
  ReportIgnoredOptions(params, settings);
  // Training is shared by all processes, and so is the prediction of a large
  // table; the first one does everything else.
  settings.sharesTest = CanShareTest(settings);
  if (!settings.train && !settings.sharesTest && !IsFirstRank())
    return;

  // A copy: should anything fail, the input model is as it was.
  std::unique_ptr<GBNNModel> model = params.Has("input_model") ?
      std::make_unique<GBNNModel>(*params.Get<GBNNModel*>("input_model")) :
      std::make_unique<GBNNModel>();
  CheckModel(settings, *model);
  GBNNInputs inputs = ReadInputs(params, settings);
  if (inputs.testRanks)
    CheckPredicting(params, settings, *model);
  else if (!settings.train && !IsFirstRank())
    return;
  if (!settings.train)
    settings.regression = model->IsRegression();
  ArrangeInputs(settings, inputs, model->Encoder(), model->Target());
  CheckTask(settings, *model);
  CheckInspection(settings, inputs);
  ReportIgnoredByModel(params, settings, inputs, *model);
  if (settings.train)
    CheckCheckpoint(params, settings, inputs);

  // From here on, nobody knows parameters by name.
  GBNNResults results;
  InspectedPoints inspected;
  if (settings.train)
    TrainModel(settings, inputs, timers, *model, inspected, results);
  if (!IsFirstRank() && !inputs.testRanks)
    return;
  if (IsFirstRank())
    SetActiveUnits(settings.anytime, *model);
  ShareActiveUnits(inputs.testRanks, *model);
  if (settings.test)
    Predict(settings, inputs, timers, *model, NothingBelow(), inspected,
        results);
  if (!IsFirstRank())
    return;
  if (!settings.train)
    NameColumns(settings, inputs, model->Encoder());
  Inspect(settings, *model, inspected, results);

  if (!model->IsRegression())
    results.labelNames = model->Labels().Words();
  StoreResults(params, std::move(results));
  params.Get<GBNNModel*>("output_model") = model.release();
  FinishCheckpoint(settings.checkpoint);
}
