/**
 * @file methods/gbnn/anytime/anytime_classifier_impl.hpp
 *
 * Implementation of classification that ends early.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_ANYTIME_ANYTIME_CLASSIFIER_IMPL_HPP
#define MLPACK_METHODS_GBNN_ANYTIME_ANYTIME_CLASSIFIER_IMPL_HPP

#include "anytime_classifier.hpp"

namespace mlpack {
namespace gbnn {

/**
 * Numbers of units after which to check whether a class is decided: every 8
 * units at first, where most points exit, and later after a quarter more.  The
 * kernels take several units at once, so that more checks would cost time and
 * save little.  `gbnn_anytime_benchmark` measures units and time.
 */
inline std::vector<size_t> ExitChecks(const size_t units)
{
  const size_t few = 8, share = 4;
  std::vector<size_t> checks;
  for (size_t k = few; k < units; k += std::max(few, k / (share * few) * few))
    checks.push_back(k);
  checks.push_back(units);
  return checks;
}

} // namespace gbnn

template<typename MatType, typename LossType>
AnytimeClassifier<MatType, LossType>::AnytimeClassifier(
    const GBNNClassifier<MatType, LossType>& model) :
    model(model),
    units(model.ActiveUnits()),
    checks(gbnn::ExitChecks(units)),
    bounds(model.Boosted(), units, checks),
    expected(model.Boosted().Outputs(), checks.size())
{
  if (!model.IsTrained())
  {
    throw std::invalid_argument("AnytimeClassifier::AnytimeClassifier(): the "
        "model is not trained yet");
  }
  const MatType& bias = model.Boosted().OutputBias();
  for (size_t c = 0; c < checks.size(); ++c)
  {
    expected.col(c) = bias.col(checks[c]) - bias.col(units);
    minimum.push_back(bounds.MinMargin(c, expected.colptr(c)));
  }
}

template<typename MatType, typename LossType>
const ExitCalibration& AnytimeClassifier<MatType, LossType>::Calibrate(
    const MatType& points, const double risk, const double confidence)
{
  const std::string name = "AnytimeClassifier::Calibrate()";
  CheckPoints(name, points, points.n_rows);
  if (!(risk > 0 && risk < 1 && confidence > 0 && confidence < 1))
  {
    throw std::invalid_argument(name + ": risk (" + std::to_string(risk) +
        ") and confidence (" + std::to_string(confidence) + ") must be greater "
        "than 0 and less than 1");
  }
  if (points.n_cols < PointsNeeded(risk, confidence))
  {
    throw std::invalid_argument(name + ": " + std::to_string(points.n_cols) +
        " points are too few to tell anything about a risk of " +
        std::to_string(risk) + "; at least " +
        std::to_string(PointsNeeded(risk, confidence)) + " are needed");
  }

  gbnn::ExitRecord record;
  record.margins.set_size(checks.size() - 1, points.n_cols);
  record.leaders.set_size(checks.size() - 1, points.n_cols);
  MatType scores;
  arma::Row<size_t> unitsUsed;
  // No lead is too small to be recorded.
  Run(points, std::vector<double>(checks.size(), -1),
      [&](const size_t check, const size_t point, const ElemType*,
          const Lead& lead)
      {
        record.margins(check, point) = lead.margin;
        record.leaders(check, point) = lead.leader;
        return false;
      }, scores, record.labels, unitsUsed);
  record.scores = arma::conv_to<arma::mat>::from(scores);
  if (scores.n_rows == 1)
    record.scores.insert_rows(0, 1);
  thresholds.emplace(record, risk, confidence);
  for (size_t c = 0; c + 1 < checks.size(); ++c)
    minimum[c] = (*thresholds)[c];
  return thresholds->Calibration();
}

template<typename MatType, typename LossType>
template<typename PointsType>
void AnytimeClassifier<MatType, LossType>::CheckPoints(
    const std::string& name,
    const PointsType& points,
    const size_t dimensionality) const
{
  if (dimensionality != model.Dimensionality())
  {
    throw std::invalid_argument(name + ": dimensionality of the data (" +
        std::to_string(dimensionality) + ") does not match that of the model "
        "(" + std::to_string(model.Dimensionality()) + ")");
  }
  if (!points.is_finite())
  {
    throw std::invalid_argument(name + ": data has NaN or infinite values; "
        "impute or remove them first");
  }
}

template<typename MatType, typename LossType>
typename AnytimeClassifier<MatType, LossType>::Lead
AnytimeClassifier<MatType, LossType>::LeadAt(const size_t check,
                                             const ElemType* sums) const
{
  const ElemType* more = expected.colptr(check);
  return gbnn::LeadOf(expected.n_rows, [&](const size_t k)
  {
    return ElemType(sums[k] + more[k]);
  });
}

template<typename MatType, typename LossType>
bool AnytimeClassifier<MatType, LossType>::Decided(const size_t check,
                                                   const ElemType* sums,
                                                   const Lead& lead,
                                                   const ElemType norm) const
{
  return thresholds ? (double(lead.margin) > (*thresholds)[check]) :
      bounds.Decided(check, sums, lead.leader, norm);
}

template<typename MatType, typename LossType>
template<typename VecType>
typename AnytimeClassifier<MatType, LossType>::ElemType
AnytimeClassifier<MatType, LossType>::NormOf(const VecType& point) const
{
  if (!bounds.UseNorm() || thresholds)
    return ElemType(0);
  // Pieces are between -1 and 1.
  return model.Boosted().Pieces().IsLinear() ?
      std::sqrt(arma::accu(arma::square(point))) :
      ElemType(std::sqrt(double(model.Boosted().Inputs())));
}

template<typename MatType, typename LossType>
template<typename VecType>
size_t AnytimeClassifier<MatType, LossType>::Classify(
    const VecType& point) const
{
  size_t unitsUsed;
  return Classify(point, unitsUsed);
}

template<typename MatType, typename LossType>
template<typename VecType>
size_t AnytimeClassifier<MatType, LossType>::Classify(const VecType& point,
                                                      size_t& unitsUsed) const
{
  CheckPoints("AnytimeClassifier::Classify()", point, point.n_elem);
  const ElemType norm = NormOf(point);
  // Memory is taken once for each thread.
  thread_local MatType positions;
  const bool isLinear = model.Boosted().Pieces().IsLinear();
  if (!isLinear)
    model.Encoding().Positions(MatType(arma::vectorise(point)), positions);
  ColType sums = model.Boosted().OutputBias().col(units);
  size_t first = 0;
  for (size_t c = 0; c < checks.size(); first = checks[c++])
  {
    if (isLinear)
      model.Boosted().AddToPoint(point, first, checks[c], sums);
    else
      model.Boosted().AddToPoint(positions, first, checks[c], sums);
    const Lead lead = LeadAt(c, sums.memptr());
    unitsUsed = checks[c];
    // After the last unit, only rounding errors can matter.
    if ((c + 1 < checks.size()) ? Decided(c, sums.memptr(), lead, norm) :
        bounds.Decided(c, sums.memptr(), lead.leader, norm))
      return lead.leader;
  }
  // These sums were added in another order than those of the model, which
  // matters next to a tie.
  return model.Classify(point);
}

template<typename MatType, typename LossType>
void AnytimeClassifier<MatType, LossType>::Classify(
    const MatType& data,
    arma::Row<size_t>& predictions,
    arma::Row<size_t>& unitsUsed) const
{
  MatType scores;
  Scores(data, scores, predictions, unitsUsed);
}

template<typename MatType, typename LossType>
void AnytimeClassifier<MatType, LossType>::Classify(
    const MatType& data,
    arma::Row<size_t>& predictions,
    MatType& probabilities,
    arma::Row<size_t>& unitsUsed) const
{
  Scores(data, probabilities, predictions, unitsUsed);
  model.Loss().Link(probabilities);
  if (probabilities.n_rows == 1)
    probabilities = arma::join_cols(1 - probabilities, probabilities);
}

template<typename MatType, typename LossType>
void AnytimeClassifier<MatType, LossType>::Scores(
    const MatType& data,
    MatType& scores,
    arma::Row<size_t>& predictions,
    arma::Row<size_t>& unitsUsed) const
{
  CheckPoints("AnytimeClassifier::Classify()", data, data.n_rows);
  Run(data, minimum,
      [&](const size_t check, const size_t point, const ElemType* sums,
          const Lead& lead)
      {
        return Decided(check, sums, lead, NormOf(data.col(point)));
      }, scores, predictions, unitsUsed);
}

template<typename MatType, typename LossType>
template<typename DecidedType>
void AnytimeClassifier<MatType, LossType>::Run(
    const MatType& data,
    const std::vector<double>& minimum,
    const DecidedType& decided,
    MatType& scores,
    arma::Row<size_t>& predictions,
    arma::Row<size_t>& unitsUsed) const
{
  MatType memory;
  const MatType& inputs = model.Encode(data, memory);
  // The number of points at a time.  When only a twentieth of them is left, it
  // still fills the strips of 32 or 64 points that the kernels take.
  const size_t size = 1024;
  scores.set_size(model.Boosted().Outputs(), data.n_cols);
  predictions.set_size(data.n_cols);
  unitsUsed.set_size(data.n_cols);
  gbnn::Pieces((data.n_cols + size - 1) / size, 2 * units * size *
      (data.n_rows + scores.n_rows + gbnn::RoughActivationCost)).ForEach(
      [&](const size_t, const size_t begin, const size_t end)
      {
        for (size_t g = begin; g < end; ++g)
        {
          RunGroup(inputs, g * size, std::min<size_t>((g + 1) * size,
              data.n_cols), minimum, decided, scores, predictions, unitsUsed);
        }
      });
}

template<typename MatType, typename LossType>
template<typename DecidedType>
void AnytimeClassifier<MatType, LossType>::RunGroup(
    const MatType& data,
    const size_t from,
    const size_t to,
    const std::vector<double>& minimum,
    const DecidedType& decided,
    MatType& scores,
    arma::Row<size_t>& predictions,
    arma::Row<size_t>& unitsUsed) const
{
  gbnn::OpenPoints<MatType> open(data, from, to, ColType(
      model.Boosted().OutputBias().col(units)));
  size_t first = 0;
  for (size_t c = 0; c < checks.size() && open.Any(); first = checks[c++])
  {
    model.Boosted().AddToStrips(open.Points(), first, checks[c], open.Sums(),
        open.NumStrips());
    const bool last = (c + 1 == checks.size());
    open.CloseIf(expected.colptr(c), last ? -1 : minimum[c],
        [&](const size_t i, const ColType& sums)
        {
          const Lead lead = LeadAt(c, sums.memptr());
          if (!last && !decided(c, i, sums.memptr(), lead))
            return false;
          predictions[i] = lead.leader;
          unitsUsed[i] = checks[c];
          scores.col(i) = sums + expected.col(c);
          return true;
        });
  }
}

} // namespace mlpack

#endif
