/**
 * @file bindings/python/mlpack_main.hpp
 *
 * mlpack has a type of binding for each language; here all of them are served
 * by one library, which is compiled under the type of Python.
 */
#ifndef MLPACK_BINDINGS_PYTHON_MLPACK_MAIN_HPP
#define MLPACK_BINDINGS_PYTHON_MLPACK_MAIN_HPP

#include "../library/mlpack_main.hpp"

#endif
