/**
 * @file methods/gbnn/gbnn_checks_impl.hpp
 *
 * What a GBNN checks before it trains or predicts.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_GBNN_CHECKS_IMPL_HPP
#define MLPACK_METHODS_GBNN_GBNN_CHECKS_IMPL_HPP

#include "gbnn.hpp"

namespace mlpack {

template<typename MatType, typename LossType>
template<typename TargetsType>
void GBNN<MatType, LossType>::CheckSame(const GBNNCheckpoint& checkpoint,
                                        const MatType& data,
                                        const TargetsType& targets,
                                        const RowType& weights) const
{
  const GBNNCommunicator* ranks = communicator;
  gbnn::OnEachRank(ranks, [&]()
  {
    if (checkpoint.IsActive() && gbnn::IsShared(ranks) &&
        !checkpoint.IsShared())
    {
      throw std::invalid_argument("GBNN: a checkpoint of several ranks needs "
          "their communicator");
    }
  });
  if (gbnn::IsShared(ranks) && gbnn::AnyRank(ranks, checkpoint.IsActive()) &&
      gbnn::AnyRank(ranks, !checkpoint.IsActive()))
  {
    throw std::invalid_argument("GBNN: either all ranks have a checkpoint, or "
        "none has");
  }
  if (!checkpoint.IsActive())
    return;
  std::vector<GBNNCheckpoint::Fact> facts = {
      { "data", gbnn::DigestOf(data, ranks) },
      { "labels or responses", gbnn::DigestOf(targets, ranks) },
      { "weights", gbnn::DigestOf(weights, ranks) },
      { "network to begin with", IsTrained() ?
          gbnn::DigestOf(network.Parameters()) : "none" } };
  if (firstNetwork.Outputs() > 0)
    facts.emplace_back("first network",
        gbnn::DigestOf(firstNetwork.Parameters()));
  const std::initializer_list<std::pair<std::string, double>> numbers = {
      { "hidden units", double(hiddenUnits) },
      { "units per stage", double(unitsPerStage) },
      { "learning rate", learningRate }, { "subsample", subsample },
      { "activation", double(activation) }, { "L2", l2 },
      { "bins", double(bins) }, { "seed", double(seed) },
      { "validation fraction", validationFraction },
      { "patience", double(patience) },
      { "refinement's iterations", double(refinement.Iterations()) },
      { "refinement's iterations of a round",
          double(refinement.RoundIterations()) },
      { "refinement's L2", refinement.L2() },
      { "refinement's decay", refinement.L2Decay() },
      { "refinement's cuts", double(refinement.Cuts()) },
      { "refinement's validation fraction", refinement.ValidationFraction() } };
  for (const auto& [name, number] : numbers)
    facts.emplace_back(name, gbnn::ExactText(number));
  // A loss may have numbers of its own.
  if constexpr (cereal::traits::is_output_serializable<LossType,
      cereal::BinaryOutputArchive>::value)
  {
    std::ostringstream bytes;
    cereal::BinaryOutputArchive archive(bytes);
    archive(loss);
    facts.emplace_back("loss", gbnn::Digest().Add(bytes.str()).Text());
  }
  checkpoint.Check(facts);
}

template<typename MatType, typename LossType>
void GBNN<MatType, LossType>::CheckParameters(const std::string& name,
                                              const size_t units) const
{
  const auto fail = [&](const std::string& what)
  {
    throw std::invalid_argument(name + ": " + what);
  };
  if (units == 0)
    fail("number of hidden units (0) must be at least 1");
  if (unitsPerStage == 0 || unitsPerStage > units)
  {
    fail("number of units per stage (" + std::to_string(unitsPerStage) +
        ") must be between 1 and the number of hidden units (" +
        std::to_string(units) + ")");
  }
  CheckStage(name);
  // Written so that NaN fails too.
  if (!(validationFraction >= 0 && validationFraction < 1))
  {
    fail("validation fraction (" + std::to_string(validationFraction) +
        ") must be at least 0 and less than 1");
  }
  refinement.Check(name);
}

template<typename MatType, typename LossType>
void GBNN<MatType, LossType>::CheckFirst(const std::string& name,
                                         const size_t dimensionality,
                                         const size_t outputs) const
{
  if (bins > 0 || firstNetwork.Inputs() != dimensionality ||
      firstNetwork.Outputs() != outputs)
  {
    throw std::invalid_argument(name + ": the network to begin with has " +
        std::to_string(firstNetwork.Inputs()) + " inputs and " +
        std::to_string(firstNetwork.Outputs()) + " outputs, but " +
        std::to_string(dimensionality) + " and " + std::to_string(outputs) +
        " are needed, and linear inputs");
  }
}

template<typename MatType, typename LossType>
void GBNN<MatType, LossType>::CheckRanks(const std::string& name,
                                         std::vector<double> others) const
{
  if (!gbnn::IsShared(communicator))
    return;
  others.insert(others.end(), { double(hiddenUnits), double(unitsPerStage),
      learningRate, subsample, double(activation), l2, double(bins),
      validationFraction, double(patience), double(seed),
      double(network.Units()), double(trainedSeed), double(plannedSeed),
      double(plan.units),
      double(refinement.Iterations()), double(refinement.RoundIterations()),
      refinement.L2(), refinement.L2Decay(), double(refinement.Cuts()),
      refinement.ValidationFraction() });
  const std::vector<double> all = gbnn::GatherAll(communicator, others);
  for (size_t i = 0; i < all.size(); ++i)
  {
    const size_t first = i % others.size();
    // By their bits, so that NaN is the same as NaN.
    if (std::memcmp(&all[i], &all[first], sizeof(double)) != 0)
    {
      throw std::invalid_argument(name + ": rank " + std::to_string(i /
          others.size()) + " trains another model than rank 0: a setting is " +
          std::to_string(all[i]) + " instead of " +
          std::to_string(all[first]));
    }
  }
}

template<typename MatType, typename LossType>
void GBNN<MatType, LossType>::CheckStage(const std::string& name) const
{
  const auto fail = [&](const std::string& what)
  {
    throw std::invalid_argument(name + ": " + what);
  };
  if (unitsPerStage == 0)
    fail("number of units per stage (0) must be at least 1");
  // Written so that NaN fails too.
  if (!(learningRate > 0 && learningRate <= 1))
  {
    fail("learning rate (" + std::to_string(learningRate) +
        ") must be greater than 0 and at most 1");
  }
  if (!(subsample > 0 && subsample <= 1))
  {
    fail("subsample (" + std::to_string(subsample) +
        ") must be greater than 0 and at most 1");
  }
  if (bins > PiecewiseLinear::Limit())
  {
    fail("number of bins (" + std::to_string(bins) + ") must be at most " +
        std::to_string(PiecewiseLinear::Limit()));
  }
  if (!(l2 >= 0 && std::isfinite(l2)))
    fail("L2 regularization (" + std::to_string(l2) + ") must not be negative");
}

template<typename MatType, typename LossType>
void GBNN<MatType, LossType>::CheckPredict(const char* name,
                                           const size_t dimensionality) const
{
  if (!IsTrained())
  {
    throw std::invalid_argument(std::string(name) + ": the model is not "
        "trained yet");
  }
  if (dimensionality != Dimensionality())
  {
    throw std::invalid_argument(std::string(name) + ": dimensionality of the "
        "data (" + std::to_string(dimensionality) + ") does not match that of "
        "the model (" + std::to_string(Dimensionality()) + ")");
  }
}

template<typename MatType, typename LossType>
template<typename PointsType>
void GBNN<MatType, LossType>::CheckPredict(const char* name,
                                           const PointsType& points,
                                           const size_t dimensionality) const
{
  CheckPredict(name, dimensionality);
  gbnn::CheckFinite(name, "data", points);
}

} // namespace mlpack

#endif
