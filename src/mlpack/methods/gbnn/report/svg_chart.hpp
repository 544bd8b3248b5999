/**
 * @file methods/gbnn/report/svg_chart.hpp
 *
 * Text and charts for a page of HTML, with nothing but what is in the page.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REPORT_SVG_CHART_HPP
#define MLPACK_METHODS_GBNN_REPORT_SVG_CHART_HPP

#include <iomanip>

#include <mlpack/prereqs.hpp>

#include "../export/json_text.hpp"

namespace mlpack {
namespace gbnn {

//! Text as it must stand in HTML, in an element or in quotes.
inline std::string Escape(const std::string& text)
{
  std::string result;
  for (const char c : ValidUTF8(text))
  {
    switch (c)
    {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default:
        // Control characters are not allowed, not even escaped.
        result += ((unsigned char) c < 32 || c == 127) ? ' ' : c;
    }
  }
  return result;
}

//! A name as it must stand in HTML, which may be broken after a "_".
inline std::string EscapeName(const std::string& name)
{
  std::string result;
  for (const char c : Escape(name))
    result += (c == '_') ? std::string("_<wbr>") : std::string(1, c);
  return result;
}

//! A number for people, rounded to the given number of digits, but whole ones
//! and those before the point are all there.
inline std::string Short(const double value, const int digits = 4)
{
  if (std::isnan(value))
    return "-";
  std::ostringstream out;
  // Below, numbers differ by less than 1.
  const double size = std::abs(value), maximum = 1e15;
  if (size < maximum && (size >= std::pow(10.0, digits) ||
      std::floor(value) == value))
    out << std::fixed << std::setprecision(0);
  else
    out.precision(digits);
  // Not -0.
  out << (value == 0 ? 0.0 : value);
  return out.str();
}

//! A box that scrolls where the screen is too narrow for its contents, with the
//! keyboard, too.
inline std::string ScrollBox(const std::string& name,
                             const std::string& contents)
{
  return "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"" +
      Escape(name) + "\">" + contents + "</div>\n";
}

/**
 * A chart of lines or dots over two axes of numbers, as an SVG image with a
 * title and description for readers who cannot see it.  Colors and dashes are
 * those of the classes s0, s1, ... of the page's style sheet.  The names of
 * axes and lines stand around the image, where they have room if they are long.
 */
class Chart
{
 public:
  /**
   * @param id Unique in the page.
   * @param title What the chart shows.
   * @param xName Name of the horizontal axis.
   * @param yName Name of the vertical axis.
   * @param square Whether the chart is about as high as wide.
   */
  Chart(const std::string& id,
        const std::string& title,
        const std::string& xName,
        const std::string& yName,
        const bool square = false) :
      id(id), title(title), xName(xName), yName(yName), square(square),
      width(square ? 440 : 640), height(square ? 400 : 300)
  { }

  //! The number of lines whose colors differ.
  static constexpr size_t colors = 6;

  //! Add a line through the given places.
  void Line(const std::string& name, const arma::rowvec& x,
            const arma::rowvec& y)
  {
    series.push_back({ name, x, y, true, { }, { } });
    Include(x, y);
  }

  /**
   * Add dots at the given places.
   *
   * @param name Name of the dots.
   * @param x Where they are.
   * @param y Where they are.
   * @param radius Their sizes, or empty.
   * @param reach How far each may be off, from the first row to the second; or
   *     empty.
   */
  void Dots(const std::string& name,
            const arma::rowvec& x,
            const arma::rowvec& y,
            const arma::rowvec& radius = arma::rowvec(),
            const arma::mat& reach = arma::mat())
  {
    series.push_back({ name, x, y, false, radius, reach });
    Include(x, y);
  }

  //! Make the axes long enough for these places, too.
  void Include(const arma::rowvec& x, const arma::rowvec& y)
  {
    for (const double value : x)
    {
      if (std::isfinite(value))
      {
        xMin = std::min(xMin, value);
        xMax = std::max(xMax, value);
      }
    }
    for (const double value : y)
    {
      if (std::isfinite(value))
      {
        yMin = std::min(yMin, value);
        yMax = std::max(yMax, value);
      }
    }
  }

  //! Mark a place of the horizontal axis.
  void MarkX(const double x, const std::string& name)
  {
    markX = x;
    markName = name;
    Include({ x }, { });
  }

  //! Mark a height.
  void MarkY(const double y)
  {
    markY = y;
    Include({ }, { y });
  }

  //! Mark where both axes have the same value.
  void MarkDiagonal() { diagonal = true; }

  //! The image.
  std::string SVG(const std::string& description)
  {
    // Numbers at the vertical axis may be long.
    const size_t widthOfDigit = 8;
    for (const auto& tick : Ticks(yMin, yMax))
      left = std::max(left, int(8 + widthOfDigit * tick.second.size()));
    const std::string shape = square ? "square" : "plot";
    std::ostringstream out;
    out << "<svg class=\"" << shape << "\" role=\"img\" aria-labelledby=\""
        << id << "-t " << id << "-d\" viewBox=\"0 0 " << width << " " << height
        << "\">\n<title id=\"" << id << "-t\">" << Escape(title)
        << "</title>\n<desc id=\"" << id << "-d\">" << Escape(xName + ", "
        + yName + ". " + description) << "</desc>\n";
    Axes(out);
    for (size_t s = 0; s < series.size(); ++s)
      Draw(out, s);
    Marks(out);
    out << "</svg>\n";
    return "<figure class=\"" + shape + "\">\n<p class=\"axis\">" +
        Arrow("↑") + " " + Escape(yName) + "</p>\n" + ScrollBox(title,
        out.str()) + "<p class=\"axis across\">" + Escape(xName) + " " +
        Arrow("→") + "</p>\n" + Legend() + "</figure>\n";
  }

 private:
  struct Series
  {
    std::string name;
    arma::rowvec x, y;
    bool line;
    arma::rowvec radius;
    arma::mat reach;
  };

  // The margins of the image, in the coordinates of its view box.
  static constexpr int right = 32, top = 12, bottom = 26;
  int left = 62;

  //! An arrow that is not read aloud.
  static std::string Arrow(const std::string& sign)
  {
    return "<span aria-hidden=\"true\">" + sign + "</span>";
  }

  //! Which line is which; nothing if there is only one without a name.
  std::string Legend() const
  {
    if (series.size() == 1 && series[0].name.empty())
      return "";
    std::ostringstream out;
    out << "<figcaption>";
    for (size_t s = 0; s < series.size(); ++s)
    {
      out << "<span class=\"entry\"><svg class=\"key\" aria-hidden=\"true\" "
          << "viewBox=\"0 0 35 8\"><line class=\"s" << s % colors
          << "\" x2=\"35\" y1=\"4\" y2=\"4\"/></svg> "
          << Escape(series[s].name) << "</span>\n";
    }
    out << "</figcaption>\n";
    return out.str();
  }

  //! Where a number stands on an axis from low to high, as a share.
  static double Share(const double value, const double low, const double high)
  {
    return (high > low) ? (value - low) / (high - low) : 0.5;
  }

  //! A coordinate of the image.
  static std::string Place(const double value)
  {
    return Short(std::round(value * 10) / 10, 5);
  }

  std::string X(const double x) const
  {
    return Place(left + Share(x, xMin, xMax) * (width - left - right));
  }

  std::string Y(const double y) const
  {
    return Place(height - bottom - Share(y, yMin, yMax) *
        (height - top - bottom));
  }

  //! Round numbers from low to high, about five of them, and how to write
  //! them.
  static std::vector<std::pair<double, std::string>> Ticks(const double low,
                                                           const double high)
  {
    if (!std::isfinite(low) || !std::isfinite(high - low))
      return { };
    // What rounding leaves of a range is none.
    const double largest = std::max(std::abs(low), std::abs(high));
    if (!(high - low > 1e-12 * largest))
      return { { low, Short(low, 6) } };
    const double raw = (high - low) / 5;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    double step = power;
    for (const double factor : { 2.0, 5.0, 10.0 })
      if (step < raw)
        step = factor * power;
    // As many digits as it takes to tell neighbors apart.
    const int digits = std::max(4, 1 + int(std::ceil(std::log10(largest /
        step))));
    std::vector<std::pair<double, std::string>> ticks;
    for (double i = std::ceil(low / step); i * step <= high + 1e-9 * step; ++i)
      ticks.emplace_back(i * step, Short(i * step, digits));
    return ticks;
  }

  void Axes(std::ostream& out) const
  {
    for (const auto& [y, text] : Ticks(yMin, yMax))
    {
      out << "<line class=\"grid\" x1=\"" << left << "\" x2=\""
          << width - right << "\" y1=\"" << Y(y) << "\" y2=\"" << Y(y)
          << "\"/><text class=\"end\" x=\"" << left - 6 << "\" y=\"" << Y(y)
          << "\" dy=\"4\">" << text << "</text>\n";
    }
    for (const auto& [x, text] : Ticks(xMin, xMax))
    {
      out << "<text class=\"mid\" x=\"" << X(x) << "\" y=\""
          << height - bottom + 18 << "\">" << text << "</text>\n";
    }
  }

  void Draw(std::ostream& out, const size_t s) const
  {
    const Series& one = series[s];
    if (one.line)
      out << "<polyline class=\"s" << s % colors << "\" points=\"";
    for (size_t i = 0; i < one.x.n_elem; ++i)
    {
      if (!std::isfinite(one.x[i]) || !std::isfinite(one.y[i]))
        continue;
      if (one.line)
        out << X(one.x[i]) << "," << Y(one.y[i]) << " ";
      else
        out << "<circle class=\"d" << s % colors << "\" r=\""
            << (one.radius.is_empty() ? "2.5" : Place(one.radius[i]))
            << "\" cx=\"" << X(one.x[i]) << "\" cy=\"" << Y(one.y[i])
            << "\"/>";
      if (!one.reach.is_empty())
        out << "<line class=\"whisker\" x1=\"" << X(one.x[i]) << "\" x2=\""
            << X(one.x[i]) << "\" y1=\"" << Y(one.reach(0, i)) << "\" y2=\""
            << Y(one.reach(1, i)) << "\"/>";
    }
    out << (one.line ? "\"/>\n" : "\n");
  }

  void Marks(std::ostream& out) const
  {
    if (diagonal)
    {
      const double low = std::max(xMin, yMin), high = std::min(xMax, yMax);
      out << "<line class=\"mark\" x1=\"" << X(low) << "\" x2=\"" << X(high)
          << "\" y1=\"" << Y(low) << "\" y2=\"" << Y(high) << "\"/>\n";
    }
    if (!std::isnan(markY))
    {
      out << "<line class=\"mark\" x1=\"" << left << "\" x2=\""
          << width - right << "\" y1=\"" << Y(markY) << "\" y2=\"" << Y(markY)
          << "\"/>\n";
    }
    if (!std::isnan(markX))
    {
      const bool late = Share(markX, xMin, xMax) > 0.5;
      out << "<line class=\"mark\" y1=\"" << top << "\" y2=\""
          << height - bottom << "\" x1=\"" << X(markX) << "\" x2=\""
          << X(markX) << "\"/><text class=\"" << (late ? "end" : "start")
          << "\" x=\"" << X(markX) << "\" dx=\"" << (late ? -5 : 5)
          << "\" y=\"" << top + 10 << "\">" << Escape(markName)
          << "</text>\n";
    }
  }

  std::string id, title, xName, yName;
  bool square;
  // Size of the image, in the coordinates of its view box.
  int width, height;
  bool diagonal = false;
  std::vector<Series> series;
  double xMin = arma::datum::inf, xMax = -arma::datum::inf;
  double yMin = arma::datum::inf, yMax = -arma::datum::inf;
  double markX = arma::datum::nan, markY = arma::datum::nan;
  std::string markName;
};

/**
 * Horizontal bars with names, one below the other, as a table: names of any
 * length have room.
 *
 * @param title What the bars show.
 * @param names Name of each bar.
 * @param values Length of each bar; below 0 there is none.
 * @param spread How far each value may be off, or empty.
 */
inline std::string BarChart(const std::string& title,
                            const std::vector<std::string>& names,
                            const arma::rowvec& values,
                            const arma::rowvec& spread = arma::rowvec())
{
  const auto reach = [&](const size_t i)
  {
    return (spread.is_empty() || !(values[i] > 0)) ? 0.0 : spread[i];
  };
  double maximum = 1e-300;
  for (size_t i = 0; i < values.n_elem; ++i)
    maximum = std::max(maximum, values[i] + reach(i));
  const auto percent = [&](const double value)
  {
    return Short(100 * std::max(0.0, value) / maximum, 4) + "%";
  };
  std::ostringstream out;
  out << "<table class=\"bars\">\n<caption>" << Escape(title)
      << "</caption>\n";
  for (size_t i = 0; i < names.size(); ++i)
  {
    out << "<tr><th scope=\"row\">" << EscapeName(names[i]) << "</th><td><svg "
        << "class=\"bar\" aria-hidden=\"true\"><rect class=\"d0\" "
        << "height=\"100%\" width=\"" << percent(values[i]) << "\"/>";
    if (reach(i) > 0)
      out << "<line class=\"whisker\" y1=\"50%\" y2=\"50%\" x1=\""
          << percent(values[i] - reach(i)) << "\" x2=\""
          << percent(values[i] + reach(i)) << "\"/>";
    out << "</svg></td><td class=\"value\">" << Short(values[i], 3)
        << "</td></tr>\n";
  }
  out << "</table>\n";
  return out.str();
}

} // namespace gbnn
} // namespace mlpack

#endif
