"""Models: objects of C++ that can be copied, pickled and saved."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
from typing import Any, List, Optional, Type, TypeVar, Union

from .library import FORMATS, RUNTIME, error_text, to_text

Path = Union[str, "os.PathLike[str]"]
Self = TypeVar("Self", bound="Model")


def _format(path: Path) -> int:
    suffix = pathlib.Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(f"cannot tell the format of '{path}': the name must "
                         "end in .bin, .json or .xml")
    return FORMATS[suffix]


class Model:
    """A model of a binding.  Made by a call, or by load()."""

    _library: Any = None
    _handle: Any = None
    # Of its columns, once somebody has asked.
    _names: Optional[List[str]] = None

    def __init__(self) -> None:
        raise TypeError(f"{type(self).__name__} objects are made by training "
                        f"or by {type(self).__name__}.load()")

    @classmethod
    def _wrap(cls: Type[Self], handle: Any) -> Self:
        """The object that owns a handle."""
        model = cls.__new__(cls)
        model._handle = handle
        return model

    def __del__(self) -> None:
        if self._handle:
            self._library.model_free(self._handle)

    def _to_bytes(self, form: int = 0) -> bytes:
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        library = self._library
        library.check_model(library.model_save(
            self._handle, form, ctypes.byref(data), ctypes.byref(size)))
        try:
            return ctypes.string_at(data, size.value)
        finally:
            library.bytes_free(data)

    @classmethod
    def _from_bytes(cls: Type[Self], data: bytes, form: int = 0) -> Self:
        handle = ctypes.c_void_p()
        library = cls._library
        library.check_model(library.model_load(
            cls.__name__.encode(), form, data, len(data),
            ctypes.byref(handle)))
        return cls._wrap(handle.value)

    def _column_names(self) -> List[str]:
        """The names of its columns; none if it does not know them."""
        if self._names is None:
            text = to_text(self._to_bytes(FORMATS[".json"]))
            place = text.find('"encoder": ')
            encoder = {} if place < 0 else json.JSONDecoder().raw_decode(
                text, place + len('"encoder": '))[0]
            self._names = list(encoder.get("names", []))
        return self._names

    def __reduce__(self) -> Any:
        return type(self)._from_bytes, (self._to_bytes(),)

    def __copy__(self: Self) -> Self:
        handle = ctypes.c_void_p()
        library = self._library
        library.check_model(library.model_clone(self._handle,
                                                ctypes.byref(handle)))
        return self._wrap(handle.value)

    def __deepcopy__(self: Self, memo: Any) -> Self:
        return self.__copy__()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self._to_bytes())} bytes>"

    def save(self, path: Path) -> None:
        """Write to a file that the program and other languages can load.

        The name must end in .bin, .json or .xml.  An existing file is replaced
        only when the new one is complete.
        """
        form = _format(path)
        os.stat(os.path.dirname(os.path.abspath(path)))
        library = self._library
        status = library.model_write(self._handle, form, os.fsencode(path))
        if status == RUNTIME:
            raise OSError(error_text(library.model_error()))
        library.check_model(status)

    @classmethod
    def load(cls: Type[Self], path: Path) -> Self:
        """Read a file that save(), the program or another language wrote."""
        form = _format(path)
        data = pathlib.Path(path).read_bytes()
        try:
            return cls._from_bytes(data, form)
        except ValueError as error:
            raise ValueError(f"'{path}': {error}") from None


def model_class(library: Any, name: str, module: str) -> type:
    """Make the class for one type of models."""
    return type(name, (Model,), {
        "__module__": module,
        "__doc__": f"A model of type {name}.  Models can be copied and "
                   "pickled.",
        "_library": library,
    })
