/**
 * @file methods/gbnn/binding/validation_options.hpp
 *
 * The options of a program that stop training early.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_VALIDATION_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_VALIDATION_OPTIONS_HPP

#include "binding_tools.hpp"
#include "../class_weights.hpp"
#include "../gbnn_model.hpp"
#include "gbnn_options.hpp"

namespace mlpack {
namespace gbnn {

//! Check that validation data fits the training data.
static void CheckValidation(util::Params& params)
{
  if (!params.Has("validation"))
    return;
  const arma::mat& points = std::get<1>(params.Get<TableType>("training"));
  const arma::mat& validation = std::get<1>(
      params.Get<TableType>("validation"));
  const bool regression = params.Has("responses");
  const bool last = !params.Has("labels") && !regression;
  const std::string truth = regression ? "validation_responses" :
      "validation_labels";
  if (!last && !params.Has(truth))
  {
    Log::Fatal << PRINT_PARAM_STRING("validation") << " needs "
        << PRINT_PARAM_STRING(truth) << "!" << std::endl;
  }
  const size_t columns = points.n_rows - ((last && params.Has(truth)) ? 1 : 0);
  if (validation.n_rows != columns)
  {
    Log::Fatal << PRINT_PARAM_STRING("validation") << " has "
        << validation.n_rows << " columns, but should have " << columns
        << " as " << PRINT_PARAM_STRING("training") << " has"
        << ((columns < points.n_rows) ? " without its labels" : "") << "!"
        << std::endl;
  }
}

//! The points to stop early with, encoded as the training data; empty if there
//! are none.
static arma::mat ValidationPoints(util::Params& params, GBNNModel& model)
{
  if (!params.Has("validation"))
    return arma::mat();
  TableType& table = params.Get<TableType>("validation");
  if (!model.IsRegression() && !params.Has("labels") &&
      !params.Has("validation_labels"))
  {
    params.Get<arma::rowvec>("validation_labels") = SplitLabels("validation",
        std::get<1>(table), std::get<0>(table));
  }
  return model.Encoder().Encode(std::move(std::get<1>(table)),
      std::get<0>(table), PRINT_PARAM_STRING("validation"));
}

//! The classes of the points to stop early with; they weigh what their classes
//! do, if there are such weights.
static GBNNValidation<arma::mat, arma::Row<size_t>> ValidationClasses(
    util::Params& params,
    const GBNNModel& model,
    const arma::rowvec& classWeights,
    arma::mat&& points)
{
  if (!params.Has("validation"))
    return { arma::mat(), arma::Row<size_t>() };
  const arma::rowvec& labels = params.Get<arma::rowvec>("validation_labels");
  CheckCount("validation_labels", labels.n_elem, "validation", points.n_cols);
  const std::string name = params.Has("validation_labels") ?
      PRINT_PARAM_STRING("validation_labels") : "the last column of " +
      PRINT_PARAM_STRING("validation");
  const arma::Row<size_t> classes = model.MapLabels(labels, name);
  if (classes.max() == model.Labels().n_elem)
  {
    Log::Fatal << "Label " << labels[classes.index_max()] << " of point "
        << classes.index_max() + 1 << " in " << name << " does not occur in "
        << "training!" << std::endl;
  }
  return { std::move(points), classes, classWeights.is_empty() ?
      classWeights : ClassWeights(classes, classWeights) };
}

//! The responses of the points to stop early with.
static GBNNValidation<arma::mat, arma::mat> ValidationResponses(
    util::Params& params, const arma::mat& responses, arma::mat&& points)
{
  if (!params.Has("validation"))
    return { arma::mat(), arma::mat() };
  const arma::mat& truth = params.Get<arma::mat>("validation_responses");
  CheckCount("validation_responses", truth.n_cols, "validation", points.n_cols);
  CheckNumbers("validation_responses", truth);
  if (truth.n_rows != responses.n_rows)
  {
    Log::Fatal << PRINT_PARAM_STRING("validation_responses") << " has "
        << truth.n_rows << " columns, but " << PRINT_PARAM_STRING("responses")
        << " has " << responses.n_rows << "!" << std::endl;
  }
  return { std::move(points), truth };
}

} // namespace gbnn
} // namespace mlpack

#endif
