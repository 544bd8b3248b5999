/**
 * @file bindings/cli/option.hpp
 *
 * The class behind mlpack's PARAM_*() macros on the command line.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_BINDINGS_CLI_OPTION_HPP
#define MLPACK_BINDINGS_CLI_OPTION_HPP

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

#include "../util/basic_option.hpp"
#include "cli_dialect.hpp"
#include "load_matrix.hpp"
#include "model_file.hpp"
#include "processes.hpp"
#include "save_matrix.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

//! Value of a parameter that lies in a file: loaded when it is first asked for.
template<typename T>
struct FileValue
{
  T value;
  std::string file;
};

//! A matrix together with what its dimensions are.
using MatrixAndInfo = std::tuple<DatasetInfo, arma::mat>;

//! True for the types that are given as such, not by a file.
template<typename T>
constexpr bool isPlainType = !arma::is_arma_type<T>::value &&
    !std::is_same_v<T, MatrixAndInfo> && !std::is_pointer_v<T>;

//! How messages about a parameter's file begin.
inline std::string FileMessage(const util::ParamData& d,
                               const std::string& file)
{
  return "--" + OptionName(d) + " '" + file + "': ";
}

//! The value as it is held; plain parameters hold themselves.
template<typename T>
T& RawValue(util::ParamData& d)
{
  if constexpr (isPlainType<T>)
    return *std::any_cast<T>(&d.value);
  else
    return std::any_cast<FileValue<T>>(&d.value)->value;
}

//! Load a parameter from its file.
template<typename T>
void LoadParam(util::ParamData& d, const std::string& file)
{
  T& value = RawValue<T>(d);
  Timer::Start("loading_files");
  try
  {
    if constexpr (std::is_pointer_v<T>)
      value = LoadModel<std::remove_pointer_t<T>>(file).release();
    else if constexpr (std::is_same_v<T, MatrixAndInfo>)
    {
      const auto inParts = TablesInParts().find(d.name);
      const bool mayBe = Processes() && inParts != TablesInParts().end();
      const bool onlyFirst = mayBe && inParts->second;
      if (mayBe)
        inParts->second = IsWorthParts(file, *Processes());
      const bool isInParts = mayBe && inParts->second;
      if (isInParts || !onlyFirst || IsFirstProcess())
      {
        std::get<1>(value) = LoadCategorical(file, std::get<0>(value),
            NamesOfColumns()[d.name], isInParts ? Processes() : nullptr,
            d.name == "labels");
      }
    }
    else
      LoadMatrix(file, d.noTranspose, value);
  }
  catch (const std::bad_alloc&)
  {
    throw;
  }
  catch (const std::exception& e)
  {
    throw std::runtime_error(FileMessage(d, file) + e.what());
  }
  Timer::Stop("loading_files");
}

//! Params::Get(): `output` is set to a pointer to the loaded value.
template<typename T>
void GetParam(util::ParamData& d, const void* /* input */, void* output)
{
  if constexpr (!isPlainType<T>)
  {
    const std::string& file = std::any_cast<FileValue<T>>(&d.value)->file;
    if (d.input && !d.loaded && !file.empty())
    {
      LoadParam<T>(d, file);
      d.loaded = true;
    }
  }
  *((T**) output) = &RawValue<T>(d);
}

//! Params::GetRaw(): the value before it is loaded.  Bindings use it to say
//! which categories a matrix should be loaded with.
template<typename T>
void GetRawParam(util::ParamData& d, const void* /* input */, void* output)
{
  *((T**) output) = &RawValue<T>(d);
}

//! `output` is set to a pointer to the file's name.
template<typename T>
void GetFile(util::ParamData& d, const void* /* input */, void* output)
{
  *((std::string**) output) = &std::any_cast<FileValue<T>>(&d.value)->file;
}

//! Params::GetPrintable(): one line for the user to recognize the value by.
template<typename T>
void GetPrintableParam(util::ParamData& d,
                       const void* /* input */,
                       void* output)
{
  std::string& text = *((std::string*) output);
  if constexpr (isPlainType<T>)
  {
    text = MakePrinted(RawValue<T>(d)).Join(" ");
  }
  else
  {
    text = "'" + std::any_cast<FileValue<T>>(&d.value)->file + "'";
    if constexpr (!std::is_pointer_v<T>)
    {
      const auto& matrix = [&]() -> const auto&
      {
        if constexpr (std::is_same_v<T, MatrixAndInfo>)
          return std::get<1>(RawValue<T>(d));
        else
          return RawValue<T>(d);
      }();
      if (matrix.n_elem > 0)
      {
        text += " (" + std::to_string(matrix.n_cols) + "x" +
            std::to_string(matrix.n_rows) + " matrix)";
      }
    }
  }
}

//! Params::MakeInPlaceCopy(): write the output over the input's file.
template<typename T>
void InPlaceCopy(util::ParamData& d, const void* input, void* /* output */)
{
  if constexpr (!isPlainType<T>)
  {
    const util::ParamData& source = *((const util::ParamData*) input);
    std::any_cast<FileValue<T>>(&d.value)->file =
        std::any_cast<FileValue<T>>(&source.value)->file;
  }
}

/**
 * Write the value to the gbnn::TemporaryFile `input`; `output` is a bool that
 * tells whether there was anything to write.
 */
template<typename T>
void SaveParam(util::ParamData& d, const void* input, void* output)
{
  gbnn::TemporaryFile& file = *((gbnn::TemporaryFile*) input);
  T& value = RawValue<T>(d);
  bool& written = *((bool*) output);
  if constexpr (std::is_pointer_v<T>)
  {
    written = (value != nullptr);
    if (written)
      SaveModel(file, *value);
  }
  else if constexpr (std::is_same_v<T, MatrixAndInfo>)
  {
    written = (std::get<1>(value).n_elem > 0);
    if (written)
      SaveMatrix(file, std::get<1>(value), true);
  }
  else
  {
    written = (value.n_elem > 0);
    // A vector is written with one number per line, whichever kind it is.
    const bool transpose = T::is_row || (!T::is_col && !d.noTranspose);
    if (written)
      SaveMatrix(file, value, transpose);
  }
}

//! `output` is set to the address of memory that must be freed, or null.
template<typename T>
void GetMemory(util::ParamData& d, const void* /* input */, void* output)
{
  if constexpr (std::is_pointer_v<T>)
    *((void**) output) = RawValue<T>(d);
  else
    *((void**) output) = nullptr;
}

//! Free a model.
template<typename T>
void FreeMemory(util::ParamData& d, const void* /* input */, void* /* out */)
{
  if constexpr (std::is_pointer_v<T>)
    delete RawValue<T>(d);
}

//! Registers a parameter of a program, and the functions above for its type.
template<typename T>
struct Registration
{
  static void Register(util::ParamData& data, const std::string&)
  {
    if constexpr (!isPlainType<T>)
      data.value = FileValue<T>{ std::any_cast<T>(data.value), "" };

    const std::string& tname = data.tname;
    IO::AddFunction(tname, "GetParam", &GetParam<T>);
    IO::AddFunction(tname, "GetRawParam", &GetRawParam<T>);
    IO::AddFunction(tname, "GetPrintableParam", &GetPrintableParam<T>);
    IO::AddFunction(tname, "InPlaceCopy", &InPlaceCopy<T>);
    IO::AddFunction(tname, "GetMemory", &GetMemory<T>);
    IO::AddFunction(tname, "FreeMemory", &FreeMemory<T>);
    if constexpr (!isPlainType<T>)
    {
      IO::AddFunction(tname, "GetFile", &GetFile<T>);
      IO::AddFunction(tname, "SaveParam", &SaveParam<T>);
    }
  }
};

//! A parameter; see BasicOption.
template<typename T>
using Option = BasicOption<T, Registration<T>>;

} // namespace cli
} // namespace bindings
} // namespace mlpack

#endif
