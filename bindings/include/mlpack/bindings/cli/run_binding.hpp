/**
 * @file bindings/cli/run_binding.hpp
 *
 * What stands between main() and a binding file, which are compiled separately.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_RUN_BINDING_HPP
#define MLPACK_BINDINGS_CLI_RUN_BINDING_HPP

namespace mlpack {
namespace bindings {
namespace cli {

/**
 * Run the binding of this program with RunProgram().  Defined by the binding
 * file; called by main(), of which bindings/cli/main/ has two.
 *
 * @param argc Number of arguments of the program.
 * @param argv Arguments of the program.
 * @return The exit code of the program.
 */
int RunBinding(int argc, char** argv);

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
