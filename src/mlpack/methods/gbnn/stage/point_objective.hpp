/**
 * @file methods/gbnn/stage/point_objective.hpp
 *
 * What the objectives of a stage and of the refinement have in common.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_STAGE_POINT_OBJECTIVE_HPP
#define MLPACK_METHODS_GBNN_STAGE_POINT_OBJECTIVE_HPP

#include <mlpack/prereqs.hpp>

#include "../network/activation.hpp"
#include "../compute/hidden_sums.hpp"
#include "../compute/point_blocks.hpp"
#include "../compute/random.hpp"

namespace mlpack {
namespace gbnn {

/**
 * The members that ensmallen's full-batch optimizers ask of a function, and
 * those of a differentiable separable one for SGD-like optimizers, made of
 *
 *   ElemType Compute(parameters, gradient) const;
 *   ElemType Compute(parameters, gradient, begin, batchSize) const;
 *
 * which return the value and, unless it is nullptr, compute the gradient.  The
 * second is for `batchSize` points from `begin` on, in the current order.  As
 * ensmallen expects, it is a sum over points, not a mean.
 *
 * @tparam FunctionType The function, which inherits from this class.
 * @tparam MatType Type of matrix of its parameters.
 */
template<typename FunctionType, typename MatType>
class EnsFunction
{
 public:
  using ElemType = typename MatType::elem_type;

  ElemType Evaluate(const MatType& parameters) const
  {
    return Self().Compute(parameters, nullptr);
  }

  void Gradient(const MatType& parameters, MatType& gradient) const
  {
    Self().Compute(parameters, &gradient);
  }

  ElemType EvaluateWithGradient(const MatType& parameters,
                                MatType& gradient) const
  {
    return Self().Compute(parameters, &gradient);
  }

  ElemType Evaluate(const MatType& parameters,
                    const size_t begin,
                    const size_t batchSize) const
  {
    return Self().Compute(parameters, nullptr, begin, batchSize);
  }

  void Gradient(const MatType& parameters,
                const size_t begin,
                MatType& gradient,
                const size_t batchSize) const
  {
    Self().Compute(parameters, &gradient, begin, batchSize);
  }

  ElemType EvaluateWithGradient(const MatType& parameters,
                                const size_t begin,
                                MatType& gradient,
                                const size_t batchSize) const
  {
    return Self().Compute(parameters, &gradient, begin, batchSize);
  }

 private:
  const FunctionType& Self() const
  {
    return static_cast<const FunctionType&>(*this);
  }
};

/**
 * Sums over points, and their gradients, of networks with one hidden layer.
 * Points are visited in blocks.  Pieces of them are visited in parallel, and
 * what each adds is added up in the same order for any number of threads and
 * ranks.  Batches of points are visited in an order of their own.
 *
 * Parameters are W1, b1, W2 (K x H, a unit a column) and the output biases.
 *
 * @tparam ObjectiveType The objective, which inherits from this class.  It has
 *     a type of Workspace, constructed from the objective; blocks with
 *     `GetBlock(b, scratch)` and, of any points, `BlockOf(columns, count,
 *     scratch)`; and `AddBlock(weights, block, workspace, gradient)`, which
 *     adds the gradient of a block unless it is nullptr, and returns its value.
 * @tparam MatType Type of matrix (`arma::mat` or `arma::fmat`).
 * @tparam RealType Type of number that units are computed in.
 */
template<typename ObjectiveType, typename MatType,
         typename RealType = typename MatType::elem_type>
class PointObjective
{
 public:
  using ElemType = typename MatType::elem_type;
  using RowType = arma::Row<ElemType>;

  //! Number of points that the sum runs over, of this rank.
  size_t NumFunctions() const { return order.n_elem; }

  //! Visit the points in another order from now on.
  void Shuffle()
  {
    for (size_t i = order.n_elem; i > 1; --i)
      std::swap(order[i - 1], order[random.Below(i)]);
  }

  //! Sum of the weights of the points, or their number.
  double TotalWeight() const { return totalWeight; }

  //! Elements of scratch memory that a block may use.
  size_t ScratchSize() const { return pointBlocks.ScratchSize(); }

 protected:
  //! The memory that one block needs, and what one piece of the points adds.
  struct Workspace
  {
    //! @param rows Numbers that a point needs in addition.
    Workspace(const ObjectiveType& objective, const size_t rows = 0)
    {
      const PointObjective& f = objective;
      const size_t size = f.pointBlocks.BlockSize();
      const size_t scratchSize = objective.ScratchSize();
      memory.set_size(scratchSize + (2 * f.units + f.outputs + rows) * size);
      scratch = memory.memptr();
      hidden = { scratch + scratchSize, f.units };
      hiddenDelta = { hidden.values + f.units * size, f.units };
      output = { hiddenDelta.values + f.units * size, f.outputs };
    }
    virtual ~Workspace() { }

    arma::Col<RealType> memory;
    RealType* scratch;
    //! Activations, and the derivative with respect to a unit's input.
    Strips<RealType> hidden, hiddenDelta;
    //! Outputs, or their errors.
    Strips<RealType> output;
    arma::Col<ElemType> gradient;
    HiddenGradient<RealType, ElemType> hiddenGradient;
    double sum;
  };

  //! Parameters as the kernels take them.
  struct UnitWeights
  {
    UnitWeights() { }
    UnitWeights(const PointObjective& f, const MatType& parameters)
    {
      Set(f, parameters);
    }

    void Set(const PointObjective& f, const MatType& parameters)
    {
      const ElemType* p = parameters.memptr();
      biases = p + f.layout.b2;
      units.set_size(f.layout.b2);
      f.pointBlocks.Frame().ToFrame(p, p + f.layout.b1, f.units,
          units.memptr(), units.memptr() + f.layout.b1);
      std::copy(p + f.layout.w2, biases, units.memptr() + f.layout.w2);
      SetSums(f);
    }

    //! Take over changes of the units.
    void SetSums(const PointObjective& f)
    {
      sums.Set(f.inputPieces, f.HiddenWeights<const RealType>(units.memptr()),
          units.memptr() + f.layout.b1, 0, f.units);
    }

    //! W1, b1 and W2.
    arma::Col<RealType> units;
    HiddenSums<RealType> sums;
    //! The output biases.
    const ElemType* biases;
  };

  /**
   * Everything given by reference must outlive the objective.
   *
   * @param data Points, one a column.
   * @param weights Weights of the points; empty if all weigh the same.
   * @param points Columns to train on; nullptr for all.
   * @param inputPieces What the inputs are.
   * @param units Number of hidden units.
   * @param outputs Number of outputs.
   * @param activation Activation function of the hidden units.
   * @param isUnitByUnit Whether a column of W1 is a unit, else a row.
   * @param blockNumbers Numbers of a point that are in use at the same time.
   * @param minBlocks Blocks that a piece should have.
   * @param random Decides the order of points after a Shuffle().
   */
  PointObjective(const MatType& data,
                 const RowType& weights,
                 const arma::uvec* points,
                 const InputPieces& inputPieces,
                 const size_t units,
                 const size_t outputs,
                 const GBNNActivation activation,
                 const bool isUnitByUnit,
                 const size_t blockNumbers,
                 const size_t minBlocks,
                 const Random& random) :
      data(data),
      weights(weights),
      points(points),
      inputPieces(inputPieces),
      inputs(inputPieces.Inputs(data.n_rows)),
      units(units),
      outputs(outputs),
      activation(activation),
      isUnitByUnit(isUnitByUnit),
      cut(PointCut::Of(data.n_cols).Subset(points)),
      pointBlocks(data, points, BlockSize<RealType>(blockNumbers),
          inputPieces.IsLinear() ?
              InputFrame<MatType, RealType>(data, points, cut) :
              InputFrame<MatType, RealType>(inputs), inputPieces, &cut),
      random(random),
      // Two operations for each product, forward and back.
      pieces(cut, pointBlocks.CellBlocks(), pointBlocks.TotalBlocks(cut), 4 *
          units * (inputPieces.BlockRows(data.n_rows) + outputs +
          RoughActivationCost) * pointBlocks.BlockSize(), std::min(1 +
          pointBlocks.TotalBlocks(cut) / minBlocks, inputPieces.MaxParts(
          cut.TotalPoints()))),
      workspaces(pieces.Count())
  {
    layout.b1 = units * inputs;
    layout.w2 = layout.b1 + units;
    layout.b2 = layout.w2 + outputs * units;
    if (points)
      order = *points;
    else if (data.n_cols > 0)
      order = arma::regspace<arma::uvec>(0, data.n_cols - 1);
    totalWeight = cut.TotalWeight(weights, order);
  }

  //! W1 of some parameters, with which they begin.
  template<typename T>
  WeightView<T> HiddenWeights(T* parameters) const
  {
    return { parameters, isUnitByUnit ? inputs : 1, isUnitByUnit ? 1 : units };
  }

  //! The memory of a piece, made when it is first asked for and then kept, so
  //! that an evaluation allocates little.
  auto& GetWorkspace(const size_t piece) const
  {
    using WorkspaceType = typename ObjectiveType::Workspace;
    if (!workspaces[piece])
      workspaces[piece] = std::make_unique<WorkspaceType>(Self());
    return static_cast<WorkspaceType&>(*workspaces[piece]);
  }

  //! The activations of all units for some points, as PointBlocks::Block()
  //! makes them.
  void ActivateUnits(const UnitWeights& current,
                     const Strips<const RealType> block,
                     const size_t count,
                     const Strips<RealType> hidden) const
  {
    const size_t strips = NumStrips<RealType>(count);
    current.sums.Compute(inputPieces, block, HiddenWeights<const RealType>(
        current.units.memptr()), current.units.memptr() + layout.b1, 0, hidden,
        strips);
    Activate(activation, hidden.values, units * strips * StripSize<RealType>);
  }

  //! The gradient of W1 and b1, from the derivative with respect to the
  //! activations, in `hiddenDelta`.
  template<typename BlockType>
  void AddHiddenGradient(const BlockType& block,
                         Workspace& workspace,
                         ElemType* gradient) const
  {
    const size_t strips = NumStrips<RealType>(block.count);
    const Strips<RealType> delta = workspace.hiddenDelta;
    MultiplySlope(activation, delta.values, workspace.hidden.values,
        units * strips * StripSize<RealType>);
    workspace.hiddenGradient.Add(inputPieces, delta, block.points,
        HiddenWeights(gradient), strips);
    AddRowSums<RealType>(delta, gradient + layout.b1, strips);
    workspace.hiddenGradient.EndBlock(block.count);
  }

  //! The sum over all points of all ranks; its gradient, unless it is nullptr.
  double Sum(const MatType& parameters,
             const UnitWeights& current,
             MatType* gradient) const
  {
    const size_t size = gradient ? parameters.n_elem : 0;
    // Sums by bins are kept elsewhere.
    const size_t firstHere = inputPieces.IsLinear() ? 0 : layout.b1;
    pieces.ForEach([&](const size_t piece, const size_t begin, const size_t end)
    {
      auto& workspace = GetWorkspace(piece);
      workspace.gradient.set_size(size);
      if (gradient)
      {
        std::fill(workspace.gradient.begin() + firstHere,
            workspace.gradient.end(), ElemType(0));
        workspace.hiddenGradient.Clear(inputPieces, units);
      }
      workspace.sum = 0;
      for (size_t b = begin; b < end; ++b)
      {
        workspace.sum += Self().AddBlock(current, Self().GetBlock(b,
            workspace.scratch), workspace,
            gradient ? workspace.gradient.memptr() : nullptr);
      }
    });

    double value = 0;
    const GroupSums values = { 1, [&](const size_t piece)
        { return &workspaces[piece]->sum; }, &value };
    pieces.SumGroups(values);
    if (!gradient)
    {
      pieces.CombineGroups(values);
      return value;
    }
    for (size_t g = 0; g < pieces.Groups(); ++g)
    {
      Workspace& first = *workspaces[pieces.FirstPiece(g)];
      for (size_t piece = pieces.FirstPiece(g) + 1;
          piece < pieces.FirstPiece(g + 1); ++piece)
      {
        for (size_t i = firstHere; i < size; ++i)
          first.gradient[i] += workspaces[piece]->gradient[i];
        first.hiddenGradient.Add(workspaces[piece]->hiddenGradient);
      }
      std::fill_n(first.gradient.begin(), firstHere, ElemType(0));
      first.hiddenGradient.Finish(inputPieces, units,
          HiddenWeights(first.gradient.memptr()));
    }
    gradient->set_size(parameters.n_rows, parameters.n_cols);
    pieces.CombineGroups(values, GroupSums{ size, [&](const size_t piece)
        { return workspaces[piece]->gradient.memptr(); },
        gradient->memptr() });
    return value;
  }

  //! The same over a batch of points, in the current order.
  double Sum(const MatType& parameters,
             const UnitWeights& current,
             MatType* gradient,
             const size_t begin,
             const size_t batchSize) const
  {
    if (cut.Communicator())
    {
      throw std::invalid_argument("GBNN: batches of points cannot be shared by "
          "several ranks yet; use an optimizer that takes all points at once, "
          "such as the default one or L-BFGS");
    }
    if (gradient)
      gradient->zeros(parameters.n_rows, parameters.n_cols);
    typename ObjectiveType::Workspace workspace(Self());
    workspace.hiddenGradient.Clear(inputPieces, units);
    const size_t end = begin + batchSize, blockSize = pointBlocks.BlockSize();
    double value = 0;
    for (size_t first = begin; first < end; first += blockSize)
    {
      value += Self().AddBlock(current, Self().BlockOf(order.memptr() + first,
          std::min(blockSize, end - first), workspace.scratch), workspace,
          gradient ? gradient->memptr() : nullptr);
    }
    if (gradient)
      workspace.hiddenGradient.Finish(inputPieces, units,
          HiddenWeights(gradient->memptr()));
    return value;
  }

  const MatType& data;
  const RowType& weights;
  const arma::uvec* points;
  InputPieces inputPieces;
  size_t inputs, units, outputs;
  GBNNActivation activation;
  bool isUnitByUnit;
  //! Where each part but W1 starts in a parameter vector.
  struct { size_t b1, w2, b2; } layout;

  PointCut cut;
  PointBlocks<MatType, RealType> pointBlocks;
  //! The columns to train on, in the order in which batches take them.
  arma::uvec order;
  Random random;
  double totalWeight;
  CellPieces pieces;

 private:
  const ObjectiveType& Self() const
  {
    return static_cast<const ObjectiveType&>(*this);
  }

  mutable std::vector<std::unique_ptr<Workspace>> workspaces;
};

} // namespace gbnn
} // namespace mlpack

#endif
