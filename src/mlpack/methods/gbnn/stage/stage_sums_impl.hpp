/**
 * @file methods/gbnn/stage/stage_sums_impl.hpp
 *
 * Implementation of the sums over points that variable projection needs.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_STAGE_SUMS_IMPL_HPP
#define MLPACK_METHODS_GBNN_STAGE_STAGE_SUMS_IMPL_HPP

#include "../compute/cholesky.hpp"
#include "stage_sums.hpp"

namespace mlpack {
namespace gbnn {

//! One row of a strip in single precision, from strips of T.
template<typename T>
inline void ToFloat(const Strips<const T> from,
                    const size_t strips,
                    const size_t strip,
                    const size_t row,
                    float* to)
{
  constexpr size_t each = StripSize<T>, perStrip = StripSize<float> / each;
  for (size_t s = 0; s < perStrip; ++s)
  {
    if (strip * perStrip + s < strips)
      std::copy_n(from.Row(strip * perStrip + s, row), each, to + s * each);
    else
      std::fill_n(to + s * each, each, 0.0f);
  }
}

template<typename MatType>
StageSums<MatType>::StageSums(const StageFunction<MatType>& function,
                              const size_t maxPoints) :
    function(function),
    units(function.Units()),
    width(function.Dimensionality() + 1),
    outputs(function.Outputs()),
    pieces(function.Cut(), function.CellBlocks(), function.TotalBlocks(),
        units * (2 * function.BlockRows() + units + 2 * outputs +
        ActivationCost) * function.BlockSize(),
        function.Pieces().MaxParts(function.TotalPoints())),
    work(pieces.Count()),
    activations(function.NumBlocks() * function.BlockSize() * units),
    uu(units + 1, units + 1),
    ur(units + 1, outputs),
    partUU(units + 1, units + 1)
{
  const size_t every = std::max<size_t>(1, function.TotalPoints() / maxPoints);
  ChooseParts(every);
  SumConstants();
  // Where points have weight 0, there may be none in these blocks.
  if (partWeight == 0)
  {
    ChooseParts(1);
    SumConstants();
  }
  const size_t p = units * width;
  partPieces.emplace(function.Cut(), cellParts, (function.TotalBlocks() - 1) /
      every + 1, p * (2 + p / 4) * function.BlockSize(), maxPartPieces,
      MaxPartGroups(function.Cut().AllPoints(), function.PointRows(), p));
  partWork.resize(partPieces->Count());
  partPoints.set_size(partBlocks.size() *
      NumStrips<float>(function.BlockSize()) * StripSize<float> * width);
  partPieces->ForEach([&](const size_t piece, const size_t begin,
      const size_t end)
  {
    partWork[piece] = std::make_unique<PartWorkspace>(*this);
    for (size_t i = begin; i < end; ++i)
      FillPartPoints(partBlocks[i], *partWork[piece]);
  });
}

template<typename MatType>
void StageSums<MatType>::ChooseParts(const size_t n)
{
  const PointCut& cut = function.Cut();
  const std::vector<size_t>& cellBlocks = function.CellBlocks();
  partBlocks.clear();
  cellParts.clear();
  partNumber.assign(function.NumBlocks(), size_t(-1));
  for (size_t c = 0; c < cut.LocalCells(); ++c)
  {
    cellParts.push_back(partBlocks.size());
    // Number of blocks before this cell if all cells have as many points.
    const size_t before = (cut.FirstCell() + c) * function.TotalBlocks() /
        cut.Cells();
    for (size_t b = cellBlocks[c]; b < cellBlocks[c + 1]; ++b)
    {
      if ((before + b - cellBlocks[c]) % n != 0)
        continue;
      partNumber[b] = partBlocks.size();
      partBlocks.push_back(b);
    }
  }
  cellParts.push_back(partBlocks.size());
}

template<typename MatType>
StageSums<MatType>::Workspace::Workspace(const StageSums& sums)
{
  const StageFunction<MatType>& f = sums.function;
  const size_t size = f.BlockSize(), units = sums.units;
  memory.set_size(f.ScratchSize() + (2 * units + sums.outputs) * size);
  scratch = memory.memptr();
  weighted = { scratch + f.ScratchSize(), units };
  error = { weighted.values + units * size, sums.outputs };
  delta = { error.values + sums.outputs * size, units };
}

template<typename MatType>
StageSums<MatType>::PartWorkspace::PartWorkspace(const StageSums& sums)
{
  const StageFunction<MatType>& f = sums.function;
  const size_t units = sums.units;
  const size_t scratchSize = f.ScratchSize() + f.BlockInputsSize();
  memory.set_size(scratchSize + (units + 1) * f.BlockSize());
  scratch = memory.memptr();
  inputs = scratch + f.ScratchSize();
  q = { scratch + scratchSize, units + 1 };
  const size_t size = NumStrips<float>(f.BlockSize()) * StripSize<float>;
  floats.set_size((units + 1 + units * sums.width) * size);
  qPart = { floats.memptr(), units + 1 };
  vPart = { floats.memptr() + (units + 1) * size, units * sums.width };
}

template<typename MatType>
Strips<typename MatType::elem_type> StageSums<MatType>::Hidden(const size_t b)
{
  return { activations.memptr() + b * function.BlockSize() * units, units };
}

template<typename MatType>
Strips<float> StageSums<MatType>::PartPoints(const size_t b)
{
  const size_t strips = NumStrips<float>(function.BlockSize());
  return { partPoints.memptr() + partNumber[b] * strips * StripSize<float> *
      width, width };
}

template<typename MatType>
void StageSums<MatType>::SumConstants()
{
  constexpr size_t size = StripSize<ElemType>;
  pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
  {
    work[piece] = std::make_unique<Workspace>(*this);
    Workspace& w = *work[piece];
    w.constants.zeros(outputs + 3);
    w.largestInput = 1;
    for (size_t b = begin; b < end; ++b)
    {
      const auto block = function.GetBlock(b, w.scratch);
      double weight = 0;
      for (size_t i = 0; i < block.count; ++i)
      {
        const double wi = block.weights ? double(block.weights[i]) : 1.0;
        for (size_t k = 0; k < outputs; ++k)
        {
          const double r = block.targets.At(k, i);
          w.constants[k] += wi * r;
          w.constants[outputs] += wi * r * r;
        }
        weight += wi;
      }
      w.constants[outputs + 1] += weight;
      if (!IsPart(b))
        continue;
      w.constants[outputs + 2] += weight;
      // Pieces are between -1 and 1.
      const ElemType* x = block.points.values;
      for (size_t i = 0; function.Pieces().IsLinear() &&
          i < NumStrips<ElemType>(block.count) * (width - 1) * size; ++i)
        w.largestInput = std::max(w.largestInput, double(std::abs(x[i])));
    }
  });

  arma::vec sums(outputs + 3, arma::fill::zeros);
  pieces.Sum(sums.n_elem, [&](const size_t piece)
      { return work[piece]->constants.memptr(); }, sums.memptr());
  double largest = 1;
  for (const std::unique_ptr<Workspace>& w : work)
    largest = std::max(largest, w->largestInput);
  largest = MaxOfRanks(function.Cut().Communicator(), largest);
  ur.row(units) = sums.head(outputs).t();
  squares = sums[outputs];
  uu(units, units) = sums[outputs + 1];
  partUU(units, units) = partWeight = sums[outputs + 2];
  inputUnit = std::ldexp(1.0, std::ilogb(largest));
}

template<typename MatType>
void StageSums<MatType>::FillPartPoints(const size_t b, PartWorkspace& work)
{
  constexpr size_t size = StripSize<ElemType>, partSize = StripSize<float>;
  const auto block = function.GetBlock(b, work.scratch);
  const Strips<const ElemType> inputs = function.BlockInputs(b, work.inputs);
  const Strips<float> to = PartPoints(b);
  std::fill_n(to.values, NumStrips<float>(block.count) * partSize * width,
      0.0f);
  for (size_t i = 0; i < block.count; ++i)
  {
    const double weight = block.weights ? double(block.weights[i]) : 1.0;
    const double root = std::sqrt(weight / partWeight) / inputUnit;
    const ElemType* x = inputs.Row(i / size, 0) + i % size;
    float* y = to.Row(i / partSize, 0) + i % partSize;
    for (size_t f = 0; f + 1 < width; ++f)
      y[f * partSize] = float(x[f * size] * root);
    y[(width - 1) * partSize] = float(root);
  }
}

template<typename MatType>
void StageSums<MatType>::AddMoments(const size_t b, Workspace& work)
{
  constexpr size_t size = StripSize<ElemType>;
  const auto block = function.GetBlock(b, work.scratch);
  const size_t strips = NumStrips<ElemType>(block.count);
  const Strips<ElemType> hidden = Hidden(b);
  hiddenSums.Compute(function.Pieces(), block.points, HiddenWeights(),
      b1.memptr(), 0, hidden, strips);
  Activate(function.Activation(), hidden.values, strips * units * size);
  // The padding after the last point must not count.
  const size_t used = block.count - (strips - 1) * size;
  for (size_t j = 0; j < units; ++j)
    std::fill_n(hidden.Row(strips - 1, j) + used, size - used, ElemType(0));

  Strips<ElemType> rows = hidden;
  if (block.weights)
  {
    rows = work.weighted;
    for (size_t s = 0; s < strips; ++s)
      ScaleRows(hidden.Row(s, 0), units, block.weights + s * size,
          rows.Row(s, 0));
  }
  const size_t columns = units + 1 + outputs;
  double* sums = work.moments.colptr(IsPart(b) ? 0 : columns);
  Correlate<ElemType, double>(rows, hidden, { sums, 1, units }, strips);
  AddRowSums<ElemType, double>(rows, sums + units * units, strips);
  Correlate<ElemType, double>(rows, block.targets, { sums + units *
      (units + 1), 1, units }, strips);
}

template<typename MatType>
void StageSums<MatType>::Evaluate(const arma::vec& hidden)
{
  w1 = arma::conv_to<arma::Col<ElemType>>::from(hidden);
  b1.set_size(units);
  for (size_t j = 0; j < units; ++j)
    b1[j] = w1[j * width + width - 1];
  hiddenSums.Set(function.Pieces(), HiddenWeights(), b1.memptr(), 0, units);

  const size_t columns = units + 1 + outputs;
  pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
  {
    work[piece]->moments.zeros(units, 2 * columns);
    for (size_t b = begin; b < end; ++b)
      AddMoments(b, *work[piece]);
  });

  arma::mat moments(units, 2 * columns);
  pieces.Sum(moments.n_elem, [&](const size_t piece)
      { return work[piece]->moments.memptr(); }, moments.memptr());
  const arma::mat part = moments.head_cols(columns);
  const arma::mat sums = moments.tail_cols(columns) + part;
  const auto fill = [&](const arma::mat& from, arma::mat& to)
  {
    for (size_t j = 0; j < units; ++j)
      for (size_t k = 0; k <= units; ++k)
        to(j, k) = to(k, j) = from(j, k);
  };
  fill(sums, uu);
  fill(part, partUU);
  ur.head_rows(units) = sums.tail_cols(outputs);
}

template<typename MatType>
void StageSums<MatType>::FillPart(const size_t b, PartWorkspace& work)
{
  const size_t count = function.Count(b);
  constexpr size_t size = StripSize<float>;
  const size_t strips = NumStrips<ElemType>(count);
  const Strips<ElemType> hidden = Hidden(b);
  const Strips<float> points = PartPoints(b);
  Affine<ElemType>(hidden, { toQ.memptr(), 1, units + 1 }, toQ.colptr(units),
      work.q, strips);
  for (size_t s = 0; s < NumStrips<float>(count); ++s)
  {
    // Rows of u and v are times the root of the weight, as `points` are.
    const float* one = points.Row(s, width - 1);
    for (size_t l = 0; l <= units; ++l)
      ToFloat<ElemType>(work.q, strips, s, l, work.qPart.Row(s, l));
    ScaleRows(work.qPart.Row(s, 0), units + 1, one, work.qPart.Row(s, 0));
    for (size_t j = 0; j < units; ++j)
    {
      float a[size], slope[size];
      ToFloat<ElemType>(hidden, strips, s, j, a);
      std::fill_n(slope, size, 1.0f);
      MultiplySlope(function.Activation(), slope, a, size);
      ScaleRows<float>(points.Row(s, 0), width, slope,
          work.vPart.Row(s, j * width));
    }
  }
}

template<typename MatType>
void StageSums<MatType>::AddPart(const size_t b, PartWorkspace& work)
{
  FillPart(b, work);
  const size_t strips = NumStrips<float>(function.Count(b));
  const size_t p = units * width;
  Correlate<float, double>(work.qPart, work.vPart, { work.qv.memptr(), p, 1 },
      strips);
  CorrelateWithSelf<float, double>(work.vPart, width, { work.vv.memptr(), 1,
      p }, strips);
}

template<typename MatType>
void StageSums<MatType>::AddGradient(const size_t b, Workspace& work)
{
  const auto block = function.GetBlock(b, work.scratch);
  const size_t strips = NumStrips<ElemType>(block.count);
  const Strips<ElemType> hidden = Hidden(b);
  const WeightView<const ElemType> w2View = { w2.memptr(), units + 1, 1 };
  Affine<ElemType>(hidden, w2View, b2.memptr(), work.error, strips);
  function.WeightError(block, work.error);
  Affine<ElemType>(work.error, w2View.Transposed(), nullptr, work.delta,
      strips);
  MultiplySlope(function.Activation(), work.delta.values, hidden.values,
      strips * units * StripSize<ElemType>);
  work.hiddenGradient.Add(function.Pieces(), work.delta, block.points,
      { work.gradient.memptr(), width, 1 }, strips);
  work.hiddenGradient.EndBlock(block.count);
  AddRowSums<ElemType, double>(work.delta, work.gradient.memptr() +
      units * width, strips);
}

template<typename MatType>
void StageSums<MatType>::DifferentiatePieces()
{
  const size_t p = units * width;
  const size_t parts = partWork.size(), count = work.size();
  const size_t tasks = std::max(parts, count);
  // Each has its share of both kinds of pieces.
  InParallel(tasks, [&](const size_t task)
  {
    for (size_t i = parts * task / tasks; i < parts * (task + 1) / tasks; ++i)
    {
      PartWorkspace& w = *partWork[i];
      w.qv.zeros(p, units + 1);
      w.vv.zeros(p, p);
      for (size_t b = partPieces->Begin(i); b < partPieces->Begin(i + 1); ++b)
        AddPart(partBlocks[b], w);
    }
    for (size_t i = count * task / tasks; i < count * (task + 1) / tasks; ++i)
    {
      Workspace& w = *work[i];
      w.gradient.zeros(p + units);
      w.hiddenGradient.Clear(function.Pieces(), units);
      for (size_t b = pieces.Begin(i); b < pieces.Begin(i + 1); ++b)
        AddGradient(b, w);
    }
  });
}

template<typename MatType>
void StageSums<MatType>::Differentiate(const arma::mat& output,
                                       arma::vec& gradient,
                                       arma::mat& gaussNewton)
{
  w2 = arma::conv_to<arma::Col<ElemType>>::from(arma::vectorise(output));
  b2 = arma::conv_to<arma::Col<ElemType>>::from(output.row(units).t());
  // With u u' = L L', the rows q = L^-1 u are orthogonal, so that rounding them
  // does little harm.  Where units are alike up to rounding, a small number on
  // the diagonal makes the matrix positive definite: activations are of size 1,
  // and squares below 1e-9 are lost in single precision anyway.
  const double firstFloor = 1e-9, maxFloor = 1e3;
  arma::mat factor, inverse(units + 1, units + 1, arma::fill::eye);
  double floor = firstFloor;
  do
  {
    factor = partUU / partWeight;
    factor.diag() += floor;
    floor *= 10;
  }
  while (!Cholesky(factor) && floor < maxFloor);
  SolveLower(factor, inverse);
  toQ = arma::conv_to<arma::Mat<ElemType>>::from(inverse * inputUnit);

  DifferentiatePieces();
  const size_t p = units * width;
  for (size_t g = 0; g < pieces.Groups(); ++g)
  {
    Workspace& first = *work[pieces.FirstPiece(g)];
    for (size_t piece = pieces.FirstPiece(g) + 1;
        piece < pieces.FirstPiece(g + 1); ++piece)
    {
      first.gradient += work[piece]->gradient;
      first.hiddenGradient.Add(work[piece]->hiddenGradient);
    }
    first.hiddenGradient.Finish(function.Pieces(), units,
        { first.gradient.memptr(), width, 1 });
  }
  arma::vec sums(p + units);
  pieces.CombineGroups(GroupSums{ sums.n_elem, [&](const size_t piece)
      { return work[piece]->gradient.memptr(); }, sums.memptr() });
  gradient = sums.head(p);
  for (size_t j = 0; j < units; ++j)
    gradient[(j + 1) * width - 1] = sums[p + j];

  for (size_t g = 0; g < partPieces->Groups(); ++g)
  {
    PartWorkspace& first = *partWork[partPieces->FirstPiece(g)];
    for (size_t piece = partPieces->FirstPiece(g) + 1;
        piece < partPieces->FirstPiece(g + 1); ++piece)
    {
      for (size_t c = 0; c < p; ++c)
        for (size_t i = c; i < p; ++i)
          first.vv.at(i, c) += partWork[piece]->vv.at(i, c);
      first.qv += partWork[piece]->qv;
    }
  }
  arma::mat qv(p, units + 1);
  gaussNewton.set_size(p, p);
  if (!partWork.empty())
    gaussNewton.swap(partWork[0]->vv);
  partPieces->CombineGroups(GroupSums{ qv.n_elem, [&](const size_t piece)
      { return partWork[piece]->qv.memptr(); }, qv.memptr() },
      GroupSums{ gaussNewton.n_elem, [&](const size_t piece)
      { return (piece == 0) ? gaussNewton.memptr() :
          partWork[piece]->vv.memptr(); }, gaussNewton.memptr() });
  gradient /= function.TotalWeight();
  Project(qv, output.head_rows(units), gaussNewton);
}

template<typename MatType>
void StageSums<MatType>::Project(const arma::mat& qv,
                                 const arma::mat& weights,
                                 arma::mat& vv) const
{
  const size_t p = units * width;
  // Products of one unit with another are symmetric; half has been summed.
  for (size_t j = 0; j < p; j += width)
    for (size_t i = j + width; i < p; i += width)
      for (size_t b = 1; b < width; ++b)
        for (size_t a = 0; a < b; ++a)
          vv.at(i + a, j + b) = vv.at(i + b, j + a);

  const arma::mat share = weights * weights.t() * (inputUnit * inputUnit);
  for (size_t c = 0; c < p; ++c)
  {
    double* column = vv.colptr(c);
    for (size_t l = 0; l <= units; ++l)
    {
      const double* row = qv.colptr(l);
      const double factor = row[c];
      for (size_t i = c; i < p; ++i)
        column[i] -= factor * row[i];
    }
    for (size_t k = c / width; k < units; ++k)
      for (size_t i = std::max(c, k * width); i < (k + 1) * width; ++i)
        column[i] *= share(c / width, k);
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
