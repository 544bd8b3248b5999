/**
 * @file bindings/util/param_kind.hpp
 *
 * The kinds of parameters an mlpack binding can have, and which one a
 * registered parameter is.
 *
 * mlpack's PARAM_*() macros register a parameter under the C++ spelling of its
 * type.  That spelling is all a front end needs to tell the kinds apart at run
 * time, so only code that touches a model itself has to be a template.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_PARAM_KIND_HPP
#define MLPACK_BINDINGS_UTIL_PARAM_KIND_HPP

#include <mlpack/core/util/param_data.hpp>

#include <map>
#include <string>

namespace mlpack {
namespace bindings {

//! Every kind of parameter that mlpack's macros can declare.
enum class ParamKind
{
  Flag,
  Int,
  Double,
  String,
  IntVector,
  DoubleVector,
  StringVector,
  Matrix,        //!< arma::mat; ParamData::noTranspose tells TMATRIX apart.
  UMatrix,       //!< arma::Mat<size_t>.
  Col,           //!< arma::vec.
  UCol,          //!< arma::Col<size_t>.
  Row,           //!< arma::rowvec.
  URow,          //!< arma::Row<size_t>.
  MatrixAndInfo, //!< std::tuple<DatasetInfo, arma::mat>: categorical data.
  Model          //!< Pointer to a serializable class.
};

/**
 * Find out which kind of parameter this is.
 *
 * @param d Parameter as registered with IO.
 */
inline ParamKind KindOf(const util::ParamData& d)
{
  static const std::map<std::string, ParamKind> kinds =
  {
    { "bool", ParamKind::Flag },
    { "int", ParamKind::Int },
    { "double", ParamKind::Double },
    { "std::string", ParamKind::String },
    { "std::vector<int>", ParamKind::IntVector },
    { "std::vector<double>", ParamKind::DoubleVector },
    { "std::vector<std::string>", ParamKind::StringVector },
    // Binding files with `using namespace std` may write these.
    { "string", ParamKind::String },
    { "std::vector<string>", ParamKind::StringVector },
    { "arma::mat", ParamKind::Matrix },
    { "arma::Mat<size_t>", ParamKind::UMatrix },
    { "arma::vec", ParamKind::Col },
    { "arma::Col<size_t>", ParamKind::UCol },
    { "arma::rowvec", ParamKind::Row },
    { "arma::Row<size_t>", ParamKind::URow },
    // mlpack 4.7 moved DatasetInfo out of the namespace data.
    { "std::tuple<mlpack::data::DatasetInfo, arma::mat>",
        ParamKind::MatrixAndInfo },
    { "std::tuple<mlpack::DatasetInfo, arma::mat>", ParamKind::MatrixAndInfo }
  };

  const auto it = kinds.find(d.cppType);
  return (it == kinds.end()) ? ParamKind::Model : it->second;
}

//! True for matrices and vectors of numbers, with or without categories.
inline bool IsMatrix(const ParamKind kind)
{
  return kind >= ParamKind::Matrix && kind <= ParamKind::MatrixAndInfo;
}

//! True for parameters that hold one plain value or a list of plain values.
inline bool IsPlain(const ParamKind kind)
{
  return kind < ParamKind::Matrix;
}

//! True for lists of plain values.
inline bool IsVector(const ParamKind kind)
{
  return kind >= ParamKind::IntVector && kind <= ParamKind::StringVector;
}

} // namespace bindings
} // namespace mlpack

#endif
