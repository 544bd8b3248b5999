/**
 * @file experiments/common/data_sets.hpp
 *
 * The paper's tabular data sets, and the folds that the experiments share.
 */
#ifndef GBNN_EXPERIMENTS_COMMON_DATA_SETS_HPP
#define GBNN_EXPERIMENTS_COMMON_DATA_SETS_HPP

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>

#include <mlpack/prereqs.hpp>

namespace experiments {

//! A data set: points in columns, and labels or responses.
struct DataSet
{
  std::string name;
  arma::mat points;
  //! Labels (as numbers) or responses.
  arma::rowvec targets;
  //! Number of classes; 0 for regression.
  size_t classes = 0;

  bool IsRegression() const { return classes == 0; }

  arma::Row<size_t> Labels() const
  {
    return arma::conv_to<arma::Row<size_t>>::from(targets);
  }
};

//! One of a list of tasks: a file, and which of its columns is the target.
struct Task
{
  std::string name;
  std::string file;
  //! Columns at the end of the file that are targets.
  size_t targetColumns;
  //! Which of them is meant.
  size_t target;
  bool regression;
};

//! The 25 tabular tasks of the paper that the data folder has.
inline std::vector<Task> TabularTasks()
{
  std::vector<Task> tasks;
  for (const std::string name : { "australian", "german", "banknote",
      "tic_tac_toe", "breast_cancer", "diabetes", "ilpd", "ionosphere", "sonar",
      "hepatitis", "spambase", "magic", "iris", "wine", "vehicle", "vowel",
      "digits", "waveform" })
    tasks.push_back({ name, name, 1, 0, false });
  tasks.push_back({ "boston", "boston", 1, 0, true });
  tasks.push_back({ "concrete", "concrete", 1, 0, true });
  tasks.push_back({ "energy_heating", "energy", 2, 0, true });
  tasks.push_back({ "energy_cooling", "energy", 2, 1, true });
  tasks.push_back({ "power", "power", 1, 0, true });
  tasks.push_back({ "winequality_red", "winequality_red", 1, 0, true });
  tasks.push_back({ "winequality_white", "winequality_white", 1, 0, true });
  return tasks;
}

//! Read a task's file; missing cells are NaN.  Throws if there is none.
inline std::filesystem::path FileOf(const std::filesystem::path& folder,
                                    const Task& task)
{
  return folder / (task.file + ".csv");
}

//! Whether a folder has the set of a task; says so if it has not.
inline bool IsThere(const std::filesystem::path& folder, const Task& task)
{
  const bool there = std::filesystem::exists(FileOf(folder, task));
  if (!there)
    std::cerr << task.name << ": no data, so skipped" << std::endl;
  return there;
}

inline DataSet Load(const std::filesystem::path& folder, const Task& task)
{
  const std::filesystem::path path = FileOf(folder, task);
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path.string());

  std::string line, cell;
  std::getline(file, line); // The header.
  std::vector<double> values;
  size_t columns = 0;
  while (std::getline(file, line))
  {
    std::istringstream cells(line);
    columns = 0;
    for (; std::getline(cells, cell, ','); ++columns)
      values.push_back(std::strtod(cell.c_str(), nullptr));
  }
  const arma::mat all(values.data(), columns, values.size() / columns);

  DataSet data;
  data.name = task.name;
  const size_t inputs = columns - task.targetColumns;
  data.points = all.head_rows(inputs);
  data.targets = all.row(inputs + task.target);
  data.classes = task.regression ? 0 : size_t(data.targets.max()) + 1;
  return data;
}

/**
 * The fold (0 to folds - 1) of each point, shuffled with the given seed; for
 * classification every class is spread over the folds evenly.
 */
inline arma::uvec Folds(const DataSet& data,
                        const size_t folds,
                        const uint64_t seed)
{
  std::mt19937_64 random(seed);
  std::vector<size_t> order(data.points.n_cols);
  std::iota(order.begin(), order.end(), size_t(0));
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random() % i]);
  if (!data.IsRegression())
  {
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b)
        { return data.targets[a] < data.targets[b]; });
  }
  arma::uvec fold(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    fold[order[i]] = i % folds;
  return fold;
}

//! A training and a test part, standardized by what the training part shows
//! unless they are to stay as they are.
struct Split
{
  DataSet train;
  DataSet test;

  Split(const DataSet& data,
        const arma::uvec& fold,
        const size_t testFold,
        const bool standardize = true)
  {
    const arma::uvec in = arma::find(fold != testFold);
    const arma::uvec out = arma::find(fold == testFold);
    train = { data.name, data.points.cols(in), data.targets.cols(in),
        data.classes };
    test = { data.name, data.points.cols(out), data.targets.cols(out),
        data.classes };
    for (size_t d = 0; standardize && d < data.points.n_rows; ++d)
      Standardize(d);
  }

 private:
  //! Mean 0 and variance 1; a missing cell becomes the mean.
  void Standardize(const size_t d)
  {
    const arma::rowvec row = train.points.row(d);
    const arma::rowvec known = row.cols(arma::find_finite(row));
    const double mean = known.is_empty() ? 0 : arma::mean(known);
    const double deviation = known.is_empty() ? 0 : arma::stddev(known, 1);
    for (DataSet* part : { &train, &test })
    {
      part->points.row(d).for_each([&](double& x)
          {
            x = std::isfinite(x) ? x - mean : 0;
            if (deviation > 0)
              x /= deviation;
          });
    }
  }
};

} // namespace experiments

#endif
