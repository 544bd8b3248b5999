/**
 * @file methods/gbnn/table/class_labels.hpp
 *
 * Labels as users give them, words or whole numbers, and classes numbered from
 * 0.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_TABLE_CLASS_LABELS_HPP
#define MLPACK_METHODS_GBNN_TABLE_CLASS_LABELS_HPP

#include <mlpack/prereqs.hpp>

#include <unordered_map>

#include "../compute/communicator.hpp"
#include "../compute/require_version.hpp"
#include "column_names.hpp"
#include "number_list.hpp"

namespace mlpack {
namespace gbnn {

//! The labels of some points, as users give them.
struct PointLabels
{
  //! The number of each point; of words, its place in `words`.  NaN if it is
  //! missing.
  arma::rowvec values;
  //! The words there are, in any order; none if labels are numbers.
  std::vector<std::string> words;

  PointLabels() { }
  //! Labels that are numbers; -0 is 0.
  PointLabels(const arma::rowvec& numbers) : values(numbers)
  {
    for (double& value : values)
      value += 0.0;
  }
  //! Labels that are words.  If these are false and true in several spellings,
  //! one spelling of each is kept.
  PointLabels(const arma::rowvec& places,
              const std::vector<std::string>& words) :
      values(places), words(words)
  {
    std::vector<std::string> kept = words;
    KeepTruths(kept);
    for (double& place : values)
      if (kept.size() < words.size() && !std::isnan(place))
        place = double(FindTruth(kept, words.at(size_t(place))));
    this->words = std::move(kept);
  }

  //! Number of points.
  size_t Size() const { return values.n_elem; }
  //! Whether labels are words.
  bool AreWords() const { return !words.empty(); }
  //! Whether a point has no label.
  bool IsMissing(const size_t i) const { return std::isnan(values[i]); }
  //! The label of a point as text.
  std::string Text(const size_t i) const
  {
    return AreWords() ? words[size_t(values[i])] : NumberText(values[i]);
  }
  //! The labels of some of the points.
  PointLabels Of(const arma::uvec& points) const
  {
    return PointLabels(arma::rowvec(values.cols(points)), words);
  }
};

//! Whether a number can be a label.  From 2^53 on doubles no longer tell whole
//! numbers apart.
inline bool IsWhole(const double value)
{
  return std::floor(value) == value && std::abs(value) < 0x1p53;
}

/**
 * Throw std::invalid_argument unless all points have labels, and those that are
 * numbers are whole ones.
 *
 * @param labels Label of each point.
 * @param name What to call them in errors.
 * @param before Number of points before these, for errors.
 */
inline void CheckLabels(const PointLabels& labels,
                        const std::string& name,
                        const size_t before = 0)
{
  for (size_t i = 0; i < labels.Size(); ++i)
  {
    if (labels.IsMissing(i))
    {
      throw std::invalid_argument("point " + std::to_string(before + i + 1) +
          " in " + name + " has no label; leave out the points without one");
    }
    const double value = labels.values[i];
    if (!IsWhole(value))
    {
      std::ostringstream text;
      text << value;
      throw std::invalid_argument("label " + text.str() + " of point " +
          std::to_string(before + i + 1) + " in " + name + " is not "
          "a whole number of less than 2^53; for regression give responses, or "
          "the task 'regression'");
    }
  }
}

/**
 * The labels of a model's classes, in ascending order: numbers by their size,
 * words by the alphabet.
 */
class ClassLabels
{
 public:
  //! No classes.
  ClassLabels() { }

  //! Labels that are numbers, in ascending order.
  ClassLabels(const arma::rowvec& numbers) : numbers(numbers) { }

  /**
   * Learn which labels there are; throws std::invalid_argument if there are not
   * at least two.
   *
   * @param labels Label of each point.
   * @param name What to call them in errors.
   * @param ranks Processes that each have some of the points, or nullptr; words
   *     must be the same for all.
   */
  ClassLabels(const PointLabels& labels,
              const std::string& name,
              const GBNNCommunicator* ranks = nullptr);

  //! Number of classes.
  size_t Size() const { return numbers.n_elem; }
  //! Whether labels are words.
  bool AreWords() const { return !words.empty(); }
  //! The words; none if labels are numbers.
  const std::vector<std::string>& Words() const { return words; }
  //! The numbers; of words, those of the classes.
  const arma::rowvec& Numbers() const { return numbers; }
  //! What a class is called.
  std::string Name(const size_t k) const
  {
    return AreWords() ? words[k] : NumberText(numbers[k]);
  }
  //! Some of the labels, for an error to name.
  std::string List() const;

  //! The class that is called so, or the number of classes if there is none.
  //! If the words are false and true, which languages spell differently,
  //! capital letters do not matter.
  size_t Find(const std::string& text) const;

  /**
   * The class of each point, or the number of classes where its label is none
   * of these.
   *
   * @param labels Label of each point.
   * @param name What to call them in errors.
   * @param before Number of points on the ranks before this one.
   */
  arma::Row<size_t> Classes(const PointLabels& labels,
                            const std::string& name,
                            const size_t before = 0) const;

  //! The number of each class given.
  arma::rowvec NumbersOf(const arma::Row<size_t>& classes) const;

  //! Throw std::runtime_error unless these can be the labels of so many
  //! classes: what was loaded may have been written by anyone.
  void CheckLoaded(const size_t classes, const std::string& name) const;

  //! Serialize the labels.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version)
  {
    RequireVersion("ClassLabels", version, 1);
    ar(CEREAL_NVP(numbers));
    ar(CEREAL_NVP(words));
  }

 private:
  //! The class of a number.
  size_t FindNumber(const double value) const;

  arma::rowvec numbers;
  std::vector<std::string> words;
};

//! The labels there are, in ascending order, of all ranks.
inline arma::rowvec DistinctLabels(const PointLabels& labels,
                                   const GBNNCommunicator* ranks)
{
  const arma::rowvec mine = arma::unique(labels.values);
  return arma::unique(arma::rowvec(GatherAll(ranks,
      std::vector<double>(mine.begin(), mine.end()))));
}

inline ClassLabels::ClassLabels(const PointLabels& labels,
                                const std::string& name,
                                const GBNNCommunicator* ranks)
{
  CheckLabels(labels, name, SumBefore(ranks, labels.Size()));
  numbers = DistinctLabels(labels, ranks);
  if (numbers.n_elem < 2)
  {
    throw std::invalid_argument(name + " has only one class" +
        (labels.Size() > 0 ? " ('" + ShortText(labels.Text(0)) + "')" : "") +
        "; at least two are needed to learn to tell them apart");
  }
  if (!labels.AreWords())
    return;
  // Only those that occur.
  if (size_t(numbers.max()) >= labels.words.size())
    throw std::invalid_argument(name + " has other words on other processes");
  for (const double place : numbers)
    words.push_back(labels.words[size_t(place)]);
  std::sort(words.begin(), words.end());
  numbers = arma::regspace<arma::rowvec>(0, words.size() - 1);
}

inline std::string ClassLabels::List() const
{
  const size_t maximum = 10;
  std::string text;
  for (size_t k = 0; k < std::min(maximum, Size()); ++k)
    text += (k > 0 ? ", " : "") + ShortText(Name(k));
  return text + (Size() > maximum ? ", ..." : "");
}

inline size_t ClassLabels::FindNumber(const double value) const
{
  const double* place = std::lower_bound(numbers.begin(), numbers.end(), value);
  const bool known = (place != numbers.end() && *place == value);
  return known ? size_t(place - numbers.begin()) : Size();
}

inline size_t ClassLabels::Find(const std::string& text) const
{
  if (!AreWords())
    return FindNumber(ReadNumber(text));
  const auto place = std::lower_bound(words.begin(), words.end(), text);
  if (place != words.end() && *place == text)
    return size_t(place - words.begin());
  return FindTruth(words, text);
}

inline arma::Row<size_t> ClassLabels::Classes(const PointLabels& labels,
                                              const std::string& name,
                                              const size_t before) const
{
  CheckLabels(labels, name, before);
  arma::Row<size_t> classes(labels.Size());
  // Words that happen to be numbers are read as such if the model has numbers,
  // and numbers are words if it has words.
  const auto classOf = [&](const size_t i)
  {
    if (!AreWords() && !labels.AreWords())
      return FindNumber(labels.values[i]);
    const size_t found = Find(labels.Text(i));
    // Where all labels are numbers, 01 has become 1.
    return (found == Size() && !labels.AreWords()) ?
        gbnn::FindNumber(words, labels.values[i]) : found;
  };
  // Each label is looked for once.
  std::unordered_map<double, size_t> known;
  for (size_t i = 0; i < labels.Size(); ++i)
  {
    const auto found = known.find(labels.values[i]);
    classes[i] = (found != known.end()) ? found->second :
        (known[labels.values[i]] = classOf(i));
  }
  return classes;
}

inline arma::rowvec ClassLabels::NumbersOf(
    const arma::Row<size_t>& classes) const
{
  arma::rowvec values(classes.n_elem);
  for (size_t i = 0; i < classes.n_elem; ++i)
    values[i] = numbers[classes[i]];
  return values;
}

inline void ClassLabels::CheckLoaded(const size_t classes,
                                     const std::string& name) const
{
  if (Size() != classes || (AreWords() && words.size() != classes))
    throw std::runtime_error(name + ": sizes do not match");
  if (HaveZeroByte(words))
    throw std::runtime_error(name + ": a label has a zero byte");
  const bool sorted = AreWords() ?
      std::adjacent_find(words.begin(), words.end(),
          std::greater_equal<std::string>()) == words.end() :
      numbers.is_sorted("strictascend");
  if (!numbers.is_finite() || !sorted)
    throw std::runtime_error(name + ": labels are not in ascending order");
  for (const double number : numbers)
    if (!IsWhole(number))
      throw std::runtime_error(name + ": a label is not a whole number");
  for (size_t k = 0; AreWords() && k < classes; ++k)
    if (numbers[k] != double(k))
      throw std::runtime_error(name + ": words are not numbered from 0");
}

} // namespace gbnn
} // namespace mlpack

CEREAL_CLASS_VERSION(mlpack::gbnn::ClassLabels, 1);

#endif
