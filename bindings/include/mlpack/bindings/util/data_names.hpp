/**
 * @file bindings/util/data_names.hpp
 *
 * Make the names DatasetInfo, Datatype, Load and Save mean the same in all
 * supported versions: mlpack 4.6 has them in its namespace data, which later
 * versions do not have.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_UTIL_DATA_NAMES_HPP
#define MLPACK_BINDINGS_UTIL_DATA_NAMES_HPP

namespace mlpack {
namespace data { }
namespace bindings {

using namespace mlpack::data;

} // namespace bindings
} // namespace mlpack

#endif
