#!/usr/bin/env python3
"""Draws accuracy against the number of hidden units switched on, as an SVG file.

    units.py OUTPUT.svg TITLE NAME=SCORES.csv [NAME=SCORES.csv ...]

SCORES.csv is what `mlpack_gbnn --staged_scores_file` writes.  README.md in this folder has the
commands of each picture.
"""

import sys

import matplotlib
import numpy

matplotlib.use("svg")
# The same file every time, with text that stays text.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "gbnn",
                            "font.family": "sans-serif", "font.size": 11})
import matplotlib.pyplot as pyplot

COLORS = ("#1b6ca8", "#d95f02", "#555555")


def main():
    if len(sys.argv) < 4 or not all("=" in text for text in sys.argv[3:]):
        sys.exit(__doc__)
    output, title = sys.argv[1:3]
    figure, axes = pyplot.subplots(figsize=(7, 3.4), layout="constrained")
    for text, color in zip(sys.argv[3:], COLORS):
        name, path = text.split("=", 1)
        units, accuracy = numpy.loadtxt(path, delimiter=",").T
        axes.plot(units, 100 * accuracy, color=color, linewidth=1.6, label=name)
        axes.annotate(f"{100 * accuracy[-1]:.1f} %", (units[-1], 100 * accuracy[-1]),
                      xytext=(5, 0), textcoords="offset points", color=color,
                      verticalalignment="center")
    axes.set(title=title, xlabel="hidden units switched on",
             ylabel="test accuracy in %", xlim=(0, units[-1]))
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if len(sys.argv) > 4:
        axes.legend(frameon=False, loc="lower right")
    figure.savefig(output, metadata={"Date": None})


if __name__ == "__main__":
    main()
