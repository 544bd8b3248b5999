/**
 * @file methods/gbnn/stage/variable_projection_impl.hpp
 *
 * Implementation of variable projection for boosting stages.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_VARIABLE_PROJECTION_IMPL_HPP
#define MLPACK_METHODS_GBNN_STAGE_VARIABLE_PROJECTION_IMPL_HPP

#include "../compute/cholesky.hpp"
#include "variable_projection.hpp"

namespace mlpack {

template<typename MatType>
void VariableProjection::Evaluate(const StageFunction<MatType>& function,
                                  gbnn::StageSums<MatType>& sums,
                                  State& state) const
{
  sums.Evaluate(state.hidden);

  // The best output weights: a ridge on the weights, none on the bias.
  const size_t d = function.Dimensionality(), units = function.Units();
  const double size = function.TotalWeight();
  const double ridge1 = TotalRidge(function, sums);
  const double ridge2 = function.L2() + outputRidge * size;
  // Far below the ridge, and far above the rounding errors of the moments: the
  // bias has no ridge, but the system must be positive definite.
  const double minMoment = 1e-12;
  arma::mat moments = sums.UU();
  moments.diag() += minMoment * size;
  arma::mat ridged = moments;
  for (size_t j = 0; j < units; ++j)
    ridged(j, j) += ridge2;
  state.output = sums.UR();
  gbnn::Cholesky(ridged);
  gbnn::SolveCholesky(ridged, state.output);

  const double error = sums.SquaredResiduals()
      - 2 * arma::accu(state.output % sums.UR())
      + arma::accu(state.output % (moments * state.output));
  const arma::mat byUnit(state.hidden.memptr(), d + 1, units, false, true);
  const double norm1 = arma::accu(arma::square(byUnit.head_rows(d)));
  const double norm2 = arma::accu(arma::square(state.output.head_rows(units)));
  state.value = (error + ridge1 * norm1 + ridge2 * norm2) / (2 * size);
}

template<typename MatType>
void VariableProjection::Differentiate(const StageFunction<MatType>& function,
                                       gbnn::StageSums<MatType>& sums,
                                       const State& state,
                                       arma::vec& gradient,
                                       arma::mat& hessian) const
{
  sums.Differentiate(state.output, gradient, hessian);
  // There is no ridge on the biases.
  const size_t width = function.Dimensionality() + 1;
  const double ridge = TotalRidge(function, sums) / function.TotalWeight();
  for (size_t i = 0; i < gradient.n_elem; ++i)
  {
    if ((i + 1) % width == 0)
      continue;
    gradient[i] += ridge * state.hidden[i];
    hessian(i, i) += ridge;
  }
}

template<typename MatType, typename... CallbackTypes>
typename MatType::elem_type VariableProjection::Optimize(
    StageFunction<MatType>& function,
    MatType& parameters,
    CallbackTypes&&... callbacks)
{
  using ElemType = typename MatType::elem_type;
  const size_t d = function.Dimensionality(), units = function.Units();
  const size_t size = units * (d + 1);
  gbnn::StageSums<MatType> sums(function, HessianPoints(size));

  const auto store = [&](const State& state)
  {
    const arma::mat hidden = arma::reshape(state.hidden, d + 1, units).t();
    const arma::mat output = state.output.t();
    parameters = arma::conv_to<MatType>::from(arma::join_cols(
        arma::vectorise(hidden), arma::vectorise(output)));
  };

  const double minDecrease = tolerance / function.TotalWeight();
  State best, trial;
  const MatType start(parameters.memptr(), units, d + 1);
  best.hidden = arma::conv_to<arma::vec>::from(arma::vectorise(start.t()));
  Evaluate(function, sums, best);
  arma::vec gradient;
  arma::mat hessian;
  Differentiate(function, sums, best, gradient, hessian);
  // The damping is controlled as in H. B. Nielsen, "Damping Parameter in
  // Marquardt's Method", 1999: after a good step it is multiplied by 1 - (2
  // gain - 1)^3, but at least by 1/3, and after bad ones by 2, 4, 8 ...  It
  // begins with the size of the Gauss-Newton matrix.
  const double initialDamping = 1, initialGrowth = 2, minShrinkage = 1.0 / 3;
  // The minimum share of the expected decrease with which a step is taken.
  const double minGain = 0.2;
  // More damping where the system is not positive definite.
  const double retryGrowth = 10;
  // Keeps the system regular where the matrix is zero.
  const double minDamping = 1e-300;
  double damping = initialDamping, growth = initialGrowth;
  for (size_t iteration = 0; iteration < maxIterations; ++iteration)
  {
    // Levenberg's damping, which is the same for all weights, gets along the
    // valleys of this objective faster than Marquardt's.
    const double mu = damping * std::abs(arma::mean(hessian.diag())) +
        minDamping;
    // Where numbers overflow, no damping helps.
    if (!std::isfinite(mu))
      break;
    arma::mat system = hessian;
    system.diag() += mu;
    if (!gbnn::Cholesky(system))
    {
      damping *= retryGrowth;
      continue;
    }
    arma::mat step = -gradient;
    gbnn::SolveCholesky(system, step);

    trial.hidden = best.hidden + step;
    Evaluate(function, sums, trial);
    const double decrease = best.value - trial.value;
    const double expected = (mu * arma::dot(step, step) -
        arma::dot(step, gradient)) / 2;
    // A step that gains much less than expected is not taken, but it is no
    // reason to stop.
    if (!(decrease > minGain * expected))
    {
      damping *= growth;
      growth *= 2;
      if (expected < minDecrease * best.value)
        break;
      continue;
    }
    const double quality = 2 * decrease / expected - 1;
    damping *= std::max(minShrinkage, 1 - quality * quality * quality);
    growth = initialGrowth;
    std::swap(best, trial);
    if constexpr (sizeof...(CallbackTypes) > 0)
    {
      store(best);
      bool stop = ens::Callback::Evaluate(*this, function, parameters,
          best.value, callbacks...);
      stop |= ens::Callback::StepTaken(*this, function, parameters,
          callbacks...);
      if (stop)
        break;
    }
    if (decrease < minDecrease * best.value || iteration + 1 == maxIterations)
      break;
    Differentiate(function, sums, best, gradient, hessian);
  }
  store(best);
  return ElemType(best.value);
}

} // namespace mlpack

#endif
