"""What the bindings of a shared library say of themselves."""

import ctypes
import json
import pathlib
import re
import textwrap
from dataclasses import dataclass
from typing import Any, Optional

ABI_VERSION = 2
PROMPTS = ("$ ", ">>> ", "R> ", "julia> ")


@dataclass
class Parameter:
    """One parameter; the fields are explained in bindings/README.md."""

    name: str
    kind: str
    input: bool
    required: bool
    persistent: bool
    alias: str
    transposed: bool
    default: Any
    model_type: Optional[str]
    description: str
    spelling: str
    mention: str
    default_text: str
    type: str
    type_doc: str


def describe(library, dialect):
    """All bindings of a library, described in one dialect.  The library is
    called libmlpack_<package>, and the binding of that name comes first."""
    lib = ctypes.CDLL(library)
    version = lib.mlpack_binding_abi_version()
    if version != ABI_VERSION:
        raise SystemExit(f"{library}: ABI version {version}, but the "
                         f"generator knows {ABI_VERSION}")
    lib.mlpack_binding_names.restype = ctypes.c_char_p
    names = lib.mlpack_binding_names().decode().split()
    package = pathlib.Path(library).stem[len("libmlpack_"):]
    names.sort(key=lambda name: (name != package, name))
    return [Description(library, name, dialect) for name in names]


class Description:
    """A binding, described in one dialect."""

    def __init__(self, library, name, dialect):
        lib = ctypes.CDLL(library)
        lib.mlpack_binding_describe.restype = ctypes.c_char_p
        lib.mlpack_binding_model_error.restype = ctypes.c_char_p
        text = lib.mlpack_binding_describe(name.encode(), dialect.encode())
        if text is None:
            raise SystemExit(f"{library}: "
                             + lib.mlpack_binding_model_error().decode())
        self.__dict__.update(json.loads(text.decode()))
        self.parameters = [Parameter(**p) for p in self.parameters]

    @property
    def inputs(self):
        """Input parameters, required ones first."""
        inputs = [p for p in self.parameters if p.input]
        return sorted(inputs, key=lambda p: not p.required)

    @property
    def outputs(self):
        """Output parameters."""
        return [p for p in self.parameters if not p.input]

    @property
    def model_types(self):
        """Classes of models among the parameters, each once."""
        types = [p.model_type for p in self.parameters if p.model_type]
        return list(dict.fromkeys(types))


def paragraphs(text):
    """Split documentation into pairs (is it code?, paragraph)."""
    for part in text.split("\n\n"):
        part = part.strip("\n")
        if part.strip():
            yield part.startswith(PROMPTS), part


def mark_names(text, mark):
    """Documentation with what is in quotes, like names, put into `mark`."""
    return re.sub(r"(?<![\w'])'([^'\s](?:[^'\n]*[^'\s])?)'(?![\w'])",
                  lambda match: mark.format(match.group(1)), text)


def fill(text, width=79, indent="", first=None):
    """Wrap documentation to a width; code stays as it is."""
    result = []
    for is_code, part in paragraphs(text):
        if is_code:
            result.append(textwrap.indent(part, indent))
        else:
            lines = []
            for line in part.split("\n"):
                lead = indent if first is None or result or lines else first
                lines.append(textwrap.fill(
                    " ".join(line.split()), width, initial_indent=lead,
                    subsequent_indent=indent, break_long_words=False,
                    break_on_hyphens=False))
            result.append("\n".join(lines))
    return "\n\n".join(result)
