/**
 * @file methods/gbnn/compute/input_pieces.hpp
 *
 * How points become the inputs of a network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_INPUT_PIECES_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_INPUT_PIECES_HPP

#include <mlpack/prereqs.hpp>

#include "kernels.hpp"

namespace mlpack {
namespace gbnn {

/**
 * The dimensions of a point are the inputs of a network, or each is a position
 * (see PiecewiseLinear::Positions()) and stands for so many pieces, and these
 * are the inputs.  Pieces are only made for a block of points at a time.
 */
class InputPieces
{
 public:
  //! Dimensions are inputs.
  InputPieces() : inputs(0) { }

  //! @param bins Number of pieces of each dimension; none if dimensions are
  //!     inputs.
  explicit InputPieces(const std::vector<size_t>& bins) :
      bins(bins),
      inputs(std::accumulate(bins.begin(), bins.end(), size_t(0)))
  { }

  //! Whether dimensions are inputs.
  bool IsLinear() const { return bins.empty(); }

  //! Number of inputs of points of so many dimensions.
  size_t Inputs(const size_t dimensionality) const
  {
    return IsLinear() ? dimensionality : inputs;
  }

  //! Number of dimensions of points with so many inputs.
  size_t Dimensionality(const size_t numInputs) const
  {
    return IsLinear() ? numInputs : bins.size();
  }

  //! Number of pieces of each dimension; none if dimensions are inputs.
  const std::vector<size_t>& Bins() const { return bins; }

  //! The pieces of positions in strips.
  template<typename T>
  void Expand(const Strips<const T> positions,
              const Strips<T> pieces,
              const size_t strips) const
  {
    for (size_t s = 0; s < strips; ++s)
    {
      T* to = pieces.Row(s, 0);
      for (size_t i = 0; i < bins.size(); ++i)
      {
        ExpandRow(positions.Row(s, i), bins[i], to);
        to += bins[i] * StripSize<T>;
      }
    }
  }

  //! Serialize the numbers of pieces.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(CEREAL_NVP(bins));
    inputs = 0;
    for (const size_t number : bins)
    {
      if (number > 256)
      {
        throw std::runtime_error("InputPieces::serialize(): there are more "
            "pieces than a dimension may have");
      }
      inputs += number;
    }
  }

 private:
  std::vector<size_t> bins;
  size_t inputs;
};

} // namespace gbnn
} // namespace mlpack

#endif
