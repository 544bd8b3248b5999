/**
 * @file methods/gbnn/table/table_encoder.hpp
 *
 * Turns a table of numbers and categories, with holes, into the numbers that a
 * network wants, and remembers how.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_TABLE_TABLE_ENCODER_HPP
#define MLPACK_METHODS_GBNN_TABLE_TABLE_ENCODER_HPP

#include <mlpack/core/data/dataset_mapper.hpp>
#include <mlpack/prereqs.hpp>

#include "../compute/communicator.hpp"
#include "../files/short_text.hpp"

namespace mlpack {

// mlpack 4.6 has DatasetInfo in the namespace data, later versions do not.
namespace data { }

namespace gbnn {
namespace version {

using namespace mlpack;
using namespace mlpack::data;
using Info = DatasetInfo;
constexpr auto categorical = Datatype::categorical;

} // namespace version

using DatasetInfoType = version::Info;

} // namespace gbnn

/**
 * What has to be done to a table before a network can learn from it, learned
 * from the training data and kept with the model:
 *
 * - a categorical column becomes one column of 0 and 1 for each category that
 *   occurs in training;
 * - a column of which cells are missing (NaN) in training is followed by one of
 *   0 and 1 that says which.  A missing number becomes the mean of its column;
 * - then all columns are shifted to mean 0, and those of numbers scaled to
 *   variance 1, unless that is switched off.  Columns of 0 and 1 keep their
 *   scale: scaled, a rare category would be a large number.
 *
 * What did not occur in training, a category or a missing cell, says nothing:
 * its columns take their means over the training data.  Categories are known by
 * their text, so that files may list them in any order.
 */
class TableEncoder
{
 public:
  TableEncoder() : scaled(true) { }

  /**
   * Learn how to encode from a table, and encode it.
   *
   * @param table Points, one a column; encoded in place where possible.
   * @param info Which rows hold categories, and which.
   * @param name What to call the table in errors.
   * @param scale Whether to scale to mean 0 and variance 1.
   * @param weights Weights of the points, none of them 0, or empty; a point of
   *     weight 2 counts as two in means and deviations.
   * @param ranks Processes that each have some of the points and learn from all
   *     of them, or nullptr; `info` must be the same for all.
   * @return The encoded points.
   */
  arma::mat Fit(arma::mat&& table,
                const gbnn::DatasetInfoType& info,
                const std::string& name = "the table",
                const bool scale = true,
                const arma::rowvec& weights = arma::rowvec(),
                const GBNNCommunicator* ranks = nullptr);

  /**
   * Encode a table as the one it was learned from.
   *
   * @param table Points, one a column; encoded in place where possible.
   * @param info Which rows hold categories, and which.
   * @param name What to call the table in errors.
   * @param before Number of points before these in the whole table, for errors.
   * @return The encoded points.
   */
  arma::mat Encode(arma::mat&& table,
                   const gbnn::DatasetInfoType& info,
                   const std::string& name = "the table",
                   const size_t before = 0) const;

  //! Number of columns that a table has to have.
  size_t Columns() const { return categories.size(); }
  //! Number of numbers that a point has after encoding.
  size_t Dimensionality() const { return mean.n_elem; }
  //! The categories of a column; empty if it is numeric.
  const std::vector<std::string>& Categories(const size_t column) const
  {
    return categories[column];
  }
  //! The place of a text among them; their number if it is none of them.  If
  //! they are false and true, capital letters, which languages write
  //! differently, do not matter, and 0 and 1 are the same.
  size_t FindCategory(const size_t column, const std::string& text) const;
  //! The same for a value of some table.  Where that has only numbers, 01 has
  //! become 1, which is found, too, if there is no other such category.
  size_t FindCategory(const size_t column,
                      const double value,
                      const gbnn::DatasetInfoType& info) const;
  //! Whether cells of a column were missing in training.
  bool HasGaps(const size_t column) const { return gaps[column]; }
  //! Number of numbers that a column becomes.
  size_t Rows(const size_t column) const
  {
    return std::max<size_t>(1, categories[column].size()) + gaps[column];
  }
  //! Whether points are scaled.
  bool IsScaled() const { return scaled; }
  //! Mean of each encoded column in training.
  const arma::vec& Mean() const { return mean; }
  //! Deviation of each encoded column in training; 1 where it is constant, and
  //! for columns of 0 and 1.
  const arma::vec& Deviation() const { return deviation; }

  //! What a column is called: by its name if it is known, else "column 3".
  std::string Name(const size_t column) const;
  //! The names of the columns; empty if they are not known.
  const std::vector<std::string>& Names() const { return names; }
  //! Give the columns names; there must be one for each, or none.
  void Names(const std::vector<std::string>& newNames);

  //! The text of a value of a column of some table, as a category.
  static std::string CategoryOf(const double value,
                                const gbnn::DatasetInfoType& info,
                                const size_t column);

  //! The column of the table that each number of an encoded point comes from.
  arma::uvec ColumnOfRows() const;

  //! Serialize the encoder.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 private:
  //! Throw std::invalid_argument if there are infinite numbers.
  void CheckFinite(const arma::mat& table,
                   const std::string& name,
                   const size_t before) const;
  //! What errors call a column.
  std::string Title(const size_t column) const
  {
    return names.empty() ? Name(column) : "column '" +
        gbnn::ShortText(Name(column)) + "'";
  }
  //! Learn the categories of each column, and whether cells are missing.
  void LearnColumns(const arma::mat& table,
                    const gbnn::DatasetInfoType& info,
                    const GBNNCommunicator* ranks);
  //! Replace categories by 0 and 1, with NaN for unknown ones, and add columns
  //! that say what is missing.
  arma::mat Expand(arma::mat&& table,
                   const gbnn::DatasetInfoType& info,
                   const std::string& name) const;
  //! Where the category of each value of a column stands in `categories`; their
  //! number if it is unknown, one more if it is missing.
  std::vector<size_t> MatchCategories(const arma::mat& table,
                                      const gbnn::DatasetInfoType& info,
                                      const size_t column) const;
  //! Learn mean and deviation of each encoded column.
  void LearnScale(const arma::mat& points,
                  const arma::rowvec& weights,
                  const GBNNCommunicator* ranks);
  //! Shift and scale, in place; NaN becomes the mean.
  void Scale(arma::mat& points) const;

  //! Turn the categories of a column into numbers, if all of them are; if not,
  //! throw std::invalid_argument.
  void ToNumbers(arma::mat& table,
                 const gbnn::DatasetInfoType& info,
                 const size_t column,
                 const std::string& name) const;

  //! The categories of each column; none if it is numeric.
  std::vector<std::vector<std::string>> categories;
  //! Whether cells of a column were missing in training; 0 or 1.
  std::vector<uint8_t> gaps;
  bool scaled;
  //! Mean and deviation of each encoded column.
  arma::vec mean;
  arma::vec deviation;
  //! The names of the columns, if they are known.
  std::vector<std::string> names;
};

} // namespace mlpack

CEREAL_CLASS_VERSION(mlpack::TableEncoder, 3);

#include "table_encoder_impl.hpp"

#endif
