/**
 * @file bindings/cli/cli_dialect.hpp
 *
 * How parameters, values and calls are spelled on the command line.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_CLI_DIALECT_HPP
#define MLPACK_BINDINGS_CLI_CLI_DIALECT_HPP

#include <string>
#include <vector>

#include "../util/dialect.hpp"
#include "file_format.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

//! The name of an option without dashes: what lies in a file is given by it.
inline std::string OptionName(const util::ParamData& d)
{
  return IsPlain(KindOf(d)) ? d.name : d.name + "_file";
}

//! The command line, as typed into a shell.
class CLIDialect : public Dialect
{
 public:
  std::string Name() const override { return "cli"; }

  std::string MarkdownName() const override { return "bash"; }

  std::string ParamName(const util::ParamData& d) const override
  {
    return "--" + OptionName(d);
  }

  std::string ParamString(const util::ParamData& d) const override
  {
    const std::string alias = (d.alias == '\0') ? "" :
        " (-" + std::string(1, d.alias) + ")";
    return "'" + ParamName(d) + alias + "'";
  }

  std::string Value(const PrintedValue& value, const bool quotes) const override
  {
    const std::string text = value.Join(",");
    return quotes ? "'" + text + "'" : text;
  }

  std::string Dataset(const std::string& name) const override
  {
    return "'" + name + ".csv'";
  }

  std::string Model(const std::string& name) const override
  {
    return "'" + name + ".bin'";
  }

  std::string BindingName(const std::string& bindingName) const override
  {
    return "mlpack_" + bindingName;
  }

  std::string Call(const std::string& bindingName,
                   const std::vector<CallArgument>& arguments) const override
  {
    // Lines end in a backslash, so that the whole can be pasted into a shell.
    const size_t width = 72;
    std::string result;
    std::string line = "$ " + BindingName(bindingName);
    for (const CallArgument& argument : arguments)
    {
      const std::string option = Argument(argument);
      if (option.empty())
        continue;
      if (line.size() + 1 + option.size() > width)
      {
        result += line + " \\\n";
        line = "   ";
      }
      line += " " + option;
    }
    return result + line;
  }

  std::string TypeName(const util::ParamData& d) const override
  {
    const ParamKind kind = KindOf(d);
    switch (kind)
    {
      case ParamKind::Flag:
        return "flag";
      case ParamKind::Int:
        return "int";
      case ParamKind::Double:
        return "double";
      case ParamKind::String:
        return "string";
      case ParamKind::IntVector:
        return "int vector";
      case ParamKind::DoubleVector:
        return "double vector";
      case ParamKind::StringVector:
        return "string vector";
      case ParamKind::MatrixAndInfo:
        return "2-d categorical matrix file";
      case ParamKind::Matrix:
        return "2-d matrix file";
      case ParamKind::UMatrix:
        return "2-d index matrix file";
      case ParamKind::Row:
      case ParamKind::Col:
        return "1-d matrix file";
      case ParamKind::URow:
      case ParamKind::UCol:
        return "1-d index matrix file";
      default:
        return "model file";
    }
  }

  std::string TypeDoc(const ParamKind kind) const override
  {
    switch (kind)
    {
      case ParamKind::Flag:
        return "Either given or not; takes no value.";
      case ParamKind::Int:
        return "A whole number, like `5`.";
      case ParamKind::Double:
        return "A number, like `0.5` or `1e-4`.";
      case ParamKind::String:
        return "A word, or several in quotation marks.";
      case ParamKind::IntVector:
        return "Whole numbers separated by commas, like `1,2,3`.";
      case ParamKind::DoubleVector:
        return "Numbers separated by commas, like `0.1,0.2`.";
      case ParamKind::StringVector:
        return "Words separated by commas, like `red,green`.";
      case ParamKind::MatrixAndInfo:
        return "A file with one point per line.  Columns may hold numbers or "
            "words (categories); a cell that is empty, `NaN`, `NA`, `N/A`, "
            "`NULL` or `?` is a missing value.  Text separated by commas, "
            "tabs or semicolons (or else vertical bars in `.csv` and `.tsv`, "
            "and blanks in other files), with or without a header line, ARFF "
            "(`.arff`), and the formats for plain matrices.";
      case ParamKind::Model:
        return "A file with a model: `.bin` (smallest and fastest), `.json` or "
            "`.xml`.";
      case ParamKind::Row:
      case ParamKind::Col:
        return "A file with one number per line, or all on one line.";
      case ParamKind::URow:
      case ParamKind::UCol:
        return "A file with one whole number, zero or more, per line, or all "
            "on one line.";
      default:
        return std::string("A file with one point per line.  Comma-, tab- or "
            "space-separated text (`.csv`, `.tsv`, `.txt`) with or without a "
            "header line, and Armadillo's binary ") + (hasHDF5 ? "formats "
            "(`.bin`, `.h5`)." : "format (`.bin`).");
    }
  }

 private:
  //! One option of a call with its value; empty for a flag that is not given.
  std::string Argument(const CallArgument& argument) const
  {
    const ParamKind kind = KindOf(argument.param);
    const std::string name = ParamName(argument.param);
    const std::string text = argument.value.Join(",");
    if (kind == ParamKind::Flag)
      return (text == "false") ? "" : name;
    if (kind == ParamKind::Model)
      return name + " " + text + ".bin";
    if (IsMatrix(kind))
      return name + " " + text + ".csv";

    const bool plain = text.find_first_of(" \t'\"\\$&|;<>()*?`#~!") ==
        std::string::npos && !text.empty();
    return name + " " + (plain ? text : "'" + text + "'");
  }
};

//! The one object that is needed of this class.
inline const CLIDialect& TheCLIDialect()
{
  static const CLIDialect dialect;
  return dialect;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
