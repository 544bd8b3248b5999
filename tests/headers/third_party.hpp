// What the method's headers include of others: precompiled, so that each header
// takes a second to check and not ten.
#include <ensmallen.hpp>
#include <mlpack/prereqs.hpp>
#include <mlpack/core/util/ens_traits.hpp>
#include <mlpack/methods/ann/ffn.hpp>
#include <mlpack/methods/ann/init_rules/random_init.hpp>
#include <mlpack/methods/ann/layer/base_layer.hpp>
#include <mlpack/methods/ann/layer/linear.hpp>
#include <mlpack/methods/ann/layer/softmax.hpp>
#include <mlpack/methods/ann/loss_functions/binary_cross_entropy_loss.hpp>
#include <mlpack/methods/ann/loss_functions/mean_squared_error.hpp>
