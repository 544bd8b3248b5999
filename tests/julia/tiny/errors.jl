# Bad input is an error of Julia, with a text that helps, and harms nothing.

using Dates: Date

"The text of the error of type `T` that a call ends with."
function refused(T = ArgumentError; values...)
    text = try
        tiny(; values...)
        "no error"
    catch e
        e isa T || rethrow()
        e.msg
    end
    # The session stays usable.
    @test tiny(matrix = [1.0 2]).matrix_out == [1 2]
    text
end

@testset "the binding's own errors arrive" begin
    @test refused(shift = -1) ==
        "Invalid value of 'shift' specified (-1); shift must not be negative!"
    @test refused(operation = "jump") ==
        "Invalid value of 'operation' specified ('jump'); unknown operation; " *
        "must be one of 'scale', 'warn', 'wait', 'fatal', or 'throw'!"
    @test refused(operation = "fatal") == "Asked to fail."
    @test refused(operation = "throw") == "tiny(): asked to throw"
    @test occursin("must fit into 32 bits", refused(shift = 2^40))
    @test occursin("'shift'", refused(shift = big(2)^70))
end

@testset "errors of several threads at once" begin
    code = """
    using MlpackTINY
    texts = fill("no error", 20)
    Threads.@threads for i in 1:20
        try
            tiny(operation = "throw")
        catch e
            texts[i] = e.msg
        end
    end
    print(Threads.nthreads(), " ", unique(texts))
    """
    output = withenv("JULIA_NUM_THREADS" => 2) do
        read(fresh_julia(code), String)
    end
    @test output == "2 [\"tiny(): asked to throw\"]"
end

@testset "values that cannot be right" begin
    for (values, text) in (
            (row = ones(3, 3),) => "must have one dimension, but is 3 x 3!",
            (matrix = ones(2, 2, 2),) => "'matrix' must have two dimensions",
            (matrix = ["a" "b"],) => "'matrix' must hold numbers!",
            (umatrix = [-1 2],) => "'umatrix' must not hold negative numbers!",
            (urow = [0.5],) => "'urow' must hold whole numbers!",
            (urow = [NaN],) => "'urow' must hold whole numbers!",
            (words = ["a\0b"],) => "'words' must not hold a zero byte!",
            (input = (a = [1, 2], b = [1]),) => "columns of the same length")
        @test occursin(text, refused(; values...))
    end
end

@testset "cells that are neither numbers nor categories" begin
    day = Date(2026, 11, 18)
    for cell in ([1.0, 2.0], day, 1 + 2im, (1, 2), (a = 1,))
        for (data, place) in (Any[1, cell] => "the column 1 ",
                              hcat(["a", "b"], Any[1, cell]) => "the column 2 ",
                              (a = [1], b = [cell]) => "the column 'b' ")
            text = refused(input = data)
            @test startswith(text, "Parameter 'input' has " * place)
            @test occursin("value of type $(typeof(cell));", text)
        end
    end
    @test occursin("the row 1 ", refused(input = Any[day 1; 2 3],
                                         points_are_rows = false))
    @test occursin("the column 1 ", refused(input = [[1.0, 2.0], [3.0, 4.0]]))
end

@testset "values of the wrong type" begin
    for (values, text) in (
            (shift = 1.5,) => "'shift' must be of type Int; not Float64!",
            (shift = "1",) => "'shift' must be of type Int; not String!",
            (shift = true,) => "'shift' must be of type Int; not Bool!",
            (scale = "big",) => "'scale' must be of type Float64; not String!",
            (negate = 1,) => "'negate' must be of type Bool; not Int64!",
            (operation = 3,) => "'operation' must be of type String; not Int",
            (numbers = 3,) => "'numbers' must be of type Vector{Int}; not Int",
            (words = "word",) => "'words' must be of type Vector{String}",
            (matrix = "file.csv",) => "'matrix' must be of type Float64 matrix",
            (input_model = 3,) =>
                "'input_model' must be of type TinyModel; not Int64!")
        @test occursin(text, refused(; values...))
    end
end

@testset "names that are no parameter" begin
    for (name, nearest) in ("scal" => "scale", "Scale" => "scale",
                            "sclae" => "scale", "inputs" => "input",
                            "model" => "input_model")
        @test refused(; Symbol(name) => 1) ==
            "tiny(): unknown parameter '$name'; did you mean '$nearest'?"
    end
    @test refused(quetzalcoatl = 1) ==
        "tiny(): unknown parameter 'quetzalcoatl'"
    @test occursin("unknown parameter 'scale_out'", refused(scale_out = 1))
end

@testset "warnings and messages" begin
    @test_logs (:warn, "Asked to warn.") tiny(operation = "warn")
    @test_logs tiny(scale = 2)
    code = "using MlpackTINY; tiny(scale = 2, verbose = true)"
    @test read(fresh_julia(code), String) == "[INFO ] Scaled by 2.\n"
end

@testset "a run can be interrupted" begin
    code = """
    using MlpackTINY
    Base.exit_on_sigint(false)
    ccall(:alarm, Cuint, (Cuint,), 60)
    run(`sh -c "(sleep 1; kill -INT \$(getpid())) &"`)
    try
        tiny(operation = "wait")
    catch e
        print(typeof(e), " ", tiny(scale = 2).scale_out)
    end
    """
    @test read(fresh_julia(code), String) == "InterruptException 2.0"
end
