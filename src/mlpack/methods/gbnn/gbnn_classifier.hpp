/**
 * @file methods/gbnn/gbnn_classifier.hpp
 *
 * Classification with a gradient boosted neural network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_GBNN_CLASSIFIER_HPP
#define MLPACK_METHODS_GBNN_GBNN_CLASSIFIER_HPP

#include "gbnn.hpp"
#include "loss_functions/leading_class.hpp"
#include "loss_functions/log_loss.hpp"

namespace mlpack {

/**
 * A neural network with one hidden layer for classification, trained by
 * gradient boosting: it grows by a few units at a time, and each group is
 * fitted to the current residuals.  The result is one ordinary network.  Its
 * last units can be switched off at prediction time (`ActiveUnits()`), which
 * makes it faster and changes little, since later units contribute less.
 *
 * The method is that of
 *
 * @code
 * @article{emami2023sequential,
 *   title   = {Sequential Training of Neural Networks with Gradient Boosting},
 *   author  = {Emami, Seyedsaman and Mart{\'i}nez-Mu{\~n}oz, Gonzalo},
 *   journal = {IEEE Access},
 *   year    = {2023}
 * }
 * @endcode
 *
 * Columns of the data should have mean 0 and variance 1, as for any network.
 *
 * @code
 * GBNNClassifier<> model(trainData, trainLabels, 3);
 * arma::Row<size_t> predictions;
 * model.Classify(testData, predictions);
 * model.ActiveUnits(50); // From now on, use the first 50 units only.
 * @endcode
 *
 * Training data with only one class is accepted: the model then predicts this
 * class with probability 1 (two classes), or close to 1 (more classes).
 *
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 * @tparam LossType The loss to minimize; see LogLoss.
 */
template<typename MatType = arma::mat, typename LossType = LogLoss>
class GBNNClassifier : public GBNN<MatType, LossType>
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
  GBNNClassifier(const size_t hiddenUnits = 200,
                 const size_t unitsPerStage = 1,
                 const double learningRate = 0.1,
                 const double subsample = 0.75);

  /**
   * Train on the given data.
   *
   * @param data Points, one a column.
   * @param labels Label of each point, from 0 to numClasses - 1.
   * @param numClasses Number of classes, at least 2.
   * @param hiddenUnits Number of hidden units in total.
   * @param unitsPerStage Number of hidden units that a stage adds, J.
   * @param learningRate What each stage is multiplied by, in (0, 1].
   * @param subsample Share of the points that a stage sees, in (0, 1].
   */
  GBNNClassifier(const MatType& data,
                 const arma::Row<size_t>& labels,
                 const size_t numClasses,
                 const size_t hiddenUnits = 200,
                 const size_t unitsPerStage = 1,
                 const double learningRate = 0.1,
                 const double subsample = 0.75);

  //! Train on the given data, with a weight for each point.
  GBNNClassifier(const MatType& data,
                 const arma::Row<size_t>& labels,
                 const size_t numClasses,
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
   * @param labels Label of each point, from 0 to numClasses - 1.
   * @param numClasses Number of classes, at least 2.
   * @param callbacks ensmallen callbacks; a stage is an epoch to them.
   * @return The mean loss of the model on the training data.
   */
  template<typename... CallbackTypes,
           typename = std::enable_if_t<
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const arma::Row<size_t>& labels,
               const size_t numClasses,
               CallbackTypes&&... callbacks);

  //! Train anew with the given hyperparameters.  (All Train() are templates,
  //! because mlpack's KFoldCV requires it.)
  template<typename = void>
  double Train(const MatType& data,
               const arma::Row<size_t>& labels,
               const size_t numClasses,
               const size_t hiddenUnits,
               const size_t unitsPerStage = 1,
               const double learningRate = 0.1,
               const double subsample = 0.75);

  //! Train anew with the given weights of the points.
  template<typename... CallbackTypes,
           typename = std::enable_if_t<
               (gbnn::IsCallback<CallbackTypes, MatType> && ...)>>
  double Train(const MatType& data,
               const arma::Row<size_t>& labels,
               const size_t numClasses,
               const RowType& weights,
               CallbackTypes&&... callbacks);

  //! Train anew with the given weights of the points and hyperparameters.
  template<typename = void>
  double Train(const MatType& data,
               const arma::Row<size_t>& labels,
               const size_t numClasses,
               const RowType& weights,
               const size_t hiddenUnits,
               const size_t unitsPerStage = 1,
               const double learningRate = 0.1,
               const double subsample = 0.75);

  /**
   * Train anew, each stage with the given ensmallen optimizer.
   *
   * @param data Points, one a column.
   * @param labels Label of each point, from 0 to numClasses - 1.
   * @param numClasses Number of classes, at least 2.
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
               const arma::Row<size_t>& labels,
               const size_t numClasses,
               OptimizerType& optimizer,
               CallbackTypes&&... callbacks);

  //! Train anew with the given weights of the points and optimizer.
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

  /**
   * Add hidden units to a trained model, on the same or other data.  With the
   * same data, hyperparameters and optimizer, and if the number of units is a
   * multiple of those of a stage, the result is, bit for bit, the model that
   * training all units at once gives.
   *
   * @param data Points, one a column.
   * @param labels Label of each point.
   * @param units Number of hidden units to add.
   * @param weights Weights of the points, or empty.
   * @return The mean loss of the model on this data.
   */
  double Grow(const MatType& data,
              const arma::Row<size_t>& labels,
              const size_t units,
              const RowType& weights = RowType());

  //! Add hidden units to a trained model, with the given optimizer.
  template<typename OptimizerType, typename... CallbackTypes>
  double Grow(const MatType& data,
              const arma::Row<size_t>& labels,
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
   * @param labels Label of each point.
   * @param newNumClasses Number of classes.
   * @param weights Weights of the points, or empty.
   * @param optimizer Optimizer of the refinement; see RefineOptimizer().
   * @param callbacks ensmallen's callbacks.
   * @return The candidates and their losses.
   */
  template<typename OptimizerType, typename... CallbackTypes>
  GBNNEncodingChoice Choose(const GBNNChoices& choices,
                            const MatType& data,
                            const arma::Row<size_t>& labels,
                            const size_t newNumClasses,
                            const RowType& weights,
                            OptimizerType& optimizer,
                            CallbackTypes&&... callbacks);
  //! The same with the default optimizer.
  GBNNEncodingChoice Choose(const GBNNChoices& choices,
                            const MatType& data,
                            const arma::Row<size_t>& labels,
                            const size_t newNumClasses,
                            const RowType& weights = RowType());

  /**
   * Train all weights of a trained model further together, with the settings in
   * Refinement().  The network becomes better with all its units and with the
   * numbers of units that are listed there (its cuts).  With other numbers of
   * units it may do worse than at the next lower cut.  A holdout decides on the
   * number of rounds; if refinement does not help, the model stays as it was,
   * and RefinedIterations() is 0.
   *
   * @param data Points, one a column; best those the model was trained on.
   * @param labels Label of each point.
   * @param weights Weights of the points, or empty.
   * @return The mean loss of the model on this data.
   */
  double Refine(const MatType& data,
                const arma::Row<size_t>& labels,
                const RowType& weights = RowType());

  //! Refine with the given ensmallen optimizer, which is stopped when a round
  //! is over; its steps, or epochs if it has any, are the iterations.
  //! Callbacks see all steps, including those of trials; one that asks to stop
  //! ends the whole refinement.
  template<typename OptimizerType, typename... CallbackTypes>
  double Refine(const MatType& data,
                const arma::Row<size_t>& labels,
                const RowType& weights,
                OptimizerType& optimizer,
                CallbackTypes&&... callbacks);

  //! The class of a point.
  template<typename VecType>
  size_t Classify(const VecType& point) const;

  //! The class of a point and the probability of each class.
  template<typename VecType>
  void Classify(const VecType& point,
                size_t& prediction,
                ColType& probabilities) const;

  //! The class of each point.
  void Classify(const MatType& data, arma::Row<size_t>& predictions) const;

  //! The class of each point and the probability of each class, one point a
  //! column.
  void Classify(const MatType& data,
                arma::Row<size_t>& predictions,
                MatType& probabilities) const;

  //! The share of points classified correctly, with each number of active
  //! units from 0 to all, in one pass over the data.  Of ranks that each have
  //! some of the points, that of all points.
  arma::rowvec StagedAccuracy(const MatType& data,
                              const arma::Row<size_t>& labels,
                              const GBNNCommunicator* ranks = nullptr) const;

  /**
   * The model as an mlpack network with ActiveUnits() hidden units, whose
   * output is the probability of class 1 (two classes) or of each class.  It
   * predicts what the model predicts and can be trained further.  If the inputs
   * are piecewise-linear (see Bins()), it takes pieces: what
   * Encoding().Transform() makes of points.
   *
   * @tparam OutputLayerType The network's own loss, if it is trained further.
   */
  template<typename OutputLayerType = BCELossType<MatType>>
  FFN<OutputLayerType, RandomInitialization, MatType> Network() const;

  //! Number of classes.
  size_t NumClasses() const { return numClasses; }

  /**
   * The targets of the loss for labels, one column a point.
   *
   * @param name Function whose name errors carry.
   * @param labels Labels, smaller than the number of classes.
   */
  MatType Targets(const std::string& name,
                  const arma::Row<size_t>& labels) const;

  //! Serialize the model.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 private:
  //! Check the arguments, and train.
  template<typename OptimizerType, typename... CallbackTypes>
  double TrainInternal(const std::string& name,
                       const MatType& data,
                       const arma::Row<size_t>& labels,
                       const size_t numClasses,
                       const RowType& weights,
                       const bool fresh,
                       const size_t units,
                       OptimizerType& optimizer,
                       CallbackTypes&... callbacks);

  size_t numClasses;
};

} // namespace mlpack

CEREAL_TEMPLATE_CLASS_VERSION((typename MatType, typename LossType),
    (mlpack::GBNNClassifier<MatType, LossType>), (1));

#include "gbnn_classifier_impl.hpp"

#endif
