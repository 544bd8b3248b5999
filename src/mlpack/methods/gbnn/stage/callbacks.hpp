/**
 * @file methods/gbnn/stage/callbacks.hpp
 *
 * How ensmallen's callbacks see the training of a GBNN.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_CALLBACKS_HPP
#define MLPACK_METHODS_GBNN_STAGE_CALLBACKS_HPP

#include <atomic>

#include <ensmallen.hpp>
#include <mlpack/core/util/ens_traits.hpp>
#include <mlpack/prereqs.hpp>

#include "stage_function.hpp"

namespace mlpack {
namespace gbnn {

//! Whether several threads may call a callback at once: it must have a member
//! `AnyThread` that is true.
template<typename CallbackType, typename = void>
constexpr bool IsForAnyThread = false;

template<typename CallbackType>
constexpr bool IsForAnyThread<CallbackType, std::void_t<decltype(
    CallbackType::AnyThread)>> = CallbackType::AnyThread;

//! Whether a callback answers the same on all ranks: it must have a member
//! `IsJoint` that is true.
template<typename CallbackType, typename = void>
constexpr bool IsJointCallback = false;

template<typename CallbackType>
constexpr bool IsJointCallback<CallbackType, std::void_t<decltype(
    CallbackType::IsJoint)>> = CallbackType::IsJoint;

//! What the members of a callback return.
template<typename CallbackType, typename... Types>
using EvaluateAnswer = decltype(std::declval<CallbackType&>().Evaluate(
    std::declval<Types>()...));
template<typename CallbackType, typename... Types>
using GradientAnswer = decltype(std::declval<CallbackType&>().Gradient(
    std::declval<Types>()...));
template<typename CallbackType, typename... Types>
using StepTakenAnswer = decltype(std::declval<CallbackType&>().StepTaken(
    std::declval<Types>()...));

template<template<typename...> class AnswerType, typename, typename... Types>
struct IsBoolAnswer : public std::false_type { };

template<template<typename...> class AnswerType, typename... Types>
struct IsBoolAnswer<AnswerType, std::void_t<AnswerType<Types...>>, Types...> :
    public std::is_same<AnswerType<Types...>, bool> { };

//! Whether a callback can ask to stop on one rank and not on others, when it is
//! called with these types.
template<template<typename...> class AnswerType,
         typename CallbackType,
         typename... Types>
constexpr bool MayAskAlone = !IsJointCallback<CallbackType> && IsBoolAnswer<
    AnswerType, void, std::remove_const_t<CallbackType>, Types...>::value;

/**
 * Boosting is the optimization that a user's callbacks see, and a stage is its
 * epoch.  So the optimizer of a stage reports its evaluations and steps to them
 * through this callback, but not the beginning, epochs and end of its own run:
 * a callback such as `ens::EarlyStopAtMinLoss` or `ens::TimerStop` decides on
 * the boosting, not on a single stage.
 */
template<typename... CallbackTypes>
class StageCallbacks
{
 public:
  //! Whether there are any callbacks at all.
  static constexpr bool Any = (sizeof...(CallbackTypes) > 0);
  //! Whether several threads may call all of them at once.
  static constexpr bool AnyThread = (IsForAnyThread<CallbackTypes> && ...);

  //! Either all ranks are asked to stop, or none.
  static constexpr bool IsJoint = true;

  StageCallbacks(CallbackTypes&... callbacks) : callbacks(callbacks...) { }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool Evaluate(OptimizerType& optimizer,
                FunctionType& function,
                const MatType& coordinates,
                const double objective)
  {
    constexpr bool asks = (MayAskAlone<EvaluateAnswer, CallbackTypes,
        OptimizerType&, FunctionType&, const MatType&, double> || ...);
    return Note<asks>([&](auto&... c)
        {
          return ens::Callback::Evaluate(optimizer, function, coordinates,
              objective, c...);
        });
  }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool Gradient(OptimizerType& optimizer,
                FunctionType& function,
                const MatType& coordinates,
                MatType& gradient)
  {
    constexpr bool asks = (MayAskAlone<GradientAnswer, CallbackTypes,
        OptimizerType&, FunctionType&, const MatType&, MatType&> || ...);
    return Note<asks>([&](auto&... c)
        {
          return ens::Callback::Gradient(optimizer, function, coordinates,
              gradient, c...);
        });
  }

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool StepTaken(OptimizerType& optimizer,
                 FunctionType& function,
                 MatType& coordinates)
  {
    constexpr bool asks = (MayAskAlone<StepTakenAnswer, CallbackTypes,
        OptimizerType&, FunctionType&, MatType&> || ...);
    return Note<asks>([&](auto&... c)
        {
          return ens::Callback::StepTaken(optimizer, function, coordinates,
              c...);
        });
  }

  //! Whether a callback has asked to stop.
  bool Stopped() const { return stopped; }

 private:
  //! Call all callbacks, and remember whether one asks to stop.
  //! @tparam asks Whether one can, on this rank and not on others.
  template<bool asks, typename CallType>
  bool Note(const CallType& call)
  {
    bool stop = std::apply(call, callbacks);
    // All ranks stop, or none.
    if (asks && CurrentCut())
      stop = AnyRank(CurrentCut()->Communicator(), stop);
    if (stop)
      stopped = true;
    return stop;
  }

  std::tuple<CallbackTypes&...> callbacks;
  std::atomic<bool> stopped = false;
};

//! Whether a function has an Objective(), which turns the value that is
//! minimized into the objective it stands for; see RefineCoordinates.
template<typename FunctionType, typename = void>
constexpr bool HasObjective = false;

template<typename FunctionType>
constexpr bool HasObjective<FunctionType, std::void_t<decltype(
    std::declval<FunctionType&>().Objective(0.0))>> = true;

/**
 * Refinement is the optimization that a user's callbacks see, from the boosting
 * of the first trial to the last step on all points.  Once one of them has
 * asked to stop, boosting ends with the current stage, and so does the
 * refinement.
 *
 * @tparam MatType Type of matrix of the model.  Other types are converted, so
 *     that callbacks see only this one.
 * @tparam CallbackTypes Types of the callbacks.
 */
template<typename MatType, typename... CallbackTypes>
class RefineCallbacks : public StageCallbacks<CallbackTypes...>
{
 public:
  using StageCallbacks<CallbackTypes...>::StageCallbacks;

  template<typename OptimizerType, typename FunctionType, typename AnyMatType>
  bool Evaluate(OptimizerType& optimizer,
                FunctionType& function,
                const AnyMatType& coordinates,
                const double value)
  {
    double objective = value;
    if constexpr (HasObjective<FunctionType>)
      objective = function.Objective(value);
    return Converted(coordinates, [&](const MatType& c)
    {
      return Base::Evaluate(optimizer, function, c, objective);
    });
  }

  //! The gradient is that of the value that is minimized.
  template<typename OptimizerType, typename FunctionType, typename AnyMatType>
  bool Gradient(OptimizerType& optimizer,
                FunctionType& function,
                const AnyMatType& coordinates,
                AnyMatType& gradient)
  {
    return Converted(coordinates, [&](const MatType& c)
    {
      return Converted(gradient, [&](MatType& g)
      {
        return Base::Gradient(optimizer, function, c, g);
      });
    });
  }

  template<typename OptimizerType, typename FunctionType, typename AnyMatType>
  bool StepTaken(OptimizerType& optimizer,
                 FunctionType& function,
                 AnyMatType& coordinates)
  {
    return Converted(coordinates, [&](MatType& c)
    {
      return Base::StepTaken(optimizer, function, c);
    });
  }

  template<typename OptimizerType, typename FunctionType, typename AnyMatType>
  bool EndEpoch(OptimizerType&, FunctionType&, const AnyMatType&, const size_t,
                const double)
  {
    return this->Stopped();
  }

 private:
  using Base = StageCallbacks<CallbackTypes...>;

  //! Call with a matrix of the model's type, and keep its changes.
  template<typename AnyMatType, typename CallType>
  static bool Converted(AnyMatType& matrix, const CallType& call)
  {
    using Type = std::remove_const_t<AnyMatType>;
    if constexpr (!Base::Any)
      return false;
    else if constexpr (std::is_same_v<Type, MatType>)
      return call(matrix);
    else
    {
      MatType copy = arma::conv_to<MatType>::from(matrix);
      const bool stop = call(copy);
      if constexpr (!std::is_const_v<AnyMatType>)
        matrix = arma::conv_to<Type>::from(copy);
      return stop;
    }
  }
};

//! Whether a type is an ensmallen optimizer for stages.
template<typename T, typename MatType>
constexpr bool IsOptimizer = IsEnsOptimizer<
    std::remove_cv_t<std::remove_reference_t<T>>, StageFunction<MatType>,
    MatType>::value;

//! Whether a type may be a callback: a class, but neither data nor optimizer.
template<typename T, typename MatType>
constexpr bool IsCallback =
    std::is_class_v<std::remove_cv_t<std::remove_reference_t<T>>> &&
    !arma::is_arma_type<std::remove_cv_t<std::remove_reference_t<T>>>::value &&
    !IsOptimizer<T, MatType>;

} // namespace gbnn
} // namespace mlpack

#endif
