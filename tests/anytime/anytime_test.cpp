/**
 * @file tests/anytime/anytime_test.cpp
 *
 * Predictions that end early, and the time that predictions take.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <omp.h>

using namespace mlpack;

namespace {

//! A classifier trained on a problem with 2 or 3 classes.
template<typename MatType>
GBNNClassifier<MatType> Trained(const Problem<MatType>& problem,
                                const size_t classes,
                                const GBNNActivation activation,
                                const bool refined,
                                const size_t units = 60)
{
  GBNNClassifier<MatType> model(units, (classes == 2) ? 1 : 3, 0.3);
  model.Activation() = activation;
  model.Seed() = 3;
  const arma::Row<size_t>& labels = (classes == 2) ? problem.labels :
      problem.threeLabels;
  model.Train(problem.data, labels, classes);
  if (refined)
    model.Refine(problem.data, labels);
  return model;
}

//! Mean of the numbers of units used.
double MeanUnits(const arma::Row<size_t>& units)
{
  return arma::mean(arma::conv_to<arma::rowvec>::from(units));
}

//! Require that no label differs from the model's; returns the mean number of
//! units used.
template<typename MatType>
double RequireSameLabels(const GBNNClassifier<MatType>& model,
                         const MatType& data)
{
  const AnytimeClassifier anytime(model);
  arma::Row<size_t> expected, predictions, used;
  model.Classify(data, expected);
  anytime.Classify(data, predictions, used);
  REQUIRE(SameBits(predictions, expected));
  REQUIRE(used.max() <= model.ActiveUnits());
  size_t different = 0;
  for (size_t i = 0; i < data.n_cols; ++i)
  {
    size_t units;
    different += anytime.Classify(data.col(i), units) !=
        model.Classify(data.col(i)) || units > model.ActiveUnits();
  }
  REQUIRE(different == 0);
  return MeanUnits(used);
}

//! Points of a problem, and the same far out and near the origin.
template<typename MatType>
MatType NearAndFar(const MatType& data)
{
  return arma::join_rows(data, arma::join_rows(MatType(data * 30),
      MatType(data * 0.01)));
}

//! A network with one input for each row of `hidden`, of two units and one
//! output without bias.
BoostedNetwork<arma::mat> TwoUnits(const GBNNActivation activation,
                                   const arma::mat& hidden,
                                   const arma::vec& hiddenBias,
                                   const arma::rowvec& output)
{
  BoostedNetwork<arma::mat> network(hidden.n_rows, { 0.0 }, activation);
  arma::mat scores(1, 1, arma::fill::zeros);
  const arma::mat data(hidden.n_rows, 1, arma::fill::zeros);
  for (size_t u = 0; u < 2; ++u)
  {
    arma::vec parameters = arma::join_cols(hidden.col(u),
        arma::vec{ hiddenBias[u], output[u], 0.0 });
    network.Append(parameters, 1, { 1.0 }, data, scores);
  }
  return network;
}

} // namespace

TEMPLATE_TEST_CASE("CertainExitsKeepEveryLabel", "[AnytimeTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> problem(300, 4), fresh(700, 4, 8);
  const TestType data = NearAndFar(fresh.data);
  for (const auto activation : { GBNNActivation::LOGISTIC, GBNNActivation::TANH,
      GBNNActivation::RELU })
  {
    for (const size_t classes : { 2, 3 })
    {
      for (const bool refined : { false, true })
      {
        auto model = Trained(problem, classes, activation, refined);
        for (const size_t active : { 0, 1, 9, 40, 60 })
        {
          model.ActiveUnits(active);
          const double units = RequireSameLabels(model, data);
          if (active == 60 && activation != GBNNActivation::RELU)
            REQUIRE(units < 60);
        }
      }
    }
  }
}

TEST_CASE("ManyClassesKeepEveryLabel", "[AnytimeTest]")
{
  // From 17 classes on, bounds are those of each class by itself.
  for (const size_t classes : { 16, 17, 25 })
  {
    arma::mat data(2, 1500);
    arma::Row<size_t> labels(1500);
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    for (size_t i = 0; i < 1500; ++i)
    {
      labels[i] = i % classes;
      data(0, i) = 3.0 * (labels[i] % 5) + 0.6 * normal(random);
      data(1, i) = 3.0 * (labels[i] / 5) + 0.6 * normal(random);
    }
    GBNNClassifier<> model(data.head_cols(500), labels.head(500), classes, 60,
        10, 0.5);
    RequireSameLabels(model, data);
  }

  // One unit, which moves class j by j: by itself, class 16 may gain 16.
  BoostedNetwork<arma::mat> network(1, arma::vec(17, arma::fill::zeros),
      GBNNActivation::LOGISTIC);
  arma::mat scores(17, 1, arma::fill::zeros);
  const arma::vec parameters = arma::join_cols(arma::vec{ 1, 0 },
      arma::regspace(0, 16), arma::vec(17, arma::fill::zeros));
  network.Append(parameters, 1, arma::vec(17, arma::fill::ones), arma::mat(1, 1,
      arma::fill::zeros), scores);
  const gbnn::ExitBounds<arma::mat> bounds(network, 1, { 0, 1 });
  arma::vec sums(17, arma::fill::zeros);
  sums[15] = 16 + 1e-9;
  REQUIRE(bounds.Decided(0, sums.memptr(), 15, 0));
  sums[15] = 16 - 1e-9;
  REQUIRE(!bounds.Decided(0, sums.memptr(), 15, 0));
  sums[15] = 1e-9;
  REQUIRE(bounds.Decided(1, sums.memptr(), 15, 0));
}

TEST_CASE("TiesAreDecidedAsTheModelDecidesThem", "[AnytimeTest]")
{
  // Points on the border between the classes, as near as numbers can be.
  const Problem<arma::mat> problem(300, 2);
  const auto model = Trained(problem, 2, GBNNActivation::LOGISTIC, false);
  arma::mat border(2, 400);
  for (size_t i = 0; i < 400; ++i)
  {
    arma::vec low = problem.data.col(i % 300);
    arma::vec high = problem.data.col((7 * i + 13) % 300);
    for (size_t step = 0; step < 60; ++step)
    {
      const arma::vec middle = (low + high) / 2;
      (model.Classify(middle) == model.Classify(low) ? low : high) = middle;
    }
    border.col(i) = low;
  }
  RequireSameLabels(model, border);
}

TEST_CASE("BoundsByHand", "[AnytimeTest]")
{
  const std::vector<size_t> checks = { 0, 1, 2 };
  const auto logistic = TwoUnits(GBNNActivation::LOGISTIC, { { 1, 1 } },
      { 0, 0 }, { 2, -1 });
  const gbnn::ExitBounds<arma::mat> bounds(logistic, 2, checks);
  const auto decided = [](const gbnn::ExitBounds<arma::mat>& bounds,
      const size_t check, const double sum, const size_t leader,
      const double norm = 0)
  {
    return bounds.Decided(check, &sum, leader, norm);
  };
  REQUIRE(!bounds.UseNorm());
  // Both units to come: between -1 and 2.
  REQUIRE(decided(bounds, 0, 1.0 + 1e-9, 1));
  REQUIRE(!decided(bounds, 0, 1.0 - 1e-9, 1));
  REQUIRE(decided(bounds, 0, -2.0 - 1e-9, 0));
  REQUIRE(!decided(bounds, 0, -2.0 + 1e-9, 0));
  // The second: between -1 and 0.
  REQUIRE(decided(bounds, 1, 1.0 + 1e-9, 1));
  REQUIRE(!decided(bounds, 1, 1.0 - 1e-9, 1));
  REQUIRE(decided(bounds, 1, -1e-9, 0));
  // None: only rounding is left.
  REQUIRE(decided(bounds, 2, 1e-9, 1));
  REQUIRE(!decided(bounds, 2, 0.0, 1));

  // tanh: the second is between -1 and 1.
  const gbnn::ExitBounds<arma::mat> tanh(TwoUnits(GBNNActivation::TANH,
      { { 1, 1 } }, { 0, 0 }, { 2, -1 }), 2, checks);
  REQUIRE(decided(tanh, 1, -1.0 - 1e-9, 0));
  REQUIRE(!decided(tanh, 1, -1.0 + 1e-9, 0));
  REQUIRE(!decided(tanh, 0, 3.0 - 1e-9, 1));

  // ReLU: at most |(3, 4)| |x| + 0.5, times -2.
  const gbnn::ExitBounds<arma::mat> relu(TwoUnits(GBNNActivation::RELU,
      { { 1, 3 }, { 1, 4 } }, { 0, 0.5 }, { 2, -2 }), 2, checks);
  REQUIRE(relu.UseNorm());
  REQUIRE(decided(relu, 1, 21.0 + 1e-9, 1, 2.0));
  REQUIRE(!decided(relu, 1, 21.0 - 1e-9, 1, 2.0));
  REQUIRE(decided(relu, 1, -1e-9, 0, 2.0));
}

TEST_CASE("RoundingIsPartOfTheBounds", "[AnytimeTest]")
{
  // Units that cancel to the last bits: sums of 1e8 leave errors of 1e-8.
  const auto network = TwoUnits(GBNNActivation::LOGISTIC, { { 1, 1 } },
      { 0, 0 }, { 1e8, 1e-12 });
  const gbnn::ExitBounds<arma::mat> bounds(network, 2, { 0, 1, 2 });
  const double tiny = 1e-8, clear = 1e-5;
  for (size_t check = 0; check < 3; ++check)
  {
    // No unit brings the score down, but rounding may.
    REQUIRE(!bounds.Decided(check, &tiny, 1, 0));
    REQUIRE(bounds.Decided(check, &clear, 1, 0));
  }
}

TEST_CASE("FewUnitsWhereClassesAreFarApart", "[AnytimeTest]")
{
  arma::mat data(2, 400, arma::fill::randn);
  arma::Row<size_t> labels(400);
  for (size_t i = 0; i < 400; ++i)
  {
    labels[i] = i % 2;
    data(0, i) += labels[i] ? 20 : -20;
  }
  GBNNClassifier<> model(data, labels, 2, 200);
  REQUIRE(RequireSameLabels(model, data) < 150);
}

TEMPLATE_TEST_CASE("ProbabilitiesAreThoseOfTheUnitsUsed", "[AnytimeTest]",
    arma::mat, arma::fmat)
{
  const Problem<TestType> problem(300, 3), fresh(1100, 3, 4);
  for (const size_t classes : { 2, 3 })
  {
    auto model = Trained(problem, classes, GBNNActivation::LOGISTIC, true);
    AnytimeClassifier anytime(model);
    anytime.Calibrate(fresh.data, 0.1);
    arma::Row<size_t> predictions, used, all;
    TestType probabilities, expected;
    anytime.Classify(fresh.data, predictions, probabilities, used);
    REQUIRE(used.min() < used.max());
    REQUIRE(arma::approx_equal(arma::sum(probabilities, 0),
        arma::Row<typename TestType::elem_type>(1100, arma::fill::ones),
        "absdiff", 1e-5));
    for (const size_t units : anytime.Checks())
    {
      model.ActiveUnits(units);
      model.Classify(fresh.data, all, expected);
      const arma::uvec these = arma::find(used == units);
      REQUIRE(SameBits(arma::Row<size_t>(predictions.cols(these)),
          arma::Row<size_t>(all.cols(these))));
      const TestType a = probabilities.cols(these), b = expected.cols(these);
      REQUIRE(Difference(a, b) <
          Tolerance<typename TestType::elem_type>);
      if (units == 60)
        REQUIRE(SameBits(a, b));
    }
  }
}

TEST_CASE("CalibratedRiskIsKept", "[AnytimeTest]")
{
  const Problem<arma::mat> problem(300, 3), fresh(20000, 3, 99);
  for (const size_t classes : { 2, 3 })
  {
    const auto model = Trained(problem, classes, GBNNActivation::LOGISTIC,
        true);
    arma::Row<size_t> expected, predictions, used;
    model.Classify(fresh.data, expected);
    const AnytimeClassifier certain(model);
    certain.Classify(fresh.data, predictions, used);
    const double certainUnits = MeanUnits(used);

    // With a confidence of 95 %, one of 20 may fail.
    size_t exceeded = 0;
    for (size_t repeat = 0; repeat < 20; ++repeat)
    {
      const Problem<arma::mat> other(1500, 3, 1000 + repeat);
      AnytimeClassifier anytime(model);
      const ExitCalibration found = anytime.Calibrate(other.data, 0.02);
      REQUIRE(found.points == 1125);
      REQUIRE(found.bound <= 0.02);
      REQUIRE(double(found.changed) / found.points < found.bound);
      REQUIRE(anytime.Calibration().changed == found.changed);
      anytime.Classify(fresh.data, predictions, used);
      exceeded += (arma::accu(predictions != expected) > 400);
      REQUIRE(arma::accu(predictions != expected) > 0);
      REQUIRE(MeanUnits(used) < 0.7 * certainUnits);
    }
    REQUIRE(exceeded <= 1);
  }
}

TEST_CASE("CalibrationCountsWhatPredictionDoes", "[AnytimeTest]")
{
  const Problem<arma::mat> problem(300, 3), other(1000, 3, 21);
  for (const size_t classes : { 2, 3 })
  {
    const auto model = Trained(problem, classes, GBNNActivation::TANH, false);
    AnytimeClassifier anytime(model);
    const ExitCalibration found = anytime.Calibrate(other.data, 0.05);
    arma::Row<size_t> expected, predictions, used;
    model.Classify(other.data, expected);
    anytime.Classify(other.data, predictions, used);
    size_t changed = 0;
    for (size_t i = 0; i < 1000; ++i)
      changed += (i % 4 != 0 && predictions[i] != expected[i]);
    REQUIRE(changed == found.changed);
  }
}

TEST_CASE("BinomialBoundsByHand", "[AnytimeTest]")
{
  REQUIRE(gbnn::BinomialCDF(0, 10, 0.1) == Approx(std::pow(0.9, 10)));
  REQUIRE(gbnn::BinomialCDF(1, 2, 0.5) == Approx(0.75));
  REQUIRE(gbnn::BinomialCDF(2, 2, 0.3) == Approx(1.0));
  // 1 - 0.05^(1 / 299); and the 95 % quantile of Beta(4, 7).
  REQUIRE(gbnn::BinomialBound(0, 299, 0.95) == Approx(0.0099690).epsilon(1e-4));
  REQUIRE(gbnn::BinomialBound(3, 10, 0.95) == Approx(0.6066242).epsilon(1e-5));
  // 299 points without a change tell that the share is at most 0.01.
  REQUIRE(AnytimeClassifier<>::PointsNeeded(0.01) == 299 + 100);
}

TEST_CASE("AnytimeDoesNotDependOnThreads", "[AnytimeTest]")
{
  const Problem<arma::mat> problem(300, 3), fresh(9000, 3, 4);
  const auto model = Trained(problem, 3, GBNNActivation::LOGISTIC, false);
  arma::Row<size_t> predictions[2], used[2];
  arma::mat probabilities[2];
  const int threads = omp_get_max_threads();
  for (size_t i = 0; i < 2; ++i)
  {
    omp_set_num_threads(i == 0 ? 1 : 4);
    AnytimeClassifier anytime(model);
    anytime.Calibrate(fresh.data.head_cols(2000), 0.02);
    anytime.Classify(fresh.data, predictions[i], probabilities[i], used[i]);
  }
  omp_set_num_threads(threads);
  REQUIRE(SameBits(predictions[0], predictions[1]));
  REQUIRE(SameBits(probabilities[0], probabilities[1]));
  REQUIRE(SameBits(used[0], used[1]));
}

TEST_CASE("AnytimeRefusesWhatItCannotDo", "[AnytimeTest]")
{
  GBNNClassifier<> untrained;
  REQUIRE_THROWS_WITH(AnytimeClassifier(untrained), Contains("not trained"));
  REQUIRE_THROWS_WITH(PredictionTime(untrained), Contains("not trained"));
  REQUIRE_THROWS_WITH(PredictionTime(GBNNRegressor<>()),
      Contains("not trained"));

  const Problem<arma::mat> problem(300, 3);
  const auto model = Trained(problem, 2, GBNNActivation::LOGISTIC, false);
  AnytimeClassifier anytime(model);
  arma::Row<size_t> predictions, used;
  REQUIRE_THROWS_WITH(anytime.Classify(arma::mat(2, 5), predictions, used),
      Contains("(2) does not match that of the model (3)"));
  REQUIRE_THROWS_WITH(anytime.Classify(arma::vec(4)), Contains("(4)"));
  arma::mat missing = problem.data;
  missing(1, 7) = arma::datum::nan;
  REQUIRE_THROWS_WITH(anytime.Classify(missing, predictions, used),
      Contains("NaN"));
  REQUIRE_THROWS_WITH(anytime.Calibrate(missing, 0.1), Contains("NaN"));
  for (const double bad : { 0.0, 1.0, -0.1, arma::datum::nan })
  {
    REQUIRE_THROWS_WITH(anytime.Calibrate(problem.data, bad),
        Contains("risk"));
    REQUIRE_THROWS_WITH(anytime.Calibrate(problem.data, 0.1, bad),
        Contains("confidence"));
  }
  REQUIRE_THROWS_WITH(anytime.Calibrate(problem.data, 0.01),
      Contains("300 points are too few") && Contains("at least 399"));
  // What failed changed nothing.
  REQUIRE(anytime.Calibration().risk == 0);
  RequireSameLabels(model, problem.data);
}

TEST_CASE("UnitsWithinATimeByHand", "[AnytimeTest]")
{
  const PredictionTime time(1.0, 0.5, 10);
  REQUIRE(time.Microseconds(4) == 3.0);
  REQUIRE(time.UnitsWithin(0.5) == 0);
  REQUIRE(time.UnitsWithin(1.0) == 0);
  REQUIRE(time.UnitsWithin(2.9) == 3);
  REQUIRE(time.UnitsWithin(3.0) == 4);
  REQUIRE(time.UnitsWithin(6.0) == 10);
  REQUIRE(time.UnitsWithin(1e9) == 10);
  // A line that does not rise.
  REQUIRE(PredictionTime(1.0, 0.0, 10).UnitsWithin(1.0) == 10);
  for (const double bad : { 0.0, -1.0, arma::datum::nan })
    REQUIRE_THROWS_WITH(time.UnitsWithin(bad), Contains("greater than 0"));
}

//! The line goes through times that are measured, whatever disturbs some.
TEST_CASE("TimesMakeALine", "[AnytimeTest]")
{
  size_t calls = 0;
  const PredictionTime time(300, [&](const size_t units)
  {
    // Four of nine repeats are disturbed, and all with 150 units.
    const bool disturbed = (++calls % 9 >= 5 || units == 150);
    return 2.0 + 0.25 * double(units) + (disturbed ? 1000.0 : 0.0);
  });
  REQUIRE(time.Units() == 300);
  REQUIRE(time.Microseconds(0) == Approx(2.0));
  REQUIRE(time.Microseconds(300) == Approx(77.0));
  REQUIRE(time.UnitsWithin(27.1) == 100);
  REQUIRE(calls == 63);

  // Times that fall with the units make a line that does not rise.
  const PredictionTime falling(10, [](const size_t units)
      { return 5.0 - 0.1 * double(units); });
  REQUIRE(falling.Microseconds(10) == falling.Microseconds(0));
  REQUIRE(PredictionTime(0, [](size_t) { return 3.0; }).Microseconds(0) == 3.0);
}

//! Models are measured; how long they take is not for a test to say.
TEMPLATE_TEST_CASE("TimesAreMeasured", "[AnytimeTest]", arma::mat, arma::fmat)
{
  const Problem<TestType> problem(100, 20);
  GBNNClassifier<TestType> classifier(problem.data, problem.threeLabels, 3, 30,
      3);
  const PredictionTime time(classifier);
  REQUIRE(time.Units() == 30);
  REQUIRE(std::isfinite(time.Microseconds(30)));
  REQUIRE(time.Microseconds(30) > 0);
  REQUIRE(UnitsForLatency(classifier, 1e9) == 30);
  REQUIRE(classifier.ActiveUnits() == 30);
}
