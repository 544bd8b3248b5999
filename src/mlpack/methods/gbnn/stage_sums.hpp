/**
 * @file methods/gbnn/stage_sums.hpp
 *
 * The sums over points from which a stage's best output weights, its gradient
 * and its Gauss-Newton matrix follow.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_SUMS_HPP
#define MLPACK_METHODS_GBNN_STAGE_SUMS_HPP

#include "stage_function.hpp"

namespace mlpack {
namespace gbnn {

/**
 * For the hidden weights of a stage, each point has
 *
 * - u: the activations of the J units, a 1, and the K residuals;
 * - v: for each unit, its slope times the d inputs and a 1, that is, the
 *   derivatives of the activations with respect to the p = J (d + 1) hidden
 *   weights and biases.
 *
 * One pass over the points sums u u', u v' and, over some of the blocks, v v'.
 * All else about the stage is algebra on these small matrices.
 */
template<typename MatType>
class StageSums
{
 public:
  using ElemType = typename MatType::elem_type;

  /**
   * @param function The stage.
   * @param mostPoints About how many points to use for v v', which is the
   *     expensive sum; it is taken over every so-many-th block.
   */
  StageSums(const StageFunction<MatType>& function, const size_t mostPoints);

  //! Compute the sums; `hidden` is W1 (J x d, by columns) and then b1.
  void Compute(const ElemType* hidden);

  //! Sum of u u' over all points; of v v' below, the lower triangle.
  const arma::mat& UU() const { return uu; }
  //! Sum of u v' over all points.
  const arma::mat& UV() const { return uv; }
  //! The same sums over the blocks of which v v' is taken, and v v' itself.
  const arma::mat& PartUU() const { return partUU; }
  const arma::mat& PartUV() const { return partUV; }
  const arma::mat& PartVV() const { return partVV; }

 private:
  //! One thread's blocks and sums.
  struct Workspace
  {
    Workspace(const StageSums& sums);
    //! Set the sums to zero.
    void Reset(const StageSums& sums);

    arma::Col<ElemType> memory;
    ElemType* points;
    ElemType* targets;
    ElemType* weights;
    Strips<ElemType> hidden;
    Strips<ElemType> u;
    Strips<ElemType> v;
    arma::Mat<ElemType> uu, uv, partUU, partUV, partVV;
  };

  void AddBlock(const ElemType* hidden, const size_t b, Workspace& work) const;
  //! Fill the rows of u and v; points of the padding become zero.
  void FillRows(const Strips<const ElemType> points,
                const Strips<const ElemType> targets,
                const ElemType* weights,
                const size_t count,
                Workspace& work) const;

  const StageFunction<MatType>& function;
  size_t uSize;
  size_t vSize;
  size_t every;
  Pieces pieces;
  //! One for each piece, made when it is first needed.
  std::vector<std::unique_ptr<Workspace>> work;
  arma::mat uu, uv, partUU, partUV, partVV;
};

template<typename MatType>
StageSums<MatType>::StageSums(const StageFunction<MatType>& function,
                              const size_t mostPoints) :
    function(function),
    uSize(function.Units() + 1 + function.Outputs()),
    vSize(function.Units() * (function.Dimensionality() + 1)),
    every(std::max<size_t>(1, function.Points().NumPoints() / mostPoints)),
    pieces(function.Points().NumBlocks(), (uSize + 2 + vSize / every / 2) *
        vSize * function.Points().BlockSize()),
    work(pieces.Count())
{
  // Nothing else to do.
}

template<typename MatType>
StageSums<MatType>::Workspace::Workspace(const StageSums& sums)
{
  const StageFunction<MatType>& f = sums.function;
  const size_t size = f.Points().BlockSize();
  const size_t d = f.Dimensionality(), units = f.Units(), outputs = f.Outputs();
  memory.set_size((d + outputs + 1 + units + sums.uSize + sums.vSize) * size);
  points = memory.memptr();
  targets = points + d * size;
  weights = targets + outputs * size;
  hidden = { weights + size, units };
  u = { hidden.values + units * size, sums.uSize };
  v = { u.values + sums.uSize * size, sums.vSize };
}

template<typename MatType>
void StageSums<MatType>::Workspace::Reset(const StageSums& sums)
{
  uu.zeros(sums.uSize, sums.uSize);
  uv.zeros(sums.uSize, sums.vSize);
  partUU.zeros(sums.uSize, sums.uSize);
  partUV.zeros(sums.uSize, sums.vSize);
  partVV.zeros(sums.vSize, sums.vSize);
}

template<typename MatType>
void StageSums<MatType>::FillRows(const Strips<const ElemType> points,
                                  const Strips<const ElemType> targets,
                                  const ElemType* weights,
                                  const size_t count,
                                  Workspace& work) const
{
  constexpr size_t size = StripSize<ElemType>;
  const size_t d = function.Dimensionality(), units = function.Units();
  for (size_t s = 0; s < NumStrips<ElemType>(count); ++s)
  {
    // The root of the weight goes into all rows, so that products have it once.
    ElemType root[size];
    for (size_t i = 0; i < size; ++i)
    {
      root[i] = (s * size + i >= count) ? ElemType(0) :
          weights ? std::sqrt(weights[s * size + i]) : ElemType(1);
    }
    ElemType* one = work.u.Row(s, units);
    std::copy_n(root, size, one);
    for (size_t k = 0; k < function.Outputs(); ++k)
      for (size_t i = 0; i < size; ++i)
        work.u.Row(s, units + 1 + k)[i] = targets.Row(s, k)[i] * root[i];

    for (size_t j = 0; j < units; ++j)
    {
      const ElemType* a = work.hidden.Row(s, j);
      ElemType slope[size];
      std::copy_n(root, size, slope);
      MultiplySlope(function.Activation(), slope, a, size);
      for (size_t i = 0; i < size; ++i)
        work.u.Row(s, j)[i] = a[i] * root[i];
      for (size_t f = 0; f < d; ++f)
      {
        const ElemType* x = points.Row(s, f);
        ElemType* to = work.v.Row(s, j * (d + 1) + f);
        for (size_t i = 0; i < size; i += Lanes<ElemType>)
          Store(to + i, Load(x + i) * Load(slope + i));
      }
      std::copy_n(slope, size, work.v.Row(s, j * (d + 1) + d));
    }
  }
}

template<typename MatType>
void StageSums<MatType>::AddBlock(const ElemType* hidden,
                                  const size_t b,
                                  Workspace& work) const
{
  const size_t d = function.Dimensionality(), units = function.Units();
  const size_t count = function.Points().Count(b);
  const size_t strips = NumStrips<ElemType>(count);
  const Strips<const ElemType> points = function.Points().Block(b,
      work.points);
  Affine<ElemType>(points, { hidden, 1, units }, hidden + units * d,
      work.hidden, strips);
  Activate(function.Activation(), work.hidden.values,
      strips * units * StripSize<ElemType>);
  FillRows(points, function.Targets().Block(b, work.targets),
      function.IsWeighted() ? function.Weights().Block(b, work.weights).values :
      nullptr, count, work);

  const bool part = (b % every == 0);
  Correlate<ElemType>(work.u, work.u,
      { (part ? work.partUU : work.uu).memptr(), 1, uSize }, strips);
  Correlate<ElemType>(work.u, work.v,
      { (part ? work.partUV : work.uv).memptr(), 1, uSize }, strips);
  if (part)
  {
    CorrelateWithSelf<ElemType>(work.v, d + 1,
        { work.partVV.memptr(), 1, vSize }, strips);
  }
}

template<typename MatType>
void StageSums<MatType>::Compute(const ElemType* hidden)
{
  uu.zeros(uSize, uSize);
  uv.zeros(uSize, vSize);
  partUU.zeros(uSize, uSize);
  partUV.zeros(uSize, vSize);
  partVV.zeros(vSize, vSize);

  pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
  {
    if (!work[piece])
      work[piece] = std::make_unique<Workspace>(*this);
    work[piece]->Reset(*this);
    for (size_t b = begin; b < end; ++b)
      AddBlock(hidden, b, *work[piece]);
  });

  const auto add = [](arma::mat& sum, const arma::Mat<ElemType>& part)
  {
    sum += arma::conv_to<arma::mat>::from(part);
  };
  for (const std::unique_ptr<Workspace>& w : work)
  {
    add(uu, w->uu);
    add(uv, w->uv);
    add(partUU, w->partUU);
    add(partUV, w->partUV);
    add(partVV, w->partVV);
  }
  uu += partUU;
  uv += partUV;
  // The other half of the blocks below the diagonal.
  const size_t width = function.Dimensionality() + 1;
  for (size_t j = 0; j < vSize; j += width)
    for (size_t i = j + width; i < vSize; i += width)
      for (size_t b = 1; b < width; ++b)
        for (size_t a = 0; a < b; ++a)
          partVV.at(i + a, j + b) = partVV.at(i + b, j + a);
}

} // namespace gbnn
} // namespace mlpack

#endif
