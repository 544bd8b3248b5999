/**
 * @file bindings/cli/command_line.hpp
 *
 * Read a program's options from the command line, and print help about them.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_COMMAND_LINE_HPP
#define MLPACK_BINDINGS_CLI_COMMAND_LINE_HPP

#include <mlpack/core/util/io.hpp>

#include <string>
#include <vector>

namespace mlpack {
namespace bindings {
namespace cli {

/**
 * Set a binding's parameters from the command line.
 *
 * @param argc Number of arguments of the program.
 * @param argv Arguments of the program.
 * @param params Parameters to set.
 * @return True if the program shall run; false if the user asked for help or
 *     the version, which has been printed then.
 */
bool ParseCommandLine(int argc, char** argv, util::Params& params);

//! Print all that the binding says about itself.
void PrintHelp(util::Params& params);

//! Print help on one option, given by its name, with or without dashes.
void PrintHelp(util::Params& params, const std::string& option);

//! A question that suggests the name most like `name`; empty if none is.
std::string Suggestion(const std::string& name,
                       const std::vector<std::string>& names);

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
