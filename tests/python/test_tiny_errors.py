"""Bad input is Python's error, with a text that helps, and harms nothing."""

import datetime

import numpy as np
import pandas as pd
import pytest

from mlpack_tiny import tiny

OK = {"matrix": np.eye(2)}
DATES = pd.Series(pd.date_range("2020", periods=4))


@pytest.fixture(autouse=True)
def still_usable(capfd):
    """After any error the next call works, and nothing was printed."""
    yield
    np.testing.assert_array_equal(tiny(**OK)["matrix_out"], np.eye(2))
    captured = capfd.readouterr()
    assert captured.out == "" and captured.err == ""


@pytest.mark.parametrize("values, text", [
    ({"shift": -1}, r"Invalid value of 'shift' specified \(-1\); shift must "
                    "not be negative!"),
    ({"operation": "jump"}, "Invalid value of 'operation' specified "
                            r"\('jump'\); unknown operation; must be one of "
                            "'scale', 'warn', 'wait', 'fatal', or 'throw'!"),
    ({"operation": "fatal"}, "^Asked to fail.$"),
    ({"operation": "throw"}, r"^tiny\(\): asked to throw$"),
    ({"shift": 2**40}, "'shift'.*32 bits"),
    ({"shift": 2**70}, "'shift'.*32 bits"),
    ({"row": np.eye(3)}, "'row' must have one dimension, but is 3 x 3"),
    ({"row": 2.0}, "'row' must have one dimension, but is a single number; "
                   "give a list!"),
    ({"matrix": np.zeros((2, 2, 2))}, "'matrix' must have two dimensions"),
    ({"matrix": [["a", "b"]]}, "'matrix' must hold numbers"),
    ({"matrix": [[1, 2], [3]]}, "'matrix'"),
    ({"umatrix": [[-1]]}, "'umatrix' must not hold negative numbers"),
    ({"urow": [0.5]}, "'urow' must hold whole numbers"),
    ({"urow": [np.nan]}, "'urow' must hold whole numbers"),
    ({"words": ["a\0b"]}, "'words' must not hold a zero byte"),
])
def test_bad_value(values, text):
    with pytest.raises(ValueError, match=text):
        tiny(**values)


def test_text_that_is_not_utf8():
    """As os.fsdecode() gives it, of names in Latin-1."""
    with pytest.raises(ValueError, match="'caf\ufffd'.*unknown operation"):
        tiny(operation="caf\udce9")
    with pytest.raises(TypeError, match="unknown parameter 'caf\ufffd'"):
        tiny(**{"caf\udce9": 1})


def test_errors_have_one_line():
    with pytest.raises(ValueError) as error:
        tiny(operation="a\n\r\t" + "b" * 10000000)
    text = str(error.value)
    assert len(text.splitlines()) == 1 and "a   bbb" in text
    assert len(text) < 1100


@pytest.mark.parametrize("values, text", [
    ({"shift": 1.5}, "'shift' must be of type int; not float"),
    ({"shift": "1"}, "'shift' must be of type int; not str"),
    ({"shift": True}, "'shift' must be of type int; not bool"),
    ({"scale": "big"}, "'scale' must be of type float; not str"),
    ({"negate": 1}, "'negate' must be of type bool; not int"),
    ({"operation": 3}, "'operation' must be of type str; not int"),
    ({"numbers": 3}, "'numbers' must be of type list of int; not int"),
    ({"numbers": [1.5]}, "'numbers' must be of type list of int"),
    ({"words": "word"}, "'words' must be of type list of str; not str"),
    ({"matrix": "file.csv"}, "'matrix' must be of type matrix; not str"),
    ({"matrix": np.eye(2) * 1j}, "complex data is not supported"),
    ({"input_model": 3}, "'input_model' must be of type TinyModel; not int"),
    ({"input_": pd.DataFrame({"t": pd.to_datetime(["2020-01-01"])})},
     "dates and times are not supported"),
    *(({name: data}, "dates and times .*; turn them into numbers first")
      for name in ("input_", "matrix", "row")
      for data in (DATES, DATES.to_numpy(), list(DATES.to_numpy()),
                   DATES - DATES[0], DATES.dt.tz_localize("UTC"))),
    ({"matrix": DATES.to_frame()}, "dates and times are not supported"),
    ({"matrix": DATES.astype("category")}, "dates and times"),
    ({"input_": DATES.astype("category")}, "dates and times"),
    ({"input_": DATES.dt.date.astype("category").to_frame()},
     "column 0 has a value of type date"),
    ({"input_": pd.DataFrame({"x": [b"a", b"b"]})},
     "column 'x' has a value of type bytes, not numbers, words or booleans"),
    ({"input_": pd.Categorical([b"a", b"b"])}, "a value of type bytes"),
    ({"input_": pd.Series([b"a", b"b"], dtype="category")},
     "a value of type bytes"),
    ({"input_": [{"a": 1.0}, {"a": 2.0}]},
     "column 1 has a value of type dict, not numbers, words or booleans"),
    ({"input_": [[1, datetime.date(2020, 1, 1)]]}, "column 2 .* type date"),
    ({"input_": pd.DataFrame({"x": [1, 2], "day": [datetime.date(2020, 1, 1),
                                                   None]})},
     "column 'day' has a value of type date"),
])
def test_bad_type(values, text):
    with pytest.raises(TypeError, match=text):
        tiny(**values)


@pytest.mark.parametrize("name, nearest", [
    ("scal", "scale"), ("Scale", "scale"), ("sclae", "scale"),
    ("inputs", "input_"), ("model", "input_model"),
])
def test_unknown_parameter(name, nearest):
    with pytest.raises(TypeError, match=rf"tiny\(\): unknown parameter "
                                        rf"'{name}'; did you mean "
                                        rf"'{nearest}'\?"):
        tiny(**{name: 1})


def test_unknown_parameter_unlike_any():
    with pytest.raises(TypeError, match="unknown parameter 'quetzalcoatl'$"):
        tiny(quetzalcoatl=1)


def test_outputs_are_no_inputs():
    with pytest.raises(TypeError, match="unknown parameter 'scale_out'"):
        tiny(scale_out=1)


def test_positional():
    with pytest.raises(TypeError, match="by name"):
        tiny(np.eye(2))


def test_warnings():
    with pytest.warns(UserWarning, match="^Asked to warn.$"):
        assert tiny(operation="warn")["scale_out"] == 1


def test_verbose(capfd):
    with pytest.warns(UserWarning, match="^Asked to warn.$"):
        tiny(operation="warn", scale=2, verbose=True)
    assert capfd.readouterr().out == "[INFO ] Scaled by 2.\n"
