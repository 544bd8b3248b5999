/**
 * @file methods/gbnn/compute/input_frame.hpp
 *
 * How inputs are shifted and scaled for single precision.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_INPUT_FRAME_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_INPUT_FRAME_HPP

#include <mlpack/prereqs.hpp>

#include "point_cut.hpp"

namespace mlpack {
namespace gbnn {

/**
 * Single precision can tell inputs apart if they are around zero and of
 * moderate size.  (It cannot where a few of them are millions of times as large
 * as the others.)  So each input x becomes (x - m) s, with the mean m and a
 * power of two s.  Hidden weights and biases are changed so that the sums stay
 * the same:
 *
 *   w' = w / s,  b' = b + w m.
 *
 * @tparam MatType Type of matrix of the points.
 * @tparam RealType Type of number to compute with.
 */
template<typename MatType, typename RealType>
class InputFrame
{
 public:
  using ElemType = typename MatType::elem_type;

  /**
   * @param data Points, one a column.
   * @param points The columns that are used, or nullptr for all of them.
   * @param cut How these are cut.
   */
  InputFrame(const MatType& data,
             const arma::uvec* points,
             const PointCut& cut) :
      means(data.n_rows, arma::fill::zeros), scales(data.n_rows),
      inverses(data.n_rows)
  {
    const auto forEach = [&](const size_t begin, const size_t end,
        const auto& visit)
    {
      for (size_t i = begin; i < end; ++i)
        visit(data.colptr(points ? (*points)[i] : i));
    };
    MatType sums(data.n_rows, cut.LocalCells(), arma::fill::zeros);
    for (size_t c = 0; c < cut.LocalCells(); ++c)
    {
      ElemType* sum = sums.colptr(c);
      forEach(cut.Begin(c), cut.Begin(c + 1), [&](const ElemType* x)
      {
        for (size_t d = 0; d < means.n_elem; ++d)
          sum[d] += x[d] / ElemType(cut.TotalPoints());
      });
    }
    cut.Combine(cut.Cells(), GroupSums{ means.n_elem, [&](const size_t c)
        { return sums.colptr(c); }, means.memptr() });
    std::vector<ElemType> largest(data.n_rows, ElemType(0));
    forEach(0, cut.Points(), [&](const ElemType* x)
    {
      for (size_t d = 0; d < means.n_elem; ++d)
        largest[d] = std::max(largest[d], std::abs(x[d] - means[d]));
    });
    if (cut.Communicator())
    {
      const std::vector<ElemType> all = GatherAll(cut.Communicator(), largest);
      for (size_t i = 0; i < all.size(); ++i)
        largest[i % means.n_elem] = std::max(largest[i % means.n_elem], all[i]);
    }
    // The largest is then between 4 and 8, about as with a variance of 1.  The
    // power is limited so that a double holds both it and its inverse.
    const int maxPower = 1000, goal = 2;
    for (size_t d = 0; d < means.n_elem; ++d)
    {
      const int power = (largest[d] > 0) ? goal - std::ilogb(largest[d]) : 0;
      scales[d] = std::ldexp(ElemType(1), std::min(maxPower,
          std::max(-maxPower, power)));
      inverses[d] = 1 / scales[d];
    }
  }

  //! A frame that leaves numbers as they are, for those of moderate size.
  explicit InputFrame(const size_t inputs) :
      means(inputs, arma::fill::zeros), scales(inputs, arma::fill::ones),
      inverses(inputs, arma::fill::ones)
  { }

  //! What an input becomes.
  RealType operator()(const ElemType x, const size_t input) const
  {
    return RealType((x - means[input]) * scales[input]);
  }

  //! What hidden weights (a unit a column) and biases become.
  void ToFrame(const ElemType* weights,
               const ElemType* biases,
               const size_t units,
               RealType* newWeights,
               RealType* newBiases) const
  {
    for (size_t u = 0; u < units; ++u)
    {
      ElemType bias = biases[u];
      for (size_t d = 0; d < means.n_elem; ++d, ++weights)
      {
        *newWeights++ = Rounded(*weights * inverses[d]);
        bias += *weights * means[d];
      }
      newBiases[u] = Rounded(bias);
    }
  }

  //! The derivative with respect to w, from those with respect to w' and b'.
  void FromFrame(ElemType* weights,
                 const ElemType* biases,
                 const size_t units) const
  {
    for (size_t u = 0; u < units; ++u)
      for (size_t d = 0; d < means.n_elem; ++d, ++weights)
        *weights = *weights * inverses[d] + biases[u] * means[d];
  }

 private:
  //! The nearest number, but never infinity: a unit with weights that large is
  //! saturated anyway.
  static RealType Rounded(const ElemType x)
  {
    // Times inputs of size 8, still far below the end of single precision.
    const ElemType maximum = ElemType(1e30);
    return RealType(std::min(maximum, std::max(-maximum, x)));
  }

  //! The inverses of powers of two are exact.
  arma::Col<ElemType> means, scales, inverses;
};

//! If the type stays the same, so do the numbers.
template<typename MatType>
class InputFrame<MatType, typename MatType::elem_type>
{
 public:
  using ElemType = typename MatType::elem_type;

  InputFrame() { }
  explicit InputFrame(const size_t /* inputs */) { }
  InputFrame(const MatType& /* data */,
             const arma::uvec* /* points */,
             const PointCut& /* cut */) { }

  ElemType operator()(const ElemType x, const size_t /* input */) const
  {
    return x;
  }

  void ToFrame(const ElemType* weights,
               const ElemType* biases,
               const size_t units,
               ElemType* newWeights,
               ElemType* newBiases) const
  {
    std::copy(weights, biases, newWeights);
    std::copy_n(biases, units, newBiases);
  }

  void FromFrame(ElemType* /* weights */,
                 const ElemType* /* biases */,
                 const size_t /* units */) const { }
};

} // namespace gbnn
} // namespace mlpack

#endif
