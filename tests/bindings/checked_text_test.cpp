/**
 * @file tests/bindings/checked_text_test.cpp
 *
 * Version, checksum and nesting of model files, as texts.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "catch.hpp"

#include "../../bindings/include/mlpack/bindings/util/checked_text.hpp"

using namespace mlpack::bindings;

//! What CheckModel() refuses a text for.
static std::string Reason(const std::string& text, const ModelFormat format)
{
  try
  {
    CheckModel(text, format);
    return "";
  }
  catch (const std::runtime_error& e)
  {
    return e.what();
  }
}

//! What cereal writes.
static std::string Text(const ModelFormat format)
{
  return (format == ModelFormat::Binary) ? std::string("\0\1content", 9) :
      (format == ModelFormat::JSON) ?
      "{\n    \"model\": {\n        \"a\": [1, \"]}\\\"\"]\n    }\n}" :
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<cereal>\n\t<model>\n"
      "\t\t<a size=\"dynamic\"><value0>1 &lt; 2</value0><b/></a>\n"
      "\t</model>\n</cereal>\n\n";
}

static const ModelFormat formats[] = { ModelFormat::Binary, ModelFormat::JSON,
    ModelFormat::XML };

TEST_CASE("CRC32OfKnownText", "[CheckedTextTest]")
{
  // The check value that catalogs of checksums give for CRC-32.
  REQUIRE(CRC32("123456789") == 0xCBF43926u);
  REQUIRE(CRC32("") == 0);
  REQUIRE(CRC32("56789", CRC32("1234")) == 0xCBF43926u);
  REQUIRE(Hexadecimal(0x1a2bu) == "00001a2b");
}

/**
 * Make sure that numbers of more digits than the reader of JSON can take are
 * refused: some of them made it read beyond its tables.
 */
TEST_CASE("DigitsAreBounded", "[CheckedTextTest]")
{
  const auto reason = [](const std::string& number)
  {
    return Reason("{\"model\": [1, -" + number + "]}", ModelFormat::JSON);
  };
  for (const std::string number : { "274.6666672475097420e-334", "1e-346",
      "1E-99999999999999999999", "1.5e-0000345", "1e345", "10.5E+344",
      "1e99999999999999999999" })
  {
    REQUIRE(reason(number) == "it has a number with more than 345 digits "
        "before or after its point");
  }
  REQUIRE(reason("0." + std::string(346, '0')) != "");
  REQUIRE(reason(std::string(346, '1')) != "");
  REQUIRE(reason(std::string(100, '2') + "e274") != "");
  // The smallest and the largest number there are, as they are written.
  for (const std::string number : { "4.9406564584124654e-324", "1e-345", "12",
      "1.7976931348623157e308", "1e344", "1e+20", "0.5", "0.0", "0e21",
      "0.00000e-10" })
    REQUIRE(reason(number) == "");
  REQUIRE(reason(std::string(345, '1')) == "");
  // It reads a zero of many digits as another number.
  for (const std::string number : { "0e22", "0e300", "0e-23",
      "0.00000000000000000000000" })
    REQUIRE(reason(number).find("more than 22 digits") != std::string::npos);
  // What it stops at in the middle of what looks like one number.
  for (const std::string number : { "1e-", "1e", "1.", "1.e5", "1-e5",
      "1e5.5" })
    REQUIRE(reason(number) == "it is no valid JSON");
  REQUIRE(reason("0." + std::string(400, '0') + "1-e200") ==
      "it is no valid JSON");
  REQUIRE(Reason("{\"model\": [NaN." + std::string(340, '1') + "e-340]}",
      ModelFormat::JSON) == "it is no valid JSON");
  REQUIRE(Reason("{\"model\": [NaN, -Infinity]}", ModelFormat::JSON) == "");
}

TEST_CASE("SealedTextIsAccepted", "[CheckedTextTest]")
{
  for (const ModelFormat format : formats)
  {
    std::string text = Text(format);
    SealModel(text, format);
    REQUIRE(Reason(text, format) == "");
    if (format == ModelFormat::Binary)
      REQUIRE(CheckModel(text, format) == Text(format));
    else
      REQUIRE(Reason(Text(format), format) == "");
  }
  REQUIRE_THAT(Reason(Text(ModelFormat::Binary), ModelFormat::Binary),
      Contains("does not end as a model"));
}

TEST_CASE("EveryBitAndEveryTruncation", "[CheckedTextTest]")
{
  for (const ModelFormat format : formats)
  {
    std::string text = Text(format);
    SealModel(text, format);
    for (size_t bit = 0; bit < 8 * text.size(); ++bit)
    {
      std::string changed = text;
      changed[bit / 8] = char(changed[bit / 8] ^ (1 << bit % 8));
      INFO(changed);
      REQUIRE(Reason(changed, format) != "");
    }
    // Blanks at the end are no loss, but the checksum tells of them, too.
    for (size_t size = 0; size < text.size(); ++size)
      REQUIRE(Reason(text.substr(0, size), format) != "");
    REQUIRE(Reason(text + " ", format) != "");
  }
}

TEST_CASE("NestingIsBounded", "[CheckedTextTest]")
{
  const auto nested = [](const std::string& begin, const std::string& open,
      const std::string& close, const std::string& end, const size_t depth)
  {
    std::string text = begin;
    for (size_t i = 0; i < depth; ++i)
      text += open;
    for (size_t i = 0; i < depth; ++i)
      text += close;
    return text + end;
  };
  for (const size_t depth : { size_t(50), maxModelDepth + 1, size_t(1000000) })
  {
    const std::string json = Reason(nested("{\"model\": ", "[", "]", "}",
        depth), ModelFormat::JSON);
    const std::string xml = Reason(nested("<cereal><model>", "<a>", "</a>",
        "</model></cereal>", depth), ModelFormat::XML);
    REQUIRE((json == "") == (depth == 50));
    REQUIRE((xml == "") == (depth == 50));
    if (depth > 50)
    {
      REQUIRE_THAT(json, Contains("nested more than 100 deep"));
      REQUIRE_THAT(xml, Contains("nested more than 100 deep"));
    }
  }
}

TEST_CASE("NewerVersionIsNamed", "[CheckedTextTest]")
{
  REQUIRE_THROWS_AS(CheckModel("{\"model\": {}, \"format\": 7}",
      ModelFormat::JSON), NewerModel);
  REQUIRE_THAT(Reason("{\"model\": {}, \"format\": 7}", ModelFormat::JSON),
      Contains("format is 7"));
  REQUIRE_THROWS_AS(CheckModel("<cereal><model/><format>12</format></cereal>",
      ModelFormat::XML), NewerModel);
  std::string text = "content" + (BinaryEnd::mark + BinaryEnd::Bytes(300));
  text += BinaryEnd::Bytes(CRC32(text));
  REQUIRE_THROWS_AS(CheckModel(text, ModelFormat::Binary), NewerModel);
  for (const std::string format : { "0", "-1", "\"\"", "1.5", "99999999999" })
  {
    REQUIRE_THAT(Reason("{\"model\": {}, \"format\": " + format + "}",
        ModelFormat::JSON), Contains("no number"));
  }
}

TEST_CASE("NamesInErrorsAreShort", "[CheckedTextTest]")
{
  const std::string name = "a\n\x1b[31m" + std::string(10000000, 'x');
  for (const std::string& text : { "{\"" + name + "\": 1}",
      "{\"model\": 1, \"" + name + "\": 1}" })
  {
    const std::string reason = Reason(text, ModelFormat::JSON);
    REQUIRE_THAT(reason, Contains("it has an unknown part 'a  [31mxxx") &&
        Contains("x...'"));
    REQUIRE(reason.size() < 100);
  }
  REQUIRE(Reason("<cereal><" + std::string(1000, 'x') + "/></cereal>",
      ModelFormat::XML).size() < 100);
  REQUIRE(Reason("<" + std::string(1000, 'x') + "/>",
      ModelFormat::XML).size() < 100);
}

TEST_CASE("QuotedNames", "[CheckedTextTest]")
{
  REQUIRE(Quoted("a b") == "'a b'");
  REQUIRE(Quoted("a\r\n\t\x7f\xc3\xa9") == "'a    \xc3\xa9'");
  REQUIRE(Quoted(std::string(60, 'x')) == "'" + std::string(60, 'x') + "'");
  REQUIRE(Quoted(std::string(61, 'x')) == "'" + std::string(60, 'x') + "...'");
}
