# The functions that bindings are in Julia.

"A parameter of a binding, as the generator prints it."
struct Parameter
    name::String
    spelling::Symbol
    kind::Symbol
    input::Bool
    transposed::Bool
    model_type::Any
    type::String
    default::Any
end

const VECTORS = (:row, :col, :urow, :ucol)
const UNSIGNED = (:umatrix, :urow, :ucol)
const PLAIN = Dict{Symbol, Tuple{Function, Function, Function}}(
    :flag => (to_flag, set_flag, get_flag),
    :int => (to_int, set_int, get_int),
    :double => (to_double, set_double, get_double),
    :string => (to_string, set_string, get_string),
    :ints => (to_ints, set_ints, get_ints),
    :doubles => (to_doubles, set_doubles, get_doubles),
    :strings => (to_strings, set_strings, get_strings))

# --- Inputs ----------------------------------------------------------------

function set_value(call, p, value, points_are_rows)
    # Column by column, points in rows are the transpose of what mlpack wants.
    turn = p.transposed && points_are_rows
    T = p.kind in UNSIGNED ? UInt64 : Float64
    if haskey(PLAIN, p.kind)
        convert, set, _ = PLAIN[p.kind]
        set(call, p.name, convert(value))
    elseif p.kind == :model
        value isa p.model_type || mismatch(value)
        push!(call.borrowed, value)
        set_model(call, p.name, value)
    elseif p.kind in VECTORS
        vector = to_vector(T, value)
        set_matrix(call, p.name, vector, 1, length(vector), BORROW)
    elseif p.kind == :matrix_info
        memory, rows, cols, flags, categories =
            to_matrix_info(value, turn, endswith(p.name, "labels"))
        if categories === nothing
            set_matrix(call, p.name, memory, rows, cols, flags)
        else
            set_matrix_info(call, p.name, memory, rows, cols, flags,
                            categories...)
        end
    else
        set_matrix(call, p.name, to_matrix(T, value, turn)...)
    end
end

"Do something for a parameter; errors of conversion get its name."
function naming(action, p)
    try
        action()
    catch e
        if e isa Mismatch
            throw(ArgumentError("Parameter '$(p.spelling)' must be of type " *
                                "$(p.type); $(e.reason)!"))
        elseif e isa ArgumentError && !occursin("'$(p.spelling)'", e.msg)
            throw(ArgumentError("Parameter '$(p.spelling)' $(e.msg)!"))
        end
        rethrow()
    end
end

set(call, p, value, points_are_rows) =
    naming(() -> set_value(call, p, value, points_are_rows), p)

# --- Results ---------------------------------------------------------------

function get_value(call, p, points_are_rows)
    haskey(PLAIN, p.kind) && return PLAIN[p.kind][3](call, p.name)
    if p.kind == :model
        handle = get_model(call, p.name)
        return handle == C_NULL ? missing : p.model_type(handle)
    end
    matrix = p.kind in UNSIGNED ? get_umatrix(call, p.name) :
        get_matrix(call, p.name)
    p.kind in VECTORS && return vec(matrix)
    p.transposed && points_are_rows ? permutedims(matrix) : matrix
end

"Tell a binding that asks for them the names of the columns of tables."
function set_column_names(call, parameters, given)
    for p in parameters
        table = p.input && p.kind == :matrix_info ?
            get(given, p.spelling, missing) : missing
        table isa Table || continue
        target = p.name == "training" ? "column_names" :
            p.name * "_column_names"
        asked = any(q -> q.input && q.name == target, parameters)
        own = get(given, Symbol(target), missing)
        (asked && (ismissing(own) || own === nothing)) || continue
        set_strings(call, target, table.names)
    end
end

"Values with tables as they are known here, so that each is made once."
function with_tables(parameters, given)
    tables = Pair{Symbol, Any}[]
    for p in parameters
        value = p.input && p.kind == :matrix_info ?
            get(given, p.spelling, missing) : missing
        ismissing(value) && continue
        table = naming(() -> as_table(value), p)
        table === nothing || push!(tables, p.spelling => table)
    end
    merge(given, (; tables...))
end

"Labels that are words: the binding says which place of which list."
function put_words(results)
    words = get(results, :label_names, String[])
    isempty(words) && return results
    places = get(results, :predictions, Float64[])
    merge(results, (predictions = words[Int.(places) .+ 1],))
end

# --- The run ---------------------------------------------------------------

# Called from C++, which no exception may reach and no other task may interrupt:
# that is why messages go to Core.stdout.  Warnings are collected.
function on_log(user::Ptr{Cvoid}, level::Cint, line::Ptr{UInt8})::Cvoid
    try
        text = unsafe_string(line)
        if level == WARN
            push!(unsafe_pointer_to_objref(user)::Vector{String}, text)
        else
            Core.println(Core.stdout, "[INFO ] ", text)
        end
    catch
    end
    return
end

# During a run Ctrl-C is held back; it gets its chance here.
function on_poll(::Ptr{Cvoid})::Cint
    try
        reenable_sigint(() -> nothing)
        return 0
    catch
        return 1
    end
end

function run(call::Call)
    # A vector, since Julia may put other objects where they have no type.
    warnings = String[]
    flush(stdout)
    status = GC.@preserve call warnings begin
        ccall((:mlpack_binding_call_on_log, library), Cvoid,
              (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), call.handle,
              @cfunction(on_log, Cvoid, (Ptr{Cvoid}, Cint, Ptr{UInt8})),
              pointer_from_objref(warnings))
        ccall((:mlpack_binding_call_on_poll, library), Cvoid,
              (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), call.handle,
              @cfunction(on_poll, Cint, (Ptr{Cvoid},)), C_NULL)
        disable_sigint() do
            ccall((:mlpack_binding_call_run, library), Cint, (Ptr{Cvoid},),
                  call.handle)
        end
    end
    for text in warnings
        @warn text
    end
    check(call, status)
end

"""
Run the binding `name` with values by the spelling of their parameters;
`missing` and `nothing` count as not given.  Returns its results as a named
tuple.
"""
function run_binding(name, parameters, values, unknown, points_are_rows)
    call = Call(name)
    try
        for key in keys(unknown)
            try
                check_name(call, string(key))
            catch e
                e isa ArgumentError || rethrow()
                throw(ArgumentError("$name(): $(e.msg)"))
            end
        end
        # A name of the binding file that is spelled otherwise here.
        given = with_tables(parameters, merge(values, (; unknown...)))
        for p in parameters
            for key in unique((p.spelling, Symbol(p.name)))
                value = p.input ? get(given, key, missing) : missing
                ismissing(value) || value === nothing ||
                    set(call, p, value, points_are_rows)
            end
        end
        set_column_names(call, parameters, given)
        run(call)
        outputs = [p for p in parameters if !p.input]
        return put_words(NamedTuple{Tuple(Symbol(p.name) for p in outputs)}(
            Tuple(get_value(call, p, points_are_rows) for p in outputs)))
    finally
        free(call)
    end
end
