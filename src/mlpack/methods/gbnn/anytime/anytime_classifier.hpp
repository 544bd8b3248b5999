/**
 * @file methods/gbnn/anytime/anytime_classifier.hpp
 *
 * Classification that ends early for points whose class is decided.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_ANYTIME_ANYTIME_CLASSIFIER_HPP
#define MLPACK_METHODS_GBNN_ANYTIME_ANYTIME_CLASSIFIER_HPP

#include <optional>

#include "exit_bounds.hpp"
#include "exit_calibration.hpp"
#include "../gbnn_classifier.hpp"
#include "open_points.hpp"

namespace mlpack {

/**
 * Predicts the classes that a GBNNClassifier predicts, with as few of its
 * active units as each point needs.  After every few units it checks whether
 * the class of a point is decided:
 *
 * - by default, for certain: when no output of the remaining units could change
 *   it (see gbnn::ExitBounds).  The classes are those of the model, without
 *   exception.
 * - after Calibrate(), with a risk: when one class leads by so much that on the
 *   calibration points such a lead was rarely lost.  That takes fewer units,
 *   and a given share of the classes may differ.
 *
 * @code
 * AnytimeClassifier anytime(model);
 * arma::Row<size_t> predictions, unitsUsed;
 * anytime.Classify(testData, predictions, unitsUsed);
 * anytime.Calibrate(otherData, 0.01); // From now on, 1 % may change.
 * @endcode
 *
 * The model must outlive this object and not be trained or refined meanwhile.
 * This object uses the units that are active when it is made.
 *
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 * @tparam LossType The loss of the classifier.
 */
template<typename MatType = arma::mat, typename LossType = LogLoss>
class AnytimeClassifier
{
 public:
  using ElemType = typename MatType::elem_type;
  using ColType = arma::Col<ElemType>;

  //! Predict what the given model predicts; it must be trained.
  AnytimeClassifier(const GBNNClassifier<MatType, LossType>& model);

  /**
   * Allow some classes to change.  Throws std::invalid_argument if there are
   * too few points for such a risk (see PointsNeeded()).
   *
   * @param points Points as they will be predicted, chosen at random, which the
   *     model was not trained on.  Their labels are not needed.
   * @param risk The share of points whose class may change, in (0, 1).
   * @param confidence How sure it must be that no greater share changes.
   * @return What was found.
   */
  const ExitCalibration& Calibrate(const MatType& points,
                                   const double risk,
                                   const double confidence = 0.95);

  //! The fewest points that Calibrate() needs.
  static size_t PointsNeeded(const double risk, const double confidence = 0.95)
  {
    return gbnn::ExitThresholds::PointsNeeded(risk, confidence);
  }

  //! What Calibrate() found; a risk of 0 if exits are certain.
  ExitCalibration Calibration() const
  {
    return thresholds ? thresholds->Calibration() : ExitCalibration();
  }

  //! The class of a point.
  template<typename VecType>
  size_t Classify(const VecType& point) const;

  //! The class of a point, and the number of units it took.
  template<typename VecType>
  size_t Classify(const VecType& point, size_t& unitsUsed) const;

  //! The class of each point, and the number of units it took.
  void Classify(const MatType& data,
                arma::Row<size_t>& predictions,
                arma::Row<size_t>& unitsUsed) const;

  //! The class of each point, the probability of each class with the units that
  //! the point took, and their number.
  void Classify(const MatType& data,
                arma::Row<size_t>& predictions,
                MatType& probabilities,
                arma::Row<size_t>& unitsUsed) const;

  //! The model.
  const GBNNClassifier<MatType, LossType>& Model() const { return model; }
  //! Number of units that a point takes at most.
  size_t Units() const { return units; }
  //! Numbers of units after which the class of a point may be decided; the last
  //! is all units.
  const std::vector<size_t>& Checks() const { return checks; }

 private:
  //! The class that leads, and its margin over the next one.
  using Lead = gbnn::Lead<ElemType>;

  //! Throw std::invalid_argument unless these points can be predicted.
  template<typename PointsType>
  void CheckPoints(const std::string& name,
                   const PointsType& points,
                   const size_t dimensionality) const;

  //! The lead at a check, where `sums` are as in gbnn::ExitBounds.
  Lead LeadAt(const size_t check, const ElemType* sums) const;

  //! Whether the class of a point is decided at a check.
  bool Decided(const size_t check,
               const ElemType* sums,
               const Lead& lead,
               const ElemType norm) const;

  //! |x|, if it is used, else 0.
  template<typename VecType>
  ElemType NormOf(const VecType& point) const;

  //! Predict all points, with the scores of the units that they took.
  void Scores(const MatType& data,
              MatType& scores,
              arma::Row<size_t>& predictions,
              arma::Row<size_t>& unitsUsed) const;

  /**
   * Predict all points, in parallel.
   *
   * @param data Points, one a column.
   * @param minimum For each check, the least margin that a class must have.
   * @param decided Called as decided(check, point, sums, lead) at each check
   *     but the last, for each point not decided yet; says whether it is.
   * @param scores Filled with the scores at the end of each point.
   * @param predictions Filled with the classes.
   * @param unitsUsed Filled with the numbers of units.
   */
  template<typename DecidedType>
  void Run(const MatType& data,
           const std::vector<double>& minimum,
           const DecidedType& decided,
           MatType& scores,
           arma::Row<size_t>& predictions,
           arma::Row<size_t>& unitsUsed) const;

  //! Do that for the points [from, to), in this thread.
  template<typename DecidedType>
  void RunGroup(const MatType& data,
                const size_t from,
                const size_t to,
                const std::vector<double>& minimum,
                const DecidedType& decided,
                MatType& scores,
                arma::Row<size_t>& predictions,
                arma::Row<size_t>& unitsUsed) const;

  const GBNNClassifier<MatType, LossType>& model;
  size_t units;
  std::vector<size_t> checks;
  gbnn::ExitBounds<MatType> bounds;
  //! The output bias of the units so far, less that of all units, in the
  //! columns of the checks: the expected output of the remaining units.
  MatType expected;
  //! For each check but the last, the least margin that a class must have.
  std::vector<double> minimum;
  std::optional<gbnn::ExitThresholds> thresholds;
};

} // namespace mlpack

#include "anytime_classifier_impl.hpp"

#endif
