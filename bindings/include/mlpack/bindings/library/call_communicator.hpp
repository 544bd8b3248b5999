/**
 * @file bindings/library/call_communicator.hpp
 *
 * The processes that make a call together, by functions of the language that
 * makes it.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_CALL_COMMUNICATOR_HPP
#define MLPACK_BINDINGS_LIBRARY_CALL_COMMUNICATOR_HPP

#include <mlpack/methods/gbnn/compute/communicator.hpp>

#include <stdexcept>

#include "abi.h"

namespace mlpack {
namespace bindings {
namespace library {

//! What mlpack_binding_call_on_ranks() takes.
struct RankFunctions
{
  size_t rank;
  size_t ranks;
  mlpack_binding_send_function send;
  mlpack_binding_receive_function receive;
  mlpack_binding_receive_function broadcast;
  void* user;
};

//! Has these functions move the bytes.
class CallCommunicator : public GBNNCommunicator
{
 public:
  explicit CallCommunicator(const RankFunctions& functions) :
      functions(functions) { }

  size_t Rank() const override { return functions.rank; }
  size_t Ranks() const override { return functions.ranks; }

  void Send(const void* from, const size_t bytes, const size_t rank)
      const override
  {
    Require(functions.send(functions.user, from, bytes, rank));
  }

  void Receive(void* to, const size_t bytes, const size_t rank) const override
  {
    Require(functions.receive(functions.user, to, bytes, rank));
  }

  void Broadcast(void* bytes, const size_t number, const size_t root)
      const override
  {
    Require(functions.broadcast(functions.user, bytes, number, root));
  }

 private:
  static void Require(const int status)
  {
    if (status != 0)
      throw std::runtime_error("the processes cannot reach each other");
  }

  RankFunctions functions;
};

} // namespace library
} // namespace bindings
} // namespace mlpack

#endif
