/**
 * @file bindings/tests/mlpack_main.hpp
 *
 * The macros of a binding file, when it is compiled into a test that calls it.
 * Not to be included directly, but by mlpack/core/util/mlpack_main.hpp.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_TESTS_MLPACK_MAIN_HPP
#define MLPACK_BINDINGS_TESTS_MLPACK_MAIN_HPP

#if !defined(BINDING_TYPE) || BINDING_TYPE != BINDING_TYPE_TEST
  #error "Include mlpack/core/util/mlpack_main.hpp instead of this file!"
#endif

#include <mlpack/core.hpp>

#include "../util/printed_value.hpp"
#include "option.hpp"

//! Tests hand over matrices as they are.
#define BINDING_MATRIX_TRANSPOSED false

//! Labels start from 0.
#define BINDING_MIN_LABEL 0

//! No check of parameters is ever skipped.
#define BINDING_IGNORE_CHECK(...) false

// Errors name parameters; nobody reads the documentation.
#define PRINT_PARAM_STRING(NAME) ("'" + std::string(NAME) + "'")
#define PRINT_PARAM_VALUE(VALUE, QUOTES) \
    mlpack::bindings::MakePrinted(VALUE).Join(",")
#define PRINT_DATASET(...) std::string()
#define PRINT_MODEL(...) std::string()
#define PRINT_CALL(...) std::string()
#define IMPORT_EXT_LIB(...) std::string()
#define IMPORT_SPLIT(...) std::string()
#define IMPORT_THIS(...) std::string()
#define GET_DATASET(...) std::string()
#define SPLIT_TRAIN_TEST(...) std::string()
#define CREATE_OBJECT(...) std::string()
#define CALL_METHOD(...) std::string()

namespace mlpack {
namespace util {

//! What the PARAM_*() macros make.
template<typename T>
using Option = mlpack::bindings::tests::Option<T>;

} // namespace util
} // namespace mlpack

#include <mlpack/core/util/param.hpp>

// A test may use functions and namespaces of the binding's own name.
#undef BINDING_FUNCTION
#define BINDING_FUNCTION JOIN(mlpack_test_, BINDING_NAME)

#endif
