/**
 * @file bindings/library/call_impl.hpp
 *
 * Implementation of Call.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_CALL_IMPL_HPP
#define MLPACK_BINDINGS_LIBRARY_CALL_IMPL_HPP

#include "call.hpp"

#include <mlpack/methods/gbnn/compute/thread_team.hpp>

#include "category_order.hpp"
#include "nearest_name.hpp"

namespace mlpack {
namespace bindings {
namespace library {

inline Call::Call(const Binding& binding, const Dialect& dialect) :
    bindingName(binding.first),
    params(IO::Parameters(binding.first)),
    function(binding.second),
    dialect(dialect)
{
  // Languages return every output, so bindings must compute every one.
  for (auto& param : params.Parameters())
    if (!param.second.input)
      param.second.wasPassed = true;
}

inline util::ParamData& Call::Find(const std::string& name,
                                   const bool inputOnly)
{
  const auto it = params.Parameters().find(name);
  if (it != params.Parameters().end() && (it->second.input || !inputOnly))
    return it->second;

  std::map<std::string, std::string> known;
  for (const auto& param : params.Parameters())
    if (param.second.input || !inputOnly)
      known[param.first] = dialect.ParamName(param.second);

  std::string text = "unknown parameter '" + name + "'";
  const std::string nearest = NearestName(name, known);
  if (!nearest.empty())
    text += "; did you mean '" + nearest + "'?";
  throw CallError(MLPACK_BINDING_UNKNOWN, text);
}

inline util::ParamData& Call::FindOfKind(const std::string& name,
                                         const std::set<ParamKind>& kinds,
                                         const bool inputOnly)
{
  util::ParamData& d = Find(name, inputOnly);
  if (kinds.count(KindOf(d)) == 0)
  {
    throw CallError(MLPACK_BINDING_TYPE, "Parameter " + dialect.ParamString(d) +
        " must be of type " + dialect.TypeName(d) + "!");
  }
  return d;
}

inline util::ParamData& Call::FindInput(const std::string& name,
                                        const std::set<ParamKind>& kinds)
{
  return FindOfKind(name, kinds, true);
}

inline void Call::CheckName(const std::string& name)
{
  Find(name, true);
}

template<typename T>
void Call::Set(const std::string& name, const T& value)
{
  ParamKind kind = ParamKind::String;
  if constexpr (std::is_same_v<T, bool>)
    kind = ParamKind::Flag;
  else if constexpr (std::is_same_v<T, int>)
    kind = ParamKind::Int;
  else if constexpr (std::is_same_v<T, double>)
    kind = ParamKind::Double;
  else if constexpr (std::is_same_v<T, std::vector<int>>)
    kind = ParamKind::IntVector;
  else if constexpr (std::is_same_v<T, std::vector<double>>)
    kind = ParamKind::DoubleVector;
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    kind = ParamKind::StringVector;

  util::ParamData& d = FindInput(name, { kind });
  d.value = value;
  d.wasPassed = true;
  // A flag that is false is a flag that was not given.
  if constexpr (std::is_same_v<T, bool>)
    d.wasPassed = value;
}

//! Whether to work on the caller's memory: only bindings that promise not to
//! write to it may.
inline bool Borrows(const int flags)
{
#ifdef MLPACK_BINDING_KEEPS_INPUTS
  return flags & MLPACK_BINDING_BORROW;
#else
  (void) flags;
  return false;
#endif
}

template<typename ElemType>
void Call::SetMatrix(const std::string& name,
                     const ElemType* values,
                     const size_t rows,
                     const size_t cols,
                     const int flags)
{
  constexpr bool isReal = std::is_same_v<ElemType, double>;
  const std::set<ParamKind> kinds = isReal ?
      std::set<ParamKind>{ ParamKind::Matrix, ParamKind::Row, ParamKind::Col,
          ParamKind::MatrixAndInfo } :
      std::set<ParamKind>{ ParamKind::UMatrix, ParamKind::URow,
          ParamKind::UCol };
  util::ParamData& d = FindInput(name, kinds);
  const ParamKind kind = KindOf(d);

  const bool isVector = (kind == ParamKind::Row || kind == ParamKind::Col ||
      kind == ParamKind::URow || kind == ParamKind::UCol);
  if (isVector && rows != 1 && cols != 1 && rows * cols != 0)
  {
    throw CallError(MLPACK_BINDING_INVALID, "Parameter " +
        dialect.ParamString(d) + " must have one dimension, but is " +
        std::to_string(rows) + " x " + std::to_string(cols) + "!");
  }

  // Armadillo has no constructor for constant memory in place.
  ElemType* memory = const_cast<ElemType*>(values);
  const bool turn = (flags & MLPACK_BINDING_TRANSPOSE) && !isVector;
  const bool copy = !Borrows(flags);
  if (kind == ParamKind::Row || kind == ParamKind::URow)
  {
    d.value.emplace<arma::Row<ElemType>>(memory, rows * cols, copy, false);
  }
  else if (kind == ParamKind::Col || kind == ParamKind::UCol)
  {
    d.value.emplace<arma::Col<ElemType>>(memory, rows * cols, copy, false);
  }
  else if (kind == ParamKind::MatrixAndInfo)
  {
    if constexpr (isReal)
    {
      SetMatrixInfo(name, values, rows, cols, flags,
          std::vector<int64_t>(turn ? cols : rows, -1).data(), nullptr);
    }
  }
  else if (turn)
  {
    const arma::Mat<ElemType> given(memory, rows, cols, false, true);
    d.value.emplace<arma::Mat<ElemType>>(given.t());
  }
  else
  {
    d.value.emplace<arma::Mat<ElemType>>(memory, rows, cols, copy, false);
  }
  d.wasPassed = true;
}

inline void Call::SetMatrixInfo(const std::string& name,
                                const double* values,
                                const size_t rows,
                                const size_t cols,
                                const int flags,
                                const int64_t* categoryCounts,
                                const char* const* categories)
{
  using InfoType = std::tuple_element_t<0, MatrixAndInfo>;

  util::ParamData& d = FindInput(name, { ParamKind::MatrixAndInfo });
  const bool turn = flags & MLPACK_BINDING_TRANSPOSE;
  const size_t dimensions = turn ? cols : rows;
  bool hasCategories = false;
  for (size_t i = 0; i < dimensions; ++i)
    hasCategories |= (categoryCounts[i] >= 0);

  arma::mat given(const_cast<double*>(values), rows, cols, false, false);
  InfoType info(dimensions);
  // Frees what was there before.  Should anything fail, nothing was given.
  d.value.emplace<MatrixAndInfo>();
  d.wasPassed = false;
  warned.erase(name);
  if (turn || hasCategories || !Borrows(flags))
  {
    arma::mat own;
    if (turn)
      own = given.t();
    else
      own = given;
    const std::string bad = NumberCategories(own, info, categoryCounts,
        categories, flags & MLPACK_BINDING_KEEP_ORDER);
    if (!bad.empty())
    {
      throw CallError(MLPACK_BINDING_INVALID, "Parameter " +
          dialect.ParamString(d) + ": " + bad + "!");
    }
    warned[name] = WordsAmongNumbers(own, info, dialect.ParamString(d));
    d.value.emplace<MatrixAndInfo>(std::move(info), std::move(own));
  }
  else
  {
    // A matrix that uses foreign memory keeps doing so when it is moved.
    d.value.emplace<MatrixAndInfo>(std::move(info), std::move(given));
  }
  d.wasPassed = true;
}

inline void Call::SetModel(const std::string& name,
                           const mlpack_binding_model& model)
{
  util::ParamData& d = FindInput(name, { ParamKind::Model });
  if (model.type->name != d.cppType)
  {
    throw CallError(MLPACK_BINDING_TYPE, "Parameter " + dialect.ParamString(d) +
        " must be a model of type " + d.cppType + ", not " + model.type->name +
        "!");
  }

  // A binding may train a given model further in place; the user's stays.
  std::shared_ptr<void> copy = model.type->clone(model.object.get());
  d.value = model.type->store(copy.get());
  models[copy.get()] = std::move(copy);
  d.wasPassed = true;
}

inline void Call::CheckRequired()
{
  for (const auto& param : params.Parameters())
  {
    const util::ParamData& d = param.second;
    if (d.input && d.required && !d.wasPassed)
    {
      throw CallError(MLPACK_BINDING_INVALID, "required parameter " +
          dialect.ParamString(d) + " is missing");
    }
  }
}

inline void Call::AdoptModels()
{
  for (const auto& param : params.Parameters())
  {
    if (param.second.input || KindOf(param.second) != ParamKind::Model)
      continue;

    const ModelType& type = ModelTypes().at(param.second.cppType);
    void* model = type.address(param.second.value);
    // An output can be an input model, handed on; that one is owned already.
    if (model && models.count(model) == 0)
      models[model] = type.adopt(model);
  }
}

inline void Call::RunInScope()
{
  //! Puts back what held on this thread before, whatever happens.
  struct Scope
  {
    DialectScope dialect;
    Call* call = CurrentCall();
    LogSink* sink = CurrentLogSink();
    bool silent = mlpack::Log::Info.ignoreInput;

    ~Scope()
    {
      CurrentCall() = call;
      CurrentLogSink() = sink;
      mlpack::Log::Info.ignoreInput = silent;
    }
  };

  Scope scope { DialectScope(dialect) };
  // For the threads that the binding may start.
  DefaultDialect() = &dialect;
  CurrentCall() = this;
  CurrentLogSink() = this;
  mlpack::Log::Info.ignoreInput = !params.Has("verbose");
  for (const auto& table : warned)
    for (const std::string& text : table.second)
      Line(LogLevel::Warn, text);
  util::Timers timers;
  function(params, timers);
}

inline void Call::RunBeside()
{
  std::mutex mutex;
  std::condition_variable ended;
  bool isDone = false;
  std::exception_ptr failure;

  // Signals are for the language's own threads; new ones inherit what they do
  // not get.
  std::optional<gbnn::NoSignals> noSignals(std::in_place);
  std::thread runner([&]()
  {
    try
    {
      RunInScope();
    }
    catch (...)
    {
      failure = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(mutex);
    isDone = true;
    ended.notify_one();
  });
  noSignals.reset();

  const auto handOn = [&]()
  {
    std::vector<std::pair<LogLevel, std::string>> now;
    {
      const std::lock_guard<std::mutex> lock(linesMutex);
      now.swap(lines);
    }
    for (const auto& line : now)
      log(logUser, (int) line.first, line.second.c_str());
  };
  // Often at first, since most runs are short; then as often as users notice.
  std::chrono::milliseconds pause(1), longest(50);
  for (std::unique_lock<std::mutex> lock(mutex); !isDone;
      pause = std::min(2 * pause, longest))
  {
    ended.wait_for(lock, pause, [&]() { return isDone; });
    lock.unlock();
    handOn();
    if (!interrupted && poll(pollUser) != 0)
      interrupted = true;
    lock.lock();
  }
  runner.join();
  handOn();
  if (failure)
    std::rethrow_exception(failure);
}

inline int Call::Run()
{
  error.clear();
  fatal.clear();
  try
  {
    if (hasRun)
      throw std::logic_error("a call object can only be run once");
    CheckRequired();
    hasRun = true;
    beside = (poll != nullptr);
    if (beside)
      RunBeside();
    else
      RunInScope();
    AdoptModels();
    return MLPACK_BINDING_OK;
  }
  catch (const Interrupted&)
  {
    error = "interrupted";
    return MLPACK_BINDING_INTERRUPTED;
  }
  catch (...)
  {
    // Log::Fatal says in its stream what is wrong, and throws to say that it
    // did; binding files use it to refuse what they were given.
    if (!fatal.empty())
    {
      error = gbnn::ShortText(fatal, maxError);
      return MLPACK_BINDING_INVALID;
    }
    throw;
  }
}

template<typename T>
T& Call::Get(const std::string& name)
{
  util::ParamData& d = Find(name, false);
  T* value = std::any_cast<T>(&d.value);
  if (!value)
  {
    throw CallError(MLPACK_BINDING_TYPE, "Parameter " + dialect.ParamString(d) +
        " is of type " + dialect.TypeName(d) + "!");
  }
  return *value;
}

template<typename ElemType>
const ElemType* Call::GetMatrix(const std::string& name,
                                size_t& rows,
                                size_t& cols)
{
  util::ParamData& d = Find(name, false);
  const arma::Mat<ElemType>* matrix = std::any_cast<arma::Mat<ElemType>>(
      &d.value);
  if (!matrix)
    matrix = std::any_cast<arma::Row<ElemType>>(&d.value);
  if (!matrix)
    matrix = std::any_cast<arma::Col<ElemType>>(&d.value);
  if constexpr (std::is_same_v<ElemType, double>)
  {
    if (!matrix && KindOf(d) == ParamKind::MatrixAndInfo)
      matrix = &std::get<1>(*std::any_cast<MatrixAndInfo>(&d.value));
  }
  if (!matrix)
    matrix = &Get<arma::Mat<ElemType>>(name); // Throws.

  rows = matrix->n_rows;
  cols = matrix->n_cols;
  return matrix->memptr();
}

inline mlpack_binding_model* Call::GetModel(const std::string& name)
{
  util::ParamData& d = FindOfKind(name, { ParamKind::Model }, false);
  const ModelType& type = ModelTypes().at(d.cppType);
  const auto it = models.find(type.address(d.value));
  if (it == models.end())
    return nullptr;
  return new mlpack_binding_model { it->second, &type };
}

inline const std::vector<const char*>& Call::GetStrings(
    const std::string& name)
{
  std::vector<const char*>& result = strings[name];
  result.clear();
  for (const std::string& value : Get<std::vector<std::string>>(name))
    result.push_back(value.c_str());
  return result;
}

inline const std::vector<int64_t>& Call::GetInts(const std::string& name)
{
  const std::vector<int>& values = Get<std::vector<int>>(name);
  return ints[name] = std::vector<int64_t>(values.begin(), values.end());
}

inline void Call::Line(const LogLevel level, const std::string& line)
{
  if (level == LogLevel::Fatal)
  {
    // mlpack ends a fatal message with an empty line.
    if (!line.empty())
      fatal += (fatal.empty() ? "" : " ") + line;
  }
  else if (log && beside)
  {
    const std::lock_guard<std::mutex> lock(linesMutex);
    lines.emplace_back(level, line);
  }
  else if (log)
  {
    log(logUser, (int) level, line.c_str());
  }
  else
  {
    ((level == LogLevel::Warn) ? warnings : infos) += line + "\n";
  }
}

} // namespace library
} // namespace bindings
} // namespace mlpack

#endif
