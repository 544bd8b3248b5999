/**
 * @file bindings/library/mlpack_main.hpp
 *
 * The macros of a binding file, when it is compiled as a shared library that
 * every language loads.  Not to be included directly, but by
 * mlpack/core/util/mlpack_main.hpp, for the BINDING_TYPE of a language.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_MLPACK_MAIN_HPP
#define MLPACK_BINDINGS_LIBRARY_MLPACK_MAIN_HPP

#ifndef BINDING_TYPE
  #error "BINDING_TYPE not defined!  Don't include this file directly!"
#endif

// A library may hold several bindings, each of which defines the C interface.
#if defined(__GNUC__)
  #define MLPACK_BINDING_API __attribute__((visibility("default"), weak))
#endif

#include "log.hpp"

#include <mlpack/core.hpp>
#include <mlpack/core/util/param.hpp>

#include "../util/dialect.hpp"
#include "call.hpp"
#include "ignore_check.hpp"
#include "option.hpp"

// Languages hand over points in columns, or have them turned around.
#define BINDING_MATRIX_TRANSPOSED true

#define PRINT_PARAM_STRING(...) mlpack::bindings::PrintParamString( \
    mlpack::bindings::library::RunningBinding(STRINGIFY(BINDING_NAME)), \
    __VA_ARGS__)
#define PRINT_PARAM_VALUE mlpack::bindings::PrintParamValue
#define PRINT_DATASET mlpack::bindings::PrintDataset
#define PRINT_MODEL mlpack::bindings::PrintModel
#define PRINT_CALL mlpack::bindings::PrintCall

// mlpack's macros for the classes that it generates in Python; the packages
// made here have functions only.
#define IMPORT_EXT_LIB(...) std::string()
#define IMPORT_SPLIT(...) std::string()
#define IMPORT_THIS(...) std::string()
#define GET_DATASET(...) std::string()
#define SPLIT_TRAIN_TEST(...) std::string()
#define CREATE_OBJECT(...) std::string()
#define CALL_METHOD(...) std::string()

#define BINDING_IGNORE_CHECK(...) mlpack::bindings::library::IgnoreCheck( \
    mlpack::bindings::library::RunningBinding(STRINGIFY(BINDING_NAME)), \
    __VA_ARGS__)

#define BINDING_MIN_LABEL mlpack::bindings::CurrentDialect().MinLabel()

/**
 * To be called now and then by bindings that run for long, where it is defined:
 * leaves the binding by an exception when the user wants it to stop.
 */
#define BINDING_CHECK_INTERRUPT() mlpack::bindings::library::CheckInterrupt()

//! An object of this class does the same in any thread that the binding starts.
#define BINDING_INTERRUPT_CHECK mlpack::bindings::library::InterruptCheck

//! The processes that make the call together; null if it is one alone.
#define BINDING_COMMUNICATOR \
    mlpack::bindings::library::CurrentCommunicator()

//! Defined where each of them hands over rows of its own, and gets results.
#define BINDING_OWN_ROWS

namespace mlpack {
namespace util {

template<typename T>
using Option = mlpack::bindings::library::Option<T>;

} // namespace util
} // namespace mlpack

// A library may hold functions and classes of the binding's own name.
#undef BINDING_FUNCTION
#define BINDING_FUNCTION JOIN(mlpack_, BINDING_NAME)

//! The binding file defines it.
void BINDING_FUNCTION(mlpack::util::Params& params,
                      mlpack::util::Timers& timers);

//! Makes the binding known to the C interface.
[[maybe_unused]] static const bool JOIN(mlpack_registered_, BINDING_NAME) =
    mlpack::bindings::library::Bindings().emplace(STRINGIFY(BINDING_NAME),
        &BINDING_FUNCTION).second;

PARAM_GLOBAL(bool, "verbose", "Display informational messages while the method "
    "runs.", "v", "bool", false, true, false, false);

#include "abi_impl.hpp"

#endif
