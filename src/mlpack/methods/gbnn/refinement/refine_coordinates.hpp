/**
 * @file methods/gbnn/refinement/refine_coordinates.hpp
 *
 * Coordinates in which the objective of the refinement is easier to minimize.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINEMENT_REFINE_COORDINATES_HPP
#define MLPACK_METHODS_GBNN_REFINEMENT_REFINE_COORDINATES_HPP

#include <mlpack/prereqs.hpp>

#include "../compute/cholesky.hpp"
#include "../stage/point_objective.hpp"

namespace mlpack {

/**
 * How strongly the objective of a refinement curves, about: what Gauss and
 * Newton would take for its Hessian, for a squared error and without what
 * connects one hidden unit with another or with the output layer.
 */
struct RefineCurvature
{
  //! Of the output weights of all units, then of the output biases of all cuts;
  //! the same for each output.  Only the lower triangle is filled.
  arma::mat output;
  //! Of the weights of each hidden unit (a column) and, in the last row, of its
  //! bias.
  arma::mat hidden;
};

/**
 * The objective of a refinement as a function of u, where
 *
 *   parameters = start + P u,
 *
 * and P is such that the curvature in u is about the same in all directions.
 * Units of a boosted network are alike, and those of late stages are small:
 * without P, L-BFGS spends its steps on the output weights of a few units and
 * hardly moves hidden weights.
 *
 * A step of size 1 against the gradient, then, is about Newton's.  For
 * ensmallen's L_BFGS, whose first step has length 1 whatever the gradient is, P
 * can be made so large that this is Newton's.  The objective is then counted
 * from what it is at the start, and so large that the first gradient has length
 * 1024: L_BFGS would take changes of a small gradient for none.  Where a step
 * can gain nothing but rounding, the gradient is zero.
 *
 * @tparam FunctionType A RefineFunction.
 * @tparam MatType Type of its matrices.
 * @tparam RealType Type of number of u, and of what is done to vectors like it,
 *     which takes about as long as the function where points are few.
 */
template<typename FunctionType, typename MatType,
         typename RealType = typename MatType::elem_type>
class RefineCoordinates : public gbnn::EnsFunction<
    RefineCoordinates<FunctionType, MatType, RealType>, arma::Mat<RealType>>
{
 public:
  using ElemType = typename MatType::elem_type;
  using UType = arma::Mat<RealType>;

  /**
   * @param function The objective; must outlive this object.
   * @param start The parameters where u is zero.
   * @param unitStep Whether the first step should be one of length 1.
   */
  RefineCoordinates(FunctionType& function,
                    const MatType& start,
                    const bool unitStep) :
      function(function), start(start), origin(0), size(1)
  {
    RefineCurvature curvature = function.Curvature(start);
    // Directions that the sample of points says nothing about get a thousandth
    // of the curvature of others: any small number bounds their steps.
    const double damping = 1e-3;
    curvature.output.diag() += damping * arma::mean(curvature.output.diag());
    if (!gbnn::Cholesky(curvature.output))
      throw std::runtime_error("GBNN: the refinement diverged");
    const double largest = curvature.hidden.max();
    const double minHidden = (largest > 0) ? damping * largest : 1;
    curvature.hidden = 1 / arma::sqrt(curvature.hidden + minHidden);
    // A unit's bias stands behind the weights of all units.
    const size_t d = curvature.hidden.n_rows - 1;
    hidden = arma::conv_to<arma::Col<ElemType>>::from(arma::join_cols(
        arma::vectorise(curvature.hidden.head_rows(d)),
        curvature.hidden.row(d).t()));
    output = arma::conv_to<UType>::from(curvature.output);

    const double value = function.Evaluate(start, &gradient);
    startValue = RealType(value);
    startGradient = ToCoordinates();
    // The length of the gradient is about the root of what a step gains.
    const double norm = arma::norm(startGradient);
    if (!unitStep || !std::isfinite(value) || !std::isfinite(norm))
      return;
    // A gain that double precision cannot tell from none, even of a loss that
    // is almost zero.
    const double rounding = 1e-14, minValue = 1e-6;
    if (norm * norm <= rounding * std::max(std::abs(value), minValue))
    {
      startGradient.zeros();
      return;
    }
    // L_BFGS takes a change of the gradient for none if its square is below 100
    // epsilon, 1e-5 in single precision; a gradient of this length is far from
    // that, and a power of two is exact.
    const double first = 1024;
    hidden *= ElemType(norm);
    output /= RealType(norm);
    origin = value;
    size = norm * norm / first;
    startValue = 0;
    startGradient *= RealType(first / norm);
  }

  //! Where u is zero.
  UType InitialPoint() const { return arma::zeros<UType>(arma::size(start)); }

  //! The parameters that u stands for.
  MatType Parameters(const UType& u) const
  {
    MatType parameters = start;
    for (size_t i = 0; i < hidden.n_elem; ++i)
      parameters[i] += hidden[i] * ElemType(u[i]);
    UType part = Output(u).t();
    gbnn::SolveUpper(output, part);
    Output(parameters) += arma::conv_to<MatType>::from(part.t());
    return parameters;
  }

  //! What the objective is where this one has the given value.
  double Objective(const double value) const { return origin + size * value; }

  //! Number of points, and another order of them; see RefineFunction.
  size_t NumFunctions() const { return function.NumFunctions(); }
  void Shuffle() { function.Shuffle(); }

  //! The value and, unless it is nullptr, the gradient; of a batch of points,
  //! without unitStep, if `batch` says which.
  template<typename... BatchTypes>
  RealType Compute(const UType& u,
                   UType* result,
                   const BatchTypes... batch) const
  {
    const bool isAll = (sizeof...(batch) == 0);
    if (isAll && result && u.is_zero())
    {
      *result = startGradient;
      return startValue;
    }
    const double value = function.Evaluate(Parameters(u), batch...,
        result ? &gradient : nullptr);
    if (result)
      *result = ToCoordinates();
    return RealType((value - origin) / size);
  }

 private:
  //! Turn `gradient`, the derivative with respect to parameters, into that with
  //! respect to u: P' times it.
  UType ToCoordinates() const
  {
    UType result(gradient.n_rows, gradient.n_cols);
    for (size_t i = 0; i < gradient.n_elem; ++i)
      result[i] = RealType(gradient[i] / size * (i < hidden.n_elem ? hidden[i] :
          ElemType(1)));
    UType part = Output(result).t();
    gbnn::SolveLower(output, part);
    Output(result) = part.t();
    return result;
  }

  //! The part of a vector that belongs to the output layer, an output a row.
  template<typename T>
  arma::Mat<T> Output(const arma::Mat<T>& vector) const
  {
    return arma::Mat<T>(const_cast<T*>(vector.memptr()) + hidden.n_elem,
        (vector.n_elem - hidden.n_elem) / output.n_rows, output.n_rows, false,
        true);
  }

  FunctionType& function;
  const MatType start;
  //! P: a factor for each hidden weight and bias, and for the output layer one
  //! over the transpose of this, a lower triangle.
  arma::Col<ElemType> hidden;
  UType output;
  //! What is minimized is the objective less the first, over the second.
  double origin, size;
  RealType startValue;
  UType startGradient;
  //! The memory of a gradient.
  mutable MatType gradient;
};

} // namespace mlpack

#endif
