/**
 * @file methods/gbnn/class_weights.hpp
 *
 * Weights of classes, turned into weights of points.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_CLASS_WEIGHTS_HPP
#define MLPACK_METHODS_GBNN_CLASS_WEIGHTS_HPP

#include <optional>

#include "table/class_labels.hpp"
#include "table/number_list.hpp"

namespace mlpack {

/**
 * The weight of each point when each class has one: the weight of its class,
 * times its own.  Throws std::invalid_argument if numbers do not fit together
 * or a class does not weigh more than 0.
 *
 * @param labels Label of each point, smaller than the number of classes.
 * @param classWeights Weight of each class.
 * @param weights Weight of each point, or empty.
 */
template<typename RowType>
RowType ClassWeights(const arma::Row<size_t>& labels,
                     const RowType& classWeights,
                     const RowType& weights = RowType())
{
  const auto fail = [](const std::string& what)
  {
    throw std::invalid_argument("ClassWeights(): " + what);
  };
  if (!weights.is_empty() && weights.n_elem != labels.n_elem)
  {
    fail("number of weights (" + std::to_string(weights.n_elem) + ") does not "
        "match number of labels (" + std::to_string(labels.n_elem) + ")");
  }
  if (!classWeights.is_finite() || arma::any(classWeights <= 0))
    fail("weights of classes must be finite and greater than 0");

  RowType result(labels.n_elem);
  for (size_t i = 0; i < labels.n_elem; ++i)
  {
    if (labels[i] >= classWeights.n_elem)
    {
      fail("label " + std::to_string(labels[i]) + " of point " +
          std::to_string(i) + " must be less than the number of classes (" +
          std::to_string(classWeights.n_elem) + ")");
    }
    result[i] = classWeights[labels[i]];
    if (!weights.is_empty())
      result[i] *= weights[i];
  }
  return result;
}

/**
 * Weights of points with which all classes have the same total weight: a point
 * of class c counts N / (K N_c) times its own weight, where N is the total
 * weight of all points, N_c that of its class, and K is the number of classes
 * of positive weight.  So a point of weight 2 counts as that point twice, and
 * the sum of all weights does not change.
 *
 * @param labels Label of each point.
 * @param weights Weight of each point, or empty.
 */
template<typename RowType = arma::rowvec>
RowType BalancedWeights(const arma::Row<size_t>& labels,
                        const RowType& weights = RowType());

namespace gbnn {

//! The weight of a point of each class when all have the same total weight.
template<typename RowType>
RowType BalancedFactors(const arma::Row<size_t>& labels,
                        const RowType& weights)
{
  if (!weights.is_empty() && (weights.n_elem != labels.n_elem ||
      !weights.is_finite() || weights.min() < 0))
  {
    throw std::invalid_argument("BalancedWeights(): weights must be finite, "
        "not negative, and as many as there are labels (" +
        std::to_string(labels.n_elem) + ")");
  }
  if (labels.is_empty())
    return RowType();
  // There is a sum for each label up to the largest.  A label of -1 would be a
  // very large one here; 2^24 is more than there are classes, and takes 128 MB.
  const size_t maximum = size_t(1) << 24;
  if (labels.max() >= maximum)
  {
    throw std::invalid_argument("BalancedWeights(): label " +
        std::to_string(labels.max()) + " of point " +
        std::to_string(labels.index_max()) + " must be less than " +
        std::to_string(maximum));
  }
  arma::rowvec sums(labels.max() + 1, arma::fill::zeros);
  for (size_t i = 0; i < labels.n_elem; ++i)
    sums[labels[i]] += weights.is_empty() ? 1.0 : double(weights[i]);

  const double mean = arma::accu(sums) / double(arma::accu(sums > 0));
  RowType classWeights(sums.n_elem, arma::fill::ones);
  for (size_t c = 0; c < sums.n_elem; ++c)
    if (sums[c] > 0)
      classWeights[c] = mean / sums[c];
  return classWeights;
}

} // namespace gbnn

template<typename RowType>
RowType BalancedWeights(const arma::Row<size_t>& labels, const RowType& weights)
{
  const RowType factors = gbnn::BalancedFactors(labels, weights);
  return factors.is_empty() ? factors : ClassWeights(labels, factors, weights);
}

namespace gbnn {

/**
 * Take the next pair `label:weight` of a list with commas between.  A label can
 * be put in double quotes, as a cell of a file can: commas and colons in it are
 * its own then, and two quotes stand for one.
 *
 * @param text The list.
 * @param begin Where the pair begins; set to where the next one does, beyond
 *     the end of the text after the last.
 * @return Label and weight; nothing if this is no such pair.
 */
inline std::optional<std::pair<std::string, std::string>> NextPair(
    const std::string& text, size_t& begin)
{
  std::string label;
  size_t colon = begin;
  const bool quoted = (begin < text.size() && text[begin] == '"');
  if (quoted)
  {
    for (++colon; colon < text.size(); ++colon)
    {
      if (text[colon] == '"' && text[++colon] != '"')
        break;
      label += text[colon];
    }
  }
  const size_t first = begin;
  const size_t end = std::min(text.find(',', colon), text.size());
  begin = end + 1;
  if (!quoted)
  {
    // The last, for a word may have one in it.
    const size_t place = text.substr(first, end - first).rfind(':');
    if (place == std::string::npos)
      return std::nullopt;
    colon = first + place;
    label = text.substr(first, place);
  }
  if (colon >= end || text[colon] != ':')
    return std::nullopt;
  return std::make_pair(label, text.substr(colon + 1, end - colon - 1));
}

/**
 * Read weights of classes from `label:weight` pairs with commas between; those
 * not mentioned weigh 1.  Throws std::invalid_argument.
 *
 * @param text What the user gave.
 * @param labels The labels there are.
 * @param name What to call the text in errors.
 */
inline arma::rowvec ReadClassWeights(const std::string& text,
                                     const ClassLabels& labels,
                                     const std::string& name)
{
  const auto fail = [&](const std::string& what)
  {
    throw std::invalid_argument(name + ": " + what + "; give pairs such as "
        "'0:1,1:2.5' (a label with a comma in double quotes), or 'balanced'");
  };
  arma::rowvec weights(labels.Size(), arma::fill::ones);
  std::vector<bool> seen(labels.Size(), false);
  for (size_t begin = 0; begin <= text.size();)
  {
    const size_t first = begin;
    const auto pair = NextPair(text, begin);
    if (!pair)
    {
      fail("'" + text.substr(first, begin - 1 - first) + "' is not a label, a "
          "colon and a weight");
    }
    const auto& [label, weight] = *pair;
    size_t c = labels.Find(label);
    // As in Classes(), 1 may stand for 01.
    if (c == labels.Size() && labels.AreWords())
      c = FindNumber(labels.Words(), ReadNumber(label));
    if (c == labels.Size())
    {
      fail("'" + label + "' is none of the labels there are (" +
          labels.List() + ")");
    }
    if (seen[c])
      fail("label " + label + " is given twice");
    seen[c] = true;
    weights[c] = ReadNumber(weight);
    if (!(weights[c] > 0 && std::isfinite(weights[c])))
    {
      fail("weight '" + weight + "' of label " + label + " is not a number "
          "greater than 0 (leave points out to do without a class)");
    }
  }
  return weights;
}

/**
 * Multiply the weights of points by those of their classes.
 *
 * @param text 'balanced', or what ReadClassWeights() takes.
 * @param classes Class of each point; the number of labels if it has none.
 * @param labels The labels there are.
 * @param weights Weight of each point, or empty; changed.
 * @param name What to call the text in errors.
 * @return The weight of each class, and one more for points that have none:
 *     labels that are unknown to a model which is trained further are reported
 *     later.
 */
inline arma::rowvec ApplyClassWeights(const std::string& text,
                                      const arma::Row<size_t>& classes,
                                      const ClassLabels& labels,
                                      arma::rowvec& weights,
                                      const std::string& name)
{
  const arma::rowvec known = (text == "balanced") ?
      BalancedFactors(classes, weights) : ReadClassWeights(text, labels, name);
  arma::rowvec factors(labels.Size() + 1, arma::fill::ones);
  factors.head(known.n_elem) = known;
  weights = ClassWeights(classes, factors, weights);
  return factors;
}

} // namespace gbnn
} // namespace mlpack

#endif
