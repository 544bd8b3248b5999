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

#include <mlpack/methods/gbnn/binding/target_column.hpp>

#include "binding/deep_gbnn_options.hpp"
#include "binding/deep_gbnn_prediction.hpp"
#include "binding/deep_gbnn_training.hpp"
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
  CheckModel(settings, *model);
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
  StoreResults(params, head.IsRegression(), std::move(results));
  params.Get<DeepGBNNModel*>("output_model") = model.release();
}
