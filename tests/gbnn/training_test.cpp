/**
 * @file tests/gbnn/training_test.cpp
 *
 * How a model is trained: other optimizers, callbacks, other losses, weights,
 * in several goes, and always to the same bits.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

//! Adam and SGD find something too.
TEMPLATE_TEST_CASE("TrainWithOtherOptimizers", "[TrainingTest]", arma::mat,
    arma::fmat)
{
  using RowType = arma::Row<typename TestType::elem_type>;
  const Problem<TestType> problem(500, 3);
  arma::Row<size_t> predictions;
  // The larger class has about half of the points.
  const auto accuracy = [&](auto& optimizer)
  {
    GBNNClassifier<TestType> model(20, 4, 0.5, 1.0);
    model.Seed() = 3;
    model.Train(problem.data, problem.labels, 2, optimizer);
    model.Classify(problem.data, predictions);
    return arma::accu(predictions == problem.labels) / 500.0;
  };
  ens::Adam adam(0.02, 32, 0.9, 0.999, 1e-8, 500 * 40);
  REQUIRE(accuracy(adam) > 0.75);
  ens::StandardSGD sgd(0.02, 32, 500 * 60);
  REQUIRE(accuracy(sgd) > 0.7);

  GBNNRegressor<TestType> model(20, 4, 0.5, 1.0);
  model.Seed() = 3;
  model.Train(problem.data, problem.response, RowType(), adam);
  const std::vector<double>& losses = model.TrainingLosses();
  REQUIRE(losses.back() < 0.5 * losses.front());
}

//! Counts what ensmallen tells it.
struct CountingCallback
{
  size_t begins = 0, ends = 0, beginEpochs = 0, endEpochs = 0;
  size_t evaluations = 0, steps = 0;
  std::vector<double> objectives;
  std::vector<size_t> epochs, sizes;
  size_t stopAfter = 1000;

  template<typename OptimizerType, typename FunctionType, typename MatType>
  void BeginOptimization(OptimizerType&, FunctionType&, MatType&) { ++begins; }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  void EndOptimization(OptimizerType&, FunctionType&, MatType&) { ++ends; }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool BeginEpoch(OptimizerType&, FunctionType&, const MatType&, const size_t,
                  const double)
  {
    ++beginEpochs;
    return false;
  }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool EndEpoch(OptimizerType&, FunctionType&, const MatType& coordinates,
                const size_t epoch, const double objective)
  {
    epochs.push_back(epoch);
    objectives.push_back(objective);
    sizes.push_back(coordinates.n_elem);
    return ++endEpochs == stopAfter;
  }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool Evaluate(OptimizerType&, FunctionType&, const MatType&, const double)
  {
    ++evaluations;
    return false;
  }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType&, FunctionType&, MatType&)
  {
    ++steps;
    return false;
  }
};

//! A stage is an epoch to them; evaluations and steps are the stage's own.
TEST_CASE("TrainWithCallbacks", "[TrainingTest]")
{
  const Problem<arma::mat> problem(200, 3);
  GBNNClassifier<> model(10, 3, 0.2, 0.75), plain(10, 3, 0.2, 0.75);
  model.Seed() = plain.Seed() = 6;
  CountingCallback callback;
  model.Train(problem.data, problem.labels, 2, callback);
  REQUIRE(callback.begins == 1);
  REQUIRE(callback.ends == 1);
  REQUIRE(callback.beginEpochs == 4);
  REQUIRE(callback.endEpochs == 4);
  REQUIRE(callback.epochs == std::vector<size_t>({ 1, 2, 3, 4 }));
  // A network of 3, 6, 9 and 10 units: (3 + 1) inputs and 1 output a unit.
  REQUIRE(callback.sizes == std::vector<size_t>({ 16, 31, 46, 51 }));
  REQUIRE(callback.evaluations > 20);
  REQUIRE(callback.steps > 20);
  for (size_t t = 0; t < 4; ++t)
    REQUIRE(callback.objectives[t] == model.TrainingLosses()[t + 1]);

  // Watching changes nothing.
  plain.Train(problem.data, problem.labels, 2);
  REQUIRE(SameBits(plain.Boosted().Parameters(), model.Boosted().Parameters()));

  // A callback can end the training; what there is remains.
  CountingCallback stopping;
  stopping.stopAfter = 2;
  model.Train(problem.data, problem.labels, 2, stopping);
  REQUIRE(model.Stages() == 2);
  REQUIRE(model.ActiveUnits() == 6);
  REQUIRE(SameBits(model.Boosted().Parameters(), [&]()
      {
        GBNNClassifier<> small(6, 3, 0.2, 0.75);
        small.Seed() = 6;
        small.Train(problem.data, problem.labels, 2);
        return small.Boosted().Parameters();
      }()));

  // With an optimizer of the user, and for regression.
  GBNNRegressor<> regressor(10, 3, 0.2, 0.75);
  CountingCallback other;
  ens::Adam adam(0.01, 32, 0.9, 0.999, 1e-8, 200 * 5);
  regressor.Train(problem.data, problem.response, adam, other);
  REQUIRE(other.endEpochs == 4);
  REQUIRE(other.steps > 0);
}

TEST_CASE("TrainWithEnsmallensCallbacks", "[TrainingTest]")
{
  const Problem<arma::mat> train(300, 3, 1), validation(300, 3, 2);

  // Stop when the loss on other data has not fallen for five stages.  The
  // callback asks with the coordinates, which are the merged network.
  GBNNRegressor<> model(400, 1, 0.5, 0.5);
  model.Seed() = 3;
  double best = 1e100;
  ens::EarlyStopAtMinLossType<arma::mat> early(
      [&](const arma::mat& coordinates)
      {
        const size_t units = (coordinates.n_elem - 1) / 5;
        const arma::mat w1(coordinates.memptr(), units, 3);
        arma::mat hidden = w1 * validation.data;
        hidden.each_col() += coordinates.rows(3 * units, 4 * units - 1).eval()
            .as_col();
        hidden = 1 / (1 + arma::exp(-hidden));
        const arma::rowvec output = coordinates.rows(4 * units, 5 * units - 1)
            .t() * hidden + coordinates.back();
        const double loss = arma::mean(arma::square(output -
            validation.response));
        best = std::min(best, loss);
        return loss;
      }, 5);
  std::ostringstream log;
  model.Train(train.data, train.response, early, ens::PrintLoss(log));
  REQUIRE(model.Units() < 400);
  REQUIRE(model.Units() > 5);
  REQUIRE(!log.str().empty());
  arma::rowvec predictions;
  model.ActiveUnits(model.Units() - 5);
  model.Predict(validation.data, predictions);
  REQUIRE(arma::mean(arma::square(predictions - validation.response)) ==
      Approx(best).epsilon(1e-9));

  // No time at all is over after the first stage.
  model.Train(train.data, train.response, ens::TimerStop(0.0));
  REQUIRE(model.Units() <= 2);
  REQUIRE(model.Units() >= 1);
}

namespace {

//! sqrt(1 + (y - F)^2) - 1: quadratic in the middle, linear outside.
class PseudoHuberLoss : public SquaredErrorLoss
{
 public:
  template<typename MatType>
  void Residuals(const MatType& targets,
                 const MatType& scores,
                 MatType& residuals) const
  {
    const MatType e = targets - scores;
    residuals = e / arma::sqrt(1 + arma::square(e));
  }

  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Step(const MatType& targets,
                                              const MatType& /* scores */,
                                              const MatType& residuals,
                                              const MatType& h,
                                              const RowType& weights) const
  {
    // r = e / sqrt(1 + e^2) gives 1 / (1 + e^2)^(3/2) = (1 - r^2)^(3/2).
    return gbnn::NewtonStep(targets, residuals, h, weights,
        [](const double /* y */, const double r)
        {
          return std::pow(1 - r * r, 1.5);
        });
  }

  template<typename MatType, typename RowType>
  double Value(const MatType& targets,
               const MatType& scores,
               const RowType& weights) const
  {
    return gbnn::MeanOverPoints(targets.n_cols, weights,
        [&](const size_t i)
        {
          return arma::accu(arma::sqrt(1 + arma::square(targets.col(i) -
              scores.col(i))) - 1);
        });
  }
};

} // namespace

//! A loss that a user wrote: a few absurd responses do less harm.
TEST_CASE("TrainWithOwnLoss", "[TrainingTest]")
{
  Problem<arma::mat> problem(400, 3);
  const arma::rowvec clean = problem.response;
  for (size_t i = 0; i < 400; i += 20)
    problem.response[i] += 30;

  GBNNRegressor<arma::mat, PseudoHuberLoss> robust(40, 2, 0.3, 0.75);
  GBNNRegressor<> plain(40, 2, 0.3, 0.75);
  robust.Seed() = plain.Seed() = 8;
  robust.Train(problem.data, problem.response);
  plain.Train(problem.data, problem.response);
  arma::rowvec robustly, plainly;
  robust.Predict(problem.data, robustly);
  plain.Predict(problem.data, plainly);
  const double robustError = arma::mean(arma::abs(robustly - clean));
  REQUIRE(robustError < 0.5 * arma::mean(arma::abs(plainly - clean)));
  REQUIRE(robust.TrainingLosses().back() <
      0.6 * robust.TrainingLosses().front());
}

//! The same seed makes the same bits, another seed others; seed 0 leaves the
//! choice to mlpack's generator.
TEMPLATE_TEST_CASE("TrainingIsReproducible", "[TrainingTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> problem(300, 4);
  const auto parameters = [&](const size_t seed)
  {
    GBNNClassifier<TestType> model(12, 3, 0.1, 0.75);
    model.Seed() = seed;
    model.Train(problem.data, problem.threeLabels, 3);
    return model.Boosted().Parameters();
  };
  const TestType first = parameters(1);
  REQUIRE(SameBits(first, parameters(1)));
  REQUIRE(!SameBits(first, parameters(2)));

  RandomSeed(5);
  const TestType chosen = parameters(0);
  REQUIRE(!SameBits(chosen, parameters(0)));
  RandomSeed(5);
  REQUIRE(SameBits(chosen, parameters(0)));
}

//! One thread and two (or more) make the same bits, with so many points that
//! the work is cut into many pieces.
TEMPLATE_TEST_CASE("TrainingIgnoresThreads", "[TrainingTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> problem(20011, 6);
  REQUIRE(gbnn::Pieces(20011, 40).Count() > 4);
  const auto run = [&](const int threads)
  {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    GBNNClassifier<TestType> classifier(6, 2, 0.3, 0.9);
    classifier.Seed() = 4;
    classifier.Train(problem.data, problem.threeLabels, 3);
    GBNNRegressor<TestType> regressor(4, 2, 0.3, 1.0);
    regressor.Seed() = 4;
    regressor.Train(problem.data, problem.responses);
    TestType scores;
    classifier.Scores(problem.data, scores);
    const arma::rowvec staged = regressor.StagedRMSE(problem.data,
        problem.responses);
    omp_set_num_threads(before);
    return std::make_tuple(classifier.Boosted().Parameters(),
        regressor.Boosted().Parameters(), scores, staged,
        classifier.TrainingLosses());
  };
  const auto one = run(1);
  for (const int threads : { 2, 5 })
  {
    const auto many = run(threads);
    REQUIRE(SameBits(std::get<0>(one), std::get<0>(many)));
    REQUIRE(SameBits(std::get<1>(one), std::get<1>(many)));
    REQUIRE(SameBits(std::get<2>(one), std::get<2>(many)));
    REQUIRE(SameBits(std::get<3>(one), std::get<3>(many)));
    REQUIRE(std::get<4>(one) == std::get<4>(many));
  }
}

//! A point of weight 0 is absent, for every number of units.
TEST_CASE("TrainingWithoutWeightIsAbsent", "[TrainingTest]")
{
  const Problem<arma::mat> problem(200, 3);
  arma::rowvec weights(200, arma::fill::ones);
  weights.tail(60).zeros();
  for (const double subsample : { 1.0, 0.75 })
  {
    GBNNClassifier<> weighted(9, 3, 0.2, subsample), absent(weighted);
    weighted.Seed() = absent.Seed() = 3;
    weighted.Train(problem.data, problem.threeLabels, 3, weights);
    absent.Train(problem.data.head_cols(140), problem.threeLabels.head(140), 3);
    REQUIRE(Difference(weighted.Boosted().Parameters(),
        absent.Boosted().Parameters()) < 1e-9);
    REQUIRE(Difference(weighted.Boosted().OutputBias(),
        absent.Boosted().OutputBias()) < 1e-9);
    REQUIRE(weighted.TrainingLosses().back() ==
        Approx(absent.TrainingLosses().back()));
  }
}

//! Points that weigh nothing are the only ones with something left to fit.
TEST_CASE("TrainingWithNothingWeighedLeft", "[TrainingTest]")
{
  const Problem<arma::mat> problem(50, 2);
  arma::rowvec weights(50, arma::fill::ones), responses(50, arma::fill::ones);
  weights[7] = 0;
  responses[7] = 100;
  GBNNRegressor<> model(problem.data, responses, weights, 4, 2);
  arma::rowvec predictions;
  model.Predict(problem.data, predictions);
  REQUIRE(Difference(predictions, arma::rowvec(50, arma::fill::ones)) < 1e-12);
}

//! Weight 2 is the point twice.  Sums in another order differ in their last
//! bits, and the optimizer takes that further, so the network is well-behaved:
//! few units, L2, and an optimizer that converges.
TEST_CASE("TrainingWithWeightIsRepetition", "[TrainingTest]")
{
  const Problem<arma::mat> problem(150, 2);
  arma::rowvec weights(150, arma::fill::ones);
  weights.head(50).fill(2);
  const arma::mat data = arma::join_rows(problem.data,
      problem.data.head_cols(50));
  const arma::Row<size_t> labels = arma::join_rows(problem.labels,
      problem.labels.head(50));
  const arma::rowvec response = arma::join_rows(problem.response,
      problem.response.head(50));

  GBNNClassifier<> weighted(3, 1, 0.5, 1.0), repeated(weighted);
  weighted.Seed() = repeated.Seed() = 3;
  // With the L2 below, variable projection makes a first stage that fits next
  // to nothing here; the Newton step blows up its rounding errors, and these
  // losses differ by 8e-5.
  REQUIRE(weighted.Train(problem.data, problem.labels, 2, weights) ==
      Approx(repeated.Train(data, labels, 2)).epsilon(1e-6));
  weighted.L2() = repeated.L2() = 1;
  ens::L_BFGS lbfgs = StageOptimizer::DefaultLBFGS();
  REQUIRE(weighted.Train(problem.data, problem.labels, 2, weights, lbfgs) ==
      Approx(repeated.Train(data, labels, 2, lbfgs)).epsilon(1e-6));
  arma::mat a, b;
  weighted.Scores(problem.data, a);
  repeated.Scores(problem.data, b);
  REQUIRE(Difference(a, b) < 1e-4);
  // It does make a difference.
  repeated.Train(problem.data, problem.labels, 2);
  repeated.Scores(problem.data, b);
  REQUIRE(Difference(a, b) > 1e-2);

  GBNNRegressor<> weightedRegressor(3, 1, 0.5, 1.0);
  GBNNRegressor<> repeatedRegressor(weightedRegressor);
  weightedRegressor.Seed() = repeatedRegressor.Seed() = 3;
  weightedRegressor.L2() = repeatedRegressor.L2() = 1;
  weightedRegressor.Train(problem.data, problem.response, weights, lbfgs);
  repeatedRegressor.Train(data, response, lbfgs);
  weightedRegressor.Scores(problem.data, a);
  repeatedRegressor.Scores(problem.data, b);
  REQUIRE(Difference(a, b) < 1e-3);
}

//! 20 units and then 20 more are 40 units, bit for bit.
TEMPLATE_TEST_CASE("GrowIsTrainingOn", "[TrainingTest]", arma::mat, arma::fmat)
{
  const Problem<TestType> problem(300, 4);
  GBNNClassifier<TestType> whole(40, 2, 0.2, 0.75), parts(20, 2, 0.2, 0.75);
  whole.Seed() = parts.Seed() = 5;
  const double loss = whole.Train(problem.data, problem.threeLabels, 3);
  parts.Train(problem.data, problem.threeLabels, 3);
  REQUIRE(parts.Units() == 20);
  REQUIRE(parts.Grow(problem.data, problem.threeLabels, 20) == loss);
  REQUIRE(parts.Units() == 40);
  REQUIRE(parts.ActiveUnits() == 40);
  REQUIRE(parts.Stages() == 20);
  REQUIRE(SameBits(parts.Boosted().Parameters(),
      whole.Boosted().Parameters()));
  REQUIRE(SameBits(parts.Boosted().OutputBias(),
      whole.Boosted().OutputBias()));

  // Weighted, for regression, and when some units were off meanwhile.
  const arma::Row<typename TestType::elem_type> weights(300, arma::fill::randu);
  GBNNRegressor<TestType> first(40, 1, 0.2, 0.75), second(20, 1, 0.2, 0.75);
  first.Seed() = second.Seed() = 5;
  first.Train(problem.data, problem.response, weights);
  second.Train(problem.data, problem.response, weights);
  second.ActiveUnits(3);
  second.Grow(problem.data, problem.response, 20, weights);
  REQUIRE(SameBits(first.Boosted().Parameters(),
      second.Boosted().Parameters()));

  // With an optimizer of the user too.
  ens::L_BFGS lbfgs(5, 20);
  parts.Grow(problem.data, problem.threeLabels, 3, {}, lbfgs);
  REQUIRE(parts.Units() == 43);
}

//! The hyperparameters do what they say.
TEST_CASE("TrainingHyperparameters", "[TrainingTest]")
{
  const Problem<arma::mat> problem(200, 3);
  GBNNRegressor<> model(10, 2, 0.2, 1.0);
  model.Seed() = 1;
  const double loss = model.Train(problem.data, problem.response);
  const arma::mat parameters = model.Boosted().Parameters();

  // More L2 makes smaller weights.
  model.L2() = 100;
  model.Train(problem.data, problem.response);
  REQUIRE(arma::norm(model.Boosted().HiddenWeights()) < 0.5 *
      arma::norm(parameters.head_rows(30)));
  model.L2() = 1e-4;

  // Given to Train(), they stay.
  REQUIRE(model.Train(problem.data, problem.response, 20, 4, 0.5, 0.9) < loss);
  REQUIRE(model.HiddenUnits() == 20);
  REQUIRE(model.Stages() == 5);
  REQUIRE(model.LearningRate() == 0.5);
  REQUIRE(model.Subsample() == 0.9);
}

//! Weights that are shares of a whole are no smaller a reason to learn.
TEMPLATE_TEST_CASE("TrainingWithSmallWeights", "[TrainingTest]", arma::mat,
    arma::fmat)
{
  using RowType = arma::Row<typename TestType::elem_type>;
  const Problem<TestType> problem(200, 3);
  const RowType ones(200, arma::fill::ones);
  GBNNRegressor<TestType> regressor(12, 3);
  GBNNClassifier<TestType> classifier(12, 3);
  regressor.Seed() = classifier.Seed() = 3;
  const auto sameAs = [&](const RowType& weights, const RowType& small)
  {
    auto model = regressor, other = regressor;
    model.Train(problem.data, problem.response, weights);
    other.Train(problem.data, problem.response, small);
    REQUIRE(SameNetwork(model, other));
    model.Refine(problem.data, problem.response, weights);
    other.Refine(problem.data, problem.response, small);
    REQUIRE(model.RefinedIterations() > 0);
    REQUIRE(SameNetwork(model, other));
    auto modelOfClasses = classifier, otherOfClasses = classifier;
    modelOfClasses.ValidationFraction() = 0.2;
    otherOfClasses.ValidationFraction() = 0.2;
    modelOfClasses.Train(problem.data, problem.threeLabels, 3, weights);
    otherOfClasses.Train(problem.data, problem.threeLabels, 3, small);
    REQUIRE(SameNetwork(modelOfClasses, otherOfClasses));
  };
  sameAs(ones, ones / 256);
  sameAs(ones, RowType(200, arma::fill::value(
      std::numeric_limits<typename TestType::elem_type>::denorm_min())));
  // Half of the points count three times as much as the others, or not at all.
  RowType half = ones / 2;
  half.tail(100) *= 3;
  sameAs(half / 2, half / 64);
  RowType absent = ones;
  absent.tail(100).zeros();
  sameAs(absent, absent / 1024);

  // More than 1 stays: these are points several times.
  auto once = regressor, often = regressor;
  once.L2() = often.L2() = 100;
  once.Train(problem.data, problem.response, ones);
  often.Train(problem.data, problem.response, 4 * ones);
  REQUIRE(!SameNetwork(once, often));
}
