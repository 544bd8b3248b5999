/**
 * @file experiments/deep/covertype.cpp
 *
 * CoverType: a dense trunk and Deep-GBNN on it, on a random stratified split of
 * 70 % for training and 30 % for testing.
 *
 *     deep_covertype covtype.data
 */
#include "dense.hpp"

using namespace experiments;

int main(int argc, char** argv)
{
  Options options;
  options.Parse(argc, argv, "FILE", 1);
  const auto parts = StratifiedSplit(ReadTable(options.files[0]), 0.7,
      size_t(options["seed"]));
  LabeledPoints train = parts.first.First(size_t(options["points"]));
  LabeledPoints test = parts.second.First(size_t(options["test-points"]));
  Standardize(train, test);
  TrunkType trunk = DenseTrunk(7);
  Run("CoverType", trunk, train, test, options);
}
