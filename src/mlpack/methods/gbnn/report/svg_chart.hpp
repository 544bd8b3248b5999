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

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

//! Text as it must stand in HTML, in an element or in quotes.
inline std::string Escape(const std::string& text)
{
  std::string result;
  for (const char c : text)
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

//! A number for people, rounded to the given number of digits.
inline std::string Short(const double value, const int digits = 4)
{
  if (std::isnan(value))
    return "-";
  std::ostringstream out;
  out.precision(digits);
  out << value;
  return out.str();
}

/**
 * A chart of lines or dots over two axes of numbers, as an SVG image with a
 * title and description for readers who cannot see it.  Colors and dashes are
 * those of the classes s0, s1, ... of the page's style sheet.
 */
class Chart
{
 public:
  /**
   * @param id Unique in the page.
   * @param title What the chart shows.
   * @param xName Name of the horizontal axis.
   * @param yName Name of the vertical axis.
   */
  Chart(const std::string& id,
        const std::string& title,
        const std::string& xName,
        const std::string& yName) :
      id(id), title(title), xName(xName), yName(yName)
  { }

  //! Add a line through the given places.
  void Line(const std::string& name, const arma::rowvec& x,
            const arma::rowvec& y)
  {
    series.push_back({ name, x, y, true });
    Include(x, y);
  }

  //! Add dots at the given places.
  void Dots(const std::string& name, const arma::rowvec& x,
            const arma::rowvec& y)
  {
    series.push_back({ name, x, y, false });
    Include(x, y);
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

  //! The image.
  std::string SVG(const std::string& description) const
  {
    std::ostringstream out;
    out << "<figure>\n<svg role=\"img\" aria-labelledby=\"" << id << "-t "
        << id << "-d\" viewBox=\"0 0 " << width << " " << height << "\">\n"
        << "<title id=\"" << id << "-t\">" << Escape(title) << "</title>\n"
        << "<desc id=\"" << id << "-d\">" << Escape(description)
        << "</desc>\n";
    Axes(out);
    for (size_t s = 0; s < series.size(); ++s)
      Draw(out, s);
    Marks(out);
    out << "</svg>\n";
    if (series.size() > 1)
    {
      out << "<figcaption>";
      for (size_t s = 0; s < series.size(); ++s)
        out << "<svg class=\"key\" aria-hidden=\"true\" viewBox=\"0 0 35 8\">"
            << "<line class=\"s" << s % colors << "\" x2=\"35\" y1=\"4\" "
            << "y2=\"4\"/></svg> " << Escape(series[s].name) << " ";
      out << "</figcaption>\n";
    }
    out << "</figure>\n";
    return out.str();
  }

 private:
  struct Series
  {
    std::string name;
    arma::rowvec x, y;
    bool line;
  };

  //! The number of colors in the style sheet of the page.
  static constexpr size_t colors = 6;
  // Size of the image and its margins, in the coordinates of its view box.
  static constexpr int width = 640, height = 300;
  static constexpr int left = 70, right = 15, top = 15, bottom = 45;

  //! Make the axes long enough.
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

  //! Round numbers from low to high, about five of them.
  static std::vector<double> Ticks(const double low, const double high)
  {
    if (!(high > low))
      return { low };
    const double raw = (high - low) / 5;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    double step = power;
    for (const double factor : { 2.0, 5.0, 10.0 })
      if (step < raw)
        step = factor * power;
    std::vector<double> ticks;
    for (double i = std::ceil(low / step); i * step <= high; ++i)
      ticks.push_back(i * step);
    return ticks;
  }

  void Axes(std::ostream& out) const
  {
    for (const double y : std::isfinite(yMin) ? Ticks(yMin, yMax) :
        std::vector<double>())
    {
      out << "<line class=\"grid\" x1=\"" << left << "\" x2=\""
          << width - right << "\" y1=\"" << Y(y) << "\" y2=\"" << Y(y)
          << "\"/><text class=\"end\" x=\"" << left - 6 << "\" y=\"" << Y(y)
          << "\" dy=\"4\">" << Short(y) << "</text>\n";
    }
    for (const double x : std::isfinite(xMin) ? Ticks(xMin, xMax) :
        std::vector<double>())
    {
      out << "<text class=\"mid\" x=\"" << X(x) << "\" y=\""
          << height - bottom + 18 << "\">" << Short(x) << "</text>\n";
    }
    out << "<text class=\"mid\" x=\"" << (left + width - right) / 2
        << "\" y=\"" << height - 6 << "\">" << Escape(xName) << "</text>\n"
        << "<text class=\"mid\" transform=\"translate(14 "
        << (top + height - bottom) / 2 << ") rotate(-90)\">" << Escape(yName)
        << "</text>\n";
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
        out << "<circle class=\"d" << s % colors << "\" r=\"2.5\" cx=\""
            << X(one.x[i]) << "\" cy=\"" << Y(one.y[i]) << "\"/>";
    }
    out << (one.line ? "\"/>\n" : "\n");
  }

  void Marks(std::ostream& out) const
  {
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
  std::vector<Series> series;
  double xMin = arma::datum::inf, xMax = -arma::datum::inf;
  double yMin = arma::datum::inf, yMax = -arma::datum::inf;
  double markX = arma::datum::nan, markY = arma::datum::nan;
  std::string markName;
};

/**
 * Horizontal bars with names, one below the other.
 *
 * @param id Unique in the page.
 * @param title What the chart shows.
 * @param names Name of each bar.
 * @param values Length of each bar; below 0 there is none.
 * @param spread How far each value may be off, or empty.
 */
inline std::string BarChart(const std::string& id,
                            const std::string& title,
                            const std::vector<std::string>& names,
                            const arma::rowvec& values,
                            const arma::rowvec& spread = arma::rowvec())
{
  const int row = 24, left = 200, width = 640, room = width - left - 90;
  const double maximum = std::max(1e-300, values.is_empty() ? 0 : values.max());
  std::ostringstream out;
  out << "<figure>\n<svg role=\"img\" aria-labelledby=\"" << id
      << "-t\" viewBox=\"0 0 " << width << " " << row * names.size() + 6
      << "\">\n<title id=\"" << id << "-t\">" << Escape(title)
      << "</title>\n";
  for (size_t i = 0; i < names.size(); ++i)
  {
    // Names that are too long for the margin are cut, but not in the middle of
    // a character of UTF-8.
    const size_t maxName = 28;
    std::string name = names[i];
    size_t cut = maxName - 2;
    while (cut > 0 && cut < name.size() && (name[cut] & 0xC0) == 0x80)
      --cut;
    if (name.size() > maxName)
      name = name.substr(0, cut) + "…";
    const double y = double(row * i) + 4;
    const double end = left + room * std::max(0.0, values[i]) / maximum;
    out << "<text class=\"end\" x=\"" << left - 8 << "\" y=\"" << y + 14
        << "\">" << Escape(name) << "</text><rect class=\"d0\" x=\"" << left
        << "\" y=\"" << y << "\" height=\"" << row - 6 << "\" width=\""
        << Short(end - left, 5) << "\"/>";
    double last = end;
    if (!spread.is_empty() && values[i] > 0)
    {
      const double reach = room * spread[i] / maximum;
      last = std::min(end + reach, double(left + room + 15));
      out << "<line class=\"whisker\" y1=\"" << y + 9 << "\" y2=\"" << y + 9
          << "\" x1=\"" << Short(std::max(end - reach, double(left)), 5)
          << "\" x2=\"" << Short(last, 5) << "\"/>";
    }
    out << "<text x=\"" << Short(last + 6, 5) << "\" y=\"" << y + 14 << "\">"
        << Short(values[i], 3) << "</text>\n";
  }
  out << "</svg>\n</figure>\n";
  return out.str();
}

} // namespace gbnn
} // namespace mlpack

#endif
