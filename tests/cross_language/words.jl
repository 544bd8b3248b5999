# Trains, or predicts with models, in Julia:
#   julia words.jl train|predict FOLDER PACKAGES
# See test_words.py.

using DelimitedFiles
using Logging
push!(LOAD_PATH, ARGS[3])
using MlpackGBNN

"A table as a named tuple of columns."
function read_table(path)
    cells, header = readdlm(path, ',', header = true)
    (; (Symbol(name) => identity.(cells[:, i])
        for (i, name) in enumerate(vec(header)))...)
end

write_labels(result, path) =
    write(path * ".txt", join(string.(result.predictions) .* "\n"))

# As users of Julia have them.
const label_types = Dict("words" => labels -> String.(labels),
                         "booleans" => labels -> labels .== "yes",
                         "categories" => labels -> Symbol.(labels))

# Of columns that are not needed.
disable_logging(Logging.Warn)
for task in filter(isdir, readdir(ARGS[2], join = true))
    test = read_table(joinpath(task, "test.csv"))
    if ARGS[1] == "train"
        training = read_table(joinpath(task, "training.csv"))
        labels = label_types[basename(task)](training.label)
        names = Tuple(name for name in keys(training) if name != :label)
        result = gbnn(training = NamedTuple{names}(training), labels = labels,
                      hidden_units = 20, seed = 7, test = test)
        write_labels(result, joinpath(task, "julia"))
        for form in ("bin", "json", "xml")
            write_model(joinpath(task, "julia." * form), result.output_model)
        end
        continue
    end
    for model in filter(name -> occursin(r"\.(bin|json|xml)$", name),
                        readdir(task))
        result = gbnn(input_model = read_model(joinpath(task, model)),
                      test = test)
        write_labels(result, joinpath(task, model * ".julia"))
    end
end
