/**
 * @file methods/gbnn/inspection/gbnn_inspection.hpp
 *
 * Inspection of the model of a binding, in terms of the columns of its tables.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_INSPECTION_GBNN_INSPECTION_HPP
#define MLPACK_METHODS_GBNN_INSPECTION_GBNN_INSPECTION_HPP

#include <iomanip>

#include "feature_importance.hpp"
#include "../gbnn_model.hpp"
#include "../table/column_names.hpp"
#include "partial_dependence.hpp"

namespace mlpack {
namespace gbnn {

//! Up to `maximum` of the numbers from 0 to n - 1, evenly spread.
inline arma::uvec EvenSample(const size_t n, const size_t maximum)
{
  return arma::regspace<arma::uvec>(0, 1 + (n - 1) / maximum, n - 1);
}

//! Encoded points to inspect a model with, and their labels or responses.
struct SeenPoints
{
  //! What the points are: "training data" or "test data".
  std::string source;
  arma::mat points;
  //! Their classes or responses; both empty if they are not known.
  arma::Row<size_t> classes;
  arma::mat responses;
  //! Weights of the points, or empty.
  arma::rowvec weights;

  //! Whether labels or responses are known.
  bool IsKnown() const { return !classes.is_empty() || !responses.is_empty(); }

  //! Whether any are those of a model with this many classes, or responses.
  bool AreAnyOf(const size_t numClasses) const
  {
    return !responses.is_empty() || arma::any(classes < numClasses);
  }

  //! Some of the points.
  SeenPoints Of(const arma::uvec& used) const
  {
    SeenPoints some = { source, points.cols(used), classes, responses,
        weights };
    if (!classes.is_empty())
      some.classes = classes.cols(used);
    if (!responses.is_empty())
      some.responses = responses.cols(used);
    if (!weights.is_empty())
      some.weights = weights.cols(used);
    return some;
  }

  //! The points whose class the model knows.
  SeenPoints OfKnownClasses(const size_t numClasses) const
  {
    return Of(arma::find(classes < numClasses));
  }
};

//! Call f with the classifier or the regressor, whichever the model is.
template<typename FunctionType>
auto Visit(const GBNNModel& model, const FunctionType& f)
{
  return model.IsRegression() ? f(model.Regressor()) : f(model.Classifier());
}

/**
 * FeatureImportance() of the columns of the table.  All rows of a categorical
 * column belong to one feature.  At most 20,000 points are used, evenly spread:
 * the standard error of a mean over them is below 1 % of the deviation.
 *
 * @return Three rows, one column of the table a column.
 */
inline arma::mat ColumnImportance(const GBNNModel& model,
                                  const SeenPoints& seen,
                                  const size_t repeats,
                                  const size_t seed)
{
  const size_t maxPoints = 20000;
  const arma::uvec columns = model.Encoder().ColumnOfRows();
  SeenPoints known = model.IsRegression() ? seen :
      seen.OfKnownClasses(model.Labels().Size());
  if (known.points.is_empty())
  {
    throw std::invalid_argument("none of the points of the " + seen.source +
        " has a label that occurred in training, so there is nothing to "
        "measure importance by");
  }
  if (known.points.n_cols > maxPoints)
    known = known.Of(EvenSample(known.points.n_cols, maxPoints));
  if (model.IsRegression())
  {
    return FeatureImportance(model.Regressor(), known.points, known.responses,
        repeats, seed, columns, known.weights);
  }
  return FeatureImportance(model.Classifier(), known.points, known.classes,
      repeats, seed, columns, known.weights);
}

//! The columns in descending order of their importance.
inline arma::uvec ByImportance(const arma::mat& importance)
{
  return arma::stable_sort_index(importance.row(0), "descend");
}

//! Importances as a table for people to read, the most important first.
inline std::string ImportanceTable(const TableEncoder& encoder,
                                   const arma::mat& importance,
                                   const std::string& source)
{
  std::vector<std::string> names;
  size_t width = 6;
  for (size_t c = 0; c < encoder.Columns(); ++c)
  {
    names.push_back(ShortText(encoder.Name(c), maxNameWidth));
    width = std::max(width, TextWidth(names[c]));
  }
  std::ostringstream out;
  out << "(rise of the loss when the column is shuffled, its deviation;\n"
      << " mean move of the prediction; on the " << source << ")\n"
      << std::left << std::setw(width) << "column" << std::right
      << std::setw(14) << "permutation" << std::setw(12) << "deviation"
      << std::setw(12) << "gradient";
  for (const size_t c : ByImportance(importance))
  {
    // std::setw() counts bytes.
    out << "\n" << names[c] << std::string(width - TextWidth(names[c]), ' ')
        << std::setprecision(5) << std::setw(14) << importance(0, c)
        << std::setw(12) << importance(1, c) << std::setw(12)
        << importance(2, c);
  }
  return out.str();
}

/**
 * The derivative of each prediction with respect to each column of the table,
 * in the units of the table; NaN for categorical columns, which have none.
 *
 * @return One point a column: the derivatives of the first prediction with
 *     respect to all columns, then those of the second, and so on.
 */
inline arma::mat ColumnGradients(const GBNNModel& model,
                                 const arma::mat& points)
{
  arma::cube gradients;
  Visit(model, [&](const auto& m) { InputGradient(m, points, gradients); });
  const TableEncoder& encoder = model.Encoder();
  const arma::uvec columns = encoder.ColumnOfRows();
  arma::mat result(encoder.Columns() * gradients.n_cols, points.n_cols);
  result.fill(arma::datum::nan);
  for (size_t i = 0; i < points.n_cols; ++i)
  {
    for (size_t k = 0; k < gradients.n_cols; ++k)
    {
      for (size_t r = 0; r < columns.n_elem; ++r)
      {
        // Nor has a column that says where another one is missing.
        if (!encoder.Categories(columns[r]).empty() ||
            (r > 0 && columns[r] == columns[r - 1]))
          continue;
        result(k * encoder.Columns() + columns[r], i) = gradients(r, k, i) /
            (encoder.IsScaled() ? encoder.Deviation()[r] : 1.0);
      }
    }
  }
  return result;
}

/**
 * The mean predictions when a column of the table has certain values: quantiles
 * of its values, or each of its categories, of which missing words are one.
 *
 * @return One value a column: the value in the units of the table, or the place
 *     of the category (NaN if it is missing), and below it the mean of each
 *     prediction.
 */
inline arma::mat ColumnDependence(const GBNNModel& model,
                                  const arma::mat& points,
                                  const size_t column)
{
  const TableEncoder& encoder = model.Encoder();
  const arma::uvec rows = arma::find(encoder.ColumnOfRows() == column);
  const arma::vec mean = encoder.IsScaled() ?
      arma::vec(encoder.Mean().elem(rows)) :
      arma::vec(rows.n_elem, arma::fill::zeros);
  const arma::vec deviation = encoder.IsScaled() ?
      arma::vec(encoder.Deviation().elem(rows)) :
      arma::vec(rows.n_elem, arma::fill::ones);
  arma::mat values;
  arma::rowvec shown;
  if (encoder.Categories(column).empty())
  {
    const arma::rowvec grid = DependenceGrid<arma::rowvec>(
        points.row(rows[0]));
    shown = grid * deviation[0] + mean[0];
    // Numbers that are there are not missing.
    values = arma::repmat(-mean / deviation, 1, grid.n_elem);
    values.row(0) = grid;
  }
  else
  {
    // What is missing has the last row, if there is one for it.
    const size_t count = encoder.Categories(column).size();
    values.eye(rows.n_elem, rows.n_elem);
    values.each_col() -= mean;
    values.each_col() /= deviation;
    shown = arma::regspace<arma::rowvec>(0, rows.n_elem - 1);
    if (rows.n_elem > count)
      shown[count] = arma::datum::nan;
  }
  return arma::join_cols(shown, Visit(model, [&](const auto& m)
      {
        return PartialDependence(m, points, rows, values);
      }));
}

/**
 * The column that a user means.
 *
 * @param encoder Knows the columns.
 * @param text The name of a column, or its number, from 1 on.
 * @param name What to call the option in errors.
 */
inline size_t FindColumn(const TableEncoder& encoder,
                         const std::string& text,
                         const std::string& name)
{
  return FindColumnName(encoder.Names(), encoder.Columns(), text, name);
}

/**
 * The losses after each stage of the last training, also of stages that early
 * stopping dropped.
 *
 * @return Number of units, the mean loss on the training data, and, if points
 *     were held out, that on these: one a row.
 */
inline arma::mat TrainingCurve(const GBNNModel& model)
{
  return Visit(model, [](const auto& m)
      {
        const auto row = [](const auto& values)
        {
          return arma::conv_to<arma::rowvec>::from(values);
        };
        arma::mat curve = arma::join_cols(row(m.LossUnits()),
            row(m.TrainingLosses()));
        if (!m.ValidationLosses().empty())
          curve = arma::join_cols(curve, row(m.ValidationLosses()));
        return curve;
      });
}

/**
 * The mean loss of points for each number of active units, from 0 to all.
 *
 * @param model A trained model.
 * @param points Points, one a column.
 * @param truth Their classes or responses.
 * @param weights Their weights, or empty.
 */
template<typename ModelType, typename TruthType>
arma::rowvec StagedLoss(const ModelType& model,
                        const arma::mat& points,
                        const TruthType& truth,
                        const arma::rowvec& weights = arma::rowvec())
{
  const arma::mat targets = model.Targets("StagedLoss()", truth);
  arma::vec sums(model.Units() + 1, arma::fill::zeros);
  // 4096 points at a time, to limit the memory of `parts`.  The sums of a block
  // stand in the column of its first point, so that the order of additions does
  // not depend on threads.
  const size_t blockSize = 4096;
  for (size_t begin = 0; begin < points.n_cols; begin += blockSize)
  {
    const size_t end = std::min<size_t>(points.n_cols, begin + blockSize) - 1;
    arma::mat parts(model.Units() + 1, end - begin + 1, arma::fill::zeros);
    model.StagedScores(points.cols(begin, end),
        [&](const size_t k, const size_t first, const arma::mat& scores)
        {
          const arma::span some(begin + first, begin + first + scores.n_cols -
              1);
          const arma::rowvec used = weights.is_empty() ? arma::rowvec() :
              arma::rowvec(weights(some));
          parts(k, first) = model.Loss().Value(arma::mat(targets.cols(
              some.a, some.b)), scores, used) * (used.is_empty() ?
              double(scores.n_cols) : arma::accu(used));
        });
    sums += arma::sum(parts, 1);
  }
  return (sums / (weights.is_empty() ? double(points.n_cols) :
      arma::accu(weights))).t();
}

} // namespace gbnn
} // namespace mlpack

#endif
