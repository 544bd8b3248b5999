/**
 * @file experiments/deep/cnn.hpp
 *
 * The convolutional trunk of the experiments with images.
 */
#ifndef GBNN_EXPERIMENTS_DEEP_CNN_HPP
#define GBNN_EXPERIMENTS_DEEP_CNN_HPP

// mlpack's layers want its core to be there.
#include "experiment.hpp"

#include <mlpack/methods/ann/layer/convolution.hpp>
#include <mlpack/methods/ann/layer/dropout.hpp>
#include <mlpack/methods/ann/layer/max_pooling.hpp>

namespace experiments {

//! Add two dense layers of 128 and one for the classes.
inline void AddDense(TrunkType& network)
{
  for (size_t i = 0; i < 2; ++i)
  {
    network.Add<mlpack::Linear>(128);
    network.Add<mlpack::ReLU>();
  }
  network.Add<mlpack::Linear>(10);
  network.Add<mlpack::LogSoftMax>();
}

/**
 * A network that learns in a minute what the paper's needs hours for: two
 * convolutions with strides of 2, of 5 x 5 with `maps` maps and of 3 x 3 with
 * twice as many; two dense layers of 128 and one for the classes.
 *
 * @param dimensions Width, height and channels of an image.
 * @param maps Number of maps of the first convolution.
 */
inline TrunkType SmallCNN(const std::vector<size_t>& dimensions,
                          const size_t maps)
{
  TrunkType network;
  network.InputDimensions() = dimensions;
  network.Add<mlpack::Convolution>(maps, 5, 5, 2, 2);
  network.Add<mlpack::ReLU>();
  network.Add<mlpack::Convolution>(2 * maps, 3, 3, 2, 2);
  network.Add<mlpack::ReLU>();
  AddDense(network);
  return network;
}

/**
 * The paper's network: twice a convolution of 3 x 3 with `maps` maps, maximum
 * of 2 x 2, dropout of 0.2; the same with 2 and 4 times as many maps and
 * dropout of 0.3 and 0.4; two dense layers of 128 and one for the classes.
 *
 * @param dimensions Width, height and channels of an image.
 * @param maps Number of maps of the first convolution; 32 in the paper.
 */
inline TrunkType CNN(const std::vector<size_t>& dimensions, const size_t maps)
{
  TrunkType network;
  network.InputDimensions() = dimensions;
  for (size_t block = 0; block < 3; ++block)
  {
    for (size_t i = 0; i < 2; ++i)
    {
      const size_t blockMaps = maps << block;
      network.Add<mlpack::Convolution>(blockMaps, 3, 3, 1, 1, 1, 1);
      network.Add<mlpack::ReLU>();
    }
    network.Add<mlpack::MaxPooling>(2, 2, 2, 2);
    network.Add<mlpack::Dropout>(0.2 + 0.1 * block);
  }
  AddDense(network);
  return network;
}

//! The network that the options ask for.
inline TrunkType ChosenCNN(const std::vector<size_t>& dimensions,
                           const Options& options)
{
  const size_t maps = size_t(options["maps"]);
  return (options["small"] != 0) ? SmallCNN(dimensions, maps) :
      CNN(dimensions, maps);
}

} // namespace experiments

#endif
