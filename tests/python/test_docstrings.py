"""The examples in docstrings and in the pages about Python."""

import doctest
import importlib
import inspect
import pathlib
import re

import numpy as np
import pytest

import mlpack_gbnn
from mlpack_gbnn import GBNNModel, deep_gbnn, gbnn

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("module, least", [
    ("estimators", 2), ("_inspection", 1), ("plots", 1)])
def test_examples_by_hand(module, least):
    if module == "plots":
        pytest.importorskip("matplotlib").use("Agg")
    module = importlib.import_module("mlpack_gbnn." + module)
    tests = [test for test in doctest.DocTestFinder().find(module)
             if test.examples]
    assert len(tests) >= least
    runner = doctest.DocTestRunner()
    for test in tests:
        runner.run(test)
    assert runner.failures == 0 and runner.tries > 3 * least


@pytest.mark.parametrize("function, options", [
    (gbnn, {}), (deep_gbnn, {"layers": [6, 4], "trunk_epochs": 3})])
def test_generated_examples(function, options, tmp_path, monkeypatch):
    """They take data for granted, and do not say what they print."""
    points = np.random.RandomState(0).randn(90, 3)
    labels = (points[:, 0] > 0).astype(int)
    names = {"data": points, "labels": labels, "test_set": points[:3],
             "test_labels": labels[:3]}
    monkeypatch.chdir(tmp_path)
    examples = doctest.DocTestParser().get_examples(inspect.getdoc(function))
    assert len(examples) > 4
    for example in examples:
        exec(example.source, names)
    assert len(names["predictions"]) == 3


@pytest.mark.parametrize("page", ["bindings/python/gbnn/notes.md",
                                  "doc/user/python.md"])
def test_pages(page, tmp_path, monkeypatch):
    text = (ROOT / page).read_text()
    if "matplotlib" in text:
        pytest.importorskip("matplotlib")
    model = gbnn(training=[[0.0], [1.0], [2.0]], labels=[0, 1, 1],
                 hidden_units=2, seed=1)["output_model"]
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(
        re.sub("^```.*", "", text, flags=re.M),
        {"model": model, "GBNNModel": GBNNModel}, page, page, 0)
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert runner.failures == 0 and runner.tries > 10


def test_everything_is_documented():
    for name in mlpack_gbnn.__all__:
        assert len(inspect.getdoc(getattr(mlpack_gbnn, name))) > 20
    for estimator in (mlpack_gbnn.GBNNClassifier, mlpack_gbnn.GBNNRegressor):
        for name, member in inspect.getmembers(estimator):
            if not name.startswith("_") and inspect.getmodule(
                    inspect.unwrap(getattr(member, "fget", member))) and \
                    "mlpack_gbnn" in getattr(member, "__module__", ""):
                assert inspect.getdoc(member), name


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", mlpack_gbnn.__version__)
    cmake = (ROOT / "CMakeLists.txt").read_text()
    assert f"VERSION {mlpack_gbnn.__version__}" in cmake
