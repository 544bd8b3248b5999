/**
 * @file benchmarks/cpp/load.cpp
 *
 * How long the command-line program takes to read, encode and scale a file, and
 * how long mlpack takes to read it.
 *
 *     gbnn_load_benchmark FILE ROUNDS
 *
 * With "read" after that, the program only reads the file, which may have words
 * then.
 */
#include <mlpack/bindings/cli/load_matrix.hpp>
#include <mlpack/methods/gbnn/table/table_encoder.hpp>

#include "measure.hpp"

using namespace benchmark;
using namespace mlpack;
using namespace mlpack::data; // Where mlpack 4.6 has Load().

int main(int argc, char** argv)
{
  const bool readOnly = (argc == 4 && std::string(argv[3]) == "read");
  if (argc != 3 && !readOnly)
  {
    std::cerr << "usage: gbnn_load_benchmark FILE ROUNDS [read]" << std::endl;
    return 2;
  }
  const std::string file = argv[1];
  Seconds here{ 1e300, 1e300 }, there = here, read = here;
  const auto keep = [](Seconds& best, const Seconds& time)
  {
    best.wall = std::min(best.wall, time.wall);
    best.cpu = std::min(best.cpu, time.cpu);
  };
  for (int round = 0; round < std::stoi(argv[2]); ++round)
  {
    gbnn::DatasetInfoType info;
    arma::mat matrix;
    const Seconds reading = Time([&]()
        { matrix = bindings::cli::LoadCategorical(file, info); });
    keep(read, reading);
    if (readOnly)
      continue;
    const Seconds encoding = Time([&]()
        {
          TableEncoder encoder;
          const arma::mat points = encoder.Fit(std::move(matrix), info, "data");
        });
    keep(here, { reading.wall + encoding.wall, reading.cpu + encoding.cpu });
    keep(there, Time([&]()
        {
          arma::mat other;
          Load(file, other, true);
        }));
  }
  Answer answer;
  answer.Add("gbnn_read", read);
  if (!readOnly)
    answer.Add("gbnn", here).Add("mlpack", there);
  std::cout << answer.Text() << std::endl;
}
