"""The C interface of the bindings' library (bindings/library/abi.h)."""

import ctypes
import pathlib
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, \
    c_size_t, c_uint64, c_void_p

from .ranks import SendFunction

ABI_VERSION = 2

INVALID, TYPE, UNKNOWN, RUNTIME, INTERRUPTED, MEMORY = range(1, 7)
COPY, BORROW, TRANSPOSE, KEEP_ORDER = 0, 1, 2, 4
INFO, WARN = 1, 2
FORMATS = {".bin": 0, ".json": 1, ".xml": 2}

ERRORS = {
    INVALID: ValueError,
    TYPE: TypeError,
    UNKNOWN: TypeError,
    RUNTIME: RuntimeError,
    INTERRUPTED: KeyboardInterrupt,
    MEMORY: MemoryError,
}

LogFunction = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p)

# Arguments after the call and the name of the parameter.
_SETTERS = {
    "flag": [c_int],
    "int": [c_int64],
    "double": [c_double],
    "string": [c_char_p],
    "ints": [POINTER(c_int64), c_size_t],
    "doubles": [POINTER(c_double), c_size_t],
    "strings": [POINTER(c_char_p), c_size_t],
    "matrix": [c_void_p, c_size_t, c_size_t, c_int],
    "umatrix": [c_void_p, c_size_t, c_size_t, c_int],
    "matrix_info": [c_void_p, c_size_t, c_size_t, c_int, POINTER(c_int64),
                    POINTER(c_char_p)],
    "model": [c_void_p],
}
_GETTERS = {
    "flag": [c_int],
    "int": [c_int64],
    "double": [c_double],
    "string": [c_char_p],
    "ints": [POINTER(c_int64), c_size_t],
    "doubles": [POINTER(c_double), c_size_t],
    "strings": [POINTER(c_char_p), c_size_t],
    "matrix": [POINTER(c_double), c_size_t, c_size_t],
    "umatrix": [POINTER(c_uint64), c_size_t, c_size_t],
    "model": [c_void_p],
}


def error_text(text):
    """What an error says, which may quote bytes that are not UTF-8."""
    return text.decode(errors="replace")


def to_text(data):
    """A text; bytes that are not UTF-8 come back by to_bytes()."""
    return data.decode(errors="surrogateescape")


def to_bytes(text):
    """The bytes of a text."""
    return text.encode(errors="surrogateescape")


class Library:
    """The bindings' shared library, which lies beside this package's parent."""

    def __init__(self, name):
        path = pathlib.Path(__file__).resolve().parent.parent / name
        self.c = ctypes.CDLL(str(path))
        if self.c.mlpack_binding_abi_version() != ABI_VERSION:
            raise ImportError(f"{path} has another ABI version than this "
                              "package")
        self._declare("call_new", c_void_p, c_char_p, c_char_p)
        self._declare("call_free", None, c_void_p)
        self._declare("call_error", c_char_p, c_void_p)
        self._declare("check_name", c_int, c_void_p, c_char_p)
        self._declare("call_on_log", None, c_void_p, LogFunction, c_void_p)
        self._declare("call_on_ranks", None, c_void_p, c_size_t, c_size_t,
                      SendFunction, SendFunction, SendFunction, c_void_p)
        self._declare("call_interrupt", None, c_void_p)
        self._declare("call_run", c_int, c_void_p)
        self._declare("call_log", c_char_p, c_void_p, c_int)
        for kind, types in _SETTERS.items():
            self._declare("set_" + kind, c_int, c_void_p, c_char_p, *types)
        for kind, types in _GETTERS.items():
            self._declare("get_" + kind, c_int, c_void_p, c_char_p,
                          *map(POINTER, types))
        self._declare("model_error", c_char_p)
        self._declare("model_save", c_int, c_void_p, c_int, POINTER(c_void_p),
                      POINTER(c_size_t))
        self._declare("model_write", c_int, c_void_p, c_int, c_char_p)
        self._declare("model_load", c_int, c_char_p, c_int, c_char_p, c_size_t,
                      POINTER(c_void_p))
        self._declare("model_clone", c_int, c_void_p, POINTER(c_void_p))
        self._declare("model_free", None, c_void_p)
        self._declare("bytes_free", None, c_void_p)

    def _declare(self, name, result, *arguments):
        function = getattr(self.c, "mlpack_binding_" + name)
        function.restype = result
        function.argtypes = arguments
        setattr(self, name, function)

    def check_model(self, status):
        """Raise what a function without a call has failed with."""
        if status:
            raise ERRORS[status](error_text(self.model_error()))


class Call:
    """One call of a binding."""

    def __init__(self, library, binding):
        self.library = library
        self.handle = library.call_new(binding.encode(), b"python")
        if not self.handle:
            raise MemoryError(error_text(library.model_error()))
        # Whatever the library borrows must live as long as the call.
        self.borrowed = []

    def __del__(self):
        if getattr(self, "handle", None):
            self.library.call_free(self.handle)

    def check(self, status):
        """Raise the exception that belongs to a status."""
        if status:
            raise ERRORS[status](error_text(
                self.library.call_error(self.handle)))

    def check_name(self, name):
        """Raise TypeError, with the nearest name, for an unknown input."""
        self.check(self.library.check_name(self.handle, to_bytes(name)))

    def set(self, kind, name, *values):
        """Set a parameter."""
        self.borrowed.extend(values)
        setter = getattr(self.library, "set_" + kind)
        self.check(setter(self.handle, name.encode(), *values))

    def get(self, kind, name):
        """Get the value, or the tuple of values, of a parameter."""
        values = [ctype() for ctype in _GETTERS[kind]]
        getter = getattr(self.library, "get_" + kind)
        self.check(getter(self.handle, name.encode(), *map(byref, values)))
        values = [getattr(v, "value", v) for v in values]
        return values[0] if len(values) == 1 else tuple(values)
