/**
 * @file methods/gbnn/binding/checkpoint_options.hpp
 *
 * The checkpoint of a training, for binding files only: it must be of the same
 * options and data.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_CHECKPOINT_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_CHECKPOINT_OPTIONS_HPP

#include "../files/checkpoint.hpp"
#include "../files/digest.hpp"
#include "announce.hpp"
#include "binding_tools.hpp"
#include "gbnn_settings.hpp"

namespace mlpack {
namespace gbnn {

//! Open the checkpoint, if one was asked for.
static GBNNCheckpoint ReadCheckpoint(util::Params& params,
                                     const InspectionSettings& inspection)
{
  if (!params.Has("checkpoint"))
    return GBNNCheckpoint();
  const std::string file = params.Get<std::string>("checkpoint");
  for (const std::string& other : { inspection.report, inspection.exportFile })
  {
    if (!other.empty() && PlaceOf(other) == PlaceOf(file))
    {
      Log::Fatal << PRINT_PARAM_STRING("checkpoint") << " '" << file << "' is "
          << "the file of a report or an export, too!" << std::endl;
    }
  }
  // For tests, which cannot wait.
  const char* seconds = std::getenv("GBNN_CHECKPOINT_SECONDS");
  return GBNNCheckpoint(file, seconds ? std::strtod(seconds, nullptr) : 10,
      Ranks());
}

//! An option in words.
template<typename T>
static std::string OptionText(const T& value)
{
  if constexpr (std::is_same_v<T, double>)
    return ExactText(value);
  std::ostringstream text;
  text << std::boolalpha << value;
  return text.str();
}

template<typename T>
static std::string OptionText(const std::vector<T>& values)
{
  std::string text;
  for (const T& value : values)
    text += (text.empty() ? "" : ",") + OptionText(value);
  return text;
}

//! All options that training may depend on.
static std::vector<GBNNCheckpoint::Fact> OptionFacts(
    util::Params& params, const GBNNSettings& settings)
{
  std::set<std::string> others = { "checkpoint", "test_column_names", "latency",
      "early_exit", "importance", "gradients", "dependence", "report", "export",
      "verbose", "help", "info", "version", "scratch_folder" };
  // Those that are held out are scored with the active units.
  if (!settings.evaluation.IsWanted())
    others.insert("active_units");
  std::vector<GBNNCheckpoint::Fact> facts;
  for (const auto& [name, d] : params.Parameters())
  {
    if (!d.input || others.count(name) > 0)
      continue;
    std::string text;
    if (d.tname == TYPENAME(bool))
      text = OptionText(params.Get<bool>(name));
    else if (d.tname == TYPENAME(int))
      text = OptionText(params.Get<int>(name));
    else if (d.tname == TYPENAME(double))
      text = OptionText(params.Get<double>(name));
    else if (d.tname == TYPENAME(std::string))
      text = OptionText(params.Get<std::string>(name));
    else if (d.tname == TYPENAME(std::vector<int>))
      text = OptionText(params.Get<std::vector<int>>(name));
    else if (d.tname == TYPENAME(std::vector<std::string>))
      text = OptionText(params.Get<std::vector<std::string>>(name));
    else
      continue;
    facts.emplace_back(PRINT_PARAM_STRING(name), text.empty() ? "empty" : text);
  }
  return facts;
}

//! Some points, of which each rank may have some, in words, with their words.
static std::string TableText(const GivenPoints& points,
                             const GBNNCommunicator* ranks = nullptr)
{
  if (!points.table)
    return "none";
  const auto& [info, data] = *points.table;
  Digest digest;
  for (size_t c = 0; c < data.n_rows; ++c)
  {
    const size_t words = (info.Type(c) == version::categorical) ?
        info.NumMappings(c) : 0;
    for (size_t i = 0; i < words; ++i)
      digest.Add(info.UnmapString(double(i), c));
    digest.Add(std::to_string(words));
  }
  for (const std::string& name : points.names)
    digest.Add(name);
  return std::to_string(SumOfRanks(ranks, data.n_cols)) + " points of " +
      std::to_string(data.n_rows) + " columns, digest " +
      digest.Add(data, ranks).Text();
}

//! What is known of some points in words.
static std::string TruthText(const GivenPoints& points,
                             const GBNNCommunicator* ranks = nullptr)
{
  if (points.responses)
    return DigestOf(*points.responses, ranks);
  if (!points.labels)
    return "none";
  Digest digest;
  for (const std::string& word : points.labels->words)
    digest.Add(word);
  return std::to_string(SumOfRanks(ranks, points.labels->Size())) +
      " labels, digest " + digest.Add(points.labels->values, ranks).Text();
}

//! All that training depends on.
static std::vector<GBNNCheckpoint::Fact> TrainingFacts(
    util::Params& params,
    const GBNNSettings& settings,
    const GBNNInputs& inputs)
{
  std::vector<GBNNCheckpoint::Fact> facts = OptionFacts(params, settings);
  facts.emplace_back(PRINT_PARAM_STRING("training"),
      TableText(inputs.training, inputs.ranks));
  facts.emplace_back("what is to be predicted", TruthText(inputs.training,
      inputs.ranks));
  facts.emplace_back(PRINT_PARAM_STRING("weights"), inputs.weights ?
      DigestOf(*inputs.weights, inputs.ranks) : "none");
  facts.emplace_back(PRINT_PARAM_STRING("validation"),
      TableText(inputs.validation));
  facts.emplace_back("what validation data is compared with",
      TruthText(inputs.validation));
  return facts;
}

//! Check that all ranks are about to do the same, if there are several.
static void CheckRanks(const std::vector<GBNNCheckpoint::Fact>& facts)
{
  std::vector<uint64_t> mine;
  for (const auto& [name, value] : facts)
    mine.push_back(Digest().Add(name).Add(value).Value());
  const std::vector<uint64_t> all = GatherAll(Ranks(), mine);
  for (size_t i = 0; i < all.size(); ++i)
  {
    if (all[i] == mine[i % mine.size()])
      continue;
    Log::Fatal << "The processes were not started with the same options and "
        << "data: " << facts[i % mine.size()].first << " differs!"
        << std::endl;
  }
}

//! Check that the checkpoint, if there is one, is of the same training, and
//! that all ranks are.
static void CheckCheckpoint(util::Params& params,
                            const GBNNSettings& settings,
                            const GBNNInputs& inputs)
{
  const GBNNCheckpoint& checkpoint = settings.checkpoint;
  if (!checkpoint.IsActive() && !IsShared(Ranks()))
    return;
  const std::vector<GBNNCheckpoint::Fact> facts = TrainingFacts(params,
      settings, inputs);
  CheckRanks(facts);
  checkpoint.Check(facts);
  if (checkpoint.IsFound())
  {
    Announce("Training goes on from the checkpoint '" +
        params.Get<std::string>("checkpoint") + "'");
  }
}

/**
 * Check that ranks that predict together are asked for the same, and without
 * training that they have the same options and the same model.
 *
 * @param params All parameters.
 * @param settings What was asked for.
 * @param model The model, as it was loaded.
 */
template<typename ModelType>
static void CheckPredicting(util::Params& params,
                            const GBNNSettings& settings,
                            const ModelType& model)
{
  std::vector<GBNNCheckpoint::Fact> facts;
  for (const std::string name : { "gradients", "staged_scores", "test_labels",
      "test_responses" })
  {
    facts.emplace_back(PRINT_PARAM_STRING(name), params.Has(name) ? "given" :
        "none");
  }
  CheckRanks(facts);
  if (settings.train)
    return;
  facts = OptionFacts(params, settings);
  std::ostringstream bytes;
  {
    cereal::BinaryOutputArchive archive(bytes);
    archive(cereal::make_nvp("model", model));
  }
  facts.emplace_back(PRINT_PARAM_STRING("input_model"),
      Digest().Add(bytes.str()).Text());
  CheckRanks(facts);
}

//! All is done: remove the checkpoint, where possible only once everything is
//! saved.
static void FinishCheckpoint(const GBNNCheckpoint& checkpoint)
{
  if (!checkpoint.Problem().empty())
    Log::Warn << checkpoint.Problem() << "!" << std::endl;
  #ifdef BINDING_AFTER_SAVING
  BINDING_AFTER_SAVING([checkpoint]() { checkpoint.Remove(); });
  #else
  checkpoint.Remove();
  #endif
}

} // namespace gbnn
} // namespace mlpack

#endif
