/**
 * @file tests/shared_classes.hpp
 *
 * Classes that many test files use.  shared_classes.cpp compiles them once for
 * all of these, most of which are then half as large.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef GBNN_TESTS_SHARED_CLASSES_HPP
#define GBNN_TESTS_SHARED_CLASSES_HPP

#include <mlpack/methods/gbnn.hpp>

//! DO declares them, as `extern template`, or compiles them, as `template`.
#define GBNN_SHARED_CLASSES_OF_LOSS(DO, MAT, LOSS) \
    DO struct mlpack::gbnn::BoostingRun<MAT, LOSS>; \
    DO class mlpack::gbnn::StageWatch<MAT, LOSS>; \
    DO class mlpack::RefineFunction<MAT, LOSS, float>; \
    DO class mlpack::RefineCoordinates< \
        mlpack::RefineFunction<MAT, LOSS, float>, MAT, float>; \
    DO class mlpack::GBNN<MAT, LOSS>;

#define GBNN_SHARED_CLASSES_OF_TYPE(DO, MAT) \
    DO class mlpack::gbnn::SharedRows<MAT, MAT>; \
    DO class mlpack::gbnn::SharedRows<MAT, arma::Row<size_t>>; \
    DO class mlpack::gbnn::StageSums<MAT>; \
    DO class mlpack::BoostedNetwork<MAT>; \
    DO class mlpack::StageFunction<MAT>; \
    GBNN_SHARED_CLASSES_OF_LOSS(DO, MAT, mlpack::LogLoss) \
    GBNN_SHARED_CLASSES_OF_LOSS(DO, MAT, mlpack::SquaredErrorLoss) \
    DO class mlpack::GBNNClassifier<MAT>; \
    DO class mlpack::GBNNRegressor<MAT>;

#define GBNN_SHARED_CLASSES(DO) \
    GBNN_SHARED_CLASSES_OF_TYPE(DO, arma::mat) \
    GBNN_SHARED_CLASSES_OF_TYPE(DO, arma::fmat)

GBNN_SHARED_CLASSES(extern template)

#endif
