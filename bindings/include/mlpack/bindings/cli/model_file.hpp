/**
 * @file bindings/cli/model_file.hpp
 *
 * Load and save the models of a command-line program.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_MODEL_FILE_HPP
#define MLPACK_BINDINGS_CLI_MODEL_FILE_HPP

#include <mlpack/methods/gbnn/files/whole_file.hpp>

#include <memory>
#include <stdexcept>
#include <string>

#include "../util/model_bytes.hpp"
#include "file_format.hpp"
#include "text_table.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

//! The format of a model file by its extension.
inline ModelFormat FormatOf(const std::string& file)
{
  const std::string extension = FileExtension(file);
  return (extension == "xml") ? ModelFormat::XML :
      (extension == "json") ? ModelFormat::JSON : ModelFormat::Binary;
}

/**
 * Load a model.
 *
 * @param file Name of the file.
 * @return The model.
 */
template<typename T>
std::unique_ptr<T> LoadModel(const std::string& file)
{
  if (!IsModelFile(file))
    throw std::runtime_error("expected the extension .bin, .json or .xml");
  const std::string bytes = ReadFile(file);
  if (bytes.empty())
    throw std::runtime_error("is empty");
  try
  {
    return ReadModel<T>(bytes, FormatOf(file));
  }
  catch (const NewerModel&)
  {
    throw;
  }
  catch (const std::exception& e)
  {
    throw std::runtime_error(std::string("is damaged or not a model of this "
        "program (") + e.what() + ")");
  }
}

/**
 * Save a model.
 *
 * @param file File to write to, whose name tells the format.
 * @param model Model to save.
 */
template<typename T>
void SaveModel(gbnn::TemporaryFile& file, const T& model)
{
  file.Write(WriteModel(model, FormatOf(file.File())));
}

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
