/**
 * @file methods/gbnn/refinement/refine_function.hpp
 *
 * The objective of nested refinement: the losses of the whole network cut at
 * several numbers of units, weighed and added.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_REFINE_FUNCTION_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_REFINE_FUNCTION_HPP

#include <mlpack/prereqs.hpp>

#include "../network/boosted_network.hpp"
#include "../loss_functions/takes_labels.hpp"
#include "../loss_functions/value_and_residuals.hpp"
#include "../stage/point_objective.hpp"
#include "refine_coordinates.hpp"

namespace mlpack {

//! What the terms of a RefineFunction are multiplied by.
struct RefineTerms
{
  //! Size of the scores and of the loss.
  double scoreScale, lossScale;
  //! Numbers of units k_c, ascending; the last one is all units.
  std::vector<size_t> cuts;
  //! What each cut's loss is multiplied by, omega_c.
  std::vector<double> cutWeights;
  //! L2 regularization of W1, lambda.
  double l2;
  //! That of W2, relative to it, rho.
  double outputL2 = 1;
};

/**
 * Value and gradient of
 *
 * @f[
 * \frac{1}{\sum_i w_i} \left( \sum_i w_i \sum_c \omega_c
 *     L(y_i, F_{k_c}(x_i)) + \frac{\lambda}{2} (\| W_1 \|^2 + \rho \| W_2 \|^2)
 *     \right)
 * @f]
 *
 * where F_k is the network of the first k units, which has an output bias of
 * its own for every cut k_c.  All cuts share the activations of the units, so
 * one pass over the points gives value and gradient of them all, and a cut
 * costs no more than an output layer without units.
 *
 * Parameters are W1 (d x H, a unit a column), b1 (H), W2 (K x H, a unit a
 * column) and the output biases (K x C, a cut a column); the last two, and L,
 * are in units in which the targets are of size 1.
 *
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 * @tparam LossType The loss; see SquaredErrorLoss.
 * @tparam RealType Type of number that units are computed in, of which a
 *     processor does twice as many in the same time if they are half as long.
 *     Sums over blocks of points have the matrices' type all the same, and so
 *     have losses of responses; not those that the curvature is made of.
 */
template<typename MatType, typename LossType,
         typename RealType = typename MatType::elem_type>
class RefineFunction :
    private RefineTerms,
    public gbnn::PointObjective<RefineFunction<MatType, LossType, RealType>,
        MatType, RealType>
{
 public:
  using ElemType = typename MatType::elem_type;
  using RowType = arma::Row<ElemType>;

  /**
   * Everything given by reference must outlive the function.  Within a
   * gbnn::PointScope, all ranks make and evaluate one function together.
   *
   * @param data Points, one a column.
   * @param targets Targets, in the form in which the loss takes them.
   * @param weights Weights of the points; empty if all weigh the same.
   * @param points Columns to train on; nullptr for all.
   * @param network The network to refine.
   * @param loss The loss of one cut.
   * @param terms What its terms are multiplied by.
   * @param random Decides the order of points after a Shuffle().
   */
  RefineFunction(const MatType& data,
                 const MatType& targets,
                 const RowType& weights,
                 const arma::uvec* points,
                 const BoostedNetwork<MatType>& network,
                 const LossType& loss,
                 const RefineTerms& terms,
                 const gbnn::Random& random = gbnn::Random(0,
                    gbnn::RandomStream::REFINEMENT_ORDER));

  //! Number of parameters: H (d + 1) + K (H + C).
  size_t NumParameters() const { return layout.b2 + outputs * cuts.size(); }

  //! The parameters of the network to refine.
  const MatType& InitialPoint() const { return initial; }

  //! Give a network of the same sizes the weights that the parameters hold.
  void Update(const MatType& parameters, BoostedNetwork<MatType>& network) const
  {
    const ElemType* p = parameters.memptr();
    const ElemType scale = ElemType(scoreScale);
    network.Replace(MatType(p, inputs, units),
        arma::Col<ElemType>(p + layout.b1, units),
        MatType(p + layout.w2, outputs, units) * scale, cuts,
        MatType(p + layout.b2, outputs, cuts.size()) * scale, data, weights);
  }

  //! Divide all scores by a temperature.
  void Cool(MatType& parameters, const double temperature) const
  {
    parameters.tail_rows(NumParameters() - layout.w2) /= ElemType(temperature);
  }

  //! Scores of the points with all units, one point a column.
  MatType Scores(const MatType& parameters) const;

  //! How strongly the function curves, about, from a sample of the points.
  RefineCurvature Curvature(const MatType& parameters) const;

  //! L2 regularization of the hidden weights, lambda.
  double& L2() { return l2; }

  //! L2 regularization of the output weights, relative to it, rho.
  double OutputL2() const { return outputL2; }

  //! The value and, if it is given, the gradient.
  double Evaluate(const MatType& parameters, MatType* gradient = nullptr) const;

  //! The same for `batchSize` points from `begin` on, in the current order, as
  //! sums instead of means.
  double Evaluate(const MatType& parameters,
                  const size_t begin,
                  const size_t batchSize,
                  MatType* gradient = nullptr) const;

 private:
  using Base = gbnn::PointObjective<RefineFunction, MatType, RealType>;
  friend Base;
  using typename Base::UnitWeights;
  using Base::activation, Base::cut, Base::data, Base::inputPieces,
      Base::inputs, Base::layout, Base::outputs, Base::pointBlocks,
      Base::points, Base::totalWeight, Base::units, Base::weights;

  //! Scores of classes need no more digits than units have, if the loss can
  //! take them so; responses may be far from zero.
  using ScoreType = std::conditional_t<gbnn::TakesLabels<LossType, MatType> &&
      gbnn::HasValueAndResiduals<LossType>, RealType, ElemType>;
  using ScoreMatType = arma::Mat<ScoreType>;

  struct Workspace : public Base::Workspace
  {
    Workspace(const RefineFunction& f) :
        Base::Workspace(f, f.cuts.size() * f.outputs),
        errors(this->output.values + f.outputs * f.pointBlocks.BlockSize())
    { }

    //! The derivative with respect to a cut's output, for each cut.
    RealType* errors;
    //! Targets, weights, scores and residuals of a block, a point a column.
    ScoreMatType targets, scores, residuals;
    RowType weights;
  };

  //! A block of points: the kernels' part, and which columns they are.
  struct Block
  {
    gbnn::Strips<const RealType> points;
    //! Indices of the columns, or nullptr for those from `first` on.
    const arma::uword* columns;
    size_t first;
    size_t count;
  };

  //! Block b, in the order in which points were given.
  Block GetBlock(const size_t b, RealType* scratch) const
  {
    const size_t first = pointBlocks.First(b);
    return { pointBlocks.Block(b, scratch), points ? points->memptr() + first :
        nullptr, first, pointBlocks.Count(b) };
  }

  //! Any points of this rank as a block.
  Block BlockOf(const arma::uword* columns,
                const size_t count,
                RealType* scratch) const
  {
    return { pointBlocks.PackAny([&](const size_t i) { return columns[i]; },
        count, scratch), columns, 0, count };
  }

  //! The errors of a cut.
  gbnn::Strips<RealType> Errors(const Workspace& workspace,
                                const size_t c) const
  {
    return { workspace.errors + c * outputs * pointBlocks.BlockSize(),
        outputs };
  }

  //! One cut's loss; its derivative, times the cut's weight, to its errors.
  double AddLoss(const ElemType* bias,
                 const size_t c,
                 const double blockWeight,
                 Workspace& workspace) const;
  //! The gradient of all cuts, from the errors of each.
  void AddGradient(const RealType* w2,
                   const Block& block,
                   Workspace& workspace,
                   ElemType* gradient) const;
  //! Add a block's loss, and its gradient if one is given.
  double AddBlock(const UnitWeights& current,
                  const Block& block,
                  Workspace& workspace,
                  ElemType* gradient) const;
  //! The sum over all points, or over those of a batch, without the penalty;
  //! its gradient is divided by `weight`.
  template<typename... BatchTypes>
  double Loss(const MatType& parameters,
              MatType* gradient,
              const double weight,
              const BatchTypes... batch) const;
  //! Half of lambda times the squared weights; adds its gradient times `scale`.
  double AddPenalty(const MatType& parameters,
                    MatType* gradient,
                    const double scale) const
  {
    double sum = 0;
    for (size_t i = 0; i < layout.b2 && l2 > 0; ++i)
    {
      const double strength = (i < layout.b1) ? l2 :
          (i < layout.w2) ? 0 : l2 * outputL2;
      sum += strength * parameters[i] * parameters[i];
      if (gradient)
        (*gradient)[i] += ElemType(strength * scale * parameters[i]);
    }
    return sum / 2;
  }

  //! A sample of points, laid out for the kernels.
  struct Sample
  {
    Sample(const RefineFunction& f);

    arma::Col<RealType> memory;
    gbnn::Strips<const RealType> points;
    //! Relative to the largest; what stands after the last point weighs
    //! nothing.
    arma::Col<RealType> weights;
    double totalWeight;
    //! Weighted sums of the squares of the inputs, outside their frame.
    arma::Col<ElemType> squares;
  };

  //! Make units without an upper end so small that the squares of their
  //! activations are numbers; returns what each was divided by.
  arma::Col<ElemType> Shrink(UnitWeights& current) const;

  //! The first unit that a cut has and the cut before has not.
  size_t FirstUnit(const size_t c) const { return c ? cuts[c - 1] : 0; }

  const MatType& targets;
  const LossType& loss;
  MatType initial;
  //! What makes the mean weight about 1; a power of two, which rounds nothing.
  double weightScale;

  //! Where value and gradient of the loss over all points were last asked for,
  //! and what they are.  A round ends where the next one, which has another
  //! penalty, begins.
  mutable MatType lastParameters, lastGradient;
  mutable double lastValue = 0;
};

} // namespace mlpack

#include "refine_function_impl.hpp"
#include "refine_curvature_impl.hpp"

#endif
