/**
 * @file methods/gbnn/report/gbnn_report.hpp
 *
 * A self-contained page of HTML about a trained model.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REPORT_GBNN_REPORT_HPP
#define MLPACK_METHODS_GBNN_REPORT_GBNN_REPORT_HPP

#include "../inspection/gbnn_inspection.hpp"
#include "gbnn_summary.hpp"
#include "svg_chart.hpp"
#include "../export/whole_file.hpp"

namespace mlpack {
namespace gbnn {

//! What a column of a table holds.
struct ColumnSummary
{
  bool categorical = false;
  size_t missing = 0;
  //! Of a numeric column.
  double mean = arma::datum::nan, deviation = arma::datum::nan;
  double min = arma::datum::nan, max = arma::datum::nan;
  //! Of a categorical column: how many there are, and the most frequent one.
  size_t categories = 0, modeCount = 0;
  std::string mode;
};

//! What a table holds.
struct TableSummary
{
  //! What the table is: "training data" or "test data".
  std::string source;
  size_t points = 0;
  std::vector<ColumnSummary> columns;

  TableSummary() { }

  TableSummary(const std::string& source,
               const arma::mat& table,
               const DatasetInfoType& info) :
      source(source), points(table.n_cols)
  {
    for (size_t c = 0; c < table.n_rows; ++c)
      columns.push_back(Summarize(table, info, c));
  }

 private:
  static ColumnSummary Summarize(const arma::mat& table,
                                 const DatasetInfoType& info,
                                 const size_t c)
  {
    ColumnSummary result;
    const arma::rowvec all = table.row(c);
    const arma::rowvec values = all.cols(arma::find_finite(all));
    result.categorical = (info.Type(c) == version::categorical);
    result.missing = all.n_elem - values.n_elem;
    if (values.is_empty())
      return result;
    if (!result.categorical)
    {
      result.mean = arma::mean(values);
      result.deviation = arma::stddev(values, 1);
      result.min = values.min();
      result.max = values.max();
      return result;
    }
    std::map<double, size_t> counts;
    for (const double value : values)
      ++counts[value];
    result.categories = counts.size();
    for (const auto& [value, count] : counts)
    {
      if (count > result.modeCount)
      {
        result.modeCount = count;
        result.mode = info.UnmapString(value, c);
      }
    }
    return result;
  }
};

/**
 * Throw std::invalid_argument if a report could not be written to this file.
 *
 * @param name What to call the file in errors.
 * @param file Name of the file, which ends in .html or .htm.
 */
inline void CheckReport(const std::string& name, const std::string& file)
{
  const std::string extension = std::filesystem::path(file).extension();
  if (extension != ".html" && extension != ".htm")
  {
    throw std::invalid_argument(name + " '" + file + "': expected the "
        "extension .html");
  }
  CheckWritable(name, file);
}

/**
 * A page about a model: its data, its learning curve, its errors and the
 * columns that its predictions depend on.  The page loads no other files, and
 * all text from the data is escaped.
 */
class GBNNReport
{
 public:
  /**
   * @param model A trained model.
   * @param table Summary of the training data, or else of the data that the
   *     model is inspected with.
   * @param seen The points to inspect the model with.
   * @param importance ColumnImportance() of these points, or empty if their
   *     truth is not known.
   * @param choice How the encoding of the inputs was chosen; without candidates
   *     if it was not chosen, or this is no longer known.
   */
  GBNNReport(const GBNNModel& model,
             const TableSummary& table,
             const SeenPoints& seen,
             const arma::mat& importance,
             const GBNNEncodingChoice& choice = GBNNEncodingChoice()) :
      model(model), table(table), seen(seen), importance(importance),
      choice(choice)
  { }

  //! The page.
  std::string HTML() const
  {
    return std::string("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<title>GBNN report</title>\n<style>\n") + style + "</style>\n</head>\n"
        "<body>\n<main>\n<h1>Gradient boosted neural network</h1>\n" +
        Overview() + LearningCurve() + Predictions() + Importances() +
        Dependences() + Data() + "</main>\n</body>\n</html>\n";
  }

 private:
  // What a page can show to a reader: classes of a confusion matrix, dots of a
  // plot, lines or plots (there are six colors), bars, and rows of a table.
  static constexpr size_t maxClasses = 50;
  static constexpr size_t maxPoints = 2000;
  static constexpr size_t maxLines = 6;
  static constexpr size_t maxBars = 30;
  static constexpr size_t maxRows = 200;

  static constexpr const char* style = R"CSS(
:root { color-scheme: light dark; --page: #ffffff; --ink: #1c1e21;
  --soft: #5b6168; --line: #d5d9de; --c0: #1f6feb; --c1: #b4540a; --c2: #1a7f37;
  --c3: #8250df; --c4: #a40e26; --c5: #0a7a83; }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --ink: #e6e8ea;
  --soft: #a3abb3; --line: #3a4046; --c0: #6ea8fe; --c1: #f0a05a; --c2: #6cc984;
  --c3: #c4a3ff; --c4: #ff8f9a; --c5: #5fd0d8; } }
body { background: var(--page); color: var(--ink); margin: 0;
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
p, figcaption, caption { color: var(--soft); }
caption { text-align: left; white-space: nowrap; }
figure { margin: 1rem 0; } svg { width: 100%; height: auto; }
svg text { fill: var(--ink); font-size: 13px; }
.mid { text-anchor: middle; } .end { text-anchor: end; }
.grid { stroke: var(--line); } .mark { stroke: var(--ink);
  stroke-dasharray: 4 3; } .whisker { stroke: var(--ink); }
polyline { fill: none; stroke-width: 2; }
.s0 { stroke: var(--c0); } .s1 { stroke: var(--c1); } .s2 { stroke: var(--c2); }
.s3 { stroke: var(--c3); } .s4 { stroke: var(--c4); } .s5 { stroke: var(--c5); }
.s1 { stroke-dasharray: 9 3; } .s2 { stroke-dasharray: 3 3; }
.s3 { stroke-dasharray: 9 3 3 3; } .s4 { stroke-dasharray: 14 5; }
.s5 { stroke-dasharray: 2 6; }
circle { fill-opacity: 0.55; }
.d0 { fill: var(--c0); } .d1 { fill: var(--c1); } .d2 { fill: var(--c2); }
.d3 { fill: var(--c3); } .d4 { fill: var(--c4); } .d5 { fill: var(--c5); }
.key { width: 2.2em; height: 0.5em; margin-left: 0.8em; }
.key line { stroke-width: 2; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; } th, td { padding: 0.2rem 0.7rem;
  border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td.text { text-align: left; } td.right { font-weight: bold; }
)CSS";

  //! A table of two columns.
  static std::string Facts(
      const std::vector<std::pair<std::string, std::string>>& facts)
  {
    std::string text = "<table>\n";
    for (const auto& [name, value] : facts)
      text += "<tr><th scope=\"row\">" + Escape(name) + "</th><td class=\""
          "text\">" + Escape(value) + "</td></tr>\n";
    return text + "</table>\n";
  }

  std::string Overview() const
  {
    const size_t inputs = model.Encoder().Dimensionality();
    std::string task = "regression";
    if (!model.IsRegression())
      task = "classification of " + std::to_string(model.Labels().Size()) +
          " classes";
    else if (model.Regressor().NumResponses() > 1)
      task += " of " + std::to_string(model.Regressor().NumResponses()) +
          " responses";
    if (model.IsRegression() && model.Regressor().Loss().Name() != "squared")
      task += " with the loss '" + model.Regressor().Loss().Name() + "'";
    return "<h2>Model</h2>\n" + Visit(model, [&](const auto& m)
        {
          return Facts({ { "Task", task },
              { "Inputs", std::to_string(model.Encoder().Columns()) +
                  " columns, which become " + std::to_string(inputs) +
                  " numbers" },
              { "Input encoding", EncodingSummary(m) +
                  (choice.candidates.empty() ? "" : "; chosen by the " +
                  ChoiceSummary(choice)) },
              { "Hidden units", std::to_string(m.ActiveUnits()) + " of " +
                  std::to_string(m.Units()) + " in use, made in " +
                  std::to_string(m.Stages()) + " stages" },
              { "Activation", ToString(m.Boosted().Activation()) },
              { "Learning rate", Short(m.LearningRate()) },
              { "Subsample", Short(m.Subsample()) },
              { "L2", Short(m.L2()) } });
        });
  }

  //! The loss of the seen points for each number of units, if it is known.
  arma::rowvec SeenLoss() const
  {
    if (model.IsRegression())
      return StagedLoss(model.Regressor(), seen.points, seen.responses);
    const SeenPoints known = seen.OfKnownClasses(model.Labels().Size());
    if (known.points.is_empty())
      return arma::rowvec();
    return StagedLoss(model.Classifier(), known.points, known.classes);
  }

  std::string LearningCurve() const
  {
    Chart chart("curve", "Learning curve", "hidden units", "mean loss");
    const arma::mat training = TrainingCurve(model);
    const size_t units = model.ActiveUnits();
    std::string description;
    if (training.n_cols > 0)
    {
      chart.Line("training data", training.row(0), training.row(1));
      description = "The training loss falls from " + Short(training(1, 0)) +
          " to " + Short(training(1, training.n_cols - 1)) + ". ";
    }
    if (training.n_rows > 2)
    {
      const size_t best = training.row(2).index_min();
      chart.Line("validation data", training.row(0), training.row(2));
      description += "On the validation data, by which training was stopped, "
          "it is smallest (" + Short(training(2, best)) + ") with " +
          Short(training(0, best)) + " units. ";
    }
    if (seen.IsKnown() && seen.source != "training data")
    {
      const arma::rowvec loss = SeenLoss();
      if (!loss.is_empty())
      {
        chart.Line(seen.source, arma::regspace<arma::rowvec>(0,
            loss.n_elem - 1), loss);
        description += "On the " + seen.source + " it is " +
            Short(loss[units]) + " with the units in use, and smallest (" +
            Short(loss.min()) + ") with " + std::to_string(loss.index_min()) +
            ".";
      }
    }
    chart.MarkX(double(units), std::to_string(units) + " units in use");
    return "<h2>Learning curve</h2>\n" + chart.SVG(description) + "<p>" +
        Escape(description) + "</p>\n";
  }

  std::string Predictions() const
  {
    if (!seen.IsKnown())
      return "";
    std::string text = "<h2>Predictions</h2>\n<p>Of the " + seen.source + ", " +
        std::to_string(seen.points.n_cols) + " points" +
        (seen.source == "training data" ? "; new data will be predicted less "
        "well" : "") + ".</p>\n";
    return text + (model.IsRegression() ? Residuals() : Confusion());
  }

  std::string Label(const size_t k) const
  {
    return (k < model.Labels().Size()) ? model.Labels().Name(k) : "other";
  }

  std::string Confusion() const
  {
    const size_t classes = model.Labels().Size(), maximum = maxClasses;
    arma::Row<size_t> predictions;
    model.Classifier().Classify(seen.points, predictions);
    arma::umat counts(classes + 1, classes, arma::fill::zeros);
    for (size_t i = 0; i < predictions.n_elem; ++i)
      ++counts(std::min<size_t>(seen.classes[i], classes), predictions[i]);
    const size_t correct = arma::trace(counts.head_rows(classes));
    std::ostringstream out;
    out << "<p>Accuracy " << Short(double(correct) / predictions.n_elem)
        << " (" << correct << " of " << predictions.n_elem << ").</p>\n";
    if (classes > maximum)
    {
      out << "<p>The confusion matrix of " << classes << " classes is too "
          << "large to show.</p>\n";
      return out.str();
    }
    out << "<div class=\"wide\"><table>\n<caption>Confusion matrix: true label "
        << "in rows, predicted label in columns</caption>\n<tr><td></td>";
    for (size_t k = 0; k < classes; ++k)
      out << "<th scope=\"col\">" << Escape(Label(k)) << "</th>";
    out << "<th scope=\"col\">recall</th></tr>\n";
    for (size_t k = 0; k <= classes; ++k)
    {
      const size_t sum = arma::accu(counts.row(k));
      if (k == classes && sum == 0)
        break;
      out << "<tr><th scope=\"row\">" << Escape(Label(k)) << "</th>";
      for (size_t j = 0; j < classes; ++j)
        out << (j == k ? "<td class=\"right\">" : "<td>") << counts(k, j)
            << "</td>";
      out << "<td>" << ((k < classes && sum > 0) ?
          Short(double(counts(k, k)) / sum, 3) : "-") << "</td></tr>\n";
    }
    out << "</table></div>\n";
    return out.str();
  }

  std::string Residuals() const
  {
    arma::mat predictions;
    model.Regressor().Predict(seen.points, predictions);
    const RegressionLoss& loss = model.Regressor().Loss();
    const size_t n = predictions.n_cols;
    const arma::uvec shown = EvenSample(n, maxPoints);
    std::string text;
    for (size_t k = 0; k < std::min<size_t>(predictions.n_rows, maxLines); ++k)
    {
      // All quantiles are those of one response.
      const arma::rowvec truth = seen.responses.row(std::min<size_t>(k,
          seen.responses.n_rows - 1));
      const arma::rowvec residuals = truth - predictions.row(k);
      std::string which = (predictions.n_rows > 1) ?
          PredictionName(loss, k) + ": " : "";
      if (!which.empty())
        which[0] = char(std::toupper((unsigned char) which[0]));
      const std::string words = which + OutputSummary(predictions.row(k), truth,
          loss, k, "R²") + ".";
      Chart chart("residuals" + std::to_string(k), which + "Residuals",
          "prediction", "truth − prediction");
      chart.Dots("", arma::rowvec(predictions.row(k)).cols(shown),
          residuals.cols(shown));
      chart.MarkY(0);
      text += "<p>" + words + (shown.n_elem < n ? " The plot has " +
          std::to_string(shown.n_elem) + " of the points." : "") + "</p>\n" +
          chart.SVG(words);
    }
    return text;
  }

  std::string Importances() const
  {
    if (importance.is_empty())
      return "";
    const size_t maximum = maxBars;
    const arma::uvec order = ByImportance(importance);
    const arma::uvec top = order.head(std::min<size_t>(maximum, order.n_elem));
    std::vector<std::string> names;
    for (const size_t c : top)
      names.push_back(model.Encoder().Name(c));
    const arma::mat values = importance.cols(top);
    std::string text = "<h2>Importance of the columns</h2>\n<p>By how much the "
        "mean loss on the " + seen.source + " rises when a column is shuffled; "
        "thin lines are the deviation over repeats." +
        (order.n_elem > maximum ? " The " + std::to_string(maximum) + " most "
        "important of " + std::to_string(order.n_elem) + " columns." : "") +
        "</p>\n" + BarChart("importance", "Importance of the columns", names,
        values.row(0), values.row(1)) + "<details><summary>All numbers"
        "</summary>\n<div class=\"wide\"><table>\n<tr><th scope=\"col\">column"
        "</th><th scope=\"col\">permutation</th><th scope=\"col\">deviation"
        "</th><th scope=\"col\">gradient</th></tr>\n";
    for (const size_t c : order)
    {
      text += "<tr><th scope=\"row\">" + Escape(model.Encoder().Name(c)) +
          "</th>";
      for (size_t r = 0; r < importance.n_rows; ++r)
        text += "<td>" + Short(importance(r, c)) + "</td>";
      text += "</tr>\n";
    }
    return text + "</table></div></details>\n";
  }

  //! Partial dependence on the most important columns.
  std::string Dependences() const
  {
    if (importance.is_empty())
      return "";
    const size_t maxColumns = 4;
    const arma::uvec order = ByImportance(importance);
    // Some points are enough for a mean.
    const arma::mat points = seen.points.cols(EvenSample(seen.points.n_cols,
        maxPoints));
    std::string text = "<h2>Partial dependence</h2>\n<p>The mean prediction "
        "when a column has the same value in all points.</p>\n";
    for (size_t i = 0; i < std::min<size_t>(maxColumns, order.n_elem); ++i)
    {
      const std::string name = model.Encoder().Name(order[i]);
      const arma::mat curve = ColumnDependence(model, points, order[i]);
      const std::vector<std::string>& categories =
          model.Encoder().Categories(order[i]);
      const size_t outputs = curve.n_rows - 1;
      // Of two probabilities one is enough.
      const bool binary = !model.IsRegression() && outputs == 2;
      text += "<h3>" + Escape(name) + "</h3>\n";
      if (!categories.empty())
      {
        text += CategoryDependence(i, categories, curve, binary);
        continue;
      }
      Chart chart("dependence" + std::to_string(i), "Partial dependence on " +
          name, name, OutputName(binary));
      for (size_t k = binary ? 1 : 0; k < std::min(outputs, maxLines); ++k)
        chart.Line(model.IsRegression() ? PredictionName(
            model.Regressor().Loss(), k) : "label " + Label(k), curve.row(0),
            curve.row(k + 1));
      text += chart.SVG("Between " + Short(curve(0, 0)) + " and " +
          Short(curve(0, curve.n_cols - 1)) + ".");
    }
    return text;
  }

  std::string OutputName(const bool binary) const
  {
    return model.IsRegression() ? "mean prediction" : binary ?
        "probability of label " + Label(1) : "mean probability";
  }

  //! One bar for each category, of the first output (or of label 1).
  std::string CategoryDependence(const size_t i,
                                 const std::vector<std::string>& categories,
                                 const arma::mat& curve,
                                 const bool binary) const
  {
    const size_t row = binary ? 2 : 1;
    const size_t count = std::min<size_t>(maxBars, categories.size());
    const std::string what = model.IsRegression() ? "mean prediction" :
        "probability of label " + Label(row - 1);
    return "<p>By category: " + Escape(what) + ".</p>\n" +
        BarChart("dependence" + std::to_string(i), "Partial dependence: " +
        what, std::vector<std::string>(categories.begin(), categories.begin() +
        count), arma::rowvec(curve.row(row)).head(count));
  }

  std::string Data() const
  {
    const size_t maximum = maxRows;
    std::string text = "<h2>Data</h2>\n<p>The " + table.source + ": " +
        std::to_string(table.points) + " points of " +
        std::to_string(table.columns.size()) + " columns" +
        (table.columns.size() > maximum ? ", of which the first " +
        std::to_string(maximum) + " are shown" : "") + ".</p>\n" + Targets() +
        "<div class=\"wide\"><table>\n<tr>";
    for (const char* head : { "column", "type", "missing", "mean", "deviation",
        "smallest", "largest" })
      text += std::string("<th scope=\"col\">") + head + "</th>";
    text += "</tr>\n";
    for (size_t c = 0; c < std::min(maximum, table.columns.size()); ++c)
    {
      const ColumnSummary& column = table.columns[c];
      text += "<tr><th scope=\"row\">" + Escape(model.Encoder().Name(c)) +
          "</th><td class=\"text\">" + (column.categorical ? "categorical" :
          "numeric") + "</td><td>" + std::to_string(column.missing) + "</td>";
      if (column.categorical)
      {
        text += "<td class=\"text\" colspan=\"4\">" +
            std::to_string(column.categories) + " categories, most often '" +
            Escape(column.mode) + "' (" + std::to_string(column.modeCount) +
            ")</td></tr>\n";
        continue;
      }
      for (const double value : { column.mean, column.deviation, column.min,
          column.max })
        text += "<td>" + Short(value) + "</td>";
      text += "</tr>\n";
    }
    return text + "</table></div>\n";
  }

  //! How often each label occurs, or what responses are like.
  std::string Targets() const
  {
    const size_t maximum = maxClasses;
    if (!seen.IsKnown())
      return "";
    if (model.IsRegression())
    {
      std::vector<std::pair<std::string, std::string>> facts;
      for (size_t k = 0; k < std::min<size_t>(maximum, seen.responses.n_rows);
          ++k)
      {
        const arma::rowvec y = seen.responses.row(k);
        facts.push_back({ "Response " + std::to_string(k + 1), "mean " +
            Short(arma::mean(y)) + ", deviation " + Short(arma::stddev(y, 1)) +
            ", from " + Short(y.min()) + " to " + Short(y.max()) + " in the " +
            seen.source });
      }
      return Facts(facts);
    }
    const size_t classes = std::min<size_t>(maximum, model.Labels().Size());
    std::vector<std::string> names;
    arma::rowvec counts(classes);
    for (size_t k = 0; k < classes; ++k)
    {
      names.push_back("label " + Label(k));
      counts[k] = double(arma::accu(seen.classes == k));
    }
    return BarChart("labels", "Points of each label in the " + seen.source,
        names, counts);
  }

  const GBNNModel& model;
  const TableSummary& table;
  const SeenPoints& seen;
  const arma::mat& importance;
  const GBNNEncodingChoice choice;
};

} // namespace gbnn
} // namespace mlpack

#endif
