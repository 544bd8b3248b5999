/**
 * @file bindings/cli/main/main.cpp
 *
 * The main() of a program that runs alone.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/run_binding.hpp>

int main(int argc, char** argv)
{
  return mlpack::bindings::cli::RunBinding(argc, argv);
}
