"""
A stand-in for the package of this name, with what the extension of MlpackGBNN
uses and no more, for tests where the package itself is not installed.
"""
module MLJModelInterface

abstract type Model end
abstract type Supervised <: Model end
abstract type Probabilistic <: Supervised end
abstract type Deterministic <: Supervised end

function fit end
function predict end
function fitted_params end
function feature_importances end

# Scientific types.
abstract type Continuous end
abstract type Count end
abstract type Finite end
abstract type Textual end
struct Table{K} end
Table(cells...) = Table{<:Union{(AbstractVector{<:T} for T in cells)...}}

# Traits: here just kept.
const traits = Dict{Any, Dict{Symbol, Any}}()
keep(T, values) = merge!(get!(Dict{Symbol, Any}, traits, T), Dict(values))
metadata_pkg(T; values...) = keep(T, values)
metadata_model(T; values...) = keep(T, values)
reports_feature_importances(::Type) = false
supports_weights(T::Type) = traits[T][:supports_weights]
package_name(T::Type) = traits[T][:package_name]

# Distributions are made by MLJBase, if that is loaded.
struct LightInterface end
UnivariateFinite(support::AbstractVector, probs; options...) =
    UnivariateFinite(LightInterface(), support, probs; options...)
UnivariateFinite(::LightInterface, arguments...; options...) =
    error("only MLJModelInterface is loaded")

end
