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
    table = as_table(value)
    table === nothing || return reduce(hcat, table.columns)
    value isa AbstractArray || mismatch(value)
    value
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

# --- Tables ----------------------------------------------------------------

"The columns of a table, with their names."
struct Table
    names::Vector{String}
    columns::Vector{Any}

    Table(names, columns) = new(String[string(name) for name in names],
                                collect(Any, columns))
end

"A package that somebody has loaded, or nothing."
function loaded_package(name, uuid)
    id = Base.PkgId(Base.UUID(uuid), name)
    Base.root_module_exists(id) ? Base.root_module(id) : nothing
end

"""
The columns of a table, or nothing if the value is none.  Tables are named
tuples and dictionaries of columns, vectors of named tuples, and everything that
is a table to Tables.jl, which its package has loaded then.
"""
function as_table(value)
    value isa Table && return value
    value isa NamedTuple && return Table(keys(value), values(value))
    value isa AbstractDict && return dict_table(value)
    is_rows(value) && return rows_table(value)
    value isa Union{AbstractMatrix, AbstractString, Number, Symbol} &&
        return nothing
    tables = loaded_package("Tables", "bd369af6-aec1-5ad0-b16a-f7cc5008161c")
    if tables !== nothing && tables.istable(value)
        columns = tables.columns(value)
        names = tables.columnnames(columns)
        return Table(names, [tables.getcolumn(columns, name) for name in names])
    end
    # What has columns with names is one, too.
    !(value isa AbstractArray) && applicable(eachcol, value) || return nothing
    Table(propertynames(value), eachcol(value))
end

function dict_table(value)
    names = collect(keys(value))
    # Its order means nothing.
    value isa Dict && sort!(names, by = string)
    Table(names, [value[name] for name in names])
end

is_rows(value) = value isa AbstractVector{<:NamedTuple} ||
    (value isa AbstractVector && !isempty(value) &&
     all(row -> row isa NamedTuple, value))

function rows_table(rows)
    isempty(rows) && return Table((), ())
    names = keys(first(rows))
    all(row -> keys(row) == names, rows) ||
        refuse("must have the same columns in all rows")
    Table(names, [[row[name] for row in rows] for name in names])
end

# --- Categories ------------------------------------------------------------

"What a cell may be, once it is unwrapped."
const CELL = Union{AbstractString, Real, Symbol, Char, Missing, Nothing}
const PLAIN_VALUE = Union{CELL, Number}

"""
The value that an element of a categorical array stands for.  Packages of such
arrays, like CategoricalArrays.jl, have the function `unwrap` for it.
"""
function unwrapped(value)
    value isa PLAIN_VALUE && return value
    package = parentmodule(typeof(value))
    isdefined(package, :unwrap) ? getfield(package, :unwrap)(value) : value
end

"True if an array is categorical: its elements stand for values."
is_categorical(column) =
    !(nonmissingtype(eltype(column)) <: PLAIN_VALUE) &&
    any(x -> unwrapped(x) !== x, column)

"""
A column as numbers and the names of its categories, or nothing.  Numbers in a
categorical array are categories, too, unless they are labels.  `place` is what
errors call the column.
"""
function to_column(column, labels, place)
    numbers_count = labels || !is_categorical(column)
    column = map(unwrapped, column)
    for value in column
        value isa CELL || refuse(
            "has $place with a value of type $(typeof(value)); it must hold " *
            "numbers, strings, symbols, booleans or categories")
    end
    numbers_count && all(x -> is_number(x) || is_missing(x), column) &&
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
function to_matrix_info(value, turn, labels = false)
    table = as_table(value)
    if table !== nothing
        parts = table.columns
        places = ["the column '$name'" for name in table.names]
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
        # Points in columns have their values in rows.
        side = turn || array isa AbstractVector ? "column" : "row"
        places = ["the $side $i" for i in 1:length(parts)]
    end
    length(unique(map(length, parts))) <= 1 ||
        refuse("must have columns of the same length")

    made = Any[to_column(collect(part), labels, place)
               for (part, place) in zip(parts, places)]
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
