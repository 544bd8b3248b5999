/**
 * @file methods/gbnn/stage/single_precision_optimizer.hpp
 *
 * Boosting stages in single precision, whatever the model's.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_SINGLE_STAGE_OPTIMIZER_HPP
#define MLPACK_METHODS_GBNN_STAGE_SINGLE_STAGE_OPTIMIZER_HPP

#include "stage_optimizer.hpp"

namespace mlpack {

//! The objective of a stage in single precision, as a function of parameters of
//! another type.
template<typename MatType>
class SinglePrecisionFunction
{
 public:
  using ElemType = typename MatType::elem_type;

  //! @param function The objective; must outlive this object.
  SinglePrecisionFunction(const StageFunction<arma::fmat>& function) :
      function(function)
  { }

  ElemType Evaluate(const MatType& parameters) const
  {
    return function.Evaluate(arma::conv_to<arma::fmat>::from(parameters));
  }

  void Gradient(const MatType& parameters, MatType& gradient) const
  {
    EvaluateWithGradient(parameters, gradient);
  }

  ElemType EvaluateWithGradient(const MatType& parameters,
                                MatType& gradient) const
  {
    arma::fmat single;
    const float value = function.EvaluateWithGradient(
        arma::conv_to<arma::fmat>::from(parameters), single);
    gradient = arma::conv_to<MatType>::from(single);
    return value;
  }

 private:
  const StageFunction<arma::fmat>& function;
};

/**
 * Does in single precision what StageOptimizer does, in less time: for networks
 * that only tell something about others.
 */
class SinglePrecisionOptimizer
{
 public:
  //! @param data The points of all stages; must outlive the optimizer.
  SinglePrecisionOptimizer(const arma::fmat& data) : data(data) { }

  /**
   * Whether to compute in single precision: the matrices do not, no input is
   * far from zero compared to its range, and none of them, nor any weight, very
   * large or small.  (A few that are far from the others hide that these have
   * lost their digits.)
   */
  template<typename MatType, typename RowType>
  static bool Suits(const MatType& data, const RowType& weights)
  {
    if (std::is_same_v<MatType, arma::fmat>)
      return false;
    for (const double weight : weights)
    {
      if (weight > 0 && (weight > 1e20 || weight < 1e-20))
        return false;
    }
    for (size_t d = 0; d < data.n_rows; ++d)
    {
      const double low = data.row(d).min(), high = data.row(d).max();
      const double largest = std::max(std::abs(low), std::abs(high));
      if (largest > 0 && (largest > 1e9 || largest < 1e-9 ||
          (high > low && high - low < largest / 1024)))
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
    // In single precision, L_BFGS takes changes of a small gradient for none.
    SinglePrecisionFunction<MatType> converted(single);
    return optimizer.LBFGSFor(function).Optimize(converted, parameters,
        callbacks...);
  }

 private:
  const arma::fmat& data;
  StageOptimizer optimizer;
};

} // namespace mlpack

#endif
