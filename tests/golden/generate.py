"""Makes the golden model files of a version, once, when it is released.

    python3 tests/golden/generate.py PROGRAM FOLDER

For each task and encoding of the inputs it trains a small model with PROGRAM (mlpack_gbnn) and
writes it in all formats, beside the points to predict and what is predicted.  What a release has
written stays: tests/cli/test_golden.py loads it for ever after and expects the same predictions.
"""
import math
import pathlib
import subprocess
import sys

FORMATS = ("bin", "json", "xml")
ENCODINGS = {
    "linear": ["--input_encoding", "linear", "--refine_iterations", 0],
    "piecewise": ["--input_encoding", "piecewise", "--bins", 4],
}
TASKS = {
    "two_classes": ["-l", "y.csv"],
    "words": ["-l", "y.csv"],
    "regression": ["-r", "y.csv"],
    "two_responses": ["-r", "y.csv"],
    "quantiles": ["-r", "y.csv", "--loss", "quantile", "--quantiles", "0.1,0.5,0.9"],
    "poisson": ["-r", "y.csv", "--loss", "poisson"],
}


def points(begin, end):
    """Numbers, words and gaps, the same on every machine."""
    rows = []
    for i in range(begin, end):
        a = round(math.sin(7 * i) * 5, 3)
        rows.append(["" if i % 11 == 3 else str(a), "pqr"[i * i % 3],
                     str(round(math.cos(3 * i), 3))])
    return rows


def truth(task, i):
    value = math.sin(7 * i) * math.cos(3 * i)
    return {
        "two_classes": lambda: str(int(value > 0)),
        "words": lambda: "low middle high".split()[(value > -0.3) + (value > 0.3)],
        "two_responses": lambda: f"{value:.4f},{2 * value - 1:.4f}",
        "poisson": lambda: str(round(3 + 3 * value)),
    }.get(task, lambda: f"{value:.4f}")()


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines))


def generate(program, folder):
    for task, options in TASKS.items():
        for encoding, more in ENCODINGS.items():
            place = folder / f"{task}_{encoding}"
            place.mkdir(parents=True)
            header = ["size,kind,turn"]
            write(place / "x.csv", header + [",".join(p) for p in points(0, 80)])
            write(place / "test.csv", header + [",".join(p) for p in points(80, 95)])
            write(place / "y.csv", [truth(task, i) for i in range(80)])

            def run(*arguments):
                subprocess.run([program, *map(str, arguments)], cwd=place, check=True,
                               stdout=subprocess.DEVNULL)

            run("-t", "x.csv", *options, *more, "-u", 6, "-S", 1, "-M", "model.bin")
            for form in FORMATS[1:]:
                run("-m", "model.bin", "-M", f"model.{form}")
            outputs = (["-o", "responses.csv"] if "-r" in options else
                       ["-p", "labels.csv", "-P", "probabilities.csv"])
            run("-m", "model.bin", "-T", "test.csv", *outputs)
            for name in ("x.csv", "y.csv"):
                (place / name).unlink()


if __name__ == "__main__":
    generate(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]))
