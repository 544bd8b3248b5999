/**
 * @file methods/gbnn/compute/level/functions.hpp
 *
 * Exponential, logarithm and activation functions of many numbers, for one
 * level.
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

//! Constants of exp() for one element type.
template<typename T>
struct ExpConstants;

template<>
struct ExpConstants<double>
{
  //! Adding this number rounds to an integer, which is then in the lowest bits.
  static constexpr double rounder = 0x1.8p52;
  //! Arguments beyond these limits are replaced by the limit, for which exp()
  //! is still finite and normal.
  static constexpr double lowest = -708.0;
  static constexpr double highest = 708.0;
  //! ln 2 in two parts; the first has enough trailing zeros to be multiplied
  //! exactly.
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
struct ExpConstants<float>
{
  static constexpr float rounder = 0x1.8p23f;
  static constexpr float lowest = -87.0f;
  static constexpr float highest = 88.0f;
  static constexpr float ln2High = 0x1.62ep-1f;
  static constexpr float ln2Low = 0x1.0bfbe8p-15f;
  //! As above, with a relative error of 2e-10 before rounding.
  static constexpr float p[] = { 0.5f, 0x1.10b714e0c6605p-7f };
  static constexpr float q[] = { 1.0f, 0x1.998304ecea2b7p-4f };
};

/**
 * exp() of every lane of some vectors as fractions, above / below, exact to
 * about one unit in the last place; `below` is between 0.8 and 1.2.  Several at
 * once, because each step depends on the one before.  The argument is clamped
 * so that both, and their sum, are finite normal numbers.
 */
template<typename T, size_t Vectors>
inline void ExpFraction(const Simd<T> (&x)[Vectors],
                        Simd<T> (&above)[Vectors],
                        Simd<T> (&below)[Vectors])
{
  using C = ExpConstants<T>;
  constexpr size_t last = sizeof(C::p) / sizeof(T) - 1;
  const Simd<T> log2e = Broadcast<T>(T(1.4426950408889634074));
  for (size_t v = 0; v < Vectors; ++v)
  {
    // x = n ln 2 + r with |r| <= ln(2) / 2, so exp(x) = 2^n exp(r).
    const Simd<T> z = Clamp<T>(x[v], C::lowest, C::highest);
    const Simd<T> shifted = MultiplyAdd<T>(z, log2e,
        Broadcast<T>(C::rounder));
    const Simd<T> n = shifted - C::rounder;
    Simd<T> r = MultiplyAdd<T>(n, Broadcast<T>(-C::ln2High), z);
    r = MultiplyAdd<T>(n, Broadcast<T>(-C::ln2Low), r);

    const Simd<T> square = r * r;
    Simd<T> p = Broadcast<T>(C::p[last]);
    Simd<T> q = Broadcast<T>(C::q[last]);
    for (size_t i = last; i-- > 0;)
    {
      p = MultiplyAdd<T>(p, square, Broadcast<T>(C::p[i]));
      q = MultiplyAdd<T>(q, square, Broadcast<T>(C::q[i]));
    }
    below[v] = MultiplyAdd<T>(p, T(0) - r, q);
    above[v] = AddToExponent<T>(MultiplyAdd<T>(p, r, q), shifted);
  }
}

//! exp(), always finite and normal.
struct ExpFunction
{
  template<typename T, size_t Vectors>
  static void Apply(Simd<T> (&x)[Vectors])
  {
    Simd<T> above[Vectors], below[Vectors];
    ExpFraction<T, Vectors>(x, above, below);
    for (size_t v = 0; v < Vectors; ++v)
      x[v] = above[v] / below[v];
  }
};

//! ln(1 + x) for x between 0 and 1, exact to about one unit in the last place
//! even where x is tiny.
struct Log1pFunction
{
  template<typename T, size_t Vectors>
  static void Apply(Simd<T> (&x)[Vectors])
  {
    // 2 artanh(s) with s = x / (2 + x), at most 1/3, as the sum of its series.
    // The first term left out is below half an epsilon of the sum: 3^-32 / 33
    // in double precision, 3^-14 / 15 in single precision.
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
};

//! 1 / (1 + exp(-z)): with exp(-z) = a / b, that is b / (a + b).
struct LogisticFunction
{
  template<typename T, size_t Vectors>
  static void Apply(Simd<T> (&z)[Vectors])
  {
    Simd<T> a[Vectors], b[Vectors];
    for (size_t v = 0; v < Vectors; ++v)
      z[v] = T(0) - z[v];
    ExpFraction<T, Vectors>(z, a, b);
    for (size_t v = 0; v < Vectors; ++v)
      z[v] = b[v] / (a[v] + b[v]);
  }

  //! The derivative where the function has the value a.
  template<typename T>
  static Simd<T> Slope(const Simd<T> a) { return a * (T(1) - a); }
};

//! tanh(z): with exp(-2 z) = a / b, that is (b - a) / (b + a).
struct TanhFunction
{
  template<typename T, size_t Vectors>
  static void Apply(Simd<T> (&z)[Vectors])
  {
    Simd<T> a[Vectors], b[Vectors];
    for (size_t v = 0; v < Vectors; ++v)
      z[v] = z[v] * T(-2);
    ExpFraction<T, Vectors>(z, a, b);
    for (size_t v = 0; v < Vectors; ++v)
      z[v] = (b[v] - a[v]) / (b[v] + a[v]);
  }

  template<typename T>
  static Simd<T> Slope(const Simd<T> a)
  {
    return MultiplyAdd<T>(T(0) - a, a, Broadcast<T>(T(1)));
  }
};

//! max(z, 0).
struct ReluFunction
{
  template<typename T, size_t Vectors>
  static void Apply(Simd<T> (&z)[Vectors])
  {
    for (size_t v = 0; v < Vectors; ++v)
      z[v] = Max<T>(z[v], Broadcast<T>(T(0)));
  }

  template<typename T>
  static Simd<T> Slope(const Simd<T> a) { return IsPositive<T>(a); }
};

//! Replace numbers by a function of them, some vectors at a time.
template<typename Function, typename T>
inline void ApplyToAll(T* values, const size_t n)
{
  // Four vectors at once, because each step of a function depends on the one
  // before and takes about four cycles.
  constexpr size_t some = 4;
  size_t i = 0;
  for (; i + some * Width<T> <= n; i += some * Width<T>)
  {
    Simd<T> x[some];
    for (size_t v = 0; v < some; ++v)
      x[v] = Load(values + i + v * Width<T>);
    Function::template Apply<T, some>(x);
    for (size_t v = 0; v < some; ++v)
      Store<T>(values + i + v * Width<T>, x[v]);
  }
  for (; i < n; i += Width<T>)
  {
    Simd<T> x[1] = { LoadSome(values + i, n - i) };
    Function::template Apply<T, 1>(x);
    StoreSome<T>(values + i, x[0], n - i);
  }
}

//! deltas *= slope, where the function has these values; n is a multiple of
//! the strip size.
template<typename Function, typename T>
inline void MultiplyBySlopes(T* deltas, const T* values, const size_t n)
{
  // Points that are predicted well have tiny deltas.  Below the smallest normal
  // number, additions take a hundred times as long on amd64.  Adding and
  // subtracting this makes such deltas 0, and leaves others as they are.
  constexpr T tiny = std::numeric_limits<T>::min() /
      (std::numeric_limits<T>::epsilon() * std::numeric_limits<T>::epsilon());
  const Simd<T> shift = Broadcast<T>(tiny);
  for (size_t i = 0; i < n; i += Width<T>)
    Store<T>(deltas + i, MultiplyAdd<T>(Load(deltas + i),
        Function::template Slope<T>(Load(values + i)), shift) - shift);
}

} // namespace MLPACK_GBNN_LEVEL
} // namespace gbnn
} // namespace mlpack

#endif
