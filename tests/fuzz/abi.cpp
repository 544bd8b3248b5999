/**
 * @file tests/fuzz/abi.cpp
 *
 * The C interface of the packages: an input is a list of calls of its functions
 * with names and values of any kind.  Trainings are small, and are stopped
 * after a while by the function that asks whether to go on.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/library/abi.h>

#include <vector>

#include "bytes.hpp"

//! The parameters of a binding, from its description.
static std::vector<std::string> Names(const char* binding)
{
  const std::string text = mlpack_binding_describe(binding, "python");
  const std::string key = "{\"name\":\"";
  std::vector<std::string> names;
  for (size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1))
  {
    const size_t begin = at + key.size();
    const std::string name = text.substr(begin, text.find('"', begin) - begin);
    // These would write files.
    if (name != "report" && name != "export" && name != "checkpoint")
      names.push_back(name);
  }
  REQUIRE(names.size() > 10);
  return names;
}

//! Stops a run after so many questions.
static int CountDown(void* user)
{
  return --*(int*) user < 0;
}

//! What one input does.
class Script
{
 public:
  Script(const uint8_t* data, const size_t size) : bytes(data, size)
  {
    NewCall(false);
    for (size_t steps = 0; !bytes.AtEnd() && steps < 64; ++steps)
      Step();
  }

  ~Script()
  {
    mlpack_binding_call_free(call);
    mlpack_binding_model_free(model);
  }

 private:
  void Step()
  {
    switch (bytes.Byte() % 16)
    {
      case 0: NewCall(bytes.Byte() % 4 == 0); break;
      case 1: Check(mlpack_binding_set_flag(call, Name(), bytes.Byte() % 2));
        break;
      case 2: Check(mlpack_binding_set_int(call, Name(), bytes.Integer()));
        break;
      case 3: Check(mlpack_binding_set_double(call, Name(), bytes.Double()));
        break;
      case 4: Check(mlpack_binding_set_string(call, Name(), Word())); break;
      case 5: SetList(); break;
      case 6: SetNumbers(); break;
      case 7: SetTable(Name()); break;
      case 8: SetTable("training"); break;
      case 9: SetClasses(); break;
      case 10: SetModel(); break;
      case 11: case 12: Run(); break;
      case 13: Get(); break;
      case 14: SaveAndLoad(); break;
      case 15: Check(mlpack_binding_check_name(call, Word())); break;
    }
  }

  void NewCall(const bool deep)
  {
    static const std::vector<std::string> all[2] = { Names("gbnn"),
        Names("deep_gbnn") };
    static const char* const dialects[] = { "cli", "python", "r", "julia" };
    mlpack_binding_call_free(call);
    names = &all[deep];
    call = mlpack_binding_call_new(deep ? "deep_gbnn" : "gbnn",
        dialects[bytes.UpTo(3)]);
    REQUIRE(call);
    // Small, unless the input says otherwise.
    Check(mlpack_binding_set_int(call, "hidden_units", 3));
    Check(mlpack_binding_set_int(call, "seed", 1));
    if (deep)
      Check(mlpack_binding_set_int(call, "trunk_epochs", 2));
    polls = 4;
    mlpack_binding_call_on_poll(call, &CountDown, &polls);
  }

  //! The name of a parameter, rarely another word.
  const char* Name()
  {
    const uint8_t which = bytes.Byte();
    return which == 255 ? Word() : (*names)[which % names->size()].c_str();
  }

  const char* Word()
  {
    word[turn = 1 - turn] = bytes.Text(bytes.UpTo(15));
    return word[turn].c_str();
  }

  //! A failure has a text, and success has none.
  void Check(const int status)
  {
    REQUIRE(status >= MLPACK_BINDING_OK && status <= MLPACK_BINDING_MEMORY);
    REQUIRE((status == MLPACK_BINDING_OK) ==
        (*mlpack_binding_call_error(call) == '\0'));
  }

  void SetList()
  {
    const char* name = Name();
    const size_t count = bytes.UpTo(5);
    std::vector<int64_t> ints;
    std::vector<double> doubles;
    std::vector<std::string> words;
    std::vector<const char*> pointers;
    for (size_t i = 0; i < count; ++i)
    {
      ints.push_back(bytes.Integer());
      doubles.push_back(double(ints.back()));
      words.push_back(bytes.Text(bytes.UpTo(4)));
    }
    for (const std::string& text : words)
      pointers.push_back(text.c_str());
    Check(mlpack_binding_set_ints(call, name, ints.data(), count));
    Check(mlpack_binding_set_doubles(call, name, doubles.data(), count));
    Check(mlpack_binding_set_strings(call, name, pointers.data(), count));
  }

  //! Points of `rows` numbers; all of them whole if `whole`.
  void Points(const size_t whole)
  {
    rows = 1 + bytes.UpTo(3);
    cols = bytes.UpTo(30);
    numbers.clear();
    for (size_t i = 0; i < rows * cols; ++i)
      numbers.push_back(whole ? double(bytes.UpTo(whole)) : bytes.Double());
    flags = int(bytes.UpTo(3));
  }

  void SetNumbers()
  {
    Points(0);
    Check(mlpack_binding_set_matrix(call, Name(), numbers.data(), rows, cols,
        flags));
    const std::vector<uint64_t> places(rows * cols, cols);
    Check(mlpack_binding_set_umatrix(call, Name(), places.data(), rows, cols,
        flags));
  }

  //! A table with categories in some dimensions.
  void SetTable(const char* name)
  {
    static const char* const categories[] = { "a", "b", "", "a", "NA", "?",
        "1.5", "\xff", "a", "b", "c", "d", "e", "f", "g", "h" };
    const bool whole = bytes.Byte() % 2;
    // Rarely more than there are categories.
    Points(whole ? 3 + bytes.Byte() / 255 : 0);
    const size_t dimensions = std::max(rows, cols);
    std::vector<int64_t> counts(dimensions, -1);
    for (size_t i = 0; i < 4 && i < dimensions; ++i)
      if (whole && bytes.Byte() % 2)
        counts[i] = 4;
    Check(mlpack_binding_set_matrix_info(call, name, numbers.data(), rows, cols,
        flags, counts.data(), categories));
  }

  //! Labels or responses for as many points as the last table had.
  void SetClasses()
  {
    const bool turned = flags & MLPACK_BINDING_TRANSPOSE;
    const size_t points = turned ? rows : cols;
    std::vector<double> labels;
    for (size_t i = 0; i < points; ++i)
      labels.push_back(double(bytes.UpTo(3)));
    Check(mlpack_binding_set_matrix(call, bytes.Byte() % 2 ? "labels" :
        "responses", labels.data(), 1, points, 0));
    Check(mlpack_binding_set_matrix(call, "test", numbers.data(), rows, cols,
        flags));
  }

  void SetModel()
  {
    if (model)
      Check(mlpack_binding_set_model(call, "input_model", model));
  }

  void Run()
  {
    Check(mlpack_binding_call_run(call));
    mlpack_binding_model* made = nullptr;
    Check(mlpack_binding_get_model(call, "output_model", &made));
    if (made)
    {
      mlpack_binding_model_free(model);
      model = made;
    }
    for (const std::string& name : *names)
      Read(name.c_str());
  }

  void Get() { Read(Name()); }

  //! Ask for a parameter in every type; read all that is handed out.
  void Read(const char* name)
  {
    int flag = 0;
    int64_t integer = 0;
    double number = 0;
    const char* text = nullptr;
    const int64_t* ints = nullptr;
    const double* doubles = nullptr;
    const uint64_t* places = nullptr;
    const char* const* strings = nullptr;
    size_t count = 0, n = 0;
    Check(mlpack_binding_get_flag(call, name, &flag));
    Check(mlpack_binding_get_int(call, name, &integer));
    Check(mlpack_binding_get_double(call, name, &number));
    if (mlpack_binding_get_string(call, name, &text) == MLPACK_BINDING_OK)
      sum += strlen(text);
    if (mlpack_binding_get_ints(call, name, &ints, &count) ==
        MLPACK_BINDING_OK)
      for (size_t i = 0; i < count; ++i)
        sum += double(ints[i]);
    if (mlpack_binding_get_doubles(call, name, &doubles, &count) ==
        MLPACK_BINDING_OK)
      for (size_t i = 0; i < count; ++i)
        sum += doubles[i];
    if (mlpack_binding_get_strings(call, name, &strings, &count) ==
        MLPACK_BINDING_OK)
      for (size_t i = 0; i < count; ++i)
        sum += strlen(strings[i]);
    if (mlpack_binding_get_matrix(call, name, &doubles, &count, &n) ==
        MLPACK_BINDING_OK)
      for (size_t i = 0; i < count * n; ++i)
        sum += doubles[i];
    if (mlpack_binding_get_umatrix(call, name, &places, &count, &n) ==
        MLPACK_BINDING_OK)
      for (size_t i = 0; i < count * n; ++i)
        sum += double(places[i]);
  }

  //! A model that goes through a file stays one.
  void SaveAndLoad()
  {
    if (!model)
      return;
    const int format = int(bytes.UpTo(2));
    char* text = nullptr;
    size_t size = 0;
    mlpack_binding_model* copy = nullptr;
    REQUIRE(mlpack_binding_model_save(model, format, &text, &size) ==
        MLPACK_BINDING_OK);
    REQUIRE(mlpack_binding_model_load(mlpack_binding_model_type(model), format,
        text, size, &copy) == MLPACK_BINDING_OK);
    mlpack_binding_bytes_free(text);
    mlpack_binding_model_free(model);
    REQUIRE(mlpack_binding_model_clone(copy, &model) == MLPACK_BINDING_OK);
    mlpack_binding_model_free(copy);
  }

  Bytes bytes;
  mlpack_binding_call* call = nullptr;
  mlpack_binding_model* model = nullptr;
  const std::vector<std::string>* names = nullptr;
  std::string word[2];
  size_t turn = 0;
  int polls = 0;
  std::vector<double> numbers;
  size_t rows = 1, cols = 0;
  int flags = 0;
  //! Keeps the compiler from leaving out what is read.
  volatile double sum = 0;
};

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  Script(data, size);
  return 0;
}
