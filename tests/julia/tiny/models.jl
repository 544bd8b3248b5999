# Models are objects of Julia that can be kept.

using Serialization

trained() = tiny(input = [1 2; 3 4], scale = 3).output_model
factor(model) = tiny(input_model = model).scale_out

@testset "models are used and left as they are" begin
    model = trained()
    @test model isa TinyModel
    @test tiny(input_model = model, negate = true).scale_out == -3
    @test factor(model) == 3
    @test occursin(r"^TinyModel\(\d+ bytes\)$", repr(model))
    @test factor(copy(model)) == 3
    @test factor(deepcopy([model, model])[2]) == 3
end

@testset "serialization" begin
    mktempdir() do folder
        path = joinpath(folder, "model.jls")
        serialize(path, Dict("model" => trained(), "more" => [1, 2]))
        kept = deserialize(path)
        @test factor(kept["model"]) == 3
        @test kept["more"] == [1, 2]
        code = """
        using MlpackTINY, Serialization
        print(tiny(input_model = deserialize($(repr(path)))["model"]).scale_out)
        """
        @test read(fresh_julia(code), String) == "3.0"
    end
end

@testset "model files of all formats" begin
    mktempdir() do folder
        for format in ("bin", "json", "xml")
            path = joinpath(folder, "model." * format)
            @test write_model(path, trained()) == path
            @test factor(read_model(path)) == 3
            @test factor(read_model(TinyModel, path)) == 3
        end
        @test length(readdir(folder)) == 3
        path = joinpath(folder, "model.bin")
        write(path, rand(UInt8, 5))
        @test_throws ArgumentError read_model(path)
        @test_throws ArgumentError read_model("model.txt")
        @test_throws SystemError read_model(joinpath(folder, "none.bin"))
    end
end

@testset "damaged files are refused, whatever is in them" begin
    mktempdir() do folder
        path = joinpath(folder, "model.bin")
        write_model(path, trained())
        bytes = read(path)
        for size in 0:length(bytes) - 1
            write(path, bytes[1:size])
            @test_throws ArgumentError read_model(path)
        end
        for place in 1:length(bytes), bit in 0:7
            changed = copy(bytes)
            changed[place] = xor(changed[place], UInt8(1) << bit)
            write(path, changed)
            @test_throws ArgumentError read_model(path)
        end
        for (name, text) in (("a.json", "{\"model\": " * "["^150000),
                             ("a.xml", "<cereal><model>" * "<a>"^60000))
            write(joinpath(folder, name), text)
            @test_throws ArgumentError read_model(joinpath(folder, name))
        end
        @test_throws ErrorException write_model(
            joinpath(folder, "none", "model.bin"), trained())
    end
end

@testset "models are freed" begin
    for _ in 1:200
        trained()
    end
    GC.gc()
    @test factor(trained()) == 3
end

@testset "calls in several tasks" begin
    results = zeros(20)
    Threads.@threads for i in 1:20
        results[i] = tiny(scale = i).scale_out
    end
    @test results == 1:20
end
