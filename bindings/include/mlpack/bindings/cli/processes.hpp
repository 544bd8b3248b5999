/**
 * @file bindings/cli/processes.hpp
 *
 * Several processes that run a program together, started with mpirun.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_PROCESSES_HPP
#define MLPACK_BINDINGS_CLI_PROCESSES_HPP

#include <mlpack/methods/gbnn/compute/communicator.hpp>

#include <iosfwd>
#include <map>
#include <sstream>
#include <streambuf>
#include <string>

namespace mlpack {
namespace bindings {
namespace cli {

//! The processes that run this program together; null if it runs alone.
inline const GBNNCommunicator*& Processes()
{
  static const GBNNCommunicator* processes = nullptr;
  return processes;
}

/**
 * Tables of which each process may load its own rows only, by name, and whether
 * that was done.  A table that is small, or no text, is loaded by all; if the
 * value is set before, by the first process only.
 */
inline std::map<std::string, bool>& TablesInParts()
{
  static std::map<std::string, bool> tables;
  return tables;
}

//! Whether this process is to print and to write: the only one, or the first.
inline bool IsFirstProcess()
{
  return !Processes() || Processes()->Rank() == 0;
}

/**
 * Throw if this process was started together with others that it does not know
 * of: each would do all of the work, and write to the same files.
 */
void RefuseStrangers();

/**
 * While this lives, any process but the first is silent.  What it has to say
 * about an error is printed only if nobody else says it.
 */
class SilentProcess
{
 public:
  SilentProcess();
  ~SilentProcess();

  SilentProcess(const SilentProcess&) = delete;
  SilentProcess& operator=(const SilentProcess&) = delete;

  //! The program has failed.  The first process says so and ends all of them,
  //! as a rule for the same reason; another one speaks if that does not happen.
  void Fail();

 private:
  //! Takes everything.
  struct Nowhere : public std::streambuf
  {
    int_type overflow(int_type c) override { return traits_type::not_eof(c); }
  };

  bool silent;
  Nowhere nowhere;
  std::ostringstream errors;
  std::streambuf* out = nullptr;
  std::streambuf* err = nullptr;
};

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
