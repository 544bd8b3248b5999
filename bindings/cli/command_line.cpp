/**
 * @file bindings/cli/command_line.cpp
 *
 * Implementation of reading the command line.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/command_line.hpp>
#include <mlpack/bindings/cli/cli_dialect.hpp>
#include <mlpack/bindings/util/edit_distance.hpp>
#include <mlpack/core/util/version.hpp>
#include <mlpack/methods/gbnn/table/column_names.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <stdexcept>

namespace mlpack {
namespace bindings {
namespace cli {

std::string Suggestion(const std::string& name,
                       const std::vector<std::string>& names)
{
  // A name that was cut short is nearer than any that was mistyped.
  std::string best;
  size_t bestDistance = std::max<size_t>(2, name.size() / 2) + 1;
  for (const std::string& candidate : names)
  {
    const bool begins = name.size() > 1 && candidate.compare(0, name.size(),
        name) == 0;
    const size_t distance = begins ? 0 : EditDistance(name, candidate);
    if (distance < bestDistance)
    {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best.empty() ? "" : "; did you mean '--" + best + "'?";
}

//! The names of all options.
static std::vector<std::string> OptionNames(util::Params& params)
{
  std::vector<std::string> names;
  for (const auto& entry : params.Parameters())
    names.push_back(OptionName(entry.second));
  return names;
}

//! Read one number that fills the text.
template<typename T>
static T ReadValue(const util::ParamData& d,
                   const std::string& text,
                   const char* expected)
{
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+');
  const char* end = text.data() + text.size();
  T value = T();
  const auto result = std::from_chars(begin, end, value);
  if (result.ec != std::errc() || result.ptr != end)
  {
    const bool range = (result.ec == std::errc::result_out_of_range);
    throw std::runtime_error("--" + OptionName(d) + ": expected " + expected +
        ", but got '" + text + "'" + (range ? ", which is out of range" : ""));
  }
  return value;
}

//! Read several numbers.
template<typename T>
static std::vector<T> ReadValues(const util::ParamData& d,
                                 const std::vector<std::string>& texts,
                                 const char* expected)
{
  std::vector<T> values;
  for (const std::string& text : texts)
    values.push_back(ReadValue<T>(d, text, expected));
  return values;
}

//! Read what follows a flag, if anything does: --flag=no.
static bool ReadFlag(const util::ParamData& d, const std::string& text)
{
  const std::string lower = gbnn::LowerCase(text);
  for (const char* yes : { "true", "yes", "on", "1" })
    if (lower == yes)
      return true;
  for (const char* no : { "false", "no", "off", "0" })
    if (lower == no)
      return false;
  throw std::runtime_error("--" + OptionName(d) + ": expected nothing, true or "
      "false, but got '" + text + "'");
}

//! Set a parameter to what was given on the command line.
static void SetParam(util::Params& params,
                     util::ParamData& d,
                     const std::vector<std::string>& given)
{
  d.wasPassed = true;
  const ParamKind kind = KindOf(d);
  if (!IsVector(kind) && kind != ParamKind::Flag && given.size() != 1)
  {
    throw std::runtime_error("--" + OptionName(d) + ": was given more than "
        "once");
  }

  switch (kind)
  {
    case ParamKind::Flag:
      d.wasPassed = ReadFlag(d, given.back());
      d.value = d.wasPassed;
      return;
    case ParamKind::Int:
      d.value = ReadValue<int>(d, given[0], "a whole number");
      return;
    case ParamKind::Double:
      d.value = ReadValue<double>(d, given[0], "a number");
      return;
    case ParamKind::String:
      d.value = given[0];
      return;
    case ParamKind::IntVector:
      d.value = ReadValues<int>(d, given, "whole numbers separated by commas");
      return;
    case ParamKind::DoubleVector:
      d.value = ReadValues<double>(d, given, "numbers separated by commas");
      return;
    case ParamKind::StringVector:
      d.value = given;
      return;
    default:
      if (given[0].empty())
      {
        throw std::runtime_error("--" + OptionName(d) + ": expected the name "
            "of a file, but got ''");
      }
      std::string* file;
      params.functionMap[d.tname]["GetFile"](d, nullptr, (void*) &file);
      *file = given[0];
  }
}

//! Tell CLI11 of one parameter.
static CLI::Option* AddOption(CLI::App& app, const util::ParamData& d)
{
  // mlpack says --training_file; the name alone, --training, is understood too.
  std::string name = "--" + OptionName(d);
  if (OptionName(d) != d.name)
    name += ",--" + d.name;
  if (d.alias != '\0')
    name = "-" + std::string(1, d.alias) + "," + name;
  if (KindOf(d) == ParamKind::Flag)
    return app.add_flag(name);

  // Values are kept as text, to be read with messages of our own.
  CLI::Option* option = app.add_option(name);
  option->type_size(1)->expected(1);
  if (IsVector(KindOf(d)))
  {
    option->expected(1, CLI::detail::expected_max_vector_size)->delimiter(',');
    option->allow_extra_args();
  }
  else
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return option;
}

//! Print what --version, --help and --info ask for; false if none was given.
static bool PrintInformation(util::Params& params, util::Params& defaults)
{
  if (params.Has("version"))
  {
    std::cout << params.Doc().name << ": part of " << util::GetVersion() << "."
        << std::endl;
    return true;
  }
  if (params.Has("help"))
  {
    PrintHelp(defaults);
    return true;
  }
  if (params.Has("info"))
  {
    PrintHelp(defaults, params.Get<std::string>("info"));
    return true;
  }
  return false;
}

//! Throw if there is anything that no option has taken.
static void RefuseRest(util::Params& params,
                       const std::vector<std::string>& rest)
{
  if (rest.empty())
    return;
  if (rest[0].size() < 2 || rest[0][0] != '-')
  {
    throw std::runtime_error("unexpected argument '" + rest[0] + "'; every "
        "value must follow its option (see '--help')");
  }
  const std::string option = rest[0].substr(0, rest[0].find('='));
  const std::string name = option.substr(option.find_first_not_of('-') ==
      std::string::npos ? 0 : option.find_first_not_of('-'));
  throw std::runtime_error("unknown option '" + option + "'" +
      Suggestion(name, OptionNames(params)));
}

bool ParseCommandLine(int argc, char** argv, util::Params& params)
{
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::map<std::string, CLI::Option*> options;
  for (const auto& entry : params.Parameters())
    options[entry.first] = AddOption(app, entry.second);

  std::string parseError;
  try
  {
    app.parse(argc, argv);
  }
  catch (const CLI::ParseError& e)
  {
    // CLI11 says "--name: 1 required TYPE missing" if a value is missing.
    parseError = e.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&e))
    {
      parseError = parseError.substr(0, parseError.find(':')) +
          ": expected a value after it";
    }
  }

  // Whoever asks for help gets it, whatever else may be wrong.
  util::Params defaults = params;
  for (const char* name : { "version", "help", "info" })
  {
    if (options[name]->count() > 0)
      SetParam(params, params.Parameters()[name], options[name]->results());
  }
  if (PrintInformation(params, defaults))
    return false;

  if (!parseError.empty())
    throw std::runtime_error(parseError);
  RefuseRest(params, app.remaining());
  for (auto& entry : params.Parameters())
  {
    CLI::Option* option = options[entry.first];
    if (option->count() > 0)
      SetParam(params, entry.second, option->results());
    else if (entry.second.required)
    {
      throw std::runtime_error("required option --" +
          OptionName(entry.second) + " is missing");
    }
  }
  return true;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
