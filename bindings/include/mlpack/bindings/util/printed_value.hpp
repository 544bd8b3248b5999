/**
 * @file bindings/util/printed_value.hpp
 *
 * A parameter's value as text that no language has dressed up yet.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_PRINTED_VALUE_HPP
#define MLPACK_BINDINGS_UTIL_PRINTED_VALUE_HPP

#include <any>
#include <charconv>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "param_kind.hpp"

namespace mlpack {
namespace bindings {

//! A value as bare text, with what a language must know to dress it up.
struct PrintedValue
{
  //! What the value is made of; decides quotes, brackets, and `True`/`TRUE`.
  enum class Type { Bool, Number, String };

  Type type;
  //! True if the value is a list, be it of one element or none.
  bool isVector;
  //! The elements; exactly one if the value is not a list.
  std::vector<std::string> items;

  //! The elements with a separator between them.
  std::string Join(const std::string& separator) const
  {
    std::string result;
    for (size_t i = 0; i < items.size(); ++i)
      result += (i == 0 ? "" : separator) + items[i];
    return result;
  }
};

//! Shortest text that reads back as the same number.
inline std::string NumberText(const double value)
{
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, result.ptr);
}

//! The bare text of one element.
template<typename T>
std::string ElementText(const T& value)
{
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_floating_point_v<T>)
    return NumberText(value);
  else
  {
    std::ostringstream oss;
    oss << value;
    return oss.str();
  }
}

//! Which type of element T is.
template<typename T>
constexpr PrintedValue::Type ElementType()
{
  if constexpr (std::is_same_v<T, bool>)
    return PrintedValue::Type::Bool;
  else if constexpr (std::is_arithmetic_v<T>)
    return PrintedValue::Type::Number;
  else
    return PrintedValue::Type::String;
}

//! Turn a single value into text.
template<typename T>
PrintedValue MakePrinted(const T& value)
{
  return { ElementType<T>(), false, { ElementText(value) } };
}

//! Turn a list into text.
template<typename T>
PrintedValue MakePrinted(const std::vector<T>& value)
{
  PrintedValue result { ElementType<T>(), true, { } };
  for (const T& element : value)
    result.items.push_back(ElementText(element));
  return result;
}

/**
 * The value that a plain parameter holds: its default, until it is set.  Every
 * front end must store plain parameters as the bare C++ type.
 */
inline PrintedValue StoredValue(const util::ParamData& d)
{
  switch (KindOf(d))
  {
    case ParamKind::Flag:
      return MakePrinted(std::any_cast<bool>(d.value));
    case ParamKind::Int:
      return MakePrinted(std::any_cast<int>(d.value));
    case ParamKind::Double:
      return MakePrinted(std::any_cast<double>(d.value));
    case ParamKind::String:
      return MakePrinted(std::any_cast<std::string>(d.value));
    case ParamKind::IntVector:
      return MakePrinted(std::any_cast<std::vector<int>>(d.value));
    case ParamKind::DoubleVector:
      return MakePrinted(std::any_cast<std::vector<double>>(d.value));
    case ParamKind::StringVector:
      return MakePrinted(std::any_cast<std::vector<std::string>>(d.value));
    default:
      throw std::invalid_argument("StoredValue(): parameter '" + d.name +
          "' is no plain value");
  }
}

} // namespace bindings
} // namespace mlpack

#endif
