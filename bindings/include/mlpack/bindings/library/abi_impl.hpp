/**
 * @file bindings/library/abi_impl.hpp
 *
 * The C interface.  Included by library/mlpack_main.hpp in each translation
 * unit that holds a binding.  A library may have several of them: its functions
 * are weak symbols, of which the linker keeps one, and none of them knows
 * BINDING_NAME.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_ABI_IMPL_HPP
#define MLPACK_BINDINGS_LIBRARY_ABI_IMPL_HPP

#include <climits>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <mlpack/methods/gbnn/files/whole_file.hpp>

#include "call.hpp"
#include "describe.hpp"

namespace mlpack {
namespace bindings {
namespace library {

static_assert(sizeof(size_t) == sizeof(uint64_t),
    "index matrices are handed over in place");

//! Run something that may throw; returns its status and sets the text.
template<typename FunctionType>
int Guard(std::string& error, const FunctionType& function)
{
  const auto fail = [&](const int status, const char* text)
  {
    try
    {
      error = gbnn::ShortText(text, maxError);
    }
    catch (...)
    {
      error.clear();
    }
    return status;
  };

  try
  {
    error.clear();
    return function();
  }
  catch (const CallError& e)
  {
    return fail(e.Status(), e.what());
  }
  catch (const std::bad_alloc&)
  {
    return fail(MLPACK_BINDING_MEMORY, "not enough memory");
  }
  catch (const std::invalid_argument& e)
  {
    return fail(MLPACK_BINDING_INVALID, e.what());
  }
  catch (const std::domain_error& e)
  {
    return fail(MLPACK_BINDING_INVALID, e.what());
  }
  catch (const std::exception& e)
  {
    return fail(MLPACK_BINDING_RUNTIME, e.what());
  }
  catch (...)
  {
    return fail(MLPACK_BINDING_RUNTIME, "unknown C++ exception");
  }
}

//! Guard for functions of a call that do not choose their status.
template<typename FunctionType>
int Guard(mlpack_binding_call* call, const FunctionType& function)
{
  return Guard(call->call.Error(), [&]()
  {
    function(call->call);
    return (int) MLPACK_BINDING_OK;
  });
}

//! Text of the last error of a function without a call.
inline std::string& ModelError()
{
  thread_local std::string error;
  return error;
}

//! The integer as bindings keep it.
inline int CheckedInt(const int64_t value, const std::string& name)
{
  if (value < INT_MIN || value > INT_MAX)
  {
    throw CallError(MLPACK_BINDING_INVALID, "Invalid value of '" + name +
        "' specified (" + std::to_string(value) + "); must fit into 32 bits!");
  }
  return (int) value;
}

//! The dialect of this name; throws if there is none.
inline const Dialect& KnownDialect(const std::string& name)
{
  const Dialect* dialect = FindDialect(name);
  if (!dialect)
    throw std::invalid_argument("unknown dialect '" + name + "'");
  return *dialect;
}

//! The class of models of this name; throws if there is none.
inline const ModelType& FindModelType(const char* name)
{
  const auto it = ModelTypes().find(name);
  if (it == ModelTypes().end())
  {
    throw std::invalid_argument("unknown model type '" + std::string(name) +
        "'");
  }
  return it->second;
}

//! Read a model; every way of failing means that the bytes are none.
inline std::shared_ptr<void> LoadModel(const ModelType& type,
                                       const ModelFormat format,
                                       const std::string_view bytes)
{
  try
  {
    return type.load(bytes, format);
  }
  catch (const NewerModel& e)
  {
    throw std::invalid_argument(std::string("the model ") + e.what());
  }
  catch (const std::exception& e)
  {
    throw std::invalid_argument("not a valid " + type.name + ": " + e.what());
  }
}

/**
 * The binding of this name; throws if there is none.  Looks at all parameters
 * once: mlpack's IO adds entries when it is first asked, which must not happen
 * in two threads at once.
 */
inline const Binding& KnownBinding(const std::string& name)
{
  static const bool looked = []()
  {
    for (const auto& binding : Bindings())
      IO::Parameters(binding.first);
    IO::Parameters("");
    return true;
  }();
  (void) looked;
  const auto it = Bindings().find(name);
  if (it == Bindings().end())
    throw std::invalid_argument("unknown binding '" + name + "'");
  return *it;
}

} // namespace library
} // namespace bindings
} // namespace mlpack

extern "C" {

namespace mbl = mlpack::bindings::library;

int mlpack_binding_abi_version(void)
{
  return MLPACK_BINDING_ABI_VERSION;
}

const char* mlpack_binding_names(void)
{
  static const std::string names = []()
  {
    std::string text;
    for (const auto& binding : mbl::Bindings())
      text += (text.empty() ? "" : " ") + binding.first;
    return text;
  }();
  return names.c_str();
}

const char* mlpack_binding_describe(const char* binding, const char* name)
{
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, std::string> texts;
  const char* result = nullptr;
  mbl::Guard(mbl::ModelError(), [&]()
  {
    const mbl::Binding& known = mbl::KnownBinding(binding);
    const mlpack::bindings::Dialect& dialect = mbl::KnownDialect(name);
    const std::lock_guard<std::mutex> lock(mutex);
    std::string& text = texts[{ binding, name }];
    if (text.empty())
      text = mbl::Describe(known.first, dialect);
    result = text.c_str();
    return (int) MLPACK_BINDING_OK;
  });
  return result;
}

mlpack_binding_call* mlpack_binding_call_new(const char* binding,
                                             const char* name)
{
  mlpack_binding_call* call = nullptr;
  mbl::Guard(mbl::ModelError(), [&]()
  {
    const mbl::Binding& known = mbl::KnownBinding(binding);
    call = new mlpack_binding_call { { known, mbl::KnownDialect(name) } };
    return (int) MLPACK_BINDING_OK;
  });
  return call;
}

void mlpack_binding_call_free(mlpack_binding_call* call)
{
  delete call;
}

const char* mlpack_binding_call_error(const mlpack_binding_call* call)
{
  return call->call.Error().c_str();
}

int mlpack_binding_check_name(mlpack_binding_call* call, const char* name)
{
  return mbl::Guard(call, [&](mbl::Call& c) { c.CheckName(name); });
}

int mlpack_binding_set_flag(mlpack_binding_call* call, const char* name,
                            int value)
{
  return mbl::Guard(call, [&](mbl::Call& c) { c.Set(name, value != 0); });
}

int mlpack_binding_set_int(mlpack_binding_call* call, const char* name,
                           int64_t value)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    c.Set(name, mbl::CheckedInt(value, name));
  });
}

int mlpack_binding_set_double(mlpack_binding_call* call, const char* name,
                              double value)
{
  return mbl::Guard(call, [&](mbl::Call& c) { c.Set(name, value); });
}

int mlpack_binding_set_string(mlpack_binding_call* call, const char* name,
                              const char* value)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    c.Set(name, std::string(value));
  });
}

int mlpack_binding_set_ints(mlpack_binding_call* call, const char* name,
                            const int64_t* values, size_t count)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    std::vector<int> ints;
    for (size_t i = 0; i < count; ++i)
      ints.push_back(mbl::CheckedInt(values[i], name));
    c.Set(name, ints);
  });
}

int mlpack_binding_set_doubles(mlpack_binding_call* call, const char* name,
                               const double* values, size_t count)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    c.Set(name, std::vector<double>(values, values + count));
  });
}

int mlpack_binding_set_strings(mlpack_binding_call* call, const char* name,
                               const char* const* values, size_t count)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    c.Set(name, std::vector<std::string>(values, values + count));
  });
}

int mlpack_binding_set_matrix(mlpack_binding_call* call, const char* name,
                              const double* values, size_t rows, size_t cols,
                              int flags)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    c.SetMatrix<double>(name, values, rows, cols, flags);
  });
}

int mlpack_binding_set_umatrix(mlpack_binding_call* call, const char* name,
                               const uint64_t* values, size_t rows,
                               size_t cols, int flags)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    c.SetMatrix<size_t>(name, (const size_t*) values, rows, cols, flags);
  });
}

int mlpack_binding_set_matrix_info(mlpack_binding_call* call,
                                   const char* name, const double* values,
                                   size_t rows, size_t cols, int flags,
                                   const int64_t* category_counts,
                                   const char* const* categories)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    c.SetMatrixInfo(name, values, rows, cols, flags, category_counts,
        categories);
  });
}

int mlpack_binding_set_model(mlpack_binding_call* call, const char* name,
                             const mlpack_binding_model* model)
{
  return mbl::Guard(call, [&](mbl::Call& c) { c.SetModel(name, *model); });
}

void mlpack_binding_call_on_log(mlpack_binding_call* call,
                                mlpack_binding_log_function function,
                                void* user)
{
  call->call.OnLog(function, user);
}

void mlpack_binding_call_on_poll(mlpack_binding_call* call,
                                 mlpack_binding_poll_function function,
                                 void* user)
{
  call->call.OnPoll(function, user);
}

void mlpack_binding_call_on_ranks(mlpack_binding_call* call,
                                  size_t rank,
                                  size_t ranks,
                                  mlpack_binding_send_function send,
                                  mlpack_binding_receive_function receive,
                                  mlpack_binding_receive_function broadcast,
                                  void* user)
{
  call->call.OnRanks({ rank, ranks, send, receive, broadcast, user });
}

void mlpack_binding_call_interrupt(mlpack_binding_call* call)
{
  call->call.Interrupt();
}

int mlpack_binding_call_run(mlpack_binding_call* call)
{
  // Not through the error text of the call: Run() sets that itself.
  std::string error;
  const int status = mbl::Guard(error, [&]()
  {
    return call->call.Run();
  });
  if (!error.empty())
    call->call.Error().swap(error);
  return status;
}

const char* mlpack_binding_call_log(const mlpack_binding_call* call, int level)
{
  return call->call.Log(level).c_str();
}

int mlpack_binding_get_flag(mlpack_binding_call* call, const char* name,
                            int* value)
{
  return mbl::Guard(call, [&](mbl::Call& c) { *value = c.Get<bool>(name); });
}

int mlpack_binding_get_int(mlpack_binding_call* call, const char* name,
                           int64_t* value)
{
  return mbl::Guard(call, [&](mbl::Call& c) { *value = c.Get<int>(name); });
}

int mlpack_binding_get_double(mlpack_binding_call* call, const char* name,
                              double* value)
{
  return mbl::Guard(call, [&](mbl::Call& c) { *value = c.Get<double>(name); });
}

int mlpack_binding_get_string(mlpack_binding_call* call, const char* name,
                              const char** value)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    *value = c.Get<std::string>(name).c_str();
  });
}

int mlpack_binding_get_ints(mlpack_binding_call* call, const char* name,
                            const int64_t** values, size_t* count)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    const std::vector<int64_t>& ints = c.GetInts(name);
    *values = ints.data();
    *count = ints.size();
  });
}

int mlpack_binding_get_doubles(mlpack_binding_call* call, const char* name,
                               const double** values, size_t* count)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    const std::vector<double>& doubles = c.Get<std::vector<double>>(name);
    *values = doubles.data();
    *count = doubles.size();
  });
}

int mlpack_binding_get_strings(mlpack_binding_call* call, const char* name,
                               const char* const** values, size_t* count)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    const std::vector<const char*>& strings = c.GetStrings(name);
    *values = strings.data();
    *count = strings.size();
  });
}

int mlpack_binding_get_matrix(mlpack_binding_call* call, const char* name,
                              const double** values, size_t* rows,
                              size_t* cols)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    *values = c.GetMatrix<double>(name, *rows, *cols);
  });
}

int mlpack_binding_get_umatrix(mlpack_binding_call* call, const char* name,
                               const uint64_t** values, size_t* rows,
                               size_t* cols)
{
  return mbl::Guard(call, [&](mbl::Call& c)
  {
    *values = (const uint64_t*) c.GetMatrix<size_t>(name, *rows, *cols);
  });
}

int mlpack_binding_get_model(mlpack_binding_call* call, const char* name,
                             mlpack_binding_model** model)
{
  return mbl::Guard(call, [&](mbl::Call& c) { *model = c.GetModel(name); });
}

const char* mlpack_binding_model_error(void)
{
  return mbl::ModelError().c_str();
}

const char* mlpack_binding_model_type(const mlpack_binding_model* model)
{
  return model->type->name.c_str();
}

int mlpack_binding_model_save(const mlpack_binding_model* model, int format,
                              char** bytes, size_t* size)
{
  return mbl::Guard(mbl::ModelError(), [&]()
  {
    const std::string text = model->type->save(model->object.get(),
        mbl::KnownFormat(format));
    *bytes = (char*) std::malloc(text.size() + 1);
    if (!*bytes)
      throw std::bad_alloc();
    std::memcpy(*bytes, text.c_str(), text.size() + 1);
    *size = text.size();
    return (int) MLPACK_BINDING_OK;
  });
}

int mlpack_binding_model_load(const char* type, int format, const char* bytes,
                              size_t size, mlpack_binding_model** model)
{
  return mbl::Guard(mbl::ModelError(), [&]()
  {
    const mbl::ModelType& modelType = mbl::FindModelType(type);
    *model = new mlpack_binding_model { mbl::LoadModel(modelType,
        mbl::KnownFormat(format), std::string_view(bytes, size)), &modelType };
    return (int) MLPACK_BINDING_OK;
  });
}

int mlpack_binding_model_write(const mlpack_binding_model* model, int format,
                               const char* file)
{
  return mbl::Guard(mbl::ModelError(), [&]()
  {
    mlpack::gbnn::WriteWhole("model", file, model->type->save(
        model->object.get(), mbl::KnownFormat(format)));
    return (int) MLPACK_BINDING_OK;
  });
}

int mlpack_binding_model_clone(const mlpack_binding_model* model,
                               mlpack_binding_model** copy)
{
  return mbl::Guard(mbl::ModelError(), [&]()
  {
    *copy = new mlpack_binding_model { model->type->clone(model->object.get()),
        model->type };
    return (int) MLPACK_BINDING_OK;
  });
}

void mlpack_binding_model_free(mlpack_binding_model* model)
{
  delete model;
}

void mlpack_binding_bytes_free(char* bytes)
{
  std::free(bytes);
}

} // extern "C"

#endif
