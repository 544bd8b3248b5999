# Runs all tests of a package in this folder:
#   julia run.jl <folder of packages> <package> <test>...

using Test

const packages = ARGS[1]
push!(LOAD_PATH, packages)
eval(:(using $(Symbol(ARGS[2]))))

"A command that runs code in a new process."
function fresh_julia(code)
    code = "push!(LOAD_PATH, $(repr(packages))); " * code
    `$(Base.julia_cmd()) --startup-file=no -e $code`
end

@testset "$(ARGS[2])" begin
    for file in ARGS[3:end]
        @testset "$(basename(file))" begin
            include(abspath(file))
        end
    end
end
