/**
 * @file methods/gbnn/binding/training_scores.hpp
 *
 * Scores of a model on points with known labels or responses; for binding files
 * only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_TRAINING_SCORES_HPP
#define MLPACK_METHODS_GBNN_BINDING_TRAINING_SCORES_HPP

#include "../report/scores.hpp"
#include "announce.hpp"
#include "gbnn_training.hpp"

namespace mlpack {
namespace gbnn {

//! What the scores of an evaluation are called.
static std::vector<std::string> ScoreNames(const GBNNModel& model)
{
  if (!model.IsRegression())
    return { "accuracy", "log loss", "AUC", "calibration error" };
  const std::string error = model.Regressor().Loss().ErrorName();
  if (model.Regressor().Loss().As<QuantileLoss>())
    return { error };
  return (error == "MAE") ? std::vector<std::string>{ error, "R^2" } :
      std::vector<std::string>{ error, "MAE", "R^2" };
}

/**
 * The scores of a trained model on points with known labels or responses.
 *
 * @param model The model.
 * @param data Points, one a column.
 * @param labels Labels of the points, for classification.
 * @param responses Responses of the points, for regression.
 * @param weights Weights of the points, or empty.
 * @param name What to call the labels in errors.
 */
static arma::vec Scores(const GBNNModel& model,
                        const arma::mat& data,
                        const PointLabels& labels,
                        const arma::mat& responses,
                        const arma::rowvec& weights,
                        const std::string& name)
{
  if (!model.IsRegression())
  {
    arma::Row<size_t> predictions;
    arma::mat probabilities;
    model.Classifier().Classify(data, predictions, probabilities);
    const arma::Row<size_t> truth = model.Labels().Classes(labels, name);
    return { MeanAccuracy(predictions, truth, weights),
        MeanLogLoss(probabilities, truth, weights),
        MeanRankArea(probabilities, truth, weights),
        CalibrationError(probabilities, predictions, truth, weights) };
  }
  const RegressionLoss& loss = model.Regressor().Loss();
  arma::mat predictions;
  model.Regressor().Predict(data, predictions);
  const double error = ErrorOf(loss, predictions, responses, weights);
  if (loss.As<QuantileLoss>())
    return { error };
  const double r2 = RSquared(predictions, responses, weights);
  if (loss.ErrorName() == "MAE")
    return { error, r2 };
  return { error, MeanAbsoluteError(predictions, responses, weights), r2 };
}

//! Means of scores, with their standard errors if there are several.
static std::string ScoreText(const std::vector<std::string>& names,
                             const arma::mat& scores)
{
  std::ostringstream out;
  out << std::setprecision(4);
  for (size_t r = 0; r < names.size(); ++r)
  {
    const arma::rowvec row = scores.row(r);
    const arma::rowvec known = row.elem(arma::find_finite(row)).t();
    out << (r > 0 ? ", " : "") << names[r] << " ";
    if (known.is_empty())
      out << "-";
    else
      out << arma::mean(known);
    if (known.n_elem > 1)
      out << " +- " << arma::stddev(known) / std::sqrt(double(known.n_elem));
  }
  return out.str();
}

//! A few words about a model that nobody has asked to save.
static void ReportTraining(const GBNNModel& model,
                           const TrainingSet& set)
{
  std::ostringstream text;
  text << std::setprecision(4) << "trained " << model.Units() << " hidden "
      << "units on " << set.data.n_cols << " points";
  const size_t refined = model.IsRegression() ?
      model.Regressor().RefinedIterations() :
      model.Classifier().RefinedIterations();
  if (refined > 0)
    text << ", refined in " << refined << " iterations";
  text << "; on these points: " << ScoreText(ScoreNames(model),
      Scores(model, set.data, set.labels, set.responses, set.pointWeights,
      set.labelName));
  Announce(text.str());
  Announce("The model is not saved; give " + PRINT_PARAM_STRING("output_model")
      + " to keep it");
}

} // namespace gbnn
} // namespace mlpack

#endif
