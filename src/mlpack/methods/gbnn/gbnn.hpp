/**
 * @file methods/gbnn/gbnn.hpp
 *
 * Gradient boosting of a neural network for any loss: the base of the
 * classifier and the regressor.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_GBNN_HPP
#define MLPACK_METHODS_GBNN_GBNN_HPP

#include <ensmallen.hpp>
#include <functional>
#include <optional>

#include <mlpack/prereqs.hpp>

#include "compute/blas_threads.hpp"
#include "compute/communicator.hpp"
#include "compute/check_data.hpp"
#include "compute/random.hpp"
#include "compute/require_version.hpp"
#include "compute/shared_rows.hpp"
#include "compute/stratified.hpp"
#include "files/checkpoint.hpp"
#include "files/digest.hpp"
#include "network/boosted_network.hpp"
#include "loss_functions/squared_error_loss.hpp"
#include "loss_functions/takes_labels.hpp"
#include "loss_functions/target_sizes.hpp"
#include "stage/boosting_run.hpp"
#include "stage/callbacks.hpp"
#include "stage/stage_function.hpp"
#include "stage/stage_optimizer.hpp"
#include "refinement/refiner.hpp"
#include "early_stopping.hpp"

namespace mlpack {

//! What GBNN::Choose() chooses.
struct GBNNChoices
{
  //! Linear inputs, or piecewise-linear ones with few or many bins; else inputs
  //! are as Bins() says.
  bool bins = true;
  //! The number of hidden units, at most HiddenUnits(); else it is that.
  bool units = true;
  //! L2() or a strong L2 regularization of stages; else L2().
  bool l2 = true;
};

//! The result of GBNN::Choose().
struct GBNNEncodingChoice
{
  //! A number of bins, the mean loss on the holdout, the number of units that
  //! the networks had: all of them, or the first ones if that was enough to see
  //! that others are better; and the L2 regularization of their stages.
  struct Candidate
  {
    size_t bins;
    double loss;
    size_t units;
    double l2;
  };

  //! The number of bins that was chosen; 0 for linear inputs.
  size_t bins = 0;
  //! The number of hidden units.
  size_t units = 0;
  //! The L2 regularization of stages.
  double l2 = 0;
  //! All that were compared: first linear inputs, then numbers of bins, and
  //! last the L2 regularization that was not chosen; none if there were too few
  //! points to hold any out.
  std::vector<Candidate> candidates;
};

/**
 * Algorithm 1 of the paper: a network of one hidden layer, grown by J units at
 * a time.  Each stage fits the pseudo-residuals of the loss, is multiplied by
 * its Newton step and the learning rate, and becomes part of the one network.
 * Refine(), which is not in the paper, then trains all weights of that network
 * further together, as GBNNRefinement says.
 *
 * Users call GBNNClassifier or GBNNRegressor, which convert the data to the
 * form that this class takes.
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

  //! Share of the points that Train() holds out for early stopping: it keeps
  //! the number of units with the lowest loss on this holdout.  0 (the default)
  //! means none.  GBNNValidation is for a validation set of one's own.
  double ValidationFraction() const { return validationFraction; }
  //! Modify the share of the points held out.
  double& ValidationFraction() { return validationFraction; }

  //! Number of stages that training continues without a lower loss on the
  //! validation set; 0 means that it always trains all units, and keeps the
  //! best number of them.
  size_t Patience() const { return patience; }
  //! Modify the patience.
  size_t& Patience() { return patience; }

  //! Maximum number of bins of the piecewise-linear inputs of the next
  //! training, up to PiecewiseLinear::Limit(); 0 (the default, as in the paper)
  //! means linear inputs.
  size_t Bins() const { return bins; }
  //! Modify the number of bins.
  size_t& Bins() { return bins; }
  //! How points become the inputs of the network; without dimensions for linear
  //! inputs.
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

  //! The network that Train() and the trials of Refine() begin with, instead of
  //! the constant F_0 (Eq. 2): HiddenUnits() are added to it, and have its
  //! activation.  Without outputs (the default) there is none.  Never saved.
  const BoostedNetwork<MatType>& FirstNetwork() const { return firstNetwork; }
  //! Modify what Train() begins with.
  BoostedNetwork<MatType>& FirstNetwork() { return firstNetwork; }

  //! How Refine() refines the network.
  const GBNNRefinement& Refinement() const { return refinement; }
  //! Modify how the network is refined.
  GBNNRefinement& Refinement() { return refinement; }

  //! The default optimizer of refinement, which runs until it is stopped.
  static ens::L_BFGS RefineOptimizer() { return gbnn::RefineOptimizer(); }

  //! The most iterations that the rounds of the last refinement could take,
  //! without those of trials; 0 if refinement did not help.
  size_t RefinedIterations() const { return refinedIterations; }

  //! Seed of the initial weights and subsamples; 0 (the default) means that
  //! mlpack's random number generator chooses one (see `RandomSeed()`).
  size_t Seed() const { return seed; }
  //! Modify the seed.
  size_t& Seed() { return seed; }
  //! The seed that the network was trained with.
  size_t TrainedSeed() const { return trainedSeed; }

  //! The processes that train this model together, each with points of its
  //! own; nullptr (the default) if this one trains it alone.
  const GBNNCommunicator* Communicator() const { return communicator; }
  //! Modify which processes train this model; they must outlive training.
  const GBNNCommunicator*& Communicator() { return communicator; }

  //! Number of hidden units in the network.
  size_t Units() const { return network.Units(); }
  //! Number of stages the network was made in.
  size_t Stages() const { return network.Stages(); }
  //! Number of inputs.
  size_t Dimensionality() const { return network.Dimensionality(); }

  //! Number of hidden units that predictions use.
  size_t ActiveUnits() const { return activeUnits; }
  //! Use only the first `units` hidden units for predictions; the others stay
  //! in the model.  Throws std::invalid_argument if there are fewer.
  void ActiveUnits(const size_t units);
  //! The largest number of units, up to `units`, that predictions should use.
  //! In a network that is refined it is a cut; between two cuts, predictions
  //! can be much worse than at the first of them.
  size_t CutWithin(const size_t units) const
  {
    return network.CutWithin(units);
  }

  //! The loss that training minimizes.
  const LossType& Loss() const { return loss; }
  //! Modify the loss that Train() minimizes.
  LossType& Loss() { return loss; }

  //! The network itself, with all its units.
  const BoostedNetwork<MatType>& Boosted() const { return network; }

  //! Mean training loss before training and after each stage of the last
  //! training, before refinement; also of stages that early stopping dropped.
  const std::vector<double>& TrainingLosses() const { return losses; }
  //! Mean loss on the validation set at the same times; empty without one.
  const std::vector<double>& ValidationLosses() const
  {
    return validationLosses;
  }
  //! Number of units at these times.
  const std::vector<size_t>& LossUnits() const { return lossUnits; }

  //! Stage t (from 0) as an mlpack network, whose output is added to the
  //! scores.  Its inputs are those of the whole network: points, or their
  //! pieces.
  FFN<MeanSquaredErrorType<MatType>, RandomInitialization, MatType> Stage(
      const size_t stage) const;

  //! The scores of one point, without checks, and without allocating memory.
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

  /**
   * Throw std::invalid_argument if a checkpoint is of another training than
   * that of this model, as it is now, on these points.
   *
   * @param checkpoint The checkpoint.
   * @param data Points, one a column.
   * @param targets Labels, responses or targets of the loss.
   * @param weights Weights of the points, or empty.
   */
  template<typename TargetsType>
  void CheckSame(const GBNNCheckpoint& checkpoint,
                 const MatType& data,
                 const TargetsType& targets,
                 const RowType& weights) const;

  //! Serialize the model.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 protected:
  GBNN(const size_t hiddenUnits,
       const size_t unitsPerStage,
       const double learningRate,
       const double subsample);

  /**
   * Grow the network to the given number of units.  If this throws, the model
   * stays as it was.
   *
   * @param name Function whose name errors carry.
   * @param data Points, one a column.
   * @param targets Targets, in the form in which the loss takes them.
   * @param newLoss The loss for these targets.
   * @param weights Weights of the points, or empty.
   * @param fresh Whether to start anew or continue with the current network.
   * @param units Number of units that the network has in the end, beside those
   *     of FirstNetwork().
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
   * Refine the current network.  If this throws, the model stays as it was.
   * Parameters are those of Boost(), but the optimizer is that of the whole
   * network, and callbacks see all of its steps.  A callback that asks to stop
   * ends the refinement.  During trials the network then stays as it was; later
   * it keeps what is reached, unless that is worse.
   */
  template<typename OptimizerType, typename... CallbackTypes>
  double RefineNetwork(const std::string& name,
                       const MatType& data,
                       const MatType& targets,
                       const RowType& weights,
                       OptimizerType& optimizer,
                       CallbackTypes&... callbacks);

  /**
   * Train a copy of a model with other hyperparameters.  The copy replaces the
   * model unless the arguments are wrong.
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

  //! Throw std::invalid_argument unless the hyperparameters are valid.
  void CheckParameters(const std::string& name, const size_t units) const;
  //! Throw std::invalid_argument unless such data can begin with the first
  //! network.
  void CheckFirst(const std::string& name,
                  const size_t dimensionality,
                  const size_t outputs) const;
  //! Throw std::invalid_argument unless those of a single stage are.
  void CheckStage(const std::string& name) const;
  //! Weights as training uses them.  A weight of 2 is the point twice.  But if
  //! the mean weight, without zeros, is less than 1, as for weights that sum to
  //! 1, weights are scaled to a mean of 1: small weights do not mean that there
  //! are hardly any points.
  static RowType UsedWeights(const RowType& weights);
  //! Throw std::invalid_argument unless points of such a dimensionality can be
  //! predicted.  The name is not a std::string, which would allocate memory for
  //! every prediction.
  void CheckPredict(const char* name, const size_t dimensionality) const;
  //! Throw std::invalid_argument unless these points can be predicted.
  template<typename PointsType>
  void CheckPredict(const char* name,
                    const PointsType& points,
                    const size_t dimensionality) const;

  /**
   * Choose between linear inputs and piecewise-linear ones with few or many
   * bins, the number of units, and the L2 regularization of stages, for the
   * next training; sets Bins(), HiddenUnits() and L2().  For each candidate,
   * networks are boosted on the points outside a holdout, whose loss decides:
   * on the number of units, on L2, on the number of bins, and, after
   * refinement, between bins and linear inputs.
   * The next Refine() does as many rounds as were best here.  Parameters are
   * those of Boost(), but the optimizer is that of the refinement.
   */
  template<typename OptimizerType, typename... CallbackTypes>
  GBNNEncodingChoice ChooseEncoding(const std::string& name,
                                    const GBNNChoices& choices,
                                    const MatType& data,
                                    const MatType& targets,
                                    const LossType& newLoss,
                                    const RowType& weights,
                                    OptimizerType& optimizer,
                                    CallbackTypes&... callbacks);

  /**
   * Throw std::invalid_argument if ranks train with other settings.
   *
   * @param name Function whose name errors carry.
   * @param others Numbers that must be the same on all ranks, beside the
   *     hyperparameters.
   */
  void CheckRanks(const std::string& name, std::vector<double> others) const;

  /**
   * The points to train on, moved to where they belong if there are several
   * ranks.  Parameters are those of gbnn::SharedRows.
   *
   * @param others What CheckRanks() takes.
   * @param maxBins The maximum number of bins of the inputs.
   */
  template<typename TruthType, typename CheckType>
  gbnn::SharedRows<MatType, TruthType> Share(const std::string& name,
                                             const std::vector<double>& others,
                                             const size_t maxBins,
                                             const MatType& data,
                                             const TruthType& truth,
                                             const RowType& weights,
                                             const CheckType& check) const;

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

  //! The numbers of bins that ChooseEncoding() tries: as few as show whether
  //! pieces help, and as many as let them.
  static constexpr size_t fewBins = 8, manyBins = 32;
  //! The strong L2 regularization of Choose().
  static constexpr double strongL2 = 10;

  BoostedNetwork<MatType> network;
  LossType loss;
  const GBNNCommunicator* communicator = nullptr;

 private:
  //! The state of one run of training.
  using Training = gbnn::BoostingRun<MatType, LossType>;

  /**
   * Find the validation set for early stopping: one that the user has passed
   * among the callbacks, or a share of the training data.
   *
   * @param name Function whose name errors carry.
   * @param data Points to train on, one a column.
   * @param targets Targets, in the form in which the loss takes them, divided
   *     by their sizes.
   * @param sizes What other targets must be divided by.
   * @param newLoss The loss for these targets.
   * @param weights Weights of the points, or empty.
   * @param newEncoding How points become inputs; `data` is encoded already.
   * @param runSeed Decides which points are held out.
   * @param others Weights of the points that are left to train on; filled if a
   *     share of the points is held out.
   * @param checkpoint Must be of the same validation set.
   * @param callbacks Callbacks, with or without a GBNNValidation.
   */
  template<typename... CallbackTypes>
  gbnn::StageWatch<MatType, LossType> Watch(
      const std::string& name,
      const MatType& data,
      const MatType& targets,
      const gbnn::TargetSizes<MatType>& sizes,
      const LossType& newLoss,
      const RowType& weights,
      const PiecewiseLinear& newEncoding,
      const size_t runSeed,
      RowType& others,
      const GBNNCheckpoint& checkpoint,
      const CallbackTypes&... callbacks) const;

  //! Early stopping with the given validation set, after a check.
  template<typename TruthType>
  gbnn::StageWatch<MatType, LossType> WatchOn(
      const std::string& name,
      const GBNNValidation<MatType, TruthType>& validation,
      const gbnn::TargetSizes<MatType>& sizes,
      const LossType& newLoss,
      const PiecewiseLinear& newEncoding,
      const size_t dimensionality,
      const size_t outputs,
      const GBNNCheckpoint& checkpoint) const;

  //! The loop of Algorithm 1, until there are `units` units.
  template<typename OptimizerType, typename... CallbackTypes>
  void AddStages(Training& run,
                 const size_t units,
                 OptimizerType& optimizer,
                 CallbackTypes&... callbacks) const;

  //! What adds stages to the networks of refinement: one type for all.
  auto Booster() const
  {
    return [this](Training& run, const size_t units, auto& optimizer,
        auto&... callbacks)
    {
      this->AddStages(run, units, optimizer, callbacks...);
    };
  }

  //! AddStages(), in single precision if the default optimizer fits stages with
  //! piecewise-linear inputs.
  template<typename OptimizerType, typename... CallbackTypes>
  void AddStagesFast(Training& run,
                     const size_t units,
                     OptimizerType& optimizer,
                     CallbackTypes&... callbacks) const;

  //! Minimizes the function of a stage, from the given parameters.
  using StageFit = std::function<void(StageFunction<MatType>&, MatType&)>;

  //! One iteration of the loop of Algorithm 1.
  void AddStage(Training& run, const size_t units, const StageFit& fit) const;

  //! Whether a stage has raised the loss by more than rounding errors, which in
  //! single precision are about 1e-6 of it.
  static bool IsWorse(const double value, const double before)
  {
    const double rounding = 1e-6;
    // Written so that NaN is worse, too.
    return !(value <= before + rounding * std::abs(before));
  }

  /**
   * A smaller step for a stage whose Newton step has raised the loss: it is
   * halved until the loss does not rise, or 0.  Newton steps are too long where
   * the loss is flat now and steep a little farther, as with exponentials.
   */
  ColType ShorterStep(Training& run, ColType rho) const;

  //! Fit a network of some units to the residuals; returns its parameters.
  MatType FitStage(Training& run,
                   const size_t units,
                   const StageFit& fit) const;

  //! The encoding to train with, learned from points of positive weight.
  PiecewiseLinear LearnEncoding(const MatType& data,
                                const RowType& weights,
                                const size_t numBins) const;

  //! Throw std::runtime_error unless all parts fit together: a model file may
  //! have been written by anyone.  Sets what is not in the file.
  void CheckLoaded();

  //! The seed, or one from mlpack's random number generator, up to 2^30.
  size_t NewSeed() const
  {
    size_t result = (seed != 0) ? seed : 1 + size_t(RandInt(1 << 30));
    if (gbnn::IsShared(communicator))
      communicator->Broadcast(&result, sizeof(result), 0);
    return result;
  }

  //! Take over the result of a run.
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
  //! What ChooseEncoding() has decided: the seed of the next training, 0 if
  //! there is none or it is done, and how its network is to be refined.
  size_t plannedSeed;
  gbnn::RefinePlan plan;
  PiecewiseLinear encoding;
  GBNNRefinement refinement;
  size_t refinedIterations;
  size_t seed;
  //! The seed that the network was trained with.
  size_t trainedSeed;
  //! The learning rate of all its stages; 0 if there may be others.
  double trainedRate;
  BoostedNetwork<MatType> firstNetwork;
  size_t activeUnits;
  double validationFraction;
  size_t patience;
  std::vector<double> losses;
  std::vector<double> validationLosses;
  std::vector<size_t> lossUnits;
};

} // namespace mlpack

CEREAL_TEMPLATE_CLASS_VERSION((typename MatType, typename LossType),
    (mlpack::GBNN<MatType, LossType>), (5));

#include "gbnn_impl.hpp"
#include "gbnn_choice_impl.hpp"
#include "gbnn_checks_impl.hpp"

#endif
