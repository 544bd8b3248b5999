/**
 * @file methods/gbnn/binding/target_column.hpp
 *
 * Columns known by their names: the one that is to be predicted, and those of
 * other files than the training data's; for binding files only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_TARGET_COLUMN_HPP
#define MLPACK_METHODS_GBNN_BINDING_TARGET_COLUMN_HPP

#include "../table/column_names.hpp"
#include "announce.hpp"
#include "binding_tools.hpp"

namespace mlpack {
namespace gbnn {

//! Number of columns of some points.
static size_t NumColumns(const GivenPoints& points)
{
  return std::get<1>(*points.table).n_rows;
}

//! Keep some columns of a table, in the given order.
static void SelectColumns(GivenPoints& points, const std::vector<size_t>& kept)
{
  const auto& [info, data] = *points.table;
  DatasetInfoType chosen(kept.size());
  std::vector<std::string> names;
  for (size_t c = 0; c < kept.size(); ++c)
  {
    if (!points.names.empty())
      names.push_back(points.names[kept[c]]);
    if (info.Type(kept[c]) != version::categorical)
      continue;
    chosen.Type(c) = version::categorical;
    for (size_t i = 0; i < info.NumMappings(kept[c]); ++i)
      chosen.MapString<double>(info.UnmapString(double(i), kept[c]), c);
  }
  arma::mat rows = data.rows(arma::conv_to<arma::uvec>::from(kept));
  *points.table = TableType(std::move(chosen), std::move(rows));
  points.names = std::move(names);
}

//! What to call a column in messages.
static std::string ColumnTitle(const GivenPoints& points, const size_t column)
{
  const std::string number = std::to_string(column + 1);
  return points.names.empty() ? "column " + number : "'" +
      ShortText(points.names[column]) + "' (column " + number + ")";
}

//! Numbers are those of classes if there are at most so many different ones,
//! and each occurs so often on average.
static constexpr size_t maxNumbers = 20, minRepeats = 10;

//! Whether numbers are those of classes: whole numbers, and two or few of them.
//! Ranks may have some of them each.
static bool LooksLikeClasses(const arma::rowvec& values,
                             const GBNNCommunicator* ranks)
{
  std::set<double> distinct;
  bool whole = true;
  for (size_t i = 0; i < values.n_elem && whole &&
      distinct.size() <= maxNumbers; ++i)
  {
    whole = (std::floor(values[i]) == values[i]);
    if (whole)
      distinct.insert(values[i]);
  }
  if (AnyRank(ranks, !whole))
    return false;
  const std::vector<double> all = GatherAll(ranks, std::vector<double>(
      distinct.begin(), distinct.end()));
  distinct.insert(all.begin(), all.end());
  return distinct.size() <= 2 || (distinct.size() <= maxNumbers && minRepeats *
      distinct.size() <= SumOfRanks(ranks, values.n_elem));
}

//! The first category of a column that is not a number.
static std::string FirstWord(const DatasetInfoType& info, const size_t column)
{
  for (size_t i = 0; i < info.NumMappings(column); ++i)
  {
    const std::string word = info.UnmapString(double(i), column);
    if (std::isnan(ReadNumber(word)))
      return word;
  }
  return "";
}

//! Throw away a column that is no input.
static void DropColumn(GivenPoints& points, const size_t column)
{
  std::vector<size_t> kept;
  for (size_t c = 0; c < NumColumns(points); ++c)
    if (c != column)
      kept.push_back(c);
  SelectColumns(points, kept);
}

/**
 * Make a column of some points their labels or responses.
 *
 * @param points The points.
 * @param column The column.
 * @param name The parameter that the points were given with.
 * @param regression Whether it has responses.
 * @param optional Whether all of the column may be missing; then there are no
 *     labels or responses.
 * @param ranks Those that have the other points, or nullptr.
 */
static void TakeColumn(GivenPoints& points,
                       const size_t column,
                       const std::string& name,
                       const bool regression,
                       const bool optional,
                       const GBNNCommunicator* ranks)
{
  const auto& [info, data] = *points.table;
  const std::string title = ColumnTitle(points, column);
  points.truthName = "the target " + title + " of " + PRINT_PARAM_STRING(name);
  const arma::rowvec values = data.row(column);
  const arma::uvec missing = arma::find_nan(values);
  const size_t numMissing = SumOfRanks(ranks, missing.n_elem);
  const bool isAll = (numMissing == SumOfRanks(ranks, values.n_elem));
  const size_t before = SumBefore(ranks, values.n_elem);
  const size_t first = CombineRanks(ranks, missing.is_empty() ? SIZE_MAX :
      before + missing[0], [](const size_t a, const size_t b)
      { return std::min(a, b); });
  if (numMissing > 0 && !(optional && isAll))
  {
    Log::Fatal << "The target " << title << " of " << PRINT_PARAM_STRING(name)
        << " is missing in point " << first + 1 << (numMissing > 1 ?
        " and " + std::to_string(numMissing - 1) + " more" : "")
        << "; leave these points out!" << std::endl;
  }
  if (numMissing == 0 && !regression)
    points.labels = ColumnLabels(data, info, column);
  if (numMissing == 0 && regression)
  {
    if (info.Type(column) == version::categorical)
    {
      Log::Fatal << "The target " << title << " of " << PRINT_PARAM_STRING(name)
          << " has words ('" << ShortText(FirstWord(info, column)) << "'), but "
          << "regression needs numbers!" << std::endl;
    }
    points.responses = values;
  }
  DropColumn(points, column);
}

//! Tell that the last column of some points was taken, and call it that.
static void ReportLastColumn(GivenPoints& points,
                             const std::string& name,
                             const bool regression)
{
  points.truthName = "the last column of " + PRINT_PARAM_STRING(name);
  Log::Info << "Using " << points.truthName << " as "
      << (regression ? "responses." : "labels.") << std::endl;
}

//! Warn if labels that nobody has called so look like responses.
static void WarnOfManyClasses(const GivenPoints& points,
                              const GBNNCommunicator* ranks)
{
  if (!points.labels || points.labels->AreWords())
    return;
  const size_t classes = DistinctLabels(*points.labels, ranks).n_elem;
  const size_t number = SumOfRanks(ranks, points.labels->Size());
  if (classes > maxNumbers && classes * minRepeats > number)
  {
    Log::Warn << "The " << number << " points have " << classes << " different "
        << "numbers in " << points.truthName << ", which are taken for classes;"
        << " if they are responses, add " << PRINT_PARAM_STRING("task")
        << " 'regression'." << std::endl;
  }
}

//! Stop because the only line of a table is a header.
static void RefuseLoneHeader(const std::vector<std::string>& cells,
                             const std::string& name)
{
  Log::Fatal << PRINT_PARAM_STRING(name) << " has one line, of words only ("
      << ListNames(cells) << "): a header without points!" << std::endl;
}

//! Find the target in the training data, decide what it makes this, and take
//! it out of the table.
static void TakeTrainingTarget(TargetSettings& settings,
                               GivenTables& inputs,
                               std::string& target)
{
  GivenPoints& training = inputs.training;
  const size_t columns = NumColumns(training);
  const auto& [info, data] = *training.table;
  if (columns < 2)
  {
    const bool hasWord = (columns == 1 && info.NumMappings(0) > 0);
    Log::Fatal << PRINT_PARAM_STRING("training") << " has "
        << (columns == 1 ? "one column" : "no columns") << (hasWord ?
        " with words such as '" + ShortText(info.UnmapString(0.0, 0)) + "'" :
        "") << ", but without " << PRINT_PARAM_STRING("labels")
        << " one of its columns is taken for what is predicted (the last, "
        << "unless " << PRINT_PARAM_STRING("target") << " says which), so it "
        << "needs at least two!" << std::endl;
  }
  std::vector<std::string> cells;
  for (size_t c = 0; c < columns; ++c)
    if (info.Type(c) == version::categorical && info.NumMappings(c) == 1)
      cells.push_back(info.UnmapString(0.0, c));
  if (training.names.empty() && cells.size() == columns &&
      SumOfRanks(inputs.ranks, data.n_cols) == 1)
    RefuseLoneHeader(cells, "training");
  const std::optional<std::string>& wanted = settings.target;
  if (wanted)
    RequireDistinct(training.names, PRINT_PARAM_STRING("training"));
  const size_t column = wanted ? FindColumnName(training.names, columns,
      *wanted, PRINT_PARAM_STRING("target")) : columns - 1;
  const bool words = info.Type(column) == version::categorical;
  if (!settings.isTaskKnown)
    settings.regression = !words && !LooksLikeClasses(data.row(column),
        inputs.ranks);
  const std::string title = ColumnTitle(training, column);
  inputs.targetColumn = column;
  target = training.names.empty() ? "" : training.names[column];
  TakeColumn(training, column, "training", settings.regression, false,
      inputs.ranks);
  if (!wanted)
    ReportLastColumn(training, "training", settings.regression);
  if (!settings.announce)
  {
    WarnOfManyClasses(training, inputs.ranks);
    return;
  }
  std::string text = settings.regression ? "regression" : "classification";
  if (!settings.regression)
  {
    text += ", " + std::to_string(DistinctLabels(*training.labels,
        inputs.ranks).n_elem) + " classes";
  }
  Announce("target " + title + ": " + text + (settings.isTaskKnown ? "" :
      " (" + PRINT_PARAM_STRING("task") + " overrides this)"));
}

/**
 * A table of words, or of numbers if these are the names of columns, may have a
 * header that looks like a point.  It is one if it has all the names that the
 * model's columns have, be it in other letters.
 *
 * @param points The points; get the names, and lose the header.
 * @param known The names of the model's columns.
 * @param numeric Whether the model has columns of numbers.
 * @param name The parameter that the points were given with.
 * @param ranks Those that have the other points, or nullptr.
 */
static void TakeHeader(GivenPoints& points,
                       const std::vector<std::string>& known,
                       const bool numeric,
                       const std::string& name,
                       const GBNNCommunicator* ranks)
{
  auto& [info, data] = *points.table;
  const bool isFirst = !IsShared(ranks) || ranks->Rank() == 0;
  std::vector<double> head;
  if (isFirst && !data.is_empty())
    head.assign(data.begin_col(0), data.end_col(0));
  head = GatherAll(ranks, head);
  if (!points.names.empty() || head.empty())
    return;
  // A name such as 007 has been read as a number.
  std::map<double, std::string> numbers;
  for (const std::string& column : known)
    if (!std::isnan(ReadNumber(column)))
      numbers.emplace(ReadNumber(column), column);
  std::vector<std::string> first;
  bool words = true;
  for (size_t c = 0; c < head.size(); ++c)
  {
    if (std::isnan(head[c]))
      return;
    const bool isWord = (info.Type(c) == version::categorical);
    words &= isWord;
    const auto name = isWord ? numbers.end() : numbers.find(head[c]);
    first.push_back(name != numbers.end() ? name->second :
        TableEncoder::CategoryOf(head[c], info, c));
  }
  const bool isHeader = !known.empty() && std::all_of(known.begin(),
      known.end(), [&](const std::string& column)
      {
        return std::any_of(first.begin(), first.end(),
            [&](const std::string& cell)
            { return LowerCase(cell) == LowerCase(column); });
      });
  if (words && SumOfRanks(ranks, data.n_cols) == 1 && (isHeader || numeric))
    RefuseLoneHeader(first, name);
  if (!isHeader)
    return;
  (words ? Log::Info : Log::Warn) << "Taking the first line of "
      << PRINT_PARAM_STRING(name) << " for a header, since it has the names of "
      << "the model's columns." << std::endl;
  if (isFirst)
    data.shed_col(0);
  points.names = std::move(first);
}

/**
 * Of labels or responses that were given beside the points of all ranks, keep
 * those of this rank.
 *
 * @param points Its points, with all labels or responses.
 * @param name The parameter that the points were given with.
 * @param ranks Those that have the other points, or nullptr.
 */
static void KeepOwnTruth(GivenPoints& points,
                         const std::string& name,
                         const GBNNCommunicator* ranks)
{
  if (!IsShared(ranks))
    return;
  const size_t mine = std::get<1>(*points.table).n_cols;
  const size_t total = SumOfRanks(ranks, mine);
  const size_t before = SumBefore(ranks, mine);
  if (points.labels)
  {
    CheckLabelCount(name + "_labels", *points.labels, name, total);
    points.labels->values = arma::rowvec(points.labels->values.subvec(before,
        arma::size(1, mine)));
  }
  if (points.responses)
  {
    CheckCount(name + "_responses", points.responses->n_cols, name, total);
    points.responses = arma::mat(points.responses->submat(0, before,
        arma::size(points.responses->n_rows, mine)));
  }
}

/**
 * Put the columns of some points in the order of those that a model knows.
 *
 * @param points The points; their columns have names.
 * @param known The names of the model's columns.
 * @param name The parameter that the points were given with.
 */
static void MatchColumns(GivenPoints& points,
                         const std::vector<std::string>& known,
                         const std::string& name)
{
  if (points.names == known)
    return;
  RequireDistinct(known, "the training data");
  RequireDistinct(points.names, PRINT_PARAM_STRING(name));
  std::vector<size_t> kept;
  for (const std::string& column : known)
  {
    const size_t place = std::find(points.names.begin(), points.names.end(),
        column) - points.names.begin();
    if (place == points.names.size())
    {
      const std::string suggestion = Suggestion(column, points.names);
      Log::Fatal << PRINT_PARAM_STRING(name) << " has no column '"
          << ShortText(column) << "', which the training data has"
          << (suggestion.empty() ? "; it has " : suggestion + " It has ")
          << ListNames(points.names) << "!" << std::endl;
    }
    kept.push_back(place);
  }
  std::vector<std::string> more;
  for (size_t c = 0; c < points.names.size(); ++c)
    if (std::find(kept.begin(), kept.end(), c) == kept.end())
      more.push_back(points.names[c]);
  if (!more.empty())
  {
    Log::Warn << "Columns of " << PRINT_PARAM_STRING(name) << " that the "
        << "training data does not have are ignored: " << ListNames(more)
        << "." << std::endl;
  }
  SelectColumns(points, kept);
}

//! Whether a model has, or will have, a column of numbers.
static bool HasNumericColumn(const TargetSettings& settings,
                             const GivenTables& inputs,
                             const TableEncoder& encoder)
{
  const size_t columns = settings.train ? NumColumns(inputs.training) :
      encoder.Columns();
  for (size_t c = 0; c < columns; ++c)
  {
    if (settings.train ? std::get<0>(*inputs.training.table).Type(c) !=
        version::categorical : encoder.Categories(c).empty())
      return true;
  }
  return false;
}

/**
 * Take the target out of other points than those for training, if it is there,
 * and put their columns in order.
 *
 * @param settings What was asked for.
 * @param inputs What was given.
 * @param encoder Knows the columns, unless the model is still to be trained.
 * @param targetName The name of the model's target; empty if it has none.
 * @param points The points.
 * @param name The parameter that they were given with.
 */
static void ArrangePoints(const TargetSettings& settings,
                          const GivenTables& inputs,
                          const TableEncoder& encoder,
                          const std::string& targetName,
                          GivenPoints& points,
                          const std::string& name)
{
  if (!points.table)
    return;
  const std::vector<std::string>& known = settings.train &&
      !inputs.training.names.empty() ? inputs.training.names :
      encoder.Names();
  const bool isTest = (name == "test");
  const GBNNCommunicator* ranks = isTest ? inputs.testRanks : nullptr;
  TakeHeader(points, known, HasNumericColumn(settings, inputs, encoder), name,
      ranks);
  const bool named = !points.names.empty() && !known.empty();
  const size_t inputsNeeded = settings.train ? NumColumns(inputs.training) :
      encoder.Columns();
  const size_t columns = NumColumns(points), none = columns;
  size_t target = none;
  if (!settings.train && settings.target)
  {
    target = FindColumnName(points.names, columns, *settings.target,
        PRINT_PARAM_STRING("target"));
  }
  else if (named && !targetName.empty() && std::find(known.begin(),
      known.end(), targetName) == known.end())
  {
    target = std::find(points.names.begin(), points.names.end(), targetName) -
        points.names.begin();
  }
  else if (inputs.targetColumn && columns == inputsNeeded + 1 &&
      (settings.target || !isTest))
  {
    // No names, but the columns of the training data: at the same place.
    target = *inputs.targetColumn;
  }

  const bool isGiven = points.labels || points.responses;
  if (target != none && isGiven)
  {
    if (isTest || columns == inputsNeeded + 1)
      DropColumn(points, target);
  }
  else if (target != none)
  {
    TakeColumn(points, target, name, settings.regression, isTest, ranks);
    if (!settings.target && target + 1 == columns)
      ReportLastColumn(points, name, settings.regression);
  }
  else if (!isTest && !isGiven)
  {
    Log::Fatal << PRINT_PARAM_STRING(name) << " has " << columns
        << " columns, but should have " << inputsNeeded + 1 << " as "
        << PRINT_PARAM_STRING("training") << " has, with the target among "
        << "them!" << std::endl;
  }
  if (named)
    MatchColumns(points, known, name);
  if (isGiven)
    KeepOwnTruth(points, name, ranks);
}

/**
 * Find what is to be predicted in all tables, decide whether this is
 * classification or regression, and put columns in order.
 *
 * @param settings What was asked for; gets the decision.
 * @param inputs What was given.
 * @param encoder The model's, which is known unless it is trained anew.
 * @param target The name of the model's target; set by training.
 */
static void ArrangeInputs(TargetSettings& settings,
                          GivenTables& inputs,
                          const TableEncoder& encoder,
                          std::string& target)
{
  if (settings.train && settings.targetInTable)
    TakeTrainingTarget(settings, inputs, target);
  else if (settings.train)
    target = "";
  // A model that is trained further knows its columns.
  if (settings.warmStart && !inputs.training.names.empty() &&
      !encoder.Names().empty())
    MatchColumns(inputs.training, encoder.Names(), "training");
  for (GivenPoints* points : { &inputs.validation, &inputs.test })
  {
    // What is not for this task is ignored.
    if (settings.regression)
      points->labels.reset();
    else
      points->responses.reset();
  }
  ArrangePoints(settings, inputs, encoder, target, inputs.validation,
      "validation");
  ArrangePoints(settings, inputs, encoder, target, inputs.test, "test");
}

} // namespace gbnn
} // namespace mlpack

#endif
