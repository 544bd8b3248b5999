/**
 * @file experiments/losses/losses.cpp
 *
 * Robust losses on the paper's regression tasks, with errors added to the
 * training responses: this measures the best delta of Huber's loss.
 *
 *     losses DATA_FOLDER [TASK ...]
 *
 * Up to 1500 points of each task are cut into three folds.  The test error is
 * the RMSE on unchanged test points, divided by the standard deviation of their
 * responses.
 */
#include <mlpack/methods/gbnn.hpp>

#include "../common/data_sets.hpp"

using namespace experiments;
using namespace mlpack;

//! Delta, relative to the median distance of the responses from their median.
const std::vector<double> factors = { 0.1, 0.25, 0.5, 1, 2, 4 };
const std::vector<std::string> kinds = { "as it is",
    "10 % with noise of 10 deviations", "2 % too large by 100 deviations",
    "heavy tails (Student's t, 2 degrees)" };

//! Spoil responses in one of the ways that `kinds` names.
arma::rowvec Spoilt(arma::rowvec y, const size_t kind, const size_t seed)
{
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  std::student_t_distribution<double> heavy(2);
  const double deviation = arma::stddev(y);
  for (double& value : y)
  {
    const double chance = uniform(random), size = normal(random);
    const double tail = heavy(random);
    if (kind == 1 && chance < 0.1)
      value += 10 * deviation * size;
    else if (kind == 2 && chance < 0.02)
      value += 100 * deviation;
    else if (kind == 3)
      value += 0.2 * deviation * tail;
  }
  return y;
}

//! Train and refine with a loss; the error on the test points.
template<typename LossType>
double Error(const LossType& loss, const Split& split, const arma::rowvec& y)
{
  GBNNRegressor<arma::mat, LossType> model(90, 3);
  model.Loss() = loss;
  model.Seed() = 1;
  model.Train(split.train.points, y);
  model.Refine(split.train.points, y);
  return model.StagedRMSE(split.test.points, split.test.targets).back() /
      arma::stddev(split.test.targets);
}

//! The errors of all losses, the mean over the folds.
arma::rowvec Errors(const DataSet& data, const size_t kind)
{
  const size_t folds = 3;
  const arma::uvec fold = Folds(data, folds, 1);
  arma::rowvec sums(2 + factors.size(), arma::fill::zeros);
  for (size_t f = 0; f < folds; ++f)
  {
    const Split split(data, fold, f);
    const arma::rowvec y = Spoilt(split.train.targets, kind, 1 + f);
    const double distance = arma::median(arma::abs(y - arma::median(y)));
    sums[0] += Error(SquaredErrorLoss(), split, y);
    sums[1] += Error(AbsoluteLoss(), split, y);
    for (size_t i = 0; i < factors.size(); ++i)
      sums[2 + i] += Error(HuberErrorLoss(factors[i] * distance), split, y);
  }
  return sums / double(folds);
}

int main(int argc, char** argv)
{
  if (argc < 2)
  {
    std::fprintf(stderr, "usage: losses DATA_FOLDER [TASK ...]\n");
    return 1;
  }
  const std::vector<std::string> wanted(argv + 2, argv + argc);
  std::printf("| responses | task | squared | absolute |");
  for (const double factor : factors)
    std::printf(" Huber %g |", factor);
  std::printf("\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (size_t kind = 0; kind < kinds.size(); ++kind)
  {
    arma::rowvec logs(2 + factors.size(), arma::fill::zeros);
    size_t tasks = 0;
    const auto print = [&](const std::string& name, const arma::rowvec& errors)
    {
      std::printf("| %s | %s |", kinds[kind].c_str(), name.c_str());
      for (const double error : errors)
        std::printf(" %.3f |", error);
      std::printf("\n");
      std::fflush(stdout);
    };
    for (const Task& task : TabularTasks())
    {
      if (!task.regression || (!wanted.empty() && std::find(wanted.begin(),
          wanted.end(), task.name) == wanted.end()))
        continue;
      DataSet data = Load(argv[1], task);
      if (data.points.n_cols > 1500)
      {
        const arma::uvec some = arma::find(Folds(data, data.points.n_cols /
            1500, 2) == 0);
        data.points = arma::mat(data.points.cols(some));
        data.targets = arma::rowvec(data.targets.cols(some));
      }
      const arma::rowvec errors = Errors(data, kind);
      print(task.name, errors);
      logs += arma::log(errors);
      ++tasks;
    }
    print("**geometric mean**", arma::exp(logs / double(tasks)));
  }
}
