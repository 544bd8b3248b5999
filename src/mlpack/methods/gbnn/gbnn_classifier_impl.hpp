/**
 * @file methods/gbnn/gbnn_classifier_impl.hpp
 *
 * Implementation of classification with a gradient boosted neural network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_GBNN_CLASSIFIER_IMPL_HPP
#define MLPACK_METHODS_GBNN_GBNN_CLASSIFIER_IMPL_HPP

#include "gbnn_classifier.hpp"

namespace mlpack {

template<typename MatType, typename LossType>
GBNNClassifier<MatType, LossType>::GBNNClassifier(const size_t hiddenUnits,
                                                  const size_t unitsPerStage,
                                                  const double learningRate,
                                                  const double subsample) :
    Base(hiddenUnits, unitsPerStage, learningRate, subsample),
    numClasses(0)
{
  // Nothing else to do.
}

template<typename MatType, typename LossType>
GBNNClassifier<MatType, LossType>::GBNNClassifier(
    const MatType& data,
    const arma::Row<size_t>& labels,
    const size_t numClasses,
    const size_t hiddenUnits,
    const size_t unitsPerStage,
    const double learningRate,
    const double subsample) :
    GBNNClassifier(hiddenUnits, unitsPerStage, learningRate, subsample)
{
  Train(data, labels, numClasses);
}

template<typename MatType, typename LossType>
GBNNClassifier<MatType, LossType>::GBNNClassifier(
    const MatType& data,
    const arma::Row<size_t>& labels,
    const size_t numClasses,
    const RowType& weights,
    const size_t hiddenUnits,
    const size_t unitsPerStage,
    const double learningRate,
    const double subsample) :
    GBNNClassifier(hiddenUnits, unitsPerStage, learningRate, subsample)
{
  Train(data, labels, numClasses, weights);
}

template<typename MatType, typename LossType>
template<typename... CallbackTypes, typename>
double GBNNClassifier<MatType, LossType>::Train(
    const MatType& data,
    const arma::Row<size_t>& labels,
    const size_t numClasses,
    CallbackTypes&&... callbacks)
{
  return Train(data, labels, numClasses, RowType(), callbacks...);
}

template<typename MatType, typename LossType>
template<typename>
double GBNNClassifier<MatType, LossType>::Train(
    const MatType& data,
    const arma::Row<size_t>& labels,
    const size_t numClasses,
    const size_t hiddenUnits,
    const size_t unitsPerStage,
    const double learningRate,
    const double subsample)
{
  return Train(data, labels, numClasses, RowType(), hiddenUnits, unitsPerStage,
      learningRate, subsample);
}

template<typename MatType, typename LossType>
template<typename... CallbackTypes, typename>
double GBNNClassifier<MatType, LossType>::Train(
    const MatType& data,
    const arma::Row<size_t>& labels,
    const size_t numClasses,
    const RowType& weights,
    CallbackTypes&&... callbacks)
{
  StageOptimizer optimizer;
  return Train(data, labels, numClasses, weights, optimizer, callbacks...);
}

template<typename MatType, typename LossType>
template<typename>
double GBNNClassifier<MatType, LossType>::Train(
    const MatType& data,
    const arma::Row<size_t>& labels,
    const size_t numClasses,
    const RowType& weights,
    const size_t hiddenUnits,
    const size_t unitsPerStage,
    const double learningRate,
    const double subsample)
{
  return Base::TrainCopy(*this, hiddenUnits, unitsPerStage, learningRate,
      subsample, data, labels, numClasses, weights);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes, typename>
double GBNNClassifier<MatType, LossType>::Train(
    const MatType& data,
    const arma::Row<size_t>& labels,
    const size_t numClasses,
    OptimizerType& optimizer,
    CallbackTypes&&... callbacks)
{
  return Train(data, labels, numClasses, RowType(), optimizer, callbacks...);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes, typename>
double GBNNClassifier<MatType, LossType>::Train(
    const MatType& data,
    const arma::Row<size_t>& labels,
    const size_t numClasses,
    const RowType& weights,
    OptimizerType& optimizer,
    CallbackTypes&&... callbacks)
{
  return TrainInternal("GBNNClassifier::Train()", data, labels, numClasses,
      weights, true, this->HiddenUnits(), optimizer, callbacks...);
}

template<typename MatType, typename LossType>
double GBNNClassifier<MatType, LossType>::Grow(const MatType& data,
                                               const arma::Row<size_t>& labels,
                                               const size_t units,
                                               const RowType& weights)
{
  StageOptimizer optimizer;
  return Grow(data, labels, units, weights, optimizer);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
double GBNNClassifier<MatType, LossType>::Grow(const MatType& data,
                                               const arma::Row<size_t>& labels,
                                               const size_t units,
                                               const RowType& weights,
                                               OptimizerType& optimizer,
                                               CallbackTypes&&... callbacks)
{
  return TrainInternal("GBNNClassifier::Grow()", data, labels, numClasses,
      weights, false, this->Units() + units, optimizer, callbacks...);
}

template<typename MatType, typename LossType>
GBNNEncodingChoice GBNNClassifier<MatType, LossType>::Choose(
    const GBNNChoices& choices,
    const MatType& data,
    const arma::Row<size_t>& labels,
    const size_t newNumClasses,
    const RowType& weights)
{
  ens::L_BFGS optimizer = this->RefineOptimizer();
  return Choose(choices, data, labels, newNumClasses, weights, optimizer);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
GBNNEncodingChoice GBNNClassifier<MatType, LossType>::Choose(
    const GBNNChoices& choices,
    const MatType& data,
    const arma::Row<size_t>& labels,
    const size_t newNumClasses,
    const RowType& weights,
    OptimizerType& optimizer,
    CallbackTypes&&... callbacks)
{
  const std::string name = "GBNNClassifier::Choose()";
  const auto rows = this->Share(name, { double(newNumClasses),
      double(choices.bins), double(choices.units), double(choices.l2) },
      std::max(this->Bins(), this->manyBins), data, labels, weights, [&]()
      {
        gbnn::CheckLabeledData(name, data, labels, newNumClasses, weights);
      });
  LossType newLoss = this->Loss();
  MatType targets;
  newLoss.Encode(rows.Truth(), newNumClasses, targets);
  return this->ChooseEncoding(name, choices, rows.Data(), targets, newLoss,
      rows.Weights(), optimizer, callbacks...);
}

template<typename MatType, typename LossType>
double GBNNClassifier<MatType, LossType>::Refine(
    const MatType& data,
    const arma::Row<size_t>& labels,
    const RowType& weights)
{
  ens::L_BFGS optimizer = this->RefineOptimizer();
  return Refine(data, labels, weights, optimizer);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
double GBNNClassifier<MatType, LossType>::Refine(
    const MatType& data,
    const arma::Row<size_t>& labels,
    const RowType& weights,
    OptimizerType& optimizer,
    CallbackTypes&&... callbacks)
{
  const std::string name = "GBNNClassifier::Refine()";
  const auto rows = this->Share(name, { }, this->Bins(), data, labels, weights,
      [&]()
      {
        this->CheckPredict(name.c_str(), data.n_rows);
        gbnn::CheckLabeledData(name, data, labels, numClasses, weights);
      });
  return this->RefineNetwork(name, rows.Data(), Targets(name, rows.Truth()),
      rows.Weights(), optimizer, callbacks...);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
double GBNNClassifier<MatType, LossType>::TrainInternal(
    const std::string& name,
    const MatType& data,
    const arma::Row<size_t>& labels,
    const size_t newNumClasses,
    const RowType& weights,
    const bool fresh,
    const size_t units,
    OptimizerType& optimizer,
    CallbackTypes&... callbacks)
{
  const auto rows = this->Share(name, { double(newNumClasses), double(fresh),
      double(units) }, this->Bins(), data, labels, weights, [&]()
      {
        if (!fresh)
          this->CheckPredict(name.c_str(), data.n_rows);
        gbnn::CheckLabeledData(name, data, labels, newNumClasses, weights);
      });
  LossType newLoss = this->Loss();
  MatType targets;
  newLoss.Encode(rows.Truth(), newNumClasses, targets);
  const double value = this->Boost(name, rows.Data(), targets, newLoss,
      rows.Weights(), fresh, units, optimizer, callbacks...);
  numClasses = newNumClasses;
  return value;
}

template<typename MatType, typename LossType>
template<typename VecType>
size_t GBNNClassifier<MatType, LossType>::Classify(const VecType& point) const
{
  this->CheckPredict("GBNNClassifier::Classify()", point, point.n_elem);
  ColType scores;
  this->PointScores(point, scores);
  return gbnn::LeadingClass(scores.memptr(), scores.n_elem);
}

template<typename MatType, typename LossType>
template<typename VecType>
void GBNNClassifier<MatType, LossType>::Classify(const VecType& point,
                                                 size_t& prediction,
                                                 ColType& probabilities) const
{
  this->CheckPredict("GBNNClassifier::Classify()", point, point.n_elem);
  this->PointScores(point, probabilities);
  prediction = gbnn::LeadingClass(probabilities.memptr(), probabilities.n_elem);
  this->loss.Link(probabilities);
  if (probabilities.n_elem == 1)
    probabilities = { 1 - probabilities[0], probabilities[0] };
}

template<typename MatType, typename LossType>
void GBNNClassifier<MatType, LossType>::Classify(
    const MatType& data, arma::Row<size_t>& predictions) const
{
  this->CheckPredict("GBNNClassifier::Classify()", data, data.n_rows);
  MatType scores, memory;
  this->network.Evaluate(this->Encode(data, memory), this->ActiveUnits(),
      scores);
  predictions.set_size(data.n_cols);
  for (size_t i = 0; i < data.n_cols; ++i)
    predictions[i] = gbnn::LeadingClass(scores.colptr(i), scores.n_rows);
}

template<typename MatType, typename LossType>
void GBNNClassifier<MatType, LossType>::Classify(
    const MatType& data,
    arma::Row<size_t>& predictions,
    MatType& probabilities) const
{
  this->CheckPredict("GBNNClassifier::Classify()", data, data.n_rows);
  MatType scores, memory;
  this->network.Evaluate(this->Encode(data, memory), this->ActiveUnits(),
      scores);
  predictions.set_size(data.n_cols);
  for (size_t i = 0; i < data.n_cols; ++i)
    predictions[i] = gbnn::LeadingClass(scores.colptr(i), scores.n_rows);
  this->loss.Link(scores);
  if (scores.n_rows > 1)
    probabilities = std::move(scores);
  else
    probabilities = arma::join_cols(1 - scores, scores);
}

template<typename MatType, typename LossType>
arma::rowvec GBNNClassifier<MatType, LossType>::StagedAccuracy(
    const MatType& data,
    const arma::Row<size_t>& labels,
    const GBNNCommunicator* ranks) const
{
  this->CheckPredict("GBNNClassifier::StagedAccuracy()", data, data.n_rows);
  if (labels.n_elem != data.n_cols)
  {
    throw std::invalid_argument("GBNNClassifier::StagedAccuracy(): number of "
        "labels (" + std::to_string(labels.n_elem) + ") does not match number "
        "of points (" + std::to_string(data.n_cols) + ")");
  }
  std::vector<std::atomic<size_t>> counts(this->Units() + 1);
  MatType memory;
  this->network.EvaluateStaged(this->Encode(data, memory), this->Units(),
      [&](const size_t k, const size_t first, const MatType& scores)
      {
        size_t count = 0;
        for (size_t i = 0; i < scores.n_cols; ++i)
        {
          count += (gbnn::LeadingClass(scores.colptr(i), scores.n_rows) ==
              labels[first + i]);
        }
        counts[k] += count;
      });
  const std::vector<size_t> all = gbnn::GatherAll(ranks,
      std::vector<size_t>(counts.begin(), counts.end()));
  arma::Row<size_t> correct(counts.size(), arma::fill::zeros);
  for (size_t i = 0; i < all.size(); ++i)
    correct[i % correct.n_elem] += all[i];
  return arma::conv_to<arma::rowvec>::from(correct) /
      double(gbnn::SumOfRanks(ranks, data.n_cols));
}

template<typename MatType, typename LossType>
template<typename OutputLayerType>
FFN<OutputLayerType, RandomInitialization, MatType>
GBNNClassifier<MatType, LossType>::Network() const
{
  this->CheckPredict("GBNNClassifier::Network()", this->Dimensionality());
  return this->network.template Network<OutputLayerType>(this->ActiveUnits(),
      this->loss.Output(), this->loss.OutputScale());
}

template<typename MatType, typename LossType>
MatType GBNNClassifier<MatType, LossType>::Targets(
    const std::string& name, const arma::Row<size_t>& labels) const
{
  if (!labels.is_empty() && labels.max() >= numClasses)
  {
    throw std::invalid_argument(name + ": label " +
        std::to_string(labels.max()) + " must be less than the number of "
        "classes (" + std::to_string(numClasses) + ")");
  }
  LossType encoder = this->loss;
  MatType targets;
  encoder.Encode(labels, numClasses, targets);
  return targets;
}

template<typename MatType, typename LossType>
template<typename Archive>
void GBNNClassifier<MatType, LossType>::serialize(Archive& ar,
                                                  const uint32_t version)
{
  gbnn::RequireVersion("GBNNClassifier", version,
      cereal::detail::Version<GBNNClassifier>::version);
  ar(cereal::make_nvp("gbnn", cereal::base_class<Base>(this)));
  ar(CEREAL_NVP(numClasses));

  // Two classes may have one output; otherwise there is one for each class.
  const size_t outputs = this->network.Outputs();
  if (cereal::is_loading<Archive>() && outputs > 0 && outputs != numClasses &&
      !(outputs == 1 && numClasses == 2))
  {
    throw std::runtime_error("GBNNClassifier::serialize(): number of outputs "
        "does not match number of classes");
  }
  if (cereal::is_loading<Archive>() && outputs > 0)
  {
    // The loss reads as many targets of a point as there are outputs.
    MatType targets;
    this->loss.Encode(arma::Row<size_t>(1, arma::fill::zeros), numClasses,
        targets);
    if (targets.n_rows != outputs)
    {
      throw std::runtime_error("GBNNClassifier::serialize(): number of outputs "
          "does not match the loss");
    }
  }
}

} // namespace mlpack

#endif
