/**
 * @file methods/gbnn/variable_projection_impl.hpp
 *
 * Implementation of variable projection for boosting stages.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_VARIABLE_PROJECTION_IMPL_HPP
#define MLPACK_METHODS_GBNN_VARIABLE_PROJECTION_IMPL_HPP

#include "cholesky.hpp"
#include "variable_projection.hpp"

namespace mlpack {

template<typename MatType>
void VariableProjection::Evaluate(const StageFunction<MatType>& function,
                                  gbnn::StageSums<MatType>& sums,
                                  State& state) const
{
  using ElemType = typename MatType::elem_type;
  const size_t d = function.Dimensionality(), units = function.Units();
  const size_t outputs = function.Outputs(), width = d + 1;

  // The layout of the function: W1 by columns, then b1.
  const arma::mat byUnit(state.hidden.memptr(), width, units, false, true);
  const arma::Col<ElemType> hidden = arma::conv_to<arma::Col<ElemType>>::from(
      arma::vectorise(byUnit.t()));
  sums.Compute(hidden.memptr());

  // The best output weights: a ridge on the weights, none on the bias.
  const arma::mat& uu = sums.UU();
  const arma::span inputs(0, units), targets(units + 1, units + outputs);
  const double size = function.TotalWeight();
  const double squares = arma::trace(uu(targets, targets));
  const double ridge1 = function.L2() + hiddenRidge * squares;
  const double ridge2 = function.L2() + outputRidge * size;
  arma::mat moments = uu(inputs, inputs);
  moments.diag() += 1e-12 * size;
  arma::mat ridged = moments;
  for (size_t j = 0; j < units; ++j)
    ridged(j, j) += ridge2;
  state.output = uu(inputs, targets);
  gbnn::Cholesky(ridged);
  gbnn::SolveCholesky(ridged, state.output);

  const arma::mat weights = state.output.head_rows(units);
  const double error = squares
      - 2 * arma::accu(state.output % uu(inputs, targets))
      + arma::accu(state.output % (moments * state.output));
  const double norm1 = arma::accu(arma::square(byUnit.head_rows(d)));
  state.value = (error + ridge1 * norm1 + ridge2 *
      arma::accu(arma::square(weights))) / (2 * size);

  // The gradient: the correlation of the errors with the derivatives v, each
  // unit's share weighted by its output weights.
  const arma::mat errors = sums.UV().rows(units + 1, units + outputs) -
      state.output.t() * sums.UV().rows(0, units);
  // The Gauss-Newton matrix without the part that the outputs can undo:
  // V V' - V U' (U U')^-1 U V', with the inverse as the square of a triangle.
  const double scale = size / sums.PartUU()(units, units);
  arma::mat partMoments = sums.PartUU()(inputs, inputs);
  partMoments.diag() += 1e-9 * sums.PartUU()(units, units);
  gbnn::Cholesky(partMoments);
  arma::mat half = sums.PartUV().rows(0, units);
  gbnn::SolveLower(partMoments, half);
  const arma::mat rows = half.t();
  const arma::mat share = weights * weights.t() * (scale / size);
  state.gradient.set_size(units * width);
  state.hessian.set_size(units * width, units * width);
  for (size_t j = 0; j < units; ++j)
  {
    const arma::span mine(j * width, (j + 1) * width - 1);
    state.gradient(mine) = -(weights.row(j) * errors.cols(mine)).t();
    state.gradient(mine) += ridge1 * state.hidden(mine);
    state.gradient[(j + 1) * width - 1] -=
        ridge1 * state.hidden[(j + 1) * width - 1];
    // Columns of unit j; only the lower triangle is used.
    for (size_t c = j * width; c < (j + 1) * width; ++c)
    {
      double* column = state.hessian.colptr(c);
      std::copy(sums.PartVV().colptr(c) + c, sums.PartVV().colptr(c) +
          units * width, column + c);
      for (size_t l = 0; l <= units; ++l)
      {
        const double factor = half(l, c);
        const double* row = rows.colptr(l);
        for (size_t r = c; r < units * width; ++r)
          column[r] -= factor * row[r];
      }
      for (size_t k = j; k < units; ++k)
        for (size_t r = std::max(c, k * width); r < (k + 1) * width; ++r)
          column[r] *= share(j, k);
    }
    for (size_t i = j * width; i < j * width + d; ++i)
      state.hessian(i, i) += ridge1 / size;
  }
  state.gradient /= size;
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

  const double leastDecrease = tolerance / function.TotalWeight();
  State best, trial;
  const MatType start(parameters.memptr(), units, d + 1);
  best.hidden = arma::conv_to<arma::vec>::from(arma::vectorise(start.t()));
  Evaluate(function, sums, best);
  double damping = 1e-2, growth = 2;
  for (size_t iteration = 0; iteration < maxIterations; ++iteration)
  {
    // Levenberg's damping, which is the same for all weights, gets along the
    // valleys of this objective faster than Marquardt's.
    const double mu = damping * arma::mean(best.hessian.diag()) + 1e-300;
    arma::mat system = best.hessian;
    system.diag() += mu;
    if (!gbnn::Cholesky(system))
    {
      damping *= 10;
      continue;
    }
    arma::mat step = -best.gradient;
    gbnn::SolveCholesky(system, step);

    trial.hidden = best.hidden + step;
    Evaluate(function, sums, trial);
    const double decrease = best.value - trial.value;
    const double expected = (mu * arma::dot(step, step) -
        arma::dot(step, best.gradient)) / 2;
    if (!(decrease > 0))
    {
      damping *= growth;
      growth *= 2;
      if (expected < leastDecrease * best.value)
        break;
      continue;
    }
    const double quality = 2 * decrease / expected - 1;
    damping *= std::max(1.0 / 3, 1 - quality * quality * quality);
    growth = 2;
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
    if (decrease < leastDecrease * best.value)
      break;
  }
  store(best);
  return ElemType(best.value);
}

} // namespace mlpack

#endif
