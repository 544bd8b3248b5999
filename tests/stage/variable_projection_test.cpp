/**
 * @file tests/stage/variable_projection_test.cpp
 *
 * The optimizer made for stages: its optimum against L-BFGS's, its sums against
 * Armadillo, and its small linear systems.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <mlpack/methods/gbnn/compute/cholesky.hpp>

#include <omp.h>

using namespace mlpack;

//! Residuals that a network of a few units can explain but for a little noise.
template<typename MatType>
struct StageProblem
{
  StageProblem(const size_t points,
               const size_t dimensions,
               const size_t outputs)
  {
    arma::arma_rng::set_seed(11);
    data.randn(dimensions, points);
    residuals = arma::tanh(MatType(outputs, dimensions, arma::fill::randn) *
        data) + typename MatType::elem_type(0.1) *
        MatType(outputs, points, arma::fill::randn);
    weights.randu(points);
  }

  MatType data;
  MatType residuals;
  arma::Row<typename MatType::elem_type> weights;
  arma::Row<typename MatType::elem_type> none;
};

//! It ends no higher than 500 iterations of L-BFGS from the same place, with
//! the ridges as good as off.
TEST_CASE("VariableProjectionOptimum", "[VariableProjectionTest]")
{
  const StageProblem<arma::mat> problem(300, 4, 2);
  for (const bool weighted : { false, true })
  {
    for (const GBNNActivation activation : { GBNNActivation::LOGISTIC,
        GBNNActivation::TANH })
    {
      StageFunction<> f(problem.data, problem.residuals,
          weighted ? problem.weights : problem.none, nullptr, 2, activation,
          1e-3);
      gbnn::Random random = TestRandom(3, 1);
      const arma::mat start = f.InitialPoint(random);
      arma::mat ours = start, theirs = start;
      VariableProjection projection(200, 0.0, 0.0, 0.0);
      const double value = projection.Optimize(f, ours);
      ens::L_BFGS lbfgs(10, 500);
      lbfgs.Optimize(f, theirs);

      REQUIRE(value == Approx(f.Evaluate(ours)).epsilon(1e-6));
      REQUIRE(f.Evaluate(ours) <= 1.02 * f.Evaluate(theirs));
      REQUIRE(f.Evaluate(ours) < 0.5 * f.Evaluate(start));
      // The output layer is optimal, so its gradient vanishes.
      arma::mat gradient;
      f.Gradient(ours, gradient);
      REQUIRE(arma::abs(gradient.tail_rows(2 * 3)).max() < 1e-6);
    }
  }
}

//! A ridge makes weights smaller, and the objective counts it.
TEST_CASE("VariableProjectionRidge", "[VariableProjectionTest]")
{
  const StageProblem<arma::mat> problem(200, 3, 1);
  StageFunction<> f(problem.data, problem.residuals, problem.none, nullptr, 3,
      GBNNActivation::LOGISTIC, 0.0);
  gbnn::Random random = TestRandom(4, 1);
  const arma::mat start = f.InitialPoint(random);
  arma::mat light = start, heavy = start;
  VariableProjection(30, 0.0, 1e-6, 1e-6).Optimize(f, light);
  const double value = VariableProjection(30, 0.0, 1e-2, 1e-6).Optimize(f,
      heavy);
  REQUIRE(arma::norm(heavy.head_rows(9)) < arma::norm(light.head_rows(9)));
  REQUIRE(value > f.Evaluate(heavy));
}

//! Single precision fits a stage as well, on some of its points with their
//! weights, where the inputs allow it.
TEST_CASE("SingleStages", "[VariableProjectionTest]")
{
  // With few weights by variable projection, with more by L-BFGS; with many
  // points tolerances are small.
  for (const size_t dimensions : { 4, 60 })
  {
    const StageProblem<arma::mat> problem(6000, dimensions, 2);
    const arma::fmat data = arma::conv_to<arma::fmat>::from(problem.data);
    const arma::uvec points = arma::regspace<arma::uvec>(0, 2, 5999);
    StageFunction<> f(problem.data, problem.residuals, problem.weights, &points,
        3, GBNNActivation::LOGISTIC, 1e-3);
    gbnn::Random random = TestRandom(3, 1);
    const arma::mat start = f.InitialPoint(random);
    arma::mat exact = start, single = start;
    StageOptimizer().Optimize(f, exact);
    SinglePrecisionOptimizer(data).Optimize(f, single);
    REQUIRE(StageOptimizer::Projects(f) == (dimensions == 4));
    REQUIRE(f.Evaluate(exact) < 0.5 * f.Evaluate(start));
    // The last bits decide which way it goes, which may be a better one.
    REQUIRE(f.Evaluate(single) < 1.05 * f.Evaluate(exact));
  }

}

TEST_CASE("SingleStagesSuit", "[VariableProjectionTest]")
{
  arma::mat data(2, 10, arma::fill::zeros);
  arma::rowvec weights;
  const auto suits = [&]()
  {
    return SinglePrecisionOptimizer::Suits(data, weights);
  };
  REQUIRE(suits());
  data.row(1) = arma::linspace<arma::rowvec>(1990, 2030, 10);
  REQUIRE(suits());
  data.row(0).fill(1e6);
  REQUIRE(suits());
  data(0, 3) = 1e6 + 1;
  REQUIRE(!suits());
  for (const double large : { 1e10, 1e-10 })
  {
    data.row(0).randu();
    data.row(0) *= large;
    REQUIRE(!suits());
  }
  data.row(0).zeros();
  weights.ones(10);
  weights[3] = 0;
  REQUIRE(suits());
  REQUIRE(!SinglePrecisionOptimizer::Suits(
      arma::conv_to<arma::fmat>::from(data),
      weights));
  for (const double large : { 1e60, 1e-60 })
  {
    weights[4] = large;
    REQUIRE(!suits());
  }
}

//! What StageSums is to compute, by its definition and in double precision.
template<typename MatType>
struct ExpectedSums
{
  /**
   * @param hidden Weights and then the bias of each unit.
   * @param output Output weights and, in the last row, biases.
   */
  ExpectedSums(const StageProblem<MatType>& problem,
               const arma::rowvec& weights,
               const size_t units,
               const arma::vec& hidden,
               const arma::mat& output)
  {
    const arma::mat x = arma::join_cols(arma::conv_to<arma::mat>::from(
        problem.data), arma::mat(1, weights.n_elem, arma::fill::ones));
    const arma::mat r = arma::conv_to<arma::mat>::from(problem.residuals);
    const arma::mat w1 = arma::reshape(hidden, x.n_rows, units).t();
    const arma::mat a = 1 / (1 + arma::exp(-w1 * x));
    const arma::mat u = arma::join_cols(a, x.tail_rows(1));
    arma::mat v(units * x.n_rows, x.n_cols);
    for (size_t j = 0; j < units; ++j)
    {
      v.rows(j * x.n_rows, (j + 1) * x.n_rows - 1) = x.each_row() %
          (a.row(j) % (1 - a.row(j)));
    }
    const arma::mat w = arma::diagmat(weights);
    uu = u * w * u.t();
    ur = u * w * r.t();
    squares = arma::accu(r % (r * w));
    // Each row of v counts as much as its unit does for the outputs.
    const arma::mat shares = arma::kron(output.head_rows(units),
        arma::vec(x.n_rows, arma::fill::ones));
    const arma::mat errors = output.t() * u - r;
    gradient = arma::sum(shares % (v * w * errors.t()), 1) /
        arma::accu(weights);
    const arma::mat factor = shares * shares.t() / arma::accu(weights);
    // A tiny ridge: units that are alike do no harm.
    const arma::mat ridged = uu + 1e-9 * uu(units, units) * arma::mat(units + 1,
        units + 1, arma::fill::eye);
    gaussNewton = factor % (v * w * v.t() - v * w * u.t() * arma::solve(ridged,
        u * w * v.t()));
    largestProduct = arma::abs(factor % (v * w * v.t())).max();
  }

  arma::mat uu, ur;
  double squares;
  arma::vec gradient;
  arma::mat gaussNewton;
  //! The largest element of the Gauss-Newton matrix before the projection.
  double largestProduct;
};

//! The largest difference, relative to the largest element.
static double RelativeDifference(const arma::mat& a, const arma::mat& b)
{
  return arma::abs(a - b).max() / arma::abs(b).max();
}

//! The sums are those of their definition, for every number of columns that a
//! tile may leave over, every number of points that a strip may, with and
//! without weights, and whatever the unit of the inputs.
TEMPLATE_TEST_CASE("StageSums", "[VariableProjectionTest]", arma::mat,
    arma::fmat)
{
  const bool isFloat = std::is_same_v<TestType, arma::fmat>;
  const double limit = isFloat ? 1e-4 : 1e-10;
  for (size_t d = 1; d <= 9; ++d)
  {
    const size_t units = 1 + d % 3, points = 270 + 13 * d;
    const double scale = (d % 2 == 0) ? 1e3 : 1.0;
    StageProblem<TestType> problem(points, d, 2);
    problem.data *= scale;
    for (const bool weighted : { false, true })
    {
      const StageFunction<TestType> f(problem.data, problem.residuals,
          weighted ? problem.weights : problem.none, nullptr, units,
          GBNNActivation::LOGISTIC, 0.0);
      const arma::vec hidden = arma::vec(units * (d + 1), arma::fill::randn) /
          scale;
      const arma::mat output(units + 1, 2, arma::fill::randn);
      const ExpectedSums<TestType> expected(problem, weighted ?
          arma::conv_to<arma::rowvec>::from(problem.weights) :
          arma::rowvec(points, arma::fill::ones), units, hidden, output);

      gbnn::StageSums<TestType> sums(f, 1000);
      arma::vec gradient;
      arma::mat gaussNewton;
      sums.Evaluate(hidden);
      sums.Differentiate(output, gradient, gaussNewton);
      REQUIRE(RelativeDifference(sums.UU(), expected.uu) < limit);
      REQUIRE(RelativeDifference(sums.UR(), expected.ur) < limit);
      REQUIRE(sums.SquaredResiduals() == Approx(expected.squares));
      REQUIRE(RelativeDifference(gradient, expected.gradient) < limit);
      // This one is summed in single precision; where the activations have no
      // more either, orthogonal rows of units that are alike have less.
      REQUIRE(arma::abs(arma::trimatl(gaussNewton - expected.gaussNewton)).max()
          < (isFloat ? 1e-3 : 1e-6) * expected.largestProduct);
      REQUIRE(sums.PartWeight() == Approx(f.TotalWeight()));
    }
  }
}

//! Inputs too large for the square to be a float do no harm.
TEST_CASE("StageSumsOfLargeInputs", "[VariableProjectionTest]")
{
  StageProblem<arma::mat> problem(200, 3, 1);
  problem.data *= 1e30;
  const StageFunction<> f(problem.data, problem.residuals, problem.none,
      nullptr, 1, GBNNActivation::TANH, 0.0);
  gbnn::StageSums<arma::mat> sums(f, 1000);
  arma::vec gradient;
  arma::mat gaussNewton;
  sums.Evaluate(arma::vec({ 1e-30, 2e-30, 1e-30, 0.5 }));
  sums.Differentiate(arma::mat({ 1.0, 0.0 }).t(), gradient, gaussNewton);
  REQUIRE(arma::trimatl(gaussNewton).eval().is_finite());
  REQUIRE(gaussNewton(0, 0) > 1e58);
}

//! Squares of these overflow, which ends it even without a limit.
TEST_CASE("VariableProjectionEnds", "[VariableProjectionTest]")
{
  StageProblem<arma::mat> problem(200, 3, 1);
  problem.data.row(1).fill(1e155);
  StageFunction<> f(problem.data, problem.residuals, problem.none, nullptr, 1,
      GBNNActivation::LOGISTIC, 0.0);
  arma::mat parameters(6, 1, arma::fill::ones);
  VariableProjection optimizer(std::numeric_limits<size_t>::max());
  optimizer.Optimize(f, parameters);
  REQUIRE(parameters.n_elem == 6);
}

//! Where v v' is taken over a part of the blocks, the other sums are complete.
TEST_CASE("StageSumsPart", "[VariableProjectionTest]")
{
  const StageProblem<arma::mat> problem(4000, 6, 1);
  const StageFunction<> f(problem.data, problem.residuals, problem.none,
      nullptr, 1, GBNNActivation::TANH, 0.0);
  const arma::vec hidden(7, arma::fill::randn);
  const arma::mat output(2, 1, arma::fill::randn);
  gbnn::StageSums<arma::mat> all(f, 4000), part(f, 500);
  arma::vec allGradient, partGradient;
  arma::mat allMatrix, partMatrix;
  all.Evaluate(hidden);
  all.Differentiate(output, allGradient, allMatrix);
  part.Evaluate(hidden);
  part.Differentiate(output, partGradient, partMatrix);
  REQUIRE(arma::approx_equal(all.UR(), part.UR(), "reldiff", 1e-9));
  REQUIRE(arma::approx_equal(allGradient, partGradient, "reldiff", 1e-9));
  REQUIRE(all.PartWeight() == Approx(4000));
  REQUIRE(part.PartWeight() < 1500);
  REQUIRE(part.PartWeight() >= 400);
  // About the same matrix, not the same.
  const double difference = RelativeDifference(arma::trimatl(partMatrix),
      arma::trimatl(allMatrix));
  REQUIRE(difference < 0.3);
  REQUIRE(difference > 1e-4);
}

//! The same bits with any number of threads.
TEST_CASE("VariableProjectionThreads", "[VariableProjectionTest]")
{
  const StageProblem<arma::mat> problem(20000, 8, 2);
  arma::mat results[2];
  for (const int threads : { 1, 2 })
  {
    omp_set_num_threads(threads);
    StageFunction<> f(problem.data, problem.residuals, problem.weights, nullptr,
        2, GBNNActivation::LOGISTIC, 1e-2);
    gbnn::Random random = TestRandom(5, 1);
    arma::mat& parameters = results[threads - 1];
    parameters = f.InitialPoint(random);
    VariableProjection().Optimize(f, parameters);
  }
  omp_set_num_threads(1);
  REQUIRE(SameBits(results[0], results[1]));
}

//! The choice follows the cost: few weights or many points here, and several
//! units that must settle who does what; many weights there.
TEST_CASE("VariableProjectionPays", "[VariableProjectionTest]")
{
  REQUIRE(VariableProjection::PaysFor(1, 8, 1, 1000));
  REQUIRE(!VariableProjection::PaysFor(1, 20, 1, 1000));
  REQUIRE(VariableProjection::PaysFor(1, 20, 1, 100000));
  REQUIRE(VariableProjection::PaysFor(3, 20, 1, 1000));
  REQUIRE(!VariableProjection::PaysFor(4, 784, 10, 60000));
}

TEST_CASE("SmallCholesky", "[VariableProjectionTest]")
{
  arma::arma_rng::set_seed(2);
  for (size_t n = 1; n < 40; ++n)
  {
    const arma::mat half(n, n + 2, arma::fill::randn);
    const arma::mat a = half * half.t();
    const arma::mat b(n, 1 + n % 9, arma::fill::randn);
    arma::mat factor = a, x = b;
    REQUIRE(gbnn::Cholesky(factor));
    REQUIRE(arma::abs(arma::trimatl(factor) - arma::chol(a, "lower")).max() <
        1e-10);
    gbnn::SolveCholesky(factor, x);
    REQUIRE(arma::abs(a * x - b).max() < 1e-7);
  }
  arma::mat indefinite = arma::diagmat(arma::vec({ 1.0, -1.0 }));
  REQUIRE(!gbnn::Cholesky(indefinite));
}
