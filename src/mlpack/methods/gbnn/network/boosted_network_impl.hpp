/**
 * @file methods/gbnn/network/boosted_network_impl.hpp
 *
 * Implementation of the network that boosting grows.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_NETWORK_BOOSTED_NETWORK_IMPL_HPP
#define MLPACK_METHODS_GBNN_NETWORK_BOOSTED_NETWORK_IMPL_HPP

#include "boosted_network.hpp"

namespace mlpack {

template<typename MatType>
BoostedNetwork<MatType>::BoostedNetwork(const size_t dimensionality,
                                        const ColType& start,
                                        const GBNNActivation activation,
                                        const gbnn::InputPieces& pieces) :
    hiddenWeights(pieces.Inputs(dimensionality), 0),
    outputWeights(start.n_elem, 0),
    outputBias(start),
    activation(activation),
    pieces(pieces)
{
  // Nothing else to do.
}

template<typename MatType>
void BoostedNetwork<MatType>::Append(const MatType& parameters,
                                     const size_t units,
                                     const ColType& factor,
                                     const MatType& data,
                                     MatType& scores,
                                     const RowType& weights,
                                     ColType* activations)
{
  const size_t d = Inputs(), outputs = Outputs(), old = Units();
  const ElemType* w1 = parameters.memptr();
  const ElemType* b1 = w1 + units * d;
  const ElemType* w2 = b1 + units;
  const ElemType* b2 = w2 + outputs * units;

  cutRate = 0;
  hiddenWeights.insert_cols(old, MatType(w1, units, d).t());
  hiddenBias.insert_rows(old, ColType(b1, units));
  SetSums(old);
  MatType scaled(w2, outputs, units);
  scaled.each_col() %= factor;
  outputWeights.insert_cols(old, scaled);
  outputBias.resize(outputs, old + units + 1);
  outputBias.tail_cols(units).each_col() = outputBias.col(old) +
      factor % ColType(b2, outputs);
  stageEnds.push_back(old + units);

  arma::vec means;
  const ColType bias = outputBias.col(Units()) - outputBias.col(old);
  AddUnits(data, old, Units(), bias.memptr(), scores,
      (units > 1) ? &means : nullptr, weights, activations);
  // Units of this stage that are switched off are held at their mean.
  for (size_t k = Units() - 1; k > old; --k)
    outputBias.col(k) = outputBias.col(k + 1) +
        outputWeights.col(k) * ElemType(means[k - old]);
}

template<typename MatType>
void BoostedNetwork<MatType>::Replace(const MatType& newHiddenWeights,
                                      const ColType& newHiddenBias,
                                      const MatType& newOutputWeights,
                                      const std::vector<size_t>& newCuts,
                                      const MatType& cutBiases,
                                      const MatType& data,
                                      const RowType& weights)
{
  cutRate = 0;
  cuts = newCuts;
  hiddenWeights = newHiddenWeights;
  hiddenBias = newHiddenBias;
  outputWeights = newOutputWeights;
  SetSums(0);
  arma::vec means;
  MatType scores(Outputs(), data.n_cols, arma::fill::zeros);
  AddUnits(data, 0, Units(), outputBias.colptr(0), scores, &means, weights);

  size_t low = 0;
  for (size_t c = 0; c < cuts.size(); low = cuts[c++])
  {
    const size_t high = cuts[c];
    outputBias.col(high) = cutBiases.col(c);
    // The mean output of the units from `low` on.
    ColType mean(Outputs(), arma::fill::zeros), all = mean;
    for (size_t u = low; u < high; ++u)
      all += outputWeights.col(u) * ElemType(means[u]);
    for (size_t k = low + 1; k < high; ++k)
    {
      mean += outputWeights.col(k - 1) * ElemType(means[k - 1]);
      const ElemType share = ElemType(k - low) / ElemType(high - low);
      outputBias.col(k) = (1 - share) * (outputBias.col(low) - mean) +
          share * (outputBias.col(high) + all - mean);
    }
  }
}

template<typename MatType>
void BoostedNetwork<MatType>::AddStage(const size_t stage,
                                       const MatType& data,
                                       MatType& scores) const
{
  const size_t first = UnitsOfStages(stage), last = UnitsOfStages(stage + 1);
  const ColType bias = outputBias.col(last) - outputBias.col(first);
  AddUnits(data, first, last, bias.memptr(), scores, nullptr);
}

template<typename MatType>
void BoostedNetwork<MatType>::EvaluateStages(const MatType& data,
                                             MatType& scores) const
{
  scores.set_size(Outputs(), data.n_cols);
  scores.each_col() = outputBias.col(0);
  for (size_t stage = 0; stage < Stages(); ++stage)
    AddStage(stage, data, scores);
}

template<typename MatType>
void BoostedNetwork<MatType>::Truncate(const size_t stages)
{
  const size_t units = UnitsOfStages(stages);
  cutRate = 0;
  while (!cuts.empty() && cuts.back() > units)
    cuts.pop_back();
  hiddenWeights.resize(hiddenWeights.n_rows, units);
  hiddenBias.resize(units);
  outputWeights.resize(outputWeights.n_rows, units);
  outputBias.resize(outputBias.n_rows, units + 1);
  stageEnds.resize(stages);
  SetSums(units);
}

template<typename MatType>
void BoostedNetwork<MatType>::SetSums(const size_t first)
{
  sums.Set(pieces, { hiddenWeights.memptr(), Inputs(), 1 },
      hiddenBias.memptr(), first, Units());
}

template<typename MatType>
void BoostedNetwork<MatType>::Evaluate(const MatType& data,
                                       const size_t units,
                                       MatType& scores) const
{
  scores.zeros(Outputs(), data.n_cols);
  AddUnits(data, 0, units, outputBias.colptr(units), scores, nullptr);
  ScaleScores(units, scores);
}

template<typename MatType>
typename BoostedNetwork<MatType>::ElemType BoostedNetwork<MatType>::CutScale(
    const size_t units) const
{
  // Units of one stage may cancel each other, so a part of the first is not
  // scaled.
  if (cutRate == 0 || Stages() == 0 || units < stageEnds[0])
    return 1;
  // 1 - (1 - nu)^t, for small nu as well.
  const auto part = [&](const size_t stages)
  {
    return -std::expm1(double(stages) * std::log1p(-cutRate));
  };
  return ElemType(part(Stages()) / part(StagesOfUnits(units)));
}

template<typename MatType>
template<typename ScoresType>
void BoostedNetwork<MatType>::ScaleScores(const size_t units,
                                          ScoresType& scores) const
{
  const ElemType scale = CutScale(units);
  if (scale == 1)
    return;
  for (size_t i = 0; i < scores.n_cols; ++i)
    for (size_t k = 0; k < scores.n_rows; ++k)
      scores(k, i) = outputBias(k, 0) + scale * (scores(k, i) -
          outputBias(k, 0));
}

template<typename MatType>
size_t BoostedNetwork<MatType>::CutWithin(const size_t units) const
{
  // Stages that follow the last cut can end anywhere.
  if (cuts.empty() || units >= cuts.back())
    return units;
  const auto above = std::upper_bound(cuts.begin(), cuts.end(), units);
  // Before the first cut there is nothing better.
  return (above == cuts.begin()) ? units : *(above - 1);
}

template<typename MatType>
template<typename VecType>
void BoostedNetwork<MatType>::EvaluatePoint(const VecType& point,
                                            const size_t units,
                                            ColType& scores) const
{
  scores = outputBias.col(units);
  AddToPoint(point, 0, units, scores);
  ScaleScores(units, scores);
}

template<typename MatType>
template<typename VecType>
void BoostedNetwork<MatType>::AddToPoint(const VecType& point,
                                         const size_t begin,
                                         const size_t end,
                                         ColType& scores) const
{
  if constexpr (!arma::is_Mat<VecType>::value)
  {
    // The numbers of a row of a matrix do not follow one another.
    if (point.n_cols > 1)
    {
      ColType copy(point.n_elem);
      for (size_t i = 0; i < point.n_elem; ++i)
        copy[i] = point[i];
      AddToPoint(copy, begin, end, scores);
      return;
    }
  }
  constexpr size_t batch = gbnn::StripSize<ElemType>;
  const size_t d = Inputs(), outputs = Outputs();
  // Memory is taken once for each thread.
  thread_local std::vector<ElemType> places;
  if (!pieces.IsLinear())
  {
    places.resize(pieces.PlacesSize());
    pieces.Places(point.colptr(0), places.data());
  }
  for (size_t first = begin; first < end; first += batch)
  {
    ElemType z[batch];
    const size_t count = std::min(batch, end - first);
    if (pieces.IsLinear())
    {
      gbnn::PointProducts<ElemType>(point.colptr(0), d,
          hiddenWeights.colptr(first), count, z);
      for (size_t u = 0; u < count; ++u)
        z[u] += hiddenBias[first + u];
    }
    else
      gbnn::LookUpPoint<ElemType>(places.data(), places.size() / 2,
          sums.Splines(), first, count, z);
    gbnn::Activate(activation, z, count);
    for (size_t k = 0; k < outputs; ++k)
    {
      // Four sums at once, since an addition takes about four cycles and waits
      // for the one before it.
      ElemType sum[4] = {};
      for (size_t u = 0; u < count; ++u)
        sum[u % 4] += outputWeights(k, first + u) * z[u];
      scores[k] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
  }
}

template<typename MatType>
void BoostedNetwork<MatType>::AddToStrips(
    const gbnn::Strips<const ElemType> points,
    const size_t first,
    const size_t last,
    const gbnn::Strips<ElemType> scores,
    const size_t strips) const
{
  if (first == last)
    return;
  // As many units and strips at a time as AddUnits() takes.
  const size_t batch = std::min<size_t>(maxBatch, last - first);
  const size_t rows = pieces.BlockRows(points.rows);
  const size_t some = gbnn::BlockSize<ElemType>(rows + batch + Outputs()) /
      gbnn::StripSize<ElemType>;
  ColType memory((batch + (pieces.IsLinear() ? 0 : rows)) * some *
      gbnn::StripSize<ElemType>);
  const gbnn::Strips<ElemType> hidden = { memory.memptr(), batch };
  const gbnn::Strips<ElemType> places = { hidden.values + batch * some *
      gbnn::StripSize<ElemType>, pieces.PlaceRows() };
  for (size_t s = 0; s < strips; s += some)
  {
    const size_t here = std::min(some, strips - s);
    gbnn::Strips<const ElemType> block = { points.Row(s, 0), points.rows };
    if (!pieces.IsLinear())
    {
      gbnn::FindPlaces<ElemType>(block, pieces.Bins().data(), places, here);
      block = places;
    }
    for (size_t u = first; u < last; u += batch)
    {
      const size_t next = std::min(last, u + batch);
      Hidden(block, u, next, hidden, here);
      gbnn::Multiply<ElemType>({ hidden.values, next - u },
          { outputWeights.colptr(u), 1, Outputs() },
          { scores.Row(s, 0), scores.rows }, here);
    }
  }
}

template<typename MatType>
void BoostedNetwork<MatType>::Hidden(const gbnn::Strips<const ElemType> block,
                                     const size_t first,
                                     const size_t last,
                                     const gbnn::Strips<ElemType> hidden,
                                     const size_t strips) const
{
  const gbnn::Strips<ElemType> used = { hidden.values, last - first };
  sums.Compute(pieces, block, { hiddenWeights.memptr(), Inputs(), 1 },
      hiddenBias.memptr(), first, used, strips);
  gbnn::Activate(activation, hidden.values,
      strips * (last - first) * gbnn::StripSize<ElemType>);
}

template<typename MatType>
void BoostedNetwork<MatType>::AddUnits(const MatType& data,
                                       const size_t first,
                                       const size_t last,
                                       const ElemType* bias,
                                       MatType& scores,
                                       arma::vec* means,
                                       const RowType& weights,
                                       ColType* activations) const
{
  constexpr size_t size = gbnn::StripSize<ElemType>;
  const size_t d = pieces.BlockRows(data.n_rows), outputs = Outputs();
  const size_t units = last - first;
  const size_t batch = std::min<size_t>(maxBatch, units);
  // Only means are sums over points.
  const gbnn::PointCut cut = means ? gbnn::PointCut::Of(data.n_cols) :
      gbnn::PointCut(data.n_cols);
  const gbnn::PointBlocks<MatType> pointBlocks(data,
      gbnn::BlockSize<ElemType>(d + batch + outputs), pieces, &cut);
  const size_t blockSize = pointBlocks.BlockSize();
  const size_t blocks = pointBlocks.NumBlocks();
  const gbnn::CellPieces parts(cut, pointBlocks.CellBlocks(),
      pointBlocks.TotalBlocks(cut), 2 * units * (d + outputs +
      gbnn::RoughActivationCost) * blockSize);
  arma::mat activity(means ? units : 0, parts.Count(), arma::fill::zeros);
  const bool keep = (activations && batch == units);
  const bool known = (keep && !activations->is_empty());
  if (keep && !known)
    activations->set_size(blocks * blockSize * units);

  parts.ForEach([&](const size_t piece, const size_t begin, const size_t end)
  {
    const size_t scratchSize = pointBlocks.ScratchSize();
    ColType memory(scratchSize + (batch + outputs) * blockSize);
    gbnn::Strips<const ElemType> points = { memory.memptr(), d };
    gbnn::Strips<ElemType> hidden = { memory.memptr() + scratchSize, batch };
    const gbnn::Strips<ElemType> out = { hidden.values + batch * blockSize,
        outputs };
    for (size_t b = begin; b < end; ++b)
    {
      const size_t from = pointBlocks.First(b), count = pointBlocks.Count(b);
      const size_t strips = gbnn::NumStrips<ElemType>(count);
      if (keep)
        hidden.values = activations->memptr() + b * blockSize * units;
      if (!known)
        points = pointBlocks.Block(b, memory.memptr());
      for (size_t s = 0; s < strips; ++s)
        for (size_t k = 0; k < outputs; ++k)
          std::fill_n(out.Row(s, k), size, bias[k]);

      for (size_t u = first; u < last; u += batch)
      {
        const size_t next = std::min(last, u + batch);
        if (!known)
          Hidden(points, u, next, hidden, strips);
        gbnn::Multiply<ElemType>({ hidden.values, next - u },
            { outputWeights.colptr(u), 1, outputs }, out, strips);
        for (size_t i = 0; means && i < count; ++i)
        {
          const double weight = weights.is_empty() ? 1.0 : weights[from + i];
          // Units of a point that is left out may be infinite.
          if (weight == 0)
            continue;
          for (size_t unit = u; unit < next; ++unit)
            activity(unit - first, piece) += weight * hidden.values[(i / size *
                (next - u) + unit - u) * size + i % size];
        }
      }

      for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < outputs; ++k)
          scores(k, from + i) += out.At(k, i);
    }
  });

  if (means)
  {
    means->set_size(units);
    parts.Sum(units, [&](const size_t piece)
        { return activity.colptr(piece); }, means->memptr());
    *means /= cut.SumOfCells([&](const size_t begin, const size_t end)
    {
      return (weights.is_empty() || begin == end) ? double(end - begin) :
          arma::accu(arma::conv_to<arma::rowvec>::from(
          weights.subvec(begin, end - 1)));
    });
  }
}

template<typename MatType>
template<typename VisitorType>
void BoostedNetwork<MatType>::EvaluateStaged(const MatType& data,
                                             const size_t units,
                                             const VisitorType& visit) const
{
  // Number of units at a time.
  const size_t batch = gbnn::UnitGroup<ElemType>;
  const size_t d = pieces.BlockRows(data.n_rows), outputs = Outputs();
  const gbnn::PointBlocks<MatType> pointBlocks(data,
      gbnn::BlockSize<ElemType>(d + outputs + batch), pieces);
  const size_t blockSize = pointBlocks.BlockSize();
  const size_t blocks = pointBlocks.NumBlocks();
  const gbnn::Pieces parts(blocks, 2 * units * (d + outputs +
      gbnn::RoughActivationCost) * blockSize);

  parts.ForEach([&](const size_t, const size_t begin, const size_t end)
  {
    const size_t scratchSize = pointBlocks.ScratchSize();
    ColType memory(scratchSize + batch * blockSize);
    for (size_t b = begin; b < end; ++b)
    {
      const size_t from = b * blockSize;
      const size_t count = std::min<size_t>(blockSize, data.n_cols - from);
      const size_t strips = gbnn::NumStrips<ElemType>(count);
      const gbnn::Strips<const ElemType> points = pointBlocks.Block(b,
          memory.memptr());
      MatType output(outputs, count, arma::fill::zeros), scores;
      for (size_t k = 0; k <= units; ++k)
      {
        if (k > 0)
        {
          const size_t unit = (k - 1) % batch, first = k - 1 - unit;
          const size_t last = std::min(units, first + batch);
          const gbnn::Strips<ElemType> hidden = { memory.memptr() + scratchSize,
              last - first };
          if (unit == 0)
            Hidden(points, first, last, hidden, strips);
          const ElemType* weights = outputWeights.colptr(k - 1);
          for (size_t i = 0; i < count; ++i)
            for (size_t o = 0; o < outputs; ++o)
              output(o, i) += weights[o] * hidden.At(unit, i);
        }
        scores = output;
        scores.each_col() += outputBias.col(k);
        ScaleScores(k, scores);
        visit(k, from, scores);
      }
    }
  });
}

template<typename MatType>
MatType BoostedNetwork<MatType>::Parameters(const size_t first,
                                            const size_t last,
                                            const ColType& bias,
                                            const ElemType scale) const
{
  // Each layer's weights, then its bias, as mlpack's Linear has them.
  MatType w1(1, Inputs(), arma::fill::zeros);
  ColType b1(1, arma::fill::zeros);
  MatType w2(Outputs(), 1, arma::fill::zeros);
  if (last > first)
  {
    w1 = hiddenWeights.cols(first, last - 1).t();
    b1 = hiddenBias.subvec(first, last - 1);
    w2 = outputWeights.cols(first, last - 1) * scale;
  }
  return arma::join_cols(arma::join_cols(arma::vectorise(w1), b1),
      arma::join_cols(arma::vectorise(w2), bias));
}

template<typename MatType>
MatType BoostedNetwork<MatType>::Parameters() const
{
  return Parameters(0, Units(), outputBias.col(Units()), 1);
}

template<typename MatType>
template<typename NetworkType>
void BoostedNetwork<MatType>::SetParameters(NetworkType& network,
                                            const MatType& parameters) const
{
  // Copied, never moved: the layers' weights are aliases of that memory.
  network.Reset(Inputs());
  network.Parameters() = parameters;
}

template<typename MatType>
template<typename OutputLayerType>
FFN<OutputLayerType, RandomInitialization, MatType>
BoostedNetwork<MatType>::Network(const size_t units,
                                 const gbnn::OutputLayer output,
                                 const double scale) const
{
  FFN<OutputLayerType, RandomInitialization, MatType> network;
  network.template Add<gbnn::LinearLayer<MatType>>(std::max(units, size_t(1)));
  gbnn::AddActivation<MatType>(network, activation);
  network.template Add<gbnn::LinearLayer<MatType>>(Outputs());
  gbnn::AddOutput<MatType>(network, output);
  SetParameters(network, Parameters(0, units, ElemType(scale) *
      CutBias(units), ElemType(scale) * CutScale(units)));
  return network;
}

template<typename MatType>
FFN<MeanSquaredErrorType<MatType>, RandomInitialization, MatType>
BoostedNetwork<MatType>::Stage(const size_t stage) const
{
  const size_t first = UnitsOfStages(stage), last = UnitsOfStages(stage + 1);
  FFN<MeanSquaredErrorType<MatType>, RandomInitialization, MatType> network;
  network.template Add<gbnn::LinearLayer<MatType>>(last - first);
  gbnn::AddActivation<MatType>(network, activation);
  network.template Add<gbnn::LinearLayer<MatType>>(Outputs());
  SetParameters(network, Parameters(first, last,
      outputBias.col(last) - outputBias.col(first), 1));
  return network;
}

template<typename MatType>
void BoostedNetwork<MatType>::CheckLoaded() const
{
  const auto require = [](const bool condition, const std::string& what)
  {
    if (!condition)
      throw std::runtime_error("BoostedNetwork::serialize(): " + what);
  };
  const size_t units = Units(), outputs = Outputs();
  require(hiddenBias.n_elem == units && outputWeights.n_cols == units &&
      (units == 0 || outputWeights.n_rows == outputs) &&
      outputBias.n_cols == ((outputs == 0) ? 0 : units + 1) &&
      (outputs > 0 || units == 0), "sizes of the weights do not match");
  size_t last = 0;
  for (const size_t end : stageEnds)
  {
    require(end > last, "stages are not in ascending order");
    last = end;
  }
  require(last == units, "stages do not make up all units");
  require(activation <= GBNNActivation::RELU, "unknown activation function");
  require(pieces.Inputs(hiddenWeights.n_rows) == hiddenWeights.n_rows,
      "pieces of the inputs do not match the weights");
  require(hiddenWeights.is_finite() && hiddenBias.is_finite() &&
      outputWeights.is_finite() && outputBias.is_finite(), "a weight is NaN or "
      "infinite");
  require(cutRate >= 0 && cutRate <= 1, "the learning rate of cuts is not from "
      "0 to 1");
  size_t before = 0;
  for (const size_t cut : cuts)
  {
    require(cut > before && cut <= units, "cuts are not ascending numbers of "
        "units");
    before = cut;
  }
  require(cuts.empty() || cutRate == 0, "cuts of a refined network are scaled");
}

template<typename MatType>
template<typename Archive>
void BoostedNetwork<MatType>::serialize(Archive& ar,
                                        const uint32_t version)
{
  gbnn::RequireVersion("BoostedNetwork", version,
      cereal::detail::Version<BoostedNetwork>::version, 2);
  ar(CEREAL_NVP(hiddenWeights));
  ar(CEREAL_NVP(hiddenBias));
  ar(CEREAL_NVP(outputWeights));
  ar(CEREAL_NVP(outputBias));
  ar(CEREAL_NVP(stageEnds));
  ar(CEREAL_NVP(activation));
  ar(CEREAL_NVP(pieces));
  // Before version 3, cuts were never scaled, and those of a refinement were
  // not in the file.
  if (version >= 3)
  {
    ar(CEREAL_NVP(cuts));
    ar(CEREAL_NVP(cutRate));
  }
  else
  {
    cuts.clear();
    cutRate = 0;
  }

  if (cereal::is_loading<Archive>())
  {
    CheckLoaded();
    SetSums(0);
  }
}

} // namespace mlpack

#endif
