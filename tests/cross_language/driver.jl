# Trains, or predicts with models, in Julia:
#   julia driver.jl train|predict FOLDER PACKAGES
# See test_same_results.py.

using DelimitedFiles
push!(LOAD_PATH, ARGS[3])
using MlpackGBNN

function read_table(path)
    isfile(path) || return missing
    map(cell -> cell == "" ? missing : cell, readdlm(path, ','))
end

"All numbers of a result, point by point, as they lie in memory."
function write_result(result, path)
    numbers = isempty(result.probabilities) ? result.output_predictions :
        result.probabilities
    write(path * ".numbers", permutedims(numbers))
    write(path * ".labels", result.predictions)
end

for task in filter(isdir, readdir(ARGS[2], join = true))
    test = read_table(joinpath(task, "test.csv"))
    if ARGS[1] == "train"
        result = gbnn(training = read_table(joinpath(task, "training.csv")),
                      test = test,
                      labels = read_table(joinpath(task, "labels.csv")),
                      responses = read_table(joinpath(task, "responses.csv")),
                      hidden_units = 20, seed = 7)
        write_result(result, joinpath(task, "julia"))
        for form in ("bin", "json", "xml")
            write_model(joinpath(task, "julia." * form), result.output_model)
        end
        continue
    end
    for model in filter(name -> occursin(r"\.(bin|json|xml)$", name),
                        readdir(task))
        result = gbnn(input_model = read_model(joinpath(task, model)),
                      test = test, active_units = 9)
        write_result(result, joinpath(task, model * ".julia"))
    end
end
