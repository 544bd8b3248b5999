/**
 * @file methods/gbnn/refine_coordinates.hpp
 *
 * Coordinates in which the objective of the refinement is easier to minimise.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REFINE_COORDINATES_HPP
#define MLPACK_METHODS_GBNN_REFINE_COORDINATES_HPP

#include <mlpack/prereqs.hpp>

#include "cholesky.hpp"

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
 * can be made so large that this is Newton's.
 *
 * @tparam FunctionType A RefineFunction.
 * @tparam MatType Type of matrix.
 */
template<typename FunctionType, typename MatType>
class RefineCoordinates
{
 public:
  using ElemType = typename MatType::elem_type;

  /**
   * @param function The objective; must outlive this object.
   * @param start The parameters where u is zero.
   * @param unitStep Whether the first step should be one of length 1.
   */
  RefineCoordinates(FunctionType& function,
                    const MatType& start,
                    const bool unitStep) :
      function(function),
      start(start),
      curvature(function.Curvature(start)),
      length(1)
  {
    // Directions that the sample of points says nothing about.
    const double least = 1e-3 * arma::mean(curvature.output.diag());
    curvature.output.diag() += least;
    if (!gbnn::Cholesky(curvature.output))
      throw std::runtime_error("GBNN: the refinement diverged");
    const double largest = curvature.hidden.max();
    const double leastHidden = (largest > 0) ? 1e-3 * largest : 1;
    curvature.hidden = 1 / arma::sqrt(curvature.hidden + leastHidden);

    startValue = function.EvaluateWithGradient(start, startGradient);
    ToCoordinates(startGradient);
    const double norm = unitStep ? arma::norm(startGradient) : 0;
    if (norm > 0 && std::isfinite(norm))
    {
      length = norm;
      startGradient *= ElemType(norm);
    }
  }

  //! Where u is zero.
  MatType InitialPoint() const
  {
    return MatType(start.n_rows, start.n_cols, arma::fill::zeros);
  }

  //! The parameters that u stands for.
  MatType Parameters(const MatType& u) const
  {
    MatType parameters = u;
    Scale(parameters, [&](arma::mat& part)
    {
      gbnn::SolveUpper(curvature.output, part);
    });
    parameters += start;
    return parameters;
  }

  ElemType Evaluate(const MatType& u) const
  {
    return function.Evaluate(Parameters(u));
  }

  void Gradient(const MatType& u, MatType& gradient) const
  {
    EvaluateWithGradient(u, gradient);
  }

  ElemType EvaluateWithGradient(const MatType& u, MatType& gradient) const
  {
    if (u.is_zero())
    {
      gradient = startGradient;
      return startValue;
    }
    const ElemType value = function.EvaluateWithGradient(Parameters(u),
        gradient);
    ToCoordinates(gradient);
    return value;
  }

  //! The same for batches of points; see RefineFunction.
  size_t NumFunctions() const { return function.NumFunctions(); }

  void Shuffle() { function.Shuffle(); }

  ElemType Evaluate(const MatType& u,
                    const size_t begin,
                    const size_t batchSize) const
  {
    return function.Evaluate(Parameters(u), begin, batchSize);
  }

  void Gradient(const MatType& u,
                const size_t begin,
                MatType& gradient,
                const size_t batchSize) const
  {
    EvaluateWithGradient(u, begin, gradient, batchSize);
  }

  ElemType EvaluateWithGradient(const MatType& u,
                                const size_t begin,
                                MatType& gradient,
                                const size_t batchSize) const
  {
    const ElemType value = function.EvaluateWithGradient(Parameters(u), begin,
        gradient, batchSize);
    ToCoordinates(gradient);
    return value;
  }

 private:
  //! Turn the derivative with respect to parameters into that with respect to
  //! u: P' times it.
  void ToCoordinates(MatType& gradient) const
  {
    Scale(gradient, [&](arma::mat& part)
    {
      gbnn::SolveLower(curvature.output, part);
    });
  }

  //! Multiply by P or P', which differ only in what is done to the output
  //! layer, one output a column.
  template<typename SolveType>
  void Scale(MatType& vector, const SolveType& solve) const
  {
    const arma::mat& scale = curvature.hidden;
    const size_t d = scale.n_rows - 1, units = scale.n_cols;
    ElemType* bias = vector.memptr() + d * units;
    for (size_t u = 0; u < units; ++u)
    {
      ElemType* weights = vector.memptr() + u * d;
      for (size_t i = 0; i < d; ++i)
        weights[i] *= ElemType(length * scale(i, u));
      bias[u] *= ElemType(length * scale(d, u));
    }

    const size_t first = (d + 1) * units;
    const size_t rows = curvature.output.n_rows;
    const size_t outputs = (vector.n_elem - first) / rows;
    MatType part(vector.memptr() + first, outputs, rows, false, true);
    arma::mat columns = arma::conv_to<arma::mat>::from(part.t());
    solve(columns);
    part = arma::conv_to<MatType>::from(length * columns.t());
  }

  FunctionType& function;
  MatType start;
  //! Scaled: the Cholesky factor of the output layer's, and one over the square
  //! root of the hidden units'.
  RefineCurvature curvature;
  double length;
  ElemType startValue;
  MatType startGradient;
};

} // namespace mlpack

#endif
