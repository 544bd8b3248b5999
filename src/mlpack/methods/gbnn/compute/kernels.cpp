/**
 * @file methods/gbnn/compute/kernels.cpp
 *
 * The kernels of every level, compiled once for a program whose source files
 * all define MLPACK_GBNN_SHARED_KERNELS.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#define MLPACK_GBNN_DEFINE_KERNELS
#include "kernels.hpp"

#define MLPACK_GBNN_INSTANTIATE(level) \
    template struct mlpack::gbnn::level::Kernels<double>; \
    template struct mlpack::gbnn::level::Kernels<float>; \
    template struct mlpack::gbnn::level::SumKernels<double, double>; \
    template struct mlpack::gbnn::level::SumKernels<float, float>; \
    template struct mlpack::gbnn::level::SumKernels<float, double>

#if defined(MLPACK_GBNN_HAS_BASELINE)
MLPACK_GBNN_INSTANTIATE(baseline);
#endif
#if defined(MLPACK_GBNN_HAS_NEON)
MLPACK_GBNN_INSTANTIATE(neon);
#endif
#if defined(MLPACK_GBNN_HAS_V3)
MLPACK_GBNN_INSTANTIATE(v3);
#endif
#if defined(MLPACK_GBNN_HAS_V4)
MLPACK_GBNN_INSTANTIATE(v4);
#endif
