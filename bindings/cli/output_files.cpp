/**
 * @file bindings/cli/output_files.cpp
 *
 * Implementation of writing output files.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/output_files.hpp>
#include <mlpack/bindings/cli/file_format.hpp>
#include <mlpack/bindings/cli/option.hpp>

#include <stdexcept>

namespace mlpack {
namespace bindings {
namespace cli {

void CheckFormat(const util::ParamData& d, const std::string& file)
{
  const bool isModel = (KindOf(d) == ParamKind::Model);
  if (isModel && !IsModelFile(file))
  {
    throw std::runtime_error(FileMessage(d, file) + "expected the extension "
        ".bin, .json or .xml");
  }
  if (!isModel && !IsTextMatrix(file) && !IsBinaryMatrix(file) &&
      !gbnn::IsSpecialFile(file))
  {
    throw std::runtime_error(FileMessage(d, file) + "expected the extension "
        ".csv, .tsv, .txt" + (hasHDF5 ? ", .bin or .h5" : " or .bin"));
  }
  if (isModel)
    return;
  try
  {
    RequireHDF5(file);
  }
  catch (const std::runtime_error& e)
  {
    throw std::runtime_error(FileMessage(d, file) + e.what());
  }
}

gbnn::TemporaryFile& OutputFiles::Temporary(const std::string& file)
{
  files.push_back(std::make_unique<gbnn::TemporaryFile>(file));
  return *files.back();
}

void OutputFiles::Commit()
{
  const auto forEach = [&](const auto& step)
  {
    for (const auto& file : files)
    {
      try
      {
        step(*file);
      }
      catch (const std::runtime_error& e)
      {
        throw std::runtime_error("'" + file->File() + "' cannot be written: " +
            e.what());
      }
    }
  };
  forEach([](gbnn::TemporaryFile& file) { file.Finish(); });
  forEach([](gbnn::TemporaryFile& file) { file.Rename(); });
  files.clear();
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
