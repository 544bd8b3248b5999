/**
 * @file tests/gbnn/piecewise_inputs_test.cpp
 *
 * Models whose inputs are piecewise-linear.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <omp.h>

#include <mlpack/methods/gbnn/export/gbnn_portable.hpp>
#include <mlpack/methods/gbnn/inspection/gbnn_inspection.hpp>

using namespace mlpack;

namespace {

//! Points of which the third dimension has three values and the fourth is
//! constant.
template<typename MatType>
Problem<MatType> MixedProblem(const size_t points, const size_t seed = 7)
{
  Problem<MatType> problem(points, 5, seed);
  problem.data.row(2) = arma::round(arma::clamp(problem.data.row(2),
      typename MatType::elem_type(-1), typename MatType::elem_type(1)));
  problem.data.row(3).fill(2);
  return problem;
}

//! What to choose: bins, units, L2.
const GBNNChoices onlyBins = { true, false, false },
    onlyUnits = { false, true, false }, noL2 = { true, true, false },
    unitsAndL2 = { false, true, true }, nothing = { false, false, false };

//! A model with so many bins and units.
template<typename ModelType>
ModelType Piecewise(const size_t units,
                    const size_t perStage = 1,
                    const size_t bins = 8)
{
  ModelType model(units, perStage, 0.3);
  model.Bins() = bins;
  model.Seed() = 11;
  return model;
}

//! Save and load in one of cereal's formats.
template<typename OutputArchive, typename InputArchive, typename ModelType>
ModelType Reloaded(const ModelType& model)
{
  std::stringstream stream;
  {
    OutputArchive archive(stream);
    archive(cereal::make_nvp("model", model));
  }
  ModelType loaded;
  InputArchive archive(stream);
  archive(cereal::make_nvp("model", loaded));
  return loaded;
}

//! The scores of a model, worked out from its pieces.
template<typename ModelType, typename MatType>
MatType ScoresByHand(const ModelType& model, const MatType& data)
{
  const auto& network = model.Boosted();
  const size_t units = model.ActiveUnits();
  MatType pieces;
  model.Encoding().Transform(data, pieces);
  MatType scores(network.Outputs(), data.n_cols);
  scores.each_col() = network.OutputBias().col(units);
  for (size_t u = 0; u < units; ++u)
  {
    const MatType sums = network.HiddenWeights().col(u).t() * pieces +
        network.HiddenBias()[u];
    scores += network.OutputWeights().col(u) * (1 / (1 + arma::exp(-sums)));
  }
  return scores;
}

//! The largest difference of gradients to differences of predictions, by a step
//! that crosses no edge where there is room for it.
template<typename ModelType>
double GradientError(const ModelType& model, const arma::mat& data)
{
  const double step = 1e-5;
  arma::cube gradients;
  InputGradient(model, data, gradients);
  double largest = 0;
  size_t checked = 0;
  for (size_t d = 0; d < data.n_rows; ++d)
  {
    arma::mat up = data, down = data, above, below;
    up.row(d) += step;
    down.row(d) -= step;
    gbnn::Predictions(model, up, above);
    gbnn::Predictions(model, down, below);
    const arma::mat slope = (above - below) / (2 * step);
    for (size_t i = 0; i < data.n_cols; ++i)
    {
      if (arma::abs(model.Encoding().Edges(d) - data(d, i)).min() < 2 * step)
        continue;
      ++checked;
      for (size_t k = 0; k < slope.n_rows; ++k)
        largest = std::max(largest, std::abs(slope(k, i) -
            gradients(d, k, i)));
    }
  }
  REQUIRE(checked > data.n_cols);
  return largest;
}

} // namespace

TEMPLATE_TEST_CASE("PiecewiseClassifier", "[PiecewiseInputsTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  const Problem<TestType> problem = MixedProblem<TestType>(300);
  for (const size_t classes : { 2, 3 })
  {
    const arma::Row<size_t>& labels = (classes == 2) ? problem.labels :
        problem.threeLabels;
    auto model = Piecewise<GBNNClassifier<TestType>>(60, classes - 1);
    model.Train(problem.data, labels, classes);
    REQUIRE(model.Dimensionality() == 5);
    REQUIRE(model.Encoding().NumBins() == std::vector<size_t>{ 8, 8, 2, 0, 8 });
    REQUIRE(model.Boosted().Inputs() == 26);
    REQUIRE(model.Boosted().HiddenWeights().n_rows == 26);
    const arma::rowvec accuracy = model.StagedAccuracy(problem.data, labels);
    REQUIRE(accuracy[60] > 0.9);
    for (const size_t units : { 60, 13, 0 })
    {
      model.ActiveUnits(units);
      TestType scores, probabilities;
      arma::Row<size_t> predictions;
      model.Scores(problem.data, scores);
      REQUIRE(Difference(scores, ScoresByHand(model, problem.data)) <
          100 * Tolerance<ElemType>);
      model.Classify(problem.data, predictions, probabilities);
      REQUIRE(accuracy[units] == Approx(double(arma::accu(predictions ==
          labels)) / 300));
      // Point by point.
      for (size_t i = 0; i < 20; ++i)
      {
        size_t prediction;
        arma::Col<ElemType> point;
        model.Classify(problem.data.col(i), prediction, point);
        REQUIRE(prediction == predictions[i]);
        REQUIRE(Difference(point, arma::Col<ElemType>(probabilities.col(i))) <
            Tolerance<ElemType>);
      }
    }
  }
}

TEMPLATE_TEST_CASE("PiecewiseRegressor", "[PiecewiseInputsTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  // A sum of functions of one dimension each: one unit can be any of them.
  const Problem<TestType> problem = MixedProblem<TestType>(400),
      other = MixedProblem<TestType>(400, 8);
  auto model = Piecewise<GBNNRegressor<TestType>>(60, 3);
  model.Train(problem.data, problem.responses);
  TestType scores, predictions;
  model.Scores(problem.data, scores);
  REQUIRE(Difference(scores, ScoresByHand(model, problem.data)) <
      200 * Tolerance<ElemType>);
  model.Predict(other.data, predictions);
  const double error = arma::accu(arma::square(predictions.row(0) -
      other.responses.row(0))) / 400;
  REQUIRE(error < 0.25 * arma::var(other.response));

  // Linear again: the next training takes inputs as they are.
  model.Bins() = 0;
  model.Train(problem.data, problem.responses);
  REQUIRE(model.Encoding().Dimensionality() == 0);
  REQUIRE(model.Boosted().Inputs() == 5);
  auto linear = Piecewise<GBNNRegressor<TestType>>(60, 3, 0);
  linear.Train(problem.data, problem.responses);
  REQUIRE(SameNetwork(model, linear));
}

//! A dimension of two values is the same either way, up to a shift and a scale,
//! so this tells only that bins are found and nothing is mixed up.
TEST_CASE("PiecesOfDimensionsOfZerosAndOnes", "[PiecewiseInputsTest]")
{
  arma::mat data(3, 200, arma::fill::randu);
  data = arma::round(data);
  const arma::rowvec responses = data.row(0) % data.row(1) - 2 * data.row(2);
  auto model = Piecewise<GBNNRegressor<>>(30, 3);
  model.Train(data, responses);
  REQUIRE(model.Boosted().Inputs() == 3);
  arma::rowvec predictions;
  model.Predict(data, predictions);
  REQUIRE(Difference(predictions, responses) < 0.1);
}

//! Where all dimensions are constant, there is nothing to encode.
TEST_CASE("PiecesOfConstants", "[PiecewiseInputsTest]")
{
  const arma::mat data(2, 40, arma::fill::ones);
  arma::rowvec responses(40, arma::fill::randu);
  auto model = Piecewise<GBNNRegressor<>>(4);
  model.Train(data, responses);
  REQUIRE(model.Encoding().Dimensionality() == 0);
  arma::rowvec predictions;
  model.Predict(data, predictions);
  REQUIRE(predictions[0] == Approx(arma::mean(responses)));
}

//! A value beyond those of training is the nearest of them.
TEST_CASE("BeyondTheRangeNothingChanges", "[PiecewiseInputsTest]")
{
  const Problem<arma::mat> problem(200, 3);
  auto model = Piecewise<GBNNRegressor<>>(30, 3);
  model.Train(problem.data, problem.response);
  arma::mat far = problem.data, edge = problem.data;
  far.row(1).fill(1e6);
  edge.row(1).fill(problem.data.row(1).max());
  arma::rowvec predictions, expected;
  model.Predict(far, predictions);
  model.Predict(edge, expected);
  REQUIRE(SameBits(predictions, expected));
  arma::cube gradients;
  InputGradient(model, far, gradients);
  REQUIRE(arma::abs(gradients.row(1)).max() == 0);
}

TEST_CASE("BadNumbersOfBins", "[PiecewiseInputsTest]")
{
  const Problem<arma::mat> problem(50, 2);
  auto model = Piecewise<GBNNRegressor<>>(4, 1, 257);
  REQUIRE_THROWS_WITH(model.Train(problem.data, problem.response),
      Contains("257") && Contains("256"));
  REQUIRE(!model.IsTrained());
}

//! Points of weight 0 are as good as absent, also from the edges.
TEST_CASE("EdgesIgnorePointsWithoutWeight", "[PiecewiseInputsTest]")
{
  Problem<arma::mat> problem(200, 3);
  arma::rowvec weights(200, arma::fill::ones);
  weights.tail(50).zeros();
  problem.data.tail_cols(50) *= 100;
  auto model = Piecewise<GBNNClassifier<>>(10);
  model.Train(problem.data, problem.labels, 2, weights);
  auto without = Piecewise<GBNNClassifier<>>(10);
  without.Train(arma::mat(problem.data.head_cols(150)),
      arma::Row<size_t>(problem.labels.head(150)), 2);
  for (size_t i = 0; i < 3; ++i)
    REQUIRE(SameBits(model.Encoding().Edges(i), without.Encoding().Edges(i)));
}

TEMPLATE_TEST_CASE("SerializePiecewiseModels", "[PiecewiseInputsTest]",
    arma::mat, arma::fmat)
{
  const Problem<TestType> problem = MixedProblem<TestType>(150);
  auto model = Piecewise<GBNNClassifier<TestType>>(12, 3);
  model.Train(problem.data, problem.threeLabels, 3);
  model.ActiveUnits(9);
  TestType expected, probabilities;
  arma::Row<size_t> labels, predictions;
  model.Classify(problem.data, labels, expected);
  const auto check = [&](const auto& loaded, const bool binary)
  {
    REQUIRE(loaded.Bins() == 8);
    REQUIRE(loaded.Encoding().NumBins() == model.Encoding().NumBins());
    loaded.Classify(problem.data, predictions, probabilities);
    REQUIRE(Difference(probabilities, expected) < (binary ? 1e-300 : 1e-5));
    if (binary)
      REQUIRE(SameNetwork(loaded, model));
  };
  check(Reloaded<cereal::BinaryOutputArchive, cereal::BinaryInputArchive>(
      model), true);
  check(Reloaded<cereal::JSONOutputArchive, cereal::JSONInputArchive>(model),
      false);
  check(Reloaded<cereal::XMLOutputArchive, cereal::XMLInputArchive>(model),
      false);

  auto regressor = Piecewise<GBNNRegressor<TestType>>(12, 3);
  regressor.Train(problem.data, problem.responses);
  const auto loaded = Reloaded<cereal::BinaryOutputArchive,
      cereal::BinaryInputArchive>(regressor);
  TestType scores;
  regressor.Predict(problem.data, expected);
  loaded.Predict(problem.data, scores);
  REQUIRE(SameBits(scores, expected));
}

//! Growing goes on with the encoding there is, whatever Bins() says.
TEMPLATE_TEST_CASE("GrowKeepsTheEncoding", "[PiecewiseInputsTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> problem = MixedProblem<TestType>(200);
  auto all = Piecewise<GBNNClassifier<TestType>>(20);
  auto grown = Piecewise<GBNNClassifier<TestType>>(12);
  all.Train(problem.data, problem.labels, 2);
  grown.Train(problem.data, problem.labels, 2);
  grown.Bins() = 0;
  grown.Grow(problem.data, problem.labels, 8);
  REQUIRE(SameNetwork(grown, all));
  REQUIRE(grown.Encoding().NumBins() == all.Encoding().NumBins());

  // On other data, edges stay where they are.
  const Problem<TestType> other(100, 5, 9);
  grown.Bins() = 3;
  grown.Grow(TestType(other.data * 5), other.labels, 4);
  REQUIRE(grown.Units() == 24);
  for (size_t i = 0; i < 5; ++i)
    REQUIRE(SameBits(grown.Encoding().Edges(i), all.Encoding().Edges(i)));

  // And a linear model stays linear.
  auto linear = Piecewise<GBNNClassifier<TestType>>(5, 1, 0);
  linear.Train(problem.data, problem.labels, 2);
  linear.Bins() = 8;
  linear.Grow(problem.data, problem.labels, 5);
  REQUIRE(linear.Encoding().Dimensionality() == 0);
  REQUIRE(linear.Boosted().Inputs() == 5);
}

TEST_CASE("PiecewiseModelsDoNotDependOnThreads", "[PiecewiseInputsTest]")
{
  const Problem<arma::mat> problem = MixedProblem<arma::mat>(3000);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  auto one = Piecewise<GBNNClassifier<>>(12, 3);
  one.Train(problem.data, problem.threeLabels, 3);
  omp_set_num_threads(3);
  auto three = Piecewise<GBNNClassifier<>>(12, 3);
  three.Train(problem.data, problem.threeLabels, 3);
  omp_set_num_threads(threads);
  REQUIRE(SameNetwork(one, three));
}

TEMPLATE_TEST_CASE("PiecewiseEarlyExitIsCertain", "[PiecewiseInputsTest]",
    arma::mat, arma::fmat)
{
  const Problem<TestType> problem = MixedProblem<TestType>(300),
      other = MixedProblem<TestType>(300, 9);
  for (const size_t classes : { 2, 3 })
  {
    for (const auto activation : { GBNNActivation::LOGISTIC,
        GBNNActivation::TANH, GBNNActivation::RELU })
    {
      auto model = Piecewise<GBNNClassifier<TestType>>(60, classes - 1);
      model.Activation() = activation;
      model.Train(problem.data, (classes == 2) ? problem.labels :
          problem.threeLabels, classes);
      const AnytimeClassifier anytime(model);
      arma::Row<size_t> expected, predictions, used;
      anytime.Classify(other.data, predictions, used);
      if (activation != GBNNActivation::RELU)
        REQUIRE(arma::accu(used) < 60 * 300);
      for (const double scale : { 1.0, 30.0, 0.01 })
      {
        const TestType data = other.data * scale;
        model.Classify(data, expected);
        anytime.Classify(data, predictions, used);
        REQUIRE(SameBits(predictions, expected));
        size_t different = 0;
        for (size_t i = 0; i < data.n_cols; ++i)
        {
          size_t units;
          different += anytime.Classify(data.col(i), units) != expected[i] ||
              units > 60;
        }
        REQUIRE(different == 0);
      }
    }
  }
}

//! The points to stop early with are encoded as those to train on.
TEST_CASE("PiecewiseValidation", "[PiecewiseInputsTest]")
{
  const Problem<arma::mat> problem = MixedProblem<arma::mat>(200),
      other = MixedProblem<arma::mat>(200, 9);
  auto all = Piecewise<GBNNClassifier<>>(40);
  all.Train(problem.data, problem.labels, 2);
  auto model = Piecewise<GBNNClassifier<>>(40);
  model.Patience() = 0;
  model.Train(problem.data, problem.labels, 2, GBNNValidation(other.data,
      other.labels));
  REQUIRE(model.ValidationLosses().size() == 41);
  const arma::mat targets = all.Targets("test", other.labels);
  for (const size_t units : { 1, 20, 40 })
  {
    all.ActiveUnits(units);
    arma::mat scores;
    all.Scores(other.data, scores);
    REQUIRE(model.ValidationLosses()[units] == Approx(all.Loss().Value(targets,
        scores, arma::rowvec())));
  }

  // A share of the training data, too; all of it has made the edges.
  auto share = Piecewise<GBNNRegressor<>>(30, 3);
  share.ValidationFraction() = 0.25;
  share.Train(problem.data, problem.responses);
  REQUIRE(share.ValidationLosses().size() > 1);
  REQUIRE(share.ValidationLosses().back() < share.ValidationLosses().front());
}

TEST_CASE("GradientsOfPieces", "[PiecewiseInputsTest]")
{
  const Problem<arma::mat> problem = MixedProblem<arma::mat>(120);
  arma::mat points = MixedProblem<arma::mat>(60, 9).data;
  // No edge is there.
  points.row(2) += 0.123;
  auto classifier = Piecewise<GBNNClassifier<>>(20, 2);
  classifier.Train(problem.data, problem.labels, 2);
  REQUIRE(GradientError(classifier, points) < 1e-6);
  classifier.ActiveUnits(7);
  REQUIRE(GradientError(classifier, points) < 1e-6);
  classifier.Train(problem.data, problem.threeLabels, 3);
  REQUIRE(GradientError(classifier, points) < 1e-6);
  auto regressor = Piecewise<GBNNRegressor<>>(20, 2);
  regressor.Train(problem.data, problem.responses);
  REQUIRE(GradientError(regressor, points) < 1e-6);

  // Just below the last edge, a position is rounded to that edge.
  arma::mat corner(5, 1);
  for (size_t i = 0; i < 5; ++i)
    corner(i, 0) = std::nextafter(regressor.Encoding().Edges(i).back(), -1e9);
  REQUIRE(regressor.Encoding().Position(corner[0], 0) == 8);
  arma::cube gradients;
  InputGradient(regressor, corner, gradients);
  REQUIRE(gradients.is_finite());
  REQUIRE(std::abs(gradients(0, 0, 0)) > 0);
  REQUIRE(gradients(3, 0, 0) == 0);
}

TEMPLATE_TEST_CASE("ImportancesOfPieces", "[PiecewiseInputsTest]", arma::mat,
    arma::fmat)
{
  // Labels depend on the first two dimensions alone; the fourth is constant.
  const Problem<TestType> problem = MixedProblem<TestType>(400),
      other = MixedProblem<TestType>(400, 8);
  auto model = Piecewise<GBNNClassifier<TestType>>(40);
  model.Train(problem.data, problem.labels, 2);
  const arma::mat importance = FeatureImportance(model, other.data,
      other.labels);
  REQUIRE(importance.n_cols == 5);
  REQUIRE(importance.row(0).head(2).min() >
      2 * importance.row(0).tail(3).max());
  REQUIRE(importance(0, 3) == 0);
  REQUIRE(importance(2, 3) == 0);
}

TEST_CASE("DependenceOnPieces", "[PiecewiseInputsTest]")
{
  const Problem<arma::mat> problem = MixedProblem<arma::mat>(150);
  auto model = Piecewise<GBNNRegressor<>>(20, 2);
  model.Train(problem.data, problem.responses);
  const arma::mat values = { { -1, 0.5, 9 } };
  const arma::mat dependence = PartialDependence(model, problem.data,
      arma::uvec{ 1 }, values);
  for (size_t v = 0; v < 3; ++v)
  {
    arma::mat data = problem.data, predictions;
    data.row(1).fill(values[v]);
    model.Predict(data, predictions);
    REQUIRE(Difference(arma::vec(dependence.col(v)),
        arma::vec(arma::mean(predictions, 1))) < 1e-12);
  }
}

//! Refinement and bins go together, for classes and for responses.
TEST_CASE("RefinePiecewiseModels", "[PiecewiseInputsTest]")
{
  const Problem<arma::mat> problem = MixedProblem<arma::mat>(300);
  auto classifier = Piecewise<GBNNClassifier<>>(20);
  classifier.Train(problem.data, problem.labels, 2);
  classifier.Refine(problem.data, problem.labels);
  arma::mat scores;
  classifier.Scores(problem.data, scores);
  REQUIRE(Difference(scores, ScoresByHand(classifier, problem.data)) < 1e-10);
  auto regressor = Piecewise<GBNNRegressor<>>(21, 3);
  regressor.Train(problem.data, problem.response);
  regressor.Refine(problem.data, problem.response);
  regressor.Scores(problem.data, scores);
  REQUIRE(Difference(scores, ScoresByHand(regressor, problem.data)) < 1e-9);
}

//! The network takes pieces.
TEST_CASE("NetworkOfPieces", "[PiecewiseInputsTest]")
{
  const Problem<arma::mat> problem = MixedProblem<arma::mat>(150);
  auto model = Piecewise<GBNNRegressor<>>(20, 2);
  model.Train(problem.data, problem.responses);
  model.ActiveUnits(11);
  arma::mat pieces, output, predictions;
  model.Encoding().Transform(problem.data, pieces);
  auto network = model.Network();
  network.Predict(pieces, output);
  model.Predict(problem.data, predictions);
  REQUIRE(Difference(output, predictions) < 1e-11);
}

TEMPLATE_TEST_CASE("PortablePiecewiseModels", "[PiecewiseInputsTest]",
    arma::mat, arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  const Problem<TestType> problem = MixedProblem<TestType>(150);
  auto model = Piecewise<GBNNRegressor<TestType>>(20, 2);
  model.Train(problem.data, problem.responses);
  for (const size_t units : { 20, 5 })
  {
    model.ActiveUnits(units);
    const PortableGBNN portable(model);
    REQUIRE(portable.Columns() == 5);
    REQUIRE(portable.Inputs() == 5);
    REQUIRE(portable.NetworkInputs() == 26);
    // By hand: shares of bins from 0 to 1.
    arma::mat shares(26, 150);
    for (size_t i = 0, b = 0; i < 5; ++i)
    {
      const arma::rowvec x = arma::conv_to<arma::rowvec>::from(
          problem.data.row(i));
      const arma::vec& e = portable.edges[i];
      for (size_t k = 0; k + 1 < e.n_elem; ++k, ++b)
        shares.row(b) = arma::clamp((x - e[k]) / (e[k + 1] - e[k]), 0.0, 1.0);
    }
    arma::mat hidden = portable.hiddenWeights.t() * shares;
    hidden.each_col() += portable.hiddenBias;
    arma::mat scores = portable.outputWeights * (1 / (1 + arma::exp(-hidden)));
    scores.each_col() += portable.outputBias;
    TestType predictions;
    model.Predict(problem.data, predictions);
    REQUIRE(Difference(scores, predictions) < 100 * Tolerance<ElemType>);
  }
}

//! A jump, which linear inputs cannot have.
TEST_CASE("ChooseWhereThereIsAJump", "[PiecewiseInputsTest]")
{
  Problem<arma::mat> problem(300, 5, 7);
  const arma::rowvec responses = arma::conv_to<arma::rowvec>::from(
      problem.data.row(0) > 0.3) + arma::conv_to<arma::rowvec>::from(
      problem.data.row(1) > -0.2);
  GBNNRegressor<> model(40, 1, 0.3);
  model.Seed() = 11;
  const GBNNEncodingChoice choice = model.Choose(onlyBins,
      problem.data, responses);
  REQUIRE(choice.candidates.size() == 3);
  REQUIRE(choice.candidates[0].bins == 0);
  REQUIRE(choice.bins > 0);
  REQUIRE(choice.bins == choice.candidates[1].bins);
  REQUIRE(choice.candidates[1].loss < choice.candidates[0].loss);
  // Only the better number of bins had all units.
  REQUIRE(choice.candidates[1].units == 40);
  REQUIRE(choice.candidates[2].units == 10);
  REQUIRE(model.Bins() == choice.bins);
}

//! Where there is only noise, few units; where there is more to learn, more.
TEST_CASE("ChooseUnits", "[PiecewiseInputsTest]")
{
  Problem<arma::mat> problem(600, 3, 7);
  arma::arma_rng::set_seed(3);
  const arma::rowvec noise(600, arma::fill::randn);
  const arma::rowvec wave = arma::sin(3 * problem.data.row(0)) +
      arma::cos(2 * problem.data.row(1)) % problem.data.row(2);
  GBNNRegressor<> model(64, 2);
  model.Seed() = 11;
  const GBNNEncodingChoice few = model.Choose(noL2, problem.data,
      noise);
  // Noise doubles them once in six times.
  REQUIRE(few.units <= 8);
  REQUIRE(model.HiddenUnits() == few.units);
  model.Train(problem.data, noise);
  REQUIRE(model.Units() == few.units);

  model.HiddenUnits() = 64;
  const GBNNEncodingChoice many = model.Choose(onlyUnits, problem.data,
      wave);
  REQUIRE(many.candidates.size() == 1);
  REQUIRE(many.units >= 32);
  REQUIRE(model.HiddenUnits() == many.units);

  // Inputs stay as they were set.
  GBNNRegressor<> pieces(64, 2);
  pieces.Bins() = 5;
  const GBNNEncodingChoice fixed = pieces.Choose(onlyUnits, problem.data,
      wave);
  REQUIRE(fixed.bins == 5);
  REQUIRE(pieces.Bins() == 5);
}

//! Strong regularization where there is only noise, weak where there is none.
TEST_CASE("ChooseL2", "[PiecewiseInputsTest]")
{
  const auto choose = [](const bool isNoise,
                         const GBNNChoices& choices,
                         const double l2)
  {
    Problem<arma::mat> problem(isNoise ? 150 : 600, isNoise ? 20 : 3, 7);
    arma::arma_rng::set_seed(3);
    const arma::rowvec responses = isNoise ?
        arma::rowvec(150, arma::fill::randn) : arma::rowvec(
        arma::sin(3 * problem.data.row(0)) + problem.data.row(1));
    GBNNRegressor<> model(64, 2);
    model.Seed() = 11;
    model.L2() = l2;
    const GBNNEncodingChoice choice = model.Choose(choices, problem.data,
        responses);
    REQUIRE(model.L2() == choice.l2);
    return choice;
  };
  const GBNNEncodingChoice strong = choose(true, unitsAndL2, 0.01);
  REQUIRE(strong.l2 == 10);
  REQUIRE(strong.candidates.size() == 2);
  REQUIRE(strong.candidates[0].l2 == 10);
  REQUIRE(strong.candidates[1].l2 == 0.01);
  REQUIRE(strong.candidates[0].loss < strong.candidates[1].loss);
  REQUIRE(choose(false, unitsAndL2, 0.01).l2 == 0.01);

  // The model's own L2 is the weak one, unless it is strong already.
  REQUIRE(choose(false, GBNNChoices(), 0.5).l2 == 0.5);
  const GBNNEncodingChoice stronger = choose(true, unitsAndL2, 20);
  REQUIRE(stronger.l2 == 20);
  REQUIRE(stronger.candidates.size() == 1);
  // It stays if it is not to be chosen.
  REQUIRE(choose(true, noL2, 0.01).l2 == 0.01);
}

//! Probabilities closer to 1 than 1 - 1/n need no more units, nor refinement.
TEST_CASE("ChooseForSeparableClasses", "[PiecewiseInputsTest]")
{
  Problem<arma::mat> problem(600, 3, 7);
  problem.data.row(0) += 20 * arma::conv_to<arma::rowvec>::from(problem.labels);
  GBNNClassifier<> model(400, 2);
  model.Seed() = 11;
  const GBNNEncodingChoice choice = model.Choose(onlyUnits, problem.data,
      problem.labels, 2);
  REQUIRE(choice.candidates.size() == 1);
  REQUIRE(choice.candidates[0].loss < 1.0 / 600);
  REQUIRE(choice.units < 400);
  model.Train(problem.data, problem.labels, 2);
  model.Refine(problem.data, problem.labels);
  REQUIRE(model.RefinedIterations() == 0);
  const arma::rowvec accuracy = model.StagedAccuracy(problem.data,
      problem.labels);
  REQUIRE(accuracy[accuracy.n_elem - 1] == 1);
}

//! How far to refine was found out with all units.  If early stopping keeps
//! fewer, it is found out anew.
TEST_CASE("ChooseThenStopEarly", "[PiecewiseInputsTest]")
{
  const Problem<arma::mat> problem(400, 3, 7);
  const auto train = [&](const bool choose)
  {
    GBNNClassifier<> model(60, 1, 1.0);
    model.Seed() = 13;
    model.Patience() = 3;
    model.Refinement().Iterations() = 100;
    if (choose)
      model.Choose(nothing, problem.data, problem.labels, 2);
    model.ValidationFraction() = 0.3;
    model.Train(problem.data, problem.labels, 2);
    model.Refine(problem.data, problem.labels);
    return model;
  };
  const GBNNClassifier<> planned = train(true), anew = train(false);
  REQUIRE(anew.Units() < 60);
  // The plan for 60 units is none at all; that for so few of them is 50.
  REQUIRE(planned.RefinedIterations() == anew.RefinedIterations());
  REQUIRE(arma::approx_equal(planned.Boosted().Parameters(),
      anew.Boosted().Parameters(), "absdiff", 0));
}

//! What was chosen is for one training; the next one is a new one.
TEST_CASE("ChooseForOneTraining", "[PiecewiseInputsTest]")
{
  const Problem<arma::mat> problem(200, 3, 7);
  GBNNRegressor<> model(20, 2);
  model.Choose(onlyUnits, problem.data, problem.response);
  std::set<size_t> seeds;
  for (size_t i = 0; i < 3; ++i)
  {
    model.Train(problem.data, problem.response);
    seeds.insert(model.TrainedSeed());
  }
  REQUIRE(seeds.size() == 3);
  // Its refinement is planned anew, too.
  GBNNRegressor<> other(model.HiddenUnits(), 2);
  other.Seed() = model.TrainedSeed();
  other.Train(problem.data, problem.response);
  other.Refine(problem.data, problem.response);
  model.Refine(problem.data, problem.response);
  REQUIRE(SameBits(model.Boosted().Parameters(), other.Boosted().Parameters()));
}

//! What was planned for other settings is planned anew.
TEST_CASE("ChooseThenChangeSettings", "[PiecewiseInputsTest]")
{
  const Problem<arma::mat> problem(400, 3, 7);
  const auto train = [&](const bool choose, const auto& change)
  {
    GBNNRegressor<> model(20, 2);
    model.Seed() = 13;
    model.Refinement().Iterations() = 100;
    if (choose)
      model.Choose(onlyBins, problem.data, problem.response);
    model.Bins() = 0;
    model.L2() = 0.01;
    change(model);
    model.Train(problem.data, problem.response);
    model.Refine(problem.data, problem.response);
    return model;
  };
  const auto check = [&](const auto& change)
  {
    const GBNNRegressor<> planned = train(true, change);
    const GBNNRegressor<> anew = train(false, change);
    REQUIRE(planned.RefinedIterations() == anew.RefinedIterations());
    REQUIRE(SameBits(planned.Boosted().Parameters(),
        anew.Boosted().Parameters()));
  };
  check([](auto& model) { model.Refinement().RoundIterations() = 60; });
  check([](auto& model) { model.Refinement().Cuts() = 2; });
  check([](auto& model) { model.Bins() = 3; });
  check([](auto& model) { model.L2() = 5; });
}

TEST_CASE("ChooseWithFewUnits", "[PiecewiseInputsTest]")
{
  const Problem<arma::mat> problem = MixedProblem<arma::mat>(200);
  for (size_t units = 1; units <= 9; ++units)
  {
    for (size_t perStage = 1; perStage <= std::min<size_t>(3, units);
        ++perStage)
    {
      GBNNClassifier<> model(units, perStage, 0.3);
      model.Seed() = 11;
      const GBNNEncodingChoice choice = model.Choose(onlyBins,
          problem.data, problem.labels, 2);
      REQUIRE(choice.candidates.size() >= 2);
      for (const GBNNEncodingChoice::Candidate& candidate : choice.candidates)
      {
        REQUIRE(std::isfinite(candidate.loss));
        // Whole stages, at least one.
        REQUIRE(candidate.units >= perStage);
        REQUIRE((candidate.units % perStage == 0 || candidate.units == units));
      }
      model.Train(problem.data, problem.labels, 2);
      REQUIRE(model.Units() == units);
    }
  }
}

TEST_CASE("ChooseOfDimensionsOfZerosAndOnes", "[PiecewiseInputsTest]")
{
  Problem<arma::mat> problem(200, 5, 7);
  problem.data.transform([](const double x) { return double(x > 0); });
  GBNNClassifier<> model(9, 1, 0.3);
  const GBNNEncodingChoice choice = model.Choose(onlyBins, problem.data,
      problem.labels, 2);
  REQUIRE(choice.bins == 0);
  REQUIRE(choice.candidates.size() == 1);
  // Too few points to hold any out.
  const GBNNEncodingChoice none = model.Choose(onlyBins,
      arma::mat(problem.data.cols(0, 19)),
      arma::Row<size_t>(problem.labels.cols(0, 19)), 2);
  REQUIRE(none.bins == 0);
  REQUIRE(none.candidates.empty());
}
