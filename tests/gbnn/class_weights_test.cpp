/**
 * @file tests/gbnn/class_weights_test.cpp
 *
 * Weights of classes.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

TEMPLATE_TEST_CASE("BalancedWeightsByHand", "[ClassWeightsTest]", arma::rowvec,
    arma::frowvec)
{
  // 4 points in 2 classes: 4 / (2 * 3) and 4 / (2 * 1).
  const arma::Row<size_t> labels = { 0, 0, 1, 0 };
  REQUIRE(Difference(BalancedWeights<TestType>(labels),
      arma::rowvec{ 2.0 / 3, 2.0 / 3, 2, 2.0 / 3 }) < 1e-6);
  // They weigh 3 and 2 of 5.
  const TestType weights = { 1, 1.5, 2, 0.5 };
  REQUIRE(Difference(BalancedWeights(labels, weights),
      arma::rowvec{ 5.0 / 6, 7.5 / 6, 2.5, 2.5 / 6 }) < 1e-6);
  // Class 1 does not occur, and class 3 weighs nothing.
  REQUIRE(Difference(BalancedWeights(arma::Row<size_t>{ 0, 2, 2, 3 },
      TestType{ 1, 1, 1, 0 }), arma::rowvec{ 1.5, 0.75, 0.75, 0 }) < 1e-6);
  REQUIRE(BalancedWeights<TestType>(arma::Row<size_t>()).is_empty());
  REQUIRE(Difference(ClassWeights(labels, TestType{ 3, 5 }, weights),
      arma::rowvec{ 3, 4.5, 10, 1.5 }) == 0);
  REQUIRE(Difference(ClassWeights(labels, TestType{ 3, 5 }),
      arma::rowvec{ 3, 3, 5, 3 }) == 0);
}

TEST_CASE("BalancedWeightTwoIsThePointTwice", "[ClassWeightsTest]")
{
  const arma::Row<size_t> labels = { 0, 1, 1, 2, 2, 2 };
  const arma::uvec twice = { 0, 0, 1, 2, 3, 3, 4, 5 };
  const arma::rowvec weighted = BalancedWeights(labels,
      arma::rowvec{ 2, 1, 1, 2, 1, 1 });
  const arma::rowvec repeated = BalancedWeights(
      arma::Row<size_t>(labels.cols(twice)));
  REQUIRE(weighted[0] == repeated[0] + repeated[1]);
  REQUIRE(weighted[1] == repeated[2]);
  REQUIRE(weighted[3] == repeated[4] + repeated[5]);
  REQUIRE(weighted[5] == repeated[7]);
  REQUIRE(arma::accu(weighted) == Approx(8.0));
}

TEST_CASE("BalancedTrainingFindsTheRareClass", "[ClassWeightsTest]")
{
  // 1 of 15 points is of class 1, and the classes overlap.
  const size_t n = 3000;
  arma::mat data(2, n);
  arma::Row<size_t> labels(n);
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (size_t i = 0; i < n; ++i)
  {
    labels[i] = (i % 15 == 0);
    data(0, i) = normal(random) + (labels[i] ? 1.5 : 0.0);
    data(1, i) = normal(random);
  }
  const arma::mat train = data.head_cols(n / 2), test = data.tail_cols(n / 2);
  const arma::Row<size_t> known = labels.head(n / 2);
  const auto recalls = [&](const arma::rowvec& weights)
  {
    GBNNClassifier<> model(30);
    model.Seed() = 1;
    model.Train(train, known, 2, weights);
    arma::Row<size_t> predictions;
    model.Classify(test, predictions);
    arma::rowvec right(2, arma::fill::zeros), count(2, arma::fill::zeros);
    for (size_t i = 0; i < test.n_cols; ++i)
    {
      ++count[labels[n / 2 + i]];
      right[labels[n / 2 + i]] += (predictions[i] == labels[n / 2 + i]);
    }
    return arma::rowvec(right / count);
  };
  const arma::rowvec plain = recalls({}), balanced = recalls(
      BalancedWeights(known));
  REQUIRE(plain[1] < 0.3);
  REQUIRE(balanced[1] > 0.6);
  REQUIRE(arma::mean(balanced) > arma::mean(plain) + 0.1);
}

TEST_CASE("ClassWeightsAreReadFromText", "[ClassWeightsTest]")
{
  const arma::rowvec labels = { -3, 0, 10, 123456789 };
  const auto read = [&](const std::string& text)
  {
    return gbnn::ReadClassWeights(text, labels, "option");
  };
  REQUIRE(Difference(read("10:2.5"), arma::rowvec{ 1, 1, 2.5, 1 }) == 0);
  REQUIRE(Difference(read("-3:2,123456789:1e-3, 0 : 4 "),
      arma::rowvec{ 2, 4, 1, 1e-3 }) == 0);
  for (const auto& [text, expected] : std::map<std::string, std::string>{
      { "", "'' is not a label, a colon and a weight" },
      { "Balanced", "'Balanced' is not a label" },
      { "10", "'10' is not a label" },
      { "10:2,", "'' is not a label" },
      { "7:2", "'7' is none of the labels there are (-3, 0, 10, 123456789)" },
      { "x:2", "'x' is none of the labels" },
      { ":2", "'' is none of the labels" },
      { "10:2,10:3", "label 10 is given twice" },
      { "10:0", "weight '0' of label 10 is not a number greater than 0" },
      { "10:-1", "weight '-1'" },
      { "10:nan", "weight 'nan'" },
      { "10:inf", "weight 'inf'" },
      { "10:1e999", "weight '1e999'" },
      { "10:", "weight ''" },
      // A label of words may have a colon.
      { "10:2:3", "'10:2' is none of the labels" } })
  {
    REQUIRE_THROWS_WITH(read(text), Contains("option: ") && Contains(expected)
        && Contains("or 'balanced'"));
  }
}

TEST_CASE("ClassWeightsOfWordsMayBeInQuotes", "[ClassWeightsTest]")
{
  const gbnn::ClassLabels labels(gbnn::PointLabels({ 0, 1, 2 },
      { "a, b", "say \"x\"", "c:d" }), "labels");
  const auto read = [&](const std::string& text)
  {
    return gbnn::ReadClassWeights(text, labels, "option");
  };
  // In ascending order: "a, b", "c:d", "say "x"".
  REQUIRE(Difference(read("\"a, b\":2,c:d:3,\"say \"\"x\"\"\":4"),
      arma::rowvec{ 2, 3, 4 }) == 0);
  REQUIRE(Difference(read("say \"x\":4,\"c:d\":3"),
      arma::rowvec{ 1, 3, 4 }) == 0);
  for (const std::string text : { "a, b:2", "\"a, b:2", "\"a, b\"", "\"",
      "\"a, b\"2", "\"a, b\",c:d:3" })
  {
    REQUIRE_THROWS_WITH(read(text), Contains("is not a label") &&
        Contains("in double quotes"));
  }
}

TEST_CASE("ClassWeightsRefuseWhatDoesNotFit", "[ClassWeightsTest]")
{
  const arma::Row<size_t> labels = { 0, 1, 1 };
  REQUIRE_THROWS_WITH(ClassWeights(labels, arma::rowvec{ 1 }),
      Contains("label 1 of point 1 must be less than the number of classes "
      "(1)"));
  REQUIRE_THROWS_WITH(ClassWeights(labels, arma::rowvec{ 1, 2 },
      arma::rowvec{ 1 }), Contains("(1) does not match number of labels (3)"));
  for (const double bad : { 0.0, -1.0, arma::datum::nan, arma::datum::inf })
  {
    REQUIRE_THROWS_WITH(ClassWeights(labels, arma::rowvec{ 1, bad }),
        Contains("greater than 0"));
  }
  for (const double bad : { -1.0, arma::datum::nan, arma::datum::inf })
  {
    REQUIRE_THROWS_WITH(BalancedWeights(labels, arma::rowvec{ 1, 1, bad }),
        Contains("weights"));
  }
  REQUIRE_THROWS_WITH(BalancedWeights(labels, arma::rowvec{ 1 }),
      Contains("labels (3)"));
}
