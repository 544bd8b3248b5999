/**
 * @file experiments/paper/table2.hpp
 *
 * Table 2: repeated cross-validation of all methods, each tuned by
 * cross-validation within the training part.
 */
#ifndef GBNN_EXPERIMENTS_PAPER_TABLE2_HPP
#define GBNN_EXPERIMENTS_PAPER_TABLE2_HPP

#include "budget.hpp"

namespace experiments {

//! The tasks of the paper's table: Waveform is there twice.
inline std::vector<Task> PaperTasks()
{
  std::vector<Task> tasks = TabularTasks();
  tasks.insert(std::find_if(tasks.begin(), tasks.end(), [](const Task& task)
      { return task.regression; }), { "waveform_300", "waveform", 1, 0,
      false });
  return tasks;
}

//! A fold of the ten; of waveform_300, one of ten choices of 300 points to
//! train with.
inline Split OuterSplit(const DataSet& data,
                        const size_t repeat,
                        const size_t fold,
                        const bool standardize = true)
{
  if (data.name != "waveform_300")
    return Split(data, Folds(data, 10, repeat + 1), fold, standardize);
  const size_t points = data.points.n_cols;
  // Places in a random order, class by class; every so many is taken.
  arma::uvec part = Folds(data, points, fold + 1);
  part.transform([&](const size_t place)
      {
        const size_t wanted = TrainingPoints(data);
        return (place + 1) * wanted / points - place * wanted / points;
      });
  return Split(data, part, 0, standardize);
}

//! The setting of a method that is best in a cross-validation of these points.
inline Setting Tune(const Method& method,
                    DataSet train,
                    const Plan& plan,
                    const uint64_t seed)
{
  const std::vector<Setting> settings = SomeSettings(method, plan.settings);
  if (settings.size() == 1)
    return settings[0];
  const size_t parts = (train.points.n_cols + plan.points - 1) / plan.points;
  if (parts > 1)
    train = Split(train, Folds(train, parts, seed), 0, false).test;
  const arma::uvec folds = Folds(train, plan.innerFolds, seed);
  std::vector<double> errors(settings.size());
  for (size_t f = 0; f < plan.innerUsed; ++f)
  {
    const Split split(train, folds, f, !method.takesRaw);
    for (size_t s = 0; s < settings.size(); ++s)
    {
      const double score = Score(method.train(split.train, settings[s],
          seed)(split.test.points), split.test);
      errors[s] += !std::isfinite(score) ? arma::datum::inf :
          train.IsRegression() ? score : 1 - score;
    }
  }
  return settings[std::min_element(errors.begin(), errors.end()) -
      errors.begin()];
}

//! Tune, train and test all methods on a fold, unless that has been done.
inline void RunFold(const DataSet& data,
                    const std::vector<Method>& methods,
                    const Plan& plan,
                    const size_t repeat,
                    const size_t fold,
                    Results& results,
                    const Clock& clock)
{
  const Split standard = OuterSplit(data, repeat, fold);
  const Split raw = OuterSplit(data, repeat, fold, false);
  const uint64_t seed = 1 + fold + 10 * repeat;
  const auto about = [&](const std::string& name)
  {
    return Line().Add("what", "table2").Add("task", data.name)
        .Add("repeat", repeat).Add("fold", fold).Add("method", name);
  };
  for (const Method& method : methods)
  {
    Line line = about(method.name);
    if (results.Has(line))
      continue;
    if (clock.Left() <= 0)
      return;
    const Split& split = method.takesRaw ? raw : standard;
    const Setting setting = method.tunedAs.empty() ?
        Tune(method, split.train, plan, seed) :
        method.Parse(results.Get(about(method.tunedAs)).Text("setting"));
    const StopWatch watch;
    const Predictor predict = method.train(split.train, setting, seed);
    const double seconds = watch.Seconds();
    line.Add("score", Score(predict(split.test.points), split.test))
        .Add("seconds", seconds).Add("setting", method.Text(setting))
        .Add("regression", size_t(data.IsRegression()));
    results.Add(line);
  }
}

//! What is done of a task.
struct PlannedTask
{
  DataSet data;
  std::vector<Method> methods;
  Plan plan;
  double foldCost;
};

//! Give tasks that have no plan yet the best ones that fit into some seconds:
//! each as good a one as takes no longer than a limit that is the same for all.
inline void MakePlans(std::vector<PlannedTask*>& tasks,
                      const std::vector<Costs>& costs,
                      const double seconds)
{
  for (double limit = 1e9; ; limit *= 0.9)
  {
    double total = 0;
    for (size_t t = 0; t < tasks.size(); ++t)
    {
      for (const Plan& plan : Plans())
      {
        tasks[t]->plan = plan;
        if (tasks[t]->data.name == "waveform_300")
          tasks[t]->plan.repeats = 1;
        tasks[t]->foldCost = costs[t].OfFold(tasks[t]->plan,
            tasks[t]->methods);
        if (tasks[t]->foldCost * double(plan.folds * plan.repeats) <= limit)
          break;
      }
      total += tasks[t]->foldCost * double(tasks[t]->plan.folds *
          tasks[t]->plan.repeats);
    }
    if (total <= seconds || limit < 1e-3)
      return;
  }
}

//! Run what is missing of Table 2.
inline void Table2(const std::filesystem::path& folder,
                   const std::vector<Task>& tasks,
                   Results& results,
                   const size_t threads,
                   const Clock& clock)
{
  std::vector<PlannedTask> planned;
  for (const Task& task : tasks)
  {
    const DataSet data = Load(folder, task);
    planned.push_back({ data, Methods(data.classes), Plans()[0], 0 });
  }
  const auto planOf = [](const PlannedTask& task)
  {
    return Line().Add("what", "plan").Add("task", task.data.name);
  };

  // Plans of before stay as they were, so that folds of a task are alike.
  std::vector<PlannedTask*> open;
  for (PlannedTask& task : planned)
  {
    if (results.Has(planOf(task)))
    {
      const Line line = results.Get(planOf(task));
      task.plan = Plan::Read(line);
      task.foldCost = line.Number("fold_seconds");
    }
    else
      open.push_back(&task);
  }
  std::vector<std::optional<Costs>> measured(open.size());
  std::vector<Job> estimates;
  for (size_t t = 0; t < open.size(); ++t)
  {
    estimates.push_back({ open[t]->data.name, 1, [&, t]()
        { measured[t].emplace(open[t]->data, open[t]->methods); } });
  }
  RunJobs("costs", estimates, threads, Clock(0));
  std::vector<Costs> costs;
  for (const std::optional<Costs>& cost : measured)
    costs.push_back(*cost);
  MakePlans(open, costs, 0.8 * clock.Left() * double(threads));
  for (size_t t = 0; t < open.size(); ++t)
  {
    Line line = planOf(*open[t]);
    open[t]->plan.Write(line);
    results.Add(line.Add("fold_seconds", open[t]->foldCost)
        .Add("training_seconds", costs[t].Text()));
  }

  double whole = 0;
  for (size_t t = 0; t < open.size(); ++t)
    whole += 50 * costs[t].OfFold(Plans()[0], open[t]->methods);
  if (whole > 0)
  {
    std::cout << "The paper's protocol would take about "
        << std::lround(whole / 3600 / double(threads)) << " hours on "
        << threads << " threads." << std::endl;
  }
  std::cout << "The paper has 5 x 10 folds; whole grids by 10 of 10 folds. "
      "Here:" << std::endl;
  for (const PlannedTask& task : planned)
  {
    std::cout << "  " << task.data.name << ": " << (task.plan.IsFull() ?
        "the same" : task.plan.Text()) << std::endl;
  }

  // The first fold of all tasks, then the second: if the time is over, all
  // tasks have about as many.  Those that take long first, so that none of them
  // is left alone in the end.
  std::vector<PlannedTask*> order;
  for (PlannedTask& task : planned)
    order.push_back(&task);
  std::stable_sort(order.begin(), order.end(),
      [](const PlannedTask* a, const PlannedTask* b)
      { return a->foldCost > b->foldCost; });
  std::vector<Job> jobs;
  for (size_t r = 0; r < 5; ++r)
  {
    for (size_t f = 0; f < 10; ++f)
    {
      for (const PlannedTask* task : order)
      {
        if (r >= task->plan.repeats || f >= task->plan.folds)
          continue;
        const bool done = std::all_of(task->methods.begin(),
            task->methods.end(), [&](const Method& method)
            {
              return results.Has(Line().Add("what", "table2")
                  .Add("task", task->data.name).Add("repeat", r)
                  .Add("fold", f).Add("method", method.name));
            });
        if (!done)
          jobs.push_back({ task->data.name, task->foldCost, [=, &results,
              &clock]() { RunFold(task->data, task->methods, task->plan, r, f,
              results, clock); } });
      }
    }
  }
  const size_t left = RunJobs("table2", jobs, threads, clock);
  if (left > 0)
  {
    std::cout << "The time is over: " << left << " of " << jobs.size()
        << " folds were not begun; another run goes on with them."
        << std::endl;
  }
}

} // namespace experiments

#endif
