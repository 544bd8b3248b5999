/**
 * @file benchmarks/cpp/call.cpp
 *
 * The training that other languages' front ends are measured against.
 */
#include <mlpack/core.hpp>
#include <mlpack/methods/gbnn/gbnn_model.hpp>

#include "tasks.hpp"

namespace benchmark {

using namespace mlpack;

Answer Call(std::istream& arguments)
{
  std::string prefix;
  size_t units, iterations;
  arguments >> prefix >> units >> iterations;
  arma::mat data;
  arma::rowvec labels;
  if (!data.load(prefix + ".train.bin") ||
      !labels.load(prefix + ".train_targets.bin"))
    throw std::runtime_error("cannot read " + prefix);

  GBNNModel model;
  GBNNClassifier<>& classifier = model.Classifier();
  classifier.HiddenUnits() = units;
  classifier.Seed() = 1;
  ens::L_BFGS optimizer(10, iterations);
  optimizer.Factr() = 0;
  optimizer.MinGradientNorm() = 1e-10;

  // The front ends' caller keeps the data, so a copy is part of the price.
  Seconds training;
  const Seconds all = Time([&]()
      {
        gbnn::DatasetInfoType info(data.n_rows);
        const arma::mat points = model.Encoder().Fit(arma::mat(data), info,
            "data");
        model.Labels() = gbnn::ClassLabels(gbnn::PointLabels(labels), "labels");
        const arma::Row<size_t> classes = model.Labels().Classes(labels,
            "labels");
        training = Time([&]()
            { classifier.Train(points, classes, 2, optimizer); });
      });
  return Answer().Add("call", all).Add("train", training);
}

} // namespace benchmark
