/**
 * @file bindings/python/mlpack_main.hpp
 *
 * mlpack has a type of binding for each language; here all of them are served
 * by one library, which is compiled under the type of Python.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_PYTHON_MLPACK_MAIN_HPP
#define MLPACK_BINDINGS_PYTHON_MLPACK_MAIN_HPP

#include "../library/mlpack_main.hpp"

#endif
