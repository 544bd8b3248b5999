"""The function that a binding is in Python."""

import functools
import inspect
import os
import sys
import threading
import warnings
from typing import NamedTuple, Optional

import numpy as np

from . import convert
from .library import INFO, WARN, Call, LogFunction, error_text, to_text
from .model import Model
from .ranks import Ranks


class Parameter(NamedTuple):
    """A parameter of a binding, as the generator prints it."""

    name: str
    spelling: str
    kind: str
    input: bool
    transposed: bool
    model_type: Optional[str]
    type: str


PLAIN = {
    "flag": convert.to_flag,
    "int": convert.to_int,
    "double": convert.to_double,
    "string": convert.to_string,
    "ints": convert.to_ints,
    "doubles": convert.to_doubles,
    "strings": convert.to_strings,
}


def _setter(kind):
    """The kind of the C function for a kind of parameter."""
    if kind in convert.UNSIGNED:
        return "umatrix"
    return "matrix" if kind in convert.VECTORS else kind


def _set_value(call, parameter, value, models, ranks):
    kind = parameter.kind
    if kind in PLAIN:
        result = PLAIN[kind](value)
        result = result if isinstance(result, tuple) else (result,)
        call.set(kind, parameter.name, *result)
    elif kind == "model":
        if not isinstance(value, models[parameter.model_type]):
            raise convert.Mismatch
        call.borrowed.append(value)
        call.set(kind, parameter.name, value._handle)
    elif kind == "matrix_info":
        array, layout, categories = convert.to_matrix_info(
            value, parameter.transposed, parameter.name.endswith("labels"),
            ranks if parameter.name in ("training", "labels") else None)
        call.borrowed.append(array)
        if categories[0] is None:
            call.set("matrix", parameter.name, *layout)
        else:
            call.set(kind, parameter.name, *layout, *categories)
    else:
        array, layout = convert.to_matrix(value, kind, parameter.transposed)
        call.borrowed.append(array)
        call.set(_setter(kind), parameter.name, *layout)


def _set(call, parameter, value, models, ranks=None):
    """Set a parameter; errors of conversion get its name."""
    try:
        _set_value(call, parameter, value, models, ranks)
    except convert.Mismatch as error:
        reason = str(error) or f"not {type(value).__name__}"
        raise TypeError(f"Parameter '{parameter.spelling}' must be of type "
                        f"{parameter.type}; {reason}!") from None
    except ValueError as error:
        text = str(error)
        if f"'{parameter.spelling}'" not in text:
            text = f"Parameter '{parameter.spelling}' {text}!"
        raise ValueError(text) from None


def _is_int(value):
    return isinstance(value, (int, np.integer)) and \
        not isinstance(value, bool)


def _known_names(values):
    """The names of the columns that data is to be matched with, if any.

    They are those of the training data, or of the model.
    """
    frame, given = values.get("training"), values.get("column_names")
    if frame is not None and given is not None:
        return list(map(str, given)) if np.iterable(given) else []
    if convert.is_frame(frame) and not _is_numbered(frame):
        return list(map(str, frame.columns))
    model = values.get("input_model")
    if not isinstance(model, Model) or (frame is not None and
                                        not values.get("warm_start")):
        return []
    return model._column_names()


def _name_places(names, values):
    """Give columns called 0, 1, 2, ... these names if they matter.

    They do if the model, or the training data, has columns called so, but not
    just these in this order.
    """
    known = None
    if values.get("training") is None and \
            values.get("column_names") is not None:
        return  # The names of these columns, and of the model from now on.
    for name, target in (("training", "column_names"),
                         ("validation", "validation_column_names"),
                         ("test", "test_column_names")):
        frame = values.get(name)
        if target not in names or values.get(target) is not None or \
                not convert.is_frame(frame) or not _is_numbered(frame) or \
                (name == "training" and not values.get("warm_start")):
            continue
        known = _known_names(values) if known is None else known
        columns = list(map(str, frame.columns))
        if set(known) & set(columns) and known != columns[:len(known)]:
            values[target] = columns


def _is_numbered(frame):
    """True if columns have the names that pandas gives to those without."""
    return list(frame.columns) == list(range(len(frame.columns)))


def _sort_columns(names, values):
    """Put columns called 0, 1, 2, ... into this order, if they are in another.

    One may be left out, as the target.  The binding gets the names, too, in
    case that the model has some.
    """
    for name, target in (("test", "test_column_names"),
                         ("validation", "validation_column_names")):
        frame = values.get(name)
        if target not in names or values.get(target) is not None or \
                not convert.is_frame(frame):
            continue
        columns = list(frame.columns)
        if not all(map(_is_int, columns)) or \
                not set(columns) <= set(range(len(columns) + 1)):
            continue
        order = sorted(range(len(columns)), key=columns.__getitem__)
        if order != list(range(len(columns))):
            values[name] = frame.iloc[:, order]
            values[target] = [str(columns[i]) for i in order]


def _count_columns(names, values):
    """The target and another column, as the binding knows them.

    It counts from 1, and pandas, where columns have no names, from 0.
    """
    frame = values.get("training")
    if frame is None:
        frame = values.get("test")
    numbered = convert.is_frame(frame) and _is_numbered(frame) and \
        values.get("column_names") is None and \
        (values.get("training") is not None or
         values.get("test_column_names") is None)
    taken = None
    for key in ("target", "dependence"):
        if key not in names:
            continue
        if _is_int(values.get(key)):
            values[key] = str(values[key])
        places = list(map(str, frame.columns)) if numbered else []
        if not isinstance(values.get(key), str) or values[key] not in places:
            continue
        place = places.index(values[key])
        if key == "target":
            taken = place
        elif place == taken:
            raise ValueError("Parameter 'dependence' is the target!")
        # The target is not among the columns of the model.
        values[key] = str(place if taken is not None and place > taken
                          else place + 1)


def _set_column_names(call, names, values, models):
    """Tell a binding that asks for them the names of the data's columns."""
    for name, value in values.items():
        target = "column_names" if name == "training" else \
            f"{name}_column_names"
        if target in names and values.get(target) is None and \
                convert.is_frame(value):
            columns = list(value.columns)
            if not _is_numbered(value):
                _set(call, names[target], list(map(str, columns)), models)


def _result(call, parameter, models):
    kind = parameter.kind
    if kind in PLAIN:
        value = call.get(kind, parameter.name)
        if kind == "flag":
            return bool(value)
        if kind == "string":
            return to_text(value)
        if kind == "strings":
            return [to_text(value[0][i]) for i in range(value[1])]
        return value[0][:value[1]] if isinstance(value, tuple) else value
    if kind == "model":
        handle = call.get(kind, parameter.name)
        return models[parameter.model_type]._wrap(handle) if handle else None
    values, rows, cols = call.get(
        "matrix" if kind == "matrix_info" else _setter(kind), parameter.name)
    return convert.from_matrix(values, rows, cols, kind, parameter.transposed)


def _put_labels(results):
    """Predicted labels as they were given: words, booleans, whole numbers.

    Of words, the binding says which place of which list.
    """
    if "label_names" not in results or "predictions" not in results:
        return
    predictions = results["predictions"].astype(np.int64)
    words = results["label_names"]
    if words and len(predictions) > 0:
        predictions = convert.from_words(words)[predictions]
    results["predictions"] = predictions


def _run_here(call):
    call.check(call.library.call_run(call.handle))


def _run_beside(call):
    """Run in another thread, so that Ctrl-C reaches this one at once.

    Python handles signals in the main thread, between two instructions; during
    a long call of C there are none.
    """
    status = []
    done = threading.Event()

    def work():
        try:
            status.append(call.library.call_run(call.handle))
        finally:
            done.set()

    threading.Thread(target=work, daemon=True).start()
    stop = None
    while not done.is_set():
        try:
            done.wait()
        except BaseException as error:
            # The run uses memory of this thread: it must end before we leave.
            call.library.call_interrupt(call.handle)
            stop = stop or error
    if stop is not None:
        raise stop
    call.check(status[0])


def _callers_level():
    """Where on the stack, counted from who asks, the user's own code is."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    level, frame = 1, sys._getframe(1)
    while frame.f_back and os.path.abspath(
            frame.f_code.co_filename).startswith(package + os.sep):
        level, frame = level + 1, frame.f_back
    return level


def _run(call, verbose, ranks):
    """Run, passing on what the binding says."""
    if verbose:
        def log(_, level, line):
            text = error_text(line)
            if level == INFO:
                print("[INFO ] " + text)
                sys.stdout.flush()
            else:
                messages.append(text)
        messages = []
        function = LogFunction(log)
        call.borrowed.append(function)
        call.library.call_on_log(call.handle, function, None)

    try:
        if threading.current_thread() is threading.main_thread():
            _run_beside(call)
        else:
            _run_here(call)
    except Exception:
        if ranks and ranks.error:
            raise ranks.error
        raise
    finally:
        if not verbose:
            text = call.library.call_log(call.handle, WARN)
            messages = error_text(text).splitlines()
        for message in messages:
            warnings.warn(message, UserWarning, stacklevel=_callers_level())


def binding_function(library, parameters, models):
    """Turn a signature with a docstring into the function it describes."""
    inputs = {p.spelling: p for p in parameters if p.input}
    # The binding's own names are understood where Python has another spelling.
    names = {**{p.name: p for p in inputs.values()}, **inputs}
    outputs = [p for p in parameters if not p.input]

    def decorate(signature):
        name = signature.__name__
        is_shared = "communicator" in inspect.signature(signature).parameters

        def make(call, values, ranks):
            """Set the parameters and run."""
            if ranks:
                ranks.join(call)
                # All of them share these, in this order.
                ranks.require_same(
                    tuple(sorted(key for key in values
                                 if values[key] is not None)),
                    "All processes must give the same parameters")
                values = dict(sorted(values.items()))
            _sort_columns(names, values)
            _name_places(names, values)
            _count_columns(names, values)
            for key, value in values.items():
                if key not in names:
                    try:
                        call.check_name(key)
                    except TypeError as error:
                        raise TypeError(f"{name}(): {error}") from None
                if value is not None:
                    _set(call, names[key], value, models, ranks)
            _set_column_names(call, names, values, models)
            _run(call, bool(values.get("verbose")), ranks)

        @functools.wraps(signature)
        def function(*args, **values):
            if args:
                raise TypeError(f"{name}() takes its parameters by name, like "
                                f"{next(iter(inputs))}=...")
            call = Call(library, name)
            communicator = values.pop("communicator", None) if is_shared \
                else None
            ranks = None if communicator is None else Ranks(communicator)
            make(call, values, ranks)
            if ranks:
                ranks.free()
            results = {p.name: _result(call, p, models) for p in outputs}
            _put_labels(results)
            return results

        return function

    return decorate
