/**
 * @file tests/golden/generate.cpp
 *
 * Writes the golden files of the C++ classes into a folder, once, at a release;
 * see README.md.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "golden_files.hpp"

#include <iostream>

using namespace mlpack;

template<typename ModelType, typename MatType>
static void Write(ModelType& model,
                  const MatType& outputs,
                  const std::filesystem::path& file)
{
  for (const char* extension : { ".bin", ".json", ".xml" })
  {
    WithArchive<cereal::BinaryOutputArchive, cereal::JSONOutputArchive,
        cereal::XMLOutputArchive, std::ofstream>(file.string() + extension,
        [&](auto& archive) { archive(cereal::make_nvp("model", model)); });
  }
  std::ofstream stream(file.string() + ".txt");
  stream.precision(17);
  for (const double output : outputs)
    stream << output << std::endl;
}

template<typename MatType>
static void Generate(const std::filesystem::path& folder, const size_t bins)
{
  const MatType points = GoldenPoints<MatType>(120);
  const MatType test = GoldenPoints<MatType>(8);
  MatType responses(1, points.n_cols), outputs;
  arma::Row<size_t> labels(points.n_cols), predictions;
  for (size_t i = 0; i < points.n_cols; ++i)
  {
    responses[i] = points(0, i) * points(1, i) + points(2, i);
    labels[i] = (points(0, i) > 0) + (points(1, i) > points(2, i));
  }

  GBNNClassifier<MatType> classifier;
  classifier.HiddenUnits() = 3;
  classifier.Seed() = 1;
  classifier.Bins() = bins;
  classifier.Train(points, labels, 3);
  classifier.Classify(test, predictions, outputs);
  Write(classifier, outputs, folder / GoldenName<MatType>(false, bins));

  GBNNRegressor<MatType> regressor;
  regressor.HiddenUnits() = 3;
  regressor.Seed() = 1;
  regressor.Bins() = bins;
  regressor.Train(points, responses);
  regressor.Predict(test, outputs);
  Write(regressor, outputs, folder / GoldenName<MatType>(true, bins));
}

int main(int argc, char** argv)
{
  if (argc != 2)
  {
    std::cerr << "usage: " << argv[0] << " FOLDER" << std::endl;
    return 2;
  }
  for (const size_t bins : { 0, 4 })
  {
    Generate<arma::mat>(argv[1], bins);
    Generate<arma::fmat>(argv[1], bins);
  }
}
