/**
 * @file methods/gbnn/stage/stage_function.hpp
 *
 * The objective of one boosting stage: the squared error with which a network
 * of J hidden units, h_t, fits the pseudo-residuals (step 3 of Algorithm 1).
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_STAGE_FUNCTION_HPP
#define MLPACK_METHODS_GBNN_STAGE_STAGE_FUNCTION_HPP

#include <mlpack/prereqs.hpp>

#include "../network/activation.hpp"
#include "../compute/hidden_sums.hpp"
#include "../compute/point_blocks.hpp"
#include "../compute/random.hpp"

namespace mlpack {

/**
 * Value and gradient of
 *
 * @f[
 * \frac{1}{2 \sum_i w_i} \left( \sum_i w_i
 *     \| W_2 \, \sigma(W_1 x_i + b_1) + b_2 - r_i \|^2
 *     + \lambda (\| W_1 \|^2 + \| W_2 \|^2) \right)
 * @f]
 *
 * in one pass over the points.  The network is an mlpack `FFN` with the layers
 * `Linear(J)`, the activation and `Linear(K)`, and the parameters are laid out
 * as `FFN::Parameters()`: W1 (J x d), b1, W2 (K x J), b2, matrices column by
 * column.  The first sum is therefore the value of that FFN under
 * `MeanSquaredError` (summed, not averaged), which tests check.  `FFN` is not
 * used here because it ignores the point at which an L-BFGS line search asks
 * for its value, and computes derivatives that are not needed.
 *
 * The function has the members that ensmallen's full-batch optimizers use, and
 * those of a differentiable separable function for SGD-like ones.  As ensmallen
 * expects, the latter are sums over points, not means.
 *
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 */
template<typename MatType = arma::mat>
class StageFunction
{
 public:
  using ElemType = typename MatType::elem_type;
  using RowType = arma::Row<ElemType>;

  /**
   * Everything given by reference must outlive the function.  Within a
   * gbnn::PointScope, all ranks make and evaluate one function together.
   *
   * @param data Points, one a column.
   * @param residuals What to fit, K numbers for every column of data.
   * @param weights Weights of the points; empty if all weigh the same.
   * @param points Columns to train on (the stage's subsample); nullptr for all.
   * @param units Number of hidden units, J.
   * @param activation Activation function of the hidden units.
   * @param l2 Regularization of W1 and W2, lambda.
   * @param random Decides the order of points after a Shuffle().
   * @param inputPieces Whether the dimensions of the points stand for several
   *     inputs each.
   */
  StageFunction(const MatType& data,
                const MatType& residuals,
                const RowType& weights,
                const arma::uvec* points,
                const size_t units,
                const GBNNActivation activation,
                const double l2,
                const gbnn::Random& random = gbnn::Random(0,
                    gbnn::RandomStream::STAGE_ORDER),
                const gbnn::InputPieces& inputPieces = gbnn::InputPieces());

  //! Number of parameters: J (d + 1) + K (J + 1).
  size_t NumParameters() const { return layout.b2 + outputs; }

  //! Value at the given parameters.
  ElemType Evaluate(const MatType& parameters) const;
  //! Gradient at the given parameters.
  void Gradient(const MatType& parameters, MatType& gradient) const;
  //! Value and gradient at the given parameters.
  ElemType EvaluateWithGradient(const MatType& parameters,
                                MatType& gradient) const;

  //! Initial weights and biases, uniform in +-sqrt(c / (fan in + fan out)) for
  //! each layer, with c = 2 for the logistic function and 6 for the others.
  MatType InitialPoint(gbnn::Random& random) const;

  //! Number of points that the sum runs over, of this rank.
  size_t NumFunctions() const { return order.n_elem; }
  //! The same of all ranks.
  size_t TotalPoints() const { return cut.TotalPoints(); }
  //! How these points are cut.
  const gbnn::PointCut& Cut() const { return cut; }
  //! Visit the points in another order from now on.
  void Shuffle();
  //! Value on `batchSize` points from `begin` on, in the current order.
  ElemType Evaluate(const MatType& parameters,
                    const size_t begin,
                    const size_t batchSize) const;
  //! Gradient on a batch of points.
  void Gradient(const MatType& parameters,
                const size_t begin,
                MatType& gradient,
                const size_t batchSize) const;
  //! Value and gradient on a batch of points.
  ElemType EvaluateWithGradient(const MatType& parameters,
                                const size_t begin,
                                MatType& gradient,
                                const size_t batchSize) const;

  //! Number of inputs, d.
  size_t Dimensionality() const { return inputs; }
  //! Whether the dimensions of the points stand for several inputs each.
  const gbnn::InputPieces& Pieces() const { return inputPieces; }
  //! Numbers that a point takes in a block.
  size_t BlockRows() const { return inputPieces.BlockRows(data.n_rows); }
  //! Numbers that a point has.
  size_t PointRows() const { return data.n_rows; }
  //! Number of outputs, K.
  size_t Outputs() const { return outputs; }
  //! Number of hidden units, J.
  size_t Units() const { return units; }
  //! Activation function of the hidden units.
  GBNNActivation Activation() const { return activation; }
  //! Regularization of W1 and W2.
  double L2() const { return l2; }
  //! Sum of the weights of the points, or their number.
  double TotalWeight() const { return totalWeight; }
  //! What to fit, and the weights of the points; see the constructor.
  const MatType& Residuals() const { return residuals; }
  const RowType& Weights() const { return weights; }
  //! The columns to train on, in the current order.
  const arma::uvec& Points() const { return order; }

  //! A block of points, ready for HiddenSums and the kernels.
  struct Block
  {
    gbnn::Strips<const ElemType> points;
    gbnn::Strips<const ElemType> targets;
    //! nullptr if all points weigh the same.
    const ElemType* weights;
    size_t count;
  };

  //! Number of blocks, and of points that each has room for.
  size_t NumBlocks() const { return pointBlocks.NumBlocks(); }
  size_t BlockSize() const { return pointBlocks.BlockSize(); }
  //! Number of blocks of all ranks, about.
  size_t TotalBlocks() const { return pointBlocks.TotalBlocks(cut); }
  //! The first block of each cell of this rank, and the end.
  const std::vector<size_t>& CellBlocks() const
  {
    return pointBlocks.CellBlocks();
  }
  //! Number of points in block b.
  size_t Count(const size_t b) const { return pointBlocks.Count(b); }
  //! Elements of scratch memory that GetBlock() may use.
  size_t ScratchSize() const
  {
    return pointBlocks.ScratchSize() + (outputs + 1) * BlockSize();
  }
  //! The points of block b with their residuals and weights.
  Block GetBlock(const size_t b, ElemType* scratch) const;

  //! Turn outputs into weighted errors; returns the weighted sum of squares.
  double WeightError(const Block& block,
                     const gbnn::Strips<ElemType> error) const;

  //! The inputs of block b, in memory of BlockInputsSize() elements.
  gbnn::Strips<const ElemType> BlockInputs(const size_t b,
                                           ElemType* memory) const
  {
    return pointBlocks.ExpandBlock(b, memory);
  }
  size_t BlockInputsSize() const { return pointBlocks.ExpandSize(BlockSize()); }

 private:
  using HiddenSums = gbnn::HiddenSums<ElemType>;
  using HiddenGradient = gbnn::HiddenGradient<ElemType>;

  //! Where each part starts in a parameter vector.
  struct Layout
  {
    size_t w1, b1, w2, b2;
  };

  //! The rows that one block needs in addition to its points.
  struct Workspace
  {
    Workspace(const StageFunction& f);

    arma::Col<ElemType> memory;
    ElemType* scratch;
    gbnn::Strips<ElemType> hidden;
    gbnn::Strips<ElemType> hiddenDelta;
    gbnn::Strips<ElemType> error;
    //! What one piece of the points adds to value and gradient.
    arma::Col<ElemType> gradient;
    HiddenGradient hiddenGradient;
    double sum;
  };

  //! W1 of some parameters.
  gbnn::WeightView<const ElemType> HiddenWeights(
      const ElemType* parameters) const
  {
    return { parameters + layout.w1, 1, units };
  }

  //! Add a block's half squared error, and its gradient if one is given.
  double AddBlock(const ElemType* parameters,
                  const HiddenSums& sums,
                  const Block& block,
                  Workspace& workspace,
                  ElemType* gradient) const;

  //! Value and, if `gradient` is given, gradient over all points.
  ElemType Full(const MatType& parameters, MatType* gradient) const;
  //! Value and, if `gradient` is given, gradient over a batch, as sums.
  ElemType Batch(const MatType& parameters,
                 const size_t begin,
                 MatType* gradient,
                 const size_t batchSize) const;
  //! Half of lambda times the squared weights; adds its gradient times `scale`.
  double AddPenalty(const MatType& parameters,
                    MatType* gradient,
                    const double scale) const;

  const MatType& data;
  const MatType& residuals;
  const RowType& weights;
  gbnn::InputPieces inputPieces;
  size_t inputs;
  size_t units;
  size_t outputs;
  GBNNActivation activation;
  double l2;
  Layout layout;

  gbnn::PointCut cut;
  gbnn::PointBlocks<MatType> pointBlocks;
  gbnn::PointBlocks<MatType> targetBlocks;
  gbnn::PointBlocks<RowType> weightBlocks;
  //! The columns to train on, in the order in which batches take them.
  arma::uvec order;
  gbnn::Random random;
  double totalWeight;

  gbnn::CellPieces pieces;
  //! One for each piece, made when it is first needed and then kept, so that an
  //! evaluation allocates no memory.
  mutable std::vector<std::unique_ptr<Workspace>> workspaces;
  mutable HiddenSums hiddenSums;
};

} // namespace mlpack

#include "stage_function_impl.hpp"

#endif
