/**
 * @file experiments/paper/methods.hpp
 *
 * The methods that are compared, each with the grid that the paper tunes it by.
 */
#ifndef GBNN_EXPERIMENTS_PAPER_METHODS_HPP
#define GBNN_EXPERIMENTS_PAPER_METHODS_HPP

#include <functional>

#include <mlpack/methods/gbnn.hpp>

#include "boosted.hpp"
#include "network.hpp"

namespace experiments {

//! A hyperparameter and the values to choose from.
struct Axis
{
  std::string name;
  std::vector<double> values;
};

//! A value for each axis of a grid.
using Setting = std::vector<double>;

//! Labels or responses of points.
using Predictor = std::function<arma::rowvec(const arma::mat&)>;

//! Something that learns.
struct Method
{
  std::string name;
  //! Its grid: all combinations of these.
  std::vector<Axis> axes;
  //! Train on points with a setting and a seed.
  std::function<Predictor(const DataSet&, const Setting&, uint64_t)> train;
  //! The method whose tuning also counts for this one, unless it is its own.
  std::string tunedAs;
  //! Whether it takes points as they are, rather than standardized.
  bool takesRaw = false;

  //! Number of combinations.
  size_t Combinations() const
  {
    size_t result = 1;
    for (const Axis& axis : axes)
      result *= axis.values.size();
    return result;
  }

  //! The setting as text, such as "units=37 adaptive=1".
  std::string Text(const Setting& setting) const
  {
    std::ostringstream text;
    for (size_t i = 0; i < axes.size(); ++i)
      text << (i > 0 ? " " : "") << axes[i].name << "=" << setting[i];
    return text.str();
  }

  //! The setting that a text means.
  Setting Parse(const std::string& text) const
  {
    Setting setting;
    std::istringstream words(text);
    for (std::string word; words >> word;)
      setting.push_back(std::stod(word.substr(word.find('=') + 1)));
    return setting;
  }
};

/**
 * Some of a method's settings, spread over its grid: evenly over the first
 * axis, and over the others by multiples of irrational numbers, so that no two
 * axes go in step.  All of them if the grid is no larger than that.
 *
 * @param method The method.
 * @param most How many are wanted at most.
 */
inline std::vector<Setting> SomeSettings(const Method& method,
                                         const size_t most)
{
  const size_t all = method.Combinations();
  std::vector<Setting> settings;
  for (size_t i = 0; i < std::min(most, all); ++i)
  {
    Setting setting;
    size_t place = i;
    for (size_t a = 0; a < method.axes.size(); ++a)
    {
      const std::vector<double>& values = method.axes[a].values;
      const double steps[] = { 1.0 / double(most), 0.6180339887, 0.7548776662 };
      const double share = std::fmod((a == 0 ? 0.5 * steps[0] : 0.5) +
          double(i) * steps[a], 1.0);
      setting.push_back(values[(all <= most) ? place % values.size() :
          size_t(share * double(values.size()))]);
      place /= values.size();
    }
    if (std::find(settings.begin(), settings.end(), setting) == settings.end())
      settings.push_back(setting);
  }
  return settings;
}

//! Accuracy, or the root mean squared error.
inline double Score(const arma::rowvec& predictions, const DataSet& test)
{
  if (test.IsRegression())
    return std::sqrt(arma::mean(arma::square(predictions - test.targets)));
  return arma::accu(predictions == test.targets) / double(test.targets.n_elem);
}

/**
 * AdaBoost of small networks, trained by Adam on points drawn by their weights.
 * For classes, the networks vote with their weights (SAMME, which is
 * AdaBoost.M1 for two); for responses, the weighted median is taken
 * (AdaBoost.R2).
 */
class AdaBoostNetworks
{
 public:
  AdaBoostNetworks(const DataSet& data,
                   const size_t networks,
                   const size_t units,
                   const uint64_t seed) : classes(data.classes)
  {
    const size_t points = data.points.n_cols;
    std::mt19937_64 random(seed);
    arma::rowvec weights(points);
    weights.fill(1.0 / double(points));
    size_t tries = 0;
    while (members.size() < networks)
    {
      std::discrete_distribution<size_t> draw(weights.begin(), weights.end());
      arma::uvec drawn(points);
      drawn.imbue([&]() { return draw(random); });
      const DataSet sample = { data.name, data.points.cols(drawn),
          data.targets.cols(drawn), data.classes };
      Network network(sample, { units }, Solver::ADAM, random());
      arma::rowvec errors = Errors(network.Predict(data.points), data.targets);
      const double error = arma::dot(weights, errors);
      const double chance = data.IsRegression() ? 0.5 :
          1 - 1.0 / double(classes);
      // No better than chance, it ends, as does scikit-learn's; but the first
      // network, for which that would be an error, is tried again, and kept at
      // last.  Written so that NaN is no better, either.
      const bool useless = !(error < chance), ends = useless || error <= 0;
      if (useless && !members.empty())
        return;
      if (useless && ++tries < 10)
        continue;
      const double vote = ends ? 1 : std::log((1 - error) / error) +
          (data.IsRegression() ? 0 : std::log(double(classes) - 1));
      members.push_back(std::move(network));
      votes.push_back(vote);
      if (ends)
        return;
      weights %= arma::exp(vote * errors);
      weights /= arma::accu(weights);
    }
  }

  //! Responses, or labels.
  arma::rowvec Predict(const arma::mat& points)
  {
    arma::mat predictions(members.size(), points.n_cols);
    for (size_t m = 0; m < members.size(); ++m)
      predictions.row(m) = members[m].Predict(points);
    arma::rowvec result(points.n_cols);
    for (size_t i = 0; i < points.n_cols; ++i)
    {
      result[i] = (classes == 0) ? Median(predictions.col(i)) :
          Majority(predictions.col(i));
    }
    return result;
  }

 private:
  //! Errors from 0 to 1.
  arma::rowvec Errors(const arma::rowvec& predictions,
                      const arma::rowvec& targets) const
  {
    if (classes > 0)
      return arma::conv_to<arma::rowvec>::from(predictions != targets);
    const arma::rowvec errors = arma::abs(predictions - targets);
    return (errors.max() > 0) ? arma::rowvec(errors / errors.max()) : errors;
  }

  double Majority(const arma::vec& labels) const
  {
    arma::vec sums(classes, arma::fill::zeros);
    for (size_t m = 0; m < labels.n_elem; ++m)
      sums[size_t(labels[m])] += votes[m];
    return double(sums.index_max());
  }

  double Median(const arma::vec& values) const
  {
    const arma::uvec order = arma::sort_index(values);
    const double half = 0.5 * std::accumulate(votes.begin(), votes.end(), 0.0);
    double sum = 0;
    for (const size_t m : order)
    {
      sum += votes[m];
      if (sum >= half)
        return values[m];
    }
    return values[order.back()];
  }

  size_t classes;
  std::vector<Network> members;
  std::vector<double> votes;
};

//! A model that predicts, as a function.
template<typename ModelType>
Predictor AsPredictor(ModelType&& model)
{
  return [model = std::make_shared<std::decay_t<ModelType>>(
      std::forward<ModelType>(model))](const arma::mat& points)
      { return model->Predict(points); };
}

//! A network with a solver, all units of one hidden layer unless it is deep.
inline Method NetworkMethod(const std::string& name,
                            std::vector<Axis> axes,
                            const Solver solver)
{
  return { name, std::move(axes), [solver](const DataSet& data,
      const Setting& setting, const uint64_t seed)
      {
        const std::vector<size_t> hidden = setting.empty() ?
            std::vector<size_t>(3, 100) :
            std::vector<size_t>{ size_t(setting[0]) };
        const bool adaptive = (setting.size() > 1 && setting[1] > 0);
        return AsPredictor(Network(data, hidden, adaptive ?
            Solver::ADAPTIVE_SGD : solver, seed));
      }, "" };
}

//! All methods for a task, in the order of the paper's table.
inline std::vector<Method> Methods(const size_t classes)
{
  using mlpack::GBNNGrid;
  const Axis units = { "units", { 1, 3, 5, 7, 11, 12, 17, 22, 27, 32, 37, 42,
      47, 52, 60, 70, 80, 90, 100, 150, 200 } };
  const GBNNGrid grid = GBNNGrid::Paper(classes);
  const std::vector<Axis> boosting = { { "learning_rate", grid.learningRates },
      { "units_per_stage", { grid.unitsPerStage.begin(),
          grid.unitsPerStage.end() } },
      { "subsample", grid.subsamples } };
  std::vector<double> memberUnits = { 1, 2, 3 };
  if (classes > 2)
    memberUnits.push_back(4);

  const auto boosted = [](const bool refine)
  {
    return [refine](const DataSet& data, const Setting& setting,
        const uint64_t seed)
        {
          Boosted model(data, setting, seed);
          model.Train(mlpack::StageOptimizer::DefaultLBFGS());
          if (refine)
            model.Refine();
          return AsPredictor(std::move(model));
        };
  };
  const auto defaults = [](const DataSet& data, const Setting&,
      const uint64_t seed)
  {
    return AsPredictor(DefaultBoosted(data, seed));
  };
  const auto adaBoost = [](const DataSet& data, const Setting& setting,
      const uint64_t seed)
  {
    return AsPredictor(AdaBoostNetworks(data,
        size_t(std::round(200 / setting[0])), size_t(setting[0]), seed));
  };
  return {
    { "GBNN", boosting, boosted(false), "" },
    { "GBNN-refined", boosting, boosted(true), "GBNN" },
    { "GBNN-defaults", { }, defaults, "", true },
    NetworkMethod("Deep-NN", { }, Solver::ADAM),
    NetworkMethod("NN-Adam", { units }, Solver::ADAM),
    NetworkMethod("NN-L-BFGS", { units }, Solver::LBFGS),
    NetworkMethod("NN-SGD", { units, { "adaptive", { 1, 0 } } }, Solver::SGD),
    { "AdaBoost-NN", { { "units", memberUnits } }, adaBoost, "" } };
}

} // namespace experiments

#endif
