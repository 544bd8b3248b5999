/**
 * @file tests/ranks/ranks.cpp
 *
 * Several ranks train the model that one process trains, bit for bit.
 *
 *   gbnn_ranks threads RANKS...   ranks are threads of this process
 *   mpirun -n 3 gbnn_ranks mpi    ranks are processes
 *   mpirun -n 3 gbnn_ranks dies   the same, but the last one dies in between
 *   mpirun -n 3 gbnn_ranks fails  the same, but the last one throws
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <fstream>
#include <functional>
#include <iostream>

#include <mlpack/methods/gbnn.hpp>
#ifdef GBNN_WITH_MPI
  #include <mlpack/methods/gbnn/compute/mpi_communicator.hpp>
#endif

#include "thread_ranks.hpp"

using namespace mlpack;

using Classifier = GBNNClassifier<>;
using Regressor = GBNNRegressor<arma::mat, RegressionLoss>;

//! Some points with labels, responses and weights.
struct Rows
{
  arma::mat data;
  arma::Row<size_t> labels;
  arma::mat responses;
  arma::rowvec weights;

  explicit Rows(const size_t points) :
      data(4, points), labels(points), responses(1, points), weights(points)
  {
    gbnn::Random random(7, gbnn::RandomStream::STAGE);
    for (size_t i = 0; i < points; ++i)
    {
      for (size_t d = 0; d < data.n_rows; ++d)
        data(d, i) = random.Uniform();
      // Not the same everywhere: a rank that takes its own mean for that of all
      // points must not go unnoticed.
      data(0, i) += double(i) / double(points);
      const double y = data(0, i) + 2 * data(1, i) * data(2, i);
      labels[i] = (y + random.Uniform() > 2.0);
      responses[i] = y + random.Uniform();
      weights[i] = (i % 7 == 0) ? 0 : random.Uniform() / 2;
    }
  }

  //! Those that a rank hands in: not as many as others.
  Rows Of(const size_t rank, const size_t ranks) const
  {
    const size_t all = data.n_cols;
    const size_t begin = all * rank * rank / (ranks * ranks);
    const size_t end = all * (rank + 1) * (rank + 1) / (ranks * ranks);
    return Rows(*this, begin, end - 1);
  }

  Rows(const Rows& other, const size_t first, const size_t last) :
      data(other.data.cols(first, last)), labels(other.labels.cols(first,
      last)), responses(other.responses.cols(first, last)),
      weights(other.weights.cols(first, last))
  { }
};

//! The bytes of a model.
template<typename ModelType>
std::string Bytes(const ModelType& model)
{
  std::ostringstream stream;
  {
    cereal::BinaryOutputArchive archive(stream);
    archive(CEREAL_NVP(model));
  }
  return stream.str();
}

//! Trains a model on the rows of a rank; returns the model's bytes.
using Training = std::function<std::string(const GBNNCommunicator*,
    const Rows&)>;

//! A classifier, changed by `change`.
Training Classify(const std::function<void(Classifier&)>& change,
                  const bool weighted = false)
{
  return [=](const GBNNCommunicator* ranks, const Rows& rows)
  {
    Classifier model(6, 2, 0.5, 1.0);
    model.Seed() = 3;
    model.Communicator() = ranks;
    change(model);
    model.Train(rows.data, rows.labels, 2,
        weighted ? rows.weights : arma::rowvec());
    return Bytes(model);
  };
}

//! A regressor with the given loss.
Training Predict(const RegressionLoss& loss, const bool weighted = false)
{
  return [=](const GBNNCommunicator* ranks, const Rows& rows)
  {
    Regressor model(4, 2, 0.5, 0.7);
    model.Seed() = 3;
    model.Communicator() = ranks;
    model.Loss() = loss;
    model.Train(rows.data, rows.responses, weighted ? rows.weights :
        arma::rowvec());
    return Bytes(model);
  };
}

//! Asks to stop after the first stage.
struct StopAtOnce
{
  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool EndEpoch(OptimizerType&, FunctionType&, const MatType&, const size_t,
                const double)
  {
    return true;
  }
};

//! Asks to stop in the second stage, if this is the rank to ask.
struct StopInStage
{
  bool asks;
  size_t steps = 0;

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType&, FunctionType&, MatType&)
  {
    return ++steps > 5 && asks;
  }
};

/**
 * A training that was stopped and goes on.  The bytes of its checkpoint are
 * part of the result: those of one process are those of several, so one can go
 * on where others have stopped.
 */
std::string Checkpointed(const GBNNCommunicator* ranks, const Rows& rows)
{
  const std::string file = "ranks_test.checkpoint";
  const auto start = [&](Classifier& model)
  {
    model = Classifier(6, 2, 0.5, 0.7);
    model.Seed() = 3;
    model.Communicator() = ranks;
  };
  Classifier model;
  {
    GBNNCheckpoint checkpoint(file, 0, ranks);
    start(model);
    model.Train(rows.data, rows.labels, 2, rows.weights, checkpoint,
        StopAtOnce());
  }
  GBNNCheckpoint checkpoint(file, 0, ranks);
  std::string kept;
  if (!ranks || ranks->Rank() == 0)
  {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    kept = text.str();
  }
  const std::vector<char> told = gbnn::GatherAll(ranks, std::vector<char>(
      kept.begin(), kept.end()));
  start(model);
  model.Train(rows.data, rows.labels, 2, rows.weights, checkpoint);
  checkpoint.Remove();
  return Bytes(model) + (checkpoint.IsFound() ? "" : "not found") +
      std::string(told.begin(), told.end());
}

//! All trainings, by name.
std::vector<std::pair<std::string, Training>> Trainings()
{
  return {
    { "classifier", Classify([](Classifier&) { }) },
    { "weights", Classify([](Classifier&) { }, true) },
    { "subsample", Classify([](Classifier& m) { m.Subsample() = 0.5; }) },
    { "weighted subsample", Classify([](Classifier& m)
        { m.Subsample() = 0.3; }, true) },
    { "bins", Classify([](Classifier& m) { m.Bins() = 8; }) },
    { "weighted bins", Classify([](Classifier& m) { m.Bins() = 4; }, true) },
    // As many hidden weights as L-BFGS is faster for.
    { "L-BFGS", Classify([](Classifier& m)
        { m.UnitsPerStage() = 1; m.Bins() = 64; m.HiddenUnits() = 1; }) },
    { "early stopping", Classify([](Classifier& m)
        { m.ValidationFraction() = 0.2; m.Patience() = 1; }) },
    { "validation set", [](const GBNNCommunicator* ranks, const Rows& rows)
        {
          Classifier model(6, 2, 0.5, 1.0);
          model.Seed() = 3;
          model.Communicator() = ranks;
          const GBNNValidation<arma::mat, arma::Row<size_t>> validation(
              rows.data + 0.1, rows.labels);
          StageOptimizer optimizer;
          model.Train(rows.data, rows.labels, 2, arma::rowvec(), optimizer,
              validation);
          return Bytes(model);
        } },
    { "grown", [](const GBNNCommunicator* ranks, const Rows& rows)
        {
          Classifier model(2, 2, 0.5, 0.5);
          model.Seed() = 3;
          model.Communicator() = ranks;
          model.Train(rows.data, rows.labels, 2);
          model.Grow(rows.data, rows.labels, 2);
          return Bytes(model);
        } },
    { "checkpoint", Checkpointed },
    { "stopped by one rank", [](const GBNNCommunicator* ranks, const Rows& rows)
        {
          Classifier model(6, 2, 0.5, 1.0);
          model.Seed() = 3;
          model.Communicator() = ranks;
          StopInStage stop = { !ranks || ranks->Rank() + 1 == ranks->Ranks() };
          model.Train(rows.data, rows.labels, 2, stop);
          return Bytes(model);
        } },
    { "refined", [](const GBNNCommunicator* ranks, const Rows& rows)
        {
          Classifier model(4, 2, 0.5, 1.0);
          model.Seed() = 3;
          model.Communicator() = ranks;
          model.Refinement().Iterations() = 4;
          model.Refinement().RoundIterations() = 2;
          model.Train(rows.data, rows.labels, 2, rows.weights);
          model.Refine(rows.data, rows.labels, rows.weights);
          return Bytes(model);
        } },
    { "bins, units and L2 chosen", [](const GBNNCommunicator* ranks,
          const Rows& rows)
        {
          Classifier model(4, 2, 0.5, 1.0);
          model.Seed() = 3;
          model.Communicator() = ranks;
          model.Refinement().Iterations() = 4;
          model.Refinement().RoundIterations() = 2;
          const GBNNEncodingChoice choice = model.Choose(GBNNChoices(),
              rows.data, rows.labels, 2);
          model.Train(rows.data, rows.labels, 2);
          model.Refine(rows.data, rows.labels);
          std::string result = Bytes(model);
          for (const GBNNEncodingChoice::Candidate& c : choice.candidates)
            result += " " + std::to_string(c.bins) + " " +
                std::to_string(c.units) + " " + std::to_string(c.l2) + " " +
                std::to_string(c.loss);
          return result;
        } },
    { "squared", Predict(SquaredErrorLoss()) },
    { "absolute", Predict(AbsoluteLoss(), true) },
    { "Huber", Predict(HuberErrorLoss()) },
    { "quantiles", Predict(QuantileLoss({ 0.1, 0.9 })) },
    { "Poisson", Predict(PoissonLoss(), true) }
  };
}

//! Errors: what one rank does wrong, and what all of them say then.
std::vector<std::tuple<std::string, Training, std::string>> Mistakes()
{
  const auto last = [](const GBNNCommunicator* ranks)
  {
    return ranks->Rank() + 1 == ranks->Ranks();
  };
  const auto train = [](const GBNNCommunicator* ranks, const Rows& rows,
      const auto& change)
  {
    Classifier model(4, 2, 0.5, 1.0);
    model.Communicator() = ranks;
    change(model);
    model.Train(rows.data, rows.labels, 2);
    return Bytes(model);
  };
  const auto nothing = [](Classifier&) { };
  return {
    { "NaN", [=](const GBNNCommunicator* ranks, const Rows& rows)
        {
          Rows wrong = rows;
          if (last(ranks))
            wrong.data(1, 0) = arma::datum::nan;
          return train(ranks, wrong, nothing);
        }, "NaN or infinite" },
    { "no points", [=](const GBNNCommunicator* ranks, const Rows& rows)
        {
          return train(ranks, last(ranks) ? Rows(0) : rows, nothing);
        }, "data is empty" },
    { "other columns", [=](const GBNNCommunicator* ranks, const Rows& rows)
        {
          Rows wrong = rows;
          if (last(ranks))
            wrong.data.shed_row(0);
          return train(ranks, wrong, nothing);
        }, "number of dimensions (3)" },
    { "other settings", [=](const GBNNCommunicator* ranks, const Rows& rows)
        {
          return train(ranks, rows, [&](Classifier& model)
              { model.L2() = last(ranks) ? 2 : 1; });
        }, "trains another model" },
    { "a checkpoint of each rank", [=](const GBNNCommunicator* ranks,
        const Rows& rows)
        {
          Classifier model(4, 2, 0.5, 1.0);
          model.Communicator() = ranks;
          // Not given the ranks, it would be written by all of them.
          GBNNCheckpoint checkpoint("ranks_test_never.checkpoint");
          model.Train(rows.data, rows.labels, 2, checkpoint);
          return Bytes(model);
        }, "needs their communicator" },
    { "a checkpoint on one rank", [=](const GBNNCommunicator* ranks,
        const Rows& rows)
        {
          Classifier model(4, 2, 0.5, 1.0);
          model.Communicator() = ranks;
          GBNNCheckpoint checkpoint("ranks_test_never.checkpoint", 10, ranks);
          if (last(ranks))
            model.Train(rows.data, rows.labels, 2);
          else
            model.Train(rows.data, rows.labels, 2, checkpoint);
          return Bytes(model);
        }, "either all ranks have a checkpoint" },
    { "weights on one rank", [=](const GBNNCommunicator* ranks,
        const Rows& rows)
        {
          Classifier model(4, 2, 0.5, 1.0);
          model.Communicator() = ranks;
          model.Train(rows.data, rows.labels, 2, last(ranks) ? rows.weights :
              arma::rowvec());
          return Bytes(model);
        }, "number of weights of a point" },
    { "negative count", [=](const GBNNCommunicator* ranks, const Rows& rows)
        {
          Rows wrong = rows;
          if (last(ranks))
            wrong.responses[0] = -1;
          return Predict(PoissonLoss())(ranks, wrong);
        }, "is negative" }
  };
}

//! Whether each rank has trained the model of one process.
bool IsSame(const std::string& name,
            const std::string& model,
            const std::string& alone)
{
  if (model != alone)
    std::cout << name << ": another model than that of one process\n";
  return model == alone;
}

//! Whether a rank reported a mistake as it should.
bool IsReported(const std::string& name,
                const std::string& error,
                const std::string& expected)
{
  if (error.find(expected) == std::string::npos)
    std::cout << name << ": the error is '" << error << "', not '... "
        << expected << " ...'\n";
  return error.find(expected) != std::string::npos;
}

//! Numbers of points: too few for three ranks to have some, and enough for
//! seven.
const std::vector<size_t> sizes = { 9000, 34000 };

int WithThreads(const std::vector<size_t>& numbers)
{
  size_t failures = 0;
  for (const size_t size : sizes)
  {
    const Rows rows(size);
    for (const auto& [name, train] : Trainings())
    {
      const std::string alone = train(nullptr, rows);
      for (const size_t number : numbers)
      {
        if (size == sizes.front() && number != 3)
          continue;
        ThreadMessages messages(number);
        std::vector<std::string> models(number);
        const std::vector<std::string> errors = OnRanks(messages,
            [&, &train = train](const GBNNCommunicator& ranks)
            {
              models[ranks.Rank()] = train(&ranks, rows.Of(ranks.Rank(),
                  number));
            });
        const std::string what = name + ", " + std::to_string(size) +
            " points, " + std::to_string(number) + " ranks";
        for (size_t r = 0; r < number; ++r)
        {
          if (!errors[r].empty())
            std::cout << what << ": " << errors[r] << "\n";
          failures += !IsSame(what, models[r], alone);
        }
      }
    }
  }
  const Rows rows(2000);
  for (const auto& [name, train, expected] : Mistakes())
  {
    ThreadMessages messages(3);
    for (const std::string& error : OnRanks(messages,
        [&, &train = train](const GBNNCommunicator& ranks)
        {
          train(&ranks, rows.Of(ranks.Rank(), 3));
        }))
      failures += !IsReported(name, error, expected);
  }
  return failures > 0;
}

#ifdef GBNN_WITH_MPI
int WithMPI(const std::string& how)
{
  const MPICommunicator ranks;
  size_t failures = 0;
  for (const size_t size : sizes)
  {
    const Rows rows(size), mine = rows.Of(ranks.Rank(), ranks.Ranks());
    for (const auto& [name, train] : Trainings())
    {
      // That MPI adds what threads add takes fewer points to see.
      if (size == sizes.back() && name != "weighted subsample")
        continue;
      // One process is enough to know what one process trains.
      std::string alone;
      if (ranks.Rank() == 0)
        alone = train(nullptr, rows);
      const std::vector<char> all = gbnn::GatherAll(&ranks,
          std::vector<char>(alone.begin(), alone.end()));
      failures += !IsSame(name + ", " + std::to_string(size) + " points, rank "
          + std::to_string(ranks.Rank()), train(&ranks, mine),
          std::string(all.begin(), all.end()));
      if (ranks.Rank() + 1 < ranks.Ranks() || (how != "dies" && how !=
          "fails"))
        continue;
      std::cout << "the last rank " << how << std::endl;
      if (how == "dies")
        std::_Exit(1);
      throw std::runtime_error("this rank fails");
    }
  }
  const Rows rows(2000), mine = rows.Of(ranks.Rank(), ranks.Ranks());
  for (const auto& [name, train, expected] : Mistakes())
  {
    std::string error;
    try
    {
      train(&ranks, mine);
    }
    catch (const std::exception& e)
    {
      error = e.what();
    }
    failures += !IsReported(name, error, expected);
  }
  return failures > 0;
}
#endif

int main(int argc, char** argv)
{
  const std::string how = (argc > 1) ? argv[1] : "";
  if (how == "threads")
  {
    std::vector<size_t> numbers;
    for (int i = 2; i < argc; ++i)
      numbers.push_back(size_t(std::stoul(argv[i])));
    return WithThreads(numbers);
  }
#ifdef GBNN_WITH_MPI
  MPI_Init(&argc, &argv);
  const int result = WithMPI(how);
  MPI_Finalize();
  return result;
#else
  std::cout << "this program was built without MPI\n";
  return 77;
#endif
}
