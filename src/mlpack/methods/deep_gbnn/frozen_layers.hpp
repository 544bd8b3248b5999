/**
 * @file methods/deep_gbnn/frozen_layers.hpp
 *
 * The first layers of a trained network, as a function from points to features.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_FROZEN_LAYERS_HPP
#define MLPACK_METHODS_DEEP_GBNN_FROZEN_LAYERS_HPP

#include <mlpack/prereqs.hpp>

#include <mlpack/methods/gbnn/compute/blas_threads.hpp>
#include <mlpack/methods/gbnn/compute/random.hpp>
#include <mlpack/methods/gbnn/compute/require_version.hpp>
#include <mlpack/methods/gbnn/network/ffn_layers.hpp>

namespace mlpack {
namespace gbnn {

/**
 * Copies of the first layers of a network, with their weights.  They are kept
 * in an mlpack `FFN`, behind a pointer: in mlpack 4.6, assigning to an FFN does
 * not free the layers that it had.
 *
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 */
template<typename MatType>
class FrozenLayers
{
 public:
  //! Only ever used to predict, so its loss does not matter.
  using NetworkType = FFN<MeanSquaredErrorType<MatType>, RandomInitialization,
      MatType>;

  //! No layers.
  FrozenLayers() : numFeatures(0) { }

  /**
   * Copy the first layers of a trained network; throws std::invalid_argument if
   * it is not trained or has fewer layers.
   *
   * @param original The network.
   * @param layers Number of layers to keep; SIZE_MAX for all but the last dense
   *     layer and the output.
   */
  template<typename OutputLayerType, typename InitializationRuleType>
  FrozenLayers(
      const FFN<OutputLayerType, InitializationRuleType, MatType>& original,
      const size_t layers);

  FrozenLayers(const FrozenLayers& other);
  FrozenLayers(FrozenLayers&& other) = default;
  FrozenLayers& operator=(FrozenLayers other)
  {
    std::swap(network, other.network);
    std::swap(numFeatures, other.numFeatures);
    return *this;
  }

  /**
   * Compute the features of some points, in the mode for prediction.  They are
   * the same with any number of threads.  Throws std::invalid_argument if they
   * are not finite.
   *
   * @param data Points, one a column.
   * @param features Filled with one column of features a point.
   * @param batchSize Number of points to compute at a time.
   */
  void Predict(const MatType& data, MatType& features, const size_t batchSize);

  //! The same for the chosen points; an empty choice is all of them.
  void Predict(const MatType& data,
               const arma::uvec& chosen,
               MatType& features,
               const size_t batchSize);

  /**
   * Choose as many points at random as there is memory for their features;
   * empty if that is all of them.
   *
   * @param name Function whose name errors and the warning carry.
   * @param points Number of points.
   * @param maxMemory Bytes that features may take.
   * @param seed Random seed; 0 means that mlpack's generator chooses one.
   */
  arma::uvec ChoosePoints(const std::string& name,
                          const size_t points,
                          const size_t maxMemory,
                          const size_t seed) const;

  /**
   * The layers, followed by those of another network that takes their output,
   * as one network.
   */
  template<typename HeadNetworkType>
  HeadNetworkType Join(const HeadNetworkType& head) const;

  //! Number of layers.
  size_t Layers() const { return network ? Constant().Network().size() : 0; }
  //! Number of inputs.
  size_t Dimensionality() const;
  //! Number of outputs.
  size_t NumFeatures() const { return numFeatures; }
  //! The weights of all layers, as in `FFN::Parameters()`.
  const MatType& Parameters() const { return Constant().Parameters(); }

  //! Serialize the layers.  Throws std::runtime_error, and leaves them as they
  //! are, if there is one whose type cereal does not know.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 private:
  using LayersType = std::vector<Layer<MatType>*>;

  //! Accessors of FFN that are not const mark the network as changed.
  const NetworkType& Constant() const { return *network; }

  //! The number of layers before the last dense layer but one.
  static size_t AllButLast(const LayersType& layers);

  //! Add copies of the first `count` layers to a network; returns the number of
  //! weights they have.
  template<typename AnyNetworkType>
  static size_t AddCopies(const LayersType& layers,
                          const size_t count,
                          AnyNetworkType& to);

  //! Throw std::runtime_error unless cereal knows the types of all layers.
  template<typename Archive>
  static void CheckRegistered(const LayersType& layers);

  //! Compute the sizes of all layers, and check the number of weights.
  void SetSizes();

  std::unique_ptr<NetworkType> network;
  size_t numFeatures;
};

} // namespace gbnn
} // namespace mlpack

#include "frozen_layers_impl.hpp"

#endif
