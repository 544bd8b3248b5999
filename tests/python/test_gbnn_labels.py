"""Labels of all kinds, and columns by their names, in gbnn() itself."""

import copy
import warnings

import numpy as np
import pandas as pd
import pytest

from mlpack_gbnn import GBNNModel, deep_gbnn, gbnn

QUICK = {"hidden_units": 6, "seed": 1, "refine_iterations": 0,
         "input_encoding": "linear"}
POINTS = np.random.RandomState(0).randn(120, 3)
CODES = (POINTS[:, 0] + POINTS[:, 1] > 0).astype(int)


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def named(*names):
    return np.array(names)[CODES]


@pytest.mark.parametrize("labels, dtype", [
    (CODES, "i"), (CODES.tolist(), "i"), (CODES.astype(float), "i"),
    (CODES.astype(np.int8) * 5 - 3, "i"), (pd.Series(CODES), "i"),
    (pd.Series(CODES).astype("Int64"), "i"),
    (pd.Series(CODES + 10).astype("category"), "i"),
    (CODES > 0, "b"), ((CODES > 0).tolist(), "b"), (pd.Series(CODES > 0), "b"),
    (pd.Series(CODES > 0).astype("boolean"), "b"),
    (pd.Series(CODES > 0).astype("category"), "b"),
    ((CODES > 0).astype(object), "b"), (pd.DataFrame({"y": CODES > 0}), "b"),
    (named("no", "yes"), "U"), (named("no", "yes").tolist(), "U"),
    (named("no", "yes").astype(object), "U"), (pd.Series(named("n", "j")), "U"),
    (pd.Series(named("no", "yes")).astype("category"), "U"),
    (pd.Series(named("no", "yes")).astype("string"), "U"),
    (pd.Categorical(named("no", "yes"), ["yes", "no", "never"]), "U"),
    (pd.DataFrame({"y": named("no", "yes")}), "U"),
    (named("1", "2"), "U"), (pd.Series(named("1", "2")), "U"),
    (pd.Series(named("1", "2")).astype("category"), "U"),
    (named("grün", "rot, oder: blau"), "U"),
])
def test_labels_come_back(labels, dtype, tmp_path):
    trained = gbnn(training=POINTS, labels=labels, test=POINTS,
                   test_labels=labels, **QUICK)
    truth = np.asarray(labels).ravel()
    assert trained["predictions"].dtype.kind == dtype
    assert np.mean(trained["predictions"] == truth) > 0.8
    assert "accuracy" in trained["summary"]
    # The labels are part of the model.
    trained["output_model"].save(tmp_path / "model.bin")
    again = gbnn(input_model=GBNNModel.load(tmp_path / "model.bin"),
                 test=POINTS)
    assert again["predictions"].dtype == trained["predictions"].dtype
    assert (again["predictions"] == trained["predictions"]).all()


def test_target_of_booleans():
    frame = pd.DataFrame(POINTS, columns=list("abc")).assign(y=CODES > 0)
    result = gbnn(training=frame, target="y", test=frame, **QUICK)
    assert result["predictions"].dtype == bool
    assert result["label_names"] == ["False", "True"]
    assert np.mean(result["predictions"] == frame["y"]) > 0.8


def test_deep_networks_have_them_too():
    small = {"layers": [6, 4], "trunk_epochs": 5, "hidden_units": 6, "seed": 1}
    for labels in (CODES, CODES > 0, named("no", "yes")):
        found = deep_gbnn(training=POINTS, labels=labels, test=POINTS, **small)
        assert found["predictions"].dtype.kind == np.asarray(labels).dtype.kind


def test_no_test_data():
    result = gbnn(training=POINTS, labels=named("no", "yes"), **QUICK)
    assert result["predictions"].shape == (0,)


def test_a_label_is_missing():
    labels = pd.Series(named("no", "yes"))
    labels[4] = None
    with pytest.raises(ValueError, match="point 5 in 'labels' has no label"):
        gbnn(training=POINTS, labels=labels, **QUICK)


def test_label_of_the_test_data_only():
    labels = np.where(np.arange(120) == 3, "maybe", named("no", "yes"))
    with pytest.warns(UserWarning, match="maybe"):
        gbnn(training=POINTS, labels=named("no", "yes"), test=POINTS,
             test_labels=labels, **QUICK)


@pytest.mark.parametrize("words", [("FALSE", "TRUE"), ("false", "true")])
def test_booleans_of_other_languages(words):
    """A model of R or Julia knows what True is."""
    model = gbnn(training=POINTS, labels=named(*words), **QUICK)["output_model"]
    result = gbnn(input_model=model, test=POINTS, test_labels=CODES > 0)
    share = (result["predictions"] == (CODES > 0)).mean()
    assert share > 0.8 and f"accuracy {share:.4f}" in result["summary"]


def test_booleans_in_data_are_numbers():
    column = (CODES > 0).reshape(-1, 1)
    results = [gbnn(training=train, labels=CODES, test=test, **QUICK)
               for train in (column, column.astype(float))
               for test in (column, column.astype(float))]
    for result in results:
        np.testing.assert_array_equal(result["predictions"], CODES)
    row = gbnn(training=POINTS, labels=(CODES > 0).reshape(1, -1), test=POINTS,
               **QUICK)
    assert row["predictions"].dtype == bool


def test_lists_instead_of_commas():
    values, points = POINTS[:, 0], POINTS[:, 1:]
    results = [gbnn(training=points, responses=values, test=points,
                    loss="quantile", quantiles=quantiles, **QUICK)
               for quantiles in ("0.1,0.9", [0.1, 0.9], (0.1, 0.9),
                                 np.array([0.1, 0.9]))]
    for result in results:
        np.testing.assert_array_equal(result["output_predictions"],
                                      results[0]["output_predictions"])
    weights = [gbnn(training=POINTS, labels=named("no", "yes"), test=POINTS,
                    class_weights=given, **QUICK)["probabilities"]
               for given in ("no:1,yes:3", {"no": 1, "yes": 3.0})]
    np.testing.assert_array_equal(*weights)
    with pytest.raises(TypeError, match="'quantiles'.*list must hold numbers"):
        gbnn(training=POINTS, responses=values, quantiles=["low"])


# --- Columns by their names --------------------------------------------------

@pytest.fixture
def frame():
    frame = pd.DataFrame(POINTS, columns=["a", "b", "c"])
    frame["kind"] = pd.Categorical(np.where(POINTS[:, 2] > 0, "x", "y"))
    return frame


@pytest.mark.parametrize("columns", [["a", "b", "c"], ["a", "b", "c", "kind"]])
def test_columns_are_matched(frame, columns):
    frame = frame[columns]
    trained = gbnn(training=frame, labels=CODES, test=frame, **QUICK)
    model, expected = trained["output_model"], trained["probabilities"]
    other = gbnn(input_model=model, test=frame[columns[::-1]])
    np.testing.assert_array_equal(other["probabilities"], expected)
    with pytest.warns(UserWarning, match="are ignored: .*'?note'?"):
        more = gbnn(input_model=model, test=frame.assign(note="?", a2=1)[
            ["note", *columns[::-1], "a2"]])
    np.testing.assert_array_equal(more["probabilities"], expected)
    with pytest.raises(ValueError, match="'test' has no column 'b'"):
        gbnn(input_model=model, test=frame.drop(columns="b"))
    with pytest.raises(ValueError, match="'test' has no column 'b'"):
        gbnn(input_model=model, test=frame.rename(columns={"b": "B"}))


@pytest.fixture
def numbered():
    """A frame with the names of pandas: 0, 1, 2 and 3."""
    frame = pd.DataFrame(POINTS)
    frame[3] = 2 * frame[0] + frame[1]
    return frame


@pytest.mark.parametrize("target", range(4))
def test_target_of_columns_without_names(numbered, target):
    letters = numbered.rename(columns=lambda i: "abcd"[i])
    options = {"task": "regression", **QUICK}
    others = [column for column in range(4) if column != target]
    expected = gbnn(training=letters, target="abcd"[target], test=letters,
                    dependence="abcd"[others[1]], **options)
    for given in (target, str(target), np.int64(target)):
        for test in (numbered, numbered[others], numbered[others[::-1]],
                     numbered[[2, 0, 3, 1]]):
            found = gbnn(training=numbered, target=given, test=test,
                         dependence=others[1], **options)
            for name in ("output_predictions", "partial_dependence"):
                np.testing.assert_array_equal(found[name], expected[name])
    model = found["output_model"]
    for columns in (others, others[::-1]):
        again = gbnn(input_model=model, test=numbered[columns],
                     dependence=str(others[1]))
        np.testing.assert_array_equal(again["output_predictions"],
                                      expected["output_predictions"])
    with pytest.raises(ValueError, match="'dependence' is the target"):
        gbnn(training=numbered, target=target, dependence=target, **options)


def test_target_is_a_number(numbered):
    """A name if it is one, else a place counted from 1 on."""
    options = {"task": "regression", **QUICK}
    expected = gbnn(training=numbered, target="3", test=numbered, **options)
    for data, target in (
            (numbered.to_numpy(), 4), (numbered.add_prefix("x"), 4),
            (numbered.rename(columns=lambda i: 2020 + i), 2023)):
        found = gbnn(training=data, target=target, test=data, **options)
        np.testing.assert_array_equal(found["output_predictions"],
                                      expected["output_predictions"])
    with pytest.raises(TypeError, match="'target' must be .*; not bool"):
        gbnn(training=numbered, target=True, **options)


def test_columns_without_names_in_another_order(numbered):
    model = gbnn(training=numbered, labels=CODES, **QUICK)["output_model"]
    expected = gbnn(input_model=model, test=numbered.to_numpy())
    other = gbnn(input_model=model, test=numbered[[2, 0, 3, 1]])
    np.testing.assert_array_equal(other["probabilities"],
                                  expected["probabilities"])
    results = [gbnn(training=numbered, labels=CODES, test=numbered, patience=2,
                    validation=numbered[columns], validation_labels=CODES,
                    **QUICK)["probabilities"]
               for columns in (list(numbered), [2, 0, 3, 1])]
    np.testing.assert_array_equal(*results)
    # A model with these names knows them.
    model = gbnn(training=numbered[[3, 2, 1, 0]], labels=CODES,
                 **QUICK)["output_model"]
    results = [gbnn(input_model=model, test=numbered[columns])["probabilities"]
               for columns in ([3, 2, 1, 0], [2, 0, 3, 1])]
    np.testing.assert_array_equal(*results)


@pytest.fixture
def disorder():
    """A frame whose numbers of columns are names: 2, 0 and 1."""
    return pd.DataFrame(POINTS)[[2, 0, 1]]


def test_numbers_that_are_names_are_matched(disorder):
    expected = gbnn(training=disorder, labels=CODES, test=disorder, **QUICK)
    model, expected = expected["output_model"], expected["probabilities"]
    usual = pd.DataFrame(POINTS)
    for options in ({"input_model": model}, {"input_model": copy.copy(model)},
                    {"training": disorder, "labels": CODES, **QUICK},
                    {"training": disorder.to_numpy(), "labels": CODES,
                     "column_names": ["2", "0", "1"], **QUICK}):
        found = gbnn(test=usual, **options)["probabilities"]
        np.testing.assert_array_equal(found, expected)
    by_place = gbnn(input_model=model, test=disorder.to_numpy())
    np.testing.assert_array_equal(by_place["probabilities"], expected)
    results = [gbnn(training=disorder, labels=CODES, test=disorder, patience=2,
                    validation=frame, validation_labels=CODES,
                    **QUICK)["probabilities"] for frame in (disorder, usual)]
    np.testing.assert_array_equal(*results)
    more = {"hidden_units": 3, "refine_iterations": 0, "warm_start": True}
    results = [gbnn(training=frame, labels=CODES, input_model=model,
                    test=disorder, **more)["probabilities"]
               for frame in (disorder, usual)]
    np.testing.assert_array_equal(*results)
    # Names come before places.
    results = [gbnn(input_model=model, test=frame, dependence=name)
               ["partial_dependence"] for frame in (disorder, usual)
               for name in (1, "1")]
    for result in results:
        assert result[0, 0] == POINTS[:, 1].min()
        np.testing.assert_array_equal(result, results[0])


def test_numbers_that_are_names_of_some_columns():
    usual = pd.DataFrame(POINTS)
    part = usual[[0, 2]]
    expected = gbnn(training=part, labels=CODES, test=part, **QUICK)
    model, expected = expected["output_model"], expected["probabilities"]
    with pytest.warns(UserWarning, match="are ignored: '1'"):
        found = gbnn(input_model=model, test=usual)["probabilities"]
    np.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match="'test' has no column '2'"):
        gbnn(input_model=model, test=usual[[0, 1]])


def test_target_among_numbers_that_are_names(numbered):
    target = numbered.copy()
    target[3] = CODES
    expected = gbnn(training=target[[2, 0, 1]], labels=CODES,
                    test=target[[2, 0, 1]], **QUICK)["probabilities"]
    trained = target[[2, 0, 1, 3]]
    for options in ({"target": 3}, {}):
        for test in (target, target[[0, 1, 2]]):
            found = gbnn(training=trained, test=test, **options, **QUICK)
            np.testing.assert_array_equal(found["probabilities"], expected)
            found = gbnn(input_model=found["output_model"], test=test)
            np.testing.assert_array_equal(found["probabilities"], expected)


def test_deep_networks_match_them_too(disorder):
    model = deep_gbnn(training=disorder, labels=CODES, layers=[6, 4], seed=1,
                      trunk_epochs=3, hidden_units=6)["output_model"]
    results = [deep_gbnn(input_model=model, test=frame)["probabilities"]
               for frame in (disorder, pd.DataFrame(POINTS))]
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("empty", [
    pd.Categorical([None] * 120), pd.array([None] * 120, dtype="string")])
def test_column_of_words_without_any(frame, empty):
    """Words that training has not seen are no error."""
    frame = frame.assign(kind=empty)
    model = gbnn(training=frame, labels=CODES, **QUICK)["output_model"]
    expected = gbnn(input_model=model, test=frame)["probabilities"]
    with pytest.warns(UserWarning, match="did not occur in training"):
        found = gbnn(input_model=model, test=frame.assign(kind="x"))
    np.testing.assert_array_equal(found["probabilities"], expected)


@pytest.mark.parametrize("values", [
    [1.0, 2.0, 3.0], [0.5, 1e-7, 2.0], [1e15, 1e22, 1e23]])
def test_categories_that_are_numbers(values):
    """Test data may have the same numbers without being categories."""
    numbers = np.array(values)[np.arange(120) % 3]
    labels = np.arange(120) % 3 == 1
    frame = pd.DataFrame({"a": pd.Categorical(numbers), "b": POINTS[:, 0]})
    found = gbnn(training=frame, labels=labels, test=frame.assign(a=numbers),
                 **QUICK)
    np.testing.assert_array_equal(found["predictions"], labels)


def test_validation_columns_are_matched(frame):
    results = [gbnn(training=frame, labels=CODES, test=frame, patience=2,
                    validation=frame[columns], validation_labels=CODES,
                    **QUICK)["probabilities"]
               for columns in (list(frame), list(frame)[::-1])]
    np.testing.assert_array_equal(*results)
