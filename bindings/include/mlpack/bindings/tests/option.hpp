/**
 * @file bindings/tests/option.hpp
 *
 * What the PARAM_*() macros declare when a binding is compiled into a test.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_TESTS_OPTION_HPP
#define MLPACK_BINDINGS_TESTS_OPTION_HPP

#include <set>
#include <string>
#include <type_traits>

#include "../util/basic_option.hpp"

namespace mlpack {
namespace bindings {
namespace tests {

//! Addresses of the models that have been freed.
using Freed = std::set<void*>;

//! Free the model that a parameter points to, unless another parameter that
//! pointed to it was there first; `freed` is what has been freed so far.
template<typename T>
void FreeModel(util::ParamData& d, const void* /* in */, void* freed)
{
  T& model = *std::any_cast<T>(&d.value);
  if (model && static_cast<Freed*>(freed)->insert(model).second)
    delete model;
  model = nullptr;
}

//! Registers a parameter of a test.
template<typename T>
struct Registration
{
  static void Register(util::ParamData& data, const std::string&)
  {
    // A test asks for every output.
    data.wasPassed = !data.input;
    if constexpr (std::is_pointer_v<T>)
      IO::AddFunction(data.tname, "FreeModel", &FreeModel<T>);
  }
};

//! A parameter; see BasicOption.
template<typename T>
using Option = BasicOption<T, Registration<T>>;

} // namespace tests
} // namespace bindings
} // namespace mlpack

#endif
