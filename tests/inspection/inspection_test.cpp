/**
 * @file tests/inspection/inspection_test.cpp
 *
 * Derivatives, importances and partial dependence.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <omp.h>

#include <mlpack/methods/gbnn/inspection/gbnn_inspection.hpp>

using namespace mlpack;

namespace {

//! What a model gives for some points: scores or predictions.
template<typename ModelType, typename MatType>
MatType Evaluate(const ModelType& model,
                 const MatType& data,
                 const GBNNOutput of)
{
  MatType result;
  if (of == GBNNOutput::SCORE)
    model.Scores(data, result);
  else
    gbnn::Predictions(model, data, result);
  return result;
}

//! The largest difference of the gradients to differences of values.
template<typename ModelType, typename MatType>
double GradientError(const ModelType& model,
                     const MatType& data,
                     const GBNNOutput of)
{
  using ElemType = typename MatType::elem_type;
  const ElemType step = std::is_same_v<ElemType, double> ? 1e-5 : 2e-3;
  arma::Cube<ElemType> gradients;
  InputGradient(model, data, gradients, of);
  double largest = 0;
  for (size_t d = 0; d < data.n_rows; ++d)
  {
    MatType up = data, down = data;
    up.row(d) += step;
    down.row(d) -= step;
    const MatType slope = (Evaluate(model, up, of) -
        Evaluate(model, down, of)) / (2 * step);
    if (gradients.n_cols != slope.n_rows)
      return arma::datum::inf;
    for (size_t i = 0; i < data.n_cols; ++i)
      for (size_t k = 0; k < slope.n_rows; ++k)
        largest = std::max(largest, std::abs(double(slope(k, i)) -
            gradients(d, k, i)));
  }
  return largest;
}

} // namespace

TEMPLATE_TEST_CASE("GradientsAreDerivatives", "[InspectionTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  const double tolerance = std::is_same_v<ElemType, double> ? 1e-7 : 5e-3;
  const Problem<TestType> problem(80, 3);
  for (const auto activation : { GBNNActivation::LOGISTIC,
      GBNNActivation::TANH })
  {
    for (const GBNNOutput of : { GBNNOutput::PREDICTION, GBNNOutput::SCORE })
    {
      GBNNClassifier<TestType> classifier(20, 2);
      classifier.Activation() = activation;
      classifier.Seed() = 5;
      classifier.Train(problem.data, problem.labels, 2);
      REQUIRE(GradientError(classifier, problem.data, of) < tolerance);
      classifier.ActiveUnits(7);
      REQUIRE(GradientError(classifier, problem.data, of) < tolerance);
      classifier.Train(problem.data, problem.threeLabels, 3);
      REQUIRE(GradientError(classifier, problem.data, of) < tolerance);

      GBNNRegressor<TestType> regressor(20, 2);
      regressor.Activation() = activation;
      regressor.Seed() = 5;
      regressor.Train(problem.data, problem.responses);
      REQUIRE(GradientError(regressor, problem.data, of) < tolerance);
      // Too few points to refine it: its cuts are scaled.
      regressor.Refinement().ValidationFraction() = 0.1;
      regressor.Refine(problem.data, problem.responses);
      regressor.ActiveUnits(7);
      REQUIRE(regressor.Boosted().CutScale(7) > 1);
      REQUIRE(GradientError(regressor, problem.data, of) < tolerance);
    }
  }
}

TEST_CASE("GradientOfRectifiersBetweenTheirBends", "[InspectionTest]")
{
  const Problem<arma::mat> problem(60, 2);
  GBNNRegressor<> model(10, 1);
  model.Activation() = GBNNActivation::RELU;
  model.Seed() = 2;
  model.Train(problem.data, problem.response);
  // Differences across a bend are no derivatives; there are few such points.
  arma::cube gradients;
  InputGradient(model, problem.data, gradients);
  size_t different = 0;
  for (size_t i = 0; i < problem.data.n_cols; ++i)
    different += GradientError(model, arma::mat(problem.data.col(i)),
        GBNNOutput::PREDICTION) > 1e-6;
  REQUIRE(different <= 2);
}

TEST_CASE("GradientOfAPoint", "[InspectionTest]")
{
  const Problem<arma::mat> problem(100, 3);
  GBNNClassifier<> model(problem.data, problem.threeLabels, 3, 12, 3);
  arma::cube gradients;
  InputGradient(model, problem.data, gradients);
  const arma::mat one = InputGradient(model, problem.data.col(4));
  REQUIRE(SameBits(one, arma::mat(gradients.slice(4))));
  // Probabilities add up to 1, so their derivatives do to 0.
  REQUIRE(arma::abs(arma::sum(one, 1)).max() < 1e-14);
  // Without units nothing depends on anything.
  model.ActiveUnits(0);
  InputGradient(model, problem.data, gradients);
  REQUIRE(arma::abs(gradients).max() == 0);
}

TEMPLATE_TEST_CASE("ImportanceFindsWhatMatters", "[InspectionTest]", arma::mat,
    arma::fmat)
{
  // Labels depend on the first two dimensions alone, responses too.
  const Problem<TestType> problem(400, 5);
  GBNNClassifier<TestType> classifier(problem.data, problem.labels, 2, 60);
  const Problem<TestType> other(400, 5, 8);
  arma::mat importance = FeatureImportance(classifier, other.data,
      other.labels);
  REQUIRE(importance.n_rows == 3);
  REQUIRE(importance.n_cols == 5);
  for (const size_t row : { 0, 2 })
  {
    REQUIRE(importance.row(row).head(2).min() >
        3 * importance.row(row).tail(3).max());
  }
  REQUIRE(importance.row(1).min() >= 0);

  GBNNRegressor<TestType> regressor(60);
  regressor.Train(problem.data, problem.responses);
  importance = FeatureImportance(regressor, other.data, other.responses);
  for (const size_t row : { 0, 2 })
  {
    REQUIRE(importance.row(row).head(2).min() >
        3 * importance.row(row).tail(3).max());
  }
}

TEST_CASE("ImportanceOfAConstantIsZero", "[InspectionTest]")
{
  Problem<arma::mat> problem(200, 3);
  problem.data.row(2).fill(0.7);
  GBNNClassifier<> model(problem.data, problem.labels, 2, 30);
  const arma::mat importance = FeatureImportance(model, problem.data,
      problem.labels);
  REQUIRE(importance(0, 2) == 0);
  REQUIRE(importance(1, 2) == 0);
  REQUIRE(importance(2, 2) == Approx(0).margin(1e-12));
}

TEST_CASE("ImportanceWorkedOutByHand", "[InspectionTest]")
{
  // Two points, so a shuffle swaps them or does nothing: each rise is 0 or the
  // loss of the swapped points, and the mean lies between.
  const arma::mat data = { { -1, 1 }, { 0.5, 0.5 } };
  const arma::rowvec responses = { 2, 6 };
  GBNNRegressor<> model(5, 1, 1.0, 1.0);
  model.Seed() = 3;
  model.Train(data, responses);
  arma::rowvec predictions;
  model.Predict(data, predictions);
  const auto loss = [&](const arma::rowvec& p)
  {
    return arma::accu(arma::square(p - responses)) / 4;
  };
  const double rise = loss(arma::reverse(predictions)) - loss(predictions);
  REQUIRE(rise > 1);
  const size_t repeats = 40;
  const arma::mat importance = PermutationImportance(model, data, responses,
      repeats, 9);
  const double swapped = importance(0, 0) / rise * repeats;
  REQUIRE(swapped == Approx(std::round(swapped)));
  REQUIRE(swapped > 8);
  REQUIRE(swapped < 32);
  const double share = swapped / repeats;
  REQUIRE(importance(1, 0) == Approx(rise * std::sqrt(share * (1 - share))));
  REQUIRE(importance(0, 1) == 0);
}

TEST_CASE("FeaturesOfSeveralRows", "[InspectionTest]")
{
  const Problem<arma::mat> problem(300, 4);
  GBNNClassifier<> model(problem.data, problem.labels, 2, 40);
  const arma::uvec features = { 0, 0, 1, 1 };
  const arma::mat grouped = FeatureImportance(model, problem.data,
      problem.labels, 5, 1, features);
  REQUIRE(grouped.n_cols == 2);
  const arma::mat single = FeatureImportance(model, problem.data,
      problem.labels);
  REQUIRE(grouped(2, 0) == Approx(single(2, 0) + single(2, 1)));
  // Shuffled together they keep to each other, so little is lost: the label
  // depends on their product.
  REQUIRE(grouped(0, 0) > 10 * std::abs(grouped(0, 1)));
}

TEST_CASE("ImportanceDoesNotDependOnThreads", "[InspectionTest]")
{
  const Problem<arma::mat> problem(3000, 4);
  GBNNClassifier<> model(problem.data, problem.threeLabels, 3, 30, 3);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const arma::mat one = FeatureImportance(model, problem.data,
      problem.threeLabels);
  omp_set_num_threads(3);
  const arma::mat three = FeatureImportance(model, problem.data,
      problem.threeLabels);
  omp_set_num_threads(threads);
  REQUIRE(SameBits(one, three));
  const arma::mat other = PermutationImportance(model, problem.data,
      problem.threeLabels, 5, 2);
  REQUIRE_FALSE(SameBits(arma::mat(one.head_rows(2)), other));
}

TEST_CASE("WeightsCountInImportance", "[InspectionTest]")
{
  const Problem<arma::mat> problem(200, 2);
  GBNNRegressor<> model(problem.data, problem.response, 30);
  const arma::rowvec weights(200, arma::fill::value(3.0));
  const arma::mat plain = PermutationImportance(model, problem.data,
      problem.response, 3, 4);
  const arma::mat weighted = PermutationImportance(model, problem.data,
      problem.response, 3, 4, arma::uvec(), weights);
  REQUIRE(Difference(plain, weighted) < 1e-12);

  // A point of weight 2 counts as two.
  arma::rowvec some(200, arma::fill::ones);
  some.head(70).fill(2);
  const arma::rowvec found = GradientImportance(model, problem.data,
      arma::uvec(), GBNNOutput::PREDICTION, some);
  REQUIRE(Difference(found, GradientImportance(model, arma::mat(
      arma::join_rows(problem.data, problem.data.head_cols(70))))) < 1e-12);
  REQUIRE(SameBits(arma::rowvec(FeatureImportance(model, problem.data,
      problem.response, 1, 4, arma::uvec(), some).row(2)), found));
  REQUIRE(Difference(found, GradientImportance(model, problem.data)) > 1e-6);
}

//! Names may be of any length, the table is not.
TEST_CASE("TableOfLongNames", "[InspectionTest]")
{
  TableEncoder encoder;
  encoder.Fit(arma::mat(2, 5, arma::fill::randu), gbnn::DatasetInfoType(2));
  encoder.Names({ std::string(1000000, 'x'), "\u00e9" });
  const std::string text = gbnn::ImportanceTable(encoder, { { 1, 2 }, { 3, 4 },
      { 5, 6 } }, "test data");
  REQUIRE(text.size() < 1000);
  REQUIRE_THAT(text, Contains("\n" + std::string(40, 'x') + "...             "
      "1") && Contains("\n\u00e9" + std::string(42 + 13, ' ') + "2"));
}

TEMPLATE_TEST_CASE("PartialDependenceIsAMean", "[InspectionTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  using RowType = arma::Row<ElemType>;
  const Problem<TestType> problem(150, 3);
  GBNNClassifier<TestType> model(problem.data, problem.threeLabels, 3, 20, 2);
  const RowType values = DependenceGrid<RowType>(problem.data.row(1), 7);
  REQUIRE(values.n_elem == 7);
  REQUIRE(values.front() == problem.data.row(1).min());
  REQUIRE(values.back() == problem.data.row(1).max());
  const TestType curve = PartialDependence(model, problem.data, 1, values);
  REQUIRE(curve.n_rows == 3);
  for (size_t v = 0; v < values.n_elem; ++v)
  {
    TestType changed = problem.data, probabilities;
    changed.row(1).fill(values[v]);
    arma::Row<size_t> labels;
    model.Classify(changed, labels, probabilities);
    REQUIRE(Difference(TestType(arma::mean(probabilities, 1)),
        TestType(curve.col(v))) < Tolerance<ElemType>);
  }
}

TEST_CASE("GridOfFewValues", "[InspectionTest]")
{
  const arma::rowvec few = { 1, 0, 1, 0, 0, 1 };
  REQUIRE(SameBits(DependenceGrid(few), arma::rowvec({ 0, 1 })));
  REQUIRE(DependenceGrid(arma::rowvec{ 4 }).n_elem == 1);
}

TEST_CASE("BadInputOfInspection", "[InspectionTest]")
{
  const Problem<arma::mat> problem(50, 3);
  GBNNClassifier<> model;
  arma::cube gradients;
  REQUIRE_THROWS_WITH(InputGradient(model, problem.data, gradients),
      Contains("not trained"));
  REQUIRE_THROWS_WITH(FeatureImportance(model, problem.data, problem.labels),
      Contains("not trained"));

  model.Train(problem.data, problem.labels, 2, 5);
  const arma::mat flat = problem.data.head_rows(2);
  REQUIRE_THROWS_WITH(InputGradient(model, flat, gradients), Contains("(2)") &&
      Contains("(3)"));
  REQUIRE_THROWS_WITH(FeatureImportance(model, problem.data,
      arma::Row<size_t>(problem.labels.head(9))), Contains("(9)") &&
      Contains("(50)"));
  REQUIRE_THROWS_WITH(FeatureImportance(model, problem.data,
      problem.threeLabels), Contains("label 2"));
  REQUIRE_THROWS_WITH(FeatureImportance(model, problem.data, problem.labels, 0),
      Contains("repeats (0)"));
  REQUIRE_THROWS_WITH(FeatureImportance(model, problem.data, problem.labels, 5,
      1, arma::uvec{ 0, 1 }), Contains("(2)") && Contains("(3)"));
  REQUIRE_THROWS_WITH(PartialDependence(model, problem.data, 3,
      arma::rowvec{ 1 }), Contains("less than 3"));
  const arma::mat none(3, 0);
  REQUIRE_THROWS_AS(PermutationImportance(model, none, arma::Row<size_t>()),
      std::invalid_argument);
  REQUIRE_THROWS_AS(GradientImportance(model, none), std::invalid_argument);
  REQUIRE_THROWS_WITH(GradientImportance(model, problem.data, arma::uvec(),
      GBNNOutput::PREDICTION, arma::rowvec{ 1, 2 }), Contains("weights (2)") &&
      Contains("(50)"));
  REQUIRE_THROWS_WITH(FeatureImportance(model, problem.data, problem.labels, 5,
      1, arma::uvec(), arma::rowvec{ 1, 2 }), Contains("weights (2)") &&
      Contains("(50)"));
  REQUIRE_THROWS_WITH(DependenceGrid(arma::rowvec()), Contains("no values"));

  GBNNRegressor<> regressor(5);
  regressor.Train(problem.data, problem.responses);
  REQUIRE_THROWS_WITH(FeatureImportance(regressor, problem.data,
      arma::mat(problem.response)), Contains("(1)") && Contains("(2)"));
}

TEST_CASE("StagedLossIsTheLoss", "[InspectionTest]")
{
  // More points than are done at a time.
  const Problem<arma::mat> problem(5000, 2);
  GBNNRegressor<> model(6, 3, 0.5, 1.0);
  model.Seed() = 1;
  const double final = model.Train(problem.data, problem.responses);
  const arma::rowvec loss = gbnn::StagedLoss(model, problem.data,
      problem.responses);
  REQUIRE(loss.n_elem == 7);
  REQUIRE(loss[6] == Approx(final).epsilon(1e-12));
  REQUIRE(loss[3] == Approx(model.TrainingLosses()[1]).epsilon(1e-12));
  REQUIRE(loss[0] == Approx(model.TrainingLosses()[0]).epsilon(1e-12));
}
