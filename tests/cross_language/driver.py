"""Trains, or predicts with models, in Python:  driver.py train|predict FOLDER

The folder has one folder for each task, with the data and the options; see
test_same_results.py, which also reads the results.
"""

import pathlib
import sys

import numpy as np
import pandas as pd
from mlpack_gbnn import GBNNModel, gbnn

OPTIONS = {"hidden_units": 20, "seed": 7}


def read(path):
    return pd.read_csv(path, header=None) if path.exists() else None


def write(result, path):
    """All numbers of a result, point by point, as they lie in memory."""
    name = "probabilities" if result["probabilities"].size \
        else "output_predictions"
    np.ascontiguousarray(result[name]).tofile(f"{path}.numbers")
    result["predictions"].astype(float).tofile(f"{path}.labels")


def main(step, folder):
    for task in sorted(pathlib.Path(folder).iterdir()):
        test = read(task / "test.csv")
        if step == "train":
            result = gbnn(training=read(task / "training.csv"), test=test,
                          labels=read(task / "labels.csv"),
                          responses=read(task / "responses.csv"), **OPTIONS)
            write(result, task / "python")
            for form in ("bin", "json", "xml"):
                result["output_model"].save(task / f"python.{form}")
            continue
        for model in sorted(task.glob("*.*")):
            if model.suffix in (".bin", ".json", ".xml"):
                result = gbnn(input_model=GBNNModel.load(model), test=test,
                              active_units=9)
                write(result, f"{model}.python")


main(*sys.argv[1:])
