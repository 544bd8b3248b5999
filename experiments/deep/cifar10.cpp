/**
 * @file experiments/deep/cifar10.cpp
 *
 * CIFAR-10: a convolutional trunk and Deep-GBNN on it.
 *
 *     deep_cifar10 FOLDER
 *
 * FOLDER has CIFAR-10's binary batches, data_batch_1.bin to data_batch_5.bin
 * and test_batch.bin.
 */
#include "cnn.hpp"

using namespace experiments;

int main(int argc, char** argv)
{
  Options options;
  options.Parse(argc, argv, "FOLDER", 1);
  const std::string folder = options.files[0] + "/";
  std::vector<std::string> batches;
  for (size_t i = 1; i <= 5 && (i - 1) * 10000 < options["points"]; ++i)
    batches.push_back(folder + "data_batch_" + std::to_string(i) + ".bin");
  const LabeledPoints train = ReadCIFAR(batches).First(
      size_t(options["points"]));
  const LabeledPoints test = ReadCIFAR({ folder + "test_batch.bin" }).First(
      size_t(options["test-points"]));
  TrunkType trunk = ChosenCNN({ 32, 32, 3 }, options);
  Run("CIFAR-10", trunk, train, test, options);
}
