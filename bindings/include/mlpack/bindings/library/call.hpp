/**
 * @file bindings/library/call.hpp
 *
 * One call of the binding, from setting its parameters to reading its results.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_CALL_HPP
#define MLPACK_BINDINGS_LIBRARY_CALL_HPP

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>

#include "../util/dialect.hpp"
#include "../util/quoted.hpp"
#include "abi.h"
#include "call_communicator.hpp"
#include "log.hpp"
#include "model.hpp"
#include "option.hpp"

namespace mlpack {
namespace bindings {
namespace library {

//! An error with the status that the C interface returns for it.
class CallError : public std::runtime_error
{
 public:
  CallError(const int status, const std::string& text) :
      std::runtime_error(text), status(status) { }

  //! One of mlpack_binding_status.
  int Status() const { return status; }

 private:
  int status;
};

//! Thrown through the binding to stop it.  No std::exception, so that a binding
//! that catches those does not take it for a failure of its own.
struct Interrupted { };

//! The type of a matrix with categories; its namespace depends on mlpack.
using MatrixAndInfo = TUPLE_TYPE;

//! The function that a binding file defines.
using Function = void (*)(util::Params&, util::Timers&);

//! A binding: its name and its function.
using Binding = std::pair<const std::string, Function>;

//! All bindings of the library.
inline std::map<std::string, Function>& Bindings()
{
  static std::map<std::string, Function> bindings;
  return bindings;
}

/**
 * One call.  Setters and getters throw CallError; Run() returns a status.
 */
class Call : public LogSink
{
 public:
  Call(const Binding& binding, const Dialect& dialect);

  //! Throws if there is no input of this name.
  void CheckName(const std::string& name);

  //! Set a plain value.
  template<typename T>
  void Set(const std::string& name, const T& value);

  //! Set a matrix or vector of numbers.
  template<typename ElemType>
  void SetMatrix(const std::string& name,
                 const ElemType* values,
                 const size_t rows,
                 const size_t cols,
                 const int flags);

  //! Set a matrix with categories; see mlpack_binding_set_matrix_info().
  void SetMatrixInfo(const std::string& name,
                     const double* values,
                     const size_t rows,
                     const size_t cols,
                     const int flags,
                     const int64_t* categoryCounts,
                     const char* const* categories);

  //! Set a model; the call works on a copy.
  void SetModel(const std::string& name, const mlpack_binding_model& model);

  //! Run the binding.
  int Run();

  //! A value of the exact type T.
  template<typename T>
  T& Get(const std::string& name);

  //! Memory and size of a matrix or vector of numbers.
  template<typename ElemType>
  const ElemType* GetMatrix(const std::string& name, size_t& rows,
                            size_t& cols);

  //! A new handle of a model, or a null pointer.
  mlpack_binding_model* GetModel(const std::string& name);

  //! Elements of a list of strings as C wants them.
  const std::vector<const char*>& GetStrings(const std::string& name);

  //! Elements of a list of integers as the interface wants them.
  const std::vector<int64_t>& GetInts(const std::string& name);

  //! Stop the run at its next check.
  void Interrupt() { interrupted = true; }

  //! Throws Interrupted when the run is to stop; in any thread.
  void CheckInterrupt() const
  {
    if (interrupted)
      throw Interrupted();
  }

  void OnLog(const mlpack_binding_log_function function, void* user)
  {
    log = function;
    logUser = user;
  }

  void OnPoll(const mlpack_binding_poll_function function, void* user)
  {
    poll = function;
    pollUser = user;
  }

  void OnRanks(const RankFunctions& functions)
  {
    communicator.emplace(functions);
  }

  //! The processes that make this call together; nullptr for this one alone.
  const GBNNCommunicator* Communicator() const
  {
    return communicator ? &*communicator : nullptr;
  }

  //! Collected lines.
  const std::string& Log(const int level) const
  {
    return (level == MLPACK_BINDING_WARN) ? warnings : infos;
  }

  //! Name of the binding that is called.
  const std::string& BindingName() const { return bindingName; }

  //! Text of the last error.
  std::string& Error() { return error; }
  const std::string& Error() const { return error; }

  void Line(const LogLevel level, const std::string& line) override;

 private:
  //! Find a parameter, or throw with the nearest name there is.
  util::ParamData& Find(const std::string& name, const bool inputOnly);

  //! Find an input of one of these kinds.  Whoever sets its value says that it
  //! was passed, once nothing can fail any more.
  util::ParamData& FindInput(const std::string& name,
                             const std::set<ParamKind>& kinds);

  //! Find any parameter of one of these kinds.
  util::ParamData& FindOfKind(const std::string& name,
                              const std::set<ParamKind>& kinds,
                              const bool inputOnly);

  //! Throws if a required input was not set.
  void CheckRequired();

  //! Run the function with this call in charge of the thread.
  void RunInScope();

  //! Do that on a thread of its own, and meanwhile hand on lines of log and ask
  //! whether to go on here: languages want both on the thread that called.
  void RunBeside();

  //! Own the models that the binding has made.
  void AdoptModels();

  const std::string bindingName;
  util::Params params;
  const Function function;
  const Dialect& dialect;
  //! Every model of this call, by address: inputs are copies, outputs adopted.
  std::map<void*, std::shared_ptr<void>> models;
  //! What GetStrings() and GetInts() returned.
  std::map<std::string, std::vector<const char*>> strings;
  std::map<std::string, std::vector<int64_t>> ints;
  //! What the run is to warn of, by the name of the parameter.
  std::map<std::string, std::vector<std::string>> warned;

  std::atomic<bool> interrupted { false };
  bool hasRun = false;
  //! Whether the run has a thread of its own, and the lines that are to be
  //! logged on the other.
  bool beside = false;
  std::mutex linesMutex;
  std::vector<std::pair<LogLevel, std::string>> lines;
  mlpack_binding_log_function log = nullptr;
  void* logUser = nullptr;
  mlpack_binding_poll_function poll = nullptr;
  void* pollUser = nullptr;
  std::optional<CallCommunicator> communicator;

  //! Lines of log by level, and the text of the last error.
  std::string infos, warnings, fatal, error;
};

//! The call that runs on this thread.
inline Call*& CurrentCall()
{
  thread_local Call* call = nullptr;
  return call;
}

/**
 * The binding that runs on this thread, or the given one if none does.  The
 * checks of parameters in mlpack are inline functions with BINDING_NAME in
 * them.  If a library has several bindings, the linker keeps only one of each.
 */
inline std::string RunningBinding(const std::string& name)
{
  return CurrentCall() ? CurrentCall()->BindingName() : name;
}

//! What BINDING_CHECK_INTERRUPT() calls.
inline void CheckInterrupt()
{
  if (CurrentCall())
    CurrentCall()->CheckInterrupt();
}

//! What BINDING_COMMUNICATOR is.
inline const GBNNCommunicator* CurrentCommunicator()
{
  return CurrentCall() ? CurrentCall()->Communicator() : nullptr;
}

//! Made on the thread of a run, the same for all threads that it starts.
class InterruptCheck
{
 public:
  void operator()() const
  {
    if (call)
      call->CheckInterrupt();
  }

 private:
  const Call* call = CurrentCall();
};

} // namespace library
} // namespace bindings
} // namespace mlpack

//! The handle of the C interface.
struct mlpack_binding_call
{
  mlpack::bindings::library::Call call;
};

#include "call_impl.hpp"

#endif
