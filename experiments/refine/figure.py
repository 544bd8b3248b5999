"""Draws the score against the number of active units, boosted and refined, and
prints how much worse than at the cut below it a network is between two cuts, from
a quarter of the units on.

    python3 figure.py CURVES.csv FIGURE.svg
"""
import csv
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as pyplot  # noqa: E402

TASKS = ["vowel", "vehicle", "tic_tac_toe", "boston", "concrete", "power"]
REGRESSION = {"boston", "concrete", "power"}


def worst_between_cuts(curve, column, regression):
    """The worst score between two cuts, against that of the cut below: how many
    times the RMSE, or how many points of accuracy less."""
    units = curve[-1][0]
    parts = 16 if regression else 8
    cuts = [int(units * c / parts + 0.5)
            for c in range(parts // 4, parts + 1)]
    worst = 1.0 if regression else 0.0
    for below, above in zip(cuts, cuts[1:]):
        at_cut = curve[below][column]
        between = [point[column] for point in curve[below + 1:above]]
        if regression:
            worst = max([worst] + [score / at_cut for score in between])
        else:
            worst = max([worst] + [100 * (at_cut - score) for score in between])
    return worst


def print_between_cuts(curves):
    print("| task | boosted | refined |\n|---|---|---|")
    for task, curve in curves.items():
        # Errors of nothing are larger than those of all units.
        regression = curve[0][1] > curve[-1][1]
        scores = [worst_between_cuts(curve, column, regression)
                  for column in (1, 2)]
        unit = " times" if regression else " points"
        print(f"| {task} | {scores[0]:.2f}{unit} | {scores[1]:.2f}{unit} |")


def main(source, target):
    curves = {}
    with open(source, newline="") as file:
        for row in csv.DictReader(file):
            curves.setdefault(row["task"], []).append(
                (int(row["units"]), float(row["boosted"]), float(row["refined"])))
    print_between_cuts(curves)
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
