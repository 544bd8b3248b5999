# Julia values to what the library takes.

"A value that cannot be made what its parameter is."
struct Mismatch <: Exception
    reason::String
end

mismatch(value) = throw(Mismatch("not $(typeof(value))"))

"A value that its parameter refuses."
refuse(text) = throw(ArgumentError(text))

is_missing(value) = ismissing(value) || value === nothing ||
    (value isa AbstractFloat && isnan(value))
is_number(value) = value isa Real && !(value isa Bool)

# --- Plain values ----------------------------------------------------------

to_flag(value) = value isa Bool ? value : mismatch(value)

function to_int(value)
    is_number(value) && isinteger(value) || mismatch(value)
    typemin(Int64) <= value <= typemax(Int64) || refuse("must fit into 32 bits")
    Int64(value)
end

to_double(value) = is_number(value) ? Float64(value) : mismatch(value)

function to_string(value)
    value isa Union{AbstractString, Symbol} || mismatch(value)
    text = String(value)
    '\0' in text && refuse("must not hold a zero byte")
    text
end

is_list(value) = value isa Union{AbstractVector, Tuple}
to_list(convert, T, value) = is_list(value) ? T[convert(x) for x in value] :
    mismatch(value)

to_ints(value) = to_list(to_int, Int64, value)
to_doubles(value) = to_list(to_double, Float64, value)
to_strings(value) = to_list(to_string, String, value)

# --- Matrices --------------------------------------------------------------

"One element as a number."
function to_real(value)
    is_missing(value) && return NaN
    value isa Real || refuse("must hold numbers")
    Float64(value)
end

function to_unsigned(value)
    value isa Real && isinteger(value) || refuse("must hold whole numbers")
    value < 0 && refuse("must not hold negative numbers")
    UInt64(value)
end

element(::Type{Float64}) = to_real
element(::Type{UInt64}) = to_unsigned

"An array with elements of type `T`; no copy of one that has them already."
elements(::Type{T}, value::Array{T}) where {T} = value
elements(::Type{T}, value::AbstractArray) where {T} =
    Array{T}(map(element(T), value))

"Anything with columns as an array: a matrix, a vector, or a table of columns."
function to_array(value)
    value isa AbstractArray && return value
    is_table(value) || mismatch(value)
    reduce(hcat, columns(value))
end

function to_vector(T, value)
    array = to_array(value)
    length(array) in (0, size(array)...) || refuse(
        "must have one dimension, but is $(join(size(array), " x "))")
    elements(T, vec(collect(array)))
end

"""
Memory of a matrix, its size, and the flag that tells the library how it lies.
`turn` is true if the value is the transpose of what the parameter takes.
"""
function layout(T, value::AbstractMatrix, turn)
    # The memory of a transposed matrix is that of its parent.
    if value isa Union{Adjoint{T, Matrix{T}}, Transpose{T, Matrix{T}}}
        value, turn = parent(value), !turn
    end
    memory = elements(T, value)
    memory, size(memory)..., turn ? TRANSPOSE : BORROW
end

function to_matrix(T, value, turn)
    array = to_array(value)
    # Numbers are points with one dimension.
    array isa AbstractVector && (array = reshape(array, turn ? (:, 1) : (1, :)))
    ndims(array) == 2 || refuse("must have two dimensions, but has " *
                                string(ndims(array)))
    layout(T, array, turn)
end

# --- Categories ------------------------------------------------------------

"True for a named tuple of columns, and for data frames, which have `eachcol`."
is_table(value) = value isa NamedTuple ||
    !(value isa Union{AbstractArray, AbstractString, Number, Symbol}) &&
    applicable(eachcol, value)

columns(table::NamedTuple) = collect(Any, values(table))
columns(table) = collect(Any, eachcol(table))

"A column as numbers and the names of its categories, or nothing."
function to_column(column)
    all(x -> is_number(x) || is_missing(x), column) &&
        return map(to_real, column), nothing
    codes = Dict{String, Int}()
    names = String[]
    numbers = map(column) do value
        is_missing(value) && return NaN
        name = to_string(string(value))
        Float64(get!(codes, name) do
            push!(names, name)
            length(names) - 1
        end)
    end
    numbers, names
end

"As `to_matrix()`, with the categories of the columns, or nothing."
function to_matrix_info(value, turn)
    if is_table(value)
        parts = columns(value)
        turn = true
    else
        array = to_array(value)
        if nonmissingtype(eltype(array)) <: Real &&
                !(nonmissingtype(eltype(array)) <: Bool)
            return to_matrix(Float64, array, turn)..., nothing
        end
        ndims(array) <= 2 || refuse("must have two dimensions, but has " *
                                    string(ndims(array)))
        parts = array isa AbstractVector ? Any[array] :
            collect(Any, turn ? eachcol(array) : eachrow(array))
    end
    length(unique(map(length, parts))) <= 1 ||
        refuse("must have columns of the same length")

    made = map(to_column, parts)
    size = isempty(parts) ? 0 : length(first(parts))
    memory = Matrix{Float64}(undef, size, length(parts))
    for (i, (numbers, _)) in enumerate(made)
        memory[:, i] = numbers
    end
    counts = Int64[names === nothing ? -1 : length(names)
                   for (_, names) in made]
    names = String[name for (_, names) in made if names !== nothing
                   for name in names]
    memory, Base.size(memory)..., TRANSPOSE, (counts, names)
end
