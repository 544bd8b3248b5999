/**
 * @file methods/gbnn/refinement/refine_curvature_impl.hpp
 *
 * How strongly the objective of nested refinement curves, from a sample of the
 * points.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_REFINE_CURVATURE_IMPL_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_REFINE_CURVATURE_IMPL_HPP

#include "../compute/point_sums.hpp"
#include "refine_function.hpp"

namespace mlpack {

template<typename MatType, typename LossType, typename RealType>
RefineFunction<MatType, LossType, RealType>::Sample::Sample(
    const RefineFunction& f)
{
  // Twice as many points as units are enough to tell these apart; more of them
  // cost little where units are few.
  const size_t minPoints = 400;
  const size_t all = f.cut.TotalPoints();
  const size_t count = std::min(all, std::max(minPoints, 2 * f.units));
  // Each rank gives its points of the sample to all.
  const GBNNCommunicator* ranks = f.cut.Communicator();
  const size_t before = gbnn::SumBefore(ranks, f.cut.Points());
  std::vector<ElemType> data, given;
  for (size_t i = 0; i < count; ++i)
  {
    const size_t place = i * all / count;
    if (place < before || place >= before + f.cut.Points())
      continue;
    const size_t column = f.points ? (*f.points)[place - before] :
        place - before;
    const ElemType* x = f.data.colptr(column);
    data.insert(data.end(), x, x + f.data.n_rows);
    given.push_back(ElemType(gbnn::WeightOf(f.weights, column)));
  }
  data = gbnn::GatherAll(ranks, data);
  given = gbnn::GatherAll(ranks, given);

  const MatType sample(data.data(), f.data.n_rows, count, false, true);
  const size_t padded = gbnn::NumStrips<RealType>(count) *
      gbnn::StripSize<RealType>;
  const gbnn::PointBlocks<MatType, RealType> blocks(sample, nullptr, padded,
      f.pointBlocks.Frame(), f.inputPieces);
  arma::Col<RealType> expanded(blocks.ExpandSize(padded));
  memory.set_size(blocks.ScratchSize());
  const auto itself = [](const size_t i) { return i; };
  points = blocks.PackAny(itself, count, memory.memptr());
  const gbnn::Strips<const RealType> pieces = blocks.ExpandAny(itself, count,
      expanded.memptr());
  weights.zeros(padded);
  squares.zeros(f.inputs);
  totalWeight = 0;
  const double largest = *std::max_element(given.begin(), given.end());
  for (size_t i = 0; i < count; ++i)
  {
    const double weight = (largest > 0) ? given[i] / largest : 1;
    weights[i] = RealType(weight);
    totalWeight += weights[i];
    if (f.inputPieces.IsLinear())
      squares += ElemType(weight) * arma::square(sample.col(i));
    else
      for (size_t d = 0; d < f.inputs; ++d)
        squares[d] += ElemType(weight) * std::pow(ElemType(pieces.At(d, i)), 2);
  }
}

template<typename MatType, typename LossType, typename RealType>
arma::Col<typename MatType::elem_type>
RefineFunction<MatType, LossType, RealType>::Shrink(UnitWeights& current) const
{
  arma::Col<ElemType> sizes(units, arma::fill::ones);
  if (activation != GBNNActivation::RELU)
    return sizes;
  RealType* w1 = current.units.memptr();
  RealType* b1 = current.units.memptr() + layout.b1;
  for (size_t u = 0; u < units; ++u, w1 += inputs)
  {
    // Its slope stays 0 or 1.  A power of two rounds nothing.
    RealType largest = std::abs(b1[u]);
    for (size_t i = 0; i < inputs; ++i)
      largest = std::max(largest, std::abs(w1[i]));
    const int power = std::max(0, std::ilogb(largest));
    sizes[u] = std::ldexp(ElemType(1), power);
    for (size_t i = 0; i < inputs; ++i)
      w1[i] = std::ldexp(w1[i], -power);
    b1[u] = std::ldexp(b1[u], -power);
  }
  current.SetSums(*this);
  return sizes;
}

template<typename MatType, typename LossType, typename RealType>
RefineCurvature RefineFunction<MatType, LossType, RealType>::Curvature(
    const MatType& parameters) const
{
  const Sample sample(*this);
  UnitWeights current(*this, parameters);
  const arma::Col<ElemType> sizes = Shrink(current);
  const size_t padded = sample.weights.n_elem;
  const size_t strips = gbnn::NumStrips<RealType>(padded);
  arma::Mat<RealType> memory(padded, 2 * units);
  const gbnn::Strips<RealType> hidden = { memory.memptr(), units };
  const gbnn::Strips<RealType> weighted = { memory.colptr(units), units };
  const auto weigh = [&]()
  {
    for (size_t i = 0; i < padded; ++i)
      for (size_t u = 0; u < units; ++u)
        weighted.At(u, i) *= sample.weights[i];
  };

  // Weighted sums over the sample: of activations, of the products of those of
  // two units, and of the squares of their slopes.
  arma::Col<ElemType> activations(units, arma::fill::zeros),
      slopes = activations;
  MatType products(units, units, arma::fill::zeros);
  this->ActivateUnits(current, sample.points, padded, hidden);
  std::copy_n(hidden.values, units * padded, weighted.values);
  weigh();
  gbnn::AddRowSums<RealType>(weighted, activations.memptr(), strips);
  // The products are symmetric: those of a cut with itself and the cuts before.
  const gbnn::WeightView<ElemType> view = { products.memptr(), 1, units };
  for (size_t c = 0; c < cuts.size(); ++c)
  {
    gbnn::Correlate<RealType, ElemType>(weighted.Part(FirstUnit(c), cuts[c]),
        hidden.Part(0, cuts[c]), view.From(FirstUnit(c)), strips);
  }
  std::fill_n(weighted.values, units * padded, RealType(1));
  weigh();
  for (size_t power = 0; power < 2; ++power)
    gbnn::MultiplySlope(activation, weighted.values, hidden.values,
        units * padded);
  gbnn::AddRowSums<RealType>(weighted, slopes.memptr(), strips);
  activations %= sizes;
  products.each_col() %= sizes;
  products.each_row() %= sizes.t();

  const double n = sample.totalWeight;
  const size_t d = inputs, numCuts = cuts.size();
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
      curvature.output(units + c, u) = cutWeights[c] * activations[u] / n;
    for (size_t u = FirstUnit(c); u < cuts[c]; ++u)
    {
      for (size_t v = 0; v <= u; ++v)
        curvature.output(u, v) = share * products(u, v) / n;
      curvature.output(u, u) += outputL2 * l2 / totalWeight;

      const ElemType* w2 = parameters.memptr() + layout.w2 + u * outputs;
      const double size = std::inner_product(w2, w2 + outputs, w2, 0.0);
      const double unitCurvature = share * size * slopes[u] / n;
      for (size_t i = 0; i < d; ++i)
      {
        curvature.hidden(i, u) = unitCurvature * sample.squares[i] / n +
            l2 / totalWeight;
      }
      curvature.hidden(d, u) = unitCurvature;
    }
  }
  return curvature;
}

} // namespace mlpack

#endif
