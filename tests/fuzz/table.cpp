/**
 * @file tests/fuzz/table.cpp
 *
 * Tables of strangers: the program's readers of text and ARFF, and the
 * TableEncoder.  The first byte says which kind of file it is.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/load_matrix.hpp>
#include <mlpack/methods/gbnn/table/table_encoder.hpp>

#include "bytes.hpp"

using namespace mlpack;
using namespace mlpack::bindings::cli;

//! Load a text as the program does.
static LoadedMatrix Load(const std::string& text,
                         const std::string& extension,
                         gbnn::DatasetInfoType& info)
{
  return (extension == "arff") ? LoadARFFText(text, info) :
      LoadText({ text }, extension, &info);
}

//! Whether two matrices are the same, NaN included.
static bool Same(const arma::mat& a, const arma::mat& b)
{
  return arma::size(a) == arma::size(b) && (a.is_empty() ||
      memcmp(a.memptr(), b.memptr(), a.n_elem * sizeof(double)) == 0);
}

//! A table that was read once is read again as the test data of its model.
static void Encode(const std::string& text,
                   const std::string& extension,
                   LoadedMatrix& matrix,
                   gbnn::DatasetInfoType& info)
{
  const arma::mat table = matrix.data;
  REQUIRE(table.n_cols == matrix.lines.size());
  REQUIRE(matrix.names.empty() || matrix.names.size() == table.n_rows);
  gbnn::DatasetInfoType known = info;
  REQUIRE(Same(Load(text, extension, known).data, table));

  TableEncoder encoder;
  arma::mat points;
  try
  {
    points = encoder.Fit(std::move(matrix.data), info);
  }
  catch (const std::invalid_argument&)
  {
    return;
  }
  REQUIRE(points.is_finite() && points.n_cols == table.n_cols);
  REQUIRE(Same(encoder.Encode(arma::mat(table), info), points));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  if (size == 0)
    return 0;
  const char* const extensions[] = { "csv", "tsv", "txt", "arff" };
  const std::string extension = extensions[data[0] % 4];
  const std::string text((const char*) data + 1, size - 1);

  gbnn::DatasetInfoType info;
  LoadedMatrix matrix;
  bool isTable = false;
  try
  {
    matrix = Load(text, extension, info);
    isTable = true;
  }
  catch (const std::runtime_error&) { }
  if (isTable)
    Encode(text, extension, matrix, info);
  if (extension == "arff")
    return 0;

  try
  {
    const LoadedMatrix numbers = LoadText({ text }, extension,
        nullptr);
    REQUIRE(isTable && numbers.data.n_rows == info.Dimensionality());
  }
  catch (const std::runtime_error&) { }
  return 0;
}
