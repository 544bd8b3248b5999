/**
 * @file experiments/deep/mnist.cpp
 *
 * MNIST: a convolutional trunk and Deep-GBNN on it.
 *
 *     deep_mnist FOLDER
 *
 * FOLDER has MNIST's four IDX files, compressed with gzip as they were
 * published.
 */
#include "cnn.hpp"

using namespace experiments;

int main(int argc, char** argv)
{
  Options options;
  options.Parse(argc, argv, "FOLDER", 1);
  const std::string folder = options.files[0] + "/";
  const LabeledPoints train = ReadMNIST(folder + "train-images-idx3-ubyte.gz",
      folder + "train-labels-idx1-ubyte.gz").First(size_t(options["points"]));
  const LabeledPoints test = ReadMNIST(folder + "t10k-images-idx3-ubyte.gz",
      folder + "t10k-labels-idx1-ubyte.gz").First(
      size_t(options["test-points"]));
  TrunkType trunk = ChosenCNN({ 28, 28, 1 }, options);
  Run("MNIST", trunk, train, test, options);
}
