/**
 * @file benchmarks/cpp/count.cpp
 *
 * One training on data of the size of iris, for counting its instructions.
 *
 *     gbnn_count auto|lbfgs
 */
#include <mlpack/methods/gbnn.hpp>

using namespace mlpack;

//! What is counted; callgrind knows it by its name.
extern "C" __attribute__((noinline)) void TrainOnce(
    GBNNClassifier<>& model,
    const arma::mat& data,
    const arma::Row<size_t>& labels,
    const bool lbfgs)
{
  if (lbfgs)
  {
    ens::L_BFGS optimizer = StageOptimizer::DefaultLBFGS();
    model.Train(data, labels, 3, optimizer);
  }
  else
  {
    StageOptimizer optimizer;
    model.Train(data, labels, 3, optimizer);
  }
}

int main(int argc, char** argv)
{
  // Numbers that do not depend on a library's generator: 3 clouds of 50 points.
  arma::mat data(4, 150);
  arma::Row<size_t> labels(150);
  std::mt19937 random(1);
  for (size_t i = 0; i < data.n_cols; ++i)
  {
    labels[i] = i % 3;
    for (size_t d = 0; d < data.n_rows; ++d)
      data(d, i) = random() / 4294967296.0 + 0.6 * ((labels[i] >> (d % 2)) & 1);
  }
  data -= arma::accu(data) / data.n_elem;

  GBNNClassifier<> model(60, 3);
  model.Seed() = 1;
  TrainOnce(model, data, labels, argc > 1 && std::string(argv[1]) == "lbfgs");
}
