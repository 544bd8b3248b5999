"""mlpack_gbnn trains, saves, loads and predicts as it says."""

import re

import numpy as np
import pytest


FORMATS = ["bin", "json", "xml"]


@pytest.mark.parametrize("extension", FORMATS)
def test_saved_model_predicts_the_same_bits(task, extension):
    model = f"m.{extension}"
    trained = task.predict(*task.train, "-M", model)
    assert task.predict("-m", model) == trained
    # And from one format to another.
    for other in FORMATS:
        task.program.good("-m", model, "-M", f"other.{other}")
        assert task.predict("-m", f"other.{other}") == trained


def test_seed(task):
    def trained(*seed):
        return task.predict(*task.data, "-u", task.units, *seed)

    seven = trained("-S", 7)
    assert trained("-S", 7) == seven
    # Without a seed, it is the time's.
    assert len({seven, trained("-S", 8), trained(), trained("-S", 0)}) == 4


def test_predictions_fit_the_truth(task):
    right = []
    for seed in (7, 8, 9):
        task.predict(*task.data, "-S", seed, "-u", 60)
        if not task.regression:
            right.append(np.mean(task.program.numbers("p.csv").ravel() ==
                                 task.test_truth))
    if task.regression:
        truth = task.test_truth.reshape(len(task.test_points), -1)
        errors = task.program.numbers("o.csv") - truth
        assert np.all(np.var(errors, axis=0) < 0.8 * np.var(truth, axis=0))
        return
    predicted = task.program.numbers("p.csv").ravel()
    probabilities = task.program.numbers("P.csv")
    labels = np.unique(task.truth)
    # One seed is not enough to tell with 40 points.
    assert np.mean(right) > 0.75
    # Any integers are labels, and the predicted one is the most probable.
    assert set(predicted) <= set(labels)
    assert np.array_equal(labels[probabilities.argmax(axis=1)], predicted)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-12)


def test_active_units(task):
    everything = task.predict(*task.train, "-M", "m.bin")
    assert task.predict("-m", "m.bin", "-k", task.units) == everything
    assert task.predict("-m", "m.bin", "-k", -1) == everything
    some = task.predict("-m", "m.bin", "-k", 5)
    assert some != everything
    # As by the program that trains.
    assert task.predict(*task.train, "-k", 5) == some
    # The model that is saved then has only those on, and keeps the others.
    task.program.good("-m", "m.bin", "-k", 5, "-M", "five.json")
    assert task.predict("-m", "five.json") == some
    assert task.predict("-m", "five.json", "-k", task.units) == everything


def test_no_unit_gives_a_constant(task):
    scores = task.scores(*task.train, "-k", 0)
    assert np.all(scores == scores[0])
    if task.regression:
        np.testing.assert_allclose(
            scores[0], np.atleast_1d(task.truth.mean(axis=0)), rtol=1e-12)
    elif task.kind == "binary":
        np.testing.assert_allclose(
            scores[0], [np.mean(task.truth == -3), np.mean(task.truth == 10)],
            rtol=1e-12)


def test_staged_scores_are_those_of_active_units(task):
    # On so few points, a refined classifier may score the same with any units.
    task.program.good(*task.train, "--refine_iterations", 0,
                      "--input_encoding", "linear", "-M", "m.bin", "-T",
                      "tx.csv", *task.known, "--staged_scores_file", "s.csv")
    staged = task.program.numbers("s.csv")
    assert np.array_equal(staged[:, 0], np.arange(task.units + 1))
    assert len(set(staged[:, 1])) > 2
    truth = task.test_truth.reshape(len(task.test_points), -1)
    for k in range(task.units + 1):
        task.predict("-m", "m.bin", "-k", k)
        if task.regression:
            score = np.sqrt(np.mean((task.program.numbers("o.csv") - truth) ** 2))
        else:
            score = np.mean(task.program.numbers("p.csv") == truth)
        assert staged[k, 1] == pytest.approx(score, rel=1e-9)


@pytest.mark.parametrize("extension", FORMATS)
def test_warm_start_goes_on_as_if_never_stopped(task, extension):
    model = f"m.{extension}"
    boost = ["--refine_iterations", 0]
    # More units might choose other inputs.
    new = [*boost, "--input_encoding", "linear"]
    task.program.good(*task.train, *new, "-M", model)
    more = task.predict(*task.data, *boost, "--warm_start", "-m", model, "-u",
                        task.units, "-M", model)
    assert task.predict(*task.data, *new, "-u", 2 * task.units, "-S", 7) == more
    assert task.predict("-m", model) == more
    assert task.predict("-m", model, "-k", task.units) == \
        task.predict(*task.train, *new)


def test_refinement(large_task):
    task = large_task
    boost = ["--refine_iterations", 0]
    options = [*task.train, "-v", "-M", "m.bin"]
    boosted = task.program.good(*options, *boost).out
    assert "efine" not in boosted.replace("refine_iterations", "")
    assert re.search(r"Refined all weights in [1-9]\d* iterations\.",
                     task.program.good(*options).out)
    refined = task.predict("-m", "m.bin")
    assert refined == task.predict(*task.train)
    assert refined != task.predict(*task.train, *boost)
    # Units can be added to what was refined, which is there below them.
    grown = task.predict(*task.data, *boost, "--warm_start", "-m", "m.bin",
                         "-u", 3, "-M", "m.bin")
    assert grown != refined
    below = task.scores("-m", "m.bin", "-k", task.units)
    np.testing.assert_allclose(below, task.scores(*task.train), rtol=1e-9)
    assert "refine_iterations must not be negative" in task.program.bad(
        *task.train, "--refine_iterations", -1)


def test_refinement_that_does_not_help(binary):
    # What noise says of it is chance; some of these say that it does not.
    rng = np.random.default_rng(3)
    refused = 0
    for _ in range(8):
        binary.program.table("y.csv", rng.choice([10, -3], len(binary.truth)))
        out = binary.program.good(*binary.train, "-v", "-M", "m.bin").out
        if "Refinement does not help here" not in out:
            assert "Refined all weights in" in out
            continue
        refused += 1
        assert binary.predict("-m", "m.bin") == \
            binary.predict(*binary.train, "--refine_iterations", 0)
    assert refused > 0


def test_last_column_is_the_label(binary):
    binary.program.table("xy.csv", np.column_stack([binary.points, binary.truth]))
    expected = binary.predict(*binary.train)
    assert binary.predict("-t", "xy.csv", *binary.size) == expected
    # A header changes nothing.
    binary.program.write("xy.csv", "a,b,c,label\n" + binary.program.read("xy.csv"))
    assert binary.predict("-t", "xy.csv", *binary.size) == expected


@pytest.mark.parametrize("labels", [[0, 1], [1, 2], [-5, 9007199254740991],
                                    [-9007199254740991, 3]])
def test_labels_are_any_integers(binary, labels):
    truth = np.where(binary.truth > 0, labels[1], labels[0])
    binary.program.write("y.csv", "".join(f"{x}\n" for x in truth))
    scores = binary.scores(*binary.train)
    expected = [labels[int(row[1] > row[0])] for row in scores]
    assert list(map(int, binary.program.read("p.csv").split())) == expected


def test_weight_two_is_the_point_twice(task):
    rows = np.r_[np.arange(100), np.arange(0, 100, 3)]
    task.program.table("w.csv", np.bincount(rows))
    # Sums in another order differ in their last bits, which many iterations
    # would make visible.  Edges of bins are quantiles of points without weights.
    train = [*task.train, "-s", 1, "-O", "lbfgs", "-i", 10, "--refine_iterations", 0,
             "--input_encoding", "linear"]
    weighted = task.scores(*train, "-w", "w.csv")
    plain = task.scores(*train)
    task.program.table("x.csv", task.points[rows])
    task.program.table("y.csv", task.truth[rows])
    twice = task.scores(*train)
    assert np.abs(weighted - plain).max() > 1e-3 * np.abs(plain).max()
    np.testing.assert_allclose(weighted, twice, rtol=1e-6, atol=1e-6)


def test_weight_zero_is_no_point(task):
    weights = np.ones(100)
    weights[::4] = 0
    # What these points have counts for nothing at all.
    points, truth = task.points.copy(), task.truth.copy()
    points[::4] *= 1000
    if not task.regression:
        truth[::4] = 5
    task.program.table("x.csv", points)
    task.program.table("y.csv", truth)
    task.program.table("w.csv", weights)
    weighted = task.scores(*task.train, "-w", "w.csv")
    task.program.table("x.csv", points[weights > 0])
    task.program.table("y.csv", truth[weights > 0])
    np.testing.assert_allclose(weighted, task.scores(*task.train), rtol=1e-9)


@pytest.mark.parametrize("options", [
    ["-u", 9], ["-j", 2], ["-n", 0.3], ["-s", 0.5], ["-A", "tanh"],
    ["-A", "relu"], ["-O", "adam"], ["-O", "sgd"], ["-i", 3], ["-e", 0.1],
    ["--l2", 1], ["-S", 8], ["--no_scaling"],
    ["--input_encoding", "piecewise", "--bins", 5],
], ids=str)
def test_every_option_changes_the_model(task, options):
    base = {"-u": task.units, "-S": 7, "-O": "lbfgs"}
    base.pop(options[0], None)
    line = [*task.data, *(x for pair in base.items() for x in pair), *options]
    changed = task.predict(*line, "-M", "a.bin")
    assert changed != task.predict(*task.train, "-O", "lbfgs")
    # The same again gives the same file.
    task.program.good(*line, "-M", "b.bin")
    files = task.program.listing()
    assert files["a.bin"] == files["b.bin"]


@pytest.mark.parametrize("optimizer", ["adam", "sgd"])
@pytest.mark.parametrize("options", [["-a", 0.1], ["-b", 7], ["-i", 1], ["-e", 1]],
                         ids=str)
def test_options_of_stochastic_optimizers(binary, optimizer, options):
    line = [*binary.train, "-O", optimizer]
    assert binary.predict(*line, *options) != binary.predict(*line)
    assert binary.predict(*line, *options) == binary.predict(*line, *options)


def test_options_have_the_defaults_they_tell(binary):
    defaults = ["-j", 1, "-n", 0.1, "-s", 0.75, "-A", "logistic", "-i", 200,
                "-e", 2e-9, "-k", -1, "--input_encoding", "auto", "--bins", 0]
    assert binary.predict(*binary.train, *defaults) == binary.predict(*binary.train)


def test_units_per_stage_depends_on_the_task(task):
    units = 1 if task.kind == "binary" else 3
    assert task.predict(*task.train, "-j", units) == task.predict(*task.train)
    # The last stage takes what is left.
    task.program.good(*task.data, "-u", 7, "-j", 3, "-M", "m.json")
    ends = task.program.read("m.json").split('"stageEnds": [')[1].split("]")[0]
    assert [int(x) for x in ends.split(",")] == [3, 6, 7]


def test_options_without_effect_are_told(binary):
    program = binary.program
    program.good(*binary.train, "-M", "m.bin")
    out = program.good("-m", "m.bin", "-T", "tx.csv", "-u", 5, "-o", "o.csv").out
    assert "[WARN ] '--hidden_units (-u)' ignored" in out
    assert "'--output_predictions_file (-o)' ignored because the model is for " \
        "classification" in out
    assert "o.csv" not in program.listing()
    out = program.good("-m", "m.bin", "-T", "tx.csv", "-R", "ty.csv").out
    assert "'--test_responses_file (-R)' ignored because the model is for " in out
    out = program.good(*binary.train, "-O", "lbfgs", "-a", 0.5).out
    assert "'--step_size (-a)' ignored" in out
