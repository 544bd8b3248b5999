"""Data at the edge of what numbers can do, with every loss, solver and encoding: what is
predicted is finite, or the program says in one line why not."""

import itertools

import numpy as np
import pytest

LOSSES = ["two classes", "three classes", "squared", "absolute", "huber", "quantile",
          "poisson"]
SOLVERS = ["auto", "lbfgs", "adam", "sgd"]
ENCODINGS = ["linear", "piecewise", "auto"]
COUNT = 60


def base():
    """Points, and a number for each that says what is to be learned."""
    rng = np.random.default_rng(5)
    points = rng.normal(size=(COUNT, 3))
    return points, points[:, 0] * points[:, 1] + 0.1 * rng.normal(size=COUNT)


def constant_columns():
    points, truth = base()
    points[:, 0] = 1e9 / 3
    points[:, 1:] = 0
    return points, truth, None


def one_point():
    points, truth = base()
    return points[:1], truth[:1], None


def one_column():
    points, truth = base()
    return points[:, :1], truth, None


def duplicated_points():
    points, truth = base()
    return points[np.arange(COUNT) % 2], truth[np.arange(COUNT) % 2], None


def separable():
    points, truth = base()
    points[:, 0] = truth
    return points, truth, None


def tiny_numbers():
    points, truth = base()
    return points * 1e-12, truth * 1e-12, None


def large_numbers():
    points, truth = base()
    return points * 1e12, truth * 1e12, None


def largest_inputs():
    points, truth = base()
    points[:, 0] = np.where(points[:, 0] > 0, 1e308, -1e308)
    return points, truth, None


def largest_targets():
    points, truth = base()
    return points, np.where(truth > 0, 1e308, -1e308), None


def least_numbers():
    points, truth = base()
    return points * 5e-324, truth * 5e-324, None


def outlier():
    """One cell and one target far from all others."""
    points, truth = base()
    points[7, 1] = 1e300
    truth[7] = 1e150
    return points, truth, None


def one_weight():
    points, truth = base()
    weights = np.zeros(COUNT)
    weights[11] = 2.5
    return points, truth, weights


def steep_weights():
    points, truth = base()
    return points, truth, np.logspace(-300, 300, COUNT)


def unscaled():
    points, truth, _ = large_numbers()
    return points, truth, None, "--no_scaling"


def unscaled_largest():
    points, truth, _ = largest_inputs()
    return points, truth, None, "--no_scaling"


CASES = [constant_columns, one_point, one_column, duplicated_points, separable,
         tiny_numbers, large_numbers, unscaled, largest_inputs, unscaled_largest,
         largest_targets, least_numbers, outlier, one_weight, steep_weights]

TOO_LARGE = "has numbers that are too large to take their mean and variance"


def expected_error(case, loss, solver):
    """What the program refuses, and how; None if it must predict."""
    if case in (one_point, one_weight) and loss.endswith("classes"):
        return "has only one class"
    if case in (largest_inputs, unscaled_largest, outlier):
        return TOO_LARGE
    if case is largest_targets and loss in ("squared", "huber", "poisson"):
        return "the residuals of stage 0 are too large for numbers"
    if case is steep_weights and solver == "sgd":
        return "the optimizer of stage 0 diverged; try a smaller step size"
    return None


def options_for(gbnn, truth, loss):
    """Write the targets that a loss wants; the options that go with them."""
    if loss.endswith("classes"):
        # Labels with gaps between them, and negative ones.
        names = [-5, 10 ** 9] if loss.startswith("two") else [-5, 7, 10 ** 9]
        ranks = np.argsort(np.argsort(truth, kind="stable"))
        gbnn.table("y.csv", np.array(names)[ranks * len(names) // len(truth)])
        return ["-l", "y.csv"], ["-p", "p.csv", "-P", "o.csv"]
    gbnn.table("y.csv", np.abs(truth) if loss == "poisson" else truth)
    return ["-r", "y.csv", "--loss", loss, *(
        ["--quantiles", "0.1,0.5,0.9"] if loss == "quantile" else [])], ["-o", "o.csv"]


def fault(gbnn, count, options, outputs):
    """What is wrong with a training and the predictions of its model; None if nothing."""
    result = gbnn.run(*options, "-M", "m.bin", "-T", "x.csv", *outputs)
    if result.code != 0:
        return result.err.strip() or f"code {result.code}"
    found = gbnn.numbers("o.csv")
    if found.shape[0] != count or not np.isfinite(found).all():
        return "not finite"
    if "-P" in outputs and not np.allclose(found.sum(axis=1), 1):
        return "no probabilities"
    result = gbnn.run("-m", "m.bin", "-T", "x.csv", *outputs)
    if result.code != 0 or not np.array_equal(gbnn.numbers("o.csv"), found):
        return "the saved model predicts something else"
    return None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_extremes(gbnn, case):
    gbnn.command = ["env", "OMP_NUM_THREADS=1"]
    points, truth, weights, *more = case()
    gbnn.table("x.csv", points)
    if weights is not None:
        more += ["-w", gbnn.table("w.csv", weights)]
    faults = []
    for loss in LOSSES:
        options, outputs = options_for(gbnn, truth, loss)
        for solver, encoding in itertools.product(SOLVERS, ENCODINGS):
            found = fault(gbnn, len(points), [
                "-t", "x.csv", *options, *more, "-O", solver, "--input_encoding", encoding,
                "-u", 6, "-S", 1], outputs)
            expected = expected_error(case, loss, solver)
            if found != expected and not (found and expected and expected in found and
                                          "\n" not in found):
                faults.append((loss, solver, encoding, found))
    assert not faults, "\n".join(map(str, faults))


@pytest.mark.parametrize("solver", ["auto", "lbfgs"])
@pytest.mark.parametrize("loss", ["two classes", "three classes"])
def test_separable_with_many_units(gbnn, loss, solver):
    """Once all is learned, residuals become 0; 2,000 units go on from there."""
    gbnn.command = ["env", "OMP_NUM_THREADS=1"]
    points, truth, _ = separable()
    gbnn.table("x.csv", points)
    options, outputs = options_for(gbnn, points[:, 0], loss)
    assert fault(gbnn, len(points), ["-t", "x.csv", *options, "-O", solver, "-u", 2000,
                                     "-S", 1, "--input_encoding", "linear",
                                     "--refine_iterations", 0], outputs) is None
