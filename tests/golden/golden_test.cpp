/**
 * @file tests/golden/golden_test.cpp
 *
 * Models that were saved from C++ by earlier versions still load and predict
 * the same; what the programs have saved is tested in tests/cli/test_golden.py.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include "golden_files.hpp"

using namespace mlpack;
namespace fs = std::filesystem;

//! Load a model and compare its outputs, which `predict` computes, with those
//! that were written beside it.
template<typename ModelType, typename MatType, typename PredictType>
static void CheckModel(const fs::path& file, const PredictType& predict)
{
  INFO(file.string());
  ModelType model;
  WithArchive<cereal::BinaryInputArchive, cereal::JSONInputArchive,
      cereal::XMLInputArchive, std::ifstream>(file,
      [&](auto& archive) { archive(cereal::make_nvp("model", model)); });
  const MatType outputs = predict(model, GoldenPoints<MatType>(8));

  arma::mat expected;
  REQUIRE(expected.load(fs::path(file).replace_extension(".txt").string(),
      arma::raw_ascii));
  REQUIRE(expected.n_elem == outputs.n_elem);
  // Machines with and without fused multiply-add round differently: a few units
  // of the last place in each of a few sums, and no more.
  const double tolerance = std::is_same_v<MatType, arma::mat> ? 1e-12 : 1e-5;
  for (size_t i = 0; i < outputs.n_elem; ++i)
    REQUIRE(double(outputs[i]) == Approx(expected[i]).epsilon(tolerance)
        .margin(tolerance));
}

TEMPLATE_TEST_CASE("GoldenFiles", "[GoldenTest]", arma::mat, arma::fmat)
{
  size_t versions = 0;
  for (const auto& entry : fs::directory_iterator(
      fs::path(__FILE__).parent_path()))
  {
    const fs::path folder = entry.path() / "cpp";
    if (!fs::is_directory(folder))
      continue;
    ++versions;
    for (const char* extension : { ".bin", ".json", ".xml" })
    {
      for (const size_t bins : { 0, 4 })
      {
        CheckModel<GBNNClassifier<TestType>, TestType>(folder /
            (GoldenName<TestType>(false, bins) + extension),
            [](const auto& model, const TestType& points)
            {
              TestType probabilities;
              arma::Row<size_t> predictions;
              model.Classify(points, predictions, probabilities);
              return probabilities;
            });
        CheckModel<GBNNRegressor<TestType>, TestType>(folder /
            (GoldenName<TestType>(true, bins) + extension),
            [](const auto& model, const TestType& points)
            {
              TestType responses;
              model.Predict(points, responses);
              return responses;
            });
      }
    }
  }
  REQUIRE(versions > 0);
}
