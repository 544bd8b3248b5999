/**
 * @file tests/sanitize/small.cpp
 *
 * A little of everything that training does, to be compiled with a sanitizer:
 * boosting, the choice of the inputs, refinement, prediction with fewer units,
 * saving.  With several threads, bits must be those of one.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/methods/gbnn.hpp>

#include <cereal/archives/binary.hpp>
#include <omp.h>

#include <iostream>
#include <sstream>

using namespace mlpack;

//! Points that depend on nothing but their number.
static arma::mat Points(const size_t count)
{
  arma::mat points(3, count);
  for (size_t i = 0; i < points.n_elem; ++i)
    points[i] = std::sin(double(7 * i * i + 3 * i));
  return points;
}

//! A model as bytes, which are loaded again.
template<typename ModelType>
static std::string Saved(const ModelType& model)
{
  std::stringstream stream;
  {
    cereal::BinaryOutputArchive archive(stream);
    archive(cereal::make_nvp("model", const_cast<ModelType&>(model)));
  }
  ModelType copy;
  std::istringstream again(stream.str());
  cereal::BinaryInputArchive archive(again);
  archive(cereal::make_nvp("model", copy));
  return stream.str();
}

//! Train with so many threads; all that comes out of it.
static std::string Run(const int threads)
{
  omp_set_num_threads(threads);
  // Pieces have a hundred thousand operations, so there are several.
  const arma::mat points = Points(3000);
  arma::Row<size_t> labels(points.n_cols);
  for (size_t i = 0; i < points.n_cols; ++i)
    labels[i] = (points(0, i) * points(1, i) > 0) + (points(2, i) > 0.5);

  GBNNClassifier<> model;
  model.HiddenUnits() = 6;
  model.Seed() = 3;
  model.Refinement().Iterations() = 20;
  model.Choose(GBNNChoices(), points, labels, 3);
  model.Train(points, labels, 3);
  model.Refine(points, labels);
  arma::mat probabilities;
  arma::Row<size_t> predictions;
  model.ActiveUnits(3);
  model.Classify(points, predictions, probabilities);
  std::string result = Saved(model);
  result.append((const char*) probabilities.memptr(),
      probabilities.n_elem * sizeof(double));
  return result;
}

int main()
{
  const std::string one = Run(1);
  for (const int threads : { 2, 4 })
  {
    if (Run(threads) != one)
    {
      std::cout << "other bits with " << threads << " threads" << std::endl;
      return 1;
    }
  }
  std::cout << one.size() << " bytes, the same with 1, 2 and 4 threads"
      << std::endl;
}
