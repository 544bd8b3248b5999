/**
 * @file methods/gbnn/binding/binding_tools.hpp
 *
 * What the binding files share.  To be included after mlpack_main.hpp, whose
 * PRINT_PARAM_STRING() speaks for the binding that includes this; hence the
 * functions are static.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_BINDING_TOOLS_HPP
#define MLPACK_METHODS_GBNN_BINDING_BINDING_TOOLS_HPP

#include <unistd.h>

#include <chrono>
#include <thread>
#include <variant>

#include "../compute/simd_level.hpp"
#include "../stage/stage_optimizer.hpp"
#include "../table/table_encoder.hpp"

namespace mlpack {
namespace gbnn {

//! A table as bindings have it: its types, and its numbers.
using TableType = std::tuple<DatasetInfoType, arma::mat>;

//! Tell that an option has no effect.  Languages ask for every output, so there
//! it says nothing about one that is left empty.
static void ReportIgnored(util::Params& params,
                          const std::string& name,
                          const std::string& reason)
{
  if (params.Has(name) && !BINDING_IGNORE_CHECK(name))
  {
    Log::Warn << PRINT_PARAM_STRING(name) << " ignored because " << reason
        << "!" << std::endl;
  }
}

//! Tell which vector instructions are used; an unknown GBNN_SIMD is an error.
static void ReportSimdLevel()
{
  try
  {
    Log::Info << "Vector instructions: " << ToString(ActiveLevel()) << "."
        << std::endl;
  }
  catch (const std::invalid_argument& error)
  {
    Log::Fatal << error.what() << "!" << std::endl;
  }
}

//! Asks the front end, after each stage and now and then between, whether the
//! user wants to stop; in the thread that it was made in, as front ends want.
class CheckInterrupt
{
 public:
  //! Any thread may call it.
  static constexpr bool AnyThread = true;

  template<typename OptimizerType, typename FunctionType, typename MatType>
  void EndEpoch(OptimizerType& /* optimizer */,
                FunctionType& /* function */,
                const MatType& /* coordinates */,
                const size_t /* epoch */,
                const double /* objective */)
  {
    Check();
  }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType& /* optimizer */,
                 FunctionType& /* function */,
                 MatType& /* coordinates */)
  {
    // Steps may be shorter than asking takes.
    if (IsCaller() && ++steps % 16 == 0)
      Check();
    return false;
  }

  //! Ask; throws if so.
  void Check()
  {
    #ifdef BINDING_CHECK_INTERRUPT
    if (IsCaller())
      BINDING_CHECK_INTERRUPT();
    #endif
  }

 private:
  //! Whether this is the thread that runs the binding.
  bool IsCaller() const { return std::this_thread::get_id() == caller; }

  const std::thread::id caller = std::this_thread::get_id();
  size_t steps = 0;
};

//! Prints progress: a bar if the log goes to a terminal, else lines of the log.
class ProgressPrinter
{
 public:
  // A bar needs a terminal; it must not have the prefix of a line of the log.
  ProgressPrinter() : bar(!Log::Info.ignoreInput && isatty(STDOUT_FILENO)) { }

  //! Whether there is a bar.
  bool Bar() const { return bar; }

  void operator()(const std::string& text) const
  {
    if (bar)
      Log::Info.destination << text << std::flush;
    else
      Log::Info << text << "." << std::endl;
  }

  //! End the line of the bar.
  void End() const
  {
    if (bar)
      Log::Info.destination << std::endl;
  }

 private:
  bool bar;
};

//! The optimizer that was asked for.
class ChosenOptimizer
{
 public:
  /**
   * @param params The options.
   * @param points Number of points, which Adam and SGD count steps in.
   */
  ChosenOptimizer(util::Params& params, const size_t points)
  {
    const std::string name = params.Get<std::string>("optimizer");
    const size_t iterations = size_t(params.Get<int>("max_iterations"));
    const double tolerance = params.Get<double>("tolerance");
    const double stepSize = params.Get<double>("step_size");
    const size_t batchSize = std::min(points,
        size_t(params.Get<int>("batch_size")));
    if (name == "adam")
    {
      optimizer = ens::Adam(stepSize, batchSize, 0.9, 0.999, 1e-8,
          iterations * points, tolerance);
    }
    else if (name == "sgd")
    {
      optimizer = ens::StandardSGD(stepSize, batchSize, iterations * points,
          tolerance);
    }
    else
    {
      StageOptimizer both;
      both.LBFGS().MaxIterations() = iterations;
      both.LBFGS().Factr() = tolerance;
      if (params.Has("max_iterations"))
        both.Projection().MaxIterations() = (iterations > 0) ? iterations :
            SIZE_MAX;
      if (name == "auto")
        optimizer = both;
      else
        optimizer = both.LBFGS();
    }
  }

  template<typename MatType, typename... CallbackTypes>
  typename MatType::elem_type Optimize(StageFunction<MatType>& function,
                                       MatType& parameters,
                                       CallbackTypes&&... callbacks)
  {
    return std::visit([&](auto& chosen)
        {
          return chosen.Optimize(function, parameters, callbacks...);
        }, optimizer);
  }

 private:
  std::variant<StageOptimizer, ens::L_BFGS, ens::Adam, ens::StandardSGD>
      optimizer;
};

//! Check that each option of boosting is in its range.
static void CheckBoosting(util::Params& params)
{
  using namespace util;
  RequireParamValue<int>(params, "hidden_units",
      [](int x) { return x > 0; }, true, "hidden_units must be at least 1");
  RequireParamValue<int>(params, "units_per_stage",
      [](int x) { return x >= 0; }, true, "units_per_stage must be at least 1, "
      "or 0 for a default");
  const int units = params.Get<int>("hidden_units");
  RequireParamValue<int>(params, "units_per_stage",
      [units](int x) { return x <= units; }, true, "units_per_stage must be at "
      "most hidden_units (" + std::to_string(units) + ")");
  RequireParamValue<double>(params, "learning_rate",
      [](double x) { return x > 0 && x <= 1; }, true, "learning_rate must be "
      "greater than 0 and at most 1");
  RequireParamValue<double>(params, "subsample",
      [](double x) { return x > 0 && x <= 1; }, true, "subsample must be "
      "greater than 0 and at most 1");
  RequireParamInSet<std::string>(params, "activation",
      { "logistic", "tanh", "relu" }, true, "unknown activation function");
  RequireParamInSet<std::string>(params, "optimizer",
      { "auto", "lbfgs", "adam", "sgd" }, true, "unknown optimizer");
  RequireParamValue<int>(params, "max_iterations",
      [](int x) { return x >= 0; }, true, "max_iterations must not be "
      "negative");
  RequireParamValue<double>(params, "tolerance",
      [](double x) { return x >= 0; }, true, "tolerance must not be negative");
  RequireParamValue<double>(params, "step_size",
      [](double x) { return x > 0 && std::isfinite(x); }, true, "step_size "
      "must be greater than 0");
  RequireParamValue<int>(params, "batch_size",
      [](int x) { return x > 0; }, true, "batch_size must be at least 1");
  RequireParamValue<double>(params, "l2",
      [](double x) { return x >= 0 && std::isfinite(x); }, true, "l2 must not "
      "be negative");
  RequireParamValue<int>(params, "active_units",
      [](int x) { return x >= -1; }, true, "active_units must be at least 0, "
      "or -1 for all");
  RequireParamValue<int>(params, "seed",
      [](int x) { return x >= 0; }, true, "seed must not be negative");
}

/**
 * Seed mlpack's generator, which the method asks where no seed is given, with
 * the time.  RandomSeed() would not: a binding file of mlpack 4.6 includes
 * core.hpp before anything says what BINDING_TYPE_TEST is, takes itself for a
 * test, and gets a function that does nothing.
 */
static void SeedByTime()
{
  RandGen().seed(uint32_t(
      std::chrono::system_clock::now().time_since_epoch().count()));
}

//! Take the last column of some data for the labels.
static arma::rowvec SplitLabels(const std::string& name,
                                arma::mat& points,
                                DatasetInfoType& info)
{
  if (points.n_rows < 2)
  {
    Log::Fatal << PRINT_PARAM_STRING(name) << " has "
        << points.n_rows << " column(s), but without "
        << PRINT_PARAM_STRING("labels") << " its last column is taken for the "
        << "labels, so it needs at least two!" << std::endl;
  }
  const size_t last = points.n_rows - 1;
  if (info.Type(last) == version::categorical)
  {
    Log::Fatal << "The last column of " << PRINT_PARAM_STRING(name)
        << ", which is taken for the labels because "
        << PRINT_PARAM_STRING("labels") << " is not given, has text ('"
        << info.UnmapString(0, last) << "'); labels must be whole numbers!"
        << std::endl;
  }
  Log::Info << "Using the last column of " << PRINT_PARAM_STRING(name)
      << " as labels." << std::endl;
  const arma::rowvec labels = points.row(last);
  points.shed_row(last);
  return labels;
}

//! Check that there is one of something for each point.
static void CheckCount(const std::string& name,
                       const size_t count,
                       const std::string& dataName,
                       const size_t points)
{
  if (count != points)
  {
    Log::Fatal << PRINT_PARAM_STRING(name) << " has " << count << " entries, "
        << "but " << PRINT_PARAM_STRING(dataName) << " has " << points
        << " points!" << std::endl;
  }
}

//! Check the points that are tested after training and their labels, so that
//! training is not in vain; labels of training may be its last column.
static void CheckTestPoints(util::Params& params, const bool hasLast)
{
  const arma::mat& points = std::get<1>(params.Get<TableType>("training"));
  const arma::mat& test = std::get<1>(params.Get<TableType>("test"));
  if (test.n_rows + (hasLast ? 1 : 0) != points.n_rows)
  {
    Log::Fatal << PRINT_PARAM_STRING("test") << " has " << test.n_rows
        << " columns, but " << PRINT_PARAM_STRING("training") << " has "
        << points.n_rows << (hasLast ? ", the last of them for labels" : "")
        << "!" << std::endl;
  }
  if (params.Has("test_labels"))
  {
    CheckCount("test_labels", params.Get<arma::rowvec>("test_labels").n_elem,
        "test", test.n_cols);
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
