"""Scores of what is trained, on points that are held out."""

import re

import numpy as np
import pytest

QUICK = ["-u", 9, "-S", 3, "--refine_iterations", 0, "--input_encoding",
         "linear"]


def scores(line):
    """The numbers of a line of scores by their names."""
    return {name.strip(): (float(mean), float(error or "nan"))
            for name, mean, error in re.findall(
                r"([A-Za-z^2 ]+) ([-\d.e]+)(?: \+- ([-\d.e]+))?(?:, |$)",
                line.split(": ", 1)[1].rstrip("."))}


def line_of(out, start):
    return next(line for line in out.splitlines() if line.startswith(start))


def test_cross_validation(task):
    out = task.program.good(*task.data, *QUICK, "--cv", 4, "--cv_scores_file",
                            "s.csv").out
    found = scores(line_of(out, "cross-validation, 4 folds: "))
    table = task.program.numbers("s.csv")
    names = ["RMSE", "MAE", "R^2"] if task.regression else \
        ["accuracy", "log loss", "AUC", "calibration error"]
    assert list(found) == names and table.shape == (4, len(names))
    for k, name in enumerate(names):
        error = np.std(table[:, k], ddof=1) / 2
        np.testing.assert_allclose(found[name], [table[:, k].mean(), error],
                                   rtol=2e-3)


def test_the_model_is_not_changed(task):
    plain = task.predict(*task.data, *QUICK)
    assert task.predict(*task.data, *QUICK, "--cv", 3) == plain
    assert task.predict(*task.data, *QUICK, "--holdout", 0.3) == plain


def test_a_fold_is_a_training_of_its_own(gbnn):
    """Scores by hand: accuracy of a model trained on the other points."""
    rng = np.random.default_rng(2)
    points = rng.normal(size=(60, 2))
    gbnn.table("x.csv", np.column_stack([points, points[:, 0] > 0]))
    line = line_of(gbnn.good("-t", "x.csv", *QUICK, "--holdout", 0.25).out,
                   "holdout of 15 of 60 points: ")
    assert scores(line)["accuracy"][0] * 15 == pytest.approx(
        round(scores(line)["accuracy"][0] * 15), abs=0.01)


def test_weights_count_in_training_and_score(gbnn):
    """Most points contradict those that weigh most."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=100)
    heavy = np.arange(100) % 5 < 2
    gbnn.table("w.csv", np.where(heavy, 100.0, 1.0))
    gbnn.table("c.csv", np.column_stack([x, (x > 0) == heavy]))
    gbnn.table("r.csv", np.column_stack([x, np.where(heavy, x, -x)]))

    def score(name, *options):
        out = gbnn.good("-t", name, "-w", "w.csv", *QUICK, *options).out
        return scores(next(line for line in out.splitlines()
                           if re.match("cross-val|holdout", line)))

    for how in (("--cv", 3), ("--holdout", 0.3)):
        assert score("c.csv", *how)["accuracy"][0] > 0.8
        # If the score ignored weights, it would be about 1.
        assert score("r.csv", "--task", "regression", *how)["RMSE"][0] < 0.85


def test_holdout_and_summary_without_files(task):
    out = task.program.good(*task.data, *QUICK, "--holdout", 0.2).out
    assert "holdout of 20 of 100 points: " in out
    assert "trained 9 hidden units on 100 points" in out
    assert "'--output_model_file (-M)'" in out
    quiet = task.program.good(*task.data, *QUICK, "-M", "m.bin").out
    assert quiet == ""


def test_summary_has_scores_of_probabilities(binary):
    out = binary.program.good(*binary.data, *QUICK, "-T", "tx.csv", "-L",
                              "ty.csv", "-P", "P.csv").out
    found = re.search(r"log loss ([\d.]+), AUC ([\d.]+), calibration error "
                      r"([\d.]+)", out)
    p = binary.program.numbers("P.csv")
    truth = (binary.test_truth == 10).astype(int)
    loss = -np.mean(np.log(p[np.arange(40), truth]))
    inside, outside = p[truth == 1, 1], p[truth == 0, 1]
    area = np.mean((inside[:, None] > outside) +
                   0.5 * (inside[:, None] == outside))
    top = p.max(axis=1)
    right = p.argmax(axis=1) == truth
    bins = np.minimum((top * 15).astype(int), 14)
    error = sum(abs(np.sum(top[bins == b] - right[bins == b]))
                for b in range(15)) / 40
    np.testing.assert_allclose([float(x) for x in found.groups()],
                               [loss, area, error], atol=6e-5)


def test_summary_has_the_mean_absolute_error(regression):
    out = regression.program.good(*regression.data, *QUICK, "-T", "tx.csv",
                                  "-R", "ty.csv", "-o", "o.csv").out
    error = np.mean(np.abs(regression.program.numbers("o.csv").ravel()
                           - regression.test_truth))
    assert float(re.search(r"MAE ([\d.e-]+)", out)[1]) == pytest.approx(
        error, rel=1e-5)


@pytest.mark.parametrize("options, expected", [
    (["--cv", 1], "at least 2 folds"),
    (["--cv", -3], "at least 2 folds"),
    (["--holdout", 1], "less than 1"),
    (["--holdout", -0.1], "greater than 0"),
    (["--cv", 3, "--holdout", 0.5], "'--cv' or '--holdout'"),
    (["--cv", 101], "at most the number of points (100)"),
    (["--holdout", 0.001], "leaves no point"),
    (["--cv", 3, "--warm_start", "-m", "m.bin"], "cannot go with"),
    (["--cv", 3, "--latency", 1], "how busy the machine is"),
])
def test_faults(binary, options, expected):
    binary.program.good(*binary.data, *QUICK, "-M", "m.bin")
    assert expected in binary.program.bad(*binary.data, *QUICK, *options, "-P",
                                          "P.csv")


def test_a_class_that_a_fold_lacks(gbnn):
    """One point of class a: the fold that holds it out has b and c only."""
    rng = np.random.default_rng(2)
    kinds = ["a"] + ["b", "c"] * 30

    def rows(kinds):
        return "".join(f"{rng.normal()},{rng.normal() + (k == 'c')},{k}\n" for k in kinds)

    gbnn.write("x.csv", rows(kinds))
    gbnn.write("v.csv", rows(["a", "b", "c", "c"] * 5))
    out = gbnn.good("-t", "x.csv", "--validation_file", "v.csv", "--cv", 5, "-u", 15,
                    "--class_weights", "a:1,b:1,c:50", "-S", 1).out
    assert "cross-validation, 5 folds" in out
