/**
 * @file tests/golden/golden_files.hpp
 *
 * The golden files of the C++ classes: their names, and the points they are
 * for.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_TESTS_GOLDEN_GOLDEN_FILES_HPP
#define MLPACK_TESTS_GOLDEN_GOLDEN_FILES_HPP

#include <mlpack/methods/gbnn.hpp>

#include <cereal/archives/binary.hpp>
#include <cereal/archives/json.hpp>
#include <cereal/archives/xml.hpp>

#include <filesystem>
#include <fstream>
#include <string>

//! Points that are the same numbers in any precision.
template<typename MatType>
MatType GoldenPoints(const size_t count)
{
  MatType points(3, count);
  for (size_t i = 0; i < points.n_elem; ++i)
    points[i] = double((i * i * 37 + i * 5) % 64) / 16 - 2;
  return points;
}

//! "double" or "float".
template<typename MatType>
std::string PrecisionName()
{
  return std::is_same_v<typename MatType::elem_type, double> ? "double" :
      "float";
}

//! The name of a file without its extension.
template<typename MatType>
std::string GoldenName(const bool regression, const size_t bins)
{
  return PrecisionName<MatType>() + (regression ? "_regressor" :
      "_classifier") + (bins > 0 ? "_piecewise" : "_linear");
}

//! Call `f` with the archive of a file; its extension says which.
template<typename BinaryType, typename JSONType, typename XMLType,
         typename StreamType, typename FunctionType>
void WithArchive(const std::filesystem::path& file, const FunctionType& f)
{
  StreamType stream(file, std::ios::binary);
  if (!stream)
    throw std::runtime_error("cannot open " + file.string());
  if (file.extension() == ".bin")
  {
    BinaryType archive(stream);
    f(archive);
  }
  else if (file.extension() == ".json")
  {
    JSONType archive(stream);
    f(archive);
  }
  else
  {
    XMLType archive(stream);
    f(archive);
  }
}

#endif
