/**
 * @file methods/gbnn/stage/stage_sums.hpp
 *
 * The sums over points from which a stage's best output weights, its gradient
 * and its Gauss-Newton matrix follow.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_STAGE_SUMS_HPP
#define MLPACK_METHODS_GBNN_STAGE_STAGE_SUMS_HPP

#include <optional>

#include "stage_function.hpp"

namespace mlpack {
namespace gbnn {

/**
 * For the hidden weights of a stage, each point has
 *
 * - u: the activations of the J units and a 1;
 * - r: the K residuals;
 * - v: for each unit, its slope times the d inputs and a 1, that is, the
 *   derivatives of the activations with respect to the p = J (d + 1) hidden
 *   weights and biases.  Wherever there are p numbers, those of a unit follow
 *   each other: its weights, then its bias.
 *
 * Evaluate() sums u u' and u r', from which the best output weights and the
 * objective follow.  A rejected step needs no more than that.  Differentiate()
 * then sums the gradient and, over some of the blocks, v v'.  The latter is
 * only a metric for the next step, so single precision is enough for it.
 */
template<typename MatType>
class StageSums
{
 public:
  using ElemType = typename MatType::elem_type;

  /**
   * @param function The stage.
   * @param maxPoints About how many points to use for v v', which is the
   *     expensive sum; it is taken over every n-th block.
   */
  StageSums(const StageFunction<MatType>& function, const size_t maxPoints);

  //! Compute the moments for these p hidden weights and biases.
  void Evaluate(const arma::vec& hidden);
  /**
   * Compute the derivatives of half the mean squared error by the hidden
   * weights of the last Evaluate().
   *
   * @param output Output weights (J rows) and biases (the last row), one output
   *     a column.
   * @param gradient Becomes the gradient.
   * @param gaussNewton Becomes the Gauss-Newton matrix in Kaufman's
   *     approximation, that is, without what a change of the outputs can undo:
   *     V V' - V U' (U U')^-1 U V'.  Only the lower triangle is computed.
   */
  void Differentiate(const arma::mat& output,
                     arma::vec& gradient,
                     arma::mat& gaussNewton);

  //! Sums of u u', u r' and all r^2, over all points.
  const arma::mat& UU() const { return uu; }
  const arma::mat& UR() const { return ur; }
  double SquaredResiduals() const { return squares; }

  //! The weight of the points that v v' is summed over.
  double PartWeight() const { return partWeight; }

  /**
   * Maximum number of groups of cells that v v' is summed in: more if p^2 is
   * small compared to the number of points, for then there may be many ranks.
   *
   * @param points Number of points of all ranks.
   * @param dimensionality Numbers that a point has.
   * @param p Number of hidden weights and biases.
   */
  static size_t MaxPartGroups(const size_t points,
                              const size_t dimensionality,
                              const size_t p)
  {
    // The sums of all groups are then at most a quarter of the numbers of the
    // points themselves.
    const size_t share = 4;
    return PointCut::PowerOfTwo(std::max(maxPartPieces, points *
        dimensionality / (share * p * p)));
  }

 private:
  //! The most pieces that v v' is summed in: each takes memory for p^2 numbers,
  //! which must be added up in the end.
  static constexpr size_t maxPartPieces = 8;

  //! One piece of all blocks.
  struct Workspace
  {
    Workspace(const StageSums& sums);

    arma::Col<ElemType> memory;
    ElemType* scratch;
    Strips<ElemType> weighted;
    Strips<ElemType> error;
    Strips<ElemType> delta;
    //! Products of the activations with u and r: blocks that v v' is taken of,
    //! and, beside them, the others.
    arma::mat moments;
    //! Sums of w r, then of w r^2 and w, and of w where v v' is taken.
    arma::vec constants;
    double largestInput;
    //! The gradient, and that of the biases after it.
    arma::vec gradient;
    HiddenGradient<ElemType, double> hiddenGradient;
  };

  //! One piece of the blocks that v v' is taken of.
  struct PartWorkspace
  {
    PartWorkspace(const StageSums& sums);

    arma::Col<ElemType> memory;
    ElemType* scratch;
    ElemType* inputs;
    Strips<ElemType> q;
    arma::fvec floats;
    Strips<float> qPart;
    Strips<float> vPart;
    arma::mat qv, vv;
  };

  //! Find the blocks that v v' is taken of: about every n-th of all blocks.
  void ChooseParts(const size_t n);
  //! Whether v v' is taken of block b.
  bool IsPart(const size_t b) const
  {
    return partNumber[b] < partBlocks.size();
  }
  //! Hidden weights, unit by unit.
  WeightView<const ElemType> HiddenWeights() const
  {
    return { w1.memptr(), width, 1 };
  }
  //! The activations of block b.
  Strips<ElemType> Hidden(const size_t b);
  //! The inputs and a 1 of block b in single precision, if it IsPart().
  Strips<float> PartPoints(const size_t b);
  //! Sum what does not depend on the hidden weights.
  void SumConstants();
  //! Fill PartPoints() of block b.
  void FillPartPoints(const size_t b, PartWorkspace& work);

  //! Compute the activations of block b and add their products.
  void AddMoments(const size_t b, Workspace& work);
  //! Add the gradient of block b.
  void AddGradient(const size_t b, Workspace& work);
  //! Add q v' and v v' of block b.
  void AddPart(const size_t b, PartWorkspace& work);
  //! Fill the rows of qPart and vPart for block b.
  void FillPart(const size_t b, PartWorkspace& work);
  //! Compute gradient and v v' of all pieces.
  void DifferentiatePieces();
  //! Turn the sum of v v' into the Gauss-Newton matrix.
  void Project(const arma::mat& qv,
               const arma::mat& weights,
               arma::mat& vv) const;

  const StageFunction<MatType>& function;
  size_t units;
  size_t width;
  size_t outputs;
  CellPieces pieces;
  //! The blocks that v v' is taken of, the first of each cell among them, and
  //! for each block its place there, or their number.
  std::vector<size_t> partBlocks, cellParts, partNumber;
  std::optional<CellPieces> partPieces;
  //! One for each piece, made when it is first needed.
  std::vector<std::unique_ptr<Workspace>> work;
  std::vector<std::unique_ptr<PartWorkspace>> partWork;
  arma::Col<ElemType> activations;
  arma::fvec partPoints;
  //! Inputs are divided by this, about their size, for single precision.
  double inputUnit;
  double partWeight;
  double squares;

  //! Both layers as the kernels take them.
  arma::Col<ElemType> w1, b1, w2, b2;
  HiddenSums<ElemType> hiddenSums;
  //! Turns u into orthogonal rows q: a triangle whose last column is the 1's.
  arma::Mat<ElemType> toQ;

  arma::mat uu, ur, partUU;
};

} // namespace gbnn
} // namespace mlpack

#include "stage_sums_impl.hpp"

#endif
