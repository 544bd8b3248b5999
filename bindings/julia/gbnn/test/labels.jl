# Labels are anything.

"What a package of categorical arrays has: values that know their level."
module Shelves
struct Value
    levels::Vector
    place::Int
end
unwrap(value::Value) = value.levels[value.place]
levels(column::AbstractVector{Value}) = first(column).levels
shelve(values, levels) = [Value(levels, findfirst(==(x), levels))
                          for x in values]
end

const words = ["no", "yes, quite"][labels]

@testset "words as labels" begin
    numbers = fit(training = X, labels = labels, test = X)
    result = fit(training = X, labels = words, test = X, test_labels = words)
    @test result.predictions == ["no", "yes, quite"][Int.(numbers.predictions)]
    @test result.predictions isa Vector{String}
    @test result.probabilities == numbers.probabilities
    @test result.label_names == ["no", "yes, quite"]
    @test occursin("yes, quite", result.summary)
    @test fit(training = X, labels = Symbol.(words), test = X).predictions ==
        result.predictions
    @test fit(training = X, labels = labels .== 2, test = X).predictions ==
        string.(Int.(numbers.predictions) .== 2)
    # One column of a table, too.
    @test fit(training = X, labels = (word = words,),
              test = X).predictions == result.predictions
    # They are in the model, and in its files.
    mktempdir() do folder
        path = joinpath(folder, "model.json")
        write_model(path, result.output_model)
        @test gbnn(input_model = read_model(path), test = X).predictions ==
            result.predictions
    end
    weighted = fit(training = X, labels = Symbol.(words), test = X,
                   class_weights = "no:3")
    @test count(==("no"), weighted.predictions) >=
        count(==("no"), result.predictions)
end

@testset "categorical arrays" begin
    result = fit(training = X, labels = words, test = X)
    shelved = Shelves.shelve(words, ["yes, quite", "none", "no"])
    @test fit(training = X, labels = shelved, test = X).predictions ==
        result.predictions
    # Numbers stay numbers.
    numbers = Shelves.shelve(labels, [1, 2])
    @test fit(training = X, labels = numbers, test = X).predictions ==
        fit(training = X, labels = labels, test = X).predictions
    # Among the columns they are categories.
    column = Shelves.shelve(labels, [1, 2])
    @test fit(training = (a = column, b = X[:, 3]), labels = words,
              test = (a = column, b = X[:, 3])).probabilities ==
        fit(training = (a = string.(labels), b = X[:, 3]), labels = words,
            test = (a = string.(labels), b = X[:, 3])).probabilities
end

@testset "labels that cannot be used" begin
    text(; values...) = try
        gbnn(; training = X, values...)
    catch e
        e isa ArgumentError ? e.msg : rethrow()
    end
    some = Vector{Union{Missing, String}}(words)
    some[3] = missing
    @test occursin("point 3", text(labels = some))
    @test occursin("only one class ('a')", text(labels = fill("a", 200)))
    @test occursin("199 entries", text(labels = words[2:end]))
    strange = copy(words)
    strange[1:2] .= "maybe"
    model = fit(training = X, labels = words).output_model
    @test_logs (:warn, r"maybe") gbnn(input_model = model, test = X,
                                      test_labels = strange)
end
