"""Model files of earlier versions still load and predict the same."""

import pathlib

import numpy as np
import pytest

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
# Every version's, but for what C++ has written, which golden_test.cpp loads.
FOLDERS = sorted(path for path in GOLDEN.glob("v*/*") if path.name != "cpp")


def same(found, expected):
    if found == expected:
        return True
    try:
        a, b = (np.array([line.split(",") for line in text.split()], float)
                for text in (found, expected))
    except ValueError:
        return False
    # Machines with and without fused multiply-add round differently.  A prediction is a
    # few sums of a few dozen terms, so some units of the 16th digit would do; 1e-12 leaves
    # room for terms that cancel, and no room for anything else.
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-12, atol=1e-12)


def test_there_are_golden_files():
    assert len(FOLDERS) >= 12


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_golden_files(gbnn, deep_gbnn, folder):
    program = deep_gbnn if folder.name.startswith("deep") else gbnn
    program.write("test.csv", (folder / "test.csv").read_bytes())
    options = []
    for name, option in (("responses", "-o"), ("labels", "-p"), ("probabilities", "-P")):
        if (folder / f"{name}.csv").exists():
            options += [option, f"{name}.csv"]
    assert options
    for form in ("bin", "json", "xml"):
        program.good("-m", folder / f"model.{form}", "-T", "test.csv", *options)
        for name in options[1::2]:
            assert same(program.read(name), (folder / name).read_text()), form
        # It can be saved again as what it was.
        program.good("-m", folder / f"model.{form}", "-M", f"again.{form}")
        program.good("-m", f"again.{form}", "-T", "test.csv", *options)
        for name in options[1::2]:
            assert same(program.read(name), (folder / name).read_text()), form
