/**
 * @file benchmarks/cpp/pieces.cpp
 *
 * What piecewise-linear inputs cost: how long it takes to evaluate the
 * objective of a stage and that of refinement, with gradient, and to predict,
 * over the same with linear inputs, on one thread.
 *
 *     gbnn_pieces_benchmark [POINTS [DIMENSIONS [UNITS]]]
 *
 * 4,000 points, 10 dimensions and 200 units unless given.  Exit code 1 if, with
 * 16 bins, a stage of three units or refinement takes more than twice as long,
 * or predictions more than 1.5 times as long.
 */
#include <mlpack/methods/gbnn.hpp>

#include "measure.hpp"

using namespace mlpack;

//! Seconds that each of the parts takes.
struct Times
{
  //! A stage of one unit, and one of three, in double and single precision.
  double one, three, threeFloat;
  double refinement;
  //! Predictions for all points at once, and for one after the other.
  double prediction, single;
};

//! Seconds of processor time that a call takes.
template<typename FunctionType>
static double TimeOf(const FunctionType& f)
{
  return benchmark::TimeShort(f, 0.5).cpu;
}

//! One evaluation of a stage.
template<typename MatType>
static double TimeStage(const MatType& data,
                        const MatType& residuals,
                        const size_t units,
                        const gbnn::InputPieces& pieces)
{
  gbnn::Random random(1, gbnn::RandomStream::STAGE_ORDER);
  const arma::Row<typename MatType::elem_type> weights;
  const StageFunction<MatType> function(data, residuals, weights, nullptr,
      units, GBNNActivation::LOGISTIC, 0.01, random, pieces);
  const MatType parameters = function.InitialPoint(random);
  MatType gradient;
  return TimeOf([&]()
      {
        function.EvaluateWithGradient(parameters, gradient);
      });
}

//! @param bins Most bins of a dimension, or 0 for linear inputs.
static Times Measure(const arma::mat& data,
                     const arma::mat& targets,
                     const size_t units,
                     const size_t bins)
{
  PiecewiseLinear encoding(std::max<size_t>(1, bins));
  gbnn::InputPieces pieces;
  arma::mat positions = data;
  if (bins > 0)
  {
    encoding.Fit(data);
    encoding.Positions(data, positions);
    pieces = gbnn::InputPieces(encoding.NumBins());
  }
  Times times;
  times.one = TimeStage<arma::mat>(positions, targets, 1, pieces);
  times.three = TimeStage<arma::mat>(positions, targets, 3, pieces);
  times.threeFloat = TimeStage<arma::fmat>(
      arma::conv_to<arma::fmat>::from(positions),
      arma::conv_to<arma::fmat>::from(targets), 3, pieces);

  BoostedNetwork<arma::mat> network(data.n_rows, arma::vec(1,
      arma::fill::zeros), GBNNActivation::LOGISTIC, pieces);
  const size_t inputs = network.Inputs();
  arma::mat scores(1, data.n_cols, arma::fill::zeros);
  network.Append(arma::mat(units * (inputs + 2) + 1, 1, arma::fill::randn) /
      std::sqrt(double(inputs)), units, arma::vec(1, arma::fill::ones),
      positions, scores);

  const arma::rowvec weights;
  const SquaredErrorLoss loss;
  const RefineFunction<arma::mat, SquaredErrorLoss, float> function(positions,
      targets, weights, nullptr, network, loss, { 1, 1, { units / 4, units / 2,
      units }, { 0.25, 0.25, 0.5 }, 0.1 });
  // The function keeps its last value; go back and forth between two points.
  const arma::mat first = function.InitialPoint(), second = first * 0.99;
  arma::mat gradient;
  times.refinement = TimeOf([&]()
      {
        function.Evaluate(first, &gradient);
        function.Evaluate(second, &gradient);
      }) / 2;

  times.prediction = TimeOf([&]()
      {
        if (bins > 0)
          encoding.Positions(data, positions);
        network.Evaluate(positions, units, scores);
      });
  arma::vec position, score;
  times.single = TimeOf([&]()
      {
        for (size_t i = 0; i < 100; ++i)
        {
          if (bins > 0)
            encoding.Positions(arma::vec(data.col(i)), position);
          else
            position = data.col(i);
          network.EvaluatePoint(position, units, score);
        }
      }) / 100;
  return times;
}

int main(int argc, char** argv)
{
  const size_t points = (argc > 1) ? std::stoul(argv[1]) : 4000;
  const size_t dimensions = (argc > 2) ? std::stoul(argv[2]) : 10;
  const size_t units = (argc > 3) ? std::stoul(argv[3]) : 200;
#ifdef MLPACK_USE_OPENMP
  omp_set_num_threads(1);
#endif
  arma::arma_rng::set_seed(1);
  const arma::mat data(dimensions, points, arma::fill::randn);
  const arma::mat targets = arma::sin(2 * arma::sum(data, 0));

  std::printf("%-8s %9s %9s %9s %9s %9s %9s\n", "bins", "1 unit", "3 units",
      "3, float", "refine", "predict", "a point");
  const Times linear = Measure(data, targets, units, 0);
  const auto print = [&](const std::string& name, const Times& t,
                         const Times& by, const char* format)
  {
    std::printf("%-8s", name.c_str());
    const std::pair<double, double> all[] = { { t.one, by.one },
        { t.three, by.three }, { t.threeFloat, by.threeFloat },
        { t.refinement, by.refinement }, { t.prediction, by.prediction },
        { t.single, by.single } };
    for (const auto& [time, unit] : all)
      std::printf(format, time / unit);
    std::printf("\n");
    std::fflush(stdout);
  };
  const double us = 1e-6;
  print("us", linear, { us, us, us, us, us, us }, " %9.1f");
  bool reached = true;
  for (const size_t bins : { 2, 8, 16, 40, 256 })
  {
    const Times times = Measure(data, targets, units, bins);
    print(std::to_string(bins), times, linear, " %9.2f");
    if (bins == 16)
      reached = (times.three <= 2 * linear.three &&
          times.refinement <= 2 * linear.refinement &&
          times.prediction <= 1.5 * linear.prediction);
  }
  return reached ? 0 : 1;
}
