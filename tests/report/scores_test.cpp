/**
 * @file tests/report/scores_test.cpp
 *
 * The numbers that tell how good predictions are, with values worked out by
 * hand.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <mlpack/methods/gbnn/report/scores.hpp>

using namespace mlpack::gbnn;

TEST_CASE("ScoresLogLoss", "[ScoresTest]")
{
  const arma::mat probabilities = { { .8, .5, 1 }, { .2, .5, 0 } };
  REQUIRE(MeanLogLoss(probabilities, { 0, 1, 0 }) ==
      Approx((-std::log(.8) - std::log(.5)) / 3));
  // A class that is none of the model's does not count; probability 0 does.
  REQUIRE(MeanLogLoss(probabilities, { 0, 2, 2 }) == Approx(-std::log(.8)));
  REQUIRE(MeanLogLoss(probabilities, { 0, 0, 1 }) > 10);
  REQUIRE(std::isfinite(MeanLogLoss(probabilities, { 0, 0, 1 })));
  REQUIRE(std::isnan(MeanLogLoss(probabilities, { 2, 2, 2 })));
}

TEST_CASE("ScoresRankArea", "[ScoresTest]")
{
  // Of six pairs five are in order, and one is a tie.
  REQUIRE(RankArea({ .1, .4, .4, .8, .2 }, { 0, 0, 1, 1, 0 }, 1) ==
      Approx(5.5 / 6));
  REQUIRE(RankArea({ .1, .2, .3, .4 }, { 0, 0, 1, 1 }, 1) == 1);
  REQUIRE(RankArea({ .1, .2, .3, .4 }, { 1, 1, 0, 0 }, 1) == 0);
  REQUIRE(RankArea({ .5, .5, .5 }, { 1, 0, 0 }, 1) == .5);
  REQUIRE(std::isnan(RankArea({ .1, .2 }, { 1, 1 }, 1)));

  // Three classes, of which the last does not occur.
  const arma::mat probabilities = {
      { .6, .3, .1 }, { .3, .5, .8 }, { .1, .2, .1 } };
  REQUIRE(MeanRankArea(probabilities, { 0, 1, 1 }) == 1);
  REQUIRE(std::isnan(MeanRankArea(probabilities, { 1, 1, 1 })));
}

TEST_CASE("ScoresCalibration", "[ScoresTest]")
{
  // Half of the points with .75 are right: off by .25.
  const arma::mat probabilities = { { .75, .75 }, { .25, .25 } };
  REQUIRE(CalibrationError(probabilities, { 0, 0 }, { 0, 1 }) == Approx(.25));
  // One with .5 that is right, one with 1 that is right, in bins of their own.
  const arma::mat others = { { .5, 1 }, { .5, 0 } };
  REQUIRE(CalibrationError(others, { 0, 0 }, { 0, 0 }) == Approx(.25));
}

TEST_CASE("ScoresRegression", "[ScoresTest]")
{
  const arma::mat responses = { { 1, 2, 3 } }, predictions = { { 1, 2, 5 } };
  REQUIRE(RSquared(predictions, responses) == Approx(1 - 4.0 / 2));
  REQUIRE(RSquared(responses, responses) == 1);
  REQUIRE(std::isnan(RSquared(predictions, arma::mat(1, 3,
      arma::fill::ones))));
  REQUIRE(MeanAbsoluteError(predictions, responses) == Approx(2.0 / 3));
}
