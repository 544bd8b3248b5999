"""The pictures, drawn with matplotlib."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from mlpack_gbnn import GBNNClassifier, GBNNRegressor, plot_dependence, \
    plot_importances, plot_learning_curve, plot_units

matplotlib = pytest.importorskip("matplotlib", reason="no python3-matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


@pytest.fixture(scope="module")
def table():
    random = np.random.RandomState(3)
    return pd.DataFrame({"noise": random.randn(200),
                         "color": random.choice(["red", "blue"], 200),
                         "number": random.randn(200)})


@pytest.fixture(scope="module")
def labels(table):
    return np.where(table["color"] == "red", "stop",
                    np.where(table["number"] > 0, "go", "wait"))


@pytest.fixture(scope="module")
def classifier(table, labels):
    return GBNNClassifier(hidden_units=15, random_state=1, patience=0).fit(
        table[::2], labels[::2], eval_set=(table[1::2], labels[1::2]))


@pytest.fixture(scope="module")
def regressor(table):
    return GBNNRegressor(hidden_units=15, random_state=1).fit(
        table, table["number"] * 2)


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def drawn(ax, path):
    """What the lines show, after the picture was drawn for real."""
    ax.figure.savefig(path)
    assert path.stat().st_size > 5000
    return {line.get_label(): line.get_xydata() for line in ax.get_lines()}


def test_learning_curve(classifier, regressor, tmp_path):
    lines = drawn(plot_learning_curve(classifier), tmp_path / "curve.png")
    losses = classifier.training_losses_
    np.testing.assert_array_equal(lines["training data"], losses[:, :2])
    np.testing.assert_array_equal(lines["validation data"], losses[:, [0, 2]])
    kept = classifier._stages()[-1]
    assert lines[f"kept: {kept} units"][0, 0] == kept
    lines = drawn(plot_learning_curve(regressor), tmp_path / "other.png")
    assert list(lines) == ["training data"]


def test_units(classifier, regressor, table, labels, tmp_path):
    ax = plot_units(classifier, table, labels)
    line, = drawn(ax, tmp_path / "units.png").values()
    np.testing.assert_array_equal(line, classifier.staged_scores(table, labels))
    assert ax.get_ylabel() == "accuracy"
    assert plot_units(regressor, table, table["number"]).get_ylabel() == "error"


def test_importances(classifier, regressor, table, labels, tmp_path):
    ax = plot_importances(regressor)
    drawn(ax, tmp_path / "importances.png")
    assert [t.get_text() for t in ax.get_yticklabels()][0] == "number"
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == sorted(regressor.feature_importances_, reverse=True)
    ax = plot_importances(classifier, table, labels, top=2)
    assert len(ax.patches) == 2 and "shuffled" in ax.get_xlabel()
    with pytest.raises(ValueError, match="X and y go together"):
        plot_importances(classifier, table)


def test_dependence(classifier, regressor, table, tmp_path):
    ax = plot_dependence(classifier, table, "number")
    lines = drawn(ax, tmp_path / "dependence.png")
    assert list(lines) == ["go", "stop", "wait"]
    assert ax.get_xlabel() == "number"
    ax = plot_dependence(regressor, table, 1)
    drawn(ax, tmp_path / "categories.png")
    assert [t.get_text() for t in ax.get_xticklabels()] == ["blue", "red"]
    assert ax.get_xlabel() == "color" and ax.get_legend() is None


def test_dependence_on_missing_words(table, tmp_path):
    frame = table.assign(color=table["color"].where(table["color"] != "red"))
    model = GBNNRegressor(hidden_units=6, random_state=1).fit(frame, frame["number"])
    ax = plot_dependence(model, frame, "color")
    drawn(ax, tmp_path / "missing.png")
    assert [t.get_text() for t in ax.get_xticklabels()] == ["blue", "(missing)"]


def test_drawn_on_what_is_given(classifier, table, labels):
    figure, axes = pyplot.subplots(2, 2)
    calls = [lambda ax: plot_learning_curve(classifier, ax=ax),
             lambda ax: plot_units(classifier, table, labels, ax=ax),
             lambda ax: plot_importances(classifier, ax=ax),
             lambda ax: plot_dependence(classifier, table, 0, ax=ax)]
    for call, ax in zip(calls, axes.flat):
        assert call(ax) is ax
    assert pyplot.get_fignums() == [figure.number]


def test_without_matplotlib():
    code = ("import sys\n"
            "sys.modules['matplotlib'] = None\n"
            "from mlpack_gbnn import GBNNRegressor, plot_learning_curve\n"
            "model = GBNNRegressor(hidden_units=3, random_state=1)\n"
            "model.fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])\n"
            "try:\n"
            "    plot_learning_curve(model)\n"
            "except ImportError as error:\n"
            "    assert 'pip install matplotlib' in str(error)\n"
            "    assert error.name == 'matplotlib'\n"
            "else:\n"
            "    raise AssertionError\n")
    subprocess.run([sys.executable, "-c", code], check=True)
