/**
 * @file bindings/test/tiny_main.cpp
 *
 * A binding with a parameter of every type that mlpack has.  It shows that the
 * front ends work for any binding file, and their tests use it to check each
 * type: what goes in by the name `x` comes out by the name `x_out`.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/core.hpp>

#undef BINDING_NAME
#define BINDING_NAME tiny

#include <mlpack/core/util/mlpack_main.hpp>

// mlpack 4.6 has DatasetInfo in the namespace data, later versions have it not.
namespace mlpack { namespace data { } }

using namespace mlpack;
using namespace mlpack::data;
using namespace mlpack::util;

//! A model that remembers a factor and the column sums it was made from.
class TinyModel
{
 public:
  double scale = 1.0;
  arma::vec sums;

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(CEREAL_NVP(scale));
    ar(CEREAL_NVP(sums));
  }
};

BINDING_USER_NAME("Tiny Binding");

BINDING_SHORT_DESC("Scales numbers and sums columns, with a parameter of every "
    "type, to test the front ends.");

BINDING_LONG_DESC("This program multiplies what it is given by " +
    PRINT_PARAM_STRING("scale") + ", adds " + PRINT_PARAM_STRING("shift") +
    " to unsigned numbers, and hands everything out again."
    "\n\n"
    "The sums of the dimensions of " + PRINT_PARAM_STRING("input") + " can be "
    "kept in a model with " + PRINT_PARAM_STRING("output_model") + ", whose "
    "factor a later call with " + PRINT_PARAM_STRING("input_model") + " uses.");

BINDING_EXAMPLE("For example, to double the numbers in " +
    PRINT_DATASET("data") + ", saving them to " + PRINT_DATASET("doubled") +
    " and the model to " + PRINT_MODEL("tiny_model") + ", call"
    "\n\n" +
    PRINT_CALL("tiny", "input", "data", "scale", 2.0, "output", "doubled",
        "output_model", "tiny_model") +
    "\n\n"
    "and to use that model for other data, with its factor negated,"
    "\n\n" +
    PRINT_CALL("tiny", "input", "other_data", "input_model", "tiny_model",
        "negate", true, "verbose", true, "output", "result"));

BINDING_SEE_ALSO("mlpack", "https://www.mlpack.org/");

// Every type of input.
PARAM_MATRIX_AND_INFO_IN("input", "Data, which may have categories.", "i");
PARAM_MATRIX_IN("matrix", "Matrix to scale.", "m");
PARAM_TMATRIX_IN("tmatrix", "Matrix to scale that is kept as it lies in the "
    "file.", "");
PARAM_UMATRIX_IN("umatrix", "Matrix of unsigned numbers to shift.", "u");
PARAM_ROW_IN("row", "Row vector to scale.", "r");
PARAM_COL_IN("col", "Column vector to scale.", "c");
PARAM_UROW_IN("urow", "Row vector of unsigned numbers to shift.", "R");
PARAM_UCOL_IN("ucol", "Column vector of unsigned numbers to shift.", "C");
PARAM_FLAG("negate", "If set, the factor is negated.", "n");
PARAM_INT_IN("shift", "Added to unsigned numbers; not negative.", "S", 0);
PARAM_DOUBLE_IN("scale", "Factor for all other numbers.", "s", 1.0);
PARAM_STRING_IN("operation", "What to do: 'scale' everything, 'warn' before "
    "it, 'wait' for half a minute unless interrupted, 'fatal' to end with a "
    "fatal message, or 'throw' to throw an exception.", "O", "scale");
PARAM_VECTOR_IN(int, "numbers", "Numbers to sum up.", "N");
PARAM_VECTOR_IN(std::string, "words", "Words to put into reverse order.", "w");
PARAM_MODEL_IN(TinyModel, "input_model", "Model whose factor to use.", "I");
#ifdef TINY_EXTRA
// A test shows that this line is all it takes to change every front end.
PARAM_DOUBLE_IN("extra", "A parameter added later.", "", 0.25);
#endif

// Every type of output.
PARAM_MATRIX_OUT("output", "The scaled data.", "o");
PARAM_UROW_OUT("categories", "Number of categories of each dimension of the "
    "data; 0 for numeric dimensions.", "k");
PARAM_MATRIX_OUT("matrix_out", "The scaled matrix.", "M");
PARAM_TMATRIX_OUT("tmatrix_out", "The scaled matrix, kept as it lies in the "
    "file.", "");
PARAM_UMATRIX_OUT("umatrix_out", "The shifted matrix.", "U");
PARAM_ROW_OUT("row_out", "The scaled row vector.", "");
PARAM_COL_OUT("col_out", "The scaled column vector.", "");
PARAM_UROW_OUT("urow_out", "The shifted row vector.", "");
PARAM_UCOL_OUT("ucol_out", "The shifted column vector.", "");
PARAM_INT_OUT("numbers_sum", "Sum of the numbers.");
PARAM_DOUBLE_OUT("scale_out", "The factor that was used.");
PARAM_STRING_OUT("operation_out", "The operation that was done.", "");
PARAM_VECTOR_OUT(int, "numbers_out", "The numbers, shifted.", "");
PARAM_VECTOR_OUT(std::string, "words_out", "The words in reverse order.", "");
PARAM_MODEL_OUT(TinyModel, "output_model", "The factor and the sums.", "X");

// Be busy for some time, as long training is, and willing to stop.
void Wait()
{
  for (size_t i = 0; i < 3000; ++i)
  {
    #ifdef BINDING_CHECK_INTERRUPT
    BINDING_CHECK_INTERRUPT();
    #endif
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// Copy a parameter to its output after applying a function to it.
template<typename T, typename Function>
void Transform(util::Params& params, const std::string& name, Function function)
{
  if (params.Has(name))
    params.Get<T>(name + "_out") = function(params.Get<T>(name));
}

void BINDING_FUNCTION(util::Params& params, util::Timers& timers)
{
  RequireParamInSet<std::string>(params, "operation", { "scale", "warn",
      "wait", "fatal", "throw" }, true, "unknown operation");
  RequireParamValue<int>(params, "shift", [](int x) { return x >= 0; }, true,
      "shift must not be negative");
  RequireOnlyOnePassed(params, { "scale", "input_model" }, true, "the model "
      "has a factor of its own", true);

  timers.Start("tiny_work");
  const std::string operation = params.Get<std::string>("operation");
  if (operation == "warn")
    Log::Warn << "Asked to warn." << std::endl;
  if (operation == "wait")
    Wait();
  if (operation == "fatal")
    Log::Fatal << "Asked to fail." << std::endl;
  if (operation == "throw")
    throw std::invalid_argument("tiny(): asked to throw");

  double scale = params.Get<double>("scale");
  if (params.Has("input_model"))
    scale = params.Get<TinyModel*>("input_model")->scale;
  if (params.Has("negate"))
    scale = -scale;
  const size_t shift = (size_t) params.Get<int>("shift");

  TinyModel* model = new TinyModel();
  model->scale = scale;
  if (params.Has("input"))
  {
    using InputType = std::tuple<DatasetInfo, arma::mat>;
    InputType& input = params.Get<InputType>("input");
    const DatasetInfo& info = std::get<0>(input);
    // The user's own memory may be in there: it must not be changed.
    arma::mat data = std::get<1>(input);
    arma::Row<size_t> categories(data.n_rows, arma::fill::zeros);
    for (size_t i = 0; i < data.n_rows; ++i)
    {
      if (info.Type(i) == Datatype::categorical)
        categories[i] = info.NumMappings(i);
      else
        data.row(i) *= scale;
    }
    model->sums = arma::sum(data, 1);
    params.Get<arma::mat>("output") = data;
    params.Get<arma::Row<size_t>>("categories") = categories;
  }

  const auto scaled = [=](auto x) { return decltype(x)(x * scale); };
  const auto shifted = [=](auto x) { return decltype(x)(x + shift); };
  Transform<arma::mat>(params, "matrix", scaled);
  Transform<arma::mat>(params, "tmatrix", scaled);
  Transform<arma::rowvec>(params, "row", scaled);
  Transform<arma::vec>(params, "col", scaled);
  Transform<arma::Mat<size_t>>(params, "umatrix", shifted);
  Transform<arma::Row<size_t>>(params, "urow", shifted);
  Transform<arma::Col<size_t>>(params, "ucol", shifted);

  std::vector<int> numbers = params.Get<std::vector<int>>("numbers");
  params.Get<int>("numbers_sum") = std::accumulate(numbers.begin(),
      numbers.end(), 0);
  for (int& number : numbers)
    number += (int) shift;
  params.Get<std::vector<int>>("numbers_out") = numbers;

  std::vector<std::string> words =
      params.Get<std::vector<std::string>>("words");
  std::reverse(words.begin(), words.end());
  params.Get<std::vector<std::string>>("words_out") = words;
  params.Get<double>("scale_out") = scale;
  params.Get<std::string>("operation_out") = operation;
  params.Get<TinyModel*>("output_model") = model;
  timers.Stop("tiny_work");
  Log::Info << "Scaled by " << scale << "." << std::endl;
}
