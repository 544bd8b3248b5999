/**
 * @file methods/gbnn/refinement/refine_function_impl.hpp
 *
 * Implementation of the objective of nested refinement.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_REFINE_FUNCTION_IMPL_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_REFINE_FUNCTION_IMPL_HPP

#include "refine_function.hpp"

namespace mlpack {

template<typename MatType, typename LossType, typename RealType>
RefineFunction<MatType, LossType, RealType>::RefineFunction(
    const MatType& data,
    const MatType& targets,
    const RowType& weights,
    const arma::uvec* points,
    const BoostedNetwork<MatType>& network,
    const LossType& loss,
    const RefineTerms& terms,
    const gbnn::Random& random) :
    RefineTerms(terms),
    data(data),
    targets(targets),
    weights(weights),
    loss(loss),
    inputPieces(network.Pieces()),
    inputs(network.Inputs()),
    units(network.Units()),
    outputs(network.Outputs()),
    activation(network.Activation()),
    cut(gbnn::PointCut::Of(data.n_cols).Subset(points)),
    pointBlocks(data, points,
        gbnn::BlockSize<RealType>(inputPieces.BlockRows(data.n_rows) +
            2 * network.Units()),
        inputPieces.IsLinear() ?
            gbnn::InputFrame<MatType, RealType>(data, points, cut) :
            gbnn::InputFrame<MatType, RealType>(inputs),
        network.Pieces(), &cut),
    points(points),
    random(random),
    // Each piece has a gradient of its own to add up, which should take little
    // beside its blocks.
    pieces(cut, pointBlocks.CellBlocks(), pointBlocks.TotalBlocks(cut), 4 *
        network.Units() * (inputPieces.BlockRows(data.n_rows) +
        network.Outputs() + 8) * pointBlocks.BlockSize(), std::min(1 +
        pointBlocks.TotalBlocks(cut) / 2, inputPieces.MaxParts(
        cut.TotalPoints()))),
    workspaces(pieces.Count())
{
  layout = { 0, units * inputs, units * (inputs + 1),
      units * (inputs + 1 + outputs) };
  if (points)
    order = *points;
  else if (data.n_cols > 0)
    order = arma::regspace<arma::uvec>(0, data.n_cols - 1);
  totalWeight = cut.TotalWeight(weights, order);
  // A rank without points has no weights.
  const int size = gbnn::AnyRank(cut.Communicator(), !weights.is_empty()) ?
      std::ilogb(totalWeight / double(cut.TotalPoints())) : 0;
  weightScale = std::ldexp(1.0, std::min(1000, std::max(-1000, -size)));

  initial.set_size(NumParameters(), 1);
  ElemType* to = initial.memptr();
  const auto copy = [&](const MatType& from)
  {
    to = std::copy_n(from.memptr(), from.n_elem, to);
  };
  copy(network.HiddenWeights());
  copy(network.HiddenBias());
  copy(network.OutputWeights());
  for (const size_t number : cuts)
    copy(network.OutputBias().col(number));
  initial.tail_rows(NumParameters() - layout.w2) /= ElemType(scoreScale);
}

template<typename MatType, typename LossType, typename RealType>
MatType RefineFunction<MatType, LossType, RealType>::Scores(
    const MatType& parameters) const
{
  constexpr size_t size = gbnn::StripSize<RealType>;
  const Weights current(*this, parameters);
  const ElemType* bias = current.biases + (cuts.size() - 1) * outputs;
  MatType scores(outputs, order.n_elem);
  pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
  {
    Workspace& workspace = GetWorkspace(piece);
    for (size_t b = begin; b < end; ++b)
    {
      const Block block = GetBlock(b, workspace);
      Activate(current, block, workspace);
      gbnn::Affine<RealType>(workspace.hidden, { current.units.memptr() +
          layout.w2, 1, outputs }, nullptr, workspace.output,
          gbnn::NumStrips<RealType>(block.count));
      for (size_t i = 0; i < block.count; ++i)
        for (size_t k = 0; k < outputs; ++k)
          scores(k, block.first + i) = ElemType(scoreScale) * (bias[k] +
              workspace.output.Row(i / size, k)[i % size]);
    }
  });
  return scores;
}

template<typename MatType, typename LossType, typename RealType>
double RefineFunction<MatType, LossType, RealType>::AddBlock(
    const Weights& parameters,
    const Block& block,
    Workspace& workspace,
    ElemType* gradient) const
{
  // Memory of these matrices is kept from block to block.
  workspace.targets.set_size(outputs, block.count);
  workspace.weights.set_size(weights.is_empty() ? 0 : block.count);
  double blockWeight = weights.is_empty() ? double(block.count) : 0;
  for (size_t i = 0; i < block.count; ++i)
  {
    const size_t column = block.columns ? block.columns[i] : block.first + i;
    std::copy_n(targets.colptr(column), outputs, workspace.targets.colptr(i));
    if (!weights.is_empty())
    {
      workspace.weights[i] = ElemType(weightScale * weights[column]);
      blockWeight += workspace.weights[i];
    }
  }
  if (blockWeight == 0)
    return 0;

  Clear(block, workspace);
  Activate(parameters, block, workspace);
  double sum = 0;
  for (size_t c = 0; c < cuts.size(); ++c)
  {
    AddUnits(parameters, c, block, workspace);
    sum += AddLoss(parameters.biases + c * outputs, c, blockWeight, workspace);
  }
  if (gradient)
    AddGradient(parameters.units.memptr(), block, workspace, gradient);
  return sum;
}

template<typename MatType, typename LossType, typename RealType>
void RefineFunction<MatType, LossType, RealType>::Activate(
    const Weights& parameters,
    const Block& block,
    Workspace& workspace) const
{
  const size_t strips = gbnn::NumStrips<RealType>(block.count);
  const RealType* p = parameters.units.memptr();
  parameters.sums.Compute(inputPieces, block.points, { p + layout.w1, inputs,
      1 }, p + layout.b1, 0, workspace.hidden, strips);
  gbnn::Activate(activation, workspace.hidden.values, units * strips *
      gbnn::StripSize<RealType>);
}

template<typename MatType, typename LossType, typename RealType>
void RefineFunction<MatType, LossType, RealType>::AddUnits(
    const Weights& parameters,
    const size_t c,
    const Block& block,
    Workspace& workspace) const
{
  const size_t first = FirstUnit(c);
  gbnn::Multiply<RealType>(workspace.hidden.Part(first, cuts[c]),
      { parameters.units.memptr() + layout.w2 + first * outputs, 1, outputs },
      workspace.output, gbnn::NumStrips<RealType>(block.count));
}

template<typename MatType, typename LossType, typename RealType>
double RefineFunction<MatType, LossType, RealType>::AddLoss(
    const ElemType* bias,
    const size_t c,
    const double blockWeight,
    Workspace& workspace) const
{
  constexpr size_t size = gbnn::StripSize<RealType>;
  const size_t count = workspace.targets.n_cols;
  const size_t strips = gbnn::NumStrips<RealType>(count);
  const gbnn::Strips<RealType> errors = { workspace.errors +
      c * outputs * pointBlocks.BlockSize(), outputs };
  // Nothing of a cut that does not count, which may be infinite.
  if (cutWeights[c] == 0)
  {
    std::fill_n(errors.values, outputs * strips * size, RealType(0));
    return 0;
  }
  workspace.scores.set_size(outputs, count);
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < outputs; ++k)
      workspace.scores(k, i) = ScoreType(ElemType(scoreScale) * (bias[k] +
          workspace.output.Row(i / size, k)[i % size]));

  const double value = gbnn::ValueAndResiduals(loss, workspace.targets,
      workspace.scores, workspace.weights, workspace.residuals);
  // What stands after the last point is no error.
  for (size_t k = 0; k < outputs; ++k)
    std::fill_n(errors.Row(strips - 1, k), size, RealType(0));
  // What is too large for single precision, where the loss is as large, stays
  // finite.
  constexpr ElemType maximum = ElemType(std::numeric_limits<RealType>::max() /
      1e6);
  for (size_t i = 0; i < count; ++i)
  {
    const ElemType weight =
        ElemType(-cutWeights[c] * scoreScale / lossScale) *
        (workspace.weights.is_empty() ? ElemType(1) : workspace.weights[i]);
    for (size_t k = 0; k < outputs; ++k)
    {
      const ElemType error = weight * workspace.residuals(k, i);
      errors.Row(i / size, k)[i % size] = RealType(std::min(maximum,
          std::max(-maximum, error)));
    }
  }
  return cutWeights[c] * blockWeight / lossScale * value;
}

template<typename MatType, typename LossType, typename RealType>
void RefineFunction<MatType, LossType, RealType>::AddGradient(
    const RealType* parameters,
    const Block& block,
    Workspace& workspace,
    ElemType* gradient) const
{
  const size_t strips = gbnn::NumStrips<RealType>(block.count);
  const size_t padded = strips * gbnn::StripSize<RealType>;
  const size_t blockSize = pointBlocks.BlockSize();
  const gbnn::Strips<RealType> hidden = workspace.hidden;
  const gbnn::Strips<RealType> delta = workspace.hiddenDelta;
  for (size_t c = cuts.size(); c-- > 0; )
  {
    const gbnn::Strips<RealType> errors = { workspace.errors +
        c * outputs * blockSize, outputs };
    gbnn::AddRowSums<RealType>(errors, gradient + layout.b2 + c * outputs,
        strips);
    // A unit is part of its own cut and of all later ones.
    if (c + 1 < cuts.size())
    {
      const RealType* later = errors.values + outputs * blockSize;
      for (size_t i = 0; i < outputs * padded; ++i)
        errors.values[i] += later[i];
    }

    const size_t first = FirstUnit(c);
    gbnn::Correlate<RealType, ElemType>(errors, hidden.Part(first, cuts[c]),
        { gradient + layout.w2 + first * outputs, 1, outputs }, strips);
    gbnn::Affine<RealType>(errors, { parameters + layout.w2 + first * outputs,
        outputs, 1 }, nullptr, delta.Part(first, cuts[c]), strips);
  }
  gbnn::MultiplySlope(activation, delta.values, hidden.values, units * padded);
  workspace.hiddenGradient.Add(inputPieces, delta, block.points,
      { gradient + layout.w1, inputs, 1 }, strips);
  gbnn::AddRowSums<RealType>(delta, gradient + layout.b1, strips);
  workspace.hiddenGradient.EndBlock(block.count);
}

template<typename MatType, typename LossType, typename RealType>
double RefineFunction<MatType, LossType, RealType>::TotalLoss(
    const MatType& parameters, MatType* gradient) const
{
  const size_t size = gradient ? NumParameters() : 0;
  const Weights current(*this, parameters);
  // Sums by bins are kept elsewhere.
  const size_t firstHere = inputPieces.IsLinear() ? layout.w1 : layout.b1;
  pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
  {
    Workspace& workspace = GetWorkspace(piece);
    workspace.gradient.set_size(size);
    if (gradient)
    {
      std::fill(workspace.gradient.begin() + firstHere,
          workspace.gradient.end(), ElemType(0));
      workspace.hiddenGradient.Clear(inputPieces, units);
    }
    workspace.sum = 0;
    for (size_t b = begin; b < end; ++b)
    {
      workspace.sum += AddBlock(current, GetBlock(b, workspace), workspace,
          gradient ? workspace.gradient.memptr() : nullptr);
    }
  });

  double value = 0;
  const gbnn::GroupSums values = { 1, [&](const size_t piece)
      { return &workspaces[piece]->sum; }, &value };
  pieces.SumGroups(values);
  if (!gradient)
    pieces.CombineGroups(values);
  else
  {
    for (size_t g = 0; g < pieces.Groups(); ++g)
    {
      Workspace& first = *workspaces[pieces.FirstPiece(g)];
      for (size_t piece = pieces.FirstPiece(g) + 1;
          piece < pieces.FirstPiece(g + 1); ++piece)
      {
        for (size_t i = firstHere; i < size; ++i)
          first.gradient[i] += workspaces[piece]->gradient[i];
        first.hiddenGradient.Add(workspaces[piece]->hiddenGradient);
      }
      std::fill_n(first.gradient.begin(), firstHere, ElemType(0));
      first.hiddenGradient.Finish(inputPieces, units,
          { first.gradient.memptr() + layout.w1, inputs, 1 });
    }
    gradient->set_size(parameters.n_rows, parameters.n_cols);
    pieces.CombineGroups(values, gbnn::GroupSums{ size, [&](const size_t piece)
        { return workspaces[piece]->gradient.memptr(); },
        gradient->memptr() });
    // Per weight.
    *gradient *= ElemType(1 / (weightScale * totalWeight));
    pointBlocks.Frame().FromFrame(gradient->memptr(),
        gradient->memptr() + layout.b1, units);
  }
  return value / weightScale;
}

template<typename MatType, typename LossType, typename RealType>
double RefineFunction<MatType, LossType, RealType>::Evaluate(
    const MatType& parameters, MatType* gradient) const
{
  if (!gradient)
    return (TotalLoss(parameters, nullptr) +
        AddPenalty(parameters, nullptr, 0)) / totalWeight;
  if (!std::equal(parameters.begin(), parameters.end(), lastParameters.begin(),
      lastParameters.end()))
  {
    lastValue = TotalLoss(parameters, &lastGradient);
    lastParameters = parameters;
  }
  *gradient = lastGradient;
  return (lastValue + AddPenalty(parameters, gradient, 1 / totalWeight)) /
      totalWeight;
}

template<typename MatType, typename LossType, typename RealType>
double RefineFunction<MatType, LossType, RealType>::Evaluate(
    const MatType& parameters,
    const size_t begin,
    const size_t batchSize,
    MatType* gradient) const
{
  if (cut.Communicator())
  {
    throw std::invalid_argument("RefineFunction: batches of points cannot be "
        "shared by several ranks yet; use an optimizer that takes all points "
        "at once, such as the default one");
  }
  if (gradient)
    gradient->zeros(parameters.n_rows, parameters.n_cols);
  Workspace workspace(*this);
  workspace.hiddenGradient.Clear(inputPieces, units);
  const Weights current(*this, parameters);
  const size_t blockSize = pointBlocks.BlockSize();
  double value = 0;
  for (size_t first = begin; first < begin + batchSize; first += blockSize)
  {
    const arma::uword* columns = order.memptr() + first;
    const size_t count = std::min(blockSize, begin + batchSize - first);
    const Block block = { pointBlocks.PackAny([&](const size_t i)
        { return columns[i]; }, count, workspace.points), columns, 0, count };
    value += AddBlock(current, block, workspace,
        gradient ? gradient->memptr() : nullptr);
  }
  value /= weightScale;
  if (gradient)
  {
    workspace.hiddenGradient.Finish(inputPieces, units,
        { gradient->memptr() + layout.w1, inputs, 1 });
    pointBlocks.Frame().FromFrame(gradient->memptr(),
        gradient->memptr() + layout.b1, units);
    *gradient /= ElemType(weightScale);
  }
  // Each point brings its share of the penalty.
  const double share = double(batchSize) / order.n_elem;
  return value + share * AddPenalty(parameters, gradient, share);
}

} // namespace mlpack

#endif
