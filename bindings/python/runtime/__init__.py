"""Calls an mlpack binding's shared library; the same for every binding."""

from .function import Parameter, binding_function
from .library import Library
from .model import model_class

__all__ = ["Library", "Parameter", "binding_function", "model_class"]
