/**
 * @file methods/gbnn/gbnn.hpp
 *
 * Gradient boosting of a neural network, whatever the loss: what the classifier
 * and the regressor share.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_GBNN_HPP
#define MLPACK_METHODS_GBNN_GBNN_HPP

#include <ensmallen.hpp>
#include <optional>

#include <mlpack/prereqs.hpp>

#include "compute/blas_threads.hpp"
#include "compute/check_data.hpp"
#include "compute/random.hpp"
#include "compute/require_version.hpp"
#include "compute/stratified.hpp"
#include "network/boosted_network.hpp"
#include "loss_functions/takes_labels.hpp"
#include "stage/boosting_run.hpp"
#include "stage/callbacks.hpp"
#include "stage/stage_function.hpp"
#include "stage/stage_optimizer.hpp"
#include "refinement/refiner.hpp"
#include "early_stopping.hpp"

namespace mlpack {

//! What GBNN::ChooseBins() has found.
struct GBNNEncodingChoice
{
  //! One number of bins, and the mean loss of the points held out.
  struct Candidate
  {
    size_t bins;
    double loss;
  };

  //! The number of bins that was chosen; 0 for linear inputs.
  size_t bins = 0;
  //! All that were compared, those of linear inputs first; none if there were
  //! too few points to hold any out.
  std::vector<Candidate> candidates;
};

/**
 * Algorithm 1 of the paper: a network of one hidden layer, grown by J units at
 * a time.  Each stage fits the pseudo-residuals of the loss, is multiplied by
 * its Newton step and the learning rate, and becomes part of the one network.
 * Refine(), which is not in the paper, then trains all weights of that network
 * further together, as GBNNRefinement says.
 *
 * Users call GBNNClassifier or GBNNRegressor, which bring the data into the
 * form in which this class takes it.
 *
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 * @tparam LossType The loss to minimize; see SquaredErrorLoss.
 */
template<typename MatType, typename LossType>
class GBNN
{
 public:
  using ElemType = typename MatType::elem_type;
  using ColType = arma::Col<ElemType>;
  using RowType = arma::Row<ElemType>;

  //! Number of hidden units that Train() makes.
  size_t HiddenUnits() const { return hiddenUnits; }
  //! Modify the number of hidden units that Train() makes.
  size_t& HiddenUnits() { return hiddenUnits; }

  //! Number of hidden units that a stage adds, J.
  size_t UnitsPerStage() const { return unitsPerStage; }
  //! Modify the number of hidden units that a stage adds.
  size_t& UnitsPerStage() { return unitsPerStage; }

  //! What each stage is multiplied by, nu, in (0, 1].
  double LearningRate() const { return learningRate; }
  //! Modify the learning rate.
  double& LearningRate() { return learningRate; }

  //! Share of the points that a stage is trained on, in (0, 1].
  double Subsample() const { return subsample; }
  //! Modify the share of the points that a stage is trained on.
  double& Subsample() { return subsample; }

  //! Activation function of the hidden units.
  GBNNActivation Activation() const { return activation; }
  //! Modify the activation function that Train() gives the hidden units.
  GBNNActivation& Activation() { return activation; }

  //! L2 regularization of a stage's weights, divided by the number of points,
  //! for residuals brought to size 1.
  double L2() const { return l2; }
  //! Modify the L2 regularization.
  double& L2() { return l2; }

  //! Share of the points that Train() holds out to stop early with: it keeps
  //! the number of units with which their loss is least.  0 (the default) means
  //! none; GBNNValidation gives points of one's own.
  double ValidationFraction() const { return validationFraction; }
  //! Modify the share of the points held out.
  double& ValidationFraction() { return validationFraction; }

  //! Number of stages that training goes on without a lower loss on the points
  //! held out; 0 means that it always makes all units, and keeps the best.
  size_t Patience() const { return patience; }
  //! Modify the number of stages to go on.
  size_t& Patience() { return patience; }

  //! Most bins of the piecewise-linear inputs of the next training, up to
  //! PiecewiseLinear::Limit(); 0 (the default, the paper's) means that inputs
  //! are taken as they are.
  size_t Bins() const { return bins; }
  //! Modify the number of bins.
  size_t& Bins() { return bins; }
  //! How points become the inputs of the network; without dimensions if they
  //! are taken as they are.
  const PiecewiseLinear& Encoding() const { return encoding; }

  /**
   * Points as the network takes them: as they are, or their positions in bins.
   *
   * @param points Points, one a column.
   * @param memory Gets the positions.
   * @return The points, or the memory.
   */
  const MatType& Encode(const MatType& points, MatType& memory) const
  {
    return Encode(encoding, points, memory);
  }

  //! How Refine() refines the network.
  const GBNNRefinement& Refinement() const { return refinement; }
  //! Modify how the network is refined.
  GBNNRefinement& Refinement() { return refinement; }

  //! The optimizer that distills, and that refines unless the user has chosen
  //! one; it goes on until it is stopped.
  static ens::L_BFGS RefineOptimizer() { return gbnn::RefineOptimizer(); }

  //! Number of iterations that the last refinement took, those of a part of the
  //! network counted by its share of the units; 0 if it did not help.
  size_t RefinedIterations() const { return refinedIterations; }

  //! Seed of the initial weights and subsamples; 0 (the default) means that
  //! mlpack's random number generator chooses one (see `RandomSeed()`).
  size_t Seed() const { return seed; }
  //! Modify the seed.
  size_t& Seed() { return seed; }

  //! Number of hidden units in the network.
  size_t Units() const { return network.Units(); }
  //! Number of stages the network was made in.
  size_t Stages() const { return network.Stages(); }
  //! Number of inputs.
  size_t Dimensionality() const { return network.Dimensionality(); }

  //! Number of hidden units that predictions use.
  size_t ActiveUnits() const { return activeUnits; }
  //! Use only the first `units` hidden units for predictions; the others stay
  //! in the model.  Throws std::invalid_argument if there are not so many.
  void ActiveUnits(const size_t units);

  //! The loss that training minimizes.
  const LossType& Loss() const { return loss; }
  //! Modify the loss that Train() minimizes.
  LossType& Loss() { return loss; }

  //! The network itself, with all its units.
  const BoostedNetwork<MatType>& Boosted() const { return network; }

  //! Mean training loss before training and after each stage of the last
  //! training, before refinement; also of stages that early stopping dropped.
  const std::vector<double>& TrainingLosses() const { return losses; }
  //! Mean loss of the points held out at the same times; empty if none were.
  const std::vector<double>& ValidationLosses() const
  {
    return validationLosses;
  }
  //! Number of units at these times.
  const std::vector<size_t>& LossUnits() const { return lossUnits; }

  //! Stage t (from 0) as an mlpack network: what it adds to the scores.  It
  //! takes what the network takes: points, or their pieces.
  FFN<MeanSquaredErrorType<MatType>, RandomInitialization, MatType> Stage(
      const size_t stage) const;

  //! The scores of one point, without taking memory; nothing is checked.
  template<typename VecType>
  void PointScores(const VecType& point, ColType& scores) const
  {
    PointScores(point, scores, ActiveUnits());
  }
  //! The same with the first `units` units.
  template<typename VecType>
  void PointScores(const VecType& point,
                   ColType& scores,
                   const size_t units) const;

  //! Scores of the points: the output of the network before the link.
  void Scores(const MatType& data, MatType& scores) const;

  /**
   * Visit the scores of all points for every number of active units, in one
   * pass over the data: visit(k, first, block) gets the scores of the points
   * from `first` on, one a column, when the first k units are active.  Blocks
   * are visited in parallel.
   */
  template<typename VisitorType>
  void StagedScores(const MatType& data, const VisitorType& visit) const;

  //! Whether there is a model to predict with.
  bool IsTrained() const { return network.Outputs() > 0; }

  //! Serialize the model.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 protected:
  GBNN(const size_t hiddenUnits,
       const size_t unitsPerStage,
       const double learningRate,
       const double subsample);

  /**
   * Grow the network to the given number of units; nothing changes if this
   * throws.
   *
   * @param name Function whose name errors carry.
   * @param data Points, one a column.
   * @param targets Targets, in the form in which the loss takes them.
   * @param newLoss The loss for these targets.
   * @param weights Weights of the points, or empty.
   * @param fresh Whether to start anew or go on with the network there is.
   * @param units Number of units that the network has in the end.
   * @param optimizer Optimizer of the stages.
   * @param callbacks ensmallen's callbacks, for which a stage is an epoch.
   * @return The mean training loss of the new model.
   */
  template<typename OptimizerType, typename... CallbackTypes>
  double Boost(const std::string& name,
               const MatType& data,
               const MatType& targets,
               const LossType& newLoss,
               const RowType& weights,
               const bool fresh,
               const size_t units,
               OptimizerType& optimizer,
               CallbackTypes&... callbacks);

  /**
   * Refine the network there is; nothing changes if this throws.  Parameters
   * are those of Boost(), but the optimizer is that of the whole network, and
   * callbacks see the steps of all that it does.  One that asks to stop ends
   * it: until it is decided how far to go and all units are there again, with
   * the network as it was, and then with what is reached, or as it was if that
   * is worse.
   */
  template<typename OptimizerType, typename... CallbackTypes>
  double RefineNetwork(const std::string& name,
                       const MatType& data,
                       const MatType& targets,
                       const RowType& weights,
                       OptimizerType& optimizer,
                       CallbackTypes&... callbacks);

  /**
   * Train a copy of a model with other hyperparameters, which takes the place
   * of the model unless the arguments are wrong.
   *
   * @param model The model.
   * @param units Number of hidden units in total.
   * @param perStage Number of hidden units that a stage adds.
   * @param rate The learning rate.
   * @param share Share of the points that a stage is trained on.
   * @param arguments What its Train() is called with.
   */
  template<typename ModelType, typename... ArgumentTypes>
  static double TrainCopy(ModelType& model,
                          const size_t units,
                          const size_t perStage,
                          const double rate,
                          const double share,
                          const ArgumentTypes&... arguments);

  //! Throw std::invalid_argument unless the hyperparameters make sense.
  void CheckParameters(const std::string& name, const size_t units) const;
  //! Throw std::invalid_argument unless those of a single stage do.
  void CheckStage(const std::string& name) const;
  //! Weights as they are trained with.  A weight of 2 is the point twice; but
  //! those whose mean, without zeros, is less than 1, such as shares of a
  //! whole, do not mean that there is next to nothing to learn from, and get
  //! one of 1.
  static RowType UsedWeights(const RowType& weights);
  //! Throw std::invalid_argument unless points of such a dimensionality can be
  //! predicted.  Names are no strings: those of a point's prediction would
  //! allocate memory.
  void CheckPredict(const char* name, const size_t dimensionality) const;
  //! Throw std::invalid_argument unless these points can be predicted.
  template<typename PointsType>
  void CheckPredict(const char* name,
                    const PointsType& points,
                    const size_t dimensionality) const;

  /**
   * Choose between linear inputs and piecewise-linear ones with few or many
   * bins, for the next training; sets Bins().  For each, networks are boosted
   * without some of the points, and the loss of these points decides: first
   * how many bins, then, after refinement, whether any.  The next Refine() goes
   * as far as it has found to be best.  Parameters are those of Boost(), and
   * the optimizer is that of the refinement.
   */
  template<typename OptimizerType, typename... CallbackTypes>
  GBNNEncodingChoice ChooseEncoding(const std::string& name,
                                    const MatType& data,
                                    const MatType& targets,
                                    const LossType& newLoss,
                                    const RowType& weights,
                                    OptimizerType& optimizer,
                                    CallbackTypes&... callbacks);

  //! Points as a network takes them, with any encoding.
  static const MatType& Encode(const PiecewiseLinear& encoding,
                               const MatType& points,
                               MatType& memory)
  {
    if (encoding.Dimensionality() == 0)
      return points;
    encoding.Positions(points, memory);
    return memory;
  }

  BoostedNetwork<MatType> network;
  LossType loss;

 private:
  //! What one run of training knows.
  using Training = gbnn::BoostingRun<MatType, LossType>;

  /**
   * Find the points to stop early with: those that the user has passed among
   * the callbacks, or a share of the training data.
   *
   * @param name Function whose name errors carry.
   * @param data Points to train on, one a column.
   * @param targets Targets, in the form in which the loss takes them.
   * @param newLoss The loss for these targets.
   * @param weights Weights of the points, or empty.
   * @param newEncoding How points become inputs; those to train on have.
   * @param runSeed Decides which points are held out.
   * @param others Weights of the points that are left to train on; filled if a
   *     share of them is held out.
   * @param callbacks Callbacks, with or without a GBNNValidation.
   */
  template<typename... CallbackTypes>
  gbnn::StageWatch<MatType, LossType> Watch(
      const std::string& name,
      const MatType& data,
      const MatType& targets,
      const LossType& newLoss,
      const RowType& weights,
      const PiecewiseLinear& newEncoding,
      const size_t runSeed,
      RowType& others,
      const CallbackTypes&... callbacks) const;

  //! What watches the given points, after a check.
  template<typename TruthType>
  gbnn::StageWatch<MatType, LossType> WatchOn(
      const std::string& name,
      const GBNNValidation<MatType, TruthType>& validation,
      const LossType& newLoss,
      const PiecewiseLinear& newEncoding,
      const size_t dimensionality,
      const size_t outputs) const;

  //! Algorithm 1's loop, until there are so many units.
  template<typename OptimizerType, typename... CallbackTypes>
  void AddStages(Training& run,
                 const size_t units,
                 OptimizerType& optimizer,
                 CallbackTypes&... callbacks) const;

  //! One turn of Algorithm 1's loop.
  template<typename OptimizerType, typename... CallbackTypes>
  void AddStage(Training& run,
                const size_t units,
                OptimizerType& optimizer,
                CallbackTypes&... callbacks) const;

  //! Whether a stage has made the loss worse, by more than rounding does.
  static bool IsWorse(const double value, const double before)
  {
    // Written so that NaN is worse, too.
    return !(value <= before + 1e-6 * std::abs(before));
  }

  /**
   * A smaller step along a stage whose own has made the loss worse: halved
   * until the loss does not rise, or 0.  Newton steps are too long where the
   * loss is flat now and steep a little farther, as it is for exponentials.
   */
  ColType ShorterStep(Training& run, ColType rho) const;

  //! Fit a network of some units to the residuals; returns its parameters.
  template<typename OptimizerType, typename... CallbackTypes>
  MatType FitStage(Training& run,
                   const size_t units,
                   OptimizerType& optimizer,
                   CallbackTypes&... callbacks) const;

  //! The encoding to train with, learned from points that weigh something.
  PiecewiseLinear LearnEncoding(const MatType& data,
                                const RowType& weights) const;

  //! The seed, or one by mlpack's random number generator.
  size_t NewSeed() const
  {
    return (seed != 0) ? seed : 1 + size_t(RandInt(1 << 30));
  }

  //! Take over what a run has made.
  void Take(Training& run);

  //! Root mean square of the residuals.
  static double ResidualSize(const Training& run);

  size_t hiddenUnits;
  size_t unitsPerStage;
  double learningRate;
  double subsample;
  GBNNActivation activation;
  double l2;
  size_t bins;
  //! The seed and the plan of the next training, if ChooseEncoding() has made
  //! them; a seed of 0 if not.
  size_t plannedSeed;
  gbnn::RefinePlan plan;
  PiecewiseLinear encoding;
  GBNNRefinement refinement;
  size_t refinedIterations;
  size_t seed;
  //! The seed that the network was trained with.
  size_t trainedSeed;
  size_t activeUnits;
  double validationFraction;
  size_t patience;
  std::vector<double> losses;
  std::vector<double> validationLosses;
  std::vector<size_t> lossUnits;
};

} // namespace mlpack

CEREAL_TEMPLATE_CLASS_VERSION((typename MatType, typename LossType),
    (mlpack::GBNN<MatType, LossType>), (4));

#include "gbnn_impl.hpp"

#endif
