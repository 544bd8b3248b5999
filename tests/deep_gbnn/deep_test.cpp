/**
 * @file tests/deep_gbnn/deep_test.cpp
 *
 * Deep-GBNN on networks with each kind of layer: features, the head, the one
 * network that is handed out, and saving.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "deep_tools.hpp"

using namespace mlpack;

// What cereal must know to save these networks.
#if MLPACK_VERSION_MAJOR == 4 && MLPACK_VERSION_MINOR < 7
  #define GBNN_TEST_REGISTER(LAYER) CEREAL_REGISTER_TYPE(mlpack::LAYER)
#else
  #define GBNN_TEST_REGISTER(LAYER) CEREAL_REGISTER_TYPE(mlpack::LAYER<>)
#endif
GBNN_TEST_REGISTER(Linear)
GBNN_TEST_REGISTER(LinearNoBias)
GBNN_TEST_REGISTER(ReLU)
GBNN_TEST_REGISTER(Dropout)
GBNN_TEST_REGISTER(BatchNorm)
GBNN_TEST_REGISTER(Convolution)
GBNN_TEST_REGISTER(MaxPooling)
GBNN_TEST_REGISTER(MeanPooling)

//! A model with a small head, trained on top of a network.
static DeepGBNN<> SmallDeep(const ClassNetwork& network,
                            const arma::mat& data,
                            const arma::Row<size_t>& labels)
{
  DeepGBNN<> model(network);
  model.Head() = GBNNClassifier<>(10, 3, 0.3, 0.75);
  model.Head().Seed() = 3;
  model.Train(data, labels, labels.max() + 1);
  return model;
}

//! The output of the first layers of a network, computed layer by layer.
static arma::mat FirstLayers(ClassNetwork network,
                             const arma::mat& data,
                             const size_t layers)
{
  arma::mat input = data, output;
  network.Predict(data, output);
  for (size_t i = 0; i < layers; ++i)
  {
    Layer<arma::mat>& layer = *network.Network()[i];
    layer.Training() = false;
    output.set_size(layer.OutputSize(), data.n_cols);
    layer.Forward(input, output);
    input = output;
  }
  return input;
}

//! What a user sees of a model: the network's output is it to 1e-10.
static void CheckOneNetwork(DeepGBNN<>& model, const arma::mat& data)
{
  arma::Row<size_t> predictions;
  arma::mat probabilities, output;
  model.Classify(data, predictions, probabilities);
  auto network = model.Network();
  network.Predict(data, output);
  if (output.n_rows == 1)
    output = arma::mat(arma::join_cols(1 - output, output));
  REQUIRE(Difference(output, probabilities) < 1e-10);
}

//! Each kind of layer: what comes out of the frozen layers is what comes out of
//! them in the network, in the mode for prediction and whatever the batches.
TEST_CASE("DeepFeatures", "[DeepTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  for (const auto& [kind, layers] : LayerKinds())
  {
    INFO(kind);
    const ClassNetwork network = SmallNetwork(kind, problem.data,
        problem.threeLabels);
    DeepGBNN<> model(network);
    REQUIRE(model.Trunk().Layers() == layers);
    REQUIRE(model.Dimensionality() == 36);

    arma::mat features, inBatches;
    model.Features(problem.data, features);
    REQUIRE(model.NumFeatures() == features.n_rows);
    REQUIRE(Difference(features, FirstLayers(network, problem.data, layers)) <
        1e-12);
    model.BatchSize() = 7;
    model.Features(problem.data, inBatches);
    REQUIRE(Difference(features, inBatches) < 1e-12);
  }
}

//! Features are the same bits however many threads BLAS has: 64 x 700 x 300 is
//! large enough for it to share out.
TEST_CASE("DeepFeaturesThreads", "[DeepTest]")
{
  const int before = gbnn::BlasThreads();
  const arma::mat data(700, 64, arma::fill::randn);
  ClassNetwork network;
  for (const size_t units : { 300, 50, 3 })
  {
    network.Add<Linear>(units);
    network.Add<ReLU>();
  }
  network.Reset(data.n_rows);
  DeepGBNN<> model(network);
  REQUIRE(model.NumFeatures() == 300);

  arma::mat features, others;
  gbnn::BlasThreads(1);
  model.Features(data, features);
  for (const int threads : { 2, 3, 4 })
  {
    gbnn::BlasThreads(threads);
    model.Features(data, others);
    REQUIRE(SameBits(features, others));
  }
  if (before > 0)
    gbnn::BlasThreads(before);
}

//! Frozen layers and head as one network, with any number of units; and the
//! original network stays as it is.
TEST_CASE("DeepNetworkIsOne", "[DeepTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  for (const auto& kind : LayerKinds())
  {
    for (const arma::Row<size_t>& labels : { problem.labels,
        problem.threeLabels })
    {
      INFO(kind.first << ", " << labels.max() + 1 << " classes");
      ClassNetwork network = SmallNetwork(kind.first, problem.data, labels);
      const arma::mat weights = network.Parameters();
      arma::mat before, after;
      network.Predict(problem.data, before);

      DeepGBNN<> model = SmallDeep(network, problem.data, labels);
      REQUIRE(model.Units() == 10);
      CheckOneNetwork(model, problem.data);
      for (const size_t units : { 5, 0 })
      {
        model.ActiveUnits(units);
        CheckOneNetwork(model, problem.data);
      }
      REQUIRE(model.Units() == 10);

      REQUIRE(SameBits(arma::mat(network.Parameters()), weights));
      network.Predict(problem.data, after);
      REQUIRE(SameBits(before, after));
    }
  }
}

//! The network that is handed out can be trained further, with all its layers.
TEST_CASE("DeepNetworkTrainsFurther", "[DeepTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  for (const std::string kind : { "dense", "two convolutions", "batch norm" })
  {
    INFO(kind);
    DeepGBNN<> model = SmallDeep(SmallNetwork(kind, problem.data,
        problem.labels), problem.data, problem.labels);
    auto network = model.Network();
    const arma::mat responses = arma::conv_to<arma::mat>::from(problem.labels);
    const arma::mat before = network.Parameters();
    const double loss = network.Evaluate(problem.data, responses);
    ens::Adam adam(0.005, 20, 0.9, 0.999, 1e-8, 60 * problem.data.n_cols, 0);
    network.Train(problem.data, responses, adam);
    network.SetNetworkMode(false);
    REQUIRE(network.Parameters().n_elem == before.n_elem);
    REQUIRE(network.Parameters()[0] != before[0]);
    REQUIRE(network.Evaluate(problem.data, responses) < 0.9 * loss);
    // The model has not noticed.
    CheckOneNetwork(model, problem.data);
  }
}

//! Saved and loaded, each kind of layer predicts the same, to the bit.
TEST_CASE("DeepSerialization", "[DeepTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  for (const auto& kind : LayerKinds())
  {
    INFO(kind.first);
    DeepGBNN<> model = SmallDeep(SmallNetwork(kind.first, problem.data,
        problem.threeLabels), problem.data, problem.threeLabels);
    model.ActiveUnits(7);
    model.BatchSize() = 50;
    model.MaxFeatureMemory() = 12345;
    std::stringstream stream;
    {
      cereal::BinaryOutputArchive archive(stream);
      archive(cereal::make_nvp("model", model));
    }
    DeepGBNN<> loaded;
    {
      cereal::BinaryInputArchive archive(stream);
      archive(cereal::make_nvp("model", loaded));
    }
    REQUIRE(loaded.Trunk().Layers() == kind.second);
    REQUIRE(loaded.ActiveUnits() == 7);
    REQUIRE(loaded.BatchSize() == 50);
    REQUIRE(loaded.MaxFeatureMemory() == 12345);
    REQUIRE(loaded.Last().Units() == 7);
    REQUIRE(loaded.Last().Activation() == GBNNActivation::RELU);
    arma::Row<size_t> predictions, loadedPredictions;
    arma::mat probabilities, loadedProbabilities;
    model.Classify(problem.data, predictions, probabilities);
    loaded.Classify(problem.data, loadedPredictions, loadedProbabilities);
    REQUIRE(SameBits(predictions, loadedPredictions));
    REQUIRE(SameBits(probabilities, loadedProbabilities));
    CheckOneNetwork(loaded, problem.data);
  }
}

//! The four shapes of Classify() agree, and so does StagedAccuracy().
TEST_CASE("DeepClassify", "[DeepTest]")
{
  // More points than one block of the predictions has.
  const Problem<arma::mat> problem = SmallImages(700);
  DeepGBNN<> model = SmallDeep(SmallNetwork("dense", problem.data,
      problem.threeLabels), problem.data, problem.threeLabels);
  model.BatchSize() = 10;
  arma::Row<size_t> predictions, labels;
  arma::mat probabilities;
  model.Classify(problem.data, predictions, probabilities);
  model.Classify(problem.data, labels);
  REQUIRE(SameBits(labels, predictions));
  REQUIRE(probabilities.n_rows == 3);
  for (const size_t i : { 0, 321, 699 })
  {
    size_t prediction;
    arma::vec pointProbabilities;
    model.Classify(problem.data.col(i), prediction, pointProbabilities);
    REQUIRE(prediction == predictions[i]);
    REQUIRE(model.Classify(problem.data.col(i)) == predictions[i]);
    REQUIRE(Difference(pointProbabilities, probabilities.col(i)) < 1e-12);
  }

  const arma::rowvec staged = model.StagedAccuracy(problem.data,
      problem.threeLabels);
  REQUIRE(staged.n_elem == 11);
  for (const size_t units : { 0, 4, 10 })
  {
    model.ActiveUnits(units);
    model.Classify(problem.data, predictions);
    REQUIRE(staged[units] == Approx(arma::accu(predictions ==
        problem.threeLabels) / 700.0).epsilon(1e-12));
  }
}

//! A callback that counts stages.
struct CountStages
{
  size_t stages = 0;

  template<typename OptimizerType, typename FunctionType, typename MatType>
  void EndEpoch(OptimizerType&, FunctionType&, const MatType&, const size_t,
                const double)
  {
    ++stages;
  }
};

//! The head is the GBNN that one would train on the features oneself; without
//! an optimizer, with Adam.
TEST_CASE("DeepHead", "[DeepTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  const ClassNetwork network = SmallNetwork("dense", problem.data,
      problem.threeLabels);
  const arma::rowvec weights = arma::linspace<arma::rowvec>(0, 2, 200);
  arma::mat features, scores, headScores;
  DeepGBNN<> model(network);
  model.Features(problem.data, features);

  GBNNClassifier<> head(12, 4, 0.5, 0.6);
  head.Seed() = 8;
  head.Activation() = GBNNActivation::TANH;
  model.Head() = head;
  ens::Adam adam = DeepGBNN<>::DefaultAdam(200);
  REQUIRE(head.Train(features, problem.threeLabels, 3, weights, adam) ==
      model.Train(problem.data, problem.threeLabels, 3, weights));
  head.Scores(features, headScores);
  model.Head().Scores(features, scores);
  REQUIRE(SameBits(scores, headScores));

  // Another optimizer, without and with weights, and a callback.
  StageOptimizer optimizer;
  model.Head().Seed() = head.Seed() = 9;
  REQUIRE(head.Train(features, problem.threeLabels, 3) ==
      model.Train(problem.data, problem.threeLabels, 3, optimizer));
  REQUIRE(head.Train(features, problem.threeLabels, 3, weights) ==
      model.Train(problem.data, problem.threeLabels, 3, weights, optimizer));
  CountStages count;
  model.Train(problem.data, problem.threeLabels, 3, count);
  REQUIRE(count.stages == 3);
}

//! Any number of layers may be kept, all of them included.
TEST_CASE("DeepNumberOfLayers", "[DeepTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  const ClassNetwork network = SmallNetwork("two convolutions", problem.data,
      problem.labels);
  for (size_t layers = 1; layers <= 10; ++layers)
  {
    INFO(layers);
    GBNNClassifier<> head(4, 2);
    head.Seed() = 1;
    DeepGBNN<> model(network, layers, head);
    arma::mat features;
    model.Features(problem.data, features);
    REQUIRE(Difference(features, FirstLayers(network, problem.data, layers)) <
        1e-12);
    model.Train(problem.data, problem.labels, 2);
    CheckOneNetwork(model, problem.data);
  }
}

//! A callback that sees how many points a stage is trained on.
struct WatchPoints
{
  size_t points = 0;

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool Evaluate(OptimizerType&, FunctionType& function, const MatType&,
                const double)
  {
    points = function.NumFunctions();
    return false;
  }
};

//! Features of the training data stay within their bound: the head is the one
//! of as many points as fit.
TEST_CASE("DeepMemoryBound", "[DeepTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  DeepGBNN<> model(SmallNetwork("dropout", problem.data, problem.labels));
  model.Head() = GBNNClassifier<>(6, 2, 0.1, 1.0);
  model.Head().Seed() = 4;
  const size_t pointSize = 8 * sizeof(double);
  REQUIRE(model.NumFeatures() == 8);

  // Just enough for all is no bound.
  arma::mat all, bounded, again;
  model.Train(problem.data, problem.labels, 2);
  model.Head().Scores(arma::mat(8, 3, arma::fill::ones), all);
  model.MaxFeatureMemory() = 200 * pointSize;
  model.Train(problem.data, problem.labels, 2);
  model.Head().Scores(arma::mat(8, 3, arma::fill::ones), bounded);
  REQUIRE(SameBits(all, bounded));

  // A stage that trains with all points sees as many as fit.
  WatchPoints watch;
  model.MaxFeatureMemory() = 61 * pointSize - 1;
  model.Train(problem.data, problem.labels, 2, watch);
  REQUIRE(watch.points == 60);
  model.Head().Scores(arma::mat(8, 3, arma::fill::ones), bounded);
  REQUIRE(Difference(all, bounded) > 1e-6);

  // The same seed chooses the same points, also with weights.
  model.Train(problem.data, problem.labels, 2, arma::rowvec(200,
      arma::fill::ones));
  model.Head().Scores(arma::mat(8, 3, arma::fill::ones), again);
  REQUIRE(Difference(again, bounded) < 1e-9);
}

//! Models can be copied and assigned, and then have nothing in common.
TEST_CASE("DeepCopies", "[DeepTest]")
{
  const Problem<arma::mat> problem = SmallImages();
  DeepGBNN<> model = SmallDeep(SmallNetwork("convolution", problem.data,
      problem.labels), problem.data, problem.labels);
  arma::Row<size_t> predictions;
  arma::mat probabilities, copied;
  model.Classify(problem.data, predictions, probabilities);
  DeepGBNN<> copy(model), assigned;
  assigned = model;
  assigned = copy;
  DeepGBNN<> moved(std::move(model));
  model = DeepGBNN<>();
  copy.Head() = GBNNClassifier<>();
  for (DeepGBNN<>* same : { &assigned, &moved })
  {
    same->Classify(problem.data, predictions, copied);
    REQUIRE(SameBits(probabilities, copied));
  }
}

//! Floats work as doubles do.
TEST_CASE("DeepFloat", "[DeepTest]")
{
  const Problem<arma::fmat> problem(200, 5);
  FFN<MeanSquaredErrorType<arma::fmat>, RandomInitialization, arma::fmat>
      network;
  for (const size_t units : { 8, 6, 1 })
  {
    network.Add<gbnn::LinearLayer<arma::fmat>>(units);
    network.Add<BaseLayer<LogisticFunction, arma::fmat>>();
  }
  network.Train(problem.data, arma::conv_to<arma::fmat>::from(problem.labels));
  DeepGBNN<arma::fmat> model(network);
  model.Train(problem.data, problem.labels, 2);
  REQUIRE(model.Trunk().Layers() == 2);
  arma::Row<size_t> predictions;
  arma::fmat probabilities, output;
  model.Classify(problem.data, predictions, probabilities);
  auto whole = model.Network();
  whole.Predict(problem.data, output);
  REQUIRE(Difference(output, probabilities.row(1)) < 1e-4);
}
