"""Every type of parameter, there and back, through the tiny binding."""

import decimal

import numpy as np
import pandas as pd
import pytest

from mlpack_tiny import tiny

POINTS = np.arange(12.0).reshape(4, 3)


@pytest.mark.parametrize("data", [
    POINTS,
    np.asfortranarray(POINTS),
    np.repeat(POINTS, 2, axis=1)[:, ::2],
    POINTS[::-1][::-1],
    POINTS.astype(np.float32),
    POINTS.astype(int),
    POINTS.tolist(),
    tuple(map(tuple, POINTS)),
    pd.DataFrame(POINTS),
    pd.DataFrame(POINTS.astype(int)),
], ids=["C", "F", "strided", "view", "float32", "int", "list", "tuple",
        "frame", "int frame"])
@pytest.mark.parametrize("name", ["matrix", "tmatrix", "input_"])
def test_matrix(name, data):
    result = tiny(**{name: data, "scale": 2.0})
    key = "output" if name == "input_" else name + "_out"
    np.testing.assert_array_equal(result[key], 2 * POINTS)


def test_unsigned_matrix():
    for data in (POINTS, POINTS.astype(np.int32), POINTS.astype(np.uint64),
                 np.asfortranarray(POINTS), pd.DataFrame(POINTS)):
        result = tiny(umatrix=data, shift=3)["umatrix_out"]
        assert result.dtype == np.int64
        np.testing.assert_array_equal(result, POINTS + 3)


@pytest.mark.parametrize("name", ["row", "col"])
@pytest.mark.parametrize("data", [
    np.arange(5.0), list(range(5)), np.arange(5), np.arange(10.0)[::2] / 2,
    np.arange(5.0).reshape(5, 1), np.arange(5.0).reshape(1, 5),
    pd.Series(range(5)), np.arange(5, dtype=np.float32)])
def test_vector(name, data):
    result = tiny(**{name: data, "scale": -1})[name + "_out"]
    assert result.shape == (5,)
    np.testing.assert_array_equal(result, -np.arange(5.0))


@pytest.mark.parametrize("name", ["urow", "ucol"])
def test_unsigned_vector(name):
    for data in ([0, 1, 2], np.array([0.0, 1.0, 2.0]), pd.Series([0, 1, 2])):
        result = tiny(**{name: data, "shift": 1})[name + "_out"]
        np.testing.assert_array_equal(result, [1, 2, 3])


def test_plain_values():
    result = tiny(scale=np.float32(0.5), negate=True, shift=np.int16(2),
                  numbers=[1, 2, 3], words=["red", "grün"],
                  operation="scale")
    assert result["scale_out"] == -0.5
    assert result["numbers_sum"] == 6
    assert result["numbers_out"] == [3, 4, 5]
    assert result["words_out"] == ["grün", "red"]
    assert result["operation_out"] == "scale"
    assert tiny(numbers=(), words=np.array(["a"]))["words_out"] == ["a"]
    # Bytes that are not UTF-8, as os.fsdecode() has them.
    assert tiny(words=["a", "caf\udce9"])["words_out"] == ["caf\udce9", "a"]


def test_none_and_false_are_not_given():
    # Both a factor and a model would be refused.
    model = tiny(scale=3.0)["output_model"]
    result = tiny(scale=None, input_model=model, negate=False)
    assert result["scale_out"] == 3.0


def test_name_of_the_binding_file():
    # `input` is a function in Python, so mlpack calls the parameter `input_`.
    np.testing.assert_array_equal(tiny(input=POINTS)["output"], POINTS)


def test_outputs_that_are_empty():
    result = tiny()
    assert result["matrix_out"].size == 0
    assert result["row_out"].shape == (0,)
    assert result["words_out"] == []


def test_list_of_numbers_is_a_column_of_points():
    result = tiny(matrix=[1.0, 2.0, 3.0])["matrix_out"]
    assert result.shape == (3, 1)


def test_missing_values_pass():
    data = POINTS.copy()
    data[1, 1] = np.nan
    result = tiny(input_=data)["output"]
    np.testing.assert_array_equal(result, data)


def test_data_frame_with_categories():
    frame = pd.DataFrame({
        "number": [1.5, np.nan, 2.5, 3.5],
        "word": ["b", "a", None, "b"],
        "level": pd.Categorical(["x", "y", "x", "z"],
                                categories=["z", "y", "x", "unused"]),
        "truth": [True, False, True, True],
        "nullable": pd.array([1, None, 2, 3], dtype="Int64"),
        "text": pd.array(["p", "q", "q", pd.NA], dtype="string"),
    })
    result = tiny(input_=frame)
    # Numbered by first appearance, whatever the order of the levels.
    np.testing.assert_array_equal(result["output"], [
        [1.5, 0, 0, 0, 1, 0],
        [np.nan, 1, 1, 1, np.nan, 1],
        [2.5, np.nan, 0, 0, 2, 1],
        [3.5, 0, 2, 0, 3, np.nan]])
    np.testing.assert_array_equal(result["categories"], [0, 2, 3, 2, 0, 2])


def test_mixed_list_has_categories():
    result = tiny(input_=[[1, "a"], [2.5, "b"], [None, "a"]])
    np.testing.assert_array_equal(result["output"],
                                  [[1, 0], [2.5, 1], [np.nan, 0]])
    np.testing.assert_array_equal(result["categories"], [0, 2])


def test_numbers_beside_words_stay_numbers():
    result = tiny(input_=[[0.3, "a"], [2, "b"], [np.nan, "a"]])
    np.testing.assert_array_equal(result["output"],
                                  [[0.3, 0], [2, 1], [np.nan, 0]])
    np.testing.assert_array_equal(result["categories"], [0, 2])


def test_decimals_are_numbers():
    cells = [decimal.Decimal("1.5"), decimal.Decimal("NaN"),
             decimal.Decimal(2), None]
    for data in (pd.DataFrame({"a": cells}), [[cell] for cell in cells]):
        result = tiny(input_=data)
        np.testing.assert_array_equal(result["output"].ravel(),
                                      [1.5, np.nan, 2, np.nan])
        np.testing.assert_array_equal(result["categories"], [0])
    assert tiny(scale=decimal.Decimal("2.5"))["scale_out"] == 2.5


@pytest.mark.parametrize("data", [
    pd.cut(np.arange(4), 2), pd.Series(pd.cut(np.arange(4), 2)),
    pd.Series(pd.cut(np.arange(4), 2)).to_frame(),
    pd.Series(pd.interval_range(0, 4)),
    pd.Series(pd.period_range("2020-01", periods=4, freq="M")),
])
def test_intervals_and_periods_are_categories(data):
    assert tiny(input_=data)["categories"][0] == pd.Series(
        np.asarray(data).ravel()).nunique()


def test_masked_cells_are_missing():
    mask = np.zeros((4, 3), dtype=bool)
    mask[1, 2] = True
    expected = np.where(mask, np.nan, POINTS)
    for data in (POINTS, POINTS.astype(int), POINTS.astype(object)):
        for name in ("matrix", "input_"):
            result = tiny(**{name: np.ma.array(data, mask=mask)})
            np.testing.assert_array_equal(
                result["output" if name == "input_" else "matrix_out"],
                expected)
    words = np.ma.array(["a", "b", "a"], mask=[False, True, False])
    np.testing.assert_array_equal(tiny(input_=words)["output"].ravel(),
                                  [0, np.nan, 0])
    whole = np.ma.array(POINTS)
    np.testing.assert_array_equal(tiny(input_=whole)["output"], POINTS)


def test_array_of_strings_has_categories():
    result = tiny(input_=np.array([["1", "a"], ["2", "a"]]))
    np.testing.assert_array_equal(result["categories"], [2, 1])


@pytest.mark.parametrize("name", ["input_", "matrix", "row", "col"])
def test_inputs_are_not_changed(name):
    data = np.arange(6.0) if name in ("row", "col") else POINTS.copy()
    before = data.copy()
    tiny(**{name: data, "scale": 5.0})
    np.testing.assert_array_equal(data, before)


def test_results_belong_to_the_caller():
    data = POINTS.copy()
    result = tiny(matrix=data)["matrix_out"]
    result[:] = 7
    assert result.flags.owndata or result.base.flags.owndata
    np.testing.assert_array_equal(data, POINTS)
