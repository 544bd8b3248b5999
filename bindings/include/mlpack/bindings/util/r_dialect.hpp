/**
 * @file bindings/util/r_dialect.hpp
 *
 * How parameters, values and calls are spelled in R.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_R_DIALECT_HPP
#define MLPACK_BINDINGS_UTIL_R_DIALECT_HPP

#include "language_dialect.hpp"

namespace mlpack {
namespace bindings {

//! R.
class RDialect : public LanguageDialect
{
 public:
  RDialect() : LanguageDialect({ "r", "R> ", "+  ", " <- ", " = ",
      "TRUE", "FALSE", "\"", "c(", ")", "$", "",
      { "if", "else", "repeat", "while", "function", "for", "next", "break",
        "in" } })
  { }

  std::string Import(const std::string& packageName,
                     const std::string& /* bindingName */) const override
  {
    return "library(mlpack" + packageName + ")";
  }

  //! Classes count from 1 in R.
  size_t MinLabel() const override { return 1; }

  std::string TypeName(const util::ParamData& d) const override
  {
    switch (KindOf(d))
    {
      case ParamKind::Flag: return "logical";
      case ParamKind::Int: return "integer";
      case ParamKind::Double: return "numeric";
      case ParamKind::String: return "character";
      case ParamKind::IntVector: return "vector of integers";
      case ParamKind::DoubleVector: return "vector of numerics";
      case ParamKind::StringVector: return "vector of characters";
      case ParamKind::Matrix: return "numeric matrix";
      case ParamKind::UMatrix: return "integer matrix";
      case ParamKind::Col:
      case ParamKind::Row: return "numeric vector";
      case ParamKind::UCol:
      case ParamKind::URow: return "integer vector";
      case ParamKind::MatrixAndInfo: return "matrix or data frame";
      default: return d.cppType;
    }
  }

  std::string TypeDoc(const ParamKind kind) const override
  {
    switch (kind)
    {
      case ParamKind::Flag: return "`TRUE` or `FALSE`.";
      case ParamKind::Int: return "A whole number, like `5`.";
      case ParamKind::Double: return "A number, like `0.5` or `1e-4`.";
      case ParamKind::String: return "A string, like `\"abc\"`.";
      case ParamKind::IntVector: return "A vector of whole numbers.";
      case ParamKind::DoubleVector: return "A vector of numbers.";
      case ParamKind::StringVector: return "A vector of strings.";
      case ParamKind::Col:
      case ParamKind::Row: return "A numeric vector.";
      case ParamKind::UCol:
      case ParamKind::URow:
        return "A vector of whole numbers, zero or more.";
      case ParamKind::MatrixAndInfo:
        return "A numeric matrix or a data frame with one point per row.  "
            "Columns of a data frame that are factors, strings or logicals are "
            "taken as categories.  `NA` is a missing value.";
      case ParamKind::Model:
        return "A model that an earlier call returned.  `saveRDS()` and "
            "`readRDS()` keep it.";
      case ParamKind::UMatrix:
        return "A matrix of whole numbers, zero or more, with one point per "
            "row.";
      default:
        return "A numeric matrix or data frame with one point per row.";
    }
  }
};

//! The one object that is needed of this class.
inline const RDialect& TheRDialect()
{
  static const RDialect dialect;
  return dialect;
}

} // namespace bindings
} // namespace mlpack

#endif
