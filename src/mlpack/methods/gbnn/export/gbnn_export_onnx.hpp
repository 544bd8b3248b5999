/**
 * @file methods/gbnn/export/gbnn_export_onnx.hpp
 *
 * A trained model as an ONNX graph, made with the ONNX library.  It is only
 * available if GBNN_WITH_ONNX is defined, and then needs libonnx_proto and
 * libprotobuf.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_EXPORT_GBNN_EXPORT_ONNX_HPP
#define MLPACK_METHODS_GBNN_EXPORT_GBNN_EXPORT_ONNX_HPP

#include "gbnn_portable.hpp"
#include "json_text.hpp"

#ifdef GBNN_WITH_ONNX
#ifndef ONNX_NAMESPACE
#define ONNX_NAMESPACE onnx
#endif
#ifndef ONNX_ML
#define ONNX_ML 1
#endif
#include <onnx/onnx_pb.h>
#endif

namespace mlpack {
namespace gbnn {

#ifdef GBNN_WITH_ONNX

//! Whether models can be written as ONNX.
constexpr bool hasONNX = true;

/**
 * Writes a model as an ONNX graph of single precision, with the operators of
 * ONNX 1.8 (opset 13, file format 7) only.  Its input `X` has one point a row;
 * its outputs are `label` and `probabilities`, or `predictions`.  See
 * doc/user/export.md.
 */
class ONNXExport
{
 public:
  explicit ONNXExport(const PortableGBNN& model) : model(model)
  {
    // The versions of ONNX 1.8: old enough for most runtimes, and the first
    // whose Softmax() goes along one axis.
    const int fileVersion = 7, operatorVersion = 13;
    onnx.set_ir_version(fileVersion);
    onnx.set_producer_name("GBNN for mlpack");
    onnx.set_doc_string("A gradient boosted neural network.  Categories enter "
        "as their codes, missing values as NaN; the metadata 'columns' has "
        "what each column is.");
    onnx.add_opset_import()->set_version(operatorVersion);
    auto* metadata = onnx.add_metadata_props();
    metadata->set_key("columns");
    metadata->set_value(ColumnsAsJSON());
    if (!model.regression)
    {
      auto* labels = onnx.add_metadata_props();
      labels->set_key("labels");
      labels->set_value(LabelsAsJSON());
    }
    onnx.mutable_graph()->set_name("gbnn");

    Declare(*onnx.mutable_graph()->add_input(), "X", Type::FLOAT,
        model.Columns());
    const std::string scores = AddNetwork(AddEncoding());
    if (model.regression)
    {
      AddLink(scores, "predictions");
      Declare(*onnx.mutable_graph()->add_output(), "predictions", Type::FLOAT,
          model.Outputs());
      return;
    }
    AddLabel(scores);
    Declare(*onnx.mutable_graph()->add_output(), "label",
        model.labels.AreWords() ? Type::STRING : Type::INT64, 0);
    AddProbabilities(scores);
    Declare(*onnx.mutable_graph()->add_output(), "probabilities", Type::FLOAT,
        model.Outputs());
  }

  //! The bytes of the file.
  std::string Bytes() const { return onnx.SerializeAsString(); }

 private:
  using Type = ONNX_NAMESPACE::TensorProto;

  //! What the columns are, for those who prepare points.
  std::string ColumnsAsJSON() const
  {
    std::string text = "[";
    for (size_t c = 0; c < model.Columns(); ++c)
    {
      const PortableColumn& column = model.columns[c];
      text += (c > 0) ? ", {" : "{";
      if (!column.name.empty())
        text += "\"name\": " + JSONString(column.name) + ", ";
      if (column.categories.empty())
      {
        text += "\"type\": \"numeric\"}";
        continue;
      }
      text += "\"type\": \"categorical\", \"categories\": [";
      for (size_t k = 0; k < column.categories.size(); ++k)
        text += (k > 0 ? ", " : "") + JSONString(column.categories[k]);
      text += "]}";
    }
    return text + "]";
  }

  //! The labels of the classes, in the order of their probabilities.
  std::string LabelsAsJSON() const
  {
    std::string text = "[";
    for (size_t k = 0; k < model.labels.Size(); ++k)
      text += (k > 0 ? ", " : "") + (model.labels.AreWords() ?
          JSONString(model.labels.Name(k)) : model.labels.Name(k));
    return text + "]";
  }

  //! Set type and size of an input or output: any number of points, with
  //! `numbers` numbers each, or a single one if that is 0.
  static void Declare(ONNX_NAMESPACE::ValueInfoProto& value,
                      const std::string& name,
                      const int type,
                      const size_t numbers)
  {
    value.set_name(name);
    auto* tensor = value.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    tensor->mutable_shape()->add_dim()->set_dim_param("N");
    if (numbers > 0)
      tensor->mutable_shape()->add_dim()->set_dim_value(int64_t(numbers));
  }

  //! Add a node of one output; returns the name of the output.
  std::string Node(const std::string& op,
                   const std::vector<std::string>& inputs,
                   const std::string& output)
  {
    auto* node = onnx.mutable_graph()->add_node();
    node->set_op_type(op);
    node->set_name(output + "_node");
    for (const std::string& input : inputs)
      node->add_input(input);
    node->add_output(output);
    return output;
  }

  //! Give the node that was added last an attribute.
  void Attribute(const std::string& name, const int64_t value)
  {
    auto* nodes = onnx.mutable_graph()->mutable_node();
    auto* attribute = nodes->Mutable(nodes->size() - 1)->add_attribute();
    attribute->set_name(name);
    attribute->set_type(ONNX_NAMESPACE::AttributeProto::INT);
    attribute->set_i(value);
  }

  //! Add an empty constant of the given sizes.
  ONNX_NAMESPACE::TensorProto& Constant(const std::string& name,
                                        const int type,
                                        const std::vector<size_t>& sizes)
  {
    auto* tensor = onnx.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(type);
    for (const size_t size : sizes)
      tensor->add_dims(int64_t(size));
    return *tensor;
  }

  //! Add a constant: values in the order of ONNX, whose last index is the
  //! fastest.  Returns its name.
  template<typename ValuesType>
  std::string Floats(const std::string& name,
                     const std::vector<size_t>& sizes,
                     const ValuesType& values)
  {
    auto& tensor = Constant(name, Type::FLOAT, sizes);
    for (const double value : values)
    {
      if (!std::isfinite(float(value)))
      {
        throw std::invalid_argument("ONNXExport: a number of the model (" +
            std::to_string(value) + ") is too large for single precision");
      }
      tensor.add_float_data(float(value));
    }
    return name;
  }

  //! Add a row of whole numbers; returns its name.
  template<typename ValuesType>
  std::string Integers(const std::string& name, const ValuesType& values)
  {
    auto& tensor = Constant(name, Type::INT64,
        { values.n_elem });
    for (const auto value : values)
      tensor.add_int64_data(int64_t(value));
    return name;
  }

  //! Add a row of words; returns its name.
  std::string Words(const std::string& name,
                    const std::vector<std::string>& words)
  {
    auto& tensor = Constant(name, Type::STRING, { words.size() });
    for (const std::string& word : words)
      tensor.add_string_data(word);
    return name;
  }

  //! A constant of one number.
  std::string Number(const std::string& name, const double value)
  {
    return Floats(name, { }, arma::vec(1, arma::fill::value(value)));
  }

  /**
   * Add what TableEncoder does; returns the name of the encoded points.  Single
   * precision could round a mean by more than a column varies, so the mean is
   * subtracted in two parts: the first difference is exact near the mean.
   */
  std::string AddEncoding()
  {
    const size_t d = model.Inputs();
    const std::string x = model.IsExpanded() ? AddColumns() : "X";
    if (model.HasBins())
      return AddBins(x);
    const arma::fvec high = arma::conv_to<arma::fvec>::from(model.mean);
    const std::string mean = Floats("mean", { d }, high);
    if (!model.scaled)
    {
      return Node("Where", { Node("IsNaN", { x }, "unknown"), mean, x },
          "filled");
    }
    const std::string near = Node("Sub", { x, mean }, "near_mean");
    const std::string shifted = Node("Sub", { near, Floats("mean_rest", { d },
        arma::vec(model.mean - arma::conv_to<arma::vec>::from(high))) },
        "shifted");
    const std::string scaled = Node("Div", { shifted, Floats("deviation", { d },
        model.deviation) }, "scaled");
    // What is unknown becomes the mean, which is 0 now.
    return Node("Where", { Node("IsNaN", { scaled }, "unknown"),
        Number("middle", 0), scaled }, "filled");
  }

  /**
   * Turn inputs before scaling into shares of bins.  Edges are those before
   * scaling, too, and subtracted in two parts: the first difference is exact
   * near the edge.
   *
   * @param x Name of the inputs; NaN stands for a mean.
   */
  std::string AddBins(const std::string& x)
  {
    const size_t n = model.NetworkInputs();
    arma::uvec source(n);
    arma::vec edge(n), width(n), middle(n);
    for (size_t i = 0, b = 0; i < model.Inputs(); ++i)
    {
      const arma::vec& e = model.edges[i];
      const double scale = model.scaled ? model.deviation[i] : 1.0;
      const double shift = model.scaled ? model.mean[i] : 0.0;
      for (size_t k = 0; k + 1 < e.n_elem; ++k, ++b)
      {
        source[b] = i;
        edge[b] = shift + scale * e[k];
        // In single precision, it must not become 0.
        width[b] = std::max(scale * (e[k + 1] - e[k]),
            double(std::numeric_limits<float>::min()));
        middle[b] = (model.mean[i] - edge[b]) / width[b];
      }
    }
    middle.clamp(0.0, 1.0);

    const arma::fvec high = arma::conv_to<arma::fvec>::from(edge);
    const std::string repeated = Node("Gather",
        { x, Integers("input_of_bin", source) }, "inputs_of_bins");
    Attribute("axis", 1);
    const std::string near = Node("Sub", { repeated, Floats("edge", { n },
        high) }, "near_edge");
    const std::string above = Node("Sub", { near, Floats("edge_rest", { n },
        arma::vec(edge - arma::conv_to<arma::vec>::from(high))) },
        "above_edge");
    const std::string shares = Node("Div", { above, Floats("width", { n },
        width) }, "unclipped");
    // What is unknown becomes the mean.
    const std::string filled = Node("Where", { Node("IsNaN", { shares },
        "unknown"), Floats("share_of_mean", { n }, middle), shares }, "filled");
    return Node("Clip", { filled, Number("no_share", 0),
        Number("whole_share", 1) }, "shares");
  }

  /**
   * Turn categories into columns of 0 and 1, or NaN where they did not occur in
   * training; numeric columns stay as they are.  A column of 0 and 1 follows
   * where cells were missing in training.  Every column of the table is
   * repeated for each of its new columns, so that all is done elementwise: a
   * repeated code is compared with the number of its category.
   */
  std::string AddColumns()
  {
    const size_t d = model.Inputs();
    arma::uvec source(d);
    arma::vec code(d), last(d), categorical(d), hasGaps(d), gap(d);
    for (size_t c = 0, i = 0; c < model.Columns(); ++c)
    {
      const size_t count = model.columns[c].categories.size();
      for (size_t k = 0; k < model.columns[c].Rows(); ++k, ++i)
      {
        source[i] = c;
        code[i] = double(k);
        last[i] = double(count) - 1;
        categorical[i] = (count > 0);
        hasGaps[i] = model.columns[c].gaps;
        gap[i] = model.columns[c].gaps && k + 1 == model.columns[c].Rows();
      }
    }

    const std::string x = Node("Gather", { "X", Integers("source", source) },
        "repeated");
    Attribute("axis", 1);
    const auto flags = [&](const std::string& name, const arma::vec& values)
    {
      const std::string node = Node("Cast", { Floats(name, { d }, values) },
          "is_" + name);
      Attribute("to", Type::BOOL);
      return node;
    };
    const std::string missing = Node("IsNaN", { x }, "missing");
    const std::string hot = Node("Cast", { Node("Equal",
        { x, Floats("code", { d }, code) }, "is_category") }, "hot");
    Attribute("to", Type::FLOAT);

    // Any code that is none of 0, 1, ..., last did not occur in training.
    const std::string whole = Node("Equal", { Node("Floor", { x }, "floor"),
        x }, "is_whole");
    const std::string inside = Node("And", {
        Node("GreaterOrEqual", { x, Number("zero", 0) }, "is_from_zero"),
        Node("LessOrEqual", { x, Floats("last", { d }, last) },
            "is_to_last") }, "is_inside");
    const std::string known = Node("Or", {
        Node("And", { whole, inside }, "is_code"),
        Node("And", { missing, flags("known_gap", hasGaps) }, "is_gap_here") },
        "is_known");
    Constant("nan", Type::FLOAT, { }).add_float_data(arma::fdatum::nan);
    const std::string columns = Node("Where", { known, hot, "nan" },
        "columns");
    const std::string encoded = Node("Where",
        { flags("categorical", categorical), columns, x }, "encoded");
    const std::string gaps = Node("Cast", { missing }, "gaps");
    Attribute("to", Type::FLOAT);
    return Node("Where", { flags("gap", gap), gaps, encoded }, "expanded");
  }

  //! Add the network; returns the name of the scores.
  std::string AddNetwork(const std::string& x)
  {
    const size_t d = model.NetworkInputs(), units = model.Units();
    const size_t scores = model.Scores();
    // Rows of points times weights, so weights are (inputs x units).
    const std::string sums = Node("Gemm", { x,
        Floats("hidden_weights", { d, units },
            arma::mat(model.hiddenWeights.t())),
        Floats("hidden_bias", { units }, model.hiddenBias) }, "hidden_sums");
    const char* ops[] = { "Sigmoid", "Tanh", "Relu" };
    const std::string hidden = Node(ops[size_t(model.activation)], { sums },
        "hidden");
    return Node("Gemm", { hidden,
        Floats("output_weights", { units, scores }, model.outputWeights),
        Floats("output_bias", { scores }, model.outputBias) }, "scores");
  }

  //! Add what turns scores into predictions.
  void AddLink(const std::string& scores, const std::string& output)
  {
    switch (model.output)
    {
      case OutputLayer::IDENTITY:
        Node("Identity", { scores }, output);
        return;
      case OutputLayer::SIGMOID:
        Node("Sigmoid", { scores }, output);
        return;
      case OutputLayer::SOFTMAX:
        Node("Softmax", { scores }, output);
        Attribute("axis", 1);
        return;
      case OutputLayer::EXPONENTIAL:
        Node("Exp", { scores }, output);
        return;
      case OutputLayer::SORTED:
        AddSorted(scores, output);
        return;
    }
    throw std::invalid_argument("ONNXExport: predictions of this loss cannot "
        "be written as ONNX");
  }

  //! Add the scores in ascending order: all of them are the smallest ones.
  void AddSorted(const std::string& scores, const std::string& output)
  {
    arma::Col<int64_t> count(1);
    count[0] = int64_t(model.Scores());
    Node("TopK", { scores, Integers("number_of_scores", count) }, output);
    auto* nodes = onnx.mutable_graph()->mutable_node();
    nodes->Mutable(nodes->size() - 1)->add_output("order");
    Attribute("axis", 1);
    Attribute("largest", 0);
    Attribute("sorted", 1);
  }

  //! Add the label of the class with the highest score.
  void AddLabel(const std::string& scores)
  {
    std::string place;
    if (model.Scores() == 1)
    {
      arma::Col<int64_t> axis(1);
      axis[0] = 1;
      const std::string flat = Node("Squeeze", { scores,
          Integers("second", axis) }, "flat_scores");
      place = Node("Cast", { Node("Greater", { flat, Number("threshold",
          0) }, "is_class_1") }, "class");
      Attribute("to", Type::INT64);
    }
    else
    {
      place = Node("ArgMax", { scores }, "class");
      Attribute("axis", 1);
      Attribute("keepdims", 0);
    }
    Node("Gather", { model.labels.AreWords() ? Words("labels",
        model.labels.Words()) : Integers("labels", model.labels.Numbers()),
        place }, "label");
    Attribute("axis", 0);
  }

  //! Add the probability of each class.
  void AddProbabilities(const std::string& scores)
  {
    if (model.Scores() > 1)
    {
      AddLink(scores, "probabilities");
      return;
    }
    AddLink(scores, "probability_1");
    const std::string other = Node("Sub", { Number("one", 1),
        "probability_1" }, "probability_0");
    Node("Concat", { other, "probability_1" }, "probabilities");
    Attribute("axis", 1);
  }

  const PortableGBNN& model;
  ONNX_NAMESPACE::ModelProto onnx;
};

//! A model as the bytes of an ONNX file.
inline std::string ExportONNX(const PortableGBNN& model)
{
  return ONNXExport(model).Bytes();
}

#else

constexpr bool hasONNX = false;

inline std::string ExportONNX(const PortableGBNN& /* model */)
{
  throw std::invalid_argument("ExportONNX(): built without ONNX");
}

#endif

} // namespace gbnn
} // namespace mlpack

#endif
