/**
 * @file methods/gbnn/tuning/gbnn_tuner_impl.hpp
 *
 * Implementation of choosing hyperparameters by cross-validation.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_TUNING_GBNN_TUNER_IMPL_HPP
#define MLPACK_METHODS_GBNN_TUNING_GBNN_TUNER_IMPL_HPP

#include <atomic>
#include <iomanip>
#include <thread>

#include "gbnn_tuner.hpp"
#include "../compute/pieces.hpp"
#include "../compute/stratified.hpp"

namespace mlpack {
namespace gbnn {

/**
 * The error of a regressor on some points, as users measure it; lower is
 * better.
 *
 * @param loss The loss of the model.
 * @param responses Responses of the points, one a column.
 * @param weights Weights of the points, or empty.
 * @param scores Scores of the points.
 */
template<typename LossType, typename MatType, typename RowType>
double TuningError(const LossType& loss,
                   const MatType& responses,
                   const RowType& weights,
                   const MatType& scores)
{
  MatType targets, predictions = scores;
  loss.Encode(responses, targets);
  loss.Link(predictions);
  return loss.TotalError(MeanOfOutputs(targets, predictions, weights,
      [&](const double y, const double prediction, const size_t output)
      { return loss.Error(y, prediction, output); }) / double(targets.n_rows));
}

/**
 * A callback of the trainings: counts the units that are done, and ends all
 * trainings when one has failed.  In the thread of the caller it also reports
 * the progress.
 */
class TuningWatch
{
 public:
  //! Thrown to end a training that is no longer needed.
  struct Stopped { };

  //! What all trainings share.
  struct State
  {
    std::atomic<size_t> units { 0 };
    std::atomic<bool> failed { false };
    //! Called at every check, in any thread; may be empty.
    std::function<void()> check;
  };

  /**
   * @param state What all trainings share.
   * @param tell Called with the number of units that are done; may be empty.
   */
  TuningWatch(State& state, std::function<void(const size_t)> tell) :
      state(state), tell(std::move(tell)), units(0), steps(0)
  { }

  template<typename OptimizerType, typename NetworkType, typename MatType>
  void EndEpoch(OptimizerType& /* optimizer */,
                NetworkType& network,
                const MatType& /* coordinates */,
                const size_t /* epoch */,
                const double /* objective */)
  {
    Add(network.Units() - units);
    units = network.Units();
  }

  //! So many units more are done.
  void Add(const size_t more)
  {
    state.units += more;
    Check();
  }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType& /* optimizer */,
                 FunctionType& /* function */,
                 MatType& /* coordinates */)
  {
    // A step may take less time than a check.
    const size_t checkEvery = 16;
    if (++steps % checkEvery == 0)
      Check();
    return false;
  }

 private:
  void Check()
  {
    if (state.failed)
      throw Stopped();
    if (state.check)
      state.check();
    if (tell)
      tell(state.units);
  }

  State& state;
  std::function<void(const size_t)> tell;
  size_t units;
  size_t steps;
};

} // namespace gbnn

template<typename MatType, typename LossType, typename OptimizerType>
void GBNNTuner::Compare(
    const GBNNClassifier<MatType, LossType>& model,
    const std::common_type_t<MatType>& data,
    const arma::Row<size_t>& labels,
    const size_t numClasses,
    const arma::Row<typename MatType::elem_type>& weights,
    const OptimizerType& optimizer)
{
  gbnn::CheckLabeledData("GBNNTuner::Compare()", data, labels, numClasses,
      weights);
  scoreName = "accuracy";
  higherIsBetter = true;
  Run(model, data, labels, weights, optimizer,
      [&](auto& trial, const auto& part, auto& chosen, auto& watch)
      {
        trial.Train(part.data, part.targets, numClasses, part.weights, chosen,
            watch);
      },
      [](const auto& /* trial */, const auto& part, const MatType& scores)
      {
        return gbnn::MeanOverPoints(scores.n_cols, part.weights,
            [&](const size_t i)
            {
              const bool right = (gbnn::LeadingClass(scores.colptr(i),
                  scores.n_rows) == part.targets[i]);
              return right ? 1.0 : 0.0;
            });
      });
}

template<typename MatType, typename LossType, typename OptimizerType>
void GBNNTuner::Compare(
    const GBNNRegressor<MatType, LossType>& model,
    const std::common_type_t<MatType>& data,
    const std::common_type_t<MatType>& responses,
    const arma::Row<typename MatType::elem_type>& weights,
    const OptimizerType& optimizer)
{
  const std::string name = "GBNNTuner::Compare()";
  gbnn::CheckData(name, data, responses.n_cols, "responses", weights);
  gbnn::CheckFinite(name.c_str(), "responses", responses);
  scoreName = model.Loss().ErrorName();
  higherIsBetter = false;
  Run(model, data, responses, weights, optimizer,
      [&](auto& trial, const auto& part, auto& chosen, auto& watch)
      {
        trial.Train(part.data, part.targets, part.weights, chosen, watch);
      },
      [](const auto& trial, const auto& part, const MatType& scores)
      {
        return gbnn::TuningError(trial.Loss(), part.targets, part.weights,
            scores);
      });
}

template<typename MatType, typename LossType, typename OptimizerType>
double GBNNTuner::Tune(
    GBNNClassifier<MatType, LossType>& model,
    const std::common_type_t<MatType>& data,
    const arma::Row<size_t>& labels,
    const size_t numClasses,
    const arma::Row<typename MatType::elem_type>& weights,
    const OptimizerType& optimizer)
{
  Compare(model, data, labels, numClasses, weights, optimizer);
  // Copies, so that the model stays as it was if training fails.
  GBNNClassifier<MatType, LossType> trained(model);
  OptimizerType chosen(optimizer);
  SetBest(trained);
  // The number of units has been chosen.
  trained.ValidationFraction() = 0;
  const double loss = trained.Train(data, labels, numClasses, weights, chosen);
  trained.ValidationFraction() = model.ValidationFraction();
  model = std::move(trained);
  return loss;
}

template<typename MatType, typename LossType, typename OptimizerType>
double GBNNTuner::Tune(
    GBNNRegressor<MatType, LossType>& model,
    const std::common_type_t<MatType>& data,
    const std::common_type_t<MatType>& responses,
    const arma::Row<typename MatType::elem_type>& weights,
    const OptimizerType& optimizer)
{
  Compare(model, data, responses, weights, optimizer);
  GBNNRegressor<MatType, LossType> trained(model);
  OptimizerType chosen(optimizer);
  SetBest(trained);
  // The number of units has been chosen.
  trained.ValidationFraction() = 0;
  const double loss = trained.Train(data, responses, weights, chosen);
  trained.ValidationFraction() = model.ValidationFraction();
  model = std::move(trained);
  return loss;
}

template<typename ModelType,
         typename MatType,
         typename TargetsType,
         typename OptimizerType,
         typename TrainType,
         typename ScoreType>
void GBNNTuner::Run(const ModelType& model,
                    const MatType& data,
                    const TargetsType& targets,
                    const typename ModelType::RowType& weights,
                    const OptimizerType& optimizer,
                    const TrainType& train,
                    const ScoreType& score)
{
  grid.Check("GBNNTuner::Compare()", model.HiddenUnits());
  if (gbnn::IsShared(model.Communicator()))
  {
    throw std::invalid_argument("GBNNTuner::Compare(): several ranks cannot "
        "tune together yet; tune on one, without a communicator");
  }
  if (model.FirstNetwork().Outputs() > 0)
  {
    throw std::invalid_argument("GBNNTuner::Compare(): there is a network to "
        "begin with (FirstNetwork(), " +
        std::to_string(model.FirstNetwork().Units()) + " units), whose units "
        "cannot be tuned; tune without it, or only train");
  }
  // A point of weight zero is left out.
  const arma::uvec points = weights.is_empty() ?
      arma::regspace<arma::uvec>(0, data.n_cols - 1) :
      arma::uvec(arma::find(weights > 0));
  model.CheckSame(checkpoint, data, targets, weights);
  checkpoint.Check({ { "folds", std::to_string(folds) }, { "folds of points",
      gbnn::DigestOf(foldOfPoint) } });
  const size_t seed = checkpoint.Once("seed", (model.Seed() != 0) ?
      model.Seed() : 1 + size_t(RandInt(1 << 30)));
  const arma::uvec foldOf = AssignFolds(
      arma::conv_to<MatType>::from(targets), points, seed);
  MakeCells(model.HiddenUnits());
  // Cells without scores are of no use.
  struct Guard
  {
    ~Guard() { if (cells) cells->clear(); }
    std::vector<GBNNCell>* cells;
  } guard{ &cells };

  // The points of a fold are copied when they are needed; the copies take as
  // much memory as the data, for each thread.
  const auto part = [&](const arma::uvec& which)
  {
    const arma::uvec columns = points.elem(which);
    return Part<MatType, TargetsType>{ data.cols(columns),
        targets.cols(columns), weights.is_empty() ? weights :
        typename ModelType::RowType(weights.cols(columns)) };
  };
  const size_t maxUnits = grid.MaxUnits(model.HiddenUnits());
  std::vector<FoldScores> results(folds * cells.size());
  ForEachJob(results.size(), maxUnits,
      [&](const size_t job, gbnn::TuningWatch& watch)
      {
        // All cells of a fold before the next fold, so that the share of units
        // that are done tells early how long the whole takes.
        const size_t fold = job / cells.size();
        const GBNNCell& cell = cells[job % cells.size()];
        const std::string step = "fold " + std::to_string(fold) + ", " +
            std::to_string(maxUnits) + " units, " +
            std::to_string(cell.unitsPerStage) + " a stage, learning rate " +
            gbnn::ExactText(cell.learningRate) + ", subsample " +
            gbnn::ExactText(cell.subsample);
        if (checkpoint.Recall(step, results[job].scores, results[job].losses))
        {
          checkpoint.Require(step, results[job].scores.size() ==
              cell.units.size() && results[job].losses.size() ==
              cell.units.size());
          watch.Add(maxUnits);
          return;
        }
        ModelType trial(model);
        trial.HiddenUnits() = maxUnits;
        trial.UnitsPerStage() = cell.unitsPerStage;
        trial.LearningRate() = cell.learningRate;
        trial.Subsample() = cell.subsample;
        trial.Seed() = seed;
        // All units are scored here.
        trial.ValidationFraction() = 0;
        OptimizerType chosen(optimizer);
        train(trial, part(arma::find(foldOf != fold)), chosen, watch);
        results[job] = Score(trial, part(arma::find(foldOf == fold)),
            cell.units, score);
        checkpoint.Keep(step, results[job].scores, results[job].losses);
      });
  Choose(results);
  guard.cells = nullptr;
}

template<typename MatType>
arma::uvec GBNNTuner::AssignFolds(const MatType& strata,
                                  const arma::uvec& points,
                                  const size_t seed) const
{
  const auto require = [&](const bool condition, const std::string& what)
  {
    if (!condition)
      throw std::invalid_argument("GBNNTuner::Compare(): " + what);
  };
  require(folds >= 2 && folds <= points.n_elem, "number of folds (" +
      std::to_string(folds) + ") must be between 2 and the number of points "
      "that weigh something (" + std::to_string(points.n_elem) + ")");
  if (foldOfPoint.is_empty())
  {
    gbnn::Random random(seed, gbnn::RandomStream::FOLDS);
    return gbnn::StratifiedFolds(strata, points, folds, higherIsBetter, random);
  }

  require(foldOfPoint.n_elem == strata.n_cols, "number of folds of points (" +
      std::to_string(foldOfPoint.n_elem) + ") does not match number of points "
      "(" + std::to_string(strata.n_cols) + ")");
  const arma::uvec result = foldOfPoint.elem(points);
  require(result.max() < folds, "fold " + std::to_string(result.max()) +
      " of a point must be less than the number of folds (" +
      std::to_string(folds) + ")");
  for (size_t fold = 0; fold < folds; ++fold)
  {
    require(arma::any(result == fold), "fold " + std::to_string(fold) + " has "
        "no point that weighs something");
  }
  return result;
}

template<typename FunctionType>
void GBNNTuner::ForEachJob(const size_t jobs,
                           const size_t unitsPerJob,
                           const FunctionType& f) const
{
  gbnn::TuningWatch::State state;
  state.check = check;
  std::function<void(const size_t)> tellUnits;
  if (tell)
  {
    tellUnits = [&](const size_t units)
    {
      tell(double(units) / double(jobs * unitsPerJob));
    };
  }
  // Only the caller's thread may report to the user.
  const std::thread::id caller = std::this_thread::get_id();
  // Trainings differ in how long they take: a thread that is done begins the
  // next one.
  std::atomic<size_t> next(0);
  gbnn::InParallel(std::min(jobs, size_t(gbnn::OneBlasThread::LoopThreads())),
      [&](const size_t)
  {
    const bool talks = (std::this_thread::get_id() == caller);
    for (size_t job = next++; job < jobs && !state.failed; job = next++)
    {
      try
      {
        gbnn::TuningWatch watch(state, talks ? tellUnits : nullptr);
        f(job, watch);
      }
      catch (const gbnn::TuningWatch::Stopped&)
      {
        // Another one has failed.
      }
      catch (...)
      {
        state.failed = true;
        throw;
      }
    }
  });
  if (tell)
    tell(1.0);
}

template<typename ModelType, typename PartType, typename ScoreType>
GBNNTuner::FoldScores GBNNTuner::Score(const ModelType& trial,
                                       const PartType& holdout,
                                       const std::vector<size_t>& units,
                                       const ScoreType& score)
{
  const auto& network = trial.Boosted();
  const auto targets = trial.Targets("GBNNTuner::Compare()", holdout.targets);
  std::decay_t<decltype(holdout.data)> scores(network.Outputs(),
      holdout.data.n_cols);
  scores.each_col() = network.OutputBias().col(0);
  std::decay_t<decltype(holdout.data)> memory;
  const auto& data = trial.Encode(holdout.data, memory);
  FoldScores result;
  for (size_t stage = 0; stage < network.Stages(); ++stage)
  {
    network.AddStage(stage, data, scores);
    if (network.UnitsOfStages(stage + 1) != units[result.scores.size()])
      continue;
    const double meanLoss = trial.Loss().Value(targets, scores,
        holdout.weights);
    result.scores.push_back(score(trial, holdout, scores));
    result.losses.push_back(meanLoss);
  }
  return result;
}

inline void GBNNTuner::MakeCells(const size_t hiddenUnits)
{
  cells.clear();
  best = 0;
  for (const size_t perStage : grid.unitsPerStage)
  {
    for (const double rate : grid.learningRates)
    {
      for (const double subsample : grid.subsamples)
      {
        cells.push_back({ perStage, rate, subsample,
            grid.UnitsToScore(perStage, hiddenUnits), { }, { }, { }, 0 });
      }
    }
  }
}

inline void GBNNTuner::Choose(const std::vector<FoldScores>& results)
{
  for (size_t c = 0; c < cells.size(); ++c)
  {
    GBNNCell& cell = cells[c];
    arma::mat scores(folds, cell.units.size()), losses(folds,
        cell.units.size());
    for (size_t fold = 0; fold < folds; ++fold)
    {
      const FoldScores& result = results[fold * cells.size() + c];
      scores.row(fold) = arma::rowvec(result.scores);
      losses.row(fold) = arma::rowvec(result.losses);
    }
    cell.scores = arma::mean(scores, 0);
    cell.standardErrors = arma::stddev(scores, 0, 0) / std::sqrt(double(folds));
    cell.losses = arma::mean(losses, 0);
    for (size_t k = 1; k < cell.units.size(); ++k)
    {
      if (IsBetter(cell.scores[k], cell.losses[k], cell.scores[cell.best],
          cell.losses[cell.best]))
        cell.best = k;
    }
    const GBNNCell& other = cells[best];
    if (IsBetter(cell.scores[cell.best], cell.losses[cell.best],
        other.scores[other.best], other.losses[other.best]))
      best = c;
  }
}

inline bool GBNNTuner::IsBetter(const double score,
                                const double loss,
                                const double otherScore,
                                const double otherLoss) const
{
  if (std::isnan(score) || std::isnan(otherScore))
    return !std::isnan(score);
  // The same accuracies in another order of folds have the same mean up to
  // rounding errors, which are far below 1e-12.
  const double tolerance = 1e-12;
  const double gain = higherIsBetter ? score - otherScore : otherScore - score;
  const double rounding = tolerance * std::max(std::abs(score),
      std::abs(otherScore));
  return (std::abs(gain) > rounding) ? (gain > 0) : (loss < otherLoss);
}

template<typename ModelType>
void GBNNTuner::SetBest(ModelType& model) const
{
  if (cells.empty())
  {
    throw std::invalid_argument("GBNNTuner::SetBest(): nothing has been "
        "compared yet; call Compare() first");
  }
  const GBNNCell& cell = cells[best];
  model.HiddenUnits() = cell.units[cell.best];
  model.UnitsPerStage() = cell.unitsPerStage;
  model.LearningRate() = cell.learningRate;
  model.Subsample() = cell.subsample;
}

inline arma::mat GBNNTuner::Table() const
{
  arma::mat table(7, cells.size());
  for (size_t c = 0; c < cells.size(); ++c)
  {
    const GBNNCell& cell = cells[c];
    table.col(c) = arma::vec({ double(cell.unitsPerStage), cell.learningRate,
        cell.subsample, double(cell.units[cell.best]), cell.scores[cell.best],
        cell.standardErrors[cell.best], (c == best) ? 1.0 : 0.0 });
  }
  return table;
}

inline std::string GBNNTuner::Text() const
{
  const int width = int(std::max<size_t>(10, scoreName.size())) + 2;
  std::ostringstream out;
  out << "(mean over " << folds << " folds and its standard error; * is best)\n"
      << "  units per stage  learning rate  subsample   units"
      << std::setw(width) << scoreName << std::setw(12) << "std. error";
  for (size_t c = 0; c < cells.size(); ++c)
  {
    const GBNNCell& cell = cells[c];
    out << "\n" << ((c == best) ? "*" : " ") << std::setprecision(6)
        << std::setw(16) << cell.unitsPerStage << std::setw(15)
        << cell.learningRate << std::setw(11) << cell.subsample << std::setw(8)
        << cell.units[cell.best] << std::setprecision(5) << std::setw(width)
        << cell.scores[cell.best] << std::setprecision(2) << std::setw(12)
        << cell.standardErrors[cell.best];
  }
  return out.str();
}

} // namespace mlpack

#endif
