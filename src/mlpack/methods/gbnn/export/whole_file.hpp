/**
 * @file methods/gbnn/export/whole_file.hpp
 *
 * Files of text that are never left half written.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_EXPORT_WHOLE_FILE_HPP
#define MLPACK_METHODS_GBNN_EXPORT_WHOLE_FILE_HPP

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace mlpack {
namespace gbnn {

/**
 * Throw std::invalid_argument if a file could not be written, without touching
 * it.
 *
 * @param name What to call the file in errors.
 * @param file Name of the file.
 */
inline void CheckWritable(const std::string& name, const std::string& file)
{
  namespace fs = std::filesystem;
  const auto refuse = [&](const std::string& reason)
  {
    throw std::invalid_argument(name + " '" + file + "': cannot be written: " +
        reason);
  };

  std::error_code error;
  if (file.empty())
    refuse("expected the name of a file");
  if (fs::is_directory(file, error))
    refuse("it is a directory");
  if (fs::exists(file, error) && access(file.c_str(), W_OK) != 0)
    refuse(strerror(errno));
  // A pipe or a device is written to as it is; a link leads elsewhere.
  if (fs::exists(file, error) && !fs::is_regular_file(file, error))
    return;
  fs::path target = fs::weakly_canonical(file, error);
  if (error)
    target = file;
  fs::path folder = target.parent_path();
  if (folder.empty())
    folder = ".";
  if (!fs::is_directory(folder, error))
    refuse("there is no directory '" + folder.string() + "'");
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    refuse("directory '" + folder.string() + "': " + strerror(errno));
}

/**
 * Write a file as a whole: under a temporary name in the same folder, which is
 * then renamed, so that the file is either as it was or complete.
 *
 * @param name What to call the file in errors.
 * @param file Name of the file.
 * @param content What is to be in it.
 */
inline void WriteWhole(const std::string& name,
                       const std::string& file,
                       const std::string& content)
{
  namespace fs = std::filesystem;
  std::error_code error;
  const auto refuse = [&](const std::string& reason)
  {
    throw std::runtime_error(name + " '" + file + "': cannot be written: " +
        reason);
  };

  // The file that a link leads to; a pipe or device is written to as it is.
  fs::path target = fs::weakly_canonical(file, error);
  if (error)
    target = file;
  const fs::file_status old = fs::status(target, error);
  const bool direct = fs::exists(old) && !fs::is_regular_file(old);
  const fs::path temporary = direct ? target : target.parent_path() /
      ("." + target.filename().string() + ".tmp" + std::to_string(getpid()));

  errno = 0;
  std::ofstream stream(temporary, std::ios::binary);
  stream << content;
  stream.close();
  const std::string reason = stream ? "" : strerror(errno);
  if (direct && reason.empty())
    return;
  if (reason.empty() && fs::exists(old))
    fs::permissions(temporary, old.permissions(), error);
  if (reason.empty())
    fs::rename(temporary, target, error);
  if (!reason.empty() || error)
  {
    std::error_code ignored;
    if (!direct)
      fs::remove(temporary, ignored);
    refuse(reason.empty() ? error.message() : reason);
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
