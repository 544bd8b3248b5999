"""Trains, or predicts with models, in Python:  words.py train|predict FOLDER

See test_words.py.
"""

import pathlib
import sys
import warnings

import pandas as pd
from mlpack_gbnn import GBNNModel, gbnn

# As users of Python have them.
LABEL_TYPES = {
    "words": lambda labels: labels,
    "booleans": lambda labels: labels == "yes",
    "categories": lambda labels: labels.astype(pd.CategoricalDtype(
        ["none", *labels.unique()[::-1]])),
}


def write(result, path):
    pathlib.Path(f"{path}.txt").write_text(
        "".join(f"{label}\n" for label in result["predictions"]),
        encoding="utf-8")


def main(step, folder):
    # Of columns that are not needed.
    warnings.simplefilter("ignore")
    for task in sorted(pathlib.Path(folder).iterdir()):
        test = pd.read_csv(task / "test.csv")
        if step == "train":
            training = pd.read_csv(task / "training.csv")
            labels = LABEL_TYPES[task.name](training.pop("label"))
            result = gbnn(training=training, labels=labels.to_frame(),
                          hidden_units=20, seed=7, test=test)
            write(result, task / "python")
            for form in ("bin", "json", "xml"):
                result["output_model"].save(task / f"python.{form}")
            continue
        for model in sorted(task.glob("*.*")):
            if model.suffix in (".bin", ".json", ".xml"):
                write(gbnn(input_model=GBNNModel.load(model), test=test),
                      f"{model}.python")


main(*sys.argv[1:])
