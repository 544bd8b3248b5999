/**
 * @file benchmarks/cpp/scaling.cpp
 *
 * Training on generated data of a chosen size.
 */
#include <mlpack/methods/gbnn.hpp>

#include "tasks.hpp"

namespace benchmark {

using namespace mlpack;

template<typename MatType>
Answer Train(std::istream& arguments, const bool lbfgs)
{
  size_t points, dimensionality, units, iterations;
  arguments >> points >> dimensionality >> units >> iterations;
  MatType data;
  arma::Row<size_t> labels;
  Generate(points, dimensionality, data, labels);

  GBNNClassifier<MatType> model(units);
  model.Seed() = 1;
  StageOptimizer optimizer;
  ens::L_BFGS fixed = StageOptimizer::DefaultLBFGS();
  if (iterations > 0)
  {
    fixed.MaxIterations() = iterations;
    fixed.Factr() = 0;
    fixed.MinGradientNorm() = 0;
  }
  return Answer().Add("train", Time([&]()
      {
        if (lbfgs)
          model.Train(data, labels, 2, fixed);
        else
          model.Train(data, labels, 2, optimizer);
      })).Add("data_bytes", double(data.n_elem * sizeof(data[0])));
}

Answer Scale(std::istream& arguments)
{
  std::string optimizer, type;
  arguments >> optimizer >> type;
  return (type == "float") ?
      Train<arma::fmat>(arguments, optimizer == "lbfgs") :
      Train<arma::mat>(arguments, optimizer == "lbfgs");
}

} // namespace benchmark
