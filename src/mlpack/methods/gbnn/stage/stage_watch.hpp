/**
 * @file methods/gbnn/stage/stage_watch.hpp
 *
 * The loss on a validation set, which decides how many stages to keep.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_STAGE_WATCH_HPP
#define MLPACK_METHODS_GBNN_STAGE_STAGE_WATCH_HPP

#include "../network/boosted_network.hpp"

namespace mlpack {
namespace gbnn {

/**
 * Follows the loss on a validation set from stage to stage.
 *
 * @tparam MatType Type of matrix.
 * @tparam LossType The loss.
 */
template<typename MatType, typename LossType>
class StageWatch
{
 public:
  using RowType = arma::Row<typename MatType::elem_type>;

  //! Without a validation set.
  StageWatch() : patience(0), first(0), best(0) { }

  /**
   * @param data Points, one a column.
   * @param targets Their targets, as the loss takes them.
   * @param weights Their weights, or empty.
   * @param patience Number of stages to continue without a lower loss; 0 means
   *     that training never stops early.
   * @param cut How the points are cut.
   */
  StageWatch(MatType data,
             MatType targets,
             RowType weights,
             const size_t patience,
             const PointCut& cut) :
      data(std::move(data)), targets(std::move(targets)),
      weights(std::move(weights)), cut(cut), patience(patience), first(0),
      best(0)
  { }

  //! Whether there is a validation set.
  bool IsActive() const { return cut.TotalPoints() > 0; }

  //! Training begins with this network.
  void Begin(const BoostedNetwork<MatType>& network, const LossType& loss)
  {
    const PointScope scope(&cut);
    network.EvaluateStages(data, scores);
    losses.assign(1, loss.Value(targets, scores, weights));
    first = best = network.Stages();
  }

  //! Call this after each stage; returns whether it is time to stop.
  bool Add(const BoostedNetwork<MatType>& network, const LossType& loss)
  {
    const PointScope scope(&cut);
    const size_t stages = network.Stages();
    network.AddStage(stages - 1, data, scores);
    losses.push_back(loss.Value(targets, scores, weights));
    if (losses.back() < losses[best - first])
      best = stages;
    return patience > 0 && stages - best >= patience;
  }

  //! The number of stages with the lowest loss.
  size_t BestStages() const { return best; }

  //! The mean loss at the beginning and after each stage.
  const std::vector<double>& Losses() const { return losses; }

 private:
  MatType data, targets;
  RowType weights;
  PointCut cut;
  size_t patience;
  //! F_t of the points.
  MatType scores;
  std::vector<double> losses;
  size_t first, best;
};

} // namespace gbnn
} // namespace mlpack

#endif
