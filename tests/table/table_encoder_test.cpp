/**
 * @file tests/table/table_encoder_test.cpp
 *
 * The encoder of tables with categories and missing cells.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <mlpack/methods/gbnn/table/table_encoder.hpp>

using namespace mlpack;

namespace {

//! A table of a numeric and a categorical column, with the places of words.
struct Table
{
  gbnn::DatasetInfoType info;
  arma::mat cells;

  Table(const std::vector<double>& numbers,
        const std::vector<std::string>& words) :
      info(2), cells(2, numbers.size())
  {
    info.Type(1) = gbnn::version::categorical;
    for (size_t i = 0; i < numbers.size(); ++i)
    {
      cells(0, i) = numbers[i];
      cells(1, i) = words[i].empty() ? arma::datum::nan :
          info.MapString<double>(words[i], 1);
    }
  }
};

const double missing = arma::datum::nan;

} // namespace

TEST_CASE("TableEncoderColumns", "[TableEncoderTest]")
{
  Table table({ 1, 2, missing, 3 }, { "red", "blue", "red", "green" });
  TableEncoder encoder;
  const arma::mat points = encoder.Fit(arma::mat(table.cells), table.info,
      "table", false);

  // A number, whether it is missing, and three colors by the alphabet.
  REQUIRE(encoder.Columns() == 2);
  REQUIRE(encoder.HasGaps(0));
  REQUIRE(!encoder.HasGaps(1));
  REQUIRE(encoder.Categories(0).empty());
  REQUIRE(encoder.Categories(1) ==
      std::vector<std::string>{ "blue", "green", "red" });
  const arma::mat expected = {
      { 1, 2, 2, 3 },
      { 0, 0, 1, 0 },
      { 0, 1, 0, 0 },
      { 0, 0, 0, 1 },
      { 1, 0, 1, 0 } };
  REQUIRE(Difference(points, expected) == 0);
  const arma::uvec columns = { 0, 0, 1, 1, 1 };
  REQUIRE(arma::all(encoder.ColumnOfRows() == columns));
}

TEST_CASE("TableEncoderScale", "[TableEncoderTest]")
{
  Table table({ 2, 4, 6, 8 }, { "a", "b", "b", "b" });
  TableEncoder encoder;
  const arma::mat points = encoder.Fit(arma::mat(table.cells), table.info,
      "table");
  // Numbers have variance 1; columns of 0 and 1 keep their scale.
  const double deviation = std::sqrt(5.0);
  const arma::mat expected = {
      { -3 / deviation, -1 / deviation, 1 / deviation, 3 / deviation },
      { .75, -.25, -.25, -.25 },
      { -.75, .25, .25, .25 } };
  REQUIRE(Difference(points, expected) < 1e-14);

  // A weight of 2 is the point twice.
  Table twice({ 2, 4, 6, 8, 8 }, { "a", "b", "b", "b", "b" });
  TableEncoder weighted, repeated;
  weighted.Fit(arma::mat(table.cells), table.info, "table", true,
      arma::rowvec{ 1, 1, 1, 2 });
  repeated.Fit(arma::mat(twice.cells), twice.info, "table");
  REQUIRE(Difference(weighted.Mean(), repeated.Mean()) < 1e-14);
  REQUIRE(Difference(weighted.Deviation(), repeated.Deviation()) < 1e-14);
}

TEST_CASE("TableEncoderOtherTable", "[TableEncoderTest]")
{
  Table table({ 1, 3, 5, 7 }, { "red", "blue", "red", "blue" });
  TableEncoder encoder;
  encoder.Fit(arma::mat(table.cells), table.info, "table", false);

  // Words in another order, one that is new, and cells that are missing: what
  // was not seen in training says nothing.
  Table other({ 9, missing, 1 }, { "blue", "yellow", "" });
  const arma::mat points = encoder.Encode(arma::mat(other.cells), other.info,
      "other");
  const arma::mat expected = { { 9, 4, 1 }, { 1, .5, .5 }, { 0, .5, .5 } };
  REQUIRE(Difference(points, expected) < 1e-14);
}

//! Languages spell false and true differently, or have 0 and 1 for them.
TEST_CASE("TableEncoderTruth", "[TableEncoderTest]")
{
  Table table({ 1, 2, 3 }, { "False", "True", "True" });
  TableEncoder encoder;
  const arma::mat points = encoder.Fit(arma::mat(table.cells), table.info,
      "table", false);
  for (const std::vector<std::string>& words :
      std::vector<std::vector<std::string>>{ { "FALSE", "TRUE", "TRUE" },
      { "false", "true", "true" }, { "0", "1", "1" } })
  {
    Table other({ 1, 2, 3 }, words);
    REQUIRE(SameBits(encoder.Encode(arma::mat(other.cells), other.info),
        points));
  }
  // The same as numbers.
  const gbnn::DatasetInfoType numeric(2);
  REQUIRE(SameBits(encoder.Encode(arma::mat{ { 1, 2, 3 }, { 0, 1, 1 } },
      numeric), points));
  REQUIRE(encoder.FindCategory(1, "2") == 2);
  REQUIRE(encoder.FindCategory(1, "yes") == 2);
  // Where there are other words, they are words like others.
  Table words({ 1, 2, 3 }, { "true", "false", "maybe" });
  encoder.Fit(arma::mat(words.cells), words.info, "table", false);
  REQUIRE(encoder.FindCategory(1, "true") == 2);
  REQUIRE(encoder.FindCategory(1, "True") == 3);
  REQUIRE(encoder.FindCategory(1, "1") == 3);
}

//! Numbers that are held as categories are numbers where training had numbers.
TEST_CASE("TableEncoderNumbersAsWords", "[TableEncoderTest]")
{
  TableEncoder encoder;
  const arma::mat cells = { { 1, 2, 3 }, { 0.5, 7, -1 } };
  const arma::mat points = encoder.Fit(arma::mat(cells),
      gbnn::DatasetInfoType(2), "table", false);
  Table other({ 1, 2, 3 }, { "0.5", "7.0", "-1" });
  REQUIRE(SameBits(encoder.Encode(arma::mat(other.cells), other.info), points));
  // Nothing but missing cells.
  Table gaps({ 1, 2, 3 }, { "", "", "" });
  REQUIRE(encoder.Encode(arma::mat(gaps.cells), gaps.info)(1, 0) ==
      Approx(encoder.Mean()[1]));
  Table bad({ 1, 2, 3 }, { "0.5", "0x10", "-1" });
  REQUIRE_THROWS_WITH(encoder.Encode(arma::mat(bad.cells), bad.info, "test"),
      Contains("column 2 of test has text ('0x10'), but had only numbers"));
}

TEST_CASE("TableEncoderErrors", "[TableEncoderTest]")
{
  Table table({ 1, 2 }, { "a", "b" });
  TableEncoder encoder;
  REQUIRE_THROWS_AS(encoder.Fit(arma::mat(2, 0), table.info, "table"),
      std::invalid_argument);
  arma::mat infinite = table.cells;
  infinite(0, 1) = arma::datum::inf;
  REQUIRE_THROWS_WITH(encoder.Fit(std::move(infinite), table.info, "table"),
      Contains("column 1 of point 2"));

  encoder.Fit(arma::mat(table.cells), table.info, "table");
  REQUIRE_THROWS_WITH(encoder.Encode(arma::mat(3, 2, arma::fill::zeros),
      gbnn::DatasetInfoType(3), "other"), Contains("has 3 columns"));
  REQUIRE_THROWS_AS(encoder.Names({ "only one" }), std::invalid_argument);

  // A word where training had numbers only.
  Table words({ 1, 2 }, { "a", "b" });
  words.cells(0, 0) = words.info.MapString<double>("one", 0);
  words.info.Type(0) = gbnn::version::categorical;
  REQUIRE_THROWS_WITH(encoder.Encode(std::move(words.cells), words.info,
      "other"), Contains("'one'"));
}

//! C would cut words with a zero byte; only a file can have them.
TEST_CASE("TableEncoderZeroBytes", "[TableEncoderTest]")
{
  const std::string bad("b\0c", 3);
  const auto loads = [](const std::string& category, const std::string& name)
  {
    Table table({ 1, 2 }, { "a", category });
    TableEncoder encoder, loaded;
    encoder.Fit(arma::mat(table.cells), table.info, "table");
    encoder.Names({ "first", name });
    std::stringstream stream;
    {
      cereal::BinaryOutputArchive archive(stream);
      archive(encoder);
    }
    cereal::BinaryInputArchive archive(stream);
    archive(loaded);
  };
  REQUIRE_NOTHROW(loads("b", "second"));
  REQUIRE_THROWS_WITH(loads(bad, "second"), Contains("category has a zero"));
  REQUIRE_THROWS_WITH(loads("b", bad), Contains("name has a zero"));
}
