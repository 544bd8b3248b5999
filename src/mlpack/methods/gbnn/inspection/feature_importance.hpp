/**
 * @file methods/gbnn/inspection/feature_importance.hpp
 *
 * How much a model's predictions depend on each of its features.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_INSPECTION_FEATURE_IMPORTANCE_HPP
#define MLPACK_METHODS_GBNN_INSPECTION_FEATURE_IMPORTANCE_HPP

#include "../compute/point_sums.hpp"
#include "input_gradient.hpp"

namespace mlpack {
namespace gbnn {

//! The rows of the data that belong to each feature.
inline std::vector<arma::uvec> RowsOfFeatures(const std::string& name,
                                              const arma::uvec& features,
                                              const size_t dimensionality)
{
  if (!features.is_empty() && features.n_elem != dimensionality)
  {
    throw std::invalid_argument(name + ": number of rows that a feature is "
        "given for (" + std::to_string(features.n_elem) + ") does not match "
        "the dimensionality of the data (" + std::to_string(dimensionality) +
        ")");
  }
  std::vector<arma::uvec> rows;
  const size_t count = features.is_empty() ? dimensionality :
      size_t(features.max()) + 1;
  for (size_t f = 0; f < count; ++f)
    rows.push_back(features.is_empty() ? arma::uvec{ f } :
        arma::uvec(arma::find(features == f)));
  return rows;
}

//! Swap the columns of some rows into a random order.
template<typename MatType>
void Shuffle(const MatType& data,
             const arma::uvec& rows,
             Random random,
             MatType& shuffled)
{
  arma::uvec order = arma::regspace<arma::uvec>(0, data.n_cols - 1);
  for (size_t i = data.n_cols - 1; i > 0; --i)
    std::swap(order[i], order[random.Below(i + 1)]);
  for (size_t i = 0; i < data.n_cols; ++i)
    for (const size_t row : rows)
      shuffled(row, i) = data(row, order[i]);
}

} // namespace gbnn

/**
 * Importance of each feature by permutation: by how much the mean loss rises
 * when the feature's values are shuffled among the points and all other
 * features stay as they are.  It is near 0, and may be slightly negative, for a
 * feature that does not matter.
 *
 * @param model A trained GBNNClassifier or GBNNRegressor.
 * @param data Points, one a column; better not those of training.
 * @param truth Their labels (GBNNClassifier) or responses (GBNNRegressor).
 * @param repeats How often each feature is shuffled.
 * @param seed The same seed gives the same result, with any number of threads.
 * @param features Number of the feature that each row of the data belongs to,
 *     for features of several rows, which are shuffled together; or empty.
 * @param weights Weights of the points, or empty.
 * @return Two rows: the mean over the repeats and their standard deviation, one
 *     feature a column.
 */
template<typename ModelType, typename MatType, typename TruthType>
arma::mat PermutationImportance(
    const ModelType& model,
    const MatType& data,
    const TruthType& truth,
    const size_t repeats = 5,
    const size_t seed = 1,
    const arma::uvec& features = arma::uvec(),
    const arma::Row<typename MatType::elem_type>& weights =
        arma::Row<typename MatType::elem_type>())
{
  MatType scores;
  model.Scores(data, scores);
  if (truth.n_cols != data.n_cols)
  {
    throw std::invalid_argument("PermutationImportance(): number of labels or "
        "responses (" + std::to_string(truth.n_cols) + ") does not match "
        "number of points (" + std::to_string(data.n_cols) + ")");
  }
  if (!weights.is_empty() && weights.n_elem != data.n_cols)
  {
    throw std::invalid_argument("PermutationImportance(): number of weights (" +
        std::to_string(weights.n_elem) + ") does not match number of points (" +
        std::to_string(data.n_cols) + ")");
  }
  if (data.n_cols == 0)
  {
    throw std::invalid_argument("PermutationImportance(): there are no points "
        "to measure importance on; give at least one");
  }
  if (repeats == 0)
  {
    throw std::invalid_argument("PermutationImportance(): number of repeats "
        "(0) must be at least 1");
  }
  const MatType targets = model.Targets("PermutationImportance()", truth);
  const double before = model.Loss().Value(targets, scores, weights);
  const std::vector<arma::uvec> rows = gbnn::RowsOfFeatures(
      "PermutationImportance()", features, data.n_rows);

  MatType shuffled = data;
  arma::mat importance(2, rows.size());
  for (size_t f = 0; f < rows.size(); ++f)
  {
    arma::rowvec rises(repeats);
    for (size_t r = 0; r < repeats; ++r)
    {
      gbnn::Shuffle(data, rows[f], gbnn::Random(seed,
          gbnn::RandomStream::PERMUTATION, f * repeats + r), shuffled);
      model.Scores(shuffled, scores);
      rises[r] = model.Loss().Value(targets, scores, weights) - before;
    }
    shuffled.rows(rows[f]) = data.rows(rows[f]);
    importance(0, f) = arma::mean(rises);
    importance(1, f) = arma::stddev(rises, 1);
  }
  return importance;
}

/**
 * Importance of each feature by its derivative: the mean of |dy/dx| over points
 * and outputs, times the standard deviation of x.  It is about how much a
 * prediction changes when the feature changes by one standard deviation, and
 * needs no labels.  Features of several rows have the sum of their rows.  With
 * weights, mean and deviation are those of a point of weight 2 counted as two.
 *
 * @param model A trained GBNNClassifier or GBNNRegressor.
 * @param data Points, one a column.
 * @param features Number of the feature that each row of the data belongs to,
 *     or empty.
 * @param of What to take the derivative of.
 * @param weights Weights of the points, or empty.
 * @return One number a feature.
 */
template<typename ModelType, typename MatType>
arma::rowvec GradientImportance(
    const ModelType& model,
    const MatType& data,
    const arma::uvec& features = arma::uvec(),
    const GBNNOutput of = GBNNOutput::PREDICTION,
    const arma::Row<typename MatType::elem_type>& weights =
        arma::Row<typename MatType::elem_type>())
{
  using ElemType = typename MatType::elem_type;
  if (data.n_cols == 0)
  {
    throw std::invalid_argument("GradientImportance(): there are no points to "
        "measure importance on; give at least one");
  }
  if (!weights.is_empty() && weights.n_elem != data.n_cols)
  {
    throw std::invalid_argument("GradientImportance(): number of weights (" +
        std::to_string(weights.n_elem) + ") does not match number of points (" +
        std::to_string(data.n_cols) + ")");
  }
  const std::vector<arma::uvec> rows = gbnn::RowsOfFeatures(
      "GradientImportance()", features, data.n_rows);
  MatType predictions;
  gbnn::Predictions(model, data, predictions);
  const size_t d = data.n_rows;
  const arma::vec sums = gbnn::SumOverPoints(data.n_cols, weights, d,
      [&](const size_t i, const double weight, double* sum)
      {
        MatType gradient;
        gbnn::PointGradient(model, data.colptr(i),
            arma::Col<ElemType>(predictions.col(i)), of, gradient);
        for (size_t r = 0; r < d; ++r)
          for (size_t k = 0; k < gradient.n_cols; ++k)
            sum[r] += weight * std::abs(double(gradient(r, k))) /
                gradient.n_cols;
      });
  double total = double(data.n_cols);
  arma::vec deviation = arma::conv_to<arma::vec>::from(
      arma::stddev(data, 1, 1));
  if (!weights.is_empty())
  {
    total = arma::accu(weights);
    const arma::Col<ElemType> mean = data * weights.t() / ElemType(total);
    const MatType squares = arma::square(data.each_col() - mean);
    deviation = arma::sqrt(arma::conv_to<arma::vec>::from(squares *
        weights.t()) / total);
  }
  const arma::vec moves = deviation % sums / total;
  arma::rowvec importance(rows.size());
  for (size_t f = 0; f < rows.size(); ++f)
    importance[f] = arma::accu(moves.elem(rows[f]));
  return importance;
}

/**
 * Both kinds of importance, both with the weights of the points if there are
 * any.
 *
 * @return Three rows, one feature a column: importance by permutation, its
 *     standard deviation over the repeats, and importance by derivative.
 */
template<typename ModelType, typename MatType, typename TruthType>
arma::mat FeatureImportance(
    const ModelType& model,
    const MatType& data,
    const TruthType& truth,
    const size_t repeats = 5,
    const size_t seed = 1,
    const arma::uvec& features = arma::uvec(),
    const arma::Row<typename MatType::elem_type>& weights =
        arma::Row<typename MatType::elem_type>())
{
  return arma::join_cols(PermutationImportance(model, data, truth, repeats,
      seed, features, weights), GradientImportance(model, data, features,
      GBNNOutput::PREDICTION, weights));
}

} // namespace mlpack

#endif
