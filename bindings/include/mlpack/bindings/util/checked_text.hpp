/**
 * @file bindings/util/checked_text.hpp
 *
 * What surrounds a saved model in its file: the version of the format and a
 * checksum, both looked at before cereal sees a byte.
 *
 * They come after the model, where mlpack's own Load() does not look, so that
 * it can read these files as well:
 *
 *     .bin    model, "MLPKMODL", version, CRC-32   (two uint32, little-endian)
 *     .json   { "model": ..., "format": 1, "checksum": "1a2b3c4d" }
 *     .xml    <cereal> <model>...</model> <format>1</format>
 *             <checksum>1a2b3c4d</checksum> </cereal>
 *
 * The CRC-32 (that of gzip, zlib and PNG) is that of all bytes of the file but
 * its own; of a text, with 00000000 in its place.  JSON and XML are for people
 * to edit: there the checksum may be missing.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_CHECKED_TEXT_HPP
#define MLPACK_BINDINGS_UTIL_CHECKED_TEXT_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "quoted.hpp"

namespace mlpack {
namespace bindings {

//! Formats of model files; the numbers are those of the C interface.
enum class ModelFormat { Binary = 0, JSON = 1, XML = 2 };

//! The version that is written, and the newest that can be read.
constexpr uint32_t modelFileVersion = 1;

//! How deep the parts of a text may lie in each other.  Models need about 20;
//! the readers of cereal call themselves once for each level.
constexpr size_t maxModelDepth = 100;

//! Thrown for a file of a version that is not known yet.
class NewerModel : public std::runtime_error
{
 public:
  explicit NewerModel(const std::string& version) :
      std::runtime_error("is of a newer version than this program: its format "
          "is " + version + ", and the newest that can be read is " +
          std::to_string(modelFileVersion) + "; load it with a newer version")
  { }
};

//! CRC-32 of some bytes; `crc` is that of those before them.
inline uint32_t CRC32(const std::string_view bytes, const uint32_t crc = 0)
{
  static const std::array<uint32_t, 256> table = []()
  {
    std::array<uint32_t, 256> result;
    for (uint32_t i = 0; i < 256; ++i)
    {
      result[i] = i;
      for (int bit = 0; bit < 8; ++bit)
        result[i] = (result[i] >> 1) ^ ((result[i] & 1) ? 0xEDB88320u : 0u);
    }
    return result;
  }();
  uint32_t value = ~crc;
  for (const char c : bytes)
    value = table[(value ^ (unsigned char) c) & 0xFF] ^ (value >> 8);
  return ~value;
}

//! A number as eight hexadecimal digits.
inline std::string Hexadecimal(const uint32_t number)
{
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[(number >> shift) & 15];
  return text;
}

//! What a text has beside the model; empty views where there is nothing.
struct ModelEnvelope
{
  bool hasModel = false;
  std::string_view format;
  std::string_view checksum;
};

//! Note one of the parts at the top of a text; any other is refused.
inline void NotePart(ModelEnvelope& envelope,
                     std::set<std::string>& seen,
                     const std::string_view name,
                     const std::string_view value)
{
  if (!seen.insert(std::string(name)).second)
    throw std::runtime_error("it has two parts called " + Quoted(name));
  if (name == "model")
    envelope.hasModel = true;
  else if (name == "format")
    envelope.format = value;
  else if (name == "checksum")
    envelope.checksum = value;
  else
    throw std::runtime_error("it has an unknown part " + Quoted(name));
}

//! Throw if a text is nested too deeply.
inline void CheckDepth(const size_t depth)
{
  if (depth > maxModelDepth)
  {
    throw std::runtime_error("its parts are nested more than " +
        std::to_string(maxModelDepth) + " deep");
  }
}

/**
 * Throw unless this is a number as JSON has them, but for its sign, and one
 * that its reader can take.  That looks up powers of ten from 1e-348 to 1e347,
 * and reads beyond its table for others: written without an exponent, a number
 * may have so many digits before or after its point.  A zero with many of them
 * is read as another number.
 */
inline void CheckNumber(const std::string_view number)
{
  const long maxDigits = 345, maxZeros = 22, maxExponent = 100000;
  size_t i = 0;
  const auto skipDigits = [&]()
  {
    const size_t begin = i;
    i = std::min(number.size(), number.find_first_not_of("0123456789", i));
    if (i == begin)
      throw std::runtime_error("it is no valid JSON");
    return number.substr(begin, i - begin);
  };
  const auto skip = [&](const std::string_view letters)
  {
    const bool isThere = i < number.size() &&
        letters.find(number[i]) != letters.npos;
    i += isThere;
    return isThere;
  };
  const std::string_view before = skipDigits();
  const std::string_view after = skip(".") ? skipDigits() : std::string_view();
  long exponent = 0;
  if (skip("eE"))
  {
    const bool isNegative = skip("-");
    if (!isNegative)
      skip("+");
    for (const char c : skipDigits())
      exponent = std::min(maxExponent, 10 * exponent + (c - '0'));
    exponent = isNegative ? -exponent : exponent;
  }
  if (i < number.size())
    throw std::runtime_error("it is no valid JSON");
  const bool isZero = before.find_first_not_of('0') == before.npos &&
      after.find_first_not_of('0') == after.npos;
  const long most = isZero ? maxZeros : maxDigits;
  if (long(before.size()) + exponent > most ||
      long(after.size()) - exponent > most)
  {
    throw std::runtime_error("it has a number with more than " +
        std::to_string(most) + " digits before or after its point");
  }
}

/**
 * Look through a JSON text, without building anything of it.  Whether it is
 * valid otherwise is cereal's to say: this only has to see strings and brackets
 * exactly as its reader does.
 */
inline ModelEnvelope ScanJSON(const std::string_view text)
{
  ModelEnvelope envelope;
  std::set<std::string> seen;
  const auto blank = [](const char c)
  {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  };
  size_t depth = 0, i = 0;
  while (i < text.size() && blank(text[i]))
    ++i;
  if (i == text.size() || text[i] != '{')
    throw std::runtime_error("it does not begin with '{'");

  std::string_view key;
  bool hasKey = false, isValue = false;
  // A number at the top goes up to what may follow it.
  const auto wordAt = [&](const size_t begin)
  {
    const size_t end = text.find_first_of(" \t\r\n,}", begin);
    return text.substr(begin, (end == text.npos ? text.size() : end) - begin);
  };
  for (; i < text.size(); ++i)
  {
    const char c = text[i];
    if (blank(c))
      continue;
    if (hasKey && !isValue && c != ':')
      throw std::runtime_error("it is no valid JSON");
    if (depth == 1 && isValue && c != '"')
    {
      NotePart(envelope, seen, key, wordAt(i));
      hasKey = isValue = false;
    }
    if (c == '"')
    {
      const size_t begin = i + 1;
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += (text[i] == '\\');
      if (i >= text.size())
        throw std::runtime_error("it ends too early");
      const std::string_view inside = text.substr(begin, i - begin);
      if (depth == 1 && isValue)
        NotePart(envelope, seen, key, inside);
      else if (depth == 1)
        key = inside;
      hasKey = (depth == 1 && !isValue);
      isValue = false;
    }
    else if (c == '{' || c == '[')
    {
      CheckDepth(++depth);
    }
    else if (c == '}' || c == ']')
    {
      if (depth == 0)
        throw std::runtime_error("it has a bracket too many");
      --depth;
    }
    else if (c == ':' && depth == 1 && hasKey)
    {
      isValue = true;
    }
    else if (c >= '0' && c <= '9')
    {
      const size_t end = std::min(text.size(),
          text.find_first_not_of("0123456789.eE+-", i));
      CheckNumber(text.substr(i, end - i));
      i = end - 1;
    }
    // The reader takes NaN.5 for a number.
    else if (c == '.')
    {
      throw std::runtime_error("it is no valid JSON");
    }
  }
  if (depth > 0)
    throw std::runtime_error("it ends too early");
  return envelope;
}

/**
 * Look through an XML text in the same way.  Only what cereal writes, and
 * comments, are allowed: then there is one way to read it.
 */
inline ModelEnvelope ScanXML(const std::string_view text)
{
  ModelEnvelope envelope;
  std::set<std::string> seen;
  const auto refuse = [](const std::string& reason)
  {
    throw std::runtime_error(reason);
  };
  const auto isName = [](const char c)
  {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
        (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == ':';
  };
  size_t i = 0, depth = 0;
  const auto skipBlanks = [&]()
  {
    while (i < text.size() && strchr(" \t\r\n", text[i]))
      ++i;
  };
  const auto readName = [&]()
  {
    const size_t begin = i;
    while (i < text.size() && isName(text[i]))
      ++i;
    if (i == begin)
      refuse("it has a '<' that begins no part of a model");
    return text.substr(begin, i - begin);
  };
  const auto expect = [&](const char c)
  {
    if (i >= text.size() || text[i] != c)
      refuse(i >= text.size() ? "it ends too early" :
          "it has a part that is not as in a model");
    ++i;
  };

  // <?xml version="1.0" encoding="utf-8"?>
  if (text.substr(0, 3) == "\xEF\xBB\xBF")
    i = 3;
  skipBlanks();
  if (text.substr(i, 2) == "<?")
  {
    const size_t end = text.find("?>", i);
    if (end == text.npos)
      refuse("it ends too early");
    size_t quotes = 0;
    for (const char c : text.substr(i + 1, end - i - 1))
    {
      quotes += (c == '"');
      if (c == '<' || c == '\'')
        refuse("its first line is not as in a model");
    }
    if (quotes % 2 != 0)
      refuse("its first line is not as in a model");
    i = end + 2;
  }

  bool hasRoot = false;
  while (true)
  {
    i = text.find('<', i);
    if (i == text.npos)
      break;
    ++i;
    if (text.substr(i, 3) == "!--")
    {
      const size_t end = text.find("-->", i + 3);
      if (end == text.npos)
        refuse("it ends too early");
      i = end + 3;
      continue;
    }
    if (i < text.size() && text[i] == '/')
    {
      ++i;
      readName();
      skipBlanks();
      expect('>');
      if (depth == 0)
        refuse("it has a closing part too many");
      --depth;
      continue;
    }

    const std::string_view name = readName();
    bool isEmpty = false;
    while (true)
    {
      skipBlanks();
      if (i < text.size() && (text[i] == '>' || text[i] == '/'))
      {
        isEmpty = (text[i] == '/');
        i += isEmpty;
        expect('>');
        break;
      }
      // An attribute: name="value".
      readName();
      skipBlanks();
      expect('=');
      skipBlanks();
      expect('"');
      while (i < text.size() && text[i] != '"' && text[i] != '<')
        ++i;
      expect('"');
    }
    if (depth == 0 && (name != "cereal" || hasRoot))
      refuse("it has an unknown part " + Quoted(name));
    hasRoot = true;
    if (depth == 1)
    {
      const size_t end = text.find('<', i);
      NotePart(envelope, seen, name, isEmpty ? std::string_view() :
          text.substr(i, (end == text.npos ? text.size() : end) - i));
    }
    if (!isEmpty)
      CheckDepth(++depth);
  }
  if (depth > 0)
    refuse("it ends too early");
  return envelope;
}

//! The end of a binary file.
struct BinaryEnd
{
  static constexpr const char* mark = "MLPKMODL";
  static constexpr size_t markSize = 8;
  static constexpr size_t size = markSize + 8;

  //! A number as four bytes, the lowest first on every machine.
  static std::string Bytes(const uint32_t number)
  {
    std::string bytes;
    for (int shift = 0; shift < 32; shift += 8)
      bytes += char((number >> shift) & 0xFF);
    return bytes;
  }

  static uint32_t Number(const std::string_view bytes)
  {
    uint32_t number = 0;
    for (int i = 3; i >= 0; --i)
      number = (number << 8) | (unsigned char) bytes[i];
    return number;
  }
};

//! The CRC-32 of a text whose checksum is the given part of it.
inline uint32_t TextChecksum(const std::string_view text,
                             const std::string_view checksum)
{
  const size_t begin = checksum.data() - text.data();
  return CRC32(text.substr(begin + checksum.size()), CRC32("00000000",
      CRC32(text.substr(0, begin))));
}

/**
 * Add version and checksum to what cereal has written.
 *
 * @param text The archive; gets them.
 * @param format Its format.
 */
inline void SealModel(std::string& text, const ModelFormat format)
{
  const std::string version = std::to_string(modelFileVersion);
  if (format == ModelFormat::Binary)
  {
    text += BinaryEnd::mark + BinaryEnd::Bytes(modelFileVersion);
    text += BinaryEnd::Bytes(CRC32(text));
    return;
  }
  const std::string end = (format == ModelFormat::JSON) ? "}" : "</cereal>";
  size_t place = text.rfind(end);
  if (place == text.npos)
    throw std::runtime_error("cereal has written no end of the model");
  while (place > 0 && strchr(" \t\r\n", text[place - 1]))
    --place;
  text.erase(place);
  const std::string before = (format == ModelFormat::JSON) ?
      ",\n    \"format\": " + version + ",\n    \"checksum\": \"" :
      "\n\t<format>" + version + "</format>\n\t<checksum>";
  text += before;
  const size_t digits = text.size();
  text += "00000000";
  text += (format == ModelFormat::JSON) ? "\"\n}\n" :
      "</checksum>\n</cereal>\n";
  text.replace(digits, 8, Hexadecimal(CRC32(text)));
}

/**
 * Check a file before cereal reads it.  Throws std::runtime_error with what is
 * wrong, or NewerModel.
 *
 * @param text All of the file.
 * @param format Its format.
 * @return The part of it that cereal is to read.
 */
inline std::string_view CheckModel(const std::string_view text,
                                   const ModelFormat format)
{
  if (text.empty())
    throw std::runtime_error("it is empty");
  if (format == ModelFormat::Binary)
  {
    const size_t end = text.size() - BinaryEnd::size;
    if (text.size() < BinaryEnd::size ||
        text.substr(end, BinaryEnd::markSize) != BinaryEnd::mark)
    {
      throw std::runtime_error("it does not end as a model does: it is cut "
          "off, or of another program");
    }
    const size_t place = text.size() - 4;
    if (BinaryEnd::Number(text.substr(place)) != CRC32(text.substr(0, place)))
      throw std::runtime_error("its checksum does not fit");
    const uint32_t version = BinaryEnd::Number(text.substr(place - 4));
    if (version > modelFileVersion)
      throw NewerModel(std::to_string(version));
    if (version == 0)
      throw std::runtime_error("its version is 0");
    return text.substr(0, end);
  }

  // The readers would take this for the end.
  if (text.find('\0') != text.npos)
    throw std::runtime_error("it has zero bytes in it");
  const ModelEnvelope envelope = (format == ModelFormat::JSON) ?
      ScanJSON(text) : ScanXML(text);
  if (!envelope.hasModel)
    throw std::runtime_error("there is no model in it");
  if (envelope.checksum.data() && envelope.checksum !=
      Hexadecimal(TextChecksum(text, envelope.checksum)))
  {
    throw std::runtime_error("its checksum does not fit; if you have edited "
        "the file yourself, take out its 'checksum'");
  }
  if (envelope.format.data() &&
      envelope.format != std::to_string(modelFileVersion))
  {
    const bool digits = !envelope.format.empty() &&
        envelope.format.size() < 10 && envelope.format[0] != '0' &&
        envelope.format.find_first_not_of("0123456789") == text.npos;
    if (!digits)
      throw std::runtime_error("its 'format' is no number");
    throw NewerModel(std::string(envelope.format));
  }
  return text;
}

} // namespace bindings
} // namespace mlpack

#endif
