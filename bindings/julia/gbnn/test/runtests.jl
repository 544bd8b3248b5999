# gbnn() in Julia.  `Pkg.test("MlpackGBNN")` runs this file.

using MlpackGBNN
using Random
using Serialization
using Test

Random.seed!(1)
const X = randn(200, 3)
const labels = Int.(X[:, 1] .+ X[:, 2] .^ 2 .> 1) .+ 1
const y = X[:, 1] .* X[:, 2] .+ 2X[:, 3]
fit(; options...) =
    gbnn(; hidden_units = 30, learning_rate = 0.3, seed = 1, options...)

@testset "classification" begin
    result = fit(training = X, labels = labels, test = X, test_labels = labels)
    @test sum(result.predictions .== labels) > 190
    @test size(result.probabilities) == (200, 2)
    @test all(sum(result.probabilities, dims = 2) .≈ 1)
    @test size(result.staged_scores) == (31, 2)
    @test occursin("ccuracy", result.summary)
    @test result.output_model isa GBNNModel
    @test isempty(result.output_predictions)
    # Without labels the last column is them.
    @test fit(training = hcat(X, labels), test = X).probabilities ==
        result.probabilities
end

@testset "regression, of several responses too" begin
    result = fit(training = X, responses = y, test = X, test_responses = y)
    @test size(result.output_predictions) == (200, 1)
    @test sum(abs2, result.output_predictions .- y) < 0.3sum(abs2, y)
    both = fit(training = X, responses = [y -y], test = X)
    @test size(both.output_predictions) == (200, 2)
    quantiles = fit(training = X, responses = y, test = X, loss = "quantile",
                    quantiles = "0.1,0.9", non_crossing = true)
    @test size(quantiles.output_predictions) == (200, 2)
    @test all(diff(quantiles.output_predictions, dims = 2) .>= 0)
end

@testset "points in columns are the same" begin
    rows = fit(training = X, labels = labels, test = X)
    for data in (permutedims(X), X')
        before = copy(data)
        columns = fit(training = data, labels = labels, test = data,
                      points_are_rows = false)
        @test columns.probabilities == rows.probabilities'
        @test columns.predictions == rows.predictions
        @test data == before
    end
    @test fit(training = permutedims(X)', labels = labels,
              test = X).probabilities == rows.probabilities
end

@testset "categories and missing values" begin
    words = rand(["red", "green", "blue"], 200)
    target = Int.(words .== "red") .+ 1
    table = (word = words, number = X[:, 1])
    result = fit(training = table, labels = target, test = table)
    @test result.predictions == target
    @test fit(training = hcat(words, X[:, 1]), labels = target,
              test = table).probabilities == result.probabilities
    new = (word = ["red", "violet", missing], number = [0, missing, NaN])
    unseen = gbnn(input_model = result.output_model, test = new)
    @test unseen.predictions[1] == 2
    @test all(isfinite, unseen.probabilities)
end

@testset "models" begin
    model = fit(training = X, labels = labels).output_model
    predict(m; options...) = gbnn(; input_model = m, test = X,
                                  options...).probabilities
    expected = predict(model)
    io = IOBuffer()
    serialize(io, model)
    @test predict(deserialize(seekstart(io))) == expected
    @test predict(deepcopy(model)) == expected
    mktempdir() do folder
        for format in ("bin", "json", "xml")
            path = joinpath(folder, "model." * format)
            write_model(path, model)
            @test predict(read_model(path)) == expected
        end
    end
    @test predict(model, active_units = 30) == expected
    @test predict(model, active_units = 5) != expected
    grown = gbnn(input_model = model, warm_start = true, training = X,
                 labels = labels, hidden_units = 5,
                 refine_iterations = 0).output_model
    @test predict(grown, active_units = 30) == expected
end

@testset "piecewise-linear inputs" begin
    made(; options...) = fit(; training = X, labels = labels, test = X,
                             options...).probabilities
    pieces = made(input_encoding = "piecewise")
    @test pieces == made(input_encoding = "piecewise", bins = 16)
    @test pieces != made(input_encoding = "piecewise", bins = 4)
    @test pieces != made(input_encoding = "linear")
end

@testset "weights of classes, and early exit" begin
    counts = [count(==(label), labels) for label in labels]
    weights = 200 / length(unique(labels)) ./ counts
    balanced = fit(training = X, labels = labels, test = X,
                   class_weights = "balanced")
    @test balanced.probabilities == fit(training = X, labels = labels, test = X,
                                        weights = weights).probabilities
    early = gbnn(input_model = balanced.output_model, test = X, early_exit = 0)
    @test early.predictions == balanced.predictions
    @test length(early.units_used) == 200
end

@testset "the same seed gives the same bits" begin
    @test fit(training = X, labels = labels, test = X).probabilities ==
        fit(training = X, labels = labels, test = X).probabilities
end

@testset "errors" begin
    text(; values...) = try
        gbnn(; values...)
    catch e
        e isa ArgumentError ? e.msg : rethrow()
    end
    @test occursin("hidden_units must be at least 1",
                   text(training = X, labels = labels, hidden_units = -1))
    @test occursin("unknown optimizer; must be one of 'auto', 'lbfgs', 'adam'",
                   text(training = X, labels = labels, optimizer = "newton"))
    @test occursin("must be one of 'linear', 'piecewise', or 'auto'",
                   text(training = X, labels = labels, input_encoding = "x"))
    @test occursin("'labels' has 199 entries, but 'training' has 200 points!",
                   text(training = X, labels = labels[2:end]))
    @test occursin("labels are for classification and responses for regression",
                   text(training = X, labels = labels, responses = y))
    @test occursin("unknown parameter 'hidden'; did you mean 'hidden_units'?",
                   text(training = X, labels = labels, hidden = 3))
    model = fit(training = X, labels = labels).output_model
    @test occursin("'test'", text(input_model = model, test = X[:, 1:2]))
    @test occursin("'active_units'",
                   text(input_model = model, test = X, active_units = 31))
end

@testset "looking inside, and export" begin
    mktempdir() do folder
        header = joinpath(folder, "model.h")
        page = joinpath(folder, "report.html")
        # `export` is a word of Julia.
        result = fit(training = X, responses = y, test = X, test_responses = y,
                     importance = true, gradients = true, dependence = "2",
                     column_names = ["one", "two", "three"], export_ = header,
                     report = page)
        @test size(result.importances) == (3, 3)
        @test argmax(result.importances[:, 3]) == 3
        @test occursin("three", result.importance_table)
        @test size(result.input_gradients) == (200, 3)
        @test size(result.partial_dependence) == (20, 2)
        @test occursin("predict(", read(header, String))
        @test occursin("</html>", read(page, String))
    end
    @test_throws ArgumentError fit(training = X, responses = y,
                                   export_ = "model.txt")
end

include("labels.jl")
include("tables.jl")
include("packages.jl")
include("deep.jl")

@testset "tuning" begin
    result = gbnn(training = X, labels = labels, test = X, seed = 1,
                  hidden_units = 8, tune = true, folds = 3,
                  tune_units_per_stage = [1, 2], tune_learning_rates = "0.2,1",
                  subsample = 0.6)
    @test size(result.tuning_scores) == (4, 7)
    best = result.tuning_scores[argmax(result.tuning_scores[:, 7]), :]
    @test best[5] == maximum(result.tuning_scores[:, 5])
    @test occursin("accuracy", result.tuning_table)
    direct = gbnn(training = X, labels = labels, test = X, seed = 1,
                  hidden_units = Int(best[4]), units_per_stage = Int(best[1]),
                  learning_rate = best[2], subsample = 0.6)
    @test direct.probabilities == result.probabilities
    @test_throws ArgumentError fit(training = X, labels = labels, tune = true,
                                   folds = 1)
end
