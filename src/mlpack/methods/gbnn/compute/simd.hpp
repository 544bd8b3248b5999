/**
 * @file methods/gbnn/compute/simd.hpp
 *
 * A few lanes of float or double side by side, in whatever width the compiler
 * is told the machine has, and exponential and logarithm of them.  Written with
 * the vector types that g++ and clang++ share, so one source serves SSE2, AVX
 * and NEON, and the order of every sum is the same for each run.  Only for what
 * these types cannot say are there instructions of a machine: the fused
 * multiply-add, above all, which g++ forms by itself or not depending on flags
 * and on which headers came before.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_COMPUTE_SIMD_HPP
#define MLPACK_METHODS_GBNN_COMPUTE_SIMD_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__aarch64__)
  #include <arm_neon.h>
#elif defined(__FMA__)
  #include <immintrin.h>
#endif

namespace mlpack {
namespace gbnn {

#if defined(__AVX512F__)
  #define MLPACK_GBNN_VECTOR_BYTES 64
#elif defined(__AVX__)
  #define MLPACK_GBNN_VECTOR_BYTES 32
#else
  #define MLPACK_GBNN_VECTOR_BYTES 16
#endif

//! The vector types and the constants of exp() for one element type.
template<typename T>
struct SimdTraits;

template<>
struct SimdTraits<double>
{
  typedef double Vector
      __attribute__((vector_size(MLPACK_GBNN_VECTOR_BYTES)));
  typedef int64_t Bits __attribute__((vector_size(MLPACK_GBNN_VECTOR_BYTES)));

  //! Adding this rounds to an integer and leaves it in the lowest bits.
  static constexpr double rounder = 0x1.8p52;
  static constexpr int mantissaBits = 52;
  //! exp() of what lies outside is taken at the border: still finite, normal.
  static constexpr double lowest = -708.0;
  static constexpr double highest = 708.0;
  //! ln 2 in two parts; the first has zeros enough to be multiplied exactly.
  static constexpr double ln2High = 0x1.62e42fefa38p-1;
  static constexpr double ln2Low = 0x1.ef35793c7673p-45;
  //! exp(r) = (q + r p) / (q - r p) for |r| <= ln(2) / 2, where p and q are
  //! polynomials in r^2: interpolated at Chebyshev points, with a relative
  //! error of 3e-18.
  static constexpr double p[] = { 0.5, 0x1.c70fce7aaac7ep-7,
      0x1.1530ca2e1b65ep-15 };
  static constexpr double q[] = { 1.0, 0x1.c71948f3fffe3p-4,
      0x1.03fc09304687dp-10 };
};

template<>
struct SimdTraits<float>
{
  typedef float Vector __attribute__((vector_size(MLPACK_GBNN_VECTOR_BYTES)));
  typedef int32_t Bits __attribute__((vector_size(MLPACK_GBNN_VECTOR_BYTES)));

  static constexpr float rounder = 0x1.8p23f;
  static constexpr int mantissaBits = 23;
  static constexpr float lowest = -87.0f;
  static constexpr float highest = 88.0f;
  static constexpr float ln2High = 0x1.62ep-1f;
  static constexpr float ln2Low = 0x1.0bfbe8p-15f;
  //! As above, with a relative error of 2e-10 before rounding.
  static constexpr float p[] = { 0.5f, 0x1.10b714e0c6605p-7f };
  static constexpr float q[] = { 1.0f, 0x1.998304ecea2b7p-4f };
};

template<typename T>
using Simd = typename SimdTraits<T>::Vector;

//! How many elements a vector holds.
template<typename T>
constexpr size_t Lanes = MLPACK_GBNN_VECTOR_BYTES / sizeof(T);

//! Vectors in a strip: enough to keep the arithmetic units busy.
constexpr size_t StripVectors = 8;

//! Points in a strip, the unit in which the kernels take points.
template<typename T>
constexpr size_t StripSize = StripVectors * Lanes<T>;

//! The number of strips that n points take.
template<typename T>
constexpr size_t NumStrips(const size_t n)
{
  return (n + StripSize<T> - 1) / StripSize<T>;
}

template<typename T>
inline Simd<T> Load(const T* memory)
{
  Simd<T> v;
  std::memcpy(&v, memory, sizeof(v));
  return v;
}

template<typename T>
inline void Store(T* memory, const Simd<T> v)
{
  std::memcpy(memory, &v, sizeof(v));
}

//! a * b + c, rounded once where the machine can.
template<typename T>
inline Simd<T> MultiplyAdd(const Simd<T> a, const Simd<T> b, const Simd<T> c)
{
  constexpr bool isDouble = (sizeof(T) == sizeof(double));
#if defined(__aarch64__)
  if constexpr (isDouble)
    return (Simd<T>) vfmaq_f64((float64x2_t) c, (float64x2_t) a,
        (float64x2_t) b);
  else
    return (Simd<T>) vfmaq_f32((float32x4_t) c, (float32x4_t) a,
        (float32x4_t) b);
#elif defined(__AVX512F__)
  if constexpr (isDouble)
    return (Simd<T>) _mm512_fmadd_pd((__m512d) a, (__m512d) b, (__m512d) c);
  else
    return (Simd<T>) _mm512_fmadd_ps((__m512) a, (__m512) b, (__m512) c);
#elif defined(__FMA__)
  if constexpr (isDouble)
    return (Simd<T>) _mm256_fmadd_pd((__m256d) a, (__m256d) b, (__m256d) c);
  else
    return (Simd<T>) _mm256_fmadd_ps((__m256) a, (__m256) b, (__m256) c);
#else
  return a * b + c;
#endif
}

//! All lanes have the same value.
template<typename T>
inline Simd<T> Broadcast(const T value)
{
  return value - Simd<T>{}; // Unlike adding 0, this costs nothing.
}

//! Every lane brought into [low, high]; NaN stays NaN.
template<typename T>
inline Simd<T> Clamp(const Simd<T> x, const T low, const T high)
{
#if defined(__aarch64__)
  if constexpr (sizeof(T) == sizeof(double))
    return (Simd<T>) vminq_f64(vmaxq_f64((float64x2_t) x, vdupq_n_f64(low)),
        vdupq_n_f64(high));
  else
    return (Simd<T>) vminq_f32(vmaxq_f32((float32x4_t) x, vdupq_n_f32(low)),
        vdupq_n_f32(high));
#else
  const Simd<T> raised = (x < low) ? Broadcast<T>(low) : x;
  return (raised > high) ? Broadcast<T>(high) : raised;
#endif
}

//! The sum of the lanes, always in the same order.
template<typename T>
inline T Sum(const Simd<T> v)
{
#if defined(__aarch64__)
  if constexpr (sizeof(T) == sizeof(float))
    return vaddvq_f32((float32x4_t) v);
#endif
  T sum = v[0];
  for (size_t i = 1; i < Lanes<T>; ++i)
    sum += v[i];
  return sum;
}

/**
 * exp() of every lane of some vectors as fractions, above / below, exact to
 * about one unit in the last place; `below` is between 0.8 and 1.2.  Several at
 * once, because each step must wait for the one before it.  The argument is
 * clamped so that both, and their sum, are finite normal numbers.
 */
template<typename T, size_t Vectors>
inline void ExpFraction(const Simd<T> (&x)[Vectors],
                        Simd<T> (&above)[Vectors],
                        Simd<T> (&below)[Vectors])
{
  using Traits = SimdTraits<T>;
  using Bits = typename Traits::Bits;
  constexpr size_t last = sizeof(Traits::p) / sizeof(T) - 1;
  const Simd<T> log2e = Broadcast<T>(T(1.4426950408889634074));
  for (size_t v = 0; v < Vectors; ++v)
  {
    // x = n ln 2 + r with |r| <= ln(2) / 2, so exp(x) = 2^n exp(r).
    const Simd<T> z = Clamp<T>(x[v], Traits::lowest, Traits::highest);
    const Simd<T> shifted = MultiplyAdd<T>(z, log2e,
        Broadcast<T>(Traits::rounder));
    const Simd<T> n = shifted - Traits::rounder;
    Simd<T> r = MultiplyAdd<T>(n, Broadcast<T>(-Traits::ln2High), z);
    r = MultiplyAdd<T>(n, Broadcast<T>(-Traits::ln2Low), r);

    const Simd<T> square = r * r;
    Simd<T> p = Broadcast<T>(Traits::p[last]);
    Simd<T> q = Broadcast<T>(Traits::q[last]);
    for (size_t i = last; i-- > 0;)
    {
      p = MultiplyAdd<T>(p, square, Broadcast<T>(Traits::p[i]));
      q = MultiplyAdd<T>(q, square, Broadcast<T>(Traits::q[i]));
    }
    p *= r;
    below[v] = q - p;
    const Simd<T> sum = q + p;

    // Multiply by 2^n: add n to the exponent field.
    Bits bits, exponent;
    std::memcpy(&bits, &sum, sizeof(bits));
    std::memcpy(&exponent, &shifted, sizeof(exponent));
    bits += exponent << Traits::mantissaBits;
    std::memcpy(&above[v], &bits, sizeof(bits));
  }
}

//! exp() of every lane of some vectors, always finite and normal.
template<typename T, size_t Vectors>
inline void Exp(Simd<T> (&x)[Vectors])
{
  Simd<T> above[Vectors], below[Vectors];
  ExpFraction<T, Vectors>(x, above, below);
  for (size_t v = 0; v < Vectors; ++v)
    x[v] = above[v] / below[v];
}

//! ln(1 + x) of every lane of some vectors, for x between 0 and 1, exact to
//! about one unit in the last place even where x is tiny.
template<typename T, size_t Vectors>
inline void Log1p(Simd<T> (&x)[Vectors])
{
  // 2 artanh(s) with s = x / (2 + x), at most 1/3, as the sum of its series.
  constexpr size_t terms = (sizeof(T) == sizeof(double)) ? 16 : 7;
  for (size_t v = 0; v < Vectors; ++v)
  {
    const Simd<T> s = x[v] / (x[v] + T(2)), square = s * s;
    Simd<T> sum = Broadcast<T>(T(1) / T(2 * terms - 1));
    for (size_t k = terms - 1; k-- > 0;)
      sum = MultiplyAdd<T>(sum, square, Broadcast<T>(T(1) / T(2 * k + 1)));
    x[v] = (s + s) * sum;
  }
}

} // namespace gbnn
} // namespace mlpack

#endif
