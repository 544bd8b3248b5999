"""Makes tables, figures and RESULTS.md of what `paper` has measured.

    python3 report.py FOLDER [COMMAND]

FOLDER has results.jsonl; RESULTS.md goes there, tables to FOLDER/tables, figures
to FOLDER/figures. COMMAND is what RESULTS.md says that it was made by.
"""
import collections
import csv
import json
import math
import pathlib
import sys
import textwrap

import numpy as np

import figures
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
from ranks import Scores, mean_ranks, nemenyi, number, page_table  # noqa: E402

GBNNS = ["GBNN", "GBNN-refined", "GBNN-defaults"]
PEERS = ["Deep-NN", "NN-Adam", "NN-L-BFGS", "NN-SGD", "AdaBoost-NN"]
# Folds of all repeats have numbers one after the other.
FOLDS = 50
# All points, or settings, in a plan.
ALL = 1000000


def read_lines(path):
    """The lines by what they are about; those cut off by an end are left out."""
    lines = collections.defaultdict(list)
    for text in path.read_text().splitlines():
        try:
            line = json.loads(text)
        except ValueError:
            continue
        for name in [name for name, value in line.items() if value is None]:
            line[name] = math.nan
        lines[line["what"]].append(line)
    return lines


class Published:
    """The numbers of the paper, in its order."""

    def __init__(self):
        path = pathlib.Path(__file__).resolve().parent / "published.csv"
        with open(path, newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.tasks = list(dict.fromkeys(row["task"] for row in self.rows))
        self.names = {row["task"]: row["name"] for row in self.rows}
        self.by_key = {(row["task"], row["method"]): row for row in self.rows}

    def get(self, task, method, what):
        row = self.by_key.get((task, method))
        return float(row[what]) if row and row[what] else math.nan


class Table2:
    """Scores of all methods, over the folds that all of them have."""

    def __init__(self, lines, published):
        self.published = published
        by_key = {(line["task"], 10 * line["repeat"] + line["fold"],
                   line["method"]): line for line in lines}
        regression = {line["task"]: bool(line["regression"])
                      for line in lines}
        self.scores = Scores(by_key, regression, FOLDS)
        self.methods = GBNNS + PEERS
        self.folds = {task: self.scores.shared(task, self.methods)
                      for task in published.tasks if task in regression}
        self.tasks = [task for task in self.folds if self.folds[task]]

    def values(self, task, method):
        return [self.scores.lines[task, fold, method]["score"]
                for fold in self.folds[task]]

    def mean(self, task, method):
        return float(np.mean(self.values(task, method)))

    def deviation(self, task, method):
        values = self.values(task, method)
        return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan

    def verdict(self, task):
        """The paper's method against what the paper has of it."""
        mean = self.published.get(task, "GBNN", "mean")
        deviation = self.published.get(task, "GBNN", "deviation")
        gain = self.mean(task, "GBNN") - mean
        if self.scores.regression[task]:
            gain = -gain
        return ("better" if gain >= 0 else
                "within" if gain >= -deviation else "worse")

    def page(self):
        rows = []
        for task in self.tasks:
            scale = 1 if self.scores.regression[task] else 100
            least = {method: self.scores.badness(task, method,
                                                 self.folds[task])
                     for method in self.methods}
            row = [self.published.names[task], str(len(self.folds[task]))]
            for method in self.methods:
                text = f"{scale * self.mean(task, method):.2f}"
                if least[method] == min(least.values()):
                    text = f"**{text}**"
                text += " ± " + number(scale * self.deviation(task, method),
                                       ".2f")
                paper = self.published.get(task, method, "mean")
                if not math.isnan(paper):
                    text += f" ({scale * paper:.2f})"
                row.append(text)
            rows.append(row + [self.verdict(task)])
        return page_table(["set", "folds", *self.methods, "GBNN, paper's"],
                          rows)

    def rows(self):
        for task in self.tasks:
            for method in self.methods:
                yield {"task": task, "method": method,
                       "folds": len(self.folds[task]),
                       "mean": self.mean(task, method),
                       "deviation": self.deviation(task, method),
                       "published_mean": self.published.get(task, method,
                                                            "mean"),
                       "published_deviation": self.published.get(
                           task, method, "deviation")}

    def ranks(self, gbnn):
        """Mean ranks of a GBNN among the peers: all sets, classes, responses."""
        kinds = {"all": self.tasks,
                 "classification": [t for t in self.tasks
                                    if not self.scores.regression[t]],
                 "regression": [t for t in self.tasks
                                if self.scores.regression[t]]}
        return {kind: mean_ranks(self.scores, tasks, [gbnn] + PEERS)
                for kind, tasks in kinds.items()}

    def rank_page(self, gbnn):
        found = self.ranks(gbnn)
        ranks, counted, _, _ = found["all"]
        if not counted:
            return []
        rows = []
        for name in sorted(ranks, key=ranks.get):
            p = ("" if name == gbnn else number(nemenyi(
                ranks[name] - ranks[gbnn], len(ranks), counted), ".2g"))
            rows.append([f"**{name}**" if name == gbnn else name] +
                        [number(found[kind][0].get(name, math.nan), ".2f")
                         for kind in found] + [p])
        for title, place, form in (("sets", 1, "d"),
                                   ("critical difference", 3, ".2f"),
                                   ("Friedman's p", 2, ".1g")):
            rows.append([title] + [format(found[kind][place], form)
                                   if place == 1 else
                                   number(found[kind][place], form)
                                   for kind in found] + [""])
        return page_table(["", *(f"rank, {kind}" for kind in found),
                           f"Nemenyi's p against {gbnn}"], rows)


def times(lines, published):
    """Mean seconds of each task and method, over folds."""
    sums = collections.defaultdict(list)
    for line in lines:
        sums[line["task"], line["method"]].append(line["seconds"])
    tasks = [t for t in published.tasks if (t, "GBNN") in sums]
    return tasks, {key: float(np.mean(values)) for key, values in sums.items()}


def ratio(value, base):
    return f"{value / base:.2f}" if base > 0 else "-"


def times_page(tasks, seconds, published):
    methods = GBNNS + PEERS[:-1]
    rows = []
    for task in tasks:
        base = seconds[task, "GBNN"]
        row = [published.names[task], f"{base:.3f}"]
        for method in methods[1:]:
            paper = (published.get(task, method, "seconds") /
                     published.get(task, "GBNN", "seconds"))
            row.append(ratio(seconds.get((task, method), math.nan), base) +
                       ("" if math.isnan(paper) else f" ({paper:.2f})"))
        rows.append(row)
    means = ["geometric mean", ""]
    for method in methods[1:]:
        logs = [math.log(seconds[task, method] / seconds[task, "GBNN"])
                for task in tasks if (task, method) in seconds]
        means.append(f"{math.exp(np.mean(logs)):.2f}" if logs else "-")
    return page_table(["set", "GBNN, s", *methods[1:]], rows + [means])


def plan_text(line):
    if line["settings"] == 1:
        tuning = "none, the middle of each grid"
    else:
        grids = ("whole grids" if line["settings"] == ALL else
                 f"at most {line['settings']} settings a method")
        tuning = f"{grids}, {line['inner_used']} of {line['inner_folds']} folds"
        if line["points"] < ALL:
            tuning += f" of at most {line['points']} points"
    return tuning


def plan_page(plans, table):
    rows = []
    for line in sorted(plans, key=lambda line:
                       table.published.tasks.index(line["task"])):
        task = line["task"]
        rows.append([table.published.names[task],
                     f"{line['repeats']} × {line['folds']}",
                     str(len(table.folds.get(task, []))), plan_text(line)])
    return page_table(["set", "folds planned (paper: 5 × 10)", "done",
                       "tuning (paper: whole grids, 10 of 10 folds)"], rows)


def write_csv(path, rows):
    rows = list(rows)
    if not rows:
        return
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: f"{value:.6g}" if isinstance(value, float)
                             else value for key, value in row.items()})


def rank_rows(table):
    for gbnn in GBNNS:
        for kind, (ranks, counted, p, distance) in table.ranks(gbnn).items():
            for method, rank in ranks.items():
                yield {"gbnn": gbnn, "sets": kind, "method": method,
                       "rank": float(rank), "count": counted, "friedman_p": p,
                       "critical_difference": distance}


def wrap(text):
    return textwrap.wrap(text, 100)


def picture(page, folder, name, text):
    if (folder / "figures" / f"{name}.svg").exists():
        page += [f"![{name}](figures/{name}.svg)", "", *wrap(text), ""]


def report(folder, command):
    """Write all that there is something for; returns the page."""
    lines = read_lines(folder / "results.jsonl")
    published = Published()
    for name in ("tables", "figures"):
        (folder / name).mkdir(exist_ok=True)
    tables = folder / "tables"
    page = ["# The paper's tables and figures, measured here", "",
            *wrap(f"Written by `{command}`; [README](README.md) says what is "
                  "measured and how to read it."), ""]

    figures.figure2(folder)
    table = Table2(lines["table2"], published)
    if table.tasks:
        write_csv(tables / "table2.csv", table.rows())
        write_csv(tables / "ranks.csv", rank_rows(table))
        verdicts = collections.Counter(map(table.verdict, table.tasks))
        page += ["## Table 2", "", *wrap(
            "Accuracy in percent, or RMSE from Boston Housing on: mean ± "
            "standard deviation over folds, and in parentheses the paper's "
            "mean. The best mean is bold."), "", *table.page(), "", *wrap(
                "The paper's method exactly (GBNN) is better than the paper's "
                f"mean on {verdicts['better']} sets, within one of the "
                f"paper's deviations below it on {verdicts['within']}, and "
                f"worse on {verdicts['worse']}."), ""]
        for gbnn in reversed(GBNNS):
            figures.figure3(folder, gbnn, table.ranks(gbnn))
            page += [f"## Ranks: {gbnn} and its peers", "",
                     *table.rank_page(gbnn), ""]
            picture(page, folder, f"figure3_{gbnn}", "Average ranks "
                    "(Demšar's plots): methods that a line connects do not "
                    "differ clearly.")
    if lines["plan"]:
        page += ["## What the budget left of the paper's protocol", "",
                 *plan_page(lines["plan"], table), ""]
    picture(page, folder, "figure2", "Figure 2: probability of a class, "
            "two-dimensional ringnorm. Above, one GBNN cut at so many units; "
            "below, networks of that size.")
    if lines["figure4"]:
        write_csv(tables / "figure4.csv",
                  figures.figure4(folder, lines["figure4"], published.names))
        picture(page, folder, "figure4", "Figure 4: score against the number "
                "of units.")
    if lines["table3"]:
        tasks, seconds = times(lines["table3"], published)
        write_csv(tables / "table3.csv", (
            {"task": task, "method": method, "seconds": value,
             "published_seconds": published.get(task, method, "seconds")}
            for (task, method), value in seconds.items()))
        page += ["## Table 3: training times", "", *wrap(
            "Seconds of GBNN, and how many times as long the others take, "
            "measured one after the other in one run on one thread (processor "
            "time); in parentheses, the same ratio in the paper."), "",
                 *times_page(tasks, seconds, published), ""]
    if lines["figure5"]:
        write_csv(tables / "figure5.csv",
                  figures.figure5(folder, lines["figure5"], published.names))
        picture(page, folder, "figure5", "Figure 5: training time against the "
                "number of units; left, training ends early, right, after 200 "
                "epochs or iterations.")
    text = "\n".join(page).rstrip("\n") + "\n"
    (folder / "RESULTS.md").write_text(text)
    return text


if __name__ == "__main__":
    print(report(pathlib.Path(sys.argv[1]),
                 sys.argv[2] if len(sys.argv) > 2 else "scripts/paper"),
          end="")
