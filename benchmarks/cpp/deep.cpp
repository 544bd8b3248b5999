/**
 * @file benchmarks/cpp/deep.cpp
 *
 * What the head of a Deep-GBNN costs beside the network that it stands on: the
 * training of 200 units on 50,000 x 100 features, over one epoch of training of
 * the paper's convolutional network on 50,000 images of 32 x 32 x 3.
 *
 *     gbnn_deep_benchmark [IMAGES]
 *
 * The network is trained on only so many images (200 unless given), once, and
 * the time is multiplied: an epoch is a sum over batches.  Exit code 1 if the
 * head takes longer than the epoch.
 */
#include "../../experiments/deep/cnn.hpp"
#include "measure.hpp"

using namespace mlpack;

//! Seconds that an epoch takes on `points` images, from training on a few.
static double TimeEpoch(const size_t images, const size_t points)
{
  const arma::mat data(32 * 32 * 3, images, arma::fill::randu);
  const arma::mat labels = arma::floor(10 * arma::mat(1, images,
      arma::fill::randu));
  experiments::TrunkType network = experiments::CNN({ 32, 32, 3 }, 32);
  // Memory and weights are made before the clock starts.
  network.Reset(data.n_rows);
  ens::Adam adam(0.001, 50, 0.9, 0.999, 1e-8, images, 0);
  const double seconds = benchmark::Time([&]()
      {
        network.Train(data, labels, adam);
      }).wall;
  return seconds * points / images;
}

//! Seconds that the head takes, with the optimizer that DeepGBNN gives it.
static double TimeHead(const size_t points)
{
  const arma::mat features(100, points, arma::fill::randu);
  arma::Row<size_t> labels(points);
  for (size_t i = 0; i < points; ++i)
    labels[i] = features.col(i).head(10).index_max();
  GBNNClassifier<> head = DeepGBNN<>::DefaultHead();
  head.Seed() = 1;
  ens::Adam adam = DeepGBNN<>::DefaultAdam(points);
  return benchmark::Time([&]()
      {
        head.Train(features, labels, 10, adam);
      }).wall;
}

int main(int argc, char** argv)
{
  const size_t images = (argc > 1) ? std::stoul(argv[1]) : 200;
  const size_t points = 50000;
  RandomSeed(1);
  const double head = TimeHead(points);
  const double epoch = TimeEpoch(images, points);
  std::cout << "head, 200 units on " << points << " x 100 features: " << head
      << " s\none epoch of the network on " << points << " images: " << epoch
      << " s (from " << images << " images)\nhead / epoch: " << head / epoch
      << " (target: less than 1)" << std::endl;
  return (head < epoch) ? 0 : 1;
}
