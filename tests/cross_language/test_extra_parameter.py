"""A parameter added to the binding file works in R and Julia with no other edit.

TINY_EXTRA_LIBRARY is the tiny binding with one parameter more, and
TINY_EXTRA_OBJECT the object file that it was linked from.
"""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "bindings" / "generator" / "generate.py"


def generate(language, output):
    subprocess.run([sys.executable, GENERATOR, language, "--library",
                    os.environ["TINY_EXTRA_LIBRARY"], "--output", output,
                    "--version", "0.0.1", "--source",
                    ROOT / "bindings" / "test" / "tiny_main.cpp"], check=True)


def run(command, **variables):
    env = {**os.environ, **variables}
    return subprocess.run(command, check=True, env=env, text=True,
                          stdout=subprocess.PIPE).stdout


@pytest.mark.skipif("GBNN_JULIA" not in os.environ, reason="no Julia package")
def test_julia(tmp_path):
    generate("julia", tmp_path)
    code = ("using MlpackTINY; print(tiny(extra = 0.5).scale_out, "
            'occursin("A parameter added later.", string(@doc tiny)))')
    output = run([os.environ["GBNN_JULIA"], "--startup-file=no", "-e", code],
                 JULIA_LOAD_PATH=f"{tmp_path}:")
    assert output == "1.0true"


@pytest.mark.skipif("GBNN_R" not in os.environ, reason="no R package")
def test_r(tmp_path):
    generate("r", tmp_path / "source")
    r = pathlib.Path(os.environ["GBNN_R"]).with_name("R")
    run([r, "CMD", "INSTALL", f"--library={tmp_path}",
         tmp_path / "source" / "mlpacktiny"],
        MLPACK_BINDING_OBJECT=os.environ["TINY_EXTRA_OBJECT"])
    code = ("library(mlpacktiny); cat(tiny(extra = 0.5)$scale_out, "
            "formals(tiny)$extra)")
    output = run([os.environ["GBNN_R"], "--vanilla", "-e", code],
                 R_LIBS=str(tmp_path))
    assert output == "1 0.25"
