/**
 * @file benchmarks/cpp/main.cpp
 *
 * Does what each line of its standard input asks for and answers with a line of
 * JSON, so that benchmarks/run can alternate between contestants without
 * starting a process each time.
 */
#include <iostream>
#include <map>

#include "tasks.hpp"

using namespace benchmark;

int main()
{
  const std::map<std::string, Answer (*)(std::istream&)> tasks = {
      { "compete", Compete }, { "scale", Scale }, { "predict", Predict },
      { "latency", Latency }, { "call", Call } };

  for (std::string line, task; std::getline(std::cin, line);)
  {
    std::istringstream words(line);
    words >> task;
    try
    {
      std::cout << tasks.at(task)(words).Text() << std::endl;
    }
    catch (const std::exception& e)
    {
      std::cerr << "gbnn_benchmark: " << line << ": " << e.what() << std::endl;
      return 1;
    }
  }
}
