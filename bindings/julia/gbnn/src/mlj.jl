# The models for MLJ.  They are types of its own, so they exist as soon as
# MLJModelInterface is loaded, which MLJ does: ext/MLJExtension.jl defines them.
# Julia 1.9 and newer loads that file itself.

export GBNNClassifier, GBNNRegressor

const MLJ_INTERFACE = Base.PkgId(
    Base.UUID("e80e1ace-859a-464e-9ed9-23947d8ae3ea"), "MLJModelInterface")

"The types of the models by their names, if they exist."
const mlj_models = Dict{Symbol, Any}()

function mlj_model(name, options)
    haskey(mlj_models, name) || error(
        "$name() is a model for MLJ: load MLJ, or MLJModelInterface, first; ",
        "without it there is gbnn()")
    Base.invokelatest(mlj_models[name]; options...)
end

"""
    GBNNClassifier(; hyperparameters...)

A classifier for MLJ, which must be loaded: a gradient boosted neural network
that predicts probabilities.  The hyperparameters are those of [`gbnn`](@ref)
that shape the model, with the same defaults.  Columns may be numbers or
categories, and cells may be missing.

With `importance = true`, `feature_importances()` has the importances of the
columns.
"""
GBNNClassifier(; options...) = mlj_model(:GBNNClassifier, options)

"""
    GBNNRegressor(; hyperparameters...)

A regressor for MLJ, which must be loaded; see [`GBNNClassifier`](@ref).  The
target may be a vector, or a table with several columns.  `loss` and `quantiles`
are hyperparameters, too; several quantiles are predicted as a table.
"""
GBNNRegressor(; options...) = mlj_model(:GBNNRegressor, options)

# What is no hyperparameter: the rest of what gbnn() does.
const NOT_FOR_MLJ = (:target, :task, :dependence, :gradients, :report, :export_,
                     :latency, :early_exit, :warm_start, :cv, :holdout, :tune,
                     :folds, :tune_learning_rates, :tune_subsamples, :checkpoint,
                     :verbose)
const FOR_RESPONSES = (:loss, :quantiles, :non_crossing, :huber_delta)
const FOR_CLASSES = (:class_weights,)

"The hyperparameters of a model for MLJ, without those of the other kind."
mlj_parameters(others) = filter(gbnn_parameters) do p
    p.input && p.kind in (:flag, :int, :double, :string) &&
        !(p.spelling in NOT_FOR_MLJ) && !(p.spelling in others)
end

# Older versions than 1.9 know no extensions; there the file is loaded here, now
# or when MLJModelInterface is.
if VERSION < v"1.9"
    function load_extension()
        # While another package is compiled nothing can be added; its users
        # come here again.
        compiling = ccall(:jl_generating_output, Cint, ()) == 1
        (compiling || !isempty(mlj_models)) && return
        @eval const MLJModelInterface = Base.root_module(MLJ_INTERFACE)
        include(joinpath(dirname(@__DIR__), "ext", "MLJExtension.jl"))
    end

    function watch_for_mlj()
        Base.root_module_exists(MLJ_INTERFACE) && return load_extension()
        push!(Base.package_callbacks,
              id -> id == MLJ_INTERFACE && load_extension())
    end
else
    watch_for_mlj() = nothing
end

push!(at_init, watch_for_mlj)
