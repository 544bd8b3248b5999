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
 * solution of a small linear system.  What remains is a least-squares problem
 * in the hidden weights alone, on which the Levenberg-Marquardt method takes
 * fewer steps than L-BFGS; see PaysFor().  The derivative of the projection is
 * taken in Kaufman's approximation.
 *
 * An accepted step costs two passes over the points and a rejected one costs
 * one.  Either costs the solution of a system of p = J (d + 1) equations,
 * whatever the number of outputs.  The Gauss-Newton matrix is summed over a
 * part of the points if there are many.  So variable projection is faster than
 * L-BFGS as long as p is not large.
 *
 * Without regularization, steps lead to very large weights that cancel, so both
 * layers have a ridge of their own, in addition to the stage's L2.  The
 * objective is
 *
 * @f[
 * \frac{1}{2 n} \left( \sum_i \| e_i \|^2
 *     + \lambda_1 \| W_1 \|^2 \sum_i \| r_i \|^2
 *     + n \lambda_2 \| W_2 \|^2 \right).
 * @f]
 *
 * The class has the form of an ensmallen optimizer, but works for this kind of
 * function only.
 */
class VariableProjection
{
 public:
  /**
   * With a smaller tolerance, more steps or smaller ridges than the defaults,
   * the loss on test data hardly changes; with a larger tolerance, fewer steps
   * or a larger hidden ridge it rises (`gbnn_constants_benchmark tolerances`;
   * see doc/developer/constants.md).
   *
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
   * @param callbacks ensmallen's callbacks.
   * @return The objective there, with the ridges.
   */
  template<typename MatType, typename... CallbackTypes>
  typename MatType::elem_type Optimize(StageFunction<MatType>& function,
                                       MatType& parameters,
                                       CallbackTypes&&... callbacks);

  /**
   * Whether this is likely faster than L-BFGS for a stage that both fit equally
   * well.  The cost of each is counted for one point, in multiplications and
   * additions in double precision; see the constants below.
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
    const double activations = gbnn::ActivationCost * j;
    const double outputLayer = j * outputs;
    // Of the J x J blocks of v v', those on and below the diagonal are summed,
    // and half of each, in single precision, which is twice as fast.
    const double metric = p * p * (j + 1) / (8 * j) / std::max<size_t>(1,
        points / HessianPoints(p));
    // Cholesky's p^3 / 6 operations take three times as long as those of
    // products for p of about 50 (`gbnn_constants_benchmark arithmetic`).
    const double systems = p * p * p / (2.0 * points);
    const double projection = evaluationsPerUnit * j * (p + activations +
        outputLayer + systems) + stepsPerUnit * j * (2 * (p + outputLayer) +
        metric);
    const double lbfgs = lbfgsEvaluations * j * j * (2 * (p + outputLayer) +
        activations);
    return projection <= lbfgs;
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
  // The cost model of PaysFor().  The numbers are rounded; they were chosen for
  // the paper's data sets, of some hundreds to some ten thousand points, and
  // `gbnn_constants_benchmark projection` measures them.  They vary several
  // times from set to set, so the choice is right in most cases only; see
  // doc/developer/constants.md.

  //! Evaluations that variable projection takes, for each unit of the stage.
  static constexpr double evaluationsPerUnit = 10;
  //! Steps that are taken, each with a gradient and a Gauss-Newton matrix.
  static constexpr double stepsPerUnit = 7;
  //! Evaluations that L-BFGS takes to fit as well, divided by J^2: it does not
  //! see how the units of a stage depend on each other.
  static constexpr double lbfgsEvaluations = 16;

  // The Gauss-Newton matrix of p weights is summed over at least 1000 points,
  // and over 5 for each weight.  Its eigenvalues are then between 0.2 and 2.5
  // times those over all points (`gbnn_constants_benchmark metric`), which is
  // good enough for a metric.
  static constexpr size_t minHessianPoints = 1000;
  static constexpr size_t hessianPointsPerWeight = 5;

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
    return std::max<size_t>(minHessianPoints, hessianPointsPerWeight * p);
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
