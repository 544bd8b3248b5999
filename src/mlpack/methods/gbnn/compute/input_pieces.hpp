/**
 * @file methods/gbnn/compute/input_pieces.hpp
 *
 * What the inputs of a network are.
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
#include "piecewise_linear.hpp"
#include "require_version.hpp"

namespace mlpack {
namespace gbnn {

/**
 * What the inputs of a network are: the dimensions of a point, or pieces of
 * them.  In the second case each dimension is a position (see
 * PiecewiseLinear::Positions()), which stands for several pieces.  Pieces are
 * hardly ever computed: a unit's sum over the pieces of a dimension is a spline
 * of the position, and HiddenSums evaluates these splines.  A single piece, as
 * columns of two values have, is an input like others.
 */
class InputPieces
{
 public:
  //! Dimensions are inputs.
  InputPieces() : inputs(0), splines(0), lines(0) { }

  //! @param bins Number of pieces of each dimension; none if dimensions are
  //!     inputs.
  explicit InputPieces(const std::vector<size_t>& bins) :
      bins(bins),
      inputs(0),
      splines(0),
      lines(0)
  {
    Count();
  }

  //! Whether dimensions are inputs.
  bool IsLinear() const { return bins.empty(); }

  //! Number of inputs of points of the given dimensionality.
  size_t Inputs(const size_t dimensionality) const
  {
    return IsLinear() ? dimensionality : inputs;
  }

  //! Number of dimensions of points with the given number of inputs.
  size_t Dimensionality(const size_t numInputs) const
  {
    return IsLinear() ? numInputs : bins.size();
  }

  //! Number of pieces of each dimension; none if dimensions are inputs.
  const std::vector<size_t>& Bins() const { return bins; }

  //! Numbers that a point of the given dimensionality takes in a block.
  size_t BlockRows(const size_t dimensionality) const
  {
    return IsLinear() ? dimensionality : PlaceRows() + lines;
  }

  //! About how many numbers of a point are in use at the same time.
  size_t NumbersInUse(const size_t dimensionality) const
  {
    return IsLinear() ? dimensionality : 3 * splines + lines;
  }

  //! Numbers of a point in FindPlaces(): two for each dimension with several
  //! pieces.
  size_t PlaceRows() const { return 2 * splines; }

  //! Number of dimensions with one piece, which are inputs as they are.
  size_t NumLines() const { return lines; }

  //! The inputs of these, which FindPlaces() puts behind the places.
  template<typename T>
  Strips<const T> Lines(const Strips<const T> places, const size_t strips) const
  {
    return { places.Row(strips, 0), lines };
  }

  //! Maximum number of parts that a sum over points is cut into; see Pieces.
  static constexpr size_t maxParts = 32;

  /**
   * The same for this kind of inputs and this many points.  Each part has sums
   * of its own for every bin, which are cleared and added up, so it should have
   * about 64 points for each bin.
   */
  size_t MaxParts(const size_t points) const
  {
    const size_t pointsPerBin = 64;
    return IsLinear() ? maxParts : std::min<size_t>(maxParts, 1 + points *
        bins.size() / (pointsPerBin * inputs + 1));
  }

  //! Rows of a table of splines: one for each piece, and one for the bias.
  size_t TableRows() const { return inputs + 1; }

  //! Elements of memory that Places() of a point takes.
  size_t PlacesSize() const { return 2 * (splines + lines); }

  //! The places of one point, for LookUpPoint().
  template<typename T>
  void Places(const T* positions, T* places) const
  {
    size_t row = 1;
    for (size_t i = 0; i < bins.size(); row += bins[i++])
    {
      if (bins[i] == 0)
        continue;
      const T x = std::min(T(bins[i]), std::max(T(0), positions[i]));
      const size_t bin = std::min(size_t(x), bins[i] - 1);
      const UnsignedOf<T> at = UnsignedOf<T>((row + bin) * Lanes<T>);
      std::memcpy(places++, &at, sizeof(at));
      *places++ = x - T(bin);
    }
  }

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
  void serialize(Archive& ar, const uint32_t version)
  {
    gbnn::RequireVersion("InputPieces", version, 0);
    ar(CEREAL_NVP(bins));
    for (const size_t number : bins)
    {
      if (number > PiecewiseLinear::Limit())
      {
        throw std::runtime_error("InputPieces::serialize(): there are more "
            "pieces than a dimension may have");
      }
    }
    Count();
  }

 private:
  //! Count all pieces, and the dimensions that have several, or one.
  void Count()
  {
    inputs = std::accumulate(bins.begin(), bins.end(), size_t(0));
    lines = std::count(bins.begin(), bins.end(), size_t(1));
    splines = bins.size() - lines - std::count(bins.begin(), bins.end(),
        size_t(0));
  }

  std::vector<size_t> bins;
  size_t inputs;
  size_t splines;
  size_t lines;
};

} // namespace gbnn
} // namespace mlpack

#endif
