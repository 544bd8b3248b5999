/**
 * @file tests/fuzz/bytes.hpp
 *
 * What the targets share: input that is taken apart, and a way to fail.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_TESTS_FUZZ_BYTES_HPP
#define MLPACK_TESTS_FUZZ_BYTES_HPP

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

//! The fuzzer calls it with one input; replay.cpp with each file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

//! End the program if a promise is broken; not assert(), which may be off.
#define REQUIRE(condition) \
    do \
    { \
      if (!(condition)) \
      { \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
        abort(); \
      } \
    } while (0)

//! Takes an input apart; zeros come after its end.
class Bytes
{
 public:
  Bytes(const uint8_t* data, const size_t size) : p(data), end(data + size) { }

  bool AtEnd() const { return p == end; }

  uint8_t Byte() { return AtEnd() ? 0 : *p++; }

  //! A number from 0 to `largest`.
  size_t UpTo(const size_t largest) { return Byte() % (largest + 1); }

  //! So many bytes at most, in one memory block of their own.
  std::string Text(const size_t length)
  {
    const size_t n = std::min(length, size_t(end - p));
    std::string text((const char*) p, n);
    p += n;
    return text;
  }

  //! A number: mostly a small one, or one that is special, or any.
  double Double()
  {
    const uint8_t kind = Byte();
    switch (kind)
    {
      case 0: return std::numeric_limits<double>::quiet_NaN();
      case 1: return std::numeric_limits<double>::infinity();
      case 2: return -std::numeric_limits<double>::infinity();
      case 3: return 1e308;
      case 4: return -1e-308;
      case 5: return 1e12;
      case 6: return -0.0;
      case 7:
      {
        double value = 0;
        const std::string raw = Text(sizeof(value));
        memcpy(&value, raw.data(), raw.size());
        return value;
      }
      default: return (kind - 128) / 8.0;
    }
  }

  int64_t Integer()
  {
    const uint8_t kind = Byte();
    if (kind >= 4)
      return kind - 8;
    int64_t value = 0;
    const std::string raw = Text(sizeof(value));
    memcpy(&value, raw.data(), raw.size());
    return value;
  }

 private:
  const uint8_t* p;
  const uint8_t* end;
};

#endif
