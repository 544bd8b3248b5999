/**
 * @file tests/fuzz/options.cpp
 *
 * The command line: an input has one argument a line.  They are parsed and made
 * into settings, as the program does before it reads a file.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#define BINDING_TYPE BINDING_TYPE_CLI
// The program's own; the fuzzer has one.
#define main ProgramMain
#include <mlpack/methods/gbnn/gbnn_main.cpp>
#undef main

#include <mlpack/bindings/cli/cli_dialect.hpp>
#include <mlpack/bindings/cli/command_line.hpp>

#include "bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  static const bool quiet = []()
  {
    mlpack::bindings::DefaultDialect() =
        &mlpack::bindings::cli::TheCLIDialect();
    std::cout.setstate(std::ios::failbit);
    std::cerr.setstate(std::ios::failbit);
    return true;
  }();
  (void) quiet;

  std::vector<std::string> arguments = { "mlpack_gbnn" };
  Bytes bytes(data, size);
  while (!bytes.AtEnd() && arguments.size() < 40)
  {
    std::string argument;
    for (char c; !bytes.AtEnd() && (c = char(bytes.Byte())) != '\n';)
      if (c != '\0')
        argument += c;
    arguments.push_back(argument);
  }
  std::vector<char*> argv;
  for (std::string& argument : arguments)
    argv.push_back(&argument[0]);
  argv.push_back(nullptr);

  try
  {
    mlpack::util::Params params = mlpack::IO::Parameters("gbnn");
    if (mlpack::bindings::cli::ParseCommandLine(int(arguments.size()),
        argv.data(), params))
    {
      const GBNNSettings settings = ReadSettings(params);
      ReportIgnoredOptions(params, settings);
      // What passes is in its range.
      REQUIRE(settings.boosting.hiddenUnits > 0);
      REQUIRE(settings.encoding.bins <= 256);
      for (const double quantile : settings.loss.quantiles.value)
        REQUIRE(quantile > 0 && quantile < 1);
    }
  }
  catch (const std::exception& e)
  {
    REQUIRE(*e.what() != '\0');
  }
  return 0;
}
