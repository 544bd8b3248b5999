/**
 * @file methods/gbnn/stage/stage_function_impl.hpp
 *
 * Implementation of the objective of one boosting stage.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_STAGE_FUNCTION_IMPL_HPP
#define MLPACK_METHODS_GBNN_STAGE_STAGE_FUNCTION_IMPL_HPP

#include "stage_function.hpp"

namespace mlpack {

template<typename MatType>
StageFunction<MatType>::StageFunction(const MatType& data,
                                      const MatType& residuals,
                                      const RowType& weights,
                                      const arma::uvec* points,
                                      const size_t units,
                                      const GBNNActivation activation,
                                      const double l2,
                                      const gbnn::Random& random,
                                      const gbnn::InputPieces& inputPieces) :
    Base(data, weights, points, inputPieces, units, residuals.n_rows,
        activation, false, inputPieces.NumbersInUse(data.n_rows), 1, random),
    residuals(residuals),
    l2(l2),
    targetBlocks(residuals, points, pointBlocks.BlockSize(),
        gbnn::InputFrame<MatType, ElemType>(), gbnn::InputPieces(), &cut),
    weightBlocks(weights, weights.is_empty() ? nullptr : points,
        pointBlocks.BlockSize(), gbnn::InputFrame<RowType, ElemType>(),
        gbnn::InputPieces(), weights.is_empty() ? nullptr : &cut)
{ }

template<typename MatType>
typename StageFunction<MatType>::Block StageFunction<MatType>::GetBlock(
    const size_t b, ElemType* scratch) const
{
  ElemType* targetScratch = scratch + pointBlocks.ScratchSize();
  ElemType* weightScratch = targetScratch + outputs * BlockSize();
  return { pointBlocks.Block(b, scratch), targetBlocks.Block(b, targetScratch),
      weights.is_empty() ? nullptr :
          weightBlocks.Block(b, weightScratch).values, pointBlocks.Count(b) };
}

template<typename MatType>
typename StageFunction<MatType>::Block StageFunction<MatType>::BlockOf(
    const arma::uword* columns, const size_t count, ElemType* scratch) const
{
  const auto point = [&](const size_t i) { return columns[i]; };
  const gbnn::Strips<const ElemType> packed = pointBlocks.PackAny(point, count,
      scratch);
  const gbnn::Strips<ElemType> targets = { scratch + pointBlocks.ScratchSize(),
      outputs };
  const gbnn::Strips<ElemType> weight = { targets.values +
      outputs * BlockSize(), 1 };
  gbnn::Pack(residuals, point, count, targets);
  if (!weights.is_empty())
    gbnn::Pack(weights, point, count, weight);
  return { packed, targets, weights.is_empty() ? nullptr : weight.values,
      count };
}

template<typename MatType>
double StageFunction<MatType>::AddBlock(const UnitWeights& current,
                                        const Block& block,
                                        Workspace& workspace,
                                        ElemType* gradient) const
{
  const size_t strips = gbnn::NumStrips<ElemType>(block.count);
  const gbnn::Strips<ElemType> error = workspace.output;
  const gbnn::WeightView<const ElemType> w2 = { current.units.memptr() +
      layout.w2, 1, outputs };

  this->ActivateUnits(current, block.points, block.count, workspace.hidden);
  gbnn::Affine<ElemType>(workspace.hidden, w2, current.biases, error, strips);
  const double sum = WeightError(block, error);

  if (gradient)
  {
    gbnn::Correlate<ElemType>(error, workspace.hidden,
        { gradient + layout.w2, 1, outputs }, strips);
    gbnn::AddRowSums<ElemType>(error, gradient + layout.b2, strips);
    gbnn::Affine<ElemType>(error, w2.Transposed(), nullptr,
        workspace.hiddenDelta, strips);
    this->AddHiddenGradient(block, workspace, gradient);
  }
  return sum / 2;
}

template<typename MatType>
double StageFunction<MatType>::WeightError(
    const Block& block, const gbnn::Strips<ElemType> error) const
{
  constexpr size_t size = gbnn::StripSize<ElemType>;
  // The padding after the last point must not count as an error.
  const size_t strips = gbnn::NumStrips<ElemType>(block.count);
  const size_t used = block.count - (strips - 1) * size;
  for (size_t k = 0; k < outputs; ++k)
    std::fill_n(error.Row(strips - 1, k) + used, size - used, ElemType(0));

  return gbnn::SubtractTargets<ElemType>(error, block.targets, block.weights,
      strips);
}

template<typename MatType>
double StageFunction<MatType>::AddPenalty(const MatType& parameters,
                                          MatType* gradient,
                                          const double scale) const
{
  if (l2 == 0)
    return 0;

  double sum = 0;
  const auto add = [&](const size_t begin, const size_t end)
  {
    for (size_t i = begin; i < end; ++i)
    {
      sum += double(parameters[i]) * parameters[i];
      if (gradient)
        (*gradient)[i] += ElemType(l2 * scale * parameters[i]);
    }
  };
  add(0, layout.b1);
  add(layout.w2, layout.b2);
  return l2 * sum / 2;
}

template<typename MatType>
typename MatType::elem_type StageFunction<MatType>::Compute(
    const MatType& parameters, MatType* gradient) const
{
  current.Set(*this, parameters);
  const double value = this->Sum(parameters, current, gradient) +
      AddPenalty(parameters, gradient, 1.0);
  if (gradient)
    *gradient /= ElemType(this->totalWeight);
  return ElemType(value / this->totalWeight);
}

template<typename MatType>
typename MatType::elem_type StageFunction<MatType>::Compute(
    const MatType& parameters,
    MatType* gradient,
    const size_t begin,
    const size_t batchSize) const
{
  const double value = this->Sum(parameters, UnitWeights(*this, parameters),
      gradient, begin, batchSize);
  // Each point has its share of the penalty.
  const double share = double(batchSize) / order.n_elem;
  return ElemType(value + share * AddPenalty(parameters, gradient, share));
}

template<typename MatType>
MatType StageFunction<MatType>::InitialPoint(gbnn::Random& random) const
{
  MatType parameters(NumParameters(), 1);
  // Glorot and Bengio's rule, with the constants of scikit-learn, which the
  // paper's experiments used.
  const double factor = (activation == GBNNActivation::LOGISTIC) ? 2.0 : 6.0;
  const double bound1 = std::sqrt(factor / (inputs + units));
  const double bound2 = std::sqrt(factor / (units + outputs));
  for (size_t i = 0; i < parameters.n_elem; ++i)
  {
    const double bound = (i < layout.w2) ? bound1 : bound2;
    parameters[i] = ElemType(bound * (2 * random.Uniform() - 1));
  }
  return parameters;
}

} // namespace mlpack

#endif
