/**
 * @file experiments/paper/boosted.hpp
 *
 * GBNN for classes or responses, and as `mlpack_gbnn` trains it by default.
 */
#ifndef GBNN_EXPERIMENTS_PAPER_BOOSTED_HPP
#define GBNN_EXPERIMENTS_PAPER_BOOSTED_HPP

#include <mlpack/methods/gbnn.hpp>

#include "../common/data_sets.hpp"

namespace experiments {

//! A classifier or a regressor, whichever the data asks for.
class Boosted
{
 public:
  //! @param setting Learning rate, units per stage and subsample; if empty,
  //!     the defaults.
  Boosted(DataSet train,
          const std::vector<double>& setting,
          const uint64_t seed) : data(std::move(train))
  {
    classifier.UnitsPerStage() = (data.classes == 2) ? 1 : 3;
    regressor.UnitsPerStage() = 3;
    const auto set = [&](auto& model)
    {
      model.Seed() = seed;
      if (setting.empty())
        return;
      model.LearningRate() = setting[0];
      model.UnitsPerStage() = size_t(setting[1]);
      model.Subsample() = setting[2];
    };
    set(classifier);
    set(regressor);
  }

  //! Choose inputs and the number of units, as the program does.
  void Choose()
  {
    if (data.IsRegression())
      regressor.Choose({ }, data.points, data.targets);
    else
      classifier.Choose({ }, data.points, data.Labels(), data.classes);
  }

  template<typename OptimizerType, typename... CallbackTypes>
  void Train(OptimizerType optimizer, CallbackTypes&&... callbacks)
  {
    if (data.IsRegression())
      regressor.Train(data.points, data.targets, optimizer, callbacks...);
    else
      classifier.Train(data.points, data.Labels(), data.classes, optimizer,
          callbacks...);
  }

  void Refine()
  {
    if (data.IsRegression())
      regressor.Refine(data.points, data.targets);
    else
      classifier.Refine(data.points, data.Labels());
  }

  //! Responses, or labels.
  arma::rowvec Predict(const arma::mat& points) const
  {
    arma::rowvec responses;
    arma::Row<size_t> labels;
    if (data.IsRegression())
    {
      regressor.Predict(points, responses);
      return responses;
    }
    classifier.Classify(points, labels);
    return arma::conv_to<arma::rowvec>::from(labels);
  }

  //! The score with each number of units from 0 on.
  arma::rowvec Staged(const DataSet& test) const
  {
    return data.IsRegression() ?
        regressor.StagedRMSE(test.points, test.targets) :
        classifier.StagedAccuracy(test.points, test.Labels());
  }

  mlpack::GBNNClassifier<>& Classifier() { return classifier; }
  mlpack::GBNNRegressor<>& Regressor() { return regressor; }

 private:
  DataSet data;
  mlpack::GBNNClassifier<> classifier;
  mlpack::GBNNRegressor<> regressor;
};

//! What `mlpack_gbnn` does with a table of numbers.
class DefaultBoosted
{
 public:
  DefaultBoosted(DataSet train, const uint64_t seed) :
      info(train.points.n_rows), model(Encode(train), { }, seed)
  {
    model.Choose();
    model.Train(mlpack::StageOptimizer());
    model.Refine();
  }

  arma::rowvec Predict(const arma::mat& points) const
  {
    return model.Predict(encoder.Encode(arma::mat(points), info));
  }

 private:
  DataSet Encode(DataSet& train)
  {
    train.points = encoder.Fit(std::move(train.points), info);
    return std::move(train);
  }

  mlpack::gbnn::DatasetInfoType info;
  mlpack::TableEncoder encoder;
  Boosted model;
};

} // namespace experiments

#endif
