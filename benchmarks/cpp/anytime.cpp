/**
 * @file benchmarks/cpp/anytime.cpp
 *
 * What early exit brings: units and time that predictions take, on data that
 * neither training nor calibration has seen.
 *
 *     gbnn_anytime_benchmark DATA_FOLDER [TASK...]
 *
 * One half of each data set is for training, a quarter for calibration and a
 * quarter to be predicted.  Times are of the processor, on one thread.
 */
#include <cstdio>
#include <iostream>

#include <mlpack/methods/gbnn.hpp>

#include "../../experiments/common/data_sets.hpp"
#include "measure.hpp"

using namespace mlpack;

//! Points to predict, and what a model makes of them.
struct Fresh
{
  arma::mat points;
  arma::Row<size_t> labels;
};

//! Microseconds a point, all points at once and one at a time.
struct Times
{
  double batch;
  double single;
};

//! Time a model, or one that ends early.
template<typename ModelType, typename BatchType>
static Times Measure(const ModelType& model,
                     const arma::mat& points,
                     const BatchType& batch)
{
  volatile size_t sink = 0;
  const double scale = 1e6 / points.n_cols;
  return { scale * benchmark::TimeShort(batch, 0.2).cpu,
      scale * benchmark::TimeShort([&]()
          {
            for (size_t i = 0; i < points.n_cols; ++i)
              sink = sink + model.Classify(points.col(i));
          }, 0.2).cpu };
}

//! Print a row of the table about one way to predict.
static void PrintRow(const std::string& name,
                     const std::string& way,
                     const double units,
                     const double changed,
                     const double accuracy,
                     const Times& times,
                     const Times& all)
{
  std::printf("| %s | %s | %.1f | %.2f %% | %.2f %% | %.2f (%.2f) | %.2f "
      "(%.2f) |\n", name.c_str(), way.c_str(), units, 100 * changed,
      100 * accuracy, times.batch, times.batch / all.batch, times.single,
      times.single / all.single);
  std::fflush(stdout);
}

//! Compare all units, certain exits and those with a risk of 1 %.
static void Compare(const std::string& name,
                    const GBNNClassifier<>& model,
                    const arma::mat& calibration,
                    const Fresh& fresh)
{
  const double n = fresh.points.n_cols;
  arma::Row<size_t> all, predictions, used;
  const Times full = Measure(model, fresh.points,
      [&]() { model.Classify(fresh.points, all); });
  PrintRow(name, "all units", model.ActiveUnits(), 0,
      arma::accu(all == fresh.labels) / n, full, full);

  AnytimeClassifier<> anytime(model);
  for (const double risk : { 0.0, 0.01 })
  {
    if (risk > 0 && calibration.n_cols < anytime.PointsNeeded(risk))
      continue;
    if (risk > 0)
      anytime.Calibrate(calibration, risk);
    const Times times = Measure(anytime, fresh.points,
        [&]() { anytime.Classify(fresh.points, predictions, used); });
    PrintRow(name, (risk > 0) ? "risk 0.01" : "certain", arma::accu(used) / n,
        arma::accu(predictions != all) / n,
        arma::accu(predictions == fresh.labels) / n, times, full);
  }
}

int main(int argc, char** argv)
{
  if (argc < 2)
  {
    std::cerr << "usage: gbnn_anytime_benchmark DATA_FOLDER [TASK...]\n";
    return 2;
  }
  std::vector<std::string> names(argv + 2, argv + argc);
  if (names.empty())
    names = { "banknote", "spambase", "magic", "waveform", "digits" };
  std::cout << "| data | prediction | units | changed | accuracy | us a point, "
      "all at once | us a point, one at a time |\n|---|---|---|---|---|---|---|"
      << std::endl;
  for (const experiments::Task& task : experiments::TabularTasks())
  {
    if (task.regression ||
        std::find(names.begin(), names.end(), task.name) == names.end())
      continue;
    const experiments::DataSet data = experiments::Load(argv[1], task);
    const experiments::Split split(data, experiments::Folds(data, 2, 1), 0);
    // In the file, points may be in the order of their classes.
    const arma::uvec order = experiments::Folds(split.test, 2, 2);
    const arma::uvec in = arma::find(order == 0), out = arma::find(order == 1);
    const Fresh fresh = { split.test.points.cols(out),
        split.test.Labels().cols(out) };

    GBNNClassifier<> model(200, (data.classes == 2) ? 1 : 3);
    model.Seed() = 1;
    model.Train(split.train.points, split.train.Labels(), data.classes);
    Compare(task.name + ", boosted", model, split.test.points.cols(in), fresh);
    model.Refine(split.train.points, split.train.Labels());
    if (model.RefinedIterations() > 0)
      Compare(task.name + ", refined", model, split.test.points.cols(in),
          fresh);
  }
}
