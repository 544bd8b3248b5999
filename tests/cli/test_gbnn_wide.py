"""Every file of the wide collection as it is."""

import os
import pathlib

import pytest

FOLDER = pathlib.Path(os.environ.get(
    "GBNN_WIDE_DATA",
    pathlib.Path(__file__).resolve().parents[3] / "shared" / "data" / "wide"))
FILES = sorted(FOLDER.glob("*.csv"))
QUICK = ["-u", 20, "--refine_iterations", 0, "--input_encoding", "linear", "-S",
         1]
if not FILES:
    pytest.skip(f"no files in {FOLDER.name}; set GBNN_WIDE_DATA to their folder",
                allow_module_level=True)


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_file_as_it_is(gbnn, file):
    out = gbnn.good("-t", file, "--target", "target", "--cv", 3, *QUICK).out
    lines = out.splitlines()
    assert lines[0].startswith("target 'target' (column ")
    task = "accuracy" if "classification" in lines[0] else "RMSE"
    assert lines[1].startswith(f"cross-validation, 3 folds: {task} ")
