/**
 * @file bindings/cli/main/mpi_main.cpp
 *
 * The main() of a program whose processes mpirun starts.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/processes.hpp>
#include <mlpack/bindings/cli/run_binding.hpp>
#include <mlpack/methods/gbnn/compute/mpi_communicator.hpp>

#include <iostream>
#include <memory>

namespace mlpack {
namespace bindings {
namespace cli {

//! Has MPI from its construction to its destruction.
class MPIProcesses
{
 public:
  MPIProcesses(int& argc, char**& argv)
  {
    // Threads compute, but only the one that runs main() sends.
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    world = std::make_unique<MPICommunicator>();
    if (world->Ranks() > 1)
      Processes() = world.get();
    if (Processes() && provided < MPI_THREAD_FUNNELED)
    {
      if (world->Rank() == 0)
      {
        std::cerr << "[FATAL] this MPI has no support for threads "
            << "(MPI_THREAD_FUNNELED), which the program needs; build it with "
            << "an MPI that has." << std::endl;
      }
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }

  ~MPIProcesses()
  {
    Processes() = nullptr;
    world.reset();
    MPI_Finalize();
  }

  MPIProcesses(const MPIProcesses&) = delete;
  MPIProcesses& operator=(const MPIProcesses&) = delete;

  //! This process has failed: end all others too, which may wait for it.
  void End(const int status) const
  {
    std::cout.flush();
    std::cerr.flush();
    if (Processes())
      MPI_Abort(MPI_COMM_WORLD, status);
  }

 private:
  std::unique_ptr<MPICommunicator> world;
};

} // namespace cli
} // namespace bindings
} // namespace mlpack

int main(int argc, char** argv)
{
  const mlpack::bindings::cli::MPIProcesses processes(argc, argv);
  const int status = mlpack::bindings::cli::RunBinding(argc, argv);
  if (status != 0)
    processes.End(status);
  return status;
}
