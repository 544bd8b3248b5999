/**
 * @file methods/gbnn/tuning/gbnn_tuner.hpp
 *
 * Chooses hyperparameters by cross-validation.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_TUNING_GBNN_TUNER_HPP
#define MLPACK_METHODS_GBNN_TUNING_GBNN_TUNER_HPP

#include <functional>

#include "../gbnn_classifier.hpp"
#include "../gbnn_regressor.hpp"
#include "gbnn_grid.hpp"

namespace mlpack {

//! A combination of hyperparameters, and its scores.
struct GBNNCell
{
  size_t unitsPerStage;
  double learningRate;
  double subsample;
  //! The numbers of hidden units that were scored, ascending.
  std::vector<size_t> units;
  //! For each of them: mean score over the folds, its standard error (standard
  //! deviation over the folds, divided by the root of their number), and the
  //! mean loss.
  arma::rowvec scores, standardErrors, losses;
  //! Which of them is best.
  size_t best;
};

/**
 * Compares all hyperparameters of a grid by k-fold cross-validation, and trains
 * a model with the best.
 *
 * @code
 * GBNNClassifier<> model(200);          // 200 units at most.
 * GBNNTuner tuner(GBNNGrid::Paper(2));
 * tuner.Tune(model, data, labels, 2);
 * std::cout << tuner.Text() << std::endl;
 * @endcode
 *
 * The score is the accuracy for classification, and for regression the error
 * that goes with the loss, such as the root mean squared error; points count
 * with their weights.  Among equal scores, the one with the lower mean loss is
 * better, and then the first: the one with fewer units, or earlier in the grid.
 *
 * One training for each combination and fold gives the scores of all numbers of
 * units.  Trainings are spread over threads; results do not depend on
 * the number of threads.  All trainings have the seed of the model, and the
 * same folds.  Other hyperparameters (activation, L2) are those of the model,
 * but no training stops early: the tuner itself chooses the number of units.
 */
class GBNNTuner
{
 public:
  /**
   * @param grid Hyperparameters to choose from.
   * @param folds Number of folds.
   */
  GBNNTuner(GBNNGrid grid, const size_t folds = 10) :
      grid(std::move(grid)), folds(folds), best(0), higherIsBetter(true)
  { }

  //! The hyperparameters to choose from.
  const GBNNGrid& Grid() const { return grid; }
  //! Modify the hyperparameters to choose from.
  GBNNGrid& Grid() { return grid; }

  //! Number of folds.
  size_t Folds() const { return folds; }
  //! Modify the number of folds.
  size_t& Folds() { return folds; }

  //! The fold of each point, from 0 on.  If this is empty, folds are random,
  //! with classes or responses spread evenly.
  const arma::uvec& FoldOfPoint() const { return foldOfPoint; }
  //! Modify the folds, for points that must stay together.
  arma::uvec& FoldOfPoint() { return foldOfPoint; }

  //! Modify the function that is called from time to time with the share of the
  //! work that is done, in the thread that called Compare(); an exception ends
  //! the tuning.
  std::function<void(const double)>& Tell() { return tell; }

  //! Modify the function that all threads call often, at the same time; an
  //! exception ends the tuning.
  std::function<void()>& Check() { return check; }

  //! Modify the checkpoint that keeps the scores of trainings that are done.
  GBNNCheckpoint& Checkpoint() { return checkpoint; }

  /**
   * Compare all hyperparameters.  Throws std::invalid_argument if anything is
   * wrong with the arguments.
   *
   * @param model Has all hyperparameters that are not tuned.
   * @param data Points, one a column.
   * @param labels Label of each point, from 0 to numClasses - 1.
   * @param numClasses Number of classes, at least 2.
   * @param weights Weights of the points, or empty.
   * @param optimizer Optimizer of the stages; each training gets a copy.
   */
  template<typename MatType,
           typename LossType,
           typename OptimizerType = StageOptimizer>
  void Compare(const GBNNClassifier<MatType, LossType>& model,
               const std::common_type_t<MatType>& data,
               const arma::Row<size_t>& labels,
               const size_t numClasses,
               const arma::Row<typename MatType::elem_type>& weights = { },
               const OptimizerType& optimizer = OptimizerType());

  //! Compare all hyperparameters for regression, with one response a point (a
  //! row) or several (a matrix with a column for each point).
  template<typename MatType,
           typename LossType,
           typename OptimizerType = StageOptimizer>
  void Compare(const GBNNRegressor<MatType, LossType>& model,
               const std::common_type_t<MatType>& data,
               const std::common_type_t<MatType>& responses,
               const arma::Row<typename MatType::elem_type>& weights = { },
               const OptimizerType& optimizer = OptimizerType());

  /**
   * Compare all hyperparameters, give the model the best and train it on all
   * points.  Parameters are those of Compare().
   *
   * @return The mean loss of the model on the training data.
   */
  template<typename MatType,
           typename LossType,
           typename OptimizerType = StageOptimizer>
  double Tune(GBNNClassifier<MatType, LossType>& model,
              const std::common_type_t<MatType>& data,
              const arma::Row<size_t>& labels,
              const size_t numClasses,
              const arma::Row<typename MatType::elem_type>& weights = { },
              const OptimizerType& optimizer = OptimizerType());

  //! Compare all hyperparameters for regression, and train with the best.
  template<typename MatType,
           typename LossType,
           typename OptimizerType = StageOptimizer>
  double Tune(GBNNRegressor<MatType, LossType>& model,
              const std::common_type_t<MatType>& data,
              const std::common_type_t<MatType>& responses,
              const arma::Row<typename MatType::elem_type>& weights = { },
              const OptimizerType& optimizer = OptimizerType());

  //! The results of the last comparison, in the order of the grid: subsamples
  //! change first, units per stage last.
  const std::vector<GBNNCell>& Cells() const { return cells; }
  //! Which of them is best.
  size_t Best() const { return best; }

  //! Give a model the best hyperparameters.
  template<typename ModelType>
  void SetBest(ModelType& model) const;

  //! A column for each cell: units per stage, learning rate, subsample, best
  //! number of units, its score, the standard error of that, and 1 for the best
  //! cell, 0 for others.
  arma::mat Table() const;

  //! The table as text; a star marks the best.
  std::string Text() const;

 private:
  //! Some of the points.
  template<typename MatType, typename TargetsType>
  struct Part
  {
    MatType data;
    TargetsType targets;
    arma::Row<typename MatType::elem_type> weights;
  };

  //! Scores and losses of one training, for each number of units.
  struct FoldScores
  {
    std::vector<double> scores, losses;
  };

  //! Score all cells of the grid: train(trial, part, optimizer, watch) trains a
  //! model on some points, score(trial, part, scores) measures the scores of
  //! some points.
  template<typename ModelType,
           typename MatType,
           typename TargetsType,
           typename OptimizerType,
           typename TrainType,
           typename ScoreType>
  void Run(const ModelType& model,
           const MatType& data,
           const TargetsType& targets,
           const typename ModelType::RowType& weights,
           const OptimizerType& optimizer,
           const TrainType& train,
           const ScoreType& score);

  //! The fold of each of the given points.
  template<typename MatType>
  arma::uvec AssignFolds(const MatType& strata,
                         const arma::uvec& points,
                         const size_t seed) const;

  //! Call f(job, watch) for all jobs, in parallel; an error ends it all.
  template<typename FunctionType>
  void ForEachJob(const size_t jobs,
                  const size_t unitsPerJob,
                  const FunctionType& f) const;

  //! The scores of a trained model on points that were held out, for each of
  //! the numbers of units.
  template<typename ModelType, typename PartType, typename ScoreType>
  static FoldScores Score(const ModelType& trial,
                          const PartType& holdout,
                          const std::vector<size_t>& units,
                          const ScoreType& score);

  //! The cells of the grid, without scores.
  void MakeCells(const size_t hiddenUnits);
  //! Find the best number of units of each cell, and the best cell.
  void Choose(const std::vector<FoldScores>& results);
  //! Whether one score is better than another.
  bool IsBetter(const double score,
                const double loss,
                const double otherScore,
                const double otherLoss) const;

  GBNNGrid grid;
  size_t folds;
  arma::uvec foldOfPoint;
  std::function<void(const double)> tell;
  std::function<void()> check;
  GBNNCheckpoint checkpoint;
  std::vector<GBNNCell> cells;
  size_t best;
  std::string scoreName;
  bool higherIsBetter;
};

} // namespace mlpack

#include "gbnn_tuner_impl.hpp"

#endif
