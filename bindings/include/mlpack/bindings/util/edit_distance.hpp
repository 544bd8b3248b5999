/**
 * @file bindings/util/edit_distance.hpp
 *
 * How far one word is from another, to suggest names of options.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_EDIT_DISTANCE_HPP
#define MLPACK_BINDINGS_UTIL_EDIT_DISTANCE_HPP

#include <mlpack/methods/gbnn/table/column_names.hpp>

namespace mlpack {
namespace bindings {

using gbnn::EditDistance;

} // namespace bindings
} // namespace mlpack

#endif
