/**
 * @file experiments/paper/results.hpp
 *
 * The file of results: a line of JSON for everything that was measured.  What
 * is in it is not done again.
 */
#ifndef GBNN_EXPERIMENTS_PAPER_RESULTS_HPP
#define GBNN_EXPERIMENTS_PAPER_RESULTS_HPP

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace experiments {

//! One line: names and values, text in quotes as JSON has it.
class Line
{
 public:
  Line& Add(const std::string& name, const std::string& text)
  {
    return Put(name, "\"" + text + "\"");
  }

  Line& Add(const std::string& name, const char* text)
  {
    return Add(name, std::string(text));
  }

  template<typename NumberType,
           typename = std::enable_if_t<std::is_arithmetic_v<NumberType>>>
  Line& Add(const std::string& name, const NumberType number)
  {
    std::ostringstream text;
    text << std::setprecision(9) << number;
    // JSON has no other numbers.
    return Put(name, std::isfinite(double(number)) ? text.str() : "null");
  }

  //! The text of a value, without quotes; empty if there is none.
  std::string Text(const std::string& name) const
  {
    for (const auto& [key, value] : values)
    {
      if (key == name && value[0] == '"')
        return value.substr(1, value.size() - 2);
      if (key == name)
        return value;
    }
    return "";
  }

  double Number(const std::string& name) const
  {
    return std::stod(Text(name));
  }

  std::string Json() const
  {
    std::string json;
    for (const auto& [name, value] : values)
      json += (json.empty() ? "{\"" : ", \"") + name + "\": " + value;
    return json + "}";
  }

  //! Read a line that Json() wrote; empty if it is anything else.
  static Line Parse(const std::string& json)
  {
    Line line;
    size_t i = 1;
    while (json.size() > 2 && json.front() == '{' && json.back() == '}')
    {
      const size_t name = json.find('"', i), end = json.find("\": ", name + 1);
      if (name == std::string::npos || end == std::string::npos)
        return line;
      const size_t value = end + 3;
      i = json.find_first_of(",}", (json[value] == '"') ?
          json.find('"', value + 1) : value);
      if (i == std::string::npos)
        return Line();
      line.Put(json.substr(name + 1, end - name - 1), json.substr(value, i -
          value));
    }
    return line;
  }

 private:
  Line& Put(const std::string& name, const std::string& value)
  {
    values.emplace_back(name, value);
    return *this;
  }

  std::vector<std::pair<std::string, std::string>> values;
};

//! All lines of a file, which grows by one with everything that is measured.
class Results
{
 public:
  Results(const std::filesystem::path& path)
  {
    bool complete = true;
    std::ifstream input(path);
    for (std::string text; std::getline(input, text); complete = !input.eof())
    {
      // A run may have been ended while it wrote the last line.
      const Line line = Line::Parse(text);
      if (!line.Text("what").empty())
        lines.emplace(Key(line), line);
    }
    output.open(path, std::ios::app);
    if (!output)
      throw std::runtime_error("cannot write " + path.string());
    if (!complete)
      output << "\n";
  }

  //! What a line is about: all but what was measured.
  static std::string Key(const Line& line)
  {
    std::string key;
    for (const char* name : { "what", "task", "repeat", "fold", "method",
        "units", "ends" })
      key += line.Text(name) + "/";
    return key;
  }

  bool Has(const Line& about)
  {
    std::lock_guard<std::mutex> lock(mutex);
    return lines.count(Key(about)) > 0;
  }

  //! The line about the same; it must be there.
  Line Get(const Line& about)
  {
    std::lock_guard<std::mutex> lock(mutex);
    return lines.at(Key(about));
  }

  void Add(const Line& line)
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (lines.emplace(Key(line), line).second)
      output << line.Json() << std::endl;
  }

  //! All lines of a kind.
  std::vector<Line> Of(const std::string& what)
  {
    std::lock_guard<std::mutex> lock(mutex);
    std::vector<Line> result;
    for (const auto& [key, line] : lines)
    {
      if (line.Text("what") == what)
        result.push_back(line);
    }
    return result;
  }

 private:
  std::map<std::string, Line> lines;
  std::ofstream output;
  std::mutex mutex;
};

} // namespace experiments

#endif
