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

#include <mlpack/methods/gbnn/loss_functions/squared_error_loss.hpp>
#include <mlpack/methods/gbnn/report/scores.hpp>

using namespace mlpack;
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

TEST_CASE("ScoresRankCurve", "[ScoresTest]")
{
  // From the highest score down: one of the class, one of each at once, one of
  // the class, and two of the others, which make one straight piece.
  const arma::rowvec scores = { .9, .7, .7, .5, .3, .2 };
  const arma::Row<size_t> truth = { 1, 1, 0, 1, 0, 2 };
  const arma::mat curve = RankCurve(scores, truth, 1);
  const arma::mat expected = {
      { 0, 0, 1 / 3.0, 1 / 3.0, 1 }, { 0, 1 / 3.0, 2 / 3.0, 1, 1 } };
  REQUIRE(arma::size(curve) == arma::size(expected));
  REQUIRE(arma::approx_equal(curve, expected, "absdiff", 1e-12));
  // The area below is what RankArea() says.
  REQUIRE(arma::as_scalar(arma::trapz(curve.row(0), curve.row(1), 1)) ==
      Approx(RankArea(scores, truth, 1)));
  REQUIRE(RankCurve({ .1, .2 }, { 1, 1 }, 1).is_empty());

  // A long curve is thinned, but keeps its ends and its area.
  const arma::rowvec many(5000, arma::fill::randu);
  const arma::Row<size_t> classes = arma::conv_to<arma::Row<size_t>>::from(
      many + arma::rowvec(5000, arma::fill::randu) > 1);
  const arma::mat thin = RankCurve(many, classes, 1, 50);
  REQUIRE(thin.n_cols <= 52);
  REQUIRE(arma::accu(arma::abs(thin.col(0))) == 0);
  REQUIRE(arma::accu(thin.tail_cols(1)) == 2);
  REQUIRE(arma::as_scalar(arma::trapz(thin.row(0), thin.row(1), 1)) ==
      Approx(RankArea(many, classes, 1)).margin(0.01));
}

TEST_CASE("ScoresReliability", "[ScoresTest]")
{
  // Three in the first group, of which one happened, and a sure one.
  const arma::mat groups = Reliability({ 0, .05, .09, 1 }, { 0, 1, 0, 1 });
  REQUIRE(groups.n_cols == 2);
  REQUIRE(groups(0, 0) == 0);
  REQUIRE(groups(1, 0) == Approx(.1));
  REQUIRE(groups(2, 0) == 3);
  REQUIRE(groups(3, 0) == Approx(.14 / 3));
  REQUIRE(groups(4, 0) == Approx(1 / 3.0));
  // Wilson's interval of one in three.
  REQUIRE(groups(5, 0) == Approx(.0615).margin(1e-3));
  REQUIRE(groups(6, 0) == Approx(.7923).margin(1e-3));
  REQUIRE(groups(0, 1) == Approx(.9));
  REQUIRE(groups(2, 1) == 1);
  REQUIRE(groups(4, 1) == 1);
  REQUIRE(groups(5, 1) < .3);
  REQUIRE(groups(6, 1) == Approx(1));
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

TEST_CASE("ScoresCountWeights", "[ScoresTest]")
{
  // A point of weight 3 is that point three times, and one of 0 is none.
  const arma::rowvec weights = { 3, 1, 0, 2, 1 };
  const arma::uvec copies = { 0, 0, 0, 1, 3, 3, 4 };
  const arma::Row<size_t> truth = { 0, 1, 1, 1, 0 }, guess = { 0, 0, 1, 1, 1 };
  const arma::rowvec p = { .1, .4, .9, .4, .7 };
  const arma::mat shares = arma::join_cols(1 - p, p);
  const arma::Row<size_t> truths = truth.cols(copies), guesses =
      guess.cols(copies);
  const arma::mat many = shares.cols(copies);
  REQUIRE(MeanAccuracy(guess, truth, weights) == Approx(5.0 / 7));
  REQUIRE(MeanAccuracy(guesses, truths) == Approx(5.0 / 7));
  REQUIRE(MeanLogLoss(shares, truth, weights) ==
      Approx(MeanLogLoss(many, truths)));
  REQUIRE(MeanRankArea(shares, truth, weights) ==
      Approx(MeanRankArea(many, truths)));
  REQUIRE(CalibrationError(shares, guess, truth, weights) ==
      Approx(CalibrationError(many, guesses, truths)));

  const arma::mat responses = { { 1, 2, 9, 4, 0 }, { 3, 5, 8, 1, 2 } };
  const arma::mat predictions = { { 2, 2, 3, 1, 0 }, { 3, 4, 8, 2, 1 } };
  const arma::mat manyResponses = responses.cols(copies), manyPredictions =
      predictions.cols(copies);
  REQUIRE(RSquared(predictions, responses, weights) ==
      Approx(RSquared(manyPredictions, manyResponses)));
  REQUIRE(MeanAbsoluteError(predictions, responses, weights) ==
      Approx(MeanAbsoluteError(manyPredictions, manyResponses)));
  REQUIRE(ErrorOf(SquaredErrorLoss(), predictions, responses, weights) ==
      Approx(ErrorOf(SquaredErrorLoss(), manyPredictions, manyResponses)));
  REQUIRE(ErrorOf(SquaredErrorLoss(), manyPredictions, manyResponses) ==
      Approx(std::sqrt(arma::mean(arma::vectorise(arma::square(manyPredictions -
      manyResponses))))));
}
