/**
 * @file tests/refinement/refine_plan_test.cpp
 *
 * The settings of nested refinement, and how points held out decide how far it
 * goes.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

//! Classes and responses have settings of their own.
TEST_CASE("RefineDefaults", "[RefinePlanTest]")
{
  static_assert(gbnn::TakesLabels<LogLoss, arma::mat>);
  static_assert(!gbnn::TakesLabels<SquaredErrorLoss, arma::mat>);
  static_assert(!gbnn::TakesLabels<PoissonLoss, arma::fmat>);
  static_assert(!gbnn::TakesLabels<QuantileLoss, arma::mat>);
  const GBNNRefinement ofClasses = GBNNClassifier<>().Refinement();
  const GBNNRefinement ofResponses = GBNNRegressor<arma::fmat>().Refinement();
  REQUIRE(ofClasses.l2 == GBNNRefinement().l2);
  REQUIRE(ofResponses.l2 == GBNNRefinement::ForResponses().l2);
  REQUIRE(ofResponses.l2 < ofClasses.l2);
  REQUIRE(ofClasses.outputL2 < 1);
  REQUIRE(ofResponses.outputL2 == 1);
  REQUIRE(ofClasses.tryConstantL2);
  REQUIRE(!ofResponses.tryConstantL2);
  REQUIRE(ofResponses.phases.size() > ofClasses.phases.size());
  REQUIRE(ofClasses.cuts.size() == 8);
  REQUIRE(ofResponses.cuts.size() == 16);
  REQUIRE(ofResponses.cutWeights[3] == 0.25);
  REQUIRE(ofResponses.cutWeights[2] < ofResponses.cutWeights[3] / 16);
  REQUIRE(ofResponses.cutWeights[15] == 1);
  REQUIRE(ofClasses.distillIterations == 0);
  REQUIRE(ofResponses.distillIterations > 0);
  REQUIRE(ofResponses.roundIterations > ofClasses.roundIterations);
  REQUIRE(ofClasses.validationPoints > 0);
}

//! Few units must do better than all, clearly, or more of them are tried, once.
TEST_CASE("RefineAfterPhase", "[RefinePlanTest]")
{
  using gbnn::AfterPhase;
  const auto after = [](const double mean, const double share,
                        const bool isAnew)
  {
    // Four gains with a standard error of 1.
    const arma::rowvec gains = mean + arma::rowvec{ 2, -2, 2, -2 };
    return gbnn::WhatAfterPhase(gains, arma::rowvec(), share, isAnew);
  };
  for (const double mean : { -3.0, -0.5, 0.5, 3.0 })
  {
    REQUIRE(after(mean, 0.24, false) == AfterPhase::goOn);
    REQUIRE(after(mean, 0.25, true) == (mean > 0 ? AfterPhase::goOn :
        AfterPhase::stop));
  }
  REQUIRE(after(3, 0.25, false) == AfterPhase::goOn);
  REQUIRE(after(0.5, 0.25, false) == AfterPhase::beginAnew);
  REQUIRE(after(-0.5, 0.5, false) == AfterPhase::beginAnew);
  REQUIRE(after(-3, 0.5, false) == AfterPhase::stop);
  REQUIRE(after(arma::datum::nan, 0.5, true) == AfterPhase::stop);

  gbnn::RefinePlan plan;
  plan.phases.resize(3);
  REQUIRE(plan.FirstPhase() == 2);
  plan.phases[1].iterations = 5;
  REQUIRE(plan.FirstPhase() == 1);
}

//! Phases before the last may take half as long as it, and wait twice as long.
TEST_CASE("RefinePhaseLimits", "[RefinePlanTest]")
{
  GBNNRefinement refinement;
  refinement.iterations = 40;
  refinement.patience = 8;
  refinement.phases = { 0.25, 0.5, 1 };
  const std::vector<std::pair<size_t, size_t>> limits = { { 80, 16 },
      { 40, 16 }, { 40, 8 } };
  for (size_t phase = 0; phase < limits.size(); ++phase)
  {
    REQUIRE(refinement.PhaseIterations(phase) == limits[phase].first);
    REQUIRE(refinement.PhasePatience(phase) == limits[phase].second);
  }
  refinement.patience = SIZE_MAX;
  REQUIRE(refinement.PhasePatience(0) == SIZE_MAX);
}

//! The round with the least loss is chosen, and the search ends after as many
//! iterations without gain as patience allows, unless the loss falls again so
//! fast that it may get there.
TEST_CASE("BestRound", "[RefinePlanTest]")
{
  const auto at = [](const double x) { return arma::mat(1, 1).fill(x); };
  gbnn::BestRound<arma::mat> choice(96, 20, at(0), { 1.5, 2.0 });
  REQUIRE(choice.Add(10, at(1), { 1.5, 2.1 }));
  REQUIRE(choice.Iterations() == 0);
  REQUIRE(choice.Parameters()[0] == 0);
  REQUIRE(choice.Loss().temperature == 1.5);
  REQUIRE(!choice.Add(20, at(2), { 1.5, 2.1 }));
  REQUIRE(choice.Add(22, at(2), { 1.5, 2.05 }));
  REQUIRE(!choice.Add(24, at(2), { 1.5, 2.06 }));
  REQUIRE(!choice.Add(26, at(2), { 1.5, std::nan("") }));
  REQUIRE(!choice.Add(28, at(2), { 1.5, 2.0 }));
  REQUIRE(choice.Iterations() == 0);
  REQUIRE(choice.Add(30, at(3), { 1.2, 1.7 }));
  REQUIRE(choice.Iterations() == 30);
  REQUIRE(choice.Parameters()[0] == 3);
  REQUIRE(choice.Add(40, at(4), { 1.3, 1.71 }));
  REQUIRE(choice.Add(45, at(5), { 1.1, 1.69 }));
  REQUIRE(choice.Add(64, at(6), { 1.4, std::nan("") }));
  REQUIRE(!choice.Add(65, at(7), { 1.4, 3.0 }));
  REQUIRE(choice.Iterations() == 45);
  REQUIRE(choice.Parameters()[0] == 5);
  REQUIRE(choice.Loss().temperature == 1.1);
  REQUIRE(choice.Loss().value == 1.69);

  gbnn::BestRound<arma::mat> patient(96,
      std::numeric_limits<size_t>::max(), at(0), { 1, 2.0 });
  REQUIRE(patient.Add(10, at(1), { 1, 0.5 }));
  REQUIRE(patient.Add(20, at(2), { 1, 0.6 }));

  // By 0.1 in 10 iterations, of which there are 40: 0.4 is the most it can
  // fall.
  for (const double behind : { 0.3, 0.5 })
  {
    gbnn::BestRound<arma::mat> slow(60, 20, at(0), { 1, 2.0 });
    slow.Add(10, at(1), { 1, 2.1 + behind });
    REQUIRE(slow.Add(20, at(2), { 1, 2.0 + behind }) == (behind < 0.4));
    REQUIRE(!slow.Add(60, at(3), { 1, 2.0 + behind / 2 }));
  }
}

//! A loss that ends where it was least, or hardly above, has not risen.
TEST_CASE("RefineChoiceHasRisen", "[RefinePlanTest]")
{
  const arma::mat any(1, 1, arma::fill::zeros);
  for (const double start : { 2.0, -2.0 })
  {
    gbnn::BestRound<arma::mat> choice(96, 20, any, { 1, start });
    REQUIRE(!choice.HasRisen());
    choice.Add(10, any, { 1, start + 0.1 });
    REQUIRE(choice.HasRisen());
    choice.Add(20, any, { 1, start + 0.02 });
    REQUIRE(!choice.HasRisen());
    choice.Add(30, any, { 1, start - 0.5 });
    REQUIRE(!choice.HasRisen());
    choice.Add(40, any, { 1, start - 0.4 });
    REQUIRE(choice.HasRisen());
  }
}

//! In a race, rounds go on while they do better than the others did after as
//! many, or for twice the patience, and the best of them all is kept.
TEST_CASE("RefineChoiceRace", "[RefinePlanTest]")
{
  const auto at = [](const double x) { return arma::mat(1, 1).fill(x); };
  gbnn::BestRound<arma::mat> choice(96, 20, at(0), { 1, 2.0 });
  REQUIRE(choice.Add(10, at(1), { 1, 1.9 }));
  REQUIRE(choice.Add(20, at(2), { 1, 1.5 }));
  REQUIRE(choice.Add(30, at(3), { 1, 1.6 }));
  REQUIRE(!choice.WonRace());

  // Behind at first, then ahead of where the others were, which is not the
  // least loss yet, and in the end of all.
  gbnn::BestRound<arma::mat> won = choice;
  won.Race(10);
  REQUIRE(won.Add(20, at(4), { 1, 1.7 }));
  REQUIRE(won.Add(30, at(5), { 1, 1.4 }));
  REQUIRE(won.WonRace());
  REQUIRE(won.Add(40, at(6), { 2, 1.2 }));
  // A loss that falls, but not below that of the others, is not enough.
  for (const size_t done : { 50, 60, 70 })
    REQUIRE(won.Add(done, at(7), { 1, 2 - 0.005 * double(done) }));
  REQUIRE(!won.Add(80, at(8), { 1, 1.6 }));
  REQUIRE(won.Iterations() == 40);
  REQUIRE(won.Parameters()[0] == 6);
  REQUIRE(won.Loss().temperature == 2);

  gbnn::BestRound<arma::mat> lost = choice;
  lost.Race(10);
  for (const size_t done : { 20, 30, 40 })
    REQUIRE(lost.Add(done, at(4), { 1, 1.6 }));
  REQUIRE(!lost.Add(50, at(5), { 1, std::nan("") }));
  REQUIRE(!lost.WonRace());
  REQUIRE(lost.Iterations() == 20);
  REQUIRE(lost.Parameters()[0] == 2);

  // Who is ahead may not have come back to where both began.
  gbnn::BestRound<arma::mat> late(96, 20, at(0), { 1, 1.0 });
  for (const auto& [done, value] : std::map<size_t, double>{ { 10, 1.2 },
      { 20, 1.1 }, { 30, std::nan("") }, { 40, 1.05 }, { 50, 0.8 } })
    late.Add(done, at(value), { 1, value });
  REQUIRE(late.Iterations() == 50);
  late.Race(10);
  REQUIRE(late.Add(20, at(6), { 1, 1.15 }));
  REQUIRE(late.Add(30, at(7), { 1, 1.05 }));
  REQUIRE(late.Add(40, at(8), { 1, 1.02 }));
  for (const size_t done : { 50, 60, 70 })
    REQUIRE(late.Add(done, at(9), { 1, 0.9 }));
  REQUIRE(!late.Add(80, at(9), { 1, 0.9 }));
  REQUIRE(!late.WonRace());
}

//! A gain counts if it is more than some of its standard errors.
TEST_CASE("RefineClearGain", "[RefinePlanTest]")
{
  const arma::rowvec none;
  // Mean 1; nine points of which eight differ from it by 3.
  const arma::rowvec gains = { 4, -2, 4, -2, 4, -2, 4, -2, 1 };
  const double error = std::sqrt(8.0) * 3 / 9;
  REQUIRE(gbnn::IsClearGain(gains, none, 0.99 / error));
  REQUIRE(!gbnn::IsClearGain(gains, none, 1.01 / error));
  REQUIRE(gbnn::IsClearGain(gains, none, 0));
  REQUIRE(!gbnn::IsClearGain(arma::rowvec(-gains), none, 0));
  // Weights count relative to each other, and a point without one not at all.
  const arma::rowvec threes(9, arma::fill::value(3.0));
  REQUIRE(gbnn::IsClearGain(gains, threes, 0.99 / error));
  REQUIRE(!gbnn::IsClearGain(gains, threes, 1.01 / error));
  const arma::frowvec losers = { 0, 1, 0, 1, 0, 1, 0, 1, 0 };
  REQUIRE(!gbnn::IsClearGain(gains, losers, 0));
  REQUIRE(gbnn::IsClearGain(gains, arma::frowvec(1 - losers), 2));
  // No gain at all, one without a doubt, and none that can be told.
  REQUIRE(!gbnn::IsClearGain(arma::rowvec(5, arma::fill::zeros), none, 0));
  REQUIRE(gbnn::IsClearGain(arma::rowvec(5, arma::fill::ones), none, 9));
  REQUIRE(!gbnn::IsClearGain(arma::rowvec({ 1, arma::datum::nan }), none, 0));
  // A loss that was infinite, or has become so.
  REQUIRE(gbnn::IsClearGain(arma::rowvec({ 1, arma::datum::inf }), none, 9));
  REQUIRE(!gbnn::IsClearGain(arma::rowvec({ 9, -arma::datum::inf }), none, 0));
}

//! Losses may change as long as that is no clear loss, and not a great one.
TEST_CASE("RefineNoLoss", "[RefinePlanTest]")
{
  const arma::rowvec none, before(100, arma::fill::ones);
  arma::rowvec noise(100);
  for (size_t i = 0; i < 100; ++i)
    noise[i] = (i % 2 == 0) ? 1 : -1;
  REQUIRE(gbnn::IsNoLoss(before, before, none));
  REQUIRE(gbnn::IsNoLoss(before, arma::rowvec(before - 0.5 * noise), none));
  // A rise of .01 with a standard error of .01, then one of .001.
  const arma::rowvec rise = before + 0.01;
  REQUIRE(gbnn::IsNoLoss(before, arma::rowvec(rise + 0.1 * noise), none));
  REQUIRE(!gbnn::IsNoLoss(before, arma::rowvec(rise + 0.01 * noise), none));
  // One that is not clear, but large.
  REQUIRE(!gbnn::IsNoLoss(before, arma::rowvec(1.1 * before + noise), none));
  // Only points that weigh something count, and no loss may get infinite.
  arma::rowvec weights(100, arma::fill::ones), some = before;
  some.head(50).fill(9);
  REQUIRE(!gbnn::IsNoLoss(before, some, weights));
  weights.head(50).zeros();
  REQUIRE(gbnn::IsNoLoss(before, some, weights));
  some[99] = arma::datum::inf;
  REQUIRE(!gbnn::IsNoLoss(before, some, weights));
}

//! Phases share the iterations, and cuts are where they are in the whole.
TEST_CASE("RefinePhaseSettings", "[RefinePlanTest]")
{
  GBNNRefinement settings;
  REQUIRE(settings.PhaseIterations(0) == settings.iterations);
  settings.iterations = std::numeric_limits<size_t>::max();
  REQUIRE(settings.PhaseIterations(0) > 1000000);
  settings = GBNNRefinement::ForResponses();
  settings.iterations = 1;
  REQUIRE(settings.PhaseIterations(3) == 1);
  settings.iterations = 0;
  REQUIRE(settings.PhaseIterations(3) == 0);
  settings = GBNNRefinement::ForResponses();
  REQUIRE(settings.phases.size() == 4);
  REQUIRE(settings.PhaseIterations(3) == settings.iterations);
  for (size_t p = 0; p < 3; ++p)
  {
    REQUIRE(settings.phases[p] * double(settings.PhaseIterations(p)) ==
        Approx(double(settings.iterations) / 2));
  }
  settings.iterations = std::numeric_limits<size_t>::max();
  REQUIRE(settings.PhaseIterations(0) > 1000000);

  // Cuts of a part are those of the whole, wherever the part's last stage ends.
  using Units = std::vector<size_t>;
  using Weights = std::vector<double>;
  settings.cuts = { 0.125, 0.25, 0.5, 1 };
  settings.cutWeights = { 1, 1, 2, 4 };
  REQUIRE(settings.CutsUpTo(200, 200).units == Units({ 25, 50, 100, 200 }));
  REQUIRE(settings.CutsUpTo(200, 200).weights == Weights({ 0.125, 0.125, 0.25,
      0.5 }));
  REQUIRE(settings.CutsUpTo(51, 200).units == Units({ 25, 50, 51 }));
  REQUIRE(settings.CutsUpTo(51, 200).weights == Weights({ 0.25, 0.25, 0.5 }));
  REQUIRE(settings.CutsUpTo(50, 200).units == Units({ 25, 50 }));
  REQUIRE(settings.CutsUpTo(50, 200).weights == Weights({ 0.5, 0.5 }));
  REQUIRE(settings.CutsUpTo(12, 200).units == Units({ 12 }));
  REQUIRE(settings.CutsUpTo(12, 200).weights == Weights({ 1 }));
  // No cut is before the first unit, those at the same one are one, and the end
  // counts whatever its cut does.
  REQUIRE(settings.CutsUpTo(3, 3).units == Units({ 1, 2, 3 }));
  REQUIRE(settings.CutsUpTo(3, 3).weights == Weights({ 0.25, 0.25, 0.5 }));
  REQUIRE(settings.CutsUpTo(1, 1).units == Units({ 1 }));
  REQUIRE(settings.CutsUpTo(1, 1).weights == Weights({ 1 }));
  settings.cutWeights = { 1, 0, 0, 4 };
  REQUIRE(settings.CutsUpTo(40, 200).weights == Weights({ 0.2, 0.8 }));
}

//! The points held out have the classes, or the range of responses, of all.
TEST_CASE("RefineStratifiedSample", "[RefinePlanTest]")
{
  arma::mat targets(1, 1000);
  for (size_t i = 0; i < 1000; ++i)
    targets[i] = (i % 10 == 0) ? 1 : -1;
  const arma::uvec all = arma::regspace<arma::uvec>(0, 999);
  gbnn::Random random = TestRandom(3), same = TestRandom(3);
  gbnn::Random other = TestRandom(4);
  const arma::uvec chosen = gbnn::StratifiedSample(targets, all, 0.2, random);
  REQUIRE(chosen.n_elem == 200);
  REQUIRE(arma::uvec(arma::unique(chosen)).n_elem == 200);
  REQUIRE(chosen.is_sorted());
  REQUIRE(std::abs(arma::accu(targets.cols(chosen) > 0) - 20.0) <= 1);
  REQUIRE(SameBits(chosen, gbnn::StratifiedSample(targets, all, 0.2, same)));
  REQUIRE(!SameBits(chosen, gbnn::StratifiedSample(targets, all, 0.2, other)));

  for (size_t i = 0; i < 1000; ++i)
    targets[i] = double((i * 7919) % 1000);
  const arma::uvec spread = gbnn::StratifiedSample(targets, all, 0.1, random);
  const arma::rowvec values = arma::sort(arma::rowvec(targets.cols(spread)));
  for (size_t i = 0; i < 100; ++i)
    REQUIRE(std::abs(values[i] - 10.0 * i) <= 10);
}

//! Shares have no point in common, and there are as many as there is room for.
TEST_CASE("RefineStratifiedShares", "[RefinePlanTest]")
{
  for (const size_t points : { 50, 97, 1003 })
  {
    arma::mat targets(1, points);
    for (size_t i = 0; i < points; ++i)
      targets[i] = (i % 3 == 0) ? 1 : -1;
    const arma::uvec all = arma::regspace<arma::uvec>(0, points - 1);
    for (const double fraction : { 0.1, 0.2, 0.3, 0.45, 0.7 })
    {
      const size_t size = size_t(std::round(fraction * double(points)));
      gbnn::Random random = TestRandom(3), same = TestRandom(3);
      const auto shares = gbnn::StratifiedShares(targets, all, fraction, 100,
          random);
      REQUIRE(shares.size() == points / size);
      REQUIRE(SameBits(shares[0], gbnn::StratifiedSample(targets, all, fraction,
          same)));
      arma::uvec together;
      for (const arma::uvec& share : shares)
      {
        REQUIRE(share.n_elem == size);
        REQUIRE(share.is_sorted());
        REQUIRE(std::abs(arma::accu(targets.cols(share) > 0) - size / 3.0) <=
            1.5);
        together = arma::join_cols(together, share);
      }
      REQUIRE(arma::uvec(arma::unique(together)).n_elem == together.n_elem);
      REQUIRE(gbnn::StratifiedShares(targets, all, fraction, 0, random)
          .size() == 1);
    }
  }
}

//! A round is recalled if it begins as one before and depends on the same.
TEST_CASE("RoundCache", "[RefinePlanTest]")
{
  using Memory = gbnn::RoundCache<arma::mat>;
  Memory memory;
  size_t done = 0;
  const auto round = [&](const Memory::Settings& settings,
                         const arma::mat& start)
  {
    arma::mat parameters = start;
    memory.Round(settings, parameters, [&](arma::mat& now)
        {
          now *= double(++done) + 1;
        });
    return arma::mat(parameters / start).max();
  };
  const arma::mat start(3, 1, arma::fill::ones);
  REQUIRE(round({ 1, 2, 3 }, start) == 2);
  memory.Learns() = true;
  REQUIRE(round({ 1, 2, 3 }, start) == 3);
  // What it depends on, where it begins, and how many parameters there are.
  REQUIRE(round({ 0, 2, 3 }, start) == 4);
  REQUIRE(round({ 1, 0, 3 }, start) == 5);
  REQUIRE(round({ 1, 2, 0 }, start) == 6);
  REQUIRE(round({ 1, 2, 3 }, start * (1 + 1e-15)) == 7);
  REQUIRE(round({ 1, 2, 3 }, start.head_rows(2)) == 8);
  memory.Learns() = false;
  REQUIRE(round({ 1, 2, 4 }, start) == 9);
  REQUIRE(round({ 1, 2, 4 }, start) == 10);
  REQUIRE(round({ 1, 2, 3 }, start) == 3);
  REQUIRE(round({ 1, 2, 0 }, start) == 6);
  REQUIRE(round({ 1, 2, 3 }, start.head_rows(2)) == 8);
  REQUIRE(done == 9);
}
