/**
 * @file bindings/library/log.hpp
 *
 * mlpack's Log, with streams of their own for every thread.
 *
 * mlpack's Log::Info, Warn and Fatal are objects that all threads share and
 * that print to the terminal.  A library that runs calls side by side needs
 * neither: the lines of a call belong to that call.  So this header takes the
 * place of mlpack/core/util/log.hpp by defining its include guard.  For that it
 * must come before every mlpack header, so the build passes it to the compiler
 * with `-include`.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_LIBRARY_LOG_HPP
#define MLPACK_BINDINGS_LIBRARY_LOG_HPP

#ifdef MLPACK_CORE_UTIL_LOG_HPP
  #error "library/log.hpp must be included before any mlpack header (-include)"
#endif
#define MLPACK_CORE_UTIL_LOG_HPP

#include <mlpack/core/util/prefixedoutstream.hpp>
#include <mlpack/core/util/nulloutstream.hpp>

#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>

namespace mlpack {
namespace bindings {
namespace library {

//! How much a line of log matters.
enum class LogLevel { Info = 1, Warn = 2, Fatal = 3 };

//! Whoever wants the lines that are logged on a thread.
class LogSink
{
 public:
  virtual ~LogSink() { }

  //! Take one line, without its line end.
  virtual void Line(const LogLevel level, const std::string& line) = 0;
};

//! The sink of this thread; lines go nowhere when there is none.
inline LogSink*& CurrentLogSink()
{
  thread_local LogSink* sink = nullptr;
  return sink;
}

//! Gathers characters and hands every full line to the sink of the thread.
class LineBuffer : public std::streambuf
{
 public:
  explicit LineBuffer(const LogLevel level) : level(level) { }

 protected:
  int_type overflow(int_type c) override
  {
    if (c == traits_type::eof())
      return traits_type::not_eof(c);
    if (c != '\n')
    {
      line += traits_type::to_char_type(c);
      return c;
    }

    std::string full;
    full.swap(line);
    if (CurrentLogSink())
      CurrentLogSink()->Line(level, full);
    return c;
  }

 private:
  //! Level of all lines of this buffer.
  LogLevel level;
  //! What has come since the last line end.
  std::string line;
};

//! A stream of log lines.
class LineStream : private LineBuffer, public std::ostream
{
 public:
  explicit LineStream(const LogLevel level) :
      LineBuffer(level),
      std::ostream(static_cast<LineBuffer*>(this))
  { }
};

//! The stream behind a log of this thread.
template<LogLevel level>
std::ostream& ThreadStream()
{
  thread_local LineStream stream(level);
  return stream;
}

} // namespace library
} // namespace bindings

namespace Log {

inline thread_local util::NullOutStream Debug;

//! Silent until a call is verbose.
inline thread_local util::PrefixedOutStream Info(
    bindings::library::ThreadStream<bindings::library::LogLevel::Info>(),
    "", true, false);

inline thread_local util::PrefixedOutStream Warn(
    bindings::library::ThreadStream<bindings::library::LogLevel::Warn>(),
    "", false, false);

//! Throws std::runtime_error at the end of the line.
inline thread_local util::PrefixedOutStream Fatal(
    bindings::library::ThreadStream<bindings::library::LogLevel::Fatal>(),
    "", false, true);

inline void Assert(bool condition,
                   const std::string& message = "Assert Failed.")
{
#ifdef DEBUG
  if (!condition)
    throw std::runtime_error("Log::Assert() failed: " + message);
#else
  (void) condition;
  (void) message;
#endif
}

} // namespace Log
} // namespace mlpack

#endif
