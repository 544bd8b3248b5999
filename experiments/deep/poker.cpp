/**
 * @file experiments/deep/poker.cpp
 *
 * Poker Hand: a dense trunk and Deep-GBNN on it.
 *
 *     deep_poker poker-hand-training-true.data poker-hand-testing.data
 */
#include "dense.hpp"

using namespace experiments;

int main(int argc, char** argv)
{
  Options options;
  options.Parse(argc, argv, "TRAINING_FILE TEST_FILE", 2);
  LabeledPoints train = ReadTable(options.files[0]).First(
      size_t(options["points"]));
  LabeledPoints test = ReadTable(options.files[1]).First(
      size_t(options["test-points"]));
  Standardize(train, test);
  TrunkType trunk = DenseTrunk(10);
  Run("Poker Hand", trunk, train, test, options);
}
