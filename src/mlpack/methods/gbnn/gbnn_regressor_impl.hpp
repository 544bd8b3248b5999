/**
 * @file methods/gbnn/gbnn_regressor_impl.hpp
 *
 * Implementation of regression with a gradient boosted neural network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_GBNN_REGRESSOR_IMPL_HPP
#define MLPACK_METHODS_GBNN_GBNN_REGRESSOR_IMPL_HPP

#include "gbnn_regressor.hpp"

namespace mlpack {

template<typename MatType, typename LossType>
GBNNRegressor<MatType, LossType>::GBNNRegressor(const size_t hiddenUnits,
                                                const size_t unitsPerStage,
                                                const double learningRate,
                                                const double subsample) :
    Base(hiddenUnits, unitsPerStage, learningRate, subsample)
{
  // Nothing else to do.
}

template<typename MatType, typename LossType>
GBNNRegressor<MatType, LossType>::GBNNRegressor(const MatType& data,
                                                const RowType& responses,
                                                const size_t hiddenUnits,
                                                const size_t unitsPerStage,
                                                const double learningRate,
                                                const double subsample) :
    GBNNRegressor(hiddenUnits, unitsPerStage, learningRate, subsample)
{
  Train(data, responses);
}

template<typename MatType, typename LossType>
GBNNRegressor<MatType, LossType>::GBNNRegressor(const MatType& data,
                                                const RowType& responses,
                                                const RowType& weights,
                                                const size_t hiddenUnits,
                                                const size_t unitsPerStage,
                                                const double learningRate,
                                                const double subsample) :
    GBNNRegressor(hiddenUnits, unitsPerStage, learningRate, subsample)
{
  Train(data, responses, weights);
}

template<typename MatType, typename LossType>
template<typename... CallbackTypes, typename>
double GBNNRegressor<MatType, LossType>::Train(const MatType& data,
                                               const RowType& responses,
                                               CallbackTypes&&... callbacks)
{
  StageOptimizer optimizer;
  return Train(data, responses, RowType(), optimizer, callbacks...);
}

template<typename MatType, typename LossType>
template<typename ResponsesType, typename... CallbackTypes, typename>
double GBNNRegressor<MatType, LossType>::Train(const MatType& data,
                                               const ResponsesType& responses,
                                               CallbackTypes&&... callbacks)
{
  StageOptimizer optimizer;
  return Train(data, responses, RowType(), optimizer, callbacks...);
}

template<typename MatType, typename LossType>
template<typename SizeType, typename>
double GBNNRegressor<MatType, LossType>::Train(const MatType& data,
                                               const RowType& responses,
                                               const SizeType hiddenUnits,
                                               const size_t unitsPerStage,
                                               const double learningRate,
                                               const double subsample)
{
  return Train(data, responses, RowType(), hiddenUnits, unitsPerStage,
      learningRate, subsample);
}

template<typename MatType, typename LossType>
template<typename ResponsesType, typename... CallbackTypes, typename>
double GBNNRegressor<MatType, LossType>::Train(const MatType& data,
                                               const ResponsesType& responses,
                                               const RowType& weights,
                                               CallbackTypes&&... callbacks)
{
  StageOptimizer optimizer;
  return Train(data, responses, weights, optimizer, callbacks...);
}

template<typename MatType, typename LossType>
template<typename... CallbackTypes, typename>
double GBNNRegressor<MatType, LossType>::Train(const MatType& data,
                                               const RowType& responses,
                                               const RowType& weights,
                                               CallbackTypes&&... callbacks)
{
  StageOptimizer optimizer;
  return Train(data, responses, weights, optimizer, callbacks...);
}

template<typename MatType, typename LossType>
template<typename SizeType, typename>
double GBNNRegressor<MatType, LossType>::Train(const MatType& data,
                                               const RowType& responses,
                                               const RowType& weights,
                                               const SizeType hiddenUnits,
                                               const size_t unitsPerStage,
                                               const double learningRate,
                                               const double subsample)
{
  return Base::TrainCopy(*this, hiddenUnits, unitsPerStage, learningRate,
      subsample, data, responses, weights);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes, typename>
double GBNNRegressor<MatType, LossType>::Train(const MatType& data,
                                               const MatType& responses,
                                               OptimizerType& optimizer,
                                               CallbackTypes&&... callbacks)
{
  return Train(data, responses, RowType(), optimizer, callbacks...);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes, typename>
double GBNNRegressor<MatType, LossType>::Train(const MatType& data,
                                               const MatType& responses,
                                               const RowType& weights,
                                               OptimizerType& optimizer,
                                               CallbackTypes&&... callbacks)
{
  return TrainInternal("GBNNRegressor::Train()", data, responses, weights, true,
      this->HiddenUnits(), optimizer, callbacks...);
}

template<typename MatType, typename LossType>
double GBNNRegressor<MatType, LossType>::Grow(const MatType& data,
                                              const MatType& responses,
                                              const size_t units,
                                              const RowType& weights)
{
  StageOptimizer optimizer;
  return Grow(data, responses, units, weights, optimizer);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
double GBNNRegressor<MatType, LossType>::Grow(const MatType& data,
                                              const MatType& responses,
                                              const size_t units,
                                              const RowType& weights,
                                              OptimizerType& optimizer,
                                              CallbackTypes&&... callbacks)
{
  return TrainInternal("GBNNRegressor::Grow()", data, responses, weights, false,
      this->Units() + units, optimizer, callbacks...);
}

template<typename MatType, typename LossType>
GBNNEncodingChoice GBNNRegressor<MatType, LossType>::Choose(
    const GBNNChoices& choices,
    const MatType& data,
    const MatType& responses,
    const RowType& weights)
{
  ens::L_BFGS optimizer = this->RefineOptimizer();
  return Choose(choices, data, responses, weights, optimizer);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
GBNNEncodingChoice GBNNRegressor<MatType, LossType>::Choose(
    const GBNNChoices& choices,
    const MatType& data,
    const MatType& responses,
    const RowType& weights,
    OptimizerType& optimizer,
    CallbackTypes&&... callbacks)
{
  const std::string name = "GBNNRegressor::Choose()";
  const auto rows = this->Share(name, { double(choices.bins),
      double(choices.units), double(choices.l2) }, std::max(this->Bins(),
      this->manyBins), data, responses, weights, [&]()
      {
        gbnn::CheckData(name, data, responses.n_cols, "responses", weights);
        gbnn::CheckFinite(name.c_str(), "responses", responses);
      });
  LossType newLoss = this->loss;
  newLoss.Prepare(rows.Truth(), rows.Weights());
  MatType targets;
  gbnn::OnEachRank(this->communicator, [&]()
      { newLoss.Encode(rows.Truth(), targets); });
  return this->ChooseEncoding(name, choices, rows.Data(), targets, newLoss,
      rows.Weights(), optimizer, callbacks...);
}

template<typename MatType, typename LossType>
double GBNNRegressor<MatType, LossType>::Refine(const MatType& data,
                                                const MatType& responses,
                                                const RowType& weights)
{
  ens::L_BFGS optimizer = this->RefineOptimizer();
  return Refine(data, responses, weights, optimizer);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
double GBNNRegressor<MatType, LossType>::Refine(const MatType& data,
                                                const MatType& responses,
                                                const RowType& weights,
                                                OptimizerType& optimizer,
                                                CallbackTypes&&... callbacks)
{
  const std::string name = "GBNNRegressor::Refine()";
  const auto rows = this->Share(name, { }, this->Bins(), data, responses,
      weights, [&]()
      {
        CheckResponses(name, data, responses);
        gbnn::CheckData(name, data, responses.n_cols, "responses", weights);
        gbnn::CheckFinite(name.c_str(), "responses", responses);
      });
  MatType targets;
  gbnn::OnEachRank(this->communicator, [&]()
      { targets = Targets(name, rows.Truth()); });
  return this->RefineNetwork(name, rows.Data(), targets, rows.Weights(),
      optimizer, callbacks...);
}

template<typename MatType, typename LossType>
void GBNNRegressor<MatType, LossType>::CheckResponses(
    const std::string& name,
    const MatType& data,
    const MatType& responses) const
{
  this->CheckPredict(name.c_str(), data.n_rows);
  if (NumResponses() == 0)
  {
    throw std::invalid_argument(name + ": the loss is for another number of "
        "outputs than the model has (" + std::to_string(NumPredictions()) +
        "); it must be the one that the model was trained with");
  }
  if (responses.n_rows != NumResponses())
  {
    throw std::invalid_argument(name + ": number of responses of a point (" +
        std::to_string(responses.n_rows) + ") does not match that of the model "
        "(" + std::to_string(NumResponses()) + ")");
  }
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
double GBNNRegressor<MatType, LossType>::TrainInternal(
    const std::string& name,
    const MatType& data,
    const MatType& responses,
    const RowType& weights,
    const bool fresh,
    const size_t units,
    OptimizerType& optimizer,
    CallbackTypes&... callbacks)
{
  const auto rows = this->Share(name, { double(fresh), double(units) },
      this->Bins(), data, responses, weights, [&]()
      {
        if (!fresh)
          CheckResponses(name, data, responses);
        gbnn::CheckData(name, data, responses.n_cols, "responses", weights);
        gbnn::CheckFinite(name.c_str(), "responses", responses);
      });
  LossType newLoss = this->loss;
  if (fresh)
    newLoss.Prepare(rows.Truth(), rows.Weights());
  MatType targets;
  gbnn::OnEachRank(this->communicator, [&]()
      { newLoss.Encode(rows.Truth(), targets); });
  return this->Boost(name, rows.Data(), targets, newLoss, rows.Weights(), fresh,
      units, optimizer, callbacks...);
}

template<typename MatType, typename LossType>
template<typename VecType>
typename GBNNRegressor<MatType, LossType>::ElemType
GBNNRegressor<MatType, LossType>::Predict(
    const VecType& point) const
{
  this->CheckPredict("GBNNRegressor::Predict()", point, point.n_elem);
  ColType scores;
  this->PointScores(point, scores);
  this->loss.Link(scores);
  return scores[0];
}

template<typename MatType, typename LossType>
void GBNNRegressor<MatType, LossType>::Predict(const MatType& data,
                                               RowType& predictions) const
{
  if (NumPredictions() > 1)
  {
    throw std::invalid_argument("GBNNRegressor::Predict(): the model has " +
        std::to_string(NumPredictions()) + (NumResponses() > 1 ? " responses" :
        " outputs") + ", which a row (1) cannot hold; pass a matrix");
  }
  MatType scores;
  Predict(data, scores);
  predictions = scores;
}

template<typename MatType, typename LossType>
template<typename PredictionsType, typename>
void GBNNRegressor<MatType, LossType>::Predict(
    const MatType& data, PredictionsType& predictions) const
{
  this->CheckPredict("GBNNRegressor::Predict()", data, data.n_rows);
  MatType memory;
  this->network.Evaluate(this->Encode(data, memory), this->ActiveUnits(),
      predictions);
  this->loss.Link(predictions);
}

template<typename MatType, typename LossType>
arma::rowvec GBNNRegressor<MatType, LossType>::StagedRMSE(
    const MatType& data, const MatType& responses) const
{
  return arma::sqrt(StagedMean("GBNNRegressor::StagedRMSE()", data, responses,
      [](const ElemType y, const ElemType p, const size_t /* output */)
      { return (p - y) * (p - y); }));
}

template<typename MatType, typename LossType>
arma::rowvec GBNNRegressor<MatType, LossType>::StagedError(
    const MatType& data,
    const MatType& responses,
    const GBNNCommunicator* ranks) const
{
  arma::rowvec errors = StagedMean("GBNNRegressor::StagedError()", data,
      responses, [&](const ElemType y, const ElemType p, const size_t output)
      { return this->loss.Error(y, p, output); }, ranks);
  for (double& error : errors)
    error = this->loss.TotalError(error);
  return errors;
}

template<typename MatType, typename LossType>
template<typename ErrorType>
arma::rowvec GBNNRegressor<MatType, LossType>::StagedMean(
    const std::string& name,
    const MatType& data,
    const MatType& responses,
    const ErrorType& error,
    const GBNNCommunicator* ranks) const
{
  this->CheckPredict(name.c_str(), data, data.n_rows);
  if (responses.n_cols != data.n_cols || responses.n_rows != NumResponses())
  {
    throw std::invalid_argument(name + ": responses are " +
        std::to_string(responses.n_rows) + " x " +
        std::to_string(responses.n_cols) + ", expected " +
        std::to_string(NumResponses()) + " x " + std::to_string(data.n_cols));
  }
  // 4096 points at a time, so that memory does not grow with the data.  Every
  // error has its own place, so that the order of summation does not depend on
  // threads.
  const size_t blockSize = 4096;
  MatType movedData, movedResponses;
  const bool isMoved = gbnn::MoveBlocks(ranks, blockSize, data, responses,
      movedData, movedResponses);
  const MatType& points = isMoved ? movedData : data;
  const MatType& truth = isMoved ? movedResponses : responses;
  std::vector<double> blockSums;
  for (size_t begin = 0; begin < points.n_cols; begin += blockSize)
  {
    const size_t end = std::min<size_t>(points.n_cols, begin + blockSize);
    arma::mat errors(end - begin, this->Units() + 1);
    MatType memory;
    this->network.EvaluateStaged(this->Encode(points.cols(begin, end - 1),
        memory), this->Units(),
        [&](const size_t k, const size_t first, const MatType& scores)
        {
          MatType predictions = scores;
          this->loss.Link(predictions);
          for (size_t i = 0; i < scores.n_cols; ++i)
          {
            double sum = 0;
            for (size_t o = 0; o < scores.n_rows; ++o)
            {
              // All quantiles are those of one response.
              sum += error(truth(std::min<size_t>(o, truth.n_rows - 1),
                  begin + first + i), predictions(o, i), o);
            }
            errors(first + i, k) = sum;
          }
        });
    const arma::rowvec sum = arma::sum(errors, 0);
    blockSums.insert(blockSums.end(), sum.begin(), sum.end());
  }
  blockSums = gbnn::GatherAll(ranks, blockSums);
  arma::rowvec sums(this->Units() + 1, arma::fill::zeros);
  for (size_t i = 0; i < blockSums.size(); ++i)
    sums[i % sums.n_elem] += blockSums[i];
  return sums / double(NumPredictions() * gbnn::SumOfRanks(ranks,
      data.n_cols));
}

template<typename MatType, typename LossType>
template<typename OutputLayerType>
FFN<OutputLayerType, RandomInitialization, MatType>
GBNNRegressor<MatType, LossType>::Network() const
{
  this->CheckPredict("GBNNRegressor::Network()", this->Dimensionality());
  return this->network.template Network<OutputLayerType>(this->ActiveUnits(),
      this->loss.Output(), this->loss.OutputScale());
}

template<typename MatType, typename LossType>
MatType GBNNRegressor<MatType, LossType>::Targets(
    const std::string& name, const MatType& responses) const
{
  if (responses.n_rows != NumResponses())
  {
    throw std::invalid_argument(name + ": number of responses (" +
        std::to_string(responses.n_rows) + ") does not match that of the model "
        "(" + std::to_string(NumResponses()) + ")");
  }
  MatType targets;
  this->loss.Encode(responses, targets);
  return targets;
}

template<typename MatType, typename LossType>
template<typename Archive>
void GBNNRegressor<MatType, LossType>::serialize(Archive& ar,
                                                 const uint32_t version)
{
  gbnn::RequireVersion("GBNNRegressor", version,
      cereal::detail::Version<GBNNRegressor>::version);
  ar(cereal::make_nvp("gbnn", cereal::base_class<Base>(this)));
  if (cereal::is_loading<Archive>() && this->IsTrained() && NumResponses() == 0)
  {
    throw std::runtime_error("GBNNRegressor::serialize(): the loss is for "
        "another number of outputs than the network has");
  }
}

} // namespace mlpack

#endif
