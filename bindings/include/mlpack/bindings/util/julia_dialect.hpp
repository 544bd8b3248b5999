/**
 * @file bindings/util/julia_dialect.hpp
 *
 * How parameters, values and calls are spelled in Julia.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_JULIA_DIALECT_HPP
#define MLPACK_BINDINGS_UTIL_JULIA_DIALECT_HPP

#include "language_dialect.hpp"

namespace mlpack {
namespace bindings {

//! Julia.
class JuliaDialect : public LanguageDialect
{
 public:
  JuliaDialect() : LanguageDialect({ "julia", "julia> ", "       ", " = ",
      " = ", "true", "false", "\"", "[", "]", ".", "",
      { "begin", "while", "if", "for", "try", "return", "break", "continue",
        "function", "macro", "quote", "let", "local", "global", "const", "do",
        "struct", "module", "baremodule", "using", "import", "export", "end",
        "else", "elseif", "catch", "finally", "type", "in", "where" } })
  { }

  std::string Import(const std::string& packageName,
                     const std::string& /* bindingName */) const override
  {
    // One-word names of methods are acronyms: MlpackGBNN.
    std::string upper;
    for (const char c : packageName)
      upper += (char) std::toupper((unsigned char) c);
    return "using Mlpack" + upper;
  }

  //! Classes count from 1 in Julia.
  size_t MinLabel() const override { return 1; }

  std::string TypeName(const util::ParamData& d) const override
  {
    switch (KindOf(d))
    {
      case ParamKind::Flag: return "Bool";
      case ParamKind::Int: return "Int";
      case ParamKind::Double: return "Float64";
      case ParamKind::String: return "String";
      case ParamKind::IntVector: return "Vector{Int}";
      case ParamKind::DoubleVector: return "Vector{Float64}";
      case ParamKind::StringVector: return "Vector{String}";
      case ParamKind::Matrix: return "Float64 matrix";
      case ParamKind::UMatrix: return "Int matrix";
      case ParamKind::Col:
      case ParamKind::Row: return "Float64 vector";
      case ParamKind::UCol:
      case ParamKind::URow: return "Int vector";
      case ParamKind::MatrixAndInfo: return "matrix with categories";
      default: return d.cppType;
    }
  }

  std::string TypeDoc(const ParamKind kind) const override
  {
    switch (kind)
    {
      case ParamKind::Flag: return "`true` or `false`.";
      case ParamKind::Int: return "A whole number, like `5`.";
      case ParamKind::Double: return "A number, like `0.5` or `1e-4`.";
      case ParamKind::String: return "A string, like `\"abc\"`.";
      case ParamKind::IntVector: return "A vector of whole numbers.";
      case ParamKind::DoubleVector: return "A vector of numbers.";
      case ParamKind::StringVector: return "A vector of strings.";
      case ParamKind::Col:
      case ParamKind::Row: return "A vector of numbers.";
      case ParamKind::UCol:
      case ParamKind::URow:
        return "A vector of whole numbers, zero or more.";
      case ParamKind::MatrixAndInfo:
        return "A matrix of numbers, or one whose columns hold numbers or "
            "strings, with one point per row (one per column with "
            "`points_are_rows = false`).  Columns of strings or booleans are "
            "taken as categories.  `missing` and `NaN` are missing values.";
      case ParamKind::Model:
        return "A model that an earlier call returned.  `serialize()` and "
            "`deserialize()` keep it.";
      case ParamKind::UMatrix:
        return "A matrix of whole numbers, zero or more, with one point per "
            "row (one per column with `points_are_rows = false`).";
      default:
        return "A matrix of numbers with one point per row (one per column "
            "with `points_are_rows = false`).";
    }
  }
};

//! The one object that is needed of this class.
inline const JuliaDialect& TheJuliaDialect()
{
  static const JuliaDialect dialect;
  return dialect;
}

} // namespace bindings
} // namespace mlpack

#endif
