/**
 * @file methods/gbnn/table/table_encoder_impl.hpp
 *
 * Implementation of the encoding of tables.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_TABLE_TABLE_ENCODER_IMPL_HPP
#define MLPACK_METHODS_GBNN_TABLE_TABLE_ENCODER_IMPL_HPP

#include "table_encoder.hpp"

#include <cmath>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "../compute/point_sums.hpp"
#include "../compute/require_version.hpp"
#include "../compute/shared_rows.hpp"
#include "column_names.hpp"
#include "number_list.hpp"

namespace mlpack {

inline arma::mat TableEncoder::Fit(arma::mat&& table,
                                   const gbnn::DatasetInfoType& info,
                                   const std::string& name,
                                   const bool scale,
                                   const arma::rowvec& weights,
                                   const GBNNCommunicator* ranks)
{
  if (table.is_empty())
  {
    throw std::invalid_argument(name + " has no data (" +
        std::to_string(table.n_cols) + " points of " +
        std::to_string(table.n_rows) + " columns)");
  }
  names.clear();
  CheckFinite(table, name, gbnn::SumBefore(ranks, table.n_cols));
  LearnColumns(table, info, ranks);
  scaled = scale;
  arma::mat points = Expand(std::move(table), info, name);
  LearnScale(points, weights, ranks);
  if (!mean.is_finite() || !deviation.is_finite())
  {
    throw std::invalid_argument(name + " has numbers that are too large to "
        "take their mean and variance");
  }
  Scale(points);
  return points;
}

inline arma::mat TableEncoder::Encode(arma::mat&& table,
                                      const gbnn::DatasetInfoType& info,
                                      const std::string& name,
                                      const size_t before) const
{
  if (table.n_rows != Columns())
  {
    throw std::invalid_argument(name + " has " + std::to_string(table.n_rows) +
        " columns, but the model was trained on " + std::to_string(Columns()));
  }
  CheckFinite(table, name, before);
  arma::mat points = Expand(std::move(table), info, name);
  Scale(points);
  return points;
}

inline std::string TableEncoder::Name(const size_t column) const
{
  return names.empty() ? "column " + std::to_string(column + 1) :
      names[column];
}

inline void TableEncoder::Names(const std::vector<std::string>& newNames)
{
  if (!newNames.empty() && newNames.size() != Columns())
  {
    throw std::invalid_argument("TableEncoder::Names(): number of names (" +
        std::to_string(newNames.size()) + ") does not match number of columns "
        "(" + std::to_string(Columns()) + ")");
  }
  names = newNames;
}

inline arma::uvec TableEncoder::ColumnOfRows() const
{
  arma::uvec columns(Dimensionality());
  for (size_t c = 0, row = 0; c < Columns(); ++c)
    for (size_t k = 0; k < Rows(c); ++k)
      columns[row++] = c;
  return columns;
}

inline void TableEncoder::CheckFinite(const arma::mat& table,
                                      const std::string& name,
                                      const size_t before) const
{
  if (!table.has_inf())
    return;
  const size_t i = arma::as_scalar(arma::find(arma::abs(arma::vectorise(table))
      == arma::datum::inf, 1));
  throw std::invalid_argument(name + " has an infinite value in " +
      Title(i % table.n_rows) + " of point " +
      std::to_string(before + i / table.n_rows + 1) + "; only numbers and "
      "missing values are possible");
}

inline std::string TableEncoder::CategoryOf(const double value,
                                            const gbnn::DatasetInfoType& info,
                                            const size_t column)
{
  if (info.Type(column) == gbnn::version::categorical)
    return info.UnmapString(value, column);
  // A column of which this table happens to have only numbers.
  return gbnn::NumberText(value);
}

inline size_t TableEncoder::FindCategory(const size_t column,
                                         const std::string& text) const
{
  const std::vector<std::string>& known = categories[column];
  const auto place = std::lower_bound(known.begin(), known.end(), text);
  if (place != known.end() && *place == text)
    return size_t(place - known.begin());
  return gbnn::FindTruth(known, (text == "0") ? "false" : (text == "1") ?
      "true" : text);
}

inline size_t TableEncoder::FindCategory(
    const size_t column,
    const double value,
    const gbnn::DatasetInfoType& info) const
{
  const std::vector<std::string>& known = categories[column];
  const size_t place = FindCategory(column, CategoryOf(value, info, column));
  return (place < known.size() || info.Type(column) ==
      gbnn::version::categorical) ? place : gbnn::FindNumber(known, value);
}

inline void TableEncoder::ToNumbers(arma::mat& table,
                                    const gbnn::DatasetInfoType& info,
                                    const size_t column,
                                    const std::string& name) const
{
  // Only of what occurs here: a DatasetInfo may know more.
  std::vector<double> numbers(info.NumMappings(column), arma::datum::nan);
  for (size_t i = 0; i < table.n_cols; ++i)
  {
    if (std::isnan(table(column, i)))
      continue;
    double& number = numbers.at(size_t(table(column, i)));
    if (std::isnan(number))
    {
      const std::string text = info.UnmapString(table(column, i), column);
      number = gbnn::ReadNumber(text);
      if (std::isnan(number))
      {
        throw std::invalid_argument(Title(column) + " of " + name + " has text "
            "('" + gbnn::ShortText(text) + "'), but had only numbers in "
            "training");
      }
    }
    table(column, i) = number;
  }
}

inline void TableEncoder::LearnColumns(const arma::mat& table,
                                       const gbnn::DatasetInfoType& info,
                                       const GBNNCommunicator* ranks)
{
  const size_t points = gbnn::SumOfRanks(ranks, table.n_cols);
  categories.assign(table.n_rows, {});
  gaps.assign(table.n_rows, 0);
  for (size_t c = 0; c < table.n_rows; ++c)
  {
    const bool isCategorical = info.Type(c) == gbnn::version::categorical;
    // Only what occurs here: a DatasetInfo may know more, and in any order.
    std::unordered_set<double> values;
    size_t known = 0;
    for (size_t i = 0; i < table.n_cols; ++i)
    {
      if (std::isnan(table(c, i)))
        continue;
      ++known;
      if (isCategorical)
        values.insert(table(c, i));
    }
    known = gbnn::SumOfRanks(ranks, known);
    std::set<std::string> found;
    for (const double value : gbnn::GatherAll(ranks,
        std::vector<double>(values.begin(), values.end())))
      found.insert(CategoryOf(value, info, c));
    categories[c].assign(found.begin(), found.end());
    gbnn::KeepTruths(categories[c]);
    // A column without any cell says nothing; one of text stays one of text.
    gaps[c] = (known > 0 && known < points);
    if (isCategorical && known == 0)
      categories[c].push_back("");
  }
}

inline std::vector<size_t> TableEncoder::MatchCategories(
    const arma::mat& table,
    const gbnn::DatasetInfoType& info,
    const size_t column) const
{
  const std::vector<std::string>& known = categories[column];
  std::unordered_map<double, size_t> places;
  std::vector<size_t> result(table.n_cols);
  for (size_t i = 0; i < table.n_cols; ++i)
  {
    const double value = table(column, i);
    if (std::isnan(value))
    {
      result[i] = known.size() + 1;
      continue;
    }
    const auto found = places.find(value);
    if (found != places.end())
    {
      result[i] = found->second;
      continue;
    }
    result[i] = FindCategory(column, value, info);
    places[value] = result[i];
  }
  return result;
}

inline arma::mat TableEncoder::Expand(arma::mat&& table,
                                      const gbnn::DatasetInfoType& info,
                                      const std::string& name) const
{
  size_t size = 0;
  bool numeric = true;
  for (size_t c = 0; c < Columns(); ++c)
  {
    if (categories[c].empty() && info.Type(c) == gbnn::version::categorical)
      ToNumbers(table, info, c, name);
    size += Rows(c);
    numeric &= categories[c].empty() && !gaps[c];
  }

  arma::mat points;
  if (numeric)
    points = std::move(table);
  else
    points.zeros(size, table.n_cols);
  for (size_t c = 0, row = 0; c < Columns(); ++c)
  {
    const size_t count = categories[c].size();
    if (gaps[c])
    {
      for (size_t i = 0; i < table.n_cols; ++i)
        points(row + Rows(c) - 1, i) = std::isnan(table(c, i));
    }
    if (count == 0 && !numeric)
      points.row(row) = table.row(c);
    if (count > 0)
    {
      const std::vector<size_t> places = MatchCategories(table, info, c);
      for (size_t i = 0; i < places.size(); ++i)
      {
        if (places[i] < count)
          points(row + places[i], i) = 1;
        else if (places[i] == count || !gaps[c])
          points.col(i).subvec(row, row + count - 1).fill(arma::datum::nan);
      }
    }
    row += Rows(c);
  }
  return points;
}

inline void TableEncoder::LearnScale(const arma::mat& ownPoints,
                                     const arma::rowvec& ownWeights,
                                     const GBNNCommunicator* ranks)
{
  // Sums are those of one process only if ranks have whole cells.
  const arma::mat noTruth(0, ownPoints.n_cols);
  const gbnn::SharedRows<arma::mat, arma::mat> rows("TableEncoder::Fit()",
      ranks, [](const size_t n) { return n; }, ownPoints, noTruth, ownWeights,
      []() { });
  const arma::mat& points = rows.Data();
  const arma::rowvec& weights = rows.Weights();
  // What is missing adds nothing to sums.
  const size_t d = points.n_rows;
  const auto means = [&](const auto& term)
  {
    const arma::vec sums = gbnn::SumOverPoints(points.n_cols, weights, 2 * d,
        [&](const size_t i, const double weight, double* sum)
        {
          const double* x = points.colptr(i);
          for (size_t r = 0; r < d; ++r)
          {
            const bool known = !std::isnan(x[r]);
            sum[2 * r] += known ? weight * term(x[r], r) : 0.0;
            sum[2 * r + 1] += known ? weight : 0.0;
          }
        });
    arma::vec result(d, arma::fill::zeros);
    for (size_t r = 0; r < d; ++r)
      if (sums[2 * r + 1] > 0)
        result[r] = sums[2 * r] / sums[2 * r + 1];
    return result;
  };
  mean = means([](const double x, const size_t) { return x; });
  const arma::vec variance = means([&](const double x, const size_t r)
      { return std::pow(x - mean[r], 2); });
  deviation.ones(d);
  for (size_t c = 0, row = 0; c < Columns(); row += Rows(c++))
  {
    // What rounding leaves of a constant column is no deviation.
    const double value = std::sqrt(variance[row]), rounding = 1e-12;
    if (categories[c].empty() && value > rounding * std::abs(mean[row]))
      deviation[row] = value;
  }
}

inline void TableEncoder::Scale(arma::mat& points) const
{
  const size_t d = points.n_rows;
  gbnn::Pieces(points.n_cols, 2 * d).ForEach(
      [&](const size_t, const size_t begin, const size_t end)
      {
        for (size_t i = begin; i < end; ++i)
        {
          double* x = points.colptr(i);
          for (size_t r = 0; r < d; ++r)
          {
            const double value = std::isnan(x[r]) ? mean[r] : x[r];
            x[r] = scaled ? (value - mean[r]) / deviation[r] : value;
          }
        }
      });
}

template<typename Archive>
void TableEncoder::serialize(Archive& ar, const uint32_t version)
{
  gbnn::RequireVersion("TableEncoder", version, 3);
  ar(CEREAL_NVP(categories));
  ar(CEREAL_NVP(gaps));
  ar(CEREAL_NVP(scaled));
  ar(CEREAL_NVP(mean));
  ar(CEREAL_NVP(deviation));
  ar(CEREAL_NVP(names));

  if (cereal::is_loading<Archive>())
  {
    if (gaps.size() != categories.size() ||
        (!names.empty() && names.size() != categories.size()))
      throw std::runtime_error("TableEncoder: sizes do not match");
    size_t size = 0;
    for (size_t c = 0; c < categories.size(); ++c)
    {
      if (gaps[c] > 1)
        throw std::runtime_error("TableEncoder: gaps are neither 0 nor 1");
      size += Rows(c);
    }
    if (mean.n_elem != size || deviation.n_elem != size)
      throw std::runtime_error("TableEncoder: sizes do not match");
    if (gbnn::HaveZeroByte(names))
      throw std::runtime_error("TableEncoder: a name has a zero byte");
    for (const std::vector<std::string>& known : categories)
    {
      if (!std::is_sorted(known.begin(), known.end()))
        throw std::runtime_error("TableEncoder: categories are not sorted");
      if (gbnn::HaveZeroByte(known))
        throw std::runtime_error("TableEncoder: a category has a zero byte");
    }
    if (!mean.is_finite() || !deviation.is_finite() ||
        arma::any(deviation <= 0))
      throw std::runtime_error("TableEncoder: mean or deviation out of range");
  }
}

} // namespace mlpack

#endif
