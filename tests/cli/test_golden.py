"""Model files of earlier versions still load and predict the same."""

import importlib.util
import os
import pathlib

import numpy as np
import pytest

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"


def generator():
    spec = importlib.util.spec_from_file_location("generate", GOLDEN / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The folders of all versions; before the first, those of today."""
    versions = sorted(path for path in GOLDEN.glob("v*") if path.is_dir())
    if not versions:
        today = tmp_path_factory.mktemp("golden") / "today"
        generator().generate(os.environ["MLPACK_GBNN"], today)
        versions = [today]
    return [folder for version in versions for folder in sorted(version.iterdir())]


def same(found, expected):
    if found == expected:
        return True
    try:
        a, b = (np.array([line.split(",") for line in text.split()], float)
                for text in (found, expected))
    except ValueError:
        return False
    # Machines round differently.
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("form", ["bin", "json", "xml"])
def test_golden_files(gbnn, folders, form):
    assert len(folders) >= len(generator().TASKS) * len(generator().ENCODINGS)
    for folder in folders:
        gbnn.write("test.csv", (folder / "test.csv").read_bytes())
        options = []
        for name, option in (("responses", "-o"), ("labels", "-p"),
                             ("probabilities", "-P")):
            if (folder / f"{name}.csv").exists():
                options += [option, f"{name}.csv"]
        assert options
        gbnn.good("-m", folder / f"model.{form}", "-T", "test.csv", *options)
        for name in options[1::2]:
            assert same(gbnn.read(name), (folder / name).read_text()), folder
