/**
 * @file methods/gbnn/report/gbnn_summary.hpp
 *
 * How well predictions agree with labels or responses, in words and numbers.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REPORT_GBNN_SUMMARY_HPP
#define MLPACK_METHODS_GBNN_REPORT_GBNN_SUMMARY_HPP

#include <iomanip>

#include "../gbnn.hpp"
#include "../loss_functions/regression_loss.hpp"
#include "../table/class_labels.hpp"
#include "scores.hpp"

namespace mlpack {
namespace gbnn {

//! A confusion matrix of more classes is too large to show.
constexpr size_t maxConfusionClasses = 50;

//! What is shown instead of that.
inline std::string NoConfusion(const size_t classes)
{
  return "The confusion matrix of " + std::to_string(classes) + " classes is "
      "too large to show.";
}

/**
 * How often points of each class, in rows, are predicted as each class, in
 * columns.  The last row has those whose class the model does not know.
 *
 * @param predictions Predicted class of each point.
 * @param truth Class of each point.
 * @param classes Number of classes.
 */
inline arma::umat ConfusionMatrix(const arma::Row<size_t>& predictions,
                                  const arma::Row<size_t>& truth,
                                  const size_t classes)
{
  arma::umat counts(classes + 1, classes, arma::fill::zeros);
  for (size_t i = 0; i < truth.n_elem; ++i)
    ++counts(std::min<size_t>(truth[i], classes), predictions[i]);
  return counts;
}

/**
 * Accuracy, precision and recall of each class, and the confusion matrix unless
 * it is too large.
 *
 * @param predictions Predicted class of each point.
 * @param truth Class of each point; those that are not smaller than the number
 *     of labels are classes the model does not know, and count as wrong.
 * @param labels What the classes are called.
 * @param probabilities Probability of each class, one point a column; if they
 *     are given, there are scores of them, too.
 */
inline std::string ClassificationSummary(const arma::Row<size_t>& predictions,
                                         const arma::Row<size_t>& truth,
                                         const ClassLabels& labels,
                                         const arma::mat& probabilities =
                                             arma::mat())
{
  if (truth.is_empty())
    return "no points";
  const size_t classes = labels.Size();
  // Points that are predicted as a class, that are of it, and both.
  arma::uvec predicted(classes, arma::fill::zeros);
  arma::uvec occurring = predicted, right = predicted;
  for (size_t i = 0; i < truth.n_elem; ++i)
  {
    ++predicted[predictions[i]];
    if (truth[i] < classes)
      ++occurring[truth[i]];
    if (truth[i] == predictions[i])
      ++right[truth[i]];
  }
  const size_t correct = arma::accu(right);

  std::ostringstream out;
  out << "accuracy " << std::fixed << std::setprecision(4)
      << double(correct) / truth.n_elem << " (" << correct << " of "
      << truth.n_elem << " points)\n";
  if (!probabilities.is_empty())
  {
    const auto score = [&](const std::string& name, const double value)
    {
      out << name << " ";
      if (std::isnan(value))
        out << "-";
      else
        out << value;
    };
    score("log loss", MeanLogLoss(probabilities, truth));
    score(", AUC", MeanRankArea(probabilities, truth));
    score(", calibration error", CalibrationError(probabilities, predictions,
        truth));
    out << "\n";
  }

  // A class that is never predicted, or never occurs, has no such share.
  const auto share = [](const double part, const double whole)
  {
    std::ostringstream text;
    if (whole > 0)
      text << std::fixed << std::setprecision(4) << part / whole;
    else
      text << "-";
    return text.str();
  };
  std::vector<std::string> names;
  size_t width = 9;
  for (size_t k = 0; k < classes; ++k)
  {
    names.push_back(ShortText(labels.Name(k), maxNameWidth));
    width = std::max(width, TextWidth(names[k]) + 1);
  }

  // std::setw() counts bytes.
  const auto pad = [&](const std::string& text)
  {
    return std::string(width - std::min(width, TextWidth(text)), ' ') + text;
  };

  out << std::setw(width) << "label" << std::setw(11) << "precision"
      << std::setw(9) << "recall" << std::setw(9) << "points" << "\n";
  for (size_t k = 0; k < classes; ++k)
  {
    out << pad(names[k]) << std::setw(11) << share(right[k], predicted[k])
        << std::setw(9) << share(right[k], occurring[k]) << std::setw(9)
        << occurring[k] << "\n";
  }

  if (classes > maxConfusionClasses)
    return out.str() + NoConfusion(classes);
  const arma::umat confusion = ConfusionMatrix(predictions, truth, classes);
  out << "confusion matrix (rows: true label, columns: predicted label)\n"
      << std::setw(width) << "";
  for (size_t k = 0; k < classes; ++k)
    out << pad(names[k]);
  const size_t rows = (arma::accu(confusion.row(classes)) > 0) ? classes + 1 :
      classes;
  for (size_t k = 0; k < rows; ++k)
  {
    out << "\n" << pad(k < classes ? names[k] : "other");
    for (size_t j = 0; j < classes; ++j)
      out << std::setw(width) << confusion(k, j);
  }
  return out.str();
}

//! How the inputs of a trained model become those of its network.
template<typename ModelType>
std::string EncodingSummary(const ModelType& model)
{
  const PiecewiseLinear& encoding = model.Encoding();
  if (encoding.Dimensionality() == 0)
    return "linear";
  return "piecewise-linear, up to " + std::to_string(encoding.MaxBins()) +
      " bins each, " + std::to_string(encoding.NumPieces()) + " pieces in all";
}

//! The losses by which inputs and units were chosen.
inline std::string ChoiceSummary(const GBNNEncodingChoice& choice)
{
  std::ostringstream out;
  out << "loss of points held out: " << std::setprecision(4);
  for (size_t i = 0; i < choice.candidates.size(); ++i)
  {
    const GBNNEncodingChoice::Candidate& candidate = choice.candidates[i];
    out << (i > 0 ? "; " : "") << candidate.loss << " with ";
    if (candidate.bins == 0)
      out << "linear inputs";
    else
      out << "up to " << candidate.bins << " bins";
    out << ", " << candidate.units << " units and L2 " << candidate.l2;
  }
  return out.str();
}

//! The name of an output of a model with this loss: a response, from 1 on, or a
//! quantile.
inline std::string PredictionName(const RegressionLoss& loss,
                                  const size_t output)
{
  std::ostringstream name;
  if (const QuantileLoss* quantile = loss.As<QuantileLoss>())
    name << "quantile " << quantile->Quantiles()[output];
  else
    name << "response " << output + 1;
  return name.str();
}

/**
 * The error of the predictions of one output: the one that goes with the loss,
 * with R^2 for the root mean squared error, and for a quantile the share of the
 * points that lie below it.
 *
 * @param predictions Predictions of the output.
 * @param truth Responses of the points.
 * @param loss The loss of the model.
 * @param output Number of the output.
 * @param r2 What to call R^2.
 */
inline std::string OutputSummary(const arma::rowvec& predictions,
                                 const arma::rowvec& truth,
                                 const RegressionLoss& loss,
                                 const size_t output,
                                 const std::string& r2)
{
  double error = 0;
  for (size_t i = 0; i < truth.n_elem; ++i)
    error += loss.Error(truth[i], predictions[i], output);
  std::ostringstream out;
  out << std::setprecision(6) << loss.ErrorName() << " "
      << loss.TotalError(error / truth.n_elem);
  const double spread = arma::accu(arma::square(truth - arma::mean(truth)));
  if (loss.ErrorName() == "RMSE" && spread > 0)
    out << ", " << r2 << " " << 1 - error / spread;
  else if (loss.ErrorName() == "RMSE")
    out << ", " << r2 << " -";
  if (loss.ErrorName() == "RMSE")
    out << ", MAE " << MeanAbsoluteError(predictions, truth);
  if (loss.ErrorName() == "MAE" && spread > 0)
    out << ", " << r2 << " " << RSquared(predictions, truth);
  if (loss.As<QuantileLoss>())
    out << ", " << arma::mean(arma::conv_to<arma::rowvec>::from(
        truth < predictions)) << " of the responses below";
  return out.str();
}

//! The errors of predictions, for each output if there are several.
inline std::string RegressionSummary(const arma::mat& predictions,
                                     const arma::mat& responses,
                                     const RegressionLoss& loss)
{
  if (responses.n_cols == 0)
    return "no points";
  std::ostringstream out;
  const size_t outputs = predictions.n_rows;
  for (size_t k = 0; k < outputs; ++k)
  {
    // All quantiles are those of one response.
    const arma::rowvec truth = responses.row(std::min<size_t>(k,
        responses.n_rows - 1));
    if (outputs > 1 || loss.As<QuantileLoss>())
      out << PredictionName(loss, k) << ": ";
    out << OutputSummary(predictions.row(k), truth, loss, k, "R^2") << " ("
        << truth.n_elem << " points)" << (k + 1 < outputs ? "\n" : "");
  }
  return out.str();
}

} // namespace gbnn
} // namespace mlpack

#endif
