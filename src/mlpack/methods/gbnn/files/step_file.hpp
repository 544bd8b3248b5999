/**
 * @file methods/gbnn/files/step_file.hpp
 *
 * A table of the results of steps, and the file that has it.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_FILES_STEP_FILE_HPP
#define MLPACK_METHODS_GBNN_FILES_STEP_FILE_HPP

#include <mlpack/prereqs.hpp>

#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>

#include "../compute/communicator.hpp"
#include "digest.hpp"
#include "value_bytes.hpp"

// Files are synced, locked and renamed as POSIX has it.
#if defined(__unix__) || defined(__APPLE__)
  #define MLPACK_GBNN_HAS_CHECKPOINTS
  #include "whole_file.hpp"
#endif

namespace mlpack {
namespace gbnn {

/**
 * The results of steps by name, and the file that has them.  Threads may use it
 * side by side.
 *
 * The file is: a line that says what it is; the digest of all that follows; and
 * for each step its name and its result, each after the number of its bytes.
 *
 * Of several ranks, only the first reads and writes the file.  All of them have
 * the same steps, since all find the same results.
 */
class StepFile
{
 public:
  //! Read the file if there is one; see GBNNCheckpoint.
  StepFile(const std::string& file,
           const double seconds,
           const GBNNCommunicator* ranks) :
      file(file), seconds(seconds), ranks(ranks), lastSave(Clock::now())
  {
    OnEachRank(ranks, [&]()
    {
      #ifdef MLPACK_GBNN_HAS_CHECKPOINTS
      std::error_code error;
      if (!IsWriter())
        return;
      if (IsSpecialFile(file))
        Refuse("it is no ordinary file");
      CheckWritable("checkpoint", file);
      if (std::filesystem::exists(file, error))
        Load();
      #else
      Refuse("there are none on this system");
      #endif
    });
    if (!IsShared(ranks))
      return;
    const std::string mine = IsWriter() ? Content() : "";
    const std::vector<char> all = GatherAll(ranks,
        std::vector<char>(mine.begin(), mine.end()));
    if (!IsWriter())
      TakeSteps(std::string_view(all.data(), all.size()));
  }

  //! Save what is not saved yet, if there is a file already.
  ~StepFile()
  {
    if (isNew && isThere)
      Save();
  }

  StepFile(const StepFile&) = delete;
  StepFile& operator=(const StepFile&) = delete;

  const std::string& Name() const { return file; }

  //! The ranks that share the file; nullptr if it is of one process.
  const GBNNCommunicator* Ranks() const { return ranks; }

  //! Number of steps.
  size_t Steps() const
  {
    const std::lock_guard<std::mutex> lock(mutex);
    return steps.size();
  }

  //! Why the file could not be written the last time; empty if it could.
  std::string Problem() const
  {
    const std::lock_guard<std::mutex> lock(mutex);
    return problem;
  }

  //! The result of a step, if there is one.
  std::optional<std::string> Get(const std::string& step) const
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = steps.find(step);
    return (found == steps.end()) ? std::nullopt :
        std::optional<std::string>(found->second);
  }

  //! Set the result of a step, and save the file if it is time to.
  void Put(const std::string& step, std::string result)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    std::string& kept = steps[step];
    if (kept == result)
      return;
    kept = std::move(result);
    isNew = true;
    // Saving is to take a twentieth of the time at most.
    const double wait = seconds * std::max(1.0, 2 * saveSeconds);
    if (Since(lastSave) >= wait)
      Save();
  }

  //! Forget all steps whose names begin so.
  void Erase(const std::string& begin)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    auto step = steps.lower_bound(begin);
    while (step != steps.end() && step->first.compare(0, begin.size(),
        begin) == 0)
      step = steps.erase(step);
  }

  //! Remove the file, and forget everything.
  void Remove()
  {
    const std::lock_guard<std::mutex> lock(mutex);
    steps.clear();
    isNew = false;
    #ifdef MLPACK_GBNN_HAS_CHECKPOINTS
    std::error_code error;
    if (isThere)
      std::filesystem::remove(PlaceOf(file), error);
    #endif
    isThere = false;
  }

  //! Throw std::runtime_error about the file.
  [[noreturn]] void Refuse(const std::string& reason) const
  {
    throw std::runtime_error("checkpoint '" + file + "': " + reason);
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double Since(const Clock::time_point& time)
  {
    return std::chrono::duration<double>(Clock::now() - time).count();
  }

  static std::string_view Title() { return "GBNN checkpoint 1\n"; }

  void Load()
  {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    const std::string text = content.str();
    std::string_view bytes = text;
    if (!stream || bytes.substr(0, Title().size()) != Title())
      Refuse("is no checkpoint, or one of another version of GBNN; give "
          "another file");
    try
    {
      TakeBytes(bytes, Title().size());
      uint64_t digest;
      TakeValue(bytes, digest);
      if (Digest().Add(bytes).Value() != digest)
        throw std::runtime_error("its digest does not fit");
      TakeSteps(bytes);
    }
    catch (const std::runtime_error& e)
    {
      Refuse(std::string("is damaged: ") + e.what() + "; remove it to train "
          "from the beginning");
    }
    isThere = true;
  }

  //! Whether this process reads and writes the file.
  bool IsWriter() const { return !IsShared(ranks) || ranks->Rank() == 0; }

  //! All steps as bytes.
  std::string Content() const
  {
    std::string content;
    for (const auto& [name, result] : steps)
    {
      for (const std::string* text : { &name, &result })
      {
        AppendBytes(content, uint64_t(text->size()));
        content += *text;
      }
    }
    return content;
  }

  //! Take the steps from such bytes.
  void TakeSteps(std::string_view bytes)
  {
    while (!bytes.empty())
    {
      const std::string_view name = TakeText(bytes);
      steps.emplace(name, TakeText(bytes));
    }
  }

  static std::string_view TakeText(std::string_view& bytes)
  {
    uint64_t size;
    TakeValue(bytes, size);
    return TakeBytes(bytes, size);
  }

  void Save()
  {
    if (!IsWriter())
      return;
    const Clock::time_point start = Clock::now();
    const std::string content = Content();
    std::string head(Title());
    AppendBytes(head, Digest().Add(content).Value());
    try
    {
      #ifdef MLPACK_GBNN_HAS_CHECKPOINTS
      WriteWhole("checkpoint", file, head + content);
      #endif
      isThere = true;
      isNew = false;
      problem.clear();
    }
    catch (const std::exception& e)
    {
      // Hours of training are not to end for want of a checkpoint.
      problem = e.what();
    }
    saveSeconds = Since(start);
    lastSave = Clock::now();
  }

  std::string file;
  double seconds;
  const GBNNCommunicator* ranks;
  mutable std::mutex mutex;
  std::map<std::string, std::string> steps;
  //! Whether the file is there, and whether there are steps that it has not.
  bool isThere = false, isNew = false;
  Clock::time_point lastSave;
  //! How long saving took the last time.
  double saveSeconds = 0;
  std::string problem;
};

} // namespace gbnn
} // namespace mlpack

#endif
