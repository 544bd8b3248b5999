/**
 * @file methods/gbnn/export/gbnn_portable.hpp
 *
 * A trained model as plain numbers: all that another program needs to predict.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_EXPORT_GBNN_PORTABLE_HPP
#define MLPACK_METHODS_GBNN_EXPORT_GBNN_PORTABLE_HPP

#include "../gbnn_model.hpp"

namespace mlpack {

//! A column of the table that a PortableGBNN takes.
struct PortableColumn
{
  //! Empty if it is not known.
  std::string name;
  //! The categories, in the order of their codes 0, 1, ...; none if the column
  //! is numeric.
  std::vector<std::string> categories;
  //! Whether cells were missing in training: the last number that the column
  //! becomes is 1 for them, else 0.
  bool gaps;

  //! Number of numbers that it becomes.
  size_t Rows() const
  {
    return std::max<size_t>(1, categories.size()) + gaps;
  }
};

/**
 * Everything that a prediction needs, without units that are switched off.  A
 * point is a row of numbers: that of a numeric column, the code of a category,
 * or NaN where it is missing.  It is encoded as TableEncoder does, which gives
 * its inputs.  If there are edges, each input is replaced by the shares of its
 * bins that lie below it, from 0 to 1, as PiecewiseLinear does with shares from
 * -1 to 1.  Then
 *
 * @code
 * scores = outputWeights * activation(hiddenWeights.t() * x + hiddenBias) +
 *     outputBias
 * @endcode
 *
 * and predictions are what `output` makes of the scores.  At least one unit is
 * there, of weight zero if the model has none.
 */
struct PortableGBNN
{
  /**
   * Take over a classifier or regressor whose inputs are numbers as they are.
   * Throws std::invalid_argument if it is not trained, has no columns, or has
   * numbers that another program could not read.
   */
  template<typename MatType, typename LossType>
  explicit PortableGBNN(const GBNNClassifier<MatType, LossType>& model);
  template<typename MatType, typename LossType>
  explicit PortableGBNN(const GBNNRegressor<MatType, LossType>& model);

  //! Take over what a binding has trained, with its encoding and labels.
  explicit PortableGBNN(const GBNNModel& model);

  //! Number of columns that a point has.
  size_t Columns() const { return columns.size(); }
  //! Number of numbers that a point has after encoding.
  size_t Inputs() const { return mean.n_elem; }
  //! Number of numbers that the network takes: inputs, or shares of bins.
  size_t NetworkInputs() const { return hiddenWeights.n_rows; }
  //! Whether the network takes shares of bins.
  bool HasBins() const { return !edges.empty(); }
  //! Number of hidden units, at least 1.
  size_t Units() const { return hiddenWeights.n_cols; }
  //! Number of scores.
  size_t Scores() const { return outputBias.n_elem; }
  //! Number of predictions: probabilities of classes, or responses.
  size_t Outputs() const { return regression ? Scores() : labels.Size(); }
  //! Whether some column becomes columns of 0 and 1.
  bool IsExpanded() const;
  //! What the sum of each unit is at the edges of each input that has bins,
  //! less that at its first edge; one unit a column.
  arma::mat EdgeSums() const;

  bool regression;
  std::vector<PortableColumn> columns;
  //! Whether inputs are shifted and scaled.
  bool scaled;
  //! Mean and deviation of each encoded input.
  arma::vec mean, deviation;
  //! Edges of the bins of each encoded input, which has no bins if there is
  //! only one edge; none at all if the network takes the inputs.
  std::vector<arma::vec> edges;
  //! Weights of the hidden units, one a column.
  arma::mat hiddenWeights;
  arma::vec hiddenBias;
  //! Weights from the hidden units to the scores, one unit a column.
  arma::mat outputWeights;
  arma::vec outputBias;
  GBNNActivation activation;
  //! What turns the scores into predictions.
  gbnn::OutputLayer output;
  //! The labels of the classes, for classification.
  gbnn::ClassLabels labels;
  //! Number of responses that the predictions are for, for regression.
  size_t responses = 0;

 private:
  //! Take over the network, and numeric inputs as they are.
  template<typename ModelType>
  void TakeNetwork(const ModelType& model);
  //! Throw std::invalid_argument unless all can be written.
  void Check() const;
};

template<typename MatType, typename LossType>
PortableGBNN::PortableGBNN(const GBNNClassifier<MatType, LossType>& model) :
    regression(false)
{
  TakeNetwork(model);
  labels = gbnn::ClassLabels(arma::regspace<arma::rowvec>(0,
      model.NumClasses() - 1));
  Check();
}

template<typename MatType, typename LossType>
PortableGBNN::PortableGBNN(const GBNNRegressor<MatType, LossType>& model) :
    regression(true),
    responses(model.NumResponses())
{
  TakeNetwork(model);
  Check();
}

inline PortableGBNN::PortableGBNN(const GBNNModel& model) :
    regression(model.IsRegression()),
    labels(model.Labels())
{
  if (regression)
  {
    TakeNetwork(model.Regressor());
    responses = model.Regressor().NumResponses();
  }
  else
  {
    TakeNetwork(model.Classifier());
  }
  const TableEncoder& encoder = model.Encoder();
  columns.clear();
  for (size_t c = 0; c < encoder.Columns(); ++c)
  {
    columns.push_back({ encoder.Names().empty() ? "" : encoder.Name(c),
        encoder.Categories(c), encoder.HasGaps(c) });
  }
  scaled = encoder.IsScaled();
  mean = encoder.Mean();
  deviation = encoder.Deviation();
  Check();
}

template<typename ModelType>
void PortableGBNN::TakeNetwork(const ModelType& model)
{
  if (!model.IsTrained())
  {
    throw std::invalid_argument("PortableGBNN: the model is not trained yet, "
        "so there is nothing to export");
  }
  const auto& network = model.Boosted();
  const size_t d = network.Dimensionality(), units = model.ActiveUnits();
  const PiecewiseLinear& encoding = model.Encoding();
  for (size_t i = 0; i < encoding.Dimensionality(); ++i)
    edges.push_back(encoding.Edges(i));
  const double scale = model.Loss().OutputScale();
  activation = network.Activation();
  output = model.Loss().Output();
  const double cutScale = scale * network.CutScale(units);
  outputBias = scale * arma::conv_to<arma::vec>::from(network.CutBias(units));
  hiddenWeights.zeros(network.Inputs(), std::max<size_t>(1, units));
  hiddenBias.zeros(hiddenWeights.n_cols);
  outputWeights.zeros(outputBias.n_elem, hiddenWeights.n_cols);
  for (size_t u = 0; u < units; ++u)
  {
    hiddenWeights.col(u) = arma::conv_to<arma::vec>::from(
        network.HiddenWeights().col(u));
    hiddenBias[u] = network.HiddenBias()[u];
    outputWeights.col(u) = cutScale * arma::conv_to<arma::vec>::from(
        network.OutputWeights().col(u));
  }
  // Pieces from -1 to 1 are 2 s - 1 for shares s from 0 to 1.
  if (HasBins())
  {
    hiddenBias -= arma::sum(hiddenWeights, 0).t();
    hiddenWeights *= 2;
  }
  columns.assign(d, { "", { }, false });
  scaled = false;
  mean.zeros(d);
  deviation.ones(d);
}

inline arma::mat PortableGBNN::EdgeSums() const
{
  size_t size = 0;
  for (const arma::vec& e : edges)
    size += (e.n_elem > 1) ? e.n_elem : 0;
  arma::mat result(size, Units(), arma::fill::zeros);
  size_t row = 0, first = 0;
  for (const arma::vec& e : edges)
  {
    const size_t bins = e.n_elem - 1;
    if (bins == 0)
      continue;
    result.rows(row + 1, row + bins) = arma::cumsum(hiddenWeights.rows(first,
        first + bins - 1), 0);
    row += bins + 1;
    first += bins;
  }
  return result;
}

inline void PortableGBNN::Check() const
{
  if (columns.empty())
  {
    throw std::invalid_argument("PortableGBNN: the model has no columns, so "
        "there is nothing to predict from");
  }
  bool finite = hiddenWeights.is_finite() && hiddenBias.is_finite() &&
      outputWeights.is_finite() && outputBias.is_finite() &&
      mean.is_finite() && deviation.is_finite() && EdgeSums().is_finite();
  for (const arma::vec& e : edges)
    finite = finite && e.is_finite();
  if (!finite)
  {
    throw std::invalid_argument("PortableGBNN: the model has numbers that are "
        "infinite or too large to be exported; train it anew on scaled data");
  }
}

inline bool PortableGBNN::IsExpanded() const
{
  return std::any_of(columns.begin(), columns.end(),
      [](const PortableColumn& c) { return !c.categories.empty() || c.gaps; });
}

} // namespace mlpack

#endif
