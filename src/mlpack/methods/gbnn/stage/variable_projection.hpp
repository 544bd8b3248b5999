/**
 * @file methods/gbnn/stage/variable_projection.hpp
 *
 * An optimizer for boosting stages: Levenberg-Marquardt on the hidden weights,
 * with the output weights solved for in closed form.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_VARIABLE_PROJECTION_HPP
#define MLPACK_METHODS_GBNN_STAGE_VARIABLE_PROJECTION_HPP

#include "stage_sums.hpp"

namespace mlpack {

/**
 * Minimizes the objective of a boosting stage (StageFunction) by variable
 * projection.  For given hidden weights the best output weights are the
 * solution of a small linear system; what remains is a least-squares problem in
 * the hidden weights alone, on which Levenberg and Marquardt's method takes
 * fewer steps than L-BFGS, the more so the more units there are; see PaysFor().
 * The derivative of the projection is taken in Kaufman's approximation.
 *
 * A step that is taken costs two passes over the points and one that is not
 * costs one, and either the solution of a system of p = J (d + 1) equations,
 * whatever the number of outputs.  The Gauss-Newton matrix is summed over a
 * part of the points if there are many.  So it is faster than L-BFGS as long as
 * p is not large.
 *
 * Without regularization, steps lead to very large weights that cancel, so both
 * layers have a ridge of their own, beside the stage's L2:  the objective is
 *
 * @f[
 * \frac{1}{2 n} \left( \sum_i \| e_i \|^2 + \lambda_1 \|W_1\|^2 \sum_i
 * \|r_i\|^2
 *     + n \lambda_2 \| W_2 \|^2 \right).
 * @f]
 *
 * It has the shape of an ensmallen optimizer, but for this kind of function
 * only.
 */
class VariableProjection
{
 public:
  /**
   * @param maxIterations Most steps to take.
   * @param tolerance Stop when a step lowers the objective by less than this
   *     over the total weight of the points, relative to the objective.  (A
   *     hidden weight that fits nothing but noise lowers it by about 1 over the
   *     number of points.)
   * @param hiddenRidge Regularization of W1, relative to the residuals' size.
   * @param outputRidge Regularization of W2.
   */
  VariableProjection(const size_t maxIterations = 40,
                     const double tolerance = 0.3,
                     const double hiddenRidge = 1e-5,
                     const double outputRidge = 1e-6) :
      maxIterations(maxIterations), tolerance(tolerance),
      hiddenRidge(hiddenRidge), outputRidge(outputRidge)
  { }

  /**
   * Minimize the stage's objective.
   *
   * @param function The stage.
   * @param parameters Where to start from; W2 and b2 do not matter.  Becomes
   *     the best point found.
   * @return The objective there, with the ridges.
   */
  template<typename MatType, typename... CallbackTypes>
  typename MatType::elem_type Optimize(StageFunction<MatType>& function,
                                       MatType& parameters,
                                       CallbackTypes&&... callbacks);

  /**
   * Whether this is likely faster than L-BFGS for a stage that both fit equally
   * well, by what they do for each point.  For J units, here it is about 10 J
   * evaluations and 7 J steps that are taken, there 16 J^2 evaluations (units
   * of one stage must settle who does what, and L-BFGS sees nothing of how they
   * depend on each other).  The cost is counted in multiplications and
   * additions in double precision; an activation is worth 18.  These are
   * numbers of the paper's data sets, with some hundreds to some ten thousand
   * points.
   *
   * @param units Number of hidden units, J.
   * @param dimensionality Number of inputs, d.
   * @param outputs Number of outputs, K.
   * @param points Number of points.
   */
  static bool PaysFor(const size_t units,
                      const size_t dimensionality,
                      const size_t outputs,
                      const size_t points)
  {
    const double j = double(units), p = j * (dimensionality + 1);
    const double activations = 18 * j, outputLayer = j * outputs;
    // v v' of one unit with another is symmetric, and in single precision.
    const double metric = p * p * (j + 1) / (8 * j) / std::max<size_t>(1,
        points / HessianPoints(p));
    const double systems = p * p * p / (2.0 * points);
    const double here = 10 * j * (p + activations + outputLayer + systems) +
        7 * j * (2 * (p + outputLayer) + metric);
    const double there = 16 * j * j * (2 * (p + outputLayer) + activations);
    return here <= there;
  }

  //! Most steps to take.
  size_t MaxIterations() const { return maxIterations; }
  size_t& MaxIterations() { return maxIterations; }

  //! Relative decrease of the objective, times the weight, at which to stop.
  double Tolerance() const { return tolerance; }
  double& Tolerance() { return tolerance; }

  //! Regularization of the hidden weights.
  double HiddenRidge() const { return hiddenRidge; }
  double& HiddenRidge() { return hiddenRidge; }

  //! Regularization of the output weights.
  double OutputRidge() const { return outputRidge; }
  double& OutputRidge() { return outputRidge; }

 private:
  //! The stage at some hidden weights, seen through its sums.
  struct State
  {
    //! Hidden weights and biases, unit by unit: w_j, then b_j.
    arma::vec hidden;
    //! Output weights (J rows) and biases (the last row), one output a column.
    arma::mat output;
    double value;
  };

  //! About how many points the Gauss-Newton matrix of p weights is summed over.
  static size_t HessianPoints(const size_t p)
  {
    return std::max<size_t>(1000, 5 * p);
  }

  //! Compute the output weights and the value for state.hidden.
  template<typename MatType>
  void Evaluate(const StageFunction<MatType>& function,
                gbnn::StageSums<MatType>& sums,
                State& state) const;

  //! Compute the gradient and the Gauss-Newton matrix (its lower triangle) at
  //! the state that was evaluated last.
  template<typename MatType>
  void Differentiate(const StageFunction<MatType>& function,
                     gbnn::StageSums<MatType>& sums,
                     const State& state,
                     arma::vec& gradient,
                     arma::mat& hessian) const;

  //! The ridge on the hidden weights, beside the sum of squared errors.
  template<typename MatType>
  double TotalRidge(const StageFunction<MatType>& function,
                    const gbnn::StageSums<MatType>& sums) const
  {
    return function.L2() + hiddenRidge * sums.SquaredResiduals();
  }

  size_t maxIterations;
  double tolerance;
  double hiddenRidge;
  double outputRidge;
};

} // namespace mlpack

#include "variable_projection_impl.hpp"

#endif
