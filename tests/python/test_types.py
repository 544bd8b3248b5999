"""Type hints and stubs, as mypy sees them."""

import os
import pathlib
import subprocess
import sys

import pytest

import mlpack_gbnn
import mlpack_tiny

pytest.importorskip("mypy", reason="mypy is not installed")
PACKAGES = [pathlib.Path(package.__file__).parent
            for package in (mlpack_gbnn, mlpack_tiny)]

GOOD = """
import numpy as np
from mlpack_gbnn import (GBNNClassifier, GBNNModel, GBNNRegressor, __version__,
                         gbnn, plot_units)

version: str = __version__
result = gbnn(training=np.zeros((3, 2)), labels=["a", "b", "a"], seed=1,
              quantiles=[0.1, 0.9], class_weights={"a": 2.0}, test=None)
gbnn(training=[[0, 1, 2], [1, 2, 3]], target=1, dependence=2)
gbnn(training=[[0, 1, 2], [1, 2, 3]], target="a", dependence="b")
model: GBNNModel = result["output_model"]
text: str = result["summary"]
words: list[str] = result["label_names"]
model.save("model.bin")
same: GBNNModel = GBNNModel.load("model.bin")
loaded: GBNNRegressor = GBNNRegressor.load("model.bin", active_units=3)
fitted: GBNNClassifier = GBNNClassifier(hidden_units=3).fit([[1]], [0])
fitted.predict_proba([[1]]).mean(axis=0)
GBNNRegressor(quantiles=[0.1], tune_units=[3, 4], random_state=1)
plot_units(fitted, [[1]], [0])
"""
BAD = {
    'gbnn(hidden_unit=3)': 'Unexpected keyword argument "hidden_unit"',
    'gbnn(hidden_units="3")': 'has incompatible type "str"',
    'gbnn(target=0.5)': 'has incompatible type "float"',
    'gbnn([[1]])': "Too many positional arguments",
    'gbnn()["output_modell"]': 'has no key "output_modell"',
    'GBNNClassifier(loss="absolute")': 'Unexpected keyword argument "loss"',
    'GBNNClassifier(hidden_units=0.5)': 'has incompatible type "float"',
    'GBNNClassifier().fit([[1]])': 'Missing positional argument "y"',
    'GBNNRegressor().export(3)': 'has incompatible type "int"',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What mypy has learned of NumPy serves all tests."""
    return tmp_path_factory.mktemp("mypy")


def mypy(*arguments, module="mypy"):
    path = os.pathsep.join(str(package.parent) for package in PACKAGES)
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)], text=True,
        capture_output=True, env={**os.environ, "MYPYPATH": path,
                                  "PYTHONPATH": path})


def check(folder, *files):
    return mypy("--ignore-missing-imports", "--cache-dir", folder / "cache",
                *files)


def test_calls_are_checked(folder):
    (folder / "good.py").write_text(GOOD)
    found = check(folder, folder / "good.py")
    assert found.returncode == 0, found.stdout + found.stderr
    (folder / "bad.py").write_text("from mlpack_gbnn import *\n"
                                   + "\n".join(BAD))
    found = check(folder, folder / "bad.py").stdout
    for line, (call, message) in enumerate(BAD.items(), 2):
        assert any(f"bad.py:{line}: error" in text and message in text
                   for text in found.splitlines()), (call, found)


def test_hints_are_sound(folder):
    """What is written by hand agrees with itself."""
    files = [file for file in PACKAGES[0].glob("*.py")
             if not file.with_suffix(".pyi").exists()]
    assert PACKAGES[0] / "estimators.py" in files
    found = check(folder, *files)
    assert found.returncode == 0, found.stdout + found.stderr


def test_stubs_are_true(folder):
    """What is generated is what the library says."""
    (folder / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\n")
    found = mypy("--mypy-config-file", folder / "mypy.ini",
                 "mlpack_gbnn._gbnn", "mlpack_gbnn._deep_gbnn",
                 "mlpack_tiny._tiny", module="mypy.stubtest")
    assert found.returncode == 0, found.stdout + found.stderr


def test_packages_say_that_they_have_types():
    for package in PACKAGES:
        assert (package / "py.typed").exists()
    stub = (PACKAGES[0] / "__init__.pyi").read_text()
    for name in mlpack_gbnn.__all__:
        assert f" as {name}\n" in stub
