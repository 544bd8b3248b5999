"""mlpack_deep_gbnn trains, saves, loads and predicts as it says."""

import json
import re

import numpy as np
import pytest

from conftest import KINDS, Task, unsealed

SMALL = ["--layers", "12,8,6", "-E", 20, "--trunk_step_size", 0.01, "-u", 20,
         "-S", 7]
# The head has the trunk's last layer, and 20 units more.
UNITS = 26


def small(**other):
    """These options, some of them with other values."""
    options = dict(zip(SMALL[::2], SMALL[1::2]), **{f"-{k}": v for k, v in other.items()})
    return [part for pair in options.items() for part in pair]


@pytest.fixture(params=KINDS)
def task(deep_gbnn, request):
    task = Task(deep_gbnn, request.param)
    task.train = task.data + SMALL
    return task


def accuracies(out):
    """What the summary says: trunk, Deep-GBNN (accuracies, or errors)."""
    match = re.search(r"data: trunk ([0-9.]+), Deep-GBNN ([0-9.]+)", out)
    return float(match[1]), float(match[2])


def score(task, predicted):
    """The accuracy, or the root mean squared error."""
    if task.regression:
        return np.sqrt(np.mean((predicted - task.test_truth.reshape(
            predicted.shape)) ** 2))
    return np.mean(predicted.ravel() == task.test_truth)


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
    assert "target 'kind' (column 2): classification, 2 classes ('--task'" in out
    # The test file still has the target, so it is scored.
    assert accuracies(out)[1] > 0.8
    assert named.numbers("s.csv").shape == (UNITS + 1, 2)
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
    assert "is not a whole number" in named.bad(*train, "--target", "a", "--task",
                                                "classification")
    assert "has words" in named.bad(*train, "--target", "kind", "--task", "regression")
    named.write("few.csv", "b,a\n1,2\n")
    assert "has no column 'color'" in named.bad("-m", "m.bin", "-T", "few.csv")
    named.write("odd.csv", named.read("test.csv").replace("yes", "maybe"))
    assert "labels that did not occur in training ('maybe')" in named.good(
        "-m", "m.bin", "-T", "odd.csv").out


def test_task_of_a_numeric_target(named):
    out = named.good("-t", "train.csv", "--target", "a", *SMALL, "-T", "test.csv", "-o",
                     "o.csv").out
    assert "target 'a' (column 1): regression ('--task' overrides this)." in out
    assert "RMSE on the test data" in out and "R^2" in out and "MAE" in out
    assert named.numbers("o.csv").shape == (90, 1)


def test_reports_trunk_and_head_side_by_side(task):
    outputs = ["-o", "o.csv"] if task.regression else ["-p", "p.csv", "-P", "P.csv"]
    out = task.program.good(*task.train, "-T", "tx.csv", *task.known, *outputs, "-M",
                            "m.bin", "--staged_scores_file", "s.csv").out
    trunk, deep = accuracies(out)
    predicted = task.program.numbers("o.csv" if task.regression else "p.csv")
    assert deep == pytest.approx(score(task, predicted), abs=6e-5)
    staged = task.program.numbers("s.csv")
    assert staged.shape == (UNITS + 1, 2)
    assert staged[-1, 1] == pytest.approx(deep, abs=6e-5)
    # With the units that it began with, the head is the trunk.
    assert staged[6, 1] == pytest.approx(trunk, abs=6e-5)
    for words in (("RMSE", "R^2", "MAE") if task.regression else
                  ("log loss", "AUC", "calibration error", "confusion matrix")):
        assert words in out
    if not task.regression:
        labels = np.unique(task.truth)
        probabilities = task.program.numbers("P.csv")
        assert np.array_equal(labels[probabilities.argmax(axis=1)], predicted.ravel())
    # The saved model knows its trunk, too.
    again = task.program.good("-m", "m.bin", "-T", "tx.csv", *task.known).out
    assert accuracies(again) == (trunk, deep)


def test_compares_on_the_training_data_without_test_labels(task):
    out = task.program.good(*task.train).out
    assert "on the training data" in out
    trunk, deep = accuracies(out)
    if task.regression:
        assert deep < trunk < 2
    else:
        assert trunk > 0.6 and deep > 0.7


def test_training_that_is_not_saved_tells_how_to(task):
    out = task.program.good(*task.train).out
    assert f"trained {UNITS} hidden units on 100 points; on these points: " in out
    for words in (("RMSE", "R^2", "MAE") if task.regression else
                  ("accuracy", "log loss", "AUC", "calibration error")):
        assert words in out
    assert "The model is not saved; give '--output_model_file (-M)' to keep it." in out
    assert "not saved" not in task.program.good(*task.train, "-M", "m.bin").out


def test_active_units(task):
    everything = task.predict(*task.train, "-M", "m.bin")
    some = task.predict("-m", "m.bin", "-k", 5)
    assert some != everything
    task.program.good("-m", "m.bin", "-k", 5, "-M", "five.bin")
    assert task.predict("-m", "five.bin") == some
    assert task.predict("-m", "five.bin", "-k", UNITS) == everything
    assert f"at most the number of hidden units of the head ({UNITS})" in \
        task.program.bad("-m", "m.bin", "-k", UNITS + 1)


@pytest.mark.parametrize("weighted", [False, True])
def test_without_units_a_response_is_predicted_by_its_mean(deep_gbnn, weighted):
    task = Task(deep_gbnn, "regression of two")
    weights = 1 + np.arange(100) % 4 if weighted else np.ones(100)
    task.program.table("y.csv", task.truth + [1000, 0])
    task.program.table("w.csv", weights)
    mean = np.average(task.truth, axis=0, weights=weights) + [1000, 0]
    without = task.scores(*task.train, "--weights_file", "w.csv", "-k", 0)
    assert np.allclose(without, mean, rtol=1e-9, atol=1e-9)


# --- Where the head begins --------------------------------------------------

@pytest.mark.parametrize("options, first", [
    ([], 6), (["-A", "relu"], 6), (["-A", "logistic"], 0), (["-A", "tanh"], 0),
    (["-f", 1], 0)])
def test_head_begins_with_the_trunk_or_with_nothing(task, options, first):
    task.program.good(*task.train, *options, "-T", "tx.csv", *task.known, "-M", "m.json",
                      "--staged_scores_file", "s.csv")
    assert len(task.program.numbers("s.csv")) == first + 20 + 1
    head = json.loads(unsealed(task.program.read("m.json")))["model"]["head"]["gbnn"]
    assert head["lossUnits"][0] == first


def test_never_worse_than_the_trunk_on_validation_data(deep_gbnn):
    """Labels of pure noise: the trunk that learns nothing of use is left as it is."""
    rng = np.random.default_rng(5)
    for name in ("x.csv", "vx.csv"):
        deep_gbnn.table(name, rng.normal(size=(150, 4)))
    for name in ("y.csv", "vy.csv"):
        deep_gbnn.table(name, rng.integers(0, 3, 150))
    out = deep_gbnn.good("-t", "x.csv", "-l", "y.csv", *SMALL, "--validation_file", "vx.csv",
                         "--validation_labels_file", "vy.csv", "-n", 1, "-M", "m.json").out
    head = json.loads(unsealed(deep_gbnn.read("m.json")))["model"]["head"]["gbnn"]
    losses, units = head["validationLosses"], head["lossUnits"]
    kept = units[losses.index(min(losses))]
    assert kept < units[-1] and head["activeUnits"] == kept
    trunk, deep = accuracies(out)
    assert "on the validation data" in out
    if kept == 6:
        assert trunk == deep


# --- Early stopping, weights, refinement -------------------------------------

def test_validation_data_stops_the_head(task):
    truth = "--validation_responses_file" if task.regression else "--validation_labels_file"
    given = ["--validation_file", "tx.csv", truth, "ty.csv"]
    out = task.program.good(*task.data, *small(u=300), *given, "-n", 1, "--patience", 2,
                            "-v", "-M", "m.json").out
    head = json.loads(unsealed(task.program.read("m.json")))["model"]["head"]["gbnn"]
    losses, units = head["validationLosses"], head["lossUnits"]
    assert units[-1] < 306
    assert head["activeUnits"] == units[losses.index(min(losses))]
    assert "with which the loss on the validation data is lowest" in out
    # What it says is what the saved model has.
    again = task.program.good("-m", "m.json", "-T", "tx.csv", *task.known).out
    assert accuracies(again) == accuracies(out)


def test_held_out_points_are_held_out_of_the_trunk(task):
    fraction = ["--validation_fraction", 0.3]
    task.program.good(*task.train, *fraction, "-M", "m.json")
    held = json.loads(unsealed(task.program.read("m.json")))["model"]
    task.program.good(*task.train, "-M", "m.json")
    everything = json.loads(unsealed(task.program.read("m.json")))["model"]
    assert held["weights"] != everything["weights"]
    assert len(held["head"]["gbnn"]["validationLosses"]) > 1
    out = task.program.good(*task.train, *fraction).out
    assert "on 70 points" in out and "on the validation data" in out
    assert task.predict(*task.train, *fraction) == task.predict(*task.train, *fraction)


def test_a_rare_class_is_not_held_out(deep_gbnn):
    rng = np.random.default_rng(5)
    deep_gbnn.table("x.csv", rng.normal(size=(60, 2)))
    deep_gbnn.table("y.csv", [7] + [i % 2 for i in range(59)])
    for seed in range(1, 6):
        deep_gbnn.good("-t", "x.csv", "-l", "y.csv", *small(S=seed),
                       "--validation_fraction", 0.5, "-T", "x.csv", "-P", "P.csv")
        assert deep_gbnn.numbers("P.csv").shape == (60, 3)


def test_a_weight_of_zero_is_no_point(task):
    keep = np.arange(100) % 3 > 0
    task.program.table("w.csv", keep.astype(int))
    weighted = task.predict(*task.train, "--weights_file", "w.csv")
    task.program.table("x.csv", task.points[keep])
    task.program.table("y.csv", task.truth[keep])
    assert task.predict(*task.train) == weighted
    # So is a weight that all have.
    task.program.table("w.csv", np.full(keep.sum(), 0.25))
    scaled = task.scores(*task.train, "--weights_file", "w.csv")
    assert np.allclose(scaled, task.scores(*task.train), rtol=1e-6, atol=1e-6)


def test_weights_reach_trunk_and_head(task):
    def parts(*options):
        task.program.good(*task.train, *options, "-M", "m.json")
        model = json.loads(unsealed(task.program.read("m.json")))["model"]
        return json.dumps(model["weights"]), json.dumps(model["head"])

    task.program.table("w.csv", 1 + np.arange(100) % 4)
    plain, weighted = parts(), parts("--weights_file", "w.csv")
    assert plain[0] != weighted[0] and plain[1] != weighted[1]
    if not task.regression:
        balanced = parts("--class_weights", "balanced")
        assert plain[0] != balanced[0] and plain[1] != balanced[1]


def test_class_weights_move_predictions(deep_gbnn):
    task = Task(deep_gbnn, "binary", count=300)
    shares = [np.mean(task.scores(*task.data, *SMALL, "--class_weights", f"10:{w}")[:, 1])
              for w in (0.1, 1, 10)]
    assert shares == sorted(shares) and shares[2] > shares[0] + 0.1


def test_refinement(deep_gbnn):
    task = Task(deep_gbnn, "regression", count=500)
    train = [*task.data, *small(E=3), "-A", "tanh"]
    # The trunk has learned little, so there is something to refine.
    before = score(task, task.scores(*train))
    out = task.program.good(*train, "--refine_iterations", 200, "-v").out
    assert re.search("Refined all weights in [1-9][0-9]* iterations", out)
    assert score(task, task.scores(*train, "--refine_iterations", 200)) < before
    assert task.predict(*train, "--refine_iterations", 200) != task.predict(*train)


def test_refinement_that_validation_data_loses_by_is_not_kept(deep_gbnn):
    task = Task(deep_gbnn, "regression", count=500)
    train = [*task.data, *small(E=3), "-A", "tanh"]
    # What boosting predicts is the truth of the validation data, so all its units stay,
    # and refinement can only lose.
    task.program.table("ty.csv", task.scores(*train))
    train += ["--validation_file", "tx.csv", "--validation_responses_file", "ty.csv"]
    out = task.program.good(*train, "--refine_iterations", 200, "-v").out
    assert "Refined all weights" in out and "The validation data loses by that" in out
    assert task.predict(*train, "--refine_iterations", 200) == task.predict(*train)


@pytest.mark.parametrize("seed", [3, 16, 19])
def test_refinement_is_kept_by_the_weights_of_classes(deep_gbnn, seed):
    """Boosting stops by these on the validation data, too."""
    rng = np.random.default_rng(seed)
    points = {"x.csv": rng.normal(size=(500, 3)), "vx.csv": rng.normal(size=(150, 3))}
    for name, x in points.items():
        noise = 0.1 * rng.normal(size=len(x))
        truth = (x[:, 0] * x[:, 1] + noise > 0.8).astype(int)
        deep_gbnn.table(name, x)
        deep_gbnn.table(name.replace("x", "y"), truth)
    weights = np.where(truth == 1, 0.1, 1)

    def loss(*options):
        deep_gbnn.good("-t", "x.csv", "-l", "y.csv", *small(E=3, u=10, j=2), "-A", "tanh",
                       "--validation_file", "vx.csv", "--validation_labels_file",
                       "vy.csv", "--class_weights", "1:0.1", "-T", "vx.csv", "-P",
                       "P.csv", *options)
        of_truth = deep_gbnn.numbers("P.csv")[np.arange(len(truth)), truth]
        return -np.average(np.log(of_truth), weights=weights)

    assert loss("--refine_iterations", 200) <= loss() + 1e-9


def test_options_reach_trunk_and_head(task):
    base = task.predict(*task.train)
    for options in (["-f", 1], ["--trunk_optimizer", "sgd"],
                    ["--trunk_batch_size", 10], ["-O", "auto"], ["-O", "sgd"],
                    ["-O", "lbfgs", "-i", 5], ["-A", "tanh"], ["-j", 4],
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
    assert f"{UNITS} of {UNITS} units" in out


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
    (["--l2", -1], "l2 must be finite and not negative"),
    (["--trunk_batch_size", 0], "trunk_batch_size must be at least 1"),
    (["-u", 2, "-j", 3], "at most hidden_units (2)"),
    (["-n", 2], "learning_rate"),
    (["-O", "newton"], "unknown optimizer"),
    (["-i", -1], "max_iterations"),
    (["--max_feature_memory", -1], "max_feature_memory"),
    (["--max_feature_memory", 1e-6], "features of one point take"),
    (["-k", 300], "at most the number of hidden units of the head (26)"),
    (["-A", "tanh", "-k", 21], "at most the number of hidden units of the head (20)"),
    (["-S", -1], "seed must not be negative"),
    (["-m", "m.bin"], "either train a model or use one"),
    (["-T", "y.csv"], "has 1 columns, but"),
    (["-T", "tx.csv", "-L", "y.csv"], "has 100 entries, but"),
    (["-r", "y.csv"], "labels are for classification and responses for regression"),
    (["--task", "guess"], "labels are for classification"),
    (["--refine_iterations", -1], "refine_iterations must not be negative"),
    (["--validation_fraction", 1], "validation_fraction must be"),
    (["--validation_fraction", 0.001], "of 100 points is 0"),
    (["--patience", -1], "patience must not be negative"),
    (["--validation_file", "tx.csv"], "needs '--validation_labels_file'"),
    (["--weights_file", "ty.csv"], "has 40 entries, but"),
    (["--class_weights", "5:1"], "class_weights"),
    (["--trunk_optimizer", "sgd", "--trunk_step_size", 1e300], "diverged"),
])
def test_bad_options(deep_gbnn, options, text):
    task = Task(deep_gbnn, "multiclass")
    if "-m" in options:
        deep_gbnn.good(*task.data, *SMALL, "-M", "m.bin")
    others = [part for pair in zip(SMALL[::2], SMALL[1::2]) if pair[0] not in options
              for part in pair]
    assert text in deep_gbnn.bad(*task.data, *others, *options)


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


@pytest.mark.parametrize("options, message", [
    (["-w", "few.csv"], "has 2 entries, but"),
    (["-w", "none.csv"], "must not be negative, and not all 0"),
    (["-T", "tx.csv", "-R", "few.csv"], "has 2 entries, but"),
    (["-T", "tx.csv", "-R", "two.csv"], "has 2 columns, but"),
    (["--validation_file", "tx.csv", "--validation_responses_file", "few.csv"],
     "has 2 entries, but"),
    (["--validation_file", "few.csv", "--validation_responses_file", "few.csv"],
     "has 1 columns, but should have 3"),
])
def test_what_is_wrong_is_told_before_training(deep_gbnn, options, message):
    task = Task(deep_gbnn, "regression")
    deep_gbnn.table("few.csv", [1, 2])
    deep_gbnn.table("two.csv", np.ones((40, 2)))
    deep_gbnn.table("none.csv", np.zeros(100))
    # This would take hours.
    assert message in deep_gbnn.bad(*task.data, "-E", 10**8, *options)


def test_responses_that_are_no_numbers(deep_gbnn):
    task = Task(deep_gbnn, "regression")
    deep_gbnn.write("y.csv", "".join("\n" if i == 7 else "1\n" for i in range(100)))
    deep_gbnn.bad(*task.data, "-E", 10**8)


@pytest.mark.parametrize("kind", ["binary", "regression"])
def test_damaged_models_are_refused(deep_gbnn, kind):
    task = Task(deep_gbnn, kind)
    deep_gbnn.good(*task.data, *SMALL, "-M", "m.json")
    model = json.loads(unsealed(deep_gbnn.read("m.json")))
    places = [(["frozen"], 0), (["frozen"], 3), (["frozen"], 1),
              (["layers"], [12, 8]), (["layers"], [12, 8, 2**61]),
              (["layers"], [12, 8, 0]), (["layers"], [12, 8, 7]),
              (["layers"], []), (["weights", "n_rows"], 10),
              (["weights", "n_rows"], 2**40), (["weights", "elem"], "x"),
              (["regression"], kind == "binary")]
    if kind == "binary":
        places += [(["labels", "elem"], 99), (["labels", "n_cols"], 3)]
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


def test_head_has_all_classes_of_the_trunk(deep_gbnn):
    """Few points have features, and one class has one point."""
    rng = np.random.default_rng(1)
    kinds = ["rare"] + ["a", "b"] * 100
    deep_gbnn.write("x.csv", "".join(f"{rng.normal()},{rng.normal()},{k}\n" for k in kinds))
    deep_gbnn.good("-t", "x.csv", *SMALL, "--max_feature_memory", 0.002, "-M",
                   "m.bin")
    deep_gbnn.table("t.csv", rng.normal(size=(9, 2)))
    deep_gbnn.good("-m", "m.bin", "-T", "t.csv", "-P", "p.csv")
    assert deep_gbnn.numbers("p.csv").shape == (9, 3)
