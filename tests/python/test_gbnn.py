"""gbnn() itself."""

import copy
import inspect
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import warnings

import numpy as np
import pandas as pd
import pytest

from mlpack_gbnn import GBNNModel, gbnn

SMALL = {"hidden_units": 12, "seed": 1}


@pytest.fixture(scope="module")
def blobs():
    random = np.random.RandomState(0)
    labels = random.randint(3, size=200)
    points = random.randn(200, 4) + 3 * labels[:, None] * [1, 0, -1, 0]
    return points, labels


@pytest.fixture(scope="module")
def surface():
    random = np.random.RandomState(1)
    points = random.uniform(-1, 1, size=(200, 3))
    return points, np.sin(2 * points[:, 0]) + points[:, 1] ** 2


@pytest.fixture(autouse=True)
def no_warnings():
    """Nothing that is in order makes a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_classification(blobs):
    points, labels = blobs
    result = gbnn(training=points, labels=labels, test=points,
                  test_labels=labels, **SMALL)
    assert (result["predictions"] == labels).mean() > 0.95
    assert result["probabilities"].shape == (200, 3)
    np.testing.assert_allclose(result["probabilities"].sum(axis=1), 1)
    assert result["staged_scores"].shape[1] == 2
    assert isinstance(result["output_model"], GBNNModel)
    assert "accuracy" in result["summary"]


def test_any_whole_numbers_are_labels(blobs):
    points, labels = blobs
    names = np.array([-7, 3, 1000])
    result = gbnn(training=points, labels=names[labels], test=points, **SMALL)
    assert set(np.unique(result["predictions"])) == set(names)


def test_last_column_holds_the_labels(blobs):
    points, labels = blobs
    table = np.column_stack([points, labels])
    before = table.copy()
    one = gbnn(training=table, test=points, **SMALL)
    two = gbnn(training=points, labels=labels, test=points, **SMALL)
    np.testing.assert_array_equal(one["probabilities"], two["probabilities"])
    np.testing.assert_array_equal(table, before)


def test_regression(surface):
    points, responses = surface
    for y in (responses, np.column_stack([responses, -responses])):
        result = gbnn(training=points, responses=y, test=points,
                      test_responses=y, **SMALL)
        predicted = result["output_predictions"]
        assert predicted.shape == (200, 1 if y.ndim == 1 else 2)
        error = predicted.reshape(y.shape) - y
        assert np.mean(error ** 2) < 0.5 * np.var(y)


def test_losses(surface):
    points, responses = surface
    result = gbnn(training=points, responses=responses, test=points,
                  test_responses=responses, loss="quantile",
                  quantiles="0.1,0.5,0.9", non_crossing=True, **SMALL)
    assert result["output_predictions"].shape == (200, 3)
    assert (np.diff(result["output_predictions"], axis=1) >= 0).all()
    assert "quantile 0.9: pinball loss" in result["summary"]
    for loss, name in (("absolute", "MAE"), ("huber", "RMSE"),
                       ("poisson", "deviance")):
        result = gbnn(training=points, responses=responses + 1, test=points,
                      test_responses=responses + 1, loss=loss, **SMALL)
        assert name in result["summary"]
    with pytest.raises(ValueError, match="expected one or several numbers"):
        gbnn(training=points, responses=responses, loss="quantile",
             quantiles="0.9,0.1")


def test_same_seed_same_bits(blobs):
    points, labels = blobs
    first, second, other = (
        gbnn(training=points, labels=labels, test=points, hidden_units=12,
             seed=seed) for seed in (1, 1, 2))
    assert pickle.dumps(first["output_model"]) == \
        pickle.dumps(second["output_model"])
    assert (first["probabilities"] != other["probabilities"]).any()


@pytest.mark.parametrize("change", [
    lambda x: x.astype(np.float32).astype(np.float64), np.asfortranarray,
    pd.DataFrame, lambda x: x.tolist(), lambda x: np.repeat(x, 2, 0)[::2]])
def test_same_points_in_another_shape(blobs, change):
    points, labels = blobs
    points = points.astype(np.float32).astype(np.float64)
    one = gbnn(training=points, labels=labels, test=points, **SMALL)
    two = gbnn(training=change(points), labels=pd.Series(labels),
               test=change(points), **SMALL)
    np.testing.assert_array_equal(one["probabilities"], two["probabilities"])


def test_inputs_are_not_changed(blobs, surface):
    for key, (points, y) in (("labels", blobs), ("responses", surface)):
        points, y = points.copy(), y.astype(float)
        points[3, 1] = np.nan
        weights = np.linspace(1, 2, len(y))
        given = [points, y, weights]
        before = [array.copy() for array in given]
        gbnn(training=points, weights=weights, test=points, **{key: y},
             **SMALL)
        for array, old in zip(given, before):
            np.testing.assert_array_equal(array, old)


def test_read_only_arrays(blobs):
    points, labels = (array.copy() for array in blobs)
    points.flags.writeable = labels.flags.writeable = False
    gbnn(training=points, labels=labels, **SMALL)


def test_categories_and_missing_values():
    random = np.random.RandomState(2)
    size = 300
    frame = pd.DataFrame({
        "color": pd.Categorical(random.choice(["red", "green"], size)),
        "number": random.randn(size),
        "flag": random.rand(size) < 0.5,
    })
    labels = ((frame["color"] == "red") ^ frame["flag"]).astype(int)
    frame.loc[3, "number"] = np.nan
    frame.loc[4, "color"] = np.nan
    model = gbnn(training=frame, labels=labels, hidden_units=60,
                 seed=1)["output_model"]
    predicted = gbnn(test=frame, input_model=model)["predictions"]
    assert (predicted == labels).mean() > 0.95
    # Known by name, not by number; and strings are as good as categories.
    reverse = frame[::-1].astype({"color": object, "flag": str})
    np.testing.assert_array_equal(
        gbnn(test=reverse, input_model=model)["predictions"], predicted[::-1])
    # A category that training did not have.
    strange = frame.astype({"color": str}).assign(color="blue")
    with pytest.warns(UserWarning, match=r"did not occur in training \('blue'\)"):
        gbnn(test=strange, input_model=model)


def test_active_units(blobs):
    points, labels = blobs
    model = gbnn(training=points, labels=labels, **SMALL)["output_model"]
    results = [gbnn(test=points, input_model=model, active_units=k)
               for k in (3, 12)]
    whole = gbnn(test=points, input_model=model)
    assert (results[0]["probabilities"] != whole["probabilities"]).any()
    np.testing.assert_array_equal(results[1]["probabilities"],
                                  whole["probabilities"])


def test_class_weights_and_early_exit(blobs):
    points, labels = blobs
    found, counts = np.unique(labels, return_inverse=True)
    counts = np.bincount(counts)[counts]
    weights = len(labels) / len(found) / counts
    balanced = gbnn(training=points, labels=labels, test=points,
                    class_weights="balanced", **SMALL)
    weighted = gbnn(training=points, labels=labels, test=points,
                    weights=weights, **SMALL)
    np.testing.assert_array_equal(balanced["probabilities"],
                                  weighted["probabilities"])
    early = gbnn(test=points, input_model=balanced["output_model"],
                 early_exit=0)
    np.testing.assert_array_equal(early["predictions"],
                                  balanced["predictions"])
    assert early["units_used"].shape == labels.shape
    assert balanced["units_used"].size == 0
    with pytest.raises(ValueError, match="'class_weights'"):
        gbnn(training=points, labels=labels, class_weights="all")
    with pytest.raises(ValueError, match="'latency'"):
        gbnn(test=points, input_model=balanced["output_model"], latency=-1.0)


def test_model_is_kept(blobs, tmp_path):
    points, labels = blobs
    model = gbnn(training=points, labels=labels, **SMALL)["output_model"]
    expected = gbnn(test=points, input_model=model)["probabilities"]
    copies = [copy.copy(model), copy.deepcopy(model),
              pickle.loads(pickle.dumps(model))]
    for suffix in (".bin", ".json", ".xml"):
        model.save(tmp_path / f"model{suffix}")
        copies.append(GBNNModel.load(tmp_path / f"model{suffix}"))
    for other in copies:
        found = gbnn(test=points, input_model=other)["probabilities"]
        np.testing.assert_array_equal(found, expected)


def test_broken_model_files(blobs, tmp_path):
    points, labels = blobs
    model = gbnn(training=points, labels=labels, **SMALL)["output_model"]
    data = model._to_bytes()
    path = tmp_path / "model.bin"
    for size in list(range(0, 200, 7)) + list(range(200, len(data), 499)):
        path.write_bytes(data[:size])
        with pytest.raises(ValueError, match="not a valid GBNNModel"):
            GBNNModel.load(path)


@pytest.mark.parametrize("given, error, text", [
    ({"hidden_units": -1}, ValueError, "Invalid value of 'hidden_units' "
     r"specified \(-1\); hidden_units must be at least 1"),
    ({"learning_rate": 2}, ValueError, "Invalid value of 'learning_rate'"),
    ({"optimizer": "newton"}, ValueError, "'optimizer'.*'lbfgs', 'adam'"),
    ({"optimizer": 3}, TypeError, "'optimizer' must be of type str"),
    ({"hidden_unit": 3}, TypeError, "did you mean 'hidden_units'"),
    ({"labels": [0, 1]}, ValueError, "'labels' has 2 entries"),
    ({"labels": ["a"] * 200}, ValueError, "'labels' has only one class"),
    ({"responses": np.zeros(200)}, ValueError, "'labels' or 'responses'"),
    ({"training": np.full((200, 4), np.inf)}, ValueError, "infinite"),
    ({"training": np.zeros((0, 4)), "labels": []}, ValueError, "'training'"),
    ({"test": np.zeros((3, 5))}, ValueError, "'test' has 5 columns"),
    ({"input_model": "model.bin"}, TypeError, "must be of type GBNNModel"),
])
def test_errors(blobs, given, error, text, capfd):
    points, labels = blobs
    with pytest.raises(error, match=text) as info:
        gbnn(**{"training": points, "labels": labels, **SMALL, **given})
    assert "\n" not in str(info.value)
    assert capfd.readouterr() == ("", "")
    gbnn(training=points, labels=labels, **SMALL)


def test_threads(blobs):
    points, labels = blobs
    expected = [gbnn(training=points, labels=labels, test=points,
                     hidden_units=12, seed=seed)["probabilities"]
                for seed in range(1, 5)]
    found = [None] * 4

    def work(i):
        for _ in range(3):
            found[i] = gbnn(training=points, labels=labels, test=points,
                            hidden_units=12, seed=i + 1)["probabilities"]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(one, other)


def test_forked_processes(blobs):
    # Threads do not survive a fork; a call must not wait for helpers.
    points, labels = blobs
    expected = gbnn(training=points, labels=labels, test=points, **SMALL)
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        results = [pool.apply_async(gbnn, (), {
            "training": points, "labels": labels, "test": points, **SMALL})
            for _ in range(4)]
        for result in results:
            found = result.get(timeout=60)
            np.testing.assert_array_equal(found["probabilities"],
                                          expected["probabilities"])


def test_an_interrupted_training_goes_on(surface, tmp_path, monkeypatch):
    points, responses = surface
    monkeypatch.setenv("GBNN_CHECKPOINT_SECONDS", "0.01")
    file = tmp_path / "c.ckpt"

    def train(**more):
        return gbnn(training=points, responses=responses, test=points,
                    hidden_units=150, seed=1, **more)

    expected = train()
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        train(checkpoint=str(file))
    timer.join()
    with pytest.raises(Exception, match="'l2' is -1 there and 1 here"):
        train(checkpoint=str(file), l2=1)
    result = train(checkpoint=str(file))
    np.testing.assert_array_equal(result["output_predictions"],
                                  expected["output_predictions"])
    assert not file.exists()


def test_verbose(blobs, capfd):
    points, labels = blobs
    gbnn(training=points, labels=labels, verbose=True, **SMALL)
    assert "[INFO ] " in capfd.readouterr().out


def test_documentation():
    parameters = inspect.signature(gbnn).parameters
    assert parameters["hidden_units"].default == 0
    assert ">>> output = gbnn(training=data, labels=labels" in gbnn.__doc__
    assert parameters["communicator"].default is None
    for name in parameters:
        assert f"\n{name} : " in inspect.getdoc(gbnn)
    stub = pathlib.Path(sys.modules[gbnn.__module__].__file__ + "i")
    assert "    communicator: Any = None,\n" in stub.read_text()


# --- Looking inside, and export ---------------------------------------------

def test_importance(blobs):
    points, labels = blobs
    frame = pd.DataFrame(points, columns=["a", "b", "c", "d"])
    result = gbnn(training=frame, labels=labels, importance=True, **SMALL)
    assert result["importances"].shape == (4, 3)
    # The classes differ in the first and the third column.
    assert set(result["importances"][:, 0].argsort()[2:]) == {0, 2}
    assert result["importance_table"].splitlines()[3].split()[0] in ("a", "c")
    again = gbnn(training=points, labels=labels, importance=True,
                 column_names=list("abcd"), **SMALL)
    assert again["importance_table"] == result["importance_table"]


def test_nothing_is_computed_unless_asked_for(blobs):
    points, labels = blobs
    result = gbnn(training=points, labels=labels, test=points, **SMALL)
    for name in ("importances", "input_gradients", "partial_dependence"):
        assert result[name].size == 0
    assert result["importance_table"] == ""
    assert result["training_losses"].shape == (5, 2)


def test_gradients_and_dependence(surface):
    points, values = surface
    result = gbnn(training=points, responses=values, test=points,
                  gradients=True, dependence="1", **SMALL)
    model = result["output_model"]
    step = 1e-5
    moved = [gbnn(input_model=model, test=points + [sign * step, 0, 0])
             ["output_predictions"][:, 0] for sign in (-1, 1)]
    np.testing.assert_allclose(result["input_gradients"][:, 0],
                               (moved[1] - moved[0]) / (2 * step), rtol=1e-5,
                               atol=1e-7)
    assert result["partial_dependence"].shape == (20, 2)


def test_export_and_report(blobs, tmp_path):
    points, labels = blobs
    frame = pd.DataFrame(points, columns=["a", "b<i>", "c", "d"])
    gbnn(training=frame, labels=labels, export=str(tmp_path / "model.h"),
         report=tmp_path / "report.html", **SMALL)
    assert '"b<i>"' in (tmp_path / "model.h").read_text()
    page = (tmp_path / "report.html").read_text()
    assert "b&lt;i&gt;" in page and "b<i>" not in page
    with pytest.raises(ValueError, match="'export' 'model.txt': expected"):
        gbnn(training=points, labels=labels, export="model.txt", **SMALL)


# --- Tuning ------------------------------------------------------------------

def test_tuning(blobs):
    points, labels = blobs
    result = gbnn(training=points, labels=labels, test=points, tune=True, folds=3,
                  tune_units_per_stage=[1, 2], tune_learning_rates="0.2,1",
                  subsample=0.6, **SMALL)
    scores = result["tuning_scores"]
    assert scores[:, :3].tolist() == [[1, 0.2, 0.6], [1, 1, 0.6], [2, 0.2, 0.6],
                                      [2, 1, 0.6]]
    assert "accuracy" in result["tuning_table"]
    per_stage, rate, subsample, units = scores[scores[:, 6] == 1][0, :4]
    direct = gbnn(training=points, labels=labels, test=points,
                  hidden_units=int(units), units_per_stage=int(per_stage),
                  learning_rate=rate, subsample=subsample, seed=1)
    np.testing.assert_array_equal(result["probabilities"],
                                  direct["probabilities"])
    assert gbnn(training=points, labels=labels,
                **SMALL)["tuning_scores"].size == 0


@pytest.mark.parametrize("options, message", [
    ({"folds": 1}, "folds must be at least 2"),
    ({"folds": 201}, "must be at most the number of points"),
    ({"tune_learning_rates": "0.1,2"}, "has '2' in '0.1,2'"),
    ({"tune_units_per_stage": [0]}, "has 0; expected whole numbers"),
    ({"tune_subsamples": "1", "subsample": 0.5}, "one value or a list"),
])
def test_bad_tuning(blobs, options, message):
    points, labels = blobs
    with pytest.raises(ValueError, match=message):
        gbnn(training=points, labels=labels, tune=True, **SMALL, **options)


def test_a_word_in_a_column_of_numbers():
    """It makes categories, of which the command line warns, too."""
    quick = {"hidden_units": 6, "seed": 2, "refine_iterations": 0,
             "input_encoding": "linear"}
    column = [float(i) for i in range(100)]
    column[40] = "x"
    frame = pd.DataFrame({"a": range(100), "b": column})
    with pytest.warns(UserWarning, match="Column 2 of 'training' has numbers in 99 of 100 "
                      "points, but 'x' in point 41, and is taken for categories"):
        gbnn(training=frame, labels=[0, 1] * 50, **quick)
    # Words, numbers, and categories that users have made of them.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for values in ([f"word {i}" for i in range(100)],
                       pd.Categorical(range(100)), [None, *range(99)],
                       ["x", *(i % 10 for i in range(99))]):
            frame["b"] = pd.Series(values)
            gbnn(training=frame, labels=[0, 1] * 50, **quick)


def test_words_and_targets():
    """Words are labels, and columns are known by their names."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(4)
    frame = pandas.DataFrame(rng.normal(size=(120, 3)), columns=list("abc"))
    frame["kind"] = np.where(frame["a"] + frame["b"] > 0, "yes", "no")
    train, test = frame[:90], frame[90:]
    quick = {"hidden_units": 6, "seed": 2, "refine_iterations": 0,
             "input_encoding": "linear"}
    words = gbnn(training=train[list("abc")], labels=train["kind"],
                 test=test[list("abc")], **quick)
    assert words["label_names"] == ["no", "yes"]
    assert set(words["predictions"]) == {"no", "yes"}
    assert np.mean(words["predictions"] == test["kind"]) > 0.8
    # The model brings its words along, and the columns may be in any order.
    named = gbnn(training=train, target="kind", test=test[["kind", *"cba"]],
                 **quick)
    assert "accuracy" in named["summary"]
    again = gbnn(input_model=named["output_model"], test=test[list("bca")])
    for result in (named, again):
        assert (result["predictions"] == words["predictions"]).all()
        assert (result["probabilities"] == words["probabilities"]).all()
    with pytest.raises(ValueError, match="did you mean 'kind'"):
        gbnn(training=train, target="knd", **quick)
    with pytest.raises(ValueError, match="has no column 'b'"):
        gbnn(input_model=named["output_model"], test=test[list("ac")])


def test_numbers_are_names_unless_pandas_gave_them():
    frame = pd.DataFrame(np.random.RandomState(4).randn(80, 3))
    labels = (frame[0] > frame[1]).to_numpy()
    quick = {"labels": labels, "hidden_units": 6, "seed": 2}
    expected = gbnn(training=frame, test=frame, **quick)["probabilities"]

    years = frame.rename(columns=lambda c: 2020 + c)
    model = gbnn(training=years, **quick)["output_model"]
    for test in (years, years[[2022, 2020, 2021]], frame):
        np.testing.assert_array_equal(
            gbnn(input_model=model, test=test)["probabilities"], expected)
    with pytest.raises(ValueError, match="has no column '2021'"):
        gbnn(input_model=model, test=years[[2020, 2022]])
    # 0, 1 and 2 are places, whatever others are called.
    for other in (frame, frame.to_numpy(), years):
        model = gbnn(training=frame, **quick)["output_model"]
        np.testing.assert_array_equal(
            gbnn(input_model=model, test=other)["probabilities"], expected)


def test_warnings_point_at_the_callers_line():
    points = np.random.RandomState(4).randn(40, 2)
    with pytest.warns(UserWarning, match="ignored") as found:
        gbnn(training=points, labels=points[:, 0] > 0, hidden_units=2,
             seed=1, patience=3)
    assert found[0].filename == __file__


def test_cross_validation_on_threads():
    """Folds are on threads of their own, which must know the language."""
    code = ("import numpy as np; from mlpack_gbnn import gbnn\n"
            "x = np.random.RandomState(0).randn(90, 2)\n"
            "print(gbnn(training=x, labels=x[:, 0] > 0, hidden_units=4, seed=1,"
            " cv=3)['cv_summary'])")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True,
                         text=True, env={**os.environ, "OMP_NUM_THREADS": "3"})
    assert run.returncode == 0, run.stderr
    assert "accuracy" in run.stdout
