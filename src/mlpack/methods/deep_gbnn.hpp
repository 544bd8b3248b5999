/**
 * @file methods/deep_gbnn.hpp
 *
 * A boosted head on the frozen layers of a deep network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_DEEP_GBNN_HPP
#define MLPACK_METHODS_DEEP_GBNN_HPP

#include "deep_gbnn/deep_gbnn.hpp"

#endif
