/**
 * @file methods/gbnn/binding/gbnn_settings.hpp
 *
 * What users of the binding gbnn can set, what they give it, and what they get:
 * with these, nothing but the binding file knows the parameters by name.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_GBNN_SETTINGS_HPP
#define MLPACK_METHODS_GBNN_BINDING_GBNN_SETTINGS_HPP

#include "../files/checkpoint.hpp"
#include "../report/gbnn_report.hpp"
#include "../tuning/gbnn_grid.hpp"
#include "binding_tools.hpp"
#include "settings.hpp"

namespace mlpack {
namespace gbnn {

//! The loss of a regression.
struct LossSettings
{
  Setting<std::string> name;
  Setting<std::vector<double>> quantiles;
  Setting<double> huberDelta;
  bool nonCrossing;
};

//! How columns become inputs of the network.
struct EncodingSettings
{
  enum class Kind { LINEAR, PIECEWISE, AUTO };

  Kind kind;
  //! Maximum number of bins of piecewise-linear inputs.
  size_t bins;

  //! The number of bins to begin with; 0 means linear inputs.
  size_t Bins() const { return (kind == Kind::PIECEWISE) ? bins : 0; }
};

//! What to choose hyperparameters from; lists that are empty are the paper's.
struct TuningSettings
{
  bool isWanted;
  size_t folds;
  std::vector<size_t> units;
  std::vector<size_t> unitsPerStage;
  std::vector<double> learningRates;
  std::vector<double> subsamples;
  //! The smallest number of hidden units that there may be.
  size_t minUnits;

  //! The grid for a number of classes; 0 for regression.
  GBNNGrid Grid(const size_t numClasses) const
  {
    GBNNGrid grid = GBNNGrid::Paper(numClasses, minUnits);
    grid.units = units;
    if (!unitsPerStage.empty())
      grid.unitsPerStage = unitsPerStage;
    if (!learningRates.empty())
      grid.learningRates = learningRates;
    if (!subsamples.empty())
      grid.subsamples = subsamples;
    return grid;
  }
};

//! How to score the model that is trained, on points held out.
struct EvaluationSettings
{
  //! Number of folds of a cross-validation, or 0.
  size_t folds;
  //! Fraction of the points to hold out once, or 0.
  double holdout;

  bool IsWanted() const { return folds > 0 || holdout > 0; }
};

//! How many units predictions use.
struct AnytimeSettings
{
  std::optional<size_t> activeUnits;
  //! Microseconds that a prediction may take.
  std::optional<double> latency;
  //! Fraction of the labels that may differ when predictions end early.
  std::optional<double> earlyExit;
};

//! What to look at the model for; files to write are "" for none.
struct InspectionSettings
{
  bool importance;
  bool gradients;
  std::optional<std::string> dependence;
  std::string report;
  std::string exportFile;

  //! Whether points must be kept to look at the model with.
  bool NeedsPoints() const
  {
    return importance || dependence || !report.empty();
  }
};

//! Everything that can be set.
struct GBNNSettings : TargetSettings
{
  bool scale;
  bool stagedScores;
  //! Weights of the classes, as users write them.
  std::optional<std::string> classWeights;
  size_t refineIterations;
  double validationFraction;
  size_t patience;
  BoostingSettings boosting;
  EncodingSettings encoding;
  //! What is chosen on data unless training goes on with a model.
  GBNNChoices choices;
  LossSettings loss;
  TuningSettings tuning;
  EvaluationSettings evaluation;
  //! Whether anything is to be kept of what is made.
  bool saves;
  //! Whether ranks may predict the points of a large table together.
  bool sharesTest = false;
  //! What training goes on from, or keeps for that.
  GBNNCheckpoint checkpoint;
  AnytimeSettings anytime;
  InspectionSettings inspection;
  //! Made on the thread that runs the binding; copies can be asked on any.
  CheckInterrupt interrupt;
};

//! What the binding is given.
struct GBNNInputs : GivenTables
{
  const arma::rowvec* weights = nullptr;
};

//! What to look at the model with.
struct InspectedPoints
{
  TableSummary table;
  //! Of the training data, if there is any and a report is wanted.
  SeenSummary trained;
  SeenPoints seen;
};

//! What the binding makes, beside the model.
struct GBNNResults
{
  //! Labels, or the places of words among those of the model.
  arma::rowvec predictions;
  std::vector<std::string> labelNames;
  arma::mat probabilities;
  arma::mat outputPredictions;
  arma::mat stagedScores;
  arma::rowvec unitsUsed;
  std::string summary;
  arma::mat importances;
  std::string importanceTable;
  arma::mat inputGradients;
  arma::mat partialDependence;
  arma::mat trainingLosses;
  GBNNEncodingChoice encodingChoice;
  //! Scores of each fold, one a column, and their means in words.
  arma::mat evaluationScores;
  std::string evaluationSummary;
  arma::mat tuningScores;
  std::string tuningTable;
};

} // namespace gbnn
} // namespace mlpack

#endif
