"""Ctrl-C ends a program at once and leaves no file behind.

What is measured is the processor time after the signal, so that other processes do not matter.
"""

import os
import resource
import signal
import subprocess
import time

import numpy as np
import pytest


def processor_time(process):
    """Seconds that a running process has used."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children_time():
    """Seconds that processes have used that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")
@pytest.mark.parametrize("options", [
    ["--refine_iterations", 0, "--input_encoding", "linear"], [], ["--cv", 10], ["--tune"]],
    ids=["boosting", "choice", "cv", "tuning"])
def test_ctrl_c(gbnn, options):
    rng = np.random.default_rng(1)
    gbnn.table("x.csv", rng.normal(size=(3000, 5)))
    gbnn.table("y.csv", rng.integers(0, 3, size=3000))
    before = gbnn.listing()
    ended = children_time()
    process = subprocess.Popen(
        [gbnn.path, "-t", "x.csv", "-l", "y.csv", "-u", "100000", "-M", "m.bin",
         *map(str, options)], cwd=gbnn.folder, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"})
    # Long enough to be in the midst of it.
    while processor_time(process) < 0.5:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    begin = processor_time(process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert children_time() - ended - begin < 1
    assert process.returncode == -signal.SIGINT
    assert errors == ""
    assert gbnn.listing() == before
