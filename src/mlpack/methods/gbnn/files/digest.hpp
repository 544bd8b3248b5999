/**
 * @file methods/gbnn/files/digest.hpp
 *
 * Data and numbers in words that tell them from others.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_FILES_DIGEST_HPP
#define MLPACK_METHODS_GBNN_FILES_DIGEST_HPP

#include <mlpack/prereqs.hpp>

#include <charconv>
#include <cstring>
#include <iomanip>
#include <sstream>
#include <string_view>

#include "../compute/communicator.hpp"

namespace mlpack {
namespace gbnn {

//! 64 bits that tell contents apart; not against people who want them equal.
class Digest
{
 public:
  //! Take some bytes in, and how many they are.
  Digest& Add(const void* memory, const size_t size)
  {
    AddPart(memory, size);
    Mix(size);
    return *this;
  }

  Digest& Add(const std::string_view text)
  {
    return Add(text.data(), text.size());
  }

  //! Take a matrix in, with its size.  Each rank has some of its columns, whole
  //! words of eight bytes of them.
  template<typename ElemType>
  Digest& Add(const arma::Mat<ElemType>& matrix,
              const GBNNCommunicator* ranks = nullptr)
  {
    const size_t bytes = matrix.n_elem * sizeof(ElemType);
    if (!IsShared(ranks))
    {
      Mix(matrix.n_rows);
      return Add(matrix.memptr(), bytes);
    }
    // What the ranks before have mixed goes from one to the next.
    const size_t rank = ranks->Rank(), last = ranks->Ranks() - 1;
    if (rank == 0)
      Mix(matrix.n_rows);
    else
      ranks->Receive(&state, sizeof(state), rank - 1);
    AddPart(matrix.memptr(), bytes);
    if (rank < last)
      ranks->Send(&state, sizeof(state), rank + 1);
    const size_t all = SumOfRanks(ranks, bytes);
    Mix(all);
    ranks->Broadcast(&state, sizeof(state), last);
    return *this;
  }

  uint64_t Value() const { return state; }

  //! The digest in hexadecimal digits.
  std::string Text() const
  {
    std::ostringstream text;
    text << std::hex << std::setfill('0') << std::setw(16) << state;
    return text.str();
  }

 private:
  void AddPart(const void* memory, const size_t size)
  {
    const char* bytes = static_cast<const char*>(memory);
    for (size_t i = 0; i < size; i += sizeof(uint64_t))
    {
      uint64_t word = 0;
      std::memcpy(&word, bytes + i, std::min(sizeof(word), size - i));
      Mix(word);
    }
  }

  // Of each word and of the state before, the other one being the same, it is a
  // bijection: one word that changes always changes the digest.
  void Mix(const uint64_t word)
  {
    state = (state ^ word) * 0x9E3779B97F4A7C15u;
    state ^= state >> 32;
  }

  uint64_t state = 0x243F6A8885A308D3u;
};

//! A matrix, of which each rank has some columns, in words: how large it is,
//! and its digest.
template<typename ElemType>
std::string DigestOf(const arma::Mat<ElemType>& matrix,
                     const GBNNCommunicator* ranks = nullptr)
{
  return std::to_string(SumOfRanks(ranks, matrix.n_cols)) + " x " +
      std::to_string(matrix.n_rows) + " numbers, digest " +
      Digest().Add(matrix, ranks).Text();
}

//! A number in as few digits as tell it from all others.
inline std::string ExactText(const double number)
{
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof(text),
      number).ptr);
}

} // namespace gbnn
} // namespace mlpack

#endif
