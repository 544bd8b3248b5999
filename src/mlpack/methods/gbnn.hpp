/**
 * @file methods/gbnn.hpp
 *
 * Gradient boosted neural networks: the one file a user includes.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_HPP
#define MLPACK_METHODS_GBNN_HPP

#include "deep_gbnn.hpp"
#include "gbnn/class_weights.hpp"
#include "gbnn/gbnn_classifier.hpp"
#include "gbnn/gbnn_regressor.hpp"
#include "gbnn/anytime/anytime_classifier.hpp"
#include "gbnn/anytime/prediction_time.hpp"
#include "gbnn/inspection/feature_importance.hpp"
#include "gbnn/inspection/input_gradient.hpp"
#include "gbnn/inspection/partial_dependence.hpp"
#include "gbnn/loss_functions/regression_loss.hpp"
#include "gbnn/table/table_encoder.hpp"
#include "gbnn/tuning/gbnn_tuner.hpp"

#endif
