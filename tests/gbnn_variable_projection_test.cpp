/**
 * @file tests/gbnn_variable_projection_test.cpp
 *
 * The optimizer made for stages: its optimum against L-BFGS's, its sums against
 * Armadillo, and its small linear systems.
 */
#include "test_tools.hpp"

#include <mlpack/methods/gbnn/cholesky.hpp>

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
TEST_CASE("VariableProjectionOptimum", "[VariableProjection]")
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
      gbnn::Random random(3, 1);
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
TEST_CASE("VariableProjectionRidge", "[VariableProjection]")
{
  const StageProblem<arma::mat> problem(200, 3, 1);
  StageFunction<> f(problem.data, problem.residuals, problem.none, nullptr, 3,
      GBNNActivation::LOGISTIC, 0.0);
  gbnn::Random random(4, 1);
  const arma::mat start = f.InitialPoint(random);
  arma::mat light = start, heavy = start;
  VariableProjection(30, 0.0, 1e-6, 1e-6).Optimize(f, light);
  const double value = VariableProjection(30, 0.0, 1e-2, 1e-6).Optimize(f,
      heavy);
  REQUIRE(arma::norm(heavy.head_rows(9)) < arma::norm(light.head_rows(9)));
  REQUIRE(value > f.Evaluate(heavy));
}

//! The sums are those of their definition, with every weight and odd sizes.
TEMPLATE_TEST_CASE("StageSums", "[VariableProjection]", arma::mat, arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  const StageProblem<TestType> problem(137, 5, 2);
  const size_t units = 3, d = 5;
  const StageFunction<TestType> f(problem.data, problem.residuals,
      problem.weights, nullptr, units, GBNNActivation::LOGISTIC, 0.0);
  TestType hidden(units * (d + 1), 1, arma::fill::randn);
  gbnn::StageSums<TestType> sums(f, 1000);
  sums.Compute(hidden.memptr());

  const arma::mat w1 = arma::conv_to<arma::mat>::from(TestType(
      hidden.memptr(), units, d));
  const arma::vec b1 = arma::conv_to<arma::vec>::from(hidden.tail_rows(units));
  const arma::mat x = arma::conv_to<arma::mat>::from(problem.data);
  const arma::mat one(1, 137, arma::fill::ones);
  arma::mat z = w1 * x;
  z.each_col() += b1;
  const arma::mat a = 1 / (1 + arma::exp(-z));
  const arma::mat u = arma::join_cols(a, one,
      arma::conv_to<arma::mat>::from(problem.residuals));
  arma::mat v(units * (d + 1), 137);
  for (size_t j = 0; j < units; ++j)
  {
    v.rows(j * (d + 1), j * (d + 1) + d) = arma::join_cols(x, one).eval().
        each_row() % (a.row(j) % (1 - a.row(j)));
  }
  const arma::mat weights = arma::diagmat(arma::conv_to<arma::rowvec>::from(
      problem.weights));
  const double limit = std::is_same_v<ElemType, float> ? 1e-3 : 1e-10;
  REQUIRE(arma::abs(sums.UU() - u * weights * u.t()).max() < limit);
  REQUIRE(arma::abs(sums.UV() - u * weights * v.t()).max() < limit);
  REQUIRE(arma::abs(arma::trimatl(sums.PartVV() - v * weights * v.t())).max() <
      limit);
}

//! v v' is complete for every number of columns that a tile may leave over.
TEST_CASE("StageSumsOfAnyWidth", "[VariableProjection]")
{
  for (size_t d = 1; d <= 9; ++d)
  {
    const StageProblem<arma::mat> problem(50, d, 1);
    const size_t units = 3, width = d + 1;
    const StageFunction<> f(problem.data, problem.residuals, problem.none,
        nullptr, units, GBNNActivation::RELU, 0.0);
    // All units are on and linear, so their slopes are 1.
    arma::mat hidden(units * width, 1, arma::fill::zeros);
    hidden.tail_rows(units).fill(1);
    gbnn::StageSums<arma::mat> sums(f, 1000);
    sums.Compute(hidden.memptr());

    const arma::mat v = arma::repmat(arma::join_cols(problem.data,
        arma::mat(1, 50, arma::fill::ones)), units, 1);
    REQUIRE(arma::abs(arma::trimatl(sums.PartVV() - v * v.t())).max() < 1e-10);
  }
}

//! Where v v' is taken over a part of the blocks, the other sums are complete.
TEST_CASE("StageSumsPart", "[VariableProjection]")
{
  const StageProblem<arma::mat> problem(4000, 6, 1);
  const StageFunction<> f(problem.data, problem.residuals, problem.none,
      nullptr, 1, GBNNActivation::TANH, 0.0);
  const arma::mat hidden(7, 1, arma::fill::randn);
  gbnn::StageSums<arma::mat> all(f, 4000), part(f, 500);
  all.Compute(hidden.memptr());
  part.Compute(hidden.memptr());
  REQUIRE(arma::approx_equal(all.UV(), part.UV(), "reldiff", 1e-9));
  REQUIRE(all.PartUU()(1, 1) == Approx(4000));
  REQUIRE(part.PartUU()(1, 1) < 1500);
  REQUIRE(part.PartUU()(1, 1) >= 400);
}

//! The same bits with any number of threads.
TEST_CASE("VariableProjectionThreads", "[VariableProjection]")
{
  const StageProblem<arma::mat> problem(20000, 8, 2);
  arma::mat results[2];
  for (const int threads : { 1, 2 })
  {
    omp_set_num_threads(threads);
    StageFunction<> f(problem.data, problem.residuals, problem.weights, nullptr,
        2, GBNNActivation::LOGISTIC, 1e-2);
    gbnn::Random random(5, 1);
    arma::mat& parameters = results[threads - 1];
    parameters = f.InitialPoint(random);
    VariableProjection().Optimize(f, parameters);
  }
  omp_set_num_threads(1);
  REQUIRE(SameBits(results[0], results[1]));
}

//! The choice follows the cost: few weights here, many there.
TEST_CASE("VariableProjectionPays", "[VariableProjection]")
{
  REQUIRE(VariableProjection::PaysFor(1, 10, 1, 1000));
  REQUIRE(!VariableProjection::PaysFor(4, 784, 10, 60000));
}

TEST_CASE("SmallCholesky", "[VariableProjection]")
{
  arma::arma_rng::set_seed(2);
  const arma::mat half(7, 9, arma::fill::randn);
  const arma::mat a = half * half.t();
  const arma::mat b(7, 2, arma::fill::randn);
  arma::mat factor = a, x = b;
  REQUIRE(gbnn::Cholesky(factor));
  gbnn::SolveCholesky(factor, x);
  REQUIRE(arma::abs(a * x - b).max() < 1e-9);
  arma::mat indefinite = arma::diagmat(arma::vec({ 1.0, -1.0 }));
  REQUIRE(!gbnn::Cholesky(indefinite));
}
