/**
 * @file bindings/cli/run_program.hpp
 *
 * What a program does: read options, run the binding, write its outputs.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_RUN_PROGRAM_HPP
#define MLPACK_BINDINGS_CLI_RUN_PROGRAM_HPP

#include <mlpack/core/util/io.hpp>

#include <functional>
#include <string>

namespace mlpack {
namespace bindings {
namespace cli {

//! The type of BINDING_FUNCTION().
using BindingFunction = void (*)(util::Params&, util::Timers&);

//! What a binding wants to be called once its outputs are saved; may be empty.
std::function<void()>& AfterSaving();

/**
 * Run a binding as a program.  Every failure ends in one line on std::cerr;
 * then no output file has been touched.
 *
 * @param argc Number of arguments of the program.
 * @param argv Arguments of the program.
 * @param bindingName Name of the binding.
 * @param binding The binding.
 * @param info Log::Info of the binding's file: each file has its own.
 * @param fatal Log::Fatal of the binding's file.
 * @return The exit code of the program.
 */
int RunProgram(int argc,
               char** argv,
               const std::string& bindingName,
               BindingFunction binding,
               util::PrefixedOutStream& info,
               util::PrefixedOutStream& fatal);

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
