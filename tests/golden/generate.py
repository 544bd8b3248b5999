"""Makes the golden model files of a version, once, when it is released.

    python3 tests/golden/generate.py BIN FOLDER

BIN has mlpack_gbnn and mlpack_deep_gbnn.  For each task and encoding of the inputs, a small
model is trained and written in all formats, beside the points to predict and what is
predicted.  What a release has written stays: tests/cli/test_golden.py loads it forever
after and expects the same predictions.
"""
import math
import pathlib
import subprocess
import sys

FORMATS = ("bin", "json", "xml")
LINEAR = ["--input_encoding", "linear", "--refine_iterations", 0]
PIECEWISE = ["--input_encoding", "piecewise", "--bins", 4]
# What is trained, by which program, with which options.
TASKS = {
    "two_classes_linear": ("gbnn", ["-l", "y.csv", *LINEAR]),
    "two_classes_piecewise": ("gbnn", ["-l", "y.csv", *PIECEWISE]),
    "words_linear": ("gbnn", ["-l", "y.csv", *LINEAR]),
    "words_piecewise": ("gbnn", ["-l", "y.csv", *PIECEWISE]),
    "regression_linear": ("gbnn", ["-r", "y.csv", *LINEAR, "-A", "tanh"]),
    "regression_piecewise": ("gbnn", ["-r", "y.csv", *PIECEWISE]),
    "two_responses_linear": ("gbnn", ["-r", "y.csv", *LINEAR, "-A", "relu"]),
    "absolute_linear": ("gbnn", ["-r", "y.csv", "--loss", "absolute", *LINEAR]),
    "huber_linear": ("gbnn", ["-r", "y.csv", "--loss", "huber", *LINEAR]),
    "quantiles_piecewise": ("gbnn", ["-r", "y.csv", "--loss", "quantile", "--quantiles",
                                     "0.1,0.5,0.9", *PIECEWISE]),
    # Refinement does not help, so the first two units are scaled.
    "noise_cut": ("gbnn", ["-r", "y.csv", "--input_encoding", "linear", "-j", 1,
                           "--active_units", 2]),
    "poisson_linear": ("gbnn", ["-r", "y.csv", "--loss", "poisson", *LINEAR]),
    "deep_words": ("deep_gbnn", ["-l", "y.csv", "--layers", "3,2", "--trunk_epochs", 5]),
}


def points(begin, end):
    """Numbers, words and gaps, the same on every machine."""
    rows = []
    for i in range(begin, end):
        a = round(math.sin(7 * i) * 5, 3)
        # The last words are not among those of the training data.
        word = "new" if i >= 89 else "pqr"[i % 7 % 3]
        rows.append(["" if i % 11 == 3 else str(a), word, str(round(math.cos(3 * i), 3))])
    return rows


def truth(task, i):
    value = math.sin(7 * i) * math.cos(3 * i)
    if task.startswith("two_classes"):
        return str(int(value > 0))
    if "words" in task:
        return "low middle high".split()[(value > -0.3) + (value > 0.3)]
    if task.startswith("two_responses"):
        return f"{value:.4f},{2 * value - 1:.4f}"
    if task.startswith("noise"):
        return f"{math.sin(i * i):.4f}"
    if task.startswith("poisson"):
        return str(round(3 + 3 * value))
    return f"{value:.4f}"


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines))


def generate(bin_folder, folder):
    for task, (program, options) in TASKS.items():
        place = folder / task
        place.mkdir(parents=True)
        header = ["size,kind,turn"]
        write(place / "x.csv", header + [",".join(p) for p in points(0, 80)])
        write(place / "test.csv", header + [",".join(p) for p in points(80, 90)])
        write(place / "y.csv", [truth(task, i) for i in range(80)])

        def run(*arguments):
            subprocess.run([bin_folder / f"mlpack_{program}", *map(str, arguments)],
                           cwd=place, check=True, stdout=subprocess.DEVNULL)

        run("-t", "x.csv", *options, "-u", 3, "-S", 1, "-M", "model.bin")
        for form in FORMATS[1:]:
            run("-m", "model.bin", "-M", f"model.{form}")
        outputs = (["-o", "responses.csv"] if "-r" in options else
                   ["-p", "labels.csv", "-P", "probabilities.csv"])
        run("-m", "model.bin", "-T", "test.csv", *outputs)
        for name in ("x.csv", "y.csv"):
            (place / name).unlink()


if __name__ == "__main__":
    generate(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
