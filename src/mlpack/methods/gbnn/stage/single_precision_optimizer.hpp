/**
 * @file methods/gbnn/stage/single_precision_optimizer.hpp
 *
 * Boosting stages in single precision, whatever the precision of the model.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_SINGLE_PRECISION_OPTIMIZER_HPP
#define MLPACK_METHODS_GBNN_STAGE_SINGLE_PRECISION_OPTIMIZER_HPP

#include "stage_optimizer.hpp"

namespace mlpack {

//! The objective of a stage in single precision, as a function of parameters of
//! another type.
template<typename MatType>
class SinglePrecisionFunction :
    public gbnn::EnsFunction<SinglePrecisionFunction<MatType>, MatType>
{
 public:
  using ElemType = typename MatType::elem_type;

  //! @param function The objective; must outlive this object.
  SinglePrecisionFunction(const StageFunction<arma::fmat>& function) :
      function(function)
  { }

  ElemType Compute(const MatType& parameters, MatType* gradient) const
  {
    arma::fmat single;
    const float value = function.Compute(arma::conv_to<arma::fmat>::from(
        parameters), gradient ? &single : nullptr);
    if (gradient)
      *gradient = arma::conv_to<MatType>::from(single);
    return value;
  }

 private:
  const StageFunction<arma::fmat>& function;
};

/**
 * Does in single precision what StageOptimizer does, in less time.  It is for
 * networks that are only trained to be compared, such as those of trials, and
 * for piecewise-linear inputs, whose positions are small numbers.
 */
class SinglePrecisionOptimizer
{
 public:
  //! @param data The points of all stages; must outlive the optimizer.
  //! @param optimizer What to do.
  SinglePrecisionOptimizer(const arma::fmat& data,
                           const StageOptimizer& optimizer = StageOptimizer()) :
      data(data), optimizer(optimizer)
  { }

  /**
   * Whether to compute in single precision.  That is so if the matrices are in
   * double precision, no input is far from zero compared to its range, and no
   * input or weight is very large or very small.  (Outliers are not noticed:
   * where a few values are far from all others, these may lose their digits.)
   */
  template<typename MatType, typename RowType>
  static bool Suits(const MatType& data,
                    const RowType& weights,
                    const GBNNCommunicator* ranks = nullptr)
  {
    if (std::is_same_v<MatType, arma::fmat>)
      return false;
    bool suits = true;
    for (const double weight : weights)
    {
      if (weight > 0 && (weight > maxWeight || weight < 1 / maxWeight))
        suits = false;
    }
    if (gbnn::AnyRank(ranks, !suits))
      return false;
    for (size_t d = 0; d < data.n_rows; ++d)
    {
      // A rank may have no points.
      const double none = -std::numeric_limits<double>::infinity();
      const double low = -gbnn::MaxOfRanks(ranks, data.is_empty() ? none :
          -double(data.row(d).min()));
      const double high = gbnn::MaxOfRanks(ranks, data.is_empty() ? none :
          double(data.row(d).max()));
      const double largest = std::max(std::abs(low), std::abs(high));
      if (largest > 0 && (largest > maxInput || largest < 1 / maxInput ||
          (high > low && high - low < largest / maxOffset)))
        return false;
    }
    return true;
  }

  //! Minimize the stage's objective; returns its value at the end.
  template<typename MatType, typename... CallbackTypes>
  typename MatType::elem_type Optimize(StageFunction<MatType>& function,
                                       MatType& parameters,
                                       CallbackTypes&&... callbacks)
  {
    const arma::fmat residuals = arma::conv_to<arma::fmat>::from(
        function.Residuals());
    const arma::frowvec weights = arma::conv_to<arma::frowvec>::from(
        function.Weights());
    StageFunction<arma::fmat> single(data, residuals, weights,
        &function.Points(), function.Units(), function.Activation(),
        function.L2(), gbnn::Random(0, gbnn::RandomStream::STAGE_ORDER),
        function.Pieces());
    if (StageOptimizer::Projects(function))
    {
      arma::fmat start = arma::conv_to<arma::fmat>::from(parameters);
      const auto value = optimizer.Optimize(single, start, callbacks...);
      parameters = arma::conv_to<MatType>::from(start);
      return value;
    }
    // In single precision, L_BFGS would take a small change of the gradient for
    // none, so its parameters stay as they are.
    SinglePrecisionFunction<MatType> converted(single);
    return optimizer.LBFGSFor(function).Optimize(converted, parameters,
        callbacks...);
  }

 private:
  // Single precision ends at about 1e38.  The product of a weight and two
  // inputs, of which the Gauss-Newton matrix is a sum, must not come near that.
  static constexpr double maxWeight = 1e20;
  static constexpr double maxInput = 1e9;
  //! An input may be this many times as far from zero as its range: it loses 10
  //! of 24 bits then, and a gradient is off by less than 1e-5
  //! (`gbnn_constants_benchmark precision`).
  static constexpr double maxOffset = 1024;

  const arma::fmat& data;
  StageOptimizer optimizer;
};

} // namespace mlpack

#endif
