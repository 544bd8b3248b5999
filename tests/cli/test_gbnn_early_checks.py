"""What is wrong is told before anything is trained."""

import re

import numpy as np
import pytest

# Training with these takes minutes: a test that waits for it times out.
LONG = ["-u", 2000, "-j", 1, "-O", "lbfgs", "-i", 2000, "-e", 0, "-S", 1,
        "--refine_iterations", 0, "--input_encoding", "linear"]


@pytest.fixture
def data(gbnn):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(3000, 20))
    names = ",".join(f"c{i}" for i in range(20))
    for name, rows in (("x.csv", x), ("tx.csv", x[:5])):
        gbnn.table(name, rows)
        gbnn.write(name, names + "\n" + gbnn.read(name))
    gbnn.table("y.csv", (x[:, 0] > 0).astype(int))
    gbnn.table("r.csv", x[:, :2])
    gbnn.table("ty.csv", [0, 1, 0, 1, 0])
    gbnn.table("tr.csv", x[:5, :2])
    gbnn.write("M.bin", "old")
    return gbnn


CLASSES = ["-t", "x.csv", "-l", "y.csv"]
NUMBERS = ["-t", "x.csv", "-r", "r.csv"]


@pytest.mark.parametrize("task, options, files, message", [
    (CLASSES, ["--dependence", "nothing"], {}, "'--dependence' 'nothing' is no column"),
    (CLASSES, ["--dependence", "c21"], {}, "did you mean"),
    (CLASSES, ["--dependence", "21"], {}, "a number from 1 to 20"),
    (CLASSES, ["-T", "tx.csv"], {"tx.csv": "word"},
     "column 'c3' of '--test_file (-T)' has text ('word'), but had only numbers"),
    (CLASSES, ["-T", "tx.csv"], {"tx.csv": "inf"}, "infinite value in column 'c3'"),
    (CLASSES, ["-T", "tx.csv", "-L", "ty.csv"], {"ty.csv": "0\n1\n\n1\n0\n"},
     "point 3 in '--test_labels_file (-L)' has no label"),
    (CLASSES, ["-T", "tx.csv", "-L", "ty.csv"], {"ty.csv": "0\n1\n.5\n1\n0\n"},
     "is not a whole number"),
    (CLASSES, ["-T", "tx.csv", "-L", "ty.csv"], {"ty.csv": "0\n1\n"}, "has 2 entries"),
    (CLASSES, ["--validation", "tx.csv", "--validation_labels", "ty.csv"],
     {"ty.csv": "0\n1\n2\n1\n0\n"}, "does not occur in training"),
    (CLASSES, ["--validation", "tx.csv", "--validation_labels", "ty.csv"],
     {"tx.csv": "word"}, "has text ('word')"),
    (CLASSES, ["--cv", 2, "--validation", "tx.csv", "--validation_labels", "ty.csv"],
     {"ty.csv": "0\n1\n"}, "has 2 entries"),
    (CLASSES, ["--cv", 2, "--tune", "--folds", 9999], {}, "must be at most the number"),
    (NUMBERS, ["-T", "tx.csv", "-R", "tr.csv"], {"tr.csv": "1\n2\n3\n4\n5\n"},
     "has 1 columns, but '--responses_file (-r)' has 2"),
    (NUMBERS, ["-T", "tx.csv", "-R", "tr.csv"],
     {"tr.csv": "1,2\n3,\n1,2\n1,2\n1,2\n"}, "missing or infinite value"),
    (NUMBERS, ["--validation", "tx.csv", "--validation_responses", "tr.csv"],
     {"tr.csv": "1,2\n"}, "has 1 entries"),
])
def test_checked_before_training(data, task, options, files, message):
    for name, text in files.items():
        if "\n" not in text:
            lines = [line.split(",") for line in data.read(name).splitlines()]
            lines[2][3] = text
            text = "\n".join(map(",".join, lines))
        data.write(name, text)
    assert message in data.bad(*task, *LONG, *options, "-M", "M.bin")
    assert data.read("M.bin") == "old"


def test_dependence_by_its_name(data):
    data.good(*CLASSES, "-u", 2, "--refine_iterations", 0, "--input_encoding",
              "linear", "--dependence", "c3", "--partial_dependence", "d.csv")
    assert data.numbers("d.csv").shape[1] == 3


# --- Headers ---------------------------------------------------------------

@pytest.fixture
def words(gbnn):
    """A model of words only, whose columns have names."""
    rows = [f"{a},{b},{'yes' if a == b else 'no'}" for a in "pqr" for b in "pqr"]
    gbnn.write("x.csv", "left,right,same\n" + "\n".join(3 * rows) + "\n")
    gbnn.good("-t", "x.csv", "--target", "same", "-u", 4, "-S", 1, "-M", "m.bin")
    return gbnn


@pytest.mark.parametrize("header", ["left,right", "right,left", "left,right,same",
                                    "right,more,left"])
def test_header_of_a_small_file_of_words(words, header):
    names = header.split(",")
    points = [{"left": a, "right": b, "same": "yes" if a == b else "no",
               "more": "z"} for a, b in ("pp", "pq", "qr", "rr", "qq")]
    words.write("tx.csv", header + "\n" + "".join(
        ",".join(p[name] for name in names) + "\n" for p in points))
    process = words.run("-m", "m.bin", "-T", "tx.csv", "-p", "p.csv")
    assert process.code == 0, process.err
    # Five lines are five predictions, in whatever order columns are.
    found = words.read("p.csv")
    assert len(found.split()) == 5
    words.write("tx.csv", "".join(p["left"] + "," + p["right"] + "\n" for p in points))
    words.good("-m", "m.bin", "-T", "tx.csv", "-p", "p.csv")
    assert words.read("p.csv") == found


def test_header_alone(words):
    words.write("tx.csv", "left,right\n")
    assert "'--test_file (-T)' has one line, of words only ('left', 'right'): a " \
        "header without points" in words.bad("-m", "m.bin", "-T", "tx.csv", "-p",
                                             "p.csv")
    # A point of words is none.
    words.write("tx.csv", "p,q\n")
    words.good("-m", "m.bin", "-T", "tx.csv", "-p", "p.csv")
    assert words.read("p.csv").split() == ["no"]


def test_header_alone_of_numbers(data):
    data.good(*CLASSES, "-u", 2, "-S", 1, "-M", "m.bin")
    data.write("tx.csv", data.read("tx.csv").split("\n")[0] + "\n")
    assert "a header without points" in data.bad("-m", "m.bin", "-T", "tx.csv", "-p",
                                                 "p.csv")


def test_blank_line_in_a_test_file_of_one_column(gbnn):
    gbnn.table("x.csv", list(range(40)))
    gbnn.table("y.csv", [int(i > 20) for i in range(40)])
    gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 4, "-S", 1, "-M", "m.bin")
    gbnn.write("tx.csv", "1\n\n39\n2\n")
    gbnn.good("-m", "m.bin", "-T", "tx.csv", "-p", "p.csv")
    found = gbnn.read("p.csv").split()
    assert len(found) == 4 and [found[0], found[2], found[3]] == ["0", "1", "0"]


# --- Messages --------------------------------------------------------------

@pytest.mark.parametrize("option, value", [("--l2", "inf"), ("--tolerance", "inf"),
                                           ("--step_size", "inf"), ("--l2", "nan")])
def test_infinite_options(data, option, value):
    line = data.bad(*CLASSES, option, value)
    assert f"specified ({value}" in line and "must be finite and " in line


def test_no_accuracy_without_labels(deep_gbnn):
    rng = np.random.default_rng(3)
    deep_gbnn.table("x.csv", rng.normal(size=(40, 3)))
    deep_gbnn.table("y.csv", rng.integers(0, 2, 40))
    small = ["--layers", "4,4", "--trunk_epochs", 2, "-u", 2, "-S", 1]
    deep_gbnn.good("-t", "x.csv", "-l", "y.csv", *small, "-M", "m.bin")
    out = deep_gbnn.good("-m", "m.bin", "-T", "x.csv", "-p", "p.csv").out
    assert "accuracy" not in out
    out = deep_gbnn.good("-m", "m.bin", "-T", "x.csv", "-L", "y.csv").out
    assert re.search(r"^accuracy: [\d.]+$", out, re.M)


def test_bad_word_in_responses(data):
    lines = ["y", *map(str, range(3000))]
    lines[7] = "oops"
    data.write("r.csv", "\n".join(lines))
    assert "line 8, column 1: expected a number, but found 'oops'" in \
        data.bad(*NUMBERS)
