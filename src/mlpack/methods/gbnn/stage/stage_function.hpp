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

#include "point_objective.hpp"

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
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 */
template<typename MatType = arma::mat>
class StageFunction :
    public gbnn::PointObjective<StageFunction<MatType>, MatType>,
    public gbnn::EnsFunction<StageFunction<MatType>, MatType>
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

  //! Value and, unless it is nullptr, gradient at the given parameters.
  ElemType Compute(const MatType& parameters, MatType* gradient) const;
  //! The same on `batchSize` points from `begin` on, in the current order.
  ElemType Compute(const MatType& parameters,
                   MatType* gradient,
                   const size_t begin,
                   const size_t batchSize) const;

  //! Initial weights and biases, uniform in +-sqrt(c / (fan in + fan out)) for
  //! each layer, with c = 2 for the logistic function and 6 for the others.
  MatType InitialPoint(gbnn::Random& random) const;

  //! Number of points that the sum runs over, of all ranks.
  size_t TotalPoints() const { return cut.TotalPoints(); }
  //! How these points are cut.
  const gbnn::PointCut& Cut() const { return cut; }

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
    return Base::ScratchSize() + (outputs + 1) * BlockSize();
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
  using Base = gbnn::PointObjective<StageFunction, MatType>;
  friend Base;
  using typename Base::UnitWeights;
  using typename Base::Workspace;
  using Base::activation, Base::cut, Base::data, Base::inputPieces,
      Base::inputs, Base::layout, Base::order, Base::outputs,
      Base::pointBlocks, Base::units, Base::weights;

  //! Any points of this rank as a block.
  Block BlockOf(const arma::uword* columns,
                const size_t count,
                ElemType* scratch) const;

  //! Add a block's half squared error, and its gradient if one is given.
  double AddBlock(const UnitWeights& current,
                  const Block& block,
                  Workspace& workspace,
                  ElemType* gradient) const;

  //! Half of lambda times the squared weights; adds its gradient times `scale`.
  double AddPenalty(const MatType& parameters,
                    MatType* gradient,
                    const double scale) const;

  const MatType& residuals;
  double l2;
  gbnn::PointBlocks<MatType> targetBlocks;
  gbnn::PointBlocks<RowType> weightBlocks;
  //! Kept, so that an evaluation allocates no memory.
  mutable UnitWeights current;
};

} // namespace mlpack

#include "stage_function_impl.hpp"

#endif
