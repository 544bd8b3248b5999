/**
 * @file experiments/paper/network.hpp
 *
 * The networks that the paper compares with: mlpack's FFN, trained as
 * scikit-learn trains its own at the defaults.
 */
#ifndef GBNN_EXPERIMENTS_PAPER_NETWORK_HPP
#define GBNN_EXPERIMENTS_PAPER_NETWORK_HPP

#include <mlpack/methods/ann/ann.hpp>

#include "../common/data_sets.hpp"

namespace experiments {

/**
 * The mean loss over a batch, from the outputs of the last layer: half the
 * squared error, the logistic loss of one output, or the cross-entropy of
 * several.  Targets are responses or labels, one row.
 */
class OutputLoss
{
 public:
  OutputLoss(const bool regression = true) : regression(regression) { }

  //! The loss; keeps its derivative for Backward(), which FFN calls next.
  double Forward(const arma::mat& outputs, const arma::mat& targets)
  {
    const double points = double(outputs.n_cols);
    if (regression)
    {
      error = (outputs - targets) / points;
      return 0.5 * points * arma::accu(arma::square(error));
    }
    if (outputs.n_rows == 1)
    {
      error = (1 / (1 + arma::exp(-outputs)) - targets) / points;
      return arma::accu(arma::clamp(outputs, 0, arma::datum::inf) -
          outputs % targets + arma::log1p(arma::exp(-arma::abs(outputs)))) /
          points;
    }
    error = outputs;
    error.each_row() -= arma::max(outputs, 0);
    double loss = 0;
    for (size_t i = 0; i < error.n_cols; ++i)
    {
      auto column = error.col(i);
      const size_t label = size_t(targets[i]);
      const double own = column[label];
      column = arma::exp(column);
      const double sum = arma::accu(column);
      loss += std::log(sum) - own;
      column /= sum;
      column[label] -= 1;
    }
    error /= points;
    return loss / points;
  }

  void Backward(const arma::mat& /* outputs */,
                const arma::mat& /* targets */,
                arma::mat& delta)
  {
    delta = error;
  }

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(CEREAL_NVP(regression));
  }

 private:
  bool regression;
  arma::mat error;
};

using NetworkType = mlpack::FFN<OutputLoss>;

/**
 * What ensmallen minimizes: the loss of a network, and scikit-learn's L2
 * penalty of its weights, 1e-4 over the number of points of a batch.  FFN's own
 * objective over all points takes them one by one, and looks at its own
 * parameters rather than at those it is given, as L-BFGS would need.
 */
class NetworkObjective
{
 public:
  NetworkObjective(NetworkType& network,
                   const DataSet& data,
                   const arma::mat& penalized,
                   const uint64_t seed) :
      network(network), data(data), penalized(penalized), random(seed),
      order(arma::regspace<arma::uvec>(0, data.points.n_cols - 1))
  {
    Shuffle();
  }

  size_t NumFunctions() const { return order.n_elem; }

  //! Put the points in another order.
  void Shuffle()
  {
    for (size_t i = order.n_elem; i > 1; --i)
      std::swap(order[i - 1], order[random() % i]);
    network.ResetData(data.points.cols(order), data.targets.cols(order));
  }

  //! The objective of a batch, times its size, as ensmallen adds them up.
  double Evaluate(const arma::mat& parameters,
                  const size_t begin,
                  const size_t batch)
  {
    arma::mat gradient;
    return EvaluateWithGradient(parameters, begin, gradient, batch);
  }

  //! The same, and the gradient of the mean.
  double EvaluateWithGradient(const arma::mat& parameters,
                              const size_t begin,
                              arma::mat& gradient,
                              const size_t batch)
  {
    // FFN's layers look at the memory of its parameters.
    if (parameters.memptr() != network.Parameters().memptr())
      network.Parameters() = parameters;
    gradient.set_size(arma::size(parameters));
    const double loss = network.EvaluateWithGradient(network.Parameters(),
        begin, gradient, batch);
    const double l2 = 1e-4 / double(batch);
    gradient += l2 * (penalized % parameters);
    return double(batch) * (loss + 0.5 * l2 * arma::accu(penalized %
        arma::square(parameters)));
  }

  void Gradient(const arma::mat& parameters,
                const size_t begin,
                arma::mat& gradient,
                const size_t batch)
  {
    EvaluateWithGradient(parameters, begin, gradient, batch);
  }

  //! The mean over all points, for L-BFGS.
  double EvaluateWithGradient(const arma::mat& parameters, arma::mat& gradient)
  {
    return EvaluateWithGradient(parameters, 0, gradient, order.n_elem) /
        double(order.n_elem);
  }

 private:
  NetworkType& network;
  const DataSet& data;
  const arma::mat& penalized;
  std::mt19937_64 random;
  arma::uvec order;
};

/**
 * Ends training when the loss has not fallen by 1e-4 in ten epochs one after
 * the other; the adaptive policy divides the step size by five instead, until
 * it is 1e-6.
 */
class EarlyEnd
{
 public:
  EarlyEnd(const bool adaptive) : adaptive(adaptive) { }

  template<typename OptimizerType, typename FunctionType>
  bool EndEpoch(OptimizerType& optimizer,
                FunctionType& /* function */,
                const arma::mat& /* coordinates */,
                const size_t /* epoch */,
                const double loss)
  {
    waited = (loss > best - 1e-4) ? waited + 1 : 0;
    best = std::min(best, loss);
    if (waited <= 10)
      return false;
    waited = 0;
    if (!adaptive || optimizer.StepSize() <= 1e-6)
      return true;
    optimizer.StepSize() /= 5;
    return false;
  }

 private:
  bool adaptive;
  size_t waited = 0;
  double best = std::numeric_limits<double>::infinity();
};

//! How a network is trained.
enum class Solver { ADAM, LBFGS, SGD, ADAPTIVE_SGD };

//! A network of ReLU layers, trained on construction.
class Network
{
 public:
  /**
   * @param data Points to train on.
   * @param hidden Number of units of each hidden layer.
   * @param solver What it is trained with.
   * @param seed Seed of the initial weights and of the order of points.
   * @param endsEarly Whether training may end before 200 epochs.
   */
  Network(const DataSet& data,
          const std::vector<size_t>& hidden,
          const Solver solver,
          const uint64_t seed,
          const bool endsEarly = true) :
      regression(data.IsRegression()),
      network(OutputLoss(data.IsRegression()))
  {
    for (const size_t units : hidden)
    {
      network.Add<mlpack::Linear>(units);
      network.Add<mlpack::ReLU>();
    }
    const size_t outputs = (data.classes > 2) ? data.classes : 1;
    network.Add<mlpack::Linear>(outputs);
    network.Reset(data.points.n_rows);

    std::vector<size_t> sizes = { size_t(data.points.n_rows) };
    sizes.insert(sizes.end(), hidden.begin(), hidden.end());
    sizes.push_back(outputs);
    const arma::mat penalized = Initialize(sizes, seed);
    NetworkObjective objective(network, data, penalized, seed);
    Optimize(objective, solver, endsEarly);
    // The data is of no use any more.
    network.ResetData(arma::mat(), arma::mat());
  }

  //! Responses, or labels.
  arma::rowvec Predict(const arma::mat& points)
  {
    const arma::mat outputs = Outputs(points);
    if (regression)
      return outputs;
    if (outputs.n_rows == 1)
      return arma::conv_to<arma::rowvec>::from(outputs > 0);
    return arma::conv_to<arma::rowvec>::from(arma::index_max(outputs, 0));
  }

  //! The outputs of the last layer.
  arma::mat Outputs(const arma::mat& points)
  {
    arma::mat outputs;
    network.Predict(points, outputs, points.n_cols);
    return outputs;
  }

 private:
  //! Glorot's initialization, also of the biases; returns 1 for each parameter
  //! that is a weight, and 0 for biases.
  arma::mat Initialize(const std::vector<size_t>& sizes, const uint64_t seed)
  {
    std::mt19937_64 random(seed);
    arma::mat& parameters = network.Parameters();
    arma::mat penalized(arma::size(parameters), arma::fill::zeros);
    size_t i = 0;
    for (size_t layer = 1; layer < sizes.size(); ++layer)
    {
      const size_t weights = sizes[layer - 1] * sizes[layer];
      const double bound = std::sqrt(6.0 / (sizes[layer - 1] + sizes[layer]));
      std::uniform_real_distribution<double> uniform(-bound, bound);
      penalized.rows(i, i + weights - 1).ones();
      for (const size_t end = i + weights + sizes[layer]; i < end; ++i)
        parameters[i] = uniform(random);
    }
    return penalized;
  }

  void Optimize(NetworkObjective& objective,
                const Solver solver,
                const bool endsEarly)
  {
    const size_t points = objective.NumFunctions();
    const size_t batch = std::min<size_t>(200, points), epochs = 200;
    const auto train = [&](auto optimizer)
    {
      EarlyEnd earlyEnd(solver == Solver::ADAPTIVE_SGD);
      if (endsEarly)
        optimizer.Optimize(objective, network.Parameters(), earlyEnd);
      else
        optimizer.Optimize(objective, network.Parameters());
    };
    // A tolerance below 0 never ends it.
    if (solver == Solver::ADAM)
    {
      train(ens::Adam(0.001, batch, 0.9, 0.999, 1e-8, epochs * points, -1));
    }
    else if (solver == Solver::LBFGS)
    {
      ens::L_BFGS optimizer(10, epochs);
      optimizer.Factr() = endsEarly ? 2.2e-9 : 0;
      optimizer.MinGradientNorm() = endsEarly ? 1e-4 : 0;
      arma::mat best = network.Parameters();
      optimizer.Optimize(objective, best);
      network.Parameters() = best;
    }
    else
    {
      train(ens::NesterovMomentumSGD(0.001, batch, epochs * points, -1, true,
          ens::NesterovMomentumUpdate(0.9)));
    }
  }

  bool regression;
  NetworkType network;
};

} // namespace experiments

#endif
