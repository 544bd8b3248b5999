/**
 * @file methods/gbnn/refine_function_impl.hpp
 *
 * Implementation of the objective of nested refinement.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINE_FUNCTION_IMPL_HPP
#define MLPACK_METHODS_GBNN_REFINE_FUNCTION_IMPL_HPP

#include "refine_function.hpp"

namespace mlpack {

template<typename MatType, typename LossType>
RefineFunction<MatType, LossType>::RefineFunction(
    const MatType& data,
    const MatType& targets,
    const RowType& weights,
    const arma::uvec* points,
    const BoostedNetwork<MatType>& network,
    const LossType& loss,
    const double unit,
    const double lossUnit,
    const std::vector<size_t>& cuts,
    const std::vector<double>& cutWeights,
    const double l2,
    const gbnn::Random& random) :
    data(data),
    targets(targets),
    weights(weights),
    loss(loss),
    unit(unit),
    lossUnit(lossUnit),
    units(network.Units()),
    outputs(network.Outputs()),
    activation(network.Activation()),
    cuts(cuts),
    cutWeights(cutWeights),
    widest(0),
    l2(l2),
    pointBlocks(data, points,
        gbnn::BlockSize<ElemType>(data.n_rows + 2 * network.Units())),
    points(points),
    random(random),
    pieces(pointBlocks.NumBlocks(), 4 * network.Units() *
        (data.n_rows + network.Outputs() + 8) * pointBlocks.BlockSize()),
    workspaces(pieces.Count())
{
  layout.w1 = 0;
  layout.b1 = units * data.n_rows;
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
  initial = Parameters(network);
}

template<typename MatType, typename LossType>
MatType RefineFunction<MatType, LossType>::Parameters(
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
  parameters.tail_rows(NumParameters() - layout.w2) /= ElemType(unit);
  return parameters;
}

template<typename MatType, typename LossType>
void RefineFunction<MatType, LossType>::Update(
    const MatType& parameters, BoostedNetwork<MatType>& network) const
{
  const ElemType* p = parameters.memptr();
  network.Replace(MatType(p + layout.w1, data.n_rows, units),
      arma::Col<ElemType>(p + layout.b1, units),
      MatType(p + layout.w2, outputs, units) * ElemType(unit),
      cuts, MatType(p + layout.b2, outputs, cuts.size()) * ElemType(unit),
      data, weights);
}

template<typename MatType, typename LossType>
void RefineFunction<MatType, LossType>::Cool(MatType& parameters,
                                             const double temperature) const
{
  parameters.tail_rows(NumParameters() - layout.w2) /= ElemType(temperature);
}

template<typename MatType, typename LossType>
gbnn::Tempered RefineFunction<MatType, LossType>::BestTemperature(
    const MatType& parameters) const
{
  const auto value = [&](const double logarithm)
  {
    MatType cooled = parameters;
    Cool(cooled, std::exp(logarithm));
    return double(Evaluate(cooled));
  };
  const double unchanged = value(0);
  if (!(value(0.05) < unchanged))
    return { 1, unchanged };

  // The golden section of what is left, from both sides.
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double low = 0, high = std::log(50.0);
  double left = high - golden * (high - low), leftValue = value(left);
  double right = low + golden * (high - low), rightValue = value(right);
  for (size_t i = 0; i < 10; ++i)
  {
    if (leftValue < rightValue)
    {
      high = right;
      right = left;
      rightValue = leftValue;
      left = high - golden * (high - low);
      leftValue = value(left);
    }
    else
    {
      low = left;
      left = right;
      leftValue = rightValue;
      right = low + golden * (high - low);
      rightValue = value(right);
    }
  }
  if (unchanged <= std::min(leftValue, rightValue))
    return { 1, unchanged };
  if (leftValue < rightValue)
    return { std::exp(left), leftValue };
  return { std::exp(right), rightValue };
}

template<typename MatType, typename LossType>
RefineFunction<MatType, LossType>::Sample::Sample(const RefineFunction& f)
{
  // Twice as many points as units are enough to tell these apart; more of them
  // cost little where units are few.
  const size_t all = f.points ? f.points->n_elem : f.data.n_cols;
  const size_t count = std::min(all, std::max<size_t>(400, 2 * f.units));
  const auto column = [&](const size_t i)
  {
    return f.points ? size_t((*f.points)[i * all / count]) : i * all / count;
  };
  strips = gbnn::NumStrips<ElemType>(count);
  const size_t padded = strips * gbnn::StripSize<ElemType>;
  inputs.set_size(padded, f.data.n_rows);
  gbnn::Pack(f.data, column, count, gbnn::Strips<ElemType>{ inputs.memptr(),
      f.data.n_rows });
  // What stands after the last point weighs nothing.
  weights.zeros(padded);
  totalWeight = 0;
  for (size_t i = 0; i < count; ++i)
  {
    weights[i] = f.weights.is_empty() ? ElemType(1) : f.weights[column(i)];
    totalWeight += weights[i];
  }
}

template<typename MatType, typename LossType>
void RefineFunction<MatType, LossType>::Sample::Weigh(
    const gbnn::Strips<ElemType> rows) const
{
  constexpr size_t size = gbnn::StripSize<ElemType>;
  for (size_t s = 0; s < strips; ++s)
    for (size_t k = 0; k < rows.rows; ++k)
      for (size_t i = 0; i < size; ++i)
        rows.Row(s, k)[i] *= weights[s * size + i];
}

template<typename MatType, typename LossType>
typename RefineFunction<MatType, LossType>::Moments
RefineFunction<MatType, LossType>::SampleMoments(
    const MatType& parameters) const
{
  Sample sample(*this);
  const size_t d = data.n_rows, strips = sample.strips;
  const size_t padded = sample.weights.n_elem;
  const gbnn::Strips<ElemType> x = { sample.inputs.memptr(), d };
  Moments moments = { sample.totalWeight,
      MatType(units, units, arma::fill::zeros),
      arma::Col<ElemType>(units, arma::fill::zeros),
      arma::Col<ElemType>(units, arma::fill::zeros),
      arma::Col<ElemType>(d, arma::fill::zeros) };

  // The units between two cuts at a time.
  MatType hidden(padded, units), weighted(padded, units);
  std::vector<gbnn::Strips<ElemType>> groups;
  for (size_t c = 0; c < cuts.size(); ++c)
  {
    const size_t first = FirstUnit(c), size = (cuts[c] - first) * padded;
    const gbnn::Strips<ElemType> group = { hidden.colptr(first),
        cuts[c] - first };
    const gbnn::Strips<ElemType> product = { weighted.colptr(first),
        group.rows };
    groups.push_back(group);
    gbnn::Affine<ElemType>(x, { parameters.memptr() + layout.w1 + first * d, d,
        1 }, parameters.memptr() + layout.b1 + first, group, strips);
    gbnn::Activate(activation, group.values, size);
    std::copy_n(group.values, size, product.values);
    sample.Weigh(product);
    gbnn::AddRowSums<ElemType>(product, moments.activations.memptr() + first,
        strips);
    const gbnn::WeightView<ElemType> products = { moments.products.memptr(), 1,
        units };
    for (size_t b = 0; b <= c; ++b)
      gbnn::Correlate<ElemType>(product, groups[b], products.From(first,
          FirstUnit(b)), strips);

    std::fill_n(product.values, size, ElemType(1));
    sample.Weigh(product);
    for (size_t power = 0; power < 2; ++power)
      gbnn::MultiplySlope(activation, product.values, group.values, size);
    gbnn::AddRowSums<ElemType>(product, moments.slopes.memptr() + first,
        strips);
  }
  sample.inputs = arma::square(sample.inputs);
  sample.Weigh(x);
  gbnn::AddRowSums<ElemType>(x, moments.inputs.memptr(), strips);
  return moments;
}

template<typename MatType, typename LossType>
RefineCurvature RefineFunction<MatType, LossType>::Curvature(
    const MatType& parameters) const
{
  const Moments moments = SampleMoments(parameters);
  const double n = moments.weight;
  const size_t d = data.n_rows, numCuts = cuts.size();
  RefineCurvature curvature;
  curvature.output.zeros(units + numCuts, units + numCuts);
  curvature.hidden.set_size(d + 1, units);
  // A unit is part of its own cut and of all later ones.
  double share = 0;
  for (size_t c = numCuts; c-- > 0; )
  {
    share += cutWeights[c];
    curvature.output(units + c, units + c) = cutWeights[c];
    for (size_t u = 0; u < cuts[c]; ++u)
      curvature.output(units + c, u) = cutWeights[c] * moments.activations[u] /
          n;
    for (size_t u = FirstUnit(c); u < cuts[c]; ++u)
    {
      for (size_t v = 0; v <= u; ++v)
        curvature.output(u, v) = share * moments.products(u, v) / n;
      curvature.output(u, u) += l2 / totalWeight;

      const ElemType* w2 = parameters.memptr() + layout.w2 + u * outputs;
      const double size = std::inner_product(w2, w2 + outputs, w2, 0.0);
      const double unitCurvature = share * size * moments.slopes[u] / n;
      for (size_t i = 0; i < d; ++i)
      {
        curvature.hidden(i, u) = unitCurvature * moments.inputs[i] / n +
            l2 / totalWeight;
      }
      curvature.hidden(d, u) = unitCurvature;
    }
  }
  return curvature;
}

template<typename MatType, typename LossType>
RefineFunction<MatType, LossType>::Workspace::Workspace(
    const RefineFunction& f)
{
  const size_t size = f.pointBlocks.BlockSize();
  memory.set_size((f.data.n_rows + f.units + f.widest +
      (1 + f.cuts.size()) * f.outputs) * size);
  points = memory.memptr();
  hidden = points + f.data.n_rows * size;
  hiddenDelta = hidden + f.units * size;
  output = { hiddenDelta + f.widest * size, f.outputs };
  errors = output.values + f.outputs * size;
}

template<typename MatType, typename LossType>
gbnn::Strips<typename MatType::elem_type>
RefineFunction<MatType, LossType>::Workspace::Hidden(const RefineFunction& f,
                                                     const size_t cut)
{
  const size_t first = f.FirstUnit(cut);
  return { hidden + first * f.pointBlocks.BlockSize(), f.cuts[cut] - first };
}

template<typename MatType, typename LossType>
double RefineFunction<MatType, LossType>::AddBlock(const ElemType* parameters,
                                                   const Block& block,
                                                   Workspace& workspace,
                                                   ElemType* gradient) const
{
  const double blockWeight = Gather(block, workspace);
  if (blockWeight == 0)
    return 0;

  const size_t strips = gbnn::NumStrips<ElemType>(block.count);
  const size_t padded = strips * gbnn::StripSize<ElemType>;
  std::fill_n(workspace.output.values, outputs * padded, ElemType(0));
  double sum = 0;
  for (size_t c = 0; c < cuts.size(); ++c)
  {
    const size_t first = FirstUnit(c);
    const gbnn::Strips<ElemType> hidden = workspace.Hidden(*this, c);
    gbnn::Affine<ElemType>(block.points,
        { parameters + layout.w1 + first * data.n_rows, data.n_rows, 1 },
        parameters + layout.b1 + first, hidden, strips);
    gbnn::Activate(activation, hidden.values, hidden.rows * padded);
    gbnn::Multiply<ElemType>(hidden,
        { parameters + layout.w2 + first * outputs, 1, outputs },
        workspace.output, strips);
    sum += AddLoss(parameters + layout.b2 + c * outputs, c, blockWeight,
        workspace);
  }
  if (gradient)
    AddGradient(parameters, block, workspace, gradient);
  return sum;
}

template<typename MatType, typename LossType>
double RefineFunction<MatType, LossType>::Gather(const Block& block,
                                                 Workspace& workspace) const
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
      workspace.weights[i] = weights[column];
      sum += weights[column];
    }
  }
  return sum;
}

template<typename MatType, typename LossType>
double RefineFunction<MatType, LossType>::AddLoss(const ElemType* bias,
                                                  const size_t cut,
                                                  const double blockWeight,
                                                  Workspace& workspace) const
{
  constexpr size_t size = gbnn::StripSize<ElemType>;
  const size_t count = workspace.targets.n_cols;
  const size_t strips = gbnn::NumStrips<ElemType>(count);
  const gbnn::Strips<ElemType> errors = { workspace.errors +
      cut * outputs * pointBlocks.BlockSize(), outputs };
  // Nothing of a cut that does not count, which may be infinite.
  if (cutWeights[cut] == 0)
  {
    std::fill_n(errors.values, outputs * strips * size, ElemType(0));
    return 0;
  }
  workspace.scores.set_size(outputs, count);
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < outputs; ++k)
      workspace.scores(k, i) = ElemType(unit) * (bias[k] +
          workspace.output.Row(i / size, k)[i % size]);

  loss.Residuals(workspace.targets, workspace.scores, workspace.residuals);
  // What stands after the last point is no error.
  for (size_t k = 0; k < outputs; ++k)
    std::fill_n(errors.Row(strips - 1, k), size, ElemType(0));
  for (size_t i = 0; i < count; ++i)
  {
    const ElemType weight = ElemType(-cutWeights[cut] * unit / lossUnit) *
        (workspace.weights.is_empty() ? ElemType(1) : workspace.weights[i]);
    for (size_t k = 0; k < outputs; ++k)
      errors.Row(i / size, k)[i % size] = weight * workspace.residuals(k, i);
  }
  return cutWeights[cut] * blockWeight / lossUnit * loss.Value(
      workspace.targets, workspace.scores, workspace.weights);
}

template<typename MatType, typename LossType>
void RefineFunction<MatType, LossType>::AddGradient(const ElemType* parameters,
                                                    const Block& block,
                                                    Workspace& workspace,
                                                    ElemType* gradient) const
{
  const size_t strips = gbnn::NumStrips<ElemType>(block.count);
  const size_t padded = strips * gbnn::StripSize<ElemType>;
  const size_t blockSize = pointBlocks.BlockSize();
  for (size_t c = cuts.size(); c-- > 0; )
  {
    const gbnn::Strips<ElemType> errors = { workspace.errors +
        c * outputs * blockSize, outputs };
    gbnn::AddRowSums<ElemType>(errors, gradient + layout.b2 + c * outputs,
        strips);
    // A unit is part of its own cut and of all later ones.
    if (c + 1 < cuts.size())
    {
      const ElemType* later = errors.values + outputs * blockSize;
      for (size_t i = 0; i < outputs * padded; ++i)
        errors.values[i] += later[i];
    }

    const size_t first = FirstUnit(c);
    const gbnn::Strips<ElemType> hidden = workspace.Hidden(*this, c);
    const gbnn::Strips<ElemType> delta = { workspace.hiddenDelta, hidden.rows };
    gbnn::Correlate<ElemType>(errors, hidden,
        { gradient + layout.w2 + first * outputs, 1, outputs }, strips);
    gbnn::Affine<ElemType>(errors, { parameters + layout.w2 + first * outputs,
        outputs, 1 }, nullptr, delta, strips);
    gbnn::MultiplySlope(activation, delta.values, hidden.values,
        hidden.rows * padded);
    gbnn::Correlate<ElemType>(delta, block.points,
        { gradient + layout.w1 + first * data.n_rows, data.n_rows, 1 }, strips);
    gbnn::AddRowSums<ElemType>(delta, gradient + layout.b1 + first, strips);
  }
}

template<typename MatType, typename LossType>
double RefineFunction<MatType, LossType>::AddPenalty(const MatType& parameters,
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
      const double x = parameters[i];
      sum += x * x;
      if (gradient)
        (*gradient)[i] += ElemType(l2 * scale * x);
    }
  };
  add(layout.w1, layout.b1);
  add(layout.w2, layout.b2);
  return l2 * sum / 2;
}

template<typename MatType, typename LossType>
typename MatType::elem_type RefineFunction<MatType, LossType>::Full(
    const MatType& parameters, MatType* gradient) const
{
  const size_t size = gradient ? NumParameters() : 0;
  pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
  {
    if (!workspaces[piece])
      workspaces[piece] = std::make_unique<Workspace>(*this);
    Workspace& workspace = *workspaces[piece];
    workspace.gradient.zeros(size);
    workspace.sum = 0;
    for (size_t b = begin; b < end; ++b)
    {
      const size_t first = b * pointBlocks.BlockSize();
      const Block block = { pointBlocks.Block(b, workspace.points),
          points ? points->memptr() + first : nullptr, first,
          pointBlocks.Count(b) };
      workspace.sum += AddBlock(parameters.memptr(), block, workspace,
          gradient ? workspace.gradient.memptr() : nullptr);
    }
  });

  if (gradient)
  {
    gradient->zeros(parameters.n_rows, parameters.n_cols);
    for (const std::unique_ptr<Workspace>& workspace : workspaces)
      for (size_t i = 0; i < size; ++i)
        (*gradient)[i] += workspace->gradient[i];
  }
  double value = 0;
  for (const std::unique_ptr<Workspace>& workspace : workspaces)
    value += workspace->sum;
  value += AddPenalty(parameters, gradient, 1.0);
  if (gradient)
    *gradient /= ElemType(totalWeight);
  return ElemType(value / totalWeight);
}

template<typename MatType, typename LossType>
typename MatType::elem_type RefineFunction<MatType, LossType>::Evaluate(
    const MatType& parameters) const
{
  return Full(parameters, nullptr);
}

template<typename MatType, typename LossType>
void RefineFunction<MatType, LossType>::Gradient(const MatType& parameters,
                                                 MatType& gradient) const
{
  Full(parameters, &gradient);
}

template<typename MatType, typename LossType>
typename MatType::elem_type
RefineFunction<MatType, LossType>::EvaluateWithGradient(
    const MatType& parameters, MatType& gradient) const
{
  return Full(parameters, &gradient);
}

template<typename MatType, typename LossType>
typename MatType::elem_type RefineFunction<MatType, LossType>::Batch(
    const MatType& parameters,
    const size_t begin,
    MatType* gradient,
    const size_t batchSize) const
{
  if (gradient)
    gradient->zeros(parameters.n_rows, parameters.n_cols);
  Workspace workspace(*this);
  const size_t blockSize = pointBlocks.BlockSize();
  double value = 0;
  for (size_t first = begin; first < begin + batchSize; first += blockSize)
  {
    const Block block = { { workspace.points, data.n_rows },
        order.memptr() + first, 0,
        std::min(blockSize, begin + batchSize - first) };
    gbnn::Pack(data, [&](const size_t i) { return block.columns[i]; },
        block.count, gbnn::Strips<ElemType>{ workspace.points, data.n_rows });
    value += AddBlock(parameters.memptr(), block, workspace,
        gradient ? gradient->memptr() : nullptr);
  }
  // Each point brings its share of the penalty.
  const double share = double(batchSize) / order.n_elem;
  value += share * AddPenalty(parameters, gradient, share);
  return ElemType(value);
}

template<typename MatType, typename LossType>
void RefineFunction<MatType, LossType>::Shuffle()
{
  for (size_t i = order.n_elem; i > 1; --i)
    std::swap(order[i - 1], order[random.Below(i)]);
}

template<typename MatType, typename LossType>
typename MatType::elem_type RefineFunction<MatType, LossType>::Evaluate(
    const MatType& parameters, const size_t begin, const size_t batchSize) const
{
  return Batch(parameters, begin, nullptr, batchSize);
}

template<typename MatType, typename LossType>
void RefineFunction<MatType, LossType>::Gradient(const MatType& parameters,
                                                 const size_t begin,
                                                 MatType& gradient,
                                                 const size_t batchSize) const
{
  Batch(parameters, begin, &gradient, batchSize);
}

template<typename MatType, typename LossType>
typename MatType::elem_type
RefineFunction<MatType, LossType>::EvaluateWithGradient(
    const MatType& parameters,
    const size_t begin,
    MatType& gradient,
    const size_t batchSize) const
{
  return Batch(parameters, begin, &gradient, batchSize);
}

} // namespace mlpack

#endif
