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
  // The head checks this, too, but only after the features are computed.
  const std::string name = "DeepGBNN::Train()";
  CheckData(name, data);
  if (labels.n_elem != data.n_cols)
  {
    throw std::invalid_argument(name + ": number of labels (" +
        std::to_string(labels.n_elem) + ") does not match number of points (" +
        std::to_string(data.n_cols) + ")");
  }
  if (!weights.is_empty() && weights.n_elem != data.n_cols)
  {
    throw std::invalid_argument(name + ": number of weights (" +
        std::to_string(weights.n_elem) + ") does not match number of points (" +
        std::to_string(data.n_cols) + ")");
  }

  const arma::uvec chosen = ChoosePoints(name, data.n_cols);
  MatType features;
  if (chosen.is_empty())
  {
    Features(data, features);
    return head.Train(features, labels, numClasses, weights, optimizer,
        callbacks...);
  }
  ChosenFeatures(data, chosen, features);
  RowType chosenWeights;
  if (!weights.is_empty())
    chosenWeights = weights.cols(chosen);
  return head.Train(features, labels.cols(chosen), numClasses, chosenWeights,
      optimizer, callbacks...);
}

template<typename MatType, typename LossType>
arma::uvec DeepGBNN<MatType, LossType>::ChoosePoints(const std::string& name,
                                                     const size_t points) const
{
  const size_t pointSize = NumFeatures() * sizeof(ElemType);
  const size_t room = maxFeatureMemory / pointSize;
  if (room >= points)
    return arma::uvec();
  if (room == 0)
  {
    throw std::invalid_argument(name + ": the features of one point take " +
        std::to_string(pointSize) + " bytes, more than MaxFeatureMemory() (" +
        std::to_string(maxFeatureMemory) + "); allow more");
  }

  Log::Warn << name << ": the features of " << points << " points would take "
      << points * pointSize << " bytes, more than MaxFeatureMemory() ("
      << maxFeatureMemory << "); the head is trained on " << room
      << " points chosen at random." << std::endl;
  const size_t seed = (head.Seed() != 0) ? head.Seed() :
      1 + size_t(RandInt(1 << 30));
  gbnn::Random random(seed, gbnn::RandomStream::FEATURE_POINTS);
  return random.Sample(arma::regspace<arma::uvec>(0, points - 1), room);
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
  if (!features.is_finite())
  {
    throw std::invalid_argument("DeepGBNN::Features(): the frozen layers make "
        "NaN or infinite values of the data; did the network's training "
        "diverge?");
  }
}

template<typename MatType, typename LossType>
void DeepGBNN<MatType, LossType>::ChosenFeatures(const MatType& data,
                                                 const arma::uvec& chosen,
                                                 MatType& features)
{
  // A batch of points at a time: a point may be much larger than its features.
  features.set_size(NumFeatures(), chosen.n_elem);
  MatType block;
  for (size_t first = 0; first < chosen.n_elem; first += batchSize)
  {
    const size_t last = std::min(first + batchSize, size_t(chosen.n_elem)) - 1;
    Features(data.cols(chosen.subvec(first, last)), block);
    features.cols(first, last) = block;
  }
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
  gbnn::RequireVersion("DeepGBNN", version,
      cereal::detail::Version<DeepGBNN>::version);
  ar(CEREAL_NVP(trunk));
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
}

} // namespace mlpack

#endif
