"""Ctrl-C ends a call within a second, whatever it does at the time, threads included.

What is measured is the processor time after the signal, so that other processes on the
machine do not count.  See test_same_results.py for the environment.
"""

import os
import signal
import subprocess
import time

import pytest

ENV = os.environ
# How each language makes the data, calls and notices Ctrl-C.  The labels are such that
# training would go on for many seconds: refinement of random ones ends soon.
PYTHON = """
import numpy as np
from mlpack_gbnn import deep_gbnn, gbnn
random = np.random.RandomState(0)
points = random.randn({points}, 20)
labels = np.digitize(np.sin(3 * points[:, 0]) + np.sin(3 * points[:, 1]), [-0.5, 0.5])
print("ready", flush=True)
try:
    {function}(training=points, labels=labels, seed=1, {options})
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
R = """
library(mlpackgbnn, lib.loc = "{library}")
set.seed(1)
points <- matrix(rnorm({points} * 20), {points})
labels <- findInterval(sin(3 * points[, 1]) + sin(3 * points[, 2]), c(-0.5, 0.5))
cat("ready\\n")
tryCatch({function}(training = points, labels = labels, seed = 1, {options}),
         interrupt = function(c) cat("stopped\\n"))
"""
JULIA = """
push!(LOAD_PATH, "{library}")
using MlpackGBNN, Random
Base.exit_on_sigint(false)
Random.seed!(1)
points = randn({points}, 20)
labels = map((x, y) -> searchsortedlast([-0.5, 0.5], sin(3x) + sin(3y)), eachcol(points[:, 1:2])...)
gbnn(training = points[1:50, :], labels = labels[1:50], hidden_units = 1)
println("ready"); flush(stdout)
try
    {function}(training = points, labels = labels, seed = 1, {options})
catch e
    e isa InterruptException || rethrow()
    println("stopped"); flush(stdout)
end
"""
LANGUAGES = {}
if "GBNN_PYTHON" in ENV:
    LANGUAGES["python"] = [ENV["GBNN_PYTHON"], "-c"], PYTHON, "", "True"
if "GBNN_R" in ENV:
    LANGUAGES["r"] = [ENV["GBNN_R"], "--vanilla", "-e"], R, ENV["GBNN_R_LIBRARY"], "TRUE"
if "GBNN_JULIA" in ENV:
    LANGUAGES["julia"] = ([ENV["GBNN_JULIA"], "--startup-file=no", "-e"], JULIA,
                          ENV["GBNN_JULIA_PACKAGES"], "true")

LINEAR = 'input_encoding="linear"'
BOOSTING = f"{LINEAR}, refine_iterations=0"
CASES = {
    "boosting": (20000, "gbnn", f"hidden_units=100000, {BOOSTING}"),
    "lbfgs": (20000, "gbnn", f'hidden_units=100000, optimizer="lbfgs", {BOOSTING}'),
    "adam": (20000, "gbnn", f'hidden_units=100000, optimizer="adam", {BOOSTING}'),
    "choice": (5000, "gbnn", "hidden_units=20000"),
    "refinement": (20000, "gbnn", f"hidden_units=30, {LINEAR}, refine_iterations=100000"),
    # Several networks at a time, one a thread.
    "trials": (1900, "gbnn", f"hidden_units=2000, {LINEAR}"),
    "cv": (1900, "gbnn", f"hidden_units=2000, cv=10, {LINEAR}"),
    "tuning": (5000, "gbnn", "hidden_units=10000, tune={true}"),
    "trunk": (5000, "deep_gbnn", "trunk_epochs=100000"),
    "head": (5000, "deep_gbnn", "trunk_epochs=1, hidden_units=100000"),
}
# Other languages differ in how they notice the signal; Julia takes long to start.
FEW = ["boosting", "trials"]
RUNS = [(language, case) for language in LANGUAGES
        for case in (CASES if language == "python" else FEW)]


def processor_time(process):
    """Seconds that a running process has used."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")
@pytest.mark.parametrize("language, case", RUNS)
def test_ctrl_c(language, case):
    threads = 2
    command, text, library, true = LANGUAGES[language]
    points, function, options = CASES[case]
    code = text.format(points=points, function=function, library=library,
                       options=options.replace("{true}", true))
    process = subprocess.Popen([*command, code], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE,
                               env={**ENV, "OMP_NUM_THREADS": str(threads)})
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    begin = processor_time(process)
    # Long enough to be in the midst of it.
    while processor_time(process) - begin < 0.7 and process.poll() is None:
        time.sleep(0.05)
    assert process.poll() is None, "It ended before the signal."
    begin = processor_time(process)
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "stopped\n", process.stderr.read()
    assert processor_time(process) - begin < threads
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_there_is_a_language():
    assert LANGUAGES
