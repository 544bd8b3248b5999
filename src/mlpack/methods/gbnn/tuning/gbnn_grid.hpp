/**
 * @file methods/gbnn/tuning/gbnn_grid.hpp
 *
 * The hyperparameters that tuning chooses from.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_TUNING_GBNN_GRID_HPP
#define MLPACK_METHODS_GBNN_TUNING_GBNN_GRID_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {

/**
 * Lists of hyperparameters, all combinations of which GBNNTuner compares.  The
 * number of units needs no trainings of its own: a network that grows to many
 * units has been every smaller one, so one training gives the scores of all.
 */
struct GBNNGrid
{
  //! Numbers of hidden units that a stage adds, J.
  std::vector<size_t> unitsPerStage;
  //! What stages are multiplied by.
  std::vector<double> learningRates;
  //! Shares of the points that a stage is trained on.
  std::vector<double> subsamples;
  //! Numbers of hidden units; if empty, the end of every stage up to the
  //! `HiddenUnits()` of the model counts.
  std::vector<size_t> units;

  /**
   * The grid of the paper, which is smaller for two classes.
   *
   * @param numClasses Number of classes; 0 for regression.
   * @param hiddenUnits Number of hidden units; no stage may have more.
   */
  static GBNNGrid Paper(const size_t numClasses, const size_t hiddenUnits = 200)
  {
    GBNNGrid grid;
    if (numClasses == 2)
    {
      grid.unitsPerStage = { 1, 2, 3 };
      grid.learningRates = { 0.1, 0.25, 0.5, 1.0 };
      grid.subsamples = { 0.5, 0.75, 1.0 };
    }
    else
    {
      grid.unitsPerStage = { 1, 2, 3, 4 };
      grid.learningRates = { 0.025, 0.05, 0.1, 0.5, 1.0 };
      grid.subsamples = { 0.25, 0.5, 0.75, 1.0 };
    }
    while (grid.unitsPerStage.size() > 1 &&
        grid.unitsPerStage.back() > hiddenUnits)
      grid.unitsPerStage.pop_back();
    return grid;
  }

  //! Number of combinations.
  size_t Cells() const
  {
    return unitsPerStage.size() * learningRates.size() * subsamples.size();
  }

  //! Maximum number of units that have to be trained.
  size_t MaxUnits(const size_t hiddenUnits) const
  {
    return units.empty() ? hiddenUnits :
        *std::max_element(units.begin(), units.end());
  }

  /**
   * The numbers of units to score in one training, ascending.  A network is
   * only complete at the end of a stage, so a number inside a stage is rounded
   * down to the end of the stage before.
   *
   * @param perStage Number of units that a stage adds.
   * @param hiddenUnits Number of hidden units of the model.
   */
  std::vector<size_t> UnitsToScore(const size_t perStage,
                                   const size_t hiddenUnits) const
  {
    const size_t maximum = MaxUnits(hiddenUnits);
    std::vector<size_t> result = { maximum };
    for (const size_t k : units)
    {
      if (k != maximum)
        result.push_back(k - k % perStage);
    }
    for (size_t k = perStage; units.empty() && k < maximum; k += perStage)
      result.push_back(k);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  //! Throw std::invalid_argument unless all lists have valid values.
  void Check(const std::string& name, const size_t hiddenUnits) const
  {
    const auto require = [&](const bool condition, const std::string& what)
    {
      if (!condition)
        throw std::invalid_argument(name + ": " + what);
    };
    require(!unitsPerStage.empty(), "the list of units per stage is empty; "
        "expected at least one number");
    const size_t minimum = units.empty() ? hiddenUnits :
        *std::min_element(units.begin(), units.end());
    require(minimum > 0, "number of hidden units (0) must be at least 1");
    for (const size_t perStage : unitsPerStage)
    {
      require(perStage > 0 && perStage <= minimum, "number of units per stage "
          "(" + std::to_string(perStage) + ") must be between 1 and the least "
          "number of hidden units (" + std::to_string(minimum) + ")");
    }
    CheckShares(name, "learning rate", learningRates);
    CheckShares(name, "subsample", subsamples);
  }

 private:
  static void CheckShares(const std::string& name,
                          const std::string& what,
                          const std::vector<double>& values)
  {
    if (values.empty())
    {
      throw std::invalid_argument(name + ": the list for the " + what +
          " is empty; expected at least one number");
    }
    for (const double value : values)
    {
      // Written so that NaN fails too.
      if (!(value > 0 && value <= 1))
      {
        throw std::invalid_argument(name + ": " + what + " (" +
            std::to_string(value) + ") must be greater than 0 and at most 1");
      }
    }
  }
};

} // namespace mlpack

#endif
