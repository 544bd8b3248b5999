/**
 * @file methods/gbnn/stage/boosting_run.hpp
 *
 * The state of one run of boosting.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_BOOSTING_RUN_HPP
#define MLPACK_METHODS_GBNN_STAGE_BOOSTING_RUN_HPP

#include <numeric>

#include "../files/checkpoint.hpp"
#include "stage_watch.hpp"

namespace mlpack {
namespace gbnn {

/**
 * The state of one run of Algorithm 1: its inputs, and the network so far.
 * Everything given by reference must outlive the run.
 *
 * @tparam MatTypeT Type of matrix (`arma::mat` or `arma::fmat`).
 * @tparam LossTypeT The loss to minimize; see SquaredErrorLoss.
 */
template<typename MatTypeT, typename LossTypeT>
struct BoostingRun
{
  using MatType = MatTypeT;
  using LossType = LossTypeT;
  using RowType = arma::Row<typename MatType::elem_type>;

  /**
   * @param data Points, one a column.
   * @param targets Targets, in the form in which the loss takes them.
   * @param weights Weights of the points, or empty.
   * @param loss The loss.
   * @param seed Decides initial weights and subsamples.
   * @param network The network to go on with.
   * @param l2 L2 regularization of the weights of a stage.
   */
  BoostingRun(const MatType& data,
              const MatType& targets,
              const RowType& weights,
              const LossType& loss,
              const size_t seed,
              const BoostedNetwork<MatType>& network,
              const double l2) :
      data(data), targets(targets), weights(weights), loss(loss), seed(seed),
      cut(PointCut::Of(data.n_cols)), network(network), l2(l2)
  {
    // A point of weight zero is left out.
    if (!weights.is_empty())
      candidates = arma::find(weights > 0);
    else if (data.n_cols > 0)
      candidates = arma::regspace<arma::uvec>(0, data.n_cols - 1);

    const std::vector<size_t> numbers = GatherAll(cut.Communicator(),
        std::vector<size_t>{ candidates.n_elem });
    const size_t rank = cut.Communicator() ? cut.Communicator()->Rank() : 0;
    candidatesBefore = std::accumulate(numbers.begin(),
        numbers.begin() + rank, size_t(0));
    totalCandidates = std::accumulate(numbers.begin(), numbers.end(),
        size_t(0));
    Rescore();
  }

  //! Compute scores and loss of a network that has changed.
  void Rescore()
  {
    const PointScope scope(&cut);
    network.EvaluateStages(data, scores);
    losses.assign(1, loss.Value(targets, scores, weights));
    lossUnits.assign(1, network.Units());
  }

  const MatType& data;
  const MatType& targets;
  const RowType& weights;
  const LossType& loss;
  //! Points that may be trained on: those of positive weight.
  arma::uvec candidates;
  //! Number of those of the ranks before this one, and of all ranks.
  size_t candidatesBefore, totalCandidates;
  size_t seed;
  //! How the points are cut: as those of the PointScope in which the run was
  //! made.
  PointCut cut;
  BoostedNetwork<MatType> network;
  //! L2 regularization of the weights of a stage.
  double l2;
  //! The network that boosting has begun with; nullptr for a constant.
  const BoostedNetwork<MatType>* first = nullptr;
  //! F_{t-1} of the training data, r_t and h_t.
  MatType scores, residuals, output;
  //! F_{t-1}, once `scores` are F_t.
  MatType before;
  //! The mean loss before the first stage and after each, and the number of
  //! units then.
  std::vector<double> losses;
  std::vector<size_t> lossUnits;
  //! Decides how many stages to keep.
  StageWatch<MatType, LossType> watch;
  //! Keeps the stages and rounds that are finished.
  GBNNCheckpoint checkpoint;
};

} // namespace gbnn
} // namespace mlpack

#endif
