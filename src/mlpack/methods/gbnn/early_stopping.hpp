/**
 * @file methods/gbnn/early_stopping.hpp
 *
 * Validation sets for early stopping.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_EARLY_STOPPING_HPP
#define MLPACK_METHODS_GBNN_EARLY_STOPPING_HPP

#include <mlpack/prereqs.hpp>

#include "network/boosted_network.hpp"

namespace mlpack {

/**
 * A validation set for early stopping: points that are not trained on.  Pass it
 * to Train() or Grow() as a callback:
 *
 * @code
 * GBNNValidation validation(validData, validLabels);
 * model.Train(data, labels, numClasses, validation);
 * // model.Units() is the number of units with the lowest loss on validData.
 * @endcode
 *
 * Training stops after `model.Patience()` stages without a lower loss.  The
 * losses are in `model.ValidationLosses()`.
 *
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 * @tparam TruthType `arma::Row<size_t>` for labels; `MatType`, or a row of its
 *     elements, for responses.
 */
template<typename MatType, typename TruthType>
class GBNNValidation
{
 public:
  using RowType = arma::Row<typename MatType::elem_type>;

  /**
   * @param data Points, one a column.
   * @param truth Label or responses of each point.
   * @param weights Weights of the points, or empty.
   */
  GBNNValidation(MatType data, TruthType truth, RowType weights = RowType()) :
      data(std::move(data)),
      truth(std::move(truth)),
      weights(std::move(weights))
  { }

  const MatType& Data() const { return data; }
  const TruthType& Truth() const { return truth; }
  const RowType& Weights() const { return weights; }

  /**
   * The targets of a loss for these points.
   *
   * @param name Function whose name errors carry.
   * @param loss The loss.
   * @param outputs Number of outputs of the network.
   */
  template<typename LossType>
  MatType Targets(const std::string& name,
                  const LossType& loss,
                  const size_t outputs) const
  {
    MatType targets;
    if constexpr (std::is_same_v<TruthType, arma::Row<size_t>>)
    {
      const size_t classes = (outputs == 1) ? 2 : outputs;
      if (!truth.is_empty() && truth.max() >= classes)
      {
        throw std::invalid_argument(name + ": label " +
            std::to_string(truth.max()) + " of validation point " +
            std::to_string(truth.index_max()) + " must be less than the number "
            "of classes (" + std::to_string(classes) + ")");
      }
      LossType encoder(loss);
      encoder.Encode(truth, classes, targets);
    }
    else
    {
      const size_t responses = loss.NumResponses(outputs);
      if (truth.n_rows != responses)
      {
        throw std::invalid_argument(name + ": number of responses of a "
            "validation point (" + std::to_string(truth.n_rows) + ") does "
            "not match that of the model (" + std::to_string(responses) + ")");
      }
      loss.Encode(MatType(truth), targets);
    }
    return targets;
  }

 private:
  MatType data;
  TruthType truth;
  RowType weights;
};

namespace gbnn {

//! Whether a type is a GBNNValidation.
template<typename T>
constexpr bool IsValidation = false;
template<typename MatType, typename TruthType>
constexpr bool IsValidation<GBNNValidation<MatType, TruthType>> = true;

} // namespace gbnn
} // namespace mlpack

#endif
