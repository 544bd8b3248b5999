/**
 * @file methods/gbnn/binding/anytime_options.hpp
 *
 * What the binding does with the options about the time that predictions take.
 * To be included after binding_tools.hpp.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_BINDING_ANYTIME_OPTIONS_HPP
#define MLPACK_METHODS_GBNN_BINDING_ANYTIME_OPTIONS_HPP

#include "../anytime/anytime_classifier.hpp"
#include "binding_tools.hpp"
#include "../anytime/prediction_time.hpp"
#include "../compute/random.hpp"

namespace mlpack {
namespace gbnn {

//! Check the options before anything is loaded.
static void CheckAnytime(util::Params& params)
{
  util::RequireOnlyOnePassed(params, { "active_units", "latency" }, true,
      "either say how many units predictions use or how long they may take",
      true);
  if (params.Has("latency"))
  {
    util::RequireParamValue<double>(params, "latency",
        [](double x) { return x > 0 && std::isfinite(x); }, true, "latency "
        "must be greater than 0");
  }
  util::RequireParamValue<double>(params, "early_exit",
      [](double x) { return x == -1 || (x >= 0 && x < 1); }, true, "early_exit "
      "must be at least 0 and less than 1, or -1 for no early exit");
}

//! The units that the wanted latency allows, at least one if there is one.
template<typename ModelType>
static size_t UnitsForOption(util::Params& params, const ModelType& model)
{
  const double latency = params.Get<double>("latency");
  const PredictionTime time(model);
  if (time.Units() == 0)
    return 0;
  const size_t units = std::max<size_t>(1, time.UnitsWithin(latency));
  Log::Info << "Predicting a point takes " << time.Microseconds(0)
      << " us, and " << time.Microseconds(1) - time.Microseconds(0)
      << " us for each unit: "
      << units << " of " << time.Units() << " units take "
      << time.Microseconds(units) << " us." << std::endl;
  if (time.Microseconds(1) > latency)
  {
    Log::Warn << PRINT_PARAM_STRING("latency") << " (" << latency << " us) is "
        << "less than a prediction with one unit takes on this machine ("
        << time.Microseconds(1) << " us); predictions use one unit."
        << std::endl;
  }
  return units;
}

/**
 * Calibrate on some of the points, chosen at random.  They are as those that
 * are predicted early then, but have had no part in training, as the training
 * data had; labels are not needed.  Returns the points; none if that cannot be
 * done.
 */
static arma::uvec CalibrateOnSome(AnytimeClassifier<>& anytime,
                                  const arma::mat& data,
                                  const double risk)
{
  if (risk == 0)
    return arma::uvec();
  const size_t needed = anytime.PointsNeeded(risk);
  if (data.n_cols / 2 < needed)
  {
    Log::Warn << PRINT_PARAM_STRING("early_exit") << " (" << risk << ") needs "
        << 2 * needed << " points in " << PRINT_PARAM_STRING("test") << " to "
        << "measure how often labels change, and there are " << data.n_cols
        << "; predictions end only where the label is certain." << std::endl;
    return arma::uvec();
  }
  const arma::uvec chosen = Random(1, RandomStream::CALIBRATION).Sample(
      arma::regspace<arma::uvec>(0, data.n_cols - 1),
      std::min<size_t>(data.n_cols / 2, 4 * needed));
  const ExitCalibration& found = anytime.Calibrate(data.cols(chosen), risk);
  Log::Info << "Early exit changes " << found.changed << " of " << found.points
      << " labels; with " << 100 * found.confidence << " % confidence, at most "
      << "a share of " << found.bound << "." << std::endl;
  return chosen;
}

/**
 * Predict classes with early exit.
 *
 * @return A line about the units that were used.
 */
static std::string ClassifyEarly(util::Params& params,
                                 const GBNNClassifier<>& model,
                                 const arma::mat& data,
                                 arma::Row<size_t>& predictions,
                                 arma::mat& probabilities)
{
  AnytimeClassifier<> anytime(model);
  const arma::uvec chosen = CalibrateOnSome(anytime, data,
      params.Get<double>("early_exit"));
  arma::Row<size_t> used;
  anytime.Classify(data, predictions, probabilities, used);
  if (!chosen.is_empty())
  {
    // These have been predicted with all units, so they get the best there is.
    arma::Row<size_t> classes;
    arma::mat shares;
    model.Classify(data.cols(chosen), classes, shares);
    predictions.cols(chosen) = classes;
    probabilities.cols(chosen) = shares;
    used.cols(chosen).fill(anytime.Units());
  }
  const arma::rowvec units = arma::conv_to<arma::rowvec>::from(used);
  std::ostringstream line;
  line << "early exit: " << arma::mean(units) << " of " << anytime.Units()
      << " units a point in the mean";
  params.Get<arma::rowvec>("units_used") = units;
  Log::Info << line.str() << "." << std::endl;
  return line.str();
}

//! How many labels early exit has changed, in words; this takes all units.
static std::string CountChanged(const GBNNClassifier<>& model,
                                const arma::mat& data,
                                const arma::Row<size_t>& predictions)
{
  arma::Row<size_t> all;
  model.Classify(data, all);
  std::ostringstream text;
  text << arma::accu(all != predictions) << " of " << data.n_cols
      << " labels differ from those of all units";
  return text.str();
}

} // namespace gbnn
} // namespace mlpack

#endif
