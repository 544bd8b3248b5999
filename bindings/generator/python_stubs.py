"""Prints the stubs of generated modules, which tell the types to tools.

What is written by hand has its type hints in place.
"""

from python_types import arguments, default, input_type, output_type

HEADER = """\
# Generated from the binding `{name}`; do not edit.

from typing import Any, List, Mapping, Optional, Sequence, TypedDict, Union

from numpy.typing import NDArray

from ._runtime.model import Model

"""


def _argument(parameter):
    """A parameter as it stands in the stub of a function."""
    kind = input_type(parameter)
    if parameter.required:
        return f"    {parameter.spelling}: {kind},\n"
    if kind != "Any":
        kind = f"Optional[{kind}]"
    return f"    {parameter.spelling}: {kind} = {default(parameter)},\n"


def module_stub(binding):
    """The stub of the module with a binding's function."""
    text = HEADER.format(name=binding.name)
    for model in binding.model_types:
        text += f"class {model}(Model): ...\n\n"
    text += "class _Results(TypedDict):\n"
    text += "".join(f"    {p.name}: {output_type(p)}\n"
                    for p in binding.outputs)
    text += f"\ndef {binding.name}(\n    *,\n"
    text += "".join(_argument(p) for p in arguments(binding))
    return text + ") -> _Results: ...\n"


def package_stub(modules):
    """The stub of __init__.py: what is loaded late is there as well."""
    names = [name for exported in modules.values() for name in exported]
    text = "".join(
        f"from .{module} import {name} as {name}\n"
        for module, exported in modules.items() for name in exported)
    listed = "".join(f'    "{name}",\n' for name in names)
    return f"{text}\n__version__: str\n\n__all__ = [\n{listed}]\n"
