/**
 * @file tests/fuzz/envelope.cpp
 *
 * The look at a model file before cereal sees it.  What it lets through must
 * not be nested deeper than it says, as the readers of cereal see it, which
 * would call themselves as often: a text that they read in another way could
 * hide it.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/util/checked_text.hpp>

#include <cereal/archives/json.hpp>
#include <cereal/archives/xml.hpp>

#include "bytes.hpp"

using namespace mlpack::bindings;
namespace rapidxml = cereal::rapidxml;

//! Follows how deep a JSON text is.
struct DepthHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>,
    DepthHandler>
{
  bool Default() { return true; }
  bool StartObject() { return Deeper(); }
  bool StartArray() { return Deeper(); }
  bool EndObject(rapidjson::SizeType) { --depth; return true; }
  bool EndArray(rapidjson::SizeType) { --depth; return true; }

  bool Deeper()
  {
    ++depth;
    REQUIRE(depth <= maxModelDepth);
    return true;
  }

  size_t depth = 0;
};

//! Read a JSON text as cereal does, but without recursion.
static void ReadJSON(const std::string& text)
{
  rapidjson::StringStream stream(text.c_str());
  rapidjson::Reader reader;
  DepthHandler handler;
  reader.Parse<rapidjson::kParseFullPrecisionFlag |
      rapidjson::kParseNanAndInfFlag | rapidjson::kParseIterativeFlag>(stream,
      handler);
}

//! How deep an XML element is.
static void CheckNode(const rapidxml::xml_node<>* node, const size_t depth)
{
  REQUIRE(depth <= maxModelDepth + 1);
  for (node = node->first_node(); node; node = node->next_sibling())
    CheckNode(node, depth + 1);
}

//! Read an XML text as cereal does.
static void ReadXML(std::string text)
{
  text.push_back('\0');
  rapidxml::xml_document<> document;
  document.parse<rapidxml::parse_trim_whitespace |
      rapidxml::parse_no_data_nodes | rapidxml::parse_declaration_node>(
      &text[0]);
  CheckNode(&document, 0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  const std::string text((const char*) data, size);
  const ModelFormat format = (size > 0 && data[0] == '<') ? ModelFormat::XML :
      (size > 0 && data[0] <= '{' && data[0] != 'b') ? ModelFormat::JSON :
      ModelFormat::Binary;
  try
  {
    const std::string_view content = CheckModel(text, format);
    REQUIRE(content.size() <= text.size());
    if (format == ModelFormat::JSON)
      ReadJSON(text);
    else if (format == ModelFormat::XML)
      ReadXML(text);
  }
  catch (const std::runtime_error&) { }
  catch (const rapidxml::parse_error&) { }
  return 0;
}
