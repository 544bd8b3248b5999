"""The parameters of functions and their types, as Python has them."""

from description import Parameter

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


# Columns, which may be called by their numbers.
COLUMNS = ("target", "dependence")

# Bindings that several processes can call together, over mpi4py.
SHARED = ("gbnn",)
COMMUNICATOR = Parameter(
    name="communicator", kind="communicator", input=True, required=False,
    persistent=False, alias="", transposed=False, default=None,
    model_type=None, description="Processes that train together, such as "
    "MPI.COMM_WORLD of mpi4py; each has its own rows of the training data.",
    spelling="communicator", mention="communicator", default_text="",
    type="mpi4py.MPI.Comm", type_doc="")


def arguments(binding):
    """What the function of a binding takes."""
    return binding.inputs + ([COMMUNICATOR] if binding.name in SHARED else [])


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
    if parameter.kind == "string" and parameter.name in COLUMNS:
        return "Union[str, int]"
    return INPUTS.get(parameter.kind, "Any")


def output_type(parameter):
    """The type of a result."""
    if parameter.kind == "model":
        return parameter.model_type
    return OUTPUTS.get(parameter.kind, "NDArray[Any]")
