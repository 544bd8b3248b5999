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
  // This would take hours.
  const std::string large(1000000, 'a');
  REQUIRE(EditDistance(large, large) == 1000000);
  REQUIRE(Suggestion(large, { "b", large }) == "");
}

TEST_CASE("ColumnNamesInMessages", "[ColumnNamesTest]")
{
  REQUIRE(ShortText("") == "");
  REQUIRE(ShortText(std::string(60, 'x')) == std::string(60, 'x'));
  REQUIRE(ShortText(std::string(61, 'x')) == std::string(60, 'x') + "...");
  // A terminal would obey these.
  REQUIRE(ShortText("a\x1b[31m\n\t\x7f") == "a [31m   ");
  // Characters of several bytes are not torn.
  REQUIRE(ShortText("\u00e9\u20ac\U0001d11e", 3) ==
      "\u00e9\u20ac\U0001d11e");
  REQUIRE(ShortText("\u00e9\u20ac\U0001d11e", 2) == "\u00e9\u20ac...");
  // Nor is what is no UTF-8 ever long.
  REQUIRE(ShortText(std::string(1000, '\x80'), 10).size() == 43);

  const std::string large(1000000, 'x');
  REQUIRE(ListNames({ large, "\x1b" }) == "'" + std::string(60, 'x') +
      "...', ' '");
  REQUIRE_THROWS_WITH(RequireDistinct({ large, large }, "table"),
      Contains("xxx...' (1 and 2)"));
  REQUIRE_THROWS_WITH(FindColumnName({ "age" }, 1, large, "target"),
      Contains("xxx...' is no column"));
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
