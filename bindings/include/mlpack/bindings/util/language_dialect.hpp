/**
 * @file bindings/util/language_dialect.hpp
 *
 * What the dialects of programming languages have in common: a call is a
 * function with named arguments, its results are taken out of what it returns.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_LANGUAGE_DIALECT_HPP
#define MLPACK_BINDINGS_UTIL_LANGUAGE_DIALECT_HPP

#include <set>
#include <string>
#include <vector>

#include "dialect.hpp"

namespace mlpack {
namespace bindings {

//! The tokens in which the languages differ.
struct LanguageTokens
{
  std::string name;
  //! What the interpreter prints before a line, and before its continuation.
  std::string prompt, continuation;
  //! What stands between a variable and its value, and an argument and its.
  std::string assign, argument;
  std::string trueValue, falseValue;
  //! What a string and a list are enclosed in.
  std::string quote, listBegin, listEnd;
  //! What encloses the name of a result after the variable `output`.
  std::string resultBegin, resultEnd;
  //! Words that cannot be the name of an argument; they get an underscore.
  std::set<std::string> reserved;
};

//! A programming language, described by its tokens.
class LanguageDialect : public Dialect
{
 public:
  explicit LanguageDialect(const LanguageTokens& tokens) : tokens(tokens) { }

  std::string Name() const override { return tokens.name; }

  std::string ParamName(const util::ParamData& d) const override
  {
    return (tokens.reserved.count(d.name) > 0) ? d.name + "_" : d.name;
  }

  std::string ParamString(const util::ParamData& d) const override
  {
    return "'" + ParamName(d) + "'";
  }

  std::string Value(const PrintedValue& value, const bool quotes) const override
  {
    const std::string text = Literal(value, false);
    return quotes ? "'" + text + "'" : text;
  }

  std::string Default(const util::ParamData& d) const override
  {
    if (!IsPlain(KindOf(d)))
      return "";
    const std::string text = Literal(StoredValue(d), true);
    // A number with a point says that others may have one, too.
    return (KindOf(d) == ParamKind::Double &&
        text.find_first_not_of("-0123456789") == std::string::npos) ?
        text + ".0" : text;
  }

  std::string Dataset(const std::string& name) const override
  {
    return "'" + name + "'";
  }

  std::string Model(const std::string& name) const override
  {
    return "'" + name + "'";
  }

  std::string BindingName(const std::string& bindingName) const override
  {
    return bindingName + "()";
  }

  std::string Call(const std::string& bindingName,
                   const std::vector<CallArgument>& arguments) const override
  {
    std::vector<std::string> inputs;
    std::string outputs;
    for (const CallArgument& argument : arguments)
    {
      if (argument.param.input)
      {
        inputs.push_back(ParamName(argument.param) + tokens.argument +
            ArgumentValue(argument));
      }
      else
      {
        outputs += "\n" + tokens.prompt + argument.value.Join(",") +
            tokens.assign + "output" + tokens.resultBegin +
            argument.param.name + tokens.resultEnd;
      }
    }

    const std::string begin = tokens.prompt + (outputs.empty() ? "" :
        "output" + tokens.assign) + bindingName + "(";
    return Wrap(begin, inputs) + outputs;
  }

 protected:
  LanguageTokens tokens;

  //! A value as the language writes it.
  std::string Literal(const PrintedValue& value, const bool quoteStrings) const
  {
    std::vector<std::string> items;
    for (const std::string& item : value.items)
    {
      if (value.type == PrintedValue::Type::Bool)
        items.push_back(item == "true" ? tokens.trueValue : tokens.falseValue);
      else if (value.type == PrintedValue::Type::String &&
          (quoteStrings || value.isVector))
        items.push_back(tokens.quote + item + tokens.quote);
      else
        items.push_back(item);
    }
    const std::string text = PrintedValue { value.type, value.isVector,
        items }.Join(", ");
    return value.isVector ? tokens.listBegin + text + tokens.listEnd : text;
  }

 private:
  //! The value of an argument; that of a matrix or model is a variable.
  std::string ArgumentValue(const CallArgument& argument) const
  {
    if (IsPlain(KindOf(argument.param)))
      return Literal(argument.value, true);
    return argument.value.Join(",");
  }

  //! A call, broken before an argument where the line would get too long.
  std::string Wrap(const std::string& begin,
                   const std::vector<std::string>& arguments) const
  {
    const size_t width = 76;
    std::string result, line = begin;
    for (size_t i = 0; i < arguments.size(); ++i)
    {
      const std::string text = arguments[i] +
          (i + 1 < arguments.size() ? "," : ")");
      const bool first = (i == 0);
      if (!first && line.size() + 1 + text.size() > width)
      {
        result += line + "\n";
        line = tokens.continuation + "    " + text;
      }
      else
      {
        line += (first ? "" : " ") + text;
      }
    }
    return result + line + (arguments.empty() ? ")" : "");
  }
};

} // namespace bindings
} // namespace mlpack

#endif
