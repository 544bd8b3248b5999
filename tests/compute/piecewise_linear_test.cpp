/**
 * @file tests/compute/piecewise_linear_test.cpp
 *
 * The piecewise-linear encoding of numbers.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

namespace {

//! What an archive has of an encoding, with edges that may be damaged.
struct Stored
{
  size_t maxBins;
  std::vector<arma::vec> edges;

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(CEREAL_NVP(maxBins));
    ar(CEREAL_NVP(edges));
  }
};

//! Save one object and load another from the same bytes.
template<typename OutputArchive, typename InputArchive, typename FromType,
    typename ToType>
void Pass(const FromType& from, ToType& to)
{
  std::stringstream stream;
  {
    OutputArchive archive(stream);
    archive(cereal::make_nvp("encoding", from));
  }
  InputArchive archive(stream);
  archive(cereal::make_nvp("encoding", to));
}

//! Whether edges are these.
bool Same(const arma::vec& edges, const arma::vec& expected)
{
  return SameBits(edges, expected);
}

//! Load an encoding with these edges.
PiecewiseLinear Loaded(const size_t maxBins, const std::vector<arma::vec>& e)
{
  PiecewiseLinear result;
  Pass<cereal::BinaryOutputArchive, cereal::BinaryInputArchive>(
      Stored{ maxBins, e }, result);
  return result;
}

} // namespace

CEREAL_CLASS_VERSION(Stored, 0);

TEMPLATE_TEST_CASE("EdgesAreQuantiles", "[PiecewiseLinearTest]", arma::mat,
    arma::fmat)
{
  // 0, 1, ..., 100 in some order, and the squares of these.
  TestType data(2, 101);
  for (size_t j = 0; j < 101; ++j)
  {
    data(0, j) = (37 * j) % 101;
    data(1, j) = data(0, j) * data(0, j);
  }
  PiecewiseLinear encoding(4);
  encoding.Fit(data);
  REQUIRE(encoding.Dimensionality() == 2);
  REQUIRE(encoding.NumBins() == std::vector<size_t>{ 4, 4 });
  REQUIRE(encoding.NumPieces() == 8);
  REQUIRE(Same(encoding.Edges(0), { 0, 25, 50, 75, 100 }));
  REQUIRE(Same(encoding.Edges(1), { 0, 625, 2500, 5625, 10000 }));

  // Between two values, edges are so, too.
  encoding = PiecewiseLinear(2);
  encoding.Fit(TestType{ { 3, 1, 2, 8 } });
  REQUIRE(Same(encoding.Edges(0), { 1, 2.5, 8 }));
}

TEMPLATE_TEST_CASE("PiecesByHand", "[PiecewiseLinearTest]", arma::mat,
    arma::fmat)
{
  PiecewiseLinear encoding(2);
  encoding.Fit(TestType{ { 0, 1, 3 }, { 10, 10, 10 }, { 5, -5, 5 } });
  REQUIRE(encoding.NumBins() == std::vector<size_t>{ 2, 0, 1 });
  // At edges, between, and beyond; the constant gives nothing.
  const TestType points = { { 0, 1, 3, 0.5, 2, -9, 99 },
                            { 10, 7, 0, 1, 2, 3, 4 },
                            { -5, 0, 5, 2.5, -2.5, -6, 6 } };
  const TestType expected = { { -1, 1, 1, 0, 1, -1, 1 },
                              { -1, -1, 1, -1, 0, -1, 1 },
                              { -1, 0, 1, 0.5, -0.5, -1, 1 } };
  TestType pieces, positions;
  encoding.Transform(points, pieces);
  REQUIRE(SameBits(pieces, expected));
  encoding.Positions(points, positions);
  const TestType places = { { 0, 1, 2, 0.5, 1.5, 0, 2 },
                            { 0, 0, 0, 0, 0, 0, 0 },
                            { 0, 0.5, 1, 0.75, 0.25, 0, 1 } };
  REQUIRE(SameBits(positions, places));

  // In place, and back.
  TestType same = points;
  encoding.Transform(same, same);
  REQUIRE(SameBits(same, expected));
  TestType back;
  encoding.InverseTransform(pieces, back);
  const TestType clamped = { { 0, 1, 3, 0.5, 2, 0, 3 },
                             { 10, 10, 10, 10, 10, 10, 10 },
                             { -5, 0, 5, 2.5, -2.5, -5, 5 } };
  REQUIRE(SameBits(back, clamped));
}

TEMPLATE_TEST_CASE("PiecesOfManyPoints", "[PiecewiseLinearTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  const Problem<TestType> problem(500, 4);
  PiecewiseLinear encoding;
  REQUIRE(encoding.MaxBins() == 16);
  encoding.Fit(problem.data);
  REQUIRE(encoding.NumPieces() == 4 * 16);
  TestType pieces, positions, back;
  encoding.Transform(problem.data, pieces);
  encoding.Positions(problem.data, positions);
  REQUIRE(pieces.min() == -1);
  REQUIRE(pieces.max() == 1);
  // Pieces are the positions, in another form.
  TestType sums(4, 500);
  for (size_t i = 0; i < 4; ++i)
    sums.row(i) = (arma::sum(pieces.rows(16 * i, 16 * i + 15), 0) + 16) / 2;
  REQUIRE(Difference(sums, positions) < 100 * Tolerance<ElemType>);
  encoding.InverseTransform(pieces, back);
  REQUIRE(Difference(back, problem.data) < 100 * Tolerance<ElemType>);
  // Each bin has as many points as another.
  const arma::uvec counts = arma::histc(arma::vec(arma::floor(
      arma::conv_to<arma::vec>::from(positions.row(0)))),
      arma::regspace(0, 15));
  REQUIRE(counts.min() >= 30);
  REQUIRE(counts.max() <= 32);
}

TEST_CASE("FewDistinctValues", "[PiecewiseLinearTest]")
{
  PiecewiseLinear encoding(4);
  // As many as fit have an edge each, however rare they are.
  arma::mat data(2, 1000, arma::fill::zeros);
  data(0, 3) = 1;
  data(0, 500) = -2;
  data(1, 7) = 1e-300;
  encoding.Fit(data);
  REQUIRE(Same(encoding.Edges(0), { -2, 0, 1 }));
  REQUIRE(encoding.NumBins(1) == 1);
  // Quantiles that coincide are one edge.
  arma::mat skewed(1, 1000, arma::fill::zeros);
  skewed.tail_cols(100) = arma::regspace<arma::rowvec>(1, 100);
  encoding.Fit(skewed);
  REQUIRE(Same(encoding.Edges(0), { 0, 100 }));
  // Bins too narrow to divide by are none.
  encoding.Fit(arma::mat{ { 0, 1e-310, 1 } });
  REQUIRE(Same(encoding.Edges(0), { 0, 1 }));
}

TEST_CASE("EdgesAscendWhereValuesRepeat", "[PiecewiseLinearTest]")
{
  // A place between two equal values may be rounded to less than either.
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  arma::mat data(50, 300);
  for (size_t d = 0; d < data.n_rows; ++d)
  {
    const double common = uniform(random);
    for (size_t i = 0; i < data.n_cols; ++i)
      data(d, i) = (i < 40) ? uniform(random) : common;
  }
  PiecewiseLinear encoding(32);
  encoding.Fit(data);
  for (size_t d = 0; d < data.n_rows; ++d)
    REQUIRE(encoding.Edges(d).is_sorted("strictascend"));
  // So what is saved can be loaded.
  PiecewiseLinear loaded;
  Pass<cereal::BinaryOutputArchive, cereal::BinaryInputArchive>(encoding,
      loaded);
  REQUIRE(loaded.Dimensionality() == data.n_rows);
}

TEST_CASE("EdgesAreNotTooFarApart", "[PiecewiseLinearTest]")
{
  // The difference of these is infinite.
  const arma::mat data = { { -1.5e308, 1.5e308, -1.5e308, 1.5e308 } };
  PiecewiseLinear encoding(4);
  encoding.Fit(data);
  arma::mat pieces, back;
  encoding.Transform(data, pieces);
  REQUIRE(pieces.is_finite());
  encoding.InverseTransform(pieces, back);
  REQUIRE(back.is_finite());
}

TEST_CASE("ConstantsHaveNoPieces", "[PiecewiseLinearTest]")
{
  PiecewiseLinear encoding(8);
  encoding.Fit(arma::mat(3, 20, arma::fill::value(4.5)));
  REQUIRE(encoding.NumPieces() == 0);
  REQUIRE(encoding.Position(4.5, 0) == 0);
  REQUIRE(encoding.Position(7, 1) == 0);
  REQUIRE(encoding.Slope(4.5, 2) == 0);
  arma::mat pieces, back;
  encoding.Transform(arma::mat(3, 5, arma::fill::randu), pieces);
  REQUIRE(pieces.n_rows == 0);
  REQUIRE(pieces.n_cols == 5);
  encoding.InverseTransform(pieces, back);
  REQUIRE(SameBits(back, arma::mat(3, 5, arma::fill::value(4.5))));
  // A single point is constant, too.
  encoding.Fit(arma::mat(3, 1, arma::fill::randu));
  REQUIRE(encoding.NumPieces() == 0);
}

TEMPLATE_TEST_CASE("MissingValuesOfPieces", "[PiecewiseLinearTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  const ElemType nan = std::numeric_limits<ElemType>::quiet_NaN();
  TestType data(2, 101);
  for (size_t j = 0; j < 101; ++j)
    data(0, j) = j;
  PiecewiseLinear without(4), with(4);
  without.Fit(TestType(data.row(0)));
  data.insert_cols(50, 3);
  data.submat(0, 50, 0, 52).fill(nan);
  data.row(1).fill(nan);
  with.Fit(data);
  // They teach nothing, and a dimension of them is constant.
  REQUIRE(Same(with.Edges(0), without.Edges(0)));
  REQUIRE(with.NumBins(1) == 0);
  // One is in the middle of the bins: here the median.
  TestType pieces, expected;
  with.Transform(TestType(2, 1, arma::fill::value(nan)), pieces);
  with.Transform(TestType(2, 1, arma::fill::value(50)), expected);
  REQUIRE(SameBits(pieces, expected));
  REQUIRE(with.Slope(nan, 0) == 0);
}

TEST_CASE("SlopeIsTheDerivativeOfThePosition", "[PiecewiseLinearTest]")
{
  const Problem<arma::mat> problem(300, 2);
  PiecewiseLinear encoding(8);
  encoding.Fit(problem.data);
  const double step = 1e-7;
  size_t checked = 0;
  for (size_t i = 0; i < 2; ++i)
  {
    for (const double x : arma::vec(arma::linspace(-5, 5, 1001)))
    {
      if (arma::abs(encoding.Edges(i) - x).min() < 2 * step)
        continue;
      const double slope = (encoding.Position(x + step, i) -
          encoding.Position(x - step, i)) / (2 * step);
      REQUIRE(encoding.Slope(x, i) == Approx(slope).margin(1e-6));
      checked += (slope > 0);
    }
    // At an edge it is that of the bin above, at the last one that of the bin
    // below, and beyond it 0.
    const arma::vec& e = encoding.Edges(i);
    REQUIRE(encoding.Slope(e[3], i) == Approx(1 / (e[4] - e[3])));
    REQUIRE(encoding.Slope(e[8], i) == Approx(1 / (e[8] - e[7])));
    REQUIRE(encoding.Slope(e[8] + 1e-6, i) == 0);
    REQUIRE(encoding.Slope(e[0] - 1, i) == 0);
  }
  REQUIRE(checked > 500);
}

TEST_CASE("BadInputOfPieces", "[PiecewiseLinearTest]")
{
  REQUIRE_THROWS_WITH(PiecewiseLinear(0), Contains("(0)") &&
      Contains("between 1 and 256"));
  REQUIRE_THROWS_AS(PiecewiseLinear(257), std::invalid_argument);
  REQUIRE(PiecewiseLinear(256).MaxBins() == PiecewiseLinear::Limit());

  PiecewiseLinear encoding(3);
  arma::mat output(2, 2, arma::fill::ones);
  REQUIRE_THROWS_WITH(encoding.Transform(arma::mat(2, 5, arma::fill::randu),
      output), Contains("2 dimensions, expected 0") && Contains("Fit()"));
  encoding.Fit(arma::mat(2, 50, arma::fill::randu));
  const arma::mat wide(3, 5, arma::fill::randu);
  REQUIRE_THROWS_AS(encoding.Transform(wide, output), std::invalid_argument);
  REQUIRE_THROWS_AS(encoding.Positions(wide, output), std::invalid_argument);
  REQUIRE_THROWS_WITH(encoding.InverseTransform(wide, output),
      Contains("3 dimensions, expected 6"));
  // What was there is still there.
  REQUIRE(SameBits(output, arma::mat(2, 2, arma::fill::ones)));
}

TEST_CASE("SerializePieces", "[PiecewiseLinearTest]")
{
  const Problem<arma::mat> problem(200, 3);
  PiecewiseLinear encoding(5);
  encoding.Fit(problem.data);
  const auto check = [&](const PiecewiseLinear& loaded)
  {
    REQUIRE(loaded.MaxBins() == 5);
    REQUIRE(loaded.NumBins() == encoding.NumBins());
    for (size_t i = 0; i < 3; ++i)
      REQUIRE(Difference(loaded.Edges(i), encoding.Edges(i)) < 1e-15);
  };
  PiecewiseLinear binary, json, xml;
  Pass<cereal::BinaryOutputArchive, cereal::BinaryInputArchive>(encoding,
      binary);
  check(binary);
  REQUIRE(SameBits(binary.Edges(1), encoding.Edges(1)));
  Pass<cereal::JSONOutputArchive, cereal::JSONInputArchive>(encoding, json);
  check(json);
  Pass<cereal::XMLOutputArchive, cereal::XMLInputArchive>(encoding, xml);
  check(xml);
}

TEST_CASE("DamagedEdgesAreRefused", "[PiecewiseLinearTest]")
{
  REQUIRE(Loaded(2, { { 0, 1, 2 }, { 5 } }).NumPieces() == 2);
  REQUIRE(Loaded(2, { }).Dimensionality() == 0);
  const arma::vec good = { 0, 1, 2 };
  for (const arma::vec& bad : std::vector<arma::vec>{ { 0, 2, 1 }, { 0, 0, 1 },
      { 0, arma::datum::nan, 1 }, { 0, 1, arma::datum::inf }, { },
      { 0, 1, 2, 3 } })
  {
    REQUIRE_THROWS_AS(Loaded(2, { good, bad }), std::runtime_error);
    REQUIRE_THROWS_WITH(Loaded(2, { good, bad }), Contains("ascending"));
  }
  for (const size_t bins : { size_t(0), size_t(1), size_t(257), SIZE_MAX })
    REQUIRE_THROWS_AS(Loaded(bins, { good }), std::runtime_error);
}
