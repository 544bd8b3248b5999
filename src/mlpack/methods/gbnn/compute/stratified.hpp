/**
 * @file methods/gbnn/compute/stratified.hpp
 *
 * Points in the order of their targets, and stratified shares and folds.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_STRATIFIED_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_STRATIFIED_HPP

#include <mlpack/prereqs.hpp>

#include "point_cut.hpp"
#include "random.hpp"

namespace mlpack {
namespace gbnn {

/**
 * The given points, sorted by their targets; points of equal targets are
 * shuffled.
 *
 * @param targets Targets of all points, one a column.
 * @param points The points to sort.
 * @param random Shuffles.
 */
template<typename MatType>
arma::uvec OrderByTarget(const MatType& targets,
                         const arma::uvec& points,
                         Random& random)
{
  arma::uvec order = points;
  for (size_t i = order.n_elem; i > 1; --i)
    std::swap(order[i - 1], order[random.Below(i)]);
  std::stable_sort(order.begin(), order.end(),
      [&](const arma::uword a, const arma::uword b)
      {
        return std::lexicographical_compare(targets.colptr(a),
            targets.colptr(a) + targets.n_rows, targets.colptr(b),
            targets.colptr(b) + targets.n_rows);
      });
  return order;
}

/**
 * Disjoint shares of the given points in which targets are distributed as among
 * all of them: points are sorted by target, and every n-th is taken.
 *
 * @param targets Targets of all points, one a column.
 * @param candidates The points to choose from, in ascending order.
 * @param fraction The size of a share, in [0, 1].
 * @param number Number of shares; there are fewer if the points do not suffice,
 *     but at least one.
 * @param random Decides on the points.
 * @return The points of each share, in ascending order.
 */
template<typename MatType>
std::vector<arma::uvec> StratifiedShares(const MatType& targets,
                                         const arma::uvec& candidates,
                                         const double fraction,
                                         const size_t number,
                                         Random& random)
{
  const arma::uvec order = OrderByTarget(targets, candidates, random);
  const size_t size = size_t(std::round(fraction * double(order.n_elem)));
  const double start = random.Uniform();
  const size_t room = std::max<size_t>(1, order.n_elem / std::max<size_t>(1,
      size));
  std::vector<arma::uvec> shares;
  for (size_t s = 0; s < std::max<size_t>(1, std::min(number, room)); ++s)
  {
    const double from = std::fmod(start + double(s) / double(room), 1.0);
    arma::uvec chosen(size);
    for (size_t i = 0; i < size; ++i)
    {
      const double position = (double(i) + from) * double(order.n_elem) /
          double(size);
      chosen[i] = order[std::min<size_t>(size_t(position), order.n_elem - 1)];
    }
    shares.push_back(arma::sort(chosen));
  }
  return shares;
}

/**
 * The same for points of several ranks: each gets its own points of each share.
 * Every rank sees all targets for that, which are a number or a few for each
 * point.
 *
 * @param cut How the points are cut.
 */
template<typename MatType>
std::vector<arma::uvec> StratifiedShares(const MatType& targets,
                                         const arma::uvec& candidates,
                                         const double fraction,
                                         const size_t number,
                                         Random& random,
                                         const PointCut& cut)
{
  using ElemType = typename MatType::elem_type;
  if (!cut.Communicator())
    return StratifiedShares(targets, candidates, fraction, number, random);
  std::vector<ElemType> numbers = GatherAll(cut.Communicator(),
      std::vector<ElemType>(targets.begin(), targets.end()));
  const MatType allTargets(numbers.data(), targets.n_rows,
      numbers.size() / targets.n_rows, false, true);
  const size_t first = cut.FirstPoint(), end = first + cut.Points();
  std::vector<arma::uword> mine(candidates.begin(), candidates.end());
  for (arma::uword& point : mine)
    point += first;
  const arma::uvec all(GatherAll(cut.Communicator(), mine));
  std::vector<arma::uvec> shares = StratifiedShares(allTargets, all, fraction,
      number, random);
  for (arma::uvec& share : shares)
    share = arma::uvec(share(arma::find(share >= first && share < end))) -
        first;
  return shares;
}

//! One share of the points of one rank.
template<typename MatType>
arma::uvec StratifiedSample(const MatType& targets,
                            const arma::uvec& candidates,
                            const double fraction,
                            Random& random)
{
  return StratifiedShares(targets, candidates, fraction, 1, random).front();
}

/**
 * Assign points to folds, so that targets are spread evenly: the sizes of two
 * folds differ by at most one point, and so do, for classes, their numbers of
 * points of each class.
 *
 * @param targets Targets of all points, one a column.
 * @param points The points to assign.
 * @param folds Number of folds.
 * @param classes Whether targets are those of classes.
 * @param random Decides which points are in the same fold.
 * @return The fold of each point, in the order of `points`.
 */
template<typename MatType>
arma::uvec StratifiedFolds(const MatType& targets,
                           const arma::uvec& points,
                           const size_t folds,
                           const bool classes,
                           Random& random)
{
  // Positions in `points`, sorted by target.
  const MatType chosen = targets.cols(points);
  const arma::uvec order = OrderByTarget(chosen,
      arma::regspace<arma::uvec>(0, points.n_elem - 1), random);

  arma::uvec turn = arma::regspace<arma::uvec>(0, folds - 1);
  arma::uvec fold(points.n_elem);
  for (size_t i = 0; i < order.n_elem; ++i)
  {
    // With the same order throughout, the first fold would always get the
    // smallest of some responses.  Points of a class are shuffled already.
    if (i % folds == 0 && (i == 0 || !classes))
    {
      for (size_t j = folds; j > 1; --j)
        std::swap(turn[j - 1], turn[random.Below(j)]);
    }
    fold[order[i]] = turn[i % folds];
  }
  return fold;
}

} // namespace gbnn
} // namespace mlpack

#endif
