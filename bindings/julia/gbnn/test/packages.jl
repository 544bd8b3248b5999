# Tables.jl and CategoricalArrays.jl, where they are installed.

"Load a package that may not be there."
function installed(name)
    there = Base.find_package(name) !== nothing
    there || @info "$name is not installed: its tests are skipped"
    there
end

if installed("Tables")
    @eval import Tables
    @testset "Tables.jl" begin
        numbers = Tables.table(X, header = [:a, :b, :c])
        model = fit(training = numbers, labels = words).output_model
        columns = (c = X[:, 3], b = X[:, 2], a = X[:, 1])
        expected = gbnn(input_model = model, test = columns).probabilities
        @test gbnn(input_model = model, test = numbers).probabilities ==
            expected
        @test gbnn(input_model = model,
                   test = Tables.rowtable(columns)).probabilities == expected
        # Rows that come one by one.
        rows = Tables.namedtupleiterator(columns)
        @test gbnn(input_model = model, test = rows).probabilities == expected
    end
end

if installed("CategoricalArrays")
    @eval using CategoricalArrays: categorical, levels!
    @testset "CategoricalArrays.jl" begin
        result = fit(training = X, labels = words, test = X)
        shelved = categorical(words)
        levels!(shelved, ["yes, quite", "none", "no"])
        for given in (shelved, view(shelved, :))
            @test fit(training = X, labels = given, test = X).predictions ==
                result.predictions
        end
        @test fit(training = X, labels = categorical(labels),
                  test = X).predictions ==
            fit(training = X, labels = labels, test = X).predictions
        column = categorical(vcat(colors[2:end], [missing]))
        plain = vcat(colors[2:end], [missing])
        made(data) = fit(training = (a = data, b = X[:, 2]), labels = words,
                         test = (a = data, b = X[:, 2])).probabilities
        @test made(column) == made(plain)
        @test made(categorical(labels)) == made(string.(labels))
    end
end
