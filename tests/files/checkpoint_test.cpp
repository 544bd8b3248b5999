/**
 * @file tests/files/checkpoint_test.cpp
 *
 * A training that goes on from a checkpoint ends as if it had never stopped,
 * and one of anything else is refused.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <clocale>

using namespace mlpack;

namespace {

//! A folder that goes with the test.
class Folder
{
 public:
  Folder()
  {
    std::string pattern = (std::filesystem::temp_directory_path() /
        "gbnn_checkpoint_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }

  ~Folder()
  {
    std::error_code error;
    std::filesystem::remove_all(path, error);
  }

  std::string File(const std::string& name) const
  {
    return (path / name).string();
  }

  size_t NumFiles() const
  {
    return size_t(std::distance(std::filesystem::directory_iterator(path),
        std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path;
};

std::string Content(const std::string& file)
{
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

void Write(const std::string& file, const std::string& content)
{
  std::ofstream(file, std::ios::binary) << content;
}

//! What it throws, or "".
template<typename FunctionType>
std::string Error(const FunctionType& f)
{
  try
  {
    f();
  }
  catch (const std::exception& e)
  {
    return e.what();
  }
  return "";
}

bool Contains(const std::string& text, const std::string& part)
{
  return text.find(part) != std::string::npos;
}

//! A callback that ends a training after so many steps and stages.
struct Stop
{
  struct Now { };

  template<typename O, typename F, typename M>
  bool StepTaken(O&, F&, M&)
  {
    if (left-- == 0)
      throw Now();
    return false;
  }

  template<typename O, typename F, typename M>
  bool EndEpoch(O&, F&, const M&, const size_t, const double)
  {
    if (left-- == 0)
      throw Now();
    return false;
  }

  size_t left;
};

//! Train with a checkpoint, stopped again and again; returns how often.
template<typename FunctionType>
size_t TrainWithStops(const std::string& file, const FunctionType& train)
{
  std::mt19937_64 random(3);
  for (size_t stops = 0; ; ++stops)
  {
    // Syncing files takes longer than training.  Once there is one, it is saved
    // in the end.
    GBNNCheckpoint checkpoint(file, std::filesystem::exists(file) ? 1000 : 0);
    Stop stop{ 30 + random() % 400 };
    try
    {
      train(checkpoint, stop);
      checkpoint.Remove();
      return stops;
    }
    catch (const Stop::Now&)
    {
      REQUIRE(stops < 1000);
    }
  }
}

} // namespace

TEST_CASE("CheckpointKeepsResults", "[CheckpointTest]")
{
  const Folder folder;
  const std::string file = folder.File("c");
  const arma::fmat matrix = { { 1, 2, 3 }, { 4, 5, 6 } };
  const arma::rowvec row = { 0.1, arma::datum::nan };
  {
    const GBNNCheckpoint checkpoint(file, 0);
    REQUIRE(!checkpoint.IsFound());
    checkpoint.Keep("a", size_t(7), matrix, row, std::vector<double>{ 1, 2 });
    checkpoint.Keep("a", size_t(8), matrix, row, std::vector<double>{ 1, 2 });
    checkpoint.Part("p").Keep("a", arma::mat());
    checkpoint.Part("q").Keep("a", 1.5);
    checkpoint.Part("q").Forget();
    REQUIRE(checkpoint.Once("seed", 5) == 5);
  }
  const GBNNCheckpoint checkpoint(file, 0);
  REQUIRE(checkpoint.IsFound());
  size_t number;
  arma::fmat otherMatrix;
  arma::rowvec otherRow;
  std::vector<double> list;
  REQUIRE(checkpoint.Recall("a", number, otherMatrix, otherRow, list));
  REQUIRE(number == 8);
  REQUIRE(SameBits(matrix, otherMatrix));
  REQUIRE(SameBits(row, otherRow));
  REQUIRE(list == std::vector<double>{ 1, 2 });
  REQUIRE(checkpoint.Once("seed", 6) == 5);
  arma::mat empty(2, 2);
  REQUIRE(checkpoint.Part("p").Recall("a", empty));
  REQUIRE(empty.is_empty());
  double none;
  REQUIRE(!checkpoint.Part("q").Recall("a", none));
  REQUIRE(!checkpoint.Recall("b", none));
  // Not what it was kept as.
  REQUIRE_THROWS_AS(checkpoint.Recall("a", number), std::runtime_error);
  REQUIRE_THROWS_AS(checkpoint.Recall("a", empty), std::runtime_error);
  arma::rowvec wrong;
  REQUIRE_THROWS_AS(checkpoint.Recall("a", number, wrong),
      std::runtime_error);
  checkpoint.Remove();
  REQUIRE(folder.NumFiles() == 0);

  // Without a file, nothing is kept.
  const GBNNCheckpoint nothing;
  nothing.Keep("a", 1.0);
  REQUIRE(!nothing.Recall("a", none));
  REQUIRE(nothing.Once("a", 3) == 3);
}

TEST_CASE("CheckpointIsSavedNowAndThen", "[CheckpointTest]")
{
  const Folder folder;
  const std::string file = folder.File("c");
  {
    const GBNNCheckpoint checkpoint(file, 1000);
    checkpoint.Keep("a", 1.0);
  }
  REQUIRE(folder.NumFiles() == 0);
  // If there is a file already, nothing that was done is lost.
  GBNNCheckpoint(file, 0).Keep("a", 1.0);
  GBNNCheckpoint(file, 1000).Keep("b", 2.0);
  double value;
  REQUIRE(GBNNCheckpoint(file).Recall("b", value));
}

//! Each byte cut off, and each bit flipped.
TEST_CASE("CheckpointThatIsDamaged", "[CheckpointTest]")
{
  const Folder folder;
  const std::string file = folder.File("c");
  GBNNCheckpoint(file, 0).Keep("some step", arma::mat(3, 2, arma::fill::ones));
  const std::string whole = Content(file);
  REQUIRE(whole.size() > 100);
  for (size_t size = 0; size < whole.size(); ++size)
  {
    Write(file, whole.substr(0, size));
    REQUIRE_THROWS_AS(GBNNCheckpoint(file, 0), std::runtime_error);
  }
  for (size_t i = 0; i < whole.size(); ++i)
  {
    for (size_t bit = 0; bit < 8; ++bit)
    {
      std::string changed = whole;
      changed[i] = char(changed[i] ^ (1 << bit));
      Write(file, changed);
      REQUIRE_THROWS_AS(GBNNCheckpoint(file, 0), std::runtime_error);
      REQUIRE(Content(file) == changed);
    }
  }
  REQUIRE(Contains(Error([&]() { GBNNCheckpoint(file, 0); }), "is damaged"));
  // Two changes do not make up for each other.
  std::string changed = whole;
  changed[whole.size() - 1] = char(changed[whole.size() - 1] ^ 0x80);
  changed[whole.size() - 9] = char(changed[whole.size() - 9] ^ 0x80);
  Write(file, changed);
  REQUIRE_THROWS_AS(GBNNCheckpoint(file, 0), std::runtime_error);
  Write(file, whole);
  REQUIRE(GBNNCheckpoint(file, 0).IsFound());
}

//! Sizes that lie, with a digest that fits.
TEST_CASE("CheckpointWithSizesThatLie", "[CheckpointTest]")
{
  const Folder folder;
  const std::string file = folder.File("c");
  const auto write = [&](const std::string& content)
  {
    std::string head = "GBNN checkpoint 1\n";
    gbnn::AppendBytes(head, gbnn::Digest().Add(content).Value());
    Write(file, head + content);
  };
  std::string content;
  gbnn::AppendBytes(content, uint64_t(1) << 40);
  write(content + "name");
  REQUIRE_THROWS_AS(GBNNCheckpoint(file), std::runtime_error);
  for (const uint64_t rows : { uint64_t(1) << 40, uint64_t(1) << 63,
      uint64_t(3) })
  {
    std::string value;
    gbnn::AppendBytes(value, rows);
    gbnn::AppendBytes(value, uint64_t(4));
    content.clear();
    gbnn::AppendBytes(content, uint64_t(1));
    content += "m";
    gbnn::AppendBytes(content, uint64_t(value.size()));
    write(content + value);
    arma::mat matrix;
    std::vector<double> list;
    const GBNNCheckpoint checkpoint(file);
    REQUIRE_THROWS_AS(checkpoint.Recall("m", matrix), std::runtime_error);
    REQUIRE_THROWS_AS(checkpoint.Recall("m", list), std::runtime_error);
  }
}

TEST_CASE("CheckpointLeavesOtherFilesAlone", "[CheckpointTest]")
{
  const Folder folder;
  const std::string file = folder.File("table.csv");
  Write(file, "1,2\n");
  REQUIRE(Contains(Error([&]() { GBNNCheckpoint(file, 0); }),
      "is no checkpoint"));
  REQUIRE(Content(file) == "1,2\n");
  REQUIRE_THROWS_AS(GBNNCheckpoint("/dev/null"), std::runtime_error);
  REQUIRE_THROWS_AS(GBNNCheckpoint(folder.File("")), std::invalid_argument);
  REQUIRE_THROWS_AS(GBNNCheckpoint(folder.File("none/c")),
      std::invalid_argument);
  REQUIRE(folder.NumFiles() == 1);
}

//! A training does not end for want of a checkpoint.
TEST_CASE("CheckpointThatCannotBeWritten", "[CheckpointTest]")
{
  const Folder folder;
  std::filesystem::create_directory(folder.File("sub"));
  const GBNNCheckpoint checkpoint(folder.File("sub/c"), 0);
  checkpoint.Keep("a", 1.0);
  REQUIRE(checkpoint.Problem() == "");
  std::filesystem::remove_all(folder.File("sub"));
  checkpoint.Keep("b", 2.0);
  REQUIRE(Contains(checkpoint.Problem(), "cannot be written"));
  std::filesystem::create_directory(folder.File("sub"));
  checkpoint.Keep("c", 3.0);
  REQUIRE(checkpoint.Problem() == "");
}

//! Stopped in the choice of inputs, in boosting and in refinement.
TEMPLATE_TEST_CASE("CheckpointGoesOnWithClasses", "[CheckpointTest]", arma::mat,
    arma::fmat)
{
  const Folder folder;
  const Problem<TestType> problem(300, 3);
  const auto train = [&](auto& model, auto&... callbacks)
  {
    ens::L_BFGS optimizer = model.RefineOptimizer();
    model.Seed() = 5;
    model.Refinement().Iterations() = 150;
    const auto choice = model.Choose({ true, true, true }, problem.data,
        problem.threeLabels, 3, {}, optimizer, callbacks...);
    REQUIRE(choice.candidates.size() > 1);
    model.Train(problem.data, problem.threeLabels, 3, callbacks...);
    model.Refine(problem.data, problem.threeLabels, {}, optimizer,
        callbacks...);
    return choice;
  };
  GBNNClassifier<TestType> plain(12, 3), model(12, 3);
  const GBNNEncodingChoice choice = train(plain);
  REQUIRE(plain.RefinedIterations() > 0);
  GBNNEncodingChoice otherChoice;
  const size_t stops = TrainWithStops(folder.File("c"),
      [&](auto&... callbacks)
      {
        model = GBNNClassifier<TestType>(12, 3);
        otherChoice = train(model, callbacks...);
      });
  REQUIRE(stops > 10);
  REQUIRE(SameNetwork(plain, model));
  REQUIRE(plain.TrainingLosses() == model.TrainingLosses());
  REQUIRE(plain.RefinedIterations() == model.RefinedIterations());
  REQUIRE(choice.bins == otherChoice.bins);
  REQUIRE(choice.units == otherChoice.units);
  REQUIRE(choice.l2 == otherChoice.l2);
  REQUIRE(choice.candidates.size() == otherChoice.candidates.size());
  REQUIRE(choice.candidates[1].loss == otherChoice.candidates[1].loss);
  REQUIRE(folder.NumFiles() == 0);
}

//! Early stopping, units added later, weights, and refinement with trials.
TEST_CASE("CheckpointGoesOnWithResponses", "[CheckpointTest]")
{
  const Folder folder;
  const Problem<arma::mat> problem(300, 3), other(100, 3, 8);
  const arma::rowvec weights = arma::linspace<arma::rowvec>(1, 2, 300);
  const GBNNValidation validation(other.data, other.responses);
  const auto train = [&](auto& model, auto&... callbacks)
  {
    model.Seed() = 5;
    model.Patience() = 3;
    model.Refinement().Iterations() = 100;
    StageOptimizer stages;
    model.Train(problem.data, problem.responses, weights, stages, validation,
        callbacks...);
    model.Grow(problem.data, problem.responses, 4, weights, stages,
        callbacks...);
    ens::L_BFGS optimizer = model.RefineOptimizer();
    model.Refine(problem.data, problem.responses, weights, optimizer,
        callbacks...);
  };
  GBNNRegressor<> plain(40, 2, 0.5), model(40, 2, 0.5);
  train(plain);
  REQUIRE(plain.RefinedIterations() > 0);
  const size_t stops = TrainWithStops(folder.File("c"),
      [&](auto&... callbacks)
      {
        model = GBNNRegressor<>(40, 2, 0.5);
        train(model, callbacks...);
      });
  REQUIRE(stops > 5);
  REQUIRE(SameNetwork(plain, model));
  REQUIRE(plain.TrainingLosses() == model.TrainingLosses());
}

//! Optimizers that draw random numbers begin a refinement anew.
TEST_CASE("CheckpointGoesOnWithAdam", "[CheckpointTest]")
{
  const Folder folder;
  const Problem<arma::mat> problem(200, 3);
  const auto train = [&](auto& model, auto&... callbacks)
  {
    model.Seed() = 5;
    model.Refinement().Iterations() = 6;
    model.Refinement().RoundIterations() = 2;
    model.Refinement().ValidationFraction() = 0;
    ens::Adam stages(0.01, 32, 0.9, 0.999, 1e-8, 2 * 200);
    model.Train(problem.data, problem.labels, 2, stages, callbacks...);
    ens::Adam optimizer(0.001, 32);
    model.Refine(problem.data, problem.labels, {}, optimizer, callbacks...);
  };
  GBNNClassifier<> plain(4, 1), stopped(4, 1), model(4, 1);
  Stop never{ SIZE_MAX };
  train(plain, never);
  // In the last round.
  Stop stop{ SIZE_MAX - never.left - 5 };
  {
    const GBNNCheckpoint checkpoint(folder.File("c"), 0);
    REQUIRE_THROWS_AS(train(stopped, stop, checkpoint), Stop::Now);
  }
  const GBNNCheckpoint checkpoint(folder.File("c"), 0);
  REQUIRE(checkpoint.IsFound());
  train(model, checkpoint);
  REQUIRE(SameNetwork(plain, model));
}

//! Without a seed, it is that of the first run.
TEST_CASE("CheckpointHasTheSeed", "[CheckpointTest]")
{
  const Folder folder;
  const Problem<arma::mat> problem(100, 3);
  GBNNClassifier<> first(6, 1), second(6, 1);
  RandomSeed(1);
  const GBNNCheckpoint checkpoint(folder.File("c"), 0);
  first.Train(problem.data, problem.labels, 2, checkpoint);
  RandGen().seed(12345);
  second.Train(problem.data, problem.labels, 2,
      GBNNCheckpoint(folder.File("c"), 0));
  REQUIRE(first.TrainedSeed() == second.TrainedSeed());
  REQUIRE(SameNetwork(first, second));
}

TEST_CASE("CheckpointOfSomethingElse", "[CheckpointTest]")
{
  const Folder folder;
  const Problem<arma::mat> problem(100, 3);
  const arma::rowvec weights(100, arma::fill::ones);
  const auto train = [&](GBNNClassifier<>& model, const arma::mat& data,
      const arma::Row<size_t>& labels, const arma::rowvec& w)
  {
    model.Seed() = 5;
    return Error([&]()
    {
      model.Train(data, labels, 2, w, GBNNCheckpoint(folder.File("c"), 0));
    });
  };
  GBNNClassifier<> model(6, 1);
  REQUIRE(train(model, problem.data, problem.labels, weights) == "");
  const std::string before = Content(folder.File("c"));
  const auto refused = [&](const std::string& error, const std::string& what)
  {
    INFO(error);
    REQUIRE(Contains(error, "is of another training: " + what + " is "));
    REQUIRE(Content(folder.File("c")) == before);
  };

  arma::mat data = problem.data;
  data(1, 50) = -data(1, 50);
  data(2, 50) = -data(2, 50);
  GBNNClassifier<> other(6, 1);
  refused(train(other, data, problem.labels, weights), "data");
  arma::Row<size_t> labels = problem.labels;
  labels[3] = 1 - labels[3];
  refused(train(other, problem.data, labels, weights), "labels or responses");
  refused(train(other, problem.data, problem.labels, 2 * weights), "weights");
  other = GBNNClassifier<>(7, 1);
  refused(train(other, problem.data, problem.labels, weights), "hidden units");
  other = GBNNClassifier<>(6, 2);
  refused(train(other, problem.data, problem.labels, weights),
      "units per stage");
  other = GBNNClassifier<>(6, 1, 0.1 + 1e-12);
  refused(train(other, problem.data, problem.labels, weights),
      "learning rate");
  other = GBNNClassifier<>(6, 1);
  other.Refinement().L2Decay() = 0.5;
  refused(train(other, problem.data, problem.labels, weights),
      "refinement's decay");
  // Another loss.
  GBNNRegressor<arma::mat, HuberErrorLoss> huber(6, 1), second(6, 1);
  huber.Loss() = HuberErrorLoss(1.0);
  huber.Seed() = second.Seed() = 5;
  const GBNNCheckpoint part = GBNNCheckpoint(folder.File("d"), 0).Part("x");
  huber.Train(problem.data, problem.response, part);
  second.Loss() = HuberErrorLoss(2.0);
  REQUIRE(Contains(Error([&]()
      { second.Train(problem.data, problem.response, part); }), "loss is "));

  // The same training again, and another in a part of its own.
  GBNNClassifier<> again(6, 1);
  REQUIRE(train(again, problem.data, problem.labels, weights) == "");
  REQUIRE(SameNetwork(model, again));
  REQUIRE(Error([&]()
  {
    again.Train(data, problem.labels, 2, GBNNCheckpoint(folder.File("c"),
        0).Part("second"));
  }) == "");
}

//! A validation set is part of what must be the same.
TEST_CASE("CheckpointWithAnotherValidationSet", "[CheckpointTest]")
{
  const Folder folder;
  const Problem<arma::mat> problem(100, 3), other(50, 3, 8);
  const auto train = [&](const arma::mat& points)
  {
    return Error([&]()
    {
      GBNNClassifier<> model(6, 1);
      model.Seed() = 5;
      model.Train(problem.data, problem.labels, 2, GBNNValidation(points,
          other.labels), GBNNCheckpoint(folder.File("c"), 0));
    });
  };
  REQUIRE(train(other.data) == "");
  REQUIRE(train(other.data) == "");
  REQUIRE(Contains(train(2 * other.data), "validation data is "));
}

//! Trainings of a comparison that are finished are not done again.
TEST_CASE("CheckpointOfTuning", "[CheckpointTest]")
{
  // Only the trainings of one thread tell anything.
#ifdef MLPACK_USE_OPENMP
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
#endif
  const Folder folder;
  const Problem<arma::mat> problem(60, 3);
  GBNNClassifier<> model(4, 1);
  model.Seed() = 5;
  GBNNGrid grid;
  grid.unitsPerStage = { 1, 2 };
  grid.learningRates = { 0.1, 0.5 };
  grid.subsamples = { 1 };
  GBNNTuner plain(grid, 3);
  plain.Compare(model, problem.data, problem.labels, 2);
  size_t stops = 0;
  for (; ; ++stops)
  {
    REQUIRE(stops < 100);
    GBNNTuner tuner(grid, 3);
    tuner.Checkpoint() = GBNNCheckpoint(folder.File("c"), 0);
    size_t left = 18;
    tuner.Tell() = [&](const double)
    {
      if (left-- == 0)
        throw Stop::Now();
    };
    try
    {
      tuner.Compare(model, problem.data, problem.labels, 2);
    }
    catch (const Stop::Now&)
    {
      continue;
    }
    REQUIRE(SameBits(tuner.Table(), plain.Table()));
    break;
  }
  REQUIRE(stops > 0);
  GBNNTuner tuner(grid, 4);
  tuner.Checkpoint() = GBNNCheckpoint(folder.File("c"), 0);
  REQUIRE(Contains(Error([&]()
      { tuner.Compare(model, problem.data, problem.labels, 2); }),
      "folds is 3 there and 4 here"));
#ifdef MLPACK_USE_OPENMP
  omp_set_num_threads(threads);
#endif
}

/**
 * Make sure that the locale does not change numbers in words: a checkpoint
 * would be refused in another one.  Without a locale with decimal commas, this
 * says little.
 */
TEST_CASE("NumbersInWords", "[CheckpointTest]")
{
  const std::string before = setlocale(LC_NUMERIC, nullptr);
  for (const char* name : { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE" })
    if (setlocale(LC_NUMERIC, name))
      break;
  const std::string words = gbnn::ExactText(0.1) + " " + gbnn::ExactText(-2.5) +
      " " + gbnn::ExactText(3) + " " + gbnn::ExactText(0.1 + 0.2);
  setlocale(LC_NUMERIC, before.c_str());
  REQUIRE(words == "0.1 -2.5 3 0.30000000000000004");
}
