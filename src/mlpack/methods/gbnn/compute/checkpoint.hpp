/**
 * @file methods/gbnn/compute/checkpoint.hpp
 *
 * Keeps what a training has finished in a file, so that it can go on from there
 * when it was ended.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_CHECKPOINT_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_CHECKPOINT_HPP

#include <mlpack/prereqs.hpp>
#include <mlpack/core/util/version.hpp>
#include <ensmallen.hpp>

#include <chrono>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>

#include "communicator.hpp"
#include "simd_level.hpp"

// Files are synced, locked and renamed as POSIX has it.
#if defined(__unix__) || defined(__APPLE__)
  #define MLPACK_GBNN_HAS_CHECKPOINTS
  #include "whole_file.hpp"
#endif

namespace mlpack {
namespace gbnn {

//! 64 bits that tell contents apart; not against people who want them equal.
class Digest
{
 public:
  //! Take some bytes in, and how many they are.
  Digest& Add(const void* memory, const size_t size)
  {
    AddPart(memory, size);
    Mix(size);
    return *this;
  }

  Digest& Add(const std::string_view text)
  {
    return Add(text.data(), text.size());
  }

  //! Take a matrix in, with its size.  Each rank has some of its columns, whole
  //! words of eight bytes of them.
  template<typename ElemType>
  Digest& Add(const arma::Mat<ElemType>& matrix,
              const GBNNCommunicator* ranks = nullptr)
  {
    const size_t bytes = matrix.n_elem * sizeof(ElemType);
    if (!IsShared(ranks))
    {
      Mix(matrix.n_rows);
      return Add(matrix.memptr(), bytes);
    }
    // What the ranks before have mixed goes from one to the next.
    const size_t rank = ranks->Rank(), last = ranks->Ranks() - 1;
    if (rank == 0)
      Mix(matrix.n_rows);
    else
      ranks->Receive(&state, sizeof(state), rank - 1);
    AddPart(matrix.memptr(), bytes);
    if (rank < last)
      ranks->Send(&state, sizeof(state), rank + 1);
    const size_t all = SumOfRanks(ranks, bytes);
    Mix(all);
    ranks->Broadcast(&state, sizeof(state), last);
    return *this;
  }

  uint64_t Value() const { return state; }

  //! The digest in hexadecimal digits.
  std::string Text() const
  {
    std::ostringstream text;
    text << std::hex << std::setfill('0') << std::setw(16) << state;
    return text.str();
  }

 private:
  void AddPart(const void* memory, const size_t size)
  {
    const char* bytes = static_cast<const char*>(memory);
    for (size_t i = 0; i < size; i += sizeof(uint64_t))
    {
      uint64_t word = 0;
      std::memcpy(&word, bytes + i, std::min(sizeof(word), size - i));
      Mix(word);
    }
  }

  // Of each word and of the state before, the other one being the same, it is a
  // bijection: one word that changes always changes the digest.
  void Mix(const uint64_t word)
  {
    state = (state ^ word) * 0x9E3779B97F4A7C15u;
    state ^= state >> 32;
  }

  uint64_t state = 0x243F6A8885A308D3u;
};

//! A matrix, of which each rank has some columns, in words: how large it is,
//! and its digest.
template<typename ElemType>
std::string DigestOf(const arma::Mat<ElemType>& matrix,
                     const GBNNCommunicator* ranks = nullptr)
{
  return std::to_string(SumOfRanks(ranks, matrix.n_cols)) + " x " +
      std::to_string(matrix.n_rows) + " numbers, digest " +
      Digest().Add(matrix, ranks).Text();
}

//! A number in as few digits as tell it from all others.
inline std::string ExactText(const double number)
{
  std::string text;
  for (int digits = 6; digits <= 17; ++digits)
  {
    std::ostringstream stream;
    stream << std::setprecision(digits) << number;
    text = stream.str();
    if (std::strtod(text.c_str(), nullptr) == number)
      break;
  }
  return text;
}

//! Append a value to some bytes: a number, a matrix, or a list of numbers.
template<typename T>
void AppendBytes(std::string& bytes, const T& value)
{
  if constexpr (arma::is_arma_type<T>::value)
  {
    AppendBytes(bytes, uint64_t(value.n_rows));
    AppendBytes(bytes, uint64_t(value.n_cols));
    bytes.append(reinterpret_cast<const char*>(value.memptr()),
        value.n_elem * sizeof(typename T::elem_type));
  }
  else
  {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
}

template<typename T>
void AppendBytes(std::string& bytes, const std::vector<T>& values)
{
  AppendBytes(bytes, uint64_t(values.size()));
  for (const T& value : values)
    AppendBytes(bytes, value);
}

//! Take so many bytes from the beginning of others; throws
//! std::runtime_error if there are fewer.
inline std::string_view TakeBytes(std::string_view& bytes, const uint64_t size)
{
  if (size > bytes.size())
    throw std::runtime_error("it ends too early");
  const std::string_view taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return taken;
}

//! Take a value that AppendBytes() has appended.
template<typename T>
void TakeValue(std::string_view& bytes, T& value)
{
  if constexpr (arma::is_arma_type<T>::value)
  {
    uint64_t rows, columns;
    TakeValue(bytes, rows);
    TakeValue(bytes, columns);
    const size_t size = sizeof(typename T::elem_type);
    // Memory is taken for what is there only.
    if (columns > 0 && rows > bytes.size() / size / columns)
      throw std::runtime_error("it ends too early");
    const std::string_view taken = TakeBytes(bytes, rows * columns * size);
    value.set_size(rows, columns);
    if (!taken.empty())
      std::memcpy(value.memptr(), taken.data(), taken.size());
  }
  else
    std::memcpy(&value, TakeBytes(bytes, sizeof(T)).data(), sizeof(T));
}

template<typename T>
void TakeValue(std::string_view& bytes, std::vector<T>& values)
{
  uint64_t size;
  TakeValue(bytes, size);
  if (size > bytes.size() / sizeof(T))
    throw std::runtime_error("it ends too early");
  values.resize(size);
  for (T& value : values)
    TakeValue(bytes, value);
}

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

/**
 * A file from which a training goes on that was ended before it was done.  Pass
 * it as a callback:
 *
 * @code
 * GBNNCheckpoint checkpoint("training.checkpoint");
 * ens::L_BFGS optimizer = model.RefineOptimizer();
 * model.Train(data, labels, numClasses, checkpoint);
 * model.Refine(data, labels, arma::rowvec(), optimizer, checkpoint);
 * checkpoint.Remove();
 * @endcode
 *
 * What is finished (the weights of each stage, rounds of the refinement,
 * results of trials) is written to the file at most every few seconds.  A
 * program that finds the file does everything again but these steps, and so
 * ends with the same bits as one that never stopped.  Training throws
 * std::invalid_argument if the file is of other data or settings.
 *
 * Not in the file, and so to be the same without a check, are the settings of
 * optimizers.  Callbacks see stages again, but not the steps within them; those
 * of a refinement see only what is left of it.  A refinement with another
 * optimizer than L-BFGS is done again.  To train several models with one file,
 * give each a Part() of it.
 *
 * Copies share the file.
 */
class GBNNCheckpoint
{
 public:
  //! Any thread may call it.
  static constexpr bool AnyThread = true;

  //! A fact about a training: what it is called, and in words what it is.
  using Fact = std::pair<std::string, std::string>;

  //! Keeps nothing.
  GBNNCheckpoint() { }

  /**
   * Read the file, if there is one; throws std::runtime_error if it is damaged,
   * and std::invalid_argument if the results of another version or machine are
   * in it.
   *
   * @param file Name of the file.
   * @param seconds The time between two saves, at least.
   * @param ranks The communicator of the model, if it has one.  A training may
   *     go on with another number of ranks.
   */
  explicit GBNNCheckpoint(const std::string& file,
                          const double seconds = 10,
                          const GBNNCommunicator* ranks = nullptr) :
      steps(std::make_shared<gbnn::StepFile>(file, seconds, ranks)),
      found(steps->Steps())
  {
    // The bits of v3 and v4 are the same.
    const gbnn::SimdLevel level = gbnn::ActiveLevel();
    Check({ { "version of GBNN", Version() },
        { "version of mlpack", util::GetVersion() },
        { "version of ensmallen", ens::version::as_string() },
        { "kind of vector instructions (GBNN_SIMD)", gbnn::ToString(
            level == gbnn::SimdLevel::V4 ? gbnn::SimdLevel::V3 : level) } });
  }

  //! The version whose steps are in the file; that of the project.
  static std::string Version() { return "0.1.0"; }

  //! Whether there is a file.
  bool IsActive() const { return bool(steps); }

  //! Whether several ranks share the file.
  bool IsShared() const { return steps && gbnn::IsShared(steps->Ranks()); }

  //! Whether the file was there, with steps that are finished.
  bool IsFound() const { return found > 0; }

  //! Why the file could not be written the last time; empty if it could.
  std::string Problem() const
  {
    return IsActive() ? steps->Problem() : std::string();
  }

  //! The same file, for a part of the work with steps of its own.
  GBNNCheckpoint Part(const std::string& name) const
  {
    GBNNCheckpoint part(*this);
    part.place += name + "/";
    return part;
  }

  //! Throw std::invalid_argument unless these facts are those of before, if
  //! there are any, and keep them.
  void Check(const std::vector<Fact>& facts) const;

  //! The result of a step, if it is finished; returns whether it is.
  template<typename... Types>
  bool Recall(const std::string& step, Types&... values) const;

  //! Keep the result of a step, in place of an earlier one.
  template<typename... Types>
  void Keep(const std::string& step, const Types&... values) const
  {
    if (!IsActive())
      return;
    std::string bytes;
    (gbnn::AppendBytes(bytes, values), ...);
    steps->Put(place + step, std::move(bytes));
  }

  //! The value that was kept, or this one, which is kept.
  template<typename T>
  T Once(const std::string& step, const T& value) const
  {
    T kept = value;
    if (!Recall(step, kept))
      Keep(step, value);
    return kept;
  }

  /**
   * The matrix that was kept, or the one that is computed, which is kept.
   *
   * @param step Name of the step.
   * @param size Number of elements that it must have.
   * @param compute Called without arguments if it must be computed.
   */
  template<typename FunctionType>
  auto Matrix(const std::string& step,
              const size_t size,
              const FunctionType& compute) const
  {
    decltype(compute()) matrix;
    if (Recall(step, matrix))
    {
      Require(step, matrix.n_elem == size);
      return matrix;
    }
    matrix = compute();
    Keep(step, matrix);
    return matrix;
  }

  //! Throw std::runtime_error unless what was kept of a step makes sense.
  void Require(const std::string& step, const bool condition) const
  {
    if (!condition)
      steps->Refuse("is damaged: step '" + place + step + "'; remove it to "
          "train from the beginning");
  }

  //! Forget all steps and facts of this part: they are needed no more.
  void Forget() const
  {
    if (IsActive())
      steps->Erase(place);
  }

  //! The training is done: remove the file.
  void Remove() const
  {
    if (IsActive())
      steps->Remove();
  }

 private:
  std::shared_ptr<gbnn::StepFile> steps;
  //! What all names of this part begin with.
  std::string place;
  //! Number of steps in the file in the beginning.
  size_t found = 0;
};

inline void GBNNCheckpoint::Check(const std::vector<Fact>& facts) const
{
  if (!IsActive())
    return;
  std::string differences;
  for (const auto& [name, value] : facts)
  {
    const std::optional<std::string> before = steps->Get(place + "= " + name);
    if (before && *before != value)
      differences += (differences.empty() ? "" : "; ") + name + " is " +
          *before + " there and " + value + " here";
  }
  if (!differences.empty())
  {
    throw std::invalid_argument("checkpoint '" + steps->Name() + "' is of "
        "another training: " + differences + "; go on with what it is of, "
        "remove it, or give another file");
  }
  for (const auto& [name, value] : facts)
    steps->Put(place + "= " + name, value);
}

template<typename... Types>
bool GBNNCheckpoint::Recall(const std::string& step, Types&... values) const
{
  const std::optional<std::string> kept = IsActive() ?
      steps->Get(place + step) : std::nullopt;
  if (!kept)
    return false;
  std::string_view bytes = *kept;
  try
  {
    (gbnn::TakeValue(bytes, values), ...);
  }
  catch (const std::exception&)
  {
    Require(step, false);
  }
  Require(step, bytes.empty());
  return true;
}

namespace gbnn {

/**
 * The checkpoint among some callbacks, or one that keeps nothing.
 *
 * @param part The part of it to use.
 * @param callbacks Callbacks of any types.
 */
template<typename... CallbackTypes>
GBNNCheckpoint CheckpointOf(const std::string& part,
                            const CallbackTypes&... callbacks)
{
  GBNNCheckpoint result;
  [[maybe_unused]] const auto look = [&](const auto& callback)
  {
    if constexpr (std::is_same_v<std::decay_t<decltype(callback)>,
        GBNNCheckpoint>)
      result = callback.Part(part);
  };
  (look(callbacks), ...);
  return result;
}

} // namespace gbnn
} // namespace mlpack

#endif
