/**
 * @file bindings/util/python_dialect.hpp
 *
 * How parameters, values and calls are spelled in Python.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_PYTHON_DIALECT_HPP
#define MLPACK_BINDINGS_UTIL_PYTHON_DIALECT_HPP

#include "language_dialect.hpp"

namespace mlpack {
namespace bindings {

//! Python with NumPy.
class PythonDialect : public LanguageDialect
{
 public:
  PythonDialect() : LanguageDialect({ "python", ">>> ", "... ", " = ", "=",
      "True", "False", "'", "[", "]", "['", "']",
      { "and", "as", "assert", "async", "await", "break", "class", "continue",
        "def", "del", "elif", "else", "except", "finally", "for", "from",
        "global", "if", "import", "in", "input", "is", "lambda", "nonlocal",
        "not", "or", "pass", "raise", "return", "try", "while", "with",
        "yield" } })
  { }

  std::string Import(const std::string& packageName,
                     const std::string& bindingName) const override
  {
    return "from mlpack_" + packageName + " import " + bindingName;
  }

  std::string TypeName(const util::ParamData& d) const override
  {
    switch (KindOf(d))
    {
      case ParamKind::Flag: return "bool";
      case ParamKind::Int: return "int";
      case ParamKind::Double: return "float";
      case ParamKind::String: return "str";
      case ParamKind::IntVector: return "list of int";
      case ParamKind::DoubleVector: return "list of float";
      case ParamKind::StringVector: return "list of str";
      case ParamKind::Matrix: return "matrix";
      case ParamKind::UMatrix: return "int matrix";
      case ParamKind::Col:
      case ParamKind::Row: return "vector";
      case ParamKind::UCol:
      case ParamKind::URow: return "int vector";
      case ParamKind::MatrixAndInfo: return "categorical matrix";
      default: return d.cppType;
    }
  }

  std::string TypeDoc(const ParamKind kind) const override
  {
    switch (kind)
    {
      case ParamKind::Flag: return "`True` or `False`.";
      case ParamKind::Int: return "A whole number, like `5`.";
      case ParamKind::Double: return "A number, like `0.5` or `1e-4`.";
      case ParamKind::String: return "A string, like `'abc'`.";
      case ParamKind::IntVector: return "A list of whole numbers.";
      case ParamKind::DoubleVector: return "A list of numbers.";
      case ParamKind::StringVector: return "A list of strings.";
      case ParamKind::Col:
      case ParamKind::Row:
        return "A one-dimensional NumPy array of numbers, a list, or a pandas "
            "Series.";
      case ParamKind::UCol:
      case ParamKind::URow:
        return "A one-dimensional NumPy array of whole numbers, zero or more, "
            "a list, or a pandas Series.";
      case ParamKind::MatrixAndInfo:
        return "A two-dimensional NumPy array, a list of lists, or a pandas "
            "DataFrame, with one point per row.  Columns of a DataFrame that "
            "hold categories, strings or booleans are taken as categories.  "
            "`NaN` and `None` are missing values.  A C-contiguous array of "
            "float64 is handed over as it is.";
      case ParamKind::Model:
        return "A model that an earlier call returned.  Models can be pickled "
            "and copied, and saved to a file with `save()`.";
      case ParamKind::UMatrix:
        return "A two-dimensional NumPy array of whole numbers, zero or more, "
            "with one point per row.";
      default:
        return "A two-dimensional NumPy array, a list of lists, or a pandas "
            "DataFrame of numbers, with one point per row.  A C-contiguous "
            "array of float64 is handed over as it is.";
    }
  }
};

//! The one object that is needed of this class.
inline const PythonDialect& ThePythonDialect()
{
  static const PythonDialect dialect;
  return dialect;
}

} // namespace bindings
} // namespace mlpack

#endif
