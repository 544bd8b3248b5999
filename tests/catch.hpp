/**
 * @file tests/catch.hpp
 *
 * Catch2, version 2 or 3, with what the tests use of it under the same names.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef GBNN_TESTS_CATCH_HPP
#define GBNN_TESTS_CATCH_HPP

#include <string>

#if __has_include(<catch2/catch.hpp>)
  #include <catch2/catch.hpp>
#else
  #include <catch2/catch_all.hpp>
  using Catch::Approx;
#endif

//! Matches text that has the given part.
inline auto Contains(const std::string& part)
{
#if CATCH_VERSION_MAJOR < 3
  return Catch::Matchers::Contains(part);
#else
  return Catch::Matchers::ContainsSubstring(part);
#endif
}

#endif
