/**
 * @file methods/gbnn/gbnn_regressor.hpp
 *
 * Regression with a gradient boosted neural network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_GBNN_REGRESSOR_HPP
#define MLPACK_METHODS_GBNN_GBNN_REGRESSOR_HPP

#include "gbnn.hpp"
#include "loss_functions/squared_error_loss.hpp"

namespace mlpack {

/**
 * A neural network with one hidden layer for regression, trained by gradient
 * boosting; GBNNClassifier describes the method.  Responses are a row with one
 * number a point, or a matrix with one column a point for several responses at
 * once, which then share the hidden units.
 *
 * @code
 * GBNNRegressor<> model(trainData, trainResponses, 200, 3);
 * arma::rowvec predictions;
 * model.Predict(testData, predictions);
 * @endcode
 *
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 * @tparam LossType The loss to minimize; see SquaredErrorLoss.
 */
template<typename MatType = arma::mat, typename LossType = SquaredErrorLoss>
class GBNNRegressor : public GBNN<MatType, LossType>
{
 public:
  using Base = GBNN<MatType, LossType>;
  using ElemType = typename Base::ElemType;
  using ColType = typename Base::ColType;
  using RowType = typename Base::RowType;

  /**
   * Make a model that is still to be trained.
   *
   * @param hiddenUnits Number of hidden units in total.
   * @param unitsPerStage Number of hidden units that a stage adds, J.
   * @param learningRate What each stage is multiplied by, in (0, 1].
   * @param subsample Share of the points that a stage sees, in (0, 1].
   */
  GBNNRegressor(const size_t hiddenUnits = 200,
                const size_t unitsPerStage = 1,
                const double learningRate = 0.1,
                const double subsample = 0.75);

  /**
   * Train on the given data.
   *
   * @param data Points, one a column.
   * @param responses Response of each point.
   * @param hiddenUnits Number of hidden units in total.
   * @param unitsPerStage Number of hidden units that a stage adds, J.
   * @param learningRate What each stage is multiplied by, in (0, 1].
   * @param subsample Share of the points that a stage sees, in (0, 1].
   */
  GBNNRegressor(const MatType& data,
                const RowType& responses,
                const size_t hiddenUnits = 200,
                const size_t unitsPerStage = 1,
                const double learningRate = 0.1,
                const double subsample = 0.75);

  //! Train on the given data, with a weight for each point.
  GBNNRegressor(const MatType& data,
                const RowType& responses,
                const RowType& weights,
                const size_t hiddenUnits = 200,
                const size_t unitsPerStage = 1,
                const double learningRate = 0.1,
                const double subsample = 0.75);

  /**
   * Train anew on the given data, with the hyperparameters of the model.  If
   * anything is wrong with the arguments, this throws std::invalid_argument and
   * the model stays as it was.
   *
   * @param data Points, one a column.
   * @param responses Response of each point.
   * @param callbacks ensmallen callbacks; a stage is an epoch to them.
   * @return The mean loss of the model on the training data.
   */
  template<typename... CallbackTypes,
           typename = std::enable_if_t<
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const RowType& responses,
               CallbackTypes&&... callbacks);

  //! Train anew on several responses at once, one column a point.
  template<typename ResponsesType,
           typename... CallbackTypes,
           typename = std::enable_if_t<
               std::is_same_v<ResponsesType, MatType> &&
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const ResponsesType& responses,
               CallbackTypes&&... callbacks);

  //! Train anew with the given hyperparameters.  (The type is a template
  //! parameter so that mlpack's KFoldCV does not take it for the classes.)
  template<typename SizeType,
           typename = std::enable_if_t<std::is_integral_v<SizeType>>>
  double Train(const MatType& data,
               const RowType& responses,
               const SizeType hiddenUnits,
               const size_t unitsPerStage = 1,
               const double learningRate = 0.1,
               const double subsample = 0.75);

  //! Train anew with the given weights of the points.
  template<typename... CallbackTypes,
           typename = std::enable_if_t<
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const RowType& responses,
               const RowType& weights,
               CallbackTypes&&... callbacks);

  //! Train anew on several responses with the given weights of the points.
  template<typename ResponsesType,
           typename... CallbackTypes,
           typename = std::enable_if_t<
               std::is_same_v<ResponsesType, MatType> &&
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const ResponsesType& responses,
               const RowType& weights,
               CallbackTypes&&... callbacks);

  //! Train anew with the given weights of the points and hyperparameters.
  template<typename SizeType,
           typename = std::enable_if_t<std::is_integral_v<SizeType>>>
  double Train(const MatType& data,
               const RowType& responses,
               const RowType& weights,
               const SizeType hiddenUnits,
               const size_t unitsPerStage = 1,
               const double learningRate = 0.1,
               const double subsample = 0.75);

  /**
   * Train anew, each stage with the given ensmallen optimizer.
   *
   * @param data Points, one a column.
   * @param responses Response of each point: a row, or a matrix with a column
   *     for each point.
   * @param optimizer Any ensmallen optimizer for differentiable functions.
   * @param callbacks ensmallen callbacks; a stage is an epoch to them.
   * @return The mean loss of the model on the training data.
   */
  template<typename OptimizerType,
           typename... CallbackTypes,
           typename = std::enable_if_t<
               gbnn::IsOptimizer<OptimizerType, MatType> &&
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const MatType& responses,
               OptimizerType& optimizer,
               CallbackTypes&&... callbacks);

  //! Train anew with the given weights of the points and optimizer.
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
   * Add hidden units to a trained model, on the same or other data.  With the
   * same data, hyperparameters and optimizer, and if the number of units is a
   * multiple of those of a stage, the result is, bit for bit, the model that
   * training all units at once gives.
   *
   * @param data Points, one a column.
   * @param responses Response of each point.
   * @param units Number of hidden units to add.
   * @param weights Weights of the points, or empty.
   * @return The mean loss of the model on this data.
   */
  double Grow(const MatType& data,
              const MatType& responses,
              const size_t units,
              const RowType& weights = RowType());

  //! Add hidden units to a trained model, with the given optimizer.
  template<typename OptimizerType, typename... CallbackTypes>
  double Grow(const MatType& data,
              const MatType& responses,
              const size_t units,
              const RowType& weights,
              OptimizerType& optimizer,
              CallbackTypes&&... callbacks);

  /**
   * Choose the inputs, linear or piecewise-linear, the number of hidden units,
   * and the L2 regularization of stages, for the next Train() with the same
   * data; sets Bins(), HiddenUnits() and L2().  Other models are trained on a
   * part of the points, refined, and compared on the holdout.
   *
   * @param choices What to choose.
   * @param data Points, one a column.
   * @param responses Responses of each point, in a column.
   * @param weights Weights of the points, or empty.
   * @param optimizer Optimizer of the refinement; see RefineOptimizer().
   * @param callbacks ensmallen's callbacks.
   * @return The candidates and their losses.
   */
  template<typename OptimizerType, typename... CallbackTypes>
  GBNNEncodingChoice Choose(const GBNNChoices& choices,
                            const MatType& data,
                            const MatType& responses,
                            const RowType& weights,
                            OptimizerType& optimizer,
                            CallbackTypes&&... callbacks);
  //! The same with the default optimizer.
  GBNNEncodingChoice Choose(const GBNNChoices& choices,
                            const MatType& data,
                            const MatType& responses,
                            const RowType& weights = RowType());

  /**
   * Train all weights of a trained model further together, with the settings in
   * Refinement().  The network becomes better with all its units and with the
   * numbers of units that are listed there (its cuts).  With other numbers of
   * units it may do worse than at the next lower cut.  A holdout decides on the
   * number of rounds; if refinement does not help, the network stays as it was
   * (but with the squared error its cuts are scaled, see
   * BoostedNetwork::ScaleCuts()), and RefinedIterations() is 0.
   *
   * @param data Points, one a column; best those the model was trained on.
   * @param responses Response of each point.
   * @param weights Weights of the points, or empty.
   * @return The mean loss of the model on this data.
   */
  double Refine(const MatType& data,
                const MatType& responses,
                const RowType& weights = RowType());

  //! Refine with the given ensmallen optimizer, which is stopped when a round
  //! is over; its steps, or epochs if it has any, are the iterations.
  //! Callbacks see all steps, including those of trials; one that asks to stop
  //! ends the whole refinement.
  template<typename OptimizerType, typename... CallbackTypes>
  double Refine(const MatType& data,
                const MatType& responses,
                const RowType& weights,
                OptimizerType& optimizer,
                CallbackTypes&&... callbacks);

  //! The (first) prediction of a point.
  template<typename VecType>
  ElemType Predict(const VecType& point) const;

  //! The prediction of each point; for a model of one output.
  void Predict(const MatType& data, RowType& predictions) const;

  //! The predictions of each point, one point a column: its responses, or the
  //! quantiles of its response.
  template<typename PredictionsType,
           typename = std::enable_if_t<
               std::is_same_v<PredictionsType, MatType>>>
  void Predict(const MatType& data, PredictionsType& predictions) const;

  //! The root mean squared error over points and responses, with each number of
  //! active units from 0 to all, in one pass over the data.
  arma::rowvec StagedRMSE(const MatType& data, const MatType& responses) const;

  //! What the loss measures predictions by (its ErrorName() and Error()), over
  //! points and outputs, with each number of active units from 0 to all.  Of
  //! ranks that each have some of the points, that of all points.
  arma::rowvec StagedError(const MatType& data,
                           const MatType& responses,
                           const GBNNCommunicator* ranks = nullptr) const;

  /**
   * The model as an mlpack network with ActiveUnits() hidden units.  It
   * predicts what the model predicts and can be trained further.  If the inputs
   * are piecewise-linear (see Bins()), it takes pieces: what
   * Encoding().Transform() makes of points.
   *
   * @tparam OutputLayerType The network's own loss, if it is trained further.
   */
  template<typename OutputLayerType = MeanSquaredErrorType<MatType>>
  FFN<OutputLayerType, RandomInitialization, MatType> Network() const;

  //! Number of responses.
  size_t NumResponses() const
  {
    return this->loss.NumResponses(this->network.Outputs());
  }
  //! Number of predictions of a point: that of responses, or of quantiles.
  size_t NumPredictions() const { return this->network.Outputs(); }

  /**
   * The targets of the loss for responses, one column a point.
   *
   * @param name Function whose name errors carry.
   * @param responses Responses, one column a point.
   */
  MatType Targets(const std::string& name, const MatType& responses) const;

  //! Serialize the model.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 private:
  //! Check the arguments, and train.
  template<typename OptimizerType, typename... CallbackTypes>
  double TrainInternal(const std::string& name,
                       const MatType& data,
                       const MatType& responses,
                       const RowType& weights,
                       const bool fresh,
                       const size_t units,
                       OptimizerType& optimizer,
                       CallbackTypes&... callbacks);

  //! The mean over points and outputs of error(response, prediction, output),
  //! with each number of active units.
  template<typename ErrorType>
  arma::rowvec StagedMean(const std::string& name,
                          const MatType& data,
                          const MatType& responses,
                          const ErrorType& error,
                          const GBNNCommunicator* ranks = nullptr) const;

  //! Throw std::invalid_argument unless a trained model can go on with these.
  void CheckResponses(const std::string& name,
                      const MatType& data,
                      const MatType& responses) const;
};

} // namespace mlpack

CEREAL_TEMPLATE_CLASS_VERSION((typename MatType, typename LossType),
    (mlpack::GBNNRegressor<MatType, LossType>), (1));

#include "gbnn_regressor_impl.hpp"

#endif
