/**
 * @file methods/gbnn/compute/piecewise_linear.hpp
 *
 * Piecewise-linear encoding of numeric inputs.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_PIECEWISE_LINEAR_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_PIECEWISE_LINEAR_HPP

#include <mlpack/prereqs.hpp>

#include "require_version.hpp"

namespace mlpack {

/**
 * Replaces each dimension of some points by several, its pieces.  A dimension
 * has bin edges e_0 < ... < e_B at quantiles of the data that Fit() was given,
 * and piece b is
 *
 *   2 (x - e_b) / (e_{b+1} - e_b) - 1, clipped to [-1, 1].
 *
 * So a linear function of the pieces is a continuous, piecewise-linear function
 * of x, and a model that is linear in its inputs, such as a hidden unit before
 * its activation, becomes additive in splines.
 *
 * - A dimension with at most B + 1 distinct values has an edge at each of them.
 * - A constant dimension has no pieces.
 * - Beyond the first and last edge, pieces have their value at that edge.
 * - A missing value (NaN) becomes the middle of the bins, which is the median
 *   if there are many values.
 *
 * Positions() gives the same in a compact form: one number for each dimension,
 * the number of bins below x and the share of its own bin, in [0, B].
 *
 * The class has the form of mlpack's scalers:
 *
 * @code
 * PiecewiseLinear encoding(16);
 * encoding.Fit(trainData);
 * arma::mat pieces;
 * encoding.Transform(testData, pieces);
 * @endcode
 */
class PiecewiseLinear
{
 public:
  //! @param maxBins Maximum number of bins of a dimension, from 1 to Limit().
  explicit PiecewiseLinear(const size_t maxBins = 16) : maxBins(maxBins)
  {
    if (maxBins == 0 || maxBins > Limit())
    {
      throw std::invalid_argument("PiecewiseLinear: number of bins (" +
          std::to_string(maxBins) + ") must be between 1 and " +
          std::to_string(Limit()));
    }
  }

  //! The most bins that can be asked for.  A position in 2^8 bins leaves 16 of
  //! the 24 bits of single precision for the share of its bin.
  static constexpr size_t Limit() { return 256; }

  //! Learn the edges from points, one a column.
  template<typename MatType>
  void Fit(const MatType& input)
  {
    FitColumns(input.n_rows, [&](const size_t i)
    {
      std::vector<double> values;
      values.reserve(input.n_cols);
      for (size_t j = 0; j < input.n_cols; ++j)
      {
        if (!std::isnan(input(i, j)))
          values.push_back(double(input(i, j)));
      }
      return values;
    });
  }

  /**
   * The same if points are not in one matrix.
   *
   * @param dimensions Number of dimensions.
   * @param valuesOf valuesOf(i): the values of dimension i that are not NaN, in
   *     any order, as a std::vector<double>.
   */
  template<typename ValuesType>
  void FitColumns(const size_t dimensions, const ValuesType& valuesOf)
  {
    std::vector<arma::vec> newEdges(dimensions);
    for (size_t i = 0; i < dimensions; ++i)
    {
      std::vector<double> values = valuesOf(i);
      std::sort(values.begin(), values.end());
      newEdges[i] = EdgesOf(values);
    }
    edges = std::move(newEdges);
  }

  //! Replace each dimension by its pieces.
  template<typename MatType>
  void Transform(const MatType& input, MatType& output) const
  {
    using ElemType = typename MatType::elem_type;
    CheckDimensions(input.n_rows, edges.size());
    MatType result(NumPieces(), input.n_cols);
    for (size_t j = 0; j < input.n_cols; ++j)
    {
      ElemType* to = result.colptr(j);
      for (size_t i = 0; i < input.n_rows; ++i)
      {
        const ElemType position = ElemType(Position(input(i, j), i));
        for (size_t b = 0; b < NumBins(i); ++b)
          *to++ = Piece(position, b);
      }
    }
    output = std::move(result);
  }

  //! Turn pieces back into points; values beyond the edges become the edge.
  template<typename MatType>
  void InverseTransform(const MatType& input, MatType& output) const
  {
    using ElemType = typename MatType::elem_type;
    CheckDimensions(input.n_rows, NumPieces());
    MatType result(edges.size(), input.n_cols);
    for (size_t j = 0; j < input.n_cols; ++j)
    {
      const ElemType* piece = input.colptr(j);
      for (size_t i = 0; i < edges.size(); ++i)
      {
        double x = edges[i][0];
        for (size_t b = 0; b < NumBins(i); ++b)
          x += (double(*piece++) + 1) / 2 * (edges[i][b + 1] - edges[i][b]);
        result(i, j) = ElemType(x);
      }
    }
    output = std::move(result);
  }

  //! Replace each number by its position among the edges of its dimension.
  template<typename MatType>
  void Positions(const MatType& input, MatType& output) const
  {
    CheckDimensions(input.n_rows, edges.size());
    output.set_size(input.n_rows, input.n_cols);
    for (size_t j = 0; j < input.n_cols; ++j)
      for (size_t i = 0; i < input.n_rows; ++i)
        output(i, j) = typename MatType::elem_type(Position(input(i, j), i));
  }

  //! The position of a number of one dimension.
  double Position(const double x, const size_t dimension) const
  {
    const arma::vec& e = edges[dimension];
    const size_t bins = NumBins(dimension);
    if (bins == 0)
      return 0;
    if (std::isnan(x))
      return double(bins) / 2;
    if (x >= e[bins])
      return double(bins);
    const size_t b = BinOf(x, dimension);
    return std::max(0.0, double(b) + (x - e[b]) / (e[b + 1] - e[b]));
  }

  //! The derivative of Position(); 0 beyond the edges.
  double Slope(const double x, const size_t dimension) const
  {
    const arma::vec& e = edges[dimension];
    const size_t bins = NumBins(dimension);
    // At the last edge, where the ones of a column of 0 and 1 are, it is that
    // of the last bin.
    if (bins == 0 || !(x >= e[0] && x <= e[bins]))
      return 0;
    const size_t b = BinOf(x, dimension);
    return 1 / (e[b + 1] - e[b]);
  }

  //! Piece b of a dimension, given the position of its number.
  template<typename ElemType>
  static ElemType Piece(const ElemType position, const size_t b)
  {
    return 2 * std::min(ElemType(1), std::max(ElemType(0), position -
        ElemType(b))) - 1;
  }

  //! Maximum number of bins of a dimension.
  size_t MaxBins() const { return maxBins; }
  //! Number of dimensions; 0 before Fit().
  size_t Dimensionality() const { return edges.size(); }
  //! Number of bins of a dimension.
  size_t NumBins(const size_t dimension) const
  {
    return edges[dimension].n_elem - 1;
  }
  //! Number of bins of each dimension.
  std::vector<size_t> NumBins() const
  {
    std::vector<size_t> result;
    for (const arma::vec& e : edges)
      result.push_back(e.n_elem - 1);
    return result;
  }
  //! Number of pieces of a point.
  size_t NumPieces() const
  {
    size_t result = 0;
    for (const arma::vec& e : edges)
      result += e.n_elem - 1;
    return result;
  }
  //! The edges of a dimension, ascending.
  const arma::vec& Edges(const size_t dimension) const
  {
    return edges[dimension];
  }

  //! Serialize the encoding; throws std::runtime_error if what is loaded is not
  //! an encoding.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version)
  {
    gbnn::RequireVersion("PiecewiseLinear", version, 0);
    ar(CEREAL_NVP(maxBins));
    ar(CEREAL_NVP(edges));
    if (!cereal::is_loading<Archive>())
      return;
    bool valid = (maxBins > 0 && maxBins <= Limit());
    for (const arma::vec& e : edges)
    {
      valid = valid && e.n_elem >= 1 && e.n_elem <= maxBins + 1 &&
          e.is_finite();
      for (size_t b = 0; valid && b + 1 < e.n_elem; ++b)
        valid = (e[b] < e[b + 1]);
    }
    if (!valid)
    {
      throw std::runtime_error("PiecewiseLinear::serialize(): the edges of "
          "bins are not in ascending order, or there are too many");
    }
  }

 private:
  //! The edges for sorted values.
  arma::vec EdgesOf(const std::vector<double>& values) const
  {
    if (values.empty())
      return arma::vec(1, arma::fill::zeros);
    std::vector<double> result(values);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    if (result.size() > maxBins + 1)
    {
      result.clear();
      for (size_t b = 0; b <= maxBins; ++b)
      {
        // Linear between the two values that are nearest.
        const double place = double(b) * double(values.size() - 1) /
            double(maxBins);
        const size_t low = size_t(place);
        const size_t high = std::min(low + 1, values.size() - 1);
        const double share = place - double(low);
        result.push_back((1 - share) * values[low] + share * values[high]);
      }
    }
    // Bins must be wide enough to divide by their width; and between two equal
    // values, rounding may give less than either.
    std::vector<double> kept;
    for (const double edge : result)
    {
      if (kept.empty() || (edge > kept.back() &&
          std::isfinite(edge - kept.back()) &&
          std::isfinite(1 / (edge - kept.back()))))
        kept.push_back(edge);
    }
    return arma::vec(kept);
  }

  //! The bin of a number that is not above the last edge.
  size_t BinOf(const double x, const size_t dimension) const
  {
    // Without branches, which a processor could not predict.
    const double* e = edges[dimension].memptr();
    size_t bin = 0;
    for (size_t n = NumBins(dimension); n > 1; )
    {
      const size_t half = n / 2;
      bin = (x >= e[bin + half]) ? bin + half : bin;
      n -= half;
    }
    return bin;
  }

  void CheckDimensions(const size_t given, const size_t expected) const
  {
    if (given != expected)
    {
      throw std::invalid_argument("PiecewiseLinear: points have " +
          std::to_string(given) + " dimensions, expected " +
          std::to_string(expected) + "; Fit() learns from training data");
    }
  }

  size_t maxBins;
  std::vector<arma::vec> edges;
};

} // namespace mlpack

#endif
