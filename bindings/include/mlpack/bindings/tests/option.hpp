/**
 * @file bindings/tests/option.hpp
 *
 * What the PARAM_*() macros declare when a binding is compiled into a test.
 */
#ifndef MLPACK_BINDINGS_TESTS_OPTION_HPP
#define MLPACK_BINDINGS_TESTS_OPTION_HPP

#include <mlpack/core/util/io.hpp>

#include <set>
#include <string>
#include <type_traits>

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

/**
 * A parameter.  Its constructor, run when the program starts, registers it with
 * mlpack's IO; nothing else is done with the object.
 */
template<typename T>
class Option
{
 public:
  Option(const T defaultValue,
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
    // A test asks for every output.
    data.wasPassed = !input;
    data.noTranspose = noTranspose;
    data.required = required;
    data.input = input;
    data.loaded = false;
    data.cppType = cppName;
    data.value = defaultValue;

    if constexpr (std::is_pointer_v<T>)
      IO::AddFunction(data.tname, "FreeModel", &FreeModel<T>);
    IO::AddParameter(bindingName, std::move(data));
  }
};

} // namespace tests
} // namespace bindings
} // namespace mlpack

#endif
