"""mlpack_deep_gbnn trains, saves, loads and predicts as it says."""

import json
import re

import numpy as np
import pytest

from conftest import Task, unsealed

SMALL = ["--layers", "12,8,6", "-E", 20, "--trunk_step_size", 0.01, "-u", 20,
         "-S", 7]


@pytest.fixture(params=["binary", "multiclass"])
def task(deep_gbnn, request):
    task = Task(deep_gbnn, request.param)
    task.train = task.data + SMALL
    return task


def accuracies(out):
    """What the summary says: trunk, Deep-GBNN."""
    match = re.search(r"data: trunk ([0-9.]+), Deep-GBNN ([0-9.]+)", out)
    return float(match[1]), float(match[2])


@pytest.mark.parametrize("extension", ["bin", "json", "xml"])
def test_saved_model_predicts_the_same_bits(task, extension):
    model = f"m.{extension}"
    trained = task.predict(*task.train, "-M", model)
    assert task.predict("-m", model) == trained


# Armadillo and BLAS give threads to large layers only.
@pytest.mark.parametrize("layers", ["12,8,6", "100,100,100", "9,700,5"])
def test_same_seed_same_bits_with_any_number_of_threads(task, layers):
    def result(seed):
        text = task.predict(*task.data, "--layers", layers, *SMALL[2:-1], seed,
                            "-M", "m.bin")
        return text, (task.program.folder / "m.bin").read_bytes()

    results = []
    for threads in (1, 2, 3, 4):
        task.program.command = ["env", f"OMP_NUM_THREADS={threads}",
                                f"OPENBLAS_NUM_THREADS={threads}"]
        results.append(result(7))
    assert all(other == results[0] for other in results)
    assert result(8)[0] != results[0][0]


def test_seed_reaches_trunk_and_head(task):
    def parts(*seed):
        task.program.good(*task.data, *SMALL[:-2], *seed, "-M", "m.json")
        model = json.loads(task.program.read("m.json"))["model"]
        return json.dumps(model["weights"]), json.dumps(model["head"])

    seven = parts("-S", 7)
    assert parts("-S", 7) == seven
    # Without a seed, it is the time's.
    all_parts = [seven, parts("-S", 8), parts(), parts("-S", 0)]
    assert [len(set(same)) for same in zip(*all_parts)] == [4, 4]


# --- A named target ---------------------------------------------------------

@pytest.fixture
def named(deep_gbnn):
    """A table with a header, its target in the middle, and other tests."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 90))
    kind = np.where(a + b > 0, "yes", "no, never")
    color = rng.choice(["red", "blue"], 90)
    cells = {"a": a, "kind": [f'"{k}"' for k in kind], "b": b, "color": color}

    def table(name, *columns):
        rows = zip(*(map(str, cells[c]) for c in columns))
        deep_gbnn.write(name, "".join(",".join(row) + "\n"
                                      for row in [columns, *rows]))

    table("train.csv", "a", "kind", "b", "color")
    table("test.csv", "color", "b", "a", "kind")
    table("points.csv", "b", "color", "a")
    deep_gbnn.kind = kind
    return deep_gbnn


def test_target_and_columns_by_name(named):
    out = named.good("-t", "train.csv", "--target", "kind", *SMALL, "-T",
                     "test.csv", "-p", "p.csv", "-P", "P.csv", "-M", "m.bin",
                     "--staged_scores_file", "s.csv").out
    assert "target 'kind' (column 2): classification, 2 classes." in out
    # The test file still has the target, so it is scored.
    assert accuracies(out)[1] > 0.8
    assert named.numbers("s.csv").shape == (21, 2)
    predicted = [word.strip('"') for word in named.read("p.csv").splitlines()]
    assert np.mean(np.array(predicted) == named.kind) > 0.8
    # The model knows columns and target; a number is as good as the name.
    for test, target in (("test.csv", []), ("points.csv", []),
                         ("test.csv", ["--target", "kind"])):
        out = named.good("-m", "m.bin", "-T", test, "-P", "Q.csv", *target).out
        assert named.read("Q.csv") == named.read("P.csv")
        assert ("Deep-GBNN" in out) == (test == "test.csv")
    named.good("-t", "train.csv", "--target", 2, *SMALL, "-T", "points.csv",
               "-P", "Q.csv")
    assert named.read("Q.csv") == named.read("P.csv")


def test_target_errors(named):
    train = ["-t", "train.csv", *SMALL]
    named.good(*train, "--target", "kind", "-M", "m.bin")
    assert "did you mean 'kind'?" in named.bad(*train, "--target", "Kid")
    assert "the target is a column of the data" in named.bad(
        *train, "--target", "kind", "-l", "points.csv")
    assert "is not a whole number" in named.bad(*train, "--target", "a")
    named.write("few.csv", "b,a\n1,2\n")
    assert "has no column 'color'" in named.bad("-m", "m.bin", "-T", "few.csv")
    named.write("odd.csv", named.read("test.csv").replace("yes", "maybe"))
    assert "labels that did not occur in training ('maybe')" in named.good(
        "-m", "m.bin", "-T", "odd.csv").out


def test_reports_trunk_and_head_side_by_side(task):
    out = task.program.good(*task.train, "-T", "tx.csv", "-L", "ty.csv",
                            "-p", "p.csv", "-P", "P.csv", "-M", "m.bin",
                            "--staged_scores_file", "s.csv").out
    trunk, deep = accuracies(out)
    predicted = task.program.numbers("p.csv").ravel()
    assert deep == round(np.mean(predicted == task.test_truth), 4)
    labels = np.unique(task.truth)
    probabilities = task.program.numbers("P.csv")
    assert np.array_equal(labels[probabilities.argmax(axis=1)], predicted)
    staged = task.program.numbers("s.csv")
    assert staged.shape == (21, 2)
    assert round(staged[-1, 1], 4) == deep
    # The saved model knows its trunk, too.
    again = task.program.good("-m", "m.bin", "-T", "tx.csv", "-L", "ty.csv").out
    assert accuracies(again) == (trunk, deep)


def test_compares_on_the_training_data_without_test_labels(task):
    out = task.program.good(*task.train).out
    assert "on the training data" in out
    trunk, deep = accuracies(out)
    assert trunk > 0.6 and deep > 0.7


def test_active_units(task):
    everything = task.predict(*task.train, "-M", "m.bin")
    some = task.predict("-m", "m.bin", "-k", 5)
    assert some != everything
    task.program.good("-m", "m.bin", "-k", 5, "-M", "five.bin")
    assert task.predict("-m", "five.bin") == some
    assert task.predict("-m", "five.bin", "-k", 20) == everything
    assert "at most the number of hidden units of the head (20)" in \
        task.program.bad("-m", "m.bin", "-k", 21)


def test_options_reach_trunk_and_head(task):
    base = task.predict(*task.train)
    for options in (["-f", 1], ["--trunk_optimizer", "sgd"],
                    ["--trunk_batch_size", 10], ["-O", "auto"], ["-O", "sgd"],
                    ["-O", "lbfgs", "-i", 5], ["-A", "relu"], ["-j", 4],
                    ["-n", 0.5], ["-s", 1], ["--l2", 1], ["--no_scaling"],
                    ["--max_feature_memory", 0.002]):
        assert task.predict(*task.train, *options) != base, options


def test_memory_for_features_is_bounded(task):
    out = task.program.good(*task.train, "--max_feature_memory", 0.002).out
    # Eight features of eight bytes: 31 points in 2000 bytes.
    assert "the head is trained on 31 points" in out


def test_verbose_tells_how_far_it_is(task):
    out = task.program.good(*task.train, "-v").out
    assert "Trunk: 20 of 20 epochs" in out
    assert "Head: 20 of 20 units" in out


def test_tables_with_categories_and_holes(deep_gbnn):
    rng = np.random.default_rng(3)
    rows = []
    for _ in range(80):
        color, x = rng.choice(["red", "green", "blue"]), rng.normal()
        label = int(x > 0) + 2 * (color == "red")
        rows.append([color if rng.random() > 0.1 else "",
                     x if rng.random() > 0.1 else "", label])
    deep_gbnn.table("x.csv", [[str(c) for c in row] for row in rows])
    deep_gbnn.table("tx.csv", [["red", "1.5"], ["blue", "-1"], ["pink", ""]])
    deep_gbnn.good("-t", "x.csv", *SMALL, "-M", "m.json")
    deep_gbnn.good("-m", "m.json", "-T", "tx.csv", "-p", "p.csv")
    assert deep_gbnn.numbers("p.csv").ravel()[:2].tolist() == [3, 0]


@pytest.mark.parametrize("options, text", [
    (["--layers", "5"], "needs at least two"),
    (["--layers", "5,0"], "must have at least 1 unit, not 0"),
    (["--layers", "5,5", "-f", 2], "leave out at least the last of the 2"),
    (["-f", 3], "leave out at least the last of the 3"),
    (["-E", 0], "trunk_epochs must be at least 1"),
    (["--trunk_optimizer", "lbfgs"], "unknown optimizer"),
    (["--trunk_step_size", 0], "trunk_step_size must be greater than 0"),
    (["--trunk_batch_size", 0], "trunk_batch_size must be at least 1"),
    (["-u", 2, "-j", 3], "at most hidden_units (2)"),
    (["-n", 2], "learning_rate"),
    (["-O", "newton"], "unknown optimizer"),
    (["-i", -1], "max_iterations"),
    (["--max_feature_memory", -1], "max_feature_memory"),
    (["--max_feature_memory", 1e-6], "features of one point take"),
    (["-k", 300], "at most the number of hidden units of the head (20)"),
    (["-S", -1], "seed must not be negative"),
    (["-m", "m.bin"], "either train a model or use one"),
    (["-T", "y.csv"], "has 1 columns, but"),
    (["-T", "tx.csv", "-L", "y.csv"], "has 100 entries, but"),
    (["--trunk_optimizer", "sgd", "--trunk_step_size", 1e300], "diverged"),
])
def test_bad_options(deep_gbnn, options, text):
    task = Task(deep_gbnn, "multiclass")
    if "-m" in options:
        deep_gbnn.good(*task.data, *SMALL, "-M", "m.bin")
    small = [o for o in SMALL]
    for option in options[::2]:
        if option in small:
            place = small.index(option)
            del small[place:place + 2]
    assert text in deep_gbnn.bad(*task.data, *small, *options)


def test_bad_labels_and_data(deep_gbnn):
    task = Task(deep_gbnn, "binary")
    deep_gbnn.table("one.csv", [[1]] * 100)
    assert "only one class" in deep_gbnn.bad("-t", "x.csv", "-l", "one.csv")
    deep_gbnn.table("half.csv", [[0.5]] * 100)
    assert "not a whole number" in deep_gbnn.bad("-t", "x.csv", "-l",
                                                 "half.csv")
    deep_gbnn.good(*task.data, *SMALL, "-M", "m.bin")
    deep_gbnn.table("wide.csv", np.ones((3, 4)))
    assert "columns" in deep_gbnn.bad("-m", "m.bin", "-T", "wide.csv", "-p",
                                      "p.csv")


def damage(model, place, value):
    """A copy of a model with one part changed."""
    copy = json.loads(json.dumps(model))
    part = copy["model"]
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    return copy


def test_damaged_models_are_refused(deep_gbnn):
    task = Task(deep_gbnn, "binary")
    deep_gbnn.good(*task.data, *SMALL, "-M", "m.json")
    model = json.loads(unsealed(deep_gbnn.read("m.json")))
    places = [(["frozen"], 0), (["frozen"], 3), (["frozen"], 1),
              (["layers"], [12, 8]), (["layers"], [12, 8, 2**61]),
              (["layers"], [12, 8, 0]), (["layers"], [12, 8, 7]),
              (["layers"], []), (["weights", "n_rows"], 10),
              (["weights", "n_rows"], 2**40), (["weights", "elem"], "x"),
              (["labels", "elem"], 99), (["labels", "n_cols"], 3)]
    for place, value in places:
        deep_gbnn.write("bad.json", json.dumps(damage(model, place, value)))
        deep_gbnn.bad("-m", "bad.json", "-T", "tx.csv", "-p", "p.csv")
    # Cut off anywhere, a binary file is no model.
    deep_gbnn.good("-m", "m.json", "-M", "m.bin")
    data = (deep_gbnn.folder / "m.bin").read_bytes()
    for size in (0, 8, 100, len(data) // 2, len(data) - 1):
        deep_gbnn.write("bad.bin", data[:size])
        deep_gbnn.bad("-m", "bad.bin", "-T", "tx.csv", "-p", "p.csv")


def test_a_model_of_gbnn_is_none(deep_gbnn, gbnn):
    task = Task(gbnn, "binary")
    gbnn.good(*task.train, "-M", "m.bin")
    deep_gbnn.bad("-m", "m.bin", "-T", "tx.csv", "-p", "p.csv")
