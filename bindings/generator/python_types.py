"""The types of parameters, as Python's type hints have them."""

# An empty list as a default would be shared by all calls.
NO_DEFAULT = (None, [])

INPUTS = {
    "flag": "bool",
    "int": "int",
    "double": "float",
    "string": "str",
    "ints": "Sequence[int]",
    "doubles": "Sequence[float]",
    "strings": "Sequence[str]",
}
OUTPUTS = {
    "flag": "bool",
    "int": "int",
    "double": "float",
    "string": "str",
    "ints": "List[int]",
    "doubles": "List[float]",
    "strings": "List[str]",
}


def takes_list(parameter):
    """True for a text of values separated by commas, which may be a list."""
    return parameter.kind == "string" and \
        "separated by commas" in " ".join(parameter.description.split())


def default(parameter):
    """The default as it stands in a signature."""
    if parameter.default in NO_DEFAULT:
        return "None"
    return parameter.default_text


def input_type(parameter):
    """The type of what may be given; tables may be nearly anything."""
    if parameter.kind == "model":
        return parameter.model_type
    if takes_list(parameter):
        return "Union[str, Sequence[float], Mapping[Any, float]]"
    return INPUTS.get(parameter.kind, "Any")


def output_type(parameter):
    """The type of a result."""
    if parameter.kind == "model":
        return parameter.model_type
    return OUTPUTS.get(parameter.kind, "NDArray[Any]")
