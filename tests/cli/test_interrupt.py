"""Ctrl-C ends a program at once and leaves no file behind."""

import signal
import subprocess
import time

import numpy as np
import pytest


@pytest.mark.parametrize("options", [
    ["--refine_iterations", 0, "--input_encoding", "linear"], [], ["--cv", 10], ["--tune"]],
    ids=["boosting", "choice", "cv", "tuning"])
def test_ctrl_c(gbnn, options):
    rng = np.random.default_rng(1)
    gbnn.table("x.csv", rng.normal(size=(3000, 5)))
    gbnn.table("y.csv", rng.integers(0, 3, size=3000))
    before = gbnn.listing()
    process = subprocess.Popen(
        [gbnn.path, "-t", "x.csv", "-l", "y.csv", "-u", "100000", "-M", "m.bin",
         *map(str, options)], cwd=gbnn.folder, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    assert process.poll() is None, process.stderr.read()
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert time.monotonic() - begin < 1
    assert process.returncode == -signal.SIGINT
    assert errors == ""
    assert gbnn.listing() == before
