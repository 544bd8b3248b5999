/**
 * @file experiments/paper/times.hpp
 *
 * Table 3, training times of all methods, and Figure 5, time against units with
 * and without an early end.
 */
#ifndef GBNN_EXPERIMENTS_PAPER_TIMES_HPP
#define GBNN_EXPERIMENTS_PAPER_TIMES_HPP

#include "budget.hpp"
#include "table2.hpp"

namespace experiments {

//! The setting that a method was given most often in Table 2, or the middle of
//! its grid; networks have 200 units.
inline Setting UsualSetting(const Method& method,
                            const std::string& task,
                            Results& results)
{
  std::map<std::string, size_t> counts;
  for (const Line& line : results.Of("table2"))
  {
    if (line.Text("task") == task && line.Text("method") == method.name)
      ++counts[line.Text("setting")];
  }
  Setting setting = SomeSettings(method, 1)[0];
  size_t most = 0;
  for (const auto& [text, count] : counts)
  {
    if (count > most)
      setting = method.Parse(text);
    most = std::max(most, count);
  }
  if (!setting.empty() && method.axes[0].name == "units")
    setting[0] = 200;
  return setting;
}

//! Notes when there are so many units.
class UnitTimes
{
 public:
  template<typename OptimizerType, typename ModelType>
  void EndEpoch(OptimizerType& /* optimizer */,
                ModelType& model,
                const arma::mat& /* coordinates */,
                const size_t /* epoch */,
                const double /* objective */)
  {
    seconds[model.Units()] = watch.Seconds();
  }

  //! Units, and seconds.
  std::map<size_t, double> seconds;

 private:
  StopWatch watch;
};

//! The part of a set that Figure 5 trains on.
inline DataSet FirstPoints(const DataSet& data, const size_t most)
{
  if (data.points.n_cols <= most)
    return data;
  return { data.name, data.points.head_cols(most), data.targets.head_cols(most),
      data.classes };
}

//! The jobs of Figure 5 that are not done yet.
inline void AddFigure5(const DataSet& data,
                       const size_t steps,
                       const size_t most,
                       const double cost,
                       Results& results,
                       std::vector<Job>& jobs)
{
  for (const bool ends : { true, false })
  {
    const auto about = [=, &data](const std::string& method, const size_t units)
    {
      return Line().Add("what", "figure5").Add("task", data.name)
          .Add("method", method).Add("ends", ends ? "early" : "late")
          .Add("units", units);
    };
    const auto train = [=, &data]()
    {
      return FirstPoints(OuterSplit(data, 0, 0).train, most);
    };
    if (!results.Has(about("GBNN", 200)))
    {
      jobs.push_back({ data.name, cost, [=, &data, &results]()
          {
            const std::vector<Method> methods = Methods(data.classes);
            Boosted model(train(), UsualSetting(methods[0], data.name, results),
                1);
            ens::L_BFGS optimizer = mlpack::StageOptimizer::DefaultLBFGS();
            if (!ends)
            {
              optimizer.Factr() = 0;
              optimizer.MinGradientNorm() = 0;
            }
            UnitTimes times;
            model.Train(optimizer, times);
            for (const auto& [units, seconds] : times.seconds)
              results.Add(about("GBNN", units).Add("seconds", seconds));
          } });
    }
    for (size_t i = 1; i <= steps; ++i)
    {
      const size_t units = 200 * i / steps;
      for (const size_t layers : { 1, 3 })
      {
        const Line line = about(layers == 1 ? "NN-Adam" : "Deep-NN", units);
        if (results.Has(line))
          continue;
        const double share = double(units) / 100;
        jobs.push_back({ data.name, (layers == 1 ? share : 5 * share * share) *
            (ends ? cost : 2 * cost), [=, &results]()
            {
              const DataSet points = train();
              const StopWatch watch;
              Network(points, std::vector<size_t>(layers, units), Solver::ADAM,
                  1, ends);
              results.Add(Line(line).Add("seconds", watch.Seconds()));
            } });
      }
    }
  }
}

//! Measure times, one training at a time.
inline void Times(const std::filesystem::path& folder,
                  const std::vector<Task>& tasks,
                  Results& results,
                  const Clock& clock)
{
  // Folds of Table 3, and sizes and points of Figure 5.
  struct TimesPlan
  {
    size_t folds, steps, points;
  };
  const std::vector<TimesPlan> plans = { { 10, 10, 100000 }, { 5, 10, 100000 },
      { 3, 10, 4000 }, { 2, 10, 2000 }, { 1, 10, 1000 }, { 1, 5, 1000 },
      { 1, 4, 500 } };
  std::vector<DataSet> data;
  for (const Task& task : tasks)
  {
    // The paper's times are without it.
    if (task.name != "waveform_300")
      data.push_back(Load(folder, task));
  }
  const auto isTimed = [](const Method& method)
  {
    return method.name != "AdaBoost-NN";
  };

  // What a fold takes is known from Table 2, or measured with few points.
  std::vector<double> costs;
  double total = 0;
  for (const DataSet& set : data)
  {
    double sum = 0, count = 0;
    for (const Line& line : results.Of("table2"))
    {
      if (line.Text("task") != set.name || line.Text("fold") != "0" ||
          line.Text("repeat") != "0" || line.Text("method") == "AdaBoost-NN")
        continue;
      sum += line.Number("seconds");
      ++count;
    }
    if (count < 7)
    {
      sum = 0;
      std::vector<Method> methods = Methods(set.classes);
      methods.pop_back();
      const Costs measured(set, methods);
      for (const Method& method : methods)
        sum += measured[method.name];
    }
    costs.push_back(1.5 * sum);
    total += costs.back();
  }
  const Line about = Line().Add("what", "times_plan");
  TimesPlan plan = plans[0];
  if (results.Has(about))
  {
    const Line line = results.Get(about);
    plan = { size_t(line.Number("folds")), size_t(line.Number("steps")),
        size_t(line.Number("points")) };
  }
  else
  {
    for (const TimesPlan& next : plans)
    {
      plan = next;
      // A deep network of 200 units for 200 epochs, in seconds per point.
      const double figure = 0.03 * double(plan.steps) *
          double(std::min<size_t>(plan.points, 9000));
      if (total * double(plan.folds) + figure <= 0.9 * clock.Left())
        break;
    }
    results.Add(Line(about).Add("folds", plan.folds).Add("steps", plan.steps)
        .Add("points", plan.points));
  }
  std::cout << "Table 3: " << plan.folds << " of 10 folds" << std::endl
      << "Figure 5: networks of " << plan.steps << " of 10 sizes, "
      << (plan.points >= 100000 ? "all" : "at most " +
      std::to_string(plan.points)) << " points" << std::endl;

  // Figure 5, then the sets that take little time first, so that most are there
  // if the time is over.
  std::vector<Job> jobs;
  for (const DataSet& set : data)
  {
    if (set.name == "power" || set.name == "ilpd")
      AddFigure5(set, plan.steps, plan.points, 1, results, jobs);
  }
  const arma::uvec order = arma::stable_sort_index(arma::vec(costs));
  for (size_t f = 0; f < plan.folds; ++f)
  {
    for (const size_t d : order)
    {
      const DataSet& set = data[d];
      for (const Method& method : Methods(set.classes))
      {
        const Line line = Line().Add("what", "table3").Add("task", set.name)
            .Add("fold", f).Add("method", method.name);
        if (!isTimed(method) || results.Has(line))
          continue;
        jobs.push_back({ set.name, costs[d] / 7, [=, &set, &results]()
            {
              const Split split = OuterSplit(set, 0, f, !method.takesRaw);
              const Setting setting = UsualSetting(method.tunedAs.empty() ?
                  method : Methods(set.classes)[0], set.name, results);
              const StopWatch watch;
              method.train(split.train, setting, 1 + f);
              results.Add(Line(line).Add("seconds", watch.Seconds())
                  .Add("setting", method.Text(setting)));
            } });
      }
    }
  }
  const size_t left = RunJobs("times", jobs, 1, clock);
  if (left > 0)
    std::cout << "Times: the time is over, " << left << " of " << jobs.size()
        << " trainings were not begun" << std::endl;
}

} // namespace experiments

#endif
