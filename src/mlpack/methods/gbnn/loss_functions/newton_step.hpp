/**
 * @file methods/gbnn/loss_functions/newton_step.hpp
 *
 * The Newton step of the line search, which the losses share.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_NEWTON_STEP_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_NEWTON_STEP_HPP

#include <mlpack/prereqs.hpp>

#include "../compute/point_sums.hpp"

namespace mlpack {
namespace gbnn {

//! Operations that an exponential and a logarithm are counted as where losses
//! are cut into Pieces: rough, for that is all they decide.
constexpr size_t ExpCost = 40;
constexpr size_t LogCost = 20;

//! How much larger the residuals of an output are than what fits them.
template<typename MatType, typename RowType>
double SizeRatio(const MatType& residuals,
                 const MatType& h,
                 const RowType& weights,
                 const size_t output)
{
  // No squares, which may be too large.
  const auto sizeOf = [&](const MatType& numbers)
  {
    return SumOverPoints(h.n_cols, weights, 1, [&](const size_t i,
        const double weight, double* sum)
        { *sum += weight * std::abs(double(numbers(output, i))); })[0];
  };
  return sizeOf(residuals) / sizeOf(h);
}

/**
 * The Newton step for the factor of each output of a stage,
 *
 * @f[ \rho_k = \frac{\sum_i w_i r_{ik} h_k(x_i)}
 *                   {\sum_i w_i c_{ik} h_k(x_i)^2}, @f]
 *
 * where r is the pseudo-residual and c the second derivative of the loss
 * (Eqs. 8 and 15 of the paper).  Where the denominator vanishes, because the
 * stage's output does or because the loss is flat there, the step is zero.
 *
 * @param targets Targets, one column a point.
 * @param residuals Pseudo-residuals.
 * @param h Output of the stage.
 * @param weights Weights of the points, or empty.
 * @param curvature curvature(y, r): second derivative, from target and
 *     residual.
 */
template<typename MatType, typename RowType, typename CurvatureType>
arma::Col<typename MatType::elem_type> NewtonStep(
    const MatType& targets,
    const MatType& residuals,
    const MatType& h,
    const RowType& weights,
    const CurvatureType& curvature)
{
  using ElemType = typename MatType::elem_type;
  const size_t outputs = h.n_rows;
  const arma::vec sums = SumOverPoints(h.n_cols, weights, 2 * outputs,
      [&](const size_t i, const double weight, double* sum)
      {
        const ElemType* y = targets.colptr(i);
        const ElemType* r = residuals.colptr(i);
        const ElemType* x = h.colptr(i);
        for (size_t k = 0; k < outputs; ++k)
        {
          sum[2 * k] += weight * r[k] * x[k];
          sum[2 * k + 1] += weight * curvature(y[k], r[k]) * x[k] * x[k];
        }
      });

  arma::Col<ElemType> rho(outputs, arma::fill::zeros);
  for (size_t k = 0; k < outputs; ++k)
  {
    // A longer step would only be made of rounding errors, unless residuals are
    // that much larger than what fits them.
    const double maxStep = 1 / DBL_EPSILON;
    const double step = sums[2 * k] / sums[2 * k + 1];
    if (sums[2 * k + 1] > 0 && (std::abs(step) <= maxStep ||
        std::abs(step) <= maxStep * SizeRatio(residuals, h, weights, k)))
      rho[k] = ElemType(step);
  }
  return rho;
}

} // namespace gbnn
} // namespace mlpack

#endif
