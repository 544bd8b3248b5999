"""deep_gbnn makes the same model file, byte for byte, in every front end.

The environment says which front ends there are; see test_same_results.py.
GBNN_DEEP_PROGRAM is the command-line program.
"""

import os
import subprocess

import numpy as np
import pytest

ENV = os.environ
SCRIPTS = {
    "python": """
import sys
import numpy as np
from mlpack_gbnn import deep_gbnn
data, labels = (np.loadtxt(f, delimiter=",") for f in ("x.csv", "y.csv"))
deep_gbnn(training=data, labels=labels, layers=[8, 6, 4], trunk_epochs=10,
          hidden_units=12, seed=7)["output_model"].save("python.bin")
""",
    "r": """
library(mlpackgbnn, lib.loc = Sys.getenv("GBNN_R_LIBRARY"))
data <- as.matrix(read.csv("x.csv", header = FALSE))
labels <- read.csv("y.csv", header = FALSE)[[1]]
result <- deep_gbnn(training = data, labels = labels, layers = c(8, 6, 4),
                    trunk_epochs = 10, hidden_units = 12, seed = 7)
write_model(result$output_model, "r.bin")
""",
    "julia": """
using DelimitedFiles
push!(LOAD_PATH, ENV["GBNN_JULIA_PACKAGES"])
using MlpackGBNN
result = deep_gbnn(training = readdlm("x.csv", ','),
                   labels = vec(readdlm("y.csv", ',')), layers = [8, 6, 4],
                   trunk_epochs = 10, hidden_units = 12, seed = 7)
write_model("julia.bin", result.output_model)
""",
}
COMMANDS = {
    "python": [ENV.get("GBNN_PYTHON"), "-c"],
    "r": [ENV.get("GBNN_R"), "--vanilla", "-e"],
    "julia": [ENV.get("GBNN_JULIA"), "--startup-file=no", "-e"],
}


@pytest.mark.skipif("GBNN_DEEP_PROGRAM" not in ENV, reason="no program")
def test_model_files_are_the_same(tmp_path):
    # Numbers with few binary digits, which every reader of text gets right.
    rng = np.random.default_rng(3)
    points = np.round(rng.normal(size=(90, 4)) * 64) / 64
    labels = np.digitize(points[:, 0] + points[:, 1] * points[:, 2], [-0.5, 0.5])
    for name, rows in (("x.csv", points), ("y.csv", labels[:, None])):
        (tmp_path / name).write_text("".join(
            ",".join(map(str, row)) + "\n" for row in rows))
    subprocess.run([ENV["GBNN_DEEP_PROGRAM"], "-t", "x.csv", "-l", "y.csv",
                    "--layers", "8,6,4", "-E", "10", "-u", "12", "-S", "7",
                    "-M", "cli.bin"], cwd=tmp_path, check=True,
                   capture_output=True)
    expected = (tmp_path / "cli.bin").read_bytes()
    assert len(expected) > 1000
    compared = 0
    for language, command in COMMANDS.items():
        if command[0]:
            subprocess.run([*command, SCRIPTS[language]], cwd=tmp_path,
                           check=True)
            assert (tmp_path / f"{language}.bin").read_bytes() == expected, \
                language
            compared += 1
    assert compared > 0
