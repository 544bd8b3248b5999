/**
 * @file methods/gbnn/compute/simd_level.hpp
 *
 * The kernels are compiled once for each kind of machine, a level, and the best
 * level that the machine has is chosen when the program runs.  This file says
 * which levels there are, which of them are compiled, and which one is used.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_SIMD_LEVEL_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_SIMD_LEVEL_HPP

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

// Levels that are compiled: all from what the compiler's flags allow on.
// MLPACK_GBNN_SCALAR asks for plain C++ without vectors; so do compilers that
// do not have the vector types of g++ and clang++.
#if !defined(__GNUC__) && !defined(MLPACK_GBNN_SCALAR)
  #define MLPACK_GBNN_SCALAR
#endif

#if defined(MLPACK_GBNN_SCALAR)
  #define MLPACK_GBNN_HAS_BASELINE 1
#elif defined(__aarch64__)
  #define MLPACK_GBNN_HAS_NEON 1
#elif defined(__x86_64__)
  #define MLPACK_GBNN_HAS_V4 1
  #if !defined(__AVX512F__) || !defined(__AVX512DQ__) || \
      !defined(__AVX512BW__) || !defined(__AVX512VL__)
    #define MLPACK_GBNN_HAS_V3 1
    #if !defined(__AVX2__) || !defined(__FMA__)
      #define MLPACK_GBNN_HAS_BASELINE 1
    #endif
  #endif
#else
  #define MLPACK_GBNN_HAS_BASELINE 1
#endif

namespace mlpack {
namespace gbnn {

//! A kind of machine that the kernels are compiled for.
enum class SimdLevel
{
  BASELINE, //!< What every machine of its architecture has; 16 bytes a vector.
  V3,       //!< x86-64-v3: AVX2 and fused multiply-add, 32 bytes.
  V4,       //!< x86-64-v4: AVX-512, 64 bytes.
  NEON      //!< 64-bit ARM: 16 bytes and fused multiply-add.
};

//! The name of a level, as GBNN_SIMD takes it.
inline std::string ToString(const SimdLevel level)
{
  switch (level)
  {
    case SimdLevel::V3: return "v3";
    case SimdLevel::V4: return "v4";
    case SimdLevel::NEON: return "neon";
    default: return "baseline";
  }
}

//! The levels that are compiled and that this machine has, the best one last.
inline std::vector<SimdLevel> SupportedLevels()
{
  std::vector<SimdLevel> levels;
#if defined(MLPACK_GBNN_HAS_NEON)
  levels.push_back(SimdLevel::NEON);
#endif
#if defined(MLPACK_GBNN_HAS_BASELINE)
  levels.push_back(SimdLevel::BASELINE);
#endif
#if defined(MLPACK_GBNN_HAS_V3)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    levels.push_back(SimdLevel::V3);
#endif
#if defined(MLPACK_GBNN_HAS_V4)
  // What the whole program is compiled for needs no question.
  #if defined(MLPACK_GBNN_HAS_V3)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
  #endif
    levels.push_back(SimdLevel::V4);
#endif
  return levels;
}

/**
 * The level of the given name; throws std::invalid_argument if there is none,
 * or if this machine does not have it.
 *
 * @param name Name of a level, or an empty string for the best one.
 */
inline SimdLevel ChooseLevel(const std::string& name)
{
  const std::vector<SimdLevel> levels = SupportedLevels();
  if (name.empty())
    return levels.back();

  std::string names;
  for (const SimdLevel level : levels)
  {
    if (ToString(level) == name)
      return level;
    names += (names.empty() ? "'" : ", '") + ToString(level) + "'";
  }
  throw std::invalid_argument("GBNN_SIMD is '" + name + "', but this program "
      "on this machine has only " + names + "; choose one of these, or unset "
      "GBNN_SIMD to use the best one");
}

//! The level that the kernels use: the one that the environment variable
//! GBNN_SIMD names, or the best that this machine has.
inline SimdLevel ActiveLevel()
{
  static const SimdLevel level = []()
  {
    const char* name = std::getenv("GBNN_SIMD");
    return ChooseLevel(name ? name : "");
  }();
  return level;
}

/**
 * Sums over points are added up in this many lanes, whatever the width of the
 * machine's vectors, so that wide and narrow vectors give the same bits.  The
 * widest vectors, of AVX-512, have 64 bytes.
 */
template<typename T>
constexpr size_t Lanes = 64 / sizeof(T);

//! Points in a strip, in which the kernels take points: enough to keep the
//! arithmetic units busy, and few enough for small data.
template<typename T>
constexpr size_t StripSize = 4 * Lanes<T>;

//! The number of strips that n points take.
template<typename T>
constexpr size_t NumStrips(const size_t n)
{
  return (n + StripSize<T> - 1) / StripSize<T>;
}

} // namespace gbnn
} // namespace mlpack

#endif
