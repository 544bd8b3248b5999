/**
 * @file bindings/cli/mlpack_main.hpp
 *
 * Turns a binding file into a command-line program.  Binding files include it
 * through mlpack/core/util/mlpack_main.hpp, which expects the names defined
 * here from every front end; mlpack's packages leave out mlpack's own.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_MLPACK_MAIN_HPP
#define MLPACK_BINDINGS_CLI_MLPACK_MAIN_HPP

#if !defined(BINDING_TYPE) || BINDING_TYPE != BINDING_TYPE_CLI
  #error "Include mlpack/core/util/mlpack_main.hpp instead of this file!"
#endif

// Binding files count on having all of mlpack's core.
#include <mlpack/core.hpp>

#include "option.hpp"
#include "processes.hpp"
#include "run_binding.hpp"
#include "run_program.hpp"
#include "scratch_memory.hpp"

//! Points are the lines of a file but the columns of a matrix.
#define BINDING_MATRIX_TRANSPOSED true

//! Labels in files start from 0.
#define BINDING_MIN_LABEL 0

//! No check of parameters is ever skipped.
#define BINDING_IGNORE_CHECK(...) false

//! Has a function called once all outputs are saved, where it is defined.
#define BINDING_AFTER_SAVING(f) mlpack::bindings::cli::AfterSaving() = (f)

//! The processes that run the binding together; null if it runs alone.
#define BINDING_COMMUNICATOR mlpack::bindings::cli::Processes()

//! Of a table that is not loaded yet, each process may load its own rows only;
//! set to whether it has done so, once it is loaded.  If it is set before, only
//! the first process loads a table of which that cannot be done.
#define BINDING_TABLE_IN_PARTS(name) \
    mlpack::bindings::cli::TablesInParts()[name]

// How documentation and messages spell things.
#define PRINT_PARAM_STRING(x) \
    mlpack::bindings::PrintParamString(STRINGIFY(BINDING_NAME), x)
#define PRINT_PARAM_VALUE mlpack::bindings::PrintParamValue
#define PRINT_DATASET mlpack::bindings::PrintDataset
#define PRINT_MODEL mlpack::bindings::PrintModel
#define PRINT_CALL mlpack::bindings::PrintCall

namespace mlpack {
namespace util {

//! What the PARAM_*() macros make.
template<typename T>
using Option = mlpack::bindings::cli::Option<T>;

} // namespace util
} // namespace mlpack

#include <mlpack/core/util/param.hpp>

// The binding file defines it.
void BINDING_FUNCTION(mlpack::util::Params&, mlpack::util::Timers&);

int mlpack::bindings::cli::RunBinding(int argc, char** argv)
{
  return RunProgram(argc, argv, STRINGIFY(BINDING_NAME), &::BINDING_NAME,
      mlpack::Log::Info, mlpack::Log::Fatal);
}

// The options that every program has.
PARAM_GLOBAL(bool, "help", "Print this help and exit.", "h", "bool", false,
    true, false, false);
PARAM_GLOBAL(std::string, "info", "Print help on one option and exit.", "",
    "std::string", false, true, false, "");
PARAM_GLOBAL(std::string, "scratch_folder", "Folder on a disk with much room, "
    "for data larger than memory: matrices become memory-mapped files there "
    "while the program runs.", "", "std::string", false, true, false, "");
PARAM_GLOBAL(bool, "verbose", "Display informational messages, and all "
    "parameters and timers at the end of the run.", "v", "bool", false, true,
    false, false);
PARAM_GLOBAL(bool, "version", "Display the version of mlpack and exit.", "V",
    "bool", false, true, false, false);

#endif
