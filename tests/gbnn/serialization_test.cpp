/**
 * @file tests/gbnn/serialization_test.cpp
 *
 * A model that is saved and loaded is the same model, in all of mlpack's
 * formats.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <filesystem>

#include <mlpack/core.hpp>

using namespace mlpack;

//! Save and load through mlpack, under the names that its versions have.
template<typename ModelType>
void SaveAndLoad(const std::string& extension,
                 ModelType& model,
                 ModelType& loaded)
{
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
      ("gbnn_serialization_test_" + std::to_string(getpid()) + extension);
#if MLPACK_VERSION_MAJOR == 4 && MLPACK_VERSION_MINOR < 7
  data::Save(path.string(), "model", model, true);
  data::Load(path.string(), "model", loaded, true);
#else
  Save(path.string(), model, Fatal);
  Load(path.string(), loaded, Fatal);
#endif
  std::filesystem::remove(path);
}

//! Save and load in each format, into models with other parameters.
template<typename ModelType, typename CheckType>
void CheckFormats(ModelType& model, const CheckType& check)
{
  for (const std::string extension : { ".bin", ".json", ".xml" })
  {
    ModelType loaded(5, 5, 1.0, 1.0);
    SaveAndLoad(extension, model, loaded);
    REQUIRE(loaded.HiddenUnits() == model.HiddenUnits());
    REQUIRE(loaded.UnitsPerStage() == model.UnitsPerStage());
    REQUIRE(loaded.LearningRate() == Approx(model.LearningRate()));
    REQUIRE(loaded.Subsample() == Approx(model.Subsample()));
    REQUIRE(loaded.Activation() == model.Activation());
    REQUIRE(loaded.L2() == Approx(model.L2()));
    REQUIRE(loaded.Seed() == model.Seed());
    REQUIRE(loaded.Units() == model.Units());
    REQUIRE(loaded.Stages() == model.Stages());
    REQUIRE(loaded.ActiveUnits() == model.ActiveUnits());
    REQUIRE(loaded.TrainingLosses().size() == model.TrainingLosses().size());
    check(loaded, extension == ".bin");
  }
}

TEMPLATE_TEST_CASE("SerializeClassifier", "[SerializationTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> problem(150, 3);
  for (const size_t classes : { 2, 3 })
  {
    GBNNClassifier<TestType> model(11, 2, 0.3, 0.7);
    model.Activation() = GBNNActivation::TANH;
    model.Seed() = 99;
    model.L2() = 1e-3;
    const arma::Row<size_t>& labels = (classes == 2) ? problem.labels :
        problem.threeLabels;
    model.Train(problem.data, labels, classes);
    model.ActiveUnits(7);
    TestType scores, expected;
    arma::Row<size_t> predictions, expectedPredictions;
    model.Classify(problem.data, expectedPredictions, expected);
    CheckFormats(model, [&](GBNNClassifier<TestType>& loaded, const bool binary)
        {
          REQUIRE(loaded.NumClasses() == classes);
          loaded.Classify(problem.data, predictions, scores);
          REQUIRE(SameBits(predictions, expectedPredictions));
          if (binary)
            REQUIRE(SameBits(scores, expected));
          else
            REQUIRE(Difference(scores, expected) < 1e-6);

          // What was loaded can be gone on with.
          GBNNClassifier<TestType> original(model);
          original.Grow(problem.data, labels, 4);
          loaded.Grow(problem.data, labels, 4);
          if (binary)
          {
            REQUIRE(SameBits(original.Boosted().Parameters(),
                loaded.Boosted().Parameters()));
          }
          REQUIRE(loaded.Units() == 15);
        });
  }
}

TEMPLATE_TEST_CASE("SerializeRegressor", "[SerializationTest]", arma::mat,
    arma::fmat)
{
  const Problem<TestType> problem(150, 3);
  GBNNRegressor<TestType> model(11, 2, 0.3, 0.7);
  model.Train(problem.data, problem.responses);
  TestType predictions, expected;
  model.Predict(problem.data, expected);
  CheckFormats(model, [&](GBNNRegressor<TestType>& loaded, const bool binary)
      {
        REQUIRE(loaded.NumResponses() == 2);
        loaded.Predict(problem.data, predictions);
        if (binary)
          REQUIRE(SameBits(predictions, expected));
        else
          REQUIRE(Difference(predictions, expected) < 1e-5);
      });
}

//! Text formats keep every bit of a double too.
TEST_CASE("SerializeTextIsExact", "[SerializationTest]")
{
  const Problem<arma::mat> problem(100, 3);
  GBNNRegressor<> model(problem.data, problem.response, 8, 2);
  for (const std::string extension : { ".json", ".xml" })
  {
    GBNNRegressor<> loaded;
    SaveAndLoad(extension, model, loaded);
    REQUIRE(SameBits(loaded.Boosted().Parameters(),
        model.Boosted().Parameters()));
  }
}

//! Settings that training would refuse are refused in files, and so is what
//! cannot be.
TEST_CASE("SerializedNonsense", "[SerializationTest]")
{
  const Problem<arma::mat> problem(100, 3);
  const GBNNClassifier<> model(problem.data, problem.labels, 2, 8, 2);
  std::ostringstream stream;
  {
    cereal::JSONOutputArchive archive(stream);
    archive(cereal::make_nvp("model", model));
  }
  const auto load = [&](const std::string& name, const std::string& value)
  {
    std::string text = stream.str();
    const size_t place = text.find("\"" + name + "\":");
    REQUIRE(place != text.npos);
    const size_t begin = text.find(':', place) + 1;
    text.replace(begin, text.find_first_of(",\n", begin) - begin, value);
    std::istringstream input(text);
    GBNNClassifier<> loaded;
    cereal::JSONInputArchive archive(input);
    archive(cereal::make_nvp("model", loaded));
  };
  load("roundIterations", "25");
  for (const auto& [name, value] : std::vector<std::pair<std::string,
      std::string>>{ { "roundIterations", "0" }, { "learningRate", "-1" },
      { "subsample", "2" }, { "l2", "-1" }, { "bins", "100000000" },
      { "cutRate", "0.1" }, { "activeUnits", "9" } })
  {
    INFO(name);
    REQUIRE_THROWS_AS(load(name, value), std::runtime_error);
  }
}

//! A model that was never trained can be kept as well.
TEST_CASE("SerializeUntrained", "[SerializationTest]")
{
  GBNNClassifier<> model(33, 3);
  GBNNClassifier<> loaded;
  SaveAndLoad(".bin", model, loaded);
  REQUIRE(loaded.HiddenUnits() == 33);
  REQUIRE(!loaded.IsTrained());
}

//! Every class says which version it is.
TEST_CASE("SerializedClassVersions", "[SerializationTest]")
{
  using Versions = cereal::detail::Version<GBNNClassifier<>>;
  REQUIRE(Versions::version == 1);
  REQUIRE(cereal::detail::Version<GBNNRegressor<arma::fmat>>::version == 1);
  REQUIRE(cereal::detail::Version<BoostedNetwork<>>::version == 3);
  REQUIRE(cereal::detail::Version<GBNN<arma::mat, LogLoss>>::version == 5);
}
