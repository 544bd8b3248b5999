/**
 * @file methods/gbnn/export/gbnn_export.hpp
 *
 * Writing a trained model in the format that the name of a file asks for.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_EXPORT_GBNN_EXPORT_HPP
#define MLPACK_METHODS_GBNN_EXPORT_GBNN_EXPORT_HPP

#include "../files/whole_file.hpp"
#include "gbnn_export_c.hpp"
#include "gbnn_export_onnx.hpp"

namespace mlpack {
namespace gbnn {

/**
 * Throw std::invalid_argument if a model could not be exported to this file.
 *
 * @param name What to call the file in errors.
 * @param file Name of the file, which ends in .onnx or .h.
 */
inline void CheckExport(const std::string& name, const std::string& file)
{
  const std::string extension = std::filesystem::path(file).extension();
  if (extension != ".onnx" && extension != ".h")
  {
    throw std::invalid_argument(name + " '" + file + "': expected the "
        "extension .onnx or .h (a C header)");
  }
  if (extension == ".onnx" && !hasONNX)
  {
    throw std::invalid_argument(name + " '" + file + "': this was built "
        "without ONNX; build it where the ONNX library is installed (Debian: "
        "libonnx-dev and libprotobuf-dev), or export a C header (.h)");
  }
  CheckWritable(name, file);
}

/**
 * What is to stand in the file that a model is exported to.
 *
 * @param model The model: a GBNNModel, GBNNClassifier or GBNNRegressor.
 * @param file Name of the file, which ends in .onnx or .h.
 */
template<typename ModelType>
std::string ExportedText(const ModelType& model, const std::string& file)
{
  const std::filesystem::path path(file);
  const PortableGBNN portable(model);
  return (path.extension() == ".onnx") ? ExportONNX(portable) :
      CExport(portable, path.stem().string()).Text();
}

} // namespace gbnn

/**
 * Write a trained model to a file that others can predict with: an ONNX graph
 * (.onnx) or a C header (.h).  Units that are switched off are left out.
 * Throws std::invalid_argument if the model is not trained or the file cannot
 * be written.
 *
 * @param model A GBNNModel, GBNNClassifier or GBNNRegressor.
 * @param file Name of the file.
 */
template<typename ModelType>
void Export(const ModelType& model, const std::string& file)
{
  const std::string name = "Export():";
  gbnn::CheckExport(name, file);
  gbnn::WriteWhole(name, file, gbnn::ExportedText(model, file));
}

} // namespace mlpack

#endif
