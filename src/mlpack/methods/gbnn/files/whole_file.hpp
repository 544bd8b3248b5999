/**
 * @file methods/gbnn/files/whole_file.hpp
 *
 * Files that are never left half written.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_FILES_WHOLE_FILE_HPP
#define MLPACK_METHODS_GBNN_FILES_WHOLE_FILE_HPP

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
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

//! The file that a name leads to, if it is a link.
inline std::filesystem::path PlaceOf(const std::string& file)
{
  std::error_code error;
  const std::filesystem::path place =
      std::filesystem::weakly_canonical(std::filesystem::absolute(file, error),
      error);
  return error ? std::filesystem::path(file) : place;
}

//! Whether a file is a pipe or a device, which cannot be replaced.
inline bool IsSpecialFile(const std::string& file)
{
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  return std::filesystem::exists(status) &&
      !std::filesystem::is_regular_file(status) &&
      !std::filesystem::is_directory(status);
}

/**
 * A file that is written beside its place and then put there, so that there is
 * either what was there before or all of the new file, also if the machine
 * stops in between.
 *
 * Nobody can foresee its name, and it is made anew: a link that lies there is
 * not followed.  It is opened once: who puts something else there meanwhile
 * does not get what is written.  It is locked as long as this lives.  What
 * others have left behind for the same place is removed: files without a lock
 * that nobody has written to for a minute.
 *
 * A pipe or a device cannot be replaced, and is written to as it is.
 */
class TemporaryFile
{
 public:
  //! Make it; throws std::runtime_error with the reason if that fails, as the
  //! other functions do.
  explicit TemporaryFile(const std::string& file);

  //! Remove it, unless it was put into its place.
  ~TemporaryFile();

  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  //! The file that it is to become, as it was given.
  const std::string& File() const { return file; }

  //! Append some bytes.
  void Write(std::string_view bytes);

  //! Have all that was written reach the disk.
  void Finish();

  //! Put it into its place.
  void Rename();

 private:
  //! Throw with the system's reason.
  [[noreturn]] static void Fail()
  {
    throw std::runtime_error(strerror(errno));
  }

  //! Give a file the group and the permissions of another.  Where the group
  //! must not be given, ours may do no more than anybody.
  static void KeepAccess(const int file, const struct stat& other)
  {
    mode_t mode = other.st_mode & 0777;
    struct stat own;
    if (fstat(file, &own) == 0 && own.st_gid != other.st_gid &&
        fchown(file, uid_t(-1), other.st_gid) != 0)
      mode = (mode & 0707) | ((mode & 07) << 3);
    fchmod(file, mode);
  }

  //! Make a file with a new name in the folder.
  void Create(mode_t mode);

  //! Remove what was left behind.
  void RemoveOthers() const;

  std::string file;
  std::filesystem::path folder;
  std::filesystem::path place;
  //! What all such names of a place begin and end with.
  std::string begin, end;
  //! Where it is; empty for a pipe or a device, and after Rename().
  std::string name;
  int handle = -1;
};

inline TemporaryFile::TemporaryFile(const std::string& file) : file(file)
{
  if (IsSpecialFile(file))
  {
    handle = open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (handle < 0)
      Fail();
    return;
  }
  place = PlaceOf(file);
  folder = place.parent_path().empty() ? "." : place.parent_path();
  // The extension tells one format from another.  Names have a limit.
  begin = "." + place.stem().string().substr(0, 100) + ".tmp-";
  end = place.extension().string();
  // As open to others as the file it replaces, or as new files are.
  struct stat old;
  const bool exists = (stat(place.c_str(), &old) == 0);
  Create(exists ? (old.st_mode & 0777) : 0666);
  flock(handle, LOCK_EX | LOCK_NB);
  if (exists)
    KeepAccess(handle, old);
  RemoveOthers();
}

inline void TemporaryFile::Create(const mode_t mode)
{
  std::random_device random;
  while (handle < 0)
  {
    std::ostringstream number;
    number << std::hex << std::setfill('0') << std::setw(8)
        << (random() & 0xFFFFFFFFu) << std::setw(8) << (random() & 0xFFFFFFFFu);
    name = (folder / (begin + number.str() + end)).string();
    handle = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW |
        O_CLOEXEC, mode);
    if (handle < 0 && errno != EEXIST)
      Fail();
  }
}

inline TemporaryFile::~TemporaryFile()
{
  if (!name.empty())
    unlink(name.c_str());
  if (handle >= 0)
    close(handle);
}

inline void TemporaryFile::RemoveOthers() const
{
  const size_t digits = 16;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), last;
      !error && it != last; it.increment(error))
  {
    const std::string other = it->path().filename().string();
    if (other.size() != begin.size() + digits + end.size() ||
        other.compare(0, begin.size(), begin) != 0 ||
        other.compare(begin.size() + digits, end.size(), end) != 0 ||
        other.find_first_not_of("0123456789abcdef", begin.size()) <
        begin.size() + digits)
      continue;
    const int found = open(it->path().c_str(), O_RDONLY | O_NOFOLLOW |
        O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (found < 0)
      continue;
    const time_t minute = 60;
    if (fstat(found, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_mtime + minute < time(nullptr) &&
        flock(found, LOCK_EX | LOCK_NB) == 0)
      unlink(it->path().c_str());
    close(found);
  }
}

inline void TemporaryFile::Write(std::string_view bytes)
{
  while (!bytes.empty())
  {
    const ssize_t count = write(handle, bytes.data(), bytes.size());
    if (count > 0)
      bytes.remove_prefix(size_t(count));
    else if (count == 0 || errno != EINTR)
      Fail();
  }
}

inline void TemporaryFile::Finish()
{
  if (name.empty())
    return;
  struct stat mine, there;
  if (fstat(handle, &mine) != 0)
    Fail();
  if (lstat(name.c_str(), &there) != 0 || mine.st_ino != there.st_ino ||
      mine.st_dev != there.st_dev)
  {
    throw std::runtime_error("somebody has removed or replaced '" + name +
        "', where it was written; write to a folder of your own");
  }
  // Some file systems cannot sync, which is no reason to lose a result.
  if (fsync(handle) != 0 && errno != EINVAL && errno != ENOSYS &&
      errno != EOPNOTSUPP)
    Fail();
}

inline void TemporaryFile::Rename()
{
  if (name.empty())
    return;
  if (rename(name.c_str(), place.c_str()) != 0)
    Fail();
  name.clear();
  // The new name is on the disk when the folder is.
  const int opened = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened >= 0)
  {
    fsync(opened);
    close(opened);
  }
}

/**
 * Write a file as a whole: it is either as it was or complete.
 *
 * @param name What to call the file in errors.
 * @param file Name of the file.
 * @param content What is to be in it.
 */
inline void WriteWhole(const std::string& name,
                       const std::string& file,
                       const std::string& content)
{
  try
  {
    TemporaryFile temporary(file);
    temporary.Write(content);
    temporary.Finish();
    temporary.Rename();
  }
  catch (const std::runtime_error& e)
  {
    throw std::runtime_error(name + " '" + file + "': cannot be written: " +
        e.what());
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
