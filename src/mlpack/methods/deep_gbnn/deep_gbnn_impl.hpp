/**
 * @file methods/deep_gbnn/deep_gbnn_impl.hpp
 *
 * Implementation of a boosted head on the first layers of a deep network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_DEEP_GBNN_IMPL_HPP
#define MLPACK_METHODS_DEEP_GBNN_DEEP_GBNN_IMPL_HPP

#include "deep_gbnn.hpp"

namespace mlpack {

template<typename MatType, typename LossType>
size_t DeepGBNN<MatType, LossType>::DefaultPasses(const size_t points,
                                                  const size_t batchSize)
{
  // A stage corrects the ones before it, so none needs to be fitted exactly;
  // but with fewer steps than these it stays near its initial weights.  The
  // option --passes of the programs in experiments/deep compares other numbers.
  const size_t minPasses = 20, minSteps = 500;
  return std::max(minPasses, (minSteps * batchSize + points - 1) / points);
}

template<typename MatType, typename LossType>
ens::Adam DeepGBNN<MatType, LossType>::DefaultAdam(const size_t points)
{
  // Adam's own constants are those of its paper.  A stage is small, so its step
  // is ten times as long as usual, and it ends when an epoch changes next to
  // nothing.
  const size_t maxBatch = 256;
  const double stepSize = 0.01, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  const double tolerance = 1e-5;
  const size_t batch = std::max(size_t(1), std::min(points, maxBatch));
  return ens::Adam(stepSize, batch, beta1, beta2, epsilon,
      DefaultPasses(std::max(points, size_t(1)), batch) * points, tolerance);
}

template<typename MatType, typename LossType>
template<typename... CallbackTypes, typename>
double DeepGBNN<MatType, LossType>::Train(const MatType& data,
                                          const arma::Row<size_t>& labels,
                                          const size_t numClasses,
                                          CallbackTypes&&... callbacks)
{
  return Train(data, labels, numClasses, RowType(), callbacks...);
}

template<typename MatType, typename LossType>
template<typename... CallbackTypes, typename>
double DeepGBNN<MatType, LossType>::Train(const MatType& data,
                                          const arma::Row<size_t>& labels,
                                          const size_t numClasses,
                                          const RowType& weights,
                                          CallbackTypes&&... callbacks)
{
  ens::Adam optimizer = DefaultAdam(data.n_cols);
  return Train(data, labels, numClasses, weights, optimizer, callbacks...);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes, typename>
double DeepGBNN<MatType, LossType>::Train(const MatType& data,
                                          const arma::Row<size_t>& labels,
                                          const size_t numClasses,
                                          OptimizerType& optimizer,
                                          CallbackTypes&&... callbacks)
{
  return Train(data, labels, numClasses, RowType(), optimizer, callbacks...);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes, typename>
double DeepGBNN<MatType, LossType>::Train(const MatType& data,
                                          const arma::Row<size_t>& labels,
                                          const size_t numClasses,
                                          const RowType& weights,
                                          OptimizerType& optimizer,
                                          CallbackTypes&&... callbacks)
{
  const std::string name = "DeepGBNN::Train()";
  return TrainHead(name, data, labels, weights, LossFor(numClasses), numClasses,
      [&](HeadType& trained, const MatType& features,
          const arma::Row<size_t>& truth, const RowType& used)
  {
    return trained.Train(features, truth, numClasses, used, optimizer,
        ForHead(callbacks)...);
  });
}

template<typename MatType, typename LossType>
template<typename... CallbackTypes, typename>
double DeepGBNN<MatType, LossType>::Train(const MatType& data,
                                          const MatType& responses,
                                          CallbackTypes&&... callbacks)
{
  return Train(data, responses, RowType(), callbacks...);
}

template<typename MatType, typename LossType>
template<typename... CallbackTypes, typename>
double DeepGBNN<MatType, LossType>::Train(const MatType& data,
                                          const MatType& responses,
                                          const RowType& weights,
                                          CallbackTypes&&... callbacks)
{
  ens::Adam optimizer = DefaultAdam(data.n_cols);
  return Train(data, responses, weights, optimizer, callbacks...);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes, typename>
double DeepGBNN<MatType, LossType>::Train(const MatType& data,
                                          const MatType& responses,
                                          const RowType& weights,
                                          OptimizerType& optimizer,
                                          CallbackTypes&&... callbacks)
{
  return TrainHead("DeepGBNN::Train()", data, responses, weights, head.Loss(),
      responses.n_rows, [&](HeadType& trained, const MatType& features,
          const MatType& truth, const RowType& used)
  {
    return trained.Train(features, truth, used, optimizer,
        ForHead(callbacks)...);
  });
}

template<typename MatType, typename LossType>
template<typename TruthType>
double DeepGBNN<MatType, LossType>::Refine(const MatType& data,
                                           const TruthType& truth,
                                           const RowType& weights)
{
  const std::string name = "DeepGBNN::Refine()";
  CheckPredict(name, data);
  size_t outputs = truth.n_rows;
  if constexpr (isClassifier)
    outputs = NumClasses();
  return TrainHead(name, data, truth, weights, head.Loss(), outputs,
      [](HeadType& trained, const MatType& features, const TruthType& used,
          const RowType& usedWeights)
  {
    return trained.Refine(features, used, usedWeights);
  });
}

template<typename MatType, typename LossType>
template<typename TruthType, typename TrainType>
double DeepGBNN<MatType, LossType>::TrainHead(const std::string& name,
                                              const MatType& data,
                                              const TruthType& truth,
                                              const RowType& weights,
                                              const LossType& loss,
                                              const size_t outputs,
                                              const TrainType& train)
{
  // The head checks this, too, but only after the features are computed.
  CheckData(name, data);
  if (truth.n_cols != data.n_cols)
  {
    throw std::invalid_argument(name + ": number of " + (isClassifier ?
        "labels" : "responses") + " (" + std::to_string(truth.n_cols) +
        ") does not match number of points (" + std::to_string(data.n_cols) +
        ")");
  }
  if (!weights.is_empty() && weights.n_elem != data.n_cols)
  {
    throw std::invalid_argument(name + ": number of weights (" +
        std::to_string(weights.n_elem) + ") does not match number of points (" +
        std::to_string(data.n_cols) + ")");
  }

  MatType features;
  TruthType used = truth;
  RowType usedWeights = weights;
  const arma::uvec chosen = trunk.ChoosePoints(name, data.n_cols,
      maxFeatureMemory, head.Seed());
  trunk.Predict(data, chosen, features, batchSize);
  if (!chosen.is_empty())
  {
    used = TruthType(truth.cols(chosen));
    if (!weights.is_empty())
      usedWeights = weights.cols(chosen);
  }
  HeadType trained(head);
  if (last.Suits(loss, head.Activation(), outputs))
  {
    ColType start;
    if constexpr (!isClassifier)
      start = loss.Start(used, usedWeights);
    trained.FirstNetwork() = last.Network(loss, features, usedWeights, start);
  }
  const double value = train(trained, features, used, usedWeights);
  trained.FirstNetwork() = BoostedNetwork<MatType>();
  head = std::move(trained);
  return value;
}

template<typename MatType, typename LossType>
LossType DeepGBNN<MatType, LossType>::LossFor(const size_t numClasses) const
{
  LossType loss = head.Loss();
  MatType none;
  loss.Encode(arma::Row<size_t>(), numClasses, none);
  return loss;
}

template<typename MatType, typename LossType>
template<typename TruthType>
GBNNValidation<MatType, TruthType> DeepGBNN<MatType, LossType>::ForHead(
    const GBNNValidation<MatType, TruthType>& validation)
{
  CheckData("DeepGBNN::Train(), validation", validation.Data());
  MatType features;
  Features(validation.Data(), features);
  return { std::move(features), validation.Truth(), validation.Weights() };
}

template<typename MatType, typename LossType>
void DeepGBNN<MatType, LossType>::CheckData(const std::string& name,
                                            const MatType& data) const
{
  const auto fail = [&](const std::string& what)
  {
    throw std::invalid_argument(name + ": " + what);
  };
  if (trunk.Layers() == 0)
    fail("the model has no frozen layers; make it from a trained network");
  if (data.is_empty())
  {
    fail("data is empty (" + std::to_string(data.n_rows) + " dimensions, " +
        std::to_string(data.n_cols) + " points)");
  }
  if (data.n_rows != Dimensionality())
  {
    fail("dimensionality of the data (" + std::to_string(data.n_rows) +
        ") does not match that of the network (" +
        std::to_string(Dimensionality()) + ")");
  }
  if (!data.is_finite())
    fail("data has NaN or infinite values; impute or remove them first");
  if (batchSize == 0)
    fail("batch size (0) must be at least 1");
}

template<typename MatType, typename LossType>
void DeepGBNN<MatType, LossType>::CheckPredict(const std::string& name,
                                               const MatType& data) const
{
  CheckData(name, data);
  if (!IsTrained())
    throw std::invalid_argument(name + ": the model is not trained yet");
  if (head.Dimensionality() != NumFeatures())
  {
    throw std::invalid_argument(name + ": the head takes " +
        std::to_string(head.Dimensionality()) + " features, but the frozen "
        "layers make " + std::to_string(NumFeatures()));
  }
}

template<typename MatType, typename LossType>
void DeepGBNN<MatType, LossType>::Features(const MatType& data,
                                           MatType& features)
{
  CheckData("DeepGBNN::Features()", data);
  trunk.Predict(data, features, batchSize);
}

template<typename MatType, typename LossType>
template<typename VisitorType>
void DeepGBNN<MatType, LossType>::ForEachBlock(const MatType& data,
                                               const VisitorType& visit)
{
  // As many batches as Pieces has pieces, so that the head can use threads.
  const size_t batches = gbnn::Pieces::defaultMaximum;
  const size_t blockSize = batches * batchSize;
  MatType features;
  for (size_t first = 0; first < data.n_cols; first += blockSize)
  {
    const size_t count = std::min(blockSize, size_t(data.n_cols) - first);
    const MatType block(const_cast<ElemType*>(data.colptr(first)), data.n_rows,
        count, false, true);
    Features(block, features);
    visit(first, features);
  }
}

template<typename MatType, typename LossType>
template<typename VecType>
typename DeepGBNN<MatType, LossType>::ElemType
DeepGBNN<MatType, LossType>::Predict(const VecType& point)
{
  MatType predictions;
  Predict(MatType(point), predictions);
  return predictions[0];
}

template<typename MatType, typename LossType>
template<typename PredictionsType>
void DeepGBNN<MatType, LossType>::Predict(const MatType& data,
                                          PredictionsType& predictions)
{
  CheckPredict("DeepGBNN::Predict()", data);
  predictions.set_size(head.NumPredictions(), data.n_cols);
  ForEachBlock(data, [&](const size_t first, const MatType& features)
  {
    MatType block;
    head.Predict(features, block);
    predictions.cols(first, first + block.n_cols - 1) = block;
  });
}

template<typename MatType, typename LossType>
template<typename ResponsesType>
arma::rowvec DeepGBNN<MatType, LossType>::StagedError(
    const MatType& data,
    const ResponsesType& responses)
{
  CheckPredict("DeepGBNN::StagedError()", data);
  MatType features;
  Features(data, features);
  return head.StagedError(features, responses);
}

template<typename MatType, typename LossType>
template<typename VecType>
size_t DeepGBNN<MatType, LossType>::Classify(const VecType& point)
{
  size_t prediction;
  ColType probabilities;
  Classify(point, prediction, probabilities);
  return prediction;
}

template<typename MatType, typename LossType>
template<typename VecType>
void DeepGBNN<MatType, LossType>::Classify(const VecType& point,
                                           size_t& prediction,
                                           ColType& probabilities)
{
  const MatType data(point);
  CheckPredict("DeepGBNN::Classify()", data);
  MatType features;
  Features(data, features);
  head.Classify(features.col(0), prediction, probabilities);
}

template<typename MatType, typename LossType>
void DeepGBNN<MatType, LossType>::Classify(const MatType& data,
                                           arma::Row<size_t>& predictions)
{
  CheckPredict("DeepGBNN::Classify()", data);
  predictions.set_size(data.n_cols);
  ForEachBlock(data, [&](const size_t first, const MatType& features)
  {
    arma::Row<size_t> block;
    head.Classify(features, block);
    predictions.cols(first, first + block.n_elem - 1) = block;
  });
}

template<typename MatType, typename LossType>
void DeepGBNN<MatType, LossType>::Classify(const MatType& data,
                                           arma::Row<size_t>& predictions,
                                           MatType& probabilities)
{
  CheckPredict("DeepGBNN::Classify()", data);
  predictions.set_size(data.n_cols);
  probabilities.set_size(NumClasses(), data.n_cols);
  ForEachBlock(data, [&](const size_t first, const MatType& features)
  {
    arma::Row<size_t> block;
    MatType blockProbabilities;
    head.Classify(features, block, blockProbabilities);
    const size_t last = first + block.n_elem - 1;
    predictions.cols(first, last) = block;
    probabilities.cols(first, last) = blockProbabilities;
  });
}

template<typename MatType, typename LossType>
arma::rowvec DeepGBNN<MatType, LossType>::StagedAccuracy(
    const MatType& data, const arma::Row<size_t>& labels)
{
  const std::string name = "DeepGBNN::StagedAccuracy()";
  CheckPredict(name, data);
  if (labels.n_elem != data.n_cols)
  {
    throw std::invalid_argument(name + ": number of labels (" +
        std::to_string(labels.n_elem) + ") does not match number of points (" +
        std::to_string(data.n_cols) + ")");
  }
  arma::rowvec correct(Units() + 1, arma::fill::zeros);
  ForEachBlock(data, [&](const size_t first, const MatType& features)
  {
    const size_t last = first + features.n_cols - 1;
    correct += arma::round(head.StagedAccuracy(features,
        labels.cols(first, last)) * double(features.n_cols));
  });
  return correct / double(data.n_cols);
}

template<typename MatType, typename LossType>
template<typename OutputLayerType>
FFN<OutputLayerType, RandomInitialization, MatType>
DeepGBNN<MatType, LossType>::Network() const
{
  if (!IsTrained() || head.Dimensionality() != NumFeatures())
  {
    throw std::invalid_argument("DeepGBNN::Network(): the model is not trained "
        "yet");
  }
  return trunk.Join(head.template Network<OutputLayerType>());
}

template<typename MatType, typename LossType>
template<typename Archive>
void DeepGBNN<MatType, LossType>::serialize(Archive& ar,
                                            const uint32_t version)
{
  gbnn::RequireVersion("DeepGBNN", version, 2);
  ar(CEREAL_NVP(trunk));
  ar(CEREAL_NVP(last));
  ar(CEREAL_NVP(head));
  ar(CEREAL_NVP(maxFeatureMemory));
  ar(CEREAL_NVP(batchSize));

  if (cereal::is_loading<Archive>() && IsTrained() &&
      head.Dimensionality() != NumFeatures())
  {
    throw std::runtime_error("DeepGBNN::serialize(): the head takes " +
        std::to_string(head.Dimensionality()) + " features, but the frozen "
        "layers make " + std::to_string(NumFeatures()));
  }
  if (cereal::is_loading<Archive>() && !last.Fits(NumFeatures()))
  {
    throw std::runtime_error("DeepGBNN::serialize(): the last layers do not "
        "fit on the frozen ones");
  }
}

} // namespace mlpack

#endif
