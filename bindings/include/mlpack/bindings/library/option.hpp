/**
 * @file bindings/library/option.hpp
 *
 * What the PARAM_*() macros declare when a binding is compiled as a library.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_OPTION_HPP
#define MLPACK_BINDINGS_LIBRARY_OPTION_HPP

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "../util/basic_option.hpp"
#include "../util/param_kind.hpp"
#include "../util/printed_value.hpp"
#include "model.hpp"

namespace mlpack {
namespace bindings {
namespace library {

//! The names of a binding's parameters in the order in which it declares them;
//! those of every binding are registered for the binding "".
inline std::vector<std::string>& DeclarationOrder(
    const std::string& bindingName)
{
  static std::map<std::string, std::vector<std::string>> orders;
  return orders[bindingName];
}

//! What Params::GetPrintable() shows of a parameter.
template<typename T>
void GetPrintableParam(util::ParamData& d, const void* /* in */, void* out)
{
  std::ostringstream text;
  const T& value = *std::any_cast<T>(&d.value);
  if constexpr (std::is_pointer_v<T>)
    text << d.cppType << " model at " << value;
  else if constexpr (arma::is_arma_type<T>::value)
    text << value.n_rows << "x" << value.n_cols << " matrix";
  else if (KindOf(d) == ParamKind::MatrixAndInfo)
    text << "matrix with categories";
  else
    text << StoredValue(d).Join(",");
  *static_cast<std::string*>(out) = text.str();
}

//! Registers a parameter of a library.
template<typename T>
struct Registration
{
  static void Register(util::ParamData& data, const std::string& bindingName)
  {
    if constexpr (std::is_pointer_v<T>)
      RegisterModelType<std::remove_pointer_t<T>>(data.cppType);
    IO::AddFunction(data.tname, "GetPrintableParam", &GetPrintableParam<T>);
    std::vector<std::string>& order = DeclarationOrder(bindingName);
    if (std::find(order.begin(), order.end(), data.name) == order.end())
      order.push_back(data.name);
  }
};

//! A parameter; see BasicOption.
template<typename T>
using Option = BasicOption<T, Registration<T>>;

} // namespace library
} // namespace bindings
} // namespace mlpack

#endif
