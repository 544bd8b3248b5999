/**
 * @file benchmarks/cpp/load.cpp
 *
 * How long the command-line program takes to read, encode and scale a file, and
 * how long mlpack takes to read it.
 *
 *     gbnn_load_benchmark FILE ROUNDS
 */
#include <mlpack/bindings/cli/load_matrix.hpp>
#include <mlpack/methods/gbnn/table/table_encoder.hpp>

#include "measure.hpp"

using namespace benchmark;
using namespace mlpack;
using namespace mlpack::data; // Where mlpack 4.6 has Load().

int main(int argc, char** argv)
{
  if (argc != 3)
  {
    std::cerr << "usage: gbnn_load_benchmark FILE ROUNDS" << std::endl;
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
    keep(there, Time([&]()
        {
          arma::mat matrix;
          Load(file, matrix, true);
        }));
    Seconds reading;
    keep(here, Time([&]()
        {
          gbnn::DatasetInfoType info;
          arma::mat matrix;
          reading = Time([&]()
              { matrix = bindings::cli::LoadCategorical(file, info); });
          TableEncoder encoder;
          const arma::mat points = encoder.Fit(std::move(matrix), info, "data");
        }));
    keep(read, reading);
  }
  std::cout << Answer().Add("gbnn", here).Add("gbnn_read", read)
      .Add("mlpack", there).Text() << std::endl;
}
