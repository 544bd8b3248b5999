/**
 * @file tests/loss_functions/loss_functions_test.cpp
 *
 * Every formula of the losses against values worked out by hand.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;

//! Labels 1, 1, 1, 0 are the targets 1, 1, 1, -1 with mean m = 1/2, so
//! F_0 = ln((1 + m) / (1 - m)) / 2 = ln(3) / 2.
TEMPLATE_TEST_CASE("LogisticLossStart", "[LossFunctionsTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  using RowType = arma::Row<ElemType>;
  const LogisticLoss loss;
  TestType targets;
  loss.Encode(arma::Row<size_t>({ 1, 1, 1, 0 }), targets);
  REQUIRE(SameBits(targets, TestType({ { 1, 1, 1, -1 } })));

  REQUIRE(loss.Start(targets, RowType()).n_elem == 1);
  REQUIRE(double(loss.Start(targets, RowType())[0]) ==
      Approx(std::log(3.0) / 2).epsilon(1e-6));
  // With weight 3 for the last point both classes weigh 3: F_0 = 0.
  REQUIRE(double(loss.Start(targets, RowType({ 1, 1, 1, 3 }))[0]) ==
      Approx(0).margin(1e-7));
  // F_0 is the argmin of the loss: nothing near it is lower.
  const ElemType start = loss.Start(targets, RowType())[0];
  TestType scores(1, 4);
  const double minimum = loss.Value(targets, scores.fill(start), RowType());
  for (const double step : { -0.1, 0.1 })
    REQUIRE(loss.Value(targets, scores.fill(start + step), RowType()) >
        minimum);
}

//! r = 2 y / (1 + exp(2 y F)).  F = 0: 2 y / 2 = y.  F = ln(3) / 2, so
//! exp(2 F) = 3: y = 1 gives 2 / 4, y = -1 gives -2 / (1 + 1/3) = -3/2.
TEMPLATE_TEST_CASE("LogisticLossResiduals", "[LossFunctionsTest]", arma::mat,
    arma::fmat)
{
  const double f = std::log(3.0) / 2;
  const arma::mat scores = { { 0, 0, f, f } };
  TestType residuals;
  LogisticLoss().Residuals(TestType({ { 1, -1, 1, -1 } }),
      arma::conv_to<TestType>::from(scores), residuals);
  REQUIRE(Difference(residuals, arma::mat({ { 1, -1, 0.5, -1.5 } })) <
      Tolerance<typename TestType::elem_type>);
}

//! rho = sum r h / sum r (2 y - r) h^2.  With y = 1, -1, 1, r = 1, -1, 1/2 and
//! h = 2, 1, -1: the numerator is 2 - 1 - 1/2 = 1/2; the second derivatives are
//! 1, 1, 3/4, so the denominator is 4 + 1 + 3/4; rho = 2/23.
//! With weights 1, 2, 4: (2 - 2 - 2) / (4 + 2 + 3) = -2/9.
TEMPLATE_TEST_CASE("LogisticLossStep", "[LossFunctionsTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  using RowType = arma::Row<ElemType>;
  const TestType y = { { 1, -1, 1 } }, r = { { 1, -1, 0.5 } };
  const TestType h = { { 2, 1, -1 } }, scores(1, 3, arma::fill::zeros);
  const LogisticLoss loss;
  REQUIRE(double(loss.Step(y, scores, r, h, RowType())[0]) ==
      Approx(2.0 / 23).epsilon(1e-6));
  REQUIRE(double(loss.Step(y, scores, r, h, RowType({ 1, 2, 4 }))[0]) ==
      Approx(-2.0 / 9).epsilon(1e-6));
}

//! p = 1 / (1 + exp(-2 F)): 1/2 at 0, and 1 / (1 + 1/3) = 3/4 at ln(3) / 2.
//! L = ln(1 + exp(-2 y F)): ln 2 at 0, and for y = -1 at ln(3) / 2 it is ln 4.
TEMPLATE_TEST_CASE("LogisticLossLinkAndValue", "[LossFunctionsTest]", arma::mat,
    arma::fmat)
{
  using RowType = arma::Row<typename TestType::elem_type>;
  const LogisticLoss loss;
  const arma::mat f = { { 0, std::log(3.0) / 2 } };
  const TestType scores = arma::conv_to<TestType>::from(f);
  TestType p = scores;
  loss.Link(p);
  REQUIRE(Difference(p, arma::mat({ { 0.5, 0.75 } })) <
      Tolerance<typename TestType::elem_type>);

  const TestType y = { { 1, -1 } };
  REQUIRE(loss.Value(y, scores, RowType()) ==
      Approx(1.5 * std::log(2.0)).epsilon(1e-6));
  // (3 ln 2 + 2 ln 2) / 4.
  REQUIRE(loss.Value(y, scores, RowType({ 3, 1 })) ==
      Approx(1.25 * std::log(2.0)).epsilon(1e-6));
}

TEMPLATE_TEST_CASE("LogisticLossGuards", "[LossFunctionsTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  using RowType = arma::Row<ElemType>;
  const LogisticLoss loss;

  // Scores so large that exp() would overflow.
  const TestType y = { { 1, 1, -1, -1 } };
  const TestType scores = { { 1e4, -1e4, 1e4, -1e4 } };
  TestType residuals, p = scores;
  loss.Residuals(y, scores, residuals);
  REQUIRE(Difference(residuals, arma::mat({ { 0, 2, -2, 0 } })) < 1e-30);
  loss.Link(p);
  REQUIRE(Difference(p, arma::mat({ { 1, 0, 1, 0 } })) < 1e-30);
  // L = 2e4 for the two that are wrong, 0 for the others.
  REQUIRE(loss.Value(y, scores, RowType()) == Approx(1e4));

  // Where all is certain the loss is flat, and the step must stay finite.
  const TestType ones(1, 4, arma::fill::ones), zeros(1, 4, arma::fill::zeros);
  REQUIRE(loss.Step(y, scores, zeros, ones, RowType())[0] == 0);
  // A stage whose output is zero.
  REQUIRE(loss.Step(y, zeros, y, zeros, RowType())[0] == 0);
  const TestType tiny(1, 4, arma::fill::value(ElemType(1e-30)));
  REQUIRE(loss.Step(y, zeros, tiny, tiny, RowType()).is_finite());

  // One class only: F_0 stays finite and the probability is 1 (or 0).
  for (const double sign : { 1.0, -1.0 })
  {
    TestType f(1, 1);
    f[0] = loss.Start(TestType(sign * ones), RowType())[0];
    REQUIRE(f.is_finite());
    loss.Link(f);
    REQUIRE(double(f[0]) == Approx((1 + sign) / 2).margin(
        std::numeric_limits<ElemType>::epsilon()));
  }
}

//! F = (0, ln 2, ln 5): the exponentials are 1, 2, 5 with sum 8, so
//! p = (1, 2, 5) / 8.
TEMPLATE_TEST_CASE("CrossEntropyLossFormulas", "[LossFunctionsTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  using RowType = arma::Row<ElemType>;
  const double tolerance = Tolerance<ElemType>;
  const CrossEntropyLoss loss;
  TestType y;
  loss.Encode(arma::Row<size_t>({ 2, 0 }), 3, y);
  REQUIRE(SameBits(y, TestType({ { 0, 1 }, { 0, 0 }, { 1, 0 } })));
  REQUIRE(SameBits(TestType(loss.Start(y, RowType())),
      TestType(3, 1, arma::fill::zeros)));

  const arma::mat f = { { 0, 0 }, { std::log(2.0), 0 }, { std::log(5.0), 0 } };
  const TestType scores = arma::conv_to<TestType>::from(f);
  TestType p = scores, r;
  loss.Link(p);
  REQUIRE(Difference(p, arma::mat({ { 1 / 8.0, 1 / 3.0 }, { 1 / 4.0, 1 / 3.0 },
      { 5 / 8.0, 1 / 3.0 } })) < tolerance);

  // r = y - p.
  loss.Residuals(y, scores, r);
  REQUIRE(Difference(r, arma::mat({ { -1 / 8.0, 2 / 3.0 },
      { -1 / 4.0, -1 / 3.0 }, { 3 / 8.0, -1 / 3.0 } })) < tolerance);

  // L = -ln(5/8) and -ln(1/3).
  const double first = std::log(8.0 / 5), second = std::log(3.0);
  REQUIRE(loss.Value(y, scores, RowType()) ==
      Approx((first + second) / 2).epsilon(1e-6));
  REQUIRE(loss.Value(y, scores, RowType({ 1, 3 })) ==
      Approx((first + 3 * second) / 4).epsilon(1e-6));

  // rho_k = sum r_k h_k / sum p_k (1 - p_k) h_k^2, one for each class:
  // (-1/8 + 2) / (7/64 + 9 * 2/9) = 8/9;
  // (-1/2) / (4 * 3/16) = -2/3;
  // (-3/8 - 1/3) / (15/64 + 2/9) = -408/263.
  const TestType h = { { 1, 3 }, { 2, 0 }, { -1, 1 } };
  const arma::vec rho = { 8 / 9.0, -2 / 3.0, -408 / 263.0 };
  REQUIRE(Difference(loss.Step(y, scores, r, h, RowType()), rho) < tolerance);
  // The second point with weight 2 instead:
  // (-1/8 + 4) / (7/64 + 4) = 248/263; -2/3;
  // (-3/8 - 2/3) / (15/64 + 4/9) = -600/391.
  const arma::vec weighted = { 248 / 263.0, -2 / 3.0, -600 / 391.0 };
  REQUIRE(Difference(loss.Step(y, scores, r, h, RowType({ 1, 2 })), weighted) <
      tolerance);
}

TEMPLATE_TEST_CASE("CrossEntropyLossGuards", "[LossFunctionsTest]", arma::mat,
    arma::fmat)
{
  using RowType = arma::Row<typename TestType::elem_type>;
  const CrossEntropyLoss loss;
  const TestType scores = { { 1e4, -1e4 }, { 0, 0 }, { -1e4, 1e4 } };
  const TestType y = { { 1, 1 }, { 0, 0 }, { 0, 0 } };
  TestType p = scores, r;
  loss.Link(p);
  REQUIRE(Difference(p, arma::mat({ { 1, 0 }, { 0, 0 }, { 0, 1 } })) < 1e-30);
  // Nor are infinite scores a reason for NaN.
  const auto infinity = arma::Datum<typename TestType::elem_type>::inf;
  TestType large = { { infinity, 0 }, { infinity, -infinity }, { 0, 0 } };
  loss.Link(large);
  REQUIRE(Difference(large, arma::mat({ { 0.5, 0.5 }, { 0.5, 0 },
      { 0, 0.5 } })) < 1e-6);
  // 0 for the first point, F_2 - F_0 = 2e4 for the second.
  REQUIRE(loss.Value(y, scores, RowType()) == Approx(1e4));
  // All probabilities are 0 or 1: p (1 - p) vanishes for every class.
  loss.Residuals(y, scores, r);
  const TestType ones(3, 2, arma::fill::ones), zeros(3, 2, arma::fill::zeros);
  REQUIRE(loss.Step(y, scores, r, ones, RowType()).is_finite());
  REQUIRE(arma::all(loss.Step(y, zeros, y, zeros, RowType()) == 0));
}

TEMPLATE_TEST_CASE("SquaredErrorLossFormulas", "[LossFunctionsTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  using RowType = arma::Row<ElemType>;
  const double tolerance = Tolerance<ElemType>;
  const SquaredErrorLoss loss;
  const TestType y = { { 1, 2, 6 }, { -1, 0, 4 } };

  // Means 9/3 and 3/3; with weights 2, 1, 1: 10/4 and 2/4.
  REQUIRE(Difference(loss.Start(y, RowType()), arma::vec({ 3, 1 })) <
      tolerance);
  REQUIRE(Difference(loss.Start(y, RowType({ 2, 1, 1 })),
      arma::vec({ 2.5, 0.5 })) < tolerance);

  TestType r, scores = { { 3, 3, 3 }, { 1, 1, 1 } };
  loss.Residuals(y, scores, r);
  REQUIRE(Difference(r, arma::mat({ { -2, -1, 3 }, { -2, -1, 3 } })) <
      tolerance);

  // rho_k = sum r_k h_k / sum h_k^2: (-2 - 1 + 6) / (1 + 1 + 4) = 1/2 and
  // (2 - 0 + 0) / 1 = 2; with weights 2, 1, 1: (-4 - 1 + 6) / 7 and 2.
  const TestType h = { { 1, 1, 2 }, { -1, 0, 0 } };
  REQUIRE(Difference(loss.Step(y, scores, r, h, RowType()),
      arma::vec({ 0.5, 2 })) < tolerance);
  REQUIRE(Difference(loss.Step(y, scores, r, h, RowType({ 2, 1, 1 })),
      arma::vec({ 1 / 7.0, 2 })) < tolerance);
  // An output that does not answer gets no step, the other keeps its own.
  TestType half = h;
  half.row(1).zeros();
  REQUIRE(Difference(loss.Step(y, scores, r, half, RowType()),
      arma::vec({ 0.5, 0 })) < tolerance);

  // ((4 + 4) + (1 + 1) + (9 + 9)) / 2 / 3 = 14/3.
  REQUIRE(loss.Value(y, scores, RowType()) == Approx(14 / 3.0).epsilon(1e-6));
  // (2 * 8 + 2 + 18) / 2 / 4 = 4.5.
  REQUIRE(loss.Value(y, scores, RowType({ 2, 1, 1 })) ==
      Approx(4.5).epsilon(1e-6));
  const TestType before = scores;
  loss.Link(scores);
  REQUIRE(SameBits(scores, before));
}

//! For every loss: the residual is the negative derivative of the value, and
//! the step is the quotient of the first and second derivative along the
//! stage's output, all by finite differences.
template<typename LossType>
void CheckDerivatives(const LossType& loss, const arma::mat& y)
{
  arma::arma_rng::set_seed(3);
  const arma::mat scores(y.n_rows, y.n_cols, arma::fill::randn);
  const arma::mat h(y.n_rows, y.n_cols, arma::fill::randn);
  const arma::rowvec weights(y.n_cols, arma::fill::randu);
  arma::mat r;
  loss.Residuals(y, scores, r);
  const double total = arma::accu(weights), step = 1e-4;

  for (size_t i = 0; i < y.n_elem; ++i)
  {
    arma::mat up = scores, down = scores;
    up[i] += step;
    down[i] -= step;
    const double slope = (loss.Value(y, up, weights) - loss.Value(y, down,
        weights)) / (2 * step) * total / weights[i / y.n_rows];
    REQUIRE(r[i] == Approx(-slope).margin(1e-6));
  }

  const arma::vec rho = loss.Step(y, scores, r, h, weights);
  for (size_t k = 0; k < y.n_rows; ++k)
  {
    arma::mat up = scores, down = scores;
    up.row(k) += step * h.row(k);
    down.row(k) -= step * h.row(k);
    const double high = loss.Value(y, up, weights);
    const double low = loss.Value(y, down, weights);
    const double middle = loss.Value(y, scores, weights);
    REQUIRE(rho[k] == Approx(-(high - low) / (2 * step) /
        ((high - 2 * middle + low) / (step * step))).epsilon(1e-4));
  }
}

TEST_CASE("LossDerivatives", "[LossFunctionsTest]")
{
  arma::mat y;
  LogisticLoss().Encode(arma::Row<size_t>({ 1, 0, 0, 1, 1 }), y);
  CheckDerivatives(LogisticLoss(), y);
  CrossEntropyLoss().Encode(arma::Row<size_t>({ 3, 0, 2, 1, 1 }), 4, y);
  CheckDerivatives(CrossEntropyLoss(), y);
  arma::arma_rng::set_seed(4);
  CheckDerivatives(SquaredErrorLoss(), arma::mat(2, 5, arma::fill::randn));
}

//! A loss of a user's own, most of which is that of another.
class HalfLogLoss : public LogLoss
{
 public:
  template<typename MatType>
  void Residuals(const MatType& targets,
                 const MatType& scores,
                 MatType& residuals) const
  {
    LogLoss::Residuals(targets, scores, residuals);
    residuals /= 2;
  }

  template<typename MatType, typename RowType>
  double Value(const MatType& targets,
               const MatType& scores,
               const RowType& weights) const
  {
    return LogLoss::Value(targets, scores, weights) / 2;
  }
};

//! Value and residuals together are what they are one by one, also where scores
//! are large.
TEMPLATE_TEST_CASE("ValueAndResiduals", "[LossFunctionsTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  static_assert(gbnn::HasValueAndResiduals<LogLoss>);
  static_assert(!gbnn::HasValueAndResiduals<SquaredErrorLoss>);
  const auto check = [](const auto& loss, const TestType& y)
  {
    arma::arma_rng::set_seed(5);
    arma::Row<ElemType> weights(y.n_cols, arma::fill::randu);
    weights[1] = 0;
    for (const double size : { 0.1, 3.0, 2000.0 })
    {
      const TestType scores = ElemType(size) * TestType(y.n_rows, y.n_cols,
          arma::fill::randn);
      for (const auto& w : { arma::Row<ElemType>(), weights })
      {
        TestType expected, r;
        loss.Residuals(y, scores, expected);
        REQUIRE(gbnn::ValueAndResiduals(loss, y, scores, w, r) ==
            Approx(loss.Value(y, scores, w)).epsilon(Tolerance<ElemType>));
        REQUIRE(Difference(r, expected) < Tolerance<ElemType>);
      }
    }
  };
  const arma::Row<size_t> labels = { 3, 0, 2, 1, 1, 3, 0 };
  TestType y;
  LogLoss loss;
  loss.Encode(labels, 4, y);
  check(loss, y);
  check(SquaredErrorLoss(), y);
  // What inherits from a loss is another one.
  static_assert(!gbnn::HasValueAndResiduals<HalfLogLoss>);
  HalfLogLoss half;
  half.Encode(labels, 4, y);
  check(half, y);
  loss.Encode(arma::Row<size_t>(labels - 2 * (labels / 2)), 2, y);
  check(loss, y);
}

//! The number of classes decides which of the two losses it is.
TEST_CASE("LogLossIsOneOfTwo", "[LossFunctionsTest]")
{
  const arma::Row<size_t> labels = { 1, 0, 1 };
  LogLoss loss;
  arma::mat y, expected;
  loss.Encode(labels, 2, y);
  LogisticLoss().Encode(labels, expected);
  REQUIRE(SameBits(y, expected));
  REQUIRE(loss.OutputScale() == 2);
  REQUIRE(loss.Output() == gbnn::OutputLayer::SIGMOID);
  REQUIRE(loss.Start(y, arma::rowvec())[0] ==
      LogisticLoss().Start(y, arma::rowvec())[0]);

  loss.Encode(labels, 3, y);
  CrossEntropyLoss().Encode(labels, 3, expected);
  REQUIRE(SameBits(y, expected));
  REQUIRE(loss.OutputScale() == 1);
  REQUIRE(loss.Output() == gbnn::OutputLayer::SOFTMAX);
  REQUIRE(loss.Start(y, arma::rowvec()).n_elem == 3);
}
