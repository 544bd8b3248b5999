/**
 * @file methods/gbnn/binding/look_options.hpp
 *
 * The options of a program that look inside a model, or write it elsewhere.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_LOOK_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_LOOK_OPTIONS_HPP

#include "binding_tools.hpp"
#include "../export/gbnn_export.hpp"
#include "../inspection/gbnn_inspection.hpp"
#include "../report/gbnn_report.hpp"

namespace mlpack {
namespace gbnn {

//! What there is to look at the model with.
struct Look
{
  TableSummary table;
  SeenPoints seen;
};

//! Whether points must be kept to look at the model with.
static bool Looks(util::Params& params)
{
  return params.Has("importance") || params.Has("dependence") ||
      params.Has("report");
}

//! Check that files can be written, and that there is something to look at.
static void CheckLooks(util::Params& params)
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
  if (params.Has("export"))
  {
    CheckExport(PRINT_PARAM_STRING("export"),
        params.Get<std::string>("export"));
  }
  if (params.Has("report"))
  {
    CheckReport(PRINT_PARAM_STRING("report"),
        params.Get<std::string>("report"));
  }
}

//! Give the columns their names, if they are known.
static void NameColumns(util::Params& params, TableEncoder& encoder)
{
  std::vector<std::string> names =
      params.Get<std::vector<std::string>>("column_names");
  const bool given = params.Has("column_names");
  // The last may be that of the labels.
  if (params.Has("training") && !params.Has("labels") &&
      !params.Has("responses") && names.size() == encoder.Columns() + 1)
    names.pop_back();
  if (names.size() == encoder.Columns() && (given || encoder.Names().empty()))
  {
    encoder.Names(names);
  }
  else if (given && names.size() != encoder.Columns())
  {
    Log::Fatal << PRINT_PARAM_STRING("column_names") << " has " << names.size()
        << " names, but there are " << encoder.Columns() << " columns!"
        << std::endl;
  }
}

//! Keep the test data to look at the model with, unless there is training data
//! of which more is known.
static void KeepTest(util::Params& params,
                     const GBNNModel& model,
                     arma::mat&& data,
                     Look& look)
{
  SeenPoints seen = { "test data", std::move(data), { }, { }, { } };
  if (model.IsRegression() && params.Has("test_responses"))
  {
    seen.responses = params.Get<arma::mat>("test_responses");
  }
  else if (!model.IsRegression() && params.Has("test_labels"))
  {
    seen.classes = model.MapLabels(params.Get<arma::rowvec>("test_labels"),
        PRINT_PARAM_STRING("test_labels"));
  }
  if (seen.IsKnown() || look.seen.points.is_empty())
    look.seen = std::move(seen);
}

//! Look inside the model, and write the files that were asked for.
static void LookInside(util::Params& params,
                       const GBNNModel& model,
                       const Look& look)
{
  params.Get<arma::mat>("training_losses") = TrainingCurve(model);
  const bool important = params.Has("importance");
  arma::mat importance;
  if (look.seen.IsKnown() && (important || params.Has("report")))
  {
    importance = ColumnImportance(model, look.seen, 5,
        size_t(std::max(1, params.Get<int>("seed"))));
  }
  if (important)
  {
    params.Get<arma::mat>("importances") = importance;
    params.Get<std::string>("importance_table") = ImportanceTable(
        model.Encoder(), importance, look.seen.source);
  }
  if (params.Has("dependence"))
  {
    params.Get<arma::mat>("partial_dependence") = ColumnDependence(model,
        look.seen.points, FindColumn(model.Encoder(),
        params.Get<std::string>("dependence"),
        PRINT_PARAM_STRING("dependence")));
  }

  // Nothing is written unless all can be made.
  std::map<std::string, std::string> files;
  if (params.Has("report"))
  {
    files["report"] = GBNNReport(model, look.table, look.seen,
        importance).HTML();
  }
  if (params.Has("export"))
  {
    files["export"] = ExportedText(model,
        params.Get<std::string>("export"));
  }
  for (const auto& [name, content] : files)
  {
    WriteWhole(PRINT_PARAM_STRING(name), params.Get<std::string>(name),
        content);
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
