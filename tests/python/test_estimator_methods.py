"""What the estimators can do besides fit and predict."""

import copy
import inspect
import pickle
import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectFromModel
from sklearn.metrics import mean_pinball_loss, r2_score

from mlpack_gbnn import GBNNClassifier, GBNNModel, GBNNRegressor, gbnn

NAMES = np.array(["setosa", "versicolor", "virginica"])


def classifier(**values):
    return GBNNClassifier(**{"hidden_units": 15, "random_state": 1, **values})


def regressor(**values):
    return GBNNRegressor(**{"hidden_units": 15, "random_state": 1, **values})


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X, NAMES[y]


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True)


@pytest.fixture(scope="module")
def table():
    """A table with words, of which two columns matter."""
    random = np.random.RandomState(5)
    frame = pd.DataFrame({
        "noise": random.randn(300),
        "color": random.choice(["red", "green", "blue"], 300),
        "number": random.randn(300),
    })
    return frame, np.where(frame["color"] == "red", 3, frame["number"])


# --- Parameters ---------------------------------------------------------------

def test_actions_are_no_parameters():
    for estimator in (GBNNClassifier, GBNNRegressor):
        names = estimator().get_params()
        assert not set(names) & {
            "report", "export", "importance", "gradients", "dependence", "cv",
            "holdout", "target", "task", "seed", "verbose", "training"}
        assert list(inspect.signature(estimator).parameters) != ["values"]


@pytest.mark.parametrize("name, text", [
    ("loss", "no parameter 'loss'.*GBNNRegressor"),
    ("quantiles", "no parameter 'quantiles'.*GBNNRegressor"),
    ("export", r"the method export\(\)"), ("report", r"the method report\(\)"),
    ("seed", "random_state"), ("hidden_unit", "did you mean 'hidden_units'"),
    ("xyzzy", "no parameter 'xyzzy'")])
def test_no_such_parameter(name, text):
    with pytest.raises(TypeError, match=text):
        GBNNClassifier(**{name: "squared"})


def test_parameters_of_one_kind_only():
    one, two = GBNNClassifier().get_params(), GBNNRegressor().get_params()
    assert set(one) - set(two) == {"class_weight", "early_exit"}
    assert set(two) - set(one) == {"loss", "quantiles", "non_crossing",
                                   "huber_delta"}
    with pytest.raises(ValueError, match="'loss'"):
        GBNNClassifier().set_params(loss="absolute")
    with pytest.raises(TypeError, match="only GBNNClassifier"):
        GBNNRegressor(early_exit=0)


def test_lists(diabetes):
    X, y = diabetes
    assert GBNNRegressor().quantiles == (0.5,)
    results = [regressor(loss="quantile", quantiles=given).fit(X, y).predict(X)
               for given in ([0.1, 0.9], (0.1, 0.9), np.array([0.1, 0.9]))]
    assert results[0].shape == (len(y), 2)
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])
    model = regressor(tune=True, folds=3, tune_learning_rates=[0.1, 0.5],
                      tune_subsamples=[0.75], tune_units_per_stage=[3, 5])
    assert model.fit(X, y).score(X, y) > 0.2
    with pytest.raises(ValueError, match="quantiles"):
        regressor(loss="quantile", quantiles=[0.9, 0.1]).fit(X, y)


# --- Labels -------------------------------------------------------------------

@pytest.mark.parametrize("make, dtype", [
    (lambda y: y == "setosa", bool), (lambda y: pd.Series(y == "setosa"), bool),
    (lambda y: pd.Series(y == "setosa").astype("boolean"), bool),
    (lambda y: (y == "setosa").tolist(), bool),
    (lambda y: pd.Series(y).astype("category"), object),
    (lambda y: pd.Categorical(y), object),
    (lambda y: pd.Series(y).astype("string"), object), (list, "<U10"),
    (lambda y: (y == "setosa").astype(np.int32), np.int32),
    (lambda y: (y == "setosa") * 2.0, np.float64),
    (lambda y: pd.Series(y == "setosa").astype("Int64"), np.int64),
    (lambda y: pd.Series((y == "setosa") * 3 + 9).astype("category"), int)])
def test_labels_of_any_kind(iris, make, dtype, tmp_path):
    X, names = iris
    y = make(names)
    model = classifier().fit(X, y)
    predictions = model.predict(X)
    assert predictions.dtype == dtype == model.classes_.dtype
    assert np.mean(predictions == np.asarray(y)) > 0.9
    assert model.score(X, np.asarray(y).astype(dtype)) > 0.9
    # The names are the model's, so that others know them.
    plain = gbnn(input_model=model.model_, test=X)["predictions"]
    assert (plain == predictions).all()
    model.save(tmp_path / "model.bin")
    loaded = GBNNClassifier.load(tmp_path / "model.bin")
    assert (loaded.predict(X) == predictions).all()
    assert loaded.classes_.tolist() == model.classes_.tolist()


def test_missing_labels(iris):
    X, y = iris
    y = y.astype(object)
    y[7] = None
    with pytest.raises(ValueError, match="point 8 has no label"):
        classifier().fit(X, y)


def test_missing_nullable_labels(iris):
    X, y = iris
    for kind in ("Int64", "boolean"):
        labels = pd.Series(y == "setosa").astype(kind)
        labels[7] = pd.NA
        with pytest.raises(ValueError, match="point 8 has no label; leave out"):
            classifier().fit(X, labels)


@pytest.mark.parametrize("kind", ["Int64", "boolean", "Float64", object])
def test_score_of_labels_of_pandas(iris, kind):
    X, y = iris
    plain = (y == "setosa").astype(int)
    labels = pd.Series(plain).astype(kind)
    model = classifier().fit(X, labels)
    expected = classifier().fit(X, plain).score(X, plain)
    assert model.score(X, labels) == expected
    assert model.staged_scores(X, labels)[-1, 1] == expected
    weights = np.linspace(1, 2, len(y))
    assert model.score(X, labels, weights) == \
        pytest.approx(model.score(X, plain, weights))


def test_words_that_are_not_utf8(iris, tmp_path):
    """As pandas has those of files in Latin-1."""
    y = np.where(iris[1] == "setosa", "caf\udce9", "th\udce9")
    X = iris[0].assign(word=y, kind=pd.Categorical(y))
    model = classifier().fit(X, y)
    order = np.random.RandomState(0).permutation(len(y))
    other = classifier().fit(X.iloc[order], y[order])
    np.testing.assert_array_equal(model.predict_proba(X),
                                  other.predict_proba(X))
    model.save(tmp_path / "model.bin")
    loaded = GBNNClassifier.load(tmp_path / "model.bin")
    assert loaded.classes_.tolist() == ["caf\udce9", "th\udce9"]
    assert (loaded.predict(X) == y).all()
    found = loaded.partial_dependence(X, "word").grid_values
    assert found.tolist() == ["caf\udce9", "th\udce9"]


def test_scores_of_quantiles(diabetes):
    X, y = diabetes
    model = regressor(loss="quantile", quantiles=[0.1, 0.9]).fit(X, y)
    with pytest.raises(ValueError, match=r"has 2 quantiles; use staged_scores"):
        model.score(X, y)
    low, high = (mean_pinball_loss(y, column, alpha=alpha) for column, alpha
                 in zip(model.predict(X).T, (0.1, 0.9)))
    assert model.staged_scores(X, y)[-1, 1] == pytest.approx((low + high) / 2)
    model = regressor(loss="quantile", quantiles=[0.5]).fit(X, y)
    assert model.score(X, y) == r2_score(y, model.predict(X))


# --- What cannot be trained on ------------------------------------------------

def test_empty_frames(table):
    X, y = table
    for model, target in ((regressor(), y), (classifier(), y > 0)):
        for frame, values in ((X[:0], target[:0]), (pd.DataFrame(), []),
                              (X[["noise"]][:0], target[:0])):
            with pytest.raises(ValueError, match=r"with 0 sample\(s\)"):
                model.fit(frame, values)
        with pytest.raises(ValueError, match=r"with 0 feature\(s\)"):
            model.fit(X[[]], target)


def test_words_in_lists():
    for points in ([[1.0, "red"], [2.0, "blue"]] * 20,
                   np.array([[1.0, "red"], [2.0, "blue"]] * 20, dtype=object)):
        with pytest.raises(ValueError, match=r"give pd\.DataFrame\(X\)"):
            classifier().fit(points, [0, 1] * 20)
        frame = pd.DataFrame(points)
        assert classifier().fit(frame, [0, 1] * 20).score(frame,
                                                          [0, 1] * 20) == 1


# --- Columns ------------------------------------------------------------------

def test_columns_have_scikit_learns_rule(iris, table):
    for model, (X, y) in ((classifier(), iris), (regressor(), table)):
        model.fit(X, y)
        name = X.columns[1]
        with pytest.raises(ValueError, match="missing:\n- " + name.split()[0]):
            model.predict(X.drop(columns=name))
        for other in (X[X.columns[::-1]], X.assign(more=1)):
            with pytest.raises(ValueError, match="feature_names_in_"):
                model.predict(other)
            assert (model.predict(other[list(model.feature_names_in_)])
                    == model.predict(X)).all()


def test_columns_called_by_numbers(tmp_path):
    points = np.random.RandomState(0).randn(120, 3)
    words = np.where(points[:, 0] > 0, "yes", "no")
    usual = pd.DataFrame(points)
    for frame in (usual, usual.assign(word=words).set_axis(range(4), axis=1)):
        wrong = frame[frame.columns[::-1]]
        # Places, then names.
        model = classifier().fit(frame, words)
        for call in (lambda: model.predict(wrong),
                     lambda: model.fit(frame, words, eval_set=(wrong, words))):
            with pytest.raises(ValueError, match=r"X\[sorted\(X.columns\)\]"):
                call()
        expected = model.predict(frame)
        years = frame.rename(columns=lambda i: 2020 + i)
        assert (model.predict(years) == expected).all()
        model = classifier().fit(wrong, words)
        assert model.feature_names_in_.tolist() == list(map(str, wrong.columns))
        model.save(tmp_path / "model.bin")
        for other in (model, GBNNClassifier.load(tmp_path / "model.bin")):
            with pytest.raises(ValueError, match=re.escape(
                    f"X[{wrong.columns.tolist()}] has the right")):
                other.predict(frame)
            assert (other.predict(wrong) == model.predict(wrong)).all()
        found = gbnn(input_model=model.model_, test=frame)["predictions"]
        assert (found == model.predict(wrong)).all()
    part = classifier().fit(usual[[0, 2]], words)
    with pytest.raises(ValueError, match=r"X\[\[0, 2\]\] has the right"):
        part.predict(usual)


def test_names_of_columns_are_the_models(iris, tmp_path):
    X, y = iris
    classifier().fit(X, y).export(tmp_path / "model.h")
    assert "petal length (cm)" in (tmp_path / "model.h").read_text()


# --- Early stopping -----------------------------------------------------------

@pytest.mark.parametrize("wrap", [lambda pair: pair, lambda pair: [pair]])
def test_eval_set(iris, diabetes, wrap):
    X, y = iris
    model = classifier(hidden_units=60, patience=3, refine_iterations=0)
    model.fit(X[::2], y[::2], eval_set=wrap((X[1::2], y[1::2])))
    losses = model.training_losses_
    assert losses.shape[1] == 3
    best = int(losses[losses[:, 2].argmin(), 0])
    assert model._stages()[-1] == best
    points, values = diabetes
    model = regressor(patience=0).fit(points[::2], values[::2], eval_set=wrap(
        (points[1::2], values[1::2])))
    assert model.training_losses_.shape == (6, 3)


@pytest.mark.parametrize("eval_set", [
    "validation", 3, [], (1, 2, 3), [(1, 2), (3, 4)]])
def test_bad_eval_set(iris, eval_set):
    with pytest.raises(ValueError, match="eval_set must be a pair"):
        classifier().fit(*iris, eval_set=eval_set)


def test_eval_set_that_does_not_fit(iris):
    X, y = iris
    with pytest.raises(ValueError, match="'?daisy'?.*does not occur"):
        classifier().fit(X, y, eval_set=(X[:2], ["setosa", "daisy"]))
    with pytest.raises(ValueError, match="feature names should match"):
        classifier().fit(X, y, eval_set=(X[X.columns[:2]], y))
    with pytest.raises(ValueError, match="validation"):
        classifier(validation_fraction=0.2).fit(X, y, eval_set=(X, y))


# --- Looking inside -----------------------------------------------------------

def test_feature_importances(iris, table):
    for model, (X, y) in ((classifier(), iris), (regressor(), table)):
        assert not hasattr(model, "feature_importances_")
        with pytest.raises(NotFittedError):
            model.feature_importances_
        importances = model.fit(X, y).feature_importances_
        assert importances.shape == (X.shape[1],)
        assert importances.min() >= 0
        assert importances.sum() == pytest.approx(1)
        assert model.feature_importances_ is importances
        model.fit(X, y)
        np.testing.assert_array_equal(model.feature_importances_, importances)
    assert importances.argmin() == 0
    assert list(SelectFromModel(regressor(), threshold=0.1).fit(
        *table).get_support()) == [False, True, True]


def test_importances_are_not_computed_unless_asked_for(iris, monkeypatch):
    asked = []
    model = classifier()
    call = type(model)._call
    monkeypatch.setattr(type(model), "_call", lambda self, *args, **options:
                        asked.append(options) or call(self, *args, **options))
    model.fit(*iris).predict(iris[0])
    assert not any("importance" in options for options in asked)
    model.feature_importances_
    assert sum("importance" in options for options in asked) == 1


def test_pickles_have_importances_and_no_training_points(iris):
    X, y = iris
    importances = classifier().fit(X, y).feature_importances_
    for copied in (lambda model: pickle.loads(pickle.dumps(model)),
                   copy.copy, copy.deepcopy):
        other = copied(classifier().fit(X, y))
        assert other._seen is None
        np.testing.assert_array_equal(other.feature_importances_, importances)
        # So has a copy of it.
        np.testing.assert_array_equal(copied(other).feature_importances_,
                                      importances)


def test_files_have_no_importances(iris, tmp_path):
    X, y = iris
    classifier().fit(X, y).save(tmp_path / "model.bin")
    other = GBNNClassifier.load(tmp_path / "model.bin")
    assert not hasattr(other, "feature_importances_")
    with pytest.raises(AttributeError, match="permutation_importance"):
        other.feature_importances_
    assert other.permutation_importance(X, y).importances_mean.max() > 0


def test_permutation_importance(iris, table):
    for model, (X, y) in ((classifier(), iris), (regressor(), table)):
        found = model.fit(X[::2], y[::2]).permutation_importance(
            X[1::2], y[1::2])
        for values in (found.importances_mean, found.importances_std,
                       found.gradients_mean):
            assert values.shape == (X.shape[1],)
    assert found.importances_mean.argmin() == 0
    model = classifier().fit(*iris)
    with pytest.warns(UserWarning, match="daisy") as warned:
        model.permutation_importance(iris[0][:2], ["setosa", "daisy"])
    # At the line above, not somewhere in the package.
    assert warned[0].filename == __file__


def test_targets_are_needed(iris, table):
    for model, (X, y) in ((classifier(), iris), (regressor(), table)):
        for call in (lambda: model.fit(X, None),
                     lambda: model.fit(X, y, eval_set=(X, None)),
                     lambda: model.fit(X, y).permutation_importance(X, None)):
            with pytest.raises(ValueError, match="requires y to be passed"):
                call()


def test_partial_dependence_of_columns_without_names(table):
    X, y = table
    expected = regressor().fit(X, y)
    plain = X.set_axis(range(X.shape[1]), axis=1)
    model = regressor().fit(plain, y)
    for column in range(X.shape[1]):
        found = model.partial_dependence(plain, column)
        truth = expected.partial_dependence(X, column)
        np.testing.assert_array_equal(found.grid_values, truth.grid_values)
        np.testing.assert_allclose(found.average, truth.average)


def test_partial_dependence_of_columns_with_the_same_name(table):
    X, y = table
    for names in (["a", "a", "b"], ["a", "a", "2"]):
        for some in (slice(0, 3), slice(0, 3, 2)):
            frame = X.set_axis(names, axis=1).iloc[:, some]
            expected = regressor().fit(X.iloc[:, some], y)
            model = regressor().fit(frame, y)
            for column in range(frame.shape[1]):
                found = model.partial_dependence(frame, column)
                truth = expected.partial_dependence(X.iloc[:, some], column)
                np.testing.assert_array_equal(found.average, truth.average)


def test_partial_dependence(table, iris):
    X, y = table
    model = regressor(hidden_units=45).fit(X, y)
    found = model.partial_dependence(X, "color")
    assert found.grid_values.tolist() == ["blue", "green", "red"]
    assert found.average.shape == (1, 3) and found.average[0].argmax() == 2
    by_number = model.partial_dependence(X, 1)
    np.testing.assert_array_equal(by_number.average, found.average)
    number = model.partial_dependence(X, "number")
    assert number.average[0, -1] > number.average[0, 0]
    assert number.grid_values.dtype == float
    points = np.asarray(iris[0])
    found = classifier().fit(points, iris[1]).partial_dependence(points, 2)
    assert found.average.shape == (3, len(found.grid_values))
    np.testing.assert_allclose(found.average.sum(axis=0), 1)
    for column in ("size", 3, -1, None):
        with pytest.raises(ValueError, match="no column .*noise, color"):
            model.partial_dependence(X, column)


def test_partial_dependence_on_missing_words(table):
    X, y = table
    X = X.assign(color=X["color"].where(X["color"] != "blue"))
    model = regressor(hidden_units=45).fit(X, y)
    found = model.partial_dependence(X, "color")
    assert found.grid_values[:2].tolist() == ["green", "red"]
    assert len(found.grid_values) == 3 and np.isnan(found.grid_values[2])
    missing = model.predict(X.assign(color=None)).mean()
    np.testing.assert_allclose(found.average[0, 2], missing)


def test_staged_scores(iris, table):
    for model, (X, y) in ((classifier(), iris), (regressor(), table)):
        scores = model.fit(X, y).staged_scores(X, y)
        assert scores[:, 0].tolist() == list(range(16))
    assert scores[-1, 1] == pytest.approx(
        np.sqrt(np.mean((model.predict(X) - y) ** 2)))
    model = classifier().fit(*iris)
    assert model.staged_scores(*iris)[-1, 1] == model.score(*iris)


# --- Files --------------------------------------------------------------------

def test_report(iris, tmp_path):
    X, y = iris
    model = classifier().fit(X, y)
    model.report(tmp_path / "report.html", X, y)
    page = (tmp_path / "report.html").read_text()
    assert "petal length (cm)" in page and "virginica" in page
    model.report(str(tmp_path / "points.html"), X)
    assert (tmp_path / "points.html").exists()
    with pytest.raises(ValueError, match="'report'"):
        model.report(tmp_path / "nowhere" / "report.html", X, y)
    with pytest.raises(NotFittedError):
        classifier().report(tmp_path / "none.html", X, y)


def test_export(iris, tmp_path):
    X, y = iris
    model = classifier().fit(X, y)
    model.export(tmp_path / "all.h")
    model.set_params(active_units=3).export(tmp_path / "some.h")
    assert (tmp_path / "some.h").stat().st_size < \
        (tmp_path / "all.h").stat().st_size
    model.export(tmp_path / "model.onnx")
    assert (tmp_path / "model.onnx").stat().st_size > 1000
    with pytest.raises(ValueError, match="'export' '.*model.txt': expected"):
        model.export(tmp_path / "model.txt")
    with pytest.raises(NotFittedError):
        classifier().export(tmp_path / "none.h")
    compiler = shutil.which("cc")
    if compiler:
        subprocess.run([compiler, "-xc", "-fsyntax-only",
                        tmp_path / "all.h"], check=True)


@pytest.mark.parametrize("suffix", ["bin", "json", "xml"])
def test_save_and_load(iris, table, diabetes, suffix, tmp_path):
    path = tmp_path / f"model.{suffix}"
    two = np.column_stack([diabetes[1], -diabetes[1]])
    for model, X, y in ((classifier(), *iris), (regressor(), *table),
                        (regressor(), diabetes[0], two)):
        model.fit(X, y).save(path)
        other = type(model).load(path)
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
        assert other.n_features_in_ == model.n_features_in_
        assert [p.tolist() for p in other.staged_predict(X)] == \
            [p.tolist() for p in model.staged_predict(X)]
        assert hasattr(other, "feature_names_in_") == hasattr(X, "columns")
        np.testing.assert_array_equal(
            type(model).load(path, active_units=6).predict(X),
            model.set_params(active_units=6).predict(X))
        assert isinstance(GBNNModel.load(path), GBNNModel)


def test_loaded_model_goes_on(iris, tmp_path):
    X, y = iris
    classifier(refine_iterations=0).fit(X, y).save(tmp_path / "model.bin")
    model = GBNNClassifier.load(tmp_path / "model.bin", warm_start=True,
                                hidden_units=6, refine_iterations=0)
    assert model.fit(X, y)._stages()[-1] == 21


def test_load_of_the_wrong_kind(iris, table, tmp_path):
    classifier().fit(*iris).save(tmp_path / "classes.bin")
    regressor().fit(*table).save(tmp_path / "responses.bin")
    with pytest.raises(ValueError, match=r"use GBNNRegressor\.load"):
        GBNNClassifier.load(tmp_path / "responses.bin")
    with pytest.raises(ValueError, match=r"use GBNNClassifier\.load"):
        GBNNRegressor.load(tmp_path / "classes.bin")
    with pytest.raises(ValueError, match="must end in"):
        GBNNClassifier.load(tmp_path / "classes.txt")
    with pytest.raises(FileNotFoundError):
        GBNNClassifier.load(tmp_path / "none.bin")
    with pytest.raises(NotFittedError):
        classifier().save(tmp_path / "none.bin")
