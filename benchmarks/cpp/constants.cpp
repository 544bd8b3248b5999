/**
 * @file benchmarks/cpp/constants.cpp
 *
 * What the constants of the method were chosen by: each section prints a table
 * for one or a few of them.  doc/developer/constants.md has the tables.
 *
 *     gbnn_constants_benchmark SECTION [DATA_FOLDER]
 *
 * Sections: `arithmetic`, `blocks`, `metric`, `precision`, `threads`, and, on
 * the data sets of the folder, `projection` and `tolerances`.  Times are of the
 * processor, on one thread; only `threads` uses two and the clock on the wall.
 */
#include <cstdio>

#include <mlpack/methods/gbnn.hpp>
#include <mlpack/methods/gbnn/stage/single_precision_optimizer.hpp>

#include "../../experiments/common/data_sets.hpp"
#include "measure.hpp"

using namespace mlpack;

//! Seconds of processor time that a call takes.
template<typename FunctionType>
static double TimeOf(const FunctionType& f)
{
  return benchmark::TimeShort(f, 0.2).cpu;
}

//! Points of normally distributed numbers, and something to fit.
struct Generated
{
  Generated(const size_t dimensions, const size_t points, const size_t outputs)
  {
    arma::arma_rng::set_seed(1);
    data.randn(dimensions, points);
    residuals.set_size(outputs, points);
    for (size_t k = 0; k < outputs; ++k)
      residuals.row(k) = arma::sin(2 * data.row(k % dimensions)) +
          0.5 * arma::sum(data, 0) / std::sqrt(double(dimensions));
  }

  arma::mat data, residuals;
};

/**
 * What an activation costs, in multiplications and additions of a product, what
 * these cost in single precision, and what those of a Cholesky factor cost.
 */
static void Arithmetic()
{
  const size_t inputs = 16, units = 4, strips = 16;
  const auto measure = [&](const char* name, const auto zero)
  {
    using T = std::decay_t<decltype(zero)>;
    const size_t size = strips * gbnn::StripSize<T>;
    arma::Col<T> in(inputs * size, arma::fill::randn);
    arma::Col<T> out(units * size, arma::fill::zeros);
    arma::Col<T> w(inputs * units, arma::fill::randn);
    arma::Mat<T> products(inputs, inputs, arma::fill::zeros);
    const gbnn::Strips<const T> points = { in.memptr(), inputs };
    const double product = TimeOf([&]()
        {
          gbnn::Affine<T>(points, { w.memptr(), inputs, 1 }, nullptr,
              { out.memptr(), units }, strips);
        }) / double(inputs * units * size);
    const double square = TimeOf([&]()
        {
          products.zeros();
          gbnn::Correlate<T>(points, points, { products.memptr(), 1, inputs },
              strips);
        }) / double(inputs * inputs * size);
    std::printf("%-8s %10.4f %10.4f", name, 1e9 * product, 1e9 * square);
    for (const GBNNActivation activation : { GBNNActivation::LOGISTIC,
        GBNNActivation::TANH, GBNNActivation::RELU })
    {
      const double time = TimeOf([&]()
          {
            gbnn::Activate(activation, out.memptr(), out.n_elem);
          }) / double(out.n_elem);
      std::printf(" %10.1f", time / product);
    }
    std::printf("\n");
  };
  std::printf("%-8s %10s %10s %10s %10s %10s\n", "type", "product,ns",
      "sum,ns", "logistic", "tanh", "relu");
  measure("double", 0.0);
  measure("float", 0.0f);

  // p^3 / 6 multiplications and additions.
  std::printf("%-8s %10s\n", "p", "factor,ns");
  for (const size_t p : { 10, 30, 100, 200 })
  {
    const arma::mat root(p, p, arma::fill::randn);
    const arma::mat matrix = root * root.t() + arma::eye(p, p);
    arma::mat copy;
    const double time = TimeOf([&]()
        {
          copy = matrix;
          gbnn::Cholesky(copy);
        });
    std::printf("%-8zu %10.4f\n", p, 6e9 * time / double(p * p * p));
  }
}

//! Nanoseconds for a point and an input of a pass over points in blocks of so
//! many: hidden layer, activation and gradient.
static double TimePass(const arma::mat& data,
                       const size_t blockSize,
                       const bool keep)
{
  const size_t inputs = data.n_rows, units = 3;
  const gbnn::PointBlocks<arma::mat> blocks = keep ?
      gbnn::PointBlocks<arma::mat>(data, nullptr, blockSize) :
      gbnn::PointBlocks<arma::mat>(data, blockSize, gbnn::InputPieces());
  arma::vec scratch(blocks.ScratchSize()), memory(units * blockSize);
  const arma::mat w(inputs, units, arma::fill::randn);
  arma::mat gradient(inputs, units, arma::fill::zeros);
  const gbnn::Strips<double> hidden = { memory.memptr(), units };
  const double time = TimeOf([&]()
      {
        for (size_t b = 0; b < blocks.NumBlocks(); ++b)
        {
          const gbnn::Strips<const double> points = blocks.Block(b,
              scratch.memptr());
          const size_t strips = gbnn::NumStrips<double>(blocks.Count(b));
          gbnn::Affine<double>(points, { w.memptr(), inputs, 1 }, nullptr,
              hidden, strips);
          gbnn::Activate(GBNNActivation::LOGISTIC, hidden.values, units *
              strips * gbnn::StripSize<double>);
          gbnn::Correlate<double>(hidden, points, { gradient.memptr(), inputs,
              1 }, strips);
        }
      });
  return 1e9 * time / double(data.n_elem);
}

//! Time by the number of strips of a block, and of points that are not kept.
static void Blocks()
{
  std::printf("%-8s", "inputs");
  const size_t sizes[] = { 1, 2, 4, 8, 16, 32, 64, 128 };
  for (const size_t strips : sizes)
    std::printf(" %7zu", strips);
  std::printf(" %7s %7s\n", "chosen", "packed");
  for (const size_t inputs : { 4, 16, 64, 256 })
  {
    const Generated generated(inputs, 1000000 / inputs, 1);
    std::printf("%-8zu", inputs);
    for (const size_t strips : sizes)
      std::printf(" %7.3f", TimePass(generated.data, strips *
          gbnn::StripSize<double>, true));
    const size_t chosen = gbnn::BlockSize<double>(inputs);
    std::printf(" %7zu %7.3f\n", chosen / gbnn::StripSize<double>,
        TimePass(generated.data, chosen, false));
  }
}

//! What becomes of the Gauss-Newton matrix H when it is summed over some of the
//! points: the extreme eigenvalues of the result relative to H, and the time.
static void Metric()
{
  std::printf("%8s %8s %10s %10s %10s %10s\n", "weights", "points",
      "a weight", "lowest", "highest", "time");
  for (const size_t inputs : { 9, 49, 199 })
  {
    const size_t units = 2, p = units * (inputs + 1);
    const Generated generated(inputs, 20000, 1);
    const arma::rowvec none;
    const StageFunction<arma::mat> function(generated.data,
        generated.residuals, none, nullptr, units, GBNNActivation::LOGISTIC, 0);
    const arma::vec hidden = 0.3 * arma::vec(p, arma::fill::randn);
    const arma::mat output(units + 1, 1, arma::fill::ones);
    arma::mat root;
    double wholeTime = 0;
    // First with all points.
    for (const size_t share : { 0, 20, 5, 2, 1 })
    {
      const size_t maxPoints = (share == 0) ? 20000 : share * p;
      gbnn::StageSums<arma::mat> sums(function, maxPoints);
      arma::vec gradient;
      arma::mat matrix;
      sums.Evaluate(hidden);
      const double time = TimeOf([&]()
          {
            sums.Differentiate(output, gradient, matrix);
          });
      sums.Differentiate(output, gradient, matrix);
      matrix = arma::symmatl(matrix);
      if (share == 0)
      {
        root = arma::inv(arma::trimatl(arma::chol(matrix, "lower")));
        wholeTime = time;
        continue;
      }
      const arma::vec values = arma::eig_sym(arma::symmatl(root * matrix *
          root.t()));
      std::printf("%8zu %8.0f %10zu %10.3f %10.3f %10.3f\n", p,
          sums.PartWeight(), share, values.min(), values.max(), time /
          wholeTime);
    }
  }
}

//! How much faster a stage in single precision is, and how far its objective is
//! off when inputs are far from zero compared to their range.
static void SinglePrecision()
{
  std::printf("%8s %8s %10s\n", "points", "inputs", "speed-up");
  for (const size_t points : { 200, 1000, 10000 })
  {
    for (const size_t inputs : { 8, 32 })
    {
      const Generated generated(inputs, points, 1);
      const arma::fmat data = arma::conv_to<arma::fmat>::from(generated.data);
      const arma::rowvec none;
      StageFunction<arma::mat> function(generated.data, generated.residuals,
          none, nullptr, 2, GBNNActivation::LOGISTIC, 0);
      gbnn::Random random(1, gbnn::RandomStream::STAGE);
      const arma::mat start = function.InitialPoint(random);
      const auto time = [&](auto optimizer)
      {
        return TimeOf([&]()
            {
              arma::mat parameters = start;
              optimizer.Optimize(function, parameters);
            });
      };
      const double slow = time(StageOptimizer());
      const double fast = time(SinglePrecisionOptimizer(data));
      std::printf("%8zu %8zu %10.2f\n", points, inputs, slow / fast);
    }
  }

  std::printf("%12s %12s\n", "size/range", "error");
  for (const int power : { 0, 5, 8, 10, 12, 15, 18 })
  {
    // Inputs from 2^power to 2^power + 1, with weights that undo the shift.
    const Generated generated(8, 1000, 1);
    const double shift = std::ldexp(1.0, power);
    const arma::mat data = arma::normcdf(generated.data) + shift;
    const arma::fmat single = arma::conv_to<arma::fmat>::from(data);
    const arma::fmat residuals = arma::conv_to<arma::fmat>::from(
        generated.residuals);
    const arma::rowvec none;
    const arma::frowvec noneSingle;
    const StageFunction<arma::mat> function(data, generated.residuals, none,
        nullptr, 1, GBNNActivation::LOGISTIC, 0);
    const StageFunction<arma::fmat> singleFunction(single, residuals,
        noneSingle, nullptr, 1, GBNNActivation::LOGISTIC, 0);
    arma::mat parameters(function.NumParameters(), 1, arma::fill::ones);
    parameters[8] = -8 * (shift + 0.5);
    arma::mat gradient;
    arma::fmat singleGradient;
    function.EvaluateWithGradient(parameters, gradient);
    singleFunction.EvaluateWithGradient(arma::conv_to<arma::fmat>::from(
        parameters), singleGradient);
    // The output layer's part does not have the size of the inputs in it.
    const arma::mat difference = (arma::conv_to<arma::mat>::from(
        singleGradient) - gradient).eval().tail_rows(2);
    std::printf("%12.0f %12.1e\n", shift, arma::norm(difference) /
        arma::norm(arma::mat(gradient.tail_rows(2))));
  }
}

//! How long it takes to have a second thread do something, and how much work
//! one thread does meanwhile.
static void Threads()
{
#ifdef MLPACK_USE_OPENMP
  omp_set_num_threads(2);
#endif
  volatile size_t sink = 0;
  const double wake = benchmark::TimeShort([&]()
      {
        gbnn::InParallel(2, [&](const size_t task) { sink = task; });
      }, 1.0).wall;
#ifdef MLPACK_USE_OPENMP
  omp_set_num_threads(1);
#endif
  const Generated generated(10, 4000, 1);
  const arma::rowvec none;
  const StageFunction<arma::mat> function(generated.data, generated.residuals,
      none, nullptr, 1, GBNNActivation::LOGISTIC, 0);
  const arma::mat parameters(function.NumParameters(), 1, arma::fill::ones);
  arma::mat gradient;
  const double once = TimeOf([&]()
      {
        function.EvaluateWithGradient(parameters, gradient);
      });
  // As StageFunction counts it.
  const double work = 4.0 * (10 + 1 + 8) * 4000;
  std::printf("two tasks for two threads take %.2f us\n", 1e6 * wake);
  std::printf("100000 operations of a stage take %.2f us\n", 1e6 * once *
      100000 / work);
}

//! The data sets on which optimizers are compared: few and many inputs, points
//! and outputs.
static std::vector<experiments::DataSet> DataSets(const std::string& folder)
{
  const std::vector<std::string> names = { "banknote", "diabetes", "boston",
      "concrete", "vehicle", "ionosphere", "spambase", "digits" };
  std::vector<experiments::DataSet> sets;
  for (const experiments::Task& task : experiments::TabularTasks())
  {
    if (std::find(names.begin(), names.end(), task.name) != names.end())
      sets.push_back(experiments::Load(folder, task));
  }
  return sets;
}

//! Train on a part of a data set; returns its mean loss on the other part.
template<typename OptimizerType>
static double TrainAndTest(const experiments::Split& split,
                           const size_t units,
                           const size_t perStage,
                           OptimizerType& optimizer)
{
  const auto loss = [&](const auto& model, const auto& truth)
  {
    arma::mat scores;
    model.Scores(split.test.points, scores);
    return model.Loss().Value(model.Targets("constants", truth), scores,
        arma::rowvec());
  };
  if (split.train.IsRegression())
  {
    GBNNRegressor<> model(units, perStage, 0.1, 0.75);
    model.Seed() = 1;
    model.Train(split.train.points, split.train.targets, optimizer);
    return loss(model, split.test.targets);
  }
  GBNNClassifier<> model(units, perStage, 0.1, 0.75);
  model.Seed() = 1;
  model.Train(split.train.points, split.train.Labels(), split.train.classes,
      optimizer);
  return loss(model, split.test.Labels());
}

//! A stage whose evaluations are counted.
class CountedFunction
{
 public:
  CountedFunction(StageFunction<arma::mat>& function) : function(function) { }

  double Evaluate(const arma::mat& parameters)
  {
    ++count;
    return function.Evaluate(parameters);
  }

  void Gradient(const arma::mat& parameters, arma::mat& gradient)
  {
    EvaluateWithGradient(parameters, gradient);
  }

  double EvaluateWithGradient(const arma::mat& parameters, arma::mat& gradient)
  {
    ++count;
    return function.EvaluateWithGradient(parameters, gradient);
  }

  size_t count = 0;

 private:
  StageFunction<arma::mat>& function;
};

//! A callback that stops an optimizer once it has reached a value.
struct StopAtValue
{
  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool Evaluate(OptimizerType&, FunctionType&, const MatType&,
                const double value)
  {
    reached = reached || (value <= goal);
    return reached;
  }

  double goal;
  bool reached = false;
};

//! A callback that counts the steps taken.
struct StepCounter
{
  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType&, FunctionType&, MatType&)
  {
    ++count;
    return false;
  }

  size_t count = 0;
};

/**
 * An optimizer that fits each stage by variable projection and by L-BFGS, from
 * the same start, and adds up what they take: L-BFGS until it fits as well, and
 * L-BFGS with the tolerance of StageOptimizer.  Training goes on with variable
 * projection.
 */
class BothOptimizers
{
 public:
  template<typename MatType, typename... CallbackTypes>
  typename MatType::elem_type Optimize(StageFunction<MatType>& function,
                                       MatType& parameters,
                                       CallbackTypes&&...)
  {
    const MatType start = parameters;
    VariableProjection projection;
    double value = 0;
    StepCounter steps;
    projectionTime += benchmark::Time([&]()
        {
          value = projection.Optimize(function, parameters, steps);
        }).cpu;
    projectionSteps += steps.count;
    projectionEvaluations += Evaluations(function, start, parameters);

    CountedFunction counted(function);
    MatType other = start;
    ens::L_BFGS lbfgs = StageOptimizer::DefaultLBFGS();
    StopAtValue stop = { function.Evaluate(parameters) };
    lbfgsTime += benchmark::Time([&]()
        {
          lbfgs.Optimize(counted, other, stop);
        }).cpu;
    lbfgsEvaluations += counted.count;
    reached += stop.reached ? 1 : 0;

    other = start;
    lbfgs = StageOptimizer().LBFGSFor(function);
    tolerantTime += benchmark::Time([&]()
        {
          lbfgs.Optimize(function, other);
        }).cpu;
    ++stages;
    pays = StageOptimizer::Projects(function);
    points = function.NumFunctions();
    outputs = function.Outputs();
    return value;
  }

  size_t stages = 0, points = 0, outputs = 0;
  size_t projectionSteps = 0, projectionEvaluations = 0, lbfgsEvaluations = 0;
  //! Stages that L-BFGS fits as well.
  size_t reached = 0;
  double projectionTime = 0, lbfgsTime = 0, tolerantTime = 0;
  bool pays = false;

 private:
  //! Evaluations that led to a result: one at the start, and one for each of
  //! the fewest iterations that end there.
  template<typename MatType>
  static size_t Evaluations(StageFunction<MatType>& function,
                            const MatType& start,
                            const MatType& result)
  {
    size_t low = 0, high = VariableProjection().MaxIterations();
    while (low < high)
    {
      const size_t middle = (low + high) / 2;
      MatType parameters = start;
      VariableProjection(middle).Optimize(function, parameters);
      if (arma::approx_equal(parameters, result, "absdiff", 0))
        high = middle;
      else
        low = middle + 1;
    }
    return low + 1;
  }
};

/**
 * Evaluations, steps and time of both optimizers.  The speed-up is how many
 * times as long L-BFGS takes until it fits as well as variable projection, or
 * gives up; `tolerant` is the same for L-BFGS as StageOptimizer uses it.
 */
static void Projection(const std::string& folder)
{
  std::printf("%-11s %6s %3s %3s %3s %8s %8s %10s %8s %8s %9s %5s\n", "set",
      "points", "d", "K", "J", "eval./J", "steps/J", "lbfgs/J^2", "reached",
      "speed-up", "tolerant", "pays");
  for (const experiments::DataSet& set : DataSets(folder))
  {
    const experiments::Split split(set, experiments::Folds(set, 5, 1), 0);
    for (const size_t units : { 1, 2, 3, 4 })
    {
      BothOptimizers both;
      TrainAndTest(split, 20 * units, units, both);
      const double stages = double(both.stages), j = double(units);
      std::printf("%-11s %6zu %3zu %3zu %3zu %8.1f %8.1f %10.1f %8.2f %8.2f "
          "%9.2f %5s\n", set.name.c_str(), both.points,
          size_t(set.points.n_rows), both.outputs, units,
          both.projectionEvaluations / stages / j,
          both.projectionSteps / stages / j,
          both.lbfgsEvaluations / stages / j / j, both.reached / stages,
          both.lbfgsTime / both.projectionTime,
          both.tolerantTime / both.projectionTime, both.pays ? "yes" : "no");
      std::fflush(stdout);
    }
  }
}

//! Test loss and time of training with other settings of the optimizers,
//! relative to the default ones: geometric means over data sets.
static void Tolerances(const std::string& folder)
{
  std::vector<experiments::Split> splits;
  for (const experiments::DataSet& set : DataSets(folder))
  {
    if (set.points.n_elem < 50000)
      splits.emplace_back(set, experiments::Folds(set, 5, 1), 0);
  }
  const auto measure = [&](const auto& make)
  {
    arma::mat result(2, splits.size());
    for (size_t s = 0; s < splits.size(); ++s)
    {
      auto optimizer = make();
      result(1, s) = benchmark::Time([&]()
          {
            result(0, s) = TrainAndTest(splits[s], 100, 2, optimizer);
          }).cpu;
    }
    return arma::mat(arma::log(result));
  };
  std::printf("%-44s %10s %10s\n", "setting", "test loss", "time");
  const auto compare = [&](const char* name, const arma::mat& base,
                           const auto& make)
  {
    const arma::vec ratios = arma::exp(arma::mean(measure(make) - base, 1));
    std::printf("%-44s %10.3f %10.2f\n", name, ratios[0], ratios[1]);
    std::fflush(stdout);
  };
  const arma::mat base = measure([]() { return VariableProjection(); });
  const auto projection = [&](const char* name, const size_t iterations,
                              const double tolerance, const double hidden,
                              const double output)
  {
    compare(name, base, [&]()
        {
          return VariableProjection(iterations, tolerance, hidden, output);
        });
  };
  projection("projection: tolerance 3", 40, 3, 1e-5, 1e-6);
  projection("projection: tolerance 0.03", 40, 0.03, 1e-5, 1e-6);
  projection("projection: tolerance 0.003", 40, 0.003, 1e-5, 1e-6);
  projection("projection: at most 10 steps", 10, 0.3, 1e-5, 1e-6);
  projection("projection: at most 200 steps", 200, 0.3, 1e-5, 1e-6);
  projection("projection: hidden ridge 1e-3", 40, 0.3, 1e-3, 1e-6);
  projection("projection: hidden ridge 1e-7", 40, 0.3, 1e-7, 1e-6);
  projection("projection: hidden ridge 1e-9", 40, 0.3, 1e-9, 1e-6);
  projection("projection: output ridge 1e-4", 40, 0.3, 1e-5, 1e-4);
  projection("projection: output ridge 1e-8", 40, 0.3, 1e-5, 1e-8);

  // L-BFGS as StageOptimizer has it, for all stages.
  const auto lbfgs = [&](const double factor)
  {
    return [factor]()
    {
      ens::L_BFGS optimizer = StageOptimizer::DefaultLBFGS();
      optimizer.Factr() = factor;
      return optimizer;
    };
  };
  const size_t typical = 600;
  compare("L-BFGS: tolerance 0.1, over projection", base,
      lbfgs(0.1 / typical));
  const arma::mat lbfgsBase = measure(lbfgs(0.1 / typical));
  compare("L-BFGS: tolerance 1", lbfgsBase, lbfgs(1.0 / typical));
  compare("L-BFGS: tolerance 0.01", lbfgsBase, lbfgs(0.01 / typical));
  compare("L-BFGS: tolerance 0.001", lbfgsBase, lbfgs(0.001 / typical));
}

int main(int argc, char** argv)
{
  const std::string section = (argc > 1) ? argv[1] : "";
  const std::string folder = (argc > 2) ? argv[2] : "";
#ifdef MLPACK_USE_OPENMP
  omp_set_num_threads(1);
#endif
  if (section == "arithmetic")
    Arithmetic();
  else if (section == "blocks")
    Blocks();
  else if (section == "metric")
    Metric();
  else if (section == "precision")
    SinglePrecision();
  else if (section == "threads")
    Threads();
  else if (section == "projection" && !folder.empty())
    Projection(folder);
  else if (section == "tolerances" && !folder.empty())
    Tolerances(folder);
  else
  {
    std::fprintf(stderr, "usage: gbnn_constants_benchmark arithmetic|blocks|"
        "metric|precision|threads\n       gbnn_constants_benchmark "
        "projection|tolerances DATA_FOLDER\n");
    return 1;
  }
  return 0;
}
