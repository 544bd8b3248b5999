/**
 * @file tests/fuzz/replay.cpp
 *
 * The main() of a target without a fuzzer: runs it on each file that is named,
 * and on each file of a folder.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "bytes.hpp"

int main(int argc, char** argv)
{
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i)
  {
    if (!fs::is_directory(argv[i]))
      files.push_back(argv[i]);
    else
      for (const auto& entry : fs::directory_iterator(argv[i]))
        files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files)
  {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes { std::istreambuf_iterator<char>(stream), { } };
    // Told first, so that one sees which file a crash is from.
    std::cout << file.filename().string() << std::endl;
    LLVMFuzzerTestOneInput((const uint8_t*) bytes.data(), bytes.size());
  }
  std::cout << files.size() << " files" << std::endl;
  return files.empty() ? 1 : 0;
}
