/**
 * @file methods/deep_gbnn/last_layers.hpp
 *
 * The layers of a trained network that the head takes the place of.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_LAST_LAYERS_HPP
#define MLPACK_METHODS_DEEP_GBNN_LAST_LAYERS_HPP

#include <mlpack/prereqs.hpp>

#include <mlpack/methods/gbnn/compute/require_version.hpp>
#include <mlpack/methods/gbnn/network/boosted_network.hpp>
#include <mlpack/methods/gbnn/network/ffn_layers.hpp>

namespace mlpack {
namespace gbnn {

/**
 * The layers of a network above the frozen ones, if they are what a GBNN is: a
 * dense layer, an activation, a dense output and, for classes, a softmax.  A
 * head can begin with these as its first stage, and is then the network itself
 * before anything is added to it.
 *
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 */
template<typename MatType>
class LastLayers
{
 public:
  using RowType = arma::Row<typename MatType::elem_type>;
  using ColType = arma::Col<typename MatType::elem_type>;

  //! No layers that are known.
  LastLayers() { }

  /**
   * Copy the weights of the last layers of a network, if they are such layers.
   *
   * @param network A trained network.
   * @param below Number of layers that are not copied.
   */
  template<typename NetworkType>
  LastLayers(const NetworkType& network, const size_t below)
  {
    const std::vector<Layer<MatType>*>& layers = network.Network();
    size_t weights = 0;
    for (size_t i = 0; i < below; ++i)
      weights += layers[i]->WeightSize();
    // Dropout does nothing in predictions.
    std::vector<Layer<MatType>*> last;
    for (size_t i = below; i < layers.size(); ++i)
      if (!Is<DropoutLayer<MatType>>(layers[i]))
        last.push_back(layers[i]);
    softmax = !last.empty() && (Is<SoftmaxLayer<MatType>>(last.back()) ||
        Is<LogSoftMaxLayer<MatType>>(last.back()));
    if (last.size() != (softmax ? 4 : 3) ||
        !Is<LinearLayer<MatType>>(last[0]) ||
        !Is<LinearLayer<MatType>>(last[2]) || !SetActivation(last[1]))
      return;
    const size_t size = last[0]->WeightSize() + last[2]->WeightSize();
    if (weights + size != network.Parameters().n_elem)
      return;
    units = last[0]->OutputSize();
    outputs = last[2]->OutputSize();
    parameters = network.Parameters().rows(weights, weights + size - 1);
  }

  //! Number of hidden units; 0 if the layers are none of these.
  size_t Units() const { return units; }
  //! Whether they take the given number of features, or are not there.
  bool Fits(const size_t features) const
  {
    return units == 0 || (outputs > 0 && parameters.n_cols == 1 &&
        parameters.n_elem / units > features && parameters.n_elem - units *
        (features + 1) == outputs * (units + 1) && parameters.is_finite());
  }

  //! The activation of the hidden units.
  GBNNActivation Activation() const { return activation; }

  /**
   * Whether a head with some loss and activation can begin with these layers.
   *
   * @param loss The loss, for as many classes as there are.
   * @param ofHead The activation of the head's units.
   * @param wanted Number of outputs of the network: classes, or responses.
   */
  template<typename LossType>
  bool Suits(const LossType& loss,
             const GBNNActivation ofHead,
             const size_t wanted) const
  {
    const bool ofClasses = (loss.Output() == OutputLayer::SIGMOID ||
        loss.Output() == OutputLayer::SOFTMAX);
    return units > 0 && activation == ofHead && outputs == wanted &&
        (softmax ? ofClasses : loss.Output() == OutputLayer::IDENTITY);
  }

  /**
   * The layers as a network of one stage, whose scores are those of a loss that
   * they suit.
   *
   * @param loss The loss.
   * @param features Output of the frozen layers for the training data.
   * @param weights Weights of the training data, or empty.
   * @param start What the network is without units, F_0; empty for 0.
   */
  template<typename LossType>
  BoostedNetwork<MatType> Network(const LossType& loss,
                                  const MatType& features,
                                  const RowType& weights,
                                  const ColType& start = ColType()) const
  {
    const size_t ofHidden = units * (features.n_rows + 1);
    MatType output(parameters.memptr() + ofHidden, outputs, units + 1);
    // The probability of one of two classes depends on the difference of their
    // scores.
    if (loss.Output() == OutputLayer::SIGMOID)
      output = MatType(output.row(1) - output.row(0));
    output /= typename MatType::elem_type(loss.OutputScale());
    const ColType first = start.is_empty() ?
        ColType(output.n_rows, arma::fill::zeros) : start;
    // The stage adds what its own bias is more than that.
    output.col(units) -= first;
    MatType scores(output.n_rows, features.n_cols, arma::fill::zeros);
    BoostedNetwork<MatType> network(features.n_rows, first, activation);
    network.Append(arma::join_cols(parameters.head_rows(ofHidden),
        arma::vectorise(output)), units, ColType(output.n_rows,
        arma::fill::ones), features, scores, weights);
    return network;
  }

  //! Serialize the layers.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version)
  {
    gbnn::RequireVersion("LastLayers", version, 0);
    ar(CEREAL_NVP(units));
    ar(CEREAL_NVP(outputs));
    ar(CEREAL_NVP(activation));
    ar(CEREAL_NVP(softmax));
    ar(CEREAL_NVP(parameters));
  }

 private:
  template<typename LayerType>
  static bool Is(Layer<MatType>* layer)
  {
    return dynamic_cast<LayerType*>(layer) != nullptr;
  }

  //! Returns whether a layer is one of the activations that a GBNN has.
  bool SetActivation(Layer<MatType>* layer)
  {
    if (Is<BaseLayer<LogisticFunction, MatType>>(layer))
      activation = GBNNActivation::LOGISTIC;
    else if (Is<BaseLayer<TanhFunction, MatType>>(layer))
      activation = GBNNActivation::TANH;
    else if (Is<BaseLayer<RectifierFunction, MatType>>(layer))
      activation = GBNNActivation::RELU;
    else
      return false;
    return true;
  }

  size_t units = 0;
  size_t outputs = 0;
  GBNNActivation activation = GBNNActivation::LOGISTIC;
  bool softmax = false;
  //! In the layout of `FFN::Parameters()`.
  MatType parameters;
};

} // namespace gbnn
} // namespace mlpack

#endif
