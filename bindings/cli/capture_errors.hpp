/**
 * @file bindings/cli/capture_errors.hpp
 *
 * Keep what mlpack and Armadillo print about an error, to say it in one line.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_CAPTURE_ERRORS_HPP
#define MLPACK_BINDINGS_CLI_CAPTURE_ERRORS_HPP

#include <iostream>
#include <sstream>
#include <string>

#include "plain_text.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

//! Whatever is printed to std::cerr while this lives is kept, not shown.
class CaptureErrors
{
 public:
  CaptureErrors() : previous(std::cerr.rdbuf(stream.rdbuf())) { }
  ~CaptureErrors() { std::cerr.rdbuf(previous); }

  CaptureErrors(const CaptureErrors&) = delete;
  CaptureErrors& operator=(const CaptureErrors&) = delete;

  //! What was printed, or `what` if nothing was.
  std::string Text(const std::string& what) const
  {
    const std::string text = OneLine(stream.str());
    return text.empty() ? OneLine(what) : text;
  }

 private:
  std::ostringstream stream;
  std::streambuf* previous;
};

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
