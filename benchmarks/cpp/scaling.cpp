/**
 * @file benchmarks/cpp/scaling.cpp
 *
 * Training on generated data of a chosen size.
 */
#include <mlpack/methods/gbnn.hpp>

#include "tasks.hpp"

namespace benchmark {

using namespace mlpack;

//! Counts the evaluations that the stages' optimizer tells of: all of L-BFGS,
//! and those of variable projection that became steps.
struct Counter
{
  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool Evaluate(OptimizerType&, FunctionType&, const MatType&, const double)
  {
    ++evaluations;
    return false;
  }

  size_t evaluations = 0;
};

template<typename MatType>
Answer Train(std::istream& arguments, const bool lbfgs)
{
  size_t points, dimensionality, units, iterations, count = 0;
  arguments >> points >> dimensionality >> units >> iterations >> count;
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
  const auto train = [&](auto&... callbacks)
  {
    if (lbfgs)
      model.Train(data, labels, 2, fixed, callbacks...);
    else
      model.Train(data, labels, 2, optimizer, callbacks...);
  };
  Answer answer;
  answer.Add("train", Time([&]() { train(); }));
  answer.Add("data_bytes", double(data.n_elem * sizeof(data[0])));
  if (count == 0)
    return answer;
  // Once more: what is counted would be in the time.
  Counter counter;
  train(counter);
  return answer.Add("evaluations", double(counter.evaluations));
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
