/**
 * @file tests/report/gbnn_summary_test.cpp
 *
 * Summaries of predictions.  What their numbers are is tested in
 * tests/cli/test_gbnn_output.py.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <mlpack/methods/gbnn/report/gbnn_summary.hpp>

using namespace mlpack::gbnn;

//! A summary of so many points, each of which is a class of its own that is
//! called "a", "aa", and so on; the last one by a million letters.
static std::string SummaryOf(const size_t classes)
{
  std::vector<std::string> words;
  for (size_t k = 1; k < classes; ++k)
    words.push_back(std::string(k, 'a'));
  words.push_back(std::string(1000000, 'b'));
  const arma::Row<size_t> all = arma::regspace<arma::Row<size_t>>(0,
      classes - 1);
  return ClassificationSummary(all, all, ClassLabels(PointLabels(
      arma::conv_to<arma::rowvec>::from(all), words), "labels"));
}

TEST_CASE("SummaryOfLongLabels", "[GBNNSummaryTest]")
{
  const std::string text = SummaryOf(50);
  REQUIRE_THAT(text, Contains("confusion matrix (rows") &&
      Contains("\n " + std::string(40, 'b') + "...     1.0000   1.0000        "
      "1\n"));
  REQUIRE(text.size() < 150000);
}

TEST_CASE("SummaryOfManyClasses", "[GBNNSummaryTest]")
{
  const std::string text = SummaryOf(51);
  REQUIRE_THAT(text, Contains("accuracy 1.0000 (51 of 51 points)") &&
      Contains("The confusion matrix of 51 classes is too large to show.") &&
      !Contains("confusion matrix (rows"));
}
