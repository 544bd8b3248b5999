"""A training that was killed goes on to the same bits."""

import os
import pathlib
import random
import re
import subprocess
import time

import pytest

from conftest import Program, Task, small_disk

CHECKPOINT = ["--checkpoint", "c.ckpt"]
# What a run leaves that training decides on; tables of scores, too.
OUTPUTS = {"-M": "m.bin", "--training_losses_file": "losses.csv"}


class Training:
    """A training with a checkpoint that is saved all the time."""

    def __init__(self, task, options, threads, outputs=()):
        self.program = task.program
        self.environment = dict(os.environ, OMP_NUM_THREADS=str(threads),
                                GBNN_CHECKPOINT_SECONDS="0.01")
        files = dict(OUTPUTS, **dict(outputs))
        files["-o" if task.regression else "-P"] = "p.csv"
        self.files = list(files.values())
        self.command = [task.program.path, *map(str, options), "-T", "tx.csv"]
        for option, file in files.items():
            self.command += [option, file]

    def results(self):
        return [(self.program.folder / name).read_bytes() for name in self.files]

    def start(self, *more):
        return subprocess.Popen([*self.command, *map(str, more)],
                                cwd=self.program.folder, env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True)

    def finish(self, *more):
        process = self.start(*more)
        out = process.communicate(timeout=60)[0]
        assert process.returncode == 0, out
        return out

    def kill_after(self, seconds):
        """Whether it was killed before it was done."""
        process = self.start(*CHECKPOINT)
        try:
            out = process.communicate(timeout=seconds)[0]
            assert process.returncode == 0, out
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return True


    def kill_with_checkpoint(self, size):
        """Kill it once the checkpoint has so many bytes; returns these."""
        path = self.program.folder / "c.ckpt"
        process = self.start(*CHECKPOINT)
        while not (path.exists() and path.stat().st_size > size):
            assert process.poll() is None
            time.sleep(0.001)
        process.kill()
        process.communicate()
        return path.read_bytes()


PLAIN = ["--input_encoding", "linear"]


@pytest.mark.parametrize("kind, threads, options, outputs", [
    # Choice of the inputs and of the number of units, and with it the plan of the
    # refinement.
    ("multiclass", 1, ["-u", 0], {}),
    ("binary", 2, [], {}),
    ("regression", 2, [], {}),
    # Trials of the refinement by itself.
    ("regression of two", 1, [*PLAIN], {}),
    # Early stopping; boosting only.
    ("binary", 1, ["--validation_fraction", 0.3, "--patience", 2], {}),
    ("multiclass", 2, ["--refine_iterations", 0, *PLAIN, "-O", "adam", "-i", 20], {}),
    # Folds, and combinations that are compared.
    ("regression", 2, ["--cv", 3, *PLAIN], {"--cv_scores_file": "cv.csv"}),
    ("binary", 2, ["--tune", "--folds", 3, "--tune_learning_rates", "0.1,0.5",
                   "--tune_subsamples", "0.75", *PLAIN],
     {"--tuning_scores_file": "tune.csv"}),
])
def test_kills(gbnn, kind, threads, options, outputs):
    """Killed at random moments, seven times each."""
    task = Task(gbnn, kind, count=250)
    units = [] if "-u" in options else ["-u", 24]
    training = Training(task, [*task.data, "-S", 7, *units, *options], threads,
                        outputs)
    begin = time.monotonic()
    training.finish()
    duration = time.monotonic() - begin
    wanted = training.results()
    generator = random.Random(kind + str(threads))
    kills = runs = 0
    folder = gbnn.folder
    while kills < 7:
        for name in training.files:
            (folder / name).unlink(missing_ok=True)
        runs += 1
        assert runs < 60
        if training.kill_after(generator.uniform(0.1, 0.7) * duration):
            kills += 1
            continue
        assert training.results() == wanted
        assert not (folder / "c.ckpt").exists()
    found = (folder / "c.ckpt").exists()
    out = training.finish(*CHECKPOINT)
    assert ("goes on from the checkpoint 'c.ckpt'" in out) == found
    assert training.results() == wanted
    assert not (folder / "c.ckpt").exists()


def weighted(program):
    program.table("w.csv", [1 + i % 2 for i in range(250)])
    return Task(program, "binary", count=250)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The checkpoint of a training that was killed."""
    program = Program(tmp_path_factory.mktemp("kept"), os.environ["MLPACK_GBNN"])
    task = weighted(program)
    options = [*task.data, "-u", 24, "-w", "w.csv", "-S", 7]
    return Training(task, options, 1).kill_with_checkpoint(20000)


@pytest.fixture
def stopped(gbnn, kept):
    """A training that was killed, and its checkpoint."""
    gbnn.write("c.ckpt", kept)
    return weighted(gbnn)


def options_of(task, **changes):
    options = {"-t": "x.csv", "-l": "y.csv", "-u": 24, "-w": "w.csv", "-S": 7,
               "-T": "tx.csv", "-P": "p.csv", "--checkpoint": "c.ckpt"}
    options.update(changes)
    return [part for option, value in options.items() if value is not None
            for part in (option, value)]


@pytest.mark.parametrize("changes, message", [
    ({"-u": 25}, "'--hidden_units (-u)' is 24 there and 25 here"),
    ({"-S": 8}, "'--seed (-S)' is 7 there and 8 here"),
    ({"-n": 0.2}, "'--learning_rate (-n)' is 0.1 there and 0.2 here"),
    ({"-O": "lbfgs"}, "'--optimizer (-O)' is auto there and lbfgs here"),
    ({"--cv": 3}, "'--cv' is 0 there and 3 here"),
    ({"-w": None}, "'--weights_file (-w)' is 250 x 1 numbers, digest "),
    ({"-t": "other.csv"}, "'--training_file (-t)' is 250 points of 3 columns, "),
    ({"-l": "labels.csv"}, "what is to be predicted is 250 labels, digest "),
])
def test_a_checkpoint_of_something_else(stopped, changes, message):
    program = stopped.program
    points = stopped.points.copy()
    points[200, 1] = -points[200, 1]
    program.table("other.csv", points)
    labels = stopped.truth.copy()
    labels[[3, 4]] = labels[[4, 3]] if labels[3] != labels[4] else 10 - 3 - labels[3]
    program.table("labels.csv", labels)
    line = program.bad(*options_of(stopped, **changes))
    assert "checkpoint 'c.ckpt' is of another training: " in line
    assert message in line
    assert line.count(" there and ") == 1


def test_what_training_does_not_depend_on_may_change(stopped):
    program = stopped.program
    out = program.good(*options_of(stopped, **{
        "-P": "other.csv", "-T": "x.csv", "--report": "r.html", "-k": 3, "-u": "24",
        "-n": "0.10"}), "-v", "--importance").out
    assert "goes on from the checkpoint" in out
    assert not (program.folder / "c.ckpt").exists()


def test_the_seed_is_kept(gbnn):
    """Without one, a run that goes on has that of the first."""
    task = Task(gbnn, "regression", count=250)
    training = Training(task, [*task.data, "-u", 24], 2)
    results = []
    for _ in range(2):
        kept = training.kill_with_checkpoint(10000)
        for _ in range(2):
            (gbnn.folder / "c.ckpt").write_bytes(kept)
            training.finish(*CHECKPOINT)
            results.append(training.results())
    assert results[0] == results[1] and results[2] == results[3]
    assert results[0] != results[2]


def test_damaged(stopped):
    program = stopped.program
    data = (program.folder / "c.ckpt").read_bytes()
    generator = random.Random(1)
    for size in [0, 5, 20, 100, *(generator.randrange(len(data)) for _ in range(5))]:
        program.write("c.ckpt", data[:size])
        line = program.bad(*options_of(stopped))
        assert ("is damaged" if size > 17 else "is no checkpoint") in line
        assert "'c.ckpt'" in line
    for _ in range(5):
        changed = bytearray(data)
        changed[generator.randrange(18, len(data))] ^= 1 << generator.randrange(8)
        program.write("c.ckpt", bytes(changed))
        assert "is damaged: its digest does not fit; remove it to train from the " \
            "beginning" in program.bad(*options_of(stopped))


def test_files_that_are_no_place_for_one(stopped):
    program = stopped.program
    (program.folder / "c.ckpt").unlink()
    for file, message in (
            ("x.csv", "--checkpoint 'x.csv': is the file of --training_file"),
            ("p.csv", "--checkpoint 'p.csv': is the file of --probabilities_file too"),
            ("w.csv", "is the file of --weights_file"),
            ("ty.csv", "checkpoint 'ty.csv': is no checkpoint"),
            ("none/c", "there is no directory"),
            ("/dev/full", "no ordinary file"),
            (".", "it is a directory"),
            ("r.html", "is the file of a report or an export")):
        line = program.bad(*options_of(stopped, **{"--checkpoint": file,
                                                   "--report": "r.html"}))
        assert message in line


def test_it_stays_until_the_outputs_are_saved(gbnn):
    """What cannot be saved is no reason to train again."""
    task = Task(gbnn, "regression", count=250)
    training = Training(task, [*task.data, "-u", 24, "-S", 7], 1)
    training.finish()
    wanted = training.results()
    process = training.start(*CHECKPOINT, "--staged_scores_file", "/dev/full", "-R",
                             "ty.csv")
    out = process.communicate(timeout=60)[0]
    assert process.returncode == 1
    assert "/dev/full" in out
    assert (gbnn.folder / "c.ckpt").exists()
    assert "goes on from" in training.finish(*CHECKPOINT)
    assert training.results() == wanted
    assert not (gbnn.folder / "c.ckpt").exists()


def test_short_trainings_leave_no_trace(gbnn):
    task = Task(gbnn, "binary")
    before = set(os.listdir(gbnn.folder))
    out = gbnn.good(*task.train, *CHECKPOINT, "-M", "m.bin").out
    assert "checkpoint" not in out
    assert set(os.listdir(gbnn.folder)) == before | {"m.bin"}
    assert "ignored" in gbnn.good("-m", "m.bin", "-T", "tx.csv", "-p", "p.csv",
                                  *CHECKPOINT).out


def test_a_full_disk_does_not_end_training(gbnn):
    task = Task(gbnn, "binary")
    with small_disk(gbnn, "4k") as small:
        gbnn.command = ["env", "GBNN_CHECKPOINT_SECONDS=0"]
        out = gbnn.good(*task.train, "--checkpoint", "small/c.ckpt", "-M", "m.bin").out
        assert "checkpoint 'small/c.ckpt': cannot be written: No space left" in out
        assert os.listdir(small) == []


def test_the_version_is_that_of_the_project():
    root = pathlib.Path(__file__).parents[2]
    header = root / "src/mlpack/methods/gbnn/files/checkpoint.hpp"
    version = re.search(r'Version\(\) \{ return "(.*)"; \}', header.read_text())[1]
    assert f"project(gbnn VERSION {version} " in (root / "CMakeLists.txt").read_text()
