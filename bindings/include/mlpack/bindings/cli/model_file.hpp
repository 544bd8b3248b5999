/**
 * @file bindings/cli/model_file.hpp
 *
 * Load and save models, in the layout that mlpack's own programs use.
 */
#ifndef MLPACK_BINDINGS_CLI_MODEL_FILE_HPP
#define MLPACK_BINDINGS_CLI_MODEL_FILE_HPP

#include <cereal/archives/binary.hpp>
#include <cereal/archives/json.hpp>
#include <cereal/archives/xml.hpp>

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include <mlpack/bindings/util/size_limit.hpp>

#include "file_format.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

//! Read a model from an open archive.
template<typename Archive, typename T>
void ReadModel(std::istream& stream, T& model)
{
  Archive archive(stream);
  archive(cereal::make_nvp("model", model));
}

//! Write a model to an open archive.
template<typename Archive, typename T>
void WriteModel(std::ostream& stream, T& model)
{
  Archive archive(stream);
  archive(cereal::make_nvp("model", model));
}

/**
 * Load a model.  A file is not to be trusted: whatever reading it may throw
 * becomes one exception that says so.
 *
 * @param file Name of the file.
 * @return The model.
 */
template<typename T>
std::unique_ptr<T> LoadModel(const std::string& file)
{
  if (!IsModelFile(file))
    throw std::runtime_error("expected the extension .bin, .json or .xml");
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw std::runtime_error(std::string("cannot be read: ") + strerror(errno));
  if (stream.peek() == std::ifstream::traits_type::eof())
    throw std::runtime_error("is empty, or not a file");

  const std::string extension = FileExtension(file);
  auto model = std::make_unique<T>();
  std::string reason;
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  // A pipe has no size, and so no limit.
  const SizeLimit limit(error ? std::numeric_limits<uint64_t>::max() :
      uint64_t(size));
  try
  {
    if (extension == "xml")
      ReadModel<cereal::XMLInputArchive>(stream, *model);
    else if (extension == "json")
      ReadModel<cereal::JSONInputArchive>(stream, *model);
    else
      ReadModel<cereal::BinaryInputArchive>(stream, *model);

    // A binary file of something else can be read as a model by accident, but
    // hardly to its exact end.
    if (extension == "bin" &&
        stream.peek() != std::ifstream::traits_type::eof())
      reason = "there is more in the file than a model";
  }
  catch (const std::bad_alloc&)
  {
    reason = "it asks for more memory than there is";
  }
  catch (const std::exception& e)
  {
    reason = e.what();
  }
  catch (...)
  {
    reason = "unknown error";
  }
  if (!reason.empty())
  {
    throw std::runtime_error("is damaged or not a model of this program (" +
        reason + ")");
  }
  return model;
}

/**
 * Save a model.
 *
 * @param file Name of the file.
 * @param model Model to save; not const because serialize() is not.
 */
template<typename T>
void SaveModel(const std::string& file, T& model)
{
  const std::string extension = FileExtension(file);
  errno = 0;
  std::ofstream stream(file, std::ios::binary);
  if (stream)
  {
    if (extension == "xml")
      WriteModel<cereal::XMLOutputArchive>(stream, model);
    else if (extension == "json")
      WriteModel<cereal::JSONOutputArchive>(stream, model);
    else
      WriteModel<cereal::BinaryOutputArchive>(stream, model);
  }
  stream.close();
  if (!stream)
  {
    throw std::runtime_error(std::string("cannot be written: ") +
        strerror(errno));
  }
}

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
