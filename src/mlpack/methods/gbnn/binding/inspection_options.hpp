/**
 * @file methods/gbnn/binding/inspection_options.hpp
 *
 * The options of inspection, reports and exports, for binding files only: they
 * are read and checked before any data is loaded.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_INSPECTION_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_INSPECTION_OPTIONS_HPP

#include "../export/gbnn_export.hpp"
#include "../report/gbnn_report.hpp"
#include "binding_tools.hpp"
#include "gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

//! Read what to look at the model for; files must be writable, and there must
//! be something to look at.
static InspectionSettings ReadInspection(util::Params& params)
{
  const bool test = params.Has("test");
  const bool known = params.Has("training") || (test &&
      (params.Has("test_labels") || params.Has("test_responses")));
  if (params.Has("importance") && !known)
  {
    Log::Fatal << PRINT_PARAM_STRING("importance") << " needs points whose "
        << "labels or responses are known: pass " << PRINT_PARAM_STRING("test")
        << " with " << PRINT_PARAM_STRING("test_labels") << " or "
        << PRINT_PARAM_STRING("test_responses") << ", or "
        << PRINT_PARAM_STRING("training") << "!" << std::endl;
  }
  for (const std::string name : { "dependence", "report" })
  {
    if (params.Has(name) && !known && !test)
    {
      Log::Fatal << PRINT_PARAM_STRING(name) << " needs points to look at the "
          << "model with: pass " << PRINT_PARAM_STRING("training") << " or "
          << PRINT_PARAM_STRING("test") << "!" << std::endl;
    }
  }
  InspectionSettings inspection;
  inspection.importance = params.Has("importance");
  inspection.gradients = params.Has("gradients");
  if (params.Has("dependence"))
    inspection.dependence = params.Get<std::string>("dependence");
  inspection.report = params.Get<std::string>("report");
  inspection.exportFile = params.Get<std::string>("export");
  if (params.Has("export"))
    CheckExport(PRINT_PARAM_STRING("export"), inspection.exportFile);
  if (params.Has("report"))
    CheckReport(PRINT_PARAM_STRING("report"), inspection.report);
  return inspection;
}

} // namespace gbnn
} // namespace mlpack

#endif
