/**
 * @file methods/deep_gbnn/frozen_layers_impl.hpp
 *
 * Implementation of the first layers of a trained network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_FROZEN_LAYERS_IMPL_HPP
#define MLPACK_METHODS_DEEP_GBNN_FROZEN_LAYERS_IMPL_HPP

#include "frozen_layers.hpp"

namespace mlpack {
namespace gbnn {

template<typename MatType>
template<typename OutputLayerType, typename InitializationRuleType>
FrozenLayers<MatType>::FrozenLayers(
    const FFN<OutputLayerType, InitializationRuleType, MatType>& original,
    const size_t layers)
{
  const LayersType& all = original.Network();
  if (all.empty())
    throw std::invalid_argument("DeepGBNN: the network has no layers");
  if (original.Parameters().is_empty() || original.InputDimensions().empty())
  {
    throw std::invalid_argument("DeepGBNN: the network is not trained yet (it "
        "has no weights); call its Train() first");
  }
  const size_t keep = (layers == SIZE_MAX) ? AllButLast(all) : layers;
  if (keep == 0)
  {
    throw std::invalid_argument("DeepGBNN: keeping 0 of the network's " +
        std::to_string(all.size()) + " layers leaves nothing to compute "
        "features with; keep at least 1, or train a GBNNClassifier on the data "
        "itself");
  }
  if (keep > all.size())
  {
    throw std::invalid_argument("DeepGBNN: number of layers to keep (" +
        std::to_string(keep) + ") is greater than that of the network's layers "
        "(" + std::to_string(all.size()) + ")");
  }

  network = std::make_unique<NetworkType>();
  const size_t weights = AddCopies(all, keep, *network);
  network->InputDimensions() = original.InputDimensions();
  if (weights > original.Parameters().n_elem)
  {
    throw std::invalid_argument("DeepGBNN: the network's layers have " +
        std::to_string(weights) + " weights or more, but its Parameters() only "
        + std::to_string(original.Parameters().n_elem) + "; was it changed "
        "after training?");
  }
  if (weights > 0)
    network->Parameters() = original.Parameters().rows(0, weights - 1);
  SetSizes();
}

template<typename MatType>
FrozenLayers<MatType>::FrozenLayers(const FrozenLayers& other) :
    network(other.network ? std::make_unique<NetworkType>(*other.network) :
        nullptr),
    numFeatures(other.numFeatures)
{
  // Nothing else to do.
}

template<typename MatType>
size_t FrozenLayers<MatType>::AllButLast(const LayersType& layers)
{
  const auto isDense = [](Layer<MatType>* layer)
  {
    return dynamic_cast<LinearLayer<MatType>*>(layer) != nullptr ||
        dynamic_cast<LinearNoBiasLayer<MatType>*>(layer) != nullptr;
  };
  const auto output = std::find_if(layers.rbegin(), layers.rend(), isDense);
  const auto last = (output == layers.rend()) ? output :
      std::find_if(output + 1, layers.rend(), isDense);
  if (last == layers.rend() || last + 1 == layers.rend())
  {
    throw std::invalid_argument("DeepGBNN: the network is too short (" +
        std::to_string(layers.size()) + " layers) to drop its last dense layer "
        "and its output: it needs at least two dense layers (Linear) and "
        "something before them; say how many layers to keep");
  }
  return layers.rend() - last - 1;
}

template<typename MatType>
template<typename AnyNetworkType>
size_t FrozenLayers<MatType>::AddCopies(const LayersType& layers,
                                        const size_t count,
                                        AnyNetworkType& to)
{
  // mlpack 4.8 prefers layers by value, but for that their types must be known.
  #if defined(__GNUC__)
    #pragma GCC diagnostic push
    #pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  #endif
  size_t weights = 0;
  for (size_t i = 0; i < count; ++i)
  {
    weights += layers[i]->WeightSize();
    to.Add(layers[i]->Clone());
  }
  return weights;
  #if defined(__GNUC__)
    #pragma GCC diagnostic pop
  #endif
}

template<typename MatType>
void FrozenLayers<MatType>::SetSizes()
{
  const size_t weights = network->WeightSize();
  const size_t given = network->Parameters().n_elem;
  // FFN would quietly make new weights.
  if (weights != given)
  {
    throw std::invalid_argument("DeepGBNN: the layers to keep have " +
        std::to_string(weights) + " weights for the network's input "
        "dimensions, but " + std::to_string(given) + " are given");
  }
  numFeatures = Constant().Network().back()->OutputSize();
}

template<typename MatType>
void FrozenLayers<MatType>::Predict(const MatType& data,
                                    MatType& features,
                                    const size_t batchSize)
{
  // With more threads, the order of the sums in a product would depend on their
  // number.  mlpack's convolutions may have OpenMP's.
  const OneBlasThread oneBlasThread(false);
  network->Predict(data, features, batchSize);
  if (!features.is_finite())
  {
    throw std::invalid_argument("DeepGBNN: the frozen layers make NaN or "
        "infinite values of the data; did the network's training diverge?");
  }
}

template<typename MatType>
void FrozenLayers<MatType>::Predict(const MatType& data,
                                    const arma::uvec& chosen,
                                    MatType& features,
                                    const size_t batchSize)
{
  if (chosen.is_empty())
    return Predict(data, features, batchSize);
  // A batch of points at a time: a point may be much larger than its features.
  features.set_size(NumFeatures(), chosen.n_elem);
  MatType block;
  for (size_t first = 0; first < chosen.n_elem; first += batchSize)
  {
    const size_t last = std::min(first + batchSize, size_t(chosen.n_elem)) - 1;
    Predict(data.cols(chosen.subvec(first, last)), block, batchSize);
    features.cols(first, last) = block;
  }
}

template<typename MatType>
arma::uvec FrozenLayers<MatType>::ChoosePoints(const std::string& name,
                                               const size_t points,
                                               const size_t maxMemory,
                                               const size_t seed) const
{
  const size_t pointSize = NumFeatures() *
      sizeof(typename MatType::elem_type);
  const size_t room = maxMemory / pointSize;
  if (room >= points)
    return arma::uvec();
  if (room == 0)
  {
    throw std::invalid_argument(name + ": the features of one point take " +
        std::to_string(pointSize) + " bytes, more than MaxFeatureMemory() (" +
        std::to_string(maxMemory) + "); allow more");
  }

  Log::Warn << name << ": the features of " << points << " points would take "
      << points * pointSize << " bytes, more than MaxFeatureMemory() ("
      << maxMemory << "); the head is trained on " << room
      << " points chosen at random." << std::endl;
  Random random((seed != 0) ? seed : 1 + size_t(RandInt(1 << 30)),
      RandomStream::FEATURE_POINTS);
  return random.Sample(arma::regspace<arma::uvec>(0, points - 1), room);
}

template<typename MatType>
size_t FrozenLayers<MatType>::Dimensionality() const
{
  if (!network)
    return 0;
  size_t size = 1;
  for (const size_t n : Constant().InputDimensions())
    size *= n;
  return size;
}

template<typename MatType>
template<typename HeadNetworkType>
HeadNetworkType FrozenLayers<MatType>::Join(const HeadNetworkType& head) const
{
  HeadNetworkType whole;
  AddCopies(Constant().Network(), Layers(), whole);
  AddCopies(head.Network(), head.Network().size(), whole);
  whole.InputDimensions() = Constant().InputDimensions();
  whole.Parameters() = arma::join_cols(Parameters(), head.Parameters());
  return whole;
}

template<typename MatType>
template<typename Archive>
void FrozenLayers<MatType>::CheckRegistered(const LayersType& layers)
{
  const auto& known = cereal::detail::StaticObject<
      cereal::detail::OutputBindingMap<Archive>>::getInstance().map;
  for (size_t i = 0; i < layers.size(); ++i)
  {
    const Layer<MatType>& layer = *layers[i];
    if (known.count(std::type_index(typeid(layer))) == 0)
    {
      throw std::runtime_error("DeepGBNN::serialize(): layer " +
          std::to_string(i) + " cannot be serialized, because cereal does not "
          "know its type (" + cereal::util::demangle(typeid(layer).name()) +
          "); register it with CEREAL_REGISTER_TYPE(), or define "
          "MLPACK_ENABLE_ANN_SERIALIZATION before including mlpack, which does "
          "so for mlpack's own layers");
    }
    const auto* inner = dynamic_cast<const MultiLayer<MatType>*>(&layer);
    if (inner)
      CheckRegistered<Archive>(inner->Network());
  }
}

template<typename MatType>
template<typename Archive>
void FrozenLayers<MatType>::serialize(Archive& ar,
                                      const uint32_t version)
{
  gbnn::RequireVersion("FrozenLayers", version, 0);
  bool any = (network != nullptr);
  ar(CEREAL_NVP(any));
  if (!any)
  {
    network.reset();
    numFeatures = 0;
    return;
  }

  if constexpr (Archive::is_saving::value)
  {
    // If cereal throws, mlpack's pointers to layers have been freed already.
    CheckRegistered<Archive>(Constant().Network());
    ar(cereal::make_nvp("network", *network));
  }
  else
  {
    FrozenLayers loaded;
    loaded.network = std::make_unique<NetworkType>();
    ar(cereal::make_nvp("network", *loaded.network));
    if (loaded.Constant().Network().empty())
      throw std::runtime_error("DeepGBNN::serialize(): there are no layers");
    loaded.SetSizes();
    *this = std::move(loaded);
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
