/**
 * @file methods/gbnn/stage/stage_optimizer.hpp
 *
 * Chooses the faster optimizer for a boosting stage.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_STAGE_OPTIMIZER_HPP
#define MLPACK_METHODS_GBNN_STAGE_STAGE_OPTIMIZER_HPP

#include <ensmallen.hpp>

#include "variable_projection.hpp"

namespace mlpack {

/**
 * Minimizes the objective of a boosting stage with VariableProjection where
 * that pays, and with L-BFGS elsewhere; VariableProjection::PaysFor() decides,
 * from the sizes alone.
 *
 * Both stop once an iteration gains less than fitting noise would: a weight
 * that fits nothing but noise lowers the objective by about 1 over the number
 * of points.  Later stages make up for most of what is left.  Smaller
 * tolerances take longer and fit somewhat better, above all responses with
 * little noise.
 */
class StageOptimizer
{
 public:
  /**
   * L-BFGS with 200 iterations at most, or until the objective stops falling.
   * These are the settings of the L-BFGS that the paper's experiments used
   * through scikit-learn: 10 vectors of memory, 200 iterations, and an end when
   * the objective falls by less than about 2e-9 of its value.  The gradient's
   * norm is to be no reason to stop before.
   */
  static ens::L_BFGS DefaultLBFGS()
  {
    const size_t memory = 10, maxIterations = 200;
    ens::L_BFGS optimizer(memory, maxIterations);
    optimizer.Factr() = 2e-9;
    optimizer.MinGradientNorm() = 1e-10;
    return optimizer;
  }

  /**
   * @param tolerance L-BFGS stops when an iteration lowers the objective by
   *     less than this over the total weight of the points.  A tenth of the
   *     default takes twice the time and lowers the loss on test data by about
   *     a tenth; ten times the default raises it by a quarter
   *     (`gbnn_constants_benchmark tolerances`).
   */
  StageOptimizer(const double tolerance = 0.1) :
      lbfgs(DefaultLBFGS()), tolerance(tolerance)
  { }

  //! Minimize the stage's objective; returns its value at the end.
  template<typename MatType, typename... CallbackTypes>
  typename MatType::elem_type Optimize(StageFunction<MatType>& function,
                                       MatType& parameters,
                                       CallbackTypes&&... callbacks)
  {
    if (Projects(function))
      return projection.Optimize(function, parameters, callbacks...);
    return LBFGSFor(function).Optimize(function, parameters, callbacks...);
  }

  //! Whether VariableProjection is used for a stage.
  template<typename MatType>
  static bool Projects(const StageFunction<MatType>& function)
  {
    return VariableProjection::PaysFor(function.Units(),
        function.Dimensionality(), function.Outputs(), function.TotalPoints());
  }

  //! L-BFGS as it is used for a stage.
  template<typename MatType>
  ens::L_BFGS LBFGSFor(const StageFunction<MatType>& function) const
  {
    ens::L_BFGS optimizer = lbfgs;
    optimizer.Factr() = std::max(lbfgs.Factr(),
        tolerance / function.TotalWeight());
    return optimizer;
  }

  //! This one, if it is the default; see gbnn::HasDefaultOptimizer.
  const StageOptimizer* Default() const { return this; }

  //! What is used for stages with few weights.
  VariableProjection& Projection() { return projection; }
  //! What is used for all others, unless Tolerance() ends it sooner.
  ens::L_BFGS& LBFGS() { return lbfgs; }

  //! Decrease of the objective, times the weight, at which L-BFGS stops.
  double Tolerance() const { return tolerance; }
  double& Tolerance() { return tolerance; }

 private:
  VariableProjection projection;
  ens::L_BFGS lbfgs;
  double tolerance;
};

namespace gbnn {

//! Whether an optimizer says, by a member Default(), that it may be the default
//! one.
template<typename OptimizerType, typename = void>
constexpr bool HasDefaultOptimizer = false;

template<typename OptimizerType>
constexpr bool HasDefaultOptimizer<OptimizerType, std::void_t<decltype(
    std::declval<const OptimizerType&>().Default())>> = true;

} // namespace gbnn
} // namespace mlpack

#endif
