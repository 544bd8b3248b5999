/**
 * @file bindings/util/dialect.hpp
 *
 * How a language spells what a binding's documentation and error messages talk
 * about: parameters, values, datasets, models, and calls.
 *
 * mlpack picks the spelling at compile time, by including another set of
 * functions for each language.  Here it is picked at run time, so that one
 * compiled binding can document itself in every language: the PRINT_*() macros
 * of each front end call the functions at the end of this file, which ask the
 * dialect that is in force.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_DIALECT_HPP
#define MLPACK_BINDINGS_UTIL_DIALECT_HPP

#include <mlpack/core/util/io.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "param_kind.hpp"
#include "printed_value.hpp"

namespace mlpack {
namespace bindings {

//! One `name, value` pair of a PRINT_CALL().
struct CallArgument
{
  //! The parameter, as registered by the binding.
  const util::ParamData& param;
  //! Its value.  For matrices and models this is the name of a variable or the
  //! stem of a file name, as in PRINT_DATASET() and PRINT_MODEL().
  PrintedValue value;
};

/**
 * One language's spelling.  A new language implements the pure functions; the
 * others have a default that suits most.
 */
class Dialect
{
 public:
  virtual ~Dialect() { }

  //! Short name of the language, in lower case: "cli", "python", "r", "julia".
  virtual std::string Name() const = 0;

  //! What a user types to give this parameter, e.g. `--training_file`.
  virtual std::string ParamName(const util::ParamData& d) const = 0;

  //! How running text mentions this parameter (PRINT_PARAM_STRING()).
  virtual std::string ParamString(const util::ParamData& d) const = 0;

  /**
   * A value (PRINT_PARAM_VALUE()).
   *
   * @param value Value to print.
   * @param quotes Whether the value should be set off from the text around it.
   */
  virtual std::string Value(const PrintedValue& value,
                            const bool quotes) const = 0;

  //! The name of a dataset (PRINT_DATASET()).
  virtual std::string Dataset(const std::string& name) const = 0;

  //! The name of a model (PRINT_MODEL()).
  virtual std::string Model(const std::string& name) const = 0;

  //! What the binding is called in this language, e.g. `mlpack_gbnn`.
  virtual std::string BindingName(const std::string& bindingName) const = 0;

  //! The line that makes a binding of a package available; empty if none is
  //! needed.
  virtual std::string Import(const std::string& /* packageName */,
                             const std::string& /* bindingName */) const
  {
    return "";
  }

  /**
   * A whole call (PRINT_CALL()), ready to be copied by the user.
   *
   * @param bindingName Name of the binding, as in BINDING_NAME.
   * @param arguments Parameters and their values.
   */
  virtual std::string Call(const std::string& bindingName,
                           const std::vector<CallArgument>& arguments) const
      = 0;

  //! The name of the type of a parameter, as a user of the language knows it.
  virtual std::string TypeName(const util::ParamData& d) const = 0;

  //! One or two sentences on what values parameters of this kind take.
  virtual std::string TypeDoc(const ParamKind kind) const = 0;

  //! The default of a plain parameter; empty for flags, matrices and models.
  virtual std::string Default(const util::ParamData& d) const
  {
    const ParamKind kind = KindOf(d);
    if (!IsPlain(kind) || kind == ParamKind::Flag)
      return "";
    return Value(StoredValue(d), kind == ParamKind::String);
  }

  //! The smallest label in this language's datasets (BINDING_MIN_LABEL).
  virtual size_t MinLabel() const { return 0; }

  //! Language to mark code blocks with in Markdown.
  virtual std::string MarkdownName() const { return Name(); }
};

//! The dialect that holds for the whole program unless a DialectScope is open.
inline std::atomic<const Dialect*>& DefaultDialect()
{
  static std::atomic<const Dialect*> dialect(nullptr);
  return dialect;
}

//! The dialect that this thread has chosen by a DialectScope, if any.
inline const Dialect*& ThreadDialect()
{
  thread_local const Dialect* dialect = nullptr;
  return dialect;
}

//! The dialect in force.
inline const Dialect& CurrentDialect()
{
  const Dialect* dialect = ThreadDialect();
  if (!dialect)
    dialect = DefaultDialect();
  if (!dialect)
    throw std::logic_error("CurrentDialect(): the front end has set none");
  return *dialect;
}

//! Speak another dialect on this thread for as long as the object lives.
class DialectScope
{
 public:
  explicit DialectScope(const Dialect& dialect) : previous(ThreadDialect())
  {
    ThreadDialect() = &dialect;
  }

  ~DialectScope() { ThreadDialect() = previous; }

  DialectScope(const DialectScope&) = delete;
  DialectScope& operator=(const DialectScope&) = delete;

 private:
  //! What held before.
  const Dialect* previous;
};

//! Find a parameter that documentation mentions; a typo there is a bug.
inline const util::ParamData& DocumentedParam(util::Params& params,
                                              const std::string& name)
{
  const auto it = params.Parameters().find(name);
  if (it == params.Parameters().end())
  {
    throw std::runtime_error("binding '" + params.BindingName() + "' has no "
        "parameter '" + name + "', but its documentation or a check names it");
  }
  return it->second;
}

//! What PRINT_PARAM_STRING() calls.
inline std::string PrintParamString(const std::string& bindingName,
                                    const std::string& paramName)
{
  util::Params params = IO::Parameters(bindingName);
  return CurrentDialect().ParamString(DocumentedParam(params, paramName));
}

//! What PRINT_PARAM_VALUE() calls.
template<typename T>
std::string PrintParamValue(const T& value, const bool quotes)
{
  return CurrentDialect().Value(MakePrinted(value), quotes);
}

//! What PRINT_DATASET() calls.
inline std::string PrintDataset(const std::string& name)
{
  return CurrentDialect().Dataset(name);
}

//! What PRINT_MODEL() calls.
inline std::string PrintModel(const std::string& name)
{
  return CurrentDialect().Model(name);
}

//! End of the recursion over the arguments of PRINT_CALL().
inline void CollectArguments(util::Params& /* params */,
                             std::vector<CallArgument>& /* arguments */) { }

//! Take one `name, value` pair off the arguments of PRINT_CALL().
template<typename T, typename... Args>
void CollectArguments(util::Params& params,
                      std::vector<CallArgument>& arguments,
                      const std::string& name,
                      const T& value,
                      const Args&... rest)
{
  arguments.push_back({ DocumentedParam(params, name), MakePrinted(value) });
  CollectArguments(params, arguments, rest...);
}

//! What PRINT_CALL() calls.
template<typename... Args>
std::string PrintCall(const std::string& bindingName, const Args&... args)
{
  util::Params params = IO::Parameters(bindingName);
  std::vector<CallArgument> arguments;
  CollectArguments(params, arguments, args...);
  return CurrentDialect().Call(bindingName, arguments);
}

} // namespace bindings
} // namespace mlpack

#endif
