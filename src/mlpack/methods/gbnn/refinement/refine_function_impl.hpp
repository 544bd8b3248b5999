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
    Base(data, weights, points, network.Pieces(), network.Units(),
        network.Outputs(), network.Activation(), true,
        network.Pieces().BlockRows(data.n_rows) + 2 * network.Units(), 2,
        random),
    targets(targets),
    loss(loss)
{
  // A rank without points has no weights.
  const int size = gbnn::AnyRank(cut.Communicator(), !weights.is_empty()) ?
      std::ilogb(totalWeight / double(cut.TotalPoints())) : 0;
  weightScale = std::ldexp(1.0, std::min(1000, std::max(-1000, -size)));

  initial = arma::join_cols(arma::vectorise(network.HiddenWeights()),
      network.HiddenBias(), arma::vectorise(network.OutputWeights()),
      arma::vectorise(network.OutputBias().cols(arma::conv_to<
      arma::uvec>::from(cuts))));
  initial.tail_rows(NumParameters() - layout.w2) /= ElemType(scoreScale);
}

template<typename MatType, typename LossType, typename RealType>
MatType RefineFunction<MatType, LossType, RealType>::Scores(
    const MatType& parameters) const
{
  const UnitWeights current(*this, parameters);
  const ElemType* bias = current.biases + (cuts.size() - 1) * outputs;
  MatType scores(outputs, this->order.n_elem);
  this->pieces.ForEach([&](const size_t piece, const size_t begin,
      const size_t end)
  {
    Workspace& workspace = this->GetWorkspace(piece);
    for (size_t b = begin; b < end; ++b)
    {
      const Block block = GetBlock(b, workspace.scratch);
      this->ActivateUnits(current, block.points, block.count,
          workspace.hidden);
      gbnn::Affine<RealType>(workspace.hidden, { current.units.memptr() +
          layout.w2, 1, outputs }, nullptr, workspace.output,
          gbnn::NumStrips<RealType>(block.count));
      for (size_t i = 0; i < block.count; ++i)
        for (size_t k = 0; k < outputs; ++k)
          scores(k, block.first + i) = ElemType(scoreScale) * (bias[k] +
              workspace.output.At(k, i));
    }
  });
  return scores;
}

template<typename MatType, typename LossType, typename RealType>
double RefineFunction<MatType, LossType, RealType>::AddBlock(
    const UnitWeights& current,
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

  this->ActivateUnits(current, block.points, block.count, workspace.hidden);
  const size_t strips = gbnn::NumStrips<RealType>(block.count);
  // Output of the units so far, without a bias.
  std::fill_n(workspace.output.values, outputs * strips *
      gbnn::StripSize<RealType>, RealType(0));
  const RealType* w2 = current.units.memptr() + layout.w2;
  double sum = 0;
  for (size_t c = 0; c < cuts.size(); ++c)
  {
    const size_t first = FirstUnit(c);
    gbnn::Multiply<RealType>(workspace.hidden.Part(first, cuts[c]),
        { w2 + first * outputs, 1, outputs }, workspace.output, strips);
    sum += AddLoss(current.biases + c * outputs, c, blockWeight, workspace);
  }
  if (gradient)
    AddGradient(w2, block, workspace, gradient);
  return sum;
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
  const gbnn::Strips<RealType> errors = Errors(workspace, c);
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
          workspace.output.At(k, i)));

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
      errors.At(k, i) = RealType(std::min(maximum, std::max(-maximum,
          error)));
    }
  }
  return cutWeights[c] * blockWeight / lossScale * value;
}

template<typename MatType, typename LossType, typename RealType>
void RefineFunction<MatType, LossType, RealType>::AddGradient(
    const RealType* w2,
    const Block& block,
    Workspace& workspace,
    ElemType* gradient) const
{
  const size_t strips = gbnn::NumStrips<RealType>(block.count);
  for (size_t c = cuts.size(); c-- > 0; )
  {
    const gbnn::Strips<RealType> errors = Errors(workspace, c);
    gbnn::AddRowSums<RealType>(errors, gradient + layout.b2 + c * outputs,
        strips);
    // A unit is part of its own cut and of all later ones.
    if (c + 1 < cuts.size())
    {
      const RealType* later = Errors(workspace, c + 1).values;
      for (size_t i = 0; i < outputs * strips * gbnn::StripSize<RealType>; ++i)
        errors.values[i] += later[i];
    }

    const size_t first = FirstUnit(c);
    gbnn::Correlate<RealType, ElemType>(errors, workspace.hidden.Part(first,
        cuts[c]), { gradient + layout.w2 + first * outputs, 1, outputs },
        strips);
    gbnn::Affine<RealType>(errors, { w2 + first * outputs, outputs, 1 },
        nullptr, workspace.hiddenDelta.Part(first, cuts[c]), strips);
  }
  this->AddHiddenGradient(block, workspace, gradient);
}

template<typename MatType, typename LossType, typename RealType>
template<typename... BatchTypes>
double RefineFunction<MatType, LossType, RealType>::Loss(
    const MatType& parameters,
    MatType* gradient,
    const double weight,
    const BatchTypes... batch) const
{
  const double value = this->Sum(parameters, UnitWeights(*this, parameters),
      gradient, batch...);
  if (gradient)
  {
    *gradient *= ElemType(1 / (weightScale * weight));
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
    return (Loss(parameters, nullptr, totalWeight) +
        AddPenalty(parameters, nullptr, 0)) / totalWeight;
  if (!std::equal(parameters.begin(), parameters.end(), lastParameters.begin(),
      lastParameters.end()))
  {
    lastValue = Loss(parameters, &lastGradient, totalWeight);
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
  const double value = Loss(parameters, gradient, 1, begin, batchSize);
  // Each point brings its share of the penalty.
  const double share = double(batchSize) / this->order.n_elem;
  return value + share * AddPenalty(parameters, gradient, share);
}

} // namespace mlpack

#endif
