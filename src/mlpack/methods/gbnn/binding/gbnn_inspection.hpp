/**
 * @file methods/gbnn/binding/gbnn_inspection.hpp
 *
 * Looks inside a model as the settings say; for binding files only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_GBNN_INSPECTION_HPP
#define MLPACK_METHODS_GBNN_BINDING_GBNN_INSPECTION_HPP

#include "../export/gbnn_export.hpp"
#include "../gbnn_model.hpp"
#include "binding_tools.hpp"
#include "gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

//! Look inside the model, and write the files that were asked for.
static void Inspect(const GBNNSettings& settings,
                    const GBNNModel& model,
                    const InspectedPoints& inspected,
                    GBNNResults& results)
{
  const InspectionSettings& wanted = settings.inspection;
  results.trainingLosses = TrainingCurve(model);
  arma::mat importance;
  // A report can do without, a user who asks for it cannot.
  if (inspected.seen.IsKnown() && (wanted.importance ||
      (!wanted.report.empty() &&
      inspected.seen.AreAnyOf(model.Labels().Size()))))
  {
    const size_t repeats = 5;
    importance = ColumnImportance(model, inspected.seen, repeats,
        std::max<size_t>(1, settings.boosting.seed));
  }
  if (wanted.importance)
  {
    results.importances = importance;
    results.importanceTable = ImportanceTable(model.Encoder(), importance,
        inspected.seen.source);
  }
  if (wanted.dependence)
  {
    results.partialDependence = ColumnDependence(model, inspected.seen.points,
        FindColumn(model.Encoder(), *wanted.dependence,
        PRINT_PARAM_STRING("dependence")));
  }

  // Nothing is written unless all can be made.
  std::string report, exported;
  if (!wanted.report.empty())
  {
    report = GBNNReport(model, inspected.table, inspected.seen, importance,
        results.encodingChoice, inspected.trained).HTML();
  }
  if (!wanted.exportFile.empty())
    exported = ExportedText(model, wanted.exportFile);
  if (!wanted.exportFile.empty())
    WriteWhole(PRINT_PARAM_STRING("export"), wanted.exportFile, exported);
  if (!wanted.report.empty())
    WriteWhole(PRINT_PARAM_STRING("report"), wanted.report, report);
}

} // namespace gbnn
} // namespace mlpack

#endif
