/**
 * @file tests/compute/simd_level_test.cpp
 *
 * Which level of the kernels is used.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <algorithm>
#include <cstdlib>

#include "test_tools.hpp"

using namespace mlpack::gbnn;

TEST_CASE("LevelNames", "[SimdLevelTest]")
{
  REQUIRE(ToString(SimdLevel::BASELINE) == "baseline");
  REQUIRE(ToString(SimdLevel::V3) == "v3");
  REQUIRE(ToString(SimdLevel::V4) == "v4");
  REQUIRE(ToString(SimdLevel::NEON) == "neon");
}

TEST_CASE("BestLevelIsChosen", "[SimdLevelTest]")
{
  const std::vector<SimdLevel> levels = SupportedLevels();
  REQUIRE(!levels.empty());
  REQUIRE(ChooseLevel("") == levels.back());
  for (const SimdLevel level : levels)
    REQUIRE(ChooseLevel(ToString(level)) == level);
  REQUIRE(ActiveLevel() == ChooseLevel(std::getenv("GBNN_SIMD") ?
      std::getenv("GBNN_SIMD") : ""));
}

TEST_CASE("OtherLevelsAreRefused", "[SimdLevelTest]")
{
  const std::vector<SimdLevel> levels = SupportedLevels();
  std::vector<std::string> names = { "nonsense", "V3", "v3 ", "avx2",
      "best" };
  for (const SimdLevel level : { SimdLevel::BASELINE, SimdLevel::V3,
      SimdLevel::V4, SimdLevel::NEON })
  {
    if (std::find(levels.begin(), levels.end(), level) == levels.end())
      names.push_back(ToString(level));
  }
  // No machine has both v3 and neon.
  REQUIRE(names.size() > 5);
  for (const std::string& name : names)
  {
    REQUIRE_THROWS_AS(ChooseLevel(name), std::invalid_argument);
    REQUIRE_THROWS_WITH(ChooseLevel(name), Contains("GBNN_SIMD is '" + name +
        "'"));
    for (const SimdLevel level : levels)
      REQUIRE_THROWS_WITH(ChooseLevel(name), Contains("'" + ToString(level) +
          "'"));
  }
}
