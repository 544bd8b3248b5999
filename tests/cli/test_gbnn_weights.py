"""Weights of classes, in mlpack_gbnn."""

import numpy as np
import pytest


def point_weights(truth, weights=None):
    """What 'balanced' means, point by point."""
    weights = np.ones(len(truth)) if weights is None else weights
    sums = {label: weights[truth == label].sum() for label in np.unique(truth)}
    mean = weights.sum() / len(sums)
    return np.array([mean / sums[label] for label in truth]) * weights


@pytest.mark.parametrize("task", ["binary", "multiclass"], indirect=True)
def test_balanced_is_these_weights_of_points(task):
    task.program.table("w.csv", point_weights(task.truth))
    weighted = task.predict(*task.train, "-w", "w.csv", "-M", "a.bin")
    balanced = task.predict(*task.train, "--class_weights", "balanced", "-M",
                            "b.bin")
    assert weighted == balanced != task.predict(*task.train)
    files = task.program.listing()
    assert files["a.bin"] == files["b.bin"]


@pytest.mark.parametrize("task", ["binary", "multiclass"], indirect=True)
def test_weights_of_classes_multiply_those_of_points(task):
    weights = np.arange(100) % 5 / 4  # Their sums are exact.
    task.program.table("w.csv", point_weights(task.truth, weights))
    expected = task.predict(*task.train, "-w", "w.csv")
    task.program.table("w.csv", weights)
    assert expected == task.predict(*task.train, "-w", "w.csv",
                                    "--class_weights", "balanced")


@pytest.mark.parametrize("task", ["binary", "multiclass"], indirect=True)
def test_given_weights(task):
    label = int(task.truth.min())
    task.program.table("w.csv", np.where(task.truth == label, 2.5, 1))
    expected = task.predict(*task.train, "-w", "w.csv")
    assert expected == task.predict(*task.train,
                                    f"--class_weights={label}:2.5")
    # The last column for the labels, and a warm start, know them, too.
    both = np.column_stack([task.points, task.truth])
    task.program.table("both.csv", both)
    assert expected == task.predict("-t", "both.csv", *task.size,
                                    f"--class_weights={label}:2.5")
    task.program.good(*task.train, "-M", "m.bin")
    warm = [*task.data, "-u", 6, "-m", "m.bin", "--warm_start"]
    assert task.predict(*warm, "-w", "w.csv") == \
        task.predict(*warm, f"--class_weights={label}:2.5") != \
        task.predict(*warm)


def test_recall_of_a_rare_class(gbnn):
    rng = np.random.default_rng(4)
    # A thousand points of the rare class to test on: of fifty, one is two percent.
    labels = (np.arange(21000) % 20 == 0) * 1
    points = rng.normal(size=(21000, 2))
    points[:, 0] += 1.5 * labels
    gbnn.table("x.csv", points[:1000])
    gbnn.table("y.csv", labels[:1000])
    gbnn.table("tx.csv", points[1000:])

    def recall(*options):
        gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 20, "-S", 1, "-T",
                  "tx.csv", "-p", "p.csv", *options)
        predicted = gbnn.numbers("p.csv").ravel()
        return predicted[labels[1000:] == 1].mean()

    assert recall() < 0.3
    assert recall("--class_weights", "balanced") > 0.6
    assert recall("--class_weights", "1:19") > 0.6


def test_a_label_with_a_comma(gbnn):
    words = ["yes", '"no, never"', '"no, never"']
    rows = [f"{i % 7},{words[i % 3]}" for i in range(60)]
    gbnn.write("d.csv", "x,y\n" + "\n".join(rows) + "\n")

    def share(weights):
        gbnn.good("-t", "d.csv", "--target", "y", "-u", 2, "-S", 1, "-T",
                  "d.csv", "-P", "p.csv", "--class_weights", weights)
        return gbnn.numbers("p.csv")[:, 0].mean()

    assert share('"no, never":9,yes:1') > share("yes:1") + 0.1
    assert "(a label with a comma in double quotes)" in gbnn.bad(
        "-t", "d.csv", "--target", "y", "--class_weights", "no, never:9")


@pytest.mark.parametrize("text, expected", [
    ("balance", "'balance' is not a label, a colon and a weight"),
    ("", "'' is not a label"),
    ("10", "'10' is not a label"),
    ("7:2", "'7' is none of the labels there are (-3, 10)"),
    ("10:0", "'0' of label 10 is not a number greater than 0"),
    ("10:-2", "'-2' of label 10"),
    ("10:nan", "'nan' of label 10"),
    ("10:1,10:2", "label 10 is given twice"),
])
def test_bad_weights(binary, text, expected):
    line = binary.program.bad(*binary.train, "--class_weights", text, "-M",
                              "m.bin")
    assert "--class_weights" in line and expected in line


def test_where_they_have_no_effect(regression):
    out = regression.program.good(*regression.train, "--class_weights",
                                  "balanced", "-M", "m.bin").out
    assert "'--class_weights' ignored because this is regression" in out
    out = regression.program.good("-m", "m.bin", "-T", "tx.csv", "-o", "o.csv",
                                  "--class_weights", "balanced").out
    assert "'--class_weights' ignored because" in out


@pytest.mark.parametrize("size", ["1e308", "1e304"])
def test_weights_too_large_for_sums(task, size):
    """They are to blame, not the data that they multiply."""
    task.program.write("w.csv", f"{size}\n" * 100)
    line = task.program.bad(*task.train, "--weights_file", "w.csv", "-M", "m.bin")
    assert "'--weights_file (-w)' make the sum of all weights" in line
    assert "must be at most 1e+305; divide them all by the same number" in line
    if not task.regression:
        label = task.program.read("y.csv").split()[0]
        assert "'--class_weights' make the sum" in task.program.bad(
            *task.train, f"--class_weights={label}:{size}", "-M", "m.bin")


@pytest.mark.parametrize("options", [[], ["--class_weights", "balanced"]])
def test_weights_that_leave_one_class(binary, options):
    binary.program.table("w.csv", (binary.truth == 10).astype(int))
    line = binary.program.bad(*binary.train, "--weights_file", "w.csv", *options, "-M",
                              "m.bin")
    assert ("'--labels_file (-l)' without the points of weight 0 has only one class "
            "('10')") in line
