/**
 * @file experiments/deep/dense.hpp
 *
 * The experiments with a dense trunk: three hidden layers of 100 units, ReLU.
 */
#ifndef GBNN_EXPERIMENTS_DEEP_DENSE_HPP
#define GBNN_EXPERIMENTS_DEEP_DENSE_HPP

#include "experiment.hpp"

namespace experiments {

//! The paper's dense network.
inline TrunkType DenseTrunk(const size_t classes)
{
  TrunkType network;
  for (size_t i = 0; i < 3; ++i)
  {
    network.Add<mlpack::Linear>(100);
    network.Add<mlpack::ReLU>();
  }
  network.Add<mlpack::Linear>(classes);
  network.Add<mlpack::LogSoftMax>();
  return network;
}

//! Bring columns to mean 0 and variance 1, by what the training data shows.
inline void Standardize(LabeledPoints& train, LabeledPoints& test)
{
  const arma::vec mean = arma::mean(train.points, 1);
  arma::vec deviation = arma::stddev(train.points, 1, 1);
  deviation.replace(0, 1);
  for (LabeledPoints* part : { &train, &test })
  {
    part->points.each_col() -= mean;
    part->points.each_col() /= deviation;
  }
}

//! A random choice of `share` of each class's points, and the others.
inline std::pair<LabeledPoints, LabeledPoints> StratifiedSplit(
    const LabeledPoints& all, const double share, const size_t seed)
{
  mlpack::gbnn::Random random(seed, mlpack::gbnn::RandomStream::STAGE);
  std::vector<arma::uword> in, out;
  for (size_t k = 0; k <= all.labels.max(); ++k)
  {
    const arma::uvec members = arma::find(all.labels == k);
    const arma::uvec chosen = random.Sample(members,
        size_t(std::round(share * members.n_elem)));
    in.insert(in.end(), chosen.begin(), chosen.end());
    std::set_difference(members.begin(), members.end(), chosen.begin(),
        chosen.end(), std::back_inserter(out));
  }
  // In a random order, so that the first of them are a sample, too.
  const auto choose = [&](std::vector<arma::uword>& order) -> LabeledPoints
  {
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[random.Below(i)]);
    const arma::uvec columns(order);
    return { all.points.cols(columns), all.labels.cols(columns) };
  };
  return { choose(in), choose(out) };
}

} // namespace experiments

#endif
