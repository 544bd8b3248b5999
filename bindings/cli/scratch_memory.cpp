/**
 * @file bindings/cli/scratch_memory.cpp
 *
 * Implementation of memory in files.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/scratch_memory.hpp>
#include <mlpack/core.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace mlpack {
namespace bindings {
namespace cli {

//! The files that are mapped, and where they are made.
struct Scratch
{
  std::string folder;
  //! Sizes by addresses, and their sum.
  std::map<void*, size_t> files;
  size_t bytes = 0;
  std::mutex mutex;
};

/**
 * Null until a folder is given, and as long as the program lives from then on:
 * what is static may free memory at its very end.
 */
static Scratch* scratch = nullptr;

//! What is smaller stays in memory: a file costs some system calls, and a page
//! fault for each of its pages.
static constexpr size_t minFileBytes = size_t(1) << 22;

//! A new file without a name; -1 and errno if that fails.
static int NamelessFile(const std::string& folder)
{
#ifdef O_TMPFILE
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0)
    return file;
#endif
  // Not all file systems can do that.
  std::string name = folder + "/.scratch_XXXXXX";
  const int named = mkstemp(name.data());
  if (named >= 0)
    unlink(name.c_str());
  return named;
}

//! Whether a folder is in memory, as /tmp often is.
static bool IsInMemory(const std::string& folder)
{
  struct statfs status;
  return statfs(folder.c_str(), &status) == 0 &&
      (status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC);
}

void UseScratchFolder(const std::string& folder)
{
  if (folder.empty())
  {
    throw std::runtime_error("--" BINDING_SCRATCH_OPTION ": expected a folder, "
        "but got ''");
  }
  const int file = NamelessFile(folder);
  if (file < 0)
  {
    throw std::runtime_error("--" BINDING_SCRATCH_OPTION ": cannot make files "
        "in '" + folder + "': " + std::strerror(errno));
  }
  close(file);
  if (IsInMemory(folder))
  {
    Log::Warn << "--" BINDING_SCRATCH_OPTION ": '" << folder << "' is in "
        << "memory itself, so it saves none; give a folder on a disk."
        << std::endl;
  }
  Scratch* made = new Scratch;
  made->folder = folder;
  scratch = made;
}

bool HasScratchFolder()
{
  return scratch;
}

double ScratchBytes()
{
  struct statvfs status;
  if (!scratch || IsInMemory(scratch->folder) ||
      statvfs(scratch->folder.c_str(), &status) != 0)
    return 0;
  const std::lock_guard<std::mutex> lock(scratch->mutex);
  return double(status.f_bavail) * double(status.f_frsize) +
      double(scratch->bytes);
}

//! Map a new file.
static void* AllocateFile(const size_t bytes)
{
  const int file = NamelessFile(scratch->folder);
  int error = (file < 0) ? errno : 0;
  void* memory = MAP_FAILED;
  if (error == 0)
  {
    // All of it now: a disk that is full later would end the program.
    do
      error = posix_fallocate(file, 0, off_t(bytes));
    while (error == EINTR);
    if (error == 0)
    {
      memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file,
          0);
      error = (memory == MAP_FAILED) ? errno : 0;
      // Training goes over points in their order.
      if (error == 0)
        madvise(memory, bytes, MADV_SEQUENTIAL);
    }
    close(file);
  }
  if (error != 0)
  {
    throw ScratchError("--" BINDING_SCRATCH_OPTION ": cannot make a file of " +
        std::to_string(bytes >> 20) + " MB in '" + scratch->folder + "': " +
        std::strerror(error));
  }
  const std::lock_guard<std::mutex> lock(scratch->mutex);
  scratch->files[memory] = bytes;
  scratch->bytes += bytes;
  return memory;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack

// Every program may define these.  The text of a file and lists of its lines
// come from them, and Armadillo's matrices do.

void* operator new(const size_t bytes)
{
  using namespace mlpack::bindings::cli;
  if (scratch && bytes >= minFileBytes)
    return AllocateFile(bytes);
  // As Armadillo does it.
  const size_t small = 1024, alignment = 32;
  void* memory = nullptr;
  if (bytes < small)
    memory = std::malloc(std::max<size_t>(bytes, 1));
  else if (posix_memalign(&memory, alignment, bytes) != 0)
    memory = nullptr;
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

// The default one would not call the one above in programs with a sanitizer.
void* operator new(const size_t bytes, const std::nothrow_t&) noexcept
{
  try
  {
    return operator new(bytes);
  }
  catch (const std::bad_alloc&)
  {
    return nullptr;
  }
}

void operator delete(void* memory) noexcept
{
  using namespace mlpack::bindings::cli;
  // Files begin with a page, other memory seldom does.
  const uintptr_t minPage = 4096;
  if (memory && scratch && uintptr_t(memory) % minPage == 0)
  {
    std::map<void*, size_t>::node_type file;
    {
      const std::lock_guard<std::mutex> lock(scratch->mutex);
      file = scratch->files.extract(memory);
      scratch->bytes -= file ? file.mapped() : 0;
    }
    if (file)
    {
      munmap(memory, file.mapped());
      return;
    }
  }
  std::free(memory);
}

// Compilers warn if there is the one without the other.
void operator delete(void* memory, size_t /* bytes */) noexcept
{
  operator delete(memory);
}
