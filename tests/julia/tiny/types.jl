# Every type of parameter, there and back, through the tiny binding.

const points = [0.0 4 8; 1 5 9; 2 6 10; 3 7 11]
same(a, b) = isequal(a, b)

@testset "matrices keep points in rows" begin
    for data in (points, Float32.(points), Int.(points), view(points, :, :),
                 permutedims(points)', transpose(permutedims(points)),
                 Matrix{Any}(points), Matrix{Union{Missing, Float64}}(points),
                 (a = points[:, 1], b = points[:, 2], c = points[:, 3]))
        @test tiny(matrix = data, scale = 2).matrix_out == 2points
        @test tiny(tmatrix = data, scale = 2).tmatrix_out == 2points
        @test tiny(input = data, scale = 2).output == 2points
        shifted = tiny(umatrix = data, shift = 3).umatrix_out
        @test shifted isa Matrix{Int}
        @test shifted == points .+ 3
    end
end

@testset "points in columns" begin
    for data in (permutedims(points), points')
        result = tiny(matrix = data, input = data, umatrix = Int.(data),
                      points_are_rows = false)
        @test result.matrix_out == points'
        @test result.output == points'
        @test result.umatrix_out == points'
    end
    # Not turned around in any case.
    @test tiny(tmatrix = points, points_are_rows = false).tmatrix_out == points
    table = (number = [1.0, 2.0], word = ["a", "b"])
    @test tiny(input = table, points_are_rows = false).output == [1 2; 0 1]
    words = ["1" "2"; "a" "a"; "b" "c"]
    @test tiny(input = words, points_are_rows = false).categories == [2, 1, 2]
end

@testset "a vector is a column of points where a matrix is wanted" begin
    @test tiny(matrix = 1:3).matrix_out == reshape([1, 2, 3], 3, 1)
    @test tiny(input = [1.0, 2], points_are_rows = false).output == [1 2]
end

@testset "vectors" begin
    for data in (0:4, collect(0.0:4), reshape(0:4, 5, 1), reshape(0:4, 1, 5),
                 Float32[0, 1, 2, 3, 4])
        @test same(tiny(row = data, scale = 2).row_out, [0.0, 2, 4, 6, 8])
        @test same(tiny(col = data, scale = 2).col_out, [0.0, 2, 4, 6, 8])
        @test tiny(urow = data, shift = 1).urow_out == 1:5
        @test tiny(ucol = data, shift = 1).ucol_out == 1:5
    end
    @test tiny(urow = [1]).urow_out isa Vector{Int}
end

@testset "plain values" begin
    result = tiny(scale = 1, negate = true, shift = 0x02, numbers = [1, 2.0, 3],
                  words = ["red", SubString("grün")], operation = :scale)
    @test result.scale_out === -1.0
    @test result.numbers_sum === 6
    @test result.numbers_out == [3, 4, 5]
    @test result.words_out == ["grün", "red"]
    @test result.operation_out == "scale"
    @test tiny(numbers = Int[], words = ("a",)).words_out == ["a"]
end

@testset "missing, nothing and false are not given" begin
    # Both a factor and a model would be refused.
    model = tiny(scale = 3.0).output_model
    for none in (missing, nothing)
        @test tiny(scale = none, input_model = model,
                   negate = false).scale_out == 3
    end
end

@testset "results that are empty" begin
    result = tiny()
    @test isempty(result.matrix_out)
    @test result.row_out == Float64[]
    @test result.words_out == String[]
end

@testset "missing values pass" begin
    data = Matrix{Union{Missing, Float64}}(points)
    data[2, 2] = missing
    expected = copy(points)
    expected[2, 2] = NaN
    @test same(tiny(input = data).output, expected)
    @test same(tiny(input = expected).output, expected)
    @test same(tiny(matrix = data).matrix_out, expected)
end

@testset "columns that are no numbers have categories" begin
    table = (number = [1.5, missing, 2.5, 3.5],
             word = ["b", "a", missing, "b"],
             symbol = [:x, :y, :x, :z],
             truth = [true, false, true, true])
    expected = [1.5 0 0 0; NaN 1 1 1; 2.5 NaN 0 0; 3.5 0 2 0]
    for data in (table, hcat(values(table)...))
        result = tiny(input = data)
        @test same(result.output, expected)
        @test result.categories == [0, 2, 3, 2]
    end
    @test tiny(input = ["1" "a"; "2" "a"]).categories == [2, 1]
    @test tiny(input = [true false; true true]).categories == [1, 2]
end

@testset "inputs are not changed" begin
    data = copy(points)
    for rows in (true, false)
        tiny(matrix = data, input = data, tmatrix = data, row = data[:, 1],
             scale = 5, points_are_rows = rows)
        @test data == points
    end
end
