/**
 * @file bindings/util/size_limit.hpp
 *
 * Keeps a damaged model file from taking all memory, and from making values
 * that there are none.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_SIZE_LIMIT_HPP
#define MLPACK_BINDINGS_UTIL_SIZE_LIMIT_HPP

#include <mlpack/core.hpp>

#include <cereal/archives/binary.hpp>
#include <cereal/archives/json.hpp>
#include <cereal/archives/xml.hpp>

#include <cstdint>
#include <limits>

namespace mlpack {
namespace bindings {

/**
 * While this lives, nothing in an archive that this thread reads may claim more
 * elements than the given number, that of the bytes in the file.  Otherwise
 * cereal makes room for as many as a file says before it reads the first; and
 * in JSON and XML, where elements are looked up by name, the last one is
 * followed by the first again, so that reading would not end either.
 */
class SizeLimit
{
 public:
  explicit SizeLimit(const uint64_t size) : previous(Largest())
  {
    Largest() = size;
  }

  ~SizeLimit() { Largest() = previous; }

  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

  //! Throw if there cannot be so many elements.
  static void Check(const uint64_t rows, const uint64_t columns = 1)
  {
    if (columns > 0 && rows > Largest() / columns)
      throw cereal::Exception("it tells of more elements than it has bytes");
  }

 private:
  //! The number in force.
  static uint64_t& Largest()
  {
    static thread_local uint64_t size = std::numeric_limits<uint64_t>::max();
    return size;
  }

  uint64_t previous;
};

//! Read a matrix as mlpack's serialize() does, but look at its size first.
template<typename Archive, typename eT>
void ReadMatrix(Archive& ar, arma::Mat<eT>& mat)
{
  arma::uword n_rows = 0, n_cols = 0, vec_state = 0;
  ar(CEREAL_NVP(n_rows));
  ar(CEREAL_NVP(n_cols));
  ar(CEREAL_NVP(vec_state));
  SizeLimit::Check(n_rows, n_cols);
  // What is a vector by its type stays one.
  const bool fits = (mat.vec_state == 0) ? (vec_state <= 2) :
      (vec_state == mat.vec_state);
  if (!fits || (vec_state == 1 && n_cols != 1) ||
      (vec_state == 2 && n_rows != 1))
    throw cereal::Exception("a vector has the size of a matrix");
  mat.set_size(n_rows, n_cols);
  arma::access::rw(mat.vec_state) = arma::uhword(vec_state);
  for (eT& element : mat)
    ar(cereal::make_nvp("elem", element));
}

} // namespace bindings
} // namespace mlpack

// The compiler prefers these to the functions for any archive of cereal and
// mlpack.
namespace cereal {

template<typename T>
void serialize(BinaryInputArchive& ar, SizeTag<T>& tag)
{
  ar(tag.size);
  mlpack::bindings::SizeLimit::Check(tag.size);
}

//! A byte that is neither 0 nor 1 is no bool, and would be whatever the
//! compiler makes of it.
inline void CEREAL_LOAD_FUNCTION_NAME(BinaryInputArchive& ar, bool& value)
{
  uint8_t byte = 0;
  ar.loadBinary(&byte, 1);
  if (byte > 1)
    throw Exception("a flag is neither 0 nor 1");
  value = (byte == 1);
}

template<typename eT>
void serialize(BinaryInputArchive& ar, arma::Mat<eT>& mat)
{
  mlpack::bindings::ReadMatrix(ar, mat);
}

template<typename eT>
void serialize(JSONInputArchive& ar, arma::Mat<eT>& mat)
{
  mlpack::bindings::ReadMatrix(ar, mat);
}

template<typename eT>
void serialize(XMLInputArchive& ar, arma::Mat<eT>& mat)
{
  mlpack::bindings::ReadMatrix(ar, mat);
}

} // namespace cereal

#endif
