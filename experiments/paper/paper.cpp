/**
 * @file experiments/paper/paper.cpp
 *
 * The paper's experiments with tabular data: Table 2, Figures 2 and 4, Table 3
 * and Figure 5.  Everything measured is a line of OUTPUT/results.jsonl, and is
 * not done again; report.py makes tables and figures of it.
 *
 *     paper all|table2|figure2|figure4|times DATA_FOLDER OUTPUT_FOLDER
 *         [--budget MINUTES] [--threads N] [TASK ...]
 *
 * Without a budget it does all that the paper did, which takes days.
 */
#include "figures.hpp"
#include "table2.hpp"
#include "times.hpp"

using namespace experiments;

//! What was asked for.
struct Options
{
  std::string command;
  std::filesystem::path data, output;
  double minutes = 0;
  size_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::string> tasks;
};

//! The options; without a command if they make no sense.
Options Read(const int argc, char** argv)
{
  Options options;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i)
  {
    const std::string argument = argv[i];
    if (argument == "--budget" && i + 1 < argc)
      options.minutes = std::stod(argv[++i]);
    else if (argument == "--threads" && i + 1 < argc)
      options.threads = std::stoul(argv[++i]);
    else if (argument.rfind("--", 0) == 0)
      return Options();
    else
      words.push_back(argument);
  }
  for (size_t i = 3; i < words.size(); ++i)
  {
    const std::vector<Task> all = PaperTasks();
    if (std::none_of(all.begin(), all.end(), [&](const Task& task)
        { return task.name == words[i]; }))
    {
      std::cerr << "paper: there is no task '" << words[i] << "'" << std::endl;
      return Options();
    }
  }
  const std::set<std::string> commands = { "all", "table2", "figure2",
      "figure4", "times" };
  if (words.size() < 3 || commands.count(words[0]) == 0 ||
      !(options.minutes >= 0) || options.threads == 0)
    return options;
  options.data = words[1];
  options.output = words[2];
  options.tasks.assign(words.begin() + 3, words.end());
  options.command = words[0];
  return options;
}

int main(int argc, char** argv)
{
  Options options;
  try
  {
    options = Read(argc, argv);
  }
  catch (const std::logic_error&)
  {
    // A number that is none.
  }
  if (options.command.empty())
  {
    std::cerr << "usage: paper all|table2|figure2|figure4|times DATA_FOLDER "
        "OUTPUT_FOLDER [--budget MINUTES] [--threads N] [TASK ...]"
        << std::endl;
    return 2;
  }

  mlpack::gbnn::BlasThreads(1);
  omp_set_num_threads(1);
  try
  {
    std::filesystem::create_directories(options.output);
    Results results(options.output / "results.jsonl");
    std::vector<Task> tasks;
    for (const Task& task : PaperTasks())
    {
      const bool wanted = options.tasks.empty() || std::count(
          options.tasks.begin(), options.tasks.end(), task.name) > 0;
      if (wanted && IsThere(options.data, task))
        tasks.push_back(task);
    }

    // Parts, and the shares that they have of the time; what one leaves is for
    // those after it.
    struct Part
    {
      std::string name;
      double share;
      std::function<void(const Clock&)> run;
    };
    const std::vector<Part> parts = {
      { "figure2", 0.01, [&](const Clock&)
          { Figure2(options.output); } },
      { "table2", 0.71, [&](const Clock& clock)
          { Table2(options.data, tasks, results, options.threads, clock); } },
      { "figure4", 0.10, [&](const Clock& clock)
          { Figure4(options.data, tasks, results, options.threads, clock); } },
      { "times", 0.18, [&](const Clock& clock)
          { Times(options.data, tasks, results, clock); } } };
    const Clock clock(options.minutes);
    double shares = 1;
    for (const Part& part : parts)
    {
      if (options.command == "all" || options.command == part.name)
      {
        const double share = (options.command == "all") ? part.share / shares :
            1;
        part.run(Clock(options.minutes > 0 ?
            std::max(0.01, share * clock.Left() / 60) : 0));
      }
      shares -= part.share;
    }
  }
  catch (const std::exception& error)
  {
    std::cerr << "paper: " << error.what() << std::endl;
    return 1;
  }
}
