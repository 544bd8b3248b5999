/**
 * @file methods/gbnn/stage_sums_impl.hpp
 *
 * Implementation of the sums over points that variable projection needs.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_SUMS_IMPL_HPP
#define MLPACK_METHODS_GBNN_STAGE_SUMS_IMPL_HPP

#include "cholesky.hpp"
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
                              const size_t mostPoints) :
    function(function),
    units(function.Units()),
    width(function.Dimensionality() + 1),
    outputs(function.Outputs()),
    every(std::max<size_t>(1, function.NumFunctions() / mostPoints)),
    pieces(function.NumBlocks(), units * (3 * width + units + 2 * outputs + 16 +
        units * width * width / every / 4) * function.BlockSize()),
    work(pieces.Count()),
    activations(function.NumBlocks() * function.BlockSize() * units),
    inputUnit(1),
    uu(units + 1, units + 1, arma::fill::zeros),
    ur(units + 1, outputs, arma::fill::zeros),
    partUU(units + 1, units + 1, arma::fill::zeros)
{
  Prepare();
}

template<typename MatType>
StageSums<MatType>::Workspace::Workspace(const StageSums& sums)
{
  const StageFunction<MatType>& f = sums.function;
  const size_t size = f.BlockSize(), units = sums.units;
  memory.set_size(f.ScratchSize() + (3 * units + 1 + sums.outputs) * size);
  scratch = memory.memptr();
  weighted = { scratch + f.ScratchSize(), units };
  q = { weighted.values + units * size, units + 1 };
  error = { q.values + (units + 1) * size, sums.outputs };
  delta = { error.values + sums.outputs * size, units };

  const size_t partSize = NumStrips<float>(size) * StripSize<float>;
  partMemory.set_size((units + 1 + units * sums.width) * partSize);
  qPart = { partMemory.memptr(), units + 1 };
  vPart = { partMemory.memptr() + (units + 1) * partSize, units * sums.width };
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
  return { partPoints.memptr() + b / every * strips * StripSize<float> * width,
      width };
}

template<typename MatType>
void StageSums<MatType>::Prepare()
{
  arma::Col<ElemType> scratch(function.ScratchSize());
  ElemType largest = 1;
  squares = 0;
  for (size_t b = 0; b < function.NumBlocks(); ++b)
  {
    const auto block = function.GetBlock(b, scratch.memptr());
    double weight = 0;
    for (size_t i = 0; i < block.count; ++i)
    {
      const double w = block.weights ? double(block.weights[i]) : 1.0;
      weight += w;
      for (size_t k = 0; k < outputs; ++k)
      {
        const double r = block.targets.Row(i / StripSize<ElemType>, k)[i %
            StripSize<ElemType>];
        ur(units, k) += w * r;
        squares += w * r * r;
      }
    }
    uu(units, units) += weight;
    if (!IsPart(b))
      continue;
    partUU(units, units) += weight;
    const ElemType* x = block.points.values;
    for (size_t i = 0; i < NumStrips<ElemType>(block.count) * (width - 1) *
        StripSize<ElemType>; ++i)
      largest = std::max(largest, std::abs(x[i]));
  }
  partWeight = partUU(units, units);
  inputUnit = std::ldexp(1.0, std::ilogb(largest));

  const size_t parts = (function.NumBlocks() - 1) / every + 1;
  partPoints.zeros(parts * NumStrips<float>(function.BlockSize()) *
      StripSize<float> * width);
  for (size_t b = 0; b < function.NumBlocks(); b += every)
  {
    const auto block = function.GetBlock(b, scratch.memptr());
    const Strips<float> to = PartPoints(b);
    for (size_t i = 0; i < block.count; ++i)
    {
      const double w = block.weights ? double(block.weights[i]) : 1.0;
      const double root = std::sqrt(w / partWeight) / inputUnit;
      const ElemType* x = block.points.Row(i / StripSize<ElemType>, 0) +
          i % StripSize<ElemType>;
      float* y = to.Row(i / StripSize<float>, 0) + i % StripSize<float>;
      for (size_t f = 0; f + 1 < width; ++f)
        y[f * StripSize<float>] = float(x[f * StripSize<ElemType>] * root);
      y[(width - 1) * StripSize<float>] = float(root);
    }
  }
}

template<typename MatType>
void StageSums<MatType>::AddMoments(const size_t b, Workspace& work)
{
  constexpr size_t size = StripSize<ElemType>;
  const auto block = function.GetBlock(b, work.scratch);
  const size_t strips = NumStrips<ElemType>(block.count);
  const Strips<ElemType> hidden = Hidden(b);
  Affine<ElemType>(block.points, { w1.memptr(), width, 1 }, b1.memptr(), hidden,
      strips);
  Activate(function.Activation(), hidden.values, strips * units * size);
  // What stands after the last point counts nothing.
  const size_t used = block.count - (strips - 1) * size;
  for (size_t j = 0; j < units; ++j)
    std::fill_n(hidden.Row(strips - 1, j) + used, size - used, ElemType(0));

  Strips<ElemType> rows = hidden;
  if (block.weights)
  {
    rows = work.weighted;
    for (size_t s = 0; s < strips; ++s)
      for (size_t j = 0; j < units; ++j)
        for (size_t i = 0; i < size; i += Lanes<ElemType>)
          Store(rows.Row(s, j) + i, Load(hidden.Row(s, j) + i) *
              Load(block.weights + s * size + i));
  }
  arma::mat& sums = IsPart(b) ? work.part : work.rest;
  Correlate<ElemType, double>(rows, hidden, { sums.memptr(), 1, units },
      strips);
  AddRowSums<ElemType, double>(rows, sums.colptr(units), strips);
  Correlate<ElemType, double>(rows, block.targets, { sums.colptr(units + 1), 1,
      units }, strips);
}

template<typename MatType>
void StageSums<MatType>::Evaluate(const arma::vec& hidden)
{
  w1 = arma::conv_to<arma::Col<ElemType>>::from(hidden);
  b1.set_size(units);
  for (size_t j = 0; j < units; ++j)
    b1[j] = w1[j * width + width - 1];

  pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
  {
    if (!work[piece])
      work[piece] = std::make_unique<Workspace>(*this);
    work[piece]->part.zeros(units, units + 1 + outputs);
    work[piece]->rest.zeros(units, units + 1 + outputs);
    for (size_t b = begin; b < end; ++b)
      AddMoments(b, *work[piece]);
  });

  arma::mat part = work[0]->part, sums = work[0]->rest;
  for (size_t piece = 1; piece < work.size(); ++piece)
  {
    part += work[piece]->part;
    sums += work[piece]->rest;
  }
  sums += part;
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
void StageSums<MatType>::FillPart(const size_t b,
                                  const size_t count,
                                  Workspace& work)
{
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
    {
      float* q = work.qPart.Row(s, l);
      ToFloat<ElemType>(work.q, strips, s, l, q);
      for (size_t i = 0; i < size; i += Lanes<float>)
        Store(q + i, Load(q + i) * Load(one + i));
    }
    for (size_t j = 0; j < units; ++j)
    {
      float a[size], slope[size];
      ToFloat<ElemType>(hidden, strips, s, j, a);
      std::fill_n(slope, size, 1.0f);
      MultiplySlope(function.Activation(), slope, a, size);
      for (size_t f = 0; f < width; ++f)
      {
        const float* x = points.Row(s, f);
        float* v = work.vPart.Row(s, j * width + f);
        for (size_t i = 0; i < size; i += Lanes<float>)
          Store(v + i, Load(x + i) * Load(slope + i));
      }
    }
  }
}

template<typename MatType>
void StageSums<MatType>::AddDerivatives(const size_t b, Workspace& work)
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
  Correlate<ElemType, double>(work.delta, block.points,
      { work.gradient.memptr(), width, 1 }, strips);
  AddRowSums<ElemType, double>(work.delta, work.biasGradient.memptr(), strips);
  if (!IsPart(b))
    return;

  FillPart(b, block.count, work);
  const size_t partStrips = NumStrips<float>(block.count);
  Correlate<float, double>(work.qPart, work.vPart, { work.qv.memptr(),
      units * width, 1 }, partStrips);
  CorrelateWithSelf<float, double>(work.vPart, width, { work.vv.memptr(), 1,
      units * width }, partStrips);
}

template<typename MatType>
void StageSums<MatType>::Differentiate(const arma::mat& output,
                                       arma::vec& gradient,
                                       arma::mat& gaussNewton)
{
  w2 = arma::conv_to<arma::Col<ElemType>>::from(arma::vectorise(output));
  b2 = arma::conv_to<arma::Col<ElemType>>::from(output.row(units).t());
  // With u u' = L L', the rows q = L^-1 u are orthogonal; so rounding them does
  // no harm, however alike two units are.
  arma::mat factor = partUU / partWeight;
  arma::mat inverse(units + 1, units + 1, arma::fill::eye);
  factor.diag() += 1e-9;
  Cholesky(factor);
  SolveLower(factor, inverse);
  toQ = arma::conv_to<arma::Mat<ElemType>>::from(inverse * inputUnit);

  const size_t p = units * width;
  pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
  {
    Workspace& w = *work[piece];
    w.gradient.zeros(p);
    w.biasGradient.zeros(units);
    w.qv.zeros(p, units + 1);
    w.vv.zeros(p, p);
    for (size_t b = begin; b < end; ++b)
      AddDerivatives(b, w);
  });

  gradient = work[0]->gradient;
  gaussNewton.swap(work[0]->vv);
  arma::vec bias = work[0]->biasGradient;
  arma::mat qv = work[0]->qv;
  for (size_t piece = 1; piece < work.size(); ++piece)
  {
    gradient += work[piece]->gradient;
    gaussNewton += work[piece]->vv;
    bias += work[piece]->biasGradient;
    qv += work[piece]->qv;
  }
  for (size_t j = 0; j < units; ++j)
    gradient[(j + 1) * width - 1] = bias[j];
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
