"""The same data and seed give the same bits in every front end, and a model
that one has saved works in all the others.

Each language has a driver beside this file that trains on all tasks and saves
its models, and then, in a new process, predicts with everybody's models.  The
environment says which front ends there are:

    GBNN_PROGRAM    the command-line program
    GBNN_PYTHON     a Python that finds the package
    GBNN_R          Rscript, and its library in GBNN_R_LIBRARY
    GBNN_JULIA      julia, and the folder of its packages in GBNN_JULIA_PACKAGES
"""

import os
import pathlib
import re
import subprocess

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent
FORMATS = ("bin", "json", "xml")


def _commands():
    """What runs the driver of each language that is there."""
    env = os.environ
    commands = {}
    if "GBNN_PYTHON" in env:
        commands["python"] = [env["GBNN_PYTHON"], HERE / "driver.py"], []
    if "GBNN_R" in env:
        commands["r"] = ([env["GBNN_R"], "--vanilla", HERE / "driver.R"],
                         [env["GBNN_R_LIBRARY"]])
    if "GBNN_JULIA" in env:
        commands["julia"] = ([env["GBNN_JULIA"], "--startup-file=no",
                              HERE / "driver.jl"],
                             [env["GBNN_JULIA_PACKAGES"]])
    return commands


COMMANDS = _commands()
PROGRAM = os.environ.get("GBNN_PROGRAM")
FRONT_ENDS = (["cli"] if PROGRAM else []) + list(COMMANDS)


def write_csv(path, rows):
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))


def make_tasks(folder):
    """Three tasks.  Numbers have few binary digits, so that every language's
    reader of text gets the same ones."""
    rng = np.random.default_rng(3)
    numbers = np.round(rng.normal(size=(120, 4)) * 64) / 64
    score = numbers[:, 0] + numbers[:, 1] * numbers[:, 2]
    words = rng.choice(["red", "green", "blue"], 120)
    for name, table in (
            ("classes", [list(row) for row in numbers]),
            ("categories", [[word, *row[:2], "" if i % 7 == 3 else row[2]]
                            for i, (word, row)
                            in enumerate(zip(words, numbers))]),
            ("responses", [list(row) for row in numbers])):
        task = folder / name
        task.mkdir()
        write_csv(task / "training.csv", table[:80])
        write_csv(task / "test.csv", table[80:])
        if name == "classes":
            labels = np.digitize(score, [-0.5, 0.5]) * 5 - 2
            write_csv(task / "labels.csv", labels[:80, None])
        elif name == "categories":
            labels = ((words == "red") | (score > 1)).astype(int)
            write_csv(task / "labels.csv", labels[:80, None])
        else:
            targets = np.round(np.stack([score, -2 * score], 1) * 64) / 64
            write_csv(task / "responses.csv", targets[:80])


def run_program(*options):
    return subprocess.run([PROGRAM, *map(str, options)], capture_output=True,
                          text=True)


def read_csv(path):
    return np.array([float(x) for line in path.read_text().split()
                     for x in line.split(",")])


def run_program_on(task, result, options):
    """Run the program, with its results in files like those of the drivers."""
    if task.name == "responses":
        outputs = {"output_predictions": "numbers"}
    else:
        outputs = {"probabilities": "numbers", "predictions": "labels"}
    for name in outputs:
        options += [f"--{name}_file", f"{result}.{name}.csv"]
    done = run_program("--test_file", task / "test.csv", *options)
    assert done.returncode == 0, done.stderr
    (task / f"{result.name}.labels").write_bytes(b"")
    for name, end in outputs.items():
        read_csv(pathlib.Path(f"{result}.{name}.csv")).tofile(
            f"{result}.{end}")


def train_program(task):
    options = ["--training_file", task / "training.csv", "--hidden_units", 20,
               "--seed", 7]
    for name in ("labels", "responses"):
        if (task / f"{name}.csv").exists():
            options += [f"--{name}_file", task / f"{name}.csv"]
    for form in FORMATS:
        run_program_on(task, task / "cli", options + [
            "--output_model_file", task / f"cli.{form}"])


def predict_with_program(task):
    for model in sorted(task.iterdir()):
        if model.suffix[1:] in FORMATS:
            run_program_on(task, task / f"{model.name}.cli", [
                "--input_model_file", model, "--active_units", 9])


@pytest.fixture(scope="module")
def tasks(tmp_path_factory):
    """The folder with everybody's results."""
    folder = tmp_path_factory.mktemp("tasks")
    make_tasks(folder)
    for step, program in (("train", train_program),
                          ("predict", predict_with_program)):
        if PROGRAM:
            for task in folder.iterdir():
                program(task)
        for begin, end in COMMANDS.values():
            subprocess.run([*begin, step, folder, *end], check=True)
    return folder


def results(task, name):
    return ((task / f"{name}.numbers").read_bytes(),
            (task / f"{name}.labels").read_bytes())


TASKS = ("classes", "categories", "responses")


def test_there_is_something_to_compare():
    assert len(FRONT_ENDS) > 1


@pytest.mark.parametrize("name", TASKS)
def test_training_gives_the_same_bits(tasks, name):
    first = results(tasks / name, FRONT_ENDS[0])
    columns = {"classes": 3, "categories": 2, "responses": 2}[name]
    assert len(first[0]) == 8 * 40 * columns
    assert np.isfinite(np.frombuffer(first[0])).all()
    for other in FRONT_ENDS[1:]:
        assert results(tasks / name, other) == first, other


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", TASKS)
def test_model_files_are_the_same(tasks, name, form):
    first = (tasks / name / f"{FRONT_ENDS[0]}.{form}").read_bytes()
    for other in FRONT_ENDS[1:]:
        assert (tasks / name / f"{other}.{form}").read_bytes() == first, other


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", TASKS)
def test_models_work_everywhere(tasks, name, form):
    task = tasks / name
    first = results(task, f"{FRONT_ENDS[0]}.{form}.{FRONT_ENDS[0]}")
    # Nine of the twenty units predict otherwise than all of them.
    assert first != results(task, FRONT_ENDS[0])
    for maker in FRONT_ENDS:
        for user in FRONT_ENDS:
            assert results(task, f"{maker}.{form}.{user}") == first, \
                f"{maker}'s model in {user}"


# --- Errors ----------------------------------------------------------------

# Option, its value on the command line, and in each language.
MISTAKES = [
    ("hidden_units", "-1", "-1"),
    ("learning_rate", "1.5", "1.5"),
    ("optimizer", "newton", '"newton"'),
]
CALLS = {
    "python": "from mlpack_gbnn import gbnn\n"
              "try: gbnn(training=[[1.0, 0], [2.0, 1]], {}={})\n"
              "except Exception as e: print(e)",
    "r": "library(mlpackgbnn)\n"
         "tryCatch(gbnn(training = diag(2), {} = {}),\n"
         "         error = function(e) cat(conditionMessage(e)))",
    "julia": "using MlpackGBNN\n"
             "try gbnn(training = [1.0 0; 2 1], {} = {})\n"
             "catch e print(e.msg) end",
}


def error_in(language, option, value):
    code = CALLS[language].format(option, value)
    begin, end = COMMANDS[language]
    env = dict(os.environ)
    if language == "r":
        env["R_LIBS"] = end[0]
    if language == "julia":
        env["JULIA_LOAD_PATH"] = end[0] + ":"
    command = [*begin[:-1], "-c" if language == "python" else "-e", code]
    return subprocess.run(command, capture_output=True, text=True, env=env,
                          check=True).stdout.strip()


@pytest.mark.skipif(not PROGRAM, reason="the program is not built")
@pytest.mark.parametrize("option, on_command_line, value", MISTAKES)
@pytest.mark.parametrize("language", COMMANDS)
def test_errors_have_the_text_of_the_program(tmp_path, language, option,
                                             on_command_line, value):
    write_csv(tmp_path / "data.csv", [[1, 0], [2, 1]])
    done = run_program("--training_file", tmp_path / "data.csv", "--" + option,
                       on_command_line)
    assert done.returncode != 0
    # The program calls its options '--name (-n)', and has a color for errors.
    line = re.sub(r"\x1b\[[0-9;]*m|\[FATAL\] ", "", done.stderr).split("\n")[0]
    text = re.sub(r"'--(\w+)( \(-\w\))?'", r"'\1'", line)
    assert option in text
    assert error_in(language, option, value) == text
