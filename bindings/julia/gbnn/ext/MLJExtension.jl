# The models for MLJ: what MLJModelInterface asks of a model, done by gbnn().

module MLJExtension

if VERSION < v"1.9"
    const MLJModelInterface = parentmodule(@__MODULE__).MLJModelInterface
else
    import MLJModelInterface
end
const MMI = MLJModelInterface
using MlpackGBNN: MlpackGBNN, FOR_CLASSES, FOR_RESPONSES, as_table, gbnn,
    mlj_models, mlj_parameters, unwrapped

# --- Types -----------------------------------------------------------------

"Define a type with a field for each hyperparameter, and its constructor."
function define(name, kind, parameters)
    fields = [:($(p.spelling)::$(typeof(p.default))) for p in parameters]
    keywords = [Expr(:kw, p.spelling, p.default) for p in parameters]
    names = [p.spelling for p in parameters]
    @eval begin
        mutable struct $name <: $kind
            $(fields...)
        end
        $name(; $(keywords...)) = $name($(names...))
    end
end

const CLASSIFIER_PARAMETERS = mlj_parameters(FOR_RESPONSES)
const REGRESSOR_PARAMETERS = mlj_parameters(FOR_CLASSES)
define(:GBNNClassifier, MMI.Probabilistic, CLASSIFIER_PARAMETERS)
define(:GBNNRegressor, MMI.Deterministic, REGRESSOR_PARAMETERS)
const GBNN = Union{GBNNClassifier, GBNNRegressor}

parameters(::GBNNClassifier) = CLASSIFIER_PARAMETERS
parameters(::GBNNRegressor) = REGRESSOR_PARAMETERS

"The hyperparameters that are not the defaults: gbnn() asks what was given."
options(model) = Pair{Symbol, Any}[
    p.spelling => getproperty(model, p.spelling) for p in parameters(model)
    if getproperty(model, p.spelling) != p.default]

# --- Training --------------------------------------------------------------

"Train, and tell what MLJ's reports have."
function train(model, verbosity, X, w; truth...)
    result = gbnn(; training = X, weights = w, verbose = verbosity > 1,
                  truth..., options(model)...)
    table = as_table(X)
    names = table === nothing ? ["x$i" for i in 1:size(X, 2)] : table.names
    importances = isempty(result.importances) ? zeros(length(names)) :
        result.importances[:, 1]
    result, (training_losses = result.training_losses,
             feature_importances = Symbol.(names) .=> importances)
end

function MMI.fit(model::GBNNClassifier, verbosity, X, y, w = nothing)
    result, report = train(model, verbosity, X, w; labels = y)
    classes = unique(map(unwrapped, y))
    if isempty(result.label_names)
        classes = sort(classes)
    else
        known = Dict(string(class) => class for class in classes)
        classes = [known[word] for word in result.label_names]
    end
    # A categorical vector may have levels that do not occur.
    pool = unwrapped(first(y)) === first(y) ? missing : y[1:1]
    fitresult = (model = result.output_model, classes = classes, pool = pool)
    fitresult, nothing, report
end

function MMI.fit(model::GBNNRegressor, verbosity, X, y, w = nothing)
    table = as_table(y)
    result, report = train(model, verbosity, X, w; responses = y)
    fitresult = (model = result.output_model,
                 names = table === nothing ? nothing : Symbol.(table.names))
    fitresult, nothing, report
end

# --- Predictions -----------------------------------------------------------

"Columns are found by their names."
predicted(fitresult, X) = gbnn(input_model = fitresult.model, test = X)

MMI.predict(::GBNNClassifier, fitresult, X) = MMI.UnivariateFinite(
    fitresult.classes, predicted(fitresult, X).probabilities,
    pool = fitresult.pool)

function MMI.predict(model::GBNNRegressor, fitresult, X)
    values = predicted(fitresult, X).output_predictions
    names = fitresult.names
    if names === nothing
        size(values, 2) == 1 && return vec(values)
        names = [Symbol("quantile_", strip(q))
                 for q in split(model.quantiles, ',')]
    end
    (; zip(names, eachcol(values))...)
end

MMI.fitted_params(::GBNN, fitresult) = (model = fitresult.model,)

MMI.feature_importances(::GBNN, fitresult, report) = report.feature_importances

# --- What MLJ wants to know ------------------------------------------------

MMI.metadata_pkg.((GBNNClassifier, GBNNRegressor), package_name = "MlpackGBNN",
    package_uuid = string(Base.PkgId(MlpackGBNN).uuid),
    package_url = "unknown", is_pure_julia = false,
    package_license = "BSD-3-Clause", is_wrapper = false)

const CELLS = (Union{Missing, MMI.Continuous}, Union{Missing, MMI.Count},
               Union{Missing, MMI.Finite}, Union{Missing, MMI.Textual})

MMI.metadata_model(GBNNClassifier, input_scitype = MMI.Table(CELLS...),
    target_scitype = AbstractVector{<:MMI.Finite}, supports_weights = true,
    human_name = "gradient boosted neural network classifier",
    load_path = "MlpackGBNN.GBNNClassifier")
MMI.metadata_model(GBNNRegressor, input_scitype = MMI.Table(CELLS...),
    target_scitype = Union{AbstractVector{<:MMI.Continuous},
                           AbstractVector{<:MMI.Count},
                           MMI.Table(MMI.Continuous, MMI.Count)},
    supports_weights = true,
    human_name = "gradient boosted neural network regressor",
    load_path = "MlpackGBNN.GBNNRegressor")
MMI.reports_feature_importances(::Type{<:GBNN}) = true

function __init__()
    mlj_models[:GBNNClassifier] = GBNNClassifier
    mlj_models[:GBNNRegressor] = GBNNRegressor
end

end
