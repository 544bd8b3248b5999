/**
 * @file bindings/cli/print_help.cpp
 *
 * What --help and --info print.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/command_line.hpp>
#include <mlpack/bindings/cli/cli_dialect.hpp>
#include <mlpack/core/util/hyphenate_string.hpp>

#include <iostream>
#include <stdexcept>

namespace mlpack {
namespace bindings {
namespace cli {

//! Text filled to the width of a terminal, indented from its second line on.
static std::string Fill(const std::string& text, const size_t indent)
{
  std::string result = util::HyphenateString(text, std::string(indent, ' '),
      true);
  // Lines that end in blanks, as empty ones now do, are awkward to compare.
  for (size_t p = result.find(" \n"); p != std::string::npos;
       p = result.find(" \n", p == 0 ? 0 : p - 1))
    result.erase(p, 1);
  return result;
}

//! What stands in brackets after an option's name.
static std::string BriefType(const util::ParamData& d)
{
  const ParamKind kind = KindOf(d);
  if (!IsPlain(kind))
    return "string";
  if (IsVector(kind))
    return "vector";
  return (kind == ParamKind::Flag) ? "bool" : TheCLIDialect().TypeName(d);
}

//! Print an option and what it does, in two columns.
static void PrintOption(const util::ParamData& d, const bool withDefault)
{
  const size_t width = 32;
  const std::string alias = (d.alias == '\0') ? "" :
      " (-" + std::string(1, d.alias) + ")";
  std::string name = "  --" + OptionName(d) + alias + " [" + BriefType(d) +
      "]  ";
  if (name.size() > width)
    name.replace(name.size() - 2, 2, "\n" + std::string(width, ' '));
  else
    name.resize(width, ' ');

  std::string text = d.desc;
  const std::string value = TheCLIDialect().Default(d);
  if (withDefault && KindOf(d) == ParamKind::String)
    text += "  Default value " + value + ".";
  else if (withDefault && IsVector(KindOf(d)))
    text += "  Default value [" + value + "].";
  else if (withDefault && !value.empty())
    text += "  Default value " + value + ".";
  std::cout << name << Fill(text, width) << std::endl;
}

//! Print those options that a condition holds for, under a title.
template<typename Condition>
static void PrintOptions(util::Params& params,
                         const std::string& title,
                         const bool withDefault,
                         Condition condition)
{
  bool any = false;
  for (const auto& entry : params.Parameters())
  {
    if (!condition(entry.second))
      continue;
    if (!any)
      std::cout << title << std::endl << std::endl;
    any = true;
    PrintOption(entry.second, withDefault);
  }
  if (any)
    std::cout << std::endl;
}

void PrintHelp(util::Params& params)
{
  const util::BindingDetails& doc = params.Doc();
  std::cout << doc.name << std::endl << std::endl;
  if (doc.longDescription)
    std::cout << "  " << Fill(doc.longDescription(), 2) << "\n" << std::endl;
  for (const auto& example : doc.example)
    std::cout << "  " << Fill(example(), 2) << "\n" << std::endl;

  PrintOptions(params, "Required input options:", false,
      [](const util::ParamData& d) { return d.input && d.required; });
  PrintOptions(params, "Optional input options:", true,
      [](const util::ParamData& d) { return d.input && !d.required; });
  // Outputs that are printed rather than written to a file need no option.
  PrintOptions(params, "Optional output options:", false,
      [](const util::ParamData& d) { return !d.input && !IsPlain(KindOf(d)); });

  std::cout << Fill("For further information, including relevant papers, see "
      "the documentation that comes with this program and that of mlpack at "
      "https://www.mlpack.org/.", 0) << std::endl;
}

void PrintHelp(util::Params& params, const std::string& option)
{
  // Take the name in any spelling: training, training_file, --training_file, t.
  const size_t start = option.find_first_not_of('-');
  const std::string name = (start == std::string::npos) ? option :
      option.substr(start);
  std::vector<std::string> names;
  for (const auto& entry : params.Parameters())
  {
    const util::ParamData& d = entry.second;
    if (name == d.name || name == OptionName(d) ||
        (name.size() == 1 && name[0] == d.alias))
    {
      PrintOption(d, d.input && !d.required);
      return;
    }
    names.push_back(OptionName(d));
  }
  throw std::runtime_error("--info: there is no option '" + name + "'" +
      Suggestion(name, names));
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
