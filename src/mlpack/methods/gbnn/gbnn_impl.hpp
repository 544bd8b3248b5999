/**
 * @file methods/gbnn/gbnn_impl.hpp
 *
 * Implementation of gradient boosting of a neural network.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_GBNN_IMPL_HPP
#define MLPACK_METHODS_GBNN_GBNN_IMPL_HPP

#include "gbnn.hpp"
#include "compute/point_sums.hpp"

namespace mlpack {

template<typename MatType, typename LossType>
GBNN<MatType, LossType>::GBNN(const size_t hiddenUnits,
                              const size_t unitsPerStage,
                              const double learningRate,
                              const double subsample) :
    hiddenUnits(hiddenUnits),
    unitsPerStage(unitsPerStage),
    learningRate(learningRate),
    subsample(subsample),
    activation(GBNNActivation::LOGISTIC),
    l2(1e-2),
    bins(0),
    plannedSeed(0),
    refinedIterations(0),
    seed(0),
    trainedSeed(0),
    trainedRate(0),
    activeUnits(0),
    validationFraction(0),
    patience(20)
{
  // Nothing else to do.
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
double GBNN<MatType, LossType>::Boost(const std::string& name,
                                      const MatType& data,
                                      const MatType& targets,
                                      const LossType& newLoss,
                                      const RowType& weights,
                                      const bool fresh,
                                      const size_t units,
                                      OptimizerType& optimizer,
                                      CallbackTypes&... callbacks)
{
  CheckParameters(name, units);
  const bool hasFirst = fresh && firstNetwork.Outputs() > 0;
  if (hasFirst)
    CheckFirst(name, data.n_rows, targets.n_rows);
  const gbnn::OneBlasThread oneBlasThread;
  const GBNNCheckpoint checkpoint = gbnn::CheckpointOf("boosting from unit " +
      std::to_string(fresh ? 0 : Units()), callbacks...);
  CheckSame(checkpoint, data, targets, weights);
  checkpoint.Check({ { "units in the end", std::to_string(units) } });
  // The seed of Choose(), unless another one has been set since.
  const bool isPlanned = plannedSeed != 0 && (seed == 0 || seed == plannedSeed);
  const size_t runSeed = checkpoint.Once("seed", !fresh ? trainedSeed :
      isPlanned ? plannedSeed : NewSeed());
  RowType used = UsedWeights(weights), others;
  const PiecewiseLinear newEncoding = fresh ? LearnEncoding(data, used, bins) :
      encoding;
  MatType memory;
  const MatType& inputs = Encode(newEncoding, data, memory);
  const gbnn::TargetSizes<MatType> sizes(newLoss, targets, used);
  MatType targetMemory;
  const MatType& sized = sizes.Divide(targets, targetMemory);
  auto watch = Watch(name, inputs, sized, sizes, newLoss, used, newEncoding,
      runSeed, others, checkpoint, callbacks...);
  if (!others.is_empty())
    used = std::move(others);
  // 1. F_0 (Eq. 2), unless there is a network to go on with.
  const BoostedNetwork<MatType> start = (!fresh || hasFirst) ?
      sizes.Divide(fresh ? firstNetwork : network) :
      BoostedNetwork<MatType>(data.n_rows, newLoss.Start(sized, used),
      activation, gbnn::InputPieces(newEncoding.NumBins()));
  Training run(inputs, sized, used, newLoss, runSeed, start, l2);
  run.checkpoint = checkpoint;
  run.watch = std::move(watch);
  AddStagesFast(run, units + (hasFirst ? start.Units() : 0), optimizer,
      callbacks...);
  const double value = run.losses[run.network.Stages() - start.Stages()];
  run.network = sizes.Multiply(std::move(run.network));
  Take(run);
  encoding = newEncoding;
  trainedRate = (fresh && !hasFirst) ? learningRate : 0;
  // What Choose() has decided is for one training and its refinement.
  if (!fresh || !isPlanned)
    plan = gbnn::RefinePlan();
  plannedSeed = 0;
  refinedIterations = 0;
  activeUnits = network.Units();
  return value;
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
double GBNN<MatType, LossType>::RefineNetwork(const std::string& name,
                                              const MatType& data,
                                              const MatType& targets,
                                              const RowType& weights,
                                              OptimizerType& optimizer,
                                              CallbackTypes&... callbacks)
{
  CheckStage(name);
  refinement.Check(name);
  const gbnn::OneBlasThread oneBlasThread;
  const RowType used = UsedWeights(weights);
  const gbnn::TargetSizes<MatType> sizes(loss, targets, used);
  MatType memory, targetMemory;
  Training run(Encode(data, memory), sizes.Divide(targets, targetMemory), used,
      loss, trainedSeed, sizes.Divide(network), l2);
  BoostedNetwork<MatType> first;
  if (firstNetwork.Outputs() > 0)
  {
    CheckFirst(name, data.n_rows, targets.n_rows);
    first = sizes.Divide(firstNetwork);
    run.first = &first;
  }
  run.checkpoint = gbnn::CheckpointOf("refinement", callbacks...);
  CheckSame(run.checkpoint, data, targets, weights);
  gbnn::RefineCallbacks<MatType, CallbackTypes...> watching(callbacks...);
  const auto boost = Booster();
  const gbnn::Refiner<Training, decltype(boost), OptimizerType,
      decltype(watching)> refiner(refinement, boost, optimizer, watching);
  // The plan of Choose() holds if the network has been trained since, early
  // stopping has not removed units, and no setting has been changed.
  if (plannedSeed == 0 && plan.IsFor(refinement, network.Units(), bins, l2))
    refinedIterations = refiner.Follow(plan, run);
  else
    refinedIterations = refiner.Refine(run);
  plan = gbnn::RefinePlan();
  network = sizes.Multiply(std::move(run.network));
  // If the boosted network is kept, its cuts can still be scaled.
  if (network.Cuts().empty() && gbnn::IsSquaredError(loss) &&
      !watching.Stopped())
    network.ScaleCuts(refinement.Iterations() > 0 ? trainedRate : 0);
  return run.losses.back();
}

template<typename MatType, typename LossType>
template<typename... CallbackTypes>
gbnn::StageWatch<MatType, LossType> GBNN<MatType, LossType>::Watch(
    const std::string& name,
    const MatType& data,
    const MatType& targets,
    [[maybe_unused]] const gbnn::TargetSizes<MatType>& sizes,
    const LossType& newLoss,
    const RowType& weights,
    [[maybe_unused]] const PiecewiseLinear& newEncoding,
    const size_t runSeed,
    RowType& others,
    [[maybe_unused]] const GBNNCheckpoint& checkpoint,
    const CallbackTypes&... callbacks) const
{
  gbnn::StageWatch<MatType, LossType> watch;
  [[maybe_unused]] const auto look = [&](const auto& callback)
  {
    if constexpr (gbnn::IsValidation<std::decay_t<decltype(callback)>>)
      watch = WatchOn(name, callback, sizes, newLoss, newEncoding, data.n_rows,
          targets.n_rows, checkpoint);
  };
  (look(callbacks), ...);
  if (validationFraction == 0)
    return watch;
  if (watch.IsActive())
  {
    throw std::invalid_argument(name + ": there are points for validation, so "
        "the share of points to hold out (" +
        std::to_string(validationFraction) + ") must be 0");
  }

  others = weights.is_empty() ? RowType(data.n_cols, arma::fill::ones) :
      weights;
  const arma::uvec candidates = arma::find(others > 0);
  const gbnn::PointCut cut = gbnn::PointCut::Of(data.n_cols);
  gbnn::Random random(runSeed, gbnn::RandomStream::VALIDATION_HOLDOUT);
  const arma::uvec holdout = gbnn::StratifiedShares(targets, candidates,
      validationFraction, 1, random, cut).front();
  const size_t number = gbnn::SumOfRanks(cut.Communicator(),
      candidates.n_elem);
  const size_t held = gbnn::SumOfRanks(cut.Communicator(), holdout.n_elem);
  if (held == 0 || held == number)
  {
    throw std::invalid_argument(name + ": validation fraction (" +
        std::to_string(validationFraction) + ") of " +
        std::to_string(number) + " points is " + std::to_string(held) +
        "; there must be some to validate on and some to train on");
  }
  watch = gbnn::StageWatch<MatType, LossType>(data.cols(holdout),
      targets.cols(holdout), others.cols(holdout), patience,
      cut.Subset(&holdout));
  others.elem(holdout).zeros();
  return watch;
}

template<typename MatType, typename LossType>
template<typename TruthType>
gbnn::StageWatch<MatType, LossType> GBNN<MatType, LossType>::WatchOn(
    const std::string& name,
    const GBNNValidation<MatType, TruthType>& validation,
    const gbnn::TargetSizes<MatType>& sizes,
    const LossType& newLoss,
    const PiecewiseLinear& newEncoding,
    const size_t dimensionality,
    const size_t outputs,
    const GBNNCheckpoint& checkpoint) const
{
  MatType targets;
  const auto check = [&]()
  {
    gbnn::CheckData(name + ", validation", validation.Data(),
        validation.Truth().n_cols, "labels or responses", validation.Weights());
    if (validation.Data().n_rows != dimensionality)
    {
      throw std::invalid_argument(name + ": dimensionality of the validation "
          "data (" + std::to_string(validation.Data().n_rows) + ") does not "
          "match that of the training data (" +
          std::to_string(dimensionality) + ")");
    }
    targets = validation.Targets(name, newLoss, outputs);
    gbnn::CheckFinite(name.c_str(), "validation responses", targets);
  };
  const gbnn::SharedRows<MatType, MatType> rows(name + ", validation",
      communicator, [](const size_t points) { return points; },
      validation.Data(), targets, validation.Weights(), check);
  if (checkpoint.IsActive())
  {
    checkpoint.Check({
        { "validation data", gbnn::DigestOf(rows.Data(), communicator) },
        { "validation labels or responses", gbnn::DigestOf(rows.Truth(),
            communicator) },
        { "validation weights", gbnn::DigestOf(rows.Weights(),
            communicator) } });
  }
  MatType memory, targetMemory;
  return gbnn::StageWatch<MatType, LossType>(Encode(newEncoding, rows.Data(),
      memory), sizes.Divide(rows.Truth(), targetMemory), rows.Weights(),
      patience, rows.Cut());
}

template<typename MatType, typename LossType>
PiecewiseLinear GBNN<MatType, LossType>::LearnEncoding(
    const MatType& data,
    const RowType& weights,
    const size_t numBins) const
{
  if (numBins == 0)
    return PiecewiseLinear();
  PiecewiseLinear result(numBins);
  if (gbnn::IsShared(communicator))
  {
    // The values of one dimension at a time, of all ranks.
    result.FitColumns(data.n_rows, [&](const size_t d)
    {
      std::vector<double> values;
      for (size_t i = 0; i < data.n_cols; ++i)
        if (gbnn::WeightOf(weights, i) > 0)
          values.push_back(double(data(d, i)));
      return gbnn::GatherAll(communicator, values);
    });
  }
  else if (weights.is_empty())
    result.Fit(data);
  else
    result.Fit(MatType(data.cols(arma::find(weights > 0))));
  // If all dimensions are constant, there is nothing to encode.
  return (result.NumPieces() == 0) ? PiecewiseLinear() : result;
}

template<typename MatType, typename LossType>
template<typename VecType>
void GBNN<MatType, LossType>::PointScores(const VecType& point,
                                          ColType& scores,
                                          const size_t units) const
{
  if (encoding.Dimensionality() == 0)
  {
    network.EvaluatePoint(point, units, scores);
    return;
  }
  // Memory is taken once for each thread.
  thread_local ColType positions;
  positions.set_size(point.n_elem);
  for (size_t i = 0; i < point.n_elem; ++i)
    positions[i] = ElemType(encoding.Position(point[i], i));
  network.EvaluatePoint(positions, units, scores);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
void GBNN<MatType, LossType>::AddStages(Training& run,
                                        const size_t units,
                                        OptimizerType& optimizer,
                                        CallbackTypes&... callbacks) const
{
  const gbnn::PointScope scope(&run.cut);
  MatType coordinates;
  const auto tell = [&]() { coordinates = run.network.Parameters(); };
  constexpr bool watched = (sizeof...(CallbackTypes) > 0);
  const StageFit fit = [&](StageFunction<MatType>& function, MatType& point)
  {
    // Being watched has its price.
    gbnn::StageCallbacks<CallbackTypes...> stageCallbacks(callbacks...);
    if constexpr (watched)
      optimizer.Optimize(function, point, stageCallbacks);
    else
      optimizer.Optimize(function, point);
  };
  if (watched)
    tell();
  bool stop = false;
  if (run.watch.IsActive())
    run.watch.Begin(run.network, run.loss);
  ens::Callback::BeginOptimization(optimizer, run.network, coordinates,
      callbacks...);
  // 2. For t = 1 to T.
  while (run.network.Units() < units && !stop)
  {
    const size_t epoch = run.network.Stages() + 1;
    stop |= ens::Callback::BeginEpoch(optimizer, run.network, coordinates,
        epoch, run.losses.back(), callbacks...);
    AddStage(run, std::min(unitsPerStage, units - run.network.Units()), fit);
    if (run.watch.IsActive())
      stop |= run.watch.Add(run.network, run.loss);
    if (watched)
      tell();
    stop |= ens::Callback::EndEpoch(optimizer, run.network, coordinates, epoch,
        run.losses.back(), callbacks...);
    // All ranks stop, or none.
    if (watched)
      stop = gbnn::AnyRank(run.cut.Communicator(), stop);
  }
  if (run.watch.IsActive())
  {
    run.network.Truncate(run.watch.BestStages());
    if (watched)
      tell();
  }
  ens::Callback::EndOptimization(optimizer, run.network, coordinates,
      callbacks...);
}

template<typename MatType, typename LossType>
template<typename OptimizerType, typename... CallbackTypes>
void GBNN<MatType, LossType>::AddStagesFast(Training& run,
                                            const size_t units,
                                            OptimizerType& optimizer,
                                            CallbackTypes&... callbacks) const
{
  if constexpr (gbnn::HasDefaultOptimizer<OptimizerType>)
  {
    const StageOptimizer* standard = optimizer.Default();
    if (standard && !run.network.Pieces().IsLinear() &&
        SinglePrecisionOptimizer::Suits(run.data, run.weights,
        run.cut.Communicator()))
    {
      const arma::fmat single = arma::conv_to<arma::fmat>::from(run.data);
      SinglePrecisionOptimizer fast(single, *standard);
      return AddStages(run, units, fast, callbacks...);
    }
  }
  AddStages(run, units, optimizer, callbacks...);
}

template<typename MatType, typename LossType>
void GBNN<MatType, LossType>::Take(Training& run)
{
  network = std::move(run.network);
  loss = run.loss;
  losses = std::move(run.losses);
  lossUnits = std::move(run.lossUnits);
  validationLosses = run.watch.Losses();
  trainedSeed = run.seed;
}

template<typename MatType, typename LossType>
void GBNN<MatType, LossType>::AddStage(Training& run,
                                       const size_t units,
                                       const StageFit& fit) const
{
  // Numbers are those of the steps of Algorithm 1; steps 1 and 2 are in Boost()
  // and AddStages().
  // 3. The pseudo-residuals r_t of all points (Eqs. 4, 7 and 13).
  run.loss.Residuals(run.targets, run.scores, run.residuals);

  // 4. A network h_t of a few units, fitted to them.
  const size_t outputs = run.targets.n_rows;
  const MatType parameters = run.checkpoint.Matrix("stage " +
      std::to_string(run.network.Stages()), units * (run.network.Inputs() + 1) +
      outputs * (units + 1), [&]() { return FitStage(run, units, fit); });

  // 5. The Newton step rho_t of each output (Eqs. 8 and 15), for which h_t is
  // evaluated on all points.
  BoostedNetwork<MatType> h(run.data.n_rows,
      ColType(outputs, arma::fill::zeros), run.network.Activation(),
      run.network.Pieces());
  run.output.zeros(outputs, run.data.n_cols);
  ColType activations;
  h.Append(parameters, units, ColType(outputs, arma::fill::ones), run.data,
      run.output, RowType(), &activations);
  const ColType rho = run.loss.Step(run.targets, run.scores, run.residuals,
      run.output, run.weights);

  // 6. F_t = F_{t-1} + nu rho_t h_t (Eq. 1): h_t becomes part of the network
  // (Eqs. 19 to 23).
  run.before = run.scores;
  const auto append = [&](const ColType& step)
  {
    run.network.Append(parameters, units, ElemType(learningRate) * step,
        run.data, run.scores, run.weights, &activations);
    return run.loss.Value(run.targets, run.scores, run.weights);
  };
  double value = append(rho);
  if (IsWorse(value, run.losses.back()))
  {
    run.network.Truncate(run.network.Stages() - 1);
    run.scores = run.before;
    value = append(ShorterStep(run, rho));
  }
  run.losses.push_back(value);
  run.lossUnits.push_back(run.network.Units());
}

template<typename MatType, typename LossType>
typename GBNN<MatType, LossType>::ColType GBNN<MatType, LossType>::ShorterStep(
    Training& run, ColType rho) const
{
  // A step of 1e-9 of the first changes the loss by about that share of it, and
  // in single precision not at all.
  const size_t maxHalvings = 30;
  MatType trial;
  for (size_t i = 0; i < maxHalvings; ++i)
  {
    rho /= 2;
    trial = run.output.each_col() % (ElemType(learningRate) * rho);
    trial += run.before;
    if (!IsWorse(run.loss.Value(run.targets, trial, run.weights),
        run.losses.back()))
      return rho;
  }
  return ColType(rho.n_elem, arma::fill::zeros);
}

template<typename MatType, typename LossType>
MatType GBNN<MatType, LossType>::FitStage(Training& run,
                                          const size_t units,
                                          const StageFit& fit) const
{
  gbnn::Random random(run.seed, gbnn::RandomStream::STAGE,
      run.network.Stages());
  const size_t size = std::max(size_t(1),
      size_t(std::round(subsample * double(run.totalCandidates))));
  const bool all = (size == run.cut.TotalPoints());
  arma::uvec sample;
  if (!all)
    sample = random.Sample(run.candidates, size, run.candidatesBefore,
        run.totalCandidates);

  // Where nothing is left to fit, a stage of zeros: noise is not worth fitting.
  const size_t d = run.network.Inputs(), outputs = run.residuals.n_rows;
  // The largest of numbers that each rank finds; some may have no points.
  const auto largest = [&](const double mine)
  {
    return gbnn::MaxOfRanks(run.cut.Communicator(), mine);
  };
  const double scale = largest(run.targets.is_empty() ? 0 :
      run.loss.ResidualScale(run.targets));
  const double residualSize = ResidualSize(run);
  if (!std::isfinite(residualSize))
  {
    throw std::runtime_error("GBNN: the residuals of stage " +
        std::to_string(run.network.Stages()) + " are too large for numbers; "
        "scale the data to mean 0 and variance 1, or try a smaller learning "
        "rate");
  }
  // A score is a sum of numbers of the size of the targets; some roundings of
  // it are all that is left.
  const double roundings = 16;
  const double noise = roundings * std::numeric_limits<ElemType>::epsilon() *
      scale;
  if (residualSize == 0 || (residualSize <= noise && largest(
      run.residuals.is_empty() ? 0 : arma::abs(run.residuals).max()) <= noise))
    return MatType(units * (d + 1) + outputs * (units + 1), 1,
        arma::fill::zeros);

  // Residuals shrink as boosting goes on.  A stage fits them brought to size 1,
  // so that regularization and tolerances mean the same for every stage and for
  // every unit of the responses; its Newton step undoes that.  A power of two
  // rounds nothing.
  const int exponent = std::min(-std::ilogb(residualSize),
      std::numeric_limits<ElemType>::max_exponent - 1);
  const ElemType factor = std::ldexp(ElemType(1), exponent);
  run.residuals *= factor;
  StageFunction<MatType> function(run.data, run.residuals, run.weights,
      all ? nullptr : &sample, units, run.network.Activation(), run.l2,
      gbnn::Random(run.seed, gbnn::RandomStream::STAGE_ORDER,
      run.network.Stages()), run.network.Pieces());
  MatType parameters = function.InitialPoint(random);
  fit(function, parameters);
  run.residuals /= factor;
  if (!parameters.is_finite())
  {
    throw std::runtime_error("GBNN: the optimizer of stage " +
        std::to_string(run.network.Stages()) + " diverged; try a smaller step "
        "size, or scale the data to mean 0 and variance 1");
  }
  return parameters;
}

template<typename MatType, typename LossType>
double GBNN<MatType, LossType>::ResidualSize(const Training& run)
{
  const double meanSquare = gbnn::MeanOverPoints(run.data.n_cols, run.weights,
      [&](const size_t i)
      {
        double sum = 0;
        for (size_t k = 0; k < run.residuals.n_rows; ++k)
          sum += double(run.residuals(k, i)) * run.residuals(k, i);
        return sum;
      });
  return std::sqrt(meanSquare / run.residuals.n_rows);
}

template<typename MatType, typename LossType>
template<typename ModelType, typename... ArgumentTypes>
double GBNN<MatType, LossType>::TrainCopy(ModelType& model,
                                          const size_t units,
                                          const size_t perStage,
                                          const double rate,
                                          const double share,
                                          const ArgumentTypes&... arguments)
{
  ModelType trained(model);
  trained.HiddenUnits() = units;
  trained.UnitsPerStage() = perStage;
  trained.LearningRate() = rate;
  trained.Subsample() = share;
  const double loss = trained.Train(arguments...);
  model = std::move(trained);
  return loss;
}

template<typename MatType, typename LossType>
template<typename TruthType, typename CheckType>
gbnn::SharedRows<MatType, TruthType> GBNN<MatType, LossType>::Share(
    const std::string& name,
    const std::vector<double>& others,
    const size_t maxBins,
    const MatType& data,
    const TruthType& truth,
    const RowType& weights,
    const CheckType& check) const
{
  CheckRanks(name, others);
  const auto maxShares = [&](const size_t points)
  {
    const size_t inputs = std::max<size_t>(network.Inputs(), data.n_rows *
        std::max<size_t>(1, maxBins));
    return gbnn::StageSums<MatType>::MaxPartGroups(points, data.n_rows,
        std::max<size_t>(1, unitsPerStage * (inputs + 1)));
  };
  return gbnn::SharedRows<MatType, TruthType>(name, communicator, maxShares,
      data, truth, weights, check);
}

template<typename MatType, typename LossType>
typename GBNN<MatType, LossType>::RowType
GBNN<MatType, LossType>::UsedWeights(const RowType& weights)
{
  // A rank may have no points, and so no weights.
  const gbnn::PointCut* current = gbnn::CurrentCut();
  const GBNNCommunicator* ranks = current ? current->Communicator() : nullptr;
  if (!gbnn::AnyRank(ranks, !weights.is_empty()))
    return weights;
  // Relative to the largest one, so that none is too small to add up.
  const double largest = gbnn::MaxOfRanks(ranks, weights.is_empty() ? 0 :
      weights.max());
  const arma::rowvec relative = arma::conv_to<arma::rowvec>::from(weights) /
      largest;
  const double sum = gbnn::PointCut::Of(weights.n_elem).SumOfCells(
      [&](const size_t begin, const size_t end)
      {
        return (begin == end) ? 0.0 :
            arma::accu(relative.subvec(begin, end - 1));
      });
  const double mean = sum / double(gbnn::SumOfRanks(ranks,
      arma::accu(weights > 0)));
  if (mean * largest >= 1)
    return weights;
  return arma::conv_to<RowType>::from(relative / mean);
}

template<typename MatType, typename LossType>
void GBNN<MatType, LossType>::ActiveUnits(const size_t units)
{
  if (units > Units())
  {
    throw std::invalid_argument("GBNN::ActiveUnits(): number of active units "
        "(" + std::to_string(units) + ") is greater than that of the model's "
        "units (" + std::to_string(Units()) + ")");
  }
  activeUnits = units;
}

template<typename MatType, typename LossType>
FFN<MeanSquaredErrorType<MatType>, RandomInitialization, MatType>
GBNN<MatType, LossType>::Stage(const size_t stage) const
{
  if (stage >= Stages())
  {
    throw std::invalid_argument("GBNN::Stage(): stage (" +
        std::to_string(stage) + ") must be less than the number of stages (" +
        std::to_string(Stages()) + ")");
  }
  return network.Stage(stage);
}

template<typename MatType, typename LossType>
void GBNN<MatType, LossType>::Scores(const MatType& data,
                                     MatType& scores) const
{
  CheckPredict("GBNN::Scores()", data, data.n_rows);
  MatType memory;
  network.Evaluate(Encode(data, memory), activeUnits, scores);
}

template<typename MatType, typename LossType>
template<typename VisitorType>
void GBNN<MatType, LossType>::StagedScores(const MatType& data,
                                           const VisitorType& visit) const
{
  CheckPredict("GBNN::StagedScores()", data, data.n_rows);
  MatType memory;
  network.EvaluateStaged(Encode(data, memory), Units(), visit);
}

template<typename MatType, typename LossType>
template<typename Archive>
void GBNN<MatType, LossType>::serialize(Archive& ar,
                                        const uint32_t version)
{
  gbnn::RequireVersion("GBNN", version, cereal::detail::Version<GBNN>::version,
      4);
  ar(CEREAL_NVP(network));
  ar(CEREAL_NVP(loss));
  ar(CEREAL_NVP(hiddenUnits));
  ar(CEREAL_NVP(unitsPerStage));
  ar(CEREAL_NVP(learningRate));
  ar(CEREAL_NVP(subsample));
  ar(CEREAL_NVP(activation));
  ar(CEREAL_NVP(l2));
  ar(CEREAL_NVP(bins));
  ar(CEREAL_NVP(encoding));
  ar(CEREAL_NVP(seed));
  ar(CEREAL_NVP(trainedSeed));
  ar(CEREAL_NVP(activeUnits));
  ar(CEREAL_NVP(losses));
  ar(CEREAL_NVP(refinement));
  ar(CEREAL_NVP(refinedIterations));
  ar(CEREAL_NVP(validationFraction));
  ar(CEREAL_NVP(patience));
  ar(CEREAL_NVP(validationLosses));
  ar(CEREAL_NVP(lossUnits));
  if (version >= 5)
  {
    ar(CEREAL_NVP(trainedRate));
  }
  else
  {
    const bool fromNothing = (!lossUnits.empty() && lossUnits.front() == 0);
    trainedRate = fromNothing ? learningRate : 0;
  }

  if (cereal::is_loading<Archive>())
    CheckLoaded();
}

template<typename MatType, typename LossType>
void GBNN<MatType, LossType>::CheckLoaded()
{
  const auto require = [](const bool condition, const std::string& what)
  {
    if (!condition)
      throw std::runtime_error("GBNN::serialize(): " + what);
  };
  require(encoding.NumBins() == network.Pieces().Bins(), "the encoding of the "
      "inputs does not match the network");
  require(activeUnits <= Units(), "there are more active units than units");
  require(lossUnits.size() == losses.size() && (validationLosses.empty() ||
      validationLosses.size() == losses.size()), "there are not as many losses "
      "as there are numbers of units");
  require(activation <= GBNNActivation::RELU, "unknown activation function");
  require(trainedRate >= 0 && trainedRate <= 1, "the learning rate of the "
      "stages is not between 0 and 1");
  try
  {
    CheckStage("GBNN::serialize()");
    refinement.Check("GBNN::serialize()");
  }
  catch (const std::invalid_argument& error)
  {
    throw std::runtime_error(error.what());
  }
  // Early exit of classifiers does not know of scaled cuts.
  require(!gbnn::TakesLabels<LossType, MatType> || !network.HasScaledCuts(),
      "cuts of a classifier are scaled");
  // Networks that were saved before version 3 do not know their cuts.
  if (refinedIterations > 0 && network.Cuts().empty() && Units() > 0)
    network.Cuts(refinement.CutsOf(Units()));
  // What is not in the file.
  plannedSeed = 0;
  plan = gbnn::RefinePlan();
  firstNetwork = BoostedNetwork<MatType>();
}

} // namespace mlpack

#endif
