/**
 * @file methods/gbnn/files/checkpoint.hpp
 *
 * Keeps what a training has finished in a file, so that it can go on from there
 * when it was ended.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_FILES_CHECKPOINT_HPP
#define MLPACK_METHODS_GBNN_FILES_CHECKPOINT_HPP

#include <mlpack/prereqs.hpp>
#include <mlpack/core/util/version.hpp>
#include <ensmallen.hpp>

#include <memory>
#include <optional>

#include "../compute/communicator.hpp"
#include "../compute/simd_level.hpp"
#include "step_file.hpp"
#include "value_bytes.hpp"

namespace mlpack {

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
