# Tables, and their columns by their names.

const colors = ["red", "green", "blue"][mod1.(1:200, 3)]
const table = (color = colors, size = X[:, 1], weight = X[:, 2])
const trained = fit(training = table, labels = words)
probabilities(data) =
    gbnn(input_model = trained.output_model, test = data).probabilities
const expected = probabilities(table)

"What is like a data frame: `eachcol` and the names of the columns."
struct Frame
    columns::NamedTuple
end
Base.propertynames(frame::Frame) = keys(getfield(frame, :columns))
Base.eachcol(frame::Frame) = values(getfield(frame, :columns))

@testset "many kinds of tables" begin
    rows = [(color = colors[i], size = X[i, 1], weight = X[i, 2])
            for i in 1:200]
    for data in (Frame(table), rows, Vector{Any}(rows), Dict(pairs(table)),
                 Dict("color" => colors, "size" => X[:, 1],
                      "weight" => X[:, 2]))
        @test probabilities(data) == expected
        @test gbnn(input_model = fit(training = data, labels = words,
                                     subsample = 1).output_model,
                   test = table).predictions isa Vector{String}
    end
    @test_throws ArgumentError probabilities([(a = 1,), (b = 2,)])
    @test_throws ArgumentError probabilities((color = colors, size = [1.0]))
    # Responses may be one, too.
    both = fit(training = table, responses = (a = y, b = -y), test = table)
    @test size(both.output_predictions) == (200, 2)
end

@testset "columns are found by their names" begin
    @test probabilities((weight = X[:, 2], color = colors, size = X[:, 1])) ==
        expected
    more = (size = X[:, 1], id = 1:200, color = colors, weight = X[:, 2])
    @test_logs (:warn, r"'id'") @test probabilities(more) == expected
    error = try
        probabilities((color = colors, size = X[:, 1]))
    catch e
        e
    end
    @test error isa ArgumentError
    @test occursin("has no column 'weight'", error.msg)
end

@testset "a named target" begin
    whole = (; table..., class = words)
    result = fit(training = whole, target = "class", test = whole)
    @test result.probabilities == expected
    @test occursin("ccuracy", result.summary)
    number = fit(training = (; table..., amount = y), target = "amount",
                 test = table)
    @test size(number.output_predictions) == (200, 1)
end
