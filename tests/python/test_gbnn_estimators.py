"""The scikit-learn estimators."""

import inspect
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlpack_gbnn import GBNNClassifier, GBNNRegressor, gbnn


@parametrize_with_checks([GBNNClassifier(), GBNNRegressor()])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", [GBNNClassifier(), GBNNRegressor()])
def test_no_check_is_expected_to_fail(estimator):
    assert not hasattr(estimator, "_get_tags") or \
        not estimator._get_tags()["_xfail_checks"]


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True)


def classifier(**values):
    return GBNNClassifier(**{"hidden_units": 15, "random_state": 1, **values})


def regressor(**values):
    return GBNNRegressor(**{"hidden_units": 15, "random_state": 1, **values})


def test_parameters_are_those_of_the_binding():
    parameters = GBNNClassifier().get_params()
    defaults = inspect.signature(gbnn).parameters
    for name, value in parameters.items():
        assert name in ("class_weight", "random_state") or \
            value == (defaults[name].default or value), name
    assert parameters["hidden_units"] == 0
    assert parameters["class_weight"] is None and parameters["early_exit"] == -1
    assert set(parameters) >= {"learning_rate", "subsample", "optimizer", "l2",
                               "active_units", "random_state",
                               "input_encoding", "bins"}
    assert parameters["input_encoding"] == "auto" and parameters["bins"] == 0
    assert not set(parameters) & {"seed", "verbose", "training", "input_model"}
    for name in parameters:
        assert f"\n{name} : " in inspect.getdoc(GBNNClassifier)
    with pytest.raises(TypeError, match="'hidden_unit'"):
        GBNNClassifier(hidden_unit=3)


def test_every_parameter_reaches_the_binding(iris):
    # The default optimizer may have a tolerance of its own; L-BFGS has not.
    usual = classifier(optimizer="lbfgs").fit(*iris).predict_proba(iris[0])
    for change in ({"hidden_units": 9}, {"units_per_stage": 5},
                   {"learning_rate": 0.5}, {"subsample": 0.5},
                   {"activation": "tanh"}, {"optimizer": "adam"},
                   {"max_iterations": 3}, {"tolerance": 0.1}, {"l2": 1.0},
                   {"refine_iterations": 0},
                   {"input_encoding": "piecewise", "bins": 5},
                   {"no_scaling": True}, {"active_units": 6},
                   {"random_state": 2}):
        changed = classifier(**{"optimizer": "lbfgs", **change})
        other = changed.fit(*iris).predict_proba(iris[0])
        assert (other != usual).any(), change


@pytest.mark.parametrize("names", [
    np.array(["setosa", "versicolor", "virginica"]),
    np.array(["a", "b", "c"], dtype=object), np.array([3.0, -1.0, 7.0]),
    np.array([10, 20, 30])])
def test_labels_of_any_type(iris, names):
    X, y = iris
    model = classifier().fit(X, names[y])
    assert set(model.classes_) == set(names)
    assert model.predict(X).dtype == names.dtype
    assert model.score(X, names[y]) > 0.9
    best = model.classes_[model.predict_proba(X).argmax(axis=1)]
    np.testing.assert_array_equal(best, model.predict(X))


def test_regression(diabetes):
    X, y = diabetes
    model = regressor(hidden_units=60).fit(X, y)
    assert model.score(X, y) > 0.4
    assert model.predict(X).shape == y.shape
    two = regressor().fit(X, np.column_stack([y, -y]))
    assert two.predict(X).shape == (len(y), 2)
    assert regressor().fit(X, y[:, None]).predict(X).shape == (len(y), 1)
    model = regressor(loss="quantile", quantiles=[0.1, 0.9],
                      non_crossing=True).fit(X, y)
    low, high = model.predict(X).T
    assert (low <= high).all() and (y < low).mean() < 0.3 < (y < high).mean()
    assert regressor(loss="absolute").fit(X, y).predict(X).shape == y.shape
    counts = regressor(loss="poisson").fit(X, y)
    assert [p.shape for p in counts.staged_predict(X)] == [y.shape] * 5
    with pytest.raises(ValueError, match="must not be negative"):
        counts.fit(X, -y)


def test_staged_predict(iris, diabetes):
    model = classifier(hidden_units=16, units_per_stage=5).fit(*iris)
    stages = list(model.staged_predict(iris[0]))
    assert len(stages) == 4
    np.testing.assert_array_equal(stages[-1], model.predict(iris[0]))
    shares = list(model.staged_predict_proba(iris[0]))
    np.testing.assert_array_equal(shares[-1], model.predict_proba(iris[0]))
    model.set_params(active_units=10)
    np.testing.assert_array_equal(shares[1], model.predict_proba(iris[0]))
    for model, y in ((regressor(), diabetes[1]), (classifier(), iris[1])):
        X = diabetes[0] if len(y) == len(diabetes[1]) else iris[0]
        assert len(list(model.fit(X, y).staged_predict(X))) == 5


def test_order_of_points_does_not_matter(iris):
    X, y = iris
    order = np.random.RandomState(3).permutation(len(y))
    one = classifier().fit(X, y)
    two = classifier().fit(X[order], y[order])
    assert pickle.dumps(one.model_) == pickle.dumps(two.model_)


def test_weights(iris, diabetes):
    for model, (X, y) in ((classifier(), iris), (regressor(), diabetes)):
        weights = np.linspace(0, 2, len(y))
        usual = clone(model).fit(X, y).predict(X[:50])
        alike = clone(model).fit(X, y, np.full(len(y), 3.0))
        np.testing.assert_array_equal(usual, alike.predict(X[:50]))
        weighted = clone(model).fit(X, y, sample_weight=weights)
        assert pickle.dumps(weighted.model_) != \
            pickle.dumps(clone(model).fit(X, y).model_)
        left_out = np.where(np.arange(len(y)) % 3, 1.0, 0.0)
        one = clone(model).fit(X, y, sample_weight=left_out)
        two = clone(model).fit(X[left_out > 0], y[left_out > 0])
        assert pickle.dumps(one.model_) == pickle.dumps(two.model_)
        with pytest.raises(ValueError, match="weight"):
            model.fit(X, y, sample_weight=np.zeros(len(y)))
        with pytest.raises(ValueError, match="weight"):
            model.fit(X, y, sample_weight=np.full(len(y), -1.0))


def test_class_weight_of_labels_that_could_be_misread():
    X = (np.arange(60) % 7)[:, None]
    y = np.array(["yes", "no, never", '"maybe"'])[np.arange(60) % 3]
    for label in np.unique(y):
        model = classifier(class_weight={label: 9}).fit(X, y)
        shares = dict(zip(model.classes_, model.predict_proba(X).mean(axis=0)))
        assert max(shares, key=shares.get) == label


def test_class_weight(iris):
    X, y = iris
    X, y = X[y > 0][:70], np.array(["often", "rare"])[y[y > 0][:70] - 1]

    def fitted(**values):
        return pickle.dumps(classifier(**values).fit(X, y).model_)

    by_hand = fitted(class_weight={"rare": 70 / 2 / 20, "often": 70 / 2 / 50})
    assert fitted(class_weight="balanced") == by_hand != fitted()
    model = classifier(class_weight="balanced").fit(X, y)
    # Those not mentioned weigh 1; those that do not occur, nothing.
    assert fitted(class_weight={"rare": 3}) == \
        fitted(class_weight={"rare": 3, "often": 1, "never": 5})
    assert (model.predict(X) == "rare").sum() >= \
        (classifier().fit(X, y).predict(X) == "rare").sum()
    assert fitted(class_weight=pd.Series({"rare": 3, "often": 1})) == \
        fitted(class_weight={"rare": 3, "often": 1})
    for bad, message in (("balance", "'balanced' or None"),
                         ({"rar": 2}, "'rar'"), ({"rare": 0}, "greater than 0"),
                         ({"rare": -1}, "greater than 0"),
                         ({"rare": np.nan}, "greater than 0")):
        with pytest.raises(ValueError, match=message):
            classifier(class_weight=bad).fit(X, y)


def test_early_exit(iris):
    X, y = iris
    model = classifier(hidden_units=60).fit(X, y)
    usual, certain = model.predict(X), model.units_used(X)
    assert certain.shape == (150,) and certain.min() < 60
    model.set_params(early_exit=0.0)
    np.testing.assert_array_equal(model.predict(X), usual)
    np.testing.assert_array_equal(model.units_used(X), certain)
    many = np.repeat(X, 10, axis=0)
    model.set_params(early_exit=0.05)
    changed = (model.predict(many) != np.repeat(usual, 10)).mean()
    assert changed < 0.05
    best = model.classes_[model.predict_proba(many).argmax(axis=1)]
    np.testing.assert_array_equal(best, model.predict(many))
    with pytest.raises(ValueError, match="'early_exit'"):
        model.set_params(early_exit=2.0).predict(X)


def test_latency(iris):
    model = classifier(latency=1e6).fit(*iris)
    np.testing.assert_array_equal(model.predict_proba(iris[0]),
                                  classifier().fit(*iris).predict_proba(iris[0]))


@pytest.fixture
def frame():
    random = np.random.RandomState(5)
    size = 200
    frame = pd.DataFrame({
        "color": random.choice(["red", "green", "blue"], size),
        "size": pd.Categorical(random.choice(["s", "m"], size)),
        "number": random.randn(size),
        "flag": random.rand(size) < 0.5,
    })
    y = np.where((frame["color"] == "red") | frame["flag"], "yes", "no")
    frame.loc[0, "number"] = np.nan
    frame.loc[1, "color"] = None
    return frame, pd.Series(y)


def test_data_frame_with_categories(frame):
    X, y = frame
    model = classifier(hidden_units=60).fit(X, y)
    assert model.score(X, y) > 0.9
    assert list(model.feature_names_in_) == list(X.columns)
    assert model.n_features_in_ == 4
    order = np.random.RandomState(0).permutation(len(y))
    other = classifier(hidden_units=60).fit(X.iloc[order], y.iloc[order])
    np.testing.assert_array_equal(other.predict_proba(X),
                                  model.predict_proba(X))
    with pytest.raises(ValueError, match="feature"):
        model.predict(X[["color", "size", "number"]])
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X[X.columns[::-1]])
    with pytest.raises(ValueError, match="inconsistent"):
        model.fit(X, y[:-1])
    with pytest.raises(ValueError, match="y is None|requires y"):
        model.fit(X, None)
    numbers = pd.DataFrame({"a": range(len(y)), "b": 1.0})
    assert regressor().fit(X, numbers["a"]).predict(X).shape == (len(y),)


def test_dates_and_masks(diabetes):
    X, y = diabetes
    model = GBNNRegressor(hidden_units=4, random_state=1)
    dates = pd.Series(pd.date_range("2020", periods=len(y)))
    for points, target in ((X, dates), (X, dates.to_frame()),
                           (dates.to_numpy().reshape(-1, 1), y)):
        with pytest.raises(TypeError, match="dates and times are not supp"):
            model.fit(points, target)
    masked = np.ma.array(X, mask=X > 0.1)
    expected = model.fit(masked.filled(np.nan), y).predict(X)
    np.testing.assert_array_equal(model.fit(masked, y).predict(X), expected)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(X, np.ma.array(y, mask=y > 200))
    with pytest.raises(ValueError, match="NaN"):
        GBNNClassifier().fit(X, np.ma.array(y > 100, mask=y > 200))


def test_warm_start(iris):
    X, y = iris
    whole = classifier(hidden_units=30, refine_iterations=0).fit(X, y)
    model = classifier(hidden_units=15, refine_iterations=0,
                       warm_start=True).fit(X, y)
    assert len(list(model.staged_predict(X))) == 5
    model.fit(X, y)
    assert len(list(model.staged_predict(X))) == 10
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X))
    with pytest.raises(ValueError, match="classes"):
        model.fit(X, y + 1)
    model.set_params(warm_start=False).fit(X, y)
    assert len(list(model.staged_predict(X))) == 5
    # The encoding stays, and nothing is said about it.
    model = classifier(input_encoding="piecewise", bins=6, warm_start=True,
                       refine_iterations=0).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X, y)
    whole = classifier(hidden_units=30, input_encoding="piecewise", bins=6,
                       refine_iterations=0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X))


@pytest.mark.parametrize("before, after", [
    ({}, {"activation": "tanh"}), ({"activation": "tanh"},
                                   {"activation": "logistic"}),
    ({}, {"input_encoding": "linear"}), ({"bins": 5}, {"bins": 0}),
    ({}, {"no_scaling": True}), ({"no_scaling": True}, {"no_scaling": False})])
def test_warm_start_keeps_some_parameters(iris, before, after):
    model = classifier(warm_start=True, refine_iterations=0, **before)
    model.fit(*iris).set_params(**after)
    name = next(iter(after))
    with pytest.warns(UserWarning, match=f"^'{name}' ignored because the input "
                                         "model has its own!$") as warned:
        model.fit(*iris)
    assert len(warned) == 1 and warned[0].filename == __file__


def test_warm_start_keeps_the_loss(diabetes):
    for before, after in (({}, {"loss": "absolute"}),
                          ({"loss": "absolute"}, {"loss": "squared"}),
                          ({"loss": "quantile", "quantiles": [0.1, 0.9]},
                           {"quantiles": [0.2, 0.9]})):
        model = regressor(warm_start=True, refine_iterations=0, **before)
        model.fit(*diabetes).fit(*diabetes).set_params(**after)
        with pytest.raises(ValueError, match="is not that of the input model"):
            model.fit(*diabetes)


def test_tools_of_scikit_learn(iris, diabetes):
    scores = cross_val_score(
        make_pipeline(StandardScaler(), classifier(hidden_units=30)), *iris)
    assert scores.mean() > 0.9
    search = GridSearchCV(regressor(), {"learning_rate": [0.1, 0.5],
                                        "hidden_units": [6, 12]}, cv=3)
    search.fit(*diabetes)
    assert search.best_params_["hidden_units"] in (6, 12)
    assert cross_val_score(classifier(), *iris, n_jobs=2).mean() > 0.9
    copy = pickle.loads(pickle.dumps(classifier().fit(*iris)))
    assert copy.score(*iris) > 0.9


def test_invalid_parameters_are_refused_by_fit(iris):
    for change, error in (({"hidden_units": -1}, ValueError),
                          ({"optimizer": "?"}, ValueError),
                          ({"learning_rate": "big"}, TypeError)):
        with pytest.raises(error, match=f"'{next(iter(change))}'"):
            classifier(**change).fit(*iris)


def test_random_state(iris):
    X, y = iris

    def fitted(state):
        return pickle.dumps(classifier(random_state=state).fit(X, y).model_)

    assert fitted(7) == fitted(7) and fitted(0) == fitted(0)
    assert fitted(np.random.RandomState(7)) == fitted(np.random.RandomState(7))
    assert len({fitted(0), fitted(1), fitted(None), fitted(None)}) == 4


def test_scikit_learn_is_optional():
    code = ("import sys\n"
            "sys.modules['sklearn'] = None\n"
            "import mlpack_gbnn\n"
            "from mlpack_gbnn import gbnn, GBNNModel\n"
            "gbnn(training=[[0.0, 0], [1, 1]], hidden_units=1, seed=1)\n"
            "assert 'GBNNClassifier' in dir(mlpack_gbnn)\n"
            "try:\n"
            "    mlpack_gbnn.GBNNClassifier\n"
            "except ImportError as error:\n"
            "    assert 'needs the package sklearn' in str(error)\n"
            "else:\n"
            "    raise AssertionError\n")
    subprocess.run([sys.executable, "-c", code], check=True)


def test_predicts_what_gbnn_predicts(iris):
    X, y = iris
    model = classifier().fit(X, y)
    result = gbnn(test=X, input_model=model.model_)
    np.testing.assert_array_equal(result["probabilities"],
                                  model.predict_proba(X))
