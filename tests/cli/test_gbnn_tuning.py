"""Hyperparameters chosen by cross-validation."""

import re

import numpy as np
import pytest

from test_gbnn_output import on_terminal

SMALL = ["--tune", "--tune_units_per_stage", "1,2", "--tune_learning_rates",
         "0.2,1", "--tune_subsamples", "0.6,1", "--folds", 3]
SCORES = ["--tuning_scores", "s.csv"]


def best_of(scores):
    assert scores[:, 6].sum() == 1
    return scores[scores[:, 6].argmax()]


def test_refit_is_training_with_the_best(task):
    tuned = task.predict(*task.train, *SMALL, *SCORES)
    per_stage, rate, subsample, units, *_ = best_of(
        task.program.numbers("s.csv")).tolist()
    direct = task.predict(*task.data, "-S", 7, "-u", int(units), "-j",
                          int(per_stage), "-n", repr(rate), "-s", repr(subsample))
    assert tuned == direct


def test_scores_of_the_lists(task):
    task.program.good(*task.train, *SMALL, *SCORES)
    scores = task.program.numbers("s.csv")
    assert [tuple(row) for row in scores[:, :3]] == [
        (j, rate, subsample) for j in (1, 2) for rate in (0.2, 1)
        for subsample in (0.6, 1)]
    chosen = min if task.regression else max
    assert best_of(scores)[4] == chosen(scores[:, 4])
    assert np.all((scores[:, 3] >= scores[:, 0]) & (scores[:, 3] <= task.units))
    assert np.all(scores[:, 3] % scores[:, 0] == 0)
    if not task.regression:
        assert np.all((scores[:, 4] > 0.4) & (scores[:, 4] <= 1))


def test_table(task):
    out = task.program.good(*task.train, *SMALL, *SCORES).out
    scores = task.program.numbers("s.csv")
    lines = out[out.index("tuning_table:"):].splitlines()[1:]
    assert lines[0] == ("(mean over 3 folds and its standard error; * is best)")
    assert lines[1].split() == [
        "units", "per", "stage", "learning", "rate", "subsample", "units",
        "RMSE" if task.regression else "accuracy", "std.", "error"]
    assert max(map(len, lines)) < 80
    for line, row in zip(lines[2:10], scores, strict=True):
        assert line.startswith("*") == (row[6] == 1)
        assert [float(x) for x in line.lstrip("*").split()] == pytest.approx(
            row[:6], rel=0.06)


@pytest.mark.parametrize("task, cells", [
    ("binary", 36), ("multiclass", 80), ("regression", 80)], indirect=["task"])
def test_grid_of_the_paper(task, cells):
    task.program.good(*task.data, "-S", 1, "-u", 4, "--tune", "--folds", 2,
                      *SCORES)
    scores = task.program.numbers("s.csv")
    assert len(scores) == cells
    rates = [0.1, 0.25, 0.5, 1] if cells == 36 else [0.025, 0.05, 0.1, 0.5, 1]
    assert sorted(set(scores[:, 1])) == rates
    assert set(scores[:, 0]) == ({1, 2, 3} if cells == 36 else {1, 2, 3, 4})
    assert 0.25 in scores[:, 2] or cells == 36


def test_values_that_are_given_are_not_tuned(binary):
    binary.program.good(*binary.train, "--tune", "--folds", 2, "-n", 0.3, "-s",
                        0.9, *SCORES)
    scores = binary.program.numbers("s.csv")
    assert set(scores[:, 1]) == {0.3} and set(scores[:, 2]) == {0.9}
    assert list(scores[:, 0]) == [1, 2, 3]
    binary.program.good(*binary.train, "--tune", "--folds", 2, "-n", 0.3, "-s",
                        0.9, "-j", 2, *SCORES)
    assert binary.program.numbers("s.csv").tolist()[0][:3] == [2, 0.3, 0.9]


def test_few_units(binary):
    """The paper's stages have no more units than there are."""
    binary.program.good(*binary.data, "-S", 1, "-u", 2, "--tune", "--folds", 2,
                        *SCORES)
    assert set(binary.program.numbers("s.csv")[:, 0]) == {1, 2}


def test_list_of_units(regression):
    regression.program.good(*regression.data, "-S", 1, *SMALL, "--tune_units",
                            "2,9,5", *SCORES)
    scores = regression.program.numbers("s.csv")
    assert set(scores[:4, 3]) <= {2, 5, 9}
    assert set(scores[4:, 3]) <= {2, 4, 9}


def test_seed_and_threads(task):
    results = set()
    for threads in (1, 2):
        task.program.command = ["env", f"OMP_NUM_THREADS={threads}"]
        results.add(task.predict(*task.train, *SMALL, *SCORES)
                    + task.program.read("s.csv"))
    assert len(results) == 1
    task.program.good(*task.data, "-u", task.units, "-S", 8, *SMALL,
                      "--tuning_scores", "s8.csv")
    assert task.program.read("s8.csv") != task.program.read("s.csv")


def test_points_without_weight_are_absent(regression):
    program = regression.program
    weights = np.ones(100)
    weights[60:] = 0
    program.table("w.csv", weights)
    program.good(*regression.train, *SMALL, *SCORES, "-w", "w.csv")
    with_weights = program.read("s.csv")
    program.table("x.csv", regression.points[:60])
    program.table("y.csv", regression.truth[:60])
    program.table("w.csv", weights[:60])
    program.good(*regression.train, *SMALL, *SCORES, "-w", "w.csv")
    assert program.read("s.csv") == with_weights


def test_refinement_follows(binary):
    plain = [*binary.train, *SMALL, *SCORES]
    boosted = binary.program.good(*plain, "-v", "--refine_iterations", 0).out
    scores = binary.program.read("s.csv")
    refined = binary.program.good(*plain, "-v").out
    assert binary.program.read("s.csv") == scores
    assert re.search(r"24 of 24 trainings(.|\n)*Refine", refined)
    assert "Refine" not in boosted


def test_other_optimizers(binary):
    for optimizer in ("lbfgs", "adam", "sgd"):
        binary.program.good(*binary.train, *SMALL, *SCORES, "-O", optimizer, "-i",
                            5)
        assert len(binary.program.numbers("s.csv")) == 8


def test_progress(binary):
    out = binary.program.good(*binary.train, *SMALL, "-v").out
    assert "[INFO ] Tuning: 8 combinations of hyperparameters, 24 trainings." in out
    told = re.findall(r"^\[INFO \] (\d+) of 24 trainings, \S+ s remaining\.$", out,
                      re.M)
    numbers = [int(x) for x in told]
    assert 3 <= len(numbers) <= 10
    assert numbers == sorted(numbers) and numbers[-1] == 24
    assert "\r" not in out
    # Then training goes on as usual.
    units = int(re.search(r"(\d+) of \1 units", out)[1])
    assert units <= 12


def test_progress_bar_on_a_terminal(binary):
    text = on_terminal(binary.program, *binary.train, *SMALL, "-v")
    bars = re.findall(r"\r\[(=*)( *)\] (\d+) of 24 trainings, \S+ s remaining",
                      text)
    assert len(bars) > 5
    assert {len(bar[0]) + len(bar[1]) for bar in bars} == {30}
    assert bars[-1][0] == 30 * "="
    assert re.search(r"24 of 24 trainings[^\r\n]*\r?\n", text)
    assert "trainings" not in on_terminal(binary.program, *binary.train, *SMALL)


@pytest.mark.parametrize("options, option, expected", [
    (["--folds", 1], "folds", "at least 2"),
    (["--folds", -3], "folds", "at least 2"),
    (["--folds", 101], "folds",
     "(101) must be at most the number of points (100)"),
    (["--tune_units_per_stage", "1,0"], "tune_units_per_stage",
     "has 0; expected whole numbers that are at least 1"),
    (["--tune_units_per_stage", "2,-1"], "tune_units_per_stage", "has -1"),
    (["--tune_units_per_stage", "1,13"], "tune_units_per_stage",
     "has 13, but must not have more than '--hidden_units (-u)' (12)"),
    (["--tune_units_per_stage", "1.5"], "tune_units_per_stage",
     "expected whole numbers"),
    (["--tune_learning_rates", "0.1,0"], "tune_learning_rates",
     "has '0' in '0.1,0'; expected numbers greater than 0 and at most 1"),
    (["--tune_learning_rates", "0.1,1.5"], "tune_learning_rates", "has '1.5'"),
    (["--tune_learning_rates", "-0.1"], "tune_learning_rates", "has '-0.1'"),
    (["--tune_learning_rates", "0.1;0.2"], "tune_learning_rates",
     "has '0.1;0.2'"),
    (["--tune_learning_rates", "0.1,,0.2"], "tune_learning_rates", "has ''"),
    (["--tune_learning_rates", "fast"], "tune_learning_rates", "has 'fast'"),
    (["--tune_learning_rates", "nan"], "tune_learning_rates", "has 'nan'"),
    (["--tune_subsamples", "0.5,2"], "tune_subsamples", "has '2'"),
    (["--tune_learning_rates", "0.1", "-n", 0.2], "learning_rate (-n)",
     "give one value or a list"),
    (["--tune_subsamples", "0.1", "-s", 0.2], "subsample (-s)",
     "give one value or a list"),
    (["--tune_units_per_stage", "1", "-j", 1], "units_per_stage (-j)",
     "give one value or a list"),
    (["--tune_units", "10,20"], "hidden_units (-u)",
     "give the maximum number of units or a list"),
    (["-k", 3], "active_units (-k)", "tuning chooses the number of units"),
    (["--validation_fraction", 0.2], "validation_fraction",
     "it needs no validation data"),
    (["--validation", "tx.csv", "--validation_labels", "ty.csv"],
     "validation_file", "it needs no validation data"),
], ids=str)
def test_bad_options(binary, options, option, expected):
    line = binary.program.bad(*binary.train, "--tune", *options, "-M", "m.bin")
    assert f"--{option}" in line and expected in line


@pytest.mark.parametrize("units, expected", [
    ("0,5", "has 0; expected whole numbers that are at least 1"),
    ("1,5", "'--tune_units_per_stage' has 2, but must not have more than "
     "'--tune_units' (1)"),
])
def test_bad_units(binary, units, expected):
    assert expected in binary.program.bad(*binary.data, *SMALL, "--tune_units",
                                          units)


def test_warm_start_cannot_be_tuned(binary):
    binary.program.good(*binary.train, "-M", "m.bin")
    line = binary.program.bad(*binary.data, "-m", "m.bin", "--warm_start",
                              "--tune")
    assert "--warm_start" in line and "trained from the start" in line


def test_ignored_options(binary):
    out = binary.program.good(*binary.train, *SMALL[1:], *SCORES, "--tune_units",
                              "3,4", "-M", "m.bin").out
    for name in ("tune_units_per_stage", "tune_learning_rates",
                 "tune_subsamples", "folds", "tune_units", "tuning_scores_file"):
        assert re.search(f"'--{name}' ignored because '--tune' is not specified",
                         out)
    out = binary.program.good("-m", "m.bin", "-T", "tx.csv", "-p", "p.csv",
                              "--tune").out
    assert "'--tune' ignored because '--training_file (-t)' is not specified" in out
