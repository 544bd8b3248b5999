"""Draws the score against the number of active units, boosted and refined.

    python3 figure.py CURVES.csv FIGURE.svg
"""
import csv
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as pyplot  # noqa: E402

TASKS = ["vowel", "vehicle", "tic_tac_toe", "boston", "concrete", "power"]
REGRESSION = {"boston", "concrete", "power"}


def main(source, target):
    curves = {}
    with open(source, newline="") as file:
        for row in csv.DictReader(file):
            curves.setdefault(row["task"], []).append(
                (int(row["units"]), float(row["boosted"]), float(row["refined"])))
    matplotlib.rcParams["svg.hashsalt"] = "gbnn"
    figure, axes = pyplot.subplots(2, 3, figsize=(10, 6), layout="constrained")
    for axis, task in zip(axes.flat, TASKS):
        # With fewer units than this, the scale would show nothing else.
        points = [point for point in curves[task] if point[0] >= 10]
        units = [point[0] for point in points]
        axis.plot(units, [point[1] for point in points], label="boosted",
                  color="#888888")
        axis.plot(units, [point[2] for point in points], label="refined",
                  color="#0b6cb8")
        axis.set_title(task)
        axis.set_ylabel("RMSE" if task in REGRESSION else "accuracy")
        axis.set_xlabel("active units")
    axes.flat[0].legend()
    figure.savefig(target, metadata={"Date": None})


main(*sys.argv[1:])
