/**
 * @file bindings/library/describe.hpp
 *
 * Everything a binding says of itself, as JSON.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_DESCRIBE_HPP
#define MLPACK_BINDINGS_LIBRARY_DESCRIBE_HPP

#include <cmath>
#include <string>
#include <vector>

#include <mlpack/methods/gbnn/export/json_text.hpp>

#include "../cli/cli_dialect.hpp"
#include "../util/julia_dialect.hpp"
#include "../util/python_dialect.hpp"
#include "../util/r_dialect.hpp"
#include "call.hpp"

namespace mlpack {
namespace bindings {
namespace library {

using gbnn::JSONString;

//! The dialect of this name, or a null pointer.
inline const Dialect* FindDialect(const std::string& name)
{
  const Dialect* const dialects[] = { &cli::TheCLIDialect(),
      &ThePythonDialect(), &TheRDialect(), &TheJuliaDialect() };
  for (const Dialect* dialect : dialects)
    if (dialect->Name() == name)
      return dialect;
  return nullptr;
}

//! The name under which the description knows a kind.
inline std::string KindName(const ParamKind kind)
{
  switch (kind)
  {
    case ParamKind::Flag: return "flag";
    case ParamKind::Int: return "int";
    case ParamKind::Double: return "double";
    case ParamKind::String: return "string";
    case ParamKind::IntVector: return "ints";
    case ParamKind::DoubleVector: return "doubles";
    case ParamKind::StringVector: return "strings";
    case ParamKind::Matrix: return "matrix";
    case ParamKind::UMatrix: return "umatrix";
    case ParamKind::Col: return "col";
    case ParamKind::UCol: return "ucol";
    case ParamKind::Row: return "row";
    case ParamKind::URow: return "urow";
    case ParamKind::MatrixAndInfo: return "matrix_info";
    default: return "model";
  }
}

//! Elements, already JSON, as an array or object.
inline std::string JSONJoin(const char open,
                            const std::vector<std::string>& elements,
                            const char close)
{
  std::string result(1, open);
  for (size_t i = 0; i < elements.size(); ++i)
    result += (i == 0 ? "" : ",") + elements[i];
  return result + close;
}

inline std::string JSONPair(const std::string& key, const std::string& value)
{
  return JSONString(key) + ":" + value;
}

inline std::string JSONBool(const bool value)
{
  return value ? "true" : "false";
}

//! The default of a parameter; null unless it is a plain value.
inline std::string JSONDefault(const util::ParamData& d)
{
  if (!IsPlain(KindOf(d)))
    return "null";

  const PrintedValue value = StoredValue(d);
  std::vector<std::string> items;
  for (const std::string& item : value.items)
  {
    if (value.type == PrintedValue::Type::String)
      items.push_back(JSONString(item));
    else if (item == "inf" || item == "-inf") // What JSON readers take for it.
      items.push_back(item == "inf" ? "1e999" : "-1e999");
    else
      items.push_back(item == "nan" ? "null" : item);
  }
  return value.isVector ? JSONJoin('[', items, ']') : items[0];
}

/**
 * Whether a language's matrix with points in rows must be turned around: mlpack
 * wants points in columns, except where the binding says otherwise.
 */
inline bool IsTransposed(const util::ParamData& d)
{
  const ParamKind kind = KindOf(d);
  return kind == ParamKind::MatrixAndInfo || (!d.noTranspose &&
      (kind == ParamKind::Matrix || kind == ParamKind::UMatrix));
}

//! One parameter.
inline std::string DescribeParam(const util::ParamData& d,
                                 const bool persistent,
                                 const Dialect& dialect)
{
  const ParamKind kind = KindOf(d);
  const std::string alias = (d.alias == '\0') ? "" : std::string(1, d.alias);
  return JSONJoin('{', {
      JSONPair("name", JSONString(d.name)),
      JSONPair("kind", JSONString(KindName(kind))),
      JSONPair("input", JSONBool(d.input)),
      JSONPair("required", JSONBool(d.required)),
      JSONPair("persistent", JSONBool(persistent)),
      JSONPair("alias", JSONString(alias)),
      JSONPair("transposed", JSONBool(IsTransposed(d))),
      JSONPair("default", JSONDefault(d)),
      JSONPair("model_type", kind == ParamKind::Model ? JSONString(d.cppType) :
          "null"),
      JSONPair("description", JSONString(d.desc)),
      JSONPair("spelling", JSONString(dialect.ParamName(d))),
      JSONPair("mention", JSONString(dialect.ParamString(d))),
      JSONPair("default_text", JSONString(dialect.Default(d))),
      JSONPair("type", JSONString(dialect.TypeName(d))),
      JSONPair("type_doc", JSONString(dialect.TypeDoc(kind))) }, '}');
}

//! All parameters, in the order of their declaration.
inline std::string DescribeParams(util::Params& params, const Dialect& dialect)
{
  std::vector<std::string> result;
  for (const bool persistent : { false, true })
  {
    for (const std::string& name : DeclarationOrder(persistent ? "" :
        params.BindingName()))
    {
      result.push_back(DescribeParam(params.Parameters().at(name), persistent,
          dialect));
    }
  }
  return JSONJoin('[', result, ']');
}

//! What the package is called that the binding is part of; its own name unless
//! the build says otherwise.
inline std::string PackageName()
{
#ifdef MLPACK_BINDING_PACKAGE
  return STRINGIFY(MLPACK_BINDING_PACKAGE);
#else
  return Bindings().begin()->first;
#endif
}

//! The whole binding.
inline std::string Describe(const std::string& bindingName,
                            const Dialect& dialect)
{
  const DialectScope scope(dialect);
  util::Params params = IO::Parameters(bindingName);
  const util::BindingDetails& doc = params.Doc();

  std::vector<std::string> examples, seeAlso;
  for (const auto& example : doc.example)
    examples.push_back(JSONString(example()));
  for (const auto& link : doc.seeAlso)
  {
    seeAlso.push_back(JSONJoin('{', { JSONPair("text", JSONString(link.first)),
        JSONPair("link", JSONString(link.second)) }, '}'));
  }

  return JSONJoin('{', {
      JSONPair("abi_version", std::to_string(MLPACK_BINDING_ABI_VERSION)),
      JSONPair("dialect", JSONString(dialect.Name())),
      JSONPair("markdown_language", JSONString(dialect.MarkdownName())),
      JSONPair("name", JSONString(bindingName)),
      JSONPair("called", JSONString(dialect.BindingName(bindingName))),
      JSONPair("import", JSONString(dialect.Import(PackageName(),
          bindingName))),
      JSONPair("title", JSONString(doc.name)),
      JSONPair("short_description", JSONString(doc.shortDescription)),
      JSONPair("long_description", JSONString(doc.longDescription ?
          doc.longDescription() : "")),
      JSONPair("examples", JSONJoin('[', examples, ']')),
      JSONPair("see_also", JSONJoin('[', seeAlso, ']')),
      JSONPair("min_label", std::to_string(dialect.MinLabel())),
      JSONPair("parameters", DescribeParams(params, dialect)) }, '}');
}

} // namespace library
} // namespace bindings
} // namespace mlpack

#endif
