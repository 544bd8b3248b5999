/**
 * @file tests/main_tests/main_test_fixture.hpp
 *
 * What the tests of binding files are written with: the names are those of
 * mlpack's own fixture, which its packages do not have.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef GBNN_TESTS_MAIN_TESTS_MAIN_TEST_FIXTURE_HPP
#define GBNN_TESTS_MAIN_TESTS_MAIN_TEST_FIXTURE_HPP

#include <mlpack/core.hpp>
#include <mlpack/bindings/tests/option.hpp>

//! Define the fixture of the binding whose file was included before.
#define BINDING_TEST_FIXTURE(CLASS_NAME) \
    class CLASS_NAME : public MainTestFixture \
    { \
     public: \
      CLASS_NAME() : \
          MainTestFixture(mlpack::IO::Parameters(STRINGIFY(BINDING_NAME))) { } \
      \
      void Run() \
      { \
        CheckRequired(); \
        BINDING_FUNCTION(params, timers); \
      } \
    }

//! Run the binding with what was set before.
#define RUN_BINDING() Run()

//! Holds the parameters of a binding, and owns the models among them.
class MainTestFixture
{
 public:
  //! The parameters are as the binding declares them.
  MainTestFixture(const mlpack::util::Params& declared) :
      declared(declared), params(declared) { }

  ~MainTestFixture() { CleanMemory(); }

  MainTestFixture(const MainTestFixture&) = delete;
  MainTestFixture& operator=(const MainTestFixture&) = delete;

  //! Forget everything that was set or computed; models are not freed.
  void ResetSettings()
  {
    params = declared;
    timers.StopAllTimers();
    timers.Reset();
  }

  //! Free all models.
  void CleanMemory()
  {
    mlpack::bindings::tests::Freed freed;
    for (auto& [name, data] : params.Parameters())
    {
      auto& functions = params.functionMap[data.tname];
      if (functions.count("FreeModel"))
        functions["FreeModel"](data, nullptr, &freed);
    }
  }

  //! Set an input; the type must be the parameter's own, as with mlpack's.
  template<typename T>
  void SetInputParam(const std::string& name, T&& value)
  {
    params.Get<std::remove_reference_t<T>>(name) = std::forward<T>(value);
    params.SetPassed(name);
  }

 protected:
  //! Throws if an input that the binding needs was not set.
  void CheckRequired()
  {
    for (const auto& [name, data] : params.Parameters())
      if (data.required && !data.wasPassed)
        throw std::runtime_error("the binding needs '" + name + "'");
  }

  const mlpack::util::Params declared;
  mlpack::util::Params params;
  mlpack::util::Timers timers;
};

#endif
