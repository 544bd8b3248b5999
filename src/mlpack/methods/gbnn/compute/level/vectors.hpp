/**
 * @file methods/gbnn/compute/level/vectors.hpp
 *
 * A few numbers side by side, Simd<T>, for one level.  Written with the vector
 * types that g++ and clang++ share, and with instructions of the machine for
 * what these types cannot say; or, for other compilers, with plain arrays.
 *
 * Products are added with MultiplyAdd() only.  So no compiler can choose to
 * round once or twice, and all levels with a fused multiply-add compute the
 * same bits.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_GBNN_LEVEL
  #include "../kernels.hpp"
#else

namespace mlpack {
namespace gbnn {
namespace MLPACK_GBNN_LEVEL {

#if defined(MLPACK_GBNN_SCALAR)

//! Numbers side by side, and arithmetic with each of them.
template<typename T, size_t Size = Lanes<T>>
struct Simd
{
  static constexpr size_t lanes = Size;
  T lane[lanes];

  #define MLPACK_GBNN_OPERATOR(op) \
    friend Simd operator op(const Simd& a, const Simd& b) \
    { \
      Simd result; \
      for (size_t i = 0; i < lanes; ++i) \
        result.lane[i] = a.lane[i] op b.lane[i]; \
      return result; \
    } \
    friend Simd operator op(const Simd& a, const T b) \
    { \
      Simd result; \
      for (size_t i = 0; i < lanes; ++i) \
        result.lane[i] = a.lane[i] op b; \
      return result; \
    } \
    friend Simd operator op(const T a, const Simd& b) \
    { \
      Simd result; \
      for (size_t i = 0; i < lanes; ++i) \
        result.lane[i] = a op b.lane[i]; \
      return result; \
    }
  MLPACK_GBNN_OPERATOR(+)
  MLPACK_GBNN_OPERATOR(-)
  MLPACK_GBNN_OPERATOR(*)
  MLPACK_GBNN_OPERATOR(/)
  #undef MLPACK_GBNN_OPERATOR
};

//! 16 bytes of numbers.
template<typename T>
using Narrow = Simd<T, 16 / sizeof(T)>;

//! How many of them there are.
template<typename T>
constexpr size_t Width = Lanes<T>;

//! How many sums are kept in registers at once: half of these.
constexpr size_t Accumulators = 8;

template<typename T>
inline Simd<T> Load(const T* memory)
{
  Simd<T> v;
  std::memcpy(&v, memory, sizeof(v));
  return v;
}

template<typename T>
inline void Store(T* memory, const Simd<T>& v)
{
  std::memcpy(memory, &v, sizeof(v));
}

template<typename T>
inline Simd<T> Broadcast(const T value)
{
  Simd<T> v;
  for (size_t i = 0; i < Simd<T>::lanes; ++i)
    v.lane[i] = value;
  return v;
}

// Where a compiler could use a fused multiply-add, it must use it everywhere.
template<typename T>
inline T MultiplyAdd(const T a, const T b, const T c)
{
#if defined(FP_FAST_FMA) && defined(FP_FAST_FMAF)
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

template<typename T>
inline Simd<T> MultiplyAdd(const Simd<T>& a,
                           const Simd<T>& b,
                           const Simd<T>& c)
{
  Simd<T> v;
  for (size_t i = 0; i < Simd<T>::lanes; ++i)
    v.lane[i] = MultiplyAdd<T>(a.lane[i], b.lane[i], c.lane[i]);
  return v;
}

template<typename T>
inline Simd<T> Max(const Simd<T>& a, const Simd<T>& b)
{
  Simd<T> v;
  for (size_t i = 0; i < Simd<T>::lanes; ++i)
    v.lane[i] = (a.lane[i] > b.lane[i]) ? a.lane[i] : b.lane[i];
  return v;
}

template<typename T>
inline Simd<T> Min(const Simd<T>& a, const Simd<T>& b)
{
  Simd<T> v;
  for (size_t i = 0; i < Simd<T>::lanes; ++i)
    v.lane[i] = (a.lane[i] < b.lane[i]) ? a.lane[i] : b.lane[i];
  return v;
}

template<typename T>
inline Simd<T> Clamp(const Simd<T>& x, const T low, const T high)
{
  return Min<T>(Broadcast<T>(high), Max<T>(Broadcast<T>(low), x));
}

template<typename T>
inline Simd<T> IsPositive(const Simd<T>& a)
{
  Simd<T> v;
  for (size_t i = 0; i < Simd<T>::lanes; ++i)
    v.lane[i] = (a.lane[i] > T(0)) ? T(1) : T(0);
  return v;
}

template<typename T>
inline Simd<T> AddToExponent(const Simd<T>& x, const Simd<T>& shifted)
{
  using Integer = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  Integer bits[Simd<T>::lanes], exponent[Simd<T>::lanes];
  std::memcpy(bits, &x, sizeof(bits));
  std::memcpy(exponent, &shifted, sizeof(exponent));
  for (size_t i = 0; i < Simd<T>::lanes; ++i)
    bits[i] += exponent[i] << (std::numeric_limits<T>::digits - 1);
  Simd<T> v;
  std::memcpy(&v, bits, sizeof(v));
  return v;
}

#else // Vector types.

#if MLPACK_GBNN_LEVEL_IS(V4)
  #define MLPACK_GBNN_VECTOR_BYTES 64
#elif MLPACK_GBNN_LEVEL_IS(V3)
  #define MLPACK_GBNN_VECTOR_BYTES 32
#else
  #define MLPACK_GBNN_VECTOR_BYTES 16
#endif

//! The vectors of one element type, of 16 bytes of them, and of integers of
//! the same size.
template<typename T>
struct VectorTypes;

template<>
struct VectorTypes<double>
{
  typedef double Real __attribute__((vector_size(MLPACK_GBNN_VECTOR_BYTES)));
  typedef double Narrow __attribute__((vector_size(16)));
  typedef uint64_t Bits __attribute__((vector_size(MLPACK_GBNN_VECTOR_BYTES)));
};

template<>
struct VectorTypes<float>
{
  typedef float Real __attribute__((vector_size(MLPACK_GBNN_VECTOR_BYTES)));
  typedef float Narrow __attribute__((vector_size(16)));
  typedef uint32_t Bits __attribute__((vector_size(MLPACK_GBNN_VECTOR_BYTES)));
};

//! Numbers side by side.
template<typename T>
using Simd = typename VectorTypes<T>::Real;

//! 16 bytes of numbers.
template<typename T>
using Narrow = typename VectorTypes<T>::Narrow;

//! How many of them there are.
template<typename T>
constexpr size_t Width = MLPACK_GBNN_VECTOR_BYTES / sizeof(T);

#undef MLPACK_GBNN_VECTOR_BYTES

//! How many sums are kept in registers at once: half of these.
#if MLPACK_GBNN_LEVEL_IS(V4) || MLPACK_GBNN_LEVEL_IS(NEON)
constexpr size_t Accumulators = 16;
#else
constexpr size_t Accumulators = 8;
#endif

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

//! All lanes have the same value.
template<typename T>
inline Simd<T> Broadcast(const T value)
{
  return value - Simd<T>{}; // Unlike adding 0, this costs nothing.
}

// An instruction of the machine for double and for float.
#if MLPACK_GBNN_LEVEL_IS(V4)
  #define MLPACK_GBNN_X86(name, T, ...) \
    if constexpr (sizeof(T) == sizeof(double)) \
      return (Simd<T>) _mm512_##name##_pd(__VA_ARGS__); \
    else \
      return (Simd<T>) _mm512_##name##_ps(__VA_ARGS__)
#elif MLPACK_GBNN_LEVEL_IS(V3)
  #define MLPACK_GBNN_X86(name, T, ...) \
    if constexpr (sizeof(T) == sizeof(double)) \
      return (Simd<T>) _mm256_##name##_pd(__VA_ARGS__); \
    else \
      return (Simd<T>) _mm256_##name##_ps(__VA_ARGS__)
#elif defined(__x86_64__)
  #define MLPACK_GBNN_X86(name, T, ...) \
    if constexpr (sizeof(T) == sizeof(double)) \
      return (Simd<T>) _mm_##name##_pd(__VA_ARGS__); \
    else \
      return (Simd<T>) _mm_##name##_ps(__VA_ARGS__)
#endif

//! a * b + c, rounded once where the level can.
template<typename T>
inline T MultiplyAdd(const T a, const T b, const T c)
{
#if MLPACK_GBNN_LEVEL_IS(BASELINE)
  return a * b + c;
#else
  if constexpr (sizeof(T) == sizeof(double))
    return __builtin_fma(a, b, c);
  else
    return __builtin_fmaf(a, b, c);
#endif
}

template<typename T>
inline Simd<T> MultiplyAdd(const Simd<T> a, const Simd<T> b, const Simd<T> c)
{
#if MLPACK_GBNN_LEVEL_IS(NEON)
  if constexpr (sizeof(T) == sizeof(double))
    return (Simd<T>) vfmaq_f64((float64x2_t) c, (float64x2_t) a,
        (float64x2_t) b);
  else
    return (Simd<T>) vfmaq_f32((float32x4_t) c, (float32x4_t) a,
        (float32x4_t) b);
#elif MLPACK_GBNN_LEVEL_IS(V3) || MLPACK_GBNN_LEVEL_IS(V4)
  MLPACK_GBNN_X86(fmadd, T, a, b, c);
#else
  return a * b + c;
#endif
}

#if MLPACK_GBNN_LEVEL_IS(V4)
//! A mask of all lanes.  g++ 12 warns of its own code where there is none.
template<typename T>
constexpr auto AllLanes = std::conditional_t<sizeof(T) == sizeof(double),
    __mmask8, __mmask16>(-1);
#endif

//! Where a > b, a, else b.
template<typename T>
inline Simd<T> Max(const Simd<T> a, const Simd<T> b)
{
#if MLPACK_GBNN_LEVEL_IS(V4)
  MLPACK_GBNN_X86(maskz_max, T, AllLanes<T>, a, b);
#elif defined(MLPACK_GBNN_X86)
  MLPACK_GBNN_X86(max, T, a, b);
#else
  return (a > b) ? a : b;
#endif
}

//! Where a < b, a, else b.
template<typename T>
inline Simd<T> Min(const Simd<T> a, const Simd<T> b)
{
#if MLPACK_GBNN_LEVEL_IS(V4)
  MLPACK_GBNN_X86(maskz_min, T, AllLanes<T>, a, b);
#elif defined(MLPACK_GBNN_X86)
  MLPACK_GBNN_X86(min, T, a, b);
#else
  return (a < b) ? a : b;
#endif
}

//! Every lane brought into [low, high]; NaN stays NaN.
template<typename T>
inline Simd<T> Clamp(const Simd<T> x, const T low, const T high)
{
#if MLPACK_GBNN_LEVEL_IS(NEON)
  if constexpr (sizeof(T) == sizeof(double))
    return (Simd<T>) vminq_f64(vmaxq_f64((float64x2_t) x, vdupq_n_f64(low)),
        vdupq_n_f64(high));
  else
    return (Simd<T>) vminq_f32(vmaxq_f32((float32x4_t) x, vdupq_n_f32(low)),
        vdupq_n_f32(high));
#else
  return Min<T>(Broadcast<T>(high), Max<T>(Broadcast<T>(low), x));
#endif
}

//! Where a > 0, 1, else 0.
template<typename T>
inline Simd<T> IsPositive(const Simd<T> a)
{
  return (a > T(0)) ? Broadcast<T>(T(1)) : Simd<T>{};
}

//! x times 2^n, where n stands in the lowest bits of `shifted`.
template<typename T>
inline Simd<T> AddToExponent(const Simd<T> x, const Simd<T> shifted)
{
  using Bits = typename VectorTypes<T>::Bits;
  return (Simd<T>) ((Bits) x +
      ((Bits) shifted << (std::numeric_limits<T>::digits - 1)));
}

#endif // Vector types.

template<typename T>
inline Narrow<T> LoadNarrow(const T* memory)
{
  Narrow<T> v;
  std::memcpy(&v, memory, sizeof(v));
  return v;
}

template<typename T>
inline void StoreNarrow(T* memory, const Narrow<T> v)
{
  std::memcpy(memory, &v, sizeof(v));
}

//! a * b + c, rounded once where the level can.
template<typename T>
inline Narrow<T> MultiplyAddNarrow(const Narrow<T> a,
                                   const T b,
                                   const Narrow<T> c)
{
#if MLPACK_GBNN_LEVEL_IS(NEON)
  if constexpr (sizeof(T) == sizeof(double))
    return (Narrow<T>) vfmaq_n_f64((float64x2_t) c, (float64x2_t) a, b);
  else
    return (Narrow<T>) vfmaq_n_f32((float32x4_t) c, (float32x4_t) a, b);
#elif MLPACK_GBNN_LEVEL_IS(V3) || MLPACK_GBNN_LEVEL_IS(V4)
  if constexpr (sizeof(T) == sizeof(double))
    return (Narrow<T>) _mm_fmadd_pd((__m128d) a, _mm_set1_pd(b), (__m128d) c);
  else
    return (Narrow<T>) _mm_fmadd_ps((__m128) a, _mm_set1_ps(b), (__m128) c);
#elif defined(MLPACK_GBNN_SCALAR)
  Narrow<T> v;
  for (size_t i = 0; i < Narrow<T>::lanes; ++i)
    v.lane[i] = MultiplyAdd<T>(a.lane[i], b, c.lane[i]);
  return v;
#else
  return a * b + c;
#endif
}

//! Add a value to the first 16 bytes in memory, and a factor times the value to
//! the second 16 bytes.
template<typename T>
inline void AddTwice(T* memory, const Narrow<T> value, const T factor)
{
#if MLPACK_GBNN_LEVEL_IS(V3) || MLPACK_GBNN_LEVEL_IS(V4)
  // At once: times 1 is exact.
  if constexpr (sizeof(T) == sizeof(double))
  {
    const __m256d both = _mm256_blend_pd(_mm256_set1_pd(1),
        _mm256_set1_pd(factor), 0xc);
    _mm256_storeu_pd(memory, _mm256_fmadd_pd(_mm256_set_m128d((__m128d) value,
        (__m128d) value), both, _mm256_loadu_pd(memory)));
  }
  else
  {
    const __m256 both = _mm256_blend_ps(_mm256_set1_ps(1),
        _mm256_set1_ps(factor), 0xf0);
    _mm256_storeu_ps(memory, _mm256_fmadd_ps(_mm256_set_m128((__m128) value,
        (__m128) value), both, _mm256_loadu_ps(memory)));
  }
#else
  constexpr size_t size = 16 / sizeof(T);
  StoreNarrow<T>(memory, LoadNarrow(memory) + value);
  StoreNarrow<T>(memory + size, MultiplyAddNarrow<T>(value, factor,
      LoadNarrow(memory + size)));
#endif
}

//! The first n numbers of a vector, and zeros.
template<typename T>
inline Simd<T> LoadSome(const T* memory, const size_t n)
{
  if (n >= Width<T>)
    return Load(memory);
#if MLPACK_GBNN_LEVEL_IS(V4)
  if constexpr (sizeof(T) == sizeof(double))
    return (Simd<T>) _mm512_maskz_loadu_pd(__mmask8((1u << n) - 1), memory);
  else
    return (Simd<T>) _mm512_maskz_loadu_ps(__mmask16((1u << n) - 1), memory);
#else
  T buffer[Width<T>] = {};
  for (size_t i = 0; i < n; ++i)
    buffer[i] = memory[i];
  return Load(buffer);
#endif
}

//! Write the first n numbers of a vector.
template<typename T>
inline void StoreSome(T* memory, const Simd<T> v, const size_t n)
{
  if (n >= Width<T>)
    return Store<T>(memory, v);
#if MLPACK_GBNN_LEVEL_IS(V4)
  if constexpr (sizeof(T) == sizeof(double))
    _mm512_mask_storeu_pd(memory, __mmask8((1u << n) - 1), (__m512d) v);
  else
    _mm512_mask_storeu_ps(memory, __mmask16((1u << n) - 1), (__m512) v);
#else
  T buffer[Width<T>];
  Store<T>(buffer, v);
  for (size_t i = 0; i < n; ++i)
    memory[i] = buffer[i];
#endif
}

//! How many vectors make up the lanes of a sum.
template<typename T>
constexpr size_t Parts = Lanes<T> / Width<T>;

//! Write, for numbers 3 * 2^n plus an integer, where n is such that no digit
//! stands after the point, the bits of the sum of `first` and the integer, times
//! a factor.
template<typename T>
inline void StoreIntegers(T* memory,
                          const Simd<T> v,
                          const UnsignedOf<T> first,
                          const UnsignedOf<T> factor)
{
  constexpr UnsignedOf<T> mask = (UnsignedOf<T>(1) <<
      (std::numeric_limits<T>::digits - 2)) - 1;
  UnsignedOf<T> bits[Width<T>];
  std::memcpy(bits, &v, sizeof(bits));
  for (size_t i = 0; i < Width<T>; ++i)
    bits[i] = ((bits[i] & mask) + first) * factor;
  std::memcpy(memory, bits, sizeof(bits));
}

#if MLPACK_GBNN_LEVEL_IS(V4)

//! Numbers of the largest table that PickEntries() takes from registers.
template<typename T>
constexpr size_t MaxEntries = 4 * Lanes<T>;

//! The numbers of a table of one or two vectors at the places that the lowest
//! bits of an index say.
template<typename T>
inline Simd<T> PickFromOne(const T* table, const __m512i index)
{
  MLPACK_GBNN_X86(maskz_permutexvar, T, AllLanes<T>, index, Load(table));
}
template<typename T>
inline Simd<T> PickFromTwo(const T* table, const __m512i index)
{
  MLPACK_GBNN_X86(permutex2var, T, Load(table), index,
      Load(table + Lanes<T>));
}

#else

template<typename T>
constexpr size_t MaxEntries = 0;

#endif

/**
 * The numbers of a table at some places (see FindPlaces()): that of row r is at
 * r mod Entries, which is 1, 2 or 4 times Lanes.
 */
template<size_t Entries, typename T>
inline Simd<T> PickEntries(const T* table, const T* places)
{
#if MLPACK_GBNN_LEVEL_IS(V4)
  typename VectorTypes<T>::Bits rows;
  std::memcpy(&rows, places, sizeof(rows));
  rows /= UnsignedOf<T>(Lanes<T>);
  const __m512i index = (__m512i) rows;
  if constexpr (Entries == Lanes<T>)
    return PickFromOne<T>(table, index);
  else if constexpr (Entries == 2 * Lanes<T>)
    return PickFromTwo<T>(table, index);
  else
    return ((rows & UnsignedOf<T>(2 * Lanes<T>)) != 0) ?
        PickFromTwo<T>(table + 2 * Lanes<T>, index) :
        PickFromTwo<T>(table, index);
#else
  T result[Width<T>];
  for (size_t i = 0; i < Width<T>; ++i)
  {
    UnsignedOf<T> row;
    std::memcpy(&row, places + i, sizeof(row));
    result[i] = table[row / Lanes<T> % Entries];
  }
  return Load(result);
#endif
}

//! Let the second half of a vector of as many lanes as a sum has be x.
template<typename T>
inline void SetSecondHalf(Simd<T> (&parts)[Parts<T>], const T x)
{
#if MLPACK_GBNN_LEVEL_IS(V4)
  if constexpr (sizeof(T) == sizeof(double))
    parts[0] = (Simd<T>) _mm512_mask_mov_pd((__m512d) parts[0], 0xf0,
        _mm512_set1_pd(x));
  else
    parts[0] = (Simd<T>) _mm512_mask_mov_ps((__m512) parts[0], 0xff00,
        _mm512_set1_ps(x));
#else
  if constexpr (Parts<T> > 1)
  {
    for (size_t part = Parts<T> / 2; part < Parts<T>; ++part)
      parts[part] = Broadcast<T>(x);
  }
  else
  {
    T lanes[Lanes<T>];
    Store<T>(lanes, parts[0]);
    for (size_t i = Lanes<T> / 2; i < Lanes<T>; ++i)
      lanes[i] = x;
    parts[0] = Load(lanes);
  }
#endif
}

//! Part of such a vector that has the same numbers in both halves.
template<typename T>
inline Simd<T> LoadTwice(const T* memory, const size_t part)
{
#if MLPACK_GBNN_LEVEL_IS(V4)
  (void) part;
  if constexpr (sizeof(T) == sizeof(double))
    return (Simd<T>) _mm512_maskz_broadcast_f64x4(AllLanes<T>,
        _mm256_loadu_pd(memory));
  else
    return (Simd<T>) _mm512_maskz_broadcast_f32x8(AllLanes<T>,
        _mm256_loadu_ps(memory));
#else
  if constexpr (Parts<T> > 1)
  {
    return Load(memory + part % (Parts<T> / 2) * Width<T>);
  }
  else
  {
    T lanes[Lanes<T>];
    for (size_t i = 0; i < Lanes<T>; ++i)
      lanes[i] = memory[i % (Lanes<T> / 2)];
    return Load(lanes);
  }
#endif
}

#if !MLPACK_GBNN_LEVEL_IS(BASELINE) || defined(MLPACK_GBNN_X86)

//! Write 16 bytes.
template<typename T, typename VectorType>
inline void Store16(T* memory, const VectorType v)
{
  std::memcpy(memory, &v, 16);
}

//! The lanes of a sum added by halves until 16 bytes are left.
template<typename T>
inline Narrow<T> FoldLanes(const Simd<T> (&parts)[Parts<T>])
{
  if constexpr (Parts<T> == 4)
  {
    return (parts[0] + parts[2]) + (parts[1] + parts[3]);
  }
  else
  {
    typedef T Half __attribute__((vector_size(32)));
    Half half;
    if constexpr (Parts<T> == 2)
    {
      half = parts[0] + parts[1];
    }
    else
    {
      Half halves[2];
      std::memcpy(halves, &parts[0], sizeof(halves));
      half = halves[0] + halves[1];
    }
    Narrow<T> quarters[2];
    std::memcpy(quarters, &half, sizeof(quarters));
    return quarters[0] + quarters[1];
  }
}

#if defined(MLPACK_GBNN_X86)
//! Sums of neighbors: a0 + a1, a2 + a3, b0 + b1, b2 + b3.
inline __m128 AddNeighbors(const __m128 a, const __m128 b)
{
  return _mm_shuffle_ps(a, b, 0x88) + _mm_shuffle_ps(a, b, 0xdd);
}
#endif

#endif

//! A square of numbers, each row of 16 bytes.
template<typename T>
struct Square
{
  static constexpr size_t size = 16 / sizeof(T);
  Narrow<T> rows[size];

  void Transpose()
  {
#if MLPACK_GBNN_LEVEL_IS(NEON)
    if constexpr (sizeof(T) == sizeof(double))
    {
      const auto a = (float64x2_t) rows[0], b = (float64x2_t) rows[1];
      rows[0] = (Narrow<T>) vzip1q_f64(a, b);
      rows[1] = (Narrow<T>) vzip2q_f64(a, b);
    }
    else
    {
      const auto a = (float32x4_t) rows[0], b = (float32x4_t) rows[1];
      const auto c = (float32x4_t) rows[2], d = (float32x4_t) rows[3];
      const float32x4_t ac[2] = { vzip1q_f32(a, c), vzip2q_f32(a, c) };
      const float32x4_t bd[2] = { vzip1q_f32(b, d), vzip2q_f32(b, d) };
      for (size_t i = 0; i < 2; ++i)
      {
        rows[2 * i] = (Narrow<T>) vzip1q_f32(ac[i], bd[i]);
        rows[2 * i + 1] = (Narrow<T>) vzip2q_f32(ac[i], bd[i]);
      }
    }
#elif defined(MLPACK_GBNN_X86)
    if constexpr (sizeof(T) == sizeof(double))
    {
      const auto a = (__m128d) rows[0], b = (__m128d) rows[1];
      rows[0] = (Narrow<T>) _mm_unpacklo_pd(a, b);
      rows[1] = (Narrow<T>) _mm_unpackhi_pd(a, b);
    }
    else
    {
      const auto a = (__m128) rows[0], b = (__m128) rows[1];
      const auto c = (__m128) rows[2], d = (__m128) rows[3];
      const __m128 ac[2] = { _mm_unpacklo_ps(a, c), _mm_unpackhi_ps(a, c) };
      const __m128 bd[2] = { _mm_unpacklo_ps(b, d), _mm_unpackhi_ps(b, d) };
      for (size_t i = 0; i < 2; ++i)
      {
        rows[2 * i] = (Narrow<T>) _mm_unpacklo_ps(ac[i], bd[i]);
        rows[2 * i + 1] = (Narrow<T>) _mm_unpackhi_ps(ac[i], bd[i]);
      }
    }
#else
    T numbers[size][size];
    std::memcpy(numbers, rows, sizeof(numbers));
    for (size_t i = 0; i < size; ++i)
      for (size_t j = 0; j < i; ++j)
        std::swap(numbers[i][j], numbers[j][i]);
    std::memcpy(rows, numbers, sizeof(numbers));
#endif
  }
};

// AddHalvesTransposed() takes rows of Lanes numbers, as many of them, and adds
// the second half of each to the first; the i-th number of each goes to to[i].
// Transpose() takes Lanes / 2 rows of StripSize numbers and makes rows of
// Lanes / 2.  Both only move numbers around.

#if MLPACK_GBNN_LEVEL_IS(V4)

//! Two quarters of each of two vectors: as Choice has it, 0x44 the first two,
//! 0xee the last two, 0x88 the even ones, 0xdd the odd ones.
template<int Choice, typename T>
inline Simd<T> Quarters(const Simd<T> a, const Simd<T> b)
{
  if constexpr (sizeof(T) == sizeof(double))
    return (Simd<T>) _mm512_maskz_shuffle_f64x2(AllLanes<T>, (__m512d) a,
        (__m512d) b, Choice);
  else
    return (Simd<T>) _mm512_maskz_shuffle_f32x4(AllLanes<T>, (__m512) a,
        (__m512) b, Choice);
}

//! Numbers `first` + `step` * (i mod `rows`) + i / `rows`, for each lane i, of
//! two vectors.
template<int First, int Step, int Rows, typename T>
inline Simd<T> Pick(const Simd<T> a, const Simd<T> b)
{
  typename VectorTypes<T>::Bits index;
  for (int i = 0; i < int(Lanes<T>); ++i)
    index[i] = First + Step * (i % Rows) + i / Rows;
  if constexpr (sizeof(T) == sizeof(double))
    return (Simd<T>) _mm512_permutex2var_pd((__m512d) a, (__m512i) index,
        (__m512d) b);
  else
    return (Simd<T>) _mm512_permutex2var_ps((__m512) a, (__m512i) index,
        (__m512) b);
}

//! Transpose four vectors of four quarters.
inline void TransposeQuarters(Simd<float>* x)
{
  const Simd<float> a = Quarters<0x44, float>(x[0], x[1]);
  const Simd<float> b = Quarters<0xee, float>(x[0], x[1]);
  const Simd<float> c = Quarters<0x44, float>(x[2], x[3]);
  const Simd<float> d = Quarters<0xee, float>(x[2], x[3]);
  x[0] = Quarters<0x88, float>(a, c);
  x[1] = Quarters<0xdd, float>(a, c);
  x[2] = Quarters<0x88, float>(b, d);
  x[3] = Quarters<0xdd, float>(b, d);
}

template<typename T>
inline void AddHalvesTransposed(const T* rows,
                                const size_t stride,
                                T* const* to)
{
  constexpr size_t half = Lanes<T> / 2;
  // Two rows at a time: the sums of one, then those of the other.
  Simd<T> x[half];
  for (size_t i = 0; i < half; ++i)
  {
    const Simd<T> a = Load(rows + 2 * i * stride);
    const Simd<T> b = Load(rows + (2 * i + 1) * stride);
    x[i] = Quarters<0x44, T>(a, b) + Quarters<0xee, T>(a, b);
  }
  if constexpr (sizeof(T) == sizeof(double))
  {
    for (size_t j = 0; j < 2; ++j)
    {
      const Simd<T> a = (j == 0) ? Pick<0, 4, 4, T>(x[0], x[1]) :
          Pick<2, 4, 4, T>(x[0], x[1]);
      const Simd<T> b = (j == 0) ? Pick<0, 4, 4, T>(x[2], x[3]) :
          Pick<2, 4, 4, T>(x[2], x[3]);
      Store<T>(to[2 * j], Quarters<0x44, T>(a, b));
      Store<T>(to[2 * j + 1], Quarters<0xee, T>(a, b));
    }
  }
  else
  {
    for (size_t j = 0; j < 2; ++j)
    {
      Simd<T> y[4];
      for (size_t i = 0; i < 4; ++i)
        y[i] = (j == 0) ? Pick<0, 8, 4, T>(x[2 * i], x[2 * i + 1]) :
            Pick<4, 8, 4, T>(x[2 * i], x[2 * i + 1]);
      TransposeQuarters(y);
      for (size_t i = 0; i < 4; ++i)
        Store<T>(to[4 * j + i], y[i]);
    }
  }
}

template<typename T>
inline void Transpose(const T* const* from, T* to, const size_t stride)
{
  constexpr size_t half = Lanes<T> / 2;
  for (size_t p = 0; p < StripSize<T>; p += Lanes<T>, to += Lanes<T> * stride)
  {
    // Two of the new rows at a time.
    Simd<T> x[half];
    if constexpr (sizeof(T) == sizeof(double))
    {
      const Simd<T> a = Load(from[0] + p), b = Load(from[1] + p);
      const Simd<T> c = Load(from[2] + p), d = Load(from[3] + p);
      const Simd<T> ab[2] = { Quarters<0x44, T>(a, b),
          Quarters<0xee, T>(a, b) };
      const Simd<T> cd[2] = { Quarters<0x44, T>(c, d),
          Quarters<0xee, T>(c, d) };
      for (size_t j = 0; j < 2; ++j)
      {
        x[2 * j] = Pick<0, 4, 4, T>(ab[j], cd[j]);
        x[2 * j + 1] = Pick<2, 4, 4, T>(ab[j], cd[j]);
      }
    }
    else
    {
      Simd<T> y[half];
      for (size_t j = 0; j < half; ++j)
        y[j] = Load(from[j] + p);
      TransposeQuarters(y);
      TransposeQuarters(y + 4);
      for (size_t i = 0; i < 4; ++i)
      {
        x[2 * i] = Pick<0, 4, 8, T>(y[i], y[4 + i]);
        x[2 * i + 1] = Pick<2, 4, 8, T>(y[i], y[4 + i]);
      }
    }
    for (size_t i = 0; i < half; ++i)
    {
      T both[Lanes<T>];
      Store<T>(both, x[i]);
      std::memcpy(to + 2 * i * stride, both, sizeof(both) / 2);
      std::memcpy(to + (2 * i + 1) * stride, both + half, sizeof(both) / 2);
    }
  }
}

#else

template<typename T>
inline void AddHalvesTransposed(const T* rows,
                                const size_t stride,
                                T* const* to)
{
  constexpr size_t size = Square<T>::size, half = Lanes<T> / 2;
  for (size_t i = 0; i < Lanes<T>; i += size)
    for (size_t j = 0; j < half; j += size)
    {
      Square<T> square;
      for (size_t k = 0; k < size; ++k)
      {
        const T* row = rows + (i + k) * stride + j;
        square.rows[k] = LoadNarrow(row) + LoadNarrow(row + half);
      }
      square.Transpose();
      for (size_t k = 0; k < size; ++k)
        StoreNarrow<T>(to[j + k] + i, square.rows[k]);
    }
}

template<typename T>
inline void Transpose(const T* const* from, T* to, const size_t stride)
{
  constexpr size_t size = Square<T>::size;
  for (size_t i = 0; i < StripSize<T>; i += size)
    for (size_t j = 0; j < Lanes<T> / 2; j += size)
    {
      Square<T> square;
      for (size_t k = 0; k < size; ++k)
        square.rows[k] = LoadNarrow(from[j + k] + i);
      square.Transpose();
      for (size_t k = 0; k < size; ++k)
        StoreNarrow<T>(to + (i + k) * stride + j, square.rows[k]);
    }
}

#endif

/**
 * Add up the lanes of four sums, each of which stands in Parts vectors.  The
 * second half of the lanes is added to the first until 16 bytes are left, then
 * neighbors: the same order at all levels.
 */
template<typename T>
inline void AddLanes(const Simd<T> (&sums)[4][Parts<T>], T* result)
{
#if MLPACK_GBNN_LEVEL_IS(BASELINE) && !defined(MLPACK_GBNN_X86)
  for (size_t s = 0; s < 4; ++s)
  {
    T lanes[Lanes<T>];
    for (size_t part = 0; part < Parts<T>; ++part)
      Store<T>(lanes + part * Width<T>, sums[s][part]);
    constexpr size_t left = 16 / sizeof(T);
    for (size_t half = Lanes<T> / 2; half >= left; half /= 2)
      for (size_t i = 0; i < half; ++i)
        lanes[i] += lanes[i + half];
    for (size_t step = 1; step < left; step *= 2)
      for (size_t i = 0; i < left; i += 2 * step)
        lanes[i] += lanes[i + step];
    result[s] = lanes[0];
  }
#else
  Narrow<T> x[4];
  for (size_t s = 0; s < 4; ++s)
    x[s] = FoldLanes<T>(sums[s]);
  if constexpr (sizeof(T) == sizeof(double))
  {
  #if MLPACK_GBNN_LEVEL_IS(NEON)
    Store16(result, vpaddq_f64((float64x2_t) x[0], (float64x2_t) x[1]));
    Store16(result + 2, vpaddq_f64((float64x2_t) x[2], (float64x2_t) x[3]));
  #else
    Store16(result, _mm_unpacklo_pd((__m128d) x[0], (__m128d) x[1]) +
        _mm_unpackhi_pd((__m128d) x[0], (__m128d) x[1]));
    Store16(result + 2, _mm_unpacklo_pd((__m128d) x[2], (__m128d) x[3]) +
        _mm_unpackhi_pd((__m128d) x[2], (__m128d) x[3]));
  #endif
  }
  else
  {
  #if MLPACK_GBNN_LEVEL_IS(NEON)
    Store16(result, vpaddq_f32(
        vpaddq_f32((float32x4_t) x[0], (float32x4_t) x[1]),
        vpaddq_f32((float32x4_t) x[2], (float32x4_t) x[3])));
  #else
    const __m128 ab = AddNeighbors((__m128) x[0], (__m128) x[1]);
    const __m128 cd = AddNeighbors((__m128) x[2], (__m128) x[3]);
    Store16(result, AddNeighbors(ab, cd));
  #endif
  }
#endif
}

//! Add up the lanes of one sum.
template<typename T>
inline T SumLanes(const Simd<T> (&parts)[Parts<T>])
{
  Simd<T> sums[4][Parts<T>];
  for (size_t s = 0; s < 4; ++s)
    for (size_t part = 0; part < Parts<T>; ++part)
      sums[s][part] = parts[part];
  T result[4];
  AddLanes<T>(sums, result);
  return result[0];
}

#undef MLPACK_GBNN_X86

} // namespace MLPACK_GBNN_LEVEL
} // namespace gbnn
} // namespace mlpack

#endif
