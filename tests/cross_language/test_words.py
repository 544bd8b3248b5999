"""All front ends exchange models whose labels are words.

A model trained in any of them predicts the same words in all the others.  The
words have spaces, commas, quotes and letters that are not ASCII; there are
booleans, and the factors and categories that languages have.  Test data has its
columns in another order than the training data, and one more.

Each language has a driver, words.*, beside this file; see test_same_results.py
for the environment.
"""

import csv
import io
import os
import pathlib
import subprocess

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent
FORMATS = ("bin", "json", "xml")
ENV = os.environ
PROGRAM = ENV.get("GBNN_PROGRAM")
COMMANDS = {}
if "GBNN_PYTHON" in ENV:
    COMMANDS["python"] = [ENV["GBNN_PYTHON"], HERE / "words.py"], []
if "GBNN_R" in ENV:
    COMMANDS["r"] = ([ENV["GBNN_R"], "--vanilla", HERE / "words.R"],
                     [ENV["GBNN_R_LIBRARY"]])
if "GBNN_JULIA" in ENV:
    COMMANDS["julia"] = ([ENV["GBNN_JULIA"], "--startup-file=no",
                          HERE / "words.jl"], [ENV["GBNN_JULIA_PACKAGES"]])
FRONT_ENDS = (["cli"] if PROGRAM else []) + list(COMMANDS)
WORDS = ["not so good", 'good, "quite"', "très bien"]
TASKS = {"words": WORDS, "booleans": ["no", "yes"],
         "categories": ["Zebra", "ant", "Ähre"]}
# How languages write true and false.
SPELLING = {"cli": ("false", "true"), "python": ("False", "True"),
            "r": ("FALSE", "TRUE"), "julia": ("false", "true")}

# Bytes that are not UTF-8 are as os.fsdecode() has them.
LATIN_1 = """
import pandas as pd
from mlpack_gbnn import GBNNModel, gbnn
model = GBNNModel.load("m.xml")
table = pd.read_csv("training.csv", encoding="utf-8",
                    encoding_errors="surrogateescape")
result = gbnn(input_model=model, test=table.drop(columns="label"))
assert set(result["predictions"]) == {"the", "caf\\udce9"}
assert (result["predictions"] == table["label"]).all()
again = gbnn(training=table.drop(columns="label"), labels=table["label"],
             hidden_units=4, seed=7, refine_iterations=0)["output_model"]
other = gbnn(input_model=again, test=table.drop(columns="label"))
assert (other["predictions"] == table["label"]).all()
try:
    gbnn(input_model=model, test=table[["b"]])
except ValueError as error:
    assert "\\ufffd" in str(error), error
else:
    raise AssertionError("a column is missing")
"""


def write_csv(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def make_tasks(folder):
    """Numbers have few binary digits: every language reads the same ones."""
    rng = np.random.default_rng(5)
    numbers = np.round(rng.normal(size=(140, 3)) * 64) / 64
    colors = rng.choice(["red", "green", "blue"], 140)
    score = numbers[:, 0] + numbers[:, 1] * numbers[:, 2] + (colors == "red")
    for name, labels in TASKS.items():
        limits = [-0.2, 0.9] if len(labels) == 3 else [0.3]
        truth = [labels[i] for i in np.digitize(score, limits)]
        task = folder / name
        task.mkdir()
        rows = [[*row, color, label]
                for row, color, label in zip(numbers, colors, truth)]
        write_csv(task / "training.csv",
                  [["a", "b", "c", "color", "label"], *rows[:90]])
        write_csv(task / "test.csv", [["color", "c", "more", "b", "a"]] + [
            [color, c, 7, b, a] for a, b, c, color, _ in rows[90:]])


def run_program(task, result, *options):
    path = task / "cli_labels.csv"
    done = subprocess.run(
        [PROGRAM, *map(str, options), "--test_file", task / "test.csv",
         "--predictions_file", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8")))
    (task / f"{result}.txt").write_text(
        "".join(f"{row[0]}\n" for row in rows), encoding="utf-8")


def train_program(task):
    training = task / "training.csv"
    if task.name == "booleans":
        # As files have them.
        training = task / "written.csv"
        text = (task / "training.csv").read_text()
        training.write_text(text.replace(",yes\n", ",true\n")
                            .replace(",no\n", ",false\n"))
    for form in FORMATS:
        run_program(task, "cli", "--training_file", training, "--target",
                    "label", "--hidden_units", 20, "--seed", 7,
                    "--output_model_file", task / f"cli.{form}")


def predict_with_program(task):
    for model in sorted(task.iterdir()):
        if model.suffix[1:] in FORMATS:
            run_program(task, f"{model.name}.cli", "--input_model_file", model)


@pytest.fixture(scope="module")
def tasks(tmp_path_factory):
    """The folder with everybody's results."""
    folder = tmp_path_factory.mktemp("words")
    make_tasks(folder)
    env = {**ENV, "LC_ALL": "C.UTF-8"}
    for step, program in (("train", train_program),
                          ("predict", predict_with_program)):
        if PROGRAM:
            for task in folder.iterdir():
                program(task)
        for begin, end in COMMANDS.values():
            subprocess.run([*begin, step, folder, *end], check=True, env=env)
    return folder


def words(task, name):
    return (task / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def expected(task, maker, tasks):
    """What a model of `maker` should say: as that of the first front end."""
    first = words(tasks / task, FRONT_ENDS[0])
    if task != "booleans":
        return first
    return [SPELLING[maker][word == SPELLING[FRONT_ENDS[0]][1]]
            for word in first]


def test_there_is_something_to_compare():
    assert len(FRONT_ENDS) > 1


@pytest.mark.parametrize("task", TASKS)
def test_all_words_are_predicted(tasks, task):
    for maker in FRONT_ENDS:
        got = words(tasks / task, maker)
        assert len(got) == 50
        known = SPELLING[maker] if task == "booleans" else TASKS[task]
        assert set(got) == set(known), maker
        assert got == expected(task, maker, tasks), maker


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("task", TASKS)
def test_models_say_the_same_words_everywhere(tasks, task, form):
    for maker in FRONT_ENDS:
        for user in FRONT_ENDS:
            truth = expected(task, maker, tasks)
            # Python turns these words into its own booleans.
            if task == "booleans" and user == "python":
                truth = [word.capitalize() for word in truth]
            assert words(tasks / task, f"{maker}.{form}.{user}") == truth, \
                f"{maker}'s model in {user}"


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("task", ["words", "categories"])
def test_languages_make_the_same_model_files(tasks, task, form):
    # The program is told of a target, whose name is in its model.
    first, *others = [name for name in FRONT_ENDS if name != "cli"]
    model = (tasks / task / f"{first}.{form}").read_bytes()
    for other in others:
        assert (tasks / task / f"{other}.{form}").read_bytes() == model, other


@pytest.mark.skipif(not PROGRAM or "python" not in COMMANDS,
                    reason="needs the program and Python")
def test_words_in_latin_1(tmp_path):
    """Python predicts with a model whose words are not UTF-8."""
    rows = [[i % 7, "gr\xfcn" if i % 2 else "rot", "caf\xe9" if i % 2 else "the"]
            for i in range(40)]
    (tmp_path / "training.csv").write_text("".join(
        f"{a},{b},{c}\n" for a, b, c in [["\xe0", "b", "label"], *rows]),
        encoding="latin-1")
    subprocess.run([PROGRAM, "-t", "training.csv", "--target", "label", "-u", "4",
                    "-S", "7", "--refine_iterations", "0", "-M", "m.xml"],
                   cwd=tmp_path, check=True, capture_output=True)
    subprocess.run([*COMMANDS["python"][0][:1], "-c", LATIN_1], cwd=tmp_path,
                   check=True)
