# The models for MLJ:  julia mlj.jl <folder of packages>
#
# With MLJModelInterface itself where it is installed, else with a stand-in for
# it, which shows that what it would call works, and no more.

using Test

push!(LOAD_PATH, ARGS[1])
if Base.find_package("MLJModelInterface") === nothing
    println("MLJModelInterface is not installed: testing with a stand-in")
    push!(LOAD_PATH, joinpath(@__DIR__, "stand_in"))
end

using MlpackGBNN
@testset "without MLJ" begin
    @test_throws ErrorException GBNNClassifier()
end

import MLJModelInterface
const MMI = MLJModelInterface

# MLJBase makes distributions of these.
MMI.UnivariateFinite(::MMI.LightInterface, support::AbstractVector, probs;
                     pool) = (support = support, probs = probs, pool = pool)

const X = (a = [sin(i) for i in 1:120], b = [cos(7i) for i in 1:120],
           c = [isodd(i) ? "odd" : "even" for i in 1:120])
const amount = X.a .* X.b .+ isodd.(1:120)
const class = [x > 0.5 ? "large" : "small" for x in amount]

@testset "hyperparameters" begin
    model = GBNNClassifier(hidden_units = 20, seed = 1)
    @test model isa MMI.Probabilistic
    @test model.hidden_units == 20
    @test model.learning_rate == 0.1
    @test model.class_weights == ""
    model.learning_rate = 0.5
    @test model.learning_rate == 0.5
    @test !hasproperty(model, :loss)
    @test !hasproperty(model, :report)
    @test GBNNRegressor() isa MMI.Deterministic
    @test GBNNRegressor(loss = "huber").loss == "huber"
    @test GBNNRegressor().hidden_units == 0
    @test_throws MethodError GBNNClassifier(hiden_units = 3)
    T = typeof(model)
    @test MMI.supports_weights(T)
    @test MMI.package_name(T) == "MlpackGBNN"
    @test MMI.reports_feature_importances(T)
end

@testset "classification" begin
    model = GBNNClassifier(hidden_units = 20, seed = 1)
    fitresult, cache, report = MMI.fit(model, 0, X, class)
    own = gbnn(training = X, labels = class, test = X, hidden_units = 20,
               seed = 1)
    made = MMI.predict(model, fitresult, X)
    @test made.support == ["large", "small"]
    @test made.probs == own.probabilities
    @test made.pool === missing
    @test size(report.training_losses, 1) > 5
    # Columns in another order.
    turned = (c = X.c, b = X.b, a = X.a)
    @test MMI.predict(model, fitresult, turned).probs == own.probabilities
    weighted, = MMI.fit(model, 0, X, class, [x > 0 ? 2.0 : 1.0 for x in X.a])
    @test MMI.predict(model, weighted, X).probs != own.probabilities
    @test MMI.fitted_params(model, fitresult).model isa GBNNModel
    # Numbers and truth values come back as they are.
    for y in (class .== "large", Int.(class .== "large") .* 3)
        fitresult, = MMI.fit(model, 0, X, y)
        made = MMI.predict(model, fitresult, X)
        @test made.support == sort(unique(y))
        @test eltype(made.support) == eltype(y)
        best = [made.support[argmax(made.probs[i, :])] for i in 1:120]
        @test sum(best .== y) > 105
    end
end

@testset "regression" begin
    model = GBNNRegressor(hidden_units = 30, seed = 1)
    fitresult, _, report = MMI.fit(model, 0, X, amount)
    values = MMI.predict(model, fitresult, X)
    @test values isa Vector{Float64}
    @test sum(abs2, values .- amount) < 0.2sum(abs2, amount)
    @test all(iszero ∘ last, MMI.feature_importances(model, fitresult, report))
    model.importance = true
    fitresult, _, report = MMI.fit(model, 0, X, amount)
    found = MMI.feature_importances(model, fitresult, report)
    @test first.(found) == [:a, :b, :c]
    @test all(last.(found) .> 0)
    # Several responses, and several quantiles.
    fitresult, = MMI.fit(model, 0, X, (up = amount, down = -amount))
    both = MMI.predict(model, fitresult, X)
    @test keys(both) == (:up, :down)
    ends = GBNNRegressor(hidden_units = 9, seed = 1, loss = "quantile",
                         quantiles = "0.1,0.9")
    fitresult, = MMI.fit(ends, 0, X, amount)
    @test keys(MMI.predict(ends, fitresult, X)) ==
        (Symbol("quantile_0.1"), Symbol("quantile_0.9"))
end
