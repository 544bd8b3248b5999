"""GBNN and its peers: each is given a fold and answers score and seconds."""

import hashlib
import math
import multiprocessing
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import warnings

import numpy as np
import sklearn
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import (ExtraTreesClassifier, ExtraTreesRegressor,
                              HistGradientBoostingClassifier,
                              HistGradientBoostingRegressor,
                              RandomForestClassifier, RandomForestRegressor)
from sklearn.impute import SimpleImputer
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (OneHotEncoder, OrdinalEncoder,
                                   StandardScaler)

try:
    import xgboost
    from xgboost import XGBClassifier, XGBRegressor
except ImportError:
    xgboost = None


class TooSlow(Exception):
    """A method that took longer than it may."""


def at_most(limit):
    """Ends this process when it has used so many seconds of a processor."""
    limit = math.ceil(limit)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))


def score(task, truth, found):
    """Accuracy, or root mean squared error."""
    return float(np.sqrt(np.mean((found - truth) ** 2)) if task.regression
                 else np.mean(found == truth))


# --- Peers in Python ---------------------------------------------------------

def codes(task, words, numbers):
    """Encodes words, then numbers, and joins them."""
    return ColumnTransformer([("words", words, task.words),
                              ("numbers", numbers, task.numbers)],
                             sparse_threshold=0)


def dummies(task, fill):
    """A column of 0 and 1 for each word, a missing one among them; a missing
    number becomes the mean if asked for."""
    return codes(task, OneHotEncoder(handle_unknown="ignore"),
                 SimpleImputer() if fill else "passthrough")


def scaled_response(model):
    """Predicts responses of mean 0 and variance 1."""
    return TransformedTargetRegressor(model, transformer=StandardScaler())


def hist_gradient_boosting(task, seed):
    """Words as categories, missing cells as they are."""
    kind = (HistGradientBoostingRegressor if task.regression else
            HistGradientBoostingClassifier)
    words = OrdinalEncoder(handle_unknown="use_encoded_value",
                           unknown_value=np.nan)
    return (codes(task, words, "passthrough"),
            kind(categorical_features=list(range(len(task.words))),
                 random_state=seed))


def extra_trees(task, seed):
    kind = ExtraTreesRegressor if task.regression else ExtraTreesClassifier
    return dummies(task, fill=True), kind(random_state=seed, n_jobs=1)


def random_forest(task, seed):
    kind = RandomForestRegressor if task.regression else RandomForestClassifier
    return dummies(task, fill=True), kind(random_state=seed, n_jobs=1)


def mlp(task, seed):
    # Without scaled responses these networks hardly learn.
    model = (scaled_response(MLPRegressor(random_state=seed))
             if task.regression else MLPClassifier(random_state=seed))
    return make_pipeline(dummies(task, fill=True), StandardScaler()), model


def boosted_trees(task, seed, **options):
    """Missing numbers as they are."""
    # Better by a few percent where responses are tiny.
    model = (scaled_response(XGBRegressor(random_state=seed, n_jobs=1,
                                          **options))
             if task.regression else
             XGBClassifier(random_state=seed, n_jobs=1, **options))
    return dummies(task, fill=False), model


def boosted_trees_200(task, seed):
    """What GBNN's time is compared with."""
    return boosted_trees(task, seed, n_estimators=200, tree_method="hist")


class PythonPeer:
    """Trained in a process of its own, so that it can be ended."""

    program = ""
    regression = True

    def __init__(self, name, make, version, ranked=True):
        self.name, self.make, self.version = name, make, version
        self.ranked = ranked

    def why_not(self):
        """Why it cannot run, if so."""
        return None if self.version else "this Python has no XGBoost"

    def run(self, task, train, test, seed, limit):
        ours, theirs = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.get_context("fork").Process(
            target=self.work, args=(theirs, task, train, test, seed, limit))
        process.start()
        theirs.close()
        try:
            return ours.recv()
        except EOFError:
            process.join()
            if process.exitcode == -signal.SIGXCPU:
                raise TooSlow
            raise RuntimeError(f"{self.name} failed on {task.name}")
        finally:
            process.join()

    def work(self, pipe, task, train, test, seed, limit):
        at_most(limit)
        warnings.simplefilter("ignore")
        encoder, model = self.make(task, seed)
        x, y, x_test = task.table.iloc[train], task.y[train], task.table.iloc[
            test]
        start = time.process_time()
        model.fit(encoder.fit_transform(x), y)
        middle = time.process_time()
        found = model.predict(encoder.transform(x_test))
        end = time.process_time()
        pipe.send({"score": score(task, task.y[test], np.ravel(found)),
                   "train": middle - start, "predict": end - middle})


# --- Programs ----------------------------------------------------------------

def call(command, folder, limit):
    """What a program says of its work, and the processor's time for it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True,
                          preexec_fn=lambda: at_most(limit))
    if done.returncode == -signal.SIGXCPU:
        raise TooSlow
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = re.sub("\033\\[[0-9;]*m", "", done.stdout + done.stderr)
    if done.returncode != 0:
        raise RuntimeError(f"{shlex.join(command)} failed:\n{text[-2000:]}")
    return text, (after.ru_utime + after.ru_stime -
                  before.ru_utime - before.ru_stime)


def seconds(text, cpu, *parts):
    """The share of the processor's time that some of mlpack's timers had."""
    timers = dict(re.findall(r"\[INFO \]   (\w+): ([0-9.e-]+)s", text))
    return cpu * (sum(float(timers.get(part, 0)) for part in parts) /
                  float(timers["total_time"]))


class Program:
    """A program of mlpack's kind."""

    ranked = True

    program = version = ""

    def __init__(self, name, path):
        self.name, self.path = name, pathlib.Path(path)

    def why_not(self):
        """Why it cannot run, if so."""
        if not self.path.is_file():
            return f"no program {self.path}; scripts/wide builds it"

    def run(self, task, train, test, seed, limit):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            self.write(folder, task, train, test)
            found, answer = self.answer(folder, task, seed, limit)
        if len(found) != len(test):
            raise RuntimeError(f"{self.name} predicted {len(found)} of "
                               f"{len(test)} points of {task.name}")
        return {"score": score(task, task.y[test], found), **answer}


class GBNN(Program):
    """Given the file as it is, words and missing cells included."""

    regression = True

    def __init__(self, name, path, options):
        super().__init__(name, path)
        self.options = options
        if self.path.is_file():
            content = [self.path.read_bytes(), *map(str.encode, options)]
            self.program = hashlib.sha256(b"\0".join(content)).hexdigest()[:12]

    def write(self, folder, task, train, test):
        for name, points in (("train", train), ("test", test)):
            lines = [task.header] + [task.lines[point] for point in points]
            (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
            (folder / f"{name}_targets.csv").write_text(
                "".join(f"{y!r}\n" for y in task.y[points].tolist()))

    def answer(self, folder, task, seed, limit):
        given, wanted = (("responses", "output_predictions")
                         if task.regression else ("labels", "predictions"))
        text, cpu = call(
            [str(self.path.resolve()), "--training_file", "train.csv",
             f"--{given}_file", "train_targets.csv", "--test_file", "test.csv",
             f"--test_{given}_file", "test_targets.csv",
             f"--{wanted}_file", "found.csv", "--staged_scores_file",
             "staged.csv", "--seed", str(seed),
             "--verbose", *self.options], folder, limit)
        # The score with each number of units, from 0 on.
        staged = np.loadtxt(folder / "staged.csv", delimiter=",", ndmin=2)[:, 1]
        units = len(staged) - 1
        return (np.loadtxt(folder / "found.csv", ndmin=1),
                {"half": staged[round(units / 2)],
                 "quarter": staged[round(units / 4)],
                 "train": seconds(text, cpu, "gbnn_encoding", "gbnn_training"),
                 "predict": seconds(text, cpu, "gbnn_prediction")})


class MlpackPeer(Program):
    """Given dummies and means; for classes only."""

    regression = False

    def __init__(self, name, program, timers, seeded, build):
        # Debian's, or compiled from the same files of Debian's headers.
        found = shutil.which(program) or build / "bin" / program
        super().__init__(name, found)
        self.timers, self.seeded = timers, seeded

    def why_not(self):
        reason = super().why_not()
        if not reason:
            text = subprocess.run([self.path, "--version"], text=True,
                                  capture_output=True).stdout
            self.version = re.search(r"mlpack (\S+?)[.\s]*$", text)[1]
        return reason

    def write(self, folder, task, train, test):
        encoder = dummies(task, fill=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parts = {"train": encoder.fit_transform(task.table.iloc[train]),
                     "test": encoder.transform(task.table.iloc[test])}
        for name, table in parts.items():
            np.savetxt(folder / f"{name}.csv", table, delimiter=",",
                       fmt="%.12g")
        np.savetxt(folder / "targets.csv", task.y[train], fmt="%d")

    def answer(self, folder, task, seed, limit):
        text, cpu = call(
            [str(self.path.resolve()), "--training_file", "train.csv",
             "--labels_file", "targets.csv", "--test_file", "test.csv",
             "--predictions_file", "found.csv", "--verbose",
             *(["--seed", str(seed)] if self.seeded else [])], folder, limit)
        return (np.loadtxt(folder / "found.csv", ndmin=1),
                {"train": seconds(text, cpu, f"{self.timers}_training"),
                 "predict": seconds(text, cpu, f"{self.timers}_prediction",
                                    f"{self.timers}_classification")})


def peers(build):
    """All peers; of those not ranked, only the time is of interest."""
    version = sklearn.__version__
    boost = xgboost.__version__ if xgboost else ""
    return [
        PythonPeer("HistGradientBoosting", hist_gradient_boosting, version),
        PythonPeer("ExtraTrees", extra_trees, version),
        PythonPeer("RandomForest", random_forest, version),
        PythonPeer("MLP", mlp, version),
        PythonPeer("XGBoost", boosted_trees, boost),
        PythonPeer("XGBoost_hist_200", boosted_trees_200, boost,
                   ranked=False),
        MlpackPeer("mlpack_RandomForest", "mlpack_random_forest", "rf", True,
                   build),
        MlpackPeer("mlpack_AdaBoost", "mlpack_adaboost", "adaboost", False,
                   build)]


def gbnn(text):
    """A GBNN as the command line names it: NAME=PROGRAM[,OPTIONS]."""
    name, equals, rest = text.partition("=")
    if not equals:
        raise SystemExit(f"wide: --gbnn {text}: expected "
                         "NAME=PROGRAM[,OPTIONS]")
    path, _, options = rest.partition(",")
    return GBNN(name, os.path.expanduser(path), shlex.split(options))
