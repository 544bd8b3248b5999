/**
 * @file methods/gbnn/inspection/input_gradient.hpp
 *
 * The exact derivative of a model's output with respect to its input.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_INSPECTION_INPUT_GRADIENT_HPP
#define MLPACK_METHODS_GBNN_INSPECTION_INPUT_GRADIENT_HPP

#include "../gbnn_classifier.hpp"
#include "../gbnn_regressor.hpp"

namespace mlpack {

//! Which output of a model to differentiate.
enum class GBNNOutput
{
  //! The probability of each class, or the responses.
  PREDICTION,
  //! The output of the network before the link: what Scores() gives.
  SCORE
};

namespace gbnn {

//! Number of outputs that Predictions() has rows for.
template<typename MatType, typename LossType>
size_t NumPredictions(const GBNNClassifier<MatType, LossType>& model)
{
  return model.NumClasses();
}

template<typename MatType, typename LossType>
size_t NumPredictions(const GBNNRegressor<MatType, LossType>& model)
{
  return model.NumPredictions();
}

//! The probability of each class for each point, one point a column.
template<typename MatType, typename LossType>
void Predictions(const GBNNClassifier<MatType, LossType>& model,
                 const MatType& data,
                 MatType& predictions)
{
  arma::Row<size_t> labels;
  model.Classify(data, labels, predictions);
}

//! The predictions of each point, one point a column.
template<typename MatType, typename LossType>
void Predictions(const GBNNRegressor<MatType, LossType>& model,
                 const MatType& data,
                 MatType& predictions)
{
  model.Predict(data, predictions);
}

/**
 * Turn the gradients of the scores of one point into those of its predictions.
 *
 * @param output The layer that stands for the link.
 * @param scale What scores are multiplied by before the link.
 * @param scores The scores.
 * @param p The predictions: the link of the scores.
 * @param gradient The gradient of each score in a column; becomes that of each
 *     prediction.
 */
template<typename MatType>
void ApplyLinkDerivative(const OutputLayer output,
                         const typename MatType::elem_type scale,
                         const arma::Col<typename MatType::elem_type>& scores,
                         const arma::Col<typename MatType::elem_type>& p,
                         MatType& gradient)
{
  using ElemType = typename MatType::elem_type;
  switch (output)
  {
    case OutputLayer::IDENTITY:
      gradient *= scale;
      return;
    case OutputLayer::SIGMOID:
      for (size_t k = 0; k < gradient.n_cols; ++k)
        gradient.col(k) *= scale * p[k] * (1 - p[k]);
      return;
    case OutputLayer::SOFTMAX:
    {
      // d p_k = p_k (d F_k - sum_l p_l d F_l).
      arma::Col<ElemType> mean(gradient.n_rows, arma::fill::zeros);
      for (size_t k = 0; k < gradient.n_cols; ++k)
        mean += p[k] * gradient.col(k);
      for (size_t k = 0; k < gradient.n_cols; ++k)
        gradient.col(k) = scale * p[k] * (gradient.col(k) - mean);
      return;
    }
    case OutputLayer::EXPONENTIAL:
      for (size_t k = 0; k < gradient.n_cols; ++k)
        gradient.col(k) *= scale * p[k];
      return;
    case OutputLayer::SORTED:
      // Each prediction is one of the scores.
      gradient = scale * gradient.cols(arma::stable_sort_index(scores));
      return;
  }
  throw std::invalid_argument("InputGradient(): the derivative of this loss's "
      "link is not known; ask for that of the scores");
}

//! The gradient of each score by the network's inputs at one point, in columns.
template<typename MatType>
void ScoreGradient(const BoostedNetwork<MatType>& network,
                   const size_t units,
                   const typename MatType::elem_type* point,
                   MatType& gradient)
{
  using ElemType = typename MatType::elem_type;
  const size_t d = network.Inputs();
  // A strip of units at a time, since activations come in strips.
  constexpr size_t size = StripSize<ElemType>;
  gradient.zeros(d, network.Outputs());
  for (size_t first = 0; first < units; first += size)
  {
    const size_t count = std::min(size, units - first);
    ElemType values[size] = {}, slopes[size] = {};
    for (size_t u = 0; u < count; ++u)
    {
      const ElemType* w = network.HiddenWeights().colptr(first + u);
      values[u] = network.HiddenBias()[first + u];
      for (size_t i = 0; i < d; ++i)
        values[u] += w[i] * point[i];
      slopes[u] = 1;
    }
    Activate(network.Activation(), values, size);
    MultiplySlope(network.Activation(), slopes, values, size);
    for (size_t u = 0; u < count; ++u)
    {
      for (size_t k = 0; k < gradient.n_cols; ++k)
      {
        gradient.col(k) += slopes[u] * network.OutputWeights()(k, first + u) *
            network.HiddenWeights().col(first + u);
      }
    }
  }
  gradient *= network.CutScale(units);
}

//! The gradient of one point whose predictions are known.
template<typename ModelType, typename MatType>
void PointGradient(const ModelType& model,
                   const typename MatType::elem_type* point,
                   const arma::Col<typename MatType::elem_type>& predictions,
                   const GBNNOutput of,
                   MatType& gradient)
{
  using ElemType = typename MatType::elem_type;
  const PiecewiseLinear& encoding = model.Encoding();
  const size_t d = model.Dimensionality();
  if (encoding.Dimensionality() == 0)
    ScoreGradient(model.Boosted(), model.ActiveUnits(), point, gradient);
  else
  {
    // Of the pieces of a dimension, only that of its bin changes.
    MatType pieces, byPiece;
    encoding.Transform(MatType(point, d, 1), pieces);
    ScoreGradient(model.Boosted(), model.ActiveUnits(), pieces.memptr(),
        byPiece);
    gradient.zeros(d, byPiece.n_cols);
    size_t first = 0;
    for (size_t i = 0; i < d; first += encoding.NumBins(i++))
    {
      const double slope = encoding.Slope(point[i], i);
      if (slope == 0)
        continue;
      // Just below the last edge, the position may be rounded to it.
      const size_t bin = std::min(encoding.NumBins(i) - 1,
          size_t(encoding.Position(point[i], i)));
      gradient.row(i) = ElemType(2 * slope) * byPiece.row(first + bin);
    }
  }
  if (of == GBNNOutput::SCORE)
    return;
  // Two classes may have one score: the probability of class 1 comes last.
  const OutputLayer output = model.Loss().Output();
  const size_t outputs = gradient.n_cols;
  arma::Col<ElemType> scores;
  if (output == OutputLayer::SORTED)
  {
    model.PointScores(arma::Col<ElemType>(point, d), scores);
  }
  ApplyLinkDerivative(output, ElemType(model.Loss().OutputScale()), scores,
      arma::Col<ElemType>(predictions.tail(outputs)), gradient);
  if (outputs < NumPredictions(model))
    gradient = arma::join_rows(-gradient, gradient);
}

} // namespace gbnn

/**
 * The exact derivative of the model's output with respect to its input, at each
 * of some points, with the units that are active.  Slice i has the gradient of
 * each output at point i in a column: with `PREDICTION`, of the probability of
 * each class or of each response; with `SCORE`, of each row of Scores().
 *
 * Where a rectifier (GBNNActivation::RELU) bends, its slope counts as 0.
 *
 * @param model A trained GBNNClassifier or GBNNRegressor.
 * @param data Points, one a column.
 * @param gradients Filled: dimensions x outputs x points.
 * @param of What to take the derivative of.
 */
template<typename ModelType, typename MatType>
void InputGradient(const ModelType& model,
                   const MatType& data,
                   arma::Cube<typename MatType::elem_type>& gradients,
                   const GBNNOutput of = GBNNOutput::PREDICTION)
{
  using ElemType = typename MatType::elem_type;
  MatType predictions;
  gbnn::Predictions(model, data, predictions);
  const auto& network = model.Boosted();
  const size_t outputs = (of == GBNNOutput::SCORE) ? network.Outputs() :
      predictions.n_rows;
  gradients.set_size(data.n_rows, outputs, data.n_cols);
  gbnn::Pieces(data.n_cols, 2 * model.ActiveUnits() * data.n_rows *
      (1 + outputs)).ForEach(
      [&](const size_t, const size_t begin, const size_t end)
      {
        MatType gradient;
        for (size_t i = begin; i < end; ++i)
        {
          gbnn::PointGradient(model, data.colptr(i),
              arma::Col<ElemType>(predictions.col(i)), of, gradient);
          gradients.slice(i) = gradient;
        }
      });
}

//! The exact derivative at one point: the gradient of each output in a column.
template<typename ModelType, typename VecType>
arma::Mat<typename VecType::elem_type> InputGradient(
    const ModelType& model,
    const VecType& point,
    const GBNNOutput of = GBNNOutput::PREDICTION)
{
  using ElemType = typename VecType::elem_type;
  arma::Cube<ElemType> gradients;
  InputGradient(model, arma::Mat<ElemType>(point), gradients, of);
  return gradients.slice(0);
}

} // namespace mlpack

#endif
