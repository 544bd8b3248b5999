# The C interface of the bindings' library (bindings/library/abi.h).  The
# constant `library` is the path of the library.

const ABI_VERSION = 2

const OK = 0
const INVALID, TYPE, UNKNOWN, RUNTIME, INTERRUPTED, MEMORY = 1:6
const BORROW, TRANSPOSE = 1, 2
const INFO, WARN = 1, 2
const FORMATS = Dict(".bin" => 0, ".json" => 1, ".xml" => 2)

"Throw the exception that belongs to a status."
function throw_status(status, text)
    status in (INVALID, TYPE, UNKNOWN) && throw(ArgumentError(text))
    status == INTERRUPTED && throw(InterruptException())
    status == MEMORY && throw(OutOfMemoryError())
    throw(ErrorException(text))
end

"Text of the last error of a function without a call."
model_error() = unsafe_string(ccall((:mlpack_binding_model_error, library),
                                    Cstring, ()))

check_model(status) = status == OK || throw_status(status, model_error())

"What else is to be done when the package is loaded."
const at_init = Function[]

function __init__()
    version = ccall((:mlpack_binding_abi_version, library), Cint, ())
    version == ABI_VERSION || error("$library has another ABI version than ",
                                    "this package")
    foreach(action -> action(), at_init)
end

# --- One call --------------------------------------------------------------

"One call of a binding, with whatever memory it borrows."
mutable struct Call
    handle::Ptr{Cvoid}
    borrowed::Vector{Any}

    function Call(binding)
        handle = ccall((:mlpack_binding_call_new, library), Ptr{Cvoid},
                       (Cstring, Cstring), binding, "julia")
        handle == C_NULL && error(model_error())
        finalizer(free, new(handle, []))
    end
end

function free(call::Call)
    ccall((:mlpack_binding_call_free, library), Cvoid, (Ptr{Cvoid},),
          call.handle)
    call.handle = C_NULL
end

function check(call::Call, status)
    status == OK && return
    throw_status(status, unsafe_string(ccall(
        (:mlpack_binding_call_error, library), Cstring, (Ptr{Cvoid},),
        call.handle)))
end

check_name(call::Call, name) = check(call, ccall(
    (:mlpack_binding_check_name, library), Cint, (Ptr{Cvoid}, Cstring),
    call.handle, name))

# --- Parameters ------------------------------------------------------------

set_flag(call, name, value) = check(call, ccall(
    (:mlpack_binding_set_flag, library), Cint, (Ptr{Cvoid}, Cstring, Cint),
    call.handle, name, value))

set_int(call, name, value) = check(call, ccall(
    (:mlpack_binding_set_int, library), Cint, (Ptr{Cvoid}, Cstring, Int64),
    call.handle, name, value))

set_double(call, name, value) = check(call, ccall(
    (:mlpack_binding_set_double, library), Cint, (Ptr{Cvoid}, Cstring, Cdouble),
    call.handle, name, value))

set_string(call, name, value) = check(call, ccall(
    (:mlpack_binding_set_string, library), Cint, (Ptr{Cvoid}, Cstring, Cstring),
    call.handle, name, value))

set_ints(call, name, values) = check(call, ccall(
    (:mlpack_binding_set_ints, library), Cint,
    (Ptr{Cvoid}, Cstring, Ptr{Int64}, Csize_t),
    call.handle, name, values, length(values)))

set_doubles(call, name, values) = check(call, ccall(
    (:mlpack_binding_set_doubles, library), Cint,
    (Ptr{Cvoid}, Cstring, Ptr{Cdouble}, Csize_t),
    call.handle, name, values, length(values)))

set_strings(call, name, values) = check(call, ccall(
    (:mlpack_binding_set_strings, library), Cint,
    (Ptr{Cvoid}, Cstring, Ptr{Cstring}, Csize_t),
    call.handle, name, values, length(values)))

set_model(call, name, model) = check(call, ccall(
    (:mlpack_binding_set_model, library), Cint,
    (Ptr{Cvoid}, Cstring, Ptr{Cvoid}), call.handle, name, model.handle))

"Rows and columns are those of the memory, which the flags tell how to take."
function set_matrix(call, name, memory::Array{Float64}, rows, cols, flags)
    push!(call.borrowed, memory)
    check(call, ccall((:mlpack_binding_set_matrix, library), Cint,
        (Ptr{Cvoid}, Cstring, Ptr{Cdouble}, Csize_t, Csize_t, Cint),
        call.handle, name, memory, rows, cols, flags))
end

function set_matrix(call, name, memory::Array{UInt64}, rows, cols, flags)
    push!(call.borrowed, memory)
    check(call, ccall((:mlpack_binding_set_umatrix, library), Cint,
        (Ptr{Cvoid}, Cstring, Ptr{UInt64}, Csize_t, Csize_t, Cint),
        call.handle, name, memory, rows, cols, flags))
end

function set_matrix_info(call, name, memory, rows, cols, flags, counts, names)
    push!(call.borrowed, memory)
    check(call, ccall((:mlpack_binding_set_matrix_info, library), Cint,
        (Ptr{Cvoid}, Cstring, Ptr{Cdouble}, Csize_t, Csize_t, Cint, Ptr{Int64},
         Ptr{Cstring}),
        call.handle, name, memory, rows, cols, flags, counts, names))
end

# --- Results ---------------------------------------------------------------

function get_flag(call, name)
    value = Ref{Cint}(0)
    check(call, ccall((:mlpack_binding_get_flag, library), Cint,
        (Ptr{Cvoid}, Cstring, Ref{Cint}), call.handle, name, value))
    value[] != 0
end

function get_int(call, name)
    value = Ref{Int64}(0)
    check(call, ccall((:mlpack_binding_get_int, library), Cint,
        (Ptr{Cvoid}, Cstring, Ref{Int64}), call.handle, name, value))
    Int(value[])
end

function get_double(call, name)
    value = Ref{Cdouble}(0)
    check(call, ccall((:mlpack_binding_get_double, library), Cint,
        (Ptr{Cvoid}, Cstring, Ref{Cdouble}), call.handle, name, value))
    value[]
end

function get_string(call, name)
    value = Ref{Ptr{UInt8}}(C_NULL)
    check(call, ccall((:mlpack_binding_get_string, library), Cint,
        (Ptr{Cvoid}, Cstring, Ref{Ptr{UInt8}}), call.handle, name, value))
    unsafe_string(value[])
end

"An array of its own with the elements at an address."
copied(memory::Ptr{T}, shape...) where {T} =
    prod(shape) == 0 ? Array{T}(undef, shape) :
        copy(unsafe_wrap(Array, memory, shape))

function get_ints(call, name)
    values, count = Ref{Ptr{Int64}}(C_NULL), Ref{Csize_t}(0)
    check(call, ccall((:mlpack_binding_get_ints, library), Cint,
        (Ptr{Cvoid}, Cstring, Ref{Ptr{Int64}}, Ref{Csize_t}),
        call.handle, name, values, count))
    Vector{Int}(copied(values[], Int(count[])))
end

function get_doubles(call, name)
    values, count = Ref{Ptr{Cdouble}}(C_NULL), Ref{Csize_t}(0)
    check(call, ccall((:mlpack_binding_get_doubles, library), Cint,
        (Ptr{Cvoid}, Cstring, Ref{Ptr{Cdouble}}, Ref{Csize_t}),
        call.handle, name, values, count))
    copied(values[], Int(count[]))
end

function get_strings(call, name)
    values, count = Ref{Ptr{Ptr{UInt8}}}(C_NULL), Ref{Csize_t}(0)
    check(call, ccall((:mlpack_binding_get_strings, library), Cint,
        (Ptr{Cvoid}, Cstring, Ref{Ptr{Ptr{UInt8}}}, Ref{Csize_t}),
        call.handle, name, values, count))
    String[unsafe_string(unsafe_load(values[], i)) for i in 1:count[]]
end

"A matrix as mlpack has it, that is with points in columns."
function get_matrix(call, name)
    values = Ref{Ptr{Cdouble}}(C_NULL)
    rows, cols = Ref{Csize_t}(0), Ref{Csize_t}(0)
    check(call, ccall((:mlpack_binding_get_matrix, library), Cint,
        (Ptr{Cvoid}, Cstring, Ref{Ptr{Cdouble}}, Ref{Csize_t}, Ref{Csize_t}),
        call.handle, name, values, rows, cols))
    copied(values[], Int(rows[]), Int(cols[]))
end

function get_umatrix(call, name)
    values = Ref{Ptr{UInt64}}(C_NULL)
    rows, cols = Ref{Csize_t}(0), Ref{Csize_t}(0)
    check(call, ccall((:mlpack_binding_get_umatrix, library), Cint,
        (Ptr{Cvoid}, Cstring, Ref{Ptr{UInt64}}, Ref{Csize_t}, Ref{Csize_t}),
        call.handle, name, values, rows, cols))
    Matrix{Int}(copied(values[], Int(rows[]), Int(cols[])))
end

"A handle that belongs to the caller, or a null pointer."
function get_model(call, name)
    handle = Ref{Ptr{Cvoid}}(C_NULL)
    check(call, ccall((:mlpack_binding_get_model, library), Cint,
        (Ptr{Cvoid}, Cstring, Ref{Ptr{Cvoid}}), call.handle, name, handle))
    handle[]
end
