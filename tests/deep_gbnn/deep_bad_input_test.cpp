/**
 * @file tests/deep_gbnn/deep_bad_input_test.cpp
 *
 * What Deep-GBNN refuses, and in which words.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "deep_tools.hpp"

using namespace mlpack;

//! A layer that cereal has never heard of.
class UnknownLayer : public Layer<arma::mat>
{
 public:
  UnknownLayer* Clone() const { return new UnknownLayer(*this); }

  void Forward(const arma::mat& input, arma::mat& output)
  {
    output = 2 * input;
  }

  void Backward(const arma::mat&,
                const arma::mat&,
                const arma::mat& gy,
                arma::mat& g)
  {
    g = 2 * gy;
  }
};

//! Check the text of a std::invalid_argument.
template<typename FunctionType>
static void CheckRefused(const FunctionType& function, const std::string& text)
{
  REQUIRE_THROWS_AS(function(), std::invalid_argument);
  REQUIRE_THROWS_WITH(function(), Contains(text));
}

TEST_CASE("DeepBadNetworks", "[DeepBadInputTest]")
{
  ClassNetwork network;
  CheckRefused([&]() { DeepGBNN<> model(network); }, "has no layers");
  network.Add<Linear>(5);
  network.Add<ReLU>();
  network.Add<Linear>(4);
  network.Add<ReLU>();
  network.Add<Linear>(2);
  network.Add<LogSoftMax>();
  CheckRefused([&]() { DeepGBNN<> model(network); }, "is not trained yet");
  network.Reset(3);
  REQUIRE_NOTHROW(DeepGBNN<>(network));
  network.Parameters().resize(20, 1);
  CheckRefused([&]() { DeepGBNN<> model(network, 4); }, "44 weights or more, "
      "but its Parameters() only 20");

  ClassNetwork perceptron;
  perceptron.Add<Linear>(5);
  perceptron.Add<ReLU>();
  perceptron.Add<Linear>(2);
  perceptron.Add<LogSoftMax>();
  perceptron.Reset(3);
  // What is left would be nothing.
  CheckRefused([&]() { DeepGBNN<> model(perceptron); }, "is too short (4 "
      "layers)");
  ClassNetwork logistic;
  logistic.Add<Linear>(2);
  logistic.Add<LogSoftMax>();
  logistic.Reset(3);
  CheckRefused([&]() { DeepGBNN<> model(logistic); }, "at least two dense "
      "layers");
}

TEST_CASE("DeepBadNumberOfLayers", "[DeepBadInputTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  const ClassNetwork network = SmallNetwork("dense", problem.data,
      problem.labels);
  CheckRefused([&]() { DeepGBNN<> model(network, 0); }, "keeping 0 of the "
      "network's 6 layers leaves nothing");
  CheckRefused([&]() { DeepGBNN<> model(network, 7); }, "number of layers to "
      "keep (7) is greater than that of the network's layers (6)");
}

TEST_CASE("DeepBadData", "[DeepBadInputTest]")
{
  Problem<arma::mat> problem = SmallImages();
  const arma::mat& data = problem.data;
  DeepGBNN<> model(SmallNetwork("convolution", data, problem.labels));
  model.Head() = GBNNClassifier<>(4);
  arma::Row<size_t> predictions;
  CheckRefused([&]() { model.Classify(data, predictions); }, "is not trained "
      "yet");
  CheckRefused([&]() { model.Network(); }, "is not trained yet");
  model.Train(data, problem.labels, 2);

  const arma::mat wide(37, 5, arma::fill::zeros);
  const std::string expected = "dimensionality of the data (37) does not match "
      "that of the network (36)";
  CheckRefused([&]() { model.Classify(wide, predictions); }, expected);
  CheckRefused([&]() { model.Classify(wide.col(0)); }, expected);
  CheckRefused([&]() { model.Train(wide, problem.labels, 2); }, expected);
  CheckRefused([&]() { model.Train(arma::mat(), problem.labels, 2); },
      "data is empty");
  CheckRefused([&]() { model.Train(data, problem.labels.cols(0, 5), 2); },
      "number of labels (6) does not match number of points (200)");
  CheckRefused([&]() { model.Train(data, problem.labels, 2, arma::rowvec(3,
      arma::fill::ones)); }, "number of weights (3)");
  CheckRefused([&]() { model.Train(data, problem.threeLabels, 2); },
      "must be less than the number of classes");
  CheckRefused([&]() { model.StagedAccuracy(data, problem.labels.cols(0, 5)); },
      "number of labels (6)");
  arma::mat missing = data;
  missing(3, 4) = arma::datum::nan;
  CheckRefused([&]() { model.Classify(missing, predictions); }, "NaN");
  model.MaxFeatureMemory() = 10;
  CheckRefused([&]() { model.Train(data, problem.labels, 2); }, "features of "
      "one point take 216 bytes, more than MaxFeatureMemory() (10)");
  model.BatchSize() = 0;
  CheckRefused([&]() { model.Classify(data, predictions); }, "batch size (0)");

  // All that has changed nothing.
  model.BatchSize() = 128;
  model.Classify(data, predictions);
  REQUIRE(model.Units() == 4);

  DeepGBNN<> empty;
  CheckRefused([&]() { empty.Classify(data, predictions); }, "no frozen "
      "layers");
  model.Head() = GBNNClassifier<>(2);
  model.Head().Train(arma::mat(3, 9, arma::fill::randn),
      arma::Row<size_t>("0 1 0 1 0 1 0 1 0"), 2);
  CheckRefused([&]() { model.Classify(data, predictions); }, "the head takes 3 "
      "features, but the frozen layers make 27");
}

//! A network that diverged makes no features.
TEST_CASE("DeepDivergedNetwork", "[DeepBadInputTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  ClassNetwork network = SmallNetwork("dense", problem.data, problem.labels);
  network.Parameters().fill(1e200);
  network.Parameters()[0] = arma::datum::inf;
  DeepGBNN<> model(network);
  CheckRefused([&]() { model.Train(problem.data, problem.labels, 2); },
      "did the network's training diverge?");
}

//! A layer that cannot be saved is told of, and the model is as good as before.
TEST_CASE("DeepLayerThatCannotBeSaved", "[DeepBadInputTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  RandomSeed(2);
  ClassNetwork network;
  network.Add<Linear>(5);
  network.Add<UnknownLayer>();
  network.Add<Linear>(4);
  network.Add<Linear>(2);
  network.Add<LogSoftMax>();
  network.Reset(36);
  DeepGBNN<> model(network);
  model.Head() = GBNNClassifier<>(4, 2);
  model.Train(problem.data, problem.labels, 2);
  arma::Row<size_t> before, after;
  model.Classify(problem.data, before);

  std::ostringstream stream;
  cereal::BinaryOutputArchive archive(stream);
  const auto save = [&]() { archive(cereal::make_nvp("model", model)); };
  REQUIRE_THROWS_AS(save(), std::runtime_error);
  REQUIRE_THROWS_WITH(save(), Contains("layer 1 cannot be serialized") &&
      Contains("UnknownLayer") && Contains("CEREAL_REGISTER_TYPE"));
  model.Classify(problem.data, after);
  REQUIRE(SameBits(before, after));
}
