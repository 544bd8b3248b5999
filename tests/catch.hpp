/**
 * @file tests/catch.hpp
 *
 * Catch2, version 2 or 3, with what the tests use of it under the same names.
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
