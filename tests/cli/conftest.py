"""What the tests of the command-line programs share."""

import contextlib
import os
import re
import struct
import subprocess
import zlib

import numpy as np
import pytest


def unsealed(text):
    """A JSON or XML model without its checksum, for tests to change."""
    changed = re.sub(r',\s*"checksum": "[0-9a-f]{8}"|'
                     r"<checksum>[0-9a-f]{8}</checksum>", "", text)
    assert changed != text
    return changed


def resealed(data):
    """A changed binary model with a checksum that fits again."""
    return data[:-4] + struct.pack("<I", zlib.crc32(data[:-4]))


class Result:
    """What a finished program has left behind."""

    def __init__(self, process):
        self.code = process.returncode
        # mlpack colors its prefixes whether or not a terminal reads them.
        self.out = re.sub("\033\\[[0-9;]*m", "", process.stdout)
        self.err = re.sub("\033\\[[0-9;]*m", "", process.stderr)


class Program:
    """A program in a folder of its own."""

    def __init__(self, folder, path):
        self.folder = folder
        self.path = path
        self.command = []

    def run(self, *options, timeout=60):
        process = subprocess.run([*self.command, self.path,
                                  *map(str, options)], cwd=self.folder,
                                 capture_output=True, text=True,
                                 timeout=timeout)
        return Result(process)

    def good(self, *options):
        """Run, and expect success and silence about errors."""
        result = self.run(*options)
        assert result.code == 0, result.err
        assert result.err == ""
        return result

    def bad(self, *options):
        """Run, and expect failure told in exactly one line, and no new file."""
        before = self.listing(times=True)
        result = self.run(*options)
        assert result.code == 1
        lines = result.err.splitlines()
        assert len(lines) == 1, result.err
        assert lines[0].startswith("[FATAL] ")
        assert self.listing(times=True) == before
        return lines[0]

    def listing(self, times=False):
        return {path.name: (path.read_bytes(),
                            path.stat().st_mtime_ns if times else None)
                for path in self.folder.iterdir() if path.is_file()}

    def write(self, name, text):
        data = text.encode() if isinstance(text, str) else text
        (self.folder / name).write_bytes(data)
        return name

    def table(self, name, rows):
        """Write rows of cells, numbers so that they read back exactly."""
        return self.write(name, "".join(
            ",".join(cell if isinstance(cell, str) else "%.17g" % cell
                     for cell in np.atleast_1d(row).tolist()) + "\n"
            for row in rows))

    def read(self, name):
        return (self.folder / name).read_text()

    def numbers(self, name):
        """A table as a matrix, one point a row."""
        return np.loadtxt(self.folder / name, delimiter=",", ndmin=2)


def limited(program, megabytes):
    """Have a program run with so much memory at most; files do not count."""
    # Threads have stacks and buffers, which count.
    program.command = ["sh", "-c", "export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1; "
                       f'ulimit -d {1024 * megabytes}; exec "$@"', "sh"]


@contextlib.contextmanager
def small_disk(program, size):
    """A small file system called small in a program's folder, if one can be made."""
    small = program.folder / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", small],
                      capture_output=True).returncode:
        pytest.skip("needs the right to mount")
    try:
        yield small
    finally:
        subprocess.run(["umount", small], check=True)


@pytest.fixture
def tiny(tmp_path):
    return Program(tmp_path, os.environ["MLPACK_TINY"])


@pytest.fixture
def gbnn(tmp_path):
    return Program(tmp_path, os.environ["MLPACK_GBNN"])


@pytest.fixture
def deep_gbnn(tmp_path):
    return Program(tmp_path, os.environ["MLPACK_DEEP_GBNN"])


class Task:
    """Something to learn: files, and the options that name them."""

    units = 12

    def __init__(self, program, kind, count=100):
        """`count` points to train on, and 40 more to test."""
        rng = np.random.default_rng(11)
        points = rng.normal(size=(count + 40, 3)) * [1, 20, 0.3] + [5, 0, -1]
        z = (points - [5, 0, -1]) / [1, 20, 0.3]
        bent = z[:, 0] * z[:, 1] + np.sin(2 * z[:, 2])
        noise = 0.1 * rng.normal(size=count + 40)
        self.program = program
        self.kind = kind
        self.regression = kind.startswith("regression")
        if kind == "binary":
            truth = np.where(bent + noise > 0, 10, -3)
        elif kind == "multiclass":
            truth = np.choose((bent + noise > -0.3) * 1 + (z[:, 0] > 0.5),
                              [-70, 0, 123456789])
        elif kind == "regression":
            truth = bent + noise
        else:
            truth = np.column_stack([bent + noise, 2 * z[:, 2] ** 2 + noise])
        self.points, self.test_points = points[:count], points[count:]
        self.truth, self.test_truth = truth[:count], truth[count:]
        program.table("x.csv", self.points)
        program.table("y.csv", self.truth)
        program.table("tx.csv", self.test_points)
        program.table("ty.csv", self.test_truth)

        self.data = ["-t", "x.csv", "-r" if self.regression else "-l", "y.csv"]
        self.size = ["-u", self.units, "-S", 7]
        self.train = self.data + self.size
        self.known = ["-R" if self.regression else "-L", "ty.csv"]

    def predict(self, *options, test="tx.csv"):
        """Run with these options; what is predicted, bit by bit."""
        files = ["o.csv"] if self.regression else ["p.csv", "P.csv"]
        for name in files:
            (self.program.folder / name).unlink(missing_ok=True)
        self.program.good(*options, "-T", test, *(
            ["-o", "o.csv"] if self.regression else
            ["-p", "p.csv", "-P", "P.csv"]))
        return "".join(map(self.program.read, files))

    def scores(self, *options, test="tx.csv"):
        """Predicted responses or probabilities as numbers."""
        self.predict(*options, test=test)
        return self.program.numbers("o.csv" if self.regression else "P.csv")


KINDS = ["binary", "multiclass", "regression", "regression of two"]


@pytest.fixture(params=KINDS)
def task(gbnn, request):
    """Each kind of task in turn."""
    return Task(gbnn, request.param)


@pytest.fixture(params=KINDS)
def large_task(gbnn, request):
    """Each kind of task, with as many points as refinement helps with."""
    return Task(gbnn, request.param, count=500)


@pytest.fixture
def binary(gbnn):
    return Task(gbnn, "binary")


@pytest.fixture
def regression(gbnn):
    return Task(gbnn, "regression")
