/**
 * @file methods/gbnn/loss_functions/regression_loss.hpp
 *
 * A loss for regression that is chosen when the program runs.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_REGRESSION_LOSS_HPP
#define MLPACK_METHODS_GBNN_LOSS_FUNCTIONS_REGRESSION_LOSS_HPP

#include <variant>

#include "../compute/require_version.hpp"
#include "absolute_loss.hpp"
#include "huber_error_loss.hpp"
#include "poisson_loss.hpp"
#include "quantile_loss.hpp"
#include "squared_error_loss.hpp"

namespace mlpack {

/**
 * Any of the losses for regression, for programs that choose the loss at run
 * time.
 *
 * @code
 * GBNNRegressor<arma::mat, RegressionLoss> model;
 * model.Loss() = QuantileLoss({ 0.1, 0.5, 0.9 });
 * @endcode
 *
 * The default is SquaredErrorLoss, which documents the members.
 */
class RegressionLoss
{
 public:
  //! The losses, in the order of Names().
  using LossType = std::variant<SquaredErrorLoss, AbsoluteLoss, HuberErrorLoss,
      QuantileLoss, PoissonLoss>;

  RegressionLoss() { }
  //! Any of the losses.
  template<typename OneLossType,
           typename = std::enable_if_t<
               std::is_constructible_v<LossType, OneLossType>>>
  RegressionLoss(const OneLossType& loss) : loss(loss) { }

  //! The names of the losses.
  static const std::vector<std::string>& Names()
  {
    static const std::vector<std::string> names = { "squared", "absolute",
        "huber", "quantile", "poisson" };
    return names;
  }

  //! The name of this loss.
  const std::string& Name() const { return Names()[loss.index()]; }

  //! This loss if it is of the given type, else nullptr.
  template<typename OneLossType>
  const OneLossType* As() const { return std::get_if<OneLossType>(&loss); }

  template<typename MatType, typename RowType>
  void Prepare(const MatType& responses, const RowType& weights)
  {
    std::visit([&](auto& l) { l.Prepare(responses, weights); }, loss);
  }

  template<typename MatType>
  void Encode(const MatType& responses, MatType& targets) const
  {
    std::visit([&](const auto& l) { l.Encode(responses, targets); }, loss);
  }

  size_t NumResponses(const size_t outputs) const
  {
    return std::visit([&](const auto& l) { return l.NumResponses(outputs); },
        loss);
  }

  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Start(const MatType& targets,
                                               const RowType& weights) const
  {
    return std::visit([&](const auto& l) { return l.Start(targets, weights); },
        loss);
  }

  template<typename MatType>
  void Residuals(const MatType& targets,
                 const MatType& scores,
                 MatType& residuals) const
  {
    std::visit([&](const auto& l) { l.Residuals(targets, scores, residuals); },
        loss);
  }

  template<typename MatType, typename RowType>
  arma::Col<typename MatType::elem_type> Step(const MatType& targets,
                                              const MatType& scores,
                                              const MatType& residuals,
                                              const MatType& h,
                                              const RowType& weights) const
  {
    return std::visit([&](const auto& l)
        { return l.Step(targets, scores, residuals, h, weights); }, loss);
  }

  template<typename MatType>
  void Link(MatType& scores) const
  {
    std::visit([&](const auto& l) { l.Link(scores); }, loss);
  }

  template<typename MatType, typename RowType>
  double Value(const MatType& targets,
               const MatType& scores,
               const RowType& weights) const
  {
    return std::visit([&](const auto& l)
        { return l.Value(targets, scores, weights); }, loss);
  }

  template<typename MatType, typename RowType>
  double ScoreScale(const MatType& targets, const RowType& weights) const
  {
    return std::visit([&](const auto& l)
        { return l.ScoreScale(targets, weights); }, loss);
  }

  template<typename MatType>
  double ResidualScale(const MatType& targets) const
  {
    return std::visit([&](const auto& l) { return l.ResidualScale(targets); },
        loss);
  }

  gbnn::OutputLayer Output() const
  {
    return std::visit([](const auto& l) { return l.Output(); }, loss);
  }
  double OutputScale() const
  {
    return std::visit([](const auto& l) { return l.OutputScale(); }, loss);
  }

  std::string ErrorName() const
  {
    return std::visit([](const auto& l) { return l.ErrorName(); }, loss);
  }
  double Error(const double response,
               const double prediction,
               const size_t output) const
  {
    return std::visit([&](const auto& l)
        { return l.Error(response, prediction, output); }, loss);
  }
  double TotalError(const double mean) const
  {
    return std::visit([&](const auto& l) { return l.TotalError(mean); }, loss);
  }

  //! Serialize the loss.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version)
  {
    gbnn::RequireVersion("RegressionLoss", version, 1);
    std::string name = Name();
    ar(CEREAL_NVP(name));
    if (cereal::is_loading<Archive>())
      Choose(name);
    std::visit([&](auto& l) { ar(cereal::make_nvp("loss", l)); }, loss);
  }

 private:
  //! Become the loss of the given name.
  void Choose(const std::string& name)
  {
    const auto place = std::find(Names().begin(), Names().end(), name);
    switch (place - Names().begin())
    {
      case 0: loss = SquaredErrorLoss(); return;
      case 1: loss = AbsoluteLoss(); return;
      case 2: loss = HuberErrorLoss(); return;
      case 3: loss = QuantileLoss(); return;
      case 4: loss = PoissonLoss(); return;
    }
    throw std::runtime_error("RegressionLoss::serialize(): there is no loss '" +
        name + "'");
  }

  LossType loss;
};

} // namespace mlpack

CEREAL_CLASS_VERSION(mlpack::RegressionLoss, 1);

#endif
