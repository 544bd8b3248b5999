/**
 * @file tests/fuzz/model.cpp
 *
 * Model files of strangers: loaded, saved, loaded again, used to predict,
 * exported and reported on, through the interface that Python, R and Julia
 * call.  What is no JSON and no XML is taken for the binary format.  Its
 * checksum would refuse nearly all that a fuzzer makes, so it is made to fit;
 * whether it is looked at is tested elsewhere, for each bit of a file.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/library/abi.h>
#include <mlpack/bindings/util/checked_text.hpp>

#include <filesystem>

#include "bytes.hpp"

using namespace mlpack::bindings;

//! A call with a model and four points of two columns, the second of words if
//! `words`.
static mlpack_binding_call* NewCall(const char* binding,
                                    const mlpack_binding_model* model,
                                    const bool words)
{
  const double points[8] = { 0.5, 0, -1, 1, std::numeric_limits<double>::
      quiet_NaN(), 1, 1e12, std::numeric_limits<double>::quiet_NaN() };
  const int64_t counts[2] = { -1, words ? 2 : -1 };
  const char* const names[2] = { "p", "q" };
  mlpack_binding_call* call = mlpack_binding_call_new(binding, "python");
  REQUIRE(call);
  REQUIRE(mlpack_binding_set_model(call, "input_model", model) ==
      MLPACK_BINDING_OK);
  REQUIRE(mlpack_binding_set_matrix_info(call, "test", points, 2, 4, 0, counts,
      names) == MLPACK_BINDING_OK);
  return call;
}

//! Run a call; a failure has a text.
static bool Run(mlpack_binding_call* call)
{
  if (mlpack_binding_call_run(call) == MLPACK_BINDING_OK)
    return true;
  REQUIRE(*mlpack_binding_call_error(call) != '\0');
  return false;
}

//! Files that take everything and keep nothing.
class Nowhere
{
 public:
  Nowhere() :
      folder(std::filesystem::temp_directory_path() / "gbnn-fuzz-XXXXXX")
  {
    REQUIRE(mkdtemp(folder.data()));
    for (const char* name : { "c.h", "o.onnx", "r.html" })
      std::filesystem::create_symlink("/dev/null", File(name));
  }
  ~Nowhere() { std::filesystem::remove_all(folder); }

  std::string File(const char* name) const { return folder + "/" + name; }

 private:
  std::string folder;
};

//! Export a model, and write a report about it on points with labels, which it
//! has predicted in a call, or with responses.
static void Show(const mlpack_binding_model* model,
                 const bool words,
                 mlpack_binding_call* predicted)
{
  static const Nowhere nowhere;
  const double responses[4] = { 0, 1, 1, 0 };
  const double* labels;
  const char* const* names;
  size_t rows, cols, count;
  REQUIRE(mlpack_binding_get_matrix(predicted, "predictions", &labels, &rows,
      &cols) == MLPACK_BINDING_OK);
  REQUIRE(mlpack_binding_get_strings(predicted, "label_names", &names,
      &count) == MLPACK_BINDING_OK);
  const bool classes = rows * cols > 0;
  const int64_t categories = (count > 0) ? int64_t(count) : -1;
  for (const char* name : { "c.h", "o.onnx" })
  {
    mlpack_binding_call* call = NewCall("gbnn", model, words);
    REQUIRE((classes ? mlpack_binding_set_matrix_info(call, "test_labels",
        labels, 1, 4, 0, &categories, names) : mlpack_binding_set_matrix(call,
        "test_responses", responses, 1, 4, 0)) == MLPACK_BINDING_OK);
    REQUIRE(mlpack_binding_set_string(call, "report",
        nowhere.File("r.html").c_str()) == MLPACK_BINDING_OK);
    REQUIRE(mlpack_binding_set_string(call, "export",
        nowhere.File(name).c_str()) == MLPACK_BINDING_OK);
    Run(call);
    mlpack_binding_call_free(call);
  }
}

//! Predict some points, and if that can be done, show the model.
static void Predict(const char* binding,
                    const mlpack_binding_model* model,
                    const bool words)
{
  mlpack_binding_call* call = NewCall(binding, model, words);
  if (Run(call))
  {
    const double* values;
    size_t rows, cols;
    REQUIRE(mlpack_binding_get_matrix(call, "predictions", &values, &rows,
        &cols) == MLPACK_BINDING_OK);
    const bool classes = rows * cols > 0;
    REQUIRE(mlpack_binding_get_matrix(call, classes ? "probabilities" :
        "output_predictions", &values, &rows, &cols) == MLPACK_BINDING_OK);
    REQUIRE(cols == 4 && rows > 0);
    // Probabilities are such, whatever the weights are.
    for (size_t i = 0; classes && i < rows * cols; ++i)
      REQUIRE(values[i] >= 0 && values[i] <= 1);
    if (std::string(binding) == "gbnn")
      Show(model, words, call);
  }
  mlpack_binding_call_free(call);
}

//! The bytes of a model.
static std::string Saved(const mlpack_binding_model* model)
{
  char* bytes = nullptr;
  size_t size = 0;
  REQUIRE(mlpack_binding_model_save(model, MLPACK_BINDING_BINARY, &bytes,
      &size) == MLPACK_BINDING_OK);
  const std::string result(bytes, size);
  mlpack_binding_bytes_free(bytes);
  return result;
}

//! What is saved loads, and is the same when it is saved again.
static void Save(const char* type, const mlpack_binding_model* model)
{
  const std::string bytes = Saved(model);
  mlpack_binding_model* copy = nullptr;
  REQUIRE(mlpack_binding_model_load(type, MLPACK_BINDING_BINARY, bytes.data(),
      bytes.size(), &copy) == MLPACK_BINDING_OK);
  REQUIRE(Saved(copy) == bytes);
  mlpack_binding_model_free(copy);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  if (size < 2)
    return 0;
  // The first byte chooses the class of the model.
  const bool deep = (data[0] == 'd');
  const char* type = deep ? "DeepGBNNModel" : "GBNNModel";
  const char* binding = deep ? "deep_gbnn" : "gbnn";
  std::string bytes((const char*) data + 1, size - 1);
  const int format = (bytes[0] == '{') ? MLPACK_BINDING_JSON :
      (bytes[0] == '<') ? MLPACK_BINDING_XML : MLPACK_BINDING_BINARY;
  if (format == MLPACK_BINDING_BINARY)
    SealModel(bytes, ModelFormat::Binary);

  mlpack_binding_model* model = nullptr;
  const int status = mlpack_binding_model_load(type, format, bytes.data(),
      bytes.size(), &model);
  if (status != MLPACK_BINDING_OK)
  {
    REQUIRE(!model && *mlpack_binding_model_error() != '\0');
    return 0;
  }
  Save(type, model);
  Predict(binding, model, false);
  if (!deep)
    Predict(binding, model, true);
  mlpack_binding_model_free(model);
  return 0;
}
