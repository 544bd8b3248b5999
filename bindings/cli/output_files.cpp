/**
 * @file bindings/cli/output_files.cpp
 *
 * Implementation of writing output files.
 */
#include <mlpack/bindings/cli/output_files.hpp>
#include <mlpack/bindings/cli/file_format.hpp>
#include <mlpack/bindings/cli/option.hpp>

#include <filesystem>
#include <stdexcept>

#include <unistd.h>

namespace mlpack {
namespace bindings {
namespace cli {

namespace fs = std::filesystem;

//! Devices and pipes cannot be replaced by renaming; they are written to.
static bool IsSpecial(const fs::path& path)
{
  std::error_code error;
  return fs::exists(path, error) && !fs::is_regular_file(path, error) &&
      !fs::is_directory(path, error);
}

//! Where the file really is, if the name is that of a link.
static fs::path Target(const std::string& file)
{
  std::error_code error;
  const fs::path real = fs::weakly_canonical(file, error);
  return error ? fs::path(file) : real;
}

void CheckFormat(const util::ParamData& d, const std::string& file)
{
  const bool isModel = (KindOf(d) == ParamKind::Model);
  if (isModel && !IsModelFile(file))
  {
    throw std::runtime_error(FileMessage(d, file) + "expected the extension "
        ".bin, .json or .xml");
  }
  if (!isModel && !IsTextMatrix(file) && !IsBinaryMatrix(file) &&
      !IsSpecial(file))
  {
    throw std::runtime_error(FileMessage(d, file) + "expected the extension "
        ".csv, .tsv, .txt, .bin or .h5");
  }
}

std::string OutputFiles::Temporary(const std::string& file)
{
  if (IsSpecial(file))
    return file;
  // The extension stays, because it tells the format.
  const fs::path target = Target(file);
  const fs::path temporary = target.parent_path() / ("." +
      target.stem().string() + ".tmp" + std::to_string(getpid()) + "-" +
      std::to_string(entries.size()) + target.extension().string());
  entries.push_back({ temporary.string(), target.string() });
  return temporary.string();
}

void OutputFiles::Commit()
{
  for (const Entry& entry : entries)
  {
    // Nothing may have been written, if the parameter was empty.
    std::error_code error;
    if (!fs::exists(entry.temporary, error))
      continue;
    const fs::file_status old = fs::status(entry.target, error);
    if (fs::exists(old))
      fs::permissions(entry.temporary, old.permissions(), error);
    fs::rename(entry.temporary, entry.target, error);
    if (error)
    {
      throw std::runtime_error("'" + entry.target + "' cannot be written: " +
          error.message());
    }
  }
  entries.clear();
}

OutputFiles::~OutputFiles()
{
  for (const Entry& entry : entries)
  {
    std::error_code error;
    fs::remove(entry.temporary, error);
  }
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
