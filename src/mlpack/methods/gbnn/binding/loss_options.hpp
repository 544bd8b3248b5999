/**
 * @file methods/gbnn/binding/loss_options.hpp
 *
 * The options of the loss, for binding files only: they are
 * read and checked before any data is loaded.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_LOSS_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_LOSS_OPTIONS_HPP

#include "../loss_functions/regression_loss.hpp"
#include "../table/number_list.hpp"
#include "binding_tools.hpp"
#include "gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

//! The quantiles that were asked for.
static std::vector<double> ReadQuantiles(util::Params& params)
{
  const std::string text = params.Get<std::string>("quantiles");
  std::vector<double> quantiles;
  bool good = true;
  for (const std::string& part : SplitList(text))
  {
    const double q = ReadNumber(part);
    good &= (q > 0 && q < 1 && (quantiles.empty() || q > quantiles.back()));
    quantiles.push_back(q);
  }
  if (!good)
  {
    Log::Fatal << PRINT_PARAM_STRING("quantiles") << " is '" << text << "'; "
        << "expected one or several numbers between 0 and 1, ascending, "
        << "separated by commas, such as '0.1,0.5,0.9'!" << std::endl;
  }
  return quantiles;
}

//! Read the options of the loss.
static LossSettings ReadLoss(util::Params& params)
{
  util::RequireParamInSet<std::string>(params, "loss", RegressionLoss::Names(),
      true, "unknown loss");
  util::RequireParamValue<double>(params, "huber_delta",
      [](double x) { return x >= 0 && std::isfinite(x); }, true, "huber_delta "
      "must be greater than 0, or 0 for one that the data suggests");
  LossSettings loss;
  loss.name = ReadSetting<std::string>(params, "loss");
  loss.quantiles = { ReadQuantiles(params), params.Has("quantiles") };
  loss.huberDelta = ReadSetting<double>(params, "huber_delta");
  loss.nonCrossing = params.Has("non_crossing");
  return loss;
}

//! Tell about options that a model of the given loss does not have.
static void ReportIgnoredLoss(util::Params& params, const std::string& loss)
{
  const std::string reason = "the loss is '" + loss + "'";
  if (loss != "huber")
    ReportIgnored(params, "huber_delta", reason);
  for (const std::string name : { "quantiles", "non_crossing" })
    if (loss != "quantile")
      ReportIgnored(params, name, reason);
}

} // namespace gbnn
} // namespace mlpack

#endif
