/**
 * @file methods/gbnn/compute/mpi_communicator.hpp
 *
 * Processes that train one model together over MPI.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_MPI_COMMUNICATOR_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_MPI_COMMUNICATOR_HPP

// The C++ bindings that MPI once had are not needed, and give warnings.
#ifndef OMPI_SKIP_MPICXX
  #define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
  #define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include "communicator.hpp"

namespace mlpack {

/**
 * The processes of an MPI communicator.  This header is not part of gbnn.hpp:
 * whoever includes it needs MPI, nobody else does.
 *
 * @code
 * int threads;
 * MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
 * {
 *   const MPICommunicator world;
 *   GBNNClassifier<> model;
 *   model.Communicator() = &world;
 *   // Each process has points of its own.
 *   model.Train(data, labels, numClasses);
 *   // Each process has the whole model.
 * }
 * MPI_Finalize();
 * @endcode
 *
 * An error of MPI ends the program, as MPI does by default.
 */
class MPICommunicator : public GBNNCommunicator
{
 public:
  //! @param processes The processes.  Messages do not get mixed up with others
  //!     that are sent among the same ones.
  explicit MPICommunicator(const MPI_Comm processes = MPI_COMM_WORLD)
  {
    MPI_Comm_dup(processes, &communicator);
  }

  ~MPICommunicator() override { MPI_Comm_free(&communicator); }

  MPICommunicator(const MPICommunicator&) = delete;
  MPICommunicator& operator=(const MPICommunicator&) = delete;

  size_t Rank() const override
  {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    return size_t(rank);
  }

  size_t Ranks() const override
  {
    int ranks = 1;
    MPI_Comm_size(communicator, &ranks);
    return size_t(ranks);
  }

  void Send(const void* from, const size_t bytes, const size_t rank)
      const override
  {
    InParts(bytes, [&](const size_t first, const int count)
    {
      MPI_Send(static_cast<const char*>(from) + first, count, MPI_BYTE,
          int(rank), 0, communicator);
    });
  }

  void Receive(void* to, const size_t bytes, const size_t rank) const override
  {
    InParts(bytes, [&](const size_t first, const int count)
    {
      MPI_Recv(static_cast<char*>(to) + first, count, MPI_BYTE, int(rank), 0,
          communicator, MPI_STATUS_IGNORE);
    });
  }

  void Broadcast(void* bytes, const size_t number, const size_t root)
      const override
  {
    InParts(number, [&](const size_t first, const int count)
    {
      MPI_Bcast(static_cast<char*>(bytes) + first, count, MPI_BYTE, int(root),
          communicator);
    });
  }

 private:
  //! MPI counts with int, so more than 2^30 bytes are several messages.
  template<typename FunctionType>
  static void InParts(const size_t bytes, const FunctionType& f)
  {
    const size_t maxBytes = size_t(1) << 30;
    for (size_t first = 0; first < bytes; first += maxBytes)
      f(first, int(std::min(maxBytes, bytes - first)));
  }

  MPI_Comm communicator;
};

} // namespace mlpack

#endif
