/**
 * @file methods/gbnn/report/data_summary.hpp
 *
 * What there is to say about data without the data.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REPORT_DATA_SUMMARY_HPP
#define MLPACK_METHODS_GBNN_REPORT_DATA_SUMMARY_HPP

#include "../inspection/gbnn_inspection.hpp"

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
 * What the labels or responses of some points are like, and how well a model
 * knows them.  It is kept when the points are not.
 */
struct SeenSummary
{
  //! What the points are: "training data" or "test data"; empty if there are
  //! none.
  std::string source;
  size_t points = 0;
  //! The mean loss of the model with each number of units, from 0 on; empty if
  //! the truth is not known.
  arma::rowvec loss;
  //! Points of each class, and last of labels that the model does not know.
  arma::rowvec counts;
  //! Mean, deviation, smallest and largest value; one response a column.
  arma::mat responses;

  SeenSummary() { }

  SeenSummary(const GBNNModel& model, const SeenPoints& seen) :
      source(seen.source), points(seen.points.n_cols)
  {
    if (!seen.IsKnown())
      return;
    if (model.IsRegression())
    {
      const arma::mat& y = seen.responses;
      responses = arma::join_rows(arma::mean(y, 1), arma::stddev(y, 1, 1),
          arma::min(y, 1), arma::max(y, 1)).t();
      loss = StagedLoss(model.Regressor(), seen.points, y, seen.weights);
      return;
    }
    const size_t classes = model.Labels().Size();
    counts.zeros(classes + 1);
    for (const size_t k : seen.classes)
      ++counts[std::min(k, classes)];
    const SeenPoints known = seen.OfKnownClasses(classes);
    if (!known.points.is_empty())
      loss = StagedLoss(model.Classifier(), known.points, known.classes,
          known.weights);
  }
};

} // namespace gbnn
} // namespace mlpack

#endif
