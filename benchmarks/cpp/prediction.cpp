/**
 * @file benchmarks/cpp/prediction.cpp
 *
 * Prediction of many points and of one, next to what the machine can do.
 */
#include <mlpack/methods/gbnn.hpp>

#include "tasks.hpp"

namespace benchmark {

using namespace mlpack;

//! A model to predict with; how good it is does not matter.
template<typename MatType>
GBNNClassifier<MatType> AnyModel(const size_t dimensionality,
                                 const size_t units)
{
  MatType data;
  arma::Row<size_t> labels;
  Generate(500, dimensionality, data, labels);
  GBNNClassifier<MatType> model(units);
  model.Seed() = 1;
  ens::L_BFGS optimizer(10, 5);
  model.Train(data, labels, 2, optimizer);
  return model;
}

//! Keep the faster of two times.
static void Keep(Seconds& best, const Seconds& time)
{
  best.wall = std::min(best.wall, time.wall);
  best.cpu = std::min(best.cpu, time.cpu);
}

template<typename MatType>
Answer PredictMany(std::istream& arguments)
{
  size_t points, dimensionality, units, rounds;
  arguments >> points >> dimensionality >> units >> rounds;
  GBNNClassifier<MatType> model = AnyModel<MatType>(dimensionality, units);
  MatType data;
  arma::Row<size_t> labels, predictions(points);
  Generate(points, dimensionality, data, labels);
  const MatType weights = model.Boosted().HiddenWeights().t();
  MatType product(units, points, arma::fill::zeros);

  Seconds all{ 1e300, 1e300 }, half = all, bare = all, blocked = all;
  for (size_t round = 0; round < rounds; ++round)
  {
    Keep(bare, Time([&]() { product = weights * data; }));
    model.ActiveUnits(units);
    Keep(all, Time([&]() { model.Classify(data, predictions); }));
    model.ActiveUnits(units / 2);
    Keep(half, Time([&]() { model.Classify(data, predictions); }));
    // The same product, but each thousand points overwrite the last.
    MatType block(units, 1000);
    Keep(blocked, Time([&]()
        {
          for (size_t i = 0; i + 1000 <= points; i += 1000)
            block = weights * data.cols(i, i + 999);
        }));
  }
  return Answer().Add("all", all).Add("half", half).Add("bare", bare)
      .Add("blocked", blocked);
}

Answer Predict(std::istream& arguments)
{
  std::string type;
  arguments >> type;
  return (type == "float") ? PredictMany<arma::fmat>(arguments) :
      PredictMany<arma::mat>(arguments);
}

Answer Latency(std::istream& arguments)
{
  size_t dimensionality, units;
  arguments >> dimensionality >> units;
  const GBNNClassifier<> model = AnyModel<arma::mat>(dimensionality, units);
  arma::mat data;
  arma::Row<size_t> labels;
  Generate(1000, dimensionality, data, labels);

  size_t sum = 0;
  const Seconds thousand = TimeShort([&]()
      {
        for (size_t i = 0; i < data.n_cols; ++i)
        {
          const arma::vec point(data.colptr(i), dimensionality, false, true);
          sum += model.Classify(point);
        }
      }, 0.5);

  const arma::mat a(600, 600, arma::fill::randu);
  arma::mat b = a, c;
  const Seconds square = TimeShort([&]() { c = a * b; }, 0.5);
  return Answer().Add("point_seconds", thousand.cpu / data.n_cols)
      .Add("peak_flops", 2 * std::pow(600.0, 3) / square.cpu)
      .Add("sum", double(sum));
}

} // namespace benchmark
