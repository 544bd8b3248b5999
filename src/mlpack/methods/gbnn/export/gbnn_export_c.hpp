/**
 * @file methods/gbnn/export/gbnn_export_c.hpp
 *
 * A trained model as one file of C that depends on nothing but <math.h>.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_EXPORT_GBNN_EXPORT_C_HPP
#define MLPACK_METHODS_GBNN_EXPORT_GBNN_EXPORT_C_HPP

#include <charconv>

#include "../files/digest.hpp"
#include "../table/column_names.hpp"
#include "gbnn_portable.hpp"

namespace mlpack {
namespace gbnn {

//! A number of C that reads back exactly.
inline std::string CNumber(const double value)
{
  char text[64];
  std::string number(text, std::to_chars(text, text + sizeof(text), value).ptr);
  // An integer could be too large for one, and -0 would lose its sign.
  if (number.find_first_not_of("-0123456789") == std::string::npos)
    number += ".0";
  return number;
}

//! A string of C, whatever is in it.
inline std::string CString(const std::string& text)
{
  std::ostringstream out;
  out << '"';
  for (const char c : text)
  {
    const unsigned char byte = (unsigned char) c;
    // An octal escape ends after three digits; ?? could begin a trigraph.
    if (byte < 32 || byte > 126 || c == '"' || c == '\\' || c == '?')
      out << '\\' << char('0' + byte / 64) << char('0' + byte / 8 % 8)
          << char('0' + byte % 8);
    else
      out << c;
  }
  out << '"';
  return out.str();
}

/**
 * An array of C.
 *
 * @param type Type of its elements.
 * @param name Its name.
 * @param items The elements, printed.
 */
inline std::string CArray(const std::string& type,
                          const std::string& name,
                          const std::vector<std::string>& items)
{
  // Lines of at most 78 columns, indented by 4.
  const size_t indent = 4, maxWidth = 78;
  std::string text = "  static const " + type + " " + name + "[" +
      std::to_string(items.size()) + "] = {", line(indent, ' ');
  for (size_t i = 0; i < items.size(); ++i)
  {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (line.size() > indent && line.size() + 1 + item.size() > maxWidth)
    {
      text += "\n" + line;
      line.assign(indent, ' ');
    }
    line += (line.size() > indent ? " " : "") + item;
  }
  return text + "\n" + line + "\n  };\n";
}

//! An array of numbers, in the order of memory.
template<typename MatType>
std::string CNumbers(const std::string& name, const MatType& values)
{
  std::vector<std::string> items;
  for (const double value : values)
    items.push_back(CNumber(value));
  return CArray("double", name, items);
}

/**
 * Writes a model as a header of C99 that is also C++.  The first lines of the
 * header describe its contents; see doc/user/export.md.
 */
class CExport
{
 public:
  /**
   * @param model The model.
   * @param stem Name of the file without its extension, for the include guard.
   */
  CExport(const PortableGBNN& model, const std::string& stem) :
      model(model), stem(stem)
  { }

  //! The text of the header.
  std::string Text() const
  {
    const std::string content = Sizes() + Names() + Categories() + Encode() +
        Place() + Predict(), guard = Guard(content);
    return Comment() + "#ifndef " + guard + "\n#define " + guard + "\n\n" +
        R"C(#include <math.h>
#include <stddef.h>
#include <string.h>

/* Names begin with "predict" unless another name is defined before. */
#ifndef GBNN_PREDICT
#define GBNN_PREDICT predict
#endif
#define GBNN_JOIN2(a, b) a##b
#define GBNN_JOIN(a, b) GBNN_JOIN2(a, b)
#define GBNN_NAME(rest) GBNN_JOIN(GBNN_PREDICT, rest)
)C" + content + R"C(
#undef GBNN_NAME
#undef GBNN_JOIN
#undef GBNN_JOIN2
#undef GBNN_PREDICT

#endif
)C";
  }

 private:
  //! The include guard, from the name of the file and from its content: files
  //! of one name may be in several folders.
  std::string Guard(const std::string& content) const
  {
    std::string guard = "GBNN_MODEL_";
    for (const char c : stem)
    {
      const bool good = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
          (c >= 'A' && c <= 'Z');
      guard += good ? char(std::toupper((unsigned char) c)) : '_';
    }
    std::ostringstream digest;
    digest << std::hex << std::uppercase << Digest().Add(content).Value();
    return guard + "_H_" + digest.str();
  }

  //! What the file is, and how to use it.
  std::string Comment() const
  {
    std::ostringstream text;
    text << "/* A gradient boosted neural network, written by GBNN for mlpack: "
        << model.Columns() << " columns,\n * " << model.Units() << " hidden "
        << "units, " << model.Outputs()
        << (!model.regression ? " classes" :
            model.responses == model.Outputs() ? " responses" : " quantiles")
        << ".  C99 and C++; link with -lm.\n *\n"
        << " *   double point[predict_columns] = { ... };\n"
        << " *   double outputs[predict_outputs];\n"
        << " *   double "
        << (model.regression ? "response" : "label") << " = predict(point, "
        << "outputs);\n *\n"
        << " * A point has a number for each column: the number of a numeric "
        << "one, the code of\n * a category (predict_category() has it; any "
        << "other number is a category that\n * did not occur in training), or "
        << "NaN if it is missing.  predict() fills outputs,\n * unless it is "
        << "NULL, with "
        << (model.regression ? (model.responses == model.Outputs() ?
            "all responses and returns the first.\n" :
            "all quantiles and returns the first.\n") :
            "the probability of each class, in ascending order of\n * the "
            "labels (predict_label() and predict_label_name() have them), and "
            "returns\n * the likeliest " + std::string(model.labels.AreWords()
            ? "class: predict_label_name((int) label) is its name.\n" :
            "label.\n"))
        << " */\n";
    return text.str();
  }

  std::string Sizes() const
  {
    return "\nenum\n{\n  GBNN_NAME(_columns) = " +
        std::to_string(model.Columns()) + ",\n  GBNN_NAME(_outputs) = " +
        std::to_string(model.Outputs()) + "\n};\n";
  }

  //! Functions that tell the names of columns, and the labels.
  std::string Names() const
  {
    std::vector<std::string> names;
    for (const PortableColumn& column : model.columns)
      names.push_back(CString(column.name));
    std::string text = R"C(
/* The name of a column; "" if it is not known. */
static inline const char* GBNN_NAME(_column_name)(int column)
{
)C" + CArray("char* const", "names", names) + "  return names[column];\n}\n";
    if (model.regression)
      return text;
    std::vector<std::string> labels;
    for (size_t k = 0; k < model.labels.Size(); ++k)
      labels.push_back(CString(model.labels.Name(k)));
    return text + R"C(
/* The label of a class; if labels are words, the number of the class. */
static inline double GBNN_NAME(_label)(int k)
{
)C" + CNumbers("labels", model.labels.Numbers()) + R"C(  return labels[k];
}

/* The label of a class, as text. */
static inline const char* GBNN_NAME(_label_name)(int k)
{
)C" + CArray("char* const", "names", labels) + "  return names[k];\n}\n";
  }

  //! Functions about categories.
  std::string Categories() const
  {
    std::vector<std::string> first = { "0" }, texts, truths;
    bool any = false;
    for (const PortableColumn& column : model.columns)
    {
      for (const std::string& category : column.categories)
        texts.push_back(CString(category));
      first.push_back(std::to_string(texts.size()));
      const bool are = !column.categories.empty() &&
          column.categories.size() <= 2 && AreTruths(column.categories);
      truths.push_back(are ? "1" : "0");
      any |= are;
    }
    // An array has at least one element.
    if (texts.empty())
      texts.push_back("\"\"");
    return R"C(
/* The code of a category of a column; -1 if it did not occur in training. */
static inline int GBNN_NAME(_category)(int column, const char* text)
{
)C" + CArray("int", "first", first) + CArray("char* const", "texts", texts) +
        (any ? CArray("int", "truths", truths) : "") + R"C(  int i;
  for (i = first[column]; i < first[column + 1]; ++i)
    if (strcmp(texts[i], text) == 0)
      return i - first[column];
)C" + (any ? R"C(  /* False and true match in any spelling, and as 0 and 1. */
  if (truths[column] && (strcmp(text, "0") == 0 || strcmp(text, "1") == 0))
    text = (*text == '0') ? "false" : "true";
  for (i = first[column]; truths[column] && i < first[column + 1]; ++i)
  {
    int k = 0;
    while (texts[i][k] != 0 && (texts[i][k] | 32) == (text[k] | 32))
      ++k;
    if (texts[i][k] == 0 && text[k] == 0)
      return i - first[column];
  }
)C" : "") + "  return -1;\n}\n";
  }

  //! The function that turns a point into the inputs of the network.
  std::string Encode() const
  {
    std::vector<std::string> counts, gaps;
    for (const PortableColumn& column : model.columns)
    {
      counts.push_back(std::to_string(column.categories.size()));
      gaps.push_back(column.gaps ? "1" : "0");
    }
    return R"C(
/* Turns a point into the inputs of the network. */
static inline void GBNN_NAME(_encode)(const double* point, double* x)
{
)C" + CArray("int", "counts", counts) + CArray("int", "gaps", gaps) +
        CNumbers("mean", model.mean) +
        (model.scaled ? CNumbers("deviation", model.deviation) : "") + R"C(
  int column, k, i = 0;
  for (column = 0; column < GBNN_NAME(_columns); ++column)
  {
    const double value = point[column];
    const int missing = value != value;
    int known = missing && gaps[column];
    if (counts[column] == 0)
    {
      x[i] = missing ? mean[i] : value;
      ++i;
    }
    for (k = 0; k < counts[column]; ++k)
      known = known || value == k;
    for (k = 0; k < counts[column]; ++k, ++i)
      x[i] = known ? (value == k) : mean[i];
    if (gaps[column])
      x[i++] = missing;
  }
)C" + (model.scaled ? "  for (k = 0; k < i; ++k)\n"
        "    x[k] = (x[k] - mean[k]) / deviation[k];\n}\n" : "}\n");
  }

  //! The function that finds the bins of inputs; empty if they have none.
  //! Inputs without bins never change what the network does.
  std::string Place() const
  {
    if (!model.HasBins())
      return "";
    std::vector<std::string> inputs, first = { "0" }, values;
    for (size_t i = 0; i < model.Inputs(); ++i)
    {
      if (model.edges[i].n_elem < 2)
        continue;
      inputs.push_back(std::to_string(i));
      for (const double edge : model.edges[i])
        values.push_back(CNumber(edge));
      first.push_back(std::to_string(values.size()));
    }
    return R"C(
/* Finds the edge below each input that has bins, or its first edge, and the
   share of the bin above it that lies below the input. */
static inline void GBNN_NAME(_place)(const double* x, int* below,
                                     double* share)
{
)C" + CArray("int", "input", inputs) + CArray("int", "first", first) +
        CArray("double", "edge", values) + R"C(
  int i;
  for (i = 0; i < )C" + std::to_string(inputs.size()) + R"C(; ++i)
  {
    const double value = x[input[i]];
    int low = first[i], high = first[i + 1] - 1;
    while (high - low > 1)
    {
      const int middle = low + (high - low) / 2;
      if (value >= edge[middle])
        low = middle;
      else
        high = middle;
    }
    below[i] = low;
    share[i] = (value - edge[low]) / (edge[low + 1] - edge[low]);
    share[i] = (share[i] < 0) ? 0 : (share[i] > 1) ? 1 : share[i];
  }
}
)C";
  }

  //! The activation of z, in C.
  std::string Activation() const
  {
    switch (model.activation)
    {
      case GBNNActivation::LOGISTIC: return "1 / (1 + exp(-z))";
      case GBNNActivation::TANH: return "tanh(z)";
      default: return "(z > 0) ? z : 0";
    }
  }

  //! What turns the array f of scores into predictions.
  std::string Link() const
  {
    switch (model.output)
    {
      case OutputLayer::IDENTITY:
        return "";
      case OutputLayer::SIGMOID:
        return R"C(  for (k = 0; k < scores; ++k)
    f[k] = 1 / (1 + exp(-f[k]));
)C";
      case OutputLayer::SOFTMAX:
        return R"C(  for (k = 1; k < scores; ++k)
    largest = (f[k] > largest) ? f[k] : largest;
  for (k = 0; k < scores; ++k)
    sum += (f[k] = exp(f[k] - largest));
  for (k = 0; k < scores; ++k)
    f[k] /= sum;
)C";
      case OutputLayer::EXPONENTIAL:
        return R"C(  for (k = 0; k < scores; ++k)
    f[k] = exp(f[k]);
)C";
      case OutputLayer::SORTED:
        return R"C(  for (k = 1; k < scores; ++k)
  {
    const double moved = f[k];
    for (i = k; i > 0 && f[i - 1] > moved; --i)
      f[i] = f[i - 1];
    f[i] = moved;
  }
)C";
    }
    throw std::invalid_argument("CExport: predictions of this loss cannot be "
        "written as C");
  }

  //! What follows the scores: the decision, the link and the outputs.
  std::string Finish() const
  {
    const std::string softmax = (model.output == OutputLayer::SOFTMAX) ?
        "  double largest = f[0], sum = 0;\n" : "";
    if (model.regression)
    {
      return softmax + Link() +
          "  for (k = 0; k < scores && outputs != NULL; ++k)\n"
          "    outputs[k] = f[k];\n  return f[0];\n}\n";
    }
    if (model.Scores() == 1)
    {
      return "  best = f[0] > 0;\n" + Link() +
          "  if (outputs != NULL)\n  {\n    outputs[0] = 1 - f[0];\n"
          "    outputs[1] = f[0];\n  }\n"
          "  return GBNN_NAME(_label)(best);\n}\n";
    }
    return "  for (k = 1; k < scores; ++k)\n"
        "    best = (f[k] > f[best]) ? k : best;\n" + softmax + Link() +
        "  for (k = 0; k < scores && outputs != NULL; ++k)\n"
        "    outputs[k] = f[k];\n  return GBNN_NAME(_label)(best);\n}\n";
  }

  //! Number of inputs that have bins, and of all their edges.
  std::string PlaceSizes() const
  {
    size_t places = 0, edges = 0;
    for (const arma::vec& e : model.edges)
    {
      places += (e.n_elem > 1);
      edges += (e.n_elem > 1) ? e.n_elem : 0;
    }
    return !model.HasBins() ? "" : ",\n      places = " +
        std::to_string(places) + ", edges = " + std::to_string(edges);
  }

  //! What adds to z what the inputs give unit u: between two edges, a part of
  //! the way from the one's sum to the other's.
  std::string Sum() const
  {
    if (!model.HasBins())
    {
      return R"C(    for (i = 0; i < inputs; ++i)
      z += hidden_weights[u * inputs + i] * x[i];
)C";
    }
    return R"C(    for (i = 0; i < places; ++i)
    {
      const double* sum = edge_sums + u * edges + below[i];
      z += sum[0] + share[i] * (sum[1] - sum[0]);
    }
)C";
  }

  //! The function itself.
  std::string Predict() const
  {
    return R"C(
/* Predicts one point; see the first lines of this file. */
static inline double GBNN_PREDICT(const double* point, double* outputs)
{
  enum { inputs = )C" + std::to_string(model.Inputs()) + ", units = " +
        std::to_string(model.Units()) + ", scores = " +
        std::to_string(model.Scores()) + PlaceSizes() + " };\n" +
        (model.HasBins() ? CNumbers("edge_sums", model.EdgeSums()) :
            CNumbers("hidden_weights", model.hiddenWeights)) +
        CNumbers("hidden_bias", model.hiddenBias) +
        CNumbers("output_weights", model.outputWeights) +
        CNumbers("output_bias", model.outputBias) + R"C(
  double x[inputs], f[scores])C" + (model.HasBins() ? ", share[places]" : "") +
        ";\n  int u, i, k" + (model.HasBins() ? ", below[places]" : "") +
        (model.regression ? "" : ", best = 0") + R"C(;
  GBNN_NAME(_encode)(point, x);
)C" + (model.HasBins() ? "  GBNN_NAME(_place)(x, below, share);\n" : "") +
        R"C(  for (k = 0; k < scores; ++k)
    f[k] = output_bias[k];
  for (u = 0; u < units; ++u)
  {
    double z = hidden_bias[u], a;
)C" + Sum() + "    a = " + Activation() + R"C(;
    for (k = 0; k < scores; ++k)
      f[k] += output_weights[u * scores + k] * a;
  }
)C" + Finish();
  }

  const PortableGBNN& model;
  std::string stem;
};

} // namespace gbnn
} // namespace mlpack

#endif
