"""The same seed gives the same bits with 1, 2 and 4 threads, whatever is asked for.
Threads are as many as OpenMP may have, and where it may have them."""

import os
import pathlib
import subprocess
import time

import numpy as np
import pytest

# So many points that all loops over them are cut into several pieces.
COUNT = 2500
CLASSES = ["-l", "labels.csv"]
RESPONSES = ["-r", "responses.csv"]
LINEAR = ["--input_encoding", "linear", "--refine_iterations", 0]
FEW = ["-u", 6]

GBNN = {
    "defaults": [*CLASSES, *FEW, "--refine_iterations", 60],
    "regression": [*RESPONSES, *FEW, "--refine_iterations", 60],
    "linear": [*CLASSES, *FEW, *LINEAR],
    "piecewise": [*CLASSES, *FEW, "--input_encoding", "piecewise",
                  "--refine_iterations", 60],
    "lbfgs": [*CLASSES, *FEW, *LINEAR, "-O", "lbfgs"],
    "adam": [*CLASSES, *FEW, *LINEAR, "-O", "adam", "-i", 3],
    "sgd": [*RESPONSES, *FEW, *LINEAR, "-O", "sgd", "-i", 3],
    "tanh": [*RESPONSES, *FEW, *LINEAR, "-A", "tanh"],
    "relu": [*CLASSES, *FEW, *LINEAR, "-A", "relu", "-s", 1],
    "words": ["--target", "kind", *FEW, "--refine_iterations", 60],
    "absolute": [*RESPONSES, *FEW, *LINEAR, "--loss", "absolute"],
    "huber": [*RESPONSES, *FEW, "--loss", "huber", "--refine_iterations", 40],
    "quantile": [*RESPONSES, *FEW, "--loss", "quantile", "--quantiles", "0.2,0.8",
                 "--non_crossing", "--refine_iterations", 40],
    "poisson": ["-r", "counts.csv", *FEW, *LINEAR, "--loss", "poisson"],
    "weights": [*CLASSES, *FEW, "-w", "weights.csv", "--class_weights", "balanced",
                "--refine_iterations", 40],
    "validation": [*CLASSES, *FEW, *LINEAR, "--validation_fraction", 0.2],
    "cv": [*CLASSES, *FEW, *LINEAR, "--cv", 3, "--cv_scores_file", "out_cv.csv"],
    "holdout": [*RESPONSES, *FEW, "--refine_iterations", 40, "--holdout", 0.3,
                "--cv_scores_file", "out_cv.csv"],
    "tuning": [*CLASSES, *FEW, *LINEAR, "--tune", "--folds", 2, "--tune_learning_rates",
               "0.1,0.5", "--tune_subsamples", "0.5,1", "--tune_units_per_stage", "1,2",
               "--tuning_scores_file", "out_tuning.csv"],
    "inspection": [*CLASSES, *FEW, *LINEAR, "--importance", "--importances_file",
                   "out_importances.csv", "--gradients", "--input_gradients_file",
                   "out_gradients.csv", "--dependence", 2, "--partial_dependence_file",
                   "out_dependence.csv", "--training_losses_file", "out_losses.csv"],
    "early_exit": [*CLASSES, *FEW, *LINEAR, "--early_exit", 0.05, "--units_used_file",
                   "out_units.csv"],
    "export": [*CLASSES, *FEW, *LINEAR, "--export", "out_model.h"],
    "checkpoint": [*CLASSES, *FEW, "--refine_iterations", 40, "--checkpoint", "c.ckpt"],
    "warm_start": [*CLASSES, "-u", 4, "-m", "before.bin", "--warm_start",
                   "--refine_iterations", 40],
}
DEEP = {
    "defaults": [*CLASSES, *FEW, "--trunk_epochs", 2],
    "layers": [*CLASSES, *FEW, "--trunk_epochs", 2, "--layers", "20,10", "--frozen_layers", 1],
    "sgd": [*CLASSES, *FEW, "--trunk_epochs", 2, "--trunk_optimizer", "sgd", "-O", "lbfgs"],
    "regression": ["-r", "responses.csv", *FEW, "--trunk_epochs", 2, "--weights_file",
                   "weights.csv", "--validation_fraction", 0.2],
    "refined": [*CLASSES, *FEW, "--trunk_epochs", 2, "--layers", "10,8", "-A", "tanh",
                "--class_weights", "balanced", "--refine_iterations", 20],
}


def make_data(program):
    rng = np.random.default_rng(3)
    points = rng.normal(size=(COUNT, 4))
    truth = points[:, 0] * points[:, 1] + points[:, 2] + 0.1 * rng.normal(size=COUNT)
    program.table("x.csv", points)
    program.table("labels.csv", np.digitize(truth, [-0.5, 0.5]))
    program.table("responses.csv", truth)
    program.table("counts.csv", np.round(np.exp(truth / 2)))
    program.table("weights.csv", rng.uniform(0.5, 2, size=COUNT))
    kinds = np.array(["low", "middle", "high"])[np.digitize(truth, [-0.5, 0.5])]
    rows = ["a,b,c,d,kind"] + [",".join([*map(repr, map(float, p)), kind])
                               for p, kind in zip(points, kinds)]
    program.write("named.csv", "\n".join(rows) + "\n")


def outputs(program, threads, options):
    """All that a run writes, by name."""
    program.command = ["env", f"OMP_NUM_THREADS={threads}", f"OPENBLAS_NUM_THREADS={threads}"]
    training = "named.csv" if "--target" in options else "x.csv"
    regression = "-r" in options
    program.good("-t", training, *options, "-S", 5, "-M", "out_model.bin", "-T", "x.csv",
                 *(["-o", "out_o.csv"] if regression else
                   ["-p", "out_p.csv", "-P", "out_P.csv"]))
    return {path.name: path.read_bytes() for path in program.folder.glob("out_*")}


def check(program, options):
    make_data(program)
    if "--warm_start" in options:
        program.good("-t", "x.csv", *CLASSES, *LINEAR, "-u", 4, "-S", 5, "-M", "before.bin")
    one = outputs(program, 1, options)
    assert len(one) >= 2
    for threads in (2, 4):
        many = outputs(program, threads, options)
        assert [name for name in one if many[name] != one[name]] == [], threads


@pytest.mark.parametrize("options", GBNN.values(), ids=GBNN)
def test_gbnn(gbnn, options):
    check(gbnn, options)


@pytest.mark.parametrize("options", DEEP.values(), ids=DEEP)
def test_deep_gbnn(deep_gbnn, options):
    check(deep_gbnn, options)


def places_of_threads(program, **variables):
    """The processors that each thread of a training may use."""
    make_data(program)
    process = subprocess.Popen(
        [program.path, "-t", "x.csv", "-l", "labels.csv", "-u", "100000", *map(str, LINEAR)],
        cwd=program.folder, stdout=subprocess.DEVNULL,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "2", **variables})
    try:
        # Long enough to be in the midst of it.
        time.sleep(2)
        assert process.poll() is None
        tasks = pathlib.Path("/proc", str(process.pid), "task").glob("*/status")
        return [next(line for line in task.read_text().splitlines()
                     if line.startswith("Cpus_allowed:")) for task in tasks]
    finally:
        process.kill()
        process.wait()


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs /proc")
def test_number_of_threads(gbnn):
    assert len(places_of_threads(gbnn)) == 2
    assert len(places_of_threads(gbnn, OMP_THREAD_LIMIT="1")) == 1


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs /proc")
def test_places_of_threads(gbnn):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two processors")
    assert len(set(places_of_threads(gbnn))) == 1
    assert len(set(places_of_threads(gbnn, OMP_PROC_BIND="true"))) == 2
