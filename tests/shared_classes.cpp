/**
 * @file tests/shared_classes.cpp
 *
 * Compiles what shared_classes.hpp declares.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "shared_classes.hpp"

GBNN_SHARED_CLASSES(template)
