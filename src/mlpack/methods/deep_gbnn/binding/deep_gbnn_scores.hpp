/**
 * @file methods/deep_gbnn/binding/deep_gbnn_scores.hpp
 *
 * How the trunk and the Deep-GBNN compare; for the binding file of deep_gbnn
 * only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_BINDING_DEEP_GBNN_SCORES_HPP
#define MLPACK_METHODS_DEEP_GBNN_BINDING_DEEP_GBNN_SCORES_HPP

#include <mlpack/methods/gbnn/binding/training_scores.hpp>
#include "deep_gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

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
inline void Compare(const std::string& dataName,
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

} // namespace gbnn
} // namespace mlpack

#endif
