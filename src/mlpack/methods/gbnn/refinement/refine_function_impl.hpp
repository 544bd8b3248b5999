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
    data(data),
    targets(targets),
    weights(weights),
    loss(loss),
    scoreScale(terms.scoreScale),
    lossScale(terms.lossScale),
    inputPieces(network.Pieces()),
    inputs(network.Inputs()),
    units(network.Units()),
    outputs(network.Outputs()),
    activation(network.Activation()),
    cuts(terms.cuts),
    cutWeights(terms.cutWeights),
    widest(0),
    l2(terms.l2),
    outputL2(terms.outputL2),
    pointBlocks(data, points,
        gbnn::BlockSize<RealType>(inputPieces.BlockRows(data.n_rows) +
            2 * network.Units()),
        inputPieces.IsLinear() ?
            gbnn::InputFrame<MatType, RealType>(data, points) :
            gbnn::InputFrame<MatType, RealType>(inputs),
        network.Pieces()),
    points(points),
    random(random),
    // Each piece has a gradient of its own to add up, which should take little
    // beside its blocks.
    pieces(pointBlocks.NumBlocks(), 4 * network.Units() *
        (inputPieces.BlockRows(data.n_rows) + network.Outputs() + 8) *
        pointBlocks.BlockSize(), std::min(1 + pointBlocks.NumBlocks() / 2,
        inputPieces.MaxParts(pointBlocks.NumPoints()))),
    workspaces(pieces.Count())
{
  layout.w1 = 0;
  layout.b1 = units * inputs;
  layout.w2 = layout.b1 + units;
  layout.b2 = layout.w2 + outputs * units;
  for (size_t c = 0; c < cuts.size(); ++c)
    widest = std::max(widest, cuts[c] - FirstUnit(c));

  if (points)
    order = *points;
  else
    order = arma::regspace<arma::uvec>(0, data.n_cols - 1);

  if (weights.is_empty())
    totalWeight = order.n_elem;
  else
    totalWeight = arma::accu(arma::conv_to<arma::rowvec>::from(weights.elem(
        order)));
  const int size = weights.is_empty() ? 0 : std::ilogb(totalWeight /
      double(order.n_elem));
  weightScale = std::ldexp(1.0, std::min(1000, std::max(-1000, -size)));
  initial = Parameters(network);
}

template<typename MatType, typename LossType, typename RealType>
MatType RefineFunction<MatType, LossType, RealType>::Parameters(
    const BoostedNetwork<MatType>& network) const
{
  MatType parameters(NumParameters(), 1);
  ElemType* to = parameters.memptr();
  const auto copy = [&](const auto& from)
  {
    to = std::copy_n(from.memptr(), from.n_elem, to);
  };
  copy(network.HiddenWeights());
  copy(network.HiddenBias());
  copy(network.OutputWeights());
  for (const size_t cut : cuts)
    copy(network.OutputBias().col(cut).eval());
  parameters.tail_rows(NumParameters() - layout.w2) /= ElemType(scoreScale);
  return parameters;
}

template<typename MatType, typename LossType, typename RealType>
void RefineFunction<MatType, LossType, RealType>::Update(
    const MatType& parameters, BoostedNetwork<MatType>& network) const
{
  const ElemType* p = parameters.memptr();
  network.Replace(MatType(p + layout.w1, inputs, units),
      arma::Col<ElemType>(p + layout.b1, units),
      MatType(p + layout.w2, outputs, units) * ElemType(scoreScale),
      cuts, MatType(p + layout.b2, outputs, cuts.size()) * ElemType(scoreScale),
      data, weights);
}

template<typename MatType, typename LossType, typename RealType>
void RefineFunction<MatType, LossType, RealType>::Cool(
    MatType& parameters, const double temperature) const
{
  parameters.tail_rows(NumParameters() - layout.w2) /= ElemType(temperature);
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
      Clear(block, workspace);
      for (size_t c = 0; c < cuts.size(); ++c)
        AddUnits(current, c, block, workspace);
      for (size_t i = 0; i < block.count; ++i)
        for (size_t k = 0; k < outputs; ++k)
          scores(k, block.first + i) = ElemType(scoreScale) * (bias[k] +
              workspace.output.Row(i / size, k)[i % size]);
    }
  });
  return scores;
}

template<typename MatType, typename LossType, typename RealType>
RefineFunction<MatType, LossType, RealType>::Workspace::Workspace(
    const RefineFunction& f)
{
  const size_t size = f.pointBlocks.BlockSize();
  const size_t scratchSize = f.pointBlocks.ScratchSize();
  memory.set_size(scratchSize + (f.units + f.widest +
      (1 + f.cuts.size()) * f.outputs) * size);
  points = memory.memptr();
  hidden = points + scratchSize;
  hiddenDelta = hidden + f.units * size;
  output = { hiddenDelta + f.widest * size, f.outputs };
  errors = output.values + f.outputs * size;
}

template<typename MatType, typename LossType, typename RealType>
gbnn::Strips<RealType>
RefineFunction<MatType, LossType, RealType>::Workspace::Hidden(
    const RefineFunction& f, const size_t cut)
{
  const size_t first = f.FirstUnit(cut);
  return { hidden + first * f.pointBlocks.BlockSize(), f.cuts[cut] - first };
}

template<typename MatType, typename LossType, typename RealType>
typename RefineFunction<MatType, LossType, RealType>::Workspace&
RefineFunction<MatType, LossType, RealType>::GetWorkspace(
    const size_t piece) const
{
  if (!workspaces[piece])
    workspaces[piece] = std::make_unique<Workspace>(*this);
  return *workspaces[piece];
}

template<typename MatType, typename LossType, typename RealType>
RefineFunction<MatType, LossType, RealType>::Weights::Weights(
    const RefineFunction& f, const MatType& parameters) :
    units(f.layout.b2), biases(parameters.memptr() + f.layout.b2)
{
  const ElemType* p = parameters.memptr();
  f.pointBlocks.Frame().ToFrame(p, p + f.layout.b1, f.units, units.memptr(),
      units.memptr() + f.layout.b1);
  std::copy(p + f.layout.w2, biases, units.memptr() + f.layout.w2);
  SetSums(f);
}

template<typename MatType, typename LossType, typename RealType>
void RefineFunction<MatType, LossType, RealType>::Weights::SetSums(
    const RefineFunction& f)
{
  sums.Set(f.inputPieces, { units.memptr() + f.layout.w1, f.inputs, 1 },
      units.memptr() + f.layout.b1, 0, f.units);
}

template<typename MatType, typename LossType, typename RealType>
double RefineFunction<MatType, LossType, RealType>::AddBlock(
    const Weights& parameters,
    const Block& block,
    Workspace& workspace,
    ElemType* gradient) const
{
  const double blockWeight = Gather(block, workspace);
  if (blockWeight == 0)
    return 0;

  Clear(block, workspace);
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
void RefineFunction<MatType, LossType, RealType>::Clear(
    const Block& block, Workspace& workspace) const
{
  std::fill_n(workspace.output.values, outputs * gbnn::StripSize<RealType> *
      gbnn::NumStrips<RealType>(block.count), RealType(0));
}

template<typename MatType, typename LossType, typename RealType>
void RefineFunction<MatType, LossType, RealType>::AddUnits(
    const Weights& parameters,
    const size_t cut,
    const Block& block,
    Workspace& workspace) const
{
  const size_t strips = gbnn::NumStrips<RealType>(block.count);
  const size_t first = FirstUnit(cut);
  const gbnn::Strips<RealType> hidden = workspace.Hidden(*this, cut);
  const RealType* p = parameters.units.memptr();
  parameters.sums.Compute(inputPieces, block.points, { p + layout.w1, inputs,
      1 }, p + layout.b1, first, hidden, strips);
  gbnn::Activate(activation, hidden.values, hidden.rows * strips *
      gbnn::StripSize<RealType>);
  gbnn::Multiply<RealType>(hidden, { p + layout.w2 + first * outputs, 1,
      outputs }, workspace.output, strips);
}

template<typename MatType, typename LossType, typename RealType>
double RefineFunction<MatType, LossType, RealType>::Gather(
    const Block& block, Workspace& workspace) const
{
  // Memory of these matrices is kept from block to block.
  workspace.targets.set_size(outputs, block.count);
  workspace.weights.set_size(weights.is_empty() ? 0 : block.count);
  double sum = weights.is_empty() ? double(block.count) : 0;
  for (size_t i = 0; i < block.count; ++i)
  {
    const size_t column = block.columns ? block.columns[i] : block.first + i;
    std::copy_n(targets.colptr(column), outputs, workspace.targets.colptr(i));
    if (!weights.is_empty())
    {
      workspace.weights[i] = ElemType(weightScale * weights[column]);
      sum += workspace.weights[i];
    }
  }
  return sum;
}

template<typename MatType, typename LossType, typename RealType>
double RefineFunction<MatType, LossType, RealType>::AddLoss(
    const ElemType* bias,
    const size_t cut,
    const double blockWeight,
    Workspace& workspace) const
{
  constexpr size_t size = gbnn::StripSize<RealType>;
  const size_t count = workspace.targets.n_cols;
  const size_t strips = gbnn::NumStrips<RealType>(count);
  const gbnn::Strips<RealType> errors = { workspace.errors +
      cut * outputs * pointBlocks.BlockSize(), outputs };
  // Nothing of a cut that does not count, which may be infinite.
  if (cutWeights[cut] == 0)
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
        ElemType(-cutWeights[cut] * scoreScale / lossScale) *
        (workspace.weights.is_empty() ? ElemType(1) : workspace.weights[i]);
    for (size_t k = 0; k < outputs; ++k)
    {
      const ElemType error = weight * workspace.residuals(k, i);
      errors.Row(i / size, k)[i % size] = std::is_same_v<RealType, ElemType> ?
          RealType(error) : RealType(std::min(maximum, std::max(-maximum,
          error)));
    }
  }
  return cutWeights[cut] * blockWeight / lossScale * value;
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
    const gbnn::Strips<RealType> hidden = workspace.Hidden(*this, c);
    const gbnn::Strips<RealType> delta = { workspace.hiddenDelta, hidden.rows };
    gbnn::Correlate<RealType, ElemType>(errors, hidden,
        { gradient + layout.w2 + first * outputs, 1, outputs }, strips);
    gbnn::Affine<RealType>(errors, { parameters + layout.w2 + first * outputs,
        outputs, 1 }, nullptr, delta, strips);
    gbnn::MultiplySlope(activation, delta.values, hidden.values,
        hidden.rows * padded);
    workspace.hiddenGradient.Add(inputPieces, delta, block.points, first,
        { gradient + layout.w1, inputs, 1 }, strips);
    gbnn::AddRowSums<RealType>(delta, gradient + layout.b1 + first, strips);
  }
  workspace.hiddenGradient.EndBlock(block.count);
}

template<typename MatType, typename LossType, typename RealType>
double RefineFunction<MatType, LossType, RealType>::AddPenalty(
    const MatType& parameters, MatType* gradient, const double scale) const
{
  if (l2 == 0)
    return 0;

  double sum = 0;
  const auto add = [&](const size_t begin, const size_t end,
                       const double strength)
  {
    for (size_t i = begin; i < end; ++i)
    {
      const double x = parameters[i];
      sum += strength * x * x;
      if (gradient)
        (*gradient)[i] += ElemType(strength * scale * x);
    }
  };
  add(layout.w1, layout.b1, l2);
  add(layout.w2, layout.b2, l2 * outputL2);
  return sum / 2;
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
  for (const std::unique_ptr<Workspace>& workspace : workspaces)
    value += workspace->sum / weightScale;
  if (gradient)
  {
    // The sum of the pieces, per weight.
    const double factor = 1 / (weightScale * totalWeight);
    HiddenGradient& hidden = workspaces[0]->hiddenGradient;
    for (size_t piece = 1; piece < workspaces.size(); ++piece)
      hidden.Add(workspaces[piece]->hiddenGradient);
    gradient->zeros(parameters.n_rows, parameters.n_cols);
    hidden.Finish(inputPieces, units, { gradient->memptr() + layout.w1, inputs,
        1 });
    for (size_t i = layout.w1; i < layout.b1; ++i)
      (*gradient)[i] *= ElemType(factor);
    for (const std::unique_ptr<Workspace>& workspace : workspaces)
      for (size_t i = firstHere; i < size; ++i)
        (*gradient)[i] += ElemType(factor * workspace->gradient[i]);
    pointBlocks.Frame().FromFrame(gradient->memptr(),
        gradient->memptr() + layout.b1, units);
  }
  return value;
}

template<typename MatType, typename LossType, typename RealType>
double RefineFunction<MatType, LossType, RealType>::Total(
    const MatType& parameters, MatType* gradient) const
{
  double value;
  if (gradient)
  {
    if (!std::equal(parameters.begin(), parameters.end(),
        last.parameters.begin(), last.parameters.end()))
    {
      last.value = TotalLoss(parameters, &last.gradient);
      last.parameters = parameters;
    }
    value = last.value;
    *gradient = last.gradient;
  }
  else
    value = TotalLoss(parameters, nullptr);
  value += AddPenalty(parameters, gradient, 1 / totalWeight);
  return value / totalWeight;
}

template<typename MatType, typename LossType, typename RealType>
typename RefineFunction<MatType, LossType, RealType>::Block
RefineFunction<MatType, LossType, RealType>::GetBlock(
    const size_t b, Workspace& workspace) const
{
  const size_t first = b * pointBlocks.BlockSize();
  return { pointBlocks.Block(b, workspace.points),
      points ? points->memptr() + first : nullptr, first,
      pointBlocks.Count(b) };
}

template<typename MatType, typename LossType, typename RealType>
typename MatType::elem_type
RefineFunction<MatType, LossType, RealType>::Evaluate(
    const MatType& parameters) const
{
  return ElemType(Total(parameters, nullptr));
}

template<typename MatType, typename LossType, typename RealType>
void RefineFunction<MatType, LossType, RealType>::Gradient(
    const MatType& parameters, MatType& gradient) const
{
  Total(parameters, &gradient);
}

template<typename MatType, typename LossType, typename RealType>
typename MatType::elem_type
RefineFunction<MatType, LossType, RealType>::EvaluateWithGradient(
    const MatType& parameters, MatType& gradient) const
{
  return ElemType(Total(parameters, &gradient));
}

template<typename MatType, typename LossType, typename RealType>
typename MatType::elem_type
RefineFunction<MatType, LossType, RealType>::Batch(
    const MatType& parameters,
    const size_t begin,
    MatType* gradient,
    const size_t batchSize) const
{
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
  value += share * AddPenalty(parameters, gradient, share);
  return ElemType(value);
}

template<typename MatType, typename LossType, typename RealType>
void RefineFunction<MatType, LossType, RealType>::Shuffle()
{
  for (size_t i = order.n_elem; i > 1; --i)
    std::swap(order[i - 1], order[random.Below(i)]);
}

template<typename MatType, typename LossType, typename RealType>
typename MatType::elem_type
RefineFunction<MatType, LossType, RealType>::Evaluate(
    const MatType& parameters, const size_t begin, const size_t batchSize) const
{
  return Batch(parameters, begin, nullptr, batchSize);
}

template<typename MatType, typename LossType, typename RealType>
void RefineFunction<MatType, LossType, RealType>::Gradient(
    const MatType& parameters,
    const size_t begin,
    MatType& gradient,
    const size_t batchSize) const
{
  Batch(parameters, begin, &gradient, batchSize);
}

template<typename MatType, typename LossType, typename RealType>
typename MatType::elem_type
RefineFunction<MatType, LossType, RealType>::EvaluateWithGradient(
    const MatType& parameters,
    const size_t begin,
    MatType& gradient,
    const size_t batchSize) const
{
  return Batch(parameters, begin, &gradient, batchSize);
}

} // namespace mlpack

#endif
