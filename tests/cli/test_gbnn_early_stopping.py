"""Points that are held out decide how many units a model keeps."""

import re

import numpy as np
import pytest


def validation(task):
    """Options that give the test data for validation."""
    name = "responses" if task.regression else "labels"
    return ["--validation", "tx.csv", f"--validation_{name}", "ty.csv"]


def kept(result):
    text = re.search(r"Kept (\d+) of (\d+) units, with which the loss on the "
                     r"validation data is lowest \((\S+)\)\.", result.out)
    return int(text[1]), int(text[2]), float(text[3])


BOOST = ["--refine_iterations", 0, "-n", 0.5]


def test_validation_file_keeps_the_best(task):
    program = task.program
    train = [*task.data, "-u", 60, "-S", 7, *BOOST]
    result = program.good(*train, *validation(task), "--patience", 0, "-v",
                          "--training_losses", "l.csv", "-M", "m.bin")
    units, made, least = kept(result)
    losses = program.numbers("l.csv")
    assert losses.shape[1] == 3 and losses[-1, 0] == made == 60
    best = losses[:, 2].argmin()
    assert units == losses[best, 0]
    assert least == pytest.approx(losses[best, 2], rel=1e-4)
    # It is what training so many units makes.
    assert units > 0
    early = task.predict("-m", "m.bin")
    assert early == task.predict(*train, "-k", units)


def test_patience_ends_training(task):
    train = [*task.data, "-u", 200, "-S", 7, *BOOST]
    result = task.program.good(*train, *validation(task), "--patience", 3, "-v",
                               "--training_losses", "l.csv")
    units, made, _ = kept(result)
    assert units < made < 200
    losses = task.program.numbers("l.csv")
    assert losses[:, 2].argmin() == len(losses) - 4


def test_fraction_of_the_training_data(task):
    program = task.program
    options = [*task.train, "--validation_fraction", 0.3, "-v",
               "--training_losses", "l.csv", "--report", "r.html"]
    units, made, _ = kept(program.good(*options, "-M", "m.bin"))
    assert 0 < units <= made == task.units
    losses = program.numbers("l.csv")
    assert losses.shape[1] == 3
    assert "On the validation data, by which training was stopped" in \
        program.read("r.html")
    # Again the same bits, and another seed holds out others.
    first = program.read("l.csv")
    program.good(*options)
    assert program.read("l.csv") == first
    program.good(*[8 if option == 7 else option for option in options])
    assert program.read("l.csv") != first


def test_labels_in_the_last_column(binary):
    program = binary.program
    program.table("xy.csv", np.column_stack([binary.points, binary.truth]))
    program.table("txy.csv", np.column_stack([binary.test_points,
                                              binary.test_truth]))
    same = ["-u", 12, "-S", 7, "-v", *BOOST]
    program.good(*binary.data, *same, *validation(binary),
                 "--training_losses", "a.csv")
    result = program.good("-t", "xy.csv", "--validation", "txy.csv", *same,
                          "--training_losses", "b.csv")
    assert "Using the last column of '--validation_file' as labels." in result.out
    program.good("-t", "xy.csv", "--validation", "tx.csv",
                 "--validation_labels", "ty.csv", *same,
                 "--training_losses", "c.csv")
    assert program.read("a.csv") == program.read("b.csv") == program.read("c.csv")


def test_categories_and_missing_values(gbnn):
    rows = [["red", "green", "blue"][i % 3] + ",%d" % (i % 7) for i in range(90)]
    gbnn.write("x.csv", "\n".join(rows) + "\n")
    gbnn.table("y.csv", [(i % 3 == 0) * 1 for i in range(90)])
    gbnn.write("vx.csv", "blue,1\nred,\npurple,3\nred,2\n")
    gbnn.table("vy.csv", [0, 1, 0, 1])
    result = gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 10, "-S", 1, "-v",
                       "--validation", "vx.csv", "--validation_labels", "vy.csv")
    assert kept(result)[0] > 0


def test_warm_start_goes_on(binary):
    program = binary.program
    program.good(*binary.train, *BOOST, "-M", "m.bin")
    result = program.good(*binary.data, "-m", "m.bin", "--warm_start", "-u", 20,
                          *validation(binary), *BOOST, "-v")
    units, made, _ = kept(result)
    assert binary.units <= units <= made <= binary.units + 20


@pytest.mark.parametrize("options, texts", [
    (["--validation_fraction", 1], ["validation_fraction", "less than 1"]),
    (["--validation_fraction", -0.5], ["validation_fraction", "(-0.5)"]),
    (["--validation_fraction", "nan"], ["validation_fraction"]),
    (["--validation_fraction", 0.001], ["of 100 points is 0"]),
    (["--validation_fraction", 0.5, "--validation", "tx.csv"],
     ["'--validation_file' or '--validation_fraction'"]),
    (["--patience", -1], ["patience must not be negative"]),
    (["--validation", "tx.csv"], ["needs '--validation_labels_file'"]),
    (["--validation", "ty.csv", "--validation_labels", "ty.csv"],
     ["'--validation_file' has 1 columns, but should have 3"]),
    (["--validation", "tx.csv", "--validation_labels", "y.csv"],
     ["'--validation_labels_file' has 100 entries", "40 points"]),
    (["--validation", "tx.csv", "--validation_labels", "other.csv"],
     ["Label 99 of point 1", "does not occur in training"]),
])
def test_errors(binary, options, texts):
    binary.program.table("other.csv", [99] * 40)
    line = binary.program.bad(*binary.train, *options, "-M", "m.bin")
    for text in texts:
        assert text in line


def test_errors_of_regression(regression):
    program = regression.program
    line = program.bad(*regression.train, "--validation", "tx.csv")
    assert "needs '--validation_responses_file'" in line
    program.table("two.csv", np.ones((40, 2)))
    line = program.bad(*regression.train, "--validation", "tx.csv",
                       "--validation_responses", "two.csv")
    assert "has 2 columns, but '--responses_file (-r)' has 1!" in line


@pytest.mark.parametrize("options, reason", [
    (["--patience", 3], "there is no validation data"),
    (["--validation_labels", "ty.csv"], "'--validation_file' is not specified"),
])
def test_what_is_ignored(binary, options, reason):
    result = binary.program.good(*binary.train, *options)
    assert f"ignored because {reason}" in result.out
