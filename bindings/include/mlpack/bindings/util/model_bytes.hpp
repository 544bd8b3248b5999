/**
 * @file bindings/util/model_bytes.hpp
 *
 * Models as bytes: the one place through which every front end writes and reads
 * them.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_MODEL_BYTES_HPP
#define MLPACK_BINDINGS_UTIL_MODEL_BYTES_HPP

#include <mlpack/core.hpp>

#include <cereal/archives/binary.hpp>
#include <cereal/archives/json.hpp>
#include <cereal/archives/xml.hpp>

#include <exception>
#include <istream>
#include <memory>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>

#include "checked_text.hpp"
#include "size_limit.hpp"

namespace mlpack {
namespace bindings {

//! Lets a stream read memory where it is.
class MemoryBuffer : public std::streambuf
{
 public:
  explicit MemoryBuffer(const std::string_view bytes)
  {
    char* begin = const_cast<char*>(bytes.data());
    setg(begin, begin, begin + bytes.size());
  }

  //! Whether all has been read.
  bool AtEnd() const { return gptr() == egptr(); }
};

//! A model as the bytes of a file.
template<typename T>
std::string WriteModel(const T& model, const ModelFormat format)
{
  // Older cereal archives and mlpack classes want a non-const object.
  T& object = const_cast<T&>(model);
  std::ostringstream stream;
  // An archive ends its text when it goes.
  const auto write = [&](auto&& archive)
  {
    archive(cereal::make_nvp("model", object));
  };
  if (format == ModelFormat::Binary)
    write(cereal::BinaryOutputArchive(stream));
  else if (format == ModelFormat::JSON)
    write(cereal::JSONOutputArchive(stream));
  else
    write(cereal::XMLOutputArchive(stream));
  std::string bytes = stream.str();
  SealModel(bytes, format);
  return bytes;
}

/**
 * The model in the bytes of a file, which is not to be trusted: whatever goes
 * wrong becomes a std::runtime_error that says in a few words what it is, or a
 * NewerModel.
 */
template<typename T>
std::unique_ptr<T> ReadModel(const std::string_view bytes,
                             const ModelFormat format)
{
  const std::string_view content = CheckModel(bytes, format);
  MemoryBuffer buffer(content);
  std::istream stream(&buffer);
  const SizeLimit limit(content.size());
  auto model = std::make_unique<T>();
  try
  {
    const auto read = [&](auto&& archive)
    {
      archive(cereal::make_nvp("model", *model));
    };
    if (format == ModelFormat::Binary)
      read(cereal::BinaryInputArchive(stream));
    else if (format == ModelFormat::JSON)
      read(cereal::JSONInputArchive(stream));
    else
      read(cereal::XMLInputArchive(stream));
  }
  catch (const std::bad_alloc&)
  {
    throw std::runtime_error("it asks for more memory than there is");
  }
  catch (const cereal::RapidJSONException&)
  {
    // Its text is a condition in the reader's code.
    throw std::runtime_error("it is no valid JSON, or a value in it is missing "
        "or of another kind than in a model");
  }
  catch (const std::exception& e)
  {
    // It may have names from the file in it.
    throw std::runtime_error(gbnn::ShortText(e.what(), maxError / 2));
  }
  catch (...)
  {
    throw std::runtime_error("unknown error");
  }
  // Something else can be read as a model by accident, but hardly to its end.
  if (format == ModelFormat::Binary && !buffer.AtEnd())
    throw std::runtime_error("there is more in it than a model");
  return model;
}

} // namespace bindings
} // namespace mlpack

#endif
