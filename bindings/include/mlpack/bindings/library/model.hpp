/**
 * @file bindings/library/model.hpp
 *
 * Models whose class is known only to the binding: what the library can do with
 * one without knowing it, and the handle that languages hold.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_MODEL_HPP
#define MLPACK_BINDINGS_LIBRARY_MODEL_HPP

#include <mlpack/core.hpp>

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "../util/model_bytes.hpp"
#include "abi.h"

// cereal notes the versions of classes in a map that all archives share.
#if !CEREAL_THREAD_SAFE
  #error "compile libraries with -DCEREAL_THREAD_SAFE=1"
#endif

namespace mlpack {
namespace bindings {
namespace library {

//! What can be done with a model of one class.
struct ModelType
{
  //! The class as written in the binding file.
  std::string name;
  std::function<std::string(const void* model, ModelFormat format)> save;
  std::function<std::shared_ptr<void>(std::string_view, ModelFormat)> load;
  std::function<std::shared_ptr<void>(const void* model)> clone;
  //! Take ownership of a model that the binding has made.
  std::function<std::shared_ptr<void>(void* model)> adopt;
  //! Store the model's address as the binding wants it, a `T*`.
  std::function<std::any(void* model)> store;
  //! Read it back.
  std::function<void*(const std::any& value)> address;
};

//! All classes of models that parameters of the binding have, by name.
inline std::map<std::string, ModelType>& ModelTypes()
{
  static std::map<std::string, ModelType> types;
  return types;
}

//! The format of this number; throws if there is none.
inline ModelFormat KnownFormat(const int format)
{
  if (format < MLPACK_BINDING_BINARY || format > MLPACK_BINDING_XML)
  {
    throw std::invalid_argument("unknown model format " +
        std::to_string(format));
  }
  return ModelFormat(format);
}

//! Copy a model, by its copy constructor if it has one.
template<typename T>
std::shared_ptr<T> CloneModel(const T& model)
{
  if constexpr (std::is_copy_constructible_v<T>)
  {
    return std::make_shared<T>(model);
  }
  else
  {
    return ReadModel<T>(WriteModel(model, ModelFormat::Binary),
        ModelFormat::Binary);
  }
}

//! Make a class of models known.
template<typename T>
void RegisterModelType(const std::string& name)
{
  ModelType type;
  type.name = name;
  type.save = [](const void* model, ModelFormat format)
  {
    return WriteModel(*static_cast<const T*>(model), format);
  };
  type.load = [](std::string_view bytes, ModelFormat format)
      -> std::shared_ptr<void>
  {
    return ReadModel<T>(bytes, format);
  };
  type.clone = [](const void* model) -> std::shared_ptr<void>
  {
    return CloneModel(*static_cast<const T*>(model));
  };
  type.adopt = [](void* model) -> std::shared_ptr<void>
  {
    return std::shared_ptr<T>(static_cast<T*>(model));
  };
  type.store = [](void* model) { return std::any(static_cast<T*>(model)); };
  type.address = [](const std::any& value) -> void*
  {
    return std::any_cast<T*>(value);
  };
  ModelTypes()[name] = std::move(type);
}

} // namespace library
} // namespace bindings
} // namespace mlpack

//! The handle of the C interface.
struct mlpack_binding_model
{
  std::shared_ptr<void> object;
  const mlpack::bindings::library::ModelType* type;
};

#endif
