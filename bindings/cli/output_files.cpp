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
        ".csv, .tsv, .txt, .bin or .h5");
  }
}

std::string OutputFiles::Temporary(const std::string& file)
{
  if (gbnn::IsSpecialFile(file))
    return file;
  try
  {
    entries.push_back({ std::make_unique<gbnn::TemporaryFile>(
        gbnn::PlaceOf(file)), file });
  }
  catch (const std::runtime_error& e)
  {
    throw std::runtime_error(std::string("cannot be written: ") + e.what());
  }
  return entries.back().temporary->Name();
}

void OutputFiles::Forget(const std::string& temporary)
{
  if (!entries.empty() && entries.back().temporary->Name() == temporary)
    entries.pop_back();
}

void OutputFiles::Commit()
{
  const auto forEach = [&](const auto& step)
  {
    for (const Entry& entry : entries)
    {
      try
      {
        step(*entry.temporary);
      }
      catch (const std::runtime_error& e)
      {
        throw std::runtime_error("'" + entry.file + "' cannot be written: " +
            e.what());
      }
    }
  };
  forEach([](gbnn::TemporaryFile& temporary) { temporary.Finish(); });
  forEach([](gbnn::TemporaryFile& temporary) { temporary.Rename(); });
  entries.clear();
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
