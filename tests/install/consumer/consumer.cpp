// Trains and asks a model, as anybody's program would.
#include <mlpack/methods/gbnn.hpp>

#ifdef MLPACK_METHODS_ANN_ANN_HPP
  #error "gbnn.hpp should not include all of mlpack's neural networks"
#endif

int main()
{
  const arma::mat data(2, 200, arma::fill::randn);
  const arma::Row<size_t> labels = arma::conv_to<arma::Row<size_t>>::from(
      data.row(0) % data.row(1) > 0);
  mlpack::GBNNClassifier<> model(data, labels, 2, 40);
  arma::Row<size_t> predictions;
  model.Classify(data, predictions);
  const double accuracy = arma::accu(predictions == labels) / 200.0;
  std::cout << "accuracy " << accuracy << std::endl;
  return accuracy > 0.8 ? 0 : 1;
}
