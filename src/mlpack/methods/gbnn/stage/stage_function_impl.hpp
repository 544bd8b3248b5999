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
    data(data),
    residuals(residuals),
    weights(weights),
    inputPieces(inputPieces),
    inputs(inputPieces.Inputs(data.n_rows)),
    units(units),
    outputs(residuals.n_rows),
    activation(activation),
    l2(l2),
    cut(gbnn::PointCut::Of(data.n_cols).Subset(points)),
    pointBlocks(data, points, gbnn::BlockSize<ElemType>(
        inputPieces.NumbersInUse(data.n_rows)),
        gbnn::InputFrame<MatType, ElemType>(), inputPieces, &cut),
    targetBlocks(residuals, points, pointBlocks.BlockSize(),
        gbnn::InputFrame<MatType, ElemType>(), gbnn::InputPieces(), &cut),
    weightBlocks(weights, weights.is_empty() ? nullptr : points,
        pointBlocks.BlockSize(), gbnn::InputFrame<RowType, ElemType>(),
        gbnn::InputPieces(), weights.is_empty() ? nullptr : &cut),
    random(random),
    // Two operations for each product, forward and back.
    pieces(cut, CellBlocks(), TotalBlocks(), 4 * units *
        (inputPieces.BlockRows(data.n_rows) + outputs +
        gbnn::RoughActivationCost) * BlockSize(),
        inputPieces.MaxParts(TotalPoints())),
    workspaces(pieces.Count())
{
  layout.w1 = 0;
  layout.b1 = units * inputs;
  layout.w2 = layout.b1 + units;
  layout.b2 = layout.w2 + outputs * units;

  if (points)
    order = *points;
  else if (data.n_cols > 0)
    order = arma::regspace<arma::uvec>(0, data.n_cols - 1);

  totalWeight = cut.TotalWeight(weights, order);
}

template<typename MatType>
StageFunction<MatType>::Workspace::Workspace(const StageFunction& f)
{
  const size_t size = f.BlockSize();
  memory.set_size(f.ScratchSize() + (2 * f.units + f.outputs) * size);
  scratch = memory.memptr();
  hidden = { scratch + f.ScratchSize(), f.units };
  hiddenDelta = { hidden.values + f.units * size, f.units };
  error = { hiddenDelta.values + f.units * size, f.outputs };
}

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
double StageFunction<MatType>::AddBlock(const ElemType* parameters,
                                        const HiddenSums& sums,
                                        const Block& block,
                                        Workspace& workspace,
                                        ElemType* gradient) const
{
  const size_t strips = gbnn::NumStrips<ElemType>(block.count);
  const size_t padded = strips * gbnn::StripSize<ElemType>;
  const gbnn::Strips<ElemType> hidden = workspace.hidden;
  const gbnn::Strips<ElemType> delta = workspace.hiddenDelta;
  const gbnn::Strips<ElemType> error = workspace.error;
  const gbnn::WeightView<const ElemType> w2 = { parameters + layout.w2, 1,
      outputs };

  sums.Compute(inputPieces, block.points, HiddenWeights(parameters),
      parameters + layout.b1, 0, hidden, strips);
  gbnn::Activate(activation, hidden.values, units * padded);
  gbnn::Affine<ElemType>(hidden, w2, parameters + layout.b2, error, strips);
  const double sum = WeightError(block, error);

  if (gradient)
  {
    gbnn::Correlate<ElemType>(error, hidden,
        { gradient + layout.w2, 1, outputs }, strips);
    gbnn::AddRowSums<ElemType>(error, gradient + layout.b2, strips);
    gbnn::Affine<ElemType>(error, w2.Transposed(), nullptr, delta, strips);
    gbnn::MultiplySlope(activation, delta.values, hidden.values,
        units * padded);
    workspace.hiddenGradient.Add(inputPieces, delta, block.points,
        { gradient + layout.w1, 1, units }, strips);
    gbnn::AddRowSums<ElemType>(delta, gradient + layout.b1, strips);
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
  add(layout.w1, layout.b1);
  add(layout.w2, layout.b2);
  return l2 * sum / 2;
}

template<typename MatType>
typename MatType::elem_type StageFunction<MatType>::Full(
    const MatType& parameters, MatType* gradient) const
{
  const size_t size = gradient ? NumParameters() : 0;
  hiddenSums.Set(inputPieces, HiddenWeights(parameters.memptr()),
      parameters.memptr() + layout.b1, 0, units);
  pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
  {
    if (!workspaces[piece])
      workspaces[piece] = std::make_unique<Workspace>(*this);
    Workspace& workspace = *workspaces[piece];
    workspace.gradient.zeros(size);
    if (gradient)
      workspace.hiddenGradient.Clear(inputPieces, units);
    workspace.sum = 0;
    for (size_t b = begin; b < end; ++b)
    {
      workspace.sum += AddBlock(parameters.memptr(), hiddenSums, GetBlock(b,
          workspace.scratch), workspace,
          gradient ? workspace.gradient.memptr() : nullptr);
    }
  });

  double value = 0;
  const gbnn::GroupSums values = { 1, [&](const size_t piece)
      { return &workspaces[piece]->sum; }, &value };
  pieces.SumGroups(values);
  if (gradient)
  {
    for (size_t g = 0; g < pieces.Groups(); ++g)
    {
      Workspace& first = *workspaces[pieces.FirstPiece(g)];
      for (size_t piece = pieces.FirstPiece(g) + 1;
          piece < pieces.FirstPiece(g + 1); ++piece)
      {
        for (size_t i = 0; i < size; ++i)
          first.gradient[i] += workspaces[piece]->gradient[i];
        first.hiddenGradient.Add(workspaces[piece]->hiddenGradient);
      }
      first.hiddenGradient.Finish(inputPieces, units,
          { first.gradient.memptr() + layout.w1, 1, units });
    }
    gradient->set_size(parameters.n_rows, parameters.n_cols);
    pieces.CombineGroups(values, gbnn::GroupSums{ size, [&](const size_t piece)
        { return workspaces[piece]->gradient.memptr(); },
        gradient->memptr() });
  }
  else
    pieces.CombineGroups(values);
  value += AddPenalty(parameters, gradient, 1.0);
  if (gradient)
    *gradient /= ElemType(totalWeight);
  return ElemType(value / totalWeight);
}

template<typename MatType>
typename MatType::elem_type StageFunction<MatType>::Batch(
    const MatType& parameters,
    const size_t begin,
    MatType* gradient,
    const size_t batchSize) const
{
  if (cut.Communicator())
  {
    throw std::invalid_argument("StageFunction: batches of points cannot be "
        "shared by several ranks yet; use an optimizer that takes all points "
        "at once, such as the default one or L-BFGS");
  }
  if (gradient)
    gradient->zeros(parameters.n_rows, parameters.n_cols);
  Workspace workspace(*this);
  workspace.hiddenGradient.Clear(inputPieces, units);
  HiddenSums sums;
  sums.Set(inputPieces, HiddenWeights(parameters.memptr()),
      parameters.memptr() + layout.b1, 0, units);
  const size_t blockSize = BlockSize();
  const gbnn::Strips<ElemType> targets = { workspace.scratch +
      pointBlocks.ScratchSize(), outputs };
  const gbnn::Strips<ElemType> weight = { targets.values + outputs * blockSize,
      1 };
  double value = 0;
  for (size_t first = begin; first < begin + batchSize; first += blockSize)
  {
    const size_t count = std::min(blockSize, begin + batchSize - first);
    const auto point = [&](const size_t i) { return order[first + i]; };
    const gbnn::Strips<const ElemType> points = pointBlocks.PackAny(point,
        count, workspace.scratch);
    gbnn::Pack(residuals, point, count, targets);
    if (!weights.is_empty())
      gbnn::Pack(weights, point, count, weight);
    const Block block = { points, targets,
        weights.is_empty() ? nullptr : weight.values, count };
    value += AddBlock(parameters.memptr(), sums, block, workspace,
        gradient ? gradient->memptr() : nullptr);
  }
  if (gradient)
    workspace.hiddenGradient.Finish(inputPieces, units,
        { gradient->memptr() + layout.w1, 1, units });
  // Each point has its share of the penalty.
  const double share = double(batchSize) / order.n_elem;
  value += share * AddPenalty(parameters, gradient, share);
  return ElemType(value);
}

template<typename MatType>
typename MatType::elem_type StageFunction<MatType>::Evaluate(
    const MatType& parameters) const
{
  return Full(parameters, nullptr);
}

template<typename MatType>
void StageFunction<MatType>::Gradient(const MatType& parameters,
                                      MatType& gradient) const
{
  Full(parameters, &gradient);
}

template<typename MatType>
typename MatType::elem_type StageFunction<MatType>::EvaluateWithGradient(
    const MatType& parameters, MatType& gradient) const
{
  return Full(parameters, &gradient);
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

template<typename MatType>
void StageFunction<MatType>::Shuffle()
{
  for (size_t i = order.n_elem; i > 1; --i)
    std::swap(order[i - 1], order[random.Below(i)]);
}

template<typename MatType>
typename MatType::elem_type StageFunction<MatType>::Evaluate(
    const MatType& parameters, const size_t begin, const size_t batchSize) const
{
  return Batch(parameters, begin, nullptr, batchSize);
}

template<typename MatType>
void StageFunction<MatType>::Gradient(const MatType& parameters,
                                      const size_t begin,
                                      MatType& gradient,
                                      const size_t batchSize) const
{
  Batch(parameters, begin, &gradient, batchSize);
}

template<typename MatType>
typename MatType::elem_type StageFunction<MatType>::EvaluateWithGradient(
    const MatType& parameters,
    const size_t begin,
    MatType& gradient,
    const size_t batchSize) const
{
  return Batch(parameters, begin, &gradient, batchSize);
}

} // namespace mlpack

#endif
