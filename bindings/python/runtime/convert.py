"""Python values to parameters of a binding, and results back."""

import ctypes
import decimal
import math
import numbers
import operator
import os

import numpy as np

from .library import BORROW, KEEP_ORDER, TRANSPOSE, to_bytes

VECTORS = ("row", "col", "urow", "ucol")
UNSIGNED = ("umatrix", "urow", "ucol")
NO_TIMES = "dates and times are not supported; turn them into numbers first"


class Mismatch(TypeError):
    """A value that cannot be made what its parameter is."""


def is_missing(value):
    """True for None, NaN, and pandas' NA and NaT."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ in ("NAType", "NaTType")


def is_number(value):
    """True for numbers; booleans are none."""
    return isinstance(value, (numbers.Real, decimal.Decimal)) \
        and not isinstance(value, (bool, np.bool_))


# --- Plain values --------------------------------------------------------

def to_flag(value):
    if not isinstance(value, (bool, np.bool_)):
        raise Mismatch
    return int(value)


def to_int(value):
    if isinstance(value, (bool, np.bool_)):
        raise Mismatch
    try:
        number = operator.index(value)
    except TypeError:
        raise Mismatch from None
    if not -2**63 <= number < 2**63:
        raise ValueError("must fit into 32 bits")
    return number


def to_double(value):
    if not is_number(value):
        raise Mismatch
    return float(value)


def _quoted(text):
    """A label as it is, or in double quotes if it could be misread."""
    if "," not in text and not text.startswith('"'):
        return text
    return '"' + text.replace('"', '""') + '"'


def _listed(value):
    """Numbers separated by commas, of a list; pairs a:b, of a dict."""
    if isinstance(value, dict):
        return ",".join(f"{_quoted(str(key))}:{float(number)!r}"
                        for key, number in value.items())
    return ",".join(repr(float(number)) for number in value)


def to_string(value):
    """A text or a path; a list of numbers, or a dict, is one with commas."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, (list, tuple, dict, np.ndarray)):
        try:
            value = _listed(value)
        except (TypeError, ValueError):
            raise Mismatch("a list must hold numbers") from None
    if not isinstance(value, str):
        raise Mismatch
    if "\0" in value:
        raise ValueError("must not hold a zero byte")
    return to_bytes(value)


def _to_list(value, convert, ctype):
    if isinstance(value, (str, bytes)):
        raise Mismatch
    try:
        items = [convert(item) for item in value]
    except TypeError:
        raise Mismatch from None
    return (ctype * len(items))(*items), len(items)


def to_ints(value):
    return _to_list(value, to_int, ctypes.c_int64)


def to_doubles(value):
    return _to_list(value, to_double, ctypes.c_double)


def to_strings(value):
    return _to_list(value, to_string, ctypes.c_char_p)


# --- Matrices ------------------------------------------------------------

def is_frame(value):
    """True for a pandas DataFrame; pandas itself need not be there."""
    return hasattr(value, "columns") and hasattr(value, "dtypes") \
        and hasattr(value, "iloc")


def _is_series(value):
    return hasattr(value, "dtype") and hasattr(value, "iloc")


def _kinds(value):
    """The kinds of what columns hold, or of their categories."""
    if not hasattr(value, "dtype") and not is_frame(value):
        return ""
    types = value.dtypes if is_frame(value) else [value.dtype]
    types = [getattr(getattr(t, "categories", None), "dtype", t)
             for t in types]
    return "".join(getattr(t, "kind", "O") for t in types)


def check_times(value):
    """Refuse arrays, series and frames of dates, which would be numbers."""
    if set(_kinds(value)) & set("mM"):
        raise Mismatch(NO_TIMES)


def unmasked(value):
    """A masked array as a plain one with NaN; anything else as it is."""
    if not isinstance(value, np.ma.MaskedArray):
        return value
    if not np.ma.is_masked(value):
        return np.ma.getdata(value)
    kind = np.float64 if value.dtype.kind in "biuf" else object
    return value.astype(kind).filled(np.nan)


def _as_array(value):
    """Anything array-like as an array of some type."""
    if hasattr(value, "toarray") and hasattr(value, "nnz"):
        raise Mismatch("sparse data is not supported; use .toarray()")
    if isinstance(value, (str, bytes, dict, set)) or value is None:
        raise Mismatch
    check_times(value)
    if is_frame(value) or _is_series(value):
        return _pandas_array(value)
    array = np.asarray(unmasked(value))
    if array.dtype.kind in "US" and not isinstance(value, np.ndarray):
        # NumPy has made words of the numbers in a list of both.
        array = np.asarray(value, dtype=object)
    if array.dtype.kind == "c":
        raise Mismatch("complex data is not supported")
    check_times(array)
    return array


def _pandas_array(value):
    try:
        # Turns pandas' own missing values into NaN.
        return value.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        return value.to_numpy()


def _real(array):
    """The array with elements of float64."""
    try:
        return array.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"must hold numbers: {error}") from None


def _unsigned(array):
    """The array with elements of uint64."""
    if array.dtype.kind == "b" or array.size == 0:
        return array.astype(np.uint64)
    if array.dtype.kind not in "iu":
        real = _real(array)
        if not (np.isfinite(real).all() and (real == np.floor(real)).all()):
            raise ValueError("must hold whole numbers")
        array = real
    if array.min() < 0:
        raise ValueError("must not hold negative numbers")
    return array.astype(np.uint64, copy=False)


def _two_dimensional(array):
    """A list of numbers is a list of points with one dimension."""
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.ndim != 2:
        raise ValueError(f"must have two dimensions, but has {array.ndim}")
    return array


def _layout(array, transposed):
    """The array and what tells the library how its memory lies.

    C order read column by column is the transpose; so points in rows are, in
    C order, just what a transposed parameter wants.
    """
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        array = np.ascontiguousarray(array)
    in_order = array.flags.c_contiguous
    if transposed and array.flags.c_contiguous:
        in_order = True
    elif not transposed and array.flags.f_contiguous:
        in_order = False
    rows, cols = array.shape[::-1] if in_order else array.shape
    flags = BORROW if in_order == transposed else TRANSPOSE
    return array, (array.ctypes.data, rows, cols, flags)


def to_matrix(value, kind, transposed):
    """The array to keep alive and the arguments of the setter."""
    array = _as_array(value)
    array = _unsigned(array) if kind in UNSIGNED else _real(array)
    if kind in VECTORS:
        if array.ndim != 1 and max(array.shape, default=0) != array.size:
            shape = " x ".join(map(str, array.shape)) or \
                "a single number; give a list"
            raise ValueError(f"must have one dimension, but is {shape}")
        array = np.ascontiguousarray(array).reshape(-1)
        return array, (array.ctypes.data, 1, array.size, BORROW)
    return _layout(_two_dimensional(array), transposed)


def _require_category(value, title):
    """Refuse what can be no category, such as dates and bytes."""
    if not isinstance(value, (str, bool, np.bool_)) and \
            not is_number(value) and \
            type(value).__name__ not in ("Interval", "Period"):
        raise Mismatch(f"{title} has a value of type {type(value).__name__}, "
                       "not numbers, words or booleans")


def _category_name(value):
    """What to call a category: numbers as the binding calls them."""
    if not isinstance(value, (float, np.floating)):
        return str(value)
    return str(int(value)) if float(value).is_integer() \
        else np.format_float_positional(value, trim="-")


def _factorize(values, title):
    """Codes and names of the categories of a column."""
    if getattr(values, "dtype", None) == bool:
        return values.astype(np.float64), ["False", "True"]
    names = {}
    codes = np.empty(len(values))
    for i, value in enumerate(values):
        if not isinstance(value, str):
            if is_missing(value):
                codes[i] = math.nan
                continue
            _require_category(value, title)
            value = _category_name(value)
        codes[i] = names.setdefault(str(value), len(names))
    return codes, list(names)


def _column(values, number):
    """A column as numbers and the names of its categories, or None."""
    name = getattr(values, "name", None)
    title = f"column {number if name is None else repr(name)}"
    if hasattr(values, "cat"):
        check_times(values)
        for value in values.cat.categories:
            _require_category(value, title)
        codes = np.asarray(values.cat.codes, dtype=np.float64)
        codes[codes < 0] = math.nan
        return codes, list(map(_category_name, values.cat.categories))
    if _is_series(values):
        check_times(values)
        if getattr(values.dtype, "kind", "O") in "iuf":
            return _real(_pandas_array(values)), None
        # Words, even if all are missing.
        words = type(values.dtype).__name__ == "StringDtype"
        values = values.to_numpy(dtype=object)
        if words:
            return _factorize(values, title)
    if all(is_number(v) or is_missing(v) for v in values):
        return np.array([math.nan if is_missing(v) else float(v)
                         for v in values]), None
    return _factorize(values, title)


def has_categories(value):
    """True for a data frame with columns that do not hold numbers."""
    if is_frame(value):
        return any(getattr(t, "kind", "O") not in "iuf" or
                   type(t).__name__ == "CategoricalDtype"
                   for t in value.dtypes)
    return False


def _has_numbers(series):
    """True for a pandas Series of numbers, or of categories that are."""
    kind = series.cat.categories.dtype if hasattr(series, "cat") \
        else series.dtype
    return getattr(kind, "kind", "O") in "iuf"


def _columns(value, labels):
    """The columns of what may have categories, or an array of numbers."""
    if has_categories(value):
        return [value.iloc[:, i] for i in range(value.shape[1])]
    if _is_series(value) and not is_frame(value) and not _has_numbers(value):
        return [value]
    array = _two_dimensional(_as_array(value))
    if labels and array.dtype.kind == "b" and 1 in array.shape:
        return [array.ravel()]
    if array.dtype.kind not in "OUS":
        return _real(array)
    return [list(column) for column in array.T]


def _occurring(codes, names):
    """The categories that occur, in the order in which they do."""
    found, first = np.unique(codes[~np.isnan(codes)], return_index=True)
    return [names[int(code)] for code in found[np.argsort(first)]]


def _renumber(codes, names, shared):
    """Codes of some categories as codes of those of all processes."""
    place = {name: float(i) for i, name in enumerate(shared)}
    numbers = np.array([place.get(name, math.nan) for name in names] +
                       [math.nan])
    return numbers[np.where(np.isnan(codes), -1, codes).astype(int)]


def _share(ranks, matrix, categories):
    """Columns by the categories of all processes, and these."""
    shared = ranks.share_categories(
        [names if names is None else _occurring(column, names)
         for column, names in zip(matrix.T, categories)],
        [bool(np.isnan(column).all()) for column in matrix.T], len(matrix))
    columns = [column if names is None or of_all is None else
               _renumber(column, names, of_all)
               for column, names, of_all in zip(matrix.T, categories, shared)]
    return np.column_stack(columns), shared


def to_matrix_info(value, transposed, labels=False, ranks=None):
    """As to_matrix(); columns may hold categories, and labels booleans.

    If several processes have rows of their own, categories are those of all.
    """
    columns = _columns(value, labels)
    if isinstance(columns, np.ndarray):
        matrix = columns
        categories = [None] * matrix.shape[1]
    else:
        size = len(columns[0]) if columns else 0
        matrix = np.empty((size, len(columns)))
        categories = []
        for i, column in enumerate(columns):
            matrix[:, i], names = _column(column, i + 1)
            categories.append(names)
    if ranks:
        matrix, categories = _share(ranks, matrix, categories)
    array, layout = _layout(matrix, transposed)
    if ranks:
        layout = (*layout[:-1], layout[-1] | KEEP_ORDER)
    if all(names is None for names in categories):
        return array, layout, (None, None)
    counts = [-1 if names is None else len(names) for names in categories]
    names = [to_bytes(name) for some in categories for name in some or []]
    return array, layout, ((ctypes.c_int64 * len(counts))(*counts),
                           (ctypes.c_char_p * len(names))(*names))


# --- Results -------------------------------------------------------------

def from_words(words):
    """Words as an array; true and false, in any spelling, are booleans."""
    if [word.lower() for word in words] == ["false", "true"]:
        return np.array([False, True])
    return np.array(words)


def from_matrix(values, rows, cols, kind, transposed):
    """A result as an array of its own."""
    if rows * cols == 0:
        flat = np.empty(0)
    else:
        flat = np.ctypeslib.as_array(values, (rows * cols,)).copy()
    if kind in UNSIGNED:
        flat = flat.astype(np.int64)
    if kind in VECTORS:
        return flat
    matrix = flat.reshape(cols, rows)
    return matrix if transposed else matrix.T
