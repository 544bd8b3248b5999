/**
 * @file methods/deep_gbnn/binding/deep_gbnn_prediction.hpp
 *
 * Predicts as the settings say; for the binding file of deep_gbnn only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_BINDING_DEEP_GBNN_PREDICTION_HPP
#define MLPACK_METHODS_DEEP_GBNN_BINDING_DEEP_GBNN_PREDICTION_HPP

#include <mlpack/methods/gbnn/binding/gbnn_prediction.hpp>
#include "deep_gbnn_scores.hpp"
#include "deep_gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

//! Predict the test data, and tell how good that is if the truth is known.
inline void PredictTest(const DeepSettings& settings,
                        GBNNInputs& inputs,
                        util::Timers& timers,
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

} // namespace gbnn
} // namespace mlpack

#endif
