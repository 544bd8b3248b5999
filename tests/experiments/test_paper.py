"""scripts/paper: it measures, goes on where it was, and reports."""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy")
for module in ("scipy", "matplotlib"):
    pytest.importorskip(module)

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "experiments" / name)
                for name in ("paper", "common")]
import get_data  # noqa: E402
import ranks  # noqa: E402
METHODS = ["GBNN", "GBNN-refined", "GBNN-defaults", "Deep-NN", "NN-Adam",
           "NN-L-BFGS", "NN-SGD", "AdaBoost-NN"]


def make_data(folder):
    """Small sets with the names of the paper's: three classes that are easy to
    tell apart, and a response."""
    folder.mkdir()
    random = np.random.RandomState(1)
    labels = np.arange(60) % 3
    points = random.randn(60, 4) * .3 + np.eye(3, 4)[labels] * 3
    get_data.write_table(folder / "iris.csv", "abcd",
                         np.column_stack([points, labels]))
    points = random.randn(60, 3)
    get_data.write_table(folder / "boston.csv", "abc",
                         np.column_stack([points, points @ [1, 2, 3] + 20]))


def run(*options):
    return subprocess.run(
        [ROOT / "scripts" / "paper", *map(str, options)], text=True,
        capture_output=True, timeout=900,
        env={**os.environ, "GBNN_PYTHON": sys.executable})


def lines_of(output):
    return [json.loads(line) for line in
            (output / "results.jsonl").read_text().splitlines()]


@pytest.mark.skipif("PAPER_PROGRAM" not in os.environ,
                    reason="needs the program")
def test_a_run_is_continued_and_reported(tmp_path):
    make_data(tmp_path / "data")
    output = tmp_path / "output"
    options = ["--data", tmp_path / "data", "--output", output, "--threads",
               "1", "--program", os.environ["PAPER_PROGRAM"], "--budget"]
    first = run("table2", *options, "0.05", "iris", "boston")
    assert first.returncode == 0, first.stderr
    # What was reduced is said, in the output and in the results.
    plans = {line["task"]: line for line in lines_of(output)
             if line["what"] == "plan"}
    assert set(plans) == {"iris", "boston"}
    for task, plan in plans.items():
        assert f"  {task}: {plan['repeats']} x {plan['folds']} folds" in \
            first.stdout
        assert plan["repeats"] < 5

    # Ended while it wrote a line, it goes on; nothing is done twice.
    with open(output / "results.jsonl", "a") as file:
        file.write('{"what": "table2", "task": "ir')
    second = run("all", *options, "2")
    assert second.returncode == 0, second.stderr
    assert "banknote: no data, so skipped" in second.stderr
    kept = (output / "results.jsonl").read_text()
    keys = [line.split(', "score')[0] for line in kept.splitlines()
            if '"table2"' in line and '"score"' in line]
    assert len(keys) == len(set(keys)) == len(METHODS) * sum(
        plan["repeats"] * plan["folds"] for plan in plans.values())
    third = run("all", *options, "2")
    assert third.returncode == 0, third.stderr
    assert (output / "results.jsonl").read_text() == kept

    # Easy classes are told apart, also by methods of which little is known.
    with open(output / "tables" / "table2.csv", newline="") as file:
        table = {(row["task"], row["method"]): row
                 for row in csv.DictReader(file)}
    assert len(table) == 2 * len(METHODS)
    assert float(table["iris", "GBNN"]["published_mean"]) == 0.9573
    for method in ("GBNN", "GBNN-refined", "GBNN-defaults", "Deep-NN",
                   "NN-L-BFGS"):
        assert float(table["iris", method]["mean"]) > .9, method
        assert float(table["boston", method]["mean"]) < 3, method
    page = (output / "RESULTS.md").read_text()
    for title in ("Table 2", "Ranks: GBNN-defaults and its peers", "Table 3"):
        assert f"## {title}" in page
    pictures = re.findall(r"\((figures/.*\.svg)\)", page)
    assert len(pictures) == 4
    for picture in pictures:
        assert (output / picture).stat().st_size > 1000
        assert (output / picture).with_suffix(".png").exists()


def test_nemenyi():
    """A difference that is just the critical one has p = .05."""
    distance = ranks.critical_difference(6, 26)
    assert distance == pytest.approx(1.47, abs=.01)
    assert ranks.nemenyi(distance, 6, 26) == pytest.approx(.05)
    assert ranks.nemenyi(0, 6, 26) == pytest.approx(1)


def test_published_numbers():
    """What the paper says of its Table 2: how often each method is best."""
    with open(ROOT / "experiments" / "paper" / "published.csv") as file:
        rows = list(csv.DictReader(file))
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    assert len(tasks) == 26 and len(rows) == 26 * 6
    best = dict.fromkeys(METHODS, 0)
    for task in tasks:
        some = [row for row in rows if row["task"] == task]
        means = [float(row["mean"]) for row in some]
        top = min(means) if tasks.index(task) >= 19 else max(means)
        for row, mean in zip(some, means):
            best[row["method"]] += mean == top
    assert best["GBNN"] == 13 and best["Deep-NN"] == 5
    assert best["NN-Adam"] == 3 and best["NN-L-BFGS"] == 1


@pytest.mark.parametrize("name", ["tic_tac_toe", "iris", "wine"])
def test_data_that_is_made_is_the_known_one(tmp_path, name):
    if name != "tic_tac_toe":
        pytest.importorskip("sklearn")
    path = tmp_path / f"{name}.csv"
    get_data.write_table(path, *get_data.MAKERS[name]())
    assert get_data.check_table(path, name) == ("as it should be", True)
    path.write_text(path.read_text() + path.read_text().splitlines()[1] + "\n")
    assert not get_data.check_table(path, name)[1]
