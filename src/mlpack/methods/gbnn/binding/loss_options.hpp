/**
 * @file methods/gbnn/binding/loss_options.hpp
 *
 * The options of a program that choose the loss of a regression, and what can
 * be wrong with them.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_LOSS_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_LOSS_OPTIONS_HPP

#include "binding_tools.hpp"
#include "../loss_functions/regression_loss.hpp"

namespace mlpack {
namespace gbnn {

//! The quantiles that were asked for.
static std::vector<double> ChosenQuantiles(util::Params& params)
{
  const std::string text = params.Get<std::string>("quantiles");
  std::vector<double> quantiles;
  bool good = true;
  std::istringstream cells(text + ",");
  for (std::string cell; std::getline(cells, cell, ','); )
  {
    std::istringstream number(cell);
    double q = 0;
    good &= bool(number >> q) && bool((number >> std::ws).eof()) && q > 0 &&
        q < 1 && (quantiles.empty() || q > quantiles.back());
    quantiles.push_back(q);
  }
  if (!good)
  {
    Log::Fatal << PRINT_PARAM_STRING("quantiles") << " is '" << text << "'; "
        << "expected one or several numbers between 0 and 1, ascending, with "
        << "commas between them, such as '0.1,0.5,0.9'!" << std::endl;
  }
  return quantiles;
}

//! The loss of the given name, with the options that are its own.
static RegressionLoss ChosenLoss(util::Params& params, const std::string& name)
{
  if (name == "absolute")
    return AbsoluteLoss();
  if (name == "huber")
    return HuberErrorLoss(params.Get<double>("huber_delta"));
  if (name == "quantile")
    return QuantileLoss(ChosenQuantiles(params), params.Has("non_crossing"));
  if (name == "poisson")
    return PoissonLoss();
  return SquaredErrorLoss();
}

//! Check that the options make sense for some loss.
static void CheckLossOptions(util::Params& params)
{
  util::RequireParamInSet<std::string>(params, "loss", RegressionLoss::Names(),
      true, "unknown loss");
  util::RequireParamValue<double>(params, "huber_delta",
      [](double x) { return x >= 0 && std::isfinite(x); }, true, "huber_delta "
      "must be greater than 0, or 0 for one that the data suggests");
  ChosenQuantiles(params);
}

//! Check that these can be responses of a model of the given loss.
static void CheckResponses(const std::string& name,
                           const arma::mat& responses,
                           const RegressionLoss& loss)
{
  if (loss.As<QuantileLoss>() && responses.n_rows != 1)
  {
    Log::Fatal << PRINT_PARAM_STRING(name) << " has " << responses.n_rows
        << " columns, but quantiles are those of one response!" << std::endl;
  }
  const arma::uvec negative = arma::find(responses < 0);
  if (loss.As<PoissonLoss>() && !negative.is_empty())
  {
    Log::Fatal << PRINT_PARAM_STRING(name) << " has "
        << responses[negative[0]] << " in column "
        << negative[0] % responses.n_rows + 1 << " of point "
        << negative[0] / responses.n_rows + 1 << "; with the Poisson loss, "
        << "responses must not be negative!" << std::endl;
  }
}

//! Check that the options do not ask for another loss than the model has.
static void CheckSameLoss(util::Params& params, const RegressionLoss& loss)
{
  const auto require = [&](const std::string& name, const bool same)
  {
    if (params.Has(name) && !same)
    {
      Log::Fatal << PRINT_PARAM_STRING(name) << " is not that of the input "
          << "model, whose loss ('" << loss.Name() << "') stays as it is with "
          << PRINT_PARAM_STRING("warm_start") << "; leave it out, or train a "
          << "new model!" << std::endl;
    }
  };
  require("loss", params.Get<std::string>("loss") == loss.Name());
  if (const HuberErrorLoss* huber = loss.As<HuberErrorLoss>())
    require("huber_delta", params.Get<double>("huber_delta") == huber->Delta());
  if (const QuantileLoss* quantile = loss.As<QuantileLoss>())
  {
    require("quantiles", ChosenQuantiles(params) == quantile->Quantiles());
    require("non_crossing", quantile->NonCrossing());
  }
}

//! Tell about options that a model of the given loss does not have.
static void ReportIgnoredLoss(util::Params& params, const RegressionLoss& loss)
{
  const std::string reason = "the loss is '" + loss.Name() + "'";
  if (!loss.As<HuberErrorLoss>())
    ReportIgnored(params, "huber_delta", reason);
  for (const std::string name : { "quantiles", "non_crossing" })
    if (!loss.As<QuantileLoss>())
      ReportIgnored(params, name, reason);
}

/**
 * Give a regressor the loss that was asked for, unless it goes on with its own,
 * and check that responses suit it.
 */
template<typename ModelType>
static void SetLoss(util::Params& params,
                    ModelType& model,
                    const arma::mat& responses)
{
  if (params.Has("warm_start"))
    CheckSameLoss(params, model.Loss());
  else
    model.Loss() = ChosenLoss(params, params.Get<std::string>("loss"));
  ReportIgnoredLoss(params, model.Loss());
  CheckResponses("responses", responses, model.Loss());
  for (const std::string name : { "test_responses", "validation_responses" })
    if (params.Has(name))
      CheckResponses(name, params.Get<arma::mat>(name), model.Loss());
}

} // namespace gbnn
} // namespace mlpack

#endif
