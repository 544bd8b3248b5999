/**
 * @file methods/deep_gbnn/deep_gbnn_model.hpp
 *
 * The model that the binding of Deep-GBNN saves: the encoder of tables, a dense
 * network, the boosted head on its first layers, and the labels.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_DEEP_GBNN_MODEL_HPP
#define MLPACK_METHODS_DEEP_GBNN_DEEP_GBNN_MODEL_HPP

#include <mlpack/methods/gbnn/table/class_labels.hpp>
#include "deep_gbnn.hpp"
#include <mlpack/methods/gbnn/compute/random.hpp>
#include <mlpack/methods/gbnn/table/table_encoder.hpp>

#include <mlpack/methods/ann/layer/log_softmax.hpp>
#include <mlpack/methods/ann/loss_functions/negative_log_likelihood.hpp>

namespace mlpack {

namespace gbnn {

/**
 * The objective of an mlpack network for ensmallen's optimizers, whose points
 * are shuffled by a seed.  `FFN` itself takes shuffles and initial weights from
 * Armadillo's generator, whose numbers depend on the calling thread and, in
 * Armadillo 11, on the number of threads.
 */
template<typename NetworkType>
class TrunkFunction
{
 public:
  /**
   * @param network The network, with its initial weights; must outlive this.
   * @param data Points, one a column; must outlive this.
   * @param responses Responses for the network's loss, one column a point; must
   *     outlive this.
   * @param random Decides the order of the points.
   */
  TrunkFunction(NetworkType& network,
                const arma::mat& data,
                const arma::mat& responses,
                const Random& random) :
      network(network), data(data), responses(responses),
      order(arma::regspace<arma::uvec>(0, data.n_cols - 1)), random(random)
  {
    network.ResetData(data, responses);
  }

  size_t NumFunctions() const { return data.n_cols; }

  //! Put the points in another order.
  void Shuffle()
  {
    for (size_t i = order.n_elem; i > 1; --i)
      std::swap(order[i - 1], order[random.Below(i)]);
    network.ResetData(data.cols(order), responses.cols(order));
  }

  double Evaluate(const arma::mat& weights,
                  const size_t first,
                  const size_t batchSize)
  {
    return network.Evaluate(weights, first, batchSize);
  }

  void Gradient(const arma::mat& weights,
                const size_t first,
                arma::mat& gradient,
                const size_t batchSize)
  {
    network.Gradient(weights, first, gradient, batchSize);
  }

  double EvaluateWithGradient(const arma::mat& weights,
                              const size_t first,
                              arma::mat& gradient,
                              const size_t batchSize)
  {
    return network.EvaluateWithGradient(weights, first, gradient, batchSize);
  }

 private:
  NetworkType& network;
  const arma::mat& data;
  const arma::mat& responses;
  //! What is shuffled: the original place of each point.
  arma::uvec order;
  Random random;
};

} // namespace gbnn

/**
 * A trained Deep-GBNN for tables.  Its trunk is a network of dense layers with
 * ReLU and a softmax at its end.
 *
 * The trunk is saved as the sizes of its layers and its weights, not as
 * mlpack's layers, which are saved through pointers: a malicious file must not
 * be able to do anything but fail.  The networks are made when they are needed,
 * which takes hardly any time.
 */
class DeepGBNNModel
{
 public:
  //! The whole trunk.
  using TrunkType = FFN<NegativeLogLikelihood>;

  //! How tables become points.
  const TableEncoder& Encoder() const { return encoder; }
  TableEncoder& Encoder() { return encoder; }

  //! The labels of the classes, in ascending order.
  const gbnn::ClassLabels& Labels() const { return labels; }
  gbnn::ClassLabels& Labels() { return labels; }

  //! The name of the column that is predicted; empty if it is not known.
  const std::string& Target() const { return target; }
  std::string& Target() { return target; }

  /**
   * Train the trunk anew.  The result depends on the data and the seed, not on
   * the number of threads or on mlpack's and Armadillo's generators.
   *
   * @param data Points, one a column.
   * @param classes Class of each point.
   * @param layers Number of units of each hidden layer, two layers at least.
   * @param frozen Number of hidden layers below the head.
   * @param seed Random seed.
   * @param optimizer Any ensmallen optimizer for FFN.
   * @param callbacks ensmallen callbacks.
   */
  template<typename OptimizerType, typename... CallbackTypes>
  void TrainTrunk(const arma::mat& data,
                  const arma::Row<size_t>& classes,
                  const std::vector<size_t>& layers,
                  const size_t frozen,
                  const size_t seed,
                  OptimizerType& optimizer,
                  CallbackTypes&&... callbacks);

  //! The trunk with its own output: log-probabilities of the classes.
  TrunkType Trunk() const;

  //! The class of each point according to the trunk alone.
  void ClassifyWithTrunk(const arma::mat& data,
                         arma::Row<size_t>& predictions) const;

  //! The frozen layers and the head as it is now.
  DeepGBNN<> Deep() const;

  //! The head.
  const GBNNClassifier<>& Head() const { return head; }
  GBNNClassifier<>& Head() { return head; }

  //! Number of units of each hidden layer of the trunk.
  const std::vector<size_t>& Layers() const { return layers; }
  //! Number of hidden layers below the head.
  size_t Frozen() const { return frozen; }

  //! Serialize the model.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 private:
  //! A trunk without weights.
  TrunkType EmptyTrunk() const;

  //! The initial weights.
  arma::mat FirstWeights(gbnn::Random random) const;

  //! Throw std::runtime_error unless all parts fit together.
  void CheckLoaded() const;

  TableEncoder encoder;
  gbnn::ClassLabels labels;
  std::string target;
  std::vector<size_t> layers;
  size_t frozen = 0;
  //! Of the trunk, in the layout of `FFN::Parameters()`.
  arma::mat weights;
  GBNNClassifier<> head;
};

template<typename OptimizerType, typename... CallbackTypes>
void DeepGBNNModel::TrainTrunk(const arma::mat& data,
                               const arma::Row<size_t>& classes,
                               const std::vector<size_t>& newLayers,
                               const size_t newFrozen,
                               const size_t seed,
                               OptimizerType& optimizer,
                               CallbackTypes&&... callbacks)
{
  layers = newLayers;
  frozen = newFrozen;
  weights = FirstWeights({ seed, gbnn::RandomStream::TRUNK_WEIGHTS });
  TrunkType trunk = Trunk();
  const arma::mat responses = arma::conv_to<arma::mat>::from(classes);
  gbnn::TrunkFunction<TrunkType> function(trunk, data, responses,
      { seed, gbnn::RandomStream::TRUNK_ORDER });
  const gbnn::OneBlasThread oneBlasThread;
  optimizer.Optimize(function, trunk.Parameters(), callbacks...);
  weights = trunk.Parameters();
  if (!weights.is_finite())
  {
    throw std::runtime_error("training of the trunk diverged; try a smaller "
        "step size");
  }
}

inline DeepGBNNModel::TrunkType DeepGBNNModel::EmptyTrunk() const
{
  TrunkType trunk;
  for (const size_t units : layers)
  {
    trunk.Add<gbnn::LinearLayer<arma::mat>>(units);
    trunk.Add<BaseLayer<RectifierFunction, arma::mat>>();
  }
  trunk.Add<gbnn::LinearLayer<arma::mat>>(labels.Size());
  trunk.Add<LogSoftMax>();
  return trunk;
}

inline arma::mat DeepGBNNModel::FirstWeights(gbnn::Random random) const
{
  // He's rule for ReLU: weights of variance 2 / inputs, which is a bound of
  // sqrt(6 / inputs) for uniform ones, and biases of zero.  In an FFN, mlpack's
  // HeInitialization takes the number of all weights of a layer for its inputs.
  std::vector<double> first;
  size_t inputs = encoder.Dimensionality();
  for (size_t i = 0; i <= layers.size(); ++i)
  {
    const size_t units = (i < layers.size()) ? layers[i] : labels.Size();
    const double bound = std::sqrt(6.0 / inputs);
    for (size_t j = 0; j < units * inputs; ++j)
      first.push_back(bound * (2 * random.Uniform() - 1));
    first.insert(first.end(), units, 0.0);
    inputs = units;
  }
  return arma::mat(first);
}

inline DeepGBNNModel::TrunkType DeepGBNNModel::Trunk() const
{
  TrunkType trunk = EmptyTrunk();
  trunk.InputDimensions() = { encoder.Dimensionality() };
  trunk.Parameters() = weights;
  // Computes the sizes of the layers, which DeepGBNN needs.
  trunk.WeightSize();
  return trunk;
}

inline void DeepGBNNModel::ClassifyWithTrunk(
    const arma::mat& data, arma::Row<size_t>& predictions) const
{
  const gbnn::OneBlasThread oneBlasThread;
  arma::mat output;
  Trunk().Predict(data, output);
  predictions = arma::conv_to<arma::Row<size_t>>::from(
      arma::index_max(output, 0));
}

inline DeepGBNN<> DeepGBNNModel::Deep() const
{
  // Each hidden layer is two of mlpack's: weights and activation.
  return DeepGBNN<>(Trunk(), 2 * frozen, head);
}

inline void DeepGBNNModel::CheckLoaded() const
{
  const auto require = [](const bool condition, const std::string& what)
  {
    if (!condition)
      throw std::runtime_error("DeepGBNNModel: " + what);
  };
  labels.CheckLoaded(head.NumClasses(), "DeepGBNNModel");
  require(frozen >= 1 && frozen < layers.size(), "no such layer of the trunk");
  require(head.Dimensionality() == layers[frozen - 1], "the head does not fit "
      "on the trunk");
  // Counted down, since a sum of numbers from a file may overflow.
  size_t left = weights.n_elem, inputs = encoder.Dimensionality();
  for (size_t i = 0; i <= layers.size(); ++i)
  {
    const size_t units = (i < layers.size()) ? layers[i] : labels.Size();
    require(units > 0 && left / units > inputs, "the trunk has too few "
        "weights");
    left -= units * (inputs + 1);
    inputs = units;
  }
  require(left == 0 && weights.n_cols == 1, "the trunk has too many weights");
  require(weights.is_finite(), "the trunk has weights that are no numbers");
}

template<typename Archive>
void DeepGBNNModel::serialize(Archive& ar, const uint32_t version)
{
  gbnn::RequireVersion("DeepGBNNModel", version, 3);
  ar(CEREAL_NVP(encoder));
  ar(CEREAL_NVP(labels));
  ar(CEREAL_NVP(target));
  ar(CEREAL_NVP(layers));
  ar(CEREAL_NVP(frozen));
  ar(CEREAL_NVP(weights));
  ar(CEREAL_NVP(head));

  if (cereal::is_loading<Archive>())
    CheckLoaded();
}

} // namespace mlpack

CEREAL_CLASS_VERSION(mlpack::DeepGBNNModel, 3);

#endif
