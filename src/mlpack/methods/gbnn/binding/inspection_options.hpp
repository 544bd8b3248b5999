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

//! Read how to inspect the model; files must be writable, and there must be
//! points to do it with.
static InspectionSettings ReadInspection(util::Params& params)
{
  for (const std::string name : { "importance", "dependence", "report" })
  {
    if (params.Has(name) && !params.Has("training") && !params.Has("test"))
    {
      Log::Fatal << PRINT_PARAM_STRING(name) << " needs points to inspect the "
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

//! Check that there are points to compute importances on; test data may have
//! brought its labels or responses along.
static void CheckInspection(const GBNNSettings& settings,
                            const GBNNInputs& inputs)
{
  if (settings.inspection.importance && !settings.train &&
      !inputs.test.labels && !inputs.test.responses)
  {
    Log::Fatal << PRINT_PARAM_STRING("importance") << " needs points whose "
        << "labels or responses are known: pass " << PRINT_PARAM_STRING("test")
        << " with " << PRINT_PARAM_STRING(settings.regression ?
        "test_responses" : "test_labels") << ", or with the target in one of "
        << "its columns!" << std::endl;
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
