/**
 * @file bindings/util/label_names.hpp
 *
 * Labels that are words.  mlpack has no output that could hold them, so a
 * binding has two: `predictions`, a row of numbers, and `label_names`, the
 * words that these are places of.  Front ends put them together.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_LABEL_NAMES_HPP
#define MLPACK_BINDINGS_UTIL_LABEL_NAMES_HPP

#include <mlpack/core/util/params.hpp>

#include <any>
#include <string>
#include <vector>

#include "param_kind.hpp"

namespace mlpack {
namespace bindings {

//! Whether an output is the list of words that others are places of.
inline bool IsLabelNames(const util::ParamData& d)
{
  return !d.input && d.name == "label_names" &&
      KindOf(d) == ParamKind::StringVector;
}

/**
 * The words that the numbers of an output stand for.
 *
 * @param params All parameters of the binding.
 * @param d The output.
 * @return The words, or nullptr if numbers are just numbers.
 */
inline const std::vector<std::string>* WordsOf(util::Params& params,
                                               const util::ParamData& d)
{
  if (d.input || d.name != "predictions" || KindOf(d) != ParamKind::Row)
    return nullptr;
  const auto names = params.Parameters().find("label_names");
  if (names == params.Parameters().end() || !IsLabelNames(names->second))
    return nullptr;
  const auto* words = std::any_cast<std::vector<std::string>>(
      &names->second.value);
  return (words && !words->empty()) ? words : nullptr;
}

} // namespace bindings
} // namespace mlpack

#endif
