/**
 * @file methods/gbnn/anytime/exit_bounds.hpp
 *
 * Bounds on what the remaining units of a network can change about the class
 * that leads.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_ANYTIME_EXIT_BOUNDS_HPP
#define MLPACK_METHODS_GBNN_ANYTIME_EXIT_BOUNDS_HPP

#include "../network/boosted_network.hpp"

namespace mlpack {
namespace gbnn {

/**
 * Bounds that tell when the class of a point is decided.  After the first k of
 * K units, the final difference F_j - F_l differs from the current one by the
 * sum over the remaining units of (W_2(j, u) - W_2(l, u)) a_u(x).  Every
 * activation a_u lies in an interval that is known in advance: [0, 1] for the
 * logistic function, [-1, 1] for tanh.  That of a rectifier depends on the
 * point: it lies in [0, |w_u| |x| + max(0, b_u)].  So the difference can rise
 * by at most a constant, plus, for rectifiers, a factor times |x|.  Class l is
 * decided when it is ahead of every other class by more than that.
 *
 * The bounds also hold for floating-point sums, in whatever order: they are
 * widened by several times the largest possible rounding error.  So a class
 * that is decided is the one that the sum over all units gives.
 *
 * Two classes with one score F are treated as if they had the scores 0 and F.
 * For more than 16 classes there is no bound for each pair of classes, but a
 * less tight one for each class.
 */
template<typename MatType>
class ExitBounds
{
 public:
  using ElemType = typename MatType::elem_type;

  /**
   * @param network The network.
   * @param units Number of units that predictions use, K.
   * @param checks Numbers of units, ascending, after which to decide.
   */
  ExitBounds(const BoostedNetwork<MatType>& network,
             const size_t units,
             const std::vector<size_t>& checks);

  //! Whether the bounds depend on the norm of a point.
  bool UseNorm() const { return useNorm; }

  /**
   * Whether no remaining unit can change that `leader` is the class.
   *
   * @param check Which of the checks.
   * @param sums The output bias of all K units, plus the units so far, for each
   *     output.
   * @param leader The class in question.
   * @param norm |x|, if it is used, else 0.
   */
  bool Decided(const size_t check,
               const ElemType* sums,
               const size_t leader,
               const ElemType norm) const;

  /**
   * The minimum margin of a class that is decided.  It is rough, and spares
   * most points the exact test.
   *
   * @param check Which of the checks.
   * @param expected What is to be added to the sums before they are compared.
   */
  double MinMargin(const size_t check, const ElemType* expected) const;

 private:
  //! The most classes for which there is a bound for each pair: their number
  //! grows with the square of that of the classes, as does the time of a check.
  static constexpr size_t maxPairwiseClasses = 16;
  // Rounding errors are overestimated four and eight times: they are computed
  // in floating point, too, and a few operations more than there are units or
  // inputs are counted.
  static constexpr double sumMargin = 4.0, productMargin = 8.0;
  static constexpr size_t moreRoundings = 4;

  //! One part of the bounds: the constant, or the factor of |x|.
  struct Part
  {
    //! Sums over the remaining units: the most that class j can gain on leader
    //! l, or, unless pairwise, by itself; and the most that a class can lose by
    //! itself.
    arma::mat gain;
    arma::vec loss;
    //! The largest rounding error of the score of a class.
    arma::vec lost;
    //! The first two for each check, widened by the third.
    arma::Cube<ElemType> gains;
    arma::Mat<ElemType> losses;
  };

  //! What is known about the activation of a unit: it is in
  //! [low, high + factor |x|].
  struct Range
  {
    double low, high, factor;
  };

  //! The range of a unit of the network.
  static Range RangeOf(const BoostedNetwork<MatType>& network,
                       const size_t unit);

  //! The weights from a unit to the classes.
  arma::vec WeightsOf(const BoostedNetwork<MatType>& network,
                      const size_t unit) const;

  //! Take a unit whose activation is in [low, high] into the sums.
  void Add(Part& part,
           const arma::vec& weights,
           const double low,
           const double high) const;

  //! Keep the sums as those of a check.
  void Store(Part& part, const size_t check) const;

  //! Leaders that gains are told apart for.
  size_t Leaders() const { return pairwise ? classes : 1; }

  bool oneOutput;
  bool pairwise;
  bool useNorm;
  size_t classes;
  Part constant, factor;
};

template<typename MatType>
ExitBounds<MatType>::ExitBounds(const BoostedNetwork<MatType>& network,
                                const size_t units,
                                const std::vector<size_t>& checks) :
    oneOutput(network.Outputs() == 1),
    pairwise(network.Outputs() <= maxPairwiseClasses),
    useNorm(network.Activation() == GBNNActivation::RELU),
    classes(oneOutput ? 2 : network.Outputs())
{
  for (Part* part : { &constant, &factor })
  {
    part->gain.zeros(classes, Leaders());
    part->loss.zeros(classes);
    part->lost.zeros(classes);
    part->gains.zeros(classes, Leaders(), checks.size());
    part->losses.zeros(classes, checks.size());
  }
  if (network.Outputs() == 0)
    return;

  // Each step of a sum loses at most half an epsilon of the sum so far.
  constant.lost.tail(network.Outputs()) += arma::abs(
      arma::conv_to<arma::vec>::from(network.OutputBias().col(units)));
  for (size_t u = 0; u < units; ++u)
  {
    const Range range = RangeOf(network, u);
    const arma::vec sizes = arma::abs(WeightsOf(network, u));
    constant.lost += sizes * std::max(-range.low, range.high);
    factor.lost += sizes * range.factor;
  }
  const double error = sumMargin * double(units + moreRoundings) *
      double(std::numeric_limits<ElemType>::epsilon());
  constant.lost *= error;
  factor.lost *= error;

  for (size_t c = checks.size(), u = units; c-- > 0;)
  {
    for (; u > checks[c]; --u)
    {
      const Range range = RangeOf(network, u - 1);
      const arma::vec weights = WeightsOf(network, u - 1);
      Add(constant, weights, range.low, range.high);
      Add(factor, weights, 0, range.factor);
    }
    Store(constant, c);
    Store(factor, c);
  }
}

template<typename MatType>
typename ExitBounds<MatType>::Range ExitBounds<MatType>::RangeOf(
    const BoostedNetwork<MatType>& network, const size_t unit)
{
  if (network.Activation() == GBNNActivation::LOGISTIC)
    return { 0, 1, 0 };
  if (network.Activation() == GBNNActivation::TANH)
    return { -1, 1, 0 };
  // Products are rounded, and so is |x|.
  const double error = productMargin *
      double(network.Dimensionality() + moreRoundings) *
      double(std::numeric_limits<ElemType>::epsilon());
  const double bias = network.HiddenBias()[unit];
  const double norm = arma::norm(arma::conv_to<arma::vec>::from(
      network.HiddenWeights().col(unit)));
  return { 0, std::max(0.0, bias) + error * std::abs(bias),
      (1 + error) * norm };
}

template<typename MatType>
arma::vec ExitBounds<MatType>::WeightsOf(const BoostedNetwork<MatType>& network,
                                         const size_t unit) const
{
  arma::vec weights(classes, arma::fill::zeros);
  weights.tail(network.Outputs()) = arma::conv_to<arma::vec>::from(
      network.OutputWeights().col(unit));
  return weights;
}

template<typename MatType>
void ExitBounds<MatType>::Add(Part& part,
                              const arma::vec& weights,
                              const double low,
                              const double high) const
{
  for (size_t j = 0; j < classes; ++j)
  {
    for (size_t l = 0; l < Leaders(); ++l)
    {
      const double weight = weights[j] - (pairwise ? weights[l] : 0);
      part.gain(j, l) += std::max(weight * low, weight * high);
    }
    part.loss[j] -= std::min(weights[j] * low, weights[j] * high);
  }
}

template<typename MatType>
void ExitBounds<MatType>::Store(Part& part, const size_t check) const
{
  for (size_t j = 0; j < classes; ++j)
  {
    part.losses(j, check) = ElemType(part.loss[j] + part.lost[j]);
    for (size_t l = 0; l < Leaders(); ++l)
    {
      part.gains(j, l, check) = ElemType(part.gain(j, l) + part.lost[j] +
          (pairwise ? part.lost[l] : 0));
    }
  }
}

template<typename MatType>
bool ExitBounds<MatType>::Decided(const size_t check,
                                  const ElemType* sums,
                                  const size_t leader,
                                  const ElemType norm) const
{
  const ElemType two[] = { 0, sums[0] };
  const ElemType* scores = oneOutput ? two : sums;
  const size_t column = pairwise ? leader : 0;
  const ElemType* gains = constant.gains.slice_colptr(check, column);
  const ElemType* factors = factor.gains.slice_colptr(check, column);
  ElemType ahead = scores[leader];
  if (!pairwise)
  {
    ahead -= constant.losses(leader, check) +
        norm * factor.losses(leader, check);
  }
  for (size_t j = 0; j < classes; ++j)
  {
    if (j != leader && !(ahead - scores[j] > gains[j] + norm * factors[j]))
      return false;
  }
  return true;
}

template<typename MatType>
double ExitBounds<MatType>::MinMargin(const size_t check,
                                      const ElemType* expected) const
{
  const double two[] = { 0, double(expected[0]) };
  double minimum = arma::datum::inf;
  for (size_t l = 0; l < classes; ++l)
  {
    for (size_t j = 0; j < classes; ++j)
    {
      const double gain = pairwise ? constant.gains(j, l, check) :
          constant.gains(j, 0, check) + constant.losses(l, check);
      const double rise = oneOutput ? two[l] - two[j] :
          double(expected[l]) - double(expected[j]);
      if (j != l)
        minimum = std::min(minimum, gain + rise);
    }
  }
  return minimum;
}

} // namespace gbnn
} // namespace mlpack

#endif
