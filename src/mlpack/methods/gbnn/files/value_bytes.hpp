/**
 * @file methods/gbnn/files/value_bytes.hpp
 *
 * Values as the bytes of a file, and back.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_FILES_VALUE_BYTES_HPP
#define MLPACK_METHODS_GBNN_FILES_VALUE_BYTES_HPP

#include <mlpack/prereqs.hpp>

#include <cstring>
#include <string_view>

namespace mlpack {
namespace gbnn {

//! Append a value to some bytes: a number, a matrix, or a list of numbers.
template<typename T>
void AppendBytes(std::string& bytes, const T& value)
{
  if constexpr (arma::is_arma_type<T>::value)
  {
    AppendBytes(bytes, uint64_t(value.n_rows));
    AppendBytes(bytes, uint64_t(value.n_cols));
    bytes.append(reinterpret_cast<const char*>(value.memptr()),
        value.n_elem * sizeof(typename T::elem_type));
  }
  else
  {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
}

template<typename T>
void AppendBytes(std::string& bytes, const std::vector<T>& values)
{
  AppendBytes(bytes, uint64_t(values.size()));
  for (const T& value : values)
    AppendBytes(bytes, value);
}

//! Take so many bytes from the beginning of others; throws
//! std::runtime_error if there are fewer.
inline std::string_view TakeBytes(std::string_view& bytes, const uint64_t size)
{
  if (size > bytes.size())
    throw std::runtime_error("it ends too early");
  const std::string_view taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return taken;
}

//! Take a value that AppendBytes() has appended.
template<typename T>
void TakeValue(std::string_view& bytes, T& value)
{
  if constexpr (arma::is_arma_type<T>::value)
  {
    uint64_t rows, columns;
    TakeValue(bytes, rows);
    TakeValue(bytes, columns);
    const size_t size = sizeof(typename T::elem_type);
    // Memory is taken for what is there only.
    if (columns > 0 && rows > bytes.size() / size / columns)
      throw std::runtime_error("it ends too early");
    const std::string_view taken = TakeBytes(bytes, rows * columns * size);
    value.set_size(rows, columns);
    if (!taken.empty())
      std::memcpy(value.memptr(), taken.data(), taken.size());
  }
  else
    std::memcpy(&value, TakeBytes(bytes, sizeof(T)).data(), sizeof(T));
}

template<typename T>
void TakeValue(std::string_view& bytes, std::vector<T>& values)
{
  uint64_t size;
  TakeValue(bytes, size);
  if (size > bytes.size() / sizeof(T))
    throw std::runtime_error("it ends too early");
  values.resize(size);
  for (T& value : values)
    TakeValue(bytes, value);
}

} // namespace gbnn
} // namespace mlpack

#endif
