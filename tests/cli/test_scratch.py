"""Data larger than memory: --scratch_folder."""

import subprocess

import numpy as np
import pytest

from conftest import limited, small_disk

# Boosting alone, of a model that is made soon.
OPTIONS = ["-t", "x.csv", "--target", "y", "--task", "regression", "-u", 2, "-j", 1,
           "-i", 2, "--refine_iterations", 0, "--input_encoding", "linear", "-S", 1]


@pytest.fixture
def megabytes(gbnn):
    """What the program needs whatever the data: BLAS libraries differ."""
    gbnn.write("x.csv", "y,x\n1,2\n3,4\n5,7\n")
    for megabytes in 60, 100, 200, 400:
        limited(gbnn, megabytes)
        try:
            code = gbnn.run(*OPTIONS, timeout=10).code
        except subprocess.TimeoutExpired:  # OpenBLAS 0.3.29 tries forever.
            continue
        if code == 0:
            gbnn.command = []
            return megabytes
    pytest.skip("the program needs more than 400 MB for nothing")


@pytest.fixture
def large(gbnn, megabytes):
    """Three times the memory as a table, with short numbers so that it is read soon."""
    columns = 40
    rows = 3 * megabytes * 2**20 // (8 * columns)
    rng = np.random.default_rng(1)
    some = ["," + ",".join(map(str, row)) + "\n"
            for row in rng.integers(0, 10, (1000, columns - 1))]
    lines = "".join(str(i % 7) + line for i, line in enumerate(some))
    names = ",".join(["y"] + [f"x{i}" for i in range(1, columns)])
    gbnn.write("x.csv", names + "\n" + lines * (rows // 1000 + 1))
    (gbnn.folder / "scratch").mkdir()
    return gbnn


def test_three_times_the_memory(large, megabytes):
    large.good(*OPTIONS, "-M", "memory.bin")
    limited(large, megabytes)
    assert ("there is not enough memory; give a folder on a disk with more room with "
            "--scratch_folder") in large.bad(*OPTIONS, "-M", "refused.bin")
    large.good(*OPTIONS, "-M", "files.bin", "--scratch_folder", "scratch")
    assert ((large.folder / "files.bin").read_bytes() ==
            (large.folder / "memory.bin").read_bytes())
    assert not list((large.folder / "scratch").iterdir())


def test_too_little_memory_for_a_cell(gbnn, megabytes):
    """There is enough for the file, but not for a cell of it without its quotes."""
    gbnn.write("x.csv", 'x\n"' + 'a""' * (2 * megabytes * 2**20 // 3) + '"\n')
    limited(gbnn, 3 * megabytes)
    assert "there is not enough memory" in gbnn.bad("-t", "x.csv", "-M", "m.bin")


def test_choice_and_refinement(gbnn):
    """Everything that a default training does; its matrices are large enough."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(60000, 10))
    gbnn.table("x.csv", np.column_stack([x, np.sin(x[:, 0]) + x[:, 1]]))
    (gbnn.folder / "scratch").mkdir()
    options = ["-t", "x.csv", "--target", 11, "--task", "regression", "-u", 2, "-j", 1,
               "--refine_iterations", 3, "-S", 1]
    gbnn.good(*options, "-M", "memory.bin")
    gbnn.good(*options, "-M", "files.bin", "--scratch_folder", "scratch")
    assert ((gbnn.folder / "files.bin").read_bytes() ==
            (gbnn.folder / "memory.bin").read_bytes())


def test_who_needs_more_is_told_of_it(gbnn, megabytes):
    gbnn.write("x.csv", "y,x\n" + "".join(f"{i % 7},w{i % 10000}\n"
                                         for i in range(20000)))
    limited(gbnn, megabytes)
    line = gbnn.bad(*OPTIONS)
    assert "of memory; use fewer points" in line
    assert "or give a folder on a disk with more room with '--scratch_folder'" in line


def test_no_such_folder(gbnn):
    gbnn.write("x.csv", "y,x\n1,2\n3,4\n")
    assert ("--scratch_folder: expected a folder, but got ''" in
            gbnn.bad(*OPTIONS, "--scratch_folder", ""))
    line = gbnn.bad(*OPTIONS, "--scratch_folder", "nowhere")
    assert ("--scratch_folder: cannot make files in 'nowhere': No such file or "
            "directory") in line


def test_a_full_disk(gbnn):
    """A small file system, if one can be made here."""
    gbnn.write("x.csv", "y,x\n" + "1,2\n3,4\n" * 1000000)
    with small_disk(gbnn, "9m"):
        line = gbnn.bad(*OPTIONS, "--scratch_folder", "small")
        assert "--scratch_folder: cannot make a file of " in line
        assert "MB in 'small': No space left on device" in line
