/**
 * @file methods/gbnn/network/boosted_network.hpp
 *
 * The network that boosting grows.  It has one hidden layer, and its first k
 * units can be evaluated on their own.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_NETWORK_BOOSTED_NETWORK_HPP
#define MLPACK_METHODS_GBNN_NETWORK_BOOSTED_NETWORK_HPP

#include <mlpack/prereqs.hpp>

#include "activation.hpp"
#include "ffn_layers.hpp"
#include "../compute/hidden_sums.hpp"
#include "../compute/piecewise_linear.hpp"
#include "../compute/point_blocks.hpp"
#include "../compute/require_version.hpp"

namespace mlpack {

/**
 * A network of one hidden layer, F(x) = W_2 sigma(W_1 x + b_1) + b_2, grown by
 * one stage of J units at a time (Eqs. 19 to 23 of the paper).
 *
 * Weights are stored unit by unit, so that a stage is appended at the end and
 * the network of the first k units is the first k columns of each matrix.  The
 * output bias depends on k, because each stage has its own; it is stored for
 * every k.  Within a stage, units that are switched off are held at their mean
 * over the training data, which is part of the bias: of all constants, the mean
 * changes the output least in the mean square.  After all weights were
 * replaced, biases follow from those given then, whatever the stages were; see
 * Replace().  The first k units may be scaled, see ScaleCuts().
 *
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 */
template<typename MatType = arma::mat>
class BoostedNetwork
{
 public:
  using ElemType = typename MatType::elem_type;
  using ColType = arma::Col<ElemType>;
  using RowType = arma::Row<ElemType>;

  //! A network without inputs, units or outputs.
  BoostedNetwork() : activation(GBNNActivation::LOGISTIC) { }

  /**
   * A network without units, whose output is the given constant.
   *
   * @param dimensionality Number of inputs, d.
   * @param start Its output, F_0.
   * @param activation Activation function of the units to come.
   * @param pieces Whether points are positions and their pieces the inputs.
   */
  BoostedNetwork(const size_t dimensionality,
                 const ColType& start,
                 const GBNNActivation activation,
                 const gbnn::InputPieces& pieces = gbnn::InputPieces());

  /**
   * Append a stage's units, switched on, and add their output to the scores of
   * the training data.
   *
   * @param parameters The stage, in the layout of `FFN::Parameters()`.
   * @param units Number of units of the stage, J.
   * @param factor What to multiply each of its outputs by (nu rho_k).
   * @param data The training data.
   * @param scores F_{t-1} of the training data; becomes F_t.
   * @param weights Weights of the training data, or empty.
   * @param activations If given: activations of the same units for the same
   *     data from an earlier call, or an empty vector for this call to fill.
   */
  void Append(const MatType& parameters,
              const size_t units,
              const ColType& factor,
              const MatType& data,
              MatType& scores,
              const RowType& weights = RowType(),
              ColType* activations = nullptr);

  /**
   * Replace all weights, and the output biases at some numbers of units
   * ("cuts", ascending; the last one is all units).  Between two cuts, and
   * between no units and the first cut, the bias is interpolated: from either
   * cut, units are switched on or off at their mean over the training data, and
   * the two biases that result are mixed by how near each cut is.
   *
   * @param newHiddenWeights W_1, one unit a column.
   * @param newHiddenBias b_1.
   * @param newOutputWeights W_2, one unit a column.
   * @param newCuts Numbers of units whose output biases are given.
   * @param cutBiases These biases, one cut a column.
   * @param data The training data.
   * @param weights Weights of the training data, or empty.
   */
  void Replace(const MatType& newHiddenWeights,
               const ColType& newHiddenBias,
               const MatType& newOutputWeights,
               const std::vector<size_t>& cuts,
               const MatType& cutBiases,
               const MatType& data,
               const RowType& weights);

  /**
   * Scale the outputs of the first k units, for every k from the first stage's
   * units on.  With a learning rate of nu, t stages go 1 - (1 - nu)^t of the
   * way from F_0 to the targets of a squared error; the factor makes up for the
   * part of the way that is missing, compared with all stages.  It is 1 for all
   * units, and is forgotten when the network changes.
   *
   * @param rate The learning rate, nu; 0 means not to scale.
   */
  void ScaleCuts(const double rate) { cutRate = rate; }

  //! Multiply each output by a factor.
  void ScaleOutputs(const ColType& factors)
  {
    outputWeights.each_col() %= factors;
    outputBias.each_col() %= factors;
  }

  //! Keep only the first stages.
  void Truncate(const size_t stages);

  /**
   * Compute the scores of some points with the first k units.
   *
   * @param data Points, one a column.
   * @param units Number of units to use, k.
   * @param scores Filled with one column of scores a point.
   */
  void Evaluate(const MatType& data,
                const size_t units,
                MatType& scores) const;

  //! Compute the scores of one point, without taking memory.
  template<typename VecType>
  void EvaluatePoint(const VecType& point,
                     const size_t units,
                     ColType& scores) const;

  /**
   * Add the units [first, last) to the scores of one point, without a bias.
   */
  template<typename VecType>
  void AddToPoint(const VecType& point,
                  const size_t first,
                  const size_t last,
                  ColType& scores) const;

  /**
   * Add the units [first, last) to the scores of some points, laid out for the
   * kernels, without a bias.  Beginning with the output bias of k units, calls
   * that add all k units in order give the same bits as Evaluate(), unless
   * cuts are scaled.
   *
   * @param points The points.
   * @param first First unit to add.
   * @param last Unit to stop before.
   * @param scores Their scores.
   * @param strips Number of strips that the points take.
   */
  void AddToStrips(const gbnn::Strips<const ElemType> points,
                   const size_t first,
                   const size_t last,
                   const gbnn::Strips<ElemType> scores,
                   const size_t strips) const;

  /**
   * Visit the scores of all points for every k from 0 to `units`, in one pass
   * over the data: visit(k, first, block) gets the scores of the points from
   * `first` on, one a column.  Blocks are visited in parallel; those of one
   * block in the order of k.
   */
  template<typename VisitorType>
  void EvaluateStaged(const MatType& data,
                      const size_t units,
                      const VisitorType& visit) const;

  /**
   * Add the output of one stage to the scores of some points.  Training and the
   * continuation of training both go through here, so they agree to the bit.
   *
   * @param stage The stage, from 0 on.
   * @param data Points, one a column.
   * @param scores Scores before the stage; become those after it.
   */
  void AddStage(const size_t stage, const MatType& data, MatType& scores) const;

  //! Compute the scores of some points stage by stage, as training does.
  void EvaluateStages(const MatType& data, MatType& scores) const;

  /**
   * The first k units as an mlpack network, with the given layer at its end.
   * With k = 0 it has one unit, of weight zero.
   *
   * @param units Number of units, k.
   * @param output Layer that follows the scores.
   * @param scale What to multiply the scores by.
   */
  template<typename OutputLayerType>
  FFN<OutputLayerType, RandomInitialization, MatType> Network(
      const size_t units,
      const gbnn::OutputLayer output,
      const double scale) const;

  //! One stage as an mlpack network: what it adds to the scores.
  FFN<MeanSquaredErrorType<MatType>, RandomInitialization, MatType> Stage(
      const size_t stage) const;

  //! All weights and biases in the layout of `FFN::Parameters()`.
  MatType Parameters() const;

  //! Number of dimensions of the points.
  size_t Dimensionality() const { return pieces.Dimensionality(Inputs()); }
  //! Number of inputs, d: the dimensions of the points, or their pieces.
  size_t Inputs() const { return hiddenWeights.n_rows; }
  //! Whether the points are positions and their pieces the inputs.
  const gbnn::InputPieces& Pieces() const { return pieces; }
  //! Number of outputs, K.
  size_t Outputs() const { return outputBias.n_rows; }
  //! Number of hidden units.
  size_t Units() const { return hiddenWeights.n_cols; }
  //! Number of stages.
  size_t Stages() const { return stageEnds.size(); }
  //! Number of units that the first `stages` stages have together.
  size_t UnitsOfStages(const size_t stages) const
  {
    return (stages == 0) ? 0 : stageEnds[stages - 1];
  }

  //! Number of stages that have this number of units together.
  size_t StagesOfUnits(const size_t units) const
  {
    return size_t(std::lower_bound(stageEnds.begin(), stageEnds.end(), units) -
        stageEnds.begin()) + (units > 0);
  }

  //! Activation function of the hidden units.
  GBNNActivation Activation() const { return activation; }

  //! Weights of the hidden units, one a column (W_1, transposed).
  const MatType& HiddenWeights() const { return hiddenWeights; }
  //! Biases of the hidden units (b_1).
  const ColType& HiddenBias() const { return hiddenBias; }
  //! Weights from the hidden units to the outputs, one unit a column (W_2).
  const MatType& OutputWeights() const { return outputWeights; }
  //! Bias of the outputs when the first k units are on, in column k (b_2),
  //! before ScaleCuts().
  const MatType& OutputBias() const { return outputBias; }

  //! Whether ScaleCuts() has an effect.
  bool HasScaledCuts() const { return cutRate > 0; }
  //! What ScaleCuts() multiplies the output weights of the first k units by.
  ElemType CutScale(const size_t units) const;
  //! Bias of the outputs of the first k units after ScaleCuts().
  ColType CutBias(const size_t units) const
  {
    return outputBias.col(0) + CutScale(units) * (outputBias.col(units) -
        outputBias.col(0));
  }

  //! The cuts of the last Replace(); empty if there was none.
  const std::vector<size_t>& Cuts() const { return cuts; }
  //! Set the cuts, for models whose file does not have them.
  void Cuts(const std::vector<size_t>& newCuts) { cuts = newCuts; }
  //! How many of the first k units to use: after Replace(), those of the
  //! largest cut up to k.
  size_t CutWithin(const size_t units) const;

  //! Serialize the network; throws std::runtime_error if what is loaded is not
  //! a network.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 private:
  //! Maximum number of units that are computed at a time.  Their activations
  //! must stay in the first-level cache together with a block of points, and 32
  //! is a multiple of what the kernels take at once.
  static constexpr size_t maxBatch = 32;

  //! Throw std::runtime_error unless all parts fit together: a model file may
  //! have been written by anyone.
  void CheckLoaded() const;

  //! Scale the scores of the first k units as ScaleCuts() says.
  template<typename ScoresType>
  void ScaleScores(const size_t units, ScoresType& scores) const;

  //! Let `sums` know the units from `first` on.
  void SetSums(const size_t first);

  //! The activations of the units [first, last) for one block.
  void Hidden(const gbnn::Strips<const ElemType> block,
              const size_t first,
              const size_t last,
              const gbnn::Strips<ElemType> hidden,
              const size_t strips) const;

  /**
   * Add the units [first, last) and `bias` to the scores of the data; the means
   * of the units' activations, weighted, go to `means` unless it is nullptr.
   * See Append() about `activations`.
   */
  void AddUnits(const MatType& data,
                const size_t first,
                const size_t last,
                const ElemType* bias,
                MatType& scores,
                arma::vec* means,
                const RowType& weights = RowType(),
                ColType* activations = nullptr) const;

  //! The units [first, last), their output weights scaled, and a bias in the
  //! layout of an FFN; if there are no units, one of weight zero.
  MatType Parameters(const size_t first,
                     const size_t last,
                     const ColType& bias,
                     const ElemType scale) const;

  //! Give an FFN with layers its inputs and parameters.
  template<typename NetworkType>
  void SetParameters(NetworkType& network, const MatType& parameters) const;

  MatType hiddenWeights;
  ColType hiddenBias;
  MatType outputWeights;
  MatType outputBias;
  std::vector<size_t> stageEnds;
  GBNNActivation activation;
  gbnn::InputPieces pieces;
  //! See Replace(); stages may follow the last cut.
  std::vector<size_t> cuts;
  //! See ScaleCuts().
  double cutRate = 0;
  //! Made of pieces, weights and biases of the hidden units.
  gbnn::HiddenSums<ElemType> sums{ true };
};

} // namespace mlpack

CEREAL_TEMPLATE_CLASS_VERSION((typename MatType),
    (mlpack::BoostedNetwork<MatType>), (3));

#include "boosted_network_impl.hpp"

#endif
