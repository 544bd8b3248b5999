"""Prints the Julia package of a library's bindings.

<output>/Mlpack<NAME>/      the package: module, library, Project.toml, tests
"""

import shutil
import string
import uuid

from description import describe, fill, mark_names, paragraphs

MODULE = '''\
# Generated from {names}; do not edit.

"{title} for Julia."
module {package}

using LinearAlgebra: Adjoint, Transpose
using Serialization

export {exports}

const library = joinpath(dirname(@__DIR__), "lib", "{library}")

include("library.jl")
include("convert.jl")
include("model.jl")
include("call.jl")
'''
MODEL = '''
"A model of type `{name}`.  Models can be copied and serialized."
mutable struct {name} <: Model
    handle::Ptr{{Cvoid}}
    {name}(handle::Ptr{{Cvoid}}) = owned(new(handle))
end
'''
READ = '''
read_model(path::AbstractString) = read_model({name}, path)
'''
POINTS_ARE_ROWS = (
    "`points_are_rows::Bool`: whether matrices have one point per row, as is "
    "usual in Julia, or one per column, as mlpack keeps them, which saves "
    "turning them around.  Default: `true`.")


def _string(text):
    """A string of Julia."""
    for old, new in (("\\", "\\\\"), ('"', '\\"'), ("$", "\\$")):
        text = text.replace(old, new)
    return '"' + text + '"'


def _default(p):
    """The default of a plain value; `missing` if there is none."""
    if p.kind == "double":
        number = repr(float("nan" if p.default is None else p.default))
        return number.replace("inf", "Inf").replace("nan", "NaN")
    texts = {"flag": lambda x: str(bool(x)).lower(), "int": str,
             "string": _string}
    return texts[p.kind](p.default) if p.kind in texts else "missing"


def _table(binding):
    """The parameters as call.jl wants them."""
    rows = []
    for p in binding.parameters:
        rows.append(
            f"    Parameter({_string(p.name)}, :{p.spelling}, :{p.kind}, "
            f"{str(p.input).lower()},\n"
            f"              {str(p.transposed).lower()}, "
            f"{p.model_type or 'nothing'}, {_string(p.type)}, "
            f"{_default(p)}),\n")
    return f"\nconst {binding.name}_parameters = [\n" + "".join(rows) + "]\n"


def _list(begin, items, end):
    """Items between brackets, broken into lines."""
    lines = [begin]
    for i, item in enumerate(items):
        text = item + (end if i + 1 == len(items) else ",")
        if i > 0 and len(lines[-1]) + 1 + len(text) > 79:
            lines.append(" " * len(begin) + text)
        else:
            lines[-1] += (" " if i > 0 else "") + text
    return "\n".join(lines)


def _function(binding):
    """The function of the binding.  Every default is `missing`: the binding
    wants to know what was given."""
    names = [p.spelling for p in binding.inputs]
    keywords = [p.spelling + ("" if p.required else " = missing")
                for p in binding.inputs]
    keywords += ["points_are_rows::Bool = true", "unknown..."]
    text = _list(f"function {binding.name}(; ", keywords, ")\n")
    text += _list("    values = (", [f"{n} = {n}" for n in names], ",)\n")
    return "\n" + text + (
        f"    run_binding({_string(binding.name)}, {binding.name}_parameters, "
        "values,\n                unknown, points_are_rows)\nend\n")


# --- Documentation -------------------------------------------------------

def _item(p):
    name = p.spelling if p.input else p.name
    default = ""
    if p.input and p.default not in (None, "", []):
        default = f"  Default: `{p.default_text}`."
    description = mark_names(p.description, "`{}`")
    return fill(f"`{name}` ({p.type}): {description}{default}", 78, "   ",
                " - ")


def _prose(text):
    """Documentation; calls in it become blocks of code."""
    return "\n\n".join(
        f"```julia-repl\n{part}\n```" if is_code
        else fill(mark_names(part, "`{}`"), 78)
        for is_code, part in paragraphs(text))


def docstring(binding):
    """The documentation of the function."""
    parts = [f"    {binding.name}(; keywords...)", binding.title + ".",
             _prose(binding.short_description),
             _prose(binding.long_description), "# Keywords",
             "\n".join([_item(p) for p in binding.inputs]
                       + [fill(POINTS_ARE_ROWS, 78, "   ", " - ")]),
             "# Result", "A named tuple with",
             "\n".join(_item(p) for p in binding.outputs)]
    if binding.examples:
        parts += ["# Examples"] + [_prose(e) for e in binding.examples]
    text = "\n\n".join(parts).replace('"""', '\\"""')
    return f'\n@doc raw"""\n{text}\n"""\n{binding.name}\n'


def module(bindings, package, library, more):
    """The text of the generated module; `more` are files that it includes."""
    functions = [binding.name for binding in bindings]
    types = list(dict.fromkeys(name for binding in bindings
                               for name in binding.model_types))
    names = functions + types
    if types:
        names += ["read_model", "write_model"]
    text = MODULE.format(names=", ".join(functions), title=bindings[0].title,
                         package=package, library=library,
                         exports=", ".join(names))
    for name in types:
        text += MODEL.format(name=name)
    if types:
        text += READ.format(name=types[0])
    for binding in bindings:
        text += _table(binding) + _function(binding) + docstring(binding)
    text += "".join(f'\ninclude("{name}")\n' for name in more)
    return text + "\nend\n"


def generate(arguments):
    bindings = describe(arguments.library, "julia")
    binding = bindings[0]
    package = f"Mlpack{binding.name.upper()}"
    folder = arguments.output / package
    if folder.exists():
        shutil.rmtree(folder)
    for name in ("src", "lib"):
        (folder / name).mkdir(parents=True)
    library = f"libmlpack_{binding.name}.so"
    shutil.copyfile(arguments.library, folder / "lib" / library)
    for path in (arguments.templates / "src").glob("*.jl"):
        shutil.copyfile(path, folder / "src" / path.name)
    # Files for this binding only: tests, extensions and more of the module.
    own = arguments.templates / binding.name
    for name in ("test", "ext"):
        if (own / name).exists():
            shutil.copytree(own / name, folder / name)
    more = sorted(path.name for path in (own / "src").glob("*.jl"))
    for name in more:
        shutil.copyfile(own / "src" / name, folder / "src" / name)
    (folder / "src" / f"{package}.jl").write_text(
        module(bindings, package, library, more))
    project = (arguments.templates / "Project.toml.in").read_text()
    if (own / "Project.toml").exists():
        project += "\n" + (own / "Project.toml").read_text()
    project = string.Template(project)
    (folder / "Project.toml").write_text(project.substitute(
        package=package, version=arguments.version,
        uuid=uuid.uuid5(uuid.NAMESPACE_URL, "mlpack/bindings/" + package)))
