/**
 * @file methods/gbnn/compute/point_sums.hpp
 *
 * Sums and means over points that do not depend on the number of threads, nor
 * of ranks.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_POINT_SUMS_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_POINT_SUMS_HPP

#include "point_cut.hpp"

namespace mlpack {
namespace gbnn {

//! The weight of a point; without weights every point weighs 1.
template<typename RowType>
inline double WeightOf(const RowType& weights, const size_t point)
{
  return weights.is_empty() ? 1.0 : double(weights[point]);
}

/**
 * Sum `sums` numbers over the points: f(point, weight, sums) adds those of one
 * point.  The only place where GBNN sums a loss or a Newton step over points.
 * Within a PointScope, points are those of all ranks.
 *
 * @param points Number of points.
 * @param weights Weights of the points, or empty.
 * @param sums Number of sums.
 * @param f Adds the terms of one point.
 */
template<typename RowType, typename FunctionType>
arma::vec SumOverPoints(const size_t points,
                        const RowType& weights,
                        const size_t sums,
                        const FunctionType& f)
{
  // Rough: this only decides how points are cut into pieces.
  const size_t workPerSum = 20;
  const auto add = [&](const size_t begin, const size_t end, double* part)
  {
    for (size_t i = begin; i < end; ++i)
    {
      // A point of weight zero is left out, even if its loss is NaN.
      const double weight = WeightOf(weights, i);
      if (weight != 0)
        f(i, weight, part);
    }
  };
  // Losses of single blocks come here often, so these take no memory for cells.
  const PointCut* current = CurrentCut();
  if (current ? current->IsWhole(points) : PointCut::CellsFor(points) == 1)
  {
    const Pieces pieces(points, workPerSum * sums);
    arma::mat parts(sums, pieces.Count(), arma::fill::zeros);
    pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
    {
      add(begin, end, parts.colptr(piece));
    });
    return arma::sum(parts, 1);
  }
  const PointCut cut = PointCut::Of(points);
  const CellPieces pieces(cut, cut.Begins(), cut.TotalPoints(),
      workPerSum * sums);
  arma::mat parts(sums, pieces.Count(), arma::fill::zeros);
  pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
  {
    add(begin, end, parts.colptr(piece));
  });
  arma::vec result(sums, arma::fill::zeros);
  pieces.Sum(sums, [&](const size_t piece) { return parts.colptr(piece); },
      result.memptr());
  return result;
}

//! The mean of a function of a point, weighted.
template<typename RowType, typename FunctionType>
double MeanOverPoints(const size_t points,
                      const RowType& weights,
                      const FunctionType& f)
{
  const arma::vec sums = SumOverPoints(points, weights, 2,
      [&](const size_t i, const double weight, double* sum)
      {
        sum[0] += weight * f(i);
        sum[1] += weight;
      });
  return sums[0] / sums[1];
}

/**
 * The mean over points, weighted, of a sum over outputs.
 *
 * @param targets Targets, one column a point.
 * @param scores Scores.
 * @param weights Weights of the points, or empty.
 * @param f f(y, score, output): the term of one output of a point.
 */
template<typename MatType, typename RowType, typename FunctionType>
double MeanOfOutputs(const MatType& targets,
                     const MatType& scores,
                     const RowType& weights,
                     const FunctionType& f)
{
  return MeanOverPoints(targets.n_cols, weights,
      [&](const size_t i)
      {
        double sum = 0;
        for (size_t k = 0; k < targets.n_rows; ++k)
          sum += f(double(targets(k, i)), double(scores(k, i)), k);
        return sum;
      });
}

} // namespace gbnn
} // namespace mlpack

#endif
