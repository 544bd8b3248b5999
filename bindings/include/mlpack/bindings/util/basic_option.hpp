/**
 * @file bindings/util/basic_option.hpp
 *
 * What the parameters of all front ends have in common.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_BASIC_OPTION_HPP
#define MLPACK_BINDINGS_UTIL_BASIC_OPTION_HPP

#include <mlpack/core/util/io.hpp>

#include <string>
#include <utility>

namespace mlpack {
namespace bindings {

/**
 * A parameter of a binding.  Each PARAM_*() macro makes a static object of this
 * class; its constructor registers the parameter with mlpack's IO, and nothing
 * else is done with the object.
 *
 * @tparam T Type of the parameter.
 * @tparam FrontEnd Has a static function `Register(data, bindingName)`, which
 *     is called before the parameter is added.  It may change `data`, whose
 *     value is the default, and registers the functions of the type.
 */
template<typename T, typename FrontEnd>
class BasicOption
{
 public:
  /**
   * @param defaultValue Value if the user gives none.
   * @param identifier Name of the parameter.
   * @param description One or two sentences about it.
   * @param alias Letter for the short form; may be empty.
   * @param cppName C++ name of the type.
   * @param required Whether the user must give it.
   * @param input Whether it is an input.
   * @param noTranspose Whether a matrix is kept as it lies in the file.
   * @param bindingName Name of the binding; empty for every binding.
   */
  BasicOption(const T defaultValue,
              const std::string& identifier,
              const std::string& description,
              const std::string& alias,
              const std::string& cppName,
              const bool required = false,
              const bool input = true,
              const bool noTranspose = false,
              const std::string& bindingName = "")
  {
    util::ParamData data;
    data.name = identifier;
    data.desc = description;
    data.tname = TYPENAME(T);
    data.alias = alias[0];
    data.wasPassed = false;
    data.noTranspose = noTranspose;
    data.required = required;
    data.input = input;
    data.loaded = false;
    data.cppType = cppName;
    data.value = defaultValue;
    FrontEnd::Register(data, bindingName);
    IO::AddParameter(bindingName, std::move(data));
  }
};

} // namespace bindings
} // namespace mlpack

#endif
