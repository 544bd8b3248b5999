/**
 * @file tests/gbnn/loss_training_test.cpp
 *
 * What training with the losses for regression beside the squared error does.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

namespace {

//! Responses whose spread grows with the first coordinate, with mean 0.
template<typename MatType>
arma::Row<typename MatType::elem_type> Heteroscedastic(const MatType& data,
                                                       const size_t seed)
{
  using ElemType = typename MatType::elem_type;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  arma::Row<ElemType> y(data.n_cols);
  for (size_t i = 0; i < data.n_cols; ++i)
    y[i] = ElemType(data(1, i) + (0.3 + std::abs(double(data(0, i)))) *
        normal(random));
  return y;
}

//! Counts with mean exp(1 + sin(2 a) + b / 2).
template<typename MatType>
arma::Row<typename MatType::elem_type> Counts(const MatType& data,
                                              const size_t seed)
{
  using ElemType = typename MatType::elem_type;
  std::mt19937_64 random(seed);
  arma::Row<ElemType> y(data.n_cols);
  for (size_t i = 0; i < data.n_cols; ++i)
  {
    std::poisson_distribution<int> poisson(std::exp(1 + std::sin(2 *
        data(0, i)) + data(1, i) / 2));
    y[i] = ElemType(poisson(random));
  }
  return y;
}

} // namespace

//! Quantiles cover what they should where the spread changes, on points that
//! training did not see; the mean of three models.
TEMPLATE_TEST_CASE("QuantilesCover", "[LossTrainingTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> train(2000, 2, 1), test(2000, 2, 2);
  const auto responses = Heteroscedastic(train.data, 3);
  const auto y = Heteroscedastic(test.data, 4);
  std::vector<GBNNRegressor<TestType, QuantileLoss>> models;
  for (const size_t seed : { 5, 6, 7 })
  {
    models.emplace_back(60, 3);
    models.back().Loss() = QuantileLoss({ 0.1, 0.5, 0.9 });
    models.back().Seed() = seed;
    models.back().Train(train.data, responses);
  }
  const auto check = [&]()
  {
    std::vector<TestType> p(3);
    for (size_t m = 0; m < 3; ++m)
    {
      models[m].Predict(test.data, p[m]);
      REQUIRE(p[m].n_rows == 3);
    }
    // All points, those of small and those of large spread.
    const arma::rowvec x = arma::abs(arma::conv_to<arma::rowvec>::from(
        test.data.row(0)));
    for (const arma::uvec& part : { arma::uvec(arma::find(x >= 0)),
        arma::uvec(arma::find(x < 0.5)), arma::uvec(arma::find(x > 1.2)) })
    {
      for (size_t k = 0; k < 3; ++k)
      {
        double below = 0;
        for (size_t m = 0; m < 3; ++m)
        {
          below += arma::mean(arma::conv_to<arma::vec>::from(
              arma::conv_to<arma::vec>::from(y.elem(part)) <
              arma::conv_to<arma::vec>::from(TestType(p[m].row(k)).elem(
              part)))) / 3;
        }
        REQUIRE(below == Approx(models[0].Loss().Quantiles()[k]).margin(0.06));
      }
    }
  };
  check();
  for (auto& model : models)
  {
    const double before = model.StagedError(test.data, y).back();
    model.Refine(train.data, responses);
    REQUIRE(model.StagedError(test.data, y).back() <= 1.01 * before);
  }
  check();
}

//! Predictions in order have no larger loss, and the derivatives follow them.
TEMPLATE_TEST_CASE("QuantilesDoNotCross", "[LossTrainingTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  const Problem<TestType> train(40, 3, 1), test(300, 3, 2);
  GBNNRegressor<TestType, QuantileLoss> model(40, 2, 0.5);
  model.Loss() = QuantileLoss({ 0.3, 0.4, 0.5, 0.6 });
  model.Seed() = 1;
  model.Train(train.data, train.response);
  TestType crossing, sorted;
  model.Predict(test.data, crossing);
  const double before = model.StagedError(test.data, test.response).back();
  REQUIRE(model.Loss().Output() == gbnn::OutputLayer::IDENTITY);

  model.Loss().NonCrossing() = true;
  model.Predict(test.data, sorted);
  REQUIRE(!SameBits(crossing, sorted));
  for (size_t i = 0; i < sorted.n_cols; ++i)
  {
    REQUIRE(arma::vec(arma::conv_to<arma::vec>::from(sorted.col(i)))
        .is_sorted("ascend"));
    REQUIRE(sorted(0, i) == Approx(model.Predict(test.data.col(i))));
  }
  REQUIRE(model.StagedError(test.data, test.response).back() < before);
  REQUIRE(model.Loss().Output() == gbnn::OutputLayer::SORTED);

  // Steps of single precision are so long that the order changes on the way.
  const ElemType step = ElemType(1e-6);
  for (size_t i = 0; i < 20 && std::is_same_v<ElemType, double>; ++i)
  {
    const TestType gradient = InputGradient(model,
        arma::Col<ElemType>(test.data.col(i)));
    REQUIRE(gradient.n_cols == 4);
    for (size_t d = 0; d < 3; ++d)
    {
      TestType up = test.data.col(i), down = up, high, low;
      up[d] += step;
      down[d] -= step;
      model.Predict(up, high);
      model.Predict(down, low);
      for (size_t k = 0; k < 4; ++k)
        REQUIRE(double(gradient(d, k)) == Approx(double(high[k] - low[k]) /
            (2 * step)).margin(1e-5));
    }
  }
}

//! Of counts, the Poisson loss predicts means better than the squared error;
//! three models of each.
TEMPLATE_TEST_CASE("PoissonBeatsSquares", "[LossTrainingTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> train(300, 2, 1), test(2000, 2, 2);
  const auto y = Counts(train.data, 3), truth = Counts(test.data, 4);
  GBNNRegressor<TestType, PoissonLoss> poisson(60, 3);
  GBNNRegressor<TestType> squares(60, 3);
  TestType p, s;
  // Medians: where a refined model extrapolates badly, exp() makes much of it.
  const size_t seeds = 7;
  arma::vec deviances(seeds, arma::fill::zeros), others = deviances;
  for (size_t seed = 0; seed < seeds; ++seed)
  {
    poisson.Seed() = squares.Seed() = 2 + seed;
    poisson.Train(train.data, y);
    poisson.Refine(train.data, y);
    squares.Train(train.data, y);
    squares.Refine(train.data, y);
    poisson.Predict(test.data, p);
    squares.Predict(test.data, s);
    // What is below 0 has no deviance; be kind to it.
    s.clamp(typename TestType::elem_type(0.01), 1e9f);
    for (size_t i = 0; i < truth.n_elem; ++i)
    {
      deviances[seed] += poisson.Loss().Error(truth[i], p[i], 0) /
          truth.n_elem;
      others[seed] += poisson.Loss().Error(truth[i], s[i], 0) / truth.n_elem;
    }
    REQUIRE(p.min() > 0);
    REQUIRE(poisson.StagedError(test.data, truth).back() ==
        Approx(deviances[seed]).epsilon(1e-4));
  }
  // The true deviance of counts like these is about 1.
  REQUIRE(arma::median(deviances) < 1.3);
  REQUIRE(arma::median(deviances) < arma::median(others));

  // Derivatives follow the exponential.
  const TestType gradient = InputGradient(poisson,
      arma::Col<typename TestType::elem_type>(test.data.col(0)));
  TestType up = test.data.col(0), high;
  up[0] += 1e-2;
  poisson.Predict(up, high);
  REQUIRE(double(gradient[0]) == Approx((double(high[0]) - p[0]) / 1e-2)
      .epsilon(0.1).margin(0.05));
}

//! Outliers bend the squared error, but not the absolute and Huber's.
TEMPLATE_TEST_CASE("OutliersAreForgiven", "[LossTrainingTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> train(600, 2, 1), test(400, 2, 2);
  auto y = train.response;
  for (size_t i = 0; i < y.n_elem; i += 10)
    y[i] += 300;
  const auto error = [&](auto model)
  {
    model.Seed() = 3;
    model.Train(train.data, y);
    return model.StagedRMSE(test.data, test.response).back();
  };
  const double squares = error(GBNNRegressor<TestType>(90, 3));
  REQUIRE(squares > 10);
  REQUIRE(error(GBNNRegressor<TestType, AbsoluteLoss>(90, 3)) < 1);
  REQUIRE(error(GBNNRegressor<TestType, HuberErrorLoss>(90, 3)) < 1);
}

//! Responses far from 1 are fitted as well, with every loss and precision.
TEMPLATE_TEST_CASE("MoreLossesOfLargeResponses", "[LossTrainingTest]",
    arma::mat, arma::fmat)
{
  const Problem<TestType> problem(300, 2);
  const auto share = [&](auto model, const double scale)
  {
    using ElemType = typename TestType::elem_type;
    model.Seed() = 3;
    model.Train(problem.data, TestType(problem.response * ElemType(scale)));
    return model.TrainingLosses().back() / model.TrainingLosses().front();
  };
  for (const double scale : { 1e-15, 1e-6, 1.0, 1e7, 1e17 })
    REQUIRE(share(GBNNRegressor<TestType>(60, 3), scale) < 0.3);
  for (const double scale : { 1e-6, 1.0, 1e7 })
  {
    REQUIRE(share(GBNNRegressor<TestType, AbsoluteLoss>(60, 3), scale) < 0.6);
    REQUIRE(share(GBNNRegressor<TestType, QuantileLoss>(60, 3), scale) < 0.6);
    REQUIRE(share(GBNNRegressor<TestType, HuberErrorLoss>(60, 3), scale) < 0.4);
    REQUIRE(share(GBNNRegressor<TestType, PoissonLoss>(60, 3), scale) < 0.4);
  }
}

//! A step that would make the loss worse is shortened: counts that grow without
//! bounds, and rare classes.
TEMPLATE_TEST_CASE("StepsAreGuarded", "[LossTrainingTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  const Problem<TestType> problem(400, 2);
  const auto falls = [](const std::vector<double>& losses)
  {
    for (size_t t = 1; t < losses.size(); ++t)
      REQUIRE(losses[t] <= losses[t - 1] * (1 + 1e-6));
    REQUIRE(losses.back() < losses.front());
  };
  arma::Row<ElemType> y = arma::exp(arma::square(problem.data.row(0)) * 3);
  y = arma::round(arma::clamp(y, ElemType(0), ElemType(1e6)));
  GBNNRegressor<TestType, PoissonLoss> counts(30, 3, 1.0);
  counts.Seed() = 4;
  counts.Train(problem.data, y);
  falls(counts.TrainingLosses());

  arma::Row<size_t> labels(400, arma::fill::zeros);
  for (size_t i = 0; i < 400; ++i)
    labels[i] = (i % 100 == 7) ? 2 : (i % 50 == 3) ? 3 : problem.labels[i];
  GBNNClassifier<TestType> rare(40, 1, 1.0);
  rare.Seed() = 4;
  rare.Train(problem.data, labels, 4);
  falls(rare.TrainingLosses());
}

//! Growing twice is growing at once, for every loss.
TEST_CASE("MoreLossesGrow", "[LossTrainingTest]")
{
  const Problem<arma::mat> problem(150, 3);
  const arma::rowvec y = arma::abs(problem.response);
  const auto check = [&](const RegressionLoss& loss, const double rate)
  {
    GBNNRegressor<arma::mat, RegressionLoss> once(30, 3, rate), twice(15, 3,
        rate);
    once.Loss() = twice.Loss() = loss;
    once.Seed() = twice.Seed() = 8;
    once.Train(problem.data, y);
    twice.Train(problem.data, y);
    twice.Grow(problem.data, y, 15);
    REQUIRE(SameBits(once.Boosted().OutputWeights(),
        twice.Boosted().OutputWeights()));
    REQUIRE(SameBits(once.Boosted().OutputBias(),
        twice.Boosted().OutputBias()));
  };
  for (const double rate : { 0.1, 1.0 })
  {
    check(AbsoluteLoss(), rate);
    check(HuberErrorLoss(), rate);
    check(QuantileLoss({ 0.2, 0.8 }, true), rate);
    check(PoissonLoss(), rate);
    check(SquaredErrorLoss(), rate);
  }
}

//! Refinement works with every loss: nothing is NaN, and it does not harm.
TEMPLATE_TEST_CASE("MoreLossesRefine", "[LossTrainingTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> train(500, 2, 1), test(500, 2, 2);
  const auto check = [&](const RegressionLoss& loss, const TestType& y,
      const TestType& truth)
  {
    GBNNRegressor<TestType, RegressionLoss> model(40, 2);
    model.Loss() = loss;
    model.Refinement().Iterations() = 200;
    arma::vec ratios(5);
    // Trials may find that it does not pay clearly with some seed.
    size_t refined = 0;
    for (size_t seed = 0; seed < ratios.n_elem; ++seed)
    {
      model.Seed() = 3 + seed;
      model.Train(train.data, y);
      const double before = model.StagedError(test.data, truth).back();
      model.Refine(train.data, y);
      TestType p;
      model.Predict(test.data, p);
      REQUIRE(p.is_finite());
      refined += (model.RefinedIterations() > 0);
      ratios[seed] = model.StagedError(test.data, truth).back() / before;
    }
    REQUIRE(refined >= 3);
    REQUIRE(arma::median(ratios) < 1.02);
  };
  check(AbsoluteLoss(), train.response, test.response);
  check(HuberErrorLoss(), train.responses, test.responses);
  check(QuantileLoss({ 0.1, 0.9 }), train.response, test.response);
  check(PoissonLoss(), Counts(train.data, 3), Counts(test.data, 4));
  // Counts over many powers of ten: exp() must not run away.
  const auto wide = [](const TestType& data) -> TestType
  {
    return arma::round(arma::exp(3 * data.row(0) + 5));
  };
  check(PoissonLoss(), wide(train.data), wide(test.data));
}

//! The loss that is chosen at run time does what the chosen one does.
TEMPLATE_TEST_CASE("RegressionLossIsOneOfFive", "[LossTrainingTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> problem(120, 2);
  const auto y = Counts(problem.data, 3);
  const auto check = [&](const auto& loss, const std::string& name)
  {
    using LossType = std::decay_t<decltype(loss)>;
    GBNNRegressor<TestType, LossType> one(12, 3);
    GBNNRegressor<TestType, RegressionLoss> any(12, 3);
    one.Loss() = loss;
    any.Loss() = loss;
    one.Seed() = any.Seed() = 2;
    REQUIRE(one.Train(problem.data, y) == any.Train(problem.data, y));
    REQUIRE(one.Refine(problem.data, y) == any.Refine(problem.data, y));
    TestType p, q;
    one.Predict(problem.data, p);
    any.Predict(problem.data, q);
    REQUIRE(SameBits(p, q));
    REQUIRE(any.Loss().Name() == name);
    REQUIRE(any.Loss().template As<LossType>() != nullptr);
    REQUIRE(any.Loss().Output() == loss.Output());
    REQUIRE(any.Loss().ErrorName() == loss.ErrorName());
    REQUIRE(SameBits(one.StagedError(problem.data, y),
        any.StagedError(problem.data, y)));
    REQUIRE(SameBits(PermutationImportance(one, problem.data, TestType(y)),
        PermutationImportance(any, problem.data, TestType(y))));
  };
  check(SquaredErrorLoss(), "squared");
  check(AbsoluteLoss(), "absolute");
  check(HuberErrorLoss(), "huber");
  check(QuantileLoss({ 0.2, 0.7 }, true), "quantile");
  check(PoissonLoss(), "poisson");
}

//! Threads do not decide what comes out.
TEST_CASE("MoreLossesThreads", "[LossTrainingTest]")
{
  #ifdef MLPACK_USE_OPENMP
  const Problem<arma::mat> problem(12000, 2);
  const arma::rowvec y = arma::abs(problem.response);
  for (const RegressionLoss& loss : { RegressionLoss(AbsoluteLoss()),
      RegressionLoss(HuberErrorLoss()),
      RegressionLoss(QuantileLoss({ 0.1, 0.5, 0.9 })),
      RegressionLoss(PoissonLoss()) })
  {
    arma::mat results[2];
    for (const int threads : { 1, 3 })
    {
      const int before = omp_get_max_threads();
      omp_set_num_threads(threads);
      GBNNRegressor<arma::mat, RegressionLoss> model(6, 3);
      model.Loss() = loss;
      model.Seed() = 5;
      model.Train(problem.data, y);
      model.Predict(problem.data, results[threads == 3]);
      omp_set_num_threads(before);
    }
    REQUIRE(SameBits(results[0], results[1]));
  }
  #endif
}

//! Save and load a model: it predicts the same and can go on.
template<typename OutType, typename InType, typename MatType,
         typename ModelType>
void CheckArchive(const ModelType& model,
                  const MatType& data,
                  const MatType& responses)
{
  std::stringstream stream;
  {
    OutType out(stream);
    out(cereal::make_nvp("model", model));
  }
  ModelType loaded, grown(model);
  {
    InType in(stream);
    in(cereal::make_nvp("model", loaded));
  }
  MatType p, q;
  for (size_t i = 0; i < 2; ++i)
  {
    grown.Predict(data, p);
    loaded.Predict(data, q);
    // Text does not have all digits.
    REQUIRE(Difference(p, q) <= 1e-4 * arma::abs(p).max());
    grown.Grow(data, responses, 3);
    loaded.Grow(data, responses, 3);
  }
}

TEMPLATE_TEST_CASE("MoreLossesSerialization", "[LossTrainingTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> problem(80, 2);
  const TestType y = arma::abs(problem.response);
  const auto check = [&](auto model, const auto& loss)
  {
    model.Loss() = loss;
    model.Train(problem.data, y);
    CheckArchive<cereal::BinaryOutputArchive, cereal::BinaryInputArchive>(model,
        problem.data, y);
    CheckArchive<cereal::JSONOutputArchive, cereal::JSONInputArchive>(model,
        problem.data, y);
    CheckArchive<cereal::XMLOutputArchive, cereal::XMLInputArchive>(model,
        problem.data, y);
  };
  const QuantileLoss quantile({ 0.1, 0.6 }, true);
  check(GBNNRegressor<TestType, AbsoluteLoss>(6, 3), AbsoluteLoss());
  check(GBNNRegressor<TestType, HuberErrorLoss>(6, 3), HuberErrorLoss());
  check(GBNNRegressor<TestType, QuantileLoss>(6, 3), quantile);
  check(GBNNRegressor<TestType, PoissonLoss>(6, 3), PoissonLoss());
  using Any = GBNNRegressor<TestType, RegressionLoss>;
  check(Any(6, 3), SquaredErrorLoss());
  check(Any(6, 3), AbsoluteLoss());
  check(Any(6, 3), HuberErrorLoss(0.5));
  check(Any(6, 3), quantile);
  check(Any(6, 3), PoissonLoss());
}

//! What was saved as another class is refused.
TEST_CASE("RegressionLossRefusesOthers", "[LossTrainingTest]")
{
  const Problem<arma::mat> problem(80, 2);
  const GBNNRegressor<> other(problem.data, problem.response, 6, 3);
  std::stringstream stream;
  {
    cereal::BinaryOutputArchive out(stream);
    out(other);
  }
  GBNNRegressor<arma::mat, RegressionLoss> loaded;
  cereal::BinaryInputArchive in(stream);
  REQUIRE_THROWS_AS(in(loaded), std::runtime_error);
}

// What cereal must know to save the network.
#if MLPACK_VERSION_MAJOR == 4 && MLPACK_VERSION_MINOR < 7
CEREAL_REGISTER_TYPE(mlpack::Linear)
CEREAL_REGISTER_TYPE(mlpack::Sigmoid)
#else
CEREAL_REGISTER_TYPE(mlpack::Linear<>)
CEREAL_REGISTER_TYPE(mlpack::Sigmoid<>)
#endif
CEREAL_REGISTER_TYPE(mlpack::BaseLayer<mlpack::gbnn::ExponentialFunction,
    arma::mat>)

//! The network that the model is predicts the same, can be trained further, and
//! can be saved.
TEST_CASE("PoissonNetwork", "[LossTrainingTest]")
{
  const Problem<arma::mat> problem(200, 2);
  const arma::rowvec y = Counts(problem.data, 3);
  GBNNRegressor<arma::mat, PoissonLoss> model(problem.data, y, 12, 3);
  auto network = model.Network();
  arma::mat p, q, loadedOutput;
  model.Predict(problem.data, p);
  network.Predict(problem.data, q);
  REQUIRE(Difference(p, q) < 1e-9);

  std::stringstream stream;
  {
    cereal::BinaryOutputArchive out(stream);
    out(network);
  }
  decltype(network) loaded;
  {
    cereal::BinaryInputArchive in(stream);
    in(loaded);
  }
  loaded.Predict(problem.data, loadedOutput);
  REQUIRE(Difference(q, loadedOutput) < 1e-12);

  const double before = network.Evaluate(problem.data, y);
  ens::StandardSGD sgd(1e-4, 32, 20 * problem.data.n_cols);
  network.Train(problem.data, y, sgd);
  REQUIRE(network.Evaluate(problem.data, y) < before);
}

//! Quantiles in order are so in the model only; its network has the scores.
TEST_CASE("QuantileNetwork", "[LossTrainingTest]")
{
  const Problem<arma::mat> problem(60, 2);
  GBNNRegressor<arma::mat, QuantileLoss> model(20, 2, 0.5);
  model.Loss() = QuantileLoss({ 0.4, 0.5, 0.6 }, true);
  model.Train(problem.data, problem.response);
  arma::mat scores, outputs;
  model.Scores(problem.data, scores);
  model.Network().Predict(problem.data, outputs);
  REQUIRE(Difference(scores, outputs) < 1e-9);
}
