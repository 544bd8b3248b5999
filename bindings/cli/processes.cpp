/**
 * @file bindings/cli/processes.cpp
 *
 * Implementation of what processes do that run a program together.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/processes.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <thread>

namespace mlpack {
namespace bindings {
namespace cli {

void RefuseStrangers()
{
  if (Processes())
    return;
  // Set for each process by Open MPI, MPICH and others, and Slurm's srun.
  for (const char* name : { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
      "SLURM_STEP_NUM_TASKS" })
  {
    const char* value = std::getenv(name);
    const long number = value ? std::strtol(value, nullptr, 10) : 0;
    if (number <= 1)
      continue;
    throw std::runtime_error(std::to_string(number) + " processes were "
        "started together (" + name + "), but this program does not know the "
        "others: it must be built with MPI (-DGBNN_WITH_MPI=ON), the same that "
        "starts it.  If they have nothing to do with each other, unset " +
        name);
  }
}

SilentProcess::SilentProcess() : silent(!IsFirstProcess())
{
  if (!silent)
    return;
  out = std::cout.rdbuf(&nowhere);
  err = std::cerr.rdbuf(errors.rdbuf());
}

SilentProcess::~SilentProcess()
{
  if (!silent)
    return;
  std::cout.rdbuf(out);
  std::cerr.rdbuf(err);
}

void SilentProcess::Fail()
{
  if (!silent)
    return;
  // One after the other, should several fail but not the first.
  const size_t rank = Processes()->Rank();
  std::this_thread::sleep_for(std::chrono::milliseconds(1000 +
      200 * std::min<size_t>(rank, 50)));
  std::cerr.rdbuf(err);
  // In one piece: what mpirun says of the same failure may come in between.
  const std::string text = "(process " + std::to_string(rank + 1) + " of " +
      std::to_string(Processes()->Ranks()) + ") " + errors.str();
  std::cerr << text << std::flush;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
