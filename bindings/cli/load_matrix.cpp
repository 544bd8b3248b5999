/**
 * @file bindings/cli/load_matrix.cpp
 *
 * Choose how to load a matrix by the extension of its file.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/load_matrix.hpp>
#include <mlpack/bindings/cli/file_format.hpp>
#include <mlpack/bindings/cli/text_table.hpp>
#include <mlpack/core/util/version.hpp>

#include <sstream>

#include "capture_errors.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

std::string LoadedMatrix::Where(const size_t dimension,
                                const size_t point) const
{
  const std::string column = "column " + std::to_string(dimension + 1);
  return (lines.empty() ? "point " + std::to_string(point + 1) :
      places.Name(lines[point])) + ", " + column;
}

//! Throw if a file in Armadillo's format has fewer numbers than it says, for
//! which Armadillo would take memory before it reads any.
static void RequireNumbers(const std::string& bytes)
{
  std::istringstream head(bytes.substr(0, 100));
  std::string format;
  arma::uword rows, columns;
  if (!(head >> format >> rows >> columns) || format != "ARMA_MAT_BIN_FN008")
    return;
  if (rows > 0 && columns > bytes.size() / sizeof(double) / rows)
  {
    throw std::runtime_error("is damaged: expected " + std::to_string(rows) +
        " x " + std::to_string(columns) + " numbers of " +
        std::to_string(sizeof(double)) + " bytes, but it has " +
        std::to_string(bytes.size()) + " bytes");
  }
}

//! Have mlpack load a matrix in one of its other formats.
static arma::mat LoadOther(const std::string& file)
{
  RequireHDF5(file);
  // Opening gives the system's reason if that fails, which mlpack does not.
  RequireNumbers(ReadFile(file));
  arma::mat data;
  CaptureErrors errors;
  try
  {
#if MLPACK_VERSION_MAJOR > 4 || MLPACK_VERSION_MINOR >= 7
    Load(file, data, Fatal);
#else
    Load(file, data, true);
#endif
  }
  catch (const std::exception& e)
  {
    throw std::runtime_error("cannot be loaded: " + errors.Text(e.what()));
  }
  if (data.n_elem == 0)
    throw std::runtime_error("is empty");
  return data;
}

LoadedMatrix LoadNumeric(const std::string& file)
{
  const std::string extension = FileExtension(file);
  if (IsBinaryMatrix(file))
    return { LoadOther(file), { }, { }, { } };

  const TextPart part = ReadText(file);
  if (extension != "arff")
    return LoadText(part, extension, nullptr);

  DatasetInfo info;
  LoadedMatrix matrix = LoadARFFText(part.text, info);
  for (size_t i = 0; i < info.Dimensionality(); ++i)
  {
    if (info.Type(i) == Datatype::categorical)
    {
      throw std::runtime_error("expected numbers only, but attribute " +
          std::to_string(i + 1) + " is categorical");
    }
  }
  return matrix;
}

arma::mat LoadCategorical(const std::string& file,
                          DatasetInfo& info,
                          std::vector<std::string>* names,
                          const GBNNCommunicator* ranks,
                          const bool areLabels)
{
  const std::string extension = FileExtension(file);
  if (!IsBinaryMatrix(file))
  {
    const TextPart part = ranks ? ReadPart(file, *ranks) : ReadText(file);
    LoadedMatrix matrix = (extension == "arff") ?
        LoadARFFText(part.text, info) : LoadText(part, extension, &info,
        areLabels);
    if (names)
      *names = std::move(matrix.names);
    return std::move(matrix.data);
  }

  arma::mat data = LoadOther(file);
  if (info.Dimensionality() == 0)
    info = DatasetInfo(data.n_rows);
  if (info.Dimensionality() != data.n_rows)
  {
    throw std::runtime_error("expected " + std::to_string(info.Dimensionality())
        + " dimensions, but found " + std::to_string(data.n_rows));
  }
  return data;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
