/**
 * @file tests/table/class_labels_test.cpp
 *
 * Labels that are words or numbers, and the classes they stand for.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <mlpack/methods/gbnn/table/class_labels.hpp>

using namespace mlpack;
using namespace mlpack::gbnn;

TEST_CASE("ClassLabelsOfNumbers", "[ClassLabelsTest]")
{
  const ClassLabels labels(PointLabels(arma::rowvec{ 7, -1, 7, 3 }), "labels");
  REQUIRE(labels.Size() == 3);
  REQUIRE(!labels.AreWords());
  REQUIRE(labels.Name(0) == "-1");
  REQUIRE(labels.Name(2) == "7");
  REQUIRE(labels.List() == "-1, 3, 7");
  REQUIRE(labels.Find("3") == 1);
  REQUIRE(labels.Find("4") == labels.Size());
  REQUIRE(labels.Find("three") == labels.Size());
  // A label that was not there is no class.
  const arma::Row<size_t> expected = { 2, 0, 3, 1 };
  REQUIRE(arma::all(labels.Classes(PointLabels(arma::rowvec{ 7, -1, 5, 3 }),
      "labels") == expected));
  REQUIRE(arma::all(labels.NumbersOf(arma::Row<size_t>{ 1, 0 }) ==
      arma::rowvec{ 3, -1 }));
}

TEST_CASE("ClassLabelsOfWords", "[ClassLabelsTest]")
{
  // In any order, and one of them does not occur.
  const std::vector<std::string> words = { "vgood", "acc", "unused", "good" };
  const ClassLabels labels(PointLabels(arma::rowvec{ 0, 1, 1, 3 }, words),
      "labels");
  REQUIRE(labels.Words() == std::vector<std::string>{ "acc", "good", "vgood" });
  REQUIRE(labels.Name(1) == "good");
  REQUIRE(labels.Find("vgood") == 2);
  REQUIRE(labels.Find("unused") == labels.Size());
  const arma::Row<size_t> expected = { 3, 0, 2 };
  REQUIRE(arma::all(labels.Classes(PointLabels(arma::rowvec{ 1, 0, 2 },
      { "acc", "bad", "vgood" }), "labels") == expected));
}

TEST_CASE("ClassLabelsWordsAndNumbers", "[ClassLabelsTest]")
{
  // A file may hold as words what another holds as numbers.
  const ClassLabels numbers(PointLabels(arma::rowvec{ 1, 2 }), "labels");
  const arma::Row<size_t> one = { 1, 0, 2 };
  REQUIRE(arma::all(numbers.Classes(PointLabels(arma::rowvec{ 0, 1, 2 },
      { "2", "1", "x" }), "labels") == one));
  const ClassLabels words(PointLabels(arma::rowvec{ 0, 1 }, { "1", "x" }),
      "labels");
  const arma::Row<size_t> other = { 0, 2 };
  REQUIRE(arma::all(words.Classes(PointLabels(arma::rowvec{ 1, 2 }), "labels")
      == other));
}

TEST_CASE("ClassLabelsBooleans", "[ClassLabelsTest]")
{
  // R says TRUE, Python True and Julia true.
  const ClassLabels booleans(PointLabels(arma::rowvec{ 1, 0 },
      { "FALSE", "TRUE" }), "labels");
  REQUIRE(booleans.Find("True") == 1);
  REQUIRE(booleans.Find("false") == 0);
  REQUIRE(booleans.Find("yes") == booleans.Size());
  // Other words are as they are spelled.
  const ClassLabels words(PointLabels(arma::rowvec{ 1, 0 }, { "No", "Yes" }),
      "labels");
  REQUIRE(words.Find("yes") == words.Size());
}

TEST_CASE("ClassLabelsErrors", "[ClassLabelsTest]")
{
  const auto of = [](const arma::rowvec& numbers)
  {
    return ClassLabels(PointLabels(numbers), "labels");
  };
  REQUIRE_THROWS_WITH(of({ 4, 4 }), Contains("only one class ('4')"));
  REQUIRE_THROWS_AS(of(arma::rowvec()), std::invalid_argument);
  REQUIRE_THROWS_WITH(of({ 0, 1.5 }), Contains("label 1.5 of point 2"));
  REQUIRE_THROWS_WITH(of({ 0, arma::datum::nan }),
      Contains("point 2"));
  REQUIRE_THROWS_AS(of({ 0, 1e300 }), std::invalid_argument);

  // What a file says may be wrong.
  REQUIRE_NOTHROW(ClassLabels(arma::rowvec{ 1, 2 }).CheckLoaded(2, "labels"));
  REQUIRE_THROWS_AS(ClassLabels(arma::rowvec{ 1, 2 }).CheckLoaded(3, "labels"),
      std::runtime_error);
  REQUIRE_THROWS_AS(ClassLabels(arma::rowvec{ 2, 1 }).CheckLoaded(2, "labels"),
      std::runtime_error);
  for (const double bad : { 1.5, 1e300 })
    REQUIRE_THROWS_WITH(ClassLabels(arma::rowvec{ 1, bad }).CheckLoaded(2,
        "labels"), Contains("not a whole number"));
  // C would cut it.
  const ClassLabels words(PointLabels(arma::rowvec{ 0, 1 }, { "a",
      std::string("b\0c", 3) }), "labels");
  REQUIRE_THROWS_WITH(words.CheckLoaded(2, "labels"), Contains("zero byte"));
}
