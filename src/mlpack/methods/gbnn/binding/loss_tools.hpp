/**
 * @file methods/gbnn/binding/loss_tools.hpp
 *
 * The loss of a regressor, as it was asked for, and checks of responses; for
 * binding files only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_LOSS_TOOLS_HPP
#define MLPACK_METHODS_GBNN_BINDING_LOSS_TOOLS_HPP

#include "../loss_functions/regression_loss.hpp"
#include "gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

//! The loss that was asked for.
static RegressionLoss ChosenLoss(const LossSettings& settings)
{
  const std::string& name = settings.name.value;
  if (name == "absolute")
    return AbsoluteLoss();
  if (name == "huber")
    return HuberErrorLoss(settings.huberDelta.value);
  if (name == "quantile")
    return QuantileLoss(settings.quantiles.value, settings.nonCrossing);
  if (name == "poisson")
    return PoissonLoss();
  return SquaredErrorLoss();
}

//! Check that there are numbers only, none of them missing, where other ranks
//! have some points before these.
static void CheckNumbers(const std::string& title,
                         const arma::mat& values,
                         const size_t before = 0)
{
  const arma::uvec bad = arma::find_nonfinite(values);
  if (!bad.is_empty())
  {
    Log::Fatal << title << " has a missing or infinite "
        << "value in column " << bad[0] % values.n_rows + 1 << " of point "
        << before + bad[0] / values.n_rows + 1 << "; expected numbers!"
        << std::endl;
  }
}

//! Check that these can be responses of a model of the given loss.
static void CheckResponses(const std::string& title,
                           const arma::mat& responses,
                           const RegressionLoss& loss,
                           const size_t before = 0)
{
  if (loss.As<QuantileLoss>() && responses.n_rows != 1)
  {
    Log::Fatal << title << " has " << responses.n_rows
        << " columns, but quantiles are those of one response!" << std::endl;
  }
  const arma::uvec negative = arma::find(responses < 0);
  if (loss.As<PoissonLoss>() && !negative.is_empty())
  {
    Log::Fatal << title << " has " << responses[negative[0]] << " in column "
        << negative[0] % responses.n_rows + 1 << " of point "
        << before + negative[0] / responses.n_rows + 1 << "; with the Poisson "
        << "loss, responses must not be negative!" << std::endl;
  }
}

//! Check that the options do not ask for another loss than the model has.
static void CheckSameLoss(const LossSettings& settings,
                          const RegressionLoss& loss)
{
  const auto require = [&](const std::string& name,
                           const bool isGiven,
                           const bool same)
  {
    if (isGiven && !same)
    {
      Log::Fatal << PRINT_PARAM_STRING(name) << " is not that of the input "
          << "model, whose loss ('" << loss.Name() << "') stays as it is with "
          << PRINT_PARAM_STRING("warm_start") << "; leave it out, or train a "
          << "new model!" << std::endl;
    }
  };
  require("loss", settings.name.isGiven, settings.name.value == loss.Name());
  if (const HuberErrorLoss* huber = loss.As<HuberErrorLoss>())
  {
    require("huber_delta", settings.huberDelta.isGiven,
        settings.huberDelta.value == huber->Delta());
  }
  if (const QuantileLoss* quantile = loss.As<QuantileLoss>())
  {
    require("quantiles", settings.quantiles.isGiven,
        settings.quantiles.value == quantile->Quantiles());
    require("non_crossing", settings.nonCrossing, quantile->NonCrossing());
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
