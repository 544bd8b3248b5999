"""The commands of doc/user/tutorial.md, run in their order."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What the test does itself, or the build has done.
SKIPPED = ("scripts/quickstart", "export PATH", "examples/bikes.py", "cd build")


def commands(page):
    """The shell commands of a page: blocks of sh, and what follows a prompt."""
    result = []
    for kind, text in re.findall(r"^```(\w*)\n(.*?)^```", page, re.M | re.S):
        if kind == "sh":
            result += [line for line in text.splitlines()
                       if not line.startswith(SKIPPED)]
        elif text.startswith("$ "):
            command = re.match(r"\$ ((?:.*\\\n)*.*\n)", text)
            result.append(command.group(1).rstrip())
    return "\n".join(result) + "\n"


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")
def test_tutorial(tmp_path):
    page = (ROOT / "doc/user/tutorial.md").read_text()
    script = commands(page[:page.index("## 8.")])
    assert script.count("mlpack_gbnn") == 7
    subprocess.run([sys.executable, ROOT / "examples/bikes.py", tmp_path],
                   check=True)

    # The program under its name, wherever it was built.
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "mlpack_gbnn").symlink_to(os.environ["MLPACK_GBNN"])
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.run(["bash", "-euo", "pipefail", "-c", script],
                             cwd=tmp_path, capture_output=True, text=True,
                             timeout=120, env={**os.environ, "PATH": path})
    assert process.returncode == 0, process.stderr

    # Once to test, once for the importances, the scores, and 100 units.
    accuracies = [float(text) for text in
                  re.findall(r"^accuracy (0\.\d+)", process.stdout, re.M)]
    assert len(accuracies) == 4
    assert min(accuracies) > 0.93
    assert "hour,temperature,weather,day,busy\n" in process.stdout
    assert re.search(r"^hour +[01]\.\d+", process.stdout, re.M)
    # The C program prints two digits: a sure prediction is 1.00.
    assert re.search(r"^busy: 1 \(probability (0\.[5-9]\d|1\.00)\)$", process.stdout, re.M)
    assert (tmp_path / "predictions.csv").read_text().split() == ["1", "0", "1"]
