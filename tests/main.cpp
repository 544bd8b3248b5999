/**
 * @file tests/main.cpp
 *
 * The main() of the tests of the method.
 */
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
