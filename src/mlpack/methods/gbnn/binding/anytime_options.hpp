/**
 * @file methods/gbnn/binding/anytime_options.hpp
 *
 * The options that say how many units predictions use, for binding files only:
 * they are read and checked before any data is loaded.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_ANYTIME_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_ANYTIME_OPTIONS_HPP

#include "binding_tools.hpp"
#include "gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

//! Read how many units predictions use.
static AnytimeSettings ReadAnytime(util::Params& params)
{
  AnytimeSettings anytime;
  anytime.activeUnits = ReadActiveUnits(params);
  util::RequireOnlyOnePassed(params, { "active_units", "latency" }, true,
      "either say how many units predictions use or how long they may take",
      true);
  if (params.Has("latency"))
  {
    util::RequireParamValue<double>(params, "latency",
        [](double x) { return x >= 0 && std::isfinite(x); }, true, "latency "
        "must not be negative");
  }
  util::RequireParamValue<double>(params, "early_exit",
      [](double x) { return x == -1 || (x >= 0 && x < 1); }, true, "early_exit "
      "must be at least 0 and less than 1, or -1 for no early exit");
  if (params.Get<double>("latency") > 0)
    anytime.latency = params.Get<double>("latency");
  if (params.Get<double>("early_exit") >= 0)
    anytime.earlyExit = params.Get<double>("early_exit");
  return anytime;
}

} // namespace gbnn
} // namespace mlpack

#endif
