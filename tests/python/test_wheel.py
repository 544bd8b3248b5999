"""The built wheel, installed into an empty virtual environment."""

import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

import mlpack_gbnn

DIST = pathlib.Path(mlpack_gbnn.__file__).parents[1] / "dist"

CODE = """
import pathlib, sys
import numpy as np
import mlpack_gbnn
from mlpack_gbnn import GBNNClassifier, GBNNModel, deep_gbnn, gbnn

assert pathlib.Path(sys.prefix) in pathlib.Path(mlpack_gbnn.__file__).parents
points = np.random.RandomState(0).randn(200, 3)
labels = np.where(points[:, 0] > points[:, 1], "yes", "no")
result = gbnn(training=points, labels=labels, test=points, hidden_units=10,
              seed=1)
assert np.mean(result["predictions"] == labels) > 0.9
result["output_model"].save("model.bin")
assert isinstance(GBNNModel.load("model.bin"), GBNNModel)
try:
    import sklearn
except ImportError:
    pass
else:
    model = GBNNClassifier(hidden_units=10, random_state=1)
    assert model.fit(points, labels).score(points, labels) > 0.9
print(mlpack_gbnn.__version__)
"""


@pytest.fixture(scope="module")
def wheel():
    found = list(DIST.glob(f"mlpack_gbnn-{mlpack_gbnn.__version__}-*.whl"))
    assert len(found) == 1, f"no wheel of this version in {DIST}"
    return found[0]


def test_install_and_train(wheel, tmp_path):
    """NumPy is the system's; the environment has nothing else of its own."""
    if sys.prefix != sys.base_prefix:
        pytest.skip("this Python is that of a virtual environment, whose NumPy "
                    "another one does not see")
    env = {name: value for name, value in os.environ.items()
           if name not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE") and
           not name.startswith("PIP_")}
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--system-site-packages",
         tmp_path / "env"], capture_output=True, text=True, env=env)
    if made.returncode != 0:
        pytest.skip("no virtual environments here (Debian: python3-venv): "
                    + made.stdout + made.stderr)
    python = tmp_path / "env" / "bin" / "python"

    def run(*arguments):
        return subprocess.run([python, *arguments], cwd=tmp_path, env=env,
                              capture_output=True, text=True)

    assert "No module named 'mlpack_gbnn'" in run("-c", CODE).stderr
    installed = run("-m", "pip", "install", "--no-index", wheel)
    assert installed.returncode == 0, installed.stdout + installed.stderr
    trained = run("-c", CODE)
    assert trained.returncode == 0, trained.stderr
    assert trained.stdout.strip() == mlpack_gbnn.__version__
    shown = run("-m", "pip", "show", "--files", "mlpack_gbnn").stdout
    assert f"Version: {mlpack_gbnn.__version__}" in shown
    assert "mlpack_gbnn/py.typed" in shown
    gone = run("-m", "pip", "uninstall", "--yes", "mlpack_gbnn")
    assert gone.returncode == 0, gone.stderr
    assert "No module named 'mlpack_gbnn'" in run("-c", CODE).stderr


def test_wheel_is_complete(wheel):
    package = pathlib.Path(mlpack_gbnn.__file__).parent
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        packed = set(archive.namelist())
    for path in package.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert path.relative_to(package.parent).as_posix() in packed
