/**
 * @file experiments/paper/figures.hpp
 *
 * Figure 2, decision boundaries, and Figure 4, scores against units.
 */
#ifndef GBNN_EXPERIMENTS_PAPER_FIGURES_HPP
#define GBNN_EXPERIMENTS_PAPER_FIGURES_HPP

#include "budget.hpp"
#include "table2.hpp"

namespace experiments {

/**
 * The two-dimensional ringnorm problem: one class around the origin with four
 * times the variance of the other, which is around (sqrt(2), sqrt(2)).
 */
inline DataSet Ringnorm(const size_t points, const uint64_t seed)
{
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  DataSet data = { "ringnorm", arma::mat(2, points), arma::rowvec(points), 2 };
  for (size_t i = 0; i < points; ++i)
  {
    const bool second = (i % 2 == 1);
    data.targets[i] = second;
    for (size_t d = 0; d < 2; ++d)
    {
      data.points(d, i) = second ? std::sqrt(2.0) + normal(random) :
          2 * normal(random);
    }
  }
  return data;
}

/**
 * Probabilities on a grid: of one GBNN cut at several numbers of units, and of
 * networks of these sizes.  The paper does not say more of the settings; here
 * both use L-BFGS, and GBNN one unit a stage, learning rate 0.5 and all points.
 */
inline void Figure2(const std::filesystem::path& output)
{
  if (std::filesystem::exists(output / "figure2.csv"))
    return;
  const DataSet train = Ringnorm(200, 1);
  const size_t side = 61;
  arma::mat grid(2, side * side);
  for (size_t i = 0; i < grid.n_cols; ++i)
  {
    grid(0, i) = -6 + 12.0 * double(i % side) / double(side - 1);
    grid(1, i) = -6 + 12.0 * double(i / side) / double(side - 1);
  }

  const std::vector<size_t> sizes = { 1, 2, 3, 4, 100 };
  std::vector<std::string> names = { "x", "y" };
  arma::mat columns = grid;
  Boosted model(train, { 0.5, 1, 1 }, 1);
  model.Classifier().HiddenUnits() = 100;
  model.Train(mlpack::StageOptimizer::DefaultLBFGS());
  for (const size_t units : sizes)
  {
    arma::Row<size_t> labels;
    arma::mat probabilities;
    model.Classifier().ActiveUnits(units);
    model.Classifier().Classify(grid, labels, probabilities);
    columns.insert_rows(columns.n_rows, probabilities.row(1));
    names.push_back("GBNN " + std::to_string(units));
  }
  for (const size_t units : sizes)
  {
    Network network(train, { units }, Solver::LBFGS, units);
    columns.insert_rows(columns.n_rows,
        arma::rowvec(1 / (1 + arma::exp(-network.Outputs(grid)))));
    names.push_back("NN " + std::to_string(units));
  }

  const auto write = [&](const std::string& name,
                         const std::vector<std::string>& header,
                         const arma::mat& table)
  {
    std::ofstream file(output / name);
    for (size_t i = 0; i < header.size(); ++i)
      file << (i > 0 ? "," : "") << header[i];
    for (size_t i = 0; i < table.n_elem; ++i)
      file << (i % table.n_rows > 0 ? "," : "\n") << std::setprecision(3)
          << table[i];
    file << "\n";
  };
  write("figure2_points.csv", { "x", "y", "class" },
      arma::join_cols(train.points, train.targets));
  write("figure2.csv", names, columns);
  std::cout << "Figure 2: done" << std::endl;
}

//! What is done of Figure 4.
struct CurvePlan
{
  //! How many of the ten folds.
  size_t folds;
  //! How many numbers of units, up to 200.
  size_t sizes;

  //! These numbers, closer to each other where they are small.
  std::vector<size_t> Units() const
  {
    std::vector<size_t> units;
    for (size_t i = 0; i < sizes; ++i)
    {
      const double share = double(i) / double(sizes - 1);
      units.push_back(1 + size_t(199 * ((sizes == 200) ? share :
          std::pow(share, 1.7)) + 0.5));
    }
    units.erase(std::unique(units.begin(), units.end()), units.end());
    return units;
  }
};

//! Scores against the number of units, with the paper's settings.
inline void Figure4(const std::filesystem::path& folder,
                    const std::vector<Task>& tasks,
                    Results& results,
                    const size_t threads,
                    const Clock& clock)
{
  // Learning rate, units per stage and subsample.
  const std::map<std::string, Setting> settings = {
    { "spambase", { 0.5, 1, 0.75 } }, { "tic_tac_toe", { 0.5, 3, 1 } },
    { "energy_heating", { 0.5, 4, 1 } } };
  const std::vector<CurvePlan> plans = { { 10, 200 }, { 10, 100 }, { 10, 40 },
      { 10, 20 }, { 5, 20 }, { 5, 12 }, { 3, 12 }, { 3, 8 }, { 2, 6 },
      { 1, 4 } };
  std::vector<Task> shown;
  for (const Task& task : tasks)
  {
    if (settings.count(task.name) > 0)
      shown.push_back(task);
  }
  std::vector<std::vector<Job>> rounds(10);
  std::vector<Job> jobs;
  std::vector<DataSet> data;
  for (const Task& task : shown)
    data.push_back(Load(folder, task));
  for (const DataSet& set : data)
  {
    const Setting setting = settings.at(set.name);
    CurvePlan plan = plans[0];
    const Line about = Line().Add("what", "figure4_plan").Add("task", set.name);
    double cost = 1;
    if (results.Has(about))
    {
      const Line line = results.Get(about);
      plan = { size_t(line.Number("folds")), size_t(line.Number("sizes")) };
      cost = line.Number("network_seconds");
    }
    else
    {
      const std::vector<Method> methods = Methods(set.classes);
      const Costs costs(set, { methods[1], methods[3], methods[4] });
      // A network of 100 units takes about twice as long as that of 37.
      cost = 2 * costs["NN-Adam"];
      const double share = 0.9 * clock.Left() * double(threads) /
          double(data.size());
      for (const CurvePlan& next : plans)
      {
        plan = next;
        if (double(plan.folds) * (double(plan.sizes) * cost + costs["Deep-NN"] +
            2 * costs["GBNN-refined"]) <= share)
          break;
      }
      results.Add(Line(about).Add("folds", plan.folds).Add("sizes", plan.sizes)
          .Add("network_seconds", cost));
    }
    std::cout << "Figure 4, " << set.name << ": " << plan.folds << " of 10 "
        "folds, networks of " << plan.Units().size() << " of 200 sizes"
        << std::endl;

    for (size_t f = 0; f < plan.folds; ++f)
    {
      const auto add = [&](const std::string& method,
                           const size_t units,
                           const double seconds,
                           const auto& score)
      {
        const Line line = Line().Add("what", "figure4").Add("task", set.name)
            .Add("fold", f).Add("method", method).Add("units", units);
        if (results.Has(line))
          return;
        rounds[f].push_back({ set.name, seconds, [=, &set, &results]()
            {
              Line done = line;
              done.Add("scores", score(OuterSplit(set, 0, f)));
              results.Add(done);
            } });
      };
      const auto text = [](const arma::rowvec& scores)
      {
        std::ostringstream out;
        for (const double score : scores)
          out << (out.tellp() > 0 ? " " : "") << score;
        return out.str();
      };
      for (const bool refined : { false, true })
      {
        add(refined ? "GBNN-refined" : "GBNN", 200, 4 * cost,
            [=](const Split& split)
            {
              Boosted model(split.train, setting, 1 + f);
              model.Train(mlpack::StageOptimizer::DefaultLBFGS());
              if (refined)
                model.Refine();
              return text(model.Staged(split.test));
            });
      }
      const auto network = [=](const Split& split,
                               const std::vector<size_t>& hidden)
      {
        Network trained(split.train, hidden, Solver::ADAM, 1 + f);
        return text({ Score(trained.Predict(split.test.points), split.test) });
      };
      add("Deep-NN", 300, 4 * cost, [=](const Split& split)
          { return network(split, { 100, 100, 100 }); });
      for (const size_t units : plan.Units())
      {
        add("NN-Adam", units, cost * (0.2 + 0.008 * double(units)),
            [=](const Split& split) { return network(split, { units }); });
      }
    }
  }
  // The first fold of all sets first.
  for (std::vector<Job>& round : rounds)
    jobs.insert(jobs.end(), round.begin(), round.end());
  const size_t left = RunJobs("figure4", jobs, threads, clock);
  if (left > 0)
    std::cout << "Figure 4: the time is over, " << left << " of " << jobs.size()
        << " trainings were not begun" << std::endl;
}

} // namespace experiments

#endif
