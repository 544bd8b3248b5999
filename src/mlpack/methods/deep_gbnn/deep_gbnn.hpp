/**
 * @file methods/deep_gbnn/deep_gbnn.hpp
 *
 * Deep-GBNN: a boosted head on the first layers of a trained deep network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_DEEP_GBNN_HPP
#define MLPACK_METHODS_DEEP_GBNN_DEEP_GBNN_HPP

#include "frozen_layers.hpp"
#include "last_layers.hpp"
#include <mlpack/methods/gbnn/gbnn_classifier.hpp>
#include <mlpack/methods/gbnn/gbnn_regressor.hpp>

namespace mlpack {

/**
 * Deep-GBNN (Section 3.2 of the paper): the last dense layer and the output of
 * a trained network are dropped, the layers that remain are frozen, and a GBNN,
 * the head, is trained on their output.  The result is again one network, and
 * the last units of its head can be switched off.
 *
 * If the layers that are dropped are a dense layer, an activation and the
 * output, and the head has the same activation, it begins with these layers as
 * its first stage: boosting corrects what the network itself predicts.  Else it
 * begins with a constant, as in the paper.
 *
 * @code
 * FFN<NegativeLogLikelihood> network; // Dense, convolutional, ...
 * ...
 * network.Train(images, labels);
 *
 * DeepGBNN<> model(network);
 * model.Head().HiddenUnits() = 100;
 * model.Train(images, labels, 10);
 * model.Classify(testImages, predictions);
 * @endcode
 *
 * A loss for responses makes this regression:
 *
 * @code
 * DeepGBNN<arma::mat, SquaredErrorLoss> model(network);
 * model.Train(data, responses);
 * model.Predict(testData, predictions);
 * @endcode
 *
 * The given network is copied and never changed.  Features, the output of the
 * frozen layers, are computed once for a training, in batches, in the mode for
 * prediction (no dropout).
 *
 * Prediction is not const, and not thread-safe, because mlpack's layers store
 * what they compute.
 *
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 * @tparam LossType The loss that the head minimizes; see LogLoss for labels and
 *     SquaredErrorLoss for responses.
 */
template<typename MatType = arma::mat, typename LossType = LogLoss>
class DeepGBNN
{
 public:
  //! Whether the labels of classes are predicted, else responses.
  static constexpr bool isClassifier = gbnn::TakesLabels<LossType, MatType>;

  using HeadType = std::conditional_t<isClassifier,
      GBNNClassifier<MatType, LossType>, GBNNRegressor<MatType, LossType>>;
  using ElemType = typename HeadType::ElemType;
  using ColType = typename HeadType::ColType;
  using RowType = typename HeadType::RowType;

  //! As a number of layers: all but the last dense layer and the output.
  static constexpr size_t allButLast = SIZE_MAX;

  //! A model without layers, to be loaded or assigned to.
  DeepGBNN() { }

  /**
   * Freeze the first layers of a network.
   *
   * @param network A trained network; it is copied.
   * @param layers Number of its layers to keep, counted as
   *     `network.Network().size()` counts them (an activation is a layer).  By
   *     default, the last dense layer before that of the output is dropped,
   *     with all that follows it.
   */
  template<typename OutputLayerType, typename InitializationRuleType>
  DeepGBNN(const FFN<OutputLayerType, InitializationRuleType, MatType>& network,
           const size_t layers = allButLast) :
      DeepGBNN(network, layers, DefaultHead())
  {
    // So that the head can begin with the network's own last layers.
    if (last.Units() > 0)
      head.Activation() = last.Activation();
  }

  //! The same for a head with the options of a given GBNN, which has its own
  //! activation.
  template<typename OutputLayerType, typename InitializationRuleType>
  DeepGBNN(const FFN<OutputLayerType, InitializationRuleType, MatType>& network,
           const size_t layers,
           const HeadType& head) :
      trunk(network, layers), last(network, trunk.Layers()), head(head) { }

  /**
   * Train the head anew with Adam, the optimizer of the paper.  If anything is
   * wrong with the arguments, this throws std::invalid_argument and the model
   * stays as it was.
   *
   * @param data Points as the network takes them, one a column.
   * @param labels Label of each point, from 0 to numClasses - 1.
   * @param numClasses Number of classes, at least 2.
   * @param callbacks ensmallen callbacks; a stage is an epoch to them.  One may
   *     be a GBNNValidation with points as the network takes them, which should
   *     be others than the network was trained on.
   * @return The mean loss of the model on the training data.
   */
  template<typename... CallbackTypes,
           typename = std::enable_if_t<
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const arma::Row<size_t>& labels,
               const size_t numClasses,
               CallbackTypes&&... callbacks);

  //! Train the head anew with the given weights of the points and Adam.
  template<typename... CallbackTypes,
           typename = std::enable_if_t<
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const arma::Row<size_t>& labels,
               const size_t numClasses,
               const RowType& weights,
               CallbackTypes&&... callbacks);

  //! Train the head anew, each stage with the given ensmallen optimizer.
  template<typename OptimizerType,
           typename... CallbackTypes,
           typename = std::enable_if_t<
               gbnn::IsOptimizer<OptimizerType, MatType> &&
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const arma::Row<size_t>& labels,
               const size_t numClasses,
               OptimizerType& optimizer,
               CallbackTypes&&... callbacks);

  //! Train the head anew with the given weights of the points and optimizer.
  template<typename OptimizerType,
           typename... CallbackTypes,
           typename = std::enable_if_t<
               gbnn::IsOptimizer<OptimizerType, MatType> &&
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const arma::Row<size_t>& labels,
               const size_t numClasses,
               const RowType& weights,
               OptimizerType& optimizer,
               CallbackTypes&&... callbacks);

  //! Train the head of a regression anew with Adam: one column of responses a
  //! point.
  template<typename... CallbackTypes,
           typename = std::enable_if_t<
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const MatType& responses,
               CallbackTypes&&... callbacks);

  //! The same with the given weights of the points.
  template<typename... CallbackTypes,
           typename = std::enable_if_t<
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const MatType& responses,
               const RowType& weights,
               CallbackTypes&&... callbacks);

  //! The same with the given weights of the points, or none, and optimizer.
  template<typename OptimizerType,
           typename... CallbackTypes,
           typename = std::enable_if_t<
               gbnn::IsOptimizer<OptimizerType, MatType> &&
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const MatType& responses,
               const RowType& weights,
               OptimizerType& optimizer,
               CallbackTypes&&... callbacks);

  /**
   * Train all weights of the trained head further together, as
   * `GBNNClassifier::Refine()` does.  How far is decided on points that are
   * held out of the head's training only: the network has seen them.
   *
   * @param data Points as the network takes them, one a column.
   * @param truth Label or responses of each point.
   * @param weights Weights of the points, or empty.
   * @return The mean loss of the model on this data.
   */
  template<typename TruthType>
  double Refine(const MatType& data,
                const TruthType& truth,
                const RowType& weights = RowType());

  //! The first response of a point.
  template<typename VecType>
  ElemType Predict(const VecType& point);

  //! The responses of each point, one point a column.
  template<typename PredictionsType>
  void Predict(const MatType& data, PredictionsType& predictions);

  //! The error that goes with the loss, with each number of the head's units
  //! from 0 to all, in one pass over the data; for the squared error, the root
  //! mean squared one.
  template<typename ResponsesType>
  arma::rowvec StagedError(const MatType& data,
                           const ResponsesType& responses);

  //! The class of a point.
  template<typename VecType>
  size_t Classify(const VecType& point);

  //! The class of a point and the probability of each class.
  template<typename VecType>
  void Classify(const VecType& point,
                size_t& prediction,
                ColType& probabilities);

  //! The class of each point.
  void Classify(const MatType& data, arma::Row<size_t>& predictions);

  //! The class of each point and the probability of each class, one point a
  //! column.
  void Classify(const MatType& data,
                arma::Row<size_t>& predictions,
                MatType& probabilities);

  //! The share of points classified correctly, with each number of the head's
  //! units from 0 to all, in one pass over the data.
  arma::rowvec StagedAccuracy(const MatType& data,
                              const arma::Row<size_t>& labels);

  //! The output of the frozen layers for some points, which is the input of the
  //! head, one point a column.
  void Features(const MatType& data, MatType& features);

  /**
   * The model as one mlpack network: copies of the frozen layers, the
   * ActiveUnits() of the head and its output.  It predicts the probability of
   * class 1 (two classes) or of each class, or responses, as the model does,
   * and can be trained further, all its layers alike.
   *
   * @tparam OutputLayerType The network's own loss, if it is trained further.
   */
  template<typename OutputLayerType = std::conditional_t<isClassifier,
      BCELossType<MatType>, MeanSquaredErrorType<MatType>>>
  FFN<OutputLayerType, RandomInitialization, MatType> Network() const;

  //! The head.
  const HeadType& Head() const { return head; }
  //! Modify the head's options, or the head.
  HeadType& Head() { return head; }

  //! Number of hidden units of the head that predictions use.
  size_t ActiveUnits() const { return head.ActiveUnits(); }
  //! Use only the first `units` hidden units of the head for predictions.
  void ActiveUnits(const size_t units) { head.ActiveUnits(units); }

  //! Number of hidden units of the head.
  size_t Units() const { return head.Units(); }
  //! Number of classes.
  size_t NumClasses() const { return head.NumClasses(); }
  //! Number of inputs of the frozen layers.
  size_t Dimensionality() const { return trunk.Dimensionality(); }
  //! Number of features: outputs of the frozen layers, inputs of the head.
  size_t NumFeatures() const { return trunk.NumFeatures(); }
  //! The frozen layers.
  const gbnn::FrozenLayers<MatType>& Trunk() const { return trunk; }
  //! The layers that the head takes the place of, if it can begin with them.
  const gbnn::LastLayers<MatType>& Last() const { return last; }
  //! Whether there is a model to predict with.
  bool IsTrained() const { return head.IsTrained(); }

  /**
   * Most bytes that the features of the training data may take.  If those of
   * all points take more, the head is trained on as many points as fit, chosen
   * at random by the head's seed, and there is a warning.  Predictions go
   * through the points in blocks and always take little memory; StagedError()
   * alone takes that of the features of all its points.
   */
  size_t MaxFeatureMemory() const { return maxFeatureMemory; }
  //! Modify how much memory features may take.
  size_t& MaxFeatureMemory() { return maxFeatureMemory; }

  //! Number of points that the frozen layers compute at a time.
  size_t BatchSize() const { return batchSize; }
  //! Modify the number of points that the frozen layers compute at a time.
  size_t& BatchSize() { return batchSize; }

  //! The default head: 200 units, 10 a stage, learning rate 0.25, subsample
  //! 0.75.  experiments/deep compares heads on a validation set.
  static HeadType DefaultHead() { return HeadType(200, 10, 0.25, 0.75); }
  //! The default optimizer of Train() for the given number of points.
  static ens::Adam DefaultAdam(const size_t points);
  //! Passes over the points that DefaultAdam() makes for a stage: 20, or as
  //! many as 500 steps with batches of this size take.
  static size_t DefaultPasses(const size_t points, const size_t batchSize);

  //! Serialize the model.  mlpack must be told to serialize layers: see
  //! `MLPACK_ENABLE_ANN_SERIALIZATION` in its documentation.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 private:
  //! Throw std::invalid_argument unless there are layers for such data.
  void CheckData(const std::string& name, const MatType& data) const;
  //! Throw std::invalid_argument unless such data can be predicted.
  void CheckPredict(const std::string& name, const MatType& data) const;

  /**
   * Train a copy of the head, which replaces it unless that throws.
   *
   * @param name Function whose name errors carry.
   * @param data Points as the network takes them, one a column.
   * @param truth Label or responses of each point.
   * @param weights Weights of the points, or empty.
   * @param loss The loss, for as many classes as there are.
   * @param outputs Number of classes or responses.
   * @param train train(head, features, truth, weights) trains the copy.
   * @return What train() returns.
   */
  template<typename TruthType, typename TrainType>
  double TrainHead(const std::string& name,
                   const MatType& data,
                   const TruthType& truth,
                   const RowType& weights,
                   const LossType& loss,
                   const size_t outputs,
                   const TrainType& train);

  //! The loss for a number of classes.
  LossType LossFor(const size_t numClasses) const;

  //! A callback as the head takes it: validation points become features.
  template<typename CallbackType>
  CallbackType& ForHead(CallbackType& callback) { return callback; }
  template<typename TruthType>
  GBNNValidation<MatType, TruthType> ForHead(
      const GBNNValidation<MatType, TruthType>& validation);
  template<typename TruthType>
  GBNNValidation<MatType, TruthType> ForHead(
      GBNNValidation<MatType, TruthType>& validation)
  {
    return ForHead(std::as_const(validation));
  }

  //! Visit the features of all points in blocks: visit(first, features).
  template<typename VisitorType>
  void ForEachBlock(const MatType& data, const VisitorType& visit);

  gbnn::FrozenLayers<MatType> trunk;
  gbnn::LastLayers<MatType> last;
  HeadType head = DefaultHead();
  size_t maxFeatureMemory = SIZE_MAX;
  //! Large enough for matrix products, and small in memory.
  size_t batchSize = 128;
};

} // namespace mlpack

CEREAL_TEMPLATE_CLASS_VERSION((typename MatType, typename LossType),
    (mlpack::DeepGBNN<MatType, LossType>), (2));

#include "deep_gbnn_impl.hpp"

#endif
