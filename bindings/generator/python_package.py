"""Prints the Python package of a library's bindings.

<output>/mlpack_<name>/     the package: runtime, library, generated modules
<output>/pyproject.toml     makes <output> installable with pip
"""

import ast
import shutil
import string

from description import describe, fill
from python_constructors import constructors
from python_stubs import module_stub, package_stub
from python_types import arguments, default, takes_list

HEADER = '''\
"""{title}.

Generated from the binding `{name}`; do not edit.
"""

from ._runtime import Library, Parameter, binding_function, model_class

_library = Library("{library}")
'''


def _signature(binding):
    """The parameters as they stand in the function's definition."""
    lines = []
    for p in arguments(binding):
        value = "" if p.required else "=" + default(p)
        lines.append(f"    {p.spelling}{value},\n")
    return "    *,\n" + "".join(lines)


def _parameter_doc(p):
    """One entry of the docstring's list of parameters."""
    optional = "" if p.required else ", optional"
    note = ""
    if p.input and p.default not in (None, "", []):
        note = f"  Default: {p.default_text}."
    name = p.spelling if p.input else p.name
    kind = p.type + (" or list" if takes_list(p) else "")
    kind += optional if p.input else ""
    return (f"{name} : {kind}\n"
            + fill(p.description + note, 75, "    "))


def docstring(binding):
    """The documentation of the function, as NumPy's style wants it."""
    parts = [binding.title + ".", fill(binding.short_description, 75),
             fill(binding.long_description, 75)]
    parts.append("Parameters\n----------\n"
                 + "\n".join(_parameter_doc(p) for p in arguments(binding)))
    parts.append("Returns\n-------\ndict\n    With the keys\n\n"
                 + "\n".join(_parameter_doc(p) for p in binding.outputs))
    examples = "\n\n".join(fill(e, 75) for e in binding.examples)
    if examples:
        imported = binding.__dict__["import"]
        parts.append(f"Examples\n--------\n>>> {imported}\n\n{examples}")
    return "\n\n".join(parts)


def _table(binding):
    """The parameters as the runtime wants them."""
    rows = []
    for p in binding.parameters:
        rows.append(f"    Parameter({p.name!r}, {p.spelling!r}, {p.kind!r},\n"
                    f"              {p.input}, {p.transposed}, "
                    f"{p.model_type!r}, {p.type!r}),\n")
    return "_parameters = [\n" + "".join(rows) + "]\n"


def module(binding, library):
    """The text of the generated module."""
    text = HEADER.format(title=binding.title, name=binding.name,
                         library=library)
    for model in binding.model_types:
        text += f'\n{model} = model_class(_library, "{model}", __name__)\n'
    models = ", ".join(f'"{m}": {m}' for m in binding.model_types)
    text += f"_models = {{{models}}}\n\n" + _table(binding) + "\n\n"
    doc = docstring(binding).replace("\\", "\\\\").replace('"""', '\\"""')
    doc = "\n".join(("    " + line).rstrip() for line in doc.split("\n"))
    text += "@binding_function(_library, _parameters, _models)\n"
    text += f"def {binding.name}(\n{_signature(binding)}):\n"
    text += '    """' + doc.strip() + '\n    """\n'
    return text


def _exported(path):
    """The names that a fixed module lists in __all__."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            return ast.literal_eval(node.value)
    return []


def package_init(title, early, late, version):
    """The text of __init__.py.

    early and late are the names that modules export; modules with dependencies
    are loaded late.
    """
    text = f'"""{title} for Python."""\n\n'
    for module, names in early.items():
        text += f"from .{module} import {', '.join(names)}\n"
    exported = [name for names in (*early.values(), *late.values())
                for name in names]
    text += f'\n__version__ = "{version}"\n'
    text += "\n__all__ = [\n" + "".join(
        f'    "{name}",\n' for name in exported) + "]\n"
    if late:
        text += "\n_late = {\n" + "".join(
            f'    "{name}": "{module}",\n'
            for module, names in late.items() for name in names) + "}\n" + LATE
    return text


LATE = '''

def __getattr__(name):
    # These need packages that the rest does not.
    if name not in _late:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib
    try:
        module = importlib.import_module("." + _late[name], __name__)
    except ModuleNotFoundError as error:
        raise ImportError(f"{name} needs the package {error.name}, which is "
                          "not installed", name=error.name) from error
    return getattr(module, name)


def __dir__():
    return sorted(set(globals()) | set(__all__))
'''


def generate(arguments):
    bindings = describe(arguments.library, "python")
    binding = bindings[0]
    package = arguments.output / f"mlpack_{binding.name}"
    package.mkdir(parents=True, exist_ok=True)
    library = f"libmlpack_{binding.name}.so"
    shutil.copyfile(arguments.library, package / library)
    runtime = package / "_runtime"
    runtime.mkdir(exist_ok=True)
    for path in (arguments.templates / "runtime").glob("*.py"):
        shutil.copyfile(path, runtime / path.name)
    own = arguments.templates / binding.name
    extras = sorted(own.glob("*.py"))
    for path in extras:
        shutil.copyfile(path, package / path.name)
    for each in bindings:
        (package / f"_{each.name}.py").write_text(module(each, library))
        (package / f"_{each.name}.pyi").write_text(module_stub(each))
    if (own / "constructors.json").exists():
        (package / "_constructors.py").write_text(
            constructors(binding, own / "constructors.json"))

    early = {f"_{b.name}": [b.name] + b.model_types for b in bindings}
    late = {path.stem: _exported(path) for path in extras if _exported(path)}
    (package / "__init__.py").write_text(package_init(
        binding.title, early, late, arguments.version))
    (package / "__init__.pyi").write_text(package_stub({**early, **late}))
    (package / "py.typed").write_text("")

    shutil.copyfile(arguments.templates / "wheel_backend.py",
                    arguments.output / "wheel_backend.py")
    project = string.Template(
        (arguments.templates / "pyproject.toml.in").read_text())
    (arguments.output / "pyproject.toml").write_text(project.substitute(
        name=binding.name, version=arguments.version,
        summary=binding.short_description.replace('"', "'")))
