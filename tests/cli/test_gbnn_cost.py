"""Trainings that take too much are refused, and long ones announced."""

import re
import subprocess

import numpy as np
import pytest


# How every refusal ends.
OR_FILES = ", or give a folder on a disk with more room with '--scratch_folder'!"


def limited(program, megabytes):
    """Have a program run with so much memory at most."""
    # Threads have stacks and buffers, which count.
    program.command = ["sh", "-c", "export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1; "
                       f'ulimit -v {1024 * megabytes}; exec "$@"', "sh"]


def first_line(program, *options):
    """The first line that a run prints, which is then ended."""
    process = subprocess.Popen([program.path, *map(str, options)], cwd=program.folder,
                               stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    process.kill()
    process.wait()
    return re.sub("\033\\[[0-9;]*m", "", line)


@pytest.fixture
def small(gbnn):
    gbnn.table("x.csv", [[i, i % 3] for i in range(20)])
    gbnn.table("y.csv", [i % 2 for i in range(20)])
    return gbnn


def test_a_billion_units(small):
    limited(small, 4000)
    line = small.bad("-t", "x.csv", "-l", "y.csv", "-u", 1000000000)
    assert re.search(r"20 points with 2 inputs, 2 classes and 1000000000 hidden units "
                     r"take about [\d.]+ GB of memory and \S+ \S+ on one core, but "
                     r"there are [\d.]+ GB of memory; use fewer "
                     rf"'--hidden_units \(-u\)'{OR_FILES}", line), line


def test_a_billion_units_with_early_stopping(small):
    # Only as many are made as help.
    out = small.good("-t", "x.csv", "-l", "y.csv", "-u", 1000000000,
                     "--validation_fraction", 0.3, "--patience", 2, "-S", 1,
                     "--input_encoding", "linear", "--refine_iterations", 0,
                     "-M", "m.bin").out
    assert "unless training stops early" in out
    # But networks of trials are not stopped early.
    limited(small, 4000)
    assert "use fewer" in small.bad("-t", "x.csv", "-l", "y.csv", "-u", 1000000000,
                                    "--validation_fraction", 0.3, "-M", "n.bin")


def test_many_levels(gbnn):
    gbnn.write("x.csv", "".join(f"{i},w{i % 10000}\n" for i in range(20000)))
    gbnn.table("y.csv", [i % 2 for i in range(20000)])
    limited(gbnn, 1500)
    line = gbnn.bad("-t", "x.csv", "-l", "y.csv", "-u", 10)
    assert ("20000 points with 10001 inputs (10000 of them are the categories of "
            "column 2), 2 classes and 10 hidden units take about 9.7 GB") in line
    assert "put rare categories together" in line


def test_many_classes(gbnn):
    gbnn.table("x.csv", [[i, i % 7] for i in range(20000)])
    gbnn.table("y.csv", [i % 5000 for i in range(20000)])
    limited(gbnn, 2000)
    line = gbnn.bad("-t", "x.csv", "-l", "y.csv", "-u", 10)
    assert "2 inputs, 5000 classes and 10 hidden units take about 19.2 GB" in line
    assert "use fewer points or classes" in line


def test_long_trainings_are_announced(gbnn):
    rng = np.random.default_rng(1)
    gbnn.table("x.csv", rng.normal(size=(3000, 20)))
    gbnn.table("y.csv", rng.integers(0, 1000, 3000))
    line = first_line(gbnn, "-t", "x.csv", "-l", "y.csv", "-u", 100, "-S", 1)
    assert line.startswith("[WARN ] 3000 points with 20 inputs, ")
    found = re.search(r"take about \d+ MB of memory and ([\d.]+) minutes on one "
                      r"core\.$", line)
    assert found and 2 < float(found[1]) < 4


@pytest.fixture
def deep(small, deep_gbnn):
    return deep_gbnn


@pytest.mark.parametrize("options, trunk, fewer", [
    (["--layers", "1000000,1000000"], "1000006000002", r"units in '--layers \(-d\)'"),
    (["-u", 1000000000], "20702", r"'--hidden_units \(-u\)'"),
])
def test_a_deep_network_that_does_not_fit(deep, options, trunk, fewer):
    limited(deep, 4000)
    line = deep.bad("-t", "x.csv", "-l", "y.csv", *options)
    assert re.search(r"20 points with 2 inputs, 2 classes, a trunk of "
                     rf"{trunk} weights and \d+ hidden units take about "
                     r"[\d.]+ [GT]B of memory and \S+ \S+ on one core, but there are "
                     rf"[\d.]+ GB of memory; use fewer {fewer}{OR_FILES}",
                     line), line


def test_words_that_do_not_fit(deep):
    deep.write("x.csv", "".join(f"{i},w{i % 10000}\n" for i in range(20000)))
    deep.table("y.csv", [i % 2 for i in range(20000)])
    limited(deep, 1500)
    line = deep.bad("-t", "x.csv", "-l", "y.csv")
    assert ("20000 points with 10001 inputs (10000 of them are the categories of "
            "column 2), 2 classes, ") in line
    assert line.endswith("use fewer points, classes or categories" + OR_FILES)


def test_a_long_training_of_a_deep_network(deep):
    line = first_line(deep, "-t", "x.csv", "-l", "y.csv", "-E", 10000000)
    assert re.search(r"^\[WARN \] 20 points .* take about [\d.]+ MB of memory and "
                     r"[\d.]+ \w+ on one core\.$", line), line


def test_usual_trainings_are_not(small):
    assert "take about" not in small.good("-t", "x.csv", "-l", "y.csv", "-M",
                                             "m.bin").out


def test_usual_deep_networks_are_not(deep):
    assert "take about" not in deep.good("-t", "x.csv", "-l", "y.csv", "-E", 2, "-u",
                                         10, "-M", "m.bin").out
