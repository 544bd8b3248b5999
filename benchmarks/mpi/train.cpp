/**
 * @file benchmarks/mpi/train.cpp
 *
 * Training by several processes, with what they send to each other counted.
 *
 *   mpirun -n RANKS gbnn_mpi_benchmark auto|lbfgs|refine POINTS DIMENSIONS
 *       UNITS REPEATS
 *
 * prints one line of JSON: the shortest time of training, and of that training
 * what the first process has sent and received.
 */
#include <mlpack/methods/gbnn.hpp>
#include <mlpack/methods/gbnn/compute/mpi_communicator.hpp>

#include "../cpp/measure.hpp"

using namespace mlpack;

//! Counts what is sent over another communicator.
class CountingCommunicator : public GBNNCommunicator
{
 public:
  explicit CountingCommunicator(const GBNNCommunicator& ranks) : ranks(ranks)
  { }

  size_t Rank() const override { return ranks.Rank(); }
  size_t Ranks() const override { return ranks.Ranks(); }

  void Send(const void* from, const size_t bytes, const size_t rank)
      const override
  {
    Count(messages, bytes, [&]() { ranks.Send(from, bytes, rank); });
  }

  void Receive(void* to, const size_t bytes, const size_t rank) const override
  {
    Count(messages, bytes, [&]() { ranks.Receive(to, bytes, rank); });
  }

  void Broadcast(void* bytes, const size_t number, const size_t root)
      const override
  {
    Count(broadcasts, number, [&]() { ranks.Broadcast(bytes, number, root); });
  }

  struct Total
  {
    size_t calls = 0, bytes = 0;
  };

  //! Sent to or received from one other process, and told to all.
  mutable Total messages, broadcasts;
  //! Seconds in all of these calls; waiting for others is among them.
  mutable double seconds = 0;

  void Clear()
  {
    messages = broadcasts = Total();
    seconds = 0;
  }

 private:
  template<typename FunctionType>
  void Count(Total& total, const size_t bytes, const FunctionType& f) const
  {
    ++total.calls;
    total.bytes += bytes;
    seconds += benchmark::Time(f).wall;
  }

  const GBNNCommunicator& ranks;
};

//! Counts evaluations with gradient of L-BFGS.
struct Counter
{
  template<typename OptimizerType, typename FunctionType, typename MatType>
  void Gradient(OptimizerType&, FunctionType&, const MatType&, const MatType&)
  {
    ++evaluations;
  }

  size_t evaluations = 0;
};

//! The time of one message of some bytes from one process to another, and back,
//! halved; 0 unless there are two.
double MessageSeconds(const GBNNCommunicator& ranks, const size_t bytes)
{
  if (ranks.Ranks() < 2 || ranks.Rank() > 1)
    return 0;
  std::vector<char> message(bytes);
  double best = 1e300;
  for (size_t round = 0; round < 200; ++round)
  {
    const double seconds = benchmark::Time([&]()
    {
      if (ranks.Rank() == 0)
      {
        ranks.Send(message.data(), bytes, 1);
        ranks.Receive(message.data(), bytes, 1);
      }
      else
      {
        ranks.Receive(message.data(), bytes, 0);
        ranks.Send(message.data(), bytes, 0);
      }
    }).wall / 2;
    best = std::min(best, seconds);
  }
  return best;
}

//! Some of the same points, whatever the number of processes.
void Generate(const size_t begin,
              const size_t end,
              const size_t dimensions,
              arma::mat& data,
              arma::Row<size_t>& labels)
{
  data.set_size(dimensions, end - begin);
  labels.set_size(end - begin);
  for (size_t i = begin; i < end; ++i)
  {
    std::mt19937 random{ std::mt19937::result_type(i) };
    std::normal_distribution<double> normal;
    double* x = data.colptr(i - begin);
    for (size_t d = 0; d < dimensions; ++d)
      x[d] = normal(random);
    labels[i - begin] = x[0] * x[1] + std::sin(2 * x[2]) > 0.2 * normal(random);
  }
}

int main(int argc, char** argv)
{
  if (argc != 6)
  {
    std::cerr << "see the top of benchmarks/mpi/train.cpp" << std::endl;
    return 1;
  }
  const std::string how = argv[1];
  const size_t points = std::stoul(argv[2]), dimensions = std::stoul(argv[3]);
  const size_t units = std::stoul(argv[4]), repeats = std::stoul(argv[5]);
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  {
    const MPICommunicator world;
    CountingCommunicator ranks(world);
    const size_t rank = world.Rank(), number = world.Ranks();
    arma::mat data;
    arma::Row<size_t> labels;
    // Cells are whole where the program cuts, so that nothing moves.
    const gbnn::PointCut cut(points, &world, points);
    const size_t begin = (number > 1) ? cut.FirstPoint() : 0;
    Generate(begin, begin + cut.Points(), dimensions, data, labels);

    double best = 1e300, cpu = 0, loss = 0;
    CountingCommunicator counted(world);
    Counter counter;
    for (size_t repeat = 0; repeat < repeats; ++repeat)
    {
      GBNNClassifier<> classifier(units);
      classifier.Seed() = 1;
      classifier.Communicator() = &ranks;
      ens::L_BFGS lbfgs = StageOptimizer::DefaultLBFGS();
      StageOptimizer automatic;
      counter = Counter();
      if (how == "refine")
        classifier.Train(data, labels, 2);
      MPI_Barrier(MPI_COMM_WORLD);
      ranks.Clear();
      const benchmark::Seconds seconds = benchmark::Time([&]()
      {
        if (how == "refine")
          loss = classifier.Refine(data, labels);
        else if (how == "lbfgs")
          loss = classifier.Train(data, labels, 2, lbfgs, counter);
        else
          loss = classifier.Train(data, labels, 2, automatic);
      });
      const double all = gbnn::MaxOfRanks(&world, seconds.wall);
      if (all < best)
      {
        best = all;
        cpu = seconds.cpu;
        counted.messages = ranks.messages;
        counted.broadcasts = ranks.broadcasts;
        counted.seconds = ranks.seconds;
      }
    }
    const double small = MessageSeconds(world, 8);
    const double large = MessageSeconds(world, 1 << 22);
    if (rank == 0)
    {
      std::cout << std::setprecision(17) << "{\"how\": \"" << how
          << "\", \"ranks\": " << number << ", \"points\": " << points
          << ", \"dimensions\": " << dimensions << ", \"units\": " << units
          << ", \"seconds\": " << best << ", \"cpu\": " << cpu
          << ", \"messages\": " << counted.messages.calls
          << ", \"message_bytes\": " << counted.messages.bytes
          << ", \"broadcasts\": " << counted.broadcasts.calls
          << ", \"broadcast_bytes\": " << counted.broadcasts.bytes
          << ", \"communication\": " << counted.seconds
          << ", \"evaluations\": " << counter.evaluations
          << ", \"cells\": " << cut.Cells()
          << ", \"latency\": " << small
          << ", \"bandwidth\": " << (large > 0 ? (1 << 22) / large : 0)
          << ", \"loss\": " << loss << "}" << std::endl;
    }
  }
  MPI_Finalize();
}
