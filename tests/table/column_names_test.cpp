/**
 * @file tests/table/column_names_test.cpp
 *
 * Finding columns by what users call them.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <mlpack/methods/gbnn/table/column_names.hpp>

using namespace mlpack::gbnn;

TEST_CASE("ColumnNamesEditDistance", "[ColumnNamesTest]")
{
  REQUIRE(EditDistance("", "") == 0);
  REQUIRE(EditDistance("", "abc") == 3);
  REQUIRE(EditDistance("kitten", "sitting") == 3);
  REQUIRE(EditDistance("flaw", "lawn") == EditDistance("lawn", "flaw"));
}

TEST_CASE("ColumnNamesFind", "[ColumnNamesTest]")
{
  const std::vector<std::string> names = { "age", "3", "income" };
  REQUIRE(FindColumnName(names, 3, "income", "target") == 2);
  // A name comes before a number.
  REQUIRE(FindColumnName(names, 3, "3", "target") == 1);
  REQUIRE(FindColumnName(names, 3, "1", "target") == 0);
  REQUIRE(FindColumnName({ }, 3, "3", "target") == 2);

  REQUIRE_THROWS_WITH(FindColumnName(names, 3, "Incme", "target"),
      Contains("'age', '3', 'income'") && Contains("did you mean 'income'?"));
  REQUIRE_THROWS_WITH(FindColumnName(names, 3, "weight", "target"),
      !Contains("did you mean"));
  for (const char* text : { "0", "4", "-1", "", "12345678901234567890" })
    REQUIRE_THROWS_AS(FindColumnName({ }, 3, text, "target"),
        std::invalid_argument);
}

TEST_CASE("ColumnNamesDistinct", "[ColumnNamesTest]")
{
  REQUIRE_NOTHROW(RequireDistinct({ "a", "b", "A" }, "table"));
  REQUIRE_THROWS_WITH(RequireDistinct({ "a", "b", "a" }, "table"),
      Contains("'a' (1 and 3)"));
}

TEST_CASE("ColumnNamesList", "[ColumnNamesTest]")
{
  REQUIRE(ListNames({ }) == "");
  REQUIRE(ListNames({ "a", "b" }) == "'a', 'b'");
  REQUIRE(ListNames(std::vector<std::string>(23, "x")).find("and 3 more") !=
      std::string::npos);
}
