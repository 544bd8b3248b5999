"""Prints the constructors of estimators, from what a binding can be told.

bindings/python/<binding>/constructors.json lists the classes, the parameters
that they leave out, and those that they have besides.  All others that are
plain values are theirs.
"""

import json

from description import fill
from python_types import INPUTS, NO_DEFAULT, default, takes_list

HEADER = '''\
"""The parameters of the estimators: those of {name}() that shape a model.

Generated from the binding `{name}`; do not edit.
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union
'''
PLAIN = ("flag", "int", "double", "string", "ints")


def _entry(parameter):
    """A parameter of the binding as one of a constructor."""
    entry = {"name": parameter.spelling, "default": default(parameter),
             "type": INPUTS[parameter.kind], "shown": parameter.type,
             "description": parameter.description}
    if takes_list(parameter):
        values = [float(v) for v in parameter.default.split(",") if v]
        entry.update(type="Sequence[float]", shown="list of float",
                     default=repr(tuple(values) or None))
        entry["description"] = parameter.description.replace(
            ", separated by commas", "")
    if entry["default"] == "None":
        entry["type"] = f"Optional[{entry['type']}]"
    elif parameter.default not in NO_DEFAULT + ("",):
        entry["description"] += f"  Default: {entry['default']}."
    return entry


def _entries(binding, left_out, more):
    return [_entry(p) for p in binding.inputs
            if p.kind in PLAIN and p.name not in left_out] + more


def _class(name, entries):
    doc = "\n".join(
        f"{e['name']} : {e['shown']}, optional\n"
        + fill(e["description"], 75, "    ") for e in entries)
    doc = "\n".join(("    " + line).rstrip() for line in doc.split("\n"))
    text = f'\n\nclass {name}:\n    """Parameters\n    ----------\n'
    text += doc + '\n    """\n\n    def __init__(\n        self,\n        *,\n'
    text += "".join(f"        {e['name']}: {e['type']} = {e['default']},\n"
                    for e in entries)
    text += "    ) -> None:\n"
    return text + "".join(f"        self.{e['name']} = {e['name']}\n"
                          for e in entries)


def constructors(binding, path):
    """The text of the module with a class for each constructor."""
    wanted = json.loads(path.read_text())
    text = HEADER.format(name=binding.name)
    for name, own in wanted["classes"].items():
        text += _class(name, _entries(
            binding, wanted["leave_out"] + own["leave_out"],
            own["more"] + wanted["more"]))
    return text
