/**
 * @file methods/gbnn/loss_functions/target_sizes.hpp
 *
 * Brings several responses to about the same size while a network is trained.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_TARGET_SIZES_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_TARGET_SIZES_HPP

#include "../network/boosted_network.hpp"
#include "squared_error_loss.hpp"

namespace mlpack {

class AbsoluteLoss;

namespace gbnn {

//! Whether dividing responses and scores by a number only multiplies a loss,
//! which may be chosen at run time.  Other losses, of users too, mean the
//! numbers as they are.
template<typename LossType>
bool IsHomogeneous([[maybe_unused]] const LossType& loss)
{
  if constexpr (std::is_same_v<LossType, RegressionLoss>)
    return IsSquaredError(loss) || loss.template As<AbsoluteLoss>();
  else
    return IsSquaredError(loss) || std::is_same_v<LossType, AbsoluteLoss>;
}

/**
 * How large each of several responses is, compared to the smallest, as a power
 * of four: those within a factor of two are left as they are.  Training divides
 * responses by these sizes, so that small ones count as much as large ones in
 * the sum of their losses, and multiplies the outputs of the network by them at
 * the end.  A power of four rounds nothing, so responses in other units lead to
 * the same network, in other units.
 *
 * All sizes are 1 for a single output, and unless the loss IsHomogeneous().
 */
template<typename MatType>
class TargetSizes
{
 public:
  using ElemType = typename MatType::elem_type;

  /**
   * @param loss The loss.
   * @param targets Targets, in the form in which the loss takes them.
   * @param weights Weights of the points, or empty.
   */
  template<typename LossType, typename RowType>
  TargetSizes(const LossType& loss,
              const MatType& targets,
              const RowType& weights) :
      sizes(targets.n_rows, arma::fill::ones)
  {
    if (targets.n_rows == 1 || !IsHomogeneous(loss))
      return;
    arma::vec scales(targets.n_rows);
    for (size_t k = 0; k < targets.n_rows; ++k)
      scales[k] = loss.ScoreScale(MatType(targets.row(k)), weights);
    // A constant response has no size, up to the rounding of its mean, and
    // neither has one that is too large for numbers.
    const arma::vec least = std::sqrt(std::numeric_limits<
        ElemType>::epsilon()) * arma::abs(arma::conv_to<arma::vec>::from(
        loss.Start(targets, weights)));
    const arma::uvec sized = arma::find(scales > least && scales <=
        std::numeric_limits<double>::max());
    if (sized.is_empty())
      return;
    const double smallest = scales.elem(sized).min();
    const int most = std::numeric_limits<ElemType>::max_exponent / 2;
    for (const arma::uword k : sized)
    {
      const double power = std::log2(scales[k]) - std::log2(smallest);
      sizes[k] = std::ldexp(ElemType(1), std::min(most,
          2 * int(std::round(power / 2))));
    }
  }

  //! Whether all sizes are 1.
  bool AreOnes() const { return arma::all(sizes == ElemType(1)); }

  //! Targets divided by the sizes, in `memory` unless all are 1.
  const MatType& Divide(const MatType& targets, MatType& memory) const
  {
    if (AreOnes())
      return targets;
    memory = targets;
    memory.each_col() /= sizes;
    return memory;
  }

  //! A network for targets divided by the sizes, from one for the others.
  BoostedNetwork<MatType> Divide(BoostedNetwork<MatType> network) const
  {
    if (!AreOnes())
      network.ScaleOutputs(1 / sizes);
    return network;
  }

  //! A network for the targets themselves, from one for those divided.
  BoostedNetwork<MatType> Multiply(BoostedNetwork<MatType> network) const
  {
    if (!AreOnes())
      network.ScaleOutputs(sizes);
    return network;
  }

 private:
  arma::Col<ElemType> sizes;
};

} // namespace gbnn
} // namespace mlpack

#endif
