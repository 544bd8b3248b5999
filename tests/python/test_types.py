"""Type hints and stubs, as mypy sees them."""

import importlib
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
    'gbnn([[1]])': "Too many positional arguments",
    'gbnn()["output_modell"]': 'has no key "output_modell"',
    'GBNNClassifier(loss="absolute")': 'Unexpected keyword argument "loss"',
    'GBNNClassifier(hidden_units=0.5)': 'has incompatible type "float"',
    'GBNNClassifier().fit([[1]])': 'Missing positional argument "y"',
    'GBNNRegressor().export(3)': 'has incompatible type "int"',
}


def mypy(*arguments, module="mypy"):
    path = os.pathsep.join(str(package.parent) for package in PACKAGES)
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)], text=True,
        capture_output=True, env={**os.environ, "MYPYPATH": path,
                                  "PYTHONPATH": path})


def check(tmp_path, code):
    (tmp_path / "code.py").write_text(code)
    return mypy("--ignore-missing-imports", "--cache-dir", tmp_path / "cache",
                "--follow-imports", "silent", tmp_path / "code.py").stdout


def test_calls_are_checked(tmp_path):
    found = check(tmp_path, GOOD)
    assert "Success" in found, found
    found = check(tmp_path, "from mlpack_gbnn import *\n" + "\n".join(BAD))
    for line, (call, message) in enumerate(BAD.items(), 2):
        lines = [text for text in found.splitlines()
                 if f"code.py:{line}: error" in text]
        assert any(message in text for text in lines), (call, found)


def test_package_is_sound(tmp_path):
    """What is written by hand has no errors in its own hints."""
    files = [file for file in PACKAGES[0].glob("*.py")
             if not file.with_suffix(".pyi").exists()]
    assert PACKAGES[0] / "estimators.py" in files
    found = mypy("--ignore-missing-imports", "--cache-dir", tmp_path, *files)
    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize("module", [
    "mlpack_gbnn", "mlpack_gbnn._gbnn", "mlpack_gbnn._deep_gbnn",
    "mlpack_tiny", "mlpack_tiny._tiny"])
def test_stubs_are_true(module, tmp_path):
    importlib.import_module(module)
    (tmp_path / "mypy.ini").write_text(
        "[mypy]\nignore_missing_imports = True\n")
    found = mypy("--mypy-config-file", tmp_path / "mypy.ini",
                 "--ignore-missing-stub", module, module="mypy.stubtest")
    assert found.returncode == 0, found.stdout + found.stderr


def test_packages_say_that_they_have_types():
    for package in PACKAGES:
        assert (package / "py.typed").exists()
