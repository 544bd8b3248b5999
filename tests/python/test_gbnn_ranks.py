"""Several processes train the model of one, over mpi4py."""

import pathlib
import shutil
import subprocess
import sys
import textwrap

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "ranks"))
from mpi_environment import ENVIRONMENT  # noqa: E402

pytest.importorskip("mpi4py")
pytest.importorskip("pandas")
if not shutil.which("mpirun"):
    pytest.skip("there is no mpirun", allow_module_level=True)

# Points enough for two cells; a word and a class that come late.
DATA = """
import numpy as np
import pandas as pd
from mpi4py import MPI
from mlpack_gbnn import GBNNClassifier, GBNNRegressor, gbnn

world = MPI.COMM_WORLD
n = 9000
rng = np.random.default_rng(1)
table = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)})
table["word"] = np.array(["red", "green", None, "blue"])[np.arange(n) % 4]
table.loc[n - 5:, "word"] = "late"
z = (table["a"] * (1 + np.arange(n) % 4) + table["b"]).to_numpy()
y = np.where(z > 0, "yes", "no").astype(object)
y[n - 40:] = "maybe"
weights = 1.0 + np.arange(n) % 3
own = slice(n * world.rank // world.size, n * (world.rank + 1) // world.size)
small = dict(hidden_units=4, refine_iterations=4)
"""


def run(folder, number, code, before=""):
    """The outcome of a script on several processes."""
    script = folder / "script.py"
    script.write_text(before + DATA + textwrap.dedent(code))
    # With -m mpi4py, MPI would have started before the script.
    mpi4py = [] if before else ["-m", "mpi4py"]
    return subprocess.run(
        ["mpirun", "-n", str(number), sys.executable, *mpi4py,
         str(script)], cwd=folder, env=ENVIRONMENT, capture_output=True,
        text=True, timeout=300)


SAME = {
    "classifier": """
        def fit(rows, ranks):
            return GBNNClassifier(random_state=1, **small).fit(
                table[rows], y[rows], communicator=ranks)
        """,
    "weights": """
        def fit(rows, ranks):
            return GBNNClassifier(random_state=1, **small).fit(
                table[rows], y[rows], weights[rows], communicator=ranks)
        """,
    "regressor": """
        def fit(rows, ranks):
            return GBNNRegressor(random_state=1, loss="absolute", **small).fit(
                table[["a", "b"]][rows], z[rows], communicator=ranks,
                eval_set=(table[["a", "b"]][:50], z[:50]))
        """,
}


@pytest.mark.parametrize("number", [2, 3])
@pytest.mark.parametrize("name", SAME)
def test_same_as_one_process(tmp_path, name, number):
    result = run(tmp_path, number, textwrap.dedent(SAME[name]) + '''
together = fit(own, world)
alone = fit(slice(None), MPI.COMM_SELF)
assert together.model_._to_bytes() == alone.model_._to_bytes()
assert list(together.predict(table[:9][together.feature_names_in_])) == \\
    list(alone.predict(table[:9][alone.feature_names_in_]))
if hasattr(alone, "classes_"):
    assert list(together.classes_) == ["maybe", "no", "yes"]
print("done")
''')
    assert result.returncode == 0, result.stderr
    # Lines of several processes may run into each other.
    assert result.stdout.count("done") == number


@pytest.mark.parametrize("level, expected", [
    ("single", "MPI_THREAD_SINGLE"), ("funneled", "MPI_THREAD_FUNNELED"),
    ("serialized", ""), ("multiple", "")])
def test_threads_of_mpi(tmp_path, level, expected):
    """The call is made in a thread of its own, which MPI has to allow."""
    result = run(tmp_path, 2, """
        gbnn(training=table[own], labels=y[own], seed=1, communicator=world,
             **small)
        """, f"import mpi4py\nmpi4py.rc.thread_level = {level!r}\n")
    assert (result.returncode != 0) == bool(expected), result.stderr
    if expected:
        assert "RuntimeError: communicator: MPI has started with " \
            f"{expected}, but training needs MPI_THREAD_SERIALIZED" in \
            result.stderr
        assert "set it to 'serialized'" in result.stderr


def test_seed_of_all(tmp_path):
    result = run(tmp_path, 2, """
        model = GBNNClassifier(**small).fit(table[own], y[own],
                                            communicator=world)
        assert len(set(world.allgather(model.model_._to_bytes()))) == 1
        # Messages of the user's own are left alone.
        if world.rank == 1:
            request = world.isend("mine", dest=0, tag=7)
        model = GBNNClassifier(random_state=world.rank, **small).fit(
            table[own], y[own], communicator=world)
        assert len(set(world.allgather(model.model_._to_bytes()))) == 1
        if world.rank == 1:
            request.wait()
        else:
            assert world.recv(source=1, tag=7) == "mine"
        """)
    assert result.returncode == 0, result.stderr


ERRORS = {
    "class_weights": ("GBNNClassifier(class_weight='balanced').fit("
                      "table[own], y[own], communicator=world)",
                      "'class_weights' looks at all points"),
    "cv": ("gbnn(training=table[own], labels=y[own], cv=2, "
           "communicator=world)", "'cv' looks at all points"),
    "some_weights": ("gbnn(training=table[own], labels=y[own], communicator="
                     "world, weights=None if world.rank else weights[own])",
                     "must give the same parameters"),
    "zero_weights": ("gbnn(training=table[own], labels=y[own], communicator="
                     "world, weights=weights[own] * (1 - world.rank))",
                     "are all 0 on one of the processes"),
    "some_labels": ("gbnn(training=table[own], communicator=world, "
                    "labels=None if world.rank else y[own])",
                    "must give the same parameters"),
    "no_rows": ("gbnn(training=table[own][:0 if world.rank else 9], "
                "labels=y[own][:0 if world.rank else 9], communicator=world)",
                "has no rows on one of the processes"),
    "kinds": ("gbnn(training=table[['word' if world.rank else 'a']][own], "
              "labels=y[own], communicator=world)",
              "words in column 1 on one process and numbers on another"),
    "columns": ("gbnn(training=table[own].iloc[:, world.rank:], "
                "labels=y[own], communicator=world)",
                "the same number of columns"),
    "options": ("gbnn(training=table[own], labels=y[own], hidden_units=3, "
                "learning_rate=0.5 + 0.1 * world.rank, communicator=world)",
                "'learning_rate' differs"),
    "no_communicator": ("gbnn(training=table[own], labels=y[own], "
                        "communicator='world')", "must be one of mpi4py"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(tmp_path, name):
    call, message = ERRORS[name]
    result = run(tmp_path, 2, call + "\n")
    assert result.returncode != 0
    assert message in result.stderr
