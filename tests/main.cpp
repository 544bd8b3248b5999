/**
 * @file tests/main.cpp
 *
 * The main() of the tests of the method.
 */
#define CATCH_CONFIG_RUNNER
#include "catch.hpp"

int main(int argc, char* argv[])
{
  return Catch::Session().run(argc, argv);
}
