# Times training through Julia: call.jl PREFIX UNITS ITERATIONS ROUNDS PACKAGES

push!(LOAD_PATH, ARGS[5])
using MlpackGBNN

# Armadillo's own format: a line with its name, one with the sizes, numbers.
function read_matrix(path)
    open(path) do file
        readline(file)
        rows, columns = parse.(Int, split(readline(file)))
        read!(file, Matrix{Float64}(undef, rows, columns))
    end
end

points = read_matrix(ARGS[1] * ".train.bin")
labels = vec(read_matrix(ARGS[1] * ".train_targets.bin"))
units, iterations, rounds = parse.(Int, ARGS[2:4])
train(units, iterations) = gbnn(training = points, labels = labels,
    hidden_units = units, max_iterations = iterations, optimizer = "lbfgs",
    tolerance = 0.0, seed = 1, points_are_rows = false)

train(1, 1) # Julia compiles what it calls for the first time.
best = minimum(@elapsed(train(units, iterations)) for _ in 1:rounds)
println("{\"call_wall\": ", best, "}")
