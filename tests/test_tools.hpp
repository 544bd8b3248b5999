/**
 * @file tests/test_tools.hpp
 *
 * What several test files share; also their precompiled header.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef GBNN_TESTS_TEST_TOOLS_HPP
#define GBNN_TESTS_TEST_TOOLS_HPP

#include <cstring>

#include <mlpack/methods/gbnn.hpp>

#include "catch.hpp"
#include "shared_classes.hpp"

//! A tolerance for results of the given type: tight for double.
template<typename ElemType>
constexpr double Tolerance = std::is_same_v<ElemType, double> ? 1e-12 : 2e-5;

//! Random numbers that depend on a seed and a number.
inline mlpack::gbnn::Random TestRandom(const uint64_t seed,
                                       const uint64_t number = 0)
{
  return { seed, mlpack::gbnn::RandomStream::STAGE, number };
}

//! Largest absolute difference; infinite if the sizes differ or one is NaN.
template<typename MatType1, typename MatType2>
double Difference(const MatType1& a, const MatType2& b)
{
  if (a.n_rows != b.n_rows || a.n_cols != b.n_cols)
    return arma::datum::inf;
  double largest = 0;
  for (size_t i = 0; i < a.n_elem; ++i)
  {
    const double difference = std::abs(double(a[i]) - double(b[i]));
    if (!(difference <= largest))
      largest = std::isnan(difference) ? arma::datum::inf : difference;
  }
  return largest;
}

//! Whether two matrices are the same, bit for bit.
template<typename MatType>
bool SameBits(const MatType& a, const MatType& b)
{
  return a.n_rows == b.n_rows && a.n_cols == b.n_cols && (a.is_empty() ||
      std::memcmp(a.memptr(), b.memptr(), a.n_elem *
          sizeof(typename MatType::elem_type)) == 0);
}

//! Whether two models have the same network, bit for bit.
template<typename ModelType>
bool SameNetwork(const ModelType& a, const ModelType& b)
{
  return SameBits(a.Boosted().HiddenWeights(), b.Boosted().HiddenWeights()) &&
      SameBits(a.Boosted().HiddenBias(), b.Boosted().HiddenBias()) &&
      SameBits(a.Boosted().OutputWeights(), b.Boosted().OutputWeights()) &&
      SameBits(a.Boosted().OutputBias(), b.Boosted().OutputBias());
}

//! A small problem: points in `dimensions` dimensions, the class of which
//! depends on a curved border, and two responses.
template<typename MatType>
struct Problem
{
  MatType data;
  arma::Row<size_t> labels;
  //! One class more: where the first coordinate is large.
  arma::Row<size_t> threeLabels;
  arma::Row<typename MatType::elem_type> response;
  MatType responses;

  Problem(const size_t points, const size_t dimensions, const size_t seed = 7)
  {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    data.set_size(dimensions, points);
    for (auto& x : data)
      x = normal(random);
    labels.set_size(points);
    threeLabels.set_size(points);
    response.set_size(points);
    responses.set_size(2, points);
    for (size_t i = 0; i < points; ++i)
    {
      const double a = data(0, i), b = data(1, i);
      labels[i] = (a * b + 0.3 * normal(random) > 0) ? 1 : 0;
      threeLabels[i] = (a > 0.7) ? 2 : labels[i];
      response[i] = 3 + std::sin(2 * a) + b * b + 0.1 * normal(random);
      responses(0, i) = response[i];
      responses(1, i) = a - 2 * b;
    }
  }
};

//! Require that a function's gradient at a point is what differences of its
//! values say, within this margin or this share.
template<typename FunctionType>
void CheckGradient(const FunctionType& f,
                   const arma::mat& point,
                   const arma::mat& gradient,
                   const double margin,
                   const double epsilon)
{
  const double step = 1e-5;
  for (size_t i = 0; i < point.n_elem; ++i)
  {
    arma::mat up = point, down = point;
    up[i] += step;
    down[i] -= step;
    REQUIRE(gradient[i] == Approx((f.Evaluate(up) - f.Evaluate(down)) /
        (2 * step)).margin(margin).epsilon(epsilon));
  }
}

#endif
