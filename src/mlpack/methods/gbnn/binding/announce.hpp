/**
 * @file methods/gbnn/binding/announce.hpp
 *
 * What is said aloud; for binding files only.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_ANNOUNCE_HPP
#define MLPACK_METHODS_GBNN_BINDING_ANNOUNCE_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

//! Whether this is a program on the command line.
#if BINDING_TYPE == BINDING_TYPE_CLI
constexpr bool isProgram = true;
#else
constexpr bool isProgram = false;
#endif

//! Say something aloud: a program prints it at once, and a language if it is
//! to say everything.
static void Announce(const std::string& text)
{
  if (isProgram)
    std::cout << text << "." << std::endl;
  else
    Log::Info << text << "." << std::endl;
}

} // namespace gbnn
} // namespace mlpack

#endif
