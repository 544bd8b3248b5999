"""Files as people have them: a named target, and columns known by name."""

import numpy as np
import pytest

QUICK = ["-u", 9, "-S", 3, "--refine_iterations", 0, "--input_encoding",
         "linear"]
NAMES = ["size", "color", "weight", "age"]


class Files:
    """Tables of four columns and a target, with headers."""

    def __init__(self, program):
        rng = np.random.default_rng(8)
        self.program = program
        self.rows = []
        for i in range(200):
            size, weight, age = rng.normal(size=3).round(3)
            color = ["red", "green", "blue"][i % 3]
            value = size + (color == "red") + 0.1 * rng.normal()
            self.rows.append([size, color, weight, age, round(value, 3)])

    def write(self, name, order, rows, target=lambda value: value,
              header=True):
        """A file with the columns in this order; the target is `price`."""
        names = NAMES + ["price"]
        table = [[names[c] for c in order]] if header else []
        for row in rows:
            cells = row[:4] + [target(row[4])]
            table.append([str(cells[c]) for c in order])
        self.program.write(name, "".join(",".join(r) + "\n" for r in table))


@pytest.fixture
def files(gbnn):
    files = Files(gbnn)
    files.write("train.csv", range(5), files.rows[:150])
    files.write("test.csv", range(5), files.rows[150:])
    return files


def predicted(files, *options):
    files.program.good(*options, "-o", "o.csv")
    return files.program.read("o.csv")


def test_target_is_a_response(files):
    result = files.program.good("-t", "train.csv", "--target", "price", *QUICK,
                                "-T", "test.csv", "-M", "m.bin", "-o", "o.csv")
    assert result.out.startswith("target 'price' (column 5): regression")
    assert "RMSE" in result.out and "(50 points)" in result.out
    expected = files.program.read("o.csv")
    files.write("x.csv", range(4), files.rows[:150])
    files.write("y.csv", [4], files.rows[:150])
    files.write("tx.csv", range(4), files.rows[150:])
    assert predicted(files, "-t", "x.csv", "-r", "y.csv", *QUICK, "-T",
                     "tx.csv") == expected
    # By its number, and as the last column.
    for options in (["--target", "5"], ["--task", "regression"]):
        assert predicted(files, "-t", "train.csv", *options, *QUICK, "-T",
                         "test.csv") == expected


@pytest.mark.parametrize("target, kind", [
    (lambda v: "dear" if v > 0 else "cheap", "classification, 2 classes"),
    (lambda v: int(v > 0), "classification, 2 classes"),
    (lambda v: int(v > 0) + int(v > 1), "classification, 3 classes"),
    (lambda v: int(100 * v), "regression"),
    (lambda v: int(v > 0) / 2, "regression"),
], ids=str)
def test_task_follows_from_the_target(files, target, kind):
    files.write("train.csv", range(5), files.rows, target)
    out = files.program.good("-t", "train.csv", "--target", "price", *QUICK).out
    assert out.startswith(f"target 'price' (column 5): {kind}")


def test_task_overrides(files):
    files.write("train.csv", range(5), files.rows, lambda v: int(v > 0))
    out = files.program.good("-t", "train.csv", "--target", "price", "--task",
                             "regression", *QUICK).out
    assert out.splitlines()[0] == "target 'price' (column 5): regression."
    # A loss is one of responses.
    out = files.program.good("-t", "train.csv", "--target", "price", "--loss",
                             "poisson", *QUICK).out
    assert "regression" in out.splitlines()[0]
    assert "unknown task" in files.program.bad(
        "-t", "train.csv", "--target", "price", "--task", "rank", "-M", "m.bin")


def test_target_in_the_middle(files):
    expected = predicted(files, "-t", "train.csv", "--target", "price", *QUICK,
                         "-T", "test.csv")
    files.write("middle.csv", [0, 1, 4, 2, 3], files.rows[:150])
    assert predicted(files, "-t", "middle.csv", "--target", "price", *QUICK,
                     "-T", "test.csv") == expected
    assert predicted(files, "-t", "middle.csv", "--target", "3", *QUICK, "-T",
                     "test.csv") == expected
    # Without headers, columns are known by their places.
    files.write("a.csv", [0, 1, 4, 2, 3], files.rows[:150], header=False)
    for order in ([0, 1, 4, 2, 3], [0, 1, 2, 3]):
        files.write("b.csv", order, files.rows[150:], header=False)
        assert predicted(files, "-t", "a.csv", "--target", "3", *QUICK, "-T",
                         "b.csv") == expected


@pytest.mark.parametrize("order", [[4, 3, 2, 1, 0], [0, 1, 2, 3], [2, 0, 3, 1]])
def test_columns_of_test_files_are_matched(files, order):
    expected = predicted(files, "-t", "train.csv", "--target", "price", *QUICK,
                         "-T", "test.csv", "-M", "m.bin")
    files.write("other.csv", order, files.rows[150:])
    assert predicted(files, "-m", "m.bin", "-T", "other.csv") == expected
    assert predicted(files, "-t", "train.csv", "--target", "price", *QUICK,
                     "-T", "other.csv") == expected
    out = files.program.good("-m", "m.bin", "-T", "other.csv").out
    assert ("RMSE" in out) == (4 in order)


def test_validation_file_has_the_target(files):
    files.write("v.csv", [3, 4, 1, 0, 2], files.rows[150:])
    one = predicted(files, "-t", "train.csv", "--target", "price", *QUICK,
                    "--validation_file", "v.csv", "-T", "test.csv")
    two = predicted(files, "-t", "train.csv", "--target", "price", *QUICK,
                    "--validation_file", "test.csv", "-T", "test.csv")
    assert one == two
    files.write("v.csv", range(4), files.rows[150:])
    assert "with the target among them" in files.program.bad(
        "-t", "train.csv", "--target", "price", *QUICK, "--validation_file",
        "v.csv", "-M", "m.bin")


def test_more_and_missing_columns(files):
    program = files.program
    program.good("-t", "train.csv", "--target", "price", *QUICK, "-M", "m.bin",
                 "-T", "test.csv", "-o", "o.csv")
    lines = program.read("test.csv").splitlines()
    program.write("more.csv", "".join(
        f"{i if i else 'id'},{line}\n" for i, line in enumerate(lines)))
    result = program.run("-m", "m.bin", "-T", "more.csv", "-o", "o2.csv")
    assert result.code == 0
    assert "are ignored: 'id'" in result.out + result.err
    assert program.read("o.csv") == program.read("o2.csv")
    files.write("less.csv", [0, 1, 3, 4], files.rows[150:])
    line = program.bad("-m", "m.bin", "-T", "less.csv", "-o", "o2.csv")
    assert "has no column 'weight'" in line
    assert "'size', 'color', 'age'" in line


def test_test_file_without_values_of_the_target(files):
    expected = predicted(files, "-t", "train.csv", "--target", "price", *QUICK,
                         "-T", "test.csv", "-M", "m.bin")
    files.write("open.csv", range(5), files.rows[150:], lambda v: "?")
    assert predicted(files, "-m", "m.bin", "-T", "open.csv") == expected


def test_label_column_of_a_test_file_without_target(files):
    def label(value):
        return "dear" if value > 0 else "cheap"
    files.write("train.csv", range(5), files.rows[:150], label)
    files.write("test.csv", range(5), files.rows[150:], label)
    out = files.program.good("-t", "train.csv", *QUICK, "-T", "test.csv", "-p",
                             "p.csv", "-M", "m.bin").out
    assert "accuracy" in out and "dear" in out
    again = files.program.good("-m", "m.bin", "-T", "test.csv").out
    assert again == out


@pytest.mark.parametrize("options, expected", [
    (["--target", "prise"], "did you mean 'price'?"),
    (["--target", "prise"], "'size', 'color', 'weight', 'age', 'price'"),
    (["--target", "Price"], "did you mean 'price'?"),
    (["--target", "6"], "expected a number from 1 to 5"),
    (["--target", "0"], "expected a number from 1 to 5"),
    (["--target", ""], "is no column"),
    (["--target", "price", "-l", "y.csv"], "'--labels_file (-l)'"),
    (["--target", "price", "-r", "y.csv"], "'--responses_file (-r)'"),
    (["--target", "color", "--task", "regression"], "has words ('red')"),
    (["--target", "price", "--task", "classification"], "not a whole number"),
])
def test_targets_with_faults(files, options, expected):
    files.program.write("y.csv", "1\n" * 150)
    line = files.program.bad("-t", "train.csv", *options, "-M", "m.bin")
    assert expected in line


def test_suggestions_come_before_long_lists(gbnn):
    """The program cuts long errors."""
    names = [f"quite_a_long_name_{i}" for i in range(30)] + ["target"]
    gbnn.table("x.csv", [names] + [[i % 3] * 30 + [i % 2] for i in range(20)])
    assert "did you mean 'target'?" in gbnn.bad("-t", "x.csv", "--target",
                                                "tarket")
    gbnn.good("-t", "x.csv", "--target", "target", *QUICK, "-M", "m.bin")
    names[7] = "Quite_a_long_name_7"
    gbnn.table("y.csv", [names] + [[1] * 31])
    assert "did you mean 'Quite_a_long_name_7'?" in gbnn.bad("-m", "m.bin",
                                                             "-T", "y.csv")


def test_messages_are_short_and_plain(gbnn):
    """Names may be of any length, and have characters that a terminal obeys."""
    large, odd = "x" * 100000, "a\033[31mb"
    gbnn.table("t.csv", [[odd, large, "y"]] +
               [[i, i % 3, i % 2] for i in range(20)])
    line = gbnn.bad("-t", "t.csv", "--target", "z", "-M", "m.bin")
    assert "'a [31mb', '" + "x" * 60 + "...', 'y'" in line
    gbnn.good("-t", "t.csv", *QUICK, "-M", "m.bin")
    gbnn.table("u.csv", [["b", large[1:]], [1, 2]])
    assert "no column 'a [31mb'" in gbnn.bad("-m", "m.bin", "-T", "u.csv")
    gbnn.table("w.csv", [["a", "y"]] + [[i, odd] for i in range(20)])
    assert "only one class ('a [31mb')" in gbnn.bad("-t", "w.csv", "-M",
                                                    "n.bin")
    assert "has words ('a [31mb')" in gbnn.bad(
        "-t", "w.csv", "--target", "y", "--task", "regression", "-M", "n.bin")
    out = gbnn.good("-t", "t.csv", "--target", large, *QUICK, "-M", "m.bin").out
    assert "target '" + "x" * 60 + "...' (column 2)" in out


def test_names_with_faults(files):
    program = files.program
    text = program.read("train.csv")
    program.write("twice.csv", text.replace("age", "size", 1))
    line = program.bad("-t", "twice.csv", "--target", "price", "-M", "m.bin")
    assert "two columns called 'size' (1 and 4)" in line
    files.write("holes.csv", range(5), files.rows,
                lambda v: "" if v == files.rows[6][4] else v)
    line = program.bad("-t", "holes.csv", "--target", "price", "-M", "m.bin")
    assert "is missing in point 7" in line
    files.write("one.csv", range(5), files.rows, lambda v: "same")
    line = program.bad("-t", "one.csv", "--target", "price", "-M", "m.bin")
    assert "only one class ('same')" in line


def test_warm_start_matches_columns(files):
    """Other rows with the columns in another order are the same data."""
    program = files.program
    program.good("-t", "train.csv", "--target", "price", *QUICK, "-M",
                 "model.bin")
    files.write("turned.csv", [4, 2, 0, 3, 1], files.rows[:150])
    for name in ("train", "turned"):
        program.good("-t", f"{name}.csv", "--target", "price", *QUICK,
                     "--warm_start", "-m", "model.bin", "-T", "test.csv", "-o",
                     f"{name}_found.csv")
    assert (program.read("train_found.csv") ==
            program.read("turned_found.csv"))
    files.write("less.csv", [0, 1, 2, 4], files.rows[:150])
    assert "no column 'age'" in program.bad(
        "-t", "less.csv", "--target", "price", *QUICK, "--warm_start", "-m",
        "model.bin", "-M", "other.bin")


def test_responses_of_different_size(gbnn):
    """With the squared error they count alike; where the loss does not allow
    that, a warning says so."""
    gbnn.write("x.csv", "".join(f"{i * 7 % 40}\n" for i in range(40)))
    call = ["-t", "x.csv", "-r", "y.csv", "-u", 3, "--refine_iterations", 0,
            "-M", "m.bin"]
    warning = "Response 1 varies by 4, response 2 by 3000"
    for size in (1000, 50):
        gbnn.write("y.csv", "".join(f"{i % 5},{i % 4 * size}\n"
                                    for i in range(40)))
        huber = gbnn.good(*call, "--loss", "huber", "--huber_delta", 1).out
        assert (warning in huber) == (size == 1000)
        assert warning not in gbnn.good(*call).out

    found = {}
    for size in (1, 2 ** -12):
        gbnn.write("y.csv", "".join(f"{i % 5},{i * 3 % 7 * size!r}\n"
                                    for i in range(40)))
        gbnn.good(*call, "--seed", 3, "-T", "x.csv", "-o", "found.csv")
        found[size] = gbnn.numbers("found.csv")
    assert np.allclose(found[1], found[2 ** -12] * [1, 2 ** 12], rtol=1e-12)


def test_responses_that_look_like_labels(gbnn):
    gbnn.write("x.csv", "".join("%d,%d\n" % (i, i * i) for i in range(60)))
    out = gbnn.good("-t", "x.csv", "-u", 3, "-M", "m.bin").out
    assert "60 points have 60 different numbers in the last column" in out
    assert "if they are responses, add '--task' 'regression'" in out
    for task in ("regression", "classification"):
        assert "[WARN ]" not in gbnn.good("-t", "x.csv", "-u", 3, "--task", task, "-M", "m.bin").out


def test_names_count_the_target(gbnn):
    gbnn.write("x.csv", "".join("%d,%d,%d\n" % (i, i % 7, i % 2) for i in range(60)))
    line = gbnn.bad("-t", "x.csv", "--target", "c", "--column_names", "a,b")
    assert "has 2 names, but there are 3 columns, with the target!" in line


def test_a_class_too_rare_to_score(gbnn):
    gbnn.write("x.csv", "".join("%d,%s\n" % (i, "rare" if i == 50 else "common")
                                for i in range(100)))
    line = gbnn.bad("-t", "x.csv", "-u", 3, "-S", 1, "--cv", 5)
    assert "only one class ('common') to train on" in line and "--cv" in line


@pytest.mark.parametrize("output, option", [
    ("--importances_file", "--importance"), ("--partial_dependence_file", "--dependence"),
    ("--input_gradients_file", "--gradients"), ("--cv_scores_file", "--cv")])
def test_outputs_that_nothing_asks_for(gbnn, output, option):
    gbnn.write("x.csv", "".join("%d,%d\n" % (i, i % 2) for i in range(60)))
    out = gbnn.good("-t", "x.csv", "-u", 3, "-M", "m.bin", output, "o.csv").out
    assert output in out and "ignored because" in out and option in out
