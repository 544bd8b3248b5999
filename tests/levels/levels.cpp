/**
 * @file tests/levels/levels.cpp
 *
 * Every kernel of every level that the machine has, against plain loops in
 * double precision, for sizes that fit no tile and no strip.  It needs nothing
 * but the kernels, so that it can be compiled for another architecture, too.
 *
 * Prints a hash of the bits of all results, by level and kernel, and fails if
 * a result is wrong or if two levels with a fused multiply-add differ in a bit.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include <mlpack/methods/gbnn/compute/kernels.hpp>

using namespace mlpack::gbnn;

//! What has been computed at one level so far.
struct Record
{
  std::string level;
  //! Of each kernel, a hash (FNV-1a) of the bits of its results.
  std::map<std::string, uint64_t> hashes;
  //! How many results were wrong.
  size_t wrong = 0;

  template<typename T>
  void Add(const std::string& kernel, const T* values, const size_t n)
  {
    const std::string name = kernel + (sizeof(T) == 8 ? "<double>" : "<float>");
    uint64_t& hash = hashes.emplace(name, 0xcbf29ce484222325u).first->second;
    for (size_t i = 0; i < n; ++i)
    {
      // The bits of NaN are each architecture's own.
      const T value = std::isnan(values[i]) ?
          std::numeric_limits<T>::max() : values[i];
      unsigned char bytes[sizeof(T)];
      std::memcpy(bytes, &value, sizeof(T));
      for (const unsigned char byte : bytes)
        hash = (hash ^ byte) * 0x100000001b3u;
    }
  }

  void Require(const bool right, const std::string& what)
  {
    if (!right && ++wrong <= 20)
      std::printf("%s: wrong: %s\n", level.c_str(), what.c_str());
  }
};

//! The same numbers on every machine: splitmix64.
class Numbers
{
 public:
  explicit Numbers(const uint64_t seed) : state(seed) { }

  //! Between -1 and 1.
  template<typename T>
  T Next()
  {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    constexpr int digits = std::numeric_limits<T>::digits;
    return std::ldexp(T(z >> (64 - digits)), 1 - digits) - 1;
  }

  template<typename T>
  std::vector<T> Vector(const size_t n)
  {
    std::vector<T> result(n);
    for (T& x : result)
      x = Next<T>();
    return result;
  }

 private:
  uint64_t state;
};

//! A sum in double precision, and by how much another order of it may differ.
struct Sum
{
  double value = 0.0;
  double magnitude = 0.0;
  size_t terms = 2;

  void Add(const double x)
  {
    value += x;
    magnitude += std::abs(x);
    ++terms;
  }
};

//! Whether a number is what it should be, up to rounding; NaN where expected.
template<typename T>
bool IsNear(const T actual, const Sum& expected)
{
  if (std::isnan(expected.value))
    return std::isnan(actual);
  return std::abs(double(actual) - expected.value) <= double(expected.terms) *
      double(std::numeric_limits<T>::epsilon()) * expected.magnitude;
}

//! The same up to a multiple of the unit in the last place.
template<typename T>
bool IsNear(const T actual, const double expected, const double units)
{
  if (std::isnan(expected))
    return std::isnan(actual);
  return std::abs(double(actual) - expected) <= units *
      double(std::numeric_limits<T>::epsilon()) * std::abs(expected);
}

//! Rows of points in strips.
template<typename T>
struct Points
{
  std::vector<T> memory;
  Strips<T> strips;
  size_t count;

  Points(const size_t rows, const size_t numStrips, Numbers& numbers) :
      memory(numbers.Vector<T>(rows * numStrips * StripSize<T>)),
      strips{ memory.data(), rows },
      count(numStrips * StripSize<T>)
  {
  }

  Points(const Points& other) :
      memory(other.memory),
      strips{ memory.data(), other.strips.rows },
      count(other.count)
  {
  }

  T& operator()(const size_t row, const size_t point) const
  {
    return strips.Row(point / StripSize<T>, row)[point % StripSize<T>];
  }
};

template<typename Level, typename T>
void TestMultiply(Record& record)
{
  using Kernels = typename Level::template Kernels<T>;
  Numbers numbers(1);
  for (const size_t inputs : { 1, 2, 3, 7, 13 })
  {
    for (const size_t outputs : { 1, 2, 3, 4, 5, 6, 7, 9 })
    {
      for (const size_t strips : { 1, 2, 3 })
      {
        Points<T> in(inputs, strips, numbers);
        // One point that is not a number spoils no other.
        in(inputs / 2, 5) = std::numeric_limits<T>::quiet_NaN();
        const Points<T> before(outputs, strips, numbers);
        const std::vector<T> w = numbers.Vector<T>(inputs * outputs);
        const std::vector<T> bias = numbers.Vector<T>(outputs);

        // The weights unit by unit, and input by input.
        for (const bool byUnit : { false, true })
        {
          const WeightView<const T> view = { w.data(), byUnit ? inputs : 1,
              byUnit ? 1 : outputs };
          for (const std::string name : { "Multiply", "Affine",
              "AffineWithoutBias" })
          {
            const bool add = (name == "Multiply"), hasBias = (name == "Affine");
            Points<T> out(before);
            if (add)
              Kernels::Multiply(in.strips, view, out.strips, strips);
            else
              Kernels::Affine(in.strips, view, hasBias ? bias.data() : nullptr,
                  out.strips, strips);
            record.Add(name, out.memory.data(), out.memory.size());
            for (size_t p = 0; p < in.count; ++p)
            {
              for (size_t o = 0; o < outputs; ++o)
              {
                Sum sum;
                sum.Add(add ? before(o, p) : (hasBias ? bias[o] : T(0)));
                for (size_t i = 0; i < inputs; ++i)
                  sum.Add(double(view(o, i)) * double(in(i, p)));
                record.Require(IsNear(out(o, p), sum), name);
              }
            }
          }
        }
      }
    }
  }
}

template<typename Level, typename T, typename SumType>
void TestSums(Record& record)
{
  using Kernels = typename Level::template SumKernels<T, SumType>;
  Numbers numbers(2);
  const std::string from = (sizeof(T) == sizeof(SumType)) ? "" : "OfFloats";
  for (const size_t rows : { 1, 2, 3, 4, 5, 7 })
  {
    for (const size_t columns : { 1, 2, 3, 4, 5, 8, 11 })
    {
      for (const size_t strips : { 1, 2, 3 })
      {
        const Points<T> a(rows, strips, numbers), b(columns, strips, numbers);
        const std::vector<SumType> before =
            numbers.Vector<SumType>(rows * columns);
        std::vector<SumType> result = before;
        Kernels::Correlate(a.strips, b.strips, { result.data(), columns, 1 },
            strips);
        record.Add("Correlate" + from, result.data(), result.size());
        std::vector<SumType> sums = before;
        Kernels::AddRowSums(a.strips, sums.data(), strips);
        record.Add("AddRowSums" + from, sums.data(), sums.size());
        for (size_t i = 0; i < rows; ++i)
        {
          Sum sum;
          sum.Add(before[i]);
          for (size_t p = 0; p < a.count; ++p)
            sum.Add(a(i, p));
          record.Require(IsNear(T(sums[i]), sum), "AddRowSums" + from);
          for (size_t j = 0; j < columns; ++j)
          {
            Sum product;
            product.Add(before[i * columns + j]);
            for (size_t p = 0; p < a.count; ++p)
              product.Add(double(a(i, p)) * double(b(j, p)));
            record.Require(IsNear(T(result[i * columns + j]), product),
                "Correlate" + from);
          }
        }
      }
    }
  }

  for (const size_t width : { 1, 2, 3, 4, 5, 9 })
  {
    for (const size_t groups : { 1, 2, 3 })
    {
      const size_t rows = width * groups, strips = 1 + width % 3;
      // Each group is the same numbers times a factor of each point.
      const Points<T> base(width, strips, numbers);
      const Points<T> factors(groups, strips, numbers);
      Points<T> scaled(rows, strips, numbers);
      for (size_t s = 0; s < strips; ++s)
        for (size_t g = 0; g < groups; ++g)
          Level::template Kernels<T>::ScaleRows(base.strips.Row(s, 0), width,
              factors.strips.Row(s, g), scaled.strips.Row(s, g * width));
      record.Add("ScaleRows", scaled.memory.data(), scaled.memory.size());
      for (size_t p = 0; p < scaled.count; ++p)
        for (size_t i = 0; i < rows; ++i)
          record.Require(scaled(i, p) == T(base(i % width, p) *
              factors(i / width, p)), "ScaleRows");

      const std::vector<SumType> before = numbers.Vector<SumType>(rows * rows);
      std::vector<SumType> result = before;
      Kernels::CorrelateWithSelf(scaled.strips, width,
          { result.data(), 1, rows }, strips);
      for (size_t i = 0; i < rows; ++i)
      {
        for (size_t j = 0; j < rows; ++j)
        {
          // Elsewhere nothing is promised.
          if (j / width > i / width || j % width > i % width)
            continue;
          Sum sum;
          sum.Add(before[j * rows + i]);
          for (size_t p = 0; p < scaled.count; ++p)
            sum.Add(double(scaled(i, p)) * double(scaled(j, p)));
          record.Require(IsNear(T(result[j * rows + i]), sum),
              "CorrelateWithSelf" + from);
          record.Add("CorrelateWithSelf" + from, &result[j * rows + i], 1);
        }
      }
    }
  }
}

template<typename Level, typename T>
void TestErrors(Record& record)
{
  Numbers numbers(3);
  for (const size_t rows : { 1, 2, 3, 5 })
  {
    for (const size_t strips : { 1, 2, 3 })
    {
      const Points<T> outputs(rows, strips, numbers);
      const Points<T> targets(rows, strips, numbers);
      const std::vector<T> weights = numbers.Vector<T>(outputs.count);
      for (const bool weighted : { false, true })
      {
        Points<T> errors(outputs);
        const T* w = weighted ? weights.data() : nullptr;
        const T loss = Level::template Kernels<T>::SubtractTargets(
            errors.strips, targets.strips, w, strips);
        record.Add("SubtractTargets", &loss, 1);
        record.Add("SubtractTargets", errors.memory.data(),
            errors.memory.size());
        Sum sum;
        for (size_t p = 0; p < errors.count; ++p)
        {
          for (size_t k = 0; k < rows; ++k)
          {
            const T error = outputs(k, p) - targets(k, p);
            const T expected = error * (w ? w[p] : T(1));
            record.Require(errors(k, p) == expected, "SubtractTargets");
            sum.Add(double(error) * double(expected));
          }
        }
        record.Require(IsNear(loss, sum), "SubtractTargets' loss");
      }
    }

    const Points<T> sums(rows, 1, numbers);
    const std::vector<T> more = numbers.Vector<T>(rows);
    std::vector<T> margins(StripSize<T>);
    Level::template Kernels<T>::StripMargins(sums.memory.data(), more.data(),
        rows, margins.data());
    record.Add("StripMargins", margins.data(), margins.size());
    for (size_t p = 0; p < margins.size(); ++p)
    {
      std::vector<T> scores;
      for (size_t k = 0; k < rows; ++k)
        scores.push_back(sums(k, p) + more[k]);
      std::sort(scores.begin(), scores.end(), std::greater<T>());
      record.Require(margins[p] == ((rows == 1) ? std::abs(scores[0]) :
          scores[0] - scores[1]), "StripMargins");
    }
  }
}

template<typename Level, typename T>
void TestPointProducts(Record& record)
{
  Numbers numbers(4);
  for (const size_t inputs : { 1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 70 })
  {
    for (const size_t units : { 1, 2, 3, 5, 8, 9, 18 })
    {
      const std::vector<T> point = numbers.Vector<T>(inputs);
      const std::vector<T> w = numbers.Vector<T>(inputs * units);
      std::vector<T> products(units);
      Level::template Kernels<T>::PointProducts(point.data(), inputs, w.data(),
          units, products.data());
      record.Add("PointProducts", products.data(), units);
      for (size_t u = 0; u < units; ++u)
      {
        Sum sum;
        for (size_t i = 0; i < inputs; ++i)
          sum.Add(double(point[i]) * double(w[u * inputs + i]));
        record.Require(IsNear(products[u], sum), "PointProducts");
      }
    }
  }
}

//! Numbers of all sizes, extreme ones, and some that are none.
template<typename T>
std::vector<T> AllSizes()
{
  using Limits = std::numeric_limits<T>;
  std::vector<T> x = { T(0), T(-0.0), Limits::min(), -Limits::min(),
      Limits::denorm_min(), -Limits::denorm_min(), Limits::max(),
      Limits::lowest(), Limits::infinity(), -Limits::infinity(),
      Limits::quiet_NaN(), T(1e9), T(-1e9), T(708), T(-708), T(709), T(-709),
      T(88), T(89), T(-87), T(-88), T(1), T(-1) };
  Numbers numbers(5);
  for (int exponent = -30; exponent <= 10; ++exponent)
    for (size_t i = 0; i < 20; ++i)
      x.push_back(std::ldexp(numbers.Next<T>(), exponent));
  return x;
}

//! The row of a table and the share where a position stands.
template<typename T>
std::pair<size_t, double> PlaceOf(const T* row, const T* share)
{
  UnsignedOf<T> at;
  std::memcpy(&at, row, sizeof(at));
  return { size_t(at) / Lanes<T>, double(*share) };
}

//! Positions of points in bins: some at edges, one beyond them, one missing.
template<typename T>
Points<T> MakePositions(const std::vector<size_t>& bins, Numbers& numbers)
{
  Points<T> positions(bins.size(), 2, numbers);
  for (size_t d = 0; d < bins.size(); ++d)
    for (size_t i = 0; i < positions.count; ++i)
    {
      T& x = positions(d, i);
      x = std::min(T(bins[d]), T(bins[d]) * std::abs(x));
      if (i % 5 == 1)
        x = std::floor(x);
      else if (i % 11 == 7)
        x = (i % 2 == 0) ? T(bins[d]) : T(-1);
    }
  positions(0, 3) = std::numeric_limits<T>::quiet_NaN();
  return positions;
}

template<typename Level, typename T>
void TestSplines(Record& record)
{
  using Kernels = typename Level::template Kernels<T>;
  Numbers numbers(9);
  const std::vector<size_t> bins = { 16, 1, 0, 40, 2, 256, 7 };
  const size_t used = 5, rows = 1 + 16 + 1 + 40 + 2 + 256 + 7;
  const Points<T> positions = MakePositions<T>(bins, numbers);
  const size_t count = positions.count;
  // Behind the places, the dimension with one bin.
  Points<T> places(2 * used + 1, 2, numbers);
  places.strips = { places.memory.data(), 2 * used };
  const T* line = places.strips.Row(2, 0);
  Kernels::FindPlaces(positions.strips, bins.data(), places.strips, 2);
  record.Add("FindPlaces", places.memory.data(), places.memory.size());
  for (size_t i = 0; i < count; ++i)
    for (size_t d = 0, place = 0, first = 1; d < bins.size();
        first += bins[d++])
    {
      const double x = positions(d, i);
      if (bins[d] == 1)
        record.Require(line[i] == 2 * std::min(1.0, (x > 0) ? x : 0.0) - 1,
            "FindPlaces");
      if (bins[d] <= 1)
        continue;
      const auto [row, share] = PlaceOf(&places(place, i), &places(place + 1,
          i));
      record.Require(row >= first && row < first + bins[d] && share >= 0 &&
          share <= 1 && double(row - first) + share == std::min(double(bins[d]),
          (x > 0) ? x : 0.0), "FindPlaces");
      place += 2;
    }

  const size_t all = 5 * UnitGroup<T> + 1, few = FewUnits<T>;
  for (const size_t first : { size_t(0), size_t(1), size_t(3), UnitGroup<T> })
    for (const size_t units : { size_t(1), few, UnitGroup<T>, all - first })
    {
      std::vector<T> table = numbers.Vector<T>(8 * rows * Lanes<T>);
      const SplineView<T> view = { table.data(), rows,
          (units <= few) ? 1 : GroupsAtOnce,
          (first + units <= few) ? few : UnitGroup<T> };
      Points<T> out(units, 2, numbers);
      const Points<T> values = out;
      Kernels::LookUp(places.strips, view, first, out.strips, 2);
      record.Add("LookUp", out.memory.data(), out.memory.size());

      const std::vector<T> before = table;
      std::vector<Sum> sums(table.size());
      for (size_t i = 0; i < table.size(); ++i)
        sums[i].Add(before[i]);
      for (size_t u = 0; u < units; ++u)
        for (size_t i = 0; i < count; ++i)
        {
          Sum sum;
          sum.Add(*view.Start(first + u, 0));
          sum.Add(view.Start(first + u, 0)[view.each]);
          for (size_t d = 0; d < used; ++d)
          {
            const auto [row, share] = PlaceOf(&places(2 * d, i),
                &places(2 * d + 1, i));
            const T* start = view.Start(first + u, row);
            sum.Add(start[0]);
            sum.Add(share * start[view.each]);
            const size_t bin = view.Start(u, row) - table.data();
            sums[bin].Add(values(u, i));
            sums[bin + view.each].Add(share * double(values(u, i)));
          }
          record.Require(IsNear(out(u, i), sum), "LookUp");
        }
      Kernels::AddToBins(places.strips, values.strips, view, 2);
      record.Add("AddToBins", table.data(), table.size());
      for (size_t i = 0; i < table.size(); ++i)
        record.Require(IsNear(table[i], sums[i]), "AddToBins");

      // One point is looked up as many are.
      std::vector<T> point, result(units);
      for (size_t d = 0; d < 2 * used; ++d)
        point.push_back(places(d, 4));
      const SplineView<const T> same = { before.data(), rows, view.together,
          view.each };
      Kernels::LookUpPoint(point.data(), used, same, first, units,
          result.data());
      for (size_t u = 0; u < units; ++u)
        record.Require(result[u] == out(u, 4), "LookUpPoint");
    }
}

template<typename Level, typename T>
void TestEntries(Record& record)
{
  using Kernels = typename Level::template Kernels<T>;
  Numbers numbers(10);
  for (const size_t entries : { Lanes<T>, 2 * Lanes<T>, 4 * Lanes<T> })
    for (const size_t units : { size_t(1), size_t(2), FewUnits<T> + 1 })
    {
      const std::vector<size_t> bins = { 2, entries, 0, 7 };
      const size_t used = 3, rows = 1 + 2 + entries + 7;
      const Points<T> positions = MakePositions<T>(bins, numbers);
      Points<T> places(2 * used, 2, numbers);
      Kernels::FindPlaces(positions.strips, bins.data(), places.strips, 2);

      // The same splines, once in rows and once in tables of their own.
      std::vector<T> table = numbers.Vector<T>(rows * Lanes<T>);
      const SplineView<T> view = { table.data(), rows, 1,
          (units <= FewUnits<T>) ? FewUnits<T> : UnitGroup<T> };
      std::vector<T> biases, tables(units * used * 2 * entries);
      for (size_t u = 0; u < units; ++u)
      {
        biases.push_back(*view.Start(u, 0));
        view.Start(u, 0)[view.each] = 0;
        T* to = tables.data() + u * used * 2 * entries;
        for (size_t d = 0, row = 1; d < bins.size(); ++d)
        {
          for (size_t b = 0; b < bins[d]; ++b, ++row)
          {
            to[row % entries] = *view.Start(u, row);
            to[entries + row % entries] = view.Start(u, row)[view.each];
          }
          to += (bins[d] > 0) ? 2 * entries : 0;
        }
      }
      Points<T> out(units, 2, numbers), expected = out;
      Kernels::LookUp(places.strips, view, 0, expected.strips, 2);
      Kernels::LookUpEntries(places.strips, biases.data(), tables.data(),
          entries, out.strips, 2);
      record.Add("LookUpEntries", out.memory.data(), out.memory.size());
      record.Require(out.memory == expected.memory, "LookUpEntries");
    }
}

template<typename Level, typename T>
void TestFunctions(Record& record)
{
  using Kernels = typename Level::template Kernels<T>;
  const std::vector<T> all = AllSizes<T>();
  // exp() is taken at the borders of what lies outside.
  const double low = (sizeof(T) == 8) ? -708.0 : -87.0;
  const double high = (sizeof(T) == 8) ? 708.0 : 88.0;
  const auto clamp = [&](const double x)
  {
    return std::isnan(x) ? x : std::min(std::max(x, low), high);
  };

  std::vector<T> y = all;
  Kernels::Exp(y.data(), y.size());
  record.Add("Exp", y.data(), y.size());
  for (size_t i = 0; i < y.size(); ++i)
    record.Require(IsNear(y[i], std::exp(clamp(all[i])), 3) &&
        (std::isnan(all[i]) || std::isnormal(y[i])), "Exp");

  y = all;
  Kernels::Logistic(y.data(), y.size());
  record.Add("Logistic", y.data(), y.size());
  for (size_t i = 0; i < y.size(); ++i)
    record.Require(IsNear(y[i], 1 / (1 + std::exp(clamp(-double(all[i])))), 4),
        "Logistic");

  y = all;
  Kernels::Tanh(y.data(), y.size());
  record.Add("Tanh", y.data(), y.size());
  for (size_t i = 0; i < y.size(); ++i)
  {
    // Its error is absolute.
    const double exact = std::tanh(double(all[i]));
    record.Require(std::isnan(exact) ? std::isnan(y[i]) :
        IsNear(y[i], { exact, 1.0, 4 }), "Tanh");
  }

  y = all;
  Kernels::Relu(y.data(), y.size());
  record.Add("Relu", y.data(), y.size());
  for (size_t i = 0; i < y.size(); ++i)
    record.Require(y[i] == ((all[i] > 0) ? all[i] : 0), "Relu");

  std::vector<T> x;
  for (const T value : all)
    if (std::isnan(value) || (value >= 0 && value <= 1))
      x.push_back(value);
  y = x;
  Kernels::Log1p(y.data(), y.size());
  record.Add("Log1p", y.data(), y.size());
  for (size_t i = 0; i < y.size(); ++i)
    if (x[i] == 0 || !(x[i] < 4 * std::numeric_limits<T>::min()))
      record.Require(IsNear(y[i], std::log1p(double(x[i])), 4), "Log1p");

  // As many numbers as fit no vector: no other is read or written.
  Numbers numbers(6);
  for (size_t n = 0; n <= StripSize<T> + 3; ++n)
  {
    const std::vector<T> before = numbers.Vector<T>(n + 1);
    const std::vector<std::pair<void (*)(T*, size_t), const char*>> functions =
        { { Kernels::Exp, "Exp" }, { Kernels::Logistic, "Logistic" },
          { Kernels::Tanh, "Tanh" }, { Kernels::Relu, "Relu" } };
    for (const auto& [function, name] : functions)
    {
      std::vector<T> some = before;
      function(some.data(), n);
      record.Add(name, some.data(), n);
      record.Require(some[n] == before[n], name + std::string(", the end"));
      for (size_t i = 0; i < n; ++i)
      {
        T one = before[i];
        function(&one, 1);
        record.Require(one == some[i], name + std::string(", one by one"));
      }
    }
  }

  const size_t n = 3 * StripSize<T>;
  const std::vector<T> deltas = numbers.Vector<T>(n);
  const std::vector<T> values = numbers.Vector<T>(n);
  const std::vector<std::tuple<void (*)(T*, const T*, size_t), const char*,
      double (*)(double)>> slopes = {
      { Kernels::LogisticSlope, "LogisticSlope",
          [](const double a) { return a * (1 - a); } },
      { Kernels::TanhSlope, "TanhSlope",
          [](const double a) { return 1 - a * a; } },
      { Kernels::ReluSlope, "ReluSlope",
          [](const double a) { return (a > 0) ? 1.0 : 0.0; } } };
  for (const auto& [function, name, slope] : slopes)
  {
    y = deltas;
    function(y.data(), values.data(), n);
    record.Add(name, y.data(), n);
    for (size_t i = 0; i < n; ++i)
      record.Require(IsNear(y[i], { deltas[i] * slope(values[i]), 1.0, 4 }),
          name);
  }
}

template<typename Level, typename T>
void TestTriangles(Record& record)
{
  using Kernels = typename Level::template Kernels<T>;
  Numbers numbers(7);
  for (size_t n = 0; n <= 40; ++n)
  {
    // A = B B' + I is positive definite, and exact with so few digits.
    std::vector<T> b = numbers.Vector<T>(n * n);
    for (T& x : b)
      x = std::round(64 * x) / 64;
    std::vector<T> a(n * n);
    for (size_t i = 0; i < n; ++i)
    {
      for (size_t j = 0; j < n; ++j)
      {
        double sum = (i == j) ? 1.0 : 0.0;
        for (size_t k = 0; k < n; ++k)
          sum += double(b[k * n + i]) * double(b[k * n + j]);
        a[j * n + i] = T(sum);
      }
    }
    std::vector<T> l = a;
    record.Require(Kernels::Cholesky(l.data(), n), "Cholesky refuses");
    for (size_t j = 0; j < n; ++j)
    {
      record.Add("Cholesky", &l[j * n + j], n - j);
      for (size_t i = j; i < n; ++i)
      {
        Sum sum;
        for (size_t k = 0; k <= j; ++k)
          sum.Add(double(l[k * n + i]) * double(l[k * n + j]));
        sum.terms += n;
        record.Require(IsNear(a[j * n + i], sum), "Cholesky");
      }
    }

    // What L or L' makes of the solution is the right-hand side.
    for (const size_t columns : { 1, 2, 4, 5, 9 })
    {
      const std::vector<T> right = numbers.Vector<T>(n * columns);
      for (const bool lower : { true, false })
      {
        const std::string name = lower ? "SolveLower" : "SolveUpper";
        std::vector<T> x = right;
        if (lower)
          Kernels::SolveLower(l.data(), n, x.data(), columns);
        else
          Kernels::SolveUpper(l.data(), n, x.data(), columns);
        record.Add(name, x.data(), x.size());
        for (size_t c = 0; c < columns; ++c)
        {
          for (size_t i = 0; i < n; ++i)
          {
            Sum sum;
            for (size_t k = lower ? 0 : i; k < (lower ? i + 1 : n); ++k)
              sum.Add(double(lower ? l[k * n + i] : l[i * n + k]) *
                  double(x[c * n + k]));
            sum.terms += n;
            record.Require(IsNear(right[c * n + i], sum), name);
          }
        }
      }
    }

    // Neither of these is positive definite, wherever it is seen.
    for (size_t k = 0; k < n; ++k)
    {
      for (const T diagonal : { T(-1), T(0),
          std::numeric_limits<T>::quiet_NaN() })
      {
        l = a;
        l[k * n + k] = diagonal;
        record.Require(!Kernels::Cholesky(l.data(), n), "Cholesky accepts");
      }
    }
  }
}

//! All kernels for one type of number.
template<typename Level, typename T>
void TestAll(Record& record)
{
  TestMultiply<Level, T>(record);
  TestSums<Level, T, T>(record);
  TestErrors<Level, T>(record);
  TestPointProducts<Level, T>(record);
  TestSplines<Level, T>(record);
  TestEntries<Level, T>(record);
  TestFunctions<Level, T>(record);
  TestTriangles<Level, T>(record);
}

//! Test a level, if the machine has it.
template<typename Level>
void Test(const SimdLevel level, std::vector<Record>& records)
{
  const std::vector<SimdLevel> supported = SupportedLevels();
  if (std::find(supported.begin(), supported.end(), level) == supported.end())
  {
    std::printf("%s: NOT RUN, this machine does not have it\n",
        ToString(level).c_str());
    return;
  }
  Record record;
  record.level = ToString(level);
  TestAll<Level, double>(record);
  TestAll<Level, float>(record);
  TestSums<Level, float, double>(record);
  for (const auto& [kernel, hash] : record.hashes)
    std::printf("%s %s %016llx\n", record.level.c_str(), kernel.c_str(),
        (unsigned long long) hash);
  std::printf("%s: %zu results are wrong\n", record.level.c_str(),
      record.wrong);
  records.push_back(record);
}

// A level is a namespace; templates need a type.
#define LEVEL_TYPE(space) \
    struct Level_##space \
    { \
      template<typename T> \
      using Kernels = space::Kernels<T>; \
      template<typename T, typename SumType> \
      using SumKernels = space::SumKernels<T, SumType>; \
    }

#if defined(MLPACK_GBNN_HAS_BASELINE)
LEVEL_TYPE(baseline);
#endif
#if defined(MLPACK_GBNN_HAS_NEON)
LEVEL_TYPE(neon);
#endif
#if defined(MLPACK_GBNN_HAS_V3)
LEVEL_TYPE(v3);
#endif
#if defined(MLPACK_GBNN_HAS_V4)
LEVEL_TYPE(v4);
#endif

int main()
{
  std::vector<Record> records;
#if defined(MLPACK_GBNN_HAS_BASELINE)
  Test<Level_baseline>(SimdLevel::BASELINE, records);
#endif
#if defined(MLPACK_GBNN_HAS_NEON)
  Test<Level_neon>(SimdLevel::NEON, records);
#endif
#if defined(MLPACK_GBNN_HAS_V3)
  Test<Level_v3>(SimdLevel::V3, records);
#endif
#if defined(MLPACK_GBNN_HAS_V4)
  Test<Level_v4>(SimdLevel::V4, records);
#endif

  size_t failures = records.empty() ? 1 : 0;
  const Record* fused = nullptr;
  for (const Record& record : records)
  {
    failures += record.wrong;
    if (record.level == "baseline")
      continue;
    if (fused)
    {
      for (const auto& [kernel, hash] : record.hashes)
      {
        if (fused->hashes.at(kernel) == hash)
          continue;
        std::printf("%s differs between %s and %s\n", kernel.c_str(),
            fused->level.c_str(), record.level.c_str());
        ++failures;
      }
    }
    fused = &record;
  }
  return (failures == 0) ? 0 : 1;
}
