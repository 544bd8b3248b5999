"""experiments/wide: its folds, its files, its tables."""

import itertools
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy")
for module in ("pandas", "scipy", "sklearn"):
    pytest.importorskip(module)

FOLDER = pathlib.Path(__file__).parents[2] / "experiments" / "wide"
sys.path.insert(0, str(FOLDER))
import report  # noqa: E402
import ranks as common  # noqa: E402  (report has said where it is)
import tasks  # noqa: E402


def test_random_words_are_those_of_the_standard():
    words = tasks.random_words(5489)
    assert next(itertools.islice(words, 9999, None)) == 9981545732273789042


def test_folds_are_those_of_the_other_experiments():
    """The numbers are those of Folds() in data_sets.hpp."""
    y = np.arange(400) ** 2 % 3
    assert tasks.folds(y, False)[:12].tolist() == [4, 1, 5, 4, 3, 4, 6, 8, 8,
                                                   8, 5, 7]
    fold = tasks.folds(y, True)
    assert fold[:12].tolist() == [6, 7, 9, 3, 1, 5, 1, 0, 0, 4, 5, 1]
    for label in range(2):
        counts = np.bincount(fold[y == label], minlength=10)
        assert counts.max() - counts.min() <= 1


def test_folds_of_other_shuffles(tmp_path):
    (tmp_path / "some.csv").write_text("x,y\n" + "".join(
        f"{i},{i % 7}\n" for i in range(50)))
    task = tasks.Task("some", tmp_path / "some.csv", True, "wide")
    task.load()
    held_out = []
    for fold in range(30):
        train, test = task.split(fold, 1000)
        assert sorted([*train, *test]) == list(range(50))
        held_out.append(test.tolist())
    for shuffle in range(3):
        ten = held_out[10 * shuffle:][:10]
        assert sorted(sum(ten, [])) == list(range(50))
    assert held_out[:10] != held_out[10:20] != held_out[20:]


def test_a_folder_of_its_own(tmp_path):
    """With an info.json of its own, a folder has these sets and no others."""
    make_data(tmp_path)
    found, missing = tasks.find(tmp_path)
    assert [task.name for task in found] == ["paint", "product"]
    assert "australian" in missing
    found, missing = tasks.find(tmp_path / "wide")
    assert [task.name for task in found] == ["paint", "product"]
    assert missing == []


@pytest.mark.skipif(not shutil.which("Rscript"), reason="needs R")
def test_sets_of_r(tmp_path):
    fresh = FOLDER.parent / "fresh"
    # These come with R itself.
    names = ["quakes", "attenu"]
    subprocess.run(["Rscript", fresh / "sets.R", tmp_path, *names], check=True,
                   timeout=60)
    found, missing = tasks.find(tmp_path)
    assert [task.name for task in found] == names and missing == []
    quakes, attenu = found
    quakes.load()
    assert quakes.regression and quakes.table.shape == (1000, 4)
    assert quakes.y[:3].tolist() == [41, 15, 43]
    attenu.load()
    assert attenu.words == ["station"] and attenu.table.shape == (182, 4)
    assert attenu.table.station.isna().sum() == 16
    # Every set has a package, a column to predict, and a kind.
    lines = (fresh / "sets.csv").read_text().splitlines()
    sets = [line.split(",") for line in lines[1:]]
    assert len({name for _, name, *_ in sets}) == len(sets) > 80
    assert {kind for *_, kind, _ in sets} == {"classification", "regression"}


def test_ranks_and_duels():
    def line(task, method, score, regression):
        return {"task": task, "fold": 0, "method": method, "program": "",
                "regression": regression, "score": score}
    lines = [line("a", "x", .9, False), line("a", "y", .8, False),
             line("b", "x", 4.0, True), line("b", "y", 2.0, True),
             line("c", "x", .5, False), line("c", "y", .5, False),
             # Not finished is worse than anything.
             {**line("d", "x", 0, True), "failed": "over 1 s"},
             line("d", "y", 9.0, True)]
    del lines[6]["score"]
    kinds = {entry["task"]: entry["regression"] for entry in lines}
    scores = common.Scores(report.newest(lines), kinds, 1)
    ranks, counted, _, _ = common.mean_ranks(scores, "abcd", ["x", "y"])
    assert counted == 4
    assert ranks == {"x": (1 + 2 + 1.5 + 2) / 4, "y": (2 + 1 + 1.5 + 1) / 4}
    count, points, percent = report.duel(scores, "abcd", "x", "y")
    assert count == [1, 2, 1]
    assert points == pytest.approx(5)
    assert percent == pytest.approx(100)


def test_critical_difference():
    """The values for 5 methods on 30 sets and 2 on 10 (Demsar, 2006)."""
    assert common.critical_difference(5, 30) == pytest.approx(
        2.728 * math.sqrt(5 * 6 / (6 * 30)), abs=1e-3)
    assert common.critical_difference(2, 10) == pytest.approx(
        1.960 * math.sqrt(2 * 3 / (6 * 10)), abs=1e-3)


def make_data(folder):
    """A set with words and missing cells, and one with numbers only."""
    random = np.random.RandomState(1)
    (folder / "wide").mkdir(parents=True)
    lines, numbers = ["size,color,target"], ["a,b,target"]
    for _ in range(120):
        size, color = random.rand(), "red green blue".split()[random.randint(3)]
        cell = "" if random.rand() < .1 else f"{size:.3f}"
        word = "" if random.rand() < .1 else color
        label = "yes" if (size > .5) == (color == "red") else "no"
        lines.append(f"{cell},{word},{label}")
        a, b = random.randn(2)
        numbers.append(f"{a:.4f},{b:.4f},{a * b:.4f}")
    (folder / "wide" / "paint.csv").write_text("\n".join(lines) + "\n")
    (folder / "wide" / "product.csv").write_text("\n".join(numbers) + "\n")
    (folder / "wide" / "info.json").write_text(json.dumps(
        {"paint": {"task": "classification"},
         "product": {"task": "regression"}}))


@pytest.mark.skipif("MLPACK_GBNN" not in os.environ, reason="needs a program")
def test_a_run_is_continued_and_reported(tmp_path):
    make_data(tmp_path / "data")
    results = tmp_path / "results.jsonl"

    def run(*options):
        return subprocess.run(
            [FOLDER / "run", "--data", tmp_path / "data", "--results", results,
             "--folds", "2", "--build", tmp_path, "--gbnn", "small=" +
             os.environ["MLPACK_GBNN"] + ",--hidden_units 9", *options],
            capture_output=True, text=True, timeout=300,
            env={**os.environ, "GBNN_PYTHON": sys.executable})
    first = run("--methods", "small", "ExtraTrees", "--tasks", "paint")
    assert first.returncode == 0, first.stderr
    kept = results.read_text()
    assert len(kept.splitlines()) == 4
    second = run("--methods", "small", "ExtraTrees", "HistGradientBoosting")
    assert second.returncode == 0, second.stderr
    # Nothing is done again; what a run that was ended left is ignored.
    assert results.read_text().startswith(kept)
    assert len(results.read_text().splitlines()) == 12
    results.write_text(results.read_text() + '{"task": "pai')
    page = run("--only-report").stdout
    assert page == second.stdout
    assert page == (tmp_path / "RESULTS.md").read_text()
    # A page of more folds stays.
    assert "stays as it is" in run("--only-report", "--folds", "1").stderr
    assert page == (tmp_path / "RESULTS.md").read_text()
    third = run("--methods", "small", "MLP", "--tasks", "product")
    assert third.returncode == 0, third.stderr
    assert len(results.read_text().splitlines()) == 15
    assert "| MLP |" in third.stdout
    assert "| **small** |" in page and "critical difference" in page
    scores = [json.loads(line) for line in kept.splitlines()]
    assert all(.3 < line["score"] <= 1 for line in scores)
    slow = run("--methods", "slow", "--tasks", "product", "--limit", "1",
               "--gbnn", "slow=" + os.environ["MLPACK_GBNN"] +
               ",--hidden_units 1000000")
    assert slow.returncode == 0, slow.stderr
    assert results.read_text().count("over 1 s") == 2
    assert "| slow |" in slow.stdout
    assert run("--methods", "nothing").returncode != 0
