/**
 * @file methods/gbnn/gbnn_model.hpp
 *
 * The model that a binding saves: the encoder of tables, a classifier or
 * regressor, and the labels of the classes.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_GBNN_MODEL_HPP
#define MLPACK_METHODS_GBNN_GBNN_MODEL_HPP

#include "table/class_labels.hpp"
#include "gbnn_classifier.hpp"
#include "gbnn_regressor.hpp"
#include "loss_functions/regression_loss.hpp"
#include "table/table_encoder.hpp"

namespace mlpack {

/**
 * A trained GBNN with everything that is needed to use it on a table like the
 * one it was trained on.
 */
class GBNNModel
{
 public:
  //! Whether the model predicts numbers rather than classes.
  bool IsRegression() const { return regression; }
  //! Say whether the model predicts numbers.
  bool& IsRegression() { return regression; }

  //! How tables become points.
  const TableEncoder& Encoder() const { return encoder; }
  TableEncoder& Encoder() { return encoder; }

  //! The classifier; only meaningful if this is not regression.
  const GBNNClassifier<>& Classifier() const { return classifier; }
  GBNNClassifier<>& Classifier() { return classifier; }

  //! A regressor of any of the losses.
  using RegressorType = GBNNRegressor<arma::mat, RegressionLoss>;

  //! The regressor; only meaningful if this is regression.
  const RegressorType& Regressor() const { return regressor; }
  RegressorType& Regressor() { return regressor; }

  //! The labels of the classes, in ascending order.
  const gbnn::ClassLabels& Labels() const { return labels; }
  gbnn::ClassLabels& Labels() { return labels; }

  //! The name of the column that is predicted; empty if it is not known.
  const std::string& Target() const { return target; }
  std::string& Target() { return target; }

  //! Number of hidden units.
  size_t Units() const
  {
    return regression ? regressor.Units() : classifier.Units();
  }
  //! Number of hidden units that predictions use.
  size_t ActiveUnits() const
  {
    return regression ? regressor.ActiveUnits() : classifier.ActiveUnits();
  }
  //! Use only the first `units` hidden units for predictions.
  void ActiveUnits(const size_t units)
  {
    if (regression)
      regressor.ActiveUnits(units);
    else
      classifier.ActiveUnits(units);
  }
  //! The largest number of units, up to `units`, that predictions should use.
  size_t CutWithin(const size_t units) const
  {
    return regression ? regressor.CutWithin(units) :
        classifier.CutWithin(units);
  }

  //! Serialize the model.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 private:
  bool regression = false;
  TableEncoder encoder;
  GBNNClassifier<> classifier;
  RegressorType regressor;
  gbnn::ClassLabels labels;
  std::string target;
};

template<typename Archive>
void GBNNModel::serialize(Archive& ar, const uint32_t version)
{
  gbnn::RequireVersion("GBNNModel", version, 2);
  ar(CEREAL_NVP(regression));
  ar(CEREAL_NVP(encoder));
  if (regression)
    ar(CEREAL_NVP(regressor));
  else
    ar(CEREAL_NVP(classifier));
  ar(CEREAL_NVP(labels));
  ar(CEREAL_NVP(target));

  if (cereal::is_loading<Archive>())
  {
    const size_t inputs = regression ? regressor.Dimensionality() :
        classifier.Dimensionality();
    if (inputs != encoder.Dimensionality())
      throw std::runtime_error("GBNNModel: sizes do not match");
    labels.CheckLoaded(regression ? labels.Size() : classifier.NumClasses(),
        "GBNNModel");
  }
}

} // namespace mlpack

CEREAL_CLASS_VERSION(mlpack::GBNNModel, 2);

#endif
