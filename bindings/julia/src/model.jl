# Models: objects of C++ that can be copied, serialized and written to files.

"A model of a binding: made by a call, or by `read_model()`."
abstract type Model end

# Each type of models is a mutable struct with a field `handle`, whose
# constructor calls this.
owned(model::Model) = finalizer(free, model)

function free(model::Model)
    ccall((:mlpack_binding_model_free, library), Cvoid, (Ptr{Cvoid},),
          model.handle)
    model.handle = C_NULL
end

"A model as bytes in one of the formats of model files."
function to_bytes(model::Model, format = FORMATS[".bin"])
    memory, size = Ref{Ptr{UInt8}}(C_NULL), Ref{Csize_t}(0)
    GC.@preserve model check_model(ccall(
        (:mlpack_binding_model_save, library), Cint,
        (Ptr{Cvoid}, Cint, Ref{Ptr{UInt8}}, Ref{Csize_t}),
        model.handle, format, memory, size))
    bytes = copied(memory[], Int(size[]))
    ccall((:mlpack_binding_bytes_free, library), Cvoid, (Ptr{UInt8},),
          memory[])
    bytes
end

"The model of a type that bytes hold."
function from_bytes(T::Type{<:Model}, bytes, format = FORMATS[".bin"])
    handle = Ref{Ptr{Cvoid}}(C_NULL)
    check_model(ccall((:mlpack_binding_model_load, library), Cint,
        (Cstring, Cint, Ptr{UInt8}, Csize_t, Ref{Ptr{Cvoid}}),
        string(nameof(T)), format, bytes, length(bytes), handle))
    T(handle[])
end

function Base.copy(model::T) where {T <: Model}
    handle = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve model check_model(ccall(
        (:mlpack_binding_model_clone, library), Cint,
        (Ptr{Cvoid}, Ref{Ptr{Cvoid}}), model.handle, handle))
    T(handle[])
end

Base.deepcopy_internal(model::Model, known::IdDict) =
    get!(() -> copy(model), known, model)

Base.show(io::IO, model::Model) =
    print(io, nameof(typeof(model)), "(", length(to_bytes(model)), " bytes)")

function Serialization.serialize(s::AbstractSerializer, model::Model)
    Serialization.serialize_type(s, typeof(model))
    serialize(s, to_bytes(model))
end

Serialization.deserialize(s::AbstractSerializer, T::Type{<:Model}) =
    from_bytes(T, deserialize(s))

# --- Files -----------------------------------------------------------------

function file_format(path)
    format = get(FORMATS, lowercase(splitext(path)[2]), nothing)
    format === nothing && throw(ArgumentError(
        "cannot tell the format of '$path': the name must end in .bin, .json " *
        "or .xml"))
    format
end

"""
    write_model(path, model)

Write a model to a file that the command-line program and other languages can
read, too.  The name must end in `.bin`, `.json` or `.xml`.  An existing file is
replaced only when the new one is complete.
"""
function write_model(path::AbstractString, model::Model)
    format = file_format(path)
    GC.@preserve model check_model(ccall(
        (:mlpack_binding_model_write, library), Cint,
        (Ptr{Cvoid}, Cint, Cstring), model.handle, format, path))
    path
end

"""
    read_model([type,] path)

Read a model that `write_model()`, the command-line program or another language
has written.
"""
function read_model(T::Type{<:Model}, path::AbstractString)
    format = file_format(path)
    bytes = read(path)
    try
        from_bytes(T, bytes, format)
    catch e
        e isa ArgumentError || rethrow()
        throw(ArgumentError("'$path': $(e.msg)"))
    end
end
