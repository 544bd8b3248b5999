"""Tables of scores, ranks, wins and losses, and times."""

import math
import pathlib
import re
import sys
import textwrap

import numpy as np

from tasks import CLASSIFICATION, REGRESSION

COMMON = pathlib.Path(__file__).resolve().parents[1] / "common"
sys.path.append(str(COMMON))
from ranks import Scores, mean_ranks, number, page_table  # noqa: E402

# The method that times are compared with.
CLOCK = "XGBoost_hist_200"


def newest(lines):
    """The last line of each task, fold and method; of the programs of one
    name, only those of the last."""
    program = {line["method"]: line["program"] for line in lines}
    return {(line["task"], line["fold"], line["method"]): line
            for line in lines if line["program"] == program[line["method"]]}


def duel(scores, tasks, ours, theirs):
    """Wins, losses and ties of one method against another, and by how much
    it is better: points of accuracy, and percent of RMSE."""
    count, points, ratios = [0, 0, 0], [], []
    for task in tasks:
        folds = scores.shared(task, (ours, theirs))
        if not folds:
            continue
        a, b = (scores.badness(task, name, folds) for name in (ours, theirs))
        count[0 if a < b else 1 if a > b else 2] += 1
        if math.isinf(a) or math.isinf(b):
            continue
        if not scores.regression[task]:
            points.append(100 * (b - a))
        elif a > 0 and b > 0:
            ratios.append(math.log(a / b))
    return (count, np.mean(points) if points else math.nan,
            100 * (math.exp(np.mean(ratios)) - 1) if ratios else math.nan)


def ranking(scores, tasks, peers, gbnn=None, gbnns=()):
    """A table of one GBNN (or none) among the peers; others are not ranked,
    but it may win against them."""
    kinds = {"all": tasks,
             "classes": [t for t in tasks if not scores.regression[t]],
             "responses": [t for t in tasks if scores.regression[t]]}
    ours = [gbnn] if gbnn else []
    both = ours + [p.name for p in peers if p.regression]
    every = ours + [p.name for p in peers]
    found = {kind: mean_ranks(scores, kinds[kind],
                              every if kind == "classes" else both)
             for kind in kinds}
    if not any(counted for _, counted, _, _ in found.values()):
        return []
    head = ["", *(f"rank, {kind}" for kind in kinds)]
    if gbnn:
        head += ["wins", "losses", "ties", "share won", "accuracy, points",
                 "RMSE, %"]
    rows = []
    order = sorted(every, key=lambda n: (found["all"][0].get(n, math.inf),
                                         found["classes"][0].get(n, 0)))
    for name in order + [other for other in gbnns if other != gbnn]:
        shown = f"**{name}**" if name == gbnn else name
        row = [shown] + [number(found[kind][0].get(name, math.nan), ".2f")
                         for kind in kinds]
        if gbnn and name != gbnn:
            (w, l, t), points, ratio = duel(scores, tasks, gbnn, name)
            share = (w + t / 2) / max(w + l + t, 1)
            row += [str(w), str(l), str(t), f"{share:.0%}",
                    number(points, "+.2f"), number(ratio, "+.1f")]
        elif gbnn:
            row += [""] * 6
        rows.append(row)
    empty = [""] * (6 if gbnn else 0)
    rows.append(["tasks", *(str(found[kind][1]) for kind in kinds), *empty])
    rows.append(["critical difference",
                 *(number(found[kind][3], ".2f") for kind in kinds), *empty])
    rows.append(["Friedman's p",
                 *(number(found[kind][2], ".1g") for kind in kinds), *empty])
    return page_table(head, rows)


def training(scores, tasks, name):
    """Seconds of each task, and the geometric mean of ratios to CLOCK's."""
    seconds, ratios = [], []
    for task in tasks:
        folds = scores.shared(task, [name])
        mean = scores.mean(task, name, folds, "train") if folds else math.nan
        if math.isnan(mean):
            continue
        seconds.append(mean)
        folds = scores.shared(task, [name, CLOCK])
        if folds:
            ratios.append(math.log(
                max(scores.mean(task, name, folds, "train"), 1e-4) /
                max(scores.mean(task, CLOCK, folds, "train"), 1e-4)))
    return seconds, math.exp(np.mean(ratios)) if ratios else math.nan


def times(scores, tasks, names):
    """Seconds of training, and ratios to one method's."""
    rows = []
    for name in names:
        seconds, ratio = training(scores, tasks, name)
        if seconds:
            rows.append([name, str(len(seconds)), f"{sum(seconds):.1f}",
                         f"{max(seconds):.2f}", number(ratio, ".2f")])
    return page_table(["", "tasks", "all of them, s", "longest, s",
                       f"ratio to {CLOCK}"], rows)


def switched_off(scores, tasks, names):
    """What a score loses if the last units are switched off."""
    rows = []
    for name in names:
        for what, text in (("half", "half"), ("quarter", "three quarters")):
            points, ratios = [], []
            for task in tasks:
                folds = [fold for fold in scores.shared(task, [name])
                         if what in scores.lines[task, fold, name]]
                if not folds:
                    continue
                whole, part = (scores.mean(task, name, folds, key)
                               for key in ("score", what))
                if not scores.regression[task]:
                    points.append(100 * (whole - part))
                elif whole > 0 and part > 0:
                    ratios.append(math.log(part / whole))
            if points or ratios:
                rows.append([name, text, str(len(points) + len(ratios)), number(
                    np.mean(points) if points else math.nan, ".2f"), number(
                        100 * (math.exp(np.mean(ratios)) - 1) if ratios
                        else math.nan, ".1f")])
    return page_table(["", "units switched off", "tasks",
                       "accuracy falls, points", "RMSE rises, %"],
                      rows) if rows else []


def published(scores, tasks, names):
    """How often a method is better than the published implementation, and
    where it is worse by more than the tolerance; nothing without tasks of the
    paper."""
    text = (COMMON / "references.hpp").read_text()
    references = {task: (float(mean), float(tolerance))
                  for task, mean, tolerance in re.findall(
                      r'{ "(\w+)",\s*{ ([\d.]+), ([\d.]+) } }', text)}
    if not references.keys() & set(tasks):
        return []
    rows = []
    for name in names:
        better, within, outside = 0, 0, []
        for task in references.keys() & set(tasks):
            folds = scores.shared(task, [name])
            if not folds:
                continue
            mean, tolerance = references[task]
            gain = scores.mean(task, name, folds) - mean
            if scores.regression[task]:
                gain = -gain
            better += gain > 0
            within += -tolerance <= gain <= 0
            if not gain >= -tolerance:
                outside.append(task)
        rows.append([name, str(better), str(within), str(len(outside)),
                     ", ".join(sorted(outside))])
    return page_table(["", "better", "within the tolerance", "worse",
                       "which"], rows)


def score_table(scores, tasks, names):
    rows = []
    for task in tasks:
        means, folds = {}, {}
        for name in names:
            folds[name] = scores.shared(task, [name])
            if folds[name]:
                means[name] = scores.mean(task, name, folds[name])
        # Means over fewer folds are not to be compared with the others.
        whole = {name for name in means
                 if len(folds[name]) == max(map(len, folds.values()))}
        known = [means[name] for name in whole if not math.isnan(means[name])]
        if not known:
            continue
        regression = scores.regression[task]
        form = ".4g" if regression else ".4f"
        best = format((min if regression else max)(known), form)
        row = [task]
        for name in names:
            text = ("" if name not in means else "slow"
                    if math.isnan(means[name]) else format(means[name], form))
            row.append(text if not text else f"({text})" if name not in whole
                       else f"**{text}**" if text == best else text)
        rows.append(row)
    return page_table(["task", *names], rows)


def summary(scores, tasks, peers, gbnns):
    """One line for each GBNN."""
    names = [peer.name for peer in peers]
    both = [peer.name for peer in peers if peer.regression]
    rows = []
    for gbnn in gbnns:
        ranks, counted, _, _ = mean_ranks(scores, tasks, [gbnn] + both)
        if not counted:
            continue
        best = min((ranks[name], name) for name in both) if both else None
        row = [gbnn, str(counted), f"{ranks[gbnn]:.2f}",
               f"{best[1]} {best[0]:.2f}" if best else "-"]
        for name in names:
            count, _, _ = duel(scores, tasks, gbnn, name)
            row.append("{}/{}/{}".format(*count))
        _, ratio = training(scores, tasks, gbnn)
        rows.append(row + [number(ratio, ".2f")])
    return page_table(["", "tasks", "rank", "best peer", *names, "time"], rows)


def in_order(lines):
    """The tasks of some lines, the paper's first."""
    paper = CLASSIFICATION + REGRESSION
    return sorted({line["task"] for line in lines}, key=lambda task: (
        paper.index(task) if task in paper else len(paper), task))


def report(lines, peers, folds, command, only_tasks=None, only_methods=None):
    """The page, of all lines or of some tasks and methods; the command is what
    it says it was written by."""
    lines = [line for line in lines if line["fold"] < folds and
             (only_tasks is None or line["task"] in only_tasks) and
             (not only_methods or line["method"] in only_methods)]
    regression = {line["task"]: line["regression"] for line in lines}
    tasks = in_order(lines)
    scores = Scores(newest(lines), regression, folds)
    present = list(dict.fromkeys(line["method"] for line in lines))
    gbnns = [name for name in present if name not in
             {peer.name for peer in peers}]
    ranked = [p for p in peers if p.ranked and p.name in present]
    page = ["# Results", "", f"Written by `{command} --folds {folds}`"
            "; [README](README.md) says how to read it.", ""]
    if not lines:
        return "\n".join(page + ["There are none yet."]) + "\n"
    if gbnns:
        page += ["## Summary", "",
                 *summary(scores, tasks, ranked, gbnns), ""]
    for gbnn in gbnns:
        table = ranking(scores, tasks, ranked, gbnn, gbnns)
        if table:
            page += [f"## {gbnn} among its peers", "", *table, ""]
    if not gbnns:
        page += ["## Peers", "", *ranking(scores, tasks, ranked), ""]
    shown = gbnns + [p.name for p in peers if p.name in present]
    page += ["## Time", "", *times(scores, tasks, shown), ""]
    table = switched_off(scores, tasks, gbnns)
    if table:
        page += ["## Units switched off", "", *table, ""]
    table = published(scores, tasks, gbnns)
    if table:
        page += ["## Beside the published implementation", "", *table, ""]
    for title, kind in (("Accuracy", False), ("RMSE", True)):
        some = [task for task in tasks if regression[task] == kind]
        columns = gbnns + [p.name for p in ranked if p.regression or not kind]
        if some:
            page += [f"## {title}", "", *score_table(scores, some, columns),
                     ""]
    versions = sorted({f"{line['method']} {line['version']}"
                       for line in lines if "version" in line})
    if versions:
        page += textwrap.wrap("Versions: " + ", ".join(versions) + ".", 100)
    return "\n".join(page).rstrip("\n") + "\n"
