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
#include <optional>
#include <set>
#include <variant>

#include "../compute/communicator.hpp"
#include "../compute/simd_level.hpp"
#include "../files/checkpoint.hpp"
#include "../stage/stage_optimizer.hpp"
#include "../table/class_labels.hpp"
#include "settings.hpp"

namespace mlpack {
namespace gbnn {

//! An option, and whether it was given.
template<typename T>
static Setting<T> ReadSetting(util::Params& params, const std::string& name)
{
  return { params.Get<T>(name), params.Has(name) };
}

//! The processes that run the binding together; nullptr if it runs alone.
static const GBNNCommunicator* Ranks()
{
  #ifdef BINDING_COMMUNICATOR
  return BINDING_COMMUNICATOR;
  #else
  return nullptr;
  #endif
}

//! Whether this process is to tell and to write: the only one, or the first of
//! several, or each if each has rows of its own.
[[maybe_unused]] static bool IsFirstRank()
{
  #ifdef BINDING_OWN_ROWS
  return true;
  #else
  return !IsShared(Ranks()) || Ranks()->Rank() == 0;
  #endif
}

//! One of the inputs; nullptr unless it is given.
template<typename T>
static T* ReadInput(util::Params& params, const std::string& name)
{
  return params.Has(name) ? &params.Get<T>(name) : nullptr;
}

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

//! Asks the front end, after each stage and each step of its optimizer, whether
//! the user wants to stop; all threads do.
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
  void StepTaken(OptimizerType& /* optimizer */,
                 FunctionType& /* function */,
                 MatType& /* coordinates */)
  {
    Check();
  }

  //! Ask; throws if so.
  void Check() const
  {
    #ifdef BINDING_INTERRUPT_CHECK
    check();
    #endif
  }

 private:
  #ifdef BINDING_INTERRUPT_CHECK
  BINDING_INTERRUPT_CHECK check;
  #endif
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
   * @param settings What was asked for.
   * @param points Number of points, which Adam and SGD count steps in.
   */
  ChosenOptimizer(const OptimizerSettings& settings, const size_t points)
  {
    const size_t iterations = settings.maxIterations.value;
    const double tolerance = settings.tolerance.value;
    const size_t batchSize = std::min(points, settings.batchSize);
    if (settings.name == "adam")
    {
      optimizer = ens::Adam(settings.stepSize, batchSize, 0.9, 0.999, 1e-8,
          iterations * points, tolerance);
    }
    else if (settings.name == "sgd")
    {
      optimizer = ens::StandardSGD(settings.stepSize, batchSize,
          iterations * points, tolerance);
    }
    else
    {
      StageOptimizer both;
      both.LBFGS().MaxIterations() = iterations;
      both.LBFGS().Factr() = tolerance;
      if (settings.maxIterations.isGiven)
        both.Projection().MaxIterations() = (iterations > 0) ? iterations :
            SIZE_MAX;
      if (settings.name == "auto")
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

  //! The default optimizer, or nullptr if another one was asked for.
  const StageOptimizer* Default() const
  {
    return std::get_if<StageOptimizer>(&optimizer);
  }

 private:
  std::variant<StageOptimizer, ens::L_BFGS, ens::Adam, ens::StandardSGD>
      optimizer;
};

//! Read the number of hidden units; 0 means the paper's 200.
static size_t ReadHiddenUnits(util::Params& params)
{
  const int units = params.Get<int>("hidden_units");
  return (units == 0) ? 200 : size_t(units);
}

//! Read the options of boosting; each must be in its range.  An L2 of -1 is in
//! it if that can be chosen.
static BoostingSettings ReadBoosting(util::Params& params,
                                     const bool choosesL2)
{
  using namespace util;
  RequireParamValue<int>(params, "units_per_stage",
      [](int x) { return x >= 0; }, true, "units_per_stage must be at least 1, "
      "or 0 for a default");
  const int units = int(ReadHiddenUnits(params));
  RequireParamValue<int>(params, "units_per_stage",
      [units](int x) { return x <= units; }, true, "units_per_stage must be at "
      "most hidden_units (" + std::to_string(units) +
      (params.Get<int>("hidden_units") == 0 ? " at most; give a larger number" :
      "") + ")");
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
      [](double x) { return x >= 0 && std::isfinite(x); }, true, "tolerance "
      "must be finite and not negative");
  RequireParamValue<double>(params, "step_size",
      [](double x) { return x > 0 && std::isfinite(x); }, true, "step_size "
      "must be finite and greater than 0");
  RequireParamValue<int>(params, "batch_size",
      [](int x) { return x > 0; }, true, "batch_size must be at least 1");
  RequireParamValue<double>(params, "l2",
      [choosesL2](double x)
      {
        return (choosesL2 && x == -1) || (x >= 0 && std::isfinite(x));
      }, true, std::string("l2 must be finite and not negative") +
      (choosesL2 ? ", or -1 for a choice" : ""));
  RequireParamValue<int>(params, "seed",
      [](int x) { return x >= 0; }, true, "seed must not be negative");

  BoostingSettings boosting;
  boosting.hiddenUnits = ReadHiddenUnits(params);
  boosting.unitsPerStage = size_t(params.Get<int>("units_per_stage"));
  boosting.learningRate = params.Get<double>("learning_rate");
  boosting.subsample = params.Get<double>("subsample");
  boosting.l2 = params.Get<double>("l2");
  boosting.activation = ToGBNNActivation(params.Get<std::string>("activation"));
  boosting.seed = size_t(params.Get<int>("seed"));
  OptimizerSettings& optimizer = boosting.optimizer;
  optimizer.name = params.Get<std::string>("optimizer");
  optimizer.maxIterations = { size_t(params.Get<int>("max_iterations")),
      params.Has("max_iterations") };
  optimizer.tolerance = ReadSetting<double>(params, "tolerance");
  optimizer.stepSize = params.Get<double>("step_size");
  optimizer.batchSize = size_t(params.Get<int>("batch_size"));
  return boosting;
}

//! Check that labels or responses are given in one way.
static void CheckTarget(util::Params& params, const std::string& name)
{
  if (params.Has("target"))
    util::RequireOnlyOnePassed(params, { name, "target" }, true, "the target "
        "is a column of the data, or given beside it", true);
}

//! Read the number of units to predict with; none means all that are active.
static std::optional<size_t> ReadActiveUnits(util::Params& params)
{
  util::RequireParamValue<int>(params, "active_units",
      [](int x) { return x >= -1; }, true, "active_units must be at least 0, "
      "or -1 for all");
  const int units = params.Get<int>("active_units");
  return (units >= 0) ? std::optional<size_t>(size_t(units)) : std::nullopt;
}

//! Check that there are as many units as are to be active.
static void CheckActiveUnits(const std::optional<size_t>& activeUnits,
                             const size_t units,
                             const std::string& owner)
{
  if (activeUnits && *activeUnits > units)
  {
    Log::Fatal << PRINT_PARAM_STRING("active_units") << " (" << *activeUnits
        << ") must be at most the number of hidden units of the " << owner
        << " (" << units << ")!" << std::endl;
  }
}

//! Tell about options of optimizers that the one chosen does not have.
static void ReportIgnoredSteps(util::Params& params,
                               const OptimizerSettings& optimizer)
{
  for (const std::string name : { "step_size", "batch_size" })
  {
    if (!optimizer.IsStochastic())
    {
      ReportIgnored(params, name, "the optimizer is '" + optimizer.name +
          "'");
    }
  }
}

/**
 * Where no seed is given, take one from the time, for all that is random; a
 * training that goes on takes that of the checkpoint.  RandomSeed() would not:
 * a binding file of mlpack 4.6 includes core.hpp before anything says what
 * BINDING_TYPE_TEST is, takes itself for a test, and gets a function that does
 * nothing.
 */
static void ChooseSeed(size_t& seed,
                       const GBNNCheckpoint& checkpoint = GBNNCheckpoint())
{
  if (seed != 0)
    return;
  uint32_t time = uint32_t(
      std::chrono::system_clock::now().time_since_epoch().count());
  const GBNNCommunicator* ranks = Ranks();
  if (ranks && IsShared(ranks))
    ranks->Broadcast(&time, sizeof(time), 0);
  RandGen().seed(checkpoint.Once("time", time));
  seed = 1 + size_t(RandInt(1 << 30));
}

//! Warn of categories in a table that did not occur in training.
static void WarnOfUnseen(const TableEncoder& encoder,
                         const TableType& table,
                         const std::string& name)
{
  const auto& [info, data] = table;
  const size_t columns = std::min<size_t>(data.n_rows, encoder.Columns());
  for (size_t c = 0; c < columns; ++c)
  {
    const std::vector<std::string>& known = encoder.Categories(c);
    // Elsewhere numbers are numbers, and words are an error.
    if (known.empty())
      continue;
    std::set<double> values;
    for (size_t i = 0; i < data.n_cols; ++i)
      if (!std::isnan(data(c, i)))
        values.insert(data(c, i));
    std::vector<std::string> unseen;
    for (const double value : values)
    {
      if (encoder.FindCategory(c, value, info) == known.size())
        unseen.push_back(TableEncoder::CategoryOf(value, info, c));
    }
    if (unseen.empty())
      continue;
    Log::Warn << "Column " << (encoder.Names().empty() ? std::to_string(c + 1) :
        "'" + ShortText(encoder.Name(c)) + "'") << " of "
        << PRINT_PARAM_STRING(name) << " has categories that did not occur "
        << "in training (" << ListNames(unseen) << "); they count as the "
        << "average of those that did." << std::endl;
  }
}

//! The labels in a column of a table.
static PointLabels ColumnLabels(const arma::mat& points,
                                const DatasetInfoType& info,
                                const size_t column)
{
  if (info.Type(column) != version::categorical)
    return PointLabels(arma::rowvec(points.row(column)));
  std::vector<std::string> words;
  for (size_t i = 0; i < info.NumMappings(column); ++i)
    words.push_back(info.UnmapString(double(i), column));
  // All of them are missing.
  if (words.empty())
    words.push_back("");
  return PointLabels(points.row(column), words);
}

/**
 * Labels that are given by themselves; nothing unless they are.  They may lie
 * in a column or, if they are numbers, in a row.
 */
static std::optional<PointLabels> ReadLabels(util::Params& params,
                                             const std::string& name)
{
  const TableType* table = ReadInput<TableType>(params, name);
  if (!table)
    return std::nullopt;
  const auto& [info, values] = *table;
  if (values.n_rows == 1)
    return ColumnLabels(values, info, 0);
  bool numbers = values.n_cols <= 1;
  for (size_t c = 0; c < values.n_rows; ++c)
    numbers &= info.Type(c) != version::categorical;
  if (!numbers)
  {
    Log::Fatal << PRINT_PARAM_STRING(name) << " has " << values.n_rows
        << " columns, but must have one, with the label of each point!"
        << std::endl;
  }
  return PointLabels(arma::rowvec(arma::vectorise(values).t()));
}

/**
 * Some points, with the names of their columns and their labels or responses.
 *
 * @param params All parameters.
 * @param name The parameter that the points are given with.
 * @param prefix What the names of the parameters that go with it begin with.
 * @param hasResponses Whether the binding has a parameter for responses.
 */
static GivenPoints ReadPoints(util::Params& params,
                              const std::string& name,
                              const std::string& prefix,
                              const bool hasResponses)
{
  GivenPoints given;
  given.table = ReadInput<TableType>(params, name);
  if (!given.table)
    return given;
  const std::string names = prefix + "column_names";
  given.names = params.Get<std::vector<std::string>>(names);
  given.labels = ReadLabels(params, prefix + "labels");
  if (hasResponses && params.Has(prefix + "responses"))
    given.responses = params.Get<arma::mat>(prefix + "responses");
  given.truthName = PRINT_PARAM_STRING(prefix + (given.responses ?
      "responses" : "labels"));

  const size_t columns = std::get<1>(*given.table).n_rows;
  const bool isTraining = prefix.empty();
  const bool inTable = isTraining && !given.labels && !given.responses;
  // Labels in the last column need no name.
  if (inTable && !params.Has("target") && given.names.size() + 1 == columns)
    given.names.push_back("");
  if (given.names.size() == columns)
    return given;
  if (!given.names.empty() && params.Has(names))
  {
    Log::Fatal << PRINT_PARAM_STRING(names) << " has " << given.names.size()
        << " names, but there are " << columns << " columns"
        << (inTable ? ", with the target" : "") << "!" << std::endl;
  }
  given.names.clear();
  return given;
}

//! Read the names that users give the columns of a model, which are those of
//! the table at hand.
static void ReadColumnNames(util::Params& params,
                            const TargetSettings& settings,
                            GivenTables& inputs)
{
  if (settings.train || !params.Has("column_names"))
    return;
  inputs.columnNames = params.Get<std::vector<std::string>>("column_names");
  if (inputs.test.table && inputs.test.names.empty() &&
      inputs.columnNames.size() == std::get<1>(*inputs.test.table).n_rows)
    inputs.test.names = inputs.columnNames;
}

//! Give the columns their names, if they are known.
static void NameColumns(const TargetSettings& settings,
                        const GivenTables& inputs,
                        TableEncoder& encoder)
{
  const std::vector<std::string>& given = inputs.columnNames;
  const std::vector<std::string>& names = settings.train ?
      inputs.training.names : given.empty() ? inputs.test.names : given;
  if (!given.empty() && given.size() != encoder.Columns())
  {
    Log::Fatal << PRINT_PARAM_STRING("column_names") << " has " << given.size()
        << " names, but there are " << encoder.Columns() << " columns!"
        << std::endl;
  }
  if (names.size() == encoder.Columns() && (settings.train || !given.empty() ||
      encoder.Names().empty()))
    encoder.Names(names);
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

/**
 * Check that there is a label for each point.  A file of words may have a
 * header that looks like one of them: one word too many, and the first of them
 * nowhere else, is that.
 */
static void CheckLabelCount(const std::string& name,
                            PointLabels& labels,
                            const std::string& dataName,
                            const size_t points)
{
  if (labels.AreWords() && labels.Size() == points + 1 &&
      arma::accu(labels.values == labels.values[0]) == 1)
  {
    Log::Info << "Taking '" << ShortText(labels.Text(0)) << "', the first line "
        << "of " << PRINT_PARAM_STRING(name) << ", for a header." << std::endl;
    labels.values.shed_col(0);
  }
  CheckCount(name, labels.Size(), dataName, points);
}

/**
 * Check the points that are tested after training and their labels, so that
 * training is not in vain.
 *
 * @param columns Number of columns of the training data.
 * @param test The points to test.
 * @param labels Labels of these, if there are any.
 * @param labelsInTable Whether the last column of the training data has labels.
 */
static void CheckTestPoints(const size_t columns,
                            const arma::mat& test,
                            std::optional<PointLabels>& labels,
                            const bool labelsInTable)
{
  if (test.n_rows + (labelsInTable ? 1 : 0) != columns)
  {
    Log::Fatal << PRINT_PARAM_STRING("test") << " has " << test.n_rows
        << " columns, but " << PRINT_PARAM_STRING("training") << " has "
        << columns << (labelsInTable ? ", the last of them for labels" :
        "") << "!" << std::endl;
  }
  if (labels)
    CheckLabelCount("test_labels", *labels, "test", test.n_cols);
}

//! The classes of test labels; tells about those that are not known.
static arma::Row<size_t> TestClasses(PointLabels& labels,
                                     const ClassLabels& known,
                                     const size_t points,
                                     const std::string& name)
{
  CheckLabelCount("test_labels", labels, "test", points);
  const arma::Row<size_t> classes = known.Classes(labels, name);
  const arma::uvec unknown = arma::find(classes == known.Size());
  if (unknown.is_empty())
    return classes;
  std::set<std::string> names;
  for (const size_t i : unknown)
    names.insert(labels.Text(i));
  const size_t maximum = 5;
  std::string list;
  size_t listed = 0;
  for (const std::string& label : names)
    if (listed++ < maximum)
      list += (list.empty() ? "'" : ", '") + ShortText(label) + "'";
  Log::Warn << unknown.n_elem << " of the points in " << name << " have labels "
      << "that did not occur in training (" << list << (listed > maximum ?
      ", ..." : "") << "); they count as wrong, and the log loss leaves them "
      << "out." << std::endl;
  return classes;
}

//! Scores for each number of active units, with these numbers above them.
static arma::mat StagedTable(const arma::rowvec& scores)
{
  return arma::join_cols(arma::regspace<arma::rowvec>(0, scores.n_elem - 1),
      scores);
}

} // namespace gbnn
} // namespace mlpack

#endif
