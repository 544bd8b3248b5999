"""The figures, each as SVG and PNG."""
import collections
import csv

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot  # noqa: E402

COLORS = {"GBNN": "#1f77b4", "GBNN-refined": "#0b3c6f", "NN-Adam": "#ff7f0e",
          "Deep-NN": "#2ca02c"}


def save(figure, folder, name):
    # The same numbers make the same files.
    matplotlib.rcParams["svg.hashsalt"] = "gbnn"
    path = folder / "figures" / name
    figure.savefig(path.with_name(name + ".svg"), metadata={"Date": None})
    figure.savefig(path.with_name(name + ".png"), dpi=150)
    pyplot.close(figure)


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def figure2(folder):
    """Decision boundaries: one GBNN above, several networks below."""
    if not (folder / "figure2.csv").exists():
        return
    cells = read_csv(folder / "figure2.csv")
    points = read_csv(folder / "figure2_points.csv")
    x, y = (sorted({float(cell[axis]) for cell in cells}) for axis in "xy")
    names = [name for name in cells[0] if name not in "xy"]
    figure, axes = pyplot.subplots(2, len(names) // 2, figsize=(13, 5.4),
                                   sharex=True, sharey=True,
                                   layout="constrained")
    for axis, name in zip(axes.flat, names):
        values = np.array([float(cell[name]) for cell in cells])
        values = values.reshape(len(y), len(x))
        image = axis.pcolormesh(x, y, values, cmap="viridis", vmin=0, vmax=1,
                                shading="nearest", rasterized=True)
        if values.min() < 0.5 < values.max():
            axis.contour(x, y, values, [0.5], colors="white", linewidths=1)
        for label, color in (("0", "#440154"), ("1", "#fde725")):
            some = [point for point in points if point["class"] == label]
            axis.scatter([float(point["x"]) for point in some],
                         [float(point["y"]) for point in some], s=8,
                         color=color, edgecolors="white", linewidths=0.4)
        method, units = name.split()
        axis.set_title(f"{method}, T = {units}")
        axis.set_xlim(x[0], x[-1])
        axis.set_ylim(y[0], y[-1])
    figure.colorbar(image, ax=axes, label="p(y = 1 | x)")
    save(figure, folder, "figure2")


def draw_ranks(axis, title, ranks, distance):
    """Demšar's plot: an axis of ranks, names, and lines over what is alike."""
    names = sorted(ranks, key=ranks.get)
    count = len(names)
    axis.set_xlim(0.2, count + 0.8)
    axis.set_ylim(-0.6 * count - 0.6, 2)
    axis.axis("off")
    axis.set_title(title, fontsize=10)
    axis.hlines(0, 1, count, color="black")
    for rank in range(1, count + 1):
        axis.vlines(rank, 0, 0.15, color="black")
        axis.text(rank, 0.25, str(rank), ha="center", fontsize=8)
    half = (count + 1) // 2
    for place, name in enumerate(names):
        left = place < half
        level = -0.9 - 0.9 * (place if left else count - 1 - place)
        end = 0.9 if left else count + 0.1
        axis.plot([ranks[name], ranks[name], end], [0, level, level],
                  color="black", linewidth=0.8)
        axis.text(end + (-0.05 if left else 0.05), level,
                  f"{name} ({ranks[name]:.2f})", va="center",
                  ha="right" if left else "left", fontsize=8)
    # The widest groups that do not differ, each once.
    level, last = -0.2, -1
    for first in range(count):
        end = max(i for i in range(count)
                  if ranks[names[i]] - ranks[names[first]] <= distance)
        if end > first and end > last:
            axis.hlines(level, ranks[names[first]] - 0.03,
                        ranks[names[end]] + 0.03, color="black", linewidth=3)
            level, last = level - 0.16, end
    axis.hlines(1.2, 1, min(1 + distance, count), color="black")
    axis.text(1, 1.35, f"CD = {distance:.2f}", fontsize=8)


def figure3(folder, gbnn, found):
    """Average ranks of classification, of regression, and of all."""
    kinds = [kind for kind in ("classification", "regression", "all")
             if found[kind][1] > 0]
    figure, axes = pyplot.subplots(1, len(kinds), squeeze=False,
                                   figsize=(6.4 * len(kinds), 2.9),
                                   layout="constrained")
    for axis, kind in zip(axes[0], kinds):
        ranks, counted, _, distance = found[kind]
        draw_ranks(axis, f"{kind}, {counted} sets", ranks, distance)
    save(figure, folder, f"figure3_{gbnn}")


def figure4(folder, lines, names):
    """Score against units; returns the means as rows."""
    curves = collections.defaultdict(list)
    for line in lines:
        values = [float(value) for value in line["scores"].split()]
        if line["method"] in ("GBNN", "GBNN-refined"):
            for units, value in enumerate(values):
                curves[line["task"], line["method"], units].append(value)
        else:
            curves[line["task"], line["method"], line["units"]].append(
                values[0])
    rows = [{"task": task, "method": method, "units": units,
             "folds": len(values), "score": float(np.mean(values))}
            for (task, method, units), values in sorted(curves.items())]
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    figure, axes = pyplot.subplots(1, len(tasks), squeeze=False,
                                   figsize=(4.4 * len(tasks), 3.6),
                                   layout="constrained")
    for axis, task in zip(axes[0], tasks):
        shown = []
        for method, color in COLORS.items():
            points = [(row["units"], row["score"]) for row in rows
                      if row["task"] == task and row["method"] == method and
                      row["units"] > 0]
            if method == "Deep-NN" and points:
                axis.axhline(points[0][1], color=color, label=method)
                shown.append(points[0][1])
            elif points:
                # Refinement may leave a network as it was.
                axis.plot(*zip(*points), color=color, label=method,
                          linestyle="--" if method == "GBNN-refined" else "-")
                shown += [score for units, score in points if units >= 10]
        if shown:
            # With few units, the scale would show nothing else.
            edge = 0.08 * (max(shown) - min(shown) + 1e-9)
            axis.set_ylim(min(shown) - edge, max(shown) + edge)
        regression = task.startswith("energy")
        axis.set_title(names[task])
        axis.set_xlabel("units")
        axis.set_ylabel("RMSE" if regression else "accuracy")
    axes[0][0].legend()
    save(figure, folder, "figure4")
    return rows


def figure5(folder, lines, names):
    """Seconds against units; returns them as rows."""
    rows = [{"task": line["task"], "ends": line["ends"],
             "method": line["method"], "units": line["units"],
             "seconds": float(line["seconds"])} for line in lines]
    rows.sort(key=lambda row: (row["task"], row["ends"], row["method"],
                               row["units"]))
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    figure, axes = pyplot.subplots(len(tasks), 2, squeeze=False,
                                   figsize=(9, 3.4 * len(tasks)),
                                   layout="constrained")
    for pair, task in zip(axes, tasks):
        for axis, ends in zip(pair, ("early", "late")):
            for method, color in COLORS.items():
                points = [(row["units"], row["seconds"]) for row in rows
                          if (row["task"], row["ends"], row["method"]) ==
                          (task, ends, method)]
                if points:
                    axis.plot(*zip(*points), color=color, label=method)
            axis.set_title(f"{names[task]}, " + (
                "early end" if ends == "early" else "200 epochs"))
            axis.set_xlabel("units of a layer")
            axis.set_ylabel("seconds")
    axes[0][0].legend()
    save(figure, folder, "figure5")
    return rows
