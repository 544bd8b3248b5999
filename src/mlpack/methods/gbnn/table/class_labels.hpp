/**
 * @file methods/gbnn/table/class_labels.hpp
 *
 * Labels as users give them, any whole numbers, and classes numbered from 0.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_TABLE_CLASS_LABELS_HPP
#define MLPACK_METHODS_GBNN_TABLE_CLASS_LABELS_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

//! Throw std::invalid_argument unless all labels are whole numbers.
inline void CheckLabels(const arma::rowvec& values, const std::string& name)
{
  for (size_t i = 0; i < values.n_elem; ++i)
  {
    // Beyond 2^53 doubles no longer tell whole numbers apart.
    if (std::floor(values[i]) != values[i] || std::abs(values[i]) > 0x1p53)
    {
      std::ostringstream value;
      value << values[i];
      throw std::invalid_argument("label " + value.str() + " of point " +
          std::to_string(i + 1) + " in " + name + " is not a whole number; for "
          "regression give gbnn responses instead of labels");
    }
  }
}

/**
 * The labels that there are, in ascending order; throws std::invalid_argument
 * if there are not at least two.
 *
 * @param values Label of each point.
 * @param name What to call them in errors.
 */
inline arma::rowvec DistinctLabels(const arma::rowvec& values,
                                   const std::string& name)
{
  CheckLabels(values, name);
  const arma::rowvec labels = arma::unique(values);
  if (labels.n_elem < 2)
  {
    throw std::invalid_argument(name + " has only one class; at least two are "
        "needed to learn to tell them apart");
  }
  return labels;
}

/**
 * The class of each point: the place of its label among those of the model, or
 * their number if it is none of them.
 */
inline arma::Row<size_t> ClassesOf(const arma::rowvec& values,
                                   const arma::rowvec& labels,
                                   const std::string& name)
{
  CheckLabels(values, name);
  arma::Row<size_t> classes(values.n_elem);
  for (size_t i = 0; i < values.n_elem; ++i)
  {
    const double* place = std::lower_bound(labels.begin(), labels.end(),
        values[i]);
    const bool known = (place != labels.end() && *place == values[i]);
    classes[i] = known ? size_t(place - labels.begin()) : labels.n_elem;
  }
  return classes;
}

//! The label of each class given.
inline arma::rowvec LabelsOf(const arma::Row<size_t>& classes,
                             const arma::rowvec& labels)
{
  arma::rowvec values(classes.n_elem);
  for (size_t i = 0; i < classes.n_elem; ++i)
    values[i] = labels[classes[i]];
  return values;
}

//! Throw std::runtime_error unless these can be the labels of a model's
//! classes: what was loaded may have been written by anyone.
inline void CheckLoadedLabels(const arma::rowvec& labels,
                              const size_t classes,
                              const std::string& name)
{
  if (labels.n_elem != classes)
    throw std::runtime_error(name + ": sizes do not match");
  if (!labels.is_finite() || !labels.is_sorted("strictascend"))
    throw std::runtime_error(name + ": labels are not in ascending order");
}

} // namespace gbnn
} // namespace mlpack

#endif
