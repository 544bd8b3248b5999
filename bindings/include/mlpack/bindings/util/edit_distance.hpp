/**
 * @file bindings/util/edit_distance.hpp
 *
 * How far one word is from another, to suggest names of options.
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
