/**
 * @file bindings/util/size_limit.hpp
 *
 * Keeps a damaged model file from taking all memory, and from making values
 * that there are none or that are not the file's.
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

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include "quoted.hpp"

namespace mlpack {
namespace bindings {

/**
 * While this lives, all parts together of an archive that this thread reads may
 * claim no more elements than the given number, that of the bytes in the file.
 * Otherwise cereal makes room for as many as a file says before it reads the
 * first.
 */
class SizeLimit
{
 public:
  explicit SizeLimit(const uint64_t size) : previous(Left())
  {
    Left() = size;
  }

  ~SizeLimit() { Left() = previous; }

  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

  //! Throw if there cannot be so many elements more.
  static void Take(const uint64_t rows, const uint64_t columns = 1)
  {
    if (columns > 0 && rows > Left() / columns)
      throw cereal::Exception("it tells of more elements than it has bytes");
    Left() -= rows * columns;
  }

 private:
  //! What is left of it.
  static uint64_t& Left()
  {
    static thread_local uint64_t size = std::numeric_limits<uint64_t>::max();
    return size;
  }

  uint64_t previous;
};

//! Whether the next thing in an archive is called so.
template<typename Archive>
bool IsNext(const Archive& ar, const std::string& name)
{
  const char* found = ar.getNodeName();
  return found && name == found;
}

//! In a binary file, things have no names.
inline bool IsNext(const cereal::BinaryInputArchive& /* ar */,
                   const std::string& /* name */)
{
  return true;
}

/**
 * Read a matrix as mlpack's serialize() does, but look at its size first.  Its
 * elements must follow one another: to look for each of them by its name would
 * take a time that is quadratic in the size of the file.
 */
template<typename Archive, typename eT>
void ReadMatrix(Archive& ar, arma::Mat<eT>& mat)
{
  arma::uword n_rows = 0, n_cols = 0, vec_state = 0;
  ar(CEREAL_NVP(n_rows));
  ar(CEREAL_NVP(n_cols));
  ar(CEREAL_NVP(vec_state));
  SizeLimit::Take(n_rows, n_cols);
  // What is a vector by its type stays one.
  const bool fits = (mat.vec_state == 0) ? (vec_state <= 2) :
      (vec_state == mat.vec_state);
  if (!fits || (vec_state == 1 && n_cols != 1) ||
      (vec_state == 2 && n_rows != 1))
    throw cereal::Exception("a vector has the size of a matrix");
  mat.set_size(n_rows, n_cols);
  arma::access::rw(mat.vec_state) = arma::uhword(vec_state);
  for (eT& element : mat)
  {
    if (!IsNext(ar, "elem"))
      throw cereal::Exception("a matrix has too few elements");
    ar(cereal::make_nvp("elem", element));
  }
}

/**
 * Read a number of XML.  cereal's own functions leave out what follows it, take
 * -1 for a large number, and where the decimal point is a comma (LC_NUMERIC)
 * read 0.5 as 0.
 */
template<typename T>
void ReadNumber(cereal::XMLInputArchive& ar, T& value)
{
  std::string text;
  ar.loadValue(text);
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec == std::errc::result_out_of_range)
    throw cereal::Exception("the number " + Quoted(text) + " is out of range");
  if (result.ec != std::errc() || result.ptr != end)
    throw cereal::Exception(Quoted(text) + " is no number, or not a whole one");
}

//! Read a vector of objects as cereal does, but make room for each when it
//! comes: an object may take much more memory than its bytes in the file.
template<typename Archive, typename T>
void ReadObjects(Archive& ar, std::vector<T>& objects)
{
  cereal::size_type size = 0;
  ar(cereal::make_size_tag(size));
  objects.clear();
  for (cereal::size_type i = 0; i < size; ++i)
  {
    objects.emplace_back();
    ar(objects.back());
  }
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
  mlpack::bindings::SizeLimit::Take(tag.size);
}

template<typename T>
std::enable_if_t<!std::is_arithmetic<T>::value> CEREAL_LOAD_FUNCTION_NAME(
    BinaryInputArchive& ar, std::vector<T>& objects)
{
  mlpack::bindings::ReadObjects(ar, objects);
}

template<typename T>
std::enable_if_t<!std::is_arithmetic<T>::value> CEREAL_LOAD_FUNCTION_NAME(
    JSONInputArchive& ar, std::vector<T>& objects)
{
  mlpack::bindings::ReadObjects(ar, objects);
}

template<typename T>
std::enable_if_t<!std::is_arithmetic<T>::value> CEREAL_LOAD_FUNCTION_NAME(
    XMLInputArchive& ar, std::vector<T>& objects)
{
  mlpack::bindings::ReadObjects(ar, objects);
}

#define MLPACK_BINDINGS_READ_NUMBER(T) \
inline void CEREAL_LOAD_FUNCTION_NAME(XMLInputArchive& ar, T& value) \
{ \
  mlpack::bindings::ReadNumber(ar, value); \
}

MLPACK_BINDINGS_READ_NUMBER(unsigned char)
MLPACK_BINDINGS_READ_NUMBER(int)
MLPACK_BINDINGS_READ_NUMBER(unsigned int)
MLPACK_BINDINGS_READ_NUMBER(long)
MLPACK_BINDINGS_READ_NUMBER(unsigned long)
MLPACK_BINDINGS_READ_NUMBER(long long)
MLPACK_BINDINGS_READ_NUMBER(unsigned long long)
MLPACK_BINDINGS_READ_NUMBER(float)
MLPACK_BINDINGS_READ_NUMBER(double)

#undef MLPACK_BINDINGS_READ_NUMBER

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
