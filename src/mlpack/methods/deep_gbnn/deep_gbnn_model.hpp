/**
 * @file methods/deep_gbnn/deep_gbnn_model.hpp
 *
 * The model that the binding of Deep-GBNN saves: a GBNN for tables whose inputs
 * are the first layers of a dense network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_DEEP_GBNN_MODEL_HPP
#define MLPACK_METHODS_DEEP_GBNN_DEEP_GBNN_MODEL_HPP

#include <mlpack/methods/gbnn/compute/random.hpp>
#include <mlpack/methods/gbnn/gbnn_model.hpp>
#include "deep_gbnn.hpp"

namespace mlpack {

namespace gbnn {

//! The settings of a trunk.
struct TrunkSettings
{
  //! Number of units of each hidden layer, two layers at least, and of layers
  //! that are frozen.
  std::vector<size_t> layers;
  size_t frozen;
  size_t epochs;
  //! "adam" or "sgd".
  std::string optimizer;
  double stepSize;
  size_t batchSize;
};

/**
 * The loss of a trunk: that of the classes from their log-probabilities, or
 * half the squared error of responses, summed over points.  The last row of the
 * targets is what each point weighs.
 */
class TrunkLoss
{
 public:
  //! @param ofClasses Whether targets are classes, else responses.
  explicit TrunkLoss(const bool ofClasses = true) : ofClasses(ofClasses) { }

  template<typename MatType>
  double Forward(const MatType& output, const MatType& targets) const
  {
    double sum = 0;
    for (size_t i = 0; i < output.n_cols; ++i)
    {
      const double weight = targets(targets.n_rows - 1, i);
      if (ofClasses)
        sum -= weight * output(size_t(targets(0, i)), i);
      for (size_t k = 0; !ofClasses && k < output.n_rows; ++k)
        sum += weight / 2 * std::pow(output(k, i) - targets(k, i), 2);
    }
    return sum;
  }

  template<typename MatType>
  void Backward(const MatType& output,
                const MatType& targets,
                MatType& gradient) const
  {
    gradient.zeros(output.n_rows, output.n_cols);
    for (size_t i = 0; i < output.n_cols; ++i)
    {
      const double weight = targets(targets.n_rows - 1, i);
      if (ofClasses)
        gradient(size_t(targets(0, i)), i) = -weight;
      for (size_t k = 0; !ofClasses && k < output.n_rows; ++k)
        gradient(k, i) = weight * (output(k, i) - targets(k, i));
    }
  }

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(CEREAL_NVP(ofClasses));
  }

 private:
  bool ofClasses;
};

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
 * ReLU, and with a softmax at its end if it is for classes.
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
  using TrunkType = FFN<gbnn::TrunkLoss>;

  //! The head, which takes features, with the encoder that makes inputs of the
  //! trunk from tables, the labels and the name of the target.
  const GBNNModel& Head() const { return head; }
  GBNNModel& Head() { return head; }

  /**
   * Train the trunk anew, for classes or responses as the head is.  The result
   * depends on the data and the seed, not on the number of threads or on
   * mlpack's and Armadillo's generators.
   *
   * @param settings Its layers, and how to train them.
   * @param data Points, one a column.
   * @param targets Class of each point, or its responses, one column a point.
   * @param pointWeights Weights of the points, or empty.
   * @param outputs Number of classes or responses.
   * @param seed Random seed.
   * @param callbacks ensmallen callbacks.
   */
  template<typename... CallbackTypes>
  void TrainTrunk(const gbnn::TrunkSettings& settings,
                  const arma::mat& data,
                  const arma::mat& targets,
                  const arma::rowvec& pointWeights,
                  const size_t outputs,
                  const size_t seed,
                  CallbackTypes&&... callbacks);

  //! The trunk with its own output: log-probabilities of the classes, or
  //! responses.
  TrunkType Trunk() const;

  //! What the trunk alone predicts: log-probabilities, or responses.
  void PredictWithTrunk(const arma::mat& data, arma::mat& output) const
  {
    const gbnn::OneBlasThread oneBlasThread;
    Trunk().Predict(data, output);
  }

  //! The layers below the head.
  gbnn::FrozenLayers<arma::mat> Frozen() const
  {
    // Each hidden layer is two of mlpack's: weights and activation.
    return gbnn::FrozenLayers<arma::mat>(Trunk(), 2 * frozen);
  }

  //! The output of the frozen layers for some points, one a column.
  arma::mat Features(const arma::mat& data) const
  {
    const gbnn::OneBlasThread oneBlasThread;
    arma::mat features;
    Frozen().Predict(data, features, batchSize);
    return features;
  }

  //! The layers that the head takes the place of, if it can begin with them.
  gbnn::LastLayers<arma::mat> Last() const { return { Trunk(), 2 * frozen }; }

  //! Number of units of each hidden layer of the trunk.
  const std::vector<size_t>& Layers() const { return layers; }

  //! Number of points that the frozen layers compute at a time.
  static constexpr size_t batchSize = 128;

  //! Serialize the model.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 private:
  //! The initial weights.
  arma::mat FirstWeights(gbnn::Random random) const;

  //! Throw std::runtime_error unless all parts fit together.
  void CheckLoaded() const;

  GBNNModel head;
  //! Number of outputs of the trunk.
  size_t outputs = 0;
  std::vector<size_t> layers;
  size_t frozen = 0;
  //! Of the trunk, in the layout of `FFN::Parameters()`.
  arma::mat weights;
};

template<typename... CallbackTypes>
void DeepGBNNModel::TrainTrunk(const gbnn::TrunkSettings& settings,
                               const arma::mat& data,
                               const arma::mat& targets,
                               const arma::rowvec& pointWeights,
                               const size_t newOutputs,
                               const size_t seed,
                               CallbackTypes&&... callbacks)
{
  outputs = newOutputs;
  layers = settings.layers;
  frozen = settings.frozen;
  weights = FirstWeights({ seed, gbnn::RandomStream::TRUNK_WEIGHTS });
  TrunkType trunk = Trunk();

  // Weights have a mean of 1, so that they change no step size; and so, for the
  // same reason, responses have a variance of 1, which the last layer undoes.
  arma::mat scaled = targets;
  arma::vec mean, deviation;
  if (head.IsRegression())
  {
    mean = arma::mean(targets, 1);
    deviation = arma::stddev(targets, 1, 1);
    deviation.transform([](const double d) { return (d > 0) ? d : 1.0; });
    scaled.each_col() -= mean;
    scaled.each_col() /= deviation;
  }
  scaled = arma::join_cols(scaled, pointWeights.is_empty() ?
      arma::rowvec(data.n_cols, arma::fill::ones) :
      arma::rowvec(pointWeights / arma::mean(pointWeights)));
  gbnn::TrunkFunction<TrunkType> function(trunk, data, scaled,
      { seed, gbnn::RandomStream::TRUNK_ORDER });
  const gbnn::OneBlasThread oneBlasThread;
  const auto train = [&](auto&& optimizer)
  {
    optimizer.Optimize(function, trunk.Parameters(), callbacks...);
  };
  const size_t batch = std::min<size_t>(data.n_cols, settings.batchSize);
  const size_t steps = settings.epochs * data.n_cols;
  if (settings.optimizer == "adam")
  {
    train(ens::Adam(settings.stepSize, batch, 0.9, 0.999, 1e-8, steps, 0));
  }
  else
  {
    // ensmallen adds up the gradients of a batch; a step is for their mean.
    train(ens::StandardSGD(settings.stepSize / batch, batch, steps, 0));
  }
  weights = trunk.Parameters();
  if (!weights.is_finite())
  {
    throw std::runtime_error("training of the trunk diverged; try a smaller "
        "step size");
  }
  if (head.IsRegression())
  {
    const size_t size = outputs * (layers.back() + 1);
    arma::mat output(weights.memptr() + weights.n_elem - size, outputs,
        layers.back() + 1, false, true);
    output.each_col() %= deviation;
    output.tail_cols(1) += mean;
  }
}

inline arma::mat DeepGBNNModel::FirstWeights(gbnn::Random random) const
{
  // He's rule for ReLU: weights of variance 2 / inputs, which is a bound of
  // sqrt(6 / inputs) for uniform ones, and biases of zero.  In an FFN, mlpack's
  // HeInitialization takes the number of all weights of a layer for its inputs.
  std::vector<double> first;
  size_t inputs = head.Encoder().Dimensionality();
  for (size_t i = 0; i <= layers.size(); ++i)
  {
    const size_t units = (i < layers.size()) ? layers[i] : outputs;
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
  TrunkType trunk{ gbnn::TrunkLoss(!head.IsRegression()) };
  for (const size_t units : layers)
  {
    trunk.Add<gbnn::LinearLayer<arma::mat>>(units);
    gbnn::AddActivation<arma::mat>(trunk, GBNNActivation::RELU);
  }
  trunk.Add<gbnn::LinearLayer<arma::mat>>(outputs);
  if (!head.IsRegression())
    trunk.Add<gbnn::LogSoftMaxLayer<arma::mat>>();
  trunk.InputDimensions() = { head.Encoder().Dimensionality() };
  trunk.Parameters() = weights;
  // Computes the sizes of the layers, which DeepGBNN needs.
  trunk.WeightSize();
  return trunk;
}

inline void DeepGBNNModel::CheckLoaded() const
{
  const auto require = [](const bool condition, const std::string& what)
  {
    if (!condition)
      throw std::runtime_error("DeepGBNNModel: " + what);
  };
  const bool regression = head.IsRegression();
  head.Labels().CheckLoaded(regression ? head.Labels().Size() :
      head.Classifier().NumClasses(), "DeepGBNNModel");
  require(frozen >= 1 && frozen < layers.size(), "no such layer of the trunk");
  require((regression ? head.Regressor().Dimensionality() :
      head.Classifier().Dimensionality()) == layers[frozen - 1], "the head "
      "does not fit on the trunk");
  // Counted down, since a sum of numbers from a file may overflow.
  size_t left = weights.n_elem, inputs = head.Encoder().Dimensionality();
  for (size_t i = 0; i <= layers.size(); ++i)
  {
    const size_t units = (i < layers.size()) ? layers[i] : outputs;
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
  gbnn::RequireVersion("DeepGBNNModel", version, 4);
  bool regression = head.IsRegression();
  ar(CEREAL_NVP(regression));
  head.IsRegression() = regression;
  ar(cereal::make_nvp("encoder", head.Encoder()));
  ar(cereal::make_nvp("labels", head.Labels()));
  ar(cereal::make_nvp("target", head.Target()));
  ar(CEREAL_NVP(layers));
  ar(CEREAL_NVP(frozen));
  ar(CEREAL_NVP(weights));
  if (regression)
    ar(cereal::make_nvp("head", head.Regressor()));
  else
    ar(cereal::make_nvp("head", head.Classifier()));

  if (cereal::is_loading<Archive>())
  {
    outputs = regression ? head.Regressor().NumResponses() :
        head.Labels().Size();
    CheckLoaded();
  }
}

} // namespace mlpack

CEREAL_CLASS_VERSION(mlpack::DeepGBNNModel, 4);

#endif
