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

#include "../files/whole_file.hpp"
#include "data_summary.hpp"
#include "gbnn_summary.hpp"
#include "report_style.hpp"
#include "svg_chart.hpp"

namespace mlpack {
namespace gbnn {

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
   * @param trained Summary of the points that the model was trained on; without
   *     a source if they are no longer known.
   */
  GBNNReport(const GBNNModel& model,
             const TableSummary& table,
             const SeenPoints& seen,
             const arma::mat& importance,
             const GBNNEncodingChoice& choice = GBNNEncodingChoice(),
             const SeenSummary& trained = SeenSummary()) :
      model(model), table(table), seen(seen), importance(importance),
      choice(choice), trained(trained)
  {
    if (!seen.points.is_empty() && seen.source != trained.source)
      other = SeenSummary(model, seen);
  }

  //! The page.
  std::string HTML() const
  {
    return std::string("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<title>GBNN report</title>\n<style>\n") + reportStyle + "</style>\n"
        "</head>\n<body>\n<main>\n<h1>Gradient boosted neural network</h1>\n" +
        Overview() + LearningCurve() + Predictions() + Importances() +
        Dependences() + Data() + "</main>\n</body>\n</html>\n";
  }

 private:
  // What a page can show to a reader: classes, dots of a plot, plots of one
  // kind, bars, and rows of a table.
  static constexpr size_t maxClasses = maxConfusionClasses;
  static constexpr size_t maxPoints = 2000;
  static constexpr size_t maxPlots = 6;
  static constexpr size_t maxBars = 30;
  static constexpr size_t maxRows = 200;

  //! A table of two columns.
  static std::string Facts(
      const std::vector<std::pair<std::string, std::string>>& facts)
  {
    std::string text = "<table class=\"facts\">\n";
    for (const auto& [name, value] : facts)
      text += "<tr><th scope=\"row\">" + Escape(name) + "</th><td class=\""
          "text\">" + Escape(value) + "</td></tr>\n";
    return text + "</table>\n";
  }

  //! "1 point", "2 points".
  static std::string Count(const size_t count, const std::string& what)
  {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  }

  //! Names of some classes, with commas between.
  std::string ClassNames() const
  {
    const size_t classes = model.Labels().Size(), maximum = maxClasses;
    std::string names;
    for (size_t k = 0; k < std::min(maximum, classes); ++k)
      names += (k > 0 ? ", " : "") + Label(k);
    return names + (classes > maximum ? " and " + std::to_string(classes -
        maximum) + " more" : "");
  }

  //! How the columns of the table become numbers.
  std::string Inputs() const
  {
    const TableEncoder& encoder = model.Encoder();
    size_t categorical = 0, gaps = 0;
    for (size_t c = 0; c < encoder.Columns(); ++c)
    {
      categorical += !encoder.Categories(c).empty();
      gaps += encoder.HasGaps(c);
    }
    std::string text = Count(encoder.Columns(), "column") + ", which become " +
        Count(encoder.Dimensionality(), "number");
    if (categorical > 0)
      text += "; " + Count(categorical, "column") + " of categories: one "
          "number, 0 or 1, for each category";
    if (gaps > 0)
      text += "; " + Count(gaps, "column") + " with missing cells: one number "
          "more, which says where";
    return text + (encoder.IsScaled() ? "; numeric columns are scaled to mean "
        "0 and variance 1" : "; they are not scaled");
  }

  //! What refinement did after boosting.
  template<typename ModelType>
  static std::string RefinementSummary(const ModelType& m)
  {
    const size_t done = m.RefinedIterations();
    if (m.Refinement().Iterations() == 0)
      return "none; it was switched off";
    if (done == 0)
      return "none; it did not help on points held out, or there were too few "
          "of them, so the network is as boosting made it";
    const size_t size = m.Refinement().RoundIterations();
    return Count(done, "iteration") + " in " + Count((done + size - 1) / size,
        "round") + ", of at most " + std::to_string(m.Refinement().Iterations())
        + " iterations; all weights were trained further together";
  }

  bool IsRefined() const
  {
    return Visit(model, [](const auto& m)
        { return m.RefinedIterations() > 0; });
  }

  std::string Overview() const
  {
    std::string task = "regression";
    if (!model.IsRegression())
      task = "classification of " + std::to_string(model.Labels().Size()) +
          " classes: " + ClassNames();
    else if (model.Regressor().NumResponses() > 1)
      task += " of " + std::to_string(model.Regressor().NumResponses()) +
          " responses";
    if (model.IsRegression() && model.Regressor().Loss().Name() != "squared")
      task += " with the loss '" + model.Regressor().Loss().Name() + "'";
    std::vector<std::pair<std::string, std::string>> facts =
        { { "Task", task } };
    if (!model.Target().empty())
      facts.push_back({ "Target", model.Target() });
    if (!trained.source.empty())
      facts.push_back({ "Trained on", Count(trained.points, "point") });
    facts.push_back({ "Inputs", Inputs() });
    Visit(model, [&](const auto& m)
        {
          facts.push_back({ "Input encoding", EncodingSummary(m) +
              (choice.candidates.empty() ? "" : "; chosen by the " +
              ChoiceSummary(choice)) });
          facts.push_back({ "Hidden units", std::to_string(m.ActiveUnits()) +
              " of " + std::to_string(m.Units()) + " in use, made in " +
              Count(m.Stages(), "stage") });
          facts.push_back({ "Activation", ToString(m.Boosted().Activation()) });
          facts.push_back({ "Learning rate", Short(m.LearningRate()) });
          facts.push_back({ "Subsample", Short(m.Subsample()) });
          facts.push_back({ "L2", Short(m.L2()) });
          facts.push_back({ "Refinement", RefinementSummary(m) });
          facts.push_back({ "Seed", std::to_string(m.TrainedSeed()) +
              (m.Seed() == 0 ? ", chosen at random" : "") });
        });
    return "<h2>Model</h2>\n" + Facts(facts);
  }

  //! What the losses of the final model are.
  std::string FinalLosses() const
  {
    const size_t units = model.ActiveUnits();
    std::string text;
    if (!trained.loss.is_empty())
      text = "The training loss of the final model, with the units in use, is "
          + Short(trained.loss[units]) + ". ";
    else if (IsRefined())
      text = "The training loss of the final model is not known here, without "
          "the training data. ";
    if (!other.loss.is_empty())
      text += "On the " + other.source + " the loss of the final model is " +
          Short(other.loss[units]) + " with the units in use, and smallest (" +
          Short(other.loss.min()) + ") with " +
          std::to_string(other.loss.index_min()) + ". ";
    return text;
  }

  //! Whether responses may have been divided during training, see TargetSizes.
  bool DividesResponses() const
  {
    return model.IsRegression() && model.Regressor().NumResponses() > 1 &&
        IsHomogeneous(model.Regressor().Loss());
  }

  std::string LearningCurve() const
  {
    Chart chart("curve", "Learning curve", "hidden units", "mean loss");
    const arma::mat boosting = TrainingCurve(model);
    const size_t units = model.ActiveUnits();
    const bool refined = IsRefined();
    const std::string during = refined ? ", boosting" : "";
    const std::string after = refined ? ", final model" : "";
    const auto staged = [&](const SeenSummary& points)
    {
      if (!points.loss.is_empty())
        chart.Line(points.source + after, arma::regspace<arma::rowvec>(0,
            points.loss.n_elem - 1), points.loss);
    };
    std::string text;
    if (boosting.n_cols > 0)
    {
      chart.Line("training data" + during, boosting.row(0), boosting.row(1));
      text = std::string(refined ? "During boosting, before refinement, the "
          "training loss falls from " : "The training loss falls from ") +
          Short(boosting(1, 0)) + " to " + Short(boosting(1, boosting.n_cols -
          1)) + ". ";
    }
    if (boosting.n_rows > 2)
    {
      const size_t best = boosting.row(2).index_min();
      chart.Line("validation data" + during, boosting.row(0), boosting.row(2));
      text += "On the validation data, by which training was stopped, it is "
          "smallest (" + Short(boosting(2, best)) + ") with " +
          Short(boosting(0, best)) + " units. ";
      if (Visit(model, [](const auto& m) { return m.ValidationFraction(); }) >
          0)
        text += "These points were held out of the training data. ";
    }
    if (boosting.n_cols > 0 && DividesResponses())
    {
      text += "During boosting, the larger of several responses are divided by "
          "their size, and so are these losses. ";
    }
    if (refined)
    {
      text += "Refinement has then changed all weights. ";
      staged(trained);
    }
    staged(other);
    text += FinalLosses();
    text.erase(text.find_last_not_of(' ') + 1);
    chart.Include({ }, { 0 });
    chart.MarkX(double(units), std::to_string(units) + " units in use");
    return "<h2>Learning curve</h2>\n" + chart.SVG(text) + "<p>" +
        Escape(text) + "</p>\n";
  }

  //! Charts of lines, as many a chart as there are colors, with the same axes.
  static std::string LineCharts(const std::string& id,
                                const std::string& title,
                                const std::string& xName,
                                const std::string& yName,
                                const std::vector<std::string>& names,
                                const std::vector<arma::mat>& lines,
                                const std::string& description,
                                const bool square = false)
  {
    // The first charts are open to see.
    const size_t group = Chart::colors, open = 2;
    std::string text;
    for (size_t begin = 0; begin < lines.size(); begin += group)
    {
      const size_t end = std::min(lines.size(), begin + group);
      const size_t number = begin / group;
      Chart chart(id + (number > 0 ? "-" + std::to_string(number + 1) : ""),
          title, xName, yName, square);
      for (const arma::mat& line : lines)
        chart.Include(line.row(0), line.row(1));
      for (size_t i = begin; i < end; ++i)
        chart.Line(names[i], lines[i].row(0), lines[i].row(1));
      if (square)
        chart.MarkDiagonal();
      if (number == open)
        text += "<details><summary>The other " + std::to_string(lines.size() -
            begin) + "</summary>\n";
      text += chart.SVG(description);
    }
    return text + (lines.size() > open * group ? "</details>\n" : "");
  }

  std::string Predictions() const
  {
    if (!seen.IsKnown())
      return "";
    std::string text = "<h2>Predictions</h2>\n<p>Of the " + seen.source + ", " +
        Count(seen.points.n_cols, "point") +
        (seen.source == "training data" ? "; new data will be predicted less "
        "well" : "") + ".</p>\n";
    return text + (model.IsRegression() ? Residuals() : Classes());
  }

  //! What a class is called.
  std::string Label(const size_t k) const
  {
    return (k < model.Labels().Size()) ? model.Labels().Name(k) : "other";
  }

  //! How well classes are predicted.
  std::string Classes() const
  {
    arma::Row<size_t> predictions;
    arma::mat probabilities;
    model.Classifier().Classify(seen.points, predictions, probabilities);
    const size_t correct = arma::accu(predictions == seen.classes);
    std::string text = "<p>Accuracy " + Short(double(correct) /
        predictions.n_elem) + " (" + std::to_string(correct) + " of " +
        std::to_string(predictions.n_elem) + "), log loss " +
        Short(MeanLogLoss(probabilities, seen.classes)) + ", AUC " +
        Short(MeanRankArea(probabilities, seen.classes)) + ", calibration "
        "error " + Short(CalibrationError(probabilities, predictions,
        seen.classes)) + ".</p>\n" + Confusion(predictions);
    // On points that it was trained on, probabilities look better than they
    // are.
    if (seen.source == "training data")
      return text + "<p>With test data and its labels there would be a ROC "
          "curve and a reliability diagram here.</p>\n";
    return text + RankCurves(probabilities) + ReliabilityDiagram(predictions,
        probabilities);
  }

  //! The receiver operating characteristic of each class; of two, one says it
  //! all.
  std::string RankCurves(const arma::mat& probabilities) const
  {
    const size_t classes = probabilities.n_rows;
    const size_t shown = std::min<size_t>(classes, maxClasses);
    std::vector<std::string> names;
    std::vector<arma::mat> curves;
    std::string absent;
    for (size_t k = (classes == 2) ? 1 : 0; k < shown; ++k)
    {
      const arma::rowvec scores = probabilities.row(k);
      const arma::mat curve = RankCurve(scores, seen.classes, k);
      if (curve.is_empty())
      {
        absent += (absent.empty() ? "" : ", ") + Label(k);
        continue;
      }
      names.push_back("label " + Label(k) + ", AUC " + Short(RankArea(scores,
          seen.classes, k)));
      curves.push_back(curve);
    }
    const std::string text = "For every threshold of a label's probability: "
        "how many of its points are above, and how many of the others. The "
        "dashed line is chance." + OfAll(shown, classes, "labels") +
        (absent.empty() ? "" : " Without a curve, as the " + seen.source +
        " does not have both kinds: " + absent + ".");
    return "<h3>ROC curve</h3>\n<p>" + Escape(text) + "</p>\n" + LineCharts(
        "roc", "ROC curve of the " + seen.source, "false positive rate",
        "true positive rate", names, curves, text, true);
  }

  //! Whether probabilities are what they say.
  std::string ReliabilityDiagram(const arma::Row<size_t>& predictions,
                                 const arma::mat& probabilities) const
  {
    const bool binary = (probabilities.n_rows == 2);
    arma::rowvec said(predictions.n_elem), happened(predictions.n_elem);
    for (size_t i = 0; i < predictions.n_elem; ++i)
    {
      const size_t k = binary ? 1 : predictions[i];
      said[i] = probabilities(k, i);
      happened[i] = (seen.classes[i] == k);
    }
    const arma::mat groups = Reliability(said, happened);
    const std::string x = "mean probability of " + (binary ? "label " +
        Label(1) : "the predicted label");
    const std::string y = binary ? "share of points with label " + Label(1) :
        "share of right predictions";
    const std::string text = "Points are put into groups by the " + x.substr(5)
        + ", a tenth each. Dots on the dashed line mean that probabilities are "
        "right; above it they are too low, below it too high. Larger dots "
        "are more points; thin lines are 95 % intervals.";
    Chart chart("reliability", "Reliability diagram of the " + seen.source, x,
        y, true);
    chart.Include({ 0, 1 }, { 0, 1 });
    chart.Dots("", groups.row(3), groups.row(4), 3 + 9 * arma::sqrt(
        arma::rowvec(groups.row(2)) / predictions.n_elem), groups.rows(5, 6));
    chart.MarkDiagonal();
    std::string rows;
    for (size_t g = 0; g < groups.n_cols; ++g)
    {
      rows += "<tr><th scope=\"row\">" + Short(groups(0, g)) + " to " +
          Short(groups(1, g)) + "</th>";
      for (size_t r = 2; r < groups.n_rows; ++r)
        rows += "<td>" + Short(groups(r, g), 3) + "</td>";
      rows += "</tr>\n";
    }
    return "<h3>Reliability diagram</h3>\n<p>" + Escape(text) + "</p>\n" +
        chart.SVG(text) + Numbers("Reliability", { "probability", "points",
        "mean", "share", "from", "to" }, rows);
  }

  //! A table of numbers to open.
  static std::string Numbers(const std::string& name,
                             const std::vector<std::string>& heads,
                             const std::string& rows)
  {
    return "<details><summary>All numbers</summary>\n" + ScrollBox(name,
        "<table class=\"numbers\">\n" + HeadRow(heads) + rows + "</table>") +
        "</details>\n";
  }

  //! A sentence that not all are shown; empty if they are.
  static std::string OfAll(const size_t shown,
                           const size_t all,
                           const std::string& what)
  {
    return (shown == all) ? "" : " Shown are the first " +
        std::to_string(shown) + " of " + std::to_string(all) + " " + what + ".";
  }

  //! The first row of a table.
  static std::string HeadRow(const std::vector<std::string>& heads)
  {
    std::string text = "<tr>";
    for (const std::string& head : heads)
      text += "<th scope=\"col\">" + EscapeName(head) + "</th>";
    return text + "</tr>\n";
  }

  std::string Confusion(const arma::Row<size_t>& predictions) const
  {
    const size_t classes = model.Labels().Size();
    if (classes > maxConfusionClasses)
      return "<p>" + NoConfusion(classes) + "</p>\n";
    const arma::umat counts = ConfusionMatrix(predictions, seen.classes,
        classes);
    std::ostringstream out;
    out << "<table class=\"numbers\">\n<caption>Confusion matrix: true label "
        << "in rows, predicted label in columns</caption>\n<tr><td></td>";
    for (size_t k = 0; k < classes; ++k)
      out << "<th scope=\"col\">" << EscapeName(Label(k)) << "</th>";
    out << "<th scope=\"col\">recall</th></tr>\n";
    for (size_t k = 0; k <= classes; ++k)
    {
      const size_t sum = arma::accu(counts.row(k));
      if (k == classes && sum == 0)
        break;
      out << "<tr><th scope=\"row\">" << EscapeName(Label(k)) << "</th>";
      for (size_t j = 0; j < classes; ++j)
        out << (j == k ? "<td class=\"right\">" : "<td>") << counts(k, j)
            << "</td>";
      out << "<td>" << ((k < classes && sum > 0) ?
          Short(double(counts(k, k)) / sum, 3) : "-") << "</td></tr>\n";
    }
    out << "</table>";
    return ScrollBox("Confusion matrix", out.str());
  }

  std::string Residuals() const
  {
    arma::mat predictions;
    model.Regressor().Predict(seen.points, predictions);
    const RegressionLoss& loss = model.Regressor().Loss();
    const size_t n = predictions.n_cols;
    const arma::uvec shown = EvenSample(n, maxPoints);
    std::string text;
    const size_t maximum = maxPlots;
    for (size_t k = 0; k < predictions.n_rows; ++k)
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
      if (k >= maximum)
      {
        text += "<p>" + words + "</p>\n";
        continue;
      }
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
        "</p>\n" + BarChart("Rise of the mean loss", names, values.row(0),
        values.row(1));
    std::string rows;
    for (const size_t c : order)
    {
      rows += "<tr><th scope=\"row\">" + EscapeName(model.Encoder().Name(c)) +
          "</th>";
      for (size_t r = 0; r < importance.n_rows; ++r)
        rows += "<td>" + Short(importance(r, c)) + "</td>";
      rows += "</tr>\n";
    }
    return text + Numbers("Importances", { "column", "permutation", "deviation",
        "gradient" }, rows);
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
    const size_t all = Visit(model, [](const auto& m)
        { return NumPredictions(m); });
    const size_t outputs = std::min<size_t>(all, maxClasses);
    // Of two probabilities one is enough.
    const bool binary = !model.IsRegression() && outputs == 2;
    std::string text = "<h2>Partial dependence</h2>\n<p>The mean prediction "
        "when a column has the same value in all points." + OfAll(outputs, all,
        "predictions") + "</p>\n";
    for (size_t i = 0; i < std::min<size_t>(maxColumns, order.n_elem); ++i)
    {
      const std::string name = model.Encoder().Name(order[i]);
      const arma::mat curve = ColumnDependence(model, points,
          order[i]).head_rows(1 + outputs);
      std::vector<std::string> categories =
          model.Encoder().Categories(order[i]);
      if (!categories.empty() && curve.n_cols > categories.size())
        categories.push_back("(missing)");
      text += "<h3>" + EscapeName(name) + "</h3>\n";
      if (!categories.empty())
      {
        text += CategoryDependence(name, categories, curve, binary);
        continue;
      }
      std::vector<std::string> names;
      std::vector<arma::mat> lines;
      for (size_t k = binary ? 1 : 0; k < outputs; ++k)
      {
        names.push_back(outputs == 1 ? "" : OutputName(k));
        lines.push_back(curve.rows(arma::uvec{ 0, k + 1 }));
      }
      text += LineCharts("dependence" + std::to_string(i), "Partial dependence "
          "on " + name, name, model.IsRegression() ? "mean prediction" : binary
          ? "mean probability of " + OutputName(1) : "mean probability", names,
          lines, "Between " + Short(curve(0, 0)) + " and " + Short(curve(0,
          curve.n_cols - 1)) + ".");
    }
    return text;
  }

  //! What an output of the model is.
  std::string OutputName(const size_t k) const
  {
    return model.IsRegression() ? PredictionName(model.Regressor().Loss(), k) :
        "label " + Label(k);
  }

  //! The mean prediction for each category: bars, or a table if there are
  //! several outputs.
  std::string CategoryDependence(const std::string& column,
                                 const std::vector<std::string>& categories,
                                 const arma::mat& curve,
                                 const bool binary) const
  {
    const size_t outputs = curve.n_rows - 1;
    const size_t count = std::min<size_t>(maxRows, categories.size());
    const std::string what = (model.IsRegression() ? "Mean prediction" :
        "Mean probability") + std::string(binary ? " of " + OutputName(1) : "")
        + " for each category" + (count < categories.size() ? " (the first " +
        std::to_string(count) + " of " + std::to_string(categories.size()) +
        ")" : "");
    if (binary || outputs == 1)
    {
      return BarChart(what, std::vector<std::string>(categories.begin(),
          categories.begin() + count), arma::rowvec(curve.row(binary ? 2 :
          1)).head(count));
    }
    std::vector<std::string> heads = { "category" };
    for (size_t k = 0; k < outputs; ++k)
      heads.push_back(OutputName(k));
    std::string rows;
    for (size_t c = 0; c < count; ++c)
    {
      rows += "<tr><th scope=\"row\">" + EscapeName(categories[c]) + "</th>";
      for (size_t k = 1; k <= outputs; ++k)
      {
        // A probability fills its share of the cell.
        const std::string share = Short(100 * curve(k, c), 3) + "%";
        rows += (model.IsRegression() ? "<td>" : "<td class=\"share\" style=\""
            "background: linear-gradient(to right, var(--shade) " + share +
            ", transparent " + share + ")\">") + Short(curve(k, c), 3) +
            "</td>";
      }
      rows += "</tr>\n";
    }
    return ScrollBox("Partial dependence on " + column, "<table class=\"numbers"
        "\">\n<caption>" + Escape(what) + "</caption>\n" + HeadRow(heads) + rows
        + "</table>");
  }

  std::string Data() const
  {
    const size_t maximum = maxRows;
    std::string text = "<h2>Data</h2>\n<p>The " + table.source + ": " +
        Count(table.points, "point") + " of " +
        Count(table.columns.size(), "column") +
        (table.columns.size() > maximum ? ", of which the first " +
        std::to_string(maximum) + " are shown" : "") + ".</p>\n";
    std::string rows;
    for (size_t c = 0; c < std::min(maximum, table.columns.size()); ++c)
    {
      const ColumnSummary& column = table.columns[c];
      rows += "<tr><th scope=\"row\">" + EscapeName(model.Encoder().Name(c)) +
          "</th><td class=\"text\">" + (column.categorical ? "categorical" :
          "numeric") + "</td><td>" + std::to_string(column.missing) + "</td>";
      if (column.categorical)
      {
        rows += "<td class=\"text\" colspan=\"4\">" +
            std::to_string(column.categories) + " categories, most often '" +
            Escape(column.mode) + "' (" + std::to_string(column.modeCount) +
            ")</td></tr>\n";
        continue;
      }
      for (const double value : { column.mean, column.deviation, column.min,
          column.max })
        rows += "<td>" + Short(value) + "</td>";
      rows += "</tr>\n";
    }
    text += ScrollBox("Columns of the " + table.source, "<table class=\""
        "numbers columns\">\n" + HeadRow({ "column", "type", "missing", "mean",
        "deviation", "smallest", "largest" }) + rows + "</table>");
    return text + Targets(trained) + Targets(other);
  }

  //! How often each label occurs in some points, or what their responses are
  //! like.
  std::string Targets(const SeenSummary& of) const
  {
    const size_t maximum = maxRows;
    const std::string where = " of the " + of.source + ", " + Count(of.points,
        "point");
    if (!of.responses.is_empty())
    {
      std::string rows;
      for (size_t k = 0; k < std::min<size_t>(maximum, of.responses.n_cols);
          ++k)
      {
        rows += "<tr><th scope=\"row\">" + Escape(model.Target().empty() ?
            "response " + std::to_string(k + 1) : model.Target()) + "</th>";
        for (const double value : of.responses.col(k))
          rows += "<td>" + Short(value) + "</td>";
        rows += "</tr>\n";
      }
      return ScrollBox("Responses" + where, "<table class=\"numbers\">\n"
          "<caption>Responses" + where + "</caption>\n" + HeadRow({ "response",
          "mean", "deviation", "smallest", "largest" }) + rows + "</table>");
    }
    if (of.counts.is_empty())
      return "";
    const size_t classes = model.Labels().Size();
    const size_t count = std::min(maximum, classes);
    std::vector<std::string> names;
    for (size_t k = 0; k < count; ++k)
      names.push_back("label " + Label(k));
    arma::rowvec counts = of.counts.head(count);
    if (of.counts[classes] > 0)
    {
      names.push_back("labels that did not occur in training");
      counts = arma::join_rows(counts, of.counts.tail(1));
    }
    return BarChart("Labels" + where + (count < classes ? "; the first " +
        std::to_string(count) + " of " + std::to_string(classes) : ""), names,
        counts);
  }

  const GBNNModel& model;
  const TableSummary& table;
  const SeenPoints& seen;
  const arma::mat& importance;
  const GBNNEncodingChoice choice;
  const SeenSummary trained;
  //! Of the seen points, unless the model was trained on them.
  SeenSummary other;
};

} // namespace gbnn
} // namespace mlpack

#endif
